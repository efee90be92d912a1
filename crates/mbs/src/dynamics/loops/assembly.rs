//! Assembly: positions and velocities that close all loops.
//!
//! Each iteration takes the smallest step, in a norm weighted by the mobility of every coordinate, that closes the
//! linearised gaps: `d = W G^T (G W G^T + damping)^-1 (-g)`. Redundant equations do no harm, and the damping carries
//! the iteration through singular configurations (Levenberg-Marquardt, in its dual form).

use super::jacobian::Column;
use super::weld::Six;
use super::{LARGEST_MISFIT, Loops};
use crate::math::{Quaternion, Vec3};
use crate::newton_euler::{Workspace, quaternion_at};
use crate::scene::Mobility;
use crate::topology::{Mobilizer, Node, Selection, Topology, WELD};

/// Weight of squared movements; the smaller, the less a coordinate moves.
fn weight(mobility: Mobility) -> f64 {
    match mobility {
        Mobility::Fixed => 0.0,
        Mobility::Guess => 1e-3,
        Mobility::Free => 1.0,
    }
}

/// Gaps below this count as closed \[rad, or relative to the largest lever arm\].
const CLOSED: f64 = 1e-16;
/// Gaps that cannot be closed further by rounding errors still count as closed below this.
const NEARLY_CLOSED: f64 = 1e-9;
/// Gaps above this at the start are no rounding errors.
const ROUNDED: f64 = 2e-14;
/// Attempts with more damping for a gap below this: near singular configurations a small gap is far from closed.
const MOST_STALLS: u32 = 3;
/// Largest movement of one iteration \[rad, or relative to the largest lever arm where that exceeds the scale of
/// length\].
const LARGEST_STEP: f64 = 0.5;
/// Iterations before a start is given up.
const MAX_ITERATIONS: u32 = 200;
/// Damping at the start, smallest and largest, relative to the largest row.
const DAMPING: [f64; 3] = [1e-10, 1e-15, 1e3];

/// Damping with which gaps are closed that depend on each other no more than this, relative to the largest row.
const SOFT: f64 = 1e-4;
/// Fraction of a gap that is left when further movements do not close it.
const SETTLED: f64 = 0.7;

/// Iterations that close the equations in use once all are almost closed.
const MOST_CORRECTIONS: u32 = 10;

/// Which equations an iteration satisfies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Equations {
    All,
    InUse,
}

/// What can be moved in one assembly.
pub(crate) struct Assembly<'a> {
    pub topology: &'a Topology,
    pub workspace: &'a mut Workspace,
    pub loops: &'a mut Loops,
    /// Mobility per velocity variable.
    pub mobility: &'a [Mobility],
    /// Weight of coordinates whose value was given; zero keeps them exactly.
    pub weight_of_given: f64,
    /// Whether redundant equations may contradict the others a little: when the loops are closed for the first time,
    /// and for velocities where they are known to be redundant.
    pub tolerates_misfit: bool,
}

impl Assembly<'_> {
    fn weight(&self) -> impl Fn(&Column) -> f64 + use<'_> {
        |column| weight(self.mobility[column.v]).max(self.weight_of_given)
    }

    /// Moves positions until all gaps are closed; true when that succeeds. Motions of driven joints must be evaluated.
    pub fn close_gaps(&mut self, q: &mut [f64]) -> bool {
        if self.loops.misfit() > 0.0 {
            let gap = self.close_independent_gaps(q);
            return self.loops.accept_misfit(gap);
        }
        let gap = self.close_all_gaps(q);
        let is_closed = gap <= NEARLY_CLOSED;
        let may_contradict = match self.loops.active_rows.misfit {
            None => self.tolerates_misfit,
            Some(_) => self.loops.have_full_rank(),
        };
        if may_contradict && gap > ROUNDED && gap <= LARGEST_MISFIT {
            let (before, closed) = (self.loops.active_rows.clone(), q.to_vec());
            self.loops.select();
            let misfit = if self.loops.have_full_rank() { self.close_independent_gaps(q) } else { f64::INFINITY };
            if misfit <= LARGEST_MISFIT {
                self.loops.active_rows.misfit = Some(misfit);
                return true;
            }
            self.loops.set_active_rows(&before);
            q.copy_from_slice(&closed);
        }
        if is_closed {
            self.loops.active_rows.misfit = Some(0.0);
        }
        is_closed
    }

    /// Moves positions until only gaps are left that movements of the size of these gaps do not close; returns the
    /// widest one. At a change point that the mechanism passes it is zero; where dimensions differ a little from those
    /// of such a mechanism, it is the difference.
    pub fn irreducible_gap(&mut self, q: &mut [f64]) -> f64 {
        let still = vec![0.0; self.topology.num_v];
        let mut gap = self.measure(q, &still);
        for _ in 0..MOST_CORRECTIONS {
            let mut gaps: Vec<Six> = self.loops.gaps().map(|gap| -gap).collect();
            let Loops { selector, rows, .. } = &mut *self.loops;
            if !selector.solve_softly(rows, SOFT, &mut gaps) {
                break;
            }
            let mut step = vec![0.0; self.topology.num_v];
            for (row, six) in rows.iter().zip(&gaps) {
                for column in row {
                    step[column.v] += selector.weight(column) * column.rate.dot(six);
                }
            }
            displace(self.topology, &step, q);
            let before = std::mem::replace(&mut gap, self.measure(q, &still));
            if gap > SETTLED * before {
                break;
            }
        }
        gap
    }

    /// Moves positions until the equations in use are satisfied; returns the widest gap of all, which is infinite when
    /// that fails.
    pub fn close_independent_gaps(&mut self, q: &mut [f64]) -> f64 {
        let still = vec![0.0; self.topology.num_v];
        for _ in 0..MOST_CORRECTIONS {
            self.measure(q, &still);
            let gaps: Vec<Six> = self.used_parts(self.loops.gaps().map(|gap| -gap));
            let length = self.loops.length();
            if gaps.iter().all(|gap| size(gap, length) <= CLOSED) {
                break;
            }
            let Some(step) = self.step(gaps, Equations::InUse, DAMPING[1]) else { break };
            displace(self.topology, &step, q);
        }
        let gap = self.measure(q, &still);
        let used = self.used_parts(self.loops.gaps());
        let length = self.loops.length();
        let is_closed = used.iter().all(|gap| size(gap, length) <= NEARLY_CLOSED);
        if is_closed { gap } else { f64::INFINITY }
    }

    /// A quantity of all closures, without the equations that are not in use.
    fn used_parts(&self, of_all: impl Iterator<Item = Six>) -> Vec<Six> {
        let own = |(six, used): (Six, &Selection)| Six::from_fn(|r, _| if used[r] { six[r] } else { 0.0 });
        of_all.zip(&self.loops.active_rows.used).map(own).collect()
    }

    /// Moves positions until all gaps are closed, as far as they can be; returns the widest one.
    fn close_all_gaps(&mut self, q: &mut [f64]) -> f64 {
        let still = vec![0.0; self.topology.num_v];
        let mut error = self.measure(q, &still);
        let mut damping = DAMPING[0];
        let mut trial = q.to_vec();
        let mut stalls = 0;
        for _ in 0..MAX_ITERATIONS {
            if error <= CLOSED {
                break;
            }
            let gaps = self.loops.gaps().map(|gap| -gap).collect();
            let Some(mut step) = self.step(gaps, Equations::All, damping) else { break };
            self.shorten(&mut step);
            trial.copy_from_slice(q);
            displace(self.topology, &step, &mut trial);
            let reached = self.measure(&trial, &still);
            if reached < error {
                q.copy_from_slice(&trial);
                error = reached;
                damping = (damping * 0.1).max(DAMPING[1]);
                stalls = 0;
            } else if error <= NEARLY_CLOSED && stalls >= MOST_STALLS {
                break;
            } else {
                stalls += 1;
                self.measure(q, &still);
                damping *= 10.0;
                if damping > DAMPING[2] {
                    break;
                }
            }
        }
        self.measure(q, &still);
        error
    }

    /// Changes velocities until no gap opens; true when that succeeds. Where equations contradict each other, those in
    /// use are satisfied.
    pub fn stop_gaps(&mut self, q: &[f64], v: &mut [f64]) -> bool {
        if self.loops.misfit() == 0.0 {
            self.stop(Equations::All, q, v);
        }
        let relative = v.iter().zip(self.topology.velocity_scales()).map(|(v, unit)| v.abs() / unit);
        let scale = (1.0 + relative.fold(0.0, f64::max)) * self.topology.scales.angular_velocity();
        if self.loops.misfit() > 0.0 || self.widest_rate() > ROUNDED * scale {
            self.stop(Equations::InUse, q, v);
        }
        let rate = self.widest_rate();
        if rate <= (NEARLY_CLOSED + self.loops.play()) * scale {
            return true;
        }
        let length = self.loops.length();
        let in_use = self.used_parts(self.loops.rates()).iter().map(|rate| size(rate, length)).fold(0.0, f64::max);
        self.tolerates_misfit && in_use <= NEARLY_CLOSED * scale && self.loops.accept_misfit(rate / scale)
    }

    fn stop(&mut self, equations: Equations, q: &[f64], v: &mut [f64]) {
        for _ in 0..4 {
            self.measure(q, v);
            if self.widest_rate() <= CLOSED * self.topology.scales.angular_velocity() {
                break;
            }
            let rates = match equations {
                Equations::InUse => self.used_parts(self.loops.rates().map(|rate| -rate)),
                Equations::All => self.loops.rates().map(|rate| -rate).collect(),
            };
            let Some(step) = self.step(rates, equations, 1e-14) else { break };
            v.iter_mut().zip(&step).for_each(|(v, step)| *v += step);
        }
        self.measure(q, v);
    }

    /// Evaluates all closures; returns the widest gap (rotations in rad, translations relative to the largest lever arm).
    fn measure(&mut self, q: &[f64], v: &[f64]) -> f64 {
        self.workspace.move_bodies(self.topology, q, v, v);
        self.loops.update(self.topology, self.workspace);
        let length = self.loops.length();
        let sum = self.loops.gaps().map(|gap| size(&gap, length).powi(2)).sum::<f64>();
        sum.sqrt()
    }

    fn widest_rate(&self) -> f64 {
        let length = self.loops.length();
        self.loops.rates().map(|rate| size(&rate, length)).fold(0.0, f64::max)
    }

    /// Limits a step to the range of the linearisation.
    fn shorten(&self, step: &mut [f64]) {
        let Topology { scales, .. } = self.topology;
        let units = self.topology.velocity_scales().into_iter().map(|unit| unit * scales.time);
        let largest = step.iter().zip(units).fold(0.0_f64, |largest, (x, unit)| largest.max(x.abs() / unit));
        let limit = LARGEST_STEP * (self.loops.length() / scales.length).max(1.0);
        if largest > limit {
            step.iter_mut().for_each(|x| *x *= limit / largest);
        }
    }

    fn step(&mut self, mut wanted: Vec<Six>, equations: Equations, damping: f64) -> Option<Vec<f64>> {
        let (mobility, given) = (self.mobility, self.weight_of_given);
        let weight = |column: &Column| weight(mobility[column.v]).max(given);
        let Loops { selector, rows, active_rows, .. } = &mut *self.loops;
        let used = |k: usize| if equations == Equations::InUse { active_rows.used[k] } else { [true; WELD] };
        if !selector.solve_damped(rows, used, weight, damping, &mut wanted) {
            return None;
        }
        let mut step = vec![0.0; self.topology.num_v];
        for (row, six) in self.loops.rows.iter().zip(&wanted) {
            for column in row {
                let unit = if column.rotates { 1.0 } else { self.topology.scales.length };
                step[column.v] += self.weight()(column) * (unit * unit) * column.rate.dot(six);
            }
        }
        step.iter().all(|x| x.is_finite()).then_some(step)
    }
}

/// Size of a gap \[rad\], with its translation relative to a length \[m\].
fn size(six: &Six, length: f64) -> f64 {
    six.fixed_rows::<3>(0).norm() + six.fixed_rows::<3>(3).norm() / length
}

/// Moves positions by small displacements along the velocity variables.
pub(crate) fn displace(topology: &Topology, step: &[f64], q: &mut [f64]) {
    for node in &topology.nodes {
        displace_node(node, &step[node.v..], q);
    }
}

/// Moves the positions of one node by small displacements along its velocity variables.
pub(crate) fn displace_node(node: &Node, step: &[f64], q: &mut [f64]) {
    match node.mobilizer {
        Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => {}
        Mobilizer::Axis { .. } => q[node.q] += step[0],
        Mobilizer::Spherical | Mobilizer::Free => {
            let turn = Vec3::new(step[0], step[1], step[2]);
            let turned = exponential(&turn).product(&quaternion_at(q, node.q)).normalized();
            if turn != Vec3::zeros() {
                q[node.q..node.q + 4].copy_from_slice(&turned.to_array());
            }
        }
    }
    if node.mobilizer == Mobilizer::Free {
        (0..3).for_each(|k| q[node.q + 4 + k] += step[3 + k]);
    }
}

/// Quaternion of a rotation vector.
fn exponential(phi: &Vec3) -> Quaternion {
    let half = 0.5 * phi.norm();
    let factor = if half < 1e-8 { 0.5 } else { 0.5 * elementary::sin(half) / half };
    Quaternion { w: elementary::cos(half), v: phi * factor }
}
