//! From a scene to the topology of a segment.

use super::contact_pairs::check_contact_pairs;
use super::forest::{Connection, TreeEdge, span};
use super::super_objects::{SuperObjects, group};
use super::{
    BodyInertia, Closure, CollisionShape, Coordinate, JointLayout, Mobilizer, Motion, Node, NodeOrdinal, Topology,
    TopologyError, WORLD,
};
use crate::broad_phase::{PairFilter, ShapeFilter};
use crate::collision::ConvexShape;
use crate::contact::Curvature;
use crate::declaration::Analysis;
use crate::force::{BushingElement, DofLaw, Element, Frame, LineElement, Resolution, Signal, WorldElement};
use crate::math::{Pose, Vec3};
use crate::scene::{AxisMotion, ForceType, Joint, JointType, ObjectId, Scene, SolidCollision};
use crate::solid::MassProperties;

/// Compiles the topology of a scene.
///
/// # Errors
/// Objects that hang in the air, contradictory rigid connections, loops in which nothing can move.
pub fn compile(scene: &Scene) -> Result<Topology, TopologyError> {
    let groups = group(scene)?;
    let forest = span(scene, &groups)?;
    let mut compiler = Compiler::new(scene, &groups);
    for edge in &forest.edges {
        let reached = compiler.add_edge(edge)?;
        compiler.node_of_group[edge.outboard] = reached.0;
        compiler.group_pose[edge.outboard] = reached.1;
    }
    for edge in &forest.closures {
        compiler.add_closure(edge)?;
    }
    compiler.topology.label_components();
    compiler.place_objects();
    compiler.add_inertias();
    if scene.analysis == Analysis::Kinematic {
        compiler.topology.add_dust();
    }
    compiler.add_forces();
    compiler.add_shapes();
    compiler.topology.remarks = check_contact_pairs(scene, &compiler.topology)?;
    Ok(compiler.topology)
}

/// Pairs are watched within this fraction of the largest moving shape's radius.
const WATCHED: f64 = 0.2;

struct Compiler<'a> {
    scene: &'a Scene,
    groups: &'a SuperObjects,
    topology: Topology,
    /// Node that carries each super-object.
    node_of_group: Vec<NodeOrdinal>,
    /// Pose of the super-object's first member in the node's body frame.
    group_pose: Vec<Pose>,
    /// Leaves cut from each super-object: node, pose of the super-object's first member in it.
    leaves: Vec<Vec<(NodeOrdinal, Pose)>>,
    kind_counts: [usize; 4],
}

impl<'a> Compiler<'a> {
    fn new(scene: &'a Scene, groups: &'a SuperObjects) -> Self {
        let world = Node {
            name: "world".to_owned(),
            parent: WORLD,
            x_pf: Pose::identity(),
            mobilizer: Mobilizer::World,
            kind_ordinal: 0,
            q: 0,
            v: 0,
            laws: None,
            inertia: BodyInertia::MASSLESS,
            has_children: false,
        };
        let topology = Topology {
            nodes: vec![world],
            num_q: 0,
            num_v: 0,
            closures: Vec::new(),
            components: vec![WORLD],
            laws: Vec::new(),
            motions: Vec::new(),
            elements: Vec::new(),
            shapes: Vec::new(),
            collision_filter: PairFilter::default(),
            remarks: Vec::new(),
            collision_margin: 0.0,
            gravity: scene.gravity,
            placements: Vec::new(),
            joints: vec![JointLayout::default(); scene.joints.capacity()],
            free_objects: vec![None; scene.objects.capacity()],
        };
        let n = groups.members.len();
        Self {
            scene,
            groups,
            topology,
            node_of_group: vec![WORLD; n],
            group_pose: vec![Pose::identity(); n],
            leaves: vec![Vec::new(); n],
            kind_counts: [0; 4],
        }
    }

    /// Adds the nodes of an edge. Returns the last one and the pose of the outboard super-object's first member in its frame.
    fn add_edge(&mut self, edge: &TreeEdge) -> Result<(NodeOrdinal, Pose), TopologyError> {
        let (inboard, outboard) = self.ends(edge);
        let parent = self.node_of_group[edge.inboard];
        let x_pf = self.group_pose[edge.inboard] * self.groups.pose[inboard.index()];
        let last = match edge.connection {
            Connection::FreeObject(id) => {
                let object = &self.scene.objects[id];
                let node = self.push(&object.path, parent, x_pf, Mobilizer::Free, None);
                self.topology.free_objects[id.index()] = Some(node);
                node
            }
            Connection::Joint(id) => self.add_joint(&self.scene.joints[id], id.index(), edge.reversed, parent, x_pf)?,
        };
        Ok((last, self.groups.pose[outboard.index()].inverse()))
    }

    /// Crosses a closing joint to a leaf and welds the leaf to the body it is a part of.
    fn add_closure(&mut self, edge: &TreeEdge) -> Result<(), TopologyError> {
        let Connection::Joint(id) = edge.connection else { return Ok(()) };
        let (leaf, x) = self.add_edge(edge)?;
        self.leaves[edge.outboard].push((leaf, x));
        let body =
            Frame { node: self.node_of_group[edge.outboard], x_bc: self.group_pose[edge.outboard] * x.inverse() };
        let closure = Closure::new(&self.topology, &self.scene.joints[id].path, id, leaf, body);
        self.topology.closures.push(closure);
        Ok(())
    }

    fn ends(&self, edge: &TreeEdge) -> (ObjectId, ObjectId) {
        match edge.connection {
            Connection::FreeObject(id) => {
                let parent = self.scene.objects[id].parent.unwrap_or_else(|| self.scene.world());
                if edge.reversed { (id, parent) } else { (parent, id) }
            }
            Connection::Joint(id) => {
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
        let first = self.topology.nodes.len();
        let (last, coordinates) = match &joint.kind {
            JointType::Fixed => (self.add_weld(joint, parent, x_pf), Vec::new()),
            JointType::Chain(axes) => self.add_chain(joint, axes, reversed, parent, x_pf),
            JointType::Spherical => self.add_ball(joint, Mobilizer::Spherical, reversed, parent, x_pf)?,
            JointType::Free => self.add_ball(joint, Mobilizer::Free, reversed, parent, x_pf)?,
        };
        self.topology.joints[index] = JointLayout { nodes: Some((first, last)), coordinates, reversed };
        Ok(last)
    }

    /// A fixed joint whose cut force is measured: a motion that stays at zero.
    fn add_weld(&mut self, joint: &Joint, parent: NodeOrdinal, x_pf: Pose) -> NodeOrdinal {
        let still = || Signal::Constant(0.0);
        self.topology.motions.push(Motion { position: still(), velocity: still(), acceleration: still() });
        let motion = self.topology.motions.len() - 1;
        let mobilizer = Mobilizer::Driven { axis: Vec3::z(), rotation: 1.0, translation: 0.0, motion };
        self.push(&joint.path, parent, x_pf, mobilizer, None)
    }

    /// One node per degree of freedom. Crossed backwards, the motions follow in reverse order about reversed axes, so
    /// that every coordinate keeps its sign.
    fn add_chain(
        &mut self,
        joint: &Joint,
        axes: &[AxisMotion],
        reversed: bool,
        parent: NodeOrdinal,
        x_pf: Pose,
    ) -> (NodeOrdinal, Vec<Coordinate>) {
        let mut coordinates = vec![Coordinate::Driven { motion: 0 }; axes.len()];
        let (mut at, mut x) = (parent, x_pf);
        for step in 0..axes.len() {
            let k = if reversed { axes.len() - 1 - step } else { step };
            let AxisMotion { axis, rotation, translation } = axes[k];
            let axis = if reversed { -axis } else { axis };
            let dof = &joint.dofs[k];
            coordinates[k] = if let Some(motion) = &dof.motion {
                self.topology.motions.push(motion.clone());
                let motion = self.topology.motions.len() - 1;
                at = self.push(&joint.path, at, x, Mobilizer::Driven { axis, rotation, translation, motion }, None);
                Coordinate::Driven { motion }
            } else {
                at = self.push(&joint.path, at, x, Mobilizer::Axis { axis, rotation, translation }, Some(&[&dof.law]));
                let node = &self.topology.nodes[at];
                Coordinate::State { q: Some(node.q), v: node.v }
            };
            x = Pose::identity();
        }
        (at, coordinates)
    }

    fn add_ball(
        &mut self,
        joint: &Joint,
        mobilizer: Mobilizer,
        reversed: bool,
        parent: NodeOrdinal,
        x_pf: Pose,
    ) -> Result<(NodeOrdinal, Vec<Coordinate>), TopologyError> {
        let refuse = |what: &str, remedy: &str| {
            Err(TopologyError {
                location: joint.location,
                message: format!("joint `{}`: {what}; {remedy}", joint.path),
            })
        };
        if joint.dofs.iter().any(|dof| dof.motion.is_some()) {
            return refuse(
                "a prescribed motion of a spherical or free joint is not supported",
                "use a chain of joints with one degree of freedom",
            );
        }
        let laws: Vec<&DofLaw> = joint.dofs.iter().map(|dof| &dof.law).collect();
        if reversed && laws.iter().any(|law| **law != DofLaw::default()) {
            return refuse("its forces are resolved in `from`, which hangs on `to`", "swap `from` and `to`");
        }
        let node = self.push(&joint.path, parent, x_pf, mobilizer, Some(&laws));
        let at = &self.topology.nodes[node];
        let coordinates =
            (0..joint.dofs.len()).map(|k| Coordinate::State { q: Topology::position_of(at, k), v: at.v + k }).collect();
        Ok((node, coordinates))
    }

    fn push(
        &mut self,
        name: &str,
        parent: NodeOrdinal,
        x_pf: Pose,
        mobilizer: Mobilizer,
        laws: Option<&[&DofLaw]>,
    ) -> NodeOrdinal {
        let topology = &mut self.topology;
        let kind = match mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } => 0,
            Mobilizer::Axis { .. } => 1,
            Mobilizer::Spherical => 2,
            Mobilizer::Free => 3,
        };
        let laws = laws.filter(|laws| laws.iter().any(|law| **law != DofLaw::default())).map(|laws| {
            topology.laws.extend(laws.iter().map(|law| (*law).clone()));
            topology.laws.len() - laws.len()
        });
        topology.nodes[parent].has_children = true;
        let node = Node {
            name: name.to_owned(),
            parent,
            x_pf,
            kind_ordinal: self.kind_counts[kind],
            q: topology.num_q,
            v: topology.num_v,
            laws,
            inertia: BodyInertia::MASSLESS,
            has_children: false,
            mobilizer,
        };
        self.kind_counts[kind] += 1;
        topology.num_q += node.mobilizer.num_q();
        topology.num_v += node.mobilizer.num_v();
        topology.nodes.push(node);
        topology.nodes.len() - 1
    }

    fn place_objects(&mut self) {
        let world = Frame { node: WORLD, x_bc: Pose::identity() };
        self.topology.placements = vec![world; self.scene.objects.capacity()];
        for (id, _) in self.scene.objects.iter().filter(|(id, _)| self.scene.exists(*id)) {
            let group = self.groups.of[id.index()];
            self.topology.placements[id.index()] =
                Frame { node: self.node_of_group[group], x_bc: self.group_pose[group] * self.groups.pose[id.index()] };
        }
    }

    /// Merges the mass properties of every super-object in its node's body frame; leaves get equal shares of them.
    fn add_inertias(&mut self) {
        for group in 1..self.groups.members.len() {
            let share = 1.0 / (self.leaves[group].len() + 1) as f64;
            let carriers = std::iter::once((self.node_of_group[group], self.group_pose[group]));
            for (node, x) in carriers.chain(self.leaves[group].iter().copied()) {
                self.topology.nodes[node].inertia = self.merged(group, &x).scaled(share);
            }
        }
    }

    /// Inertia of a super-object in a frame in which its first member has the given pose.
    fn merged(&self, group: usize, x: &Pose) -> BodyInertia {
        let parts = self.groups.members[group].iter().filter(|id| {
            self.scene.objects[**id].mass.mass > 0.0 || self.scene.objects[**id].mass.inertia.norm() > 0.0
        });
        body_inertia(&MassProperties::merge(parts.map(|id| {
            let pose = *x * self.groups.pose[id.index()];
            self.scene.objects[*id].mass.transformed(&crate::scene::isometry(&pose))
        })))
    }

    /// Collects colliding shapes and who may meet whom: not within a super-object, not across a joint unless it says so,
    /// not what ignores each other. Shapes of absent objects keep their numbers and meet nobody, so that a pair has one
    /// name throughout a run.
    fn add_shapes(&mut self) {
        let mut filters = Vec::new();
        let mut largest = 0.0_f64;
        for (id, object) in self.scene.objects.iter() {
            let frame = self.topology.placements[id.index()];
            let body = self.groups.of[id.index()] as u32;
            let whose = if frame.node == WORLD { ShapeFilter::fixed(body) } else { ShapeFilter::moving(body) };
            let exists = self.scene.exists(id);
            for instance in &object.shapes {
                let Some(SolidCollision { pieces, category, mask }) = &instance.collision else { continue };
                for shape in pieces {
                    let [category, mask] = if exists { [*category, *mask] } else { [0, 0] };
                    filters.push(ShapeFilter { category, mask, ..whose });
                    if frame.node != WORLD && shape.bounding_radius().is_finite() {
                        largest = largest.max(shape.bounding_radius());
                    }
                    self.topology.shapes.push(CollisionShape {
                        node: frame.node,
                        x_bs: frame.x_bc * instance.x_cs,
                        thickness: half_thickness(shape),
                        shape: shape.clone(),
                        curvature: Curvature::of_shape(&instance.shape),
                        material: instance.material.clone().unwrap_or_default(),
                        object: id,
                    });
                }
            }
        }
        let joined = self.scene.joints.iter().filter(|(id, joint)| !joint.collision && self.scene.joint_exists(*id));
        let excluded: Vec<(u32, u32)> =
            joined.map(|(_, j)| (self.groups.of[j.from.index()] as u32, self.groups.of[j.to.index()] as u32)).collect();
        self.topology.collision_filter = PairFilter::new(filters, &self.ignored_shapes(), &excluded);
        self.topology.collision_margin = WATCHED * largest;
    }

    /// Pairs of shapes of objects that ignore each other.
    fn ignored_shapes(&self) -> Vec<(u32, u32)> {
        let mut of_object = vec![Vec::new(); self.scene.objects.capacity()];
        for (number, shape) in self.topology.shapes.iter().enumerate() {
            of_object[shape.object.index()].push(number as u32);
        }
        let pairs = self.scene.ignored_pairs.iter().map(|pair| pair.map(|object| &of_object[object.index()]));
        pairs.flat_map(|[a, b]| a.iter().flat_map(move |&i| b.iter().map(move |&j| (i, j)))).collect()
    }

    fn add_forces(&mut self) {
        let frame = |id: ObjectId| self.topology.placements[id.index()];
        let present = self.scene.forces.iter().filter(|(_, force)| self.scene.force_exists(force));
        let elements = present.map(|(_, force)| match &force.kind {
            ForceType::World { at, force, torque, resolved_in } => {
                let (at, axes) = (frame(*at), frame(*resolved_in));
                let resolved_in = match axes.node {
                    WORLD if axes.x_bc.rotation == Pose::identity().rotation => Resolution::World,
                    node if node == at.node => Resolution::Body(axes.x_bc.rotation),
                    node => Resolution::Other(node, axes.x_bc.rotation),
                };
                Element::World(WorldElement { at, force: force.clone(), torque: torque.clone(), resolved_in })
            }
            ForceType::Line { from, to, stiffness, rest_length, damping, force: pull } => Element::Line(LineElement {
                name: force.path.clone(),
                from: frame(*from),
                to: frame(*to),
                stiffness: *stiffness,
                rest_length: rest_length.unwrap_or(f64::NAN),
                damping: *damping,
                force: pull.clone(),
            }),
            ForceType::Bushing { from, to, translation, rotation } => Element::Bushing(BushingElement {
                from: frame(*from),
                to: frame(*to),
                translation: translation.clone(),
                rotation: rotation.clone(),
            }),
        });
        self.topology.elements = elements.collect();
    }
}

fn half_thickness(shape: &ConvexShape) -> f64 {
    let b = shape.bounding_box(&Pose::identity());
    0.5 * (b.max - b.min).min()
}

pub(crate) fn body_inertia(properties: &MassProperties) -> BodyInertia {
    let c = properties.center_of_mass;
    let c_x = crate::math::skew(&c);
    BodyInertia { m: properties.mass, p_bo_bcm: c, i_bbo: properties.inertia - properties.mass * c_x * c_x }
}
