//! The contact law of a pair of shapes.

use crate::contact::{ContactMaterial, PairId};
use crate::scene::Scene;
use crate::topology::Topology;

/// Relative error of a contact's force that is accepted, as a multiple of the relative tolerance: from its predicted
/// approach velocity, or because it slips.
pub(in crate::simulation) const LAW_TOLERANCE: f64 = 10.0;

/// As [`Topology::contact_law`], with errors that name the objects.
pub(in crate::simulation) fn named_contact_law(
    scene: &Scene,
    topology: &Topology,
    pair: PairId,
) -> Result<ContactMaterial, String> {
    topology.contact_law(pair).map_err(|error| {
        let [a, b] = [pair.a, pair.b].map(|shape| &scene.objects[topology.shapes[shape as usize].object].path);
        format!("contact of `{a}` with `{b}`: {error}")
    })
}
