//! Object3Ds of a scene.

use crate::broad_phase::{PairRole, SolidKind, SolidKinds};
use crate::collision::ConvexShape;
use crate::declaration::{Location, StructureRole};
use crate::math::{Pose, Vec3};
use crate::solid::{MassProperties, Shape};

use super::{ObjectId, PrescribedMotion};

/// A frame in the scene with its features.
#[derive(Debug, Clone, PartialEq)]
pub struct Object3D {
    /// Hierarchical name, e.g. `robot[2].link3.tip`; `world` for the world.
    pub path: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Object it is placed on; none for the world and for objects moved by joints.
    pub parent: Option<ObjectId>,
    /// Pose `X_PC` in the parent (start pose of a free object).
    pub x_pc: Pose,
    /// How it is held.
    pub attachment: Attachment,
    /// Prescribed motion of a free object: quaternion and position in the world.
    pub motion: Option<Vec<PrescribedMotion>>,
    /// Mass properties in the object's frame.
    pub mass: MassProperties,
    /// Whether it has mass of its own for some values of the parameters: those of a run must not decide which variables
    /// there are.
    pub may_have_mass: bool,
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
    /// The whole, which meets spheres and ellipsoids in place of the pieces; that of a hollow cylinder spheres smaller
    /// than its bore.
    pub whole: Option<ConvexShape>,
    /// Points that meet flat ground in place of the pieces, if there is flat ground and they are better at it.
    pub ground_points: Vec<ConvexShape>,
    /// The group it belongs to, as a bit.
    pub category: u32,
    /// Groups it collides with, one bit each.
    pub mask: u32,
}

impl SolidCollision {
    fn kind(&self) -> SolidKind {
        match &self.pieces[..] {
            [piece] if piece.is_half_space() => SolidKind::Ground,
            [piece] if piece.sphere_radius().is_some() => SolidKind::Sphere,
            [piece] if piece.is_curved() => SolidKind::Ellipsoid,
            _ => SolidKind::Sided,
        }
    }

    /// All shapes, and what they meet.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&ConvexShape, PairRole)> {
        const CURVED: SolidKinds = SolidKinds::only(SolidKind::Sphere).and(SolidKinds::only(SolidKind::Ellipsoid));
        const GROUND: SolidKinds = SolidKinds::only(SolidKind::Ground);
        let kind = self.kind();
        let radius = self.pieces.first().and_then(ConvexShape::sphere_radius).unwrap_or(0.0);
        let role = move |meets: SolidKinds| PairRole { radius, ..PairRole::new(kind, meets) };
        let bore = self.whole.as_ref().and_then(ConvexShape::bore).map(|[bore, _]| bore);
        let (rest, whole) = match (&self.whole, bore) {
            (None, _) => (role(SolidKinds::ALL), role(CURVED)),
            (Some(_), None) => (role(SolidKinds::ALL.without(CURVED)), role(CURVED)),
            (Some(_), Some(bore)) => (
                PairRole { radii: [bore, f64::INFINITY], ..role(SolidKinds::ALL) },
                PairRole { radii: [0.0, bore], ..role(SolidKinds::only(SolidKind::Sphere)) },
            ),
        };
        let rest =
            if self.ground_points.is_empty() { rest } else { PairRole { meets: rest.meets.without(GROUND), ..rest } };
        let pieces = self.pieces.iter().map(move |piece| (piece, rest));
        let whole = self.whole.iter().map(move |shape| (shape, whole));
        let points = self.ground_points.iter().map(move |point| (point, role(GROUND)));
        pieces.chain(whole).chain(points)
    }
}
