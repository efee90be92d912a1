//! Andrews' squeezing mechanism against the published solution of the test set for initial value problem solvers.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, object, revolute, spring};
use mbs::declaration::{Declaration, StartKind};

/// Name, mass, centre of mass in the plane, inertia, and the joint's name, place, start value.
type Body = (&'static str, f64, [f64; 2], f64, &'static str, &'static str, f64);

const BODIES: [Body; 7] = [
    ("K1", 0.04325, [0.00092, 0.0], 2.194e-6, "beta", "world", -0.061_713_890_014_276_5),
    ("K2", 0.00365, [-0.0115, 0.0], 4.410e-7, "theta", "F", 0.0),
    ("K3", 0.02373, [0.01043, -0.01874], 5.255e-6, "gamma", "B", 0.455_279_819_163_070_38),
    ("K5", 0.07050, [0.02308, 0.00916], 1.169e-5, "delta", "A", 0.487_364_979_543_842_55),
    ("K4", 0.00706, [0.0, -0.00579], 5.667e-7, "phi", "G", 0.222_668_390_165_885_88),
    ("K7", 0.05498, [-0.00449, -0.01228], 1.912e-5, "epsilon", "A", 1.230_547_444_549_821_2),
    ("K6", 0.00706, [0.00579, 0.0], 5.667e-7, "omega", "H", -0.222_668_390_165_885_88),
];

const FRAMES: [(&str, &str, [f64; 3]); 11] = [
    ("A", "world", [-0.06934, -0.00227, 0.0]),
    ("B", "world", [-0.03635, 0.03273, 0.0]),
    ("C", "world", [0.014, 0.072, 0.0]),
    ("F", "K1", [0.007, 0.0, 0.0]),
    ("E2", "K2", [-0.028, 0.0, 0.0]),
    ("E3", "K3", [0.0, -0.035, 0.0]),
    ("D", "K3", [0.02, -0.018, 0.0]),
    ("E4", "K4", [0.0, -0.02, 0.0]),
    ("G", "K5", [0.04, 0.0, 0.0]),
    ("E6", "K6", [0.02, 0.0, 0.0]),
    ("H", "K7", [0.0, -0.04, 0.0]),
];

fn andrews() -> Declaration {
    let mut model = ModelBuilder::new("AndrewsSqueezer");
    for (name, m, center, i, joint, at, angle) in BODIES {
        let kind = if joint == "beta" || joint == "theta" { StartKind::Fixed } else { StartKind::Guess };
        let mut hinge = revolute(joint, at, name, "z").position(angle).position_kind(kind);
        if joint == "beta" {
            hinge = hinge.force(0.033);
        }
        model = model.object(object(name).mass(m, [center[0], center[1], 0.0], [i, i, i, 0.0, 0.0, 0.0])).joint(hinge);
    }
    for (name, on, r) in FRAMES {
        model = model.object(object(name).on(on).r(r));
    }
    for end in ["E3", "E4", "E6"] {
        model = model.joint(revolute(&format!("meet_{end}"), "E2", end, "z"));
    }
    model.force(spring("spring", "C", "D", 4530.0).rest_length(0.07785)).build().unwrap()
}

#[test]
fn andrews_mechanism_meets_the_published_solution() {
    let published = [
        ("beta", 15.810_771_2),
        ("theta", -15.756_371_1),
        ("gamma", 0.040_822_240_1),
        ("delta", 0.524_409_974),
        ("phi", -0.534_730_118),
        ("epsilon", 1.048_080_74),
        ("omega", 0.534_730_118),
    ];
    let mut run = start(&andrews(), 1e-10);
    run.to(0.03);
    for (joint, value) in published {
        let found = run.value(&format!("{joint}.phi"));
        assert_near(found, value, 2e-6 * value.abs(), joint);
    }
}
