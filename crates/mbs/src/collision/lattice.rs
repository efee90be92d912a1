//! Points on a lattice so coarse that planes through them, and on which side of these planes others are, are exact.

use super::quickhull::Arithmetic;
use super::twins::distinct;
use crate::math::Vec3;

/// Steps of the lattice along the bounding box of the points. Twice the area of a triangle in a square of this many
/// steps is an integer of at most 52 bits: double precision represents the normal of every triangle exactly, however
/// narrow the triangle is.
const STEPS: f64 = (1_u64 << 26) as f64;

/// Points on a lattice.
pub(super) struct Lattice {
    /// Where they are \[m\], exactly.
    pub(super) places: Vec<Vec3>,
    /// The same in steps of the lattice: integers from 0 to 2²⁶.
    pub(super) steps: Vec<Vec3>,
}

impl Lattice {
    /// Points moved to the nearest points of a lattice, by at most 2⁻²⁶ of the lengths of their bounding box along each
    /// axis. Points that coincide then are merged. None if the box has no volume.
    pub(super) fn around(points: &[Vec3]) -> Option<Lattice> {
        let (low, high) = points
            .iter()
            .fold((*points.first()?, *points.first()?), |(low, high), point| (low.inf(point), high.sup(point)));
        // Powers of two, by which division and multiplication are exact.
        let step = (high - low).map(|length| 2.0 * power_of_two_below(length / STEPS));
        if step.min() <= 0.0 {
            return None;
        }
        let on_lattice = |point: &Vec3| point.component_div(&step).map(f64::round).component_mul(&step);
        let places: Vec<Vec3> = points.iter().map(on_lattice).collect();
        let places = distinct(&places, 0.0);
        let corner = on_lattice(&low);
        let steps = places.iter().map(|place| (place - corner).component_div(&step)).collect();
        Some(Lattice { places, steps })
    }
}

/// The largest power of two that is not above a positive number; 0 for numbers below 2.3e-308.
fn power_of_two_below(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    f64::from_bits(x.to_bits() & EXPONENT)
}

/// Planes and heights of points on a lattice: integers, so that the heights have exact signs.
pub(super) struct Exact;

/// A plane through points on a lattice.
pub(super) struct LatticePlane {
    through: [i64; 3],
    /// Normal of twice the area of a triangle.
    normal: [i64; 3],
    length: f64,
}

impl Arithmetic for Exact {
    type Plane = LatticePlane;

    fn plane(&self, corners: [Vec3; 3]) -> LatticePlane {
        let [a, b, c] = corners.map(integers);
        let [u, v] = [b, c].map(|end| [0, 1, 2].map(|axis| end[axis] - a[axis]));
        let normal = [0, 1, 2].map(|axis| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            u[next] * v[last] - u[last] * v[next]
        });
        LatticePlane { through: a, normal, length: Vec3::from(normal.map(|x| x as f64)).norm() }
    }

    fn height(&self, plane: &LatticePlane, point: &Vec3) -> f64 {
        let point = integers(*point);
        let part = |axis: usize| i128::from(plane.normal[axis]) * i128::from(point[axis] - plane.through[axis]);
        // Rounding keeps the sign, and 0 is only 0.
        (part(0) + part(1) + part(2)) as f64 / plane.length
    }

    fn tolerance(&self) -> f64 {
        0.0
    }
}

fn integers(steps: Vec3) -> [i64; 3] {
    steps.map(|x| x as i64).into()
}
