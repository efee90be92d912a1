//! Steps, times, tolerances and inputs at the edges of what numbers can say.

use fmi2::Status;
use mbfmu_shell::fmi2_functions as api;

use crate::host::{Fmu, reference, short_run};

#[test]
fn steps_of_all_sizes_arrive_or_are_refused() {
    let fmu = Fmu::initialized();
    let mut t = 0.0;
    for exponent in -14..=-1 {
        let size = 10f64.powi(exponent);
        assert_eq!(fmu.step(t, size), Status::Ok, "{size} s");
        t += size;
        assert!((fmu.get("time") - t).abs() < 1e-12);
    }
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-30] {
        assert_eq!(fmu.step(t, size), Status::Error, "{size} s");
    }
    for point in [t + 1.0, t - 0.1, f64::NAN, f64::INFINITY, -1e300] {
        assert_eq!(fmu.step(point, 0.1), Status::Error, "from {point} s");
    }
    assert_eq!(fmu.step(t, 0.01), Status::Ok, "the instance is intact");
}

#[test]
fn an_enormous_step_ends_and_the_instance_lives_on() {
    let fmu = Fmu::new();
    // Without gravity nothing falls for ever; the ball leaves the plate alone.
    assert_eq!(fmu.set("g", 0.0), Status::Ok);
    fmu.initialize();
    let status = fmu.step(0.0, 1e6);
    assert!(matches!(status, Status::Ok | Status::Discard), "{status:?}");
    let time = fmu.last_successful_time();
    assert_eq!(time, if status == Status::Ok { 1e6 } else { 0.0 });
    assert_eq!(unsafe { api::fmi2Reset(fmu.0) }, Status::Ok);
    fmu.initialize();
    assert_eq!(fmu.step(0.0, 0.01), Status::Ok);
}

#[test]
fn impossible_tolerances_are_refused_or_lead_to_discard() {
    for tolerance in [f64::NAN, f64::INFINITY, -1.0, 1.0, 2.0, 1e300] {
        let fmu = Fmu::new();
        let setup = unsafe { api::fmi2SetupExperiment(fmu.0, 1, tolerance, 0.0, 0, 0.0) };
        let entered = unsafe { api::fmi2EnterInitializationMode(fmu.0) };
        assert!(setup == Status::Error || entered == Status::Error, "{tolerance}");
    }
    for tolerance in [5e-324, 1e-300, 1e-16, 0.999] {
        let fmu = Fmu::new();
        assert_eq!(unsafe { api::fmi2SetupExperiment(fmu.0, 1, tolerance, 0.0, 0, 0.0) }, Status::Ok);
        let entered = unsafe { api::fmi2EnterInitializationMode(fmu.0) };
        assert!(entered <= Status::Error);
        if entered == Status::Ok {
            assert_eq!(unsafe { api::fmi2ExitInitializationMode(fmu.0) }, Status::Ok);
            assert!(fmu.step(0.0, 1e-3) <= Status::Error, "{tolerance}");
        }
        assert_eq!(unsafe { api::fmi2Reset(fmu.0) }, Status::Ok);
    }
}

#[test]
fn values_that_are_no_numbers_never_get_in() {
    let fmu = Fmu::initialized();
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e7] {
        assert_eq!(fmu.set("f", value), Status::Error);
        let (f, order) = (reference("f"), 1);
        let finite = value.is_finite();
        let status =
            unsafe { api::fmi2SetRealInputDerivatives(fmu.0, &raw const f, 1, &raw const order, &raw const value) };
        assert_eq!(status == Status::Ok, finite);
    }
    assert_eq!(fmu.set("f", 0.0), Status::Ok);
    assert_eq!(fmu.step(0.0, 1e-6), Status::Ok);
    assert!(fmu.get("rail.s").is_finite());
}

#[test]
fn a_motion_without_bounds_is_discarded_and_can_be_undone() {
    let fmu = Fmu::initialized();
    let mut state = std::ptr::null_mut();
    assert_eq!(unsafe { api::fmi2GetFMUstate(fmu.0, &raw mut state) }, Status::Ok);
    let (f, order, slope) = (reference("f"), 60, 1e300);
    let status =
        unsafe { api::fmi2SetRealInputDerivatives(fmu.0, &raw const f, 1, &raw const order, &raw const slope) };
    assert_eq!(status, Status::Ok);
    let status = fmu.step(0.0, 50.0);
    assert!(matches!(status, Status::Discard | Status::Ok), "{status:?}");
    assert_eq!(unsafe { api::fmi2SetFMUstate(fmu.0, state) }, Status::Ok);
    assert_eq!(fmu.step(0.0, 0.01), Status::Ok);
}

/// A host that divides by zero only to be told, rounds upward and flushes small numbers to zero.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_floating_point_environment_of_the_host_changes_nothing() {
    use std::arch::asm;
    const TRAPS_AND_ROUNDING: u32 = 0xD900;
    let set = |value: u32| unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack)) };
    let get = || {
        let mut value = 0_u32;
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack)) };
        value
    };
    let before = get();
    let expected = short_run(&Fmu::new());
    let points: Vec<(f64, f64)> = (0..8).map(|step| (f64::from(step) * 0.02, 0.02)).collect();
    set(TRAPS_AND_ROUNDING);
    let fmu = Fmu::new();
    fmu.initialize();
    let mut bits = fmu.bits();
    for (point, size) in points {
        assert_eq!(fmu.step(point, size), Status::Ok);
        bits.extend(fmu.bits());
    }
    drop(fmu);
    let after = get();
    set(before);
    assert_eq!(after & 0xFFC0, TRAPS_AND_ROUNDING & 0xFFC0, "the host has its environment back");
    assert_eq!(bits, expected);
}
