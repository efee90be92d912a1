//! Raw arguments to safe ones: null, length and encoding checks. `n = 0` with NULL is legal.

use std::ffi::{CStr, c_char};

use crate::{Failure, Outcome};

/// An array to read.
///
/// # Safety
/// If not NULL and `n > 0`, `data` must point to `n` initialised values that nobody changes while the result lives.
pub(super) unsafe fn array<'a, T>(name: &str, data: *const T, n: usize) -> Outcome<&'a [T]> {
    check(name, data, n)?;
    if n == 0 {
        return Ok(&[]);
    }
    // SAFETY: not NULL, aligned and not too long (checked); valid for `n` values (promised).
    Ok(unsafe { std::slice::from_raw_parts(data, n) })
}

/// An array to write.
///
/// # Safety
/// If not NULL and `n > 0`, `data` must point to room for `n` values that nobody else uses while the result lives.
/// `T` must be a plain number, for which memory of any content is a value.
pub(super) unsafe fn array_mut<'a, T>(name: &str, data: *mut T, n: usize) -> Outcome<&'a mut [T]> {
    check(name, data, n)?;
    if n == 0 {
        return Ok(&mut []);
    }
    // SAFETY: not NULL, aligned and not too long (checked); valid for `n` values (promised).
    Ok(unsafe { std::slice::from_raw_parts_mut(data, n) })
}

/// One value to write.
///
/// # Safety
/// As [`array_mut`] with one value.
pub(super) unsafe fn out<'a, T>(name: &str, place: *mut T) -> Outcome<&'a mut T> {
    check(name, place, 1)?;
    // SAFETY: not NULL and aligned (checked); valid for one value (promised).
    Ok(unsafe { &mut *place })
}

/// A text; `None` if NULL.
///
/// # Safety
/// If not NULL, `text` must point to a NUL-terminated string that nobody changes while the result lives.
pub(super) unsafe fn text<'a>(name: &str, text: *const c_char) -> Outcome<Option<&'a str>> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: not NULL (checked) and NUL-terminated (promised).
    let bytes = unsafe { CStr::from_ptr(text) };
    let not_utf8 = |_| Failure::refused(format!("argument {name} is not valid UTF-8"));
    bytes.to_str().map(Some).map_err(not_utf8)
}

/// An array of texts, none of them NULL.
///
/// # Safety
/// As [`array`], and [`text`] for each.
pub(super) unsafe fn texts<'a>(name: &str, data: *const *const c_char, n: usize) -> Outcome<Vec<&'a str>> {
    // SAFETY: promised by the caller.
    let pointers = unsafe { array(name, data, n) }?;
    let read = |(at, pointer): (usize, &*const c_char)| {
        let name = format!("{name}[{at}]");
        // SAFETY: promised by the caller.
        unsafe { text(&name, *pointer) }?.ok_or_else(|| Failure::refused(format!("argument {name} is NULL")))
    };
    pointers.iter().enumerate().map(read).collect()
}

fn check<T>(name: &str, data: *const T, n: usize) -> Outcome {
    if n == 0 {
        return Ok(());
    }
    if data.is_null() {
        return Err(Failure::refused(format!("argument {name} is NULL, but there should be {n} values")));
    }
    if !data.is_aligned() || n > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::refused(format!("argument {name} cannot be an array of {n} values")));
    }
    Ok(())
}
