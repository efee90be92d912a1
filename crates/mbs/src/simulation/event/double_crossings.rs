//! Conditions of action programs, and loads on what holds mechanisms with loops or on contact hinges, that are exceeded
//! for a moment within one accepted step.
//!
//! The integrator compares the signs of root functions at the ends of a step. Where a root function crosses zero twice,
//! both ends are on the same side. So every step is searched on the dense output: root functions are sampled between
//! the ends, and where the parabola through three samples comes near zero, its extremum is refined.

use std::ops::Range;

use crate::simulation::error::SimulationError;
use crate::simulation::integrator::DaeSystem;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Segment;
use crate::simulation::run_data::dense_search::{Sample, Samples, first_time};
use crate::simulation::run_data::pending_event::{EventCause, PendingEvent};

/// Intervals of a step at whose ends root functions are evaluated: usually, and at most where prescribed motions, which
/// steps do not follow, need more.
const INTERVALS: [usize; 2] = [4, 32];

/// Part of the greatest acceleration of a prescribed motion within a step by which parabolas through its values at these
/// ends may miss it in between.
const MISSED: f64 = 1e-2;

/// Steps of the search for an extremum.
const REFINEMENTS: usize = 12;

/// An extremum whose estimate is farther from zero than this fraction of the values around it is not sought.
const HOPELESS_EXTREMUM: f64 = 0.9;

/// Halvings of the interval in which a root function crosses zero.
const HALVINGS: usize = 60;

impl Simulation {
    /// The event at which a condition changes for the first time in the step from `t0` to `t1` \[s\], at whose ends it
    /// is the same.
    pub(in crate::simulation) fn search_double_crossings(
        &mut self,
        t0: f64,
        t1: f64,
    ) -> Result<Option<PendingEvent>, SimulationError> {
        let searched = self.searched_roots(t0);
        if searched.is_empty() || t1 <= t0 {
            return Ok(None);
        }
        let mut samples = std::mem::take(&mut self.solver.search.samples);
        let first = self.sample(t0, t1, &mut samples).and_then(|()| self.first_crossing(searched, &mut samples));
        self.solver.search.samples = samples;
        Ok(first?.map(|(t, root, side)| {
            let mut directions = vec![0; self.root_layout().total()];
            directions[root] = if side > 0.0 { -1 } else { 1 };
            PendingEvent::new(t, EventCause::Roots(directions))
        }))
    }

    /// Evaluates all root functions from `t0` to `t1` \[s\].
    fn sample(&mut self, t0: f64, t1: f64, samples: &mut Samples) -> Result<(), SimulationError> {
        let parts = self.intervals(t0, t1, &mut samples.accelerations);
        samples.times.clear();
        samples.roots.clear();
        for k in 0..=parts {
            let t = end_of_interval([t0, t1], k, parts);
            samples.times.push(t);
            samples.roots.extend_from_slice(self.roots_inside(t)?);
        }
        Ok(())
    }

    /// The number of intervals of the step from `t0` to `t1` \[s\] that shows how prescribed motions accelerate;
    /// `accelerations` is memory.
    fn intervals(&mut self, t0: f64, t1: f64, accelerations: &mut Vec<f64>) -> usize {
        let [least, most] = INTERVALS;
        let Segment { topology, signals, .. } = &mut self.segment;
        let num = topology.motions.len();
        accelerations.clear();
        for k in (0..=most).filter(|_| num > 0) {
            signals.set_time(end_of_interval([t0, t1], k, most));
            accelerations.extend(topology.motions.iter().map(|motion| signals.value(&motion.acceleration)));
        }
        let shows = |parts: usize| {
            (0..num).all(|motion| are_parabolas(|k| accelerations[num * k + motion], most, most / parts))
        };
        let mut parts = least;
        while parts < most && !shows(parts) {
            parts *= 2;
        }
        parts
    }

    /// The first time at which one of the root functions is found beyond zero, which, and on which side it was before.
    fn first_crossing(
        &mut self,
        searched: Range<usize>,
        samples: &mut Samples,
    ) -> Result<Option<(f64, usize, f64)>, SimulationError> {
        let mut first: Option<(f64, usize, f64)> = None;
        for root in searched {
            let side = samples.select_root(root);
            let [Some(start), Some(end)] = [samples.points.first(), samples.points.last()] else { return Ok(None) };
            if start.1 == 0.0 || end.1 <= 0.0 {
                continue;
            }
            let until = first.map_or(end.0, |(t, ..)| t);
            let found = self.crossing(root, side, &samples.points)?;
            first = found.filter(|t| *t < until).map(|t| (t, root, side)).or(first);
        }
        Ok(first)
    }

    /// The first time at which a root function is found beyond zero.
    fn crossing(&mut self, root: usize, side: f64, points: &[Sample]) -> Result<Option<f64>, SimulationError> {
        for k in 1..points.len() {
            if points[k].1 < 0.0 {
                return self.halve(root, side, [points[k - 1].0, points[k].0]).map(Some);
            }
            let beyond = match (k + 1 < points.len()).then(|| [points[k - 1], points[k], points[k + 1]]) {
                Some(three) if three[2].1 >= 0.0 => self.minimum(root, side, three)?,
                _ => None,
            };
            if let Some(beyond) = beyond {
                let before = if beyond > points[k].0 { points[k].0 } else { points[k - 1].0 };
                return self.halve(root, side, [before, beyond]).map(Some);
            }
        }
        Ok(None)
    }

    /// A time near the lowest value between three points at which a root function is beyond zero.
    fn minimum(&mut self, root: usize, side: f64, mut three: [Sample; 3]) -> Result<Option<f64>, SimulationError> {
        for _ in 0..REFINEMENTS {
            let Some((t, estimate)) = lowest(&three) else { return Ok(None) };
            let highest = three.iter().map(|(_, f)| *f).fold(0.0, f64::max);
            if estimate > HOPELESS_EXTREMUM * highest {
                return Ok(None);
            }
            let f = side * self.roots_inside(t)?[root];
            if f < 0.0 {
                return Ok(Some(t));
            }
            let Some(closer) = narrowed(three, (t, f)) else { return Ok(None) };
            three = closer;
        }
        Ok(None)
    }

    /// The time at which a root function is beyond zero first, between one at which it is not and one at which it is.
    fn halve(&mut self, root: usize, side: f64, interval: [f64; 2]) -> Result<f64, SimulationError> {
        first_time(interval, HALVINGS, |t| Ok(side * self.roots_inside(t)?[root] < 0.0))
    }

    /// Ordinals of the root functions that are searched: of conditions of action programs, and of components while some
    /// hold loops.
    fn searched_roots(&self, t: f64) -> Range<usize> {
        let of_components = self.root_layout().of_components();
        let holds = self.segment.evaluator.holds_loops(&self.segment.topology, &self.point.y, &self.point.yp, t);
        let first = if holds { of_components.start } else { of_components.end };
        let programs = of_components.end + self.structure.programs.conditions.num_roots();
        // Prescribed motions shake bodies without an effect on the steps, and so do forces on what hinges hold.
        let Segment { topology, signals, .. } = &self.segment;
        let shakes = || !topology.motions.is_empty() || topology.forces().any(|force| signals.changes_by_itself(force));
        let shaken = !self.contacts.hinges.is_empty() && shakes();
        first..if shaken { self.root_layout().total() } else { programs }
    }

    /// All root functions at a time \[s\] inside the last step.
    pub(in crate::simulation) fn roots_inside(&mut self, t: f64) -> Result<&[f64], SimulationError> {
        self.pay_for_points(1)?;
        self.solver.search.interpolate(&mut *self.solver.integrator, t, self.point.y.len())?;
        let mut point = std::mem::take(&mut self.solver.search.point);
        point.roots.resize(self.root_layout().total(), 0.0);
        let evaluated = self.integrator_view().1.roots(t, &point.y, &point.yp, &mut point.roots);
        self.solver.search.point = point;
        evaluated?;
        Ok(&self.solver.search.point.roots)
    }
}

/// End of interval `k` of `parts` equal ones \[s\].
fn end_of_interval([t0, t1]: [f64; 2], k: usize, parts: usize) -> f64 {
    if k == parts { t1 } else { t0 + (t1 - t0) * k as f64 / parts as f64 }
}

/// Whether parabolas through every `stride`-th of `most` + 1 equidistant values tell the others.
fn are_parabolas(value: impl Fn(usize) -> f64, most: usize, stride: usize) -> bool {
    let size = (0..=most).map(|k| value(k).abs()).fold(0.0, f64::max);
    (0..=most).all(|k| {
        let first = (k / stride).min(most / stride - 2) * stride;
        let [a, b, c] = [0, 1, 2].map(|i| value(first + i * stride));
        let x = (k - first) as f64 / stride as f64;
        let told = a + x * (b - a + 0.5 * (x - 1.0) * (c - 2.0 * b + a));
        (value(k) - told).abs() <= MISSED * size
    })
}

/// Time and value of the lowest point of the parabola through three points, if it lies between the outer ones.
fn lowest([a, b, c]: &[Sample; 3]) -> Option<Sample> {
    let left = (b.1 - a.1) / (b.0 - a.0);
    let right = (c.1 - b.1) / (c.0 - b.0);
    let bend = (right - left) / (c.0 - a.0);
    if bend <= 0.0 {
        return None;
    }
    let t = 0.5 * (a.0 + b.0) - 0.5 * left / bend;
    let value = a.1 + (t - a.0) * (left + bend * (t - b.0));
    (t > a.0 && t < c.0 && t != b.0).then_some((t, value))
}

/// The three points around the lowest value after another point is known; none when that is at an end.
fn narrowed([a, b, c]: [Sample; 3], x: Sample) -> Option<[Sample; 3]> {
    let (left, right) = if x.0 < b.0 { (x, b) } else { (b, x) };
    if left.1 <= right.1 { Some([a, left, right]) } else { Some([left, right, c]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_accelerations_need_few_intervals_and_short_pulses_all() {
        let most = INTERVALS[1];
        let wave = |periods: f64| move |k: usize| elementary::sin(6.3 * periods * k as f64 / most as f64 + 0.3);
        assert!(are_parabolas(|_| 0.0, most, 8) && are_parabolas(|k| 3.0 - k as f64, most, 8));
        assert!(are_parabolas(wave(0.1), most, 8) && !are_parabolas(wave(1.0), most, 8));
        assert!(are_parabolas(wave(1.0), most, 2) && !are_parabolas(wave(8.0), most, 2));
        let pulse = |k: usize| f64::from(u8::from(k == 13));
        assert!([8, 4, 2].iter().all(|&stride| !are_parabolas(pulse, most, stride)));
        assert!(!are_parabolas(|_| f64::NAN, most, 8));
    }
}
