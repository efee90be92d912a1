//! What is demanded of one point, and how its components are counted.

/// Components of a point: normal and two tangential ones.
pub(super) const PER_POINT: usize = 3;

/// Constraints on the impulse and the velocity of one point.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointConstraint {
    /// Least normal impulse \[N s\].
    pub least: f64,
    /// Least normal velocity \[m/s\].
    pub target: f64,
    /// Coefficient of friction.
    pub mu: f64,
}

/// Why impulses are not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The iteration has not found them.
    NotFound,
    /// There are no velocities with which none of these points approaches: what nothing can move drives them together.
    Squeezed(Vec<usize>),
}
