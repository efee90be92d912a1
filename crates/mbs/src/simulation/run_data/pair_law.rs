//! The contact law of a pair of shapes.

use crate::contact::{ContactMaterial, ContactOptions, PairId};
use crate::material::MaterialPair;
use crate::scene::Scene;
use crate::topology::Topology;

/// Relative error of a contact's force that is accepted, as a multiple of the relative tolerance: from its predicted
/// approach velocity, or because it slips.
pub(in crate::simulation) const LAW_TOLERANCE: f64 = 10.0;

/// Contact data of a pair of shapes.
pub(in crate::simulation) fn pair_material(
    scene: &Scene,
    topology: &Topology,
    pair: PairId,
) -> Result<ContactMaterial, String> {
    let [a, b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    let context = |error: String| {
        format!("contact of `{}` with `{}`: {error}", scene.objects[a.object].path, scene.objects[b.object].path)
    };
    let [first, second] = [&a.material, &b.material]
        .map(|name| scene.materials.material(name).map_err(|error| context(error.to_string())));
    let lookup = scene.materials.pair(&a.material, &b.material).map_err(|error| context(error.to_string()))?;
    let mut objects = [a.object.index(), b.object.index()];
    objects.sort_unstable();
    let of_pair = MaterialPair { law: scene.pair_laws.get(&objects).copied().or(lookup.pair.law), ..lookup.pair };
    let usual = ContactOptions::default();
    let d_max = usual.d_max / scene.scales.velocity();
    let options = ContactOptions {
        k_red: scene.k_red,
        constants: scene.contact_constants,
        law: scene.contact_law,
        d_max,
        ..usual
    };
    let law = ContactMaterial::new((first?, a.curvature), (second?, b.curvature), of_pair, options)
        .map_err(|error| context(error.to_string()))?;
    Ok(if a.shape.has_patch_with(&b.shape) { law.with_faces(&a.shape, &b.shape) } else { law })
}
