//! What a host needs of a model description, read from any FMI 2.0 file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use multibody_fmu::TOOL;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::{Error, Result};
use crate::variable::{Defaults, Kind, Role, Variable};

/// Deepest nesting of elements that is read; the standard has no more than a few levels, annotations of tools some
/// more.
const DEEPEST: usize = 64;

/// A model description.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Description {
    /// Name of the model.
    pub model_name: String,
    /// Fingerprint, which must match that of the library.
    pub guid: String,
    /// Name of the library, a C identifier.
    pub model_identifier: String,
    /// Whether inputs may have derivatives.
    pub can_interpolate_inputs: bool,
    /// Defaults of the experiment.
    pub defaults: Defaults,
    /// Variables that are numbers or Booleans, in the order of the file.
    pub variables: Vec<Variable>,
    /// Value references, parallel to `variables`.
    pub references: Vec<u32>,
    /// Number of variables that are strings, which no command here shows.
    pub num_strings: usize,
}

/// Reads a model description; `archive` is for messages.
///
/// # Errors
/// Text that is no XML, other versions of FMI, FMUs without co-simulation, variables without name or type.
pub fn parse(xml: &str, archive: &Path) -> Result<Description> {
    let mut reading = Reading::default();
    reading.document(xml).map_err(|why| {
        let line = xml[..reading.position.min(xml.len())].matches('\n').count() + 1;
        Error::Rendered(format!("error: {why}\n  --> modelDescription.xml:{line} in {}", archive.display()))
    })?;
    Ok(reading.description)
}

type Attributes = BTreeMap<String, String>;

#[derive(Default)]
struct Reading {
    description: Description,
    /// Byte reached, for messages.
    position: usize,
    has_root: bool,
    /// Units of the declared types.
    type_units: BTreeMap<String, String>,
    /// Names of the elements that are open, outermost first.
    open: Vec<String>,
    /// Attributes of the ScalarVariable or SimpleType that is open.
    outer: Attributes,
    names: BTreeSet<String>,
    /// Whether the annotations that are open are those of this tool.
    is_own: bool,
    /// Variables among the results that are no outputs.
    results: BTreeSet<String>,
}

type Outcome<T = ()> = std::result::Result<T, String>;

impl Reading {
    fn document(&mut self, xml: &str) -> Outcome {
        let mut reader = Reader::from_str(xml);
        loop {
            let event = reader.read_event().map_err(|error| error.to_string())?;
            match event {
                Event::Start(element) => {
                    self.element(&element)?;
                    self.open.push(name(&element));
                    if self.open.len() > DEEPEST {
                        return Err(format!("elements are nested deeper than {DEEPEST} levels"));
                    }
                }
                Event::Empty(element) => self.element(&element)?,
                Event::End(_) => drop(self.open.pop()),
                Event::Eof => break,
                _ => {}
            }
            self.position = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        }
        if !self.has_root {
            return Err("the file has no element `fmiModelDescription`".to_owned());
        }
        if self.description.model_identifier.is_empty() {
            return Err("the FMU has no element `CoSimulation`; only co-simulation is supported".to_owned());
        }
        Ok(())
    }

    fn element(&mut self, element: &BytesStart<'_>) -> Outcome {
        let (open, name) = (self.open.clone(), name(element));
        let path: Vec<&str> = open.iter().map(String::as_str).chain([name.as_str()]).collect();
        match path[..] {
            ["fmiModelDescription"] => self.root(&attributes(element)?),
            ["fmiModelDescription", "CoSimulation"] => self.co_simulation(&attributes(element)?),
            ["fmiModelDescription", "DefaultExperiment"] => self.experiment(&attributes(element)?),
            ["fmiModelDescription", "TypeDefinitions", "SimpleType"]
            | ["fmiModelDescription", "ModelVariables", "ScalarVariable"] => {
                self.outer = attributes(element)?;
                Ok(())
            }
            ["fmiModelDescription", "TypeDefinitions", "SimpleType", _] => self.simple_type(&attributes(element)?),
            ["fmiModelDescription", "VendorAnnotations", "Tool"] => {
                self.is_own = attributes(element)?.get("name").is_some_and(|name| name == TOOL);
                Ok(())
            }
            ["fmiModelDescription", "VendorAnnotations", "Tool", "Results", "Variable"] if self.is_own => {
                self.results.extend(attributes(element)?.remove("name"));
                Ok(())
            }
            ["fmiModelDescription", "ModelVariables", "ScalarVariable", "Annotations"] => Ok(()),
            ["fmiModelDescription", "ModelVariables", "ScalarVariable", kind] => {
                self.variable(kind, &attributes(element)?)
            }
            _ => Ok(()),
        }
    }

    fn root(&mut self, attributes: &Attributes) -> Outcome {
        self.has_root = true;
        let version = required(attributes, "fmiVersion", "fmiModelDescription")?;
        if version != "2.0" {
            return Err(format!("the FMU has FMI version {version}, but only 2.0 is supported"));
        }
        self.description.model_name = required(attributes, "modelName", "fmiModelDescription")?;
        self.description.guid = required(attributes, "guid", "fmiModelDescription")?;
        Ok(())
    }

    fn co_simulation(&mut self, attributes: &Attributes) -> Outcome {
        let identifier = required(attributes, "modelIdentifier", "CoSimulation")?;
        let is_c = identifier.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !identifier.starts_with(|c: char| c.is_ascii_digit());
        if !is_c || identifier.is_empty() {
            return Err(format!("the modelIdentifier `{identifier}` is not a C identifier"));
        }
        self.description.model_identifier = identifier;
        let interpolates = attributes.get("canInterpolateInputs").map(String::as_str);
        self.description.can_interpolate_inputs = matches!(interpolates, Some("true" | "1"));
        Ok(())
    }

    fn experiment(&mut self, attributes: &Attributes) -> Outcome {
        self.description.defaults = Defaults {
            start: number(attributes, "startTime")?,
            stop: number(attributes, "stopTime")?,
            step: number(attributes, "stepSize")?,
        };
        Ok(())
    }

    fn simple_type(&mut self, attributes: &Attributes) -> Outcome {
        if let (Some(name), Some(unit)) = (self.outer.get("name"), attributes.get("unit")) {
            self.type_units.insert(name.clone(), unit.clone());
        }
        Ok(())
    }

    fn variable(&mut self, kind: &str, own: &Attributes) -> Outcome {
        let outer = std::mem::take(&mut self.outer);
        let name = required(&outer, "name", "ScalarVariable")?;
        let reference = required(&outer, "valueReference", "ScalarVariable")?;
        let reference =
            reference.parse().map_err(|_| format!("the value reference `{reference}` of `{name}` is not a number"))?;
        if !self.names.insert(name.clone()) {
            return Err(format!("there are two variables called `{name}`"));
        }
        let kind = match kind {
            "Real" => Kind::Real,
            "Integer" | "Enumeration" => Kind::Integer,
            "Boolean" => Kind::Boolean,
            "String" => {
                self.description.num_strings += 1;
                Kind::String
            }
            _ => return Err(format!("the variable `{name}` has the unknown type `{kind}`")),
        };
        let role = role(outer.get("causality").map(String::as_str), &name)?;
        if kind == Kind::String && !matches!(role, Role::Parameter | Role::Input) {
            return Ok(());
        }
        let unit = own.get("unit").or_else(|| self.type_units.get(own.get("declaredType")?)).cloned();
        let in_results = role == Role::Output || self.results.contains(&name);
        let unit = unit.unwrap_or_default();
        // What is no number there is for the FMU to judge.
        let limits = ["min", "max"].map(|bound| number(own, bound).unwrap_or_default());
        let description = outer.get("description").cloned().unwrap_or_default();
        self.description.variables.push(Variable { name, kind, role, in_results, unit, limits, description });
        self.description.references.push(reference);
        Ok(())
    }
}

fn name(element: &BytesStart<'_>) -> String {
    element.name().as_ref().to_owned()
}

fn attributes(element: &BytesStart<'_>) -> Outcome<Attributes> {
    let pairs = element.attributes().map(|attribute| {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value =
            attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).map_err(|error| error.to_string())?;
        Ok((attribute.key.as_ref().to_owned(), value.into_owned()))
    });
    pairs.collect()
}

fn required(attributes: &Attributes, name: &str, element: &str) -> Outcome<String> {
    attributes.get(name).cloned().ok_or_else(|| format!("the element `{element}` has no attribute `{name}`"))
}

fn number(attributes: &Attributes, name: &str) -> Outcome<Option<f64>> {
    let parse =
        |text: &String| text.trim().parse().map_err(|_| format!("the attribute {name}=\"{text}\" is not a number"));
    attributes.get(name).map(parse).transpose()
}

fn role(causality: Option<&str>, name: &str) -> Outcome<Role> {
    match causality {
        None | Some("local") => Ok(Role::Local),
        Some("parameter") => Ok(Role::Parameter),
        Some("calculatedParameter") => Ok(Role::CalculatedParameter),
        Some("input") => Ok(Role::Input),
        Some("output") => Ok(Role::Output),
        Some("independent") => Ok(Role::Independent),
        Some(other) => Err(format!("the variable `{name}` has the unknown causality `{other}`")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn description(inner: &str) -> Result<Description> {
        let xml = format!(
            "<?xml version=\"1.0\"?>\n<fmiModelDescription fmiVersion=\"2.0\" modelName=\"a &amp; b\" guid=\"{{1}}\">\n{inner}</fmiModelDescription>"
        );
        parse(&xml, Path::new("x.fmu"))
    }

    const CS: &str = "<CoSimulation modelIdentifier=\"m\"/>\n";

    #[test]
    fn units_of_declared_types_reach_the_variables() {
        let read = description(&format!(
            "{CS}<TypeDefinitions><SimpleType name=\"T\"><Real unit=\"rad\"/></SimpleType></TypeDefinitions><ModelVariables>\
             <ScalarVariable name=\"x\" valueReference=\"7\" causality=\"output\"><Real declaredType=\"T\"/><Annotations><Tool name=\"t\"/>\
             </Annotations></ScalarVariable><ScalarVariable name=\"s\" valueReference=\"0\"><String/></ScalarVariable></ModelVariables>"
        ))
        .unwrap();
        assert_eq!((read.model_name.as_str(), read.model_identifier.as_str()), ("a & b", "m"));
        assert_eq!((read.variables.len(), read.references[0], read.num_strings), (1, 7, 1));
        assert_eq!((read.variables[0].unit.as_str(), read.variables[0].role), ("rad", Role::Output));
    }

    #[test]
    fn errors_name_the_line_of_the_file() {
        let error = description(&format!(
            "{CS}<ModelVariables>\n<ScalarVariable name=\"x\"><Real/></ScalarVariable></ModelVariables>"
        ))
        .unwrap_err();
        assert!(error.to_string().contains("has no attribute `valueReference`"), "{error}");
        assert!(error.to_string().contains("modelDescription.xml:5"), "{error}");
        assert!(description("").unwrap_err().to_string().contains("CoSimulation"));
        assert!(
            description("<CoSimulation modelIdentifier=\"../x\"/>").unwrap_err().to_string().contains("C identifier")
        );
        assert!(parse("<a", Path::new("x.fmu")).is_err());
        let deep = parse(&"<a>".repeat(1_000_000), Path::new("x.fmu")).unwrap_err();
        assert!(deep.to_string().contains("deeper than 64 levels"), "{deep}");
    }
}
