//! What the library inside FMUs was made of. The library carries the fingerprint in a note, the command compares.
//!
//! A crate of its own, because the command must not link the library: with a second one, of a user's own components,
//! the C functions of FMI would be there twice.

/// SHA-256 of the sources of the library inside FMUs.
pub const FINGERPRINT: &[u8; 32] = include_bytes!(concat!(env!("OUT_DIR"), "/fingerprint"));
