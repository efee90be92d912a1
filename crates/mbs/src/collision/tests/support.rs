//! Support points of polyhedra with many vertices: climbing along edges finds what a comparison of all finds.

use super::random::Random;
use super::*;
use crate::collision::core::Core;
use crate::collision::vertex_list::VertexList;
use std::f64::consts::TAU;

/// The compiled hull of points.
fn hull(points: &[Vec3], smoothing: f64) -> Arc<VertexList> {
    let count = points.len() as u32;
    let triangles = (2..count).map(|i| [i - 2, i - 1, i]).collect();
    let mesh = Arc::new(TriangleMesh::new(points.iter().map(|&p| p.into()).collect(), triangles).unwrap());
    match ConvexShape::new(&Shape::Mesh { mesh, scale: [1.0; 3] }, smoothing).unwrap().core {
        Core::Hull { vertices } => vertices,
        other => panic!("a mesh has become {other:?}"),
    }
}

/// Points on an ellipsoid: no two neighbouring faces lie in one plane.
fn stone(random: &mut Random, count: usize) -> Vec<Vec3> {
    let axes = Vec3::new(random.length(), random.length(), random.length());
    (0..count).map(|_| random.direction().component_mul(&axes)).collect()
}

/// A prism, whose corners lie in two planes.
fn prism(corners: usize) -> Vec<Vec3> {
    let corner = |k: usize, z: f64| {
        let (s, c) = (TAU * k as f64 / corners as f64).sin_cos();
        Vec3::new(c, s, z)
    };
    (0..corners).flat_map(|k| [corner(k, -0.5), corner(k, 0.5)]).collect()
}

/// Along axes, edges and faces, where many are equally far, and anywhere.
fn directions(random: &mut Random, points: &[Vec3]) -> Vec<Vec3> {
    let any = |random: &mut Random| points[random.below(points.len() as u64) as usize];
    let mut all: Vec<Vec3> = [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().flat_map(|n| [n, -n]).collect();
    for _ in 0..400 {
        let (p, q, r) = (any(random), any(random), any(random));
        all.extend([random.direction() * random.between(1e-3, 1e3), p, p - q, (q - p).cross(&(r - p))]);
    }
    all
}

#[test]
fn climbing_finds_the_vertex_that_a_comparison_of_all_finds() {
    let mut random = Random(0x5eed_0007);
    for round in 0..40 {
        let count = 64 + random.below(400) as usize;
        let points = if round % 4 == 0 { prism(count / 2) } else { stone(&mut random, count) };
        let vertices = hull(&points, if round % 3 == 0 { 0.01 } else { 0.0 });
        assert!(vertices.climbs(), "round {round} with {count} points compares all");
        for n in directions(&mut random, &points) {
            assert_eq!(
                vertices.farthest(&n),
                vertices.farthest_of_all(&n),
                "round {round}, {count} points, along {n:?}"
            );
        }
    }
}

#[test]
fn a_direction_without_length_gives_the_first_vertex() {
    let vertices = hull(&stone(&mut Random(3), 100), 0.0);
    assert_eq!(vertices.farthest(&Vec3::zeros()), 0);
}

#[test]
fn few_vertices_are_compared() {
    assert!(!hull(&stone(&mut Random(5), 40), 0.0).climbs());
}
