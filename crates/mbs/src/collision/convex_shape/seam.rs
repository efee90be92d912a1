//! Seams of a piece of a surface.

use crate::math::Vec3;

/// Where the face of a piece goes on in another piece, in the shape frame S.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::collision) struct Seam {
    /// Number of the face.
    pub face: usize,
    /// The side of the face, and that of the other piece.
    pub own: SeamSide,
    pub other: SeamSide,
}

/// One side of a seam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::collision) struct SeamSide {
    /// Outward unit normal of the face.
    pub normal: Vec3,
    /// Unit vector in the face, across the seam, away from the face.
    pub across: Vec3,
    /// Distance of the seam from So along `across` \[m\].
    pub offset: f64,
}

impl SeamSide {
    /// The side of an edge on which a face lies with a point `inside`.
    pub fn new(normal: Vec3, edge: &[Vec3; 2], inside: &Vec3) -> Option<Self> {
        let across = normal.cross(&(edge[1] - edge[0])).try_normalize(0.0)?;
        let across = across * -across.dot(&(inside - edge[0])).signum();
        Some(Self { normal, across, offset: across.dot(&edge[0]) })
    }
}
