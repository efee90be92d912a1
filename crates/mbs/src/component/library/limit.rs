//! Limits of a signal, switched by events.

use crate::component::{Arguments, Event};

/// Lower and upper limit; infinite when absent. Needs two indicators and one discrete value: the limit in force
/// (-1, 0, 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    pub min: f64,
    pub max: f64,
}

impl Limits {
    /// Reads `max` and `min`; `min` is minus `max` when absent.
    pub fn read(arguments: &mut Arguments<'_>) -> Result<Self, String> {
        let max = arguments.maybe("max")?.unwrap_or(f64::INFINITY);
        let min = arguments.maybe("min")?.unwrap_or(-max);
        if arguments.has("max") && !arguments.has("min") && max <= 0.0 {
            return Err(format!(
                "`max` is {max} and `min` is -max when it is not given; `max` must be above zero then, or give `min`"
            ));
        }
        if min < max { Ok(Self { min, max }) } else { Err(format!("`min` is {min}, but must be below `max` = {max}")) }
    }

    /// Number of indicators and of discrete values.
    pub fn count(&self) -> usize {
        usize::from(self.max.is_finite() || self.min.is_finite())
    }

    /// The limited value in the present mode.
    pub fn apply(&self, value: f64, mode: f64) -> f64 {
        if mode > 0.5 {
            self.max
        } else if mode < -0.5 {
            self.min
        } else {
            value
        }
    }

    /// Distances above the upper and below the lower limit.
    pub fn indicators(&self, value: f64, out: &mut [f64]) {
        if let [above, below] = out {
            *above = if self.max.is_finite() { value - self.max } else { -1.0 };
            *below = if self.min.is_finite() { self.min - value } else { -1.0 };
        }
    }

    /// The mode after an event.
    pub fn mode(&self, value: f64, event: &Event<'_>) -> f64 {
        let crossed = |k: usize| event.crossed.get(k).copied().unwrap_or(0);
        let exceeds = |k: usize, by: f64| if crossed(k) == 0 { by > 0.0 } else { crossed(k) > 0 };
        if exceeds(0, value - self.max) {
            1.0
        } else if exceeds(1, self.min - value) {
            -1.0
        } else {
            0.0
        }
    }
}
