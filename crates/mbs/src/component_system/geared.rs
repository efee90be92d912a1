//! Groups that follow the joints through gears with losses: rigidly, but by an unknown effort, so that they are not
//! part of the joint's group.

use super::network::{Geared, LossyTie, Root, Touched};
use super::system::ComponentSystem;
use crate::scene::ComponentInstance;
use crate::topology::Coordinate;

/// A motion that gears with losses may tie to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GearedMotion {
    /// None: the ground.
    Ground,
    /// A prescribed motion, by its ordinal.
    Prescribed(usize),
    /// A degree of freedom of a joint: its variables of position and velocity.
    Joint { q: usize, v: usize },
    /// A motion of its own: its position among the variables of components; the velocity is the next one.
    Own(usize),
}

/// A motion that follows another one through gears with losses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GearedFollower {
    /// What follows.
    pub motion: GearedMotion,
    /// What it follows, which follows nothing itself.
    pub leader: GearedMotion,
    /// Its position per position of the leader.
    pub ratio: f64,
}

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
        self.lossy_ties = ties;
    }

    /// Motions that follow others through gears with losses, in the present segment. Prescribed motions lead, else
    /// joints do, else the first motion of its own.
    pub(crate) fn geared_followers(&self) -> Vec<GearedFollower> {
        let motion = |group: usize| match self.network.groups[group].root {
            Root::Ground => Some(GearedMotion::Ground),
            Root::Joint(at) => match self.network.touched[at].coordinate? {
                Coordinate::State { q, v } => q.map(|q| GearedMotion::Joint { q, v }),
                Coordinate::Driven { motion } => Some(GearedMotion::Prescribed(motion)),
            },
            Root::Own(at) => Some(GearedMotion::Own(at)),
            Root::Driven(..) => None,
        };
        let rank = |group: usize| match motion(group) {
            // What has no position here, or a velocity that is a signal, leaves its gears their own equations.
            None => 0,
            Some(GearedMotion::Ground | GearedMotion::Prescribed(_)) => 1,
            Some(GearedMotion::Joint { .. }) => 2,
            Some(GearedMotion::Own(_)) => 3,
        };
        let mut leaders: Vec<usize> = (0..self.network.groups.len()).collect();
        leaders.sort_by_key(|group| rank(*group));
        let mut is_known = vec![false; leaders.len()];
        let mut followers = Vec::new();
        for first in leaders {
            if std::mem::replace(&mut is_known[first], true) {
                continue;
            }
            let mut waiting = vec![(first, 1.0)];
            while let Some((at, ratio)) = waiting.pop() {
                for &(_, to, per) in self.lossy_ties.iter().filter(|(from, ..)| *from == at) {
                    // Prescribed motions lead no joint: its position is found.
                    if is_known[to] || rank(first) < 2 && rank(to) == 2 {
                        continue;
                    }
                    is_known[to] = true;
                    waiting.push((to, ratio * per));
                    if let (Some(motion), Some(leader)) = (motion(to), motion(first)) {
                        followers.push(GearedFollower { motion, leader, ratio: ratio * per });
                    }
                }
            }
        }
        followers
    }

    /// Gears with losses as ties between groups, in both directions.
    fn ties(&self, instances: &[ComponentInstance]) -> Vec<LossyTie> {
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
