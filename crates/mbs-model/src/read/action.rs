//! Action programs.

use mbs::declaration::{ActionProgram, ChangeStep, InsertStep, Policy, ReferencePath, Step, ToolLine, Trigger};

use super::Reader;
use crate::format::action::OTHERWISE;
use crate::node::{Entry, Node, Table, Value};

/// Keys of which a step has one, or several of the first four.
pub(crate) const VERBS: [&str; 11] =
    ["attach", "release", "delete", "insert", "wait", "until", "move", "line", "repeat", "while", "if"];
/// How many of them change the structure.
const CHANGES: usize = 4;
/// Keys that mean something only together with one of others.
pub(crate) const COMPANIONS: [(&[&str], &[&str]); 7] = [
    (&["choice"], &["attach", "delete", "insert"]),
    (&["to"], &["move", "line"]),
    (&["at", "r", "rotation", "v", "w"], &["insert"]),
    (&["snap", "distance", "angle", "velocity", "angular_velocity"], &["attach"]),
    (&["otherwise"], &["attach", "release", "delete", "insert"]),
    (&["steps"], &["repeat", "while", "if"]),
    (&["else"], &["if"]),
];

impl Reader<'_> {
    /// `[actions.NAME]`.
    pub fn action_program(&mut self, entry: &Entry) -> Option<ActionProgram> {
        let table = entry.node.table()?;
        let trigger = match (table.node("when"), self.is_true(table, "input")) {
            (Some(_), true) => {
                let message = format!("the actions `{}` have both `when` and `input`", entry.key);
                self.report(&entry.key_span, message, Some("use the input's name in the condition of `when`"));
                Trigger::Input
            }
            (Some(node), false) => Trigger::When(self.expr(node)),
            (None, true) => Trigger::Input,
            (None, false) => Trigger::Start,
        };
        Some(ActionProgram {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            trigger,
            steps: self.steps(table, "steps"),
        })
    }

    fn steps(&mut self, table: &Table, key: &str) -> Vec<Step> {
        let nodes = table.node(key).and_then(Node::array).unwrap_or(&[]);
        nodes.iter().filter_map(|node| self.step(node)).collect()
    }

    fn step(&mut self, node: &Node) -> Option<Step> {
        let table = node.table()?;
        let verbs: Vec<&str> = VERBS.into_iter().filter(|verb| table.get(verb).is_some()).collect();
        self.companions(table);
        self.placements(table);
        let is_change = |verb: &str| VERBS[..CHANGES].contains(&verb);
        if verbs.is_empty() || (verbs.len() > 1 && !verbs.iter().all(|verb| is_change(verb))) {
            let message = if verbs.is_empty() { "this step does nothing" } else { "this step does too much at once" };
            let hint = "a step has one of wait, until, move, line, repeat, while, if; or one or several of attach, release, delete, insert";
            self.report(&node.span, message, Some(hint));
            return None;
        }
        Some(match verbs[0] {
            "wait" => Step::Wait(self.needed(table, "wait")),
            "until" => Step::Until(self.maybe(table, "until")?),
            "move" => Step::Move { path: self.text(table, "move"), to: self.path_points(table) },
            "line" => Step::Line { path: self.text(table, "line"), to: self.path_points(table) },
            "repeat" => Step::Repeat { count: self.count(table.node("repeat")?), steps: self.steps(table, "steps") },
            "while" => Step::While { condition: self.maybe(table, "while")?, steps: self.steps(table, "steps") },
            "if" => Step::If {
                condition: self.maybe(table, "if")?,
                then: self.steps(table, "steps"),
                otherwise: self.steps(table, "else"),
            },
            _ => Step::Change(Box::new(self.change(node, table))),
        })
    }

    /// Reports keys that mean something together with another key only.
    fn companions(&mut self, table: &Table) {
        for (keys, wanted) in COMPANIONS {
            if wanted.iter().any(|key| table.get(key).is_some()) {
                continue;
            }
            for entry in keys.iter().filter_map(|key| table.get(key)) {
                let message = format!("`{}` has no effect without {}", entry.key, crate::problem::listed(wanted));
                self.report(&entry.key_span, message, None);
            }
        }
    }

    /// Reports where an assembly is to be inserted without the frame that this refers to.
    fn placements(&mut self, table: &Table) {
        if table.get("insert").is_none() || table.get("at").is_some() {
            return;
        }
        for entry in ["r", "rotation", "v", "w"].into_iter().filter_map(|key| table.get(key)) {
            let message = format!("`{}` has no effect without `at`, the frame that it refers to", entry.key);
            let advice = "add `at`, for example at = \"world\"; without it the assembly starts as declared";
            self.report(&entry.key_span, message, Some(advice));
        }
    }

    fn path_points(&mut self, table: &Table) -> Vec<Vec<mbs::expr::Expr>> {
        let rows = table.node("to").and_then(Node::array).unwrap_or(&[]);
        rows.iter().map(|row| self.list(row)).collect()
    }

    fn list(&mut self, node: &Node) -> Vec<mbs::expr::Expr> {
        node.array().unwrap_or(&[]).iter().map(|node| self.expr(node)).collect()
    }

    /// `[paths.NAME]`.
    pub fn reference_path(&mut self, entry: &Entry) -> Option<ReferencePath> {
        let table = entry.node.table()?;
        let mut numbers = |key: &str| table.node(key).map(|node| self.list(node)).unwrap_or_default();
        let (start, v_max, a_max) = (numbers("start"), numbers("v_max"), numbers("a_max"));
        Some(ReferencePath {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            start,
            v_max,
            a_max,
            line: table.node("line").and_then(Node::table).map(|line| self.tool_line(line)),
        })
    }

    fn tool_line(&mut self, table: &Table) -> ToolLine {
        let names = table.node("joints").and_then(Node::array).unwrap_or(&[]);
        ToolLine {
            tool: self.text(table, "tool"),
            base: self.maybe_text(table, "base"),
            joints: names.iter().filter_map(|node| node.text().map(str::to_owned)).collect(),
            v_max: self.needed(table, "v_max"),
            a_max: self.needed(table, "a_max"),
            w_max: self.maybe(table, "w_max"),
            dw_max: self.maybe(table, "dw_max"),
            turns_freely: self.is_true(table, "turns_freely"),
        }
    }

    /// A number of times; none for an endless loop.
    fn count(&mut self, node: &Node) -> Option<mbs::expr::Expr> {
        match node.value {
            Value::Bool(true) => None,
            _ => Some(self.expr(node)),
        }
    }

    fn change(&mut self, node: &Node, table: &Table) -> ChangeStep {
        let insert = self.maybe_text(table, "insert").map(|root| InsertStep {
            root,
            at: self.maybe_text(table, "at"),
            pose: self.pose(table),
            v: self.vector(table, "v"),
            w: self.vector(table, "w"),
        });
        ChangeStep {
            location: self.location(&node.span),
            attach: self.partners(table),
            release: self.maybe_text(table, "release"),
            delete: self.maybe_text(table, "delete"),
            insert,
            choice: self.maybe(table, "choice"),
            snap: self.is_true(table, "snap"),
            distance: self.maybe(table, "distance"),
            angle: self.maybe(table, "angle"),
            velocity: self.maybe(table, "velocity"),
            angular_velocity: self.maybe(table, "angular_velocity"),
            otherwise: match self.word(table, &OTHERWISE) {
                "retry" => Policy::Retry,
                "error" => Policy::Error,
                _ => Policy::Skip,
            },
        }
    }

    /// Two frames; the second may be a list.
    fn partners(&mut self, table: &Table) -> Option<(String, Vec<String>)> {
        let [first, second] = table.node("attach")?.array()? else { return None };
        let names = |node: &Node| match node.array() {
            Some(nodes) => nodes.iter().filter_map(|node| node.text().map(str::to_owned)).collect(),
            None => node.text().map(str::to_owned).into_iter().collect::<Vec<_>>(),
        };
        let Some(a) = first.text() else {
            let hint = "only the second may be one of several";
            self.report(&first.span, "the first frame of `attach` must be one frame", Some(hint));
            return None;
        };
        Some((a.to_owned(), names(second)))
    }
}
