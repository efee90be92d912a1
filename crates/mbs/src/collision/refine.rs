//! From an approximate normal and active set to the solution, by Newton's method.
//!
//! With the support functions `h_k` of the active pieces the signed distance is minus the solution of
//! `min t, h_k(n) <= t, |n| = 1`. Its Karush-Kuhn-Tucker equations `sum λ_k ∇h_k(n) = t n`, `h_k(n) = t`, `sum λ_k = 1`
//! stay regular through touching (t = 0), where the direction of the difference vector is lost. Written in the tangent
//! plane of n, Newton's system has at most four unknowns, and is solved in closed form for one, two and three pieces.
//! A solution counts only if no point of the whole difference is beyond the plane it has found: for bodies that are
//! apart, that proves the global optimum.

use super::active::ActiveSet;
use super::difference::{Difference, Pair, Vertex};
use super::flat;
use super::solution::Solution;
use crate::math::Vec3;

/// Largest number of Newton steps, including those that change the active set.
const STEPS: usize = 16;
/// How far another point of the difference may be beyond the plane of the solution, relative to the scale.
const BEYOND: f64 = 4e-15;
/// Residual of the equations below which iterating further is useless, relative to the scale.
const EXACT: f64 = 1e-15;
/// Largest residual that rounding excuses, relative to the scale: the distance is wrong by its square only.
const BLURRED: f64 = 1e-9;
/// Angle by which a face is tilted to find its corner in some direction \[rad\], and how far from the plane of the
/// face that corner may be, relative to the scale.
const TILT: f64 = 1e-7;
const EDGE: f64 = 1e-13;
/// Residual with which a solution is accepted, relative to the scale.
const ACCEPTED: f64 = 1e-12;

/// Solution near the unit vector `n`; None if none is certified.
pub(super) fn refine(difference: &Difference, n: &Vec3, active: &ActiveSet) -> Option<Solution> {
    flat::solve(difference, n, active).or_else(|| newton(difference, n, active))
}

fn newton(difference: &Difference, start: &Vec3, active: &ActiveSet) -> Option<Solution> {
    let (mut n, mut active) = (*start, *active);
    let mut settled = false;
    for _ in 0..STEPS {
        let mut equations = Equations::at(difference, &n, &active);
        if settled {
            equations.balance();
        }
        let residual = equations.residual();
        if residual <= EXACT * difference.scale || settled {
            match equations.conclude(difference, n, &mut active, residual) {
                Verdict::Solved(solution) => return Some(solution),
                Verdict::Failed => return None,
                Verdict::Grown => settled = false,
            }
            continue;
        }
        let Some((step, weights)) = equations.step(difference.scale) else {
            active.remove((active.count > 1).then(|| active.lightest())?);
            continue;
        };
        let length = step.norm();
        n = (n + step * (0.5 / length).min(1.0)).normalize();
        // A step out of the range of the linearisation updates the normal only; the weights follow with the next step.
        let Some(weights) = weights else { continue };
        active.weights = weights;
        let all_carry = weights[..active.count].iter().all(|&weight| weight >= -1e-12);
        settled = all_carry && length < 1e-9;
        if !all_carry {
            exchange(difference, &n, &equations, &mut active);
        }
    }
    None
}

/// Takes the piece with negative weight out of the set; on a face its place goes to the piece behind the edge of the
/// other two.
fn exchange(difference: &Difference, n: &Vec3, equations: &Equations, active: &mut ActiveSet) {
    let wrong = active.lightest();
    let behind = equations.behind_edge(difference, n, wrong).filter(|behind| !active.has(*behind));
    active.remove(wrong);
    if let Some(behind) = behind {
        active.add(behind, 0.0);
    }
}

/// What becomes of a solution of the equations.
enum Verdict {
    /// It is a solution of the whole difference.
    Solved(Solution),
    /// The face is not the right one, and there is no other candidate.
    Failed,
    /// Another piece was beyond the plane and has joined the active set.
    Grown,
}

/// The equations at one normal, expressed in the tangent plane of the normal.
struct Equations {
    pairs: [Pair; 3],
    weights: [f64; 3],
    count: usize,
    /// Basis of the tangent plane.
    tangents: [Vec3; 2],
    /// Tangential parts of the pieces' support points.
    sides: [[f64; 2]; 3],
    /// Heights `h_k` of the support points along the normal.
    heights: [f64; 3],
    /// Weighted mean of the heights.
    height: f64,
    /// Weighted tangential part.
    side: [f64; 2],
    /// Second derivative of the Lagrangian: radii of curvature minus height \[xx, xy, yy\].
    hessian: [f64; 3],
}

impl Equations {
    fn at(difference: &Difference, n: &Vec3, active: &ActiveSet) -> Equations {
        let pairs = active.pairs(difference);
        let tangents = basis(n);
        let project = |v: &Vec3| [tangents[0].dot(v), tangents[1].dot(v)];
        let mut sides = [[0.0; 2]; 3];
        let mut heights = [0.0; 3];
        let (mut height, mut side, mut hessian) = (0.0, [0.0; 2], [0.0; 3]);
        for k in 0..active.count {
            let w = pairs[k].support(difference, n).w;
            let weight = active.weights[k];
            (sides[k], heights[k]) = (project(&w), n.dot(&w));
            height += weight * heights[k];
            side = [side[0] + weight * sides[k][0], side[1] + weight * sides[k][1]];
            if !(pairs[k].a.is_point() && pairs[k].b.is_point()) {
                let radii = pairs[k].curvature_radii(difference, n);
                let (along_x, along_y) = (project(&(radii * tangents[0])), project(&(radii * tangents[1])));
                hessian[0] += weight * along_x[0];
                hessian[1] += weight * along_x[1];
                hessian[2] += weight * along_y[1];
            }
        }
        hessian = [hessian[0] - height, hessian[1], hessian[2] - height];
        let (weights, count) = (active.weights, active.count);
        Equations { pairs, weights, count, tangents, sides, heights, height, side, hessian }
    }

    /// Largest violation of the equations \[m\].
    fn residual(&self) -> f64 {
        let spread = |k: usize| (self.heights[k] - self.height).abs();
        (0..self.count).map(spread).fold(elementary::hypot(self.side[0], self.side[1]), f64::max)
    }

    /// Residual that rounding may leave: that of the sum, and what a normal turned by rounding does to the support
    /// point of a nearly flat piece.
    fn unavoidable(&self, scale: f64) -> f64 {
        let curvature = self.hessian.iter().fold(0.0, |largest: f64, entry| entry.abs().max(largest));
        ACCEPTED * scale + (1e-15 * curvature).min(BLURRED * scale)
    }

    /// Weights of three pieces for the normal as it is, without a step.
    fn balance(&mut self) {
        if self.count != 3 {
            return;
        }
        let (d, e) = (minus(self.sides[1], self.sides[0]), minus(self.sides[2], self.sides[0]));
        let determinant = d[0] * e[1] - d[1] * e[0];
        let [x, y] = self.sides[0];
        let (second, third) = ((y * e[0] - x * e[1]) / determinant, (x * d[1] - y * d[0]) / determinant);
        let weights = [1.0 - second - third, second, third];
        if weights.iter().all(|&weight| weight >= -1e-9) {
            self.weights = weights;
            let mean = |k: usize| -> f64 { (0..3).map(|i| weights[i] * self.sides[i][k]).sum() };
            self.side = [mean(0), mean(1)];
        }
    }

    fn conclude(&self, difference: &Difference, n: Vec3, active: &mut ActiveSet, residual: f64) -> Verdict {
        match self.certified(difference, &n) {
            Ok(()) if residual <= self.unavoidable(difference.scale) && self.is_minimum() => {
                Verdict::Solved(self.solution(difference, n, *active))
            }
            Err(beyond) if !active.has(beyond.generators) => {
                if active.count == 3 {
                    active.remove(active.lightest());
                }
                active.add(beyond.generators, 0.0);
                Verdict::Grown
            }
            _ => Verdict::Failed,
        }
    }

    /// Nothing of the difference is beyond the plane; else the farthest point.
    fn certified(&self, difference: &Difference, n: &Vec3) -> Result<(), Vertex> {
        let farthest = difference.support(n);
        let excess = n.dot(&farthest.w) - self.height;
        if excess <= BEYOND * difference.scale { Ok(()) } else { Err(farthest) }
    }

    /// Newton step of the normal (tangential), and the new weights if the step is small enough to determine them; None
    /// if the system is singular.
    fn step(&self, scale: f64) -> Option<(Vec3, Option<[f64; 3]>)> {
        let (y, weights) = match self.count {
            1 => (self.solve_one()?, [1.0, 0.0, 0.0]),
            2 => self.solve_two(scale)?,
            _ => self.solve_three(scale)?,
        };
        let step = self.tangents[0] * y[0] + self.tangents[1] * y[1];
        let bent = self.apply(y);
        let is_linear = self.count == 1 || dot(bent, bent) <= 0.01 * scale * scale;
        step.iter().chain(&weights).all(|value| value.is_finite()).then_some((step, is_linear.then_some(weights)))
    }

    /// `G y = -side`.
    fn solve_one(&self) -> Option<[f64; 2]> {
        let [xx, xy, yy] = self.hessian;
        let determinant = xx * yy - xy * xy;
        let size = xx.abs().max(xy.abs()).max(yy.abs());
        if determinant.abs() > 1e-14 * size * size {
            let [x, y] = self.sides[0];
            return Some([(xy * y - yy * x) / determinant, (xy * x - xx * y) / determinant]);
        }
        // One direction in which nothing changes (a circle of solutions): move only in the other one.
        let trace = xx + yy;
        let square = trace * trace;
        if square <= 0.0 {
            return None;
        }
        let [x, y] = self.sides[0];
        Some([-(xx * x + xy * y) / square, -(xy * x + yy * y) / square])
    }

    /// `G y + λ d = -side_1`, `d · y = h_1 - h_2` with `d = side_2 - side_1`.
    fn solve_two(&self, scale: f64) -> Option<([f64; 2], [f64; 3])> {
        let d = minus(self.sides[1], self.sides[0]);
        let square = dot(d, d);
        if square <= 1e-26 * scale * scale {
            return None;
        }
        let along = (self.heights[0] - self.heights[1]) / square;
        let across = [-d[1], d[0]];
        let curvature = dot(across, self.apply(across));
        let force = -dot(across, self.sides[0]) - along * dot(across, self.apply(d));
        let turn = if curvature.abs() > 1e-14 * scale * square { force / curvature } else { 0.0 };
        let y = [along * d[0] + turn * across[0], along * d[1] + turn * across[1]];
        let bent = self.apply(y);
        let weight = -(dot(d, self.sides[0]) + dot(d, bent)) / square;
        Some((y, [1.0 - weight, weight, 0.0]))
    }

    /// As for two, with two differences that determine `y` alone.
    fn solve_three(&self, scale: f64) -> Option<([f64; 2], [f64; 3])> {
        let (d, e) = (minus(self.sides[1], self.sides[0]), minus(self.sides[2], self.sides[0]));
        let determinant = d[0] * e[1] - d[1] * e[0];
        let sizes = dot(d, d).max(dot(e, e));
        if determinant.abs() <= 1e-13 * sizes || sizes <= 1e-26 * scale * scale {
            return None;
        }
        let (p, q) = (self.heights[0] - self.heights[1], self.heights[0] - self.heights[2]);
        let y = [(p * e[1] - q * d[1]) / determinant, (q * d[0] - p * e[0]) / determinant];
        let bent = self.apply(y);
        let r = [-self.sides[0][0] - bent[0], -self.sides[0][1] - bent[1]];
        let second = (r[0] * e[1] - r[1] * e[0]) / determinant;
        let third = (d[0] * r[1] - d[1] * r[0]) / determinant;
        Some((y, [1.0 - second - third, second, third]))
    }

    /// Of three pieces on a face one has turned out to be on the wrong side of the edge of the other two: the piece of
    /// the same face that is farthest beyond that edge.
    fn behind_edge(&self, difference: &Difference, n: &Vec3, wrong: usize) -> Option<[u32; 2]> {
        if self.count != 3 {
            return None;
        }
        let [opposite, from, to] = [0, 1, 2].map(|i| self.sides[(wrong + i) % 3]);
        let edge = minus(to, from);
        let mut across = [-edge[1], edge[0]];
        if dot(across, minus(opposite, from)) > 0.0 {
            across = [edge[1], -edge[0]];
        }
        let outward = (self.tangents[0] * across[0] + self.tangents[1] * across[1]).try_normalize(0.0)?;
        let found = difference.support(&(n + outward * TILT)).generators;
        let height = n.dot(&difference.pair(found).support(difference, n).w);
        (height >= self.height - EDGE * difference.scale).then_some(found)
    }

    fn apply(&self, y: [f64; 2]) -> [f64; 2] {
        let [xx, xy, yy] = self.hessian;
        [xx * y[0] + xy * y[1], xy * y[0] + yy * y[1]]
    }

    /// Whether the support function has a minimum here and not a saddle: always so for bodies apart.
    fn is_minimum(&self) -> bool {
        let [xx, xy, yy] = self.hessian;
        let slack = 1e-12 * (self.height.abs() + xx.abs() + yy.abs());
        match self.count {
            _ if self.height <= 0.0 => true,
            1 => xx >= -slack && yy >= -slack && xx * yy - xy * xy >= -slack * (xx.abs() + yy.abs()),
            2 => {
                let d = minus(self.sides[1], self.sides[0]);
                let across = [-d[1], d[0]];
                dot(across, self.apply(across)) >= -slack * dot(d, d)
            }
            _ => true,
        }
    }

    fn solution(&self, difference: &Difference, n: Vec3, mut active: ActiveSet) -> Solution {
        active.weights = self.weights;
        let (a, b) = active.points(difference, &self.pairs, &n);
        Solution { active: Some(active), ..Solution::balanced(n, -self.height, a, b) }
    }
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Two unit vectors that are perpendicular to the unit vector `n` and to each other (T. Duff et al., Building an
/// orthonormal basis, revisited, Journal of Computer Graphics Techniques 6(1), 2017).
pub(super) fn basis(n: &Vec3) -> [Vec3; 2] {
    let sign = 1.0_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y)]
}
