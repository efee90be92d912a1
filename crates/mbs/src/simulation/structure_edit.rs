//! What changes of structure mean for links and existence, and when they do not fit.

use super::structure_change::StructureChange;
use super::view::View;
use crate::math::Pose;
use crate::scene::{Attachment, Link, ObjectId, Scene, Structure};

/// Applies changes to a structure: releases and deletions first, then insertions, then attachments, each kind in the
/// given order. The view shows the scene as it is before.
pub(super) fn edit(view: &View<'_>, changes: &[StructureChange], structure: &mut Structure) -> Result<(), String> {
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
        StructureChange::Insert { root, placement } => insert(scene, *root, placement.is_some(), structure),
        StructureChange::Attach { a, b, snap } => attach(view, (*a, *b), *snap, structure),
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

fn insert(scene: &Scene, root: ObjectId, is_placed: bool, structure: &mut Structure) -> Result<(), String> {
    require_root(scene, root)?;
    if structure.exists(root) {
        return Err(format!("cannot insert `{}`: it exists already; delete it first", path(scene, root)));
    }
    if is_placed && !matches!(scene.objects[root].attachment, Attachment::Free { .. }) {
        return Err(format!("cannot place `{}`: it does not move freely; make it `free`", path(scene, root)));
    }
    for member in scene.assembly_members(root) {
        structure.absent[member.index()] = false;
        structure.turned[member.index()] = false;
    }
    Ok(())
}

fn attach(view: &View<'_>, (a, b): (ObjectId, ObjectId), snap: bool, structure: &mut Structure) -> Result<(), String> {
    let scene = view.scene;
    for frame in [a, b] {
        require_lockable(scene, frame)?;
        require_present(scene, frame, structure, "attach")?;
        if !scene.exists(frame) {
            return Err(format!("cannot attach `{}` in the moment of its insertion", path(scene, frame)));
        }
    }
    if let Some(link) = structure.links.iter().find(|link| link.a == a || (link.a, link.b) == (b, a)) {
        let partner = link.partner(a).unwrap_or(link.b);
        return Err(format!(
            "cannot attach `{}` to `{}`: it is attached to `{}`; release it first",
            path(scene, a),
            path(scene, b),
            path(scene, partner)
        ));
    }
    let pose = |id: ObjectId| {
        let motion = view.object_motion(id);
        Pose { rotation: motion.rotation, translation: motion.p }
    };
    let x_ba = if snap { Pose::identity() } else { pose(b).inverse() * pose(a) };
    structure.links.push(Link { a, b, x_ba });
    Ok(())
}
