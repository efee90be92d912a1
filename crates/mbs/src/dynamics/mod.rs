//! Equations of motion in residual form, their linearisation and the solver that exploits their structure.

mod balance;
mod contacts;
mod coupled;
mod coupling;
mod energy;
mod evaluator;
mod exact_efforts;
mod floating_factor;
mod joint_factor;
mod kinematics;
mod loads;
mod loops;
mod momentum;
mod path;
mod quaternion_rate;
mod tree_solver;
mod variation;
mod workspace;

pub use balance::Wrench;
pub use contacts::Contacts;
pub(crate) use contacts::{ContactResult, PairPoint, contact_energy, contact_result, pair_point};
pub use energy::Energy;
pub use evaluator::{Evaluator, LinearizedContacts};
pub(crate) use kinematics::across;
pub use kinematics::{AxisCoordinates, BodyMotion, LinkMotion};
pub use loops::Loops;
pub use loops::Mobility;
pub(crate) use loops::{Assembly, Choice, displace};
pub(crate) use momentum::{Rotor, momentum};
pub use workspace::Workspace;
pub(crate) use workspace::renew;

pub use crate::force::JointForce;

/// Positions and velocities at which something is evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EvaluationPoint<'a> {
    /// Position variables.
    pub q: &'a [f64],
    /// Velocity variables.
    pub v: &'a [f64],
}
