//! Signals of time: step, ramp, trapezoid, pulse, sine. Corners are time events.

use std::sync::Arc;

use crate::component::{Arguments, Component, EvaluationClass, Event, Factory, Layout, Point};
use crate::expr::number_text;

pub(super) const FACTORIES: &[(&str, Factory)] = &[
    ("constant", constant),
    ("step", step),
    ("ramp", ramp),
    ("trapezoid", trapezoid),
    ("pulse", pulse),
    ("sine", Sine::make),
];

/// Straight pieces, optionally periodic. A period that changes during a run applies from the next repetition on.
#[derive(Debug)]
struct Pieces {
    /// Corners: time since the start of the period, value there and slope behind it.
    corners: Vec<[f64; 3]>,
    before: f64,
    start: f64,
    period: f64,
}

/// Discrete values of [`Pieces`].
#[derive(Debug, Clone, Copy)]
struct WaveState {
    /// The piece; 0 = before the first corner.
    piece: usize,
    /// Repetitions since `origin` \[s\] with the period that holds \[s\].
    cycle: f64,
    origin: f64,
    period: f64,
}

impl WaveState {
    fn read(discrete: &[f64]) -> Self {
        Self { piece: discrete[0] as usize, cycle: discrete[1], origin: discrete[2], period: discrete[3] }
    }

    fn to_array(self) -> [f64; 4] {
        [self.piece as f64, self.cycle, self.origin, self.period]
    }

    /// Time at which the present repetition began.
    fn start(&self) -> f64 {
        if self.cycle == 0.0 { self.origin } else { self.origin + self.cycle * self.period }
    }
}

impl Pieces {
    fn initial_state(&self) -> WaveState {
        let period = if self.period.is_finite() { self.period } else { 0.0 };
        WaveState { piece: 0, cycle: 0.0, origin: self.start, period }
    }

    /// The state after the next corner.
    fn following(&self, at: WaveState) -> WaveState {
        if at.piece == 0 {
            WaveState { piece: 1, cycle: at.cycle, ..self.initial_state() }
        } else if at.piece < self.corners.len() {
            WaveState { piece: at.piece + 1, ..at }
        } else if at.period == self.period {
            WaveState { piece: 1, cycle: at.cycle + 1.0, ..at }
        } else {
            WaveState { piece: 1, cycle: 0.0, origin: at.start() + self.period, period: self.period }
        }
    }

    /// Time of the corner with which a piece begins.
    fn corner_time(&self, at: WaveState) -> f64 {
        at.start() + self.corners[at.piece - 1][0]
    }
}

fn constant(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let before = arguments.number("k")?;
    Ok(Arc::new(Pieces { corners: Vec::new(), before, start: 0.0, period: f64::INFINITY }))
}

fn pieces(arguments: &mut Arguments<'_>, corners: Vec<[f64; 3]>, period: f64) -> Result<Arc<dyn Component>, String> {
    let (before, start) = (arguments.optional("offset")?, arguments.optional("start")?);
    let corners = corners.into_iter().map(|[t, y, slope]| [t, before + y, slope]).collect();
    Ok(Arc::new(Pieces { corners, before, start, period }))
}

fn step(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let height = arguments.optional("height")?;
    pieces(arguments, vec![[0.0, height, 0.0]], f64::INFINITY)
}

fn ramp(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let (height, duration) = (arguments.optional("height")?, arguments.positive("duration")?);
    pieces(arguments, vec![[0.0, 0.0, height / duration], [duration, height, 0.0]], f64::INFINITY)
}

fn trapezoid(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let height = arguments.optional("height")?;
    let (rising, width) = (arguments.positive("rising")?, arguments.optional_not_negative("width")?);
    let falling = arguments.positive_or("falling", rising)?;
    let period = arguments.positive_or("period", f64::INFINITY)?;
    let length = rising + width + falling;
    if length > period {
        let [length, period] = [length, period].map(number_text);
        return Err(format!("`rising`, `width` and `falling` last {length} s, longer than `period` = {period} s"));
    }
    let corners = vec![
        [0.0, 0.0, height / rising],
        [rising, height, 0.0],
        [rising + width, height, -height / falling],
        [length, 0.0, 0.0],
    ];
    pieces(arguments, corners, period)
}

fn pulse(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let (height, period) = (arguments.optional("height")?, arguments.positive("period")?);
    let width = arguments.optional_positive("width")?;
    if width >= 1.0 {
        return Err(format!("`width` is {width}, but must be a part of the period below 1"));
    }
    pieces(arguments, vec![[0.0, height, 0.0], [width * period, 0.0, 0.0]], period)
}

impl Component for Pieces {
    fn layout(&self) -> Layout {
        let layout = Layout::default().discrete(&self.initial_state().to_array());
        match self.corners.iter().all(|corner| corner[2] == 0.0) {
            true => layout.held_output("y", "1", "signal"),
            false => layout.output("y", "1", "signal"),
        }
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let state = WaveState::read(at.discrete);
        out[0] = match state.piece.checked_sub(1) {
            None => self.before,
            Some(k) => self.corners[k][1] + self.corners[k][2] * (at.time - self.corner_time(state)),
        };
    }

    fn evaluation_class(&self) -> EvaluationClass {
        EvaluationClass::Source
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        let state = WaveState::read(discrete);
        let is_over = state.piece >= self.corners.len() && !self.period.is_finite();
        if is_over || self.corners.is_empty() { f64::INFINITY } else { self.corner_time(self.following(state)) }
    }

    fn event(&self, event: &mut Event<'_>) {
        if event.initial && self.period.is_finite() && event.time > self.start + self.period {
            event.discrete[1] = ((event.time - self.start) / self.period).floor();
        }
        while event.is_reached(self.next_time(event.discrete)) {
            let state = WaveState::read(event.discrete);
            if state.cycle + 1.0 == state.cycle {
                break; // So late that a period has no digits left.
            }
            event.discrete.copy_from_slice(&self.following(state).to_array());
        }
    }
}

/// `y = offset + amplitude sin(2 pi frequency (t - start) + phase)` from `start` on, `offset` before.
#[derive(Debug)]
struct Sine {
    amplitude: f64,
    frequency: f64,
    phase: f64,
    offset: f64,
    start: f64,
}

impl Sine {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self {
            amplitude: arguments.optional("amplitude")?,
            frequency: arguments.number("frequency")?,
            phase: arguments.optional("phase")?,
            offset: arguments.optional("offset")?,
            start: arguments.optional("start")?,
        }))
    }
}

impl Component for Sine {
    fn layout(&self) -> Layout {
        Layout::default().output("y", "1", "signal").discrete(&[0.0])
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let angle = std::f64::consts::TAU * self.frequency * (at.time - self.start) + self.phase;
        out[0] = self.offset + if at.discrete[0] > 0.5 { self.amplitude * elementary::sin(angle) } else { 0.0 };
    }

    fn evaluation_class(&self) -> EvaluationClass {
        EvaluationClass::Source
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        if discrete[0] > 0.5 { f64::INFINITY } else { self.start }
    }

    fn event(&self, event: &mut Event<'_>) {
        event.discrete[0] = f64::from(u8::from(event.is_reached(self.start)));
    }
}
