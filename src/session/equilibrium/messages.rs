//! Errors of equilibria, in words.

use mbs::expr::number_text;
use mbs::simulation::SimulationError;

use super::{EquilibriumConditions, Miss, NEARLY_REACHED, REACHED, size_of};
use crate::session::{Session, SessionError};

impl Session {
    /// Says which inputs have no effect where the search began.
    pub(super) fn with_idle_inputs(&self, error: SessionError, idle: &[usize]) -> SessionError {
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

    pub(super) fn miss_error(
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

    /// The error of a prescribed value that no equilibrium has: names the value without trimming.
    pub(super) fn unreached(
        &mut self,
        order: &EquilibriumConditions,
        target: (usize, f64),
        inputs: &[usize],
    ) -> SessionError {
        let missed = match self.untrimmed(order, target.0) {
            Some(value) => {
                let off = (value - target.1) / size_of(&self.interface.variables[target.0], target.1);
                format!("{} with the start values of inputs", self.missed(target, off))
            }
            None => format!("`{}`", self.interface.variables[target.0].name),
        };
        let remedy = match inputs {
            [] => "nothing is trimmed that could change it: trim an input or a parameter (`--trim`)".to_owned(),
            few if few.len() < order.targets.len() => format!(
                "{} values are prescribed, but fewer inputs are trimmed (`{}`): trim as many, or prescribe fewer values",
                order.targets.len(),
                self.names_of(few)
            ),
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
    pub(super) fn missed(&self, (variable, wanted): (usize, f64), off: f64) -> String {
        let size = size_of(&self.interface.variables[variable], wanted);
        let is = wanted + off * size;
        let is = if is.abs() <= NEARLY_REACHED * size { 0.0 } else { is };
        let (name, unit) = (&self.interface.variables[variable].name, self.interface.variables[variable].unit.as_str());
        let unit = if matches!(unit, "" | "1") { String::new() } else { format!(" {unit}") };
        format!("`{name}` is {}{unit} instead of {}{unit}", number_text(short(is)), number_text(short(wanted)))
    }

    /// The error of a search that ends away from the prescribed values.
    pub(super) fn out_of_reach(
        &self,
        order: &EquilibriumConditions,
        parameters: &[usize],
        values: &[f64],
        off: &[f64],
    ) -> SessionError {
        let tried = parameters.iter().zip(values).map(|(&k, &value)| {
            let (name, value) = self.quantity_text(k, value);
            format!("`{name}` = {value}")
        });
        SessionError::Refused(format!(
            "no value of `{}` was found with which the prescribed values are reached: with {}, {}, and it comes no nearer; prescribe \
             what the model can reach, or start nearer, with --set",
            self.names_of(parameters),
            tried.collect::<Vec<_>>().join(", "),
            self.all_missed(order, off)
        ))
    }

    /// The error of a search that leads beyond a limit of a parameter: `step` is what Newton's method takes off its
    /// value.
    pub(super) fn limited(
        &self,
        order: &EquilibriumConditions,
        parameter: usize,
        value: f64,
        step: f64,
        off: &[f64],
    ) -> SessionError {
        let (name, value) = self.quantity_text(parameter, value);
        let beyond = if step > 0.0 { "below its minimum" } else { "above its maximum" };
        SessionError::Refused(format!(
            "`{name}` would have to be {beyond} of {value}: there, {}; prescribe what the model can reach, give `{name}` a larger range, \
             or start nearer, with --set",
            self.all_missed(order, off)
        ))
    }

    /// What prescribed values are instead that are not reached.
    fn all_missed(&self, order: &EquilibriumConditions, off: &[f64]) -> String {
        let missed = order.targets.iter().zip(off).filter(|(_, off)| off.abs() > REACHED);
        missed.map(|(&target, &off)| self.missed(target, off)).collect::<Vec<_>>().join(", ")
    }

    /// Name of a variable, and a value with its unit.
    fn quantity_text(&self, variable: usize, value: f64) -> (&str, String) {
        let variable = &self.interface.variables[variable];
        let unit =
            if matches!(variable.unit.as_str(), "" | "1") { String::new() } else { format!(" {}", variable.unit) };
        (&variable.name, format!("{}{unit}", number_text(short(value))))
    }

    pub(super) fn names_of(&self, variables: &[usize]) -> String {
        let names: Vec<&str> = variables.iter().map(|&k| self.interface.variables[k].name.as_str()).collect();
        names.join("`, `")
    }
}

/// Four digits of a number.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
