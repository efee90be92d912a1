//! Round bodies on sharp edges.
#![allow(clippy::unwrap_used)]

use crate::support::started;

/// A can that is set down askew across an edge of a box and rolls over it, with friction.
const CAN_ON_EDGE: &str = r#"name = "CanOnEdge"
gravity = [0, 0, -9.81]
[materials]
Rubber = { density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }
[[material_pairs]]
materials = ["Rubber", "Rubber"]
cor = 0
mu_k = 1
v_min = 0.005
[objects.ground]
fixed = true
solid = { shape = "half_space", material = "Rubber", collides = true }
[objects.box]
free = true
r = [0, 0, 0.24782]
solid = { shape = "box", lengths = [0.52891, 0.74251, 0.49564], material = "Rubber", collides = true }
[objects.can]
free = { v = [0.54185, 0, 0], w = [0, -1.16741, 0] }
r = [0.09892, -0.07042, 0.81350]
rotation = [2.32402, 0.98333, 0]
solid = { shape = "cylinder", axis = "z", diameter = 0.36289, length = 0.44969, material = "Rubber", collides = true }
"#;

/// The polygon that stands for the can's side has no torque about its axis: rolling would take up energy from it
/// (2.5e-3 of the kinetic energy).
#[test]
fn a_can_that_rolls_over_an_edge_gains_no_energy() {
    let (interface, mut session) = started(CAN_ON_EDGE, Some(1e-7));
    let [total, kinetic] = ["energy.total", "energy.kinetic"].map(|name| interface.find(name).unwrap());
    let (mut least, mut gain, mut largest) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    for k in 0..=200 {
        session.do_step(0.004 * f64::from(k)).unwrap();
        let energy = session.get(total).unwrap();
        least = least.min(energy);
        gain = gain.max(energy - least);
        largest = largest.max(session.get(kinetic).unwrap());
    }
    assert!(gain < 2e-5 * largest, "{gain:e} J of {largest} J");
}
