//! Rigid parts that prescribed motions drive into each other.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{Interface, Session};

use crate::support::started;

/// A box on a table, which a pusher presses by `over` \[m\] too far against a wall; a ball falls on it at 0.7 s.
fn press(law: &str, over: f64) -> String {
    let solid = |lengths: &str, more: &str| {
        format!("solid = {{ shape = \"box\", lengths = {lengths}, material = \"M\", collides = true{more} }}")
    };
    [
        "name = \"Press\"".to_owned(),
        "gravity = [0, 0, -9.81]".to_owned(),
        format!("contact = {{ {law} }}"),
        "materials = { M = { density = 1000, youngs_modulus = 1e8, poissons_ratio = 0.3 } }".to_owned(),
        "material_pairs = [{ materials = [\"M\", \"M\"], cor = 0.2, mu_k = 0.5 }]".to_owned(),
        format!("objects.table = {{ fixed = true, r = [0, 0, -0.05], {} }}", solid("[1, 1, 0.1]", "")),
        format!("objects.wall = {{ fixed = true, r = [0.05, 0, 0.05], {} }}", solid("[0.1, 0.1, 0.09]", "")),
        format!("objects.part = {{ free = true, r = [-0.027, 0, 0.025], {} }}", solid("[0.05, 0.05, 0.05]", "")),
        format!(
            "objects.push = {{ {} }}",
            solid("[0.02, 0.04, 0.04]", ", r = [-0.06, 0, 0.03], ignores = [\"table\"]")
        ),
        "objects.ball = { free = true, r = [-0.02, 0.01, 2.471], solid = { shape = \"sphere\", diameter = 0.04, \
         material = \"M\", collides = true } }"
            .to_owned(),
        format!(
            "joints.j = {{ type = \"prismatic\", from = \"world\", to = \"push\", axis = \"x\", \
             motion = \"-0.02 + (0.02 + {over})*smoothstep(time, 0, 0.5)\" }}"
        ),
    ]
    .join("\n")
}

struct Pressed {
    forces: [f64; 2],
    place: f64,
    events: u64,
}

/// The press after 1.2 s, when the ball lies on the box.
fn pressed(law: &str, over: f64) -> Pressed {
    let text = press(law, over);
    let model = mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
    let run = session.initialize(0.0, Some(1e-5)).and_then(|()| session.finish_initialization());
    run.and_then(|()| session.do_step(1.2)).unwrap_or_else(|e| panic!("{law}, {over} m: {e}"));
    let mut get = |name: &str| {
        let k = session.interface().find(name).unwrap_or_else(|| panic!("{name}"));
        session.get(k).unwrap_or_else(|e| panic!("{e}"))
    };
    let forces = ["contact.wall_part.f_n", "contact.part_push.f_n"].map(&mut get);
    Pressed { forces, place: get("part.r_abs[1]"), events: session.statistics().unwrap().events }
}

#[test]
fn parts_are_elastic_where_motions_drive_them_into_each_other() {
    for over in [1e-6, 1e-5, 1e-4, 1e-3] {
        let elastic = pressed("law = \"elastic\"", over);
        for law in ["law = \"rigid\"", "law = \"rigid\", resting = \"hinges\""] {
            let rigid = pressed(law, over);
            for (a, b) in rigid.forces.iter().zip(elastic.forces) {
                assert!((a - b).abs() < 0.02 * b + 1.0, "{law}, {over} m: {:?} {:?}", rigid.forces, elastic.forces);
            }
            // Friction on the table carries a part.
            assert!((rigid.place - elastic.place).abs() < 0.1 * over, "{law}, {over} m: {}", rigid.place);
            assert!(rigid.events < 150, "{law}, {over} m: {}", rigid.events);
        }
    }
}

/// Boxes and a ball in a row on a floor between a stop and a pusher, which leaves them too little room.
fn row(law: &str, cor: f64, mu: f64, over: f64) -> String {
    let collides = |shape: &str| format!("solid = {{ {shape}, material = \"M\", collides = true }}");
    let cube = "shape = \"box\", lengths = [0.05, 0.05, 0.05]";
    [
        "name = \"Row\"".to_owned(),
        "gravity = [0, 0, -9.81]".to_owned(),
        format!("contact = {{ {law} }}"),
        "materials = { M = { density = 2000, youngs_modulus = 1e9, poissons_ratio = 0.3 } }".to_owned(),
        format!("material_pairs = [{{ materials = [\"M\", \"M\"], cor = {cor}, mu_k = {mu} }}]"),
        format!("objects.floor = {{ fixed = true, {} }}", collides("shape = \"half_space\"")),
        format!("objects.stop = {{ fixed = true, r = [0.185, 0, 0.035], {} }}", collides(cube)),
        format!("objects.one = {{ free = true, r = [0, 0, 0.025], {} }}", collides(cube)),
        format!(
            "objects.two = {{ free = true, r = [0.055, 0.01, 0.025], rotation = [0, 0, 0.05], {} }}",
            collides(cube)
        ),
        format!(
            "objects.three = {{ free = true, r = [0.11, 0, 0.03], {} }}",
            collides("shape = \"sphere\", diameter = 0.06")
        ),
        format!(
            "objects.push = {{ {} }}",
            collides("shape = \"box\", lengths = [0.04, 0.06, 0.04], r = [-0.05, 0, 0.03]")
        ),
        format!(
            "joints.j = {{ type = \"prismatic\", from = \"world\", to = \"push\", axis = \"x\", \
             motion = \"(0.0225 + {over})*smoothstep(time, 0, 0.2)\" }}"
        ),
    ]
    .join("\n")
}

#[test]
fn rows_that_are_squeezed_are_not_thrown_away() {
    for law in ["law = \"rigid\"", "law = \"rigid\", resting = \"hinges\""] {
        for (cor, mu, over) in [(0.0, 0.1, 1.2e-4), (0.7, 0.1, 5e-4), (0.7, 0.3, 6.2e-5), (0.0, 0.3, 1e-5)] {
            let text = row(law, cor, mu, over);
            let model =
                mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
            let mut session =
                Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
            let start = session.initialize(0.0, Some(1e-5)).and_then(|()| session.finish_initialization());
            start.unwrap_or_else(|e| panic!("{e}"));
            for k in 1..=15 {
                session.do_step(0.02 * f64::from(k)).unwrap_or_else(|e| panic!("{law}, {cor}, {mu}, {over} m: {e}"));
                let energy = session.interface().find("energy.kinetic").unwrap();
                let kinetic = session.get(energy).unwrap();
                assert!(kinetic < 0.05, "{law}, {cor}, {mu}, {over} m: {kinetic} J");
            }
        }
    }
}

/// A ball that bounces between the ground and a piston that comes down has no end of impacts: it is pressed elastically
/// in the end.
#[test]
fn a_ball_between_ground_and_piston_is_pressed() {
    for cor in [0.9, 1.0] {
        let text = format!(
            r#"name = "Piston"
contact = {{ law = "rigid", resting = "hinges" }}
materials = {{ M = {{ density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }} }}
material_pairs = [{{ materials = ["M", "M"], cor = {cor:?}, mu_k = 0 }}]
[objects.ground]
fixed = true
r = [0, 0, -0.1]
solid = {{ shape = "box", lengths = [4, 4, 0.2], material = "M", collides = true }}
[objects.ball]
free = {{ v = [0, 0, -0.5] }}
r = [0, 0, 0.1]
solid = {{ shape = "sphere", diameter = 0.1, material = "M", collides = true }}
[objects.piston]
solid = {{ shape = "box", lengths = [1, 1, 0.1], r = [0, 0, 0.05], material = "M", collides = true, ignores = ["ground"] }}
[joints.j]
type = "prismatic"
from = "world"
to = "piston"
axis = "z"
motion = "0.3-0.25*time"
"#
        );
        let (interface, mut session) = started(&text, Some(1e-7));
        session.do_step(0.9).unwrap_or_else(|e| panic!("{cor}: {e}"));
        let mut get = |name: &str| session.get(interface.find(name).unwrap()).unwrap();
        // The piston is 75 mm above the ground.
        let depths = ["contact.ground_ball.delta", "contact.ball_piston.delta"].map(&mut get);
        assert!((depths[0] + depths[1] - 0.025).abs() < 1e-9, "{cor}: {depths:?}");
        assert!(get("impact_count") > 10.0, "{cor}");
    }
}
