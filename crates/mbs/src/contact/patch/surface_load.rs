//! What a body presses on a surface, which may consist of pieces.

/// Load and depth of a patch, or of all patches of a body on the pieces of one surface.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SurfaceLoad {
    /// Elastic force along the normal \[N\].
    pub(super) force: f64,
    /// Integral of the pressure \[N\].
    pub(super) sum: f64,
    /// Integral of the pressure times the depth per pressure \[N m/Pa\].
    pub(super) compliance: f64,
    /// Greatest pressure \[Pa\].
    pub(super) highest: f64,
}

impl SurfaceLoad {
    /// Adds the load of another piece of the surface.
    pub fn add(&mut self, other: &Self) {
        self.force += other.force;
        self.sum += other.sum;
        self.compliance += other.compliance;
        self.highest = self.highest.max(other.highest);
    }

    /// Elastic force along the normal \[N\].
    #[must_use]
    pub fn force(&self) -> f64 {
        self.force
    }

    /// Depth at which two faces would press as much on each other as these bodies do at the most \[m\].
    #[must_use]
    pub fn depth(&self) -> f64 {
        if self.sum > 0.0 { self.highest * self.compliance / self.sum } else { 0.0 }
    }
}
