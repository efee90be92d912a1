//! Pairs with stiction: what is at rest stays, and what slides does so by Coulomb's law.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, cuboid, cylinder, object, sphere, world_force};
use mbs::declaration::builder::{ObjectBuilder, ShapeBuilder};
use mbs::material::{Material, MaterialPair, MaterialTable};
use mbs::math::Vec3;
use mbs::solid::Axis;
use std::f64::consts::PI;

const G: f64 = 9.81;
const MU: f64 = 0.5;
const BLOCK: [f64; 3] = [0.1, 0.08, 0.06];
const MASS: f64 = 1000.0 * 0.1 * 0.08 * 0.06;

fn sticky() -> MaterialPair {
    MaterialPair { stiction: true, ..MaterialPair::new(0.3, MU, 0.001) }
}

/// A table whose top is at height 0, under gravity \[m/s²\].
fn scene(youngs_modulus: f64, pair: MaterialPair, gravity: [f64; 3]) -> ModelBuilder {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let table = cuboid([4.0, 4.0, 0.2]).material("Stuff").massless().collides();
    ModelBuilder::new("Stiction")
        .gravity(gravity)
        .material(Material { name: "Stuff".to_owned(), density: 1000.0, youngs_modulus, ..steel })
        .material_pair("Stuff", "Stuff", pair)
        .object(object("table").fixed().r([0.0, 0.0, -0.1]).solid(table))
}

fn body(shape: ShapeBuilder) -> ObjectBuilder {
    object("a").free().solid(shape.material("Stuff").collides())
}

/// Gravity on a slope that falls along x.
fn down(slope: f64) -> [f64; 3] {
    [G * slope.sin(), 0.0, -G * slope.cos()]
}

fn way(run: &mut Run) -> f64 {
    run.vector("a.r_abs")[0]
}

#[test]
fn a_box_on_a_slope_stays_for_an_hour() {
    for modulus in [1e7, 2e11] {
        let model = scene(modulus, sticky(), down(20_f64.to_radians()));
        let model = model.object(body(cuboid(BLOCK)).r([0.0, 0.0, 0.0301]));
        let mut run = start(&model.build().unwrap(), 1e-5);
        run.to(2.0);
        let before = run.vector("a.r_abs");
        run.to(3600.0);
        let crept = (run.vector("a.r_abs") - before).norm();
        assert!(crept < 1e-9, "{modulus} Pa: {crept} m");
        let found = run.vector("contact.table_a.f")[0] / (MASS * G);
        assert_near(found.abs(), 20_f64.to_radians().sin(), 1e-6, "friction carries the box");
    }
}

/// Small cubes rock faster than `w_min` when they are set down, and roll nowhere; steel ones penetrate by picometres.
#[test]
fn small_cubes_on_a_slope_stay_whatever_their_stiffness() {
    for size in [0.002, 0.005, 0.01, 0.02, 0.05] {
        for modulus in [1e6, 5e6, 5e7, 1e9, 2e11] {
            let cube = body(cuboid([size; 3])).r([0.0, 0.0, 0.5 * size]);
            let model = scene(modulus, sticky(), down(20_f64.to_radians())).object(cube);
            let mut run = start(&model.build().unwrap(), 1e-5);
            run.to(1.0);
            let before = way(&mut run);
            run.to(100.0);
            let crept = (way(&mut run) - before).abs();
            // What the tolerance leaves of the way to rest.
            assert!(crept < 1e-5 * size, "{size} m, {modulus} Pa: {crept} m");
        }
    }
}

#[test]
fn without_stiction_the_same_box_creeps() {
    let model = scene(1e7, MaterialPair { stiction: false, ..sticky() }, down(20_f64.to_radians()));
    let mut run = start(&model.object(body(cuboid(BLOCK)).r([0.0, 0.0, 0.0301])).build().unwrap(), 1e-5);
    run.to(2.0);
    let before = way(&mut run);
    run.to(12.0);
    assert!(way(&mut run) - before > 0.01);
}

#[test]
fn sticking_ends_at_the_friction_angle() {
    for (part, slides) in [(0.98, false), (1.05, true)] {
        let angle = (part * MU).atan();
        let model = scene(1e8, sticky(), down(angle));
        let mut run = start(&model.object(body(cuboid(BLOCK)).r([0.0, 0.0, 0.03])).build().unwrap(), 1e-6);
        run.to(1.0);
        let (x, v) = (way(&mut run), run.vector("a.v_abs")[0]);
        run.to(2.0);
        let (x, a) = (way(&mut run) - x, run.vector("a.v_abs")[0] - v);
        assert_eq!(run.value("contact.table_a.sticking"), f64::from(u8::from(!slides)));
        assert_eq!(run.value("contact.table_a.slip") > 0.1, slides);
        if slides {
            assert_near(a, G * (angle.sin() - MU * angle.cos()), 1e-5, "acceleration");
        } else {
            assert_near(x, 0.0, 1e-9, "way");
        }
    }
}

/// Way \[m\] of a mass that a force `part mu m g sin(2 pi t)` pulls out of rest, until it stops: Coulomb's law, by
/// small steps.
fn slip(part: f64) -> f64 {
    let h = 1e-6;
    let mut t = (1.0 / part).asin() / (2.0 * PI);
    let (mut x, mut v) = (0.0, 0.0);
    loop {
        v += h * MU * G * (part * (2.0 * PI * t).sin() - 1.0);
        if v < 0.0 {
            return x;
        }
        (t, x) = (t + h, x + h * v);
    }
}

#[test]
fn a_force_beyond_the_bound_moves_a_box_as_far_as_coulomb_says_and_back() {
    let part = 1.2;
    let force = format!("{}*sin(2*pi*time)", part * MU * MASS * G);
    let model = scene(1e8, sticky(), [0.0, 0.0, -G])
        .object(body(cuboid(BLOCK)).r([0.0, 0.0, 0.03]))
        .force(world_force("pull", "a", [force.as_str(), "0", "0"], ["0", "0", "0"]));
    for (tolerance, error) in [(1e-4, 2e-3), (1e-5, 6e-4), (1e-7, 3e-4)] {
        let mut run = start(&model.clone().build().unwrap(), tolerance);
        for cycle in 0..5 {
            let from = way(&mut run);
            run.to(f64::from(cycle) + 0.5);
            assert_near((way(&mut run) - from) / slip(part), 1.0, error, &format!("{tolerance}: cycle {cycle}"));
            run.to(f64::from(cycle) + 1.0);
            assert_near(
                (way(&mut run) - from) / slip(part),
                0.0,
                3.0 * error,
                &format!("{tolerance}: back in {cycle}"),
            );
        }
    }
}

#[test]
fn a_disc_resists_spinning_with_two_thirds_of_friction_times_radius() {
    let (radius, height) = (0.05, 0.05);
    let mass = 1000.0 * PI * radius * radius * height;
    for (part, turns) in [(0.97, false), (1.05, true)] {
        let torque = part * 2.0 / 3.0 * MU * mass * G * radius;
        let law = format!("{torque}*min(time, 1)");
        let model = scene(1e8, sticky(), [0.0, 0.0, -G])
            .object(body(cylinder(Axis::Z, 2.0 * radius, height)).r([0.0, 0.0, 0.5 * height]))
            .force(world_force("twist", "a", ["0", "0", "0"], ["0", "0", law.as_str()]));
        let mut run = start(&model.build().unwrap(), 1e-6);
        run.to(1.5);
        let before = run.vector("a.w_abs")[2];
        run.to(2.5);
        let after = run.vector("a.w_abs")[2];
        if turns {
            let inertia = 0.5 * mass * radius * radius;
            let expected = (part - 1.0) / part * torque / inertia;
            assert_near((after - before) / expected, 1.0, 0.05, "angular acceleration");
        } else {
            assert_near(after, 0.0, 1e-9, "angular velocity");
        }
    }
}

#[test]
fn rolling_is_not_hindered() {
    for shape in [sphere(0.1), cylinder(Axis::Y, 0.1, 0.1)] {
        for speed in [0.5, 0.02, 4e-4] {
            let rolled = |stiction: bool| {
                let pair = MaterialPair { stiction, mu_r: 0.0, ..sticky() };
                let a = object("a").free_with([speed, 0.0, 0.0], [0.0, speed / 0.05, 0.0]).r([0.0, 0.0, 0.05]);
                let a = a.solid(shape.clone().material("Stuff").collides());
                let mut run = start(&scene(1e8, pair, [0.0, 0.0, -G]).object(a).build().unwrap(), 1e-6);
                run.to(2.0);
                way(&mut run)
            };
            assert_near(rolled(true) / (2.0 * speed), rolled(false) / (2.0 * speed), 1e-3, &format!("{speed} m/s"));
        }
    }
}

#[test]
fn no_energy_comes_from_sticking() {
    for (seed, shape) in [cuboid(BLOCK), cylinder(Axis::Z, 0.08, 0.06), sphere(0.06)].into_iter().enumerate() {
        for slope in [0.0, 0.2] {
            let s = 0.3 * (seed as f64 + 1.0);
            let a = object("a").free_with([0.4, 0.2 * s, -0.3], [s, 1.0, 2.0 - s]).r([-1.0, 0.0, 0.06]);
            let a = a.cardan([0.3 * s, -0.2, 0.1]).solid(shape.clone().material("Stuff").collides());
            let model = scene(1e8, MaterialPair { mu_r: 0.01, ..sticky() }, down(slope)).object(a);
            let mut run = start(&model.build().unwrap(), 1e-6);
            let mut least = run.value("energy.total");
            let scale = run.value("energy.kinetic") + 1000.0 * BLOCK.iter().product::<f64>() * G * 0.03;
            for k in 1..=200 {
                run.to(0.01 * f64::from(k));
                let now = run.value("energy.total");
                assert!(now < least + 2e-4 * scale, "{seed} at {slope}: from {least} J to {now} J");
                least = least.min(now);
            }
        }
    }
}

#[test]
fn a_turned_scene_gives_turned_results() {
    let slope = 0.3;
    let turned = |angle: f64| {
        let gravity = down(slope);
        let (c, s) = (angle.cos(), angle.sin());
        let model = scene(1e8, sticky(), [c * gravity[0], s * gravity[0], gravity[2]]);
        let velocity = [0.2 * c, 0.2 * s, 0.0];
        let a = object("a").free_with(velocity, [0.0, 0.0, 1.0]).r([0.0, 0.0, 0.03]).cardan([0.0, 0.0, angle]);
        let model = model.object(a.solid(cuboid(BLOCK).material("Stuff").collides()));
        let mut run = start(&model.build().unwrap(), 1e-8);
        run.to(1.0);
        let r = run.vector("a.r_abs");
        Vec3::new(c * r[0] + s * r[1], c * r[1] - s * r[0], r[2])
    };
    let difference = (turned(0.0) - turned(1.1)).norm();
    assert!(difference < 2e-6, "{difference} m");
}
