//! Data of a page that continues a run on a server.
//!
//! The page posts JSON to [`LiveView::address`]: `{"page": n, "commands": [...]}` with commands
//! `{"do": "advance", "by": s}`, `{"do": "set", "name": .., "value": ..}`, `{"do": "pull", "object": .., "point": [..],
//! "target": [..], "strength": 1}`, `{"do": "release"}` and `{"do": "reset"}`. The answer has the time reached, the
//! frames made on the way ([`super::render_frames`]) and what there is to say.

use serde::Serialize;

/// A live run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveView {
    /// Where the page posts its commands, relative to its own address.
    pub address: String,
    /// Where it posts `{"page": n}` to end the command that is being obeyed.
    pub cancel: String,
    /// Number of the page; a server has one page at a time.
    pub page: u64,
    /// Whether a body moves, by its index.
    pub moving: Vec<bool>,
    /// What the user may set.
    pub controls: Vec<Control>,
}

/// An input or a parameter that can be set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Control {
    /// Name of the variable.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Unit; `1` without dimension.
    pub unit: String,
    /// How it is set.
    pub kind: ControlKind,
    /// Present value; that of a text is in `text`.
    pub value: f64,
    /// Present text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Smallest allowed value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Largest allowed value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Typical magnitude.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nominal: Option<f64>,
    /// Texts to choose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// When it takes effect.
    pub takes_effect: Effect,
}

/// Type of a control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlKind {
    /// A real number.
    Real,
    /// A whole number.
    Integer,
    /// On (1) or off (0).
    Boolean,
    /// One of some texts.
    Text,
}

/// When a new value takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// At once.
    Now,
    /// When the run starts over.
    AtStart,
}
