//! The structured Newton solver against a dense Jacobian from finite differences of the residual.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support::{Random, random_loops, random_tree};
use mbs::dynamics::Evaluator;
use mbs::elaboration::elaborate;
use mbs::topology::compile;
use nalgebra::{DMatrix, DVector};

struct Case {
    topology: mbs::topology::Topology,
    evaluator: Evaluator,
    signals: mbs::force::Signals,
    y: Vec<f64>,
    yp: Vec<f64>,
}

fn case(seed: u64, n: usize) -> Case {
    case_of(&random_tree(seed, n, true), seed).expect("compiles")
}

/// The derivative of `G^T mu` is left out of the Newton matrix, since `mu` is zero but for rounding errors.
fn case_with_loops(seed: u64) -> Option<Case> {
    let n = 2 + seed as usize % 7;
    let mut case = case_of(&random_loops(seed, n, 1 + seed as usize % 3, true), seed)?;
    let (rows, all) = (case.topology.num_multipliers(), case.y.len());
    case.yp[all - rows..].fill(0.0);
    let (y, yp) = (case.y.clone(), case.yp.clone());
    case.residual(&y, &yp);
    case.evaluator.loops.select();
    (rows > 0).then_some(case)
}

fn case_of(declaration: &mbs::declaration::Declaration, seed: u64) -> Option<Case> {
    let scene = elaborate(declaration, &[]).expect("elaborates");
    let mut topology = compile(&scene).ok()?;
    for element in &mut topology.elements {
        if let mbs::force::Element::Line(line) = element {
            line.rest_length = 0.8;
        }
    }
    let mut random = Random::new(seed + 1000);
    let num = topology.num_variables();
    let y = (0..num).map(|_| random.number()).collect();
    let yp = (0..num).map(|_| random.number()).collect();
    Some(Case { evaluator: Evaluator::new(&topology), signals: scene.signals.clone(), topology, y, yp })
}

impl Case {
    fn residual(&mut self, y: &[f64], yp: &[f64]) -> DVector<f64> {
        let mut r = DVector::zeros(y.len());
        self.signals.set_time(0.7);
        self.evaluator.residual(&self.topology, y, yp, &mut self.signals, r.as_mut_slice());
        r
    }

    fn dense_jacobian(&mut self, c_j: f64) -> DMatrix<f64> {
        let n = self.y.len();
        let mut jacobian = DMatrix::zeros(n, n);
        for k in 0..n {
            let h = 1e-6;
            let mut at = |s: f64| {
                let (mut y, mut yp) = (self.y.clone(), self.yp.clone());
                y[k] += s;
                yp[k] += c_j * s;
                self.residual(&y, &yp)
            };
            jacobian.set_column(k, &((at(h) - at(-h)) / (2.0 * h)));
        }
        jacobian
    }
}

#[test]
fn newton_solver_inverts_the_jacobian_of_the_residual() {
    for seed in 0..60 {
        for c_j in [1.0, 37.0, 1e4] {
            let mut case = case(seed, 1 + (seed as usize % 9));
            if case.y.is_empty() {
                continue;
            }
            let jacobian = case.dense_jacobian(c_j);
            let mut random = Random::new(seed);
            let b = DVector::from_fn(case.y.len(), |_, _| random.number());
            let mut x = b.clone();
            let (y, yp) = (case.y.clone(), case.yp.clone());
            case.signals.set_time(0.7);
            case.evaluator.linearize(&case.topology, c_j, &y, &yp, &mut case.signals).expect("regular");
            case.evaluator.solve(&case.topology, x.as_mut_slice());
            let error = (&jacobian * &x - &b).amax() / (1.0 + jacobian.amax() * x.amax());
            assert!(error < 2e-6, "seed {seed}, c_j {c_j}: error {error:e}, {} nodes", case.topology.nodes.len());
        }
    }
}

#[test]
fn newton_solver_inverts_the_jacobian_of_models_with_loops() {
    let mut seen = 0;
    for seed in 0..80 {
        for c_j in [10.0, 1e3] {
            let Some(mut case) = case_with_loops(seed) else { continue };
            seen += 1;
            let jacobian = case.dense_jacobian(c_j);
            let mut random = Random::new(seed);
            let b = DVector::from_fn(case.y.len(), |_, _| random.number());
            let mut x = b.clone();
            let (y, yp) = (case.y.clone(), case.yp.clone());
            case.signals.set_time(0.7);
            case.evaluator.linearize(&case.topology, c_j, &y, &yp, &mut case.signals).expect("regular");
            case.evaluator.solve(&case.topology, x.as_mut_slice());
            let error = (&jacobian * &x - &b).amax() / (1.0 + jacobian.amax() * x.amax());
            assert!(error < 2e-6, "seed {seed}, c_j {c_j}: error {error:e}, {:?}", case.topology.closures);
        }
    }
    assert!(seen > 60, "only {seen} models with loops");
}

/// Largest residual of the equations of motion for the computed accelerations, relative to these.
fn imbalance(case: &mut Case) -> f64 {
    let num_q = case.topology.num_q;
    let (q, v) = case.y.split_at(num_q);
    let mut vdot = vec![0.0; v.len()];
    case.signals.set_time(0.7);
    case.evaluator.accelerations(&case.topology, q, v, &mut case.signals, &mut vdot).expect("regular");
    let mut yp = vec![0.0; case.y.len()];
    yp[num_q..].copy_from_slice(&vdot);
    let y = case.y.clone();
    let scale = 1.0 + vdot.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    case.residual(&y, &yp).rows(num_q, case.topology.num_v).amax() / scale
}

#[test]
fn accelerations_balance_the_forces_of_models_with_loops() {
    for seed in 0..80 {
        let Some(mut case) = case_with_loops(seed) else { continue };
        let imbalance = imbalance(&mut case);
        assert!(imbalance < 1e-9, "seed {seed}: {imbalance:e}");
    }
}

#[test]
fn accelerations_zero_the_residual() {
    for seed in 0..60 {
        let imbalance = imbalance(&mut case(seed, 1 + (seed as usize % 12)));
        assert!(imbalance < 1e-10, "seed {seed}: {imbalance:e}");
    }
}
