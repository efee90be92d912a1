//! Contacts with half-spaces that turn: most of their points move at any speed, those near other shapes do not.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::f64::consts::FRAC_PI_2;

use crate::support::{assert_near, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    JointBuilder, Members, ModelBuilder, ShapeBuilder, cuboid, half_space, object, revolute, sphere,
};
use mbs::material::{Material, MaterialPair};
use mbs::solid::Axis;

fn scene(cor: f64, mu_k: f64) -> ModelBuilder {
    let material = Material {
        name: "Rubber".to_owned(),
        density: 1000.0,
        youngs_modulus: 1e8,
        poissons_ratio: 0.3,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    };
    ModelBuilder::new("Turning").gravity([0.0, 0.0, -9.81]).material(material).material_pair(
        "Rubber",
        "Rubber",
        MaterialPair::new(cor, mu_k, 0.0),
    )
}

/// A ball at a height \[m\] above what the joint moves.
fn ball_above(scene: ModelBuilder, ground: ShapeBuilder, shift: f64, joint: JointBuilder, gap: f64) -> Declaration {
    let ball = sphere(0.2).material("Rubber").collides();
    scene
        .object(object("arm").mass(1e3, [0.0; 3], [1e4, 1e4, 1e4, 0.0, 0.0, 0.0]))
        .object(object("ground").on("arm").r([0.0, 0.0, shift]).solid(ground.material("Rubber").collides()))
        .object(object("ball").free().r([1.0, 0.0, 0.1 + gap]).solid(ball))
        .joint(joint)
        .build()
        .unwrap()
}

#[test]
fn a_ball_rests_on_a_ground_that_turns_about_its_normal() {
    for (w, gap, tolerance) in
        [(1e-6, 1e-3, 1e-6), (1.0, 1e-3, 1e-6), (1.0, 0.0, 1e-4), (10.0, 1e-3, 1e-8), (1.0, 0.5, 1e-5)]
    {
        let joint = revolute("hinge", "world", "arm", "z").velocity(w);
        let mut run = start(&ball_above(scene(0.3, 0.3), half_space(Axis::Z), 0.0, joint, gap), tolerance);
        run.to(2.0);
        let at = format!("at {w} rad/s, from {gap} m, tolerance {tolerance:e}");
        assert_near(run.value("ball.r_abs[3]"), 0.0998, 3e-4, &format!("height {at}"));
        assert_near(run.value("contact.ground_ball.f_n"), 41.09, 0.05, &format!("force {at}"));
    }
}

#[test]
fn a_ground_that_turns_about_its_normal_is_the_same_without_friction() {
    let heights = |w: f64| {
        let joint = revolute("hinge", "world", "arm", "z").velocity(w);
        let mut run = start(&ball_above(scene(0.7, 0.0), half_space(Axis::Z), 0.0, joint, 0.05), 1e-8);
        let height = |k: u32| {
            run.to(0.1 * f64::from(k));
            run.value("ball.r_abs[3]")
        };
        (1..=10).map(height).collect::<Vec<_>>()
    };
    let still = heights(0.0);
    for w in [1e-3, 3.0] {
        for (turning, still) in heights(w).iter().zip(&still) {
            assert_near(*turning, *still, 1e-5, &format!("height at {w} rad/s"));
        }
    }
}

#[test]
fn a_tilting_half_space_throws_a_ball_as_a_thick_plate_does() {
    for motion in ["0.3*sin(4*time)", "0.2*time", "-0.5*time^2"] {
        let thrown = |ground: ShapeBuilder, shift: f64| {
            let joint = revolute("hinge", "world", "arm", "y").motion(motion);
            let mut run = start(&ball_above(scene(0.5, 0.3), ground, shift, joint, 1e-3), 1e-8);
            run.to(1.0);
            run.vector("ball.r_abs")
        };
        let [plate, ground] = [thrown(cuboid([8.0, 8.0, 2.0]).massless(), -1.0), thrown(half_space(Axis::Z), 0.0)];
        assert!((plate - ground).norm() < 1e-4, "{motion}: {ground:?} instead of {plate:?}");
    }
}

/// Six half-spaces as a drum, and balls in it.
#[test]
fn balls_stay_in_a_drum_of_half_spaces_at_a_cost_that_does_not_explode() {
    let wall = || half_space(Axis::Z).material("Rubber").collides();
    let mut model = scene(0.5, 0.4)
        .object(object("drum").mass(100.0, [0.0; 3], [10.0, 10.0, 10.0, 0.0, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "drum", "y").motion("2*time"));
    for (k, (r, cardan)) in [
        ([-0.5, 0.0, 0.0], [0.0, FRAC_PI_2, 0.0]),
        ([0.5, 0.0, 0.0], [0.0, -FRAC_PI_2, 0.0]),
        ([0.0, -0.5, 0.0], [-FRAC_PI_2, 0.0, 0.0]),
        ([0.0, 0.5, 0.0], [FRAC_PI_2, 0.0, 0.0]),
        ([0.0, 0.0, -0.5], [0.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.5], [std::f64::consts::PI, 0.0, 0.0]),
    ]
    .into_iter()
    .enumerate()
    {
        model = model.object(object(format!("wall{k}")).on("drum").r(r).cardan(cardan).solid(wall()));
    }
    for (k, [x, y, z]) in [[-0.3, 0.3, -0.3], [0.3, 0.0, -0.3], [0.0, -0.3, 0.1]].into_iter().enumerate() {
        let ball = sphere(0.2).material("Rubber").collides();
        model = model.object(object(format!("ball{k}")).free_with([x, z, y], [0.0; 3]).r([x, y, z]).solid(ball));
    }
    let mut run = start(&model.build().unwrap(), 1e-5);
    run.to(0.5);
    for k in 0..3 {
        let r = run.vector(&format!("ball{k}.r_abs"));
        assert!(r.y.abs() < 0.4 && (r.x.powi(2) + r.z.powi(2)).sqrt() < 0.4 * 1.42, "ball {k} is at {r:?}");
    }
    let steps = run.simulation.statistics().integrator.steps;
    assert!(steps < 3000, "{steps} steps");
}
