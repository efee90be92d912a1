//! Checks of value references and values against the variable table.

use crate::description::{BaseType, Causality, Variability};
use crate::interface::Entry;
use crate::{Failure, Interface, Outcome, Phase};

/// Translates value references to slots; `slots` is overwritten.
pub(super) fn locate(interface: &Interface, base: BaseType, references: &[u32], slots: &mut Vec<u32>) -> Outcome {
    let (first, end) = interface.references(base);
    slots.clear();
    for &reference in references {
        if !(first..end).contains(&reference) {
            return Err(unknown_reference(interface, base, reference));
        }
        slots.push(reference - first);
    }
    Ok(())
}

#[cold]
fn unknown_reference(interface: &Interface, base: BaseType, reference: u32) -> Failure {
    let wanted = base.name();
    if let Some((found, entry)) = interface.find(reference) {
        let name = &entry.name;
        let message = format!("value reference {reference} is the {} {name:?}, not a {wanted}", found.name());
        return Failure::refused(message);
    }
    let (first, end) = interface.references(base);
    let range = match end - first {
        0 => format!("the model has no {wanted}s"),
        _ => format!("{wanted}s have value references {first} to {}", end - 1),
    };
    Failure::refused(format!("there is no variable with value reference {reference}; {range}"))
}

/// The variable in a slot, if it may be set now.
pub(super) fn settable(interface: &Interface, base: BaseType, slot: u32, phase: Phase) -> Outcome<&Entry> {
    match interface.entry(base, slot) {
        Some(entry) if entry.settable.contains(phase) => Ok(entry),
        Some(entry) => Err(not_settable(entry, phase)),
        None => Err(Failure::refused(format!("there is no {} in slot {slot}", base.name()))),
    }
}

#[cold]
fn not_settable(entry: &Entry, phase: Phase) -> Failure {
    let (name, causality, variability) = (&entry.name, entry.causality.name(), entry.variability.name());
    let phases = Phase::ALL.into_iter().filter(|phase| entry.settable.contains(*phase));
    let phases: Vec<&str> = phases.map(Phase::words).collect();
    let when = match (entry.causality, entry.variability) {
        (Causality::Parameter, Variability::Fixed) => "it is fixed after initialization".to_owned(),
        _ if phases.is_empty() => "it is computed by the model".to_owned(),
        _ => format!("it can be set in {}", phases.join(", ")),
    };
    Failure::refused(format!(
        "variable {name:?} (causality {causality}, variability {variability}) cannot be set in {}; {when}",
        phase.words()
    ))
}

/// Checks that a number may be given to a variable.
pub(super) fn check_number(entry: &Entry, value: f64) -> Outcome {
    // Written so that a NaN fails. Limits are finite.
    if value >= entry.min && value <= entry.max { Ok(()) } else { Err(bad_number(entry, value)) }
}

#[cold]
fn bad_number(entry: &Entry, value: f64) -> Failure {
    let name = &entry.name;
    if !value.is_finite() {
        return Failure::refused(format!(
            "variable {name:?} cannot be set to {}: it must be finite",
            entry.show(value)
        ));
    }
    let range = match (entry.min == f64::MIN, entry.max == f64::MAX) {
        (false, true) => format!("at least {}", entry.show(entry.min)),
        (true, false) => format!("at most {}", entry.show(entry.max)),
        _ => format!("between {} and {}", entry.show(entry.min), entry.show(entry.max)),
    };
    Failure::refused(format!("variable {name:?} cannot be set to {}: it must be {range}", entry.show(value)))
}

/// Checks that the model delivered finite numbers.
pub(super) fn check_results(interface: &Interface, slots: &[u32], values: &[f64], what: &str) -> Outcome {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => {
            let name = slots.get(at).and_then(|slot| interface.entry(BaseType::Real, *slot)).map(|entry| &entry.name);
            Err(Failure::refused(format!("{what} of variable {:?} is {}", name.unwrap_or(&"?".into()), values[at])))
        }
    }
}

/// Checks that two arrays have the same length.
pub(super) fn same_length(references: usize, values: usize) -> Outcome {
    if references == values {
        return Ok(());
    }
    Err(Failure::refused(format!("there are {references} value references but {values} values")))
}
