//! Steps of action programs that change the structure.

use crate::declaration::Policy;
use crate::math::Seconds;
use crate::scene::ObjectId;
use crate::scene::program::{ChangeCommand, Choosable};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::run_data::attach_error::Fit;
use crate::simulation::run_data::change::{Placement, StructureChange};
use crate::simulation::run_data::journal::Topic;

/// Energy, relative to its scale, below which the energy lost in an attachment is not reported; rounding leaves far
/// less.
const NEGLIGIBLE_ENERGY: f64 = 1e-9;

impl Simulation {
    /// Executes a structural step. Returns where the program continues, or none if it retries the step.
    pub(in crate::simulation) fn try_change(
        &mut self,
        k: usize,
        at: usize,
        change: &ChangeCommand,
    ) -> Result<Option<usize>, SimulationError> {
        let waited = self.structure.programs.state.programs[k].retrying;
        let outcome = self.changes_of(change).and_then(|changes| {
            self.change_after(&changes, waited).map(|report| (changes, report.dissipated)).map_err(|e| e.to_string())
        });
        let path = self.model.scene.actions.programs[k].path.clone();
        let was_retrying = std::mem::replace(&mut self.structure.programs.state.programs[k].retrying, false);
        let t = Seconds(self.point.t);
        match (outcome, change.otherwise) {
            (Ok((changes, dissipated)), _) => {
                if changes.iter().any(|change| matches!(change, StructureChange::Attach { .. })) {
                    self.note_redundancy();
                }
                if dissipated > NEGLIGIBLE_ENERGY * self.model.scene.scales.energy() {
                    self.records.journal.note(self.point.t, Topic::Segment, || {
                        format!("actions `{path}`: the parts moved relative to each other or pressed on each other, attaching them took {dissipated:.6e} J")
                    });
                }
                Ok(Some(at + 1))
            }
            (Err(why), Policy::Skip) => {
                self.structure.programs.log_once(format!("actions `{path}` at t = {t} s: {why}; the step is skipped"));
                Ok(Some(at + 1))
            }
            (Err(why), Policy::Retry) => {
                if self.structure.programs.is_news(k, without_numbers(&why), was_retrying) {
                    self.structure.programs.log_once(format!(
                        "actions `{path}` at t = {t} s: {why}; it is tried again until it is possible"
                    ));
                }
                self.structure.programs.state.programs[k].retrying = true;
                Ok(None)
            }
            (Err(why), Policy::Error) => {
                Err(SimulationError::Structure(format!("actions `{path}` at t = {t} s: {why}")))
            }
        }
    }

    /// What a step changes at present, or why it cannot.
    fn changes_of(&mut self, change: &ChangeCommand) -> Result<Vec<StructureChange>, String> {
        self.reach(Stage::Velocity).map_err(|error| error.to_string())?;
        let mut changes = Vec::new();
        changes.extend(change.release.map(|frame| StructureChange::Release { frame }));
        if change.delete.is_some() {
            let roots = self.chosen(change, Choosable::Deleted)?;
            let root = roots.iter().copied().find(|root| self.model.scene.exists(*root));
            let root = root.ok_or_else(|| self.none_left(roots, "delete", "exists"))?;
            changes.push(StructureChange::Delete { root });
        }
        if let Some(insert) = &change.insert {
            let roots = self.chosen(change, Choosable::Inserted)?;
            let root = roots.iter().copied().find(|root| !self.model.scene.exists(*root));
            let is_deleted =
                |change: &StructureChange| matches!(change, StructureChange::Delete { root } if roots.contains(root));
            let root = root.ok_or_else(|| match changes.iter().any(is_deleted) {
                true => "what a step deletes, the next step can insert again, not the same".to_owned(),
                false => self.none_left(roots, "insert", "is absent"),
            })?;
            let placement = insert.at.map(|at| Placement { at, pose: insert.pose, v: insert.v, w: insert.w });
            changes.push(StructureChange::Insert { root, placement });
        }
        if let Some(attach) = &change.attach {
            let choice = self.structure.programs.choice(&self.model.scene, change, Choosable::Partners)?;
            let fit = Fit::find(&self.view(), change, attach, choice)?;
            fit.check(&self.view(), attach)?;
            changes.push(StructureChange::Attach { a: attach.a, b: fit.partner, snap: attach.snap });
        }
        Ok(changes)
    }

    /// The one of several roots that a step chooses, or all of them.
    fn chosen<'r>(&mut self, change: &'r ChangeCommand, of: Choosable) -> Result<&'r [ObjectId], String> {
        let choice = self.structure.programs.choice(&self.model.scene, change, of)?;
        let roots = change.listed(of);
        Ok(choice.checked_sub(1).map_or(roots, |k| &roots[k..=k]))
    }

    fn none_left(&self, roots: &[ObjectId], verb: &str, state: &str) -> String {
        let names: Vec<&str> = roots.iter().map(|root| self.model.scene.objects[*root].path.as_str()).collect();
        if names.is_empty() {
            return format!("there is nothing to {verb}: the array of the pattern has no copies");
        }
        format!("cannot {verb} any of `{}`: none of them {state}", names.join("`, `"))
    }
}

/// A message without its numbers, to compare messages whatever the measured values.
fn without_numbers(message: &str) -> String {
    let in_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    message.chars().filter(|c| !in_number(*c)).collect()
}
