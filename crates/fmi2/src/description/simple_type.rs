//! Type definitions.

/// A declared type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleType {
    /// Unique name, different from all variable names.
    pub name: String,
    /// One-sentence description.
    pub description: Option<String>,
    /// What it is.
    pub kind: SimpleTypeKind,
}

/// Kinds of declared types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SimpleTypeKind {
    /// A Real with the quantity and the unit shared by its variables.
    Real {
        /// Physical quantity.
        quantity: Option<String>,
        /// Unit name.
        unit: Option<String>,
    },
    /// An enumeration.
    Enumeration(Vec<EnumerationItem>),
}

/// One item of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumerationItem {
    /// Name, unique in the type.
    pub name: String,
    /// Value, unique in the type.
    pub value: i32,
    /// One-sentence description.
    pub description: Option<String>,
}
