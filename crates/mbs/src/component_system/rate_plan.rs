//! What the accelerations of driven flanges depend on.

use crate::component::Motion;

/// What the accelerations of driven flanges depend on, with room for the rates.
#[derive(Debug, Clone, Default)]
pub(super) struct Rates {
    /// Groups whose velocity is a signal that is not constant.
    pub driven: Vec<usize>,
    /// Components whose outputs matter, each after those that it reads.
    pub sources: Vec<usize>,
    /// Motions of bodies that matter.
    pub observed: Vec<usize>,
    /// Number of passes over the driven flanges until their motions are consistent.
    pub passes: usize,
    /// Rate of every slot of the expressions.
    pub slots: Vec<f64>,
    /// Rates of inputs of components.
    pub inputs: Vec<f64>,
    pub moved: Moved,
}

/// Inputs of a component besides the present point.
#[derive(Debug, Clone, Default)]
pub(super) struct Moved {
    pub x: Vec<f64>,
    pub inputs: Vec<f64>,
    pub flanges: Vec<Motion>,
    pub outputs: Vec<f64>,
    pub sums: Vec<f64>,
}

impl Rates {
    /// Number of passes over the driven flanges until their motions are consistent.
    pub fn passes(&self) -> usize {
        self.passes
    }
}
