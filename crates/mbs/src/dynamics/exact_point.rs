//! A point with accelerations that solve the equations of motion.

/// A point at which accelerations and algebraic variables solve the equations of motion.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExactPoint {
    /// Variables.
    pub y: Vec<f64>,
    /// Their derivatives.
    pub yp: Vec<f64>,
}
