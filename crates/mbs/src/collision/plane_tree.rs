//! A hierarchy of planes, for the question whether a point is outside of any of them.

use crate::math::Vec3;

/// Planes in a leaf.
const LEAF: usize = 8;

/// Planes in a binary tree: each node knows the ranges of the normals and offsets of those below it.
pub(super) struct PlaneTree {
    origin: Vec3,
    /// Normals, and distances from the origin.
    planes: Vec<[f64; 4]>,
    /// Each node is followed by the nodes of its first half.
    nodes: Vec<Node>,
}

struct Node {
    low: [f64; 4],
    high: [f64; 4],
    /// The node after all those below this one.
    next: usize,
    /// The planes, where they are not divided further.
    leaf: std::ops::Range<usize>,
}

impl PlaneTree {
    /// A tree of planes `normal . x = offset`; the nearer the origin is to their middle, the faster the search.
    pub(super) fn new(planes: impl Iterator<Item = (Vec3, f64)>, origin: Vec3) -> PlaneTree {
        let planes = planes.map(|(n, offset)| [n.x, n.y, n.z, offset - n.dot(&origin)]).collect();
        let mut tree = PlaneTree { origin, planes, nodes: Vec::new() };
        tree.divide(0, tree.planes.len());
        tree
    }

    fn divide(&mut self, begin: usize, end: usize) {
        let part = &mut self.planes[begin..end];
        let ends = |k: usize| {
            part.iter()
                .map(|plane| plane[k])
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let ends = [0, 1, 2, 3].map(ends);
        let width = |k: &usize| ends[*k].1 - ends[*k].0;
        let node = self.nodes.len();
        let leaf = if part.len() > LEAF { 0..0 } else { begin..end };
        self.nodes.push(Node { low: ends.map(|(low, _)| low), high: ends.map(|(_, high)| high), next: 0, leaf });
        if part.len() > LEAF {
            let widest = (0..3).max_by(|i, j| width(i).total_cmp(&width(j))).unwrap_or(0);
            let middle = part.len() / 2;
            part.select_nth_unstable_by(middle, |a, b| a[widest].total_cmp(&b[widest]));
            self.divide(begin, begin + middle);
            self.divide(begin + middle, end);
        }
        self.nodes[node].next = self.nodes.len();
    }

    /// Whether a point is farther outside of any plane than a limit.
    pub(super) fn exceeds(&self, point: &Vec3, limit: f64) -> bool {
        let [x, y, z] = (point - self.origin).into();
        let along = [x, y, z, -1.0];
        let mut place = 0;
        while let Some(node) = self.nodes.get(place) {
            let bound = |k: usize| (node.low[k] * along[k]).max(node.high[k] * along[k]);
            if bound(0) + bound(1) + bound(2) + bound(3) <= limit {
                place = node.next;
                continue;
            }
            let height = |[u, v, w, offset]: &[f64; 4]| u * x + v * y + w * z - offset;
            if self.planes[node.leaf.clone()].iter().any(|plane| height(plane) > limit) {
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
        // Planes that touch a sphere of radius 2 around (5, 0, 0) on a spiral; points around that radius.
        let spiral = |k: usize, n: usize| {
            let (height, turn) = (1.0 - (2 * k + 1) as f64 / n as f64, 2.4 * k as f64);
            let around = (1.0 - height * height).sqrt();
            Vec3::new(around * elementary::cos(turn), around * elementary::sin(turn), height)
        };
        let center = Vec3::new(5.0, 0.0, 0.0);
        for count in [1, 8, 9, 300] {
            let planes: Vec<(Vec3, f64)> =
                (0..count).map(|k| spiral(k, count)).map(|n| (n, n.dot(&center) + 2.0)).collect();
            let tree = PlaneTree::new(planes.iter().copied(), center);
            let mut outside = 0;
            for k in 0..1000 {
                let point = center + spiral(k, 1000) * (1.98 + 4e-5 * (k * 37 % 1000) as f64);
                let expected = planes.iter().any(|(n, offset)| n.dot(&point) - offset > 0.01);
                assert_eq!(tree.exceeds(&point, 0.01), expected, "{count} planes, point {k}");
                outside += usize::from(expected);
            }
            assert!(count < 9 || (100..900).contains(&outside), "{outside} of 1000");
        }
    }
}
