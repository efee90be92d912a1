//! The model itself and assemblies.

use mbs::declaration::{Analysis, Assembly, Content, Declaration, Experiment, Gravity, StartValue};
use mbs::expr::nearest;
use mbs::material::{ConstantsRule, ContactLaw, ImpactOrder, Resting};

use super::Reader;
use crate::format::model::{ANALYSIS, CONSTANTS, IMPACTS, K_RED, LAW, RESTING};
use crate::names;
use crate::node::{Entry, Node, Table, Value};
use crate::problem::did_you_mean;

/// Start of a run in the equilibrium near the start values.
const EQUILIBRIUM: &str = "equilibrium";

impl Reader<'_> {
    /// Settings of the main file only: name, description, gravity, experiment.
    pub fn heading(&mut self, document: &Table, default_name: &str, declaration: &mut Declaration) {
        declaration.name = self.model_name(document).unwrap_or_else(|| names::identifier(default_name));
        declaration.description = self.text(document, "description");
        declaration.version = self.text(document, "version");
        declaration.author = self.text(document, "author");
        self.about(document, declaration);
        declaration.gravity = self.gravity(document);
        declaration.experiment = self.experiment(document);
        if let Some(table) = document.node("contact").and_then(|node| node.table()) {
            declaration.contact.k_red = self.number(table, &K_RED);
            declaration.contact.constants = match self.word(table, &CONSTANTS) {
                "paper" => ConstantsRule::Paper,
                _ => ConstantsRule::Adaptive,
            };
            declaration.contact.law = match self.word(table, &LAW) {
                "rigid" => ContactLaw::Rigid,
                _ => ContactLaw::Elastic,
            };
            declaration.contact.impacts = match self.word(table, &IMPACTS) {
                "sequential" => ImpactOrder::Sequential,
                _ => ImpactOrder::Simultaneous,
            };
            declaration.contact.resting = match self.word(table, &RESTING) {
                "hinges" => Resting::Hinges,
                _ => Resting::Elastic,
            };
        }
    }

    /// Version, author, licence and copyright; the first two may also stand at the top of the file, but not in both
    /// places.
    fn about(&mut self, document: &Table, declaration: &mut Declaration) {
        let Some(table) = document.node("about").and_then(Node::table) else { return };
        for key in ["version", "author"] {
            if let (Some(entry), Some(_)) = (table.get(key), document.get(key)) {
                let message = format!("`{key}` is given twice: at the top of the file and in `[about]`");
                self.report(&entry.key_span, &message, Some("leave one of them out"));
            }
        }
        let either = |inner: String, outer: &str| if inner.is_empty() { outer.to_owned() } else { inner };
        declaration.version = either(self.text(table, "version"), &declaration.version);
        declaration.author = either(self.text(table, "author"), &declaration.author);
        declaration.license = self.text(table, "license");
        declaration.copyright = self.text(table, "copyright");
    }

    fn model_name(&mut self, document: &Table) -> Option<String> {
        let entry = document.get("name")?;
        let name = entry.node.text()?;
        if !names::is_identifier(name) {
            let hint = format!("letters, digits and `_` are allowed, e.g. `{}`", names::identifier(name));
            self.report(&entry.node.span, "the name of a model must be a C identifier", Some(&hint));
        }
        Some(name.to_owned())
    }

    fn gravity(&mut self, document: &Table) -> Gravity {
        match document.node("gravity").map(|node| &node.value) {
            Some(Value::Array(nodes)) => self.components(nodes).map_or(Gravity::None, Gravity::Uniform),
            Some(Value::Table(table)) => {
                Gravity::Point { mu: self.needed(table, "mu"), center: self.vector(table, "center") }
            }
            _ => Gravity::None,
        }
    }

    fn experiment(&mut self, document: &Table) -> Experiment {
        let standard = Experiment::default();
        let Some(entry) = document.get("experiment") else { return standard };
        let Some(table) = entry.node.table() else { return standard };
        let before = self.problems.len();
        let start = self.start_time(table);
        let stop = self.constant(table, "stop");
        let are_times = self.problems.len() == before;
        let experiment = Experiment {
            equilibrium: table.node("start").and_then(Node::text) == Some(EQUILIBRIUM),
            start: start.unwrap_or(standard.start),
            stop: stop.unwrap_or(standard.stop),
            step: self.constant(table, "step"),
            tolerance: self.constant(table, "tolerance").unwrap_or(standard.tolerance),
            max_step: self.constant(table, "max_step"),
            max_work: self.constant(table, "max_work"),
            threads: None,
            analysis: match self.word(table, &ANALYSIS) {
                "kinematic" => Analysis::Kinematic,
                _ => Analysis::Dynamic,
            },
        };
        if are_times {
            self.check_times(entry, table, &experiment);
        }
        self.check_experiment(table);
        experiment
    }

    /// The start time, if it is a number.
    fn start_time(&mut self, table: &Table) -> Option<f64> {
        let node = table.node("start")?;
        match node.text() {
            Some(EQUILIBRIUM) => None,
            Some(word) if nearest(word, [EQUILIBRIUM]).is_some() => {
                let message = format!("`experiment.start` cannot be \"{word}\"");
                self.report(&node.span, message, Some(&did_you_mean(EQUILIBRIUM)));
                None
            }
            _ => self.constant_node(node),
        }
    }

    fn check_times(&mut self, entry: &Entry, table: &Table, experiment: &Experiment) {
        let Experiment { start, stop, .. } = *experiment;
        if stop <= start {
            let span = table.get("stop").map_or(&entry.key_span, |stop| &stop.node.span);
            self.report(span, format!("the stop time {stop} s must be after the start time {start} s"), None);
        }
    }

    fn check_experiment(&mut self, table: &Table) {
        for key in ["step", "tolerance", "max_step", "max_work"] {
            let Some(node) = table.node(key) else { continue };
            let Some(value) = self.constant_node(node) else { continue };
            if value <= 0.0 {
                self.report(&node.span, format!("`{key}` must be positive"), None);
            } else if key == "tolerance" && value >= 1.0 {
                let message = format!("the relative tolerance is {value}, but must be below 1");
                let hint = format!("{:e} is usual", Experiment::STANDARD.tolerance);
                self.report(&node.span, message, Some(&hint));
            }
        }
    }

    /// What included files contribute as well.
    pub fn body(&mut self, document: &Table, declaration: &mut Declaration) {
        declaration.parameters.append(&mut self.parameters(document));
        declaration.inputs.append(&mut self.inputs(document));
        declaration.outputs.append(&mut self.outputs(document));
        declaration.tables.append(&mut self.tables(document));
        declaration.materials.append(&mut self.materials(document));
        declaration.material_pairs.append(&mut self.material_pairs(document));
        let start = self.start_values(document);
        declaration.set_start(start);
        let assemblies: Vec<Assembly> =
            self.named(document, "assemblies").iter().filter_map(|entry| self.assembly(entry)).collect();
        declaration.assemblies.extend(assemblies);
        self.content(document, &mut declaration.content);
    }

    fn start_values(&mut self, document: &Table) -> Vec<StartValue> {
        let Some(table) = document.node("start").and_then(Node::table) else { return Vec::new() };
        let mut values = Vec::new();
        for entry in &table.entries {
            let numbers: Option<Vec<f64>> = match entry.node.array() {
                Some(nodes) => nodes.iter().map(|node| self.constant_node(node)).collect(),
                None => self.constant_node(&entry.node).map(|value| vec![value]),
            };
            let location = self.location(&entry.key_span);
            values.extend(numbers.map(|values| StartValue { name: entry.key.clone(), values, location }));
        }
        values
    }

    fn assembly(&mut self, entry: &Entry) -> Option<Assembly> {
        let table = entry.node.table()?;
        let mut content = Content::default();
        let parameters = self.parameters(table);
        self.content(table, &mut content);
        Some(Assembly {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            parameters,
            content,
        })
    }

    fn content(&mut self, table: &Table, content: &mut Content) {
        content.objects.extend(self.all(table, "objects", Self::object));
        content.joints.extend(self.all(table, "joints", Self::joint));
        content.forces.extend(self.all(table, "forces", Self::force));
        content.sensors.extend(self.all(table, "sensors", Self::sensor));
        content.components.extend(self.all(table, "components", Self::component));
        content.instances.extend(self.all(table, "instances", Self::instance));
        content.paths.extend(self.all(table, "paths", Self::reference_path));
        content.actions.extend(self.all(table, "actions", Self::action_program));
    }

    fn all<T>(&mut self, table: &Table, key: &str, read: fn(&mut Self, &Entry) -> Option<T>) -> Vec<T> {
        self.named(table, key).iter().filter_map(|entry| read(self, entry)).collect()
    }
}
