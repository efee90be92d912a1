//! What depends on what: the model structure of the FMU.
//!
//! Positions depend on the coordinates along the paths of their frames through the spanning forest, velocities also on
//! their rates, accelerations and joint forces on everything. Coordinates of joints are the continuous states of the
//! FMU if they are all states there are (a free body's quaternion is not a set of independent states).
//!
//! Where the structure changes, or a motion drives a loop, places and velocities depend on the inputs that prescribe
//! motions, in any segment, and on no others. What is not known to be independent depends on everything: results of
//! components, forces and accelerations there, and what depends on very much.

use std::collections::{BTreeMap, BTreeSet};

use fmi2::description::{Dependency, DependencyKind, ModelDescription, Unknown, VariableIndex};
use mbs::scene::{EnergyKind, MotionPart, ObjectId, Quantity, Scene};
use mbs::spatial::WORLD;
use mbs::topology::{Coordinate, Mobilizer, Topology};

use crate::outputs::OutputExpression;
use crate::variable::{InterfaceVariable, Role, Source};

/// Most knowns of a variable that are listed. A variable with more counts as depending on everything: the lists of a
/// long chain would have more numbers than all else, by far.
const MOST_LISTED: usize = 500;

/// Knowns by index of their variables; none: all of them.
type Knowns = Option<BTreeSet<usize>>;

/// Fills in outputs, derivatives and initial unknowns. Variables of the description have the indices of `variables`;
/// `num_of_components` states belong to components and are not variables.
pub(crate) fn describe_structure(
    description: &mut ModelDescription,
    variables: &[InterfaceVariable],
    expressions: &[OutputExpression],
    scene: &Scene,
    topology: &Topology,
    num_of_components: usize,
) {
    let analysis = Analysis::new(variables, expressions, scene, topology, num_of_components);
    for (state, derivative) in analysis.derivatives() {
        let of = &variables[state].source;
        let unknown = match of {
            // The rate of a coordinate is a state itself.
            Source::Quantity(Quantity::Coordinate { order: 0, .. }) => itself(derivative),
            _ => Unknown::depends_on_everything(VariableIndex(derivative)),
        };
        description.structure.derivatives.push(unknown);
    }
    description.structure.derivatives.sort_by_key(|unknown| unknown.variable);
    for (k, variable) in variables.iter().enumerate().filter(|(_, variable)| variable.role == Role::Output) {
        let knowns = analysis.knowns(variable).or_else(|| analysis.all_without_inputs());
        let Some(knowns) = knowns.filter(|knowns| knowns.len() <= MOST_LISTED) else { continue };
        let unknown = if knowns.iter().eq([&k]) {
            itself(k)
        } else {
            Unknown::depends_on(VariableIndex(k), knowns.iter().copied().map(VariableIndex))
        };
        description.structure.outputs.push(unknown);
        description.structure.initial_unknowns.push(analysis.initially(k, &knowns));
    }
    description.complete_structure();
    let required = description.required_initial_unknowns();
    // They ascend.
    description.structure.initial_unknowns.retain(|unknown| required.binary_search(&unknown.variable).is_ok());
}

/// A state is what it is: a constant factor of one.
fn itself(variable: usize) -> Unknown {
    let variable = VariableIndex(variable);
    Unknown { variable, dependencies: Some(vec![Dependency { variable, kind: DependencyKind::Constant }]) }
}

struct Analysis<'a> {
    variables: &'a [InterfaceVariable],
    expressions: &'a [OutputExpression],
    topology: &'a Topology,
    /// Variables that are given from outside.
    given: Vec<usize>,
    /// Variables that show the position and the velocity variables of the state, if the FMU has states.
    positions: Vec<usize>,
    velocities: Vec<usize>,
    /// Whether the motions of driven joints depend on more than time.
    driven_by_more_than_time: bool,
    /// Whether the tree of joints determines the motions: nothing is inserted, deleted or attached, and no motion
    /// reaches a joint through a loop.
    is_a_tree: bool,
    /// Inputs that prescribe motions.
    steering: Vec<usize>,
    /// Whether any motion is prescribed, in any segment.
    is_timed: bool,
    /// Whether the start may depend on any input: action programs act there, or it is an equilibrium.
    start_is_sought: bool,
}

impl<'a> Analysis<'a> {
    fn new(
        variables: &'a [InterfaceVariable],
        expressions: &'a [OutputExpression],
        scene: &Scene,
        topology: &'a Topology,
        num_of_components: usize,
    ) -> Self {
        let mut positions = vec![None; topology.num_q];
        let mut velocities = vec![None; topology.num_v];
        for (k, variable) in variables.iter().enumerate() {
            let Source::Quantity(Quantity::Coordinate { joint, dof, order }) = variable.source else { continue };
            let coordinate = topology.joints[joint.index()].coordinates.get(dof);
            match (coordinate, order) {
                (Some(Coordinate::State { q: Some(q), .. }), 0) => positions[*q] = Some(k),
                (Some(Coordinate::State { v, .. }), 1) => velocities[*v] = Some(k),
                _ => {}
            }
        }
        let positions: Option<Vec<usize>> = positions.into_iter().collect();
        let velocities: Option<Vec<usize>> = velocities.into_iter().collect();
        let complete = topology.num_variables() == topology.num_q + topology.num_v
            && num_of_components == 0
            && !scene.has_variable_structure();
        let (positions, velocities) = positions.zip(velocities).filter(|_| complete).unwrap_or_default();
        let driven = topology.nodes.iter().any(|node| node.mobilizer.is_driven());
        let steered = variables.iter().any(|variable| variable.role == Role::Input)
            || !scene.components.is_empty()
            || !scene.actions.paths.is_empty();
        let is_given = |k: &usize| {
            let variable = &variables[*k];
            let decides = matches!(variable.role, Role::Parameter | Role::Input | Role::Independent);
            decides && !variable.is_setting()
        };
        let prescribes = |variable: &InterfaceVariable| {
            let moves = |input| scene.signals.prescribes_motion(input) || !scene.components.is_empty();
            matches!(variable.source, Source::Quantity(Quantity::Input(input)) if driven && moves(input))
        };
        Self {
            variables,
            expressions,
            topology,
            given: (0..variables.len()).filter(is_given).collect(),
            positions,
            velocities,
            driven_by_more_than_time: driven && steered,
            steering: (0..variables.len()).filter(|&k| prescribes(&variables[k])).collect(),
            is_timed: driven
                || !scene.actions.paths.is_empty()
                || scene.joints.iter().any(|(_, joint)| joint.dofs.iter().any(|dof| dof.motion.is_some())),
            start_is_sought: !scene.actions.programs.is_empty() || scene.starts_at_equilibrium,
            is_a_tree: !scene.has_variable_structure() && (!driven || topology.closures.is_empty()),
        }
    }

    /// States with their derivatives.
    fn derivatives(&self) -> Vec<(usize, usize)> {
        let mut derivatives: BTreeMap<&str, usize> = BTreeMap::new();
        for (k, variable) in self.variables.iter().enumerate() {
            if let Some(of) = &variable.derivative_of {
                derivatives.entry(of).or_insert(k);
            }
        }
        let states = self.positions.iter().chain(&self.velocities);
        let with_derivative = |&state: &usize| Some((state, *derivatives.get(self.variables[state].name.as_str())?));
        states.filter_map(with_derivative).collect()
    }

    /// On what a variable depends while running.
    fn knowns(&self, variable: &InterfaceVariable) -> Knowns {
        match &variable.source {
            Source::Expression(index) => {
                let slots = self.expressions[*index].program.slots();
                let mut all = BTreeSet::new();
                for &slot in slots {
                    all.extend(self.knowns_of_slot(slot)?);
                }
                Some(all)
            }
            Source::Quantity(quantity) => self.knowns_of(quantity),
            Source::Setting(_) => Some(BTreeSet::new()),
        }
    }

    fn knowns_of_slot(&self, slot: usize) -> Knowns {
        let variable = &self.variables[slot];
        match variable.role {
            Role::Input | Role::Independent => Some(BTreeSet::from([slot])),
            _ => self.knowns(variable),
        }
    }

    fn knowns_of(&self, quantity: &Quantity) -> Knowns {
        let own = |order: u8, list: &[usize], at: Option<usize>| {
            (order < 2).then(|| at.and_then(|at| list.get(at)).copied().into_iter().collect())
        };
        match quantity {
            Quantity::Parameter(_) => Some(BTreeSet::new()),
            Quantity::Time => Some(self.time().into_iter().collect()),
            Quantity::Input(_) => {
                let shows = |variable: &InterfaceVariable| variable.source == Source::Quantity(*quantity);
                Some(self.variables.iter().position(shows).into_iter().collect())
            }
            _ if !self.is_a_tree => self.in_any_structure(quantity),
            Quantity::Coordinate { joint, dof, order } => {
                match self.topology.joints[joint.index()].coordinates.get(*dof) {
                    Some(Coordinate::State { q, .. }) if *order == 0 => own(0, &self.positions, *q),
                    Some(Coordinate::State { v, .. }) => own(*order, &self.velocities, Some(*v)),
                    Some(Coordinate::Driven { .. }) => self.driven(),
                    None => Some(BTreeSet::new()),
                }
            }
            Quantity::Motion { frame, relative_to, resolved_in, part, .. } => {
                self.along(&[*frame, *relative_to, *resolved_in], *part)
            }
            Quantity::Energy(EnergyKind::Kinetic | EnergyKind::Total) => self.everywhere(true),
            Quantity::Energy(EnergyKind::Potential) => self.everywhere(false),
            // Constants of a contact that calms down change with time.
            Quantity::Contact { .. } | Quantity::ObjectContact { .. } => {
                self.everywhere(true).map(|all| all.into_iter().chain(self.time()).collect())
            }
            Quantity::NumContacts => self.everywhere(true),
            Quantity::DriveForce { .. }
            | Quantity::BodyEffort { .. }
            | Quantity::CutForce { .. }
            | Quantity::Signal(_)
            | Quantity::Effort { .. }
            | Quantity::Path { .. }
            | Quantity::Structure(_)
            | Quantity::EventCount
            | Quantity::LastEventTime
            | Quantity::DissipatedByImpacts
            | Quantity::ImpactCount
            | Quantity::Impacts(_)
            | Quantity::NumStates => None,
        }
    }

    /// Whatever is attached, inserted, deleted or closed to a loop: places and velocities are states, but for
    /// prescribed motions, which follow time and perhaps inputs; forces and accelerations follow from all inputs. What
    /// programs do, they do in steps.
    fn in_any_structure(&self, quantity: &Quantity) -> Knowns {
        let moves = match quantity {
            Quantity::Coordinate { order, .. } => *order < 2,
            Quantity::Motion { part, .. } => {
                !matches!(part, MotionPart::Acceleration | MotionPart::AngularAcceleration)
            }
            Quantity::Contact { .. } | Quantity::ObjectContact { .. } => {
                return Some(self.steering.iter().copied().chain(self.time()).collect());
            }
            Quantity::Path { .. } => true,
            Quantity::NumContacts
            | Quantity::Structure(_)
            | Quantity::EventCount
            | Quantity::LastEventTime
            | Quantity::DissipatedByImpacts
            | Quantity::ImpactCount
            | Quantity::Impacts(_)
            | Quantity::NumStates => return Some(BTreeSet::new()),
            _ => false,
        };
        let time = self.time().filter(|_| self.is_timed);
        moves.then(|| self.steering.iter().copied().chain(time).collect())
    }

    /// All knowns of a model without inputs.
    fn all_without_inputs(&self) -> Knowns {
        let has_inputs = self.variables.iter().any(|variable| variable.role == Role::Input);
        let states = self.positions.iter().chain(&self.velocities).copied();
        (!has_inputs).then(|| states.chain(self.time()).collect())
    }

    /// What a motion along the paths from some frames to the world depends on.
    fn along(&self, frames: &[ObjectId], part: MotionPart) -> Knowns {
        let rates = match part {
            MotionPart::Position | MotionPart::Quaternion => false,
            MotionPart::Velocity | MotionPart::AngularVelocity => true,
            _ => return None,
        };
        let mut all = BTreeSet::new();
        for frame in frames {
            let mut at = self.topology.placements[frame.index()].node;
            while at != WORLD {
                let node = &self.topology.nodes[at];
                match node.mobilizer {
                    Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => all.extend(self.driven()?),
                    _ => self.add(node.q, node.v, node.mobilizer.num_q(), node.mobilizer.num_v(), rates, &mut all),
                }
                at = node.parent;
            }
        }
        Some(all)
    }

    fn add(&self, q: usize, v: usize, num_q: usize, num_v: usize, rates: bool, all: &mut BTreeSet<usize>) {
        all.extend(self.positions.iter().skip(q).take(num_q));
        if rates {
            all.extend(self.velocities.iter().skip(v).take(num_v));
        }
    }

    fn everywhere(&self, rates: bool) -> Knowns {
        let mut all = BTreeSet::new();
        self.add(0, 0, self.topology.num_q, self.topology.num_v, rates, &mut all);
        if !self.topology.motions.is_empty() {
            all.extend(self.driven()?);
        }
        Some(all)
    }

    /// A prescribed motion follows time, perhaps inputs, paths or components.
    fn driven(&self) -> Knowns {
        (!self.driven_by_more_than_time).then(|| self.time().into_iter().collect())
    }

    fn time(&self) -> Option<usize> {
        self.variables.iter().position(|variable| variable.role == Role::Independent)
    }

    /// At the start everything depends on the parameters, and on inputs only if it does so while running.
    fn initially(&self, variable: usize, running: &BTreeSet<usize>) -> Unknown {
        let known =
            |k: &usize| self.start_is_sought || self.variables[*k].role == Role::Parameter || running.contains(k);
        let knowns = self.given.iter().copied().filter(known);
        if knowns.clone().nth(MOST_LISTED).is_some() {
            return Unknown::depends_on_everything(VariableIndex(variable));
        }
        Unknown::depends_on(VariableIndex(variable), knowns.map(VariableIndex))
    }
}
