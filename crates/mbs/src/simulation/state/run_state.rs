//! Copying the state of a run, and going on from a copy.

use crate::simulation::run::Simulation;
use crate::simulation::run_data::run_state::RunState;

impl Simulation {
    /// Copies the state of the present point, whose variables must be current, reusing allocations.
    pub(in crate::simulation) fn copy_state_to(&self, state: &mut RunState) {
        state.t = self.point.t;
        state.y.clone_from(&self.point.y);
        state.yp.clone_from(&self.point.yp);
        state.truth.clear();
        state.truth.extend_from_slice(self.segment.signals.truth());
        self.segment.evaluator.components.save_into(&mut state.components);
        state.contact_set.clone_from(&self.contacts.set);
        state.impacts.clone_from(&self.contacts.impacts);
        state.hinges.clone_from(&self.contacts.hinges);
        state.hinge_changes.copy_from(&self.contacts.hinge_changes);
        state.resting_elastically.clear();
        state.resting_elastically.extend_from_slice(self.segment.topology.resting_elastically());
        state.jumps.copy_from(self.contacts.monitor.jumps());
        state.closures.copy_from(self.segment.evaluator.loops.active_rows());
        state.passage = self.loops.passage;
        state.rebounds = self.loops.rebounds;
        (state.events, state.last_event, state.events_without_progress) =
            (self.events.count, self.events.last, self.events.without_progress);
        state.segments = self.structure.segments.count;
    }

    /// Continues from a state of the present structure. The integrator has no history of it, and contacts are not
    /// armed.
    pub(in crate::simulation) fn take_state(&mut self, state: &RunState) {
        self.point.t = state.t;
        self.segment.topology.let_rest_elastically(&state.resting_elastically);
        self.hold(state.hinges.clone());
        self.contacts.hinge_changes.copy_from(&state.hinge_changes);
        let resized = state.y.len() != self.point.y.len();
        self.point.y.clone_from(&state.y);
        self.segment.evaluator.components.restore(&state.components);
        if resized {
            self.resize_components();
        }
        self.point.yp.copy_from_slice(&state.yp);
        self.segment.signals.set_truth(&state.truth);
        self.contacts.set.clone_from(&state.contact_set);
        self.contacts.impacts.clone_from(&state.impacts);
        self.contacts.monitor.set_jumps(&state.jumps);
        self.segment.evaluator.loops.set_active_rows(&state.closures);
        self.loops.passage = state.passage;
        self.loops.rebounds = state.rebounds;
        (self.events.count, self.events.last, self.events.without_progress) =
            (state.events, state.last_event, state.events_without_progress);
        self.structure.segments.count = state.segments;
        self.point.is_current = true;
        self.solver.is_running = false;
        self.events.pending = None;
    }
}
