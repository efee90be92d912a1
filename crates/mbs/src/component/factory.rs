//! How components of a type are made.

use std::sync::Arc;

use super::arguments::Arguments;
use super::interface::Component;

/// Makes a component of its parameters.
pub type Factory = fn(&mut Arguments<'_>) -> Result<Arc<dyn Component>, String>;
