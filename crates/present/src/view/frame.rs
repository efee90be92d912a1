//! Coordinate axes as three arrows.

use super::lathe::{Piece, straight, turn};
use super::mesh::TriangleMesh;

/// Linear RGB of the x, y and z arrows.
const COLORS: [[f32; 3]; 3] = [[0.72, 0.03, 0.04], [0.03, 0.38, 0.06], [0.02, 0.11, 0.75]];
const SHAFT_RADIUS: f64 = 0.018;
const HEAD_RADIUS: f64 = 0.055;
const HEAD_LENGTH: f64 = 0.2;
const AROUND: usize = 12;

/// Arrows of length 1 along x (red), y (green) and z (blue).
pub(super) fn axes() -> TriangleMesh {
    let arrow = turn(&profile(), AROUND);
    let mut mesh = TriangleMesh::default();
    for (index, color) in COLORS.into_iter().enumerate() {
        mesh.append_colored(&arrow, (index + 1) % 3, color);
    }
    mesh
}

fn profile() -> [Piece; 4] {
    let neck = 1.0 - HEAD_LENGTH;
    [
        straight((0.0, 0.0), (SHAFT_RADIUS, 0.0)),
        straight((SHAFT_RADIUS, 0.0), (SHAFT_RADIUS, neck)),
        straight((SHAFT_RADIUS, neck), (HEAD_RADIUS, neck)),
        straight((HEAD_RADIUS, neck), (0.0, 1.0)),
    ]
}
