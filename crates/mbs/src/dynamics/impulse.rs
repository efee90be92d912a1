//! Response of velocities to impulses: `dv = M^-1 J^T p`, through the tree and with closed loops, in O(n).

use super::component_newton::own_part;
use super::evaluator::factor_closures;
use super::{EvaluationError, EvaluationPoint, Evaluator, Rotor};
use crate::force::{JointForce, Signals};
use crate::spatial::{NodeOrdinal, WORLD, Wrench};
use crate::topology::Topology;

/// The parts of a generalised impulse that are not zero, by velocity variable.
pub(crate) type SparseImpulse = Vec<(usize, f64)>;

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
        let mut impulse = vec![0.0; topology.num_v];
        workspace.joint_balance(topology, &mut impulse);
        impulse
    }

    /// As [`Evaluator::generalized_impulse`] for impulses on two nodes each.
    pub(crate) fn sparse_impulses(
        &mut self,
        topology: &Topology,
        on: impl IntoIterator<Item = [(NodeOrdinal, Wrench); 2]>,
    ) -> Vec<SparseImpulse> {
        let workspace = &mut self.workspace;
        workspace.joint_forces.fill(JointForce::default());
        let (mut impulse, mut path) = (vec![0.0; topology.num_v], Vec::new());
        let mut one = |wrenches: [(NodeOrdinal, Wrench); 2]| {
            path.clear();
            for (mut node, _) in wrenches {
                while node != WORLD {
                    path.push(node);
                    node = topology.nodes[node].parent;
                }
            }
            path.sort_unstable();
            path.dedup();
            path.iter().for_each(|&i| workspace.transmitted[i] = Wrench::ZERO);
            for (node, wrench) in &wrenches {
                workspace.transmitted[*node].add(wrench);
            }
            for &i in path.iter().rev() {
                let shifted = workspace.transmitted[i].shifted(&workspace.links[i].r);
                workspace.transmitted[topology.nodes[i].parent].add(&shifted);
            }
            workspace.transmitted[WORLD] = Wrench::ZERO;
            let mut found = SparseImpulse::new();
            for &i in &path {
                workspace.node_balance(topology, i, &mut impulse);
                let own = topology.nodes[i].velocities();
                found.extend(own.map(|k| (k, impulse[k])).filter(|(_, x)| *x != 0.0));
            }
            found
        };
        on.into_iter().map(&mut one).collect()
    }

    /// Adds to `dv`, which is zero, the changes of velocities by an impulse in some trees without loops: the given nodes are
    /// all of theirs, parents before children.
    pub(crate) fn velocity_response_of_trees(
        &mut self,
        topology: &Topology,
        impulse: &[(usize, f64)],
        nodes: &[NodeOrdinal],
        dv: &mut [f64],
    ) {
        impulse.iter().for_each(|(k, x)| dv[*k] = *x);
        self.masses.solve_trees(topology, dv, nodes);
    }

    /// Changes of velocities by a generalised impulse, after [`Evaluator::factor_masses`].
    pub(crate) fn velocity_response(&mut self, topology: &Topology, impulse: &[f64]) -> Vec<f64> {
        let mut dv = vec![0.0; own_part(topology)];
        dv[..topology.num_v].copy_from_slice(impulse);
        self.masses.solve(topology, &mut dv, false);
        dv.truncate(topology.num_v);
        dv
    }
}
