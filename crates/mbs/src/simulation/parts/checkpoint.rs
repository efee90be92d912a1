//! What a step that fails must give back.

use std::sync::Arc;

use crate::actions::ActionState;
use crate::component_system::ComponentState;
use crate::contact::ContactSet;
use crate::dynamics::ActiveClosureRows;
use crate::scene::Structure;

/// Everything a step changes that must come back.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct Checkpoint {
    pub t: f64,
    pub y: Vec<f64>,
    pub truth: Vec<bool>,
    pub events: (u64, f64),
    pub contact_set: Option<ContactSet>,
    pub components: ComponentState,
    pub segments: u64,
    pub structure: Arc<Structure>,
    pub actions: ActionState,
    pub closures: ActiveClosureRows,
}
