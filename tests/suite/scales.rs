//! A model whose lengths, times and masses are multiplied by 1024 is computed with the same steps.
//!
//! By dimensional analysis (E. Buckingham, *On physically similar systems*, Physical Review 4, 1914) the dimensionless
//! results of such a model are those of the original one. The factor is a power of two, so that rounding is the same,
//! too: any threshold of the engine in metres, seconds or joules that does not follow from the model shows. Two things
//! keep results from being the same bits: powers with exponents such as 3/2 in the law of contact, and pivots that
//! compare equations of different units. Where they count, results differ no more than after a change of the last digit
//! of a number of the model.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::started;

/// Factors on all lengths, times and masses of a model.
#[derive(Debug, Clone, Copy)]
struct Factors {
    length: f64,
    time: f64,
    mass: f64,
}

impl Factors {
    const NONE: Self = Self { length: 1.0, time: 1.0, mass: 1.0 };

    /// Factor on a quantity with a unit.
    fn of(&self, unit: &str) -> f64 {
        let [length, time, mass] = match unit {
            "rad" => [0, 0, 0],
            "m" => [1, 0, 0],
            "s" => [0, 1, 0],
            "kg" => [0, 0, 1],
            "m/s" => [1, -1, 0],
            "m/s2" => [1, -2, 0],
            "rad/s" => [0, -1, 0],
            "rad/s2" => [0, -2, 0],
            "J" | "N.m" | "N.m/rad" => [2, -2, 1],
            "N" => [1, -2, 1],
            "N.m.s/rad" => [2, -1, 1],
            "N/m" => [0, -2, 1],
            "N.s/m" => [0, -1, 1],
            "Pa" => [-1, -2, 1],
            "kg.m2" => [2, 0, 1],
            "kg/m3" => [-3, 0, 1],
            _ => panic!("no dimension of {unit}"),
        };
        self.length.powi(length) * self.time.powi(time) * self.mass.powi(mass)
    }

    /// A model text with all quantities of the form `<number unit>` multiplied.
    fn applied_to(&self, text: &str) -> String {
        let mut parts = text.split('<');
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (quantity, rest) = part.split_once('>').expect("`<number unit>`");
            let (number, unit) = quantity.split_once(' ').expect("a number and a unit");
            let number: f64 = number.parse().expect("a number");
            result += &format!("{:e}{rest}", number * self.of(unit));
        }
        result
    }
}

/// A model, what is compared with its unit, and the end of the run \[s\].
struct Case {
    text: &'static str,
    outputs: &'static [(&'static str, &'static str)],
    stop: f64,
}

/// A four-bar linkage whose start is found, with a sliding joint on it, a spring and dampers.
const LOOP: Case = Case {
    text: r#"
name = "Scaled"
gravity = [0, <-9.81 m/s2>, 0]
experiment = { stop = <2 s>, tolerance = 1e-8 }
objects.pivot1 = { parent = "world", r = [<0.2 m>, 0, 0] }
objects.pivot2 = { parent = "world", r = [<0.55 m>, 0, 0] }
objects.top1 = { parent = "bar1", r = [<0.3 m>, 0, 0] }
objects.end2 = { parent = "bar2", r = [<0.4 m>, 0, 0] }
objects.top3 = { parent = "bar3", r = [<0.25 m>, 0, 0] }
objects.bar1.solid = { shape = "box", lengths = [<0.3 m>, <0.04 m>, <0.04 m>], r = [<0.15 m>, 0, 0], mass = <1.2 kg> }
objects.bar2.solid = { shape = "box", lengths = [<0.4 m>, <0.04 m>, <0.04 m>], r = [<0.2 m>, 0, 0], mass = <1.5 kg> }
objects.bar3.solid = { shape = "box", lengths = [<0.25 m>, <0.04 m>, <0.04 m>], r = [<0.125 m>, 0, 0], mass = <0.9 kg> }
objects.bead.solid = { shape = "sphere", diameter = <0.06 m>, mass = <0.3 kg> }
joints.crank = { type = "revolute", from = "pivot1", to = "bar1", axis = "z", phi = 0.9, w = <1.5 rad/s>, damping = <0.01 N.m.s/rad> }
joints.coupler = { type = "revolute", from = "top1", to = "bar2", axis = "z", phi = { guess = -0.9 } }
joints.rocker = { type = "revolute", from = "pivot2", to = "bar3", axis = "z", phi = { guess = 1.0 }, spring = <2 N.m/rad> }
joints.closing = { type = "revolute", from = "end2", to = "top3", axis = "z" }
joints.guide = { type = "prismatic", from = "bar2", to = "bead", axis = "x", s = <0.1 m>, spring = { stiffness = <40 N/m>, rest = <0.15 m> }, damping = <0.5 N.s/m> }
"#,
    outputs: &[
        ("crank.phi", "rad"),
        ("crank.w", "rad/s"),
        ("rocker.phi", "rad"),
        ("closing.phi", "rad"),
        ("guide.s", "m"),
        ("guide.v", "m/s"),
        ("energy.total", "J"),
    ],
    stop: 2.0,
};

/// Three balls that fall on each other and on the ground, and bounce and roll.
const CONTACTS: Case = Case {
    text: r#"
name = "Scaled"
gravity = [0, 0, <-9.81 m/s2>]
experiment = { stop = <0.8 s>, tolerance = 1e-8 }
materials.Soft = { density = <1200 kg/m3>, youngs_modulus = <3e6 Pa>, poissons_ratio = 0.4 }
[[material_pairs]]
materials = ["Soft", "Soft"]
cor = 0.7
mu_k = 0.4
mu_r = 0.01
v_min = <0.01 m/s>
w_min = <0.01 rad/s>
[objects.ground]
fixed = true
solid = { shape = "half_space", material = "Soft", massless = true, collides = true }
[objects.low]
r = [0, 0, <0.15 m>]
free.v = [<0.2 m/s>, 0, 0]
solid = { shape = "sphere", diameter = <0.2 m>, material = "Soft", collides = true }
[objects.high]
free = true
r = [<0.05 m>, <0.01 m>, <0.5 m>]
solid = { shape = "sphere", diameter = <0.14 m>, material = "Soft", collides = true }
[objects.egg]
r = [<-0.03 m>, <0.02 m>, <0.8 m>]
free.w = [<3 rad/s>, <1 rad/s>, 0]
solid = { shape = "ellipsoid", lengths = [<0.1 m>, <0.12 m>, <0.15 m>], material = "Soft", collides = true }
"#,
    outputs: &[
        ("low.r_abs[1]", "m"),
        ("low.r_abs[3]", "m"),
        ("low.w_abs[2]", "rad/s"),
        ("high.r_abs[3]", "m"),
        ("high.v_abs[1]", "m/s"),
        ("egg.r_abs[3]", "m"),
        ("egg.w_abs[1]", "rad/s"),
        ("energy.total", "J"),
    ],
    stop: 0.8,
};

/// An arm that takes a load, carries it along a path and lets it fall; a brake on its other joint slips and sticks.
const STRUCTURE: Case = Case {
    text: r#"
name = "Scaled"
gravity = [0, 0, <-9.81 m/s2>]
experiment = { stop = <1.5 s>, tolerance = 1e-8 }
objects.column.solid = { shape = "box", lengths = [<0.1 m>, <0.1 m>, <0.4 m>], mass = <4 kg> }
objects.hand = { solid = { shape = "box", lengths = [<0.3 m>, <0.05 m>, <0.05 m>], r = [<0.15 m>, 0, 0], mass = <1 kg> } }
objects.grip = { parent = "hand", r = [<0.3 m>, 0, 0], lockable = true }
objects.load = { free = { v = [0, 0, <0.6 m/s>], w = [0, <0.2 rad/s>, 0] }, assembly_root = true, r = [<0.3 m>, 0, <0.104 m>], solid = { shape = "sphere", diameter = <0.08 m>, mass = <0.5 kg> } }
objects.center = { parent = "load", lockable = true }
joints.turn = { type = "revolute", from = "world", to = "column", axis = "z", w = <0.8 rad/s> }
joints.lift = { type = "prismatic", from = "column", to = "hand", axis = "z", motion = "height.position[1]" }
components.brake = { type = "friction", a = "turn.phi", sliding = <0.3 N.m>, static = <0.4 N.m> }
components.push = { type = "torque", flange = "turn", tau = "<1.5 N.m>*sin(time*<6 rad/s>)" }
[paths.height]
start = [<0.1 m>]
v_max = [<0.4 m/s>]
a_max = [<2 m/s2>]
[[actions.carry.steps]]
attach = ["grip", "center"]
distance = <0.02 m>
angle = 1
velocity = <1.5 m/s>
angular_velocity = <5 rad/s>
otherwise = "retry"
[[actions.carry.steps]]
move = "height"
to = [[<0.25 m>], [<0.2 m>]]
[[actions.carry.steps]]
wait = <0.05 s>
[[actions.carry.steps]]
release = "center"
"#,
    outputs: &[
        ("turn.phi", "rad"),
        ("turn.w", "rad/s"),
        ("brake.effort", "N.m"),
        ("load.r_abs[1]", "m"),
        ("load.r_abs[3]", "m"),
        ("load.v_abs[2]", "m/s"),
        ("segment", "rad"),
        ("energy.kinetic", "J"),
    ],
    stop: 1.5,
};

/// A rotor that drives another one through an elastic gear with play and a clutch, and a sledge that a spring pulls
/// against a stop; friction lets it stick and slip.
const COMPONENTS: Case = Case {
    text: r#"
name = "Scaled"
gravity = [0, 0, <-9.81 m/s2>]
experiment = { stop = <1.5 s>, tolerance = 1e-8 }
objects.arm.solid = { shape = "box", lengths = [<0.3 m>, <0.05 m>, <0.05 m>], r = [<0.15 m>, 0, 0], mass = <0.8 kg> }
joints.turn = { type = "revolute", from = "world", to = "arm", axis = "z", phi = 0.2 }
components.rotor = { type = "inertia", J = <0.02 kg.m2>, w = <8 rad/s> }
components.wheel = { type = "inertia", J = <0.05 kg.m2> }
components.teeth = { type = "elastic-gear", a = "rotor", b = "wheel", ratio = 2, stiffness = <60 N.m/rad>, damping = <0.02 N.m.s/rad>, backlash = 0.05 }
components.clutch = { type = "clutch", a = "wheel", b = "turn", sliding = <0.4 N.m>, static = <0.5 N.m>, stribeck = <0.1 rad/s>, u = "1" }
components.push = { type = "torque", flange = "rotor", tau = "<0.3 N.m>*sin(time*<9 rad/s>)" }
components.losing = { type = "gear", a = "rotor", b = "far", ratio = 3, efficiency = 0.8, w_reg = <1 rad/s> }
components.far = { type = "inertia", J = <0.03 kg.m2> }
components.sledge = { type = "mass", m = <0.7 kg>, v = <0.5 m/s> }
components.pull = { type = "spring", a = "ground", b = "sledge", motion = "translation", stiffness = <30 N/m> }
components.stop = { type = "end-stop", a = "sledge", b = "ground", motion = "translation", lower = <-0.2 m>, upper = <0.03 m>, stiffness = <4000 N/m>, damping = <3 N.s/m> }
components.slide = { type = "friction", a = "sledge", b = "ground", motion = "translation", sliding = <0.6 N>, static = <0.8 N>, stribeck = <0.02 m/s> }
"#,
    outputs: &[
        ("turn.phi", "rad"),
        ("turn.w", "rad/s"),
        ("rotor.w", "rad/s"),
        ("wheel.phi", "rad"),
        ("far.w", "rad/s"),
        ("sledge.s", "m"),
        ("sledge.v", "m/s"),
        ("clutch.effort", "N.m"),
        ("energy.total", "J"),
    ],
    stop: 1.5,
};

/// Communication steps of a run.
const ROWS: usize = 40;

/// Dimensionless results, one row per communication point, and the steps and events of the run.
fn run(case: &Case, factors: Factors) -> (Vec<Vec<f64>>, [u64; 2]) {
    let (interface, mut session) = started(&factors.applied_to(case.text), None);
    let rows = (0..=ROWS).map(|k| {
        if k > 0 {
            session.do_step(case.stop * factors.time * k as f64 / ROWS as f64).unwrap_or_else(|e| panic!("{e}"));
        }
        let value = |(name, unit): &(&str, &str)| {
            let variable = interface.find(name).unwrap_or_else(|| panic!("no {name}"));
            session.get(variable).unwrap() / factors.of(unit)
        };
        case.outputs.iter().map(value).collect()
    });
    let rows = rows.collect();
    let statistics = session.statistics().unwrap();
    (rows, [statistics.integrator.steps, statistics.events])
}

/// Largest difference of results, relative to the size of their column.
fn difference(case: &Case, a: &[Vec<f64>], b: &[Vec<f64>]) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for (column, (name, _)) in case.outputs.iter().enumerate() {
        let size = a.iter().fold(f64::MIN_POSITIVE, |size, row| size.max(row[column].abs()));
        for (k, (a, b)) in a.iter().zip(b).enumerate() {
            let error = (a[column] - b[column]).abs() / size;
            if error > worst.0 || error.is_nan() {
                worst = (error, format!("{name} in row {k}"));
            }
        }
    }
    worst
}

/// Factors that multiply numbers without rounding.
const FACTORS: [f64; 2] = [1.0 / 1024.0, 1024.0];

/// Largest difference of results that rounding explains: several times that of runs in which lengths have other last
/// digits, and 1e-9 where steps stay the same.
fn explained_by_rounding(case: &Case, rows: &[Vec<f64>]) -> f64 {
    let changed =
        [1.0 - 1e-15, 1.0 + 1e-15, 1.0 + 1e-14].map(|length| run(case, Factors { length, ..Factors::NONE }).0);
    let largest = changed.iter().map(|found| difference(case, rows, found).0).fold(0.0, f64::max);
    (10.0 * largest).max(1e-9)
}

fn scales_like_its_dimensions(case: &Case) {
    let (rows, [steps, events]) = run(case, Factors::NONE);
    let allowed = explained_by_rounding(case, &rows);
    for factor in FACTORS {
        let scaled = [
            Factors { length: factor, ..Factors::NONE },
            Factors { time: factor, ..Factors::NONE },
            Factors { mass: factor, ..Factors::NONE },
            Factors { length: factor, time: factor, mass: factor },
        ];
        for factors in scaled {
            let (found, counts) = run(case, factors);
            let (error, place) = difference(case, &rows, &found);
            assert!(error <= allowed, "{factors:?}: off by {error:e} ({place}), rounding explains {allowed:e}");
            assert_eq!(counts[1], events, "{factors:?}: events");
            let ratio = counts[0] as f64 / steps as f64;
            assert!((ratio - 1.0).abs() < 0.08, "{factors:?}: {} steps instead of {steps}", counts[0]);
        }
    }
}

fn gives_the_same_bits(case: &Case, of: impl Fn(f64) -> Factors) {
    let base = run(case, Factors::NONE);
    for factor in FACTORS {
        assert!(run(case, of(factor)) == base, "{:?}", of(factor));
    }
}

#[test]
fn a_linkage_scales_like_its_dimensions() {
    scales_like_its_dimensions(&LOOP);
}

#[test]
fn contacts_scale_like_their_dimensions() {
    scales_like_its_dimensions(&CONTACTS);
}

#[test]
fn changes_of_structure_scale_like_their_dimensions() {
    scales_like_its_dimensions(&STRUCTURE);
}

#[test]
fn components_scale_like_their_dimensions() {
    scales_like_its_dimensions(&COMPONENTS);
}

#[test]
fn a_linkage_with_another_unit_of_time_or_mass_gives_the_same_bits() {
    gives_the_same_bits(&LOOP, |time| Factors { time, ..Factors::NONE });
    gives_the_same_bits(&LOOP, |mass| Factors { mass, ..Factors::NONE });
}

#[test]
fn contacts_with_another_unit_of_time_or_mass_give_the_same_bits() {
    gives_the_same_bits(&CONTACTS, |time| Factors { time, ..Factors::NONE });
    gives_the_same_bits(&CONTACTS, |mass| Factors { mass, ..Factors::NONE });
}
