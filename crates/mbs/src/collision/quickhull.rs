//! Quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The quickhull algorithm for convex hulls, ACM Transactions on
//! Mathematical Software 22(4), 1996): the hull of four points grows to the farthest point outside of a face. The faces
//! visible from the point are connected, are replaced by a fan from their border to the point, and pass their outside
//! points on to the fan.
//!
//! A face is visible from a point if the point is above it, or in its plane: a new face on an edge in line with the
//! point would have no area. Where the heights of points above faces have exact signs and the tolerance is zero, this
//! never fails. The visible faces are those around the point in the hull that includes it, so that they are connected
//! and have one closed border; and a point outside of that hull that was above one of them is above a face of the fan,
//! because the line from that face to the point leaves the hull through one. Where heights are rounded, the border may
//! fall apart; the growth then ends without a hull.
//!
//! Work grows with the number of points and little more; only with the square of the number of corners of a single flat
//! face, whose triangles every further corner replaces.

use crate::math::Vec3;
use std::collections::VecDeque;

/// How planes and heights are computed.
pub(super) trait Arithmetic {
    /// The plane of a face.
    type Plane;

    /// The plane through three points, with its outside where they are seen counter-clockwise.
    fn plane(&self, corners: [Vec3; 3]) -> Self::Plane;

    /// How far a point is outside of a plane.
    fn height(&self, plane: &Self::Plane, point: &Vec3) -> f64;

    /// Points up to so far outside of a plane are taken as in it.
    fn tolerance(&self) -> f64;
}

/// A face of the growing hull.
struct Face<Plane> {
    corners: [usize; 3],
    /// The face across the edge from each corner to the next.
    across: [usize; 3],
    plane: Plane,
    /// Points above this face that no other face has.
    outside: Vec<usize>,
    /// When it was made; faces of the same fan follow each other.
    birth: usize,
    /// The last apex that was compared with the face, and whether the face is visible from it.
    compared: usize,
    is_visible: bool,
}

/// An edge of the border of the visible faces, in the direction of the visible face.
struct Border {
    from: usize,
    to: usize,
    beyond: usize,
}

/// Marks the absence of a number.
const NONE: usize = usize::MAX;

struct Growth<'a, A: Arithmetic> {
    points: &'a [Vec3],
    arithmetic: A,
    /// Faces in reusable slots; those in `free` are unused.
    faces: Vec<Face<A::Plane>>,
    free: Vec<usize>,
    births: usize,
    /// Faces with outside points, in order of birth, by place and birth; some may have been removed.
    pending: VecDeque<(usize, usize)>,
    /// For each point the face of the present fan whose border edge starts there.
    leaving: Vec<usize>,
}

/// Corners of the faces of the hull, counter-clockwise seen from outside, in the order in which the faces were made;
/// None if rounding tears the surface. `start` are corners of a tetrahedron: the last three are seen counter-clockwise
/// from the first one's other side.
pub(super) fn quickhull<A: Arithmetic>(points: &[Vec3], start: [usize; 4], arithmetic: A) -> Option<Vec<[usize; 3]>> {
    let mut growth = Growth {
        points,
        arithmetic,
        faces: Vec::new(),
        free: Vec::new(),
        births: 0,
        pending: VecDeque::new(),
        leaving: vec![NONE; points.len()],
    };
    growth.begin(start);
    while let Some((face, birth)) = growth.pending.pop_front() {
        if growth.faces[face].birth == birth {
            growth.grow(face)?;
        }
    }
    Some(growth.finished())
}

impl<A: Arithmetic> Growth<'_, A> {
    fn begin(&mut self, start: [usize; 4]) {
        let [a, b, c, d] = start;
        let faces = [([a, b, c], [2, 3, 1]), ([a, c, d], [0, 3, 2]), ([a, d, b], [1, 3, 0]), ([b, d, c], [2, 1, 0])];
        let fan = faces.map(|(corners, across)| self.add(corners, across));
        let others = (0..self.points.len()).filter(|point| !start.contains(point)).collect();
        self.distribute(&fan, others);
    }

    /// The faces that are left, in order of birth.
    fn finished(self) -> Vec<[usize; 3]> {
        let mut faces: Vec<&Face<A::Plane>> = self.faces.iter().filter(|face| face.birth != NONE).collect();
        faces.sort_unstable_by_key(|face| face.birth);
        faces.into_iter().map(|face| face.corners).collect()
    }

    fn height(&self, face: usize, point: usize) -> f64 {
        self.arithmetic.height(&self.faces[face].plane, &self.points[point])
    }

    /// The place of a new face.
    fn add(&mut self, corners: [usize; 3], across: [usize; 3]) -> usize {
        let plane = self.arithmetic.plane(corners.map(|corner| self.points[corner]));
        let face =
            Face { corners, across, plane, outside: Vec::new(), birth: self.births, compared: NONE, is_visible: false };
        self.births += 1;
        if let Some(place) = self.free.pop() {
            self.faces[place] = face;
            place
        } else {
            self.faces.push(face);
            self.faces.len() - 1
        }
    }

    /// Adds the farthest point outside of a face.
    fn grow(&mut self, face: usize) -> Option<()> {
        let apex = self.farthest(face);
        let visible = self.visible(face, apex);
        let border = self.border(&visible);
        let mut orphans = Vec::new();
        for &seen in &visible {
            let face = &mut self.faces[seen];
            orphans.extend(face.outside.drain(..).filter(|&point| point != apex));
            face.birth = NONE;
        }
        self.free.extend(visible);
        let fan = self.fan(&border, apex)?;
        self.distribute(&fan, orphans);
        Some(())
    }

    /// The outside point that is farthest above a face; of equally high points the one farthest from its middle, which
    /// is a vertex of the hull, where others may be on an edge.
    fn farthest(&self, face: usize) -> usize {
        let tolerance = self.arithmetic.tolerance();
        let Face { corners, outside, .. } = &self.faces[face];
        let middle = corners.iter().map(|&corner| self.points[corner]).sum::<Vec3>() / 3.0;
        let reach = |point: usize| (self.points[point] - middle).norm_squared();
        let mut best = outside[0];
        for &point in &outside[1..] {
            let above = self.height(face, point) - self.height(face, best);
            if above > tolerance || (above >= -tolerance && reach(point) > reach(best)) {
                best = point;
            }
        }
        best
    }

    /// The faces that a point is above of or in the plane of and that hang together with a given one, in order of
    /// birth.
    fn visible(&mut self, face: usize, apex: usize) -> Vec<usize> {
        let mut visible = Vec::new();
        let mut near = vec![face];
        while let Some(next) = near.pop() {
            if self.faces[next].compared == apex {
                continue;
            }
            let is_visible = next == face || self.height(next, apex) >= -self.arithmetic.tolerance();
            self.faces[next].compared = apex;
            self.faces[next].is_visible = is_visible;
            if is_visible {
                visible.push(next);
                near.extend(self.faces[next].across);
            }
        }
        visible.sort_unstable_by_key(|&face| self.faces[face].birth);
        visible
    }

    /// The border of the visible faces.
    fn border(&self, visible: &[usize]) -> Vec<Border> {
        let edges = visible.iter().flat_map(|&seen| {
            let Face { corners, across, .. } = &self.faces[seen];
            [0, 1, 2].map(|k| Border { from: corners[k], to: corners[(k + 1) % 3], beyond: across[k] })
        });
        edges.filter(|edge| !self.faces[edge.beyond].is_visible).collect()
    }

    /// Joins the border to a point by new faces; None if the border is not one closed line.
    fn fan(&mut self, border: &[Border], apex: usize) -> Option<Vec<usize>> {
        let fan: Vec<usize> =
            border.iter().map(|edge| self.add([edge.from, edge.to, apex], [edge.beyond, NONE, NONE])).collect();
        let mut is_simple = true;
        for (edge, &face) in border.iter().zip(&fan) {
            is_simple &= self.leaving[edge.from] == NONE;
            self.leaving[edge.from] = face;
        }
        let is_closed = border.iter().all(|edge| self.leaving[edge.to] != NONE);
        if !is_simple || !is_closed {
            return None;
        }
        for (edge, &face) in border.iter().zip(&fan) {
            let next = self.leaving[edge.to];
            self.faces[face].across[1] = next;
            self.faces[next].across[2] = face;
            let beyond = &mut self.faces[edge.beyond];
            let side = (0..3).find(|&k| beyond.corners[k] == edge.to && beyond.corners[(k + 1) % 3] == edge.from)?;
            beyond.across[side] = face;
        }
        border.iter().for_each(|edge| self.leaving[edge.from] = NONE);
        let mut last = *fan.first()?;
        let mut length = 1;
        while self.faces[last].across[1] != fan[0] && length < fan.len() {
            last = self.faces[last].across[1];
            length += 1;
        }
        (length == fan.len() && length > 2).then_some(fan)
    }

    /// Gives each point to the face of a fan that it is farthest above of; points that are above of none are inside.
    fn distribute(&mut self, fan: &[usize], points: Vec<usize>) {
        for point in points {
            let mut best = (self.arithmetic.tolerance(), None);
            for &face in fan {
                let height = self.height(face, point);
                if height > best.0 {
                    best = (height, Some(face));
                }
            }
            if let Some(face) = best.1 {
                self.faces[face].outside.push(point);
            }
        }
        let with_points = fan.iter().filter(|&&face| !self.faces[face].outside.is_empty());
        self.pending.extend(with_points.map(|&face| (face, self.faces[face].birth)));
    }
}
