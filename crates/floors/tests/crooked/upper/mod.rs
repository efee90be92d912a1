//! Two submodules that import each other.

mod left;
mod right;

pub use left::Roof;

/// The submodules may use what stands here.
pub struct Shared;
