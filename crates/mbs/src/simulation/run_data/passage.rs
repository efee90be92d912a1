//! Steps of mechanisms with loops, which lose digits where the closure equations are almost dependent: close to change
//! points.
//!
//! Let `s` be the independence of the equations in use, which goes through zero where a mechanism could continue in
//! several ways. An error `e` of the gaps lets positions leave the mechanism's path by `e/s` and, as the velocities
//! must follow the equations at these positions, velocities by `e v/s^2`. Newton's iteration therefore ends at errors
//! that are smaller by `s`, and rounding errors that get that large are allowed for in the tolerance of the velocities:
//! the next step projects them away. Steps are planned such that the last one before a change point ends half its
//! length before it, and the one across it half its length behind it.

use serde::{Deserialize, Serialize};

/// Rounding errors of gaps, relative to the largest lever arm.
const ROUNDING: f64 = 1e-14;

/// Tolerances of velocities are at least this many times the errors that rounding causes in them.
const ABOVE_ROUNDING: f64 = 30.0;

/// Newton's iteration ends at errors that are at least this multiple of the rounding errors.
const MIN_ERROR_OVER_ROUNDING: f64 = 3.0;

/// Smallest ratio of the requested final error of Newton's iteration to its usual one.
const SHARPEST_RATIO: f64 = 1e-3;

/// Largest power of two by which tolerances are relaxed.
const MOST_RELAXED: i32 = 16;

/// Steps before a change point that are planned.
const PLANNED_STEPS: f64 = 3.0;

/// Fraction of the distance to a change point, in steps, that is left to the step across it; half a step, and something
/// for its estimate.
const CROSSING_STEP: f64 = 0.6;

/// Independence of equations below which a mechanism may be close to a change point.
const NEAR_CHANGE_POINT: f64 = 0.3;

/// Fraction of the distance to a change point that a step must have covered before the change point is searched for.
const SEARCH_THRESHOLD: f64 = 0.5;

/// Longest step near a near miss, as a fraction of the time in which the equations would become dependent.
const NEAR_MISS_STEP: f64 = 0.3;

/// Fraction of the rate of an approach that counts a step later: a mechanism may continue for long where the equations
/// are almost dependent.
const RATE_DECAY: f64 = 0.9;

/// Smallest independence of the equations after the turn of a near miss.
const MIN_INDEPENDENCE_AFTER_TURN: f64 = 0.05;

/// How a segment approaches change points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct Passage {
    /// Time \[s\] that the next step must not pass.
    pub limit: Option<f64>,
    /// Time \[s\] and independence of the closure equations at the end of the last step.
    before: Option<(f64, f64)>,
    /// Rate at which the equations approached dependence in the last step \[1/s\]; negative when they departed from it.
    #[serde(default)]
    rate: f64,
    /// A mechanism that only almost has a change point, and turns before it.
    #[serde(default)]
    narrow: Option<NearMiss>,
}

/// A mechanism whose dimensions differ a little from those of one with a change point: it turns into the other branch,
/// the more sharply the less they differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct NearMiss {
    /// Independence of the equations beyond which it ends.
    beyond: f64,
    /// Rate of the independence \[1/s\]: the greatest of the last steps.
    rate: f64,
}

/// Possible positions of the change point that a mechanism has reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::simulation) struct Crossing {
    /// End of the last step before it \[s\].
    pub before: f64,
    /// Independence of the equations there.
    pub independence: f64,
    /// Rate at which it fell \[1/s\].
    pub rate: f64,
}

impl Passage {
    /// Plans the next step, of size `h` \[s\] if nothing limits it, at the end `t` \[s\] of one that has the given
    /// independence.
    pub fn plan(&mut self, t: f64, independence: f64, h: f64) {
        if self.before.is_some_and(|(t0, _)| t0 >= t) {
            return;
        }
        let before = self.before.replace((t, independence));
        self.rate = before.map_or(0.0, |(t0, s0)| (s0 - independence) / (t - t0));
        if let Some(narrow) = &mut self.narrow {
            narrow.rate = (RATE_DECAY * narrow.rate).max(self.rate.abs());
            self.limit = Some(t + NEAR_MISS_STEP * independence / narrow.rate);
            if independence > narrow.beyond && self.rate < 0.0 {
                (self.narrow, self.limit) = (None, None);
            }
            return;
        }
        self.limit = before.and_then(|(t0, s0)| {
            let distance = independence * (t - t0) / (s0 - independence);
            let steps = (distance / h - CROSSING_STEP).ceil();
            let is_approaching = s0 > independence && (1.0..=PLANNED_STEPS).contains(&steps);
            let step = distance / (steps + 0.5);
            (is_approaching && step < h).then_some(t + step)
        });
    }

    /// Whether the mechanism has a change point only almost, and steps follow its turn.
    pub fn is_narrow(&self) -> bool {
        self.narrow.is_some()
    }

    /// Follows the turn of a mechanism that only almost has a change point.
    pub fn narrow(&mut self, crossing: &Crossing) {
        self.narrow = Some(NearMiss {
            beyond: MIN_INDEPENDENCE_AFTER_TURN.max(2.0 * crossing.independence),
            rate: crossing.rate,
        });
        self.limit = None;
    }

    /// What is left after a restart of the integrator.
    pub fn after_restart(&self) -> Self {
        Self { narrow: self.narrow, ..Self::default() }
    }

    /// The change point that the mechanism may have passed in a step that ends at `t` \[s\].
    pub fn crossing(&self, t: f64) -> Option<Crossing> {
        let (before, independence) = self.before?;
        let rate = self.rate;
        let is_reached =
            rate > 0.0 && independence < NEAR_CHANGE_POINT && rate * (t - before) > SEARCH_THRESHOLD * independence;
        (self.narrow.is_none() && is_reached).then_some(Crossing { before, independence, rate })
    }

    /// The change point close behind time `t` \[s\], where the equations have the given independence.
    pub fn ahead(&self, t: f64, independence: f64) -> Option<Crossing> {
        let (t0, s0) = self.before.filter(|(t0, _)| *t0 < t)?;
        let rate = (s0 - independence) / (t - t0);
        (self.narrow.is_none() && rate > 0.0).then_some(Crossing { before: t, independence, rate })
    }
}

/// What the end of a step has shown of the loops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::simulation) enum LoopFinding {
    /// They continue as they are.
    Nothing,
    /// The closure equations must be chosen again: a loop has opened at an equation that counted as redundant, or the
    /// mechanism enters or leaves a singular configuration.
    Reselect,
    /// The step has gone through a change point that the mechanism has only almost: it must be taken again from this
    /// time \[s\] on.
    Tunnelled(f64),
}

/// How exactly a step is solved that starts where the closure equations have some independence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::simulation) struct Precision {
    /// Fraction of its usual error at which Newton's iteration ends.
    pub newton: f64,
    /// Power of two by which the tolerances of velocities are multiplied.
    pub relaxation: i32,
}

impl Precision {
    /// For the relative tolerance of a run.
    pub fn new(independence: f64, tolerance: f64) -> Self {
        let rounding = ROUNDING / (tolerance * independence.powi(2));
        let is_enough = |k: &i32| 2.0_f64.powi(*k) >= ABOVE_ROUNDING * rounding;
        let relaxation = (0..MOST_RELAXED).find(is_enough).unwrap_or(MOST_RELAXED);
        let reachable = MIN_ERROR_OVER_ROUNDING * rounding / 2.0_f64.powi(relaxation);
        Self { newton: independence.max(reachable).clamp(SHARPEST_RATIO, 1.0), relaxation }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn steps_end_half_a_step_before_a_change_point_and_behind_it() {
        // The independence falls by 2 per second and is zero at t = 1.
        let independence = |t: f64| 2.0 * (1.0 - t).abs();
        for h in [0.1, 0.13, 0.17, 0.24, 0.31] {
            let (mut passage, mut t) = (Passage::default(), 0.0);
            let mut nearest = f64::INFINITY;
            while t < 1.5 {
                passage.plan(t, independence(t), h);
                let end = t + h;
                t = passage.limit.map_or(end, |limit| limit.min(end));
                nearest = nearest.min((1.0 - t).abs());
            }
            assert!(nearest >= 0.3 * h, "{h}: {nearest}");
        }
    }

    #[test]
    fn a_mechanism_that_keeps_away_from_change_points_takes_free_steps() {
        let mut passage = Passage::default();
        for (k, independence) in [0.3, 0.2, 0.25, 0.25, 0.6].into_iter().enumerate() {
            passage.plan(k as f64, independence, 0.1);
            assert_eq!(passage.limit, None, "{k}");
        }
    }

    #[test]
    fn looking_twice_at_the_same_time_plans_nothing_anew() {
        let mut passage = Passage::default();
        passage.plan(0.0, 0.2, 0.4);
        passage.plan(0.5, 0.1, 0.4);
        let planned = passage;
        assert!(planned.limit.is_some());
        passage.plan(0.5, 0.1, 0.4);
        assert_eq!(passage, planned);
    }

    #[test]
    fn a_change_point_is_looked_for_where_a_step_may_have_passed_it() {
        let mut passage = Passage::default();
        passage.plan(0.0, 0.4, 0.1);
        passage.plan(0.1, 0.2, 0.1);
        assert_eq!(passage.crossing(0.12), None, "a tenth of the way");
        let crossing = passage.crossing(0.3).unwrap();
        assert!((crossing.rate - 2.0).abs() < 1e-12 && crossing.before == 0.1 && crossing.independence == 0.2);
        passage.plan(0.2, 0.3, 0.1);
        assert_eq!(passage.crossing(0.4), None, "it departs from dependence");
    }

    #[test]
    fn steps_through_a_narrow_turn_follow_its_time_scale_until_it_lies_behind() {
        // The independence has its least value of 1e-3 at t = 1.
        let independence = |t: f64| (2.0 * (t - 1.0)).hypot(1e-3);
        let (mut passage, mut t) = (Passage::default(), 0.99);
        passage.narrow(&Crossing { before: t, independence: independence(t), rate: 2.0 });
        let mut steps = 0;
        while passage.is_narrow() {
            passage.plan(t, independence(t), 0.1);
            let Some(limit) = passage.limit else { break };
            assert!(limit - t <= 0.3 * independence(t), "a step of {} s at {t} s", limit - t);
            t = limit;
            steps += 1;
        }
        assert!(t > 1.02 && t < 1.05 && steps < 60, "{t} s, {steps} steps");
        assert_eq!(passage.after_restart(), Passage::default());
    }

    #[test]
    fn newton_gets_sharper_towards_a_change_point_until_rounding_forbids_it() {
        let usual = Precision { newton: 1.0, relaxation: 0 };
        assert_eq!(Precision::new(f64::INFINITY, 1e-6), usual);
        assert_eq!(Precision::new(0.1, 1e-6), Precision { newton: 0.1, relaxation: 0 });
        let close = Precision::new(1e-3, 1e-10);
        assert!(close.relaxation > 0 && close.newton > 0.05 && close.newton < 0.2, "{close:?}");
        assert_eq!(Precision::new(0.0, 1e-10).relaxation, MOST_RELAXED);
    }
}
