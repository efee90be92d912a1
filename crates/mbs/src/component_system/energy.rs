//! Energy of one-dimensional mechanics.

use super::system::{ComponentSystem, point};
use crate::newton_euler::Energy;

impl ComponentSystem {
    /// Kinetic energy of all inertias of components, potential energy of their springs, for the point of the last
    /// evaluation.
    #[must_use]
    pub fn energy(&self, x: &[f64], xp: &[f64], time: f64) -> Energy {
        let moving = self.network.groups.iter().zip(&self.group_motions);
        let kinetic = moving.map(|(group, motion)| 0.5 * group.inertia * motion.velocity * motion.velocity).sum();
        let stored = |block: &super::system::Block| {
            block.component.stored_energy(&point(block, &self.inputs, &self.flanges, &self.z, x, xp, time))
        };
        Energy { kinetic, potential: self.blocks.iter().filter(|block| !block.flanges.is_empty()).map(stored).sum() }
    }
}
