//! The right room: the name it imports leads through the face of the folder back to the left one.

use super::{Roof, Shared};

pub struct Wall(Box<Roof>);
