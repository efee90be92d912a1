//! Substitutions with the factors of the forest: inward to the roots, outward to the leaves, for whole right-hand sides
//! and for paths of nodes.

use super::closure_system::Closures;
use super::{System, TreeSolver};
use crate::dynamics::joint_factor::JointFactor;
use crate::dynamics::variation::{NO_VARIATION, Transport, Variation};
use crate::math::Vec3;
use crate::spatial::{NodeOrdinal, WORLD, Wrench};
use crate::topology::{Mobilizer, Node, Topology};

impl TreeSolver {
    /// Solves for the forest alone, without loops: see [`TreeSolver::solve`].
    pub(in crate::dynamics) fn solve_forest(&mut self, topology: &Topology, b: &mut [f64], keep_affine: bool) {
        self.substitute(topology, b, keep_affine, &[]);
    }

    /// As [`TreeSolver::solve`] with no affine forces, but for the positions of the given nodes, ascending, which are
    /// left to [`TreeSolver::solve_again`].
    pub(in crate::dynamics) fn solve_before(&mut self, topology: &Topology, b: &mut [f64], later: &[NodeOrdinal]) {
        match self.closures {
            Closures::None => self.substitute(topology, b, false, later),
            _ => self.solve(topology, b, false),
        }
    }

    /// As [`TreeSolver::solve_forest`], but for the positions of the given nodes, ascending.
    fn substitute(&mut self, topology: &Topology, b: &mut [f64], keep_affine: bool, later: &[NodeOrdinal]) {
        if !keep_affine {
            self.affine.fill(Wrench::ZERO);
        }
        let (b_q, b_v) = match self.system {
            System::Newton { .. } => b.split_at_mut(self.num_q),
            System::Accelerations => b.split_at_mut(0),
        };
        for i in (1..topology.nodes.len()).rev() {
            self.local_positions(&topology.nodes[i], i, b_q);
            self.shift_local_position(&topology.nodes[i], i);
            self.go_inward(&topology.nodes[i], i, b_v);
        }
        let mut later = later.iter().copied().peekable();
        for (i, node) in topology.nodes.iter().enumerate().skip(1) {
            self.go_outward(node, i, b_v);
            if later.next_if_eq(&i).is_none() {
                self.positions(node, i, b_q, b_v);
            }
        }
    }

    /// Corrects a solution `x` for the right-hand side `b` after wrenches have been set in [`TreeSolver::affine`]: in
    /// the trees of the given nodes, which are all nodes of these trees, ascending. With loops, the whole system is
    /// solved again.
    pub(in crate::dynamics) fn solve_again(
        &mut self,
        topology: &Topology,
        b: &[f64],
        x: &mut [f64],
        nodes: &[NodeOrdinal],
    ) {
        if !matches!(self.closures, Closures::None) {
            x.copy_from_slice(b);
            return self.solve(topology, x, true);
        }
        let states = self.num_states(topology);
        let (b_q, b_v) = b[..states].split_at(states - topology.num_v);
        let (x_q, x_v) = x[..states].split_at_mut(states - topology.num_v);
        for &i in nodes.iter().rev() {
            let node = &topology.nodes[i];
            let rows = node.velocities();
            x_v[rows.clone()].copy_from_slice(&b_v[rows]);
            self.go_inward(node, i, x_v);
        }
        for &i in nodes {
            let node = &topology.nodes[i];
            self.go_outward(node, i, x_v);
            if !x_q.is_empty() {
                let rows = node.q..node.q + node.mobilizer.num_q();
                x_q[rows.clone()].copy_from_slice(&b_q[rows]);
            }
            self.positions(node, i, x_q, x_v);
        }
    }

    /// Number of position and velocity rows of the present system.
    pub(in crate::dynamics) fn num_states(&self, topology: &Topology) -> usize {
        match self.system {
            System::Newton { .. } => topology.num_q + topology.num_v,
            System::Accelerations => topology.num_v,
        }
    }

    /// Clears the affine forces and local positions of some nodes.
    pub(in crate::dynamics) fn clear(&mut self, topology: &Topology, nodes: &[NodeOrdinal]) {
        for &i in nodes {
            let node = &topology.nodes[i];
            self.affine[i] = Wrench::ZERO;
            self.chi_0[node.velocities()].fill(0.0);
        }
    }

    /// Solves in place for accelerations whose right-hand side `b_v` is zero but in the trees of the given nodes, which are
    /// all nodes of these trees, parents before children; without loops.
    pub(in crate::dynamics) fn solve_trees(&mut self, topology: &Topology, b_v: &mut [f64], nodes: &[NodeOrdinal]) {
        self.clear(topology, nodes);
        for &i in nodes.iter().rev() {
            self.go_inward(&topology.nodes[i], i, b_v);
        }
        for &i in nodes {
            self.go_outward(&topology.nodes[i], i, b_v);
        }
    }

    /// Adds the change of local position that the corrections of velocities cause.
    #[inline]
    pub(in crate::dynamics) fn shift_local_position(&mut self, node: &Node, i: NodeOrdinal) {
        if self.nu.is_empty() {
            return;
        }
        let per_velocity = self.system.position_per_velocity();
        let (nu, chi) = (&self.nu[node.v..], &mut self.chi_0[node.v..]);
        match node.mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => return,
            Mobilizer::Axis { .. } => return chi[0] += per_velocity * nu[0],
            Mobilizer::Spherical | Mobilizer::Free => {}
        }
        if let System::Newton { .. } = self.system {
            let turn = self.quaternions[i].rotation_per_velocity() * Vec3::new(nu[0], nu[1], nu[2]);
            (0..3).for_each(|k| chi[k] += turn[k]);
            (3..node.mobilizer.num_v()).for_each(|k| chi[k] += per_velocity * nu[k]);
        }
    }

    /// Substitution without right-hand side: inwards along some nodes (descending), outwards along others (ascending).
    pub(in crate::dynamics) fn sweep(&mut self, topology: &Topology, inward: &[NodeOrdinal], outward: &[NodeOrdinal]) {
        let mut b_v = std::mem::take(&mut self.unknowns);
        for &i in outward {
            let node = &topology.nodes[i];
            b_v[node.velocities()].fill(0.0);
        }
        for &i in inward {
            self.go_inward(&topology.nodes[i], i, &mut b_v);
        }
        for &i in outward {
            self.go_outward(&topology.nodes[i], i, &mut b_v);
        }
        self.unknowns = b_v;
    }

    /// Substitution without right-hand side, inwards and outwards along the same nodes (ascending).
    pub(in crate::dynamics) fn sweep_all(&mut self, topology: &Topology, nodes: &[NodeOrdinal]) {
        let mut b_v = std::mem::take(&mut self.unknowns);
        for &i in nodes.iter().rev() {
            let node = &topology.nodes[i];
            b_v[node.velocities()].fill(0.0);
            self.go_inward(node, i, &mut b_v);
        }
        for &i in nodes {
            self.go_outward(&topology.nodes[i], i, &mut b_v);
        }
        self.unknowns = b_v;
    }

    /// Motion of the `relevant` bodies (ascending, closed under parents) of one tree caused by a wrench on one of them,
    /// without loops.
    pub(in crate::dynamics) fn respond_forest(
        &mut self,
        topology: &Topology,
        on: NodeOrdinal,
        wrench: &Wrench,
        relevant: &[NodeOrdinal],
        b_v: &mut [f64],
    ) {
        for &i in relevant {
            let node = &topology.nodes[i];
            self.affine[i] = Wrench::ZERO;
            b_v[node.velocities()].fill(0.0);
            self.chi_0[node.velocities()].fill(0.0);
        }
        self.affine[on] = Wrench { n: -wrench.n, f: -wrench.f };
        let mut i = on;
        while i != WORLD {
            self.go_inward(&topology.nodes[i], i, b_v);
            i = topology.nodes[i].parent;
        }
        for &i in relevant {
            self.go_outward(&topology.nodes[i], i, b_v);
        }
    }

    /// Local positions that follow from the right-hand side of the position equations alone.
    #[inline]
    fn local_positions(&mut self, node: &Node, i: NodeOrdinal, b_q: &[f64]) {
        let System::Newton { c_j } = self.system else { return };
        let chi = &mut self.chi_0[node.velocities()];
        match node.mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => {}
            Mobilizer::Axis { .. } => chi[0] = b_q[node.q] / c_j,
            Mobilizer::Spherical => chi.copy_from_slice(&self.quaternions[i].rotation_of(&b_q[node.q..])),
            Mobilizer::Free => {
                chi[..3].copy_from_slice(&self.quaternions[i].rotation_of(&b_q[node.q..]));
                for k in 0..3 {
                    chi[3 + k] = b_q[node.q + 4 + k] / c_j;
                }
            }
        }
    }

    #[inline]
    fn go_inward(&mut self, node: &Node, i: NodeOrdinal, b_v: &mut [f64]) {
        match node.mobilizer {
            Mobilizer::World => {}
            Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => {
                inward(&self.driven[node.kind_ordinal], node, i, &mut self.affine, &self.chi_0, &self.transports, b_v)
            }
            Mobilizer::Axis { .. } => {
                inward(&self.axes[node.kind_ordinal], node, i, &mut self.affine, &self.chi_0, &self.transports, b_v)
            }
            Mobilizer::Spherical => {
                inward(&self.balls[node.kind_ordinal], node, i, &mut self.affine, &self.chi_0, &self.transports, b_v)
            }
            Mobilizer::Free if node.parent == WORLD => {
                self.floating[node.kind_ordinal].inward(&mut b_v[node.v..], &self.chi_0[node.v..], &self.affine[i]);
            }
            Mobilizer::Free => {
                inward(&self.frees[node.kind_ordinal], node, i, &mut self.affine, &self.chi_0, &self.transports, b_v)
            }
        }
    }

    #[inline]
    fn go_outward(&mut self, node: &Node, i: NodeOrdinal, b_v: &mut [f64]) {
        match node.mobilizer {
            Mobilizer::World => {}
            Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => outward(
                &self.driven[node.kind_ordinal],
                node,
                i,
                &mut self.variations,
                &self.chi_0,
                &self.transports,
                b_v,
            ),
            Mobilizer::Axis { .. } => outward(
                &self.axes[node.kind_ordinal],
                node,
                i,
                &mut self.variations,
                &self.chi_0,
                &self.transports,
                b_v,
            ),
            Mobilizer::Spherical => outward(
                &self.balls[node.kind_ordinal],
                node,
                i,
                &mut self.variations,
                &self.chi_0,
                &self.transports,
                b_v,
            ),
            Mobilizer::Free if node.parent == WORLD => {
                let factor = &self.floating[node.kind_ordinal];
                factor.write_variation(&b_v[node.v..], &self.chi_0[node.v..], &mut self.variations[i]);
            }
            Mobilizer::Free => outward(
                &self.frees[node.kind_ordinal],
                node,
                i,
                &mut self.variations,
                &self.chi_0,
                &self.transports,
                b_v,
            ),
        }
    }

    /// Replaces the position rows by the change of positions.
    #[inline]
    fn positions(&self, node: &Node, i: NodeOrdinal, b_q: &mut [f64], b_v: &[f64]) {
        let System::Newton { c_j } = self.system else { return };
        let velocity = |k: usize| b_v[node.v + k] + self.nu.get(node.v + k).copied().unwrap_or(0.0);
        match node.mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => return,
            Mobilizer::Axis { .. } => return b_q[node.q] = (b_q[node.q] + velocity(0)) / c_j,
            Mobilizer::Spherical | Mobilizer::Free => {}
        }
        self.quaternions[i].solve(&mut b_q[node.q..], &[velocity(0), velocity(1), velocity(2)]);
        for k in 3..node.mobilizer.num_v() {
            let at = node.q + 1 + k;
            b_q[at] = (b_q[at] + velocity(k)) / c_j;
        }
    }
}

#[inline]
fn local<const N: usize>(chi_0: &[f64], at: usize) -> [f64; N] {
    let mut local = [0.0; N];
    local.copy_from_slice(&chi_0[at..at + N]);
    local
}

#[inline]
fn inward<const N: usize>(
    factor: &JointFactor<N>,
    node: &Node,
    i: NodeOrdinal,
    affine: &mut [Wrench],
    chi_0: &[f64],
    transports: &[Transport],
    b_v: &mut [f64],
) {
    let chi = local::<N>(chi_0, node.v);
    let mut rho = [0.0; N];
    factor.inward(&b_v[node.v..node.v + N], &chi, &affine[i], &mut rho);
    if node.parent != WORLD {
        let wrench = factor.force_to_parent(&rho, &chi, &affine[i], &transports[i].arm());
        affine[node.parent].add(&wrench);
    }
    b_v[node.v..node.v + N].copy_from_slice(&rho);
}

#[inline]
fn outward<const N: usize>(
    factor: &JointFactor<N>,
    node: &Node,
    i: NodeOrdinal,
    variations: &mut [Variation],
    chi_0: &[f64],
    transports: &[Transport],
    b_v: &mut [f64],
) {
    let unknown = &mut b_v[node.v..node.v + N];
    let mut z = NO_VARIATION;
    if node.parent != WORLD {
        factor.outward(&variations[node.parent], unknown);
        z = transports[i].apply(&variations[node.parent]);
    }
    factor.add_motion(unknown, &local::<N>(chi_0, node.v), &mut z);
    variations[i] = z;
}
