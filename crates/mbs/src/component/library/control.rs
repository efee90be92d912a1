//! Controllers with limited output and anti-windup: PI, PID, cascade of P and PI.

use std::sync::Arc;

use super::limit::Limits;
use crate::component::{Arguments, Component, Event, Factory, Layout, Point, default_input};

pub(super) const FACTORIES: &[(&str, Factory)] = &[("pi", Pid::make_pi), ("pid", Pid::make), ("p-pi", Cascade::make)];

/// `y = k (u + x + D)` with `x' = u / T_i` and the filtered derivative `D = N (u - x_d)`, `x_d' = N / T_d (u - x_d)`.
///
/// When the output is limited, back-calculation with the time constant `T_t` keeps `x` near the value that just
/// reaches the limit (K. Åström & T. Hägglund, *Advanced PID Control*, 2006, section 3.5).
#[derive(Debug)]
struct Pid {
    k: f64,
    integral_time: f64,
    derivative_time: f64,
    filter: f64,
    tracking_time: f64,
    start: f64,
    limits: Limits,
}

impl Pid {
    fn make_pi(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let integral_time = arguments.positive("T")?;
        Ok(Arc::new(Self::read(arguments, integral_time, 0.0)?))
    }

    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let integral_time = arguments.positive("T_i")?;
        let derivative_time = arguments.optional_not_negative("T_d")?;
        Ok(Arc::new(Self::read(arguments, integral_time, derivative_time)?))
    }

    fn read(arguments: &mut Arguments<'_>, integral_time: f64, derivative_time: f64) -> Result<Self, String> {
        let k = arguments.number("k")?;
        if k == 0.0 {
            return Err("`k` is 0, but a controller needs a gain".to_owned());
        }
        Ok(Self {
            k,
            integral_time,
            derivative_time,
            filter: if derivative_time > 0.0 { arguments.optional_positive("N")? } else { 0.0 },
            tracking_time: arguments.positive_or("T_t", integral_time)?,
            start: arguments.optional("x")?,
            limits: Limits::read(arguments)?,
        })
    }

    fn has_derivative(&self) -> bool {
        self.derivative_time > 0.0
    }

    /// Output without limits.
    fn free(&self, x: &[f64], u: f64) -> f64 {
        let derivative = if self.has_derivative() { self.filter * (u - x[1]) } else { 0.0 };
        self.k * (u + x[0] + derivative)
    }
}

impl Component for Pid {
    fn layout(&self) -> Layout {
        let layout = Layout::default().input("u").direct_output("y", "1", "control signal").state("x", self.start, 1.0);
        let layout = if self.has_derivative() { layout.state("x_d", 0.0, 1.0) } else { layout };
        let count = self.limits.count();
        layout.indicators(2 * count).discrete(&[0.0][..count])
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let mode = at.discrete.first().copied().unwrap_or(0.0);
        out[0] = self.limits.apply(self.free(at.x, at.inputs[0]), mode);
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        let u = at.inputs[0];
        let free = self.free(at.x, u);
        let mode = at.discrete.first().copied().unwrap_or(0.0);
        let excess = free - self.limits.apply(free, mode);
        out[0] = u / self.integral_time - excess / (self.k * self.tracking_time);
        if self.has_derivative() {
            out[1] = self.filter / self.derivative_time * (u - at.x[1]);
        }
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        self.limits.indicators(self.free(at.x, at.inputs[0]), out);
    }

    fn event(&self, event: &mut Event<'_>) {
        if event.initial && self.has_derivative() {
            event.x[1] = event.inputs[0];
        }
        if !event.discrete.is_empty() {
            event.discrete[0] = self.limits.mode(self.free(event.x, event.inputs[0]), event);
        }
    }
}

/// Position controller P with a velocity controller PI inside, as in servo drives:
/// `y = k2 (e + x)`, `x' = e / T2`, `e = k1 (reference - phi) + w_reference - w`.
#[derive(Debug)]
struct Cascade {
    k1: f64,
    k2: f64,
    integral_time: f64,
    tracking_time: f64,
    limits: Limits,
}

impl Cascade {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let integral_time = arguments.positive("T2")?;
        Ok(Arc::new(Self {
            k1: arguments.number("k1")?,
            k2: arguments.positive("k2")?,
            integral_time,
            tracking_time: arguments.positive_or("T_t", integral_time)?,
            limits: Limits::read(arguments)?,
        }))
    }

    /// Error of the velocity.
    fn error(&self, inputs: &[f64]) -> f64 {
        self.k1 * (inputs[0] - inputs[1]) + inputs[3] - inputs[2]
    }

    fn free(&self, x: &[f64], inputs: &[f64]) -> f64 {
        self.k2 * (self.error(inputs) + x[0])
    }
}

impl Component for Cascade {
    fn layout(&self) -> Layout {
        let layout = Layout::default().input("reference").input("phi").input("w");
        let layout = layout.input_or("w_reference", default_input("p-pi", "w_reference"));
        let count = self.limits.count();
        layout
            .direct_output("y", "1", "control signal")
            .state("x", 0.0, 1.0)
            .indicators(2 * count)
            .discrete(&[0.0][..count])
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let mode = at.discrete.first().copied().unwrap_or(0.0);
        out[0] = self.limits.apply(self.free(at.x, at.inputs), mode);
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        let free = self.free(at.x, at.inputs);
        let mode = at.discrete.first().copied().unwrap_or(0.0);
        let excess = free - self.limits.apply(free, mode);
        out[0] = self.error(at.inputs) / self.integral_time - excess / (self.k2 * self.tracking_time);
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        self.limits.indicators(self.free(at.x, at.inputs), out);
    }

    fn event(&self, event: &mut Event<'_>) {
        if !event.discrete.is_empty() {
            event.discrete[0] = self.limits.mode(self.free(event.x, event.inputs), event);
        }
    }
}
