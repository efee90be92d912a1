//! The shared library inside a packed FMU: it interprets the declaration stored in the FMU's resources.
//!
//! The C functions of FMI 2.0 are defined here and nowhere else.

mod note;

fmi2::export_fmu!(multibody_fmu::MultibodyFmu);
