//! Every function in every state, against the table of the standard (FMI 2.0.4, section 4.2.4), read off it mark by
//! mark.
//!
//! Where the standard allows a call under a condition on the variable (its notes 1, 2, 3 and 6), the table has a mark
//! and the arguments are chosen such that the condition holds; the conditions themselves are tested with the values.
//! Notes 7 and 8 ("for debugging only") are marks without a condition.

use std::ptr::{null, null_mut};

use fmi2::Status;
use fmi2::c_api::FMUstate;

use crate::library::{Fmu, reference};
use crate::model::mischief;

/// The states that an instance can be in. Steps are synchronous, so that "step in progress" and "step canceled" of the
/// standard do not occur.
const STATES: [State; 7] = [
    State::Instantiated,
    State::InitializationMode,
    State::StepComplete,
    State::StepFailed,
    State::Terminated,
    State::Error,
    State::Fatal,
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum State {
    Instantiated,
    InitializationMode,
    StepComplete,
    StepFailed,
    Terminated,
    Error,
    Fatal,
}

/// Functions, and in which of the [`STATES`] they may be called (x).
const TABLE: [(&str, &str); 30] = [
    ("fmi2SetDebugLogging", "xxxxxx."),
    ("fmi2SetupExperiment", "x......"),
    ("fmi2EnterInitializationMode", "x......"),
    ("fmi2ExitInitializationMode", ".x....."),
    ("fmi2Terminate", "..xx..."),
    ("fmi2Reset", "xxxxxx."),
    ("fmi2GetReal", ".xxxxx."),
    ("fmi2GetInteger", ".xxxxx."),
    ("fmi2GetBoolean", ".xxxxx."),
    ("fmi2GetString", ".xxxxx."),
    ("fmi2SetReal", "xxx...."),
    ("fmi2SetInteger", "xxx...."),
    ("fmi2SetBoolean", "xxx...."),
    ("fmi2SetString", "xxx...."),
    ("fmi2GetFMUstate", "xxxxxx."),
    ("fmi2SetFMUstate", "xxxxxx."),
    ("fmi2FreeFMUstate", "xxxxxx."),
    ("fmi2SerializedFMUstateSize", "xxxxxx."),
    ("fmi2SerializeFMUstate", "xxxxxx."),
    ("fmi2DeSerializeFMUstate", "xxxxxx."),
    ("fmi2GetDirectionalDerivative", ".xxxxx."),
    ("fmi2SetRealInputDerivatives", "xxx...."),
    ("fmi2GetRealOutputDerivatives", "..xxxx."),
    ("fmi2DoStep", "..x...."),
    ("fmi2CancelStep", "......."),
    ("fmi2GetStatus", "..xxx.."),
    ("fmi2GetRealStatus", "..xxx.."),
    ("fmi2GetIntegerStatus", "..xxx.."),
    ("fmi2GetBooleanStatus", "..xxx.."),
    ("fmi2GetStringStatus", "..xxx.."),
];

/// An instance in a state, with a saved state and its bytes.
pub struct Subject {
    pub fmu: Fmu,
    saved: FMUstate,
    bytes: Vec<u8>,
}

impl Subject {
    pub fn in_state(state: State) -> Self {
        let fmu = Fmu::new("subject");
        let (saved, mut size) = (fmu.save(), 0);
        let (c, api) = (fmu.component, fmu.api);
        let mut bytes = unsafe {
            assert_eq!((api.fmi2SerializedFMUstateSize)(c, saved, &raw mut size), Status::Ok);
            vec![0; size]
        };
        unsafe {
            assert_eq!((api.fmi2SerializeFMUstate)(c, saved, bytes.as_mut_ptr().cast(), size), Status::Ok);
            match state {
                State::Instantiated => {}
                State::InitializationMode => assert_eq!((api.fmi2EnterInitializationMode)(c), Status::Ok),
                _ => fmu.initialize(),
            }
        }
        let expected = match state {
            State::StepFailed => Some((mischief::DISCARD, Status::Discard)),
            State::Error => Some((mischief::ERROR, Status::Error)),
            State::Fatal => Some((mischief::PANIC, Status::Fatal)),
            _ => None,
        };
        if let Some((mischief, status)) = expected {
            fmu.mischief(mischief);
            assert_eq!(fmu.step(0.0, 0.1), status);
        }
        if state == State::Terminated {
            assert_eq!(unsafe { (api.fmi2Terminate)(c) }, Status::Ok);
        }
        Self { fmu, saved, bytes }
    }

    /// Calls a function with arguments that are right wherever the call is.
    pub fn call(&mut self, function: &str) -> Status {
        let (c, api, saved, size) = (self.fmu.component, self.fmu.api, self.saved, self.bytes.len());
        let bytes: *mut std::ffi::c_char = self.bytes.as_mut_ptr().cast();
        let (mut real, mut integer, mut text, mut status) = (1.0, 0, null(), Status::Ok);
        let (mut number, mut state, mut other): (usize, FMUstate, FMUstate) = (0, null_mut(), saved);
        let label = c"label".as_ptr();
        let (u, x, der_x, first) = (reference::U, reference::X, reference::DER_X, 1);
        unsafe {
            match function {
                "fmi2SetDebugLogging" => (api.fmi2SetDebugLogging)(c, 0, 0, null()),
                "fmi2SetupExperiment" => (api.fmi2SetupExperiment)(c, 0, 0.0, 0.0, 0, 0.0),
                "fmi2EnterInitializationMode" => (api.fmi2EnterInitializationMode)(c),
                "fmi2ExitInitializationMode" => (api.fmi2ExitInitializationMode)(c),
                "fmi2Terminate" => (api.fmi2Terminate)(c),
                "fmi2Reset" => (api.fmi2Reset)(c),
                "fmi2GetReal" => (api.fmi2GetReal)(c, &raw const x, 1, &raw mut real),
                "fmi2GetInteger" => (api.fmi2GetInteger)(c, &reference::STEPS, 1, &raw mut integer),
                "fmi2GetBoolean" => (api.fmi2GetBoolean)(c, &reference::HOLD, 1, &raw mut integer),
                "fmi2GetString" => (api.fmi2GetString)(c, &reference::LABEL, 1, &raw mut text),
                "fmi2SetReal" => (api.fmi2SetReal)(c, &raw const u, 1, &raw const real),
                "fmi2SetInteger" => (api.fmi2SetInteger)(c, &reference::MISCHIEF, 1, &raw const integer),
                "fmi2SetBoolean" => (api.fmi2SetBoolean)(c, &reference::HOLD, 1, &raw const integer),
                "fmi2SetString" => (api.fmi2SetString)(c, &reference::LABEL, 1, &raw const label),
                "fmi2GetFMUstate" => (api.fmi2GetFMUstate)(c, &raw mut state),
                "fmi2SetFMUstate" => (api.fmi2SetFMUstate)(c, saved),
                "fmi2FreeFMUstate" => (api.fmi2FreeFMUstate)(c, &raw mut other),
                "fmi2SerializedFMUstateSize" => (api.fmi2SerializedFMUstateSize)(c, saved, &raw mut number),
                "fmi2SerializeFMUstate" => (api.fmi2SerializeFMUstate)(c, saved, bytes, size),
                "fmi2DeSerializeFMUstate" => (api.fmi2DeSerializeFMUstate)(c, bytes, size, &raw mut state),
                "fmi2GetDirectionalDerivative" => {
                    let (seed, result) = (&raw const real, &raw mut real);
                    (api.fmi2GetDirectionalDerivative)(c, &raw const der_x, 1, &raw const u, 1, seed, result)
                }
                "fmi2SetRealInputDerivatives" => {
                    (api.fmi2SetRealInputDerivatives)(c, &raw const u, 1, &raw const first, &raw const real)
                }
                "fmi2GetRealOutputDerivatives" => {
                    (api.fmi2GetRealOutputDerivatives)(c, &raw const x, 1, &raw const first, &raw mut real)
                }
                "fmi2DoStep" => (api.fmi2DoStep)(c, 0.0, 0.1, 0),
                "fmi2CancelStep" => (api.fmi2CancelStep)(c),
                "fmi2GetStatus" => (api.fmi2GetStatus)(c, 0, &raw mut status),
                "fmi2GetRealStatus" => (api.fmi2GetRealStatus)(c, 2, &raw mut real),
                "fmi2GetIntegerStatus" => (api.fmi2GetIntegerStatus)(c, 0, &raw mut integer),
                "fmi2GetBooleanStatus" => (api.fmi2GetBooleanStatus)(c, 3, &raw mut integer),
                "fmi2GetStringStatus" => (api.fmi2GetStringStatus)(c, 1, &raw mut text),
                other => panic!("{other} is not in the table"),
            }
        }
    }
}

#[test]
fn calls_are_allowed_and_refused_as_the_standard_says() {
    for (function, allowed) in TABLE {
        for (state, mark) in STATES.into_iter().zip(allowed.chars()) {
            let mut subject = Subject::in_state(state);
            let before = subject.fmu.messages().len();
            let status = subject.call(function);
            let expected = match (mark, state) {
                // There is no integer status in the standard, so that the call is legal but has nothing to give.
                ('x', _) if function == "fmi2GetIntegerStatus" => Status::Discard,
                ('x', _) => Status::Ok,
                (_, State::Fatal) => Status::Fatal,
                _ => Status::Error,
            };
            let news = &subject.fmu.messages()[before..];
            assert_eq!(status, expected, "{function} in {state:?}: {news:?}");
            assert_eq!(news.is_empty(), status == Status::Ok, "{function} in {state:?}: {news:?}");
        }
    }
}

#[test]
fn a_refused_call_changes_nothing() {
    for (function, allowed) in TABLE {
        for (state, _) in STATES.into_iter().zip(allowed.chars()).filter(|(_, mark)| *mark == '.') {
            let mut subject = Subject::in_state(state);
            assert_ne!(subject.call(function), Status::Ok);
            for (other, marks) in TABLE.iter().filter(|(name, _)| ["fmi2GetReal", "fmi2DoStep"].contains(name)) {
                let legal = STATES.into_iter().zip(marks.chars()).any(|(at, mark)| at == state && mark == 'x');
                assert_eq!(subject.call(other) == Status::Ok, legal, "{other} after {function} in {state:?}");
            }
        }
    }
}

#[test]
fn an_instance_can_be_freed_in_every_state_and_is_gone() {
    for state in STATES {
        let subject = Subject::in_state(state);
        let (api, c) = (subject.fmu.api, subject.fmu.component);
        unsafe { (api.fmi2FreeInstance)(c) };
        assert_eq!(unsafe { (api.fmi2Reset)(c) }, Status::Error, "{state:?}");
    }
}

#[test]
fn reset_leads_from_every_state_to_a_new_beginning() {
    for state in STATES.into_iter().filter(|state| *state != State::Fatal) {
        let subject = Subject::in_state(state);
        assert_eq!(subject.fmu.reset(), Status::Ok, "{state:?}");
        subject.fmu.initialize();
        assert_eq!(subject.fmu.step(0.0, 0.1), Status::Ok, "{state:?}");
    }
}
