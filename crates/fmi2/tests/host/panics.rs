//! Panics inside the library.

use fmi2::Status;

use crate::library::{Fmu, reference};
use crate::model::{GUID, mischief};

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
