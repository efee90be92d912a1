//! Declared outputs: variables promoted, groups of them, and expressions.

use std::collections::{BTreeMap, BTreeSet};

use mbs::declaration::TableDeclaration;
use mbs::expr::{Binder, Binding, Program, Table, is_pattern, nearest, selects};
use mbs::scene::{OutputVariable, Scene, SceneError};
use mbs::topology::Topology;
use mbs::variables::explain_contact_name;

use crate::display_hints::preferred_display_unit;
use crate::variable::{InterfaceVariable, Role, Source, VariableKind};

/// An output computed from other variables.
#[derive(Debug, Clone)]
pub(crate) struct OutputExpression {
    /// Program whose slots are indices of interface variables.
    pub program: Program,
}

/// Gives declared outputs their role and adds those that are expressions.
pub(crate) fn resolve_outputs(
    scene: &Scene,
    topology: &Topology,
    declared: &[TableDeclaration],
    variables: &mut Vec<InterfaceVariable>,
) -> Result<Vec<OutputExpression>, Vec<SceneError>> {
    let mut errors = Vec::new();
    for output in scene.outputs.iter().filter(|output| output.expression.is_none()) {
        if let Err(error) = promote(output, variables) {
            errors.push(explained(error, &output.name, scene, topology));
        }
    }
    let numbers = variables.iter().enumerate().filter(|(_, v)| v.kind != VariableKind::String);
    let names: BTreeMap<String, usize> = numbers.map(|(k, v)| (v.name.clone(), k)).collect();
    let sorted: BTreeSet<&str> = declared.iter().map(|table| table.name.as_str()).collect();
    let tables = sorted.into_iter().zip(scene.signals.tables()).collect();
    let binder = VariableBinder { names: &names, tables };
    let mut expressions = Vec::new();
    for output in &scene.outputs {
        let Some(expression) = &output.expression else { continue };
        match Program::compile(expression, &binder) {
            Ok(program) => {
                let unit = expression_unit(output, &program, &names, variables);
                variables.push(expression_variable(output, unit, expressions.len()));
                expressions.push(OutputExpression { program });
            }
            Err(error) => {
                let message = format!("output `{}` = `{}`: {}", output.name, expression.text(), error.message);
                let error = SceneError::new(output.location, message).with_hint(error.hint);
                let unknown = expression.variables().into_iter().find(|v| !names.contains_key(&v.name));
                errors.push(match unknown {
                    Some(unknown) => explained(error, &unknown.name, scene, topology),
                    None => error,
                });
            }
        }
    }
    if errors.is_empty() { Ok(expressions) } else { Err(errors) }
}

/// An unknown contact result with the reason why it does not exist.
fn explained(error: SceneError, name: &str, scene: &Scene, topology: &Topology) -> SceneError {
    match explain_contact_name(scene, topology, name) {
        Some(reason) => error.with_hint(Some(reason)),
        None => error,
    }
}

/// Makes a variable, or all variables of a group or a pattern, outputs. Inputs and parameters stay what they are among the results.
fn promote(output: &OutputVariable, variables: &mut [InterfaceVariable]) -> Result<(), SceneError> {
    let in_group = |name: &str| {
        name.strip_prefix(output.name.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('[') || rest.starts_with('.'))
    };
    let as_array = format!("{}[", output.name);
    let mut found = false;
    let is_pattern = is_pattern(&output.name);
    let is_meant = |v: &InterfaceVariable| match is_pattern {
        true => v.kind != VariableKind::String && v.role != Role::Independent && selects(&output.name, &v.name),
        false => in_group(&v.name),
    };
    for variable in variables.iter_mut().filter(|v| is_meant(v)) {
        match variable.role {
            Role::Local => variable.role = Role::Output,
            Role::Input => variable.in_results = true,
            // A group and a pattern mean what moves, not the constants that are called after the same thing.
            Role::Parameter | Role::CalculatedParameter => {
                variable.in_results |= variable.name == output.name || variable.name.starts_with(&as_array);
            }
            Role::Output | Role::Independent => {}
        }
        found = true;
    }
    if found {
        return Ok(());
    }
    // A vector may be meant, too.
    let names = variables.iter().flat_map(|v| [v.name.as_str(), &v.name[..v.name.rfind('[').unwrap_or(v.name.len())]]);
    let hint = nearest(&output.name, names).map(|near| format!("did you mean `{near}`?"));
    let message = match is_pattern {
        true => format!("no variable matches `{}` to be an output", output.name),
        false => format!("there is no variable `{}` to be an output", output.name),
    };
    Err(SceneError::new(output.location, message).with_hint(hint))
}

/// The declared unit, else that of the one variable the expression repeats.
fn expression_unit(
    output: &OutputVariable,
    program: &Program,
    names: &BTreeMap<String, usize>,
    variables: &[InterfaceVariable],
) -> String {
    if !output.unit.is_empty() {
        return output.unit.clone();
    }
    let text = program.expr().text();
    names.get(&text).map_or_else(|| "1".to_owned(), |&k| variables[k].unit.clone())
}

fn expression_variable(output: &OutputVariable, unit: String, index: usize) -> InterfaceVariable {
    InterfaceVariable {
        name: output.name.clone(),
        kind: VariableKind::Real,
        role: Role::Output,
        display_unit: preferred_display_unit(&unit),
        unit,
        start: None,
        text: None,
        min: None,
        max: None,
        nominal: None,
        description: output.description.clone(),
        derivative_of: None,
        source: Source::Expression(index),
        in_results: false,
        tunable: false,
    }
}

struct VariableBinder<'a> {
    /// Indices of variables.
    names: &'a BTreeMap<String, usize>,
    /// In the order of the list of tables of a run, which is that of their names.
    tables: Vec<(&'a str, &'a Table)>,
}

impl Binder for VariableBinder<'_> {
    fn variable(&self, name: &str) -> Option<Binding> {
        self.names.get(name).map(|&slot| Binding::Discrete(slot))
    }

    fn table(&self, name: &str) -> Option<(usize, &Table)> {
        let index = self.tables.binary_search_by_key(&name, |(name, _)| name).ok()?;
        Some((index, self.tables[index].1))
    }

    /// Parameters may move them.
    fn tables_change(&self) -> bool {
        true
    }

    fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }
}
