//! Mass, centre of mass and inertia of super-objects.

use super::nodes::Carriers;
use super::super_objects::SuperObjects;
use super::{BodyInertia, Topology};
use crate::math::{Mat3, Pose};
use crate::scene::{ObjectId, Scene};
use crate::solid::MassProperties;

/// Mass properties of super-objects of earlier segments. They are taken again when the same members stand in the same
/// poses, bit by bit, so that they are those that merging would give.
#[derive(Debug, Clone, Default)]
pub(super) struct Inertias {
    /// By the index of a super-object's first member.
    known: Vec<Merged>,
    parts: Vec<(ObjectId, Pose)>,
}

/// Parts with mass, in their poses in the node's body frame, and what they give together.
#[derive(Debug, Clone, Default)]
struct Merged {
    parts: Vec<(ObjectId, Pose)>,
    inertia: Option<BodyInertia>,
}

impl Inertias {
    /// Merges the mass properties of every super-object in its node's body frame; leaves get equal shares of them.
    pub fn merge(&mut self, scene: &Scene, groups: &SuperObjects, carriers: &Carriers, topology: &mut Topology) {
        self.known.resize_with(scene.objects.capacity(), Merged::default);
        for group in groups.iter().skip(1) {
            let (node, frame) = carriers.made(group);
            let leaves = carriers.num_leaves[group];
            let origin = Some((frame, groups.gathered(group), leaves));
            if std::mem::replace(&mut topology.origins.nodes[node].inertia, origin) != origin {
                let inertia = self.of(scene, groups, group, &carriers.of(group).1);
                topology.nodes[node].inertia = inertia.scaled(share(leaves));
            }
        }
        for (group, leaf, pose) in &carriers.leaves {
            self.list(scene, groups, *group, pose);
            let inertia = merged(scene, &self.parts);
            topology.nodes[*leaf].inertia = inertia.scaled(share(carriers.num_leaves[*group]));
        }
    }

    /// Inertia of a super-object in a frame in which its first member has the given pose.
    fn of(&mut self, scene: &Scene, groups: &SuperObjects, group: usize, x: &Pose) -> BodyInertia {
        self.list(scene, groups, group, x);
        let known = &mut self.known[group];
        match known.inertia {
            Some(inertia) if known.parts == self.parts => inertia,
            _ => {
                known.parts.clear();
                known.parts.reserve_exact(self.parts.len());
                known.parts.extend_from_slice(&self.parts);
                *known.inertia.insert(merged(scene, &self.parts))
            }
        }
    }

    fn list(&mut self, scene: &Scene, groups: &SuperObjects, group: usize, x: &Pose) {
        let has_mass = |id: &&ObjectId| {
            let mass = &scene.objects[**id].mass;
            mass.mass > 0.0 || mass.inertia != Mat3::zeros()
        };
        self.parts.clear();
        let with_mass = groups.members(group).iter().filter(has_mass);
        self.parts.extend(with_mass.map(|id| (*id, *x * groups.pose[id.index()])));
    }
}

/// The share of a super-object's inertia that its node and every leaf cut from it have.
fn share(leaves: usize) -> f64 {
    1.0 / (leaves + 1) as f64
}

fn merged(scene: &Scene, parts: &[(ObjectId, Pose)]) -> BodyInertia {
    let moved = parts.iter().map(|(id, pose)| scene.objects[*id].mass.transformed(&pose.isometry()));
    body_inertia(&MassProperties::merge(moved))
}

pub(crate) fn body_inertia(properties: &MassProperties) -> BodyInertia {
    let c = properties.center_of_mass;
    let c_x = crate::math::skew(&c);
    BodyInertia { m: properties.mass, p_bo_bcm: c, i_bbo: properties.inertia - properties.mass * c_x * c_x }
}
