//! From a scene to the topology of a segment.

use super::collision_shapes::place_shapes;
use super::contact_pairs::{check_contact_pairs, has_unknown_pairs};
use super::elements::add_elements;
use super::forest::Forest;
use super::inertia::Inertias;
use super::nodes::{Carriers, NodeBuilder};
use super::revision::Revision;
use super::skeleton::Skeleton;
use super::super_objects::{NONE, SuperObjects};
use super::{Topology, TopologyError};
use crate::declaration::Analysis;
use crate::math::Pose;
use crate::scene::{ObjectId, Scene};
use crate::spatial::{Frame, WORLD};

/// Compiles the topology of a scene.
///
/// # Errors
/// Objects that hang in the air, contradictory rigid connections, loops in which nothing can move.
pub fn compile(scene: &Scene) -> Result<Topology, TopologyError> {
    TopologyCompiler::new(scene).compile(scene)
}

/// Compiles the topologies of all segments of one scene.
///
/// The topology follows from the scene and its present structure alone, bit by bit, whatever came before it. But what a
/// change does not concern is not made again: only super-objects whose links or members changed are gathered, and
/// topologies that are no longer needed are written over where nodes, poses and inertias were made from something else.
/// What is done for every body is to number it.
#[derive(Debug, Clone, Default)]
pub struct TopologyCompiler {
    skeleton: Skeleton,
    groups: SuperObjects,
    forest: Forest,
    carriers: Carriers,
    inertias: Inertias,
    /// A topology of the same scene to be written over.
    spare: Topology,
    /// Whether contact properties must be checked in every segment; none before the first one.
    checks_pairs: Option<bool>,
}

/// The topology with which a run of a scene begins, and the compiler of the segments that follow, if any may.
#[derive(Debug, Clone)]
pub struct FirstSegment {
    pub(crate) compiler: Option<TopologyCompiler>,
    /// The topology.
    pub topology: Topology,
}

impl FirstSegment {
    /// Compiles the topology of a scene.
    ///
    /// # Errors
    /// As [`TopologyCompiler::compile`].
    pub fn compile(scene: &Scene) -> Result<Self, TopologyError> {
        let mut compiler = TopologyCompiler::new(scene);
        let topology = compiler.compile(scene)?;
        Ok(Self { compiler: scene.has_variable_structure().then_some(compiler), topology })
    }
}

/// Placement of objects that do not exist.
const ABSENT: Frame = Frame { node: WORLD, x_bc: Pose::IDENTITY };
/// What it is made from.
const NOWHERE: [Revision; 2] = [Revision::MAX; 2];

impl TopologyCompiler {
    /// A compiler for the segments of a scene.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        Self { skeleton: Skeleton::new(scene), ..Self::default() }
    }

    /// Whether two objects are parts of one rigid body, whatever is attached to what.
    pub(crate) fn are_one_body(&self, a: ObjectId, b: ObjectId) -> bool {
        self.skeleton.are_one_body(a, b)
    }

    /// Takes a topology that is no longer needed, to reuse its allocations.
    pub fn recycle(&mut self, topology: Topology) {
        self.spare = topology;
    }

    /// Compiles the topology of the present structure. The scene is the one the compiler was made for; its structure
    /// may differ. Remarks on contacts are those of the first segment.
    ///
    /// # Errors
    /// Objects that hang in the air, contradictory rigid connections, loops in which nothing can move.
    pub fn compile(&mut self, scene: &Scene) -> Result<Topology, TopologyError> {
        let mut topology = std::mem::take(&mut self.spare);
        self.groups.group(scene, &self.skeleton)?;
        self.forest.span(scene, &self.skeleton, &self.groups)?;
        self.add_nodes(scene, &mut topology)?;
        topology.label_components();
        self.place_objects(scene, &mut topology);
        self.inertias.merge(scene, &self.groups, &self.carriers, &mut topology);
        topology.has_traces = false;
        // The regularising mass would show in the efforts of inverse dynamics.
        let needs_efforts = scene.follows_references && topology.has_mass();
        if scene.analysis == Analysis::Kinematic && !needs_efforts {
            topology.add_regularising_mass();
            topology.origins.forget_nodes();
        } else if topology.regularise_loops() {
            topology.has_traces = true;
            topology.origins.forget_nodes();
        }
        topology.gravity = scene.gravity;
        topology.scales = scene.scales;
        reserve::check();
        add_elements(scene, &mut topology);
        place_shapes(scene, &self.groups, &mut topology);
        self.check_pairs(scene, &mut topology)?;
        Ok(topology)
    }

    fn add_nodes(&mut self, scene: &Scene, topology: &mut Topology) -> Result<(), TopologyError> {
        topology.reserve_nodes(self.forest.edges.len() + self.forest.closures.len() + 1);
        let mut nodes = NodeBuilder::new(scene, &self.groups, &mut self.carriers, topology);
        for edge in &self.forest.edges {
            reserve::check();
            nodes.add_edge(edge)?;
        }
        for edge in &self.forest.closures {
            nodes.add_closure(edge)?;
        }
        for &id in &self.forest.locked {
            nodes.add_locked(id);
        }
        nodes.finish();
        Ok(())
    }

    fn place_objects(&self, scene: &Scene, topology: &mut Topology) {
        let n = scene.objects.capacity();
        let Topology { placements, origins, .. } = &mut *topology;
        placements.resize(n, ABSENT);
        origins.placements.resize(n, NOWHERE);
        for (k, (placement, origin)) in placements.iter_mut().zip(&mut origins.placements).enumerate() {
            let group = self.groups.of[k];
            if group == NONE {
                (*placement, *origin) = (ABSENT, NOWHERE);
                continue;
            }
            let (node, frame) = self.carriers.made(group);
            let present = [frame, self.groups.placed(k)];
            if std::mem::replace(origin, present) != present {
                placement.x_bc = self.carriers.of(group).1 * self.groups.pose[k];
            }
            placement.node = node;
        }
        topology.resting.clear();
        for &id in self.groups.members(0).iter().filter(|id| self.skeleton.changing[id.index()]) {
            let (mass, frame) = (&scene.objects[id].mass, &topology.placements[id.index()]);
            if mass.mass > 0.0 {
                topology.resting.push((mass.mass, frame.x_bc.transform(&mass.center_of_mass)));
            }
        }
    }

    /// Checks for contacts without a law: in the first segment, in later ones if any pair of materials has none.
    fn check_pairs(&mut self, scene: &Scene, topology: &mut Topology) -> Result<(), TopologyError> {
        if self.checks_pairs != Some(false) {
            topology.remarks = check_contact_pairs(scene, topology)?;
        }
        if self.checks_pairs.is_none() {
            self.checks_pairs = Some(has_unknown_pairs(scene, topology));
        } else {
            topology.remarks.clear();
        }
        Ok(())
    }
}
