//! Signals that have no finite value, named with what makes them so.

use super::system::{ComponentSystem, Part};
use crate::force::{Signal, Signals};

impl ComponentSystem {
    /// What is wrong with the first signal that is not finite at the last evaluation: an input whose expression has no
    /// value although all that it reads has one, an output of a component, or any input.
    pub(crate) fn not_finite(&self, signals: &Signals) -> Option<String> {
        let is_finite = |part: &Part| {
            let outputs = part.first_output..part.first_output + part.direct.len();
            self.inputs[part.inputs.clone()].iter().all(|value| value.is_finite())
                && outputs.into_iter().all(|slot| signals.slot(slot).is_finite())
        };
        if self.parts.iter().all(is_finite) {
            return None;
        }
        let of_all = |complaint: &dyn Fn(&Part) -> Option<String>| self.parts.iter().find_map(complaint);
        of_all(&|part| self.input_not_finite(part, signals, true))
            .or_else(|| of_all(&|part| self.output_not_finite(part, signals)))
            .or_else(|| of_all(&|part| self.input_not_finite(part, signals, false)))
    }

    /// As [`ComponentSystem::not_finite`], when an input of a component is not a number.
    pub(crate) fn input_without_value(&self, signals: &Signals) -> Option<String> {
        if self.inputs.iter().any(|value| value.is_nan()) { self.not_finite(signals) } else { None }
    }

    /// The first input of a component that is not finite; `first` if it is not because of what it reads.
    fn input_not_finite(&self, part: &Part, signals: &Signals, first: bool) -> Option<String> {
        let values = &self.inputs[part.inputs.clone()];
        let begins = |signal: &Signal| !first || signals.reads_finite_values(signal);
        let at = (0..values.len()).find(|&k| !values[k].is_finite() && begins(&part.signals[k]))?;
        let (input, path, value) = (&part.input_names[at], &part.path, values[at]);
        let why = signals.why_not_finite(&part.signals[at]).map_or_else(String::new, |why| format!(": {why}"));
        Some(format!(
            "input `{input}` of component `{path}` is {value} at t = {} s, but must be finite{why}",
            signals.time()
        ))
    }

    /// The first output of a component that is not finite although all inputs of the component are.
    fn output_not_finite(&self, part: &Part, signals: &Signals) -> Option<String> {
        if !self.inputs[part.inputs.clone()].iter().all(|value| value.is_finite()) {
            return None;
        }
        let at = (0..part.direct.len()).find(|k| !signals.slot(part.first_output + k).is_finite())?;
        let value = signals.slot(part.first_output + at);
        let (output, path) = (&part.output_names[at], &part.path);
        Some(format!(
            "output `{output}` of component `{path}` is {value} at t = {} s, but must be finite",
            signals.time()
        ))
    }
}
