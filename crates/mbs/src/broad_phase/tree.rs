//! Bounding volume tree over boxes, split at the median so that its depth is log2(n) whatever the boxes are.

use std::ops::ControlFlow;

use super::{Aabb, PairFilter};

/// Most shapes in a leaf.
const LEAF: usize = 3;

/// A node; nodes are stored in pre-order, so the left child follows its parent.
#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Aabb,
    /// The shapes below are `order[first..first + count]`.
    first: u32,
    count: u32,
    /// Right child; 0 for a leaf.
    right: u32,
    /// Whether any shape below moves.
    moves: bool,
}

/// The tree. Boxes are not stored: they are passed to every call.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    order: Vec<u32>,
    nodes: Vec<Node>,
    /// Number of nodes at the beginning that depend on changing boxes; those of a static subtree follow.
    refitted: usize,
}

impl Tree {
    /// A tree for `n` shapes; to be built before use.
    pub fn new(n: usize) -> Self {
        Self { order: (0..n as u32).collect(), nodes: Vec::with_capacity(n), refitted: 0 }
    }

    /// Arranges the shapes for the given boxes: moving and static ones, if there are both, in subtrees of their own.
    pub fn build(&mut self, boxes: &[Aabb], filter: &PairFilter) {
        self.nodes.clear();
        let count = self.order.len();
        self.order.sort_by_key(|&i| (!filter.may_strike(i), i));
        let moving = self.order.partition_point(|&i| filter.may_strike(i));
        if moving == 0 || moving == count {
            if count > 0 {
                self.split(0, count, boxes, filter);
            }
            self.refit_nodes(0..self.nodes.len(), boxes);
            self.refitted = self.nodes.len();
            return;
        }
        let (bounds, count) = (Aabb::EMPTY, count as u32);
        self.nodes.push(Node { bounds, first: 0, count, right: 0, moves: true });
        self.split(0, moving, boxes, filter);
        self.refitted = self.nodes.len();
        self.nodes[0].right = self.refitted as u32;
        self.split(moving, count as usize, boxes, filter);
        self.refit_nodes(0..self.nodes.len(), boxes);
    }

    /// Adds the node for `order[first..end]` and everything below it.
    fn split(&mut self, first: usize, end: usize, boxes: &[Aabb], filter: &PairFilter) {
        let index = self.nodes.len();
        let shapes = &mut self.order[first..end];
        let moves = shapes.iter().any(|&i| filter.may_strike(i));
        let count = shapes.len();
        self.nodes.push(Node { bounds: Aabb::EMPTY, first: first as u32, count: count as u32, right: 0, moves });
        if count <= LEAF {
            return;
        }
        let axis = widest_axis(shapes, boxes);
        let key = |i: u32| boxes[i as usize].center()[axis];
        shapes.select_nth_unstable_by(count / 2, |&i, &j| key(i).total_cmp(&key(j)).then(i.cmp(&j)));
        let middle = first + count / 2;
        self.split(first, middle, boxes, filter);
        self.nodes[index].right = self.nodes.len() as u32;
        self.split(middle, end, boxes, filter);
    }

    /// Adapts the bounds to new boxes of moving shapes.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        self.refit_nodes(0..self.refitted, boxes);
    }

    fn refit_nodes(&mut self, nodes: std::ops::Range<usize>, boxes: &[Aabb]) {
        for index in nodes.rev() {
            let node = self.nodes[index];
            self.nodes[index].bounds = if node.right == 0 {
                self.shapes(&node).iter().fold(Aabb::EMPTY, |bounds, &i| bounds.merged(&boxes[i as usize]))
            } else {
                self.nodes[index + 1].bounds.merged(&self.nodes[node.right as usize].bounds)
            };
        }
    }

    fn shapes(&self, node: &Node) -> &[u32] {
        &self.order[node.first as usize..(node.first + node.count) as usize]
    }

    /// Calls `visit` once for every pair of near boxes not both of which are static, until it breaks; returns the
    /// number of tests.
    pub fn visit_pairs(
        &self,
        boxes: &[Aabb],
        margin: f64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> usize {
        let mut traversal = Traversal { tree: self, boxes, margin, visit, num_tests: 0 };
        if !self.nodes.is_empty() {
            let _ended_early = traversal.within(0).is_break();
        }
        traversal.num_tests
    }
}

/// Axis along which the middles of the boxes differ most.
fn widest_axis(shapes: &[u32], boxes: &[Aabb]) -> usize {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for &i in shapes {
        let center = boxes[i as usize].center();
        for k in 0..3 {
            min[k] = min[k].min(center[k]);
            max[k] = max[k].max(center[k]);
        }
    }
    let width = |k: usize| max[k] - min[k];
    let best = usize::from(width(1) > width(0));
    if width(2) > width(best) { 2 } else { best }
}

/// A walk through the tree; its recursion is as deep as the tree.
struct Traversal<'a, F> {
    tree: &'a Tree,
    boxes: &'a [Aabb],
    margin: f64,
    visit: &'a mut F,
    num_tests: usize,
}

impl<F: FnMut(u32, u32) -> ControlFlow<()>> Traversal<'_, F> {
    /// Pairs of shapes that are both below `index`.
    fn within(&mut self, index: usize) -> ControlFlow<()> {
        let node = &self.tree.nodes[index];
        if !node.moves {
            return ControlFlow::Continue(());
        }
        if node.right == 0 {
            let shapes = self.tree.shapes(node);
            return shapes.iter().enumerate().try_for_each(|(k, &i)| self.test(i, &shapes[k + 1..]));
        }
        let right = node.right as usize;
        self.within(index + 1)?;
        self.within(right)?;
        self.between(index + 1, right)
    }

    /// Pairs of a shape below `a` and a shape below `b`.
    fn between(&mut self, a: usize, b: usize) -> ControlFlow<()> {
        let (node_a, node_b) = (&self.tree.nodes[a], &self.tree.nodes[b]);
        if !(node_a.moves || node_b.moves) {
            return ControlFlow::Continue(());
        }
        self.num_tests += 1;
        if !node_a.bounds.is_near(&node_b.bounds, self.margin) {
            return ControlFlow::Continue(());
        }
        if node_a.right == 0 && node_b.right == 0 {
            self.tree.shapes(node_a).iter().try_for_each(|&i| self.test(i, self.tree.shapes(node_b)))
        } else if node_b.right == 0 || (node_a.right != 0 && node_a.count >= node_b.count) {
            self.between(a + 1, b)?;
            self.between(node_a.right as usize, b)
        } else {
            self.between(a, b + 1)?;
            self.between(a, node_b.right as usize)
        }
    }

    fn test(&mut self, i: u32, others: &[u32]) -> ControlFlow<()> {
        self.num_tests += others.len();
        let is_near = |&&j: &&u32| self.boxes[i as usize].is_near(&self.boxes[j as usize], self.margin);
        others.iter().filter(is_near).try_for_each(|&j| (self.visit)(i, j))
    }
}
