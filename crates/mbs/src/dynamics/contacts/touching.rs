//! Forces of a pair in contact, and their derivatives.

use super::geometry::{contact_point, pair_distance, press};
use super::patch_motion::patch_motion;
use crate::collision::PairCache;
use crate::contact::patch::{Patch, PatchMotion, PatchScratch};
use crate::contact::{ContactConstants, ContactState, PairId};
use crate::force::Stiffness;
use crate::math::{Mat3, Vec3, skew};
use crate::spatial::{BodyMotion, NodeOrdinal, Wrench};
use crate::topology::Topology;

/// A pair of shapes in contact, with its constants of this contact.
#[derive(Debug, Clone)]
pub(super) struct Touching {
    pub pair: PairId,
    /// Bodies of A and B.
    pub nodes: [NodeOrdinal; 2],
    pub constants: ContactConstants,
    /// The constants at the time last evaluated.
    now: ContactConstants,
    pub cache: PairCache,
    /// Where two polyhedra press on each other; none for other pairs.
    pub patch: Option<Patch>,
    /// What it did at the point last evaluated; none without a force.
    load: Option<Load>,
}

/// What A does to B, and where.
#[derive(Debug, Clone, Copy)]
struct Load {
    /// From A's and B's body origins to the point about which the wrench is taken, in W \[m\].
    arms: [Vec3; 2],
    /// Wrench on B, in W.
    on_b: Wrench,
    motion: Motion,
}

/// Relative motion where two shapes touch.
#[derive(Debug, Clone, Copy)]
enum Motion {
    Point(ContactState),
    Patch(PatchMotion),
}

impl Touching {
    pub fn new(topology: &Topology, pair: PairId, constants: ContactConstants, spare: &mut Vec<Patch>) -> Self {
        let nodes = [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].node);
        let patch = constants.fields.map(|_| spare.pop().unwrap_or_default());
        Self { pair, nodes, constants, now: constants, cache: PairCache::default(), patch, load: None }
    }

    pub fn set_constants(&mut self, constants: ContactConstants) {
        (self.constants, self.now) = (constants, constants);
    }

    pub fn is_loaded(&self) -> bool {
        self.load.is_some()
    }

    /// Finds out what A does to B at a time \[s\] and the given motion.
    pub fn evaluate(&mut self, topology: &Topology, t: f64, bodies: &[BodyMotion], scratch: &mut PatchScratch) {
        if self.constants.transition.is_some() {
            self.now = self.constants.at(t);
        }
        self.load = if self.patch.is_some() {
            self.patch_load(topology, bodies, scratch)
        } else {
            self.point_load(topology, bodies)
        };
    }

    fn patch_load(&mut self, topology: &Topology, bodies: &[BodyMotion], scratch: &mut PatchScratch) -> Option<Load> {
        let (Some(fields), Some(patch)) = (self.constants.fields, &mut self.patch) else { return None };
        if !press(topology, bodies, self.pair, fields, patch, (scratch, &mut self.cache)) {
            return None;
        }
        let [a, b] = self.nodes;
        let (origins, motion) = patch_motion(patch, &bodies[a], &bodies[b]);
        let response = patch.response(&self.now, &motion);
        let on_b = Wrench { n: response.tau, f: response.f };
        Some(Load { arms: origins.map(|origin| -origin), on_b, motion: Motion::Patch(motion) })
    }

    fn point_load(&mut self, topology: &Topology, bodies: &[BodyMotion]) -> Option<Load> {
        let geometry = pair_distance(topology, bodies, self.pair, &mut self.cache);
        if geometry.distance >= 0.0 {
            return None;
        }
        let [a, b] = self.nodes;
        let point = contact_point(&geometry, &bodies[a], &bodies[b]);
        let force = self.now.response(&point.state);
        let on_b = Wrench { n: force.tau, f: force.on_b(&point.state.normal) };
        Some(Load { arms: point.arms, on_b, motion: Motion::Point(point.state) })
    }

    /// Wrenches on A and B about the origins of their bodies, in W, at the point last evaluated.
    pub fn wrenches(&self) -> Option<[Wrench; 2]> {
        let Load { arms, on_b, .. } = self.load.as_ref()?;
        let on_a = Wrench { n: -on_b.n, f: -on_b.f };
        Some([on_a.shifted(&arms[0]), on_b.shifted(&arms[1])])
    }

    /// Derivatives of the wrenches on (A, B), each about the origin of its body, by the motions of (A, B), at the point last
    /// evaluated.
    pub fn stiffness(&self) -> [[Stiffness; 2]; 2] {
        match &self.load {
            None => [[Stiffness::ZERO; 2]; 2],
            Some(Load { arms, motion: Motion::Point(state), .. }) => self.point_stiffness(arms, state),
            Some(Load { arms, on_b, motion: Motion::Patch(motion) }) => self.patch_stiffness(arms, &on_b.f, motion),
        }
    }

    /// The change of the normal and of the lever arms is left out: it is smaller by the ratio of penetration to radius.
    fn point_stiffness(&self, arms: &[Vec3; 2], state: &ContactState) -> [[Stiffness; 2]; 2] {
        let (_, d) = self.now.linearize(state);
        let n = state.normal;
        let tangential = Mat3::identity() - n * n.transpose();
        let f_delta = n * d.f_n_delta + d.f_t_delta;
        let per_velocity = -(n * d.f_n_delta_dot + d.f_t_delta_dot) * n.transpose() + d.f_t_v_t * tangential;
        let slopes = |side: usize, sign: f64| {
            let arm = skew(&arms[side]);
            let (p, v) = (-f_delta * n.transpose() * sign, per_velocity * sign);
            let (tau_p, tau_v) = (-d.tau_delta * n.transpose() * sign, -d.tau_delta_dot * n.transpose() * sign);
            Stiffness {
                f: [-p * arm, p, -v * arm, v],
                n: [-tau_p * arm, tau_p, -tau_v * arm + d.tau_w_rel * sign, tau_v],
            }
        };
        let by = [slopes(0, -1.0), slopes(1, 1.0)];
        let on_b = by.map(|s| at_arm(&s, &arms[1]));
        let on_a = by.map(|s| negated(&at_arm(&s, &arms[0])));
        [on_a, on_b]
    }

    fn patch_stiffness(&self, arms: &[Vec3; 2], force: &Vec3, motion: &PatchMotion) -> [[Stiffness; 2]; 2] {
        let Some(patch) = &self.patch else { return [[Stiffness::ZERO; 2]; 2] };
        let slopes = patch.slopes(&self.now, motion);
        let of = |on: usize, by: usize| {
            let [wrench, twist] = [&-arms[on], &-arms[by]];
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
                block.n[1] += skew(force) * sign;
            }
            block
        };
        [[of(0, 0), of(0, 1)], [of(1, 0), of(1, 1)]]
    }
}

/// Slopes of a wrench about the body's origin, from which the contact point is seen at `arm`.
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
