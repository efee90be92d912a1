//! Protocol between page and process, as JSON; see `mbs_present::view::LiveView`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What the page posts.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    /// Number of the page.
    pub page: u64,
    /// To be done in this order.
    pub commands: Vec<Command>,
}

/// What the page posts to end the running command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cancel {
    /// Number of the page.
    pub page: u64,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    /// Advances by this time \[s\].
    Advance {
        /// Simulated time \[s\].
        by: f64,
    },
    /// Sets an input or a parameter.
    Set {
        /// Name of the variable.
        name: String,
        /// Number, or text of a String.
        value: Setting,
    },
    /// Pulls a point of an object.
    Pull {
        /// Path of the object.
        object: String,
        /// Point in its frame \[m\].
        point: [f64; 3],
        /// Point of the world \[m\].
        target: [f64; 3],
        /// Factor on the usual stiffness.
        strength: f64,
    },
    /// Pulls nothing any more.
    Release,
    /// Starts over.
    Reset,
}

/// A value to set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Setting {
    /// A number; truth as 1 or 0.
    Number(f64),
    /// A text.
    Text(String),
}

/// A variable and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct RetainedValue {
    /// Name.
    pub name: String,
    /// Number, or text of a String.
    pub value: Setting,
}

/// Reply to the page.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answer {
    /// Time reached \[s\].
    pub time: f64,
    /// Whether the run has started over: frames before are of another run.
    pub fresh: bool,
    /// Frames made.
    pub frames: Option<Box<RawValue>>,
    /// Warnings.
    pub notes: Vec<String>,
    /// Why a command failed; those after it were left out.
    pub error: Option<String>,
    /// The value that a variable keeps whose new one was refused.
    pub kept: Option<RetainedValue>,
}
