//! [`Shape`]: kind and dimensions of a solid.

use super::axis::Axis;
use super::height_grid::HeightGrid;
use super::mesh::TriangleMesh;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A solid in its own frame S. Lengths are in metres; `T` is a number, or an expression in a declaration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[serde(bound(deserialize = "T: Deserialize<'de> + From<f64>"))]
pub enum Shape<T = f64> {
    /// Ball centred at So.
    Sphere {
        /// Diameter.
        diameter: T,
    },
    /// Ellipsoid centred at So.
    Ellipsoid {
        /// Full lengths of the axes along x, y, z.
        lengths: [T; 3],
    },
    /// Rectangular box centred at So.
    Box {
        /// Full edge lengths along x, y, z.
        lengths: [T; 3],
    },
    /// Circular cylinder centred at So, possibly with a concentric hole.
    Cylinder {
        /// Direction of the cylinder.
        axis: Axis,
        /// Outer diameter.
        diameter: T,
        /// Length along the axis.
        length: T,
        /// Diameter of the hole; 0 without a hole.
        #[serde(default = "zero")]
        inner_diameter: T,
    },
    /// Cone or frustum: base centre at So, growing along +axis.
    Cone {
        /// Direction from the base to the top.
        axis: Axis,
        /// Diameter of the base.
        diameter: T,
        /// Diameter of the top; 0 for a pointed cone.
        #[serde(default = "zero")]
        top_diameter: T,
        /// Distance from the base to the top.
        length: T,
    },
    /// Cylinder with hemispheres at both ends, centred at So.
    Capsule {
        /// Direction of the cylinder.
        axis: Axis,
        /// Diameter of the cylinder and of the hemispheres.
        diameter: T,
        /// Distance between the centres of the hemispheres; may be 0.
        length: T,
    },
    /// Flat bar with rounded ends: a box with a half cylinder of diameter `width` at both ends, centred at So.
    Beam {
        /// Direction of the bar.
        axis: Axis,
        /// Distance between the axes of the half cylinders; may be 0.
        length: T,
        /// Extent along the axis that follows `axis` cyclically.
        width: T,
        /// Extent along the third axis, the direction of the half cylinders.
        thickness: T,
    },
    /// Polyhedron in the coordinates of its mesh.
    Mesh {
        /// The surface; shared, as many bodies may use the same mesh.
        #[serde(with = "shared")]
        mesh: Arc<TriangleMesh>,
        /// Factors for the coordinates along x, y, z.
        #[serde(default = "ones")]
        scale: [T; 3],
    },
    /// Everything on the negative side of a plane through So: ground without end, without mass.
    HalfSpace {
        /// Outward normal of the plane.
        axis: Axis,
        /// Edge length of the piece that pictures show.
        size: T,
    },
    /// Ground with heights over a grid in the x-y plane, centred at So, without mass.
    HeightField {
        /// Heights; shared.
        #[serde(with = "shared")]
        grid: Arc<HeightGrid>,
        /// Full lengths of the grid along x and y.
        lengths: [T; 2],
        /// Factor for the heights, along z.
        scale: T,
        /// Distance from the lowest height to the plane that closes the solid below.
        thickness: T,
    },
}

fn zero<T: From<f64>>() -> T {
    T::from(0.0)
}

fn ones<T: From<f64>>() -> [T; 3] {
    [T::from(1.0), T::from(1.0), T::from(1.0)]
}

/// Shared data is stored like data.
mod shared {
    use super::Arc;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<V: Serialize, S: Serializer>(value: &Arc<V>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().serialize(serializer)
    }

    pub fn deserialize<'de, V: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<V>, D::Error> {
        V::deserialize(deserializer).map(Arc::new)
    }
}

impl<T> Shape<T> {
    /// Whether the shape is ground without mass of its own.
    pub fn is_ground(&self) -> bool {
        matches!(self, Shape::HalfSpace { .. } | Shape::HeightField { .. })
    }

    /// Name of the kind, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Shape::Sphere { .. } => "sphere",
            Shape::Ellipsoid { .. } => "ellipsoid",
            Shape::Box { .. } => "box",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Cone { .. } => "cone",
            Shape::Capsule { .. } => "capsule",
            Shape::Beam { .. } => "beam",
            Shape::Mesh { .. } => "mesh",
            Shape::HalfSpace { .. } => "half-space",
            Shape::HeightField { .. } => "height field",
        }
    }

    /// The same shape with each dimension converted, for example evaluated.
    ///
    /// # Errors
    /// The first error of `convert`.
    pub fn try_map<U, E>(&self, mut convert: impl FnMut(&T) -> Result<U, E>) -> Result<Shape<U>, E> {
        self.try_map_named(|_, dimension| convert(dimension))
    }

    /// As [`Shape::try_map`]; `convert` also gets the name of the dimension, for example `diameter` or `lengths[2]`.
    ///
    /// # Errors
    /// The first error of `convert`.
    pub fn try_map_named<U, E>(
        &self,
        mut convert: impl FnMut(&'static str, &T) -> Result<U, E>,
    ) -> Result<Shape<U>, E> {
        let c = &mut convert;
        Ok(match self {
            Shape::Sphere { diameter } => Shape::Sphere { diameter: c("diameter", diameter)? },
            Shape::Ellipsoid { lengths } => Shape::Ellipsoid { lengths: three(LENGTHS, lengths, c)? },
            Shape::Box { lengths } => Shape::Box { lengths: three(LENGTHS, lengths, c)? },
            Shape::Cylinder { axis, diameter, length, inner_diameter } => Shape::Cylinder {
                axis: *axis,
                diameter: c("diameter", diameter)?,
                length: c("length", length)?,
                inner_diameter: c("inner_diameter", inner_diameter)?,
            },
            Shape::Cone { axis, diameter, top_diameter, length } => Shape::Cone {
                axis: *axis,
                diameter: c("diameter", diameter)?,
                top_diameter: c("top_diameter", top_diameter)?,
                length: c("length", length)?,
            },
            Shape::Capsule { axis, diameter, length } => {
                Shape::Capsule { axis: *axis, diameter: c("diameter", diameter)?, length: c("length", length)? }
            }
            Shape::Beam { axis, length, width, thickness } => Shape::Beam {
                axis: *axis,
                length: c("length", length)?,
                width: c("width", width)?,
                thickness: c("thickness", thickness)?,
            },
            Shape::Mesh { mesh, scale } => Shape::Mesh { mesh: Arc::clone(mesh), scale: three(SCALE, scale, c)? },
            Shape::HalfSpace { axis, size } => Shape::HalfSpace { axis: *axis, size: c("size", size)? },
            Shape::HeightField { grid, lengths: [x, y], scale, thickness } => Shape::HeightField {
                grid: Arc::clone(grid),
                lengths: [c(LENGTHS[0], x)?, c(LENGTHS[1], y)?],
                scale: c("scale", scale)?,
                thickness: c("thickness", thickness)?,
            },
        })
    }
}

const LENGTHS: [&str; 3] = ["lengths[1]", "lengths[2]", "lengths[3]"];
const SCALE: [&str; 3] = ["scale[1]", "scale[2]", "scale[3]"];

fn three<T, U, E>(
    names: [&'static str; 3],
    [x, y, z]: &[T; 3],
    convert: &mut impl FnMut(&'static str, &T) -> Result<U, E>,
) -> Result<[U; 3], E> {
    Ok([convert(names[0], x)?, convert(names[1], y)?, convert(names[2], z)?])
}
