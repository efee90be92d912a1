//! Logic on signals that are 1 (true) or 0 (false): and, or, not, comparison with hysteresis, latch.

use std::sync::Arc;

use crate::component::{Arguments, Component, Event, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] = &[
    ("and", |_| Ok(Arc::new(Gate::And))),
    ("or", |_| Ok(Arc::new(Gate::Or))),
    ("not", |_| Ok(Arc::new(Gate::Not))),
    ("hysteresis", Hysteresis::make),
    ("latch", Latch::make),
];

/// Gates of signals.
#[derive(Debug)]
enum Gate {
    And,
    Or,
    Not,
}

impl Component for Gate {
    fn layout(&self) -> Layout {
        let layout = Layout::default().direct_output("y", "1", "1 when true");
        match self {
            Self::And | Self::Or => layout.input("u1").input("u2"),
            Self::Not => layout.input("u"),
        }
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let u = at.inputs;
        out[0] = match self {
            Self::And => u[0] * u[1],
            Self::Or => u[0] + u[1] - u[0] * u[1],
            Self::Not => 1.0 - u[0],
        };
    }
}

/// `y` becomes 1 where `u` rises above `high` and 0 where it falls below `low`.
#[derive(Debug)]
struct Hysteresis {
    low: f64,
    high: f64,
    start: f64,
}

impl Hysteresis {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let (low, high) = (arguments.number("low")?, arguments.number("high")?);
        if low > high {
            return Err(format!("`low` is {low}, but must not be above `high` = {high}"));
        }
        let start = f64::from(u8::from(arguments.number_or("y", 0.0)? > 0.5));
        Ok(Arc::new(Self { low, high, start }))
    }
}

impl Component for Hysteresis {
    fn layout(&self) -> Layout {
        Layout::default().input("u").output("y", "1", "1 when high").discrete(&[self.start]).indicators(2)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.discrete[0];
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[at.inputs[0] - self.high, self.low - at.inputs[0]]);
    }

    fn event(&self, event: &mut Event<'_>) {
        let u = event.inputs[0];
        let crossed = |k: usize| event.crossed.get(k).copied().unwrap_or(0) > 0;
        if crossed(0) || u > self.high {
            event.discrete[0] = 1.0;
        } else if crossed(1) || u < self.low {
            event.discrete[0] = 0.0;
        }
    }
}

/// `y` becomes 1 when `set` does and 0 when `reset` does; `reset` wins.
#[derive(Debug)]
struct Latch {
    start: f64,
}

impl Latch {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self { start: f64::from(u8::from(arguments.number_or("y", 0.0)? > 0.5)) }))
    }
}

impl Component for Latch {
    fn layout(&self) -> Layout {
        let layout = Layout::default().input("set").input_or("reset", 0.0);
        layout.output("y", "1", "1 when set").discrete(&[self.start]).indicators(2)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.discrete[0];
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[at.inputs[0] - 0.5, at.inputs[1] - 0.5]);
    }

    fn event(&self, event: &mut Event<'_>) {
        let crossed = |k: usize| event.crossed.get(k).copied().unwrap_or(0) > 0;
        let starts = |k: usize| event.initial && event.inputs[k] > 0.5;
        if crossed(1) || starts(1) {
            event.discrete[0] = 0.0;
        } else if (crossed(0) || starts(0)) && event.inputs[1] < 0.5 {
            event.discrete[0] = 1.0;
        }
    }
}
