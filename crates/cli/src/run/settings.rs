//! `--set name=value`.

use mbs::expr::Expr;

use crate::error::{Error, Result};
use crate::names;
use crate::variable::{Kind, Role, Variable};

/// What a variable is set to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number, or a truth as 1 or 0.
    Number(f64),
    /// A text.
    Text(String),
}

/// Settings as indices of variables and values.
///
/// # Errors
/// Text that is not `name=value`, unknown names, values that are no numbers, variables that cannot be set.
pub fn parse(settings: &[String], variables: &[Variable]) -> Result<Vec<(usize, Value)>> {
    settings.iter().map(|setting| parse_one(setting, variables)).collect()
}

fn parse_one(setting: &str, variables: &[Variable]) -> Result<(usize, Value)> {
    let Some((name, text)) = setting.split_once('=') else {
        return Err(Error::Usage(format!("--set needs NAME=VALUE, for example --set L=1.5, but got `{setting}`")));
    };
    let (name, text) = (name.trim(), text.trim());
    let index = settable(name, variables)?;
    match variables[index].kind {
        Kind::String => Ok((index, Value::Text(text.to_owned()))),
        kind => Ok((index, Value::Number(value(name, text, kind)?))),
    }
}

/// Index of a parameter or input.
///
/// # Errors
/// Unknown names and variables that follow from others.
pub fn settable(name: &str, variables: &[Variable]) -> Result<usize> {
    let can_be_set = |variable: &Variable| matches!(variable.role, Role::Parameter | Role::Input);
    match variables.iter().position(|variable| variable.name == name) {
        Some(index) if can_be_set(&variables[index]) => Ok(index),
        Some(index) if variables[index].role == Role::CalculatedParameter => Err(Error::hinted(
            format!("`{name}` cannot be set: it follows from other parameters"),
            Some("set those in its expression, or give it a number in the model".to_owned()),
        )),
        Some(_) => Err(Error::hinted(
            format!("`{name}` cannot be set: it is neither a parameter nor an input"),
            Some("`mbfmu describe` shows the causality of all variables".to_owned()),
        )),
        None => {
            let known: Vec<&str> = variables.iter().filter(|v| can_be_set(v)).map(|v| v.name.as_str()).collect();
            let hint = if known.is_empty() {
                Some("the model has neither parameters nor inputs".to_owned())
            } else {
                names::suggestion(name, &known)
            };
            Err(Error::hinted(format!("there is no parameter or input `{name}`"), hint))
        }
    }
}

/// The value of a number or of an expression without names, such as `deg(30)`.
pub fn constant(text: &str) -> Option<f64> {
    let number = text.parse::<f64>().ok().or_else(|| Expr::parse(text).ok()?.as_constant());
    number.filter(|value| value.is_finite())
}

fn value(name: &str, text: &str, kind: Kind) -> Result<f64> {
    let number = match (text, kind) {
        ("true", Kind::Boolean) => Some(1.0),
        ("false", Kind::Boolean) => Some(0.0),
        _ => constant(text),
    };
    let wanted = match kind {
        Kind::Real => "a number such as 1.5, 2e-3 or deg(30)",
        Kind::Integer => "a whole number",
        Kind::Boolean => "true or false",
        Kind::String => "a name",
    };
    number.ok_or_else(|| Error::Usage(format!("the value `{text}` of `{name}` is not {wanted}")))
}
