//! Response of velocities to impulses: `dv = M^-1 J^T p`, through the tree and with closed loops, in O(n).

use super::component_newton::own_part;
use super::evaluator::factor_closures;
use super::{EvaluationError, EvaluationPoint, Evaluator, Rotor};
use crate::force::{JointForce, Signals};
use crate::spatial::{NodeOrdinal, Wrench};
use crate::topology::Topology;

impl Evaluator {
    /// Factorises the masses at a point, with the inertia of components that turn with velocity variables. Bodies then
    /// move as at that point. Velocities of prescribed motions do not respond to impulses.
    ///
    /// # Errors
    /// [`EvaluationError`] naming a joint without inertia or a loop in a singular configuration.
    pub(crate) fn factor_masses(
        &mut self,
        topology: &Topology,
        EvaluationPoint { q, v }: EvaluationPoint<'_>,
        rotors: &[Rotor],
        signals: &mut Signals,
    ) -> Result<(), EvaluationError> {
        let at_rest = vec![0.0; own_part(topology)];
        self.workspace.drive(topology, signals);
        self.workspace.move_bodies(topology, q, v, &at_rest);
        self.workspace.joint_forces.fill(JointForce::default());
        for rotor in rotors {
            self.workspace.joint_forces[rotor.v].per_acceleration -= rotor.inertia;
        }
        self.eliminate_masses(topology, &EvaluationPoint { q, v })?;
        if self.loops.exist() {
            self.loops.update(topology, &self.workspace);
            factor_closures(&mut self.masses, topology, &self.loops, Some(&[]))?;
        }
        Ok(())
    }

    /// Generalised impulses `J^T p` of impulses on nodes, each about its Bo.
    pub(crate) fn generalized_impulse(&mut self, topology: &Topology, on: &[(NodeOrdinal, Wrench)]) -> Vec<f64> {
        let workspace = &mut self.workspace;
        workspace.transmitted.fill(Wrench::ZERO);
        for (node, wrench) in on {
            workspace.transmitted[*node].add(wrench);
        }
        for i in (1..topology.nodes.len()).rev() {
            let shifted = workspace.transmitted[i].shifted(&workspace.links[i].r);
            workspace.transmitted[topology.nodes[i].parent].add(&shifted);
        }
        workspace.joint_forces.fill(JointForce::default());
        let mut impulse = vec![0.0; own_part(topology)];
        workspace.joint_balance(topology, &mut impulse);
        impulse[topology.num_v..].fill(0.0);
        impulse
    }

    /// As [`Evaluator::velocity_response`] for an impulse in some trees: the given nodes are all of theirs, parents before
    /// children. With loops, everything may answer.
    pub(crate) fn velocity_response_in(
        &mut self,
        topology: &Topology,
        impulse: &[f64],
        nodes: &[NodeOrdinal],
    ) -> Vec<f64> {
        if self.loops.exist() {
            return self.velocity_response(topology, impulse);
        }
        let mut dv = impulse[..topology.num_v].to_vec();
        self.masses.solve_trees(topology, &mut dv, nodes);
        dv
    }

    /// Changes of velocities by a generalised impulse, after [`Evaluator::factor_masses`].
    pub(crate) fn velocity_response(&mut self, topology: &Topology, impulse: &[f64]) -> Vec<f64> {
        let mut dv = impulse.to_vec();
        self.masses.solve(topology, &mut dv, false);
        dv.truncate(topology.num_v);
        dv
    }
}
