//! Blocks without states: gain, sum, limiter.

use std::sync::Arc;

use super::limit::Limits;
use crate::component::{Arguments, Component, Event, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] =
    &[("gain", Gain::make), ("sum", Sum::make), ("limiter", Limiter::make)];

/// `y = k u`.
#[derive(Debug)]
struct Gain {
    k: f64,
}

impl Gain {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self { k: arguments.number("k")? }))
    }
}

impl Component for Gain {
    fn layout(&self) -> Layout {
        Layout::default().input("u").direct_output("y", "1", "output")
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = self.k * at.inputs[0];
    }
}

/// `y = k[1] u1 + k[2] u2 + ...`.
#[derive(Debug)]
struct Sum {
    k: Vec<f64>,
}

impl Sum {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let k = if arguments.has("k") { arguments.list("k")? } else { vec![1.0, 1.0] };
        Ok(Arc::new(Self { k }))
    }
}

impl Component for Sum {
    fn layout(&self) -> Layout {
        let layout = Layout::default().direct_output("y", "1", "output");
        (1..=self.k.len()).fold(layout, |layout, i| layout.input(&format!("u{i}")))
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = self.k.iter().zip(at.inputs).map(|(k, u)| k * u).sum();
    }
}

/// `y = u`, but not beyond `min` and `max`.
#[derive(Debug)]
struct Limiter {
    limits: Limits,
}

impl Limiter {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        arguments.number("max")?;
        Ok(Arc::new(Self { limits: Limits::read(arguments)? }))
    }
}

impl Component for Limiter {
    fn layout(&self) -> Layout {
        Layout::default().input("u").direct_output("y", "1", "limited signal").indicators(2).discrete(&[0.0])
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = self.limits.apply(at.inputs[0], at.discrete[0]);
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        self.limits.indicators(at.inputs[0], out);
    }

    fn event(&self, event: &mut Event<'_>) {
        event.discrete[0] = self.limits.mode(event.inputs[0], event);
    }
}
