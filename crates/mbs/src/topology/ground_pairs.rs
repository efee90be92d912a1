//! Shapes on ground of pieces.

use super::{CollisionShape, Topology};
use crate::contact::{GroundPair, PairId};

impl Topology {
    /// The shape and the ground of a pair of which one is a piece of ground, with neighbours that carry the other one
    /// together with it.
    #[must_use]
    pub fn ground_pair(&self, pair: PairId) -> Option<GroundPair> {
        let [a, b] = [pair.a, pair.b].map(|shape| &self.shapes[shape as usize]);
        let is_ground = |shape: &CollisionShape| {
            shape.shape.polyhedron().is_some_and(|polyhedron| polyhedron.ground_face().is_some())
        };
        let (shape, ground) = match [is_ground(a), is_ground(b)] {
            [true, false] => (pair.b, a),
            [false, true] => (pair.a, b),
            _ => return None,
        };
        a.shape.has_patch_with(&b.shape).then(|| GroundPair { shape, ground: ground.object.index() as u32 })
    }
}
