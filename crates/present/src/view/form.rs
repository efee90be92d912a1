//! A geometry split into form, size and direction, so that equal forms share one mesh.

use super::lathe::{Piece, arc, straight, turn};
use super::mesh::{Detail, TriangleMesh};
use super::{Axis, Geometry, extrude, frame, surface};
use std::f64::consts::FRAC_PI_2;

/// A form of normalised size whose axis is z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form<'a> {
    /// Ball of diameter 1.
    Sphere,
    /// Cube of edge 1.
    Cube,
    /// Cylinder of diameter and length 1 with a bore of this diameter.
    Cylinder { bore: f64 },
    /// Frustum of length 1 on z = 0; the larger diameter is 1.
    Cone { base: f64, top: f64 },
    /// Capsule of diameter 1.
    Capsule { straight: f64 },
    /// Beam of width (x) and thickness (y) 1.
    Beam { straight: f64 },
    /// Square of edge 1.
    Plane,
    /// Arrows of length 1.
    Frame,
    /// Mesh of the user, in metres.
    Mesh { vertices: &'a [[f64; 3]], triangles: &'a [[u32; 3]] },
}

/// What makes a geometry out of a form: scale its axes, then take z to `axis`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sized<'a> {
    /// The form.
    pub(super) form: Form<'a>,
    /// Factors along the form's x, y and z [m].
    pub(super) scale: [f64; 3],
    /// Where the form's z axis points.
    pub(super) axis: Axis,
}

/// Splits a geometry.
pub(super) fn split(geometry: &Geometry) -> Sized<'_> {
    match geometry {
        Geometry::Sphere { diameter } => sized(Form::Sphere, [*diameter; 3], Axis::Z),
        Geometry::Ellipsoid { lengths } => sized(Form::Sphere, *lengths, Axis::Z),
        Geometry::Box { lengths } => sized(Form::Cube, *lengths, Axis::Z),
        Geometry::Cylinder { axis, diameter, length, inner_diameter } => {
            let form = Form::Cylinder { bore: inner_diameter / diameter };
            sized(form, [*diameter, *diameter, *length], *axis)
        }
        Geometry::Cone { axis, diameter, top_diameter, length } => {
            let largest = diameter.max(*top_diameter);
            let form = Form::Cone { base: diameter / largest, top: top_diameter / largest };
            sized(form, [largest, largest, *length], *axis)
        }
        Geometry::Capsule { axis, diameter, length } => {
            sized(Form::Capsule { straight: length / diameter }, [*diameter; 3], *axis)
        }
        Geometry::Beam { axis, length, width, thickness } => {
            sized(Form::Beam { straight: length / width }, [*width, *thickness, *width], *axis)
        }
        Geometry::Mesh { vertices, triangles } => sized(Form::Mesh { vertices, triangles }, [1.0; 3], Axis::Z),
        Geometry::Plane { axis, size } => sized(Form::Plane, [*size; 3], *axis),
        Geometry::Frame { length } => sized(Form::Frame, [*length; 3], Axis::Z),
    }
}

fn sized(form: Form<'_>, scale: [f64; 3], axis: Axis) -> Sized<'_> {
    Sized { form, scale, axis }
}

impl Form<'_> {
    /// Name for meshes in files.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Cube => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Capsule { .. } => "capsule",
            Self::Beam { .. } => "beam",
            Self::Plane => "plane",
            Self::Frame => "frame",
            Self::Mesh { .. } => "mesh",
        }
    }

    /// Triangles of the form.
    pub(super) fn tessellate(&self, detail: Detail) -> TriangleMesh {
        let around = detail.around;
        match *self {
            Self::Sphere => turn(&[arc(0.0, 0.5, (-FRAC_PI_2, FRAC_PI_2), around / 2)], around),
            Self::Cube => extrude::cube(),
            Self::Cylinder { bore } => turn(&cylinder(0.5 * bore), around),
            Self::Cone { base, top } => turn(&cone(0.5 * base, 0.5 * top), around),
            Self::Capsule { straight } => turn(&[capsule(straight, around / 4)], around),
            Self::Beam { straight } => extrude::beam(straight, around),
            Self::Plane => extrude::plane(),
            Self::Frame => frame::axes(),
            Self::Mesh { vertices, triangles } => surface::shaded(vertices, triangles),
        }
    }
}

fn cylinder(bore: f64) -> Vec<Piece> {
    let mut pieces =
        vec![straight((bore, -0.5), (0.5, -0.5)), straight((0.5, -0.5), (0.5, 0.5)), straight((0.5, 0.5), (bore, 0.5))];
    if bore > 0.0 {
        pieces.push(straight((bore, 0.5), (bore, -0.5)));
    }
    pieces
}

fn cone(base: f64, top: f64) -> Vec<Piece> {
    let mut pieces = vec![straight((base, 0.0), (top, 1.0))];
    if base > 0.0 {
        pieces.push(straight((0.0, 0.0), (base, 0.0)));
    }
    if top > 0.0 {
        pieces.push(straight((top, 1.0), (0.0, 1.0)));
    }
    pieces
}

fn capsule(straight: f64, divisions: usize) -> Piece {
    let mut piece = arc(-0.5 * straight, 0.5, (-FRAC_PI_2, 0.0), divisions);
    piece.extend(arc(0.5 * straight, 0.5, (0.0, FRAC_PI_2), divisions));
    piece
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::mesh::vector::{cross, difference, dot};
    use std::f64::consts::PI;

    const FINE: Detail = Detail { around: 48 };

    fn corners(mesh: &TriangleMesh) -> impl Iterator<Item = [usize; 3]> + '_ {
        mesh.indices.chunks(3).map(|t| [t[0] as usize, t[1] as usize, t[2] as usize])
    }

    fn wide(v: [f32; 3]) -> [f64; 3] {
        v.map(f64::from)
    }

    /// Volume by the divergence theorem: positive only for a closed surface that faces outwards.
    fn volume(mesh: &TriangleMesh) -> f64 {
        corners(mesh).map(|t| t.map(|i| wide(mesh.positions[i]))).map(|[a, b, c]| dot(a, cross(b, c)) / 6.0).sum()
    }

    fn closed_forms() -> Vec<(Form<'static>, f64)> {
        vec![
            (Form::Sphere, PI / 6.0),
            (Form::Cube, 1.0),
            (Form::Cylinder { bore: 0.0 }, PI / 4.0),
            (Form::Cylinder { bore: 0.6 }, PI / 4.0 * (1.0 - 0.36)),
            (Form::Cone { base: 1.0, top: 0.0 }, PI / 12.0),
            (Form::Cone { base: 0.5, top: 1.0 }, PI / 12.0 * (1.0 + 0.5 + 0.25)),
            (Form::Capsule { straight: 2.0 }, PI / 6.0 + PI / 2.0),
            (Form::Beam { straight: 3.0 }, PI / 4.0 + 3.0),
        ]
    }

    #[test]
    fn tessellated_forms_have_the_volume_of_the_solid() {
        for (form, expected) in closed_forms() {
            let found = volume(&form.tessellate(FINE));
            assert!((found / expected - 1.0).abs() < 0.01, "{form:?}: {found} instead of {expected}");
        }
    }

    #[test]
    fn normals_are_unit_vectors_on_the_outer_side_of_every_triangle() {
        let open = [Form::Plane, Form::Frame];
        for form in closed_forms().into_iter().map(|(form, _)| form).chain(open) {
            let mesh = form.tessellate(FINE);
            for [a, b, c] in corners(&mesh) {
                let [p, q, r] = [a, b, c].map(|i| wide(mesh.positions[i]));
                let face = cross(difference(q, p), difference(r, p));
                assert!(dot(face, face) > 0.0, "{form:?} has an empty triangle");
                for n in [a, b, c].map(|i| wide(mesh.normals[i])) {
                    assert!((dot(n, n) - 1.0).abs() < 1e-5 && dot(n, face) > 0.0, "{form:?}: {n:?}");
                }
            }
        }
    }

    #[test]
    fn a_user_mesh_is_sharp_at_steep_edges_and_smooth_at_flat_ones() {
        let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.1], [0.0, 0.0, -1.0]];
        let triangles = [[0, 1, 2], [1, 3, 2], [0, 4, 1]];
        let mesh = Form::Mesh { vertices: &vertices, triangles: &triangles }.tessellate(FINE);
        assert_eq!(mesh.normals[1], mesh.normals[3], "flat edge");
        assert_ne!(mesh.normals[0], mesh.normals[6], "steep edge");
    }

    #[test]
    fn beam_has_its_width_along_the_axis_after_its_direction() {
        let beam = Geometry::Beam { axis: Axis::X, length: 3.0, width: 0.5, thickness: 0.1 };
        let split = split(&beam);
        assert_eq!((split.axis, split.scale), (Axis::X, [0.5, 0.1, 0.5]));
        assert_eq!(split.form, Form::Beam { straight: 6.0 });
    }
}
