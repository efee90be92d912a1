//! Components: their parameters, signals and flanges.

use std::sync::Arc;

use super::flatten::{Item, Items};
use super::names::{evaluate_indices, join, look_up};
use super::{Elaboration, Site, inside};
use crate::component::{Arguments, Layout, Registry, TYPES_WITH_MOTION};
use crate::declaration::{ComponentDeclaration, Location, Value};
use crate::expr::{Expr, nearest};
use crate::force::Signal;
use crate::scene::{ComponentInstance, External, ExternalSource, FlangeTarget, JointId, SceneError};

/// What consumes the value of an expression that reads values of components and joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consumer {
    /// Force laws: the value acts on the mechanics.
    Mechanics,
    /// Inputs of components.
    Components,
    /// Prescribed motions: functions of time, which must not read such values.
    PrescribedMotions,
}

/// A joint coordinate that an expression may name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CoordinateName {
    pub joint: String,
    pub dof: usize,
    pub order: u8,
}

impl<'a> Elaboration<'a> {
    /// Names of joint coordinates, for expressions.
    pub(super) fn name_coordinates(&mut self, items: &Items<'a>) {
        for item in &items.joints {
            let joint = join(&item.prefix, &item.member.name);
            for (dof, (position, velocity)) in item.member.kind.dof_names().iter().enumerate() {
                for (order, name) in [(0, position), (1, velocity)].into_iter().filter(|_| !position.is_empty()) {
                    let name_of = CoordinateName { joint: joint.clone(), dof, order };
                    self.coordinate_names.insert(format!("{joint}.{name}"), name_of);
                }
            }
        }
    }

    /// Makes all components and gives their outputs and flanges slots that expressions may read.
    pub(super) fn declare_components(&mut self, items: &Items<'a>, registry: &Registry) {
        for (k, item) in items.components.iter().enumerate() {
            reserve::check();
            let path = join(&item.prefix, &item.member.name);
            let Some(instance) = self.make_component(item, &path, registry) else {
                self.failed_components.insert(path, ());
                continue;
            };
            self.name_values(&instance);
            self.component_names.insert(path, self.scene.components.len());
            self.made.push(k);
            self.scene.components.push(instance);
        }
    }

    fn make_component(
        &mut self,
        item: &Item<'a, ComponentDeclaration>,
        path: &str,
        registry: &Registry,
    ) -> Option<ComponentInstance> {
        let declared = item.member;
        let Some(factory) = registry.find(&declared.kind) else {
            let near = nearest(&declared.kind, registry.names()).map(|near| format!("did you mean `{near}`?"));
            let hint = near.or_else(|| Some(CUSTOM.to_owned()));
            let message = format!("component `{path}`: there is no type `{}`", declared.kind);
            self.errors.push(SceneError::new(declared.location, message).with_hint(hint));
            return None;
        };
        let mut arguments = Arguments::new(&declared.values, item.scope.as_ref()).of_type(&declared.kind);
        let component = match factory(&mut arguments) {
            Ok(component) => component,
            Err(message) => {
                self.fail(declared.location, format!("component `{path}`: {message}"));
                return None;
            }
        };
        let layout = component.layout();
        for (key, _) in &declared.values {
            if !arguments.is_used(key) && !is_connection(&layout, key) {
                let known =
                    layout.inputs.iter().map(|i| i.name.as_str()).chain(layout.flanges.iter().map(|f| f.name.as_str()));
                let hint = nearest(key, known).map(|near| format!("did you mean `{near}`?"));
                let message = format!("component `{path}`: type `{}` has no `{key}`", declared.kind);
                self.errors.push(SceneError::new(declared.location, message).with_hint(hint));
            }
        }
        let mut slots = || self.scene.signals.add_slot();
        let first_output = layout.outputs.iter().map(|_| slots()).min().unwrap_or(0);
        let first_flange = layout.flanges.iter().flat_map(|_| [slots(), slots()]).min().unwrap_or(0);
        Some(ComponentInstance {
            path: path.to_owned(),
            description: declared.description.clone(),
            location: declared.location,
            component: Arc::clone(&component),
            inputs: Vec::new(),
            targets: Vec::new(),
            layout,
            first_output,
            first_flange,
        })
    }

    fn name_values(&mut self, instance: &ComponentInstance) {
        for (k, output) in instance.layout.outputs.iter().enumerate() {
            self.external_names.insert(format!("{}.{}", instance.path, output.name), instance.first_output + k);
        }
        let only = instance.layout.flanges.len() == 1;
        for (k, flange) in instance.layout.flanges.iter().enumerate() {
            let prefix = if only { instance.path.clone() } else { format!("{}.{}", instance.path, flange.name) };
            for &(order, name) in flange.value_names() {
                self.external_names.entry(format!("{prefix}.{name}")).or_insert(instance.first_flange + 2 * k + order);
            }
        }
    }

    /// Connects inputs and flanges; joints exist.
    pub(super) fn connect_components(&mut self, items: &Items<'a>) {
        self.consumer = Consumer::Components;
        for k in 0..self.scene.components.len() {
            reserve::check();
            let item = &items.components[self.made[k]];
            let layout = self.scene.components[k].layout.clone();
            let inputs = layout.inputs.iter().map(|input| self.input(item, k, &input.name, input.default)).collect();
            let targets = layout.flanges.iter().map(|flange| self.target(item, k, &flange.name)).collect();
            self.scene.components[k].inputs = inputs;
            self.scene.components[k].targets = targets;
            self.refuse_mixed_motions(item.member, k);
        }
        self.find_flange_kinds();
        self.consumer = Consumer::Mechanics;
        for (slot, name) in std::mem::take(&mut self.coordinates_read) {
            if let Some(&joint) = self.joint_names.get(&name.joint) {
                let source = ExternalSource::Joint { joint, dof: name.dof, order: name.order };
                self.scene.externals.push(External { slot, source });
            }
        }
        self.connect_motions();
    }

    /// Refuses connections of what turns with what moves along an axis.
    fn refuse_mixed_motions(&mut self, declared: &ComponentDeclaration, k: usize) {
        let instance = &self.scene.components[k];
        let mut found = Vec::new();
        for (flange, target) in instance.layout.flanges.iter().zip(&instance.targets) {
            let (other, translates) = match *target {
                Some(FlangeTarget::Joint(joint, dof)) => {
                    let joint = &self.scene.joints[joint];
                    let Some((name, _)) = joint.dof_names.get(dof) else { continue };
                    (format!("joint `{}.{name}`", joint.path), name.starts_with('s'))
                }
                Some(FlangeTarget::Flange(component, other)) => {
                    let component = &self.scene.components[component];
                    let other = &component.layout.flanges[other];
                    if other.is_neutral {
                        continue;
                    }
                    (format!("`{}` of component `{}`", other.name, component.path), other.translates)
                }
                Some(FlangeTarget::Ground) | None => continue,
            };
            if !flange.is_neutral && flange.translates != translates {
                let [own, others] =
                    if translates { ["turns", "moves along an axis"] } else { ["moves along an axis", "turns"] };
                found.push(format!(
                    "component `{}`: `{}` {own}, but {other}, with which it is connected, {others}; {}",
                    instance.path,
                    flange.name,
                    remedy(&declared.kind, translates)
                ));
            }
        }
        for message in found {
            self.fail(declared.location, message);
        }
    }

    fn input(&mut self, item: &Item<'a, ComponentDeclaration>, k: usize, name: &str, default: Option<f64>) -> Signal {
        let path = self.scene.components[k].path.clone();
        let location = item.member.location;
        let what = format_args!("component `{path}`: {name}");
        match (item.member.values.iter().find(|(key, _)| key == name).map(|(_, value)| value), default) {
            (Some(Value::Number(expr)), _) => {
                let site = Site { scope: &item.scope, prefix: &item.prefix, location, what, locals: &[] };
                self.signal(expr, &site)
            }
            (Some(Value::Text(text)), _) => match Expr::parse(text) {
                Ok(expr) => {
                    let site = Site { scope: &item.scope, prefix: &item.prefix, location, what, locals: &[] };
                    self.signal(&expr, &site)
                }
                Err(error) => {
                    self.fail(location, format!("{what}: {error}"));
                    Signal::Constant(0.0)
                }
            },
            (None, Some(default)) => Signal::Constant(default),
            _ => {
                self.fail(
                    location,
                    format!("{what} must be connected: give an expression, e.g. the output of a component"),
                );
                Signal::Constant(0.0)
            }
        }
    }

    fn target(&mut self, item: &Item<'a, ComponentDeclaration>, k: usize, name: &str) -> Option<FlangeTarget> {
        let value = item.member.values.iter().find(|(key, _)| key == name).map(|(_, value)| value)?;
        let path = self.scene.components[k].path.clone();
        let location = item.member.location;
        let reference = match value {
            Value::Text(text) => text.clone(),
            Value::Number(expr) => expr.text(),
            _ => {
                self.fail(location, format!("component `{path}`: `{name}` must name a joint, a flange or `ground`"));
                return None;
            }
        };
        if reference == "ground" {
            return Some(FlangeTarget::Ground);
        }
        let reference = match evaluate_indices(&reference, item.scope.as_ref()) {
            Ok(reference) => reference,
            Err(message) => {
                self.fail(location, format!("component `{path}`: {message}"));
                return None;
            }
        };
        let found = self.find_target(&reference, &item.prefix);
        if found.is_none() {
            self.report_target(&path, name, &reference, &item.prefix, location);
        }
        found
    }

    fn find_target(&self, reference: &str, prefix: &str) -> Option<FlangeTarget> {
        if let Some(joint) = look_up(&self.joint_names, prefix, reference) {
            return self.only_coordinate(joint);
        }
        if let Some(component) = look_up(&self.component_names, prefix, reference) {
            let flanges = &self.scene.components[component].layout.flanges;
            return (flanges.len() == 1).then_some(FlangeTarget::Flange(component, 0));
        }
        let (owner, member) = reference.rsplit_once('.')?;
        if let Some(component) = look_up(&self.component_names, prefix, owner) {
            let flanges = &self.scene.components[component].layout.flanges;
            return flanges.iter().position(|f| f.name == member).map(|f| FlangeTarget::Flange(component, f));
        }
        let joint = look_up(&self.joint_names, prefix, owner)?;
        let names = self.scene.joints[joint].dof_names;
        names.iter().position(|(position, _)| *position == member).map(|dof| FlangeTarget::Joint(joint, dof))
    }

    fn only_coordinate(&self, joint: JointId) -> Option<FlangeTarget> {
        let names = self.scene.joints[joint].dof_names;
        (names.len() == 1).then_some(FlangeTarget::Joint(joint, 0))
    }

    /// Whether a name is that of a component that could not be made, or of one of its values.
    pub(super) fn belongs_to_failed(&self, name: &str, prefix: &str) -> bool {
        let owner = name.rsplit_once('.').map_or(name, |(owner, _)| owner);
        let is_failed = |name: &str| look_up(&self.failed_components, prefix, name).is_some();
        is_failed(name) || is_failed(owner) || owner.rsplit_once('.').is_some_and(|(owner, _)| is_failed(owner))
    }

    fn report_target(&mut self, path: &str, name: &str, reference: &str, prefix: &str, location: Location) {
        if self.belongs_to_failed(reference, prefix) {
            return;
        }
        let joints = self.joint_names.keys().map(String::as_str);
        let near = nearest(reference, joints.chain(self.component_names.keys().map(String::as_str)));
        let hint = near.filter(|near| *near != reference).map(|near| format!("did you mean `{near}`?"));
        let message = format!(
            "component `{path}`: `{name}` is connected with `{reference}`{}, which is no joint coordinate and no flange; name \
             a joint with one degree of freedom, `JOINT.phi`, a component with one flange, `COMPONENT.FLANGE` or `ground`",
            inside(prefix)
        );
        self.errors.push(SceneError::new(location, message).with_hint(hint));
    }

    /// Assigns slots to the values that an expression names, and records the reader.
    pub(super) fn provide(&mut self, expr: &Expr, prefix: &str) {
        for variable in expr.variables() {
            let name = variable.name.as_str();
            if look_up(&self.input_names, prefix, name).is_some() {
                continue;
            }
            let known = look_up(&self.external_names, prefix, name);
            let slot =
                known.or_else(|| self.provide_coordinate(prefix, name)).or_else(|| self.provide_motion(prefix, name));
            if let (Some(slot), Consumer::Mechanics) = (slot, self.consumer) {
                self.scene.signals.read_by_mechanics(slot);
            }
        }
    }

    fn provide_coordinate(&mut self, prefix: &str, name: &str) -> Option<usize> {
        let mut at = prefix;
        let full = loop {
            let full = join(at, name);
            if self.coordinate_names.contains_key(&full) {
                break full;
            }
            if at.is_empty() {
                return None;
            }
            at = at.rfind('.').map_or("", |dot| &at[..dot]);
        };
        let coordinate = self.coordinate_names.get(&full)?.clone();
        let slot = self.scene.signals.add_slot();
        self.external_names.insert(full, slot);
        self.coordinates_read.push((slot, coordinate));
        Some(slot)
    }
}

/// Where components of other types come from.
const CUSTOM: &str = "components of your own need a crate with a command and an FMU library of its own, see docs/custom-component.md; \
                      run the command of that crate instead";

/// Suggests a type or key for the place of a component whose flange is of the other kind than its partner, which
/// `translates`.
fn remedy(kind: &str, translates: bool) -> String {
    let pairs = [("inertia", "mass"), ("torque", "force")];
    let other = pairs.iter().find_map(|&(turns, moves)| match kind {
        _ if kind == turns => Some(moves),
        _ if kind == moves => Some(turns),
        _ => None,
    });
    match (other, kind) {
        (Some(other), _) => format!("use a component of type `{other}`"),
        (None, kind) if TYPES_WITH_MOTION.contains(&kind) => {
            format!("set `motion = \"{}\"`", if translates { "translation" } else { "rotation" })
        }
        _ => "put a `gear` between them, whose ratio is then in rad/m (rack and pinion)".to_owned(),
    }
}

fn is_connection(layout: &Layout, key: &str) -> bool {
    layout.inputs.iter().any(|input| input.name == key) || layout.flanges.iter().any(|flange| flange.name == key)
}
