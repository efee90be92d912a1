//! Which assemblies move freely and which are carried by others.

use super::skeleton::Skeleton;
use super::super_objects::SuperObjects;
use crate::scene::{ObjectId, Scene};

/// Assemblies that are connected with their parent in another way than by their free motion.
#[derive(Debug, Clone, Default)]
pub(super) struct Carried {
    /// By the object's index; empty when there are no links.
    is_carried: Vec<bool>,
    sets: Vec<usize>,
}

impl Carried {
    /// Whether the six degrees of freedom of a free assembly root are gone at present.
    pub fn contains(&self, object: ObjectId) -> bool {
        self.is_carried.get(object.index()) == Some(&true)
    }

    /// Finds free assembly roots that are connected with their parent in another way.
    ///
    /// A link between two free assemblies leaves one free motion, that of the root declared first. The result depends
    /// on the present links and the order of declaration only, not on history.
    pub fn find(&mut self, scene: &Scene, skeleton: &Skeleton, groups: &SuperObjects) {
        self.is_carried.clear();
        if scene.structure.links.is_empty() {
            return;
        }
        self.is_carried.resize(scene.objects.capacity(), false);
        self.sets.clear();
        self.sets.extend(0..groups.capacity());
        for (_, joint) in scene.joints.iter().filter(|(id, _)| scene.joint_exists(*id)) {
            self.join(groups.of[joint.from.index()], groups.of[joint.to.index()]);
        }
        for roots in [false, true] {
            let free = skeleton.free.iter().filter(|free| free.is_root == roots && scene.exists(free.object));
            for free in free {
                let is_new = self.join(groups.of[free.object.index()], groups.of[free.parent.index()]);
                self.is_carried[free.object.index()] = roots && !is_new;
            }
        }
    }

    fn root_of(&mut self, mut x: usize) -> usize {
        while self.sets[x] != x {
            self.sets[x] = self.sets[self.sets[x]];
            x = self.sets[x];
        }
        x
    }

    /// Unites the sets of two super-objects; false when they were in one set before.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root_of(a), self.root_of(b));
        self.sets[a.max(b)] = a.min(b);
        a != b
    }
}
