//! Steps: time, discard, status queries.

use std::ffi::CStr;
use std::ptr::null;

use fmi2::Status;

use crate::library::{Fmu, reference};
use crate::model::mischief;

fn status(fmu: &Fmu) -> (Status, f64, i32) {
    let (mut step, mut time, mut terminated) = (Status::Pending, -1.0, -1);
    unsafe {
        assert_eq!((fmu.api.fmi2GetStatus)(fmu.component, 0, &raw mut step), Status::Ok);
        assert_eq!((fmu.api.fmi2GetRealStatus)(fmu.component, 2, &raw mut time), Status::Ok);
        assert_eq!((fmu.api.fmi2GetBooleanStatus)(fmu.component, 3, &raw mut terminated), Status::Ok);
    }
    (step, time, terminated)
}

#[test]
fn steps_advance_the_model() {
    let fmu = Fmu::initialized("a");
    for step in 0..10 {
        assert_eq!(fmu.step(f64::from(step) * 0.1, 0.1), Status::Ok);
    }
    assert!((fmu.real(reference::X).unwrap() - 1.0).abs() < 1e-12);
    assert!((fmu.real(reference::TIME).unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn steps_that_make_no_sense_are_refused_and_harmless() {
    let fmu = Fmu::new("a");
    assert_eq!(fmu.setup(0.0, Some(1.0)), Status::Ok);
    fmu.initialize();
    for size in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert_eq!(fmu.step(0.0, size), Status::Error);
        fmu.assert_last_message(&["fmi2DoStep", "step size"]);
    }
    assert_eq!(fmu.step(0.5, 0.1), Status::Error);
    fmu.assert_last_message(&["0.5 s", "end of the previous step, 0 s"]);
    assert_eq!(fmu.step(0.0, 1.1), Status::Error);
    fmu.assert_last_message(&["1.1 s", "beyond the stop time 1 s"]);
    assert_eq!(fmu.step(0.0, 1.0 + 1e-12), Status::Ok);
    assert_eq!(fmu.real(reference::TIME), Ok(1.0));
}

#[test]
fn a_step_stopped_half_way_says_how_far_it_came() {
    let fmu = Fmu::initialized("a");
    fmu.mischief(mischief::STOP_HALF_WAY);
    assert_eq!(fmu.step(0.0, 1.0), Status::Discard);
    fmu.assert_last_message(&["ended at 0.5 s", "asked to stop"]);
    assert_eq!(status(&fmu), (Status::Discard, 0.5, 0));
    assert_eq!(fmu.step(0.5, 0.1), Status::Error);
    fmu.assert_last_message(&["step failed"]);
}

#[test]
fn a_model_can_ask_for_the_end() {
    let fmu = Fmu::initialized("a");
    fmu.mischief(mischief::TERMINATE);
    assert_eq!(fmu.step(0.0, 1.0), Status::Discard);
    assert_eq!(status(&fmu), (Status::Discard, 0.5, 1));
    assert_eq!(unsafe { (fmu.api.fmi2Terminate)(fmu.component) }, Status::Ok);
    assert_eq!(fmu.real(reference::X), Ok(0.5), "values stay readable");
}

#[test]
fn a_discarded_step_can_be_repeated_from_a_saved_state() {
    let fmu = Fmu::initialized("a");
    let state = fmu.save();
    fmu.mischief(mischief::DISCARD);
    assert_eq!(fmu.step(0.0, 1.0), Status::Discard);
    assert_eq!(status(&fmu), (Status::Discard, 0.0, 0));
    assert_eq!(fmu.restore(state), Status::Ok);
    assert_eq!(status(&fmu), (Status::Ok, 0.0, 0));
    assert_eq!(fmu.step(0.0, 0.5), Status::Ok);
    assert_eq!(status(&fmu), (Status::Ok, 0.5, 0));
}

#[test]
fn pending_steps_do_not_exist() {
    let fmu = Fmu::initialized("a");
    let mut text = null();
    unsafe {
        assert_eq!((fmu.api.fmi2GetStringStatus)(fmu.component, 1, &raw mut text), Status::Ok);
        assert!(CStr::from_ptr(text).to_str().unwrap().contains("no step is pending"));
        assert_eq!((fmu.api.fmi2CancelStep)(fmu.component), Status::Error);
    }
    fmu.assert_last_message(&["fmi2CancelStep", "no step in progress"]);
}

#[test]
fn reset_forgets_everything() {
    let fmu = Fmu::initialized("a");
    assert_eq!(fmu.set_real(reference::GAIN, 7.0), Status::Ok);
    assert_eq!(fmu.step(0.0, 0.3), Status::Ok);
    assert_eq!(fmu.reset(), Status::Ok);
    assert_eq!(fmu.real(reference::X), Err(Status::Error), "not readable before initialization");
    assert_eq!(fmu.setup(5.0, None), Status::Ok);
    fmu.initialize();
    assert_eq!(status(&fmu), (Status::Ok, 5.0, 0));
    assert_eq!(fmu.step(5.0, 1.0), Status::Ok);
    assert_eq!(fmu.real(reference::X), Ok(1.0));
}

#[test]
fn an_experiment_without_setup_starts_at_zero() {
    let fmu = Fmu::new("a");
    fmu.initialize();
    assert_eq!(fmu.step(0.0, 1.0), Status::Ok);
}
