//! Vectors of numbers in memory of SUNDIALS.

use std::ptr::NonNull;

use sundials_sys::{_generic_N_Vector, N_VDestroy, N_VGetArrayPointer, N_VNew_Serial, N_Vector, sunindextype};

use super::context::Context;
use super::refusal::Refusal;
use super::slices::{slice, slice_mut};

/// An owned serial vector of fixed length.
pub(super) struct Vector {
    raw: NonNull<_generic_N_Vector>,
    len: usize,
}

impl Vector {
    /// A vector of `len` > 0 zeros. The context must outlive it.
    pub(super) fn new(len: usize, context: &Context) -> Result<Self, Refusal> {
        let length = sunindextype::try_from(len).map_err(|_| Refusal::out_of_memory("N_VNew_Serial"))?;
        // SAFETY: the context is alive; the function returns null or a vector that is ours to destroy.
        let raw = unsafe { N_VNew_Serial(length, context.raw()) };
        let raw = NonNull::new(raw).ok_or_else(|| Refusal::out_of_memory("N_VNew_Serial"))?;
        let mut vector = Self { raw, len };
        // SAFETY: the vector owns memory for `len` numbers (null only when out of memory, checked here); writing
        // through the pointer initialises them before any reference is made.
        unsafe {
            let data = N_VGetArrayPointer(vector.raw());
            if data.is_null() {
                return Err(Refusal::out_of_memory("N_VNew_Serial"));
            }
            data.write_bytes(0, len);
        }
        Ok(vector)
    }

    /// The C handle, valid as long as the vector.
    pub(super) fn raw(&mut self) -> N_Vector {
        self.raw.as_ptr()
    }

    /// The numbers.
    pub(super) fn as_slice(&self) -> &[f64] {
        // SAFETY: the vector holds `len` initialised numbers (see `new`), and C code writes to them only in calls that
        // take the handle, which needs `&mut self`.
        unsafe { slice(self.raw.as_ptr(), self.len) }
    }

    /// The numbers, to be written.
    pub(super) fn as_mut_slice(&mut self) -> &mut [f64] {
        // SAFETY: as in `as_slice`; `&mut self` makes the reference unique.
        unsafe { slice_mut(self.raw.as_ptr(), self.len) }
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        // SAFETY: created by N_VNew_Serial, destroyed once, and the context is still alive (see the module's order).
        unsafe { N_VDestroy(self.raw.as_ptr()) }
    }
}
