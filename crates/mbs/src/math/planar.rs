//! Points in a plane of space.

use super::Vec3;

/// Fraction of the longest side of a polygon by which a corner must leave the line between its neighbours.
const STRAIGHT: f64 = 1e-6;

/// Two unit vectors that are perpendicular to a unit vector and to each other.
pub fn tangents(normal: &Vec3) -> [Vec3; 2] {
    let least = normal.iamin();
    let mut axis = Vec3::zeros();
    axis[least] = 1.0;
    let first = normal.cross(&axis).normalize();
    [first, normal.cross(&first)]
}

/// Corners of the convex hull of points in a plane, in their order round it; points nearer to each other than `same`
/// \[m\] are one (A. M. Andrew, *Inf. Proc. Lett.* 9, 1979, 216-219).
pub fn planar_hull(points: Vec<Vec3>, normal: &Vec3, same: f64) -> Vec<Vec3> {
    let [x, y] = tangents(normal);
    let mut known: Vec<([f64; 2], Vec3)> = Vec::new();
    for p in points {
        if known.iter().all(|(_, other)| (p - other).norm() > same) {
            known.push(([x.dot(&p), y.dot(&p)], p));
        }
    }
    known.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut corners = half(known.iter());
    let upper = half(known.iter().rev());
    if known.len() > 1 {
        corners.pop();
        corners.extend(upper);
        corners.pop();
    }
    corners.into_iter().map(|(_, p)| *p).collect()
}

type Flat = ([f64; 2], Vec3);

/// Lower half of a hull, from points sorted along the first axis.
fn half<'a>(points: impl Iterator<Item = &'a Flat>) -> Vec<&'a Flat> {
    let mut chain: Vec<&Flat> = Vec::new();
    for point in points {
        while let [.., a, b] = chain[..]
            && !turns_left(&a.0, &b.0, &point.0)
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

fn turns_left(a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]) -> bool {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    u[0] * v[1] - u[1] * v[0] > STRAIGHT * (v[0] * v[0] + v[1] * v[1])
}
