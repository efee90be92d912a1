//! Two rooms that cannot do without each other.

mod left;
mod right;

pub use left::Roof;

/// The rooms may use what stands here.
pub struct Shared;
