//! Straight lines of a tool: the joint coordinates that move it follow by inverse kinematics.
//!
//! Before a line is driven, coordinates are found at points along it, each from the one before, so that the whole line
//! stays on one branch and unreachable points are reported at the start. At any later time the fifth-order polynomial
//! through the two neighbouring points is corrected by Newton's method until the tool is on the line; velocities and
//! accelerations solve the differentiated equations, `J q' = V` and `J q'' = A - J' q'`. In a chain with more joints
//! than equations, the components of the coordinates in the null space of `J` at the point before are those of the
//! polynomial, which makes the solution unique and twice differentiable.

use serde::{Deserialize, Serialize};

use super::axes::ToolTarget;
use super::chain::{MOST_JOINTS, PerJoint, ToolChain, ToolJacobian};
use crate::linalg::small_inverse::invert;
use crate::math::{Mat3, Vec3, rotation_about, rotation_vector};
use crate::spatial::BodyMotion;

/// Points are so near each other that no joint moves farther between them: radians, or parts of the chain's reach.
const LARGEST_TURN: f64 = 0.1;

/// Points are not nearer than this fraction of the line: there joints would have to move infinitely fast.
const SMALLEST_STEP: f64 = 1e-5;

/// Error of the tool, relative to the chain's reach, that counts as none.
const ON_THE_LINE: f64 = 1e-9;

/// Singular values of the tool's Jacobian that are smaller than this, relative to the largest one, count as zero.
const SINGULAR: f64 = 1e-3;

/// Newton steps from one point to the next, and from the polynomial to the line.
const MOST_STEPS: usize = 30;

type Square = nalgebra::SMatrix<f64, MOST_JOINTS, MOST_JOINTS>;
type Six = nalgebra::SVector<f64, 6>;

/// Coordinates of a chain and their derivatives with respect to the path parameter `s`, at one `s`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Point {
    s: f64,
    q: [f64; MOST_JOINTS],
    v: [f64; MOST_JOINTS],
    a: [f64; MOST_JOINTS],
}

/// Coordinates and two derivatives.
pub(super) type Coordinates = [PerJoint; 3];

/// A straight line of a tool, at constant speed of `s` from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Line {
    chain: ToolChain,
    /// Pose of the tool in the base at the beginning: rotation column by column, position \[m\].
    rotation: [f64; 9],
    position: [f64; 3],
    /// Displacement of the tool \[m\] and its rotation vector, in the base.
    displacement: [f64; 3],
    turn: [f64; 3],
    /// Whether the rotation of the tool is free.
    is_free: bool,
    /// Number of independent equations.
    rank: usize,
    points: Vec<Point>,
}

/// Where a line cannot be followed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Obstacle {
    /// Path parameter.
    pub s: f64,
    /// Position of the tool there, in the base \[m\].
    pub at: [f64; 3],
    /// Joint of the chain that would have to move infinitely fast, or whose motion moves the tool least.
    pub joint: usize,
    /// What is left of the displacement \[m\] and of the rotation \[rad\].
    pub rest: [f64; 2],
    /// Whether the tool can reach the place, but not move on.
    pub is_singular: bool,
}

impl Line {
    /// A line from where the chain stands to a position in the base and a rotation; none keeps the present one.
    pub fn new(chain: &ToolChain, start: &PerJoint, target: &ToolTarget, is_free: bool) -> Result<Self, Obstacle> {
        let (tool, _) = chain.tool(start, &PerJoint::zeros());
        let turn = target
            .rotation
            .filter(|_| !is_free)
            .map_or(Vec3::zeros(), |to| rotation_vector(&(to * tool.rotation.transpose())));
        let mut line = Self {
            chain: chain.clone(),
            rotation: std::array::from_fn(|k| tool.rotation[(k % 3, k / 3)]),
            position: tool.p.into(),
            displacement: (target.position - tool.p).into(),
            turn: turn.into(),
            is_free,
            rank: 0,
            points: Vec::new(),
        };
        line.find_points(start)?;
        Ok(line)
    }

    /// Whether all its numbers are those of a path with this many axes.
    pub fn fits(&self, axes: usize) -> bool {
        self.chain.fits(axes) && self.points.len() > 1
    }

    /// Axes of the path that the joints follow.
    pub fn axes(&self) -> impl Iterator<Item = usize> {
        self.chain.joints.iter().map(|joint| joint.axis_of_path)
    }

    /// Length \[m\] and angle \[rad\] of the line.
    pub fn extent(&self) -> [f64; 2] {
        [self.displacement, self.turn].map(|x| Vec3::from(x).norm())
    }

    /// Largest derivative and second derivative with respect to `s` of a joint's coordinate at the points.
    pub fn fastest(&self, joint: usize) -> [f64; 2] {
        self.points.iter().fold([0.0, 0.0], |[v, a], point| [v.max(point.v[joint].abs()), a.max(point.a[joint].abs())])
    }

    /// Coordinates and their derivatives with respect to `s`.
    pub fn at(&self, s: f64) -> Coordinates {
        let next = self.points.partition_point(|point| point.s <= s).clamp(1, self.points.len() - 1);
        let (before, after) = (&self.points[next - 1], &self.points[next]);
        let guess = between(before, after, s);
        let kept = self.null_space(&PerJoint::from(before.q));
        self.solve(s, &guess, &kept).map_or(guess, |found| found.0)
    }

    fn find_points(&mut self, start: &PerJoint) -> Result<(), Obstacle> {
        let (_, jacobian) = self.chain.tool(start, &PerJoint::zeros());
        self.rank = self.decompose(&jacobian).1;
        let first = self.next_point(0.0, &[*start, PerJoint::zeros(), PerJoint::zeros()], start)?;
        self.points.push(first);
        let (mut last, mut step) = (first, 1.0_f64 / 16.0);
        while last.s < 1.0 {
            let s = (last.s + step).min(1.0);
            let ds = s - last.s;
            let [q, v, a] = [last.q, last.v, last.a].map(PerJoint::from);
            let guess = [q + v * ds + a * (0.5 * ds * ds), v + a * ds, a];
            match self.next_point(s, &guess, &q) {
                Ok(point) if !self.is_far(&last, &point) => {
                    self.points.push(point);
                    last = point;
                    step = (1.5 * step).min(1.0 / 16.0);
                }
                Err(obstacle) if step < SMALLEST_STEP => return Err(obstacle),
                Ok(point) if step < SMALLEST_STEP => return Err(self.obstacle(&point.q.into(), s, true)),
                _ => step *= 0.5,
            }
        }
        Ok(())
    }

    /// Whether a joint moves too far from one point to the next for the polynomial between them.
    fn is_far(&self, from: &Point, to: &Point) -> bool {
        let reach = self.chain.reach();
        self.chain.joints.iter().enumerate().any(|(k, joint)| {
            let change =
                if joint.turn == 0.0 { (to.q[k] - from.q[k]).abs() / reach } else { (to.q[k] - from.q[k]).abs() };
            change > LARGEST_TURN
        })
    }

    /// The point at `s`, from a guess; `before` are the coordinates whose null space counts.
    fn next_point(&self, s: f64, guess: &Coordinates, before: &PerJoint) -> Result<Point, Obstacle> {
        let kept = self.null_space(before);
        let Some(([q, v, a], rest)) = self.solve(s, guess, &kept) else {
            return Err(self.obstacle(&guess[0], s, true));
        };
        let (_, jacobian) = self.chain.tool(&q, &PerJoint::zeros());
        if rest > ON_THE_LINE * self.chain.reach() {
            return Err(self.obstacle(&q, s, false));
        }
        if self.decompose(&jacobian).1 != self.rank {
            return Err(self.obstacle(&q, s, true));
        }
        Ok(Point { s, q: q.into(), v: v.into(), a: a.into() })
    }

    fn obstacle(&self, q: &PerJoint, s: f64, is_singular: bool) -> Obstacle {
        let (tool, jacobian) = self.chain.tool(q, &PerJoint::zeros());
        let error = self.error(&tool, s);
        let rest = [error.fixed_rows::<3>(3).norm(), error.fixed_rows::<3>(0).norm() / self.chain.reach()];
        Obstacle { s, at: self.target(s).0.into(), joint: self.decompose(&jacobian).2, rest, is_singular }
    }

    /// Position and rotation of the tool at `s`.
    fn target(&self, s: f64) -> (Vec3, Mat3) {
        let turn = Vec3::from(self.turn);
        let angle = turn.norm();
        let turned = if angle > 0.0 { rotation_about(&(turn / angle), s * angle) } else { Mat3::identity() };
        (
            Vec3::from(self.position) + Vec3::from(self.displacement) * s,
            turned * Mat3::from_column_slice(&self.rotation),
        )
    }

    /// Rotation (times the chain's reach) and translation that are left to the line at `s`.
    fn error(&self, tool: &BodyMotion, s: f64) -> Six {
        let (p, rotation) = self.target(s);
        let turn = rotation_vector(&(rotation * tool.rotation.transpose()));
        self.weighted(&turn, &(p - tool.p))
    }

    /// A rotation and a translation as six comparable numbers.
    fn weighted(&self, rotation: &Vec3, translation: &Vec3) -> Six {
        let r = if self.is_free { Vec3::zeros() } else { rotation * self.chain.reach() };
        Six::new(r.x, r.y, r.z, translation.x, translation.y, translation.z)
    }

    /// The Jacobian in the units of [`Line::weighted`].
    fn scaled(&self, jacobian: &ToolJacobian) -> ToolJacobian {
        let mut scaled = *jacobian;
        let factor = if self.is_free { 0.0 } else { self.chain.reach() };
        scaled.fixed_rows_mut::<3>(0).scale_mut(factor);
        scaled
    }

    /// Coordinates on the line near a guess, with their derivatives, and how far from the line they are \[m\]; none
    /// where the equations are singular. `kept` projects on the directions in which the guess counts.
    fn solve(&self, s: f64, guess: &Coordinates, kept: &Square) -> Option<(Coordinates, f64)> {
        let (mut q, mut inverse, small) = (guess[0], Square::zeros(), 1e-3 * ON_THE_LINE * self.chain.reach());
        let mut rest = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let (tool, jacobian) = self.chain.tool(&q, &PerJoint::zeros());
            let (error, j) = (self.error(&tool, s), self.scaled(&jacobian));
            if !invert(&(j.transpose() * j + kept + self.unused()), &mut inverse) {
                return None;
            }
            rest = error.norm();
            let step = inverse * (j.transpose() * error + kept * (guess[0] - q));
            q += step;
            if step.norm() * self.chain.reach() < small {
                break;
            }
        }
        let [displacement, turn] = [self.displacement, self.turn].map(Vec3::from);
        let (_, jacobian) = self.chain.tool(&q, &PerJoint::zeros());
        let j = self.scaled(&jacobian);
        invert(&(j.transpose() * j + kept + self.unused()), &mut inverse).then_some(())?;
        let v = inverse * (j.transpose() * self.weighted(&turn, &displacement) + kept * guess[1]);
        let (tool, _) = self.chain.tool(&q, &v);
        let a = inverse * (kept * guess[2] - j.transpose() * self.weighted(&tool.alpha, &tool.a));
        Some(([q, v, a], rest))
    }

    /// Ones on the diagonal behind the last joint.
    fn unused(&self) -> Square {
        let n = self.chain.joints.len();
        Square::from_diagonal(&PerJoint::from_fn(|k, _| if k < n { 0.0 } else { 1.0 }))
    }

    /// Projection on the directions in which the chain can move without the tool.
    fn null_space(&self, q: &PerJoint) -> Square {
        if self.rank == self.chain.joints.len() {
            return Square::zeros();
        }
        let (_, jacobian) = self.chain.tool(q, &PerJoint::zeros());
        self.decompose(&jacobian).0
    }

    /// Projection on the null space of the Jacobian, its rank, and the joint that takes most part in its weakest
    /// direction.
    fn decompose(&self, jacobian: &ToolJacobian) -> (Square, usize, usize) {
        let j = self.scaled(jacobian);
        let eigen = nalgebra::SymmetricEigen::new(j.transpose() * j + self.unused() * -1.0);
        let largest = eigen.eigenvalues.max();
        let (mut projection, mut rank) = (Square::zeros(), 0);
        let (mut weakest, mut least) = (0, f64::INFINITY);
        for k in (0..MOST_JOINTS).filter(|&k| eigen.eigenvalues[k] > -0.5) {
            let (value, vector) = (eigen.eigenvalues[k], eigen.eigenvectors.column(k));
            if value > SINGULAR * SINGULAR * largest {
                rank += 1;
            } else {
                projection += vector * vector.transpose();
            }
            if value < least {
                (weakest, least) = (vector.iamax(), value);
            }
        }
        (projection, rank, weakest)
    }
}

/// The polynomial of fifth order through two points, their derivatives and second derivatives; with two derivatives.
fn between(a: &Point, b: &Point, s: f64) -> Coordinates {
    let h = b.s - a.s;
    let x = (s - a.s) / h;
    let mut found = [PerJoint::zeros(); 3];
    for k in 0..MOST_JOINTS {
        let (d0, d1) = ([a.q[k], h * a.v[k], h * h * a.a[k]], [b.q[k], h * b.v[k], h * h * b.a[k]]);
        let [u, v, w] = {
            let gap = d1[0] - d0[0] - d0[1] - 0.5 * d0[2];
            let slope = d1[1] - d0[1] - d0[2];
            let bend = d1[2] - d0[2];
            [
                10.0 * gap - 4.0 * slope + 0.5 * bend,
                -15.0 * gap + 7.0 * slope - bend,
                6.0 * gap - 3.0 * slope + 0.5 * bend,
            ]
        };
        let cubic = x * x * x;
        found[0][k] = d0[0] + x * (d0[1] + 0.5 * d0[2] * x) + cubic * (u + x * (v + x * w));
        found[1][k] = (d0[1] + d0[2] * x + x * x * (3.0 * u + x * (4.0 * v + 5.0 * w * x))) / h;
        found[2][k] = (d0[2] + x * (6.0 * u + x * (12.0 * v + 20.0 * w * x))) / (h * h);
    }
    found
}
