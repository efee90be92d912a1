//! A hierarchy of the planes of a convex polyhedron, for the question whether a point is outside of any of them.

use crate::math::Vec3;

/// Planes in a leaf.
const LEAF: usize = 8;

/// A plane `normal . x = offset`, and a point in it.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    pub(super) normal: Vec3,
    pub(super) offset: f64,
    pub(super) point: Vec3,
}

/// Planes in a binary tree of groups with normals near each other.
pub(super) struct PlaneTree {
    planes: Vec<Plane>,
    /// Each node is followed by the nodes of its first half.
    nodes: Vec<Node>,
}

/// Bounds of a group of planes. Relative to a point of the surface nearby, the heights of a point that is not outside
/// of a convex polyhedron fall with the square of the distance, while the bound that follows from the range of the
/// normals rises with the distance only: so few groups are searched.
struct Node {
    /// A point in one of the planes.
    origin: Vec3,
    /// Least and greatest components of the normals.
    normals: [Vec3; 2],
    /// Least distance of a plane from the origin along its normal.
    offset: f64,
    /// The node after all those below this one.
    next: usize,
    /// The planes, where they are not divided further.
    leaf: std::ops::Range<usize>,
}

impl PlaneTree {
    pub(super) fn new(planes: Vec<Plane>) -> PlaneTree {
        let mut tree = PlaneTree { planes, nodes: Vec::new() };
        tree.divide(0, tree.planes.len());
        tree
    }

    fn divide(&mut self, begin: usize, end: usize) {
        let part = &mut self.planes[begin..end];
        let Some(&Plane { point: origin, .. }) = part.get(part.len() / 2) else { return };
        let (mut low, mut high, mut offset) = (part[0].normal, part[0].normal, f64::INFINITY);
        for plane in &*part {
            (low, high) = (low.inf(&plane.normal), high.sup(&plane.normal));
            offset = offset.min(plane.offset - plane.normal.dot(&origin));
        }
        let node = self.nodes.len();
        let leaf = if part.len() > LEAF { 0..0 } else { begin..end };
        self.nodes.push(Node { origin, normals: [low, high], offset, next: 0, leaf });
        if part.len() > LEAF {
            let (widest, middle) = ((high - low).imax(), part.len() / 2);
            part.select_nth_unstable_by(middle, |a, b| a.normal[widest].total_cmp(&b.normal[widest]));
            self.divide(begin, begin + middle);
            self.divide(begin + middle, end);
        }
        self.nodes[node].next = self.nodes.len();
    }

    /// Whether a point is farther outside of any plane than a limit.
    pub(super) fn exceeds(&self, point: &Vec3, limit: f64) -> bool {
        let mut place = 0;
        while let Some(node) = self.nodes.get(place) {
            let along = point - node.origin;
            let [low, high] = &node.normals;
            let part = |axis: usize| along[axis] * if along[axis] > 0.0 { high[axis] } else { low[axis] };
            if part(0) + part(1) + part(2) - node.offset <= limit {
                place = node.next;
                continue;
            }
            let planes = &self.planes[node.leaf.clone()];
            if planes.iter().any(|plane| plane.normal.dot(point) - plane.offset > limit) {
                return true;
            }
            place += 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_finds_what_a_comparison_with_all_planes_finds() {
        // Planes that touch a sphere on a spiral, and points in other directions near the polyhedron that they bound.
        let spiral = |k: usize, n: usize| {
            let (height, turn) = (1.0 - (2 * k + 1) as f64 / n as f64, 2.4 * k as f64);
            let around = (1.0 - height * height).sqrt();
            Vec3::new(around * elementary::cos(turn), around * elementary::sin(turn), height)
        };
        let (center, radius) = (Vec3::new(5.0, 0.0, 0.0), 2.0);
        for count in [1, 8, 9, 300] {
            let touching = |normal: Vec3| {
                let point = center + normal * radius;
                Plane { normal, offset: normal.dot(&point), point }
            };
            let planes: Vec<Plane> = (0..count).map(|k| touching(spiral(k, count))).collect();
            let tree = PlaneTree::new(planes.clone());
            let mut outside = 0;
            for k in 0..1000 {
                let n = spiral(k, 1000);
                let most = planes.iter().map(|plane| plane.normal.dot(&n)).fold(f64::NEG_INFINITY, f64::max);
                let reach = if most > 0.3 { radius / most } else { radius };
                let point = center + n * (reach + 1e-4 * (k * 37 % 100) as f64);
                let expected = planes.iter().any(|plane| plane.normal.dot(&point) - plane.offset > 0.005);
                assert_eq!(tree.exceeds(&point, 0.005), expected, "{count} planes, point {k}");
                outside += usize::from(expected);
            }
            assert!(count == 1 || (100..900).contains(&outside), "{outside} of 1000");
        }
    }
}
