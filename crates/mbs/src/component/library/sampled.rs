//! Sampled blocks with a clock: sample and hold, PID.
//!
//! Blocks that tick at the same instant read each other's values from just before it.

use std::sync::Arc;

use super::limit::Limits;
use crate::component::{Arguments, Component, Event, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] =
    &[("sample-hold", SampleHold::make), ("sampled-pid", SampledPid::make)];

/// Ticks at `offset + k period`, computed from the whole number `k`, so that no error accumulates.
#[derive(Debug)]
struct Clock {
    period: f64,
    offset: f64,
}

impl Clock {
    fn read(arguments: &mut Arguments<'_>) -> Result<Self, String> {
        Ok(Self { period: arguments.positive("period")?, offset: arguments.number_or("offset", 0.0)? })
    }

    /// Time of tick `k` \[s\].
    fn tick(&self, k: f64) -> f64 {
        self.offset + k * self.period
    }

    /// Whether it ticks now; counts `k` on.
    fn ticks(&self, k: &mut f64, event: (f64, bool)) -> bool {
        let (time, initial) = event;
        if initial {
            *k = ((time - self.offset) / self.period).ceil().max(0.0);
            while *k > 0.0 && self.tick(*k - 1.0) >= time {
                *k -= 1.0;
            }
        }
        let now = self.tick(*k) <= time;
        while self.tick(*k) <= time {
            *k += 1.0;
        }
        now
    }
}

/// `y` is the value of `u` at the last tick.
#[derive(Debug)]
struct SampleHold {
    clock: Clock,
    start: f64,
}

impl SampleHold {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self { clock: Clock::read(arguments)?, start: arguments.number_or("y", 0.0)? }))
    }
}

impl Component for SampleHold {
    fn layout(&self) -> Layout {
        Layout::default().input("u").output("y", "1", "sampled signal").discrete(&[0.0, self.start])
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.discrete[1];
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        self.clock.tick(discrete[0])
    }

    fn event(&self, event: &mut Event<'_>) {
        let when = (event.time, event.initial);
        if self.clock.ticks(&mut event.discrete[0], when) {
            event.discrete[1] = event.inputs[0];
        }
    }
}

/// `y = k (u + I + T_d (u - u_before) / period)` with `I` the sum of `u period / T_i`, limited; `I` stands still while
/// the output is limited and `u` would drive it further.
#[derive(Debug)]
struct SampledPid {
    clock: Clock,
    k: f64,
    integral_time: f64,
    derivative_time: f64,
    limits: Limits,
}

impl SampledPid {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self {
            clock: Clock::read(arguments)?,
            k: arguments.number("k")?,
            integral_time: arguments.positive_or("T_i", f64::INFINITY)?,
            derivative_time: arguments.not_negative_or("T_d", 0.0)?,
            limits: Limits::read(arguments)?,
        }))
    }
}

impl Component for SampledPid {
    fn layout(&self) -> Layout {
        let start = [0.0; 4];
        Layout::default().input("u").output("y", "1", "control signal, held between ticks").discrete(&start)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.discrete[1];
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        self.clock.tick(discrete[0])
    }

    fn event(&self, event: &mut Event<'_>) {
        let when = (event.time, event.initial);
        if !self.clock.ticks(&mut event.discrete[0], when) {
            return;
        }
        let u = event.inputs[0];
        let before = if event.initial { u } else { event.discrete[3] };
        let integral = event.discrete[2] + u * self.clock.period / self.integral_time;
        let slope = self.derivative_time * (u - before) / self.clock.period;
        let free = self.k * (u + integral + slope);
        let y = free.clamp(self.limits.min, self.limits.max);
        if y == free || (free - y) * self.k * u < 0.0 {
            event.discrete[2] = integral;
        }
        event.discrete[1] = y;
        event.discrete[3] = u;
    }
}
