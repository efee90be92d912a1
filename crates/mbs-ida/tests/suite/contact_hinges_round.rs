//! Cylinders and cones on contact hinges: standing, lying, rolling on their rims and over edges.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, hard, start};
use mbs::declaration::builder::{
    Members, ModelBuilder, ObjectBuilder, cone, cuboid, cylinder, half_space, object, sphere,
};
use mbs::material::{ContactLaw, ImpactOrder, MaterialPair, Resting};
use mbs::math::{Mat3, Vec3, rotation_about};
use mbs::solid::Axis;

/// Density \[kg/m³\] of everything.
const RHO: f64 = 1000.0;
const G: f64 = 10.0;

/// Radius and length of the can \[m\].
const R: f64 = 0.03;
const L: f64 = 0.1;

/// Gravity that acts as on a plane inclined towards x.
fn inclined(angle: f64) -> [f64; 3] {
    [G * angle.sin(), 0.0, -G * angle.cos()]
}

fn scene(gravity: [f64; 3], mu: f64) -> ModelBuilder {
    scene_of(gravity, MaterialPair::new(0.0, mu, 0.0))
}

fn scene_of(gravity: [f64; 3], pair: MaterialPair) -> ModelBuilder {
    ModelBuilder::new("Round")
        .contact_law(ContactLaw::Rigid, ImpactOrder::Simultaneous)
        .resting(Resting::Hinges)
        .gravity(gravity)
        .material(hard())
        .material_pair("Hard", "Hard", pair)
}

fn table(size: [f64; 3]) -> ObjectBuilder {
    let slab = cuboid(size).material("Hard").massless().collides();
    object("floor").fixed().r([0.0, 0.0, -0.5 * size[2]]).solid(slab)
}

/// A table, and flat ground.
fn grounds() -> [ObjectBuilder; 2] {
    let ground = half_space(Axis::Z).material("Hard").massless().collides();
    [table([20.0, 4.0, 0.2]), object("floor").fixed().solid(ground)]
}

fn turn(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let s = (0.5 * angle).sin();
    [(0.5 * angle).cos(), s * axis[0], s * axis[1], s * axis[2]]
}

fn can(name: &str, r: [f64; 3], q: [f64; 4], v: [f64; 3], w: [f64; 3]) -> ObjectBuilder {
    let solid = cylinder(Axis::Z, 2.0 * R, L).material("Hard").collides();
    object(name).r(r).quaternion(q).free_with(v, w).solid(solid)
}

/// A can that lies along y.
fn lying(r: [f64; 3], v: f64) -> ObjectBuilder {
    can("can", r, turn([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2), [v, 0.0, 0.0], [0.0, v / R, 0.0])
}

fn rests_elastically(run: &Run) -> bool {
    !run.simulation.topology().resting_elastically().is_empty()
}

#[test]
fn a_cylinder_rolls_down_with_two_thirds_of_the_acceleration() {
    let angle = 0.2_f64;
    for ground in grounds() {
        let model = scene(inclined(angle), 0.5).object(ground).object(lying([0.0, 0.0, R], 0.0));
        let mut run = start(&model.build().unwrap(), 1e-8);
        run.to(1.0);
        assert_near(run.value("can.r_abs[1]"), G * angle.sin() / 3.0, 1e-7, "way");
        assert_near(run.value("can.r_abs[3]"), R, 1e-12, "height");
        let weight = RHO * std::f64::consts::PI * R * R * L * G * angle.cos();
        assert_near(run.value("contact.floor_can.f_n") / weight, 1.0, 1e-10, "relative normal force");
        assert_near(run.value("contact.floor_can.carriers"), 2.0, 0.5, "carriers");
    }
}

#[test]
fn a_can_stands_until_its_weight_passes_the_rim() {
    // A polygon of 32 corners stands for the rim: the angle is right to half a percent.
    let critical = (2.0 * R / L).atan();
    for (angle, stands) in [(0.992 * critical, true), (1.003 * critical, false)] {
        for ground in grounds() {
            let upright = can("can", [0.0, 0.0, 0.5 * L], [1.0, 0.0, 0.0, 0.0], [0.0; 3], [0.0; 3]);
            let model = scene(inclined(angle), 2.0).object(ground).object(upright);
            let mut run = start(&model.build().unwrap(), 1e-6);
            run.to(2.0);
            let carriers = run.value("contact.floor_can.carriers");
            assert_near(carriers, if stands { 3.0 } else { 2.0 }, 0.5, "it stands, or has fallen over and lies");
            assert_near(run.value("can.r_abs[3]"), if stands { 0.5 * L } else { R }, 1e-7, "height");
            assert!(!rests_elastically(&run));
        }
    }
}

/// Independent equations of a disc of radius ρ and thickness t that rolls on the rim of its lower end without sliding:
/// `I α + w x I w = r x F - lever F_z w_t / |w_t|`, `m a = F + m g`, `v = r x w`, with r from the centre of mass to the
/// rim's lowest point, and the part `w_t` of w along the ground.
struct RollingDisc {
    radius: f64,
    thickness: f64,
    mass: f64,
    /// Rolling resistance \[m\].
    lever: f64,
}

impl RollingDisc {
    fn arm(&self, rotation: &Mat3) -> Vec3 {
        let axis: Vec3 = rotation.column(2).into();
        let slope = Vec3::z() - axis * axis.z;
        -0.5 * self.thickness * axis - self.radius * slope.normalize()
    }

    fn rates(&self, rotation: &Mat3, w: &Vec3) -> (Mat3, Vec3) {
        let h = 1e-6;
        let moved = |t: f64| rotation_about(&w.normalize(), t * w.norm()) * rotation;
        let arm = self.arm(rotation);
        let arm_rate = (self.arm(&moved(h)) - self.arm(&moved(-h))) / (2.0 * h);
        let (m, rho, t) = (self.mass, self.radius, self.thickness);
        let across = m * (3.0 * rho * rho + t * t) / 12.0;
        let local = Mat3::from_diagonal(&Vec3::new(across, across, 0.5 * m * rho * rho));
        let inertia = rotation * local * rotation.transpose();
        // a = r x α + r' x w, F = m (a + G z).
        let cross = |x: &Vec3| Mat3::new(0.0, -x.z, x.y, x.z, 0.0, -x.x, -x.y, x.x, 0.0);
        let braked = self.lever * Vec3::new(w.x, w.y, 0.0).normalize();
        let up = Vec3::z().transpose();
        let matrix = inertia - m * cross(&arm) * cross(&arm) + m * braked * up * cross(&arm);
        let push = arm_rate.cross(w) + G * Vec3::z();
        let right = m * arm.cross(&push) - m * push.z * braked - w.cross(&(inertia * w));
        (cross(w) * rotation, matrix.try_inverse().unwrap() * right)
    }

    /// Rotation and angular velocity after a time, by the classical method of Runge and Kutta.
    fn run(&self, mut rotation: Mat3, mut w: Vec3, time: f64, steps: u32) -> (Mat3, Vec3) {
        let h = time / f64::from(steps);
        for _ in 0..steps {
            let a = self.rates(&rotation, &w);
            let b = self.rates(&(rotation + 0.5 * h * a.0), &(w + 0.5 * h * a.1));
            let c = self.rates(&(rotation + 0.5 * h * b.0), &(w + 0.5 * h * b.1));
            let d = self.rates(&(rotation + h * c.0), &(w + h * c.1));
            rotation += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0);
            w += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1);
        }
        (rotation, w)
    }
}

#[test]
fn a_coin_rolls_on_its_rim_as_independent_equations_say() {
    let (radius, thickness, tilt) = (0.05, 0.006, 0.9_f64);
    let mass = RHO * std::f64::consts::PI * radius * radius * thickness;
    let disc = RollingDisc { radius, thickness, mass, lever: 0.0 };
    let rotation = rotation_about(&Vec3::x(), tilt);
    let w = rotation * Vec3::new(0.3, 4.0, 12.0);
    let arm = disc.arm(&rotation);
    let v = arm.cross(&w);
    let solid = cylinder(Axis::Z, 2.0 * radius, thickness).material("Hard").collides();
    for (ground, mu_r) in grounds().into_iter().zip([0.0, 0.02]).chain(grounds().into_iter().zip([0.02, 0.0])) {
        let disc = RollingDisc { lever: mu_r * radius, ..disc };
        let start_of = object("coin").r([0.0, 0.0, -arm.z]).quaternion(turn([1.0, 0.0, 0.0], tilt));
        let coin = start_of.free_with([v.x, v.y, v.z], [w.x, w.y, w.z]).solid(solid.clone());
        // Without resistance against spinning, which would let it slide.
        let pair = MaterialPair { mu_spin: Some(0.0), ..MaterialPair::new(0.0, 2.0, mu_r) };
        let model = scene_of([0.0, 0.0, -G], pair).object(ground).object(coin);
        let mut run = start(&model.build().unwrap(), 1e-9);
        let energy = run.value("energy.total");
        for t in [0.2, 0.5] {
            run.to(t);
            let (expected, w) = disc.run(rotation, w, t, 4000);
            for k in 0..3 {
                let found = run.value(&format!("coin.w_abs[{}]", k + 1));
                assert_near(found, w[k], 1e-5, "angular velocity");
            }
            assert_near(run.value("coin.r_abs[3]"), -disc.arm(&expected).z, 1e-8, "height");
            let left = run.value("energy.total") / energy;
            assert!(if mu_r > 0.0 { left < 0.99 } else { (left - 1.0).abs() < 1e-6 }, "relative energy: {left}");
            assert_near(run.value("contact.floor_coin.carriers"), 1.0, 0.5, "carriers");
        }
    }
}

#[test]
fn a_cylinder_rolls_over_an_edge_and_leaves_it_where_it_should() {
    let v = 0.5;
    let model = scene([0.0, 0.0, -G], 50.0).object(table([0.6, 1.0, 0.2])).object(lying([0.25, 0.0, R], v));
    let mut run = start(&model.build().unwrap(), 1e-8);
    let energy = run.value("energy.total");
    // Turning about the edge with w² = w0² + 4/3 g/r (1 - cos φ), it leaves where r w² = g cos φ.
    let leaves = ((v * v / (R * G) + 4.0 / 3.0) / (7.0 / 3.0)).acos();
    let mut last = 0.0;
    for k in 0..600 {
        run.to(0.09 + 1e-4 * f64::from(k));
        let (x, z) = (run.value("can.r_abs[1]") - 0.3, run.value("can.r_abs[3]"));
        if x > 0.0 {
            assert!(x.hypot(z) - R > -1e-9, "it stays outside the table: {}", x.hypot(z) - R);
        }
        if run.value("contact.floor_can.carriers") > 0.0 {
            last = x.atan2(z);
        }
    }
    assert_near(last, leaves, 0.005, "angle of the last contact");
    assert_near(run.value("energy.total") / energy, 1.0, 1e-6, "relative energy");
    assert!(!rests_elastically(&run));
}

#[test]
fn a_can_set_down_askew_comes_to_stand() {
    for ground in grounds() {
        let (s, c) = 0.2_f64.sin_cos();
        let height = 0.5 * L * c + R * s + 0.01;
        let tilted = can("can", [0.0, 0.0, height], turn([1.0, 0.0, 0.0], 0.2), [0.0; 3], [0.0; 3]);
        let mut run = start(&scene([0.0, 0.0, -G], 0.5).object(ground).object(tilted).build().unwrap(), 1e-7);
        let mut last = run.value("energy.total");
        let first = last;
        for k in 1..=40 {
            run.to(0.05 * f64::from(k));
            let now = run.value("energy.total");
            assert!(now <= last + 1e-6 * first, "energy {last} -> {now}");
            last = now;
        }
        assert_near(run.value("can.r_abs[3]"), 0.5 * L, 1e-8, "height");
        assert_near(run.value("contact.floor_can.carriers"), 3.0, 0.5, "carriers");
        assert_near(run.value("energy.kinetic"), 0.0, 1e-15, "kinetic energy");
    }
}

#[test]
fn cans_stand_on_each_other() {
    let upright = |name: &str, x: f64, z: f64| can(name, [x, 0.0, z], [1.0, 0.0, 0.0, 0.0], [0.0; 3], [0.0; 3]);
    let model = scene([0.0, 0.0, -G], 0.5)
        .object(table([1.0, 1.0, 0.2]))
        .object(upright("can", 0.0, 0.05))
        .object(upright("can2", 0.004, 0.15))
        .object(upright("can3", 0.008, 0.25));
    let mut run = start(&model.build().unwrap(), 1e-6);
    run.to(10.0);
    let weight = RHO * std::f64::consts::PI * R * R * L * G;
    for (pair, cans) in [("floor_can", 3.0), ("can_can2", 2.0), ("can2_can3", 1.0)] {
        assert_near(run.value(&format!("contact.{pair}.f_n")) / weight, cans, 1e-9, pair);
    }
    // The centres of the pressure lie under the middles of what is above.
    assert_near(run.value("contact.floor_can.r[1]"), 0.004, 1e-9, "centre of the pressure");
    assert_near(run.value("contact.can_can2.r[1]"), 0.006, 1e-9, "centre of the pressure");
    assert!(run.simulation.statistics().integrator.steps < 60);
}

#[test]
fn rolling_resistance_brakes_and_holds() {
    let (mu_r, v) = (0.05, 1.0);
    let round = sphere(2.0 * R).material("Hard").collides();
    let ball = object("can").r([0.0, 0.0, R]).free_with([v, 0.0, 0.0], [0.0, v / R, 0.0]).solid(round);
    // Angular momentum about the ground: r m v + J v / r, with J = k m r².
    for (body, k) in [(lying([0.0, 0.0, R], v), 0.5), (ball, 0.4)] {
        let model = scene_of([0.0, 0.0, -G], MaterialPair::new(0.0, 0.5, mu_r));
        let mut run = start(&model.object(table([20.0, 4.0, 0.2])).object(body).build().unwrap(), 1e-8);
        let braking = mu_r * G / (1.0 + k);
        run.to(1.0);
        assert_near(run.value("can.v_abs[1]"), v - braking, 1e-8, "velocity");
        run.to(10.0);
        assert_near(run.value("can.r_abs[1]"), v * v / (2.0 * braking), 1e-4, "way until it rests");
        assert_near(run.value("energy.kinetic"), 0.0, 1e-15, "kinetic energy");
    }
}

#[test]
fn a_cone_rolls_about_its_tip() {
    let (d, h) = (0.1, 0.1);
    let half = (0.5_f64 * d / h).atan();
    let solid = cone(Axis::Z, d, 0.0, h).material("Hard").collides();
    let quaternion = turn([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2 + half);
    let low = object("cone").r([0.0, 0.0, h * half.sin()]).quaternion(quaternion).free().solid(solid);
    let model = scene(inclined(0.3), 2.0).object(table([4.0, 4.0, 0.2])).object(low);
    let mut run = start(&model.build().unwrap(), 1e-8);
    let energy = run.value("energy.total");
    for k in 1..=20 {
        run.to(0.05 * f64::from(k));
        assert_near(run.value("cone.r_abs[3]"), h * half.sin(), 1e-8, "height of the middle of the base");
        assert_near(run.value("energy.total"), energy, 1e-6 * energy.abs(), "energy");
        assert_near(run.value("contact.floor_cone.carriers"), 2.0, 0.5, "carriers");
    }
}

#[test]
fn balls_and_crossed_cylinders_rest_on_round_sides() {
    let on = lying([0.0, 0.0, R], 0.0);
    let ball = object("ball").r([0.004, 0.0, 2.0 * R + 0.02]).free().solid(sphere(0.04).material("Hard").collides());
    let model = scene([0.0, 0.0, -G], 0.5).object(table([4.0, 4.0, 0.2])).object(on).object(ball);
    let mut run = start(&model.build().unwrap(), 1e-8);
    let (mut last, mut is_held) = (run.value("energy.total"), 0);
    for k in 1..=50 {
        run.to(0.01 * f64::from(k));
        let now = run.value("energy.total");
        assert!(now <= last + 1e-7, "energy {last} -> {now}");
        last = now;
        is_held += i32::from(run.value("contact.can_ball.carriers") > 0.0);
    }
    assert!(is_held > 5, "the ball rolls down the side of the cylinder: {is_held}");
    assert!(!rests_elastically(&run));
}

#[test]
fn a_rim_on_an_edge_rests_on_the_elastic_law() {
    // A leaning coin rolls and slides against a step.
    let (radius, thickness, tilt) = (0.05, 0.006, 1.2_f64);
    let height = radius * tilt.sin() + 0.5 * thickness * tilt.cos();
    let solid = cylinder(Axis::Z, 2.0 * radius, thickness).material("Hard").collides();
    let coin = object("coin").r([0.0, 0.0, height]).quaternion(turn([1.0, 0.0, 0.0], tilt));
    let step = cuboid([0.1, 0.4, 0.01]).material("Hard").massless().collides();
    let model = scene([0.0, 0.0, -G], 0.5)
        .object(table([4.0, 4.0, 0.2]))
        .object(coin.free_with([0.5, 0.0, 0.0], [0.0, 10.0 * tilt.sin(), 10.0 * tilt.cos()]).solid(solid))
        .object(object("step").fixed().r([0.2, 0.0, 0.005]).solid(step));
    let mut run = start(&model.build().unwrap(), 1e-6);
    let (mut last, mut is_elastic) = (run.value("energy.total"), false);
    for k in 1..=100 {
        run.to(0.02 * f64::from(k));
        is_elastic |= rests_elastically(&run);
        let now = run.value("energy.total");
        assert!(now <= last + 1e-5 * last.abs(), "energy {last} -> {now} at {}", 0.02 * f64::from(k));
        last = now;
    }
    assert!(is_elastic);
}

#[test]
fn what_rolls_with_resistance_slides_as_its_load_falls() {
    // A ball rolls off another one. Before it lifts off, its friction must give way.
    let (mu, start_angle) = (0.6, 0.05_f64);
    for mu_r in [0.0, 0.002, 0.02] {
        let fixed = object("floor").fixed().solid(sphere(1.0).material("Hard").massless().collides());
        let r = [0.6 * start_angle.sin(), 0.0, 0.6 * start_angle.cos()];
        let ball = object("ball").r(r).free().solid(sphere(0.2).material("Hard").collides());
        let model = scene_of([0.0, 0.0, -G], MaterialPair::new(0.0, mu, mu_r)).object(fixed).object(ball);
        let mut run = start(&model.build().unwrap(), 1e-8);
        let mut slides = 0;
        for k in 1..=700 {
            run.to(0.002 * f64::from(k));
            let n = run.value("contact.floor_ball.f_n");
            if n == 0.0 {
                break;
            }
            let f = (1..=3).map(|i| run.value(&format!("contact.floor_ball.f_t[{i}]"))).fold(0.0, f64::hypot);
            assert!(f <= (1.0 + 1e-4) * mu * n, "mu_r = {mu_r}: {f} of {}", mu * n);
            slides += i32::from(run.value("contact.floor_ball.sticking") == 0.0);
        }
        assert!(slides > 10, "mu_r = {mu_r}: {slides}");
        assert_near(run.value("contact.floor_ball.f_n"), 0.0, 1e-12, "normal force after it has left");
    }
}
