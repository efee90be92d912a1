//! What touches at one instant: the points at which rigid shapes meet, and what hinges may hold there.

use crate::contact::hinge::{Support, SupportPoint, find_supports, open_end};
use crate::contact::{ContactMaterial, PairDistance, PairId};
use crate::dynamics::{TouchingPoints, pair_rooms, touching_normals, touching_points};
use crate::impact::PointLaw;
use crate::math::{Vec3, tangents};
use crate::simulation::run::Simulation;
use crate::spatial::{BodyMotion, NodeOrdinal};
use crate::topology::Topology;

/// Fraction of the thinner shape's half thickness below which shapes touch.
const TOUCHING: f64 = 1e-9;

/// The same for shapes that hinges hold.
pub(super) const TOUCHING_HINGES: f64 = 1e-7;

/// Gap of the closest support, relative to the half thickness of the thinner shape, above which a pair has met at a point
/// that is no support of hinges.
const MISSED: f64 = 1e-5;

/// How much larger gaps may be that are none where motions are given: tables have fewer digits.
const PLAY_OF_TABLES: f64 = 1e3;

/// The same of approach velocities, over the relative tolerance, and its bounds.
const APPROACH_OF_TABLES: f64 = 1e9;
const BOUNDS_OF_TABLES: [f64; 2] = [10.0, 1e5];

/// Approach velocity from which on such shapes are stopped by an impulse, relative to the scale of velocity and to that
/// of a fall by the half thickness of the thinner shape: faster than rounding errors.
const STOPPED: f64 = 1e-8;

/// Directions at a point: its normal and two tangents.
pub(super) const DIRECTIONS: usize = 3;

/// A point at which two rigid shapes touch.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// Pair among those that touch.
    pub pair: usize,
    pub nodes: [NodeOrdinal; 2],
    /// Position in W \[m\].
    pub p: Vec3,
    pub axes: [Vec3; DIRECTIONS],
    pub law: PointLaw,
    /// Velocity of B relative to A along the axes \[m/s\].
    pub velocity: [f64; DIRECTIONS],
    /// What a hinge may hold there.
    pub support: Option<(Support, SupportPoint)>,
}

/// Everything that touches at one instant.
#[derive(Debug, Clone, Default)]
pub(super) struct Touch {
    pub pairs: Vec<PairId>,
    /// Whether a pair already is on the elastic law.
    pub rests: Vec<bool>,
    pub points: Vec<Point>,
    /// Pairs that touch with what hinges do not hold.
    unsupported: Vec<PairId>,
    /// Supports that are about to touch or have just parted, with their pairs.
    pub near: Vec<(PairId, Support)>,
    /// Approach velocity \[m/s\] from which on impulses stop what hinges may hold.
    pub stopped: f64,
    /// Velocity \[m/s\] above which a point parts: that of a fall by the gap at which shapes touch.
    parting: f64,
    /// Whether all are pressed on each other although nothing collides.
    pub is_pressed: bool,
}

impl Touch {
    /// Velocity \[m/s\] above which a point parts.
    pub(super) fn parting(&self) -> f64 {
        self.parting.max(self.stopped)
    }

    /// Whether a hinge may hold a point that approaches or parts so slowly that nothing comes back.
    pub(super) fn rattles(&self, i: usize) -> bool {
        let point = &self.points[i];
        !self.is_pressed && point.support.is_some() && point.velocity[0].abs() <= point.law.rest_speed
    }

    /// Whether a point begins an impact.
    pub(super) fn strikes(&self, i: usize) -> bool {
        let point = &self.points[i];
        let least = if point.support.is_some() { self.stopped } else { point.law.rest_speed };
        -point.velocity[0] > least && !self.rests[point.pair]
    }
}

impl Simulation {
    /// How many times the usual size approach velocities may have that hinges take for none.
    fn approach_of_hinges(&self) -> f64 {
        let [least, most] = BOUNDS_OF_TABLES;
        let of_tables = (APPROACH_OF_TABLES * self.model.options.relative_tolerance).clamp(least, most);
        if self.model.scene.follows_references { of_tables } else { 1.0 }
    }

    /// How many times the usual size gaps may have that hinges take for none.
    pub(super) fn play_of_hinges(&self) -> f64 {
        if self.model.scene.follows_references { PLAY_OF_TABLES } else { 1.0 }
    }

    /// Points at which rigid shapes touch at the present point. Pairs that hinges cannot hold as they touch rest on the
    /// elastic law from now on. A pair that has `met` may be apart by some digits.
    pub(super) fn touch(&mut self, met: Option<PairId>) -> Touch {
        let touch = self.touch_as_known(met);
        let why = "hinges hold rims on faces only, and no round sides along each other";
        if self.rest_elastically(&touch.unsupported, self.point.t, why) { self.touch_as_known(met) } else { touch }
    }

    fn touch_as_known(&mut self, met: Option<PairId>) -> Touch {
        self.place_bodies();
        let widest = met.map_or(0.0, |pair| self.allowed_depth(pair));
        let (play, approach) = (self.play_of_hinges(), self.approach_of_hinges());
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let near = self.segment.evaluator.contacts.measure(topology, bodies);
        let mut touch = Touch { stopped: approach * STOPPED * topology.scales.velocity(), ..Touch::default() };
        for &at in near {
            let [a, b] = [at.pair.a, at.pair.b].map(|shape| topology.shapes[shape as usize].thickness);
            let yielded = self.contacts.yielded.iter().find(|(pair, _)| *pair == at.pair);
            // All tolerances follow from the thickness.
            let thickness = a.min(b).max(yielded.map_or(0.0, |(_, gap)| gap / TOUCHING_HINGES));
            let has_met = met == Some(at.pair) && at.dist <= widest;
            if at.dist > TOUCHING.max(play * TOUCHING_HINGES) * thickness && !has_met {
                continue;
            }
            let law = topology.contact_law(at.pair).ok().and_then(|law| Some((law.impact_speed()?, law)));
            let Some((rest_speed, law)) =
                law.filter(|(_, law)| law.is_hinged() || at.dist <= TOUCHING * thickness || has_met)
            else {
                continue;
            };
            let is_hinged = law.is_hinged();
            touch.stopped = touch.stopped.max(approach * STOPPED * fall(topology, bodies, at.pair, thickness));
            let slow = fall(topology, bodies, at.pair, TOUCHING * thickness);
            touch.parting = touch.parting.max(slow);
            let nodes = [at.pair.a, at.pair.b].map(|shape| topology.shapes[shape as usize].node);
            let is_active = self.contacts.set.find(at.pair).is_some();
            let rests = is_active || topology.resting_elastically().binary_search(&at.pair).is_ok();
            let supports = is_active && nodes.iter().any(|&node| topology.is_prescribed(node));
            let rest_speed = if is_hinged { rest_speed.max(slow) } else { rest_speed };
            let law = PointLaw { supports, ..point_law(&law, rest_speed, touch.pairs.len()) };
            touch.rests.push(rests);
            touch.pairs.push(at.pair);
            let point = |p: Vec3, normal: Vec3, support| {
                let [t, u] = tangents(&normal);
                let [a, b] = nodes.map(|node| bodies[node].v + bodies[node].w.cross(&(p - bodies[node].p)));
                let axes = [normal, t, u];
                let velocity = axes.map(|axis| axis.dot(&(b - a)));
                Point { pair: law.pair, nodes, p, axes, law, velocity, support }
            };
            let held = if is_hinged { held_places(topology, bodies, &at, thickness, has_met) } else { None };
            let Some(placed) = held else {
                // What hinges cannot hold collides all the same.
                if is_hinged && (rests || at.delta_dot <= rest_speed) {
                    touch.unsupported.push(at.pair);
                    continue;
                }
                let TouchingPoints { normal, points } = touching_points(topology, bodies, at.pair);
                touch.points.extend(points.into_iter().map(|p| point(p, normal, None)));
                continue;
            };
            let [a, b] = pair_rooms(topology, bodies, at.pair);
            let closest = closest(&placed);
            let least = if has_met { closest.max(0.0) } else { 0.0 };
            for (mut support, place) in placed {
                // A flat end that lies on something may be a little askew.
                let open = least + (play * TOUCHING_HINGES * thickness).max(open_end([&a, &b], &support, thickness));
                if place.gap > open {
                    touch.near.push((at.pair, support));
                    continue;
                }
                support.offset = place.gap;
                touch.points.push(point(place.point, place.normal, Some((support, place))));
            }
        }
        touch
    }
}

/// Where hinges may hold a pair; none if they cannot hold it as it touches.
fn held_places(
    topology: &Topology,
    bodies: &[BodyMotion],
    at: &PairDistance,
    thickness: f64,
    has_met: bool,
) -> Option<Vec<(Support, SupportPoint)>> {
    let (normals, middle) = touching_normals(topology, bodies, at.pair);
    let [a, b] = pair_rooms(topology, bodies, at.pair);
    let find = |normal: &Vec3| find_supports([&a, &b], normal, &middle, [thickness, at.dist.abs()]);
    let found = normals.each_ref().map(find);
    if found.contains(&None) && found.iter().flatten().all(Vec::is_empty) {
        return None;
    }
    let supports = found.into_iter().flatten().find(|supports| !supports.is_empty()).unwrap_or_default();
    let placed = |support: Support| Some((support, support.at([a.body, b.body])?));
    let placed: Vec<(Support, SupportPoint)> = supports.into_iter().filter_map(placed).collect();
    let is_missed = has_met && closest(&placed) > at.dist.max(0.0) + MISSED * thickness;
    (!is_missed).then_some(placed)
}

/// Smallest gap \[m\].
fn closest(placed: &[(Support, SupportPoint)]) -> f64 {
    placed.iter().map(|(_, place)| place.gap).fold(f64::INFINITY, f64::min)
}

fn point_law(law: &ContactMaterial, rest_speed: f64, pair: usize) -> PointLaw {
    let of_pair = &law.pair;
    PointLaw { pair, cor: of_pair.cor, mu: of_pair.mu_k, restitution: of_pair.restitution, rest_speed, supports: false }
}

/// Speed after a fall of a pair by a height \[m/s\].
fn fall(topology: &Topology, bodies: &[BodyMotion], pair: PairId, height: f64) -> f64 {
    let node = topology.shapes[pair.a as usize].node;
    (2.0 * topology.gravity.acceleration(&bodies[node].p).norm() * height).sqrt()
}
