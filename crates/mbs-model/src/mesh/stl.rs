//! STL files, binary and text.

use std::io::Cursor;

use super::Soup;

/// Bytes before the triangles of a binary file: heading and number of triangles.
const HEADING: usize = 84;
/// Bytes of a triangle in a binary file.
const TRIANGLE: usize = 50;

/// Triangles of a file.
///
/// # Errors
/// What is wrong with the file.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let mut bytes = bytes.to_vec();
    if is_binary(&bytes)? {
        // Headers of binary files may start with `solid`, like text files.
        bytes.iter_mut().take(80).for_each(|byte| *byte = 0);
    }
    let mut cursor = Cursor::new(bytes);
    let triangles = stl_io::create_stl_reader(&mut cursor).map_err(|error| damaged(&error))?;
    triangles
        .map(|triangle| {
            let corners = triangle.map_err(|error| damaged(&error))?.vertices;
            Ok(corners.map(|corner| [0, 1, 2].map(|axis| f64::from(corner[axis]))))
        })
        .collect()
}

/// Whether the length matches the number of triangles of a binary file.
fn is_binary(bytes: &[u8]) -> Result<bool, String> {
    let count = bytes.get(80..HEADING).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    let wanted = count.map(|count| HEADING as u64 + u64::from(count) * TRIANGLE as u64);
    if wanted == Some(bytes.len() as u64) {
        return Ok(true);
    }
    if bytes.starts_with(b"solid ") {
        return Ok(false);
    }
    let length = bytes.len();
    match wanted {
        Some(wanted) => Err(format!("is not an STL file: it has {length} bytes, its heading asks for {wanted}")),
        None => Err(format!("is not an STL file: it has {length} bytes only")),
    }
}

fn damaged(error: &std::io::Error) -> String {
    format!("is not an STL file: {error}")
}
