//! [`ConvexShape`]: the shape as the narrow phase represents it.

pub(super) mod corners;
pub(super) mod frustum;
pub(super) mod polyhedron;
pub(super) mod round_side;
pub(super) mod seam;

use super::core::{Core, along};
use crate::math::{Pose, Vec3};
use crate::solid::{Axis, BoundingBox};
use frustum::Frustum;
use polyhedron::Polyhedron;
use std::sync::Arc;

/// A convex shape compiled for collision queries: a core swept by a sphere.
///
/// The outer size is that of the [`crate::solid::Shape`] it was made from. A smoothing radius shrinks the core and the
/// sphere brings it back to size, so that edges and vertices are rounded and every surface point has a unique normal.
/// A sphere has a point as core and a capsule a segment. Distances between cores are better conditioned than between
/// outer surfaces, because bodies that just touch have cores that are well apart.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexShape {
    /// Core in its own frame C, whose axes are those of the shape frame S.
    pub(super) core: Core,
    /// `p_SC`: origin of the core frame, an interior point \[m\].
    pub(super) center: Vec3,
    /// Radius of the sphere that sweeps the core \[m\].
    pub(super) radius: f64,
    /// Radius of a sphere around the core's origin that contains the core \[m\].
    pub(super) core_extent: f64,
    /// The shape with sharp edges if it is a polyhedron: two of them meet as such, whatever their smoothing.
    pub(super) polyhedron: Option<Arc<Polyhedron>>,
    /// The shape with sharp rims if it is a cylinder or a cone: so it meets polyhedra.
    pub(super) frustum: Option<Arc<Frustum>>,
}

/// Where a point lies to a hollow cylinder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BorePlace {
    /// In its bore, `offset` \[m\] from its axis.
    Inside { axis: Vec3, offset: Vec3 },
    /// In front of its bore.
    Mouth,
    /// Anywhere else: a plane separates it from the whole cylinder if it is outside.
    Outside,
}

/// Which surface with faces or round sides a shape has or belongs to: all sectors of a ring have the same.
#[derive(Debug, Clone)]
pub(crate) enum SurfaceId {
    /// A polyhedron of its own.
    Polyhedron(Arc<Polyhedron>),
    /// A cylinder or cone, or the outside of a ring.
    Frustum(Arc<Frustum>),
}

impl PartialEq for SurfaceId {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (SurfaceId::Polyhedron(a), SurfaceId::Polyhedron(b)) => Arc::ptr_eq(a, b),
            (SurfaceId::Frustum(a), SurfaceId::Frustum(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl ConvexShape {
    /// The surface of a polyhedron, a frustum or a sector of a ring.
    pub(crate) fn surface_id(&self) -> Option<SurfaceId> {
        let ring = self.polyhedron.as_ref().and_then(|own| own.round_side());
        match (ring, &self.polyhedron, &self.frustum) {
            (Some(ring), ..) => Some(SurfaceId::Frustum(ring.shared_outside())),
            (_, Some(own), _) => Some(SurfaceId::Polyhedron(own.clone())),
            (_, _, Some(own)) => Some(SurfaceId::Frustum(own.clone())),
            _ => None,
        }
    }

    pub(in crate::collision) fn from_core(core: Core, center: Vec3, radius: f64) -> ConvexShape {
        let core_extent = core.bounding_radius();
        ConvexShape { core, center, radius, core_extent, polyhedron: None, frustum: None }
    }

    /// The same shape, which is the given polyhedron but for its smoothing.
    pub(in crate::collision) fn with_polyhedron(self, polyhedron: Option<Polyhedron>) -> ConvexShape {
        ConvexShape { polyhedron: polyhedron.map(Arc::new), ..self }
    }

    /// The half-space of all points whose coordinate along `axis` is not positive: ground whose outward normal is
    /// `+axis` of the shape frame.
    #[must_use]
    pub fn half_space(axis: Axis) -> ConvexShape {
        ConvexShape::half_space_core(axis).with_polyhedron(Some(Polyhedron::half_space(axis)))
    }

    pub(in crate::collision) fn half_space_core(axis: Axis) -> ConvexShape {
        ConvexShape::from_core(Core::HalfSpace { axis: axis.index() }, Vec3::zeros(), 0.0)
    }

    /// The same shape, which is the given frustum but for its smoothing.
    pub(in crate::collision) fn with_frustum(self, frustum: Frustum) -> ConvexShape {
        ConvexShape { frustum: Some(Arc::new(frustum)), ..self }
    }

    /// The cylinder, cone or frustum it is, with sharp rims.
    #[must_use]
    pub fn frustum(&self) -> Option<&Frustum> {
        self.frustum.as_deref()
    }

    /// Whether it and another shape press on each other in a patch: polyhedra and frusta do.
    #[must_use]
    pub fn has_patch_with(&self, other: &ConvexShape) -> bool {
        let has_faces = |shape: &ConvexShape| shape.polyhedron.is_some() || shape.frustum.is_some();
        has_faces(self) && has_faces(other)
    }

    /// Smallest distance of a face from the centre \[m\] of a polyhedron or frustum; none for a half-space, which has
    /// no size, and other shapes.
    #[must_use]
    pub fn half_thickness(&self) -> Option<f64> {
        match (&self.polyhedron, &self.frustum) {
            (Some(own), _) => own.half_thickness(),
            (_, own) => own.as_ref().map(|own| own.half_thickness()),
        }
    }

    /// Area of the largest face of a polyhedron or frustum \[m²\]; infinite for others.
    #[must_use]
    pub fn face_area(&self) -> f64 {
        match (&self.polyhedron, &self.frustum) {
            (Some(own), _) => own.area(),
            (_, own) => own.as_ref().map_or(f64::INFINITY, |own| own.area()),
        }
    }

    /// The polyhedron it is, with sharp edges: such shapes meet each other with their faces, edges and corners.
    #[must_use]
    pub fn polyhedron(&self) -> Option<&Polyhedron> {
        self.polyhedron.as_deref()
    }

    /// Whether it is a part of a larger body, with walls to its neighbours inside of that.
    #[must_use]
    pub fn has_walls(&self) -> bool {
        self.polyhedron().is_some_and(|own| !own.walls().is_empty())
    }

    /// Whether it is a polyhedron whose faces do not turn towards what it touches, as the sides of round shapes do.
    #[must_use]
    pub fn has_fixed_faces(&self) -> bool {
        self.polyhedron().is_some_and(|own| own.round_side().is_none())
    }

    /// The shape that meets another one: without smoothing if both press on each other in a patch.
    pub(in crate::collision) fn towards<'a>(&'a self, other: &ConvexShape) -> &'a ConvexShape {
        if self.has_patch_with(other) { self.sharp() } else { self }
    }

    /// The shape without smoothing if it is a polyhedron or a frustum.
    #[must_use]
    pub fn sharp(&self) -> &ConvexShape {
        match (&self.polyhedron, &self.frustum) {
            (Some(own), _) => own.sharp(),
            (_, Some(own)) => own.sharp(),
            _ => self,
        }
    }

    /// Farthest point of the outer surface along a direction of the shape frame S, in S \[m\]. The direction need not
    /// have unit length. A half-space has a farthest point only along its normal and returns its origin for all.
    #[must_use]
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        let length = direction.norm();
        let sweep = if length > 0.0 { direction * (self.radius / length) } else { Vec3::zeros() };
        self.center + self.core.support(direction).point + sweep
    }

    /// A point strictly inside, in S \[m\]. For a half-space the origin of S, which is on its surface.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// [`ConvexShape::center`] as a shape of its own.
    pub(crate) fn center_point(&self) -> ConvexShape {
        ConvexShape::from_core(Core::Point, self.center, 0.0)
    }

    /// Radius of a sphere around [`ConvexShape::center`] that contains the shape \[m\]; infinite for a half-space.
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        let polyhedron = self.polyhedron.as_ref().map(|own| (own.center(), own.radius()));
        let outer = polyhedron.or(self.frustum.as_ref().map(|own| (own.center(), own.radius())));
        let sharp = outer.map_or(0.0, |(center, radius)| (center - self.center).norm() + radius);
        sharp.max(self.core_extent + self.radius)
    }

    /// Smallest box along the axes of W that contains the shape at the pose `X_WS` \[m\]. A half-space is bounded only
    /// where its normal is exactly an axis of W.
    #[must_use]
    pub fn bounding_box(&self, x_ws: &Pose) -> BoundingBox {
        let turns = self.polyhedron.as_ref().is_some_and(|own| own.round_side().is_some());
        if turns || self.radius > 0.0 && (self.polyhedron.is_some() || self.frustum.is_some()) {
            return self.sharp().bounding_box(x_ws);
        }
        let mut bounds = BoundingBox { min: Vec3::zeros(), max: Vec3::zeros() };
        for axis in 0..3 {
            let n_s = x_ws.rotation.row(axis).transpose();
            let origin = x_ws.translation[axis];
            bounds.max[axis] = origin + self.extent(&n_s);
            bounds.min[axis] = origin - self.extent(&-n_s);
        }
        bounds
    }

    /// Radius of the sphere that sweeps the core \[m\]: of a polyhedron the radius of its edges.
    #[must_use]
    pub(crate) fn rounding(&self) -> f64 {
        self.radius
    }

    /// Radius \[m\] if the shape is a sphere.
    #[must_use]
    pub fn sphere_radius(&self) -> Option<f64> {
        matches!(self.core, Core::Point).then_some(self.radius)
    }

    /// Radius \[m\] of a sphere around [`ConvexShape::center`] that contains everything of the shape that moves when it
    /// turns: for a sphere around its own centre nothing.
    #[must_use]
    pub fn turning_radius(&self) -> f64 {
        if self.polyhedron.is_some() || self.frustum.is_some() { self.bounding_radius() } else { self.core_extent }
    }

    /// The axis through [`ConvexShape::center`] about which the shape may turn without a change of its surface, if
    /// there is one and it is no sphere: a unit vector in S.
    #[must_use]
    pub fn axis_of_revolution(&self) -> Option<Vec3> {
        match self.core {
            Core::Frustum { axis, .. } | Core::Rim { axis, .. } | Core::Tube { axis, .. } => Some(along(axis, 1.0)),
            Core::Segment { half } => half.try_normalize(0.0),
            _ => None,
        }
    }

    /// Whether the shape is curved everywhere: a sphere or an ellipsoid.
    #[must_use]
    pub(crate) fn is_curved(&self) -> bool {
        matches!(self.core, Core::Point | Core::Ellipsoid { .. })
    }

    /// Radius \[m\] of a sphere around the origin of S.
    pub(crate) fn ball_radius(&self) -> Option<f64> {
        (matches!(self.core, Core::Point) && self.center == Vec3::zeros()).then_some(self.radius)
    }

    /// Radius of the bore \[m\] and half of the wall or the length, whichever is less \[m\], of the whole of a hollow
    /// cylinder. Its centre is not inside it.
    #[must_use]
    pub(crate) fn bore(&self) -> Option<[f64; 2]> {
        match self.core {
            Core::Tube { half_length, radii, .. } => Some([radii[0], half_length.min(0.5 * (radii[1] - radii[0]))]),
            _ => None,
        }
    }

    /// Where a point \[m\] in S lies to the whole of a hollow cylinder.
    #[must_use]
    pub(crate) fn place_at_bore(&self, point: &Vec3) -> Option<BorePlace> {
        let Core::Tube { axis, half_length, radii } = self.core else { return None };
        let mut offset = *point;
        offset[axis] = 0.0;
        Some(match (offset.norm() < radii[0], point[axis].abs() <= half_length) {
            (true, true) => BorePlace::Inside { axis: along(axis, 1.0), offset },
            (true, false) => BorePlace::Mouth,
            (false, _) => BorePlace::Outside,
        })
    }

    /// Whether the shape is the hull of given points, as those of a mesh.
    pub(crate) fn is_hull(&self) -> bool {
        matches!(self.core, Core::Hull { .. })
    }

    /// Whether the shape is a half-space.
    #[must_use]
    pub fn is_half_space(&self) -> bool {
        matches!(self.core, Core::HalfSpace { .. })
    }

    /// Whether the shape is a point of a rim, which is another one from time to time.
    pub(crate) fn is_rim(&self) -> bool {
        matches!(self.core, Core::Rim { .. })
    }

    /// Support function: how far the shape reaches from So along a unit vector of S \[m\].
    fn extent(&self, n: &Vec3) -> f64 {
        if let Core::HalfSpace { axis } = self.core {
            let normal_only = (0..3).all(|i| i == axis || n[i] == 0.0);
            return if normal_only && n[axis] > 0.0 { 0.0 } else { f64::INFINITY };
        }
        n.dot(&(self.center + self.core.support(n).point)) + self.radius
    }
}
