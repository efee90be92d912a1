//! A model file being written: sections with keys in order, and where in the description each item comes from.

use std::collections::HashMap;
use std::fmt::{self, Write};

use mbs::declaration::Location;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::math::{self, Pose};

/// Longest line of an array of tables that is not broken \[characters\].
const WIDTH: usize = 100;

/// A value of the model file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A number.
    Number(f64),
    /// A string or an expression.
    Text(String),
    /// True or false.
    Bool(bool),
    /// An array.
    Array(Vec<Value>),
    /// An inline table.
    Table(Keys),
}

/// Keys with values, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Keys(pub Vec<(&'static str, Value)>);

/// A table of the model file: `[section.name]`.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub section: &'static str,
    pub name: String,
    pub keys: Keys,
    pub origin: Location,
    /// A comment behind the heading.
    pub comment: String,
}

/// A model file.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// Comment lines at the top.
    pub comments: Vec<String>,
    /// Keys at the top.
    pub top: Keys,
    /// One-line entries of `[parameters]` and `[inputs]`: section, name, table.
    pub lines: Vec<(&'static str, String, Keys)>,
    /// `[[material_pairs]]`.
    pub pairs: Vec<Keys>,
    /// All other tables.
    pub items: Vec<Item>,
}

/// Sections in the order in which they are written.
const SECTIONS: [&str; 6] = ["materials", "objects", "joints", "forces", "sensors", "components"];

impl Document {
    /// Where the items come from, by name.
    pub fn origins(&self) -> HashMap<String, Location> {
        self.items.iter().map(|item| (item.name.clone(), item.origin)).collect()
    }

    /// Adds a table.
    pub fn add(&mut self, section: &'static str, name: &str, keys: Keys, origin: Location) {
        self.items.push(Item { section, name: name.to_owned(), keys, origin, comment: String::new() });
    }

    /// Whether a section has entries.
    pub fn has(&self, section: &str) -> bool {
        self.items.iter().any(|item| item.section == section)
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for comment in &self.comments {
            writeln!(f, "{}", format!("# {comment}").trim_end())?;
        }
        if !self.comments.is_empty() {
            writeln!(f)?;
        }
        for (key, value) in &self.top.0 {
            writeln!(f, "{key} = {value}")?;
        }
        for section in ["parameters", "inputs"] {
            let entries: Vec<_> = self.lines.iter().filter(|line| line.0 == section).collect();
            if !entries.is_empty() {
                writeln!(f, "\n[{section}]")?;
            }
            for (_, name, keys) in entries {
                writeln!(f, "{name} = {keys}")?;
            }
        }
        for item in self.items.iter().filter(|item| item.section == SECTIONS[0]) {
            writeln!(f, "\n{item}")?;
        }
        for pair in &self.pairs {
            writeln!(f, "\n[[material_pairs]]")?;
            pair.lines(f)?;
        }
        for section in &SECTIONS[1..] {
            for item in self.items.iter().filter(|item| item.section == *section) {
                writeln!(f, "\n{item}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Item {
    /// Without the last line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("[{}.{}]", self.section, self.name);
        if !self.comment.is_empty() {
            write!(text, "    # {}", self.comment.replace(char::is_control, " "))?;
        }
        text.push('\n');
        self.keys.lines(&mut text)?;
        f.write_str(text.trim_end_matches('\n'))
    }
}

impl Keys {
    /// No keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more key.
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.set(key, value);
        self
    }

    /// Adds a key.
    pub fn set(&mut self, key: &'static str, value: impl Into<Value>) {
        self.0.push((key, value.into()));
    }

    /// Adds position and rotation, as far as they are not zero.
    pub fn place(&mut self, pose: &Pose) {
        if pose.translation.vector != Vector3::zeros() {
            self.set("r", pose.translation.vector);
        }
        if !math::is_unrotated(&pose.rotation) {
            self.set("rotation", rotation(&pose.rotation));
        }
    }

    fn lines(&self, f: &mut impl Write) -> fmt::Result {
        for (key, value) in &self.0 {
            match value {
                Value::Array(tables)
                    if matches!(tables.first(), Some(Value::Table(_))) && value.to_string().len() > WIDTH =>
                {
                    writeln!(f, "{key} = [")?;
                    tables.iter().try_for_each(|table| writeln!(f, "    {table},"))?;
                    writeln!(f, "]")?;
                }
                _ => writeln!(f, "{key} = {value}")?,
            }
        }
        Ok(())
    }
}

/// A rotation as the model file writes it: about one axis where it is one, else a quaternion.
pub(crate) fn rotation(rotation: &UnitQuaternion<f64>) -> Value {
    let (w, imag) = (rotation.w, rotation.imag());
    for (index, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let others = (0..3).filter(|&other| other != index).all(|other| imag[other].abs() < 1e-17);
        let angle = 2.0 * elementary::atan2(imag[index], w);
        // Only where the angle gives the same quaternion back.
        if others
            && (elementary::cos(angle / 2.0) - w).abs() < 1e-16
            && (elementary::sin(angle / 2.0) - imag[index]).abs() < 1e-16
        {
            let angle = if angle > std::f64::consts::PI { angle - 2.0 * std::f64::consts::PI } else { angle };
            return Keys::new().with("axis", axis).with("angle", angle).into();
        }
    }
    let numbers = [w, imag.x, imag.y, imag.z].map(|entry| if entry.abs() < 1e-17 { 0.0 } else { entry });
    Keys::new().with("quaternion", Value::Array(numbers.map(Value::Number).to_vec())).into()
}

/// With the scale of a mesh, unless it is one.
pub(crate) fn scaled(keys: Keys, scale: [f64; 3]) -> Keys {
    match scale {
        [1.0, 1.0, 1.0] => keys,
        [x, y, z] if x == y && y == z => keys.with("scale", x),
        scale => keys.with("scale", scale),
    }
}

/// Four digits: what is chosen needs no more.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// A direction as the model file writes it.
pub(crate) fn axis(direction: &Vector3<f64>) -> Value {
    for (index, name) in ["x", "y", "z"].into_iter().enumerate() {
        if (direction.abs() - Vector3::ith(index, 1.0)).amax() == 0.0 {
            return if direction[index] > 0.0 { name.into() } else { format!("-{name}").into() };
        }
    }
    (*direction).into()
}

/// `[Ixx, Iyy, Izz]`, with the products behind them where there are any.
pub(crate) fn inertia(i: &Matrix3<f64>) -> Value {
    let mut entries = vec![i[(0, 0)], i[(1, 1)], i[(2, 2)]];
    let products = [i[(0, 1)], i[(0, 2)], i[(1, 2)]];
    if products != [0.0; 3] {
        entries.extend(products);
    }
    Value::Array(entries.into_iter().map(Value::Number).collect())
}

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{ ")?;
        for (number, (key, value)) in self.0.iter().enumerate() {
            write!(f, "{}{key} = {value}", if number > 0 { ", " } else { "" })?;
        }
        f.write_str(" }")
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&decimal(*number)),
            Self::Text(text) => quoted(f, text),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Array(values) => {
                f.write_char('[')?;
                for (number, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if number > 0 { ", " } else { "" })?;
                }
                f.write_char(']')
            }
            Self::Table(keys) => write!(f, "{keys}"),
        }
    }
}

/// The shortest decimal that reads back as the same number; whole numbers without a point.
pub(crate) fn decimal(number: f64) -> String {
    let number = if number == 0.0 { 0.0 } else { number };
    let text = format!("{number:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\u{:04X}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Keys> for Value {
    fn from(keys: Keys) -> Self {
        Self::Table(keys)
    }
}

impl From<Vector3<f64>> for Value {
    fn from(vector: Vector3<f64>) -> Self {
        Self::Array(vector.iter().copied().map(Self::Number).collect())
    }
}

impl<const N: usize> From<[f64; N]> for Value {
    fn from(numbers: [f64; N]) -> Self {
        Self::Array(numbers.into_iter().map(Self::Number).collect())
    }
}

impl From<Vec<Value>> for Value {
    fn from(values: Vec<Value>) -> Self {
        Self::Array(values)
    }
}

impl From<Vec<String>> for Value {
    fn from(values: Vec<String>) -> Self {
        Self::Array(values.into_iter().map(Self::Text).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_read_back() {
        assert_eq!(decimal(1.0), "1");
        assert_eq!(decimal(-0.0), "0");
        assert_eq!(decimal(1e-7), "1e-7");
        assert_eq!(decimal(0.1), "0.1");
        assert_eq!(Value::from("a\"b\\\n").to_string(), r#""a\"b\\\u000A""#);
        assert_eq!(axis(&-Vector3::y()).to_string(), "\"-y\"");
    }

    #[test]
    fn rotations_about_one_axis_are_written_as_such() {
        let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.5);
        assert_eq!(rotation(&turned).to_string(), r#"{ axis = "z", angle = 0.5 }"#);
        let both = turned * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.5);
        assert!(rotation(&both).to_string().starts_with("{ quaternion = ["));
    }
}
