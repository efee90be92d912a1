//! Direct solver for the linearised equations of the spanning forest, with work linear in the number of nodes.
//!
//! The Newton matrix `J = df/dy + c_j df/dy'` is never formed. The subtree of every body is represented by an
//! [`Impedance`], the first-order change of the wrench that the body must transmit per change of its own motion; the
//! unknowns of a mobilizer are eliminated in place. This is the articulated-body recursion (Featherstone 2008, chapter
//! 7) carried from accelerations to the whole linearised residual, so that chains, trees and separate bodies all cost
//! O(n) without fill.

mod closure_system;
mod substitution;

use nalgebra::SMatrix;

use self::closure_system::Closures;
use super::EvaluationPoint;
use super::floating_factor::{FloatingFactor, PositionSlopes};
use super::joint_factor::{JointFactor, JointPoint, Weights, ball_subspace};
use super::loops::Loops;
use super::quaternion_rate::{QuaternionFactor, normalisation_rate};
use super::variation::{Impedance, NO_VARIATION, Transport, Variation};
use crate::force::JointForce;
use crate::linalg::renew;
use crate::math::Vec3;
use crate::newton_euler::{Workspace, quaternion_at};
use crate::spatial::{NodeOrdinal, WORLD, Wrench};
use crate::topology::{Mobilizer, Node, Topology};

/// Which linear system is factorised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum System {
    /// Newton's matrix `df/dy + c_j df/dy'`.
    Newton {
        /// `c_j`.
        c_j: f64,
    },
    /// The mass matrix: unknown accelerations.
    Accelerations,
}

/// Which linear systems a solver is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Purpose {
    /// Newton's matrices.
    Newton,
    /// Mass matrices.
    Accelerations,
}

impl System {
    fn weights(self) -> Weights {
        match self {
            Self::Newton { c_j } => Weights { velocity: 1.0, acceleration: c_j },
            Self::Accelerations => Weights { velocity: 0.0, acceleration: 1.0 },
        }
    }

    /// Change of position per change of velocity for a plain coordinate.
    fn position_per_velocity(self) -> f64 {
        match self {
            Self::Newton { c_j } => 1.0 / c_j,
            Self::Accelerations => 0.0,
        }
    }
}

/// Factors and work arrays; sized for one topology.
#[derive(Debug, Clone)]
pub(super) struct TreeSolver {
    pub(super) system: System,
    num_q: usize,
    /// Impedance of the subtree of every body, during the factorisation.
    pub(super) impedances: Vec<Impedance>,
    /// Between bodies; none where all of them hang on the world.
    transports: Vec<Transport>,
    driven: Vec<JointFactor<0>>,
    axes: Vec<JointFactor<1>>,
    balls: Vec<JointFactor<3>>,
    /// Free bodies whose parent moves; none if there is none.
    frees: Vec<JointFactor<6>>,
    /// Free bodies in the world, in the places of all free bodies.
    floating: Vec<FloatingFactor>,
    /// Per node, in Newton's matrix of a model with balls or free bodies.
    quaternions: Vec<QuaternionFactor>,
    /// Rate \[1/s\] at which the lengths of quaternions return to one.
    normalisation: f64,
    /// Affine force of the subtree, per node, about Bo.
    pub(super) affine: Vec<Wrench>,
    /// Variation of each body after a solve.
    pub(super) variations: Vec<Variation>,
    chi_0: Vec<f64>,
    /// Velocity unknowns of a substitution.
    unknowns: Vec<f64>,
    /// Corrections of velocities that move the positions only.
    pub(super) nu: Vec<f64>,
    /// Multipliers of kinematic loops.
    closures: Closures,
    purpose: Purpose,
}

impl TreeSolver {
    pub fn new(topology: &Topology, loops: &Loops, purpose: Purpose) -> Self {
        let mut solver = Self {
            system: System::Accelerations,
            num_q: 0,
            impedances: Vec::new(),
            transports: Vec::new(),
            driven: Vec::new(),
            axes: Vec::new(),
            balls: Vec::new(),
            frees: Vec::new(),
            floating: Vec::new(),
            quaternions: Vec::new(),
            normalisation: 0.0,
            affine: Vec::new(),
            variations: Vec::new(),
            chi_0: Vec::new(),
            unknowns: Vec::new(),
            nu: Vec::new(),
            closures: Closures::None,
            purpose,
        };
        solver.fit(topology, loops);
        solver
    }

    /// Sizes everything for a topology in the memory that is there. Factors, affine forces and variations keep what
    /// they hold: none is used before a factorisation or a substitution has written it.
    pub fn fit(&mut self, topology: &Topology, loops: &Loops) {
        let n = topology.nodes.len();
        let (mut num, mut carried) = ([0; 4], false);
        let all_on_world = topology.nodes.iter().all(|node| node.parent == WORLD);
        for node in &topology.nodes {
            match node.mobilizer {
                Mobilizer::World => {}
                Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => num[0] += 1,
                Mobilizer::Axis { .. } => num[1] += 1,
                Mobilizer::Spherical => num[2] += 1,
                Mobilizer::Free => num[3] += 1,
            }
            carried |= node.mobilizer == Mobilizer::Free && node.parent != WORLD;
        }
        self.system = System::Accelerations;
        self.num_q = topology.num_q;
        self.transports.resize(if all_on_world { 0 } else { n }, Transport::IDENTITY);
        self.driven.resize(num[0], JointFactor::empty());
        self.axes.resize(num[1], JointFactor::empty());
        self.balls.resize(num[2], JointFactor::empty());
        self.frees.resize(if carried { num[3] } else { 0 }, JointFactor::empty());
        self.floating.resize(num[3], FloatingFactor::empty());
        self.normalisation = normalisation_rate(&topology.scales);
        self.affine.resize(n, Wrench::ZERO);
        self.variations.resize(n, NO_VARIATION);
        renew(&mut self.chi_0, topology.num_v, 0.0);
        renew(&mut self.unknowns, topology.num_v, 0.0);
        renew(&mut self.nu, if topology.closures.is_empty() { 0 } else { topology.num_v }, 0.0);
        self.closures = Closures::new(topology, loops, self.purpose);
    }

    /// Number of stored coefficients that a solve uses: the measure of linear work, independent of the machine.
    pub fn num_nonzeros(&self) -> usize {
        let per_dof = 18 + 18 + 18 + 6 + 6 + 6;
        let chain = 6 * 9 + 3;
        self.axes.len() * (per_dof + 3)
            + self.balls.len() * (3 * per_dof + 3 * 9)
            + self.frees.len() * (6 * per_dof + 3 * 36)
            + self.floating.len() * FloatingFactor::NUM_COEFFICIENTS
            + self.affine.len() * chain
            + self.closures.num_nonzeros()
    }

    /// Starts a factorisation: every body's own impedance.
    pub fn begin(&mut self, topology: &Topology, workspace: &Workspace) {
        self.impedances.resize(topology.nodes.len(), Impedance::ZERO);
        for (i, node) in topology.nodes.iter().enumerate() {
            self.impedances[i] = Impedance::ZERO;
            self.impedances[i].add_body(&node.inertia, &workspace.bodies[i], &topology.gravity);
        }
    }

    /// Eliminates all mobilizers from the leaves to the world. Returns the node whose joint has no inertia, if any.
    pub fn eliminate(
        &mut self,
        system: System,
        topology: &Topology,
        workspace: &Workspace,
        point: &EvaluationPoint<'_>,
    ) -> Result<(), NodeOrdinal> {
        debug_assert_eq!(matches!(system, System::Newton { .. }), self.purpose == Purpose::Newton);
        self.system = system;
        if matches!(system, System::Newton { .. }) && self.balls.len() + self.floating.len() > 0 {
            self.quaternions.resize(topology.nodes.len(), QuaternionFactor::empty());
        }
        for i in (1..topology.nodes.len()).rev() {
            let node = &topology.nodes[i];
            if node.parent != WORLD {
                self.transports[i] = Transport::new(&workspace.bodies[node.parent], &workspace.links[i]);
            }
            let regular = match node.mobilizer {
                Mobilizer::World => true,
                Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => self.eliminate_driven(i, node, workspace),
                Mobilizer::Axis { axis, rotation, translation } => {
                    let e = workspace.links[i].r_wf * axis;
                    self.eliminate_axis(i, node, workspace, e * rotation, e * translation)
                }
                Mobilizer::Spherical => self.eliminate_ball(i, node, workspace, point),
                Mobilizer::Free if node.parent == WORLD => self.eliminate_floating(i, node, workspace, point),
                Mobilizer::Free => self.eliminate_free(i, node, workspace, point),
            };
            if !regular {
                return Err(i);
            }
        }
        Ok(())
    }

    /// Whether all pivots are positive: in a symmetric matrix, whether it is positive definite.
    pub fn is_definite(&self, topology: &Topology) -> bool {
        topology.nodes.iter().all(|node| match node.mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => true,
            Mobilizer::Axis { .. } => self.axes[node.kind_ordinal].is_definite(),
            Mobilizer::Spherical => self.balls[node.kind_ordinal].is_definite(),
            Mobilizer::Free if node.parent == WORLD => self.floating[node.kind_ordinal].is_definite(),
            Mobilizer::Free => self.frees[node.kind_ordinal].is_definite(),
        })
    }

    fn eliminate_driven(&mut self, i: NodeOrdinal, node: &Node, workspace: &Workspace) -> bool {
        let point = JointPoint { er: [], et: [], chi_per_v: SMatrix::zeros(), tau_chi: [], tau_v: [], tau_a: [] };
        let mut factors = std::mem::take(&mut self.driven);
        let regular = self.eliminate_joint(i, node, workspace, &point, &mut factors[node.kind_ordinal]);
        self.driven = factors;
        regular
    }

    fn eliminate_axis(&mut self, i: NodeOrdinal, node: &Node, workspace: &Workspace, er: Vec3, et: Vec3) -> bool {
        let force = joint_force(node, workspace, 0);
        let point = JointPoint {
            er: [er],
            et: [et],
            chi_per_v: SMatrix::<f64, 1, 1>::new(self.system.position_per_velocity()),
            tau_chi: [force.per_position],
            tau_v: [force.per_velocity],
            tau_a: [force.per_acceleration],
        };
        let mut factors = std::mem::take(&mut self.axes);
        let regular = self.eliminate_joint(i, node, workspace, &point, &mut factors[node.kind_ordinal]);
        self.axes = factors;
        regular
    }

    fn eliminate_ball(&mut self, i: NodeOrdinal, node: &Node, workspace: &Workspace, at: &EvaluationPoint<'_>) -> bool {
        let (er, et) = ball_subspace::<3>(&workspace.links[i]);
        let chi_per_v = self.linearize_quaternion(i, node, at);
        let tau_v = velocity_slopes(node, workspace);
        let point = JointPoint { er, et, chi_per_v, tau_chi: [0.0; 3], tau_v, tau_a: [0.0; 3] };
        let mut factors = std::mem::take(&mut self.balls);
        let regular = self.eliminate_joint(i, node, workspace, &point, &mut factors[node.kind_ordinal]);
        self.balls = factors;
        regular
    }

    fn eliminate_free(&mut self, i: NodeOrdinal, node: &Node, workspace: &Workspace, at: &EvaluationPoint<'_>) -> bool {
        let (er, et) = ball_subspace::<6>(&workspace.links[i]);
        let mut chi_per_v = SMatrix::<f64, 6, 6>::identity() * self.system.position_per_velocity();
        let rotation = self.linearize_quaternion(i, node, at);
        chi_per_v.fixed_view_mut::<3, 3>(0, 0).copy_from(&rotation);
        let mut tau_chi = [0.0; 6];
        for k in 3..6 {
            tau_chi[k] = joint_force(node, workspace, k).per_position;
        }
        let point = JointPoint { er, et, chi_per_v, tau_chi, tau_v: velocity_slopes(node, workspace), tau_a: [0.0; 6] };
        let mut factors = std::mem::take(&mut self.frees);
        let regular = self.eliminate_joint(i, node, workspace, &point, &mut factors[node.kind_ordinal]);
        self.frees = factors;
        regular
    }

    fn eliminate_floating(
        &mut self,
        i: NodeOrdinal,
        node: &Node,
        workspace: &Workspace,
        at: &EvaluationPoint<'_>,
    ) -> bool {
        let rotation = self.linearize_quaternion(i, node, at);
        let slopes = PositionSlopes { rotation, translation: self.system.position_per_velocity() };
        let forces = &workspace.joint_forces[node.v..];
        let (r_wf, z) = (&workspace.links[i].r_wf, &self.impedances[i]);
        self.floating[node.kind_ordinal].factor(r_wf, slopes, self.system.weights(), z, forces)
    }

    fn linearize_quaternion(&mut self, i: NodeOrdinal, node: &Node, at: &EvaluationPoint<'_>) -> SMatrix<f64, 3, 3> {
        let System::Newton { c_j } = self.system else { return SMatrix::zeros() };
        let w = Vec3::new(at.v[node.v], at.v[node.v + 1], at.v[node.v + 2]);
        self.quaternions[i].factor(c_j, &quaternion_at(at.q, node.q), &w, self.normalisation);
        self.quaternions[i].rotation_per_velocity()
    }

    #[inline]
    fn eliminate_joint<const N: usize>(
        &mut self,
        i: NodeOrdinal,
        node: &Node,
        workspace: &Workspace,
        point: &JointPoint<N>,
        factor: &mut JointFactor<N>,
    ) -> bool {
        let transmitted = &workspace.transmitted[i];
        let z = self.impedances[i];
        let parent = &workspace.bodies[node.parent];
        if !factor.factor(point, &z, parent, self.system.weights(), &transmitted.f) {
            return false;
        }
        if node.parent != WORLD {
            let r = workspace.links[i].r;
            factor.reduce(&z, &self.transports[i], &r, &transmitted.n, &mut self.impedances[node.parent]);
        }
        true
    }
}

fn joint_force(node: &Node, workspace: &Workspace, k: usize) -> JointForce {
    workspace.joint_forces[node.v + k]
}

fn velocity_slopes<const N: usize>(node: &Node, workspace: &Workspace) -> [f64; N] {
    let mut slopes = [0.0; N];
    for (k, slope) in slopes.iter_mut().enumerate() {
        *slope = joint_force(node, workspace, k).per_velocity;
    }
    slopes
}
