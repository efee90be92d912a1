//! Contact: the elastic force law, and which pairs are in contact.
//!
//! Source: A. Neumayr, M. Otter, "Collision Handling with Elastic Response Calculation and Zero-Crossing Functions",
//! EOOLT 2019; equation numbers below are its.
//!
//! **Law** (eq. 3) of two shapes A and B that touch in one point:
//!
//! ```text
//! f_n = k_red max(0, c_res c_geo delta^n_geo (1 + d delta_dot))
//! f_t = -mu f_n e_reg(v_t, v_min)
//! tau = -mu_r mu_geo f_n e_reg(w_rel, w_min)
//! ```
//!
//! **Signs.** The normal `n` = `n_AB_W` points *from A to B*, `dist` is the signed distance (negative = penetration).
//! With `v_rel` = `v_B - v_A`, the velocities of the two material points at the contact point,
//!
//! ```text
//! delta = max(0, -dist)    delta_dot = -v_rel . n    v_t = v_rel - (v_rel . n) n    w_rel = w_WB - w_WA
//! ```
//!
//! so `delta_dot` is positive while the shapes approach. B gets the force `f_n n + f_t` at the contact point and the
//! torque `tau`, A gets the opposite of both. (In the paper the normal points the other way round: its `e_n` is `-n`
//! when its bodies 1 and 2 are A and B.)
//!
//! **What is frozen.** `d` and the regularisation speeds follow from the approach velocity at the start of a contact:
//! [`ContactMaterial::freeze`] computes the [`ContactConstants`] that a [`ContactSet`] keeps for each active contact.
//! With [`ConstantsRule::Adaptive`](crate::material::ConstantsRule::Adaptive) they change by a smooth [`Transition`]
//! when the contact has calmed down and, at a point, when it is struck harder. Other contacts that are struck have
//! theirs frozen again, at a restart.
//!
//! **Sticking.** Pairs of materials with `stiction` have a [`Bristle`] besides, which carries loads at rest without
//! creep.
//!
//! **Smoothness.** Forces are continuous in all arguments and differentiable except where damping cuts the normal force
//! off (`1 + d delta_dot = 0`). Friction and rolling resistance are differentiable once everywhere, also at rest.

mod bristle;
mod constants;
mod curvature;
mod error;
pub mod hinge;
mod history;
mod material;
mod pair_counts;
pub mod patch;
mod progress;
mod regularization;
mod response;
mod restitution;
mod set;
mod stiction;

#[cfg(test)]
mod tests;

pub use bristle::Bristle;
pub use constants::{ContactConstants, DampingBound, Relaxation, Transition};
pub use curvature::{Curvature, PairGeometry};
pub use error::ContactError;
pub use history::{ContactHistory, ContactSample};
pub use material::{ContactMaterial, ContactOptions};
pub use pair_counts::{PairCount, PairCounts};
pub use regularization::regularized_magnitude;
pub use response::{ContactDerivatives, ContactForce, ContactState};
pub use restitution::restitution_damping;
pub use set::{ActiveContact, ContactChanges, ContactSet, GroundPair, Hysteresis, PairDistance, PairId};
pub use stiction::{BristleChange, BristleContext, BristleForce, BristleSlopes, Footing};
