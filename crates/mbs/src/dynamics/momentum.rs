//! Velocities that fit given momenta: what remains of a motion when parts become rigidly connected.

use super::component_newton::own_part;
use super::{EvaluationError, EvaluationPoint, Evaluator};
use crate::force::{JointForce, Signals};
use crate::math::Mat3;
use crate::spatial::{BodyMotion, Wrench};
use crate::topology::{BodyInertia, Topology};

/// Momentum of a body about its origin: angular in `n` \[N m s\], linear in `f` \[N s\], resolved in the world.
#[must_use]
pub(crate) fn momentum(inertia: &BodyInertia, rotation: &Mat3, motion: &BodyMotion) -> Wrench {
    let c = rotation * inertia.p_bo_bcm;
    let f = inertia.m * (motion.v + motion.w.cross(&c));
    let n = rotation * (inertia.i_bbo * rotation.tr_mul(&motion.w)) + inertia.m * c.cross(&motion.v);
    Wrench { n, f }
}

/// Inertia of components on a velocity variable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rotor {
    /// Velocity variable.
    pub v: usize,
    /// Inertia \[kg m²\] or \[kg\].
    pub inertia: f64,
    /// Velocity that it had \[rad/s\] or \[m/s\].
    pub velocity: f64,
}

/// Momenta that velocities shall have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Momenta<'a> {
    /// Of every node about its Bo in the world.
    pub nodes: &'a [Wrench],
    /// Of components that turn with velocity variables.
    pub rotors: &'a [Rotor],
}

impl Evaluator {
    /// Velocities `v = M^-1 E^T (h - h_0)` at `q` for the momenta `h` of all nodes about their Bo in the world, where
    /// `h_0` is what prescribed motions contribute, and those of rotors; with loops, the nearest velocities that keep
    /// them closed.
    ///
    /// They minimise the kinetic energy of the difference to the motion that the momenta came from: an inelastic impact
    /// whose impulses act in the new connections only (e.g. F. Pfeiffer & C. Glocker, *Multibody Dynamics with
    /// Unilateral Contacts*, 1996, chapter 8, with zero restitution).
    ///
    /// # Errors
    /// [`EvaluationError::Fatal`] naming the joint that has no inertia to act on.
    pub(crate) fn velocities_from_momenta(
        &mut self,
        topology: &Topology,
        q: &[f64],
        momenta: Momenta<'_>,
        signals: &mut Signals,
        v: &mut [f64],
    ) -> Result<(), EvaluationError> {
        v.fill(0.0);
        let workspace = &mut self.workspace;
        workspace.drive(topology, signals);
        workspace.move_bodies(topology, q, v, v);
        for (i, node) in topology.nodes.iter().enumerate() {
            let driven = momentum(&node.inertia, &workspace.bodies[i].rotation, &workspace.bodies[i]);
            let h = &momenta.nodes[i];
            workspace.transmitted[i] = Wrench { n: h.n - driven.n, f: h.f - driven.f };
        }
        for i in (1..topology.nodes.len()).rev() {
            let shifted = workspace.transmitted[i].shifted(&workspace.links[i].r);
            workspace.transmitted[topology.nodes[i].parent].add(&shifted);
        }
        workspace.joint_forces.fill(JointForce::default());
        let mut impulse = vec![0.0; topology.num_v];
        workspace.joint_balance(topology, &mut impulse);
        for rotor in momenta.rotors {
            workspace.joint_forces[rotor.v].per_acceleration -= rotor.inertia;
            impulse[rotor.v] += rotor.inertia * rotor.velocity;
        }
        self.eliminate_masses(topology, &EvaluationPoint { q, v })?;
        v.copy_from_slice(&impulse);
        self.masses.solve_forest(topology, v, false);
        if self.loops.exist() {
            let mut work = vec![0.0; own_part(topology)];
            self.workspace.move_bodies(topology, q, v, &work);
            self.loops.update(topology, &self.workspace);
            self.loops.select();
            self.loops.select_faint();
            self.project_velocities(topology, q, v, &mut work)?;
        }
        Ok(())
    }
}
