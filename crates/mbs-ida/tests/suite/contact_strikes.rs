//! Contacts that are struck while they last take the constants of the faster motion, without a restart.
#![allow(clippy::unwrap_used)]

use crate::support::{assert_near, start};
use mbs::contact::restitution_damping;
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, half_space, object, sphere};
use mbs::material::{Damping, Material, MaterialPair, MaterialTable};
use mbs::solid::Axis;

const G: f64 = 9.81;
const RADIUS: f64 = 0.05;

/// From where the upper ball falls, above where it strikes \[m\].
const HEIGHT: f64 = 0.2;

/// A steel ball that rests on ground, and another one that falls on it a little off the middle.
fn struck_ball(ground: MaterialPair, between: MaterialPair) -> Declaration {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let ball = |name: &str, x: f64, z: f64| {
        object(name).free().r([x, 0.0, z]).solid(sphere(2.0 * RADIUS).material("Steel").collides())
    };
    ModelBuilder::new("StruckBall")
        .gravity([0.0, 0.0, -G])
        .k_red(1e-2)
        .material(Material { name: "Ground".to_owned(), ..steel })
        .material_pair("Ground", "Steel", ground)
        .material_pair("Steel", "Steel", between)
        .object(object("ground").fixed().solid(half_space(Axis::Z).material("Ground").collides()))
        .object(ball("low", 0.0, RADIUS))
        .object(ball("top", 0.01, 3.0 * RADIUS + HEIGHT))
        .build()
        .unwrap()
}

/// What a strike leaves behind.
struct Outcome {
    /// Greatest approach velocity of the lower ball and the ground \[m/s\].
    fastest: f64,
    /// Velocities of both balls upwards \[m/s\].
    velocities: [f64; 2],
    restarts: u64,
}

fn strike(declaration: &Declaration, tolerance: f64) -> Outcome {
    let mut run = start(declaration, tolerance);
    let fall = (2.0 * HEIGHT / G).sqrt();
    let mut fastest = 0.0_f64;
    for k in 0..600 {
        run.to(fall - 1e-3 + 1e-5 * f64::from(k));
        fastest = fastest.max(-run.value("low.v_abs[3]"));
    }
    run.to(fall + 8e-3);
    let velocities = ["low.v_abs[3]", "top.v_abs[3]"].map(|name| run.value(name));
    Outcome { fastest, velocities, restarts: run.simulation.statistics().integrator.restarts }
}

#[test]
fn a_ball_that_is_struck_while_it_rests_is_damped_as_the_strike_demands() {
    let between = MaterialPair::new(0.8, 0.3, 0.0);
    let speed = (2.0 * G * HEIGHT).sqrt();
    for cor in [0.5, 0.7, 0.9] {
        let ground = MaterialPair::new(cor, 0.3, 0.0);
        let outcomes = [1e-4, 1e-7].map(|tolerance| strike(&struck_ball(ground, between), tolerance));
        let d = restitution_damping(cor) / outcomes[1].fastest;
        let given = MaterialPair { damping: Some(Damping::Coefficient(d)), ..ground };
        let ideal = strike(&struck_ball(given, between), 1e-7);
        for k in 0..2 {
            let [coarse, fine] = outcomes.each_ref().map(|outcome| outcome.velocities[k]);
            assert_near(fine, ideal.velocities[k], 0.04 * speed, &format!("velocity of ball {k} with cor {cor}"));
            assert_near(coarse, fine, 0.005 * speed, &format!("velocity of ball {k} at 1e-4 with cor {cor}"));
        }
        assert_eq!(outcomes.map(|outcome| outcome.restarts), [1, 1], "cor {cor}");
    }
}

/// Whether contacts have calmed down must not be decided by the steps.
#[test]
fn balls_in_a_column_end_alike_at_all_tolerances() {
    let column = |places: &[f64], v: f64, young: f64, cor: f64| {
        let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
        let soft = Material { name: "Soft".to_owned(), density: 7800.0, youngs_modulus: young, ..steel };
        let mut model = ModelBuilder::new("Column")
            .gravity([0.0, 0.0, -G])
            .material(soft)
            .material_pair("Soft", "Soft", MaterialPair::new(cor, 0.0, 0.0))
            .object(object("ground").fixed().solid(half_space(Axis::Z).material("Soft").collides()));
        for (k, &z) in places.iter().enumerate() {
            let ball = sphere(0.1).material("Soft").collides();
            let v = if k + 1 == places.len() { v } else { 0.0 };
            model =
                model.object(object(format!("b{k}")).free_with([0.0, 0.0, v], [0.0; 3]).r([0.0, 0.0, z]).solid(ball));
        }
        model.build().unwrap()
    };
    for (places, v, young, cor) in
        [(&[0.05, 0.152][..], -0.89, 5e6, 0.5), (&[0.05, 0.15001, 0.25002, 0.352], -0.831, 1.01e7, 0.3)]
    {
        let top = format!("b{}.v_abs[3]", places.len() - 1);
        let [coarse, middle, fine] = [1e-6, 1e-7, 1e-9].map(|tolerance| {
            let mut run = start(&column(places, v, young, cor), tolerance);
            run.to(0.15);
            run.value(&top)
        });
        for found in [coarse, middle] {
            assert_near(found, fine, 1e-3, &format!("velocity of the uppermost of {} balls", places.len()));
        }
    }
}
