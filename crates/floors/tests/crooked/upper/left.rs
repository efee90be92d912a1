//! The left room.

use super::{Shared, right};

pub struct Roof(right::Wall);
