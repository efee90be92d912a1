//! What must not matter in a loop: which joint closes it, in which order things are declared; and what must hold for
//! its forces.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, cut_force_sensor, object, prismatic, revolute};
use mbs::declaration::{Declaration, Joint};
use mbs::expr::Expr;
use mbs::math::Vec3;

fn rod(length: f64, m: f64) -> [f64; 6] {
    let i = m * length * length / 12.0;
    [1e-3, i, i, 0.0, 0.0, 0.0]
}

/// A crank, a rod and a slider with a spring; all joints are measured.
fn slider_crank() -> Declaration {
    let sensors = ["main", "big_end", "small_end", "guide"];
    let model = ModelBuilder::new("SliderCrank")
        .gravity([0.0, -9.81, 0.0])
        .object(object("crank").mass(1.0, [0.15, 0.0, 0.0], rod(0.3, 1.0)))
        .object(object("pin").on("crank").r([0.3, 0.0, 0.0]))
        .object(object("rod").mass(1.5, [0.4, 0.0, 0.0], rod(0.8, 1.5)).expose(true))
        .object(object("center").on("rod").r([0.4, 0.0, 0.0]))
        .object(object("eye").on("rod").r([0.8, 0.0, 0.0]))
        .object(object("slider").mass(0.5, [0.0, 0.0, 0.0], [1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0]))
        .joint(revolute("main", "world", "crank", "z").position(0.9).velocity(4.0))
        .joint(revolute("big_end", "pin", "rod", "z").damping(0.05))
        .joint(revolute("small_end", "eye", "slider", "z").spring(0.4, 0.1))
        .joint(prismatic("guide", "world", "slider", "x").spring(20.0, 1.0));
    sensors
        .iter()
        .fold(model, |model, joint| model.sensor(cut_force_sensor(&format!("at_{joint}"), joint)))
        .build()
        .unwrap()
}

/// The declaration with its joints in another order; the breadth-first search then closes the loop elsewhere.
fn reordered(order: [usize; 4]) -> Declaration {
    let mut model = slider_crank();
    let joints: Vec<Joint> = order.iter().map(|&k| model.content.joints[k].clone()).collect();
    model.content.joints = joints;
    model
}

/// The declaration with `from` and `to` of a joint exchanged; its coordinate changes the sign, and so does the rest of
/// its spring.
fn swapped(joint: usize) -> Declaration {
    let mut model = slider_crank();
    let joint = &mut model.content.joints[joint];
    std::mem::swap(&mut joint.from, &mut joint.to);
    if let Some(spring) = &mut joint.dofs[0].spring {
        spring.rest = Expr::number(-0.1);
    }
    model
}

fn closing_joint(run: &Run) -> String {
    run.simulation.topology().closures[0].name.clone()
}

fn state(run: &mut Run) -> Vec<f64> {
    ["main.phi", "main.w", "big_end.phi", "guide.s", "guide.v"].map(|name| run.value(name)).to_vec()
}

#[test]
fn the_order_of_declaration_does_not_matter() {
    let mut reference = start(&slider_crank(), 1e-10);
    reference.to(1.5);
    let expected = state(&mut reference);
    let mut closing = vec![closing_joint(&reference)];
    for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        let mut run = start(&reordered(order), 1e-10);
        closing.push(closing_joint(&run));
        run.to(1.5);
        for (found, expected) in state(&mut run).iter().zip(&expected) {
            assert_near(*found, *expected, 1e-6, "coordinate");
        }
        for name in ["at_big_end.f", "at_small_end.f", "at_main.f"] {
            let difference = (run.vector(name) - reference.vector(name)).norm();
            assert!(difference < 1e-4, "{name}: {difference:e} N");
        }
    }
    closing.dedup();
    assert!(closing.len() > 1, "the same joint closed the loop every time: {closing:?}");
}

#[test]
fn the_direction_of_joints_does_not_matter() {
    let mut reference = start(&slider_crank(), 1e-10);
    reference.to(1.5);
    for joint in [1, 2] {
        let mut run = start(&swapped(joint), 1e-10);
        run.to(1.5);
        assert_near(run.value("main.phi"), reference.value("main.phi"), 1e-6, "angle of the crank");
        assert_near(run.value("guide.s"), reference.value("guide.s"), 1e-6, "position of the slider");
    }
}

/// Newton's and Euler's laws for the rod alone, with accelerations found by differencing its motion.
#[test]
fn reaction_forces_move_the_rod_as_newton_and_euler_say() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
        let mut run = start(&reordered(order), 1e-11);
        let (m, i, h) = (1.5, rod(0.8, 1.5)[2], 1e-3);
        let t = 0.7;
        let motion = |run: &mut Run, t: f64| {
            run.to(t);
            let id = run.simulation.scene().object("center").unwrap();
            run.simulation.object_pose(id).unwrap();
            let body = run.simulation.object_motion(id);
            (body.v, body.w, body.p)
        };
        let before = motion(&mut run, t - h);
        let (_, _, center) = motion(&mut run, t);
        let ends = ["pin", "eye"].map(|name| {
            let id = run.simulation.scene().object(name).unwrap();
            run.simulation.object_pose(id).unwrap().translation
        });
        let in_pin = run.vector("at_big_end.f");
        let in_eye = run.vector("at_small_end.f");
        let axes = ["pin", "eye"].map(|name| {
            let id = run.simulation.scene().object(name).unwrap();
            run.simulation.object_pose(id).unwrap().rotation
        });
        let (big, small) = (axes[0] * in_pin, axes[1] * in_eye);
        let torque = run.vector("at_big_end.t").z - run.vector("at_small_end.t").z;
        let after = motion(&mut run, t + h);
        let acceleration = (after.0 - before.0) / (2.0 * h);
        let spin = (after.1 - before.1).z / (2.0 * h);
        let force = big - small + Vec3::new(0.0, -9.81 * m, 0.0);
        assert!((force - m * acceleration).norm() < 1e-3, "{force} N move {acceleration} m/s²");
        let moment = torque + (ends[0] - center).cross(&big).z - (ends[1] - center).cross(&small).z;
        assert_near(moment, i * spin, 1e-4, "torque on the rod");
    }
}
