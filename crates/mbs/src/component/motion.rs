//! Motion of a flange.

/// Position, velocity and acceleration of a flange (rad or m).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Motion {
    /// Position.
    pub position: f64,
    /// Velocity.
    pub velocity: f64,
    /// Acceleration.
    pub acceleration: f64,
}
