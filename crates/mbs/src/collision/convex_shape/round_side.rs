//! The round outside of a sector of a ring.

use super::frustum::Frustum;
use crate::collision::core::along;
use crate::math::Vec3;
use std::f64::consts::PI;
use std::sync::Arc;

/// The outer faces of a sector of a ring, in its shape frame S. Those of all sectors form a polygon around the outer
/// circle. Towards a body outside the ring the polygon turns until one of its sides faces that body, as the sides of a
/// cylinder do: it rolls as on a circle. Walls, bore and ends stay where they are.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundSide {
    /// Angles about the axis from the axis after it \[rad\]: where the sector begins, and of one side of the polygon.
    start: f64,
    step: f64,
    /// Number of sides within the sector.
    edges: usize,
    /// Number of the faces of the sector that do not turn; they come first.
    fixed_faces: usize,
    /// Distance of the outer faces from where the pressure is greatest \[m\].
    height: f64,
    /// Mean radius of the wall \[m\].
    middle: f64,
    /// The full cylinder with the outside of the ring.
    outside: Arc<Frustum>,
}

/// What a [`RoundSide`] is made from.
pub(in crate::collision) struct RoundSideParts {
    pub start: f64,
    pub step: f64,
    pub edges: usize,
    pub fixed_faces: usize,
    pub height: f64,
    /// Mean radius of the wall \[m\].
    pub middle: f64,
    /// The full cylinder with the outside of the ring, one for all sectors.
    pub outside: Arc<Frustum>,
}

impl RoundSide {
    pub(in crate::collision) fn new(parts: RoundSideParts) -> Self {
        let RoundSideParts { start, step, edges, fixed_faces, height, middle, outside } = parts;
        Self { start, step, edges, fixed_faces, height, middle, outside }
    }

    /// [`RoundSide::outside`], which all sectors of the ring share.
    pub(in crate::collision) fn shared_outside(&self) -> Arc<Frustum> {
        self.outside.clone()
    }

    /// Number of the faces of the sector that do not turn; they come first.
    #[must_use]
    pub fn fixed_faces(&self) -> usize {
        self.fixed_faces
    }

    /// The full cylinder with the outside of the ring.
    #[must_use]
    pub fn outside(&self) -> &Frustum {
        &self.outside
    }

    /// Whether a body whose distance from the spine of the ring is given \[m\] is outside the ring, not in its bore.
    #[must_use]
    pub fn is_outside(&self, from_spine: f64) -> bool {
        from_spine > self.middle
    }

    /// Distance from which on the sector need not turn towards a body \[m\]: without that, it is less than it seems by no
    /// more than a hundredth.
    #[must_use]
    pub fn near(&self) -> f64 {
        100.0 * (1.0 / elementary::cos(0.5 * self.step) - 1.0) * self.outside.radii()[1]
    }

    /// Outward normals of the outer faces in S that face a body in the direction `toward`, with their offsets and
    /// heights \[m\].
    pub fn faces(&self, toward: &Vec3) -> impl Iterator<Item = (Vec3, f64, f64)> + '_ {
        let first = self.start + self.turn(toward) - 0.5 * self.step;
        let radius = self.outside.radii()[1];
        (0..self.edges + 2).map(move |k| (self.direction(first + k as f64 * self.step), radius, self.height))
    }

    /// Corners between these faces, in S \[m\].
    pub fn corners(&self, toward: &Vec3) -> impl Iterator<Item = Vec3> + '_ {
        let first = self.start + self.turn(toward) - self.step;
        let radius = self.outside.radii()[1] / elementary::cos(0.5 * self.step);
        let axis = self.outside.axis();
        (0..self.edges + 3).flat_map(move |k| {
            let across = self.direction(first + k as f64 * self.step) * radius;
            [-1.0, 1.0].map(|end| across + along(axis, end * self.outside.half_length()))
        })
    }

    /// Greatest distance of these corners from the centre of the sector \[m\], however they turn.
    pub(in crate::collision) fn reach_from(&self, center: &Vec3) -> f64 {
        let farthest = self.corners(&self.direction(self.start));
        farthest.map(|corner| (corner - center).norm()).fold(0.0, f64::max)
    }

    /// Whether the part of the outside that is nearest to a body, which is in the direction `toward` from the spine, may
    /// belong to the sector.
    #[must_use]
    pub fn faces_toward(&self, toward: &Vec3) -> bool {
        // Half a side farther than the sector: so far the side that faces the body may reach into it.
        let beside = (self.angle(toward) - self.start + 0.5 * self.step).rem_euclid(2.0 * PI);
        beside <= (self.edges as f64 + 1.0) * self.step
    }

    /// Whether a point of the full cylinder, in S, is one of the ring.
    #[must_use]
    pub fn has(&self, mut point: Vec3) -> bool {
        point[self.outside.axis()] = 0.0;
        point.norm() > self.middle
    }

    /// How far the polygon turns until a side faces the direction `toward` \[rad\]: at most half a side.
    fn turn(&self, toward: &Vec3) -> f64 {
        let sides = (self.angle(toward) - self.start) / self.step - 0.5;
        (sides - sides.round()) * self.step
    }

    /// Angle of a direction about the axis \[rad\]; that of the first side if it is along the axis.
    fn angle(&self, direction: &Vec3) -> f64 {
        let axis = self.outside.axis();
        let (u, v) = (direction[(axis + 1) % 3], direction[(axis + 2) % 3]);
        let is_across = elementary::hypot(u, v) > 1e-12;
        if is_across { elementary::atan2(v, u) } else { self.start + 0.5 * self.step }
    }

    fn direction(&self, angle: f64) -> Vec3 {
        let axis = self.outside.axis();
        let (sine, cosine) = elementary::sin_cos(angle);
        along((axis + 1) % 3, cosine) + along((axis + 2) % 3, sine)
    }
}
