//! Tests of the expression language.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod derivatives;
mod intervals;
mod language;
mod programs;
mod random;
mod tables;

use super::*;
use std::collections::BTreeMap;

fn scope(values: &[(&str, f64)]) -> BTreeMap<String, f64> {
    values.iter().map(|(name, value)| (name.to_string(), *value)).collect()
}

fn value(text: &str) -> f64 {
    Expr::parse(text).unwrap().evaluate(&scope(&[("a", 2.0), ("b", 3.0), ("x", 0.5), ("time", 1.25)])).unwrap()
}

/// Slots: time, x, y continuous; flag and count discrete. `cam` is a smooth table, `steps` a step table, `line` linear.
struct Run {
    tables: Vec<Table>,
}

impl Run {
    fn new() -> Run {
        let points = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [4.0, 2.5]];
        let table = |interpolation| Table::new(&points, interpolation, Extrapolation::Hold).unwrap();
        Run { tables: vec![table(Interpolation::Cubic), table(Interpolation::Previous), table(Interpolation::Linear)] }
    }

    fn program(&self, text: &str) -> Program {
        self.compile(text).unwrap()
    }

    fn compile(&self, text: &str) -> Result<Program, EvalError> {
        Program::compile(&Expr::parse(text).unwrap(), self)
    }
}

impl Binder for Run {
    fn variable(&self, name: &str) -> Option<Binding> {
        Some(match name {
            "time" => Binding::Continuous(0),
            "x" => Binding::Continuous(1),
            "y" => Binding::Continuous(2),
            "flag" => Binding::Discrete(3),
            "count" => Binding::Discrete(4),
            "length" => Binding::Constant(2.0),
            "ball[2].x" => Binding::Continuous(2),
            _ => return None,
        })
    }

    fn table(&self, name: &str) -> Option<(usize, &Table)> {
        let index = ["cam", "steps", "line"].iter().position(|known| *known == name)?;
        Some((index, &self.tables[index]))
    }

    fn names(&self) -> Vec<String> {
        ["time", "x", "y", "flag", "count", "length", "cam", "steps", "line"].map(String::from).to_vec()
    }
}
