//! NULLs, stale and invented components, calls in wrong states.

use std::ptr::{dangling, null, null_mut, without_provenance_mut};

use fmi2::Status;
use fmi2::c_api::{Component, FMUstate};

use crate::library::{Fmu, Library, library, reference};
use crate::model::{GUID, mischief};

/// Calls every function that takes a component with arguments as small as legal; returns name and status.
fn call_all(api: &Library, c: Component) -> Vec<(&'static str, Status)> {
    let mut state: FMUstate = null_mut();
    let (mut size, mut real, mut integer, mut text, mut status) = (0, 0.0, 0, null(), Status::Ok);
    let mut byte = 0;
    unsafe {
        vec![
            ("fmi2SetDebugLogging", (api.fmi2SetDebugLogging)(c, 0, 0, null())),
            ("fmi2SetupExperiment", (api.fmi2SetupExperiment)(c, 0, 0.0, 0.0, 0, 0.0)),
            ("fmi2GetReal", (api.fmi2GetReal)(c, null(), 0, null_mut())),
            ("fmi2GetInteger", (api.fmi2GetInteger)(c, null(), 0, null_mut())),
            ("fmi2GetBoolean", (api.fmi2GetBoolean)(c, null(), 0, null_mut())),
            ("fmi2GetString", (api.fmi2GetString)(c, null(), 0, null_mut())),
            ("fmi2SetReal", (api.fmi2SetReal)(c, null(), 0, null())),
            ("fmi2SetInteger", (api.fmi2SetInteger)(c, null(), 0, null())),
            ("fmi2SetBoolean", (api.fmi2SetBoolean)(c, null(), 0, null())),
            ("fmi2SetString", (api.fmi2SetString)(c, null(), 0, null())),
            ("fmi2GetFMUstate", (api.fmi2GetFMUstate)(c, &raw mut state)),
            ("fmi2SetFMUstate", (api.fmi2SetFMUstate)(c, state)),
            ("fmi2SerializedFMUstateSize", (api.fmi2SerializedFMUstateSize)(c, state, &raw mut size)),
            ("fmi2SerializeFMUstate", (api.fmi2SerializeFMUstate)(c, state, &raw mut byte, 0)),
            ("fmi2DeSerializeFMUstate", (api.fmi2DeSerializeFMUstate)(c, null(), 0, &raw mut state)),
            ("fmi2FreeFMUstate", (api.fmi2FreeFMUstate)(c, &raw mut state)),
            (
                "fmi2GetDirectionalDerivative",
                (api.fmi2GetDirectionalDerivative)(c, null(), 0, null(), 0, null(), null_mut()),
            ),
            ("fmi2SetRealInputDerivatives", (api.fmi2SetRealInputDerivatives)(c, null(), 0, null(), null())),
            ("fmi2GetRealOutputDerivatives", (api.fmi2GetRealOutputDerivatives)(c, null(), 0, null(), null_mut())),
            ("fmi2CancelStep", (api.fmi2CancelStep)(c)),
            ("fmi2GetStatus", (api.fmi2GetStatus)(c, 0, &raw mut status)),
            ("fmi2GetRealStatus", (api.fmi2GetRealStatus)(c, 2, &raw mut real)),
            ("fmi2GetIntegerStatus", (api.fmi2GetIntegerStatus)(c, 0, &raw mut integer)),
            ("fmi2GetBooleanStatus", (api.fmi2GetBooleanStatus)(c, 3, &raw mut integer)),
            ("fmi2GetStringStatus", (api.fmi2GetStringStatus)(c, 1, &raw mut text)),
            // These move the state machine, so they come last; doStep only where it must fail.
            ("fmi2ExitInitializationMode", (api.fmi2ExitInitializationMode)(c)),
            ("fmi2DoStep", (api.fmi2DoStep)(c, 0.0, -1.0, 0)),
            ("fmi2Terminate", (api.fmi2Terminate)(c)),
            ("fmi2EnterInitializationMode", (api.fmi2EnterInitializationMode)(c)),
        ]
    }
}

fn accepted(calls: &[(&'static str, Status)]) -> Vec<&'static str> {
    calls.iter().filter(|(_, status)| *status == Status::Ok).map(|(name, _)| *name).collect()
}

#[test]
fn the_library_exports_all_functions_of_co_simulation() {
    assert_eq!(crate::library::NAMES.len(), 34);
    let api = library();
    unsafe {
        assert_eq!(std::ffi::CStr::from_ptr((api.fmi2GetVersion)()), c"2.0");
        assert_eq!(std::ffi::CStr::from_ptr((api.fmi2GetTypesPlatform)()), c"default");
    }
}

#[test]
fn components_that_do_not_exist_are_errors() {
    let api = library();
    let live = Fmu::new("live");
    let freed = {
        let short = Fmu::new("short");
        short.component
    };
    let invented = dangling::<u64>().cast_mut().cast();
    let all_bits = without_provenance_mut(usize::MAX);
    let neighbour = without_provenance_mut(live.component as usize + 1);
    for component in [null_mut(), freed, invented, all_bits, neighbour] {
        for (name, status) in call_all(api, component) {
            assert_eq!(status, Status::Error, "{name} of {component:?}");
        }
        unsafe { (api.fmi2FreeInstance)(component) };
    }
    assert_eq!(live.setup(0.0, None), Status::Ok, "freeing nonsense must not touch living instances");
}

#[test]
fn freeing_twice_does_not_free_the_next_instance() {
    let api = library();
    let first = Fmu::new("first");
    unsafe { (api.fmi2FreeInstance)(first.component) };
    let second = Fmu::new("second");
    drop(first);
    assert_eq!(second.setup(0.0, None), Status::Ok);
}

#[test]
fn before_initialization_only_the_legal_calls_pass() {
    let fmu = Fmu::new("a");
    let mut calls = call_all(fmu.api, fmu.component);
    assert_eq!(calls.pop().unwrap(), ("fmi2EnterInitializationMode", Status::Ok));
    let legal = [
        "fmi2SetDebugLogging",
        "fmi2SetupExperiment",
        "fmi2SetReal",
        "fmi2SetInteger",
        "fmi2SetBoolean",
        "fmi2SetString",
        "fmi2GetFMUstate",
        "fmi2SetFMUstate",
        "fmi2SerializedFMUstateSize",
        "fmi2FreeFMUstate",
        "fmi2SetRealInputDerivatives",
    ];
    assert_eq!(accepted(&calls), legal);
}

#[test]
fn between_steps_only_the_legal_calls_pass() {
    let fmu = Fmu::initialized("a");
    let calls = call_all(fmu.api, fmu.component);
    let legal = [
        "fmi2SetDebugLogging",
        "fmi2GetReal",
        "fmi2GetInteger",
        "fmi2GetBoolean",
        "fmi2GetString",
        "fmi2SetReal",
        "fmi2SetInteger",
        "fmi2SetBoolean",
        "fmi2SetString",
        "fmi2GetFMUstate",
        "fmi2SetFMUstate",
        "fmi2SerializedFMUstateSize",
        "fmi2FreeFMUstate",
        "fmi2GetDirectionalDerivative",
        "fmi2SetRealInputDerivatives",
        "fmi2GetRealOutputDerivatives",
        "fmi2GetStatus",
        "fmi2GetRealStatus",
        "fmi2GetBooleanStatus",
        "fmi2GetStringStatus",
        "fmi2Terminate",
    ];
    assert_eq!(accepted(&calls), legal);
    assert_eq!(fmu.step(0.0, 0.1), Status::Error);
    fmu.assert_last_message(&["fmi2DoStep", "terminated", "step complete"]);
}

#[test]
fn null_arrays_are_named() {
    let fmu = Fmu::initialized("a");
    let (x, mut value) = (reference::X, 0.0);
    let get = fmu.api.fmi2GetReal;
    assert_eq!(unsafe { get(fmu.component, null(), 1, &raw mut value) }, Status::Error);
    fmu.assert_last_message(&["fmi2GetReal", "vr is NULL"]);
    assert_eq!(unsafe { get(fmu.component, &raw const x, 1, null_mut()) }, Status::Error);
    fmu.assert_last_message(&["fmi2GetReal", "value is NULL"]);
    assert_eq!(unsafe { get(fmu.component, &raw const x, usize::MAX, &raw mut value) }, Status::Error);
    fmu.assert_last_message(&["cannot be an array"]);
    let text = null();
    let set = fmu.api.fmi2SetString;
    assert_eq!(unsafe { set(fmu.component, &reference::LABEL, 1, &raw const text) }, Status::Error);
    fmu.assert_last_message(&["value[0] is NULL"]);
    assert_eq!(fmu.set_string(reference::LABEL, c"\xff"), Status::Error);
    fmu.assert_last_message(&["UTF-8"]);
    assert_eq!(unsafe { (fmu.api.fmi2GetFMUstate)(fmu.component, null_mut()) }, Status::Error);
    assert_eq!(unsafe { (fmu.api.fmi2GetStatus)(fmu.component, 0, null_mut()) }, Status::Error);
    assert_eq!(unsafe { (fmu.api.fmi2FreeFMUstate)(fmu.component, null_mut()) }, Status::Ok);
    let mut status = Status::Ok;
    assert_eq!(unsafe { (fmu.api.fmi2GetStatus)(fmu.component, 77, &raw mut status) }, Status::Error);
    fmu.assert_last_message(&["no status kind 77"]);
}

#[test]
fn wrong_instantiations_give_null_and_a_reason() {
    let refused = |name: &str, guid: &str, kind, part: &str| {
        let fmu = Fmu::try_new(name, guid, kind);
        assert!(fmu.component.is_null());
        fmu.assert_last_message(&["fmi2Instantiate", part]);
    };
    refused("a", "{another}", 1, "\"another\"");
    refused("a", GUID, 0, "co-simulation");
    refused("a", GUID, 99, "99");
    refused("", GUID, 1, "instanceName");
    refused("refuse me", GUID, 1, "does not like its name");
    assert!(!Fmu::try_new("a", "probe-1", 1).component.is_null(), "braces around a GUID do not matter");
}

#[test]
fn hosts_without_callbacks_are_served() {
    let api = library();
    let guid = std::ffi::CString::new(GUID).unwrap();
    let no_logger = fmi2::c_api::CallbackFunctions {
        logger: None,
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: null_mut(),
    };
    for functions in [null(), &raw const no_logger] {
        let instantiate = |name, guid| unsafe { (api.fmi2Instantiate)(name, 1, guid, null(), functions, 0, 1) };
        assert!(instantiate(null(), guid.as_ptr()).is_null());
        assert!(instantiate(c"a".as_ptr(), null()).is_null());
        let component = instantiate(c"a".as_ptr(), guid.as_ptr());
        assert!(!component.is_null());
        assert_eq!(unsafe { (api.fmi2DoStep)(component, 0.0, 0.1, 0) }, Status::Error);
        unsafe { (api.fmi2FreeInstance)(component) };
    }
}

#[test]
fn after_an_error_reset_makes_a_fresh_instance() {
    let fmu = Fmu::initialized("a");
    fmu.mischief(mischief::ERROR);
    assert_eq!(fmu.step(0.0, 0.1), Status::Error);
    fmu.assert_last_message(&["the arm is broken"]);
    assert_eq!(fmu.step(0.0, 0.1), Status::Error);
    fmu.assert_last_message(&["state \"error\""]);
    assert!(fmu.real(reference::X).is_ok(), "values stay readable for debugging");
    assert_eq!(fmu.reset(), Status::Ok);
    fmu.initialize();
    assert_eq!(fmu.step(0.0, 0.1), Status::Ok);
    assert_eq!(fmu.real(reference::X), Ok(0.1));
}
