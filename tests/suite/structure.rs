//! The model structure of every model against its behaviour: what is said to be independent is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::sync::Arc;

use fmi2::description::DependencyKind;
use multibody_fmu::{Interface, Role, Session, VariableKind};

/// Unknowns whose dependencies are known: outputs and derivatives, with what they depend on.
fn declared(interface: &Interface) -> Vec<(usize, BTreeMap<usize, DependencyKind>)> {
    let structure = &interface.description.structure;
    let entries = structure.outputs.iter().chain(&structure.derivatives);
    let known = entries.filter_map(|unknown| {
        let on =
            unknown.dependencies.as_ref()?.iter().map(|dependency| (dependency.variable.0, dependency.kind)).collect();
        Some((unknown.variable.0, on))
    });
    known.collect()
}

fn of_role(interface: &Interface, role: Role) -> Vec<usize> {
    (0..interface.variables.len()).filter(|&k| interface.variables[k].role == role).collect()
}

/// States of the FMU: those whose derivatives are listed.
fn states(interface: &Interface) -> Vec<usize> {
    let derivatives = interface.description.structure.derivatives.iter().map(|entry| entry.variable.0);
    derivatives.map(|d| interface.find(interface.variables[d].derivative_of.as_ref().unwrap()).unwrap()).collect()
}

/// Calls `look` with every model at some points of its run, inputs away from zero.
fn at_some_points(mut look: impl FnMut(&Arc<Interface>, &mut Session)) {
    for folder in crate::support::model_folders() {
        let interface = crate::support::interface(&folder);
        let experiment = &interface.declaration.experiment;
        let mut session = Session::new(interface.clone());
        session.initialize(experiment.start, None).unwrap();
        for (k, input) in of_role(&interface, Role::Input).into_iter().enumerate() {
            let (value, variable) = (0.1 + 0.05 * k as f64, &interface.variables[input]);
            if variable.kind == VariableKind::Real && variable.max.is_none_or(|max| max > value) {
                session.set(input, value).unwrap();
            }
        }
        for t in [0.05, 0.2] {
            session.do_step((experiment.start + t).min(experiment.stop)).unwrap();
            look(&interface, &mut session);
        }
    }
}

/// Every output and derivative against every input, state and the time.
#[test]
fn what_is_said_to_be_independent_or_constant_is() {
    let mut pairs = 0;
    at_some_points(|interface, session| {
        let declared = declared(interface);
        let unknowns: Vec<usize> = declared.iter().map(|(unknown, _)| *unknown).collect();
        let continuous = |k: &usize| interface.variables[*k].kind == VariableKind::Real;
        let inputs = of_role(interface, Role::Input).into_iter().filter(continuous);
        let time = of_role(interface, Role::Independent);
        for known in inputs.chain(states(interface)).chain(time) {
            let slopes = session.directional_derivative(&unknowns, &[known], &[1.0]).unwrap();
            for ((unknown, on), slope) in declared.iter().zip(slopes) {
                let expected = match on.get(&known) {
                    None => 0.0,
                    Some(DependencyKind::Constant) => 1.0,
                    Some(_) => continue,
                };
                let size = 1.0 + session.get(*unknown).unwrap().abs();
                let [unknown, known] = [unknown, &known].map(|&k| &interface.variables[k].name);
                let what = format!("{}: d {unknown} / d {known}", interface.declaration.name);
                assert!((slope - expected).abs() < 1e-5 * size, "{what} is {slope} instead of {expected}");
                pairs += 1;
            }
        }
    });
    assert!(pairs > 1000, "only {pairs} pairs");
}

/// As a host sees it: another value of an input shows in no output that is said not to depend on it.
#[test]
fn inputs_show_at_once_only_where_the_structure_says_so() {
    let mut pairs = 0;
    at_some_points(|interface, session| {
        let declared = declared(interface);
        for input in of_role(interface, Role::Input) {
            let variable = &interface.variables[input];
            let before: Vec<f64> = declared.iter().map(|(unknown, _)| session.get(*unknown).unwrap()).collect();
            let saved = session.save().unwrap();
            let value = session.get(input).unwrap();
            let other = match variable.kind {
                VariableKind::String => continue,
                VariableKind::Boolean => 1.0 - value,
                VariableKind::Integer if variable.max.is_some_and(|max| value + 1.0 > max) => value - 1.0,
                VariableKind::Integer => value + 1.0,
                VariableKind::Real if variable.max.is_some_and(|max| value + 0.01 > max) => value - 0.01,
                VariableKind::Real => value + 0.01,
            };
            session.set(input, other).unwrap();
            for ((unknown, on), before) in declared.iter().zip(before) {
                let after = session.get(*unknown).unwrap();
                let name = &interface.variables[*unknown].name;
                let what = format!("{}: {name} by {}", interface.declaration.name, variable.name);
                assert!(on.contains_key(&input) || before.to_bits() == after.to_bits(), "{what}: {before}, {after}");
                pairs += 1;
            }
            session.restore(&saved).unwrap();
        }
    });
    assert!(pairs > 20, "only {pairs} pairs");
}

#[test]
fn efforts_and_flows_may_depend_on_any_input() {
    for folder in crate::support::model_folders() {
        let interface = crate::support::interface(&folder);
        if of_role(&interface, Role::Input).is_empty() {
            continue;
        }
        for (unknown, on) in declared(&interface).into_iter().filter(|(_, on)| on.is_empty()) {
            let name = &interface.variables[unknown].name;
            let suspicious = ["flow", "effort"];
            assert!(!suspicious.iter().any(|part| name.contains(part)), "{}: {name} {on:?}", folder.display());
        }
    }
}
