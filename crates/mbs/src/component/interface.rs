//! What a component declares and which functions it offers.

use std::fmt;

use super::event::Event;
use super::motion::Motion;
use crate::math::Scales;

/// A signal that a component reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Name; also the key of the model file.
    pub name: String,
    /// Value when nothing is connected; the input must be connected when absent.
    pub default: Option<f64>,
}

/// A signal that a component offers as `NAME.output`.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Name.
    pub name: String,
    /// Unit; `1` without dimension.
    pub unit: String,
    /// One-line description.
    pub description: String,
    /// Whether it depends on inputs at the same instant.
    pub direct: bool,
    /// Whether it changes at events only: it depends on parameters and discrete values.
    pub held: bool,
}

/// A mechanical connection in one dimension: the effort acts along the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Flange {
    /// Name; also the key of the model file.
    pub name: String,
    /// Whether it may be left without connection (it is then held by the ground).
    pub optional: bool,
    /// Inertia that moves with the flange (kg m² or kg).
    pub inertia: f64,
    /// Position and velocity at the start, for a flange that moves on its own.
    pub start: [f64; 2],
    /// Whether the model gives the position and the velocity at the start.
    pub given: [bool; 2],
    /// Whether it moves along an axis (m, N) instead of turning (rad, N m).
    pub translates: bool,
    /// Whether it may do either, as both sides of a gear.
    pub is_neutral: bool,
}

impl Flange {
    /// Orders and names of the values that expressions read: position (order 0) and velocity (1).
    pub(crate) fn value_names(&self) -> &'static [(usize, &'static str)] {
        match (self.is_neutral, self.translates) {
            (true, _) => &[(0, "phi"), (1, "w"), (0, "s"), (1, "v")],
            (false, false) => &[(0, "phi"), (1, "w")],
            (false, true) => &[(0, "s"), (1, "v")],
        }
    }
}

/// A continuous state or algebraic unknown.
#[derive(Debug, Clone, PartialEq)]
pub struct StateVariable {
    /// Name, for messages.
    pub name: String,
    /// Unit; `1` without dimension.
    pub unit: String,
    /// Value at the start; the guess of an algebraic unknown.
    pub start: f64,
    /// Typical magnitude: the absolute tolerance is this times the relative one.
    pub nominal: f64,
    /// Whether the typical magnitude counts in units of the model's scale of the unit.
    pub in_scale: bool,
    /// Whether its residual does not contain its derivative.
    pub algebraic: bool,
}

/// Which residuals depend on which states of the component.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sparsity {
    /// All on all.
    #[default]
    Dense,
    /// Residual `i` on the states `i - n` to `i + n`.
    Banded(usize),
}

/// Everything a component declares.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// Signals it reads.
    pub inputs: Vec<Input>,
    /// Signals it offers.
    pub outputs: Vec<Output>,
    /// Mechanical connections.
    pub flanges: Vec<Flange>,
    /// Flanges that move rigidly together: `(driving, driven, ratio)` with position of driving = ratio times that of
    /// driven.
    pub gears: Vec<(usize, usize, f64)>,
    /// Flanges that move together by an equation of the component, as `gears`: determines their start values.
    pub constraints: Vec<(usize, usize, f64)>,
    /// A flange whose velocity is the value of an input.
    pub driven: Option<(usize, usize)>,
    /// Continuous states at the start.
    pub states: Vec<StateVariable>,
    /// Discrete values at the start.
    pub discrete: Vec<f64>,
    /// Number of event indicators.
    pub num_indicators: usize,
    /// Structure of the residuals.
    pub sparsity: Sparsity,
    /// Ordinal of an unknown effort by which the component may hold its flanges, see [`Component::holding`].
    pub holds: Option<usize>,
}

impl Layout {
    /// Adds an input that must be connected.
    #[must_use]
    pub fn input(mut self, name: &str) -> Self {
        self.inputs.push(Input { name: name.to_owned(), default: None });
        self
    }

    /// Adds an input with a value when nothing is connected.
    #[must_use]
    pub fn input_or(mut self, name: &str, default: f64) -> Self {
        self.inputs.push(Input { name: name.to_owned(), default: Some(default) });
        self
    }

    /// Adds an output that follows from states, flanges, discrete values and time.
    #[must_use]
    pub fn output(self, name: &str, unit: &str, description: &str) -> Self {
        self.add_output(name, unit, description, false)
    }

    /// Adds an output that depends on inputs at the same instant.
    #[must_use]
    pub fn direct_output(self, name: &str, unit: &str, description: &str) -> Self {
        self.add_output(name, unit, description, true)
    }

    /// Adds an output that changes at events only, since it follows from discrete values alone: expressions may round
    /// it.
    #[must_use]
    pub fn held_output(self, name: &str, unit: &str, description: &str) -> Self {
        let mut layout = self.add_output(name, unit, description, false);
        layout.outputs.iter_mut().last().into_iter().for_each(|output| output.held = true);
        layout
    }

    fn add_output(mut self, name: &str, unit: &str, description: &str, direct: bool) -> Self {
        let (name, unit, description) = (name.to_owned(), unit.to_owned(), description.to_owned());
        self.outputs.push(Output { name, unit, description, direct, held: false });
        self
    }

    /// Adds a flange without inertia.
    #[must_use]
    pub fn flange(self, name: &str) -> Self {
        self.add_flange(name, false, 0.0, [0.0; 2])
    }

    /// Adds a flange that is held by the ground when nothing is connected.
    #[must_use]
    pub fn flange_or_ground(self, name: &str) -> Self {
        self.add_flange(name, true, 0.0, [0.0; 2])
    }

    /// Adds a flange with inertia, which moves on its own when nothing is connected.
    #[must_use]
    pub fn inertia(self, name: &str, inertia: f64, start: [f64; 2]) -> Self {
        self.add_flange(name, false, inertia, start)
    }

    /// Adds a flange with inertia; what is given of its position and velocity at the start must agree with what it is
    /// rigidly connected with.
    #[must_use]
    pub fn inertia_starting(self, name: &str, inertia: f64, start: [Option<f64>; 2]) -> Self {
        let mut layout = self.add_flange(name, false, inertia, start.map(|start| start.unwrap_or(0.0)));
        layout
            .flanges
            .iter_mut()
            .last()
            .into_iter()
            .for_each(|flange| flange.given = start.map(|start| start.is_some()));
        layout
    }

    fn add_flange(mut self, name: &str, optional: bool, inertia: f64, start: [f64; 2]) -> Self {
        let given = start.map(|start| start != 0.0);
        let name = name.to_owned();
        self.flanges.push(Flange { name, optional, inertia, start, given, translates: false, is_neutral: false });
        self
    }

    /// Lets all flanges so far turn or translate, as what they are connected with does.
    #[must_use]
    pub fn neutral(mut self) -> Self {
        self.flanges.iter_mut().for_each(|flange| flange.is_neutral = true);
        self
    }

    /// Makes all flanges so far translate.
    #[must_use]
    pub fn translating(mut self) -> Self {
        self.flanges.iter_mut().for_each(|flange| flange.translates = true);
        self
    }

    /// Adds a differential state.
    #[must_use]
    pub fn state(self, name: &str, start: f64, nominal: f64) -> Self {
        self.add_state(name, start, nominal, false)
    }

    /// Gives the state or unknown that was added last a unit.
    #[must_use]
    pub fn in_unit(mut self, unit: &str) -> Self {
        self.states.iter_mut().last().into_iter().for_each(|state| unit.clone_into(&mut state.unit));
        self
    }

    /// As [`Layout::in_unit`], for a mechanical unit: the typical magnitude counts in units of the model's scale of it,
    /// which is 1 for machines of metres, seconds and kilograms.
    #[must_use]
    pub fn in_scale(mut self, unit: &str) -> Self {
        self.states.iter_mut().last().into_iter().for_each(|state| state.in_scale = true);
        self.in_unit(unit)
    }

    fn add_state(mut self, name: &str, start: f64, nominal: f64, algebraic: bool) -> Self {
        reserve::check();
        let [name, unit] = [name, "1"].map(str::to_owned);
        self.states.push(StateVariable { name, unit, start, nominal, in_scale: false, algebraic });
        self
    }

    /// Adds an algebraic unknown with its guess.
    #[must_use]
    pub fn unknown(self, name: &str, guess: f64, nominal: f64) -> Self {
        self.add_state(name, guess, nominal, true)
    }

    /// Declares that the component may hold its flanges by the unknown effort that was added last.
    #[must_use]
    pub fn holding(mut self) -> Self {
        self.holds = self.states.len().checked_sub(1);
        self
    }

    /// Sets the discrete values at the start.
    #[must_use]
    pub fn discrete(mut self, values: &[f64]) -> Self {
        self.discrete = values.to_vec();
        self
    }

    /// Sets the number of event indicators.
    #[must_use]
    pub fn indicators(mut self, count: usize) -> Self {
        self.num_indicators = count;
        self
    }
}

/// The numbers at which a component is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Point<'a> {
    /// Time \[s\].
    pub time: f64,
    /// States, in the order of the layout.
    pub x: &'a [f64],
    /// Their derivatives.
    pub xp: &'a [f64],
    /// Values of inputs.
    pub inputs: &'a [f64],
    /// Motion of flanges.
    pub flanges: &'a [Motion],
    /// Discrete values; they change at events only.
    pub discrete: &'a [f64],
    /// Units of length, time and mass of the model, in which thresholds are given.
    pub scales: Scales,
}

/// The order in which components are evaluated at one instant. A class is evaluated when the classes before it have
/// converged, and these are evaluated again after it: memory does not store intermediate values of signals during the
/// event iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvaluationClass {
    /// Signals of time.
    Source,
    /// Logic without memory.
    Gate,
    /// All others.
    Continuous,
    /// Latches: their state changes on edges of the inputs.
    Memory,
    /// Sampled components: evaluated last, once per instant; they read each other's values from before the instant.
    Sampled,
}

impl EvaluationClass {
    /// All classes in their order.
    pub(crate) const ALL: [Self; 5] = [Self::Source, Self::Gate, Self::Continuous, Self::Memory, Self::Sampled];
}

/// A component: parameters and equations, without anything that changes during a run.
///
/// Between two events every function must be smooth: what switches is written with discrete values and event
/// indicators.
pub trait Component: fmt::Debug + Send + Sync {
    /// Inputs, outputs, flanges, states, discrete values.
    fn layout(&self) -> Layout;

    /// Writes all outputs. Called first for those that are not direct, when `inputs` still hold older values.
    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let _ = (at, out);
    }

    /// Writes the effort (N m or N) on every flange, positive when it accelerates the flange.
    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        let _ = at;
    }

    /// Writes the derivatives of all states.
    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        out.fill(0.0);
        let _ = at;
    }

    /// Writes the residuals that must vanish, one per state; by default `x' - derivatives`.
    fn residuals(&self, at: &Point<'_>, out: &mut [f64]) {
        self.derivatives(at, out);
        for (out, xp) in out.iter_mut().zip(at.xp) {
            *out = xp - *out;
        }
    }

    /// While the component holds its flanges in place: its capacity, the largest effort. The residual of the unknown
    /// that its layout names must then be a slip of its flanges with its derivatives; it is replaced where several
    /// components hold the same motion, so that the load of each is the same part of its capacity.
    fn holding(&self, at: &Point<'_>) -> Option<f64> {
        let _ = at;
        None
    }

    /// Called when another component begins to hold or releases its flanges: whether this one is at rest at that
    /// instant and holds too, after a change of its discrete values.
    fn join_holding(&self, at: &Point<'_>, discrete: &mut [f64]) -> bool {
        let _ = (at, discrete);
        false
    }

    /// Called when it cannot hold: an effort within its capacity would not stop the slip, which continues in
    /// `direction` (1 or -1).
    fn release(&self, direction: f64, at: &Point<'_>, discrete: &mut [f64]) {
        let _ = (direction, at, discrete);
    }

    /// Energy \[J\] that it stores by the positions of its flanges, as a spring does.
    fn stored_energy(&self, at: &Point<'_>) -> f64 {
        let _ = at;
        0.0
    }

    /// Writes the event indicators: [`Component::event`] is called when one changes its sign.
    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        let _ = (at, out);
    }

    /// When it is evaluated at an event, among the components.
    fn evaluation_class(&self) -> EvaluationClass {
        EvaluationClass::Continuous
    }

    /// The next time at which [`Component::event`] must be called \[s\]; infinity if there is none.
    fn next_time(&self, discrete: &[f64]) -> f64 {
        let _ = discrete;
        f64::INFINITY
    }

    /// Whether [`Component::event`] may change the number of states.
    fn is_resizable(&self) -> bool {
        false
    }

    /// Changes discrete values and states at an event of this component, and once at the start.
    fn event(&self, event: &mut Event<'_>) {
        let _ = event;
    }
}
