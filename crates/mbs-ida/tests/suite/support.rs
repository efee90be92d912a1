//! Runs of whole models with IDA, and the quantities that physics keeps.
#![allow(dead_code, unused_imports, clippy::unwrap_used, clippy::panic)]

#[path = "../../../mbs/tests/suite/support/mod.rs"]
mod models;

pub use models::*;

use mbs::declaration::builder::{JointBuilder, Members, ModelBuilder, object, revolute};
use mbs::declaration::{Declaration, ReferencePath};
use mbs::expr::Expr;
use mbs::material::Material;
use mbs::math::Vec3;
use mbs::simulation::{Options, StructureChange};
use mbs_ida::Ida;

/// A stiff material with the density of water.
pub fn hard() -> Material {
    Material {
        name: "Hard".to_owned(),
        density: 1000.0,
        youngs_modulus: 1e9,
        poissons_ratio: 0.3,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    }
}

/// Starts a model at t = 0.
pub fn start(declaration: &Declaration, tolerance: f64) -> Run {
    Run::new(declaration, Ida::new(), tolerance)
}

/// Starts with a limited number of internal steps per call.
pub fn start_with_budget(declaration: &Declaration, tolerance: f64, max_steps: u64) -> Run {
    Run::with(declaration, Ida::new(), Options { relative_tolerance: tolerance, max_steps, ..Options::default() })
}

/// Linear momentum and angular momentum about the world's origin.
pub fn momentum(run: &mut Run) -> (Vec3, Vec3) {
    let bodies: Vec<_> = run.simulation.scene().objects.iter().map(|(id, object)| (id, object.mass)).collect();
    let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
    for (id, mass) in bodies.into_iter().filter(|(_, mass)| mass.mass > 0.0) {
        run.simulation.object_pose(id).unwrap();
        let body = run.simulation.object_motion(id);
        let arm = body.rotation * mass.center_of_mass;
        let p = mass.mass * (body.v + body.w.cross(&arm));
        let spin = body.rotation * (mass.inertia * body.rotation.tr_mul(&body.w));
        linear += p;
        angular += (body.p + arm).cross(&p) + spin;
    }
    (linear, angular)
}

/// Largest difference of two lists of numbers.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

pub fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() < tolerance, "{what} is {found}, not {expected}: off by {:e}", found - expected);
}

pub fn assert_vector(found: Vec3, expected: [f64; 3], tolerance: f64, what: &str) {
    let error = (found - Vec3::from(expected)).norm();
    assert!(error < tolerance, "{what} is {found:?}, not {expected:?}: off by {error:e}");
}

/// Crank, coupler and rocker in a vertical plane, closed by the hinge `closing`; `crank` is the crank's inertia about
/// its centre of mass \[kg m²\], and `hinge` carries it.
pub fn four_bar(crank: [f64; 6], hinge: JointBuilder) -> ModelBuilder {
    let rod = [0.002, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0];
    ModelBuilder::new("FourBar")
        .gravity([0.0, -9.81, 0.0])
        .object(object("crank").mass(1.0, [0.25, 0.0, 0.0], crank))
        .object(object("crank_end").on("crank").r([0.5, 0.0, 0.0]))
        .object(object("coupler").mass(1.0, [0.6, 0.0, 0.0], rod))
        .object(object("coupler_end").on("coupler").r([1.2, 0.0, 0.0]))
        .object(object("foot").on("world").r([1.4, 0.0, 0.0]))
        .object(object("rocker").mass(1.0, [0.4, 0.0, 0.0], rod))
        .object(object("rocker_end").on("rocker").r([0.8, 0.0, 0.0]))
        .joint(hinge)
        .joint(revolute("pin", "crank_end", "coupler", "z"))
        .joint(revolute("swing", "foot", "rocker", "z"))
        .joint(revolute("closing", "coupler_end", "rocker_end", "z"))
}

/// An object of the scene by its path.
pub fn id(run: &Run, path: &str) -> mbs::scene::ObjectId {
    run.simulation.scene().object(path).unwrap()
}

/// Changes the structure; the energy that attaching takes \[J\].
pub fn change(run: &mut Run, changes: &[StructureChange]) -> f64 {
    run.simulation.change_structure(changes).unwrap_or_else(|error| panic!("{error}")).dissipated
}

/// Attaches two frames where they are.
pub fn attach(run: &Run, a: &str, b: &str) -> StructureChange {
    StructureChange::Attach { a: id(run, a), b: id(run, b), snap: false }
}

/// Releases a frame.
pub fn release(run: &Run, frame: &str) -> StructureChange {
    StructureChange::Release { frame: id(run, frame) }
}

/// The reference path `way` with one axis that starts at 0, with the limits 1 m/s and 2 m/s².
pub fn way() -> ReferencePath {
    ReferencePath {
        name: "way".to_owned(),
        start: vec![Expr::number(0.0)],
        v_max: vec![Expr::number(1.0)],
        a_max: vec![Expr::number(2.0)],
        ..ReferencePath::default()
    }
}
