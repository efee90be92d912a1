//! States in minimal coordinates, for linearisation.

use super::perturbation::Perturbation;
use crate::component_system::HeldMotions;
use crate::contact::PairDistance;
use crate::dynamics::{TangentSpace, position_rates};
use crate::math::Vec3;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::start::loops::velocities_that_close;
use crate::topology::Mobilizer;
use crate::variables::degrees_of_freedom;

/// Displacement by which velocities of loops are differenced, relative to the size of the model.
const DISPLACEMENT: f64 = 1e-5;

/// Meaning of a state of the linearised model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinearStateKind {
    /// Change of an independent coordinate, by its velocity variable.
    Position(usize),
    /// An independent velocity.
    Velocity(usize),
    /// A differential state of a component, by ordinal among their variables.
    Component(usize),
    /// A derivative (0: the value, at most 2) of a filtered input that prescribes a motion, by filter.
    Filter(usize, usize),
}

/// A state in minimal coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearState {
    /// Name.
    pub name: String,
    /// Unit; `1` for states of components without a declared unit.
    pub unit: String,
    /// What it is.
    pub kind: LinearStateKind,
    /// Value at the point of linearisation; none for small rotations.
    pub value: Option<f64>,
    /// Change of the whole run per unit of the state.
    pub direction: Perturbation,
}

/// States in minimal coordinates, and what was eliminated.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearStates {
    /// Positions, then velocities in the same order, then states of components, then filtered inputs.
    pub states: Vec<LinearState>,
    /// Independent coordinates, by their velocity variables.
    pub independent: Vec<usize>,
    /// Coordinates that closed loops, and components that tie joints to each other, eliminate.
    pub eliminated: Vec<String>,
    /// Additional coefficients of the system matrix: row, column, value \[1/s\]. A small rotation about axes that do
    /// not turn changes with `w x dtheta` while the body turns with `w`.
    pub turning: Vec<(usize, usize, f64)>,
}

impl Simulation {
    /// States in minimal coordinates at the present point.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn linear_states(&mut self) -> Result<LinearStates, SimulationError> {
        self.reach(Stage::Acceleration)?;
        let names = degrees_of_freedom(&self.model.scene, &self.segment.topology);
        let weights = self.pivot_weights();
        self.segment.evaluator.loops.update(&self.segment.topology, &self.segment.evaluator.workspace);
        let held = self.held_motions();
        let tangent = self.segment.evaluator.loops.tangent_space(&vec![false; names.len()], &held.ties, &weights);
        let (num_q, own) = (self.segment.topology.num_q, self.segment.topology.num_variables());
        let mut states = Vec::new();
        for (k, &v) in tangent.independent.iter().enumerate() {
            let (mut direction, along) = (self.no_direction(), tangent.along(k));
            position_rates(&self.segment.topology, &self.point.y[..num_q], &along, &mut direction.y[..num_q]);
            if !self.rests() {
                self.add_velocities(&tangent.independent, &mut direction)?;
            }
            let velocities = direction.y[num_q..num_q + along.len()].to_vec();
            self.add_held(&held, [&along, &velocities], &mut direction);
            let name = &names[v];
            states.push(LinearState {
                name: name.position.clone(),
                unit: name.unit().to_owned(),
                kind: LinearStateKind::Position(v),
                value: name.q.map(|q| self.point.y[q]),
                direction,
            });
        }
        for (k, &v) in tangent.independent.iter().enumerate() {
            let (mut direction, along) = (self.no_direction(), tangent.along(k));
            direction.y[num_q..num_q + along.len()].copy_from_slice(&along);
            self.add_held(&held, [&[], &along], &mut direction);
            let (name, unit) = (names[v].velocity.clone(), format!("{}/s", names[v].unit()));
            let value = Some(self.point.y[num_q + v]);
            states.push(LinearState { name, unit, kind: LinearStateKind::Velocity(v), value, direction });
        }
        let differential = self.segment.evaluator.components.differential();
        let follows = |k: usize| held.followers.iter().any(|follower| (follower.at..follower.at + 2).contains(&k));
        for k in (0..differential.len()).filter(|&k| differential[k] && !follows(k)) {
            let mut direction = self.no_direction();
            direction.y[own + k] = 1.0;
            self.add_held(&held, [&[], &[]], &mut direction);
            let (name, unit) = self.segment.evaluator.components.state_of(k);
            let (kind, value) = (LinearStateKind::Component(k), Some(self.point.y[own + k]));
            states.push(LinearState { name, unit, kind, value, direction });
        }
        states.extend(self.states_of_filters(&tangent.independent, &held)?);
        let eliminated = (0..names.len()).filter(|v| !tangent.independent.contains(v));
        let followers = held.followers.iter().map(|follower| self.segment.evaluator.components.state_of(follower.at).0);
        let eliminated = eliminated.map(|v| names[v].position.clone()).chain(followers).collect();
        let turning = self.turning(&tangent);
        self.point.stage = Stage::Nothing;
        Ok(LinearStates { states, independent: tangent.independent, eliminated, turning })
    }

    /// Change of the whole run per unit of an input: where it moves a closed loop, all joints but the `independent`
    /// ones follow.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn direction_of_input(&mut self, input: usize, independent: &[usize]) -> Result<Perturbation, SimulationError> {
        let (mut value, mut rate) = (self.no_direction(), self.no_direction());
        value.inputs[input] = 1.0;
        rate.input_rates[input] = 1.0;
        if self.moves_a_loop(input) {
            self.add_followers(&mut value, &rate, independent)?;
        }
        if self.segment.signals.prescribes_motion(input) {
            self.reach(Stage::Acceleration)?;
            let held = self.held_motions();
            self.add_held_to_prescribed(&held, &mut value)?;
        }
        Ok(value)
    }

    /// Filtered inputs with two derivatives each.
    fn states_of_filters(
        &mut self,
        independent: &[usize],
        held: &HeldMotions,
    ) -> Result<Vec<LinearState>, SimulationError> {
        let inputs: Vec<usize> = self.segment.signals.inputs().filtered_inputs().collect();
        let mut states = Vec::new();
        for (filter, &input) in inputs.iter().enumerate() {
            let directions = self.directions_of_filter(filter, input, independent, held)?;
            let variable = &self.model.scene.inputs[input];
            let several = inputs.iter().filter(|other| **other == input).count() > 1;
            let number = inputs[..=filter].iter().filter(|other| **other == input).count();
            let number = if several { format!(", {number}") } else { String::new() };
            let (mut name, mut unit) = (format!("filter({}{number})", variable.name), variable.unit.clone());
            for (order, direction) in directions.into_iter().enumerate() {
                let value = Some(self.segment.signals.inputs().filtered(filter, order, self.point.t));
                let kind = LinearStateKind::Filter(filter, order);
                states.push(LinearState { name: name.clone(), unit: unit.clone(), kind, value, direction });
                (name, unit) = (format!("der({name})"), per_second(&unit));
            }
        }
        Ok(states)
    }

    /// Changes of the whole run per unit of the value of a filter and of its two derivatives.
    fn directions_of_filter(
        &mut self,
        filter: usize,
        input: usize,
        independent: &[usize],
        held: &HeldMotions,
    ) -> Result<[Perturbation; 3], SimulationError> {
        let mut directions = [self.no_direction(), self.no_direction(), self.no_direction()];
        for (order, direction) in directions.iter_mut().enumerate() {
            direction.filters[filter][order] = 1.0;
        }
        if self.moves_a_loop(input) {
            let [value, rate, _] = &mut directions;
            let along = self.add_followers(value, rate, independent)?;
            let num_q = self.segment.topology.num_q;
            rate.y[num_q..num_q + along.len()].copy_from_slice(&along);
        }
        for direction in &mut directions {
            self.add_held_to_prescribed(held, direction)?;
        }
        Ok(directions)
    }

    /// Adds to the change of a prescribed position that of all joints which follow through closed loops. `rate` changes
    /// the velocity by as much; returned are the velocities that follow it.
    fn add_followers(
        &mut self,
        value: &mut Perturbation,
        rate: &Perturbation,
        independent: &[usize],
    ) -> Result<Vec<f64>, SimulationError> {
        // Velocities are linear in the prescribed ones, with the coefficients of the positions.
        let ahead = self.closing_velocities(independent, rate, 1.0)?;
        let behind = self.closing_velocities(independent, rate, -1.0)?;
        let along: Vec<f64> = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / 2.0).collect();
        let num_q = self.segment.topology.num_q;
        position_rates(&self.segment.topology, &self.point.y[..num_q], &along, &mut value.y[..num_q]);
        self.add_velocities(independent, value)?;
        Ok(along)
    }

    /// Velocities that keep loops closed at the point `by` times a direction from the present one.
    fn closing_velocities(
        &mut self,
        independent: &[usize],
        direction: &Perturbation,
        by: f64,
    ) -> Result<Vec<f64>, SimulationError> {
        let unperturbed = self.perturb(direction, by)?;
        let num_q = self.segment.topology.num_q;
        let mut v = self.point.y[num_q..num_q + self.segment.topology.num_v].to_vec();
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.workspace.drive(&self.segment.topology, &mut self.segment.signals);
        velocities_that_close(
            &self.segment.topology,
            &mut self.segment.evaluator,
            independent,
            &self.point.y[..num_q],
            &mut v,
        );
        self.restore_point(unperturbed);
        Ok(v)
    }

    /// Velocities of joints that components tie to each other at the present point.
    pub(in crate::simulation) fn ties_of_joints(&self) -> Vec<Vec<(usize, f64)>> {
        let own = self.segment.topology.num_variables();
        self.segment.evaluator.components.ties_of_joints(&self.point.y[own..], &self.point.yp[own..], self.point.t)
    }

    /// What components hold together at the present point.
    fn held_motions(&self) -> HeldMotions {
        let own = self.segment.topology.num_variables();
        self.segment.evaluator.components.held_motions(&self.point.y[own..], &self.point.yp[own..], self.point.t)
    }

    /// Adds to a direction what components hold to joints, whose positions and velocities change as given, and to
    /// motions that are variables of components.
    fn add_held(&self, held: &HeldMotions, of_joints: [&[f64]; 2], direction: &mut Perturbation) {
        let own = self.segment.topology.num_variables();
        for follower in &held.followers {
            for (order, joints) in of_joints.iter().enumerate() {
                let by_joints = follower.joints.iter().map(|(v, x)| x * joints.get(*v).copied().unwrap_or(0.0));
                let by_own = follower.own.iter().map(|(at, x)| x * direction.y[own + at + order]);
                direction.y[own + follower.at + order] = by_joints.chain(by_own).sum();
            }
        }
    }

    /// Adds to the change of inputs and of their filters what components hold to the motions that these prescribe.
    fn add_held_to_prescribed(
        &mut self,
        held: &HeldMotions,
        direction: &mut Perturbation,
    ) -> Result<(), SimulationError> {
        if held.followers.iter().all(|follower| follower.prescribed.is_empty()) {
            return Ok(());
        }
        let step = DISPLACEMENT / self.size_of(direction);
        let (ahead, behind) = (self.motions_at(direction, step)?, self.motions_at(direction, -step)?);
        let rate = |motion: usize, order: usize| (ahead[motion][order] - behind[motion][order]) / (2.0 * step);
        let own = self.segment.topology.num_variables();
        for follower in &held.followers {
            for order in 0..2 {
                let moved: f64 = follower.prescribed.iter().map(|(motion, x)| x * rate(*motion, order)).sum();
                direction.y[own + follower.at + order] += moved;
            }
        }
        Ok(())
    }

    /// Positions and velocities of prescribed motions at the point `by` times a direction from the present one.
    fn motions_at(&mut self, direction: &Perturbation, by: f64) -> Result<Vec<[f64; 2]>, SimulationError> {
        let unperturbed = self.perturb(direction, by)?;
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.workspace.drive(&self.segment.topology, &mut self.segment.signals);
        let motions = self.segment.evaluator.workspace.motions.iter().map(|motion| [motion.q, motion.v]).collect();
        self.restore_point(unperturbed);
        Ok(motions)
    }

    /// Whether nothing moves that could make closed loops change their velocities.
    fn rests(&self) -> bool {
        let v = &self.point.y[self.segment.topology.num_q..][..self.segment.topology.num_v];
        self.segment.topology.closures.is_empty()
            || v.iter().all(|v| *v == 0.0) && self.segment.topology.motions.is_empty()
    }

    /// Adds the change of velocities that keeps moving loops closed while positions change in a direction.
    fn add_velocities(&mut self, independent: &[usize], direction: &mut Perturbation) -> Result<(), SimulationError> {
        let step = DISPLACEMENT / self.size_of(direction);
        let ahead = self.closing_velocities(independent, direction, step)?;
        let behind = self.closing_velocities(independent, direction, -step)?;
        let slopes = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * step));
        direction.y[self.segment.topology.num_q..].iter_mut().zip(slopes).for_each(|(to, slope)| *to = slope);
        Ok(())
    }

    fn turning(&self, tangent: &TangentSpace) -> Vec<(usize, usize, f64)> {
        let independent = &tangent.independent;
        let directions: Vec<Vec<f64>> = (0..independent.len()).map(|k| tangent.along(k)).collect();
        let mut found = Vec::new();
        for node in &self.segment.topology.nodes {
            if !matches!(node.mobilizer, Mobilizer::Spherical | Mobilizer::Free) {
                continue;
            }
            let vector = |x: &[f64], at: usize| Vec3::new(x[at], x[at + 1], x[at + 2]);
            let w = vector(&self.point.y, self.segment.topology.num_q + node.v);
            for (column, along) in directions.iter().enumerate() {
                let rate = w.cross(&vector(along, node.v));
                let rows = independent.iter().enumerate().filter(|(_, v)| (node.v..node.v + 3).contains(*v));
                found.extend(
                    rows.filter(|(_, v)| rate[**v - node.v] != 0.0).map(|(row, &v)| (row, column, rate[v - node.v])),
                );
            }
        }
        found
    }

    /// Rates of states at the present or a perturbed point.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn rates_of(&mut self, states: &[LinearState]) -> Result<Vec<f64>, SimulationError> {
        self.reach(Stage::Acceleration)?;
        let (num_q, own) = (self.segment.topology.num_q, self.segment.topology.num_variables());
        let rate = |state: &LinearState| match state.kind {
            LinearStateKind::Position(v) => self.point.y[num_q + v],
            LinearStateKind::Velocity(v) => self.point.yp[num_q + v],
            LinearStateKind::Component(k) => self.point.yp[own + k],
            LinearStateKind::Filter(filter, order) => {
                self.segment.signals.inputs().filtered(filter, order + 1, self.point.t)
            }
        };
        Ok(states.iter().map(rate).collect())
    }

    /// Paths of components that work at discrete times: between two of these, their outputs are held.
    #[must_use]
    pub fn sampled_components(&self) -> Vec<String> {
        self.segment.evaluator.components.sampled()
    }

    /// Smallest penetration of an active contact at the present point \[m\]; infinity without contacts.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn smallest_penetration(&mut self) -> Result<f64, SimulationError> {
        if self.contacts.set.active().is_empty() {
            return Ok(f64::INFINITY);
        }
        self.reach(Stage::Velocity)?;
        let near =
            self.segment.evaluator.contacts.measure(&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let depth = |at: &PairDistance| if at.dist < 0.0 { -at.dist } else { f64::INFINITY };
        Ok(near.iter().map(depth).fold(f64::INFINITY, f64::min))
    }
}

/// The unit of a derivative by time.
fn per_second(unit: &str) -> String {
    match unit {
        "" | "1" => "1/s".to_owned(),
        _ => match unit.strip_suffix("/s") {
            Some(unit) => format!("{unit}/s2"),
            None => format!("{unit}/s"),
        },
    }
}
