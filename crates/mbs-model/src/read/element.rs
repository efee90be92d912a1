//! Force elements and sensors.

use mbs::declaration::{Bushing, DirectionLaw, ForceElement, ForceKind, PointToPoint, Sensor, SensorKind, WorldForce};

use super::Reader;
use crate::node::{Entry, Node, Table};

impl Reader<'_> {
    /// `[forces.NAME]`.
    pub fn force(&mut self, entry: &Entry) -> Option<ForceElement> {
        let table = entry.node.table()?;
        Some(ForceElement {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            kind: match table.node("type")?.text()? {
                "world" => ForceKind::World(self.world_force(entry, table)),
                "bushing" => ForceKind::Bushing(self.bushing(table)),
                "spring" | "damper" | "spring-damper" | "actuator" => {
                    ForceKind::PointToPoint(self.point_to_point(table))
                }
                _ => return None,
            },
        })
    }

    fn world_force(&mut self, entry: &Entry, table: &Table) -> WorldForce {
        if table.get("force").is_none() && table.get("torque").is_none() {
            let message = format!("the world force `{}` has neither `force` nor `torque`", entry.key);
            self.report(&entry.key_span, message, Some("give `force = [x, y, z]` in N or `torque = [x, y, z]` in N·m"));
        }
        WorldForce {
            at: self.text(table, "at"),
            force: self.vector(table, "force"),
            torque: self.vector(table, "torque"),
            resolved_in: self.maybe_text(table, "resolved_in"),
        }
    }

    fn point_to_point(&mut self, table: &Table) -> PointToPoint {
        PointToPoint {
            from: self.text(table, "from"),
            to: self.text(table, "to"),
            stiffness: self.maybe(table, "stiffness"),
            rest_length: self.maybe(table, "rest_length"),
            damping: self.maybe(table, "damping"),
            force: self.maybe(table, "force"),
        }
    }

    fn bushing(&mut self, table: &Table) -> Bushing {
        Bushing {
            from: self.text(table, "from"),
            to: self.text(table, "to"),
            translation: self.direction_laws(table, ["stiffness", "damping", "law"]),
            rotation: self.direction_laws(table, ["rotational_stiffness", "rotational_damping", "rotational_law"]),
        }
    }

    fn direction_laws(&mut self, table: &Table, [stiffness, damping, law]: [&str; 3]) -> [DirectionLaw; 3] {
        let stiffness = self.maybe_each(table, stiffness);
        let damping = self.maybe_each(table, damping);
        let laws = table.node(law).and_then(Node::array).unwrap_or(&[]);
        [0, 1, 2].map(|i| DirectionLaw {
            stiffness: stiffness.as_ref().map(|all| all[i].clone()),
            damping: damping.as_ref().map(|all| all[i].clone()),
            law: laws.get(i).filter(|node| node.text() != Some("")).map(|node| self.expr(node)),
        })
    }

    /// `[sensors.NAME]`.
    pub fn sensor(&mut self, entry: &Entry) -> Option<Sensor> {
        let table = entry.node.table()?;
        Some(Sensor {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            kind: match table.node("type")?.text()? {
                "motion" => self.motion_sensor(table),
                "cut-force" => SensorKind::CutForce {
                    joint: self.text(table, "joint"),
                    resolved_in: self.maybe_text(table, "resolved_in"),
                },
                _ => return None,
            },
        })
    }

    fn motion_sensor(&mut self, table: &Table) -> SensorKind {
        let measure = table.node("measure").and_then(Node::array);
        let has = |word: &str| measure.is_none_or(|nodes| nodes.iter().any(|node| node.text() == Some(word)));
        SensorKind::Motion {
            frame: self.text(table, "frame"),
            relative_to: self.maybe_text(table, "relative_to"),
            resolved_in: self.maybe_text(table, "resolved_in"),
            pose: has("pose"),
            velocity: has("velocity"),
            acceleration: has("acceleration"),
        }
    }
}
