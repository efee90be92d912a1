//! The format as data: every table, its keys, their types, units, defaults and meanings.
//!
//! This is the only list of keys. The checker refuses what is not in it, the JSON schema and the reference part of
//! `docs/model-format.md` are generated from it, and tests prove that the reader reads every key of it.

mod action;
mod component;
mod element;
mod joint;
mod model;
mod object;
mod pose;
mod shape;
mod signal;

pub(crate) use action::STEP;
pub(crate) use component::{COMPONENT, is_expression};
pub(crate) use element::{FORCE, SENSOR};
pub(crate) use joint::JOINT;
pub(crate) use model::MODEL;
pub(crate) use shape::SOLID;

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub name: &'static str,
    pub kind: &'static Kind,
    pub required: bool,
    /// Unit of a number; empty when it has none.
    pub unit: &'static str,
    /// What holds when the key is absent; empty when that is nothing.
    pub default: &'static str,
    /// Meaning, one or two sentences.
    pub doc: &'static str,
}

/// A table with fixed keys.
#[derive(Debug)]
pub(crate) struct TableFormat {
    /// Heading in the reference, e.g. `[objects.NAME]`.
    pub title: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Key],
    /// Keys that depend on the value of one key.
    pub variants: Option<&'static Variants>,
}

/// Keys that depend on the value of the key `tag`.
#[derive(Debug)]
pub(crate) struct Variants {
    pub tag: &'static str,
    pub doc: &'static str,
    pub list: &'static [Variant],
}

/// One value of the tag and the keys that come with it.
#[derive(Debug)]
pub(crate) struct Variant {
    pub name: &'static str,
    pub doc: &'static str,
    /// Its keys, in groups that variants may share.
    pub groups: &'static [&'static [Key]],
}

/// Type of a value.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Number or expression.
    Expr,
    /// Number or expression without names: known when the file is read.
    Constant,
    /// Any string.
    Text,
    /// Path of an object, joint or variable.
    Reference,
    /// Path of an object or instance; at its end may be `[*]` for all copies.
    Copies,
    /// True or false.
    Bool,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Values of one kind, with smallest and largest number of them.
    List(&'static Kind, usize, usize),
    /// Fixed keys.
    Table(&'static TableFormat),
    /// Names chosen by the modeller, all with values of one kind.
    Map(&'static Kind),
    /// One of several kinds that differ in their TOML type.
    Any(&'static [&'static Kind]),
}

/// Name of a key that stands for `u1`, `u2`, `u3`, … in any number.
pub(crate) const NUMBERED: &str = "uN";

/// What [`NUMBERED`] stands for, as a regular expression.
pub(crate) const NUMBERED_PATTERN: &str = "^u[1-9][0-9]*$";

impl Key {
    /// Whether it is the key of that name.
    pub fn is(&self, name: &str) -> bool {
        if self.name != NUMBERED {
            return self.name == name;
        }
        let number = name.strip_prefix('u').unwrap_or("");
        !number.is_empty() && !number.starts_with('0') && number.bytes().all(|digit| digit.is_ascii_digit())
    }

    pub const fn new(name: &'static str, kind: &'static Kind, doc: &'static str) -> Self {
        Self { name, kind, required: false, unit: "", default: "", doc }
    }

    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    pub const fn default(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }
}

impl TableFormat {
    pub const fn new(title: &'static str, doc: &'static str, keys: &'static [Key]) -> Self {
        Self { title, doc, keys, variants: None }
    }

    pub const fn with(mut self, variants: &'static Variants) -> Self {
        self.variants = Some(variants);
        self
    }
}

impl Variant {
    /// Its keys.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.groups.iter().flat_map(|group| group.iter())
    }
}

impl Variants {
    /// Values of the tag.
    pub fn names(&self) -> Vec<&'static str> {
        self.list.iter().map(|variant| variant.name).collect()
    }

    /// The variant of a value of the tag.
    pub fn find(&self, name: &str) -> Option<&'static Variant> {
        self.list.iter().find(|variant| variant.name == name)
    }
}

/// All tables of the format, each once, the model itself first.
pub(crate) fn tables() -> Vec<&'static TableFormat> {
    let mut found = Vec::new();
    collect(&MODEL, &mut found);
    found
}

fn collect(format: &'static TableFormat, found: &mut Vec<&'static TableFormat>) {
    if found.iter().any(|known| std::ptr::eq(*known, format)) {
        return;
    }
    found.push(format);
    let variants = format.variants.iter().flat_map(|variants| variants.list).flat_map(|variant| variant.keys());
    for key in format.keys.iter().chain(variants) {
        collect_kind(key.kind, found);
    }
}

fn collect_kind(kind: &'static Kind, found: &mut Vec<&'static TableFormat>) {
    match kind {
        Kind::Table(format) => collect(format, found),
        Kind::List(kind, ..) | Kind::Map(kind) => collect_kind(kind, found),
        Kind::Any(kinds) => kinds.iter().for_each(|kind| collect_kind(kind, found)),
        _ => {}
    }
}

/// Unbounded length of a list.
pub(crate) const MANY: usize = usize::MAX;

pub(crate) static EXPR: Kind = Kind::Expr;
pub(crate) static CONSTANT: Kind = Kind::Constant;
pub(crate) static TEXT: Kind = Kind::Text;
pub(crate) static REFERENCE: Kind = Kind::Reference;
pub(crate) static BOOL: Kind = Kind::Bool;
pub(crate) static VECTOR: Kind = Kind::List(&EXPR, 3, 3);
