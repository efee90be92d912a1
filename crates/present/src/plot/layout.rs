//! Where everything goes: sizes and axes of the figure before anything is drawn.

use super::axis::Axis;
use super::font::text_width;
use super::legend::{self, Entry};
use super::{Chart, Panel, PlotError, Series};

/// Width of the figure in SVG units.
pub(super) const WIDTH: f64 = 960.0;
/// Font size of tick labels.
pub(super) const TICK_SIZE: f64 = 12.0;
/// Font size of axis labels.
pub(super) const LABEL_SIZE: f64 = 13.0;
/// Font size of the title.
pub(super) const TITLE_SIZE: f64 = 17.0;

const MARGIN: f64 = 18.0;
const TITLE_HEIGHT: f64 = 32.0;
const PANEL_GAP: f64 = 22.0;
const X_AXIS_HEIGHT: f64 = 52.0;
const Y_LABEL_WIDTH: f64 = 26.0;
const Y_TICK_GAP: f64 = 8.0;
const Y_MARGIN: f64 = 0.06;

/// Placement of the figure.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// Height of the figure.
    pub(super) height: f64,
    /// x coordinate of the left and right edges of all panels.
    pub(super) edges: (f64, f64),
    /// The x axis that all panels share.
    pub(super) x: Axis,
    /// One per panel.
    pub(super) panels: Vec<PanelLayout>,
}

/// Placement of one panel.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PanelLayout {
    /// y coordinate of the first legend row.
    pub(super) legend_top: f64,
    /// Legend entries.
    pub(super) legend: Vec<Entry>,
    /// y coordinate of the upper and lower edges.
    pub(super) edges: (f64, f64),
    /// The y axis.
    pub(super) y: Axis,
}

impl Layout {
    /// Checks `chart` and places its parts.
    pub(super) fn new(chart: &Chart) -> Result<Self, PlotError> {
        check(chart)?;
        let edges = (left_edge(chart), WIDTH - MARGIN - 6.0);
        let top = MARGIN + if chart.title.is_empty() { 0.0 } else { TITLE_HEIGHT };
        let panels = stack(chart, top, edges.1 - edges.0);
        let bottom = panels.last().map_or(top, |p| p.edges.1);
        let x = x_axis(chart, edges);
        Ok(Self { height: bottom + X_AXIS_HEIGHT, edges, x, panels })
    }
}

fn check(chart: &Chart) -> Result<(), PlotError> {
    if chart.panels.is_empty() {
        return Err(PlotError::NoPanels);
    }
    for panel in &chart.panels {
        if panel.series.is_empty() {
            return Err(PlotError::EmptyPanel { panel: panel.y_label.clone() });
        }
        panel.series.iter().try_for_each(|series| check_series(chart, series))?;
    }
    match chart.events.iter().position(|t| !t.is_finite()) {
        Some(index) => Err(PlotError::EventNotFinite { index, value: chart.events[index] }),
        None => Ok(()),
    }
}

fn check_series(chart: &Chart, series: &Series) -> Result<(), PlotError> {
    let is_shown = |p: &&[f64; 2]| chart.x_scale.shows(p[0]) && chart.y_scale.shows(p[1]);
    match series.points.iter().find(is_shown) {
        Some(_) => Ok(()),
        None => Err(PlotError::EmptySeries { series: series.name.clone(), num_points: series.points.len() }),
    }
}

fn stack(chart: &Chart, top: f64, width: f64) -> Vec<PanelLayout> {
    let height = panel_height(chart.panels.len());
    let mut panels: Vec<PanelLayout> = Vec::new();
    for panel in &chart.panels {
        let legend_top = panels.last().map_or(top, |above| above.edges.1 + PANEL_GAP);
        panels.push(place(chart, panel, legend_top, height, width));
    }
    panels
}

fn place(chart: &Chart, panel: &Panel, legend_top: f64, height: f64, width: f64) -> PanelLayout {
    let names: Vec<&str> = panel.series.iter().map(|s| s.name.as_str()).collect();
    let legend = legend::arrange(&names, width);
    let upper = legend_top + legend::num_rows(&legend) as f64 * legend::ROW + 4.0;
    let edges = (upper, upper + height);
    let y = y_axis(chart, panel, (edges.1, edges.0), y_tick_count(height));
    PanelLayout { legend_top, legend, edges, y }
}

fn panel_height(num_panels: usize) -> f64 {
    match num_panels {
        1 => 380.0,
        2 => 250.0,
        _ => 190.0,
    }
}

fn y_tick_count(height: f64) -> usize {
    (height / 32.0) as usize
}

fn x_axis(chart: &Chart, pixels: (f64, f64)) -> Axis {
    let points = chart.panels.iter().flat_map(|p| &p.series).flat_map(|s| &s.points);
    let range = chart.x_scale.range(points.map(|p| p[0]), chart.x_margin, chart.x_limits);
    Axis::new(range, pixels, 10, chart.x_scale)
}

fn y_axis(chart: &Chart, panel: &Panel, pixels: (f64, f64), max_ticks: usize) -> Axis {
    let points = panel.series.iter().flat_map(|s| &s.points);
    let range = chart.y_scale.range(points.map(|p| p[1]), Y_MARGIN, chart.y_limits);
    Axis::new(range, pixels, max_ticks, chart.y_scale)
}

/// The left edge leaves room for the widest tick label of any panel, so that all panels align.
fn left_edge(chart: &Chart) -> f64 {
    let max_ticks = y_tick_count(panel_height(chart.panels.len()));
    let widest = chart
        .panels
        .iter()
        .flat_map(|panel| y_axis(chart, panel, (1.0, 0.0), max_ticks).ticks.labels)
        .map(|label| text_width(&label, TICK_SIZE))
        .fold(20.0, f64::max);
    MARGIN + Y_LABEL_WIDTH + widest + Y_TICK_GAP
}
