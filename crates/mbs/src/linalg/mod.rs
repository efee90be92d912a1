//! Sparse linear algebra: small dense blocks, single numbers.

mod block_iteration;
mod block_lu;
mod block_system;
mod ordering;
mod renew;
pub(crate) mod small_inverse;
mod sparse_lu;

pub use block_lu::BlockLu;
pub use block_system::BlockSystem;
pub(crate) use renew::renew;
pub use sparse_lu::SparseLu;
