//! A model with other defaults.

use crate::error::Result;
use crate::model::Loaded;
use crate::native::Native;
use crate::run::{Value, parse_settings};
use crate::variable::Runner;

/// The model with other defaults of parameters and start values of inputs, `name=value`.
///
/// # Errors
/// Unknown names, values that do not fit.
pub fn with_defaults(model: Loaded, settings: &[String]) -> Result<Loaded> {
    if settings.is_empty() {
        return Ok(model);
    }
    let mut declaration = model.interface.declaration.clone();
    let mut native = Native::silent(model.clone());
    for (variable, value) in parse_settings(settings, native.variables())? {
        let name = native.variables()[variable].name.clone();
        match value {
            Value::Number(value) => {
                native.set(variable, value)?;
                declaration.set_default(&name, value);
            }
            Value::Text(text) => {
                native.set_text(variable, &text)?;
                declaration.set_default_text(&name, &text);
            }
        }
    }
    model.with_declaration(declaration)
}
