//! A trace of inertia for bodies in loops that have none against their joints.
//!
//! The forest's factorisation divides by the inertia that every joint moves. A rod without mass has none, although the
//! loop that it closes determines its motion: the matrix of the whole system, `[M G^T; G 0]`, is regular where `M` is
//! not. And a rod between two balls may spin about itself, which neither inertia nor loop determine: any spin solves
//! the equations. So such bodies get a negligible inertia that makes all of this regular.

use super::{BodyInertia, Mobilizer, Topology};
use crate::math::{Mat3, Vec3};
use crate::spatial::WORLD;

/// Mass of a regularised body relative to the heaviest one: the square root of the resolution of numbers. A larger one
/// would be felt, a smaller one would cost digits of the multipliers.
const TRACE: f64 = 1.5e-8;

/// Regularising mass of every body in a kinematic analysis relative to the heaviest one.
const REGULARISING_MASS: f64 = 1e-6;

/// Inertia about the centre of mass relative to that about the origin of the body that counts as none.
const ROUNDING: f64 = 1e-12;

/// Whether a body is more than a point mass.
fn has_extent(inertia: &BodyInertia) -> bool {
    let c_x = crate::math::skew(&inertia.p_bo_bcm);
    let central = inertia.i_bbo + inertia.m * c_x * c_x;
    // About a distant origin the inertia of a point cancels up to rounding only.
    central.norm() > ROUNDING * inertia.i_bbo.norm()
}

/// Whether a body has no inertia about an axis through its origin: that of a point mass on the axis.
fn is_point_on(axis: &Vec3, inertia: &BodyInertia) -> bool {
    axis.dot(&(inertia.i_bbo * axis)) <= ROUNDING * inertia.i_bbo.norm()
}

impl BodyInertia {
    /// This inertia and that of a sphere about the origin of the body, of mass `m` \[kg\] and radius of gyration
    /// `radius` \[m\].
    fn with_sphere(&self, m: f64, radius: f64) -> Self {
        Self {
            m: self.m + m,
            p_bo_bcm: self.p_bo_bcm * (self.m / (self.m + m)),
            i_bbo: self.i_bbo + m * radius * radius * Mat3::identity(),
        }
    }
}

impl Topology {
    /// Gives every body a millionth of the heaviest one's mass (of 1 kg if there is none), as a sphere with a radius of
    /// gyration of 1 m about its body frame, so that the equations of motion have a solution even if nothing has mass.
    pub(super) fn add_regularising_mass(&mut self) {
        let heaviest = self.heaviest();
        let m = REGULARISING_MASS * if heaviest > 0.0 { heaviest } else { 1.0 };
        for node in self.nodes.iter_mut().skip(WORLD + 1) {
            node.inertia = node.inertia.with_sphere(m, 1.0);
        }
    }

    /// Gives bodies in loops whose joints have no inertia to act on a trace of the heaviest one's, as spheres whose
    /// radius of gyration is the longest arm between two joints. Returns whether there are any.
    pub(super) fn regularise_loops(&mut self) -> bool {
        let heaviest = self.heaviest();
        if self.closures.is_empty() || heaviest == 0.0 {
            return false;
        }
        let mut in_loops = vec![false; self.nodes.len()];
        for closure in &self.closures {
            in_loops[self.component_of(closure.leaf)] = true;
        }
        let mut carries_mass: Vec<bool> = self.nodes.iter().map(|node| !node.inertia.is_massless()).collect();
        let mut leads_to_mass = vec![false; self.nodes.len()];
        for i in (WORLD + 1..self.nodes.len()).rev() {
            carries_mass[self.nodes[i].parent] |= carries_mass[i];
            leads_to_mass[self.nodes[i].parent] |= carries_mass[i];
        }
        let arms = self.nodes.iter().map(|node| node.x_pf.translation.norm());
        let arms = arms.chain(self.closures.iter().map(|closure| closure.body.x_bc.translation.norm()));
        let longest = arms.fold(0.0, f64::max);
        let radius = if longest > 0.0 { longest } else { 1.0 };
        let mut any = false;
        for i in WORLD + 1..self.nodes.len() {
            let is_in_loop = in_loops[self.component_of(i)];
            let node = &mut self.nodes[i];
            let lacks_inertia = match node.mobilizer {
                Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => false,
                Mobilizer::Axis { axis, rotation, translation } => {
                    let only_turns = rotation != 0.0 && translation == 0.0;
                    !carries_mass[i] || only_turns && !leads_to_mass[i] && is_point_on(&axis, &node.inertia)
                }
                Mobilizer::Spherical | Mobilizer::Free => !has_extent(&node.inertia),
            };
            if is_in_loop && lacks_inertia {
                node.inertia = node.inertia.with_sphere(TRACE * heaviest, radius);
                any = true;
            }
        }
        any
    }

    /// Whether anything has mass.
    pub(super) fn has_mass(&self) -> bool {
        self.heaviest() > 0.0
    }

    fn heaviest(&self) -> f64 {
        self.nodes.iter().map(|node| node.inertia.m).fold(0.0, f64::max)
    }
}
