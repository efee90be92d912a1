//! Support points of polyhedra with many vertices: from a good start uphill along edges.

use super::vertex_blocks::VertexBlocks;
use crate::math::Vec3;

/// Cells along the edge of a face of the cube of directions.
const CELLS: usize = 8;

/// Vertices of a polyhedron that are about equally far; where there are more, all vertices are compared.
const PLATEAU: usize = 24;

/// Rounding errors of a height, relative to the reach of the polyhedron.
const ROUNDING: f64 = 1e-14;

/// Edges of a convex polyhedron, and for every direction a vertex that is nearly the farthest.
///
/// On a convex polyhedron a vertex that none of its neighbours exceeds is a farthest one, and the vertices within a
/// given distance of it are connected. So the search visits a few neighbourhoods and then the vertices that are equally
/// far but for rounding, and returns the same vertex as a comparison of all. (The hierarchy of D. P. Dobkin and D. G.
/// Kirkpatrick, J. Algorithms 6 (1985), bounds the climb by the logarithm; the start from a table makes it shorter
/// still.)
#[derive(Debug, PartialEq)]
pub(super) struct EdgeGraph {
    /// First neighbour of each vertex, and the end of the last one's.
    first: Vec<u32>,
    neighbours: Vec<u32>,
    /// Farthest vertex in the middle of each cell of directions.
    starts: Vec<u32>,
    /// Heights that differ by less than this, for a direction of length 1, may be equal \[m\].
    slack: f64,
}

impl EdgeGraph {
    /// The graph of a polyhedron with the given edges; `defect` \[m\] is the largest distance of a vertex outside of
    /// the planes of its faces.
    pub(super) fn new(vertices: &VertexBlocks, count: usize, edges: &[[u32; 2]], defect: f64) -> EdgeGraph {
        let mut edges: Vec<(u32, u32)> = edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let first: Vec<u32> =
            (0..=count as u32).map(|vertex| edges.partition_point(|&(from, _)| from < vertex) as u32).collect();
        EdgeGraph {
            first,
            neighbours: edges.into_iter().map(|(_, to)| to).collect(),
            starts: (0..6 * CELLS * CELLS).map(|cell| vertices.farthest_of_all(&middle(cell))).collect(),
            slack: 4.0 * defect + ROUNDING * vertices.reach(),
        }
    }

    fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.neighbours[self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize]
    }

    /// The vertex that [`VertexBlocks::farthest_of_all`] finds along `n`; None if too many vertices tie.
    pub(super) fn farthest(&self, vertices: &VertexBlocks, n: &Vec3) -> Option<u32> {
        let slack = self.slack * (n.x.abs() + n.y.abs() + n.z.abs());
        let mut top = self.starts[cell(n)];
        let mut height = vertices.height(top, n);
        loop {
            let (mut next, mut highest, mut second) = (top, height, f64::NEG_INFINITY);
            for &neighbour in self.neighbours(top) {
                let reached = vertices.height(neighbour, n);
                if reached > highest {
                    (next, second, highest) = (neighbour, highest, reached);
                } else {
                    second = second.max(reached);
                }
            }
            if next == top {
                return if second < height - slack {
                    Some(top)
                } else {
                    self.first_on_plateau(vertices, n, top, slack)
                };
            }
            (top, height) = (next, highest);
        }
    }

    /// Of the vertices that hang together with `top` and are lower by no more than `slack`, the highest one with the
    /// smallest number.
    fn first_on_plateau(&self, vertices: &VertexBlocks, n: &Vec3, top: u32, slack: f64) -> Option<u32> {
        let mut known = [top; PLATEAU];
        let (mut count, mut looked_at) = (1, 0);
        let mut best = (vertices.height(top, n), top);
        while looked_at < count {
            for &vertex in self.neighbours(known[looked_at]) {
                let height = vertices.height(vertex, n);
                if height < best.0 - slack || known[..count].contains(&vertex) {
                    continue;
                }
                *known.get_mut(count)? = vertex;
                count += 1;
                if height > best.0 || (height == best.0 && vertex < best.1) {
                    best = (height, vertex);
                }
            }
            looked_at += 1;
        }
        Some(best.1)
    }
}

/// The cell of a direction: the face of a cube that it passes through, and where.
fn cell(n: &Vec3) -> usize {
    let axis = n.iamax();
    let scale = 0.5 / n[axis].abs();
    let place = |value: f64| (((value * scale + 0.5) * CELLS as f64) as usize).min(CELLS - 1);
    let face = 2 * axis + usize::from(n[axis] < 0.0);
    (face * CELLS + place(n[(axis + 1) % 3])) * CELLS + place(n[(axis + 2) % 3])
}

/// Direction in the middle of a cell.
fn middle(cell: usize) -> Vec3 {
    let (face, u, v) = (cell / (CELLS * CELLS), cell / CELLS % CELLS, cell % CELLS);
    let axis = face / 2;
    let side = |place: usize| (2 * place + 1) as f64 / CELLS as f64 - 1.0;
    let mut n = Vec3::zeros();
    n[axis] = if face % 2 == 0 { 1.0 } else { -1.0 };
    n[(axis + 1) % 3] = side(u);
    n[(axis + 2) % 3] = side(v);
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_contains_its_middle() {
        for k in 0..6 * CELLS * CELLS {
            assert_eq!(cell(&middle(k)), k);
        }
    }
}
