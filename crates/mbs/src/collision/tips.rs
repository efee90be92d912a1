//! What of a shape can touch flat ground.

use super::convex_shape::ConvexShape;
use super::core::{Core, along};
use crate::math::Vec3;

/// Corners up to which a mesh meets flat ground with each of them.
const MOST_CORNERS: usize = 32;

impl ConvexShape {
    /// Points and discs, swept as the shape is, whose hull the shape is: it touches a half-space only where one of them does. On a
    /// face or a straight edge several touch at once, each by itself. Empty where the shape is better taken as a whole: round shapes
    /// and meshes of many corners.
    #[must_use]
    pub(crate) fn tips(&self) -> Vec<ConvexShape> {
        let corner = |at: Vec3| ConvexShape::from_core(Core::Point, self.center + at, self.radius);
        match &self.core {
            Core::Point | Core::Ellipsoid { .. } | Core::HalfSpace { .. } => Vec::new(),
            Core::Segment { half } => vec![corner(*half), corner(-half)],
            Core::Box { .. } => (0..8).map(|k| corner(self.core.generator(k).center)).collect(),
            Core::Frustum { axis, heights, radii } => {
                (0..2).map(|end| self.disc(along(*axis, heights[end]), *axis, radii[end])).collect()
            }
            Core::Beam { axis, radius, .. } => {
                (0..4).map(|k| self.disc(self.core.generator(k).center, (axis + 2) % 3, *radius)).collect()
            }
            Core::Hull { vertices } => {
                let corners: Vec<Vec3> = vertices.all().take(MOST_CORNERS + 1).collect();
                if corners.len() > MOST_CORNERS { Vec::new() } else { corners.into_iter().map(corner).collect() }
            }
        }
    }

    fn disc(&self, at: Vec3, axis: usize, radius: f64) -> ConvexShape {
        let core =
            if radius > 0.0 { Core::Frustum { axis, heights: [0.0; 2], radii: [radius; 2] } } else { Core::Point };
        ConvexShape::from_core(core, self.center + at, self.radius)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::collision::{PairCache, distance};
    use crate::math::{Pose, rotation_about};
    use crate::solid::{Axis, Shape};

    fn shapes() -> Vec<ConvexShape> {
        let (length, diameter) = (0.3, 0.1);
        let primitives = [
            Shape::Box { lengths: [0.1, 0.2, 0.3] },
            Shape::Capsule { axis: Axis::Y, diameter, length },
            Shape::Cylinder { axis: Axis::X, diameter, length, inner_diameter: 0.0 },
            Shape::Cone { axis: Axis::Z, diameter, top_diameter: 0.04, length },
            Shape::Cone { axis: Axis::Z, diameter, top_diameter: 0.0, length },
            Shape::Beam { axis: Axis::Y, length, width: diameter, thickness: 0.05 },
        ];
        let smoothed = primitives.iter().map(|shape| ConvexShape::new(shape, 0.002).unwrap());
        let sharp = primitives.iter().map(|shape| ConvexShape::new(shape, 0.0).unwrap());
        smoothed.chain(sharp).collect()
    }

    #[test]
    fn the_lowest_tip_is_as_low_as_the_shape() {
        let ground = ConvexShape::half_space(Axis::Z);
        let above = |shape: &ConvexShape, at: &Pose| {
            distance(&ground, &Pose::identity(), shape, at, &mut PairCache::default()).distance
        };
        for shape in shapes() {
            for k in 0..50 {
                let k = f64::from(k);
                let axis = Vec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin()).normalize();
                let at = Pose { rotation: rotation_about(&axis, k), translation: Vec3::new(1.0, -2.0, 0.1) };
                let lowest = shape.tips().iter().map(|tip| above(tip, &at)).fold(f64::INFINITY, f64::min);
                assert!((lowest - above(&shape, &at)).abs() < 1e-15, "{shape:?} at {at:?}");
            }
        }
    }

    #[test]
    fn round_shapes_are_taken_as_a_whole() {
        for shape in [Shape::Sphere { diameter: 0.1 }, Shape::Ellipsoid { lengths: [0.1, 0.2, 0.3] }] {
            assert!(ConvexShape::new(&shape, 0.0).unwrap().tips().is_empty());
        }
    }
}
