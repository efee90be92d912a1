//! Writes the `ModelVariables` element.

use std::io;

use super::xml_element::{Element, Xml};
use super::{IntegerType, ModelDescription, RealType, ScalarVariable, VariableType};

/// Writes all variables in order, with their value references.
pub(super) fn write_variables(xml: &mut Xml, model: &ModelDescription) -> io::Result<()> {
    let references = model.value_references();
    Element::new("ModelVariables").with(xml, |xml| {
        let mut numbered = model.variables.iter().zip(references);
        numbered.try_for_each(|(variable, reference)| write_variable(xml, variable, reference))
    })
}

fn write_variable(xml: &mut Xml, variable: &ScalarVariable, reference: u32) -> io::Result<()> {
    Element::new("ScalarVariable")
        .text("name", &variable.name)
        .text("valueReference", &reference.to_string())
        .optional("description", variable.description.as_deref())
        .text("causality", variable.causality.name())
        .text("variability", variable.variability.name())
        .optional("initial", variable.effective_initial().map(|initial| initial.name()))
        .with(xml, |xml| type_element(&variable.kind).empty(xml))
}

fn type_element(kind: &VariableType) -> Element {
    match kind {
        VariableType::Real(real) => real_element(real),
        VariableType::Integer(integer) => integer_element("Integer", integer),
        VariableType::Enumeration(integer) => integer_element("Enumeration", integer),
        VariableType::Boolean(start) => {
            let start = start.map(|start| if start { "true" } else { "false" });
            Element::new("Boolean").optional("start", start)
        }
        VariableType::String(start) => Element::new("String").optional("start", start.as_deref()),
    }
}

fn real_element(real: &RealType) -> Element {
    let derivative = real.derivative.map(|state| (state.0 + 1).to_string());
    Element::new("Real")
        .optional("declaredType", real.declared_type.as_deref())
        .optional("quantity", real.quantity.as_deref())
        .optional("unit", real.unit.as_deref())
        .optional("displayUnit", real.display_unit.as_deref())
        .number("min", real.min)
        .number("max", real.max)
        .number("nominal", real.nominal)
        .number("start", real.start)
        .optional("derivative", derivative.as_deref())
}

fn integer_element(name: &str, integer: &IntegerType) -> Element {
    Element::new(name)
        .optional("declaredType", integer.declared_type.as_deref())
        .optional("quantity", integer.quantity.as_deref())
        .integer("min", integer.min)
        .integer("max", integer.max)
        .integer("start", integer.start)
}
