//! Parts of solids with known shapes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use std::f64::consts::PI;
use std::sync::Arc;

use mbs::collision::{ConvexShape, Polyhedron, hull_triangles};
use mbs::math::Vec3;
use mbs::solid::{ConvexPart, Shape, TriangleMesh};

use super::with_parts_within;

/// A prism of height 1 over a polygon that may be concave, by fans between given points: `outline` counter-clockwise.
fn prism(outline: &[[f64; 2]], height: f64) -> TriangleMesh {
    let n = outline.len() as u32;
    let vertices: Vec<[f64; 3]> =
        [0.0, height].iter().flat_map(|z| outline.iter().map(|[x, y]| [*x, *y, *z])).collect();
    let mut triangles = Vec::new();
    for [a, b, c] in ears(outline) {
        triangles.push([a + n, b + n, c + n]);
        triangles.push([a, c, b]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.push([k, next, next + n]);
        triangles.push([k, next + n, k + n]);
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// Triangles of a simple polygon by cutting ears.
fn ears(outline: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let cross = |a: usize, b: usize, c: usize| {
        let [a, b, c] = [a, b, c].map(|k| outline[k]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let count = left.len();
        let is_ear = |k: &usize| {
            let [a, b, c] = [left[(k + count - 1) % count], left[*k], left[(k + 1) % count]];
            let inside = |p: usize| cross(a, b, p) >= 0.0 && cross(b, c, p) >= 0.0 && cross(c, a, p) >= 0.0;
            cross(a, b, c) > 0.0 && !left.iter().any(|&p| p != a && p != b && p != c && inside(p))
        };
        let k = (0..count).find(is_ear).unwrap();
        triangles.push([left[(k + count - 1) % count] as u32, left[k] as u32, left[(k + 1) % count] as u32]);
        left.remove(k);
    }
    triangles.push([left[0] as u32, left[1] as u32, left[2] as u32]);
    triangles
}

fn volume(corners: &[[f64; 3]]) -> f64 {
    let points: Vec<Vec3> = corners.iter().map(|&corner| corner.into()).collect();
    let of = |[a, b, c]: [Vec3; 3]| a.dot(&b.cross(&c)) / 6.0;
    hull_triangles(&points).unwrap().into_iter().map(|triangle| of(triangle.map(Vec3::from))).sum()
}

fn volume_of_parts(mesh: &TriangleMesh) -> f64 {
    mesh.convex_parts().iter().map(|part| volume(&part.corners)).sum()
}

fn volume_of(mesh: &TriangleMesh) -> f64 {
    mesh.triangles().iter().map(|&corners| mesh.corners(corners)).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
}

#[test]
fn an_angle_has_two_parts() {
    let angle = prism(&[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]], 0.5);
    let divided = with_parts_within(angle.clone(), 1e-4).unwrap();
    assert_eq!(divided.convex_parts().len(), 2);
    assert!((volume_of_parts(&divided) - volume_of(&angle)).abs() < 1e-12);
    for part in divided.convex_parts() {
        assert_eq!((part.faces.len(), part.walls.len()), (5, 1));
    }
}

#[test]
fn a_convex_mesh_stays_whole() {
    let brick = prism(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]], 3.0);
    let divided = with_parts_within(brick, 1e-6).unwrap();
    let [part] = divided.convex_parts() else { panic!() };
    assert_eq!((part.faces.len(), part.walls.len()), (6, 0));
    // Behind the middles of its triangles lies the opposite side.
    let mut heights: Vec<f64> = part.faces.iter().map(|face| (face.height * 1e6).round() / 1e6).collect();
    heights.sort_by(f64::total_cmp);
    assert_eq!(heights, [0.5, 0.5, 1.0, 1.0, 1.5, 1.5]);
}

#[test]
fn a_tube_keeps_its_bore() {
    let circle = |radius: f64, n: usize| -> Vec<[f64; 3]> {
        [0.0, 1.0]
            .iter()
            .flat_map(|z| {
                (0..n).map(move |k| {
                    let angle = 2.0 * PI * k as f64 / n as f64;
                    [radius * angle.cos(), radius * angle.sin(), *z]
                })
            })
            .collect()
    };
    let n = 24;
    let vertices: Vec<[f64; 3]> = [circle(2.0, n), circle(1.0, n)].concat();
    let mut triangles = Vec::new();
    let n = n as u32;
    for k in 0..n {
        let next = (k + 1) % n;
        let mut quad = |a: u32, b: u32, c: u32, d: u32| triangles.extend([[a, b, c], [a, c, d]]);
        let (outer, inner) = (0, 2 * n);
        quad(outer + k, outer + next, outer + n + next, outer + n + k);
        quad(inner + next, inner + k, inner + n + k, inner + n + next);
        quad(outer + n + k, outer + n + next, inner + n + next, inner + n + k);
        quad(outer + next, outer + k, inner + k, inner + next);
    }
    let tube = TriangleMesh::new(vertices, triangles).unwrap();
    tube.check_closed().unwrap();
    let exact = volume_of(&tube);
    let fine = with_parts_within(tube.clone(), 1e-4).unwrap();
    assert_eq!(fine.convex_parts().len(), 24);
    assert!((volume_of_parts(&fine) - exact).abs() < 1e-9 * exact);
    // A chord over two sides is 0.034 away from the bore.
    let coarse = with_parts_within(tube, 0.04).unwrap();
    assert!(coarse.convex_parts().len() <= 16, "{}", coarse.convex_parts().len());
    let excess = volume_of_parts(&coarse) / exact - 1.0;
    assert!(excess > 0.0 && excess < 0.04, "{excess}");
}

/// A spur gear with involute flanks of the given module, number of teeth, and points along every flank, 20 degrees.
fn gear(module: f64, teeth: usize, points: usize, width: f64) -> TriangleMesh {
    let pitch = 0.5 * module * teeth as f64;
    let pressure = 20.0_f64.to_radians();
    let (base, tip, root) = (pitch * pressure.cos(), pitch + module, pitch - 1.25 * module);
    let involute = |angle: f64| angle.tan() - angle;
    let half = PI / (2.0 * teeth as f64) + involute(pressure);
    let mut outline = Vec::new();
    for tooth in 0..teeth {
        let center = 2.0 * PI * tooth as f64 / teeth as f64;
        let from = base.max(root);
        let flank = |k: usize| {
            let radius = from + (tip - from) * k as f64 / (points - 1) as f64;
            (radius, half - involute((base / radius).min(1.0).acos()))
        };
        let mut add = |radius: f64, angle: f64| outline.push([radius * angle.cos(), radius * angle.sin()]);
        let foot = flank(0).1;
        if root < base {
            add(root, center - foot);
        }
        (0..points).for_each(|k| add(flank(k).0, center - flank(k).1));
        (0..points).rev().for_each(|k| add(flank(k).0, center + flank(k).1));
        if root < base {
            add(root, center + foot);
        }
    }
    prism(&outline, width)
}

#[test]
fn gears_have_some_parts_for_every_tooth_and_their_volume() {
    for (teeth, points) in [(12, 12), (24, 12), (24, 24)] {
        let gear = gear(2e-3, teeth, points, 0.01);
        let divided = with_parts_within(gear.clone(), 5e-5).unwrap();
        let count = divided.convex_parts().len();
        let excess = volume_of_parts(&divided) / volume_of(&gear) - 1.0;
        assert!(count <= 3 * teeth && excess > -1e-9 && excess < 0.01, "{teeth} teeth: {count} parts, {excess}");
    }
}

/// A plate with a square hole, whose corners a plane must not leave.
#[test]
fn a_frame_keeps_its_window() {
    let ring = |half: f64| [[-half, -half], [half, -half], [half, half], [-half, half]];
    let at = |half: f64, z: f64| ring(half).map(|[x, y]| [x, y, z]);
    let vertices: Vec<[f64; 3]> = [at(2.0, 0.0), at(2.0, 0.5), at(1.0, 0.0), at(1.0, 0.5)].concat();
    let mut triangles = Vec::new();
    for k in 0..4 {
        let next = (k + 1) % 4;
        let mut quad = |a: u32, b: u32, c: u32, d: u32| triangles.extend([[a, b, c], [a, c, d]]);
        quad(k, next, 4 + next, 4 + k);
        quad(8 + next, 8 + k, 12 + k, 12 + next);
        quad(4 + k, 4 + next, 12 + next, 12 + k);
        quad(next, k, 8 + k, 8 + next);
    }
    let frame = TriangleMesh::new(vertices, triangles).unwrap();
    let divided = with_parts_within(frame.clone(), 1e-3).unwrap();
    let parts = divided.convex_parts();
    assert!(parts.len() <= 8, "{} parts", parts.len());
    assert!((volume_of_parts(&divided) / volume_of(&frame) - 1.0).abs() < 1e-9);
    // Nothing is in the window.
    let holds = |point: [f64; 3], part: &ConvexPart| {
        part.faces.iter().chain(&part.walls).all(|own| Vec3::from(own.normal).dot(&Vec3::from(point)) <= own.offset)
    };
    assert!(!parts.iter().any(|part| holds([0.3, 0.2, 0.25], part)));
    assert_eq!(parts.iter().filter(|part| holds([1.5, 0.2, 0.25], part)).count(), 1);
}

#[test]
fn an_open_surface_is_refused() {
    let open = TriangleMesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap();
    assert!(with_parts_within(open, 1e-3).unwrap_err().contains("cannot be divided"));
}

#[test]
fn a_surface_that_is_inside_out_is_turned_and_a_flat_one_refused() {
    let angle = prism(&[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]], 0.5);
    let turned = angle.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let divided = with_parts_within(TriangleMesh::new(angle.vertices().to_vec(), turned).unwrap(), 1e-4).unwrap();
    assert_eq!(divided.convex_parts().len(), 2);
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let flat = TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]]).unwrap();
    assert!(with_parts_within(flat, 1e-3).unwrap_err().contains("cannot be divided"));
}

/// Pressure, relative to that in the middle, up to which those of neighbours are compared: deep inside, faces of parts
/// beyond the neighbours are not known.
const SHALLOW: f64 = 0.3;

/// Greatest difference of the pressure fields of two parts at places of the walls between them, relative to the pressure
/// in the middle, and the number of these places.
fn difference_at_walls(mesh: &TriangleMesh) -> (f64, usize) {
    let shape = Shape::Mesh { mesh: Arc::new(mesh.clone()), scale: [1.0; 3] };
    let pieces = ConvexShape::pieces(&shape, 0.0).unwrap();
    let parts: Vec<&Polyhedron> = pieces.iter().map(|piece| piece.polyhedron().unwrap()).collect();
    let field = |part: &Polyhedron, x: &Vec3| {
        let planes = part.faces().iter().chain(part.continued());
        planes.map(|plane| (plane.offset - plane.normal.dot(x)) / plane.height).fold(f64::INFINITY, f64::min)
    };
    let holds = |part: &Polyhedron, x: &Vec3| {
        part.faces().iter().chain(part.walls()).all(|plane| plane.normal.dot(x) - plane.offset < 1e-9)
    };
    let (mut worst, mut count) = (0.0_f64, 0);
    for (i, own) in parts.iter().enumerate() {
        for wall in own.walls() {
            let on_wall = own.corners().iter().filter(|x| (wall.normal.dot(x) - wall.offset).abs() < 1e-9);
            let corners: Vec<Vec3> = on_wall.copied().collect();
            let middle = corners.iter().sum::<Vec3>() / corners.len() as f64;
            for (k, step) in (0..corners.len()).flat_map(|k| (0..100).map(move |step| (k, step))) {
                let [u, v] = [step / 10, step % 10].map(|part| 0.1 * f64::from(part) + 0.05);
                let side = corners[k] + v * (corners[(k + 1) % corners.len()] - corners[k]);
                let x = middle + u * (side - middle);
                for (_, other) in parts.iter().enumerate().filter(|(j, other)| *j != i && holds(other, &x)) {
                    let [own, other] = [own, other].map(|part| field(part, &x));
                    if own.min(other) < SHALLOW {
                        worst = worst.max((own - other).abs());
                        count += 1;
                    }
                }
            }
        }
    }
    (worst, count)
}

/// The nearest face, and a face in the plane of the cut, may belong to another part. (Where walls of three parts meet
/// inside of the solid, pressures may differ.)
#[test]
fn pressure_goes_on_over_the_walls_between_parts() {
    let stars: [&[[f64; 2]]; 3] = [
        &[[22.0, 0.0], [25.0, 43.0], [-18.0, 20.0], [-50.0, 0.0], [-20.0, -17.0], [25.0, -43.0]],
        &[
            [34.06, 0.00],
            [35.36, 35.36],
            [0.00, 34.16],
            [-35.36, 35.36],
            [-41.41, 0.00],
            [-35.36, -35.36],
            [-0.00, -21.41],
            [35.36, -35.36],
        ],
        &[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]],
    ];
    for (star, (height, least)) in stars.into_iter().zip([(40.0, 2), (40.0, 3), (0.5, 2)]) {
        let divided = with_parts_within(prism(star, height), 1e-4).unwrap();
        assert!(divided.convex_parts().len() >= least, "{} parts", divided.convex_parts().len());
        let (worst, count) = difference_at_walls(&divided);
        assert!(count > 100, "{count} places");
        assert!(worst < 1e-9, "{star:?}: pressures differ by {worst}");
    }
}
