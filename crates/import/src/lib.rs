//! Robot descriptions of other tools: URDF and MJCF become model files, and models become URDF or MJCF.
//!
//! [`read`] turns a `.urdf` or MJCF `.xml` file into an [`Import`]: the text of a `model.toml`, the meshes it names,
//! and notes on everything that was not taken over. [`Import::model`] reads that text like any other model file, with
//! errors placed in the robot description; [`Import::write`] leaves it in a folder. [`export`] is the way back.
#![forbid(unsafe_code)]

mod collada;
mod converted;
mod coupling;
mod document;
pub mod export;
mod import;
mod inertia;
mod math;
mod meshes;
mod mjcf;
mod names;
mod notes;
mod options;
mod urdf;
mod xml;

pub use import::{Format, Import, is_robot_description, read, read_text};
pub use notes::Note;
pub use options::{Base, Drive, Options, Shapes};

/// Reader of COLLADA meshes, for its tests.
#[doc(hidden)]
pub use collada::read as read_collada;
