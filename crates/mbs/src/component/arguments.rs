//! Values that a model gives to a component.

use std::collections::BTreeSet;

use super::defaults::default_of;
use super::units::unit_of;
use crate::declaration::Value;
use crate::expr::{Expr, Scope, number_text};

/// The values of one component during its construction; records which of them were read.
pub struct Arguments<'a> {
    values: &'a [(String, Value)],
    scope: &'a dyn Scope,
    used: BTreeSet<String>,
    /// The type of the component, for the units in messages.
    kind: &'a str,
}

impl<'a> Arguments<'a> {
    /// Values and the parameters their expressions may use.
    pub fn new(values: &'a [(String, Value)], scope: &'a dyn Scope) -> Self {
        Self { values, scope, used: BTreeSet::new(), kind: "" }
    }

    /// The same values of a type of component, with their units.
    #[must_use]
    pub fn of_type(self, kind: &'a str) -> Self {
        Self { kind, ..self }
    }

    /// A value with its unit.
    pub(super) fn shown(&self, name: &str, value: f64) -> String {
        let slides = self.values.iter().any(|(key, value)| {
            let word = match value {
                Value::Text(text) => text.as_str() == "translation",
                Value::Number(expr) => expr.text() == "translation",
                _ => false,
            };
            key == "motion" && word
        });
        let unit = unit_of(self.kind, name).map(|unit| match unit.split_once(" or ") {
            Some((_, sliding)) if slides => sliding,
            Some((turning, _)) => turning,
            None => unit,
        });
        unit.map_or_else(|| number_text(value), |unit| format!("{} {unit}", number_text(value)))
    }

    fn find(&mut self, name: &str) -> Option<&'a Value> {
        self.used.insert(name.to_owned());
        self.values.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Whether a value was read.
    #[must_use]
    pub fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// Whether there is a value.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.iter().any(|(key, _)| key == name)
    }

    /// A number.
    ///
    /// # Errors
    /// When it is absent or has no finite value.
    pub fn number(&mut self, name: &str) -> Result<f64, String> {
        self.maybe(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    /// A number, or a default.
    ///
    /// # Errors
    /// When it has no finite value.
    pub fn number_or(&mut self, name: &str, default: f64) -> Result<f64, String> {
        Ok(self.maybe(name)?.unwrap_or(default))
    }

    /// A number, or the default of the type.
    ///
    /// # Errors
    /// When it has no finite value, or is absent and the type has no default.
    pub(super) fn optional(&mut self, name: &str) -> Result<f64, String> {
        match default_of(self.kind, name) {
            Some(default) => self.number_or(name, default),
            None => self.number(name),
        }
    }

    /// As [`Arguments::optional`], for a number above zero.
    pub(super) fn optional_positive(&mut self, name: &str) -> Result<f64, String> {
        let value = self.optional(name)?;
        self.above_zero(name, value)
    }

    /// As [`Arguments::optional`], for a number that is zero or above.
    pub(super) fn optional_not_negative(&mut self, name: &str) -> Result<f64, String> {
        let value = self.optional(name)?;
        self.not_below_zero(name, value)
    }

    /// A number if it is there.
    ///
    /// # Errors
    /// When it has no finite value.
    pub fn maybe(&mut self, name: &str) -> Result<Option<f64>, String> {
        match self.find(name) {
            None => Ok(None),
            Some(Value::Number(expr)) => self.evaluate(name, expr).map(Some),
            Some(_) => Err(format!("`{name}` must be a number")),
        }
    }

    /// A number above zero.
    ///
    /// # Errors
    /// When it is absent, not finite, zero or negative.
    pub fn positive(&mut self, name: &str) -> Result<f64, String> {
        let value = self.number(name)?;
        self.above_zero(name, value)
    }

    /// A number above zero, or a default.
    ///
    /// # Errors
    /// When it is not finite, zero or negative.
    pub fn positive_or(&mut self, name: &str, default: f64) -> Result<f64, String> {
        let value = self.number_or(name, default)?;
        self.above_zero(name, value)
    }

    /// A whole number of at least `least`, or a default.
    ///
    /// # Errors
    /// When it is not whole or too small.
    pub fn count_or(&mut self, name: &str, least: usize, default: usize) -> Result<usize, String> {
        let value = self.number_or(name, default as f64)?;
        if value.fract() != 0.0 || value < least as f64 || value > 1e9 {
            let value = number_text(value);
            return Err(format!("`{name}` is {value}, but must be a whole number of at least {least}"));
        }
        Ok(value as usize)
    }

    /// A word, or a default.
    ///
    /// # Errors
    /// When it is something else.
    pub fn text_or(&mut self, name: &str, default: &str) -> Result<String, String> {
        match self.find(name) {
            None => Ok(default.to_owned()),
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(Value::Number(expr)) => Ok(expr.text()),
            Some(_) => Err(format!("`{name}` must be a word")),
        }
    }

    /// A list of numbers; a single number is a list of one.
    ///
    /// # Errors
    /// When it is absent or an element has no finite value.
    pub fn list(&mut self, name: &str) -> Result<Vec<f64>, String> {
        match self.find(name) {
            None => Err(format!("`{name}` is missing")),
            Some(Value::Number(expr)) => Ok(vec![self.evaluate(name, expr)?]),
            Some(Value::List(list)) => list.iter().map(|expr| self.evaluate(name, expr)).collect(),
            Some(_) => Err(format!("`{name}` must be a list of numbers")),
        }
    }

    /// Rows of numbers, all of the same length; a list is one row.
    ///
    /// # Errors
    /// When it is absent, an element has no finite value, or rows differ in length.
    pub fn rows(&mut self, name: &str) -> Result<Vec<Vec<f64>>, String> {
        let rows: Vec<Vec<f64>> = match self.find(name) {
            None => return Err(format!("`{name}` is missing")),
            Some(Value::Rows(rows)) => rows
                .iter()
                .map(|row| row.iter().map(|expr| self.evaluate(name, expr)).collect())
                .collect::<Result<_, _>>()?,
            Some(_) => vec![self.list(name)?],
        };
        let width = rows.first().map_or(0, Vec::len);
        match rows.iter().position(|row| row.len() != width) {
            None => Ok(rows),
            Some(k) => {
                let found = rows[k].len();
                Err(format!("row {} of `{name}` has {found} elements, but the first has {width}", k + 1))
            }
        }
    }

    fn evaluate(&self, name: &str, expr: &Expr) -> Result<f64, String> {
        match expr.evaluate(self.scope) {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(value) => Err(format!("`{name}` is {value}, but must be a finite number")),
            Err(error) => Err(format!("`{name}` = `{}` has no value: {}", expr.text(), error.message)),
        }
    }

    fn not_below_zero(&self, name: &str, value: f64) -> Result<f64, String> {
        if value >= 0.0 {
            Ok(value)
        } else {
            Err(format!("`{name}` is {}, but must not be negative", self.shown(name, value)))
        }
    }

    fn above_zero(&self, name: &str, value: f64) -> Result<f64, String> {
        if value > 0.0 {
            Ok(value)
        } else {
            Err(format!("`{name}` is {}, but must be above zero", self.shown(name, value)))
        }
    }
}
