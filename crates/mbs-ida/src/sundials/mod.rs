//! The unsafe island: everything that touches SUNDIALS.
//!
//! Ownership is a tree without cycles. [`Memory`] owns, and frees in this order, the IDA block (which frees its own
//! history vectors and nonlinear solver), the [`linear solver`](linear_solver), the [`vectors`](vector), the
//! [`context`](context) and the [`bridge`](bridge). C code holds plain addresses of the last four, never longer than
//! the IDA block lives.
//!
//! A model is lent to C only inside [`Memory::step`]; the bridge drops its address before that function returns.

mod bridge;
mod context;
mod linear_solver;
mod memory;
mod power;
mod record;
mod refusal;
mod regrid;
mod slices;
mod vector;

pub(crate) use bridge::Linearization;
pub(crate) use memory::{Attempt, Memory, Progress};
pub(crate) use record::Record;
pub(crate) use refusal::Refusal;
