//! Evaluation of parameters and tables.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::measures::measure_for;
use super::scope::ParameterScope;
use crate::declaration::{Declaration, Parameter, ParameterKind};
use crate::expr::{Table, nearest, number_text};
use crate::scene::{ParameterValue, SceneError};

/// Whether a parameter's value is an expression in other parameters.
fn is_calculated(parameter: &Parameter) -> bool {
    !parameter.value.variables().is_empty()
}

/// Evaluates the parameters of a declaration in their order; `overrides` replace defaults by name.
///
/// # Errors
/// Unknown or calculated parameters in `overrides`, values out of range or of the wrong kind, expressions without
/// value.
pub fn evaluate_parameters(
    declaration: &Declaration,
    overrides: &[(String, f64)],
) -> Result<Vec<ParameterValue>, Vec<SceneError>> {
    let tables = BTreeMap::new();
    let mut scope = ParameterScope { values: BTreeMap::new(), tables: &tables };
    let mut errors = check_overrides(declaration, overrides);
    let mut values: Vec<ParameterValue> = Vec::with_capacity(declaration.parameters.len());
    for parameter in &declaration.parameters {
        let given = overrides.iter().rev().find(|(name, _)| *name == parameter.name).map(|(_, value)| *value);
        if given.is_none()
            && let Err(message) = measure_for(declaration, &parameter.value, &mut scope)
        {
            let text = parameter.value.text();
            let message = format!("parameter `{}` = `{text}` has no value: {message}", parameter.name);
            errors.push(SceneError::new(parameter.location, message));
            continue;
        }
        match evaluate(parameter, given, &scope) {
            Ok(value) => {
                if parameter.kind != ParameterKind::String {
                    scope.values.insert(parameter.name.clone(), value);
                }
                let names = parameter.value.variables();
                let tunable =
                    values.iter().any(|known| known.tunable && names.iter().any(|name| name.name == known.name));
                values.push(ParameterValue {
                    name: parameter.name.clone(),
                    value,
                    calculated: is_calculated(parameter),
                    tunable: parameter.tunable || tunable,
                });
            }
            Err(error) => errors.push(explain_order(&declaration.parameters, parameter, error)),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

/// Adds to the error of a parameter that its expression reads one that is a String, itself, or declared later.
pub(super) fn explain_order(all: &[Parameter], parameter: &Parameter, error: SceneError) -> SceneError {
    let names = parameter.value.variables();
    let place = |name: &str| all.iter().position(|other| other.name == name);
    let own = place(&parameter.name);
    let why = names.iter().map(|variable| &variable.name).find_map(|name| {
        let read = place(name)?;
        let is_string = all[read].kind == ParameterKind::String;
        match own.map(|own| read.cmp(&own))? {
            _ if is_string => Some(no_number(name)),
            Ordering::Equal => Some(format!("the value of `{name}` cannot follow from itself")),
            Ordering::Greater => {
                Some(format!("parameters follow from those above them: declare `{name}` above `{}`", parameter.name))
            }
            Ordering::Less => None,
        }
    });
    match why {
        Some(why) => error.with_hint(Some(why)),
        None => error,
    }
}

/// The error for a String in an expression.
pub(super) fn no_number(name: &str) -> String {
    format!("`{name}` is a String, which expressions cannot read; actions can, as the name of a partner")
}

/// The values of parameters that expressions may use: all but Strings.
pub(super) fn numbers(declaration: &Declaration, values: &[ParameterValue]) -> BTreeMap<String, f64> {
    let is_number =
        |name: &str| declaration.parameters.iter().any(|p| p.name == name && p.kind != ParameterKind::String);
    values.iter().filter(|p| is_number(&p.name)).map(|p| (p.name.clone(), p.value)).collect()
}

fn check_overrides(declaration: &Declaration, overrides: &[(String, f64)]) -> Vec<SceneError> {
    let names = || declaration.parameters.iter().map(|p| p.name.as_str());
    let check = |name: &String| match declaration.parameters.iter().find(|p| p.name == *name) {
        None => {
            let hint = nearest(name, names()).map(|near| format!("did you mean `{near}`?"));
            Some(SceneError::new(Default::default(), format!("the model has no parameter `{name}`")).with_hint(hint))
        }
        Some(p) if is_calculated(p) => Some(SceneError::new(
            p.location,
            format!("parameter `{name}` = `{}` follows from others and cannot be set", p.value.text()),
        )),
        Some(p) if p.kind == ParameterKind::String => {
            let message = format!("parameter `{name}` is a String and cannot be a number");
            Some(SceneError::new(p.location, message))
        }
        Some(_) => None,
    };
    overrides.iter().filter_map(|(name, _)| check(name)).collect()
}

/// Value of one parameter, checked against kind and range.
pub(super) fn evaluate(
    parameter: &Parameter,
    given: Option<f64>,
    scope: &ParameterScope<'_>,
) -> Result<f64, SceneError> {
    let value = match given {
        Some(value) => value,
        None => parameter.value.evaluate(scope).map_err(|error| {
            let message = format!(
                "parameter `{}` = `{}` has no value: {}",
                parameter.name,
                parameter.value.text(),
                error.message
            );
            SceneError::new(parameter.location, message).with_hint(error.hint)
        })?,
    };
    check_value(parameter, value).map(|()| value)
}

fn check_value(parameter: &Parameter, value: f64) -> Result<(), SceneError> {
    let Parameter { name, unit, kind, min, max, .. } = parameter;
    let limits = Limits { kind: *kind, unit, min: *min, max: *max };
    limits.check(value).map_err(|Wrong { key, what }| {
        SceneError::new(parameter.location.of(key.unwrap_or("value")), format!("parameter `{name}` {what}"))
    })
}

/// What the value of a parameter or input may be.
pub(super) struct Limits<'a> {
    pub kind: ParameterKind,
    pub unit: &'a str,
    pub min: Option<f64>,
    pub max: Option<f64>,
}

/// What is wrong with a value or its limits.
pub(super) struct Wrong {
    /// The limit that is wrong; none where the value is.
    pub key: Option<&'static str>,
    /// The message, which begins after the name.
    pub what: String,
}

impl From<String> for Wrong {
    fn from(what: String) -> Self {
        Self { key: None, what }
    }
}

impl Limits<'_> {
    /// Checks a value, and the limits themselves; the message begins after the name.
    pub fn check(&self, value: f64) -> Result<(), Wrong> {
        let unit = self.unit_text();
        self.check_order()?;
        self.check_kind(value, &unit).map_err(|what| format!("is {}{unit}, but {what}", number_text(value)))?;
        for (name, bound) in [("min", self.min), ("max", self.max)] {
            let bound = bound.filter(|bound| !bound.is_infinite() && self.kind == ParameterKind::Integer);
            bound
                .map_or(Ok(()), |bound| self.check_kind(bound, &unit))
                .map_err(|what| format!("has {name} = {}{unit}, but it {what}", bound.unwrap_or_default()))
                .map_err(|what| Wrong { key: Some(name), what })?;
        }
        if let Some(min) = self.min.filter(|min| value < *min) {
            let [value, min] = [value, min].map(number_text);
            return Err(format!("is {value}{unit}, but must be at least {min}{unit}").into());
        }
        if let Some(max) = self.max.filter(|max| value > *max) {
            let [value, max] = [value, max].map(number_text);
            return Err(format!("is {value}{unit}, but must be at most {max}{unit}").into());
        }
        Ok(())
    }

    /// Checks that some value is allowed; the message begins after the name.
    fn check_order(&self) -> Result<(), Wrong> {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min > max => {
                let what = format!(
                    "has min = {}{unit} above max = {}{unit}, so that no value is allowed",
                    number_text(min),
                    number_text(max),
                    unit = self.unit_text()
                );
                Err(Wrong { key: Some("min"), what })
            }
            _ => Ok(()),
        }
    }

    pub fn unit_text(&self) -> String {
        if matches!(self.unit, "" | "1") { String::new() } else { format!(" {}", self.unit) }
    }

    fn check_kind(&self, value: f64, unit: &str) -> Result<(), String> {
        if !value.is_finite() {
            return Err("must be a finite number".to_owned());
        }
        match self.kind {
            ParameterKind::Integer if value.fract() != 0.0 => Err("must be a whole number".to_owned()),
            ParameterKind::Integer if value.abs() > f64::from(i32::MAX) => {
                Err(format!("must be a whole number from -{max}{unit} to {max}{unit}", max = i32::MAX))
            }
            ParameterKind::Boolean if value != 0.0 && value != 1.0 => Err("must be true (1) or false (0)".to_owned()),
            _ => Ok(()),
        }
    }
}

/// Tables of a declaration with their points evaluated.
pub(super) fn tables(
    declaration: &Declaration,
    overrides: &[(String, f64)],
) -> Result<BTreeMap<String, Table>, Vec<SceneError>> {
    let none = BTreeMap::new();
    let parameters = evaluate_parameters(declaration, overrides)?;
    let scope = ParameterScope { values: numbers(declaration, &parameters), tables: &none };
    let mut errors = Vec::new();
    let mut tables = BTreeMap::new();
    for table in &declaration.tables {
        let evaluate = |row: &[crate::expr::Expr; 2]| -> Result<[f64; 2], String> {
            let value = |k: usize| row[k].evaluate(&scope).map_err(|error| error.to_string());
            Ok([value(0)?, value(1)?])
        };
        let built = table.points.iter().map(evaluate).collect::<Result<Vec<_>, _>>().and_then(|points| {
            Table::new(&points, table.interpolation, table.extrapolation).map_err(|error| error.to_string())
        });
        match built {
            Ok(built) => drop(tables.insert(table.name.clone(), built)),
            Err(message) => errors.push(SceneError::new(table.location, format!("table `{}`: {message}", table.name))),
        }
    }
    if errors.is_empty() { Ok(tables) } else { Err(errors) }
}
