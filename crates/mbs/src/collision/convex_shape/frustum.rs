//! Cylinders and cones by their flat ends and round sides, for contacts with polyhedra.

use super::ConvexShape;
use crate::collision::core::{Core, along};
use crate::collision::regular_polygon::{SIDES, half_turns, widening};
use crate::math::Vec3;
use std::f64::consts::PI;

/// Fraction of the radius by which the spine keeps away from the ends.
const INSET: f64 = 0.999;

/// The rim of an end, in the shape frame S.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// Its centre \[m\].
    pub center: Vec3,
    /// Unit vector along the axis, out of the end.
    pub axis: Vec3,
    /// Its radius \[m\]; zero for the tip of a cone.
    pub radius: f64,
}

impl Rim {
    /// Its farthest point along a direction n.
    #[must_use]
    pub fn foremost(&self, n: &Vec3) -> Vec3 {
        let across = n - self.axis * self.axis.dot(n);
        self.center + across.try_normalize(0.0).unwrap_or_else(Vec3::zeros) * self.radius
    }

    /// How much farther than its nearest point that is, for a unit vector n \[m\].
    #[must_use]
    pub fn rise(&self, n: &Vec3) -> f64 {
        2.0 * self.radius * (n - self.axis * self.axis.dot(n)).norm()
    }
}

/// A cylinder, cone or frustum with sharp rims, in the shape frame S.
#[derive(Clone, Debug, PartialEq)]
pub struct Frustum {
    axis: usize,
    center: Vec3,
    /// Along the axis from the centre \[m\].
    half_length: f64,
    /// At both ends \[m\].
    radii: [f64; 2],
    sharp: ConvexShape,
    spine: ConvexShape,
}

impl Frustum {
    /// A frustum around `center` with radii \[m\] at the lower and the upper end.
    pub(in crate::collision) fn new(axis: usize, center: Vec3, half_length: f64, radii: [f64; 2]) -> Self {
        let core = Core::Frustum { axis, heights: [-half_length, half_length], radii };
        let reach = half_length - INSET * radii[0].max(radii[1]).min(half_length);
        let spine = if reach > 0.0 { Core::Segment { half: along(axis, reach) } } else { Core::Point };
        Self {
            axis,
            center,
            half_length,
            radii,
            sharp: ConvexShape::from_core(core, center, 0.0),
            spine: ConvexShape::from_core(spine, center, 0.0),
        }
    }

    /// The same at another place.
    pub(in crate::collision) fn moved(&self, by: Vec3) -> Self {
        Self::new(self.axis, self.center + by, self.half_length, self.radii)
    }

    /// Index of the axis in S.
    #[must_use]
    pub fn axis(&self) -> usize {
        self.axis
    }

    /// Half of its length along the axis \[m\].
    #[must_use]
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    /// Radii of its ends \[m\].
    pub(in crate::collision) fn radii(&self) -> [f64; 2] {
        self.radii
    }

    /// The rim of the lower end, 0, or the upper one, 1.
    #[must_use]
    pub fn rim(&self, end: usize) -> Rim {
        let axis = along(self.axis, if end == 0 { -1.0 } else { 1.0 });
        Rim { center: self.center + self.half_length * axis, axis, radius: self.radii[end] }
    }

    /// The part of a vector of S at right angles to the axis.
    #[must_use]
    pub fn across_axis(&self, x: &Vec3) -> Vec3 {
        let mut across = *x;
        across[self.axis] = 0.0;
        across
    }

    /// Middle of the axis in S \[m\].
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Radius of a sphere around the centre that contains the faces of all turns \[m\].
    #[must_use]
    pub fn radius(&self) -> f64 {
        elementary::hypot(self.half_length, self.greatest_radius() * widening())
    }

    /// The greater one of the radii of both ends \[m\].
    #[must_use]
    pub fn greatest_radius(&self) -> f64 {
        self.radii[0].max(self.radii[1])
    }

    /// Smallest distance of a face from the centre \[m\].
    #[must_use]
    pub fn half_thickness(&self) -> f64 {
        self.half_length.min(0.5 * (self.radii[0] + self.radii[1]))
    }

    /// Area of the larger end \[m²\].
    #[must_use]
    pub fn area(&self) -> f64 {
        PI * self.greatest_radius().powi(2)
    }

    /// The same shape for queries of its distance from others.
    #[must_use]
    pub fn sharp(&self) -> &ConvexShape {
        &self.sharp
    }

    /// A part of the axis, seen from which other shapes have a smooth direction.
    #[must_use]
    pub fn spine(&self) -> &ConvexShape {
        &self.spine
    }

    /// Outward normals, offsets from the centre and heights of all faces in S, one of the sides facing the direction
    /// `toward`: unit normal, offset \[m\].
    pub fn faces(&self, toward: &Vec3) -> impl Iterator<Item = (Vec3, f64)> + '_ {
        let (u, v) = self.across(toward);
        let slope = (self.radii[0] - self.radii[1]) / (2.0 * self.half_length);
        let middle = 0.5 * (self.radii[0] + self.radii[1]);
        let length = elementary::hypot(slope, 1.0);
        let ends = (0..2).filter(|end| self.radii[*end] > 0.0).map(|end| {
            let side = if end == 0 { -1.0 } else { 1.0 };
            (along(self.axis, side), self.half_length)
        });
        let turns = half_turns();
        let side = move |k: usize| {
            let [cos, sin] = turns[2 * k];
            ((u * cos + v * sin + along(self.axis, slope)) / length, middle / length)
        };
        ends.chain((0..SIDES).map(side))
    }

    /// What these faces enclose.
    #[must_use]
    pub fn faceted(&self, toward: &Vec3) -> ConvexShape {
        let (u, _) = self.across(toward);
        let core = Core::Faceted {
            axis: self.axis,
            heights: [-self.half_length, self.half_length],
            radii: self.radii.map(|radius| radius * widening()),
            front: [u[(self.axis + 1) % 3], u[(self.axis + 2) % 3]],
        };
        ConvexShape::from_core(core, self.center, 0.0)
    }

    /// How far these faces reach beyond the shape at the most \[m\].
    #[must_use]
    pub fn excess(&self) -> f64 {
        self.greatest_radius() * (widening() - 1.0)
    }

    /// Corners of the same faces, relative to the centre, in S \[m\].
    pub fn corners(&self, toward: &Vec3) -> impl Iterator<Item = Vec3> + '_ {
        let (u, v) = self.across(toward);
        let turns = half_turns();
        let widening = widening();
        (0..2).flat_map(move |end| {
            let height = along(self.axis, if end == 0 { -self.half_length } else { self.half_length });
            let count = if self.radii[end] > 0.0 { SIDES } else { 1 };
            (0..count).map(move |k| {
                let [cos, sin] = turns[2 * k + 1];
                height + (u * cos + v * sin) * (self.radii[end] * widening)
            })
        })
    }

    /// Unit vectors at right angles to the axis, the first one as far along `toward` as possible.
    fn across(&self, toward: &Vec3) -> (Vec3, Vec3) {
        let mut u = *toward;
        u[self.axis] = 0.0;
        let u = u.try_normalize(1e-12).unwrap_or_else(|| along((self.axis + 1) % 3, 1.0));
        (u, along(self.axis, 1.0).cross(&u))
    }
}
