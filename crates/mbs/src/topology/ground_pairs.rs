//! Shapes on ground of pieces.

use super::{CollisionShape, Topology};
use crate::contact::{GroundPair, PairId};

impl Topology {
    /// The shape and the ground of a pair of which one is a piece of ground, or else a sector of a ring, with neighbours
    /// that carry the other one together with it.
    #[must_use]
    pub fn ground_pair(&self, pair: PairId) -> Option<GroundPair> {
        let [a, b] = [pair.a, pair.b].map(|shape| &self.shapes[shape as usize]);
        let (shape, ground) = match ([is_ground(a), is_ground(b)], [is_ring(a), is_ring(b)]) {
            ([true, true], _) => return None,
            ([true, false], _) => (pair.b, a),
            ([false, true], _) => (pair.a, b),
            (_, [true, false]) => (pair.b, a),
            (_, [false, true]) => (pair.a, b),
            // All sectors of one ring are on the other one.
            (_, [true, true]) => (self.first_shape_of_object(pair.a), b),
            _ => return None,
        };
        a.shape.has_patch_with(&b.shape).then(|| GroundPair { shape, ground: ground.object.index() as u32 })
    }

    /// Whether any pair of shapes may be on ground.
    #[must_use]
    pub(crate) fn has_grounds(&self) -> bool {
        self.shapes.iter().any(|shape| is_ground(shape) || is_ring(shape))
    }

    /// The first one of the shapes of the object that a shape belongs to; they have successive numbers.
    fn first_shape_of_object(&self, shape: u32) -> u32 {
        let object = self.shapes[shape as usize].object;
        let others = self.shapes[..shape as usize].iter().rev().take_while(|other| other.object == object);
        shape - others.count() as u32
    }
}

fn is_ground(shape: &CollisionShape) -> bool {
    shape.shape.polyhedron().is_some_and(|polyhedron| polyhedron.ground_face().is_some())
}

fn is_ring(shape: &CollisionShape) -> bool {
    shape.shape.polyhedron().is_some_and(|polyhedron| polyhedron.round_side().is_some())
}
