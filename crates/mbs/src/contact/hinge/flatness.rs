//! Which corners of a shape lie in the plane of contact, and how far the others are behind it.
//!
//! A frustum has four: the foremost point of each rim, and then the rearmost one of each, which lies in the plane when
//! the whole end does.

use crate::collision::Polyhedron;
use crate::math::Vec3;

use super::placed::Room;
use super::support::{Feature, Support};

/// Height of a corner over the plane of contact that counts as none, relative to the half thickness of the thinner
/// shape.
const FLAT: f64 = 1e-6;

/// The same of a flat end with a rim, which lies down without ever passing through the plane: the height at which it
/// does, and a little more.
const LYING: f64 = 5e-6;
const LYING_ENDS: f64 = 6e-6;

/// Number of the rearmost point of the first rim of a frustum.
const REARMOST: usize = 2;

/// Gap of a support at the flat end of a frustum that counts as none \[m\]; zero for other supports.
#[must_use]
pub fn open_end(rooms: [&Room<'_>; 2], support: &Support, thickness: f64) -> f64 {
    let is_of_polygon =
        |feature: &Feature| matches!(feature, Feature::Point { radius: 0.0, .. } | Feature::Line { radius: 0.0, .. });
    let is_end = |(room, feature): (&Room<'_>, &Feature)| room.shape.frustum().is_some() && is_of_polygon(feature);
    if rooms.into_iter().zip(&support.features).any(is_end) { LYING_ENDS * thickness } else { 0.0 }
}

/// Corners of a shape that lie in the plane of contact, by their numbers; `outward` is its normal there, in W.
#[must_use]
pub fn flat_corners(room: &Room<'_>, outward: &Vec3, thickness: f64) -> Vec<u32> {
    let all = || (0..count(room)).filter_map(|k| Some((k, height(room, outward, k)?)));
    let foremost = all().map(|(_, height)| height).fold(f64::NEG_INFINITY, f64::max);
    let is_flat = |(k, height): &(usize, f64)| {
        let flat = if is_rearmost(room, *k) { LYING_ENDS } else { FLAT };
        foremost - height <= flat * thickness
    };
    all().filter(is_flat).map(|(k, _)| k as u32).collect()
}

/// Least depth \[m\] of the other corners of a shape behind the plane through those that lay in the plane of contact;
/// infinite without others.
#[must_use]
pub fn flatness(room: &Room<'_>, outward: &Vec3, flat: &[u32], thickness: f64) -> f64 {
    let is_flat = |k: usize| flat.binary_search(&(k as u32)).is_ok();
    let (mut front, mut others) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for k in 0..count(room) {
        let Some(height) = height(room, outward, k) else { continue };
        if is_flat(k) {
            front = front.max(height);
        } else {
            others = others.max(height + if is_rearmost(room, k) { LYING * thickness } else { 0.0 });
        }
    }
    if front.is_finite() { front - others } else { f64::INFINITY }
}

/// Leaves those of the corners that lay in the plane of contact which have not left it by a depth \[m\] since.
pub fn keep_flat(room: &Room<'_>, outward: &Vec3, flat: &mut Vec<u32>, left: f64) {
    let height = |k: u32| height(room, outward, k as usize).unwrap_or(f64::NEG_INFINITY);
    let front = flat.iter().map(|k| height(*k)).fold(f64::NEG_INFINITY, f64::max);
    flat.retain(|k| front - height(*k) < left);
}

fn count(room: &Room<'_>) -> usize {
    let frustum = room.shape.frustum().map_or(0, |_| 2 * REARMOST);
    room.shape.polyhedron().map_or(frustum, |own| own.corners().len())
}

fn is_rearmost(room: &Room<'_>, k: usize) -> bool {
    room.shape.frustum().is_some() && k >= REARMOST
}

/// Height of a corner along a direction in W \[m\]; none where there is no such corner.
fn height(room: &Room<'_>, outward: &Vec3, k: usize) -> Option<f64> {
    let n = room.placed.rotation.tr_mul(outward);
    if let Some(own) = room.shape.frustum() {
        let rim = own.rim(k % REARMOST);
        let foremost = n.dot(&rim.foremost(&n));
        return match k < REARMOST {
            true => Some(foremost),
            false => (rim.radius > 0.0).then(|| foremost - rim.rise(&n)),
        };
    }
    room.shape.polyhedron().map_or(&[][..], Polyhedron::corners).get(k).map(|corner| n.dot(corner))
}
