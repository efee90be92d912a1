//! The residual against an independent form of the equations of motion: mass matrix, inertia forces and generalised
//! forces of every object from its pose alone, which is differenced along the velocity variables and along time.
//!
//! With the Jacobians `J` of the centres of mass and `K` of the rotations (virtual displacements), d'Alembert's
//! principle gives `M = sum m J'J + K'IK`, `c = sum m J'a + K'(I alpha + w x I w)` for v' = 0.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use crate::support::{Bench, Point, Random, random_tree};
use mbs::declaration::{Declaration, Dof, ForceKind, JointKind};
use mbs::expr::Expr;
use mbs::force::Element;
use mbs::math::{Mat3, Vec3, rotation_vector};
use mbs::solid::MassProperties;
use mbs::spatial::BodyMotion;
use mbs::topology::Coordinate;
use nalgebra::{DMatrix, DVector};

const REST_LENGTH: f64 = 0.8;

struct Case {
    declaration: Declaration,
    bench: Bench,
    point: Point,
    seed: u64,
}

fn case(seed: u64, forces: bool, motions: bool) -> Case {
    let mut declaration = random_tree(seed, 1 + seed as usize % 6, forces);
    if motions {
        add_motions(&mut declaration, seed);
    }
    let mut bench = Bench::new(&declaration);
    for element in &mut bench.topology.elements {
        if let Element::Line(line) = element {
            line.rest_length = REST_LENGTH;
        }
    }
    let point = bench.random_point(&mut Random::new(seed + 2000));
    Case { declaration, bench, point, seed }
}

/// Prescribes about a third of the degrees of freedom.
fn add_motions(declaration: &mut Declaration, seed: u64) {
    let mut random = Random::new(seed + 77);
    for joint in &mut declaration.content.joints {
        if matches!(joint.kind, JointKind::Spherical | JointKind::Free) {
            continue;
        }
        for dof in joint.dofs.iter_mut().filter(|_| random.below(3) == 0) {
            *dof = Dof { motion: Some(Expr::parse("0.3*time + 0.4*sin(2*time) - 0.2").unwrap()), ..Dof::default() };
        }
    }
}

/// Derivatives of order one and two at 0 from values at -3h ... 3h.
fn derivatives<T>(values: &[T; 7], h: f64) -> (T, T)
where
    T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
{
    let sum = |weights: [f64; 7], scale: f64| {
        let terms: Vec<T> = (0..7).map(|k| values[k] * (weights[k] / scale)).collect();
        terms[1..].iter().fold(terms[0], |sum, term| sum + *term)
    };
    let first = sum([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0], 60.0 * h);
    let second = sum([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0], 180.0 * h * h);
    (first, second)
}

const H: f64 = 4e-3;

fn vee(m: &Mat3) -> Vec3 {
    Vec3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]) / 2.0
}

impl Case {
    fn name(&self) -> String {
        format!("seed {}", self.seed)
    }

    fn num_v(&self) -> usize {
        self.point.v.len()
    }

    /// Something that depends on the pose, at -3h ... 3h along velocity variable `k` (none: along the motion).
    fn along<T>(&mut self, k: Option<usize>, mut read: impl FnMut(&Bench) -> T) -> [T; 7] {
        let point = Point { vdot: vec![0.0; self.num_v()], ..self.point.clone() };
        std::array::from_fn(|i| {
            let s = (i as f64 - 3.0) * H;
            let at = k.map_or_else(|| self.bench.carried(&point, s), |k| self.bench.nudged(&point, k, s));
            self.bench.evaluate(&at);
            read(&self.bench)
        })
    }

    /// Rate of change of a number along every velocity variable.
    fn slopes(&mut self, mut read: impl FnMut(&Bench) -> f64) -> DVector<f64> {
        DVector::from_iterator(
            self.num_v(),
            (0..self.num_v()).map(|k| derivatives(&self.along(Some(k), &mut read), H).0),
        )
    }

    fn bodies(&self) -> Vec<(String, MassProperties)> {
        let with_mass = self.bench.scene.objects.iter().filter(|(_, object)| object.mass.mass > 0.0);
        with_mass.map(|(_, object)| (object.path.clone(), object.mass)).collect()
    }

    /// Mass matrix, inertia forces at v' = 0, generalised gravity and kinetic energy.
    fn inertia(&mut self) -> (DMatrix<f64>, DVector<f64>, DVector<f64>, f64) {
        let n = self.num_v();
        let (mut m, mut c, mut g) = (DMatrix::zeros(n, n), DVector::zeros(n), DVector::zeros(n));
        let mut kinetic = 0.0;
        let gravity = Vec3::new(0.3, -9.81, 0.5);
        for (path, mass) in self.bodies() {
            let center = |bench: &Bench| place(&bench.object(&path), &mass.center_of_mass);
            let rotation = |bench: &Bench| bench.object(&path).rotation;
            self.bench.evaluate(&self.point);
            let r = rotation(&self.bench);
            let inertia = r * mass.inertia * r.transpose();
            let (v, a) = derivatives(&self.along(None, center), H);
            let (r_dot, r_ddot) = derivatives(&self.along(None, rotation), H);
            let (w, alpha) = (vee(&(r_dot * r.transpose())), vee(&(r_ddot * r.transpose())));
            let columns: Vec<(Vec3, Vec3)> = (0..n)
                .map(|k| {
                    let j = derivatives(&self.along(Some(k), center), H).0;
                    let turn = derivatives(&self.along(Some(k), rotation), H).0 * r.transpose();
                    (j, vee(&turn))
                })
                .collect();
            let torque = inertia * alpha + w.cross(&(inertia * w));
            for (i, (j_i, k_i)) in columns.iter().enumerate() {
                c[i] += mass.mass * j_i.dot(&a) + k_i.dot(&torque);
                g[i] += mass.mass * j_i.dot(&gravity);
                for (k, (j_k, k_k)) in columns.iter().enumerate() {
                    m[(i, k)] += mass.mass * j_i.dot(j_k) + k_i.dot(&(inertia * k_k));
                }
            }
            kinetic += 0.5 * mass.mass * v.norm_squared() + 0.5 * w.dot(&(inertia * w));
        }
        (m, c, g, kinetic)
    }

    /// Mass matrix as the engine sees it, column by column.
    fn engine_mass_matrix(&mut self) -> DMatrix<f64> {
        let n = self.num_v();
        let mut balance =
            |vdot: Vec<f64>| DVector::from_vec(self.bench.force_balance(&Point { vdot, ..self.point.clone() }));
        let rest = balance(vec![0.0; n]);
        let columns: Vec<_> = (0..n)
            .map(|k| {
                let mut unit = vec![0.0; n];
                unit[k] = 1.0;
                balance(unit) - &rest
            })
            .collect();
        if columns.is_empty() { DMatrix::zeros(0, 0) } else { DMatrix::from_columns(&columns) }
    }

    fn value(&self, expr: &Option<Expr>, locals: &[(&str, f64)]) -> f64 {
        let mut scope: BTreeMap<String, f64> = locals.iter().map(|(name, x)| ((*name).to_owned(), *x)).collect();
        scope.insert("time".to_owned(), self.point.t);
        expr.as_ref().map_or(0.0, |expr| expr.evaluate(&scope).unwrap())
    }

    /// Generalised forces of everything declared, by virtual work.
    fn applied(&mut self) -> DVector<f64> {
        let mut tau = DVector::zeros(self.num_v());
        for joint in self.declaration.content.joints.clone() {
            let id = self.bench.scene.joint(&joint.name).unwrap();
            let layout = self.bench.topology.joints[id.index()].clone();
            for ((dof, names), coordinate) in joint.dofs.iter().zip(joint.kind.dof_names()).zip(&layout.coordinates) {
                if let Coordinate::State { q, v } = *coordinate {
                    let x = q.map_or(0.0, |q| self.point.q[q]);
                    tau[v] += self.joint_force(dof, *names, x, self.point.v[v]);
                }
            }
        }
        for force in self.declaration.content.forces.clone() {
            tau += self.element_force(&force.kind);
        }
        tau
    }

    fn joint_force(&self, dof: &Dof, names: (&str, &str), x: f64, v: f64) -> f64 {
        let spring = dof.spring.as_ref();
        let stretch = x - spring.map_or(0.0, |s| s.rest.as_constant().unwrap());
        let stiffness = spring.map_or(0.0, |s| s.stiffness.as_constant().unwrap());
        self.value(&dof.force, &[(names.0, x), (names.1, v)]) - stiffness * stretch - self.value(&dof.damping, &[]) * v
    }

    fn element_force(&mut self, kind: &ForceKind) -> DVector<f64> {
        let mut tau = DVector::zeros(self.num_v());
        match kind {
            ForceKind::World(force) => {
                self.bench.evaluate(&self.point);
                let axes = force.resolved_in.as_ref().map_or(Mat3::identity(), |name| self.bench.object(name).rotation);
                let at = self.bench.object(&force.at).rotation;
                let vector = |x: &[Expr; 3]| Vec3::from_fn(|k, _| self.value(&Some(x[k].clone()), &[]));
                let (f, t) = (axes * vector(&force.force), axes * vector(&force.torque));
                for k in 0..self.num_v() {
                    let path = |bench: &Bench| bench.object(&force.at);
                    let j = derivatives(&self.along(Some(k), |b| path(b).p), H).0;
                    let turn = derivatives(&self.along(Some(k), |b| path(b).rotation), H).0 * at.transpose();
                    tau[k] += f.dot(&j) + t.dot(&vee(&turn));
                }
            }
            ForceKind::PointToPoint(line) => {
                let length = |b: &Bench| (b.object(&line.to).p - b.object(&line.from).p).norm();
                let (s, rate) = self.now(length);
                let pull = self.value(&line.stiffness, &[]) * (s - REST_LENGTH)
                    + self.value(&line.damping, &[]) * rate
                    + self.value(&line.force, &[("s", s), ("v", rate)]);
                tau -= self.slopes(length) * pull;
            }
            ForceKind::Bushing(bushing) => {
                let laws = bushing.translation.iter().chain(&bushing.rotation).cloned().collect::<Vec<_>>();
                for (k, law) in laws.iter().enumerate() {
                    let displacement =
                        |b: &Bench| bushing_displacement(&b.object(&bushing.from), &b.object(&bushing.to), k);
                    let (s, rate) = self.now(displacement);
                    let restoring = self.value(&law.stiffness, &[]) * s
                        + self.value(&law.damping, &[]) * rate
                        + self.value(&law.law, &[("s", s), ("v", rate)]);
                    tau -= self.slopes(displacement) * restoring;
                }
            }
        }
        tau
    }

    /// Value and rate along the motion.
    fn now(&mut self, read: impl FnMut(&Bench) -> f64) -> (f64, f64) {
        let values = self.along(None, read);
        (values[3], derivatives(&values, H).0)
    }
}

fn place(body: &BodyMotion, point: &Vec3) -> Vec3 {
    body.p + body.rotation * point
}

fn bushing_displacement(f: &BodyMotion, m: &BodyMotion, k: usize) -> f64 {
    if k < 3 {
        (f.rotation.transpose() * (m.p - f.p))[k]
    } else {
        rotation_vector(&(f.rotation.transpose() * m.rotation))[k - 3]
    }
}

fn assert_close(name: &str, found: &DVector<f64>, expected: &DVector<f64>, tolerance: f64) {
    let scale = 1.0 + if expected.is_empty() { 0.0 } else { expected.amax() };
    for k in 0..found.len() {
        let error = (found[k] - expected[k]).abs() / scale;
        assert!(error < tolerance, "{name}: row {k} is {}, expected {}", found[k], expected[k]);
    }
}

#[test]
fn the_mass_matrix_is_that_of_the_bodies_jacobians_symmetric_and_positive_definite() {
    for seed in 0..30 {
        let mut case = case(seed, false, seed % 2 == 1);
        let found = case.engine_mass_matrix();
        let (expected, _, _, _) = case.inertia();
        if found.is_empty() {
            continue;
        }
        let scale = expected.amax();
        assert!((&found - &expected).amax() < 1e-8 * scale, "{}: {found} {expected}", case.name());
        assert!((&found - found.transpose()).amax() < 1e-12 * scale, "{}: not symmetric", case.name());
        let symmetric = (&found + found.transpose()) / 2.0;
        assert!(symmetric.symmetric_eigenvalues().min() > 1e-6 * scale, "{}: not positive", case.name());
    }
}

#[test]
fn the_residual_without_forces_is_dalemberts_sum_over_all_bodies() {
    for seed in 0..30 {
        let mut case = case(seed, false, seed % 2 == 1);
        let (m, c, g, _) = case.inertia();
        let vdot = DVector::from_vec(case.point.vdot.clone());
        let found = DVector::from_vec(case.bench.force_balance(&case.point.clone()));
        assert_close(&case.name(), &found, &(m * vdot + c - g), 3e-7);
    }
}

#[test]
fn the_residual_with_forces_subtracts_their_virtual_work() {
    for seed in 100..130 {
        let mut case = case(seed, true, seed % 2 == 1);
        let (m, c, g, _) = case.inertia();
        let vdot = DVector::from_vec(case.point.vdot.clone());
        let expected = m * vdot + c - g - case.applied();
        let found = DVector::from_vec(case.bench.force_balance(&case.point.clone()));
        assert_close(&case.name(), &found, &expected, 3e-7);
    }
}

#[test]
fn kinetic_energy_is_half_v_m_v_and_that_of_the_bodies() {
    for seed in 0..30 {
        let mut case = case(seed, false, false);
        let m = case.engine_mass_matrix();
        let v = DVector::from_vec(case.point.v.clone());
        let (_, _, _, of_bodies) = case.inertia();
        case.bench.evaluate(&case.point);
        let found = case.bench.evaluator.workspace.energy(&case.bench.topology, &case.point.q).kinetic;
        let half_v_m_v = 0.5 * v.dot(&(m * &v));
        assert!((found - half_v_m_v).abs() < 1e-12 * (1.0 + found), "{}: {found} {half_v_m_v}", case.name());
        assert!((found - of_bodies).abs() < 1e-8 * (1.0 + found), "{}: {found} {of_bodies}", case.name());
    }
}

/// The slope of the potential energy along every variable is minus the conservative force.
#[test]
fn potential_energy_is_that_of_gravity_springs_and_bushings() {
    for seed in 100..120 {
        let mut case = case(seed, true, false);
        strip_losses(&mut case);
        let rest = Point { v: vec![0.0; case.num_v()], vdot: vec![0.0; case.num_v()], ..case.point.clone() };
        case.point = rest.clone();
        let n = case.num_v();
        let slopes = DVector::from_iterator(
            n,
            (0..n).map(|k| {
                let values = std::array::from_fn(|i| {
                    let at = case.bench.nudged(&rest, k, (i as f64 - 3.0) * H);
                    case.bench.evaluate(&at);
                    case.bench.evaluator.workspace.energy(&case.bench.topology, &at.q).potential
                });
                derivatives(&values, H).0
            }),
        );
        let found = DVector::from_vec(case.bench.force_balance(&rest));
        assert_close(&case.name(), &found, &slopes, 1e-7);
    }
}

/// Leaves only what has a potential: springs, stiffnesses and gravity.
fn strip_losses(case: &mut Case) {
    for joint in &mut case.declaration.content.joints {
        for dof in &mut joint.dofs {
            (dof.force, dof.damping) = (None, None);
        }
    }
    case.declaration.content.forces.retain_mut(|force| match &mut force.kind {
        ForceKind::World(_) => false,
        ForceKind::PointToPoint(line) => {
            line.force = None;
            line.rest_length = Some(Expr::number(REST_LENGTH));
            true
        }
        ForceKind::Bushing(_) => true,
    });
    case.bench = Bench::new(&case.declaration);
}
