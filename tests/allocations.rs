//! Steps without events take no memory, once a model runs.
#![allow(clippy::unwrap_used, clippy::panic, unsafe_code)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use mbs::declaration::Analysis;
use multibody_fmu::{Interface, Session};
use support::{interface, model_folders};

/// Counts the allocations of this thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
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

/// Communication points per model.
const POINTS: usize = 100;

/// At these lists and tables reach the size that they need.
const FIRST: usize = 10;

/// Simulated time \[s\] at most: piles of balls take long in this build.
const LONGEST: f64 = 1.0;

/// Allocations at every communication point before which there was no event and no restart.
fn quiet_points(interface: &Arc<Interface>) -> Vec<usize> {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    let stop = interface.declaration.experiment.stop.min(LONGEST);
    let mut quiet = Vec::new();
    for k in 1..=POINTS {
        let (before, allocations) = (session.statistics().unwrap(), ALLOCATIONS.get());
        session.do_step(stop * k as f64 / POINTS as f64).unwrap();
        let taken = ALLOCATIONS.get() - allocations;
        let after = session.statistics().unwrap();
        let is_quiet = (before.events, before.integrator.restarts) == (after.events, after.integrator.restarts);
        quiet.extend((is_quiet && k > FIRST).then_some(taken));
    }
    quiet
}

#[test]
fn steps_without_events_take_no_memory() {
    let mut models = 0;
    for folder in model_folders() {
        let interface = interface(&folder);
        // Two teeth pass in the run of the gears: every one of them meets its gap for the first time.
        let meets_all_along = interface.declaration.name == "GearPair";
        if interface.declaration.experiment.analysis == Analysis::Kinematic || meets_all_along {
            continue;
        }
        let quiet = quiet_points(&interface);
        if quiet.len() < POINTS / 2 {
            continue;
        }
        let taking = quiet.iter().filter(|taken| **taken > 0).count();
        // Pairs of shapes that come near each other for the first time get their caches; in a row of dominoes many do,
        // one after the other, and balls after a break; wheels on a height field meet new triangles all the time.
        let settled = quiet[3 * quiet.len() / 4..].iter().all(|taken| *taken == 0);
        let few = quiet.iter().sum::<usize>() <= quiet.len();
        assert!(10 * taking <= quiet.len() || settled || few, "{}: {quiet:?}", folder.display());
        models += 1;
    }
    assert!(models > 25, "only {models} models run for long without events");
}
