//! The state of a run between two steps.

use serde::{Deserialize, Serialize};

use super::impacts::Impacts;
use super::passage::Passage;
use crate::component_system::ComponentState;
use crate::contact::hinge::Hinge;
use crate::contact::{ContactSet, PairCounts, PairId};
use crate::dynamics::ActiveClosureRows;
use crate::simulation::monitor::JumpCounts;

/// Everything that decides how a run continues, but for its model, its inputs and the integrator's history. A
/// checkpoint is a copy of it, and a saved state holds one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct RunState {
    /// Time \[s\].
    pub t: f64,
    /// Variables, and their derivatives with respect to time.
    pub y: Vec<f64>,
    pub yp: Vec<f64>,
    /// Truth of all relations in expressions.
    pub truth: Vec<bool>,
    pub components: ComponentState,
    pub contact_set: ContactSet,
    /// Impacts of rigid bodies so far.
    pub impacts: Impacts,
    /// What holds rigid bodies that touch.
    pub hinges: Vec<Hinge>,
    /// How often these have changed lately.
    pub hinge_changes: PairCounts,
    /// Pairs that rest on the elastic law in their place, ascending.
    pub resting_elastically: Vec<PairId>,
    /// Jumps of contact points.
    pub jumps: JumpCounts,
    /// Closure equations in use.
    pub closures: ActiveClosureRows,
    pub passage: Passage,
    /// Restarts in a row at which a loop was thrown back to a singular configuration.
    pub rebounds: u32,
    /// Events so far, the time of the last one \[s\], and events in a row without progress.
    pub events: u64,
    pub last_event: f64,
    pub events_without_progress: u32,
    /// Segments so far.
    pub segments: u64,
}
