//! What a model implements to become a co-simulation FMU.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{Failure, Instantiation, Interface, Log};

/// Outcome of a method of a model.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Settings of `fmi2SetupExperiment`, checked: all numbers are finite, `stop >= start`, the tolerance is positive.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Experiment {
    /// Relative tolerance (1), if the host gave one.
    pub tolerance: Option<f64>,
    /// Start time (s).
    pub start: f64,
    /// Stop time (s), if the host gave one. No step will exceed it.
    pub stop: Option<f64>,
}

/// A communication step, checked: finite, `end > start`, `start` equals the end of the previous step bit by bit,
/// `end` does not exceed the stop time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Where the instance stands (s).
    pub start: f64,
    /// Where it shall go (s).
    pub end: f64,
    /// The host promises not to restore a state from before `start`.
    pub no_set_state_prior: bool,
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq)]
pub enum StepOutcome {
    /// The communication point is reached.
    Complete,
    /// The step ended early (`fmi2Discard`); the instance stands at `time` (s).
    Stopped {
        /// Time up to which results are good (s).
        time: f64,
        /// The model requests the end of the simulation (`fmi2Terminated`).
        terminate: bool,
        /// One sentence.
        reason: String,
    },
}

/// A model behind the FMI 2.0 co-simulation interface.
///
/// Variables are addressed by *slot*: the position among the variables of the same base type in the order of the
/// description, counted from zero; see [`ModelDescription::slots`](crate::description::ModelDescription::slots).
///
/// The caller has checked everything that the description and the standard allow to check: order of calls, existence,
/// type and settability of variables, finite numbers, limits, equal lengths of slices, time. Lists of slots are never
/// empty and may name a slot twice. Every method may panic without harm to the host: the instance becomes fatal.
///
/// Messages go to the [`Log`]; a returned [`Failure`] is logged by the caller.
pub trait CoSimulation: Sized + Send + 'static {
    /// A saved state; `()` if the model has none to offer.
    type State: Send + 'static;

    /// Makes an instance with start values.
    ///
    /// # Errors
    /// Resources are missing or wrong; the host gets no instance.
    fn instantiate(setup: &Instantiation, log: &mut Log) -> Outcome<Self>;

    /// The variables. Called once, right after [`instantiate`](Self::instantiate).
    fn interface(&self) -> Arc<Interface>;

    /// Hands over the flag that `fmi2CancelStep` raises while a step runs on another thread: the step should end early,
    /// with severity Discard. Called once, right after [`instantiate`](Self::instantiate). A model without long steps
    /// ignores it.
    fn stop_when(&mut self, _flag: Arc<AtomicBool>) {}

    /// Enters initialization mode. The experiment is the default (start 0 s) if the host has set none.
    ///
    /// # Errors
    /// Parameters do not fit together, or initial values cannot be computed.
    fn enter_initialization(&mut self, experiment: &Experiment, log: &mut Log) -> Outcome;

    /// Leaves initialization mode; afterwards the model is ready for the first step.
    ///
    /// # Errors
    /// Initial values cannot be computed.
    fn exit_initialization(&mut self, log: &mut Log) -> Outcome;

    /// Advances from `step.start` to `step.end`. `Ok(Complete)` promises that the end is reached.
    /// A failure with severity Discard means that nothing of the step is usable; the instance stands at `step.start`.
    ///
    /// # Errors
    /// The step cannot be computed.
    fn do_step(&mut self, step: &Step, log: &mut Log) -> Outcome<StepOutcome>;

    /// Ends the simulation; values stay readable.
    ///
    /// # Errors
    /// Final work fails.
    fn terminate(&mut self, _log: &mut Log) -> Outcome {
        Ok(())
    }

    /// Returns to the situation right after [`instantiate`](Self::instantiate): start values everywhere, nothing
    /// remembered. Also called after errors.
    ///
    /// # Errors
    /// The instance cannot be brought back.
    fn reset(&mut self, log: &mut Log) -> Outcome;

    /// Reads Reals into `values` (same length as `slots`), in their units.
    ///
    /// # Errors
    /// A value cannot be computed.
    fn get_real(&mut self, slots: &[u32], values: &mut [f64], log: &mut Log) -> Outcome;

    /// Sets Reals from `values` (same length as `slots`), in their units.
    ///
    /// # Errors
    /// A value does not fit the model.
    fn set_real(&mut self, slots: &[u32], values: &[f64], log: &mut Log) -> Outcome;

    /// Reads Integers and Enumerations; needed if the description has any.
    ///
    /// # Errors
    /// A value cannot be computed.
    fn get_integer(&mut self, _slots: &[u32], _values: &mut [i32], _log: &mut Log) -> Outcome {
        Err(missing("reading Integers"))
    }

    /// Sets Integers and Enumerations; needed if the description has any to set.
    ///
    /// # Errors
    /// A value does not fit the model.
    fn set_integer(&mut self, _slots: &[u32], _values: &[i32], _log: &mut Log) -> Outcome {
        Err(missing("setting Integers"))
    }

    /// Reads Booleans; needed if the description has any.
    ///
    /// # Errors
    /// A value cannot be computed.
    fn get_boolean(&mut self, _slots: &[u32], _values: &mut [bool], _log: &mut Log) -> Outcome {
        Err(missing("reading Booleans"))
    }

    /// Sets Booleans; needed if the description has any to set.
    ///
    /// # Errors
    /// A value does not fit the model.
    fn set_boolean(&mut self, _slots: &[u32], _values: &[bool], _log: &mut Log) -> Outcome {
        Err(missing("setting Booleans"))
    }

    /// Reads one String; needed if the description has any. It is copied at once.
    ///
    /// # Errors
    /// The value cannot be computed.
    fn get_string(&mut self, _slot: u32, _log: &mut Log) -> Outcome<&str> {
        Err(missing("reading Strings"))
    }

    /// Sets one String; needed if the description has any to set.
    ///
    /// # Errors
    /// The value does not fit the model.
    fn set_string(&mut self, _slot: u32, _value: &str, _log: &mut Log) -> Outcome {
        Err(missing("setting Strings"))
    }

    /// Sets derivatives of continuous Real inputs at the current communication point: `orders[i]` >= 1, `values[i]` in
    /// unit/s^order. They hold for the next step; a value set later by [`set_real`](Self::set_real) keeps them.
    ///
    /// # Errors
    /// Unsupported (`canInterpolateInputs`), or an order is too high.
    fn set_real_input_derivatives(
        &mut self,
        _slots: &[u32],
        _orders: &[u32],
        _values: &[f64],
        _log: &mut Log,
    ) -> Outcome {
        Err(Failure::unsupported("derivatives of inputs", "canInterpolateInputs=\"false\""))
    }

    /// Reads derivatives of outputs; 1 <= `orders[i]` <= `maxOutputDerivativeOrder`, `values[i]` in unit/s^order.
    ///
    /// # Errors
    /// Unsupported (`maxOutputDerivativeOrder`), or a value cannot be computed.
    fn get_real_output_derivatives(
        &mut self,
        _slots: &[u32],
        _orders: &[u32],
        _values: &mut [f64],
        _log: &mut Log,
    ) -> Outcome {
        Err(Failure::unsupported("derivatives of outputs", "maxOutputDerivativeOrder=\"0\""))
    }

    /// Derivative of the `unknowns` in the direction `seed` (as long as `knowns`), into `result` (as long as
    /// `unknowns`).
    ///
    /// # Errors
    /// Unsupported (`providesDirectionalDerivative`), or a variable is not an unknown or known.
    fn get_directional_derivative(
        &mut self,
        _unknowns: &[u32],
        _knowns: &[u32],
        _seed: &[f64],
        _result: &mut [f64],
        _log: &mut Log,
    ) -> Outcome {
        Err(Failure::unsupported("directional derivatives", "providesDirectionalDerivative=\"false\""))
    }

    /// Takes the state. Continuing after this, and restoring and continuing, must give the same bits.
    ///
    /// # Errors
    /// Unsupported (`canGetAndSetFMUstate`), or there is no sound state to take.
    fn save(&mut self, _log: &mut Log) -> Outcome<Self::State> {
        Err(Failure::unsupported("saving its state", "canGetAndSetFMUstate=\"false\""))
    }

    /// Returns to a state of this instance or one made by [`deserialize`](Self::deserialize).
    ///
    /// # Errors
    /// Unsupported, or the state does not fit; then nothing has changed.
    fn restore(&mut self, _state: &Self::State, _log: &mut Log) -> Outcome {
        Err(Failure::unsupported("restoring its state", "canGetAndSetFMUstate=\"false\""))
    }

    /// Appends the state as bytes, the same on every platform. GUID, version, length and checksum are the caller's job.
    ///
    /// # Errors
    /// Unsupported (`canSerializeFMUstate`).
    fn serialize(&self, _state: &Self::State, _bytes: &mut Vec<u8>) -> Outcome {
        Err(Failure::unsupported("serializing its state", "canSerializeFMUstate=\"false\""))
    }

    /// Reads a state from bytes that [`serialize`](Self::serialize) wrote for the same GUID, perhaps in another
    /// process.
    ///
    /// # Errors
    /// Unsupported, or the bytes do not describe a state of this model.
    fn deserialize(&self, _bytes: &[u8]) -> Outcome<Self::State> {
        Err(Failure::unsupported("deserializing its state", "canSerializeFMUstate=\"false\""))
    }
}

fn missing(what: &str) -> Failure {
    Failure::refused(format!("the model declares such variables but does not implement {what}"))
}
