//! Flat faces: on half-spaces cylinders and capsules lie with points of their rims and ends; straight sides without a
//! patch are beyond a law with one contact point, which is reported.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{assert_near, start};
use mbs::declaration::builder::{
    Members, ModelBuilder, ShapeBuilder, beam, capsule, cone, cuboid, cylinder, half_space, height_field, mesh, object,
    sphere,
};
use mbs::material::{Material, MaterialPair, MaterialTable};
use mbs::solid::{Axis, ConvexPart, HeightGrid, TriangleMesh};
use std::f64::consts::PI;
use std::sync::Arc;

/// A table, and something above it that is released.
fn dropped(tilt: f64, shape: ShapeBuilder) -> ModelBuilder {
    dropped_on(cuboid([2.0, 2.0, 0.1]), tilt, shape)
}

fn dropped_on(table: ShapeBuilder, tilt: f64, shape: ShapeBuilder) -> ModelBuilder {
    let table = table.material("DryWood").massless().collides();
    ModelBuilder::new("Faces")
        .gravity([0.0, 0.0, -9.81])
        .k_red(1e-3)
        .object(object("table").fixed().r([0.0, 0.0, -0.05]).solid(table))
        .object(object("thing").free().r([0.0, 0.0, 0.06]).cardan([tilt, 0.5 * tilt, 0.0]).solid(shape))
}

/// A disc of radius and height 0.1 m over a regular polygon.
fn wheel_mesh(sides: u32) -> TriangleMesh {
    let turn = |k: u32| 2.0 * PI * f64::from(k) / f64::from(sides);
    let corner = |k: u32, z: f64| [0.1 * turn(k).cos(), 0.1 * turn(k).sin(), z];
    let corners: Vec<[f64; 3]> = [-0.05, 0.05].iter().flat_map(|&z| (0..sides).map(move |k| corner(k, z))).collect();
    let n = sides;
    let side = |k: u32| [[k, (k + 1) % n, (k + 1) % n + n], [k, (k + 1) % n + n, k + n]];
    let mut triangles: Vec<[u32; 3]> = (0..n).flat_map(side).collect();
    triangles.extend((1..n - 1).flat_map(|k| [[0, k + 1, k], [n, n + k, n + k + 1]]));
    TriangleMesh::new(corners, triangles).unwrap()
}

#[test]
fn a_straight_side_without_a_patch_is_refused_soon_and_with_both_names() {
    let wheel = Arc::new(wheel_mesh(1001));
    let pill = || capsule(Axis::X, 0.1, 0.1).material("DryWood").collides();
    for (what, tilt) in [("flat", 0.0), ("tilted", 0.1)] {
        let model = dropped_on(mesh(wheel.clone(), [1.0; 3]), tilt, pill());
        let mut run = start(&model.build().unwrap(), 1e-5);
        let error = run.simulation.do_step(3.0).unwrap_err().to_string();
        for part in ["`table`", "`thing`", "jumped 1000 times", "more than 1000 faces"] {
            assert!(error.contains(part), "{what}: {part} is missing in: {error}");
        }
        let steps = run.simulation.statistics().integrator.steps;
        assert!(steps < 50_000, "{what}: {steps} steps before the message");
    }
}

#[test]
fn boxes_and_cans_come_to_rest_on_a_box() {
    let block = || cuboid([0.2, 0.1, 0.1]).material("DryWood").collides();
    let can = || cylinder(Axis::Z, 0.1, 0.1).material("DryWood").collides();
    for (what, model) in
        [("block", dropped(0.0, block())), ("tilted block", dropped(0.1, block())), ("can", dropped(0.0, can()))]
    {
        let mut run = start(&model.build().unwrap(), 1e-5);
        run.to(2.0);
        assert_near(run.value("thing.r_abs[3]"), 0.05, 1e-3, what);
        assert_near(run.vector("thing.w_abs").norm(), 0.0, 1e-4, &format!("angular velocity of the {what}"));
        let steps = run.simulation.statistics().integrator.steps;
        assert!(steps < 5000, "{what}: {steps} steps");
    }
}

/// Shapes of about 0.1 m with straight or flat sides.
fn sided() -> Vec<(&'static str, ShapeBuilder)> {
    vec![
        ("box", cuboid([0.1, 0.08, 0.06])),
        ("capsule", capsule(Axis::X, 0.06, 0.1)),
        ("upright capsule", capsule(Axis::Z, 0.06, 0.05)),
        ("cylinder", cylinder(Axis::X, 0.06, 0.1)),
        ("can", cylinder(Axis::Z, 0.06, 0.1)),
        ("cone", cone(Axis::Z, 0.06, 0.0, 0.1)),
        ("beam", beam(Axis::X, 0.1, 0.06, 0.06)),
        ("tube", cylinder(Axis::X, 0.06, 0.1).inner_diameter(0.03)),
        ("bush", cylinder(Axis::Z, 0.06, 0.1).inner_diameter(0.03)),
    ]
}

#[test]
fn everything_falls_and_lies_on_everything() {
    let flat = HeightGrid::new(5, vec![0.0; 25]).unwrap();
    let hills = HeightGrid::new(5, (0..25).map(|k| 0.03 * f64::from(k % 2 + k % 3)).collect()).unwrap();
    let tables = [
        ("box", cuboid([1.0, 1.0, 0.1]), 0.05),
        ("narrow box", cuboid([0.04, 1.0, 0.1]), 0.05),
        ("capsule", capsule(Axis::X, 0.1, 1.0), 0.05),
        ("beam", beam(Axis::X, 1.0, 0.1, 0.1), 0.05),
        ("cylinder", cylinder(Axis::X, 0.1, 1.0), 0.05),
        ("tube", cylinder(Axis::X, 0.1, 1.0).inner_diameter(0.05), 0.05),
        ("plain", height_field(Arc::new(flat), [1.0; 2], 1.0, 1.0), 0.0),
        ("hills", height_field(Arc::new(hills), [1.0; 2], 1.0, 1.0), 0.06),
    ];
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let rubber = Material { name: "Rubber".to_owned(), density: 1000.0, youngs_modulus: 1e7, ..steel };
    for (table, on, depth) in tables {
        for ((thing, shape), tilt) in sided().into_iter().flat_map(|thing| [(thing.clone(), 0.0), (thing, 0.3)]) {
            let what = format!("{thing} on {table}, tilt {tilt}");
            let below = on.clone().material("Rubber").massless().collides();
            let above = object("thing").free().r([0.005, 0.01, 0.09]).cardan([tilt, tilt, 0.0]);
            let model = ModelBuilder::new("Rest")
                .gravity([0.0, 0.0, -9.81])
                .material(rubber.clone())
                .material_pair("Rubber", "Rubber", MaterialPair::new(0.5, 0.4, 0.0))
                .object(object("table").fixed().r([0.0, 0.0, -depth]).solid(below))
                .object(above.solid(shape.material("Rubber").collides()));
            let mut run = start(&model.build().unwrap(), 1e-5);
            let begin = run.value("energy.total");
            let mut before = begin;
            for k in 1..=10 {
                run.to(0.1 * f64::from(k));
                let energy = run.value("energy.total");
                // The flat sides of a round body that rolls over an edge turn with the contact, which is not quite free
                // of work.
                assert!(energy < before + 1e-3 * begin, "{what}: energy {before} -> {energy}");
                before = energy;
            }
            let counters = run.simulation.statistics().integrator;
            assert!(counters.steps < 5000, "{what}: {} steps", counters.steps);
            assert!(counters.convergence_failures < 50, "{what}: {} failures", counters.convergence_failures);
        }
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

/// Flat ground, and a shape at a height above it.
fn on_ground(shape: ShapeBuilder, height: f64, rotation: [f64; 3], v: [f64; 3]) -> ModelBuilder {
    on_rough_ground(0.0, shape, height, rotation, v)
}

/// The same with a coefficient of rolling resistance.
fn on_rough_ground(mu_r: f64, shape: ShapeBuilder, height: f64, rotation: [f64; 3], v: [f64; 3]) -> ModelBuilder {
    let ground = half_space(Axis::Z).material("DryWood").collides();
    let thing = object("thing").free_with(v, [0.0; 3]).r([0.0, 0.0, height]).cardan(rotation);
    ModelBuilder::new("Ground")
        .gravity([0.0, 0.0, -9.81])
        .k_red(1e-3)
        .material_pair("DryWood", "DryWood", MaterialPair::new(0.6, 0.3, mu_r))
        .object(object("ground").fixed().solid(ground))
        .object(thing.solid(shape.material("DryWood").collides()))
}

#[test]
fn boxes_that_fall_on_the_ground_in_any_way_come_to_lie_on_a_face() {
    let lengths = [0.2, 0.1, 0.15];
    let (mass, modulus) = (700.0 * 0.2 * 0.1 * 0.15, 1e-3 * 1.1e10 / (1.0 - 0.4 * 0.4));
    // The ground gives way as behind the nearest face of the box.
    let depth = |up: usize| {
        let area: f64 = (0..3).filter(|&k| k != up).map(|k| lengths[k]).product();
        mass * 9.81 * (0.05 + 0.5 * lengths[up]) / (modulus * area)
    };
    for rotation in [[0.0; 3], [1e-3, 0.0, 0.0], [0.7, 0.5, 0.0], [0.1, 1.2, 2.0]] {
        let model = on_ground(cuboid(lengths), 0.3, rotation, [0.3, -0.2, 0.0]).build().unwrap();
        let mut run = start(&model, 1e-6);
        run.to(4.0);
        let height = run.value("thing.r_abs[3]");
        let off = |up: usize| (height - 0.5 * lengths[up] + depth(up)).abs();
        let off = (0..3).map(off).fold(f64::INFINITY, f64::min);
        assert!(off < 2e-7, "{rotation:?}: the middle rests {height} m high, off by {off:e}");
        assert_near(run.vector("thing.w_abs").norm(), 0.0, 1e-5, "angular velocity");
        assert_near(run.value("number_of_contacts"), 1.0, 0.1, "contacts");
        let steps = run.simulation.statistics().integrator.steps;
        assert!(steps < 20_000, "{rotation:?}: {steps} steps");
    }
}

#[test]
fn cylinders_and_capsules_on_their_sides_slide_and_then_roll() {
    let length = 0.3;
    let barrel = cylinder(Axis::X, 0.1, length);
    let pill = capsule(Axis::X, 0.1, length);
    // A cylinder keeps 2/3 of its speed, after v / (3 mu g); of a capsule the moment of inertia is less.
    for (shape, is_cylinder) in [(barrel, true), (pill, false)] {
        let model = on_ground(shape, 0.05, [0.0, 0.0, 1e-3], [0.0, 1.5, 0.0]).build().unwrap();
        let mut run = start(&model, 1e-7);
        run.to(1.0);
        let (v, w) = (run.vector("thing.v_abs"), run.vector("thing.w_abs"));
        // The contact point is in the middle of the penetration.
        let lever = 0.5 * (0.05 + run.value("thing.r_abs[3]"));
        assert_near(v.norm(), lever * w.norm(), 1e-6, "rolling");
        if is_cylinder {
            assert_near(v.norm(), 1.0, 3e-3, "speed of a cylinder that rolls");
        } else {
            assert!(v.norm() > 1.0 && v.norm() < 1.5 * 5.0 / 7.0, "speed of a capsule that rolls: {v:?}");
        }
        assert_near(w.x * lever, -v.y, 1e-4, "axis of rolling");
        assert_near(lever, 0.05, 2e-4, "lever");
    }
}

/// Depth \[m\] to which a body of the given mass \[kg\] sinks in at each of so many points, for an equivalent radius
/// \[m\].
fn depth_at_rest(mass: f64, points: f64, radius: f64) -> f64 {
    let modulus = 1.1e10 / (1.0 - 0.4 * 0.4) / 2.0;
    (mass * 9.81 / points / (1e-3 * 4.0 / 3.0 * modulus * radius.sqrt())).powf(2.0 / 3.0)
}

#[test]
fn cylinders_cones_and_bars_stand_on_their_flat_ends_for_an_hour() {
    let (d, length) = (0.1, 0.12);
    // What it is, where its frame is above the ground, its equivalent radius, and at how many points it touches.
    let cases = [
        ("cylinder", cylinder(Axis::Z, d, length), 0.06, 0.05, 3.0),
        ("tube", cylinder(Axis::Z, d, length).inner_diameter(0.08), 0.06, 0.05, 3.0),
        ("cone", cone(Axis::Z, d, 0.0, length), 0.0, 0.025, 3.0),
        ("frustum", cone(Axis::Z, d, 0.06, length), 0.0, 0.04, 3.0),
        ("bar", beam(Axis::X, 0.2, d, 0.06), 0.03, 0.03, 6.0),
    ];
    for (what, shape, height, radius, points) in cases {
        for tilt in [0.0, 2e-3, 0.02, 0.1] {
            // Without rolling resistance discs roll on their rims for long.
            let (rotation, v) = ([tilt, 0.3 * tilt, 0.0], [0.2, 0.1, 0.0]);
            let model = on_rough_ground(0.01, shape.clone().mass(0.6), height + 0.02, rotation, v);
            let mut run = start(&model.build().unwrap(), 1e-6);
            run.to(10.0);
            let before = run.simulation.statistics().integrator.steps;
            assert!(before < 40_000, "{what} tilted by {tilt}: {before} steps until it stands");
            run.to(3610.0);
            let steps = run.simulation.statistics().integrator.steps - before;
            assert!(steps < 1000, "{what} tilted by {tilt}: {steps} steps in an hour");
            let z = height - depth_at_rest(0.6, points, radius);
            assert_near(run.value("thing.r_abs[3]"), z, 1e-7, &format!("height of the {what} tilted by {tilt}"));
            assert_near(run.value("number_of_contacts"), points, 0.1, &format!("points at which the {what} touches"));
            assert_near(run.vector("thing.v_abs").norm(), 0.0, 1e-9, "speed");
        }
    }
}

#[test]
fn discs_that_bounce_on_the_ground_keep_their_energy() {
    for tilt in [0.0, 1e-3, 0.05, 0.4] {
        let ground = half_space(Axis::Z).material("DryWood").collides();
        let can = cylinder(Axis::Z, 0.1, 0.04).material("DryWood").collides();
        let model = ModelBuilder::new("Bouncing")
            .gravity([0.0, 0.0, -9.81])
            .k_red(1e-3)
            .material_pair("DryWood", "DryWood", MaterialPair::new(1.0, 0.0, 0.0))
            .object(object("ground").fixed().solid(ground))
            .object(object("thing").free().r([0.0, 0.0, 0.1]).cardan([tilt, 0.0, 0.0]).solid(can));
        let mut run = start(&model.build().unwrap(), 1e-8);
        let before = run.value("energy.total");
        run.to(3.0);
        assert_near(run.value("energy.total") / before, 1.0, 2e-4, &format!("energy after bouncing, tilt {tilt}"));
        if tilt == 0.0 {
            assert_near(run.vector("thing.w_abs").norm(), 0.0, 1e-9, "angular velocity of a flat bounce");
        }
    }
}

#[test]
fn a_tube_on_its_side_rolls_like_a_cylinder_of_its_inertia() {
    let (outer, inner) = (0.05_f64, 0.04_f64);
    let tube = cylinder(Axis::X, 2.0 * outer, 0.3).inner_diameter(2.0 * inner);
    let model = on_ground(tube, outer, [0.0; 3], [0.0, 1.5, 0.0]).build().unwrap();
    let mut run = start(&model, 1e-7);
    run.to(1.0);
    // Sliding keeps the angular momentum about the ground: v (1 + i^2/r^2) = v0.
    let share = 0.5 * (outer * outer + inner * inner) / (outer * outer);
    assert_near(run.value("thing.v_abs[2]"), 1.5 / (1.0 + share), 5e-3, "speed of a tube that rolls");
    assert_near(run.value("thing.w_abs[1]") * outer, -run.value("thing.v_abs[2]"), 5e-3, "its rolling");
}

/// Rolling without sliding does no work against friction, and a circle has no corners: a tube keeps its energy as a full
/// cylinder does.
#[test]
fn tubes_that_roll_on_a_box_keep_their_energy() {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let rubber = Material { name: "Rubber".to_owned(), density: 1000.0, youngs_modulus: 1e7, ..steel };
    for (stuff, bore, lost) in [
        ("Steel", 0.0, 1e-8),
        ("Steel", 0.04, 1e-7),
        ("Steel", 0.08, 1e-7),
        ("Rubber", 0.0, 1e-3),
        ("Rubber", 0.04, 3e-3),
    ] {
        let table = cuboid([1.0, 4.0, 0.2]).material(stuff).massless().collides();
        let tube = cylinder(Axis::X, 0.1, 0.3).inner_diameter(bore).material(stuff).collides();
        let model = ModelBuilder::new("Rolling")
            .gravity([0.0, 0.0, -9.81])
            .material(rubber.clone())
            .material_pair(stuff, stuff, MaterialPair::new(0.5, 0.3, 0.0))
            .object(object("table").fixed().r([0.0, 0.0, -0.1]).solid(table))
            .object(object("tube").free_with([0.0, 1.0, 0.0], [-20.0, 0.0, 0.0]).r([0.0, -0.5, 0.05]).solid(tube));
        let mut run = start(&model.build().unwrap(), 1e-6);
        let before = run.value("energy.kinetic");
        run.to(1.0);
        let loss = 1.0 - run.value("energy.kinetic") / before;
        assert!(loss.abs() < lost, "{stuff} with a bore of {bore} m loses {loss:e}");
        let steps = run.simulation.statistics().integrator.steps;
        assert!(steps < 1000, "{stuff} with a bore of {bore} m: {steps} steps");
    }
}

/// An L of two bars, 40 mm high.
fn corner_piece() -> ShapeBuilder {
    let bar = |to: [f64; 3]| {
        let corner = |k: usize| [0, 1, 2].map(|i| if k >> i & 1 == 0 { 0.0 } else { to[i] });
        (0..8).map(corner).collect::<Vec<[f64; 3]>>()
    };
    let parts = vec![bar([0.3, 0.05, 0.04]), bar([0.05, 0.2, 0.04])];
    let outline = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.05], [0.05, 0.05], [0.05, 0.2], [0.0, 0.2]];
    let vertices = [0.0, 0.04].iter().flat_map(|z| outline.map(|[x, y]| [x, y, *z])).collect();
    let top = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let caps = top.iter().flat_map(|[a, b, c]| [[*a, *c, *b], [a + 6, b + 6, c + 6]]);
    let sides = (0..6).flat_map(|k: u32| [[k, (k + 1) % 6, (k + 1) % 6 + 6], [k, (k + 1) % 6 + 6, k + 6]]);
    let surface = TriangleMesh::new(vertices, caps.chain(sides).collect()).unwrap();
    mesh(Arc::new(surface.with_convex_parts(parts.into_iter().map(ConvexPart::hull).collect()).unwrap()), [1.0; 3])
}

#[test]
fn a_mesh_of_convex_parts_lies_on_its_faces() {
    for rotation in [[0.0; 3], [0.05, 0.02, 0.0]] {
        let model = on_ground(corner_piece(), 0.05, rotation, [0.0; 3]).build().unwrap();
        let mut run = start(&model, 1e-6);
        run.to(5.0);
        assert_near(run.vector("thing.w_abs").norm(), 0.0, 1e-6, "angular velocity");
        assert_near(run.value("thing.r_abs[3]"), 0.0, 5e-4, "height of the mesh");
        assert_near(run.value("number_of_contacts"), 2.0, 0.1, "parts that touch");
        let steps = run.simulation.statistics().integrator.steps;
        assert!(steps < 20_000, "{rotation:?}: {steps} steps");
    }
}
