//! The model description: golden text, and every rule that `validate` knows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fmi2::description::{Causality, Initial, ModelDescription, ScalarVariable, Unknown, Variability, VariableIndex};

use crate::model;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/probe.xml");

#[test]
fn the_xml_of_the_probe_is_the_reviewed_one() {
    let xml = model::description().to_xml().unwrap();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(GOLDEN, &xml).unwrap();
    }
    let golden = std::fs::read_to_string(GOLDEN).expect("run once with UPDATE=1");
    assert_eq!(xml, golden, "if the change is intended, run with UPDATE=1 and review the difference");
}

#[test]
fn the_xml_has_the_form_that_hosts_insist_on() {
    let xml = model::description().to_xml().unwrap();
    assert!(xml.contains("<fmiModelDescription fmiVersion=\"2.0\" modelName="));
    assert!(!xml.contains("xsi"));
    assert!(!xml.contains("=\" ") && !xml.contains(" \""), "stray blanks");
}

fn defects(change: impl FnOnce(&mut ModelDescription)) -> String {
    let mut description = model::description();
    change(&mut description);
    let defects = description.validate().expect_err("there should be a defect");
    defects.iter().map(|defect| defect.to_string() + "\n").collect()
}

fn defects_of(variable: ScalarVariable) -> String {
    defects(|description| {
        description.add(variable);
        description.complete_structure();
    })
}

#[track_caller]
fn assert_names(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn wrong_variables_are_named_with_what_would_be_right() {
    let real = || ScalarVariable::real("new");
    assert_names(&defects_of(real().input()), &["\"new\"", "needs a start value"]);
    assert_names(&defects_of(real().output().start_real(0.0)), &["\"new\"", "must not have a start value"]);
    assert_names(&defects_of(real().unit("m").fixed_parameter().start_real(f64::NAN)), &["NaN m"]);
    assert_names(&defects_of(real().unit("furlong")), &["\"furlong\" is not declared"]);
    assert_names(&defects_of(real().display_unit("deg")), &["needs a unit"]);
    assert_names(&defects_of(real().nominal(0.0)), &["nominal"]);
    assert_names(&defects_of(real().fixed_parameter().real_range(0.0, 1.0).start_real(2.0)), &["start 2"]);
    assert_names(&defects_of(real().derivative_of(VariableIndex(99))), &["100"]);
    assert_names(&defects_of(ScalarVariable::real("no good name")), &["structured"]);
    assert_names(&defects_of(ScalarVariable::real("x")), &["used twice"]);
    assert_names(&defects_of(ScalarVariable::time()), &["at most one", "independent"]);
    assert_names(&defects_of(ScalarVariable::enumeration("e", "Nothing")), &["\"Nothing\" does not exist"]);
    let start = ScalarVariable::enumeration("e", "Mode").fixed_parameter().start_integer(3);
    assert_names(&defects_of(start), &["start 3 is no value"]);
    let continuous = ScalarVariable::integer("i").roles(Causality::Local, Variability::Continuous);
    assert_names(&defects_of(continuous), &["only a Real may be continuous"]);
    let constant_input = real().roles(Causality::Input, Variability::Constant).start_real(0.0);
    assert_names(&defects_of(constant_input), &["does not exist"]);
    let calculated_parameter = real().fixed_parameter().initial(Initial::Calculated);
    assert_names(&defects_of(calculated_parameter), &["permits initial exact, not calculated"]);
}

#[test]
fn wrong_headers_are_named() {
    assert_names(&defects(|model| model.co_simulation.model_identifier = "3d".to_owned()), &["\"3d\"", "C identifier"]);
    assert_names(&defects(|model| model.guid.clear()), &["guid"]);
    assert_names(&defects(|model| model.default_experiment.stop_time = Some(-1.0)), &["-1 s"]);
    assert_names(&defects(|model| model.default_experiment.step_size = Some(0.0)), &["step size 0"]);
    assert_names(&defects(|model| model.co_simulation.can_get_and_set_fmu_state = false), &["canSerializeFMUstate"]);
    let date = |date: &str| defects(|model| model.generation_date_and_time = Some(date.to_owned()));
    assert_names(&date("2024-01-01T00:00:00"), &["Z"]);
}

#[test]
fn wrong_structures_are_named() {
    assert_names(&defects(|model| model.structure.outputs.clear()), &["\"x\": must be listed in Outputs"]);
    assert_names(&defects(|model| model.structure.initial_unknowns.reverse()), &["ascending"]);
    assert_names(&defects(|model| drop(model.structure.initial_unknowns.pop())), &["listed in InitialUnknowns"]);
    let input = Unknown::depends_on_everything(VariableIndex(3));
    assert_names(&defects(|model| model.structure.outputs.insert(0, input)), &["\"u\": must not be listed"]);
    let descending = Unknown::depends_on(VariableIndex(4), [VariableIndex(3), VariableIndex(1)]);
    let text = defects(|model| model.structure.outputs[0] = descending);
    assert_names(&text, &["dependencies of entry 5 must ascend", "entry 5 depends on 2 (gain), which is not a known"]);
}

#[test]
fn unknown_units_are_named_with_their_variable() {
    let mut description = model::description();
    description.add(ScalarVariable::real("speed").unit("furlong/s"));
    let message = description.define_units().unwrap_err().to_string();
    assert_names(&message, &["\"speed\"", "\"furlong\""]);
}

#[test]
fn value_references_are_dense_and_grouped_by_type() {
    let description = model::description();
    let mut references = description.value_references();
    assert_eq!(description.slots(), [0, 1, 2, 3, 4, 5, 0, 1, 0, 0, 1]);
    references.sort_unstable();
    assert_eq!(references, (0..description.variables.len() as u32).collect::<Vec<u32>>());
}
