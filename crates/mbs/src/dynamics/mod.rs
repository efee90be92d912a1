//! Equations of motion in residual form, their linearisation and the solver that exploits their structure.

mod branch_coupling;
mod component_newton;
mod consistent;
mod contacts;
mod error;
mod evaluator;
mod exact_efforts;
mod exact_point;
mod floating_factor;
mod hinge_roots;
mod impulse;
mod joint_factor;
mod loads;
mod loops;
mod momentum;
mod quaternion_rate;
mod supports;
mod tree_solver;
mod variation;

pub use contacts::Contacts;
pub(crate) use contacts::{
    ContactResult, MOST_DEEP, PairPoint, PairWork, Separation, TouchingPoints, are_balls, contact_energy,
    contact_result, footing, lever, pair_point, sunk_shape, touching_normals, touching_points,
};
pub use error::EvaluationError;
pub(crate) use evaluator::are_pairs;
pub(crate) use evaluator::position_rates;
pub use evaluator::{Evaluator, LinearizedContacts};
pub(crate) use hinge_roots::{
    HingeResult, ROOTS_PER_HINGE, closures_of, direction_of_sliding, hinge_result, pair_rooms, pressing, thickness,
    write_hinge_roots,
};
pub(crate) use impulse::SparseImpulse;
pub use loops::Loops;
pub(crate) use loops::{ActiveClosureRows, Assembly, TangentSpace, displace, displace_node};
pub(crate) use loops::{Six, TiePoint};
pub(crate) use momentum::{Momenta, Rotor, momentum};

/// Positions and velocities at which something is evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EvaluationPoint<'a> {
    /// Position variables.
    pub q: &'a [f64],
    /// Velocity variables.
    pub v: &'a [f64],
}

/// Variables of the integrator and their derivatives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DaePoint<'a> {
    /// Variables.
    pub y: &'a [f64],
    /// Their derivatives.
    pub yp: &'a [f64],
}
