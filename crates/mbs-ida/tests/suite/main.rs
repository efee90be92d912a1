//! Whole models and small problems, integrated by IDA. One binary, so that SUNDIALS is linked once.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::panic)]

#[path = "../common/mod.rs"]
mod common;

mod accuracy;
mod acting_forces;
mod components_belts;
mod components_custom;
mod components_drives;
mod components_friction;
mod components_holding;
mod components_list;
mod components_loops;
mod components_motions;
mod components_signals;
mod components_starts;
mod components_variable;
mod contact_bullet;
mod contact_calming;
mod contact_faces;
mod contact_hinges;
mod contact_hinges_friction;
mod contact_hinges_round;
mod contact_impacts;
mod contact_laws;
mod contact_patches;
mod contact_rigid;
mod contact_rigid_round;
mod contact_robust;
mod contact_seams;
mod contact_sinking;
mod contact_stiction;
mod contact_strikes;
mod contact_turning;
mod contact_zoo;
mod failures;
mod history;
mod kinematic;
mod laws_actions;
mod laws_conditions;
mod laws_conservation;
mod laws_events;
mod laws_exact;
mod laws_growth;
mod laws_structure;
mod laws_symmetry;
mod laws_variables;
mod loops;
mod loops_andrews;
mod loops_independence;
mod loops_massless;
mod loops_misfit;
mod loops_structure;
mod roots_and_limits;
mod structure_changes;
mod structure_contacts;
mod structure_double_crossings;
mod structure_expressions;
mod structure_locking;
mod structure_paths;
mod structure_reuse;
mod structure_rules;
mod structure_steps;
mod support;
mod tool_lines;
