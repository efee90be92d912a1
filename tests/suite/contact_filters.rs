//! Which solids collide is decided in the model file: per object, per group, per joint.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use multibody_fmu::{Interface, Session};

/// A ball that falls on a plate 0.1 m below it; both with further keys of their solids.
fn model(ball: &str, plate: &str) -> String {
    format!(
        r#"
name = "Falling"
gravity = [0, 0, -9.81]
outputs = ["ball.r_abs"]
[objects.plate]
fixed = true
solid = {{ shape = "box", lengths = [1, 1, 0.1], material = "Steel", collides = true{plate} }}
[objects.ball]
free = true
r = [0, 0, 0.2]
solid = {{ shape = "sphere", diameter = 0.1, material = "Steel", collides = true{ball} }}
"#
    )
}

fn interface(text: &str) -> Result<Interface, String> {
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new()).map_err(|e| e.to_string())?;
    Interface::new(model.declaration).map_err(|e| e.to_string())
}

/// Whether the ball is stopped.
fn collides(text: &str) -> bool {
    let mut session = Session::new(Arc::new(interface(text).unwrap()));
    session.initialize(0.0, None).unwrap();
    session.do_step(0.5).unwrap();
    let height = session.interface().find("ball.r_abs[3]").unwrap();
    session.get(height).unwrap() > 0.0
}

#[test]
fn solids_collide_unless_something_is_said() {
    assert!(collides(&model("", "")));
}

#[test]
fn one_of_two_solids_may_ignore_the_other() {
    assert!(!collides(&model(r#", ignores = ["plate"]"#, "")));
    assert!(!collides(&model("", r#", ignores = ["ball"]"#)));
}

#[test]
fn both_groups_must_agree_to_collide() {
    let group = r#", group = "debris""#;
    assert!(collides(&model(group, "")));
    assert!(collides(&model(group, r#", collides_with = ["debris"]"#)));
    assert!(!collides(&model("", r#", group = "debris", collides_with = ["debris"]"#)));
    assert!(!collides(&model(r#", group = "debris", collides_with = ["debris"]"#, "")));
    assert!(!collides(&model(r#", collides_with = []"#, "")));
    assert!(collides(&model(r#", group = "debris", collides_with = ["default"]"#, "")));
}

#[test]
fn an_ignored_instance_stands_for_its_members() {
    let floor = r#"
[instances.hall]
assembly = "Hall"
[assemblies.Hall.objects.floor]
fixed = true
solid = { shape = "box", lengths = [1, 1, 0.1], material = "Steel", collides = true }
"#;
    let without_plate = |ball: &str| {
        let text = model(ball, "");
        let (head, tail) = (text.find("[objects.plate]").unwrap(), text.find("[objects.ball]").unwrap());
        format!("{}{}{floor}", &text[..head], &text[tail..])
    };
    assert!(collides(&without_plate("")));
    assert!(!collides(&without_plate(r#", ignores = ["hall"]"#)));
    assert!(!collides(&without_plate(r#", ignores = ["hall.floor"]"#)));
}

#[test]
fn names_that_mean_nothing_come_with_the_nearest_one() {
    let error = interface(&model(r#", ignores = ["plaet"]"#, "")).unwrap_err();
    assert!(error.contains("there is no object `plaet`") && error.contains("did you mean `plate`"), "{error}");
    let error = interface(&model(r#", group = "debris""#, r#", collides_with = ["debirs"]"#)).unwrap_err();
    assert!(error.contains("no solid belongs to the collision group `debirs`"), "{error}");
    assert!(error.contains("did you mean `debris`"), "{error}");
}
