//! The law of bristles: bound, energy, derivatives, and what changes between two steps.

use super::*;
use crate::math::{Pose, Vec3, rotation_about};

/// Random numbers from -1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        size * Vec3::new(self.next(), self.next(), self.next())
    }

    fn pose(&mut self) -> Pose {
        let axis = Vec3::new(self.next(), self.next(), 0.3).normalize();
        Pose::new(rotation_about(&axis, 3.0 * self.next()), self.vector(1.0))
    }
}

const LEVER: f64 = 0.03;
const LOAD: f64 = 20.0;
const DEPTH: f64 = 1e-5;

/// Time at which the damping has set in \[s\].
const LATER: f64 = 1.0;

fn law() -> ContactConstants {
    let ball = Curvature::Round { radius: 0.1 };
    let pair = MaterialPair { stiction: true, ..MaterialPair::new(0.6, 0.3, 0.0) };
    material(("DryWood", ball), ("DryWood", ball), pair, ContactOptions::default()).freeze(0.0)
}

/// Two shapes anywhere with the normal of A's own z, B sliding with `speeds` and turning with `spin` about the normal.
fn footing(law: &ContactConstants, poses: [Pose; 2], (v_t, spin): (Vec3, f64)) -> Footing {
    let normal = poses[0].rotation.column(2).into_owned();
    let v_t = v_t - v_t.dot(&normal) * normal;
    let w_rel = spin * normal;
    let state = ContactState { delta: DEPTH, delta_dot: 0.0, v_t, w_rel, normal };
    let bound = law.mu_k * LOAD;
    // Against the motion of sliding and spinning together.
    let speed = regularized_magnitude(v_t.norm().hypot(spin * LEVER), law.v_min);
    let f_t = -bound * v_t / speed;
    let tau = -bound * LEVER * spin * LEVER / speed * normal;
    let force = ContactForce { f_n: LOAD, f_t, tau };
    Footing { poses, center: poses[0].translation + 0.05 * normal, state, force }
}

fn context() -> BristleContext {
    BristleContext { t: 0.0, lever: LEVER, mass: 1e-3, thickness: 0.1 }
}

fn becomes(change: BristleChange) -> Option<Bristle> {
    if let BristleChange::Becomes(bristle) = change { Some(bristle) } else { None }
}

/// The bristle that grows where two shapes rest on each other.
fn grown(law: &ContactConstants, poses: [Pose; 2]) -> Bristle {
    becomes(Bristle::follow(None, law, &footing(law, poses, (Vec3::zeros(), 0.0)), &context())).unwrap()
}

/// B moved by a displacement at the centre of pressure and a turn about the normal.
fn moved(poses: &[Pose; 2], u: Vec3, psi: f64) -> [Pose; 2] {
    let normal = poses[0].rotation.column(2).into_owned();
    let center = poses[0].translation + 0.05 * normal;
    let (turn, b) = (rotation_about(&normal, psi), &poses[1]);
    [poses[0], Pose::new(turn * b.rotation, center + u + turn * (b.translation - center))]
}

/// Shift at which the spring alone reaches the bound \[m\].
fn longest(law: &ContactConstants) -> f64 {
    law.mu_k * LOAD / (0.8 * law.n_geo * LOAD / DEPTH)
}

fn tangent(poses: &[Pose; 2], v: Vec3) -> Vec3 {
    let normal = poses[0].rotation.column(2).into_owned();
    v - v.dot(&normal) * normal
}

#[test]
fn friction_with_its_bristle_never_exceeds_the_bound() {
    let (law, mut random) = (law(), Random(1));
    let mut reached = 0;
    for _ in 0..2000 {
        let poses = [random.pose(), random.pose()];
        let bristle = grown(&law, poses);
        let size = 3.0 * random.next() * longest(&law);
        let shifted = moved(&poses, tangent(&poses, random.vector(size)), random.next() * size / LEVER);
        let speed = (4.0 * random.next()).exp() * law.v_min;
        let at = footing(&law, shifted, (random.vector(speed), random.next() * speed / LEVER));
        let held = bristle.force(LATER, &law, &at);
        let bound = law.mu_k * LOAD;
        let force = (at.force.f_t + held.f).norm() / bound;
        let torque = (at.force.tau + held.tau).norm() / (bound * LEVER);
        let used = force.hypot(torque);
        assert!(used <= 1.0 + 1e-9, "{used}");
        reached += u32::from(used > 1.0 - 1e-9);
    }
    assert!((500..1900).contains(&reached), "{reached}");
}

#[test]
fn the_bristle_stores_no_more_than_friction_takes() {
    let (law, mut random) = (law(), Random(2));
    for _ in 0..2000 {
        let poses = [random.pose(), random.pose()];
        let bristle = grown(&law, poses);
        let (u, psi) = (tangent(&poses, random.vector(1.0)).normalize(), random.next());
        let size = 0.99 * random.next().abs() * longest(&law) / 1.0_f64.hypot(psi);
        let (u, psi) = (size * u, size * psi / LEVER);
        let speed = (5.0 * random.next()).exp() * law.v_min;
        let (v, w) = (tangent(&poses, random.vector(speed)), random.next() * speed / LEVER);
        let at = footing(&law, moved(&poses, u, psi), (v, w));
        let held = bristle.force(LATER, &law, &at);
        let normal = at.state.normal;
        let taken = -(at.force.f_t + held.f).dot(&v) - (at.force.tau + held.tau).dot(&normal) * w;
        let h = 1e-3 * longest(&law) / speed;
        let energy = |h: f64| bristle.energy(0.0, &moved(&poses, u + h * v, psi + h * w), 2.0 * law.mu_k * LOAD);
        let stored = (energy(h) - energy(-h)) / (2.0 * h);
        assert!(taken >= stored - 1e-6 * LOAD * speed, "{taken} W are taken, {stored} W stored");
    }
}

/// Largest relative difference of the derivatives to difference quotients.
fn error_of_slopes(law: &ContactConstants, bristle: &Bristle, poses: &[Pose; 2], motion: (Vec3, f64)) -> f64 {
    let at = footing(law, *poses, motion);
    let slopes = bristle.slopes(LATER, law, &at, false);
    let normal = at.state.normal;
    let stacked = |at: &Footing| {
        let held = bristle.force(LATER, law, at);
        nalgebra::Vector4::new(held.f.x, held.f.y, held.f.z, held.tau.dot(&normal) / LEVER)
    };
    let units = nalgebra::Matrix4::from_diagonal(&nalgebra::Vector4::new(1.0, 1.0, 1.0, 1.0 / LEVER));
    let [x, y] = [normal.cross(&Vec3::x()).normalize(), normal.cross(&normal.cross(&Vec3::x())).normalize()];
    let directions = [(x, 0.0), (y, 0.0), (Vec3::zeros(), 1.0 / LEVER)];
    let mut worst: f64 = 0.0;
    for (u, psi) in directions {
        let change = nalgebra::Vector4::new(u.x, u.y, u.z, psi);
        let h = 1e-4 * longest(law);
        let by_shift = [h, -h].map(|h| stacked(&Footing { poses: moved(poses, h * u, h * psi), ..at }));
        let exact = units * slopes.by_shift * change;
        worst = worst.max((exact - (by_shift[0] - by_shift[1]) / (2.0 * h)).norm() / (LOAD / DEPTH));
        let h = 1e-5 * law.v_min;
        let by_speed = [h, -h].map(|h| stacked(&footing(law, *poses, (motion.0 + h * u, motion.1 + h * psi))));
        let exact = units * slopes.by_velocity * change;
        worst = worst.max((exact - (by_speed[0] - by_speed[1]) / (2.0 * h)).norm() / (LOAD / law.v_min));
    }
    worst
}

#[test]
fn derivatives_equal_differences_when_sticking_and_when_slipping() {
    let (law, mut random) = (law(), Random(3));
    for (what, strain, speed, has_spin) in
        [("sticks", 0.6, 0.02, true), ("slips slowly", 0.99, 0.3, false), ("slips back", 0.9, 0.8, false)]
    {
        for _ in 0..50 {
            let poses = [random.pose(), random.pose()];
            let bristle = grown(&law, poses);
            let along = tangent(&poses, random.vector(1.0)).normalize();
            let back = if what == "slips back" { -0.2 } else { 1.0 };
            let u = strain * longest(&law) * along;
            let motion = (back * speed * law.v_min * along, 0.0);
            let psi = if has_spin { 0.3 * longest(&law) / LEVER } else { 0.0 };
            let error = error_of_slopes(&law, &bristle, &moved(&poses, u, psi), motion);
            assert!(error < 2e-3, "{what}: {error}");
        }
    }
}

#[test]
fn roots_follow_without_changing_the_force_or_adding_energy() {
    let (law, mut random) = (law(), Random(4));
    let mut changes = 0;
    for _ in 0..2000 {
        let poses = [random.pose(), random.pose()];
        let bristle = grown(&law, poses);
        let along = tangent(&poses, random.vector(1.0)).normalize();
        let u = 2.0 * random.next().abs() * longest(&law) * along;
        let shifted = moved(&poses, u, 0.2 * random.next() * longest(&law) / LEVER);
        // Below the bound, beyond it, with the centre elsewhere, with a load that has grown.
        let speed = 0.5 * random.next().abs() * law.v_min;
        let mut at = footing(&law, shifted, (speed * along, 0.0));
        at.center += tangent(&poses, random.vector(3e-4));
        let factor = 2.0 + random.next();
        at.force = ContactForce { f_n: factor * LOAD, f_t: factor * at.force.f_t, tau: factor * at.force.tau };
        let followed = Bristle::follow(Some(&bristle), &law, &at, &BristleContext { t: LATER, ..context() });
        let Some(next) = becomes(followed) else { continue };
        let (before, after) = (bristle.force(LATER, &law, &at), next.force(LATER, &law, &at));
        let size = law.mu_k * at.force.f_n;
        assert!((before.f - after.f).norm() < 2e-3 * size, "{} becomes {}", before.f, after.f);
        assert!((before.tau - after.tau).norm() < 2e-3 * size * LEVER, "{} becomes {}", before.tau, after.tau);
        // Of the whole strain, and of what the bound leaves of it.
        for bound in [f64::INFINITY, size] {
            let energies = [&bristle, &next].map(|bristle| bristle.energy(0.0, &at.poses, bound));
            assert!(energies[1] <= energies[0] * (1.0 + 1e-3), "{energies:?}");
        }
        changes += 1;
    }
    assert!(changes > 1000, "{changes}");
}

#[test]
fn strain_beyond_the_bound_stores_nothing() {
    let (law, mut random) = (law(), Random(6));
    let bound = law.mu_k * LOAD;
    for _ in 0..100 {
        let poses = [random.pose(), random.pose()];
        let bristle = grown(&law, poses);
        let along = tangent(&poses, random.vector(1.0)).normalize();
        let stored = |part: f64| bristle.energy(0.0, &moved(&poses, part * longest(&law) * along, 0.0), bound);
        let most = 0.5 * bound * longest(&law);
        for (part, expected) in [(0.5, 0.25 * most), (1.0, most), (3.0, most), (30.0, most)] {
            assert!((stored(part) - expected).abs() < 1e-6 * most, "{} J at {part}, not {expected} J", stored(part));
        }
    }
}

#[test]
fn bristles_release_bodies_that_slide_or_roll() {
    let law = law();
    let mut random = Random(5);
    let poses = [random.pose(), random.pose()];
    let bristle = grown(&law, poses);
    let along = tangent(&poses, Vec3::new(0.3, 0.2, 0.5)).normalize();
    let slid = moved(&poses, 5.0 * longest(&law) * along, 0.0);
    let sliding = footing(&law, slid, (2.0 * law.v_min * along, 0.0));
    assert!(bristle.force(LATER, &law, &sliding).f.norm() < 1e-12 * LOAD);
    assert_eq!(Bristle::follow(Some(&bristle), &law, &sliding, &context()), BristleChange::Ends);
    assert_eq!(Bristle::follow(None, &law, &sliding, &context()), BristleChange::None);

    let rocking = moved(&poses, 0.5 * longest(&law) * along, 0.0);
    let mut rolling = footing(&law, rocking, (Vec3::zeros(), 0.0));
    rolling.state.w_rel = 3.0 * law.w_min * along;
    assert_eq!(Bristle::follow(Some(&bristle), &law, &rolling, &context()), BristleChange::None, "it rocks in place");
    let (turn, b) = (rotation_about(&along, 2e-3), &rocking[1]);
    rolling.poses[1] = Pose::new(turn * b.rotation, rolling.center + turn * (b.translation - rolling.center));
    let released = becomes(Bristle::follow(Some(&bristle), &law, &rolling, &context())).unwrap();
    let force = |t: f64| released.force(t, &law, &rolling).f.norm();
    assert!(force(0.0) > 0.4 * law.mu_k * LOAD);
    assert!(force(0.001) < force(0.0));
    assert_eq!(force(10.0), 0.0);
    let later = BristleContext { t: 10.0, ..context() };
    assert_eq!(Bristle::follow(Some(&released), &law, &rolling, &later), BristleChange::Ends);
    assert_eq!(Bristle::follow(None, &law, &rolling, &context()), BristleChange::None);
}
