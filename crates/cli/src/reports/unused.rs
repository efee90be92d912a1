//! Inputs and parameters that nothing in a model depends on.

use std::collections::BTreeSet;

use mbs::declaration::Declaration;
use serde_json::Value;

/// Remarks on inputs and parameters whose names stand nowhere else in the model.
pub fn unused(declaration: &Declaration) -> Vec<String> {
    let names = || {
        let parameters = declaration.parameters.iter().map(|parameter| ("parameter", &parameter.name));
        declaration.inputs.iter().map(|input| ("input", &input.name)).chain(parameters)
    };
    if names().next().is_none() {
        return Vec::new();
    }
    let Ok(mut all) = serde_json::to_value(declaration) else { return Vec::new() };
    let mut words = BTreeSet::new();
    // What parameters are called does not count, what they follow from does.
    for list in ["parameters", "inputs"] {
        for entry in all.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            entry.as_object_mut().and_then(|entry| entry.remove("name"));
        }
    }
    collect(&all, &mut words);
    let is_unused = |(_, name): &(&str, &String)| !words.contains(name.as_str());
    names()
        .filter(is_unused)
        .map(|(what, name)| format!("nothing in the model depends on the {what} `{name}`"))
        .collect()
}

/// Collects the words of all texts but descriptions.
fn collect(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.extend(parts.filter(|word| !word.is_empty()).map(str::to_owned));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, words)),
        Value::Object(entries) => {
            entries.iter().filter(|(key, _)| *key != "description").for_each(|(_, value)| collect(value, words));
        }
        _ => {}
    }
}
