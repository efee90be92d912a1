//! Time: the experiment, the present time of the instance, and whether a step is valid.

use crate::number::number;
use crate::{Experiment, Failure, Outcome, Step};

/// Experiment and current time of an instance.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Timeline {
    pub(super) experiment: Experiment,
    /// Where the instance stands (s).
    pub(super) time: f64,
}

/// Two times this close (s) are the same: masters compute communication points in different ways and round differently.
fn slack(time: f64) -> f64 {
    1e-9 * (1.0 + time.abs())
}

impl Timeline {
    /// Checks the arguments of `fmi2SetupExperiment`. A tolerance of zero and an infinite stop time mean "none".
    pub(super) fn new(tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Outcome<Self> {
        if !start.is_finite() {
            return Err(Failure::refused(format!("the start time {start} s must be finite")));
        }
        if let Some(stop) = stop.filter(|stop| stop.is_nan() || *stop < start) {
            return Err(Failure::refused(format!(
                "the stop time {} s must not be before the start time {} s",
                number(stop),
                number(start)
            )));
        }
        if let Some(value) = tolerance.filter(|value| !(*value >= 0.0 && *value < 1.0)) {
            return Err(Failure::refused(format!("the relative tolerance {} must be between 0 and 1", number(value))));
        }
        let tolerance = tolerance.filter(|value| *value > 0.0);
        let stop = stop.filter(|stop| stop.is_finite());
        Ok(Self { experiment: Experiment { tolerance, start, stop }, time: start })
    }

    /// Checks the arguments of `fmi2DoStep` and snaps them to where the instance stands and to the stop time.
    pub(super) fn step(&self, point: f64, size: f64, no_set_state_prior: bool) -> Outcome<Step> {
        let start = self.time;
        if !(size.is_finite() && size > 0.0) {
            let size = number(size);
            return Err(Failure::refused(format!("the communication step size {size} s must be positive and finite")));
        }
        let distance = (point - start).abs();
        if distance.is_nan() || distance > slack(start) {
            return Err(Failure::refused(format!(
                "the current communication point {} s must be the end of the previous step, {} s",
                number(point),
                number(start)
            )));
        }
        // For steps of the size of the slack, the host's point could lie beyond the step; then ours is the better one.
        let base = if distance < 0.5 * size { point } else { start };
        let end = self.not_beyond_stop(base + size)?;
        if !(end > start && end.is_finite()) {
            return Err(Failure::refused(format!(
                "the communication step size {} s does not advance time {} s",
                number(size),
                number(start)
            )));
        }
        Ok(Step { start, end, no_set_state_prior })
    }

    fn not_beyond_stop(&self, end: f64) -> Outcome<f64> {
        match self.experiment.stop {
            Some(stop) if end > stop + slack(stop) => Err(Failure::refused(format!(
                "the step would end at {} s, beyond the stop time {} s of fmi2SetupExperiment",
                number(end),
                number(stop)
            ))),
            Some(stop) if end > stop => Ok(stop),
            _ => Ok(end),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn advance(clock: &mut Timeline, point: f64, size: f64) -> Outcome<Step> {
        let step = clock.step(point, size, true)?;
        clock.time = step.end;
        Ok(step)
    }

    #[test]
    fn sixty_hertz_runs_to_the_stop_time_however_time_is_computed() {
        let mut summed = Timeline::new(None, 0.0, Some(10.0)).unwrap();
        let mut multiplied = summed;
        let (size, mut time) = (1.0 / 60.0, 0.0);
        for step in 0..600 {
            assert_eq!(advance(&mut summed, time, size).unwrap().end, summed.time);
            time += size;
            advance(&mut multiplied, f64::from(step) * size, size).unwrap();
        }
        assert!((summed.time - 10.0).abs() < 1e-9 && (multiplied.time - 10.0).abs() < 1e-9);
        assert!(summed.time <= 10.0 && multiplied.time <= 10.0);
    }

    #[test]
    fn steps_join_without_gaps() {
        let mut clock = Timeline::new(None, 100.0, None).unwrap();
        let first = advance(&mut clock, 100.0 + 5e-8, 0.1).unwrap();
        let second = advance(&mut clock, 100.1, 0.1).unwrap();
        assert_eq!(first.start, 100.0);
        assert_eq!(first.end, second.start);
    }

    #[test]
    fn senseless_steps_are_refused() {
        let clock = Timeline::new(None, 0.0, Some(1.0)).unwrap();
        for (point, size) in [
            (0.0, 0.0),
            (0.0, -0.1),
            (0.0, f64::NAN),
            (0.0, f64::INFINITY),
            (f64::NAN, 0.1),
            (f64::INFINITY, 0.1),
            (1e-3, 0.1),
            (0.0, 1.0 + 1e-6),
        ] {
            assert!(clock.step(point, size, true).is_err(), "{point} {size}");
        }
        assert_eq!(clock.step(0.0, 1.0 + 1e-12, true).unwrap().end, 1.0);
    }

    #[test]
    fn a_step_lost_in_rounding_is_refused() {
        let clock = Timeline::new(None, 1e9, None).unwrap();
        assert!(clock.step(1e9, 1e-9, true).is_err());
        assert!(clock.step(1e9 - 0.5, 1e-3, true).unwrap().end > 1e9);
    }

    #[test]
    fn senseless_experiments_are_refused() {
        assert!(Timeline::new(None, f64::NAN, None).is_err());
        assert!(Timeline::new(None, 1.0, Some(0.0)).is_err());
        assert!(Timeline::new(None, 0.0, Some(f64::NAN)).is_err());
        for tolerance in [f64::NAN, f64::INFINITY, -1e-3, 1.0, 10.0] {
            assert!(Timeline::new(Some(tolerance), 0.0, None).is_err(), "{tolerance}");
        }
        let lenient = Timeline::new(Some(0.0), 0.0, Some(f64::INFINITY)).unwrap();
        assert_eq!(lenient.experiment, Experiment::default());
    }
}
