//! Forces of a patch.

use super::clip::clip_triangle;
use super::overlap::{Facet, Patch};
use crate::contact::ContactConstants;
use crate::contact::regularization::regularized_direction;
use crate::math::Vec3;

/// Motion of B relative to A, in W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchMotion {
    /// Motion of the material.
    pub material: Twist,
    /// Motion of the surfaces: without the turning of round bodies about their own axes.
    pub surface: Twist,
}

/// Velocities of B relative to A at a patch's origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Velocity of B's point at the origin relative to A's there \[m/s\].
    pub v: Vec3,
    /// Angular velocity of B relative to A \[rad/s\].
    pub w: Vec3,
}

impl Twist {
    /// Velocity at a point relative to the origin \[m/s\].
    #[must_use]
    #[inline]
    pub fn at(&self, x: &Vec3) -> Vec3 {
        self.v + self.w.cross(x)
    }
}

impl From<Twist> for PatchMotion {
    /// The motion of bodies without round sides.
    fn from(twist: Twist) -> Self {
        Self { material: twist, surface: twist }
    }
}

impl PatchMotion {
    /// Velocity with which the surfaces depart from each other along `normal`, and with which they slide, at a point
    /// \[m/s\].
    pub(super) fn split(&self, x: &Vec3, normal: &Vec3) -> (f64, Vec3) {
        let u = self.material.at(x);
        (self.surface.at(x).dot(normal), u - u.dot(normal) * normal)
    }
}

/// Wrench of a patch on B, in W; A gets the opposite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchForce {
    /// Force \[N\].
    pub f: Vec3,
    /// Torque about the patch's origin \[N m\].
    pub tau: Vec3,
}

/// A point of the quadrature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    /// Position relative to the origin \[m\].
    pub x: Vec3,
    /// Elastic pressure \[Pa\].
    pub p: f64,
    /// Area that it represents \[m²\].
    pub area: f64,
    /// Whether the surfaces depart so fast that damping takes all of the pressure along the patch's normal. It must not
    /// take more: facets lean to both sides of the normal, and what they press sideways cancels out only if all of them
    /// press.
    pub is_released: bool,
}

impl PatchForce {
    /// Adds a force \[N\] at a point \[m\].
    fn add(&mut self, x: &Vec3, f: &Vec3) {
        self.f += f;
        self.tau += x.cross(f);
    }
}

impl Patch {
    /// Forces of the law for a motion.
    #[must_use]
    pub fn response(&self, law: &ContactConstants, motion: &PatchMotion) -> PatchForce {
        let (normal, law) = (self.normal(), &self.damped(law));
        let mut total = PatchForce { f: Vec3::zeros(), tau: Vec3::zeros() };
        for facet in self.facets() {
            let cosine = facet.n.dot(&normal).max(0.0);
            self.for_each_sample(facet, law, motion, |sample| {
                let load = sample.p * sample.area;
                if sample.is_released {
                    total.add(&sample.x, &(load * (facet.n - cosine * normal)));
                    return;
                }
                let (departing, v_t) = motion.split(&sample.x, &normal);
                let pressure = facet.n - cosine * law.d * departing * normal;
                let friction = cosine * friction_per_pressure(law, departing, &v_t);
                total.add(&sample.x, &(load * (pressure + friction)));
            });
        }
        total
    }

    /// The law with the damping coefficient of the patch's depth.
    pub(super) fn damped(&self, law: &ContactConstants) -> ContactConstants {
        ContactConstants { d: law.damping_at(self.elastic_force().norm(), self.depth()).0, ..*law }
    }

    /// Mean distance of the pressure from its centre \[m\].
    #[must_use]
    pub fn mean_lever(&self) -> f64 {
        let (normal, center) = (self.normal(), self.center());
        let (mut moment, mut total) = (0.0, 0.0);
        for facet in self.facets() {
            let cosine = facet.n.dot(&normal).max(0.0);
            for triangle in around(&facet.center, self.polygon(facet)) {
                sample(&triangle, facet, false, &mut |sample: &Sample| {
                    let load = cosine * sample.p * sample.area;
                    moment += load * (sample.x - center).norm();
                    total += load;
                });
            }
        }
        if total > 0.0 { moment / total } else { 0.0 }
    }

    /// Greatest velocity \[m/s\] with which B approaches A on the patch; negative where all of it departs.
    #[must_use]
    pub fn approach(&self, motion: &PatchMotion) -> f64 {
        let corners = self.facets().iter().flat_map(|facet| self.polygon(facet));
        corners.map(|corner| -motion.surface.at(corner).dot(&self.normal())).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Visits points whose sum integrates polynomials of second order exactly over the part of a polygon in which the
    /// pressure is damped, and over that in which damping would pull.
    pub(super) fn for_each_sample(
        &self,
        facet: &Facet,
        law: &ContactConstants,
        motion: &PatchMotion,
        mut visit: impl FnMut(&Sample),
    ) {
        // Where 1 + d δ' is positive: c + g . x >= 0.
        let normal = self.normal();
        let c = 1.0 - law.d * motion.surface.v.dot(&normal);
        let g = -law.d * normal.cross(&motion.surface.w);
        let is_positive = |corner: &Vec3| c + g.dot(corner) >= 0.0;
        let polygon = self.polygon(facet);
        let positive = polygon.iter().filter(|corner| is_positive(corner)).count();
        let is_cut = positive > 0 && positive < polygon.len();
        for triangle in around(&facet.center, polygon) {
            if !is_cut {
                sample(&triangle, facet, positive == 0, &mut visit);
                continue;
            }
            for (is_released, c, g) in [(false, c, g), (true, -c, -g)] {
                let (corners, count) = clip_triangle(&triangle, c, &g);
                for k in 2..count {
                    sample(&[corners[0], corners[k - 1], corners[k]], facet, is_released, &mut visit);
                }
            }
        }
    }
}

/// Friction per elastic pressure on B, where it departs from A and slides with the given velocities.
#[inline]
fn friction_per_pressure(law: &ContactConstants, departing: f64, v_t: &Vec3) -> Vec3 {
    let friction = law.friction(v_t.norm());
    if friction == 0.0 {
        return Vec3::zeros();
    }
    -friction * (1.0 - law.d * departing) * regularized_direction(v_t, law.v_min)
}

/// Triangles around a point of a polygon. It must not depend on how many corners lie next to each other, which rounding
/// errors decide: friction is not integrated exactly, and its error would jump.
fn around(middle: &Vec3, polygon: &[Vec3]) -> impl Iterator<Item = [Vec3; 3]> {
    let before = polygon.iter().cycle().skip(polygon.len().saturating_sub(1));
    before.zip(polygon).map(move |(before, at)| [*middle, *before, *at])
}

/// Three points of a triangle, which integrate polynomials of second order exactly.
fn sample([p, q, r]: &[Vec3; 3], facet: &Facet, is_released: bool, visit: &mut impl FnMut(&Sample)) {
    let area = (q - p).cross(&(r - p)).dot(&facet.n) / 6.0;
    let sum = p + q + r;
    for corner in [p, q, r] {
        let x = (sum + 3.0 * corner) / 6.0;
        visit(&Sample { x, p: facet.of_a.at(&x), area, is_released });
    }
}
