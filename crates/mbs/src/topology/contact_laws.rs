//! Contact laws of pairs of shapes, compiled from the materials of the model.

use std::collections::{BTreeMap, BTreeSet};

use super::{CollisionShape, Topology};
use crate::contact::hinge::can_be_hinged;
use crate::contact::{ContactMaterial, ContactOptions, PairId};
use crate::material::{ContactLaw, Material, MaterialError, MaterialPair};
use crate::scene::Scene;

/// What the contact laws of pairs of shapes follow from.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactLaws {
    /// Materials of colliding shapes, by name.
    materials: Vec<Material>,
    /// Properties of every pair of these, row by row; none where there are no data.
    pairs: Vec<Option<MaterialPair>>,
    /// Laws of pairs of objects, by their positions in ascending order, whatever the materials say.
    of_objects: BTreeMap<[usize; 2], ContactLaw>,
    options: ContactOptions,
    /// Numbers of objects that have a shape which hinges cannot hold, ascending.
    without_hinges: Vec<usize>,
    /// Pairs that rest on the elastic law although hinges could hold them, ascending.
    resting_elastically: Vec<PairId>,
    /// Whether all pairs do.
    all_rest_elastically: bool,
}

impl ContactLaws {
    pub fn new(scene: &Scene, shapes: &[CollisionShape]) -> Self {
        let names: BTreeSet<&str> = shapes.iter().map(|shape| shape.material.as_str()).collect();
        let known = names.into_iter().filter_map(|name| scene.materials.material(name).ok());
        let materials: Vec<Material> = known.cloned().collect();
        let pair = |a: &Material, b: &Material| scene.materials.pair(&a.name, &b.name).ok().map(|found| found.pair);
        let pairs = materials.iter().flat_map(|a| materials.iter().map(move |b| pair(a, b))).collect();
        let usual = ContactOptions::default();
        let options = ContactOptions {
            k_red: scene.k_red,
            constants: scene.contact_constants,
            law: scene.contact_law,
            resting: scene.resting,
            d_max: usual.d_max / scene.scales.velocity(),
            ..usual
        };
        let left_out = shapes.iter().filter(|own| !can_be_hinged([&own.shape; 2]));
        let mut without_hinges: Vec<usize> = left_out.map(|shape| shape.object.index()).collect();
        without_hinges.sort_unstable();
        without_hinges.dedup();
        let of_objects = scene.pair_laws.clone();
        Self {
            materials,
            pairs,
            of_objects,
            options,
            without_hinges,
            resting_elastically: Vec::new(),
            all_rest_elastically: false,
        }
    }

    fn number_of(&self, material: &str) -> Option<usize> {
        self.materials.binary_search_by_key(&material, |known| known.name.as_str()).ok()
    }

    fn pair(&self, shapes: [&CollisionShape; 2]) -> Option<([&Material; 2], MaterialPair)> {
        let [a, b] = shapes.map(|shape| self.number_of(&shape.material));
        let (a, b) = (a?, b?);
        let mut objects = shapes.map(|shape| shape.object.index());
        objects.sort_unstable();
        let declared = self.pairs[a * self.materials.len() + b]?;
        let law = self.of_objects.get(&objects).copied().or(declared.law);
        Some(([&self.materials[a], &self.materials[b]], MaterialPair { law, ..declared }))
    }
}

impl Topology {
    /// Contact law of a pair of shapes.
    ///
    /// # Errors
    /// Materials without contact properties, shapes to which no law applies.
    pub fn contact_law(&self, pair: PairId) -> Result<ContactMaterial, String> {
        let [a, b] = [pair.a, pair.b].map(|shape| &self.shapes[shape as usize]);
        let Some(([first, second], of_pair)) = self.contact_laws.pair([a, b]) else {
            return Err(MaterialError::UnknownPair { a: a.material.clone(), b: b.material.clone() }.to_string());
        };
        let options = self.contact_laws.options;
        let law = ContactMaterial::new((first, a.curvature), (second, b.curvature), of_pair, options)
            .map_err(|error| error.to_string())?;
        let law = ContactMaterial { can_be_hinged: self.can_be_hinged(pair), ..law };
        Ok(if a.shape.has_patch_with(&b.shape) { law.with_faces(&a.shape, &b.shape) } else { law })
    }

    /// Pairs that rest on the elastic law although hinges could hold them, ascending.
    #[must_use]
    pub fn resting_elastically(&self) -> &[PairId] {
        &self.contact_laws.resting_elastically
    }

    /// Lets pairs, ascending, rest on the elastic law although hinges could hold them, and no others.
    pub(crate) fn let_rest_elastically(&mut self, pairs: &[PairId]) {
        self.contact_laws.resting_elastically.clear();
        self.contact_laws.resting_elastically.extend_from_slice(pairs);
    }

    /// Lets all pairs rest on the elastic law, or those again that hinges can hold.
    pub(crate) fn let_all_rest_elastically(&mut self, all: bool) {
        self.contact_laws.all_rest_elastically = all;
    }

    /// Whether hinges can hold a pair of shapes, and what else their objects meet with. Ends of capsules stand for them
    /// on flat ground.
    fn can_be_hinged(&self, pair: PairId) -> bool {
        let shapes = [pair.a, pair.b].map(|shape| &self.shapes[shape as usize]);
        let is_whole =
            |shape: &CollisionShape| self.contact_laws.without_hinges.binary_search(&shape.object.index()).is_err();
        !self.contact_laws.all_rest_elastically
            && can_be_hinged(shapes.map(|shape| &shape.shape))
            && self.contact_laws.resting_elastically.binary_search(&pair).is_err()
            && ([pair.a, pair.b].into_iter().any(|shape| self.collision_filter.is_ground_point(shape))
                || shapes.into_iter().all(is_whole))
    }
}
