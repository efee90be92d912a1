//! Object3Ds: frames with optional solid and visual features.

use serde::{Deserialize, Serialize};

use super::{Location, Vector};
use crate::expr::Expr;
use crate::solid::Shape;

/// A frame in the scene, with features.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Object {
    /// Name within its model or assembly.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Object this one is placed on; `world` (`origin` inside an assembly) when absent.
    pub parent: Option<String>,
    /// Pose in the parent (`X_PC`); the start pose of a free object; without meaning for an object moved by a joint.
    pub pose: Pose,
    /// How the object is held.
    pub attachment: Attachment,
    /// Shape with mass.
    pub solid: Option<Solid>,
    /// Shapes without mass, for pictures.
    pub visuals: Vec<Visual>,
    /// Mass properties without (or instead of those of) a shape.
    pub mass: Option<MassDeclaration>,
    /// Whether pose and velocity are variables of the FMU; by default those of bodies are.
    pub expose: Option<bool>,
    /// What may happen to it while the simulation runs.
    #[serde(skip_serializing_if = "StructureRole::is_default")]
    pub structure: StructureRole,
}

/// What may happen to an object, and to what hangs on it, while the simulation runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StructureRole {
    /// Whether it is a frame at which assemblies can be attached to each other.
    pub lockable: bool,
    /// Whether it is the root of an assembly that can be attached, released, deleted and inserted as a whole.
    pub assembly_root: bool,
    /// Whether the assembly is absent until it is inserted.
    pub absent: bool,
}

impl StructureRole {
    /// Whether nothing can happen to it.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How an object is held.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Attachment {
    /// Rigidly connected to its parent.
    #[default]
    Fixed,
    /// Moves freely relative to its parent (6 degrees of freedom).
    Free(FreeStart),
    /// Moved by the joint whose `to` (or `from`) it is, or that moves something it is rigidly connected to.
    ByJoint,
}

/// Start velocity of a free object.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FreeStart {
    /// Velocity of the object's origin relative to the parent, resolved in the parent (`v_PC`) \[m/s\].
    pub v: Vector,
    /// Angular velocity relative to the parent, resolved in the parent (`w_PC`) \[rad/s\].
    pub w: Vector,
}

/// A pose: translation and rotation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pose {
    /// Position of the child's origin in the parent (`p_PC`) \[m\].
    pub r: Vector,
    /// Rotation of the child in the parent (`R_PC`).
    pub rotation: Rotation,
}

/// A rotation `R_PC`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Rotation {
    /// No rotation.
    #[default]
    Identity,
    /// Cardan angles \[rad\], sequence x-y-z about the rotated axes: `R = Rx(a) Ry(b) Rz(c)`.
    Cardan(Vector),
    /// Angle \[rad\] about an axis given in the parent.
    AxisAngle {
        /// Direction; need not have unit length.
        axis: Vector,
        /// Angle \[rad\].
        angle: Expr,
    },
    /// Quaternion (w, x, y, z); normalised on evaluation.
    Quaternion([Expr; 4]),
}

/// A shape with mass, placed in its object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solid {
    /// Shape; its own frame is placed by `pose`.
    pub shape: Shape<Expr>,
    /// Pose of the shape's frame in the object.
    pub pose: Pose,
    /// Name of the material (density, contact, colour).
    pub material: Option<String>,
    /// Where the mass properties come from.
    pub mass: MassDeclaration,
    /// Colour of the picture (sRGB and opacity, 0..1); by material when absent.
    pub color: Option<[f32; 4]>,
    /// Whether the shape is drawn.
    pub visible: bool,
    /// Whether and how the shape collides.
    #[serde(default)]
    pub collision: Option<Collision>,
    /// Where it was declared.
    pub location: Location,
}

/// How a solid collides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Collision {
    /// Radius \[m\] that rounds edges and corners inside the outer dimensions; a tenth of the smallest dimension, at
    /// most 1 mm, when absent.
    pub smoothing: Option<Expr>,
    /// Name of the group the solid belongs to; `default` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Groups it collides with, if they also collide with its own; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collides_with: Option<Vec<String>>,
    /// Objects, or instances with all their members, that it does not collide with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<String>,
    /// Objects, likewise, with which its contacts are rigid, whatever the model or the materials say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rigid_with: Vec<String>,
    /// Objects, likewise, with which its contacts are elastic.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elastic_with: Vec<String>,
}

/// Where mass properties come from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum MassDeclaration {
    /// Density of the material times volume.
    #[default]
    FromMaterial,
    /// Density \[kg/m³\] times volume.
    Density(Expr),
    /// Mass \[kg\], spread evenly over the volume.
    Mass(Expr),
    /// Given numbers.
    Given {
        /// Mass \[kg\].
        m: Expr,
        /// Centre of mass in the object \[m\].
        center: Vector,
        /// Rotational inertia about the centre of mass in the object's axes: Ixx, Iyy, Izz, Ixy, Ixz, Iyz \[kg m²\].
        inertia: [Expr; 6],
    },
    /// No mass.
    Massless,
}

impl MassDeclaration {
    /// Whether there is mass for some values of the parameters.
    #[must_use]
    pub fn may_have_mass(&self) -> bool {
        match self {
            Self::Massless => false,
            Self::FromMaterial => true,
            Self::Density(value) | Self::Mass(value) | Self::Given { m: value, .. } => value.as_constant() != Some(0.0),
        }
    }
}

/// A shape that is only drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Visual {
    /// Shape.
    pub shape: Shape<Expr>,
    /// Pose of the shape's frame in the object.
    pub pose: Pose,
    /// Colour (sRGB and opacity, 0..1).
    pub color: Option<[f32; 4]>,
    /// Where it was declared.
    pub location: Location,
}
