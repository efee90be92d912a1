//! Where a body may be that moves within bounds: poses in interval arithmetic.

use crate::broad_phase::Aabb;
use crate::collision::ConvexShape;
use crate::expr::Interval;
use crate::math::{Mat3, Pose, Vec3};

/// Relative reserve for rounding errors.
const RESERVE: f64 = 1e-9;

type Row = [Interval; 3];

/// Bounds of a pose `X_WB`: entries of the rotation matrix, and the position \[m\].
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct PoseRange {
    rotation: [Row; 3],
    translation: Row,
}

impl PoseRange {
    /// The pose of the world.
    pub fn identity() -> Self {
        Self { rotation: rows(&Mat3::identity()), translation: row(&Vec3::zeros()) }
    }

    /// A frame with a fixed pose in this one.
    pub fn then(&self, pose: &Pose) -> Self {
        Self { rotation: self.turned(&rows(&pose.rotation)), translation: self.point(&row(&pose.translation)) }
    }

    /// A frame that is turned about an axis of this one by an angle \[rad\], and displaced along it \[m\].
    pub fn moved(&self, axis: &Vec3, angle: Interval, distance: Interval) -> Self {
        let slide = row(axis).map(|component| component * distance);
        let rotation = if angle == Interval::point(0.0) { self.rotation } else { self.turned(&turn(axis, angle)) };
        Self { rotation, translation: self.point(&slide) }
    }

    /// A box that a shape does not leave whose frame this is.
    pub fn contain(&self, shape: &ConvexShape) -> Aabb {
        let bounds = shape.bounding_box(&Pose::identity());
        let side = |k: usize| Interval { low: bounds.min[k], high: bounds.max[k] };
        let (inside, center) = (self.point(&[side(0), side(1), side(2)]), self.point(&row(&shape.center())));
        let radius = shape.bounding_radius();
        let mut around = Aabb::EMPTY;
        for axis in 0..3 {
            let reserve = RESERVE * (radius + center[axis].low.abs().max(center[axis].high.abs()));
            let reserve = if reserve.is_finite() { reserve } else { RESERVE * self.translation[axis].high.abs() };
            around.min[axis] = inside[axis].low.max(center[axis].low - radius) - reserve;
            around.max[axis] = inside[axis].high.min(center[axis].high + radius) + reserve;
        }
        around
    }

    fn point(&self, p: &Row) -> Row {
        [0, 1, 2].map(|i| self.translation[i] + dot(&self.rotation[i], p))
    }

    fn turned(&self, by: &[Row; 3]) -> [Row; 3] {
        let column = |k: usize| [by[0][k], by[1][k], by[2][k]];
        self.rotation.map(|left| [0, 1, 2].map(|k| dot(&left, &column(k))))
    }
}

fn dot(a: &Row, b: &Row) -> Interval {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn row(v: &Vec3) -> Row {
    [v.x, v.y, v.z].map(Interval::point)
}

fn rows(matrix: &Mat3) -> [Row; 3] {
    [0, 1, 2].map(|i| row(&matrix.row(i).transpose()))
}

/// Bounds of the rotation about a unit axis: `e e^T + cos (1 - e e^T) + sin [e]x` (Rodrigues).
fn turn(axis: &Vec3, angle: Interval) -> [Row; 3] {
    let along = axis * axis.transpose();
    let (across, cross) = (Mat3::identity() - along, crate::math::skew(axis));
    let (cos, sin) = (angle.cos(), angle.sin());
    [0, 1, 2].map(|i| {
        [0, 1, 2].map(|k| {
            let at = |matrix: &Mat3| Interval::point(matrix[(i, k)]);
            at(&along) + cos * at(&across) + sin * at(&cross)
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::rotation_about;
    use crate::solid::Shape;

    /// Where a shape is on an arm that turns about one axis and slides along another.
    fn placed(angle: f64, distance: f64) -> Pose {
        let (e, d) = axes();
        let arm = Pose { rotation: rotation_about(&Vec3::x(), 0.4), translation: Vec3::new(1.0, -2.0, 0.5) };
        let turned = Pose { rotation: rotation_about(&e, angle), translation: Vec3::zeros() };
        let slid = Pose { rotation: Mat3::identity(), translation: distance * d };
        [arm, turned, arm, slid].iter().fold(Pose::identity(), |x, next| Pose {
            rotation: x.rotation * next.rotation,
            translation: x.transform(&next.translation),
        })
    }

    fn axes() -> (Vec3, Vec3) {
        (Vec3::new(1.0, 2.0, -1.0).normalize(), Vec3::new(0.0, 0.6, 0.8))
    }

    fn range(angle: [f64; 2], distance: [f64; 2]) -> PoseRange {
        let (e, d) = axes();
        let arm = Pose { rotation: rotation_about(&Vec3::x(), 0.4), translation: Vec3::new(1.0, -2.0, 0.5) };
        let [angle, distance] = [angle, distance].map(|[low, high]| Interval { low, high });
        let still = Interval::point(0.0);
        PoseRange::identity().then(&arm).moved(&e, angle, still).then(&arm).moved(&d, still, distance)
    }

    #[test]
    fn a_box_contains_a_shape_in_all_its_poses_and_shrinks_to_its_box() {
        let shapes = [Shape::Box { lengths: [0.1, 0.4, 2.0] }, Shape::Sphere { diameter: 0.3 }];
        for shape in shapes.map(|shape| ConvexShape::new(&shape, 0.0).unwrap()) {
            for (angle, distance) in [([0.0, 9.0], [-1.0, 1.0]), ([0.3, 0.8], [0.2, 0.2]), ([1.0, 1.0], [0.5, 0.5])] {
                let around = range(angle, distance).contain(&shape);
                for k in 0..=400 {
                    let fraction = f64::from(k) / 400.0;
                    let other = (7.0 * fraction).fract();
                    let at = placed(
                        angle[0] + fraction * (angle[1] - angle[0]),
                        distance[0] + other * (distance[1] - distance[0]),
                    );
                    let here = shape.bounding_box(&at);
                    for axis in 0..3 {
                        assert!(around.min[axis] <= here.min[axis] && here.max[axis] <= around.max[axis]);
                        let is_point = angle[0] == angle[1];
                        assert!(!is_point || here.min[axis] - around.min[axis] < 1e-7);
                        assert!(!is_point || around.max[axis] - here.max[axis] < 1e-7);
                    }
                }
            }
        }
    }

    #[test]
    fn ground_is_as_high_as_it_is() {
        let ground = ConvexShape::half_space(crate::solid::Axis::Z);
        let up = Interval { low: 1.0, high: 2.0 };
        let around = PoseRange::identity().moved(&Vec3::z(), Interval::point(0.0), up).contain(&ground);
        assert!((around.max.z - 2.0).abs() < 1e-8 && around.min.z == f64::NEG_INFINITY);
        assert!(around.max.x == f64::INFINITY);
    }
}
