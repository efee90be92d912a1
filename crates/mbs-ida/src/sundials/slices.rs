//! Numbers of vectors that C code lends to callbacks.

use sundials_sys::{N_VGetArrayPointer, N_Vector};

/// The numbers of a vector that C code lends to a callback.
///
/// # Safety
/// `vector` is a live serial vector of at least `len` initialised numbers, not written to during `'a`.
pub(super) unsafe fn slice<'a>(vector: N_Vector, len: usize) -> &'a [f64] {
    // SAFETY: promised by the caller; the data pointer of a serial vector of positive length is not null.
    unsafe { std::slice::from_raw_parts(N_VGetArrayPointer(vector), len) }
}

/// The numbers of a vector that C code lends to a callback, to be written.
///
/// # Safety
/// As for [`slice`], and nothing else refers to the numbers during `'a`.
pub(super) unsafe fn slice_mut<'a>(vector: N_Vector, len: usize) -> &'a mut [f64] {
    // SAFETY: promised by the caller; the data pointer of a serial vector of positive length is not null.
    unsafe { std::slice::from_raw_parts_mut(N_VGetArrayPointer(vector), len) }
}
