//! The equations of one contact hinge: gaps of its supports, friction that holds, and the law of friction that slides.
//!
//! Six-vectors have the rows of a weld: three of friction in the plane of contact (two tangential ones over the scale
//! of length, which makes them angles, and the spin), and three of the gaps of the carriers \[m\]. All are motions of B
//! relative to A; their multipliers are efforts on B.

use super::super::variation::{A, ALPHA, P, THETA, V, Variation, W};
use super::weld::{Block, Six};
use crate::contact::hinge::{
    Friction, FrictionMode, Hinge, MOST_SUPPORTS, Planar, Pressure, Shift, SlidingSlopes, SupportPoint,
};
use crate::math::{Mat3, Vec3};
use crate::spatial::{BodyMotion, Wrench};

/// Row of the first carrier.
pub(crate) const FIRST_SUPPORT: usize = 3;

/// What moves at a support.
#[derive(Debug, Clone, Copy)]
struct Moving {
    at: SupportPoint,
    velocities: Shift,
}

/// A hinge at one point of the motion; vectors are resolved in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TiePoint {
    carriers: [Option<Moving>; MOST_SUPPORTS],
    /// Their parts in the middle.
    parts: [f64; MOST_SUPPORTS],
    /// Whether the leaf is B; otherwise it is A.
    leaf_is_b: bool,
    /// Origins of A and B \[m\], and their angular velocities \[rad/s\].
    origins: [Vec3; 2],
    turning: [Vec3; 2],
    /// Middle of the points of contact \[m\], and the velocity with which it moves as a point of contact \[m/s\].
    middle: Vec3,
    middle_velocity: Vec3,
    /// Unit normal from A to B, and two tangents.
    pub normal: Vec3,
    pub tangents: [Vec3; 2],
    /// Torque of rolling resistance on B per normal force \[m\], and its derivative by the angular velocity of B relative
    /// to A \[m s\].
    rolling: (Vec3, Mat3),
    /// Scale of length \[m\].
    length: f64,
    gap: Six,
    rate: Six,
    acceleration: Six,
}

/// Where a multiplier acts on B: a force at a point, and a torque.
struct Action {
    at: Vec3,
    f: Vec3,
    n: Vec3,
}

impl TiePoint {
    /// The hinge for the motion of A and B.
    pub fn new(hinge: &Hinge, leaf_is_b: bool, bodies: [&BodyMotion; 2], length: f64) -> Self {
        let mut carriers = [None; MOST_SUPPORTS];
        let parts = hinge.carriers.middle;
        let (mut middle, mut middle_velocity, mut normal) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        let (mut gap, mut rate, mut acceleration) = (Six::zeros(), Six::zeros(), Six::zeros());
        for (k, ordinal) in hinge.carriers.ordinals().enumerate() {
            let support = &hinge.supports[ordinal];
            let Some(at) = support.at(bodies) else { continue };
            let velocities = at.velocities(bodies);
            gap[FIRST_SUPPORT + k] = at.gap - support.offset;
            rate[FIRST_SUPPORT + k] = at.rate(&velocities);
            acceleration[FIRST_SUPPORT + k] = at.acceleration(bodies);
            middle += parts[k] * at.point;
            middle_velocity += parts[k] * at.point_change(&velocities);
            normal += at.normal;
            carriers[k] = Some(Moving { at, velocities });
        }
        let normal = normal.try_normalize(0.0).unwrap_or(Vec3::z());
        let friction = &hinge.friction;
        let along = bodies[friction.carrier].rotation * friction.tangent;
        let tangent = (along - normal * normal.dot(&along)).try_normalize(0.0).unwrap_or(Vec3::x());
        let mut tie = Self {
            carriers,
            parts,
            leaf_is_b,
            origins: bodies.map(|body| body.p),
            turning: bodies.map(|body| body.w),
            middle,
            middle_velocity,
            normal,
            tangents: [tangent, normal.cross(&tangent)],
            rolling: friction.rolling.resist(&(bodies[1].w - bodies[0].w), &normal),
            length,
            gap,
            rate,
            acceleration,
        };
        tie.slide(bodies);
        tie
    }

    /// Follows bodies that move as before but for their accelerations.
    pub fn update_acceleration(&mut self, bodies: [&BodyMotion; 2]) {
        for (k, moving) in self.carriers.iter().enumerate() {
            if let Some(moving) = moving {
                self.acceleration[FIRST_SUPPORT + k] = moving.at.acceleration(bodies);
            }
        }
        self.slide(bodies);
    }

    /// Rates and accelerations of sliding and spin. The material at the point of contact changes when bodies roll.
    fn slide(&mut self, bodies: [&BodyMotion; 2]) {
        let arms = [0, 1].map(|side| self.middle - bodies[side].p);
        let material = |side: usize| bodies[side].v + bodies[side].w.cross(&arms[side]);
        let changing = |side: usize| {
            let (body, arm) = (bodies[side], &arms[side]);
            let a = body.a + body.alpha.cross(arm) + body.w.cross(&body.w.cross(arm));
            a + body.w.cross(&(self.middle_velocity - material(side)))
        };
        let (u, a) = (material(1) - material(0), changing(1) - changing(0));
        let (w, alpha) = (bodies[1].w - bodies[0].w, bodies[1].alpha - bodies[0].alpha);
        let turned = self.carriers.iter().flatten().map(|moving| moving.at.normal_change(&moving.velocities));
        let turning = turned.sum::<Vec3>() / self.carriers.iter().flatten().count() as f64;
        for (k, tangent) in self.tangents.iter().enumerate() {
            self.rate[k] = tangent.dot(&u) / self.length;
            self.acceleration[k] = tangent.dot(&a) / self.length;
        }
        self.rate[2] = self.normal.dot(&w);
        self.acceleration[2] = self.normal.dot(&alpha) + turning.dot(&w);
    }

    /// Gaps of the carriers \[m\]; zero in the rows of friction.
    pub fn gap(&self) -> Six {
        self.gap
    }

    /// Rates of all rows.
    pub fn rate(&self) -> Six {
        self.rate
    }

    /// Second derivatives of the gaps, and what friction that holds keeps at zero.
    pub fn acceleration(&self) -> Six {
        self.acceleration
    }

    /// Point where the hinge is \[m\].
    pub fn place(&self) -> Vec3 {
        self.middle
    }

    /// Sliding and spin at the middle \[m/s, m/s, rad/s\].
    pub fn slip(&self) -> Planar {
        [self.rate[0] * self.length, self.rate[1] * self.length, self.rate[2]]
    }

    /// Efforts on B in the plane of contact about the middle \[N, N, N m\], for some multipliers.
    pub fn efforts(&self, six: &Six) -> Planar {
        [six[0] / self.length, six[1] / self.length, six[2]]
    }

    /// Normal forces for some multipliers.
    pub fn pressure(&self, six: &Six) -> Pressure {
        let place = |k: usize| {
            self.carriers[k].as_ref().map_or([0.0; 2], |moving| {
                let arm = moving.at.point - self.middle;
                self.tangents.map(|tangent| tangent.dot(&arm))
            })
        };
        Pressure { loads: std::array::from_fn(|k| six[FIRST_SUPPORT + k]), places: std::array::from_fn(place) }
    }

    /// Residual of the law of friction that slides, per row of friction.
    pub fn law_residual(&self, friction: &Friction, direction: &Planar, six: &Six) -> [f64; 3] {
        let efforts = friction.efforts(&self.pressure(six), &self.slip(), direction);
        [six[0] - efforts[0] * self.length, six[1] - efforts[1] * self.length, six[2] - efforts[2]]
    }

    /// Derivatives of the law of friction that slides, in terms of multipliers and rates.
    pub fn law_slopes(&self, friction: &Friction, direction: &Planar, six: &Six) -> SlidingSlopes {
        let mut slopes = friction.slopes(&self.pressure(six), &self.slip(), direction);
        for row in 0..3 {
            let unit = if row < 2 { self.length } else { 1.0 };
            slopes.by_load[row].iter_mut().for_each(|x| *x *= unit);
            for (column, x) in slopes.by_slip[row].iter_mut().enumerate() {
                *x *= unit * if column < 2 { self.length } else { 1.0 };
            }
        }
        slopes
    }

    fn action(&self, row: usize) -> Action {
        match row {
            0 | 1 => Action { at: self.middle, f: self.tangents[row] / self.length, n: Vec3::zeros() },
            2 => Action { at: self.middle, f: Vec3::zeros(), n: self.normal },
            _ => match &self.carriers[row - FIRST_SUPPORT] {
                Some(moving) => Action { at: moving.at.point, f: moving.at.normal, n: Vec3::zeros() },
                None => Action { at: self.middle, f: Vec3::zeros(), n: Vec3::zeros() },
            },
        }
    }

    /// Rates of all rows when the leaf, or the body in the opposite direction, turns with `er` about a point at `p`
    /// \[m\] that moves with `et`.
    pub fn column(&self, p: &Vec3, er: &Vec3, et: &Vec3) -> Six {
        let sign = if self.leaf_is_b { 1.0 } else { -1.0 };
        Six::from_fn(|row, _| {
            let action = self.action(row);
            sign * (action.f.dot(&(et + er.cross(&(action.at - p)))) + action.n.dot(er))
        })
    }

    /// Wrench of the multipliers on a side about its origin.
    fn wrench_on(&self, side: usize, six: &Six) -> Wrench {
        let sign = if side == 1 { 1.0 } else { -1.0 };
        let mut wrench = Wrench::ZERO;
        for row in (0..six.len()).filter(|&row| six[row] != 0.0) {
            let action = self.action(row);
            let factor = sign * six[row];
            wrench.n += factor * ((action.at - self.origins[side]).cross(&action.f) + action.n);
            wrench.f += factor * action.f;
        }
        wrench.n += sign * self.rolling_torque(six);
        wrench
    }

    /// Torque of rolling resistance on B for some multipliers \[N m\].
    pub fn rolling_torque(&self, six: &Six) -> Vec3 {
        self.rolling.0 * six.fixed_rows::<MOST_SUPPORTS>(FIRST_SUPPORT).sum()
    }

    /// Takes away the resistance to rolling.
    pub fn drop_rolling_resistance(&mut self) {
        self.rolling = (Vec3::zeros(), Mat3::zeros());
    }

    /// Whether the torque of rolling resistance depends on the multipliers.
    pub fn resists_rolling(&self) -> bool {
        self.rolling.0 != Vec3::zeros()
    }

    /// Derivative of the torque on either side by its own angular velocity.
    pub fn rolling_damping(&self, six: &Six) -> Mat3 {
        self.rolling.1 * six.fixed_rows::<MOST_SUPPORTS>(FIRST_SUPPORT).sum()
    }

    /// Wrench of the multipliers on the leaf about its Bo.
    pub fn wrench_on_leaf(&self, six: &Six) -> Wrench {
        self.wrench_on(usize::from(self.leaf_is_b), six)
    }

    /// Wrench of the multipliers on the body about its Bo.
    pub fn wrench_on_body(&self, six: &Six) -> Wrench {
        self.wrench_on(usize::from(!self.leaf_is_b), six)
    }

    /// Changes of both sides in the order A, B.
    fn sides<'v>(&self, leaf: &'v Variation, body: &'v Variation) -> [&'v Variation; 2] {
        if self.leaf_is_b { [body, leaf] } else { [leaf, body] }
    }

    /// Displacement of points of both bodies at a support.
    fn shift(&self, at: &SupportPoint, [a, b]: [&Variation; 2]) -> Shift {
        let point = |side: usize, z: &Variation| z[P] + z[THETA].cross(&(at.nearest[side] - self.origins[side]));
        Shift { points: [point(0, a), point(1, b)], turns: [a[THETA], b[THETA]] }
    }

    /// Change of the gap for changes of the motion of leaf and body.
    pub fn gap_change(&self, leaf: &Variation, body: &Variation) -> Six {
        let z = self.sides(leaf, body);
        let mut change = Six::zeros();
        for (k, moving) in self.carriers.iter().enumerate() {
            if let Some(Moving { at, .. }) = moving {
                let shift = self.shift(at, z);
                change[FIRST_SUPPORT + k] = at.normal.dot(&(shift.points[1] - shift.points[0]));
            }
        }
        change
    }

    /// Change of the rates for changes of the motion of leaf and body. Tangents are taken as fixed: what they turn is
    /// small where friction holds.
    pub fn rate_change(&self, leaf: &Variation, body: &Variation) -> Six {
        let z = self.sides(leaf, body);
        let mut change = Six::zeros();
        let mut middle = Vec3::zeros();
        for (k, moving) in self.carriers.iter().enumerate() {
            let Some(Moving { at, velocities }) = moving else { continue };
            let shift = self.shift(at, z);
            let velocity = [0, 1].map(|side| {
                let arm = at.nearest[side] - self.origins[side];
                let z = z[side];
                z[V] + z[W].cross(&arm) + self.turning[side].cross(&z[THETA].cross(&arm))
            });
            change[FIRST_SUPPORT + k] = at.rate_change(velocities, &shift, &velocity);
            middle += self.parts[k] * at.point_change(&shift);
        }
        let sliding = |side: usize| {
            let z = z[side];
            z[V] + z[W].cross(&(self.middle - self.origins[side])) + self.turning[side].cross(&(middle - z[P]))
        };
        let u = sliding(1) - sliding(0);
        for (k, tangent) in self.tangents.iter().enumerate() {
            change[k] = tangent.dot(&u) / self.length;
        }
        change[2] = self.normal.dot(&(z[1][W] - z[0][W]));
        change
    }

    /// Change of the accelerations for changes of the accelerations alone.
    pub fn acceleration_change(&self, leaf: &Variation, body: &Variation) -> Six {
        let z = self.sides(leaf, body);
        let sign = [-1.0, 1.0];
        Six::from_fn(|row, _| {
            let action = self.action(row);
            let of = |side: usize| {
                let z = z[side];
                let a = z[A] + z[ALPHA].cross(&(action.at - self.origins[side]));
                sign[side] * (action.f.dot(&a) + action.n.dot(&z[ALPHA]))
            };
            of(0) + of(1)
        })
    }

    /// Derivatives of the wrench of some multipliers on a side by its own rotation and displacement: torque and force.
    /// What the motion of the other side changes is left out, which costs Newton's iteration little.
    pub fn stiffness(&self, is_leaf: bool, six: &Six) -> [[Mat3; 2]; 2] {
        let side = usize::from(is_leaf == self.leaf_is_b);
        let sign = if side == 1 { 1.0 } else { -1.0 };
        let mut slopes = [[Mat3::zeros(); 2]; 2];
        for (moves, k) in (0..2).flat_map(|moves| (0..3).map(move |k| (moves, k))) {
            let mut unit = Vec3::zeros();
            unit[k] = 1.0;
            let (turn, displacement) = if moves == 0 { (unit, Vec3::zeros()) } else { (Vec3::zeros(), unit) };
            for (i, moving) in self.carriers.iter().enumerate() {
                let (Some(Moving { at, .. }), load) = (moving, sign * six[FIRST_SUPPORT + i]) else { continue };
                let mut shift = Shift { points: [Vec3::zeros(); 2], turns: [Vec3::zeros(); 2] };
                shift.points[side] = displacement + turn.cross(&(at.nearest[side] - self.origins[side]));
                shift.turns[side] = turn;
                let (turned, moved) = (at.normal_change(&shift), at.point_change(&shift) - displacement);
                let (f, arm) = (load * turned, at.point - self.origins[side]);
                let n = arm.cross(&f) + load * moved.cross(&at.normal);
                for (sum, change) in slopes.iter_mut().zip([n, f]) {
                    let column = sum[moves].column(k) + change;
                    sum[moves].set_column(k, &column);
                }
            }
        }
        slopes
    }
}

/// Rows that have multipliers, and those of them that are independent equations of motion: along which nothing moves.
pub(crate) fn rows_of(hinge: &Hinge) -> [[bool; 6]; 2] {
    let mut has_multiplier = [false; 6];
    (0..hinge.carriers.len()).for_each(|k| has_multiplier[FIRST_SUPPORT + k] = true);
    let mut holds = has_multiplier;
    match hinge.friction.mode {
        FrictionMode::Absent => {}
        FrictionMode::Sticks => {
            has_multiplier[..3].copy_from_slice(&[true, true, hinge.friction.radius > 0.0]);
            holds = has_multiplier;
        }
        FrictionMode::Slides(_) => has_multiplier[..3].fill(true),
    }
    (0..6).for_each(|r| holds[r] &= hinge.independent[r]);
    [has_multiplier, holds]
}

/// Rates of the rows per multiplier: what the hinge yields. Friction that slides yields nothing.
pub(super) fn softness_of(hinge: &Hinge, length: f64) -> Block {
    let softness = &hinge.softness;
    let mut block = Block::zeros();
    for (r, row) in softness.normal.iter().enumerate() {
        row.iter().enumerate().for_each(|(c, soft)| block[(FIRST_SUPPORT + r, FIRST_SUPPORT + c)] = *soft);
    }
    if hinge.friction.mode == FrictionMode::Sticks {
        let along = softness.sliding / (length * length);
        block.fixed_view_mut::<3, 3>(0, 0).set_diagonal(&Vec3::new(along, along, softness.spin));
    }
    block
}
