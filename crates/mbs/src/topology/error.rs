//! What can be wrong with the structure of a scene.

use std::fmt;

use crate::declaration::Location;

/// A scene whose structure cannot be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct TopologyError {
    /// Where the object or joint was declared.
    pub location: Location,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TopologyError {}
