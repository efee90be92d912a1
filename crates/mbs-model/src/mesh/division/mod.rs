//! Division of a solid into convex parts that keep its surface.
//!
//! Planes cut the solid until the convex hull of every part lies nowhere farther from the surface than allowed. Of the
//! planes through concave edges the one is taken that leaves least concavity (a greedy form of approximate convex
//! decomposition: J.-M. Lien, N. M. Amato, Approximate convex decomposition of polyhedra, SPM 2007; the choice of
//! planes by what they leave: X. Wei et al., Approximate convex decomposition for 3D meshes with collision-aware
//! concavity, SIGGRAPH 2022). Parts meet in the planes and do not overlap. Sections are never triangulated: the hull of
//! a part is that of the surface within its planes and of their common corners inside of the solid.

mod cut;
mod fragment;
mod plane;
mod solid;
#[cfg(test)]
mod tests;

use mbs::solid::{ConvexPart, PartPlane, TriangleMesh};

use self::cut::Piece;
use self::fragment::Fragment;
use self::solid::Solid;

/// Most parts of a mesh.
const MOST_PARTS: usize = 2048;

/// The mesh with convex parts whose surfaces are within `max_deviation` of its own, in its units.
///
/// # Errors
/// A surface that is not closed, or without volume; too many parts.
pub(super) fn with_parts_within(mesh: TriangleMesh, max_deviation: f64) -> Result<TriangleMesh, String> {
    let surface = mesh.oriented().map_err(|error| format!("cannot be divided into convex parts: {error}"))?;
    let (solid, concave) = Solid::new(&surface)?;
    let mut waiting: Vec<Piece> = Piece::new(&solid, Fragment::whole(&solid, concave)).into_iter().collect();
    let mut parts = Vec::new();
    while let Some(piece) = waiting.pop() {
        if piece.fragment.is_convex(&solid, &piece.hull, max_deviation) {
            parts.extend(part(&solid, &piece, max_deviation));
        } else {
            let pieces = piece
                .cut(&solid)
                .ok_or("cannot be divided into convex parts; divide it by hand into several solids")?;
            waiting.extend(pieces);
        }
        if parts.len() + waiting.len() > MOST_PARTS {
            return Err(format!(
                "needs more than {MOST_PARTS} convex parts to stay within {max_deviation} of its surface; allow a larger deviation, or divide it by hand into several solids"
            ));
        }
    }
    if parts.is_empty() {
        return Err("cannot be divided into convex parts: it has no volume".to_owned());
    }
    mesh.with_convex_parts(parts).map_err(|error| error.to_string())
}

/// What is kept of a piece; none of one that has no surface of its own.
fn part(solid: &Solid, piece: &Piece, max_deviation: f64) -> Option<ConvexPart> {
    let planes = |is_wall: bool| piece.hull.planes.iter().filter(move |own| own.is_wall() == is_wall);
    let of = |own: &fragment::HullPlane, height: f64| PartPlane {
        normal: own.plane.normal.into(),
        offset: own.plane.offset,
        height,
    };
    let faces: Vec<PartPlane> =
        planes(false).map(|own| of(own, piece.fragment.half_thickness(solid, own, max_deviation))).collect();
    let walls = planes(true).map(|own| of(own, 1.0)).collect();
    let corners = piece.hull.corners.iter().map(|&corner| corner.into()).collect();
    (!faces.is_empty()).then_some(ConvexPart { corners, faces, walls })
}
