//! Derivatives of a patch's forces.

use super::field::RoundAxis;
use super::overlap::Patch;
use super::response::PatchMotion;
use crate::contact::ContactConstants;
use crate::contact::regularization::linearized_direction;
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

    /// Adds derivatives by a turn times `by` to those by rotation.
    fn add_turn(&mut self, [tau, f]: &[Vec3; 2], by: &Vec3) {
        self.tau[0] += tau * by.transpose();
        self.f[0] += f * by.transpose();
    }

    /// Adds the outer product of a force at `x` and the generalised force `(x × g, g)` of a displacement.
    fn add(&mut self, x: &Vec3, force: &Vec3, g: &Vec3) {
        let (moment, arm) = (x.cross(force), x.cross(g));
        self.tau[0] += moment * arm.transpose();
        self.tau[1] += moment * g.transpose();
        self.f[0] += force * arm.transpose();
        self.f[1] += force * g.transpose();
    }

    /// Adds the derivatives of a force at `x` by the velocity there.
    fn add_slope(&mut self, x: &Vec3, slope: &Mat3) {
        let arm = skew(x);
        let by_rotation = -slope * arm;
        self.f[0] += by_rotation;
        self.f[1] += slope;
        self.tau[0] += arm * by_rotation;
        self.tau[1] += arm * slope;
    }
}

const ZERO: Mat3 = Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

impl Patch {
    /// Derivatives of [`Patch::response`]. Those of the elastic force are exact; of damping and friction the turning of
    /// the normal and the change of velocities with the place are left out, which are smaller by the ratio of
    /// penetration to size.
    #[must_use]
    pub fn slopes(&self, law: &ContactConstants, motion: &PatchMotion) -> PatchSlopes {
        let (normal, law) = (self.normal(), &self.damped(law));
        let across = Mat3::identity() - normal * normal.transpose();
        let (mut by_pose, mut by_sliding, mut by_departing) = ([Block::ZERO; 2], Block::ZERO, Block::ZERO);
        for facet in self.facets() {
            let cosine = facet.n.dot(&normal).max(0.0);
            let (g_a, g_b) = (facet.of_a.g, facet.g_b);
            let rises = [g_a, g_b].map(|g| g.dot(&facet.n));
            self.for_each_sample(facet, law, motion, |sample| {
                let (x, area) = (&sample.x, sample.area / facet.h);
                let at = match sample.is_released {
                    false => {
                        let (departing, v_t) = motion.split(x, &normal);
                        Linearized::new(law, departing, &v_t, &normal)
                    }
                    true => Linearized::released(&normal),
                };
                let traction = cosine * at.traction;
                by_pose[0].add(x, &((g_b + rises[1] * traction) * -area), &g_a);
                by_pose[1].add(x, &((g_a + rises[0] * traction) * area), &g_b);
                let load = cosine * sample.p * sample.area;
                by_sliding.add_slope(x, &(at.by_sliding * across * load));
                by_departing.add_slope(x, &(at.by_departing * normal.transpose() * load));
            });
        }
        let mut by_velocity = [by_departing; 2];
        let by_turns = [0, 1].map(|side| self.axes()[side].map(|round| by_pose[side].by_turn(&round)));
        for (side, round) in self.axes().iter().enumerate() {
            if let (Some(round), Some(by_turn)) = (round, by_turns[side]) {
                let [own, other] = round.turns();
                by_pose[side].add_turn(&by_turn, &own);
                by_pose[1 - side].add_turn(&by_turn, &other);
                let by_turn = by_velocity[side].by_turn(round);
                by_velocity[side].add_turn(&by_turn, &-round.axis);
            }
            by_velocity[side].join(&by_sliding);
        }
        PatchSlopes { by_pose, by_velocity }
    }
}

impl RoundAxis {
    /// The sides of a round body do not turn with it, but keep one of them towards the other body: how much they turn
    /// about the axis beyond the body itself when it, or the other body, rotates.
    fn turns(&self) -> [Vec3; 2] {
        let along = self.axis.dot(&self.toward);
        let across = self.toward - along * self.axis;
        let length = across.norm();
        if length < UPRIGHT {
            return [-self.axis, Vec3::zeros()];
        }
        let facing = across / length;
        let sideways = self.axis.cross(&facing);
        let own = along / length * facing - self.axis;
        [own, self.toward.cross(&sideways) / length]
    }
}

/// Sine of the angle between the axis and the direction of the contact below which no side faces the other body.
const UPRIGHT: f64 = 0.05;

/// Damping and friction per pressure, and their derivatives.
struct Linearized {
    traction: Vec3,
    by_departing: Vec3,
    by_sliding: Mat3,
}

impl Linearized {
    /// Where damping takes all of the pressure along the normal.
    fn released(normal: &Vec3) -> Self {
        Self { traction: -normal, by_departing: Vec3::zeros(), by_sliding: Mat3::zeros() }
    }

    /// For the speed `departing` \[m/s\] along the normal and the sliding velocity `v_t` \[m/s\].
    fn new(law: &ContactConstants, departing: f64, v_t: &Vec3, normal: &Vec3) -> Self {
        let damped = 1.0 - law.d * departing;
        let sliding = linearized_direction(v_t, law.v_min);
        let (friction, rise) = law.friction_and_slope(v_t.norm());
        Self {
            traction: -law.d * departing * normal - friction * damped * sliding.value,
            by_departing: -law.d * normal + friction * law.d * sliding.value,
            by_sliding: -damped * (friction * sliding.slope + rise * sliding.value * v_t.transpose()),
        }
    }
}
