//! Object3Ds of a scene.

use crate::broad_phase::{Role, SolidKind, SolidKinds};
use crate::collision::ConvexShape;
use crate::declaration::{Location, StructureRole};
use crate::math::{Pose, Vec3};
use crate::solid::{MassProperties, Shape};

use super::ObjectId;

/// A frame in the scene with its features.
#[derive(Debug, Clone, PartialEq)]
pub struct Object3D {
    /// Hierarchical name, e.g. `robot[2].link3.tip`; `world` for the world.
    pub path: String,
    /// One line for people.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Object it is placed on; none for the world and for objects moved by joints.
    pub parent: Option<ObjectId>,
    /// Pose `X_PC` in the parent (start pose of a free object).
    pub x_pc: Pose,
    /// How it is held.
    pub attachment: Attachment,
    /// Mass properties in the object's frame.
    pub mass: MassProperties,
    /// Shapes to draw (and, for solids, to collide).
    pub shapes: Vec<ShapeInstance>,
    /// Whether its pose and velocity are variables; decided by the model, else for bodies only.
    pub expose: Option<bool>,
    /// What may happen to it during the run.
    pub structure: StructureRole,
}

/// How an object is held.
#[derive(Debug, Clone, PartialEq)]
pub enum Attachment {
    /// Rigidly connected to its parent (or the world itself).
    Fixed,
    /// Free relative to its parent.
    Free {
        /// Start velocity `v_PC` in the parent \[m/s\].
        v: Vec3,
        /// Start angular velocity `w_PC` in the parent \[rad/s\].
        w: Vec3,
    },
    /// Moved by a joint.
    ByJoint,
}

/// A shape placed in an object.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapeInstance {
    /// Shape.
    pub shape: Shape<f64>,
    /// Pose `X_CS` of the shape's frame in the object.
    pub x_cs: Pose,
    /// Colour (sRGB and opacity, 0..1).
    pub color: [f32; 4],
    /// Whether it is drawn.
    pub visible: bool,
    /// Material of a solid; none for shapes that are only drawn.
    pub material: Option<String>,
    /// How it collides, if it does.
    pub collision: Option<SolidCollision>,
}

/// How a solid collides: convex shapes in the frame of its shape, all in the same groups.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidCollision {
    /// Convex pieces, which are the solid together.
    pub pieces: Vec<ConvexShape>,
    /// The whole, which meets balls in place of the pieces.
    pub whole: Option<ConvexShape>,
    /// Points that meet flat ground in place of the pieces, if there is flat ground and they are better at it.
    pub tips: Vec<ConvexShape>,
    /// The group it belongs to, as a bit.
    pub category: u32,
    /// Groups it collides with, one bit each.
    pub mask: u32,
}

impl SolidCollision {
    fn kind(&self) -> SolidKind {
        match &self.pieces[..] {
            [piece] if piece.is_half_space() => SolidKind::Ground,
            [piece] if piece.is_curved() => SolidKind::Ball,
            _ => SolidKind::Sided,
        }
    }

    /// All shapes, and what they meet.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&ConvexShape, Role)> {
        let kind = self.kind();
        let mut rest = SolidKinds::ALL;
        if self.whole.is_some() {
            rest = rest.without(SolidKind::Ball);
        }
        if !self.tips.is_empty() {
            rest = rest.without(SolidKind::Ground);
        }
        let pieces = self.pieces.iter().map(move |piece| (piece, rest));
        let whole = self.whole.iter().map(|whole| (whole, SolidKinds::only(SolidKind::Ball)));
        let tips = self.tips.iter().map(|tip| (tip, SolidKinds::only(SolidKind::Ground)));
        pieces.chain(whole).chain(tips).map(move |(shape, meets)| (shape, Role { kind, meets }))
    }
}
