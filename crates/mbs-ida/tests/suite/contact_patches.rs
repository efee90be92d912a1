//! Faces, edges and corners of polyhedra on each other, against what mechanics says.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, assert_vector, start};
use mbs::declaration::Experiment;
use mbs::declaration::builder::{
    Members, ModelBuilder, ObjectBuilder, cuboid, half_space, object, prismatic, world_force,
};
use mbs::material::{ConstantsRule, Material, MaterialPair, MaterialTable};
use mbs::math::Vec3;
use mbs::solid::Axis;

const G: f64 = 9.81;
const BLOCK: [f64; 3] = [0.1, 0.08, 0.06];

/// Young's modulus \[Pa\] and density \[kg/m³\].
const SOFT: [f64; 2] = [1e7, 1000.0];
const STEEL: [f64; 2] = [2e11, 7800.0];

fn material([youngs_modulus, density]: [f64; 2]) -> Material {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    Material { name: "Stuff".to_owned(), density, youngs_modulus, ..steel }
}

/// Pressure per depth of a face of one body on a face of another, for half thicknesses \[Pa/m\].
fn foundation([youngs_modulus, _]: [f64; 2], half: [f64; 2]) -> f64 {
    youngs_modulus / (1.0 - 0.3 * 0.3) / (half[0] + half[1])
}

/// A table whose top is at height 0, 0.1 m thick.
fn scene(stuff: [f64; 2], pair: MaterialPair) -> ModelBuilder {
    let table = cuboid([0.3, 0.3, 0.1]).material("Stuff").massless().collides();
    ModelBuilder::new("Patches")
        .gravity([0.0, 0.0, -G])
        .material(material(stuff))
        .material_pair("Stuff", "Stuff", pair)
        .object(object("table").fixed().r([0.0, 0.0, -0.05]).solid(table))
}

fn block(name: &str) -> ObjectBuilder {
    object(name).free().solid(cuboid(BLOCK).material("Stuff").collides())
}

fn steps(run: &Run) -> u64 {
    run.simulation.statistics().integrator.steps
}

#[test]
fn a_block_rests_as_deep_as_its_weight_presses_it() {
    for (what, stuff, error) in [("soft", SOFT, 2e-4), ("steel", STEEL, 1e-6)] {
        for tilt in [0.0, 0.2] {
            let model = scene(stuff, MaterialPair::new(0.5, 0.4, 0.0));
            let model = model.object(block("a").r([0.0, 0.0, 0.06]).cardan([tilt, 0.5 * tilt, 0.3]));
            let mut run = start(&model.build().unwrap(), 1e-5);
            run.to(1.5);
            let weight = stuff[1] * 0.1 * 0.08 * 0.06 * G;
            let depth = weight / (foundation(stuff, [0.05, 0.03]) * 0.1 * 0.08);
            let place = format!("{what}, tilt {tilt}");
            // Depths of nanometres are differences of positions.
            assert_near(run.value("contact.table_a.delta") / depth, 1.0, error, &format!("{place}: depth"));
            assert_near(run.value("contact.table_a.f_n") / weight, 1.0, 1e-6, &format!("{place}: load"));
            let (area, pressure) = (run.value("contact.table_a.area"), run.value("contact.table_a.p_max"));
            assert_near(area / (0.1 * 0.08), 1.0, error, &format!("{place}: area"));
            assert_near(pressure * area / weight, 1.0, error, &format!("{place}: even pressure"));
            assert_near(run.vector("a.w_abs").norm(), 0.0, 1e-6, &format!("{place}: angular velocity"));
            let limit = if tilt == 0.0 { 2000 } else { 4000 };
            assert!(steps(&run) < limit, "{place}: {} steps", steps(&run));
        }
    }
}

#[test]
fn small_boxes_of_steel_rest_on_a_half_space() {
    for lengths in [[6e-3, 3e-3, 3e-3], [1e-3, 1e-3, 1e-3], [0.02, 0.02, 1e-3]] {
        let height = 0.5 * lengths[2];
        let ground = half_space(Axis::Z).material("Stuff").collides();
        let thing = object("a").free().r([0.0, 0.0, height]).solid(cuboid(lengths).material("Stuff").collides());
        let model = ModelBuilder::new("Small")
            .gravity([0.0, 0.0, -G])
            .material(material(STEEL))
            .material_pair("Stuff", "Stuff", MaterialPair::new(0.3, 0.3, 0.0))
            .object(object("ground").fixed().solid(ground))
            .object(thing);
        let mut run = start(&model.build().unwrap(), 1e-5);
        run.to(1.0);
        assert!(steps(&run) < 500, "{lengths:?}: {} steps", steps(&run));
        let weight = STEEL[1] * lengths.iter().product::<f64>() * G;
        assert_near(run.value("contact.ground_a.f_n"), weight, 1e-3 * weight, "force");
        assert_near(run.vector("a.r_abs").xy().norm(), 0.0, 1e-3 * height, "place");
    }
}

/// Thin and long things of steel vibrate in microseconds on what they lie on, by tenths of nanometres. An impact that is
/// found too deep gives them energy, and formulas of high order keep them ringing. Where a corner strikes as they come to
/// rest, it may be found some ten nanometres deep, which chance decides: it must stay rare and small.
#[test]
fn thin_things_of_steel_fall_and_rest() {
    let (drop, mut gains) = (1e-3, Vec::new());
    for lengths in [[0.1, 0.003, 0.003], [0.1, 0.1, 0.002], [0.143, 0.022, 0.004], [0.3, 0.024, 0.003]] {
        let ground = half_space(Axis::Z).material("Stuff").collides();
        let middle = [0.0, 0.0, 0.5 * lengths[2] + drop];
        let model = ModelBuilder::new("Thin")
            .gravity([0.0, 0.0, -G])
            .material(material(STEEL))
            .material_pair("Stuff", "Stuff", MaterialPair::new(0.7, 0.5, 0.0))
            .object(object("ground").fixed().solid(ground))
            .object(object("a").free().r(middle).solid(cuboid(lengths).material("Stuff").collides()))
            .output("energy.total");
        let mut run = start(&model.build().unwrap(), 1e-6);
        let weight = STEEL[1] * lengths.iter().product::<f64>() * G;
        let (fall, mut before) = (weight * drop, run.value("energy.total"));
        let (mut saved, mut most) = (None, 0.0_f64);
        for k in 1..=400 {
            run.to(0.001 * f64::from(k));
            let energy = run.value("energy.total");
            most = most.max((energy - before) / fall);
            before = energy;
            if k == 75 {
                saved = Some(run.simulation.save().unwrap());
            }
        }
        assert!(steps(&run) < 20_000, "{lengths:?}: {} steps", steps(&run));
        assert_near(run.value("contact.ground_a.f_n"), weight, 1e-3 * weight, "force");
        let speed = run.vector("a.v_abs").norm();
        assert_near(speed, 0.0, 1e-6, "speed");
        run.simulation.restore(&saved.unwrap()).unwrap();
        run.to(0.4);
        assert_eq!(run.vector("a.v_abs").norm().to_bits(), speed.to_bits(), "{lengths:?}: after a saved state");
        gains.push(most);
    }
    let many = gains.iter().filter(|gain| **gain > 1e-4).count();
    assert!(many < 2 && gains.iter().all(|gain| *gain < 2e-3), "gains of energy, over that of the fall: {gains:?}");
}

/// A box that strikes with a corner and parts again: where only a part of the patch still presses, damping is that of the
/// same points for A and B exchanged.
#[test]
fn a_damped_impact_is_the_same_for_both_orders() {
    let end = |swapped: bool| {
        let plane = half_space(Axis::Z).material("Stuff").collides();
        let ground = object("ground").fixed().solid(plane);
        let thing = object("a")
            .free_with([0.0, 0.0, -2.0], [1.5, -0.9, 0.25])
            .r([0.0, 0.0, 0.2])
            .cardan([-0.24, 0.27, -0.73])
            .solid(cuboid([0.2, 0.12, 0.22]).material("Stuff").collides());
        let (first, second) = if swapped { (thing, ground) } else { (ground, thing) };
        let model = ModelBuilder::new("Corner")
            .material(material(SOFT))
            .material_pair("Stuff", "Stuff", MaterialPair::new(0.05, 0.0, 0.0))
            .object(first)
            .object(second);
        let mut run = start(&model.build().unwrap(), 1e-9);
        run.to(0.12);
        assert!(run.value("a.v_abs[3]") > 0.0, "it has struck");
        run.vector("a.w_abs")
    };
    let (one, other) = (end(false), end(true));
    assert_near((one - other).norm(), 0.0, 1e-8 * one.norm(), "angular velocity after the impact");
}

#[test]
fn stacks_of_aligned_and_of_turned_blocks_stand() {
    for (what, stuff, count, turn, limit) in [
        ("soft", SOFT, 3, 0.0, 1000),
        ("soft", SOFT, 5, 0.0, 1500),
        ("soft", SOFT, 5, 0.3, 1500),
        ("steel", STEEL, 3, 0.3, 4000),
        ("steel", STEEL, 5, 0.0, 9000),
    ] {
        let mut model = scene(stuff, MaterialPair::new(0.5, 0.4, 0.0));
        for k in 0..count {
            let (height, angle) = (0.031 + 0.061 * f64::from(k), turn * f64::from(k));
            model = model.object(block(&format!("b{k}")).r([0.0, 0.0, height]).cardan([0.0, 0.0, angle]));
        }
        let model = model.output("contact.table_b0.f_n");
        let mut run = start(&model.build().unwrap(), 1e-5);
        run.to(1.0);
        let place = format!("{count} blocks, {what}, turned by {turn}");
        assert!(steps(&run) < limit, "{place}: {} steps", steps(&run));
        for k in 0..count {
            let v = run.vector(&format!("b{k}.v_abs")).norm() + run.vector(&format!("b{k}.w_abs")).norm();
            assert_near(v, 0.0, 2e-4, &format!("{place}: motion of {k}"));
        }
        let weight = f64::from(count) * stuff[1] * 0.1 * 0.08 * 0.06 * G;
        assert_near(run.value("contact.table_b0.f_n") / weight, 1.0, 1e-3, &format!("{place}: load of the table"));
    }
}

#[test]
fn a_block_slides_as_far_as_friction_lets_it() {
    for stuff in [SOFT, STEEL] {
        let pair = MaterialPair { v_min: 1e-4, ..MaterialPair::new(0.0, 0.3, 0.0) };
        let weight = stuff[1] * 0.1 * 0.08 * 0.06 * G;
        let depth = weight / (foundation(stuff, [0.05, 0.03]) * 0.1 * 0.08);
        let sliding = object("a").free_with([0.6, 0.0, 0.0], [0.0; 3]).r([-0.05, 0.0, 0.03 - depth]);
        let model = scene(stuff, pair).object(sliding.solid(cuboid(BLOCK).material("Stuff").collides()));
        let mut run = start(&model.build().unwrap(), 1e-8);
        run.to(0.3);
        // The middle of the block, leaning forward while friction brakes it, moves back when it stops.
        let turning = foundation(stuff, [0.05, 0.03]) * 0.08 * 0.1_f64.powi(3) / 12.0;
        let way = 0.36 / (2.0 * 0.3 * G);
        let back = 0.3 * weight * 0.03 * 0.03 / turning;
        assert_near(run.value("a.r_abs[1]") + 0.05, way - back, 1e-5 * way, "way of the block");
        assert_near(run.value("a.r_abs[2]"), 0.0, 1e-9, "sideways");
    }
}

/// The coefficient of restitution of a contact with the damping coefficient that the paper's eq. 6 gives for a nominal
/// one.
fn exact_restitution(nominal: f64) -> f64 {
    // d v = 8 (1 - e)/(5 e); ln(1 + x) - ln(1 - e x) = (1 + e) x.
    let x = 8.0 * (1.0 - nominal) / (5.0 * nominal);
    let f = |e: f64| (1.0 + x).ln() - (1.0 - e * x).ln() - (1.0 + e) * x;
    let (mut low, mut high) = (1e-9, (1.0 / x).min(1.0) * (1.0 - 1e-12));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        *if f(middle) < 0.0 { &mut low } else { &mut high } = middle;
    }
    low
}

#[test]
fn faces_edges_and_corners_rebound_as_the_law_says() {
    let speed = 0.5;
    for cor in [0.9, 0.7, 0.5, 0.3] {
        let (square, cube) = (std::f64::consts::FRAC_PI_4, 2.0_f64.sqrt().atan());
        for (what, lengths, angles, half) in [
            ("face", BLOCK, [0.0; 3], 0.03),
            ("edge", [0.1, 0.08, 0.08], [square, 0.0, 0.0], 0.04 * 2.0_f64.sqrt()),
            // On a diagonal, along which it is in balance and its principal moments are equal.
            ("corner", [0.08; 3], [cube, 0.0, square], 0.04 * 3.0_f64.sqrt()),
        ] {
            let shape = cuboid(lengths).material("Stuff").collides();
            let falling = object("a").free_with([0.0, 0.0, -speed], [0.0; 3]).r([0.0, 0.0, half + 0.005]);
            let model = scene([1e9, 1000.0], MaterialPair::new(cor, 0.0, 0.0)).gravity([0.0, 0.0, 0.0]);
            let model = model.object(falling.cardan(angles).solid(shape));
            for (rule, expected) in [(ConstantsRule::Adaptive, cor), (ConstantsRule::Paper, exact_restitution(cor))] {
                let mut run = start(&model.clone().contact_constants(rule).build().unwrap(), 1e-9);
                run.to(0.03);
                let e = run.value("a.v_abs[3]") / speed;
                assert_near(e, expected, 2e-5, &format!("restitution of a {what}, cor {cor}"));
            }
        }
    }
}

/// A model without gravity takes its scale of time from the length of the run, and impacts must not know that.
#[test]
fn restitution_does_not_depend_on_the_length_of_the_run() {
    for (cor, speed) in [(0.3, 0.5), (0.7, 0.5), (0.3, 0.05)] {
        let shape = cuboid(BLOCK).material("Stuff").collides();
        let flying = object("a").free_with([0.0, 0.0, -speed], [0.0; 3]).r([0.0, 0.0, 0.03 + 0.005 * speed]);
        let pair = MaterialPair { v_min: 1e-3, ..MaterialPair::new(cor, 0.0, 0.0) };
        let model = scene([1e9, 1000.0], pair).gravity([0.0, 0.0, 0.0]).object(flying.solid(shape));
        for stop in [10.0, 0.1] {
            let model = model.clone().experiment(Experiment { stop, ..Experiment::STANDARD });
            let mut run = start(&model.build().unwrap(), 1e-9);
            run.to(0.03);
            let e = run.value("a.v_abs[3]") / speed;
            assert_near(e, cor, 2e-5, &format!("restitution at {speed} m/s in a run of {stop} s"));
        }
    }
}

/// More than ten impacts: backward differentiation formulas lose some tens of tolerances in each, and gain nothing.
#[test]
fn elastic_blocks_keep_their_energy() {
    for (what, stuff) in [("soft", SOFT), ("steel", STEEL)] {
        for (tilt, duration) in [(0.0, 1.4), (0.2, 0.7)] {
            for tolerance in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
                let pair = MaterialPair::new(1.0, 0.0, 0.0);
                let model = scene(stuff, pair).object(block("a").r([0.0, 0.0, 0.05]).cardan([tilt, 0.0, 0.0]));
                let mut run = start(&model.build().unwrap(), tolerance);
                let before = run.value("energy.total");
                let fall = stuff[1] * 0.1 * 0.08 * 0.06 * G * 0.02;
                for k in 1..=70 {
                    run.to(duration * f64::from(k) / 70.0);
                    let error = (run.value("energy.total") - before) / fall;
                    let place = format!("{what}, tilt {tilt}, {k}: {error:e} at {tolerance:e}");
                    assert!(error < tolerance && error > -900.0 * tolerance, "{place}");
                }
            }
        }
    }
}

/// A plate of steel, 1 m x 1 m x 1 mm, above the ground by a height \[m\].
fn steel_plate(height: f64) -> ModelBuilder {
    let ground = half_space(Axis::Z).material("Stuff").collides();
    let plate = cuboid([1.0, 1.0, 1e-3]).material("Stuff").collides();
    ModelBuilder::new("Plate")
        .gravity([0.0, 0.0, -G])
        .material(material(STEEL))
        .material_pair("Stuff", "Stuff", MaterialPair::new(0.5, 0.3, 0.0))
        .object(object("ground").fixed().solid(ground))
        .object(object("a").free().r([0.0, 0.0, 5e-4 + height]).solid(plate))
}

/// Plates of steel have a depth at rest far below the tolerance of their position.
#[test]
fn thin_plates_of_steel_gain_no_energy_when_they_are_set_down() {
    for tolerance in [1e-4, 1e-5, 1e-6] {
        for drop in [0.0, 1e-3] {
            let mut run = start(&steel_plate(drop).build().unwrap(), tolerance);
            let (weight, before) = (STEEL[1] * 1e-3 * G, run.value("energy.total"));
            for k in 1..=200 {
                run.to(0.001 * f64::from(k));
                let gain = run.value("energy.total") - before;
                assert!(
                    gain < 1e-4 * weight * 1e-3,
                    "dropped by {drop} m at {tolerance:e}: gains {gain:e} J at {k} ms"
                );
            }
            assert_near(run.value("contact.ground_a.f_n"), weight, 1e-3 * weight, "force");
        }
    }
}

/// With coarse tolerances positions between steps are known no better than to many depths of an impact, so that one that is
/// found too deep throws a plate up. It must be rare.
#[test]
fn thin_plates_of_steel_are_hardly_ever_thrown_up_at_coarse_tolerances() {
    let mut thrown = Vec::new();
    for tolerance in [1e-3, 3e-4] {
        for drop in [1e-4, 1e-3, 1e-2] {
            let mut run = start(&steel_plate(drop).build().unwrap(), tolerance);
            let (weight, mut least, mut gain) = (STEEL[1] * 1e-3 * G, f64::INFINITY, 0.0_f64);
            for k in 1..=1000 {
                run.to(5e-4 * f64::from(k));
                let energy = run.value("energy.kinetic") + weight * (run.value("a.r_abs[3]") - 5e-4);
                (gain, least) = (gain.max(energy - least), least.min(energy));
            }
            assert!(least < 0.01 * weight * drop, "dropped by {drop} m at {tolerance:e}: {least:e} J are left");
            if gain > 3.0 * tolerance * weight * drop.max(1e-3) {
                thrown.push((tolerance, drop, gain));
            }
        }
    }
    assert!(thrown.len() < 2, "tolerances, heights [m] and gains [J]: {thrown:?}");
}

#[test]
fn a_block_pushed_over_the_edge_tips_and_falls() {
    for (what, stuff) in [("soft", SOFT), ("steel", STEEL)] {
        let end = |tolerance: f64| {
            let thing = object("a").free_with([1.0, 0.0, 0.0], [0.0; 3]).r([0.0, 0.0, 0.03]);
            let model = scene(stuff, MaterialPair::new(0.5, 0.3, 0.0));
            let model = model.object(thing.solid(cuboid(BLOCK).material("Stuff").collides()));
            let mut run = start(&model.build().unwrap(), tolerance);
            run.to(0.5);
            (run.vector("a.r_abs"), steps(&run))
        };
        let (truth, _) = end(1e-9);
        assert!(truth.z < -0.1, "{truth:?}");
        for (tolerance, error, limit) in [(1e-5, 2e-4, 650), (1e-6, 5e-5, 1100), (1e-7, 5e-6, 1500)] {
            let (found, steps) = end(tolerance);
            let off = (found - truth).norm();
            assert!(off < error && steps < limit, "{what} at {tolerance:e}: off by {off:e} after {steps} steps");
        }
    }
}

#[test]
fn blocks_tip_over_an_edge_at_the_critical_angle() {
    // Gravity is tilted by so much that its direction passes the edge of the base, or not.
    let critical = (0.05_f64 / 0.03).atan();
    for (off, tips) in [(-0.01, false), (0.01, true)] {
        let angle = critical + off;
        let ground = half_space(Axis::Z).material("Stuff").collides();
        let weight = STEEL[1] * 0.1 * 0.08 * 0.06 * G;
        let depth = weight * angle.cos() / (foundation(STEEL, [0.03, 0.03]) * 0.1 * 0.08);
        let model = ModelBuilder::new("Tipping")
            .gravity([G * angle.sin(), 0.0, -G * angle.cos()])
            .material(material(STEEL))
            .material_pair("Stuff", "Stuff", MaterialPair { v_min: 1e-4, ..MaterialPair::new(0.0, 3.0, 0.0) })
            .object(object("ground").fixed().solid(ground))
            .object(block("a").r([0.0, 0.0, 0.03 - depth]));
        let mut run = start(&model.build().unwrap(), 1e-7);
        run.to(1.5);
        let turned = run.vector("a.w_abs").norm() > 0.1 || run.value("a.r_abs[3]") > 0.032;
        assert_eq!(turned, tips, "{off} rad from the critical angle: height {}", run.value("a.r_abs[3]"));
    }
}

/// Two flat fingers close on a cube, lift it and hold it.
fn gripper(stuff: [f64; 2], v_min: f64) -> ModelBuilder {
    let finger = || cuboid([0.012, 0.01, 0.045]).material("Stuff").mass(0.05).collides();
    let cube = cuboid([0.05, 0.05, 0.05]).material("Stuff").mass(0.0875).collides();
    let lift = "if time < 0.3 then 0 else if time < 0.8 then 0.05*(1 - cos(pi*(time - 0.3)/0.5)) else 0.1";
    let mut model = ModelBuilder::new("Gripper")
        .gravity([0.0, 0.0, -G])
        .material(material(stuff))
        .material_pair("Stuff", "Stuff", MaterialPair { v_min, ..MaterialPair::new(0.5, 0.4, 0.0) })
        .object(object("ground").fixed().solid(half_space(Axis::Z).material("Stuff").collides()))
        .object(object("cube").free().r([0.0, 0.0, 0.025]).solid(cube))
        .object(object("hand").mass(0.1, [0.0; 3], [1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0]))
        .joint(prismatic("lift", "world", "hand", "z").motion(lift));
    for (name, side) in [("left", 1.0), ("right", -1.0)] {
        let guide = format!("{name}_guide");
        model = model
            .object(object(&guide).on("hand").r([0.0, 0.032 * side, 0.03]))
            .object(object(name).solid(finger()))
            .joint(prismatic(format!("{name}_slide").as_str(), &guide, name, "y").force(-10.0 * side));
    }
    model
}

#[test]
fn flat_fingers_lift_a_cube_and_hold_it() {
    for (what, stuff, limit) in [("soft", SOFT, 700), ("wood", [1e10, 700.0], 1500)] {
        let v_min = 0.01;
        let mut run = start(&gripper(stuff, v_min).build().unwrap(), 1e-5);
        run.to(1.0);
        let before = run.value("cube.r_abs[3]");
        run.to(2.0);
        let creep = before - run.value("cube.r_abs[3]");
        assert!(run.value("cube.r_abs[3]") > 0.12, "{what}: the cube is {} m high", run.value("cube.r_abs[3]"));
        // v (1/3 + u² (1 - u/3)) = v_min u, where half of the load is on each side.
        let load = 0.0875 * G / 2.0 / (0.4 * 10.0);
        let mut u = 0.0_f64;
        for _ in 0..100 {
            u = load * (u * u * (1.0 - u / 3.0) + 1.0 / 3.0);
        }
        assert_near(creep / (v_min * u), 1.0, 0.02, &format!("{what}: creep"));
        assert_near(run.vector("cube.w_abs").norm(), 0.0, 1e-6, &format!("{what}: turning"));
        assert!(steps(&run) < limit, "{what}: {} steps", steps(&run));
    }
}

#[test]
fn a_turned_scene_gives_turned_results() {
    let turn = mbs::math::rotation_about(&Vec3::new(0.6, 0.0, 0.8), 0.7);
    let angles = {
        // x-y-z about the turned axes: R = Rx(a) Ry(b) Rz(c).
        let r = turn;
        [(-r[(1, 2)]).atan2(r[(2, 2)]), r[(0, 2)].asin(), (-r[(0, 1)]).atan2(r[(0, 0)])]
    };
    let run = |turned: bool| {
        let of = |v: Vec3| -> [f64; 3] { if turned { (turn * v).into() } else { v.into() } };
        let table = cuboid([0.3, 0.3, 0.1]).material("Stuff").massless().collides();
        let cardan = if turned { angles } else { [0.0; 3] };
        let v = of(Vec3::new(0.3, 0.1, 0.0));
        let model = ModelBuilder::new("Turned")
            .gravity(of(Vec3::new(0.0, 0.0, -G)))
            .material(material(SOFT))
            .material_pair("Stuff", "Stuff", MaterialPair::new(0.5, 0.4, 0.0))
            .object(object("table").fixed().r(of(Vec3::new(0.0, 0.0, -0.05))).cardan(cardan).solid(table))
            .object(
                object("a")
                    .free_with(v, [0.0; 3])
                    .r(of(Vec3::new(0.02, 0.0, 0.04)))
                    .cardan(cardan)
                    .solid(cuboid(BLOCK).material("Stuff").collides()),
            );
        let mut run = start(&model.build().unwrap(), 1e-7);
        run.to(0.4);
        run.vector("a.r_abs")
    };
    let (plain, turned) = (run(false), run(true));
    assert_vector(turn.transpose() * turned, plain.into(), 2e-5, "position in the turned scene");
}

/// A press pushes a soft block along z into the table, with a force \[N\].
fn press(height: f64, force: f64) -> ModelBuilder {
    let push = world_force("push", "ram", (0.0, 0.0, -force), (0.0, 0.0, 0.0));
    scene(SOFT, MaterialPair::new(0.1, 0.3, 0.0)).object(block("ram").r([0.0, 0.0, height])).force(push)
}

#[test]
fn a_press_starts_where_its_force_holds_it() {
    // The weight of 4.7 N presses the block in by 4 µm, a tenth of half its thickness are 3 mm.
    for force in [4000.0, 10_000.0] {
        let mut run = start(&press(0.03, force).build().unwrap(), 1e-8);
        run.to(2.0);
        let height = run.value("ram.r_abs[3]");
        let depth = 0.03 - height;
        assert!(depth > 3.1e-3, "{depth} m deep");
        let mut run = start(&press(height, force).build().unwrap(), 1e-8);
        run.to(1.0);
        assert_near(run.value("ram.r_abs[3]"), height, 1e-8, &format!("height under {force} N"));
        // What is thrown out is refused.
        for (height, force) in [(height, 0.5 * force), (height, 0.0), (height - 0.5 * depth, force)] {
            let declaration = press(height, force).build().unwrap();
            let message = crate::support::error_message(&declaration);
            assert!(message.contains("penetrate each other by"), "{height} m high under {force} N: {message}");
        }
    }
}

#[test]
fn no_force_holds_what_is_past_the_middle() {
    let message = crate::support::error_message(&press(-0.001, 1e6).build().unwrap());
    assert!(message.contains("penetrate each other by"), "{message}");
}
