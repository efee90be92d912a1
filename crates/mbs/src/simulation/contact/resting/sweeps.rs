//! The state of friction of all pairs together, where it cannot be found for one pair after the other.

use crate::contact::hinge::{Planar, Pressure, norm};

use super::problem::{HELD, Mode, Problem, Solution};

/// Products that all sweeps together may cost, and how many there are at most.
const WORK: usize = 100_000_000;
const MOST_SWEEPS: usize = 5000;

/// Change of forces in a sweep, relative to the greatest one, at which sweeps end.
const SAME_FORCE: f64 = 1e-10;

/// Part of the friction at hand from which on it is taken to be used up.
const USED_UP: f64 = 0.9999;

impl Problem {
    /// The state of all friction in which the accelerations that it leaves obey Coulomb's law, from a solution that does
    /// not: every pair in turn gets the forces that it needs while those of the others stay, over and over (M. Jean,
    /// *Comput. Methods Appl. Mech. Engrg.* 177, 1999, 235-257). Forces come out with a few digits, which suffice for
    /// the state.
    pub fn swept_modes(&self, start: &Solution) -> Vec<Mode> {
        let mut sweeps = Sweeps::new(self, start);
        let cost = sweeps.accelerations.len().pow(2).max(1);
        for _ in 0..MOST_SWEEPS.min(WORK / cost) {
            let greatest = sweeps.loads.iter().fold(0.0_f64, |most, x| most.max(*x));
            let change = (0..self.pairs.len()).map(|p| sweeps.relax(p)).fold(0.0, f64::max);
            if change <= SAME_FORCE * greatest {
                break;
            }
        }
        (0..self.pairs.len()).map(|p| sweeps.mode(p)).collect()
    }
}

/// Forces that come nearer and nearer to those that obey all laws.
struct Sweeps<'p> {
    problem: &'p Problem,
    loads: Vec<f64>,
    /// Efforts of friction that sticks or begins to slide, per pair about the middle of its places.
    efforts: Vec<Planar>,
    accelerations: Vec<f64>,
    /// Mobility below which joints hold a support \[1/kg\].
    held: f64,
}

impl<'p> Sweeps<'p> {
    fn new(problem: &'p Problem, start: &Solution) -> Self {
        let w = &problem.rows.mobility;
        let is_free = |p: usize| !matches!(problem.modes[p], Mode::Slides { begins: false, .. });
        let efforts = |p: usize| if is_free(p) { problem.efforts(start, p) } else { [0.0; 3] };
        let greatest = (0..problem.rows.supports).map(|i| w.at(i, i)).fold(0.0, f64::max);
        Self {
            problem,
            loads: start.loads.clone(),
            efforts: (0..problem.pairs.len()).map(efforts).collect(),
            accelerations: start.accelerations.clone(),
            held: HELD * greatest,
        }
    }

    /// Gives a pair the forces that it needs; the greatest change \[N\].
    fn relax(&mut self, p: usize) -> f64 {
        let (problem, w) = (self.problem, &self.problem.rows.mobility);
        let (pair, first) = (&problem.pairs[p], problem.rows.friction(p));
        let mut most = 0.0_f64;
        for (k, j) in pair.range().enumerate().filter(|(_, j)| !problem.excluded[*j]) {
            // What slides brings its friction with its load.
            let brought = match problem.modes[p] {
                Mode::Slides { direction, begins: false } => pair.sliding_effort(k, &direction),
                _ => [0.0; 3],
            };
            let rolling = problem.rows.rolling[p];
            let own = w.at(j, j)
                + (0..3).map(|r| w.at(j, first + r) * brought[r]).sum::<f64>()
                + rolling.map_or(0.0, |row| w.at(j, row));
            if own <= self.held {
                continue;
            }
            let load = (self.loads[j] - self.accelerations[j] / own).max(0.0);
            let change = load - self.loads[j];
            self.loads[j] = load;
            self.push(j, change);
            (0..3).for_each(|r| self.push(first + r, brought[r] * change));
            rolling.into_iter().for_each(|row| self.push(row, change));
            most = most.max(change.abs());
        }
        if !matches!(problem.modes[p], Mode::Sticks | Mode::Slides { begins: true, .. }) {
            return most;
        }
        let radius = pair.friction.radius;
        let mobility = w.at(first, first) + w.at(first + 1, first + 1) + radius * radius * w.at(first + 2, first + 2);
        if mobility <= self.held {
            return most;
        }
        let (friction, pressure) = (&pair.friction, self.pressure(p));
        let s = friction.sliding(&pressure, &[0, 1, 2].map(|k| self.accelerations[first + k]));
        let held = friction.about_center(&pressure, &self.efforts[p]);
        let needed = [0, 1, 2].map(|k| held[k] - s[k] / mobility);
        let bound = friction.mu * pressure.sum();
        let part = (bound / norm(&needed).max(f64::MIN_POSITIVE)).min(1.0);
        let efforts = friction.about_origin(&pressure, &needed.map(|x| part * x));
        for (r, effort) in efforts.into_iter().enumerate() {
            let change = effort - self.efforts[p][r];
            self.push(first + r, change);
            most = most.max(if r < 2 { change.abs() } else { 0.0 });
        }
        self.efforts[p] = efforts;
        most
    }

    /// Lets a row have a change of its force.
    fn push(&mut self, row: usize, change: f64) {
        if change != 0.0 {
            let w = self.problem.rows.mobility.row(row);
            self.accelerations.iter_mut().zip(w).for_each(|(a, w)| *a += w * change);
        }
    }

    /// Normal forces of a pair as one in their centre.
    fn pressure(&self, p: usize) -> Pressure {
        let pair = &self.problem.pairs[p];
        pair.resultant(&self.loads[pair.range()])
    }

    /// The state that goes with the forces.
    fn mode(&self, p: usize) -> Mode {
        match self.problem.modes[p] {
            Mode::Sticks | Mode::Slides { begins: true, .. } => {
                let friction = &self.problem.pairs[p].friction;
                let (need, direction) = friction.need(&self.pressure(p), &self.efforts[p]);
                if need < USED_UP { Mode::Sticks } else { Mode::Slides { direction, begins: true } }
            }
            mode => mode,
        }
    }
}
