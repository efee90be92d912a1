//! Sparse linear algebra: small dense blocks, single numbers.

mod block_lu;
mod ordering;
mod sparse_lu;

pub use block_lu::BlockLu;
pub use sparse_lu::SparseLu;
