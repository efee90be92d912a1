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

/// Two wheels of a chassis on the ground; nothing is known of tyres on tyres.
fn chassis(suspension: &str, track: f64) -> String {
    format!(
        r#"
name = "Chassis"
gravity = [0, 0, -9.81]
[materials]
Tyre = {{ density = 400, youngs_modulus = 2e6, poissons_ratio = 0.3 }}
Road = {{ density = 2000, youngs_modulus = 2e8, poissons_ratio = 0.3 }}
[[material_pairs]]
materials = ["Tyre", "Road"]
cor = 0.5
mu_k = 0.8
[objects.road]
fixed = true
solid = {{ shape = "half_space", axis = "z", material = "Road", collides = true }}
[objects.chassis]
free = true
r = [0, 0, 0.3]
mass = {{ m = 100, inertia = [10, 10, 10] }}
[objects.left]
parent = "chassis"
r = [0, {half}, 0]
[objects.right]
parent = "chassis"
r = [0, -{half}, 0]
[objects.hub]
mass = {{ m = 1, inertia = [1, 1, 1] }}
[joints.suspension]
{suspension}
from = "right"
to = "hub"
[objects.left_wheel]
solid = {{ shape = "cylinder", axis = "y", diameter = 0.6, length = 0.2, material = "Tyre", collides = true }}
[joints.left_axle]
type = "revolute"
from = "left"
to = "left_wheel"
axis = "y"
[objects.right_wheel]
solid = {{ shape = "cylinder", axis = "y", diameter = 0.6, length = 0.2, material = "Tyre", collides = true }}
[joints.right_axle]
type = "revolute"
from = "hub"
to = "right_wheel"
axis = "y"
"#,
        half = 0.5 * track
    )
}

#[test]
fn wheels_that_their_joints_keep_apart_need_no_contact_properties() {
    let swivel = "type = \"revolute\"\naxis = \"z\"";
    assert!(interface(&chassis(swivel, 1.4)).is_ok());
    // Half of the diagonal of a wheel is 0.316 m.
    assert!(interface(&chassis(swivel, 0.64)).is_ok());
    for (suspension, track) in [(swivel, 0.6), ("type = \"prismatic\"\naxis = \"z\"", 1.4)] {
        let error = interface(&chassis(suspension, track)).expect_err("the wheels may meet");
        for part in ["`left_wheel`", "`right_wheel`", "`Tyre`", "ignores = ["] {
            assert!(error.contains(part), "{part} is missing in: {error}");
        }
    }
}
