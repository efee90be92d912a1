//! Checks of the model structure: what must be listed, and on what it may depend.

use std::collections::BTreeSet;

use super::{Causality, DependencyKind, DescriptionError, Initial, ModelDescription, Unknown, VariableIndex};

type Defects = Vec<DescriptionError>;

/// One of the lists of the structure.
struct List<'a> {
    name: &'static str,
    entries: &'a [Unknown],
    /// What its entries may depend on.
    knowns: BTreeSet<VariableIndex>,
    kinds: &'static [DependencyKind],
}

const ALL_KINDS: &[DependencyKind] = &[
    DependencyKind::Dependent,
    DependencyKind::Constant,
    DependencyKind::Fixed,
    DependencyKind::Tunable,
    DependencyKind::Discrete,
];
const INITIAL_KINDS: &[DependencyKind] = &[DependencyKind::Dependent, DependencyKind::Constant];

/// Appends the defects of the structure.
pub(super) fn check_structure(model: &ModelDescription, defects: &mut Defects) {
    let structure = &model.structure;
    let running = running_knowns(model);
    let outputs = List { name: "Outputs", entries: &structure.outputs, knowns: running.clone(), kinds: ALL_KINDS };
    let derivatives = List { name: "Derivatives", entries: &structure.derivatives, knowns: running, kinds: ALL_KINDS };
    let entries = &structure.initial_unknowns;
    let initial = List { name: "InitialUnknowns", entries, knowns: initial_knowns(model), kinds: INITIAL_KINDS };
    for list in [&outputs, &derivatives, &initial] {
        check_list(model, list, defects);
    }
    let output_variables = select(model, |index| model.variables[index.0].causality == Causality::Output);
    check_complete(model, &outputs, &output_variables, defects);
    check_complete(model, &initial, &model.required_initial_unknowns().into_iter().collect(), defects);
    check_derivatives(model, defects);
}

/// While running, unknowns depend on inputs, continuous states, and time.
fn running_knowns(model: &ModelDescription) -> BTreeSet<VariableIndex> {
    let states = model.structure.derivatives.iter().filter_map(|entry| model.state_of(entry.variable));
    let states: BTreeSet<VariableIndex> = states.collect();
    select(model, |index| is_free(model, index) || states.contains(&index))
}

/// Initially, unknowns depend on inputs, on what is exact, and on time.
fn initial_knowns(model: &ModelDescription) -> BTreeSet<VariableIndex> {
    let exact = |index: VariableIndex| model.variables[index.0].effective_initial() == Some(Initial::Exact);
    select(model, |index| is_free(model, index) || exact(index))
}

fn is_free(model: &ModelDescription, index: VariableIndex) -> bool {
    matches!(model.variables[index.0].causality, Causality::Input | Causality::Independent)
}

fn select(model: &ModelDescription, wanted: impl Fn(VariableIndex) -> bool) -> BTreeSet<VariableIndex> {
    (0..model.variables.len()).map(VariableIndex).filter(|index| wanted(*index)).collect()
}

/// Indices exist, unknowns ascend (hence none twice), dependencies ascend and are knowns.
fn check_list(model: &ModelDescription, list: &List<'_>, defects: &mut Defects) {
    let mut complain = |problem: String| defects.push(DescriptionError::new(list.name, problem));
    for pair in list.entries.windows(2) {
        let (first, second) = (pair[0].variable.0 + 1, pair[1].variable.0 + 1);
        if first >= second {
            complain(format!("entry {second} must not follow entry {first}: ascending order"));
        }
    }
    for entry in list.entries {
        let number = entry.variable.0 + 1;
        if entry.variable.0 >= model.variables.len() {
            complain(format!("entry {number} is not a variable"));
        }
        let dependencies = entry.dependencies.as_deref().unwrap_or_default();
        if dependencies.windows(2).any(|pair| pair[0].variable >= pair[1].variable) {
            complain(format!("the dependencies of entry {number} must ascend"));
        }
        for known in dependencies.iter().filter(|known| !list.knowns.contains(&known.variable)) {
            let name = model.variables.get(known.variable.0).map_or("no variable", |variable| &variable.name);
            complain(format!(
                "entry {number} depends on {} ({name}), which is not a known there",
                known.variable.0 + 1
            ));
        }
        for known in dependencies.iter().filter(|known| !list.kinds.contains(&known.kind)) {
            complain(format!("entry {number} must not have a dependency of kind {}", known.kind.name()));
        }
    }
}

fn check_complete(
    model: &ModelDescription,
    list: &List<'_>,
    required: &BTreeSet<VariableIndex>,
    defects: &mut Defects,
) {
    let listed: BTreeSet<VariableIndex> = list.entries.iter().map(|entry| entry.variable).collect();
    for index in listed.symmetric_difference(required) {
        if let Some(variable) = model.variables.get(index.0) {
            let problem = if listed.contains(index) { "must not be listed" } else { "must be listed" };
            defects.push(DescriptionError::of_variable(&variable.name, format!("{problem} in {}", list.name)));
        }
    }
}

fn check_derivatives(model: &ModelDescription, defects: &mut Defects) {
    for entry in &model.structure.derivatives {
        let variable = model.variables.get(entry.variable.0);
        if let Some(variable) = variable.filter(|_| model.state_of(entry.variable).is_none()) {
            let problem = "is listed among the derivatives but does not say of which variable";
            defects.push(DescriptionError::of_variable(&variable.name, problem));
        }
    }
}
