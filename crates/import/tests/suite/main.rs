//! Robot descriptions through the public interface.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod fuzz;
mod mjcf;
mod urdf;
