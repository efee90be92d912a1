//! Contact hinges whose friction statics does not determine: it stays within Coulomb's bound.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, hard, start};
use mbs::declaration::builder::{
    Members, ModelBuilder, cuboid, half_space, object, planar, prismatic, revolute, sphere,
};
use mbs::material::{ContactLaw, ImpactOrder, MaterialPair, Resting};
use mbs::math::Vec3;
use mbs::solid::Axis;

/// Density \[kg/m³\] of everything, and gravity \[m/s²\].
const RHO: f64 = 1000.0;
const G: f64 = 9.81;

fn hinged(mu: f64) -> ModelBuilder {
    let ground = object("ground").fixed().solid(half_space(Axis::Z).material("Hard").collides());
    ModelBuilder::new("Shared")
        .contact_law(ContactLaw::Rigid, ImpactOrder::Simultaneous)
        .resting(Resting::Hinges)
        .gravity([0.0, 0.0, -G])
        .material(hard())
        .material_pair("Hard", "Hard", MaterialPair::new(0.0, mu, 0.0))
        .object(ground)
}

fn vector(run: &mut Run, name: &str) -> Vec3 {
    Vec3::from([1, 2, 3].map(|k| run.value(&format!("{name}[{k}]"))))
}

/// An arm on two hinges falls on the ground and jams: two equations for three components of the force.
#[test]
fn what_jams_needs_no_more_friction_than_there_is() {
    let (thick, thin) = ([0.15, 0.15, 1.344], [0.12, 0.12, 0.312]);
    for mu in [0.25, 0.45, 0.62, 0.9] {
        let upper = cuboid(thick).material("Hard").r([0.0, 0.0, -0.5 * thick[2]]);
        let lower = cuboid(thin).material("Hard").r([0.0, 0.0, -0.5 * thin[2]]).collides();
        let model = hinged(mu)
            .object(object("pivot").fixed().r([0.9, 0.0, 1.6]))
            .object(object("upper").solid(upper))
            .object(object("elbow").on("upper").r([0.0, 0.0, -thick[2]]))
            .object(object("lower").solid(lower))
            .joint(revolute("shoulder", "pivot", "upper", "y").position(-0.9).velocity(0.994))
            .joint(revolute("bend", "elbow", "lower", "x").position(0.3))
            .output("contact")
            .output("elbow.r_abs");
        let mut run = start(&model.build().unwrap(), 1e-7);
        run.to(1.5);
        let force = vector(&mut run, "contact.ground_lower.f");
        let (normal, friction) = (force.z, force.x.hypot(force.y));
        assert!(normal > 1.0, "it rests on the ground");
        assert!(friction <= mu * normal * (1.0 + 1e-9), "{friction} N of friction for {normal} N, mu = {mu}");
        // Torques of weights and force about the axes of both hinges.
        let (elbow, at) = (vector(&mut run, "elbow.r_abs"), vector(&mut run, "contact.ground_lower.r"));
        let angles = [run.value("shoulder.phi"), run.value("bend.phi")];
        let along = Vec3::new(angles[0].cos(), 0.0, -angles[0].sin());
        let down = -Vec3::new(angles[0].sin(), 0.0, angles[0].cos());
        let side = down * angles[1].cos() + Vec3::y() * angles[1].sin();
        let pivot = Vec3::new(0.9, 0.0, 1.6);
        let weights = [thick, thin].map(|[x, y, z]| Vec3::new(0.0, 0.0, -RHO * x * y * z * G));
        let lower_arm = 0.5 * thin[2] * side;
        let of_lower = lower_arm.cross(&weights[1]) + (at - elbow).cross(&force);
        let of_both = (0.5 * thick[2] * down).cross(&weights[0])
            + (elbow + lower_arm - pivot).cross(&weights[1])
            + (at - pivot).cross(&force);
        assert_near(of_lower.dot(&along), 0.0, 1e-6, "torque about the elbow");
        assert_near(of_both.y, 0.0, 1e-6, "torque about the shoulder");
    }
}

/// A body that rocks on two upright sprung legs. Where both feet stick, they are as far apart as the legs, so that the
/// body cannot turn: they would hold that with any force, though each has been caught with less than its friction.
#[test]
fn two_feet_of_a_body_that_rocks_never_hold_more_than_their_friction() {
    let mu = 0.5;
    let mut model = hinged(mu)
        .object(object("body").mass(100.0, [0.0; 3], [10.0, 40.0, 40.0, 0.0, 0.0, 0.0]))
        .joint(planar("plane", "world", "body", "y", "x").on("s[2]").position(-0.5).on("w").velocity(0.5))
        .output("contact");
    for (name, x) in [("front", 1.0), ("rear", -1.0)] {
        let [mount, leg] = ["mount", "leg"].map(|part| format!("{name}_{part}"));
        let foot = sphere(0.2).material("Hard").mass(5.0).collides();
        model = model
            .object(object(mount.as_str()).on("body").r([x, 0.0, -0.4]))
            .object(object(name).solid(foot))
            .joint(prismatic(&leg, &mount, name, "z").spring(2e4, -0.025).damping(400.0));
    }
    let mut run = start(&model.build().unwrap(), 1e-6);
    let mut has_stuck = false;
    for k in 1..=100 {
        run.to(0.02 * f64::from(k));
        for foot in ["front", "rear"] {
            let force = vector(&mut run, &format!("contact.ground_{foot}.f"));
            let (normal, friction) = (force.z.abs(), force.x.hypot(force.y));
            assert!(friction <= mu * normal * 1.011, "{foot}: {friction} N of friction for {normal} N");
        }
        has_stuck |= ["front", "rear"].iter().all(|foot| run.value(&format!("contact.ground_{foot}.sticking")) == 1.0);
    }
    assert!(has_stuck, "both feet have stuck at some time");
    assert!(run.value("plane.w").abs() < 1e-3, "it has come to rest");
}

/// A ball of three tons slides on a plate of one kilogram: what presses the plate to the floor is no sign of a jam, and
/// friction brakes the ball until it rolls.
#[test]
fn a_heavy_ball_on_a_light_plate_slides_until_it_rolls() {
    let (m, radius, v, w) = (3000.0, 0.1, 0.2, 1.7);
    let plate = cuboid([2.0, 2.0, 0.2]).material("Hard").mass(1.0).collides();
    let ball = sphere(2.0 * radius).material("Hard").mass(m).collides();
    let model = hinged(0.3)
        .object(object("plate").free().r([0.0, 0.0, 0.1]).solid(plate))
        .object(object("ball").free_with([0.0, v, 0.0], [w, 0.0, 0.0]).r([0.0, 0.0, 0.2 + radius]).solid(ball))
        .output("energy.total");
    let mut run = start(&model.build().unwrap(), 1e-8);
    let energy = run.value("energy.total");
    assert_near(run.value("ball.v_abs[3]"), 0.0, 1e-12, "nothing lifts it");
    run.to(1.0);
    // Two sevenths of the sliding velocity are lost.
    let sliding = v + w * radius;
    assert_near(run.value("ball.v_abs[2]"), v - 2.0 / 7.0 * sliding, 1e-8, "velocity of rolling");
    let lost = 0.5 * m * (2.0 / 7.0) * sliding * sliding;
    assert_near((energy - run.value("energy.total")) / lost, 1.0, 1e-6, "energy that friction takes");
}

/// A rod that slides on its end and jams (P. Painlevé) is stopped by an impulse, which is no business of a block that rests
/// elsewhere.
#[test]
fn what_jams_moves_nothing_else() {
    let (long, angle) = (1.0, 0.646_446_426_053_781_7_f64);
    let height = 0.5 * (long * angle.cos() + 0.02 * angle.sin());
    let rod = cuboid([0.02, 0.2, long]).material("Hard").collides();
    let block = cuboid([0.3, 0.3, 0.2]).material("Hard").collides();
    let model = hinged(2.5)
        .object(
            object("rod")
                .free_with([-3.0, 0.0, 0.0], [0.0; 3])
                .r([0.0, 0.0, height])
                .turned([0.0, 1.0, 0.0], angle)
                .solid(rod),
        )
        .object(object("block").free().r([5.0, 0.0, 0.1]).solid(block))
        .output("contact");
    let mut run = start(&model.build().unwrap(), 1e-7);
    assert!(run.value("rod.v_abs[1]") > -2.0, "the rod is stopped");
    assert_eq!(vector(&mut run, "block.v_abs"), Vec3::zeros());
    assert_near(run.value("contact.ground_block.f_n") / (RHO * 0.3 * 0.3 * 0.2 * G), 1.0, 1e-9, "weight");
}

/// Jaws press on a block with a force that pulsates: for a while in each period friction does not hold the block. Nothing
/// moves until then, so that the integrator's steps may be longer than that.
#[test]
fn a_pulsating_grip_slips_while_it_is_too_weak() {
    let (mu, frequency, mean) = (0.6, 7.0, 14.715);
    let squeeze = |sign: &str| format!("{sign}{mean}*(1 + 0.5*sin({frequency}*time))");
    let jaw = || cuboid([0.05, 0.15, 0.15]).material("Hard").mass(1.0).collides();
    let block = cuboid([0.2, 0.2, 0.2]).material("Hard").mass(1.0).collides();
    let model = hinged(mu)
        .object(object("left").solid(jaw()))
        .object(object("right").solid(jaw()))
        .object(object("above").fixed().r([0.0, 0.0, 0.4]))
        .joint(prismatic("press_left", "above", "left", "x").position(-0.125).force(squeeze("").as_str()))
        .joint(prismatic("press_right", "above", "right", "x").position(0.125).force(squeeze("-").as_str()))
        .object(object("block").free().r([0.0, 0.0, 0.4]).solid(block));
    // From the time at which 2 mu F falls below the weight until the block stands still again.
    let (mut t, mut z, mut v, h) = (0.0, 0.0, 0.0_f64, 1e-6);
    while t < 1.0 {
        let held = 2.0 * mu * mean * (1.0 + 0.5 * f64::sin(frequency * t));
        v = (v + h * (G - held)).max(0.0);
        (z, t) = (z + h * v, t + h);
    }
    assert!(z > 4e-3);
    for tolerance in [1e-5, 1e-6, 1e-7] {
        let mut run = start(&model.clone().build().unwrap(), tolerance);
        run.to(1.0);
        assert_near(0.4 - run.value("block.r_abs[3]"), z, 1e-2 * z, &format!("fall at {tolerance:e}"));
    }
}
