//! Forces of a patch.

use super::clip::clip_triangle;
use super::motion::{Damped, PatchMotion};
use super::overlap::{Facet, Patch};
use super::points::{Losses, Points, Pressed};
use super::wrench::PatchForce;
use crate::contact::ContactConstants;
use crate::contact::progress::progress;
use crate::math::Vec3;

/// Fractions of the load of a patch: a polygon that carries less than the first one is sampled at one point, one that
/// carries more than the second one all over, those between in both ways.
const LIGHT: f64 = 1e-3;
const HEAVY: f64 = 1e-2;

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

impl Patch {
    /// Forces of the law for a motion.
    #[must_use]
    pub fn response(&self, law: &ContactConstants, motion: &PatchMotion) -> PatchForce {
        let normal = self.normal();
        let mut total = PatchForce::NONE;
        let (zero, damped) = (Vec3::zeros(), Damped::new(self.damping(law), motion, &normal));
        let material = motion.material;
        let mut losses = Losses { law, damped, material, normal, taken: 0.0, at: zero, friction: zero, torque: zero };
        let mut points = Points::NONE;
        for facet in self.facets() {
            total.add(&facet.center, &(facet.load * facet.n));
            let cosine = facet.n.dot(&normal).max(0.0);
            if cosine == 0.0 {
                continue;
            }
            let part = self.sampled_part(facet);
            if part < 1.0 {
                let left = losses.damped.at(&facet.center).max(0.0);
                losses.add_at(&facet.center, cosine * ((1.0 - part) * facet.load), left);
            }
            if part > 0.0 {
                let polygon = Pressed { pressure: facet.of_a, part, cosine };
                let damped = losses.damped;
                self.for_each_triangle(facet, &damped, |triangle, weight, is_released| {
                    if points.are_complete() {
                        points.act(&polygon, &mut losses);
                    }
                    points.add_triangle(triangle, &(weight * facet.n), is_released);
                });
                points.act(&polygon, &mut losses);
            }
        }
        total.f -= losses.taken * normal + losses.friction;
        total.tau -= losses.at.cross(&normal) + losses.torque;
        // Neither the elastic pressure nor damping drives the sides.
        let turning = self.turning_force(&losses.at, losses.taken);
        PatchForce { f: total.f + turning.f, tau: total.tau + turning.tau }
    }

    /// Damping coefficient at the patch's depth \[s/m\].
    fn damping(&self, law: &ContactConstants) -> f64 {
        let carried = self.carried();
        law.damping_at(carried.force(), carried.depth()).0
    }

    /// The law with the damping coefficient of the patch's depth.
    pub(super) fn damped(&self, law: &ContactConstants) -> ContactConstants {
        ContactConstants { d: self.damping(law), ..*law }
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

    /// Part of the load of a polygon that is sampled all over, not at one point.
    fn sampled_part(&self, facet: &Facet) -> f64 {
        progress([LIGHT, HEAVY - LIGHT], facet.load / self.carried_force())
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
        let damped = Damped::new(law.d, motion, &self.normal());
        let part = self.sampled_part(facet);
        if part < 1.0 {
            let left = damped.at(&facet.center).max(0.0);
            let rest = 1.0 - part;
            visit(&Sample { x: facet.center, area: rest * facet.area, load: rest * facet.load, left });
        }
        if part > 0.0 {
            self.for_each_triangle(facet, &damped, |triangle, weight, is_released| {
                sample(triangle, facet, &mut |x, p, area| {
                    let (left, area) = (if is_released { 0.0 } else { damped.at(x) }, weight * area);
                    visit(&Sample { x: *x, area: part * area, load: part * p * area, left });
                });
            });
        }
    }

    /// Visits triangles that are the polygon together, with their weights, and whether damping would pull all over each
    /// of them; it pulls nowhere on the others.
    #[inline(always)]
    fn for_each_triangle(&self, facet: &Facet, damped: &Damped, mut visit: impl FnMut(&[Vec3; 3], f64, bool)) {
        let polygon = self.polygon(facet);
        let positive = polygon.iter().filter(|corner| damped.at(corner) >= 0.0).count();
        if positive == 0 || positive == polygon.len() {
            around(&facet.center, polygon).for_each(|triangle| visit(&triangle, 1.0, positive == 0));
            return;
        }
        for triangle in around(&facet.center, polygon) {
            for (is_released, c, g) in [(false, damped.c, damped.g), (true, -damped.c, -damped.g)] {
                match clip_triangle(&triangle, c, &g) {
                    ([p, q, r, _], 3) => visit(&[p, q, r], 1.0, is_released),
                    // Moments are not integrated exactly. One diagonal would be the other one for A and B exchanged;
                    // both together change nothing where two corners meet.
                    ([p, q, r, s], 4) => {
                        for half in [[p, q, r], [p, r, s], [q, r, s], [q, s, p]] {
                            visit(&half, 0.5, is_released);
                        }
                    }
                    _ => {}
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

/// Triangles around a point of a polygon. It must not depend on how many corners lie next to each other, which rounding
/// errors decide: friction is not integrated exactly, and its error would jump.
fn around<'a>(middle: &'a Vec3, polygon: &'a [Vec3]) -> impl Iterator<Item = [Vec3; 3]> + 'a {
    let mut before = polygon.last().unwrap_or(middle);
    polygon.iter().map(move |at| [*middle, *std::mem::replace(&mut before, at), *at])
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
