//! Parameters, inputs, outputs, tables.

use mbs::declaration::{Input, Output, OutputValue, Parameter, ParameterKind, TableDeclaration};
use mbs::expr::{Expr, Extrapolation, Interpolation};

use super::Reader;
use crate::format::signal::{EXTRAPOLATION, INPUT_KIND, INPUT_START, INTERPOLATION};
use crate::node::{Entry, Node, Table, Value};
use crate::table_file;

impl Reader<'_> {
    /// `[parameters]`.
    pub fn parameters(&mut self, table: &Table) -> Vec<Parameter> {
        self.named(table, "parameters").iter().map(|entry| self.parameter(entry)).collect()
    }

    fn parameter(&mut self, entry: &Entry) -> Parameter {
        let location = self.location(&entry.key_span);
        let plain = Parameter { name: entry.key.clone(), location, ..Parameter::default() };
        let Some(table) = entry.node.table() else {
            return Parameter { value: self.expr(&entry.node), kind: kind_of(&entry.node), ..plain };
        };
        let value = table.node("value");
        if is_string(table) {
            let tunable = table.node("tunable").filter(|_| self.is_true(table, "tunable"));
            if let Some(node) = tunable {
                self.report(&node.span, "a String cannot be tunable", Some("make it an input"));
            }
            let description = self.text(table, "description");
            let text = self.name_in_string(table, "value");
            return Parameter { description, text, kind: ParameterKind::String, ..plain };
        }
        Parameter {
            description: self.text(table, "description"),
            value: value.map(|node| self.expr(node)).unwrap_or_default(),
            unit: self.text(table, "unit"),
            display_unit: self.maybe_text(table, "display_unit"),
            min: self.constant(table, "min"),
            max: self.constant(table, "max"),
            kind: match table.node("kind").and_then(Node::text) {
                Some("integer") => ParameterKind::Integer,
                Some("boolean") => ParameterKind::Boolean,
                Some(_) => ParameterKind::Real,
                None => value.map(kind_of).unwrap_or_default(),
            },
            tunable: self.is_true(table, "tunable"),
            ..plain
        }
    }

    /// `[inputs]`.
    pub fn inputs(&mut self, table: &Table) -> Vec<Input> {
        self.named(table, "inputs").iter().filter_map(|entry| self.input(entry)).collect()
    }

    fn input(&mut self, entry: &Entry) -> Option<Input> {
        let table = entry.node.table()?;
        if is_string(table) {
            return Some(Input {
                name: entry.key.clone(),
                description: self.text(table, "description"),
                location: self.location(&entry.key_span),
                kind: ParameterKind::String,
                text: self.name_in_string(table, "start"),
                ..Input::default()
            });
        }
        let is_boolean = table.node("kind").and_then(Node::text) == Some("boolean");
        if let Some(start) = table.node("start").filter(|start| matches!(start.value, Value::Bool(_)) && !is_boolean) {
            let hint = Some("write a number, or add `kind = \"boolean\"`");
            self.report(&start.span, "`start` is a truth, but the input is a number", hint);
        }
        Some(Input {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            unit: self.text(table, "unit"),
            kind: match self.word(table, &INPUT_KIND) {
                "integer" => ParameterKind::Integer,
                "boolean" => ParameterKind::Boolean,
                _ => ParameterKind::Real,
            },
            start: self.known_number(table, &INPUT_START),
            min: self.constant(table, "min"),
            max: self.constant(table, "max"),
            nominal: self.constant(table, "nominal"),
            text: String::new(),
        })
    }

    /// The name that a String is set to, nothing when the key is absent; numbers have no place beside it.
    fn name_in_string(&mut self, table: &Table, key: &str) -> String {
        for other in ["unit", "display_unit", "min", "max", "nominal"] {
            if let Some(node) = table.node(other) {
                self.report(&node.span, format!("a String has no `{other}`"), Some("leave it out"));
            }
        }
        let Some(node) = table.node(key) else { return String::new() };
        match node.text() {
            Some(text) => text.to_owned(),
            None => {
                let hint = Some("write the name of a lockable frame or of the root of an assembly");
                self.report(&node.span, format!("`{key}` of a String must be a text"), hint);
                String::new()
            }
        }
    }

    /// `outputs`, as a list or as a table.
    pub fn outputs(&mut self, table: &Table) -> Vec<Output> {
        match table.node("outputs").and_then(Node::array) {
            Some(nodes) => nodes.iter().filter_map(|node| self.listed_output(node)).collect(),
            None => self.named(table, "outputs").iter().map(|entry| self.named_output(entry)).collect(),
        }
    }

    fn listed_output(&mut self, node: &Node) -> Option<Output> {
        let location = self.location(&node.span);
        let Some(table) = node.table() else {
            let name = node.text()?.to_owned();
            let (description, unit) = (String::new(), String::new());
            return Some(Output { name, description, location, value: OutputValue::Variable, unit });
        };
        let name = table.node("name")?;
        if let Some(objection) = name.text().and_then(crate::names::objection) {
            self.report(&name.span, objection, None);
        }
        Some(self.output(name.text()?.to_owned(), location, table))
    }

    fn named_output(&mut self, entry: &Entry) -> Output {
        let location = self.location(&entry.key_span);
        match entry.node.table() {
            Some(table) => self.output(entry.key.clone(), location, table),
            None => Output {
                name: entry.key.clone(),
                description: String::new(),
                location,
                value: OutputValue::Expression(self.expr(&entry.node)),
                unit: String::new(),
            },
        }
    }

    fn output(&mut self, name: String, location: mbs::declaration::Location, table: &Table) -> Output {
        Output {
            name,
            description: self.text(table, "description"),
            location,
            value: OutputValue::Expression(self.needed(table, "value")),
            unit: self.text(table, "unit"),
        }
    }

    /// `[tables]`.
    pub fn tables(&mut self, table: &Table) -> Vec<TableDeclaration> {
        self.named(table, "tables").iter().filter_map(|entry| self.table(entry)).collect()
    }

    fn table(&mut self, entry: &Entry) -> Option<TableDeclaration> {
        let table = entry.node.table()?;
        if !Expr::parse(&format!("{}(0)", entry.key)).is_ok_and(|call| !call.tables().is_empty()) {
            self.report(
                &entry.key_span,
                format!("`{}` is a built-in function", entry.key),
                Some("choose another name"),
            );
        }
        Some(TableDeclaration {
            name: entry.key.clone(),
            location: self.location(&entry.key_span),
            points: self.points(entry, table),
            interpolation: match self.word(table, &INTERPOLATION) {
                "cubic" => Interpolation::Cubic,
                "step" => Interpolation::Previous,
                _ => Interpolation::Linear,
            },
            extrapolation: match self.word(table, &EXTRAPOLATION) {
                "linear" => Extrapolation::Linear,
                "error" => Extrapolation::Error,
                _ => Extrapolation::Hold,
            },
        })
    }

    fn points(&mut self, entry: &Entry, table: &Table) -> Vec<[Expr; 2]> {
        match (table.node("points"), table.node("file")) {
            (Some(points), None) => self.written_points(points),
            (None, Some(file)) => self.file_points(file),
            _ => {
                let message = format!("the table `{}` needs either `points` or `file`", entry.key);
                self.report(
                    &entry.key_span,
                    message,
                    Some("write `points = [[0, 1], [5, 0]]` or `file = \"table.csv\"`"),
                );
                Vec::new()
            }
        }
    }

    fn written_points(&mut self, points: &Node) -> Vec<[Expr; 2]> {
        let mut result: Vec<[Expr; 2]> = Vec::new();
        for node in points.array().unwrap_or(&[]) {
            let Some(point) = node.array().and_then(|pair| self.components::<2>(pair)) else { continue };
            let before = result.last().and_then(|last| last[0].as_constant());
            if let (Some(before), Some(x)) = (before, point[0].as_constant())
                && x <= before
            {
                self.report(&node.span, format!("x must ascend: {x} follows {before}"), None);
            }
            result.push(point);
        }
        result
    }

    fn file_points(&mut self, node: &Node) -> Vec<[Expr; 2]> {
        let Some((path, bytes)) = self.read_file(node) else { return Vec::new() };
        match table_file::read(&bytes) {
            Ok(points) => points.into_iter().map(|point| point.map(Expr::number)).collect(),
            Err(cause) => {
                self.report(&node.span, format!("the table {}: {cause}", path.display()), None);
                Vec::new()
            }
        }
    }
}

fn is_string(table: &Table) -> bool {
    table.node("kind").and_then(Node::text) == Some("string")
}

fn kind_of(node: &Node) -> ParameterKind {
    match node.value {
        Value::Bool(_) => ParameterKind::Boolean,
        _ => ParameterKind::Real,
    }
}
