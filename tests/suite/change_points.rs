//! Rows of four-bar linkages pass through their change points.
//!
//! The reference is independent of the engine: as long as the bars form parallelograms, all upright rods have the same angle phi and all
//! horizontal rods only translate. With N linkages of rods of 1 kg and 1 m, `((4 N + 1)/3) phi'' = g (3 N + 1)/2 sin phi`. The equation
//! knows no change point. It is integrated here by the classical Runge-Kutta method in steps of 20 µs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support;
use std::path::Path;

use multibody_fmu::Session;

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

/// Largest distance \[m\] of the top of the first rod from the reference until `stop` \[s\], or what ended the run.
fn error(n: u32, tolerance: f64, stop: f64) -> Result<f64, String> {
    let interface = support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/NFourBar"));
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

/// Ten seconds with some ten change points. The phase of the rotation collects the errors, so that they are some thousand times the tolerance.
fn errors_fall_with_the_tolerance(n: u32) {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let error = error(n, tolerance, 10.0).unwrap_or_else(|message| panic!("tolerance {tolerance:e}: {message}"));
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

#[test]
fn a_hundred_linkages_pass_their_change_points() {
    let error = error(100, 1e-9, 3.0).unwrap();
    assert!(error < 1e-5, "{error:e} m");
}
