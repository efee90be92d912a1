//! Vertices in blocks, for comparison side by side.

use crate::math::Vec3;

/// Number of vertices that are compared side by side.
const LANES: usize = 8;

/// Coordinates of a few vertices: all x, all y, all z.
type Block = [[f64; LANES]; 3];

/// Vertices in blocks; the last block is filled up with copies of the first vertex.
#[derive(Debug, PartialEq)]
pub(super) struct VertexBlocks(Vec<Block>);

impl VertexBlocks {
    /// Blocks of at least one vertex; without any, of the origin.
    pub(super) fn new(vertices: &[Vec3]) -> Self {
        let first = vertices.first().copied().unwrap_or_default();
        let count = vertices.len().max(1).div_ceil(LANES);
        let vertex = |index: usize| vertices.get(index).copied().unwrap_or(first);
        let block =
            |block: usize| std::array::from_fn(|axis| std::array::from_fn(|lane| vertex(block * LANES + lane)[axis]));
        Self((0..count).map(block).collect())
    }

    /// The vertex with a number; the origin if there is none.
    pub(super) fn vertex(&self, number: u32) -> Vec3 {
        let (block, lane) = (number as usize / LANES, number as usize % LANES);
        self.0.get(block).map(|[x, y, z]| Vec3::new(x[lane], y[lane], z[lane])).unwrap_or_default()
    }

    /// All vertices; the first may be repeated at the end.
    pub(super) fn all(&self) -> impl Iterator<Item = Vec3> + '_ {
        (0..self.count()).map(|number| self.vertex(number))
    }

    /// Number of vertices; the first may be repeated at the end.
    pub(super) fn count(&self) -> u32 {
        (self.0.len() * LANES) as u32
    }

    /// How far a vertex reaches along `n`.
    #[inline]
    pub(super) fn height(&self, number: u32, n: &Vec3) -> f64 {
        let ([x, y, z], lane) = (&self.0[number as usize / LANES], number as usize % LANES);
        x[lane] * n.x + y[lane] * n.y + z[lane] * n.z
    }

    /// Number of the vertex that is farthest along `n`, by comparison of all; of equally far ones the first.
    pub(super) fn farthest_of_all(&self, n: &Vec3) -> u32 {
        let mut lanes = [f64::NEG_INFINITY; LANES];
        for block in &self.0 {
            let heights = heights(block, n);
            for lane in 0..LANES {
                lanes[lane] = if heights[lane] > lanes[lane] { heights[lane] } else { lanes[lane] };
            }
        }
        let highest = lanes.iter().fold(f64::NEG_INFINITY, |highest, &lane| lane.max(highest));
        let find = |block: &Block| heights(block, n).iter().position(|&height| height == highest);
        let found = self.0.iter().enumerate().find_map(|(index, block)| Some(index * LANES + find(block)?));
        found.unwrap_or(0) as u32
    }

    /// Largest distance of a vertex from the origin.
    pub(super) fn reach(&self) -> f64 {
        let count = (self.0.len() * LANES) as u32;
        (0..count).map(|number| self.vertex(number).norm()).fold(0.0, f64::max)
    }
}

/// Heights of the vertices of a block along `n`.
#[inline]
fn heights([x, y, z]: &Block, n: &Vec3) -> [f64; LANES] {
    std::array::from_fn(|lane| x[lane] * n.x + y[lane] * n.y + z[lane] * n.z)
}
