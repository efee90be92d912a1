//! Forces of a pair in contact, and their derivatives.

use super::footing::{on_patch, poses};
use super::geometry::{contact_point, pair_distance, press};
use super::patch_motion::patch_motion;
use crate::collision::PairCache;
use crate::contact::patch::{Patch, PatchMotion, PatchScratch};
use crate::contact::{Bristle, BristleForce, BristleSlopes, ContactConstants, ContactState, Footing, PairId};
use crate::force::Stiffness;
use crate::math::{Mat3, Vec3, skew};
use crate::spatial::{BodyMotion, NodeOrdinal, Wrench};
use crate::topology::Topology;
use nalgebra::Matrix4;

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
    /// Whether its derivatives are those of slipping.
    pub slips: bool,
}

/// What A does to B, and where.
#[derive(Debug, Clone, Copy)]
struct Load {
    /// From A's and B's body origins to the point about which the wrench is taken, in W \[m\].
    arms: [Vec3; 2],
    /// Wrench on B, in W.
    on_b: Wrench,
    motion: Motion,
    hold: Option<Hold>,
}

/// What a bristle does.
#[derive(Debug, Clone, Copy)]
struct Hold {
    footing: Footing,
    /// From the point about which the load's wrench is taken to the centre of pressure, in W \[m\].
    offset: Vec3,
    /// Time \[s\].
    t: f64,
    force: BristleForce,
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
        Self { pair, nodes, constants, now: constants, cache: PairCache::default(), patch, load: None, slips: false }
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
            self.patch_load(topology, t, bodies, scratch)
        } else {
            self.point_load(topology, t, bodies)
        };
    }

    fn patch_load(
        &mut self,
        topology: &Topology,
        t: f64,
        bodies: &[BodyMotion],
        scratch: &mut PatchScratch,
    ) -> Option<Load> {
        let (Some(fields), Some(patch)) = (self.constants.fields, &mut self.patch) else { return None };
        if !press(topology, bodies, self.pair, fields, patch, (scratch, &mut self.cache)) {
            return None;
        }
        let bodies = self.nodes.map(|node| &bodies[node]);
        let (origins, motion) = patch_motion(patch, bodies[0], bodies[1]);
        let response = patch.response(&self.now, &motion);
        let hold = |bristle: &Bristle| {
            let footing = on_patch(poses(topology, bodies, self.pair), patch, &motion, &response);
            Hold { footing, offset: patch.center(), t, force: bristle.force(t, &self.now, &footing) }
        };
        Some(Load {
            arms: origins.map(|origin| -origin),
            on_b: Wrench { n: response.tau, f: response.f },
            motion: Motion::Patch(motion),
            hold: self.now.bristle.as_ref().map(hold),
        })
    }

    fn point_load(&mut self, topology: &Topology, t: f64, bodies: &[BodyMotion]) -> Option<Load> {
        let geometry = pair_distance(topology, bodies, self.pair, &mut self.cache);
        if geometry.distance >= 0.0 {
            return None;
        }
        let bodies = self.nodes.map(|node| &bodies[node]);
        let point = contact_point(&geometry, bodies[0], bodies[1]);
        let force = self.now.response(&point.state);
        let center = bodies[0].p + point.arms[0];
        let hold = |bristle: &Bristle| {
            let footing = Footing { poses: poses(topology, bodies, self.pair), center, state: point.state, force };
            Hold { footing, offset: Vec3::zeros(), t, force: bristle.force(t, &self.now, &footing) }
        };
        Some(Load {
            arms: point.arms,
            on_b: Wrench { n: force.tau, f: force.on_b(&point.state.normal) },
            motion: Motion::Point(point.state),
            hold: self.now.bristle.as_ref().map(hold),
        })
    }

    /// By which part of Coulomb's bound friction exceeds it with the whole bristle; none without one.
    pub fn excess(&self) -> Option<f64> {
        Some(self.load.as_ref()?.hold?.force.excess)
    }

    /// Wrenches on A and B about the origins of their bodies, in W, at the point last evaluated.
    pub fn wrenches(&self) -> Option<[Wrench; 2]> {
        let Load { arms, on_b, hold, .. } = self.load.as_ref()?;
        let mut on_b = *on_b;
        if let Some(Hold { offset, force, .. }) = hold {
            on_b.add(&Wrench { n: force.tau, f: force.f }.shifted(offset));
        }
        let on_a = Wrench { n: -on_b.n, f: -on_b.f };
        Some([on_a.shifted(&arms[0]), on_b.shifted(&arms[1])])
    }

    /// Derivatives of the wrenches on (A, B), each about the origin of its body, by the motions of (A, B), at the point
    /// last evaluated.
    pub fn stiffness(&self) -> [[Stiffness; 2]; 2] {
        let Some(Load { arms, on_b, motion, hold }) = &self.load else { return [[Stiffness::ZERO; 2]; 2] };
        let mut stiffness = match motion {
            Motion::Point(state) => self.point_stiffness(arms, state),
            Motion::Patch(motion) => self.patch_stiffness(arms, &on_b.f, motion),
        };
        if let (Some(bristle), Some(hold)) = (&self.now.bristle, hold) {
            let slopes = bristle.slopes(hold.t, &self.now, &hold.footing, self.slips);
            let of_bristle = bristle_stiffness(&slopes, &arms.map(|arm| arm + hold.offset));
            for (sum, other) in stiffness.iter_mut().flatten().zip(of_bristle.iter().flatten()) {
                sum.add(other);
            }
        }
        stiffness
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

/// Derivatives of the wrenches of a bristle on (A, B), each about the origin of its body, from which the centre of
/// pressure is seen at `arms`.
fn bristle_stiffness(slopes: &BristleSlopes, arms: &[Vec3; 2]) -> [[Stiffness; 2]; 2] {
    let n = &slopes.normal;
    let by = |side: usize, sign: f64| {
        let arm = skew(&arms[side]);
        // (force, torque) by (rotation, displacement), or by their rates.
        let columns = |m: &Matrix4<f64>| {
            let force = m.fixed_view::<3, 3>(0, 0) * sign;
            let (by_turn, of_shift) = (m.fixed_view::<3, 1>(0, 3) * sign, m.fixed_view::<1, 3>(3, 0) * sign);
            let f = [-force * arm + by_turn * n.transpose(), force];
            let spin = [-of_shift * arm + n.transpose() * (sign * m[(3, 3)]), of_shift];
            (f, spin.map(|row| n * row))
        };
        let ((f, tau), (f_rate, tau_rate)) = (columns(&slopes.by_shift), columns(&slopes.by_velocity));
        Stiffness { f: [f[0], f[1], f_rate[0], f_rate[1]], n: [tau[0], tau[1], tau_rate[0], tau_rate[1]] }
    };
    let by = [by(0, -1.0), by(1, 1.0)];
    [by.map(|slopes| negated(&at_arm(&slopes, &arms[0]))), by.map(|slopes| at_arm(&slopes, &arms[1]))]
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
