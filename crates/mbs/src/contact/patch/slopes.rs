//! Derivatives of a patch's forces.

use super::overlap::Patch;
use super::response::PatchMotion;
use crate::contact::ContactConstants;
use crate::contact::regularization::linearized_direction;
use crate::math::{Mat3, Vec3, skew};

/// Derivatives of a wrench by a twist, both about the patch's origin and in W: of torque and force (rows) by rotation and displacement,
/// or by angular velocity and velocity (columns).
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
    /// By the velocity of B relative to A \[N s/rad, N s/m, N m s/rad, N s\].
    pub by_velocity: Block,
}

impl Block {
    /// No derivatives.
    pub const ZERO: Self = Self { tau: [ZERO; 2], f: [ZERO; 2] };

    /// The same about other points: the wrench about one that is at `wrench` from the origin, the twist about one at `twist` \[m\].
    #[must_use]
    pub fn about(&self, wrench: &Vec3, twist: &Vec3) -> Self {
        let (wrench, twist) = (skew(wrench), skew(twist));
        // A turn about a point at r displaces the origin by -θ × r = r × θ.
        let columns = |[by_turn, by_shift]: &[Mat3; 2]| [by_turn + by_shift * twist, *by_shift];
        let (f, tau) = (columns(&self.f), columns(&self.tau));
        Self { tau: [tau[0] - wrench * f[0], tau[1] - wrench * f[1]], f }
    }

    /// Takes the derivative by turns about an axis through a point away.
    fn ignore_turns(&mut self, axis: &Vec3, through: &Vec3) {
        let shift = through.cross(axis);
        for rows in [&mut self.tau, &mut self.f] {
            let by_turn = rows[0] * axis + rows[1] * shift;
            rows[0] -= by_turn * axis.transpose();
        }
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
    /// Derivatives of [`Patch::response`]. Those of the elastic force are exact; of damping and friction the turning of the normal and the
    /// change of velocities with the place are left out, which are smaller by the ratio of penetration to size.
    #[must_use]
    pub fn slopes(&self, law: &ContactConstants, motion: &PatchMotion) -> PatchSlopes {
        let normal = self.normal();
        let mut slopes = PatchSlopes { by_pose: [Block::ZERO; 2], by_velocity: Block::ZERO };
        for facet in self.facets() {
            let cosine = facet.n.dot(&normal).max(0.0);
            let (g_a, g_b) = (facet.of_a.g, facet.g_b);
            let rises = [g_a, g_b].map(|g| g.dot(&facet.n));
            self.for_each_sample(facet, law, motion, |sample| {
                let (x, area) = (&sample.x, sample.area / facet.h);
                let (traction, slope) = linearized(law, &motion.at(x), &normal);
                let traction = cosine * traction;
                slopes.by_pose[0].add(x, &((g_b + rises[1] * traction) * -area), &g_a);
                slopes.by_pose[1].add(x, &((g_a + rises[0] * traction) * area), &g_b);
                slopes.by_velocity.add_slope(x, &(slope * (cosine * sample.p * sample.area)));
            });
        }
        for (block, axis) in slopes.by_pose.iter_mut().zip(self.axes()) {
            if let Some((axis, through)) = axis {
                block.ignore_turns(&axis, &through);
            }
        }
        slopes
    }
}

/// Damping and friction per pressure, and their derivative by the velocity.
fn linearized(law: &ContactConstants, u: &Vec3, normal: &Vec3) -> (Vec3, Mat3) {
    let departing = u.dot(normal);
    let v_t = u - departing * normal;
    let damped = 1.0 - law.d * departing;
    let across = Mat3::identity() - normal * normal.transpose();
    let sliding = linearized_direction(&v_t, law.v_min);
    let (friction, rise) = law.friction_and_slope(v_t.norm());
    let value = -law.d * departing * normal - friction * damped * sliding.value;
    let slope = -law.d * normal * normal.transpose() + friction * law.d * sliding.value * normal.transpose()
        - damped * (friction * sliding.slope * across + rise * sliding.value * v_t.transpose());
    (value, slope)
}
