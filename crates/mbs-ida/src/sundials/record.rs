//! IDA's memory block, and the part of it that decides how the integration continues.
//!
//! IDA has no function to copy its history. The block is bound from the private header of the pinned release (see
//! `build.rs`), and everything that survives from one step to the next is copied out of it and back into a block that
//! has just been restarted for the same problem. Work space, pointers and settings stay where they are: work space is
//! written before it is read in every step, settings are those of the restart.

use std::ffi::{c_int, c_long};

use super::refusal::Refusal;
use super::slices::{slice, slice_mut};

/// The binding.
#[allow(
    non_snake_case,
    non_camel_case_types,
    non_upper_case_globals,
    dead_code,
    missing_docs,
    unreachable_pub,
    unsafe_op_in_unsafe_fn,
    clippy::all,
    clippy::undocumented_unsafe_blocks,
    clippy::unwrap_used
)]
mod bound {
    use sundials_sys::*;

    include!(concat!(env!("OUT_DIR"), "/ida_memory.rs"));
}

pub(super) use bound::IDAMemRec;

/// The release whose persistent data are known.
const SUPPORTED_VERSION: &[u8] = b"7.1.1\0";
const _: () = {
    let built: &[u8] = sundials_sys::SUNDIALS_VERSION;
    assert!(
        built.len() == SUPPORTED_VERSION.len(),
        "study what this release of SUNDIALS keeps between steps, then change SUPPORTED_VERSION"
    );
    let mut at = 0;
    while at < built.len() {
        assert!(
            built[at] == SUPPORTED_VERSION[at],
            "study what this release of SUNDIALS keeps between steps, then change SUPPORTED_VERSION"
        );
        at += 1;
    }
};

/// Divided differences of orders 0 to 5.
pub(super) const NUM_DIFFERENCES: usize = bound::MXORDP1 as usize;

/// What survives from one step to the next, as plain numbers; the lists have the order of [`visit`].
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Record {
    /// Divided differences, one vector after the other.
    vectors: Vec<f64>,
    /// Root functions at the ends of the interval searched and at the root, one array after the other.
    roots: Vec<f64>,
    reals: Vec<f64>,
    integers: Vec<i64>,
}

/// One pass over the scalars.
trait Visitor {
    fn real(&mut self, value: &mut f64);
    fn integer(&mut self, value: &mut c_int);
    fn count(&mut self, value: &mut c_long);
}

struct Copy<'a>(&'a mut Record);

impl Visitor for Copy<'_> {
    fn real(&mut self, value: &mut f64) {
        self.0.reals.push(*value);
    }
    fn integer(&mut self, value: &mut c_int) {
        self.0.integers.push(i64::from(*value));
    }
    fn count(&mut self, value: &mut c_long) {
        #[allow(clippy::useless_conversion)] // 32 bits on some platforms
        self.0.integers.push(i64::from(*value));
    }
}

struct Paste<R, I> {
    reals: R,
    integers: I,
}

impl<R: Iterator<Item = f64>, I: Iterator<Item = i64>> Visitor for Paste<R, I> {
    fn real(&mut self, value: &mut f64) {
        *value = self.reals.next().unwrap_or(*value);
    }
    fn integer(&mut self, value: &mut c_int) {
        *value = self.integers.next().and_then(|new| new.try_into().ok()).unwrap_or(*value);
    }
    #[allow(clippy::useless_conversion, reason = "this C type has 32 bits on some platforms")]
    fn count(&mut self, value: &mut c_long) {
        *value = self.integers.next().and_then(|new| new.try_into().ok()).unwrap_or(*value);
    }
}

/// All scalars that survive a step.
fn visit(ida: &mut IDAMemRec, visitor: &mut impl Visitor) {
    for values in [&mut ida.ida_psi, &mut ida.ida_alpha, &mut ida.ida_beta, &mut ida.ida_sigma, &mut ida.ida_gamma] {
        values.iter_mut().for_each(|value| visitor.real(value));
    }
    for value in [
        &mut ida.ida_hin,
        &mut ida.ida_h0u,
        &mut ida.ida_hh,
        &mut ida.ida_hused,
        &mut ida.ida_eta,
        &mut ida.ida_tn,
        &mut ida.ida_tretlast,
        &mut ida.ida_tstop,
        &mut ida.ida_cj,
        &mut ida.ida_cjlast,
        &mut ida.ida_cjold,
        &mut ida.ida_cjratio,
        &mut ida.ida_ss,
        &mut ida.ida_oldnrm,
        &mut ida.ida_epsNewt,
        &mut ida.ida_toldel,
        &mut ida.ida_tolsf,
        &mut ida.ida_tlo,
        &mut ida.ida_thi,
        &mut ida.ida_trout,
        &mut ida.ida_toutc,
        &mut ida.ida_ttol,
    ] {
        visitor.real(value);
    }
    for value in [
        &mut ida.ida_tstopset,
        &mut ida.ida_kk,
        &mut ida.ida_kused,
        &mut ida.ida_knew,
        &mut ida.ida_phase,
        &mut ida.ida_ns,
        &mut ida.ida_taskc,
        &mut ida.ida_irfnd,
    ] {
        visitor.integer(value);
    }
    for value in [
        &mut ida.ida_nst,
        &mut ida.ida_nre,
        &mut ida.ida_ncfn,
        &mut ida.ida_netf,
        &mut ida.ida_nni,
        &mut ida.ida_nnf,
        &mut ida.ida_nsetups,
        &mut ida.ida_nge,
    ] {
        visitor.count(value);
    }
}

/// Signs and switches of root functions. Before the first step the signs are as the allocator gave them, see
/// [`forget_roots`].
///
/// # Safety
/// `ida` is an initialised block.
unsafe fn switches<'a>(ida: &mut IDAMemRec) -> [&'a mut [c_int]; 2] {
    let n = usize::try_from(ida.ida_nrtfn).unwrap_or(0);
    if n == 0 {
        return [&mut [], &mut []];
    }
    // SAFETY: with n > 0 root functions, IDARootInit has allocated two distinct arrays of n numbers.
    unsafe { [std::slice::from_raw_parts_mut(ida.ida_iroots, n), std::slice::from_raw_parts_mut(ida.ida_gactive, n)] }
}

/// Values of root functions at the ends of the interval searched and at the root.
///
/// # Safety
/// `ida` is an initialised block. The arrays may be uninitialised before the first step: they are only copied from when
/// a step has been taken.
unsafe fn root_values<'a>(ida: &mut IDAMemRec) -> [&'a mut [f64]; 3] {
    let n = usize::try_from(ida.ida_nrtfn).unwrap_or(0);
    if n == 0 {
        return [&mut [], &mut [], &mut []];
    }
    [ida.ida_glo, ida.ida_ghi, ida.ida_grout].map(|values| {
        // SAFETY: with n > 0 root functions, IDARootInit has allocated three distinct arrays of n numbers.
        unsafe { std::slice::from_raw_parts_mut(values, n) }
    })
}

/// Fills the differences with zeros: IDA leaves those of orders it has not reached as the allocator gave them, and a
/// record holds all of them.
///
/// # Safety
/// As [`Record::copy_from`].
pub(super) unsafe fn clear_differences(ida: &mut IDAMemRec, rows: usize) {
    for vector in ida.ida_phi {
        // SAFETY: promised by the caller; nothing else refers to the numbers.
        unsafe { slice_mut(vector, rows) }.fill(0.0);
    }
}

/// Marks that no root was found: IDA does so in its first step, and a record may be made before.
///
/// # Safety
/// As [`Record::copy_from`].
pub(super) unsafe fn forget_roots(ida: &mut IDAMemRec) {
    let n = usize::try_from(ida.ida_nrtfn).unwrap_or(0);
    if n > 0 {
        // SAFETY: with n > 0 root functions, IDARootInit has allocated n numbers, and zero is all bits zero.
        unsafe { ida.ida_iroots.write_bytes(0, n) };
    }
}

impl Record {
    /// Copies what survives out of a block with vectors of `rows` elements into `self`.
    ///
    /// # Safety
    /// `ida` is an initialised block whose vectors have `rows` elements, and no C code runs on it.
    pub(super) unsafe fn copy_from(&mut self, ida: &mut IDAMemRec, rows: usize) {
        for list in [&mut self.vectors, &mut self.roots, &mut self.reals] {
            list.clear();
        }
        self.integers.clear();
        for vector in ida.ida_phi {
            // SAFETY: IDAInit has allocated all differences up to order 5 with `rows` elements.
            self.vectors.extend_from_slice(unsafe { slice(vector, rows) });
        }
        visit(ida, &mut Copy(self));
        // SAFETY: promised by the caller.
        for values in unsafe { switches(ida) } {
            self.integers.extend(values.iter().map(|value| i64::from(*value)));
        }
        if ida.ida_nst > 0 {
            // SAFETY: promised by the caller; after the first step the arrays are written.
            unsafe { root_values(ida) }.into_iter().for_each(|values| self.roots.extend_from_slice(values));
        }
    }

    /// Copies back into a block that has been restarted and set up for the same problem.
    ///
    /// # Errors
    /// Lengths that do not fit, numbers that are not finite; the block is unchanged.
    ///
    /// # Safety
    /// As [`Record::copy_from`].
    pub(super) unsafe fn copy_to(&self, ida: &mut IDAMemRec, rows: usize) -> Result<(), Refusal> {
        self.check(ida, rows)?;
        for (vector, values) in ida.ida_phi.into_iter().zip(self.vectors.chunks_exact(rows)) {
            // SAFETY: promised by the caller; nothing else refers to the numbers.
            unsafe { slice_mut(vector, rows) }.copy_from_slice(values);
        }
        let mut paste = Paste { reals: self.reals.iter().copied(), integers: self.integers.iter().copied() };
        visit(ida, &mut paste);
        // SAFETY: promised by the caller.
        for values in unsafe { switches(ida) } {
            values.iter_mut().for_each(|value| paste.integer(value));
        }
        if !self.roots.is_empty() {
            // SAFETY: promised by the caller.
            let targets = unsafe { root_values(ida) };
            let lengths = targets[0].len();
            for (target, values) in targets.into_iter().zip(self.roots.chunks_exact(lengths.max(1))) {
                target.copy_from_slice(values);
            }
        }
        if ida.ida_nst == 0 {
            // Error weights of the first step are made when IDA sets up; later ones at the beginning of each step.
            ida.ida_SetupDone = 0;
        }
        Ok(())
    }

    /// Refuses a record of another problem.
    fn check(&self, ida: &mut IDAMemRec, rows: usize) -> Result<(), Refusal> {
        let mut model = Record::default();
        visit(ida, &mut Copy(&mut model));
        let roots = usize::try_from(ida.ida_nrtfn).unwrap_or(0);
        let fits = self.vectors.len() == NUM_DIFFERENCES * rows
            && self.reals.len() == model.reals.len()
            && self.integers.len() == model.integers.len() + 2 * roots
            && (self.roots.is_empty() || self.roots.len() == 3 * roots);
        let finite = self.vectors.iter().chain(&self.roots).chain(&self.reals).all(|value| value.is_finite());
        if fits && finite {
            return Ok(());
        }
        let message = if fits { "a number is not finite" } else { "it belongs to a problem of another size" };
        Err(Refusal::of_record(message))
    }
}
