//! Pairs that rest on the elastic law in place of hinges, until they part.
#![allow(clippy::unwrap_used)]

use crate::support::started;

/// A block that slides and spins with so much friction that no forces of rigid bodies balance it.
const JAMMED: &str = r#"name = "Jammed"
gravity = [6.90160866949219, 0, -6.971649573321242]
contact = { law = "rigid", resting = "hinges" }
[materials]
Stuff = { density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }
[[material_pairs]]
materials = ["Stuff", "Stuff"]
cor = 0.9
mu_k = 2
[objects.ground]
fixed = true
r = [0, 0, -0.1]
solid = { shape = "box", lengths = [40, 40, 0.2], material = "Stuff", collides = true }
[objects.block]
free = { v = [-0.8104813458735178, -0.18455822219458695, 0], w = [0, 0, 13.624582805269299] }
r = [0, 0, 0.050876763370267364]
rotation = [0, 0, 0.22378862787823928]
solid = { shape = "box", lengths = [0.08200538253406875, 0.13276664863653997, 0.10175352674053473], material = "Stuff", collides = true }
"#;

/// It begins on the elastic law, flies up by 80 mm, and collides by impulses from then on.
#[test]
fn what_has_parted_collides_by_impulses_again() {
    let (interface, mut session) = started(JAMMED, Some(1e-6));
    let [deep, impacts] = ["contact.ground_block.delta", "impact_count"].map(|name| interface.find(name).unwrap());
    let mut deepest = [0.0_f64; 2];
    for k in 1..=500 {
        let t = 0.002 * f64::from(k);
        session.do_step(t).unwrap();
        let most = &mut deepest[usize::from(t > 0.1)];
        *most = most.max(session.get(deep).unwrap());
    }
    assert!(deepest[0] > 1e-6, "it has not been elastic: {deepest:?}");
    assert!(deepest[1] < 1e-8, "it still is elastic: {deepest:?}");
    assert!(session.get(impacts).unwrap() > 3.0);
}
