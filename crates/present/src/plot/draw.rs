//! The figure as an SVG document.

use super::layout::{LABEL_SIZE, Layout, PanelLayout, TICK_SIZE, TITLE_SIZE, WIDTH};
use super::palette::{Stroke, stroke};
use super::{Chart, Panel, Series, curve, font, legend};
use svg::Document;
use svg::node::element::{Circle, ClipPath, Definitions, Group, Line, Path, Rectangle, Text};

const INK: &str = "#24292f";
const FAINT: &str = "#57606a";
const GRID: &str = "#e4e7eb";
const FRAME: &str = "#8c959f";
const EVENT: &str = "#9a6700";

/// Draws the whole figure.
pub(super) fn document(chart: &Chart, layout: &Layout) -> String {
    let mut document = Document::new()
        .set("width", WIDTH)
        .set("height", round(layout.height))
        .set("viewBox", (0, 0, WIDTH, round(layout.height)))
        .set("font-family", font::FAMILY)
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"))
        .add(clips(layout));
    if !chart.title.is_empty() {
        document = document.add(title(&chart.title, layout.edges.0));
    }
    for (index, (panel, place)) in chart.panels.iter().zip(&layout.panels).enumerate() {
        document = document.add(panel_group(chart, panel, layout, place, index));
    }
    document.add(x_axis(&chart.x_label, layout)).to_string() + "\n"
}

/// Coordinates to a hundredth of a unit; more digits are noise in the file.
fn round(v: f64) -> f64 {
    (v * 100.0).round() / 100.0
}

/// Text without characters that XML forbids.
fn text(content: &str, x: f64, y: f64, size: f64, color: &str) -> Text {
    let clean: String = content.chars().filter(|c| !c.is_control()).collect();
    Text::new(clean).set("x", round(x)).set("y", round(y)).set("font-size", size).set("fill", color)
}

fn line(from: (f64, f64), to: (f64, f64), color: &str) -> Line {
    Line::new()
        .set("x1", round(from.0))
        .set("y1", round(from.1))
        .set("x2", round(to.0))
        .set("y2", round(to.1))
        .set("stroke", color)
}

fn title(content: &str, x: f64) -> Text {
    text(content, x, 34.0, TITLE_SIZE, INK).set("font-weight", "bold")
}

/// One clip rectangle per panel, a little larger than the panel so that strokes on the edge stay whole.
fn clips(layout: &Layout) -> Definitions {
    layout.panels.iter().enumerate().fold(Definitions::new(), |defs, (index, place)| {
        let area = rectangle(layout.edges, (place.edges.0 - 2.0, place.edges.1 + 2.0));
        defs.add(ClipPath::new().set("id", format!("panel{index}")).add(area))
    })
}

fn rectangle(x: (f64, f64), y: (f64, f64)) -> Rectangle {
    Rectangle::new()
        .set("x", round(x.0))
        .set("y", round(y.0))
        .set("width", round(x.1 - x.0))
        .set("height", round(y.1 - y.0))
}

fn panel_group(chart: &Chart, panel: &Panel, layout: &Layout, place: &PanelLayout, index: usize) -> Group {
    Group::new()
        .add(grid(layout, place))
        .add(events(&chart.events, layout, place))
        .add(curves(&panel.series, layout, place).set("clip-path", format!("url(#panel{index})")))
        .add(frame(layout, place))
        .add(y_labels(&panel.y_label, layout, place))
        .add(legend_group(layout, place))
}

fn grid(layout: &Layout, place: &PanelLayout) -> Group {
    let (left, right) = layout.edges;
    let (upper, lower) = place.edges;
    let vertical = layout.x.ticks.values.iter().map(|v| layout.x.map(*v));
    let horizontal = place.y.ticks.values.iter().map(|v| place.y.map(*v));
    let group = vertical.fold(Group::new(), |g, x| g.add(line((x, upper), (x, lower), GRID)));
    horizontal.fold(group, |g, y| g.add(line((left, y), (right, y), GRID)))
}

fn frame(layout: &Layout, place: &PanelLayout) -> Rectangle {
    rectangle(layout.edges, place.edges).set("fill", "none").set("stroke", FRAME)
}

fn events(times: &[f64], layout: &Layout, place: &PanelLayout) -> Group {
    let (upper, lower) = place.edges;
    let group = Group::new().set("stroke-dasharray", "3 3").set("stroke-width", 0.9).set("opacity", 0.75);
    times
        .iter()
        .filter(|t| layout.x.contains(**t))
        .map(|t| layout.x.map(*t))
        .fold(group, |g, x| g.add(line((x, upper), (x, lower), EVENT)))
}

fn curves(series: &[Series], layout: &Layout, place: &PanelLayout) -> Group {
    let group = Group::new()
        .set("fill", "none")
        .set("stroke-width", 1.6)
        .set("stroke-linejoin", "round")
        .set("stroke-linecap", "round");
    series.iter().enumerate().fold(group, |g, (index, one)| g.add(curve_group(one, stroke(index), layout, place)))
}

fn curve_group(series: &Series, look: Stroke, layout: &Layout, place: &PanelLayout) -> Group {
    let group = Group::new().set("stroke", look.color).set("stroke-dasharray", look.dash);
    curve::pieces(&series.points, &layout.x, &place.y).iter().fold(group, |g, piece| match piece.as_slice() {
        [[x, y]] => g.add(dot(*x, *y, look)),
        points => g.add(Path::new().set("d", curve::path_data(points))),
    })
}

/// A point without neighbours would be invisible as a path.
fn dot(x: f64, y: f64, look: Stroke) -> Circle {
    Circle::new().set("cx", round(x)).set("cy", round(y)).set("r", 2.2).set("fill", look.color).set("stroke", "none")
}

fn y_labels(label: &str, layout: &Layout, place: &PanelLayout) -> Group {
    let ticks = &place.y.ticks;
    let group = ticks.values.iter().zip(&ticks.labels).fold(Group::new(), |g, (value, content)| {
        let y = place.y.map(*value) + 0.36 * TICK_SIZE;
        g.add(text(content, layout.edges.0 - 8.0, y, TICK_SIZE, FAINT).set("text-anchor", "end"))
    });
    let middle = round((place.edges.0 + place.edges.1) / 2.0);
    group.add(
        text(label, 28.0, middle, LABEL_SIZE, INK)
            .set("text-anchor", "middle")
            .set("transform", format!("rotate(-90 28 {middle})")),
    )
}

fn x_axis(label: &str, layout: &Layout) -> Group {
    let (left, right) = layout.edges;
    let lower = layout.panels.last().map_or(0.0, |p| p.edges.1);
    let ticks = &layout.x.ticks;
    let group = ticks.values.iter().zip(&ticks.labels).fold(Group::new(), |g, (value, content)| {
        let x = layout.x.map(*value);
        g.add(text(content, x, lower + 18.0, TICK_SIZE, FAINT).set("text-anchor", "middle"))
    });
    group.add(text(label, (left + right) / 2.0, lower + 40.0, LABEL_SIZE, INK).set("text-anchor", "middle"))
}

fn legend_group(layout: &Layout, place: &PanelLayout) -> Group {
    place.legend.iter().fold(Group::new(), |group, entry| {
        let x = layout.edges.0 + entry.x;
        let y = place.legend_top + (entry.row as f64 + 0.5) * legend::ROW;
        let name = |x: f64| text(&entry.text, x, y + 0.36 * legend::SIZE, legend::SIZE, INK);
        match entry.series {
            Some(index) => group.add(swatch(x, y, stroke(index))).add(name(x + legend::SWATCH + legend::GAP)),
            None => group.add(name(x)),
        }
    })
}

fn swatch(x: f64, y: f64, look: Stroke) -> Line {
    line((x, y), (x + legend::SWATCH, y), look.color).set("stroke-width", 2.4).set("stroke-dasharray", look.dash)
}
