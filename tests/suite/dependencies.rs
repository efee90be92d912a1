//! What outputs depend on, as the model description says it, and who made the model.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support;
use std::path::Path;

use multibody_fmu::{Interface, Role};

fn model(name: &str) -> std::sync::Arc<Interface> {
    support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(name))
}

/// Inputs that an output depends on; all of them where the description says nothing.
fn inputs_of(interface: &Interface, output: &str) -> Vec<String> {
    let k = interface.find(output).unwrap_or_else(|| panic!("no {output}"));
    let unknown = interface.description.structure.outputs.iter().find(|unknown| unknown.variable.0 == k);
    let unknown = unknown.unwrap_or_else(|| panic!("{output} is no output"));
    let is_input = |k: &usize| interface.variables[*k].role == Role::Input;
    let all = (0..interface.variables.len()).filter(is_input);
    let known: Vec<usize> = match &unknown.dependencies {
        None => all.collect(),
        Some(listed) => listed.iter().map(|dependency| dependency.variable.0).filter(is_input).collect(),
    };
    known.into_iter().map(|k| interface.variables[k].name.clone()).collect()
}

#[test]
fn outputs_of_models_without_inputs_have_no_feedthrough() {
    for folder in support::model_folders() {
        let interface = support::interface(&folder);
        if interface.variables.iter().any(|variable| variable.role == Role::Input) {
            continue;
        }
        for unknown in &interface.description.structure.outputs {
            let name = &interface.variables[unknown.variable.0].name;
            assert!(unknown.dependencies.is_some(), "{}: {name} says nothing", folder.display());
        }
    }
}

#[test]
fn outputs_of_a_variable_structure_without_inputs_follow_nothing_but_time() {
    for name in ["YouBotAttach", "YouBotContact", "ConveyorSorting"] {
        let interface = model(name);
        assert!(!interface.description.structure.outputs.is_empty());
        for unknown in &interface.description.structure.outputs {
            let name = &interface.variables[unknown.variable.0].name;
            let known = unknown.dependencies.as_ref().unwrap();
            let is_time = |k: usize| interface.variables[k].role == Role::Independent;
            assert!(known.len() < 2 && known.iter().all(|known| is_time(known.variable.0)), "{name}");
        }
        assert!(interface.xml().unwrap().contains("dependencies=\"\""));
    }
}

#[test]
fn what_a_gripper_carries_does_not_follow_its_commands_without_delay() {
    let interface = model("GripperWithInputs");
    let motions = ["r_abs", "v_abs", "exists", "attached"];
    let outputs: Vec<&str> = interface
        .variables
        .iter()
        .filter(|variable| variable.role == Role::Output && motions.iter().any(|part| variable.name.contains(part)))
        .map(|variable| variable.name.as_str())
        .collect();
    assert!(!outputs.is_empty());
    let commands: Vec<&str> = interface
        .variables
        .iter()
        .filter(|variable| variable.role == Role::Input && variable.kind != multibody_fmu::VariableKind::Real)
        .map(|variable| variable.name.as_str())
        .collect();
    assert!(!commands.is_empty());
    for output in outputs {
        let inputs = inputs_of(&interface, output);
        assert!(commands.iter().all(|command| !inputs.iter().any(|input| input == command)), "{output}: {inputs:?}");
    }
}

/// A body on a rail whose motion follows one input, with a second one that it can be attached to, and a force that
/// follows another input.
const SLEDGE: &str = r#"
    name = "Sledge"
    outputs = ["load.r_abs[1]", "load.v_abs[1]", "der(free_rail.v)"]
    [inputs]
    place = { unit = "m" }
    pull = { unit = "N" }
    grip = { kind = "boolean" }
    [objects.sledge]
    solid = { shape = "box", lengths = [0.1, 0.1, 0.1], mass = 1 }
    lockable = true
    [joints.rail]
    type = "prismatic"
    from = "world"
    to = "sledge"
    axis = "x"
    motion = "place"
    [objects.load]
    solid = { shape = "box", lengths = [0.1, 0.1, 0.1], mass = 1 }
    lockable = true
    assembly_root = true
    expose = true
    [joints.free_rail]
    type = "prismatic"
    from = "world"
    to = "load"
    axis = "x"
    force = "pull"
    [actions.take]
    when = "grip"
    steps = [{ attach = ["load", "sledge"], max_distance = 1 }]
"#;

#[test]
fn what_may_be_attached_follows_the_inputs_that_move_things_in_any_segment() {
    let text = SLEDGE.replace(", max_distance = 1", "");
    let model = mbs_model::parse(&text, "model.toml", &mut mbs_model::MemoryFiles::new());
    let interface = Interface::new(model.unwrap_or_else(|errors| panic!("{errors}")).declaration).unwrap();
    assert_eq!(inputs_of(&interface, "load.r_abs[1]"), ["place"]);
    assert_eq!(inputs_of(&interface, "load.v_abs[1]"), ["place"]);
    assert_eq!(inputs_of(&interface, "der(free_rail.v)"), ["place", "pull", "grip"]);
}

#[test]
fn the_head_of_the_description_names_version_author_licence_and_copyright() {
    let text = r#"
        name = "Named"
        [about]
        version = "1.2"
        author = "Zoë Ünal"
        license = "CC-BY-4.0"
        copyright = "© 2026 Mechanik & Söhne"
        [objects.stone]
        free = true
        solid = { shape = "sphere", diameter = 1, mass = 1 }
    "#;
    let parse = |text: &str| mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new());
    let interface = Interface::new(parse(text).unwrap().declaration).unwrap();
    let xml = interface.xml().unwrap();
    for part in [
        "author=\"Zoë Ünal\"",
        "version=\"1.2\"",
        "license=\"CC-BY-4.0\"",
        "copyright=\"© 2026 Mechanik &amp; Söhne\"",
        "generationTool=\"multibody-fmu ",
    ] {
        assert!(xml.contains(part), "{part} is missing");
    }
    assert!(!xml.contains("generationDateAndTime"));
    let dated = interface.xml_with_date(Some("2026-01-02T03:04:05Z".to_owned())).unwrap();
    assert!(dated.contains("generationDateAndTime=\"2026-01-02T03:04:05Z\""));
    let twice = text.replace("name = \"Named\"", "name = \"Named\"\nauthor = \"another\"");
    assert!(parse(&twice).unwrap_err().to_string().contains("given twice"));
}

/// The description of a long chain is not made of lists of states.
#[test]
fn what_depends_on_very_many_states_is_said_to_depend_on_everything() {
    let chain = |count: usize| {
        let mut text = String::from("name = \"Chain\"\noutputs = [\"tip.r_abs\"]\n");
        for k in 0..count {
            let from = if k == 0 { "world".to_owned() } else { format!("end{}", k - 1) };
            text += &format!(
                "[objects.link{k}]\nmass = {{ m = 1, inertia = [0.1, 0.1, 0.1] }}\n[objects.end{k}]\nparent = \"link{k}\"\nr = [0, 0, -1]\n\
                 [joints.hinge{k}]\ntype = \"revolute\"\nfrom = \"{from}\"\nto = \"link{k}\"\naxis = \"y\"\n"
            );
        }
        text + &format!("[objects.tip]\nparent = \"end{}\"\n", count - 1)
    };
    let listed = |count: usize| {
        let (interface, _) = support::started(&chain(count), None);
        let tip = interface.find("tip.r_abs[1]").unwrap();
        let outputs = &interface.description.structure.outputs;
        let unknown = outputs.iter().find(|unknown| unknown.variable.0 == tip).unwrap();
        unknown.dependencies.as_ref().map(Vec::len)
    };
    assert_eq!(listed(100), Some(100));
    assert_eq!(listed(600), None);
}
