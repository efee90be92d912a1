//! A compiled model with everything needed to evaluate its equations at any point.

use mbs::declaration::Declaration;
use mbs::dynamics::Evaluator;
use mbs::elaboration::elaborate;
use mbs::force::Signals;
use mbs::math::{Quaternion, Vec3};
use mbs::scene::Scene;
use mbs::spatial::BodyMotion;
use mbs::topology::{Mobilizer, Topology, compile};

use super::Random;

/// Time, positions, velocities and accelerations.
#[derive(Debug, Clone)]
pub struct Point {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub vdot: Vec<f64>,
}

pub struct Bench {
    pub scene: Scene,
    pub topology: Topology,
    pub evaluator: Evaluator,
    pub signals: Signals,
}

impl Bench {
    pub fn new(declaration: &Declaration) -> Self {
        let scene = match elaborate(declaration, &[]) {
            Ok(scene) => scene,
            Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
        };
        let topology = compile(&scene).unwrap_or_else(|error| panic!("{error}"));
        Self { evaluator: Evaluator::new(&topology), signals: scene.signals.clone(), topology, scene }
    }

    /// A random point; quaternions have unit length.
    pub fn random_point(&self, random: &mut Random) -> Point {
        let mut many = |n: usize| -> Vec<f64> { (0..n).map(|_| random.number()).collect() };
        let (mut q, v, vdot) = (many(self.topology.num_q), many(self.topology.num_v), many(self.topology.num_v));
        for node in &self.topology.nodes {
            if matches!(node.mobilizer, Mobilizer::Spherical | Mobilizer::Free) {
                let unit = quaternion_at(&q, node.q).normalized();
                q[node.q..node.q + 4].copy_from_slice(&unit.to_array());
            }
        }
        Point { t: 0.7, q, v, vdot }
    }

    /// The point after `s` seconds of motion with constant `v'`; positions follow up to terms of third order.
    pub fn carried(&self, point: &Point, s: f64) -> Point {
        let Point { t, q, v, vdot } = point;
        let mut to = point.clone();
        to.t = t + s;
        for (new, rate) in to.v.iter_mut().zip(vdot) {
            *new += rate * s;
        }
        let change = |k: usize| v[k] * s + 0.5 * vdot[k] * s * s;
        for node in &self.topology.nodes {
            match node.mobilizer {
                Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => {}
                Mobilizer::Axis { .. } => to.q[node.q] += change(node.v),
                Mobilizer::Spherical | Mobilizer::Free => {
                    let turn = Vec3::new(change(node.v), change(node.v + 1), change(node.v + 2));
                    let turned = exponential(&turn).product(&quaternion_at(q, node.q));
                    to.q[node.q..node.q + 4].copy_from_slice(&turned.to_array());
                }
            }
            if node.mobilizer == Mobilizer::Free {
                for k in 0..3 {
                    to.q[node.q + 4 + k] += change(node.v + 3 + k);
                }
            }
        }
        to
    }

    /// The point moved by `s` along velocity variable `k`, at the same time and velocity.
    pub fn nudged(&self, point: &Point, k: usize, s: f64) -> Point {
        let mut along = Point { v: vec![0.0; point.v.len()], vdot: vec![0.0; point.v.len()], ..point.clone() };
        along.v[k] = 1.0;
        Point { t: point.t, v: point.v.clone(), vdot: point.vdot.clone(), ..self.carried(&along, s) }
    }

    /// Evaluates motion and forces at a point.
    pub fn evaluate(&mut self, point: &Point) {
        self.signals.set_time(point.t);
        self.evaluator.evaluate(&self.topology, &point.q, &point.v, &point.vdot, &mut self.signals);
    }

    /// Motion of an object at the point last evaluated.
    pub fn object(&self, path: &str) -> BodyMotion {
        let id = self.scene.object(path).unwrap_or_else(|| panic!("no object {path}"));
        let frame = &self.topology.placements[id.index()];
        self.evaluator.workspace.bodies[frame.node].at(&frame.x_bc)
    }

    /// Rows of the velocities of the residual: `M v' - h`.
    pub fn force_balance(&mut self, point: &Point) -> Vec<f64> {
        let (num_q, y) = (self.topology.num_q, [point.q.clone(), point.v.clone()].concat());
        let yp = [vec![0.0; num_q], point.vdot.clone()].concat();
        let mut residual = vec![0.0; y.len()];
        self.signals.set_time(point.t);
        self.evaluator.residual(&self.topology, &y, &yp, &mut self.signals, &mut residual);
        residual.split_off(num_q)
    }

    /// `N(q) v`.
    pub fn position_rates(&mut self, point: &Point) -> Vec<f64> {
        let (num_q, y) = (self.topology.num_q, [point.q.clone(), point.v.clone()].concat());
        let mut residual = vec![0.0; y.len()];
        self.signals.set_time(point.t);
        self.evaluator.residual(&self.topology, &y, &vec![0.0; y.len()], &mut self.signals, &mut residual);
        residual[..num_q].iter().map(|rate| -rate).collect()
    }
}

fn quaternion_at(q: &[f64], at: usize) -> Quaternion {
    Quaternion::from_array([q[at], q[at + 1], q[at + 2], q[at + 3]])
}

/// Quaternion of a rotation vector.
fn exponential(phi: &Vec3) -> Quaternion {
    let angle = phi.norm();
    let factor = if angle < 1e-8 { 0.5 } else { elementary::sin(0.5 * angle) / angle };
    Quaternion { w: elementary::cos(0.5 * angle), v: phi * factor }
}
