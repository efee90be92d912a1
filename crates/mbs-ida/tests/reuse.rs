//! One integrator used again and again, and several at once: no influence, no growth.
#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::{Setup, at, ball, decay, oscillator, run_to};
use mbs::simulation::integrator::{Integrator, IntegratorStatistics, StepOutcome};
use mbs_ida::Ida;

/// Counts the allocations of this thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Every number of an oscillation over 10 s, as bits.
fn oscillation_bits(ida: &mut Ida) -> Vec<u64> {
    ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-7).start()).unwrap();
    let (mut system, mut bits) = (oscillator(), Vec::new());
    while ida.internal_time() < 10.0 {
        bits.push(ida.step(&mut system, None).unwrap().time().to_bits());
        let (end, size) = (ida.internal_time(), ida.last_step());
        let (y, yp) = at::<2>(ida, end - 0.3 * size);
        bits.extend([y, yp].concat().iter().map(|value| value.to_bits()));
    }
    bits
}

#[test]
fn two_runs_give_the_same_bits_whatever_the_integrator_did_before() {
    let fresh = oscillation_bits(&mut Ida::new());
    assert_eq!(fresh, oscillation_bits(&mut Ida::new()));
    let mut used = Ida::new();
    // Same size, other size, with roots, far in time, left in the middle, failed.
    used.restart(&Setup::new(&[1.0, 0.0], &[0.0, -9.81], 1e-3).with_roots(1).at(1e4).start()).unwrap();
    used.step(&mut ball(), Some(1e4 + 0.1)).unwrap();
    assert_eq!(fresh, oscillation_bits(&mut used));
    used.restart(&Setup::new(&[1.0], &[-1.0], 1e-9).start()).unwrap();
    run_to(&mut used, &mut decay(1.0), 3.0);
    assert_eq!(fresh, oscillation_bits(&mut used));
    used.restart(&Setup::new(&[1.0, 0.0], &[0.0, 0.0], 1e-6).start()).unwrap();
    let mut broken = oscillator();
    broken.residual = Box::new(|_, _, _, r| {
        r.fill(f64::NAN);
        Ok(())
    });
    assert!(used.step(&mut broken, None).is_err());
    assert_eq!(fresh, oscillation_bits(&mut used));
}

#[test]
fn interleaved_integrators_do_not_disturb_each_other() {
    let alone = oscillation_bits(&mut Ida::new());
    let (mut one, mut other) = (Ida::new(), Ida::new());
    one.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-7).start()).unwrap();
    other.restart(&Setup::new(&[5.0, 0.0], &[0.0, -9.81], 1e-5).with_roots(1).start()).unwrap();
    let (mut oscillator, mut ball, mut bits) = (oscillator(), ball(), Vec::new());
    while one.internal_time() < 10.0 {
        bits.push(one.step(&mut oscillator, None).unwrap().time().to_bits());
        if let StepOutcome::Root { .. } = other.step(&mut ball, None).unwrap() {
            other.restart(&Setup::new(&[5.0, 0.0], &[0.0, -9.81], 1e-5).with_roots(1).start()).unwrap();
        }
        let (end, size) = (one.internal_time(), one.last_step());
        let (y, yp) = at::<2>(&mut one, end - 0.3 * size);
        bits.extend([y, yp].concat().iter().map(|value| value.to_bits()));
    }
    assert_eq!(alone, bits);
    assert!(other.statistics().restarts > 1);
}

#[test]
fn an_integrator_works_on_in_another_thread() {
    let alone = oscillation_bits(&mut Ida::new());
    let mut ida = Ida::new();
    oscillation_bits(&mut ida);
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| oscillation_bits(&mut Ida::new()))).collect();
    let moved = std::thread::spawn(move || oscillation_bits(&mut ida)).join().unwrap();
    assert_eq!(alone, moved);
    threads.into_iter().for_each(|thread| assert_eq!(alone, thread.join().unwrap()));
}

#[test]
fn counters_add_up_over_restarts_until_cleared() {
    let mut ida = Ida::new();
    assert_eq!(ida.statistics(), IntegratorStatistics::default());
    oscillation_bits(&mut ida);
    let once = ida.statistics();
    assert_eq!(once.restarts, 1);
    assert!(once.steps > 50 && once.residual_evaluations >= once.steps && once.linear_solves >= once.steps, "{once:?}");
    assert!(once.nonlinear_iterations == once.linear_solves && once.jacobian_evaluations > 3, "{once:?}");
    oscillation_bits(&mut ida);
    let twice = ida.statistics();
    assert_eq!(twice.steps, 2 * once.steps);
    assert_eq!(twice.residual_evaluations, 2 * once.residual_evaluations);
    assert_eq!(twice.error_test_failures, 2 * once.error_test_failures);
    // Another size, with roots.
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-9).start()).unwrap();
    run_to(&mut ida, &mut decay(1.0), 3.0);
    assert!(ida.statistics().steps > twice.steps);
    ida.set_statistics(Default::default());
    assert_eq!(ida.statistics(), IntegratorStatistics::default());
    assert_eq!(oscillation_bits(&mut ida).len() as u64, 5 * ida.statistics().steps);
    assert_eq!(ida.statistics(), once);
}

#[test]
fn steps_roots_and_interpolation_do_not_allocate() {
    let (mut ida, mut system) = (Ida::new(), ball());
    let setup = Setup::new(&[100.0, 0.0], &[0.0, -9.81], 1e-8).with_roots(1);
    ida.restart(&setup.start()).unwrap();
    ida.step(&mut system, None).unwrap();
    let before = ALLOCATIONS.with(Cell::get);
    loop {
        let outcome = ida.step(&mut system, Some(20.0)).unwrap();
        at::<2>(&mut ida, outcome.time());
        if matches!(outcome, StepOutcome::Root { .. }) {
            break;
        }
    }
    ida.restart(&setup.start()).unwrap();
    ida.step(&mut system, None).unwrap();
    assert_eq!(ALLOCATIONS.with(Cell::get), before);
}

/// Memory of this process \[kB\], where the system tells.
fn resident_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_hundred_thousand_restarts_do_not_grow_the_memory() {
    let mut ida = Ida::new();
    let mut restart = |k: usize| {
        let n = 1 + k % 7;
        let setup = Setup::new(&vec![1.0; n], &vec![-1.0; n], 1e-6).with_roots(k % 3);
        ida.restart(&setup.start()).unwrap();
        if n == 1 && k.is_multiple_of(3) {
            ida.step(&mut decay(1.0), None).unwrap();
        }
    };
    (0..5_000).for_each(&mut restart);
    let before = resident_memory();
    (0..100_000).for_each(&mut restart);
    if let (Some(before), Some(after)) = (before, resident_memory()) {
        // 16 bytes lost per restart would be 1600 kB.
        assert!(after < before + 800, "memory grew from {before} kB to {after} kB");
    }
}
