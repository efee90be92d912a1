//! Conditions and other expressions in variables of the model.

use std::collections::BTreeMap;

use super::{ProgramCompiler, Tables};
use crate::expr::{Binder, Binding, Expr, Program, Table};
use crate::force::{Signal, Signals};
use crate::scene::{ContactPart, Quantity};

impl ProgramCompiler<'_> {
    pub(super) fn condition_text(&mut self, name: &str) -> Signal {
        match Expr::parse(name) {
            Ok(expr) => self.condition(&expr),
            Err(_) => Signal::Constant(0.0),
        }
    }

    /// Whether two objects touch changes without an event; as a relation it is located like all others.
    fn with_touching_as_relation(&self, expr: &Expr) -> Expr {
        let touching = |name: &str| {
            let full = self.surroundings.full_name(name)?;
            let is_active = matches!(self.variables.get(&full)?, Quantity::Contact { part: ContactPart::Active, .. });
            is_active.then(|| Expr::parse(&format!("{name} > 0.5")).ok()).flatten()
        };
        expr.substitute(&touching).unwrap_or_else(|_| expr.clone())
    }

    /// Compiles a condition; the signal is an index into the pending conditions.
    pub(super) fn condition(&mut self, expr: &Expr) -> Signal {
        self.expression(expr, Purpose::Truth)
    }

    /// Compiles an expression in variables; the signal is an index into the pending conditions.
    pub(super) fn expression(&mut self, expr: &Expr, wanted: Purpose) -> Signal {
        let bound = self.surroundings.bound(expr);
        let bound = self.with_touching_as_relation(&bound);
        let mut used = BTreeMap::new();
        let mut refused = None;
        for variable in bound.variables() {
            if variable.name == "time" {
                continue;
            }
            let full = self.surroundings.full_name(&variable.name);
            if self.surroundings.string(&variable.name).is_some() {
                let message = format!("`{}`: `{}` is a String; only `choice` can use it", expr.text(), variable.name);
                let hint = Some(format!("write `choice = \"{}\"`", variable.name));
                self.fail(self.location, message, hint);
                return Signal::Constant(0.0);
            }
            let Some(quantity) = full.and_then(|full| self.variables.get(&full)) else { continue };
            let at_events = match quantity {
                Quantity::Input(k) => self.surroundings.is_discrete_input(*k),
                Quantity::Signal(k) => self.surroundings.is_held(*k),
                _ => false,
            };
            match binding(quantity, at_events) {
                Some(bind) => drop(used.insert(variable.name, bind(self.pending.slot(*quantity)))),
                None => refused = Some(variable.name),
            }
        }
        if let Some(name) = refused {
            let message = format!("`{}`: a condition cannot use `{name}`", expr.text());
            let hint = "all variables are possible but counts and times of events".to_owned();
            self.fail(self.location, message, Some(hint));
            return Signal::Constant(0.0);
        }
        self.compiled(expr, &bound, &used, wanted)
    }

    /// The signal of an expression as it was written and with its parameters replaced; an error is noted and zero
    /// returned.
    pub(super) fn compiled(
        &mut self,
        expr: &Expr,
        bound: &Expr,
        used: &BTreeMap<String, Binding>,
        wanted: Purpose,
    ) -> Signal {
        let binder = ConditionBinder { used, names: self.variables, tables: self.tables };
        let compiled = match wanted {
            Purpose::Truth => Program::compile_condition(bound, &binder),
            Purpose::Number => Program::compile(bound, &binder),
        };
        match compiled {
            Ok(program) => match program.as_constant() {
                Some(constant) => Signal::Constant(constant),
                None => {
                    self.pending.conditions.push(program);
                    Signal::Program(self.pending.conditions.len() - 1)
                }
            },
            Err(error) => {
                let names = bound.variables();
                let mut unknown = names.iter().filter(|variable| binder.variable(&variable.name).is_none());
                let hint = unknown.find_map(|variable| self.surroundings.explain(&variable.name)).or(error.hint);
                self.fail(self.location, format!("`{}`: {}", expr.text(), error.message), hint);
                Signal::Constant(0.0)
            }
        }
    }
}

/// What an expression of a step is for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// A condition.
    Truth,
    /// The number of an object.
    Number,
}

/// How a condition may use a quantity: continuously, or changing at events only.
fn binding(quantity: &Quantity, at_events: bool) -> Option<fn(usize) -> Binding> {
    match quantity {
        Quantity::Parameter(_)
        | Quantity::EventCount
        | Quantity::LastEventTime
        | Quantity::DissipatedByImpacts
        | Quantity::ImpactCount
        | Quantity::Impacts(_) => None,
        Quantity::Input(_) if at_events => Some(Binding::Discrete),
        Quantity::Signal(_) if at_events => Some(Binding::Held),
        Quantity::Structure(_) | Quantity::NumStates => Some(Binding::Discrete),
        _ => Some(Binding::Continuous),
    }
}

struct ConditionBinder<'a> {
    used: &'a BTreeMap<String, Binding>,
    names: &'a BTreeMap<String, Quantity>,
    tables: Tables<'a>,
}

impl Binder for ConditionBinder<'_> {
    fn variable(&self, name: &str) -> Option<Binding> {
        if name == "time" {
            return Some(Binding::Continuous(Signals::TIME));
        }
        self.used.get(name).copied()
    }

    fn table(&self, name: &str) -> Option<(usize, &Table)> {
        let index = *self.tables.index.get(name)?;
        Some((index, &self.tables.list[index]))
    }

    fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }
}
