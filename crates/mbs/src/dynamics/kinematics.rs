//! Positions, velocities and accelerations of all bodies, from the world outwards.

use super::Workspace;
use crate::math::{Mat3, Pose, Quaternion, Vec3, rotation_about};
use crate::topology::{Mobilizer, Node, NodeOrdinal, Topology};

/// Motion of a body in the world; all vectors resolved in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMotion {
    /// `R_WB`.
    pub rotation: Mat3,
    /// `p_WBo` \[m\].
    pub p: Vec3,
    /// `w_WB` \[rad/s\].
    pub w: Vec3,
    /// `v_WBo` \[m/s\].
    pub v: Vec3,
    /// Angular acceleration \[rad/s²\].
    pub alpha: Vec3,
    /// Acceleration of Bo \[m/s²\].
    pub a: Vec3,
}

impl BodyMotion {
    /// A body at rest in the world frame's origin.
    pub const REST: Self = Self {
        rotation: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        p: Vec3::new(0.0, 0.0, 0.0),
        w: Vec3::new(0.0, 0.0, 0.0),
        v: Vec3::new(0.0, 0.0, 0.0),
        alpha: Vec3::new(0.0, 0.0, 0.0),
        a: Vec3::new(0.0, 0.0, 0.0),
    };

    /// Motion of a frame C fixed on the body: pose `X_BC` given, all vectors resolved in the world.
    #[must_use]
    pub fn at(&self, x_bc: &crate::math::Pose) -> Self {
        let r = self.rotation * x_bc.translation;
        Self {
            rotation: self.rotation * x_bc.rotation,
            p: self.p + r,
            w: self.w,
            v: self.v + self.w.cross(&r),
            alpha: self.alpha,
            a: self.a + self.alpha.cross(&r) + self.w.cross(&self.w.cross(&r)),
        }
    }
}

/// Motion across one mobilizer; all vectors resolved in the world.
#[derive(Debug, Clone, Copy)]
pub struct LinkMotion {
    /// Position of Bo from Po: `p_PB` \[m\].
    pub r: Vec3,
    /// `R_WF`.
    pub r_wf: Mat3,
    /// `w_FB`.
    pub w_rel: Vec3,
    /// Velocity of Bo in F.
    pub v_rel: Vec3,
    /// Derivative of `w_FB` in F.
    pub alpha_rel: Vec3,
    /// Derivative of the velocity of Bo in F, in F.
    pub a_rel: Vec3,
}

impl LinkMotion {
    /// No motion.
    pub const REST: Self = Self {
        r: Vec3::new(0.0, 0.0, 0.0),
        r_wf: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        w_rel: Vec3::new(0.0, 0.0, 0.0),
        v_rel: Vec3::new(0.0, 0.0, 0.0),
        alpha_rel: Vec3::new(0.0, 0.0, 0.0),
        a_rel: Vec3::new(0.0, 0.0, 0.0),
    };
}

/// Coordinates of a mobilizer with one degree of freedom and their derivatives.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AxisCoordinates {
    /// Position.
    pub q: f64,
    /// Velocity.
    pub v: f64,
    /// Acceleration.
    pub a: f64,
}

impl Workspace {
    /// Computes the motion of every node from `q`, `v` and `vdot` (and from the motions of driven mobilizers).
    ///
    /// Recursion: R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 5.3, in world axes about Bo.
    pub fn move_bodies(&mut self, topology: &Topology, q: &[f64], v: &[f64], vdot: &[f64]) {
        self.move_some_bodies(topology, (q, v, vdot), |_| true);
    }

    /// As [`Workspace::move_bodies`] for some nodes, with every node all that carry it.
    pub(crate) fn move_some_bodies(
        &mut self,
        topology: &Topology,
        (q, v, vdot): (&[f64], &[f64], &[f64]),
        is_asked_for: impl Fn(NodeOrdinal) -> bool,
    ) {
        for (i, node) in topology.nodes.iter().enumerate().skip(1).filter(|(i, _)| is_asked_for(*i)) {
            let parent = self.bodies[node.parent];
            let (link, rotation) = self.cross_mobilizer(node, &parent, q, v, vdot);
            self.bodies[i] = outboard(&parent, &link, rotation);
            self.links[i] = link;
        }
    }

    /// Motion of one node, whose parent's is given, without accelerations.
    pub(super) fn move_body(&self, node: &Node, parent: &BodyMotion, q: &[f64], v: &[f64]) -> BodyMotion {
        let (link, rotation) = self.cross_mobilizer(node, parent, q, v, v);
        outboard(parent, &link, rotation)
    }

    #[inline]
    fn cross_mobilizer(
        &self,
        node: &Node,
        parent: &BodyMotion,
        q: &[f64],
        v: &[f64],
        vdot: &[f64],
    ) -> (LinkMotion, Mat3) {
        let r_wf = parent.rotation * node.x_pf.rotation;
        let r_pf = parent.rotation * node.x_pf.translation;
        let coordinates = match node.mobilizer {
            Mobilizer::World => return (LinkMotion::REST, Mat3::identity()),
            Mobilizer::Axis { .. } => AxisCoordinates { q: q[node.q], v: v[node.v], a: vdot[node.v] },
            Mobilizer::Driven { motion, .. } => self.motions[motion],
            Mobilizer::Spherical | Mobilizer::Free => return cross_ball(node, &r_wf, &r_pf, q, v, vdot),
        };
        cross_axis(&node.mobilizer, r_wf, r_pf, coordinates)
    }
}

/// Motion of the body beyond a mobilizer with one degree of freedom, whose frame F has a pose on the body before it.
pub(crate) fn across(parent: &BodyMotion, x_pf: &Pose, mobilizer: &Mobilizer, at: AxisCoordinates) -> BodyMotion {
    let (link, rotation) =
        cross_axis(mobilizer, parent.rotation * x_pf.rotation, parent.rotation * x_pf.translation, at);
    outboard(parent, &link, rotation)
}

#[inline]
fn cross_axis(mobilizer: &Mobilizer, r_wf: Mat3, r_pf: Vec3, x: AxisCoordinates) -> (LinkMotion, Mat3) {
    let (Mobilizer::Axis { axis, rotation, translation } | Mobilizer::Driven { axis, rotation, translation, .. }) =
        mobilizer
    else {
        return (LinkMotion::REST, r_wf);
    };
    let e = r_wf * axis;
    let link = LinkMotion {
        r: r_pf + e * (translation * x.q),
        r_wf,
        w_rel: e * (rotation * x.v),
        v_rel: e * (translation * x.v),
        alpha_rel: e * (rotation * x.a),
        a_rel: e * (translation * x.a),
    };
    let turned = if *rotation == 0.0 { r_wf } else { r_wf * rotation_about(axis, rotation * x.q) };
    (link, turned)
}

#[inline]
fn cross_ball(node: &Node, r_wf: &Mat3, r_pf: &Vec3, q: &[f64], v: &[f64], vdot: &[f64]) -> (LinkMotion, Mat3) {
    let vector = |x: &[f64], k: usize| r_wf * Vec3::new(x[k], x[k + 1], x[k + 2]);
    let rotation = r_wf * quaternion_at(q, node.q).to_matrix();
    let mut link = LinkMotion {
        r: *r_pf,
        r_wf: *r_wf,
        w_rel: vector(v, node.v),
        v_rel: Vec3::zeros(),
        alpha_rel: vector(vdot, node.v),
        a_rel: Vec3::zeros(),
    };
    if node.mobilizer == Mobilizer::Free {
        link.r += vector(q, node.q + 4);
        link.v_rel = vector(v, node.v + 3);
        link.a_rel = vector(vdot, node.v + 3);
    }
    (link, rotation)
}

/// The quaternion stored from `q[at]`.
#[inline]
pub(crate) fn quaternion_at(q: &[f64], at: usize) -> Quaternion {
    Quaternion::from_array([q[at], q[at + 1], q[at + 2], q[at + 3]])
}

#[inline]
fn outboard(parent: &BodyMotion, link: &LinkMotion, rotation: Mat3) -> BodyMotion {
    let w_r = parent.w.cross(&link.r);
    BodyMotion {
        rotation,
        p: parent.p + link.r,
        w: parent.w + link.w_rel,
        v: parent.v + w_r + link.v_rel,
        alpha: parent.alpha + link.alpha_rel + parent.w.cross(&link.w_rel),
        a: parent.a + parent.alpha.cross(&link.r) + parent.w.cross(&(w_r + 2.0 * link.v_rel)) + link.a_rel,
    }
}
