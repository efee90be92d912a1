//! Efforts of components that hold flanges of mechanisms with loops.
//!
//! Such an effort fixes an acceleration that the loop has fixed already up to one number, and the loop fixes it by an
//! equation between velocities. With the effort as a variable of the integrator the system is of index 2: the integrator
//! finds the effort from differences of velocities, with an error that grows as the step becomes smaller (K. E. Brenan, S. L.
//! Campbell & L. R. Petzold, *Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations*, 1996,
//! section 5.4.2). Motions do not inherit it. A test of that
//! error as strict as that of motions cannot be passed by a smaller step; without any test, long steps of a mechanism at rest
//! would not see a load that changes. So these efforts are tested coarsely.

use super::network::Root;
use super::system::ComponentSystem;
use crate::topology::{NodeOrdinal, Topology};

impl ComponentSystem {
    /// Variables of efforts that follow from accelerations of mechanisms with loops, directly or through other components that
    /// hold.
    pub(crate) fn efforts_in_loops(&self, topology: &Topology) -> Vec<usize> {
        if topology.closures.is_empty() || self.holders.is_empty() {
            return Vec::new();
        }
        let mut in_loop = self.groups_in_loops(topology);
        let groups_of = |holder: usize| {
            let flanges = self.parts[self.holders[holder].part].flanges.clone();
            self.network.members[flanges].iter().map(|member| member.group)
        };
        let holders = 0..self.holders.len();
        let mut is_found = vec![false; self.holders.len()];
        while let Some(next) = holders.clone().find(|&k| !is_found[k] && groups_of(k).any(|group| in_loop[group])) {
            is_found[next] = true;
            groups_of(next).filter(|&group| !self.network.is_given(group)).for_each(|group| in_loop[group] = true);
        }
        holders.filter(|&k| is_found[k]).map(|k| self.effort_of(k)).collect()
    }

    /// Whether each group moves with a joint of a mechanism with loops.
    fn groups_in_loops(&self, topology: &Topology) -> Vec<bool> {
        let mut closed: Vec<NodeOrdinal> = topology.closures.iter().map(|c| topology.component_of(c.leaf)).collect();
        closed.sort_unstable();
        let of_group = |root: &Root| {
            let Root::Joint(at) = *root else { return false };
            let nodes = topology.joints[self.network.touched[at].joint.index()].nodes;
            nodes.is_some_and(|(first, _)| closed.binary_search(&topology.component_of(first)).is_ok())
        };
        self.network.groups.iter().map(|group| of_group(&group.root)).collect()
    }
}
