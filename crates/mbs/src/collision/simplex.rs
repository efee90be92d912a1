//! Point, segment, triangle or tetrahedron in the Minkowski difference, and its point nearest to the origin.

use super::difference::Vertex;
use crate::math::Vec3;

/// Up to four affinely independent points and the weights of a point among them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    count: usize,
}

impl Simplex {
    /// A simplex of one point.
    pub(super) fn point(vertex: Vertex) -> Simplex {
        let mut simplex = Simplex::default();
        simplex.push(vertex, 1.0);
        simplex
    }

    fn push(&mut self, vertex: Vertex, weight: f64) {
        if self.count < 4 {
            self.vertices[self.count] = vertex;
            self.weights[self.count] = weight;
            self.count += 1;
        }
    }

    fn of(parts: &[(Vertex, f64)]) -> Simplex {
        let mut simplex = Simplex::default();
        parts.iter().filter(|(_, weight)| *weight > 0.0).for_each(|(vertex, weight)| simplex.push(*vertex, *weight));
        simplex
    }

    /// Vertices with their weights.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&Vertex, f64)> {
        self.vertices.iter().zip(self.weights).take(self.count)
    }

    /// Whether one of the vertices is this point of the difference.
    pub(super) fn has(&self, w: &Vec3) -> bool {
        self.parts().any(|(vertex, _)| vertex.w == *w)
    }

    /// The weighted point of the difference.
    pub(super) fn nearest(&self) -> Vec3 {
        self.parts().map(|(vertex, weight)| vertex.w * weight).sum()
    }

    /// The part of the simplex and a new vertex whose relative inside has the point nearest to the origin; None if
    /// the tetrahedron contains the origin.
    pub(super) fn extended(&self, new: Vertex) -> Option<Simplex> {
        let v = &self.vertices;
        match self.count {
            0 => Some(Simplex::point(new)),
            1 => Some(on_segment(&new, &v[0])),
            2 => Some(on_triangle(&new, &v[0], &v[1])),
            _ => in_tetrahedron(&new, &v[0], &v[1], &v[2]),
        }
    }
}

fn on_segment(p: &Vertex, q: &Vertex) -> Simplex {
    let edge = q.w - p.w;
    let square = edge.norm_squared();
    let t = if square > 0.0 { (-p.w.dot(&edge) / square).clamp(0.0, 1.0) } else { 0.0 };
    Simplex::of(&[(*p, 1.0 - t), (*q, t)])
}

/// Nearest point of a triangle: the inside if the projection of the origin falls there, else the nearest edge.
fn on_triangle(p: &Vertex, q: &Vertex, r: &Vertex) -> Simplex {
    let normal = (q.w - p.w).cross(&(r.w - p.w));
    let square = normal.norm_squared();
    if square > 0.0 {
        let part = |u: &Vertex, v: &Vertex| u.w.cross(&v.w).dot(&normal) / square;
        let weights = [part(q, r), part(r, p), part(p, q)];
        if weights.iter().all(|&weight| weight > 0.0) {
            let sum: f64 = weights.iter().sum();
            return Simplex::of(&[(*p, weights[0] / sum), (*q, weights[1] / sum), (*r, weights[2] / sum)]);
        }
    }
    nearest([on_segment(p, q), on_segment(p, r), on_segment(q, r)])
}

/// Nearest point of a tetrahedron; None if it contains the origin. A face counts only if the origin is on its outer
/// side; a flat tetrahedron has no inside and all its faces count.
fn in_tetrahedron(p: &Vertex, q: &Vertex, r: &Vertex, s: &Vertex) -> Option<Simplex> {
    let faces = [[p, q, r, s], [p, r, s, q], [p, s, q, r], [q, s, r, p]];
    let outside = faces.map(|[a, b, c, opposite]| {
        let normal = (b.w - a.w).cross(&(c.w - a.w));
        let inner = normal.dot(&(opposite.w - a.w));
        let origin = -normal.dot(&a.w);
        inner == 0.0 || (inner > 0.0) != (origin > 0.0)
    });
    let mut best: Option<Simplex> = None;
    for (face, _) in faces.iter().zip(outside).filter(|(_, outside)| *outside) {
        let candidate = on_triangle(face[0], face[1], face[2]);
        let is_nearer = |known: &Simplex| candidate.nearest().norm_squared() < known.nearest().norm_squared();
        if best.as_ref().is_none_or(is_nearer) {
            best = Some(candidate);
        }
    }
    best
}

fn nearest(candidates: [Simplex; 3]) -> Simplex {
    let [mut best, second, third] = candidates;
    for candidate in [second, third] {
        if candidate.nearest().norm_squared() < best.nearest().norm_squared() {
            best = candidate;
        }
    }
    best
}
