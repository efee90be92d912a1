//! Objects, poses, instances.

use mbs::declaration::{Attachment, FreeStart, Instance, MassDeclaration, Object, Pose, Rotation, StructureRole};
use mbs::expr::Expr;

use super::Reader;
use crate::format::object::{EXISTS, INDEX};
use crate::names;
use crate::node::{Entry, Node, Table, Value};

impl Reader<'_> {
    /// `[objects.NAME]`.
    pub fn object(&mut self, entry: &Entry) -> Option<Object> {
        let table = entry.node.table()?;
        let mass = table.node("mass").map(|node| self.given_mass(node));
        Some(Object {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            parent: self.maybe_text(table, "parent"),
            attachment: self.object_attachment(entry, table),
            pose: self.pose(table),
            solid: table.get("solid").and_then(|solid| self.solid(solid, mass.is_some())),
            visuals: self.visuals(table),
            mass,
            expose: self.maybe_bool(table, "expose"),
            structure: self.structure_role(entry, table),
        })
    }

    /// `lockable`, `assembly_root`, `exists`.
    fn structure_role(&mut self, entry: &Entry, table: &Table) -> StructureRole {
        let role = StructureRole {
            lockable: self.is_true(table, "lockable"),
            assembly_root: self.is_true(table, "assembly_root"),
            absent: !self.truth(table, &EXISTS),
        };
        if role.absent && !role.assembly_root {
            let message = format!("`{}` does not exist at the start but is no assembly root", entry.key);
            self.report(&entry.key_span, message, Some("add `assembly_root = true`"));
        }
        role
    }

    fn object_attachment(&mut self, entry: &Entry, table: &Table) -> Attachment {
        let is_fixed = self.maybe_bool(table, "fixed");
        if let Some(free) = self.free(table) {
            if is_fixed == Some(true) {
                self.report(&entry.key_span, format!("`{}` cannot be both fixed and free", entry.key), None);
            }
            return Attachment::Free(free);
        }
        if is_fixed.unwrap_or(table.get("parent").is_some()) {
            return Attachment::Fixed;
        }
        self.without_place(entry, table);
        Attachment::ByJoint
    }

    /// Reports keys for the pose of an object that a joint determines.
    fn without_place(&mut self, entry: &Entry, table: &Table) {
        for key in ["parent", "r", "rotation"].iter().filter_map(|key| table.get(key)) {
            let message = format!("`{}` has no effect on `{}`, which is moved by a joint", key.key, entry.key);
            let hint = "give a `parent` or `fixed = true` to place it rigidly, or `free = true` to let it move freely";
            self.report(&key.key_span, message, Some(hint));
        }
    }

    /// The start of a free object; `None` when it is not free.
    fn free(&mut self, table: &Table) -> Option<FreeStart> {
        match &table.node("free")?.value {
            Value::Bool(true) => Some(FreeStart::default()),
            Value::Table(start) => Some(FreeStart { v: self.vector(start, "v"), w: self.vector(start, "w") }),
            _ => None,
        }
    }

    /// `mass` of an object: numbers, or a point mass.
    fn given_mass(&mut self, node: &Node) -> MassDeclaration {
        let Some(table) = node.table() else {
            return MassDeclaration::Given {
                m: self.expr(node),
                center: Default::default(),
                inertia: Default::default(),
            };
        };
        MassDeclaration::Given {
            m: self.needed(table, "m"),
            center: self.vector(table, "center"),
            inertia: self.inertia(table.node("inertia")),
        }
    }

    fn inertia(&mut self, node: Option<&Node>) -> [Expr; 6] {
        let Some(node) = node else { return Default::default() };
        let nodes = node.array().unwrap_or(&[]);
        match nodes.len() {
            3 => self.components(nodes).map_or_else(Default::default, |[x, y, z]: [Expr; 3]| {
                [x, y, z, Expr::default(), Expr::default(), Expr::default()]
            }),
            6 => self.components(nodes).unwrap_or_default(),
            count => {
                let message = format!("`inertia` must have 3 or 6 elements, it has {count}");
                let hint = "write [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]";
                // Other lengths below 3 and above 6 have been reported by the check of the format.
                if (3..=6).contains(&count) {
                    self.report(&node.span, message, Some(hint));
                }
                Default::default()
            }
        }
    }

    /// `r` and `rotation`.
    pub fn pose(&mut self, table: &Table) -> Pose {
        Pose { r: self.vector(table, "r"), rotation: self.rotation(table) }
    }

    /// `rotation`.
    pub fn rotation(&mut self, table: &Table) -> Rotation {
        let Some(entry) = table.get("rotation") else { return Rotation::Identity };
        match &entry.node.value {
            Value::Array(nodes) => self.components(nodes).map_or(Rotation::Identity, Rotation::Cardan),
            Value::Table(table) => self.rotation_table(entry, table),
            _ => Rotation::Identity,
        }
    }

    fn rotation_table(&mut self, entry: &Entry, table: &Table) -> Rotation {
        match (table.node("axis"), table.node("angle"), table.node("quaternion")) {
            (Some(axis), Some(angle), None) => {
                Rotation::AxisAngle { axis: self.direction(Some(axis)), angle: self.expr(angle) }
            }
            (None, None, Some(quaternion)) => {
                let nodes = quaternion.array().unwrap_or(&[]);
                self.components(nodes).map_or(Rotation::Identity, Rotation::Quaternion)
            }
            _ => {
                let hint = "write { axis = \"z\", angle = \"deg(30)\" } or { quaternion = [w, x, y, z] }";
                self.report(&entry.key_span, "`rotation` needs either `axis` and `angle`, or `quaternion`", Some(hint));
                Rotation::Identity
            }
        }
    }

    /// `[instances.NAME]`.
    pub fn instance(&mut self, entry: &Entry) -> Option<Instance> {
        let table = entry.node.table()?;
        let index = table.get("index");
        if let Some(objection) = index.and_then(|index| index.node.text()).and_then(names::objection) {
            self.report(&index.map_or(0..0, |index| index.node.span.clone()), objection, None);
        }
        for key in ["index", "chain"].iter().filter_map(|key| table.get(key)).filter(|_| table.get("count").is_none()) {
            self.report(&key.key_span, format!("`{}` has no effect without `count`", key.key), None);
        }
        Some(Instance {
            name: entry.key.clone(),
            location: self.location(&entry.key_span),
            assembly: self.text(table, "assembly"),
            count: self.maybe(table, "count"),
            chain: self.maybe_text(table, "chain"),
            index: self.word(table, &INDEX).to_owned(),
            attachment: self.instance_attachment(entry, table),
            parent: self.maybe_text(table, "parent"),
            pose: self.pose(table),
            arguments: self.arguments(table),
            structure: self.structure_role(entry, table),
        })
    }

    fn instance_attachment(&mut self, entry: &Entry, table: &Table) -> Attachment {
        let by_joint = self.is_true(table, "moved_by_joint");
        match self.free(table) {
            Some(_) if by_joint => {
                self.report(&entry.key_span, format!("`{}` cannot be both free and moved by a joint", entry.key), None);
                Attachment::ByJoint
            }
            Some(free) => Attachment::Free(free),
            None if by_joint => {
                self.without_place(entry, table);
                Attachment::ByJoint
            }
            None => Attachment::Fixed,
        }
    }

    fn arguments(&mut self, table: &Table) -> Vec<(String, Expr, mbs::declaration::Location)> {
        let entries = table.table("arguments").map_or(&[] as &[Entry], |map| &map.entries);
        entries
            .iter()
            .map(|entry| (entry.key.clone(), self.expr(&entry.node), self.location(&entry.key_span)))
            .collect()
    }
}
