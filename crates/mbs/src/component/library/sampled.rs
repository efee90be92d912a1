//! Sampled blocks with a clock: sample and hold, PID.
//!
//! Sampled blocks are evaluated last at an instant: they use the values after a step at the sample time. Blocks sampled
//! at the same instant use each other's values from just before it.

use std::sync::Arc;

use super::limit::Limits;
use crate::component::{Arguments, Component, EvaluationClass, Event, Factory, Layout, Point};
use crate::math::is_reached;

pub(super) const FACTORIES: &[(&str, Factory)] =
    &[("sample-hold", SampleHold::make), ("sampled-pid", SampledPid::make)];

/// Ticks at `offset + k period`, computed from the whole number `k`, so that no error accumulates. Where the period is
/// changed during a run, the next tick comes one new period after the last one, or at once if that is over.
#[derive(Debug)]
struct SampleClock {
    period: f64,
    offset: f64,
}

impl SampleClock {
    /// Discrete values: ordinal of the next tick, time of tick 0, period that holds.
    const NUM_DISCRETE: usize = 3;

    fn read(arguments: &mut Arguments<'_>) -> Result<Self, String> {
        Ok(Self { period: arguments.positive("period")?, offset: arguments.optional("offset")? })
    }

    fn start(&self) -> [f64; Self::NUM_DISCRETE] {
        [0.0, self.offset, self.period]
    }

    /// Time of the next tick \[s\].
    fn next(&self, discrete: &[f64]) -> f64 {
        let [k, origin, period] = [discrete[0], discrete[1], discrete[2]];
        if k == 0.0 || period == self.period { origin + k * period } else { origin + (k - 1.0) * period + self.period }
    }

    /// Whether it ticks now; counts on.
    fn ticks(&self, event: &mut Event<'_>) -> bool {
        if event.initial {
            let k = ((event.time - self.offset) / self.period).ceil().max(0.0);
            let is_one_before = k > 0.0 && is_reached(event.time, self.offset + (k - 1.0) * self.period);
            event.discrete[0] = if is_one_before { k - 1.0 } else { k };
        }
        let next = self.next(event.discrete);
        if !event.is_reached(next) {
            return false;
        }
        if event.discrete[2] != self.period {
            event.discrete[..Self::NUM_DISCRETE].copy_from_slice(&[0.0, next.max(event.time), self.period]);
        }
        while event.is_reached(self.next(event.discrete)) {
            let next = event.discrete[0] + 1.0;
            if next == event.discrete[0] {
                break; // So late that a period has no digits left.
            }
            event.discrete[0] = next;
        }
        true
    }
}

/// `y` is the value of `u` at the last tick.
#[derive(Debug)]
struct SampleHold {
    clock: SampleClock,
    start: f64,
}

impl SampleHold {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self { clock: SampleClock::read(arguments)?, start: arguments.optional("y")? }))
    }
}

impl Component for SampleHold {
    fn layout(&self) -> Layout {
        let [k, origin, period] = self.clock.start();
        Layout::default().input("u").held_output("y", "1", "sampled signal").discrete(&[k, origin, period, self.start])
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.discrete[SampleClock::NUM_DISCRETE];
    }

    fn evaluation_class(&self) -> EvaluationClass {
        EvaluationClass::Sampled
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        self.clock.next(discrete)
    }

    fn event(&self, event: &mut Event<'_>) {
        if self.clock.ticks(event) {
            event.discrete[SampleClock::NUM_DISCRETE] = event.inputs[0];
        }
    }
}

/// `y = k (u + I + T_d (u - u_before) / period)`, without the last term at the first tick, with `I` the sum of
/// `u period / T_i`, limited; `I` stands still while the output is limited and `u` would drive it further.
#[derive(Debug)]
struct SampledPid {
    clock: SampleClock,
    k: f64,
    integral_time: f64,
    derivative_time: f64,
    limits: Limits,
}

impl SampledPid {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self {
            clock: SampleClock::read(arguments)?,
            k: arguments.number("k")?,
            integral_time: arguments.positive_or("T_i", f64::INFINITY)?,
            derivative_time: arguments.optional_not_negative("T_d")?,
            limits: Limits::read(arguments)?,
        }))
    }
}

impl Component for SampledPid {
    fn layout(&self) -> Layout {
        let [k, origin, period] = self.clock.start();
        // Behind the clock: output, integral, value at the last tick, number of ticks up to 1.
        let start = [k, origin, period, 0.0, 0.0, 0.0, 0.0];
        Layout::default().input("u").held_output("y", "1", "control signal, held between ticks").discrete(&start)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.discrete[SampleClock::NUM_DISCRETE];
    }

    fn evaluation_class(&self) -> EvaluationClass {
        EvaluationClass::Sampled
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        self.clock.next(discrete)
    }

    fn event(&self, event: &mut Event<'_>) {
        if !self.clock.ticks(event) {
            return;
        }
        let u = event.inputs[0];
        let [y, sum, before, has_ticked] = &mut event.discrete[SampleClock::NUM_DISCRETE..] else { return };
        let change = if *has_ticked > 0.0 { u - *before } else { 0.0 };
        let integral = *sum + u * self.clock.period / self.integral_time;
        let slope = self.derivative_time * change / self.clock.period;
        let free = self.k * (u + integral + slope);
        *y = free.clamp(self.limits.min, self.limits.max);
        if *y == free || (free - *y) * self.k * u < 0.0 {
            *sum = integral;
        }
        (*before, *has_ticked) = (u, 1.0);
    }
}
