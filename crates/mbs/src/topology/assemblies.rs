//! Which assemblies move freely and which are carried by what they are attached to.

use super::super_objects::SuperObjects;
use crate::scene::{Attachment, Scene};

/// Free assembly roots, by the object's index, that are connected with their parent in another way at present, so that
/// their own six degrees of freedom are gone.
///
/// A link between two free assemblies leaves one free motion, that of the root declared first. The answer depends on
/// the present links and the order of declaration only, not on what happened before.
pub(super) fn carried(scene: &Scene, groups: &SuperObjects) -> Vec<bool> {
    let mut carried = vec![false; scene.objects.capacity()];
    if scene.structure.links.is_empty() {
        return carried;
    }
    let mut sets = Sets::new(groups.members.len());
    for (_, joint) in scene.joints.iter().filter(|(id, _)| scene.joint_exists(*id)) {
        sets.join(groups.of[joint.from.index()], groups.of[joint.to.index()]);
    }
    let free = || {
        let free = scene.objects.iter().filter(|(id, _)| scene.exists(*id));
        free.filter_map(|(id, object)| match (&object.attachment, object.parent) {
            (Attachment::Free { .. }, Some(parent)) => Some((id, parent, object.structure.assembly_root)),
            _ => None,
        })
    };
    for (id, parent, _) in free().filter(|(.., is_root)| !is_root) {
        sets.join(groups.of[id.index()], groups.of[parent.index()]);
    }
    for (id, parent, _) in free().filter(|(.., is_root)| *is_root) {
        carried[id.index()] = !sets.join(groups.of[id.index()], groups.of[parent.index()]);
    }
    carried
}

/// Disjoint sets of super-objects.
struct Sets(Vec<usize>);

impl Sets {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn find(&mut self, mut x: usize) -> usize {
        while self.0[x] != x {
            self.0[x] = self.0[self.0[x]];
            x = self.0[x];
        }
        x
    }

    /// Unites the sets of two members; false when they were in one set before.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
        a != b
    }
}
