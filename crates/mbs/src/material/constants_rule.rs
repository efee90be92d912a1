//! How a contact follows its motion.

use serde::{Deserialize, Serialize};

/// How the constants of a contact follow its motion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstantsRule {
    /// Frozen at each impact, with the exact relation of damping and restitution and with friction that is regularised
    /// by a fraction of the impact's speed; frozen again when the contact has calmed down, with at most critical
    /// damping of its load.
    #[default]
    Adaptive,
    /// Frozen for the whole contact, with eq. 6 and the declared `v_min` and `w_min`.
    Paper,
}

impl ConstantsRule {
    /// Whether this is the default rule.
    #[must_use]
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
