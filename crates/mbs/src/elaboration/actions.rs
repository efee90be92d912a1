//! Action programs with their names resolved and their numbers evaluated.

use std::collections::BTreeMap;

use super::Elaboration;
use super::flatten::{Item, Items};
use super::names::{evaluate_indices, join, look_up};
use crate::actions::{Declared, Pending, StringSource, Surroundings, Tables, compile_actions};
use crate::declaration::{ActionProgram, InsertStep, Location, ParameterKind, ReferencePath};
use crate::expr::{Expr, number_text};
use crate::math::{Pose, Vec3};
use crate::reference_path::PathAxes;
use crate::scene::{ObjectId, Quantity, SceneError};
use crate::topology::{Topology, TopologyCompiler};
use crate::variables::{Entry, each_variable, explain_contact_name};

impl<'a> Elaboration<'a> {
    /// Compiles all action programs; everything else of the scene must be complete.
    pub(super) fn add_actions(&mut self, items: &Items<'a>) {
        self.add_tools(items);
        if items.actions.is_empty() || !self.errors.is_empty() {
            return;
        }
        // A structure that cannot be simulated is reported by the later compilation of the scene.
        let mut compiler = TopologyCompiler::new(&self.scene);
        let Ok(topology) = compiler.compile(&self.scene) else { return };
        let mut quantities: BTreeMap<String, Quantity> = BTreeMap::new();
        let add = |variable: Entry<'_>| {
            quantities.insert(variable.name.to_string(), variable.quantity);
        };
        each_variable(&self.scene, &topology, |_| true, add);
        quantities.extend(self.contacts_the_other_way_round(&quantities));
        quantities.extend(self.input_names.iter().map(|(name, k)| (name.clone(), Quantity::Input(*k))));
        let (tables, index) = (self.table_list.clone(), self.table_index.clone());
        let mut pending = Pending::default();
        for item in &items.actions {
            let declared = Declared { path: join(&item.prefix, &item.member.name), program: item.member };
            let mut place = ProgramSite {
                elaboration: self,
                item,
                names: &quantities,
                compiler: &compiler,
                topology: &topology,
                empty: &items.empty_arrays,
            };
            let tables = Tables { list: &tables, index: &index };
            compile_actions(&declared, &quantities, tables, &mut place, &mut pending);
        }
        let paths = std::mem::take(&mut self.scene.actions.paths);
        self.scene.actions = pending.finish(tables);
        self.scene.actions.paths = paths;
    }
}

impl<'a> Elaboration<'a> {
    /// Contact results of `B_A` for those of `A_B`: conditions may name the objects in either order.
    fn contacts_the_other_way_round(&self, quantities: &BTreeMap<String, Quantity>) -> BTreeMap<String, Quantity> {
        let turned = |(name, quantity): (&String, &Quantity)| {
            let Quantity::Contact { objects: [a, b], part, component } = *quantity else { return None };
            let [path_a, path_b] = [a, b].map(|object| &self.scene.objects[object].path);
            let rest = name.strip_prefix(&format!("contact.{path_a}_{path_b}."))?;
            Some((format!("contact.{path_b}_{path_a}.{rest}"), Quantity::Contact { objects: [b, a], part, component }))
        };
        quantities.iter().filter_map(turned).collect()
    }

    /// Reads all reference paths; their positions and rates are slots behind those of the inputs.
    pub(super) fn declare_paths(&mut self, items: &Items<'a>) {
        for item in &items.paths {
            let name = join(&item.prefix, &item.member.name);
            let axes = self.path_of(item, &name);
            let mut slot = self.scene.signals.add_path(&axes);
            for axis in 0..axes.start.len() {
                for part in ["position", "velocity", "acceleration"] {
                    self.path_slots.insert(format!("{name}.{part}[{}]", axis + 1), slot);
                    slot += 1;
                }
            }
            self.path_names.insert(name, self.scene.actions.paths.len());
            self.scene.actions.paths.push(axes);
        }
    }

    fn path_of(&mut self, item: &Item<'a, ReferencePath>, name: &str) -> PathAxes {
        let path = item.member;
        let what = format_args!("path `{name}`");
        let mut numbers = |list: &[Expr], label: &str| -> Vec<f64> {
            let label = format_args!("{what}: {label}");
            list.iter().map(|expr| self.number(expr, &item.scope, path.location, label)).collect()
        };
        let (start, v_max, a_max) =
            (numbers(&path.start, "start"), numbers(&path.v_max, "v_max"), numbers(&path.a_max, "a_max"));
        if start.len() != v_max.len() || start.len() != a_max.len() || start.is_empty() {
            let counts = format!("{}, {} and {}", start.len(), v_max.len(), a_max.len());
            self.fail(
                path.location,
                format!("{what}: start, v_max and a_max have {counts} numbers, but need one per axis"),
            );
        }
        if let Some(limit) = v_max.iter().chain(&a_max).find(|limit| **limit <= 0.0) {
            self.fail(path.location, format!("{what}: a limit is {}, but must be positive", number_text(*limit)));
        }
        PathAxes { path: name.to_owned(), start, v_max, a_max, tool: None }
    }
}

/// The surroundings of one program.
struct ProgramSite<'e, 'a> {
    elaboration: &'e mut Elaboration<'a>,
    item: &'e Item<'a, ActionProgram>,
    names: &'e BTreeMap<String, Quantity>,
    compiler: &'e TopologyCompiler,
    topology: &'e Topology,
    /// Paths of arrays without copies.
    empty: &'e [String],
}

impl ProgramSite<'_, '_> {
    /// Objects whose path fits a pattern such as `part[*].grip`, in the order of declaration.
    fn matching(&mut self, pattern: &str, location: Location) -> Vec<ObjectId> {
        let pattern = evaluate_indices(&pattern.replace("[*]", "[0]"), &self.item.scope);
        let Ok(pattern) = pattern else { return Vec::new() };
        let full = join(&self.item.prefix, &pattern);
        let scene = &self.elaboration.scene;
        let all = |wanted: &str| -> Vec<ObjectId> {
            scene.objects.iter().filter(|(_, object)| fits(wanted, &object.path)).map(|(id, _)| id).collect()
        };
        let found = all(&full);
        let found = if found.is_empty() { all(&pattern) } else { found };
        if found.is_empty() && ![&full, &pattern].iter().any(|pattern| self.has_no_copies(pattern)) {
            let message = format!("there is no object that `{}` stands for", pattern.replace("[0]", "[*]"));
            self.elaboration.fail(location, message);
        }
        found
    }

    /// Whether a pattern stands for copies of an array that has none.
    fn has_no_copies(&self, pattern: &str) -> bool {
        pattern.match_indices("[0]").any(|(at, _)| self.empty.iter().any(|array| fits(&pattern[..at], array)))
    }
}

/// Whether a path equals a pattern in which `[0]` stands for any index.
fn fits(pattern: &str, path: &str) -> bool {
    let Some((head, tail)) = pattern.split_once("[0]") else { return pattern == path };
    let Some(rest) = path.strip_prefix(head).and_then(|rest| rest.strip_prefix('[')) else { return false };
    rest.split_once(']').is_some_and(|(_, rest)| fits(tail, rest))
}

impl Surroundings for ProgramSite<'_, '_> {
    fn objects(&mut self, reference: &str, location: Location) -> Vec<ObjectId> {
        if reference.contains("[*]") {
            return self.matching(reference, location);
        }
        let (prefix, scope) = (self.item.prefix.clone(), self.item.scope.clone());
        self.elaboration.find_object(reference, &prefix, &scope, location).into_iter().collect()
    }

    fn number(&mut self, expr: &Expr, location: Location, what: &str) -> f64 {
        let scope = self.item.scope.clone();
        self.elaboration.number(expr, &scope, location, format_args!("{what}"))
    }

    fn path_axes(&mut self, reference: &str, location: Location) -> Option<(usize, usize)> {
        let found = look_up(&self.elaboration.path_names, &self.item.prefix, reference);
        if found.is_none() {
            self.elaboration.fail(location, format!("there is no path `{reference}`"));
        }
        found.map(|path| (path, self.elaboration.scene.actions.paths[path].start.len()))
    }

    fn has_tool(&mut self, path: usize) -> bool {
        self.elaboration.scene.actions.paths[path].tool.is_some()
    }

    fn pose(&mut self, insert: &InsertStep, location: Location) -> (Pose, Vec3, Vec3) {
        let (scope, what) = (self.item.scope.clone(), format_args!("insert `{}`", insert.root));
        let e = &mut self.elaboration;
        let pose = e.pose(&insert.pose, &scope, location, what);
        let v = e.vector(&insert.v, &scope, location, format_args!("{what}: v"));
        (pose, v, e.vector(&insert.w, &scope, location, format_args!("{what}: w")))
    }

    fn bound(&mut self, expr: &Expr) -> Expr {
        let values = &self.item.scope.values;
        expr.substitute(&|name| values.get(name).map(|&value| Expr::number(value))).unwrap_or_else(|_| expr.clone())
    }

    fn full_name(&self, name: &str) -> Option<String> {
        let prefix = &self.item.prefix;
        if let Some(own) = name.strip_prefix("origin.") {
            return Some(join(prefix, own));
        }
        let (name, derivative) = match name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
            Some(inner) => (inner, true),
            None => (name, false),
        };
        let mut prefix: &str = prefix;
        loop {
            let full = join(prefix, name);
            let full = if derivative { format!("der({full})") } else { full };
            if self.names.contains_key(&full) {
                return Some(full);
            }
            if prefix.is_empty() {
                return None;
            }
            prefix = prefix.rfind('.').map_or("", |dot| &prefix[..dot]);
        }
    }

    fn is_discrete_input(&self, input: usize) -> bool {
        self.elaboration.scene.inputs[input].kind != ParameterKind::Real
    }

    fn explain(&self, name: &str) -> Option<String> {
        explain_contact_name(&self.elaboration.scene, self.topology, name)
    }

    fn string(&self, name: &str) -> Option<StringSource> {
        if self.item.scope.values.contains_key(name) {
            return None;
        }
        let e = &self.elaboration;
        if let Some(input) = look_up(&e.input_names, &self.item.prefix, name) {
            return (e.scene.inputs[input].kind == ParameterKind::String).then_some(StringSource::Input(input));
        }
        let named = e.declaration.parameters.iter().position(|parameter| parameter.name == name)?;
        let is_string = e.declaration.parameters[named].kind == ParameterKind::String;
        is_string.then(|| StringSource::Parameter(e.scene.parameters[named].value as usize))
    }

    fn places_of_names(&mut self, list: &[ObjectId]) -> Vec<usize> {
        let scene = &self.elaboration.scene;
        let place = |name: ObjectId| {
            if let Some(itself) = list.iter().position(|id| *id == name) {
                return itself + 1;
            }
            if list.is_empty() || !scene.objects[name].structure.assembly_root {
                return 0;
            }
            let members = scene.assembly_members(name);
            let mut parts = list.iter().enumerate().filter(|(_, id)| members.contains(id));
            match (parts.next(), parts.next()) {
                (Some((place, _)), None) => place + 1,
                _ => 0,
            }
        };
        scene.nameable().map(place).collect()
    }

    fn is_held(&self, signal: usize) -> bool {
        self.elaboration.scene.components.iter().any(|component| component.holds(signal))
    }

    fn is_lockable(&mut self, id: ObjectId) -> bool {
        self.elaboration.scene.objects[id].structure.lockable
    }

    fn are_one_body(&mut self, a: ObjectId, b: ObjectId) -> bool {
        self.compiler.are_one_body(a, b)
    }

    fn is_root(&mut self, id: ObjectId) -> bool {
        self.elaboration.scene.objects[id].structure.assembly_root
    }

    fn path(&self, id: ObjectId) -> String {
        self.elaboration.scene.objects[id].path.clone()
    }

    fn fail(&mut self, error: SceneError) {
        self.elaboration.errors.push(error);
    }
}
