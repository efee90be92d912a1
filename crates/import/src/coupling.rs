//! Joints that follow other joints.
//!
//! Rigid gears couple what turns with one joint, not two independent joints. So a gear gives the follower a flange with
//! the motion of the leader, and a clutch that never slips holds that to the leader.

use mbs::declaration::Location;

use crate::document::{Document, Keys};
use crate::names::Names;

/// Capacity of the clutch: more than any robot \[N m\], \[N\].
const LIMIT: f64 = 1e9;

/// Which joint follows which.
pub(crate) struct Coupling<'a> {
    pub follower: &'a str,
    pub leader: &'a str,
    /// Velocity of the follower per velocity of the leader.
    pub ratio: f64,
    /// Whether the leader moves along its axis.
    pub leader_slides: bool,
}

/// Adds the components that make a joint follow another one.
pub(crate) fn couple(coupling: &Coupling, name: &str, origin: Location, document: &mut Document, names: &mut Names) {
    let gear = names.invent(name);
    let hold = names.invent(&format!("{gear}_hold"));
    let keys = Keys::new().with("type", "gear").with("a", coupling.follower).with("ratio", coupling.ratio);
    document.add("components", &gear, keys, origin);
    let mut keys = Keys::new()
        .with("type", "clutch")
        .with("a", format!("{gear}.b"))
        .with("b", coupling.leader)
        .with("u", 1.0)
        .with("sliding", LIMIT);
    if coupling.leader_slides {
        keys.set("motion", "translation");
    }
    document.add("components", &hold, keys, origin);
}
