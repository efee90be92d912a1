//! Forces, joints and contacts over time.

use std::collections::BTreeMap;

use mbs::math::Vec3;
use mbs::scene::{ForceType, Joint, ObjectId, Scene};
use mbs::simulation::{ActingForces, ActingJoint, ActingLink, ActingPatch, JointAxis};
use mbs_present::view::{self, ContactMark, Track, TrackKind};

/// Spans that a page carries at most. Beyond it joints are left out, first what they transmit.
const SPANS: usize = 1_000_000;

/// Which track: kind of the thing, its index, number of the track.
type Key = (Thing, usize, usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Element,
    /// What a joint's own law does along or about one of its axes.
    Law,
    Axis,
    Transmitted,
}

/// What acts at the times of the frames.
#[derive(Debug, Clone, Default)]
pub(super) struct Details {
    frames: usize,
    tracks: BTreeMap<Key, Track>,
    /// Numbers of pairs of objects.
    numbers: BTreeMap<[usize; 2], u32>,
    pairs: Vec<String>,
    contacts: Vec<Vec<ContactMark>>,
}

type Span = [[f64; 3]; 2];

fn span(from: Vec3, to: Vec3) -> Span {
    [from.into(), to.into()]
}

impl Details {
    /// Adds a frame.
    pub fn record(&mut self, scene: &Scene, forces: &ActingForces) {
        for link in &forces.links {
            self.link(scene, link);
        }
        for load in &forces.loads {
            let name = &scene.forces[load.force].path;
            for (number, kind, vector) in [(0, TrackKind::Force, load.f), (1, TrackKind::Torque, load.t)] {
                self.add((Thing::Element, load.force.index(), number), name, kind, span(load.at, vector));
            }
        }
        for joint in &forces.joints {
            self.joint(scene, joint);
        }
        let marks = forces.contacts.iter().map(|patch| self.contact(scene, patch)).collect();
        self.contacts.push(marks);
        self.frames += 1;
    }

    fn add(&mut self, key: Key, name: &str, kind: TrackKind, span: Span) -> &mut Track {
        let new = || Track { name: name.to_owned(), kind, spans: Vec::new(), pulls: Vec::new() };
        let track = self.tracks.entry(key).or_insert_with(new);
        track.spans.resize(self.frames, None);
        track.spans.push(Some(span));
        track
    }

    fn link(&mut self, scene: &Scene, link: &ActingLink) {
        let [from, to] = link.ends;
        let force = &scene.forces[link.force];
        let kind = match &force.kind {
            ForceType::Line { stiffness, damping, .. } => {
                link_kind(*stiffness != 0.0, *damping != 0.0, false).unwrap_or(TrackKind::Actuator)
            }
            ForceType::Bushing { .. } | ForceType::World { .. } => TrackKind::Bushing,
        };
        let pull = (from - to).try_normalize(0.0).map_or(0.0, |direction| direction.dot(&link.on_second));
        let frames = self.frames;
        let track = self.add((Thing::Element, link.force.index(), 0), &force.path, kind, span(from, to));
        track.pulls.resize(frames, 0.0);
        track.pulls.push(pull);
    }

    fn joint(&mut self, scene: &Scene, joint: &ActingJoint) {
        let (index, name) = (joint.joint.index(), scene.joints[joint.joint].path.as_str());
        for (dof, axis) in joint.axes.iter().enumerate() {
            self.add((Thing::Axis, index, dof), name, kind_of(axis), span(axis.at, axis.direction));
            self.law(&scene.joints[joint.joint], (Thing::Law, index, dof), joint.at, axis, dof);
        }
        if joint.axes.is_empty() {
            self.add((Thing::Axis, index, 0), name, TrackKind::Ball, span(joint.at, joint.at));
        }
        let Some(vectors) = joint.transmitted else { return };
        for (number, kind) in [TrackKind::CutForce, TrackKind::CutTorque].into_iter().enumerate() {
            self.add((Thing::Transmitted, index, number), name, kind, span(joint.at, vectors[number]));
        }
    }

    /// Springs, dampers and drives of a joint: along an axis like those between points, about it as a torque.
    fn law(&mut self, joint: &Joint, key: Key, at: Vec3, axis: &JointAxis, dof: usize) {
        let law = &joint.dofs[dof].law;
        let (springs, damps) = (law.spring.is_some_and(|spring| spring.stiffness != 0.0), law.damping != 0.0);
        let drives = law.drive.is_some() || law.flange.is_some();
        if axis.turns {
            if springs || drives {
                self.add(key, &joint.path, TrackKind::Torque, span(at, axis.effort * axis.direction));
            }
            return;
        }
        let Some(kind) = link_kind(springs, damps, drives) else { return };
        let [position, _] = axis.coordinate;
        let frames = self.frames;
        let ends = span(axis.at, axis.at + position * axis.direction);
        let track = self.add(key, &joint.path, kind, ends);
        track.pulls.resize(frames, 0.0);
        // The ends are pulled together by what acts against the direction from one to the other.
        track.pulls.push(if position < 0.0 { axis.effort } else { -axis.effort });
    }

    fn contact(&mut self, scene: &Scene, patch: &ActingPatch) -> ContactMark {
        ContactMark {
            pair: self.pair(scene, patch.objects),
            at: patch.at.into(),
            normal: patch.normal.into(),
            force: patch.f.into(),
            radius: (patch.area / std::f64::consts::PI).sqrt(),
            rim: patch.rim.iter().map(|corner| (*corner).into()).collect(),
        }
    }

    fn pair(&mut self, scene: &Scene, objects: [ObjectId; 2]) -> u32 {
        let pairs = &mut self.pairs;
        *self.numbers.entry(objects.map(ObjectId::index)).or_insert_with(|| {
            let [a, b] = objects.map(|object| scene.objects[object].path.as_str());
            pairs.push(format!("{a}, {b}"));
            pairs.len() as u32 - 1
        })
    }

    /// Takes out what was recorded since the last call; tracks keep their places, new ones come in between.
    pub fn take(&mut self) -> view::Details {
        let frames = std::mem::take(&mut self.frames);
        let take = |track: &mut Track| {
            let mut taken = Track { spans: std::mem::take(&mut track.spans), ..track.clone() };
            taken.pulls = std::mem::take(&mut track.pulls);
            taken.spans.resize(frames, None);
            if taken.kind.is_link() {
                taken.pulls.resize(frames, 0.0);
            }
            taken
        };
        view::Details {
            tracks: self.tracks.values_mut().map(take).collect(),
            pairs: self.pairs.clone(),
            contacts: std::mem::take(&mut self.contacts),
            curves: Vec::new(),
        }
    }

    /// The details of the animation.
    pub fn finish(mut self) -> view::Details {
        for thing in [Thing::Transmitted, Thing::Axis, Thing::Law] {
            if self.tracks.len() * self.frames > SPANS {
                self.tracks.retain(|(of, ..), _| *of != thing);
            }
        }
        let frames = self.frames;
        let tracks = self.tracks.into_values().filter(acts).map(|mut track| {
            track.spans.resize(frames, None);
            if !track.pulls.is_empty() {
                track.pulls.resize(frames, 0.0);
            }
            track
        });
        view::Details { tracks: tracks.collect(), pairs: self.pairs, contacts: self.contacts, curves: Vec::new() }
    }
}

/// Whether a track shows anything: forces and torques may be zero all the time.
fn acts(track: &Track) -> bool {
    match track.kind {
        TrackKind::Force | TrackKind::Torque | TrackKind::CutForce | TrackKind::CutTorque => {
            track.spans.iter().flatten().any(|[_, vector]| *vector != [0.0; 3])
        }
        _ => true,
    }
}

/// What connects two points along the line between them; nothing may.
fn link_kind(springs: bool, damps: bool, drives: bool) -> Option<TrackKind> {
    match (springs, damps, drives) {
        (true, true, _) => Some(TrackKind::SpringDamper),
        (true, false, _) => Some(TrackKind::Spring),
        (false, _, true) => Some(TrackKind::Actuator),
        (false, true, false) => Some(TrackKind::Damper),
        (false, false, false) => None,
    }
}

fn kind_of(axis: &JointAxis) -> TrackKind {
    match (axis.turns, axis.is_driven) {
        (true, false) => TrackKind::Revolute,
        (true, true) => TrackKind::DrivenRevolute,
        (false, false) => TrackKind::Prismatic,
        (false, true) => TrackKind::DrivenPrismatic,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::animation::Recording;
    use crate::model::Loaded;
    use crate::native::Native;
    use crate::run::Experiment;

    const MODEL: &str = r#"
name = "M"
inputs = { F = { unit = "N", start = 3 }, T = { unit = "N.m", start = -2 } }
[objects]
a = { mass = 2 }
b = { mass = 2 }
c = { mass = 2 }
d = { mass = { m = 1, inertia = [1, 1, 1] } }
e = { mass = { m = 1, inertia = [1, 1, 1] } }
[joints]
strut = { type = "prismatic", from = "world", to = "a", axis = "x", s = 0.5, v = 2, spring = { stiffness = 100, rest = 0.2 }, damping = 5 }
back = { type = "prismatic", from = "world", to = "b", axis = "z", s = -0.5, spring = { stiffness = 100, rest = -0.2 } }
ram = { type = "prismatic", from = "world", to = "c", axis = "y", s = 1, force = "F" }
motor = { type = "revolute", from = "world", to = "d", axis = "z", torque = "T" }
bearing = { type = "revolute", from = "world", to = "e", axis = "z", damping = 1 }
"#;

    #[test]
    fn springs_dampers_and_drives_of_joints_are_drawn() {
        let model = Loaded::from_text(MODEL, "m.toml".as_ref(), &mut mbs_model::DiskFiles, false).unwrap();
        let experiment = Experiment { stop: Some(0.1), ..Experiment::default() };
        let (recording, _) = Recording::make(&mut Native::silent(model), &experiment, 0.1).unwrap();
        let tracks = recording.animation("m").details.tracks;
        let track =
            |name: &str, kind: TrackKind| tracks.iter().find(|track| track.name == name && track.kind == kind).unwrap();
        let strut = track("strut", TrackKind::SpringDamper);
        assert_eq!((strut.spans[0], strut.pulls[0]), (Some([[0.0; 3], [0.5, 0.0, 0.0]]), 40.0));
        let back = track("back", TrackKind::Spring);
        assert_eq!((back.spans[0], back.pulls[0]), (Some([[0.0; 3], [0.0, 0.0, -0.5]]), 30.0));
        let ram = track("ram", TrackKind::Actuator);
        assert_eq!((ram.spans[0], ram.pulls[0]), (Some([[0.0; 3], [0.0, 1.0, 0.0]]), -3.0));
        assert_eq!(track("motor", TrackKind::Torque).spans[0], Some([[0.0; 3], [0.0, 0.0, -2.0]]));
        assert!(!tracks.iter().any(|track| track.name == "bearing" && track.kind == TrackKind::Torque));
    }
}
