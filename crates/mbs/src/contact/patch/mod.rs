//! Contact of two convex polyhedra, or of one and a cylinder or cone: pressure fields.
//!
//! Sources: R. Elandt, E. Drumwright, M. Sherman, A. Ruina, "A pressure field model for fast, robust approximation of
//! net contact force and moment between nominally rigid objects", IROS 2019, arXiv 1904.11433; here with analytic
//! fields and exact integrals.
//!
//! **Potential.** Behind every face l of a body, with outward unit normal `n_l`, offset `b_l` and distance `h_l` from
//! the body's centre, pressure grows linearly with depth. The field of the body is the smallest of these,
//!
//! ```text
//! s(x) = min_l s_l(x),    s_l(x) = k_l (b_l - n_l . x),    k_l = k_red E / ((1 - nu^2) h_l)
//! ```
//!
//! zero on the surface and the same at the centre for all faces. Two bodies store `U = ∫ max(0, min(s_A, s_B)) dV`, and
//! the force on B is `-∂U/∂pose`. By Gauss' theorem that is an integral over the surface S on which both pressures are
//! equal,
//!
//! ```text
//! F = ∫_S p n dA,    n = (g_j - g_i)/|g_j - g_i|,    g_l = ∇s_l
//! ```
//!
//! which consists of one convex polygon for every pair of a face i of A and a face j of B that has one. The polygons
//! are clipped exactly, so that the force has a potential: no work is done round a closed motion. It is once
//! continuously differentiable, but where faces come to lie on each other flat: there it is continuous, with a kink. A
//! face on a face is the elastic foundation `F = k A δ`, `1/k = 1/k_i + 1/k_j`.
//!
//! **Damping and friction** act along the direction of the elastic force `nbar = F/|F|` and at right angles to it. With
//! the velocity u of B relative to A at a point of S, `δ' = -u . nbar` and `v_t = u + δ' nbar`, the traction on B is
//!
//! ```text
//! t = p n + p max(0, n . nbar) (d δ' nbar - mu (1 + d δ') v_t / reg(|v_t|, v_min)),   0 where 1 + d δ' < 0
//! ```
//!
//! A direction for each polygon would brake a sliding body: its rim has narrow slanted polygons. The law of restitution
//! does not depend on the exponent of the elastic force, so `d` follows from the approach velocity as for other
//! contacts. Friction is integrated over the patch: resistance against spinning needs no coefficient of its own.
//!
//! **Ground of pieces.** Every piece of a height field is a body of its own with walls, at which the patch ends. Damping
//! and friction act along the normal of its face, and damping follows from the load and the depth of all pieces together:
//! a body on several of them is carried as by one.
//!
//! **Round sides.** The side of a cylinder or cone is a polygon that does not turn with its body, but faces the other one
//! (`facing.rs`): it rolls without feeling corners. That turn takes part in the energy, and adds to the force
//! (`turning.rs`). The body's own turn about its axis moves its material, not its surface: it takes part in sliding, not in
//! `δ'`.
//!
//! **Derivatives.** With `w_l(x) = (x × g_l, g_l)` a field changes by `-w_l . ξ` when its body moves by the twist ξ.
//! Only S moves with B in the wrench on A, so that `∂Q_A/∂ξ_B = -Σ ∫ w_i w_jᵀ dA / |g_j - g_i|`, exact, and the rest
//! follows from the opposite of action and reaction.

mod clip;
mod facing;
mod field;
mod motion;
mod overlap;
mod points;
mod polygon;
mod response;
mod rim;
mod slopes;
mod surface_load;
mod turning;
mod weights;
mod wrench;

#[cfg(test)]
mod tests;

pub use facing::TurnRates;
pub use field::{
    Directions, PatchBody, PatchForm, RoundAxis, central_pressures, distance_of_faces, distance_of_polygons, far_apart,
    patch_bodies, patch_distance,
};
pub use motion::{PatchMotion, Twist};
pub use overlap::{Patch, PatchScratch};
pub use slopes::{Block, PatchSlopes};
pub use surface_load::SurfaceLoad;
pub use wrench::PatchForce;
