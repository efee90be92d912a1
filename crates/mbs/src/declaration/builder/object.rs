//! Objects.

use super::shape::ShapeBuilder;
use super::value::{IntoDirection, IntoExpr, IntoVector, Problems, placement};
use crate::declaration::{Attachment, FreeStart, MassDeclaration, Object, Pose, Rotation};
use crate::expr::Expr;

/// An object; moved by a joint unless it is placed [`on`](ObjectBuilder::on) another one,
/// [`fixed`](ObjectBuilder::fixed) or [`free`](ObjectBuilder::free).
#[must_use]
pub fn object(name: impl Into<String>) -> ObjectBuilder {
    let object = Object { name: name.into(), attachment: Attachment::ByJoint, ..Object::default() };
    ObjectBuilder { object, solid: None, visuals: Vec::new(), problems: Problems::default() }
}

/// An object under construction.
#[derive(Debug, Clone)]
pub struct ObjectBuilder {
    object: Object,
    solid: Option<ShapeBuilder>,
    visuals: Vec<ShapeBuilder>,
    problems: Problems,
}

impl ObjectBuilder {
    placement!();

    fn pose_mut(&mut self) -> &mut Pose {
        &mut self.object.pose
    }

    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.object.description = description.into();
        self
    }

    /// Placed on a parent: rigidly, or free relative to it when [`free`](ObjectBuilder::free) was called.
    #[must_use]
    pub fn on(mut self, parent: impl Into<String>) -> Self {
        self.object.parent = Some(parent.into());
        if self.object.attachment == Attachment::ByJoint {
            self.object.attachment = Attachment::Fixed;
        }
        self
    }

    /// Rigidly placed on the world (on the `origin` in an assembly).
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.object.attachment = Attachment::Fixed;
        self
    }

    /// Moves freely from rest.
    #[must_use]
    pub fn free(mut self) -> Self {
        self.object.attachment = Attachment::Free(FreeStart::default());
        self
    }

    /// Moves freely, with start velocity \[m/s\] and angular velocity \[rad/s\] relative to the parent, in its axes.
    #[must_use]
    pub fn free_with(mut self, v: impl IntoVector, w: impl IntoVector) -> Self {
        let v = self.problems.vector("v", v);
        self.object.attachment = Attachment::Free(FreeStart { v, w: self.problems.vector("w", w) });
        self
    }

    /// Its shape with mass.
    #[must_use]
    pub fn solid(mut self, shape: ShapeBuilder) -> Self {
        self.solid = Some(shape);
        self
    }

    /// A shape that is only drawn.
    #[must_use]
    pub fn visual(mut self, shape: ShapeBuilder) -> Self {
        self.visuals.push(shape);
        self
    }

    /// A point mass \[kg\] at the origin.
    #[must_use]
    pub fn point_mass(self, m: impl IntoExpr) -> Self {
        self.mass(m, [0.0; 3], [0.0; 6])
    }

    /// Mass \[kg\], centre of mass in the object \[m\], and inertia about it in the axes of the object: Ixx, Iyy, Izz,
    /// Ixy, Ixz, Iyz \[kg m²\]; instead of those of the solid.
    #[must_use]
    pub fn mass(mut self, m: impl IntoExpr, center: impl IntoVector, inertia: [f64; 6]) -> Self {
        let m = self.problems.expr("mass", m);
        let center = self.problems.vector("center", center);
        self.object.mass = Some(MassDeclaration::Given { m, center, inertia: inertia.map(Expr::number) });
        self
    }

    /// Whether pose and velocity are variables of the FMU.
    #[must_use]
    pub fn expose(mut self, expose: bool) -> Self {
        self.object.expose = Some(expose);
        self
    }

    /// A frame at which assemblies can be attached to each other during the run.
    #[must_use]
    pub fn lockable(mut self) -> Self {
        self.object.structure.lockable = true;
        self
    }

    /// The root of an assembly that can be attached, released, deleted and inserted during the run.
    #[must_use]
    pub fn assembly_root(mut self) -> Self {
        self.object.structure.assembly_root = true;
        self
    }

    /// The root of an assembly that does not exist until it is inserted.
    #[must_use]
    pub fn absent(mut self) -> Self {
        self.object.structure.absent = true;
        self.assembly_root()
    }

    pub(super) fn finish(mut self, problems: &mut Problems) -> Object {
        let has_mass = self.object.mass.is_some();
        self.object.solid = self.solid.map(|shape| shape.finish_solid(has_mass, &mut self.problems));
        let visuals = self.visuals.into_iter().map(|shape| shape.finish_visual(&mut self.problems));
        self.object.visuals = visuals.collect();
        problems.append(&format!("object {}", self.object.name), self.problems);
        self.object
    }
}
