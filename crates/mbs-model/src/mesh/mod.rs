//! Triangle meshes from files.

mod division;
mod obj;
mod stl;
mod voxel_division;

use std::path::Path;

use mbs::solid::TriangleMesh;

/// Vertices nearer than this, relative to the size of the mesh, are one vertex: STL repeats them, in single precision.
const WELDING: f64 = 1e-6;

/// Corners of triangles \[m\].
type Soup = Vec<[[f64; 3]; 3]>;

/// How a mesh is divided into the convex parts that stand for it in contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Division {
    /// Its convex hull stands for it, as nothing else is said.
    None,
    /// Its convex hull stands for it, as the model says.
    Hull,
    /// Largest number of parts, about as the solid.
    Count(u32),
    /// Parts whose surfaces are nowhere farther from its own; in units of its coordinates, as the bits of a number.
    Within(u64),
}

impl Division {
    pub fn within(deviation: f64) -> Self {
        Self::Within(deviation.to_bits())
    }

    /// The mesh with its parts.
    ///
    /// # Errors
    /// What is wrong with the mesh.
    pub fn apply(self, mesh: TriangleMesh) -> Result<TriangleMesh, String> {
        match self {
            Self::None => Ok(mesh),
            Self::Hull => Ok(mesh.with_hull()),
            Self::Count(most) => voxel_division::divided(mesh, most),
            Self::Within(bits) => division::with_parts_within(mesh, f64::from_bits(bits)),
        }
    }
}

/// The mesh in a file; the extension gives the format.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<TriangleMesh, String> {
    TriangleMesh::from_soup(&triangles(path, bytes)?, WELDING).map_err(|error| error.to_string())
}

/// Corners of the triangles of a file \[m\], in the order of the file; the extension gives the format.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn triangles(path: &Path, bytes: &[u8]) -> Result<Soup, String> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    let soup = match extension.as_str() {
        "stl" => stl::read(bytes)?,
        "obj" => obj::read(bytes)?,
        _ => return Err("has an unknown format; `.stl` and `.obj` can be read".to_owned()),
    };
    if soup.is_empty() {
        return Err("has no triangles".to_owned());
    }
    if !soup.iter().flatten().flatten().all(|coordinate| coordinate.is_finite()) {
        return Err("has a vertex with a coordinate that is not a finite number".to_owned());
    }
    Ok(soup)
}
