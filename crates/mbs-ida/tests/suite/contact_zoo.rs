//! Every shape against every other one through the whole engine.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use crate::support::{Run, momentum, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    Members, ModelBuilder, ObjectBuilder, ShapeBuilder, beam, capsule, cone, cuboid, cylinder, ellipsoid, half_space,
    height_field, mesh, object, sphere,
};
use mbs::math::Vec3;
use mbs::solid::{Axis, ConvexPart, HeightGrid, TriangleMesh};

/// All shapes that can move, of about 0.2 m.
const MOVING: [&str; 11] = [
    "sphere",
    "ellipsoid",
    "box",
    "cylinder",
    "hollow cylinder",
    "cone",
    "frustum",
    "capsule",
    "beam",
    "convex mesh",
    "concave mesh",
];

fn shape(kind: &str) -> ShapeBuilder {
    match kind {
        "sphere" => sphere(0.2),
        "ellipsoid" => ellipsoid([0.2, 0.24, 0.16]),
        "box" => cuboid([0.2, 0.16, 0.18]),
        "cylinder" => cylinder(Axis::Z, 0.18, 0.2),
        "hollow cylinder" => cylinder(Axis::Z, 0.2, 0.16).inner_diameter(0.1),
        "cone" => cone(Axis::Z, 0.2, 0.0, 0.2),
        "frustum" => cone(Axis::Z, 0.2, 0.1, 0.16),
        "capsule" => capsule(Axis::X, 0.14, 0.1),
        "beam" => beam(Axis::X, 0.1, 0.12, 0.14),
        "convex mesh" => mesh(Arc::new(block([0.2, 0.18, 0.2])), [1.0; 3]),
        "concave mesh" => mesh(Arc::new(angle()), [1.0; 3]),
        "half-space" => half_space(Axis::Z),
        _ => height_field(Arc::new(hills()), [4.0, 4.0], 0.05, 1.0),
    }
    .material("Steel")
    .collides()
}

/// A box as a mesh.
fn block([x, y, z]: [f64; 3]) -> TriangleMesh {
    prism(&[[-x, -y], [x, -y], [x, y], [-x, y]].map(|p| p.map(|c| c / 2.0)), z)
}

/// An L of two bars.
fn angle() -> TriangleMesh {
    let outline = [[0.0, 0.0], [0.2, 0.0], [0.2, 0.08], [0.08, 0.08], [0.08, 0.2], [0.0, 0.2]];
    let bar = |x: f64, y: f64| -> Vec<[f64; 3]> {
        (0..8).map(|k| [x * f64::from(k & 1), y * f64::from(k >> 1 & 1), 0.1 * f64::from(k >> 2)]).collect()
    };
    prism(&outline, 0.1).with_convex_parts([bar(0.2, 0.08), bar(0.08, 0.2)].map(ConvexPart::hull).into()).unwrap()
}

/// A prism between z = 0 and `height` above a polygon that its first corner sees whole.
fn prism(outline: &[[f64; 2]], height: f64) -> TriangleMesh {
    let n = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |&[x, y]| [x, y, z]);
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for k in 1..n - 1 {
        triangles.extend([[0, k + 1, k], [n, n + k, n + k + 1]]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
    }
    TriangleMesh::new(at(0.0).chain(at(height)).collect(), triangles).unwrap()
}

fn hills() -> HeightGrid {
    let height = |k: usize| ((k / 21) as f64 * 0.9).sin() * ((k % 21) as f64 * 0.8).cos();
    HeightGrid::new(21, (0..21 * 21).map(height).collect()).unwrap()
}

fn world(name: &str) -> ModelBuilder {
    ModelBuilder::new(name).k_red(1e-4)
}

fn body(name: &str, kind: &str, r: [f64; 3], turn: [f64; 3], v: [f64; 3]) -> ObjectBuilder {
    object(name).free_with(v, [0.0; 3]).r(r).cardan(turn).solid(shape(kind))
}

/// B flies towards A, which is at rest; in the declaration either comes first.
fn encounter(a: &str, b: &str, a_first: bool) -> Declaration {
    let target = body("a", a, [0.0; 3], [0.3, -0.5, 0.2], [0.0; 3]);
    let missile = body("b", b, [0.5, 0.03, -0.02], [-0.7, 0.4, 1.1], [-1.0, 0.0, 0.1]);
    let model = world("Encounter");
    let model = if a_first { model.object(target).object(missile) } else { model.object(missile).object(target) };
    model.build().unwrap()
}

fn energy(run: &mut Run) -> f64 {
    run.value("energy.kinetic")
}

/// Position and velocity of both bodies.
fn motion(run: &mut Run) -> Vec<f64> {
    let vectors = ["a.r_abs", "b.r_abs", "a.v_abs", "b.v_abs", "a.w_abs", "b.w_abs"].map(|name| run.vector(name));
    vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect()
}

/// Runs an encounter: whether the bodies touched, and the motion at the end.
fn meet(a: &str, b: &str, a_first: bool) -> (bool, Vec<f64>) {
    let what = format!("{a} and {b}");
    let mut run = start(&encounter(a, b, a_first), 1e-8);
    let ((linear, angular), before) = (momentum(&mut run), energy(&mut run));
    let pair = if a_first { "contact.a_b" } else { "contact.b_a" };
    let mut touched = false;
    for k in 1..=120 {
        run.to(0.005 * f64::from(k));
        let f_n = run.value(&format!("{pair}.f_n"));
        let (force, normal) = (run.vector(&format!("{pair}.f")), run.vector(&format!("{pair}.n")));
        assert!(f_n >= 0.0 && force.dot(&normal) >= -1e-9 * force.norm(), "{what} pull: {f_n} {force:?}");
        touched |= f_n > 0.0;
    }
    let (p, l) = momentum(&mut run);
    assert!((p - linear).norm() < 1e-6 * linear.norm(), "{what}: linear momentum {p:?} {linear:?}");
    assert!((l - angular).norm() < 1e-6 * linear.norm(), "{what}: angular momentum {l:?} {angular:?}");
    let after = energy(&mut run);
    assert!(after <= before * (1.0 + 1e-6), "{what}: energy {before} -> {after}");
    let end = motion(&mut run);
    assert!(end.iter().all(|x| x.is_finite()), "{what}: {end:?}");
    (touched, end)
}

#[test]
fn all_shapes_collide_with_all_shapes_and_keep_momentum_in_either_order() {
    for (k, a) in MOVING.iter().enumerate() {
        for b in &MOVING[k..] {
            let (touched, one) = meet(a, b, true);
            assert!(touched, "{a} and {b} passed through each other");
            let (_, other) = meet(a, b, false);
            let difference = one.iter().zip(&other).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(difference < 1e-5, "{a} and {b}: the order of declaration matters, {difference:e}");
        }
    }
}

/// A body dropped on ground at an angle.
fn drop_on(ground: &str, kind: &str) -> Run {
    let model = world("Drop").gravity([0.0, 0.0, -9.81]).object(object("ground").fixed().solid(shape(ground)));
    let model = model.object(body("b", kind, [0.13, 0.07, 0.45], [0.5, 0.6, 0.2], [0.0; 3]));
    start(&model.build().unwrap(), 1e-6)
}

#[test]
fn every_shape_dropped_on_ground_stays_above_it() {
    for ground in ["half-space", "height field"] {
        for kind in MOVING {
            let mut run = drop_on(ground, kind);
            let mut touched = false;
            for k in 1..=80 {
                run.to(0.005 * f64::from(k));
                let (f_n, delta) = (run.value("contact.ground_b.f_n"), run.value("contact.ground_b.delta"));
                // The heaviest, 58 kg, falls 0.3 m onto a stiffness of 4.2e6 N/m^1.5 (k_red is 1e-4): without losses,
                // (5/2 m g h / k)^(2/5) = 25 mm. Corners of a patch give way more, like the cube of the depth.
                let has_patch = match ground {
                    "height field" => !matches!(kind, "sphere" | "ellipsoid"),
                    _ => matches!(kind, "box" | "convex mesh" | "concave mesh"),
                };
                let limit = if has_patch { 0.04 } else { 0.025 };
                assert!(f_n >= 0.0 && delta < limit, "{kind} on the {ground}: {f_n} N, {delta} m deep");
                touched |= f_n > 0.0;
            }
            let height = run.value("b.r_abs[3]");
            assert!(touched && height > -0.05, "{kind} on the {ground}: {height} m high");
        }
    }
}

/// A ball in a horizontal tube under gravity.
#[test]
fn a_ball_rests_inside_a_hollow_cylinder() {
    let tube = cylinder(Axis::X, 0.5, 1.0).inner_diameter(0.4).material("Steel").collides();
    let model = world("Tube")
        .gravity([0.0, 0.0, -9.81])
        .object(object("tube").fixed().solid(tube))
        .object(object("ball").free().r([0.0, 0.02, -0.14]).solid(sphere(0.1).material("Steel").collides()));
    let mut run = start(&model.build().unwrap(), 1e-6);
    for k in 1..=50 {
        run.to(0.01 * f64::from(k));
        let r = run.vector("ball.r_abs");
        let radius = Vec3::new(0.0, r.y, r.z).norm();
        // 4.2 kg fall 8 mm onto a stiffness of 3.3e6 N/m^1.5: without losses (5/2 m g h / k)^(2/5) = 2.3 mm.
        assert!(radius < 0.15 + 2.4e-3, "the ball is {radius} m from the axis");
    }
    assert!(run.value("ball.contact.count") > 0.0, "the ball lies in the tube");
}

#[test]
fn the_hull_of_a_mesh_with_hollows_is_noted_unless_it_is_meant() {
    let remarks = |surface: TriangleMesh| {
        let thing = object("thing").free().solid(mesh(Arc::new(surface), [1.0; 3]).material("Steel").collides());
        let run = start(&ModelBuilder::new("Hull").object(thing).build().unwrap(), 1e-5);
        run.simulation.scene().remarks.clone()
    };
    assert_eq!(remarks(block([0.1, 0.2, 0.3])), [""; 0]);
    assert_eq!(remarks(angle()), [""; 0], "with parts");
    let hollow = || angle().with_convex_parts(Vec::new()).unwrap();
    let noted = remarks(hollow());
    for part in ["object `thing`", "convex hull", " m;", "convex_parts"] {
        assert!(noted.iter().any(|remark| remark.contains(part)), "{part} is missing in: {noted:?}");
    }
    assert_eq!(remarks(hollow().with_hull()), [""; 0]);
}
