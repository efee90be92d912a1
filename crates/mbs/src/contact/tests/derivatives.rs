use super::*;
use crate::math::{Mat3, Vec3};

/// A law in which every term matters.
fn law() -> ContactConstants {
    let ball = Curvature::Round { radius: 0.1 };
    let pair = MaterialPair {
        stribeck: Some(Stribeck { mu_s: 0.9, v_s: 0.03 }),
        mu_spin: Some(0.08),
        ..MaterialPair::new(0.6, 0.3, 0.2)
    };
    material(("DryWood", ball), ("DryWood", ball), pair, paper()).freeze(0.8)
}

fn states() -> Vec<ContactState> {
    let normal = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let tangent = Vec3::new(1.0, 2.0, 0.0) / 5.0f64.sqrt();
    let mut states = Vec::new();
    for (delta, delta_dot) in [(1e-5, 0.1), (1e-3, -0.2), (2e-4, 0.0)] {
        for speed in [0.0, 1e-3, 0.0099, 0.012, 0.5] {
            let w_rel = Vec3::new(1.0, 2.0, -0.4) * speed;
            states.push(ContactState { delta, delta_dot, v_t: tangent * speed, w_rel, normal });
        }
    }
    states
}

fn unit(k: usize) -> Vec3 {
    Vec3::ith(k, 1.0)
}

/// Difference quotient of all forces along `change`, a function of the step.
fn slope(change: impl Fn(f64) -> ContactForce, h: f64) -> ContactForce {
    let (plus, minus) = (change(h), change(-h));
    let by = |a: Vec3, b: Vec3| (a - b) / (2.0 * h);
    ContactForce { f_n: (plus.f_n - minus.f_n) / (2.0 * h), f_t: by(plus.f_t, minus.f_t), tau: by(plus.tau, minus.tau) }
}

#[track_caller]
fn assert_near(exact: Vec3, difference: Vec3, size: f64) {
    assert!((exact - difference).norm() <= 2e-6 * size, "{exact} is not {difference}");
}

#[test]
fn derivatives_by_the_penetration_and_its_rate_equal_differences() {
    for state in states() {
        let (force, by) = law().linearize(&state);
        let size = force.f_n * (1.0 / state.delta + law().d);
        let d = slope(|h| law().response(&ContactState { delta: state.delta + h, ..state }), 1e-4 * state.delta);
        assert_close(by.f_n_delta / size, d.f_n / size, 1e-6);
        assert_near(by.f_t_delta, d.f_t, size);
        assert_near(by.tau_delta, d.tau, size);
        let d = slope(|h| law().response(&ContactState { delta_dot: state.delta_dot + h, ..state }), 1e-3);
        assert_close(by.f_n_delta_dot / size, d.f_n / size, 1e-6);
        assert_near(by.f_t_delta_dot, d.f_t, size);
        assert_near(by.tau_delta_dot, d.tau, size);
    }
}

#[test]
fn derivatives_by_sliding_and_rolling_equal_differences() {
    for state in states() {
        let (force, by) = law().linearize(&state);
        let (size, h) = (force.f_n / 0.01, 1e-7);
        for k in 0..3 {
            let d = slope(|h| law().response(&ContactState { v_t: state.v_t + h * unit(k), ..state }), h);
            assert_near(by.f_t_v_t.column(k).into(), d.f_t, size);
            assert_eq!((d.f_n, d.tau), (0.0, Vec3::zeros()));
            let d = slope(|h| law().response(&ContactState { w_rel: state.w_rel + h * unit(k), ..state }), h);
            assert_near(by.tau_w_rel.column(k).into(), d.tau, size);
            assert_eq!((d.f_n, d.f_t), (0.0, Vec3::zeros()));
        }
    }
}

#[test]
fn linearizing_gives_the_same_forces() {
    for state in states() {
        let (force, plain) = (law().linearize(&state).0, law().response(&state));
        assert_eq!(force.f_n, plain.f_n);
        assert!((force.f_t - plain.f_t).norm() + (force.tau - plain.tau).norm() <= 1e-14 * plain.f_n);
    }
}

#[test]
fn nothing_changes_where_there_is_no_force() {
    let apart = ContactState { delta: 0.0, ..states()[3] };
    let cut_off = ContactState { delta_dot: -1e3, ..states()[3] };
    for state in [apart, cut_off] {
        let (force, by) = law().linearize(&state);
        assert_eq!(force, ContactForce::ZERO);
        assert_eq!(
            (by.f_n_delta, by.f_n_delta_dot, by.f_t_v_t, by.tau_w_rel),
            (0.0, 0.0, Mat3::zeros(), Mat3::zeros())
        );
    }
}
