//! What can be wrong with a chart.

use std::fmt;

/// Why a chart cannot be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum PlotError {
    /// The chart has no panels.
    NoPanels,
    /// The panel with this y label has no series.
    EmptyPanel {
        /// y label of the panel.
        panel: String,
    },
    /// A series without a single point, or with none that can be drawn.
    EmptySeries {
        /// Name of the series.
        series: String,
        /// How many points it has, none of them finite and of a size that can be drawn.
        num_points: usize,
    },
    /// An event marker at NaN or infinity.
    EventNotFinite {
        /// Position in [`super::Chart::events`].
        index: usize,
        /// The value found there.
        value: f64,
    },
    /// The drawing could not be turned into a PNG.
    Raster {
        /// Message of the rasteriser or encoder.
        reason: String,
    },
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPanels => write!(f, "the plot has no panels; choose at least one variable to show"),
            Self::EmptyPanel { panel } => {
                write!(f, "the panel \"{panel}\" has no series; give it at least one or leave the panel out")
            }
            Self::EmptySeries { series, num_points: 0 } => {
                write!(f, "the series \"{series}\" has no points; a plot needs at least one row of results")
            }
            Self::EmptySeries { series, num_points } => write!(
                f,
                "none of the {num_points} points of the series \"{series}\" is finite and at most 1e300; there is nothing to draw"
            ),
            Self::EventNotFinite { index, value } => {
                write!(f, "event marker {index} is at x = {value}; an event needs a finite x value")
            }
            Self::Raster { reason } => write!(f, "the plot cannot be turned into a PNG: {reason}"),
        }
    }
}

impl std::error::Error for PlotError {}
