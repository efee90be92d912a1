//! The engine through its public interface, without an integrator.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]

mod components;
mod equations_of_motion;
mod equilibrium;
mod evaluator_memory;
mod ignored_copies;
mod kinematics;
mod linearization;
mod names;
mod support;
mod zoo;
