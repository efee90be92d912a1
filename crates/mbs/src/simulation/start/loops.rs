//! Start values of models with loops.

use super::orientations::{Open, close_orientations};
use super::tolerance::distance;
use crate::dynamics::{Assembly, EvaluationPoint, Evaluator, displace};
use crate::force::Signals;
use crate::scene::{DofData, Joint, JointType, Mobility, Scene};
use crate::simulation::error::SimulationError;
use crate::topology::{Coordinate, Node, Topology, WELD};

/// Given start values may be wrong by this much, in radians and scales of length and time; they are then corrected.
pub(in crate::simulation) const SLIP: f64 = 1e-3;
/// Weight of given values when they are corrected, over that of free ones.
const GIVEN_VALUE_WEIGHT: f64 = 1e-6;
/// Positions this far from all guesses are those that were meant \[rad, or relative to the scale of length\].
const NEAR_GUESSES: f64 = 0.05;
/// Starts that are tried when loops do not close from the given one.
const TRIALS: u32 = 40;

/// Distance along the velocities \[rad\] from a change point at which its dependent equations are independent again.
const OFFSET_FROM_CHANGE_POINT: f64 = 1e-3;

/// Distance over which start velocities are tried \[rad, or relative to the largest lever arm\]: larger than the
/// neighbourhood of a change point in which velocities are uncertain, too small for the curvature of a mechanism.
const LOOK_AHEAD: f64 = 1e-4;
/// Fraction of that distance that closing the loops may correct.
const MAX_CORRECTION: f64 = 0.05;

/// Mobility of every velocity variable, on position and on velocity level.
pub(in crate::simulation) struct Mobilities {
    pub positions: Vec<Mobility>,
    pub velocities: Vec<Mobility>,
}

/// Closes all loops in position and velocity. Values that were given stay; when they contradict each other a little,
/// they are corrected as little as possible.
///
/// # Errors
/// Loops that cannot be closed: the joint, and how far it stays open.
pub(in crate::simulation) fn assemble(
    scene: &Scene,
    topology: &Topology,
    evaluator: &mut Evaluator,
    signals: &mut Signals,
    y: &mut [f64],
) -> Result<(), SimulationError> {
    if topology.closures.is_empty() {
        return Ok(());
    }
    let mobilities = mobilities(scene, topology);
    // Conditions in motions have their truth of the start.
    signals.update_time_relations();
    signals.unfreeze();
    evaluator.workspace.drive(topology, signals);
    signals.freeze();
    if let Some(name) = motion_without_value(topology, evaluator) {
        let message = format!("the prescribed motion of `{name}` or a derivative of it has no value at the start");
        return Err(SimulationError::Start(message));
    }
    let (q, v) = y.split_at_mut(topology.num_q);
    let v = &mut v[..topology.num_v];
    close_positions(topology, evaluator, &mobilities.positions, q)?;
    let tolerates_misfit = are_redundant(topology, evaluator, q, v);
    if !(Assembly { tolerates_misfit, ..assembly(topology, evaluator, &mobilities.velocities, 0.0) }).stop_gaps(q, v) {
        let opening = evaluator.loops.widest_rate();
        let given = v.to_vec();
        let closed = assembly(topology, evaluator, &mobilities.velocities, GIVEN_VALUE_WEIGHT).stop_gaps(q, v);
        if !closed || changed(topology, &mobilities.velocities, &given, v) > SLIP {
            return Err(contradicting_velocities(topology, opening));
        }
    }
    if leaves_constraint_manifold(topology, evaluator, q, v) {
        return Err(ambiguous_start(topology, evaluator));
    }
    evaluator.workspace.move_bodies(topology, q, v, v);
    evaluator.loops.update(topology, &evaluator.workspace);
    evaluator.loops.select();
    Ok(())
}

/// Whether start velocities satisfy the linearised equations of the loops but leave the constraint manifold, as happens
/// at change points: closing the loops again after a small displacement corrects much of it.
fn leaves_constraint_manifold(topology: &Topology, evaluator: &mut Evaluator, q: &[f64], v: &[f64]) -> bool {
    let length = evaluator.loops.length();
    let mut ahead = configuration_ahead(topology, evaluator, q, v, LOOK_AHEAD);
    if ahead == q || !topology.motions.is_empty() {
        return false;
    }
    let extrapolated = ahead.clone();
    let corrected = |ahead: &[f64]| distance(topology, length, &extrapolated, ahead) > MAX_CORRECTION * LOOK_AHEAD;
    close_from(topology, evaluator, &mut ahead)
        && corrected(&ahead)
        && !redundant_equations_disagree(topology, evaluator, EvaluationPoint { q, v }, &extrapolated, corrected)
}

/// Whether redundant equations hold at `q` but fail slightly at `ahead`, where closing those in use alone corrects
/// nothing. In a change point the independent equations are fewer than beside it.
fn redundant_equations_disagree(
    topology: &Topology,
    evaluator: &mut Evaluator,
    EvaluationPoint { q, v }: EvaluationPoint<'_>,
    ahead: &[f64],
    corrected: impl Fn(&[f64]) -> bool,
) -> bool {
    let mut closed = ahead.to_vec();
    let all = vec![Mobility::Free; topology.num_v];
    are_redundant(topology, evaluator, q, v) && {
        let gap = assembly(topology, evaluator, &all, 1.0).close_independent_gaps(&mut closed);
        !corrected(&closed) && evaluator.loops.accept_misfit(gap)
    }
}

/// The configuration so far ahead along given velocities, in \[rad\].
fn configuration_ahead(topology: &Topology, evaluator: &Evaluator, q: &[f64], v: &[f64], by: f64) -> Vec<f64> {
    let mut ahead = q.to_vec();
    displace(topology, v, &mut ahead);
    let speed = distance(topology, evaluator.loops.length(), &ahead, q);
    ahead.copy_from_slice(q);
    if speed > 0.0 {
        let step: Vec<f64> = v.iter().map(|v| v * by / speed).collect();
        displace(topology, &step, &mut ahead);
    }
    ahead
}

/// Whether equations that are redundant in the configuration `q` are also redundant ahead of it, along given
/// velocities, so that `q` is not a change point. The equations in use are then independent at `q`.
fn are_redundant(topology: &Topology, evaluator: &mut Evaluator, q: &[f64], v: &[f64]) -> bool {
    let ahead = configuration_ahead(topology, evaluator, q, v, OFFSET_FROM_CHANGE_POINT);
    select_at(topology, evaluator, &ahead);
    let beside = evaluator.loops.num_independent_at_all();
    select_at(topology, evaluator, q) == beside
}

/// Chooses independent equations in a configuration; returns how many there are.
fn select_at(topology: &Topology, evaluator: &mut Evaluator, q: &[f64]) -> usize {
    evaluator.workspace.move_bodies(topology, q, &vec![0.0; topology.num_v], &vec![0.0; topology.num_v]);
    evaluator.loops.update(topology, &evaluator.workspace);
    evaluator.loops.select();
    evaluator.loops.num_used()
}

fn ambiguous_start(topology: &Topology, evaluator: &Evaluator) -> SimulationError {
    let k = evaluator.loops.widest_gap().map_or(0, |(k, ..)| k);
    let names: Vec<String> = joints_of_loop(topology, k).iter().map(|name| format!("`{name}`")).collect();
    SimulationError::Start(format!(
        "the start velocities do not lead along the mechanism: the loop that joint `{}` closes starts at or near a change point, where it can go on in \
         more than one way; start a little beside it, or give the start velocities of more of its joints ({})",
        topology.closures[k].name,
        names.join(", ")
    ))
}

pub(in crate::simulation) fn assembly<'a>(
    topology: &'a Topology,
    evaluator: &'a mut Evaluator,
    mobility: &'a [Mobility],
    weight_of_given: f64,
) -> Assembly<'a> {
    Assembly {
        topology,
        workspace: &mut evaluator.workspace,
        loops: &mut evaluator.loops,
        mobility,
        weight_of_given,
        tolerates_misfit: false,
    }
}

/// Closes the gaps with all coordinates free to move; true when that succeeds.
pub(in crate::simulation) fn close_from(topology: &Topology, evaluator: &mut Evaluator, q: &mut [f64]) -> bool {
    let all = vec![Mobility::Free; topology.num_v];
    Assembly { tolerates_misfit: true, ..assembly(topology, evaluator, &all, 1.0) }.close_gaps(q)
}

/// Closes the gaps in position, then in velocity, with given mobilities of both; true when that succeeds.
pub(in crate::simulation) fn close_with(
    topology: &Topology,
    evaluator: &mut Evaluator,
    [positions, velocities]: [&[Mobility]; 2],
    q: &mut [f64],
    v: &mut [f64],
) -> bool {
    let is_closed = assembly(topology, evaluator, positions, 0.0).close_gaps(q)
        && assembly(topology, evaluator, velocities, 0.0).stop_gaps(q, v);
    evaluator.workspace.move_bodies(topology, q, v, v);
    evaluator.loops.update(topology, &evaluator.workspace);
    evaluator.loops.select();
    is_closed
}

/// Changes all velocities but the independent ones until no gap opens at positions `q`.
pub(in crate::simulation) fn velocities_that_close(
    topology: &Topology,
    evaluator: &mut Evaluator,
    independent: &[usize],
    q: &[f64],
    v: &mut [f64],
) {
    let mobility = |k: usize| if independent.contains(&k) { Mobility::Fixed } else { Mobility::Free };
    let all: Vec<Mobility> = (0..topology.num_v).map(mobility).collect();
    assembly(topology, evaluator, &all, 0.0).stop_gaps(q, v);
}

/// Closes the gaps from the given start, else from others nearby, else with small corrections of given values.
fn close_positions(
    topology: &Topology,
    evaluator: &mut Evaluator,
    mobility: &[Mobility],
    q: &mut [f64],
) -> Result<(), SimulationError> {
    close_orientations(topology, evaluator, mobility, q, Open::Ball);
    let given = q.to_vec();
    if assembly(topology, evaluator, mobility, 0.0).close_gaps(q) {
        prefer_assembly_near_guesses(topology, evaluator, mobility, &given, q);
        return Ok(());
    }
    let nearest = q.to_vec();
    q.copy_from_slice(&given);
    if assembly(topology, evaluator, mobility, GIVEN_VALUE_WEIGHT).close_gaps(q)
        && distance_of(Mobility::Fixed, topology, mobility, &given, q) <= SLIP
    {
        return Ok(());
    }
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for trial in 1..=TRIALS {
        q.copy_from_slice(&given);
        let size = std::f64::consts::PI * f64::from(trial) / f64::from(TRIALS);
        let mut random_step = |(m, unit): (&Mobility, f64)| match m {
            Mobility::Fixed => 0.0,
            Mobility::Guess | Mobility::Free => size * random.number() * unit,
        };
        let units = topology.velocity_scales().into_iter().map(|unit| unit * topology.scales.time);
        let step: Vec<f64> = mobility.iter().zip(units).map(&mut random_step).collect();
        displace(topology, &step, q);
        if assembly(topology, evaluator, mobility, 0.0).close_gaps(q) {
            return Ok(());
        }
    }
    q.copy_from_slice(&nearest);
    if (Assembly { tolerates_misfit: true, ..assembly(topology, evaluator, mobility, 0.0) }).close_gaps(q) {
        return Ok(());
    }
    Err(open_loop(topology, evaluator))
}

/// Takes another configuration `q` in which the loops are closed if it is nearer to the guesses among the given values.
/// The other configuration is found by closing the loops in orientation first, with hinges left open.
fn prefer_assembly_near_guesses(
    topology: &Topology,
    evaluator: &mut Evaluator,
    mobility: &[Mobility],
    given: &[f64],
    q: &mut [f64],
) {
    let away = |q: &[f64]| distance_of(Mobility::Guess, topology, mobility, given, q);
    if away(q) < NEAR_GUESSES {
        return;
    }
    let mut other = given.to_vec();
    let is_other = close_orientations(topology, evaluator, mobility, &mut other, Open::Hinge);
    if is_other && assembly(topology, evaluator, mobility, 0.0).close_gaps(&mut other) && away(&other) < away(q) {
        q.copy_from_slice(&other);
    }
}

/// A small deterministic generator (xorshift64*).
struct Random(u64);

impl Random {
    /// Uniform in [-1, 1).
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn open_loop(topology: &Topology, evaluator: &Evaluator) -> SimulationError {
    let (k, angle, distance) = evaluator.loops.widest_gap().unwrap_or((0, 0.0, 0.0));
    let names: Vec<String> = joints_of_loop(topology, k).iter().map(|name| format!("`{name}`")).collect();
    SimulationError::Start(format!(
        "the loop that joint `{}` closes cannot be closed with the given start values and dimensions: it stays open by {distance:.3e} m and \
         {angle:.3e} rad; leave more start values of its joints ({}) open, or correct dimensions and prescribed motions",
        topology.closures[k].name,
        names.join(", ")
    ))
}

/// Joints on the path of a loop, each once.
pub(in crate::simulation) fn joints_of_loop(topology: &Topology, closure: usize) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (node, _) in &topology.closures[closure].path {
        let name = topology.nodes[*node].name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Joint whose prescribed motion, or a derivative of it, is not a number that can be worked with.
pub(in crate::simulation) fn motion_without_value(topology: &Topology, evaluator: &Evaluator) -> Option<String> {
    let lacks_value = |node: &&Node| {
        let motions = &evaluator.workspace.motions[node.mobilizer.motions()];
        !motions.iter().all(|x| x.q.is_finite() && x.v.is_finite() && x.a.is_finite())
    };
    topology.nodes.iter().find(lacks_value).map(|node| node.name.clone())
}

/// `opening`: the loop that opens fastest with the given velocities.
fn contradicting_velocities(topology: &Topology, opening: Option<(usize, f64, f64)>) -> SimulationError {
    let (k, w, v) = opening.unwrap_or((0, 0.0, 0.0));
    SimulationError::Start(format!(
        "the start velocities and prescribed motions of the loop that joint `{}` closes contradict each other: it would open with {v:.3e} m/s and \
         {w:.3e} rad/s; leave more start velocities of its joints open, or drive fewer of them",
        topology.closures[k].name
    ))
}

/// Largest change of a given velocity, relative to its scale.
fn changed(topology: &Topology, mobility: &[Mobility], before: &[f64], after: &[f64]) -> f64 {
    let changes = before.iter().zip(after).zip(topology.velocity_scales()).map(|((a, b), unit)| (a - b).abs() / unit);
    let given = mobility.iter().zip(changes).filter(|(m, _)| **m == Mobility::Fixed);
    given.map(|(_, change)| change).fold(0.0, f64::max)
}

/// Largest change of a position of one mobility \[rad, or relative to the scale of length\]; rotations of balls count
/// by the change of their quaternion.
fn distance_of(which: Mobility, topology: &Topology, mobility: &[Mobility], before: &[f64], after: &[f64]) -> f64 {
    let given = topology.nodes.iter().filter(|node| (node.velocities()).any(|k| mobility[k] == which));
    given
        .flat_map(|node| (0..node.mobilizer.num_q()).map(move |k| (node.q + k, node.mobilizer.position_translates(k))))
        .map(|(k, translates)| (before[k] - after[k]).abs() / topology.scales.position_of(translates))
        .fold(0.0, f64::max)
}

pub(in crate::simulation) fn mobilities(scene: &Scene, topology: &Topology) -> Mobilities {
    let fixed = || vec![Mobility::Fixed; topology.num_v];
    let mut found = Mobilities { positions: fixed(), velocities: fixed() };
    for (id, joint) in scene.joints.iter() {
        let layout = &topology.joints[id.index()];
        for (k, (dof, coordinate)) in joint.dofs.iter().zip(&layout.coordinates).enumerate() {
            if let Coordinate::State { v, .. } = coordinate {
                found.positions[*v] = position_mobility(joint, k, dof);
                found.velocities[*v] = dof.velocity_mobility;
            }
        }
    }
    found
}

fn position_mobility(joint: &Joint, k: usize, dof: &DofData) -> Mobility {
    let turns = matches!(joint.kind, JointType::Spherical | JointType::Free) && k < 3;
    if turns { joint.rotation_mobility } else { dof.position_mobility }
}

/// Equations of the cut joint that are redundant, as text, for every loop that has some.
pub(in crate::simulation) fn redundancy(scene: &Scene, topology: &Topology, evaluator: &Evaluator) -> Vec<String> {
    let of = evaluator.loops.redundancy(topology).filter(|(_, redundant)| *redundant > 0);
    of.map(|(closure, redundant)| {
        let all = WELD - closure.joint.map_or(0, |joint| scene.joints[joint].dofs.len());
        let misfit = evaluator.loops.misfit();
        let by = if misfit > 0.0 {
            format!("; those of all loops contradict the others by {misfit:.1e} rad")
        } else {
            String::new()
        };
        format!("loop of {}: {redundant} of {all} equations are redundant{by}", closure.name)
    })
    .collect()
}
