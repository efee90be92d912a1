//! The format as data: every table, its keys, their types, units, defaults and meanings.
//!
//! This is the only list of keys. The checker refuses what is not in it, the JSON schema and the reference part of
//! `docs/model-format.md` are generated from it, and tests prove that the reader reads every key of it.

pub(crate) mod action;
mod component;
mod element;
pub(crate) mod joint;
pub(crate) mod model;
pub(crate) mod object;
mod pose;
pub(crate) mod shape;
pub(crate) mod signal;

use std::fmt;

use mbs::component::default_of;

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
    /// What holds when the key is absent.
    pub default: DefaultValue,
    /// Meaning, one or two sentences.
    pub doc: &'static str,
}

/// What holds when a key is absent. The reader takes values from here, and the documentation shows them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DefaultValue {
    Nothing,
    Number(f64),
    Boolean(bool),
    /// A word or a name.
    Word(&'static str),
    Words(&'static [&'static str]),
    /// This number of zeros.
    Zeros(usize),
    /// What the library of components takes.
    Library,
    /// `1/n` of the quantity described.
    FractionOf(f64, &'static str),
    /// Description of what the value follows from.
    Described(&'static str),
}

impl DefaultValue {
    pub fn number(self) -> f64 {
        if let Self::Number(number) = self { number } else { 0.0 }
    }

    pub fn word(self) -> &'static str {
        if let Self::Word(word) = self { word } else { "" }
    }

    pub fn is_true(self) -> bool {
        matches!(self, Self::Boolean(true))
    }
}

impl fmt::Display for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nothing | Self::Library => Ok(()),
            Self::Number(number) => f.write_str(&short_number(number)),
            Self::Boolean(truth) => truth.fmt(f),
            Self::Word(words) | Self::Described(words) => f.write_str(words),
            Self::Words(words) => write!(f, "{words:?}"),
            Self::Zeros(count) => write!(f, "{:?}", vec![0; count]),
            Self::FractionOf(count, words) => write!(f, "1/{count} {words}"),
        }
    }
}

/// A number as people write it: `0.001`, `1e-6`.
fn short_number(number: f64) -> String {
    let (plain, exponent) = (format!("{number}"), format!("{number:e}"));
    if exponent.len() < plain.len().saturating_sub(1) { exponent } else { plain }
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
    /// Path of a variable or a group of them, or a pattern with `*` and `?`.
    Variables,
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
        Self { name, kind, required: false, unit: "", default: DefaultValue::Nothing, doc }
    }

    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    pub const fn or(mut self, default: DefaultValue) -> Self {
        self.default = default;
        self
    }

    pub const fn or_number(self, number: f64) -> Self {
        self.or(DefaultValue::Number(number))
    }

    pub const fn or_bool(self, truth: bool) -> Self {
        self.or(DefaultValue::Boolean(truth))
    }

    pub const fn or_word(self, word: &'static str) -> Self {
        self.or(DefaultValue::Word(word))
    }

    pub const fn or_zeros(self, count: usize) -> Self {
        self.or(DefaultValue::Zeros(count))
    }

    /// What the library of components takes.
    pub const fn or_library(self) -> Self {
        self.or(DefaultValue::Library)
    }

    /// What holds when the key is absent in a table whose tag is `variant`, as it is shown; empty when that is nothing.
    pub fn default_text(&self, variant: &str) -> String {
        let default = match self.default {
            DefaultValue::Library => default_of(variant, self.name).map_or(self.default, DefaultValue::Number),
            default => default,
        };
        default.to_string()
    }

    /// Description of what the value follows from.
    pub const fn or_described(self, words: &'static str) -> Self {
        self.or(DefaultValue::Described(words))
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
