//! A SUNDIALS matrix and linear solver that leave all work to the model.
//!
//! The matrix is an empty shell that exists because IDA's usual strategy (linearise seldom, reuse, correct for the
//! change of `c_j`) is reserved to solvers with a matrix; with a matrix-embedded solver IDA would never announce
//! when to linearise.

use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

use sundials_sys::{
    _generic_SUNLinearSolver, _generic_SUNMatrix, N_Vector, SUN_ERR_EXT_FAIL, SUN_SUCCESS, SUNErrCode,
    SUNLS_PACKAGE_FAIL_REC, SUNLinSolFreeEmpty, SUNLinSolNewEmpty, SUNLinearSolver, SUNLinearSolver_Type,
    SUNLinearSolver_Type_SUNLINEARSOLVER_DIRECT, SUNMatFreeEmpty, SUNMatNewEmpty, SUNMatrix, SUNMatrix_ID,
    SUNMatrix_ID_SUNMATRIX_CUSTOM,
};

use super::bridge::{BridgeOwner, bridge};
use super::context::Context;
use super::refusal::Refusal;
use super::slices::{slice, slice_mut};

/// The pair of matrix shell and solver; both must outlive the IDA block they are attached to.
pub(super) struct LinearSolver {
    solver: Owned<_generic_SUNLinearSolver>,
    matrix: Owned<_generic_SUNMatrix>,
}

/// A C object with the function that frees it.
struct Owned<T> {
    raw: NonNull<T>,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: `free` is the counterpart of the function that made `raw`, called once.
        unsafe { (self.free)(self.raw.as_ptr()) }
    }
}

impl LinearSolver {
    /// A solver that crosses `bridge`; context and bridge must outlive it.
    pub(super) fn new(context: &Context, bridge: &BridgeOwner) -> Result<Self, Refusal> {
        // SAFETY: the context is alive; the functions return null or an object that is ours to free.
        let matrix = NonNull::new(unsafe { SUNMatNewEmpty(context.raw()) });
        let raw = matrix.ok_or_else(|| Refusal::out_of_memory("SUNMatNewEmpty"))?;
        let matrix = Owned { raw, free: SUNMatFreeEmpty };
        // SAFETY: as above.
        let solver = NonNull::new(unsafe { SUNLinSolNewEmpty(context.raw()) });
        let raw = solver.ok_or_else(|| Refusal::out_of_memory("SUNLinSolNewEmpty"))?;
        let solver = Owned { raw, free: SUNLinSolFreeEmpty };
        // SAFETY: both objects are live, only ours, and come with a table of operations, all of them null so far.
        unsafe {
            let operations = &mut *matrix.raw.as_ref().ops;
            operations.getid = Some(matrix_id);
            operations.zero = Some(matrix_zero);
            let shell = &mut *solver.raw.as_ptr();
            shell.content = bridge.user_data();
            let operations = &mut *shell.ops;
            operations.gettype = Some(solver_type);
            operations.solve = Some(solve);
        }
        Ok(Self { solver, matrix })
    }

    /// The C handles, valid as long as `self`.
    pub(super) fn raw(&mut self) -> (SUNLinearSolver, SUNMatrix) {
        (self.solver.raw.as_ptr(), self.matrix.raw.as_ptr())
    }
}

unsafe extern "C" fn matrix_id(_matrix: SUNMatrix) -> SUNMatrix_ID {
    SUNMatrix_ID_SUNMATRIX_CUSTOM
}

unsafe extern "C" fn matrix_zero(_matrix: SUNMatrix) -> SUNErrCode {
    SUN_SUCCESS
}

unsafe extern "C" fn solver_type(_solver: SUNLinearSolver) -> SUNLinearSolver_Type {
    SUNLinearSolver_Type_SUNLINEARSOLVER_DIRECT
}

/// Solves `J x = b` with the model's matrix.
unsafe extern "C" fn solve(
    solver: SUNLinearSolver,
    _matrix: SUNMatrix,
    x: N_Vector,
    b: N_Vector,
    _tolerance: f64,
) -> c_int {
    // SAFETY: IDA passes the solver made above, whose content is the bridge, not borrowed because IDA calls one
    // callback at a time; x and b are distinct live vectors cloned from ours, hence of `num_rows` elements.
    let flag = unsafe {
        let content: *mut c_void = (*solver).content;
        let bridge = bridge(content);
        let rows = bridge.num_rows();
        bridge.solve(slice_mut(x, rows), slice(b, rows))
    };
    // IDA counts unknown negative flags of a linear solver as success, so one of its own flags is needed.
    match flag {
        0 => SUN_SUCCESS,
        1.. => SUNLS_PACKAGE_FAIL_REC.cast_signed(),
        _ => SUN_ERR_EXT_FAIL,
    }
}
