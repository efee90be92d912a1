//! Inverse dynamics: reference motions as inputs.

use super::Elaboration;
use super::flatten::Items;
use super::names::join;
use crate::declaration::{Attachment as AttachmentDeclaration, Declaration, JointKind, Location};
use crate::expr::{Binder, Binding, Expr, Program, nearest};
use crate::force::{Signal, Signals};
use crate::math::Quaternion;
use crate::scene::{Attachment, InputVariable, ObjectId, PrescribedMotion, SceneError};

/// Parts of the motion of a ball or a free body: name, number of components, unit.
const ORIENTATION: (&str, usize, &str) = ("quaternion", 4, "1");

/// Name of the input that a coordinate follows: `phi` -> `phi_ref`, `s[1]` -> `s_ref[1]`.
#[must_use]
pub fn reference_name(coordinate: &str) -> String {
    let (base, index) = match coordinate.strip_suffix(']').and_then(|name| name.rfind('[')) {
        Some(open) => coordinate.split_at(open),
        None => (coordinate, ""),
    };
    format!("{base}_ref{index}")
}

/// Gives the one name in an expression its slot.
struct SlotOf(usize);

impl Binder for SlotOf {
    fn variable(&self, _name: &str) -> Option<Binding> {
        Some(Binding::Continuous(self.0))
    }
}

impl Elaboration<'_> {
    /// Whether inverse dynamics gives the coordinate `key` of a joint its motion; without a key, all of a joint or an
    /// object.
    pub(super) fn is_referred(&self, path: &str, key: Option<&str>) -> bool {
        self.declaration.inverse.as_ref().is_some_and(|inverse| inverse.drives(path, key))
    }

    /// Inputs for the motions that are given, and what is wrong with the names of these.
    pub(super) fn declare_references(&mut self, declaration: &Declaration, items: &Items<'_>) {
        let Some(inverse) = &declaration.inverse else { return };
        if let Some(time) = inverse.filter.filter(|time| time.is_nan() || *time <= 0.0) {
            let message =
                format!("inverse dynamics: the time constant of the filter is {time} s, but must be positive");
            self.fail(Location::default(), message);
        }
        if let Some(program) = items.actions.first() {
            let path = join(&program.prefix, &program.member.name);
            let message = format!(
                "inverse dynamics has no changes of structure, but `{path}` is an action program; remove `[actions]`"
            );
            self.fail(program.member.location, message);
        }
        let mut known = Vec::new();
        for item in &items.joints {
            let path = join(&item.prefix, &item.member.name);
            known.push(path.clone());
            match item.member.kind {
                JointKind::Spherical | JointKind::Free => {
                    if self.is_referred(&path, None) {
                        self.add_ball_references(&path, false, item.member.kind == JointKind::Free);
                    }
                }
                _ => {
                    for (dof, (position, _)) in item.member.dofs.iter().zip(item.member.kind.dof_names()) {
                        known.push(format!("{path}.{position}"));
                        if !self.is_referred(&path, Some(position)) {
                            continue;
                        }
                        if dof.motion.is_some() {
                            let message = format!(
                                "joint `{path}`: {position} has a motion of its own; inverse dynamics gives its effort in any case"
                            );
                            self.fail(item.member.location, message);
                        }
                        let unit = if position.starts_with("phi") { "rad" } else { "m" };
                        self.add_reference(&format!("{path}.{position}"), unit);
                    }
                }
            }
        }
        let objects = items.objects.iter().map(|i| (join(&i.prefix, &i.member.name), &i.member.attachment));
        let instances = items.frames.iter().map(|frame| (frame.path.clone(), &frame.instance.attachment));
        for (path, attachment) in objects.chain(instances) {
            if matches!(attachment, AttachmentDeclaration::Free(_)) {
                if self.is_referred(&path, None) {
                    self.add_ball_references(&path, true, true);
                }
                known.push(path);
            }
        }
        for name in inverse.motions.iter().filter(|name| !known.contains(name)) {
            let message = format!("inverse dynamics: `{name}` is no coordinate, no joint and no free object");
            let near = nearest(name, known.iter().map(String::as_str));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            self.errors.push(SceneError::new(Location::default(), message).with_hint(hint));
        }
    }

    fn add_ball_references(&mut self, path: &str, is_object: bool, translates: bool) {
        for (name, count, unit) in parts(is_object, translates) {
            for k in 1..=count {
                self.add_reference(&format!("{path}.{name}[{k}]"), unit);
            }
        }
    }

    fn add_reference(&mut self, coordinate: &str, unit: &str) {
        self.add_input(InputVariable {
            name: reference_name(coordinate),
            description: format!("motion that {coordinate} follows"),
            unit: unit.to_owned(),
            ..InputVariable::default()
        });
    }

    /// The motion that follows an input, which starts at `start`.
    pub(super) fn follow_reference(&mut self, coordinate: &str, start: f64) -> Option<PrescribedMotion> {
        let input = *self.input_names.get(&reference_name(coordinate))?;
        self.scene.inputs[input].start = start;
        let signals = &mut self.scene.signals;
        signals.change_inputs(|inputs| {
            inputs.set(input, start, 0.0);
            inputs.start_filters();
        });
        let filter = self.declaration.inverse.as_ref().and_then(|inverse| inverse.filter).filter(|time| *time > 0.0);
        let slots = match filter {
            Some(time) => {
                let first = signals.add_input_filter(input, time);
                [first, first + 1, first + 2]
            }
            None => {
                let first = signals.add_input_rates(input);
                [Signals::input_slot(input), first, first + 1]
            }
        };
        let mut read = |slot: usize| {
            let name = Expr::parse("reference").unwrap_or_default();
            Program::compile(&name, &SlotOf(slot)).map_or(Signal::Constant(0.0), |program| signals.add(program))
        };
        Some(PrescribedMotion { position: read(slots[0]), velocity: read(slots[1]), acceleration: read(slots[2]) })
    }

    /// The motion of a spherical or free joint, or of a free object, that starts with an orientation and a position.
    pub(super) fn follow_ball(
        &mut self,
        path: &str,
        is_object: bool,
        rotation: &Quaternion,
        position: Option<[f64; 3]>,
    ) -> Option<Vec<PrescribedMotion>> {
        self.is_referred(path, None).then_some(())?;
        let mut motions = Vec::new();
        let orientation = rotation.to_array().into_iter();
        let starts: Vec<f64> = orientation.chain(position.into_iter().flatten()).collect();
        let mut starts = starts.into_iter();
        for (name, count, _) in parts(is_object, position.is_some()) {
            for k in 1..=count {
                let start = starts.next().unwrap_or(0.0);
                motions.push(self.follow_reference(&format!("{path}.{name}[{k}]"), start)?);
            }
        }
        Some(motions)
    }

    /// Finds the contacts that must stay closed.
    pub(super) fn find_closed_contacts(&mut self) {
        let names = self.declaration.inverse.as_ref().map_or(&[][..], |inverse| &inverse.closed);
        let objects = self.scene.objects.iter();
        let collides = objects.filter(|(_, object)| object.shapes.iter().any(|shape| shape.collision.is_some()));
        let colliding: Vec<(String, ObjectId)> = collides.map(|(id, object)| (object.path.clone(), id)).collect();
        for name in names {
            let find = |path: &str| colliding.iter().find(|(known, _)| *known == path).map(|(_, object)| *object);
            let split = |(at, _): (usize, &str)| Some([find(&name[..at])?, find(&name[at + 1..])?]);
            match name.match_indices('_').find_map(split) {
                Some([a, b]) if a.index() < b.index() => self.scene.closed.push([a, b]),
                Some([a, b]) => self.scene.closed.push([b, a]),
                None => {
                    let pairs =
                        colliding.iter().flat_map(|(a, _)| colliding.iter().map(move |(b, _)| format!("{a}_{b}")));
                    let pairs: Vec<String> = pairs.collect();
                    let message = format!(
                        "inverse dynamics: the contact `{name}` that must stay closed is none of two objects that collide"
                    );
                    let near = nearest(name, pairs.iter().map(String::as_str));
                    let hint = near.map(|near| format!("did you mean `{near}`?"));
                    self.errors.push(SceneError::new(Location::default(), message).with_hint(hint));
                }
            }
        }
    }

    /// Gives free objects their motions.
    pub(super) fn drive_free_objects(&mut self) {
        if self.declaration.inverse.is_none() {
            return;
        }
        let ids: Vec<_> = self.scene.objects.iter().map(|(id, _)| id).collect();
        for id in ids {
            let object = &self.scene.objects[id];
            let (path, location, pose) = (object.path.clone(), object.location, object.x_pc);
            if !matches!(object.attachment, Attachment::Free { .. }) || !self.is_referred(&path, None) {
                continue;
            }
            if object.parent.is_some_and(|parent| parent != self.scene.world()) {
                let message = format!(
                    "object `{path}` moves freely relative to another object; a free joint between them can follow a motion"
                );
                self.fail(location, message);
                continue;
            }
            let rotation = Quaternion::from_matrix(&pose.rotation);
            let motions = self.follow_ball(&path, true, &rotation, Some(pose.translation.into()));
            if let Some(object) = self.scene.objects.get_mut(id) {
                object.motion = motions;
            }
        }
    }
}

/// Parts of the motion of a ball or free body in the order of its prescribed motions.
fn parts(is_object: bool, translates: bool) -> impl Iterator<Item = (&'static str, usize, &'static str)> {
    let position = (if is_object { "r_abs" } else { "r" }, 3, "m");
    [ORIENTATION].into_iter().chain(translates.then_some(position))
}
