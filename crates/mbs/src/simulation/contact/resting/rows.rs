//! The equations of everything that touches, as a dense problem: what forces do to accelerations.

use crate::contact::PairId;
use crate::contact::hinge::{
    Carriers, Friction, FrictionMode, Hinge, MOST_SUPPORTS, Planar, Pressure, Rolling, Softness, Support, SupportPoint,
    norm,
};
use crate::dynamics::{Six, SparseImpulse, TiePoint, pair_rooms, thickness};
use crate::linalg::Dense;
use crate::math::{Vec3, tangents};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::spatial::{NodeOrdinal, Wrench};
use crate::topology::Topology;

use super::super::mobility::{Responses, clusters};
use super::super::touch::Touch;

/// Rows of friction of a pair: two tangential ones, and the spin.
pub(super) const PLANAR: usize = 3;

/// Speed of sliding that counts as none, relative to that of a fall by the half thickness of the thinner shape with the
/// greatest acceleration, and to the scale of velocity.
const LEAST_SLIP: f64 = 1e-6;

/// Factor by which that speed is larger in inverse dynamics, over the relative tolerance, and its bounds: motions of
/// tables contradict each other by the digits that they lack.
const SLIP_OF_TABLES: f64 = 1e8;
const BOUNDS_OF_TABLES: [f64; 2] = [10.0, 1e4];

/// A pair of shapes that touch, and may be held by a hinge.
#[derive(Clone)]
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
    /// Rates of the gaps of its supports \[m/s\].
    pub rates: Vec<f64>,
    /// Sliding and spin about the middle \[m/s, m/s, rad/s\].
    pub slip: Planar,
    /// Places of the points in the plane of contact, relative to the middle \[m\].
    pub places: Vec<[f64; 2]>,
    /// Number of its first support among those of all pairs.
    pub first: usize,
    /// The mobility that stands for those of everything it touches through others: the geometric mean \[1/kg\].
    pub mobility: f64,
}

impl TouchingPair {
    /// Numbers of its supports.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.supports.len()
    }

    /// Speed of sliding and spinning about the middle \[m/s\].
    pub fn speed(&self) -> f64 {
        norm(&[self.slip[0], self.slip[1], self.friction.radius * self.slip[2]])
    }

    /// Whether there is friction and it slides so slowly that it counts as none.
    pub fn hardly_slides(&self) -> bool {
        self.friction.mu > 0.0 && self.speed() <= self.friction.least
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

/// What a hinge is made of.
pub(super) struct Member {
    /// Supports of the pair that press, and the parts of the carriers' gaps in theirs.
    pub pressing: Vec<usize>,
    pub parts: Vec<[f64; MOST_SUPPORTS]>,
    /// Rows of the carriers.
    pub carriers: Vec<usize>,
    /// Middle of the supports of the hinge among the places of the pair \[m\].
    pub middle: [f64; 2],
}

/// The same equations as [`Rows`], before it is known how velocities answer.
struct UnitForces {
    /// A unit force of every row, on both bodies about their origins.
    wrenches: Vec<[(NodeOrdinal, Wrench); 2]>,
    free: Vec<f64>,
    supports: usize,
    rolling: Vec<Option<usize>>,
}

/// The equations of pairs that have to do with each other: rows are the normal directions of all supports, then the
/// friction of all pairs, then the resistance of pairs that roll, as the torque per normal force.
pub(super) struct Rows {
    pub mobility: Dense,
    /// Generalised impulses of unit impulses.
    pub impulses: Vec<SparseImpulse>,
    /// Accelerations without forces of contacts.
    pub free: Vec<f64>,
    /// Number of supports.
    pub supports: usize,
    /// Row of the resistance of every pair that rolls.
    pub rolling: Vec<Option<usize>>,
}

impl Rows {
    /// First row of the friction of a pair.
    pub fn friction(&self, pair: usize) -> usize {
        self.supports + PLANAR * pair
    }
}

impl Simulation {
    /// Pairs that touch and do not part by more than a velocity \[m/s\] or the usual one, with all equations
    /// at the present point, by what has to do with each other.
    pub(super) fn touching_rows(&mut self, parting: f64) -> Result<Vec<(Vec<TouchingPair>, Rows)>, SimulationError> {
        let touch = self.touch(None);
        let pairs = self.touching_pairs(&touch, touch.parting().max(parting));
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        self.consistent_derivatives()?;
        self.place_bodies();
        let clusters = clusters(&self.segment.topology, pairs.iter().map(|pair| pair.nodes));
        let mut pairs: Vec<Option<TouchingPair>> = pairs.into_iter().map(Some).collect();
        let of_cluster = |cluster: Vec<usize>| {
            let own = cluster.into_iter().filter_map(|p| pairs[p].take()).collect();
            self.unit_forces(own)
        };
        let all: Vec<(Vec<TouchingPair>, UnitForces)> = clusters.into_iter().map(of_cluster).collect();
        // Bodies have no accelerations from here on.
        self.factor_masses_at_rest()?;
        let (topology, evaluator) = (&self.segment.topology, &mut self.segment.evaluator);
        let mut responses = Responses::new(topology);
        let with_mobility = |(mut pairs, unit): (Vec<TouchingPair>, UnitForces)| {
            let UnitForces { wrenches, free, supports, rolling } = unit;
            let impulses = evaluator.sparse_impulses(topology, wrenches);
            let mobility = responses.mobility(evaluator, topology, &impulses);
            let of_supports = (0..supports).map(|i| mobility.at(i, i)).filter(|own| *own > 0.0);
            let mean = geometric_mean(of_supports).unwrap_or(1.0);
            pairs.iter_mut().for_each(|pair| pair.mobility = mean);
            (pairs, Rows { mobility, impulses, free, supports, rolling })
        };
        Ok(all.into_iter().map(with_mobility).collect())
    }

    /// Unit forces in all directions of pairs that have to do with each other, and the accelerations without them.
    fn unit_forces(&self, mut pairs: Vec<TouchingPair>) -> (Vec<TouchingPair>, UnitForces) {
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let (mut normal, mut friction) = (Vec::new(), Vec::new());
        let (mut free, mut free_friction) = (Vec::new(), Vec::new());
        let (mut resistance, mut rolls) = (Vec::new(), Vec::new());
        let mut first = 0;
        for own in &mut pairs {
            let rooms = pair_rooms(topology, bodies, own.pair);
            let sides = [rooms[0].body, rooms[1].body];
            own.first = first;
            first += own.supports.len();
            let (all, plane) = ((0..own.supports.len()).collect::<Vec<_>>(), tangents(&own.normal()));
            let place = |point: &SupportPoint| plane.map(|tangent| tangent.dot(&(point.point - own.points[0].point)));
            own.places = own.points.iter().map(place).collect();
            let (hinge, _) = own.hinge(&all, FrictionMode::Absent, 0.0);
            let tie = TiePoint::new(&hinge, true, sides, 1.0);
            own.places.clear();
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
            resist_rolling(own, topology);
            let (torque, _) = own.friction.rolling.resist(&(sides[1].w - sides[0].w), &own.normal());
            rolls.push(torque != Vec3::zeros());
            if torque != Vec3::zeros() {
                let [on_a, on_b] = own.nodes;
                let turning = |n: Vec3| Wrench { n, f: Vec3::zeros() };
                resistance.push([(on_b, turning(torque)), (on_a, turning(-torque))]);
            }
            for row in 0..PLANAR {
                let mut unit = Six::zeros();
                unit[row] = 1.0;
                let [on_a, on_b] = own.nodes;
                friction.push([(on_b, tie.wrench_on_leaf(&unit)), (on_a, tie.wrench_on_body(&unit))]);
                free_friction.push(tie.acceleration()[row]);
            }
        }
        let [least, most] = BOUNDS_OF_TABLES;
        let of_tables = (SLIP_OF_TABLES * self.model.options.relative_tolerance).clamp(least, most);
        let slip_of_tables = if self.model.scene.follows_references { of_tables } else { 1.0 };
        let greatest = free.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
        for own in &mut pairs {
            let fall = (2.0 * greatest * thickness(topology, own.pair)).sqrt();
            own.friction.least = slip_of_tables * own.friction.least.max(LEAST_SLIP * fall);
        }
        let supports = normal.len();
        normal.extend(friction);
        free.extend(free_friction);
        let rolling = number_rolling(&rolls, normal.len());
        free.resize(normal.len() + resistance.len(), 0.0);
        normal.extend(resistance);
        (pairs, UnitForces { wrenches: normal, free, supports, rolling })
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
                        rolling: Rolling::default(),
                    },
                    rates: Vec::new(),
                    slip: [0.0; 3],
                    places: Vec::new(),
                    first: 0,
                    mobility: 1.0,
                });
            }
            let Some(last) = pairs.last_mut() else { continue };
            if point.velocity[0] > parting {
                last.parting.push(support);
            } else {
                last.supports.push(support);
                last.points.push(place);
                last.rates.push(point.velocity[0]);
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
    /// The hinge of which some supports press, with the softness of one of them \[m/(N s)\], and what it is made of.
    pub fn hinge(&self, pressing: &[usize], mode: FrictionMode, softness: f64) -> (Hinge, Member) {
        let is_plane = Carriers::among(&self.places, pressing).len() == MOST_SUPPORTS;
        // A plane holds all that lies in it.
        let own: Vec<usize> = if is_plane { (0..self.supports.len()).collect() } else { pressing.to_vec() };
        let places: Vec<[f64; 2]> = own.iter().map(|&k| self.places[k]).collect();
        let among: Vec<usize> = (0..own.len()).filter(|&k| pressing.contains(&own[k])).collect();
        let carriers = Carriers::among(&places, &among);
        let sum = |k: usize| carriers.ordinals().zip(carriers.middle).map(|(c, part)| part * places[c][k]).sum();
        let member = Member {
            pressing: pressing.to_vec(),
            parts: among.iter().map(|&k| carriers.parts(&places, &places[k])).collect(),
            carriers: carriers.ordinals().map(|k| self.first + own[k]).collect(),
            middle: [sum(0), sum(1)],
        };
        let idle = (0..self.supports.len()).filter(|k| !own.contains(k)).map(|k| self.supports[k]);
        let hinge = Hinge {
            pair: self.pair,
            supports: own.iter().map(|&k| self.supports[k]).collect(),
            softness: Softness::new(softness, &carriers, &places, &among),
            carriers,
            independent: [true; PLANAR + MOST_SUPPORTS],
            dependences: Vec::new(),
            play: 1.0,
            reference: [0.0; PLANAR + MOST_SUPPORTS],
            slack: 0.0,
            most: f64::MAX,
            idle: idle.chain(self.parting.iter().copied()).collect(),
            flat: [Vec::new(), Vec::new()],
            friction: Friction { mode, ..self.friction.clone() },
        };
        (hinge, member)
    }

    /// Multipliers of a hinge of the pair for normal forces of all its supports, and for efforts about the middle of all
    /// places; `length` is the scale of length \[m\].
    pub fn multipliers(
        &self,
        (hinge, member): (&Hinge, &Member),
        loads: &[f64],
        [f, g, moment]: Planar,
        length: f64,
    ) -> [f64; PLANAR + MOST_SUPPORTS] {
        let mut six = [0.0; PLANAR + MOST_SUPPORTS];
        for (&k, parts) in member.pressing.iter().zip(&member.parts) {
            six[PLANAR..].iter_mut().zip(parts).for_each(|(own, part)| *own += part * loads[k]);
        }
        if hinge.friction.mode != FrictionMode::Absent {
            let [x, y] = member.middle;
            let spin = if self.friction.radius > 0.0 { moment - (x * g - y * f) } else { 0.0 };
            six[..PLANAR].copy_from_slice(&[f * length, g * length, spin]);
        }
        six
    }

    /// Normal from A to B, in W.
    pub fn normal(&self) -> Vec3 {
        self.points.iter().map(|point| point.normal).sum::<Vec3>().normalize()
    }
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += elementary::ln(value);
        count += 1.0;
    }
    (count > 0.0).then(|| elementary::exp(sum / count))
}

/// Rows of the resistance of pairs that roll, from a first one on.
pub(super) fn number_rolling(rolls: &[bool], first: usize) -> Vec<Option<usize>> {
    let number = |next: &mut usize, rolls: &bool| {
        let row = *next;
        *next += usize::from(*rolls);
        Some(rolls.then_some(row))
    };
    rolls.iter().scan(first, number).collect()
}

/// Gives a pair its resistance against rolling, and that against spinning if it touches at one point.
fn resist_rolling(own: &mut TouchingPair, topology: &Topology) {
    let radius = own.supports.iter().filter_map(Support::rolling_radius).reduce(f64::min);
    let (Some(radius), Ok(law)) = (radius, topology.contact_law(own.pair)) else { return };
    own.friction.rolling = Rolling { lever: law.pair.mu_r * radius, w_min: law.pair.w_min };
    if own.friction.radius == 0.0 && own.friction.mu > 0.0 {
        own.friction.radius = law.pair.mu_spin.unwrap_or(law.pair.mu_r) * radius / own.friction.mu;
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
