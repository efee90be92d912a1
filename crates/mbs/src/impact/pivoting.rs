//! Impulses without friction: a linear complementarity problem, solved by pivoting.

use super::point::Failure;
use crate::linalg::{Dense, dot};

/// Regularisation relative to the largest mobility. It makes redundant points share an impulse; repeated solutions take
/// its error out of the velocities.
pub(super) const TRACE: f64 = 1e-8;

/// Repeated solutions.
const MOST_REPETITIONS: usize = 60;

/// Error of a velocity, relative to the greatest one, that is accepted where rounding prevents less.
pub(super) const ACCEPTED: f64 = 1e-10;

/// Velocities below this fraction of the greatest one are rounding errors.
const ROUNDING: f64 = 1e-14;

/// Part of the mobility by which impulses that grow without bound may still change velocities, and part of the greatest
/// growth above which a point takes part.
const UNMOVED: f64 = 1e-6;
const TAKES_PART: f64 = 1e-3;

/// Exchanges of all infeasible points without progress before single ones are exchanged.
const PATIENCE: u32 = 5;

/// The impulses `x >= 0` with `W x + q >= 0` and `x (W x + q) = 0`, the least of them where there are several, in an
/// impact with the greatest velocity `scale` \[m/s\].
///
/// `W` is regularised by a trace, and the impulses are brought to those without it by the proximal point method
/// (R. T. Rockafellar, *SIAM J. Control Optim.* 14, 1976, 877-898), which starts at zero and therefore stays at the
/// least impulse.
///
/// # Errors
/// [`Failure`]; if there are none, impulses grow from one solution to the next in a direction that moves nothing (the
/// lemma of J. Farkas, 1902).
pub(super) fn least_impulses(w: &Dense, q: &[f64], scale: f64) -> Result<Vec<f64>, Failure> {
    let n = q.len();
    let trace = TRACE * (0..n).map(|i| w.at(i, i)).fold(0.0, f64::max);
    let mut regular = w.clone();
    (0..n).for_each(|i| regular.add(i, i, trace));
    let mut x = vec![0.0; n];
    let mut active = vec![false; n];
    let (mut last, mut growth) = (f64::INFINITY, vec![0.0; n]);
    for _ in 0..MOST_REPETITIONS {
        let shifted: Vec<f64> = q.iter().zip(&x).map(|(q, x)| q - trace * x).collect();
        let next = pivot(&regular, &shifted, &mut active, scale).ok_or(Failure::NotFound)?;
        let error = next.iter().zip(&x).fold(0.0, |most: f64, (next, x)| most.max(trace * (next - x).abs()));
        growth = next.iter().zip(&x).map(|(next, x)| next - x).collect();
        x = next;
        if error <= ROUNDING * scale {
            return Ok(x);
        }
        last = error;
    }
    if last <= ACCEPTED * scale {
        return Ok(x);
    }
    Err(squeezed(w, q, &growth, scale).map_or(Failure::NotFound, Failure::Squeezed))
}

/// The points that impulses press on each other without end, if their growth proves that nothing stops them: `d >= 0` and
/// `W d = 0`, while `d q < 0`.
fn squeezed(w: &Dense, q: &[f64], growth: &[f64], scale: f64) -> Option<Vec<usize>> {
    let most = growth.iter().fold(0.0, |most: f64, d| most.max(d.abs()));
    let mobility = (0..q.len()).map(|i| w.at(i, i)).fold(0.0, f64::max);
    let moves_nothing = w.times(growth).iter().all(|v| v.abs() <= UNMOVED * mobility * most);
    let presses = growth.iter().all(|d| *d >= -UNMOVED * most) && dot(growth, q) < -ACCEPTED * scale * most;
    let part = |i: &usize| growth[*i] > TAKES_PART * most;
    (moves_nothing && presses).then(|| (0..q.len()).filter(part).collect())
}

/// Solution for a positive definite matrix by exchanging all infeasible points at once, and single ones where that does
/// not lead on (J. J. Júdice & F. M. Pires, *Computers & Operations Research* 21, 1994, 587-596). `active` are the
/// points to begin with, and those with an impulse in the end.
fn pivot(w: &Dense, q: &[f64], active: &mut [bool], scale: f64) -> Option<Vec<f64>> {
    let n = q.len();
    let (mut fewest, mut patience) = (n + 1, PATIENCE);
    let most = 100 + 20 * n * n;
    for _ in 0..most {
        let (x, v) = basic_solution(w, q, active)?;
        let is_infeasible = |i: &usize| if active[*i] { x[*i] < 0.0 } else { v[*i] < -slack(w, &x, *i, scale) };
        let infeasible: Vec<usize> = (0..n).filter(is_infeasible).collect();
        let Some(&last) = infeasible.last() else { return Some(x) };
        if infeasible.len() < fewest {
            (fewest, patience) = (infeasible.len(), PATIENCE);
        } else {
            patience = patience.saturating_sub(1);
        }
        if patience > 0 {
            infeasible.iter().for_each(|&i| active[i] = !active[i]);
        } else {
            active[last] = !active[last];
        }
    }
    None
}

/// Rounding error of the velocity of a point \[m/s\].
fn slack(w: &Dense, x: &[f64], i: usize, scale: f64) -> f64 {
    let sum: f64 = w.row(i).iter().zip(x).map(|(w, x)| (w * x).abs()).sum();
    ROUNDING * (sum + scale)
}

/// Impulses of the active points that stop them, and the velocities of all points then.
fn basic_solution(w: &Dense, q: &[f64], active: &[bool]) -> Option<(Vec<f64>, Vec<f64>)> {
    let points: Vec<usize> = (0..q.len()).filter(|&i| active[i]).collect();
    let mut part: Vec<f64> = points.iter().map(|&i| -q[i]).collect();
    if !w.part(&points).solve(&mut part) {
        return None;
    }
    let mut x = vec![0.0; q.len()];
    points.iter().zip(part).for_each(|(&i, value)| x[i] = value);
    let v = w.times(&x).iter().zip(q).map(|(v, q)| v + q).collect();
    Some((x, v))
}
