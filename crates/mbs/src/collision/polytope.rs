//! The growing polytope of the depth search, in arrays of fixed size.

use super::difference::Vertex;
use crate::math::Vec3;

/// Largest number of vertices and, by Euler's formula, of faces.
const VERTICES: usize = 128;
const FACES: usize = 2 * VERTICES;
/// Largest number of edges, also by Euler.
const EDGES: usize = 3 * VERTICES;

/// A triangle, counter-clockwise seen from outside, with outward unit normal and distance of its plane from the origin.
#[derive(Clone, Copy)]
struct Face {
    corners: [u8; 3],
    normal: Vec3,
    offset: f64,
}

/// A closed surface of triangles around points of the Minkowski difference.
pub(super) struct Polytope {
    vertices: [Vertex; VERTICES],
    num_vertices: usize,
    faces: [Face; FACES],
    num_faces: usize,
}

impl Polytope {
    /// A tetrahedron; None if it has no volume.
    pub(super) fn new(start: &[Vertex; 4]) -> Option<Polytope> {
        let [p, q, r, s] = start.map(|vertex| vertex.w);
        let volume = (q - p).cross(&(r - p)).dot(&(s - p));
        let size = (q - p).norm().max((r - p).norm()).max((s - p).norm());
        if volume.abs() <= 1e-14 * size * size * size {
            return None;
        }
        let empty = Face { corners: [0; 3], normal: Vec3::zeros(), offset: 0.0 };
        let mut polytope =
            Polytope { vertices: [Vertex::default(); VERTICES], num_vertices: 4, faces: [empty; FACES], num_faces: 0 };
        polytope.vertices[..4].copy_from_slice(start);
        let faces: [[u8; 3]; 4] = if volume < 0.0 {
            [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
        } else {
            [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]
        };
        faces.into_iter().for_each(|corners| polytope.add(corners));
        Some(polytope)
    }

    /// Index, outward unit normal and distance of the face whose plane is nearest to the origin; planes that have the
    /// origin outside count as negative.
    pub(super) fn nearest(&self) -> Option<(usize, Vec3, f64)> {
        let mut best: Option<usize> = None;
        for (index, face) in self.faces[..self.num_faces].iter().enumerate() {
            if best.is_none_or(|known| face.offset < self.faces[known].offset) {
                best = Some(index);
            }
        }
        best.map(|index| (index, self.faces[index].normal, self.faces[index].offset))
            .filter(|(_, _, offset)| offset.is_finite())
    }

    /// Keeps a face from ever being the nearest.
    pub(super) fn discard(&mut self, face: usize) {
        self.faces[face].offset = f64::INFINITY;
    }

    /// Of the faces in the same plane as the given one, but for `slack`, that over whose inside the origin lies.
    pub(super) fn under_origin(&self, face: usize, slack: f64) -> usize {
        let plane = &self.faces[face];
        let smallest = |index: usize| self.corners(index).iter().map(|(_, weight)| *weight).fold(1.0, f64::min);
        let mut best = (face, smallest(face));
        for (index, other) in self.faces[..self.num_faces].iter().enumerate() {
            let is_same = (other.offset - plane.offset).abs() <= slack && other.normal.dot(&plane.normal) > 1.0 - 1e-12;
            if is_same && smallest(index) > best.1 {
                best = (index, smallest(index));
            }
        }
        best.0
    }

    /// Index and outward unit normal of the faces nearer to the origin than a distance.
    pub(super) fn faces_below(&self, distance: f64) -> impl Iterator<Item = (usize, Vec3)> {
        let faces = self.faces[..self.num_faces].iter().enumerate();
        faces.filter(move |(_, face)| face.offset < distance).map(|(index, face)| (index, face.normal))
    }

    /// Corners of a face with the weights of the point nearest to the origin.
    pub(super) fn corners(&self, face: usize) -> [(&Vertex, f64); 3] {
        let face = &self.faces[face];
        let corners = face.corners.map(|corner| &self.vertices[usize::from(corner)]);
        let [p, q, r] = corners.map(|corner| corner.w);
        let foot = face.normal * face.offset;
        let part = |u: &Vec3, v: &Vec3| (u - foot).cross(&(v - foot)).dot(&face.normal).max(0.0);
        let parts = [part(&q, &r), part(&r, &p), part(&p, &q)];
        let sum: f64 = parts.iter().sum();
        let weight = |i: usize| if sum > 0.0 { parts[i] / sum } else { 1.0 / 3.0 };
        [(corners[0], weight(0)), (corners[1], weight(1)), (corners[2], weight(2))]
    }

    /// Replaces the faces visible from a new vertex by a fan around it. False if there is no room, or if the vertex is
    /// not outside of `seed`, which it must replace.
    pub(super) fn insert(&mut self, seed: usize, vertex: Vertex, slack: f64) -> bool {
        let mut horizon = Horizon::default();
        if self.num_vertices == VERTICES || !self.remove_visible(seed, &vertex.w, slack, &mut horizon) {
            return false;
        }
        if self.num_faces + horizon.count > FACES {
            return false;
        }
        let apex = self.num_vertices as u8;
        self.vertices[self.num_vertices] = vertex;
        self.num_vertices += 1;
        for [from, to] in horizon.edges[..horizon.count].iter().copied() {
            self.add([from, to, apex]);
        }
        true
    }

    fn remove_visible(&mut self, seed: usize, point: &Vec3, slack: f64, horizon: &mut Horizon) -> bool {
        let mut index = self.num_faces;
        let seed_corners = self.faces[seed].corners;
        while index > 0 {
            index -= 1;
            let face = self.faces[index];
            if face.normal.dot(point) <= face.offset - slack && face.corners != seed_corners {
                continue;
            }
            let [a, b, c] = face.corners;
            if ![[a, b], [b, c], [c, a]].into_iter().all(|edge| horizon.toggle(edge)) {
                return false;
            }
            self.num_faces -= 1;
            self.faces[index] = self.faces[self.num_faces];
        }
        true
    }

    fn add(&mut self, corners: [u8; 3]) {
        let [p, q, r] = corners.map(|corner| self.vertices[usize::from(corner)].w);
        let normal = (q - p).cross(&(r - p)).try_normalize(0.0);
        // A face without area never is the nearest.
        let (normal, offset) = normal.map_or((Vec3::zeros(), f64::INFINITY), |n| (n, n.dot(&((p + q + r) / 3.0))));
        self.faces[self.num_faces] = Face { corners, normal, offset };
        self.num_faces += 1;
    }
}

/// Directed edges that only one of the removed faces has.
struct Horizon {
    edges: [[u8; 2]; EDGES],
    count: usize,
}

impl Default for Horizon {
    fn default() -> Horizon {
        Horizon { edges: [[0; 2]; EDGES], count: 0 }
    }
}

impl Horizon {
    /// Adds an edge, or removes it if its reverse is there; false if there is no room.
    fn toggle(&mut self, [from, to]: [u8; 2]) -> bool {
        if let Some(index) = self.edges[..self.count].iter().position(|&edge| edge == [to, from]) {
            self.count -= 1;
            self.edges[index] = self.edges[self.count];
            return true;
        }
        if self.count == EDGES {
            return false;
        }
        self.edges[self.count] = [from, to];
        self.count += 1;
        true
    }
}
