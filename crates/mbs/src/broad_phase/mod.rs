//! Broad phase: which pairs of shapes may be close to each other.
//!
//! A bounding volume tree over the world boxes of all shapes is refitted at every update and traversed against
//! itself; it is rebuilt when it has become inefficient. The result is *exactly* the set of allowed pairs whose
//! boxes are close, in the order of the shapes. It depends on the boxes of the last update only, so the broad phase
//! needs no place in a saved state.
//!
//! Cost per update: O(n) to refit, O((n + k) log n) for k pairs. A ground that touches all other boxes adds O(log n)
//! per shape; subtrees that hold static shapes only are never compared with each other.

mod aabb;
mod filter;
mod tree;

#[cfg(test)]
mod tests;

pub use aabb::Aabb;
pub use filter::{PairFilter, PairRole, ShapeFilter, SolidKind, SolidKinds};

use std::ops::ControlFlow;

use tree::Tree;

/// Finds candidate pairs among a fixed number of shapes.
#[derive(Debug, Clone)]
pub struct BroadPhase {
    filter: PairFilter,
    margin: f64,
    tree: Tree,
    pairs: Vec<(u32, u32)>,
    num_tests: usize,
    /// Overlap tests of the first traversal of the present tree, none before the first update.
    tests_when_built: Option<usize>,
}

/// The tree is rebuilt when a traversal takes this many times the tests of the first one.
const DECAY: usize = 2;

impl BroadPhase {
    /// A broad phase for `n` shapes without margin.
    #[must_use]
    pub fn new(n: usize, filter: PairFilter) -> Self {
        debug_assert_eq!(n, filter.num_shapes(), "the filter describes every shape");
        Self { filter, margin: 0.0, tree: Tree::new(n), pairs: Vec::new(), num_tests: 0, tests_when_built: None }
    }

    /// The same with a margin \[m\]: pairs are listed when their boxes are at most so far apart.
    #[must_use]
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Re-initialises for another filter and margin \[m\], reusing allocations, as a new broad phase would be.
    pub(crate) fn fit(&mut self, filter: &PairFilter, margin: f64) {
        if self.filter.num_shapes() != filter.num_shapes() {
            self.tree = Tree::new(filter.num_shapes());
        }
        self.filter.copy_from(filter);
        self.margin = margin;
        self.pairs.clear();
        (self.num_tests, self.tests_when_built) = (0, None);
    }

    /// Lists the pairs for new boxes in W \[m\], one per shape in the order of the shapes.
    ///
    /// Does not allocate unless there are more pairs than ever before.
    ///
    /// # Panics
    /// If there are fewer boxes than shapes.
    pub fn update(&mut self, boxes: &[Aabb]) {
        let is_stale = self.prepare(boxes);
        self.pairs.clear();
        let (filter, pairs) = (&self.filter, &mut self.pairs);
        self.num_tests = self.tree.visit_pairs(boxes, self.margin, &mut |i, j| {
            if filter.allows(i, j) {
                pairs.push((i.min(j), i.max(j)));
            }
            ControlFlow::Continue(())
        });
        self.pairs.sort_unstable();
        if is_stale {
            self.tests_when_built = Some(self.num_tests);
        }
    }

    /// Shows the pairs that [`BroadPhase::update`] would list, `i < j`, to `visit` until it breaks, without memory for
    /// them. Their order follows from the boxes of the first update and these.
    pub fn visit(&mut self, boxes: &[Aabb], mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) {
        self.prepare(boxes);
        let filter = &self.filter;
        self.tree.visit_pairs(boxes, self.margin, &mut |i, j| {
            if filter.allows(i, j) { visit(i.min(j), i.max(j)) } else { ControlFlow::Continue(()) }
        });
    }

    /// Fits the tree to the boxes; true when it was rebuilt.
    fn prepare(&mut self, boxes: &[Aabb]) -> bool {
        let is_stale = self.tests_when_built.is_none_or(|first| self.num_tests > DECAY * first);
        if is_stale {
            self.tree.build(boxes, &self.filter);
        } else {
            self.tree.refit(boxes);
        }
        is_stale
    }

    /// The allowed pairs `(i, j)`, `i < j`, sorted, whose boxes have a gap of at most the margin along all axes.
    #[must_use]
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The margin \[m\]; allowed pairs that are not listed are farther apart than this.
    #[must_use]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// Which pairs are allowed.
    #[must_use]
    pub fn filter(&self) -> &PairFilter {
        &self.filter
    }

    /// Number of comparisons of two boxes in the last update.
    #[must_use]
    pub fn num_overlap_tests(&self) -> usize {
        self.num_tests
    }
}
