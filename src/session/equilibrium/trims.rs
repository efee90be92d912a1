//! Trims by equilibria: Newton's method for parameters, or for start values of inputs.

use mbs::simulation::Equilibrium;

use super::search::Way;
use super::{EquilibriumConditions, NEARLY_REACHED, REACHED, is_of_search, size_of};
use crate::session::{Session, SessionError};
use crate::variable::Role;

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

/// Factors of inputs with which an equilibrium is sought if there is none with their start values.
const LARGER: [f64; 4] = [2.0, 4.0, 10.0, 100.0];

/// What is found by equilibria of models with given values: parameters, or start values of inputs.
struct Trim<'a> {
    order: &'a EquilibriumConditions,
    parameters: &'a [usize],
    /// Degrees of freedom at their prescribed positions, if these are what is prescribed: their accelerations shall
    /// vanish there. Else equilibria shall have the prescribed values.
    placed: Vec<(usize, f64)>,
}

impl Session {
    /// Newton's method for parameters, or for start values of inputs: every evaluation builds the model and finds its
    /// equilibrium.
    pub(super) fn trim_by_equilibria(
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
        let to_limits = self.fractions_to_limits(parameters, values, step);
        if let Some(k) = to_limits.iter().position(|fraction| *fraction <= 0.0) {
            return Err(self.limited(order, parameters[k], values[k], step[k], off));
        }
        let mut fraction = growth.chain(to_limits).fold(1.0, f64::min);
        let mut last = None;
        for _ in 0..MOST_HALVINGS {
            let next = values.iter().zip(step).map(|(value, step)| value - fraction * step);
            let next: Vec<f64> = parameters.iter().zip(next).map(|(&k, value)| self.within_limits(k, value)).collect();
            match self.rest_with(trim, &next) {
                Ok((_, reached)) if size(&reached) < size(off) => {
                    *values = next;
                    return Ok(reached);
                }
                Err(error) => last = Some(error),
                Ok(_) => {}
            }
            fraction *= 0.5;
        }
        Err(last.unwrap_or_else(|| self.out_of_reach(order, parameters, values, off)))
    }

    /// Fractions of a step at which parameters reach their limits.
    fn fractions_to_limits(&self, parameters: &[usize], values: &[f64], step: &[f64]) -> Vec<f64> {
        let fraction = |((&k, value), step): ((&usize, &f64), &f64)| {
            let variable = &self.interface.variables[k];
            let limit = if *step > 0.0 { variable.min } else { variable.max };
            limit.filter(|_| *step != 0.0).map_or(f64::INFINITY, |limit| (value - limit) / step)
        };
        parameters.iter().zip(values).zip(step).map(fraction).collect()
    }

    fn within_limits(&self, variable: usize, value: f64) -> f64 {
        let variable = &self.interface.variables[variable];
        value.max(variable.min.unwrap_or(f64::NEG_INFINITY)).min(variable.max.unwrap_or(f64::INFINITY))
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
