//! Equilibria of a session: names and parameters around the engine's search.

use mbs::declaration::{Location, StartValue};
use mbs::expr::number_text;
use mbs::scene::Quantity;
use mbs::simulation::{CoordinateRole, Equilibrium, EquilibriumRequest, Simulation, SimulationError};
use mbs::spatial::WORLD;
use mbs::variables::{DegreeOfFreedom, degrees_of_freedom};
use mbs_ida::Ida;

use super::{Session, SessionError};
use crate::variable::{InterfaceVariable, Role, Source, VariableKind};

/// Iterations over trimmed parameters.
const MOST_ITERATIONS: usize = 40;
/// Relative step of differences by parameters.
const STEP: f64 = 1e-5;
/// Steps are halved at most as often as this.
const MOST_HALVINGS: usize = 12;
/// Steps in a row that bring the prescribed values hardly nearer, after which the search ends; and what hardly means.
const MOST_SLOW_STEPS: usize = 4;
const SLOW_STEP: f64 = 0.9;
/// A parameter grows at most by this factor in one step of Newton's method.
const MOST_GROWTH: f64 = 10.0;
/// Deviations from prescribed values below this fraction of their size count as none.
const REACHED: f64 = 1e-9;
/// Deviations below this count as none where no step makes them smaller: equilibria among contacts are not more exact.
const NEARLY_REACHED: f64 = 1e-7;

/// Smallest fraction of the change to prescribed values that is tried at once.
const SMALLEST_FRACTION: f64 = 0.1;

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
        matches!(role, Role::Input | Role::Parameter) && *kind == VariableKind::Real && *source != Source::MaxWork
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

    /// An equilibrium with given parameters: one near the start, else one near that without prescribed values.
    fn rest(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
    ) -> Result<Equilibrium, SessionError> {
        let missed = match self.seek_rest(order, inputs, targets) {
            Ok(found) => return Ok(found),
            Err(Miss::Target(_)) if !inputs.is_empty() && self.untrimmed_leads_to(order, inputs, targets)? => {
                match self.seek_rest(order, inputs, targets) {
                    Ok(found) => return Ok(found),
                    Err(missed) => missed,
                }
            }
            Err(missed) => missed,
        };
        if missed.is_of_search() && targets.is_empty() && !inputs.is_empty() {
            // Friction may hold everything with the inputs that there are.
            if let Ok(found) = self.rest(order, &[], &[]) {
                return Ok(found);
            }
        }
        if !missed.is_of_search() || inputs.is_empty() || inputs.len() != targets.len() {
            return Err(self.miss_error(order, inputs, targets, missed));
        }
        // Friction may hold what Newton's method takes for unbalanced.
        let before = self.save()?;
        let error = match self.trim_by_equilibria(order, inputs) {
            Err(error) if is_of_search(&error) => error,
            ended => return ended,
        };
        self.restore(&before)?;
        match (error, &missed) {
            // There are equilibria, but none with these values.
            (SessionError::Refused(_), Miss::Error(error)) if !is_beyond_range(error) => {
                Err(self.unreached(order, targets[0], inputs))
            }
            _ => Err(self.miss_error(order, inputs, targets, missed)),
        }
    }

    fn miss_error(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
        missed: Miss,
    ) -> SessionError {
        match missed {
            Miss::Error(error) => error,
            Miss::Target(target) => self.unreached(order, targets[target], inputs),
        }
    }

    /// Goes to the equilibrium without prescribed values, and from there with the prescribed ones, in parts if they are
    /// far: contacts that do not touch at the start have no slopes there. The session stays where it is if that fails.
    fn untrimmed_leads_to(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
    ) -> Result<bool, SessionError> {
        let before = self.save()?;
        if self.seek_rest(order, &[], &[]).is_err() {
            self.restore(&before)?;
            return Ok(false);
        }
        let first = targets.iter().map(|(variable, _)| self.value(*variable)).collect::<Result<Vec<f64>, _>>()?;
        let (mut reached, mut part) = (0.0, 1.0);
        while reached < 1.0 {
            let next = f64::min(reached + part, 1.0);
            let between =
                |(&(variable, value), first): (&(usize, f64), &f64)| (variable, first + next * (value - first));
            let between: Vec<(usize, f64)> = targets.iter().zip(&first).map(between).collect();
            let here = self.save()?;
            if self.seek(order, inputs, &between, true).is_ok() {
                (reached, part) = (next, 2.0 * part);
                continue;
            }
            self.restore(&here)?;
            part *= 0.5;
            if part < SMALLEST_FRACTION {
                self.restore(&before)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn seek_rest(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
    ) -> Result<Equilibrium, Miss> {
        self.seek(order, inputs, targets, false)
    }

    fn seek(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
        ignores_ranges: bool,
    ) -> Result<Equilibrium, Miss> {
        let input_of = |&variable: &usize| match self.quantity(variable) {
            Some(Quantity::Input(input)) => Some(input),
            _ => None,
        };
        let request = EquilibriumRequest {
            held: order.held.clone(),
            steady: order.steady.clone(),
            speeds: order.speeds.clone(),
            inputs: inputs.iter().filter_map(input_of).collect(),
            ignores_ranges,
        };
        let Some(mut simulation) = self.simulation.take() else {
            let refused = SessionError::Refused("an equilibrium needs initialization first".to_owned());
            return Err(Miss::Error(refused));
        };
        let wanted: Vec<(usize, f64, f64)> =
            targets.iter().map(|&(k, value)| (k, value, size_of(&self.interface.variables[k], value))).collect();
        let found = simulation.find_equilibrium(&request, &mut |simulation| {
            let off = |(variable, value, size): &(usize, f64, f64)| {
                Ok((self.value_in_run(simulation, *variable)? - value) / size)
            };
            wanted.iter().map(off).collect()
        });
        self.simulation = Some(simulation);
        found.map_err(|error| match error {
            SimulationError::TargetMissed { target, .. } if target < targets.len() => Miss::Target(target),
            error => Miss::Error(error.into()),
        })
    }

    /// The error of a prescribed value that no equilibrium has: names the value without trimming.
    fn unreached(&mut self, order: &EquilibriumConditions, target: (usize, f64), inputs: &[usize]) -> SessionError {
        let missed = match self.untrimmed(order, target.0) {
            Some(value) => {
                let off = (value - target.1) / size_of(&self.interface.variables[target.0], target.1);
                format!("{} with the start values of inputs", self.missed(target, off))
            }
            None => format!("`{}`", self.interface.variables[target.0].name),
        };
        let remedy = match inputs {
            [] => "nothing is trimmed that could change it: trim an input or a parameter (`--trim`)".to_owned(),
            _ => format!(
                "`{}` cannot bring it there: trim what can, free more coordinates, or start nearer",
                self.names_of(inputs)
            ),
        };
        SessionError::Refused(format!("no equilibrium was found that has the prescribed value: {missed}; {remedy}"))
    }

    /// Value of a variable at the equilibrium where nothing is trimmed or prescribed, if there is one; the session
    /// stays where it is.
    fn untrimmed(&mut self, order: &EquilibriumConditions, variable: usize) -> Option<f64> {
        let before = self.save().ok()?;
        let found = self.rest(order, &[], &[]).ok();
        let value = found.and_then(|_| self.value(variable).ok());
        self.restore(&before).ok()?;
        value
    }

    /// What a prescribed value is instead.
    fn missed(&self, (variable, wanted): (usize, f64), off: f64) -> String {
        let size = size_of(&self.interface.variables[variable], wanted);
        let is = wanted + off * size;
        let is = if is.abs() <= NEARLY_REACHED * size { 0.0 } else { is };
        let (name, unit) = (&self.interface.variables[variable].name, self.interface.variables[variable].unit.as_str());
        let unit = if matches!(unit, "" | "1") { String::new() } else { format!(" {unit}") };
        format!("`{name}` is {}{unit} instead of {}{unit}", number_text(short(is)), number_text(short(wanted)))
    }

    /// Value of a variable in a simulation that the session has lent out.
    fn value_in_run(&self, simulation: &mut Simulation<Ida>, variable: usize) -> Result<f64, SimulationError> {
        match (&self.interface.variables[variable].source, self.quantity(variable)) {
            (Source::Expression(index), _) => {
                let program = &self.interface.expressions[*index].program;
                let mut slots = vec![0.0; self.interface.variables.len()];
                for &slot in program.slots() {
                    slots[slot] = self.value_in_run(simulation, slot)?;
                }
                Ok(program.value(&slots, simulation.scene().signals.tables(), mbs::expr::Relations::Live))
            }
            (_, Some(quantity)) => simulation.value(&quantity),
            _ => Ok(self.held_values[variable]),
        }
    }

    /// Newton's method for parameters, or for start values of inputs: every evaluation builds the model and finds its
    /// equilibrium.
    fn trim_by_equilibria(
        &mut self,
        order: &EquilibriumConditions,
        parameters: &[usize],
    ) -> Result<Equilibrium, SessionError> {
        let mut values: Vec<f64> = parameters.iter().map(|&k| self.held_values[k]).collect();
        let begin = values.clone();
        let (_, mut off) = self.rest_with(order, parameters, &values)?;
        let mut slow = 0;
        for _ in 0..MOST_ITERATIONS {
            if off.iter().all(|off| off.abs() <= REACHED) {
                return Ok(self.rest_with(order, parameters, &values)?.0);
            }
            let slopes = self.slopes_by_parameters(order, parameters, &values, &off)?;
            let Some(step) = crate::small_system::solve(slopes, off.clone()) else {
                if values != begin {
                    return Err(self.out_of_reach(order, parameters, &values, &off));
                }
                return Err(SessionError::Refused(format!(
                    "the prescribed values do not depend on `{}`; trim other parameters",
                    self.names_of(parameters)
                )));
            };
            let before = size(&off);
            match self.step_parameters(order, parameters, &mut values, &step, &off) {
                Ok(nearer) => {
                    off = nearer;
                    slow = if size(&off) > SLOW_STEP * before { slow + 1 } else { 0 };
                    if slow > MOST_SLOW_STEPS {
                        break;
                    }
                }
                Err(error) if is_of_search(&error) && off.iter().all(|off| off.abs() <= NEARLY_REACHED) => {
                    return Ok(self.rest_with(order, parameters, &values)?.0);
                }
                Err(error) => return Err(error),
            }
        }
        Err(self.out_of_reach(order, parameters, &values, &off))
    }

    /// The error of a search that ends away from the prescribed values.
    fn out_of_reach(
        &self,
        order: &EquilibriumConditions,
        parameters: &[usize],
        values: &[f64],
        off: &[f64],
    ) -> SessionError {
        let quantity = |k: usize, value: f64| {
            let variable = &self.interface.variables[k];
            let unit =
                if matches!(variable.unit.as_str(), "" | "1") { String::new() } else { format!(" {}", variable.unit) };
            (&variable.name, format!("{}{unit}", number_text(short(value))))
        };
        let tried = parameters.iter().zip(values).map(|(&k, &value)| {
            let (name, value) = quantity(k, value);
            format!("`{name}` = {value}")
        });
        let missed = order.targets.iter().zip(off).filter(|(_, off)| off.abs() > REACHED);
        let missed = missed.map(|(&target, &off)| self.missed(target, off));
        SessionError::Refused(format!(
            "no value of `{}` was found with which the prescribed values are reached: with {}, {}, and it comes no nearer; prescribe \
             what the model can reach, or start nearer, with --set",
            self.names_of(parameters),
            tried.collect::<Vec<_>>().join(", "),
            missed.collect::<Vec<_>>().join(", ")
        ))
    }

    fn names_of(&self, variables: &[usize]) -> String {
        let names: Vec<&str> = variables.iter().map(|&k| self.interface.variables[k].name.as_str()).collect();
        names.join("`, `")
    }

    /// Derivatives of deviations by parameters, column by column.
    fn slopes_by_parameters(
        &mut self,
        order: &EquilibriumConditions,
        parameters: &[usize],
        values: &[f64],
        off: &[f64],
    ) -> Result<Vec<Vec<f64>>, SessionError> {
        let mut slopes = vec![vec![0.0; parameters.len()]; off.len()];
        for k in 0..parameters.len() {
            let step = STEP * if values[k] == 0.0 { 1.0 } else { values[k].abs() };
            let mut beside = values.to_vec();
            beside[k] += step;
            let step = if self.allows(parameters[k], beside[k]) { step } else { -step };
            beside[k] = values[k] + step;
            let (_, other) = self.rest_with(order, parameters, &beside)?;
            slopes.iter_mut().zip(other.iter().zip(off)).for_each(|(row, (a, b))| row[k] = (a - b) / step);
        }
        Ok(slopes)
    }

    /// Goes along Newton's step as far as the deviations become smaller.
    fn step_parameters(
        &mut self,
        order: &EquilibriumConditions,
        parameters: &[usize],
        values: &mut Vec<f64>,
        step: &[f64],
        off: &[f64],
    ) -> Result<Vec<f64>, SessionError> {
        let growth = values.iter().zip(step).map(|(value, step)| MOST_GROWTH * value.abs().max(1.0) / step.abs());
        let mut fraction = growth.fold(1.0, f64::min);
        let mut last = None;
        for _ in 0..MOST_HALVINGS {
            let next: Vec<f64> = values.iter().zip(step).map(|(value, step)| value - fraction * step).collect();
            let allowed = parameters.iter().zip(&next).all(|(&k, &value)| self.allows(k, value));
            match if allowed { Some(self.rest_with(order, parameters, &next)) } else { None } {
                Some(Ok((_, reached))) if size(&reached) < size(off) => {
                    *values = next;
                    return Ok(reached);
                }
                Some(Err(error)) => last = Some(error),
                _ => {}
            }
            fraction *= 0.5;
        }
        Err(last.unwrap_or_else(|| self.out_of_reach(order, parameters, values, off)))
    }

    fn allows(&self, variable: usize, value: f64) -> bool {
        let variable = &self.interface.variables[variable];
        variable.min.is_none_or(|min| value >= min) && variable.max.is_none_or(|max| value <= max)
    }

    /// The equilibrium with given values of parameters, and how far prescribed values are off, relative to their sizes.
    fn rest_with(
        &mut self,
        order: &EquilibriumConditions,
        parameters: &[usize],
        values: &[f64],
    ) -> Result<(Equilibrium, Vec<f64>), SessionError> {
        let (start, tolerance) = (self.built_from.start, self.built_from.tolerance);
        self.simulation = None;
        for (&parameter, &value) in parameters.iter().zip(values) {
            self.set(parameter, value)?;
        }
        self.initialize(start, tolerance)?;
        let found = self.rest(order, &[], &[])?;
        let mut off = Vec::with_capacity(order.targets.len());
        for &(variable, value) in &order.targets {
            off.push((self.value(variable)? - value) / size_of(&self.interface.variables[variable], value));
        }
        Ok((found, off))
    }
}

/// Sum of squares of deviations.
fn size(off: &[f64]) -> f64 {
    off.iter().map(|x| x * x).sum()
}

/// Four digits of a number.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
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
