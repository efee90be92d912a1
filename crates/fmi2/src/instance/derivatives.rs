//! Derivatives with respect to time and to variables.

use super::checks::{check_results, locate, same_length};
use super::{Answer, Instance};
use crate::description::{BaseType, Causality};
use crate::interface::Entry;
use crate::{CoSimulation, Failure, Function, Outcome};

impl<M: CoSimulation> Instance<M> {
    /// Sets derivatives of continuous inputs (unit/s^order).
    ///
    /// # Errors
    /// Unsupported, not a continuous Real input, order below 1, not finite, or the model refuses.
    pub fn set_real_input_derivatives(&mut self, references: &[u32], orders: &[u32], values: &[f64]) -> Answer {
        self.call(Function::SetRealInputDerivatives, |this| {
            if !this.interface.capabilities().can_interpolate_inputs {
                return Err(Failure::unsupported("derivatives of inputs", "canInterpolateInputs=\"false\""));
            }
            same_length(references.len(), orders.len())?;
            if !this.prepare(BaseType::Real, references, values.len())? {
                return Ok(());
            }
            for ((slot, order), value) in this.slots.iter().zip(orders).zip(values) {
                check_input_derivative(this.real(*slot)?, *order, *value)?;
            }
            this.model.set_real_input_derivatives(&this.slots, orders, values, &mut this.log)
        })
    }

    /// Reads derivatives of outputs (unit/s^order).
    ///
    /// # Errors
    /// Unsupported, not a Real output, order outside of 1 to the declared maximum, or the model fails.
    pub fn get_real_output_derivatives(&mut self, references: &[u32], orders: &[u32], values: &mut [f64]) -> Answer {
        self.call(Function::GetRealOutputDerivatives, |this| {
            let highest = this.interface.capabilities().max_output_derivative_order;
            if highest == 0 {
                return Err(Failure::unsupported("derivatives of outputs", "maxOutputDerivativeOrder=\"0\""));
            }
            same_length(references.len(), orders.len())?;
            if !this.prepare(BaseType::Real, references, values.len())? {
                return Ok(());
            }
            for (slot, order) in this.slots.iter().zip(orders) {
                check_output_derivative(this.real(*slot)?, *order, highest)?;
            }
            this.model.get_real_output_derivatives(&this.slots, orders, values, &mut this.log)?;
            check_results(&this.interface, &this.slots, values, "the derivative")
        })
    }

    /// Derivative of `unknowns` in the direction `seed` of `knowns`, into `result`.
    ///
    /// # Errors
    /// Unsupported, unknown reference, a seed that is not finite, or the model fails.
    pub fn get_directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        result: &mut [f64],
    ) -> Answer {
        self.call(Function::GetDirectionalDerivative, |this| {
            if !this.interface.capabilities().provides_directional_derivative {
                let flag = "providesDirectionalDerivative=\"false\"";
                return Err(Failure::unsupported("directional derivatives", flag));
            }
            same_length(knowns.len(), seed.len())?;
            if let Some(bad) = seed.iter().find(|value| !value.is_finite()) {
                return Err(Failure::refused(format!("a seed is {bad}; seeds must be finite")));
            }
            let mut known_slots = Vec::new();
            locate(&this.interface, BaseType::Real, knowns, &mut known_slots)?;
            if !this.prepare(BaseType::Real, unknowns, result.len())? {
                return Ok(());
            }
            if knowns.is_empty() {
                result.fill(0.0);
                return Ok(());
            }
            this.model.get_directional_derivative(&this.slots, &known_slots, seed, result, &mut this.log)?;
            check_results(&this.interface, &this.slots, result, "the directional derivative")
        })
    }

    fn real(&self, slot: u32) -> Outcome<&Entry> {
        let missing = || Failure::refused(format!("there is no Real in slot {slot}"));
        self.interface.entry(BaseType::Real, slot).ok_or_else(missing)
    }
}

fn check_input_derivative(entry: &Entry, order: u32, value: f64) -> Outcome {
    let name = &entry.name;
    if !entry.is_continuous_input() {
        let problem = format!("variable {name:?} is no continuous input; only those have derivatives to set");
        return Err(Failure::refused(problem));
    }
    if order == 0 {
        return Err(Failure::refused(format!("the order of the derivative of input {name:?} must be at least 1")));
    }
    if !value.is_finite() {
        let shown = entry.show(value);
        return Err(Failure::refused(format!(
            "derivative {order} of input {name:?} is {shown}/s^{order}; it must be finite"
        )));
    }
    Ok(())
}

fn check_output_derivative(entry: &Entry, order: u32, highest: u32) -> Outcome {
    let name = &entry.name;
    if entry.causality != Causality::Output {
        return Err(Failure::refused(format!("variable {name:?} is no output; only outputs have derivatives to read")));
    }
    if order == 0 || order > highest {
        let problem = format!("the order {order} of the derivative of output {name:?} must be between 1 and {highest}");
        return Err(Failure::refused(problem));
    }
    Ok(())
}
