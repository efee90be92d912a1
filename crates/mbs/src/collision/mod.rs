//! Narrow phase of collision handling: signed distances of convex shapes.
//!
//! A [`ConvexShape`] is compiled once from a [`crate::solid::Shape`]; [`distance`] then gives the signed distance of
//! two of them with witness points and normal, without allocation. [`time_of_impact`] searches a motion for the
//! first contact.
//!
//! # Shape
//! A shape is a *core* swept by a sphere. The signed distance of two shapes is that of their cores minus both radii,
//! also for intersecting cores. Every core is the hull of *generators*: points, discs and ellipsoids, whose support
//! functions are smooth.
//!
//! # Algorithm
//! 1. A formula where there is one (`closed_form`).
//! 2. The solution of the last query, carried on by Newton's method on the generators that met there (`refine`,
//!    `flat`), and taken only if it is proven optimal.
//! 3. The distance of cores by growing simplices (`gjk`), ended by Newton's method.
//! 4. For overlapping cores a Minkowski portal (`portal`) and from it the growth of a polytope towards the nearest
//!    boundary (`expansion`), ended by Newton's method.
//!
//! # Shapes that are not convex
//! collide as several convex pieces ([`ConvexShape::pieces`]): a mesh as the convex parts it was divided into when it
//! was read, a height field as one prism per triangle (exact), a hollow cylinder as sectors of a ring, whose outer
//! surface is a polygon with at least 128 sides (within 1.6e-4 of its radius), which for bodies with faces turns with the
//! contact ([`RoundSide`]), and whose bore is one with at least 32 sides (within 0.25 % of its radius, and within a tenth
//! of the wall). Where two pieces meet, they share a ball
//! between them ([`at_seams`]), and bodies with faces, so that these are carried once. A hollow cylinder is exactly
//! round for spheres smaller than its bore, which touch it at one point ([`ConvexShape::whole`]).
//!
//! # Accuracy
//! Measured on a million random pairs of all kinds, from 1 mm to 100 m, with faces and axes often parallel, touching,
//! concentric and 5 km from the origin: distance, witness points and normal fulfil the definition (no direction
//! separates farther, the points are on the surfaces) to 1e-12 of the size of the larger body, far from the origin plus
//! the rounding of the poses; bodies with a slimness down to 1e-5 to 5e-11. The exception is overlapping cores for
//! which many directions are nearly equally good (coaxial cylinders): the depth is then within 1e-7 of the size, the
//! witness points within 1e-3, and the result is not regular.
//!
//! # Where the normal and the witness points are not smooth
//! The distance is continuous everywhere, with slope at most one. The normal jumps where the deepest direction changes
//! over (inside, on the medial axis of the Minkowski difference). For flat on flat, or a line on a face, the witness
//! points are one choice among many and jump when the bodies tilt.

mod active;
mod advancement;
mod climb;
mod closed_form;
mod compile;
mod contact;
mod continued;
mod convex_shape;
mod core;
mod difference;
mod distance;
mod error;
mod expansion;
mod flat;
mod generator;
mod gjk;
mod ground_points;
mod hull;
mod lattice;
mod normal_turn;
mod pieces;
mod plane_tree;
mod polytope;
mod portal;
mod quickhull;
mod refine;
mod regular_polygon;
mod seams;
mod segments;
mod simplex;
mod solution;
mod surface;
mod twins;
mod vertex_blocks;
mod vertex_list;

pub use advancement::{MeetingTime, Search, approach_speed, time_of_impact};
pub use contact::{Contact, PairCache};
pub use convex_shape::ConvexShape;
pub(crate) use convex_shape::corners::Corners;
pub use convex_shape::frustum::Frustum;
pub use convex_shape::polyhedron::MOST_FACES;
pub use convex_shape::polyhedron::{Face, Polyhedron};
pub use convex_shape::round_side::RoundSide;
pub(crate) use convex_shape::{BorePlace, SurfaceId};
pub(crate) use distance::distance_of_balls;
pub use distance::{distance, separation};
pub use error::CollisionError;
pub use hull::{hull_excess, hull_triangles};
pub use normal_turn::turn_of_normal;
pub use seams::at_seams;

#[cfg(test)]
mod tests;
