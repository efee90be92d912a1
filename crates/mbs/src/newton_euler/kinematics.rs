//! Positions, velocities and accelerations of all bodies, from the world outwards.

use super::Workspace;
use super::driven_ball::cross_driven_ball;
use crate::math::{Mat3, Quaternion, Vec3};
use crate::spatial::{AxisCoordinates, AxisMotion, BodyMotion, LinkMotion, NodeOrdinal, WORLD};
use crate::topology::{Mobilizer, Node, Topology};

/// Positions, velocities and accelerations at which something is evaluated; multipliers and variables of components may
/// stand behind the velocities and the accelerations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MotionPoint<'a> {
    /// Position variables.
    pub q: &'a [f64],
    /// Velocity variables.
    pub v: &'a [f64],
    /// Their derivatives.
    pub vdot: &'a [f64],
}

impl Workspace {
    /// Computes the motion of every node from `q`, `v` and `vdot` (and from the motions of driven mobilizers).
    ///
    /// Recursion: R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, section 5.3, in world axes about Bo.
    pub fn move_bodies(&mut self, topology: &Topology, q: &[f64], v: &[f64], vdot: &[f64]) {
        self.move_some_bodies(topology, MotionPoint { q, v, vdot }, |_| true);
    }

    /// As [`Workspace::move_bodies`] for some nodes, with every node all that carry it.
    pub(crate) fn move_some_bodies(
        &mut self,
        topology: &Topology,
        MotionPoint { q, v, vdot }: MotionPoint<'_>,
        is_needed: impl Fn(NodeOrdinal) -> bool,
    ) {
        for (i, node) in topology.nodes.iter().enumerate().skip(1).filter(|(i, _)| is_needed(*i)) {
            if is_floating(node) {
                float(node, q, v, vdot, &mut self.links[i], &mut self.bodies[i]);
                continue;
            }
            let parent = self.bodies[node.parent];
            let (link, rotation) = self.cross_mobilizer(node, &parent, q, v, vdot);
            self.bodies[i] = link.outboard(&parent, rotation);
            self.links[i] = link;
        }
    }

    /// Motion of one node, whose parent's is given, without accelerations.
    pub(crate) fn move_body(&self, node: &Node, parent: &BodyMotion, q: &[f64], v: &[f64]) -> BodyMotion {
        let (link, rotation) = self.cross_mobilizer(node, parent, q, v, v);
        link.outboard(parent, rotation)
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
        let (axis, rotation, translation, coordinates) = match node.mobilizer {
            Mobilizer::World => return (LinkMotion::REST, Mat3::identity()),
            Mobilizer::Axis { axis, rotation, translation } => {
                let coordinates = AxisCoordinates { q: q[node.q], v: v[node.v], a: vdot[node.v] };
                (axis, rotation, translation, coordinates)
            }
            Mobilizer::Driven { axis, rotation, translation, motion } => {
                (axis, rotation, translation, self.motions[motion])
            }
            Mobilizer::DrivenBall(ball) => return cross_driven_ball(&ball, &self.motions, &r_wf, &r_pf),
            Mobilizer::Spherical | Mobilizer::Free => return cross_ball(node, &r_wf, &r_pf, q, v, vdot),
        };
        AxisMotion { axis, rotation, translation }.cross(r_wf, r_pf, coordinates)
    }
}

/// Whether a node moves freely in the world, in a frame F along the world's axes.
#[inline]
fn is_floating(node: &Node) -> bool {
    node.parent == WORLD && node.mobilizer == Mobilizer::Free && node.x_pf.rotation == Mat3::identity()
}

/// Motion of a free body from a parent at rest: what [`cross_ball`] and [`LinkMotion::outboard`] come to without the
/// terms that vanish. Crowds of free bodies consist of nothing else.
#[inline]
fn float(node: &Node, q: &[f64], v: &[f64], vdot: &[f64], link: &mut LinkMotion, body: &mut BodyMotion) {
    let vector = |x: &[f64], k: usize| Vec3::new(x[k], x[k + 1], x[k + 2]);
    *link = LinkMotion {
        r: node.x_pf.translation + vector(q, node.q + 4),
        r_wf: Mat3::identity(),
        w_rel: vector(v, node.v),
        v_rel: vector(v, node.v + 3),
        alpha_rel: vector(vdot, node.v),
        a_rel: vector(vdot, node.v + 3),
    };
    // Sums with the zeros of the parent, so that no zero is negative.
    let rest = Vec3::zeros();
    *body = BodyMotion {
        rotation: quaternion_at(q, node.q).to_matrix(),
        p: rest + link.r,
        w: rest + link.w_rel,
        v: rest + link.v_rel,
        alpha: rest + link.alpha_rel,
        a: rest + link.a_rel,
    };
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
