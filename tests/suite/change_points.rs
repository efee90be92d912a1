//! Rows of four-bar linkages pass through their change points.
//!
//! The reference is independent of the engine: as long as the bars form parallelograms, all upright rods have the same
//! angle phi and all horizontal rods only translate. With N linkages of rods of 1 kg and 1 m,
//! `((4 N + 1)/3) phi'' = g (3 N + 1)/2 sin phi`. The equation knows no change point. It is integrated here by the
//! classical Runge-Kutta method in steps of 20 µs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support;
use std::path::Path;
use std::sync::Arc;

use multibody_fmu::{Interface, Session};

const STEPS_PER_SECOND: u32 = 50_000;

/// Angles of the upright rods from the vertical after 0.05 s, 0.1 s, … \[rad\].
fn reference(n: u32, points: usize) -> Vec<f64> {
    let n = f64::from(n);
    let rate = 9.81 * (3.0 * n + 1.0) / 2.0 / ((4.0 * n + 1.0) / 3.0);
    let h = 1.0 / f64::from(STEPS_PER_SECOND);
    let (mut phi, mut w) = (0.0_f64, 1.0_f64);
    let mut found = Vec::new();
    for _ in 0..points {
        for _ in 0..STEPS_PER_SECOND / 20 {
            let a = |phi: f64| rate * phi.sin();
            let (k1, l1) = (w, a(phi));
            let (k2, l2) = (w + 0.5 * h * l1, a(phi + 0.5 * h * k1));
            let (k3, l3) = (w + 0.5 * h * l2, a(phi + 0.5 * h * k2));
            let (k4, l4) = (w + h * l3, a(phi + h * k3));
            phi += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            w += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        }
        found.push(phi);
    }
    found
}

fn linkages() -> Arc<Interface> {
    support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/NFourBar"))
}

/// Largest distance \[m\] of the top of the first rod from the reference until `stop` \[s\], or what ended the run.
fn error(interface: &Arc<Interface>, n: u32, tolerance: f64, stop: f64) -> Result<f64, String> {
    let find = |name: &str| interface.find(name).unwrap();
    let (count, x, y) = (find("n"), find("top0.r_abs[1]"), find("top0.r_abs[2]"));
    let mut session = Session::new(interface.clone());
    session.set(count, f64::from(n)).unwrap();
    session.initialize(0.0, Some(tolerance)).unwrap();
    let mut worst = 0.0_f64;
    for (k, phi) in reference(n, (stop * 20.0).round() as usize).into_iter().enumerate() {
        session.do_step(0.05 * (k + 1) as f64).map_err(|error| error.to_string())?;
        let [x, y] = [x, y].map(|k| session.get(k).unwrap());
        worst = worst.max((x - phi.sin()).hypot(y - phi.cos()));
    }
    Ok(worst)
}

#[test]
fn the_reference_is_that_of_the_library_of_benchmarks() {
    let phi = reference(1, 200);
    for (t, [x, y]) in [(5, [-0.94490819, -0.32733549]), (10, [0.47838506, 0.87815018])] {
        let phi = phi[20 * t - 1];
        assert!((phi.sin() - x).hypot(phi.cos() - y) < 1e-7, "t = {t} s");
    }
}

/// Ten seconds with some ten change points. The phase of the rotation collects the errors, so that they are some
/// thousand times the tolerance.
fn errors_fall_with_the_tolerance(n: u32) {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let error = error(&linkages(), n, tolerance, 10.0)
            .unwrap_or_else(|message| panic!("tolerance {tolerance:e}: {message}"));
        assert!(error < 1e4 * tolerance, "tolerance {tolerance:e}: {error:e} m");
    }
}

#[test]
fn one_linkage_passes_its_change_points_as_exactly_as_is_told() {
    errors_fall_with_the_tolerance(1);
}

#[test]
fn two_linkages_pass_their_change_points_as_exactly_as_is_told() {
    errors_fall_with_the_tolerance(2);
}

#[test]
fn ten_linkages_pass_their_change_points_as_exactly_as_is_told() {
    errors_fall_with_the_tolerance(10);
}

#[test]
fn forty_linkages_pass_their_change_points_as_exactly_as_is_told() {
    errors_fall_with_the_tolerance(40);
}

/// One rod that moves as the uprights of a row of `n` linkages do, without a loop.
const PENDULUM: &str = r#"
name = "SameMotion"
gravity = [0, -9.81, 0]
parameters = { n = 1 }

[objects.rod]
mass = { m = "2*n + 1", center = [0, "(3*n + 1)/2/(2*n + 1)", 0], inertia = ["n + 1", "n + 1", "(4*n + 1)/3 - ((3*n + 1)/2)^2/(2*n + 1)"] }

[objects.top0]
parent = "rod"
r = [0, 1, 0]
expose = true

[joints.first]
type = "revolute"
from = "world"
to = "rod"
axis = "z"
w = -1
"#;

#[test]
fn loops_with_change_points_are_as_exact_as_the_same_motion_without_loops() {
    let model = mbs_model::parse(PENDULUM, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    let pendulum = Arc::new(Interface::new(model.declaration).unwrap());
    for n in [1, 3, 10, 40] {
        let [without, with] = [&pendulum, &linkages()].map(|interface| error(interface, n, 1e-10, 10.0).unwrap());
        assert!(without > 1e-8 && with < 2.0 * without, "n = {n}: {with:e} m, without loops {without:e} m");
    }
}

#[test]
fn a_hundred_linkages_pass_their_change_points() {
    let error = error(&linkages(), 100, 1e-9, 3.0).unwrap();
    assert!(error < 1e-5, "{error:e} m");
}

/// A four-bar linkage of rods of 1 m and a coupler that is a little longer than the 2 m between the pivots: a
/// parallelogram but for that.
const ALMOST_PARALLEL: &str = r#"
name = "AlmostParallel"
gravity = [0, -9.81, 0]
parameters = { gap = 1e-5 }

[objects]
pivot = { fixed = true, r = [2, 0, 0] }
tip = { parent = "crank", r = [1, 0, 0] }
end = { parent = "coupler", r = ["2 + gap", 0, 0] }
top = { parent = "rocker", r = [1, 0, 0] }
crank = { mass = { m = 1, center = [0.5, 0, 0], inertia = [0.1, 0.1, "1/12"] } }
coupler = { mass = { m = 1, center = [1, 0, 0], inertia = [0.1, 0.1, "1/12"] } }
rocker = { mass = { m = 1, center = [0.5, 0, 0], inertia = [0.1, 0.1, "1/12"] } }

[joints]
a = { type = "revolute", from = "world", to = "crank", axis = "z", phi = 1, w = 8 }
b = { type = "revolute", from = "tip", to = "coupler", axis = "z", phi = { guess = -1 } }
c = { type = "revolute", from = "pivot", to = "rocker", axis = "z", phi = { guess = 1 } }
d = { type = "revolute", from = "end", to = "top", axis = "z" }
"#;

/// Angles of crank, coupler and rocker against the x axis, and their rates.
type Angles = [f64; 3];

/// Moments of inertia about the axis of the crank, the middle of the coupler and the axis of the rocker, coupled by the
/// coupler's mass.
fn accelerations(phi: &Angles, w: &Angles, gap: f64) -> Angles {
    let (g, arm, length) = (9.81, 1.0, 2.0 + gap);
    let [[sa, ca], [sb, cb], [sc, cc]] = phi.map(|phi| [phi.sin(), phi.cos()]);
    // M phi'' = h + G^T l with G phi'' = e. The middle of the coupler lies 1 m behind the tip of the crank.
    let cross = (phi[0] - phi[1]).cos();
    let mass = nalgebra::Matrix3::new(1.0 / 3.0 + 1.0, cross, 0.0, cross, 1.0 / 12.0 + arm, 0.0, 0.0, 0.0, 1.0 / 3.0);
    let turning = (phi[0] - phi[1]).sin();
    let h = nalgebra::Vector3::new(
        -g * (0.5 + 1.0) * ca - turning * w[1] * w[1],
        -g * cb + turning * w[0] * w[0],
        -g * 0.5 * cc,
    );
    let closure = nalgebra::Matrix2x3::new(-sa, -length * sb, sc, ca, length * cb, -cc);
    let [a2, b2, c2] = w.map(|w| w * w);
    let e = nalgebra::Vector2::new(ca * a2 + length * cb * b2 - cc * c2, sa * a2 + length * sb * b2 - sc * c2);
    let inverse = mass.try_inverse().unwrap();
    let l = (closure * inverse * closure.transpose()).try_inverse().unwrap() * (e - closure * inverse * h);
    (inverse * (h + closure.transpose() * l)).into()
}

/// Closes the linkage, in angles and rates; where `mobility` is zero they stay.
fn project(phi: &mut Angles, w: &mut Angles, gap: f64, mobility: Angles) {
    let length = 2.0 + gap;
    for _ in 0..3 {
        let [[sa, ca], [sb, cb], [sc, cc]] = phi.map(|phi| [phi.sin(), phi.cos()]);
        let full = nalgebra::Matrix2x3::new(-sa, -length * sb, sc, ca, length * cb, -cc);
        let closure = full * nalgebra::Matrix3::from_diagonal(&mobility.into());
        let open = nalgebra::Vector2::new(ca + length * cb - cc - 2.0, sa + length * sb - sc);
        let gram = (closure * closure.transpose()).try_inverse().unwrap();
        let back = closure.transpose() * gram * open;
        let slow = closure.transpose() * gram * (full * nalgebra::Vector3::from(*w));
        for k in 0..3 {
            phi[k] -= back[k];
            w[k] -= slow[k];
        }
    }
}

/// Angle of the crank after `time` \[s\], by the classical Runge-Kutta method in steps of 2 µs.
fn almost_parallel(gap: f64, time: f64) -> f64 {
    let (mut phi, mut w, h) = ([1.0, 0.0, 1.0], [8.0, 0.0, 8.0], 2e-6);
    project(&mut phi, &mut w, gap, [0.0, 1.0, 1.0]);
    let moved = |x: &Angles, by: f64, dx: &Angles| [0, 1, 2].map(|k| x[k] + by * dx[k]);
    for _ in 0..(time / h).round() as usize {
        let k1 = (w, accelerations(&phi, &w, gap));
        let w2 = moved(&w, 0.5 * h, &k1.1);
        let k2 = (w2, accelerations(&moved(&phi, 0.5 * h, &k1.0), &w2, gap));
        let w3 = moved(&w, 0.5 * h, &k2.1);
        let k3 = (w3, accelerations(&moved(&phi, 0.5 * h, &k2.0), &w3, gap));
        let w4 = moved(&w, h, &k3.1);
        let k4 = (w4, accelerations(&moved(&phi, h, &k3.0), &w4, gap));
        for k in 0..3 {
            phi[k] += h / 6.0 * (k1.0[k] + 2.0 * k2.0[k] + 2.0 * k3.0[k] + k4.0[k]);
            w[k] += h / 6.0 * (k1.1[k] + 2.0 * k2.1[k] + 2.0 * k3.1[k] + k4.1[k]);
        }
        project(&mut phi, &mut w, gap, [1.0; 3]);
    }
    phi[0]
}

/// Angle of the crank after `time` \[s\], and the largest change of energy until then, relative to its size.
fn run_almost_parallel(gap: f64, tolerance: f64, time: f64) -> [f64; 2] {
    let model = mbs_model::parse(ALMOST_PARALLEL, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    let interface = Arc::new(Interface::new(model.declaration).unwrap());
    let find = |name: &str| interface.find(name).unwrap();
    let (own, phi, energy) = (find("gap"), find("a.phi"), find("energy.total"));
    let mut session = Session::new(interface.clone());
    session.set(own, gap).unwrap();
    session.initialize(0.0, Some(tolerance)).unwrap();
    let (start, mut change) = (session.get(energy).unwrap(), 0.0_f64);
    for k in 1..=(time * 50.0).round() as u32 {
        session.do_step(0.02 * f64::from(k)).unwrap();
        change = change.max((session.get(energy).unwrap() - start).abs() / start);
    }
    [session.get(phi).unwrap(), change]
}

/// Where the closure equations become almost dependent, the linkage does not pass through but turns into the other way
/// of going on, within milliseconds. A step across would be a motion that the linkage cannot make.
#[test]
fn linkages_that_only_almost_have_a_change_point_turn_there() {
    for gap in [1e-3, 1e-5, 1e-6, -1e-5] {
        let expected = almost_parallel(gap, 1.5);
        for (tolerance, allowed) in [(1e-5, 0.05), (1e-7, 1e-3), (1e-9, 2e-4)] {
            let [phi, change] = run_almost_parallel(gap, tolerance, 1.5);
            assert!(
                (phi - expected).abs() < allowed,
                "gap {gap:e} m, tolerance {tolerance:e}: {phi} instead of {expected} rad"
            );
            assert!(change < allowed, "gap {gap:e} m, tolerance {tolerance:e}: the energy changes by {change:e}");
        }
    }
}

/// At any difference of the dimensions, and whether it counts as one or not, the energy stays.
#[test]
fn linkages_near_a_change_point_keep_their_energy() {
    for gap in [1e-12, 1e-9, 1e-8, 2e-8, 4e-8, 1e-7, 4e-7, 2e-6, 3e-5, 1e-4, 1e-2, -1e-7, -1e-5] {
        for (tolerance, allowed) in [(1e-6, 5e-3), (1e-8, 1e-3), (1e-10, 1e-3)] {
            let [_, change] = run_almost_parallel(gap, tolerance, 3.0);
            assert!(change < allowed, "gap {gap:e} m, tolerance {tolerance:e}: {change:e}");
        }
    }
    // Densely where the equations come to the limit below which they count as dependent.
    for k in 0..40 {
        let gap = 4e-6 * 30.0_f64.powf(f64::from(k) / 39.0) * if k % 2 == 0 { 1.0 } else { -1.0 };
        let [_, change] = run_almost_parallel(gap, 1e-8, 3.0);
        assert!(change < 1e-3, "gap {gap:e} m: {change:e}");
    }
}
