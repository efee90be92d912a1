//! The engine through its public interface, without an integrator.

mod components;
mod equations_of_motion;
mod evaluator_memory;
mod ignored_copies;
mod kinematics;
mod linearization;
mod names;
mod support;
mod zoo;
