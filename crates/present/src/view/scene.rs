//! The shapes of an animation as parts that share meshes.

use super::form::{Form, split};
use super::mesh::{Detail, TriangleMesh};
use super::{AnimatedShape, Animation, Geometry, Layer, rotation};

/// A mesh with a name for files.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SharedMesh {
    /// What it is, for example `sphere`.
    pub(super) name: &'static str,
    /// Its triangles.
    pub(super) mesh: TriangleMesh,
}

/// One shape: a mesh placed and scaled in its body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part<'a> {
    /// Name of the shape.
    pub(super) name: &'a str,
    /// Index of the mesh.
    pub(super) mesh: usize,
    /// Position in the body [m].
    pub(super) p: [f64; 3],
    /// Rotation in the body (w, x, y, z); scales are applied first.
    pub(super) q: [f64; 4],
    /// Factors along the axes of the mesh [m].
    pub(super) scale: [f64; 3],
    /// sRGB and alpha.
    pub(super) color: [f32; 4],
    /// Whether it is the shape that collides.
    pub(super) contact: bool,
    /// Whether it is ground without end, of which a piece is shown.
    pub(super) ground: bool,
}

/// Meshes and, per body, its parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene<'a> {
    /// Meshes that parts refer to; the first is the coordinate frame.
    pub(super) meshes: Vec<SharedMesh>,
    /// Parts of every body, in the order of the bodies.
    pub(super) parts: Vec<Vec<Part<'a>>>,
}

/// Index of the coordinate frame in [`Scene::meshes`].
pub(super) const FRAME_MESH: usize = 0;

/// Builds the scene of a checked animation.
pub(super) fn build(animation: &Animation) -> Scene<'_> {
    let mut forms = vec![Form::Frame];
    let parts =
        animation.bodies.iter().map(|body| body.shapes.iter().map(|shape| part(shape, &mut forms)).collect()).collect();
    let detail = Detail::for_shapes(animation.bodies.iter().map(|body| body.shapes.len()).sum());
    let meshes = forms.iter().map(|form| SharedMesh { name: form.name(), mesh: form.tessellate(detail) }).collect();
    Scene { meshes, parts }
}

fn part<'a>(shape: &'a AnimatedShape, forms: &mut Vec<Form<'a>>) -> Part<'a> {
    let sized = split(&shape.geometry);
    let mesh = forms.iter().position(|form| *form == sized.form).unwrap_or_else(|| {
        forms.push(sized.form);
        forms.len() - 1
    });
    Part {
        name: &shape.name,
        mesh,
        p: shape.pose.p,
        q: rotation::product(rotation::normalized(shape.pose.q), rotation::z_to(sized.axis)),
        scale: sized.scale,
        color: shape.color,
        contact: shape.layer == Layer::Contact,
        ground: matches!(shape.geometry, Geometry::Plane { .. }),
    }
}
