//! Shapes of solids and visuals.

use std::sync::Arc;

use super::value::{IntoDirection, IntoExpr, IntoVector, Problems, placement};
use crate::declaration::{Collision, MassDeclaration, Pose, Rotation, Solid, Visual};
use crate::expr::Expr;
use crate::solid::{Axis, HeightGrid, Shape, TriangleMesh};

/// A shape under construction; it becomes a solid or a visual by the method of the object that takes it.
#[derive(Debug, Clone)]
pub struct ShapeBuilder {
    shape: Shape<Expr>,
    pose: Pose,
    material: Option<String>,
    mass: MassDeclaration,
    color: Option<[f32; 4]>,
    visible: bool,
    collision: Option<Collision>,
    problems: Problems,
}

/// Ball.
#[must_use]
pub fn sphere(diameter: impl IntoExpr) -> ShapeBuilder {
    build(|problems| Shape::Sphere { diameter: problems.expr("diameter", diameter) })
}

/// Ellipsoid with full lengths along x, y, z.
#[must_use]
pub fn ellipsoid(lengths: impl IntoVector) -> ShapeBuilder {
    build(|problems| Shape::Ellipsoid { lengths: problems.vector("lengths", lengths) })
}

/// Rectangular box with full lengths along x, y, z.
#[must_use]
pub fn cuboid(lengths: impl IntoVector) -> ShapeBuilder {
    build(|problems| Shape::Box { lengths: problems.vector("lengths", lengths) })
}

/// Cylinder.
#[must_use]
pub fn cylinder(axis: Axis, diameter: impl IntoExpr, length: impl IntoExpr) -> ShapeBuilder {
    build(|problems| Shape::Cylinder {
        axis,
        diameter: problems.expr("diameter", diameter),
        length: problems.expr("length", length),
        inner_diameter: Expr::default(),
    })
}

/// Cone; frustum with a top diameter above 0. The centre of its base is its origin.
#[must_use]
pub fn cone(axis: Axis, diameter: impl IntoExpr, top_diameter: impl IntoExpr, length: impl IntoExpr) -> ShapeBuilder {
    build(|problems| Shape::Cone {
        axis,
        diameter: problems.expr("diameter", diameter),
        top_diameter: problems.expr("top_diameter", top_diameter),
        length: problems.expr("length", length),
    })
}

/// Cylinder with half spheres at its ends; `length` is that of the cylinder.
#[must_use]
pub fn capsule(axis: Axis, diameter: impl IntoExpr, length: impl IntoExpr) -> ShapeBuilder {
    build(|problems| Shape::Capsule {
        axis,
        diameter: problems.expr("diameter", diameter),
        length: problems.expr("length", length),
    })
}

/// Flat bar with round ends; `length` is the distance of their axes.
#[must_use]
pub fn beam(axis: Axis, length: impl IntoExpr, width: impl IntoExpr, thickness: impl IntoExpr) -> ShapeBuilder {
    build(|problems| Shape::Beam {
        axis,
        length: problems.expr("length", length),
        width: problems.expr("width", width),
        thickness: problems.expr("thickness", thickness),
    })
}

/// Triangle mesh, with factors for its coordinates along x, y, z.
#[must_use]
pub fn mesh(mesh: Arc<TriangleMesh>, scale: impl IntoVector) -> ShapeBuilder {
    build(|problems| Shape::Mesh { mesh, scale: problems.vector("scale", scale) })
}

/// Ground without end below the plane through its origin; `axis` is its outward normal. It has no mass.
#[must_use]
pub fn half_space(axis: Axis) -> ShapeBuilder {
    build(|_| Shape::HalfSpace { axis, size: Expr::number(10.0) })
}

/// Ground with heights over a grid of the given lengths along x and y, centred at its origin; heights are multiplied
/// with `scale`, and a plane `thickness` below the lowest one closes the solid. It has no mass.
#[must_use]
pub fn height_field(
    grid: Arc<HeightGrid>,
    lengths: [f64; 2],
    scale: impl IntoExpr,
    thickness: impl IntoExpr,
) -> ShapeBuilder {
    build(|problems| Shape::HeightField {
        grid,
        lengths: lengths.map(Expr::number),
        scale: problems.expr("scale", scale),
        thickness: problems.expr("thickness", thickness),
    })
}

fn build(shape: impl FnOnce(&mut Problems) -> Shape<Expr>) -> ShapeBuilder {
    let mut problems = Problems::default();
    let shape = shape(&mut problems);
    let (pose, mass) = (Pose::default(), MassDeclaration::default());
    ShapeBuilder { shape, pose, material: None, mass, color: None, visible: true, collision: None, problems }
}

impl ShapeBuilder {
    placement!();

    fn pose_mut(&mut self) -> &mut Pose {
        &mut self.pose
    }

    /// Diameter of the bore of a cylinder \[m\].
    #[must_use]
    pub fn inner_diameter(mut self, diameter: impl IntoExpr) -> Self {
        match &mut self.shape {
            Shape::Cylinder { inner_diameter, .. } => *inner_diameter = self.problems.expr("inner_diameter", diameter),
            other => self.problems.add(other.kind(), "only a cylinder has an inner diameter"),
        }
        self
    }

    /// Material of a solid: density, contact, colour.
    #[must_use]
    pub fn material(mut self, material: impl Into<String>) -> Self {
        self.material = Some(material.into());
        self
    }

    /// Mass of a solid \[kg\], spread evenly over its volume.
    #[must_use]
    pub fn mass(mut self, mass: impl IntoExpr) -> Self {
        self.mass = MassDeclaration::Mass(self.problems.expr("mass", mass));
        self
    }

    /// Density of a solid \[kg/m³\] instead of that of its material.
    #[must_use]
    pub fn density(mut self, density: impl IntoExpr) -> Self {
        self.mass = MassDeclaration::Density(self.problems.expr("density", density));
        self
    }

    /// A solid without mass.
    #[must_use]
    pub fn massless(mut self) -> Self {
        self.mass = MassDeclaration::Massless;
        self
    }

    /// Colour: red, green, blue and opacity (sRGB, 0..1).
    #[must_use]
    pub fn color(mut self, color: [f32; 4]) -> Self {
        self.color = Some(color);
        self
    }

    /// A solid that collides with other colliding solids.
    #[must_use]
    pub fn collides(mut self) -> Self {
        self.collision.get_or_insert_default();
        self
    }

    /// Radius \[m\] that rounds edges for contacts; makes the solid collide.
    #[must_use]
    pub fn smoothing(mut self, radius: impl IntoExpr) -> Self {
        let radius = self.problems.expr("smoothing", radius);
        self.collision.get_or_insert_default().smoothing = Some(radius);
        self
    }

    /// Group of a solid that collides.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.collision.get_or_insert_default().group = Some(group.into());
        self
    }

    /// Groups that a solid collides with, if they also collide with its own.
    #[must_use]
    pub fn collides_with<'n>(mut self, groups: impl IntoIterator<Item = &'n str>) -> Self {
        let groups = groups.into_iter().map(str::to_owned).collect();
        self.collision.get_or_insert_default().collides_with = Some(groups);
        self
    }

    /// An object, or an instance with all its members, that a colliding solid does not collide with.
    #[must_use]
    pub fn ignores(mut self, object: impl Into<String>) -> Self {
        self.collision.get_or_insert_default().ignores.push(object.into());
        self
    }

    /// An object, or an instance with all its members, with which the contacts of a colliding solid are rigid, whatever
    /// the model or the materials say.
    #[must_use]
    pub fn rigid_with(mut self, object: impl Into<String>) -> Self {
        self.collision.get_or_insert_default().rigid_with.push(object.into());
        self
    }

    /// An object, or an instance with all its members, with which the contacts of a colliding solid are elastic.
    #[must_use]
    pub fn elastic_with(mut self, object: impl Into<String>) -> Self {
        self.collision.get_or_insert_default().elastic_with.push(object.into());
        self
    }

    /// A solid that is not drawn.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.visible = false;
        self
    }

    pub(super) fn finish_solid(self, has_mass: bool, problems: &mut Problems) -> Solid {
        let mut own = self.problems;
        let is_said = self.mass != MassDeclaration::FromMaterial;
        if !has_mass && !is_said && self.material.is_none() && !self.shape.is_ground() {
            own.add("mass", "it is not said; give a material, mass, density, or massless()");
        }
        if has_mass && is_said && self.mass != MassDeclaration::Massless {
            own.add("mass", "it contradicts the mass of the object");
        }
        problems.append("solid", own);
        Solid {
            collision: self.collision,
            shape: self.shape,
            pose: self.pose,
            material: self.material,
            mass: if has_mass { MassDeclaration::Massless } else { self.mass },
            color: self.color,
            visible: self.visible,
            location: Default::default(),
        }
    }

    pub(super) fn finish_visual(self, problems: &mut Problems) -> Visual {
        let mut own = self.problems;
        if self.material.is_some() || self.mass != MassDeclaration::FromMaterial || !self.visible {
            own.add(self.shape.kind(), "a shape that is only drawn has neither material nor mass, and is visible");
        }
        problems.append("visual", own);
        Visual { shape: self.shape, pose: self.pose, color: self.color, location: Default::default() }
    }
}
