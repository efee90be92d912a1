//! Start values of components that contradict each other.

use super::holder::Holder;
use super::system::ComponentSystem;
use crate::scene::Scene;
use crate::topology::Topology;

/// Start values may differ by this much, relative to one more than their size.
const START_AGREEMENT: f64 = 1e-6;

impl ComponentSystem {
    /// What contradicts itself at the point of the last evaluation, at which a run starts: a start value of a flange
    /// and the motion of what it is rigidly connected with, or both sides of a gear.
    pub(crate) fn contradicting_start(&self, scene: &Scene) -> Option<String> {
        self.contradicting_value(scene).or_else(|| self.contradicting_sides(scene))
    }

    fn contradicting_value(&self, scene: &Scene) -> Option<String> {
        for (block, instance) in self.blocks.iter().zip(&scene.components) {
            for (k, flange) in instance.layout.flanges.iter().enumerate() {
                let motion = self.flanges[block.flanges.start + k];
                let group = &self.network.groups[self.network.members[block.flanges.start + k].group];
                for (order, found) in [motion.position, motion.velocity].into_iter().enumerate() {
                    let (given, [name, unit]) = (flange.start[order], quantity_names(flange.translates, order));
                    if !flange.given[order] || agree(given, found) {
                        continue;
                    }
                    return Some(format!(
                        "component `{}` starts with {name} = {given} {unit}, but it is rigidly connected with `{}`, whose start gives it \
                         {name} = {found} {unit}; leave one of the start values out, or make them agree",
                        block.path, group.name
                    ));
                }
            }
        }
        None
    }

    fn contradicting_sides(&self, scene: &Scene) -> Option<String> {
        for (block, instance) in self.blocks.iter().zip(&scene.components) {
            for &(a, b, ratio) in &instance.layout.constraints {
                let sides = [a, b].map(|flange| self.flanges[block.flanges.start + flange]);
                let values = [sides.map(|side| side.position), sides.map(|side| side.velocity)];
                for (order, [a, b]) in values.into_iter().enumerate() {
                    if !agree(a, ratio * b) {
                        let what = ["position", "velocity"][order];
                        return Some(format!(
                            "component `{}`: at the start, the {what} of `a` is {a} and that of `b` is {b}, but the gear asks for {ratio} times \
                             the latter ({}); choose start values that fit",
                            block.path,
                            ratio * b
                        ));
                    }
                }
            }
        }
        None
    }

    /// Gears with losses that close a circle hold their sides together like brakes, with redundant equations. So do the
    /// mechanisms with loops between them, whose joints count as one, also if attachments close these loops later. All
    /// other gears keep their own equations.
    pub(super) fn keep_holders(&mut self, scene: &Scene, topology: &Topology) {
        let mechanisms = self.mechanisms_with_loops(topology);
        let network = &self.network;
        let node = |flange: usize| {
            let group = network.members[flange].group;
            if network.is_given(group) { network.groups.len() } else { group }
        };
        let mut label: Vec<usize> = (0..=network.groups.len()).collect();
        for (k, mechanism) in mechanisms.iter().enumerate().filter(|(_, mechanism)| mechanism.is_some()) {
            label[k] = mechanisms.iter().position(|other| other == mechanism).unwrap_or(k);
        }
        let mut closes = vec![false; label.len()];
        for (block, instance) in self.blocks.iter().zip(&scene.components) {
            for &(a, b, _) in &instance.layout.constraints {
                let [a, b] = [a, b].map(|flange| label[node(block.flanges.start + flange)]);
                if a == b {
                    closes[a] = true;
                } else {
                    let merged = closes[a] || closes[b];
                    label.iter_mut().filter(|label| **label == b).for_each(|label| *label = a);
                    closes[a] = merged;
                }
            }
        }
        let may_change = scene.lockable_frames().next().is_some();
        let is_needed = |holder: &Holder| {
            let (block, instance) = (&self.blocks[holder.block], &scene.components[holder.block]);
            let mut constraints = instance.layout.constraints.iter();
            instance.layout.constraints.is_empty()
                || may_change
                || constraints.any(|&(a, ..)| closes[label[node(block.flanges.start + a)]])
        };
        let needed: Vec<Holder> = self.holders.iter().copied().filter(is_needed).collect();
        self.may_hold = std::mem::replace(&mut self.holders, needed);
        self.rules.truncate(self.holders.len());
    }
}

fn agree(a: f64, b: f64) -> bool {
    (a - b).abs() <= START_AGREEMENT * (1.0 + a.abs().max(b.abs()))
}

/// Name and unit of a start value.
fn quantity_names(translates: bool, order: usize) -> [&'static str; 2] {
    match (translates, order) {
        (false, 0) => ["phi", "rad"],
        (false, _) => ["w", "rad/s"],
        (true, 0) => ["s", "m"],
        (true, _) => ["v", "m/s"],
    }
}
