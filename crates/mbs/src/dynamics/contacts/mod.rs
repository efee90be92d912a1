//! Contacts: geometry of candidate pairs, forces of active ones, and their linearisation.

mod footing;
mod geometry;
mod patch_motion;
mod result;
mod touching;
mod touching_points;

pub(crate) use footing::{footing, lever};
pub(crate) use geometry::{PairPoint, PairWork, Separation, are_balls, pair_point, pose as shape_pose, sunk_shape};
pub(crate) use result::{ContactResult, contact_energy, contact_result};
pub(crate) use touching_points::{TouchingPoints, touching_normals, touching_points};

use std::ops::ControlFlow;

use crate::broad_phase::{Aabb, BroadPhase};
use crate::collision::PairCache;
use crate::contact::patch::{Patch, PatchScratch, SurfaceLoad};
use crate::contact::{ActiveContact, ContactConstants, GroundPair, PairDistance, PairId};
use crate::force::Stiffness;
use crate::linalg::renew;
use crate::spatial::{BodyMotion, NodeOrdinal, WORLD, Wrench};
use crate::topology::Topology;
use geometry::{pair_motion, pair_overlap, pose};
use touching::Touching;
use workers::Workers;

/// Collision shapes of one topology in motion.
#[derive(Debug, Clone)]
pub struct Contacts {
    /// Pairs that take part in the residual and, in free places, what is left of earlier ones: a pair is too large to
    /// be moved whenever another one comes or goes.
    places: Vec<Touching>,
    /// Places of the pairs that take part, sorted by pair.
    armed: Vec<usize>,
    /// How many of them touch in a patch.
    patches: usize,
    free: Vec<usize>,
    before: Vec<usize>,
    /// Shapes on ground of several pieces that take part, and the places of these pairs, sorted.
    on_ground: Vec<(GroundPair, usize)>,
    /// What the ground carries, by its number.
    carried: Vec<SurfaceLoad>,
    broad_phase: BroadPhase,
    boxes: Vec<Aabb>,
    /// Signed distances of all pairs near each other, sorted by pair.
    near: Vec<PairDistance>,
    /// One for each thread.
    scratch: Vec<PatchScratch>,
    workers: Workers,
    /// Memory of patches that are no longer needed.
    spare: Vec<Patch>,
}

/// Memory of patches that is there from the beginning: for one contact of each of the first shapes that may have one.
fn spare_patches(topology: &Topology) -> Vec<Patch> {
    let with_faces = topology.shapes.iter().filter(|shape| shape.shape.half_thickness().is_some());
    let mut spare = Vec::with_capacity(2 * SPARE_PATCHES);
    spare.extend(with_faces.take(SPARE_PATCHES).map(|_| Patch::default()));
    spare
}

/// Time of a pair that touches in a patch, over that of two balls: a few microseconds.
const PATCH_WORK: usize = 32;

/// Time of an evaluation from which on it is worth sharing out, over that of two balls.
const SHARED_WORK: usize = 256;

/// Most patches whose memory is there from the beginning.
const SPARE_PATCHES: usize = 32;

impl Contacts {
    /// Contacts of a topology; none is active.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let n = topology.shapes.len();
        Self {
            places: Vec::new(),
            armed: Vec::new(),
            patches: 0,
            free: Vec::new(),
            before: Vec::new(),
            on_ground: Vec::new(),
            carried: Vec::new(),
            broad_phase: BroadPhase::new(n, topology.collision_filter.clone()).with_margin(topology.collision_margin),
            boxes: vec![Aabb::EMPTY; n],
            near: Vec::new(),
            scratch: vec![PatchScratch::default()],
            workers: Workers::default(),
            spare: spare_patches(topology),
        }
    }

    /// Re-initialises for another topology, reusing allocations, as [`Contacts::new`].
    pub(crate) fn fit(&mut self, topology: &Topology) {
        self.clear();
        self.near.clear();
        renew(&mut self.boxes, topology.shapes.len(), Aabb::EMPTY);
        self.broad_phase.fit(&topology.collision_filter, topology.collision_margin);
    }

    /// Sets the active contacts; all caches are emptied.
    pub fn set_active(&mut self, topology: &Topology, active: &[ActiveContact]) {
        self.clear();
        for contact in active {
            let place = self.occupy(topology, contact.pair, &contact.constants);
            self.armed.push(place);
        }
        self.number_grounds(topology);
    }

    /// Numbers the grounds of which several pieces take part.
    fn number_grounds(&mut self, topology: &Topology) {
        let Self { places, armed, on_ground, carried, .. } = self;
        on_ground.clear();
        carried.clear();
        for &place in armed.iter() {
            places[place].ground = None;
            on_ground.extend(topology.ground_pair(places[place].pair).map(|ground| (ground, place)));
        }
        on_ground.sort_unstable();
        for group in on_ground.chunk_by(|(a, _), (b, _)| a == b).filter(|group| group.len() > 1) {
            group.iter().for_each(|&(_, place)| places[place].ground = Some(carried.len()));
            carried.push(SurfaceLoad::default());
        }
    }

    /// Empties the caches of the distance computation: results then depend on the motion of the bodies only.
    pub(super) fn forget(&mut self) {
        self.armed.iter().for_each(|&place| self.places[place].cache = PairCache::default());
    }

    /// Leaves no contact.
    pub(crate) fn clear(&mut self) {
        while let Some(place) = self.armed.pop() {
            self.vacate(place);
        }
    }

    /// Sets the pairs that take part in the residual, sorted; caches of pairs that stay are kept.
    pub fn arm<'a>(
        &mut self,
        topology: &Topology,
        pairs: impl Iterator<Item = (PairId, &'a ContactConstants)> + Clone,
    ) {
        if pairs.clone().map(|(pair, _)| pair).eq(self.touching().map(|contact| contact.pair)) {
            for (&place, (_, constants)) in self.armed.iter().zip(pairs) {
                self.places[place].set_constants(constants);
            }
            return;
        }
        std::mem::swap(&mut self.armed, &mut self.before);
        let mut next = 0;
        for (pair, constants) in pairs {
            while let Some(&old) = self.before.get(next).filter(|&&old| self.places[old].pair < pair) {
                self.vacate(old);
                next += 1;
            }
            let place = match self.before.get(next) {
                Some(&old) if self.places[old].pair == pair => {
                    self.places[old].set_constants(constants);
                    next += 1;
                    old
                }
                _ => self.occupy(topology, pair, constants),
            };
            self.armed.push(place);
        }
        while let Some(&old) = self.before.get(next) {
            self.vacate(old);
            next += 1;
        }
        self.before.clear();
        self.number_grounds(topology);
    }

    /// Puts a pair into a free place.
    fn occupy(&mut self, topology: &Topology, pair: PairId, constants: &ContactConstants) -> usize {
        let new = Touching::new(topology, pair, constants, &mut self.spare);
        self.patches += usize::from(new.patch.is_some());
        match self.free.pop() {
            Some(place) => {
                self.places[place] = new;
                place
            }
            None => {
                self.places.push(new);
                self.places.len() - 1
            }
        }
    }

    fn vacate(&mut self, place: usize) {
        let contact = &mut self.places[place];
        contact.takes_part = false;
        self.patches -= usize::from(contact.patch.is_some());
        self.spare.extend(contact.patch.take());
        self.free.push(place);
    }

    /// Pairs that take part in the residual, sorted.
    fn touching(&self) -> impl Iterator<Item = &Touching> {
        self.armed.iter().map(|&place| &self.places[place])
    }

    /// Whether there are shapes to collide.
    pub(super) fn has_pairs(&self) -> bool {
        self.boxes.len() > 1
    }

    /// Whether there are forces with kinks, or may be within the next step: those of patches and of bristles.
    pub(crate) fn has_kinks(&self) -> bool {
        self.touching().any(|contact| contact.patch.is_some() || contact.constants.bristle.is_some())
    }

    /// Lets the derivatives of some pairs, sorted, be those of slipping.
    pub(super) fn let_slip(&mut self, slipping: &[PairId]) {
        for &place in &self.armed {
            let contact = &mut self.places[place];
            contact.slips = slipping.binary_search(&contact.pair).is_ok();
        }
    }

    /// Pairs whose derivatives are those of sticking to each other, at the point last evaluated, sorted.
    pub(super) fn sticking(&self) -> impl Iterator<Item = PairId> {
        let sticks = |contact: &&Touching| !contact.slips && contact.excess().is_some_and(|excess| excess <= 0.0);
        self.touching().filter(sticks).map(|contact| contact.pair)
    }

    /// Pairs of a sorted list that exceeded Coulomb's bound at the point last evaluated by more than a fraction of it,
    /// sorted.
    pub(super) fn slipping(&self, sticking: &[PairId], tolerance: f64) -> impl Iterator<Item = PairId> {
        let slips = move |contact: &&Touching| {
            contact.excess().is_some_and(|excess| excess > tolerance) && sticking.binary_search(&contact.pair).is_ok()
        };
        self.touching().filter(slips).map(|contact| contact.pair)
    }

    /// Pairs that take part in the residual, with their constants.
    pub(crate) fn armed(&self) -> impl Iterator<Item = (PairId, &ContactConstants)> {
        self.touching().map(|contact| (contact.pair, &contact.constants))
    }

    /// Nodes of both sides of all pairs that take part in the residual.
    pub(super) fn armed_nodes(&self) -> impl Iterator<Item = [NodeOrdinal; 2]> {
        self.touching().map(|contact| contact.nodes)
    }

    /// Places of the contacts that carried a force at the point last evaluated, and the nodes of both sides.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (usize, [NodeOrdinal; 2])> {
        let loaded = self.armed.iter().filter(|&&place| self.places[place].is_loaded());
        loaded.map(|&place| (place, self.places[place].nodes))
    }

    /// Threads that evaluate contacts.
    pub(super) fn share_with(&mut self, workers: &Workers) {
        self.workers = workers.clone();
    }

    /// Places that a thread evaluates at a time: all of them if sharing them out would take longer.
    fn grain(&self) -> usize {
        let work = self.armed.len() + PATCH_WORK * self.patches;
        if work < SHARED_WORK { self.places.len() } else { self.workers.grain(self.places.len()) }
    }

    /// Adds the wrenches of all active contacts at a time \[s\] on their bodies.
    pub(super) fn apply(&mut self, topology: &Topology, t: f64, bodies: &[BodyMotion], applied: &mut [Wrench]) {
        let grain = self.grain();
        let Self { places, armed, carried, scratch, workers, .. } = self;
        if carried.is_empty() {
            workers.for_each(places, scratch, grain, |contact, scratch| {
                if contact.takes_part {
                    contact.press(topology, bodies, scratch);
                    contact.evaluate(topology, t, bodies);
                }
            });
        } else {
            workers.for_each(places, scratch, grain, |contact, scratch| {
                if contact.takes_part {
                    contact.press(topology, bodies, scratch);
                }
            });
            carried.fill(SurfaceLoad::default());
            for contact in armed.iter().map(|&place| &places[place]) {
                if let (Some(ground), Some(load)) = (contact.ground, contact.surface_load()) {
                    carried[ground].add(&load);
                }
            }
            workers.for_each(places, scratch, grain, |contact, _| {
                if contact.takes_part {
                    if let Some(ground) = contact.ground {
                        contact.carry_with(carried[ground]);
                    }
                    contact.evaluate(topology, t, bodies);
                }
            });
        }
        for contact in armed.iter().map(|&place| &places[place]) {
            if let Some([on_a, on_b]) = contact.wrenches() {
                let [a, b] = contact.nodes;
                applied[b].add(&on_b);
                applied[a].add(&on_a);
            }
        }
    }

    /// Derivatives of the wrenches on (A, B) with respect to the motions of (A, B) of the contact in a place, at the
    /// point last evaluated.
    pub(super) fn stiffness(&self, place: usize) -> [[Stiffness; 2]; 2] {
        self.places[place].stiffness()
    }

    /// Finds all pairs near each other and their signed distances; bodies must have been moved.
    pub fn measure(&mut self, topology: &Topology, bodies: &[BodyMotion]) -> &[PairDistance] {
        self.bound(topology, bodies);
        self.broad_phase.update(&self.boxes);
        self.near.clear();
        for &pair in self.broad_phase.pairs() {
            self.near.push(pair_motion(topology, bodies, PairId::from(pair)));
        }
        &self.near
    }

    /// The pair with the largest penetration in excess of `allowed` \[m\], of the first `MOST_DEEP` such pairs, and
    /// their number; bodies must have been moved. Allocates nothing for the pairs, however many there are.
    pub fn deepest(
        &mut self,
        topology: &Topology,
        bodies: &[BodyMotion],
        allowed: impl Fn(PairId) -> f64,
    ) -> Option<(PairDistance, usize)> {
        self.bound(topology, bodies);
        let (mut deepest, mut count) = (None, 0);
        let excess = |at: &PairDistance| -at.dist - allowed(at.pair);
        self.broad_phase.visit(&self.boxes, |i, j| {
            let at = pair_overlap(topology, bodies, PairId::new(i, j));
            if excess(&at) > 0.0 {
                let best = deepest.get_or_insert(at);
                if excess(&at).total_cmp(&excess(best)).then(best.pair.cmp(&at.pair)).is_gt() {
                    *best = at;
                }
                count += 1;
            }
            if count < MOST_DEEP { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        deepest.map(|at| (at, count))
    }

    /// Pairs, among the requested ones, that penetrate each other, sorted; bodies must have been moved.
    pub(crate) fn overlaps(
        &mut self,
        topology: &Topology,
        bodies: &[BodyMotion],
        concerns: impl Fn(PairId) -> bool,
    ) -> Vec<PairDistance> {
        self.bound(topology, bodies);
        let mut found = Vec::new();
        self.broad_phase.visit(&self.boxes, |i, j| {
            let pair = PairId::new(i, j);
            if concerns(pair) {
                found.push(pair_motion(topology, bodies, pair));
            }
            ControlFlow::Continue(())
        });
        found.retain(|at| at.dist < 0.0);
        found.sort_unstable_by_key(|at| at.pair);
        found
    }

    /// Boxes around all shapes.
    fn bound(&mut self, topology: &Topology, bodies: &[BodyMotion]) {
        for (aabb, shape) in self.boxes.iter_mut().zip(&topology.shapes) {
            if shape.node == WORLD && *aabb != Aabb::EMPTY {
                continue;
            }
            let b = shape.shape.bounding_box(&pose(&bodies[shape.node], &shape.x_bs));
            *aabb = Aabb::new(b.min, b.max);
        }
    }
}

/// Number of deep pairs among which the deepest one is searched.
pub(crate) const MOST_DEEP: usize = 1000;
