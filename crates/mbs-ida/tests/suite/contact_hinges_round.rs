//! Balls that roll on contact hinges.
#![allow(clippy::unwrap_used)]

use crate::support::{assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, cuboid, object, sphere};
use mbs::material::{ContactLaw, ImpactOrder, Material, MaterialPair, Resting};

const G: f64 = 10.0;

/// Rolling resistance brakes with the torque `mu_r R N`, and friction transmits it: with the moment of inertia
/// `2/5 m R²`, the ball loses `mu_r g / 1.4`.
#[test]
fn rolling_resistance_brakes_and_holds() {
    let (mu_r, v, radius) = (0.05, 1.0, 0.03);
    let hard = Material {
        name: "Hard".into(),
        density: 1000.0,
        youngs_modulus: 1e9,
        poissons_ratio: 0.3,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    };
    let slab = cuboid([20.0, 4.0, 0.2]).material("Hard").massless().collides();
    let ball = object("ball").r([0.0, 0.0, radius]).free_with([v, 0.0, 0.0], [0.0, v / radius, 0.0]);
    let model = ModelBuilder::new("Rolling")
        .contact_law(ContactLaw::Rigid, ImpactOrder::Simultaneous)
        .resting(Resting::Hinges)
        .gravity([0.0, 0.0, -G])
        .material(hard)
        .material_pair("Hard", "Hard", MaterialPair::new(0.0, 0.5, mu_r))
        .object(object("floor").fixed().r([0.0, 0.0, -0.1]).solid(slab))
        .object(ball.solid(sphere(2.0 * radius).material("Hard").collides()));
    let mut run = start(&model.build().unwrap(), 1e-8);
    let braking = mu_r * G / 1.4;
    run.to(1.0);
    assert_near(run.value("ball.v_abs[1]"), v - braking, 1e-8, "velocity");
    run.to(10.0);
    assert_near(run.value("ball.r_abs[1]"), v * v / (2.0 * braking), 1e-4, "way until it rests");
    assert_near(run.value("energy.kinetic"), 0.0, 1e-15, "kinetic energy");
}
