//! Numbers of one evaluation, reused from call to call; nothing here must survive a restore.

use crate::force::{JointForce, Signals};
use crate::linalg::renew;
use crate::spatial::{AxisCoordinates, BodyMotion, LinkMotion, NodeOrdinal, Wrench};
use crate::topology::{DrivenLaw, Mobilizer, Topology};

/// Motion and forces of every node; sized for one topology.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// Motion of each body.
    pub bodies: Vec<BodyMotion>,
    /// Motion across each mobilizer.
    pub links: Vec<LinkMotion>,
    /// Applied wrench on each body about Bo (force elements).
    pub applied: Vec<Wrench>,
    /// Wrench that each mobilizer transmits to its outboard body, about Bo.
    pub transmitted: Vec<Wrench>,
    /// Applied force of every velocity variable.
    pub joint_forces: Vec<JointForce>,
    /// Coordinates of driven mobilizers.
    pub motions: Vec<AxisCoordinates>,
    /// Efforts of the laws of driven degrees of freedom.
    pub driven_efforts: Vec<f64>,
}

impl Workspace {
    /// A workspace for a topology.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let mut workspace = Self::default();
        workspace.fit(topology);
        workspace
    }

    /// Sized for a topology in the memory that is there. Everything but the world's motion, which is rest, and the
    /// forces of joints without laws, which are zero, holds what it held: none of it is read before an evaluation has
    /// written it.
    pub fn fit(&mut self, topology: &Topology) {
        let n = topology.nodes.len();
        self.bodies.resize(n, BodyMotion::REST);
        self.links.resize(n, LinkMotion::REST);
        self.applied.resize(n, Wrench::ZERO);
        self.transmitted.resize(n, Wrench::ZERO);
        renew(&mut self.joint_forces, topology.num_v, JointForce::default());
        self.motions.resize(topology.motions.len(), AxisCoordinates::default());
        renew(&mut self.driven_efforts, topology.driven_laws.len(), 0.0);
    }

    /// Evaluates the motions of driven mobilizers at the time of `signals`.
    pub fn drive(&mut self, topology: &Topology, signals: &mut Signals) {
        for (coordinates, motion) in self.motions.iter_mut().zip(&topology.motions) {
            *coordinates = AxisCoordinates {
                q: signals.value(&motion.position),
                v: signals.value(&motion.velocity),
                a: signals.value(&motion.acceleration),
            };
        }
    }

    /// Evaluates all force elements and laws of degrees of freedom; the motion of all bodies must be known.
    pub fn apply_forces(&mut self, topology: &Topology, q: &[f64], v: &[f64], signals: &mut Signals) {
        self.applied.fill(Wrench::ZERO);
        for element in &topology.elements {
            let (a, b) = element.nodes();
            let (on_a, on_b) = element.wrenches(&self.bodies[a], &self.bodies[b], &self.bodies, signals);
            self.applied[a].add(&on_a);
            self.applied[b].add(&on_b);
        }
        for node in &topology.nodes {
            let Some(first) = node.laws else { continue };
            for k in 0..node.mobilizer.num_v() {
                let position = Topology::position_of(node, k).map_or(0.0, |i| q[i]);
                self.joint_forces[node.v + k] = topology.laws[first + k].evaluate(position, v[node.v + k], signals);
            }
        }
        for (k, law) in topology.driven_laws.iter().enumerate() {
            let [position, velocity] = self.driven_coordinate(law);
            self.driven_efforts[k] = law.law.evaluate(position, velocity, signals).tau;
        }
    }

    /// Position and velocity of a driven degree of freedom.
    pub(super) fn driven_coordinate(&self, law: &DrivenLaw) -> [f64; 2] {
        match law.motion {
            Some(motion) => [self.motions[motion].q, self.motions[motion].v],
            None => {
                let link = &self.links[law.node];
                [0.0, link.r_wf.tr_mul(&link.w_rel)[law.dof]]
            }
        }
    }

    /// Writes the generalised force balance `M v' - h` of every velocity variable.
    pub fn joint_balance(&self, topology: &Topology, out: &mut [f64]) {
        for i in 1..topology.nodes.len() {
            self.node_balance(topology, i, out);
        }
    }

    /// As [`Self::joint_balance`], of the velocity variables of one node.
    pub fn node_balance(&self, topology: &Topology, i: NodeOrdinal, out: &mut [f64]) {
        let (node, link, wrench) = (&topology.nodes[i], &self.links[i], &self.transmitted[i]);
        match node.mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => {}
            Mobilizer::Axis { axis, rotation, translation } => {
                let e = link.r_wf * axis;
                let force = rotation * e.dot(&wrench.n) + translation * e.dot(&wrench.f);
                out[node.v] = force - self.joint_forces[node.v].tau;
            }
            Mobilizer::Spherical => self.ball_balance(node.v, &link.r_wf.tr_mul(&wrench.n), out),
            Mobilizer::Free => {
                self.ball_balance(node.v, &link.r_wf.tr_mul(&wrench.n), out);
                self.ball_balance(node.v + 3, &link.r_wf.tr_mul(&wrench.f), out);
            }
        }
    }

    #[inline]
    fn ball_balance(&self, at: usize, force: &crate::math::Vec3, out: &mut [f64]) {
        for k in 0..3 {
            out[at + k] = force[k] - self.joint_forces[at + k].tau;
        }
    }

    /// Force or torque along the axis of a driven mobilizer that its drive must supply.
    #[must_use]
    pub fn drive_force(&self, topology: &Topology, node: usize) -> f64 {
        let Mobilizer::Driven { axis, rotation, translation, .. } = topology.nodes[node].mobilizer else { return 0.0 };
        let e = self.links[node].r_wf * axis;
        rotation * e.dot(&self.transmitted[node].n) + translation * e.dot(&self.transmitted[node].f)
    }
}
