//! Properties of variables for a running instance: a compact table, indexed by value reference.

use std::collections::BTreeSet;

use crate::description::{
    BaseType, Causality, CoSimulationElement, Initial, ModelDescription, ScalarVariable, Variability, VariableType,
};
use crate::lifecycle::{Phase, Phases};
use crate::number::number;

/// One variable of the table.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Box<str>,
    pub(crate) unit: Box<str>,
    pub(crate) causality: Causality,
    pub(crate) variability: Variability,
    /// Life-cycle states in which the host may set it.
    pub(crate) settable: Phases,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

/// The variables of a model as a running instance needs them, with GUID, capabilities and log categories.
/// Immutable; instances may share one.
#[derive(Debug, Clone)]
pub struct Interface {
    guid: String,
    capabilities: CoSimulationElement,
    log_categories: BTreeSet<String>,
    /// Ordered by value reference.
    entries: Vec<Entry>,
    /// First value reference of each base type, then the end.
    bounds: [u32; 5],
}

impl Interface {
    /// Takes from a description what a running instance needs. The description should be valid; it is not checked
    /// again.
    pub fn new(model: &ModelDescription) -> Self {
        let [real, integer, boolean, string] = model.first_value_references();
        let mut numbered: Vec<(u32, &ScalarVariable)> =
            model.value_references().into_iter().zip(&model.variables).collect();
        numbered.sort_by_key(|(reference, _)| *reference);
        Self {
            guid: model.guid.clone(),
            capabilities: model.co_simulation.clone(),
            log_categories: model.log_categories.iter().map(|category| category.name.clone()).collect(),
            bounds: [real, integer, boolean, string, numbered.len() as u32],
            entries: numbered.into_iter().map(|(_, variable)| Entry::new(variable)).collect(),
        }
    }

    /// The GUID of the description.
    pub fn guid(&self) -> &str {
        &self.guid
    }

    /// The capability flags of the description.
    pub fn capabilities(&self) -> &CoSimulationElement {
        &self.capabilities
    }

    /// The declared log categories.
    pub fn log_categories(&self) -> &BTreeSet<String> {
        &self.log_categories
    }

    /// First value reference of a type and the one after its last.
    pub(crate) fn references(&self, base: BaseType) -> (u32, u32) {
        (self.bounds[base as usize], self.bounds[base as usize + 1])
    }

    /// The variable in a slot of a type.
    pub(crate) fn entry(&self, base: BaseType, slot: u32) -> Option<&Entry> {
        self.entries.get((self.bounds[base as usize] + slot) as usize)
    }

    /// Any variable, with its type.
    pub(crate) fn find(&self, reference: u32) -> Option<(BaseType, &Entry)> {
        let entry = self.entries.get(reference as usize)?;
        let base = BaseType::ALL.into_iter().rev().find(|base| self.bounds[*base as usize] <= reference)?;
        Some((base, entry))
    }
}

impl Entry {
    fn new(variable: &ScalarVariable) -> Self {
        let (min, max) = limits(&variable.kind);
        let unit = match &variable.kind {
            VariableType::Real(real) => real.unit.as_deref().unwrap_or_default(),
            _ => "",
        };
        Self {
            name: variable.name.as_str().into(),
            unit: unit.into(),
            causality: variable.causality,
            variability: variable.variability,
            settable: settable(variable),
            min,
            max,
        }
    }

    /// Whether the host gives derivatives of this variable.
    pub(crate) fn is_continuous_input(&self) -> bool {
        self.causality == Causality::Input && self.variability == Variability::Continuous
    }

    /// A value as text, with its unit.
    pub(crate) fn show(&self, value: f64) -> String {
        let has_unit = !matches!(&*self.unit, "" | "1");
        if has_unit { format!("{} {}", number(value), self.unit) } else { number(value) }
    }
}

fn limits(kind: &VariableType) -> (f64, f64) {
    match kind {
        VariableType::Real(real) => (real.min.unwrap_or(f64::MIN), real.max.unwrap_or(f64::MAX)),
        VariableType::Integer(integer) | VariableType::Enumeration(integer) => {
            (f64::from(integer.min.unwrap_or(i32::MIN)), f64::from(integer.max.unwrap_or(i32::MAX)))
        }
        VariableType::Boolean(_) | VariableType::String(_) => (f64::MIN, f64::MAX),
    }
}

/// The notes of the standard's table of call sequences: before initialisation whatever has a start value and is not
/// constant; in initialization mode what is exact, and inputs; afterwards inputs and tunable parameters.
fn settable(variable: &ScalarVariable) -> Phases {
    if variable.variability == Variability::Constant {
        return Phases::NONE;
    }
    let input = variable.causality == Causality::Input;
    let tunable = variable.causality == Causality::Parameter && variable.variability == Variability::Tunable;
    let initial = variable.effective_initial();
    let exact = initial == Some(Initial::Exact);
    let start = exact || initial == Some(Initial::Approx);
    Phases::NONE
        .and_if(input || start, Phase::Instantiated)
        .and_if(input || exact, Phase::InitializationMode)
        .and_if(input || tunable, Phase::StepComplete)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phases(variable: ScalarVariable) -> [bool; 3] {
        let settable = settable(&variable);
        [Phase::Instantiated, Phase::InitializationMode, Phase::StepComplete].map(|phase| settable.contains(phase))
    }

    #[test]
    fn settable_phases_follow_the_notes_of_the_standard() {
        let real = || ScalarVariable::real("x").start_real(0.0);
        assert_eq!(phases(real().input()), [true, true, true]);
        assert_eq!(phases(real().fixed_parameter()), [true, true, false]);
        assert_eq!(phases(real().tunable_parameter()), [true, true, true]);
        assert_eq!(phases(real().initial(Initial::Exact)), [true, true, false]);
        assert_eq!(phases(real().initial(Initial::Approx)), [true, false, false]);
        assert_eq!(phases(ScalarVariable::real("x").output()), [false, false, false]);
        assert_eq!(phases(real().roles(Causality::Local, Variability::Constant)), [false, false, false]);
    }

    #[test]
    fn value_references_find_name_and_type() {
        let mut model = ModelDescription::new("m", "m", "g");
        for variable in [ScalarVariable::string("s"), ScalarVariable::real("r"), ScalarVariable::boolean("b")] {
            model.add(variable);
        }
        let interface = Interface::new(&model);
        let found = |reference| interface.find(reference).map(|(base, entry)| (base, entry.name.to_string()));
        assert_eq!(found(0), Some((BaseType::Real, "r".to_owned())));
        assert_eq!(found(1), Some((BaseType::Boolean, "b".to_owned())));
        assert_eq!(found(2), Some((BaseType::String, "s".to_owned())));
        assert_eq!(found(3), None);
    }
}
