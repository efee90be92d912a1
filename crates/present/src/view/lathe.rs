//! Surfaces of revolution about z.

use super::mesh::TriangleMesh;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A point of a profile: radius, height and the components of the outward normal along them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ProfilePoint {
    r: f64,
    z: f64,
    n_r: f64,
    n_z: f64,
}

/// A smooth piece of a profile; pieces meet in sharp edges. It runs so that the outside lies to its right
/// (bottom centre, outer side upwards, top centre).
pub(super) type Piece = Vec<ProfilePoint>;

/// Straight piece from `(r, z)` to `(r, z)`.
pub(super) fn straight(from: (f64, f64), to: (f64, f64)) -> Piece {
    let (dr, dz) = (to.0 - from.0, to.1 - from.1);
    let length = elementary::hypot(dr, dz);
    let (n_r, n_z) = (dz / length, -dr / length);
    [from, to].map(|(r, z)| ProfilePoint { r, z, n_r, n_z }).to_vec()
}

/// Arc of `radius` around `(0, z)` between two latitudes [rad], in `divisions` steps.
pub(super) fn arc(z: f64, radius: f64, latitudes: (f64, f64), divisions: usize) -> Piece {
    (0..=divisions)
        .map(|i| latitudes.0 + (latitudes.1 - latitudes.0) * i as f64 / divisions as f64)
        .map(|angle| (latitude_cos(angle), elementary::sin(angle)))
        .map(|(c, s)| ProfilePoint { r: radius * c, z: z + radius * s, n_r: c, n_z: s })
        .collect()
}

/// Cosine that is exactly zero at the poles, where rings shrink to a point.
fn latitude_cos(angle: f64) -> f64 {
    if (angle.abs() - FRAC_PI_2).abs() < 1e-12 { 0.0 } else { elementary::cos(angle) }
}

/// Turns the pieces about z with `around` divisions.
pub(super) fn turn(pieces: &[Piece], around: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for piece in pieces {
        let rings: Vec<u32> = piece.iter().map(|point| ring(&mut mesh, point, around)).collect();
        for (i, pair) in piece.windows(2).enumerate() {
            let [lower, upper] = [0, 1].map(|side| Ring { first: rings[i + side], r: pair[side].r });
            band(&mut mesh, &lower, &upper, around);
        }
    }
    mesh
}

/// Adds a ring of corners, the first one twice to close it, and returns its first index.
fn ring(mesh: &mut TriangleMesh, point: &ProfilePoint, around: usize) -> u32 {
    let first = mesh.positions.len() as u32;
    for i in 0..=around {
        let (s, c) = elementary::sin_cos(TAU * (i % around) as f64 / around as f64);
        mesh.corner([point.r * c, point.r * s, point.z], [point.n_r * c, point.n_r * s, point.n_z]);
    }
    first
}

/// A ring of corners.
struct Ring {
    /// Its first corner.
    first: u32,
    /// Its radius.
    r: f64,
}

/// Connects two rings; a ring of radius zero gives triangles instead of squares.
fn band(mesh: &mut TriangleMesh, lower: &Ring, upper: &Ring, around: usize) {
    for i in 0..around as u32 {
        let (below, above) = (lower.first + i, upper.first + i);
        if lower.r > 0.0 {
            mesh.triangle(below, below + 1, above);
        }
        if upper.r > 0.0 {
            mesh.triangle(below + 1, above + 1, above);
        }
    }
}
