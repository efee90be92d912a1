//! Round bodies that collide in free flight.
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
