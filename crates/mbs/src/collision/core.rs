//! Cores: what is swept by a sphere to give a collision shape.

use super::generator::Generator;
use super::regular_polygon::{SIDES, facing_corner, out_of_axis};
use super::vertex_list::VertexList;
use crate::math::Vec3;
use std::sync::Arc;

/// Convex core around the origin of its own frame, which lies strictly inside (or on it where it has no inside).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Core {
    /// The origin.
    Point,
    /// From `-half` to `half`.
    Segment { half: Vec3 },
    /// Box with the given half lengths.
    Box { half: Vec3 },
    /// Ellipsoid with the squares of its semi-axes.
    Ellipsoid { squares: Vec3 },
    /// Hull of two coaxial discs at `heights` along the axis: cylinder, cone, frustum.
    Frustum { axis: usize, heights: [f64; 2], radii: [f64; 2] },
    /// Hull of two coaxial regular polygons at `heights` along the axis, whose corners are at the given radii; one of its
    /// sides faces the direction with the given cosine and sine of the angle about the axis.
    Faceted { axis: usize, heights: [f64; 2], radii: [f64; 2], front: [f64; 2] },
    /// A disc that a half-space meets at one point of its rim: as far from the lowest point as `turn` says, cosine and
    /// sine of the angle about the axis.
    Rim { axis: usize, radius: f64, turn: [f64; 2] },
    /// Hull of four discs: bar along `axis` with half cylinders at its ends, whose axis is the second after `axis`.
    Beam { axis: usize, half_length: f64, radius: f64, half_thickness: f64 },
    /// Hull of points.
    Hull { vertices: Arc<VertexList> },
    /// All points between two coaxial cylinders. It is not convex and meets spheres only, by a formula; its support
    /// points are those of its convex hull.
    Tube { axis: usize, half_length: f64, radii: [f64; 2] },
    /// All points whose coordinate along the axis is not positive.
    HalfSpace { axis: usize },
}

/// Flat end of a core: all points within a radius of a segment in a plane perpendicular to an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FlatEnd {
    /// Middle of the segment in the core frame \[m\].
    pub(super) center: Vec3,
    /// Index of the axis.
    pub(super) axis: usize,
    /// Half of the segment, zero for a disc \[m\].
    pub(super) reach: Vec3,
    /// The radius \[m\].
    pub(super) radius: f64,
}

/// A support point and the generator it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CorePoint {
    /// Position in the core frame \[m\].
    pub(super) point: Vec3,
    /// Number of the generator within the core.
    pub(super) generator: u32,
}

impl Core {
    /// Farthest point along `n` (any length but zero); of equally far ones always the same.
    #[inline]
    pub(super) fn support(&self, n: &Vec3) -> CorePoint {
        match self {
            Core::Point | Core::HalfSpace { .. } => CorePoint { point: Vec3::zeros(), generator: 0 },
            Core::Segment { half } => {
                let generator = u32::from(half.dot(n) < 0.0);
                CorePoint { point: if generator == 0 { *half } else { -half }, generator }
            }
            Core::Box { half } => {
                let generator = u32::from(n.x < 0.0) | u32::from(n.y < 0.0) << 1 | u32::from(n.z < 0.0) << 2;
                CorePoint { point: corner(half, generator), generator }
            }
            Core::Ellipsoid { .. } | Core::Rim { .. } => {
                CorePoint { point: self.generator(0).support(n), generator: 0 }
            }
            Core::Frustum { axis, heights, radii } => {
                let spread = perpendicular(n, *axis);
                let height = |end: usize| heights[end] * n[*axis] + radii[end] * spread;
                let generator = u32::from(height(1) > height(0));
                CorePoint { point: self.generator(generator).support(n), generator }
            }
            Core::Faceted { axis, heights, radii, front } => {
                let corner = facing_corner(*axis, front, n);
                let out = out_of_axis(*axis, front, corner).dot(n);
                let height = |end: usize| heights[end] * n[*axis] + radii[end] * out;
                let generator = 2 * corner as u32 + u32::from(height(1) > height(0));
                CorePoint { point: self.generator(generator).center, generator }
            }
            Core::Tube { axis, .. } => {
                let generator = u32::from(n[*axis] < 0.0);
                CorePoint { point: self.generator(generator).support(n), generator }
            }
            Core::Beam { axis, .. } => {
                let generator = u32::from(n[*axis] < 0.0) | u32::from(n[(axis + 2) % 3] < 0.0) << 1;
                CorePoint { point: self.generator(generator).support(n), generator }
            }
            Core::Hull { vertices } => {
                let generator = vertices.farthest(n);
                CorePoint { point: vertices.vertex(generator), generator }
            }
        }
    }

    /// The generator with a number that [`Core::support`] returned.
    #[inline]
    pub(super) fn generator(&self, number: u32) -> Generator {
        match self {
            Core::Point | Core::HalfSpace { .. } => Generator::point(Vec3::zeros()),
            Core::Segment { half } => Generator::point(if number == 0 { *half } else { -half }),
            Core::Box { half } => Generator::point(corner(half, number)),
            Core::Ellipsoid { squares } => Generator { center: Vec3::zeros(), squares: *squares },
            Core::Frustum { axis, heights, radii } => {
                let end = (number & 1) as usize;
                disc(along(*axis, heights[end]), *axis, radii[end])
            }
            Core::Faceted { axis, heights, radii, front } => {
                let end = (number & 1) as usize;
                let out = out_of_axis(*axis, front, (number / 2) as usize);
                Generator::point(along(*axis, heights[end]) + radii[end] * out)
            }
            Core::Rim { axis, radius, .. } => disc(Vec3::zeros(), *axis, *radius),
            Core::Tube { axis, half_length, radii } => {
                let side = if number == 0 { 1.0 } else { -1.0 };
                disc(along(*axis, side * half_length), *axis, radii[1])
            }
            Core::Beam { axis, half_length, radius, half_thickness } => {
                let third = (axis + 2) % 3;
                let side = |bit: u32| if number & bit == 0 { 1.0 } else { -1.0 };
                disc(along(*axis, side(1) * half_length) + along(third, side(2) * half_thickness), third, *radius)
            }
            Core::Hull { vertices } => Generator::point(vertices.vertex(number)),
        }
    }

    /// Number of generators.
    pub(super) fn count(&self) -> u32 {
        match self {
            Core::Point | Core::HalfSpace { .. } | Core::Ellipsoid { .. } | Core::Rim { .. } => 1,
            Core::Segment { .. } | Core::Frustum { .. } | Core::Tube { .. } => 2,
            Core::Beam { .. } => 4,
            Core::Faceted { .. } => 2 * SIDES as u32,
            Core::Box { .. } => 8,
            Core::Hull { vertices } => vertices.count(),
        }
    }

    /// The flat end that a generator belongs to.
    pub(super) fn flat_end(&self, number: u32) -> Option<FlatEnd> {
        match self {
            Core::Frustum { axis, heights, radii } => {
                let end = (number & 1) as usize;
                let (center, radius) = (along(*axis, heights[end]), radii[end]);
                (radius > 0.0).then_some(FlatEnd { center, axis: *axis, reach: Vec3::zeros(), radius })
            }
            Core::Beam { axis, half_length, radius, half_thickness } => {
                let third = (axis + 2) % 3;
                let height = if number & 2 == 0 { *half_thickness } else { -half_thickness };
                let reach = along(*axis, *half_length);
                Some(FlatEnd { center: along(third, height), axis: third, reach, radius: *radius })
            }
            _ => None,
        }
    }

    /// Radius of a sphere around the origin that contains the core \[m\].
    pub(super) fn bounding_radius(&self) -> f64 {
        match self {
            Core::Point => 0.0,
            Core::Segment { half } | Core::Box { half } => half.norm(),
            Core::Ellipsoid { squares } => squares.max().sqrt(),
            Core::Rim { radius, .. } => *radius,
            Core::Frustum { heights, radii, .. } | Core::Faceted { heights, radii, .. } => {
                elementary::hypot(heights[0], radii[0]).max(elementary::hypot(heights[1], radii[1]))
            }
            Core::Tube { half_length, radii, .. } => elementary::hypot(*half_length, radii[1]),
            Core::Beam { half_length, radius, half_thickness, .. } => {
                elementary::hypot(half_length + radius, *half_thickness)
            }
            Core::Hull { vertices } => vertices.reach(),
            Core::HalfSpace { .. } => f64::INFINITY,
        }
    }

    /// Place in the fixed order of kinds, by which a pair is sorted.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Core::Point => 0,
            Core::Segment { .. } => 1,
            Core::Box { .. } => 2,
            Core::Frustum { .. } | Core::Rim { .. } => 3,
            Core::Beam { .. } => 4,
            Core::Ellipsoid { .. } => 5,
            Core::Hull { .. } => 6,
            Core::Tube { .. } => 7,
            Core::Faceted { .. } => 8,
            // The last one: it has no support points but for its formula with all others.
            Core::HalfSpace { .. } => 9,
        }
    }
}

/// Vector with one component.
#[inline]
pub(super) fn along(axis: usize, value: f64) -> Vec3 {
    let mut vector = Vec3::zeros();
    vector[axis] = value;
    vector
}

/// Length of the part of `n` perpendicular to an axis.
#[inline]
fn perpendicular(n: &Vec3, axis: usize) -> f64 {
    let (u, v) = (n[(axis + 1) % 3], n[(axis + 2) % 3]);
    (u * u + v * v).sqrt()
}

#[inline]
fn disc(center: Vec3, axis: usize, radius: f64) -> Generator {
    let mut squares = Vec3::repeat(radius * radius);
    squares[axis] = 0.0;
    Generator { center, squares }
}

/// Corner of a box; bit i set: negative along axis i.
#[inline]
pub(super) fn corner(half: &Vec3, bits: u32) -> Vec3 {
    let side = |i: usize| if bits >> i & 1 == 0 { half[i] } else { -half[i] };
    Vec3::new(side(0), side(1), side(2))
}
