//! Impulses with friction by an interior-point method.
//!
//! With `x = (mu p_n, p_t)` and `y = (v_n / mu + |v_t|, v_t)`, Coulomb's law says that x and y lie in the cone
//! `x_0 >= |x_t|` and that `x . y = 0` (G. de Saxcé & Z.-Q. Feng, *Math. Comput. Modelling* 28, 1998, 225-245). The
//! method keeps both inside and lets the product fall (E. D. Andersen, C. Roos, T. Terlaky, *Math. Program.* 95, 2003,
//! 249-277; for friction: V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, *Optim. Methods Softw.* 39, 2024). However many
//! points hold the same bodies, it needs about twenty steps. Its last digits are left to Newton's method.

use super::point::{PER_POINT, PointConstraint};
use crate::linalg::{Dense, dot};

const MOST_STEPS: usize = 60;

/// Error of a velocity, relative to the greatest one, at which the method ends.
const ENDS: f64 = 1e-10;

/// Part of the longest step inside the cones that is taken.
const INSIDE: f64 = 0.98;

/// The least part of the product that a step aims at.
const LEAST_PART: f64 = 1e-4;

/// Step below which the next one takes the sliding speed as fixed: where points stick, its direction means nothing.
const SHORT: f64 = 0.3;

/// Step below which there is no progress any more.
const NO_STEP: f64 = 1e-12;

/// Sliding speed that is rounded off, over the velocity at which a point would stick at the present product.
const ROUNDED: f64 = 0.02;

/// A vector of a cone: its axis, and across.
type Vector = [f64; PER_POINT];

/// The impulses that change the velocities `b` \[m/s\] to `b + W p` as demanded, to a few digits, in an impact with the
/// greatest velocity `scale` \[m/s\]. None where points have no friction or a least impulse, and where the method fails.
pub(super) fn inner_impulses(w: &Dense, b: &[f64], demands: &[PointConstraint], scale: f64) -> Option<Vec<f64>> {
    if demands.iter().any(|demand| demand.mu <= 0.0 || demand.least != 0.0) {
        return None;
    }
    let mut path = Path::new(w, b, demands);
    for _ in 0..MOST_STEPS {
        if path.error() <= ENDS * scale || !path.advance()? {
            break;
        }
    }
    Some(path.impulses())
}

/// Points inside the cones on the way to the solution.
struct Path {
    /// What impulses and velocities are multiplied with, per row.
    units: Vec<f64>,
    /// Mobility and velocities before the impact in these units.
    w: Dense,
    b: Vec<f64>,
    /// The greatest mobility.
    greatest: f64,
    x: Vec<Vector>,
    y: Vec<Vector>,
    /// Mean product of both.
    gap: f64,
    /// What y lacks.
    remainder: Vec<f64>,
    /// Directions of sliding.
    directions: Vec<[f64; 2]>,
    last_was_short: bool,
}

impl Path {
    fn new(w: &Dense, b: &[f64], demands: &[PointConstraint]) -> Self {
        let n = b.len();
        let units: Vec<f64> = demands.iter().flat_map(|demand| [1.0 / demand.mu, 1.0, 1.0]).collect();
        let mut own = Dense::zeros(n);
        for i in 0..n {
            w.row(i).iter().enumerate().for_each(|(j, w)| own.set(i, j, units[i] * units[j] * w));
        }
        let target = |i: usize| if i.is_multiple_of(PER_POINT) { demands[i / PER_POINT].target } else { 0.0 };
        let b: Vec<f64> = (0..n).map(|i| units[i] * (b[i] - target(i))).collect();
        let greatest = (0..n).map(|i| own.at(i, i)).fold(0.0, f64::max);
        let fastest = b.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let axis = |length: f64| vec![[length, 0.0, 0.0]; demands.len()];
        let mut path = Self {
            units,
            w: own,
            b,
            greatest,
            x: axis(fastest / greatest),
            y: axis(fastest),
            gap: 0.0,
            remainder: Vec::new(),
            directions: Vec::new(),
            last_was_short: false,
        };
        path.measure();
        path
    }

    fn impulses(&self) -> Vec<f64> {
        self.x.iter().flatten().zip(&self.units).map(|(x, unit)| x * unit).collect()
    }

    /// Error as a velocity \[m/s\].
    fn error(&self) -> f64 {
        let remainder = self.remainder.iter().fold(0.0, |most: f64, r| most.max(r.abs()));
        remainder.max((self.gap * self.greatest).sqrt())
    }

    /// Finds the product, what y lacks, and directions of sliding.
    fn measure(&mut self) {
        let flat: Vec<f64> = self.x.iter().flatten().copied().collect();
        let v: Vec<f64> = self.w.times(&flat).iter().zip(&self.b).map(|(v, b)| v + b).collect();
        self.gap = self.x.iter().zip(&self.y).map(|(x, y)| dot(x, y)).sum::<f64>() / self.x.len() as f64;
        self.remainder.clear();
        self.directions.clear();
        for ((x, y), v) in self.x.iter().zip(&self.y).zip(v.chunks_exact(PER_POINT)) {
            let rounded = ROUNDED * self.gap / x[0];
            let speed = (v[1] * v[1] + v[2] * v[2] + rounded * rounded).sqrt();
            let slides = speed > 0.0 && !self.last_was_short;
            self.directions.push(if slides { [v[1] / speed, v[2] / speed] } else { [0.0; 2] });
            self.remainder.extend([y[0] - v[0] - speed, y[1] - v[1], y[2] - v[2]]);
        }
    }

    /// Takes a step; false where none leads on.
    fn advance(&mut self) -> Option<bool> {
        let scalings: Vec<Scaling> = self.x.iter().zip(&self.y).map(|(x, y)| Scaling::new(x, y)).collect();
        let factors = self.matrix(&scalings).factor()?;
        let solve = |goals: &[Vector]| -> Option<[Vec<Vector>; 2]> {
            let goals: Vec<Vector> =
                scalings.iter().zip(goals).map(|(s, goal)| s.back(&quotient(&s.both, goal))).collect();
            let mut dx: Vec<f64> = goals.iter().flatten().zip(&self.remainder).map(|(goal, r)| goal + r).collect();
            if !factors.solve(&mut dx) {
                return None;
            }
            let dx: Vec<Vector> = dx.chunks_exact(PER_POINT).map(|x| [x[0], x[1], x[2]]).collect();
            let of_point = |(i, s): (usize, &Scaling)| {
                let slopes = s.slopes();
                std::array::from_fn(|k| goals[i][k] - dot(&slopes[k], &dx[i]))
            };
            let dy = scalings.iter().enumerate().map(of_point).collect();
            Some([dx, dy])
        };
        // First as far as the product vanishes, then to the part of it that this step could reach.
        let end: Vec<Vector> = scalings.iter().map(|s| product(&s.both, &s.both).map(|x| -x)).collect();
        let [dx, dy] = solve(&end)?;
        let left = 1.0 - self.longest(&dx, &dy).min(1.0);
        let part = (left * left * left).max(LEAST_PART);
        let goal = |(i, s): (usize, &Scaling)| {
            let bent = product(&s.back(&dx[i]), &s.forth(&dy[i]));
            [end[i][0] + part * self.gap - bent[0], end[i][1] - bent[1], end[i][2] - bent[2]]
        };
        let goals: Vec<Vector> = scalings.iter().enumerate().map(goal).collect();
        let [dx, dy] = solve(&goals)?;
        let step = (INSIDE * self.longest(&dx, &dy)).min(1.0);
        let moved = |x: &[Vector], dx: &[Vector]| -> Vec<Vector> {
            x.iter().zip(dx).map(|(x, dx)| [0, 1, 2].map(|k| x[k] + step * dx[k])).collect()
        };
        let (x, y) = (moved(&self.x, &dx), moved(&self.y, &dy));
        // Not so for what is not a number.
        let is_inside = x.iter().chain(&y).all(|x| determinant(x) > 0.0);
        if !is_inside || step <= NO_STEP {
            return Some(false);
        }
        (self.x, self.y, self.last_was_short) = (x, y, step < SHORT);
        self.measure();
        Some(true)
    }

    /// Derivatives of what y lacks by x when the product is kept, without their sign.
    fn matrix(&self, scalings: &[Scaling]) -> Dense {
        let n = self.b.len();
        let mut matrix = Dense::zeros(n);
        for (i, (scaling, [e, f])) in scalings.iter().zip(&self.directions).enumerate() {
            let first = PER_POINT * i;
            let [on, t, u] = [0, 1, 2].map(|k| self.w.row(first + k));
            for j in 0..n {
                matrix.set(first, j, on[j] + e * t[j] + f * u[j]);
                matrix.set(first + 1, j, t[j]);
                matrix.set(first + 2, j, u[j]);
            }
            for (k, row) in scaling.slopes().iter().enumerate() {
                row.iter().enumerate().for_each(|(l, slope)| matrix.add(first + k, first + l, *slope));
            }
        }
        matrix
    }

    /// The longest step that stays inside the cones.
    fn longest(&self, dx: &[Vector], dy: &[Vector]) -> f64 {
        let pairs = self.x.iter().zip(dx).chain(self.y.iter().zip(dy));
        pairs.map(|(x, dx)| step_to_boundary(x, dx)).fold(f64::INFINITY, f64::min)
    }
}

/// Nesterov and Todd's scaling of a point: a symmetric matrix of the cone's automorphisms that takes y where its inverse
/// takes x.
struct Scaling {
    axis: Vector,
    size: f64,
    /// Where it takes them.
    both: Vector,
}

impl Scaling {
    fn new(x: &Vector, y: &Vector) -> Self {
        let [of_x, of_y] = [x, y].map(|x| determinant(x).sqrt());
        let (x, y, own) = (x.map(|x| x / of_x), y.map(|y| y / of_y), *y);
        let middle = (2.0 * (1.0 + dot(&x, &y))).sqrt();
        let axis = [(x[0] + y[0]) / middle, (x[1] - y[1]) / middle, (x[2] - y[2]) / middle];
        let mut scaling = Self { axis, size: (of_x / of_y).sqrt(), both: [0.0; PER_POINT] };
        scaling.both = scaling.forth(&own);
        scaling
    }

    fn forth(&self, y: &Vector) -> Vector {
        stretched(&self.axis, y).map(|x| self.size * x)
    }

    fn back(&self, x: &Vector) -> Vector {
        stretched(&mirrored(&self.axis), x).map(|x| x / self.size)
    }

    /// The square of the inverse.
    fn slopes(&self) -> [Vector; PER_POINT] {
        let axis = mirrored(&self.axis);
        let square = self.size * self.size;
        let diagonal = [1.0, -1.0, -1.0];
        std::array::from_fn(|r| {
            std::array::from_fn(|c| (2.0 * axis[r] * axis[c] - if r == c { diagonal[r] } else { 0.0 }) / square)
        })
    }
}

/// Product of an automorphism with the unit axis `w` and a vector.
fn stretched(w: &Vector, x: &Vector) -> Vector {
    let across = w[1] * x[1] + w[2] * x[2];
    let along = x[0] + across / (1.0 + w[0]);
    [w[0] * x[0] + across, x[1] + w[1] * along, x[2] + w[2] * along]
}

fn mirrored(x: &Vector) -> Vector {
    [x[0], -x[1], -x[2]]
}

/// Positive inside the cone, zero on it.
fn determinant(x: &Vector) -> f64 {
    let across = (x[1] * x[1] + x[2] * x[2]).sqrt();
    (x[0] - across) * (x[0] + across)
}

/// Product of the cone's algebra.
fn product(a: &Vector, b: &Vector) -> Vector {
    [dot(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]]
}

/// The vector whose product with `a` is `c`.
fn quotient(a: &Vector, c: &Vector) -> Vector {
    let on = (a[0] * c[0] - a[1] * c[1] - a[2] * c[2]) / determinant(a);
    [on, (c[1] - on * a[1]) / a[0], (c[2] - on * a[2]) / a[0]]
}

/// The longest step along `d` from a vector inside the cone that stays there.
fn step_to_boundary(x: &Vector, d: &Vector) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = determinant(x);
    let root = b * b - a * c;
    let on_axis = if d[0] < 0.0 { -x[0] / d[0] } else { f64::INFINITY };
    if root < 0.0 {
        return on_axis;
    }
    let q = -(b + root.sqrt().copysign(b));
    let counts = |t: &f64| *t > 0.0 && t.is_finite();
    [q / a, c / q].into_iter().filter(counts).fold(on_axis, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &Vector, b: &Vector) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn a_scaling_takes_both_vectors_to_the_same() {
        let (x, y) = ([3.0, 1.0, -2.0], [0.7, 0.1, 0.6]);
        let scaling = Scaling::new(&x, &y);
        assert!(close(&scaling.forth(&y), &scaling.back(&x)));
        assert!(close(&scaling.back(&scaling.forth(&x)), &x));
        let slopes = scaling.slopes();
        assert!(close(&[0, 1, 2].map(|k| dot(&slopes[k], &x)), &y));
        assert!(close(&product(&x, &quotient(&x, &y)), &y));
    }

    #[test]
    fn steps_end_on_the_cone() {
        let x = [2.0, 0.5, -0.3];
        for d in [[-1.0, 0.2, 0.1], [0.1, 1.0, 2.0], [-3.0, -4.0, 1.0], [1.0, 1.0, 0.0]] {
            let step = step_to_boundary(&x, &d);
            if step.is_finite() {
                let end = [0, 1, 2].map(|k| x[k] + step * d[k]);
                assert!(determinant(&end).abs() < 1e-12, "{d:?} {end:?}");
            }
            let before = [0, 1, 2].map(|k| x[k] + 0.99 * step.min(1e6) * d[k]);
            assert!(determinant(&before) > 0.0 && before[0] > 0.0, "{d:?} {before:?}");
        }
        assert!(step_to_boundary(&x, &[1.0, 0.5, 0.1]).is_infinite());
    }
}
