//! One running model behind the life cycle of the standard. All safe code; the C layer only translates arguments.

mod checks;
mod clock;
mod derivatives;
mod snapshot;
mod state_store;
mod states;
mod step_status;
mod values;

use std::collections::BTreeSet;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use self::clock::Timeline;
use self::state_store::StateStore;
use self::step_status::StepReport;
use crate::{
    CoSimulation, Failure, Function, Instantiation, Interface, Log, LogFilter, Outcome, Phase, Record, Severity,
};
use crate::{Status, Step, StepOutcome};

pub use self::states::StateHandle;
pub use self::step_status::StatusKind;
pub(crate) use self::values::c_string;

/// Result of a call on an instance: a value, or the status for the host (its reason is in the log).
pub type Answer<T = ()> = Result<T, Status>;

/// One instance: model, life-cycle state, clock, log, saved states, returned strings.
#[derive(Debug)]
pub struct Instance<M: CoSimulation> {
    model: M,
    interface: Arc<Interface>,
    phase: Phase,
    clock: Timeline,
    last_step: StepReport,
    log: Log,
    states: StateStore<M::State>,
    /// Strings handed out by the last call that returned strings; they live until the next such call.
    strings: Vec<CString>,
    /// Reused buffers, so that calls do not allocate.
    slots: Vec<u32>,
    booleans: Vec<bool>,
    steps: Arc<RunningSteps>,
}

/// Data of a running step that are shared with other threads.
#[derive(Debug, Default)]
pub(crate) struct RunningSteps {
    /// Whether a step runs.
    running: AtomicBool,
    /// Raised to end it early.
    stop: Arc<AtomicBool>,
}

impl RunningSteps {
    /// Requests the early end of the running step; false if none runs.
    pub(crate) fn stop(&self) -> bool {
        let runs = self.running.load(Ordering::SeqCst);
        if runs {
            self.stop.store(true, Ordering::SeqCst);
        }
        runs
    }
}

impl<M: CoSimulation> Instance<M> {
    /// Makes an instance and compares the GUID of the host with that of the model. The log is given back in both cases.
    ///
    /// # Errors
    /// The model refuses or breaks, or the GUID is another; the log holds the reason.
    pub fn new(setup: &Instantiation, mut log: Log) -> Result<Self, Log> {
        match Self::make(setup, &mut log) {
            Ok((model, interface)) => Ok(Self {
                model,
                interface,
                phase: Phase::Instantiated,
                clock: Timeline::default(),
                last_step: StepReport::default(),
                log,
                states: StateStore::default(),
                strings: Vec::new(),
                slots: Vec::new(),
                booleans: Vec::new(),
                steps: Arc::default(),
            }
            .listening()),
            Err(failure) => {
                log.failure(failure.status(), format!("fmi2Instantiate: {failure}"));
                Err(log)
            }
        }
    }

    /// Passes the flag that ends steps early to the model.
    fn listening(mut self) -> Self {
        self.model.stop_when(self.steps.stop.clone());
        self
    }

    /// Data of a running step that are shared with other threads.
    pub(crate) fn steps(&self) -> Arc<RunningSteps> {
        self.steps.clone()
    }

    fn make(setup: &Instantiation, log: &mut Log) -> Outcome<(M, Arc<Interface>)> {
        let model = M::instantiate(setup, log)?;
        let interface = model.interface();
        let (given, own) = (bare(&setup.guid), bare(interface.guid()));
        if given != own {
            return Err(Failure::refused(format!(
                "the GUID {given:?} is not that of this model, {own:?}; the model description and the library belong \
                 to different exports"
            )));
        }
        Ok((model, interface))
    }

    /// Life-cycle state.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The variables.
    pub fn interface(&self) -> &Arc<Interface> {
        &self.interface
    }

    /// Takes the messages collected since the last time.
    pub fn take_log(&mut self) -> Vec<Record> {
        self.log.take()
    }

    /// Switches debug logging; no categories means all.
    ///
    /// # Errors
    /// A category is not declared.
    pub fn set_debug_logging(&mut self, logging_on: bool, categories: &[&str]) -> Answer {
        self.call(Function::SetDebugLogging, |this| {
            let declared = this.interface.log_categories();
            if let Some(unknown) = categories.iter().find(|category| !declared.contains(**category)) {
                let known: Vec<&str> = declared.iter().map(String::as_str).collect();
                let message = format!("there is no log category {unknown:?}; there are {}", known.join(", "));
                return Err(Failure::refused(message));
            }
            let wanted: BTreeSet<String> = categories.iter().map(|category| (*category).to_owned()).collect();
            let categories = (!wanted.is_empty()).then_some(wanted);
            this.log.set_filter(LogFilter { logging_on, categories });
            Ok(())
        })
    }

    /// Stores tolerance (1), start and stop time (s).
    ///
    /// # Errors
    /// A number makes no sense, or the life-cycle state is wrong.
    pub fn setup_experiment(&mut self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Answer {
        self.call(Function::SetupExperiment, |this| {
            this.clock = Timeline::new(tolerance, start, stop)?;
            Ok(())
        })
    }

    /// Enters initialization mode.
    ///
    /// # Errors
    /// The model fails, or the life-cycle state is wrong.
    pub fn enter_initialization(&mut self) -> Answer {
        self.call(Function::EnterInitializationMode, |this| {
            let entered = this.model.enter_initialization(&this.clock.experiment, &mut this.log);
            entered.map_err(never_discards)?;
            this.phase = Phase::InitializationMode;
            Ok(())
        })
    }

    /// Leaves initialization mode.
    ///
    /// # Errors
    /// The model fails, or the life-cycle state is wrong.
    pub fn exit_initialization(&mut self) -> Answer {
        self.call(Function::ExitInitializationMode, |this| {
            this.model.exit_initialization(&mut this.log).map_err(never_discards)?;
            this.phase = Phase::StepComplete;
            this.last_step = StepReport::at(this.clock.time);
            Ok(())
        })
    }

    /// Performs a communication step from `point` (s) of `size` (s).
    ///
    /// # Errors
    /// Discard: the model stopped early. Error: the arguments or the life-cycle state are wrong, or the model failed.
    pub fn do_step(&mut self, point: f64, size: f64, no_set_state_prior: bool) -> Answer {
        self.call(Function::DoStep, |this| {
            let step = this.clock.step(point, size, no_set_state_prior)?;
            let outcome = this.run_step(&step);
            this.conclude_step(step.start, step.end, outcome)
        })
    }

    /// Lets the model step; meanwhile another thread may end the step early.
    fn run_step(&mut self, step: &Step) -> Outcome<StepOutcome> {
        /// Lowers the flags also when the model panics.
        struct Running<'a>(&'a RunningSteps);
        impl Drop for Running<'_> {
            fn drop(&mut self) {
                self.0.running.store(false, Ordering::SeqCst);
                self.0.stop.store(false, Ordering::SeqCst);
            }
        }
        let steps = self.steps.clone();
        steps.stop.store(false, Ordering::SeqCst);
        steps.running.store(true, Ordering::SeqCst);
        let _running = Running(&steps);
        self.model.do_step(step, &mut self.log)
    }

    /// Books the result of a step.
    fn conclude_step(&mut self, start: f64, end: f64, outcome: Outcome<StepOutcome>) -> Outcome {
        match outcome {
            Ok(StepOutcome::Complete) => {
                self.clock.time = end;
                self.last_step = StepReport::at(end);
                Ok(())
            }
            Ok(StepOutcome::Stopped { time, terminate, reason }) => {
                let reached = if time >= start && time <= end { time } else { start };
                self.fail_step(reached, terminate);
                Err(Failure::discard(format!("the step from {start} s to {end} s ended at {reached} s: {reason}")))
            }
            Err(failure) => {
                if failure.severity == Severity::Discard {
                    self.fail_step(start, false);
                }
                Err(failure)
            }
        }
    }

    fn fail_step(&mut self, reached: f64, terminated: bool) {
        self.clock.time = reached;
        self.last_step = StepReport { status: Status::Discard, time: reached, terminated };
        self.phase = Phase::StepFailed;
    }

    /// Ends the simulation.
    ///
    /// # Errors
    /// The model fails, or the life-cycle state is wrong.
    pub fn terminate(&mut self) -> Answer {
        self.call(Function::Terminate, |this| {
            this.model.terminate(&mut this.log)?;
            this.phase = Phase::Terminated;
            Ok(())
        })
    }

    /// Returns to the situation right after instantiation. Saved states stay valid.
    ///
    /// # Errors
    /// The model fails, or the life-cycle state is wrong.
    pub fn reset(&mut self) -> Answer {
        self.call(Function::Reset, |this| {
            this.model.reset(&mut this.log)?;
            this.phase = Phase::Instantiated;
            this.clock = Timeline::default();
            this.last_step = StepReport::default();
            Ok(())
        })
    }

    /// Refuses: no step is in progress. One that is in progress holds the instance, and is stopped without it.
    ///
    /// # Errors
    /// Always.
    pub fn cancel_step(&mut self) -> Answer {
        let message = "there is no step in progress: fmi2DoStep returns when its step has ended";
        let broken = self.phase == Phase::Fatal;
        let failure = if broken { Failure::fatal(message) } else { Failure::refused(message) };
        Err(self.fail(Function::CancelStep, &failure))
    }

    /// Checks arguments before a call; a failure is logged under the name of the function.
    ///
    /// # Errors
    /// The failure's status.
    pub fn admit<T>(&mut self, function: Function, arguments: Outcome<T>) -> Answer<T> {
        arguments.map_err(|failure| self.fail(function, &failure))
    }

    /// Marks the instance as broken after a panic inside `function`.
    pub fn break_down(&mut self, function: Function, panic: &str) -> Status {
        self.fail(function, &Failure::fatal(format!("internal error, this instance cannot be used any more: {panic}")))
    }

    /// Marks the instance as broken after `function` was aborted for want of memory.
    pub(crate) fn run_out_of_memory(&mut self, function: Function) -> Status {
        self.fail(function, &Failure::out_of_memory())
    }

    /// Runs a call that the life-cycle state allows; logs its failure and moves to state Error or Fatal if it must.
    fn call<T>(&mut self, function: Function, body: impl FnOnce(&mut Self) -> Outcome<T>) -> Answer<T> {
        if !function.allowed().contains(self.phase) {
            return Err(self.refuse_in_this_phase(function));
        }
        body(self).map_err(|failure| self.fail(function, &failure))
    }

    #[cold]
    fn refuse_in_this_phase(&mut self, function: Function) -> Status {
        let allowed = Phase::ALL.into_iter().filter(|phase| function.allowed().contains(*phase));
        let allowed: Vec<&str> = allowed.map(Phase::words).collect();
        let message = format!("must not be called in {}; allowed in {}", self.phase.words(), allowed.join(", "));
        let broken = self.phase == Phase::Fatal;
        let failure = if broken { Failure::fatal(message) } else { Failure::refused(message) };
        self.fail(function, &failure)
    }

    #[cold]
    fn fail(&mut self, function: Function, failure: &Failure) -> Status {
        match failure.severity {
            Severity::Discard | Severity::Refused => {}
            Severity::Error => self.phase = Phase::Error,
            Severity::Fatal => self.phase = Phase::Fatal,
        }
        self.log.failure(failure.status(), format!("{}: {failure}", function.name()));
        failure.status()
    }
}

/// A GUID without the braces and blanks that some tools add.
fn bare(guid: &str) -> &str {
    let guid = guid.trim();
    guid.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(guid)
}

/// A start is never discarded: there is no shorter one to try.
fn never_discards(failure: Failure) -> Failure {
    let severity = if failure.severity == Severity::Discard { Severity::Error } else { failure.severity };
    Failure { severity, ..failure }
}
