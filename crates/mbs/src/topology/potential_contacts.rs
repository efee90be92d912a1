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
#[derive(Debug)]
pub struct PotentialContact<'a> {
    topology: &'a Topology,
    /// The object declared first, and the other one.
    pub objects: [ObjectId; 2],
    /// Pairs of convex shapes, that of the first object first.
    pub shape_pairs: &'a [[u32; 2]],
}

impl PotentialContact<'_> {
    /// How the pairs of shapes press on each other.
    pub fn kinds(&self) -> impl Iterator<Item = ContactKind> {
        self.shape_pairs.iter().map(|&pair| kind_of(self.topology, pair))
    }

    /// Pairs of materials, that of the first object first.
    #[must_use]
    pub fn materials(&self) -> BTreeSet<[String; 2]> {
        let materials = |pair: &[u32; 2]| pair.map(|shape| self.topology.shapes[shape as usize].material.as_str());
        let found: BTreeSet<[&str; 2]> = self.shape_pairs.iter().map(materials).collect();
        found.into_iter().map(|pair| pair.map(str::to_owned)).collect()
    }
}

/// More pairs of shapes than this are not visited.
const MOST_PAIRS: usize = 4_000_000;

/// Shapes of one object.
struct Colliding {
    object: ObjectId,
    shapes: Vec<u32>,
    moves: bool,
}

/// Visits all objects that may meet, in the order of their declaration, with the kinds of their contact and the pairs of
/// their shapes; false if there are millions of pairs, none of which is visited.
pub fn visit_potential_contacts(topology: &Topology, mut visit: impl FnMut(&PotentialContact<'_>)) -> bool {
    let (filter, n) = (&topology.collision_filter, topology.shapes.len() as u32);
    let num_moving = (0..n).filter(|&i| filter.moves(i)).count();
    if num_moving * topology.shapes.len() > MOST_PAIRS {
        return false;
    }
    let mut by_object: BTreeMap<usize, Colliding> = BTreeMap::new();
    for i in 0..n {
        let object = topology.shapes[i as usize].object;
        let own = by_object.entry(object.index()).or_insert(Colliding { object, shapes: Vec::new(), moves: false });
        own.shapes.push(i);
        own.moves |= filter.moves(i);
    }
    let all: Vec<Colliding> = by_object.into_values().collect();
    let moving: Vec<usize> = (0..all.len()).filter(|&k| all[k].moves).collect();
    let mut shape_pairs = Vec::new();
    let mut meet = |a: &Colliding, b: &Colliding| {
        shape_pairs.clear();
        let pairs = a.shapes.iter().flat_map(|&i| b.shapes.iter().map(move |&j| [i, j]));
        shape_pairs.extend(pairs.filter(|&[i, j]| filter.may_meet(i, j)));
        if !shape_pairs.is_empty() {
            visit(&PotentialContact { topology, objects: [a.object, b.object], shape_pairs: &shape_pairs });
        }
    };
    for (k, a) in all.iter().enumerate() {
        // What is at rest meets only what moves.
        if a.moves {
            all[k + 1..].iter().for_each(|b| meet(a, b));
        } else {
            moving.iter().filter(|&&l| l > k).for_each(|&l| meet(a, &all[l]));
        }
    }
    true
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
