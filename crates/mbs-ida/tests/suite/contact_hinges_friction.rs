//! Contact hinges whose friction statics does not determine: it stays within Coulomb's bound.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, hard, start};
use mbs::declaration::builder::{Members, ModelBuilder, cuboid, half_space, object, revolute};
use mbs::material::{ContactLaw, ImpactOrder, MaterialPair, Resting};
use mbs::math::Vec3;
use mbs::solid::Axis;
use mbs_ida::Ida;

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

fn vector(run: &mut Run<Ida>, name: &str) -> Vec3 {
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
