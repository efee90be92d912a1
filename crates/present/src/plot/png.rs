//! From SVG to PNG.

use super::{PlotError, font};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels per SVG unit.
const SCALE: f32 = 2.0;

/// Rasterises an SVG with the font that this crate carries.
pub(super) fn rasterise(svg: &str) -> Result<Vec<u8>, PlotError> {
    let mut options = Options::default();
    for face in font::faces() {
        options.fontdb_mut().load_font_data(face.to_vec());
    }
    options.fontdb_mut().set_sans_serif_family("DejaVu Sans");
    let tree = Tree::from_str(svg, &options).map_err(raster_error)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or_else(|| raster_error("the figure has no size"))?;
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| raster_error("the figure is too large for a bitmap"))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(raster_error)
}

fn raster_error(reason: impl ToString) -> PlotError {
    PlotError::Raster { reason: reason.to_string() }
}
