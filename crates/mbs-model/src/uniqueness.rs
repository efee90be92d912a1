//! Names that are used twice, within a file or across included ones.

use std::collections::BTreeMap;

use mbs::declaration::{Content, Declaration, Location, OutputValue};

use crate::error::ModelError;
use crate::source::SourceText;

/// Something with a name: name, what it is, where it is.
type Named<'a> = (&'a str, &'static str, Location);

/// An error for every name that is used for a second time.
///
/// What becomes a variable or a group of variables of the FMU shares one list of names; tables, materials and
/// assemblies have lists of their own.
pub(crate) fn repeated_names(declaration: &Declaration, texts: &[SourceText]) -> Vec<ModelError> {
    let mut finder = Finder { files: &declaration.files, texts, errors: Vec::new() };
    let parameters = declaration.parameters.iter().map(|it| (it.name.as_str(), "parameter", it.location));
    let inputs = declaration.inputs.iter().map(|it| (it.name.as_str(), "input", it.location));
    let outputs = declaration.outputs.iter().filter(|it| matches!(it.value, OutputValue::Expression(_)));
    let outputs = outputs.map(|it| (it.name.as_str(), "output", it.location));
    finder.unique(parameters.chain(inputs).chain(outputs).chain(members(&declaration.content)));
    finder.unique(declaration.tables.iter().map(|it| (it.name.as_str(), "table", it.location)));
    finder.unique(declaration.assemblies.iter().map(|it| (it.name.as_str(), "assembly", it.location)));
    for assembly in &declaration.assemblies {
        let parameters = assembly.parameters.iter().map(|it| (it.name.as_str(), "parameter", it.location));
        finder.unique(parameters.chain(members(&assembly.content)));
    }
    finder.errors
}

fn members(content: &Content) -> impl Iterator<Item = Named<'_>> {
    let objects = content.objects.iter().map(|it| (it.name.as_str(), "object", it.location));
    let joints = content.joints.iter().map(|it| (it.name.as_str(), "joint", it.location));
    let forces = content.forces.iter().map(|it| (it.name.as_str(), "force", it.location));
    let sensors = content.sensors.iter().map(|it| (it.name.as_str(), "sensor", it.location));
    let instances = content.instances.iter().map(|it| (it.name.as_str(), "instance", it.location));
    let components = content.components.iter().map(|it| (it.name.as_str(), "component", it.location));
    let paths = content.paths.iter().map(|it| (it.name.as_str(), "path", it.location));
    let actions = content.actions.iter().map(|it| (it.name.as_str(), "action program", it.location));
    let rest = components.chain(instances).chain(actions).chain(paths);
    objects.chain(joints).chain(forces).chain(sensors).chain(rest)
}

struct Finder<'a> {
    files: &'a [String],
    texts: &'a [SourceText],
    errors: Vec<ModelError>,
}

impl Finder<'_> {
    fn unique<'n>(&mut self, all: impl Iterator<Item = Named<'n>>) {
        let mut known: BTreeMap<&str, (&str, Location)> = BTreeMap::new();
        for (name, what, location) in all {
            let Some((other, first)) = known.get(name) else {
                known.insert(name, (what, location));
                continue;
            };
            let file = self.files.get(first.file as usize).map_or("", String::as_str);
            let message =
                format!("the name `{name}` of this {what} is already used for the {other} at {file}:{}", first.line);
            let error = ModelError::from_location(location, message, None, self.files, self.texts);
            self.errors.push(error);
        }
    }
}
