//! The state before a step, to return to when the step fails.

use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;

impl<I: Integrator> Simulation<I> {
    /// Remembers the present point, whose variables must be known. Allocates the first time only.
    pub(in crate::simulation) fn take_checkpoint(&mut self) {
        let mut kept = std::mem::take(&mut self.checkpoint);
        self.copy_state_to(&mut kept.run);
        kept.structure.clone_from(&self.scene.structure);
        if kept.actions != self.programs.state {
            kept.actions.clone_from(&self.programs.state);
        }
        self.checkpoint = kept;
    }

    /// Returns to the point remembered and discards log entries of the aborted step; the integrator will restart there.
    pub(in crate::simulation) fn return_to_checkpoint(&mut self) {
        let kept = std::mem::take(&mut self.checkpoint);
        self.restore_structure(kept.structure.clone());
        self.programs.state.clone_from(&kept.actions);
        self.point.t = kept.run.t;
        self.restore_actions();
        self.take_state(&kept.run);
        self.evaluator.set_contacts(&self.topology, self.contacts.set.active());
        self.records.journal.take();
        self.contacts.monitor.changes.clear();
        self.checkpoint = kept;
    }
}
