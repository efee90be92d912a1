//! Prisms: a convex outline in the xz-plane, extended along y from -1/2 to +1/2; cuboid and plane.

use super::mesh::{TriangleMesh, vector};
use std::f64::consts::{PI, TAU};

/// A corner of an outline with the outward normal there, both (x, z).
type OutlinePoint = ([f64; 2], [f64; 2]);

/// Bar of width 1 with round ends; `straight` is the length of its straight part along z.
pub(super) fn beam(straight: f64, around: usize) -> TriangleMesh {
    let half = around / 2;
    let end = |z: f64, start: f64| {
        (0..=half).map(move |i| {
            let (s, c) = elementary::sin_cos(start + PI * i as f64 / half as f64);
            ([0.5 * c, z + 0.5 * s], [c, s])
        })
    };
    let outline: Vec<OutlinePoint> = end(0.5 * straight, 0.0).chain(end(-0.5 * straight, PI)).collect();
    prism(&outline)
}

/// Side and both faces of the prism over an outline that runs from +x to +z around the origin.
fn prism(outline: &[OutlinePoint]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for ([x, z], [n_x, n_z]) in outline {
        for y in [-0.5, 0.5] {
            mesh.corner([*x, y, *z], [*n_x, 0.0, *n_z]);
        }
    }
    let count = outline.len() as u32;
    for i in 0..count {
        let (a, b) = (2 * i, 2 * ((i + 1) % count));
        mesh.triangle(a, a + 1, b);
        mesh.triangle(b, a + 1, b + 1);
    }
    face(&mut mesh, outline, 0.5);
    face(&mut mesh, outline, -0.5);
    mesh
}

/// Closes a prism at `y` with a fan of triangles.
fn face(mesh: &mut TriangleMesh, outline: &[OutlinePoint], y: f64) {
    let normal = [0.0, y.signum(), 0.0];
    let corners: Vec<u32> = outline.iter().map(|([x, z], _)| mesh.corner([*x, y, *z], normal)).collect();
    for pair in corners[1..].windows(2) {
        if y > 0.0 {
            mesh.triangle(corners[0], pair[1], pair[0]);
        } else {
            mesh.triangle(corners[0], pair[0], pair[1]);
        }
    }
}

/// Cube of edge length 1 around the origin.
pub(super) fn cube() -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for axis in 0..3 {
        for sign in [-0.5, 0.5] {
            square(&mut mesh, axis, sign, sign.signum());
        }
    }
    mesh
}

/// Square of edge length 1 with normal z, with a front and a back.
pub(super) fn plane() -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    square(&mut mesh, 2, 0.0, 1.0);
    square(&mut mesh, 2, 0.0, -1.0);
    mesh
}

/// Unit square normal to `axis` at `offset`, facing the direction of `sign`.
fn square(mesh: &mut TriangleMesh, axis: usize, offset: f64, sign: f64) {
    let direction = |i: usize, scale: f64| {
        let mut v = [0.0; 3];
        v[(axis + i) % 3] = scale;
        v
    };
    let corners: Vec<u32> = (0..4)
        .map(|i| elementary::sin_cos(TAU * (f64::from(i) + 0.5) / 4.0))
        .map(|(s, c)| vector::sum(direction(1, 0.5 * c.signum()), direction(2, 0.5 * sign * s.signum())))
        .map(|p| mesh.corner(vector::sum(p, direction(0, offset)), direction(0, sign)))
        .collect();
    mesh.triangle(corners[0], corners[1], corners[2]);
    mesh.triangle(corners[0], corners[2], corners[3]);
}
