//! Parameters that measure the initial configuration.
#![allow(clippy::unwrap_used, clippy::panic)]

use mbs::elaboration::elaborate;
use mbs::scene::Scene;
use mbs_model::{MemoryFiles, parse};

fn scene(text: &str, overrides: &[(&str, f64)]) -> Result<Scene, String> {
    let overrides: Vec<(String, f64)> = overrides.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let declaration = parse(text, "model.toml", &mut MemoryFiles::new()).map_err(|errors| errors.render())?.declaration;
    elaborate(&declaration, &overrides)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn parameter(scene: &Scene, name: &str) -> f64 {
    scene.parameters.iter().find(|parameter| parameter.name == name).unwrap().value
}

/// Two bars and a place they should be tied to; `rest` goes on.
fn bars(rest: &str) -> String {
    format!(
        r#"
        name = "Bars"
        [parameters]
        L = 1
        phi1 = 0.5
        {rest}
        [assemblies.Bar]
        parameters = {{ L = 2 }}
        [assemblies.Bar.objects]
        end = {{ parent = "beam", r = ["L", 0, 0] }}
        [assemblies.Bar.objects.beam]
        solid = {{ shape = "box", lengths = ["L", 0.1, 0.1], mass = 1 }}
        [instances]
        bar1 = {{ assembly = "Bar", arguments = {{ L = "L" }} }}
        bar2 = {{ assembly = "Bar", arguments = {{ L = "2*L" }} }}
        [objects]
        pivot = {{ parent = "world", r = ["3*L", 0, 0], rotation = [0, 0, "pi/2"] }}
        [joints]
        rev1 = {{ type = "revolute", from = "world", to = "bar1.beam", axis = "z", phi = "phi1" }}
        rev2 = {{ type = "revolute", from = "bar1.end", to = "bar2.beam", axis = "z" }}
        "#
    )
}

#[test]
fn distances_and_angles_follow_from_parameters_and_start_values() {
    let text = bars(
        r#"d = "2*distance(pivot, bar2.end)"
           angle = "planar_rotation_angle(pivot, bar2.end)""#,
    );
    for (length, phi) in [(1.0, 0.5), (0.2, -1.3), (7.0, 3.0)] {
        let scene = scene(&text, &[("L", length), ("phi1", phi)]).unwrap();
        let (x, y) = (3.0 * length * (phi.cos() - 1.0), 3.0 * length * phi.sin());
        assert!((parameter(&scene, "d") - 2.0 * x.hypot(y)).abs() < 1e-12 * length);
        // The pivot's x axis is the world's y axis.
        assert!((parameter(&scene, "angle") - (-x).atan2(y)).abs() < 1e-12);
    }
}

#[test]
fn what_is_not_known_yet_is_an_error_that_says_what_to_do() {
    let later = bars(
        r#"d = "distance(pivot, bar2.end)"
           phi2 = "d""#,
    );
    assert!(scene(&later, &[]).is_ok());
    let itself = later.replace(r#"axis = "z", phi = "phi1""#, r#"axis = "z", phi = "phi1 + phi2""#);
    let error = scene(&itself, &[]).unwrap_err();
    assert!(error.contains("`d`") && error.contains("the pose of `bar2.end` in the initial configuration"), "{error}");
    let guess = later.replace(r#"phi = "phi1""#, r#"phi = { guess = "phi1" }"#);
    assert!(scene(&guess, &[]).unwrap_err().contains("is not known here"));
}

#[test]
fn wrong_names_and_places_are_named() {
    let unknown = scene(&bars(r#"d = "distance(pivott, bar2.end)""#), &[]).unwrap_err();
    assert!(unknown.contains("there is no object `pivott`") && unknown.contains("did you mean `pivot`"), "{unknown}");
    let number = scene(&bars(r#"d = "distance(1, 2)""#), &[]).unwrap_err();
    assert!(number.contains("the name of an object inside `distance( , )`"), "{number}");
    let three = scene(&bars(r#"d = "distance(pivot, bar1, bar2)""#), &[]).unwrap_err();
    assert!(three.contains("takes the names of two objects"), "{three}");
    let table = scene(&bars("[tables]\ndistance = { points = [[0, 0], [1, 1]] }"), &[]).unwrap_err();
    assert!(table.contains("built-in function"), "{table}");
}

#[test]
fn a_joint_without_start_value_counts_as_zero_only_where_no_loop_decides() {
    let tree = bars(r#"d = "distance(world, bar2.end)""#);
    assert!((parameter(&scene(&tree, &[]).unwrap(), "d") - 3.0).abs() < 1e-12);
    let closed =
        format!("{tree}\nrev3 = {{ type = \"revolute\", from = \"pivot\", to = \"bar2.end\", axis = \"z\" }}\n");
    let error = scene(&closed, &[]).unwrap_err();
    assert!(error.contains("is not known here"), "{error}");
}
