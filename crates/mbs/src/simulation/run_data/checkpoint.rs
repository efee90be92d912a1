//! What a step that fails must give back.

use std::sync::Arc;

use super::run_state::RunState;
use crate::actions::ActionState;
use crate::contact::{ContactConstants, PairId};
use crate::force::Inputs;
use crate::scene::Structure;

/// A run before a step.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct Checkpoint {
    pub run: RunState,
    pub covered_inputs: Inputs,
    /// Pairs that take part in forces, with their constants.
    pub armed: Vec<(PairId, ContactConstants)>,
    pub structure: Arc<Structure>,
    pub actions: ActionState,
}
