//! Microseconds per change of structure: `cargo bench --workspace --bench structure`.
//!
//! One assembly among many free bodies is attached to the world and released again. *change* is the change alone
//! (checks, links, topology, states, work arrays), *event* includes consistent accelerations, the restart of IDA and
//! its first step, which cost time for all bodies in any case; *step* is a later step without change, for comparison.
//! The median counts.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::time::Instant;

use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, object, revolute};
use mbs::elaboration::elaborate;
use mbs::scene::ObjectId;
use mbs::simulation::{Options, Simulation, StructureChange};
use mbs_ida::Ida;

const SIZES: [usize; 4] = [10, 25, 100, 1000];
const CHANGES: usize = 200;
const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.0, 0.0, 0.0];

/// This number of bodies: one assembly that is a chain of `links` bodies, the others free.
fn model(bodies: usize, links: usize) -> Declaration {
    let mut model = ModelBuilder::new("Parts").object(object("hook").fixed().lockable());
    for k in 0..bodies {
        let body = object(format!("body{k}")).mass(1.0, [0.0; 3], INERTIA);
        let at = [0.0, 2.0 * k as f64, 0.0];
        model = match k {
            0 => model.object(body.free().assembly_root().lockable()),
            _ if k < links => {
                let [name, from, to] = [format!("joint{k}"), format!("body{}", k - 1), format!("body{k}")];
                model.object(body).joint(revolute(&name, &from, &to, "z").velocity(0.1))
            }
            _ => model.object(body.r(at).free_with([0.0, 0.1, 0.0], [0.1, 0.0, 0.0])),
        };
    }
    model.build().unwrap()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Median times \[us\] of a change, of an event with a change, and of a step.
fn measure(bodies: usize, links: usize) -> [f64; 3] {
    let scene = elaborate(&model(bodies, links), &[]).unwrap_or_else(|errors| panic!("{errors:?}"));
    let find = |name: &str| -> ObjectId { scene.object(name).unwrap() };
    let (a, b) = (find("body0"), find("hook"));
    let mut run = Simulation::new(scene, Ida::new(), 0.0, Options::default()).unwrap();
    run.do_step(0.01).unwrap();
    let (mut changes, mut events, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..CHANGES {
        let change = match k % 2 {
            0 => StructureChange::Attach { a, b, snap: false },
            _ => StructureChange::Release { frame: a },
        };
        let start = Instant::now();
        run.change_structure(&[change]).unwrap();
        changes.push(start.elapsed().as_secs_f64() * 1e6);
        let taken = run.statistics().integrator.steps;
        run.do_step(run.time() + 1e-9).unwrap();
        events.push(start.elapsed().as_secs_f64() * 1e6);
        assert_eq!(run.statistics().integrator.steps, taken + 1);
        let (start, taken) = (Instant::now(), run.statistics().integrator.steps);
        run.do_step(run.time() + 0.01).unwrap();
        let taken = run.statistics().integrator.steps - taken;
        steps.push(start.elapsed().as_secs_f64() * 1e6 / taken.max(1) as f64);
    }
    [changes, events, steps].map(median)
}

fn main() {
    println!("{:>8} {:>10} {:>12} {:>12} {:>12}", "bodies", "attached", "change / us", "event / us", "step / us");
    let print = |bodies: usize, links: usize| {
        let [change, event, step] = measure(bodies, links);
        println!("{bodies:>8} {links:>10} {change:>12.1} {event:>12.1} {step:>12.1}");
    };
    SIZES.iter().for_each(|&bodies| print(bodies, 1));
    [1, 10, 100].iter().for_each(|&links| print(200, links));
}
