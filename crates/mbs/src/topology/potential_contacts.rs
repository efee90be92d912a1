//! Potential contacts: the pairs of objects that may meet in a segment, and how they then press on each other.

use std::collections::{BTreeMap, BTreeSet};

use super::Topology;
use crate::collision::ConvexShape;
use crate::scene::ObjectId;

/// How two shapes press on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactKind {
    /// With faces, edges and corners, by pressure fields.
    Patch,
    /// At one point, by Hertz' law.
    Point,
    /// At the lowest points of a body with round sides on a half-space.
    GroundPoints,
    /// At one point, though both have flat sides: one is a mesh with too many faces for a patch.
    FineMesh,
}

/// Two objects that may meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PotentialContact {
    /// The object declared first, and the other one.
    pub objects: [ObjectId; 2],
    /// How their shapes press on each other, in the order of [`ContactKind`].
    pub kinds: BTreeSet<ContactKind>,
    /// Pairs of materials, that of the first object first.
    pub materials: BTreeSet<[String; 2]>,
    /// Number of pairs of convex shapes.
    pub shape_pairs: usize,
}

/// More pairs of shapes than this are not listed.
const MOST_PAIRS: usize = 4_000_000;

/// All objects that may meet, in the order of their declaration; none if there are millions of pairs.
#[must_use]
pub fn potential_contacts(topology: &Topology) -> Option<Vec<PotentialContact>> {
    let (filter, n) = (&topology.collision_filter, topology.shapes.len() as u32);
    let movers: Vec<u32> = (0..n).filter(|&i| filter.moves(i)).collect();
    if movers.len() * topology.shapes.len() > MOST_PAIRS {
        return None;
    }
    let mut found: BTreeMap<[usize; 2], PotentialContact> = BTreeMap::new();
    for &i in &movers {
        // Two that move are met from the first one.
        for j in (0..n).filter(|&j| (j > i || !filter.moves(j)) && filter.may_meet(i, j)) {
            let mut shapes = [i, j].map(|shape| &topology.shapes[shape as usize]);
            shapes.sort_by_key(|shape| shape.object.index());
            let objects = shapes.map(|shape| shape.object);
            let contact = found.entry(objects.map(ObjectId::index)).or_insert_with(|| PotentialContact {
                objects,
                kinds: BTreeSet::new(),
                materials: BTreeSet::new(),
                shape_pairs: 0,
            });
            contact.kinds.insert(kind_of(topology, [i, j]));
            let materials = shapes.map(|shape| &shape.material);
            if !contact.materials.iter().any(|known| known.each_ref() == materials) {
                contact.materials.insert(materials.map(String::clone));
            }
            contact.shape_pairs += 1;
        }
    }
    Some(found.into_values().collect())
}

/// How the shapes of a pair press on each other.
fn kind_of(topology: &Topology, pair: [u32; 2]) -> ContactKind {
    let [a, b] = pair.map(|shape| &topology.shapes[shape as usize].shape);
    if a.has_patch_with(b) {
        return ContactKind::Patch;
    }
    if pair.iter().any(|&shape| topology.collision_filter.is_ground_point(shape)) {
        return ContactKind::GroundPoints;
    }
    let is_flat =
        |shape: &ConvexShape| shape.polyhedron().is_some() || shape.frustum().is_some() || shape.is_half_space();
    let is_fine_mesh = |shape: &ConvexShape| shape.is_hull() && !is_flat(shape);
    if (is_fine_mesh(a) && (is_flat(b) || is_fine_mesh(b))) || (is_fine_mesh(b) && is_flat(a)) {
        return ContactKind::FineMesh;
    }
    ContactKind::Point
}
