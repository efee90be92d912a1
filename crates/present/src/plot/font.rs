//! The typeface: named in the SVG, carried along for PNG, and measured for the layout.

use ttf_parser::Face;

/// Families tried in this order; the second has the same widths as the first.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, Arial, sans-serif";

/// The faces a PNG is rendered with: regular and bold.
pub(super) fn faces() -> [&'static [u8]; 2] {
    [dejavu::sans::regular(), dejavu::sans::bold()]
}

/// Width of `text` in SVG units at `size` (SVG units per em).
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    match Face::parse(dejavu::sans::regular(), 0) {
        Ok(face) => text.chars().map(|c| advance(&face, c)).sum::<f64>() * size,
        Err(_) => text.chars().count() as f64 * 0.62 * size,
    }
}

/// Advance width of one character in em; characters the face lacks count as wide ones.
fn advance(face: &Face<'_>, c: char) -> f64 {
    face.glyph_index(c)
        .and_then(|glyph| face.glyph_hor_advance(glyph))
        .map_or(1.0, |units| f64::from(units) / f64::from(face.units_per_em()))
}
