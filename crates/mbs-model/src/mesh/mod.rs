//! Triangle meshes from files.

pub(crate) mod convex_parts;
mod obj;
mod stl;

use std::path::Path;

use mbs::solid::TriangleMesh;

/// Vertices nearer than this, relative to the size of the mesh, are one vertex: STL repeats them, in single precision.
const WELDING: f64 = 1e-6;

/// Corners of triangles \[m\].
type Soup = Vec<[[f64; 3]; 3]>;

/// The mesh in a file; the extension tells the format.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<TriangleMesh, String> {
    TriangleMesh::from_soup(&triangles(path, bytes)?, WELDING).map_err(|error| error.to_string())
}

/// Corners of the triangles of a file \[m\], as they stand there; the extension tells the format.
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
