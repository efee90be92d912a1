//! Shapes of the scene as the page shows them.

use mbs::collision::ConvexShape;
use mbs::math::{Pose, Quaternion};
use mbs::scene::ShapeInstance;
use mbs::solid::{self, Shape};
use mbs_present::view::{self, AnimatedShape, Geometry, Layer};

/// Length of the axes drawn for models without shapes [m].
const FRAME_LENGTH: f64 = 0.2;

/// The axes of an object without shapes.
pub(super) fn axes() -> AnimatedShape {
    AnimatedShape {
        name: "axes".to_owned(),
        pose: view::Pose::IDENTITY,
        color: [1.0; 4],
        geometry: Geometry::Frame { length: FRAME_LENGTH },
        layer: Layer::Picture,
    }
}

/// The visual and the collision shapes of an object.
pub(super) fn shapes(shapes: &[ShapeInstance]) -> Vec<AnimatedShape> {
    let visible = shapes.iter().enumerate().filter(|(_, shape)| shape.visible);
    let animated = visible.map(|(number, shape)| AnimatedShape {
        name: format!("{} {}", shape.shape.kind(), number + 1),
        pose: pose_of(&shape.x_cs),
        color: shape.color,
        geometry: geometry(&shape.shape),
        layer: Layer::Picture,
    });
    animated.chain(shapes.iter().flat_map(contact_shapes)).collect()
}

/// Pieces of one solid up to this number are shown in different colours.
const COLORED_PIECES: usize = 64;

/// The convex pieces as which a solid collides.
fn contact_shapes(solid: &ShapeInstance) -> Vec<AnimatedShape> {
    let Some(collision) = &solid.collision else { return Vec::new() };
    let pieces = &collision.pieces;
    let geometries: Vec<Geometry> = match &solid.shape {
        Shape::HalfSpace { .. } => Vec::new(),
        Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Ellipsoid { .. } | Shape::HeightField { .. } => {
            vec![geometry(&solid.shape)]
        }
        _ if pieces.len() > COLORED_PIECES => vec![mesh_of(pieces)],
        _ => pieces.iter().map(|piece| mesh_of(std::slice::from_ref(piece))).collect(),
    };
    let shape = |(number, geometry)| AnimatedShape {
        name: format!("contact {}", number + 1),
        pose: pose_of(&solid.x_cs),
        color: piece_color(number),
        geometry,
        layer: Layer::Contact,
    };
    geometries.into_iter().enumerate().map(shape).collect()
}

fn mesh_of(pieces: &[ConvexShape]) -> Geometry {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for piece in pieces {
        let first = vertices.len() as u32;
        let (corners, faces) = piece.surface();
        vertices.extend(corners);
        triangles.extend(faces.into_iter().map(|face| face.map(|corner| corner + first)));
    }
    Geometry::Mesh { vertices, triangles }
}

/// Colours that differ from piece to piece: hues at steps of the golden angle.
fn piece_color(number: usize) -> [f32; 4] {
    let hue = (0.08 + 0.381_966 * number as f32).fract() * 6.0;
    let channel = |shift: f32| 0.35 + 0.5 * (((hue + shift) % 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    [channel(0.0), channel(4.0), channel(2.0), 1.0]
}

/// A pose in the terms of the page.
pub(super) fn pose_of(pose: &Pose) -> view::Pose {
    view::Pose { p: pose.translation.into(), q: Quaternion::from_matrix(&pose.rotation).to_array() }
}

fn axis(axis: solid::Axis) -> view::Axis {
    match axis {
        solid::Axis::X => view::Axis::X,
        solid::Axis::Y => view::Axis::Y,
        solid::Axis::Z => view::Axis::Z,
    }
}

fn geometry(shape: &Shape) -> Geometry {
    match shape {
        Shape::Sphere { diameter } => Geometry::Sphere { diameter: *diameter },
        Shape::Ellipsoid { lengths } => Geometry::Ellipsoid { lengths: *lengths },
        Shape::Box { lengths } => Geometry::Box { lengths: *lengths },
        Shape::Cylinder { axis: along, diameter, length, inner_diameter } => Geometry::Cylinder {
            axis: axis(*along),
            diameter: *diameter,
            length: *length,
            inner_diameter: *inner_diameter,
        },
        Shape::Cone { axis: along, diameter, top_diameter, length } => {
            Geometry::Cone { axis: axis(*along), diameter: *diameter, top_diameter: *top_diameter, length: *length }
        }
        Shape::Capsule { axis: along, diameter, length } => {
            Geometry::Capsule { axis: axis(*along), diameter: *diameter, length: *length }
        }
        Shape::Beam { axis: along, length, width, thickness } => {
            Geometry::Beam { axis: axis(*along), length: *length, width: *width, thickness: *thickness }
        }
        Shape::HalfSpace { axis: normal, size } => Geometry::Plane { axis: axis(*normal), size: *size },
        Shape::HeightField { grid, lengths, scale, thickness } => {
            let (vertices, triangles) = grid.surface(*lengths, *scale, *thickness);
            Geometry::Mesh { vertices, triangles }
        }
        Shape::Mesh { mesh, scale } => {
            let scaled = |vertex: &[f64; 3]| [vertex[0] * scale[0], vertex[1] * scale[1], vertex[2] * scale[2]];
            // A mirrored mesh would show its inside.
            let is_mirrored = scale.iter().product::<f64>() < 0.0;
            let turned = |[a, b, c]: &[u32; 3]| if is_mirrored { [*a, *c, *b] } else { [*a, *b, *c] };
            Geometry::Mesh {
                vertices: mesh.vertices().iter().map(scaled).collect(),
                triangles: mesh.triangles().iter().map(turned).collect(),
            }
        }
    }
}
