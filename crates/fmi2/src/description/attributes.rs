//! Causality, variability and initial: how and when a value is determined.

/// How the value is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Causality {
    /// Set by the host before or (if tunable) during the simulation.
    Parameter,
    /// Computed from parameters.
    CalculatedParameter,
    /// Set by the host at communication points.
    Input,
    /// Offered to the host for connections.
    Output,
    /// Computed inside; may be read, not connected.
    Local,
    /// Time.
    Independent,
}

/// When the value may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variability {
    /// Never.
    Constant,
    /// Not after initialisation.
    Fixed,
    /// Between communication points, by the host (or because a tunable parameter changed).
    Tunable,
    /// At events only.
    Discrete,
    /// Any time; Real variables only.
    Continuous,
}

/// How the value at the start comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial {
    /// It is the start value.
    Exact,
    /// The start value is a guess that initialisation improves.
    Approx,
    /// It is computed.
    Calculated,
}

impl Causality {
    /// The word in the XML.
    pub fn name(self) -> &'static str {
        match self {
            Causality::Parameter => "parameter",
            Causality::CalculatedParameter => "calculatedParameter",
            Causality::Input => "input",
            Causality::Output => "output",
            Causality::Local => "local",
            Causality::Independent => "independent",
        }
    }
}

impl Variability {
    /// The word in the XML.
    pub fn name(self) -> &'static str {
        match self {
            Variability::Constant => "constant",
            Variability::Fixed => "fixed",
            Variability::Tunable => "tunable",
            Variability::Discrete => "discrete",
            Variability::Continuous => "continuous",
        }
    }
}

impl Initial {
    /// The word in the XML.
    pub fn name(self) -> &'static str {
        match self {
            Initial::Exact => "exact",
            Initial::Approx => "approx",
            Initial::Calculated => "calculated",
        }
    }
}
