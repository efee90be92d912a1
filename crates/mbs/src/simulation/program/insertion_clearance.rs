//! When the place of an assembly that a program tries to insert becomes free within a step.
//!
//! Shapes that would penetrate others too deep are not inserted. While a program tries again, the dense output of every
//! step is looked at in parts: where the place is taken at the beginning of a part and free at its end, the moment
//! between is located. The shapes of what does not exist yet are where the declared start puts them. Assemblies whose
//! joints follow prescribed motions or close loops start elsewhere; they are tried at events only.

use crate::broad_phase::ShapeFilter;
use crate::collision::{PairCache, distance};
use crate::math::Pose;
use crate::scene::program::{Change, Choosable, Op};
use crate::scene::{Attachment, ObjectId, Scene};
use crate::simulation::error::SimulationError;
use crate::simulation::integrator::Integrator;
use crate::simulation::parts::dense_search::first_time;
use crate::simulation::parts::pending_event::{EventCause, PendingEvent};
use crate::simulation::run::Simulation;
use crate::topology::CollisionShape;

/// Parts in which a step is looked at.
const PARTS: u32 = 32;

/// Part of the thinner shape's half thickness by which shapes may touch where a place counts as free: what moves out of
/// a place has left it, and nothing is thrown apart.
const TOUCHING: f64 = 1e-4;

/// Halvings of the interval in which a place becomes free.
const HALVINGS: usize = 60;

/// Where an assembly is to be inserted.
struct Place {
    /// The frame that the root starts from; none for the world.
    frame: Option<ObjectId>,
    /// Its shapes: number, filter, pose in that frame.
    shapes: Vec<(u32, ShapeFilter, Pose)>,
}

impl<I: Integrator> Simulation<I> {
    /// The event at which the place of something that is to be inserted becomes free for the first time between `t0`
    /// and `t1` \[s\].
    pub(in crate::simulation) fn search_clearances(
        &mut self,
        t0: f64,
        t1: f64,
    ) -> Result<Option<PendingEvent>, SimulationError> {
        let mut earliest: Option<f64> = None;
        for place in &self.places_waited_for() {
            let found = self.first_clearance(place, [t0, earliest.unwrap_or(t1)])?;
            earliest = found.or(earliest);
        }
        Ok(earliest.map(|t| PendingEvent::new(t, EventCause::InsertionClear)))
    }

    /// Places of what programs try to insert at present.
    fn places_waited_for(&mut self) -> Vec<Place> {
        let Self { programs: runner, scene, topology, segments, .. } = self;
        let mut places = Vec::new();
        for (k, code) in scene.actions.programs.iter().enumerate().filter(|_| topology.shapes.len() > 1) {
            let state = &runner.state.programs[k];
            let at = state.at.filter(|_| state.retrying).and_then(|at| code.ops.get(at));
            let Some(Op::Change(change)) = at else { continue };
            let Ok(choice) = runner.choice(scene, change, Choosable::Inserted) else { continue };
            places.extend(place(scene, &segments.start_poses, &topology.shapes, (change, choice)));
        }
        places
    }

    fn first_clearance(&mut self, place: &Place, [t0, t1]: [f64; 2]) -> Result<Option<f64>, SimulationError> {
        let mut taken = (!self.is_clear(place, t0)?).then_some(t0);
        for part in 1..=PARTS {
            let t = if part == PARTS { t1 } else { t0 + (t1 - t0) * f64::from(part) / f64::from(PARTS) };
            let is_free = self.is_clear(place, t)?;
            match taken {
                Some(taken) if is_free => return self.begin_of_clearance(place, [taken, t]).map(Some),
                _ => taken = (!is_free).then_some(t),
            }
        }
        Ok(None)
    }

    /// Between a time at which a place is taken and one at which it is free, the first one at which it is.
    fn begin_of_clearance(&mut self, place: &Place, interval: [f64; 2]) -> Result<f64, SimulationError> {
        first_time(interval, HALVINGS, |t| self.is_clear(place, t))
    }

    /// Whether nothing that is there at time `t` \[s\] would be penetrated.
    fn is_clear(&mut self, place: &Place, t: f64) -> Result<bool, SimulationError> {
        self.move_search_to(t)?;
        let x_wf = place.frame.map_or(Pose::IDENTITY, |frame| {
            let motion = self.searched_motion(frame);
            Pose { rotation: motion.rotation, translation: motion.p }
        });
        let (topology, bodies) = (&self.topology, &self.search.workspace.bodies);
        let is_free = |(number, filter, x): &(u32, ShapeFilter, Pose)| {
            let own = (&topology.shapes[*number as usize], x_wf * *x);
            let others = topology.shapes.iter().enumerate();
            let others = others.filter(|(k, _)| topology.collision_filter.would_allow(*number, filter, *k as u32));
            others
                .map(|(_, other)| (other, bodies[other.node].at(&other.x_bs)))
                .all(|(other, motion)| fits(own, (other, Pose { rotation: motion.rotation, translation: motion.p })))
        };
        Ok(place.shapes.iter().all(is_free))
    }
}

/// Whether two shapes touch each other at most.
fn fits((a, x_a): (&CollisionShape, Pose), (b, x_b): (&CollisionShape, Pose)) -> bool {
    let apart = (x_a.transform(&a.shape.center()) - x_b.transform(&b.shape.center())).norm();
    if apart > a.shape.bounding_radius() + b.shape.bounding_radius() {
        return true;
    }
    let found = distance(&a.shape, &x_a, &b.shape, &x_b, &mut PairCache::default());
    -found.distance <= TOUCHING * a.thickness.min(b.thickness)
}

/// The place of what a step inserts, if its shapes follow from the pose of its root; `choice` counts from 1, 0 chooses
/// none.
fn place(
    scene: &Scene,
    starts: &[Pose],
    shapes: &[CollisionShape],
    (change, choice): (&Change, usize),
) -> Option<Place> {
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
    let mut place = Place { frame, shapes: Vec::new() };
    for member in members {
        let x = x * between(root, member);
        let own = shapes.iter().enumerate().filter(|(_, shape)| shape.object == member);
        let instances =
            scene.objects[member].shapes.iter().filter_map(|instance| Some((instance, instance.collision.as_ref()?)));
        let parts = instances
            .flat_map(|(instance, collision)| collision.parts().map(move |(_, role)| (instance, collision, role)));
        place.shapes.extend(own.zip(parts).map(|((number, _), (instance, collision, role))| {
            let own = ShapeFilter::moving(u32::MAX);
            let filter = ShapeFilter { category: collision.category, mask: collision.mask, role, ..own };
            (number as u32, filter, x * instance.x_cs)
        }));
    }
    Some(place)
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
