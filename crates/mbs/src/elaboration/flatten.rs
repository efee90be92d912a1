//! Instances of assemblies unrolled: every member with its prefix and the parameters in its scope.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::names::join;
use super::parameters::Wrong;
use super::scope::ParameterScope;
use super::{Elaboration, parameters};
use crate::declaration::{
    ActionProgram, ComponentDeclaration, Content, Declaration, ForceElement, Instance, Joint, Location, Object,
    ParameterKind, ReferencePath, Sensor, Trigger,
};
use crate::expr::{nearest, number_text};
use crate::force::Signals;
use crate::scene::flange;
use crate::scene::{InputVariable, SceneError};

/// Copies of one array and of everything together; more is taken for a mistake.
const MAX_COPIES: i64 = 100_000;
/// Depth of assemblies within assemblies; more is taken for a recursion without end.
const MAX_DEPTH: usize = 64;

/// A member with its surroundings.
pub(super) struct Item<'a, T: ?Sized> {
    pub prefix: Rc<str>,
    pub scope: Rc<ParameterScope<'a>>,
    pub member: &'a T,
}

/// An instance's own frame.
pub(super) struct FrameItem<'a> {
    /// Path of the frame.
    pub path: String,
    /// Prefix its references are resolved in.
    pub prefix: Rc<str>,
    pub scope: Rc<ParameterScope<'a>>,
    pub instance: &'a Instance,
    /// Reference of its parent.
    pub parent: Option<String>,
}

/// All members of a model.
#[derive(Default)]
pub(super) struct Items<'a> {
    pub frames: Vec<FrameItem<'a>>,
    pub objects: Vec<Item<'a, Object>>,
    pub joints: Vec<Item<'a, Joint>>,
    pub forces: Vec<Item<'a, ForceElement>>,
    pub sensors: Vec<Item<'a, Sensor>>,
    pub components: Vec<Item<'a, ComponentDeclaration>>,
    pub paths: Vec<Item<'a, ReferencePath>>,
    pub actions: Vec<Item<'a, ActionProgram>>,
    /// Paths of arrays without copies.
    pub empty_arrays: Vec<String>,
    /// Paths of instances with `count`, without index.
    pub arrays: BTreeMap<String, Rc<str>>,
    /// Whether unrolling was given up.
    stopped: bool,
}

impl Items<'_> {
    /// Path, kind and place of every member.
    fn named(&self) -> impl Iterator<Item = (String, &'static str, Location)> {
        let frames = self.frames.iter().map(|f| (f.path.clone(), "instance", f.instance.location));
        let objects = self.objects.iter().map(|i| (join(&i.prefix, &i.member.name), "object", i.member.location));
        let joints = self.joints.iter().map(|i| (join(&i.prefix, &i.member.name), "joint", i.member.location));
        let forces = self.forces.iter().map(|i| (join(&i.prefix, &i.member.name), "force", i.member.location));
        let sensors = self.sensors.iter().map(|i| (join(&i.prefix, &i.member.name), "sensor", i.member.location));
        let components =
            self.components.iter().map(|i| (join(&i.prefix, &i.member.name), "component", i.member.location));
        let actions =
            self.actions.iter().map(|i| (join(&i.prefix, &i.member.name), "action program", i.member.location));
        let paths = self.paths.iter().map(|i| (join(&i.prefix, &i.member.name), "path", i.member.location));
        let rest = components.chain(actions).chain(paths);
        frames.chain(objects).chain(joints).chain(forces).chain(sensors).chain(rest)
    }
}

impl<'a> Elaboration<'a> {
    pub(super) fn flatten(&mut self, declaration: &'a Declaration, root: &ParameterScope<'a>) -> Items<'a> {
        let mut items = Items::default();
        self.unroll(&declaration.content, &Rc::from(""), &Rc::new(root.clone()), &mut items, 0);
        self.refuse_repeated_names(declaration, &items);
        items
    }

    /// Everything that may become a variable or a group of variables has a name of its own.
    fn refuse_repeated_names(&mut self, declaration: &Declaration, items: &Items<'_>) {
        let top = |name: &str, what, location| (name.to_owned(), what, location);
        let parameters = declaration.parameters.iter().map(|p| top(&p.name, "parameter", p.location));
        let inputs = declaration.inputs.iter().map(|i| top(&i.name, "input", i.location));
        let mut known = BTreeMap::from([("world".to_owned(), "object")]);
        let named = items.named();
        for (name, what, location) in parameters.chain(inputs).chain(named) {
            match known.get(&name).copied() {
                None => drop(known.insert(name, what)),
                Some(other) if other == what => self.fail(location, format!("there are two {what}s called `{name}`")),
                Some(other) => self.fail(location, format!("the {other} and the {what} `{name}` need different names")),
            }
        }
    }

    fn unroll(
        &mut self,
        content: &'a Content,
        prefix: &Rc<str>,
        scope: &Rc<ParameterScope<'a>>,
        items: &mut Items<'a>,
        depth: usize,
    ) {
        fn wrap<'a, T>(
            members: &'a [T],
            prefix: &Rc<str>,
            scope: &Rc<ParameterScope<'a>>,
        ) -> impl Iterator<Item = Item<'a, T>> {
            let (prefix, scope) = (prefix.clone(), scope.clone());
            members.iter().map(move |member| Item { prefix: prefix.clone(), scope: scope.clone(), member })
        }
        items.objects.extend(wrap(&content.objects, prefix, scope));
        items.joints.extend(wrap(&content.joints, prefix, scope));
        items.forces.extend(wrap(&content.forces, prefix, scope));
        items.sensors.extend(wrap(&content.sensors, prefix, scope));
        items.components.extend(wrap(&content.components, prefix, scope));
        items.paths.extend(wrap(&content.paths, prefix, scope));
        items.actions.extend(wrap(&content.actions, prefix, scope));
        for instance in &content.instances {
            if items.stopped {
                return;
            }
            let name = &instance.name;
            if depth >= MAX_DEPTH {
                items.stopped = true;
                let message = format!(
                    "`{name}` nests assemblies more than {MAX_DEPTH} deep; an assembly must not contain itself"
                );
                return self.fail(instance.location, message);
            }
            if items.frames.len() > MAX_COPIES as usize {
                items.stopped = true;
                return self.fail(
                    instance.location,
                    format!("the model has more than {MAX_COPIES} instances, counted up to `{name}`"),
                );
            }
            self.unroll_instance(instance, prefix, scope, items, depth);
        }
    }

    fn unroll_instance(
        &mut self,
        instance: &'a Instance,
        prefix: &Rc<str>,
        scope: &Rc<ParameterScope<'a>>,
        items: &mut Items<'a>,
        depth: usize,
    ) {
        let Some(count) = &instance.count else {
            self.add_copy(instance, join(prefix, &instance.name), instance.parent.clone(), prefix, scope, items, depth);
            return;
        };
        let what = format_args!("instance `{}`: count", instance.name);
        let count = match count.evaluate_integer(scope.as_ref()) {
            Ok(count) if (0..=MAX_COPIES).contains(&count) => count,
            Ok(count) => {
                return self
                    .fail(instance.location, format!("{what} is {count}, but must be between 0 and {MAX_COPIES}"));
            }
            Err(error) => return self.fail(instance.location, format!("{what} has no value: {}", error.message)),
        };
        if count == 0 {
            items.empty_arrays.push(join(prefix, &instance.name));
        }
        let array = join(prefix, &instance.name);
        items.arrays.insert(array.clone(), Rc::from(array));
        let index = if instance.index.is_empty() { "i" } else { &instance.index };
        for i in 1..=count {
            let mut inner = scope.as_ref().clone();
            inner.values.insert(index.to_owned(), i as f64);
            let path = join(prefix, &format!("{}[{i}]", instance.name));
            let parent = match &instance.chain {
                Some(member) if i > 1 => Some(format!("{}[{}].{member}", instance.name, i - 1)),
                _ => instance.parent.clone(),
            };
            self.add_copy(instance, path, parent, prefix, &Rc::new(inner), items, depth);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn add_copy(
        &mut self,
        instance: &'a Instance,
        path: String,
        parent: Option<String>,
        prefix: &Rc<str>,
        scope: &Rc<ParameterScope<'a>>,
        items: &mut Items<'a>,
        depth: usize,
    ) {
        reserve::check();
        let declaration = self.declaration;
        let Some(assembly) = declaration.assemblies.iter().find(|a| a.name == instance.assembly) else {
            let hint = nearest(&instance.assembly, declaration.assemblies.iter().map(|a| a.name.as_str()));
            let message = format!("instance `{}`: there is no assembly `{}`", instance.name, instance.assembly);
            let hint = hint.map(|near| format!("did you mean `{near}`?"));
            self.errors.push(SceneError::new(instance.location, message).with_hint(hint));
            return;
        };
        let inner = self.bind_arguments(instance, &assembly.parameters, scope);
        items.frames.push(FrameItem {
            path: path.clone(),
            prefix: prefix.clone(),
            scope: scope.clone(),
            instance,
            parent,
        });
        self.unroll(&assembly.content, &Rc::from(path), &Rc::new(inner), items, depth + 1);
    }

    fn bind_arguments(
        &mut self,
        instance: &Instance,
        declared: &[crate::declaration::Parameter],
        outer: &Rc<ParameterScope<'a>>,
    ) -> ParameterScope<'a> {
        let mut inner = outer.as_ref().clone();
        for (name, _, location) in &instance.arguments {
            if !declared.iter().any(|p| p.name == *name) {
                let hint = nearest(name, declared.iter().map(|p| p.name.as_str()))
                    .map(|near| format!("did you mean `{near}`?"));
                let message = format!("assembly `{}` has no parameter `{name}`", instance.assembly);
                self.errors.push(SceneError::new(*location, message).with_hint(hint));
            }
        }
        for parameter in declared {
            if parameter.kind == ParameterKind::String {
                let message = format!("the parameter `{}` of an assembly cannot be a String", parameter.name);
                let hint = Some("Strings are parameters and inputs of the whole model".to_owned());
                self.errors.push(SceneError::new(parameter.location, message).with_hint(hint));
            }
            let argument = instance.arguments.iter().find(|(name, _, _)| *name == parameter.name);
            let given = argument.map(|(name, expr, location)| {
                self.number(expr, outer, *location, format_args!("argument `{name}` of `{}`", instance.name))
            });
            match parameters::evaluate(parameter, given, &inner) {
                Ok(value) => drop(inner.values.insert(parameter.name.clone(), value)),
                Err(_) if self.measuring => drop(inner.values.insert(parameter.name.clone(), f64::NAN)),
                Err(mut error) => {
                    // The value is that of the instance.
                    error.location = argument.map_or(error.location, |(_, _, location)| *location);
                    inner.values.extend(given.map(|value| (parameter.name.clone(), value)));
                    self.errors.push(parameters::explain_order(declared, parameter, error));
                }
            }
        }
        inner
    }

    /// Inputs: declared ones first, then one for every degree of freedom with a flange.
    pub(super) fn declare_inputs(&mut self, declaration: &Declaration, items: &Items<'a>) {
        for input in &declaration.inputs {
            let limits = parameters::Limits { kind: input.kind, unit: &input.unit, min: input.min, max: input.max };
            if let Err(Wrong { key, what }) = limits.check(input.start) {
                let of = if key.is_some() { "input" } else { "the start value of input" };
                self.fail(input.location.of(key.unwrap_or("start")), format!("{of} `{}` {what}", input.name));
            }
            if let Some(nominal) = input.nominal.filter(|nominal| !(nominal.is_finite() && *nominal > 0.0)) {
                let message = format!(
                    "the nominal value of input `{}` is {}{}, but must be positive and finite",
                    input.name,
                    number_text(nominal),
                    limits.unit_text()
                );
                self.fail(input.location.of("nominal"), message);
            }
            self.add_input(InputVariable {
                name: input.name.clone(),
                description: input.description.clone(),
                unit: input.unit.clone(),
                kind: input.kind,
                start: input.start,
                min: input.min,
                max: input.max,
                nominal: input.nominal,
            });
        }
        for item in &items.joints {
            let path = join(&item.prefix, &item.member.name);
            for (dof, (position, velocity)) in item.member.dofs.iter().zip(item.member.kind.dof_names()) {
                if dof.flange && !self.is_referred(&path, (!position.is_empty()).then_some(*position)) {
                    let (name, unit) = flange(position, velocity);
                    self.add_input(InputVariable {
                        name: format!("{path}.{name}"),
                        description: format!(
                            "drive of {path} acting on {}",
                            if position.is_empty() { velocity } else { position }
                        ),
                        unit: unit.to_owned(),
                        ..InputVariable::default()
                    });
                }
            }
        }
        self.declare_references(declaration, items);
        for item in items.actions.iter().filter(|item| item.member.trigger == Trigger::Input) {
            self.add_input(InputVariable {
                name: join(&item.prefix, &item.member.name),
                description: format!("starts the actions when it becomes true. {}", item.member.description),
                kind: ParameterKind::Boolean,
                ..InputVariable::default()
            });
        }
        let starts: Vec<f64> = self.scene.inputs.iter().map(|input| input.start).collect();
        self.scene.signals = Signals::new(&starts, self.table_list.clone());
        self.declare_paths(items);
    }

    pub(super) fn add_input(&mut self, input: InputVariable) {
        let index = self.scene.inputs.len();
        if self.input_names.insert(input.name.clone(), index).is_some() {
            self.fail(Default::default(), format!("there are two inputs called `{}`", input.name));
        }
        self.scene.inputs.push(input);
    }
}
