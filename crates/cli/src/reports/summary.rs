//! What a model consists of, once it has started.

use std::fmt;

use mbs::expr::number_text;
use multibody_fmu::{InterfaceVariable, Session, SessionError, VariableKind};

use crate::counting::count;
use crate::error::{Error, Result};
use crate::native::Native;
use crate::reports::contacts::Contacts;
use crate::reports::plausibility::Plausibility;
use crate::reports::unused::unused;
use crate::variable::{Role, Runner, Variable};

/// Counts of a model that can be initialised.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Bodies with mass that can move, after merging.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Continuous states.
    pub states: usize,
    /// Variables of the interface: how many of each role.
    pub variables: String,
    /// How large and heavy it is.
    pub plausibility: Plausibility,
    /// Which objects can meet.
    pub contacts: Contacts,
    /// What the modeller may not have meant.
    pub remarks: Vec<String>,
}

impl Summary {
    /// Initialises a model with the defaults of its parameters and counts.
    ///
    /// # Errors
    /// Everything that keeps it from starting or being packed.
    pub fn of(native: &mut Native) -> Result<Self> {
        native.model().xml()?;
        native.start_with_defaults()?;
        let variables = counts(native.variables());
        let mut plausibility = Plausibility::of(&mut native.session)?;
        let likely_mistakes = std::mem::take(&mut plausibility.remarks);
        let unused = unused(&native.session.interface().declaration);
        let name = native.name().to_owned();
        let Some(simulation) = native.session.simulation() else {
            return Err(Error::failed(format!("{name} could not be initialised")));
        };
        let (scene, topology) = (simulation.scene(), simulation.topology());
        let contacts = Contacts::of(scene, topology);
        let remarks: Vec<String> = scene
            .remarks
            .iter()
            .cloned()
            .chain(scene.remarks_on_motions())
            .chain(likely_mistakes)
            .chain(unused)
            .chain(contacts.remark())
            .collect();
        let mut summary = Self {
            bodies: topology.nodes.iter().skip(1).filter(|node| !node.inertia.is_massless()).count(),
            joints: scene.joints.len(),
            states: topology.num_variables() + simulation.num_states_of_components(),
            variables,
            plausibility,
            contacts,
            remarks,
        };
        // Last, as it tries other values in the run.
        summary.remarks.extend(remarks_on_tunables(&mut native.session));
        Ok(summary)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bodies = count(self.bodies, "body", "bodies");
        let joints = count(self.joints, "joint", "joints");
        let states = count(self.states, "state", "states");
        write!(f, "{bodies}, {joints}, {states}, {}", self.variables)
    }
}

/// Warns of tunable parameters that a run refuses because some of their values change the structure of the model.
fn remarks_on_tunables(session: &mut Session) -> Vec<String> {
    let interface = session.interface().clone();
    let is_tunable =
        |variable: &InterfaceVariable| variable.role == Role::Parameter && variable.tunable && variable.start.is_some();
    let tunables = interface.variables.iter().enumerate().filter(|(_, variable)| is_tunable(variable));
    let mut remarks = Vec::new();
    for (index, variable) in tunables {
        let own = variable.start.unwrap_or_default();
        let refused = others(variable, own).into_iter().find(|value| {
            let outcome = session.set(index, *value).and_then(|()| session.get(index));
            // Takes the value back that a run has taken over; one that was refused has returned already.
            let restored = session.set(index, own).and_then(|()| session.get(index));
            restored.is_ok() && matches!(outcome, Err(SessionError::AtStart(_)))
        });
        remarks.extend(refused.map(|value| {
            format!(
                "parameter `{}` is tunable, but a run refuses other values, such as {}: they change the structure of the model; \
                 without `tunable` it is set before a run",
                variable.name,
                number_text(value)
            )
        }));
    }
    remarks
}

/// Values beside that of a parameter, and at the ends of its range.
fn others(variable: &InterfaceVariable, own: f64) -> Vec<f64> {
    let beside = match variable.kind {
        VariableKind::Boolean => vec![1.0 - own],
        VariableKind::Integer => vec![own + 1.0, own - 1.0],
        VariableKind::Real => vec![own * 1.001],
        VariableKind::String => Vec::new(),
    };
    let ends = [variable.min, variable.max].into_iter().flatten();
    let allowed =
        |value: &f64| variable.min.is_none_or(|min| min <= *value) && variable.max.is_none_or(|max| *value <= max);
    beside.into_iter().chain(ends).filter(allowed).filter(|value| *value != own).collect()
}

/// Describes numbers of variables by role.
pub fn counts(variables: &[Variable]) -> String {
    let of = |role: Role| variables.iter().filter(|variable| variable.role == role).count();
    format!(
        "{} ({}, {}, {})",
        count(variables.len(), "variable", "variables"),
        count(of(Role::Parameter), "parameter", "parameters"),
        count(of(Role::Input), "input", "inputs"),
        count(of(Role::Output), "output", "outputs")
    )
}
