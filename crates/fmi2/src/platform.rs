//! The only file with knowledge of an operating system: where the library lies on disk, and whose its memory is.

use std::path::PathBuf;

/// Path of the shared library that contains this code, absolute if it can be found.
#[cfg(unix)]
pub(crate) fn library_path() -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt;

    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    let here = library_path as fn() -> Option<PathBuf>;
    // SAFETY: dladdr only compares the address with the loaded libraries, and writes `info`, which outlives the call.
    let found = unsafe { libc::dladdr(here as *const libc::c_void, &raw mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: after success dli_fname is a NUL-terminated string that lives as long as the library is loaded.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    let path = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
    std::fs::canonicalize(&path).ok().or_else(|| mapped_file(here as usize)).or(Some(path))
}

/// Returns unused memory to the system: glibc keeps the rest of small allocations.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back_memory() {
    // SAFETY: takes no pointers, locks what it changes, and may be called at any time.
    unsafe { libc::malloc_trim(0) };
}

/// Elsewhere the allocator does that by itself.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_memory() {}

/// Path of the shared library that contains this code.
#[cfg(windows)]
pub(crate) fn library_path() -> Option<PathBuf> {
    use std::ffi::{OsString, c_void};
    use std::os::windows::ffi::OsStringExt;

    /// `lpModuleName` is an address within the module, whose count of references stays as it is.
    const FROM_ADDRESS_UNCHANGED: u32 = 4 | 2;
    /// The longest path of Windows, in UTF-16 units, and a zero.
    const LONGEST: usize = 1 << 15;
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
        fn GetModuleFileNameW(module: *mut c_void, name: *mut u16, size: u32) -> u32;
    }

    let here = library_path as fn() -> Option<PathBuf>;
    let mut module = std::ptr::null_mut();
    // SAFETY: the address is only compared with the loaded modules; `module` outlives the call.
    if unsafe { GetModuleHandleExW(FROM_ADDRESS_UNCHANGED, here as *const c_void, &raw mut module) } == 0 {
        return None;
    }
    let mut name = vec![0_u16; LONGEST];
    // SAFETY: the module is the one this code is in; the function writes at most the size it is given.
    let length = unsafe { GetModuleFileNameW(module, name.as_mut_ptr(), LONGEST as u32) } as usize;
    (1..LONGEST).contains(&length).then(|| PathBuf::from(OsString::from_wide(&name[..length])))
}

/// Elsewhere the host has to give the right location.
#[cfg(not(any(unix, windows)))]
pub(crate) fn library_path() -> Option<PathBuf> {
    None
}

/// The file mapped at an address, from the kernel: right even if the library was loaded by a relative path and the
/// current directory has changed since.
#[cfg(target_os = "linux")]
fn mapped_file(address: usize) -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let covers = |line: &&str| {
        let range = line.split_whitespace().next().and_then(|range| range.split_once('-'));
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        let bounds = range.and_then(|(low, high)| Some((number(low)?, number(high)?)));
        bounds.is_some_and(|(low, high)| (low..high).contains(&address))
    };
    let line = maps.lines().find(covers)?;
    line.find('/').map(|at| PathBuf::from(&line[at..]))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn mapped_file(_address: usize) -> Option<PathBuf> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn code_knows_its_file_in_two_ways() {
        let address = library_path as fn() -> Option<PathBuf> as usize;
        assert_eq!(library_path(), std::env::current_exe().ok());
        assert_eq!(mapped_file(address), std::env::current_exe().ok());
    }
}
