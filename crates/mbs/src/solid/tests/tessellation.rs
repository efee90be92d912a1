//! Fine meshes of round shapes: an independent way to their volume properties.

use super::super::*;
use nalgebra::Vector3;
use std::f64::consts::PI;

/// Points of an arc in the (radius, position along the axis) plane.
pub fn arc(center: f64, radius: f64, from: f64, to: f64, pieces: usize) -> Vec<[f64; 2]> {
    let angle = |k: usize| from + (to - from) * k as f64 / pieces as f64;
    (0..=pieces).map(|k| [radius * angle(k).cos().max(0.0), center + radius * angle(k).sin()]).collect()
}

/// Surface of revolution of a profile (radius, position) that runs upwards on the outside. A closed profile (first
/// point repeated at the end) makes a ring, else both ends lie on the axis.
pub fn revolved(axis: Axis, profile: &[[f64; 2]], around: usize) -> TriangleMesh {
    let point = |[radius, along]: [f64; 2], k: usize| -> [f64; 3] {
        let angle = 2.0 * PI * (k % around) as f64 / around as f64;
        axis.vector(along, radius * angle.cos(), radius * angle.sin()).into()
    };
    let mut soup = Vec::new();
    for pair in profile.windows(2) {
        for k in 0..around {
            let [a, b, c, d] = [point(pair[0], k), point(pair[0], k + 1), point(pair[1], k + 1), point(pair[1], k)];
            soup.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriangleMesh::from_soup(&soup, 1e-12).unwrap()
}

/// Stadium-shaped plate, as a beam along `axis`.
pub fn plate(axis: Axis, length: f64, width: f64, thickness: f64, pieces: usize) -> TriangleMesh {
    let end = |center: f64, from: f64| -> Vec<[f64; 2]> {
        let angle = |k: usize| from + PI * k as f64 / pieces as f64;
        (0..=pieces).map(|k| [center + width / 2.0 * angle(k).cos(), width / 2.0 * angle(k).sin()]).collect()
    };
    let outline = [end(length / 2.0, -PI / 2.0), end(-length / 2.0, PI / 2.0)].concat();
    let at = |[x, y]: [f64; 2], z: f64| -> [f64; 3] { axis.vector(x, y, z).into() };
    let (low, high) = (-thickness / 2.0, thickness / 2.0);
    let mut soup = Vec::new();
    for (k, &p) in outline.iter().enumerate() {
        let q = outline[(k + 1) % outline.len()];
        soup.extend([[at(p, low), at(q, low), at(q, high)], [at(p, low), at(q, high), at(p, high)]]);
        soup.extend([[at([0.0; 2], high), at(p, high), at(q, high)], [at([0.0; 2], low), at(q, low), at(p, low)]]);
    }
    TriangleMesh::from_soup(&soup, 1e-12).unwrap()
}

/// Limit of fine tessellation: errors are proportional to the square of the mesh size, so two meshes extrapolate to it.
pub fn limit(mesh: impl Fn(usize) -> TriangleMesh) -> VolumeProperties {
    let properties = |pieces| mesh(pieces).volume_properties([1.0; 3]).unwrap();
    let (coarse, middle, fine) = (properties(16), properties(32), properties(64));
    let extrapolate = |a: f64, b: f64, c: f64| {
        let (first, second) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
        (16.0 * second - first) / 15.0
    };
    VolumeProperties {
        volume: extrapolate(coarse.volume, middle.volume, fine.volume),
        center: Vector3::from_fn(|i, _| extrapolate(coarse.center[i], middle.center[i], fine.center[i])),
        second_moments: coarse.second_moments.zip_zip_map(&middle.second_moments, &fine.second_moments, extrapolate),
    }
}
