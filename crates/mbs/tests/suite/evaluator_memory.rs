//! An evaluator's results depend on its arguments only, not on what it computed before.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Bench, Point, Random, random_tree};
use mbs::dynamics::Evaluator;
use mbs::force::Element;

fn bench(seed: u64) -> (Bench, Point) {
    let mut bench = Bench::new(&random_tree(seed, 1 + seed as usize % 9, true));
    for element in &mut bench.topology.elements {
        if let Element::Line(line) = element {
            line.rest_length = 0.8;
        }
    }
    let point = bench.random_point(&mut Random::new(seed + 500));
    (bench, point)
}

fn accelerations(bench: &mut Bench, point: &Point) -> Vec<f64> {
    let mut vdot = vec![0.0; point.v.len()];
    bench.signals.set_time(point.t);
    bench.evaluator.accelerations(&bench.topology, &point.q, &point.v, &mut bench.signals, &mut vdot).unwrap();
    vdot
}

fn linearize(bench: &mut Bench, point: &Point) {
    let (y, yp) = ([point.q.clone(), point.v.clone()].concat(), [point.q.clone(), point.vdot.clone()].concat());
    bench.signals.set_time(point.t);
    bench.evaluator.linearize(&bench.topology, 12.0, &y, &yp, &mut bench.signals).unwrap();
}

fn solution(bench: &mut Bench) -> Vec<f64> {
    let mut x: Vec<f64> = (0..bench.topology.num_variables()).map(|k| (k as f64).sin()).collect();
    bench.evaluator.solve(&bench.topology, &mut x);
    x
}

#[test]
fn accelerations_do_not_depend_on_earlier_solutions() {
    for seed in 0..40 {
        let (mut bench, point) = bench(seed);
        let fresh = accelerations(&mut bench, &point);
        linearize(&mut bench, &point);
        solution(&mut bench);
        assert_eq!(fresh, accelerations(&mut bench, &point), "seed {seed}");
    }
}

#[test]
fn a_solution_belongs_to_the_last_linearisation_even_when_accelerations_were_computed_since() {
    for seed in 0..40 {
        let (mut bench, point) = bench(seed);
        linearize(&mut bench, &point);
        let fresh = solution(&mut bench);
        accelerations(&mut bench, &point);
        assert_eq!(fresh, solution(&mut bench), "seed {seed}");
    }
}

#[test]
fn residuals_do_not_depend_on_the_point_evaluated_before() {
    for seed in 0..40 {
        let (mut bench, point) = bench(seed);
        let fresh = bench.force_balance(&point);
        let other = bench.random_point(&mut Random::new(seed));
        bench.force_balance(&other);
        linearize(&mut bench, &other);
        solution(&mut bench);
        assert_eq!(fresh, bench.force_balance(&point), "seed {seed}");
        bench.evaluator = Evaluator::new(&bench.topology);
        assert_eq!(fresh, bench.force_balance(&point), "seed {seed}");
    }
}
