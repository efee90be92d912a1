//! SUNDIALS IDA behind the trait [`Integrator`](mbs::simulation::integrator::Integrator): variable step, variable
//! order (BDF 1 to 5), root finding, dense output.
//!
//! [`Ida`] owns one IDA problem. The Newton matrix belongs to the engine: IDA requests it through
//! [`DaeSystem::linearize`](mbs::simulation::integrator::DaeSystem::linearize) when the step size or order has changed
//! enough or convergence is poor, reuses it in between, and corrects each solution for the change of `c_j` since.
//!
//! # Rules for an engine
//! - **A root function that is exactly zero at a restart is switched off.** IDA evaluates it again a tenth of the first
//!   step later, then only at the ends of steps, and a crossing before it was found away from zero is missed.
//!   Offset such a function (hysteresis) before restarting. A root function may be infinite, not NaN. One that stays
//!   exactly zero after its root, without a restart, is an error.
//! - **`differential` decides which variables take part in the error test.** A variable marked algebraic is left out of it, which
//!   is right for multipliers and wrong for outputs whose accuracy matters; nothing else depends on the mark.
//! - **Prefer stepping past a communication point** and
//!   [`interpolate`](mbs::simulation::integrator::Integrator::interpolate) to a limit at every point: a limit cuts the
//!   step size, and IDA needs several steps to recover.
//! - **Interpolated derivatives** are those of the interpolating polynomial: one order less accurate than `y`, and
//!   they satisfy the residual only to within the tolerance.
//! - **A failed or panicked step** leaves the solution up to the last accepted step available for interpolation; the
//!   next call must be a restart.
//! - **Without `initial_step`** the first step is the geometric mean of 1 ms and the time in which the variables change
//!   by half their tolerance (at most 1 ms). It does not depend on the limit, so that results do not depend on
//!   communication points. An engine that has a time scale should set it: a first step of the right
//!   size saves up to half of the steps and linearisations of a short segment.
//! - Work per call: no allocation after the first step of a segment; a restart of equal size allocates only the six
//!   small arrays of the root finder.
//!
//! # Saving and resuming
//! [`History`] holds everything that decides how an integration continues: IDA's divided differences, step sizes,
//! orders, counters and root functions, copied out of its memory block, and the point of the last linearisation, at
//! which the model makes its Newton matrix again. A resumed integration takes the same steps as one that was never
//! interrupted, bit by bit, in this or another process; saving changes nothing.
//!
//! # Silence
//! SUNDIALS never writes anything: its messages are collected and become part of the errors, its logger is absent, and
//! the environment variables `SUNLOGGER_*` are not read.

#![deny(unsafe_code)]
#![deny(clippy::undocumented_unsafe_blocks)]

mod failure;
mod history;
mod ida;
mod start;
#[allow(unsafe_code)]
mod sundials;

pub use history::History;
pub use ida::Ida;
