//! Locates the time within a step at which frames to be attached are near and slow enough.
//!
//! The ends of a step do not show frames that fit for a moment inside it. So the step is searched on the dense output:
//! from a time at which a difference exceeds its tolerance, the frames cannot fit before the bound of its rate has used
//! the excess up. Bounds are the largest rates at some points of the step, doubled.

use crate::scene::ObjectId;
use crate::scene::program::Tolerances;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::attach_error::{differences, partners, ratios};
use crate::simulation::run_data::dense_search::first_time;
use crate::simulation::run_data::pending_event::{EventCause, PendingEvent};
use crate::spatial::{BodyMotion, RelativeMotion};

/// Points at which rates are measured; more with prescribed motions, which steps do not follow.
const POINTS: [u32; 2] = [4, 32];

/// Rates between the points are at most this many times those at the points.
const SAFETY: f64 = 2.0;

/// Smallest advance of the search as a fraction of the step, and its growth with every advance: frames that almost fit
/// for long would keep the search from ending.
const SMALLEST_ADVANCE: f64 = 1e-9;
const GROWTH: f64 = 1.03;

/// Halvings of the interval in which frames begin to fit.
const HALVINGS: usize = 60;

impl Simulation {
    /// The event at which frames that programs try to attach fit for the first time in the step from `t0` to `t1`
    /// \[s\].
    pub(in crate::simulation) fn search_fits(
        &mut self,
        t0: f64,
        t1: f64,
    ) -> Result<Option<PendingEvent>, SimulationError> {
        let scene = &self.model.scene;
        let mut pairs: Vec<([ObjectId; 2], Tolerances)> = Vec::new();
        for (change, attach, choice) in self.structure.programs.tried(scene) {
            if scene.exists(attach.a) {
                let partners = partners(scene, change, attach, choice);
                pairs.extend(partners.map(|partner| ([attach.a, partner], attach.tolerances)));
            }
        }
        let mut earliest: Option<f64> = None;
        for (pair, tolerances) in &pairs {
            let found = self.first_fit(*pair, tolerances, [t0, earliest.unwrap_or(t1)])?;
            earliest = found.or(earliest);
        }
        Ok(earliest.map(|t| PendingEvent::new(t, EventCause::AttachFits)))
    }

    /// The first time at which two frames begin to fit.
    fn first_fit(
        &mut self,
        pair: [ObjectId; 2],
        allowed: &Tolerances,
        [t0, t1]: [f64; 2],
    ) -> Result<Option<f64>, SimulationError> {
        let rates = self.fastest(pair, [t0, t1])?;
        let (mut t, mut was_apart, mut smallest) = (t0, false, SMALLEST_ADVANCE * (t1 - t0));
        while t < t1 {
            let before = t;
            let safe = self.safe_time(pair, allowed, &rates, t)?;
            t = (t + safe.unwrap_or(0.0).max(smallest)).min(t1);
            smallest *= GROWTH;
            was_apart |= safe.is_some();
            if was_apart && self.safe_time(pair, allowed, &rates, t)?.is_none() {
                return self.fit_onset(pair, allowed, [before, t]).map(Some);
            }
        }
        Ok(None)
    }

    /// Between a time at which frames do not fit and one at which they do, the first one at which they do.
    fn fit_onset(
        &mut self,
        pair: [ObjectId; 2],
        allowed: &Tolerances,
        interval: [f64; 2],
    ) -> Result<f64, SimulationError> {
        first_time(interval, HALVINGS, |t| Ok(self.safe_time(pair, allowed, &[0.0; 4], t)?.is_none()))
    }

    /// Time \[s\] after `t` before which frames cannot fit; none when they fit at `t`.
    fn safe_time(
        &mut self,
        pair: [ObjectId; 2],
        allowed: &Tolerances,
        rates: &[f64; 4],
        t: f64,
    ) -> Result<Option<f64>, SimulationError> {
        self.move_search_to(t)?;
        let [own, other] = pair.map(|id| self.searched_motion(id));
        let found = differences(&own, &other);
        let excesses = ratios(&found, allowed, &self.model.scene.scales).into_iter().zip([
            found.distance - allowed.distance,
            found.angle - allowed.angle,
            found.velocity - allowed.velocity,
            found.angular_velocity - allowed.angular_velocity,
        ]);
        let times = excesses.zip(rates).filter(|((ratio, _), _)| *ratio > 1.0);
        Ok(times.map(|((_, excess), rate)| excess / rate.max(f64::MIN_POSITIVE)).reduce(f64::max))
    }

    /// Bounds of the rates of distance, angle, velocity and angular velocity of two frames in a step.
    fn fastest(&mut self, pair: [ObjectId; 2], [t0, t1]: [f64; 2]) -> Result<[f64; 4], SimulationError> {
        let points = POINTS[usize::from(!self.segment.topology.motions.is_empty())];
        let mut rates = [0.0_f64; 4];
        for k in 0..=points {
            self.move_search_to(t0 + (t1 - t0) * f64::from(k) / f64::from(points))?;
            let [own, other] = pair.map(|id| self.searched_motion(id));
            let relative = RelativeMotion::between(&other, &own);
            let here = [&relative.v, &relative.w, &relative.a, &relative.alpha].map(|x| SAFETY * x.norm());
            rates.iter_mut().zip(here).for_each(|(rate, here)| *rate = rate.max(here));
        }
        Ok(rates)
    }

    /// How an object moves at the time of the search.
    pub(in crate::simulation) fn searched_motion(&self, id: ObjectId) -> BodyMotion {
        let frame = &self.segment.topology.placements[id.index()];
        self.solver.search.workspace.bodies[frame.node].at(&frame.x_bc)
    }
}
