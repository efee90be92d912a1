//! One of two submodules in a circle.

use super::{Shared, right};

pub struct Roof(right::Wall);
