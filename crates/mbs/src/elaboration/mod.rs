//! From a declaration and parameter values to a scene.

mod actions;
mod collision;
mod components;
mod features;
mod flange_kinds;
mod flatten;
mod hints;
mod inverse;
mod links;
mod measures;
mod motions;
mod names;
mod parameters;
mod scope;
mod start_values;
mod strings;
mod tool;

use std::collections::BTreeMap;
use std::fmt::Arguments;
use std::sync::Arc;

use self::collision::{CollisionGroups, give_tips};
use self::names::{evaluate_indices, join, look_up};
use self::scope::ParameterScope;
use crate::component::Registry;
use crate::declaration::Pose as PoseDeclaration;
use crate::declaration::{
    Declaration, Gravity as GravityDeclaration, Location, OutputValue, ParameterKind, Rotation, Vector,
};
use crate::expr::{Binder, Binding, Expr, Program, Table, is_pattern, nearest, number_text, selects};
use crate::force::{Gravity, Signal, Signals};
use crate::material::{ConstantsRule, ContactLaw, ImpactOrder, MaterialTable, Resting};
use crate::math::{Mat3, Pose, Quaternion, Scales, Vec3, rotation_about};
use crate::scene::{Arena, Attachment, JointId, Object3D, ObjectId, OutputVariable, Scene, SceneError, Structure};
use crate::solid::MassProperties;

pub use inverse::reference_name;
pub use parameters::evaluate_parameters;

/// Elaborates a declaration; `overrides` replace defaults of parameters by name.
///
/// # Errors
/// Everything that is wrong, each with its place in the model file.
pub fn elaborate(declaration: &Declaration, overrides: &[(String, f64)]) -> Result<Scene, Vec<SceneError>> {
    elaborate_with(declaration, overrides, &Registry::builtin())
}

/// As [`elaborate`], with the types of components that the model may use.
///
/// # Errors
/// As [`elaborate`].
pub fn elaborate_with(
    declaration: &Declaration,
    overrides: &[(String, f64)],
    registry: &Registry,
) -> Result<Scene, Vec<SceneError>> {
    let tables = parameters::tables(declaration, overrides)?;
    let parameters = evaluate_parameters(declaration, overrides)?;
    let root = ParameterScope { values: parameters::numbers(declaration, &parameters), tables: &tables };
    let mut elaboration = Elaboration::new(declaration, &tables);
    let items = elaboration.flatten(declaration, &root);
    elaboration.declare_inputs(declaration, &items);
    elaboration.name_coordinates(&items);
    elaboration.name_sensors(&items);
    elaboration.declare_components(&items, registry);
    elaboration.place_objects(&items);
    elaboration.drive_free_objects();
    elaboration.find_object_pairs(&items);
    elaboration.find_closed_contacts();
    elaboration.connect(&items);
    elaboration.connect_components(&items);
    elaboration.set_start_values(&declaration.start);
    let gravity = elaboration.gravity(&declaration.gravity, &root);
    let k_red =
        elaboration.number(&declaration.contact.k_red, &root, Location::default(), format_args!("contact: k_red"));
    if k_red <= 0.0 {
        elaboration.fail(
            Location::default(),
            format!(
                "contact: k_red is {}, but must be positive (1 is the material's own stiffness)",
                number_text(k_red)
            ),
        );
    }
    let outputs = declaration.outputs.iter().map(output_variable).collect();
    if !elaboration.errors.is_empty() {
        return Err(elaboration.errors);
    }
    let materials = std::mem::replace(&mut elaboration.materials, MaterialTable::empty());
    let scene = &mut elaboration.scene;
    scene.materials = materials;
    scene.k_red = k_red;
    scene.contact_constants = declaration.contact.constants;
    scene.contact_law = declaration.contact.law;
    scene.impact_order = declaration.contact.impacts;
    scene.resting = declaration.contact.resting;
    let remarks = remarks_on_hinges(scene);
    scene.remarks.extend(remarks);
    scene.lists_contacts = lists_contacts(declaration);
    scene.gravity = gravity;
    scene.scales = scene.find_scales(declaration.experiment.stop - declaration.experiment.start);
    scene.outputs = outputs;
    give_tips(scene);
    expose_for_outputs(scene);
    scene.parameters = parameters;
    scene.max_step = declaration.experiment.max_step;
    scene.structure = Arc::new(Structure::declared(scene)?);
    elaboration.resolve_strings(declaration);
    elaboration.add_actions(&items);
    if !elaboration.errors.is_empty() {
        return Err(elaboration.errors);
    }
    let mut scene = elaboration.scene;
    scene.signals.set_scales(scene.scales);
    scene.actions.conditions.set_scales(scene.scales);
    Ok(scene)
}

/// What is declared for contact hinges and has no effect.
fn remarks_on_hinges(scene: &Scene) -> Vec<String> {
    if scene.resting != Resting::Hinges {
        return Vec::new();
    }
    if !scene.has_rigid_contacts() {
        let remark =
            "`resting = \"hinges\"` in `contact` has no effect: no contact is rigid; add `law = \"rigid\"` there";
        return vec![remark.to_owned()];
    }
    let remark = |[a, b]: [&str; 2]| {
        format!("`mu_s` of `{a}` and `{b}` has no effect where contact hinges hold: friction holds up to `mu_k`")
    };
    scene.materials.pairs_with_mu_s().map(remark).collect()
}

/// Colliding objects of a model whose contact results are all variables.
const FEW_COLLIDING: usize = 5;

/// Whether a model declares so few colliding objects that it lists the results of all their contacts.
fn lists_contacts(declaration: &Declaration) -> bool {
    let collides = |object: &&crate::declaration::Object| object.solid.as_ref().is_some_and(|s| s.collision.is_some());
    let in_assemblies = declaration.assemblies.iter().flat_map(|assembly| &assembly.content.objects);
    declaration.content.objects.iter().filter(collides).count() <= FEW_COLLIDING
        && !in_assemblies.into_iter().any(|object| collides(&object))
}

/// Objects that an output refers to show their pose, unless the model hides them.
fn expose_for_outputs(scene: &mut Scene) {
    let named = scene.names_in_outputs();
    let objects: Vec<(ObjectId, String)> =
        scene.objects.iter().map(|(id, object)| (id, format!("{}.", object.path))).collect();
    let parts = ["r_abs", "quaternion", "v_abs", "w_abs"];
    // A pattern exposes objects only if it names the part.
    let of_pattern = |pattern: &'_ str| {
        let last = pattern.rsplit('.').next().unwrap_or_default().to_owned();
        parts.into_iter().find(|part| last.starts_with(part))
    };
    let patterns = named.iter().filter(|name| is_pattern(name));
    let of_patterns: Vec<(&str, &str)> =
        patterns.filter_map(|pattern| Some((pattern.as_str(), of_pattern(pattern)?))).collect();
    for (id, prefix) in objects {
        let is_named = |name: &String| {
            name.strip_prefix(&prefix).is_some_and(|rest| parts.iter().any(|part| rest.starts_with(part)))
        };
        let has_part =
            |(pattern, part): &(&str, &str)| (1..=4).any(|k| selects(pattern, &format!("{prefix}{part}[{k}]")));
        let mut named = named.range(prefix.clone()..).take_while(|name| name.starts_with(&prefix));
        if (named.any(is_named) || of_patterns.iter().any(has_part))
            && let Some(object) = scene.objects.get_mut(id)
        {
            object.expose.get_or_insert(true);
        }
    }
}

fn output_variable(output: &crate::declaration::Output) -> OutputVariable {
    OutputVariable {
        name: output.name.clone(),
        description: output.description.clone(),
        unit: output.unit.clone(),
        location: output.location,
        expression: match &output.value {
            OutputValue::Variable => None,
            OutputValue::Expression(expr) => Some(expr.clone()),
        },
    }
}

/// Work in progress.
struct Elaboration<'a> {
    declaration: &'a Declaration,
    table_list: Vec<Table>,
    table_index: BTreeMap<&'a str, usize>,
    materials: MaterialTable,
    scene: Scene,
    object_names: BTreeMap<String, ObjectId>,
    joint_names: BTreeMap<String, JointId>,
    input_names: BTreeMap<String, usize>,
    /// Slots of the derivatives of inputs that prescribe motions.
    input_rate_names: BTreeMap<String, usize>,
    path_names: BTreeMap<String, usize>,
    /// Slots of positions, velocities and accelerations of paths.
    path_slots: BTreeMap<String, usize>,
    groups: CollisionGroups<'a>,
    component_names: BTreeMap<String, usize>,
    /// Components that could not be made: what refers to them is not to blame.
    failed_components: BTreeMap<String, ()>,
    /// Item of every component that was made.
    made: Vec<usize>,
    /// Slots of values that components and joints offer to expressions.
    external_names: BTreeMap<String, usize>,
    coordinate_names: BTreeMap<String, components::CoordinateName>,
    coordinates_read: Vec<(usize, components::CoordinateName)>,
    motions_read: Vec<(usize, motions::MotionName)>,
    /// Sensors of motions.
    sensor_names: BTreeMap<String, ()>,
    consumer: components::Consumer,
    /// Whether only poses are needed; unknown values are NaN.
    measuring: bool,
    errors: Vec<SceneError>,
}

impl<'a> Elaboration<'a> {
    fn new(declaration: &'a Declaration, tables: &'a BTreeMap<String, Table>) -> Self {
        let mut errors = Vec::new();
        let materials = features::materials(declaration, &mut errors);
        let mut objects = Arena::default();
        let world = objects.insert(world_object());
        let scene = Scene {
            name: declaration.name.clone(),
            objects,
            joints: Arena::default(),
            forces: Arena::default(),
            sensors: Vec::new(),
            gravity: Gravity::None,
            parameters: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            signals: Signals::default(),
            components: Vec::new(),
            externals: Vec::new(),
            scales: Scales::SI,
            max_step: None,
            materials: MaterialTable::empty(),
            ignored_pairs: Vec::new(),
            pair_laws: BTreeMap::new(),
            k_red: 1.0,
            contact_constants: ConstantsRule::default(),
            contact_law: ContactLaw::default(),
            impact_order: ImpactOrder::default(),
            resting: Resting::default(),
            lists_contacts: false,
            remarks: Vec::new(),
            structure: Arc::default(),
            analysis: declaration.experiment.analysis,
            starts_at_equilibrium: declaration.experiment.equilibrium,
            follows_references: declaration.inverse.is_some(),
            closed: Vec::new(),
            actions: Default::default(),
            pull: None,
        };
        Self {
            declaration,
            table_list: tables.values().cloned().collect(),
            table_index: tables.keys().enumerate().map(|(index, name)| (name.as_str(), index)).collect(),
            materials,
            scene,
            object_names: BTreeMap::from([("world".to_owned(), world)]),
            joint_names: BTreeMap::new(),
            input_names: BTreeMap::new(),
            input_rate_names: BTreeMap::new(),
            path_names: BTreeMap::new(),
            path_slots: BTreeMap::new(),
            groups: CollisionGroups::of(declaration, &mut errors),
            component_names: BTreeMap::new(),
            failed_components: BTreeMap::new(),
            made: Vec::new(),
            external_names: BTreeMap::new(),
            coordinate_names: BTreeMap::new(),
            coordinates_read: Vec::new(),
            motions_read: Vec::new(),
            sensor_names: BTreeMap::new(),
            consumer: components::Consumer::Mechanics,
            measuring: false,
            errors,
        }
    }

    fn fail(&mut self, location: Location, message: impl Into<String>) {
        self.errors.push(SceneError::new(location, message));
    }

    /// Value of an expression in parameters; an error is noted and zero returned.
    fn number(&mut self, expr: &Expr, scope: &ParameterScope<'_>, location: Location, what: Arguments<'_>) -> f64 {
        reserve::check();
        match expr.evaluate(scope) {
            Ok(value) if value.is_finite() => value,
            _ if self.measuring => f64::NAN,
            Ok(value) => {
                self.fail(location, format!("{what} is {value}, but must be a finite number"));
                0.0
            }
            Err(error) => {
                let message = format!("{what} = `{}` has no value: {}", expr.text(), error.message);
                let is_string = |name: &&String| !scope.values.contains_key(*name) && self.is_string(name);
                let names = expr.variables();
                let string = names.iter().map(|variable| &variable.name).find(is_string);
                // The message quotes the expression, which is looked for by its text.
                let location = Location { key: None, ..location };
                let hint = string.map(|name| parameters::no_number(name)).or(error.hint);
                self.errors.push(SceneError::new(location, message).with_hint(hint));
                0.0
            }
        }
    }

    fn vector(&mut self, v: &Vector, scope: &ParameterScope<'_>, location: Location, what: Arguments<'_>) -> Vec3 {
        Vec3::from_fn(|k, _| self.number(&v[k], scope, location, format_args!("{what}[{}]", k + 1)))
    }

    /// Unit vector along a declared direction.
    fn direction(&mut self, v: &Vector, scope: &ParameterScope<'_>, location: Location, what: Arguments<'_>) -> Vec3 {
        let direction = self.vector(v, scope, location, what);
        let length = direction.norm();
        if length > 1e-10 || self.measuring {
            return direction / length;
        }
        self.fail(
            location,
            format!("{what} has length {}; a direction needs a length above 1e-10", number_text(length)),
        );
        Vec3::z()
    }

    fn pose(
        &mut self,
        pose: &PoseDeclaration,
        scope: &ParameterScope<'_>,
        location: Location,
        what: Arguments<'_>,
    ) -> Pose {
        let translation = self.vector(&pose.r, scope, location, format_args!("{what}: r"));
        let rotation = self.rotation(&pose.rotation, scope, location, what);
        Pose { rotation, translation }
    }

    fn rotation(
        &mut self,
        rotation: &Rotation,
        scope: &ParameterScope<'_>,
        location: Location,
        what: Arguments<'_>,
    ) -> Mat3 {
        match rotation {
            Rotation::Identity => Mat3::identity(),
            Rotation::Cardan(angles) => {
                let a = self.vector(angles, scope, location, format_args!("{what}: rotation"));
                rotation_about(&Vec3::x(), a.x) * rotation_about(&Vec3::y(), a.y) * rotation_about(&Vec3::z(), a.z)
            }
            Rotation::AxisAngle { axis, angle } => {
                let axis = self.direction(axis, scope, location, format_args!("{what}: rotation axis"));
                rotation_about(&axis, self.number(angle, scope, location, format_args!("{what}: rotation angle")))
            }
            Rotation::Quaternion(q) => {
                let q: [f64; 4] = std::array::from_fn(|k| {
                    self.number(&q[k], scope, location, format_args!("{what}: quaternion[{}]", k + 1))
                });
                let quaternion = Quaternion::from_array(q);
                if quaternion.norm_squared() > 1e-12 || self.measuring {
                    return quaternion.normalized().to_matrix();
                }
                self.fail(location, format!("{what}: the quaternion has length zero; it needs a direction"));
                Mat3::identity()
            }
        }
    }

    /// The object of a reference, resolved in the scope of `prefix`.
    fn find_object(
        &mut self,
        reference: &str,
        prefix: &str,
        scope: &ParameterScope<'_>,
        location: Location,
    ) -> Option<ObjectId> {
        if reference == "origin" {
            return Some(self.object_names.get(prefix).copied().unwrap_or_else(|| self.scene.world()));
        }
        let name = match evaluate_indices(reference, scope) {
            Ok(name) => name,
            Err(message) => {
                self.fail(location, message);
                return None;
            }
        };
        let found = look_up(&self.object_names, prefix, &name);
        if found.is_none() {
            let near = nearest(&name, self.object_names.keys().map(String::as_str)).map(str::to_owned);
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("there is no object `{name}`{}", inside(prefix));
            self.errors.push(SceneError::new(location, message).with_hint(hint));
        }
        found
    }

    /// Compiles an expression for run time.
    fn signal(&mut self, expr: &Expr, site: &Site<'_>) -> Signal {
        if let Some(value) = expr.as_constant() {
            return Signal::Constant(value);
        }
        self.remark_shared_names(expr, site);
        match self.compile_signal(expr, site) {
            Some(program) => self.scene.signals.add(program),
            None => Signal::Constant(0.0),
        }
    }

    /// The program of a run-time expression; none after an error.
    pub(super) fn compile_signal(&mut self, expr: &Expr, site: &Site<'_>) -> Option<Program> {
        let bound = expr.substitute(&|name| site.scope.values.get(name).map(|&value| Expr::number(value)));
        let is_of_motion = self.consumer == components::Consumer::PrescribedMotions;
        if let (Ok(bound), false) = (&bound, is_of_motion) {
            self.provide(bound, site.prefix);
        }
        let binder = SignalBinder { elaboration: self, site };
        let mut error = match bound.as_ref().map_err(Clone::clone).and_then(|bound| Program::compile(bound, &binder)) {
            Ok(program) => return Some(program),
            Err(error) => error,
        };
        if let Ok(bound) = &bound {
            let names = bound.variables();
            if names.iter().any(|variable| self.belongs_to_failed(&variable.name, site.prefix)) {
                return None;
            }
            let names = names.iter().map(|variable| variable.name.as_str());
            let unknown: Vec<&str> = names.filter(|name| binder.variable(name).is_none()).collect();
            if !is_of_motion {
                let explained = self.explain_names(unknown.iter().copied(), site.prefix);
                let own = || unknown.iter().find_map(|name| own_coordinates(name, site.locals));
                error.hint = explained.or(error.hint).or_else(own);
            } else if let Some(name) = unknown.iter().find(|name| self.is_of_run(name, site)) {
                error.message = format!("a prescribed motion cannot follow `{name}`, which the run determines");
                error.hint = Some(
                    "a motion may read `time`, inputs, parameters, tables and reference paths; let a force or torque follow the rest"
                        .to_owned(),
                );
            }
        }
        let message = format!("{} = `{}` cannot be used: {}", site.what, expr.text(), error.message);
        self.errors.push(SceneError::new(site.location, message).with_hint(error.hint));
        None
    }

    /// Whether a name belongs to a quantity that the run determines, such as a coordinate.
    fn is_of_run(&self, name: &str, site: &Site<'_>) -> bool {
        let prefix = site.prefix;
        site.locals.iter().any(|(local, _)| *local == name)
            || look_up(&self.external_names, prefix, name).is_some()
            || look_up(&self.coordinate_names, prefix, name).is_some()
            || self.names_of_motions().into_iter().any(|other| other == name || other == join(prefix, name))
    }

    /// Points out names in an expression that two things have: its own position or velocity, and an input or parameter.
    fn remark_shared_names(&mut self, expr: &Expr, site: &Site<'_>) {
        if self.consumer == components::Consumer::PrescribedMotions {
            return;
        }
        for variable in expr.variables() {
            let name = variable.name.as_str();
            if !site.locals.iter().any(|(local, _)| *local == name) {
                continue;
            }
            let (taken, other) = if site.scope.values.contains_key(name) {
                ("the parameter", "the coordinate of that name")
            } else if look_up(&self.input_names, site.prefix, name).is_some() {
                ("the coordinate", "the input of that name")
            } else {
                continue;
            };
            let kind = if taken == "the parameter" { "parameter" } else { "input" };
            self.scene.remarks.push(format!(
                "{} = `{}`: `{name}` is {taken}, not {other}; rename the {kind} to tell them apart",
                site.what,
                expr.text()
            ));
        }
    }

    fn gravity(&mut self, gravity: &GravityDeclaration, scope: &ParameterScope<'_>) -> Gravity {
        let location = Location::default();
        match gravity {
            GravityDeclaration::None => Gravity::None,
            GravityDeclaration::Uniform(g) => {
                Gravity::Uniform(self.vector(g, scope, location, format_args!("gravity")))
            }
            GravityDeclaration::Point { mu, center } => Gravity::Point {
                mu: self.number(mu, scope, location, format_args!("gravity: mu")),
                center: self.vector(center, scope, location, format_args!("gravity: center")),
            },
        }
    }
}

/// What the coordinates of a joint are called in its own laws, for a name that lacks an index or is unlike them.
fn own_coordinates(name: &str, locals: &[(&str, usize)]) -> Option<String> {
    if let Some((indexed, _)) =
        locals.iter().find(|(local, _)| local.split_once('[').is_some_and(|(base, _)| base == name))
    {
        return Some(format!("did you mean `{indexed}`?"));
    }
    let names: Vec<String> = locals.iter().map(|(local, _)| format!("`{local}`")).collect();
    (!names.is_empty() && !name.contains('.'))
        .then(|| format!("its own coordinates are called {} here", names.join(", ")))
}

fn inside(prefix: &str) -> String {
    if prefix.is_empty() { String::new() } else { format!(" (seen from `{prefix}`)") }
}

fn world_object() -> Object3D {
    Object3D {
        path: "world".to_owned(),
        description: "inertial frame".to_owned(),
        location: Location::default(),
        parent: None,
        x_pc: Pose::identity(),
        attachment: Attachment::Fixed,
        motion: None,
        mass: MassProperties::massless(),
        may_have_mass: false,
        shapes: Vec::new(),
        expose: Some(false),
        structure: Default::default(),
    }
}

/// Where an expression stands and which local names it may use.
struct Site<'s> {
    scope: &'s ParameterScope<'s>,
    prefix: &'s str,
    location: Location,
    /// What the expression is for, e.g. "joint `rev`: force".
    what: Arguments<'s>,
    /// Names of the local position and velocity.
    locals: &'s [(&'s str, usize)],
}

/// Resolves the names in a run-time expression.
struct SignalBinder<'b, 'a> {
    elaboration: &'b Elaboration<'a>,
    site: &'b Site<'b>,
}

impl Binder for SignalBinder<'_, '_> {
    fn variable(&self, name: &str) -> Option<Binding> {
        if name == "time" {
            return Some(Binding::Continuous(Signals::TIME));
        }
        let is_of_motion = self.elaboration.consumer == components::Consumer::PrescribedMotions;
        let own = self.site.locals.iter().find(|(local, _)| *local == name);
        if let Some((_, which)) = own.filter(|_| !is_of_motion) {
            return Some(Binding::Continuous(Signals::LOCAL[*which]));
        }
        if let Some(value) = self.site.scope.values.get(name) {
            return Some(Binding::Constant(*value));
        }
        if let Some(slot) = look_up(&self.elaboration.path_slots, self.site.prefix, name) {
            return Some(Binding::Continuous(slot));
        }
        if let Some(input) = look_up(&self.elaboration.input_names, self.site.prefix, name) {
            let binding = match self.elaboration.scene.inputs[input].kind {
                ParameterKind::Real => Binding::Continuous,
                ParameterKind::Integer | ParameterKind::Boolean => Binding::Discrete,
                ParameterKind::String => return None,
            };
            return Some(binding(Signals::input_slot(input)));
        }
        if is_of_motion {
            return look_up(&self.elaboration.input_rate_names, self.site.prefix, name).map(Binding::Continuous);
        }
        let slot = look_up(&self.elaboration.external_names, self.site.prefix, name)?;
        let is_held = self.elaboration.scene.components.iter().any(|component| component.holds(slot));
        Some(if is_held { Binding::Held(slot) } else { Binding::Continuous(slot) })
    }

    fn table(&self, name: &str) -> Option<(usize, &Table)> {
        let index = *self.elaboration.table_index.get(name)?;
        Some((index, &self.elaboration.table_list[index]))
    }

    fn names(&self) -> Vec<String> {
        let elaboration = self.elaboration;
        let inputs = elaboration.input_names.keys().cloned();
        let parameters = self.site.scope.values.keys().cloned();
        let anywhere = inputs.chain(parameters).chain(["time".to_owned()]);
        if elaboration.consumer == components::Consumer::PrescribedMotions {
            return anywhere.chain(elaboration.path_slots.keys().cloned()).collect();
        }
        let of_run = elaboration.external_names.keys().chain(elaboration.coordinate_names.keys()).cloned();
        let locals = self.site.locals.iter().map(|(name, _)| (*name).to_owned());
        locals.chain(anywhere).chain(of_run).chain(elaboration.names_of_motions()).collect()
    }
}
