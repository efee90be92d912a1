//! Model structure: which unknowns depend on which knowns.

use super::VariableIndex;

/// How an unknown depends on a known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyKind {
    /// In no particular way.
    Dependent,
    /// Linear with a constant factor.
    Constant,
    /// Linear with a factor that is fixed after initialisation.
    Fixed,
    /// Linear with a factor that changes with tunable parameters only.
    Tunable,
    /// Linear with a factor that changes at events only.
    Discrete,
}

impl DependencyKind {
    /// The word in the XML.
    pub fn name(self) -> &'static str {
        match self {
            DependencyKind::Dependent => "dependent",
            DependencyKind::Constant => "constant",
            DependencyKind::Fixed => "fixed",
            DependencyKind::Tunable => "tunable",
            DependencyKind::Discrete => "discrete",
        }
    }
}

/// One known that an unknown depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    /// The known.
    pub variable: VariableIndex,
    /// How.
    pub kind: DependencyKind,
}

/// One unknown with the knowns it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The unknown.
    pub variable: VariableIndex,
    /// `None`: on all knowns. `Some` of an empty list: on none.
    pub dependencies: Option<Vec<Dependency>>,
}

impl Unknown {
    /// Depends on all knowns.
    pub fn depends_on_everything(variable: VariableIndex) -> Self {
        Self { variable, dependencies: None }
    }

    /// Depends on the given knowns, in no particular way.
    pub fn depends_on(variable: VariableIndex, knowns: impl IntoIterator<Item = VariableIndex>) -> Self {
        let dependent = |variable| Dependency { variable, kind: DependencyKind::Dependent };
        Self { variable, dependencies: Some(knowns.into_iter().map(dependent).collect()) }
    }
}

/// The `ModelStructure` element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelStructure {
    /// All variables with causality output.
    pub outputs: Vec<Unknown>,
    /// Derivatives of the continuous states that directional derivatives refer to.
    pub derivatives: Vec<Unknown>,
    /// What initialisation computes, ascending.
    pub initial_unknowns: Vec<Unknown>,
}
