//! Forces of a patch.

use super::clip::clip_triangle;
use super::overlap::{Facet, Patch};
use crate::contact::ContactConstants;
use crate::contact::progress::progress;
use crate::contact::regularization::regularized_magnitude;
use crate::math::Vec3;

/// Fractions of the load of a patch: a polygon that carries less than the first one is sampled at one point, one that
/// carries more than the second one all over, those between in both ways.
const LIGHT: f64 = 1e-3;
const HEAVY: f64 = 1e-2;

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
    /// Velocity with which the surfaces slide at a point \[m/s\].
    #[inline]
    pub(super) fn sliding(&self, x: &Vec3, normal: &Vec3) -> Vec3 {
        let u = self.material.at(x);
        u - u.dot(normal) * normal
    }
}

/// What damping leaves of the pressure along the normal: `1 + d δ'`, linear in the place. Where it is negative, the
/// surfaces depart so fast that damping would pull.
struct Damped {
    c: f64,
    g: Vec3,
}

impl Damped {
    fn new(law: &ContactConstants, motion: &PatchMotion, normal: &Vec3) -> Self {
        Self { c: 1.0 - law.d * motion.surface.v.dot(normal), g: -law.d * normal.cross(&motion.surface.w) }
    }

    #[inline]
    fn at(&self, x: &Vec3) -> f64 {
        self.c + self.g.dot(x)
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
    /// Area that it represents \[m²\].
    pub area: f64,
    /// Integral of the elastic pressure over that area \[N\].
    pub load: f64,
    /// What damping leaves of the pressure along the patch's normal; zero where the surfaces depart so fast that it
    /// takes all. It must not take more: facets lean to both sides of the normal, and what they press sideways cancels
    /// out only if all of them press.
    pub left: f64,
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
        // What damping takes along the normal, and where; friction and its torque.
        let (mut taken, mut at, mut friction, mut torque) = (0.0, Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        for facet in self.facets() {
            total.add(&facet.center, &(facet.load * facet.n));
            let cosine = facet.n.dot(&normal).max(0.0);
            if cosine == 0.0 {
                continue;
            }
            self.for_each_sample(facet, law, motion, |sample| {
                let load = cosine * sample.load;
                let damped = load * (1.0 - sample.left);
                taken += damped;
                at += damped * sample.x;
                let v_t = motion.sliding(&sample.x, &normal);
                let f = v_t * (load * sample.left * friction_per_speed(law, v_t.norm()));
                friction += f;
                torque += sample.x.cross(&f);
            });
        }
        total.f -= taken * normal + friction;
        total.tau -= at.cross(&normal) + torque;
        total
    }

    /// The law with the damping coefficient of the patch's depth.
    pub(super) fn damped(&self, law: &ContactConstants) -> ContactConstants {
        let carried = self.carried();
        ContactConstants { d: law.damping_at(carried.force(), carried.depth()).0, ..*law }
    }

    /// Mean distance of the pressure from its centre \[m\].
    #[must_use]
    pub fn mean_lever(&self) -> f64 {
        let (normal, center) = (self.normal(), self.center());
        let (mut moment, mut total) = (0.0, 0.0);
        for facet in self.facets() {
            let cosine = facet.n.dot(&normal).max(0.0);
            for triangle in around(&facet.center, self.polygon(facet)) {
                sample(&triangle, facet, &mut |x, p, area| {
                    let load = cosine * p * area;
                    moment += load * (x - center).norm();
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
    /// pressure is damped, and over that in which damping would pull. A polygon that carries next to nothing of the load
    /// is one point, at its centre of pressure: most polygons are the narrow rims of a large one.
    pub(super) fn for_each_sample(
        &self,
        facet: &Facet,
        law: &ContactConstants,
        motion: &PatchMotion,
        mut visit: impl FnMut(&Sample),
    ) {
        let damped = Damped::new(law, motion, &self.normal());
        let of_all = self.carried_force();
        let fraction = facet.load / of_all;
        let part = progress([LIGHT, HEAVY - LIGHT], fraction);
        if part < 1.0 {
            let left = damped.at(&facet.center).max(0.0);
            let rest = 1.0 - part;
            visit(&Sample { x: facet.center, area: rest * facet.area, load: rest * facet.load, left });
        }
        if part == 0.0 {
            return;
        }
        let polygon = self.polygon(facet);
        let positive = polygon.iter().filter(|corner| damped.at(corner) >= 0.0).count();
        let is_cut = positive > 0 && positive < polygon.len();
        for triangle in around(&facet.center, polygon) {
            if !is_cut {
                let is_released = positive == 0;
                sample(&triangle, facet, &mut |x, p, area| {
                    let left = if is_released { 0.0 } else { damped.at(x) };
                    visit(&Sample { x: *x, area: part * area, load: part * p * area, left });
                });
                continue;
            }
            for (is_released, c, g) in [(false, damped.c, damped.g), (true, -damped.c, -damped.g)] {
                let (corners, count) = clip_triangle(&triangle, c, &g);
                for k in 2..count {
                    sample(&[corners[0], corners[k - 1], corners[k]], facet, &mut |x, p, area| {
                        let left = if is_released { 0.0 } else { damped.at(x) };
                        visit(&Sample { x: *x, area: part * area, load: part * p * area, left });
                    });
                }
            }
        }
    }

    /// Visits points and their areas, which integrate polynomials of second order exactly over a polygon.
    pub(super) fn for_each_area(&self, facet: &Facet, mut visit: impl FnMut(&Vec3, f64)) {
        for triangle in around(&facet.center, self.polygon(facet)) {
            sample(&triangle, facet, &mut |x, _, area| visit(x, area));
        }
    }
}

/// Friction per pressure, over the speed of sliding \[s/m\].
#[inline]
fn friction_per_speed(law: &ContactConstants, speed: f64) -> f64 {
    law.friction(speed) / regularized_magnitude(speed, law.v_min)
}

/// Triangles around a point of a polygon. It must not depend on how many corners lie next to each other, which rounding
/// errors decide: friction is not integrated exactly, and its error would jump.
fn around(middle: &Vec3, polygon: &[Vec3]) -> impl Iterator<Item = [Vec3; 3]> {
    let before = polygon.iter().cycle().skip(polygon.len().saturating_sub(1));
    before.zip(polygon).map(move |(before, at)| [*middle, *before, *at])
}

/// Three points of a triangle, which integrate polynomials of second order exactly: place, pressure, area.
#[inline]
fn sample([p, q, r]: &[Vec3; 3], facet: &Facet, visit: &mut impl FnMut(&Vec3, f64, f64)) {
    let area = (q - p).cross(&(r - p)).dot(&facet.n) / 6.0;
    let sum = p + q + r;
    for corner in [p, q, r] {
        let x = (sum + 3.0 * corner) / 6.0;
        visit(&x, facet.of_a.at(&x), area);
    }
}
