//! Which variables a run writes.

use crate::error::Result;
use crate::names;
use crate::variable::{Kind, Role, Variable};

/// The variables to keep of every communication point.
#[derive(Debug, Clone, Copy)]
pub enum Columns<'a> {
    /// What the outputs of the model name.
    Outputs,
    /// Names, groups and patterns.
    Named(&'a [String]),
    /// All variables.
    All,
}

impl Columns<'_> {
    /// Indices of the variables: all but the time, which every result has, and Strings, which are no numbers.
    ///
    /// # Errors
    /// Names of nothing.
    pub fn choose(self, variables: &[Variable]) -> Result<Vec<usize>> {
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let mut chosen: Vec<usize> = match self {
            Self::All => (0..names.len()).collect(),
            Self::Outputs => (0..names.len()).filter(|index| variables[*index].in_results).collect(),
            Self::Named(arguments) => names::select_all(arguments, &names)?,
        };
        chosen.retain(|index| variables[*index].role != Role::Independent && variables[*index].kind != Kind::String);
        Ok(chosen)
    }
}
