//! The state before a step, to return to when the step fails.

use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;

impl<I: Integrator> Simulation<I> {
    /// Remembers the present point, whose variables must be known. Allocates the first time only.
    pub(in crate::simulation) fn take_checkpoint(&mut self) {
        let kept = &mut self.checkpoint;
        match &mut kept.contact_set {
            Some(set) => set.clone_from(&self.contacts.set),
            None => kept.contact_set = Some(self.contacts.set.clone()),
        }
        kept.structure.clone_from(&self.scene.structure);
        if kept.actions != self.programs.state {
            kept.actions.clone_from(&self.programs.state);
        }
        kept.closures.copy_from(self.evaluator.loops.choice());
        kept.t = self.point.t;
        kept.y.clear();
        kept.y.extend_from_slice(&self.point.y);
        kept.truth.clear();
        kept.truth.extend_from_slice(self.signals.truth());
        kept.events = (self.events.count, self.events.last);
        self.evaluator.components.save_into(&mut kept.components);
        kept.segments = self.segments.count;
    }

    /// Returns to the point remembered; the integrator will restart there.
    pub(in crate::simulation) fn return_to_checkpoint(&mut self) {
        self.point.t = self.checkpoint.t;
        self.restore_structure(self.checkpoint.structure.clone());
        self.evaluator.loops.choose(&self.checkpoint.closures);
        self.programs.state.clone_from(&self.checkpoint.actions);
        self.restore_actions();
        let resized = self.point.y.len() != self.checkpoint.y.len();
        self.point.y.clone_from(&self.checkpoint.y);
        self.evaluator.components.restore(&self.checkpoint.components);
        if resized {
            self.resize_components();
        }
        self.segments.count = self.checkpoint.segments;
        self.signals.set_truth(&self.checkpoint.truth);
        (self.events.count, self.events.last) = self.checkpoint.events;
        if let Some(contact_set) = &self.checkpoint.contact_set {
            self.contacts.set.clone_from(contact_set);
            self.evaluator.set_contacts(&self.topology, self.contacts.set.active());
        }
        // What happened did not happen.
        self.records.journal.take();
        self.point.is_current = true;
        self.solver.is_running = false;
        self.events.pending = None;
        self.contacts.monitor.changes.clear();
    }
}
