//! Whether a mesh is the surface of a solid: closed and consistently oriented.

use super::error::SolidError;
use super::mesh::TriangleMesh;
use std::collections::BTreeMap;

/// Triangles at an edge, separated by the direction in which they use it. The key has the smaller vertex first.
#[derive(Default)]
struct Uses {
    forward: Vec<usize>,
    backward: Vec<usize>,
}

type Edges = BTreeMap<(u32, u32), Uses>;

impl TriangleMesh {
    /// Whether the mesh encloses a volume: at every edge as many triangles run in one direction as in the other. Edges
    /// that several parts of the surface share are allowed.
    ///
    /// # Errors
    /// The number of open edges, or of edges between triangles of opposite orientation, and where the first one is.
    pub fn check_closed(&self) -> Result<(), SolidError> {
        let edges = edges(self.triangles());
        if let Some((count, at)) = self.count(&edges, |uses| (uses.forward.len() + uses.backward.len()) % 2 == 1) {
            return Err(SolidError::OpenMesh { edges: count, at });
        }
        if let Some((count, at)) = self.count(&edges, |uses| uses.forward.len() != uses.backward.len()) {
            return Err(SolidError::InconsistentMesh { edges: count, at });
        }
        Ok(())
    }

    /// The same surface with all triangles turned so that they agree, and normals pointing outwards.
    ///
    /// Orientation spreads from triangle to triangle over the edges two of them share; in each connected part the
    /// majority decides, so that cavities stay cavities. At last all are turned if the volume is negative.
    ///
    /// # Errors
    /// Open edges, or edges where no turning makes the triangles agree.
    pub fn oriented(&self) -> Result<TriangleMesh, SolidError> {
        let edges = edges(self.triangles());
        let turned = turned(self.triangles(), &edges);
        let mut triangles = self.triangles().to_vec();
        for (triangle, _) in triangles.iter_mut().zip(turned).filter(|(_, turned)| *turned) {
            triangle.swap(1, 2);
        }
        let mesh = self.with_triangles(triangles);
        mesh.check_closed()?;
        if mesh.signed_volume() >= 0.0 {
            return Ok(mesh);
        }
        Ok(mesh.with_triangles(mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect()))
    }

    /// Number of edges of a kind and the middle of the first one.
    fn count(&self, edges: &Edges, is_wrong: impl Fn(&Uses) -> bool) -> Option<(usize, [f64; 3])> {
        let mut wrong = edges.iter().filter(|(_, uses)| is_wrong(uses)).map(|(&edge, _)| edge);
        let (a, b) = wrong.next()?;
        let [a, b, _] = self.corners([a, b, b]);
        Some((wrong.count() + 1, ((a + b) / 2.0).into()))
    }
}

fn edges(triangles: &[[u32; 3]]) -> Edges {
    let mut edges = Edges::new();
    for (index, [a, b, c]) in triangles.iter().copied().enumerate() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let uses = edges.entry((from.min(to), from.max(to))).or_default();
            if from < to { uses.forward.push(index) } else { uses.backward.push(index) }
        }
    }
    edges
}

/// Which triangles must be turned to agree with the majority of their connected part.
fn turned(triangles: &[[u32; 3]], edges: &Edges) -> Vec<bool> {
    let neighbours = neighbours(triangles.len(), edges);
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    for start in 0..triangles.len() {
        if turned[start].is_some() {
            continue;
        }
        let part = spread(start, &neighbours, &mut turned);
        let minority = part.iter().filter(|&&triangle| turned[triangle] == Some(true)).count() * 2 > part.len();
        for triangle in part.into_iter().filter(|_| minority) {
            turned[triangle] = turned[triangle].map(|was| !was);
        }
    }
    turned.into_iter().map(|turned| turned == Some(true)).collect()
}

/// For each triangle its neighbours over edges of exactly two triangles, and whether both use the edge in the same
/// direction, so that one must be turned.
fn neighbours(count: usize, edges: &Edges) -> Vec<Vec<(usize, bool)>> {
    let mut neighbours = vec![Vec::new(); count];
    for uses in edges.values() {
        let pair = match (uses.forward.as_slice(), uses.backward.as_slice()) {
            (&[a], &[b]) => (a, b, false),
            (&[a, b], &[]) | (&[], &[a, b]) => (a, b, true),
            _ => continue,
        };
        neighbours[pair.0].push((pair.1, pair.2));
        neighbours[pair.1].push((pair.0, pair.2));
    }
    neighbours
}

/// Decides all triangles connected with `start` and returns them.
fn spread(start: usize, neighbours: &[Vec<(usize, bool)>], turned: &mut [Option<bool>]) -> Vec<usize> {
    turned[start] = Some(false);
    let mut part = vec![start];
    let mut next = 0;
    while let Some(&triangle) = part.get(next) {
        next += 1;
        for &(neighbour, disagrees) in &neighbours[triangle] {
            if turned[neighbour].is_none() {
                turned[neighbour] = turned[triangle].map(|own| own != disagrees);
                part.push(neighbour);
            }
        }
    }
    part
}
