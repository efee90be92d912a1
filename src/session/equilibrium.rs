//! Equilibria of a session: names and parameters around the engine's search.

use mbs::declaration::{Location, StartValue};
use mbs::expr::number_text;
use mbs::scene::Quantity;
use mbs::simulation::{
    CoordinateRole, Equilibrium, EquilibriumRequest, EquilibriumSearch, Simulation, SimulationError, Targets,
};
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

/// Factors of inputs with which an equilibrium is sought if there is none with their start values.
const LARGER: [f64; 4] = [2.0, 4.0, 10.0, 100.0];

/// Smallest fraction of the change to prescribed values that is tried at once.
const SMALLEST_FRACTION: f64 = 0.1;

/// How the engine searches.
#[derive(Debug, Clone, Default)]
struct Way {
    search: EquilibriumSearch,
    /// Degrees of freedom, and the positions \[rad, m\] at which they stay whatever carries them.
    placed: Vec<(usize, f64)>,
    /// Whether inputs may leave their ranges.
    ignores_ranges: bool,
}

impl Way {
    fn by(search: EquilibriumSearch) -> Self {
        Self { search, ..Self::default() }
    }
}

/// What is found by equilibria of models with given values: parameters, or start values of inputs.
struct Trim<'a> {
    order: &'a EquilibriumConditions,
    parameters: &'a [usize],
    /// Degrees of freedom at their prescribed positions, if these are what is prescribed: their accelerations shall
    /// vanish there. Else equilibria shall have the prescribed values.
    placed: Vec<(usize, f64)>,
}

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
        if !missed.is_of_search() {
            return Err(self.miss_error(order, inputs, targets, missed));
        }
        let idle = self.inputs_without_effect(order, inputs, targets)?;
        if !idle.is_empty() {
            let others = Way::by(EquilibriumSearch::FromOtherInputs);
            if let Ok(found) = self.seek_rest_by(order, inputs, targets, &others) {
                return Ok(found);
            }
            // What inputs do not reach yet goes to rest first.
            let before = self.save()?;
            if self.seek_rest(order, &[], &[]).is_ok()
                && let Ok(found) = self.seek_rest_by(order, inputs, targets, &others)
            {
                return Ok(found);
            }
            self.restore(&before)?;
        }
        // Friction may hold everything with the inputs that there are.
        let may_stay = targets.is_empty() && !inputs.is_empty();
        if may_stay
            && order.held.is_empty()
            && let Ok(found) = self.rest(order, &[], &[])
        {
            return Ok(found);
        }
        if (!inputs.is_empty() || !order.held.is_empty())
            && let Ok(found) = self.seek_rest_by(order, inputs, targets, &Way::by(EquilibriumSearch::WithFriction))
        {
            return Ok(found);
        }
        if may_stay
            && !order.held.is_empty()
            && let Ok(found) = self.rest(order, &[], &[])
        {
            return Ok(found);
        }
        let ended = self.rest_by_targets(order, inputs, targets, missed);
        ended.map_err(|error| self.with_idle_inputs(error, &idle))
    }

    /// Says which inputs have no effect where the search began.
    fn with_idle_inputs(&self, error: SessionError, idle: &[usize]) -> SessionError {
        let [first, ..] = idle else { return error };
        let values: Vec<String> = idle.iter().map(|&k| number_text(short(self.held_values[k]))).collect();
        let (have, begin) = match idle {
            [_] => ("has no effect at its start value", "begin with one at which it acts"),
            _ => ("have no effect at their start values", "begin with some at which they act"),
        };
        let words = format!(
            "; `{}` {have} {}, and no other value that was tried leads to an equilibrium: {begin} (`--set {}=VALUE`)",
            self.names_of(idle),
            values.join(", "),
            self.interface.variables[*first].name
        );
        match error {
            SessionError::Refused(text) => SessionError::Refused(text + &words),
            SessionError::Simulation(SimulationError::Start(text)) => SimulationError::Start(text + &words).into(),
            error => error,
        }
    }

    /// Newton's method for start values of inputs, where the search for everything at once has failed.
    fn rest_by_targets(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
        missed: Miss,
    ) -> Result<Equilibrium, SessionError> {
        if inputs.is_empty() || inputs.len() != targets.len() {
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
            let on_the_way = Way { ignores_ranges: true, ..Way::default() };
            if self.seek_rest_by(order, inputs, &between, &on_the_way).is_ok() {
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
        self.seek_rest_by(order, inputs, targets, &Way::default())
    }

    fn seek_rest_by(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
        way: &Way,
    ) -> Result<Equilibrium, Miss> {
        let request = self.request(order, inputs, way);
        let found = self
            .with_targets(targets, |simulation, targets| simulation.find_equilibrium(&request, targets))
            .map_err(Miss::Error)?;
        found.map_err(|error| match error {
            SimulationError::TargetMissed { target, .. } if target < targets.len() => Miss::Target(target),
            error => Miss::Error(error.into()),
        })
    }

    /// Trimmed inputs that have no effect at the start of the search.
    fn inputs_without_effect(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
    ) -> Result<Vec<usize>, SessionError> {
        if inputs.is_empty() {
            return Ok(Vec::new());
        }
        let request = self.request(order, inputs, &Way::default());
        let found =
            self.with_targets(targets, |simulation, targets| simulation.inputs_without_effect(&request, targets))?;
        let found = found.unwrap_or_default();
        let is_idle = |variable: &usize| matches!(self.quantity(*variable), Some(Quantity::Input(input)) if found.contains(&input));
        Ok(inputs.iter().copied().filter(is_idle).collect())
    }

    fn request(&self, order: &EquilibriumConditions, inputs: &[usize], way: &Way) -> EquilibriumRequest {
        let input_of = |&variable: &usize| match self.quantity(variable) {
            Some(Quantity::Input(input)) => Some(input),
            _ => None,
        };
        EquilibriumRequest {
            held: order.held.clone(),
            steady: order.steady.clone(),
            speeds: order.speeds.clone(),
            inputs: inputs.iter().filter_map(input_of).collect(),
            placed: way.placed.clone(),
            carries_placed: !way.placed.is_empty(),
            search: way.search,
            ignores_ranges: way.ignores_ranges,
        }
    }

    /// Lends the simulation out, with the deviations from prescribed values.
    fn with_targets<T>(
        &mut self,
        targets: &[(usize, f64)],
        what: impl FnOnce(&mut Simulation<Ida>, &mut Targets<'_, Ida>) -> T,
    ) -> Result<T, SessionError> {
        let Some(mut simulation) = self.simulation.take() else {
            return Err(SessionError::Refused("an equilibrium needs initialization first".to_owned()));
        };
        let wanted: Vec<(usize, f64, f64)> =
            targets.iter().map(|&(k, value)| (k, value, size_of(&self.interface.variables[k], value))).collect();
        let result = what(&mut simulation, &mut |simulation| {
            let off = |(variable, value, size): &(usize, f64, f64)| {
                Ok((self.value_in_run(simulation, *variable)? - value) / size)
            };
            wanted.iter().map(off).collect()
        });
        self.simulation = Some(simulation);
        Ok(result)
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
        let start: Vec<f64> = parameters.iter().map(|&k| self.held_values[k]).collect();
        let placed = self.placed(order, parameters)?;
        if !placed.is_empty() {
            let trim = Trim { order, parameters, placed };
            match self.trim_from(&trim, start.clone()).and_then(|_| self.rest_as_placed(order)) {
                Err(error) if is_of_search(&error) => {}
                ended => return ended,
            }
        }
        self.trim_from(&Trim { order, parameters, placed: Vec::new() }, start)
    }

    /// Degrees of freedom whose positions are prescribed, if parameters are sought and nothing else is prescribed.
    fn placed(
        &mut self,
        order: &EquilibriumConditions,
        parameters: &[usize],
    ) -> Result<Vec<(usize, f64)>, SessionError> {
        let are_inputs = parameters.iter().any(|&k| self.interface.variables[k].role == Role::Input);
        let dofs = self.degrees_of_freedom()?;
        let is_given = |v: &usize| [&order.held, &order.steady, &order.speeds].iter().any(|list| list.contains(v));
        let place = |&(variable, value): &(usize, f64)| {
            let name = &self.interface.variables[variable].name;
            let v = dofs.iter().position(|dof| dof.q.is_some() && dof.position == *name)?;
            (!are_inputs && !is_given(&v)).then_some((v, value))
        };
        Ok(order.targets.iter().map(place).collect::<Option<Vec<_>>>().unwrap_or_default())
    }

    /// The equilibrium at the present point, at which coordinates were held where they are prescribed.
    fn rest_as_placed(&mut self, order: &EquilibriumConditions) -> Result<Equilibrium, SessionError> {
        let found = self.rest(order, &[], &[])?;
        for &target in &order.targets {
            let off = (self.value(target.0)? - target.1) / size_of(&self.interface.variables[target.0], target.1);
            if off.abs() > NEARLY_REACHED {
                return Err(SessionError::Refused(self.missed(target, off)));
            }
        }
        Ok(found)
    }

    /// The first values with which there is an equilibrium: the given ones, or larger inputs, with which fingers hold
    /// what they would lose.
    fn first_values(&mut self, trim: &Trim<'_>, values: Vec<f64>) -> Result<(Vec<f64>, Vec<f64>), SessionError> {
        let error = match self.rest_with(trim, &values) {
            Ok((_, off)) => return Ok((values, off)),
            Err(error) if is_of_search(&error) => error,
            Err(error) => return Err(error),
        };
        if trim.parameters.iter().all(|&k| self.interface.variables[k].role == Role::Input) {
            for factor in LARGER {
                let larger: Vec<f64> = values.iter().map(|value| factor * value).collect();
                let is_allowed = trim.parameters.iter().zip(&larger).all(|(&k, &value)| self.allows(k, value));
                if larger != values
                    && is_allowed
                    && let Ok((_, off)) = self.rest_with(trim, &larger)
                {
                    return Ok((larger, off));
                }
            }
        }
        Err(error)
    }

    fn trim_from(&mut self, trim: &Trim<'_>, values: Vec<f64>) -> Result<Equilibrium, SessionError> {
        let (order, parameters) = (trim.order, trim.parameters);
        let (mut values, mut off) = self.first_values(trim, values)?;
        let begin = values.clone();
        let mut slow = 0;
        for _ in 0..MOST_ITERATIONS {
            if off.iter().all(|off| off.abs() <= REACHED) {
                return Ok(self.rest_with(trim, &values)?.0);
            }
            let slopes = self.slopes_by_parameters(trim, &values, &off)?;
            let Some(step) = crate::small_system::solve(slopes, off.clone()) else {
                if values != begin {
                    return Err(self.out_of_reach(order, parameters, &values, &off));
                }
                return Err(SessionError::Refused(format!(
                    "the prescribed values do not depend on `{}` near the equilibrium that the start values lead to; start nearer to \
                     where they shall be reached, or trim other parameters",
                    self.names_of(parameters)
                )));
            };
            let before = size(&off);
            match self.step_parameters(trim, &mut values, &step, &off) {
                Ok(nearer) => {
                    off = nearer;
                    slow = if size(&off) > SLOW_STEP * before { slow + 1 } else { 0 };
                    if slow > MOST_SLOW_STEPS {
                        break;
                    }
                }
                Err(error) if is_of_search(&error) && off.iter().all(|off| off.abs() <= NEARLY_REACHED) => {
                    return Ok(self.rest_with(trim, &values)?.0);
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
        trim: &Trim<'_>,
        values: &[f64],
        off: &[f64],
    ) -> Result<Vec<Vec<f64>>, SessionError> {
        let parameters = trim.parameters;
        let mut slopes = vec![vec![0.0; parameters.len()]; off.len()];
        for k in 0..parameters.len() {
            let step = STEP * if values[k] == 0.0 { 1.0 } else { values[k].abs() };
            let mut beside = values.to_vec();
            beside[k] += step;
            let step = if self.allows(parameters[k], beside[k]) { step } else { -step };
            beside[k] = values[k] + step;
            let (_, other) = self.rest_with(trim, &beside)?;
            slopes.iter_mut().zip(other.iter().zip(off)).for_each(|(row, (a, b))| row[k] = (a - b) / step);
        }
        Ok(slopes)
    }

    /// Goes along Newton's step as far as the deviations become smaller.
    fn step_parameters(
        &mut self,
        trim: &Trim<'_>,
        values: &mut Vec<f64>,
        step: &[f64],
        off: &[f64],
    ) -> Result<Vec<f64>, SessionError> {
        let (order, parameters) = (trim.order, trim.parameters);
        let size_of_value = |value: &f64| if *value == 0.0 { 1.0 } else { value.abs() };
        let growth = values.iter().zip(step).map(|(value, step)| MOST_GROWTH * size_of_value(value) / step.abs());
        let mut fraction = growth.fold(1.0, f64::min);
        let mut last = None;
        for _ in 0..MOST_HALVINGS {
            let next: Vec<f64> = values.iter().zip(step).map(|(value, step)| value - fraction * step).collect();
            let allowed = parameters.iter().zip(&next).all(|(&k, &value)| self.allows(k, value));
            match if allowed { Some(self.rest_with(trim, &next)) } else { None } {
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
    fn rest_with(&mut self, trim: &Trim<'_>, values: &[f64]) -> Result<(Equilibrium, Vec<f64>), SessionError> {
        let Trim { order, parameters, placed } = trim;
        let (start, tolerance) = (self.built_from.start, self.built_from.tolerance);
        self.simulation = None;
        for (&parameter, &value) in parameters.iter().zip(values) {
            self.set(parameter, value)?;
        }
        self.initialize(start, tolerance)?;
        if !placed.is_empty() {
            let way = Way { placed: placed.clone(), ..Way::default() };
            let found = match self.seek_rest_by(order, &[], &[], &way) {
                Err(missed) => return Err(self.miss_error(order, &[], &[], missed)),
                Ok(found) => found,
            };
            let scales = self.running()?.scene().scales;
            let off = |&(v, _): &(usize, f64)| {
                let at = &found.coordinates[v];
                at.acceleration / scales.acceleration_of(at.name.translates)
            };
            let off = placed.iter().map(off).collect();
            return Ok((found, off));
        }
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
