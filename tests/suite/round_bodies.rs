//! Round bodies that collide in free flight, and that roll.
#![allow(clippy::unwrap_used)]

use crate::support::started;

const TWO_CYLINDERS: &str = r#"name = "TwoCylinders"
[materials]
Steel = { density = 1000, youngs_modulus = 2e11, poissons_ratio = 0.3 }
[[material_pairs]]
materials = ["Steel", "Steel"]
cor = 1
mu_k = 0
[objects.a]
free = { v = [0.04817365578760942, -0.03179734390557774, 0.04218157678562448], w = [-1.0730930633614948, 3.3274885788191, -0.919456328812416] }
r = [0, 0, 0]
rotation = { quaternion = [0.8062695584627473, -0.32783982077560986, 0.29166658146386276, -0.3967128133389271] }
solid = { shape = "cylinder", axis = "z", diameter = 0.06374247330089346, length = 0.03215894683020236, material = "Steel", collides = true }
[objects.b]
free = { v = [-1.2991088082752091, -0.045023004227891544, -0.079607435636666], w = [-2.4507571994818527, 0.07641693484207468, 2.533960292376168] }
r = [0.16, 0, 0]
rotation = { quaternion = [0.13903536009675307, -0.10282093525237435, 0.9147984389172734, -0.3650216980826113] }
solid = { shape = "cylinder", axis = "z", diameter = 0.04865801002408561, length = 0.07663366679596745, material = "Steel", collides = true }
"#;

/// The faces that a search for patches leaves enclose a region outside both cylinders at 0.101 s, after they have parted:
/// pressing there would give them 265 times their energy.
#[test]
fn cylinders_that_have_parted_do_not_press() {
    let (interface, mut session) = started(TWO_CYLINDERS, Some(1e-7));
    let energy = interface.find("energy.total").unwrap();
    let before = session.get(energy).unwrap();
    for k in 1..=200 {
        session.do_step(0.001 * f64::from(k)).unwrap();
        let now = session.get(energy).unwrap();
        assert!(now < 1.02 * before, "{now} J of {before} J at {} s", 0.001 * f64::from(k));
    }
}

/// Numbers from -1 to 1.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed * 7919 + 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    }
}

/// A cylinder or a cone that meets a box or another cylinder, both somehow turned and spinning.
fn collision(seed: u64, modulus: f64) -> String {
    let mut next = random(seed);
    let mut solid = |is_box: bool, is_cone: bool| {
        let [x, y, z] = [0; 3].map(|_| 0.065 + 0.025 * next());
        match (is_box, is_cone) {
            (true, _) => format!(r#"shape = "box", lengths = [{x}, {y}, {z}]"#),
            (_, true) => format!(r#"shape = "cone", axis = "z", diameter = {x}, top_diameter = 0, length = {y}"#),
            _ => format!(r#"shape = "cylinder", axis = "z", diameter = {x}, length = {y}"#),
        }
    };
    let solids = [solid(false, seed.is_multiple_of(3)), solid(seed.is_multiple_of(2), false)];
    let mut text = format!(
        r#"name = "Collision"
[materials]
Stuff = {{ density = 1000, youngs_modulus = {modulus:?}, poissons_ratio = 0.3 }}
[[material_pairs]]
materials = ["Stuff", "Stuff"]
cor = 1
mu_k = 0
"#
    );
    for (k, solid) in solids.iter().enumerate() {
        let speed = -1.2 * k as f64;
        let v = [speed + 0.2 * next(), 0.07 * next(), 0.07 * next()];
        let [w, q] = [[0; 4].map(|_| 5.0 * next()), [0; 4].map(|_| next())];
        let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        let q = q.map(|c| c / length);
        text += &format!(
            "[objects.b{k}]\nfree = {{ v = {v:?}, w = {:?} }}\nr = [{}, 0, 0]\nrotation = {{ quaternion = {q:?} }}\n\
             solid = {{ {solid}, material = \"Stuff\", collides = true }}\n",
            &w[..3],
            0.16 * k as f64
        );
    }
    text
}

/// The energy before and after is kinetic; a polygon that turns with the direction to the other body alone changed it by
/// up to 15 %.
#[test]
fn elastic_collisions_of_round_bodies_keep_the_energy() {
    for seed in 0..12 {
        for modulus in [1e8, 2e11] {
            let (interface, mut session) = started(&collision(seed, modulus), Some(1e-7));
            let [total, kinetic] = ["energy.total", "energy.kinetic"].map(|name| interface.find(name).unwrap());
            let before = session.get(kinetic).unwrap();
            session.do_step(0.2).unwrap();
            let change = session.get(total).unwrap() / before - 1.0;
            assert!(change.abs() < 6e-4, "{seed}, {modulus} Pa: {change:e}");
        }
    }
}

/// Hinges do not hold round sides along each other, which collide all the same: at an instant, and without loss.
#[test]
fn what_hinges_cannot_hold_collides_by_impulses() {
    for seed in 0..12 {
        let text = collision(seed, 1e9);
        let text = text.replacen("[materials]", "contact = { law = \"rigid\", resting = \"hinges\" }\n[materials]", 1);
        let (interface, mut session) = started(&text, Some(1e-9));
        let [kinetic, impacts, deep] =
            ["energy.kinetic", "impact_count", "contact.b0_b1.delta"].map(|name| interface.find(name).unwrap());
        let before = session.get(kinetic).unwrap();
        for k in 1..=200 {
            session.do_step(0.001 * f64::from(k)).unwrap();
            assert!(session.get(deep).unwrap() < 1e-9, "{seed}: elastic at {k} ms");
        }
        assert!(session.get(impacts).unwrap() >= 1.0, "{seed}: no impact");
        let change = session.get(kinetic).unwrap() / before - 1.0;
        assert!(change.abs() < 1e-7, "{seed}: {change:e}");
    }
}

/// A cone on its side begins to roll about its tip on tilted ground. Its side turns with the axis, which swings around:
/// that its surface seemed to press on one half and to part on the other braked it by 30 %.
#[test]
fn a_cone_rolls_about_its_tip_as_on_hinges() {
    let model = |contact: &str| {
        format!(
            r#"name = "RollingCone"
gravity = [2.9, 0, -9.37]
contact = {{ {contact} }}
[materials]
Stuff = {{ density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }}
[[material_pairs]]
materials = ["Stuff", "Stuff"]
cor = 0.5
mu_k = 2
[objects.ground]
fixed = true
r = [0, 0, -0.1]
solid = {{ shape = "box", lengths = [20, 20, 0.2], material = "Stuff", collides = true, massless = true }}
[objects.cone]
free = true
r = [0, 0, 0.044721359549995794]
rotation = {{ quaternion = [0.5198277184345501, 0.8410989167214122, 0.12711966818728643, 0.07856427557835174] }}
solid = {{ shape = "cone", axis = "z", diameter = 0.1, top_diameter = 0, length = 0.1, material = "Stuff", collides = true }}
"#
        )
    };
    let run = |contact: &str| {
        let (interface, mut session) = started(&model(contact), Some(1e-7));
        session.do_step(0.5).unwrap();
        ["cone.w_abs[1]", "cone.w_abs[2]", "cone.w_abs[3]", "energy.kinetic"]
            .map(|name| session.get(interface.find(name).unwrap()).unwrap())
    };
    let (elastic, hinged) = (run(r#"law = "elastic""#), run(r#"law = "rigid", resting = "hinges""#));
    assert!(hinged[3] > 0.04, "{hinged:?}");
    for (a, b) in elastic.iter().zip(&hinged) {
        assert!(
            (a - b).abs() < 5e-3 * hinged[..3].iter().fold(0.0, |m: f64, w| m.max(w.abs())),
            "{elastic:?} {hinged:?}"
        );
    }
}

/// A body that rolls is set down: its side touches along a line, which does not move. The corners of a side of its polygon
/// would meet the ground with a tenth of its speed.
#[test]
fn what_rolls_is_set_down_without_a_blow() {
    for solid in [
        r#"shape = "cylinder", axis = "z", diameter = 0.1, length = 0.1"#,
        r#"shape = "cylinder", axis = "z", diameter = 0.1, length = 0.1, inner_diameter = 0.08"#,
        r#"shape = "capsule", axis = "z", diameter = 0.1, length = 0.1"#,
    ] {
        for cor in [0.0, 0.5] {
            for gap in [0.0, 1e-3] {
                let text = format!(
                    r#"name = "SetDown"
gravity = [0, 0, -9.81]
contact = {{ law = "rigid", resting = "elastic" }}
[materials]
Stuff = {{ density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }}
[[material_pairs]]
materials = ["Stuff", "Stuff"]
cor = {cor}
mu_k = 0.5
[objects.ground]
fixed = true
r = [0, 0, -0.1]
solid = {{ shape = "box", lengths = [20, 20, 0.2], material = "Stuff", collides = true, massless = true }}
[objects.body]
free = {{ v = [0.5, 0, 0], w = [0, 10, 0] }}
r = [0, 0, {}]
rotation = [1.5707963267948966, 0, 0]
solid = {{ {solid}, material = "Stuff", collides = true }}
"#,
                    0.05 + gap
                );
                let (interface, mut session) = started(&text, Some(1e-6));
                session.do_step(0.5).unwrap();
                let v = session.get(interface.find("body.v_abs[1]").unwrap()).unwrap();
                assert!((v - 0.5).abs() < 1e-5, "{solid}, cor {cor}, gap {gap}: {v} m/s");
            }
        }
    }
}

/// A wheel on a ramp that is one of several shapes.
fn wheel(contact: &str, ramp: &str, mu_r: f64) -> String {
    format!(
        "name = \"Wheel\"\n{contact}\n\
         materials = {{ M = {{ density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }}, N = {{ density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }} }}\n\
         material_pairs = [{{ materials = [\"M\", \"N\"], cor = 0, mu_k = 0.5, mu_r = {mu_r} }}]\n\
         objects.ramp = {{ fixed = true, solid = {{ shape = {ramp}, material = \"M\", collides = true }} }}\n\
         objects.wheel = {{ free = true, r = [0, 0, 0.1], solid = {{ shape = \"cylinder\", axis = \"y\", diameter = 0.2, length = 0.1, material = \"N\", collides = true }} }}\n"
    )
}

#[test]
fn rolling_resistance_without_an_effect_is_noted() {
    let noted = |contact: &str, ramp: &str, mu_r: f64| {
        let (_, mut session) = started(&wheel(contact, ramp, mu_r), None);
        let remarks = session.simulation().unwrap().scene().remarks.clone();
        remarks.into_iter().filter(|text| text.contains("mu_r")).collect::<Vec<_>>()
    };
    let face = "\"box\", lengths = [1, 1, 0.2], r = [0, 0, -0.1]";
    let said = noted("", face, 0.02);
    assert!(
        said.len() == 1 && said[0].contains("`mu_r` of `M` and `N` has no effect where `wheel` rolls on `ramp`"),
        "{said:?}"
    );
    for (contact, ramp, mu_r) in [
        ("", face, 0.0),
        ("", "\"half_space\"", 0.02),
        ("contact = { law = \"rigid\", resting = \"hinges\" }", face, 0.02),
    ] {
        assert_eq!(noted(contact, ramp, mu_r), [""; 0], "{contact} {ramp}");
    }
}
