//! Super-objects: everything rigidly connected, with merged mass properties.

use super::TopologyError;
use super::skeleton::{Cause, Rigid, Skeleton};
use crate::math::Pose;
use crate::scene::{ObjectId, Scene};

/// The super-object of every object, and the object's pose in its first member's frame.
#[derive(Debug, Clone, Default)]
pub(super) struct SuperObjects {
    /// Super-object of each object, by the object's index; the world's is 0, that of absent objects `usize::MAX`.
    pub of: Vec<usize>,
    /// Pose of each object in the frame of its super-object's first member.
    pub pose: Vec<Pose>,
    /// All present objects, super-object by super-object, each in the order in which they were reached.
    order: Vec<ObjectId>,
    /// First place in `order` of every super-object.
    first: Vec<usize>,
    /// Links of every object: the first of its chain in `links`.
    chains: Vec<Option<usize>>,
    /// Ends of links, and the next one at the same object.
    links: Vec<(Rigid, Option<usize>)>,
}

/// Largest disagreement of two rigid connections of the same parts: 1 µm, 1 µrad.
const CLOSURE_TOLERANCE: f64 = 1e-6;

impl SuperObjects {
    /// Number of super-objects.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Members of a super-object in the order in which they were reached.
    pub fn members(&self, group: usize) -> &[ObjectId] {
        let end = self.first.get(group + 1).copied().unwrap_or(self.order.len());
        &self.order[self.first[group]..end]
    }

    /// Groups objects that are rigidly connected by placement, by fixed joints or by links.
    ///
    /// # Errors
    /// Parts that are rigidly connected twice in contradictory ways.
    pub fn group(&mut self, scene: &Scene, skeleton: &Skeleton) -> Result<(), TopologyError> {
        let n = scene.objects.capacity();
        self.of.clear();
        self.of.resize(n, usize::MAX);
        self.pose.clear();
        self.pose.resize(n, Pose::identity());
        self.order.clear();
        self.first.clear();
        self.chain_links(scene);
        for (first, _) in scene.objects.iter() {
            if scene.exists(first) && self.of[first.index()] == usize::MAX {
                self.gather(scene, skeleton, first)?;
            }
        }
        Ok(())
    }

    /// Lists the links of every object in the order in which they were made.
    fn chain_links(&mut self, scene: &Scene) {
        self.chains.clear();
        self.chains.resize(scene.objects.capacity(), None);
        self.links.clear();
        for link in scene.structure.links.iter().rev() {
            let by = Cause::Link(link.a);
            for (at, to, x) in [(link.b, link.a, link.x_ba), (link.a, link.b, link.x_ba.inverse())] {
                let next = self.chains[at.index()].replace(self.links.len());
                self.links.push((Rigid { to, x, by }, next));
            }
        }
    }

    /// Adds the super-object of an object, breadth first.
    fn gather(&mut self, scene: &Scene, skeleton: &Skeleton, first: ObjectId) -> Result<(), TopologyError> {
        let group = self.first.len();
        let mut next = self.order.len();
        self.first.push(next);
        self.of[first.index()] = group;
        self.order.push(first);
        while let Some(&at) = self.order.get(next) {
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
        if self.of[k] == usize::MAX {
            self.of[k] = group;
            self.pose[k] = pose;
            self.order.push(rigid.to);
            return Ok(());
        }
        let (gap, angle) = pose.distance(&self.pose[k]);
        if gap <= CLOSURE_TOLERANCE && angle <= CLOSURE_TOLERANCE {
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
