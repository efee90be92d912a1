//! Efforts of components that hold flanges of mechanisms with loops.
//!
//! Such an effort fixes an acceleration that the loop has fixed already up to one number, and the loop fixes it by an
//! equation between velocities. With the effort as a variable of the integrator the system is of index 2: the
//! integrator finds the effort from differences of velocities, with an error that grows as the step becomes smaller (K.
//! E. Brenan, S. L. Campbell & L. R. Petzold, *Numerical Solution of Initial-Value Problems in Differential-Algebraic
//! Equations*, 1996, section 5.4.2). Motions do not inherit it, but no smaller step passes a test of that error. So
//! these efforts are excluded from the error test. Outputs and the conditions of a release use the efforts that solve
//! the equations of motion, differentiated closures included, for the present positions and velocities.

use super::holder::Holder;
use super::network::Root;
use super::system::ComponentSystem;
use crate::spatial::NodeOrdinal;
use crate::topology::Topology;

/// Least capacity of a component, relative to its typical effort.
const RELEASED: f64 = 1e-3;

impl ComponentSystem {
    /// Variables of efforts that follow from accelerations of mechanisms with loops.
    pub(crate) fn efforts_in_loops(&self) -> impl Iterator<Item = usize> + '_ {
        self.in_loops.iter().map(|holder| self.blocks[holder.block].x.start + holder.unknown)
    }

    /// Number of efforts that follow from accelerations of mechanisms with loops.
    pub(crate) fn num_efforts_in_loops(&self) -> usize {
        self.in_loops.len()
    }

    /// Components that hold mechanisms with loops at present and may release them, each with the variable of its effort
    /// and its capacity, for the point of the last evaluation. A released brake counts with a small capacity.
    pub(crate) fn loads_in_loops<'a>(
        &'a self,
        x: &'a [f64],
        xp: &'a [f64],
        time: f64,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let efforts = self.in_loops.iter().zip(self.efforts_in_loops());
        let may_release = efforts.filter(|(holder, _)| !self.blocks[holder.block].indicators.is_empty());
        may_release.filter_map(move |(holder, effort)| {
            let least = RELEASED * self.blocks[holder.block].nominal[holder.unknown];
            Some((effort, self.holder_capacity(*holder, x, xp, time)?.max(least)))
        })
    }

    /// Finds the components whose efforts follow from accelerations of mechanisms with loops, directly or through other
    /// components that hold.
    pub(crate) fn find_loop_holders(&mut self, topology: &Topology) {
        self.in_loops.clear();
        if topology.closures.is_empty() || self.may_hold.is_empty() {
            return;
        }
        let mut in_loop: Vec<bool> = self.mechanisms_with_loops(topology).iter().map(Option::is_some).collect();
        let groups_of = |holder: &Holder| {
            let flanges = self.blocks[holder.block].flanges.clone();
            self.network.members[flanges].iter().map(|member| member.group)
        };
        let mut left = self.may_hold.clone();
        let mut found = Vec::new();
        while let Some(next) = left.iter().position(|holder| groups_of(holder).any(|group| in_loop[group])) {
            let holder = left.remove(next);
            groups_of(&holder).filter(|&group| !self.network.is_given(group)).for_each(|group| in_loop[group] = true);
            found.push(holder);
        }
        found.sort_unstable_by_key(|holder| holder.block);
        self.in_loops = found;
    }

    /// The mechanism with loops that each group moves with, if it does.
    pub(super) fn mechanisms_with_loops(&self, topology: &Topology) -> Vec<Option<NodeOrdinal>> {
        let mut closed: Vec<NodeOrdinal> = topology.closures.iter().map(|c| topology.component_of(c.leaf)).collect();
        closed.sort_unstable();
        let of_group = |root: &Root| {
            let Root::Joint(at) = *root else { return None };
            let (first, _) = topology.joints[self.network.touched[at].joint.index()].nodes?;
            Some(topology.component_of(first)).filter(|mechanism| closed.binary_search(mechanism).is_ok())
        };
        self.network.groups.iter().map(|group| of_group(&group.root)).collect()
    }
}
