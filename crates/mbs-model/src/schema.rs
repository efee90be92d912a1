//! The JSON schema of the format, generated from its tables.

use serde_json::{Map, Value, json};

use crate::format::{Key, Kind, MODEL, NUMBERED, NUMBERED_PATTERN, TableFormat, Variant, Variants, tables};

/// JSON schema (draft 7) of model files: editors with TOML support use it to complete keys and show their meaning.
#[must_use]
pub fn json_schema() -> String {
    let mut schema = table(&MODEL);
    let definitions: Map<String, Value> =
        tables().iter().skip(1).map(|format| (identifier(format), table(format))).collect();
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
        fields.insert("title".to_owned(), json!("Multibody model"));
        fields.insert("definitions".to_owned(), Value::Object(definitions));
    }
    format!("{schema:#}\n")
}

fn table(format: &'static TableFormat) -> Value {
    let mut schema = match format.variants {
        None => object("", format.keys.iter(), Map::new()),
        Some(variants) => {
            let each = variants.list.iter().map(|each| variant(format, variants, each));
            json!({ "type": "object", "oneOf": each.collect::<Vec<_>>() })
        }
    };
    if let Some(fields) = schema.as_object_mut().filter(|_| !format.doc.is_empty()) {
        fields.insert("description".to_owned(), json!(format.doc));
    }
    schema
}

fn variant(format: &'static TableFormat, variants: &Variants, variant: &'static Variant) -> Value {
    let tag = json!({ "const": variant.name, "description": format!("{} {}", variants.doc, variant.doc) });
    let mut schema = object(
        variant.name,
        format.keys.iter().chain(variant.keys()),
        Map::from_iter([(variants.tag.to_owned(), tag)]),
    );
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("title".to_owned(), json!(variant.name));
        fields.insert("description".to_owned(), json!(variant.doc));
    }
    schema
}

/// An object with fixed keys, of a table whose tag is `variant`; those given already, the tag, are required.
fn object(variant: &str, keys: impl Iterator<Item = &'static Key>, given: Map<String, Value>) -> Value {
    let mut required: Vec<String> = given.keys().cloned().collect();
    let mut properties = given;
    let mut patterns = Map::new();
    for key in keys {
        if key.name == NUMBERED {
            patterns.insert(NUMBERED_PATTERN.to_owned(), property(variant, key));
            continue;
        }
        if key.required {
            required.push(key.name.to_owned());
        }
        properties.insert(key.name.to_owned(), property(variant, key));
    }
    let mut schema =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    if let Some(fields) = schema.as_object_mut().filter(|_| !patterns.is_empty()) {
        fields.insert("patternProperties".to_owned(), Value::Object(patterns));
    }
    schema
}

fn property(variant: &str, key: &'static Key) -> Value {
    let mut description = key.doc.to_owned();
    if !key.unit.is_empty() {
        description += &format!(" Unit: {}.", key.unit);
    }
    let default = key.default_text(variant);
    if !default.is_empty() {
        description += &format!(" Default: {default}.");
    }
    // Next to `$ref`, draft 7 ignores other words; hence `allOf`.
    let mut schema = match kind(key.kind) {
        reference if reference.get("$ref").is_some() => json!({ "allOf": [reference] }),
        schema => schema,
    };
    if let Some(fields) = schema.as_object_mut() {
        fields.insert("description".to_owned(), json!(description));
    }
    schema
}

fn kind(of: &'static Kind) -> Value {
    match of {
        Kind::Expr | Kind::Constant => json!({ "type": ["number", "string"] }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Reference => json!({ "type": "string", "pattern": PATH }),
        Kind::Variables => json!({ "type": "string", "pattern": format!("{PATH}|{PATTERN}") }),
        Kind::Copies => json!({ "type": "string", "pattern": PATH.replace(r"\)?$", r"\)?(\[\*\])?$") }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::List(element, least, most) => {
            let mut schema = json!({ "type": "array", "items": kind(element), "minItems": least });
            if let Some(fields) = schema.as_object_mut().filter(|_| *most != crate::format::MANY) {
                fields.insert("maxItems".to_owned(), json!(most));
            }
            schema
        }
        Kind::Table(format) => json!({ "$ref": format!("#/definitions/{}", identifier(format)) }),
        Kind::Map(value) => json!({ "type": "object", "additionalProperties": kind(value) }),
        Kind::Any(kinds) => json!({ "anyOf": kinds.iter().map(|each| kind(each)).collect::<Vec<_>>() }),
    }
}

/// What [`crate::names::is_path`] accepts.
const PATTERN: &str = r"^[A-Za-z0-9_.()\[\]*?]*[*?][A-Za-z0-9_.()\[\]*?]*$";

const PATH: &str =
    r"^(der\()?[A-Za-z_][A-Za-z0-9_]*(\[[A-Za-z0-9_]+\])*(\.[A-Za-z_][A-Za-z0-9_]*(\[[A-Za-z0-9_]+\])*)*\)?$";

/// `objects_NAME` for `[objects.NAME]`.
fn identifier(format: &TableFormat) -> String {
    let words = format.title.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}
