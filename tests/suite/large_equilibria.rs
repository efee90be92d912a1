//! Equilibria found with the structured matrix, of mechanisms with many coordinates and of heaps, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs::simulation::{CoordinateRole, Equilibrium};
use mbs_model::MemoryFiles;
use multibody_fmu::{EquilibriumConditions, Interface, Session};

const G: f64 = 9.81;
const DENSITY_OF_WOOD: f64 = 700.0;

fn session(text: &str) -> Session {
    let model = mbs_model::parse(text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
    session.initialize(0.0, None).and_then(|()| session.finish_initialization()).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn equilibrium(session: &mut Session, held: &[usize]) -> Equilibrium {
    let order = EquilibriumConditions { held: held.to_vec(), ..EquilibriumConditions::default() };
    session.equilibrium(&order).unwrap_or_else(|e| panic!("{e}")).equilibrium
}

fn position(found: &Equilibrium, name: &str) -> f64 {
    let at = found.coordinates.iter().find(|at| at.name.position == name).unwrap_or_else(|| panic!("no {name}"));
    at.position.unwrap()
}

/// Masses that hang from each other on springs.
fn hanging(n: usize) -> String {
    format!(
        r#"
        name = "Hanging"
        gravity = [0, 0, -9.81]
        assemblies.Link = {{ objects = {{ weight = {{ mass = {{ m = 0.5, inertia = [0.01, 0.01, 0.01] }} }} }}, joints = {{ spring = {{ type = "prismatic", from = "origin", to = "weight", axis = "z", damping = 3, spring = {{ stiffness = 2000, rest = -0.1 }} }} }} }}
        instances.link = {{ assembly = "Link", count = {n}, chain = "weight" }}
        "#
    )
}

#[test]
fn a_hundred_masses_on_springs_hang_as_their_weights_say() {
    const N: usize = 100;
    let mut session = session(&hanging(N));
    let found = equilibrium(&mut session, &[]);
    for k in 1..=N {
        let load = (N - k + 1) as f64 * 0.5 * G;
        let s = position(&found, &format!("link[{k}].spring.s"));
        assert!((s + 0.1 + load / 2000.0).abs() < 1e-10, "spring {k}: {s}");
    }
    assert!(found.indifferent().is_empty());
    assert!(found.largest_acceleration() < 1e-9, "{}", found.largest_acceleration());
}

/// Pendulums beside each other; the first one stands upright.
fn row(n: usize) -> String {
    format!(
        r#"
        name = "Row"
        gravity = [0, -9.81, 0]
        assemblies.Pendulum.parameters.start = 0
        assemblies.Pendulum.objects.rod.mass = {{ m = 1, center = [0, -0.3, 0], inertia = [0.01, 0.01, 0.01] }}
        assemblies.Pendulum.joints.hinge = {{ type = "revolute", from = "origin", to = "rod", axis = "z", phi = "start" }}
        instances.p = {{ assembly = "Pendulum", count = {n}, r = ["i", 0, 0], arguments = {{ start = "pi - 0.6*min(i - 1, 1)" }} }}
        "#
    )
}

#[test]
fn pendulums_that_start_high_come_down_but_for_one_that_is_held() {
    let mut session = session(&row(80));
    let names = session.degrees_of_freedom().unwrap();
    let held = names.iter().position(|name| name.position == "p[1].hinge.phi").unwrap();
    let found = equilibrium(&mut session, &[held]);
    assert_eq!(position(&found, "p[1].hinge.phi"), std::f64::consts::PI);
    assert_eq!(found.coordinates[held].role, CoordinateRole::Held);
    for k in 2..=80 {
        assert!(position(&found, &format!("p[{k}].hinge.phi")).abs() < 1e-8, "{k}");
    }
}

#[test]
fn what_nothing_determines_is_named_alone_and_together() {
    // Carts on a rail, each tied to the next by a spring: where the whole row is, nothing says. Their wheels of fortune
    // turn about vertical axes.
    let mut session = session(
        r#"
        name = "Train"
        gravity = [0, 0, -9.81]
        assemblies.Cart.objects.car = { mass = { m = 2, inertia = [0.1, 0.1, 0.1] } }
        assemblies.Cart.objects.wheel = { mass = { m = 0.1, inertia = [0.01, 0.01, 0.01] } }
        assemblies.Cart.joints.rail = { type = "prismatic", from = "world", to = "car", axis = "x", s = "1.1*k" }
        assemblies.Cart.joints.axle = { type = "revolute", from = "car", to = "wheel", axis = "z", phi = 0.25 }
        assemblies.Cart.parameters.k = 0
        instances.cart = { assembly = "Cart", count = 40, arguments = { k = "i" } }
        assemblies.Spring.parameters = { k = 1, next = 2 }
        assemblies.Spring.forces.spring = { type = "spring", from = "cart[k].car", to = "cart[next].car", stiffness = 500, rest_length = 1 }
        instances.spring = { assembly = "Spring", count = 39, arguments = { k = "i", next = "i + 1" } }
        "#,
    );
    let found = equilibrium(&mut session, &[]);
    for k in 1..40 {
        let gap = position(&found, &format!("cart[{}].rail.s", k + 1)) - position(&found, &format!("cart[{k}].rail.s"));
        assert!((gap - 1.0).abs() < 1e-9, "{k}: {gap}");
    }
    let indifferent = found.indifferent();
    let axles = indifferent.iter().filter(|name| name.ends_with("axle.phi")).count();
    let rails = indifferent.iter().filter(|name| name.ends_with("rail.s")).count();
    assert_eq!((axles, rails), (40, 1), "{indifferent:?}");
    assert_eq!(position(&found, "cart[7].axle.phi"), 0.25, "what is indifferent stays");
    let named = indifferent.iter().find(|name| name.ends_with("rail.s")).unwrap();
    let number: f64 = named["cart[".len()..].split(']').next().unwrap().parse().unwrap();
    assert_eq!(position(&found, named), 1.1 * number, "{named}");
}

#[test]
fn the_bars_of_a_mobile_are_indifferent_and_stay() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/Mobile");
    let mut session = Session::new(crate::support::interface(&folder));
    session.initialize(0.0, None).and_then(|()| session.finish_initialization()).unwrap_or_else(|e| panic!("{e}"));
    let found = equilibrium(&mut session, &[]);
    // Every bar hangs in its middle, with the same weight at both ends: it may turn, and its rods turn back.
    assert_eq!(found.indifferent().len(), 31);
    for at in &found.coordinates {
        let position = at.position.unwrap();
        let is_exact = position == 0.0;
        assert!(if at.role == CoordinateRole::Indifferent { is_exact } else { position.abs() < 1e-9 }, "{at:?}");
    }
}

/// Boxes of 8 kg that start above each other, `gap` \[m\] apart, each turned and moved against the one below.
fn tower(n: usize, gap: f64) -> String {
    let forces = (1..=n).map(|k| format!("\"contact.{}_box[{k}].body.f_n\"", below(k)));
    let forces = forces.collect::<Vec<_>>().join(", ");
    format!(
        r#"
        name = "Tower"
        gravity = [0, 0, -9.81]
        outputs = [{forces}]
        objects.plate = {{ fixed = true, r = [0, 0, -0.05], solid = {{ shape = "box", lengths = [1, 1, 0.1], material = "Steel", collides = true }} }}
        assemblies.Box.objects.body = {{ free = true, solid = {{ shape = "box", lengths = [0.1, 0.1, 0.1], mass = 8, material = "Steel", collides = true }} }}
        instances.box = {{ assembly = "Box", count = {n}, r = ["0.01*mod(i, 2)", 0, "0.05 + {gap} + (i - 1)*(0.1 + {gap})"], rotation = {{ axis = "z", angle = "0.2*i" }} }}
        "#
    )
}

fn below(box_number: usize) -> String {
    if box_number == 1 { "plate".to_owned() } else { format!("box[{}].body", box_number - 1) }
}

#[test]
fn boxes_above_each_other_are_set_down_and_carry_what_stands_on_them() {
    const N: usize = 6;
    let mut session = session(&tower(N, 2e-3));
    let found = equilibrium(&mut session, &[]);
    // Faces that carry at one side tilt, and friction would hold what slides then.
    assert!(found.largest_acceleration() < 1e-3 * G, "{}", found.largest_acceleration());
    for k in 1..=N {
        let name = format!("contact.{}_box[{k}].body.f_n", below(k));
        let variable = session.interface().find(&name).unwrap_or_else(|| panic!("{name}"));
        let force = session.get(variable).unwrap();
        let weight = (N - k + 1) as f64 * 8.0 * G;
        assert!((force - weight).abs() < 1e-5 * weight, "box {k}: {force} N, {weight} N stand there");
    }
}

/// Walls that stand upright carry nothing.
#[test]
fn balls_come_to_rest_on_each_other_in_a_box() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/SpherePile/model.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let text = text
        .replace("n = { value = 100", "n = { value = 27")
        .replace("\"number_of_contacts\",", "\"floor.contact.f[3]\",");
    let mut session = session(&text);
    let found = equilibrium(&mut session, &[]);
    assert!(found.largest_acceleration() < 1e-4, "{}", found.largest_acceleration());
    let carried = session.interface().find("floor.contact.f[3]").unwrap();
    let weight = 27.0 * DENSITY_OF_WOOD * std::f64::consts::PI / 6.0 * 0.04_f64.powi(3) * G;
    let carried = session.get(carried).unwrap();
    assert!((carried + weight).abs() < 1e-4 * weight, "{carried} N on the floor, balls of {weight} N");
}
