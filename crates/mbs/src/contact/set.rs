//! Which pairs are in contact.
//!
//! The paper finds changes with two root functions (eq. 12): the largest distance of the pairs in contact and the
//! smallest one of all others. Here every pair is watched by itself, with the same hysteresis, so that most changes
//! need no restart; this set holds the result.
//!
//! **Hysteresis.** Between two events pairs enter at a penetration of `2 eps` and leave at distance zero. At an event a
//! pair that is not in contact enters when `dist < -eps`; a pair in contact stays while `dist < -eps / 100`, and a pair
//! at rest, whose contact an equilibrium found, enters there, too. The paper
//! lets a pair in contact stay only while `dist < -eps`; that would drop, at every event elsewhere, light bodies that
//! rest on each other with a smaller penetration (a steel ball of 1 g sinks in by 4 nm), and start their contact anew.

use std::collections::BTreeMap;

use super::{ContactConstants, ContactHistory};
use crate::math::Scales;
use serde::{Deserialize, Serialize};

/// A pair of shapes (or of convex parts of shapes), the one with the smaller number first: it is A, the other is B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PairId {
    /// Number of A.
    pub a: u32,
    /// Number of B.
    pub b: u32,
}

impl PairId {
    /// The pair of two shapes in either order.
    #[must_use]
    pub fn new(i: u32, j: u32) -> Self {
        Self { a: i.min(j), b: i.max(j) }
    }
}

impl From<(u32, u32)> for PairId {
    fn from((i, j): (u32, u32)) -> Self {
        Self::new(i, j)
    }
}

/// A shape on ground that consists of pieces: those that touch it carry it together, so that all these pairs have the
/// same constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroundPair {
    /// Number of the shape.
    pub shape: u32,
    /// Number of the object whose surface is the ground.
    pub ground: u32,
}

/// What is known of a candidate pair at an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairDistance {
    /// The pair.
    pub pair: PairId,
    /// Signed distance \[m\], negative = penetration.
    pub dist: f64,
    /// Approach velocity \[m/s\], positive when approaching.
    pub delta_dot: f64,
}

/// A pair in contact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ActiveContact {
    /// The pair.
    pub pair: PairId,
    /// Its law, frozen at the start of the contact.
    pub constants: ContactConstants,
    /// When the contact started \[s\].
    pub t_start: f64,
    /// Approach velocity for which the law was frozen: that at the start of the contact, of the last strike, or of a
    /// calmer motion since \[m/s\].
    pub delta_dot_minus: f64,
    /// What happened since it began.
    pub history: ContactHistory,
}

impl ActiveContact {
    /// A contact is struck again when its approach velocity exceeds this multiple of the one its constants are for.
    pub(crate) const STRIKE_RATIO: f64 = 2.0;

    /// Rounding of the time at which a strike is located may cost this fraction of the velocity.
    const STRIKE_ROUNDING: f64 = 0.95;

    /// Approach velocity \[m/s\] from which on a contact frozen for `speed` \[m/s\] is struck again. It is never below
    /// the velocity under which the law is regularised.
    pub(crate) fn strike_velocity(constants: &ContactConstants, speed: f64) -> f64 {
        Self::STRIKE_RATIO * speed.max(constants.v_min)
    }

    fn is_struck_at(&self, delta_dot: f64) -> bool {
        delta_dot > Self::STRIKE_ROUNDING * Self::strike_velocity(&self.constants, self.delta_dot_minus)
    }
}

/// Penetration at which contacts start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hysteresis {
    /// Half of the penetration \[m\] at which a contact starts; positive.
    pub eps: f64,
    /// Largest ratio of approach velocity to penetration of a pair at rest \[1/s\].
    pub still: f64,
}

impl Default for Hysteresis {
    fn default() -> Self {
        Self::of(&Scales::SI)
    }
}

impl Hysteresis {
    /// Half of the penetration at which a contact starts, relative to the scale of length: the paper's 1e-8 m.
    const EPS: f64 = 1e-8;

    /// Distance at which a search within a step is near its end, relative to `eps`.
    const SEARCH_DISTANCE: f64 = 10.0;

    /// Penetration at which a contact that is searched for has begun, relative to that distance: more than `eps`, with
    /// which contacts start at an event.
    const SEARCH_PENETRATION: f64 = 0.15;

    /// Distance that counts as touching where the time of a contact is predicted, relative to `eps`.
    const PREDICTION_GAP: f64 = 1e-4;

    /// Time in which pairs at rest do not move by their penetration, relative to the scale of time: many periods of
    /// contacts as light as that.
    const TIME_AT_REST: f64 = 1e-3;

    /// Fraction of `eps` by which a pair in contact must still be penetrated at an event to stay in contact.
    const REMAINING_PENETRATION: f64 = 0.01;

    /// The thresholds of a model.
    #[must_use]
    pub fn of(scales: &Scales) -> Self {
        Self { eps: Self::EPS * scales.length, still: 1.0 / (Self::TIME_AT_REST * scales.time) }
    }

    /// Penetration \[m\] at which a contact that is searched for within a step has begun.
    #[must_use]
    pub(crate) fn search_penetration(&self) -> f64 {
        Self::SEARCH_PENETRATION * self.search_distance()
    }

    /// Distance \[m\] at which a search is near its end.
    #[must_use]
    pub(crate) fn search_distance(&self) -> f64 {
        Self::SEARCH_DISTANCE * self.eps
    }

    /// Distance \[m\] that counts as touching where the time of a contact is predicted.
    #[must_use]
    pub(crate) fn prediction_gap(&self) -> f64 {
        Self::PREDICTION_GAP * self.eps
    }

    /// Penetration \[m\] at which a contact counts as begun.
    #[must_use]
    pub fn start_penetration(&self) -> f64 {
        2.0 * self.eps
    }

    /// Whether a pair is in contact that approaches with `delta_dot` \[m/s\]: one that was and does not part rests as
    /// lightly as it may.
    fn is_in_contact(&self, dist: f64, delta_dot: f64, was_in_contact: bool) -> bool {
        let threshold = match was_in_contact {
            true if delta_dot >= 0.0 => 0.0,
            true => Self::REMAINING_PENETRATION * self.eps,
            false if delta_dot.abs() < self.still * -dist => Self::REMAINING_PENETRATION * self.eps,
            false => self.eps,
        };
        dist < -threshold
    }
}

/// Pairs whose contact started or ended at an event, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContactChanges {
    /// Pairs that came into contact.
    pub started: Vec<PairId>,
    /// Pairs that separated.
    pub ended: Vec<PairId>,
    /// Pairs in contact that were struck, and got new constants.
    pub struck: Vec<PairId>,
}

impl ContactChanges {
    /// Whether the set is as before.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.started.is_empty() && self.ended.is_empty() && self.struck.is_empty()
    }
}

/// The active contacts; constant between two events, part of the saved state.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactSet {
    hysteresis: Hysteresis,
    /// Sorted by pair.
    active: Vec<ActiveContact>,
}

impl Clone for ContactSet {
    fn clone(&self) -> Self {
        Self { hysteresis: self.hysteresis, active: self.active.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.hysteresis = other.hysteresis;
        self.active.clone_from(&other.active);
    }
}

impl ContactSet {
    /// A set without contacts.
    #[must_use]
    pub fn new(hysteresis: Hysteresis) -> Self {
        Self { hysteresis, active: Vec::new() }
    }

    /// Active contacts, sorted by pair.
    #[must_use]
    pub fn active(&self) -> &[ActiveContact] {
        &self.active
    }

    /// The contact of a pair, if it is active.
    #[must_use]
    pub fn find(&self, pair: PairId) -> Option<&ActiveContact> {
        let index = self.active.binary_search_by_key(&pair, |contact| contact.pair).ok()?;
        Some(&self.active[index])
    }

    /// Updates at an event which pairs are in contact. Contacts that continue keep their constants.
    ///
    /// `observations`: the candidate pairs, sorted by pair; pairs that are not listed are not in contact. `on_ground`
    /// says which pairs have their constants together with others, `freeze` makes the constants of a contact that starts
    /// with the given approach velocity \[m/s\].
    ///
    /// # Errors
    /// The first error of `freeze`; the set is then unchanged.
    pub fn update<E>(
        &mut self,
        t: f64,
        observations: &[PairDistance],
        on_ground: impl Fn(PairId) -> Option<GroundPair>,
        mut freeze: impl FnMut(PairId, f64) -> Result<ContactConstants, E>,
    ) -> Result<ContactChanges, E> {
        let mut changes = ContactChanges::default();
        let mut next = Vec::with_capacity(self.active.len());
        let touches =
            |at: &&PairDistance| self.hysteresis.is_in_contact(at.dist, at.delta_dot, self.find(at.pair).is_some());
        // The fastest approach of a shape to its ground, also to a piece that has only begun to carry it.
        let mut fastest = BTreeMap::<GroundPair, f64>::new();
        for at in observations.iter().filter(|at| at.dist < 0.0) {
            if let Some(pair) = on_ground(at.pair) {
                let speed = fastest.entry(pair).or_insert(at.delta_dot);
                *speed = speed.max(at.delta_dot);
            }
        }
        let mut carried = BTreeMap::<GroundPair, &ActiveContact>::new();
        for contact in self.active.iter().filter(|_| !fastest.is_empty()) {
            if let Some(pair) = on_ground(contact.pair) {
                carried.entry(pair).or_insert(contact);
            }
        }
        for &PairDistance { pair, delta_dot, .. } in observations.iter().filter(touches) {
            let before = self.find(pair);
            let ground = on_ground(pair);
            let delta_dot = ground.and_then(|ground| fastest.get(&ground).copied()).unwrap_or(delta_dot);
            let beside = ground.and_then(|ground| carried.get(&ground)).filter(|own| !own.is_struck_at(delta_dot));
            let contact = match before {
                Some(contact) if contact.is_struck_at(delta_dot) => {
                    changes.struck.push(pair);
                    let bristle = contact.constants.bristle;
                    ActiveContact {
                        constants: ContactConstants { bristle, ..freeze(pair, delta_dot)? },
                        delta_dot_minus: delta_dot,
                        history: ContactHistory::default(),
                        ..*contact
                    }
                }
                Some(contact) => *contact,
                None if let Some(beside) = beside => {
                    changes.started.push(pair);
                    ActiveContact { pair, constants: beside.constants.without_bristle(), t_start: t, ..**beside }
                }
                None => {
                    changes.started.push(pair);
                    ActiveContact {
                        pair,
                        constants: freeze(pair, delta_dot)?,
                        t_start: t,
                        delta_dot_minus: delta_dot,
                        history: ContactHistory::default(),
                    }
                }
            };
            next.push(contact);
        }
        let before = std::mem::replace(&mut self.active, next);
        changes.ended = before.iter().map(|contact| contact.pair).filter(|&pair| self.find(pair).is_none()).collect();
        Ok(changes)
    }

    /// Enters a contact that has begun; one of the same pair is replaced.
    pub fn insert(&mut self, contact: ActiveContact) {
        match self.active.binary_search_by_key(&contact.pair, |active| active.pair) {
            Ok(index) => self.active[index] = contact,
            Err(index) => self.active.insert(index, contact),
        }
    }

    /// Gives a contact other constants, which are for the given speed \[m/s\].
    pub fn replace_constants(&mut self, pair: PairId, constants: ContactConstants, speed: f64) {
        if let Ok(index) = self.active.binary_search_by_key(&pair, |contact| contact.pair) {
            let contact = &mut self.active[index];
            (contact.constants, contact.delta_dot_minus) = (constants, speed);
        }
    }

    /// Lets all pairs of a shape with pieces of one ground have the bound of damping that one of them has.
    pub fn share_bounds(&mut self, on_ground: impl Fn(PairId) -> Option<GroundPair>) {
        let mut bounds = BTreeMap::new();
        for contact in &self.active {
            if let (Some(bound), Some(pair)) = (contact.constants.bound, on_ground(contact.pair)) {
                bounds.entry(pair).or_insert(bound);
            }
        }
        for contact in &mut self.active {
            if let Some(bound) = on_ground(contact.pair).and_then(|pair| bounds.get(&pair)) {
                contact.constants.bound = Some(*bound);
            }
        }
    }

    /// Records the histories of contacts, sorted by pair.
    pub fn set_histories<'a>(&mut self, histories: impl Iterator<Item = (PairId, &'a ContactHistory)>) {
        let mut active = self.active.iter_mut().peekable();
        for (pair, history) in histories {
            while active.next_if(|contact| contact.pair < pair).is_some() {}
            if let Some(contact) = active.next_if(|contact| contact.pair == pair) {
                contact.history = *history;
            }
        }
    }

    /// Removes the contact of a pair.
    pub fn remove(&mut self, pair: PairId) {
        self.active.retain(|contact| contact.pair != pair);
    }

    /// Renumbers the pairs for a new segment; pairs that become `None` are dropped without an event.
    pub fn remap(&mut self, mut renumber: impl FnMut(PairId) -> Option<PairId>) {
        self.active.retain_mut(|contact| match renumber(contact.pair) {
            Some(pair) => {
                contact.pair = pair;
                true
            }
            None => false,
        });
        self.active.sort_by_key(|contact| contact.pair);
    }
}
