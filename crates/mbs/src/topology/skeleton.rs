//! Connections of a scene that no change of structure touches, arranged for compiling one segment after the other.

use crate::math::Pose;
use crate::scene::{Attachment, JointId, ObjectId, Scene};

/// What makes a connection rigid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LinkCause {
    /// The placement of an object.
    Placement(ObjectId),
    /// A fixed joint.
    Joint(JointId),
    /// Attached frames; the one that was attached.
    Link(ObjectId),
}

impl LinkCause {
    /// Path for messages.
    pub fn path(self, scene: &Scene) -> &str {
        match self {
            Self::Placement(id) | Self::Link(id) => &scene.objects[id].path,
            Self::Joint(id) => &scene.joints[id].path,
        }
    }
}

/// A rigid connection seen from one end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rigid {
    /// The object at the other end.
    pub to: ObjectId,
    /// Its pose in this one's frame.
    pub x: Pose,
    /// What makes it rigid.
    pub by: LinkCause,
}

/// An object that is free on its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FreeObject {
    /// The object.
    pub object: ObjectId,
    /// Its parent.
    pub parent: ObjectId,
    /// Whether it is the root of an assembly.
    pub is_root: bool,
}

/// Connections of all objects, present or not.
#[derive(Debug, Clone, Default)]
pub(super) struct Skeleton {
    /// Rigid connections of all objects, those of one after those of the one before.
    rigid: Vec<Rigid>,
    /// First rigid connection of every object, and their number at the end.
    first: Vec<usize>,
    /// Free objects in the order of declaration.
    pub free: Vec<FreeObject>,
    /// Joints that move, in the order of declaration.
    pub movable: Vec<JointId>,
    /// Whether an object belongs to an assembly, or is not rigid in the world without links, by the object's index.
    pub changing: Vec<bool>,
    /// The first object that an object is rigidly connected with without links, by the object's index.
    first_of_body: Vec<usize>,
}

impl Skeleton {
    /// Reads the connections of a scene.
    pub fn new(scene: &Scene) -> Self {
        let mut at: Vec<Vec<Rigid>> = vec![Vec::new(); scene.objects.capacity()];
        let mut connect = |a: ObjectId, b: ObjectId, x_ab: Pose, by: LinkCause| {
            at[a.index()].push(Rigid { to: b, x: x_ab, by });
            at[b.index()].push(Rigid { to: a, x: x_ab.inverse(), by });
        };
        for (id, object) in scene.objects.iter() {
            if let (Attachment::Fixed, Some(parent)) = (&object.attachment, object.parent) {
                connect(parent, id, object.x_pc, LinkCause::Placement(id));
            }
        }
        let mut movable = Vec::new();
        for (id, joint) in scene.joints.iter() {
            if scene.is_rigid(id) {
                connect(joint.from, joint.to, Pose::identity(), LinkCause::Joint(id));
            } else {
                movable.push(id);
            }
        }
        let changing = scene.changing_objects();
        let mut skeleton = Self { movable, changing, free: free_objects(scene), ..Self::default() };
        skeleton.rigid.reserve_exact(at.iter().map(Vec::len).sum());
        skeleton.first.reserve_exact(at.len() + 1);
        for list in at {
            skeleton.first.push(skeleton.rigid.len());
            skeleton.rigid.extend(list);
        }
        skeleton.first.push(skeleton.rigid.len());
        skeleton.find_bodies(scene);
        let world = scene.world().index();
        for (changing, body) in skeleton.changing.iter_mut().zip(&skeleton.first_of_body) {
            *changing |= *body != world;
        }
        skeleton
    }

    /// Finds objects that are rigidly connected without links.
    fn find_bodies(&mut self, scene: &Scene) {
        let mut of = vec![usize::MAX; scene.objects.capacity()];
        for (first, _) in scene.objects.iter() {
            let mut next = vec![first];
            while let Some(at) = next.pop() {
                if of[at.index()] == usize::MAX {
                    of[at.index()] = first.index();
                    next.extend(self.rigid(at).iter().map(|rigid| rigid.to));
                }
            }
        }
        self.first_of_body = of;
    }

    /// Whether two objects are parts of one rigid body, whatever is attached to what.
    pub fn are_one_body(&self, a: ObjectId, b: ObjectId) -> bool {
        self.first_of_body[a.index()] == self.first_of_body[b.index()]
    }

    /// Rigid connections of an object.
    pub fn rigid(&self, object: ObjectId) -> &[Rigid] {
        let k = object.index();
        &self.rigid[self.first[k]..self.first[k + 1]]
    }
}

fn free_objects(scene: &Scene) -> Vec<FreeObject> {
    let free = scene.objects.iter().filter_map(|(id, object)| match (&object.attachment, object.parent) {
        (Attachment::Free { .. }, Some(parent)) => {
            Some(FreeObject { object: id, parent, is_root: object.structure.assembly_root })
        }
        _ => None,
    });
    free.collect()
}
