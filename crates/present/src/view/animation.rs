//! What a caller hands in: bodies, their shapes and their poses over time.

use super::Details;
use serde::{Deserialize, Serialize};

/// A coordinate axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Axis {
    /// First axis.
    X,
    /// Second axis.
    Y,
    /// Third axis.
    Z,
}

/// A recorded motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Animation {
    /// Title of the page and name of the scene.
    pub title: String,
    /// World axis that points up: [`Axis::Y`] or [`Axis::Z`].
    pub up: Axis,
    /// Times of the frames [s], ascending, at least one. Two equal times are an event: before and after it.
    pub times: Vec<f64>,
    /// Everything that is shown; at least one.
    pub bodies: Vec<AnimatedBody>,
    /// Forces, joints, contacts and curves; files of 3D scenes leave them out.
    pub details: Details,
    /// Parts that are played by themselves, over and over again; none where the whole is one run.
    pub chapters: Vec<Chapter>,
}

/// A part of an animation that is played by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chapter {
    /// Title.
    pub name: String,
    /// Time of its first frame [s].
    pub start: f64,
    /// Time of its last frame [s].
    pub end: f64,
}

/// A rigid body B with shapes fixed to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnimatedBody {
    /// Name in lists, usually the object's path in the model.
    pub name: String,
    /// `X_WB`, the pose of the body in the world.
    pub poses: Poses,
    /// One flag per time, false while the body is not part of the scene; `None` when it always is.
    pub exists: Option<Vec<bool>>,
    /// Shapes fixed to the body; may be empty (a bare frame).
    pub shapes: Vec<AnimatedShape>,
}

/// Poses of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Poses {
    /// The body never moves.
    Static(Pose),
    /// One pose per time of the animation.
    Moving(Vec<Pose>),
}

/// Pose `X_AB` of a frame B in a frame A.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// `p_AB`, position of B's origin [m].
    pub p: [f64; 3],
    /// Unit quaternion (w, x, y, z) of `R_AB`.
    pub q: [f64; 4],
}

impl Pose {
    /// No displacement, no rotation.
    pub const IDENTITY: Self = Self { p: [0.0; 3], q: [1.0, 0.0, 0.0, 0.0] };
}

/// A shape S fixed to a body B.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnimatedShape {
    /// Name within the body.
    pub name: String,
    /// `X_BS`, the pose of the shape in its body.
    pub pose: Pose,
    /// sRGB and alpha, each 0 to 1; alpha below one is translucent.
    pub color: [f32; 4],
    /// Form and size.
    pub geometry: Geometry,
    /// What it is shown for.
    pub layer: Layer,
}

/// What a shape is shown for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Layer {
    /// The visual shapes of the body.
    #[default]
    Picture,
    /// The shape that collides; pages show it instead of the visual shape of its body on request, files omit it.
    Contact,
}

/// Forms of shapes; lengths in metres, all in the frame of the shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Geometry {
    /// Ball around the origin.
    Sphere {
        /// Diameter [m].
        diameter: f64,
    },
    /// Ellipsoid around the origin.
    Ellipsoid {
        /// Full lengths of the principal axes [m].
        lengths: [f64; 3],
    },
    /// Cuboid around the origin.
    Box {
        /// Edge lengths [m].
        lengths: [f64; 3],
    },
    /// Cylinder or tube, centred at the origin.
    Cylinder {
        /// Direction of the centre line.
        axis: Axis,
        /// Outer diameter [m].
        diameter: f64,
        /// Length along the axis [m].
        length: f64,
        /// Diameter of the bore [m]; zero for a solid cylinder.
        inner_diameter: f64,
    },
    /// Cone or frustum; the origin is the centre of its base, it grows along the axis.
    Cone {
        /// Direction from base to top.
        axis: Axis,
        /// Diameter of the base [m].
        diameter: f64,
        /// Diameter of the top [m]; zero for a pointed cone.
        top_diameter: f64,
        /// Height [m].
        length: f64,
    },
    /// Cylinder with half balls at both ends, centred at the origin.
    Capsule {
        /// Direction of the centre line.
        axis: Axis,
        /// Diameter [m].
        diameter: f64,
        /// Distance of the centres of the half balls [m].
        length: f64,
    },
    /// Bar with rounded ends: a cuboid with half cylinders at both ends, centred at the origin.
    Beam {
        /// Direction of the straight part.
        axis: Axis,
        /// Length of the straight part [m].
        length: f64,
        /// Width along the next axis (x, y, z, x, …) and diameter of the half cylinders [m].
        width: f64,
        /// Thickness along the axis after that, height of the half cylinders [m].
        thickness: f64,
    },
    /// Triangle mesh.
    Mesh {
        /// Corner positions [m].
        vertices: Vec<[f64; 3]>,
        /// Corner indices, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Square piece of a plane through the origin, visible from both sides.
    Plane {
        /// Direction of the normal.
        axis: Axis,
        /// Edge length [m].
        size: f64,
    },
    /// Coordinate axes: x red, y green, z blue.
    Frame {
        /// Length of the arrows [m].
        length: f64,
    },
}
