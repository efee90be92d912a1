//! Force elements of one segment.

use super::Topology;
use crate::force::{BushingElement, Element, LineElement, PullElement, Resolution, WorldElement};
use crate::math::Pose;
use crate::scene::{ForceType, ObjectId, Pull, Scene};
use crate::spatial::{Frame, WORLD};

/// Writes the force elements of the present segment, in the order of their declaration, last what pulls an object.
/// Objects must be placed.
pub(super) fn add_elements(scene: &Scene, topology: &mut Topology) {
    let Topology { placements, elements, .. } = topology;
    let frame = |id: ObjectId| placements[id.index()];
    let present = scene.forces.iter().filter(|(_, force)| scene.force_exists(force));
    elements.clear();
    elements.extend(present.map(|(_, item)| match &item.kind {
        ForceType::World { at, force, torque, resolved_in } => {
            let (at, axes) = (frame(*at), frame(*resolved_in));
            let resolved_in = match axes.node {
                WORLD if axes.x_bc.rotation == Pose::identity().rotation => Resolution::World,
                node if node == at.node => Resolution::Body(axes.x_bc.rotation),
                node => Resolution::Other(node, axes.x_bc.rotation),
            };
            Element::World(WorldElement {
                name: item.path.clone(),
                at,
                force: force.clone(),
                torque: torque.clone(),
                resolved_in,
            })
        }
        ForceType::Line { from, to, stiffness, rest_length, damping, force: pull, .. } => Element::Line(LineElement {
            name: item.path.clone(),
            from: frame(*from),
            to: frame(*to),
            stiffness: *stiffness,
            rest_length: rest_length.unwrap_or(f64::NAN),
            damping: *damping,
            force: pull.clone(),
            shortest: LineElement::SHORTEST * scene.scales.length,
        }),
        ForceType::Bushing { from, to, translation, rotation } => Element::Bushing(BushingElement {
            name: item.path.clone(),
            from: frame(*from),
            to: frame(*to),
            translation: translation.clone(),
            rotation: rotation.clone(),
        }),
    }));
    let pull = scene.pull.as_ref().filter(|pull| scene.exists(pull.object));
    elements.extend(pull.map(|pull| pull_element(pull, &frame(pull.object))));
}

/// The element of a pull on an object that is placed at `frame`.
pub(crate) fn pull_element(pull: &Pull, frame: &Frame) -> Element {
    let at = Frame { x_bc: frame.x_bc * Pose::from_translation(pull.point), node: frame.node };
    Element::Pull(PullElement { at, target: pull.target, stiffness: pull.stiffness, damping: pull.damping })
}
