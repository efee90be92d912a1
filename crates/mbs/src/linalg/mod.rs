//! Sparse linear algebra with small dense blocks.

mod block_lu;
mod ordering;

pub use block_lu::BlockLu;
