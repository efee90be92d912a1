//! Results of equilibrium searches, and notes on them.

use super::balance::Unknowns;
use super::newton::{Balanced, significant};
use super::{EquilibriumRequest, Unsteady};
use crate::component_system::GearedMotion;
use crate::math::{Scales, Vec3};
use crate::newton_euler::quaternion_at;
use crate::simulation::run::Simulation;
use crate::spatial::WORLD;
use crate::topology::{CollisionShape, Mobilizer};
use crate::variables::DegreeOfFreedom;

/// Acceleration, over what is typical, that is left to friction: without it, what remains is far smaller.
const LEFT_TO_FRICTION: f64 = 1e-5;

/// Rate of a state, over its nominal value, that does not vanish: where one is found without friction, it is far smaller.
const LEFT_TO_RATES: f64 = 1e-6;

/// Acceleration \[rad/s², m/s²\] of what follows from loops that is no rounding error.
const MOVES: f64 = 1e-3;

/// Largest number of bodies named in a message.
const MAX_NAMED: usize = 5;

/// Role of a coordinate in an equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoordinateRole {
    /// Its position was found.
    Found,
    /// Its position was found where friction holds it.
    HeldByFriction,
    /// Its position follows from others by closed loops.
    Follows,
    /// Its position stayed as asked for.
    Held,
    /// Nothing determines its position, so that it stayed.
    Indifferent,
    /// It moves with a velocity that was given.
    Steady,
    /// It moves with a velocity that was found.
    SpeedFound,
    /// It moves with the velocity that it had, as nothing determines it.
    SpeedIndifferent,
}

/// A coordinate at an equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct CoordinateAtRest {
    /// Names and unit.
    pub name: DegreeOfFreedom,
    /// Position; of a rotation of a spherical or free motion the component of the rotation vector \[rad\].
    pub position: Option<f64>,
    /// Velocity.
    pub velocity: f64,
    /// What remains of the acceleration.
    pub acceleration: f64,
    /// Its role.
    pub role: CoordinateRole,
}

/// A state of a component at an equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct StateAtRest {
    /// Name.
    pub name: String,
    /// Unit; `1` without dimension.
    pub unit: String,
    /// Value.
    pub value: f64,
    /// What remains of its rate.
    pub rate: f64,
    /// Its role.
    pub role: CoordinateRole,
}

/// An equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// All degrees of freedom.
    pub coordinates: Vec<CoordinateAtRest>,
    /// Differential states of components.
    pub states: Vec<StateAtRest>,
    /// Inputs that were found: ordinal and value.
    pub inputs: Vec<(usize, f64)>,
    /// Inputs among them that nothing determines.
    pub indifferent_inputs: Vec<usize>,
    /// Joints whose prescribed motions move at this time: what follows from them cannot rest.
    pub moving: Vec<String>,
    /// Components that work at discrete times: their outputs stay as they were at the start.
    pub sampled: Vec<String>,
    /// Bodies that are farther from their start than they are large: object, distance \[m\], the farthest first.
    pub far: Vec<(String, f64)>,
    /// Euclidean norm of the changes of speeds that were to be found, since the start \[rad/s, m/s\].
    pub change_of_speeds: f64,
    /// A motion that is steady for an instant only.
    pub unsteady: Option<Unsteady>,
    /// Objects that friction holds, and how fast they creep \[m/s\], the fastest first.
    pub creeping: Vec<(String, f64)>,
    /// Whether it is unstable although it is not near the start: the motion has led to no stable one.
    pub unstable: bool,
    /// Units of length, time and mass of the model.
    pub scales: Scales,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Steps of the pseudo-transient continuation before it.
    pub relaxations: usize,
}

impl Equilibrium {
    /// Names of coordinates and states that nothing determines.
    #[must_use]
    pub fn indifferent(&self) -> Vec<&str> {
        let coordinates = self.coordinates.iter().filter_map(|at| match at.role {
            CoordinateRole::Indifferent => Some(at.name.position.as_str()),
            CoordinateRole::SpeedIndifferent => Some(at.name.velocity.as_str()),
            _ => None,
        });
        let is_indifferent =
            |at: &&StateAtRest| matches!(at.role, CoordinateRole::Indifferent | CoordinateRole::SpeedIndifferent);
        coordinates.chain(self.states.iter().filter(is_indifferent).map(|at| at.name.as_str())).collect()
    }

    /// Whether friction holds a coordinate.
    #[must_use]
    pub fn is_held_by_friction(&self) -> bool {
        self.coordinates.iter().any(|at| at.role == CoordinateRole::HeldByFriction)
    }

    /// What prescribed motions do to the equilibrium.
    #[must_use]
    pub fn describe_drives(&self) -> Option<String> {
        let names = self.moving.join("`, `");
        let text = || format!("prescribed motions move at the start (`{names}`): what they drive does not rest");
        (!self.moving.is_empty()).then(text)
    }

    /// What sampled components mean for the equilibrium.
    #[must_use]
    pub fn describe_sampled(&self) -> Option<String> {
        let names = self.sampled.join("`, `");
        let text = || {
            format!(
                "outputs of sampled components (`{names}`) are held at their values of the start: what they control finds no load"
            )
        };
        (!self.sampled.is_empty()).then(text)
    }

    /// Which bodies have gone far.
    #[must_use]
    pub fn describe_far(&self) -> Option<String> {
        let text = || {
            let named = listed(&self.far, "by", "m");
            format!(
                "bodies are farther from their start than they are large: {named}; what stood may have slipped or fallen"
            )
        };
        (!self.far.is_empty()).then(text)
    }

    /// What friction holds.
    #[must_use]
    pub fn describe_creeping(&self) -> Option<String> {
        let text = || {
            let named = listed(&self.creeping, "at", "m/s");
            format!("friction holds bodies, which creep without stiction: {named}")
        };
        (!self.creeping.is_empty()).then(text)
    }

    /// States whose rates do not vanish, as friction holds what they follow.
    #[must_use]
    pub fn describe_fed(&self) -> Option<String> {
        let fed: Vec<&StateAtRest> =
            self.states.iter().filter(|at| at.role == CoordinateRole::HeldByFriction).collect();
        let named: Vec<String> = fed
            .iter()
            .take(MAX_NAMED)
            .map(|at| {
                let unit = if matches!(at.unit.as_str(), "" | "1") { String::new() } else { format!(" {}", at.unit) };
                format!("`{}` changes by {:.1e}{unit} per second", at.name, at.rate)
            })
            .collect();
        (!fed.is_empty()).then(|| format!("{}: friction holds what determines it", named.join(", ")))
    }

    /// That it is not one at which the motion would end.
    #[must_use]
    pub fn describe_unstable(&self) -> Option<String> {
        let text =
            "this equilibrium is unstable: the search found no stable one; start nearer to where the model shall rest";
        self.unstable.then(|| text.to_owned())
    }

    /// Accelerations of what follows from loops that do not vanish: the loops are in a singular position.
    #[must_use]
    pub fn describe_remaining(&self) -> Option<String> {
        let is_held = self.is_held_by_friction();
        let moves = self.coordinates.iter().any(|at| at.role == CoordinateRole::Steady || at.velocity != 0.0);
        if is_held || moves {
            return None;
        }
        let follows = self.coordinates.iter().filter(|at| at.role == CoordinateRole::Follows);
        let worst = follows.max_by(|a, b| a.acceleration.abs().total_cmp(&b.acceleration.abs()))?;
        let left = significant(worst.acceleration.abs());
        (worst.acceleration.abs() > MOVES).then(|| {
            format!(
                "`{}` follows from the loops, but {left} {}/s² remain: the loops are in a singular position, in which they do not hold it",
                worst.name.position,
                worst.name.unit()
            )
        })
    }

    /// Largest acceleration that remains \[rad/s², m/s²\].
    #[must_use]
    pub fn largest_acceleration(&self) -> f64 {
        self.coordinates.iter().fold(0.0, |largest, at| largest.max(at.acceleration.abs()))
    }

    /// What a log should say.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let held = self.indifferent();
        let mut remarks = Vec::new();
        if !held.is_empty() {
            let names = held.join("`, `");
            let keep = if held.len() == 1 {
                "it keeps its declared start value"
            } else {
                "they keep their declared start values"
            };
            remarks.push(format!("the start is an equilibrium for any value of `{names}`: {keep}"));
        }
        remarks.extend(self.describe_drives());
        remarks.extend(self.describe_sampled());
        remarks.extend(self.describe_creeping());
        remarks.extend(self.describe_fed());
        remarks.extend(self.describe_unstable());
        remarks.extend(self.describe_remaining());
        remarks.extend(self.describe_far());
        remarks.extend(self.unsteady.as_ref().map(Unsteady::describe));
        remarks
    }
}

/// Names with numbers, as many as fit into a message.
fn listed(bodies: &[(String, f64)], preposition: &str, unit: &str) -> String {
    let named = bodies
        .iter()
        .take(MAX_NAMED)
        .map(|(name, number)| format!("`{name}` {preposition} {} {unit}", significant(*number)));
    let named = named.collect::<Vec<_>>().join(", ");
    match bodies.len().saturating_sub(MAX_NAMED) {
        0 => named,
        count => format!("{named} and {count} more"),
    }
}

impl Simulation {
    /// Centres of all shapes at the present point.
    pub(super) fn places_of_shapes(&mut self) -> Vec<Vec3> {
        self.place_bodies();
        let bodies = &self.segment.evaluator.workspace.bodies;
        let place = |shape: &CollisionShape| {
            let body = &bodies[shape.node];
            body.p + body.rotation * shape.x_bs.translation
        };
        self.segment.topology.shapes.iter().map(place).collect()
    }

    /// Objects whose shapes are farther from earlier places than a fraction of their size, and how far \[m\], the
    /// farthest first. What moves only as prescribed is where it shall be.
    pub(super) fn moved_from(&mut self, before: &[Vec3], fraction: f64) -> Vec<(String, f64)> {
        let now = self.places_of_shapes();
        let mut far: Vec<(String, f64)> = Vec::new();
        for ((shape, now), before) in self.segment.topology.shapes.iter().zip(now).zip(before) {
            let distance = (now - before).norm();
            if distance <= 2.0 * fraction * shape.shape.bounding_radius() || !self.moves_freely(shape.node) {
                continue;
            }
            let name = &self.model.scene.objects[shape.object].path;
            match far.iter_mut().find(|(known, _)| known == name) {
                Some((_, longest)) => *longest = longest.max(distance),
                None => far.push((name.clone(), distance)),
            }
        }
        far.sort_by(|a, b| b.1.total_cmp(&a.1));
        far
    }

    /// Whether a body has velocities of its own, or is carried by one that has.
    fn moves_freely(&self, node: usize) -> bool {
        let mut at = node;
        while at != WORLD && self.segment.topology.nodes[at].mobilizer.num_v() == 0 {
            at = self.segment.topology.nodes[at].parent;
        }
        at != WORLD
    }

    pub(super) fn moving_drives(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for node in &self.segment.topology.nodes {
            let motions = &self.segment.evaluator.workspace.motions[node.mobilizer.motions()];
            let moves = motions.iter().any(|motion| motion.v != 0.0 || motion.a != 0.0);
            if moves && !names.contains(&node.name) {
                names.push(node.name.clone());
            }
        }
        names
    }

    /// Component of the rotation vector of a spherical or free motion that turns by a velocity variable.
    fn rotation_component(&self, v: usize) -> Option<f64> {
        let node = &self.segment.topology.nodes[self.segment.topology.node_of(self.segment.topology.num_q + v)?];
        match node.mobilizer {
            Mobilizer::Spherical | Mobilizer::Free => {
                let orientation = quaternion_at(&self.point.y, node.q);
                orientation.rotation_vector().get(v - node.v).copied()
            }
            _ => None,
        }
    }

    pub(super) fn report(
        &self,
        request: &EquilibriumRequest,
        names: &[DegreeOfFreedom],
        unknowns: &Unknowns,
        balanced: Balanced,
    ) -> Equilibrium {
        let (num_q, own) = (self.segment.topology.num_q, self.segment.topology.num_variables());
        let num_positions = unknowns.positions.independent.len();
        let is_free = |k: usize| balanced.undetermined.contains(&k);
        let speeds = unknowns.speeds.iter().enumerate();
        let free_speeds: Vec<usize> = speeds.filter(|(k, _)| is_free(num_positions + k)).map(|(_, &v)| v).collect();
        // Friction takes up what remains as soon as something creeps, or a bristle is loaded.
        let has_load = |v: usize| {
            let size = unknowns.rows.binary_search(&v).map_or(f64::INFINITY, |row| unknowns.accelerations[row]);
            self.point.yp[num_q + v].abs() > LEFT_TO_FRICTION * size
        };
        let asked = |motion: usize| {
            let lists = [&request.speeds, &request.steady, &request.held];
            let roles = [CoordinateRole::SpeedFound, CoordinateRole::Steady, CoordinateRole::Held];
            lists.into_iter().zip(roles).find(|(list, _)| list.contains(&motion)).map(|(_, role)| role)
        };
        let role = |v: usize| match unknowns.positions.independent.binary_search(&v).ok() {
            Some(k) if is_free(k) => CoordinateRole::Indifferent,
            Some(_) if has_load(v) => CoordinateRole::HeldByFriction,
            Some(_) => CoordinateRole::Found,
            None if free_speeds.contains(&v) => CoordinateRole::SpeedIndifferent,
            None if unknowns.speeds.contains(&v) => CoordinateRole::SpeedFound,
            // What gears with losses tie to it follows.
            None => asked(v).unwrap_or(CoordinateRole::Follows),
        };
        let coordinates = names.iter().enumerate().map(|(v, name)| CoordinateAtRest {
            position: name.q.map(|q| self.point.y[q]).or_else(|| self.rotation_component(v)),
            velocity: self.point.y[num_q + v],
            acceleration: self.point.yp[num_q + v],
            role: role(v),
            name: name.clone(),
        });
        let first_state = num_positions + unknowns.speeds.len();
        let drives = self.segment.evaluator.components.own_motions();
        let follows = |k: usize| {
            let mut tied = unknowns.followers.iter().flat_map(|follower| [follower.motion, follower.leader]);
            tied.any(|motion| matches!(motion, GearedMotion::Own(at) if (at..at + 2).contains(&k)))
        };
        let role_of_follower = |k: usize| {
            let motion = drives.iter().position(|motion| motion.contains(&k));
            match motion.and_then(|at| asked(self.segment.topology.num_v + at)) {
                Some(CoordinateRole::SpeedFound) if drives.iter().any(|motion| motion[0] == k) => {
                    CoordinateRole::Steady
                }
                role => role.unwrap_or(CoordinateRole::Follows),
            }
        };
        let is_free_state = |k: usize| unknowns.states.binary_search(&k).is_ok_and(|at| is_free(first_state + at));
        // Only where friction holds something does a rate remain.
        let is_fed_by_held = |k: usize| self.point.yp[own + k].abs() > LEFT_TO_RATES * unknowns.nominal[k];
        let role_of_state = |k: usize| {
            // The drive line whose coordinate stays without resting.
            let moving = drives.iter().find(|motion| motion.contains(&k) && !unknowns.rates.contains(&motion[0]));
            let is_found = unknowns.states.binary_search(&k).is_ok();
            match moving {
                _ if !is_found && follows(k) => role_of_follower(k),
                Some([_, velocity]) if is_free_state(*velocity) => CoordinateRole::SpeedIndifferent,
                Some([_, velocity]) if unknowns.states.contains(velocity) => CoordinateRole::SpeedFound,
                Some(_) => CoordinateRole::Steady,
                None if is_free_state(k) => CoordinateRole::Indifferent,
                None if is_found && is_fed_by_held(k) => CoordinateRole::HeldByFriction,
                None if is_found => CoordinateRole::Found,
                None => CoordinateRole::Held,
            }
        };
        let differential = self.segment.evaluator.components.differential();
        let states = (0..differential.len()).filter(|k| differential[*k]).map(|k| {
            let (name, unit) = self.segment.evaluator.components.state_of(k);
            let (value, rate) = (self.point.y[own + k], self.point.yp[own + k]);
            StateAtRest { name, unit, value, rate, role: role_of_state(k) }
        });
        let first_input = first_state + unknowns.states.len();
        let free_inputs = unknowns.inputs.iter().enumerate().filter(|(at, _)| is_free(first_input + at));
        Equilibrium {
            coordinates: coordinates.collect(),
            states: states.collect(),
            inputs: unknowns.inputs.iter().map(|&k| (k, self.segment.signals.input(k))).collect(),
            indifferent_inputs: free_inputs.map(|(_, &k)| k).collect(),
            moving: self.moving_drives(),
            sampled: self.segment.evaluator.components.sampled(),
            far: Vec::new(),
            change_of_speeds: 0.0,
            unsteady: None,
            creeping: balanced.creeping,
            unstable: balanced.unstable,
            scales: self.segment.topology.scales,
            iterations: balanced.iterations,
            relaxations: balanced.relaxations,
        }
    }
}
