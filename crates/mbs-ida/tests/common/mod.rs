//! Small problems with known solutions, and a dense Newton matrix for them.
#![allow(dead_code, clippy::unwrap_used)]

use mbs::dynamics::EvaluationError;
use mbs::simulation::integrator::{DaeSystem, Integrator, StartPoint, StepOutcome};

pub type Outcome = Result<(), EvaluationError>;
type Residual<'a> = dyn FnMut(f64, &[f64], &[f64], &mut [f64]) -> Outcome + 'a;
type Jacobian<'a> = dyn FnMut(f64, f64, &[f64], &[f64], &mut [f64]) -> Outcome + 'a;
type Roots<'a> = dyn FnMut(f64, &[f64], &[f64], &mut [f64]) -> Outcome + 'a;

/// A system made of closures. The Jacobian writes `df/dy + c_j df/dy'` row by row into n x n numbers.
pub struct Problem<'a> {
    pub n: usize,
    pub num_roots: usize,
    pub residual: Box<Residual<'a>>,
    pub jacobian: Box<Jacobian<'a>>,
    pub roots: Box<Roots<'a>>,
    pub matrix: Vec<f64>,
    pub pivots: Vec<usize>,
    pub linearizations: usize,
}

impl<'a> Problem<'a> {
    pub fn new(
        n: usize,
        residual: impl FnMut(f64, &[f64], &[f64], &mut [f64]) -> Outcome + 'a,
        jacobian: impl FnMut(f64, f64, &[f64], &[f64], &mut [f64]) -> Outcome + 'a,
    ) -> Self {
        Self {
            n,
            num_roots: 0,
            residual: Box::new(residual),
            jacobian: Box::new(jacobian),
            roots: Box::new(|_, _, _, _| Ok(())),
            matrix: vec![0.0; n * n],
            pivots: vec![0; n],
            linearizations: 0,
        }
    }

    pub fn with_roots(
        mut self,
        num: usize,
        roots: impl FnMut(f64, &[f64], &[f64], &mut [f64]) -> Outcome + 'a,
    ) -> Self {
        self.num_roots = num;
        self.roots = Box::new(roots);
        self
    }
}

impl DaeSystem for Problem<'_> {
    fn num_variables(&self) -> usize {
        self.n
    }
    fn num_roots(&self) -> usize {
        self.num_roots
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Outcome {
        (self.residual)(t, y, yp, residual)
    }
    fn linearize(&mut self, t: f64, c_j: f64, y: &[f64], yp: &[f64]) -> Outcome {
        self.linearizations += 1;
        self.matrix.fill(0.0);
        (self.jacobian)(t, c_j, y, yp, &mut self.matrix)?;
        factorize(&mut self.matrix, &mut self.pivots)
    }
    fn solve(&mut self, b: &mut [f64]) -> Outcome {
        substitute(&self.matrix, &self.pivots, b);
        Ok(())
    }
    fn roots(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Outcome {
        (self.roots)(t, y, yp, roots)
    }
}

fn factorize(a: &mut [f64], pivots: &mut [usize]) -> Outcome {
    let n = pivots.len();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap();
        if a[p * n + k] == 0.0 {
            return Err(EvaluationError::Recoverable(format!("column {k} of the matrix is zero")));
        }
        pivots[k] = p;
        (0..n).for_each(|j| a.swap(k * n + j, p * n + j));
        for i in k + 1..n {
            a[i * n + k] /= a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
    Ok(())
}

fn substitute(a: &[f64], pivots: &[usize], b: &mut [f64]) {
    let n = pivots.len();
    for (k, &pivot) in pivots.iter().enumerate() {
        b.swap(k, pivot);
    }
    for i in 0..n {
        b[i] -= (0..i).map(|j| a[i * n + j] * b[j]).sum::<f64>();
    }
    for i in (0..n).rev() {
        b[i] = (b[i] - (i + 1..n).map(|j| a[i * n + j] * b[j]).sum::<f64>()) / a[i * n + i];
    }
}

/// `y' = -rate y`.
pub fn decay<'a>(rate: f64) -> Problem<'a> {
    Problem::new(
        1,
        move |_, y, yp, r| {
            r[0] = yp[0] + rate * y[0];
            Ok(())
        },
        move |_, c_j, _, _, j| {
            j[0] = c_j + rate;
            Ok(())
        },
    )
}

/// `x' = v, v' = -x`.
pub fn oscillator<'a>() -> Problem<'a> {
    Problem::new(
        2,
        |_, y, yp, r| {
            r[0] = yp[0] - y[1];
            r[1] = yp[1] + y[0];
            Ok(())
        },
        |_, c_j, _, _, j| {
            j.copy_from_slice(&[c_j, -1.0, 1.0, c_j]);
            Ok(())
        },
    )
}

/// Free fall with gravity 9.81 m/s^2; y = [height, velocity]; one root function: the height.
pub fn ball<'a>() -> Problem<'a> {
    Problem::new(
        2,
        |_, y, yp, r| {
            r[0] = yp[0] - y[1];
            r[1] = yp[1] + 9.81;
            Ok(())
        },
        |_, c_j, _, _, j| {
            j.copy_from_slice(&[c_j, -1.0, 0.0, c_j]);
            Ok(())
        },
    )
    .with_roots(1, |_, y, _, g| {
        g[0] = y[0];
        Ok(())
    })
}

/// Everything a restart needs, owned.
pub struct Setup {
    pub t: f64,
    pub y: Vec<f64>,
    pub yp: Vec<f64>,
    pub differential: Vec<bool>,
    pub relative_tolerance: f64,
    pub absolute_tolerance: Vec<f64>,
    pub num_roots: usize,
    pub initial_step: Option<f64>,
    pub max_step: Option<f64>,
}

impl Setup {
    pub fn new(y: &[f64], yp: &[f64], tolerance: f64) -> Self {
        let n = y.len();
        Self {
            t: 0.0,
            y: y.to_vec(),
            yp: yp.to_vec(),
            differential: vec![true; n],
            relative_tolerance: tolerance,
            absolute_tolerance: vec![tolerance; n],
            num_roots: 0,
            initial_step: None,
            max_step: None,
        }
    }

    pub fn with_roots(mut self, num_roots: usize) -> Self {
        self.num_roots = num_roots;
        self
    }

    pub fn at(mut self, t: f64) -> Self {
        self.t = t;
        self
    }

    pub fn start(&self) -> StartPoint<'_> {
        StartPoint {
            t: self.t,
            y: &self.y,
            yp: &self.yp,
            differential: &self.differential,
            relative_tolerance: self.relative_tolerance,
            absolute_tolerance: &self.absolute_tolerance,
            num_roots: self.num_roots,
            largest_first_step: 1e-3,
            initial_step: self.initial_step,
            max_step: self.max_step,
        }
    }
}

/// Steps until `stop`, which must be reached without a root.
pub fn run_to(integrator: &mut impl Integrator, system: &mut dyn DaeSystem, stop: f64) {
    loop {
        match integrator.step(system, Some(stop)).unwrap() {
            StepOutcome::Stepped { .. } => {}
            StepOutcome::Limit { t } => {
                assert_eq!(t, stop);
                return;
            }
            StepOutcome::Root { t } => panic!("unexpected root at {t}"),
        }
    }
}

/// The solution and its derivative at `t`.
pub fn at<const N: usize>(integrator: &mut impl Integrator, t: f64) -> ([f64; N], [f64; N]) {
    let (mut y, mut yp) = ([0.0; N], [0.0; N]);
    integrator.interpolate(t, &mut y, &mut yp).unwrap();
    (y, yp)
}
