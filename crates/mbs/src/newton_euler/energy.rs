//! Kinetic and potential energy.

use super::Workspace;
use crate::topology::{DrivenLaw, Topology};

/// Mechanical energy \[J\].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of gravity, linear springs and stops.
    pub potential: f64,
}

impl Workspace {
    /// Energy of the whole model; positions and velocities must be known.
    #[must_use]
    pub fn energy(&self, topology: &Topology, q: &[f64]) -> Energy {
        let mut energy = Energy::default();
        for (node, body) in topology.nodes.iter().zip(&self.bodies) {
            let inertia = &node.inertia;
            let c = body.rotation * inertia.p_bo_bcm;
            let w_b = body.rotation.tr_mul(&body.w);
            energy.kinetic += 0.5 * inertia.m * body.v.norm_squared()
                + inertia.m * body.v.dot(&body.w.cross(&c))
                + 0.5 * w_b.dot(&(inertia.i_bbo * w_b));
            if inertia.m > 0.0 {
                energy.potential += inertia.m * topology.gravity.potential(&(body.p + c));
            }
            if let Some(first) = node.laws {
                for k in 0..node.mobilizer.num_v() {
                    let position = Topology::position_of(node, k).map_or(0.0, |i| q[i]);
                    energy.potential += topology.laws[first + k].potential_energy(position);
                }
            }
        }
        let resting = topology.resting.iter().map(|(m, p)| m * topology.gravity.potential(p));
        energy.potential += resting.sum::<f64>();
        energy.potential += topology.resting_laws.iter().map(|(law, q)| law.potential_energy(*q)).sum::<f64>();
        let driven = topology.driven_laws.iter();
        let stored =
            |law: &DrivenLaw| law.law.potential_energy(law.motion.map_or(0.0, |motion| self.motions[motion].q));
        energy.potential += driven.map(stored).sum::<f64>();
        energy.potential += topology.elements.iter().map(|e| e.potential_energy(&self.bodies)).sum::<f64>();
        energy
    }
}
