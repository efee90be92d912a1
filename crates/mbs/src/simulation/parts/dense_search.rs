//! Where a step that the integrator has taken is looked at again, on its dense output.

use crate::dynamics::PairWork;
use crate::newton_euler::Workspace;
use crate::topology::Topology;

/// Work arrays of the search.
#[derive(Debug, Clone)]
pub(in crate::simulation) struct DenseSearch {
    pub workspace: Workspace,
    /// Variables inside the step, and root functions there.
    pub point: SearchPoint,
    pub samples: Samples,
    /// Memory of the search for a time at which a pair meets, and of the approach from there.
    pub pairs: [PairWork; 2],
}

/// Variables at a time inside a step, their derivatives, and root functions.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct SearchPoint {
    pub y: Vec<f64>,
    pub yp: Vec<f64>,
    pub roots: Vec<f64>,
}

/// The memory of the search for a meeting ...
pub(in crate::simulation) const COARSE: usize = 0;

/// ... and that of the approach from there.
pub(in crate::simulation) const FINE: usize = 1;

impl DenseSearch {
    pub fn new(topology: &Topology) -> Self {
        Self {
            workspace: Workspace::new(topology),
            point: SearchPoint::default(),
            samples: Samples::default(),
            pairs: Default::default(),
        }
    }

    /// Lends the memory of a point for so many variables and root functions.
    pub fn take_point(&mut self, variables: usize, roots: usize) -> SearchPoint {
        let mut point = std::mem::take(&mut self.point);
        point.y.resize(variables, 0.0);
        point.yp.resize(variables, 0.0);
        point.roots.resize(roots, 0.0);
        point
    }

    /// Takes up another topology in the memory that is there.
    pub fn fit(&mut self, topology: &Topology) {
        self.workspace.fit(topology);
    }
}

/// A value of a root function that is positive while its condition stays as it is, and its time \[s\].
pub(in crate::simulation) type Sample = (f64, f64);

/// Root functions at some points of a step.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct Samples {
    pub times: Vec<f64>,
    /// All root functions at the first time, at the second, and so on.
    pub roots: Vec<f64>,
    /// The one that is looked at.
    pub points: Vec<Sample>,
}

impl Samples {
    /// Lists the points of one root function. Returns the side of zero on which it starts.
    pub fn look_at(&mut self, root: usize) -> f64 {
        let num_roots = self.roots.len() / self.times.len().max(1);
        let side = self.roots.get(root).map_or(1.0, |value| value.signum());
        let values = self.roots.iter().skip(root).step_by(num_roots.max(1)).map(|value| side * value);
        self.points.clear();
        self.points.extend(self.times.iter().copied().zip(values));
        side
    }
}

/// The first time at which something holds, to a part of 2^-`halvings` of the interval between a time at which it does
/// not and one at which it does \[s\].
///
/// # Errors
/// Those of `holds`.
pub(in crate::simulation) fn first_time<E>(
    [mut before, mut after]: [f64; 2],
    halvings: usize,
    mut holds: impl FnMut(f64) -> Result<bool, E>,
) -> Result<f64, E> {
    for _ in 0..halvings {
        let middle = 0.5 * (before + after);
        if middle <= before || middle >= after {
            break;
        }
        *if holds(middle)? { &mut after } else { &mut before } = middle;
    }
    Ok(after)
}
