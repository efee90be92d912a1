#![allow(clippy::unwrap_used)]

use super::*;
use crate::collision::{ConvexShape, PairCache, distance};
use crate::contact::{ContactConstants, ContactMaterial, ContactOptions, Curvature};
use crate::material::{MaterialPair, MaterialTable};
use crate::math::{Mat3, Pose, Vec3, rotation_about};
use crate::solid::{Axis, Shape, TriangleMesh};
use std::f64::consts::PI;
use std::sync::Arc;

mod turning;

const MODULUS: f64 = 1e7;

fn cuboid(lengths: [f64; 3]) -> ConvexShape {
    ConvexShape::new(&Shape::Box { lengths }, 0.0).unwrap()
}

/// A prism along z over a regular polygon.
fn prism(sides: u32, radius: f64, length: f64) -> ConvexShape {
    let turn = |k: u32| 2.0 * PI * f64::from(k) / f64::from(sides);
    let corner = |k: u32, z: f64| [radius * turn(k).cos(), radius * turn(k).sin(), z];
    let mut corners: Vec<[f64; 3]> = (0..sides).map(|k| corner(k, -length / 2.0)).collect();
    corners.extend((0..sides).map(|k| corner(k, length / 2.0)));
    let (n, side) = (sides, |k: u32| [k, (k + 1) % sides]);
    let mut triangles: Vec<[u32; 3]> =
        (0..n).flat_map(|k| [[side(k)[0], side(k)[1], side(k)[1] + n], [side(k)[0], side(k)[1] + n, k + n]]).collect();
    triangles.extend((1..n - 1).flat_map(|k| [[0, k + 1, k], [n, n + k, n + k + 1]]));
    let mesh = TriangleMesh::new(corners, triangles).unwrap();
    ConvexShape::new(&Shape::Mesh { mesh: Arc::new(mesh), scale: [1.0; 3] }, 0.0).unwrap()
}

/// A stone with random corners on a sphere.
fn stone(seed: u64, corners: usize, radius: f64) -> ConvexShape {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let points: Vec<[f64; 3]> = (0..corners)
        .map(|_| {
            let direction = Vec3::new(next(), next(), next());
            (direction.normalize() * radius * (1.0 + 0.2 * next())).into()
        })
        .collect();
    let part = points.clone();
    let mesh = TriangleMesh::new(points, vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]).unwrap();
    let mesh = Arc::new(mesh.with_convex_parts(vec![crate::solid::ConvexPart::hull(part)]).unwrap());
    ConvexShape::pieces(&Shape::Mesh { mesh, scale: [1.0; 3] }, 0.0).unwrap().remove(0)
}

fn law(d: f64, mu: f64) -> ContactConstants {
    let table = MaterialTable::builtin();
    let steel = table.material("Steel").unwrap();
    let pair = MaterialPair::new(0.5, mu, 0.0);
    let own = Curvature::Other { radius: 0.05 };
    let material = ContactMaterial::new((steel, own), (steel, own), pair, ContactOptions::default()).unwrap();
    ContactConstants { d, mu_k: mu, v_min: 0.01, ..material.freeze(1.0) }
}

fn body<'a>(shape: &'a ConvexShape, rotation: Mat3, translation: Vec3) -> PatchBody<'a> {
    let form = PatchForm::Polyhedron(shape.polyhedron().unwrap());
    PatchBody { form, x_ws: Pose { rotation, translation }, modulus: MODULUS }
}

fn at_origin(shape: &ConvexShape) -> PatchBody<'_> {
    body(shape, Mat3::identity(), Vec3::zeros())
}

fn patch(a: &PatchBody<'_>, b: &PatchBody<'_>) -> Patch {
    let mut patch = Patch::default();
    patch.intersect(a, b, &mut PatchScratch::default());
    patch
}

const REST: Twist = Twist { v: Vec3::new(0.0, 0.0, 0.0), w: Vec3::new(0.0, 0.0, 0.0) };
const STILL: PatchMotion = PatchMotion { material: REST, surface: REST };

/// Elastic force on B and its torque about a point.
fn elastic(patch: &Patch, about: &Vec3) -> (Vec3, Vec3) {
    let at = patch.response(&law(0.0, 0.0), &STILL);
    (at.f, at.tau + (patch.origin() - about).cross(&at.f))
}

#[test]
fn a_face_on_a_face_is_an_elastic_foundation() {
    let (table, block) = (cuboid([0.3, 0.3, 0.1]), cuboid([0.1, 0.08, 0.06]));
    let slope = 1.0 / (0.05 / MODULUS + 0.03 / MODULUS);
    for delta in [1e-9, 1e-7, 1e-5] {
        let on = |tilt: f64| {
            let up = Vec3::new(0.02, 0.01, 0.08 - delta);
            let rotation = rotation_about(&Vec3::y(), tilt);
            let patch = patch(&at_origin(&table), &body(&block, rotation, up));
            (elastic(&patch, &up), patch.area())
        };
        let ((f, tau), area) = on(0.0);
        assert!((f.z / (slope * 0.008 * delta) - 1.0).abs() < 20.0 * delta + 1e-7, "{delta}: {f}");
        assert!((f.xy().norm() + tau.norm()) < 1e-6 * f.z, "{f} {tau}");
        assert!((area / 0.008 - 1.0).abs() < 100.0 * delta, "{area}");
        let tilt = delta;
        let inertia = 0.08 * 0.1_f64.powi(3) / 12.0;
        let ((_, tau), _) = on(tilt);
        assert!((-tau.y / (slope * inertia * tilt) - 1.0).abs() < 100.0 * delta + 1e-5, "{delta}: {tau}");
    }
}

#[test]
fn a_half_space_carries_a_corner_an_edge_and_a_face() {
    let (ground, block) = (ConvexShape::half_space(Axis::Z), cuboid([0.1, 0.1, 0.1]));
    let ground = PatchBody { modulus: MODULUS / 0.05, ..at_origin(&ground) };
    let orders = [(Mat3::identity(), 0.05, 1), (rotation_about(&Vec3::x(), PI / 4.0), 0.05 * 2.0_f64.sqrt(), 2)];
    let upright = rotation_about(&Vec3::new(1.0, -1.0, 0.0).normalize(), (1.0 / 3.0_f64.sqrt()).acos());
    for (rotation, height, order) in orders.into_iter().chain([(upright, 0.05 * 3.0_f64.sqrt(), 3)]) {
        let force = |delta: f64| {
            let up = Vec3::new(0.3, -0.2, height - delta);
            elastic(&patch(&ground, &body(&block, rotation, up)), &up).0
        };
        let [f, double] = [1e-6, 2e-6].map(force);
        assert!(f.z > 0.0 && f.xy().norm() < 1e-6 * f.z, "{f}");
        let growth = (double.z / f.z).log2();
        assert!((growth - f64::from(order)).abs() < 1e-3, "force grows with the power {growth}, not {order}");
    }
}

/// Where B must be, in a direction from A, to penetrate it by 2 mm.
fn pressed(a: &ConvexShape, b: &ConvexShape, rotation: Mat3, direction: Vec3) -> Vec3 {
    let mut far = direction.normalize() * 0.5;
    for _ in 0..200 {
        let x_wb = Pose { rotation, translation: far };
        let gap = distance(a, &Pose::IDENTITY, b, &x_wb, &mut PairCache::default()).distance + 0.002;
        far -= direction.normalize() * (0.5 * gap);
    }
    far
}

/// Pairs of shapes that press on each other, and a pose of B.
fn scenes() -> Vec<(ConvexShape, ConvexShape, Mat3, Vec3)> {
    let turned = |angle: f64| rotation_about(&Vec3::new(0.3, -0.5, 0.8).normalize(), angle);
    let (table, block) = (cuboid([0.3, 0.3, 0.1]), cuboid([0.1, 0.08, 0.06]));
    [
        (table.clone(), block.clone(), turned(0.01), Vec3::new(0.01, 0.02, 0.0795)),
        (table.clone(), block.clone(), turned(0.5), Vec3::new(0.14, 0.02, 0.085)),
        (table, block.clone(), turned(1.0), Vec3::new(0.16, 0.15, 0.07)),
        (stone(3, 12, 0.1), stone(7, 14, 0.08), turned(0.7), Vec3::new(0.05, 0.08, 0.1)),
        (prism(12, 0.05, 0.1), block, turned(0.9), Vec3::new(0.06, 0.03, 0.05)),
    ]
    .into_iter()
    .map(|(a, b, rotation, direction)| {
        let p = pressed(&a, &b, rotation, direction);
        (a, b, rotation, p)
    })
    .collect()
}

#[test]
fn no_work_is_done_round_a_closed_motion() {
    for (a, b, rotation, p) in scenes() {
        let steps = 4000;
        let (mut work, mut gross, mut before) = (0.0, 0.0, None);
        for k in 0..=steps {
            let s = 2.0 * PI * f64::from(k) / f64::from(steps);
            let shift = 0.004 * Vec3::new(s.sin(), s.cos() - 1.0, (2.0 * s).sin());
            let shift_rate = 0.004 * Vec3::new(s.cos(), -s.sin(), 2.0 * (2.0 * s).cos());
            let (axis, angle) = (Vec3::new(0.6, 0.0, 0.8), 0.05 * s.sin());
            let turn = rotation_about(&axis, angle) * rotation;
            let w = axis * (0.05 * s.cos());
            let at = patch(&at_origin(&a), &body(&b, turn, p + shift));
            let (f, tau) = elastic(&at, &(p + shift));
            let power = f.dot(&shift_rate) + tau.dot(&w);
            if let Some(last) = before {
                // The trapezoidal rule converges fast for a periodic function.
                let part: f64 = 0.5 * (power + last) * 2.0 * PI / f64::from(steps);
                work += part;
                gross += part.abs();
            }
            before = Some(power);
        }
        assert!(gross > 0.0 && (work / gross).abs() < 1e-8, "{:e}", work / gross);
    }
}

/// Cones and cylinders that lie or stand on their rims on a box, somehow turned.
fn round_scenes() -> Vec<(ConvexShape, Mat3, Vec3)> {
    let cone = |top_diameter: f64| {
        ConvexShape::new(&Shape::Cone { axis: Axis::Z, diameter: 0.06, top_diameter, length: 0.1 }, 0.0).unwrap()
    };
    let cylinder = Shape::Cylinder { axis: Axis::Z, diameter: 0.06, length: 0.1, inner_diameter: 0.0 };
    let cylinder = ConvexShape::new(&cylinder, 0.0).unwrap();
    let lying = |radii: [f64; 2], length: f64| 0.5 * PI + ((radii[0] - radii[1]) / length).atan();
    let turned = |tilt: f64| {
        rotation_about(&Vec3::z(), 0.7) * rotation_about(&Vec3::x(), tilt) * rotation_about(&Vec3::z(), 2.1)
    };
    let mut scenes = Vec::new();
    for (shape, radii) in [(cone(0.0), [0.03, 0.0]), (cone(0.02), [0.03, 0.01]), (cylinder, [0.03, 0.03])] {
        for off in [0.0, 3e-4, -0.4, -1.1] {
            let rotation = turned(lying(radii, 0.1) + off);
            let lowest = shape.support(&(rotation.transpose() * -Vec3::z()));
            scenes.push((shape.clone(), rotation, Vec3::new(0.0, 0.0, -1e-4 - (rotation * lowest).z)));
        }
    }
    scenes
}

#[test]
fn derivatives_of_round_bodies_equal_differences() {
    let ground = cuboid([1.0, 1.0, 0.2]);
    let below = |r: Mat3, p: Vec3| Pose { rotation: r, translation: p + r * Vec3::new(0.0, 0.0, -0.1) };
    for (number, (shape, rotation, p)) in round_scenes().into_iter().enumerate() {
        for swapped in [false, true] {
            let pressed = |ground_at: Pose, shape_at: Pose| {
                let placed = [(&ground, ground_at), (&shape, shape_at)];
                let placed = if swapped { [placed[1], placed[0]] } else { placed };
                let [a, b] =
                    patch_bodies(placed, [MODULUS; 2], &mut PairCache::default(), &mut Directions::default()).unwrap();
                patch(&a, &b)
            };
            let base = pressed(below(Mat3::identity(), Vec3::zeros()), Pose { rotation, translation: p });
            let origin = base.origin();
            let slopes = base.slopes(&law(0.0, 0.0), &STILL);
            for (side, k) in (0..2).flat_map(|side| (0..6).map(move |k| (side, k))) {
                let mut unit = Vec3::zeros();
                unit[k % 3] = 1.0;
                let is_turn = k < 3;
                let moved = |h: f64| {
                    let (turn, shift) =
                        if is_turn { (rotation_about(&unit, h), Vec3::zeros()) } else { (Mat3::identity(), unit * h) };
                    let place = |r: Mat3, x: Vec3| (turn * r, origin + turn * (x - origin) + shift);
                    let still = |r: Mat3, x: Vec3| (r, x);
                    let is_shape = (side == 1) != swapped;
                    let (on_ground, on_shape) = match is_shape {
                        true => (still(Mat3::identity(), Vec3::zeros()), place(rotation, p)),
                        false => (place(Mat3::identity(), Vec3::zeros()), still(rotation, p)),
                    };
                    let at = pressed(
                        below(on_ground.0, on_ground.1),
                        Pose { rotation: on_shape.0, translation: on_shape.1 },
                    );
                    elastic(&at, &origin)
                };
                let h = 1e-7;
                let (up, down) = (moved(h), moved(-h));
                let (f, tau) = ((up.0 - down.0) / (2.0 * h), (up.1 - down.1) / (2.0 * h));
                let (block, column, by) = (&slopes.by_pose[side], k % 3, usize::from(!is_turn));
                let scale = slopes.by_pose[1].f[1].norm() * if is_turn { 0.1 } else { 1.0 };
                let error =
                    (block.f[by].column(column) - f).norm().max((block.tau[by].column(column) - tau).norm() * 10.0);
                assert!(error < 2e-4 * scale, "scene {number}, {side} {k} {swapped}: {:e}", error / scale);
            }
        }
    }
}

#[test]
fn derivatives_equal_differences() {
    let law = ContactConstants { v_min: 0.05, ..law(0.3, 0.4) };
    for (number, (a, b, rotation, p)) in scenes().into_iter().enumerate() {
        let twist = Twist { v: Vec3::new(0.02, -0.03, -0.01), w: Vec3::new(0.1, 0.2, -0.3) };
        let motion = PatchMotion::from(twist);
        let base = patch(&at_origin(&a), &body(&b, rotation, p));
        let (origin, slopes) = (base.origin(), base.slopes(&law, &motion));
        let elastic_slopes = base.slopes(&ContactConstants { d: 0.0, mu_k: 0.0, ..law }, &STILL);
        let size = base.elastic_force().norm();
        let mut worst: f64 = 0.0;
        for k in 0..6 {
            let mut unit = Vec3::zeros();
            unit[k % 3] = 1.0;
            let is_turn = k < 3;
            let h = 1e-7;
            for side in 0..2 {
                let moved = |h: f64| {
                    let (turn, shift) =
                        if is_turn { (rotation_about(&unit, h), Vec3::zeros()) } else { (Mat3::identity(), unit * h) };
                    // About the origin of the patch.
                    let place = |r: Mat3, x: Vec3| (turn * r, origin + turn * (x - origin) + shift);
                    let [(r_a, p_a), (r_b, p_b)] = match side {
                        0 => [place(Mat3::identity(), Vec3::zeros()), (rotation, p)],
                        _ => [(Mat3::identity(), Vec3::zeros()), place(rotation, p)],
                    };
                    let at = patch(&body(&a, r_a, p_a), &body(&b, r_b, p_b));
                    elastic(&at, &origin)
                };
                let (f, tau) = (moved(h), moved(-h));
                let (f, tau) = ((f.0 - tau.0) / (2.0 * h), (f.1 - tau.1) / (2.0 * h));
                let block = &elastic_slopes.by_pose[side];
                let (column, by) = (k % 3, usize::from(!is_turn));
                let scale = elastic_slopes.by_pose[1].f[1].norm() * if is_turn { 0.1 } else { 1.0 };
                let error =
                    (block.f[by].column(column) - f).norm().max((block.tau[by].column(column) - tau).norm() * 10.0);
                worst = worst.max(error / scale);
            }
            let h = 1e-5;
            let by_velocity = |h: f64| {
                let mut twist = twist;
                if is_turn {
                    twist.w += unit * h
                } else {
                    twist.v += unit * h
                }
                let at = base.response(&law, &twist.into());
                (at.f, at.tau)
            };
            let (up, down) = (by_velocity(h), by_velocity(-h));
            let (column, by) = (k % 3, usize::from(!is_turn));
            let f = (up.0 - down.0) / (2.0 * h) - slopes.by_velocity[1].f[by].column(column);
            let tau = (up.1 - down.1) / (2.0 * h) - slopes.by_velocity[1].tau[by].column(column);
            assert!(f.norm() < 1e-5 * size && tau.norm() < 1e-6 * size, "scene {number}, {k}: {f} {tau} of {size}");
        }
        assert!(worst < 1e-5, "scene {number}: {worst:e}");
    }
}

#[test]
fn a_spinning_disc_is_braked_by_two_thirds_of_its_radius() {
    let (table, disc) = (cuboid([0.3, 0.3, 0.1]), prism(64, 0.05, 0.04));
    let at = patch(&at_origin(&table), &body(&disc, Mat3::identity(), Vec3::new(0.0, 0.0, 0.07 - 1e-6)));
    let f = at.elastic_force().z;
    let motion = Twist { v: Vec3::zeros(), w: Vec3::new(0.0, 0.0, 100.0) };
    let response = at.response(&law(0.0, 0.3), &motion.into());
    let expected = 2.0 / 3.0 * 0.3 * f * 0.05;
    assert!((-response.tau.z / expected - 1.0).abs() < 5e-3, "{} {expected}", response.tau.z);
    assert!(response.f.xy().norm() < 1e-6 * f);
}

#[test]
fn a_sliding_block_is_braked_by_the_friction_of_its_load() {
    let (table, block) = (cuboid([0.3, 0.3, 0.1]), cuboid([0.1, 0.08, 0.06]));
    let at = patch(&at_origin(&table), &body(&block, Mat3::identity(), Vec3::new(0.0, 0.0, 0.08 - 5e-6)));
    // With the damping of a contact at rest: narrow polygons at the rim must not brake.
    let motion = Twist { v: Vec3::new(1.0, 0.0, 0.0), w: Vec3::zeros() };
    let response = at.response(&law(1000.0, 0.3), &motion.into());
    assert!((response.f.x / response.f.z + 0.3).abs() < 1e-6, "{}", response.f);
}

#[test]
fn the_force_is_smooth_where_contact_changes() {
    let (table, block) = (cuboid([0.3, 0.3, 0.1]), cuboid([0.1, 0.08, 0.06]));
    let y = |angle: f64| rotation_about(&Vec3::y(), angle);
    type Path<'a> = &'a dyn Fn(f64) -> (Mat3, Vec3);
    let flat: Path<'_> = &|s| (y(2e-3 * (s - 0.5)), Vec3::new(0.0, 0.0, 0.08 - 2e-5));
    let over_edge: Path<'_> = &|s| (y(-0.02), Vec3::new(0.198 + 0.004 * s, 0.01, 0.0808));
    let crossed: Path<'_> = &|s| {
        // An edge of the block across an edge of the table.
        let turn = rotation_about(&Vec3::y(), PI / 4.0) * rotation_about(&Vec3::x(), PI / 4.0 + 0.3);
        (turn, Vec3::new(0.14 + 0.03 * s, 0.0, 0.09))
    };
    let onset: Path<'_> = &|s| (y(0.0), Vec3::new(0.12, 0.0, 0.08 + 1e-5 * (0.5 - s)));
    // Upright on an edge, and on a corner: down to the table, and across its side.
    let edge_on = (0.05_f64 + 0.03) / 2.0_f64.sqrt() + 0.05;
    let upright: Path<'_> = &|s| (y(PI / 4.0), Vec3::new(0.01, 0.12, edge_on + 1e-4 * (0.5 - s)));
    let tip = rotation_about(&Vec3::x(), 0.7) * rotation_about(&Vec3::y(), 0.6);
    let low = tip.row(2).iter().zip([0.05, 0.04, 0.03]).map(|(r, half)| r.abs() * half).sum::<f64>() + 0.05;
    let corner: Path<'_> = &|s| (tip, Vec3::new(0.01, 0.02, low + 2e-4 * (0.5 - s)));
    let corner_off: Path<'_> = &|s| (tip, Vec3::new(0.10 + 0.1 * s, 0.02, low - 2e-4));
    let turning: Path<'_> = &|s| {
        let turn = rotation_about(&Vec3::new(0.6, 0.0, 0.8), 0.1 * s) * rotation_about(&Vec3::y(), 0.02 * (s - 0.5));
        (turn, Vec3::new(0.0, 0.0, 0.079))
    };
    for (name, path, order) in [
        ("flat", flat, 1.6),
        ("over the edge", over_edge, 1.6),
        ("crossed edges", crossed, 1.6),
        ("onset of a face", onset, 0.9),
        ("onset of an edge", upright, 1.6),
        ("onset of a corner", corner, 1.6),
        ("a corner over the edge", corner_off, 1.6),
        ("turning while it presses", turning, 1.6),
    ] {
        let jumps = |n: u32| {
            let wrenches: Vec<(Vec3, Vec3)> = (0..=n)
                .map(|k| {
                    let (rotation, p) = path(f64::from(k) / f64::from(n));
                    elastic(&patch(&at_origin(&table), &body(&block, rotation, p)), &p)
                })
                .collect();
            let of = |part: fn(&(Vec3, Vec3)) -> Vec3| {
                let parts: Vec<Vec3> = wrenches.iter().map(part).collect();
                let largest = parts.iter().map(Vec3::norm).fold(0.0, f64::max);
                parts.windows(3).map(|f| (f[0] - 2.0 * f[1] + f[2]).norm()).fold(0.0, f64::max) / largest
            };
            [of(|wrench| wrench.0), of(|wrench| wrench.1)]
        };
        let [coarse, fine] = [2000, 16000].map(jumps);
        for (part, (coarse, fine)) in ["force", "torque"].iter().zip(coarse.into_iter().zip(fine)) {
            let found = (coarse / fine).log2() / 3.0;
            assert!(found > order, "{name}, {part}: second differences {coarse:e}, {fine:e}: of order {found}");
        }
    }
}

/// Where sides of two bodies lie in one plane, the side that bounds the patch changes: the force across jumps by the
/// depth over the length of that of the load.
#[test]
fn aligned_sides_pass_each_other_with_a_jump_of_the_depth() {
    let block = cuboid([0.1, 0.08, 0.06]);
    for depth in [1e-6, 1e-5, 1e-4] {
        let at = |x: f64| {
            let p = Vec3::new(x, 0.0, 0.06 - depth);
            elastic(&patch(&at_origin(&block), &body(&block, Mat3::identity(), p)), &p)
        };
        let wrenches: Vec<(Vec3, Vec3)> = (-500..=500).map(|k| at(1e-6 * f64::from(k))).collect();
        let load = wrenches[500].0.norm();
        for pair in wrenches.windows(2) {
            let (force, torque) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            // What a step of a micrometre moves anyway: a hundred thousandth of the overlap.
            assert!(force.norm() < (depth / 0.1 + 2e-5) * load, "{depth}: {force} of {load}");
            assert!(torque.norm() < (depth / 0.1 + 2e-5) * load * 0.1, "{depth}: {torque} of {load}");
        }
    }
}

#[test]
fn what_is_apart_has_no_force() {
    let (table, block) = (cuboid([0.3, 0.3, 0.1]), cuboid([0.1, 0.08, 0.06]));
    let mut found = Patch::default();
    for p in [Vec3::new(0.0, 0.0, 0.0801), Vec3::new(0.201, 0.0, 0.0)] {
        assert!(!found.intersect(&at_origin(&table), &body(&block, Mat3::identity(), p), &mut PatchScratch::default()));
        assert_eq!(found.area(), 0.0);
    }
}

/// A cylinder of radius 50 mm along x, pressed on a table by a depth \[m\].
fn lying(cylinder: &ConvexShape, table: &ConvexShape, depth: f64, roll: f64) -> Patch {
    let rotation = rotation_about(&Vec3::x(), roll);
    let x_wb = Pose { rotation, translation: Vec3::new(0.0, 0.01, 0.1 - depth) };
    let placed = [(table, Pose::IDENTITY), (cylinder, x_wb)];
    let [a, b] = patch_bodies(placed, [MODULUS; 2], &mut PairCache::default(), &mut Directions::default()).unwrap();
    patch(&a, &b)
}

#[test]
fn a_cylinder_rolls_without_feeling_corners() {
    let shape = Shape::Cylinder { axis: Axis::X, diameter: 0.1, length: 0.2, inner_diameter: 0.0 };
    let (cylinder, table) = (ConvexShape::new(&shape, 0.001).unwrap(), cuboid([0.3, 0.3, 0.1]));
    let about = Vec3::new(0.0, 0.01, 0.1);
    let (upright, _) = elastic(&lying(&cylinder, &table, 1e-5, 0.0), &about);
    assert!(upright.z > 0.0 && upright.xy().norm() < 1e-6 * upright.z, "{upright}");
    for k in 0..50 {
        let at = lying(&cylinder, &table, 1e-5, 0.03 * f64::from(k));
        let (f, tau) = elastic(&at, &about);
        assert!((f - upright).norm() < 1e-9 * upright.z && tau.x.abs() < 1e-9 * upright.z, "{k}: {f} {tau}");
        // A turn about its own axis changes nothing.
        let slopes = at.slopes(&law(0.0, 0.0), &STILL);
        let axis = about - at.origin() - Vec3::new(0.0, 0.0, 1e-5);
        let block = slopes.by_pose[1];
        let by_roll = block.f[0] * Vec3::x() + block.f[1] * axis.cross(&Vec3::x());
        assert!(by_roll.norm() < 1e-6 * block.f[1].norm(), "{by_roll}");
    }
}

/// All sectors of a ring together press as a round body does: with the same force, and without a torque about the axis.
#[test]
fn a_ring_on_a_box_presses_alike_however_it_is_turned() {
    let shape = Shape::Cylinder { axis: Axis::X, diameter: 0.1, length: 0.2, inner_diameter: 0.06 };
    let (sectors, table) = (ConvexShape::pieces(&shape, 0.0).unwrap(), cuboid([0.3, 0.3, 0.1]));
    let press = |turn: f64, depth: f64| {
        let rotation = rotation_about(&Vec3::x(), turn);
        let p = Vec3::new(0.01, 0.02, 0.1 - depth);
        let mut total = (Vec3::zeros(), Vec3::zeros());
        for sector in &sectors {
            let placed = [(&table, Pose::IDENTITY), (sector, Pose { rotation, translation: p })];
            let [a, b] =
                patch_bodies(placed, [MODULUS; 2], &mut PairCache::default(), &mut Directions::default()).unwrap();
            let patch = patch(&a, &b);
            let (f, tau) = elastic(&patch, &p);
            total = (total.0 + f, total.1 + tau);
            let leans = patch.elastic_force().norm() > 0.0 && patch.normal().xy().norm() > 1e-9;
            assert!(!leans, "turned by {turn}: a sector damps along {}", patch.normal());
        }
        total
    };
    for depth in [1e-8, 1e-5, 1e-4] {
        let (f, _) = press(0.0, depth);
        assert!(f.z > 0.0);
        for k in 0..40 {
            let turn = 0.017 * f64::from(k);
            let (turned, tau) = press(turn, depth);
            assert!((turned - f).norm() < 1e-8 * f.z, "{depth} m, turned by {turn}: {turned}, not {f}");
            assert!(tau.norm() < 1e-10 * f.z, "{depth} m, turned by {turn}: torque {tau}");
        }
    }
}

#[test]
fn a_standing_cylinder_presses_with_its_end() {
    let shape = Shape::Cylinder { axis: Axis::Z, diameter: 0.1, length: 0.2, inner_diameter: 0.0 };
    let (cylinder, table) = (ConvexShape::new(&shape, 0.001).unwrap(), cuboid([0.3, 0.3, 0.1]));
    let press = |tilt: f64, direction: f64| {
        let rotation = rotation_about(&Vec3::new(direction.cos(), direction.sin(), 0.0), tilt);
        let p = Vec3::new(0.0, 0.0, 0.15 - 1e-5);
        let placed = [(&table, Pose::IDENTITY), (&cylinder, Pose { rotation, translation: p })];
        let [a, b] = patch_bodies(placed, [MODULUS; 2], &mut PairCache::default(), &mut Directions::default()).unwrap();
        elastic(&patch(&a, &b), &p)
    };
    let slope = MODULUS / (0.05 + 0.1);
    let (f, tau) = press(0.0, 0.0);
    assert!((f.z / (slope * PI * 0.0025 * 1e-5) - 1.0).abs() < 5e-3 && tau.norm() < 1e-6 * f.z, "{f} {tau}");
    // The second moment of a disc, in every direction.
    for k in 0..12 {
        let direction = 0.3 * f64::from(k);
        let (_, tau) = press(1e-5, direction);
        let righting = -tau.dot(&Vec3::new(direction.cos(), direction.sin(), 0.0));
        let expected = slope * PI * 0.05_f64.powi(4) / 4.0 * 1e-5;
        assert!((righting / expected - 1.0).abs() < 1.5e-2, "{direction}: {righting} {expected}");
    }
}

/// Near the apex of a cone all sides meet, and rounding errors decide how many corners a polygon has there.
#[test]
fn rounding_errors_do_not_reach_friction() {
    let ground = cuboid([1.0, 1.0, 0.2]);
    let below = Pose { rotation: Mat3::identity(), translation: Vec3::new(0.0, 0.0, -0.1) };
    let twist = Twist { v: Vec3::new(-0.2, 0.2, -0.1), w: Vec3::new(2.0, 1.0, 3.0) };
    for (number, (shape, rotation, p)) in round_scenes().into_iter().enumerate() {
        let force = |shift: f64| {
            let at = Pose { rotation, translation: p + Vec3::new(shift, -0.7 * shift, 0.0) };
            let placed = [(&ground, below), (&shape, at)];
            let [a, b] =
                patch_bodies(placed, [MODULUS; 2], &mut PairCache::default(), &mut Directions::default()).unwrap();
            patch(&a, &b).response(&law(3.0, 0.4), &twist.into()).f
        };
        let here = force(0.0);
        for k in 1..=50 {
            // The patch moves along with its origin, and so do the velocities.
            let change = (force(f64::from(k) * 1e-12) - here).norm() / here.norm();
            assert!(change < 1e-8, "scene {number}: {change:e}");
        }
    }
}

#[test]
fn small_boxes_and_thin_plates_press_on_the_ground_from_the_first_touch() {
    for lengths in [[1e-3, 1e-3, 1e-3], [1.0, 1.0, 1e-4], [0.1, 0.1, 0.1]] {
        let half = 0.5 * lengths[2];
        let fields = |ground: f64| [ground, MODULUS];
        let grounds = [
            (ConvexShape::half_space(Axis::Z), fields(MODULUS / half), 0.0),
            (cuboid([3.0, 3.0, 2.0 * half]), fields(MODULUS), half),
        ];
        let (block, slope) = (cuboid(lengths), MODULUS / half / 2.0 * lengths[0] * lengths[1]);
        for (ground, [below, above], surface) in grounds {
            for depth in [1e-12, 1e-13, 1e-14] {
                let up = Vec3::new(0.0, 0.0, surface + half - depth * half);
                let depth = surface + half - up.z;
                let on = PatchBody { modulus: below, ..at_origin(&ground) };
                let patch = patch(&on, &PatchBody { modulus: above, ..body(&block, Mat3::identity(), up) });
                let ratio = patch.elastic_force().z / (slope * depth);
                let rounding = f64::EPSILON * half / depth;
                assert!((ratio - 1.0).abs() < 1e-6 + 4.0 * rounding, "{lengths:?} {depth:e} m: {ratio}");
            }
        }
    }
}

/// A side of a round body faces the edge that it touches, whatever the smoothing of the other one.
#[test]
fn a_cylinder_just_touches_the_edge_of_a_table() {
    let table = ConvexShape::new(&Shape::Box { lengths: [0.6, 1.0, 0.1] }, 1e-3).unwrap();
    let can = Shape::Cylinder { axis: Axis::Z, diameter: 0.06, length: 0.1, inner_diameter: 0.0 };
    let can = ConvexShape::new(&can, 1e-3).unwrap();
    let x_a = Pose { rotation: Mat3::identity(), translation: Vec3::new(0.0, 0.0, -0.05) };
    let fields = central_pressures([(&table, 1e8), (&can, 1e8)]);
    for angle in [0.0, 0.01, 0.3, 1.2] {
        let (sine, cosine) = f64::sin_cos(angle);
        let translation = Vec3::new(0.3 + 0.03 * sine, 0.0, 0.03 * cosine);
        let x_b = Pose { rotation: rotation_about(&Vec3::x(), PI / 2.0), translation };
        let placed = [(&table, x_a), (&can, x_b)];
        let [a, b] = patch_bodies(placed, fields, &mut PairCache::default(), &mut Directions::default()).unwrap();
        assert!(patch(&a, &b).depth() < 1e-15, "{angle}");
    }
}
