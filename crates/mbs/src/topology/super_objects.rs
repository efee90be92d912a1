//! Super-objects: everything rigidly connected, with merged mass properties.

use std::collections::VecDeque;

use super::TopologyError;
use crate::math::Pose;
use crate::scene::{Attachment, ObjectId, Scene};

/// The super-object of every object, and the object's pose in its first member's frame.
#[derive(Debug, Clone)]
pub(super) struct SuperObjects {
    /// Super-object of each object, by the object's index; the world's is 0, that of absent objects `usize::MAX`.
    pub of: Vec<usize>,
    /// Pose of each object in the frame of its super-object's first member.
    pub pose: Vec<Pose>,
    /// Members of each super-object in the order in which they were reached.
    pub members: Vec<Vec<ObjectId>>,
}

/// Largest disagreement of two rigid connections of the same parts: 1 µm, 1 µrad.
const CLOSURE_TOLERANCE: f64 = 1e-6;

/// Groups objects that are rigidly connected by placement or by fixed joints.
pub(super) fn group(scene: &Scene) -> Result<SuperObjects, TopologyError> {
    let n = scene.objects.capacity();
    let mut neighbours: Vec<Vec<(ObjectId, Pose, &str)>> = vec![Vec::new(); n];
    for (id, object) in scene.objects.iter().filter(|(id, _)| scene.exists(*id)) {
        if let (Attachment::Fixed, Some(parent)) = (&object.attachment, object.parent) {
            neighbours[parent.index()].push((id, object.x_pc, object.path.as_str()));
            neighbours[id.index()].push((parent, object.x_pc.inverse(), object.path.as_str()));
        }
    }
    for (id, joint) in scene.joints.iter() {
        if scene.joint_exists(id) && scene.is_rigid(id) {
            neighbours[joint.from.index()].push((joint.to, Pose::identity(), joint.path.as_str()));
            neighbours[joint.to.index()].push((joint.from, Pose::identity(), joint.path.as_str()));
        }
    }
    for link in &scene.structure.links {
        let path = scene.objects[link.a].path.as_str();
        neighbours[link.b.index()].push((link.a, link.x_ba, path));
        neighbours[link.a.index()].push((link.b, link.x_ba.inverse(), path));
    }
    let mut groups = SuperObjects { of: vec![usize::MAX; n], pose: vec![Pose::identity(); n], members: Vec::new() };
    for (first, _) in scene.objects.iter() {
        if scene.exists(first) && groups.of[first.index()] == usize::MAX {
            gather(scene, first, &neighbours, &mut groups)?;
        }
    }
    Ok(groups)
}

fn gather(
    scene: &Scene,
    first: ObjectId,
    neighbours: &[Vec<(ObjectId, Pose, &str)>],
    groups: &mut SuperObjects,
) -> Result<(), TopologyError> {
    let group = groups.members.len();
    groups.members.push(vec![first]);
    groups.of[first.index()] = group;
    let mut queue = VecDeque::from([first]);
    while let Some(at) = queue.pop_front() {
        for (next, x, by) in &neighbours[at.index()] {
            let pose = groups.pose[at.index()] * *x;
            if groups.of[next.index()] == usize::MAX {
                groups.of[next.index()] = group;
                groups.pose[next.index()] = pose;
                groups.members[group].push(*next);
                queue.push_back(*next);
                continue;
            }
            let (gap, angle) = pose.distance(&groups.pose[next.index()]);
            if gap > CLOSURE_TOLERANCE || angle > CLOSURE_TOLERANCE {
                return Err(TopologyError {
                    location: scene.objects[*next].location,
                    message: format!(
                        "`{}` is rigidly connected twice and the connections disagree by {gap:.3e} m and {angle:.3e} rad (seen at `{by}`); \
                         remove one of them or make them agree",
                        scene.objects[*next].path
                    ),
                });
            }
        }
    }
    Ok(())
}
