//! The state before a step, to return to when the step fails.

use crate::simulation::run::Simulation;

impl Simulation {
    /// Remembers the present point, whose variables must be known. Allocates the first time only.
    pub(in crate::simulation) fn take_checkpoint(&mut self) {
        let mut run = std::mem::take(&mut self.checkpoint.run);
        self.copy_state_to(&mut run);
        let kept = &mut self.checkpoint;
        kept.run = run;
        kept.covered_inputs.copy_from(&self.solver.covered_inputs);
        kept.armed.clear();
        kept.armed.extend(self.segment.evaluator.contacts.armed().map(|(pair, constants)| (pair, *constants)));
        kept.structure.clone_from(&self.model.scene.structure);
        if kept.actions != self.structure.programs.state {
            kept.actions.clone_from(&self.structure.programs.state);
        }
    }

    /// Returns to the point remembered and discards log entries of the aborted step; the integrator will restart there.
    pub(in crate::simulation) fn return_to_checkpoint(&mut self) {
        self.restore_structure(self.checkpoint.structure.clone());
        self.structure.programs.state.clone_from(&self.checkpoint.actions);
        self.point.t = self.checkpoint.run.t;
        self.restore_actions();
        let run = std::mem::take(&mut self.checkpoint.run);
        self.take_state(&run);
        self.checkpoint.run = run;
        self.solver.covered_inputs.copy_from(&self.checkpoint.covered_inputs);
        let armed = self.checkpoint.armed.iter().map(|(pair, constants)| (*pair, constants));
        self.segment.evaluator.contacts.clear();
        self.segment.evaluator.contacts.arm(&self.segment.topology, armed);
        self.records.journal.take();
        self.contacts.monitor.changes.clear();
    }
}
