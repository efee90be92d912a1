//! Groups that follow the joints through gears with losses: rigidly, but by an unknown effort, so that they are not
//! part of the joint's group.

use super::network::{Geared, Root, Touched};
use super::system::ComponentSystem;
use crate::scene::ComponentInstance;

/// The velocity of one group per velocity of another, as a gear with losses requires.
type Tie = (usize, usize, f64);

impl ComponentSystem {
    /// Finds the groups of their own that are tied to joints, through any number of gears.
    pub(super) fn find_geared(&mut self, instances: &[ComponentInstance]) {
        let ties = self.ties(instances);
        let groups = &self.network.groups;
        let mut found: Vec<Geared> = Vec::new();
        for (k, group) in groups.iter().enumerate() {
            let Root::Joint(touched) = group.root else { continue };
            let mut waiting = vec![(k, 1.0)];
            while let Some((at, ratio)) = waiting.pop() {
                for &(from, to, per) in &ties {
                    let is_new = !found.iter().any(|geared| geared.group == to);
                    if from == at && is_new && matches!(groups[to].root, Root::Own(_)) {
                        found.push(Geared { group: to, touched, ratio: ratio * per });
                        waiting.push((to, ratio * per));
                    }
                }
            }
        }
        self.geared = found;
    }

    /// Gears with losses as ties between groups, in both directions.
    fn ties(&self, instances: &[ComponentInstance]) -> Vec<Tie> {
        let mut ties = Vec::new();
        for (block, instance) in self.blocks.iter().zip(instances) {
            for &(a, b, ratio) in &instance.layout.constraints {
                let [a, b] = [a, b].map(|flange| self.network.members[block.flanges.start + flange]);
                let per = ratio * b.ratio / a.ratio;
                ties.extend([(b.group, a.group, per), (a.group, b.group, 1.0 / per)]);
            }
        }
        ties
    }

    /// Joint coordinates that components give inertia, and how much \[kg m²\] or \[kg\]: what moves with them, also
    /// behind gears with losses, which count as without in an impact.
    pub(crate) fn joint_inertias(&self) -> impl Iterator<Item = (&Touched, f64)> {
        let groups = &self.network.groups;
        let inertia = |at: usize| {
            let own = groups.iter().filter(|group| group.root == Root::Joint(at)).map(|group| group.inertia);
            let tied = self.geared.iter().filter(|geared| geared.touched == at);
            own.chain(tied.map(|geared| geared.ratio.powi(2) * groups[geared.group].inertia)).sum::<f64>()
        };
        let all = self.network.touched.iter().enumerate().map(move |(at, touched)| (touched, inertia(at)));
        all.filter(|(_, inertia)| *inertia != 0.0)
    }

    /// Variables of velocities behind gears with losses: ordinal among those of the components, the joint coordinate
    /// that they follow, and their change per change of its velocity.
    pub(crate) fn geared_velocities(&self) -> impl Iterator<Item = (usize, &Touched, f64)> {
        self.geared.iter().filter_map(|geared| match self.network.groups[geared.group].root {
            Root::Own(at) => Some((at + 1, &self.network.touched[geared.touched], geared.ratio)),
            _ => None,
        })
    }
}
