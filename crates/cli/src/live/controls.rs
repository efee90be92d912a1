//! Inputs and parameters as the page shows them.

use mbs_present::view::{Control, ControlKind, Effect};
use multibody_fmu::{Interface, InterfaceVariable, Role, Session, VariableKind};

use crate::error::{Error, Result};

/// Inputs, tunable parameters and other parameters, in this order, with their present values.
///
/// # Errors
/// Models that cannot be evaluated.
pub(super) fn controls(session: &mut Session) -> Result<Vec<Control>> {
    let interface = session.interface().clone();
    let settable =
        |variable: &InterfaceVariable| matches!(variable.role, Role::Input | Role::Parameter) && !variable.is_setting();
    let variables = interface.variables.iter().enumerate().filter(|(_, variable)| settable(variable));
    let mut all = variables.map(|(index, _)| control(session, &interface, index)).collect::<Result<Vec<_>>>()?;
    // Stable: in the order of the model otherwise.
    all.sort_by_key(|(group, _)| *group);
    Ok(all.into_iter().map(|(_, control)| control).collect())
}

fn control(session: &mut Session, interface: &Interface, index: usize) -> Result<(u8, Control)> {
    let variable = &interface.variables[index];
    let failed = |error: multibody_fmu::SessionError| Error::failed(error.to_string());
    let is_text = variable.kind == VariableKind::String;
    let text = if is_text { Some(session.text(index).map_err(failed)?.to_owned()) } else { None };
    let (group, takes_effect) = match variable.role {
        Role::Input => (0, Effect::Now),
        _ if variable.tunable => (1, Effect::Now),
        _ => (2, Effect::AtStart),
    };
    let control = Control {
        name: variable.name.clone(),
        description: variable.description.clone(),
        unit: variable.unit.clone(),
        kind: match variable.kind {
            VariableKind::Real => ControlKind::Real,
            VariableKind::Integer => ControlKind::Integer,
            VariableKind::Boolean => ControlKind::Boolean,
            VariableKind::String => ControlKind::Text,
        },
        value: if is_text { 0.0 } else { session.get(index).map_err(failed)? },
        text,
        min: variable.min,
        max: variable.max,
        nominal: variable.nominal,
        choices: if is_text { interface.names().to_vec() } else { Vec::new() },
        takes_effect,
    };
    Ok((group, control))
}
