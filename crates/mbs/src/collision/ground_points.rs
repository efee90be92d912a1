//! Points of a shape that can touch flat ground.
//!
//! A half-space touches the convex hull of a shape at the points and discs that generate this hull. Both ends of a
//! capsule that lies on the ground touch at once, each by itself. So do three points of a disc: the lowest one, and the
//! two a third of the rim away from it on either side, which rise when the disc is tilted. As functions of the tilt, a
//! vector, their distances have a corner at zero, but the sum of their forces does not: to first order in the tilt it
//! is constant, to second order it is isotropic.

use super::convex_shape::ConvexShape;
use super::core::{Core, along};
use crate::math::Vec3;
use crate::solid::Shape;

/// Cosine and sine of the angles on a rim at which it meets flat ground, from the lowest point on.
const ON_RIM: [[f64; 2]; 3] = [[1.0, 0.0], [-0.5, HALF_ROOT_3], [-0.5, -HALF_ROOT_3]];

const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

impl ConvexShape {
    /// Points and points of rims, swept as the shape is, that meet a half-space in place of the shape with the given
    /// convex pieces. Empty where it is better taken as it is: round shapes, polyhedra and height fields.
    #[must_use]
    pub(crate) fn ground_points(shape: &Shape<f64>, pieces: &[ConvexShape]) -> Vec<ConvexShape> {
        match (shape, pieces) {
            (Shape::Capsule { .. }, [_, ends @ ..]) if !ends.is_empty() => ends.to_vec(),
            (Shape::Beam { axis, length, width, thickness }, [_, disc, ..]) => {
                let (radius, half_thickness) = (width / 2.0 - disc.radius, thickness / 2.0 - disc.radius);
                let core = Core::Beam { axis: axis.index(), half_length: length / 2.0, radius, half_thickness };
                ConvexShape::from_core(core, Vec3::zeros(), disc.radius).own_ground_points()
            }
            (_, [piece]) => piece.own_ground_points(),
            (Shape::Cylinder { axis, diameter, length, .. }, _) => {
                let whole = Core::Frustum {
                    axis: axis.index(),
                    heights: [-length / 2.0, length / 2.0],
                    radii: [diameter / 2.0; 2],
                };
                ConvexShape::from_core(whole, Vec3::zeros(), 0.0).own_ground_points()
            }
            _ => Vec::new(),
        }
    }

    fn own_ground_points(&self) -> Vec<ConvexShape> {
        let corner = |at: Vec3| ConvexShape::from_core(Core::Point, self.center + at, self.radius);
        match &self.core {
            // Polyhedra have patches.
            Core::Point
            | Core::Ellipsoid { .. }
            | Core::HalfSpace { .. }
            | Core::Rim { .. }
            | Core::Tube { .. }
            | Core::Box { .. }
            | Core::Faceted { .. }
            | Core::Hull { .. } => Vec::new(),
            Core::Segment { half } => vec![corner(*half), corner(-half)],
            Core::Frustum { axis, heights, radii } => {
                (0..2).flat_map(|end| self.disc(along(*axis, heights[end]), *axis, radii[end])).collect()
            }
            Core::Beam { axis, radius, .. } => {
                (0..4).flat_map(|k| self.disc(self.core.generator(k).center, (axis + 2) % 3, *radius)).collect()
            }
        }
    }

    /// The points of a disc that meet flat ground; one where it has no extent.
    fn disc(&self, at: Vec3, axis: usize, radius: f64) -> Vec<ConvexShape> {
        let point = |core| ConvexShape::from_core(core, self.center + at, self.radius);
        if radius > 0.0 {
            ON_RIM.map(|turn| point(Core::Rim { axis, radius, turn })).to_vec()
        } else {
            vec![point(Core::Point)]
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::collision::{PairCache, distance};
    use crate::math::{Pose, rotation_about};
    use crate::solid::Axis;

    fn shapes() -> Vec<Shape> {
        let (length, diameter) = (0.3, 0.1);
        vec![
            Shape::Capsule { axis: Axis::Y, diameter, length },
            Shape::Cylinder { axis: Axis::X, diameter, length, inner_diameter: 0.0 },
            Shape::Cone { axis: Axis::Z, diameter, top_diameter: 0.04, length },
            Shape::Cone { axis: Axis::Z, diameter, top_diameter: 0.0, length },
            Shape::Beam { axis: Axis::Y, length, width: diameter, thickness: 0.05 },
        ]
    }

    fn height(shape: &ConvexShape, at: &Pose) -> f64 {
        let ground = ConvexShape::half_space(Axis::Z);
        distance(&ground, &Pose::identity(), shape, at, &mut PairCache::default()).distance
    }

    fn lowest(shapes: &[ConvexShape], at: &Pose) -> f64 {
        shapes.iter().map(|shape| height(shape, at)).fold(f64::INFINITY, f64::min)
    }

    fn poses() -> impl Iterator<Item = Pose> {
        (0..50).map(f64::from).map(|k| {
            let axis = Vec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin()).normalize();
            Pose { rotation: rotation_about(&axis, k), translation: Vec3::new(1.0, -2.0, 0.1) }
        })
    }

    #[test]
    fn the_lowest_ground_point_is_as_low_as_the_shape() {
        for (shape, smoothing) in shapes().iter().flat_map(|shape| [(shape, 0.0), (shape, 0.002)]) {
            let pieces = ConvexShape::pieces(shape, smoothing).unwrap();
            let points = ConvexShape::ground_points(shape, &pieces);
            // With its smoothing, which it loses towards what it has patches with.
            let whole = [ConvexShape { frustum: None, ..ConvexShape::new(shape, smoothing).unwrap() }];
            for at in poses() {
                assert!((lowest(&points, &at) - lowest(&whole, &at)).abs() < 1e-15, "{shape:?} at {at:?}");
            }
        }
    }

    #[test]
    fn a_tube_meets_the_ground_as_the_cylinder_around_it() {
        let [tube, cylinder] = [0.08, 0.0].map(|inner_diameter| {
            let shape = Shape::Cylinder { axis: Axis::X, diameter: 0.1, length: 0.3, inner_diameter };
            ConvexShape::ground_points(&shape, &ConvexShape::pieces(&shape, 0.0).unwrap())
        });
        assert_eq!(tube, cylinder);
    }

    /// Sum of the powers 5/2 of the depths at which a disc meets the ground: its elastic energy.
    fn energy(tilt: f64, direction: f64) -> f64 {
        let shape = Shape::Cylinder { axis: Axis::Z, diameter: 2.0, length: 1.0, inner_diameter: 0.0 };
        let points = ConvexShape::ground_points(&shape, &ConvexShape::pieces(&shape, 0.0).unwrap());
        let axis = Vec3::new(direction.cos(), direction.sin(), 0.0);
        let at = Pose { rotation: rotation_about(&axis, tilt), translation: Vec3::new(0.0, 0.0, 0.49) };
        points.iter().map(|point| (-height(point, &at)).max(0.0).powf(2.5)).sum()
    }

    #[test]
    fn a_disc_on_the_ground_is_as_stiff_against_tilt_in_all_directions() {
        // Three points: to second order 3/4 of the second derivative, times the square of tilt and radius.
        let curvature = 0.75 * 2.5 * 1.5 * 0.01_f64.sqrt();
        let upright = energy(0.0, 0.0);
        for k in 0..12 {
            let direction = 0.6 * f64::from(k);
            for tilt in [1e-4, 3e-4] {
                let rise = energy(tilt, direction) - upright;
                // The middle of the rim is lower by half of the height times a half of the square of the tilt.
                let sunk = 3.0 * 2.5 * 0.01_f64.powf(1.5) * (-0.25 * tilt * tilt);
                assert!((rise - sunk - curvature * tilt * tilt).abs() < 0.02 * curvature * tilt * tilt, "{direction}");
            }
            assert!((energy(1e-13, direction) - upright).abs() < 1e-15);
        }
    }

    #[test]
    fn round_shapes_and_polyhedra_are_taken_as_a_whole() {
        let lengths = [0.1, 0.2, 0.3];
        for shape in [Shape::Sphere { diameter: 0.1 }, Shape::Ellipsoid { lengths }, Shape::Box { lengths }] {
            assert!(ConvexShape::ground_points(&shape, &ConvexShape::pieces(&shape, 0.0).unwrap()).is_empty());
        }
    }
}
