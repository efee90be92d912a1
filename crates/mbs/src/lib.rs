//! The engine: scene, topology, dynamics, forces, events and the simulation loop of rigid multibody systems.
//!
//! No FMI, no integrator, no input or output, no global state, no unsafe code; results do not depend on a clock, which
//! only profiles of steps read. Frames follow the monogram notation of `NOTATION.md`; all numbers are SI, angles in
//! radians, quaternions (w, x, y, z).
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform"))]

pub mod actions;
pub mod broad_phase;
pub mod collision;
pub mod component;
pub mod component_system;
pub mod contact;
pub mod declaration;
pub mod dynamics;
pub mod elaboration;
pub mod expr;
pub mod force;
pub mod impact;
pub mod linalg;
pub mod material;
pub mod math;
pub mod newton_euler;
pub mod reference_path;
pub mod scene;
pub mod simulation;
pub mod solid;
pub mod spatial;
pub mod topology;
pub mod variables;
