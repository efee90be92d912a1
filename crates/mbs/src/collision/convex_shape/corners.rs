//! Corners of shapes that are hulls of few points.

use super::ConvexShape;
use crate::collision::core::{Core, corner};
use crate::math::Vec3;

/// Corners of a box, and of other shapes with as many or fewer.
const MOST_CORNERS: usize = 8;

/// Points whose hull is a shape, but for a sphere that sweeps it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corners {
    points: [Vec3; MOST_CORNERS],
    count: usize,
}

impl Corners {
    fn of(points: impl Iterator<Item = Vec3>) -> Self {
        let mut corners = Self { points: [Vec3::zeros(); MOST_CORNERS], count: 0 };
        for (place, point) in corners.points.iter_mut().zip(points) {
            *place = point;
            corners.count += 1;
        }
        corners
    }

    /// What follows from every point in S \[m\].
    pub fn map<T: Copy>(self, of: impl Fn(&Vec3) -> T) -> impl Iterator<Item = T> + Clone {
        let all = self.points.each_ref().map(of);
        (0..self.count).map(move |k| all[k])
    }
}

impl ConvexShape {
    /// The corners with which a shape meets another one; none where they are many, or where it is round but for a sphere
    /// that sweeps it. A half-space has one, wherever its surface is.
    pub(crate) fn corners(&self, other: &ConvexShape) -> Option<Corners> {
        let shape = self.towards(other);
        let placed = |point: Vec3| shape.center + point;
        match &shape.core {
            Core::Point | Core::HalfSpace { .. } => Some(Corners::of(std::iter::once(shape.center))),
            Core::Segment { half } => Some(Corners::of([*half, -half].into_iter().map(placed))),
            Core::Box { half } => {
                Some(Corners::of((0..MOST_CORNERS as u32).map(|bits| corner(half, bits)).map(placed)))
            }
            Core::Hull { vertices } if vertices.count() as usize <= MOST_CORNERS => {
                Some(Corners::of(vertices.all().map(placed)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::solid::{Axis, Shape};

    /// Whatever the direction, a corner and the sphere around it reach as far as the shape does.
    #[test]
    fn corners_reach_as_far_as_the_shape() {
        let compiled = |shape: Shape<f64>, smoothing| ConvexShape::new(&shape, smoothing).unwrap();
        let ball = compiled(Shape::Sphere { diameter: 0.1 }, 0.0);
        let shapes = [
            compiled(Shape::Box { lengths: [0.1, 0.2, 0.3] }, 0.02),
            compiled(Shape::Sphere { diameter: 0.3 }, 0.0),
            compiled(Shape::Capsule { axis: Axis::X, diameter: 0.2, length: 0.5 }, 0.0),
        ];
        for shape in shapes {
            for n in [[1.0, 0.2, -0.3], [-0.1, 0.9, 0.4], [0.3, -0.5, 0.8], [0.0, 0.0, -1.0]] {
                let n = Vec3::from(n).normalize();
                let corners = shape.corners(&ball).unwrap();
                let reach = corners.map(|point| n.dot(point)).fold(f64::MIN, f64::max) + shape.radius;
                let support = shape.center + shape.core.support(&n).point;
                assert!((reach - n.dot(&support) - shape.radius).abs() < 1e-15);
            }
        }
    }
}
