//! Solvers of mechanics and components together.

use super::branch_coupling::BranchCoupling;
use super::tree_solver::TreeSolver;
use crate::component_system::CoupledSolver;
use crate::topology::{Topology, WELD};

/// Solvers of the combined systems with their work arrays.
#[derive(Debug, Clone)]
pub(super) struct ComponentNewton {
    pub(super) newton: CoupledSolver,
    pub(super) start: CoupledSolver,
    pub(super) free: Vec<f64>,
    pub(super) rows: Vec<f64>,
    pub(super) base: Vec<f64>,
    pub(super) step: Vec<f64>,
    /// Units of the unknowns of a consistent start; 1 for those of components.
    pub(super) units: Vec<f64>,
    /// Variables near the present ones.
    pub(super) moved: Vec<f64>,
}

impl ComponentNewton {
    pub fn num_nonzeros(&self) -> usize {
        self.newton.num_nonzeros()
    }

    pub fn merge_blocks(&mut self) {
        self.newton.merge_blocks();
        self.start.merge_blocks();
    }

    /// Solves Newton's system in place.
    pub fn solve(
        &mut self,
        topology: &Topology,
        branch_coupling: &mut BranchCoupling,
        tree: &mut TreeSolver,
        b: &mut [f64],
    ) {
        let (mechanics, components) = b.split_at_mut(topology.num_variables());
        self.free.copy_from_slice(mechanics);
        branch_coupling.solve(topology, tree, &mut self.free);
        self.newton.solve(&self.free, components);
        if self.newton.acts() {
            self.newton.act(mechanics);
            branch_coupling.solve(topology, tree, mechanics);
        } else {
            mechanics.copy_from_slice(&self.free);
        }
    }

    /// Solves for the change of accelerations and of the components' derivatives and algebraic variables in place.
    pub fn solve_start(&mut self, topology: &Topology, masses: &mut TreeSolver, b: &mut [f64]) {
        let (mechanics, components) = b.split_at_mut(own_part(topology));
        let free = &mut self.free[..mechanics.len()];
        free.copy_from_slice(mechanics);
        masses.solve(topology, free, false);
        self.start.solve(free, components);
        if self.start.acts() {
            self.start.act(mechanics);
            masses.solve(topology, mechanics, false);
        } else {
            mechanics.copy_from_slice(free);
        }
    }
}

/// Units of accelerations, of the multipliers of loops and of the variables of components.
pub(super) fn start_units(topology: &Topology, num_components: usize) -> Vec<f64> {
    let scales = &topology.scales;
    let accelerations = topology.velocity_scales().into_iter().map(|unit| unit / scales.time);
    let multipliers = (0..own_part(topology) - topology.num_v).map(|k| scales.effort_of(k % WELD >= 3));
    accelerations.chain(multipliers).chain(std::iter::repeat_n(1.0, num_components)).collect()
}

/// Number of velocity variables of the mechanics, which precede the variables of components.
pub(super) fn own_part(topology: &Topology) -> usize {
    topology.num_variables() - topology.num_q
}
