//! [`distance`]: the signed distance of two shapes.

use super::closed_form;
use super::contact::{Contact, PairCache};
use super::convex_shape::ConvexShape;
use super::core::Core;
use super::difference::Difference;
use super::expansion;
use super::gjk;
use super::portal::{self, Portal};
use super::refine::refine;
use super::solution::Solution;
use crate::math::{Mat3, Pose, Vec3};
use std::cmp::Ordering;

/// Signed distance of two shapes with witness points and normal, in W.
///
/// `x_wa` and `x_wb` are the poses of the shape frames. Exchanging A and B gives the same bits with points exchanged
/// and the normal reversed. All computations are relative to the bodies, so that their distance from the origin of W
/// enters only by the rounding of the poses. Two half-spaces have no distance: the result is infinite and not regular.
///
/// Pairs of sphere, capsule, box, cylinder, cone and beam with a sphere, of capsules, and of anything with a half-space
/// are solved in closed form. For all others the cores' distance is searched by support points and then refined by
/// Newton's method on the pieces that meet at the solution; a result with `regular` apart is proven optimal, and
/// intersecting cores are searched over all directions, to a depth difference of 1e-7 of the size between competing
/// directions.
#[must_use]
pub fn distance(a: &ConvexShape, x_wa: &Pose, b: &ConvexShape, x_wb: &Pose, cache: &mut PairCache) -> Contact {
    if let Some(contact) = of_spheres((a, x_wa), (b, x_wb)) {
        return contact;
    }
    let (a, b) = (a.towards(b), b.towards(a));
    if is_swapped((a, x_wa), (b, x_wb), cache) {
        return ordered(b, x_wb, a, x_wa, cache).mirrored();
    }
    ordered(a, x_wa, b, x_wb, cache)
}

/// Whether the search takes the shapes of a pair in the opposite order. What the cache knows of the other order is
/// forgotten.
fn is_swapped((a, x_wa): (&ConvexShape, &Pose), (b, x_wb): (&ConvexShape, &Pose), cache: &mut PairCache) -> bool {
    let swapped = order(a, x_wa, b, x_wb) == Ordering::Greater;
    if cache.swapped != swapped {
        *cache = PairCache { last: None, swapped };
    }
    swapped
}

/// As [`distance`] where the cores are apart; none where they overlap, which is found out much sooner than how deep.
#[must_use]
pub fn separation(
    a: &ConvexShape,
    x_wa: &Pose,
    b: &ConvexShape,
    x_wb: &Pose,
    cache: &mut PairCache,
) -> Option<Contact> {
    let (a, b) = (a.towards(b), b.towards(a));
    if is_swapped((a, x_wa), (b, x_wb), cache) {
        return Some(separation_in_order(b, x_wb, a, x_wa, cache)?.mirrored());
    }
    separation_in_order(a, x_wa, b, x_wb, cache)
}

fn separation_in_order(
    a: &ConvexShape,
    x_wa: &Pose,
    b: &ConvexShape,
    x_wb: &Pose,
    cache: &mut PairCache,
) -> Option<Contact> {
    if a.is_half_space() && b.is_half_space() {
        return None;
    }
    let (rotation, offset) = relative_pose(a, x_wa, b, x_wb);
    if let Some(solution) = closed_form::solve(&a.core, &b.core, &rotation, &offset) {
        return (solution.distance > 0.0).then(|| in_world(&solution, a, x_wa, b));
    }
    let scale = a.core_extent + b.core_extent + offset.norm();
    let inverse = rotation.transpose();
    let difference = Difference { a: &a.core, b: &b.core, rotation, inverse, offset, scale };
    let known = cache.last.as_ref().and_then(|(normal, active)| refine(&difference, normal, active));
    let solution = known.filter(|known| known.distance > 0.0).or_else(|| {
        let start = if offset.norm_squared() > 0.0 { offset } else { Vec3::x() };
        match gjk::search(&difference, &start) {
            gjk::Outcome::Apart(solution) => Some(solution),
            gjk::Outcome::Overlap(_) => None,
        }
    })?;
    cache.last = solution.active.map(|active| (solution.normal, active));
    Some(in_world(&solution, a, x_wa, b))
}

/// Two spheres that are not concentric. The formulas are symmetric, so that no order of the two is needed.
#[inline]
fn of_spheres((a, x_wa): (&ConvexShape, &Pose), (b, x_wb): (&ConvexShape, &Pose)) -> Option<Contact> {
    if !matches!((&a.core, &b.core), (Core::Point, Core::Point)) {
        return None;
    }
    distance_of_balls([(x_wa.transform(&a.center), a.radius), (x_wb.transform(&b.center), b.radius)])
}

/// As [`distance`] for two spheres with these centres in W \[m\] and radii \[m\]; none if they are concentric.
#[inline(always)]
#[must_use]
pub(crate) fn distance_of_balls([(a, radius_a), (b, radius_b)]: [(Vec3, f64); 2]) -> Option<Contact> {
    let offset = b - a;
    let length = offset.norm();
    if length == 0.0 {
        return None;
    }
    let normal = offset / length;
    let distance = length - (radius_a + radius_b);
    let middle = (a + b + normal * (radius_a - radius_b)) / 2.0;
    let half = normal * (distance / 2.0);
    Some(Contact { distance, point_a: middle - half, point_b: middle + half, normal, regular: true })
}

/// A fixed order of two placed shapes: by kind, and for equal kinds by position and size. The computation follows it,
/// whichever shape is called A.
fn order(a: &ConvexShape, x_wa: &Pose, b: &ConvexShape, x_wb: &Pose) -> Ordering {
    let numbers = |shape: &ConvexShape, pose: &Pose| {
        let (p, r) = (pose.translation, pose.rotation);
        let columns = [r.column(0), r.column(1), r.column(2)].map(|column| [column[0], column[1], column[2]]);
        [[p.x, p.y, p.z], columns[0], columns[1], columns[2], [shape.core_extent, shape.radius, 0.0]]
    };
    a.core.rank().cmp(&b.core.rank()).then_with(|| {
        let (of_a, of_b) = (numbers(a, x_wa), numbers(b, x_wb));
        let mut orders = of_a.iter().flatten().zip(of_b.iter().flatten()).map(|(p, q)| p.total_cmp(q));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    })
}

fn ordered(a: &ConvexShape, x_wa: &Pose, b: &ConvexShape, x_wb: &Pose, cache: &mut PairCache) -> Contact {
    if a.is_half_space() && b.is_half_space() {
        return no_contact();
    }
    let (rotation, offset) = relative_pose(a, x_wa, b, x_wb);
    in_world(&solve(a, b, rotation, offset, cache), a, x_wa, b)
}

/// `R_AB` and `p_AB` of the core frames.
fn relative_pose(a: &ConvexShape, x_wa: &Pose, b: &ConvexShape, x_wb: &Pose) -> (Mat3, Vec3) {
    let inverse_a = x_wa.rotation.transpose();
    let rotation = inverse_a * x_wb.rotation;
    (rotation, inverse_a * (x_wb.translation - x_wa.translation) + rotation * b.center - a.center)
}

fn in_world(solution: &Solution, a: &ConvexShape, x_wa: &Pose, b: &ConvexShape) -> Contact {
    let normal = solution.normal;
    let distance = solution.distance - a.radius - b.radius;
    let middle = (solution.a + solution.b + normal * (a.radius - b.radius)) / 2.0;
    let middle = x_wa.transform(&(a.center + middle));
    let normal = x_wa.rotation * normal;
    let half = normal * (distance / 2.0);
    Contact { distance, point_a: middle - half, point_b: middle + half, normal, regular: solution.regular }
}

fn no_contact() -> Contact {
    let zero = Vec3::zeros();
    Contact { distance: f64::INFINITY, point_a: zero, point_b: zero, normal: Vec3::z(), regular: false }
}

fn solve(a: &ConvexShape, b: &ConvexShape, rotation: Mat3, offset: Vec3, cache: &mut PairCache) -> Solution {
    if let Some(solution) = closed_form::solve(&a.core, &b.core, &rotation, &offset) {
        return solution;
    }
    let scale = a.core_extent + b.core_extent + offset.norm();
    let difference = Difference { a: &a.core, b: &b.core, rotation, inverse: rotation.transpose(), offset, scale };
    let solution = general(&difference, cache);
    cache.last = solution.active.map(|active| (solution.normal, active));
    solution
}

/// The general pair: first where it was last time, then by search.
pub(super) fn general(difference: &Difference, cache: &PairCache) -> Solution {
    let known = cache.last.as_ref().and_then(|(normal, active)| refine(difference, normal, active));
    if let Some(solution) = known.filter(|solution| solution.is_global(difference.scale)) {
        return solution;
    }
    let start = if difference.offset.norm_squared() > 0.0 { difference.offset } else { Vec3::x() };
    let bound = match gjk::search(difference, &start) {
        gjk::Outcome::Apart(solution) => return solution,
        gjk::Outcome::Overlap(bound) => known.filter(|known| known.distance >= bound.distance).unwrap_or(bound),
    };
    let start = match portal::search(difference) {
        Portal::Overlap(start) => start,
        // The two searches disagree: the cores touch but for rounding.
        Portal::Apart(normal) => [normal, -normal, Vec3::x(), Vec3::y()].map(|n| difference.support(&n)),
    };
    expansion::search(difference, &start, &bound).unwrap_or(bound)
}
