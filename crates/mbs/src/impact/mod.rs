//! Impulses of a group of rigid bodies that collide: everything that happens at one instant.
//!
//! With the velocities `v` at all contact points (of B relative to A, per point one normal and two tangential
//! components), the impulses `p` on B and the mobility `W = J M^-1 J^T`, an impact changes `v- ` to `v+ = v- + W p`
//! (F. Pfeiffer & C. Glocker, *Multibody Dynamics with Unilateral Contacts*, 1996, chapter 8). The normal impulses and
//! velocities are complementary, and the tangential ones obey Coulomb's law in space.

mod complementary;
mod cone;
mod group;
mod interior;
mod pivoting;
mod point;
mod rattling;
#[cfg(test)]
mod tests;

pub use complementary::Complementarity;
pub use group::{Group, GroupError, PointLaw};
