//! The interface between the engine and a variable-step integrator of differential-algebraic equations.
//!
//! The engine offers a [`DaeSystem`] and drives an [`Integrator`]; these two traits are all that they share. One
//! segment of a simulation is one [`Integrator::restart`] followed by [`Integrator::step`]s.

use std::fmt;
use std::ops::Range;

use crate::dynamics::EvaluationError;
use crate::math::{Scales, Seconds};

/// The implicit system `0 = f(t, y, y')` of one segment, together with its Newton matrix and root functions.
pub trait DaeSystem {
    /// Number of variables `n` = length of `y`, `y'` and the residual.
    fn num_variables(&self) -> usize;

    /// Number of root functions.
    fn num_roots(&self) -> usize;

    /// Writes the residual `f(t, y, y')` (length `n`).
    ///
    /// # Errors
    /// [`EvaluationError`] when the point is outside the domain of the model.
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvaluationError>;

    /// Prepares [`DaeSystem::solve`] for the Newton matrix `J = df/dy + c_j df/dy'` at the given point.
    ///
    /// # Errors
    /// [`EvaluationError`] when the matrix cannot be formed or is singular.
    fn linearize(&mut self, t: f64, c_j: f64, y: &[f64], yp: &[f64]) -> Result<(), EvaluationError>;

    /// Solves `J x = b` in place with the matrix of the last [`DaeSystem::linearize`] (length `n`).
    ///
    /// # Errors
    /// [`EvaluationError`] when the solution is not finite.
    fn solve(&mut self, b: &mut [f64]) -> Result<(), EvaluationError>;

    /// Writes the root functions (length [`DaeSystem::num_roots`]); a sign change is located by the integrator.
    ///
    /// # Errors
    /// [`EvaluationError`] when the point is outside the domain of the model.
    fn roots(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Result<(), EvaluationError>;
}

/// Largest first step of a segment, relative to the scale of time: accelerations last about as long.
const LARGEST_FIRST_STEP: f64 = 1e-3;

/// Largest first step \[s\] of a segment of a model.
pub(in crate::simulation) fn largest_first_step(scales: &Scales) -> f64 {
    LARGEST_FIRST_STEP * scales.time
}

/// Everything an integrator needs to (re)start at a consistent point.
#[derive(Debug, Clone, Copy)]
pub struct StartPoint<'a> {
    /// Time \[s\].
    pub t: f64,
    /// Variables (length `n`).
    pub y: &'a [f64],
    /// Consistent derivatives (length `n`).
    pub yp: &'a [f64],
    /// `true` for differential, `false` for algebraic variables (length `n`).
    pub differential: &'a [bool],
    /// Relative tolerance, in (0, 1).
    pub relative_tolerance: f64,
    /// Absolute tolerance of every variable, in its unit, positive (length `n`).
    pub absolute_tolerance: &'a [f64],
    /// Number of root functions of the segment.
    pub num_roots: usize,
    /// Largest first step that the integrator chooses \[s\].
    pub largest_first_step: f64,
    /// First step to try \[s\]; chosen by the integrator when absent.
    pub initial_step: Option<f64>,
    /// Largest step \[s\]; unlimited when absent.
    pub max_step: Option<f64>,
}

/// What one call of [`Integrator::step`] did.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum StepOutcome {
    /// One step was accepted; the solution is known up to `t`.
    Stepped {
        /// End of the step \[s\].
        t: f64,
    },
    /// A root function changed its sign at `t`, inside the last step; see [`Integrator::root_directions`].
    Root {
        /// Time of the root \[s\].
        t: f64,
    },
    /// The limit of the call was reached exactly.
    Limit {
        /// The limit \[s\].
        t: f64,
    },
}

impl StepOutcome {
    /// Time up to which the solution is known and free of unhandled roots \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        match *self {
            Self::Stepped { t } | Self::Root { t } | Self::Limit { t } => t,
        }
    }
}

/// Why an integrator could not continue.
#[derive(Debug, Clone, PartialEq)]
pub enum IntegratorError {
    /// The start values, tolerances or sizes are unusable; the text names them and the remedy.
    InvalidStart(String),
    /// The step could not be completed at time `t`.
    StepFailed {
        /// Time reached \[s\].
        t: f64,
        /// Last step size \[s\].
        h: f64,
        /// Cause, in words, with the integrator's own message.
        message: String,
    },
    /// The model could not be evaluated.
    Evaluation {
        /// Time reached \[s\].
        t: f64,
        /// The model's own message.
        error: EvaluationError,
    },
    /// Called in the wrong order, e.g. a step before the first restart.
    Misuse(String),
}

impl fmt::Display for IntegratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidStart(message) => write!(f, "the integrator cannot start: {message}"),
            Self::StepFailed { t, h, message } => {
                write!(f, "the integrator stopped at t = {} s with step size {h:e} s: {message}", Seconds(*t))
            }
            Self::Evaluation { t, error } => {
                write!(f, "the model cannot be evaluated near t = {} s: {error}", Seconds(*t))
            }
            Self::Misuse(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for IntegratorError {}

/// Counters of the work done; sums over all restarts since the integrator was created or cleared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct IntegratorStatistics {
    /// Accepted steps.
    pub steps: u64,
    /// Residual evaluations, all purposes.
    pub residual_evaluations: u64,
    /// Linearisations (Newton matrices formed and factorised).
    pub jacobian_evaluations: u64,
    /// Linear solves.
    pub linear_solves: u64,
    /// Nonlinear iterations.
    pub nonlinear_iterations: u64,
    /// Nonlinear convergence failures.
    pub convergence_failures: u64,
    /// Local error test failures.
    pub error_test_failures: u64,
    /// Root function evaluations.
    pub root_evaluations: u64,
    /// Restarts.
    pub restarts: u64,
}

/// Everything that decides how a segment continues after the steps taken: bytes in the integrator's own form.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct History(pub Vec<u8>);

/// A variable-step integrator with dense output and root finding.
pub trait Integrator: Send {
    /// Copies the history of the present segment; changes nothing.
    ///
    /// # Errors
    /// [`IntegratorError::Misuse`] when no segment runs.
    fn history(&mut self) -> Result<History, IntegratorError>;

    /// Continues from a history saved earlier, perhaps by another integrator, bit-equal to an uninterrupted run.
    /// `start` has the sizes, tolerances and marks of that segment; its point need only be finite. The model recomputes
    /// the Newton matrix in use at the point where it was computed last. Statistics are not changed.
    ///
    /// # Errors
    /// [`IntegratorError`] for a history of another integrator or problem, or one that the model cannot be evaluated
    /// for; the next call must be a restart or another attempt.
    fn resume(
        &mut self,
        start: &StartPoint<'_>,
        history: &History,
        system: &mut dyn DaeSystem,
    ) -> Result<(), IntegratorError>;

    /// Starts a new segment. All history is dropped; sizes may differ from the previous segment.
    ///
    /// # Errors
    /// [`IntegratorError::InvalidStart`] for unusable values (wrong lengths, not finite, tolerances not positive).
    fn restart(&mut self, start: &StartPoint<'_>) -> Result<(), IntegratorError>;

    /// Takes one internal step (or returns the next root inside the step already taken), never beyond `limit` \[s\].
    ///
    /// # Errors
    /// [`IntegratorError`] when the step fails; the solution up to the last accepted step stays available.
    fn step(&mut self, system: &mut dyn DaeSystem, limit: Option<f64>) -> Result<StepOutcome, IntegratorError>;

    /// Announces that in the next step a force may begin that no earlier step has foreshadowed: the error is judged as
    /// if the steps before had been no longer than `step` \[s\]; `None` if nothing begins. Holds for one step of the
    /// integrator.
    fn expect_onset(&mut self, step: Option<f64>);

    /// Announces whether vibrations ring on which are faster than what is of interest: only formulas that amplify no
    /// vibration, those of orders one and two, then serve (Dahlquist 1963). Holds for one step of the integrator.
    fn expect_ringing(&mut self, rings: bool);

    /// Announces that the stiffness may change abruptly in the next step, so that earlier convergence rates of Newton's
    /// iteration do not apply: the rate is measured in the step. Holds for one step of the integrator.
    fn measure_convergence(&mut self);

    /// Lets Newton's iteration end at errors that are smaller than usual by a factor, in (0, 1]. Holds until the next
    /// restart.
    fn sharpen_newton(&mut self, factor: f64);

    /// Multiplies the absolute tolerances of the variables `range`, as the restart gave them, by two to the power
    /// `exponent`. Holds until the next restart; the range must be the same until then.
    fn relax(&mut self, range: Range<usize>, exponent: i32);

    /// Writes `y` and `y'` at a time inside the last accepted step (both of length `n`).
    ///
    /// # Errors
    /// [`IntegratorError::Misuse`] when `t` is outside the last step.
    fn interpolate(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), IntegratorError>;

    /// Writes `y` alone at a time inside the last accepted step (of length `n`).
    ///
    /// # Errors
    /// As [`Integrator::interpolate`].
    fn interpolate_variables(&mut self, t: f64, y: &mut [f64]) -> Result<(), IntegratorError>;

    /// After [`StepOutcome::Root`]: +1 or -1 for every root function that rose or fell through zero, else 0.
    fn root_directions(&self) -> &[i32];

    /// End of the last accepted internal step \[s\] (after a root: still the end of the whole step).
    fn internal_time(&self) -> f64;

    /// Size of the last accepted step \[s\]; zero before the first one.
    fn last_step(&self) -> f64;

    /// Size of the step that would be tried next \[s\].
    fn next_step(&self) -> f64;

    /// Order of the last accepted step; zero before the first one.
    fn last_order(&self) -> u32;

    /// The variable with the largest estimated error of the last step, measured by its tolerance; none if that is not
    /// known.
    fn least_accurate(&mut self) -> Option<usize> {
        None
    }

    /// Work done so far.
    fn statistics(&self) -> IntegratorStatistics;

    /// Sets all counters, e.g. to zero or to those of a saved state.
    fn set_statistics(&mut self, statistics: IntegratorStatistics);
}
