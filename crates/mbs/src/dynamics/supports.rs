//! Supports: forces on velocity variables that keep these from accelerating.

use nalgebra::DMatrix;

use super::component_newton::own_part;
use super::evaluator::Evaluator;
use crate::linalg::LeastSquares;
use crate::topology::Topology;

/// Parts of the responses below this fraction of the largest one are rounding errors: loops hold already.
const REDUNDANT: f64 = 1e-10;

impl Evaluator {
    /// Adds to the derivatives of the last [`Evaluator::consistent`] what supports of `held` velocity variables do.
    /// Returns their forces; none where there is no solution.
    pub(crate) fn support(
        &mut self,
        topology: &Topology,
        held: &[usize],
        y: &mut [f64],
        yp: &mut [f64],
    ) -> Option<Vec<f64>> {
        let (y, yp) = (&mut y[topology.num_q..], &mut yp[topology.num_q..]);
        let responses: Vec<Vec<f64>> = held.iter().map(|&v| self.response_to_force(topology, v, yp.len())).collect();
        let of_held = DMatrix::from_fn(held.len(), held.len(), |row, column| responses[column][held[row]]);
        let largest = of_held.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let forces = LeastSquares::new(&of_held, REDUNDANT * largest)?.solve(held.iter().map(|&v| -yp[v]));
        if !forces.iter().all(|x| x.is_finite()) {
            return None;
        }
        let own = own_part(topology);
        for (response, force) in responses.iter().zip(&forces) {
            for (k, change) in response.iter().enumerate() {
                let is_value =
                    self.component_newton.as_ref().is_some_and(|n| k >= own && n.start.is_algebraic(k - own));
                *(if is_value { &mut y[k] } else { &mut yp[k] }) += force * change;
            }
        }
        Some(forces)
    }

    /// Change of accelerations, multipliers and the variables of components per force on a velocity variable.
    fn response_to_force(&mut self, topology: &Topology, v: usize, len: usize) -> Vec<f64> {
        let mut response = vec![0.0; len];
        response[v] = 1.0;
        match &mut self.component_newton {
            Some(newton) => newton.solve_start(topology, &mut self.masses, &mut response),
            None => self.masses.solve(topology, &mut response, false),
        }
        response
    }
}
