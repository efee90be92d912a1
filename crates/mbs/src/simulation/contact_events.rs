//! Events of contacts: which pairs touch, and the data of their contact.

use super::error::SimulationError;
use super::integrator::Integrator;
use super::run::{PendingEvent, Simulation};
use super::segment::num_contact_roots;
use crate::contact::{ContactMaterial, ContactOptions, PairId};
use crate::scene::Scene;
use crate::topology::Topology;

impl<I: Integrator> Simulation<I> {
    /// The earliest contact inside a step that its ends do not show, as an event.
    pub(super) fn find_missed(&mut self, before: f64, t: f64) -> Result<Option<PendingEvent>, SimulationError> {
        if num_contact_roots(&self.topology) == 0 {
            return Ok(None);
        }
        let roots = self.signals.num_roots();
        Ok(self.missed_contact(before, t)?.map(|t| {
            let mut directions = vec![0; roots + 2];
            directions[roots + 1] = -1;
            PendingEvent { t, directions }
        }))
    }

    /// Brings the set of active contacts up to the present point; true when it changed.
    pub(super) fn update_contacts(&mut self) -> Result<bool, SimulationError> {
        if num_contact_roots(&self.topology) == 0 {
            return Ok(false);
        }
        let (q, v) = self.y.split_at(self.topology.num_q);
        self.evaluator.workspace.move_bodies(&self.topology, q, v, &self.yp[self.topology.num_q..]);
        let near = self.evaluator.contacts.measure(&self.topology, &self.evaluator.workspace.bodies);
        let (scene, topology) = (&self.scene, &self.topology);
        let freeze = |pair: PairId, approach: f64| {
            pair_material(scene, topology, pair).map(|material| material.freeze(approach))
        };
        let changes = self.contact_set.update(self.t, near, freeze).map_err(SimulationError::Start)?;
        let changed = !(changes.started.is_empty() && changes.ended.is_empty());
        if changed {
            self.note_contacts(&changes);
            self.evaluator.set_contacts(&self.topology, self.contact_set.active());
        }
        Ok(changed)
    }
}

/// Contact data of a pair of shapes.
fn pair_material(scene: &Scene, topology: &Topology, pair: PairId) -> Result<ContactMaterial, String> {
    let [a, b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    let context = |error: String| {
        format!("contact of `{}` with `{}`: {error}", scene.objects[a.object].path, scene.objects[b.object].path)
    };
    let [first, second] = [&a.material, &b.material]
        .map(|name| scene.materials.material(name).map_err(|error| context(error.to_string())));
    let lookup = scene.materials.pair(&a.material, &b.material).map_err(|error| context(error.to_string()))?;
    let options = ContactOptions { k_red: scene.k_red, ..ContactOptions::default() };
    ContactMaterial::new((first?, a.curvature), (second?, b.curvature), lookup.pair, options)
        .map_err(|error| context(error.to_string()))
}
