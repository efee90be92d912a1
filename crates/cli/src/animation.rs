//! From a run to an animation: shapes of the scene, poses over time.

use mbs::collision::ConvexShape;
use mbs::force::Gravity;
use mbs::math::{Pose, Quaternion};
use mbs::scene::{ObjectId, Scene, ShapeInstance};
use mbs::solid::{self, Shape};
use mbs::spatial::WORLD;
use mbs_present::view::{self, AnimatedBody, AnimatedShape, Animation, Geometry, Layer, Poses};
use multibody_fmu::Session;

use crate::error::{Error, Result};
use crate::native::Native;
use crate::run::{Ended, Experiment, Run};

/// Length of the axes drawn for models without shapes [m].
const FRAME_LENGTH: f64 = 0.2;

/// Poses of the visible objects of a model.
#[derive(Clone, Default)]
pub struct Recording {
    up: Option<view::Axis>,
    times: Vec<f64>,
    shown: Vec<Shown>,
}

/// An object that is shown.
#[derive(Clone)]
struct Shown {
    id: ObjectId,
    is_static: bool,
    name: String,
    shapes: Vec<AnimatedShape>,
    poses: Vec<view::Pose>,
    /// Whether it exists, at every time.
    exists: Vec<bool>,
}

impl Recording {
    /// Simulates with one picture every `step` seconds, as far as the run comes.
    ///
    /// # Errors
    /// Everything that is wrong with the model or the experiment; models with nothing to show.
    pub fn make(native: &mut Native, experiment: &Experiment, step: f64) -> Result<(Self, Ended)> {
        let mut recording = Self::default();
        let ended = Run::prepare(native, experiment, Some(step))?.go(|runner, t| {
            recording.record(runner.session().ok_or_else(|| Error::failed("only models can be shown"))?, t)
        })?;
        Ok((recording, ended))
    }

    /// Adds a picture of a session at time `t` [s].
    ///
    /// # Errors
    /// Models with nothing to show; poses that cannot be computed.
    pub fn record(&mut self, session: &mut Session, t: f64) -> Result {
        if self.up.is_none() {
            let (shown, up) = visible(session)?;
            (self.shown, self.up) = (shown, Some(up));
        }
        self.times.push(t);
        self.shown.iter_mut().try_for_each(|object| object.record(session))
    }

    /// Time of the last picture [s].
    pub fn last(&self) -> Option<f64> {
        self.times.last().copied()
    }

    /// Number of pictures.
    pub fn num_frames(&self) -> usize {
        self.times.len()
    }

    /// The animation with a headline.
    pub fn animation(self, title: &str) -> Animation {
        let up = self.up.unwrap_or(view::Axis::Z);
        let bodies = self.shown.into_iter().map(Shown::body).collect();
        Animation { title: title.to_owned(), up, times: self.times, bodies }
    }
}

impl Shown {
    fn record(&mut self, session: &mut Session) -> Result {
        if self.is_static && !self.poses.is_empty() {
            return Ok(());
        }
        let Some(simulation) = session.simulation() else { return Ok(()) };
        let pose = simulation.object_pose(self.id).map_err(|error| Error::failed(error.to_string()))?;
        let mut pose = pose_of(&pose);
        // Of the two quaternions of a rotation the one near that of the picture before, so that it can be interpolated.
        if self.poses.last().is_some_and(|last| (0..4).map(|k| last.q[k] * pose.q[k]).sum::<f64>() < 0.0) {
            pose.q = pose.q.map(|x| -x);
        }
        self.poses.push(pose);
        self.exists.push(simulation.scene().exists(self.id));
        Ok(())
    }

    fn body(self) -> AnimatedBody {
        let poses = match self.poses.first() {
            Some(pose) if self.is_static => Poses::Static(*pose),
            _ => Poses::Moving(self.poses),
        };
        let exists = self.exists.contains(&false).then_some(self.exists);
        AnimatedBody { name: self.name, poses, exists, shapes: self.shapes }
    }
}

/// Objects with shapes; when there are none, axes for all that moves.
fn visible(session: &mut Session) -> Result<(Vec<Shown>, view::Axis)> {
    let Some(simulation) = session.simulation() else { return Err(Error::failed("the model was not initialised")) };
    let scene = simulation.scene();
    let changing = scene.changing_objects();
    let is_static = |id: ObjectId| simulation.topology().placements[id.index()].node == WORLD && !changing[id.index()];
    let show = |id: ObjectId, shapes| Shown {
        id,
        is_static: is_static(id),
        name: scene.objects[id].path.clone(),
        shapes,
        poses: Vec::new(),
        exists: Vec::new(),
    };
    let with_shapes = scene.objects.iter().map(|(id, object)| show(id, shapes(&object.shapes)));
    let mut shown: Vec<Shown> = with_shapes.filter(|object| !object.shapes.is_empty()).collect();
    if shown.is_empty() {
        let moving = scene.objects.iter().filter(|(id, _)| !is_static(*id));
        shown = moving.map(|(id, _)| show(id, vec![axes()])).collect();
    }
    if shown.is_empty() {
        let hint = "give an object a `solid` or a `visual`".to_owned();
        return Err(Error::hinted(
            "there is nothing to show: the model has no shapes and nothing that moves",
            Some(hint),
        ));
    }
    Ok((shown, up(scene)))
}

fn axes() -> AnimatedShape {
    AnimatedShape {
        name: "axes".to_owned(),
        pose: view::Pose::IDENTITY,
        color: [1.0; 4],
        geometry: Geometry::Frame { length: FRAME_LENGTH },
        layer: Layer::Picture,
    }
}

/// The axis against gravity; z when that would be x or unknown.
fn up(scene: &Scene) -> view::Axis {
    match scene.gravity {
        Gravity::Uniform(g) if g.y.abs() > g.z.abs() && g.y.abs() >= g.x.abs() => view::Axis::Y,
        _ => view::Axis::Z,
    }
}

fn shapes(shapes: &[ShapeInstance]) -> Vec<AnimatedShape> {
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

fn pose_of(pose: &Pose) -> view::Pose {
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
            // A mirrored mesh would be seen from inside.
            let is_mirrored = scale.iter().product::<f64>() < 0.0;
            let turned = |[a, b, c]: &[u32; 3]| if is_mirrored { [*a, *c, *b] } else { [*a, *b, *c] };
            Geometry::Mesh {
                vertices: mesh.vertices().iter().map(scaled).collect(),
                triangles: mesh.triangles().iter().map(turned).collect(),
            }
        }
    }
}
