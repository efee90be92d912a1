//! Groups that approach and part so slowly that nothing comes back.

use super::group::Group;
use super::point::PER_POINT;
use crate::linalg::independent;

/// Square of what is left of a direction besides others, relative to that of the direction, that is a rounding error.
const ROUNDED: f64 = 1e-9;

/// Change of a velocity, over that below which nothing comes back, up to which all points are stopped together.
const SMALL: f64 = 5.0;

/// Part of the greatest approach velocity that may be left: it is stopped in the next round.
const REMAINING: f64 = 0.2;

impl Group {
    /// The impulses \[N s\] that stop all points, and let only what slides slide on: points that do not part need not
    /// meet again. None where that is no small change: points that almost hold each other could only be stopped together
    /// by impulses of any size, which nothing slow has.
    #[must_use]
    pub fn stopping_impulses(&self) -> Option<Vec<f64>> {
        let velocity = |i: usize| &self.velocities[PER_POINT * i..PER_POINT * (i + 1)];
        let (mut rows, mut rank) = (Vec::new(), Vec::new());
        for (i, law) in self.laws.iter().enumerate() {
            let slides = elementary::hypot(velocity(i)[1], velocity(i)[2]) > law.rest_speed;
            for k in 0..if slides || law.mu == 0.0 { 1 } else { PER_POINT } {
                rows.push(PER_POINT * i + k);
                rank.push(if k == 0 { 2.0 } else { 1.0 });
            }
        }
        let part = self.mobility.part(&rows);
        let chosen = independent(&part, &rank, ROUNDED);
        let mut found: Vec<f64> = chosen.iter().map(|&k| -self.velocities[rows[k]]).collect();
        if !part.part(&chosen).solve(&mut found) {
            return None;
        }
        let mut p = vec![0.0; self.velocities.len()];
        chosen.iter().zip(found).for_each(|(&k, found)| p[rows[k]] = found);
        let changes = self.mobility.times(&p);
        let approach = (0..self.laws.len()).map(|i| -velocity(i)[0]).fold(0.0, f64::max);
        let left = self.stopped.max(REMAINING * approach);
        let is_small = self.laws.iter().zip(changes.chunks_exact(PER_POINT)).enumerate().all(|(i, (law, change))| {
            let size = change.iter().map(|x| x * x).sum::<f64>().sqrt();
            change[0] + velocity(i)[0] >= -left && size <= SMALL * law.rest_speed
        });
        (is_small && self.gained(&p) <= 0.0).then_some(p)
    }
}
