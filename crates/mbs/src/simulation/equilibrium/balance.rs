//! Unknowns and equations of an equilibrium, and their derivatives by differences.

use crate::simulation::run_data::{Segment, Stage};
use nalgebra::DMatrix;

use super::exhausted::Sliding;
use super::limits::limits;
use super::slip::Slip;
use super::{EquilibriumRequest, Targets};
use crate::component_system::{GearedFollower, GearedMotion};
use crate::contact::{ContactConstants, DampingBound, PairDistance, PairId};
use crate::declaration::Analysis;
use crate::dynamics::{TangentSpace, displace};
use crate::material::ConstantsRule;
use crate::scene::Mobility;
use crate::simulation::error::SimulationError;
use crate::simulation::monitor::effective_mass;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::pair_law::named_contact_law;
use crate::simulation::start::loops::close_with;
use crate::simulation::start::tolerance::largest_length;
use crate::spatial::{NodeOrdinal, WORLD};
use crate::topology::{Coordinate, Mobilizer};

/// Step of differences, relative to the size of an unknown.
const STEP: f64 = 1e-6;
/// Step of differences relative to the penetration of contacts that it changes.
const STEP_IN_CONTACT: f64 = 0.02;
/// Rounding errors of accelerations, relative to the largest.
const ROUNDING: f64 = 4e-15;
/// Weights of pivots, below one for coordinates that should be independent.
const WEIGHT_OF_AXIS: f64 = 0.1;
const WEIGHT_OF_GIVEN: f64 = 1e-3;
/// Fraction of the thinnest shape's half thickness by which one step may press deeper.
const MAX_DEEPENING: f64 = 0.1;
/// Largest creep of what friction holds in the longest step, as a fraction of the thinnest shape's half thickness.
const MAX_CREEP_PER_THICKNESS: f64 = 1e-3;
/// Derivatives with a small and a large step that agree this well count as the same.
const DERIVATIVE_AGREEMENT: f64 = 1e-4;

/// What is changed until everything rests.
#[derive(Debug, Clone)]
pub(super) struct Unknowns {
    /// Whether nothing that is prescribed moves.
    are_prescribed_at_rest: bool,
    /// Coordinates whose position is found, along the loops.
    pub positions: TangentSpace,
    /// Velocity variables that are found.
    pub speeds: Vec<usize>,
    /// Differential states of components that are found, by ordinal among their variables.
    pub states: Vec<usize>,
    /// Those whose rates shall vanish: all but positions of drive lines that move steadily.
    pub rates: Vec<usize>,
    /// Inputs that are found.
    pub inputs: Vec<usize>,
    /// Velocity variables whose accelerations shall vanish.
    pub rows: Vec<usize>,
    /// Velocity variables whose coordinates stay.
    pub is_held: Vec<bool>,
    /// Velocity variables that need not balance.
    left: Vec<bool>,
    /// Whether supports carry what is held.
    has_supports: bool,
    /// Where the loads of friction are found: the factor by which its regularisation is sharper than that of the model.
    /// Velocities then stand for these loads.
    pub sharper: Option<f64>,
    /// Directions in which velocities may stand for loads of friction.
    creep: TangentSpace,
    /// Speed up to which friction grows \[m/s\], where its loads are found.
    pub slip: f64,
    /// Velocity variables that are not changed when loops are closed.
    steady: Vec<usize>,
    /// Motions that follow others through gears with losses.
    pub followers: Vec<GearedFollower>,
    /// Typical size of every unknown [rad, m, rad/s, m/s, the state's, the input's].
    pub sizes: Vec<f64>,
    /// Typical size of every state.
    pub nominal: Vec<f64>,
    /// Whether a velocity variable is that of a translation.
    pub is_translation: Vec<bool>,
    /// Variables at the start of the search, where what is indifferent stays.
    pub start: Vec<f64>,
    /// Whether the structured matrix serves although it leaves out the turning of contact normals.
    pub is_approximate: bool,
    /// Smallest penetration of a loaded contact \[m\], and the nodes of loaded contacts.
    pub depth: f64,
    pub loaded: Vec<NodeOrdinal>,
    /// Whether all loaded contacts have stiction.
    pub all_stick: bool,
    /// What slides at the end of a search that found no rest.
    pub sliding: Sliding,
    /// What slid on the way.
    pub slips: Vec<Slip>,
    /// Largest translation of one step \[m\].
    pub reach: f64,
    /// Largest rotation of one step near contacts \[rad\].
    pub turn: f64,
    /// How far every velocity variable may be moved in a step of the continuation \[rad, m\].
    pub limits: Vec<f64>,
    /// Typical size of every acceleration that shall vanish \[rad/s², m/s²\].
    pub accelerations: Vec<f64>,
    /// Typical angular acceleration \[rad/s²\]: that of a pendulum of the largest length.
    pub swing: f64,
}

impl Unknowns {
    /// The unknowns of a request that gears with losses have been taken into account in.
    pub fn new(simulation: &mut Simulation, request: &EquilibriumRequest, followers: &[GearedFollower]) -> Self {
        let are_prescribed_at_rest = simulation.prescribed_motions_rest();
        let simulation = &*simulation;
        let Simulation { segment: Segment { topology, evaluator, .. }, .. } = simulation;
        let mut is_held = vec![false; topology.num_v];
        let stays = request.held.iter().chain(&request.steady).chain(&request.speeds);
        stays.filter(|&&v| v < topology.num_v).for_each(|&v| is_held[v] = true);
        let mut left = vec![false; topology.num_v];
        let carried = request.placed.iter().filter(|_| request.carries_placed);
        carried.for_each(|(v, _)| left[*v] = true);
        let differential = evaluator.components.differential();
        let drives = evaluator.components.own_motions();
        let of_drives = |motions: &[usize], order: usize| -> Vec<usize> {
            let drives = motions.iter().filter_map(|v| drives.get(v.checked_sub(topology.num_v)?));
            drives.map(|motion| motion[order]).collect()
        };
        let following = followers.iter().filter_map(|follower| match follower.motion {
            GearedMotion::Own(at) => Some([at, at + 1]),
            _ => None,
        });
        let following: Vec<usize> = following.flatten().collect();
        let moving = [of_drives(&request.steady, 0), of_drives(&request.speeds, 0), following].concat();
        let kept = [of_drives(&request.held, 0), moving.clone(), of_drives(&request.steady, 1)].concat();
        let without = |left_out: &[usize]| -> Vec<usize> {
            (0..differential.len()).filter(|k| differential[*k] && !left_out.contains(k)).collect()
        };
        let of_bodies = |motions: &[usize]| motions.iter().copied().filter(|v| *v < topology.num_v).collect();
        let nominal = evaluator.components.nominal();
        Self {
            are_prescribed_at_rest,
            positions: TangentSpace::default(),
            speeds: of_bodies(&request.speeds),
            states: without(&kept),
            rates: without(&moving),
            inputs: request.inputs.clone(),
            rows: Vec::new(),
            is_held,
            left,
            has_supports: false,
            sharper: None,
            creep: TangentSpace::default(),
            slip: 0.0,
            steady: of_bodies(&request.steady),
            followers: followers.to_vec(),
            sizes: Vec::new(),
            nominal,
            is_translation: simulation.translations(),
            start: simulation.point.y.clone(),
            is_approximate: false,
            depth: f64::INFINITY,
            loaded: Vec::new(),
            all_stick: true,
            sliding: Sliding::default(),
            slips: Vec::new(),
            reach: largest_length(topology),
            turn: f64::INFINITY,
            limits: Vec::new(),
            accelerations: Vec::new(),
            swing: 1.0,
        }
    }

    /// The same positions for bodies that rest, with everything held that moves: whatever holds it.
    pub fn at_rest(&self) -> Self {
        Self {
            left: self.is_held.clone(),
            speeds: Vec::new(),
            steady: Vec::new(),
            states: Vec::new(),
            rates: Vec::new(),
            inputs: Vec::new(),
            ..self.clone()
        }
    }

    /// The same unknowns, with everything else that is given held as well, whatever holds it.
    pub fn holding(&self, held: &[usize]) -> Self {
        let mut resting = self.at_rest();
        held.iter().for_each(|v| resting.is_held[*v] = true);
        resting.left.clone_from(&resting.is_held);
        resting
    }

    /// The same unknowns with supports for what is held, and inputs as they are.
    pub fn supported(&self) -> Self {
        Self { left: self.is_held.clone(), has_supports: true, inputs: Vec::new(), ..self.clone() }
    }

    /// Whether a velocity variable is steady and not zero.
    pub fn moves(&self, v: usize) -> bool {
        self.steady.contains(&v) || self.speeds.contains(&v)
    }

    /// Whether nothing moves at the equilibrium, prescribed motions included.
    pub fn is_everything_at_rest(&self) -> bool {
        self.are_static() && self.are_prescribed_at_rest
    }

    /// Whether nothing but positions and states of components is sought, for rest alone.
    pub fn are_static(&self) -> bool {
        self.inputs.is_empty() && self.speeds.is_empty() && self.steady.is_empty() && self.states == self.rates
    }

    /// Whether everything shall rest, by inputs that are found if by anything.
    pub fn rest_but_for_inputs(&self) -> bool {
        let rests = self.speeds.is_empty() && self.steady.is_empty() && self.states == self.rates;
        rests && self.are_prescribed_at_rest
    }

    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether an unknown is an input, which may drive a joint and with it the loops it is in.
    fn is_input(&self, k: usize) -> bool {
        k >= self.len() - self.inputs.len()
    }
}

impl Simulation {
    /// Prepares differences at the present point: loops closed, pairs near each other armed, conditions settled.
    pub(super) fn arrange(&mut self, unknowns: &mut Unknowns) -> Result<(), SimulationError> {
        self.check_stop()?;
        self.close_at_rest(unknowns)?;
        self.arm_near(unknowns)?;
        self.update_relations();
        let n = self.segment.topology.num_v;
        let weight = self.pivot_weights();
        let mut ties = self.ties_of_joints();
        ties.extend(unknowns.followers.iter().filter_map(|follower| match (follower.motion, follower.leader) {
            (GearedMotion::Joint { v, .. }, GearedMotion::Joint { v: leader, .. }) => {
                Some(vec![(v, 1.0), (leader, -follower.ratio)])
            }
            _ => None,
        }));
        let loops = &self.segment.evaluator.loops;
        unknowns.positions = loops.tangent_space(&unknowns.is_held, &ties, &weight);
        unknowns.rows = loops.tangent_space(&unknowns.left, &ties, &weight).independent;
        if unknowns.sharper.is_some() {
            unknowns.creep = loops.tangent_space(&vec![false; n], &ties, &weight);
            unknowns.speeds.clone_from(&unknowns.creep.independent);
        }
        let heaviest = self
            .segment
            .evaluator
            .workspace
            .bodies
            .iter()
            .map(|body| self.segment.topology.gravity.acceleration(&body.p).norm());
        let heaviest = heaviest.fold(0.0, f64::max);
        let unit = self.segment.topology.scales.acceleration_of(true);
        let acceleration = if heaviest > 0.0 { heaviest } else { unit };
        let length = largest_length(&self.segment.topology);
        unknowns.swing = acceleration / length;
        let is_translation = std::mem::take(&mut unknowns.is_translation);
        let typical = |v: &usize| if is_translation[*v] { acceleration } else { acceleration / length };
        unknowns.accelerations = unknowns.rows.iter().map(typical).collect();
        let size = |v: usize| if is_translation[v] { length } else { 1.0 };
        let inputs = unknowns.inputs.iter().map(|&k| {
            let nominal = self.model.scene.inputs[k].nominal.unwrap_or(1.0).abs();
            nominal.max(self.segment.signals.input(k).abs())
        });
        let states = unknowns
            .states
            .iter()
            .map(|&k| unknowns.nominal[k].max(self.point.y[self.segment.topology.num_variables() + k].abs()));
        let positions = unknowns.positions.independent.iter().map(|&v| size(v));
        let second = match unknowns.sharper {
            Some(_) => unknowns.slip / length,
            None => 1.0,
        };
        let speeds = unknowns.speeds.iter().map(|&v| second * size(v));
        unknowns.sizes = positions.chain(speeds).chain(states).chain(inputs).collect();
        unknowns.is_translation = is_translation;
        Ok(())
    }

    /// Which velocity variables are those of translations.
    fn translations(&self) -> Vec<bool> {
        let mut all = vec![false; self.segment.topology.num_v];
        for node in &self.segment.topology.nodes {
            let is_translation = |k: usize| match node.mobilizer {
                Mobilizer::Axis { rotation, .. } => rotation == 0.0,
                _ => k >= 3,
            };
            (0..node.mobilizer.num_v()).for_each(|k| all[node.v + k] = is_translation(k));
        }
        all
    }

    /// Coordinates with a start value of their own are rather independent than others, joints with one axis rather than
    /// balls. Translations are compared with rotations by the size of the model.
    pub(in crate::simulation) fn pivot_weights(&self) -> Vec<f64> {
        let mut weights = vec![1.0; self.segment.topology.num_v];
        for node in &self.segment.topology.nodes {
            if let Mobilizer::Axis { .. } = node.mobilizer {
                weights[node.v] = WEIGHT_OF_AXIS;
            }
        }
        let length = largest_length(&self.segment.topology);
        for (id, joint) in self.model.scene.joints.iter() {
            for (dof, coordinate) in joint.dofs.iter().zip(&self.segment.topology.joints[id.index()].coordinates) {
                if let (Coordinate::State { v, .. }, Mobility::Fixed) = (coordinate, dof.position_mobility) {
                    weights[*v] = WEIGHT_OF_GIVEN;
                }
            }
        }
        for (weight, _) in weights.iter_mut().zip(self.translations()).filter(|(_, is_translation)| *is_translation) {
            *weight *= length;
        }
        weights
    }

    /// Closes loops in position and velocity without moving what is held.
    pub(super) fn close_at_rest(&mut self, unknowns: &Unknowns) -> Result<(), SimulationError> {
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.workspace.drive(&self.segment.topology, &mut self.segment.signals);
        if self.segment.topology.closures.is_empty() {
            self.follow_gears(&unknowns.followers);
            return Ok(());
        }
        let mobility = |is_fixed: bool| if is_fixed { Mobility::Fixed } else { Mobility::Free };
        let positions: Vec<Mobility> = unknowns.is_held.iter().map(|&held| mobility(held)).collect();
        let velocities: Vec<Mobility> =
            (0..self.segment.topology.num_v).map(|v| mobility(unknowns.steady.contains(&v))).collect();
        let (q, v) = self.point.y.split_at_mut(self.segment.topology.num_q);
        let v = &mut v[..self.segment.topology.num_v];
        if close_with(&self.segment.topology, &mut self.segment.evaluator, [&positions, &velocities], q, v) {
            self.follow_gears(&unknowns.followers);
            Ok(())
        } else {
            Err(SimulationError::Start(self.torn_loop()))
        }
    }

    /// Pairs of shapes near each other at the present point.
    pub(super) fn near_pairs(&mut self) -> Vec<PairDistance> {
        if self.segment.topology.shapes.len() < 2 || self.model.scene.analysis != Analysis::Dynamic {
            return Vec::new();
        }
        self.place_bodies();
        self.segment
            .evaluator
            .contacts
            .measure(&self.segment.topology, &self.segment.evaluator.workspace.bodies)
            .to_vec()
    }

    /// Law of a contact that has been at rest from its beginning: its load damps it critically at most.
    pub(super) fn resting_law(&self, pair: PairId) -> Result<ContactConstants, SimulationError> {
        let law = named_contact_law(&self.model.scene, &self.segment.topology, pair).map_err(SimulationError::Start)?;
        let mass = effective_mass(&self.segment.topology, pair);
        let is_adaptive = law.options.constants == ConstantsRule::Adaptive && law.pair.damping.is_none();
        let bound = (is_adaptive && mass.is_finite()).then_some(DampingBound { mass, weight: 1.0 });
        Ok(ContactConstants { bound, ..law.freeze(0.0) })
    }

    /// Lets all pairs near each other take part in the equations, without losses where nothing moves.
    pub(super) fn arm_near(&mut self, unknowns: &mut Unknowns) -> Result<(), SimulationError> {
        if let Some(sharper) = unknowns.sharper {
            return self.arm(unknowns, |law| law.without_damping(sharper));
        }
        let is_smooth = self.has_frictionless_contacts(unknowns);
        self.arm(unknowns, |law| if is_smooth { law.without_losses() } else { law })
    }

    /// As [`Simulation::arm_near`], with friction; if a time \[s\] is given, regularised so sharply that what is held
    /// creeps by no more than a small fraction of the thinnest shape in it. Returns the factor of the speeds.
    pub(super) fn arm_with_friction(
        &mut self,
        unknowns: &mut Unknowns,
        time: Option<f64>,
    ) -> Result<f64, SimulationError> {
        let Some(time) = time else {
            self.arm(unknowns, |law| law.without_damping(1.0))?;
            return Ok(1.0);
        };
        let thinnest = self.segment.topology.shapes.iter().map(|shape| shape.thickness).fold(f64::INFINITY, f64::min);
        let mut fastest = 0.0_f64;
        for at in self.near_pairs() {
            fastest = fastest.max(self.resting_law(at.pair)?.v_min);
        }
        let sharper = (MAX_CREEP_PER_THICKNESS * thinnest / (fastest * time)).min(1.0);
        self.arm(unknowns, |law| law.without_damping(sharper))?;
        Ok(sharper)
    }

    fn arm(
        &mut self,
        unknowns: &mut Unknowns,
        law_of: impl Fn(ContactConstants) -> ContactConstants,
    ) -> Result<(), SimulationError> {
        let near = self.near_pairs();
        (unknowns.depth, unknowns.loaded, unknowns.all_stick) = (f64::INFINITY, Vec::new(), true);
        unknowns.slip = 0.0;
        unknowns.reach = largest_length(&self.segment.topology);
        if self.segment.topology.shapes.len() < 2 {
            unknowns.limits.clear();
            return Ok(());
        }
        let mut armed = Vec::with_capacity(near.len());
        let mut nearest = self.segment.topology.collision_margin;
        for at in &near {
            let law = self.resting_law(at.pair)?;
            let law = law_of(law);
            unknowns.slip = unknowns.slip.max(law.v_min);
            armed.push((at.pair, law));
            nearest = nearest.min(at.dist.max(0.0));
            if at.dist < 0.0 {
                let material = named_contact_law(&self.model.scene, &self.segment.topology, at.pair)
                    .map_err(SimulationError::Start)?;
                unknowns.all_stick &= material.sticks();
                unknowns.depth = unknowns.depth.min(-at.dist);
                let nodes = [at.pair.a, at.pair.b].map(|shape| self.segment.topology.shapes[shape as usize].node);
                unknowns.loaded.extend(nodes.into_iter().filter(|node| *node != WORLD));
            }
        }
        let thinnest = self.segment.topology.shapes.iter().map(|shape| shape.thickness).fold(f64::INFINITY, f64::min);
        let length = unknowns.reach;
        unknowns.reach = length.min(nearest + MAX_DEEPENING * thinnest);
        unknowns.turn = if near.is_empty() { f64::INFINITY } else { (nearest + MAX_DEEPENING * thinnest) / length };
        unknowns.limits = limits(&self.segment.topology, &near, MAX_DEEPENING);
        self.segment
            .evaluator
            .contacts
            .arm(&self.segment.topology, armed.iter().map(|(pair, constants)| (*pair, constants)));
        Ok(())
    }

    /// Accelerations, rates of states and deviations from targets at the present point; NaN where there is no solution.
    pub(super) fn imbalance(&mut self, unknowns: &Unknowns, targets: &mut Targets<'_>) -> Vec<f64> {
        self.point.stage = Stage::Nothing;
        self.contacts.results.forget();
        let solved = match unknowns.has_supports {
            true => self.supported_derivatives(unknowns).map(|_| ()),
            false => self.consistent_derivatives(),
        };
        let is_solved = solved.is_ok();
        let (num_q, own) = (self.segment.topology.num_q, self.segment.topology.num_variables());
        let accelerations = unknowns.rows.iter().map(|v| self.point.yp[num_q + v]);
        let mut out: Vec<f64> = accelerations.chain(unknowns.rates.iter().map(|k| self.point.yp[own + k])).collect();
        if !is_solved {
            out.fill(f64::NAN);
            return out;
        }
        self.point.stage = Stage::Acceleration;
        out.extend(targets(self).unwrap_or_else(|_| vec![f64::NAN]));
        out
    }

    /// How all coordinates move, by their velocity variables, when unknowns change by multiples of their sizes.
    pub(super) fn displacement_of(&self, unknowns: &Unknowns, change: &[f64]) -> Vec<f64> {
        let mut displacement = vec![0.0; self.segment.topology.num_v];
        for (k, direction) in unknowns.positions.directions.iter().enumerate().filter(|(k, _)| change[*k] != 0.0) {
            direction.iter().for_each(|(v, along)| displacement[*v] += change[k] * unknowns.sizes[k] * along);
        }
        displacement
    }

    /// Moves the unknowns by multiples of their sizes.
    pub(super) fn shift(&mut self, unknowns: &Unknowns, change: &[f64]) {
        let (num_q, own) = (self.segment.topology.num_q, self.segment.topology.num_variables());
        let step = self.displacement_of(unknowns, change);
        let change: Vec<f64> = change.iter().zip(&unknowns.sizes).map(|(change, size)| change * size).collect();
        let (_, others) = change.split_at(unknowns.positions.independent.len());
        let (speeds, others) = others.split_at(unknowns.speeds.len());
        let (states, inputs) = others.split_at(unknowns.states.len());
        displace(&self.segment.topology, &step, &mut self.point.y[..num_q]);
        if unknowns.sharper.is_some() {
            for (direction, change) in unknowns.creep.directions.iter().zip(speeds) {
                direction.iter().for_each(|(v, along)| self.point.y[num_q + v] += change * along);
            }
        } else {
            unknowns.speeds.iter().zip(speeds).for_each(|(v, change)| self.point.y[num_q + v] += change);
        }
        unknowns.states.iter().zip(states).for_each(|(k, change)| self.point.y[own + k] += change);
        let t = self.point.t;
        self.segment.signals.change_inputs(|all| {
            unknowns.inputs.iter().zip(inputs).for_each(|(k, change)| all.shift(*k, *change, t));
            all.start_filters();
        });
        self.follow_gears(&unknowns.followers);
        self.point.stage = Stage::Nothing;
    }

    /// Derivatives of [`Simulation::imbalance`] by the unknowns, in multiples of their sizes; and the rounding errors
    /// of each column.
    pub(super) fn balance_slopes(
        &mut self,
        unknowns: &Unknowns,
        targets: &mut Targets<'_>,
        at: &[f64],
    ) -> (DMatrix<f64>, f64) {
        let typical = unknowns.accelerations.iter().copied().reduce(f64::max).unwrap_or(1.0);
        let largest = at.iter().fold(typical, |largest, x| largest.max(x.abs()));
        let mut slopes = DMatrix::zeros(at.len(), unknowns.len());
        let mut noise = 0.0_f64;
        for k in 0..unknowns.len() {
            let mut column = self.slope(unknowns, targets, k, STEP);
            let small = STEP.min(STEP_IN_CONTACT * unknowns.depth);
            if small < STEP && self.moves_contact(unknowns, k) {
                let errors = ROUNDING * largest / small;
                let fine = self.slope(unknowns, targets, k, small);
                for (coarse, fine) in column.iter_mut().zip(fine) {
                    let is_same = (fine - *coarse).abs() <= 10.0 * errors + DERIVATIVE_AGREEMENT * fine.abs();
                    *coarse = if is_same { *coarse } else { fine };
                }
            }
            noise = noise.max(ROUNDING * largest / STEP);
            slopes.column_mut(k).iter_mut().zip(column).for_each(|(to, from)| *to = from);
        }
        (slopes, noise)
    }

    /// Central difference with respect to one unknown.
    fn slope(&mut self, unknowns: &Unknowns, targets: &mut Targets<'_>, k: usize, step: f64) -> Vec<f64> {
        let here = (self.point.y.clone(), self.point.yp.clone(), self.segment.signals.inputs().clone());
        let mut change = vec![0.0; unknowns.len()];
        let mut ends = [step, -step].map(|by| {
            change[k] = by;
            self.shift(unknowns, &change);
            let is_closed = !unknowns.is_input(k) || self.close_at_rest(unknowns).is_ok();
            let mut end = self.imbalance(unknowns, targets);
            if !is_closed {
                end.fill(f64::NAN);
            }
            self.point.y.clone_from(&here.0);
            self.point.yp.clone_from(&here.1);
            self.segment.signals.set_inputs(&here.2);
            end
        });
        self.point.stage = Stage::Nothing;
        let [ahead, behind] = &mut ends;
        ahead.iter().zip(&*behind).map(|(a, b)| (a - b) / (2.0 * step)).collect()
    }

    /// Whether an unknown moves the bodies of a loaded contact.
    fn moves_contact(&self, unknowns: &Unknowns, k: usize) -> bool {
        let Some(v) = unknowns.positions.independent.get(k) else { return false };
        if !self.segment.topology.closures.is_empty() {
            return true;
        }
        let Some(owner) = self.segment.topology.node_of(self.segment.topology.num_q + v) else { return false };
        unknowns.loaded.iter().any(|&node| {
            let mut at = node;
            while at > owner {
                at = self.segment.topology.nodes[at].parent;
            }
            at == owner
        })
    }
}
