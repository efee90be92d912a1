//! Panics inside the library.

use std::ffi::CString;

use fmi2::Status;

use crate::library::{Fmu, reference};
use crate::model::{GUID, mischief};
use crate::table::{State, Subject};

/// Functions, the method of the model that each of them calls, and a state in which it may be called.
const ON_THE_MODEL: [(&str, &str, State); 20] = [
    ("fmi2EnterInitializationMode", "enter_initialization", State::Instantiated),
    ("fmi2ExitInitializationMode", "exit_initialization", State::InitializationMode),
    ("fmi2Terminate", "terminate", State::StepComplete),
    ("fmi2Reset", "reset", State::StepComplete),
    ("fmi2GetReal", "get_real", State::StepComplete),
    ("fmi2GetInteger", "get_integer", State::StepComplete),
    ("fmi2GetBoolean", "get_boolean", State::StepComplete),
    ("fmi2GetString", "get_string", State::StepComplete),
    ("fmi2SetReal", "set_real", State::Instantiated),
    ("fmi2SetInteger", "set_integer", State::InitializationMode),
    ("fmi2SetBoolean", "set_boolean", State::StepComplete),
    ("fmi2SetString", "set_string", State::StepComplete),
    ("fmi2GetFMUstate", "save", State::Instantiated),
    ("fmi2SetFMUstate", "restore", State::StepComplete),
    ("fmi2SerializedFMUstateSize", "serialize", State::StepComplete),
    ("fmi2SerializeFMUstate", "serialize", State::Instantiated),
    ("fmi2DeSerializeFMUstate", "deserialize", State::StepComplete),
    ("fmi2GetDirectionalDerivative", "get_directional_derivative", State::InitializationMode),
    ("fmi2SetRealInputDerivatives", "set_real_input_derivatives", State::StepComplete),
    ("fmi2GetRealOutputDerivatives", "get_real_output_derivatives", State::StepComplete),
];

#[test]
fn a_panic_on_any_way_into_the_model_is_fatal_for_the_instance_and_nobody_else() {
    let other = Fmu::initialized("other");
    for (function, method, state) in ON_THE_MODEL {
        let mut subject = Subject::in_state(state);
        let label = CString::new(format!("panic in {method}")).unwrap();
        assert_eq!(subject.fmu.set_string(reference::LABEL, &label), Status::Ok);
        assert_eq!(subject.call(function), Status::Fatal, "{function}");
        subject.fmu.assert_last_message(&[function, "the probe panics", "model.rs:"]);
        assert_eq!(subject.call("fmi2GetReal"), Status::Fatal, "after {function}");
        assert!(other.real(reference::X).is_ok(), "after {function}");
    }
}

#[test]
fn a_panic_is_fatal_for_the_instance_and_nobody_else() {
    let (broken, other) = (Fmu::initialized("broken"), Fmu::initialized("other"));
    broken.mischief(mischief::PANIC);
    assert_eq!(broken.step(0.0, 0.1), Status::Fatal);
    broken.assert_last_message(&["fmi2DoStep", "the probe panics", "model.rs:"]);
    assert_eq!(broken.real(reference::X), Err(Status::Fatal));
    broken.assert_last_message(&["fmi2GetReal", "state \"fatal\""]);
    assert_eq!(broken.reset(), Status::Fatal);
    assert_eq!(other.step(0.0, 0.1), Status::Ok);
}

#[test]
fn a_fatal_failure_is_like_a_panic() {
    let fmu = Fmu::initialized("a");
    fmu.mischief(mischief::FATAL);
    assert_eq!(fmu.step(0.0, 0.1), Status::Fatal);
    fmu.assert_last_message(&["the arm is gone"]);
    assert_eq!(fmu.reset(), Status::Fatal);
}

#[test]
fn a_panic_while_instantiating_gives_null_and_a_reason() {
    let fmu = Fmu::try_new("panic", GUID, 1);
    assert!(fmu.component.is_null());
    fmu.assert_last_message(&["fmi2Instantiate", "the probe panics"]);
}

#[test]
fn a_panic_while_freeing_stays_inside() {
    let fmu = Fmu::initialized("a");
    fmu.mischief(mischief::PANIC_IN_DROP);
    drop(fmu);
    assert_eq!(Fmu::initialized("b").step(0.0, 0.1), Status::Ok);
}

/// Runs the misbehaving tests in a process of their own and looks at what it wrote.
#[test]
fn panics_write_nothing_to_the_terminal() {
    let tests =
        ["--exact", "--nocapture", "--test-threads=1", "panics::a_panic_is_fatal_for_the_instance_and_nobody_else"];
    let output = std::process::Command::new(std::env::current_exe().unwrap()).args(tests).output().unwrap();
    let both = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&both);
    assert!(text.contains("1 passed"), "{text}");
    assert!(!text.contains("the probe panics"), "{text}");
}
