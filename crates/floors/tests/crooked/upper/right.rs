//! The other submodule: the name it imports leads through a re-export of the folder back to the first one.

use super::{Roof, Shared};

pub struct Wall(Box<Roof>);
