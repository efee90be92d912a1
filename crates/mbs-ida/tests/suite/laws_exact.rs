//! Motions known in closed form, or to many digits from others.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{assert_near, assert_vector, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    Members, ModelBuilder, cuboid, cut_force_sensor, free, object, prismatic, revolute, screw, spherical, spring,
};
use std::f64::consts::{PI, TAU};

#[test]
fn box_in_planar_motion_reaches_its_exact_state() {
    let model = ModelBuilder::new("BoxPlanarMotion")
        .gravity([0.0, -1.0, 0.0])
        .object(object("along_x"))
        .object(object("along_y"))
        .object(object("box").solid(cuboid([0.4, 0.6, 0.1]).material("Steel")))
        .joint(prismatic("x", "world", "along_x", "x").position(-1.0).velocity(1.0))
        .joint(prismatic("y", "along_x", "along_y", "y").position(-1.0).velocity(2.0))
        .joint(revolute("turn", "along_y", "box", "z").velocity(3.0))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-8);
    run.to(4.0);
    let exact = [("x.s", 3.0), ("x.v", 1.0), ("y.s", -1.0), ("y.v", -2.0), ("turn.phi", 12.0), ("turn.w", 3.0)];
    for (name, expected) in exact {
        assert_near(run.value(name), expected, 1e-6, name);
    }
}

fn pendulum() -> Declaration {
    ModelBuilder::new("Pendulum")
        .gravity([0.0, -9.81, 0.0])
        .object(object("bar"))
        .object(object("mass").on("bar").r([-1.0, 0.0, 0.0]).point_mass(1.0))
        .joint(revolute("hinge", "world", "bar", "z"))
        .build()
        .unwrap()
}

/// Values of the multibody benchmark A01 (simple pendulum).
#[test]
fn the_benchmark_pendulum_is_where_the_reference_says() {
    let mut run = start(&pendulum(), 1e-12);
    for (t, [x, y]) in [(3.5, [0.99991364, -0.01314200]), (10.0, [-0.27508746, -0.96141920])] {
        run.to(t);
        assert_vector(run.vector("mass.r_abs"), [x, y, 0.0], 2e-8, "mass");
    }
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
fn elliptic_k(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    while a - b > 1e-15 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    PI / (2.0 * a)
}

#[test]
fn a_pendulum_returns_after_its_period() {
    let period = 4.0 * elliptic_k((PI / 4.0).sin()) / 9.81_f64.sqrt();
    let mut run = start(&pendulum(), 1e-11);
    run.to(period / 2.0);
    assert_near(run.value("hinge.phi"), PI, 1e-8, "angle after half a period");
    run.to(period);
    assert_near(run.value("hinge.phi"), 0.0, 1e-8, "angle after a period");
}

/// Symmetric top on its tip: with precession W, tilt u and axial spin n the motion is steady when
/// `A W² cos u - C n W + m g l = 0`, A and C about the tip.
#[test]
fn a_symmetric_top_precesses_steadily() {
    let (m, g, l, a, c) = (0.7, 9.81, 0.4, 0.2, 0.03);
    let (tilt, rate) = (0.6_f64, 1.3);
    let spin = (a * rate * rate * tilt.cos() + m * g * l) / (c * rate);
    let own = spin - rate * tilt.cos();
    let at_center = a - m * l * l;
    let model = ModelBuilder::new("Top")
        .gravity([0.0, 0.0, -g])
        .object(object("top").mass(m, [0.0, 0.0, l], [at_center, at_center, c, 0.0, 0.0, 0.0]))
        .object(object("center").on("top").r([0.0, 0.0, l]).expose(true))
        .joint(
            spherical("tip", "world", "top")
                .cardan([0.0, tilt, 0.0])
                .on("w[1]")
                .velocity(own * tilt.sin())
                .on("w[3]")
                .velocity(own * tilt.cos() + rate),
        )
        .build()
        .unwrap();
    let mut run = start(&model, 1e-10);
    for t in [0.5, 1.0, 3.0] {
        run.to(t);
        let (s, c) = (rate * t).sin_cos();
        let expected = [l * tilt.sin() * c, l * tilt.sin() * s, l * tilt.cos()];
        assert_vector(run.vector("center.r_abs"), expected, 2e-7, "centre of the top");
    }
}

#[test]
fn damped_oscillators_follow_the_exponential_solution() {
    let (m, k, d, rest, x0, v0) = (2.0, 50.0, 1.2, 1.0, 1.6, -0.4);
    let model = ModelBuilder::new("Oscillators")
        .object(object("by_joint").point_mass(m))
        .object(object("by_element").point_mass(m))
        .joint(prismatic("j", "world", "by_joint", "x").position(x0).velocity(v0).spring(k, rest).damping(d))
        .joint(prismatic("e", "world", "by_element", "y").position(x0).velocity(v0))
        .force(spring("line", "world", "by_element", k).rest_length(rest).damping(d))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-10);
    let (decay, omega) = (d / (2.0 * m), (k / m - (d / (2.0 * m)).powi(2)).sqrt());
    let (a, b) = (x0 - rest, (v0 + decay * (x0 - rest)) / omega);
    for t in [0.3, 1.0, 4.0] {
        run.to(t);
        let exact = rest + (-decay * t).exp() * (a * (omega * t).cos() + b * (omega * t).sin());
        assert_near(run.value("j.s"), exact, 1e-8, "joint spring");
        assert_near(run.value("e.s"), exact, 1e-8, "line spring");
    }
}

#[test]
fn a_thrown_body_follows_the_parabola_and_keeps_its_spin() {
    let model = ModelBuilder::new("Throw")
        .gravity([0.5, -9.81, 1.0])
        .object(
            object("stone")
                .mass(2.0, [0.0; 3], [0.4, 0.4, 0.4, 0.0, 0.0, 0.0])
                .r([1.0, 2.0, 3.0])
                .free_with([4.0, 5.0, 6.0], [1.0, -2.0, 0.5]),
        )
        .build()
        .unwrap();
    let mut run = start(&model, 1e-9);
    let t = 3.0;
    run.to(t);
    let expected = [1.0 + 4.0 * t + 0.25 * t * t, 2.0 + 5.0 * t - 4.905 * t * t, 3.0 + 6.0 * t + 0.5 * t * t];
    assert_vector(run.vector("stone.r_abs"), expected, 1e-6, "position");
    assert_vector(run.vector("stone.w_abs"), [1.0, -2.0, 0.5], 1e-9, "angular velocity");
}

/// In the rotating frame the free body describes a spiral; seen from the world it goes straight and turns evenly.
#[test]
fn a_free_body_on_a_rotating_table_goes_straight_in_the_world() {
    let table = || {
        ModelBuilder::new("Table")
            .object(object("table"))
            .joint(revolute("drive", "world", "table", "z").motion("0.4 + 1.5*time + 0.2*sin(3*time)"))
            .object(object("seat").on("table").r([0.5, 0.2, 0.1]).cardan([0.3, -0.4, 0.8]))
    };
    let body = || object("puck").mass(1.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let (r, v, w) = ([0.7, -0.3, 0.4], [0.2, -0.6, 0.3], [0.5, 0.1, -0.9]);
    let by_object = table().object(body().on("seat").r(r).free_with(v, w)).build().unwrap();
    let joint = |name: &str, from: &str, to: &str| {
        let mut joint = free(name, from, to);
        for k in 0..3 {
            let names = [format!("w[{}]", k + 1), format!("r[{}]", k + 1)];
            joint = joint.on(&names[0]).velocity(w[k]).on(&names[1]).position(r[k]).velocity(v[k]);
        }
        joint
    };
    let by_joint = table().object(body()).joint(joint("j", "seat", "puck")).build().unwrap();
    let backwards = table().object(body()).joint(joint("j", "puck", "seat")).build().unwrap();
    for (name, model) in [("object", by_object), ("joint", by_joint), ("joint backwards", backwards)] {
        let mut run = start(&model, 1e-10);
        let (p0, v0, w0) = (run.vector("puck.r_abs"), run.vector("puck.v_abs"), run.vector("puck.w_abs"));
        run.to(2.0);
        assert_vector(run.vector("puck.r_abs"), (p0 + 2.0 * v0).into(), 1e-7, name);
        assert_vector(run.vector("puck.v_abs"), v0.into(), 1e-7, name);
        assert_vector(run.vector("puck.w_abs"), w0.into(), 1e-7, name);
    }
}

/// s'' = W² s; across the rod acts 2 m W s', and the drive supplies the torque 2 m W s s'.
#[test]
fn a_bead_on_a_rotating_rod_feels_centrifugal_and_coriolis_force() {
    let (rate, s0, m) = (1.3, 0.4, 0.5);
    let model = ModelBuilder::new("Bead")
        .object(object("rod"))
        .object(object("bead").point_mass(m))
        .joint(revolute("drive", "world", "rod", "z").motion("1.3*time"))
        .joint(prismatic("slide", "rod", "bead", "x").position(s0))
        .sensor(cut_force_sensor("cut", "slide"))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-11);
    let t = 1.7;
    run.to(t);
    let (s, v) = (s0 * (rate * t).cosh(), s0 * rate * (rate * t).sinh());
    assert_near(run.value("slide.s"), s, 1e-8, "s");
    assert_near(run.value("slide.v"), v, 1e-8, "v");
    assert_vector(run.vector("cut.f"), [0.0, 2.0 * m * rate * v, 0.0], 1e-7, "cut force");
    assert_near(run.value("drive.tau"), 2.0 * m * rate * s * v, 1e-7, "drive torque");
}

/// With p = pitch per radian the axial acceleration is m g p² / (I + m p²).
#[test]
fn a_nut_on_a_screw_falls_slowly() {
    let (m, inertia, pitch) = (3.0, 0.02, 0.5);
    let model = ModelBuilder::new("Nut")
        .gravity([0.0, 0.0, -9.81])
        .object(object("nut").mass(m, [0.0; 3], [0.03, 0.03, inertia, 0.0, 0.0, 0.0]))
        .joint(screw("thread", "world", "nut", "z", pitch))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-10);
    run.to(1.5);
    let p = pitch / TAU;
    let a = 9.81 * m * p * p / (inertia + m * p * p);
    assert_vector(run.vector("nut.r_abs"), [0.0, 0.0, -0.5 * a * 1.5 * 1.5], 1e-8, "position");
    assert_near(run.value("thread.phi") * p, -0.5 * a * 1.5 * 1.5, 1e-8, "angle times pitch");
}

#[test]
fn a_joint_at_rest_carries_the_weight_in_both_directions_of_declaration() {
    for reversed in [false, true] {
        let (from, to) = if reversed { ("hook", "world") } else { ("world", "hook") };
        let model = ModelBuilder::new("Weight")
            .gravity([0.0, 0.0, -9.81])
            .object(object("hook"))
            .object(object("weight").on("hook").r([0.0, 0.0, -0.5]).mass(2.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
            .joint(revolute("hinge", from, to, "x"))
            .sensor(cut_force_sensor("cut", "hinge"))
            .build()
            .unwrap();
        let expected = if reversed { -2.0 * 9.81 } else { 2.0 * 9.81 };
        let mut run = start(&model, 1e-6);
        assert_vector(run.vector("cut.f"), [0.0, 0.0, expected], 1e-12, "cut force");
        assert_vector(run.vector("cut.t"), [0.0; 3], 1e-12, "cut torque");
    }
}

#[test]
fn a_kepler_orbit_closes_after_its_period() {
    let (mu, a, e) = (3.0, 2.0_f64, 0.6_f64);
    let periapsis = a * (1.0 - e);
    let speed = (mu * (1.0 + e) / periapsis).sqrt();
    let model = ModelBuilder::new("Orbit")
        .point_gravity(mu, [1.0, 0.0, 0.0])
        .object(
            object("moon")
                .mass(5.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0])
                .r([1.0 + periapsis, 0.0, 0.0])
                .free_with([0.0, 0.8 * speed, 0.6 * speed], [0.0; 3]),
        )
        .build()
        .unwrap();
    let period = TAU * (a.powi(3) / mu).sqrt();
    let mut run = start(&model, 1e-11);
    run.to(period / 2.0);
    assert_vector(run.vector("moon.r_abs"), [1.0 - a * (1.0 + e), 0.0, 0.0], 1e-6, "apoapsis");
    run.to(period);
    assert_vector(run.vector("moon.r_abs"), [1.0 + periapsis, 0.0, 0.0], 1e-6, "periapsis");
    assert_near(run.value("energy.total"), -5.0 * mu / (2.0 * a), 1e-8, "energy");
}
