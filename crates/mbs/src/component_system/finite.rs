//! Signals that have no finite value, named with what makes them so.

use super::system::{Block, ComponentSystem};
use crate::force::{Signal, Signals};

impl ComponentSystem {
    /// What is wrong with the first signal that is not finite at the last evaluation: an input whose expression has no
    /// value although all that it reads has one, an output of a component, or any input.
    pub(crate) fn not_finite(&self, signals: &Signals) -> Option<String> {
        let is_finite = |block: &Block| {
            let outputs = block.first_output..block.first_output + block.direct.len();
            self.inputs[block.inputs.clone()].iter().all(|value| value.is_finite())
                && outputs.into_iter().all(|slot| signals.slot(slot).is_finite())
        };
        if self.blocks.iter().all(is_finite) {
            return None;
        }
        let of_all = |error_message: &dyn Fn(&Block) -> Option<String>| self.blocks.iter().find_map(error_message);
        of_all(&|block| self.input_not_finite(block, signals, true))
            .or_else(|| of_all(&|block| self.output_not_finite(block, signals)))
            .or_else(|| of_all(&|block| self.input_not_finite(block, signals, false)))
    }

    /// As [`ComponentSystem::not_finite`], when an input of a component is not a number.
    pub(crate) fn input_without_value(&self, signals: &Signals) -> Option<String> {
        if self.inputs.iter().any(|value| value.is_nan()) { self.not_finite(signals) } else { None }
    }

    /// The first input of a component that is not finite; `first` if it is not because of what it reads.
    fn input_not_finite(&self, block: &Block, signals: &Signals, first: bool) -> Option<String> {
        let values = &self.inputs[block.inputs.clone()];
        let begins = |signal: &Signal| !first || signals.reads_finite_values(signal);
        let at = (0..values.len()).find(|&k| !values[k].is_finite() && begins(&block.signals[k]))?;
        let (input, path, value) = (&block.input_names[at], &block.path, values[at]);
        let why = signals.why_not_finite(&block.signals[at]).map_or_else(String::new, |why| format!(": {why}"));
        Some(format!(
            "input `{input}` of component `{path}` is {value} at t = {} s, but must be finite{why}",
            signals.time()
        ))
    }

    /// The first output of a component that is not finite although all inputs of the component are.
    fn output_not_finite(&self, block: &Block, signals: &Signals) -> Option<String> {
        if !self.inputs[block.inputs.clone()].iter().all(|value| value.is_finite()) {
            return None;
        }
        let at = (0..block.direct.len()).find(|k| !signals.slot(block.first_output + k).is_finite())?;
        let value = signals.slot(block.first_output + at);
        let (output, path) = (&block.output_names[at], &block.path);
        Some(format!(
            "output `{output}` of component `{path}` is {value} at t = {} s, but must be finite",
            signals.time()
        ))
    }
}
