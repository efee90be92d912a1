//! What changes of structure mean for links and existence, and when they do not fit.

use crate::math::{Pose, Quaternion};
use crate::scene::{Attachment, Link, ObjectId, Scene, Structure};
use crate::simulation::run_data::change::{Placement, StructureChange};
use crate::simulation::run_data::view::View;
use crate::topology::TopologyCompiler;

/// Applies changes to a structure: releases and deletions first, then insertions, then attachments, each kind in the
/// given order. The view shows the scene before the changes; the compiler determines what is rigid without links.
pub(in crate::simulation) fn edit(
    view: &View<'_>,
    compiler: &TopologyCompiler,
    changes: &[StructureChange],
    structure: &mut Structure,
) -> Result<(), String> {
    let scene = view.scene;
    let rank = |change: &&StructureChange| match change {
        StructureChange::Release { .. } => 0,
        StructureChange::Delete { .. } => 1,
        StructureChange::Insert { .. } => 2,
        StructureChange::Attach { .. } => 3,
    };
    let mut ordered: Vec<&StructureChange> = changes.iter().collect();
    ordered.sort_by_key(rank);
    ordered.into_iter().try_for_each(|change| match change {
        StructureChange::Release { frame } => release(scene, *frame, structure),
        StructureChange::Delete { root } => delete(scene, *root, structure),
        StructureChange::Insert { root, placement } => insert(scene, *root, placement.as_ref(), structure),
        StructureChange::Attach { a, b, snap } => {
            require_attachable(scene, compiler, (*a, *b), structure)?;
            attach(view, (*a, *b), *snap, structure);
            Ok(())
        }
    })
}

fn path(scene: &Scene, id: ObjectId) -> &str {
    &scene.objects[id].path
}

fn require_present(scene: &Scene, id: ObjectId, structure: &Structure, what: &str) -> Result<(), String> {
    if structure.exists(id) {
        return Ok(());
    }
    Err(format!("cannot {what} `{}`: it does not exist at present; insert it first", path(scene, id)))
}

fn require_lockable(scene: &Scene, id: ObjectId) -> Result<(), String> {
    if scene.objects[id].structure.lockable {
        return Ok(());
    }
    Err(format!("`{}` is not a lockable frame; add `lockable = true` to it", path(scene, id)))
}

fn require_root(scene: &Scene, id: ObjectId) -> Result<(), String> {
    if scene.objects[id].structure.assembly_root {
        return Ok(());
    }
    Err(format!("`{}` is not the root of an assembly; add `assembly_root = true` to it", path(scene, id)))
}

fn release(scene: &Scene, frame: ObjectId, structure: &mut Structure) -> Result<(), String> {
    require_lockable(scene, frame)?;
    require_present(scene, frame, structure, "release")?;
    if structure.partner(frame).is_none() {
        return Err(format!("cannot release `{}`: it is not attached to anything", path(scene, frame)));
    }
    structure.links.retain(|link| link.partner(frame).is_none());
    Ok(())
}

fn delete(scene: &Scene, root: ObjectId, structure: &mut Structure) -> Result<(), String> {
    require_root(scene, root)?;
    require_present(scene, root, structure, "delete")?;
    for member in scene.assembly_members(root) {
        structure.absent[member.index()] = true;
    }
    let Structure { links, absent, .. } = structure;
    links.retain(|link| !absent[link.a.index()] && !absent[link.b.index()]);
    Ok(())
}

/// Refuses what is placed on, or hangs on, something that does not exist itself.
fn require_carrier(scene: &Scene, root: ObjectId, structure: &Structure) -> Result<(), String> {
    let inboard = || scene.joints.iter().filter(|(_, joint)| joint.to == root).map(|(_, joint)| joint.from);
    let members = scene.inserted_members(root);
    let absent = |id: &ObjectId| !structure.exists(*id) && !members.contains(id);
    let missing = match (scene.objects[root].parent, &scene.objects[root].attachment) {
        (Some(parent), Attachment::Fixed | Attachment::Free { .. }) => Some(parent).filter(absent),
        _ if inboard().all(|id| absent(&id)) => inboard().next(),
        _ => None,
    };
    let Some(carrier) = missing else { return Ok(()) };
    let [root, carrier] = [root, carrier].map(|id| path(scene, id));
    Err(format!("cannot insert `{root}`: `{carrier}`, which carries it, does not exist at present; insert that first"))
}

fn insert(
    scene: &Scene,
    root: ObjectId,
    placement: Option<&Placement>,
    structure: &mut Structure,
) -> Result<(), String> {
    require_root(scene, root)?;
    if structure.exists(root) {
        return Err(format!("cannot insert `{}`: it exists already; delete it first", path(scene, root)));
    }
    if let Some(Placement { at, .. }) = placement {
        if !matches!(scene.objects[root].attachment, Attachment::Free { .. }) {
            return Err(format!("cannot place `{}`: it does not move freely; make it `free`", path(scene, root)));
        }
        if !scene.exists(*at) {
            let [root, at] = [root, *at].map(|id| path(scene, id));
            return Err(format!("cannot insert `{root}` at `{at}`, which does not exist at present"));
        }
    }
    require_carrier(scene, root, structure)?;
    for member in scene.inserted_members(root) {
        structure.absent[member.index()] = false;
        structure.turned[member.index()] = false;
    }
    Ok(())
}

fn require_attachable(
    scene: &Scene,
    compiler: &TopologyCompiler,
    (a, b): (ObjectId, ObjectId),
    structure: &Structure,
) -> Result<(), String> {
    for frame in [a, b] {
        require_lockable(scene, frame)?;
        require_present(scene, frame, structure, "attach")?;
        if !scene.exists(frame) {
            return Err(format!("cannot attach `{}` in the moment of its insertion", path(scene, frame)));
        }
    }
    let names = [a, b].map(|id| path(scene, id));
    let refuse = |why: String| Err(format!("cannot attach `{}` to `{}`: {why}", names[0], names[1]));
    if a == b {
        return refuse("a frame cannot be attached to itself".to_owned());
    }
    if compiler.are_one_body(a, b) {
        return refuse("they are parts of one rigid body".to_owned());
    }
    if structure.links.iter().any(|link| link.partner(a) == Some(b)) {
        return refuse("they are attached to each other already".to_owned());
    }
    Ok(())
}

/// The same pose with a rotation matrix whose columns have the length one: a matrix that is wrong by little would be
/// more wrong whenever something is attached to what has been attached before.
fn orthonormal(pose: &Pose) -> Pose {
    Pose { rotation: Quaternion::from_matrix(&pose.rotation).to_matrix(), ..*pose }
}

fn attach(view: &View<'_>, (a, b): (ObjectId, ObjectId), snap: bool, structure: &mut Structure) {
    let pose = |id: ObjectId| {
        let motion = view.object_motion(id);
        Pose { rotation: motion.rotation, translation: motion.p }
    };
    let x_ba = if snap { Pose::identity() } else { orthonormal(&(pose(b).inverse() * pose(a))) };
    structure.links.push(Link { a, b, x_ba });
}
