//! Energy that a change of structure absorbs besides the impact, so that `energy.total` and the energy dissipated by
//! attaching balance: the elastic energy of contacts that are switched off and on, and the work of snapping, which
//! moves parts at once.

use super::momentum::kinetic_energy;
use crate::contact::{ActiveContact, ContactHistory, PairId};
use crate::dynamics::contact_energy;
use crate::scene::{EnergyKind, ObjectId, Quantity, Structure};
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Segment;
use crate::simulation::run_data::change::StructureChange;
use crate::simulation::run_data::previous_segment::PreviousSegment;
use crate::simulation::structure::momentum::{carried, snaps};
use crate::topology::Topology;

impl Simulation {
    /// Potential energy \[J\] before parts are brought to coincide, all bodies being at the present point; none where
    /// nothing snaps, or where parts come and go as well, with energy of their own.
    pub(in crate::simulation) fn potential_to_snap(&self, changes: &[StructureChange]) -> Option<f64> {
        let goes = |change: &StructureChange| {
            matches!(change, StructureChange::Delete { .. } | StructureChange::Insert { .. })
        };
        let wanted = snaps(changes) && !changes.iter().any(goes);
        wanted.then(|| self.view().value(&Quantity::Energy(EnergyKind::Potential)))
    }

    /// Energy \[J\] that a change absorbs besides the impact; `dropped` are the contacts that it made impossible and
    /// that were taken out of the set, `potential` is [`Simulation::potential_to_snap`]. Bodies must be at the present
    /// point where it frees or snaps parts.
    pub(in crate::simulation) fn energy_absorbed_by_change(
        &mut self,
        changes: &[StructureChange],
        before: &PreviousSegment,
        dropped: &[ActiveContact],
        potential: Option<f64>,
    ) -> f64 {
        if let Some(potential) = potential {
            let now = self.view().value(&Quantity::Energy(EnergyKind::Potential));
            return potential - now - self.begun_energy(before, true) + self.turned_energy(before);
        }
        let stays = |contact: &&ActiveContact| {
            let objects = objects_of(&self.segment.topology, contact.pair);
            exist(&before.structure, objects) && exist(&self.model.scene.structure, objects)
        };
        let off: Vec<ActiveContact> = dropped.iter().filter(stays).copied().collect();
        let taken = contact_energy(&before.topology, self.point.t, &before.workspace.bodies, &off);
        let frees = |change: &StructureChange| {
            matches!(change, StructureChange::Release { .. } | StructureChange::Delete { .. })
        };
        if self.segment.topology.shapes.len() < 2 || !changes.iter().any(frees) {
            return taken;
        }
        taken - self.begun_energy(before, false)
    }

    /// Elastic energy \[J\] of contacts that begin with the change because they were impossible before, or because
    /// parts were moved.
    fn begun_energy(&mut self, before: &PreviousSegment, snapped: bool) -> f64 {
        let Self { segment: Segment { evaluator, topology, .. }, contacts, .. } = self;
        let concerns = |pair: PairId| {
            let is_new = snapped || !before.topology.collision_filter.allows(pair.a, pair.b);
            is_new && contacts.set.find(pair).is_none() && exist(&before.structure, objects_of(topology, pair))
        };
        let found = evaluator.contacts.overlaps(topology, &evaluator.workspace.bodies, concerns);
        let begun = found.iter().filter_map(|at| {
            let constants = topology.contact_law(at.pair).ok()?.freeze(at.delta_dot);
            let contact = ActiveContact {
                pair: at.pair,
                constants,
                t_start: 0.0,
                delta_dot_minus: at.delta_dot,
                history: ContactHistory::default(),
            };
            Some(contact_energy(topology, 0.0, &evaluator.workspace.bodies, &[contact]))
        });
        begun.sum()
    }

    /// Kinetic energy \[J\] that parts lose by being turned at once: they continue with their angular velocity in the
    /// world.
    fn turned_energy(&self, before: &PreviousSegment) -> f64 {
        let stays = |id: &ObjectId| before.is_touched(*id) && before.exists(*id) && self.model.scene.exists(*id);
        let lost = |id: ObjectId| {
            let inertia = crate::topology::body_inertia(&self.model.scene.objects[id].mass);
            let carried = carried(&before.motion(id), &self.view().object_motion(id), &inertia);
            kinetic_energy(&inertia, &before.motion(id)) - kinetic_energy(&inertia, &carried)
        };
        self.model.scene.objects.iter().map(|(id, _)| id).filter(stays).map(lost).sum()
    }
}

fn objects_of(topology: &Topology, pair: PairId) -> [ObjectId; 2] {
    [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].object)
}

fn exist(structure: &Structure, objects: [ObjectId; 2]) -> bool {
    objects.into_iter().all(|id| structure.exists(id))
}
