//! How the sides of round bodies turn.
//!
//! The polygon of a round body turns about the axis to an angle φ that depends on the poses: one of its sides faces the
//! other body ([`Facing`]). With `U(pose, φ(pose))` stored, a displacement ξ changes the energy by
//! `(∂U/∂ξ + ∂U/∂φ ∂φ/∂ξ) . ξ`: the second part is a force and a torque of its own. With them the forces have a
//! potential, and no elastic torque acts about the axis of a round body, which would drive or brake it.

use super::facing::{Turn, TurnRates};
use super::field::{PatchBody, PatchForm, Plane as Linear, RoundAxis};
use super::overlap::Patch;
use super::weights::Weights;
use super::wrench::PatchForce;
use crate::contact::progress::progress;
use crate::math::Vec3;

/// Sine of the angle between the axis and the direction of the other body up to which no side faces that, and from twice
/// of which on one does.
const UPRIGHT: f64 = 0.005;

/// Square of the cosine of the angle between a side and a patch up to which it does not face the other body, and how much
/// more it is where it does.
const FACING: [f64; 2] = [0.25, 0.5];

/// Sine of the angle between the axis and the normal of an end.
const END: f64 = 1e-6;

/// Part of the load that a side carries which touches along a line.
const MOST_OF_LOAD: f64 = 0.5;

const NO_VECTOR: Vec3 = Vec3::new(0.0, 0.0, 0.0);

/// Derivatives of the slopes `∂U/∂φ` of A and of B.
pub(super) struct TurnSlopes {
    /// By both turns \[N m\].
    pub by_turns: [[f64; 2]; 2],
    /// By a rotation \[N m\] and a displacement \[N\] of B relative to A.
    pub by_displacement: [[Vec3; 2]; 2],
}

impl Patch {
    /// Finds how the sides of A and B turn when they move.
    pub(super) fn follow(&mut self, bodies: [&PatchBody<'_>; 2]) {
        self.set_turns([0, 1].map(|side| bodies[side].turn(side, &self.axes()[side]?, &self.origin())));
    }

    /// What turns add to the force on B, where damping takes a force \[N\] along the normal from the elastic pressure, with
    /// the sum of its places times its parts \[N m\].
    pub(super) fn turning_force(&self, taken_at: &Vec3, taken: f64) -> PatchForce {
        let mut force = PatchForce::NONE;
        let (turns, normal) = (self.turns(), self.normal());
        for (k, (slope, sign)) in self.slopes_by_turns().into_iter().zip([1.0, -1.0]).enumerate() {
            if let (Some(round), Some(turn)) = (self.axes()[k], turns[k])
                && let Some([_, [rotation, displacement]]) = turn.driving()
            {
                let left = slope - sign * round.axis.dot(&(taken_at - taken * round.through).cross(&normal));
                force.f -= left * displacement;
                force.tau -= left * rotation;
            }
        }
        force
    }

    /// How much the surfaces of A and of B turn; none for a body that is not round. Ends do not turn with the sides: what
    /// sides carry that face along the normal of the patch counts.
    #[must_use]
    pub fn rates_of_surfaces(&self) -> [Option<TurnRates>; 2] {
        [0, 1].map(|side| {
            let round = self.axes()[side]?;
            let share = self.share_of_sides(side, &round);
            let mut rates = self.turns()[side]?.rates.map(|moved| moved.map(|rate| share * rate));
            rates[side][0] -= (1.0 - share) * round.axis;
            Some(rates)
        })
    }

    /// Axes of A and of B where their sides touch the other body; none for a body that is not round, or touches it with
    /// an end or a rim.
    #[must_use]
    pub fn axes_of_sides(&self) -> [Option<Vec3>; 2] {
        [0, 1].map(|side| {
            let round = self.axes()[side].filter(|round| self.share_of_sides(side, round) > MOST_OF_LOAD)?;
            Some(round.axis)
        })
    }

    /// Part of the load that sides of a round body carry that face along the normal of the patch.
    fn share_of_sides(&self, side: usize, round: &RoundAxis) -> f64 {
        let (mut all, mut of_sides) = (0.0, 0.0);
        for facet in self.facets() {
            let g = if side == 0 { facet.of_a.g } else { facet.g_b };
            all += facet.load;
            if g.cross(&round.axis).norm() > END * g.norm() {
                of_sides += facet.load * progress(FACING, g.dot(&self.normal()).powi(2) / g.norm_squared());
            }
        }
        if all > 0.0 { of_sides / all } else { 0.0 }
    }

    /// `∂U/∂φ`, minus the torque about the axis, of A and of B \[N m\].
    fn slopes_by_turns(&self) -> [f64; 2] {
        let mut slopes = [0.0; 2];
        for facet in self.facets() {
            for ((slope, round), sign) in slopes.iter_mut().zip(self.axes()).zip([1.0, -1.0]) {
                if let Some(round) = round {
                    let torque = round.axis.dot(&(facet.center - round.through).cross(&facet.n));
                    *slope += sign * facet.load * torque;
                }
            }
        }
        slopes
    }

    /// Derivatives of these slopes.
    pub(super) fn changes_of_slopes(&self) -> TurnSlopes {
        let turns = self.turns();
        let axes = [0, 1].map(|k| self.axes()[k].filter(|_| turns[k].is_some_and(|turn| turn.driving().is_some())));
        let mut total = TurnSlopes { by_turns: [[0.0; 2]; 2], by_displacement: [[NO_VECTOR; 2]; 2] };
        for facet in self.facets() {
            let mut areas = Weights::NONE;
            self.for_each_area(facet, |x, area| areas.add(x, area / facet.h));
            let of_bodies = [facet.of_a.g, facet.g_b];
            // Both fields, changed by the turn of one of the bodies.
            let changes = axes.map(|axis| axis.map(|axis| of_bodies.map(|g| change(&g, &axis))));
            for k in 0..2 {
                let Some(own) = &changes[k] else { continue };
                let (sum, moment) = areas.moments(&own[k]);
                let (sign, other) = if k == 0 { (1.0, of_bodies[1]) } else { (-1.0, of_bodies[0]) };
                total.by_displacement[k][0] += sign * moment.cross(&other);
                total.by_displacement[k][1] += sign * sum * other;
                for (l, change) in changes.iter().enumerate() {
                    let Some(change) = change else { continue };
                    let sign = if k == l { -1.0 } else { 1.0 };
                    total.by_turns[k][l] += sign * areas.product(&own[k], &change[1 - k]);
                }
            }
        }
        total
    }
}

impl PatchBody<'_> {
    /// How the sides turn that face the other body, for the body `side`; none if it is not round.
    fn turn(&self, side: usize, round: &RoundAxis, origin: &Vec3) -> Option<Turn> {
        let (facing, is_whole) = match &self.form {
            PatchForm::Polyhedron(_) => return None,
            PatchForm::Frustum { facing, .. } => (facing, true),
            PatchForm::Sector { facing, .. } => (facing, false),
        };
        let along = round.axis.dot(&round.toward);
        let across = round.toward - along * round.axis;
        let length = across.norm();
        let part = progress([UPRIGHT, UPRIGHT], length);
        // Without a direction that they face, they stay with the other body.
        let mut rates = [[NO_VECTOR; 2]; 2];
        rates[side][0] = -round.axis;
        rates[1 - side][0] = (1.0 - part) * round.axis;
        if part > 0.0 {
            let (front, part) = (across / length, part / length);
            rates[side][0] += part * along * front;
            let [own, other] = facing.rates(&self.x_ws, &round.axis.cross(&front), origin);
            for k in 0..2 {
                rates[side][k] += part * own[k];
                rates[1 - side][k] += part * other[k];
            }
        }
        Some(Turn { rates, is_whole })
    }
}

/// `w . t` of a field with gradient g for a turn about an axis: `a . ((x - c) × g)`.
fn change(g: &Vec3, RoundAxis { axis, through, .. }: &RoundAxis) -> Linear {
    Linear { g: g.cross(axis), c: -axis.dot(&through.cross(g)) }
}
