//! Pairs of cores whose distance has a formula.

use super::core::{Core, along};
use super::refine::basis;
use super::segments::nearest_on_segments;
use super::solution::Solution;
use crate::math::{Mat3, Vec3};

/// The formula for a pair in the order of [`Core::rank`]; `rotation` is `R_AB` and `offset` is `p_AB` of the core
/// frames \[m\]. None if there is no formula.
pub(super) fn solve(a: &Core, b: &Core, rotation: &Mat3, offset: &Vec3) -> Option<Solution> {
    match (a, b) {
        (_, Core::HalfSpace { axis }) => Some(half_space(a, rotation.column(*axis).into(), offset)),
        (Core::Segment { half }, Core::Segment { half: other }) => Some(segments(half, &(rotation * other), offset)),
        (Core::Point, _) => {
            let point = -rotation.tr_mul(offset);
            let surface = nearest_on(b, &point)?;
            let normal = -(rotation * surface.normal);
            let regular = surface.regular;
            let solution = Solution::balanced(normal, surface.distance, Vec3::zeros(), normal * surface.distance);
            Some(Solution { regular, ..solution })
        }
        _ => None,
    }
}

/// A core and the half-space whose outward normal in A is `outward`.
fn half_space(a: &Core, outward: Vec3, offset: &Vec3) -> Solution {
    let lowest = resting_point(a, &-outward);
    let distance = outward.dot(&(lowest - offset));
    Solution::balanced(-outward, distance, lowest, lowest - outward * distance)
}

/// Farthest point along a unit vector; for a box or segment on a face or an edge its middle, so that bodies at rest are
/// carried in the middle. For a rim its contact point.
fn resting_point(core: &Core, n: &Vec3) -> Vec3 {
    let side = |value: f64, half: f64| if value.abs() <= 1e-14 { 0.0 } else { half.copysign(value) };
    match core {
        Core::Box { half } => n.zip_map(half, side),
        Core::Segment { half } => half * side(half.dot(n) / half.norm(), 1.0),
        Core::Rim { axis, radius, turn } => on_rim(*axis, *radius, turn, n),
        _ => core.support(n).point,
    }
}

/// The point of a rim that lies `turn` away from the farthest one along `n`; from any point when all are equally far.
fn on_rim(axis: usize, radius: f64, turn: &[f64; 2], n: &Vec3) -> Vec3 {
    let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
    let length = elementary::hypot(n[first], n[second]);
    let [cos, sin] = if length > 0.0 { [n[first] / length, n[second] / length] } else { [1.0, 0.0] };
    along(first, radius * (cos * turn[0] - sin * turn[1])) + along(second, radius * (sin * turn[0] + cos * turn[1]))
}

/// Point of a surface nearest to a given point, which may be inside.
struct Surface {
    normal: Vec3,
    distance: f64,
    regular: bool,
}

impl Surface {
    /// From the vector to an outside point, or a face normal and height for an inside one.
    fn new(outside: Vec3, inside: impl FnOnce() -> (Vec3, f64, bool)) -> Surface {
        let distance = outside.norm();
        if distance > 0.0 {
            return Surface { normal: outside / distance, distance, regular: true };
        }
        let (normal, distance, regular) = inside();
        Surface { normal, distance, regular }
    }
}

fn nearest_on(core: &Core, point: &Vec3) -> Option<Surface> {
    match core {
        Core::Point => Some(Surface::new(*point, || (Vec3::x(), 0.0, false))),
        Core::Segment { half } => {
            let t = (point.dot(half) / half.norm_squared()).clamp(-1.0, 1.0);
            let any = || basis(&half.normalize())[0];
            Some(Surface::new(point - half * t, || (any(), 0.0, false)))
        }
        Core::Box { half } => Some(on_box(half, point)),
        Core::Frustum { axis, heights, radii } => Some(on_frustum(*axis, heights, radii, point)),
        Core::Beam { axis, half_length, radius, half_thickness } => {
            Some(on_beam(*axis, *half_length, *radius, *half_thickness, point))
        }
        Core::Tube { axis, half_length, radii } => Some(on_tube(*axis, *half_length, radii, point)),
        _ => None,
    }
}

fn on_box(half: &Vec3, point: &Vec3) -> Surface {
    let clamped = point.zip_map(half, |x, h| x.clamp(-h, h));
    Surface::new(point - clamped, || {
        let heights = point.abs() - half;
        let axis = heights.imax();
        (along(axis, 1.0_f64.copysign(point[axis])), heights[axis], true)
    })
}

/// A planar problem in the half-plane of axis and point: a convex profile of three edges.
fn on_frustum(axis: usize, heights: &[f64; 2], radii: &[f64; 2], point: &Vec3) -> Surface {
    let height = point[axis];
    let radial = point - along(axis, height);
    let radius = radial.norm();
    let outward = if radius > 0.0 { radial / radius } else { along((axis + 1) % 3, 1.0) };
    let corners = [[radii[0], heights[0]], [radii[1], heights[1]]];
    let edges = [([0.0, heights[0]], corners[0]), (corners[0], corners[1]), (corners[1], [0.0, heights[1]])];
    let (rise, taper) = (heights[1] - heights[0], radii[0] - radii[1]);
    let slant = elementary::hypot(rise, taper);
    let normals = [[0.0, -1.0], [rise / slant, taper / slant], [0.0, 1.0]];
    let at = [radius, height];
    let levels = [0, 1, 2].map(|i| planar(normals[i], [at[0] - edges[i].1[0], at[1] - edges[i].1[1]]));
    let levels = [heights[0] - height, levels[1], height - heights[1]];
    let embed = |v: [f64; 2]| outward * v[0] + along(axis, v[1]);
    if levels.iter().all(|&level| level <= 0.0) {
        let best = (1..3).fold(0, |best, i| if levels[i] > levels[best] { i } else { best });
        return Surface { normal: embed(normals[best]), distance: levels[best], regular: radius > 0.0 || best != 1 };
    }
    let gaps = edges.map(|(from, to)| gap(at, from, to));
    let best =
        (1..3).fold(0, |best, i| if planar(gaps[i], gaps[i]) < planar(gaps[best], gaps[best]) { i } else { best });
    Surface::new(embed(gaps[best]), || (embed(normals[1]), 0.0, true))
}

fn planar(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Vector to a point from the nearest one of a segment in the plane.
fn gap(at: [f64; 2], from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    let edge = [to[0] - from[0], to[1] - from[1]];
    let start = [at[0] - from[0], at[1] - from[1]];
    let square = planar(edge, edge);
    let t = if square > 0.0 { (planar(start, edge) / square).clamp(0.0, 1.0) } else { 0.0 };
    if t == 1.0 { [at[0] - to[0], at[1] - to[1]] } else { [start[0] - edge[0] * t, start[1] - edge[1] * t] }
}

/// The product of a planar stadium and an interval.
fn on_beam(axis: usize, half_length: f64, radius: f64, half_thickness: f64, point: &Vec3) -> Surface {
    let (next, third) = ((axis + 1) % 3, (axis + 2) % 3);
    let along_axis = point[axis] - point[axis].clamp(-half_length, half_length);
    let planar = along(axis, along_axis) + along(next, point[next]);
    let length = planar.norm();
    let sideways = if length > 0.0 { planar / length } else { along(next, 1.0) };
    let up = along(third, 1.0_f64.copysign(point[third]));
    let (across, above) = (length - radius, point[third].abs() - half_thickness);
    Surface::new(sideways * across.max(0.0) + up * above.max(0.0), || {
        if above >= across { (up, above, true) } else { (sideways, across, length > 0.0) }
    })
}

/// A rectangle in the half-plane of axis and point. On the axis all points of the bore are as near.
fn on_tube(axis: usize, half_length: f64, radii: &[f64; 2], point: &Vec3) -> Surface {
    let radial = point - along(axis, point[axis]);
    let radius = radial.norm();
    let outward = if radius > 0.0 { radial / radius } else { along((axis + 1) % 3, 1.0) };
    let end = along(axis, 1.0_f64.copysign(point[axis]));
    let across = radius - radius.clamp(radii[0], radii[1]);
    let beyond = (point[axis].abs() - half_length).max(0.0);
    let surface = Surface::new(outward * across + end * beyond, || {
        let sides =
            [(outward, radius - radii[1]), (-outward, radii[0] - radius), (end, point[axis].abs() - half_length)];
        let nearest = sides.into_iter().fold(sides[0], |best, side| if side.1 > best.1 { side } else { best });
        (nearest.0, nearest.1, true)
    });
    Surface { regular: surface.regular && radius > 0.0, ..surface }
}

/// Two segments around their middles, the second at `offset`.
fn segments(half_a: &Vec3, half_b: &Vec3, offset: &Vec3) -> Solution {
    let (a, b) = nearest_on_segments(half_a, half_b, offset);
    let between = b - a;
    let (length_a, length_b) = (half_a.norm(), half_b.norm());
    let distance = between.norm();
    if distance > 1e-15 * (length_a + length_b + offset.norm()) {
        return Solution::balanced(between / distance, distance, a, b);
    }
    let normal = half_a.cross(half_b).try_normalize(1e-13 * length_a * length_b);
    let normal = normal.unwrap_or_else(|| basis(&(half_a / length_a))[0]);
    let normal = if normal.dot(offset) < 0.0 { -normal } else { normal };
    Solution { regular: false, ..Solution::balanced(normal, 0.0, a, b) }
}
