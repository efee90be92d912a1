//! What a model consists of, once it has started.

use std::fmt;

use crate::contacts::Contacts;
use crate::counting::count;
use crate::error::{Error, Result};
use crate::native::Native;
use crate::plausibility::Plausibility;
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
    /// Variables of the interface: how many of each role, in words.
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
        let name = native.name().to_owned();
        let Some(simulation) = native.session.simulation() else {
            return Err(Error::failed(format!("{name} could not be initialised")));
        };
        let (scene, topology) = (simulation.scene(), simulation.topology());
        let contacts = Contacts::of(scene, topology);
        let remarks = scene
            .remarks
            .iter()
            .cloned()
            .chain(scene.remarks_on_motions())
            .chain(likely_mistakes)
            .chain(contacts.remark())
            .collect();
        Ok(Self {
            bodies: topology.nodes.iter().skip(1).filter(|node| !node.inertia.is_massless()).count(),
            joints: scene.joints.len(),
            states: topology.num_variables() + simulation.num_states_of_components(),
            variables,
            plausibility,
            contacts,
            remarks,
        })
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

/// Variables by role, in words.
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
