//! Distance of cores that are apart.
//!
//! The simplex nearest to the origin grows by support points (E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast
//! procedure for computing the distance between complex objects, IEEE Journal on Robotics and Automation 4(2), 1988).
//! Every direction gives a lower bound and every simplex an upper bound of the distance. As soon as the bounds are near
//! each other the pieces that meet at the solution are usually known, and Newton's method takes over.

use super::active::ActiveSet;
use super::difference::{Difference, Vertex};
use super::refine::refine;
use super::simplex::Simplex;
use super::solution::Solution;
use crate::math::Vec3;

/// Largest number of support points.
const ITERATIONS: usize = 100;
/// Distance at which cores are left to the search for overlap, relative to the scale.
const TOUCHING: f64 = 1e-14;
/// Gap between the bounds at which refinement is tried first, relative to the distance, and its reduction for each
/// further attempt.
const FIRST_GAP: f64 = 0.03;
const GAP_FACTOR: f64 = 1e-3;

/// What the search has found.
pub(super) enum Outcome {
    /// The cores are apart, or just touch.
    Apart(Solution),
    /// The cores overlap, or nearly touch; the best bound so far, or if it is regular a solution that may not be the
    /// only one.
    Overlap(Solution),
}

/// Searches from the direction `start` (from A towards B, any length but zero).
pub(super) fn search(difference: &Difference, start: &Vec3) -> Outcome {
    let mut simplex = Simplex::point(difference.support(start));
    let mut best = Bound { normal: start.normalize(), distance: f64::NEG_INFINITY };
    let mut threshold = FIRST_GAP;
    let mut local: Option<Solution> = None;
    for _ in 0..ITERATIONS {
        let nearest = simplex.nearest();
        let upper = nearest.norm();
        if upper <= TOUCHING * difference.scale {
            return Outcome::Overlap(local.unwrap_or_else(|| finish(difference, &best, &simplex)));
        }
        let vertex = best.improve(difference, -nearest / upper);
        let gap = upper - best.distance;
        if gap <= threshold * upper || gap <= threshold * 1e-3 * difference.scale {
            let refined = attempt(difference, &best.normal, &simplex);
            if let Some(solution) = refined.filter(|solution| solution.is_global(difference.scale)) {
                return Outcome::Apart(solution);
            }
            local = refined.or(local);
            threshold = gap / upper * GAP_FACTOR;
        }
        if gap <= 1e-15 * difference.scale || simplex.has(&vertex.w) {
            break;
        }
        match simplex.extended(vertex) {
            None => return Outcome::Overlap(local.unwrap_or_else(|| finish(difference, &best, &simplex))),
            Some(next) if next.nearest().norm_squared() >= upper * upper => break,
            Some(next) => simplex = next,
        }
    }
    let solution = finish(difference, &best, &simplex);
    if solution.distance > 0.0 { Outcome::Apart(solution) } else { Outcome::Overlap(local.unwrap_or(solution)) }
}

/// The largest lower bound of the distance and the direction that gives it.
struct Bound {
    normal: Vec3,
    distance: f64,
}

impl Bound {
    fn improve(&mut self, difference: &Difference, normal: Vec3) -> Vertex {
        let vertex = difference.support(&normal);
        let distance = -normal.dot(&vertex.w);
        if distance > self.distance {
            *self = Bound { normal, distance };
        }
        vertex
    }
}

/// A certified solution; of cores that overlap it may be one of several.
fn attempt(difference: &Difference, normal: &Vec3, simplex: &Simplex) -> Option<Solution> {
    let active = ActiveSet::of(simplex.parts())?;
    refine(difference, normal, &active)
}

/// The result of a search that has ended without a certified solution.
fn finish(difference: &Difference, best: &Bound, simplex: &Simplex) -> Solution {
    let (mut a, mut b) = (Vec3::zeros(), Vec3::zeros());
    for (vertex, weight) in simplex.parts() {
        a += vertex.a * weight;
        b += vertex.b * weight;
    }
    Solution::bound(difference, best.normal, (a, b))
}
