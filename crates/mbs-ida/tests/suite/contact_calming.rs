//! Contacts that calm down take the constants of their slower motion: soft ones settle, friction holds as declared.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, error_message, start};
use mbs::declaration::builder::{Members, ModelBuilder, cuboid, half_space, object, sphere};
use mbs::material::{ConstantsRule, Damping, Material, MaterialPair, MaterialTable};
use mbs::solid::Axis;

const G: f64 = 9.81;

/// A ball of 300 kg on the ground, both of a rubber of 5 MPa, that starts at a height of its lowest point \[m\] with a
/// velocity \[m/s\].
fn heavy_ball(pair: MaterialPair, height: f64, velocity: f64) -> ModelBuilder {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let rubber = Material {
        name: "Rubber".to_owned(),
        density: 300.0 / VOLUME,
        youngs_modulus: 5e6,
        poissons_ratio: 0.3,
        ..steel
    };
    let ground = half_space(Axis::Z).material("Rubber").collides();
    let ball = sphere(2.0 * RADIUS).material("Rubber").collides();
    ModelBuilder::new("HeavyBall")
        .gravity([0.0, 0.0, -G])
        .material(rubber)
        .material_pair("Rubber", "Rubber", pair)
        .object(object("ground").fixed().solid(ground))
        .object(object("ball").free_with([0.0, 0.0, velocity], [0.0; 3]).r([0.0, 0.0, RADIUS + height]).solid(ball))
}

const RADIUS: f64 = 0.393;
const VOLUME: f64 = 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;

/// Depth \[m\] at which the ball rests: `m g = 4/3 E/(1 - nu^2)/2 sqrt(r) delta^1.5`.
fn resting_depth() -> f64 {
    let stiffness = 4.0 / 3.0 * 5e6 / (1.0 - 0.09) / 2.0 * RADIUS.sqrt();
    (300.0 * G / stiffness).powf(2.0 / 3.0)
}

/// Period of small undamped oscillations \[s\].
fn period() -> f64 {
    2.0 * std::f64::consts::PI * (resting_depth() / (1.5 * G)).sqrt()
}

fn depth(run: &mut Run) -> f64 {
    RADIUS - run.value("ball.r_abs[3]")
}

#[test]
fn soft_contacts_settle_within_three_periods_whatever_the_way() {
    let pair = MaterialPair { v_min: 0.05, ..MaterialPair::new(0.6, 0.3, 0.0) };
    assert_near(resting_depth(), 0.0118, 1e-5, "resting depth");
    for (height, velocity) in [(0.0, 0.0), (0.001, 0.0), (0.01, 0.0), (0.0, -0.3), (-0.008, 0.0), (-0.018, 0.0)] {
        for tolerance in [1e-5, 1e-7] {
            let mut run = start(&heavy_ball(pair, height, velocity).build().unwrap(), tolerance);
            run.to(3.0 * period());
            let place = format!("from {height} m with {velocity} m/s at {tolerance}");
            assert_near(depth(&mut run) / resting_depth(), 1.0, 0.02, &place);
            run.to(10.0 * period());
            assert_near(depth(&mut run) / resting_depth(), 1.0, 1e-4, &place);
        }
    }
}

#[test]
fn with_the_constants_of_the_paper_the_same_contact_creeps() {
    let pair = MaterialPair { v_min: 0.05, ..MaterialPair::new(0.6, 0.3, 0.0) };
    let model = heavy_ball(pair, 0.0, 0.0).contact_constants(ConstantsRule::Paper);
    let mut run = start(&model.build().unwrap(), 1e-6);
    run.to(1.0);
    assert!(depth(&mut run) < 0.6 * resting_depth(), "{}", depth(&mut run));
}

/// `m u' = -K δ^1.5 (1 + d(δ) u) + m g` by the Runge-Kutta method: the depth after a time.
fn reference(height: f64, velocity: f64, t: f64, d: impl Fn(f64) -> f64) -> f64 {
    let k = 4.0 / 3.0 * 5e6 / (1.0 - 0.09) / 2.0 * RADIUS.sqrt() / 300.0;
    let f = |x: f64, u: f64| if x > 0.0 { G - k * x.powf(1.5) * (1.0 + d(x) * u).max(0.0) } else { G };
    let n = 200_000;
    let h = t / f64::from(n);
    let (mut x, mut u) = (-height, -velocity);
    for _ in 0..n {
        let (x1, u1) = (u, f(x, u));
        let (x2, u2) = (u + 0.5 * h * u1, f(x + 0.5 * h * x1, u + 0.5 * h * u1));
        let (x3, u3) = (u + 0.5 * h * u2, f(x + 0.5 * h * x2, u + 0.5 * h * u2));
        let (x4, u4) = (u + h * u3, f(x + h * x3, u + h * u3));
        x += h / 6.0 * (x1 + 2.0 * x2 + 2.0 * x3 + x4);
        u += h / 6.0 * (u1 + 2.0 * u2 + 2.0 * u3 + u4);
    }
    x
}

#[test]
fn damping_may_be_given_as_a_coefficient_or_as_a_relaxation_time() {
    let (height, velocity) = (0.0, -0.4);
    let with = |damping| MaterialPair { damping: Some(damping), ..MaterialPair::new(0.0, 0.3, 0.0) };
    let tau = 0.02;
    let onset = 1.5 * tau * 0.4;
    for t in [0.5 * period(), 2.0 * period()] {
        let mut run = start(&heavy_ball(with(Damping::Coefficient(1.5)), height, velocity).build().unwrap(), 1e-8);
        run.to(t);
        assert_near(depth(&mut run), reference(height, velocity, t, |_| 1.5), 2e-7, "coefficient");
        let mut run = start(&heavy_ball(with(Damping::Relaxation(tau)), height, velocity).build().unwrap(), 1e-8);
        run.to(t);
        let expected = reference(height, velocity, t, |x| 1.5 * tau / (x + onset));
        assert_near(depth(&mut run), expected, 2e-7, "relaxation");
    }
}

/// Speed after an oblique impact of a steel ball on steel, along the ground.
fn oblique(speed: f64, angle: f64, pair: MaterialPair, rule: ConstantsRule) -> f64 {
    let ground = half_space(Axis::Z).material("Steel").collides();
    let ball = sphere(0.1).material("Steel").collides();
    let velocity = [speed * angle.sin(), 0.0, -speed * angle.cos()];
    let model = ModelBuilder::new("Oblique")
        .material_pair("Steel", "Steel", pair)
        .contact_constants(rule)
        .object(object("ground").fixed().solid(ground))
        .object(object("ball").free_with(velocity, [0.0; 3]).r([0.0, 0.0, 0.05001]).solid(ball));
    let mut run = start(&model.build().unwrap(), 1e-9);
    run.to(0.1 / speed);
    assert!(run.value("ball.r_abs[3]") > 0.05);
    run.value("ball.v_abs[1]")
}

#[test]
fn a_regularisation_that_grows_with_the_impact_changes_it_by_less_than_a_two_thousandth() {
    for speed in [1.0, 0.3, 0.05] {
        for angle in [0.2, 0.5, 0.98] {
            let pair = MaterialPair { v_min: 1e-4, ..MaterialPair::new(1.0, 0.3, 0.0) };
            let exact = oblique(speed, angle, pair, ConstantsRule::Paper);
            let pair = MaterialPair { v_min: 1e-2, ..pair };
            let found = oblique(speed, angle, pair, ConstantsRule::Adaptive);
            assert_near(found / speed, exact / speed, 5e-4, &format!("{speed} m/s at {angle} rad"));
        }
    }
}

#[test]
fn friction_at_rest_is_that_of_the_declared_velocity_after_any_impact() {
    for v_min in [1e-2, 1e-3] {
        let pair = MaterialPair { v_min, ..MaterialPair::new(0.3, 0.5, 0.0) };
        let (slope, steel) = (0.2_f64, "Steel");
        let model = ModelBuilder::new("Slope")
            .gravity([G * slope.sin(), 0.0, -G * slope.cos()])
            .material_pair(steel, steel, pair)
            .contact_constants(ConstantsRule::Adaptive)
            .object(object("ground").fixed().solid(cuboid([2.0, 2.0, 0.2]).material(steel).collides()))
            .object(
                object("block").free().r([0.0, 0.0, 0.17]).solid(cuboid([0.1, 0.1, 0.1]).material(steel).collides()),
            );
        let mut run = start(&model.build().unwrap(), 1e-6);
        run.to(2.0);
        // The regularised law: tan(a)/mu = u/(u^2 (1 - u/3) + 1/3) for u = v/v_min.
        let part = slope.tan() / 0.5;
        let (mut low, mut high) = (0.0_f64, 1.0);
        for _ in 0..60 {
            let u = 0.5 * (low + high);
            *if u / (u * u * (1.0 - u / 3.0) + 1.0 / 3.0) < part { &mut low } else { &mut high } = u;
        }
        assert_near(run.value("block.v_abs[1]") / (low * v_min), 1.0, 1e-3, "creep");
    }
}

#[test]
fn energy_is_never_gained_while_constants_change() {
    for (height, cor) in [(0.002, 0.9), (0.02, 0.8), (0.0, 0.5)] {
        let pair = MaterialPair { v_min: 0.05, ..MaterialPair::new(cor, 0.3, 0.0) };
        let mut run = start(&heavy_ball(pair, height, 0.0).build().unwrap(), 1e-7);
        let mut before = run.value("energy.total");
        let size = 300.0 * G * (resting_depth() + height);
        for k in 1..200 {
            run.to(0.005 * f64::from(k));
            let now = run.value("energy.total");
            assert!(now <= before + 1e-5 * size, "at {} s: {now} J after {before} J", 0.005 * f64::from(k));
            before = now;
        }
    }
}

/// A third of the radius deep, where Hertz' law is at its end, but the weight of a soft ball has pressed it in.
#[test]
fn a_soft_ball_may_start_where_it_rests() {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let (youngs_modulus, mass) = (2e4_f64, 1.0_f64);
    let foam = Material { name: "Foam".to_owned(), youngs_modulus, poissons_ratio: 0.3, ..steel };
    let modulus = youngs_modulus / (1.0 - 0.3 * 0.3) / 2.0;
    let radius = 0.05_f64;
    let depth = (mass * G / (4.0 / 3.0 * modulus * radius.sqrt())).powf(2.0 / 3.0);
    assert!(depth > 0.2 * radius && depth < 0.5 * radius, "{depth}");
    let model = |height: f64| {
        ModelBuilder::new("Foam")
            .gravity([0.0, 0.0, -G])
            .material(foam.clone())
            .material_pair("Foam", "Foam", MaterialPair::new(0.5, 0.4, 0.0))
            .object(object("ground").fixed().solid(half_space(Axis::Z).material("Foam").collides()))
            .object(
                object("ball")
                    .free()
                    .r([0.0, 0.0, height])
                    .solid(sphere(2.0 * radius).material("Foam").mass(mass).collides()),
            )
            .build()
            .unwrap()
    };
    let mut run = start(&model(radius - depth), 1e-6);
    run.to(1.0);
    assert_near(run.value("ball.r_abs[3]"), radius - depth, 1e-6, "height of the ball");
    let error = error_message(&model(-0.1 * radius));
    assert!(error.contains("20 times their weight"), "{error}");
}
