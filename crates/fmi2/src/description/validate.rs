//! Checks of the description as a whole. Checks of variables and of the structure are in the files named so.

use std::collections::BTreeSet;

use super::names::is_c_identifier;
use super::validate_structure::check_structure;
use super::validate_variable::check_variable;
use super::{Causality, DescriptionError, ModelDescription, SimpleTypeKind};

type Defects = Vec<DescriptionError>;

impl ModelDescription {
    /// Checks the description against the rules of the standard that a schema cannot express, and those it can.
    ///
    /// # Errors
    /// All defects found, each naming the object.
    pub fn validate(&self) -> Result<(), Defects> {
        let mut defects = Defects::new();
        check_header(self, &mut defects);
        check_names(self, &mut defects);
        for variable in &self.variables {
            check_variable(self, variable, &mut defects);
        }
        check_structure(self, &mut defects);
        if defects.is_empty() { Ok(()) } else { Err(defects) }
    }
}

/// Most letters of the name of a library, so that files named after it are possible everywhere.
const LONGEST_IDENTIFIER: usize = 200;

fn check_header(model: &ModelDescription, defects: &mut Defects) {
    let mut complain = |object: &str, problem: String| defects.push(DescriptionError::new(object, problem));
    let identifier = &model.co_simulation.model_identifier;
    if !is_c_identifier(identifier) {
        complain("model identifier", format!("{identifier:?} must be a C identifier (letters, digits, _)"));
    }
    if identifier.len() > LONGEST_IDENTIFIER {
        let letters = identifier.len();
        let what = format!("has {letters} letters, but files are named after it: at most {LONGEST_IDENTIFIER}");
        complain("model identifier", what);
    }
    for (object, text) in [("model name", &model.model_name), ("guid", &model.guid)] {
        if text.is_empty() {
            complain(object, "must not be empty".to_owned());
        }
    }
    if model.co_simulation.can_serialize_fmu_state && !model.co_simulation.can_get_and_set_fmu_state {
        complain("co-simulation", "canSerializeFMUstate needs canGetAndSetFMUstate".to_owned());
    }
    if let Some(date) = model.generation_date_and_time.as_ref().filter(|date| !is_utc(date)) {
        complain("generation date", format!("{date:?} must have the form YYYY-MM-DDThh:mm:ssZ"));
    }
    check_experiment(model, &mut complain);
}

fn check_experiment(model: &ModelDescription, complain: &mut impl FnMut(&str, String)) {
    let experiment = &model.default_experiment;
    let (start, stop) = (experiment.start_time.unwrap_or(0.0), experiment.stop_time.unwrap_or(f64::MAX));
    if !start.is_finite() || !stop.is_finite() || stop < start {
        complain(
            "default experiment",
            format!("start time {start} s and stop time {stop} s must be finite and in order"),
        );
    }
    for (what, value) in [("tolerance", experiment.tolerance), ("step size", experiment.step_size)] {
        if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            complain("default experiment", format!("the {what} {value} must be positive and finite"));
        }
    }
}

fn is_utc(date: &str) -> bool {
    const FORM: &[u8] = b"dddd-dd-ddTdd:dd:ddZ";
    let matches = |(byte, form): (u8, &u8)| if *form == b'd' { byte.is_ascii_digit() } else { byte == *form };
    date.len() == FORM.len() && date.bytes().zip(FORM).all(matches)
}

fn check_names(model: &ModelDescription, defects: &mut Defects) {
    let variables = model.variables.iter().map(|variable| variable.name.as_str());
    let types = model.types.iter().map(|kind| kind.name.as_str());
    unique("variable or type", variables.chain(types), defects);
    unique("unit", model.units.iter().map(|unit| unit.name.as_str()), defects);
    unique("log category", model.log_categories.iter().map(|category| category.name.as_str()), defects);
    for kind in &model.types {
        if let SimpleTypeKind::Enumeration(items) = &kind.kind {
            unique("enumeration item", items.iter().map(|item| item.name.as_str()), defects);
            let values: BTreeSet<i32> = items.iter().map(|item| item.value).collect();
            if items.is_empty() || values.len() != items.len() {
                let problem = "needs at least one item, and all values different";
                defects.push(DescriptionError::new(format!("type {:?}", kind.name), problem));
            }
        }
    }
    let independent = model.variables.iter().filter(|variable| variable.causality == Causality::Independent);
    if independent.count() > 1 {
        defects.push(DescriptionError::new("variables", "at most one may have causality independent"));
    }
    if model.variables.is_empty() {
        defects.push(DescriptionError::new("variables", "there must be at least one"));
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>, defects: &mut Defects) {
    let mut seen = BTreeSet::new();
    for name in names {
        let object = || format!("{what} {name:?}");
        if name.is_empty() || name.chars().any(|c| c.is_control()) {
            defects.push(DescriptionError::new(object(), "a name needs characters, and no control characters"));
        }
        if !seen.insert(name) {
            defects.push(DescriptionError::new(object(), "the name is used twice"));
        }
    }
}
