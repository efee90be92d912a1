//! Tests of shapes, meshes and mass properties.
#![allow(clippy::unwrap_used, clippy::panic)]

mod mass;
mod mesh;
mod shapes;
mod tessellation;

use super::*;
use nalgebra::{Matrix3, Vector3};

fn assert_near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} against {b}");
}

fn assert_same(a: &VolumeProperties, b: &VolumeProperties, tolerance: f64, what: &str) {
    assert_near(a.volume, b.volume, tolerance * a.volume, what);
    let size = a.volume.cbrt();
    assert!((a.center - b.center).norm() <= tolerance * size, "{what}: centre {} against {}", a.center, b.center);
    let difference = (a.second_moments - b.second_moments).amax();
    assert!(
        difference <= tolerance * a.second_moments.amax(),
        "{what}: {} against {}",
        a.second_moments,
        b.second_moments
    );
}

fn box_mesh([x, y, z]: [f64; 3]) -> TriangleMesh {
    let corner = |k: u32| [x, y, z].map(|length| length / 2.0).map_with_sign(k);
    let vertices = (0..8).map(corner).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

trait MapWithSign {
    /// Signs from the bits of `k`: bit i set means positive coordinate i.
    fn map_with_sign(self, k: u32) -> Self;
}

impl MapWithSign for [f64; 3] {
    fn map_with_sign(self, k: u32) -> [f64; 3] {
        std::array::from_fn(|i| if k >> i & 1 == 1 { self[i] } else { -self[i] })
    }
}
