//! Sums of forces over many points of a quadrature.

use super::field::Plane;
use super::motion::{Damped, Twist, friction_per_speed};
use crate::contact::ContactConstants;
use crate::contact::regularization::regularized_magnitude;
use crate::math::Vec3;

/// Points that are evaluated together: those of a polygon with eight corners. A multiple of three.
const POINTS: usize = 24;

/// What damping and friction take from an elastic pressure.
pub(super) struct Losses<'a> {
    pub law: &'a ContactConstants,
    pub damped: Damped,
    /// Motion of the material.
    pub material: Twist,
    pub normal: Vec3,
    /// What damping takes along the normal \[N\], and this times the place.
    pub taken: f64,
    pub at: Vec3,
    /// Friction \[N\], and its torque about the patch's origin \[N m\].
    pub friction: Vec3,
    pub torque: Vec3,
}

/// A polygon's pressure and weights.
#[derive(Clone, Copy)]
pub(super) struct Pressed {
    /// Field of the face of A.
    pub pressure: Plane,
    /// Part of the polygon's load that its points carry.
    pub part: f64,
    /// Cosine of the angle between the normals of polygon and patch.
    pub cosine: f64,
}

/// Points of a polygon, component by component: so the compiler evaluates several at once.
pub(super) struct Points {
    count: usize,
    /// Six times the place \[m\].
    sixfold: [[f64; POINTS]; 3],
    area: [f64; POINTS],
    /// Whether the surfaces depart so fast that damping takes all of the pressure.
    released: [bool; POINTS],
}

impl Losses<'_> {
    /// Adds what acts at a point, where damping leaves a part of a load \[N\].
    pub fn add_at(&mut self, x: &Vec3, load: f64, left: f64) {
        let u = self.material.at(x);
        let v_t = u - u.dot(&self.normal) * self.normal;
        self.add(x, load * (1.0 - left), &(v_t * (load * left * friction_per_speed(self.law, v_t.norm()))));
    }

    #[inline(always)]
    fn add(&mut self, x: &Vec3, damped: f64, friction: &Vec3) {
        self.taken += damped;
        self.at += damped * x;
        self.friction += friction;
        self.torque += x.cross(friction);
    }
}

impl Points {
    /// No point.
    pub const NONE: Self =
        Self { count: 0, sixfold: [[0.0; POINTS]; 3], area: [0.0; POINTS], released: [false; POINTS] };

    pub fn are_complete(&self) -> bool {
        self.count == POINTS
    }

    /// Adds three points of a triangle, which integrate polynomials of second order exactly; there must be room.
    #[inline(always)]
    pub fn add_triangle(&mut self, [p, q, r]: &[Vec3; 3], normal: &Vec3, is_released: bool) {
        let area = (q - p).cross(&(r - p)).dot(normal) / 6.0;
        let sum = p + q + r;
        let next = self.count.min(POINTS - 3);
        for (k, places) in self.sixfold.iter_mut().enumerate() {
            for (j, corner) in [p, q, r].into_iter().enumerate() {
                places[next + j] = sum[k] + 3.0 * corner[k];
            }
        }
        self.area[next..next + 3].fill(area);
        self.released[next..next + 3].fill(is_released);
        self.count = next + 3;
    }

    /// Adds what acts at all points, and leaves none.
    pub fn act(&mut self, polygon: &Pressed, losses: &mut Losses<'_>) {
        let count = self.count.min(POINTS);
        self.count = 0;
        let [x, y, z] = self.sixfold.each_mut().map(|places| &mut places[..count]);
        let (area, released) = (&self.area[..count], &self.released[..count]);
        let (mut loads, mut lefts, mut speeds, mut velocities) =
            ([0.0; POINTS], [0.0; POINTS], [0.0; POINTS], [[0.0; POINTS]; 3]);
        let (load, left, speed) = (&mut loads[..count], &mut lefts[..count], &mut speeds[..count]);
        let [v_x, v_y, v_z] = velocities.each_mut().map(|velocity| &mut velocity[..count]);
        let (Pressed { pressure, part, cosine }, damped, n) = (*polygon, &losses.damped, losses.normal);
        let Twist { v, w } = losses.material;
        for k in 0..count {
            (x[k], y[k], z[k]) = (x[k] / 6.0, y[k] / 6.0, z[k] / 6.0);
            let at = Vec3::new(x[k], y[k], z[k]);
            load[k] = cosine * (part * pressure.at(&at) * area[k]);
            left[k] = if released[k] { 0.0 } else { damped.at(&at) };
            let u = v + w.cross(&at);
            let v_t = u - u.dot(&n) * n;
            (v_x[k], v_y[k], v_z[k]) = (v_t.x, v_t.y, v_t.z);
            speed[k] = (v_t.x * v_t.x + v_t.y * v_t.y + v_t.z * v_t.z).sqrt();
        }
        let law = losses.law;
        let mut friction = [law.mu_k; POINTS];
        if law.stribeck.is_some() {
            friction.iter_mut().zip(&*speed).for_each(|(mu, speed)| *mu = law.friction(*speed));
        }
        let mu = &mut friction[..count];
        let v_min = law.v_min;
        for k in 0..count {
            let by = load[k] * left[k] * (mu[k] / regularized_magnitude(speed[k], v_min));
            (v_x[k], v_y[k], v_z[k]) = (v_x[k] * by, v_y[k] * by, v_z[k] * by);
        }
        for k in 0..count {
            losses.add(&Vec3::new(x[k], y[k], z[k]), load[k] * (1.0 - left[k]), &Vec3::new(v_x[k], v_y[k], v_z[k]));
        }
    }
}
