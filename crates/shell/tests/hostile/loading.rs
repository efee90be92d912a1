//! The library is loaded and unloaded again and again, also with instances that were never freed.

use std::ffi::{CString, c_char, c_void};
use std::path::PathBuf;

use fmi2::Status;
use fmi2::c_api::CallbackFunctions;

use crate::host::model;

type Instantiate = unsafe extern "C" fn(
    *const c_char,
    u32,
    *const c_char,
    *const c_char,
    *const CallbackFunctions,
    i32,
    i32,
) -> *mut c_void;
type Plain = unsafe extern "C" fn(*mut c_void) -> Status;
type Step = unsafe extern "C" fn(*mut c_void, f64, f64, i32) -> Status;

/// The library that Cargo has built beside this test.
fn library() -> Option<PathBuf> {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let name = format!("{}mbfmu_shell{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    [deps.join(&name), deps.parent().unwrap().join(&name)].into_iter().find(|path| path.is_file())
}

#[test]
fn a_hundred_loads_and_unloads_leave_no_trace() {
    let path = library().expect("the library is built with this test");
    let guid = CString::new(model().interface.guid()).unwrap();
    let location = CString::new(model().resources.display().to_string()).unwrap();
    for round in 0..100 {
        // SAFETY: the library has no initialisation; the functions have these types by the standard.
        unsafe {
            let library = libloading::Library::new(&path).unwrap();
            let instantiate = library.get::<Instantiate>("fmi2Instantiate").unwrap();
            let c = instantiate(c"one".as_ptr(), 1, guid.as_ptr(), location.as_ptr(), std::ptr::null(), 0, 0);
            assert!(!c.is_null());
            let plain = |name: &str, c| library.get::<Plain>(name).unwrap()(c);
            assert_eq!(plain("fmi2EnterInitializationMode", c), Status::Ok);
            assert_eq!(plain("fmi2ExitInitializationMode", c), Status::Ok);
            assert_eq!(library.get::<Step>("fmi2DoStep").unwrap()(c, 0.0, 0.01, 0), Status::Ok);
            if round % 2 == 0 {
                library.get::<unsafe extern "C" fn(*mut c_void)>("fmi2FreeInstance").unwrap()(c);
            }
            library.close().unwrap();
        }
    }
}
