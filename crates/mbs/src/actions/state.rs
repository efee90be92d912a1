//! Where every action program stands: part of the discrete state of a run.

use serde::{Deserialize, Serialize};

use crate::reference_path::PathMotion;
use crate::scene::Actions;
use crate::scene::program::{ActionCode, ProgramStart};

/// Where all programs stand, and the truth of the relations in their conditions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ActionState {
    /// One entry per program.
    pub programs: Vec<ProgramState>,
    /// Truth of relations.
    pub truth: Vec<bool>,
    /// Motion of every path.
    pub paths: Vec<PathMotion>,
}

/// Where one program stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramState {
    /// Next instruction; none while the program does not run.
    pub at: Option<usize>,
    /// When a wait ends \[s\].
    pub wake: Option<f64>,
    /// Whether the start condition was true at its last evaluation.
    pub was_true: bool,
    /// Whether the present step could not be done and is tried again.
    pub retrying: bool,
    /// Counters of loops.
    pub counters: Vec<u64>,
}

impl ActionState {
    /// The state before the first event.
    #[must_use]
    pub fn new(actions: &Actions) -> Self {
        let start = |code: &ActionCode| ProgramState {
            at: (code.start == ProgramStart::Once).then_some(0),
            counters: vec![0; code.num_counters],
            ..ProgramState::default()
        };
        Self {
            programs: actions.programs.iter().map(start).collect(),
            truth: actions.conditions.truth().to_vec(),
            paths: actions.paths.iter().map(|axes| PathMotion::resting(&axes.start)).collect(),
        }
    }

    /// Whether this is a state of the same programs as another one.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        let programs = self.programs.len() == other.programs.len()
            && self.programs.iter().zip(&other.programs).all(|(a, b)| a.counters.len() == b.counters.len());
        let paths =
            self.paths.len() == other.paths.len() && self.paths.iter().zip(&other.paths).all(|(a, b)| a.fits(b));
        programs && paths && self.truth.len() == other.truth.len()
    }

    /// The earliest end of a wait \[s\].
    #[must_use]
    pub fn next_wake(&self) -> Option<f64> {
        self.programs.iter().filter_map(|program| program.wake).min_by(f64::total_cmp)
    }
}
