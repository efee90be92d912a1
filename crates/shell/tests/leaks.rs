//! Instances, states and messages leave no memory behind. Alone in its process, so that the numbers mean something.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

#[path = "hostile/host.rs"]
mod host;

use fmi2::Status;
use host::{Fmu, directory, instance, instantiate};
use mbfmu_shell::fmi2_functions as api;

/// Bytes of memory in use by this process.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

/// A life with states never freed, a refused call, a reset, and a second run.
fn live() {
    let fmu = Fmu::initialized();
    for step in 0..5 {
        assert_eq!(fmu.step(f64::from(step) * 0.01, 0.01), Status::Ok);
        let mut state = std::ptr::null_mut();
        assert_eq!(unsafe { api::fmi2GetFMUstate(fmu.0, &raw mut state) }, Status::Ok);
        assert_eq!(unsafe { api::fmi2SetFMUstate(fmu.0, state) }, Status::Ok);
        assert_eq!(fmu.step(7.0, 1.0), Status::Error);
    }
    assert_eq!(unsafe { api::fmi2Reset(fmu.0) }, Status::Ok);
    fmu.initialize();
}

fn two_hundred_lives_leave_nothing_behind() {
    (0..50).for_each(|_| live());
    let before = resident();
    (0..200).for_each(|_| live());
    let grown = resident().saturating_sub(before);
    assert!(grown < 2_000_000, "{grown} bytes more than before");
}

fn memory_of_freed_instances_goes_back_to_the_system() {
    let text = r#"
        name = "Chain"
        [assemblies.Link.objects.bar]
        solid = { shape = "box", lengths = [0.1, 1, 0.1], mass = 1 }
        [assemblies.Link.joints.hinge]
        type = "revolute"
        from = "origin"
        to = "bar"
        axis = "z"
        [instances.link]
        assembly = "Link"
        count = 60
    "#;
    let before = resident();
    let (interface, first) = instance(text, "memory");
    let resources = directory("memory").display().to_string();
    first.initialize();
    let mut all = vec![first];
    for _ in 0..30 {
        all.push(Fmu(instantiate(interface.guid(), Some(&resources))));
        all.last().unwrap().initialize();
        assert_eq!(all.last().unwrap().step(0.0, 0.01), Status::Ok);
    }
    let full = resident();
    drop(all);
    let empty = resident();
    assert!(full > before + 10_000_000, "{} bytes for all", full - before);
    let left = empty.saturating_sub(before);
    assert!(left < (full - before) / 4, "{left} of {} bytes are kept", full - before);
}

/// One after the other, because both look at the memory of the whole process.
#[test]
fn no_memory_is_left_behind() {
    two_hundred_lives_leave_nothing_behind();
    memory_of_freed_instances_goes_back_to_the_system();
}
