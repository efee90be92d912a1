//! Glue: a declaration of a multibody model becomes an FMI 2.0 co-simulation FMU.
//!
//! [`Interface`] derives the variables and the model description from a declaration, [`Session`] runs a model natively,
//! [`MultibodyFmu`] is the same session behind the FMI interface.
#![forbid(unsafe_code)]

mod derivatives;
mod display_hints;
mod eigenvalues;
mod fmu;
mod frequency_response;
mod interface;
mod linearization;
mod memory;
mod modes;
mod outputs;
mod session;
mod slopes;
mod small_system;
mod structure;
mod variable;

pub use fmu::{Builtin, DECLARATION_FILE, FmuState, Library, MultibodyFmu};
pub use frequency_response::Response;
pub use interface::{Interface, InterfaceError, TOOL};
pub use linearization::{LinearModel, LinearVariable};
pub use modes::Mode;
pub use session::{
    Carrier, EquilibriumConditions, SavedSession, Session, SessionError, TrimmedEquilibrium, cores, role_word,
};
pub use variable::{InterfaceVariable, Role, Setting, Source, VariableKind};
