//! Planes and convex polygons.

use mbs::math::Vec3;

/// The half-space `normal . x <= offset`, with a unit normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    pub normal: Vec3,
    pub offset: f64,
}

impl Plane {
    /// The plane through a point; none if the normal has no direction.
    pub fn through(point: &Vec3, normal: &Vec3) -> Option<Self> {
        let normal = normal.try_normalize(f64::MIN_POSITIVE)?;
        Some(Self { normal, offset: normal.dot(point) })
    }

    /// How far a point is outside \[m\].
    pub fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    pub fn reversed(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// The part of a convex polygon inside a plane; corners up to `snap` \[m\] outside count as inside. Empty where fewer
/// than three corners remain.
pub(super) fn clipped(polygon: &[Vec3], plane: &Plane, snap: f64) -> Vec<Vec3> {
    let heights: Vec<f64> = polygon.iter().map(|corner| plane.height(corner)).collect();
    if heights.iter().all(|height| *height <= snap) {
        return polygon.to_vec();
    }
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (k, (corner, height)) in polygon.iter().zip(&heights).enumerate() {
        let next = (k + 1) % polygon.len();
        if *height <= snap {
            out.push(*corner);
        }
        // An edge with an end on the plane is not cut.
        if (*height < -snap && heights[next] > snap) || (*height > snap && heights[next] < -snap) {
            out.push(corner + (polygon[next] - corner) * (height / (height - heights[next])));
        }
    }
    if out.len() < 3 { Vec::new() } else { out }
}

/// Twice the area of a convex polygon, as a vector along its normal.
pub(super) fn area_vector(polygon: &[Vec3]) -> Vec3 {
    let fan = polygon.windows(2).skip(1);
    fan.map(|ends| (ends[0] - polygon[0]).cross(&(ends[1] - polygon[0]))).sum()
}

/// Smallest width of a convex polygon, about \[m\]: its area over its longest edge or diagonal.
pub(super) fn width(polygon: &[Vec3]) -> f64 {
    let longest = polygon.iter().map(|corner| (corner - polygon[0]).norm()).fold(0.0, f64::max);
    if longest > 0.0 { area_vector(polygon).norm() / longest } else { 0.0 }
}

/// Mean of the corners.
pub(super) fn middle(polygon: &[Vec3]) -> Vec3 {
    polygon.iter().sum::<Vec3>() / polygon.len() as f64
}

/// Distance of a point from a convex polygon with the given unit normal \[m\].
pub(super) fn distance(point: &Vec3, polygon: &[Vec3], normal: &Vec3) -> f64 {
    let ends = || polygon.iter().zip(polygon.iter().cycle().skip(1));
    if ends().all(|(a, b)| (b - a).cross(normal).dot(&(point - a)) <= 0.0) {
        return normal.dot(&(point - polygon[0])).abs();
    }
    let to_edge = |(a, b): (&Vec3, &Vec3)| {
        let along = b - a;
        let part = (along.dot(&(point - a)) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (a + along * part - point).norm()
    };
    ends().map(to_edge).fold(f64::INFINITY, f64::min)
}

/// The halves of a convex polygon across its longest extent; none if it has none.
pub(super) fn halves(polygon: &[Vec3]) -> Option<[Vec<Vec3>; 2]> {
    let middle = middle(polygon);
    let far =
        |from: &Vec3| *polygon.iter().max_by(|a, b| (*a - from).norm().total_cmp(&(*b - from).norm())).unwrap_or(from);
    let end = far(&middle);
    let across = Plane::through(&middle, &(far(&end) - end))?;
    Some([across, across.reversed()].map(|plane| clipped(polygon, &plane, 0.0)))
}
