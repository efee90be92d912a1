//! Entries of the log of a run: methods of the simulation that write them into the journal.

use crate::contact::ContactChanges;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::journal::{Journal, Topic};
use crate::simulation::start::loops::redundancy;

impl Simulation {
    /// Entries since the last call.
    pub fn journal(&mut self) -> &mut Journal {
        &mut self.records.journal
    }

    /// Writes down the structure of the segment that begins.
    pub fn note_segment(&mut self) {
        let (topology, t) = (&self.segment.topology, self.point.t);
        self.records.journal.note(t, Topic::Segment, || {
            format!(
                "a segment begins with {} bodies that move, {} position and {} velocity variables, {} colliding shapes",
                topology.nodes.len() - 1,
                topology.num_q,
                topology.num_v,
                topology.shapes.len()
            )
        });
    }

    /// Writes down which loops have redundant equations.
    pub fn note_redundancy(&mut self) {
        if self.records.journal.is_enabled() {
            for text in redundancy(&self.model.scene, &self.segment.topology, &self.segment.evaluator) {
                self.records.journal.note(self.point.t, Topic::Segment, || text);
            }
        }
    }

    /// Writes down contacts that began and ended.
    pub(in crate::simulation) fn note_contacts(&mut self, t: f64, changes: &ContactChanges) {
        if !self.records.journal.is_enabled() {
            return;
        }
        let name = |shape: u32| &self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path;
        for pair in &changes.started {
            let speed = self.contacts.set.find(*pair).map_or(0.0, |contact| contact.delta_dot_minus);
            let text = || format!("`{}` touches `{}`, approaching at {speed} m/s", name(pair.a), name(pair.b));
            self.records.journal.note(t, Topic::Contact, text);
        }
        for pair in &changes.ended {
            let text = || format!("`{}` leaves `{}`", name(pair.a), name(pair.b));
            self.records.journal.note(t, Topic::Contact, text);
        }
    }

    /// Writes down the conditions whose roots were crossed.
    pub(in crate::simulation) fn note_conditions(&mut self, directions: &[i32]) {
        if !self.records.journal.is_enabled() {
            return;
        }
        for (root, direction) in directions.iter().enumerate().filter(|(_, direction)| **direction != 0) {
            let Some((text, holds)) = self.segment.signals.condition(root, *direction) else { continue };
            let becomes = if holds { "true" } else { "false" };
            self.records
                .journal
                .note(self.point.t, Topic::Event, || format!("the condition `{text}` becomes {becomes}"));
        }
    }
}
