//! The C interface: types, entry points as generic functions, and the macro that exports them.
//!
//! Every entry point goes the same way: find the instance in the registry, lock it, catch panics, check pointers and
//! lengths, call the safe [`Instance`](crate::Instance), unlock, forward messages to the host.

mod arguments;
mod entry;
mod export;
mod lifecycle;
mod states;
mod step_status;
mod values;

pub use crate::c_types::*;
pub use crate::registry::Registry;
pub use entry::Library;
pub use lifecycle::*;
pub use states::*;
pub use step_status::*;
pub use values::*;
