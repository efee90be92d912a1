//! Ground of many pieces carries a ball as ground of one piece does.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{
    Members, ModelBuilder, ShapeBuilder, cone, cuboid, cylinder, half_space, height_field, object, sphere,
};
use mbs::material::{Material, MaterialPair, MaterialTable};
use mbs::solid::{Axis, HeightGrid};
use std::sync::Arc;

const RADIUS: f64 = 0.1;

/// A soft ball that rolls on the given ground.
fn rolling(ground: ShapeBuilder, pair: MaterialPair, at: [f64; 3], v: [f64; 2]) -> Run {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let soft = Material { name: "Soft".to_owned(), density: 1000.0, youngs_modulus: 2e6, poissons_ratio: 0.3, ..steel };
    let w = [-v[1] / RADIUS, v[0] / RADIUS, 0.0];
    let ball = sphere(2.0 * RADIUS).material("Soft").collides();
    let model = ModelBuilder::new("Seams")
        .gravity([0.0, 0.0, -9.81])
        .material(soft)
        .material_pair("Soft", "Steel", pair)
        .object(object("ground").fixed().solid(ground.material("Steel").collides()))
        .object(object("ball").free_with([v[0], v[1], 0.0], w).r(at).solid(ball));
    start(&model.build().unwrap(), 1e-7)
}

/// A square of 4 m in 8 x 8 cells.
fn field(height: impl Fn(f64) -> f64) -> ShapeBuilder {
    let heights = (0..81).map(|k| height(0.5 * f64::from(k % 9) - 2.0)).collect();
    height_field(Arc::new(HeightGrid::new(9, heights).unwrap()), [4.0, 4.0], 1.0, 1.0)
}

#[test]
fn a_ball_rolls_over_flat_cells_as_on_a_plane() {
    let pair = MaterialPair { v_min: 0.01, ..MaterialPair::new(0.5, 0.5, 0.0) };
    // Across edges, along edges, over nodes.
    for (at, v) in [([-1.7, 0.1], [1.0, 0.3]), ([-1.7, 0.0], [1.0, 0.0]), ([-1.7, -1.7], [1.0, 1.0])] {
        let at = [at[0], at[1], RADIUS];
        let mut on_plane = rolling(half_space(Axis::Z), pair, at, v);
        let mut on_cells = rolling(field(|_| 0.0), pair, at, v);
        for k in 1..=20 {
            on_plane.to(0.1 * f64::from(k));
            on_cells.to(0.1 * f64::from(k));
            for (name, tolerance) in [("ball.r_abs", 2e-5), ("ball.v_abs", 1e-5)] {
                for axis in 1..=3 {
                    let name = format!("{name}[{axis}]");
                    assert_near(on_cells.value(&name), on_plane.value(&name), tolerance, &name);
                }
            }
        }
    }
}

#[test]
fn a_ball_at_rest_on_an_edge_or_a_node_sinks_in_as_far_as_anywhere() {
    let pair = MaterialPair::new(0.5, 0.5, 0.0);
    let depth = |x: f64, y: f64| {
        let mut run = rolling(field(|_| 0.0), pair, [x, y, RADIUS], [0.0, 0.0]);
        run.to(3.0);
        RADIUS - run.value("ball.r_abs[3]")
    };
    let anywhere = depth(0.3, 0.1);
    for (x, y) in [(0.0, 0.1), (0.3, 0.3), (0.5, 0.5), (0.003, 0.1)] {
        assert_near(depth(x, y) / anywhere, 1.0, 1e-6, &format!("at {x}, {y}"));
    }
}

/// Without friction and damping nothing takes energy from a ball that slides over ridges and grooves.
#[test]
fn hills_of_many_cells_keep_the_energy_of_a_ball() {
    let pair = MaterialPair::new(1.0, 0.0, 0.0);
    let waves = field(|x| 0.03 * f64::sin(2.0 * std::f64::consts::PI * x / 2.0));
    let mut run = rolling(waves, pair, [-1.4, 0.1, RADIUS + 0.03], [1.0, 0.1]);
    let begin = run.value("energy.total");
    for k in 1..=20 {
        run.to(0.1 * f64::from(k));
        // Of the kinetic energy of 2.1 J.
        assert_near(run.value("energy.total"), begin, 2e-3, &format!("after {k} tenths"));
    }
}

/// A soft thing on the given ground; it begins with 2 m/s along x and 0.3 m/s along y, and turns.
fn thing(ground: ShapeBuilder, middle: [f64; 3], shape: ShapeBuilder, mu: f64, height: f64, w: [f64; 3]) -> Run {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let soft = Material { name: "Soft".to_owned(), density: 1000.0, youngs_modulus: 1e7, poissons_ratio: 0.3, ..steel };
    let model = ModelBuilder::new("Seams")
        .gravity([0.0, 0.0, -9.81])
        .material(soft)
        .material_pair("Soft", "Soft", MaterialPair::new(0.5, mu, 0.0))
        .object(object("ground").fixed().r(middle).solid(ground.material("Soft").collides()))
        .object(
            object("thing")
                .free_with([2.0, 0.3, 0.0], w)
                .r([-1.43, 0.07, height])
                .cardan([0.0, 0.0, 0.3])
                .solid(shape.material("Soft").collides()),
        );
    start(&model.build().unwrap(), 1e-7)
}

/// Cells of 0.25 m, and one of 80 m in whose middle the other ends.
fn fine_and_coarse() -> [(ShapeBuilder, [f64; 3]); 2] {
    let field = |nodes: usize, length: f64| {
        let grid = HeightGrid::new(nodes, vec![0.0; nodes * nodes]).unwrap();
        height_field(Arc::new(grid), [length; 2], 1.0, 1.0)
    };
    [(field(33, 8.0), [0.0; 3]), (field(2, 80.0), [20.0, -20.0, 0.0])]
}

#[test]
fn boxes_slide_and_wheels_and_cones_roll_over_flat_cells_as_over_one() {
    let brick = cuboid([0.3, 0.2, 0.1]);
    let wheel = cylinder(Axis::Y, 0.2, 0.3);
    let top = cone(Axis::Z, 0.2, 0.1, 0.15);
    for (what, shape, mu, height, w) in [
        ("a box", brick, 0.1, 0.05, [0.0, 0.0, 1.0]),
        ("a wheel", wheel, 0.4, 0.1, [-3.0, 20.0, 0.0]),
        ("a cone", top, 0.1, 0.0, [0.0, 0.0, 3.0]),
    ] {
        let grounds = fine_and_coarse();
        let [mut on_cells, mut on_one] =
            grounds.map(|(ground, middle)| thing(ground, middle, shape.clone(), mu, height, w));
        for k in 1..=15 {
            on_cells.to(0.1 * f64::from(k));
            on_one.to(0.1 * f64::from(k));
            let [kinetic, expected] = [&mut on_cells, &mut on_one].map(|run| run.value("energy.kinetic"));
            // Friction and damping of moments are integrated with a few points on each polygon, and the cells cut these.
            assert_near(kinetic / expected, 1.0, 2e-5, &format!("energy of {what} after {k} tenths of a second"));
            for axis in 1..=2 {
                let name = format!("thing.r_abs[{axis}]");
                assert_near(on_cells.value(&name), on_one.value(&name), 2e-5, &format!("{what}: {name}"));
            }
        }
        let [steps, expected] = [&on_cells, &on_one].map(|run| run.simulation.statistics().integrator.steps);
        assert!(steps < 2 * expected, "{what}: {steps} steps, {expected} on one cell");
    }
}

#[test]
fn a_box_slides_over_cells_as_over_a_plane() {
    let brick = || cuboid([0.3, 0.2, 0.1]);
    let [(cells, middle), _] = fine_and_coarse();
    let mut on_cells = thing(cells, middle, brick(), 0.1, 0.05, [0.0, 0.0, 1.0]);
    let mut on_plane = thing(half_space(Axis::Z), [0.0; 3], brick(), 0.1, 0.05, [0.0, 0.0, 1.0]);
    for k in 1..=15 {
        on_cells.to(0.1 * f64::from(k));
        on_plane.to(0.1 * f64::from(k));
        let [kinetic, expected] = [&mut on_cells, &mut on_plane].map(|run| run.value("energy.kinetic"));
        assert_near(kinetic / expected, 1.0, 2e-5, &format!("energy after {k} tenths of a second"));
    }
}

/// A pipe that rolls steadily passes its load from piece to piece within long steps. The forces between their ends are
/// those with which it moves.
#[test]
fn a_pipe_that_rolls_weighs_the_same_at_all_times() {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let wood =
        Material { name: "Wood".to_owned(), density: 700.0, youngs_modulus: 1.1e10, poissons_ratio: 0.4, ..steel };
    let pipe = cylinder(Axis::Y, 2.0 * RADIUS, 0.24).inner_diameter(0.16).material("Wood").collides();
    let weight = 700.0 * std::f64::consts::PI * (0.01 - 0.0064) * 0.24 * 9.81;
    let ground = cuboid([8.0, 8.0, 0.4]).material("Steel").massless().collides();
    let model = ModelBuilder::new("Pipe")
        .gravity([0.0, 0.0, -9.81])
        .material(wood)
        .material_pair("Steel", "Wood", MaterialPair::new(0.4, 0.3, 0.0))
        .object(object("ground").fixed().r([0.0, 0.0, -0.2]).solid(ground))
        .object(object("pipe").free_with([0.6, 0.0, 0.0], [0.0, 6.0, 0.0]).r([0.0, 0.0, RADIUS]).solid(pipe));
    let mut run = start(&model.build().unwrap(), 1e-6);
    run.to(0.3);
    for k in 1..=300 {
        run.to(0.3 + 0.005 * f64::from(k));
        let force = run.value("contact.ground_pipe.f_n");
        assert_near(force / weight, 1.0, 1e-3, &format!("relative force at {} s", 0.3 + 0.005 * f64::from(k)));
    }
}
