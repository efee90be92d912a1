//! Impulses with Coulomb friction in space: a complementarity problem on second-order cones.
//!
//! Newton's method on the projections of the impulses onto their cones (P. Alart & A. Curnier, *Comput. Methods Appl.
//! Mech. Engrg.* 92, 1991, 353-375). Where it fails, because many points hold the same bodies, it begins again where an
//! interior-point method ends ([`inner_impulses`]), and then after sweeps from point to point (M. Jean, *Comput. Methods
//! Appl. Mech. Engrg.* 177, 1999, 235-257). Where that fails too, every point yields a little relative to the impulses
//! found so far, less and less (R. T. Rockafellar, *SIAM J. Control Optim.* 14, 1976, 877-898).

use super::interior::inner_impulses;
use super::pivoting::{ACCEPTED, TRACE, least_impulses};
use super::point::{Failure, PER_POINT, PointConstraint};
use crate::linalg::{Dense, dot};

/// Error of a velocity, relative to the greatest one, at which the iteration ends.
const CONVERGED: f64 = 1e-13;

/// The same that suffices where nothing better is found, and over the approach velocity that is none.
const SUFFICIENT: f64 = 1e-8;
const UNNOTICED: f64 = 1e-2;

/// Points from which on impulses that suffice are not improved: it would cost too much.
const MANY: usize = 20;

const MOST_ITERATIONS: usize = 25;

/// Rounds of sweeps before points yield, and all of them.
const FIRST_ROUNDS: u32 = 4;
const MOST_ROUNDS: u32 = 11;

/// Sweeps of the first round; every round has twice as many as the one before.
const SWEEPS: usize = 40;

/// Multiplications that the sweeps of a round after the first may cost.
const WORK: usize = 50_000_000;

/// Sweeps of impulses that need not be exact between two checks, the most checks, and the multiplications after which
/// slow approaches are accepted.
const SWEEPS_PER_CHECK: usize = 50;
const MOST_CHECKS: usize = 2000;
const WORK_OF_CHECKS: usize = 200_000_000;

/// First and smallest fractions of friction by which it grows.
const FIRST_FRACTION: f64 = 0.125;
const SMALLEST_FRACTION: f64 = 1e-4;

/// Error that suffices before friction is complete, over the tolerance.
const ALMOST: f64 = 1e3;

/// Mobility by which points yield at first, relative to the greatest one; by how much it falls from one solution to the
/// next, or grows after one that Newton's method does not find; the least one, and the number of solutions.
const FIRST_YIELD: f64 = 1e-2;
const LESS: f64 = 0.1;
const LEAST_YIELD: f64 = 1e-7;
const MOST_YIELDS: usize = 30;

/// Part of the error below which a solution must come to count as progress.
const PROGRESS: f64 = 0.5;

/// Solutions in a row without progress after which there will be none.
const STALLED: usize = 3;

/// Repeated solutions that take the error of the regularisation out of the velocities.
const MOST_REPETITIONS: usize = 12;

/// How much is tried before impulses count as not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// There need not be any: where points are many, the costly ways are left out.
    Small,
    /// There are some.
    Full,
}

/// Errors of velocities \[m/s\].
#[derive(Debug, Clone, Copy)]
struct Accuracy {
    /// At which iterations end.
    converged: f64,
    /// That is accepted where rounding prevents less.
    accepted: f64,
    /// Below which nothing costly is tried.
    enough: f64,
}

/// The impulses of all points that change the velocities `b` \[m/s\] to `b + W p` as demanded, in an impact with the
/// greatest velocity `scale` \[m/s\] where `stopped` \[m/s\] is none.
///
/// # Errors
/// [`Failure`].
pub(super) fn impulses(
    w: &Dense,
    b: &[f64],
    demands: &[PointConstraint],
    [scale, stopped]: [f64; 2],
    effort: Effort,
) -> Result<Vec<f64>, Failure> {
    let mut p = without_friction(w, b, demands, scale)?;
    if demands.iter().all(|demand| demand.mu == 0.0) {
        return Ok(p);
    }
    let trace = TRACE * (0..w.size()).map(|i| w.at(i, i)).fold(0.0, f64::max);
    let mut regular = w.clone();
    (0..w.size()).for_each(|i| regular.add(i, i, trace));
    let exact = Cones::new(w, b, demands);
    let mut anchor = vec![0.0; b.len()];
    let mut best = (f64::INFINITY, p.clone());
    let (accepted, sufficient) = (ACCEPTED * scale, (SUFFICIENT * scale).max(UNNOTICED * stopped));
    let enough = if demands.len() < MANY { accepted } else { sufficient };
    let accuracy = Accuracy { converged: CONVERGED * scale, accepted, enough };
    for _ in 0..MOST_REPETITIONS {
        let shifted: Vec<f64> = b.iter().zip(&anchor).map(|(b, p)| b - trace * p).collect();
        let cones = Cones::new(&regular, &shifted, demands);
        p = cones.solve(p, scale, accuracy, effort);
        let error = exact.error(&p);
        let stalls = error > PROGRESS * best.0;
        best = better(best, (error, p.clone()));
        let is_found = error <= accuracy.converged || (best.0 <= enough && stalls);
        if is_found || cones.error(&p) > sufficient {
            break;
        }
        anchor.clone_from(&p);
    }
    if best.0 <= sufficient { Ok(best.1) } else { Err(Failure::NotFound) }
}

/// The impulses that take the most energy while friction stays below its bound, by sweeps that come nearer and nearer to
/// them until no point approaches faster than `stopped` \[m/s\], or, after many sweeps, until `suffices` accepts the
/// velocities; none if it does not. No point approaches after them, but one that slides leaves, too, with `mu` times its velocity (M.
/// Anitescu & A. Tasora, *Comput. Optim. Appl.* 47, 2010, 207-235).
pub(super) fn most_dissipating(
    w: &Dense,
    b: &[f64],
    mu: &[f64],
    stopped: f64,
    suffices: impl Fn(&[f64]) -> bool,
) -> Option<Vec<f64>> {
    let (mut p, mut v) = (vec![0.0; b.len()], b.to_vec());
    let soon = WORK_OF_CHECKS / (SWEEPS_PER_CHECK * w.size().pow(2)).max(1);
    for check in 0..MOST_CHECKS {
        if v.iter().step_by(PER_POINT).all(|normal| -normal <= stopped) || (check >= soon && suffices(&v)) {
            return Some(p);
        }
        for i in (0..SWEEPS_PER_CHECK).flat_map(|_| 0..mu.len()) {
            let n = PER_POINT * i;
            let step = 1.0 / (w.at(n, n) + w.at(n + 1, n + 1) + w.at(n + 2, n + 2));
            let into_cone = in_cone([0, 1, 2].map(|k| p[n + k] - step * v[n + k]), mu[i]);
            for (row, value) in (n..n + PER_POINT).zip(into_cone) {
                let change = value - p[row];
                p[row] = value;
                v.iter_mut().zip(w.row(row)).for_each(|(v, w)| *v += w * change);
            }
        }
    }
    suffices(&v).then_some(p)
}

/// The impulse with friction below its bound that is nearest to one given, normal component first.
fn in_cone([n, t, u]: [f64; 3], mu: f64) -> [f64; 3] {
    let length = dot(&[t, u], &[t, u]).sqrt();
    if length <= mu * n {
        return [n, t, u];
    }
    let pressing = (n + mu * length) / (1.0 + mu * mu);
    if pressing <= 0.0 {
        return [0.0; 3];
    }
    let part = mu * pressing / length;
    [pressing, part * t, part * u]
}

fn without_friction(w: &Dense, b: &[f64], demands: &[PointConstraint], scale: f64) -> Result<Vec<f64>, Failure> {
    let normals: Vec<usize> = (0..demands.len()).map(|i| PER_POINT * i).collect();
    let mut p = vec![0.0; b.len()];
    demands.iter().zip(&normals).for_each(|(demand, &n)| p[n] = demand.least);
    let pushed = w.times(&p);
    let q: Vec<f64> = demands.iter().zip(&normals).map(|(demand, &n)| b[n] + pushed[n] - demand.target).collect();
    let more = least_impulses(&w.part(&normals), &q, scale)?;
    normals.iter().zip(more).for_each(|(&n, more)| p[n] += more);
    Ok(p)
}

/// The problem for one matrix.
struct Cones<'a> {
    w: &'a Dense,
    b: &'a [f64],
    demands: &'a [PointConstraint],
    /// Impulse per velocity \[kg\] of the projections, normal and tangential, per point.
    weights: Vec<[f64; 2]>,
}

impl<'a> Cones<'a> {
    fn new(w: &'a Dense, b: &'a [f64], demands: &'a [PointConstraint]) -> Self {
        let weight = |i: usize| {
            let n = PER_POINT * i;
            [1.0 / w.at(n, n), 1.0 / (w.at(n + 1, n + 1) + w.at(n + 2, n + 2))]
        };
        Self { w, b, demands, weights: (0..demands.len()).map(weight).collect() }
    }

    fn velocities(&self, p: &[f64]) -> Vec<f64> {
        self.w.times(p).iter().zip(self.b).map(|(v, b)| v + b).collect()
    }

    /// Greatest error as a velocity \[m/s\]: how far projections move the impulses.
    fn error(&self, p: &[f64]) -> f64 {
        let v = self.velocities(p);
        let of_point = |i: usize| {
            let (n, demand, [on, across]) = (PER_POINT * i, &self.demands[i], self.weights[i]);
            let normal = p[n] - demand.least.max(p[n] - on * (v[n] - demand.target));
            let [t, u] = slid(&[p[n + 1], p[n + 2]], &[v[n + 1], v[n + 2]], across, demand.mu * p[n].max(0.0));
            (normal / on).abs().max((p[n + 1] - t).abs() / across).max((p[n + 2] - u).abs() / across)
        };
        (0..self.demands.len()).map(of_point).fold(0.0, f64::max)
    }

    /// The best impulses that are found from some on. The costly ways are left out where the error is small enough, and
    /// with small effort.
    fn solve(&self, start: Vec<f64>, scale: f64, accuracy: Accuracy, effort: Effort) -> Vec<f64> {
        let Accuracy { converged, accepted, enough } = accuracy;
        let mut best = self.newton(start.clone(), converged);
        if best.0 > accepted
            && let Some(inner) = inner_impulses(self.w, self.b, self.demands, scale)
        {
            best = better(best, self.newton(inner, converged));
        }
        if effort == Effort::Small && self.demands.len() >= MANY {
            return best.1;
        }
        let (mut swept, mut rounds) = (start.clone(), 0..MOST_ROUNDS);
        best = self.swept(best, &mut swept, rounds.by_ref().take(FIRST_ROUNDS as usize), [enough, converged]);
        if best.0 > enough {
            best = better(best, self.yielding(start.clone(), [enough, converged]));
        }
        if best.0 > enough {
            best = better(best, self.newton(self.with_growing_friction(start, converged), converged));
        }
        self.swept(best, &mut swept, rounds, [enough, converged]).1
    }

    /// The best impulses after rounds of sweeps until the error is small enough \[m/s\].
    fn swept(
        &self,
        mut best: (f64, Vec<f64>),
        p: &mut [f64],
        rounds: impl Iterator<Item = u32>,
        [enough, tolerance]: [f64; 2],
    ) -> (f64, Vec<f64>) {
        let most = WORK / self.w.size().pow(2).max(1);
        for round in rounds {
            if best.0 <= enough || (round > 0 && SWEEPS << round > most) {
                break;
            }
            self.sweep(p, SWEEPS << round);
            best = better(best, (self.error(p), p.to_vec()));
            best = better(best, self.newton(p.to_vec(), tolerance));
        }
        best
    }

    /// The best impulses of a sequence of problems in which points yield in proportion to the change of their impulses,
    /// less and less, until the error is small enough \[m/s\].
    fn yielding(&self, start: Vec<f64>, [enough, tolerance]: [f64; 2]) -> (f64, Vec<f64>) {
        let greatest = (0..self.w.size()).map(|i| self.w.at(i, i)).fold(0.0, f64::max);
        let (mut p, mut part, mut less, mut stalled) = (start, FIRST_YIELD, LESS, 0);
        let mut best = (f64::INFINITY, p.clone());
        for _ in 0..MOST_YIELDS {
            let own = part * greatest;
            let mut regular = self.w.clone();
            (0..self.w.size()).for_each(|i| regular.add(i, i, own));
            let shifted: Vec<f64> = self.b.iter().zip(&p).map(|(b, p)| b - own * p).collect();
            let (error, found) = Cones::new(&regular, &shifted, self.demands).newton(p.clone(), tolerance);
            if error > ALMOST * tolerance {
                if part >= FIRST_YIELD {
                    break;
                }
                part = (part / less).min(FIRST_YIELD);
                less = less.sqrt();
                stalled += 1;
            } else {
                p = found;
                part = (less * part).max(LEAST_YIELD);
                let error = self.error(&p);
                stalled = if error < PROGRESS * best.0 { 0 } else { stalled + 1 };
                best = better(best, (error, p.clone()));
            }
            if best.0 <= enough || stalled >= STALLED {
                break;
            }
        }
        best
    }

    /// Impulses that follow from those without friction while the coefficients of friction grow to their values.
    fn with_growing_friction(&self, start: Vec<f64>, tolerance: f64) -> Vec<f64> {
        let (mut p, mut part, mut step) = (start, 0.0, FIRST_FRACTION);
        while part < 1.0 && step > SMALLEST_FRACTION {
            let next = f64::min(part + step, 1.0);
            let demands: Vec<PointConstraint> =
                self.demands.iter().map(|demand| PointConstraint { mu: next * demand.mu, ..*demand }).collect();
            let (error, found) =
                Cones { demands: &demands, weights: self.weights.clone(), ..*self }.newton(p.clone(), tolerance);
            if error <= ALMOST * tolerance {
                (p, part, step) = (found, next, 2.0 * step);
            } else {
                step *= 0.5;
            }
        }
        p
    }

    /// Newton's method; the best impulses on its way.
    fn newton(&self, start: Vec<f64>, tolerance: f64) -> (f64, Vec<f64>) {
        let mut p = start;
        let mut best = (self.error(&p), p.clone());
        for _ in 0..MOST_ITERATIONS {
            if best.0 <= tolerance {
                break;
            }
            let (matrix, mut step) = self.linearized(&p);
            if !matrix.solve(&mut step) {
                break;
            }
            p.iter_mut().zip(&step).for_each(|(p, step)| *p += step);
            let error = self.error(&p);
            if error < best.0 {
                best = (error, p.clone());
            }
        }
        best
    }

    /// Matrix and right-hand side of the next step of Newton's method.
    fn linearized(&self, p: &[f64]) -> (Dense, Vec<f64>) {
        let v = self.velocities(p);
        let mut matrix = Dense::zeros(p.len());
        let mut right = vec![0.0; p.len()];
        for (i, demand) in self.demands.iter().enumerate() {
            let (n, [on, _]) = (PER_POINT * i, self.weights[i]);
            if p[n] - on * (v[n] - demand.target) > demand.least {
                self.copy_row(&mut matrix, n);
                right[n] = demand.target - v[n];
            } else {
                matrix.set(n, n, 1.0);
                right[n] = demand.least - p[n];
            }
            self.linearize_friction(i, p, &v, &mut matrix, &mut right);
        }
        (matrix, right)
    }

    fn copy_row(&self, matrix: &mut Dense, row: usize) {
        self.w.row(row).iter().enumerate().for_each(|(column, value)| matrix.set(row, column, *value));
    }

    /// Sticking: no tangential velocity. Sliding: with `z = p_t - r v_t` and its direction `e`, `p_t = mu p_n e`.
    fn linearize_friction(&self, i: usize, p: &[f64], v: &[f64], matrix: &mut Dense, right: &mut [f64]) {
        let (n, mu, [_, across]) = (PER_POINT * i, self.demands[i].mu, self.weights[i]);
        let rows = [n + 1, n + 2];
        let bound = mu * p[n].max(0.0);
        let z = rows.map(|row| p[row] - across * v[row]);
        let length = dot(&z, &z).sqrt();
        if length <= bound && bound > 0.0 {
            for row in rows {
                self.copy_row(matrix, row);
                right[row] = -v[row];
            }
            return;
        }
        let e = if length > 0.0 { z.map(|z| z / length) } else { [0.0; 2] };
        let turning = if length > 0.0 { bound / length } else { 0.0 };
        for (k, row) in rows.into_iter().enumerate() {
            right[row] = bound * e[k] - p[row];
            matrix.add(row, row, 1.0);
            if p[n] > 0.0 {
                matrix.add(row, n, -mu * e[k]);
            }
            for (l, column) in rows.into_iter().enumerate() {
                let part = turning * (f64::from(u8::from(k == l)) - e[k] * e[l]);
                matrix.add(row, column, -part);
                for (j, w) in self.w.row(column).iter().enumerate() {
                    matrix.add(row, j, part * across * w);
                }
            }
        }
    }

    /// Solves point by point, several times.
    fn sweep(&self, p: &mut [f64], times: usize) {
        let mut v = self.velocities(p);
        for _ in 0..times {
            for i in 0..self.demands.len() {
                self.relax(i, p, &mut v);
            }
        }
    }

    fn relax(&self, i: usize, p: &mut [f64], v: &mut [f64]) {
        let (n, demand, [on, across]) = (PER_POINT * i, &self.demands[i], self.weights[i]);
        let normal = demand.least.max(p[n] - on * (v[n] - demand.target));
        self.replace(n, normal, p, v);
        let [t, u] = slid(&[p[n + 1], p[n + 2]], &[v[n + 1], v[n + 2]], across, demand.mu * normal);
        self.replace(n + 1, t, p, v);
        self.replace(n + 2, u, p, v);
    }

    fn replace(&self, row: usize, value: f64, p: &mut [f64], v: &mut [f64]) {
        let change = value - p[row];
        p[row] = value;
        // The mobility is symmetric.
        v.iter_mut().zip(self.w.row(row)).for_each(|(v, w)| *v += w * change);
    }
}

/// Of two impulses with their errors, those with the smaller one.
fn better(a: (f64, Vec<f64>), b: (f64, Vec<f64>)) -> (f64, Vec<f64>) {
    if b.0 < a.0 { b } else { a }
}

/// Tangential impulses after a projection onto the disc of radius `bound` \[N s\].
fn slid(p: &[f64; 2], v: &[f64; 2], weight: f64, bound: f64) -> [f64; 2] {
    let z = [p[0] - weight * v[0], p[1] - weight * v[1]];
    let length = dot(&z, &z).sqrt();
    if length <= bound { z } else { z.map(|z| z * (bound / length)) }
}
