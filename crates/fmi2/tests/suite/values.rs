//! Values, limits, strings, derivatives.

use std::ffi::CStr;
use std::ptr::null;

use fmi2::Status;

use crate::library::{Fmu, reference};
use crate::model::mischief;

#[test]
fn bad_numbers_are_refused_with_name_value_unit_and_range() {
    let fmu = Fmu::new("a");
    assert_eq!(fmu.set_real(reference::GAIN, 11.0), Status::Error);
    fmu.assert_last_message(&["\"gain\"", "11 1/s", "between 0 1/s and 10 1/s"]);
    assert_eq!(fmu.set_real(reference::LENGTH, 0.0), Status::Error);
    fmu.assert_last_message(&["\"arm.length\"", "0 m", "at least 0.1 m"]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(fmu.set_real(reference::U, bad), Status::Error);
        fmu.assert_last_message(&["\"u\"", "must be finite"]);
    }
    assert_eq!(fmu.set_integer(reference::MISCHIEF, 10), Status::Error);
    fmu.assert_last_message(&["\"mischief\"", "between 0 and 9"]);
    assert_eq!(fmu.set_real(reference::GAIN, 10.0), Status::Ok, "limits are permitted values");
}

#[test]
fn one_bad_number_spoils_the_whole_call() {
    let fmu = Fmu::initialized("a");
    let (references, values) = ([reference::U, reference::GAIN], [5.0, -1.0]);
    let status = unsafe { (fmu.api.fmi2SetReal)(fmu.component, references.as_ptr(), 2, values.as_ptr()) };
    assert_eq!(status, Status::Error);
    assert_eq!(fmu.real(reference::U), Ok(1.0));
}

#[test]
fn variables_are_set_only_when_the_standard_permits() {
    let fmu = Fmu::initialized("a");
    assert_eq!(fmu.set_real(reference::LENGTH, 1.0), Status::Error);
    fmu.assert_last_message(&[
        "\"arm.length\"",
        "causality parameter, variability fixed",
        "fixed after initialization",
    ]);
    assert_eq!(fmu.set_real(reference::X, 1.0), Status::Error);
    fmu.assert_last_message(&["\"x\"", "causality output", "computed by the model"]);
    assert_eq!(fmu.set_real(reference::GAIN, 2.0), Status::Ok);
    assert_eq!(fmu.set_real(reference::U, 2.0), Status::Ok);
}

#[test]
fn references_of_other_types_are_told_apart() {
    let fmu = Fmu::initialized("a");
    assert_eq!(fmu.real(reference::STEPS), Err(Status::Error));
    fmu.assert_last_message(&["value reference 7", "Integer \"steps\"", "not a Real"]);
    assert_eq!(fmu.real(99), Err(Status::Error));
    fmu.assert_last_message(&["value reference 99", "0 to 5"]);
    assert_eq!(fmu.set_integer(u32::MAX, 0), Status::Error);
    fmu.assert_last_message(&["4294967295", "6 to 7"]);
}

#[test]
fn results_that_are_not_numbers_are_not_passed_on_as_good() {
    let fmu = Fmu::initialized("a");
    fmu.mischief(mischief::NAN);
    assert_eq!(fmu.real(reference::X), Err(Status::Error));
    fmu.assert_last_message(&["\"x\"", "NaN"]);
}

#[test]
fn booleans_are_zero_and_one() {
    let fmu = Fmu::initialized("a");
    let (vr, minus, mut value) = (reference::HOLD, -1, 5);
    unsafe {
        assert_eq!((fmu.api.fmi2SetBoolean)(fmu.component, &raw const vr, 1, &raw const minus), Status::Ok);
        assert_eq!((fmu.api.fmi2GetBoolean)(fmu.component, &raw const vr, 1, &raw mut value), Status::Ok);
    }
    assert_eq!(value, 1);
}

#[test]
fn a_string_asked_for_twice_is_valid_twice() {
    let fmu = Fmu::initialized("a");
    assert_eq!(fmu.set_string(reference::LABEL, c"gr\xc3\xbcn"), Status::Ok);
    let (references, mut texts) = ([reference::LABEL; 2], [null(); 2]);
    unsafe {
        assert_eq!((fmu.api.fmi2GetString)(fmu.component, references.as_ptr(), 2, texts.as_mut_ptr()), Status::Ok);
        // Other calls than reading strings leave them alone.
        assert_eq!(fmu.step(0.0, 0.1), Status::Ok);
        for text in texts {
            assert_eq!(CStr::from_ptr(text), c"gr\xc3\xbcn");
        }
    }
}

fn set_derivative(fmu: &Fmu, vr: u32, order: i32, value: f64) -> Status {
    let set = fmu.api.fmi2SetRealInputDerivatives;
    unsafe { set(fmu.component, &raw const vr, 1, &raw const order, &raw const value) }
}

#[test]
fn derivatives_of_inputs_reach_the_model() {
    let fmu = Fmu::initialized("a");
    assert_eq!(set_derivative(&fmu, reference::U, 1, 2.0), Status::Ok);
    assert_eq!(fmu.step(0.0, 1.0), Status::Ok);
    assert_eq!(fmu.real(reference::X), Ok(2.0), "integral of 1 + 2 t");
    assert_eq!(set_derivative(&fmu, reference::U, 0, 1.0), Status::Error);
    assert_eq!(set_derivative(&fmu, reference::U, -1, 1.0), Status::Error);
    assert_eq!(set_derivative(&fmu, reference::U, 2, 1.0), Status::Error);
    fmu.assert_last_message(&["the order must be 1"]);
    assert_eq!(set_derivative(&fmu, reference::U, 1, f64::NAN), Status::Error);
    fmu.assert_last_message(&["\"u\"", "finite"]);
    assert_eq!(set_derivative(&fmu, reference::GAIN, 1, 1.0), Status::Error);
    fmu.assert_last_message(&["\"gain\"", "no continuous input"]);
}

#[test]
fn derivatives_of_outputs_come_from_the_model() {
    let fmu = Fmu::initialized("a");
    assert_eq!(fmu.set_real(reference::GAIN, 3.0), Status::Ok);
    let get = |vr: u32, order: i32| {
        let mut value = 0.0;
        let get = fmu.api.fmi2GetRealOutputDerivatives;
        let status = unsafe { get(fmu.component, &raw const vr, 1, &raw const order, &raw mut value) };
        (status, value)
    };
    assert_eq!(get(reference::X, 1), (Status::Ok, 3.0));
    assert_eq!(get(reference::X, 2).0, Status::Error);
    fmu.assert_last_message(&["order 2", "\"x\"", "between 1 and 1"]);
    assert_eq!(get(reference::U, 1).0, Status::Error);
    fmu.assert_last_message(&["\"u\" is no output"]);
}

#[test]
fn directional_derivatives_come_from_the_model() {
    let fmu = Fmu::initialized("a");
    assert_eq!(fmu.set_real(reference::GAIN, 4.0), Status::Ok);
    let (unknown, known, mut result) = (reference::DER_X, reference::U, 0.0);
    let mut derive = |seed: f64| unsafe {
        let derive = fmu.api.fmi2GetDirectionalDerivative;
        let status =
            derive(fmu.component, &raw const unknown, 1, &raw const known, 1, &raw const seed, &raw mut result);
        (status, result)
    };
    assert_eq!(derive(0.5), (Status::Ok, 2.0));
    assert_eq!(derive(f64::NAN).0, Status::Error);
}
