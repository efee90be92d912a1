//! Logic: and, or, not, comparison with hysteresis, latch. Signals are true above one half, outputs 1 (true) or 0
//! (false).

use std::sync::Arc;

use crate::component::{Arguments, Component, EvaluationClass, Event, Factory, Layout, Point, default_input};

pub(super) const FACTORIES: &[(&str, Factory)] = &[
    ("and", |_| Ok(Arc::new(Gate::And))),
    ("or", |_| Ok(Arc::new(Gate::Or))),
    ("not", |_| Ok(Arc::new(Gate::Not))),
    ("hysteresis", Hysteresis::make),
    ("latch", Latch::make),
];

/// Above this a signal is true.
const TRUE: f64 = 0.5;

/// Gates of signals; discrete values are the truths of the inputs.
#[derive(Debug)]
enum Gate {
    And,
    Or,
    Not,
}

impl Gate {
    fn num_inputs(&self) -> usize {
        match self {
            Self::And | Self::Or => 2,
            Self::Not => 1,
        }
    }
}

impl Component for Gate {
    fn layout(&self) -> Layout {
        let count = self.num_inputs();
        let layout =
            Layout::default().held_output("y", "1", "1 when true").discrete(&[0.0; 2][..count]).indicators(count);
        match self {
            Self::And | Self::Or => layout.input("u1").input("u2"),
            Self::Not => layout.input("u"),
        }
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let mut truths = at.discrete.iter().map(|truth| *truth > TRUE);
        out[0] = f64::from(u8::from(match self {
            Self::And => truths.all(|truth| truth),
            Self::Or => truths.any(|truth| truth),
            Self::Not => truths.all(|truth| !truth),
        }));
    }

    fn evaluation_class(&self) -> EvaluationClass {
        EvaluationClass::Gate
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        for (out, u) in out.iter_mut().zip(at.inputs) {
            *out = u - TRUE;
        }
    }

    fn event(&self, event: &mut Event<'_>) {
        for (k, truth) in event.discrete.iter_mut().enumerate() {
            let is_true = match event.crossed[k] {
                0 if event.initial => event.inputs[k] > TRUE,
                0 => continue,
                crossed => crossed > 0,
            };
            *truth = f64::from(u8::from(is_true));
        }
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
        let start = f64::from(u8::from(arguments.optional("y")? > 0.5));
        Ok(Arc::new(Self { low, high, start }))
    }
}

impl Component for Hysteresis {
    fn layout(&self) -> Layout {
        Layout::default().input("u").held_output("y", "1", "1 when high").discrete(&[self.start]).indicators(2)
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
        Ok(Arc::new(Self { start: f64::from(u8::from(arguments.optional("y")? > 0.5)) }))
    }
}

impl Component for Latch {
    fn layout(&self) -> Layout {
        let layout = Layout::default().input("set").input_or("reset", default_input("latch", "reset"));
        layout.held_output("y", "1", "1 when set").discrete(&[self.start]).indicators(2)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.discrete[0];
    }

    fn evaluation_class(&self) -> EvaluationClass {
        EvaluationClass::Memory
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[at.inputs[0] - TRUE, at.inputs[1] - TRUE]);
    }

    fn event(&self, event: &mut Event<'_>) {
        let crossed = |k: usize| event.crossed.get(k).copied().unwrap_or(0) > 0;
        let starts = |k: usize| event.initial && event.inputs[k] > TRUE;
        if crossed(1) || starts(1) {
            event.discrete[0] = 0.0;
        } else if (crossed(0) || starts(0)) && event.inputs[1] < TRUE {
            event.discrete[0] = 1.0;
        }
    }
}
