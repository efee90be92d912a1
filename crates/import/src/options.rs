//! What the user may choose.

use std::path::PathBuf;

/// How a description is imported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// How the root link of a URDF is held. MJCF declares it.
    pub base: Base,
    /// What drives the joints of a URDF. MJCF has actuators.
    pub drive: Drive,
    /// Whether joint limits are left out.
    pub without_limits: bool,
    /// Which shapes are taken over.
    pub shapes: Shapes,
    /// Folders with packages that `package://` may mean, besides those around the file.
    pub packages: Vec<PathBuf>,
}

/// How the root link is held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Base {
    /// On the world.
    #[default]
    Fixed,
    /// Not at all.
    Floating,
}

/// What drives a joint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Drive {
    /// An input with the torque or force.
    #[default]
    Torque,
    /// A servo that follows an input with the position.
    Position,
    /// A servo that follows an input with the velocity.
    Velocity,
    /// Nothing.
    None,
}

/// Which shapes are taken over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shapes {
    /// Those for pictures and those for contacts.
    #[default]
    All,
    /// Those for pictures.
    Visual,
    /// Those for contacts.
    Collision,
    /// None.
    None,
}

impl Shapes {
    /// Whether shapes for pictures are taken over.
    #[must_use]
    pub fn visual(self) -> bool {
        matches!(self, Self::All | Self::Visual)
    }

    /// Whether shapes for contacts are taken over.
    #[must_use]
    pub fn collision(self) -> bool {
        matches!(self, Self::All | Self::Collision)
    }
}
