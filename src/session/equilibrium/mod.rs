//! Equilibria of a session: names and parameters around the engine's search.

mod messages;
mod search;
mod trims;

use mbs::declaration::{Location, StartValue};
use mbs::scene::Quantity;
use mbs::simulation::{CoordinateRole, Equilibrium, SimulationError};
use mbs::spatial::WORLD;
use mbs::variables::{DegreeOfFreedom, degrees_of_freedom};

use super::{Session, SessionError};
use crate::variable::{InterfaceVariable, Role, Source, VariableKind};

/// Deviations from prescribed values below this fraction of their size count as none.
const REACHED: f64 = 1e-9;
/// Deviations below this count as none where no step makes them smaller: equilibria among contacts are not more exact.
const NEARLY_REACHED: f64 = 1e-7;

/// Why no equilibrium was found.
enum Miss {
    /// The prescribed value of this target is not reached.
    Target(usize),
    Error(SessionError),
}

impl Miss {
    /// Whether the search failed, not the model or the machine.
    fn is_of_search(&self) -> bool {
        match self {
            Self::Target(_) => true,
            Self::Error(error) => is_of_search(error),
        }
    }
}

fn is_of_search(error: &SessionError) -> bool {
    matches!(
        error,
        SessionError::Refused(_)
            | SessionError::Simulation(
                SimulationError::Start(_) | SimulationError::BeyondRange(_) | SimulationError::TargetMissed { .. }
            )
    )
}

/// Whether an equilibrium is there, but with an input outside its range.
fn is_beyond_range(error: &SessionError) -> bool {
    matches!(error, SessionError::Simulation(SimulationError::BeyondRange(_)))
}

/// Conditions on an equilibrium. Motions are degrees of freedom by velocity variable, then those of drive lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EquilibriumConditions {
    /// Motions whose coordinates stay.
    pub held: Vec<usize>,
    /// Motions with the velocity that they have at the start.
    pub steady: Vec<usize>,
    /// Motions with a velocity to be found.
    pub speeds: Vec<usize>,
    /// Inputs or parameters to be found.
    pub trims: Vec<usize>,
    /// Variables with prescribed values.
    pub targets: Vec<(usize, f64)>,
}

/// What moves an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Carrier {
    /// The object.
    pub object: String,
    /// The joint on which its body moves, or the free object to which it belongs; empty for the world.
    pub joint: String,
    /// Names of the coordinates of that motion; none where it is prescribed.
    pub coordinates: Vec<String>,
}

/// An equilibrium, and the values of what was trimmed.
#[derive(Debug, Clone, PartialEq)]
pub struct TrimmedEquilibrium {
    /// The equilibrium.
    pub equilibrium: Equilibrium,
    /// Variables that were trimmed, with their values.
    pub trims: Vec<(usize, f64)>,
    /// Number of values that were prescribed.
    pub targets: usize,
    /// Number of coordinates that stayed, and of velocities that were kept.
    pub given: usize,
    /// Start values with which a run begins there.
    pub start: Vec<StartValue>,
}

impl Session {
    /// Names of the degrees of freedom, by velocity variable.
    ///
    /// # Errors
    /// Before initialization.
    pub fn degrees_of_freedom(&mut self) -> Result<Vec<DegreeOfFreedom>, SessionError> {
        let simulation = self.running()?;
        Ok(degrees_of_freedom(simulation.scene(), simulation.topology()))
    }

    /// Names of position and velocity of the motions of drive lines, which orders count on behind the degrees of
    /// freedom.
    ///
    /// # Errors
    /// Before initialization.
    pub fn drive_motions(&mut self) -> Result<Vec<[String; 2]>, SessionError> {
        Ok(self.running()?.drive_motions())
    }

    /// Moves the start of the run to an equilibrium. The session must be initialized and must not have been stepped.
    ///
    /// # Errors
    /// What cannot rest; values that cannot be reached; the session is then at its start.
    pub fn equilibrium(&mut self, order: &EquilibriumConditions) -> Result<TrimmedEquilibrium, SessionError> {
        self.refresh()?;
        self.check_order(order)?;
        let is_input = |k: &&usize| self.interface.variables[**k].role == Role::Input;
        let (inputs, parameters): (Vec<usize>, Vec<usize>) = order.trims.iter().partition(is_input);
        let equilibrium = if parameters.is_empty() {
            self.rest(order, &inputs, &order.targets)?
        } else {
            self.trim_by_equilibria(order, &parameters)?
        };
        let mut trims = Vec::new();
        for &variable in &order.trims {
            trims.push((variable, self.trimmed(variable)?));
        }
        for (variable, value) in trims.iter().filter(|(variable, _)| inputs.contains(variable)) {
            self.held_values[*variable] = *value;
        }
        let mut start = self.running()?.start_values()?;
        start.extend(trims.iter().map(|(variable, value)| StartValue {
            name: self.interface.variables[*variable].name.clone(),
            values: vec![*value],
            location: Location::default(),
        }));
        Ok(TrimmedEquilibrium {
            equilibrium,
            trims,
            targets: order.targets.len(),
            given: order.held.len() + order.steady.len(),
            start,
        })
    }

    /// Whether an equilibrium can find the value of a variable: of a real input or parameter of the model.
    #[must_use]
    pub fn can_be_trimmed(&self, variable: usize) -> bool {
        let InterfaceVariable { role, kind, source, .. } = &self.interface.variables[variable];
        matches!(role, Role::Input | Role::Parameter)
            && *kind == VariableKind::Real
            && !matches!(source, Source::Setting(_))
    }

    /// What moves an object that a name means or belongs to; none where there is no such object.
    pub fn carrier_of(&mut self, name: &str) -> Option<Carrier> {
        let simulation = self.running().ok()?;
        let (scene, topology) = (simulation.scene(), simulation.topology());
        let owns = |path: &str| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let objects = scene.objects.iter().filter(|(id, object)| *id != scene.world() && owns(&object.path));
        let (object, path) = objects.map(|(id, object)| (id, &object.path)).max_by_key(|(_, path)| path.len())?;
        let node = topology.placements[object.index()].node;
        let joint = if node == WORLD { String::new() } else { topology.nodes[node].name.clone() };
        let coordinates = degrees_of_freedom(scene, topology).into_iter().map(|dof| dof.position);
        let coordinates = coordinates.filter(|position| position.starts_with(&format!("{joint}."))).collect();
        Some(Carrier { object: path.clone(), joint, coordinates })
    }

    fn trimmed(&mut self, variable: usize) -> Result<f64, SessionError> {
        match self.quantity(variable) {
            Some(Quantity::Input(input)) => Ok(self.running()?.input(input)),
            _ => Ok(self.held_values[variable]),
        }
    }

    /// Refuses trims and targets without a meaning.
    fn check_order(&self, order: &EquilibriumConditions) -> Result<(), SessionError> {
        let refuse = |why: String| Err(SessionError::Refused(why));
        let variables = &self.interface.variables;
        if let Some(&wrong) = order.trims.iter().find(|&&k| !self.can_be_trimmed(k)) {
            return refuse(format!(
                "`{}` cannot be trimmed: it is neither a real input nor a real parameter of the model",
                variables[wrong].name
            ));
        }
        let parameters = order.trims.iter().filter(|&&k| variables[k].role == Role::Parameter).count();
        if parameters > 0 && parameters < order.trims.len() {
            return refuse(
                "inputs and parameters cannot be trimmed together; trim one kind, and set the other".to_owned(),
            );
        }
        if parameters > 0 && parameters != order.targets.len() {
            return refuse(format!(
                "as many values must be prescribed (`--for`) as parameters are trimmed: {parameters}, not {}",
                order.targets.len()
            ));
        }
        Ok(())
    }
}

/// Size of a prescribed value.
fn size_of(variable: &InterfaceVariable, value: f64) -> f64 {
    let at_least = match variable.unit.as_str() {
        "m" | "m/s" => 0.1,
        _ => 1.0,
    };
    value.abs().max(at_least)
}

/// One word for what became of a coordinate.
#[must_use]
pub fn role_word(role: CoordinateRole) -> &'static str {
    match role {
        CoordinateRole::Found => "found",
        CoordinateRole::HeldByFriction => "held by friction",
        CoordinateRole::Follows => "follows",
        CoordinateRole::Held => "held",
        CoordinateRole::Indifferent => "indifferent",
        CoordinateRole::Steady => "steady",
        CoordinateRole::SpeedFound => "speed found",
        CoordinateRole::SpeedIndifferent => "speed indifferent",
    }
}
