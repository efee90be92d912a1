//! How parts continue that a change of structure moves or stops.

use crate::dynamics::momentum;
use crate::simulation::run_data::change::StructureChange;
use crate::spatial::BodyMotion;
use crate::topology::BodyInertia;

/// Whether frames are brought to coincide.
pub(in crate::simulation) fn snaps(changes: &[StructureChange]) -> bool {
    changes.iter().any(|change| matches!(change, StructureChange::Attach { snap: true, .. }))
}

/// How a body moves that was moved to another pose at once: its centre of mass keeps its velocity, and it its angular
/// velocity.
pub(in crate::simulation) fn carried(was: &BodyMotion, is: &BodyMotion, inertia: &BodyInertia) -> BodyMotion {
    let turned = (was.rotation - is.rotation) * inertia.p_bo_bcm;
    BodyMotion { v: was.v + was.w.cross(&turned), w: was.w, ..*is }
}

pub(in crate::simulation) fn kinetic_energy(inertia: &BodyInertia, motion: &BodyMotion) -> f64 {
    let h = momentum(inertia, &motion.rotation, motion);
    0.5 * (h.n.dot(&motion.w) + h.f.dot(&motion.v))
}
