//! Forces and geometry of the active contacts at one point, summed over pairs of objects and over objects.

use crate::contact::{ContactSet, PairId};
use crate::dynamics::{ContactResult, HingeResult, PairWork, contact_result};
use crate::math::Vec3;
use crate::scene::ObjectId;
use crate::spatial::{BodyMotion, Wrench};
use crate::topology::Topology;

/// What is known of two objects in contact. A is the object declared first; all vectors are in the world.
///
/// Objects that touch in several places have one resultant: forces are summed, the contact point is their middle
/// weighted with the normal forces, and the torque contains the moments of the single forces about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairResult {
    /// A and B.
    pub objects: [ObjectId; 2],
    /// Sum of the normal forces \[N\], never negative.
    pub f_n: f64,
    /// Friction force on B \[N\].
    pub f_t: Vec3,
    /// Force on B \[N\].
    pub f: Vec3,
    /// Torque on B about the contact point \[N m\]: against rolling and spinning.
    pub t: Vec3,
    /// Penetration \[m\], the largest if there are several.
    pub delta: f64,
    /// Rate of the penetration \[m/s\], positive when approaching.
    pub delta_dot: f64,
    /// Contact point \[m\].
    pub r: Vec3,
    /// Unit normal from A to B.
    pub n: Vec3,
    /// Sliding velocity of B relative to A \[m/s\].
    pub v_t: Vec3,
    /// Whether friction holds, in every place where they touch.
    pub sticks: bool,
    /// Area on which they press on each other \[m²\].
    pub area: f64,
    /// Greatest elastic pressure \[Pa\].
    pub p_max: f64,
    /// Number of supports whose gaps a hinge holds, the largest if there are several.
    pub carriers: usize,
}

impl PairResult {
    /// The result with exchanged roles: the action on A.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let [a, b] = self.objects;
        Self { objects: [b, a], f_t: -self.f_t, f: -self.f, t: -self.t, n: -self.n, v_t: -self.v_t, ..*self }
    }

    fn of(objects: [ObjectId; 2], at: &ContactResult) -> Self {
        let (force, state) = (&at.force, &at.state);
        Self {
            objects,
            f_n: force.f_n,
            f_t: force.f_t,
            f: force.on_b(&state.normal),
            t: force.tau,
            delta: state.delta,
            delta_dot: state.delta_dot,
            r: at.point,
            n: state.normal,
            v_t: state.v_t,
            sticks: at.sticks,
            area: at.area,
            p_max: at.p_max,
            carriers: 0,
        }
    }

    fn of_hinge(objects: [ObjectId; 2], at: &HingeResult) -> Self {
        Self {
            objects,
            f_n: at.load,
            f_t: at.friction,
            f: at.on_b(),
            t: at.torque,
            delta: 0.0,
            delta_dot: 0.0,
            r: at.point,
            n: at.normal,
            v_t: at.sliding,
            sticks: at.sticks,
            area: 0.0,
            p_max: 0.0,
            carriers: at.carriers,
        }
    }

    /// Both contacts of the same two objects as one.
    fn joined(&self, other: &Self) -> Self {
        let deepest = if other.delta > self.delta { other } else { self };
        let f_n = self.f_n + other.f_n;
        let (r, n) = if f_n > 0.0 {
            let mean = |a: Vec3, b: Vec3| (a * self.f_n + b * other.f_n) / f_n;
            (mean(self.r, other.r), mean(self.n, other.n).try_normalize(1e-12).unwrap_or(deepest.n))
        } else {
            (deepest.r, deepest.n)
        };
        let moments = (self.r - r).cross(&self.f) + (other.r - r).cross(&other.f);
        Self {
            f_n,
            f_t: self.f_t + other.f_t,
            f: self.f + other.f,
            t: self.t + other.t + moments,
            r,
            n,
            sticks: self.sticks && other.sticks,
            area: self.area + other.area,
            p_max: self.p_max.max(other.p_max),
            carriers: self.carriers.max(other.carriers),
            ..*deepest
        }
    }
}

/// The resultant of all contacts of an object about its origin, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectResult {
    /// Force \[N\].
    pub f: Vec3,
    /// Torque about the object's origin \[N m\].
    pub t: Vec3,
    /// Number of objects that touch it.
    pub count: usize,
}

impl ObjectResult {
    const NONE: Self = Self { f: Vec3::new(0.0, 0.0, 0.0), t: Vec3::new(0.0, 0.0, 0.0), count: 0 };

    fn add(&mut self, wrench: &Wrench) {
        self.f += wrench.f;
        self.t += wrench.n;
        self.count += 1;
    }
}

/// All contacts at the present point.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct ContactResults {
    /// Sorted by the indices of both objects.
    pairs: Vec<PairResult>,
    /// By index of the object.
    objects: Vec<ObjectResult>,
    /// Whether they belong to the present point.
    pub is_present: bool,
    /// Elastic energy of all contacts at the present point, if it has been asked for \[J\].
    pub energy: Option<f64>,
}

/// Results before the first evaluation.
pub(in crate::simulation) static NO_CONTACTS: ContactResults =
    ContactResults { pairs: Vec::new(), objects: Vec::new(), is_present: false, energy: None };

impl ContactResults {
    /// The present point is another one, or its contacts are.
    pub fn forget(&mut self) {
        (self.is_present, self.energy) = (false, None);
    }

    /// Evaluates the active contacts at a time \[s\] for moved bodies, and takes up what hinges do, by their pairs.
    pub fn update(
        &mut self,
        topology: &Topology,
        t: f64,
        bodies: &[BodyMotion],
        set: &ContactSet,
        hinges: impl Iterator<Item = (PairId, HingeResult)>,
    ) {
        self.sum_up_pairs(topology, t, bodies, set, hinges);
        self.objects.clear();
        self.objects.resize(topology.placements.len(), ObjectResult::NONE);
        for pair in &self.pairs {
            for (object, sign) in pair.objects.into_iter().zip([-1.0, 1.0]) {
                let frame = &topology.placements[object.index()];
                let arm = pair.r - bodies[frame.node].at(&frame.x_bc).p;
                let f = pair.f * sign;
                self.objects[object.index()].add(&Wrench { n: pair.t * sign + arm.cross(&f), f });
            }
        }
        self.is_present = true;
    }

    fn sum_up_pairs(
        &mut self,
        topology: &Topology,
        t: f64,
        bodies: &[BodyMotion],
        set: &ContactSet,
        hinges: impl Iterator<Item = (PairId, HingeResult)>,
    ) {
        let objects = |pair: PairId| [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].object);
        self.pairs.clear();
        let mut work = None;
        for contact in set.active() {
            let work = work.get_or_insert_with(PairWork::default);
            work.forget();
            let result = contact_result(topology, t, bodies, contact, set.active(), work);
            // Inside a step the set still is that of its start, but a pair leaves where its penetration ends.
            if result.state.delta > 0.0 {
                self.pairs.push(PairResult::of(objects(contact.pair), &result));
            }
        }
        self.pairs.extend(hinges.map(|(pair, result)| PairResult::of_hinge(objects(pair), &result)));
        self.pairs.sort_by_key(|pair| key(pair.objects));
        self.pairs.dedup_by(|next, first| {
            let same = next.objects == first.objects;
            if same {
                *first = first.joined(next);
            }
            same
        });
    }

    /// Contact of two objects, in terms of the first one; none if they do not touch.
    pub fn pair(&self, [a, b]: [ObjectId; 2]) -> Option<PairResult> {
        let swapped = a.index() > b.index();
        let wanted = key(if swapped { [b, a] } else { [a, b] });
        let found = self.pairs.binary_search_by_key(&wanted, |pair| key(pair.objects)).ok()?;
        Some(if swapped { self.pairs[found].reversed() } else { self.pairs[found] })
    }

    /// Resultant on an object.
    pub fn object(&self, object: ObjectId) -> ObjectResult {
        self.objects.get(object.index()).copied().unwrap_or(ObjectResult::NONE)
    }
}

fn key(objects: [ObjectId; 2]) -> [usize; 2] {
    objects.map(ObjectId::index)
}
