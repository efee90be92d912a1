//! Pairs near each other, searched again only when shapes have left their boxes.

use serde::{Deserialize, Serialize};

use super::shape_motion::{ShapeMotion, box_at, deviation, widened};
use crate::broad_phase::{Aabb, BroadPhase};
use crate::contact::{ContactConstants, ContactHistory, ContactMaterial, PairId};
use crate::dynamics::PairPoint;
use crate::linalg::renew;
use crate::math::Vec3;
use crate::spatial::BodyMotion;
use crate::topology::Topology;

/// Fraction of a shape's half thickness by which it may move before pairs are searched again.
const SKIN_RATIO: f64 = 0.25;

/// Multiple of the distance of the next step by which fast shapes may move before pairs are searched again.
const STEPS_AHEAD: f64 = 2.0;

/// Ratio of the skins that shapes need now to those they have, below which pairs are searched again: after long steps
/// the list holds pairs that are far apart.
const REBUILD_RATIO: f64 = 0.6;

/// What a near pair does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) enum Status {
    /// It cannot touch in the next step.
    Far,
    /// It may touch in the next step, with the constants predicted for then.
    Armed(ContactConstants),
    /// It touches.
    Engaged(Engagement),
}

/// A pair that touches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct Engagement {
    pub constants: ContactConstants,
    /// Approach velocity for which the constants were frozen \[m/s\].
    pub speed: f64,
    /// Whether it is in the set of contacts.
    pub counted: bool,
    pub history: ContactHistory,
}

impl Engagement {
    /// The same law and history for another pair on the same ground, which is not in the set of contacts.
    pub(super) fn of_another_pair(&self) -> Self {
        Self { constants: self.constants.without_bristle(), counted: false, ..*self }
    }
}

/// A pair that came within reach of each other.
#[derive(Debug, Clone)]
pub(super) struct Near {
    pub pair: PairId,
    /// Geometry at the end of the last step, if it was needed.
    pub at: Option<PairPoint>,
    pub status: Status,
    /// Law of the pair; found out when first needed.
    pub material: Option<ContactMaterial>,
}

impl Near {
    pub fn new(pair: PairId) -> Self {
        Self { pair, at: None, status: Status::Far, material: None }
    }
}

/// A pair of the list. Most pairs never come within reach; they are small, because every step traverses all of them.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub pair: PairId,
    /// Lower bound of the distance at the end of the last step \[m\].
    pub bound: f64,
    /// Place of what else is known of it; none while it is out of reach.
    place: Option<u32>,
}

impl Candidate {
    fn new(pair: PairId) -> Self {
        Self { pair, bound: f64::NEG_INFINITY, place: None }
    }
}

/// Result of [`NearList::cover`].
#[derive(Debug, Clone, Copy)]
pub(super) struct CoverResult {
    /// Whether a shape had left its box.
    pub escaped: bool,
    /// Whether the list was rebuilt, with new boxes.
    pub rebuilt: bool,
}

/// List of near pairs, valid while every shape stays in its widened box.
#[derive(Debug, Clone)]
pub(super) struct NearList {
    /// Sorted by pair.
    pub candidates: Vec<Candidate>,
    /// Pairs that are within reach, and free places.
    places: Vec<Near>,
    free: Vec<u32>,
    /// Shapes that move and may meet others: all that is done from step to step is done for these alone, however large
    /// the ground is.
    pub movers: Vec<usize>,
    broad_phase: BroadPhase,
    /// Of shapes at rest where they are, of others where they may be.
    pub boxes: Vec<Aabb>,
    /// Centre of each shape when its box was made \[m\].
    centers: Vec<Vec3>,
    /// Travel of each shape's surface about its centre since then \[m\].
    turned: Vec<f64>,
    /// How far each shape may move \[m\].
    skins: Vec<f64>,
    old: Vec<Candidate>,
}

impl NearList {
    pub fn new(topology: &Topology) -> Self {
        let n = topology.shapes.len();
        Self {
            candidates: Vec::new(),
            places: Vec::new(),
            free: Vec::new(),
            movers: movers(topology).collect(),
            broad_phase: BroadPhase::new(n, topology.collision_filter.clone()),
            boxes: boxes_at_rest(topology).collect(),
            centers: vec![Vec3::zeros(); n],
            turned: vec![0.0; n],
            skins: vec![0.0; n],
            old: Vec::new(),
        }
    }

    /// Re-initialises for `topology` as [`NearList::new`], reusing allocations.
    pub fn fit(&mut self, topology: &Topology) {
        let n = topology.shapes.len();
        self.clear_pairs();
        self.broad_phase.fit(&topology.collision_filter, 0.0);
        self.movers.clear();
        self.movers.extend(movers(topology));
        self.boxes.clear();
        self.boxes.extend(boxes_at_rest(topology));
        renew(&mut self.centers, n, Vec3::zeros());
        renew(&mut self.turned, n, 0.0);
        renew(&mut self.skins, n, 0.0);
    }

    fn clear_pairs(&mut self) {
        self.candidates.clear();
        self.places.clear();
        self.free.clear();
    }

    /// The candidate of a number, and what is known of it if it has been within reach.
    pub fn entry(&mut self, k: usize) -> (&mut Candidate, Option<&mut Near>) {
        let candidate = &mut self.candidates[k];
        let near = candidate.place.map(|place| &mut self.places[place as usize]);
        (candidate, near)
    }

    /// What is known of the candidate of a number if it has been within reach.
    pub fn get(&self, k: usize) -> Option<&Near> {
        Some(&self.places[self.candidates[k].place? as usize])
    }

    /// The candidate of a number that is within reach.
    pub fn within_reach(&mut self, k: usize) -> (&mut Candidate, &mut Near) {
        let candidate = &mut self.candidates[k];
        let place = *candidate.place.get_or_insert_with(|| {
            let near = Near::new(candidate.pair);
            match self.free.pop() {
                Some(place) => {
                    self.places[place as usize] = near;
                    place
                }
                None => {
                    self.places.push(near);
                    self.places.len() as u32 - 1
                }
            }
        });
        (candidate, &mut self.places[place as usize])
    }

    /// Drops all that is known of a candidate but the bound of its distance.
    pub fn release(&mut self, k: usize) {
        self.free.extend(self.candidates[k].place.take());
    }

    /// Marks a candidate as separate at an unknown distance.
    pub fn forget(&mut self, k: usize) {
        self.candidates[k].bound = f64::NEG_INFINITY;
        self.release(k);
    }

    /// Pairs within reach, sorted.
    pub fn known(&self) -> impl Iterator<Item = &Near> + Clone {
        self.candidates.iter().filter_map(|candidate| Some(&self.places[candidate.place? as usize]))
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.clear_pairs();
        for &i in &self.movers {
            self.skins[i] = -1.0;
        }
    }

    /// Makes sure that the list holds all pairs that came near each other in the step of length `h` \[s\] or will in
    /// the next one of at most `horizon` \[s\]; shapes that have a region may leave their boxes.
    pub fn cover(
        &mut self,
        topology: &Topology,
        h: f64,
        horizon: f64,
        bodies: [&[BodyMotion]; 2],
        motions: [&[ShapeMotion]; 2],
        has_region: impl Fn(usize) -> bool,
    ) -> CoverResult {
        let (mut covered, mut escaped) = (true, false);
        let (mut had, mut needed) = (0.0, 0.0);
        for &i in &self.movers {
            let (start, end) = (&motions[0][i], &motions[1][i]);
            if start.is_unbounded() || end.is_unbounded() {
                covered &= self.skins[i] == f64::INFINITY;
                continue;
            }
            self.turned[i] += h * start.turning.max(end.turning);
            let moved = (end.c - self.centers[i]).norm() + self.turned[i] + deviation(h, start, end);
            let travel = end.travel(horizon);
            covered &= moved + travel <= self.skins[i];
            escaped |= moved > self.skins[i] && !has_region(i);
            had += self.skins[i];
            needed += skin(topology, i, travel);
        }
        let rebuilt = !covered || needed < REBUILD_RATIO * had;
        if rebuilt {
            self.rebuild(topology, h, horizon, bodies, motions);
        }
        CoverResult { escaped, rebuilt }
    }

    fn rebuild(
        &mut self,
        topology: &Topology,
        h: f64,
        horizon: f64,
        bodies: [&[BodyMotion]; 2],
        motions: [&[ShapeMotion]; 2],
    ) {
        for &i in &self.movers {
            let shape = &topology.shapes[i];
            let (start, end) = (&motions[0][i], &motions[1][i]);
            let swept = box_at(shape, &bodies[0][shape.node]).merged(&box_at(shape, &bodies[1][shape.node]));
            (self.skins[i], self.boxes[i]) = if start.is_unbounded() || end.is_unbounded() {
                (f64::INFINITY, widened(&swept, f64::INFINITY))
            } else {
                let skin = skin(topology, i, end.travel(horizon));
                (skin, widened(&swept, deviation(h, start, end) + skin))
            };
            self.centers[i] = end.c;
            self.turned[i] = 0.0;
        }
        self.broad_phase.update(&self.boxes);
        std::mem::swap(&mut self.candidates, &mut self.old);
        self.candidates.clear();
        let Self { candidates, old, free, .. } = self;
        let mut old = old.drain(..).peekable();
        for &pair in self.broad_phase.pairs() {
            let pair = PairId::from(pair);
            while let Some(gone) = old.next_if(|candidate| candidate.pair < pair) {
                free.extend(gone.place);
            }
            candidates.push(old.next_if(|candidate| candidate.pair == pair).unwrap_or_else(|| Candidate::new(pair)));
        }
        free.extend(old.filter_map(|gone| gone.place));
    }
}

/// Shapes that move and may meet others, ascending.
fn movers(topology: &Topology) -> impl Iterator<Item = usize> {
    (0..topology.shapes.len()).filter(|&i| topology.collision_filter.may_strike(i as u32))
}

/// Boxes of all shapes while nothing moves; those that are fixed to the world keep them.
fn boxes_at_rest(topology: &Topology) -> impl Iterator<Item = Aabb> {
    topology.shapes.iter().map(|shape| box_at(shape, &BodyMotion::REST))
}

/// Distance by which a shape may move before pairs are searched again \[m\], when it moves by `travel` \[m\] in the
/// next step.
fn skin(topology: &Topology, shape: usize, travel: f64) -> f64 {
    SKIN_RATIO * topology.shapes[shape].thickness.min(topology.scales.length) + STEPS_AHEAD * travel
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::shape_motion::{shape_motions, shapes_at_rest};
    use super::*;
    use crate::declaration::builder::{Members, ModelBuilder, height_field, object, sphere};
    use crate::elaboration::elaborate;
    use crate::solid::HeightGrid;
    use crate::topology::compile;
    use std::sync::Arc;

    /// A ball on a terrain of so many cells of 0.1 m along each side.
    fn ball_on_terrain(cells: usize) -> Topology {
        let points = cells + 1;
        let grid = HeightGrid::new(points, (0..points * points).map(|k| (k as f64 * 0.7).sin()).collect()).unwrap();
        let terrain = height_field(Arc::new(grid), [0.1 * cells as f64; 2], 0.02, 0.5).material("Steel").collides();
        let ball = sphere(0.1).material("Steel").collides();
        let model = ModelBuilder::new("Terrain")
            .object(object("terrain").fixed().solid(terrain))
            .object(object("ball").free().r([0.03, 0.02, 0.06]).solid(ball))
            .build()
            .unwrap();
        compile(&elaborate(&model, &[]).unwrap()).unwrap()
    }

    /// Shapes in all, shapes looked at in every step, pairs near each other, and tests of boxes to find them.
    fn counts(list: &mut NearList, topology: &Topology) -> [usize; 4] {
        let mut bodies = vec![BodyMotion::REST; topology.nodes.len()];
        bodies[1].p = Vec3::new(0.03, 0.02, 0.06);
        let mut motions: Vec<ShapeMotion> = shapes_at_rest(topology).collect();
        shape_motions(topology, &bodies, &list.movers, &mut motions);
        list.clear();
        list.cover(topology, 0.0, 1e-3, [&bodies, &bodies], [&motions, &motions], |_| false);
        [topology.shapes.len(), list.movers.len(), list.candidates.len(), list.broad_phase.num_overlap_tests()]
    }

    #[test]
    fn a_ball_on_a_large_terrain_costs_what_lies_under_it() {
        let [small, large] = [10, 60].map(ball_on_terrain);
        let [few, _, near, _] = counts(&mut NearList::new(&small), &small);
        let [many, looked_at, as_near, tests] = counts(&mut NearList::new(&large), &large);
        assert!(few >= 200 && many >= 7200, "terrains of {few} and {many} pieces");
        assert_eq!(looked_at, 1);
        assert!((2..=16).contains(&near) && as_near <= 16, "{near} and {as_near} pairs");
        assert!(tests < 100, "{tests} tests of boxes among {many}");
    }

    #[test]
    fn a_list_that_takes_up_another_topology_is_as_good_as_new() {
        let [small, large] = [10, 20].map(ball_on_terrain);
        let mut list = NearList::new(&large);
        for topology in [&small, &large] {
            list.fit(topology);
            assert_eq!(counts(&mut list, topology), counts(&mut NearList::new(topology), topology));
        }
    }
}
