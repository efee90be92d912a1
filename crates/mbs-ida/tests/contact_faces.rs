//! Flat faces on flat faces: out of reach of a law with one contact point, and said so.
#![allow(clippy::unwrap_used, clippy::panic)]

mod laws_support;

use laws_support::{assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, ShapeBuilder, cuboid, cylinder, object, sphere};
use mbs::solid::Axis;

/// A table, and something above it that is let go.
fn dropped(tilt: f64, shape: ShapeBuilder) -> ModelBuilder {
    let table = cuboid([2.0, 2.0, 0.1]).material("DryWood").massless().collides();
    ModelBuilder::new("Faces")
        .gravity([0.0, 0.0, -9.81])
        .k_red(1e-3)
        .object(object("table").fixed().r([0.0, 0.0, -0.05]).solid(table))
        .object(object("thing").free().r([0.0, 0.0, 0.06]).cardan([tilt, 0.5 * tilt, 0.0]).solid(shape))
}

#[test]
fn a_face_on_a_face_is_refused_soon_and_with_both_names() {
    let block = || cuboid([0.2, 0.1, 0.1]).material("DryWood").collides();
    let can = || cylinder(Axis::Z, 0.1, 0.1).material("DryWood").collides();
    for (what, model) in
        [("flat", dropped(0.0, block())), ("tilted", dropped(0.1, block())), ("can", dropped(0.0, can()))]
    {
        let mut run = start(&model.build().unwrap(), 1e-5);
        let error = run.simulation.do_step(1.0).unwrap_err().to_string();
        for part in ["`table`", "`thing`", "jumped 1000 times", "corners"] {
            assert!(error.contains(part), "{what}: {part} is missing in: {error}");
        }
        let steps = run.simulation.statistics().integrator.steps;
        assert!(steps < 50_000, "{what}: {steps} steps before the message");
    }
}

#[test]
fn spheres_at_the_corners_carry_a_box() {
    let (r, half) = (0.01_f64, [0.09, 0.04, 0.04]);
    let mut model = dropped(0.1, cuboid([0.2, 0.1, 0.1]).material("DryWood"));
    for k in 0..8 {
        let side = |axis: usize| if k >> axis & 1 == 0 { -half[axis] } else { half[axis] };
        let corner = sphere(2.0 * r).material("DryWood").massless().collides();
        model = model.object(object(format!("corner{k}")).on("thing").r([side(0), side(1), side(2)]).solid(corner));
    }
    let mut run = start(&model.build().unwrap(), 1e-5);
    run.to(3.0);
    // A quarter of the weight on each of four spheres, as deep as the law of DryWood on DryWood says.
    let (weight, modulus) = (700.0 * 0.2 * 0.1 * 0.1 * 9.81, 1.1e10 / (1.0 - 0.4 * 0.4) / 2.0);
    let depth = (weight / 4.0 / (1e-3 * 4.0 / 3.0 * modulus * r.sqrt())).powf(2.0 / 3.0);
    assert_near(run.value("thing.r_abs[3]"), 0.05 - depth, 1e-7, "height of the box at rest");
    assert_near(run.vector("thing.w_abs").norm(), 0.0, 1e-4, "its angular velocity");
}
