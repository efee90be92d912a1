//! Calls end, also on request from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fmi2::Status;

use mbfmu_shell::fmi2_functions as api;
use multibody_fmu::Interface;

use crate::host::{Fmu, instance, last_message};

/// A pendulum that swings for ever.
const PENDULUM: &str = r#"
    name = "Pendulum"
    gravity = [0, -9.81, 0]
    [objects.arm]
    solid = { shape = "box", lengths = [1, 0.1, 0.1], r = [0.5, 0, 0], mass = 1 }
    [joints.hinge]
    type = "revolute"
    from = "world"
    to = "arm"
    axis = "z"
"#;

fn set(interface: &Interface, fmu: &Fmu, name: &str, value: f64) {
    let reference = interface.description.value_references()[interface.find(name).unwrap()];
    assert_eq!(unsafe { api::fmi2SetReal(fmu.0, &raw const reference, 1, &raw const value) }, Status::Ok);
}

#[test]
fn a_step_beyond_the_budget_is_discarded_and_a_larger_budget_lifts_it() {
    let (interface, fmu) = instance(PENDULUM, "budget");
    set(&interface, &fmu, "max_work", 1e4);
    fmu.initialize();
    assert_eq!(fmu.step(0.0, 1e9), Status::Discard);
    assert!(last_message().contains("max_work") && last_message().contains("hinge"), "{}", last_message());
    assert_eq!(fmu.last_successful_time(), 0.0);
    assert_eq!(unsafe { api::fmi2Reset(fmu.0) }, Status::Ok);
    fmu.initialize();
    assert_eq!(fmu.step(0.0, 10.0), Status::Ok);
}

#[test]
fn a_step_can_be_cancelled_from_another_thread() {
    let (interface, fmu) = instance(PENDULUM, "cancel");
    set(&interface, &fmu, "max_work", 1e300);
    fmu.initialize();
    assert_eq!(unsafe { api::fmi2CancelStep(fmu.0) }, Status::Error, "no step runs");
    let (component, ended) = (fmu.0 as usize, AtomicBool::new(false));
    std::thread::scope(|scope| {
        let stepping = scope.spawn(|| {
            let status = unsafe { api::fmi2DoStep(component as _, 0.0, 1e9, 0) };
            ended.store(true, Ordering::SeqCst);
            (status, last_message())
        });
        while !ended.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
            if unsafe { api::fmi2CancelStep(component as _) } == Status::Ok {
                break;
            }
        }
        let (status, message) = stepping.join().unwrap();
        assert_eq!(status, Status::Discard);
        assert!(message.contains("cancelled"), "{message}");
    });
    assert_eq!(fmu.last_successful_time(), 0.0);
}
