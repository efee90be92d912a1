//! Vectors as lists of their components, for saved states.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Vec3;

/// Writes the three components.
///
/// # Errors
/// Those of the format.
pub fn serialize<S: Serializer>(vector: &Vec3, serializer: S) -> Result<S::Ok, S::Error> {
    [vector.x, vector.y, vector.z].serialize(serializer)
}

/// Reads three components.
///
/// # Errors
/// Those of the format.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec3, D::Error> {
    <[f64; 3]>::deserialize(deserializer).map(Vec3::from)
}
