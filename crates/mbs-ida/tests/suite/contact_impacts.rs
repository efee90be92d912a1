//! Impacts of bodies against an integration of the law that shares no code with the engine, and against Hertz'
//! formulas.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::f64::consts::PI;

use crate::support::{Run, assert_near, assert_vector, momentum, start};
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, cuboid, object, sphere};
use mbs::material::{ConstantsRule, Material, MaterialPair};

/// Radius of all balls \[m\].
const R: f64 = 0.03;
/// Young's modulus \[Pa\], Poisson's ratio, density \[kg/m³\] of the balls.
const E: f64 = 5.4e9;
const NU: f64 = 0.34;
const RHO: f64 = 1768.0;
/// Gap of all bodies at the start \[m\].
const GAP: f64 = 2e-3;
/// Where regularisation of slow impacts begins unless a pair says otherwise \[m/s\], and its least restitution.
const V_MIN: f64 = 0.01;
const COR_MIN: f64 = 0.001;

fn mass() -> f64 {
    RHO * 4.0 / 3.0 * PI * R.powi(3)
}

/// What an impact does: effective restitution, duration \[s\], largest force \[N\].
#[derive(Debug, Clone, Copy)]
struct Impact {
    restitution: f64,
    duration: f64,
    force: f64,
}

/// The law of the paper for an impact of a mass \[kg\] with stiffness c \[N/m^1.5\].
#[derive(Debug, Clone, Copy)]
struct Law {
    mass: f64,
    c: f64,
    cor: f64,
}

impl Law {
    /// Two of the balls: half of the mass, half of the radius, half of the modulus.
    fn of_two_balls(cor: f64) -> Self {
        let modulus = E / (1.0 - NU * NU) / 2.0;
        Self { mass: mass() / 2.0, c: 4.0 / 3.0 * modulus * (R / 2.0).sqrt(), cor }
    }

    /// A ball against something flat of the same material that does not move.
    fn of_a_wall(cor: f64) -> Self {
        let modulus = E / (1.0 - NU * NU) / 2.0;
        Self { mass: mass(), c: 4.0 / 3.0 * modulus * R.sqrt(), cor }
    }

    /// Damping for an approach velocity \[m/s\] (eq. 4, 6, 7, 10 of the paper, with its usual constants).
    fn damping(&self, v: f64) -> f64 {
        let cor = (self.cor + (COR_MIN - self.cor) * (0.01_f64.ln() * v / V_MIN).exp()).max(COR_MIN);
        let reg = if v < V_MIN { v * v / V_MIN * (1.0 - v / (3.0 * V_MIN)) + V_MIN / 3.0 } else { v };
        (8.0 * (1.0 - cor) / (5.0 * cor * reg)).min(1000.0)
    }

    /// Largest penetration \[m\] of an elastic impact, from the energy.
    fn depth(&self, v: f64) -> f64 {
        (1.25 * self.mass * v * v / self.c).powf(0.4)
    }

    /// Duration \[s\] of an elastic impact: K. L. Johnson, "Contact Mechanics", Cambridge University Press 1985, eq.
    /// 11.23 and 11.24. His 2.94 is `2 int_0^1 dx / sqrt(1 - x^(5/2)) = 4/5 sqrt(pi) Gamma(2/5) / Gamma(9/10)`.
    fn hertz_duration(&self, v: f64) -> f64 {
        2.943_275 * self.depth(v) / v
    }

    /// Integrates an impact with the speed `v` \[m/s\] by the classical Runge-Kutta method.
    fn integrate(&self, v: f64) -> Impact {
        let d = self.damping(v);
        let force = |x: f64, u: f64| if x > 0.0 { (self.c * x.powf(1.5) * (1.0 + d * u)).max(0.0) } else { 0.0 };
        let rate = |x: f64, u: f64| (u, -force(x, u) / self.mass);
        let h = self.hertz_duration(v) / 2000.0;
        let (mut x, mut u, mut t, mut peak) = (0.0, v, 0.0, 0.0_f64);
        loop {
            let a = rate(x, u);
            let b = rate(x + h / 2.0 * a.0, u + h / 2.0 * a.1);
            let c = rate(x + h / 2.0 * b.0, u + h / 2.0 * b.1);
            let e = rate(x + h * c.0, u + h * c.1);
            let next = x + h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + e.0);
            u += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + e.1);
            if next <= 0.0 {
                return Impact { restitution: -u / v, duration: t + h * x / (x - next), force: peak };
            }
            (x, t) = (next, t + h);
            peak = peak.max(force(x, u));
        }
    }
}

fn world(pair: MaterialPair) -> ModelBuilder {
    let material = Material {
        name: "Ball".to_owned(),
        density: RHO,
        youngs_modulus: E,
        poissons_ratio: NU,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    };
    ModelBuilder::new("World")
        .contact_constants(ConstantsRule::Paper)
        .material(material)
        .material_pair("Ball", "Ball", pair)
}

fn ball(name: &str, r: [f64; 3], v: [f64; 3]) -> ObjectBuilder {
    object(name).free_with(v, [0.0; 3]).r(r).solid(sphere(2.0 * R).material("Ball").collides())
}

/// Two balls that meet with the speed `v` \[m/s\].
fn two_balls(pair: MaterialPair, v: f64) -> Run {
    let model = world(pair).object(ball("a", [0.0; 3], [v / 2.0, 0.0, 0.0])).object(ball(
        "b",
        [2.0 * R + GAP, 0.0, 0.0],
        [-v / 2.0, 0.0, 0.0],
    ));
    start(&model.build().unwrap(), 1e-9)
}

/// A ball that meets the wall with the speed `v` \[m/s\].
fn ball_and_wall(pair: MaterialPair, v: f64) -> Run {
    let wall = cuboid([1.0, 1.0, 1.0]).material("Ball").massless().collides();
    let model = world(pair).object(object("a").fixed().r([-0.5 - R - GAP, 0.0, 0.0]).solid(wall)).object(ball(
        "b",
        [0.0; 3],
        [-v, 0.0, 0.0],
    ));
    start(&model.build().unwrap(), 1e-9)
}

/// What the engine makes of the impact of a and b, sampled `samples` times per expected duration \[s\].
fn watch(run: &mut Run, v: f64, expected: &Impact, samples: u32) -> Impact {
    let h = expected.duration / f64::from(samples);
    let (mut t, mut f_last, mut peak) = (GAP / v - 2.0 * h, 0.0, 0.0_f64);
    let mut contact = [f64::NAN; 2];
    // Next to its ends the penetration is linear in time, the force to the power of 2/3.
    let depth = |f: f64| f.max(0.0).powf(2.0 / 3.0);
    let mut slope = 0.0;
    for k in 0..samples + 40 {
        run.to(t);
        let f = run.value("contact.a_b.f_n");
        peak = peak.max(f);
        if f > 0.0 && f_last == 0.0 && k > 0 {
            run.to(t + h);
            slope = depth(run.value("contact.a_b.f_n")) - depth(f);
            contact[0] = t - h * depth(f) / slope;
            t += h;
            f_last = f;
        } else if f == 0.0 && f_last > 0.0 {
            contact[1] = t;
            break;
        } else {
            f_last = f;
        }
        t += h;
    }
    assert!(slope > 0.0, "no contact was seen");
    run.to(contact[1] + 0.2 * expected.duration);
    // A wall has no velocity.
    let first = if run.names().contains(&"a.v_abs[1]") { run.value("a.v_abs[1]") } else { 0.0 };
    Impact { restitution: (run.value("b.v_abs[1]") - first) / v, duration: contact[1] - contact[0], force: peak }
}

#[test]
fn restitution_is_that_of_the_law_integrated_by_hand() {
    for v in [0.02, 0.3, 2.0, 12.0] {
        for k in 1..=10 {
            let cor = f64::from(k) / 10.0;
            let pair = MaterialPair::new(cor, 0.0, 0.0);
            let expected = Law::of_two_balls(cor).integrate(v);
            let mut run = two_balls(pair, v);
            run.to(GAP / v + 1.2 * expected.duration + 1e-6);
            let found = (run.value("b.v_abs[1]") - run.value("a.v_abs[1]")) / v;
            assert_near(found, expected.restitution, 2e-5, &format!("restitution for cor = {cor}, {v} m/s"));
            assert!(found <= cor + 1e-6, "cor = {cor}, {v} m/s: {found}");
        }
    }
}

#[test]
fn slow_impacts_come_back_as_the_regularised_law_says() {
    for v in [0.004, 0.007, 0.01] {
        for cor in [0.5, 0.9, 1.0] {
            let expected = Law::of_a_wall(cor).integrate(v);
            let mut run = ball_and_wall(MaterialPair::new(cor, 0.0, 0.0), v);
            run.to(GAP / v + 1.2 * expected.duration);
            assert_near(run.value("b.v_abs[1]") / v, expected.restitution, 1e-4, &format!("cor = {cor}, {v} m/s"));
        }
    }
}

#[test]
fn elastic_impacts_last_and_push_as_hertz_says() {
    let pair = MaterialPair { v_min: 1e-6, ..MaterialPair::new(1.0, 0.0, 0.0) };
    for v in [0.1, 1.0, 10.0] {
        let systems = [(Law::of_two_balls(1.0), two_balls(pair, v)), (Law::of_a_wall(1.0), ball_and_wall(pair, v))];
        for (law, mut run) in systems {
            let hertz =
                Impact { restitution: 1.0, duration: law.hertz_duration(v), force: law.c * law.depth(v).powf(1.5) };
            let found = watch(&mut run, v, &hertz, 500);
            assert_near(found.duration / hertz.duration, 1.0, 3e-3, &format!("relative duration at {v} m/s"));
            assert_near(found.force / hertz.force, 1.0, 2e-5, &format!("relative force at {v} m/s"));
            assert_near(found.restitution, 1.0, 1e-6, &format!("restitution at {v} m/s"));
        }
    }
}

#[test]
fn impacts_with_losses_last_and_push_as_integrated_by_hand() {
    for cor in [0.4, 0.7, 0.9] {
        let expected = Law::of_two_balls(cor).integrate(1.0);
        let found = watch(&mut two_balls(MaterialPair::new(cor, 0.0, 0.0), 1.0), 1.0, &expected, 500);
        assert_near(found.duration / expected.duration, 1.0, 5e-3, &format!("relative duration, cor = {cor}"));
        assert_near(found.force / expected.force, 1.0, 1e-4, &format!("relative force, cor = {cor}"));
    }
}

#[test]
fn an_elastic_break_of_sixteen_balls_keeps_momentum_and_energy() {
    let (d, e) = (2.0 * R, 1e-4);
    let pair = MaterialPair { v_min: 1e-6, ..MaterialPair::new(1.0, 0.0, 0.0) };
    let mut model = world(pair).object(ball("cue", [-0.1, 0.004, 0.001], [3.0, 0.1, 0.0]));
    for k in 0..5 {
        for j in 0..=k {
            let r = [f64::from(k) * (0.75_f64.sqrt() * d + e), (d + e) * (f64::from(k) / 2.0 - f64::from(j)), 0.0];
            model = model.object(ball(&format!("b{k}{j}"), r, [0.0; 3]));
        }
    }
    let mut run = start(&model.build().unwrap(), 1e-9);
    let (before, energy) = (momentum(&mut run), run.value("energy.total"));
    run.to(0.2);
    assert!(run.value("event_count") >= 40.0, "only {} events", run.value("event_count"));
    assert_near(run.value("number_of_contacts"), 0.0, 0.5, "number of contacts at the end");
    let after = momentum(&mut run);
    assert_vector(after.0, before.0.into(), 1e-9, "linear momentum");
    assert_vector(after.1, before.1.into(), 1e-9, "angular momentum");
    assert_near(run.value("energy.total") / energy, 1.0, 1e-6, "relative energy");
    assert!(run.vector("cue.v_abs").norm() < 2.5 && run.vector("b44.v_abs").norm() > 0.1, "the energy was not shared");
}

/// Part of its energy that a ball of steel with the speed `v` \[m/s\] loses per elastic impact between two walls.
fn lost_per_impact(v: f64, tolerance: f64) -> f64 {
    let (r, impacts) = (0.05, 10.0);
    let wall = |name: &str, x: f64| {
        let solid = cuboid([0.1, 1.0, 1.0]).material("Steel").massless().collides();
        object(name).fixed().r([x, 0.0, 0.0]).solid(solid)
    };
    let pair = MaterialPair { v_min: 1e-9, ..MaterialPair::new(1.0, 0.0, 0.0) };
    let ball = object("ball").free_with([v, 0.0, 0.0], [0.0; 3]).solid(sphere(2.0 * r).material("Steel").collides());
    let model = ModelBuilder::new("Walls")
        .material_pair("Steel", "Steel", pair)
        .object(wall("left", -0.15))
        .object(wall("right", 0.15))
        .object(ball);
    let mut run = start(&model.build().unwrap(), tolerance);
    let before = run.value("energy.total");
    run.to(2.0 * r * impacts / v);
    assert_near(run.value("event_count"), 2.0 * impacts, 0.1, &format!("events at {v} m/s, tolerance {tolerance:e}"));
    (1.0 - run.value("energy.total") / before) / impacts
}

#[test]
fn elastic_impacts_of_stiff_bodies_keep_their_energy_at_coarse_tolerances() {
    for tolerance in [1e-4, 1e-5, 1e-6, 1e-7] {
        for v in [0.01, 0.03, 0.1, 0.3, 1.0, 10.0] {
            let lost = lost_per_impact(v, tolerance);
            // Tolerances of small velocities are absolute.
            let allowed = 100.0 * tolerance * (0.05 / v).max(1.0);
            assert!(
                lost.abs() < allowed,
                "{lost:e} of the energy is lost per impact at {v} m/s, tolerance {tolerance:e}"
            );
        }
    }
}
