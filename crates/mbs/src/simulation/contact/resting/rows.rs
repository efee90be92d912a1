//! The equations of everything that touches, as a dense problem: what forces do to accelerations.

use crate::contact::PairId;
use crate::contact::hinge::{
    Friction, FrictionMode, Hinge, MOST_SUPPORTS, Planar, Pressure, Support, SupportPoint, norm,
};
use crate::dynamics::{Six, TiePoint, pair_rooms};
use crate::linalg::Dense;
use crate::math::{Vec3, tangents};
use crate::simulation::error::SimulationError;
use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;
use crate::spatial::{NodeOrdinal, Wrench};

use super::super::impact::Touch;

/// Rows of friction of a pair: two tangential ones, and the spin.
pub(super) const PLANAR: usize = 3;

/// Speed of sliding, relative to the scale of velocity, that counts as none.
const LEAST_SLIP: f64 = 1e-6;

/// A pair of shapes that touch, and may be held by a hinge.
pub(super) struct TouchingPair {
    pub pair: PairId,
    pub nodes: [NodeOrdinal; 2],
    /// Where they touch, in the order round the common polygon.
    pub supports: Vec<Support>,
    pub points: Vec<SupportPoint>,
    /// Where they touch and part.
    pub parting: Vec<Support>,
    /// Friction; its mode is for the balance to decide.
    pub friction: Friction,
    /// Sliding and spin about the middle \[m/s, m/s, rad/s\].
    pub slip: Planar,
    /// Places of the points in the plane of contact, relative to the middle \[m\].
    pub places: Vec<[f64; 2]>,
    /// Number of its first support among those of all pairs.
    pub first: usize,
}

impl TouchingPair {
    /// Numbers of its supports.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.supports.len()
    }

    /// Effort of friction per normal force of a support when it slides in a unit direction.
    pub fn sliding_effort(&self, support: usize, [e, f, spin]: &Planar) -> Planar {
        let ([x, y], mu) = (self.places[support], self.friction.mu);
        [-mu * e, -mu * f, -mu * (x * f - y * e + self.friction.radius * spin)]
    }

    /// Sum of normal forces, their centre, and the sum of their moments.
    pub fn pressure(&self, loads: &[f64]) -> (f64, [f64; 2]) {
        let sum: f64 = loads.iter().sum();
        let moment = |k: usize| loads.iter().zip(&self.places).map(|(load, place)| load * place[k]).sum::<f64>();
        (sum, if sum > 0.0 { [moment(0) / sum, moment(1) / sum] } else { [0.0; 2] })
    }

    /// The pressure as one force in its centre, for the law of friction.
    pub fn resultant(&self, loads: &[f64]) -> Pressure {
        let (sum, center) = self.pressure(loads);
        let mut pressure = Pressure { loads: [0.0; MOST_SUPPORTS], places: [[0.0; 2]; MOST_SUPPORTS] };
        (pressure.loads[0], pressure.places[0]) = (sum, center);
        pressure
    }
}

/// The dense problem: rows are the normal directions of all supports, then the friction of all pairs.
pub(super) struct Rows {
    pub mobility: Dense,
    /// Accelerations without forces of contacts.
    pub free: Vec<f64>,
    /// Number of supports.
    pub supports: usize,
}

impl Rows {
    /// First row of the friction of a pair.
    pub fn friction(&self, pair: usize) -> usize {
        self.supports + PLANAR * pair
    }
}

impl<I: Integrator> Simulation<I> {
    /// Pairs that touch and do not part by more than a velocity \[m/s\], the usual one if it is none, with all equations
    /// at the present point; none where nothing touches.
    pub(super) fn touching_rows(
        &mut self,
        parting: Option<f64>,
    ) -> Result<Option<(Vec<TouchingPair>, Rows)>, SimulationError> {
        let touch = self.touch();
        let mut pairs = self.touching_pairs(&touch, parting.unwrap_or(touch.parting()));
        if pairs.is_empty() {
            return Ok(None);
        }
        self.consistent_derivatives()?;
        self.place_bodies();
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let (mut normal, mut friction) = (Vec::new(), Vec::new());
        let (mut free, mut free_friction) = (Vec::new(), Vec::new());
        let mut first = 0;
        for own in &mut pairs {
            let rooms = pair_rooms(topology, bodies, own.pair);
            let sides = [rooms[0].body, rooms[1].body];
            own.first = first;
            first += own.supports.len();
            let hinge =
                own.hinge(&(0..own.supports.len().min(MOST_SUPPORTS)).collect::<Vec<_>>(), FrictionMode::Absent);
            let tie = TiePoint::new(&hinge, true, sides, 1.0);
            own.slip = tie.slip();
            for point in &own.points {
                let arm = point.point - tie.place();
                own.places.push(tie.tangents.map(|tangent| tangent.dot(&arm)));
                let [a, b] = [0, 1].map(|side| point.point - sides[side].p);
                let f = point.normal;
                let [on_a, on_b] = own.nodes;
                normal.push([(on_b, Wrench { n: b.cross(&f), f }), (on_a, Wrench { n: a.cross(&-f), f: -f })]);
                free.push(point.acceleration(sides));
            }
            own.friction.radius = mean_distance(&own.places);
            for row in 0..PLANAR {
                let mut unit = Six::zeros();
                unit[row] = 1.0;
                let [on_a, on_b] = own.nodes;
                friction.push([(on_b, tie.wrench_on_leaf(&unit)), (on_a, tie.wrench_on_body(&unit))]);
                free_friction.push(tie.acceleration()[row]);
            }
        }
        let supports = normal.len();
        normal.extend(friction);
        free.extend(free_friction);
        self.factor_masses_at_rest()?;
        let evaluator = &mut self.segment.evaluator;
        let topology = &self.segment.topology;
        let jacobian: Vec<Vec<f64>> =
            normal.iter().map(|wrenches| evaluator.generalized_impulse(topology, wrenches)).collect();
        let mobility = self.mobility(&jacobian);
        Ok(Some((pairs, Rows { mobility, free, supports })))
    }

    /// Pairs that hinges may hold, with the supports that do not part.
    fn touching_pairs(&self, touch: &Touch, parting: f64) -> Vec<TouchingPair> {
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let scales = &topology.scales;
        let mut pairs: Vec<TouchingPair> = Vec::new();
        for point in &touch.points {
            let Some((support, place)) = point.support else { continue };
            let pair = touch.pairs[point.pair];
            if point.nodes.iter().all(|&node| topology.is_prescribed(node)) {
                continue;
            }
            if pairs.last().is_none_or(|last| last.pair != pair) {
                let carrier = support.carrier();
                let [tangent, _] = tangents(&place.normal);
                let rooms = pair_rooms(topology, bodies, pair);
                pairs.push(TouchingPair {
                    pair,
                    nodes: point.nodes,
                    supports: Vec::new(),
                    points: Vec::new(),
                    parting: Vec::new(),
                    friction: Friction {
                        mu: point.law.mu,
                        radius: 0.0,
                        least: LEAST_SLIP * scales.velocity(),
                        tangent: rooms[carrier].body.rotation.tr_mul(&tangent),
                        carrier,
                        mode: FrictionMode::Absent,
                    },
                    slip: [0.0; 3],
                    places: Vec::new(),
                    first: 0,
                });
            }
            let Some(last) = pairs.last_mut() else { continue };
            if point.velocity[0] > parting {
                last.parting.push(support);
            } else {
                last.supports.push(support);
                last.points.push(place);
            }
        }
        for pair in &mut pairs {
            let near = touch.near.iter().filter(|(own, _)| *own == pair.pair);
            pair.parting.extend(near.map(|(_, support)| *support));
        }
        pairs.retain(|pair| !pair.supports.is_empty());
        pairs
    }
}

impl TouchingPair {
    /// The hinge with some of the supports.
    pub fn hinge(&self, carrying: &[usize], mode: FrictionMode) -> Hinge {
        Hinge {
            pair: self.pair,
            supports: carrying.iter().map(|&k| self.supports[k]).collect(),
            idle: Vec::new(),
            flat: [Vec::new(), Vec::new()],
            friction: Friction { mode, ..self.friction.clone() },
        }
    }

    /// Normal from A to B, in W.
    pub fn normal(&self) -> Vec3 {
        self.points.iter().map(|point| point.normal).sum::<Vec3>().normalize()
    }
}

/// Mean distance of the points of a convex polygon, of a segment, or of a point from their centre \[m\].
fn mean_distance(corners: &[[f64; 2]]) -> f64 {
    let (mut area, mut moment) = (0.0, [0.0; 2]);
    let fan = || (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]);
    for [a, b, c] in fan() {
        let part = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        area += part;
        (0..2).for_each(|k| moment[k] += part * (a[k] + b[k] + c[k]) / 3.0);
    }
    let longest = corners.iter().flat_map(|a| corners.iter().map(|b| distance(a, b))).fold(0.0, f64::max);
    if area.abs() <= THIN * longest * longest {
        return 0.25 * longest;
    }
    let center = moment.map(|x| x / area);
    // The integral of the distance from a corner over a triangle, exactly for those around the centre.
    let sum: f64 = (0..corners.len())
        .map(|k| {
            let [a, b] = [corners[k], corners[(k + 1) % corners.len()]].map(|x| [x[0] - center[0], x[1] - center[1]]);
            distance_from_corner(&a, &b)
        })
        .sum();
    (sum / area).abs()
}

/// Area over the square of the length below which points lie on a line.
const THIN: f64 = 1e-9;

/// Integral of the distance from the origin over the triangle with two more corners, positive if they are in order.
fn distance_from_corner(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let twice = a[0] * b[1] - a[1] * b[0];
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], distance(a, b));
    if v == 0.0 || twice == 0.0 {
        return 0.0;
    }
    // Along the side, whose distance from the origin is h: h/3 times the integral of the distance.
    let (h, unit) = (twice / v, [u[0] / v, u[1] / v]);
    let along = |x: &[f64; 2]| x[0] * unit[0] + x[1] * unit[1];
    let integral = |s: f64| {
        let r = (s * s + h * h).sqrt();
        0.5 * (s * r + h * h * elementary::ln((s + r).max(f64::MIN_POSITIVE) / h.abs()))
    };
    h / 3.0 * (integral(along(b)) - integral(along(a)))
}

fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    norm(&[a[0] - b[0], a[1] - b[1], 0.0])
}
