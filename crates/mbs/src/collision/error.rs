//! Errors of collision shapes.

use crate::solid::SolidError;
use std::fmt;

/// Why a shape cannot take part in collisions.
#[derive(Clone, Debug, PartialEq)]
pub enum CollisionError {
    /// The dimensions describe no solid.
    Solid(SolidError),
    /// The shape is not convex: it consists of pieces.
    NotConvex {
        /// Kind of shape.
        shape: &'static str,
    },
    /// Pieces that form one surface cannot be rounded.
    SmoothedPieces {
        /// Kind of shape.
        shape: &'static str,
        /// The radius asked for \[m\].
        radius: f64,
    },
    /// The wall of a hollow cylinder is too thin to be divided into convex pieces.
    ThinWall {
        /// Thickness \[m\].
        thickness: f64,
        /// Smallest thickness that is possible \[m\].
        limit: f64,
    },
    /// The smoothing radius does not fit into the shape.
    Smoothing {
        /// Kind of shape.
        shape: &'static str,
        /// The radius asked for \[m\].
        radius: f64,
        /// Radius that it must stay below \[m\].
        limit: f64,
    },
    /// The vertices of a mesh lie in a plane, on a line or in a point.
    FlatHull {
        /// Number of vertices.
        vertices: usize,
        /// Thickness found \[m\].
        thickness: f64,
    },
}

impl From<SolidError> for CollisionError {
    fn from(error: SolidError) -> CollisionError {
        CollisionError::Solid(error)
    }
}

impl fmt::Display for CollisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CollisionError::Solid(error) => error.fmt(f),
            CollisionError::NotConvex { shape } => {
                write!(f, "the {shape} is not convex; it collides as several convex pieces, not as one")
            }
            CollisionError::SmoothedPieces { shape, radius } => write!(
                f,
                "the smoothing radius of the {shape} is {radius} m, but its surface consists of convex pieces that would \
                 get grooves between them; leave `smoothing` out or set it to 0"
            ),
            CollisionError::ThinWall { thickness, limit } => write!(
                f,
                "the wall of the hollow cylinder is {thickness} m thick; it must be at least {limit} m to collide, or \
                 have no hole"
            ),
            CollisionError::Smoothing { shape, radius, limit } => write!(
                f,
                "the smoothing radius of the {shape} is {radius} m; it must be at least 0 and smaller than {limit} m, \
                 the radius of the largest sphere that fits inside"
            ),
            CollisionError::FlatHull { vertices, thickness } => write!(
                f,
                "the {vertices} vertices of the mesh span no volume (thickness {thickness} m); a collision shape \
                 needs four vertices that are not in a plane"
            ),
        }
    }
}

impl std::error::Error for CollisionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CollisionError::Solid(error) => Some(error),
            _ => None,
        }
    }
}
