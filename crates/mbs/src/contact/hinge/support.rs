//! One support: a corner, edge, ball or rim of one body on a face, edge or ball of the other.
//!
//! With the nearest points `x_A` and `x_B` of what touches, their distance d along the unit normal n from A to B, and
//! `r = x_B - x_A = d n`, where dots are derivatives of points that stay in their bodies,
//!
//! ```text
//! gap   = d - radius_A - radius_B
//! gap'  = n . r'
//! gap'' = n . r'' + 2 n' . r' - d |n'|²
//! ```
//!
//! exactly, for flat and for round surfaces: the second derivative contains their curvature.
//!
//! A rim with centre c, axis a and radius ρ touches a plane with the unit normal m at its lowest point `c + ρ u`, with
//! `s = |m - (a . m) a|` and `u = -(m - (a . m) a) / s`. Seen from its body, that point runs along the rim. With the
//! angle θ on the rim, its tangent `τ = a x u` there, and the angular velocity w of the rim relative to the plane, the
//! distance `d(θ, t)` from the plane is least, so that
//!
//! ```text
//! θ' = -m . (w x τ) / s
//! d'' = (as above, for the point of the body) - ρ (m . (w x τ))² / s
//! ```

use serde::{Deserialize, Serialize};

use crate::math::Vec3;
use crate::spatial::BodyMotion;

/// What a body touches another one with, in the body frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Feature {
    /// A corner, or the centre of a ball.
    Point {
        /// Position \[m\].
        #[serde(with = "crate::math::components")]
        at: Vec3,
        /// Radius \[m\]; zero for a corner.
        radius: f64,
    },
    /// A straight edge, which may be rounded.
    Line {
        /// A point on it \[m\].
        #[serde(with = "crate::math::components")]
        through: Vec3,
        /// Unit vector along it.
        #[serde(with = "crate::math::components")]
        along: Vec3,
        /// Radius \[m\]; zero for a sharp edge.
        radius: f64,
    },
    /// The rim of a flat end, which meets planes.
    Rim {
        /// Its centre \[m\].
        #[serde(with = "crate::math::components")]
        center: Vec3,
        /// Unit vector at right angles to its plane.
        #[serde(with = "crate::math::components")]
        axis: Vec3,
        /// Its radius \[m\].
        radius: f64,
    },
    /// A flat side.
    Plane {
        /// A point on it \[m\].
        #[serde(with = "crate::math::components")]
        through: Vec3,
        /// Outward unit normal.
        #[serde(with = "crate::math::components")]
        normal: Vec3,
    },
}

/// Where two bodies touch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// What A and B touch each other with.
    pub features: [Feature; 2],
    /// Of two edges: 1 if the normal from A to B is that of `along_A x along_B`, -1 if it is the opposite.
    pub sense: f64,
    /// Gap that counts as none \[m\]: what rounding has left.
    pub offset: f64,
}

/// A support at one motion of both bodies, in W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportPoint {
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Nearest points of both features \[m\].
    pub nearest: [Vec3; 2],
    /// Their distance along the normal \[m\].
    pub distance: f64,
    /// Point of contact \[m\].
    pub point: Vec3,
    /// Distance of the surfaces \[m\].
    pub gap: f64,
    form: Form,
}

/// What moves the normal and the point of contact.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// The side that carries the plane; the radius of the other one's ball \[m\].
    OnPlane { plane: usize, radius: f64 },
    /// The side that carries the plane; of the other one's rim the tangent at its lowest point, its radius \[m\], and the
    /// sine of its inclination.
    RimOnPlane { plane: usize, tangent: Vec3, radius: f64, sine: f64 },
    /// Radius of A's ball \[m\].
    Balls { radius: f64 },
    /// The side of the edge, its direction, and the radius of the other one's ball \[m\].
    OnLine { line: usize, along: Vec3, radius: f64 },
    /// Directions of both edges, and `sense` over the length of their cross product.
    Lines { along: [Vec3; 2], scale: f64 },
}

/// Small displacements of both bodies: of their points at the nearest points \[m\], and rotations \[rad\]; or velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Of A's and B's points.
    pub points: [Vec3; 2],
    /// Of A and B.
    pub turns: [Vec3; 2],
}

/// Sine of the inclination below which a rim lies flat.
const LYING: f64 = 1e-12;

/// Lines whose directions have a cross product below this have no normal.
const PARALLEL: f64 = 1e-6;

impl Support {
    /// The support for the present motion of both bodies; none where it has no normal.
    #[must_use]
    pub fn at(&self, bodies: [&BodyMotion; 2]) -> Option<SupportPoint> {
        let place = |side: usize, x: &Vec3| bodies[side].p + bodies[side].rotation * x;
        let turn = |side: usize, e: &Vec3| bodies[side].rotation * e;
        let [of_a, of_b] = &self.features;
        let on_plane = |side: usize, [through, normal]: [&Vec3; 2], at: &Vec3, radius: f64| {
            let (m, ball) = (turn(side, normal), place(1 - side, at));
            let distance = m.dot(&(ball - place(side, through)));
            let foot = ball - distance * m;
            let (normal, nearest) = if side == 0 { (m, [foot, ball]) } else { (-m, [ball, foot]) };
            let (point, form) = (ball - radius * m, Form::OnPlane { plane: side, radius });
            SupportPoint { normal, nearest, distance, point, gap: distance - radius, form }
        };
        let rim_on_plane = |side: usize, [through, normal]: [&Vec3; 2], [center, axis]: [&Vec3; 2], radius: f64| {
            let (m, a) = (turn(side, normal), turn(1 - side, axis));
            // By cross products: the difference of m and its part along a would lose the digits of a small inclination.
            let across = m.cross(&a);
            let sine = across.norm();
            if sine < LYING {
                return None;
            }
            let slope = a.cross(&across) / sine;
            let lowest = place(1 - side, center) - radius * slope;
            let distance = m.dot(&(lowest - place(side, through)));
            let foot = lowest - distance * m;
            let (normal, nearest) = if side == 0 { (m, [foot, lowest]) } else { (-m, [lowest, foot]) };
            let form = Form::RimOnPlane { plane: side, tangent: slope.cross(&a), radius, sine };
            Some(SupportPoint { normal, nearest, distance, point: lowest, gap: distance, form })
        };
        match (of_a, of_b) {
            (Feature::Rim { center, axis, radius }, Feature::Plane { through, normal }) => {
                rim_on_plane(1, [through, normal], [center, axis], *radius)
            }
            (Feature::Plane { through, normal }, Feature::Rim { center, axis, radius }) => {
                rim_on_plane(0, [through, normal], [center, axis], *radius)
            }
            (Feature::Point { at, radius }, Feature::Plane { through, normal }) => {
                Some(on_plane(1, [through, normal], at, *radius))
            }
            (Feature::Plane { through, normal }, Feature::Point { at, radius }) => {
                Some(on_plane(0, [through, normal], at, *radius))
            }
            (Feature::Point { at: a, radius }, Feature::Point { at: b, radius: other }) => {
                let nearest = [place(0, a), place(1, b)];
                let (normal, distance) = direction(&nearest)?;
                let point = nearest[0] + *radius * normal;
                let (gap, form) = (distance - radius - other, Form::Balls { radius: *radius });
                Some(SupportPoint { normal, nearest, distance, point, gap, form })
            }
            (Feature::Point { at, radius }, Feature::Line { through, along, radius: other }) => {
                let (ball, e) = (place(0, at), turn(1, along));
                let nearest = [ball, on_line(&place(1, through), &e, &ball)];
                let (normal, distance) = direction(&nearest)?;
                let (point, form) = (ball + *radius * normal, Form::OnLine { line: 1, along: e, radius: *radius });
                Some(SupportPoint { normal, nearest, distance, point, gap: distance - radius - other, form })
            }
            (Feature::Line { through, along, radius: other }, Feature::Point { at, radius }) => {
                let (ball, e) = (place(1, at), turn(0, along));
                let nearest = [on_line(&place(0, through), &e, &ball), ball];
                let (normal, distance) = direction(&nearest)?;
                let (point, form) = (ball - *radius * normal, Form::OnLine { line: 0, along: e, radius: *radius });
                Some(SupportPoint { normal, nearest, distance, point, gap: distance - radius - other, form })
            }
            (
                Feature::Line { through: a, along: e_a, radius },
                Feature::Line { through: b, along: e_b, radius: other },
            ) => {
                let (o_a, o_b, e_a, e_b) = (place(0, a), place(1, b), turn(0, e_a), turn(1, e_b));
                let cross = e_a.cross(&e_b);
                let length = cross.norm();
                if length < PARALLEL {
                    return None;
                }
                let scale = self.sense / length;
                let (normal, apart, square) = (scale * cross, o_b - o_a, length * length);
                let nearest = [
                    o_a + e_a * (apart.cross(&e_b).dot(&cross) / square),
                    o_b + e_b * (apart.cross(&e_a).dot(&cross) / square),
                ];
                let distance = normal.dot(&apart);
                let (point, gap) = (nearest[0] + *radius * normal, distance - radius - other);
                let form = Form::Lines { along: [e_a, e_b], scale };
                Some(SupportPoint { normal, nearest, distance, point, gap, form })
            }
            (Feature::Plane { .. }, Feature::Plane { .. } | Feature::Line { .. })
            | (Feature::Line { .. }, Feature::Plane { .. } | Feature::Rim { .. })
            | (Feature::Rim { .. }, Feature::Point { .. } | Feature::Line { .. } | Feature::Rim { .. })
            | (Feature::Point { .. }, Feature::Rim { .. }) => None,
        }
    }

    /// Radius with which bodies roll on each other there \[m\]; none of sharp features.
    #[must_use]
    pub fn rolling_radius(&self) -> Option<f64> {
        let curvature = |feature: &Feature| match feature {
            Feature::Point { radius, .. } | Feature::Line { radius, .. } | Feature::Rim { radius, .. }
                if *radius > 0.0 =>
            {
                1.0 / radius
            }
            _ => 0.0,
        };
        let sum: f64 = self.features.iter().map(curvature).sum();
        (sum > 0.0).then(|| 1.0 / sum)
    }

    /// The side whose body carries the direction of the normal, as far as one does.
    #[must_use]
    pub fn carrier(&self) -> usize {
        usize::from(matches!(self.features[1], Feature::Plane { .. }))
    }
}

impl SupportPoint {
    /// Velocities of both bodies at the support.
    #[must_use]
    pub fn velocities(&self, bodies: [&BodyMotion; 2]) -> Shift {
        let at = |side: usize| bodies[side].v + bodies[side].w.cross(&(self.nearest[side] - bodies[side].p));
        Shift { points: [at(0), at(1)], turns: [bodies[0].w, bodies[1].w] }
    }

    /// Rate of the gap \[m/s\].
    #[must_use]
    pub fn rate(&self, velocities: &Shift) -> f64 {
        self.normal.dot(&(velocities.points[1] - velocities.points[0]))
    }

    /// Second derivative of the gap \[m/s²\].
    #[must_use]
    pub fn acceleration(&self, bodies: [&BodyMotion; 2]) -> f64 {
        let velocities = self.velocities(bodies);
        let material = |side: usize| {
            let (body, arm) = (bodies[side], self.nearest[side] - bodies[side].p);
            body.a + body.alpha.cross(&arm) + body.w.cross(&body.w.cross(&arm))
        };
        let turning = self.normal_change(&velocities);
        self.normal.dot(&(material(1) - material(0)))
            + 2.0 * turning.dot(&(velocities.points[1] - velocities.points[0]))
            - self.distance * turning.norm_squared()
            - self.along_rim(&velocities, &velocities)
    }

    /// What the second derivative of the gap loses as the lowest point runs along a rim: for two motions, the product of
    /// its speeds and the second derivative along the rim.
    fn along_rim(&self, one: &Shift, other: &Shift) -> f64 {
        match self.form {
            Form::RimOnPlane { radius, sine, .. } => radius * sine * self.rim_angle(one) * self.rim_angle(other),
            _ => 0.0,
        }
    }

    /// Angle by which the lowest point of a rim runs along it \[rad\], seen from its body.
    fn rim_angle(&self, shift: &Shift) -> f64 {
        match self.form {
            Form::RimOnPlane { plane, tangent, sine, .. } => {
                let m = if plane == 0 { self.normal } else { -self.normal };
                -m.dot(&(shift.turns[1 - plane] - shift.turns[plane]).cross(&tangent)) / sine
            }
            _ => 0.0,
        }
    }

    /// Change of the rate of the gap for changes of position and velocity: `shift`, and `velocity` of points that stay
    /// in their bodies.
    #[must_use]
    pub fn rate_change(&self, velocities: &Shift, shift: &Shift, velocity: &[Vec3; 2]) -> f64 {
        let (turning, turned) = (self.normal_change(velocities), self.normal_change(shift));
        let apart = velocities.points[1] - velocities.points[0];
        self.normal.dot(&(velocity[1] - velocity[0]))
            + turned.dot(&(apart - self.distance * turning))
            + turning.dot(&(shift.points[1] - shift.points[0]))
            - self.along_rim(velocities, shift)
    }

    /// Change of the normal.
    #[must_use]
    pub fn normal_change(&self, shift: &Shift) -> Vec3 {
        let n = &self.normal;
        let across = |x: Vec3| x - n * n.dot(&x);
        let apart = shift.points[1] - shift.points[0];
        match self.form {
            Form::OnPlane { plane, .. } | Form::RimOnPlane { plane, .. } => shift.turns[plane].cross(n),
            Form::Balls { .. } => across(apart) / self.distance,
            Form::OnLine { line, along, .. } => {
                let turned = shift.turns[line].cross(&along);
                across(apart - along * (along.dot(&apart) + self.distance * turned.dot(n))) / self.distance
            }
            Form::Lines { along: [a, b], scale } => {
                let turned = [shift.turns[0].cross(&a), shift.turns[1].cross(&b)];
                across(turned[0].cross(&b) + a.cross(&turned[1])) * scale
            }
        }
    }

    /// Displacement of the point of contact. That of two edges is taken as fixed in A, as far as they do not slide.
    #[must_use]
    pub fn point_change(&self, shift: &Shift) -> Vec3 {
        match self.form {
            Form::OnPlane { plane: 1, radius } | Form::OnLine { line: 1, radius, .. } | Form::Balls { radius } => {
                shift.points[0] + radius * self.normal_change(shift)
            }
            Form::OnPlane { radius, .. } | Form::OnLine { radius, .. } => {
                shift.points[1] - radius * self.normal_change(shift)
            }
            Form::RimOnPlane { plane, tangent, radius, .. } => {
                shift.points[1 - plane] + radius * self.rim_angle(shift) * tangent
            }
            Form::Lines { .. } => shift.points[0],
        }
    }
}

/// Unit vector from the first point to the second, and their distance; none for the same point.
fn direction(points: &[Vec3; 2]) -> Option<(Vec3, f64)> {
    let apart = points[1] - points[0];
    let distance = apart.norm();
    (distance > 0.0).then(|| (apart / distance, distance))
}

/// Foot of a point on a line.
fn on_line(through: &Vec3, along: &Vec3, point: &Vec3) -> Vec3 {
    through + along * along.dot(&(point - through))
}
