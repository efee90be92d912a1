//! Normals for meshes of users: smooth across flat edges, sharp across steep ones.

use super::mesh::{TriangleMesh, vector};
use std::collections::BTreeMap;

/// Faces that meet at less than 35 degrees are shaded as one smooth surface.
const SMOOTH_COSINE: f64 = 0.819;

/// A mesh with one corner per triangle corner, so that neighbours may differ in their normals.
pub(super) fn shaded(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> TriangleMesh {
    let faces: Vec<[f64; 3]> = triangles.iter().map(|t| area_normal(vertices, t)).collect();
    let around = faces_around(vertices, triangles);
    let mut mesh = TriangleMesh::default();
    for (triangle, face) in triangles.iter().zip(&faces) {
        let [a, b, c] = triangle.map(|vertex| {
            let position = vertices[vertex as usize];
            let neighbours = around.get(&position_key(position)).map_or(&[][..], Vec::as_slice);
            mesh.corner(position, corner_normal(*face, neighbours, &faces))
        });
        mesh.triangle(a, b, c);
    }
    mesh
}

/// Normal of a triangle, as long as twice its area.
fn area_normal(vertices: &[[f64; 3]], triangle: &[u32; 3]) -> [f64; 3] {
    let [a, b, c] = triangle.map(|i| vertices[i as usize]);
    vector::cross(vector::difference(b, a), vector::difference(c, a))
}

/// Vertices at the same place are one, whatever their index: many files repeat them for every triangle.
fn position_key(position: [f64; 3]) -> [u64; 3] {
    position.map(|v| (v + 0.0).to_bits())
}

fn faces_around(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> BTreeMap<[u64; 3], Vec<usize>> {
    let mut around: BTreeMap<[u64; 3], Vec<usize>> = BTreeMap::new();
    for (face, triangle) in triangles.iter().enumerate() {
        for vertex in triangle {
            around.entry(position_key(vertices[*vertex as usize])).or_default().push(face);
        }
    }
    around
}

/// Area-weighted mean of the normals around a corner that are close to the normal of its own face.
fn corner_normal(face: [f64; 3], neighbours: &[usize], faces: &[[f64; 3]]) -> [f64; 3] {
    let own = vector::unit(face);
    let mean = neighbours
        .iter()
        .map(|i| faces[*i])
        .filter(|other| vector::dot(own, vector::unit(*other)) > SMOOTH_COSINE)
        .fold([0.0; 3], vector::sum);
    if mean == [0.0; 3] { own } else { vector::unit(mean) }
}
