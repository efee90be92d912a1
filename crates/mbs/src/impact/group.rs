//! The impact of a group: restitution, energy, and the order in which impulses act.

use super::cone::{Effort, impulses, most_dissipating};
use super::point::{Failure, PER_POINT, PointConstraint};
use crate::linalg::{Dense, dot};
use crate::material::{ImpactOrder, Restitution};

/// Law of the impact at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointLaw {
    /// Pair of shapes that the point belongs to, by a number of the caller.
    pub pair: usize,
    /// Coefficient of restitution.
    pub cor: f64,
    /// Coefficient of friction.
    pub mu: f64,
    /// What the coefficient of restitution relates.
    pub restitution: Restitution,
    /// Approach velocity \[m/s\] below which nothing comes back.
    pub rest_speed: f64,
    /// Whether one body rests on something that cannot move, which answers at once to whatever strikes the body.
    pub supports: bool,
}

/// Why the impact of a group has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupError {
    /// The iteration has not found impulses that satisfy all laws.
    NoSolution,
    /// There are none: what nothing can move drives these points together.
    Squeezed(Vec<usize>),
    /// The sequence of impulses does not end; the number of impulses tried.
    TooManyImpulses(usize),
}

/// Points of bodies that collide at one instant, as far as they influence each other.
#[derive(Debug, Clone)]
pub struct Group {
    /// Change of the velocities per impulse, `J M^-1 J^T` \[1/kg\]: normal and two tangential components per point.
    pub mobility: Dense,
    /// Velocities of B relative to A before the impact \[m/s\].
    pub velocities: Vec<f64>,
    /// Law of each point.
    pub laws: Vec<PointLaw>,
    /// Approach velocity that is none \[m/s\].
    pub stopped: f64,
}

/// Gain of energy, relative to that of the impulses, that is a rounding error.
const ROUNDING: f64 = 1e-12;

/// Factors tried in the search for the restitution that gains no energy, and the accuracy of the factor.
const MOST_FACTORS: usize = 20;
const SAME_FACTOR: f64 = 1e-4;

/// Approach velocities that differ by less than this fraction are equal.
const EQUAL: f64 = 1e-9;

/// Impulses per point that may follow each other.
const MOST_FOLLOWING: usize = 10_000;

impl Group {
    /// The impulses on B at all points \[N s\].
    ///
    /// # Errors
    /// [`GroupError`].
    pub fn impulses(&self, order: ImpactOrder) -> Result<Vec<f64>, GroupError> {
        match order {
            ImpactOrder::Simultaneous => self.at_once(),
            ImpactOrder::Sequential => self.one_after_the_other(),
        }
    }

    /// Change of the kinetic energy by impulses \[J\]: their work at the mean of the velocities before and after.
    #[must_use]
    pub fn gained(&self, p: &[f64]) -> f64 {
        dot(p, &self.velocities) + 0.5 * dot(p, &self.mobility.times(p))
    }

    /// All impulses act at once. Where the coefficients of restitution would gain energy, which Newton's hypothesis may
    /// with friction or with different coefficients, or where no impulses give them, all are multiplied with the
    /// largest factor that is possible. Without restitution there is always a solution (V. Acary, F. Cadoux, C.
    /// Lemaréchal, J. Malick, *ZAMM* 91, 2011, 155-175) unless what nothing can move drives points together, and it never
    /// gains energy. Where the iteration does not find it, [`Group::inelastic`] stops the points.
    fn at_once(&self) -> Result<Vec<f64>, GroupError> {
        let possible = |factor: f64| self.with_restitution(factor).ok().filter(|p| !self.gains(p));
        if let Some(full) = possible(1.0) {
            return Ok(full);
        }
        match self.with_restitution(0.0) {
            Ok(none) => Ok(self.with_most_restitution(none)),
            Err(GroupError::Squeezed(points)) => Err(GroupError::Squeezed(points)),
            Err(_) => self.inelastic().ok_or(GroupError::NoSolution),
        }
    }

    /// Impulses with the largest factor of all coefficients of restitution that gains no energy, from those without
    /// restitution on: by the Illinois method (M. Dowell & P. Jarratt, *BIT* 11, 1971, 168-174), for the gain of energy.
    fn with_most_restitution(&self, mut best: Vec<f64>) -> Vec<f64> {
        let (mut low, mut high) = ([0.0, self.gained(&best)], [1.0, f64::NAN]);
        let mut rose = None;
        for _ in 0..MOST_FACTORS {
            let width = high[0] - low[0];
            if width <= SAME_FACTOR {
                break;
            }
            let crossing = low[0] - low[1] * width / (high[1] - low[1]);
            let inside = crossing > low[0] && crossing < high[0];
            let factor = if inside { crossing } else { 0.5 * (low[0] + high[0]) };
            let found = self.with_restitution(factor);
            let rises = matches!(&found, Ok(p) if !self.gains(p));
            // An end that stays twice counts half.
            let weight = if rose == Some(rises) { 0.5 } else { 1.0 };
            match found {
                Ok(p) if rises => {
                    (low, high[1]) = ([factor, self.gained(&p)], weight * high[1]);
                    best = p;
                }
                Ok(p) => (high, low[1]) = ([factor, self.gained(&p)], weight * low[1]),
                Err(_) => high = [factor, f64::NAN],
            }
            rose = Some(rises);
        }
        best
    }

    /// Impulses with friction below its bound, without restitution and without gain of energy, after which no point
    /// approaches; where that would take long, none approaches faster than its law lets something come back.
    pub(super) fn inelastic(&self) -> Option<Vec<f64>> {
        let mu: Vec<f64> = self.laws.iter().map(|law| law.mu).collect();
        let rests = |v: &[f64]| self.laws.iter().enumerate().all(|(i, law)| -v[PER_POINT * i] <= law.rest_speed);
        most_dissipating(&self.mobility, &self.velocities, &mu, self.stopped, rests)
    }

    fn gains(&self, p: &[f64]) -> bool {
        let size: f64 = p.iter().zip(&self.velocities).map(|(p, v)| (p * v).abs()).sum();
        self.gained(p) > ROUNDING * size
    }

    /// Impulses when all coefficients of restitution are multiplied with a factor.
    fn with_restitution(&self, factor: f64) -> Result<Vec<f64>, GroupError> {
        let normal = |i: usize| self.velocities[PER_POINT * i];
        let cor = |i: usize| {
            let law = &self.laws[i];
            if -normal(i) > law.rest_speed { factor * law.cor } else { 0.0 }
        };
        let newton = |i: usize| cor(i) * (-normal(i)).max(0.0);
        if self.laws.iter().all(|law| law.restitution == Restitution::Newton) {
            return self.phase(&self.velocities, |i| [0.0, newton(i)]);
        }
        let compression = self.phase(&self.velocities, |_| [0.0, 0.0])?;
        let pushed = self.mobility.times(&compression);
        let between: Vec<f64> = self.velocities.iter().zip(pushed).map(|(v, dv)| v + dv).collect();
        let expansion = self.phase(&between, |i| match self.laws[i].restitution {
            Restitution::Newton => [0.0, newton(i)],
            Restitution::Poisson => [factor * self.laws[i].cor * compression[PER_POINT * i], 0.0],
        })?;
        Ok(compression.iter().zip(expansion).map(|(a, b)| a + b).collect())
    }

    /// Impulses from some velocities, for the least normal impulse and the least normal velocity of every point. Without
    /// such demands there are always some.
    fn phase(&self, velocities: &[f64], demand: impl Fn(usize) -> [f64; 2]) -> Result<Vec<f64>, GroupError> {
        let demands = self.laws.iter().enumerate().map(|(i, law)| {
            let [least, target] = demand(i);
            PointConstraint { least, target, mu: law.mu }
        });
        let demands: Vec<PointConstraint> = demands.collect();
        let is_solvable = demands.iter().all(|demand| demand.least == 0.0 && demand.target == 0.0);
        let effort = if is_solvable { Effort::Full } else { Effort::Small };
        let scale = self.velocities.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let found = impulses(&self.mobility, velocities, &demands, [scale, self.stopped], effort);
        found.map_err(|failure| match failure {
            Failure::NotFound => GroupError::NoSolution,
            Failure::Squeezed(points) => GroupError::Squeezed(points),
        })
    }

    /// The pair that approaches fastest gets its impulse, until none approaches faster than its law lets something come
    /// back. Pairs that approach equally fast get theirs together, and so do all supports.
    fn one_after_the_other(&self) -> Result<Vec<f64>, GroupError> {
        let mut p = vec![0.0; self.velocities.len()];
        let mut v = self.velocities.clone();
        let most = MOST_FOLLOWING * self.laws.len();
        for _ in 0..most {
            let mut struck = self.fastest(&v);
            if struck.is_empty() {
                return Ok(p);
            }
            struck.extend((0..self.laws.len()).filter(|&i| self.laws[i].supports));
            struck.sort_unstable();
            struck.dedup();
            let rows: Vec<usize> = struck.iter().flat_map(|i| (0..PER_POINT).map(move |k| PER_POINT * i + k)).collect();
            let part = Self {
                mobility: self.mobility.part(&rows),
                velocities: rows.iter().map(|&row| v[row]).collect(),
                laws: struck.iter().map(|&i| self.laws[i]).collect(),
                stopped: self.stopped,
            };
            let found = part.at_once().map_err(|error| match error {
                GroupError::Squeezed(points) => GroupError::Squeezed(points.iter().map(|&k| struck[k]).collect()),
                other => other,
            })?;
            for (&row, impulse) in rows.iter().zip(found) {
                p[row] += impulse;
                v.iter_mut().zip(self.mobility.row(row)).for_each(|(v, w)| *v += w * impulse);
            }
        }
        Err(match self.with_restitution(0.0) {
            Err(GroupError::Squeezed(points)) => GroupError::Squeezed(points),
            _ => GroupError::TooManyImpulses(most),
        })
    }

    /// Points of the pairs that approach fastest; none if nothing comes back anywhere.
    fn fastest(&self, v: &[f64]) -> Vec<usize> {
        let approach = |i: usize| -v[PER_POINT * i];
        let counts = |&i: &usize| approach(i) > self.laws[i].rest_speed;
        let Some(most) = (0..self.laws.len()).filter(counts).map(approach).reduce(f64::max) else { return Vec::new() };
        let is_struck = |i: &usize| counts(i) && approach(*i) >= (1.0 - EQUAL) * most;
        let mut pairs: Vec<usize> = (0..self.laws.len()).filter(is_struck).map(|i| self.laws[i].pair).collect();
        pairs.sort_unstable();
        (0..self.laws.len()).filter(|&i| pairs.binary_search(&self.laws[i].pair).is_ok()).collect()
    }
}
