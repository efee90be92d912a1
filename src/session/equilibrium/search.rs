//! The search for an equilibrium with given parameters: directly, by way of the untrimmed one, from other values of inputs,
//! with friction.

use mbs::scene::Quantity;
use mbs::simulation::{Equilibrium, EquilibriumRequest, EquilibriumSearch, Simulation, SimulationError, Targets};

use super::{EquilibriumConditions, Miss, is_beyond_range, is_of_search, size_of};
use crate::session::{SavedSession, Session, SessionError};
use crate::variable::Source;

/// Smallest fraction of the change to prescribed values that is tried at once.
const SMALLEST_FRACTION: f64 = 0.1;

/// How the engine searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Way {
    pub search: EquilibriumSearch,
    /// Degrees of freedom, and the positions \[rad, m\] at which they stay whatever carries them.
    pub placed: Vec<(usize, f64)>,
    /// Whether inputs may leave their ranges.
    pub ignores_ranges: bool,
}

impl Way {
    fn by(search: EquilibriumSearch) -> Self {
        Self { search, ..Self::default() }
    }
}

impl Session {
    /// An equilibrium with given parameters: one near the start, else one near that without prescribed values.
    pub(super) fn rest(
        &mut self,
        order: &EquilibriumConditions,
        inputs: &[usize],
        targets: &[(usize, f64)],
    ) -> Result<Equilibrium, SessionError> {
        let is_open = targets.is_empty() && leaves_speeds_open(order, inputs);
        let start = if is_open { Some(self.save()?) } else { None };
        let missed = match self.seek_rest(order, inputs, targets) {
            Ok(found) => {
                return match start {
                    Some(start) => self.or_untrimmed(order, found, &start),
                    None => Ok(found),
                };
            }
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

    /// The equilibrium that was found, or that with the inputs as they are at the start, if its speeds are nearer to
    /// those of the start.
    fn or_untrimmed(
        &mut self,
        order: &EquilibriumConditions,
        found: Equilibrium,
        start: &SavedSession,
    ) -> Result<Equilibrium, SessionError> {
        let trimmed = self.save()?;
        self.restore(start)?;
        match self.seek_rest(order, &[], &[]) {
            Ok(other) if other.change_of_speeds < found.change_of_speeds => Ok(other),
            Err(missed) if !missed.is_of_search() => Err(self.miss_error(order, &[], &[], missed)),
            _ => {
                self.restore(&trimmed)?;
                Ok(found)
            }
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

    pub(super) fn seek_rest_by(
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
        what: impl FnOnce(&mut Simulation, &mut Targets<'_>) -> T,
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

    /// Value of a variable in a simulation that the session has lent out.
    fn value_in_run(&self, simulation: &mut Simulation, variable: usize) -> Result<f64, SimulationError> {
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
}

/// Whether more inputs are trimmed than anything determines, so that speeds which shall be found depend on them.
fn leaves_speeds_open(order: &EquilibriumConditions, inputs: &[usize]) -> bool {
    !order.speeds.is_empty() && inputs.len() > order.held.len() + order.steady.len()
}
