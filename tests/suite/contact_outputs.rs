//! Contact results are variables: forces, geometry and relative motion per pair of objects and per object.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use multibody_fmu::{Interface, InterfaceError, Role, Session};

const MU: f64 = 0.6;
const RADIUS: f64 = 0.03;
const G: f64 = 9.81;

/// A ball slides over a table; another one flies beside it.
fn model(outputs: &str) -> String {
    format!(
        r#"
name = "Sliding"
gravity = [0, 0, -9.81]
outputs = {outputs}
experiment = {{ stop = 1, tolerance = 1e-8 }}
[materials]
Cloth = {{ density = 700, youngs_modulus = 1.1e10, poissons_ratio = 0.4 }}
[[material_pairs]]
materials = ["BilliardBall", "Cloth"]
cor = 0
mu_k = {MU}
mu_r = 0.02
[objects.table]
fixed = true
r = [0, 0, -0.025]
solid = {{ shape = "box", lengths = [10, 1, 0.05], material = "Cloth", massless = true, collides = true }}
[objects.ball]
free = {{ v = [3, 0, 0] }}
r = [0, 0, 0.03]
solid = {{ shape = "sphere", diameter = 0.06, material = "BilliardBall", mass = 0.2, collides = true }}
[objects.bird]
free = true
r = [0, 0, 5]
solid = {{ shape = "sphere", diameter = 0.06, material = "BilliardBall", mass = 0.2, collides = true }}
"#
    )
}

fn interface(text: &str) -> Result<Interface, InterfaceError> {
    Interface::new(mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap().declaration)
}

fn session(outputs: &str) -> Session {
    let mut session = Session::new(Arc::new(interface(&model(outputs)).unwrap()));
    session.initialize(0.0, None).unwrap();
    session
}

fn value(session: &mut Session, name: &str) -> f64 {
    let variable = session.interface().find(name).unwrap_or_else(|| panic!("no variable {name}"));
    session.get(variable).unwrap()
}

fn vector(session: &mut Session, name: &str) -> [f64; 3] {
    [1, 2, 3].map(|k| value(session, &format!("{name}[{k}]")))
}

fn assert_vector(found: [f64; 3], wanted: [f64; 3], tolerance: f64, what: &str) {
    for (found, wanted) in found.into_iter().zip(wanted) {
        assert!((found - wanted).abs() <= tolerance, "{what}: {found} instead of {wanted}");
    }
}

#[test]
fn a_sliding_ball_shows_the_forces_of_coulomb_friction_and_its_weight() {
    let mut session = session(r#"["contact"]"#);
    session.do_step(0.1).unwrap();
    let weight = 0.2 * G;
    assert!((value(&mut session, "contact.table_ball.f_n") / weight - 1.0).abs() < 1e-3);
    assert_vector(vector(&mut session, "contact.table_ball.n"), [0.0, 0.0, 1.0], 1e-9, "normal");
    assert_vector(vector(&mut session, "contact.table_ball.f"), [-MU * weight, 0.0, weight], 2e-3, "force");
    assert_vector(vector(&mut session, "contact.table_ball.f_t"), [-MU * weight, 0.0, 0.0], 2e-3, "friction");
    assert_vector(
        vector(&mut session, "contact.table_ball.t"),
        [0.0, -0.02 * RADIUS * weight, 0.0],
        1e-5,
        "rolling resistance",
    );
    let slip = 3.0 - (MU + 2.5 * (MU - 0.02)) * G * 0.1;
    assert_vector(vector(&mut session, "contact.table_ball.v_t"), [slip, 0.0, 0.0], 5e-3, "sliding velocity");
    let [x, _, z] = vector(&mut session, "contact.table_ball.r");
    assert!((x - value(&mut session, "ball.r_abs[1]")).abs() < 1e-9 && z.abs() < 1e-6, "{x} {z}");
    let delta = value(&mut session, "contact.table_ball.delta");
    assert!((delta - (RADIUS - value(&mut session, "ball.r_abs[3]"))).abs() < 1e-12 && delta > 0.0, "{delta}");
    assert_eq!(value(&mut session, "contact.table_ball.active"), 1.0);
}

#[test]
fn the_resultant_on_an_object_is_what_accelerates_it() {
    let mut session = session(r#"["contact"]"#);
    let h = 1e-3;
    session.do_step(0.1).unwrap();
    let (force, torque) = (vector(&mut session, "ball.contact.f"), vector(&mut session, "ball.contact.t"));
    assert_eq!(value(&mut session, "ball.contact.count"), 1.0);
    let (v, w) = (value(&mut session, "ball.v_abs[1]"), value(&mut session, "ball.w_abs[2]"));
    session.do_step(0.1 + h).unwrap();
    let acceleration = (value(&mut session, "ball.v_abs[1]") - v) / h;
    let inertia = 0.4 * 0.2 * RADIUS * RADIUS;
    let spin_up = (value(&mut session, "ball.w_abs[2]") - w) / h;
    assert!((force[0] / 0.2 - acceleration).abs() < 1e-3 * acceleration.abs(), "{force:?} {acceleration}");
    assert!((torque[1] / inertia - spin_up).abs() < 1e-3 * spin_up.abs(), "{torque:?} {spin_up}");
}

#[test]
fn either_order_of_a_pair_is_accepted_and_turns_the_signs() {
    let mut session = session(r#"["contact.table_ball", "contact.ball_table.f", "contact.ball_table.f_n"]"#);
    session.do_step(0.05).unwrap();
    let (on_ball, on_table) =
        (vector(&mut session, "contact.table_ball.f"), vector(&mut session, "contact.ball_table.f"));
    assert!(on_ball[2] > 1.0);
    assert_vector(on_table, on_ball.map(|f| -f), 0.0, "reaction");
    assert_eq!(value(&mut session, "contact.ball_table.f_n"), value(&mut session, "contact.table_ball.f_n"));
}

#[test]
fn results_of_bodies_that_do_not_touch_are_zero() {
    let mut session = session(r#"["contact.table_bird", "bird.contact"]"#);
    session.do_step(0.1).unwrap();
    let names: Vec<String> = session.interface().variables.iter().map(|v| v.name.clone()).collect();
    let of_bird: Vec<&String> =
        names.iter().filter(|n| n.starts_with("contact.table_bird.") || n.starts_with("bird.contact.")).collect();
    assert_eq!(of_bird.len(), 9 + 6 * 3 - 1 + 7);
    for name in of_bird {
        assert_eq!(value(&mut session, name), 0.0, "{name}");
    }
}

#[test]
fn a_contact_result_can_be_part_of_an_expression() {
    let output = r#"[{ name = "heavy", value = "if contact.ball_table.active then contact.table_ball.f_n / 9.81 else 0", unit = "kg" }]"#;
    let mut session = session(output);
    session.do_step(0.1).unwrap();
    assert!((value(&mut session, "heavy") - 0.2).abs() < 1e-3);
}

#[test]
fn a_pair_that_cannot_exist_is_an_error_that_says_why() {
    let error_message = |outputs: &str| interface(&model(outputs)).unwrap_err().to_string();
    let typo = error_message(r#"["contact.tabel_ball.f_n"]"#);
    assert!(typo.contains("did you mean `contact.table_ball`?"), "{typo}");
    let part = error_message(r#"["contact.table_ball.f_m"]"#);
    assert!(part.contains("f_n, f_t, f, t, delta"), "{part}");
    let expression = error_message(r#"[{ name = "x", value = "contact.table_bal.f_n" }]"#);
    assert!(expression.contains("contact.table_ball"), "{expression}");
    let filtered = model(r#"["contact.table_ball.f_n"]"#)
        .replace("[objects.ball]\nfree = { v = [3, 0, 0] }", "[objects.ball]\nfixed = true");
    let filtered = interface(&filtered).unwrap_err().to_string();
    assert!(filtered.contains("both at rest"), "{filtered}");
}

#[test]
fn a_model_of_many_bodies_has_only_the_results_it_asks_for() {
    let many = |outputs: &str| {
        let mut text = model(outputs);
        for k in 0..20 {
            text += &format!(
                "[objects.extra{k}]\nfree = true\nr = [0, 0, {}]\nsolid = {{ shape = \"sphere\", diameter = 0.06, material = \"BilliardBall\", collides = true }}\n",
                6 + k
            );
        }
        interface(&text).unwrap()
    };
    let about_contacts = |interface: &Interface| {
        interface.variables.iter().filter(|v| v.name.contains("contact.") && v.role != Role::Input).count()
    };
    assert_eq!(about_contacts(&many(r#"["ball.r_abs"]"#)), 0);
    assert_eq!(about_contacts(&many(r#"["contact.table_ball.f_n", "ball.contact.count"]"#)), 26 + 7);
}

/// Two elastic balls, one above the other, over an elastic table; the upper one comes down aside.
const ELASTIC: &str = r#"
name = "Elastic"
gravity = [0, 0, -9.81]
contact = { k_red = 1e-4 }
experiment = { stop = 1, tolerance = 1e-9 }
[materials]
Rubber = { density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.4 }
[[material_pairs]]
materials = ["Rubber", "Rubber"]
cor = 1
mu_k = 0
mu_r = 0
[objects.table]
fixed = true
solid = { shape = "half_space", material = "Rubber", collides = true }
[objects.ball]
free = true
r = [0, 0, 0.1]
solid = { shape = "sphere", diameter = 0.06, material = "Rubber", collides = true }
[objects.die]
free = { w = [1, 2, 3] }
r = [0.03, 0.01, 0.3]
solid = { shape = "box", lengths = [0.06, 0.08, 0.1], material = "Rubber", collides = true }
"#;

#[test]
fn energy_is_constant_through_elastic_impacts() {
    let mut session = Session::new(Arc::new(interface(ELASTIC).unwrap()));
    session.initialize(0.0, None).unwrap();
    let start = value(&mut session, "energy.total");
    let (mut most, mut touched) = (0.0_f64, 0);
    for k in 1..=500 {
        session.do_step(1e-3 * f64::from(k)).unwrap();
        let total = value(&mut session, "energy.total");
        most = most.max((total - start).abs());
        touched += i32::from(value(&mut session, "number_of_contacts") > 0.0);
        let parts = value(&mut session, "energy.kinetic") + value(&mut session, "energy.potential");
        assert!((total - parts).abs() <= 1e-12 * total.abs());
    }
    assert!(touched > 20, "{touched} points in contact");
    assert!(most < 1e-6 * start, "the energy {start} J changes by {most} J");
}
