//! From the edges of the forest to nodes: every joint becomes one mobilizer or a short chain of them.

use super::revision::{Cached, NodeOrigin, Revision, RevisionCounter};
use super::super_objects::SuperObjects;
use super::tree_edge::{TreeEdge, TreeJoint};
use super::{BodyInertia, Closure, Coordinate, DrivenBall, DrivenLaw, Mobilizer, Node, Topology, TopologyError};
use crate::force::DofLaw;
use crate::linalg::renew;
use crate::math::{Pose, Vec3};
use crate::scene::{Joint, JointId, JointType, ObjectId, PrescribedMotion, Scene};
use crate::spatial::{AxisMotion, Frame, NodeOrdinal, WORLD};

/// Whether the laws of a spherical or free joint are the same in every frame: damping of rotations that is equal about
/// all axes, and nothing else.
fn is_the_same_from_both_sides(laws: &[&DofLaw]) -> bool {
    let damped = DofLaw { damping: laws.first().map_or(0.0, |law| law.damping), ..DofLaw::default() };
    let (rotations, translations) = laws.split_at(laws.len().min(3));
    rotations.iter().all(|law| **law == damped) && translations.iter().all(|law| **law == DofLaw::default())
}

/// Which nodes carry the super-objects.
#[derive(Debug, Clone, Default)]
pub(super) struct Carriers {
    /// Node of each super-object.
    node: Vec<NodeOrdinal>,
    /// Pose of the super-object's first member in the node's body frame.
    pose: Vec<Pose>,
    /// What this pose was made from; zero for the world.
    frame: Vec<Revision>,
    /// Number of leaves cut from each super-object.
    pub num_leaves: Vec<usize>,
    /// Leaves: super-object, node, pose of the super-object's first member in it.
    pub leaves: Vec<(usize, NodeOrdinal, Pose)>,
    /// What was made from free objects and from joints, by their index.
    of_objects: Vec<Crossing>,
    of_joints: Vec<Crossing>,
    revisions: RevisionCounter,
}

/// What a connection gives when the forest crosses it.
#[derive(Debug, Clone, Default)]
struct Crossing {
    /// Its nodes, from: reversed, the frame of the inboard super-object, the place of the inboard object there.
    nodes: Cached<(bool, Revision, Revision)>,
    /// The frame of the outboard super-object, from: reversed, the place of the outboard object there.
    frame: Cached<(bool, Revision)>,
}

impl Carriers {
    fn reset(&mut self, scene: &Scene) {
        let n = scene.objects.capacity();
        renew(&mut self.node, n, WORLD);
        self.pose.resize(n, Pose::identity());
        self.frame.resize(n, 0);
        renew(&mut self.num_leaves, n, 0);
        self.leaves.clear();
        self.of_objects.resize_with(n, Crossing::default);
        self.of_joints.resize_with(scene.joints.capacity(), Crossing::default);
    }

    /// Node of a super-object, and the pose of the super-object's first member in its body frame.
    pub fn of(&self, group: usize) -> (NodeOrdinal, Pose) {
        (self.node[group], self.pose[group])
    }

    /// Node of a super-object, and what its frame was made from.
    pub fn made(&self, group: usize) -> (NodeOrdinal, Revision) {
        (self.node[group], self.frame[group])
    }
}

/// Number of old nodes among which a match is searched, and largest number of slots for new ones.
const NEAR: usize = 8;

/// Writes nodes over those of a topology that is no longer needed; nodes that would be equal are kept.
pub(super) struct NodeBuilder<'a> {
    scene: &'a Scene,
    groups: &'a SuperObjects,
    topology: &'a mut Topology,
    carriers: &'a mut Carriers,
    num_nodes: usize,
    kind_counts: [usize; 4],
    /// Old nodes that have been moved to make place.
    num_inserted: usize,
    /// Sources of the following nodes, and the first of these.
    made: Revision,
    first: NodeOrdinal,
}

impl<'a> NodeBuilder<'a> {
    /// Starts with the world.
    pub fn new(
        scene: &'a Scene,
        groups: &'a SuperObjects,
        carriers: &'a mut Carriers,
        topology: &'a mut Topology,
    ) -> Self {
        (topology.num_q, topology.num_v) = (0, 0);
        topology.closures.clear();
        topology.laws.clear();
        topology.motions.clear();
        topology.driven_laws.clear();
        topology.locked.clear();
        topology.resting_laws.clear();
        topology.joints.resize_with(scene.joints.capacity(), Default::default);
        for joint in &mut topology.joints {
            (joint.nodes, joint.reversed) = (None, false);
            joint.coordinates.clear();
        }
        renew(&mut topology.free_objects, scene.objects.capacity(), None);
        carriers.reset(scene);
        let (num_nodes, num_inserted, kind_counts) = (0, 0, [0; 4]);
        let mut builder =
            Self { scene, groups, topology, carriers, num_nodes, kind_counts, num_inserted, made: 0, first: WORLD };
        builder.push("world", WORLD, Pose::identity(), Mobilizer::World, None);
        builder.topology.nodes[WORLD].has_children = false;
        builder.kind_counts = [0; 4];
        builder
    }

    /// Ends with the last node written.
    pub fn finish(self) {
        self.topology.nodes.truncate(self.num_nodes);
        self.topology.origins.nodes.truncate(self.num_nodes);
    }

    /// Adds the nodes of an edge; the last one carries the outboard super-object.
    pub fn add_edge(&mut self, edge: &TreeEdge) -> Result<(), TopologyError> {
        let (inboard, outboard) = self.ends(edge);
        let [at_inboard, at_outboard] = [inboard, outboard].map(|id| self.groups.placed(id.index()));
        let Carriers { frame: frames, of_objects, of_joints, revisions, .. } = &mut *self.carriers;
        let crossing = match edge.connection {
            TreeJoint::FreeObject(id) => &mut of_objects[id.index()],
            TreeJoint::Joint(id) => &mut of_joints[id.index()],
        };
        let made = crossing.nodes.from((edge.reversed, frames[edge.inboard], at_inboard), revisions);
        let frame = crossing.frame.from((edge.reversed, at_outboard), revisions);
        self.begin(made);
        self.carriers.node[edge.outboard] = self.cross(edge, inboard)?;
        if std::mem::replace(&mut self.carriers.frame[edge.outboard], frame) != frame {
            self.carriers.pose[edge.outboard] = self.groups.pose[outboard.index()].inverse();
        }
        Ok(())
    }

    /// Begins with nodes made from something; brings old ones made from the same to their place.
    fn begin(&mut self, made: Revision) {
        (self.made, self.first) = (made, self.num_nodes);
        let wanted = NodeOrigin { made, link: 0, inertia: None };
        let Topology { nodes, origins, .. } = &mut *self.topology;
        let near = origins.nodes.iter().skip(self.num_nodes).take(NEAR);
        match near.map(|old| NodeOrigin { inertia: None, ..*old }).position(|old| old == wanted) {
            Some(0) => {}
            Some(gone) => {
                let gone = self.num_nodes..self.num_nodes + gone;
                nodes.drain(gone.clone());
                origins.nodes.drain(gone);
            }
            None if self.num_nodes < nodes.len() && self.num_inserted < NEAR => {
                self.num_inserted += 1;
                nodes.insert(self.num_nodes, Node::WORLD);
                origins.nodes.insert(self.num_nodes, NodeOrigin::default());
            }
            None => {}
        }
    }

    /// Crosses a closing joint to a leaf and welds the leaf to the body it is a part of.
    pub fn add_closure(&mut self, edge: &TreeEdge) -> Result<(), TopologyError> {
        let TreeJoint::Joint(id) = edge.connection else { return Ok(()) };
        let (inboard, outboard) = self.ends(edge);
        self.begin_anew();
        let leaf = self.cross(edge, inboard)?;
        let x = self.groups.pose[outboard.index()].inverse();
        self.carriers.leaves.push((edge.outboard, leaf, x));
        self.carriers.num_leaves[edge.outboard] += 1;
        let (node, pose) = self.carriers.of(edge.outboard);
        let body = Frame { node, x_bc: pose * x.inverse() };
        let closure = Closure::weld(self.topology, &self.scene.joints[id].path, id, leaf, body);
        self.topology.closures.push(closure);
        Ok(())
    }

    /// Begins with nodes that are written in any case.
    fn begin_anew(&mut self) {
        (self.made, self.first) = (self.carriers.revisions.next(), self.num_nodes);
    }

    /// Adds a joint that attached frames hold, as a branch without mass that nothing hangs on: it rests in the
    /// coordinates it had, and what is connected with it finds it there.
    pub fn add_locked(&mut self, id: JointId) {
        let joint = &self.scene.joints[id];
        self.topology.locked.push(id);
        let last = self.scene.structure.last_coordinates.get(id.index()).and_then(Option::as_deref);
        let rests_at = |k: usize| last.and_then(|dofs| dofs.get(k)).map_or(0.0, |last| last[0]);
        let laws = joint.dofs.iter().enumerate().map(|(k, dof)| (dof.law.clone(), rests_at(k)));
        self.topology.resting_laws.extend(laws.filter(|(law, _)| *law != DofLaw::default()));
        let JointType::Chain(axes) = &joint.kind else { return };
        self.begin_anew();
        let (node, pose) = self.carriers.of(self.groups.of[joint.from.index()]);
        let (mut at, mut x) = (node, pose * self.groups.pose[joint.from.index()]);
        let first = self.num_nodes;
        for (k, &AxisMotion { axis, rotation, translation }) in axes.iter().enumerate() {
            let motion = self.add_motion(PrescribedMotion::resting(rests_at(k)));
            at = self.push(&joint.path, at, x, Mobilizer::Driven { axis, rotation, translation, motion }, None);
            self.topology.joints[id.index()].coordinates.push(Coordinate::Driven { motion });
            x = Pose::identity();
        }
        self.topology.joints[id.index()].nodes = Some((first, at));
    }

    fn add_motion(&mut self, motion: PrescribedMotion) -> usize {
        self.topology.motions.push(motion);
        self.topology.motions.len() - 1
    }

    /// Adds the nodes of an edge. Returns the last one.
    fn cross(&mut self, edge: &TreeEdge, inboard: ObjectId) -> Result<NodeOrdinal, TopologyError> {
        let parent = self.carriers.node[edge.inboard];
        let x_pf = match self.is_made() {
            true => self.topology.nodes[self.num_nodes].x_pf,
            false => self.carriers.pose[edge.inboard] * self.groups.pose[inboard.index()],
        };
        match edge.connection {
            TreeJoint::FreeObject(id) => {
                let mobilizer = match &self.scene.objects[id].motion {
                    Some(motions) => self.driven_ball(motions, edge.reversed),
                    None => Mobilizer::Free,
                };
                let node = self.push(&self.scene.objects[id].path, parent, x_pf, mobilizer, None);
                self.topology.free_objects[id.index()] = Some(node);
                Ok(node)
            }
            TreeJoint::Joint(id) => {
                let first = self.num_nodes;
                let last = self.add_joint(&self.scene.joints[id], id.index(), edge.reversed, parent, x_pf)?;
                self.note_driven_laws(id, first..last + 1);
                Ok(last)
            }
        }
    }

    fn driven_ball(&mut self, motions: &[PrescribedMotion], reversed: bool) -> Mobilizer {
        let motion = self.topology.motions.len();
        self.topology.motions.extend_from_slice(motions);
        Mobilizer::DrivenBall(DrivenBall { motion, translates: motions.len() > 4, reversed })
    }

    /// Keeps the laws of degrees of freedom that are driven in addition.
    fn note_driven_laws(&mut self, id: JointId, nodes: std::ops::Range<NodeOrdinal>) {
        let topology = &mut *self.topology;
        let Some(last) = nodes.clone().last() else { return };
        let ball = match topology.nodes[last].mobilizer {
            Mobilizer::DrivenBall(ball) => Some(ball),
            _ => None,
        };
        for (dof, data) in self.scene.joints[id].dofs.iter().enumerate() {
            let motion = match (topology.joints[id.index()].coordinates.get(dof), ball) {
                (Some(Coordinate::Driven { motion }), _) => Some(*motion),
                (None, Some(ball)) => dof.checked_sub(3).map(|k| ball.motion + 4 + k),
                _ => continue,
            };
            if data.law != DofLaw::default() {
                let law = data.law.clone();
                topology.driven_laws.push(DrivenLaw { joint: id, dof, law, motion, node: last });
            }
        }
    }

    /// Whether the old node at the next place was made from the same sources.
    fn is_made(&self) -> bool {
        let link = self.num_nodes - self.first;
        let same = |old: &NodeOrigin| (old.made, old.link) == (self.made, link);
        self.topology.origins.nodes.get(self.num_nodes).is_some_and(same)
    }

    fn ends(&self, edge: &TreeEdge) -> (ObjectId, ObjectId) {
        match edge.connection {
            TreeJoint::FreeObject(id) => {
                let parent = self.scene.objects[id].parent.unwrap_or_else(|| self.scene.world());
                if edge.reversed { (id, parent) } else { (parent, id) }
            }
            TreeJoint::Joint(id) => {
                let joint = &self.scene.joints[id];
                if edge.reversed { (joint.to, joint.from) } else { (joint.from, joint.to) }
            }
        }
    }

    fn add_joint(
        &mut self,
        joint: &Joint,
        index: usize,
        reversed: bool,
        parent: NodeOrdinal,
        x_pf: Pose,
    ) -> Result<NodeOrdinal, TopologyError> {
        let first = self.num_nodes;
        let mut coordinates = std::mem::take(&mut self.topology.joints[index].coordinates);
        let last = match &joint.kind {
            JointType::Fixed => self.add_weld(joint, parent, x_pf),
            JointType::Chain(axes) => {
                self.add_chain(joint, axes, reversed, Frame { node: parent, x_bc: x_pf }, &mut coordinates)
            }
            JointType::Spherical => self.add_ball(
                joint,
                Mobilizer::Spherical,
                reversed,
                Frame { node: parent, x_bc: x_pf },
                &mut coordinates,
            )?,
            JointType::Free => {
                self.add_ball(joint, Mobilizer::Free, reversed, Frame { node: parent, x_bc: x_pf }, &mut coordinates)?
            }
        };
        let layout = &mut self.topology.joints[index];
        (layout.nodes, layout.coordinates, layout.reversed) = (Some((first, last)), coordinates, reversed);
        Ok(last)
    }

    /// A fixed joint whose cut force is measured: a motion that stays at zero.
    fn add_weld(&mut self, joint: &Joint, parent: NodeOrdinal, x_pf: Pose) -> NodeOrdinal {
        let motion = self.add_motion(PrescribedMotion::resting(0.0));
        let mobilizer = Mobilizer::Driven { axis: Vec3::z(), rotation: 1.0, translation: 0.0, motion };
        self.push(&joint.path, parent, x_pf, mobilizer, None)
    }

    /// One node per degree of freedom, beyond a frame on the inboard body. Crossed backwards, the motions follow in
    /// reverse order about reversed axes, so that every coordinate keeps its sign.
    fn add_chain(
        &mut self,
        joint: &Joint,
        axes: &[AxisMotion],
        reversed: bool,
        inboard: Frame,
        coordinates: &mut Vec<Coordinate>,
    ) -> NodeOrdinal {
        coordinates.resize(axes.len(), Coordinate::Driven { motion: 0 });
        let Frame { node: mut at, x_bc: mut x } = inboard;
        for step in 0..axes.len() {
            let k = if reversed { axes.len() - 1 - step } else { step };
            let AxisMotion { axis, rotation, translation } = axes[k];
            let axis = if reversed { -axis } else { axis };
            let dof = &joint.dofs[k];
            coordinates[k] = if let Some(motion) = &dof.motion {
                let motion = self.add_motion(motion.clone());
                at = self.push(&joint.path, at, x, Mobilizer::Driven { axis, rotation, translation, motion }, None);
                Coordinate::Driven { motion }
            } else {
                at = self.push(&joint.path, at, x, Mobilizer::Axis { axis, rotation, translation }, Some(&[&dof.law]));
                let node = &self.topology.nodes[at];
                Coordinate::State { q: Some(node.q), v: node.v }
            };
            x = Pose::identity();
        }
        at
    }

    fn add_ball(
        &mut self,
        joint: &Joint,
        mobilizer: Mobilizer,
        reversed: bool,
        inboard: Frame,
        coordinates: &mut Vec<Coordinate>,
    ) -> Result<NodeOrdinal, TopologyError> {
        let refuse = |what: &str, remedy: &str| {
            Err(TopologyError {
                location: joint.location,
                message: format!("joint `{}`: {what}; {remedy}", joint.path),
            })
        };
        let laws: Vec<&DofLaw> = joint.dofs.iter().map(|dof| &dof.law).collect();
        if reversed && !is_the_same_from_both_sides(&laws) {
            return refuse("its forces are resolved in `from`, which hangs on `to`", "swap `from` and `to`");
        }
        if let Some(motions) = &joint.motion {
            let mobilizer = self.driven_ball(motions, reversed);
            return Ok(self.push(&joint.path, inboard.node, inboard.x_bc, mobilizer, None));
        }
        if joint.dofs.iter().any(|dof| dof.motion.is_some()) {
            return refuse(
                "a prescribed motion of a spherical or free joint is not supported",
                "use a chain of joints with one degree of freedom",
            );
        }
        let node = self.push(&joint.path, inboard.node, inboard.x_bc, mobilizer, Some(&laws));
        let at = &self.topology.nodes[node];
        let all = 0..joint.dofs.len();
        coordinates.extend(all.map(|k| Coordinate::State { q: Topology::position_of(at, k), v: at.v + k }));
        Ok(node)
    }

    fn push(
        &mut self,
        name: &str,
        parent: NodeOrdinal,
        x_pf: Pose,
        mobilizer: Mobilizer,
        laws: Option<&[&DofLaw]>,
    ) -> NodeOrdinal {
        let is_made = self.is_made();
        let topology = &mut *self.topology;
        let kind = match mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => 0,
            Mobilizer::Axis { .. } => 1,
            Mobilizer::Spherical => 2,
            Mobilizer::Free => 3,
        };
        let laws = laws.filter(|laws| laws.iter().any(|law| **law != DofLaw::default())).map(|laws| {
            topology.laws.extend(laws.iter().map(|law| (*law).clone()));
            topology.laws.len() - laws.len()
        });
        if self.num_nodes == topology.nodes.len() {
            topology.nodes.push(Node::WORLD);
            topology.origins.nodes.push(NodeOrigin::default());
        }
        let node = &mut topology.nodes[self.num_nodes];
        if !is_made {
            let link = self.num_nodes - self.first;
            topology.origins.nodes[self.num_nodes] = NodeOrigin { made: self.made, link, inertia: None };
            node.name.clear();
            node.name.push_str(name);
            (node.x_pf, node.inertia) = (x_pf, BodyInertia::MASSLESS);
        }
        (node.parent, node.kind_ordinal) = (parent, self.kind_counts[kind]);
        (node.q, node.v) = (topology.num_q, topology.num_v);
        (node.laws, node.mobilizer, node.has_children) = (laws, mobilizer, false);
        self.kind_counts[kind] += 1;
        topology.num_q += node.mobilizer.num_q();
        topology.num_v += node.mobilizer.num_v();
        topology.nodes[parent].has_children = true;
        self.num_nodes += 1;
        self.num_nodes - 1
    }
}
