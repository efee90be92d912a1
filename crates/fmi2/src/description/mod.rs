//! The model description: typed, validated, written as `modelDescription.xml`.
//!
//! Fill a [`ModelDescription`], call [`define_units`](ModelDescription::define_units) and
//! [`complete_structure`](ModelDescription::complete_structure), then [`to_xml`](ModelDescription::to_xml).

mod attributes;
mod base_unit;
mod error;
mod model;
mod names;
mod rules;
mod simple_type;
mod structure;
mod unit;
mod unit_error;
mod unit_expression;
mod unit_symbols;
mod validate;
mod validate_structure;
mod validate_variable;
mod variable;
mod xml;
mod xml_element;
mod xml_variables;

pub use attributes::{Causality, Initial, Variability};
pub use base_unit::BaseUnit;
pub use error::DescriptionError;
pub use model::{
    AnnotationElement, CoSimulationElement, DefaultExperiment, LogCategory, ModelDescription, ToolAnnotation,
};
pub use rules::{InitialRule, default_initial, initial_rule};
pub use simple_type::{EnumerationItem, SimpleType, SimpleTypeKind};
pub use structure::{Dependency, DependencyKind, ModelStructure, Unknown};
pub use unit::{DisplayUnit, Unit};
pub use unit_error::UnitError;
pub use variable::{BaseType, IntegerType, RealType, ScalarVariable, VariableIndex, VariableType};
