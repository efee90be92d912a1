//! Searches of a step that the integrator has taken, on its dense output.

use crate::dynamics::PairWork;
use crate::math::bisect;
use crate::newton_euler::Workspace;
use crate::simulation::integrator::{Integrator, IntegratorError};
use crate::simulation::run_data::pending_event::PendingEvent;
use crate::topology::Topology;

/// Work arrays of the search.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct DenseSearch {
    /// Empty until something is searched for.
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

impl SearchPoint {
    fn fit(&mut self, num_variables: usize) {
        self.y.resize(num_variables, 0.0);
        self.yp.resize(num_variables, 0.0);
    }
}

/// The memory of the search for a meeting ...
pub(in crate::simulation) const COARSE: usize = 0;

/// ... and that of the approach from there.
pub(in crate::simulation) const FINE: usize = 1;

impl DenseSearch {
    /// Interpolates the variables, of which there are `num_variables`, at a time \[s\] inside the last step.
    ///
    /// # Errors
    /// A time outside the last step.
    pub fn interpolate(
        &mut self,
        integrator: &mut dyn Integrator,
        t: f64,
        num_variables: usize,
    ) -> Result<(), IntegratorError> {
        self.point.fit(num_variables);
        integrator.interpolate(t, &mut self.point.y, &mut self.point.yp)
    }

    /// As [`DenseSearch::interpolate`] without derivatives, which stay as they are.
    ///
    /// # Errors
    /// As there.
    pub fn interpolate_variables(
        &mut self,
        integrator: &mut dyn Integrator,
        t: f64,
        num_variables: usize,
    ) -> Result<(), IntegratorError> {
        self.point.fit(num_variables);
        integrator.interpolate_variables(t, &mut self.point.y)
    }

    /// Re-initialises for another topology, reusing allocations.
    pub fn fit(&mut self, topology: &Topology) {
        if !self.workspace.bodies.is_empty() {
            self.workspace.fit(topology);
        }
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
    /// Accelerations of prescribed motions.
    pub accelerations: Vec<f64>,
    /// Samples of the selected root function.
    pub points: Vec<Sample>,
}

impl Samples {
    /// Lists the points of one root function. Returns the side of zero on which it starts.
    pub fn select_root(&mut self, root: usize) -> f64 {
        let num_roots = self.roots.len() / self.times.len().max(1);
        let side = self.roots.get(root).map_or(1.0, |value| value.signum());
        let values = self.roots.iter().skip(root).step_by(num_roots.max(1)).map(|value| side * value);
        self.points.clear();
        self.points.extend(self.times.iter().copied().zip(values));
        side
    }
}

/// The first time \[s\] found at which something holds that does not hold at the beginning of an interval and holds at
/// its end.
///
/// # Errors
/// Those of `holds`.
pub(in crate::simulation) fn first_time<E>(
    interval: [f64; 2],
    halvings: usize,
    holds: impl FnMut(f64) -> Result<bool, E>,
) -> Result<f64, E> {
    bisect(interval, halvings, holds).map(|[_, after]| after)
}

/// The first event found in a step. Each search covers the time before the event found by earlier searches.
#[derive(Debug)]
pub(in crate::simulation) struct FirstEvent {
    /// End of the time that is left to be searched \[s\].
    pub until: f64,
    /// The event there; none at the end of the step.
    pub event: Option<PendingEvent>,
}

impl FirstEvent {
    /// No event before the end of the step \[s\].
    pub fn none_before(end: f64) -> Self {
        Self { until: end, event: None }
    }

    /// Takes the result of a search of the remaining time.
    pub fn or_earlier(&mut self, found: Option<PendingEvent>) {
        if let Some(event) = found {
            self.until = event.t;
            self.event = Some(event);
        }
    }
}
