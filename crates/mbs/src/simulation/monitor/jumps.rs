//! Jumps of contact points between flat faces.
//!
//! Meshes with more than `MOST_FACES` faces touch at one point per pair. Between two faces, or a straight edge and a
//! face, a tiny tilt decides on that point: it jumps from corner to corner, and the force with it. No integrator passes
//! such jumps at a reasonable speed, so they are counted, and the step fails with the names of the pair.

use serde::{Deserialize, Serialize};

use super::shape_motion::RelativeStep;
use crate::contact::{PairCount, PairCounts, PairId};
use crate::math::Vec3;
use crate::spatial::BodyMotion;

/// Number of jumps within [`super::JUMP_WINDOW`] that no tumbling of bodies explains.
const MAX_JUMPS: u32 = 1000;

/// A jump is longer than this fraction of the thinner shape's half thickness ...
const MIN_JUMP: f64 = 0.1;

/// ... and longer than this multiple of the distance by which both shapes could have moved relative to each other.
const MIN_JUMP_OVER_TRAVEL: f64 = 5.0;

/// Jumps of all pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct JumpCounts(PairCounts);

impl JumpCounts {
    /// Copies other counts, reusing allocations.
    pub(in crate::simulation) fn copy_from(&mut self, other: &Self) {
        self.0.copy_from(&other.0);
    }

    /// Counts a jump at time `t` \[s\]; returns the pair when it has jumped too often within `window` \[s\].
    pub fn note(&mut self, pair: PairId, t: f64, window: f64) -> Option<PairCount> {
        let known = self.0.note(pair, t, window);
        if known.count < MAX_JUMPS {
            return None;
        }
        self.0.forget(pair);
        Some(known)
    }

    /// Whether all pairs are those of a model with `shapes` shapes, in order.
    pub fn fits(&self, shapes: usize) -> bool {
        self.0.fits(shapes)
    }
}

/// Whether a contact point \[m\] that was at `points[0]` and is at `points[1]` at the end of a step has jumped, for the
/// motion of the body of A at the end, and half the thickness of the thinner shape \[m\].
pub(super) fn has_jumped(points: [&Vec3; 2], h: f64, a: &BodyMotion, step: &RelativeStep, thickness: f64) -> bool {
    let carried = h * (a.v + a.w.cross(&(points[1] - a.p)));
    (points[1] - points[0] - carried).norm() > MIN_JUMP * thickness + MIN_JUMP_OVER_TRAVEL * step.travel()
}
