//! Derivatives of a patch's forces.

use super::facing::Turn;
use super::field::RoundAxis;
use super::motion::PatchMotion;
use super::overlap::Patch;
use super::weights::Weights;
use crate::contact::ContactConstants;
use crate::contact::regularization::linearized_magnitude;
use crate::math::{Mat3, Vec3, skew};

/// Derivatives of a wrench by a twist, both about the patch's origin and in W: of torque and force (rows) by rotation
/// and displacement, or by angular velocity and velocity (columns).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Of the torque by rotation, and by displacement.
    pub tau: [Mat3; 2],
    /// Of the force by rotation, and by displacement.
    pub f: [Mat3; 2],
}

/// Derivatives of the wrench on B about the patch's origin, which stays in place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchSlopes {
    /// By displacements of A and of B at constant velocities \[N/rad, N/m, N m/rad, N\].
    pub by_pose: [Block; 2],
    /// By the velocity of B relative to A when A and when B changes it \[N s/rad, N s/m, N m s/rad, N s\].
    pub by_velocity: [Block; 2],
}

impl Block {
    /// No derivatives.
    pub const ZERO: Self = Self { tau: [ZERO; 2], f: [ZERO; 2] };

    /// The same about other points: the wrench about one that is at `wrench` from the origin, the twist about one at
    /// `twist` \[m\].
    #[must_use]
    pub fn about(&self, wrench: &Vec3, twist: &Vec3) -> Self {
        let (wrench, twist) = (skew(wrench), skew(twist));
        // A turn about a point at r displaces the origin by -θ × r = r × θ.
        let columns = |[by_turn, by_shift]: &[Mat3; 2]| [by_turn + by_shift * twist, *by_shift];
        let (f, tau) = (columns(&self.f), columns(&self.tau));
        Self { tau: [tau[0] - wrench * f[0], tau[1] - wrench * f[1]], f }
    }

    fn join(&mut self, other: &Self) {
        for k in 0..2 {
            self.tau[k] += other.tau[k];
            self.f[k] += other.f[k];
        }
    }

    /// Derivatives of (torque, force) by a turn about an axis through a point.
    fn by_turn(&self, round: &RoundAxis) -> [Vec3; 2] {
        let shift = round.through.cross(&round.axis);
        [&self.tau, &self.f].map(|rows| rows[0] * round.axis + rows[1] * shift)
    }

    /// Derivatives of the torque about an axis through a point.
    fn torque_about(&self, round: &RoundAxis) -> [Vec3; 2] {
        let arm = round.axis.cross(&round.through);
        [0, 1].map(|k| self.tau[k].tr_mul(&round.axis) - self.f[k].tr_mul(&arm))
    }

    /// Adds derivatives by a turn that follows from the twist by `rates`: per rotation, and per displacement.
    fn add_turn(&mut self, [tau, f]: &[Vec3; 2], rates: &[Vec3; 2]) {
        for k in 0..2 {
            self.tau[k] += tau * rates[k].transpose();
            self.f[k] += f * rates[k].transpose();
        }
    }

    /// Adds the outer products of forces and the generalised forces `(x × g, g)` of a displacement at their places.
    fn add(&mut self, forces: &Forces, g: &Vec3) {
        // (x × g)ᵀ = xᵀ skew(g)
        let arm = skew(g);
        self.tau[0] += forces.moments_by_place * arm;
        self.tau[1] += forces.moment * g.transpose();
        self.f[0] += forces.by_place * arm;
        self.f[1] += forces.sum * g.transpose();
    }

    /// Adds the derivatives of friction by the velocities where it acts.
    fn add_friction(&mut self, friction: &FrictionSlopes, normal: &Vec3) {
        let across = Mat3::identity() - normal * normal.transpose();
        let arm = skew(&friction.isotropic.first);
        self.f[0] += friction.aligned[1].transpose() - across * arm;
        self.f[1] += friction.aligned[0] + across * friction.isotropic.sum;
        // -skew(x) (I - n nᵀ) skew(x) = |x|² I - x xᵀ - (x × n) (x × n)ᵀ
        let (second, n) = (&friction.isotropic.second, skew(normal));
        let turns = Mat3::from_diagonal_element(second.trace()) - second - n * second * n.transpose();
        self.tau[0] += friction.aligned[2] + turns;
        self.tau[1] += friction.aligned[1] + arm * across;
    }
}

/// Sums over points of forces, and of their moments about the origin; both also times the transposed places.
#[derive(Debug, Clone, Copy)]
struct Forces {
    sum: Vec3,
    by_place: Mat3,
    moment: Vec3,
    moments_by_place: Mat3,
}

impl Forces {
    const NONE: Self = Self { sum: NO_VECTOR, by_place: ZERO, moment: NO_VECTOR, moments_by_place: ZERO };

    fn add(&mut self, x: &Vec3, force: &Vec3) {
        let moment = x.cross(force);
        self.sum += force;
        self.by_place += force * x.transpose();
        self.moment += moment;
        self.moments_by_place += moment * x.transpose();
    }

    /// The same force per weight everywhere, and others times a factor.
    fn uniform(weights: &Weights, force: &Vec3, others: &Self, factor: f64) -> Self {
        Self {
            sum: weights.sum * force + factor * others.sum,
            by_place: force * weights.first.transpose() + factor * others.by_place,
            moment: weights.first.cross(force) + factor * others.moment,
            moments_by_place: factor * others.moments_by_place - skew(force) * weights.second,
        }
    }
}

/// Sums over points of the derivatives of friction by the sliding velocity: `a (I - n nᵀ) + b v vᵀ`.
#[derive(Debug, Clone, Copy)]
struct FrictionSlopes {
    /// Of `a`.
    isotropic: Weights,
    /// Of `b v vᵀ`, `b (x × v) vᵀ` and `b (x × v) (x × v)ᵀ`.
    aligned: [Mat3; 3],
}

impl FrictionSlopes {
    fn add(&mut self, x: &Vec3, v_t: &Vec3, a: f64, b: f64) {
        self.isotropic.add(x, a);
        let (moment, force) = (x.cross(v_t), b * v_t);
        self.aligned[0] += force * v_t.transpose();
        self.aligned[1] += moment * force.transpose();
        self.aligned[2] += b * moment * moment.transpose();
    }
}

const ZERO: Mat3 = Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
const NO_VECTOR: Vec3 = Vec3::new(0.0, 0.0, 0.0);

impl Patch {
    /// Derivatives of [`Patch::response`]. Those of the elastic force are exact; of damping and friction the turning of
    /// the normal and the change of velocities with the place are left out, which are smaller by the ratio of
    /// penetration to size.
    #[must_use]
    pub fn slopes(&self, law: &ContactConstants, motion: &PatchMotion) -> PatchSlopes {
        let (normal, law) = (self.normal(), &self.damped(law));
        let (mut by_pose, mut departing) = ([Block::ZERO; 2], Forces::NONE);
        let mut sliding = FrictionSlopes { isotropic: Weights::NONE, aligned: [ZERO; 3] };
        let mut pressing = Weights::NONE;
        for facet in self.facets() {
            let cosine = facet.n.dot(&normal).max(0.0);
            let (mut areas, mut tractions) = (Weights::NONE, Forces::NONE);
            self.for_each_area(facet, |x, area| areas.add(x, area / facet.h));
            self.for_each_sample(facet, law, motion, |sample| {
                let (x, area) = (&sample.x, sample.area / facet.h);
                if sample.left == 0.0 {
                    tractions.add(x, &(-area * normal));
                    return;
                }
                let v_t = motion.sliding(x, &normal);
                let at = Linearized::new(law, sample.left, &v_t);
                let load = cosine * sample.load;
                tractions.add(x, &(-area * ((1.0 - sample.left) * normal + at.friction * v_t)));
                pressing.add(x, law.d * load);
                departing.add(x, &((law.d * load) * (at.undamped * v_t - normal)));
                sliding.add(x, &v_t, -load * at.friction, -load * at.along);
            });
            let (g_a, g_b) = (facet.of_a.g, facet.g_b);
            let rises = [g_a, g_b].map(|g| cosine * g.dot(&facet.n));
            by_pose[0].add(&Forces::uniform(&areas, &g_b, &tractions, rises[1]), &-g_a);
            by_pose[1].add(&Forces::uniform(&areas, &g_a, &tractions, rises[0]), &g_b);
        }
        let (mut by_departing, mut by_sliding) = (Block::ZERO, Block::ZERO);
        by_departing.add(&departing, &normal);
        by_sliding.add_friction(&sliding, &normal);
        let mut by_velocity = self.with_surfaces(&by_departing);
        let turns = self.turns();
        let by_turns = [0, 1].map(|side| self.axes()[side].map(|round| by_pose[side].by_turn(&round)));
        for side in 0..2 {
            if let (Some(by_turn), Some(turn)) = (by_turns[side], turns[side]) {
                by_pose.iter_mut().zip(&turn.rates).for_each(|(block, rates)| block.add_turn(&by_turn, rates));
            }
        }
        let mut by_pressing = Block::ZERO;
        by_pressing.add(&Forces::uniform(&pressing, &-normal, &Forces::NONE, 0.0), &normal);
        self.add_turning_forces(&mut by_pose, &mut by_velocity, &self.with_surfaces(&by_pressing));
        by_velocity.iter_mut().for_each(|block| block.join(&by_sliding));
        PatchSlopes { by_pose, by_velocity }
    }

    /// Derivatives by the velocity when A and when B changes it, from those by the motion of the surfaces.
    fn with_surfaces(&self, by_motion: &Block) -> [Block; 2] {
        let mut by_velocity = [*by_motion; 2];
        for (side, rates) in self.rates_of_surfaces().into_iter().enumerate() {
            let (Some(round), Some(rates)) = (&self.axes()[side], rates) else { continue };
            let by_turn = by_motion.by_turn(round);
            for moved in 0..2 {
                // The motion is that of B relative to A.
                let sign = if moved == side { 1.0 } else { -1.0 };
                by_velocity[moved].add_turn(&by_turn, &rates[moved].map(|rate| sign * rate));
            }
        }
        by_velocity
    }

    /// Adds the derivatives of what turns add to the force, but for the change of their rates; `by_pressing` are those of
    /// damping along the normal.
    fn add_turning_forces(&self, by_pose: &mut [Block; 2], by_velocity: &mut [Block; 2], by_pressing: &[Block; 2]) {
        let all = self.turns();
        let turns = all.each_ref().map(|turn| turn.as_ref().and_then(Turn::driving));
        if turns.iter().all(Option::is_none) {
            return;
        }
        let slopes = self.changes_of_slopes();
        for (k, turn) in turns.iter().enumerate() {
            let Some([_, force]) = turn else { continue };
            for (moved, sign) in [(0, -1.0), (1, 1.0)] {
                let mut change = slopes.by_displacement[k].map(|by| sign * by);
                for (other, factor) in turns.iter().zip(slopes.by_turns[k]) {
                    let Some(other) = other else { continue };
                    (0..2).for_each(|row| change[row] += factor * other[moved][row]);
                }
                by_pose[moved].add_turn(&force.map(|row| -row), &change);
            }
            if let Some(round) = &self.axes()[k] {
                let sign = if k == 0 { -1.0 } else { 1.0 };
                for (block, pressing) in by_velocity.iter_mut().zip(by_pressing) {
                    let change = pressing.torque_about(round);
                    block.add_turn(&force.map(|row| sign * row), &change);
                }
            }
        }
    }
}

/// Friction per pressure, and its derivatives, over the sliding velocity.
struct Linearized {
    /// Friction.
    friction: f64,
    /// Friction without damping.
    undamped: f64,
    /// Its derivative by the sliding velocity, beyond that by its direction: `friction (I - n nᵀ) + along v vᵀ`.
    along: f64,
}

impl Linearized {
    /// Where damping leaves a part of the pressure along the normal, for a sliding velocity \[m/s\].
    fn new(law: &ContactConstants, left: f64, v_t: &Vec3) -> Self {
        let speed = v_t.norm();
        let (mu, rise) = law.friction_and_slope(speed);
        let sliding = linearized_magnitude(speed, law.v_min);
        let undamped = mu / sliding.value;
        let along = left * (rise - undamped * sliding.slope) / sliding.value;
        Self { friction: left * undamped, undamped, along }
    }
}
