//! Model files through the public interface.

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
