//! Builds dotted names with literal and computed indices.

use super::ast::{Kind, Name, Node, Part};
use super::error::ParseError;

/// Measures between two frames in the initial configuration, as parameters call them: `distance(a, b)` \[m\], and
/// `planar_rotation_angle(a, b)` \[rad\] from the x axis of a to the origin of b, about the z axis of a.
pub const MEASURES: [&str; 2] = ["distance", "planar_rotation_angle"];

/// Collects the pieces of a name.
#[derive(Default)]
pub(super) struct NameBuilder {
    parts: Vec<Part>,
    text: String,
}

impl NameBuilder {
    pub fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn index(&mut self, index: Node) -> Result<(), ParseError> {
        match index.kind {
            Kind::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
                self.text.push_str(&format!("{value}"))
            }
            Kind::Number(value) => {
                return Err(ParseError::new(index.span, format!("an index must be an integer, not {value}")));
            }
            _ => {
                self.parts.push(Part::Text(std::mem::take(&mut self.text).into()));
                self.parts.push(Part::Index(index));
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> Name {
        if self.parts.is_empty() {
            return Name::Plain(self.text.into());
        }
        self.parts.push(Part::Text(self.text.into()));
        Name::Indexed(std::mem::take(&mut self.parts))
    }
}
