//! Depth of overlapping cores.
//!
//! A polytope inside the Minkowski difference grows where its surface is nearest to the origin (G. van den Bergen,
//! Proximity queries and penetration depth computation on 3D game objects, Game Developers Conference 2001). Its
//! nearest face is a lower bound of the depth, every support plane an upper one. The start need not contain the origin.

use super::active::ActiveSet;
use super::difference::{Difference, Vertex};
use super::gjk::{self, Outcome};
use super::polytope::Polytope;
use super::refine::{basis, refine};
use super::solution::Solution;
use crate::math::Vec3;

/// Gap between the bounds at which the solution is handed to Newton's method, relative to the scale.
const GAP: f64 = 1e-7;
/// Gap that is rounding only, relative to the scale.
const EXACT: f64 = 1e-14;
/// Largest number of faces from which Newton's method is tried when the polytope is full.
const CANDIDATES: usize = 12;
/// How far bodies are moved apart to find the points of a given normal, relative to the scale.
const SHIFT: f64 = 0.1;

/// The deepest points, from a tetrahedron of points of the difference and a known bound. None if the difference has no
/// volume. A known solution (a regular bound) is taken if nothing is deeper.
pub(super) fn search(difference: &Difference, start: &[Vertex; 4], known: &Solution) -> Option<Solution> {
    let mut polytope = Polytope::new(start).or_else(|| Polytope::new(&spread(difference)))?;
    let certified = known.regular.then_some(*known);
    let mut best = Plane { normal: known.normal, depth: -known.distance, active: None, solution: certified };
    let (exact, gap) = (EXACT * difference.scale, GAP * difference.scale);
    loop {
        let (face, normal, lower) = polytope.nearest()?;
        let vertex = difference.support(&normal);
        let upper = normal.dot(&vertex.w);
        if upper < best.depth {
            best = Plane { normal, depth: upper, active: active_set(&polytope, face), solution: None };
        }
        if lower > best.depth + exact {
            return Some(cut_off(difference, &polytope, &best));
        }
        if upper - lower <= exact {
            return Some(on_face(difference, &polytope, face, &normal, upper));
        }
        if polytope.corners(face).iter().any(|(corner, _)| corner.w == vertex.w) {
            // A sliver, whose normal is rounding: its own corner is far from its plane.
            polytope.discard(face);
            continue;
        }
        if best.depth - lower <= gap {
            let deepest = |active| deepest(difference, &best.normal, &active, best.depth + exact);
            let refined = best.solution.or_else(|| best.active.and_then(deepest));
            if refined.is_some() {
                return refined;
            }
        }
        if best.depth - lower <= exact || !polytope.insert(face, vertex, exact) {
            return Some(cut_off(difference, &polytope, &best));
        }
    }
}

/// The solution on a face that is on the boundary of the difference.
fn on_face(difference: &Difference, polytope: &Polytope, face: usize, normal: &Vec3, depth: f64) -> Solution {
    let exact = EXACT * difference.scale;
    let active = active_set(polytope, polytope.under_origin(face, exact));
    let refined = active.and_then(|active| deepest(difference, normal, &active, depth + exact));
    refined.unwrap_or_else(|| at_normal(difference, normal))
}

/// The support plane nearest to the origin so far.
struct Plane {
    normal: Vec3,
    depth: f64,
    /// The pieces of the face it came from.
    active: Option<ActiveSet>,
    /// The solution if it is one already.
    solution: Option<Solution>,
}

fn active_set(polytope: &Polytope, face: usize) -> Option<ActiveSet> {
    ActiveSet::of(polytope.corners(face).iter().map(|(vertex, weight)| (*vertex, *weight)))
}

/// Newton's method; only a depth that is not greater than the best bound is of use.
fn deepest(difference: &Difference, n: &Vec3, active: &ActiveSet, largest: f64) -> Option<Solution> {
    refine(difference, n, active).filter(|solution| -solution.distance <= largest)
}

/// The polytope is full, because many directions are nearly equally good: the best that Newton's method finds from the
/// best plane and from the nearest faces.
fn cut_off(difference: &Difference, polytope: &Polytope, best: &Plane) -> Solution {
    let mut solution = best.solution;
    let mut consider = |n: &Vec3, active: Option<ActiveSet>| {
        let largest = solution.map_or(best.depth + EXACT * difference.scale, |known| -known.distance);
        let candidate = active.and_then(|active| deepest(difference, n, &active, largest));
        solution = candidate.or(solution);
    };
    let support = difference.support(&best.normal);
    consider(&best.normal, best.active);
    consider(&best.normal, ActiveSet::of([(&support, 1.0)].into_iter()));
    for (face, normal) in polytope.faces_below(best.depth).take(CANDIDATES) {
        consider(&normal, active_set(polytope, face));
    }
    solution.unwrap_or_else(|| at_normal(difference, &best.normal))
}

/// The nearest points of the bodies for a known normal: those of the bodies moved apart along it.
fn at_normal(difference: &Difference, normal: &Vec3) -> Solution {
    let height = normal.dot(&difference.support(normal).w);
    let shift = normal * (SHIFT * difference.scale + height.max(0.0));
    let apart = Difference { offset: difference.offset + shift, ..*difference };
    let (Outcome::Apart(found) | Outcome::Overlap(found)) = gjk::search(&apart, normal);
    let n = found.normal;
    let distance = -n.dot(&difference.support(&n).w);
    let is_best = distance >= -height - EXACT * difference.scale;
    let (n, distance) = if is_best { (n, distance) } else { (*normal, -height) };
    let refined = found.active.and_then(|active| deepest(difference, &n, &active, height + EXACT * difference.scale));
    if let Some(solution) = refined {
        return solution;
    }
    let regular = found.regular && is_best && (n - normal).norm() <= 1e-12;
    let solution = Solution::balanced(n, distance, found.a, found.b - shift);
    Solution { active: found.active, regular, ..solution }
}

/// Four support points that are not in a plane, if the difference has a volume: each one as far as possible from the
/// point, line or plane of those before it.
fn spread(difference: &Difference) -> [Vertex; 4] {
    let first = difference.support(&Vec3::x());
    let farther = |directions: &[Vec3], measure: &dyn Fn(&Vec3) -> f64| {
        let candidates = directions.iter().flat_map(|n| [difference.support(n), difference.support(&-n)]);
        candidates.fold(first, |best, other| if measure(&other.w) > measure(&best.w) { other } else { best })
    };
    let second = farther(&[Vec3::x(), Vec3::y(), Vec3::z()], &|w| (w - first.w).norm());
    let line = (second.w - first.w).try_normalize(0.0).unwrap_or(Vec3::x());
    let third = farther(&basis(&line), &|w| (w - first.w).cross(&line).norm());
    let normal = line.cross(&(third.w - first.w)).try_normalize(0.0).unwrap_or(Vec3::z());
    let fourth = farther(&[normal], &|w| (w - first.w).dot(&normal).abs());
    [first, second, third, fourth]
}
