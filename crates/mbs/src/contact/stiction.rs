//! Sticking: an elastic bristle beside the regularised friction of a contact.
//!
//! Regularised friction at rest is viscous: a load below the limit makes a body creep with a part of `v_min`. A
//! *bristle* is a spring between the material of both bodies, rooted where they stick, without load at first:
//!
//! ```text
//! f = f_v - s (k u + c u')        tau_n = tau_v - s r² (k psi + c psi')
//! ```
//!
//! with the regularised friction `f_v`, `tau_v`, the shift `u` of the roots along the surface and the turn `psi` about
//! the normal. So creep ends as soon as the spring carries the load; `c = 2 sqrt(k m)` damps it critically, which sets
//! in smoothly. `s`, 0 to 1, keeps the sum within Coulomb's bound, `|f|²/(mu N)² + tau_n²/(mu N r)² <= 1`, where `r` is
//! the mean distance of the pressure from its centre (2/3 of the radius of a disc under uniform pressure): at sliding
//! speeds nothing is left of the bristle. Its tangential stiffness is that of the normal direction times 0.8, the ratio
//! `2 (1 - nu)/(2 - nu)` of R. D. Mindlin, "Compliance of Elastic Bodies in Contact", J. Appl. Mech. 16 (1949), for
//! `nu` = 1/3.
//!
//! **Energy.** The spring has a potential in the relative pose, and what is cut off dissipates: with `k |u| <= mu N`,
//! the power `-f . v` is never below the rate of the stored energy `k u²/2`. Everything that changes at the end of a
//! step ([`Bristle::follow`]) leaves the force as it is and never adds to the stored energy: roots that follow a spring
//! beyond the bound (the radial return of plasticity), roots that follow the place of the contact, a stiffness that
//! rises with the load. No event is needed.
//!
//! **Rolling.** A body that rolls parts from its roots. So bristles form only while it turns more slowly than `w_min`, and
//! are released when it has rolled away faster than that. A box that rocks on its face does not roll: it tilts by no more
//! than its penetration over its half thickness.

use super::bristle::{Bristle, Strain};
use super::regularization::linearized_direction;
use super::{ContactConstants, ContactForce, ContactState};
use crate::math::{Mat3, Pose, Quaternion, Vec3, rotation_about};
use nalgebra::{Matrix4, Vector4};
use std::f64::consts::PI;

/// Tangential stiffness of a contact as a part of that along its normal.
const TANGENTIAL: f64 = 0.8;

/// A stiffness follows a load that has grown by this factor.
const GROWN: f64 = 2.0;

/// Limits of the angle \[rad\] by which bodies may roll on each other before roots follow: they then are `r θ³/6` apart
/// although nothing slips. Between them counts the penetration over the half thickness, by which bodies rock in place.
const ROLLED: f64 = 1e-3;
const MOST_ROLLED: f64 = 0.03;

/// Roots follow the contact's place when it has moved away by this part of the thinner shape's half thickness.
const MOVED: f64 = 0.1;

/// Excess over the bound at which roots follow.
const BEYOND: f64 = 1e-3;

/// Part of the bound, or of a spring, that counts as none.
const SLACK: f64 = 1e-9;

/// Factor by which the rate at which two bodies roll on each other may exceed the growth rate of bristles before the
/// bristles are released.
const ROLLING: f64 = 2.0;

/// Two shapes that touch, where a bristle may hold them; vectors in W.
#[derive(Debug, Clone, Copy)]
pub struct Footing {
    /// Poses of the shapes A and B.
    pub poses: [Pose; 2],
    /// Centre of pressure \[m\].
    pub center: Vec3,
    /// Relative motion at the centre.
    pub state: ContactState,
    /// Forces at the centre without those of the bristle.
    pub force: ContactForce,
}

impl Footing {
    /// The greatest friction \[N\].
    fn bound(&self, law: &ContactConstants) -> f64 {
        law.friction(self.state.v_t.norm()) * self.force.f_n
    }

    fn slides(&self, law: &ContactConstants) -> bool {
        self.state.v_t.norm() >= law.v_min
    }

    /// Stiffness along the surface \[N/m\].
    fn tangential_stiffness(&self, law: &ContactConstants) -> f64 {
        TANGENTIAL * law.n_geo * self.force.f_n / self.state.delta
    }
}

/// Inputs of the update of a bristle besides its footing.
#[derive(Debug, Clone, Copy)]
pub struct BristleContext {
    /// Time \[s\].
    pub t: f64,
    /// Mean distance of the pressure from its centre, times the coefficient of spinning over that of friction \[m\].
    pub lever: f64,
    /// Effective mass along the normal \[kg\]; infinite when neither body has one.
    pub mass: f64,
    /// Half of the smallest dimension of the thinner shape \[m\].
    pub thickness: f64,
}

/// What becomes of a bristle.
#[derive(Debug, Clone, Copy, PartialEq)]
// Short-lived; boxing would allocate at every contact.
#[allow(clippy::large_enum_variant)]
pub enum BristleChange {
    /// It is unchanged, or there is still none.
    None,
    /// It grows, or its roots follow.
    Becomes(Bristle),
    /// It is removed.
    Ends,
}

/// What a bristle does to B at the centre of pressure, in W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BristleForce {
    /// Force \[N\].
    pub f: Vec3,
    /// Torque \[N m\].
    pub tau: Vec3,
    /// Part of the spring's force that the bound leaves, 0 to 1.
    part: f64,
    /// By which part of the bound friction and the whole spring exceed it; at most 0 where the contact sticks.
    pub excess: f64,
}

impl BristleForce {
    /// Whether it carries the whole load of its spring.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.part >= 1.0
    }
}

/// Derivatives of (force, torque about the normal) by (shift, turn about the normal) and by their rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BristleSlopes {
    /// By displacement \[N/m, N, N m/rad\].
    pub by_shift: Matrix4<f64>,
    /// By velocity \[N s/m, N s, N m s/rad\].
    pub by_velocity: Matrix4<f64>,
    /// Unit normal of torque and turn.
    pub normal: Vec3,
}

/// Friction and strain in units of the bound.
struct Scaled {
    /// Regularised friction.
    x: Vector4<f64>,
    /// Force of the whole spring.
    y: Vector4<f64>,
}

impl Scaled {
    /// The greatest part of the spring with which `|x + s y| <= 1`, at most 1.
    fn part(&self) -> f64 {
        let (a, b) = (self.y.norm_squared(), self.x.dot(&self.y));
        let c = (1.0 - self.x.norm_squared()).max(0.0);
        if a + 2.0 * b <= c {
            return 1.0;
        }
        // The positive root of a s² + 2 b s = c, without cancellation.
        let root = (b * b + a * c).sqrt();
        let part = if b > 0.0 { c / (b + root) } else { (root - b) / a };
        part.clamp(0.0, 1.0)
    }
}

/// Half a period of a mass on the spring of a bristle \[s\]. Without a mass both bodies follow prescribed motions,
/// which no force changes: any time will do.
fn half_period(mass: f64, stiffness: f64) -> f64 {
    PI * (if mass.is_finite() { mass } else { 1.0 } / stiffness).sqrt()
}

/// Angle by which bodies may roll before roots follow \[rad\].
fn most_rolled(at: &Footing, context: &BristleContext) -> f64 {
    (at.state.delta / context.thickness).clamp(ROLLED, MOST_ROLLED)
}

fn stacked(v: &Vec3, last: f64) -> Vector4<f64> {
    Vector4::new(v.x, v.y, v.z, last)
}

fn block(m: &Mat3, last: f64) -> Matrix4<f64> {
    let mut all = Matrix4::zeros();
    all.fixed_view_mut::<3, 3>(0, 0).copy_from(m);
    all[(3, 3)] = last;
    all
}

fn across(normal: &Vec3) -> Mat3 {
    Mat3::identity() - normal * normal.transpose()
}

impl Bristle {
    fn scaled(&self, t: f64, law: &ContactConstants, at: &Footing, strain: &Strain) -> Option<(f64, Scaled)> {
        let bound = at.bound(law);
        let hold = self.hold(t);
        if bound <= 0.0 || hold <= 0.0 {
            return None;
        }
        let c = self.damping_at(t);
        let along = self.stiffness * strain.u + c * at.state.v_t;
        let about = self.stiffness * strain.psi + c * at.state.w_rel.dot(&at.state.normal);
        let spin = if self.lever > 0.0 { at.force.tau.dot(&at.state.normal) / (bound * self.lever) } else { 0.0 };
        let x = stacked(&(at.force.f_t / bound), spin);
        let y = -hold / bound * stacked(&along, self.lever * about);
        Some((bound, Scaled { x, y }))
    }

    /// What it does at a time \[s\].
    #[must_use]
    pub fn force(&self, t: f64, law: &ContactConstants, at: &Footing) -> BristleForce {
        let strain = self.strain(&at.poses);
        let Some((bound, scaled)) = self.scaled(t, law, at, &strain) else {
            return BristleForce { f: Vec3::zeros(), tau: Vec3::zeros(), part: 0.0, excess: 0.0 };
        };
        let part = scaled.part();
        let y = part * bound * scaled.y;
        let excess = (scaled.x + scaled.y).norm() - 1.0;
        BristleForce { f: y.xyz(), tau: self.lever * y.w * strain.normal, part, excess }
    }

    /// Derivatives of [`Bristle::force`], where the bound is reached without those by the normal force. With `slips`,
    /// they are those of the bound even where it is not reached yet.
    #[must_use]
    pub fn slopes(&self, t: f64, law: &ContactConstants, at: &Footing, slips: bool) -> BristleSlopes {
        let strain = self.strain(&at.poses);
        let normal = strain.normal;
        let zero = Matrix4::zeros();
        let Some((bound, scaled)) = self.scaled(t, law, at, &strain) else {
            return BristleSlopes { by_shift: zero, by_velocity: zero, normal };
        };
        let part = scaled.part();
        // In units of the bound, and with turns as shifts at the lever.
        let unit = -(self.hold(t) / bound) * block(&across(&normal), 1.0);
        let (by_shift, by_velocity) = (self.stiffness * unit, self.damping_at(t) * unit);
        let (mut shift, mut velocity) = (part * by_shift, part * by_velocity);
        let total = scaled.x + part * scaled.y;
        // A spring that hardly carries anything grows along the friction that it will take over.
        let grows = if total.dot(&scaled.y) > SLACK { scaled.y } else { total };
        let along = total.dot(&grows);
        if (part < 1.0 || slips) && along > 0.0 {
            let cut = grows * total.transpose() / along;
            let by_sliding = linearized_direction(&at.state.v_t, law.v_min).slope * across(&normal);
            let spin = at.state.w_rel.dot(&normal) * self.lever;
            let by_spinning = linearized_direction(&Vec3::new(0.0, 0.0, spin), law.v_min).slope[(2, 2)];
            velocity += cut * (block(&by_sliding, by_spinning) - part * by_velocity);
            shift -= part * cut * by_shift;
        }
        let units = Matrix4::from_diagonal(&Vector4::new(1.0, 1.0, 1.0, self.lever));
        let physical = |m: &Matrix4<f64>| bound * (units * m * units);
        BristleSlopes { by_shift: physical(&shift), by_velocity: physical(&velocity), normal }
    }

    /// A bristle at the centre of pressure whose strain is given.
    fn rooted(at: &Footing, strain: (Vec3, f64), stiffness: f64, context: &BristleContext) -> Self {
        let [a, b] = &at.poses;
        let (shift, psi) = strain;
        let shift = across(&at.state.normal) * shift;
        let normal = a.rotation.transpose() * at.state.normal;
        let turn = rotation_about(&normal, -psi) * a.rotation.transpose() * b.rotation;
        Self {
            roots: [a.inverse().transform(&at.center).into(), b.inverse().transform(&(at.center + shift)).into()],
            normal: normal.into(),
            turn: Quaternion::from_matrix(&turn).to_array(),
            stiffness,
            damping: [0.0, if context.mass.is_finite() { 2.0 * (stiffness * context.mass).sqrt() } else { 0.0 }],
            growth: [context.t, half_period(context.mass, stiffness)],
            lever: context.lever,
            release: None,
        }
    }

    /// What becomes of the bristle of a contact at the end of a step.
    #[must_use]
    pub fn follow(
        bristle: Option<&Self>,
        law: &ContactConstants,
        at: &Footing,
        context: &BristleContext,
    ) -> BristleChange {
        if at.bound(law) <= 0.0 || at.state.delta <= 0.0 {
            return BristleChange::None;
        }
        let rolling = (across(&at.state.normal) * at.state.w_rel).norm();
        let Some(bristle) = bristle else {
            if at.slides(law) || rolling >= law.w_min {
                return BristleChange::None;
            }
            return BristleChange::Becomes(Self::rooted(
                at,
                (Vec3::zeros(), 0.0),
                at.tangential_stiffness(law),
                context,
            ));
        };
        if bristle.release.is_some() {
            return if bristle.hold(context.t) > 0.0 { BristleChange::None } else { BristleChange::Ends };
        }
        let has_rolled = bristle.strain(&at.poses).rolled >= most_rolled(at, context);
        if rolling > ROLLING * law.w_min && has_rolled {
            let duration = half_period(context.mass, bristle.stiffness);
            return BristleChange::Becomes(Self { release: Some([context.t, duration]), ..*bristle });
        }
        if at.slides(law) && bristle.force(context.t, law, at).part <= SLACK {
            return BristleChange::Ends;
        }
        bristle.follow_roots(law, at, context)
    }

    fn follow_roots(&self, law: &ContactConstants, at: &Footing, context: &BristleContext) -> BristleChange {
        let strain = self.strain(&at.poses);
        let strained = self.stiffness * stacked(&strain.u, self.lever * strain.psi).norm() / at.bound(law);
        let away = across(&at.state.normal) * (at.center - at.poses[1].transform(&Vec3::from(self.roots[1])));
        let stiffness = at.tangential_stiffness(law);
        let has_grown = stiffness > GROWN * self.stiffness;
        let is_near = strain.rolled < most_rolled(at, context) && away.norm() < MOVED * context.thickness;
        if strained < 1.0 + BEYOND && is_near && !has_grown {
            return BristleChange::None;
        }
        let after = if has_grown { stiffness } else { self.stiffness };
        let kept = self.stiffness / after / strained.max(1.0);
        let shrunk = if context.lever > 0.0 { self.lever / context.lever } else { 0.0 };
        let strain = (kept * strain.u, kept * strain.psi * shrunk.min(1.0).powi(2));
        let next = Self::rooted(at, strain, after, context);
        BristleChange::Becomes(if has_grown {
            Self { damping: [self.damping_at(context.t), next.damping[1]], ..next }
        } else {
            Self { damping: self.damping, growth: self.growth, ..next }
        })
    }
}
