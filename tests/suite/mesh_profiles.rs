//! Bodies that drive each other by the profiles of their meshes.
#![allow(clippy::unwrap_used)]

use crate::support;
use multibody_fmu::{Interface, Session};
use std::f64::consts::PI;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Once the speed is constant, the pinion of 12 teeth turns the wheel of 24 half as fast and carries half of its load,
/// tooth by tooth.
#[test]
fn a_pinion_turns_a_wheel_as_their_teeth_say() {
    let interface = support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/GearPair"));
    let find = |name: &str| interface.find(name).unwrap();
    let [pinion, wheel, torque, load, slip] = ["pinion.w", "wheel.w", "pinion.tau", "load", "slip"].map(find);
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-5)).unwrap();
    let (mut torques, mut loads, mut slips) = (Vec::new(), Vec::new(), Vec::new());
    // From 0.05 s on the pinion runs at constant speed, and passes a tooth and a half.
    for k in 0..=160 {
        session.do_step(0.05 + 2.5e-4 * f64::from(k)).unwrap();
        let [pinion, wheel, torque, load, slip] = [pinion, wheel, torque, load, slip].map(|k| session.get(k).unwrap());
        assert!((pinion / -wheel - 2.0).abs() < 0.01, "ratio {}", pinion / -wheel);
        torques.push(torque);
        loads.push(load);
        slips.push(slip);
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let balance = mean(&torques) / (0.5 * mean(&loads));
    // Friction of the flanks takes a part.
    assert!((1.0..1.02).contains(&balance), "torque {balance} of what the ratio asks for");
    let play = slips.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)]);
    // The pinion's flanks at the base circle of 11.3 mm.
    assert!((play[1] - play[0]) * 0.0113 < 2e-6, "{play:?}");
}

/// Radius of the roller [m], and distance of its axis from that of the cam at an angle: three lobes with hollow flanks
/// between them.
const ROLLER: f64 = 0.008;
fn pitch_curve(angle: f64) -> f64 {
    0.04 + 0.006 * (3.0 * angle).cos()
}

/// The cam on which that roller runs, 20 mm thick, as OBJ.
fn cam(points: usize) -> String {
    let mut text = String::from("v 0 0 -0.01\nv 0 0 0.01\n");
    for k in 0..points {
        let angle = 2.0 * PI * k as f64 / points as f64;
        let (r, slope) = (pitch_curve(angle), -0.018 * (3.0 * angle).sin());
        // The profile is the pitch curve, moved inwards along its normal.
        let (sin, cos) = angle.sin_cos();
        let tangent = [slope * cos - r * sin, slope * sin + r * cos];
        let length = tangent[0].hypot(tangent[1]);
        let [x, y] = [r * cos - ROLLER * tangent[1] / length, r * sin + ROLLER * tangent[0] / length];
        for z in [-0.01, 0.01] {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
    }
    for k in 0..points {
        let [a, b] = [k, (k + 1) % points].map(|k| 3 + 2 * k);
        let _ = writeln!(text, "f 1 {b} {a}\nf 2 {} {}\nf {a} {b} {}\nf {a} {} {}", a + 1, b + 1, b + 1, b + 1, a + 1);
    }
    text
}

/// A roller follows the hollow flanks of a cam, which it would miss by 0.8 mm on the convex hull of the mesh.
#[test]
fn a_roller_follows_the_hollow_flanks_of_a_cam() {
    let text = "name = \"Cam\"\ngravity = [0, 0, 0]\noutputs = [\"lift.s\", \"turn.phi\"]\n\
        [[material_pairs]]\nmaterials = [\"Steel\", \"Steel\"]\nrelaxation = 1e-3\nmu_k = 0\n\
        [materials.Steel]\ndensity = 7800\nyoungs_modulus = 2e9\npoissons_ratio = 0.3\n\
        [objects.cam]\nsolid = { shape = \"mesh\", file = \"cam.obj\", convex_parts = { max_deviation = 5e-5 }, material = \"Steel\", collides = true }\n\
        [objects.roller]\nsolid = { shape = \"cylinder\", axis = \"z\", diameter = 0.016, length = 0.02, material = \"Steel\", collides = true }\n\
        [joints.turn]\ntype = \"revolute\"\nfrom = \"world\"\nto = \"cam\"\naxis = \"z\"\nmotion = \"2*pi*time^2/(0.1 + time)\"\n\
        [joints.lift]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"roller\"\naxis = \"x\"\ns = 0.04601\nforce = \"-10\"\n";
    let mut files = mbs_model::MemoryFiles::new().with("cam.obj", cam(120));
    let model = mbs_model::parse(text, "model.toml", &mut files).unwrap();
    let interface = Arc::new(Interface::new(model.declaration).unwrap());
    let [lift, turn] = ["lift.s", "turn.phi"].map(|name| interface.find(name).unwrap());
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-4)).unwrap();
    let mut largest = 0.0_f64;
    // Over one hollow and nearly to the next lobe.
    for k in 1..=35 {
        session.do_step(0.01 * f64::from(k)).unwrap();
        let [lift, turn] = [lift, turn].map(|k| session.get(k).unwrap());
        largest = largest.max((lift - pitch_curve(turn)).abs());
    }
    assert!(largest < 6e-5, "{largest} m off the profile");
}

/// A prism of 40 mm over a star whose arms are all unlike, as OBJ.
fn star() -> String {
    let outline = [[22.14, 0.0], [25.0, 43.3], [-17.76, 19.62], [-50.0, 0.0], [-20.43, -17.35], [25.0, -43.3]]
        .map(|x: [f64; 2]| x.map(|x| 1e-3 * x));
    let mut text = String::from("v 0 0 -0.02\nv 0 0 0.02\n");
    for [x, y] in outline {
        let _ = write!(text, "v {x} {y} -0.02\nv {x} {y} 0.02\n");
    }
    for k in 0..outline.len() {
        let [a, b] = [k, (k + 1) % outline.len()].map(|k| 3 + 2 * k);
        let _ = writeln!(text, "f 1 {b} {a}\nf 2 {} {}\nf {a} {b} {}\nf {a} {} {}", a + 1, b + 1, b + 1, b + 1, a + 1);
    }
    text
}

/// However a body of several convex parts falls, the ground takes no energy from it, and without friction pushes it
/// nowhere but up.
#[test]
fn parts_of_a_mesh_bounce_as_one_body() {
    let mut hits = 0;
    for rotation in [[-0.9984, -1.879, 0.7087], [0.3, 0.2, 0.0], [1.5919, -0.0288, 1.7035], [-0.6609, 1.2399, -2.4712]]
    {
        let text = format!(
            "name = \"Star\"\ngravity = [0, 0, -9.81]\noutputs = [\"energy.total\", \"contact\"]\n\
             [[material_pairs]]\nmaterials = [\"Hard\", \"Hard\"]\ncor = 1\nmu_k = 0\n\
             [materials.Hard]\ndensity = 2000\nyoungs_modulus = 5e8\npoissons_ratio = 0.3\n\
             [objects.ground]\nfixed = true\nsolid = {{ shape = \"half_space\", material = \"Hard\", collides = true }}\n\
             [objects.star]\nfree = {{ v = [0, 0, -2] }}\nr = [0, 0, 0.12]\nrotation = {rotation:?}\n\
             solid = {{ shape = \"mesh\", file = \"star.obj\", convex_parts = {{ max_deviation = 1e-4 }}, material = \"Hard\", collides = true }}\n"
        );
        let mut files = mbs_model::MemoryFiles::new().with("star.obj", star());
        let model = mbs_model::parse(&text, "model.toml", &mut files).unwrap();
        let interface = Arc::new(Interface::new(model.declaration).unwrap());
        let find = |name: &str| interface.find(name).unwrap();
        let [energy, x, y, z] =
            ["energy.total", "contact.ground_star.f[1]", "contact.ground_star.f[2]", "contact.ground_star.f[3]"]
                .map(find);
        let mut session = Session::new(interface.clone());
        session.initialize(0.0, Some(1e-7)).unwrap();
        let start = session.get(energy).unwrap();
        for k in 1..=600 {
            session.do_step(5e-4 * f64::from(k)).unwrap();
            let [energy, x, y, z] = [energy, x, y, z].map(|k| session.get(k).unwrap());
            assert!((energy / start - 1.0).abs() < 2e-5, "{rotation:?}: from {start} to {energy} J");
            assert!(x.hypot(y) <= 1e-6 * z, "{rotation:?}: {x} and {y} N beside {z} N");
            hits += u32::from(z > 1.0);
        }
    }
    assert!(hits > 20, "{hits} points of time at which it touches");
}
