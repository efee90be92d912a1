//! Checks of one variable.

use super::names::is_structured;
use super::rules::{InitialRule, initial_rule};
use super::{
    Causality, DescriptionError, Initial, IntegerType, ModelDescription, RealType, ScalarVariable, SimpleType,
    SimpleTypeKind, Variability, VariableType,
};

/// Appends the defects of `variable`.
pub(super) fn check_variable(model: &ModelDescription, variable: &ScalarVariable, defects: &mut Vec<DescriptionError>) {
    let mut complain = |problem: String| defects.push(DescriptionError::of_variable(&variable.name, problem));
    if !is_structured(&variable.name) {
        complain(
            "the name does not follow the structured naming convention (a.b[1].c, der(a.b), 'any text')".to_owned(),
        );
    }
    check_roles(variable, &mut complain);
    check_start(variable, &mut complain);
    match &variable.kind {
        VariableType::Real(real) => check_real(model, real, &mut complain),
        VariableType::Integer(integer) => check_integer(integer, &mut complain),
        VariableType::Enumeration(integer) => check_enumeration(model, integer, &mut complain),
        VariableType::Boolean(_) | VariableType::String(_) => {}
    }
}

fn check_roles(variable: &ScalarVariable, complain: &mut impl FnMut(String)) {
    let (causality, variability) = (variable.causality, variable.variability);
    let roles = format!("causality {} with variability {}", causality.name(), variability.name());
    match (initial_rule(causality, variability), variable.initial) {
        (InitialRule::Forbidden, _) => complain(format!("{roles} does not exist in FMI 2.0")),
        (InitialRule::Absent, Some(_)) => complain(format!("{roles} must have no initial")),
        (InitialRule::OneOf(permitted), Some(initial)) if !permitted.contains(&initial) => {
            let permitted: Vec<&str> = permitted.iter().map(|initial| initial.name()).collect();
            complain(format!("{roles} permits initial {}, not {}", permitted.join(" or "), initial.name()));
        }
        _ => {}
    }
    let real = matches!(variable.kind, VariableType::Real(_));
    if variability == Variability::Continuous && !real {
        complain("only a Real may be continuous; this one is discrete at most".to_owned());
    }
}

fn check_start(variable: &ScalarVariable, complain: &mut impl FnMut(String)) {
    let needs_start = matches!(variable.effective_initial(), Some(Initial::Exact | Initial::Approx))
        || variable.causality == Causality::Input;
    match (needs_start, variable.kind.has_start()) {
        (true, false) => complain("needs a start value".to_owned()),
        (false, true) => complain("is computed and must not have a start value".to_owned()),
        _ => {}
    }
}

fn check_real(model: &ModelDescription, real: &RealType, complain: &mut impl FnMut(String)) {
    check_unit(model, real, complain);
    let (min, max) = (real.min.unwrap_or(f64::MIN), real.max.unwrap_or(f64::MAX));
    let unit = real.unit.as_deref().unwrap_or("1");
    // Written so that a NaN fails.
    if !(min.is_finite() && max.is_finite() && min <= max) {
        complain(format!("the limits {min} {unit} and {max} {unit} must be finite and in order"));
    }
    if let Some(start) = real.start.filter(|start| !(min..=max).contains(start)) {
        complain(format!("the start {start} {unit} must be between {min} {unit} and {max} {unit}"));
    }
    if let Some(nominal) = real.nominal.filter(|nominal| !(nominal.is_finite() && *nominal > 0.0)) {
        complain(format!("the nominal value {nominal} {unit} must be positive and finite"));
    }
    if let Some(state) = real.derivative {
        let is_real = |of: &ScalarVariable| matches!(of.kind, VariableType::Real(_));
        if !model.variables.get(state.0).is_some_and(is_real) {
            complain(format!("it is the derivative of variable {}, which is no Real", state.0 + 1));
        }
    }
    check_declared(model, real.declared_type.as_deref(), |kind| matches!(kind, SimpleTypeKind::Real { .. }), complain);
}

fn check_unit(model: &ModelDescription, real: &RealType, complain: &mut impl FnMut(String)) {
    let Some(name) = &real.unit else {
        if let Some(display) = &real.display_unit {
            complain(format!("the display unit {display:?} needs a unit"));
        }
        return;
    };
    let Some(unit) = model.units.iter().find(|unit| unit.name == *name) else {
        return complain(format!("the unit {name:?} is not declared"));
    };
    let shows = |display: &&String| unit.display_units.iter().any(|known| known.name == **display);
    if let Some(display) = real.display_unit.as_ref().filter(|display| !shows(display)) {
        complain(format!("the display unit {display:?} is not declared in the unit {name:?}"));
    }
}

fn check_integer(integer: &IntegerType, complain: &mut impl FnMut(String)) {
    let (min, max) = (integer.min.unwrap_or(i32::MIN), integer.max.unwrap_or(i32::MAX));
    if min > max {
        complain(format!("the limits {min} and {max} must be in order"));
    }
    if let Some(start) = integer.start.filter(|start| !(min..=max).contains(start)) {
        complain(format!("the start {start} must be between {min} and {max}"));
    }
}

fn check_enumeration(model: &ModelDescription, integer: &IntegerType, complain: &mut impl FnMut(String)) {
    check_integer(integer, complain);
    let Some(name) = integer.declared_type.as_deref() else {
        return complain("an enumeration needs a declared type".to_owned());
    };
    check_declared(model, Some(name), |kind| matches!(kind, SimpleTypeKind::Enumeration(_)), complain);
    if let (Some(SimpleTypeKind::Enumeration(items)), Some(start)) =
        (find_type(model, name).map(|t| &t.kind), integer.start)
        && items.iter().all(|item| item.value != start)
    {
        complain(format!("the start {start} is no value of the type {name:?}"));
    }
}

fn check_declared(
    model: &ModelDescription,
    name: Option<&str>,
    fits: impl Fn(&SimpleTypeKind) -> bool,
    complain: &mut impl FnMut(String),
) {
    let Some(name) = name else { return };
    if !find_type(model, name).is_some_and(|declared| fits(&declared.kind)) {
        complain(format!("the declared type {name:?} does not exist or is of another kind"));
    }
}

fn find_type<'a>(model: &'a ModelDescription, name: &str) -> Option<&'a SimpleType> {
    model.types.iter().find(|declared| declared.name == name)
}
