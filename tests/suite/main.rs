//! End to end: the models of `fmus/` and models of their own, through interface and session.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]

#[path = "../support/mod.rs"]
mod support;

mod absent_parts;
mod architecture;
mod ball_bearing;
mod bounded_work;
mod change_points;
mod changes;
mod contact_costs;
mod contact_filters;
mod contact_outputs;
mod contact_starts;
mod dependencies;
mod derivatives;
mod driven_loops;
mod elastic_rest;
mod equilibrium_starts;
mod filtered_motion;
mod friction_equilibria;
mod golden;
mod held_joints;
mod inputs;
mod install;
mod large_equilibria;
mod linearization;
mod locked_loops;
mod loops;
mod mesh_profiles;
mod model_descriptions;
mod models;
mod panics;
mod presentation;
mod programs_and_components;
mod pull;
mod random_scenes;
mod round_bodies;
mod scales;
mod session;
mod signals;
mod squeezed;
mod state;
mod state_of_contacts;
mod strings;
mod structure;
mod terrain;
mod threads;
mod tunables;
mod velocity_jumps;
