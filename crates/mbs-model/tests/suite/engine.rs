//! What is read is what the engine understands.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mbs::elaboration::elaborate;
use mbs_model::{Errors, MemoryFiles, Model, parse, template};

fn model(text: &str) -> Model {
    parse(text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn the_template_becomes_a_scene_with_the_parameters_of_a_run() {
    let model = model(&template("Pendulum"));
    let mass = |length: f64| {
        let scene =
            elaborate(&model.declaration, &[("L".to_owned(), length)]).unwrap_or_else(|errors| panic!("{errors:?}"));
        scene.objects.iter().map(|(_, object)| object.mass.mass).sum::<f64>()
    };
    let expected = |length: f64| 8000.0 * length * (length / 20.0).powi(2);
    assert!((mass(1.0) - expected(1.0)).abs() < 1e-9, "{}", mass(1.0));
    assert!((mass(2.0) - expected(2.0)).abs() < 1e-9, "{}", mass(2.0));
}

#[test]
fn arrays_and_chains_of_assemblies_become_objects() {
    let text = r#"
        [parameters]
        n = { value = 3, kind = "integer" }
        [assemblies.Arm]
        parameters.L = 1
        objects.link.solid = { shape = "sphere", diameter = "L", mass = 1 }
        objects.end = { parent = "link", r = ["L", 0, 0] }
        joints.rev = { type = "revolute", from = "origin", to = "link", axis = "z" }
        [instances.robot]
        assembly = "Arm"
        count = "n"
        r = ["2*i", 0, 0]
        [instances.snake]
        assembly = "Arm"
        count = 2
        chain = "end"
        arguments = { L = "0.5/i" }
    "#;
    let declaration = model(text).declaration;
    let paths = |n: f64| -> Vec<String> {
        let scene = elaborate(&declaration, &[("n".to_owned(), n)]).unwrap_or_else(|errors| panic!("{errors:?}"));
        scene.objects.iter().map(|(_, object)| object.path.clone()).collect()
    };
    assert!(paths(3.0).contains(&"robot[3].end".to_owned()), "{:?}", paths(3.0));
    assert!(!paths(2.0).contains(&"robot[3].end".to_owned()));
    assert!(paths(2.0).contains(&"snake[2].link".to_owned()));
}

#[test]
fn errors_of_the_engine_point_into_the_file() {
    let text =
        "[objects.rod]\nmass = 1\n[joints.rev]\ntype = \"revolute\"\nfrom = \"world\"\nto = \"rot\"\naxis = \"z\"\n";
    let model = model(text);
    let errors = elaborate(&model.declaration, &[]).unwrap_err();
    let errors = errors.into_iter().map(|error| model.error(error.location, error.message, error.hint)).collect();
    let errors = Errors { errors };
    let shown = errors.render();
    assert!(shown.contains("rot") && shown.contains("--> model.toml:"), "{shown}");
    assert!(errors.errors.iter().any(|error| error.line == 3 && error.column == 9), "{shown}");
}
