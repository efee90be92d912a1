//! The rim of a patch, for pictures.

use super::Patch;
use crate::math::Vec3;

/// Fraction of the patch's size within which corners count as one.
const SAME: f64 = 1e-9;

impl Patch {
    /// Rim of all polygons in W \[m\]: their convex hull seen along the direction of the elastic force,
    /// counter-clockwise about it.
    #[must_use]
    pub fn rim(&self) -> Vec<Vec3> {
        let normal = self.normal();
        let Some(x) = normal.cross(&normal.map(|c| if c.abs() < 0.6 { 1.0 } else { 0.0 })).try_normalize(0.0) else {
            return Vec::new();
        };
        let y = normal.cross(&x);
        let mut corners: Vec<[f64; 2]> = self.polygons().flatten().map(|p| [p.dot(&x), p.dot(&y)]).collect();
        corners.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let height = (self.origin() + self.center()).dot(&normal);
        let least = SAME * self.area();
        let mut rim = half_hull(corners.iter(), least);
        rim.extend(half_hull(corners.iter().rev(), least));
        rim.into_iter().map(|[u, v]| u * x + v * y + height * normal).collect()
    }
}

/// The side of a convex hull along which sorted points turn to the left, without its last point (A. M. Andrew, "Another
/// Efficient Algorithm for Convex Hulls in Two Dimensions", Inf. Proc. Letters 9 (1979)). Turns whose triangle is
/// smaller than `least` \[m²\] count as none.
fn half_hull<'a>(points: impl Iterator<Item = &'a [f64; 2]>, least: f64) -> Vec<[f64; 2]> {
    let mut hull: Vec<[f64; 2]> = Vec::new();
    for point in points {
        while let [.., a, b] = hull[..] {
            if (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > least {
                break;
            }
            hull.pop();
        }
        hull.push(*point);
    }
    hull.pop();
    hull
}
