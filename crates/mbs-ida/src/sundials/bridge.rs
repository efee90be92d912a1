//! The bridge that C callbacks cross to reach the model, and back.

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{NonNull, null_mut};

use mbs::dynamics::EvaluationError;
use mbs::simulation::integrator::DaeSystem;
use sundials_sys::{N_Vector, SUNMatrix};

use super::slices::{slice, slice_mut};

/// Return values of callbacks, as IDA defines them.
const SUCCESS: c_int = 0;
const RECOVERABLE: c_int = 1;
const FATAL: c_int = -1;

/// Bound for infinite root functions \[-\]: large, yet with differences and products that stay finite.
const LARGEST_ROOT: f64 = 1e150;

/// Calls of the model since the last [`Bridge::take_calls`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Calls {
    /// Residuals.
    pub(crate) residuals: u64,
    /// Linearisations.
    pub(crate) linearizations: u64,
    /// Linear solves.
    pub(crate) solves: u64,
    /// Root functions.
    pub(crate) roots: u64,
}

/// Where the Newton matrix in use was made.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Linearization {
    /// Time \[s\].
    pub(crate) t: f64,
    /// Factor of `df/dy'` \[1/s\].
    pub(crate) c_j: f64,
    /// Variables.
    pub(crate) y: Vec<f64>,
    /// Their derivatives.
    pub(crate) yp: Vec<f64>,
}

/// Data of the callbacks, and their results.
#[derive(Default)]
pub(crate) struct Bridge {
    /// Address of the `&mut dyn DaeSystem` lent to the running [`super::Memory::step`]; null outside.
    system: *mut c_void,
    /// Variables of the model.
    num_variables: usize,
    /// Length of IDA's vectors: as many, but at least one.
    num_rows: usize,
    /// Root functions of the segment.
    num_roots: usize,
    /// The last linearisation since the restart; its arrays are reused.
    linearization: Linearization,
    linearized: bool,
    calls: Calls,
    /// The last complaint of the model.
    problem: Option<EvaluationError>,
    /// The payload of a panic of the model.
    panic: Option<Box<dyn Any + Send>>,
    /// IDA's own messages, separated by "; ".
    messages: String,
}

impl Bridge {
    /// Sets the number of root functions of the segment.
    pub(super) fn set_num_roots(&mut self, num_roots: usize) {
        self.num_roots = num_roots;
    }

    /// Number of root functions of the segment.
    pub(super) fn num_roots(&self) -> usize {
        self.num_roots
    }

    /// Keeps the point of a linearisation.
    pub(crate) fn note_linearization(&mut self, t: f64, c_j: f64, y: &[f64], yp: &[f64]) {
        let kept = &mut self.linearization;
        (kept.t, kept.c_j) = (t, c_j);
        kept.y.clear();
        kept.y.extend_from_slice(y);
        kept.yp.clear();
        kept.yp.extend_from_slice(yp);
        self.linearized = true;
    }

    /// Drops the linearisation of an earlier start.
    pub(super) fn forget_linearization(&mut self) {
        self.linearized = false;
    }

    /// The last linearisation since the restart.
    pub(crate) fn linearization(&self) -> Option<&Linearization> {
        self.linearized.then_some(&self.linearization)
    }

    /// Drops complaints and messages of earlier steps.
    pub(super) fn clear_reports(&mut self) {
        self.problem = None;
        self.panic = None;
        self.messages.clear();
    }

    /// Appends a message of IDA.
    pub(super) fn note_message(&mut self, message: &str) {
        if !self.messages.is_empty() {
            self.messages.push_str("; ");
        }
        self.messages.push_str(message.trim_end_matches(['.', ',', ' ', '\n']));
    }

    /// Calls counted since the last time.
    pub(crate) fn take_calls(&mut self) -> Calls {
        std::mem::take(&mut self.calls)
    }

    /// The last complaint of the model during the last step.
    pub(crate) fn take_problem(&mut self) -> Option<EvaluationError> {
        self.problem.take()
    }

    /// The payload of a panic of the model during the last step.
    pub(crate) fn take_panic(&mut self) -> Option<Box<dyn Any + Send>> {
        self.panic.take()
    }

    /// IDA's own messages of the last call.
    pub(crate) fn take_messages(&mut self) -> String {
        std::mem::take(&mut self.messages)
    }

    /// Lends a model to the callbacks.
    ///
    /// # Safety
    /// Until [`Bridge::unlend`], `system` points to a live `&mut dyn DaeSystem` that nobody else uses.
    pub(super) unsafe fn lend(&mut self, system: *mut &mut dyn DaeSystem) {
        self.system = system.cast();
    }

    /// Takes the model back.
    pub(super) fn unlend(&mut self) {
        self.system = null_mut();
    }

    /// Calls the model and translates its result; a panic is caught here and kept.
    fn evaluate(&mut self, work: impl FnOnce(&mut dyn DaeSystem) -> Result<(), EvaluationError>) -> c_int {
        if self.panic.is_some() || self.system.is_null() {
            return FATAL;
        }
        // SAFETY: not null, so `lend` was called and its promise holds: the reference is live and only ours.
        let system: &mut dyn DaeSystem = unsafe { &mut **self.system.cast::<&mut dyn DaeSystem>() };
        match catch_unwind(AssertUnwindSafe(|| work(system))) {
            Ok(Ok(())) => SUCCESS,
            Ok(Err(error)) => {
                let flag = if matches!(error, EvaluationError::Fatal(_)) { FATAL } else { RECOVERABLE };
                self.problem = Some(error);
                flag
            }
            Err(payload) => {
                self.panic = Some(payload);
                FATAL
            }
        }
    }

    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> c_int {
        self.calls.residuals += 1;
        let n = self.num_variables;
        residual[n..].copy_from_slice(&yp[n..]);
        self.evaluate(|system| {
            system.residual(t, &y[..n], &yp[..n], &mut residual[..n])?;
            require_finite(t, residual)
        })
    }

    fn linearize(&mut self, t: f64, c_j: f64, y: &[f64], yp: &[f64]) -> c_int {
        self.calls.linearizations += 1;
        let n = self.num_variables;
        self.note_linearization(t, c_j, &y[..n], &yp[..n]);
        self.evaluate(|system| system.linearize(t, c_j, &y[..n], &yp[..n]))
    }

    /// Solves for `x`; returns one of the constants above.
    pub(super) fn solve(&mut self, x: &mut [f64], b: &[f64]) -> c_int {
        self.calls.solves += 1;
        let n = self.num_variables;
        x.copy_from_slice(b);
        x[n..].iter_mut().for_each(|value| *value /= self.linearization.c_j);
        self.evaluate(|system| system.solve(&mut x[..n]))
    }

    fn roots(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> c_int {
        self.calls.roots += 1;
        let n = self.num_variables;
        self.evaluate(|system| {
            system.roots(t, &y[..n], &yp[..n], roots)?;
            bound_roots(t, roots)
        })
    }

    /// Length of IDA's vectors.
    pub(super) fn num_rows(&self) -> usize {
        self.num_rows
    }
}

/// Refuses a residual that is not finite: IDA would take it for slow convergence and name no culprit.
///
/// The sum of four partial sums is finite if every element is (below 1e308), so one pass of additions is enough.
fn require_finite(t: f64, residual: &[f64]) -> Result<(), EvaluationError> {
    let (quads, rest) = residual.as_chunks::<4>();
    let sums = quads.iter().fold([0.0; 4], |sums: [f64; 4], quad| std::array::from_fn(|k| sums[k] + quad[k]));
    if (sums.iter().sum::<f64>() + rest.iter().sum::<f64>()).is_finite() {
        return Ok(());
    }
    match residual.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(row) => Err(EvaluationError::Recoverable(format!(
            "the residual of equation {row} (counted from 0) is {} at t = {t} s; it must be finite",
            residual[row]
        ))),
    }
}

/// Bounds infinite root functions and refuses NaN, both of which would send IDA's root search astray.
fn bound_roots(t: f64, roots: &mut [f64]) -> Result<(), EvaluationError> {
    for (index, value) in roots.iter_mut().enumerate() {
        if value.is_nan() {
            let message = format!("root function {index} (counted from 0) is NaN at t = {t} s; it must be a number");
            return Err(EvaluationError::Fatal(message));
        }
        *value = value.clamp(-LARGEST_ROOT, LARGEST_ROOT);
    }
    Ok(())
}

/// Owns a bridge at an address that C code may keep.
pub(super) struct BridgeOwner(NonNull<Bridge>);

impl BridgeOwner {
    /// A bridge for a model of `num_variables`, whose vectors have `num_rows` elements.
    pub(super) fn new(num_variables: usize, num_rows: usize) -> Self {
        let bridge = Bridge { num_variables, num_rows, ..Bridge::default() };
        Self(NonNull::from(Box::leak(Box::new(bridge))))
    }

    /// The address that callbacks get back.
    pub(super) fn user_data(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    /// The bridge, while no C code runs.
    pub(super) fn get(&mut self) -> &mut Bridge {
        // SAFETY: alive until drop; `&mut self` excludes a second reference on our side, and callbacks make theirs only
        // while `Memory` runs IDA, when no reference from here is alive.
        unsafe { self.0.as_mut() }
    }
}

impl Drop for BridgeOwner {
    fn drop(&mut self) {
        // SAFETY: came from a Box, goes back once; all C objects that know the address are gone (module order).
        unsafe { drop(Box::from_raw(self.0.as_ptr())) }
    }
}

/// The bridge behind a user-data pointer.
///
/// # Safety
/// `user_data` came from [`BridgeOwner::user_data`], its owner is alive, and no other reference to the bridge is.
pub(super) unsafe fn bridge<'a>(user_data: *mut c_void) -> &'a mut Bridge {
    // SAFETY: promised by the caller.
    unsafe { &mut *user_data.cast::<Bridge>() }
}

/// IDA's residual callback.
pub(super) unsafe extern "C" fn residual(
    t: f64,
    y: N_Vector,
    yp: N_Vector,
    r: N_Vector,
    user_data: *mut c_void,
) -> c_int {
    // SAFETY: IDA passes our user data and three distinct live vectors cloned from ours, hence of `num_rows` elements;
    // IDA calls one callback at a time, so the bridge is not borrowed.
    unsafe {
        let bridge = bridge(user_data);
        let rows = bridge.num_rows;
        bridge.residual(t, slice(y, rows), slice(yp, rows), slice_mut(r, rows))
    }
}

/// IDA's Jacobian callback; the matrix itself stays with the model.
#[allow(clippy::too_many_arguments)] // the signature is IDA's
pub(super) unsafe extern "C" fn jacobian(
    t: f64,
    c_j: f64,
    y: N_Vector,
    yp: N_Vector,
    _residual: N_Vector,
    _matrix: SUNMatrix,
    user_data: *mut c_void,
    _work1: N_Vector,
    _work2: N_Vector,
    _work3: N_Vector,
) -> c_int {
    // SAFETY: as in `residual`; the vectors are only read.
    unsafe {
        let bridge = bridge(user_data);
        let rows = bridge.num_rows;
        bridge.linearize(t, c_j, slice(y, rows), slice(yp, rows))
    }
}

/// IDA's root callback.
pub(super) unsafe extern "C" fn roots(t: f64, y: N_Vector, yp: N_Vector, g: *mut f64, user_data: *mut c_void) -> c_int {
    // SAFETY: as in `residual`; `g` is IDA's array of as many numbers as IDARootInit was told, which is `num_roots`. It
    // may be uninitialised the first time, so zeros are written before a reference is made.
    unsafe {
        let bridge = bridge(user_data);
        let rows = bridge.num_rows;
        g.write_bytes(0, bridge.num_roots);
        let values = std::slice::from_raw_parts_mut(g, bridge.num_roots);
        bridge.roots(t, slice(y, rows), slice(yp, rows), values)
    }
}
