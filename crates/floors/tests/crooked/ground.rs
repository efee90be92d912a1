//! Stands on the ground and reaches upwards, through a name that the middle floor hands on.

use crate::middle::Beam;

pub struct Stone(Beam);

#[cfg(test)]
mod tests {
    use super::Stone;
    use crate::upper::Roof;
}
