//! Errors of shapes, meshes and mass properties.

use std::fmt;

/// What is wrong with a shape, a mesh or mass properties.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidError {
    /// A dimension is outside its range.
    Dimension {
        /// Kind of shape, for example `cylinder`.
        shape: &'static str,
        /// Name of the dimension.
        dimension: &'static str,
        /// Its value.
        value: f64,
        /// Unit, empty for ratios.
        unit: &'static str,
        /// What would be right.
        requirement: String,
    },
    /// A height field needs two rows and columns at least, all rows of the same length.
    HeightGrid {
        /// Number of columns.
        columns: usize,
        /// Number of heights.
        heights: usize,
    },
    /// A height that is NaN or infinite.
    HeightNotFinite {
        /// Row, counted from 1.
        row: usize,
        /// Column, counted from 1.
        column: usize,
    },
    /// The shape has no volume, so that a density means nothing.
    NoVolume {
        /// Kind of shape.
        shape: &'static str,
    },
    /// A mesh without triangles.
    EmptyMesh,
    /// A coordinate of a mesh is NaN or infinite.
    VertexNotFinite {
        /// Number of the vertex, counted from 0.
        vertex: usize,
    },
    /// A number of a convex part that is NaN or infinite, or a face without thickness.
    PartNotFinite {
        /// Number of the part, counted from 0.
        part: usize,
    },
    /// A triangle refers to a vertex that does not exist.
    VertexIndex {
        /// Number of the triangle, counted from 0.
        triangle: usize,
        /// The index.
        index: u32,
        /// Number of vertices of the mesh.
        vertices: usize,
    },
    /// Edges with a triangle on one side only.
    OpenMesh {
        /// Number of such edges.
        edges: usize,
        /// Middle of the first one [m].
        at: [f64; 3],
    },
    /// Neighbouring triangles that disagree about inside and outside.
    InconsistentMesh {
        /// Number of edges between such triangles.
        edges: usize,
        /// Middle of the first one [m].
        at: [f64; 3],
    },
    /// A mesh that encloses no volume.
    FlatMesh {
        /// The volume found [m³].
        volume: f64,
    },
    /// A density that is not positive and finite [kg/m³].
    Density(f64),
    /// A mass that is negative or not finite [kg].
    Mass(f64),
    /// A centre of mass that is not finite [m].
    CenterOfMass([f64; 3]),
    /// An entry of the inertia that is not finite.
    InertiaNotFinite,
    /// I_ij differs from I_ji.
    InertiaNotSymmetric {
        /// Row and column, counted from 1.
        entry: (usize, usize),
        /// I_ij and I_ji [kg m²].
        values: (f64, f64),
    },
    /// A body without mass that has an inertia; the largest entry [kg m²].
    MasslessInertia(f64),
    /// A principal moment is negative; all three in ascending order [kg m²].
    NegativeInertia([f64; 3]),
    /// The largest principal moment exceeds the sum of the others; all three in ascending order [kg m²].
    ImpossibleInertia([f64; 3]),
}

impl SolidError {
    /// The key of a solid, or of a mass, whose value is wrong.
    #[must_use]
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Self::Dimension { dimension, .. } => dimension.split('[').next(),
            Self::HeightGrid { .. } | Self::HeightNotFinite { .. } => Some("heights"),
            Self::Density(_) => Some("density"),
            Self::Mass(_) => Some("mass"),
            Self::CenterOfMass(_) => Some("center"),
            Self::InertiaNotFinite
            | Self::InertiaNotSymmetric { .. }
            | Self::MasslessInertia(_)
            | Self::NegativeInertia(_)
            | Self::ImpossibleInertia(_) => Some("inertia"),
            _ => None,
        }
    }
}

/// A number with an exponent where there would be many zeros.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = self;
        let has_few_zeros = *value == 0.0 || (1e-5..1e15).contains(&value.abs()) || !value.is_finite();
        if has_few_zeros { write!(f, "{value}") } else { write!(f, "{value:e}") }
    }
}

impl fmt::Display for SolidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SolidError as E;
        match self {
            E::Dimension { shape, dimension, value, unit, requirement } => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                let value = Number(*value);
                write!(f, "{dimension} of the {shape} is {value}{unit}; it must be {requirement}")
            }
            E::HeightGrid { columns, heights } => write!(
                f,
                "{heights} heights in {columns} columns are no height field; it needs two rows and columns at least, all rows of the same length"
            ),
            E::HeightNotFinite { row, column } => {
                write!(f, "the height in row {row}, column {column} is not a finite number")
            }
            E::NoVolume { shape } => {
                write!(
                    f,
                    "the {shape} has no volume of its own; leave out mass and density, or give the object `mass = {{ m, inertia }}`"
                )
            }
            E::EmptyMesh => write!(f, "the mesh has no triangles"),
            E::VertexNotFinite { vertex } => {
                write!(f, "vertex {vertex} of the mesh has a coordinate that is not a finite number")
            }
            E::PartNotFinite { part } => {
                write!(f, "convex part {part} of the mesh has a number that is not finite, or a face without thickness")
            }
            E::VertexIndex { triangle, index, vertices } => {
                write!(
                    f,
                    "triangle {triangle} of the mesh uses vertex {index}, but there are only {vertices} (counted from 0)"
                )
            }
            E::OpenMesh { edges, at: [x, y, z] } => {
                write!(
                    f,
                    "the mesh is not closed: {edges} edges have no neighbour, the first near ({x}, {y}, {z}) m; close the holes or give mass and inertia"
                )
            }
            E::InconsistentMesh { edges, at: [x, y, z] } => {
                write!(
                    f,
                    "the mesh is not consistently oriented: triangles disagree at {edges} edges, the first near ({x}, {y}, {z}) m"
                )
            }
            E::FlatMesh { volume } => write!(f, "the mesh encloses no volume ({volume} m³); give mass and inertia"),
            E::Density(value) => {
                write!(f, "the density is {} kg/m³; it must be positive and finite", Number(*value))
            }
            E::Mass(value) => {
                write!(f, "the mass is {} kg; it must be positive, or 0 for a massless body", Number(*value))
            }
            E::CenterOfMass([x, y, z]) => write!(f, "the centre of mass ({x}, {y}, {z}) m must be finite"),
            E::InertiaNotFinite => write!(
                f,
                "the inertia has an entry that is not a finite number: lengths, density or mass are too large or too small"
            ),
            E::InertiaNotSymmetric { entry: (i, j), values: (a, b) } => {
                write!(f, "the inertia is not symmetric: I{i}{j} = {a} kg m² but I{j}{i} = {b} kg m²")
            }
            E::MasslessInertia(value) => {
                write!(f, "the body has no mass but an inertia of {value} kg m²; give it a mass or no inertia")
            }
            E::NegativeInertia([a, b, c]) => {
                write!(f, "the principal moments of inertia {a}, {b}, {c} kg m² must not be negative")
            }
            E::ImpossibleInertia([a, b, c]) => write!(
                f,
                "the principal moments of inertia {a}, {b}, {c} kg m² belong to no body: the largest must not exceed the sum of the others ({} kg m²)",
                a + b
            ),
        }
    }
}

impl std::error::Error for SolidError {}
