//! Locates the time within a step at which the region of an assembly to be inserted becomes free.
//!
//! Shapes that would penetrate others too deep are not inserted. While a program retries an insertion, the dense output
//! of every step is sampled: where the region is occupied at one sample and free at the next, the time of the change is
//! located. Shapes of an assembly that does not exist yet are placed as declared. Assemblies whose joints follow
//! prescribed motions or close loops start elsewhere; their insertion is retried at events only.

use crate::broad_phase::ShapeFilter;
use crate::collision::{PairCache, distance};
use crate::math::Pose;
use crate::scene::program::{ChangeCommand, Choosable, Op};
use crate::scene::{Attachment, ObjectId, Scene};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::dense_search::first_time;
use crate::simulation::run_data::pending_event::{EventCause, PendingEvent};
use crate::simulation::run_data::{RunModel, RunStructure, Segment};
use crate::topology::CollisionShape;

/// Samples of a step.
const SAMPLES: u32 = 32;

/// Penetration, relative to the thinner shape's half thickness, up to which a region counts as free: a shape that moves
/// out of the region has left it, and no contact force throws the shapes apart.
const CLEARANCE_PENETRATION: f64 = 1e-4;

/// Bisections of the interval in which a region becomes free.
const HALVINGS: usize = 60;

/// The region that an assembly to be inserted will occupy.
struct InsertionRegion {
    /// The frame that the root starts from; none for the world.
    frame: Option<ObjectId>,
    /// Its shapes: number, filter, pose in that frame.
    shapes: Vec<(u32, ShapeFilter, Pose)>,
}

impl Simulation {
    /// The first event between `t0` and `t1` \[s\] at which the region of an assembly to be inserted becomes free.
    pub(in crate::simulation) fn search_clearances(
        &mut self,
        t0: f64,
        t1: f64,
    ) -> Result<Option<PendingEvent>, SimulationError> {
        let mut earliest: Option<f64> = None;
        for region in &self.insertion_regions() {
            let found = self.first_clearance(region, [t0, earliest.unwrap_or(t1)])?;
            earliest = found.or(earliest);
        }
        Ok(earliest.map(|t| PendingEvent::new(t, EventCause::InsertionClear)))
    }

    /// Regions of the assemblies whose insertion programs are retrying.
    fn insertion_regions(&mut self) -> Vec<InsertionRegion> {
        let Self {
            structure: RunStructure { programs: runner, segments },
            model: RunModel { scene, .. },
            segment: Segment { topology, .. },
            ..
        } = self;
        let mut regions = Vec::new();
        for (k, code) in scene.actions.programs.iter().enumerate().filter(|_| topology.shapes.len() > 1) {
            let state = &runner.state.programs[k];
            let at = state.at.filter(|_| state.retrying).and_then(|at| code.ops.get(at));
            let Some(Op::Change(change)) = at else { continue };
            let Ok(choice) = runner.choice(scene, change, Choosable::Inserted) else { continue };
            regions.extend(region(scene, &segments.start_poses, &topology.shapes, change, choice));
        }
        regions
    }

    fn first_clearance(
        &mut self,
        region: &InsertionRegion,
        [t0, t1]: [f64; 2],
    ) -> Result<Option<f64>, SimulationError> {
        let mut taken = (!self.is_clear(region, t0)?).then_some(t0);
        for sample in 1..=SAMPLES {
            let t = if sample == SAMPLES { t1 } else { t0 + (t1 - t0) * f64::from(sample) / f64::from(SAMPLES) };
            let is_free = self.is_clear(region, t)?;
            match taken {
                Some(taken) if is_free => return self.clearance_onset(region, [taken, t]).map(Some),
                _ => taken = (!is_free).then_some(t),
            }
        }
        Ok(None)
    }

    /// The first time at which a region is free, between a time at which it is occupied and one at which it is free.
    fn clearance_onset(&mut self, region: &InsertionRegion, interval: [f64; 2]) -> Result<f64, SimulationError> {
        first_time(interval, HALVINGS, |t| self.is_clear(region, t))
    }

    /// Whether the assembly would penetrate no shape at time `t` \[s\].
    fn is_clear(&mut self, region: &InsertionRegion, t: f64) -> Result<bool, SimulationError> {
        self.move_search_to(t)?;
        let x_wf = region.frame.map_or(Pose::IDENTITY, |frame| {
            let motion = self.searched_motion(frame);
            Pose { rotation: motion.rotation, translation: motion.p }
        });
        let (topology, bodies) = (&self.segment.topology, &self.solver.search.workspace.bodies);
        let is_free = |(number, filter, x): &(u32, ShapeFilter, Pose)| {
            let own = (&topology.shapes[*number as usize], x_wf * *x);
            let others = topology.shapes.iter().enumerate();
            let others = others.filter(|(k, _)| topology.collision_filter.would_allow(*number, filter, *k as u32));
            others
                .map(|(_, other)| (other, bodies[other.node].at(&other.x_bs)))
                .all(|(other, motion)| fits(own, (other, Pose { rotation: motion.rotation, translation: motion.p })))
        };
        Ok(region.shapes.iter().all(is_free))
    }
}

/// Whether two shapes touch each other at most.
fn fits((a, x_a): (&CollisionShape, Pose), (b, x_b): (&CollisionShape, Pose)) -> bool {
    let apart = (x_a.transform(&a.shape.center()) - x_b.transform(&b.shape.center())).norm();
    if apart > a.shape.bounding_radius() + b.shape.bounding_radius() {
        return true;
    }
    let found = distance(&a.shape, &x_a, &b.shape, &x_b, &mut PairCache::default());
    -found.distance <= CLEARANCE_PENETRATION * a.thickness.min(b.thickness)
}

/// The region of the assembly that a step inserts, if its shapes follow from the pose of its root. `choice` counts from
/// 1; 0 means no choice.
fn region(
    scene: &Scene,
    starts: &[Pose],
    shapes: &[CollisionShape],
    change: &ChangeCommand,
    choice: usize,
) -> Option<InsertionRegion> {
    let insert = change.insert.as_ref().filter(|_| change.delete.is_none() && change.attach.is_none())?;
    let roots = choice.checked_sub(1).map_or(&insert.roots[..], |k| &insert.roots[k..=k]);
    let root = roots.iter().copied().find(|root| !scene.exists(*root))?;
    let members = scene.inserted_members(root);
    if !starts_as_declared(scene, &members) {
        return None;
    }
    let between = |from: ObjectId, to: ObjectId| starts[from.index()].inverse() * starts[to.index()];
    let (frame, x) = match (insert.at, carrier(scene, root)) {
        (Some(at), _) => (Some(at), insert.pose),
        (None, Some(from)) => (Some(from), between(from, root)),
        (None, None) => (scene.objects[root].parent, scene.objects[root].x_pc),
    };
    if frame.is_some_and(|frame| !scene.exists(frame)) {
        return None;
    }
    let mut region = InsertionRegion { frame, shapes: Vec::new() };
    for member in members {
        let x = x * between(root, member);
        let own = shapes.iter().enumerate().filter(|(_, shape)| shape.object == member);
        let instances =
            scene.objects[member].shapes.iter().filter_map(|instance| Some((instance, instance.collision.as_ref()?)));
        let parts = instances
            .flat_map(|(instance, collision)| collision.parts().map(move |(_, role)| (instance, collision, role)));
        region.shapes.extend(own.zip(parts).map(|((number, _), (instance, collision, role))| {
            let own = ShapeFilter::moving(u32::MAX);
            let filter = ShapeFilter { category: collision.category, mask: collision.mask, role, ..own };
            (number as u32, filter, x * instance.x_cs)
        }));
    }
    Some(region)
}

/// The object that a joint connects an object with that it carries.
fn carrier(scene: &Scene, carried: ObjectId) -> Option<ObjectId> {
    scene.joints.iter().find(|(_, joint)| joint.to == carried).map(|(_, joint)| joint.from)
}

/// Whether the members of an assembly start relative to what carries it as declared: joints follow no motions and close
/// no loops.
fn starts_as_declared(scene: &Scene, members: &[ObjectId]) -> bool {
    let mut carried = Vec::new();
    for (_, joint) in scene.joints.iter().filter(|(_, joint)| members.contains(&joint.to)) {
        let is_in_tree = scene.objects[joint.to].attachment == Attachment::ByJoint && !carried.contains(&joint.to);
        if !is_in_tree || joint.dofs.iter().any(|dof| dof.motion.is_some()) {
            return false;
        }
        carried.push(joint.to);
    }
    true
}
