//! Linear algebra: sparse systems of small dense blocks or single numbers, and small dense ones.

mod block_iteration;
mod block_lu;
mod block_system;
mod dense_lu;
mod independent;
mod least_squares;
mod ordering;
mod renew;
pub(crate) mod small_inverse;
mod sparse_lu;

pub use block_lu::BlockLu;
pub use block_system::BlockSystem;
pub use dense_lu::{Dense, DenseFactors, dot};
pub(crate) use independent::independent;
pub(crate) use least_squares::LeastSquares;
pub(crate) use renew::renew;
pub use sparse_lu::SparseLu;
