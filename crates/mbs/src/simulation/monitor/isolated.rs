//! Shapes that prescribed motions keep away from all others.
//!
//! Bounds of a motion give a *region* that a shape does not leave in the next step. If no other shape enters the
//! region, the motion does not limit the step, and the pairs of the shape are not evaluated.

use super::near::{Near, NearList, Status};
use crate::broad_phase::Aabb;
use crate::contact::PairId;
use crate::topology::Topology;

/// Shapes that meet no other in the next step.
#[derive(Debug, Clone, Default)]
pub(super) struct IsolatedShapes {
    /// Regions of shapes that follow prescribed motions alone, sorted by shape.
    regions: Vec<(usize, Aabb)>,
    /// By shape.
    is_isolated: Vec<bool>,
}

impl IsolatedShapes {
    /// Whether a shape meets no other.
    pub fn is(&self, shape: usize) -> bool {
        self.is_isolated.get(shape).is_some_and(|is_isolated| *is_isolated)
    }

    /// Whether a pair need not be evaluated. Contacts that have not ended yet are always evaluated.
    pub fn can_skip(&self, pair: PairId, near: Option<&Near>) -> bool {
        let [a, b] = [pair.a, pair.b].map(|shape| self.is(shape as usize));
        (a || b) && !near.is_some_and(|near| matches!(near.status, Status::Engaged(_)))
    }

    /// Whether a shape has a region, which then bounds it instead of its box in the list of near pairs.
    pub fn has_region(&self, shape: usize) -> bool {
        self.region(shape).is_some()
    }

    fn region(&self, shape: usize) -> Option<&Aabb> {
        let at = self.regions.binary_search_by_key(&shape, |(known, _)| *known).ok()?;
        Some(&self.regions[at].1)
    }

    /// Takes the (cleared) list of regions, to reuse its allocation.
    pub fn take(&mut self) -> Vec<(usize, Aabb)> {
        let mut regions = std::mem::take(&mut self.regions);
        regions.clear();
        regions
    }

    /// Determines which shapes meet no other while shapes with regions stay in these, and the others in their boxes.
    pub fn find(&mut self, topology: &Topology, list: &NearList, regions: Vec<(usize, Aabb)>) {
        self.regions = regions;
        self.is_isolated.clear();
        self.is_isolated.resize(topology.shapes.len(), false);
        for (shape, _) in &self.regions {
            self.is_isolated[*shape] = true;
        }
        self.confirm(topology, list);
    }

    /// Repeats the test with new boxes of the other shapes. A shape that was not isolated does not become isolated.
    pub fn confirm(&mut self, topology: &Topology, list: &NearList) {
        for k in 0..self.regions.len() {
            let (shape, region) = self.regions[k];
            self.is_isolated[shape] = self.is_isolated[shape] && !self.meets(shape, &region, topology, list);
        }
    }

    /// Whether another shape with which `shape` may collide enters its region.
    fn meets(&self, shape: usize, region: &Aabb, topology: &Topology, list: &NearList) -> bool {
        let comes = |other: usize| region.is_near(self.region(other).unwrap_or(&list.boxes[other]), 0.0);
        let allows = |other: usize| topology.collision_filter.allows(shape as u32, other as u32);
        (0..topology.shapes.len()).any(|other| comes(other) && allows(other))
    }

    /// Marks no shape as isolated.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.is_isolated.clear();
    }
}
