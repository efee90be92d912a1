//! What a component may change when something happens.

use super::motion::Motion;
use crate::math::{Scales, is_reached};

/// An event of one component.
#[derive(Debug)]
pub struct Event<'a> {
    /// Time \[s\].
    pub time: f64,
    /// Whether the run starts now.
    pub initial: bool,
    /// Whether the time event of the component is due (rounding errors aside: [`Event::is_reached`]).
    pub is_due: bool,
    /// +1 or -1 for every indicator that rose or fell through zero, else 0.
    pub crossed: &'a [i32],
    /// Whether an indicator changed its side in the run: velocities may have jumped.
    pub has_jumped: bool,
    /// Values of inputs just before the event.
    pub inputs: &'a [f64],
    /// Motion of flanges.
    pub flanges: &'a [Motion],
    /// Derivatives of the states just before the event.
    pub xp: &'a [f64],
    /// States; a different length starts a new segment with as many states.
    pub x: &'a mut Vec<f64>,
    /// Discrete values; their number is fixed.
    pub discrete: &'a mut [f64],
    /// Units of length, time and mass of the model, in which thresholds are given.
    pub scales: Scales,
    /// A sentence for the log.
    pub remark: &'a mut Option<String>,
    /// A sentence that the user must see: what is not as wanted.
    pub warning: &'a mut Option<String>,
}

impl Event<'_> {
    /// Whether a time is reached, rounding errors aside: required for comparisons with [`super::Component::next_time`].
    #[must_use]
    pub fn is_reached(&self, time: f64) -> bool {
        is_reached(time, self.time)
    }
}
