//! What can be wrong with a declaration.

use std::fmt;

use crate::declaration::Location;

/// A declaration that cannot become a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneError {
    /// Where it was declared.
    pub location: Location,
    /// What is wrong: names the object, the value with its unit, and what would be right.
    pub message: String,
    /// The nearest right name or another hint.
    pub hint: Option<String>,
}

impl SceneError {
    /// An error at a place.
    #[must_use]
    pub fn new(location: Location, message: impl Into<String>) -> Self {
        Self { location, message: message.into(), hint: None }
    }

    /// Adds a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SceneError {}
