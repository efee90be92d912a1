//! Super-objects: everything rigidly connected, with merged mass properties.

use super::TopologyError;
use super::revision::{Revision, RevisionCounter};
use super::skeleton::{LinkCause, Rigid, Skeleton};
use crate::linalg::renew;
use crate::math::Pose;
use crate::scene::{Link, ObjectId, Scene, each_difference};

/// Links and absent objects of the structure that was grouped last.
#[derive(Debug, Clone)]
struct GroupedStructure {
    links: Vec<Link>,
    absent: Vec<bool>,
}

/// The super-object of every object, and the object's pose in its first member's frame.
///
/// A super-object is named by the index of its first member; so a change of structure leaves the others as they are.
#[derive(Debug, Clone, Default)]
pub(super) struct SuperObjects {
    /// Super-object of each object, by the object's index; the world's is 0, that of absent objects [`NONE`].
    pub of: Vec<usize>,
    /// Pose of each object in the frame of its super-object's first member.
    pub pose: Vec<Pose>,
    /// Members of every super-object in the order in which they were reached, by the index of the first one.
    members: Vec<Vec<ObjectId>>,
    /// When each super-object was gathered, by the index of its first member.
    gathered: Vec<Revision>,
    /// Revision of the pose of each object in its super-object, by the object's index.
    placed: Vec<Revision>,
    /// Links of every object: the first of its chain in `links`.
    chains: Vec<Option<usize>>,
    /// Ends of links, and the next one at the same object.
    links: Vec<(Rigid, Option<usize>)>,
    /// Links and absent objects of the structure that this is for; none before the first one and after errors.
    grouped: Option<GroupedStructure>,
    /// Objects that are to be gathered, with the super-objects and poses they had.
    dissolved: Vec<(ObjectId, usize, Pose)>,
    revisions: RevisionCounter,
}

/// The super-object of absent objects.
pub(super) const NONE: usize = usize::MAX;

/// Largest disagreement of two rigid connections of the same parts \[rad, or relative to the scale of length\]: 1 µrad,
/// 1 µm.
const CLOSURE_TOLERANCE: f64 = 1e-6;

impl SuperObjects {
    /// Number of objects that may be first members.
    pub fn capacity(&self) -> usize {
        self.of.len()
    }

    /// All super-objects, the world's first, in the order of their first members.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.of.iter().enumerate().filter(|(first, group)| *first == **group).map(|(first, _)| first)
    }

    /// Members of a super-object in the order in which they were reached.
    pub fn members(&self, group: usize) -> &[ObjectId] {
        &self.members[group]
    }

    /// When a super-object was gathered: as long as this stays, so do its members and their poses.
    pub fn gathered(&self, group: usize) -> Revision {
        self.gathered[group]
    }

    /// Revision of the pose of an object in its super-object, by its index.
    pub fn placed(&self, object: usize) -> Revision {
        self.placed[object]
    }

    /// Groups objects that are rigidly connected by placement, by fixed joints or by links. Only the super-objects that
    /// changed since the last call are visited.
    ///
    /// # Errors
    /// Parts that are rigidly connected twice in contradictory ways.
    pub fn group(&mut self, scene: &Scene, skeleton: &Skeleton) -> Result<(), TopologyError> {
        match self.grouped.take() {
            Some(known) => self.dissolve_changed(scene, skeleton, known),
            None => self.dissolve_all(scene),
        }
        self.chain_links(scene);
        let dissolved = std::mem::take(&mut self.dissolved);
        for (first, ..) in &dissolved {
            if scene.exists(*first) && self.of[first.index()] == NONE {
                self.gather(scene, skeleton, *first).inspect_err(|_| self.grouped = None)?;
            }
        }
        for (id, group, pose) in &dissolved {
            let k = id.index();
            if (self.of[k], self.pose[k]) != (*group, *pose) {
                self.placed[k] = self.revisions.next();
            }
        }
        self.dissolved = dissolved;
        Ok(())
    }

    /// Dissolves everything, into the order of declaration.
    fn dissolve_all(&mut self, scene: &Scene) {
        let n = scene.objects.capacity();
        renew(&mut self.of, n, NONE);
        renew(&mut self.pose, n, Pose::identity());
        self.members.resize_with(n, Vec::new);
        self.members.iter_mut().for_each(Vec::clear);
        renew(&mut self.gathered, n, Revision::default());
        self.placed.clear();
        self.placed.extend((0..n).map(|_| self.revisions.next()));
        self.dissolved.clear();
        self.dissolved.extend(scene.objects.iter().map(|(id, _)| (id, NONE, Pose::identity())));
        let structure = &scene.structure;
        self.grouped = Some(GroupedStructure { links: structure.links.clone(), absent: structure.absent.clone() });
    }

    /// Dissolves the super-objects that another structure than the known one changes, into the order of declaration.
    fn dissolve_changed(&mut self, scene: &Scene, skeleton: &Skeleton, known: GroupedStructure) {
        let GroupedStructure { mut links, mut absent } = known;
        self.dissolved.clear();
        let structure = &scene.structure;
        each_difference(&links, &structure.links, |link| {
            self.dissolve(link.a);
            self.dissolve(link.b);
        });
        for k in (0..absent.len()).filter(|k| absent[*k] != structure.absent[*k]) {
            let Some(id) = scene.objects.id_at(k) else { continue };
            self.dissolve(id);
            skeleton.rigid(id).iter().for_each(|rigid| self.dissolve(rigid.to));
        }
        self.dissolved.sort_by_key(|(id, ..)| id.index());
        self.dissolved.dedup_by_key(|(id, ..)| id.index());
        links.clone_from(&structure.links);
        absent.clone_from(&structure.absent);
        self.grouped = Some(GroupedStructure { links, absent });
    }

    /// Dissolves the super-object of an object.
    fn dissolve(&mut self, object: ObjectId) {
        let group = self.of[object.index()];
        if group == NONE {
            self.dissolved.push((object, NONE, Pose::identity()));
            return;
        }
        let mut members = std::mem::take(&mut self.members[group]);
        for id in members.drain(..) {
            let k = id.index();
            self.of[k] = NONE;
            self.dissolved.push((id, group, std::mem::take(&mut self.pose[k])));
        }
        self.members[group] = members;
    }

    /// Lists the links of every object in the order in which they were made.
    fn chain_links(&mut self, scene: &Scene) {
        renew(&mut self.chains, scene.objects.capacity(), None);
        self.links.clear();
        for link in scene.structure.links.iter().rev() {
            let by = LinkCause::Link(link.a);
            for (at, to, x) in [(link.b, link.a, link.x_ba), (link.a, link.b, link.x_ba.inverse())] {
                let next = self.chains[at.index()].replace(self.links.len());
                self.links.push((Rigid { to, x, by }, next));
            }
        }
    }

    /// Adds the super-object of an object, breadth first.
    fn gather(&mut self, scene: &Scene, skeleton: &Skeleton, first: ObjectId) -> Result<(), TopologyError> {
        let group = first.index();
        self.gathered[group] = self.revisions.next();
        self.of[group] = group;
        self.members[group].push(first);
        let mut next = 0;
        while let Some(&at) = self.members[group].get(next) {
            next += 1;
            for rigid in skeleton.rigid(at).iter().filter(|rigid| scene.exists(rigid.to)) {
                self.reach(scene, at, rigid, group)?;
            }
            let mut link = self.chains[at.index()];
            while let Some((rigid, following)) = link.map(|k| self.links[k]) {
                self.reach(scene, at, &rigid, group)?;
                link = following;
            }
        }
        Ok(())
    }

    fn reach(&mut self, scene: &Scene, at: ObjectId, rigid: &Rigid, group: usize) -> Result<(), TopologyError> {
        let k = rigid.to.index();
        let pose = self.pose[at.index()] * rigid.x;
        if self.of[k] == NONE {
            self.of[k] = group;
            self.pose[k] = pose;
            self.members[group].push(rigid.to);
            return Ok(());
        }
        let (gap, angle) = pose.distance(&self.pose[k]);
        if gap <= CLOSURE_TOLERANCE * scene.scales.length && angle <= CLOSURE_TOLERANCE {
            return Ok(());
        }
        let object = &scene.objects[rigid.to];
        Err(TopologyError {
            location: object.location,
            message: format!(
                "`{}` is rigidly connected twice and the connections disagree by {gap:.3e} m and {angle:.3e} rad (seen at `{}`); \
                 remove one of them or make them agree",
                object.path,
                rigid.by.path(scene)
            ),
        })
    }
}
