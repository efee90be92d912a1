//! Convex parts of a concave mesh.
//!
//! Approximate convex decomposition of voxels (K. Mamou, F. Ghorbel, A simple and efficient approach for 3D mesh
//! approximate convex decomposition, ICIP 2009; V-HACD) by a library. The parts are hulls of what the voxels of each
//! part cut out of the mesh: outer surfaces stay exact, inner seams lie within a voxel. It happens once, when the model
//! is read; the parts are stored with the mesh.

use mbs::solid::{ConvexPart, TriangleMesh};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};

/// Voxels along the longest edge of the bounding box.
const RESOLUTION: u32 = 64;
/// Fraction of the volume by which a part may differ from its hull.
const CONCAVITY: f64 = 0.002;

/// The mesh with at most this many convex parts.
///
/// # Errors
/// A surface that is not closed; a mesh of which the library makes nothing.
pub(super) fn divided(mesh: TriangleMesh, most: u32) -> Result<TriangleMesh, String> {
    mesh.check_closed().map_err(|error| format!("cannot be divided into convex parts: {error}"))?;
    // The library works best in the range of 1.
    let size = mesh.bounding_box([1.0; 3]).lengths().max();
    let points: Vec<Vector> = mesh.vertices().iter().map(|&[x, y, z]| Vector::new(x, y, z) / size).collect();
    let parameters =
        VHACDParameters { max_convex_hulls: most, resolution: RESOLUTION, concavity: CONCAVITY, ..Default::default() };
    let decomposition = VHACD::decompose(&parameters, &points, mesh.triangles(), true);
    let hulls = decomposition.compute_exact_convex_hulls(&points, mesh.triangles());
    let corners = |(points, _): (Vec<Vector>, Vec<[u32; 3]>)| {
        points.iter().map(|p| [p.x * size, p.y * size, p.z * size]).collect()
    };
    let parts = hulls.into_iter().map(corners).filter(|part: &Vec<_>| part.len() >= 4);
    let parts: Vec<ConvexPart> = parts.map(ConvexPart::hull).collect();
    if parts.is_empty() {
        return Err("cannot be divided into convex parts; divide it by hand into several solids".to_owned());
    }
    mesh.with_convex_parts(parts).map_err(|error| error.to_string())
}
