//! Contacts: geometry of candidate pairs, forces of active ones, and their linearisation.

use std::ops::ControlFlow;

use crate::broad_phase::{Aabb, BroadPhase};
use crate::collision::{Contact, PairCache, distance};
use crate::contact::patch::{Patch, PatchMotion, PatchScratch, RoundAxis, Twist, central_pressures, patch_bodies};
use crate::contact::{ActiveContact, ContactConstants, ContactForce, ContactState, PairDistance, PairId};
use crate::force::Stiffness;
use crate::linalg::renew;
use crate::math::{Mat3, Pose, Vec3, skew};
use crate::spatial::{BodyMotion, NodeOrdinal, WORLD, Wrench};
use crate::topology::Topology;

/// A pair of shapes in contact, with its constants of this contact.
#[derive(Debug, Clone)]
struct Touching {
    pair: PairId,
    nodes: [NodeOrdinal; 2],
    constants: ContactConstants,
    /// The constants at the time last evaluated.
    now: ContactConstants,
    cache: PairCache,
    /// Where two polyhedra press on each other; none for other pairs.
    patch: Option<Patch>,
    at: Option<Load>,
}

impl Touching {
    fn set_constants(&mut self, constants: ContactConstants) {
        (self.constants, self.now) = (constants, constants);
    }

    fn new(topology: &Topology, pair: PairId, constants: ContactConstants, spare: &mut Vec<Patch>) -> Self {
        let nodes = [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].node);
        let patch = constants.fields.map(|_| spare.pop().unwrap_or_default());
        Self { pair, nodes, constants, now: constants, cache: PairCache::default(), patch, at: None }
    }
}

/// Geometry and motion of a contact that carries a force.
#[derive(Debug, Clone, Copy)]
enum Load {
    /// At one point.
    Point(ContactPoint),
    /// On a patch.
    Patch(PatchLoad),
}

/// Motion at a patch.
#[derive(Debug, Clone, Copy)]
struct PatchLoad {
    /// From the patch's origin to A's and B's body origins, in the world.
    origins: [Vec3; 2],
    motion: PatchMotion,
    /// Force on B.
    force: Vec3,
}

impl Touching {
    /// Derivatives of the wrenches on (A, B), each about the origin of its body, by the motions of (A, B).
    fn patch_stiffness(&self, load: &PatchLoad) -> [[Stiffness; 2]; 2] {
        let Some(patch) = &self.patch else { return [[Stiffness::ZERO; 2]; 2] };
        let slopes = patch.slopes(&self.now, &load.motion);
        let of = |on: usize, by: usize| {
            let [wrench, twist] = [&load.origins[on], &load.origins[by]];
            let pose = slopes.by_pose[by].about(wrench, twist);
            let velocity = slopes.by_velocity[by].about(wrench, twist);
            // The velocity of A counts negatively, and A gets the opposite of the wrench on B.
            let (v, sign) = (if by == 1 { 1.0 } else { -1.0 }, if on == 1 { 1.0 } else { -1.0 });
            let rows = |pose: &[Mat3; 2], velocity: &[Mat3; 2]| {
                [pose[0] * sign, pose[1] * sign, velocity[0] * (v * sign), velocity[1] * (v * sign)]
            };
            let mut block = Stiffness { n: rows(&pose.tau, &velocity.tau), f: rows(&pose.f, &velocity.f) };
            if on == by {
                // The point about which the torque is taken moves with the body.
                block.n[1] += skew(&load.force) * sign;
            }
            block
        };
        [[of(0, 0), of(0, 1)], [of(1, 0), of(1, 1)]]
    }
}

/// Geometry and motion at a contact.
#[derive(Debug, Clone, Copy)]
struct ContactPoint {
    /// From A's and B's body origins to the contact point, in the world.
    arms: [Vec3; 2],
    state: ContactState,
}

/// Collision shapes of one topology in motion.
#[derive(Debug, Clone)]
pub struct Contacts {
    touching: Vec<Touching>,
    before: Vec<Touching>,
    broad_phase: BroadPhase,
    boxes: Vec<Aabb>,
    /// Signed distances of all pairs near each other, sorted by pair.
    near: Vec<PairDistance>,
    scratch: PatchScratch,
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

/// Most patches whose memory is there from the beginning.
const SPARE_PATCHES: usize = 32;

impl Contacts {
    /// Contacts of a topology; none is active.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let n = topology.shapes.len();
        Self {
            touching: Vec::new(),
            before: Vec::new(),
            broad_phase: BroadPhase::new(n, topology.collision_filter.clone()).with_margin(topology.collision_margin),
            boxes: vec![Aabb::EMPTY; n],
            near: Vec::new(),
            scratch: PatchScratch::default(),
            spare: spare_patches(topology),
        }
    }

    /// Takes up another topology in the memory that is there, as [`Contacts::new`].
    pub(crate) fn fit(&mut self, topology: &Topology) {
        self.touching.clear();
        self.before.clear();
        self.near.clear();
        renew(&mut self.boxes, topology.shapes.len(), Aabb::EMPTY);
        self.broad_phase.fit(&topology.collision_filter, topology.collision_margin);
    }

    /// Sets the active contacts; all caches are emptied.
    pub fn set_active(&mut self, topology: &Topology, active: &[ActiveContact]) {
        self.clear();
        let Self { touching, spare, .. } = self;
        let new = |contact: &ActiveContact| Touching::new(topology, contact.pair, contact.constants, spare);
        touching.extend(active.iter().map(new));
    }

    /// Empties the caches of the distance computation: results then depend on the motion of the bodies only.
    pub(super) fn forget(&mut self) {
        self.touching.iter_mut().for_each(|contact| contact.cache = PairCache::default());
    }

    /// Leaves no contact.
    pub(crate) fn clear(&mut self) {
        self.spare.extend(self.touching.drain(..).filter_map(|contact| contact.patch));
    }

    /// Sets the pairs that take part in the residual, sorted; caches of pairs that stay are kept.
    pub fn arm(&mut self, topology: &Topology, pairs: impl Iterator<Item = (PairId, ContactConstants)> + Clone) {
        if pairs.clone().map(|(pair, _)| pair).eq(self.touching.iter().map(|contact| contact.pair)) {
            for (contact, (_, constants)) in self.touching.iter_mut().zip(pairs) {
                contact.set_constants(constants);
            }
            return;
        }
        std::mem::swap(&mut self.touching, &mut self.before);
        self.touching.clear();
        let Self { touching, before, spare, .. } = self;
        let mut before = before.drain(..).peekable();
        for (pair, constants) in pairs {
            while let Some(old) = before.next_if(|old| old.pair < pair) {
                spare.extend(old.patch);
            }
            touching.push(match before.next_if(|old| old.pair == pair) {
                Some(old) => Touching { constants, now: constants, ..old },
                None => Touching::new(topology, pair, constants, spare),
            });
        }
        spare.extend(before.filter_map(|old| old.patch));
    }

    /// Whether there are shapes to collide.
    pub(super) fn has_pairs(&self) -> bool {
        self.boxes.len() > 1
    }

    /// Whether polyhedra press on each other, or may do so within the next step.
    pub(crate) fn has_patches(&self) -> bool {
        self.touching.iter().any(|contact| contact.patch.is_some())
    }

    /// Pairs that take part in the residual, with their constants.
    pub(crate) fn armed(&self) -> impl Iterator<Item = (PairId, ContactConstants)> {
        self.touching.iter().map(|contact| (contact.pair, contact.constants))
    }

    /// Nodes of both sides of all pairs that take part in the residual.
    pub(super) fn armed_nodes(&self) -> impl Iterator<Item = [NodeOrdinal; 2]> {
        self.touching.iter().map(|contact| contact.nodes)
    }

    /// Contacts that carried a force at the point last evaluated, and the nodes of both sides.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (usize, [NodeOrdinal; 2])> {
        let loaded = self.touching.iter().enumerate().filter(|(_, contact)| contact.at.is_some());
        loaded.map(|(k, contact)| (k, contact.nodes))
    }

    /// Adds the wrenches of all active contacts at a time \[s\] on their bodies.
    pub(super) fn apply(&mut self, topology: &Topology, t: f64, bodies: &[BodyMotion], applied: &mut [Wrench]) {
        for contact in &mut self.touching {
            if contact.constants.transition.is_some() {
                contact.now = contact.constants.at(t);
            }
            if let (Some(fields), Some(patch)) = (contact.constants.fields, &mut contact.patch) {
                let [a, b] = contact.nodes;
                contact.at = None;
                let cache = &mut contact.cache;
                if press(topology, bodies, contact.pair, fields, patch, (&mut self.scratch, cache)) {
                    let load = patch_load(patch, &contact.now, &bodies[a], &bodies[b]);
                    let on_b = Wrench { n: load.1, f: load.0.force };
                    applied[b].add(&on_b.shifted(&-load.0.origins[1]));
                    applied[a].add(&Wrench { n: -on_b.n, f: -on_b.f }.shifted(&-load.0.origins[0]));
                    contact.at = Some(Load::Patch(load.0));
                }
                continue;
            }
            let geometry = pair_distance(topology, bodies, contact.pair, &mut contact.cache);
            contact.at = None;
            if geometry.distance >= 0.0 {
                continue;
            }
            let [a, b] = contact.nodes;
            let point = contact_point(&geometry, &bodies[a], &bodies[b]);
            let force = contact.now.response(&point.state);
            contact.at = Some(Load::Point(point));
            let on_b = wrench_on_b(&force, &point);
            applied[b].add(&on_b.shifted(&point.arms[1]));
            let on_a = Wrench { n: -on_b.n, f: -on_b.f };
            applied[a].add(&on_a.shifted(&point.arms[0]));
        }
    }

    /// Derivatives of the wrenches on (A, B) with respect to the motions of (A, B), at the point last evaluated. The
    /// change of the normal and of the lever arms is left out: it is smaller by the ratio of penetration to radius.
    pub(super) fn stiffness(&self, index: usize) -> [[Stiffness; 2]; 2] {
        let contact = &self.touching[index];
        let point = match contact.at {
            None => return [[Stiffness::ZERO; 2]; 2],
            Some(Load::Point(point)) => point,
            Some(Load::Patch(load)) => return contact.patch_stiffness(&load),
        };
        let (_, d) = contact.now.linearize(&point.state);
        let n = point.state.normal;
        let tangential = Mat3::identity() - n * n.transpose();
        let f_delta = n * d.f_n_delta + d.f_t_delta;
        let per_velocity = -(n * d.f_n_delta_dot + d.f_t_delta_dot) * n.transpose() + d.f_t_v_t * tangential;
        let slopes = |side: usize, sign: f64| {
            let arm = skew(&point.arms[side]);
            let (p, v) = (-f_delta * n.transpose() * sign, per_velocity * sign);
            let (tau_p, tau_v) = (-d.tau_delta * n.transpose() * sign, -d.tau_delta_dot * n.transpose() * sign);
            Stiffness {
                f: [-p * arm, p, -v * arm, v],
                n: [-tau_p * arm, tau_p, -tau_v * arm + d.tau_w_rel * sign, tau_v],
            }
        };
        let by = [slopes(0, -1.0), slopes(1, 1.0)];
        let on_b = by.map(|s| at_arm(&s, &point.arms[1]));
        let on_a = by.map(|s| negated(&at_arm(&s, &point.arms[0])));
        [on_a, on_b]
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

    /// Of the first [`MOST_DEEP`] pairs found that penetrate each other by more than `allowed` says \[m\], the one that does so most;
    /// bodies must have been moved. Takes no memory for the pairs, however many there are.
    pub fn deepest(
        &mut self,
        topology: &Topology,
        bodies: &[BodyMotion],
        allowed: impl Fn(PairId) -> f64,
    ) -> Option<PairDistance> {
        self.bound(topology, bodies);
        let (mut deepest, mut count) = (None, 0);
        let excess = |at: &PairDistance| -at.dist - allowed(at.pair);
        self.broad_phase.visit(&self.boxes, |i, j| {
            let at = pair_motion(topology, bodies, PairId::new(i, j));
            if excess(&at) > 0.0 {
                let best = deepest.get_or_insert(at);
                if excess(&at).total_cmp(&excess(best)).then(best.pair.cmp(&at.pair)).is_gt() {
                    *best = at;
                }
                count += 1;
            }
            if count < MOST_DEEP { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        deepest
    }

    /// Pairs, among those that are asked for, that penetrate each other, sorted; bodies must have been moved.
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

/// So many deep pairs are enough to tell one of the worst.
const MOST_DEEP: usize = 1000;

/// Geometry, relative motion and forces of one contact, in W.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactResult {
    /// Contact point \[m\].
    pub point: Vec3,
    /// Relative motion.
    pub state: ContactState,
    /// Forces on B.
    pub force: ContactForce,
}

/// What an active contact does at a time \[s\] and the present motion of the bodies; without force where the shapes are apart.
pub(crate) fn contact_result(
    topology: &Topology,
    t: f64,
    bodies: &[BodyMotion],
    contact: &ActiveContact,
) -> ContactResult {
    let contact = &ActiveContact { constants: contact.constants.at(t), ..*contact };
    if let Some(fields) = contact.constants.fields {
        return patch_result(topology, bodies, contact, fields);
    }
    let geometry = pair_distance(topology, bodies, contact.pair, &mut PairCache::default());
    let [a, b] = [contact.pair.a, contact.pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node]);
    let state = contact_point(&geometry, a, b).state;
    let point = 0.5 * (geometry.point_a + geometry.point_b);
    ContactResult { point, state, force: contact.constants.response(&state) }
}

/// The same for two polyhedra.
fn patch_result(
    topology: &Topology,
    bodies: &[BodyMotion],
    contact: &ActiveContact,
    fields: [f64; 2],
) -> ContactResult {
    let [a, b] = [contact.pair.a, contact.pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node]);
    let mut patch = Patch::default();
    let mut work = (PatchScratch::default(), PairCache::default());
    if !press(topology, bodies, contact.pair, fields, &mut patch, (&mut work.0, &mut work.1)) {
        let geometry = pair_distance(topology, bodies, contact.pair, &mut PairCache::default());
        let state = contact_point(&geometry, a, b).state;
        let point = 0.5 * (geometry.point_a + geometry.point_b);
        return ContactResult { point, state: ContactState { delta: 0.0, ..state }, force: ContactForce::ZERO };
    }
    let (load, _) = patch_load(&patch, &contact.constants, a, b);
    let response = patch.response(&contact.constants, &load.motion);
    let normal = patch.normal();
    let center = patch.center();
    let Twist { w, .. } = load.motion.material;
    let state = ContactState::from_motion(normal, -patch.depth(), load.motion.material.at(&center), w);
    let f_n = response.f.dot(&normal);
    let tau = response.tau - center.cross(&response.f);
    let force = ContactForce { f_n, f_t: response.f - f_n * normal, tau };
    ContactResult { point: patch.origin() + center, state, force }
}

/// Elastic energy stored in active contacts \[J\].
pub(crate) fn contact_energy(topology: &Topology, bodies: &[BodyMotion], active: &[ActiveContact]) -> f64 {
    let energy = |contact: &ActiveContact| {
        let geometry = pair_distance(topology, bodies, contact.pair, &mut PairCache::default());
        match contact.constants.fields {
            Some(fields) => patch_energy(topology, bodies, contact.pair, fields, &geometry),
            None => contact.constants.elastic_energy(-geometry.distance),
        }
    };
    active.iter().map(energy).sum()
}

/// Parts of the way on which the work of a patch is integrated, each with three points.
const PARTS: u32 = 6;

/// Elastic energy of two polyhedra \[J\]: the work of their force while they are taken apart along the shortest way. It does not depend on
/// the way, because the force has a potential.
fn patch_energy(topology: &Topology, bodies: &[BodyMotion], pair: PairId, fields: [f64; 2], geometry: &Contact) -> f64 {
    let depth = -geometry.distance;
    if depth <= 0.0 {
        return 0.0;
    }
    let placed = [pair.a, pair.b].map(|shape| {
        let shape = &topology.shapes[shape as usize];
        (&shape.shape, pose(&bodies[shape.node], &shape.x_bs))
    });
    let (mut patch, mut scratch, mut cache) = (Patch::default(), PatchScratch::default(), PairCache::default());
    let mut force = |s: f64| {
        let [a, (shape, x_b)] = placed;
        let b = (shape, Pose { translation: x_b.translation + s * geometry.normal, ..x_b });
        let bodies = patch_bodies([a, b], fields, &mut cache);
        let presses = bodies.is_some_and(|[a, b]| patch.intersect(&a, &b, &mut scratch));
        if presses { patch.elastic_force().dot(&geometry.normal) } else { 0.0 }
    };
    let h = depth / f64::from(PARTS);
    let gauss = 0.5 * 0.6_f64.sqrt();
    let part = |k: u32| [(0.5 - gauss, 5.0), (0.5, 8.0), (0.5 + gauss, 5.0)].map(|(x, w)| (h * (f64::from(k) + x), w));
    (0..PARTS).flat_map(part).map(|(s, weight)| weight / 18.0 * h * force(s)).sum()
}

/// Work arrays of [`pair_point`], and what it remembers from one query of a pair to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairWork {
    cache: PairCache,
    spine: PairCache,
    patch: Patch,
    scratch: PatchScratch,
}

impl PairWork {
    /// Forgets earlier queries: results then depend on the motion of the bodies only.
    pub fn forget(&mut self) {
        (self.cache, self.spine) = (PairCache::default(), PairCache::default());
    }
}

/// Distance of a pair, how it changes, and along which normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PairPoint {
    /// Signed distance \[m\], negative = penetration.
    pub dist: f64,
    /// Approach velocity \[m/s\], positive when approaching.
    pub delta_dot: f64,
    /// Unit normal from A to B, in W.
    pub normal: Vec3,
    /// Contact point \[m\].
    pub point: Vec3,
    /// Elastic force of a patch \[N\]; zero for other contacts.
    pub load: f64,
}

/// Distance and approach velocity of a pair whose bodies (A, B) move as given. Shapes that press on each other in a patch do so as deep as
/// their greatest pressure says, and approach each other as fast as anything does on their patch.
pub(crate) fn pair_point(
    topology: &Topology,
    [a, b]: [&BodyMotion; 2],
    pair: PairId,
    work: &mut PairWork,
) -> PairPoint {
    let [shape_a, shape_b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    let [x_a, x_b] = [pose(a, &shape_a.x_bs), pose(b, &shape_b.x_bs)];
    let fields = central_pressures([(&shape_a.shape, shape_a.modulus), (&shape_b.shape, shape_b.modulus)]);
    let faces = patch_bodies([(&shape_a.shape, x_a), (&shape_b.shape, x_b)], fields, &mut work.spine);
    let has_patch = faces.is_some();
    if let Some([on_a, on_b]) = faces
        && work.patch.intersect(&on_a, &on_b, &mut work.scratch)
    {
        return patch_point(&work.patch, a, b);
    }
    let geometry = distance(&shape_a.shape, &x_a, &shape_b.shape, &x_b, &mut work.cache);
    let delta_dot = contact_point(&geometry, a, b).state.delta_dot;
    let point = 0.5 * (geometry.point_a + geometry.point_b);
    let dist = if has_patch { geometry.distance.max(0.0) } else { geometry.distance };
    PairPoint { dist, delta_dot, normal: geometry.normal, point, load: 0.0 }
}

fn patch_point(patch: &Patch, a: &BodyMotion, b: &BodyMotion) -> PairPoint {
    let (_, motion) = patch_motion(patch, a, b);
    let normal = patch.normal();
    let delta_dot = patch.approach(&motion);
    let (point, load) = (patch.origin() + patch.center(), patch.elastic_force().norm());
    PairPoint { dist: -patch.depth(), delta_dot, normal, point, load }
}

/// Signed distance and approach velocity of a pair at the present motion of the bodies.
pub(crate) fn pair_motion(topology: &Topology, bodies: &[BodyMotion], pair: PairId) -> PairDistance {
    let [a, b] = [pair.a, pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node]);
    let at = pair_point(topology, [a, b], pair, &mut PairWork::default());
    PairDistance { pair, dist: at.dist, delta_dot: at.delta_dot }
}

/// Contact geometry of a pair at the present motion of the bodies.
fn pair_distance(topology: &Topology, bodies: &[BodyMotion], pair: PairId, cache: &mut PairCache) -> Contact {
    let [a, b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    distance(&a.shape, &pose(&bodies[a.node], &a.x_bs), &b.shape, &pose(&bodies[b.node], &b.x_bs), cache)
}

/// Finds out where two shapes press on each other; true if they do.
fn press(
    topology: &Topology,
    bodies: &[BodyMotion],
    pair: PairId,
    fields: [f64; 2],
    patch: &mut Patch,
    (scratch, cache): (&mut PatchScratch, &mut PairCache),
) -> bool {
    let placed = [pair.a, pair.b].map(|shape| {
        let shape = &topology.shapes[shape as usize];
        (&shape.shape, pose(&bodies[shape.node], &shape.x_bs))
    });
    patch_bodies(placed, fields, cache).is_some_and(|[a, b]| patch.intersect(&a, &b, scratch))
}

/// Where the origins of both bodies are, seen from a patch, and how B moves relative to A there.
fn patch_motion(patch: &Patch, a: &BodyMotion, b: &BodyMotion) -> ([Vec3; 2], PatchMotion) {
    let origins = [a.p - patch.origin(), b.p - patch.origin()];
    let v = b.v - b.w.cross(&origins[1]) - a.v + a.w.cross(&origins[0]);
    let material = Twist { v, w: b.w - a.w };
    let mut surface = material;
    for ((axis, body), sign) in patch.axes().into_iter().zip([a, b]).zip([1.0, -1.0]) {
        if let Some(RoundAxis { axis, through, .. }) = axis {
            let spin = sign * body.w.dot(&axis) * axis;
            surface.w += spin;
            surface.v -= spin.cross(&through);
        }
    }
    (origins, PatchMotion { material, surface })
}

/// Motion of a patch and the force on B, and the torque on B about the patch's origin.
fn patch_load(patch: &Patch, constants: &ContactConstants, a: &BodyMotion, b: &BodyMotion) -> (PatchLoad, Vec3) {
    let (origins, motion) = patch_motion(patch, a, b);
    let response = patch.response(constants, &motion);
    (PatchLoad { origins, motion, force: response.f }, response.tau)
}

fn pose(body: &BodyMotion, x_bs: &Pose) -> Pose {
    Pose { rotation: body.rotation * x_bs.rotation, translation: body.p + body.rotation * x_bs.translation }
}

fn contact_point(geometry: &Contact, a: &BodyMotion, b: &BodyMotion) -> ContactPoint {
    let point = 0.5 * (geometry.point_a + geometry.point_b);
    let arms = [point - a.p, point - b.p];
    let v_rel = b.v + b.w.cross(&arms[1]) - a.v - a.w.cross(&arms[0]);
    ContactPoint { arms, state: ContactState::from_motion(geometry.normal, geometry.distance, v_rel, b.w - a.w) }
}

/// Wrench of A on B at the contact point.
fn wrench_on_b(force: &ContactForce, point: &ContactPoint) -> Wrench {
    Wrench { n: force.tau, f: force.on_b(&point.state.normal) }
}

/// Slopes of the same wrench about the body's origin, from which the contact point is seen at `arm`.
fn at_arm(slopes: &Stiffness, arm: &Vec3) -> Stiffness {
    let arm = skew(arm);
    let mut moved = *slopes;
    for block in 0..4 {
        moved.n[block] += arm * slopes.f[block];
    }
    moved
}

fn negated(slopes: &Stiffness) -> Stiffness {
    Stiffness { n: slopes.n.map(|x| -x), f: slopes.f.map(|x| -x) }
}
