//! From SVG to PNG: draws what `draw` writes, and no more of SVG than that.
//!
//! Elements: `g`, `rect`, `line`, `path` of straight lines, `circle`, `text` in one line, `clipPath` with one
//! rectangle. Attributes of appearance are inherited from the groups around an element.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use super::{PlotError, font};

/// Pixels per SVG unit.
const SCALE: f32 = 2.0;

/// Rasterises an SVG with the font that this crate carries.
pub(super) fn rasterise(svg: &str) -> Result<Vec<u8>, PlotError> {
    let document = Document::parse(svg).map_err(raster_error)?;
    let root = document.root_element();
    let size = |name| (number(root, name, 0.0) * SCALE).ceil() as u32;
    let (width, height) = (size("width"), size("height"));
    let pixels = Pixmap::new(width, height).ok_or_else(|| raster_error("the figure has no size"))?;
    let [regular, bold] = font::faces().map(|face| Face::parse(face, 0));
    let faces = [regular.map_err(raster_error)?, bold.map_err(raster_error)?];
    let mut canvas = Canvas { pixels, faces, clips: clips(root, width, height) };
    canvas.draw(root);
    canvas.pixels.encode_png().map_err(raster_error)
}

fn raster_error(reason: impl ToString) -> PlotError {
    PlotError::Raster { reason: reason.to_string() }
}

/// An attribute of the element or of the nearest group around it.
fn inherited<'a>(node: Node<'a, 'a>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|node| node.attribute(name))
}

/// A number among the attributes; in percent, it is a part of the whole figure's attribute of that name.
fn number(node: Node<'_, '_>, name: &str, missing: f32) -> f32 {
    let Some(text) = node.attribute(name) else { return missing };
    match text.strip_suffix('%') {
        Some(percent) => percent.parse().unwrap_or(0.0) / 100.0 * number(node.document().root_element(), name, 0.0),
        None => text.parse().unwrap_or(missing),
    }
}

fn inherited_number(node: Node<'_, '_>, name: &str, missing: f32) -> f32 {
    inherited(node, name).and_then(|text| text.parse().ok()).unwrap_or(missing)
}

fn rectangle(node: Node<'_, '_>) -> Option<Rect> {
    let at = |name| number(node, name, 0.0);
    Rect::from_xywh(at("x"), at("y"), at("width"), at("height"))
}

/// What the clip paths leave, by their reference, `url(#name)`.
fn clips(root: Node<'_, '_>, width: u32, height: u32) -> BTreeMap<String, Mask> {
    let clip = |node: Node<'_, '_>| {
        let area = PathBuilder::from_rect(rectangle(node.first_element_child()?)?);
        let mut mask = Mask::new(width, height)?;
        mask.fill_path(&area, FillRule::Winding, true, Transform::from_scale(SCALE, SCALE));
        Some((format!("url(#{})", node.attribute("id")?), mask))
    };
    root.descendants().filter(|node| node.has_tag_name("clipPath")).filter_map(clip).collect()
}

/// Paint of an attribute `fill` or `stroke`; none for `none`.
fn paint(node: Node<'_, '_>, name: &str, missing: Option<&str>) -> Option<Paint<'static>> {
    let digits = inherited(node, name).or(missing)?.strip_prefix('#')?;
    let channel = |k: usize| u8::from_str_radix(digits.get(2 * k..2 * k + 2)?, 16).ok();
    let mut color = Color::from_rgba8(channel(0)?, channel(1)?, channel(2)?, 255);
    color.apply_opacity(inherited_number(node, "opacity", 1.0));
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color);
    Some(paint)
}

fn stroke(node: Node<'_, '_>) -> Stroke {
    let dashes = inherited(node, "stroke-dasharray").map(lengths).filter(|dashes| !dashes.is_empty());
    Stroke {
        width: inherited_number(node, "stroke-width", 1.0),
        line_cap: if inherited(node, "stroke-linecap") == Some("round") { LineCap::Round } else { LineCap::Butt },
        line_join: if inherited(node, "stroke-linejoin") == Some("round") { LineJoin::Round } else { LineJoin::Miter },
        dash: dashes.and_then(|dashes| StrokeDash::new(dashes, 0.0)),
        ..Stroke::default()
    }
}

/// Lengths of dashes and gaps, an even number of them.
fn lengths(text: &str) -> Vec<f32> {
    let mut lengths: Vec<f32> = text.split([' ', ',']).filter_map(|length| length.parse().ok()).collect();
    if lengths.len() % 2 == 1 {
        lengths.extend_from_within(..);
    }
    lengths
}

/// A path like `M1,2L3,4L5,6`.
fn path_of(data: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (k, point) in data.split(['M', 'L']).filter(|point| !point.is_empty()).enumerate() {
        let (x, y) = point.split_once(',')?;
        let (x, y) = (x.parse().ok()?, y.parse().ok()?);
        if k == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.finish()
}

/// `rotate(angle x y)`, or nothing.
fn transform(node: Node<'_, '_>) -> Transform {
    let scale = Transform::from_scale(SCALE, SCALE);
    let rotation = node.attribute("transform").and_then(|text| text.strip_prefix("rotate(")?.strip_suffix(')'));
    let numbers = |text: &str| text.split(' ').filter_map(|number| number.parse().ok()).collect::<Vec<f32>>();
    match rotation.map(numbers).as_deref() {
        Some([angle, x, y]) => scale.pre_concat(Transform::from_rotate_at(*angle, *x, *y)),
        _ => scale,
    }
}

/// The picture while it is drawn.
struct Canvas {
    pixels: Pixmap,
    /// Regular and bold.
    faces: [Face<'static>; 2],
    clips: BTreeMap<String, Mask>,
}

impl Canvas {
    fn draw(&mut self, node: Node<'_, '_>) {
        match node.tag_name().name() {
            "svg" | "g" => node.children().for_each(|child| self.draw(child)),
            "rect" => self.shape(node, rectangle(node).map(PathBuilder::from_rect)),
            "line" => {
                let mut path = PathBuilder::new();
                path.move_to(number(node, "x1", 0.0), number(node, "y1", 0.0));
                path.line_to(number(node, "x2", 0.0), number(node, "y2", 0.0));
                self.shape(node, path.finish());
            }
            "circle" => {
                let [x, y, r] = ["cx", "cy", "r"].map(|name| number(node, name, 0.0));
                self.shape(node, PathBuilder::from_circle(x, y, r));
            }
            "path" => self.shape(node, node.attribute("d").and_then(path_of)),
            "text" => {
                let path = self.outline(node);
                self.shape(node, path);
            }
            _ => {}
        }
    }

    /// Fills and strokes a path by the attributes of its element.
    fn shape(&mut self, node: Node<'_, '_>, path: Option<Path>) {
        let Some(path) = path else { return };
        let (transform, clip) = (transform(node), inherited(node, "clip-path").and_then(|name| self.clips.get(name)));
        if let Some(fill) = paint(node, "fill", Some("#000000")) {
            self.pixels.fill_path(&path, &fill, FillRule::Winding, transform, clip);
        }
        if let Some(line) = paint(node, "stroke", None) {
            self.pixels.stroke_path(&path, &line, &stroke(node), transform, clip);
        }
    }

    /// Outlines of the letters of a text.
    fn outline(&self, node: Node<'_, '_>) -> Option<Path> {
        let face = &self.faces[usize::from(node.attribute("font-weight") == Some("bold"))];
        let scale = number(node, "font-size", 12.0) / f32::from(face.units_per_em());
        let glyphs: Vec<_> = node.text()?.trim().chars().map(|c| face.glyph_index(c)).collect();
        let width = |glyph: &Option<_>| {
            let advance = glyph.and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(face.units_per_em());
            f32::from(advance) * scale
        };
        let length: f32 = glyphs.iter().map(width).sum();
        let anchor = match node.attribute("text-anchor") {
            Some("end") => length,
            Some("middle") => length / 2.0,
            _ => 0.0,
        };
        let (x, y) = (number(node, "x", 0.0) - anchor, number(node, "y", 0.0));
        let mut letters = Letters { path: PathBuilder::new(), x, y, scale };
        for glyph in glyphs {
            if let Some(glyph) = glyph {
                face.outline_glyph(glyph, &mut letters);
            }
            letters.x += width(&glyph);
        }
        letters.path.finish()
    }
}

/// Collects outlines of glyphs, whose y axis points up, at a place in the figure.
struct Letters {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Letters {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y - self.scale * y)
    }
}

impl OutlineBuilder for Letters {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}
