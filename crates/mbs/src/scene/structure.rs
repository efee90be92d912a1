//! What is attached to what, and what exists: the part of a scene that changes while the simulation runs.
//!
//! Source: A. Neumayr & M. Otter, *Variable structure system modeling and simulation with built-in components*,
//! sections on segmented simulation and action commands of 3D assemblies. Here a structure is data: links between
//! lockable frames and a flag of existence for every object. Everything else (which free motion carries which group of
//! parts) follows from it when the topology is compiled, so that a structure can be stored, compared and restored,
//! whatever led to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Attachment, Force, ForceType, JointId, ObjectId, Quantity, Scene, SceneError, StructureQuantity};
use crate::math::{Pose, Quaternion};
use crate::spatial::BodyMotion;

/// A rigid connection of two lockable frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Frame that was attached.
    pub a: ObjectId,
    /// Frame that it was attached to.
    pub b: ObjectId,
    /// Pose `X_BA` of frame a in frame b while they are attached.
    pub x_ba: Pose,
}

impl Link {
    /// The frame at the other end, if `frame` is at one of them.
    #[must_use]
    pub fn partner(&self, frame: ObjectId) -> Option<ObjectId> {
        match frame {
            _ if self.a == frame => Some(self.b),
            _ if self.b == frame => Some(self.a),
            _ => None,
        }
    }
}

/// Position of a degree of freedom when its joint was last there, velocity and acceleration since: zero.
pub type LastCoordinate = [f64; 3];

/// Where an object was when it was last there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LastMotion {
    pub motion: BodyMotion,
    pub quaternion: Quaternion,
}

impl LastMotion {
    /// Where an object was when it was last there; what is absent does not move.
    pub fn resting(at: &BodyMotion, quaternion: Quaternion) -> Self {
        let motion = BodyMotion { rotation: at.rotation, p: at.p, ..BodyMotion::REST };
        Self { motion, quaternion }
    }
}

/// Links and existence of all objects of a scene at one time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Structure {
    /// Rigid connections in the order in which they were made.
    pub links: Vec<Link>,
    /// Whether an object is absent, by the object's index.
    pub(crate) absent: Vec<bool>,
    /// Motion of absent objects, by the object's index.
    pub(crate) last_motions: Vec<Option<Arc<LastMotion>>>,
    /// Coordinates of joints that are absent at present, by the joint's index.
    pub(crate) last_coordinates: Vec<Option<Arc<[LastCoordinate]>>>,
    /// Whether the quaternion of an object is shown with the opposite sign, by the object's index: continuity in time.
    pub(crate) turned: Vec<bool>,
    /// Number of changes so far.
    pub changes: u64,
    /// Energy \[J\] that attaching has taken so far, less what releasing has given back.
    pub dissipated: f64,
}

impl Structure {
    /// The structure that the declaration describes, with everything absent that is declared so.
    pub(crate) fn declared(scene: &Scene) -> Result<Self, Vec<SceneError>> {
        let errors = misplaced_roles(scene);
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            absent: Outward::new(scene).by(scene.assembly_roots().filter(|id| scene.objects[*id].structure.absent)),
            last_motions: vec![None; scene.objects.capacity()],
            last_coordinates: vec![None; scene.joints.capacity()],
            turned: vec![false; scene.objects.capacity()],
            ..Self::default()
        })
    }

    /// Whether an object exists.
    #[must_use]
    pub fn exists(&self, object: ObjectId) -> bool {
        !self.absent.get(object.index()).copied().unwrap_or(false)
    }

    /// The frame that a frame is attached to, the one attached last if there are several.
    #[must_use]
    pub fn partner(&self, frame: ObjectId) -> Option<ObjectId> {
        self.links.iter().rev().find_map(|link| link.partner(frame))
    }

    /// Whether nothing is attached and everything exists.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.links.is_empty() && !self.absent.contains(&true)
    }
}

/// Calls `differ` with every link that only one of two structures has. Links that have changed their order may be among
/// them; where the second structure follows from the first by taking links out and adding others behind, none is.
pub(crate) fn each_difference(old: &[Link], new: &[Link], mut differ: impl FnMut(&Link)) {
    let mut rest = new.iter().peekable();
    for link in old {
        if rest.next_if(|next| *next == link).is_none() {
            differ(link);
        }
    }
    rest.for_each(differ);
}

impl Scene {
    /// Whether an object exists at present.
    #[must_use]
    pub fn exists(&self, object: ObjectId) -> bool {
        self.structure.exists(object)
    }

    /// Whether a joint exists at present: both its objects do.
    #[must_use]
    pub fn joint_exists(&self, joint: JointId) -> bool {
        let joint = &self.joints[joint];
        self.exists(joint.from) && self.exists(joint.to)
    }

    /// Whether a force element exists at present: all objects that it names do.
    #[must_use]
    pub fn force_exists(&self, force: &Force) -> bool {
        match &force.kind {
            ForceType::World { at, resolved_in, .. } => self.exists(*at) && self.exists(*resolved_in),
            ForceType::Line { from, to, .. } | ForceType::Bushing { from, to, .. } => {
                self.exists(*from) && self.exists(*to)
            }
        }
    }

    /// Whether anything of the model may change its structure during a run.
    #[must_use]
    pub fn has_variable_structure(&self) -> bool {
        self.objects.iter().any(|(_, object)| !object.structure.is_default())
    }

    /// Value of a variable that shows the structure; truth as 1 or 0.
    #[must_use]
    pub fn structure_value(&self, quantity: &StructureQuantity) -> f64 {
        let structure = &self.structure;
        let truth = |x: bool| f64::from(u8::from(x));
        match *quantity {
            StructureQuantity::Segment => (1 + structure.changes) as f64,
            StructureQuantity::Exists(id) => truth(structure.exists(id)),
            StructureQuantity::Attached(id) => truth(structure.partner(id).is_some()),
            StructureQuantity::AttachedTo(id) => {
                let partner = structure.partner(id);
                let place = partner.and_then(|partner| self.lockable_frames().position(|frame| frame == partner));
                place.map_or(0.0, |place| (place + 1) as f64)
            }
            StructureQuantity::Dissipated => structure.dissipated,
        }
    }

    /// Whether a quantity is a motion of something that does not exist at present. Its value is the last one.
    #[must_use]
    pub fn is_absent(&self, quantity: &Quantity) -> bool {
        match *quantity {
            Quantity::Coordinate { joint, .. } => !self.joint_exists(joint),
            Quantity::Motion { frame, relative_to, resolved_in, .. } => {
                ![frame, relative_to, resolved_in].iter().all(|&id| self.exists(id))
            }
            _ => false,
        }
    }

    /// Roots of assemblies in the order of declaration.
    pub fn assembly_roots(&self) -> impl Iterator<Item = ObjectId> {
        self.objects.iter().filter(|(_, object)| object.structure.assembly_root).map(|(id, _)| id)
    }

    /// Whether an object belongs to an assembly that may be attached, released, deleted or inserted, by the object's
    /// index.
    #[must_use]
    pub fn changing_objects(&self) -> Vec<bool> {
        Outward::new(self).by(self.assembly_roots())
    }

    /// Lockable frames in the order of declaration.
    pub fn lockable_frames(&self) -> impl Iterator<Item = ObjectId> {
        self.objects.iter().filter(|(_, object)| object.structure.lockable).map(|(id, _)| id)
    }

    /// Lockable frames and roots of assemblies: what Strings may name, by their number from 1 in this order.
    pub fn nameable(&self) -> impl Iterator<Item = ObjectId> {
        let is_nameable = |object: &super::Object3D| object.structure.lockable || object.structure.assembly_root;
        self.objects.iter().filter(move |(_, object)| is_nameable(object)).map(|(id, _)| id)
    }

    /// Number of what a String names, 0 for an empty one; none for what it cannot name.
    #[must_use]
    pub fn number_of_name(&self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return Some(0);
        }
        self.nameable().position(|id| self.objects[id].path == name).map(|k| k + 1)
    }

    /// Members of an assembly: its root, everything placed on a member, and everything that joints carry outwards from
    /// a member. Ascending by index; the world is never one of them.
    #[must_use]
    pub fn assembly_members(&self, root: ObjectId) -> Vec<ObjectId> {
        self.listed(&Outward::new(self).by([root]))
    }

    /// What an insertion of an assembly brings: the members that exist at the start where their root does. Assemblies
    /// within that are declared absent stay away until they are inserted themselves. Ascending by index.
    #[must_use]
    pub fn inserted_members(&self, root: ObjectId) -> Vec<ObjectId> {
        let carried = Outward::new(self);
        let mut members = carried.by([root]);
        let is_within = |id: &ObjectId| *id != root && self.objects[*id].structure.absent && members[id.index()];
        let within: Vec<ObjectId> = self.assembly_roots().filter(is_within).collect();
        // Where joints carry in a circle, the root is a member of what it carries.
        let absent = within.into_iter().map(|id| carried.by([id])).filter(|absent| !absent[root.index()]);
        for left_out in absent.collect::<Vec<_>>() {
            members.iter_mut().zip(left_out).for_each(|(member, left_out)| *member &= !left_out);
        }
        self.listed(&members)
    }

    /// Objects that are marked, by index.
    fn listed(&self, marks: &[bool]) -> Vec<ObjectId> {
        marks.iter().enumerate().filter(|(_, mark)| **mark).filter_map(|(k, _)| self.objects.id_at(k)).collect()
    }
}

/// What objects carry directly: what is placed on them and what their joints hold outwards.
struct Outward {
    /// Where the list of an object begins, by its index; its end is the beginning of the next one.
    begins: Vec<usize>,
    carried: Vec<ObjectId>,
    world: ObjectId,
}

impl Outward {
    fn new(scene: &Scene) -> Self {
        let placed = scene.objects.iter().filter_map(|(id, object)| object.parent.map(|parent| (parent, id)));
        let hung = scene.joints.iter().map(|(_, joint)| (joint.from, joint.to));
        let pairs: Vec<(ObjectId, ObjectId)> = placed.chain(hung).collect();
        let mut begins = vec![0; scene.objects.capacity() + 1];
        for (carrier, _) in &pairs {
            begins[carrier.index() + 1] += 1;
        }
        for k in 1..begins.len() {
            begins[k] += begins[k - 1];
        }
        let (world, mut next) = (scene.world(), begins.clone());
        let mut carried = vec![world; pairs.len()];
        for (carrier, id) in pairs {
            let at = &mut next[carrier.index()];
            carried[*at] = id;
            *at += 1;
        }
        Self { begins, carried, world }
    }

    /// Whether an object is one of `roots` or carried by one, over whatever else, by its index; the world never is.
    fn by(&self, roots: impl IntoIterator<Item = ObjectId>) -> Vec<bool> {
        let mut marks = vec![false; self.begins.len() - 1];
        marks[self.world.index()] = true;
        let mut next: Vec<ObjectId> = roots.into_iter().collect();
        while let Some(at) = next.pop() {
            if !std::mem::replace(&mut marks[at.index()], true) {
                next.extend_from_slice(&self.carried[self.begins[at.index()]..self.begins[at.index() + 1]]);
            }
        }
        marks[self.world.index()] = false;
        marks
    }
}

/// Roles in a change of structure that do not fit how the object is held.
fn misplaced_roles(scene: &Scene) -> Vec<SceneError> {
    let mut errors = Vec::new();
    let driven: BTreeSet<usize> = scene.joints.iter().map(|(_, joint)| joint.to.index()).collect();
    for (id, object) in scene.objects.iter() {
        let role = object.structure;
        let complain =
            |message: String, hint: &str| SceneError::new(object.location, message).with_hint(Some(hint.to_owned()));
        if role.absent && !role.assembly_root {
            let message = format!("object `{}` is absent at the start but no assembly root", object.path);
            errors.push(complain(message, "add `assembly_root = true`"));
        }
        let is_held = object.attachment == Attachment::Fixed && !driven.contains(&id.index());
        if role.assembly_root && is_held && !role.absent {
            let message = format!("the assembly root `{}` is rigidly placed and could never be released", object.path);
            errors.push(complain(message, "make it `free` and attach it at the start, or move it by a joint"));
        }
    }
    errors
}
