//! How far the sides of round bodies turn.
//!
//! With the angles φ by which the polygons of round bodies turn about their axes, two bodies store `min_φ U(pose, φ)`.
//! The derivative of that by the pose is the one at the turn that has been found: the force keeps its potential. There is
//! no elastic torque about the axis of a round body, which would drive or brake it. And a polygon around a circle touches
//! no earlier than the circle, as one of its sides then faces the place.

use super::field::{PatchBody, PatchForm, Plane as Linear, RoundAxis};
use super::overlap::{Facet, Patch, PatchScratch};
use super::weights::Weights;
use crate::collision::{Contact, PairCache, SIDE_ANGLE, distance, separation};
use crate::contact::progress::progress;
use crate::math::Vec3;

/// Torque about an axis over the load and the radius of the body that counts as none.
const NO_TORQUE: f64 = 1e-9;

/// Most directions that are tried, and most places along each of them.
const MOST_DIRECTIONS: usize = 8;
const MOST_PLACES: usize = 4;

/// Largest change in one of them \[rad\].
const LARGEST: f64 = 0.25 * SIDE_ANGLE;

/// Change below which a turn has been found \[rad\].
const SMALLEST: f64 = 1e-13;

/// Change where the energy has no minimum nearby \[rad\].
const DOWNHILL: f64 = 0.125 * SIDE_ANGLE;

/// Torque that a turn by this change releases, over the one that counts as none, below which the energy is level.
const LEVEL: f64 = 1e3;

/// Resistance against turns in space, over load and radius.
const RESISTANCE: f64 = 1e-3;

/// Sine of the angle between the axis and the direction of the other body up to which no side faces that, and from twice
/// of which on one does.
const UPRIGHT: f64 = 0.05;

/// Square of the cosine of the angle between a side and a patch up to which it does not face the other body, and how much
/// more it is where it does.
const FACING: [f64; 2] = [0.25, 0.5];

/// Sine of the angle between the axis and the normal of an end.
const FLAT: f64 = 1e-6;

/// Part of the load that a side carries which touches along a line.
const MOST_OF_LOAD: f64 = 0.5;

const NO_VECTOR: Vec3 = Vec3::new(0.0, 0.0, 0.0);

/// Part of the slope at which a direction begins that may be left where it ends.
const LEFT: f64 = 0.3;

/// The line in the middle of a side that touches, by the plane through it and the axis.
#[derive(Debug, Clone, Copy)]
pub struct SideLine {
    /// Unit normal of the plane, in W.
    pub across: Vec3,
    /// A point of it in W \[m\].
    pub through: Vec3,
}

/// How the energy of two bodies depends on their turns; a body that does not turn has zeros.
struct Energy {
    /// First derivatives \[N m\].
    first: [f64; 2],
    /// Second derivatives: of A, of both, of B \[N m\].
    second: [f64; 3],
    /// Torque that counts as none \[N m\].
    none: f64,
}

impl Energy {
    /// Whether no torque acts about the axes.
    fn is_at_rest(&self) -> bool {
        self.first.iter().all(|slope| slope.abs() <= self.none)
    }

    /// A step of Newton's method towards less energy \[rad\]; none where there is a minimum.
    fn step_downhill(&self) -> Option<[f64; 2]> {
        let [k_aa, k_ab, k_bb] = self.second;
        // Principal directions of the second derivatives.
        let angle = 0.5 * elementary::atan2(2.0 * k_ab, k_aa - k_bb);
        let (sin, cos) = elementary::sin_cos(angle);
        let mut total = [0.0; 2];
        for [x, y] in [[cos, sin], [-sin, cos]] {
            let slope = x * self.first[0] + y * self.first[1];
            let curvature = x * x * k_aa + 2.0 * x * y * k_ab + y * y * k_bb;
            let is_level = slope.abs() <= self.none;
            let step = if curvature > 0.0 && !is_level {
                -slope / curvature
            } else if curvature * DOWNHILL < -LEVEL * self.none || !is_level {
                -DOWNHILL.copysign(slope)
            } else {
                continue;
            };
            total = [total[0] + x * step, total[1] + y * step];
        }
        let largest = total[0].abs().max(total[1].abs());
        (largest > SMALLEST).then(|| total.map(|x| x * (LARGEST / largest).min(1.0)))
    }
}

impl Patch {
    /// Turns round bodies, whose polygons with their sides where they are have been found, so that they store as little
    /// energy as possible. Where no torque acts about the axes, as on a plane, they stay: deep in it the least energy may lie
    /// to both sides, and the way there has no bounded slope. Returns whether the bodies press on each other.
    pub(super) fn turn(&mut self, mut bodies: [PatchBody<'_>; 2], scratch: &mut PatchScratch) -> bool {
        let Some(radius) = self.greatest_radius(&bodies) else { return true };
        let at = self.energy_by_turns(radius);
        if at.is_at_rest() {
            return true;
        }
        let start = bodies;
        let touching = touching(&bodies);
        for (k, point) in [touching.point_a, touching.point_b].iter().enumerate() {
            bodies[k].face(point);
        }
        if !self.intersect_at([&bodies[0], &bodies[1]], scratch) || !self.turn_downhill(radius, &mut bodies, scratch) {
            return false;
        }
        let parts = start.each_ref().map(PatchBody::part_of_turn);
        if parts.iter().all(|part| *part == 1.0) {
            return true;
        }
        (0..2).for_each(|k| bodies[k].turn_back(&start[k], parts[k]));
        self.intersect_at([&bodies[0], &bodies[1]], scratch)
    }

    /// Turns round bodies to less energy until that is the least. Returns whether they press on each other.
    fn turn_downhill(&mut self, radius: f64, bodies: &mut [PatchBody<'_>; 2], scratch: &mut PatchScratch) -> bool {
        let mut at = self.energy_by_turns(radius);
        for _ in 0..MOST_DIRECTIONS {
            let Some(step) = at.step_downhill() else { break };
            let along = |first: &[f64; 2]| step[0] * first[0] + step[1] * first[1];
            let falls = along(&at.first);
            // Parts of the step at which the energy still falls and already rises, and its slopes there.
            let (mut lower, mut upper) = ((0.0, falls), None);
            let (mut part, mut before) = (1.0, 0.0);
            for _ in 0..MOST_PLACES {
                (0..2).for_each(|k| bodies[k].turn_by((part - before) * step[k]));
                if !self.intersect_at([&bodies[0], &bodies[1]], scratch) {
                    return false;
                }
                at = self.energy_by_turns(radius);
                let slope = along(&at.first);
                if slope.abs() <= -LEFT * falls || (slope < 0.0 && upper.is_none()) || falls >= 0.0 {
                    break;
                }
                // The end that stays counts half (the Illinois method).
                if slope < 0.0 {
                    (lower, upper) = ((part, slope), upper.map(|(at, slope)| (at, 0.5 * slope)));
                } else {
                    let lower_slope = if upper.is_none() { lower.1 } else { 0.5 * lower.1 };
                    (lower, upper) = ((lower.0, lower_slope), Some((part, slope)));
                }
                before = part;
                if let Some(upper) = upper {
                    part = lower.0 + (upper.0 - lower.0) * lower.1 / (lower.1 - upper.1);
                }
            }
        }
        true
    }

    /// How much the sides of A and B turn beyond their bodies when A and when B is rotated and displaced, so that the
    /// energy stays the least; none for a body that turns in another way.
    ///
    /// A displacement ξ of B relative to A, and turns φ, change the slopes `∂U/∂φ_k` by `r_k . ξ` and by second
    /// derivatives times φ. A little resistance against turns in space decides where the energy is level.
    pub(super) fn rates_of_turns(&self) -> [Option<[[Vec3; 2]; 2]>; 2] {
        let axes = self.turning();
        if axes.iter().all(Option::is_none) {
            return [None; 2];
        }
        let rises = self.slopes_by_displacement(&axes);
        let [k_aa, k_ab, k_bb] = self.second_derivatives(&axes);
        let load: f64 = self.facets().iter().map(|facet| facet.load).sum();
        let held = axes.map(|axis| axis.map_or(1.0, |round| RESISTANCE * load * round.radius));
        let (m_aa, m_bb) = (k_aa + held[0], k_bb + held[1]);
        let determinant = m_aa * m_bb - k_ab * k_ab;
        let is_least = m_aa > 0.0 && determinant > 0.0;
        let inverse = [[m_bb, -k_ab], [-k_ab, m_aa]].map(|row| row.map(|value| value / determinant));
        [0, 1].map(|side| {
            let own = axes[side]?.axis;
            let mut rates = [[NO_VECTOR; 2]; 2];
            if !is_least {
                rates[side][0] = -own;
                return Some(rates);
            }
            for (k, round) in axes.iter().enumerate() {
                let Some(round) = round else { continue };
                let part = inverse[side][k];
                for (moved, sign) in [(0, -1.0), (1, 1.0)] {
                    (0..2).for_each(|row| rates[moved][row] -= sign * part * rises[k][row]);
                }
                rates[k][0] -= part * held[k] * round.axis;
            }
            Some(rates)
        })
    }

    /// How much the surfaces of round A and B turn beyond their bodies per rotation of A and of B; none for a body that is
    /// not round. Ends do not turn with the sides: what sides carry that face along the normal of the patch counts.
    #[must_use]
    pub fn rates_of_surfaces(&self) -> [Option<[Vec3; 2]>; 2] {
        [0, 1].map(|side| {
            let round = self.axes()[side]?;
            let share = self.share_of_sides(side, &round);
            let mut rates = round.rates(side).map(|rate| share * rate);
            rates[side] -= (1.0 - share) * round.axis;
            Some(rates)
        })
    }

    /// Lines along which the sides of A and of B touch the other body; none for a body that is not round, or touches it
    /// with an end or a rim.
    #[must_use]
    pub fn lines_of_sides(&self) -> [Option<SideLine>; 2] {
        [0, 1].map(|side| {
            let round = self.axes()[side].filter(|round| self.share_of_sides(side, round) > MOST_OF_LOAD)?;
            let across = round.axis.cross(&round.toward).try_normalize(UPRIGHT)?;
            Some(SideLine { across, through: self.origin() + round.through })
        })
    }

    /// Part of the load that sides of a round body carry that face along the normal of the patch.
    fn share_of_sides(&self, side: usize, round: &RoundAxis) -> f64 {
        let (mut all, mut of_sides) = (0.0, 0.0);
        for facet in self.facets() {
            let g = if side == 0 { facet.of_a.g } else { facet.g_b };
            all += facet.load;
            if g.cross(&round.axis).norm() > FLAT * g.norm() {
                of_sides += facet.load * progress(FACING, g.dot(&self.normal()).powi(2) / g.norm_squared());
            }
        }
        if all > 0.0 { of_sides / all } else { 0.0 }
    }

    /// The largest radius of bodies that turn to the least energy \[m\]; none if there is none.
    fn greatest_radius(&self, bodies: &[PatchBody<'_>; 2]) -> Option<f64> {
        let radii = self.turning().into_iter().zip(bodies).filter_map(|(axis, body)| axis.map(|_| body.radius()));
        radii.reduce(f64::max)
    }

    /// `∂U/∂φ` is minus the torque on a body about its axis.
    fn energy_by_turns(&self, radius: f64) -> Energy {
        let axes = self.turning();
        let (mut first, mut load) = ([0.0; 2], 0.0);
        for facet in self.facets() {
            load += facet.load;
            for ((slope, round), sign) in first.iter_mut().zip(&axes).zip([1.0, -1.0]) {
                if let Some(round) = round {
                    let torque = round.axis.dot(&(facet.center - round.through).cross(&facet.n));
                    *slope += sign * facet.load * torque;
                }
            }
        }
        Energy { first, second: self.second_derivatives(&axes), none: NO_TORQUE * load * radius }
    }

    /// Second derivatives of the energy by the turns: of A, of both, of B. By [`super`], a turn `t_k` about an axis
    /// changes the fields by `-w . t_k`, so that these are `∓Σ ∫ (w_i . t_k)(w_j . t_l) dA / |g_j - g_i|`.
    fn second_derivatives(&self, axes: &[Option<RoundAxis>; 2]) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for facet in self.facets() {
            let areas = self.areas(facet);
            let [w_a, w_b] = [facet.of_a.g, facet.g_b].map(|g| axes.map(|axis| axis.map(|axis| change(&g, &axis))));
            let product = |i: Option<Linear>, j: Option<Linear>| match (i, j) {
                (Some(i), Some(j)) => areas.product(&i, &j),
                _ => 0.0,
            };
            sums[0] -= product(w_a[0], w_b[0]);
            sums[1] += product(w_a[0], w_b[1]);
            sums[2] -= product(w_a[1], w_b[1]);
        }
        sums
    }

    /// How the slopes of A and of B change with a rotation, and with a displacement, of B relative to A:
    /// `r_A = Σ ∫ (w_i . t_A) w_j dA / |g_j - g_i|`, and the opposite with A and B exchanged.
    fn slopes_by_displacement(&self, axes: &[Option<RoundAxis>; 2]) -> [[Vec3; 2]; 2] {
        let mut rises = [[NO_VECTOR; 2]; 2];
        for facet in self.facets() {
            let areas = self.areas(facet);
            let (g_a, g_b) = (facet.of_a.g, facet.g_b);
            for (k, own, other, sign) in [(0, g_a, g_b, 1.0), (1, g_b, g_a, -1.0)] {
                if let Some(round) = &axes[k] {
                    let (sum, moment) = areas.moments(&change(&own, round));
                    rises[k][0] += sign * moment.cross(&other);
                    rises[k][1] += sign * sum * other;
                }
            }
        }
        rises
    }

    fn areas(&self, facet: &Facet) -> Weights {
        let mut areas = Weights::NONE;
        self.for_each_area(facet, |x, area| areas.add(x, area / facet.h));
        areas
    }
}

impl RoundAxis {
    /// A side faces the other body in a direction that moves with that. How much the sides turn about the axis beyond the
    /// body itself per rotation of A and of B, for the round body `side`.
    pub(super) fn rates(&self, side: usize) -> [Vec3; 2] {
        let along = self.axis.dot(&self.toward);
        let across = self.toward - along * self.axis;
        let length = across.norm();
        let mut rates = [NO_VECTOR; 2];
        rates[side] = -self.axis;
        if length > UPRIGHT {
            let facing = across / length;
            let part = progress([UPRIGHT, UPRIGHT], length) / length;
            rates[side] += part * along * facing;
            rates[1 - side] = part * self.toward.cross(&self.axis.cross(&facing));
        }
        rates
    }
}

/// `w . t` of a field with gradient g for a turn about an axis: `a . ((x - c) × g)`.
fn change(g: &Vec3, RoundAxis { axis, through, .. }: &RoundAxis) -> Linear {
    Linear { g: g.cross(axis), c: -axis.dot(&through.cross(g)) }
}

/// Where the shapes of two bodies touch.
fn touching([a, b]: &[PatchBody<'_>; 2]) -> Contact {
    distance(a.shape.sharp(), &a.x_ws, b.shape.sharp(), &b.x_ws, &mut PairCache::default())
}

impl PatchBody<'_> {
    /// Whether it is round, one of its sides faces the other body, and it touches that in one patch: pieces of a ground or
    /// a ring share what they press. An end that lies on something presses alike however the sides are turned.
    pub(super) fn can_turn(&self, other: &Self) -> bool {
        let is_whole = match other.form {
            PatchForm::Polyhedron(other) => other.walls().is_empty(),
            PatchForm::Frustum { .. } => true,
            PatchForm::Sector { .. } => false,
        };
        is_whole && matches!(self.form, PatchForm::Frustum { .. }) && self.part_of_turn() > 0.0
    }

    /// Part of a turn that a body makes: none if it stands upright on the other one, all of it if a side faces that.
    fn part_of_turn(&self) -> f64 {
        match self.form {
            PatchForm::Frustum { frustum, toward } => progress([UPRIGHT, UPRIGHT], frustum.across_axis(&toward).norm()),
            _ => 1.0,
        }
    }

    /// Whether the shapes do not touch: polygons reach beyond their circles.
    pub(super) fn is_apart_from(&self, other: &Self) -> bool {
        let apart =
            separation(self.shape.sharp(), &self.x_ws, other.shape.sharp(), &other.x_ws, &mut PairCache::default());
        apart.is_some_and(|at| at.distance >= 0.0)
    }

    /// Takes a part of its turn from where it was before.
    fn turn_back(&mut self, before: &Self, part: f64) {
        if let (PatchForm::Frustum { frustum, toward }, PatchForm::Frustum { toward: start, .. }) =
            (&mut self.form, &before.form)
        {
            *toward = frustum.turned(start, part * frustum.turn_between(start, toward));
        }
    }

    /// Turns a side of a round body towards a point of its surface in W \[m\].
    fn face(&mut self, point: &Vec3) {
        if let PatchForm::Frustum { frustum, toward } = &mut self.form {
            *toward = frustum.facing(&self.x_ws.inverse().transform(point), toward);
        }
    }

    /// Turns the sides by an angle \[rad\].
    fn turn_by(&mut self, angle: f64) {
        if let PatchForm::Frustum { frustum, toward } = &mut self.form {
            *toward = frustum.turned(toward, angle);
        }
    }
}
