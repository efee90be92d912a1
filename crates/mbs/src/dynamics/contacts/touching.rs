//! Forces of a pair in contact, and their derivatives.

use super::footing::{on_patch, poses};
use super::geometry::{ContactPoint, balls, contact_point, pair_contact, press};
use super::patch_motion::patch_motion;
use crate::collision::{Contact, PairCache};
use crate::contact::patch::{Patch, PatchMotion, PatchScratch, SurfaceLoad};
use crate::contact::{BristleForce, BristleSlopes, ContactConstants, ContactState, Footing, PairId};
use crate::force::Stiffness;
use crate::math::{Mat3, Pose, Vec3, skew};
use crate::spatial::{BodyMotion, NodeOrdinal, Wrench};
use crate::topology::Topology;
use nalgebra::Matrix4;

/// A pair of shapes in contact, with its constants of this contact.
#[derive(Debug, Clone)]
pub(super) struct Touching {
    pub pair: PairId,
    /// Whether it takes part in the residual.
    pub takes_part: bool,
    /// Bodies of A and B.
    pub nodes: [NodeOrdinal; 2],
    pub constants: ContactConstants,
    /// The constants at `changing_at`, while they change.
    changing: ContactConstants,
    /// Time of `changing` \[s\]; none if it must be computed.
    changing_at: Option<f64>,
    /// Whether they changed at the time last evaluated.
    are_changing: bool,
    pub cache: PairCache,
    /// Where two polyhedra press on each other; none for other pairs.
    pub patch: Option<Patch>,
    /// Whether they do, at the point last evaluated.
    presses: bool,
    /// Poses of both shapes there, if the patch follows from them alone.
    placed: Option<[Pose; 2]>,
    /// Number of the ground that carries the pair together with others; none if it has a law of its own.
    pub ground: Option<usize>,
    /// What it did at the point last evaluated; none without a force.
    load: Option<Load>,
    /// What its bristle did, where there is a load and a bristle.
    hold: Option<BristleLoad>,
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
}

/// A bristle and its force.
#[derive(Debug, Clone, Copy)]
struct BristleLoad {
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
    /// At a point, and the share of the law's force that acts there.
    Point(ContactState, f64),
    Patch(PatchMotion),
}

impl Touching {
    pub fn new(topology: &Topology, pair: PairId, constants: &ContactConstants, spare: &mut Vec<Patch>) -> Self {
        let nodes = [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].node);
        let patch = constants.fields.map(|_| spare.pop().unwrap_or_default());
        let (constants, changing, cache) = (*constants, *constants, PairCache::default());
        Self {
            pair,
            takes_part: true,
            nodes,
            constants,
            changing,
            changing_at: None,
            are_changing: false,
            cache,
            patch,
            presses: false,
            placed: None,
            ground: None,
            load: None,
            hold: None,
            slips: false,
        }
    }

    pub fn set_constants(&mut self, constants: &ContactConstants) {
        if self.constants.fields != constants.fields {
            self.placed = None;
        }
        self.constants = *constants;
        self.changing_at = None;
    }

    /// The constants at the time last evaluated.
    fn now(&self) -> &ContactConstants {
        if self.are_changing { &self.changing } else { &self.constants }
    }

    pub fn is_loaded(&self) -> bool {
        self.load.is_some()
    }

    /// Finds the patch on which the shapes press on each other at the given motion. Where only velocities or
    /// accelerations have changed, as for a linearisation after the residual, it is known.
    pub fn press(&mut self, topology: &Topology, bodies: &[BodyMotion], scratch: &mut PatchScratch) {
        let (Some(fields), Some(patch)) = (self.constants.fields, &mut self.patch) else { return };
        let placed = poses(topology, self.nodes.map(|node| &bodies[node]), self.pair);
        if self.placed.is_some_and(|before| before == placed) {
            patch.carry_alone();
        } else {
            let shapes = [self.pair.a, self.pair.b].map(|shape| &topology.shapes[shape as usize].shape);
            self.presses = press(shapes, &placed, fields, patch, scratch, &mut self.cache);
            self.placed = shapes.iter().all(|shape| shape.has_fixed_faces()).then_some(placed);
        }
    }

    /// Load of the patch found last; none if the shapes do not press on each other there.
    pub fn surface_load(&self) -> Option<SurfaceLoad> {
        self.patch.as_ref().filter(|_| self.presses && self.constants.fields.is_some()).map(Patch::surface_load)
    }

    /// Lets the law follow from what all pieces of the ground carry.
    pub fn carry_with(&mut self, all: SurfaceLoad) {
        if let Some(patch) = &mut self.patch {
            patch.carry_with(all);
        }
    }

    /// Evaluates the action of A on B at a time \[s\] and the given motion, for which the patch must have been found.
    pub fn evaluate(&mut self, topology: &Topology, t: f64, bodies: &[BodyMotion]) {
        self.are_changing = self.constants.are_changing(t);
        if self.are_changing && self.changing_at != Some(t) {
            self.changing = self.constants.at(t);
            self.changing_at = Some(t);
        }
        self.hold = None;
        if self.patch.is_some() {
            self.evaluate_patch(topology, t, bodies);
        } else {
            self.evaluate_point(topology, t, bodies);
        }
    }

    fn evaluate_patch(&mut self, topology: &Topology, t: f64, bodies: &[BodyMotion]) {
        self.load = None;
        let Some(patch) = self.patch.as_ref().filter(|_| self.presses) else { return };
        let law = if self.are_changing { &self.changing } else { &self.constants };
        let bodies = self.nodes.map(|node| &bodies[node]);
        let (origins, motion) = patch_motion(patch, bodies[0], bodies[1]);
        let response = patch.response(law, &motion);
        if let Some(bristle) = &law.bristle {
            let footing = on_patch(poses(topology, bodies, self.pair), patch, &motion, &response);
            self.hold =
                Some(BristleLoad { footing, offset: patch.center(), t, force: bristle.force(t, law, &footing) });
        }
        self.load = Some(Load {
            arms: origins.map(|origin| -origin),
            on_b: Wrench { n: response.tau, f: response.f },
            motion: Motion::Patch(motion),
        });
    }

    fn evaluate_point(&mut self, topology: &Topology, t: f64, bodies: &[BodyMotion]) {
        let sides = self.nodes.map(|node| &bodies[node]);
        let [a, b] = [self.pair.a, self.pair.b].map(|shape| &topology.shapes[shape as usize]);
        if let Some(geometry) = balls([(a, sides[0]), (b, sides[1])]) {
            return self.evaluate_at(&geometry, 1.0, topology, t, sides);
        }
        let (geometry, share) = pair_contact(topology, bodies, self.pair, &mut self.cache);
        self.evaluate_at(&geometry, share, topology, t, sides);
    }

    /// Evaluates a share of the law's force for a geometry, which for two spheres stays in registers.
    #[inline(always)]
    fn evaluate_at(&mut self, geometry: &Contact, share: f64, topology: &Topology, t: f64, bodies: [&BodyMotion; 2]) {
        if geometry.distance >= 0.0 {
            self.load = None;
            return;
        }
        let ContactPoint { arms, state } = contact_point(geometry, bodies[0], bodies[1]);
        let law = self.now();
        let force = law.response(&state).scaled(share);
        if let Some(bristle) = &law.bristle {
            let center = bodies[0].p + arms[0];
            let footing = Footing { poses: poses(topology, bodies, self.pair), center, state, force };
            let force = bristle.force(t, law, &footing);
            self.hold = Some(BristleLoad { footing, offset: Vec3::zeros(), t, force });
        }
        let on_b = Wrench { n: force.tau, f: force.on_b(&state.normal) };
        self.load = Some(Load { arms, on_b, motion: Motion::Point(state, share) });
    }

    /// By which fraction of Coulomb's bound friction exceeds it with the whole bristle; none without one.
    pub fn excess(&self) -> Option<f64> {
        Some(self.hold.as_ref()?.force.excess)
    }

    /// Wrenches on A and B about the origins of their bodies, in W, at the point last evaluated.
    pub fn wrenches(&self) -> Option<[Wrench; 2]> {
        let Load { arms, on_b, .. } = self.load.as_ref()?;
        let mut on_b = *on_b;
        if let Some(BristleLoad { offset, force, .. }) = &self.hold {
            on_b.add(&Wrench { n: force.tau, f: force.f }.shifted(offset));
        }
        let on_a = Wrench { n: -on_b.n, f: -on_b.f };
        Some([on_a.shifted(&arms[0]), on_b.shifted(&arms[1])])
    }

    /// Derivatives of the wrenches on (A, B), each about the origin of its body, by the motions of (A, B), at the point
    /// last evaluated.
    pub fn stiffness(&self) -> [[Stiffness; 2]; 2] {
        let Some(Load { arms, on_b, motion }) = &self.load else { return [[Stiffness::ZERO; 2]; 2] };
        let mut stiffness = match motion {
            Motion::Point(state, share) => self.point_stiffness(arms, state, *share),
            Motion::Patch(motion) => self.patch_stiffness(arms, &on_b.f, motion),
        };
        if let (Some(bristle), Some(hold)) = (&self.now().bristle, &self.hold) {
            let slopes = bristle.slopes(hold.t, self.now(), &hold.footing, self.slips);
            let of_bristle = bristle_stiffness(&slopes, &arms.map(|arm| arm + hold.offset));
            for (sum, other) in stiffness.iter_mut().flatten().zip(of_bristle.iter().flatten()) {
                sum.add(other);
            }
        }
        stiffness
    }

    /// The change of the normal and of the lever arms is left out: it is smaller by the ratio of penetration to radius.
    /// So is that of the share: the other piece at the seam loses what this one gains.
    ///
    /// With the direction `n` and the arms `a` from the bodies' origins to the contact point, the depth changes by
    /// `(n x a) . dtheta - n . dp` of B, and by the opposite of A; velocities at the point by `dv - a x dw`.
    fn point_stiffness(&self, arms: &[Vec3; 2], state: &ContactState, share: f64) -> [[Stiffness; 2]; 2] {
        let d = self.now().linearize(state).1.scaled(share);
        let n = state.normal;
        let f_delta = n * d.f_n_delta + d.f_t_delta;
        let along = n * d.f_n_delta_dot + d.f_t_delta_dot + d.f_t_v_t * n;
        let v_force = d.f_t_v_t - along * n.transpose();
        let v_torque = -d.tau_delta_dot * n.transpose();
        let block = |on: usize, by: usize| {
            let tau_delta = d.tau_delta + arms[on].cross(&f_delta);
            let v_torque = v_torque + cross_columns(&arms[on], &v_force);
            let (arm, sign) = (&arms[by], if on == by { 1.0 } else { -1.0 });
            let (turned, moved) = (n.cross(arm) * sign, n * -sign);
            let (v_force, v_torque) = (v_force * sign, v_torque * sign);
            Stiffness {
                f: [f_delta * turned.transpose(), f_delta * moved.transpose(), -rows_cross(&v_force, arm), v_force],
                n: [
                    tau_delta * turned.transpose(),
                    tau_delta * moved.transpose(),
                    d.tau_w_rel * sign - rows_cross(&v_torque, arm),
                    v_torque,
                ],
            }
        };
        [[block(0, 0), block(0, 1)], [block(1, 0), block(1, 1)]]
    }

    fn patch_stiffness(&self, arms: &[Vec3; 2], force: &Vec3, motion: &PatchMotion) -> [[Stiffness; 2]; 2] {
        let Some(patch) = &self.patch else { return [[Stiffness::ZERO; 2]; 2] };
        let slopes = patch.slopes(self.now(), motion);
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

/// Derivatives of the wrenches of a bristle on (A, B), each about the origin of its body; `arms` are the positions of
/// these origins relative to the centre of pressure.
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

/// `[a]x M`: the cross product of a vector with every column.
#[inline]
fn cross_columns(a: &Vec3, m: &Mat3) -> Mat3 {
    Mat3::from_columns(&[0, 1, 2].map(|k| a.cross(&m.column(k))))
}

/// `M [a]x`: the cross product of every row with a vector.
#[inline]
fn rows_cross(m: &Mat3, a: &Vec3) -> Mat3 {
    Mat3::from_rows(&[0, 1, 2].map(|k| m.row(k).cross(&a.transpose())))
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
