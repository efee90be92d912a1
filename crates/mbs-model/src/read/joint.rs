//! Joints and what acts on their degrees of freedom.

use mbs::declaration::{Dof, Friction, Joint, JointKind, Spring, StartKind, Stops, Vector};
use mbs::expr::Expr;

use super::Reader;
use crate::format::joint::{DISSIPATION, REST, V_REG};
use crate::node::{Entry, Node, Table};

/// A start value that the loops decide.
const FREE: &str = "free";

impl Reader<'_> {
    /// `[joints.NAME]`.
    pub fn joint(&mut self, entry: &Entry) -> Option<Joint> {
        let table = entry.node.table()?;
        let kind = self.joint_kind(table)?;
        Some(Joint {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            from: self.text(table, "from"),
            to: self.text(table, "to"),
            dofs: self.dofs(table, &kind),
            // A rotation that is written is not the identity, and therefore binding.
            rotation_kind: StartKind::Implied,
            rotation: self.rotation(table),
            collision: self.is_true(table, "collides"),
            kind,
        })
    }

    fn joint_kind(&mut self, table: &Table) -> Option<JointKind> {
        Some(match table.node("type")?.text()? {
            "fixed" => JointKind::Fixed,
            "revolute" => JointKind::Revolute { axis: self.axis(table, "axis") },
            "prismatic" => JointKind::Prismatic { axis: self.axis(table, "axis") },
            "screw" => JointKind::Screw { axis: self.axis(table, "axis"), pitch: self.needed(table, "pitch") },
            "universal" => JointKind::Universal { axes: self.two_axes(table) },
            "cylindrical" => JointKind::Cylindrical { axis: self.axis(table, "axis") },
            "planar" => JointKind::Planar { normal: self.axis(table, "normal"), axis: self.axis(table, "axis") },
            "spherical" => JointKind::Spherical,
            "free" => JointKind::Free,
            _ => return None,
        })
    }

    fn axis(&mut self, table: &Table, key: &str) -> Vector {
        self.direction(table.node(key))
    }

    fn two_axes(&mut self, table: &Table) -> [Vector; 2] {
        let nodes = table.node("axes").and_then(Node::array).unwrap_or(&[]);
        [self.direction(nodes.first()), self.direction(nodes.get(1))]
    }

    fn dofs(&mut self, table: &Table, kind: &JointKind) -> Vec<Dof> {
        let names = kind.dof_names();
        let is_single = names.len() == 1;
        names.iter().map(|names| self.dof(table, names, is_single)).collect()
    }

    /// One degree of freedom; what acts on it stands in the joint itself when it is the only one.
    fn dof(&mut self, table: &Table, &(position, velocity): &(&str, &str), is_single: bool) -> Dof {
        let name = if position.is_empty() { velocity } else { position };
        let own = table.table("dof").and_then(|dofs| dofs.table(&without_brackets(name)));
        let acting = if is_single { Some(table) } else { own };
        let mut dof = acting.map(|acting| self.acting(acting)).unwrap_or_default();
        (dof.position, dof.position_kind) = self.start(table, position);
        (dof.velocity, dof.velocity_kind) = self.start(table, velocity);
        if dof.motion.is_some() {
            self.report_start(table, position, &dof.position);
            self.report_start(table, velocity, &dof.velocity);
        }
        dof
    }

    /// Reports a start value of a coordinate whose motion is prescribed; zeros in arrays stand for nothing.
    fn report_start(&mut self, table: &Table, name: &str, value: &Expr) {
        let Some(given) = table.get(base(name)) else { return };
        if !name.contains('[') || value.as_constant() != Some(0.0) {
            let hint = if name.contains('[') { "write 0 there" } else { "remove one of them" };
            self.report(&given.key_span, format!("the start of `{name}` follows from `motion`"), Some(hint));
        }
    }

    /// The start value that `phi`, or the second element of `phi[2]`, has, and how binding it is in a loop.
    fn start(&mut self, table: &Table, name: &str) -> (Expr, StartKind) {
        let Some(node) = table.node(base(name)) else { return Default::default() };
        let index = name.find('[').and_then(|at| name[at + 1..].trim_end_matches(']').parse::<usize>().ok());
        match (index, node.array()) {
            (Some(index), Some(nodes)) => nodes.get(index - 1).map(|node| self.start_value(node)).unwrap_or_default(),
            _ => self.start_value(node),
        }
    }

    fn start_value(&mut self, node: &Node) -> (Expr, StartKind) {
        if node.text() == Some(FREE) {
            return (Expr::default(), StartKind::Free);
        }
        if let Some(table) = node.table() {
            return (self.needed(table, "guess"), StartKind::Guess);
        }
        let value = self.expr(node);
        let is_zero = value.as_constant() == Some(0.0);
        (value, if is_zero { StartKind::Fixed } else { StartKind::Implied })
    }

    /// What acts on a degree of freedom.
    fn acting(&mut self, table: &Table) -> Dof {
        let force = self.maybe(table, "force");
        let (motion, motion_filter) = self.motion(table);
        Dof {
            spring: table.node("spring").map(|node| self.spring(node)),
            damping: self.maybe(table, "damping"),
            friction: table.table("friction").map(|friction| self.friction(friction)),
            stops: table.get("stops").and_then(|entry| self.stops(entry)),
            force: self.maybe(table, "torque").or(force),
            motion,
            motion_filter,
            flange: self.is_true(table, "flange"),
            ..Dof::default()
        }
    }

    /// A prescribed motion, and the time constant of the filter of its inputs.
    fn motion(&mut self, table: &Table) -> (Option<Expr>, Option<Expr>) {
        match table.table("motion") {
            Some(filtered) => (self.maybe(filtered, "input"), self.maybe(filtered, "filter")),
            None => (self.maybe(table, "motion"), None),
        }
    }

    fn spring(&mut self, node: &Node) -> Spring {
        match node.table() {
            Some(table) => Spring { stiffness: self.needed(table, "stiffness"), rest: self.number(table, &REST) },
            None => Spring { stiffness: self.expr(node), rest: Expr::default() },
        }
    }

    fn friction(&mut self, table: &Table) -> Friction {
        let force = self.maybe(table, "torque").or_else(|| self.maybe(table, "force"));
        Friction { force: force.unwrap_or_default(), v_reg: self.number(table, &V_REG) }
    }

    fn stops(&mut self, entry: &Entry) -> Option<Stops> {
        let table = entry.node.table()?;
        if table.get("lower").is_none() && table.get("upper").is_none() {
            self.report(&entry.key_span, "`stops` needs `lower`, `upper` or both", None);
        }
        Some(Stops {
            lower: self.maybe(table, "lower"),
            upper: self.maybe(table, "upper"),
            stiffness: self.needed(table, "stiffness"),
            dissipation: self.number(table, &DISSIPATION),
        })
    }
}

/// `phi` of `phi[2]`.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// `phi2` of `phi[2]`.
fn without_brackets(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '[' | ']')).collect()
}
