use super::*;
use crate::math::Vec3;

fn rubber() -> ContactConstants {
    let stribeck = Some(Stribeck { mu_s: 0.8, v_s: 0.1 });
    let pair = MaterialPair { stribeck, mu_spin: Some(0.015), ..MaterialPair::new(0.6, 0.5, 0.05) };
    let ball = Curvature::Round { radius: 0.1 };
    material(("Steel", ball), ("DryWood", ball), pair, paper()).freeze(1.5)
}

/// Speeds and directions around all regularisation thresholds.
fn states() -> Vec<ContactState> {
    let normal = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let mut states = Vec::new();
    for dist in [1e-3, 0.0, -1e-9, -1e-5, -1e-3] {
        for speed in [0.0, 1e-6, 0.005, 0.01, 0.3, 7.0] {
            for direction in [Vec3::x(), Vec3::new(0.6, -0.8, 0.0), normal, -normal, Vec3::new(-1.0, 0.2, 3.0)] {
                let w_rel = Vec3::new(direction.z, direction.x, -direction.y) * speed;
                states.push(ContactState::from_motion(normal, dist, direction * speed, w_rel));
            }
        }
    }
    states
}

#[test]
fn a_ball_on_the_ground_is_pushed_away_and_braked() {
    // A = ground, B = ball above it; n_AB_W points up.
    let up = Vec3::z();
    let law = steel_on_steel(MaterialPair::new(0.7, 0.5, 0.001)).freeze(1.0);
    let sliding = ContactState::from_motion(up, -1e-6, Vec3::new(2.0, 0.0, -0.1), Vec3::new(0.0, 20.0, 0.0));
    assert!((sliding.delta, sliding.delta_dot, sliding.v_t) == (1e-6, 0.1, Vec3::new(2.0, 0.0, 0.0)));
    let force = law.response(&sliding);
    assert!(force.f_n > 0.0 && force.on_b(&up).z == force.f_n, "up on the ball");
    assert_close(force.on_b(&up).x, -0.5 * force.f_n, 1e-15);
    assert_close(force.tau.y, -0.001 * 0.1 * force.f_n, 1e-15);
    // The same contact with the ball as A: its force on the ground is opposite.
    let reversed = ContactState::from_motion(-up, -1e-6, -Vec3::new(2.0, 0.0, -0.1), -Vec3::new(0.0, 20.0, 0.0));
    let opposite = law.response(&reversed);
    assert_eq!(opposite.on_b(&-up), -force.on_b(&up));
    assert_eq!(opposite.tau, -force.tau);
}

#[test]
fn the_normal_force_is_that_of_the_law_and_never_pulls() {
    let law = steel_on_steel(MaterialPair::new(0.3, 0.0, 0.0)).freeze(1.0);
    let at = |delta: f64, delta_dot: f64| {
        let state = ContactState { delta, delta_dot, v_t: Vec3::zeros(), w_rel: Vec3::zeros(), normal: Vec3::x() };
        law.response(&state).f_n
    };
    let c_res = 1.0 / (2.0 * 0.91 / 2.0e11);
    let expected = c_res * 4.0 / 3.0 * 0.1f64.sqrt() * 1e-5f64.powf(1.5) * (1.0 + law.d * 0.2);
    assert_close(at(1e-5, 0.2), expected, 1e-13);
    assert!(law.d > 3.0, "strongly damped");
    assert_eq!((at(1e-5, -0.5), at(0.0, 1.0), at(-1e-5, 1.0)), (0.0, 0.0, 0.0));
    assert!(states().iter().all(|state| rubber().response(state).f_n >= 0.0));
}

#[test]
fn friction_stays_in_its_cone_and_only_takes_energy() {
    let law = rubber();
    let mut num_saturated = 0;
    for state in states() {
        let force = law.response(&state);
        let limit = law.friction(state.v_t.norm()) * force.f_n;
        assert!(force.f_t.norm() <= limit * (1.0 + 1e-14) && limit <= 0.8 * force.f_n, "{state:?}");
        assert!(force.tau.norm() <= law.mu_r * law.mu_geo * force.f_n * (1.0 + 1e-14), "{state:?}");
        assert!(force.f_t.dot(&state.v_t) <= 0.0 && force.tau.dot(&state.w_rel) <= 0.0, "{state:?}");
        num_saturated += usize::from(force.f_n > 0.0 && force.f_t.norm() > limit * (1.0 - 1e-14));
    }
    assert!(num_saturated > 5, "some states slide");
}

#[test]
fn friction_falls_from_the_static_to_the_kinetic_coefficient() {
    let law = rubber();
    assert_eq!(law.friction(0.0), 0.8);
    assert_close(law.friction(0.1), 0.5 + 0.3 * (-1.0f64).exp(), 1e-15);
    assert_close(law.friction(1.0), 0.5, 1e-15);
    let plain = ContactConstants { stribeck: None, ..law };
    assert_eq!((plain.friction(0.0), plain.friction(3.0)), (0.5, 0.5));
}

#[test]
fn spinning_is_weighed_apart_from_rolling() {
    let half = ContactConstants { mu_spin: 0.025, ..rubber() };
    let full = ContactConstants { mu_spin: 0.05, ..half };
    let torque = |law: &ContactConstants, w_rel: Vec3| {
        law.response(&ContactState { delta: 1e-5, delta_dot: 0.0, v_t: Vec3::zeros(), w_rel, normal: Vec3::z() }).tau
    };
    for speed in [0.003, 4.0] {
        assert_eq!(torque(&half, Vec3::x() * speed), torque(&full, Vec3::x() * speed));
        assert_close(torque(&half, Vec3::z() * speed).z, 0.5 * torque(&full, Vec3::z() * speed).z, 1e-15);
        let oblique = Vec3::new(1.0, 2.0, 2.0) * speed;
        let full = torque(&full, oblique);
        assert!(full.cross(&oblique).norm() < 1e-12 * full.norm() * oblique.norm(), "the paper's torque opposes w_rel");
        assert!((torque(&half, oblique) - Vec3::new(full.x, full.y, 0.5 * full.z)).norm() < 1e-14 * full.norm());
    }
}

#[test]
fn a_body_that_rolls_freely_may_still_resist_spinning() {
    let law = ContactConstants { mu_r: 0.0, mu_spin: 0.02, ..rubber() };
    let torque = |w_rel: Vec3| {
        law.response(&ContactState { delta: 1e-5, delta_dot: 0.0, v_t: Vec3::zeros(), w_rel, normal: Vec3::z() })
    };
    assert_eq!(torque(Vec3::x()).tau, Vec3::zeros());
    let spinning = torque(Vec3::z());
    assert_close(spinning.tau.z, -0.02 * law.mu_geo * spinning.f_n, 1e-15);
}

#[test]
fn rotating_everything_rotates_the_forces() {
    let rotation = crate::math::rotation_about(&(Vec3::new(1.0, 2.0, -2.0) / 3.0), 1.1);
    for state in states() {
        let turned = ContactState {
            v_t: rotation * state.v_t,
            w_rel: rotation * state.w_rel,
            normal: rotation * state.normal,
            ..state
        };
        let (plain, turned) = (rubber().response(&state), rubber().response(&turned));
        assert_eq!(plain.f_n, turned.f_n);
        let size = 1e-13 * (1.0 + plain.f_n);
        assert!((rotation * plain.f_t - turned.f_t).norm() < size && (rotation * plain.tau - turned.tau).norm() < size);
    }
}
