//! What reaches the logger, and loggers that call back.

use std::ffi::{CString, c_char, c_void};
use std::ptr::null;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use fmi2::Status;

use crate::library::{Fmu, callbacks, library, reference};
use crate::model::{GUID, mischief};

fn set_logging(fmu: &Fmu, on: i32, categories: &[&str]) -> Status {
    let categories: Vec<CString> = categories.iter().map(|name| CString::new(*name).unwrap()).collect();
    let pointers: Vec<*const c_char> = categories.iter().map(|name| name.as_ptr()).collect();
    unsafe { (fmu.api.fmi2SetDebugLogging)(fmu.component, on, pointers.len(), pointers.as_ptr()) }
}

#[test]
fn information_is_filtered_and_warnings_are_not() {
    let fmu = Fmu::initialized("talker");
    fmu.mischief(mischief::TALK);
    let texts = |fmu: &Fmu| fmu.messages().into_iter().map(|message| message.text).collect::<Vec<String>>();
    assert_eq!(fmu.step(0.0, 0.1), Status::Ok);
    assert_eq!(texts(&fmu), ["careful"]);
    assert_eq!(set_logging(&fmu, 1, &[]), Status::Ok);
    assert_eq!(fmu.step(0.1, 0.1), Status::Ok);
    assert_eq!(texts(&fmu), ["careful", "100 %s %n done", "careful"], "text is never a format");
    assert_eq!(set_logging(&fmu, 1, &["logStatusError"]), Status::Ok);
    assert_eq!(fmu.step(0.2, 0.1), Status::Ok);
    assert_eq!(texts(&fmu).len(), 4);
    assert_eq!(set_logging(&fmu, 1, &["logNonsense"]), Status::Error);
    fmu.assert_last_message(&["\"logNonsense\"", "logEvents"]);
}

#[test]
fn messages_carry_name_status_and_category() {
    let fmu = Fmu::new("my name");
    assert_eq!(fmu.step(0.0, 0.1), Status::Error);
    let message = fmu.messages().pop().unwrap();
    assert_eq!((message.instance.as_str(), message.status), ("my name", Status::Error));
    assert_eq!(message.category, "logStatusError");
}

static REENTRANT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static CALLS: AtomicU32 = AtomicU32::new(0);

/// A logger that reads a variable of the instance that logs, and at last frees it.
unsafe extern "C" fn calls_back(
    _: *mut c_void,
    _: *const c_char,
    _: Status,
    _: *const c_char,
    _: *const c_char,
    _: *const c_char,
) {
    let component = REENTRANT.load(Ordering::SeqCst);
    let (vr, mut value) = (reference::U, 0.0);
    let status = unsafe { (library().fmi2GetReal)(component, &raw const vr, 1, &raw mut value) };
    assert_eq!((status, value), (Status::Ok, 1.0));
    CALLS.fetch_add(1, Ordering::SeqCst);
    unsafe { (library().fmi2FreeInstance)(component) };
}

#[test]
fn a_logger_may_call_the_instance_and_even_free_it() {
    let api = library();
    let guid = CString::new(GUID).unwrap();
    let callbacks = callbacks(calls_back, std::ptr::null_mut());
    unsafe {
        let c = (api.fmi2Instantiate)(c"a".as_ptr(), 1, guid.as_ptr(), null(), &raw const callbacks, 0, 0);
        REENTRANT.store(c, Ordering::SeqCst);
        assert_eq!((api.fmi2EnterInitializationMode)(c), Status::Ok);
        assert_eq!((api.fmi2ExitInitializationMode)(c), Status::Ok);
        assert_eq!((api.fmi2DoStep)(c, 0.0, -1.0, 0), Status::Error);
        assert_eq!(CALLS.load(Ordering::SeqCst), 1);
        assert_eq!((api.fmi2DoStep)(c, 0.0, 1.0, 0), Status::Error, "freed by its logger");
    }
}
