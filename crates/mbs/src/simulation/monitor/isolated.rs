//! Shapes that prescribed motions keep away from all others.
//!
//! Bounds of a motion give a *room* that a shape does not leave in the next step. When no other shape comes there, what
//! the motion is like does not matter: neither does it limit the step, nor are its pairs looked at.

use super::near::{Near, NearList, Status};
use crate::broad_phase::Aabb;
use crate::contact::PairId;
use crate::topology::Topology;

/// Shapes that meet no other in the next step.
#[derive(Debug, Clone, Default)]
pub(super) struct IsolatedShapes {
    /// Rooms of shapes that follow prescribed motions alone, sorted by shape.
    rooms: Vec<(usize, Aabb)>,
    /// By shape.
    is_aloof: Vec<bool>,
}

impl IsolatedShapes {
    /// Whether a shape meets no other.
    pub fn is(&self, shape: usize) -> bool {
        self.is_aloof.get(shape).is_some_and(|is_aloof| *is_aloof)
    }

    /// Whether a pair need not be looked at: contacts that have not been seen to end yet are looked at always.
    pub fn can_skip(&self, pair: PairId, near: Option<&Near>) -> bool {
        let [a, b] = [pair.a, pair.b].map(|shape| self.is(shape as usize));
        (a || b) && !near.is_some_and(|near| matches!(near.status, Status::Engaged(_)))
    }

    /// Whether a shape has a room, so that its box in the list of near pairs says nothing about it.
    pub fn has_room(&self, shape: usize) -> bool {
        self.room(shape).is_some()
    }

    fn room(&self, shape: usize) -> Option<&Aabb> {
        let at = self.rooms.binary_search_by_key(&shape, |(known, _)| *known).ok()?;
        Some(&self.rooms[at].1)
    }

    /// Lends the memory of the rooms.
    pub fn take(&mut self) -> Vec<(usize, Aabb)> {
        let mut rooms = std::mem::take(&mut self.rooms);
        rooms.clear();
        rooms
    }

    /// Finds out which shapes meet no other while those with rooms stay in them, and the others in their boxes.
    pub fn find(&mut self, topology: &Topology, list: &NearList, rooms: Vec<(usize, Aabb)>) {
        self.rooms = rooms;
        self.is_aloof.clear();
        self.is_aloof.resize(topology.shapes.len(), false);
        for (shape, _) in &self.rooms {
            self.is_aloof[*shape] = true;
        }
        self.confirm(topology, list);
    }

    /// The same again for new boxes of the others; shapes that were not aloof do not become so.
    pub fn confirm(&mut self, topology: &Topology, list: &NearList) {
        for k in 0..self.rooms.len() {
            let (shape, room) = self.rooms[k];
            self.is_aloof[shape] = self.is_aloof[shape] && !self.meets(shape, &room, topology, list);
        }
    }

    /// Whether another shape that a shape may collide with comes into its room.
    fn meets(&self, shape: usize, room: &Aabb, topology: &Topology, list: &NearList) -> bool {
        let comes = |other: usize| room.is_near(self.room(other).unwrap_or(&list.boxes[other]), 0.0);
        let allows = |other: usize| topology.collision_filter.allows(shape as u32, other as u32);
        (0..topology.shapes.len()).any(|other| comes(other) && allows(other))
    }

    /// Trusts none any more.
    pub fn clear(&mut self) {
        self.rooms.clear();
        self.is_aloof.clear();
    }
}
