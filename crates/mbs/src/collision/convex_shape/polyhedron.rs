//! Convex polyhedra by their faces, for contacts of flat parts.

use super::ConvexShape;
use super::round_side::RoundSide;
use super::seam::Seam;
use crate::collision::hull::Hull;
use crate::math::Vec3;
use crate::solid::Axis;

/// Polyhedra with more faces are in contact at one point, like round shapes.
pub const MOST_FACES: usize = 1000;

/// Triangles whose normals differ by less than this angle \[rad\], and whose planes by less than this fraction of the
/// size, are one face.
const COPLANAR: f64 = 1e-9;

/// Triangles of less area than this fraction of the square of the size have no normal.
const SLIVER: f64 = 1e-14;

/// One face: the plane `normal . x = offset` in the shape frame S.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal, in S.
    pub normal: Vec3,
    /// Distance of the plane from So along the normal \[m\].
    pub offset: f64,
    /// Distance of the plane from the centre of the polyhedron \[m\]; 1 m for a half-space, which has no size.
    pub height: f64,
}

/// Planes that bound a convex piece of a larger surface, in the shape frame S.
pub(in crate::collision) struct Piece {
    /// Planes of the surface.
    pub faces: Vec<Face>,
    /// Planes at which other pieces begin.
    pub walls: Vec<Face>,
    /// Half of the smallest dimension of the body \[m\]; none for ground.
    pub half_thickness: Option<f64>,
    /// Area of the largest face \[m²\]; infinite for ground.
    pub area: f64,
    /// The outside of a sector of a ring.
    pub round_side: Option<RoundSide>,
}

/// A convex polyhedron with sharp edges, in the shape frame S.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    faces: Vec<Face>,
    walls: Vec<Face>,
    /// Fields of neighbours that go on in it.
    continued: Vec<Face>,
    seams: Vec<Seam>,
    corners: Vec<Vec3>,
    center: Vec3,
    radius: f64,
    area: f64,
    half_thickness: Option<f64>,
    round_side: Option<RoundSide>,
    sharp: ConvexShape,
}

impl Polyhedron {
    /// A box with the given half lengths \[m\].
    pub(in crate::collision) fn cuboid(half: Vec3, sharp: ConvexShape) -> Self {
        let face = |k: usize| {
            let mut normal = Vec3::zeros();
            normal[k / 2] = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            Face { normal, offset: half[k / 2], height: half[k / 2] }
        };
        let side = |k: usize, i: usize| if k >> i & 1 == 0 { half[i] } else { -half[i] };
        let corner = |k: usize| Vec3::new(side(k, 0), side(k, 1), side(k, 2));
        let area = 4.0 * half.x * half.y * half.z / half.min();
        Self {
            faces: (0..6).map(face).collect(),
            walls: Vec::new(),
            continued: Vec::new(),
            seams: Vec::new(),
            corners: (0..8).map(corner).collect(),
            center: Vec3::zeros(),
            radius: half.norm(),
            area,
            half_thickness: Some(half.min()),
            round_side: None,
            sharp,
        }
    }

    /// The half-space below the plane through So with the normal `axis`.
    pub(in crate::collision) fn half_space(axis: Axis) -> Self {
        let sharp = ConvexShape::half_space_core(axis);
        Self {
            faces: vec![Face { normal: axis.unit(), offset: 0.0, height: 1.0 }],
            walls: Vec::new(),
            continued: Vec::new(),
            seams: Vec::new(),
            corners: Vec::new(),
            center: Vec3::zeros(),
            radius: f64::INFINITY,
            area: f64::INFINITY,
            half_thickness: None,
            round_side: None,
            sharp,
        }
    }

    /// The polyhedron of a hull; none if it has too many faces.
    pub(in crate::collision) fn of_hull(hull: &Hull, sharp: ConvexShape) -> Option<Self> {
        let center = hull.center();
        let corners: Vec<Vec3> = hull.vertices().collect();
        let radius = corners.iter().map(|corner| (corner - center).norm()).fold(0.0, f64::max);
        let mut triangles: Vec<([Vec3; 3], Vec3)> = hull
            .triangles()
            .map(|[a, b, c]| ([a, b, c], (b - a).cross(&(c - a))))
            .filter(|(_, normal)| normal.norm() > SLIVER * radius * radius)
            .collect();
        // The largest triangle of a face gives the best normal.
        triangles.sort_by(|(_, a), (_, b)| b.norm_squared().total_cmp(&a.norm_squared()));
        let (mut faces, mut areas) = (Vec::<Face>::new(), Vec::<f64>::new());
        for (_, normal) in &triangles {
            let (area, normal) = (0.5 * normal.norm(), normal.normalize());
            let offset = corners.iter().map(|corner| normal.dot(corner)).fold(f64::NEG_INFINITY, f64::max);
            let is_same = |face: &Face| {
                (face.normal - normal).norm() < COPLANAR && (face.offset - offset).abs() < COPLANAR * radius
            };
            match faces.iter().position(is_same) {
                Some(known) => areas[known] += area,
                None if faces.len() == MOST_FACES => return None,
                None => {
                    faces.push(Face { normal, offset, height: offset - normal.dot(&center) });
                    areas.push(area);
                }
            }
        }
        let area = areas.into_iter().fold(0.0, f64::max);
        let half_thickness = faces.iter().map(|face| face.height).reduce(f64::min);
        half_thickness.filter(|height| *height > 0.0)?;
        Some(Self {
            faces,
            walls: Vec::new(),
            continued: Vec::new(),
            seams: Vec::new(),
            corners,
            center,
            radius,
            area,
            half_thickness,
            round_side: None,
            sharp,
        })
    }

    /// A piece of a larger surface: behind its faces pressure rises, its walls are only where the next piece begins. So
    /// a body that lies on several pieces is carried once. `sharp` is the hull of the corners, its largest face has the
    /// given area \[m²\].
    pub(in crate::collision) fn piece(piece: Piece, corners: Vec<Vec3>, sharp: ConvexShape) -> Self {
        let Piece { faces, walls, half_thickness, area, round_side } = piece;
        let center = sharp.center();
        let reach = corners.iter().map(|corner| (corner - center).norm());
        let turned = round_side.as_ref().map_or(0.0, |side| side.reach_from(&center));
        let radius = reach.fold(turned, f64::max);
        let (continued, seams) = (Vec::new(), Vec::new());
        Self { faces, walls, continued, seams, corners, center, radius, area, half_thickness, round_side, sharp }
    }

    /// Planes at which a piece of a larger surface ends without being bounded there.
    #[must_use]
    pub fn walls(&self) -> &[Face] {
        &self.walls
    }

    /// Planes in S behind which pressure rises as behind faces of other pieces: they bound the field, not the piece.
    #[must_use]
    pub fn continued(&self) -> &[Face] {
        &self.continued
    }

    pub(in crate::collision) fn set_continued(&mut self, continued: Vec<Face>) {
        self.continued = continued;
    }

    pub(in crate::collision) fn set_half_thickness(&mut self, half_thickness: Option<f64>) {
        self.half_thickness = half_thickness;
    }

    /// Where its faces go on in other pieces.
    pub(in crate::collision) fn seams(&self) -> &[Seam] {
        &self.seams
    }

    pub(in crate::collision) fn set_seams(&mut self, seams: Vec<Seam>) {
        self.seams = seams;
    }

    /// The face of a piece of ground that has no other.
    #[must_use]
    pub fn only_face(&self) -> Option<&Face> {
        match &self.faces[..] {
            [face] if !self.walls.is_empty() => Some(face),
            _ => None,
        }
    }

    /// The face of a piece of ground, which carries others together with the pieces around it.
    #[must_use]
    pub fn ground_face(&self) -> Option<&Face> {
        self.only_face().filter(|_| self.half_thickness.is_none())
    }

    /// The outside of a sector of a ring, whose faces turn towards bodies outside the ring.
    #[must_use]
    pub fn round_side(&self) -> Option<&RoundSide> {
        self.round_side.as_ref()
    }

    /// Faces.
    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Corners in S \[m\]; none for a half-space.
    #[must_use]
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Centre in S \[m\]: of the volume; a point on the surface of a half-space.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Radius of a sphere around the centre that contains the polyhedron \[m\]; infinite for a half-space.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Area of the largest face \[m²\]; infinite for a half-space.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Smallest distance of a face from the centre \[m\]; none for ground, which has no size.
    #[must_use]
    pub fn half_thickness(&self) -> Option<f64> {
        self.half_thickness
    }

    /// The same shape for queries of its distance from others.
    #[must_use]
    pub fn sharp(&self) -> &ConvexShape {
        &self.sharp
    }
}
