//! Balls and free bodies whose motion is given, as a quaternion and a position.

use crate::math::{Mat3, Quaternion, Vec3};
use crate::spatial::{AxisCoordinates, LinkMotion};
use crate::topology::DrivenBall;

/// Motion of one frame in another one, resolved in the latter.
#[derive(Debug, Clone, Copy)]
struct GivenMotion {
    rotation: Mat3,
    w: Vec3,
    alpha: Vec3,
    p: Vec3,
    v: Vec3,
    a: Vec3,
}

impl GivenMotion {
    /// From a quaternion that need not have unit length, its derivatives, and those of the position.
    ///
    /// With `s = q' q^-1` the angular velocity is twice the vector part of `s`, whose scalar part is the rate at which
    /// the length changes; `s' = q'' q^-1 - s^2`.
    fn new(ball: &DrivenBall, motions: &[AxisCoordinates]) -> Self {
        let part = |of: fn(&AxisCoordinates) -> f64| {
            let at = |k: usize| of(&motions[ball.motion + k]);
            let vector = if ball.translates { Vec3::new(at(4), at(5), at(6)) } else { Vec3::zeros() };
            (Quaternion::from_array([at(0), at(1), at(2), at(3)]), vector)
        };
        let ((q, p), (rate, v), (second, a)) = (part(|x| x.q), part(|x| x.v), part(|x| x.a));
        let inverse = scaled(&q.conjugate(), 1.0 / q.norm_squared());
        let s = rate.product(&inverse);
        Self {
            rotation: q.to_matrix(),
            w: 2.0 * s.v,
            alpha: 2.0 * (second.product(&inverse).v - s.product(&s).v),
            p,
            v,
            a,
        }
    }

    /// The inverse motion.
    fn reversed(&self) -> Self {
        let r = self.rotation.transpose();
        let leaving = self.w.cross(&self.p) - self.v;
        let rate = self.alpha.cross(&self.p) + self.w.cross(&self.v) - self.a;
        Self {
            rotation: r,
            w: -(r * self.w),
            alpha: -(r * self.alpha),
            p: -(r * self.p),
            v: r * leaving,
            a: r * (rate - self.w.cross(&leaving)),
        }
    }
}

fn scaled(q: &Quaternion, factor: f64) -> Quaternion {
    Quaternion { w: q.w * factor, v: q.v * factor }
}

/// Quaternion of `R_FM`, of any length.
pub(super) fn driven_quaternion(ball: &DrivenBall, motions: &[AxisCoordinates]) -> Quaternion {
    let at = |k: usize| motions[ball.motion + k].q;
    let q = Quaternion::from_array([at(0), at(1), at(2), at(3)]).normalized();
    if ball.reversed { q.conjugate() } else { q }
}

/// Motion across a driven ball, and `R_WM`; `r_wf` is the rotation of frame F in the world, `r_pf` its position from
/// Po.
pub(super) fn cross_driven_ball(
    ball: &DrivenBall,
    motions: &[AxisCoordinates],
    r_wf: &Mat3,
    r_pf: &Vec3,
) -> (LinkMotion, Mat3) {
    let given = GivenMotion::new(ball, motions);
    let x = if ball.reversed { given.reversed() } else { given };
    let link = LinkMotion {
        r: r_pf + r_wf * x.p,
        r_wf: *r_wf,
        w_rel: r_wf * x.w,
        v_rel: r_wf * x.v,
        alpha_rel: r_wf * x.alpha,
        a_rel: r_wf * x.a,
    };
    (link, r_wf * x.rotation)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tumbling motion: quaternion of changing length and position, with two derivatives.
    fn motions(t: f64) -> Vec<AxisCoordinates> {
        let wave = |k: f64| AxisCoordinates {
            q: elementary::sin(k * t + k),
            v: k * elementary::cos(k * t + k),
            a: -k * k * elementary::sin(k * t + k),
        };
        [0.7, 1.1, 1.9, 0.3, 1.3, 0.9, 2.1].map(wave).to_vec()
    }

    #[test]
    fn velocities_and_accelerations_are_derivatives_in_both_directions() {
        let h = 1e-4;
        for reversed in [false, true] {
            let ball = DrivenBall { motion: 0, translates: true, reversed };
            let at = |t: f64| cross_driven_ball(&ball, &motions(t), &Mat3::identity(), &Vec3::zeros());
            let ((before, r0), (now, r), (after, r1)) = (at(0.4 - h), at(0.4), at(0.4 + h));
            let near = |a: Vec3, b: Vec3| assert!((a - b).norm() < 1e-6, "{a} {b} {reversed}");
            near((after.r - before.r) / (2.0 * h), now.v_rel);
            near((after.v_rel - before.v_rel) / (2.0 * h), now.a_rel);
            near((after.w_rel - before.w_rel) / (2.0 * h), now.alpha_rel);
            let spin = (r1 - r0) / (2.0 * h) * r.transpose();
            near(Vec3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]), now.w_rel);
            assert!((driven_quaternion(&ball, &motions(0.4)).to_matrix() - r).norm() < 1e-14);
        }
    }
}
