//! Entry points: values and their derivatives.

use super::arguments::{array, array_mut, texts};
use super::entry::{Library, on_instance};
use crate::c_types::{Boolean, Component, Integer, Real, StringPointer, ValueReference};
use crate::{Failure, Function, Instance, Outcome, Status};

/// Defines a function that reads numbers (`*mut`, [`array_mut`]) or sets them (`*const`, [`array`]).
macro_rules! accessor {
    ($(#[$doc:meta])* $name:ident, $values:ty, $slice:ident, $function:ident) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// `references` and `values` must hold `n` values.
        pub unsafe fn $name<L: Library>(
            c: Component,
            references: *const ValueReference,
            n: usize,
            values: $values,
        ) -> Status {
            on_instance::<L>(c, Function::$function, |instance| {
                // SAFETY: promised by the caller.
                let arguments = unsafe { both(array("vr", references, n), $slice("value", values, n)) };
                let (references, values) = instance.admit(Function::$function, arguments)?;
                Instance::$name(instance, references, values)
            })
        }
    };
}

accessor!(/** `fmi2GetReal` */ get_real, *mut Real, array_mut, GetReal);
accessor!(/** `fmi2GetInteger` */ get_integer, *mut Integer, array_mut, GetInteger);
accessor!(/** `fmi2GetBoolean` */ get_boolean, *mut Boolean, array_mut, GetBoolean);
accessor!(/** `fmi2SetReal` */ set_real, *const Real, array, SetReal);
accessor!(/** `fmi2SetInteger` */ set_integer, *const Integer, array, SetInteger);
accessor!(/** `fmi2SetBoolean` */ set_boolean, *const Boolean, array, SetBoolean);

/// `fmi2GetString`; the strings live until strings are read again from this instance.
///
/// # Safety
/// `references` and `values` must hold `n` values.
pub unsafe fn get_string<L: Library>(
    c: Component,
    references: *const ValueReference,
    n: usize,
    values: *mut StringPointer,
) -> Status {
    on_instance::<L>(c, Function::GetString, |instance| {
        // SAFETY: promised by the caller.
        let arguments = unsafe { both(array("vr", references, n), array_mut("value", values, n)) };
        let (references, values) = instance.admit(Function::GetString, arguments)?;
        for (value, text) in values.iter_mut().zip(instance.get_string(references)?) {
            *value = text.as_ptr();
        }
        Ok(())
    })
}

/// `fmi2SetString`; the strings are copied.
///
/// # Safety
/// `references` must hold `n` values, `values` as many NUL-terminated strings.
pub unsafe fn set_string<L: Library>(
    c: Component,
    references: *const ValueReference,
    n: usize,
    values: *const StringPointer,
) -> Status {
    on_instance::<L>(c, Function::SetString, |instance| {
        // SAFETY: promised by the caller.
        let arguments = unsafe { both(array("vr", references, n), texts("value", values, n)) };
        let (references, values) = instance.admit(Function::SetString, arguments)?;
        instance.set_string(references, &values)
    })
}

/// `fmi2SetRealInputDerivatives`
///
/// # Safety
/// `references`, `orders` and `values` must hold `n` values.
pub unsafe fn set_real_input_derivatives<L: Library>(
    c: Component,
    references: *const ValueReference,
    n: usize,
    orders: *const Integer,
    values: *const Real,
) -> Status {
    on_instance::<L>(c, Function::SetRealInputDerivatives, |instance| {
        // SAFETY: promised by the caller.
        let (references, values) = unsafe { (array("vr", references, n), array("value", values, n)) };
        // SAFETY: promised by the caller.
        let orders = unsafe { array("order", orders, n) }.and_then(whole_orders);
        let arguments = both(both(references, values), orders);
        let ((references, values), orders) = instance.admit(Function::SetRealInputDerivatives, arguments)?;
        instance.set_real_input_derivatives(references, &orders, values)
    })
}

/// `fmi2GetRealOutputDerivatives`
///
/// # Safety
/// `references`, `orders` and `values` must hold `n` values.
pub unsafe fn get_real_output_derivatives<L: Library>(
    c: Component,
    references: *const ValueReference,
    n: usize,
    orders: *const Integer,
    values: *mut Real,
) -> Status {
    on_instance::<L>(c, Function::GetRealOutputDerivatives, |instance| {
        // SAFETY: promised by the caller.
        let (references, values) = unsafe { (array("vr", references, n), array_mut("value", values, n)) };
        // SAFETY: promised by the caller.
        let orders = unsafe { array("order", orders, n) }.and_then(whole_orders);
        let arguments = both(both(references, values), orders);
        let ((references, values), orders) = instance.admit(Function::GetRealOutputDerivatives, arguments)?;
        instance.get_real_output_derivatives(references, &orders, values)
    })
}

/// Arguments of `fmi2GetDirectionalDerivative` as the host gives them.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)] // Names and meanings of the standard.
pub struct RawDirection {
    pub unknowns: *const ValueReference,
    pub num_unknowns: usize,
    pub knowns: *const ValueReference,
    pub num_knowns: usize,
    pub seed: *const Real,
    pub result: *mut Real,
}

/// `fmi2GetDirectionalDerivative`
///
/// # Safety
/// `knowns` and `seed` must hold `num_knowns` values, `unknowns` and `result` must hold `num_unknowns`.
pub unsafe fn get_directional_derivative<L: Library>(c: Component, raw: RawDirection) -> Status {
    on_instance::<L>(c, Function::GetDirectionalDerivative, |instance| {
        // SAFETY: promised by the caller.
        let knowns = unsafe {
            both(array("vKnown_ref", raw.knowns, raw.num_knowns), array("dvKnown", raw.seed, raw.num_knowns))
        };
        // SAFETY: promised by the caller.
        let unknowns = unsafe {
            let references = array("vUnknown_ref", raw.unknowns, raw.num_unknowns);
            both(references, array_mut("dvUnknown", raw.result, raw.num_unknowns))
        };
        let arguments = both(knowns, unknowns);
        let ((knowns, seed), (unknowns, result)) = instance.admit(Function::GetDirectionalDerivative, arguments)?;
        instance.get_directional_derivative(unknowns, knowns, seed, result)
    })
}

fn both<A, B>(first: Outcome<A>, second: Outcome<B>) -> Outcome<(A, B)> {
    Ok((first?, second?))
}

fn whole_orders(orders: &[Integer]) -> Outcome<Vec<u32>> {
    let positive = |order: &Integer| {
        let order = u32::try_from(*order).ok().filter(|order| *order > 0);
        order.ok_or_else(|| Failure::refused("an order of a derivative is below 1"))
    };
    orders.iter().map(positive).collect()
}
