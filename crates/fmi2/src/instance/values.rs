//! Getting and setting of variables. A call that sets several checks all before it sets one.

use std::ffi::CString;

use super::checks::{check_number, check_results, locate, same_length, settable};
use super::{Answer, Instance};
use crate::description::BaseType;
use crate::{CoSimulation, Function, Outcome};

impl<M: CoSimulation> Instance<M> {
    /// Reads Reals into `values`.
    ///
    /// # Errors
    /// Unknown reference, wrong life-cycle state, the model fails or delivers a number that is not finite.
    pub fn get_real(&mut self, references: &[u32], values: &mut [f64]) -> Answer {
        self.call(Function::GetReal, |this| {
            if this.prepare(BaseType::Real, references, values.len())? {
                this.model.get_real(&this.slots, values, &mut this.log)?;
                check_results(&this.interface, &this.slots, values, "the value")?;
            }
            Ok(())
        })
    }

    /// Sets Reals.
    ///
    /// # Errors
    /// Unknown reference, not settable now, not finite, outside of the limits, or the model refuses.
    pub fn set_real(&mut self, references: &[u32], values: &[f64]) -> Answer {
        self.call(Function::SetReal, |this| {
            if !this.prepare(BaseType::Real, references, values.len())? {
                return Ok(());
            }
            for (slot, value) in this.slots.iter().zip(values) {
                check_number(settable(&this.interface, BaseType::Real, *slot, this.phase)?, *value)?;
            }
            this.model.set_real(&this.slots, values, &mut this.log)
        })
    }

    /// Reads Integers and Enumerations into `values`.
    ///
    /// # Errors
    /// Unknown reference, wrong life-cycle state, or the model fails.
    pub fn get_integer(&mut self, references: &[u32], values: &mut [i32]) -> Answer {
        self.call(Function::GetInteger, |this| {
            if this.prepare(BaseType::Integer, references, values.len())? {
                this.model.get_integer(&this.slots, values, &mut this.log)?;
            }
            Ok(())
        })
    }

    /// Sets Integers and Enumerations.
    ///
    /// # Errors
    /// Unknown reference, not settable now, outside of the limits, or the model refuses.
    pub fn set_integer(&mut self, references: &[u32], values: &[i32]) -> Answer {
        self.call(Function::SetInteger, |this| {
            if !this.prepare(BaseType::Integer, references, values.len())? {
                return Ok(());
            }
            for (slot, value) in this.slots.iter().zip(values) {
                let entry = settable(&this.interface, BaseType::Integer, *slot, this.phase)?;
                check_number(entry, f64::from(*value))?;
            }
            this.model.set_integer(&this.slots, values, &mut this.log)
        })
    }

    /// Reads Booleans into `values` as 0 and 1.
    ///
    /// # Errors
    /// Unknown reference, wrong life-cycle state, or the model fails.
    pub fn get_boolean(&mut self, references: &[u32], values: &mut [i32]) -> Answer {
        self.call(Function::GetBoolean, |this| {
            if !this.prepare(BaseType::Boolean, references, values.len())? {
                return Ok(());
            }
            this.booleans.clear();
            this.booleans.resize(values.len(), false);
            this.model.get_boolean(&this.slots, &mut this.booleans, &mut this.log)?;
            for (value, boolean) in values.iter_mut().zip(&this.booleans) {
                *value = i32::from(*boolean);
            }
            Ok(())
        })
    }

    /// Sets Booleans; everything but 0 is true.
    ///
    /// # Errors
    /// Unknown reference, not settable now, or the model refuses.
    pub fn set_boolean(&mut self, references: &[u32], values: &[i32]) -> Answer {
        self.call(Function::SetBoolean, |this| {
            if !this.prepare(BaseType::Boolean, references, values.len())? {
                return Ok(());
            }
            this.check_settable(BaseType::Boolean)?;
            this.booleans.clear();
            this.booleans.extend(values.iter().map(|value| *value != 0));
            this.model.set_boolean(&this.slots, &this.booleans, &mut this.log)
        })
    }

    /// Reads Strings. They live in the instance until Strings are read again; a reference given twice gives two
    /// strings.
    ///
    /// # Errors
    /// Unknown reference, wrong life-cycle state, or the model fails.
    pub fn get_string(&mut self, references: &[u32]) -> Answer<&[CString]> {
        self.call(Function::GetString, |this| {
            this.strings.clear();
            locate(&this.interface, BaseType::String, references, &mut this.slots)?;
            for slot in &this.slots {
                let text = this.model.get_string(*slot, &mut this.log)?;
                this.strings.push(c_string(text));
            }
            Ok(())
        })?;
        Ok(&self.strings)
    }

    /// Sets Strings.
    ///
    /// # Errors
    /// Unknown reference, not settable now, or the model refuses.
    pub fn set_string(&mut self, references: &[u32], values: &[&str]) -> Answer {
        self.call(Function::SetString, |this| {
            if !this.prepare(BaseType::String, references, values.len())? {
                return Ok(());
            }
            this.check_settable(BaseType::String)?;
            let mut pairs = this.slots.iter().zip(values);
            pairs.try_for_each(|(slot, value)| this.model.set_string(*slot, value, &mut this.log))
        })
    }

    /// Fills `self.slots`; false if there is nothing to do.
    pub(super) fn prepare(&mut self, base: BaseType, references: &[u32], values: usize) -> Outcome<bool> {
        same_length(references.len(), values)?;
        locate(&self.interface, base, references, &mut self.slots)?;
        Ok(!references.is_empty())
    }

    fn check_settable(&self, base: BaseType) -> Outcome {
        self.slots.iter().try_for_each(|slot| settable(&self.interface, base, *slot, self.phase).map(|_| ()))
    }
}

/// C cannot hold a NUL inside a text; it is shown as U+FFFD.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text).or_else(|_| CString::new(text.replace('\0', "\u{FFFD}"))).unwrap_or_default()
}
