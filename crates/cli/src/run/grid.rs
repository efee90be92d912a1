//! Communication points.

use crate::error::{Error, Result};
use crate::variable::Defaults;

use super::Experiment;

/// Most communication steps of a run.
const MOST: f64 = 1e9;

/// Points `start + k·step`, the last one at the stop time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Start time [s].
    pub start: f64,
    /// Stop time [s].
    pub stop: f64,
    /// Communication step [s]; the last one may be shorter.
    pub step: f64,
    /// Number of steps.
    pub steps: usize,
}

impl Grid {
    /// The requested grid, completed by the defaults of the model.
    ///
    /// # Errors
    /// Stop before start, steps that are not positive, more steps than make sense.
    pub fn new(defaults: Defaults, experiment: &Experiment, step: Option<f64>) -> Result<Self> {
        let start = finite("start time", experiment.start.or(defaults.start).unwrap_or(0.0))?;
        let stop = finite("stop time", experiment.stop.or(defaults.stop).unwrap_or(start + 1.0))?;
        if stop < start {
            return Err(Error::Usage(format!("the stop time {stop} s is before the start time {start} s")));
        }
        let step = finite(
            "communication step",
            step.or(defaults.step).unwrap_or((stop - start) / mbs::declaration::Experiment::STEPS),
        )?;
        if stop == start {
            return Ok(Self { start, stop, step, steps: 0 });
        }
        if step <= 0.0 {
            return Err(Error::Usage(format!("the communication step is {step} s, but must be positive")));
        }
        let count = ((stop - start) / step - 1e-9).ceil().max(1.0);
        if count > MOST {
            return Err(Error::Usage(format!(
                "{count:e} communication steps of {step:e} s are too many; at most {MOST:e} are possible"
            )));
        }
        Ok(Self { start, stop, step, steps: count as usize })
    }

    /// Communication point `k` [s], from 0 to `steps`.
    pub fn point(&self, k: usize) -> f64 {
        if k >= self.steps && self.steps > 0 { self.stop } else { self.start + k as f64 * self.step }
    }
}

fn finite(what: &str, value: f64) -> Result<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::Usage(format!("the {what} is {value}, but must be a finite number")))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn grid(start: f64, stop: f64, step: Option<f64>) -> Result<Grid> {
        let experiment = Experiment { start: Some(start), stop: Some(stop), ..Experiment::default() };
        Grid::new(Defaults::default(), &experiment, step)
    }

    #[test]
    fn the_last_step_is_clipped_to_the_stop_time() {
        let grid = grid(0.0, 1.0, Some(0.3)).unwrap();
        let points: Vec<f64> = (0..=grid.steps).map(|k| grid.point(k)).collect();
        assert_eq!(points, [0.0, 0.3, 0.6, 0.8999999999999999, 1.0]);
    }

    #[test]
    fn sixty_hertz_gives_no_extra_step_from_rounding() {
        let grid = grid(0.0, 10.0, Some(1.0 / 60.0)).unwrap();
        assert_eq!((grid.steps, grid.point(600)), (600, 10.0));
        assert_eq!(super::tests::grid(0.0, 0.7, Some(0.1)).unwrap().steps, 7);
    }

    #[test]
    fn senseless_grids_are_refused() {
        for (stop, step) in [
            (-1.0, None),
            (1.0, Some(0.0)),
            (1.0, Some(-0.1)),
            (1.0, Some(f64::NAN)),
            (f64::INFINITY, None),
            (1.0, Some(1e-12)),
        ] {
            assert!(grid(0.0, stop, step).is_err(), "{stop} {step:?}");
        }
        assert_eq!(grid(0.0, 0.0, None).unwrap().steps, 0);
    }
}
