//! Motion of a shape as a whole: its centre, and how far its surface may turn.

use crate::broad_phase::Aabb;
use crate::dynamics::{PairPoint, Separation};
use crate::math::{Pose, Vec3};
use crate::spatial::BodyMotion;
use crate::topology::{CollisionShape, Topology};

/// Speeds inside a step may exceed those at its ends by this factor.
const SPEED_RESERVE: f64 = 1.5;

/// Rounding errors of bounds are smaller than this.
const ROUNDING_MARGIN: f64 = 1.0 + 1e-9;

/// Motion of a shape's centre in W at one time.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct ShapeMotion {
    /// Position of the centre \[m\].
    pub c: Vec3,
    /// Velocity \[m/s\].
    pub v: Vec3,
    /// Acceleration \[m/s²\].
    pub a: Vec3,
    /// Bound of the speed with which turning changes the place of the surface relative to the centre \[m/s\]: turning
    /// about an axis of revolution does not.
    pub turning: f64,
    /// Angular velocity \[rad/s\].
    w: Vec3,
    /// Angular acceleration \[rad/s²\].
    alpha: Vec3,
    /// How far the shape extends around its centre, apart from a sphere around it \[m\]; infinite for a half-space.
    extent: f64,
}

/// Motion of a shape's centre as seen from another shape.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct RelativeShapeMotion {
    /// Velocity \[m/s\].
    pub v: Vec3,
    /// Acceleration \[m/s²\].
    pub a: Vec3,
    /// Upper bound on the approach speed by turning \[m/s\].
    turning: f64,
}

impl ShapeMotion {
    /// The motion of a shape carried by a body.
    pub fn of(shape: &CollisionShape, body: &BodyMotion) -> Self {
        let center = body.at(&Pose { translation: shape.x_bs.transform(&shape.shape.center()), ..Pose::identity() });
        let extent = shape.shape.turning_radius();
        let turning = match shape.shape.axis_of_revolution() {
            Some(axis) => {
                let axis = body.rotation * (shape.x_bs.rotation * axis);
                surface_speed(&(body.w - axis * axis.dot(&body.w)), extent)
            }
            None => surface_speed(&body.w, extent),
        };
        Self { c: center.p, v: center.v, a: center.a, turning, w: body.w, alpha: body.alpha, extent }
    }

    /// Bound of the acceleration of points of the surface relative to the centre by turning \[m/s²\].
    fn turning_acceleration(&self) -> f64 {
        let rate = self.alpha.norm() + self.w.norm_squared();
        if rate == 0.0 { 0.0 } else { rate * self.extent }
    }

    /// Whether the shape is unbounded and turns, so that the velocities of its points are unbounded: only its motion
    /// relative to another shape has bounds.
    pub fn is_unbounded(&self) -> bool {
        self.extent == f64::INFINITY && (self.w != Vec3::zeros() || self.alpha != Vec3::zeros())
    }

    /// Motion of the centre of `other` relative to this shape: relative to its centre or, if this shape is unbounded,
    /// to an observer who turns with it. The surface of an unbounded shape is at rest for that observer, so that only
    /// the position of the other shape matters.
    pub fn motion_of(&self, other: &Self) -> RelativeShapeMotion {
        match [self.is_unbounded(), other.is_unbounded()] {
            [true, false] => self.carries(other),
            [false, true] => {
                let seen = other.carries(self);
                RelativeShapeMotion { v: -seen.v, a: -seen.a, ..seen }
            }
            _ => {
                RelativeShapeMotion { v: other.v - self.v, a: other.a - self.a, turning: self.turning + other.turning }
            }
        }
    }

    /// Motion of the centre of `other` for an observer who turns with this shape.
    fn carries(&self, other: &Self) -> RelativeShapeMotion {
        let r = other.c - self.c;
        let carried = self.w.cross(&r);
        let v = other.v - self.v - carried;
        let a = other.a - self.a - self.alpha.cross(&r) - self.w.cross(&(carried + 2.0 * v));
        RelativeShapeMotion { v, a, turning: surface_speed(&(other.w - self.w), other.extent) }
    }
    /// Upper bound on how far the surface travels in a time `h` \[s\], from the present motion \[m\].
    pub fn travel(&self, h: f64) -> f64 {
        h * (self.v.norm() + self.turning) + 0.5 * h * h * self.a.norm()
    }

    /// Rate \[rad/s\] at which places of the shape change their direction, on a body that turns with `w` \[rad/s\]: a
    /// ball that turns about its own centre has none but that of its path.
    pub fn turning_rate(&self, w: f64) -> f64 {
        if self.turning > 0.0 || w == 0.0 {
            return w;
        }
        let speed = self.v.norm_squared();
        if speed > 0.0 { w.min(self.v.cross(&self.a).norm() / speed) } else { 0.0 }
    }
}

/// Bound of the motion of one shape: the sum of two such bounds is a bound of the [`RelativeStep`] of a pair, at the
/// cost of an addition.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnBounds {
    /// Contribution to [`RelativeStep::travel`] \[m\].
    pub travel: f64,
    /// Contribution to [`RelativeStep::reach`] \[m\].
    pub reach: f64,
}

impl OwnBounds {
    /// The bounds for a step of length `h` \[s\] with the motions at its ends, and a next one of at most `horizon`
    /// \[s\].
    pub fn new(h: f64, horizon: f64, start: &ShapeMotion, end: &ShapeMotion) -> Self {
        if start.is_unbounded() || end.is_unbounded() {
            return Self { travel: f64::INFINITY, reach: f64::INFINITY };
        }
        let speed = start.v.norm().max(end.v.norm()) + start.turning.max(end.turning);
        let next = end.v.norm() + SPEED_RESERVE * (end.turning + 0.5 * horizon * end.a.norm());
        Self { travel: ROUNDING_MARGIN * SPEED_RESERVE * h * speed, reach: ROUNDING_MARGIN * horizon * next }
    }
}

/// Who sees points move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simulation) enum Observer {
    /// One who does not turn.
    Level,
    /// One who turns with shape A (0) or B (1).
    On(usize),
}

/// Motions of two shapes relative to each other over a step.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct RelativeStep {
    h: f64,
    /// Velocity of B's centre as seen from A at both ends \[m/s\].
    v: [Vec3; 2],
    /// Bound of the relative acceleration of the centres \[m/s²\].
    a: f64,
    /// Bound of the approach by turning \[m/s\].
    turning: f64,
    /// Bound of the relative acceleration of points of the surfaces by turning \[m/s²\].
    turning_acceleration: f64,
    /// The same of all that points of the other shape have for an observer who turns with A, or with B \[m/s²\].
    carried_acceleration: [f64; 2],
}

impl RelativeStep {
    pub fn new(h: f64, a: [&ShapeMotion; 2], b: [&ShapeMotion; 2]) -> Self {
        let [start, end] = [a[0].motion_of(b[0]), a[1].motion_of(b[1])];
        let v = [start.v, end.v];
        let ends = start.a.norm().max(end.a.norm());
        let mean = if h > 0.0 { (v[1] - v[0]).norm() / h } else { 0.0 };
        let turning = start.turning.max(end.turning);
        let turning_acceleration =
            [a, b].map(|ends| ends[0].turning_acceleration().max(ends[1].turning_acceleration())).iter().sum::<f64>();
        let step = Self {
            h,
            v,
            a: SPEED_RESERVE * ends.max(mean),
            turning: SPEED_RESERVE * turning,
            turning_acceleration: SPEED_RESERVE * turning_acceleration,
            carried_acceleration: [0.0; 2],
        };
        let carried_acceleration = [step.carried_acceleration(a, b), step.carried_acceleration(b, a)];
        Self { carried_acceleration, ..step }
    }

    /// Bound of the acceleration of points of the other shape for an observer who turns with one \[m/s²\]: that of the
    /// points, and `alpha × r + omega × (omega × r) + 2 omega × v`.
    fn carried_acceleration(&self, own: [&ShapeMotion; 2], other: [&ShapeMotion; 2]) -> f64 {
        let w = SPEED_RESERVE * own[0].w.norm().max(own[1].w.norm());
        let alpha = SPEED_RESERVE * own[0].alpha.norm().max(own[1].alpha.norm());
        let points = self.a + self.turning_acceleration;
        if w == 0.0 && alpha == 0.0 {
            return points;
        }
        let apart = [0, 1].map(|end| (other[end].c - own[end].c).norm());
        let r = apart[0].max(apart[1]) + other[0].extent + self.travel();
        points + (alpha + w * w) * r + 2.0 * w * (self.speed() + w * r)
    }

    /// When shapes that keep the velocity of the start meet, if a bore lies between them \[s\].
    pub fn meeting_in_bore(&self, at: &PairPoint) -> Option<f64> {
        let Separation::Bore { axis, offset } = at.separation else { return None };
        Some(BorePath::new(&axis, &offset, &self.v[0]).time(at.dist))
    }

    /// Bound of the speed at which the distance changes \[m/s\].
    pub fn speed(&self) -> f64 {
        SPEED_RESERVE * self.v[0].norm().max(self.v[1].norm()) + self.turning
    }

    /// Upper bound on the change of the distance \[m\].
    pub fn travel(&self) -> f64 {
        self.h * self.speed()
    }

    /// Upper bound on the approach of the shapes from the start on, whatever their directions \[m\].
    pub fn reach(&self) -> f64 {
        self.h * (self.v[0].norm() + self.turning) + 0.5 * self.a * self.h * self.h
    }

    /// Bound of the distance by which shapes approach each other within a time `s` \[s\] from the start on, or back
    /// from the end. A plane that moves with A's velocity separates convex shapes, so that sliding along the plane is
    /// no approach.
    fn approach(&self, end: usize, at: &PairPoint, s: f64) -> f64 {
        let v = if end == 0 { self.v[end] } else { -self.v[end] };
        let travel = match at.separation {
            Separation::Plane => s * (-v.dot(&at.normal)).max(0.0),
            Separation::Bore { axis, offset } => BorePath::new(&axis, &offset, &v).travel(s),
            Separation::Unknown => s * v.norm(),
        };
        travel + self.approach_by_turning_and_acceleration(s)
    }

    /// Upper bound on the approach by turning and accelerations within a time `s` \[s\].
    fn approach_by_turning_and_acceleration(&self, s: f64) -> f64 {
        s * self.turning + 0.5 * self.a * s * s
    }

    /// Whether shapes that are as given at both ends may have met in between.
    pub fn may_have_met(&self, ends: [&PairPoint; 2]) -> bool {
        if ends[0].dist + ends[1].dist > self.travel() {
            return false;
        }
        let is_safe = |end: usize, s: f64| ends[end].dist > self.approach(end, ends[end], s);
        let half = 0.5 * self.h;
        !(is_safe(0, self.h) || is_safe(1, self.h) || (is_safe(0, half) && is_safe(1, half)))
    }

    /// Time \[s\] for which shapes, whose centres move with `v_rel` \[m/s\], do not come nearer than by `d` \[m\].
    pub fn safe_time(&self, d: f64, at: &PairPoint, v_rel: &Vec3) -> f64 {
        let approaching = match at.separation {
            Separation::Plane => (-v_rel.dot(&at.normal)).max(0.0),
            Separation::Bore { axis, offset } => {
                return self.safe_time_in_bore(d, &BorePath::new(&axis, &offset, v_rel));
            }
            Separation::Unknown => v_rel.norm(),
        };
        let speed = approaching + self.turning;
        let root = (speed * speed + 2.0 * self.a * d).sqrt();
        if speed + root > 0.0 { 2.0 * d / (speed + root) } else { f64::INFINITY }
    }

    /// As [`RelativeStep::safe_time`], by the points whose hulls A and B are: their places along the normal of a plane
    /// between both \[m\], and their velocities along it \[m/s\], both for an observer who keeps his direction or turns
    /// with one of the shapes.
    pub fn safe_time_of_points(
        &self,
        d: f64,
        observer: Observer,
        [a, b]: [impl Iterator<Item = [f64; 2]> + Clone; 2],
    ) -> f64 {
        let bound = match observer {
            Observer::Level => self.a + self.turning_acceleration,
            Observer::On(side) => self.carried_acceleration[side],
        };
        if !bound.is_finite() {
            return 0.0;
        }
        let top = a.clone().map(|[place, _]| place).fold(f64::NEG_INFINITY, f64::max);
        let bottom = b.clone().map(|[place, _]| place).fold(f64::INFINITY, f64::min);
        let time = |[of_a, of_b]: [[f64; 2]; 2]| {
            let d = d + (top - of_a[0]) + (of_b[0] - bottom);
            let speed = of_a[1] - of_b[1];
            let root = (speed * speed + 2.0 * bound * d).sqrt();
            if speed > 0.0 {
                2.0 * d / (speed + root)
            } else if bound > 0.0 {
                (root - speed) / bound
            } else {
                f64::INFINITY
            }
        };
        a.flat_map(|of_a| b.clone().map(move |of_b| time([of_a, of_b]))).fold(f64::INFINITY, f64::min)
    }

    /// The approach in the bore and by the rest are convex functions of the time that begin at zero: where their sum
    /// exceeds `d`, the chord from zero lies above it.
    fn safe_time_in_bore(&self, d: f64, path: &BorePath) -> f64 {
        let most = path.time(d).min(self.h);
        let sum = path.travel(most) + self.approach_by_turning_and_acceleration(most);
        if sum > d { most * d / sum } else { most }
    }
}

/// Straight path of a ball inside a bore.
struct BorePath {
    /// Distance from the axis \[m\].
    rho: f64,
    /// Velocity across the axis times that distance, along it \[m²/s\].
    outward: f64,
    /// Square of the velocity across the axis \[m²/s²\].
    square: f64,
}

impl BorePath {
    fn new(axis: &Vec3, offset: &Vec3, v: &Vec3) -> Self {
        let across = v - axis * axis.dot(v);
        Self { rho: offset.norm(), outward: offset.dot(&across), square: across.norm_squared() }
    }

    /// How much farther from the axis the ball is after a time `s` \[s\], in \[m\].
    fn travel(&self, s: f64) -> f64 {
        let rise = s * (2.0 * self.outward + s * self.square);
        let at = (self.rho * self.rho + rise).max(0.0).sqrt();
        if at + self.rho > 0.0 { rise / (at + self.rho) } else { 0.0 }
    }

    /// When the ball is farther from the axis by `d` \[m\], in \[s\].
    fn time(&self, d: f64) -> f64 {
        let rise = d * (d + 2.0 * self.rho);
        let root = (self.outward * self.outward + self.square * rise).sqrt();
        let denominator = self.outward + root;
        if denominator > 0.0 { rise / denominator } else { f64::INFINITY }
    }
}

/// Speed \[m/s\] of a surface that extends so far \[m\] around its centre and turns with `w` \[rad/s\].
fn surface_speed(w: &Vec3, extent: f64) -> f64 {
    let w = w.norm();
    if w == 0.0 || extent == 0.0 { 0.0 } else { w * extent }
}

/// Motions of all shapes while nothing moves; those that are fixed to the world keep them.
pub(super) fn shapes_at_rest(topology: &Topology) -> impl Iterator<Item = ShapeMotion> {
    topology.shapes.iter().map(|shape| ShapeMotion::of(shape, &BodyMotion::REST))
}

/// Motions of the given shapes at one time.
pub(super) fn shape_motions(topology: &Topology, bodies: &[BodyMotion], shapes: &[usize], out: &mut [ShapeMotion]) {
    for &i in shapes {
        let shape = &topology.shapes[i];
        out[i] = ShapeMotion::of(shape, &bodies[shape.node]);
    }
}

/// How far a shape's points may lie from the straight line between their places at both ends of a step \[m\]: as far as
/// the acceleration can lead away, and nowhere farther from both ends than half of the distance between them.
pub(super) fn deviation(h: f64, start: &ShapeMotion, end: &ShapeMotion) -> f64 {
    let half_way = 0.5 * SPEED_RESERVE * h * start.v.norm().max(end.v.norm());
    let a = start.a.norm().max(end.a.norm()).max((end.v - start.v).norm() / h.max(f64::MIN_POSITIVE));
    let bend = 0.125 * 2.0 * a * h * h;
    bend.min(half_way) + h * start.turning.max(end.turning)
}

/// Box around a shape carried by a body.
pub(super) fn box_at(shape: &CollisionShape, body: &BodyMotion) -> Aabb {
    let b = shape.shape.bounding_box(&pose(body, shape));
    Aabb::new(b.min, b.max)
}

/// Pose of a shape in W.
fn pose(body: &BodyMotion, shape: &CollisionShape) -> Pose {
    Pose { rotation: body.rotation * shape.x_bs.rotation, translation: body.p + body.rotation * shape.x_bs.translation }
}

/// The box widened on all sides \[m\].
pub(super) fn widened(aabb: &Aabb, by: f64) -> Aabb {
    Aabb::new(aabb.min.add_scalar(-by), aabb.max.add_scalar(by))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the end of the time one pair of points has come as near as it may, with the greatest acceleration.
    #[test]
    fn points_are_safe_until_the_first_has_come_near() {
        let step = |a, turning_acceleration| RelativeStep {
            h: 1.0,
            v: [Vec3::zeros(); 2],
            a,
            turning: 0.0,
            turning_acceleration,
            carried_acceleration: [a + turning_acceleration; 2],
        };
        let level = Observer::Level;
        // Places and velocities of A below 1 m, and of B above.
        let of_a = [[1.0, 0.0], [0.8, 0.5], [-2.0, 5.0]];
        for (a, turning) in [(0.0, 0.0), (3.0, 0.0), (1.0, 5.0)] {
            for of_b in [vec![[1.0, -2.0]], vec![[1.0, 1.0], [1.3, -2.0]], vec![[1.1, -0.1], [3.0, -9.0], [1.0, 0.4]]] {
                let time =
                    step(a, turning).safe_time_of_points(0.01, level, [of_a.iter().copied(), of_b.iter().copied()]);
                let left = |a_: &[f64; 2], b_: &[f64; 2]| {
                    0.01 + (b_[0] - a_[0]) + (b_[1] - a_[1]) * time - 0.5 * (a + turning) * time * time
                };
                let least = of_a.iter().flat_map(|a_| of_b.iter().map(move |b_| left(a_, b_)));
                let least = least.fold(f64::INFINITY, f64::min);
                assert!(least.abs() < 1e-14, "{a} {turning} {of_b:?}: {least:e} after {time}");
            }
            let parting =
                step(a, turning).safe_time_of_points(0.01, level, [[[0.0, 0.0]].into_iter(), [[0.0, 1.0]].into_iter()]);
            assert!(if a + turning == 0.0 { parting == f64::INFINITY } else { parting > 2.0 / (a + turning) });
        }
        let turns = step(1.0, f64::INFINITY);
        assert!(turns.safe_time_of_points(0.01, level, [[[0.0, 0.0]].into_iter(), [[0.0, 1.0]].into_iter()]) == 0.0);
    }

    /// A point that flies past a body that turns, seen from that body: it stays on its side for the time that is safe.
    #[test]
    fn a_plane_that_turns_with_a_body_keeps_points_on_their_side() {
        let (w, alpha, h) = (Vec3::new(0.3, 5.0, -1.0), Vec3::new(1.0, -40.0, 2.0), 0.05);
        let (v, a) = (Vec3::new(-0.4, 0.1, 0.9), Vec3::new(0.0, 2.0, -9.81));
        let far = Vec3::new(0.2, 0.05, 0.1);
        let body = |t: f64| ShapeMotion {
            c: Vec3::zeros(),
            v: Vec3::zeros(),
            a: Vec3::zeros(),
            turning: 1.0,
            w: w + t * alpha,
            alpha,
            extent: 0.2,
        };
        let point = |t: f64| ShapeMotion {
            c: far + t * v + 0.5 * t * t * a,
            v: v + t * a,
            a,
            turning: 0.0,
            w: Vec3::zeros(),
            alpha: Vec3::zeros(),
            extent: 0.0,
        };
        let step = RelativeStep::new(h, [&body(0.0), &body(h)], [&point(0.0), &point(h)]);
        let (n, d) = (Vec3::z(), 1e-3);
        let rate = n.dot(&(v - w.cross(&far)));
        let safe =
            step.safe_time_of_points(d, Observer::On(0), [[[far.z, 0.0]].into_iter(), [[far.z, rate]].into_iter()]);
        assert!(safe > 1e-4 && safe < h, "{safe}");
        // The body's orientation, by many small rotations.
        let (parts, mut turned) = (100_000, crate::math::Mat3::identity());
        for k in 0..parts {
            let t = safe * (f64::from(k) + 0.5) / f64::from(parts);
            let turn = (w + t * alpha) * (safe / f64::from(parts));
            turned = crate::math::rotation_about(&turn.normalize(), turn.norm()) * turned;
            let at = point(t).c;
            let height = n.dot(&(turned.transpose() * at));
            assert!(height > far.z - d, "{height} at {t}, safe for {safe}");
        }
    }
}
