//! Vertices of a polyhedron, laid out for the search of the farthest one.

use super::climb::EdgeGraph;
use super::vertex_blocks::VertexBlocks;
use crate::math::Vec3;

/// Vertices, with edges where that is faster.
#[derive(Debug, PartialEq)]
pub(super) struct VertexList {
    blocks: VertexBlocks,
    /// Edges, if there are enough vertices for climbing to be faster than comparing all.
    edges: Option<EdgeGraph>,
}

impl VertexList {
    /// A list of at least one vertex; without any, of the origin.
    pub(super) fn new(vertices: &[Vec3]) -> VertexList {
        VertexList { blocks: VertexBlocks::new(vertices), edges: None }
    }

    /// The list of a convex polyhedron's vertices with its edges; `defect` \[m\] is the largest distance of a vertex
    /// outside of the plane of a face.
    pub(super) fn with_edges(vertices: &[Vec3], edges: &[[u32; 2]], defect: f64) -> VertexList {
        let blocks = VertexBlocks::new(vertices);
        let edges = EdgeGraph::new(&blocks, vertices.len(), edges, defect);
        VertexList { blocks, edges: Some(edges) }
    }

    /// Whether the farthest vertex is found by climbing along edges.
    #[cfg(test)]
    pub(super) fn climbs(&self) -> bool {
        self.edges.is_some()
    }

    /// The vertex with a number; the origin if there is none.
    pub(super) fn vertex(&self, number: u32) -> Vec3 {
        self.blocks.vertex(number)
    }

    /// All vertices; the first may be repeated at the end.
    pub(super) fn all(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.blocks.all()
    }

    /// Number of vertices; the first may be repeated at the end.
    pub(super) fn count(&self) -> u32 {
        self.blocks.count()
    }

    /// Number of the vertex that is farthest along `n`; of equally far ones the first.
    pub(super) fn farthest(&self, n: &Vec3) -> u32 {
        let climbed = self.edges.as_ref().and_then(|edges| edges.farthest(&self.blocks, n));
        climbed.unwrap_or_else(|| self.blocks.farthest_of_all(n))
    }

    /// The same by comparison of all vertices.
    #[cfg(test)]
    pub(super) fn farthest_of_all(&self, n: &Vec3) -> u32 {
        self.blocks.farthest_of_all(n)
    }

    /// Largest distance of a vertex from the origin.
    pub(super) fn reach(&self) -> f64 {
        self.blocks.reach()
    }
}
