//! Writes `modelDescription.xml`: header, units, types, categories, experiment, annotations, structure.
//! Variables are in `xml_variables`. The same description gives the same bytes.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::xml_element::{Element, Xml, number};
use super::xml_variables::write_variables;
use super::{
    AnnotationElement, CoSimulationElement, DefaultExperiment, DescriptionError, LogCategory, ModelDescription,
    SimpleType, SimpleTypeKind, ToolAnnotation, Unit, Unknown,
};

impl ModelDescription {
    /// The description as the text of `modelDescription.xml`, UTF-8, with a final newline.
    ///
    /// # Errors
    /// The defects that [`validate`](Self::validate) finds.
    pub fn to_xml(&self) -> Result<String, Vec<DescriptionError>> {
        self.validate()?;
        let internal = |problem: String| vec![DescriptionError::new("modelDescription.xml", problem)];
        let bytes = write(self).map_err(|error| internal(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| internal(error.to_string()))
    }
}

fn write(model: &ModelDescription) -> io::Result<Vec<u8>> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    root(model).with(&mut xml, |xml| {
        write_co_simulation(xml, &model.co_simulation)?;
        write_list(xml, "UnitDefinitions", &model.units, write_unit)?;
        write_list(xml, "TypeDefinitions", &model.types, write_type)?;
        write_list(xml, "LogCategories", &model.log_categories, write_category)?;
        write_experiment(xml, &model.default_experiment)?;
        write_list(xml, "VendorAnnotations", &model.vendor_annotations, write_annotation)?;
        write_variables(xml, model)?;
        write_structure(xml, model)
    })?;
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// The root element. `fmiVersion` comes first, as some hosts expect; there is no `xmlns:xsi`, which others refuse.
fn root(model: &ModelDescription) -> Element {
    Element::new("fmiModelDescription")
        .text("fmiVersion", "2.0")
        .text("modelName", &model.model_name)
        .text("guid", &model.guid)
        .optional("description", model.description.as_deref())
        .optional("author", model.author.as_deref())
        .optional("version", model.version.as_deref())
        .optional("copyright", model.copyright.as_deref())
        .optional("license", model.license.as_deref())
        .optional("generationTool", model.generation_tool.as_deref())
        .optional("generationDateAndTime", model.generation_date_and_time.as_deref())
        .text("variableNamingConvention", "structured")
        .text("numberOfEventIndicators", "0")
}

fn write_co_simulation(xml: &mut Xml, flags: &CoSimulationElement) -> io::Result<()> {
    Element::new("CoSimulation")
        .text("modelIdentifier", &flags.model_identifier)
        .flag("needsExecutionTool", flags.needs_execution_tool)
        .flag("canHandleVariableCommunicationStepSize", flags.can_handle_variable_communication_step_size)
        .flag("canInterpolateInputs", flags.can_interpolate_inputs)
        .text("maxOutputDerivativeOrder", &flags.max_output_derivative_order.to_string())
        // The schema of FMI 2.0 spells it this way.
        .flag("canRunAsynchronuously", false)
        .flag("canBeInstantiatedOnlyOncePerProcess", flags.can_be_instantiated_only_once_per_process)
        .flag("canNotUseMemoryManagementFunctions", flags.can_not_use_memory_management_functions)
        .flag("canGetAndSetFMUstate", flags.can_get_and_set_fmu_state)
        .flag("canSerializeFMUstate", flags.can_serialize_fmu_state)
        .flag("providesDirectionalDerivative", flags.provides_directional_derivative)
        .empty(xml)
}

/// Writes a list element; an empty list is left out, as the schema demands.
fn write_list<T>(xml: &mut Xml, name: &str, items: &[T], write: fn(&mut Xml, &T) -> io::Result<()>) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    Element::new(name).with(xml, |xml| items.iter().try_for_each(|item| write(xml, item)))
}

fn write_unit(xml: &mut Xml, unit: &Unit) -> io::Result<()> {
    Element::new("Unit").text("name", &unit.name).with(xml, |xml| {
        let mut base = Element::new("BaseUnit");
        for (name, exponent) in super::BaseUnit::NAMES.iter().zip(unit.base.exponents) {
            if exponent != 0 {
                base = base.text(name, &exponent.to_string());
            }
        }
        scaling(base, unit.base.factor, unit.base.offset).empty(xml)?;
        unit.display_units.iter().try_for_each(|display| {
            let element = Element::new("DisplayUnit").text("name", &display.name);
            scaling(element, display.factor, display.offset).empty(xml)
        })
    })
}

fn scaling(element: Element, factor: f64, offset: f64) -> Element {
    let factor = (factor != 1.0).then(|| number(factor));
    let offset = (offset != 0.0).then(|| number(offset));
    element.optional("factor", factor.as_deref()).optional("offset", offset.as_deref())
}

fn write_type(xml: &mut Xml, declared: &SimpleType) -> io::Result<()> {
    let element = Element::new("SimpleType").text("name", &declared.name);
    element.optional("description", declared.description.as_deref()).with(xml, |xml| match &declared.kind {
        SimpleTypeKind::Real { quantity, unit } => {
            let real = Element::new("Real").optional("quantity", quantity.as_deref());
            real.optional("unit", unit.as_deref()).empty(xml)
        }
        SimpleTypeKind::Enumeration(items) => Element::new("Enumeration").with(xml, |xml| {
            items.iter().try_for_each(|item| {
                let element = Element::new("Item").text("name", &item.name).text("value", &item.value.to_string());
                element.optional("description", item.description.as_deref()).empty(xml)
            })
        }),
    })
}

fn write_category(xml: &mut Xml, category: &LogCategory) -> io::Result<()> {
    let element = Element::new("Category").text("name", &category.name);
    element.optional("description", category.description.as_deref()).empty(xml)
}

fn write_experiment(xml: &mut Xml, experiment: &DefaultExperiment) -> io::Result<()> {
    if *experiment == DefaultExperiment::default() {
        return Ok(());
    }
    Element::new("DefaultExperiment")
        .number("startTime", experiment.start_time)
        .number("stopTime", experiment.stop_time)
        .number("tolerance", experiment.tolerance)
        .number("stepSize", experiment.step_size)
        .empty(xml)
}

fn write_annotation(xml: &mut Xml, annotation: &ToolAnnotation) -> io::Result<()> {
    let tool = Element::new("Tool").text("name", &annotation.tool);
    match &annotation.content {
        Some(content) => tool.with(xml, |xml| write_content(xml, content)),
        None => tool.empty(xml),
    }
}

fn write_content(xml: &mut Xml, content: &AnnotationElement) -> io::Result<()> {
    let mut element = Element::new(&content.name);
    for (name, value) in &content.attributes {
        element = element.text(name, value);
    }
    if content.text.is_none() && content.children.is_empty() {
        return element.empty(xml);
    }
    element.with(xml, |xml| {
        if let Some(text) = &content.text {
            xml.write_event(Event::Text(BytesText::new(text)))?;
        }
        content.children.iter().try_for_each(|child| write_content(xml, child))
    })
}

fn write_structure(xml: &mut Xml, model: &ModelDescription) -> io::Result<()> {
    let structure = &model.structure;
    Element::new("ModelStructure").with(xml, |xml| {
        write_list(xml, "Outputs", &structure.outputs, write_unknown)?;
        write_list(xml, "Derivatives", &structure.derivatives, write_unknown)?;
        write_list(xml, "InitialUnknowns", &structure.initial_unknowns, write_unknown)
    })
}

fn write_unknown(xml: &mut Xml, unknown: &Unknown) -> io::Result<()> {
    let element = Element::new("Unknown").text("index", &(unknown.variable.0 + 1).to_string());
    let Some(dependencies) = &unknown.dependencies else { return element.empty(xml) };
    let indices: Vec<String> = dependencies.iter().map(|known| (known.variable.0 + 1).to_string()).collect();
    let kinds: Vec<&str> = dependencies.iter().map(|known| known.kind.name()).collect();
    element.text("dependencies", &indices.join(" ")).text("dependenciesKind", &kinds.join(" ")).empty(xml)
}
