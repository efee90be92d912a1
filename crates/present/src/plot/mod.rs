//! Line plots with shared x axis: one panel per unit, stacked, as SVG or PNG.

mod axis;
mod curve;
mod draw;
mod error;
mod font;
mod layout;
mod legend;
mod palette;
mod png;
mod ticks;

pub use error::PlotError;

/// A figure: panels stacked over one common x axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chart {
    /// Title; empty for none.
    pub title: String,
    /// Label of the x axis with unit, for example `time [s]`.
    pub x_label: String,
    /// Panels from top to bottom; at least one.
    pub panels: Vec<Panel>,
    /// x values at which something happened; drawn as thin vertical lines in every panel.
    pub events: Vec<f64>,
    /// Room left and right of the curves, as a fraction of their width.
    pub x_margin: f64,
    /// Ends of the x axis that are given; the others follow from the curves.
    pub x_limits: [Option<f64>; 2],
    /// The same of all y axes.
    pub y_limits: [Option<f64>; 2],
    /// How the x axis is divided.
    pub x_scale: Scale,
    /// How the y axes are divided.
    pub y_scale: Scale,
}

/// How an axis is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Equal ratios have equal lengths; values that are not positive are left out.
    Logarithmic,
}

/// One pair of axes; its series share a unit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panel {
    /// Label of the y axis with unit, for example `angle [rad]`.
    pub y_label: String,
    /// Curves of this panel; at least one.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points `[x, y]` in drawing order. A point that is not finite interrupts the curve.
    pub points: Vec<[f64; 2]>,
}

/// File format of a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Scalable, with texts as texts.
    Svg,
    /// Bitmap with two pixels per SVG unit.
    Png,
}

/// Draws `chart`.
///
/// Both formats show the same picture; neither needs fonts on the machine that renders a PNG.
///
/// # Errors
/// [`PlotError`] when there is no panel, a panel without series, a series without a finite point, or an
/// event time that is not finite.
pub fn render(chart: &Chart, format: Format) -> Result<Vec<u8>, PlotError> {
    let layout = layout::Layout::new(chart)?;
    let svg = draw::document(chart, &layout);
    match format {
        Format::Svg => Ok(svg.into_bytes()),
        Format::Png => png::rasterise(&svg),
    }
}

#[cfg(test)]
mod tests;
