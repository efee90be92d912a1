//! Hands on what stands above it.

pub use crate::upper::Roof as Beam;
