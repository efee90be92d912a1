//! `mbfmu linearize --modes` and `--root-locus`.
#![allow(clippy::unwrap_used, clippy::panic)]

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::support::Desk;

/// Two equal masses between three equal springs: in phase at sqrt(c/m), against each other at sqrt(3 c/m).
const MASSES: &str = r#"
name = "Masses"
[parameters]
d = { value = 0, min = 0 }
[objects.a]
mass = 1
visual = { shape = "sphere", diameter = 0.1 }
[objects.b]
mass = 1
visual = { shape = "sphere", diameter = 0.1 }
[objects.wall]
parent = "world"
r = [3, 0, 0]
[joints]
left = { type = "prismatic", from = "world", to = "a", axis = "x", s = 1 }
right = { type = "prismatic", from = "world", to = "b", axis = "x", s = 2 }
[forces]
first = { type = "spring-damper", from = "world", to = "a", stiffness = 100, rest_length = 1, damping = "d" }
middle = { type = "spring", from = "a", to = "b", stiffness = 100, rest_length = 1 }
last = { type = "spring-damper", from = "b", to = "wall", stiffness = 100, rest_length = 1, damping = "d" }
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("Masses/model.toml", MASSES);
    desk
}

/// Positions of a body along x over the pictures.
fn places(data: &Value, name: &str) -> Vec<f64> {
    let bodies = data["bodies"].as_array().unwrap();
    let body = bodies.iter().find(|body| body["name"] == name).unwrap();
    let bytes = STANDARD.decode(body["poses"].as_str().unwrap()).unwrap();
    let number = |at: &[u8]| f64::from(f32::from_le_bytes(at.try_into().unwrap()));
    bytes.chunks(7 * 4).map(|pose| number(&pose[..4])).collect()
}

#[test]
fn mode_shapes_swing_about_the_place_of_rest() {
    let desk = desk();
    let said = desk.works("linearize Masses --modes modes.html");
    assert!(said.contains("wrote modes.html (2 modes)"), "{said}");
    let page = desk.text("modes.html");
    let data = page.split_once(r#"id="animation">"#).unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let names: Vec<&str> = data["chapters"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["1.5915 Hz, damping ratio 0.0000", "2.7566 Hz, damping ratio 0.0000"]);
    let (a, b) = (places(&data, "a"), places(&data, "b"));
    assert_eq!(a.len() % 2, 0);
    let half = a.len() / 2;
    let largest = |x: &[f64], rest: f64| x.iter().fold(0.0_f64, |most, x| most.max((x - rest).abs()));
    assert!((largest(&a, 1.0) - 0.08 * 3.0).abs() < 1e-3, "well seen: 8 % of the model");
    for k in 0..half {
        assert!((a[k] - 1.0 - (b[k] - 2.0)).abs() < 1e-5, "in phase");
        assert!((a[half + k] - 1.0 + (b[half + k] - 2.0)).abs() < 1e-5, "against each other");
    }
    assert!((a[0] - a[half - 1]).abs() < 1e-6, "a whole period");
    desk.write("Still/model.toml", "name = \"Still\"\n[components.x]\ntype = \"integrator\"\nu = 1\n");
    desk.fails("linearize Still --modes still.html", 1, &["no mode moves a body"]);
}

#[test]
fn the_root_locus_shows_all_values_of_a_parameter() {
    let desk = desk();
    desk.works("linearize Masses --root-locus locus.svg --over d=0..40");
    let locus = desk.text("locus.svg");
    for text in ["\nd = 0\n", "\nd = 40\n", "\nbetween\n", "\nreal part [1/s]\n", "\nimaginary part [rad/s]\n"] {
        assert!(locus.contains(text), "{text}");
    }
    assert_eq!(locus.matches("<circle").count(), 4 * 100);
    let said = desk.run("linearize Masses --root-locus two.svg --over d=-1,0,5");
    assert!(
        said.err.contains("1 value is left out, the first of them d=-1.0") && said.err.contains("range"),
        "{}",
        said.err
    );
    assert_eq!(desk.text("two.svg").matches("<circle").count(), 4 * 2);
    let none = desk.run("linearize Masses --root-locus l.svg --over d=-2,-1");
    assert_eq!((none.code, none.out.as_str()), (1, ""));
    assert!(none.err.contains("no value of `d` has a linear model"), "{}", none.err);
    desk.fails("linearize Masses --root-locus l.svg", 2, &["--over"]);
    desk.fails("linearize Masses --root-locus l.svg --over d", 2, &["no parameter with values"]);
    desk.fails("linearize Masses --root-locus l.svg --over e=1,2", 1, &["there is no parameter or input `e`"]);
    desk.fails("linearize Masses --modes modes.svg", 2, &["must end with .html"]);
}
