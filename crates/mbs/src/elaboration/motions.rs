//! Motion of bodies that expressions read: `ball.r_abs[3]` of an object, `gauge.v[1]` of a sensor.

use super::Elaboration;
use super::flatten::Items;
use super::names::join;
use crate::declaration::SensorKind;
use crate::scene::{External, ExternalSource, MotionPart, ObjectId, ObservedMotion, SensorType};

/// Whose motion an expression reads.
#[derive(Debug, Clone, PartialEq)]
enum Owner {
    Object(ObjectId),
    /// A sensor by its full name.
    Sensor(String),
}

/// A component of the motion of an object or a sensor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MotionName {
    owner: Owner,
    part: MotionPart,
    component: usize,
}

/// Parts of a motion: names in an object and in a sensor, number of components.
const PARTS: [(&str, &str, MotionPart, usize); 4] = [
    ("r_abs", "r", MotionPart::Position, 3),
    ("quaternion", "quaternion", MotionPart::Quaternion, 4),
    ("v_abs", "v", MotionPart::Velocity, 3),
    ("w_abs", "w", MotionPart::AngularVelocity, 3),
];

/// Splits `ball.r_abs[3]` into owner, part and component from 0.
fn split(name: &str) -> Option<(&str, &str, usize)> {
    let (rest, component) = name.strip_suffix(']')?.rsplit_once('[')?;
    let (owner, part) = rest.rsplit_once('.')?;
    Some((owner, part, component.parse::<usize>().ok()?.checked_sub(1)?))
}

impl Elaboration<'_> {
    /// Notes the sensors of motions, for expressions.
    pub(super) fn name_sensors(&mut self, items: &Items<'_>) {
        let motions = items.sensors.iter().filter(|item| matches!(item.member.kind, SensorKind::Motion { .. }));
        self.sensor_names = motions.map(|item| (join(&item.prefix, &item.member.name), ())).collect();
    }

    /// Names of all motions that expressions may read, for hints.
    pub(super) fn names_of_motions(&self) -> Vec<String> {
        let objects = self.object_names.keys().map(|path| (path, false));
        let sensors = self.sensor_names.keys().map(|path| (path, true));
        let names = |(path, is_sensor): (&String, bool)| {
            let of_part = |(in_object, in_sensor, _, count): &(&str, &str, MotionPart, usize)| {
                let part = if is_sensor { *in_sensor } else { *in_object };
                (1..=*count).map(|component| format!("{path}.{part}[{component}]")).collect::<Vec<_>>()
            };
            PARTS.iter().flat_map(of_part).collect::<Vec<_>>()
        };
        objects.chain(sensors).flat_map(names).collect()
    }

    /// Gives a component of a motion a slot, if an expression names one.
    pub(super) fn provide_motion(&mut self, prefix: &str, name: &str) -> Option<usize> {
        let (owner, part, component) = split(name)?;
        let (owner, path, part) = self.owner_of(prefix, owner, part, component)?;
        let full = format!("{path}{}", &name[name.rfind('.')?..]);
        if let Some(&slot) = self.external_names.get(&full) {
            return Some(slot);
        }
        let slot = self.scene.signals.add_slot();
        self.external_names.insert(full, slot);
        self.motions_read.push((slot, MotionName { owner, part, component }));
        Some(slot)
    }

    /// The object or sensor, its full name, and the part that is meant.
    fn owner_of(&self, prefix: &str, owner: &str, part: &str, component: usize) -> Option<(Owner, String, MotionPart)> {
        let mut prefix = prefix;
        loop {
            let full = join(prefix, owner);
            let object = self.object_names.get(&full).map(|&object| Owner::Object(object));
            let sensor = || self.sensor_names.get(&full).map(|()| Owner::Sensor(full.clone()));
            if let Some(found) = object.or_else(sensor) {
                let of_object = matches!(found, Owner::Object(_));
                let means = |(in_object, in_sensor, _, count): &&(&str, &str, MotionPart, usize)| {
                    part == if of_object { *in_object } else { *in_sensor } && component < *count
                };
                return PARTS.iter().find(means).map(|(_, _, part, _)| (found, full, *part));
            }
            if prefix.is_empty() {
                return None;
            }
            prefix = prefix.rfind('.').map_or("", |dot| &prefix[..dot]);
        }
    }

    /// Marks in the scene which motions are read; sensors exist.
    pub(super) fn connect_motions(&mut self) {
        for (slot, MotionName { owner, part, component }) in std::mem::take(&mut self.motions_read) {
            let world = self.scene.world();
            let frames = match &owner {
                Owner::Object(object) => Some((*object, world, world)),
                Owner::Sensor(path) => self.scene.sensors.iter().find(|s| s.path == *path).and_then(|s| match s.kind {
                    SensorType::Motion { frame, relative_to, resolved_in, .. } => {
                        Some((frame, relative_to, resolved_in))
                    }
                    SensorType::CutForce { .. } => None,
                }),
            };
            if let Some((frame, relative_to, resolved_in)) = frames {
                let what = ObservedMotion { frame, relative_to, resolved_in, part, component };
                self.scene.externals.push(External { slot, source: ExternalSource::Motion(what) });
            }
        }
    }
}
