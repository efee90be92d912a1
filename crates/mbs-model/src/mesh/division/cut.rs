//! Where a fragment is cut.

use mbs::math::Vec3;

use super::fragment::{Fragment, Hull, SNAP, depth};
use super::plane::Plane;
use super::solid::{ConcaveEdge, Solid};

/// Concave edges at which planes are tried: as many as visit about this number of facets, within limits.
const FACETS_LOOKED_AT: usize = 3000;
const FEWEST_EDGES: usize = 2;
const MOST_EDGES: usize = 8;
/// Edges whose directions differ by less than this sine are parallel.
const PARALLEL: f64 = 1e-3;

/// A fragment with its hull.
pub(super) struct Piece {
    pub fragment: Fragment,
    pub hull: Hull,
}

impl Piece {
    pub fn new(solid: &Solid, fragment: Fragment) -> Option<Self> {
        fragment.hull(solid).map(|hull| Self { fragment, hull })
    }

    /// The pieces on both sides of the plane that leaves least of the concavity; none where no plane divides anything.
    pub fn cut(&self, solid: &Solid) -> Option<Vec<Self>> {
        let mut best: Option<(f64, Vec<Self>)> = None;
        for plane in self.planes(solid) {
            let parts = self.fragment.split(solid, &plane);
            let pieces: Vec<Self> = parts.into_iter().flatten().filter_map(|part| Self::new(solid, part)).collect();
            let is_divided = pieces.len() == 2 || pieces.len() == 1 && self.is_larger(solid, &pieces[0]);
            if !is_divided {
                continue;
            }
            let concavity = pieces.iter().map(|piece| piece.fragment.concavity(&piece.hull)).sum::<f64>();
            if best.as_ref().is_none_or(|(least, _)| concavity < *least) {
                best = Some((concavity, pieces));
            }
        }
        best.map(|(_, pieces)| pieces)
    }

    /// Whether the hull has corners outside of another one's cuts.
    fn is_larger(&self, solid: &Solid, other: &Self) -> bool {
        let snap = SNAP * solid.size;
        self.hull.corners.iter().any(|corner| other.fragment.cuts.iter().any(|cut| cut.height(corner) > 10.0 * snap))
    }

    /// Planes between parts of the surface that do not hang together.
    fn gaps(&self, solid: &Solid) -> Vec<Plane> {
        let bodies = self.fragment.connected(solid);
        let [first, others @ ..] = &bodies[..] else { return Vec::new() };
        let mut planes = Vec::new();
        for other in others {
            let sides = [(first, other), (other, first)].into_iter().filter_map(|(own, other)| {
                let hull = own.hull(solid)?;
                let gap = |plane: &Plane| {
                    let corners = other.facets.iter().flat_map(|facet| &facet.corners);
                    corners.map(|corner| plane.height(corner)).fold(f64::INFINITY, f64::min)
                };
                let planes = hull.planes.iter().map(|own| (gap(&own.plane), own.plane));
                planes.max_by(|(a, _), (b, _)| a.total_cmp(b))
            });
            let widest = sides.max_by(|(a, _), (b, _)| a.total_cmp(b));
            if let Some((gap, plane)) = widest.filter(|(gap, _)| *gap > 4.0 * SNAP * solid.size) {
                planes.push(Plane { offset: plane.offset + 0.5 * gap, ..plane });
            }
        }
        planes
    }

    /// Planes to try: between unconnected parts; else through concave edges far below the hull, halving the angle or in
    /// line with either side, and through two parallel ones; through the middle if there is no such edge.
    fn planes(&self, solid: &Solid) -> Vec<Plane> {
        let mut planes = self.gaps(solid);
        if !planes.is_empty() {
            return planes;
        }
        let deep = self.deep_edges(solid);
        for edge in &deep {
            let along = edge.ends[1] - edge.ends[0];
            let middle = edge.middle();
            let bisector = along.cross(&(edge.normals[0] + edge.normals[1]));
            planes.extend(Plane::through(&middle, &bisector));
            planes.extend(edge.normals.iter().filter_map(|normal| Plane::through(&middle, normal)));
        }
        for (k, edge) in deep.iter().enumerate() {
            let along = (edge.ends[1] - edge.ends[0]).normalize();
            for other in &deep[..k] {
                let is_parallel = along.cross(&(other.ends[1] - other.ends[0]).normalize()).norm() < PARALLEL;
                let between = other.middle() - edge.middle();
                if is_parallel && along.cross(&between).norm() > SNAP * solid.size {
                    planes.extend(Plane::through(&edge.middle(), &along.cross(&between)));
                }
            }
        }
        if planes.is_empty() {
            planes.extend(self.halving());
        }
        planes
    }

    /// Concave edges in the order of their depth, apart from each other.
    fn deep_edges(&self, solid: &Solid) -> Vec<ConcaveEdge> {
        let planes = self.hull.surface_planes();
        let mut edges: Vec<(f64, &ConcaveEdge)> =
            self.fragment.concave.iter().map(|edge| (depth(&planes, &edge.middle()), edge)).collect();
        edges.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let count = (FACETS_LOOKED_AT / self.fragment.facets.len().max(1)).clamp(FEWEST_EDGES, MOST_EDGES);
        let mut chosen: Vec<ConcaveEdge> = Vec::new();
        for (depth, edge) in edges {
            let apart = (0.5 * depth).max(SNAP * solid.size);
            if chosen.iter().all(|other| (other.middle() - edge.middle()).norm() > apart) {
                chosen.push(*edge);
            }
            if chosen.len() == count {
                break;
            }
        }
        chosen
    }

    /// Planes through the middle of the hull, across each axis.
    fn halving(&self) -> Vec<Plane> {
        let corners = &self.hull.corners;
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f64;
        [Vec3::x(), Vec3::y(), Vec3::z()].iter().filter_map(|axis| Plane::through(&middle, axis)).collect()
    }
}
