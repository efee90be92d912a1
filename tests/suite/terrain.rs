//! Bodies on height fields, which are ground of several pieces.
#![allow(clippy::unwrap_used)]

use crate::support::started;

/// A body of 1.7 kg that flies into a bowl with waves.
fn bowl(law: &str, mu: f64, solid: &str) -> String {
    let heights: Vec<Vec<f64>> = (0..11)
        .map(|y| {
            let height = |x: i32| {
                let [u, v] = [x, y].map(|k| f64::from(k) / 5.0 - 1.0);
                let waves = 0.04 * (3.0 * f64::from(x) + 2.0 * f64::from(y)).sin();
                ((0.5 * (u * u + v * v) + waves) * 1e4).round() / 1e4
            };
            (0..11).map(height).collect()
        })
        .collect();
    format!(
        "name = \"Bowl\"\ngravity = [0, 0, -9.81]\ncontact = {{ law = \"{law}\" }}\noutputs = [\"energy.total\", \"contact\"]\n\
         materials = {{ M = {{ density = 2000, youngs_modulus = 1e9, poissons_ratio = 0.3 }} }}\n\
         material_pairs = [{{ materials = [\"M\", \"M\"], cor = 0.2, mu_k = {mu} }}]\n\
         [objects.ground]\nfixed = true\n\
         solid = {{ shape = \"height_field\", lengths = [2, 2], heights = {heights:?}, material = \"M\", collides = true }}\n\
         [objects.body]\nfree = {{ v = [-0.73, 0.826, 0], w = [-1.51, -0.802, -1.5] }}\n\
         r = [0.06, -0.39, 0.518]\nrotation = [-0.3655, -0.5362, -1.898]\n\
         solid = {{ {solid}, mass = 1.683, material = \"M\", collides = true }}\n"
    )
}

/// The pressure of a piece acts across its own plane, which need not be that of the ground as a whole.
#[test]
fn without_friction_there_is_no_friction_force() {
    let (interface, mut session) =
        started(&bowl("elastic", 0.0, "shape = \"capsule\", diameter = 0.1, length = 0.12"), None);
    let names = ["f_n", "f_t[1]", "f_t[2]", "f_t[3]"].map(|part| format!("contact.ground_body.{part}"));
    let places = names.map(|name| interface.find(&name).unwrap());
    let mut touching = 0;
    for k in 1..=300 {
        session.do_step(5e-3 * f64::from(k)).unwrap();
        let [f_n, x, y, z] = places.map(|k| session.get(k).unwrap());
        let f_t = x.hypot(y).hypot(z);
        assert!(f_t <= 1e-9 * f_n, "friction of {f_t} N beside {f_n} N at {} s", session.simulation().unwrap().time());
        touching += u32::from(f_n > 1.0);
    }
    assert!(touching > 50, "{touching} points of time at which it touches");
}

/// Sectors of a tube and pieces of the ground are in each other at their inner walls without pressing, which is no
/// meeting that a step has to find.
#[test]
fn a_tube_on_rigid_ground_takes_steps_as_other_bodies_do() {
    let tube = "shape = \"cylinder\", axis = \"x\", diameter = 0.2, inner_diameter = 0.15, length = 0.0545";
    let (_, mut session) = started(&bowl("rigid", 0.1, tube), Some(1e-5));
    session.do_step(0.5).unwrap();
    session.do_step(0.6).unwrap();
    let steps = session.statistics().unwrap().integrator.steps;
    assert!(steps < 4000, "{steps} steps");
}
