//! Model files through the public interface.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]

mod builder;
mod copies;
mod disk;
mod documentation;
mod engine;
mod errors;
mod fuzz;
mod includes;
mod measures;
mod meshes;
mod order;
