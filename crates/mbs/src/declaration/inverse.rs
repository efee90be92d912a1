//! Inverse dynamics: efforts for given motions.

use serde::{Deserialize, Serialize};

/// Coordinates whose motions are inputs and whose efforts are outputs, regardless of the drives of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Inverse {
    /// Names of coordinates (`hinge.phi`), of joints or of free objects; the latter mean all of their coordinates.
    pub motions: Vec<String>,
    /// Contacts that must stay closed, by the names of both objects: `floor_foot`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
    /// Time constant \[s\] of a filter of these inputs: `1 / (1 + T s)^3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<f64>,
}

impl Inverse {
    /// Whether the coordinate `key` of a joint or an object is among them; all of it, without a key.
    #[must_use]
    pub fn drives(&self, path: &str, key: Option<&str>) -> bool {
        let is_it = |name: &str| match name.strip_prefix(path) {
            Some("") => true,
            Some(rest) => rest.strip_prefix('.').is_some_and(|rest| Some(rest) == key),
            None => false,
        };
        self.motions.iter().any(|name| is_it(name))
    }
}
