//! Force elements of one segment.

use super::Topology;
use crate::force::{BushingElement, Element, LineElement, Resolution, WorldElement};
use crate::math::Pose;
use crate::scene::{ForceType, ObjectId, Scene};
use crate::spatial::WORLD;

/// Writes the force elements of the present segment, in the order of their declaration. Objects must be placed.
pub(super) fn add_elements(scene: &Scene, topology: &mut Topology) {
    let Topology { placements, elements, .. } = topology;
    let frame = |id: ObjectId| placements[id.index()];
    let present = scene.forces.iter().filter(|(_, force)| scene.force_exists(force));
    elements.clear();
    elements.extend(present.map(|(_, force)| match &force.kind {
        ForceType::World { at, force, torque, resolved_in } => {
            let (at, axes) = (frame(*at), frame(*resolved_in));
            let resolved_in = match axes.node {
                WORLD if axes.x_bc.rotation == Pose::identity().rotation => Resolution::World,
                node if node == at.node => Resolution::Body(axes.x_bc.rotation),
                node => Resolution::Other(node, axes.x_bc.rotation),
            };
            Element::World(WorldElement { at, force: force.clone(), torque: torque.clone(), resolved_in })
        }
        ForceType::Line { from, to, stiffness, rest_length, damping, force: pull } => Element::Line(LineElement {
            name: force.path.clone(),
            from: frame(*from),
            to: frame(*to),
            stiffness: *stiffness,
            rest_length: rest_length.unwrap_or(f64::NAN),
            damping: *damping,
            force: pull.clone(),
        }),
        ForceType::Bushing { from, to, translation, rotation } => Element::Bushing(BushingElement {
            from: frame(*from),
            to: frame(*to),
            translation: translation.clone(),
            rotation: rotation.clone(),
        }),
    }));
}
