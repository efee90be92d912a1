//! When and how fast two shapes will meet.

use super::shape_motion::RelativeStep;
use crate::contact::{ContactConstants, Hysteresis, PairId};
use crate::dynamics::{PairPoint, PairWork, pair_point};
use crate::math::{Vec3, rotation_about};
use crate::spatial::{BodyMotion, WORLD};
use crate::topology::{CollisionShape, Topology};

/// Newton steps of a prediction.
const ITERATIONS: usize = 4;

/// Fraction of the approach velocity that is left after a part of an approach.
const REMAINING_APPROACH: f64 = 0.75;

/// Fraction of the shortest such part of an approach that is allowed for, because shapes may be rounder than they are
/// thin.
const ROUNDNESS_MARGIN: f64 = 0.1;

/// A pair that is apart, and how it moves.
pub(super) struct SeparatedPair<'a> {
    /// The pair now.
    pub now: &'a PairPoint,
    /// Motion of B relative to A from now on.
    pub step: &'a RelativeStep,
    /// Acceleration of B relative to A \[m/s²\].
    pub a_rel: &'a Vec3,
}

/// When and how fast two shapes meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meeting {
    /// Time from now \[s\].
    pub t: f64,
    /// Approach velocity \[m/s\].
    pub speed: f64,
}

/// The meeting of a pair if all bodies keep their accelerations; `None` if it will not within `horizon` \[s\].
pub(super) fn predict(
    topology: &Topology,
    bodies: &[BodyMotion],
    pair: PairId,
    apart: &SeparatedPair<'_>,
    horizon: f64,
    work: &mut PairWork,
) -> Option<Meeting> {
    let SeparatedPair { now, step, a_rel } = *apart;
    let nodes = [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].node);
    work.forget();
    let touching = Hysteresis::of(&topology.scales).prediction_gap();
    let mut t = match step.meeting_in_bore(now) {
        Some(t) => t,
        None => time_to_close(now.dist, now.delta_dot, -a_rel.dot(&now.normal))?,
    };
    let mut at = *now;
    for _ in 0..ITERATIONS {
        if !(0.0..=horizon).contains(&t) {
            return None;
        }
        let moved = nodes.map(|node| extrapolated(&bodies[node], t));
        at = pair_point(topology, [&moved[0], &moved[1]], pair, work);
        if at.dist.abs() <= touching {
            break;
        }
        if at.delta_dot <= 0.0 {
            return None;
        }
        t += at.dist / at.delta_dot;
    }
    // A distance that has a corner in time may have thrown the search back.
    let is_found = at.dist.abs() <= touching || (0.0..=horizon).contains(&t);
    (at.delta_dot > 0.0 && is_found).then_some(Meeting { t, speed: at.delta_dot })
}

/// Longest time \[s\], at most `step`, in which two shapes continue to approach each other after they have met at more
/// than a fraction of their approach velocity, if they coast from then on: shapes that graze each other soon part
/// again.
pub(super) fn longest_approach(
    topology: &Topology,
    bodies: &[BodyMotion],
    pair: PairId,
    Meeting { t, speed }: Meeting,
    mut step: f64,
    work: &mut PairWork,
) -> f64 {
    let shapes = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    let still = Vec3::zeros();
    let coasting =
        |shape: &CollisionShape| BodyMotion { a: still, alpha: still, ..extrapolated(&bodies[shape.node], t) };
    let [a, b] = shapes.map(coasting);
    // With the largest acceleration; that of points that jump is unbounded.
    let shortest = (1.0 - REMAINING_APPROACH) * speed / curving([(shapes[0], &a), (shapes[1], &b)]);
    if step <= shortest || shapes.iter().any(|shape| shape.shape.is_rim()) {
        return step;
    }
    work.forget();
    while step > ROUNDNESS_MARGIN * shortest {
        let moved = [&a, &b].map(|body| extrapolated(body, step));
        if pair_point(topology, [&moved[0], &moved[1]], pair, work).delta_dot >= REMAINING_APPROACH * speed {
            break;
        }
        step *= 0.5;
    }
    step
}

/// About the largest acceleration \[m/s²\] with which shapes leave each other that pass along each other, or turn.
fn curving([a, b]: [(&CollisionShape, &BodyMotion); 2]) -> f64 {
    let turning = |(shape, body): (&CollisionShape, &BodyMotion)| {
        let rate = body.w.norm_squared();
        if rate == 0.0 { 0.0 } else { rate * shape.shape.bounding_radius() }
    };
    (b.1.v - a.1.v).norm_squared() / a.0.thickness.min(b.0.thickness) + turning(a) + turning(b)
}

/// When a gap \[m\] is closed that shrinks with `speed` \[m/s\] and `acceleration` \[m/s²\].
fn time_to_close(gap: f64, speed: f64, acceleration: f64) -> Option<f64> {
    let discriminant = speed * speed + 2.0 * acceleration * gap;
    let denominator = speed + discriminant.max(0.0).sqrt();
    (discriminant >= 0.0 && denominator > 0.0).then(|| 2.0 * gap / denominator)
}

/// A body after a time `t` \[s\] with its present accelerations.
fn extrapolated(body: &BodyMotion, t: f64) -> BodyMotion {
    let turn = body.w * t + body.alpha * (0.5 * t * t);
    let angle = turn.norm();
    let rotation = if angle > 0.0 { rotation_about(&(turn / angle), angle) * body.rotation } else { body.rotation };
    BodyMotion {
        rotation,
        p: body.p + body.v * t + body.a * (0.5 * t * t),
        v: body.v + body.a * t,
        w: body.w + body.alpha * t,
        ..*body
    }
}

/// Expected penetration \[m\] of an impact with the approach velocity `speed` \[m/s\]: Hertz' maximum for the masses of
/// the two bodies alone.
pub(in crate::simulation) fn expected_depth(
    topology: &Topology,
    pair: PairId,
    constants: &ContactConstants,
    speed: f64,
) -> f64 {
    let (n, mass) = (constants.n_geo, effective_mass(topology, pair));
    elementary::pow(0.5 * (n + 1.0) * speed * speed * mass / constants.stiffness, 1.0 / (n + 1.0))
}

/// Mass \[kg\] with which two bodies alone meet each other; infinite when neither has one of its own to move.
pub(in crate::simulation) fn effective_mass(topology: &Topology, pair: PairId) -> f64 {
    let inverse_mass = |shape: u32| {
        let node = topology.shapes[shape as usize].node;
        let mass = topology.nodes[node].inertia.m;
        if node == WORLD || mass <= 0.0 { 0.0 } else { 1.0 / mass }
    };
    1.0 / (inverse_mass(pair.a) + inverse_mass(pair.b))
}
