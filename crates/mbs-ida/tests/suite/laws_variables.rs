//! What variables show: derivatives are derivatives, sensors see what their observer sees, joints transmit what they
//! must.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Random, Run, assert_vector, body, free_first, joint, momentum, start};
use mbs::declaration::builder::{Members, ModelBuilder, cut_force_sensor, motion_sensor, object, revolute, universal};
use mbs::declaration::{Attachment, Content, Declaration, Dof, FreeStart, Gravity, Object, Sensor, SensorKind};
use mbs::expr::Expr;
use mbs::math::{Quaternion, Vec3};

/// A free body carrying one joint of every type, one of them driven, every second one declared backwards, and sensors.
fn observed() -> Declaration {
    let mut random = Random::new(21);
    let mut content = Content::default();
    let mut previous = "world".to_owned();
    for (k, kind) in free_first().iter().enumerate() {
        let (name, frame) = (format!("b{k}"), format!("f{k}"));
        let mut object = body(&name, &mut random);
        if *kind == "free" {
            object.attachment = Attachment::Free(FreeStart { v: random.vector(), w: random.vector() });
        } else {
            let (from, to) = if k % 2 == 0 { (&name, &previous) } else { (&previous, &name) };
            let mut joint = joint(&format!("j{k}"), kind, from, to, &mut random, false);
            if *kind == "screw" {
                joint.dofs[0] = Dof { motion: Some(Expr::parse("0.3*sin(4*time)").unwrap()), ..Dof::default() };
            }
            content.joints.push(joint);
        }
        content.objects.push(object);
        let pose = random.pose();
        content.objects.push(Object { name: frame.clone(), parent: Some(name), pose, ..Object::default() });
        previous = frame;
    }
    for (name, frame, relative_to, resolved_in) in
        [("eye", "f7", "f1", None), ("eye_turned", "f7", "f1", Some("f3")), ("back", "b0", "f6", None)]
    {
        let kind = SensorKind::Motion {
            frame: frame.into(),
            relative_to: Some(relative_to.into()),
            resolved_in: resolved_in.map(str::to_owned),
            pose: true,
            velocity: true,
            acceleration: true,
        };
        content.sensors.push(Sensor {
            name: name.into(),
            description: String::new(),
            location: Default::default(),
            kind,
        });
    }
    let gravity = Gravity::Uniform([0.3, -2.0, 0.5].map(Expr::number));
    Declaration { name: "Observed".into(), gravity, content, ..Declaration::default() }
}

const H: f64 = 1e-3;
const T: f64 = 0.3;

/// Values of variables at T - H, T and T + H.
fn around(model: &Declaration, names: &[String]) -> [Vec<f64>; 3] {
    let mut run = start(model, 1e-11);
    [T - H, T, T + H].map(|t| {
        run.to(t);
        names.iter().map(|name| run.value(name)).collect()
    })
}

fn assert_rate(name: &str, [before, _, after]: [f64; 3], rate: f64) {
    let difference = (after - before) / (2.0 * H);
    assert!((difference - rate).abs() < 1e-4 * (1.0 + rate.abs()), "{name} is {rate}, differences give {difference}");
}

#[test]
fn variables_are_the_derivatives_they_claim_to_be() {
    let model = observed();
    let run = start(&model, 1e-6);
    let mut pairs: Vec<(String, String)> =
        run.variables.iter().filter_map(|v| Some((v.name.clone(), v.derivative_of.clone()?))).collect();
    assert_eq!(pairs.len(), 2 * 10);
    for k in 1..=3 {
        for sensor in ["eye", "back"] {
            for (rate, value) in [("v", "r"), ("a", "v"), ("alpha", "w")] {
                pairs.push((format!("{sensor}.{rate}[{k}]"), format!("{sensor}.{value}[{k}]")));
            }
        }
        for body in ["b0", "b3", "b7"] {
            pairs.push((format!("{body}.v_abs[{k}]"), format!("{body}.r_abs[{k}]")));
        }
    }
    let (rates, values): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
    let (rate, value) = (around(&model, &rates), around(&model, &values));
    for (k, name) in rates.iter().enumerate() {
        assert_rate(name, [value[0][k], value[1][k], value[2][k]], rate[1][k]);
    }
}

#[test]
fn quaternions_turn_with_the_angular_velocity_of_their_sensor() {
    let model = observed();
    for path in ["eye.", "back.", "j7."] {
        let names: Vec<String> = (1..=4).map(|k| format!("{path}quaternion[{k}]")).collect();
        let values = around(&model, &names);
        let quaternion = |k: usize| Quaternion::from_array([values[k][0], values[k][1], values[k][2], values[k][3]]);
        let mut run = start(&model, 1e-11);
        let w = run.to(T).vector(&format!("{path}w"));
        let rate = Quaternion { w: 0.0, v: 0.5 * w }.product(&quaternion(1)).to_array();
        for k in 0..4 {
            assert_rate(&names[k], [values[0][k], values[1][k], values[2][k]], rate[k]);
        }
        assert!((quaternion(1).norm_squared() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn vectors_of_a_sensor_are_resolved_in_the_frame_asked_for() {
    let mut run = start(&observed(), 1e-8);
    run.to(T);
    let axes = |run: &mut Run, path: &str| {
        let id = run.simulation.scene().object(path).unwrap();
        run.simulation.object_pose(id).unwrap().rotation
    };
    let turn = axes(&mut run, "f3").transpose() * axes(&mut run, "f1");
    for part in ["r", "v", "w", "a", "alpha"] {
        let expected = turn * run.vector(&format!("eye.{part}"));
        assert_vector(run.vector(&format!("eye_turned.{part}")), expected.into(), 1e-12, part);
    }
    for k in 1..=4 {
        assert_eq!(run.value(&format!("eye.quaternion[{k}]")), run.value(&format!("eye_turned.quaternion[{k}]")));
    }
}

/// A double pendulum that hangs on one joint, declared from either side.
fn hanging(reversed: bool) -> Declaration {
    let inertia = [0.02, 0.03, 0.04, 0.003, -0.002, 0.001];
    let top = if reversed {
        revolute("top", "eyelet", "hook", [0.0, -0.3, -1.0]).velocity(1.5)
    } else {
        revolute("top", "hook", "eyelet", [0.0, 0.3, 1.0]).velocity(1.5)
    };
    ModelBuilder::new("Hanging")
        .gravity([0.0, -9.81, 0.0])
        .object(object("hook").r([0.4, 0.2, -0.3]).cardan([0.1, 0.5, 0.2]).fixed())
        .object(object("upper").mass(1.0, [0.3, 0.05, 0.0], inertia))
        .object(object("eyelet").on("upper").r([-0.1, 0.1, 0.2]).cardan([0.4, -0.2, 0.3]))
        .object(object("end").on("upper").r([0.6, 0.0, 0.1]).cardan([0.2, 0.4, -0.3]))
        .object(object("lower").mass(0.6, [0.0, 0.3, -0.1], inertia))
        .joint(top.damping(0.1))
        .joint(universal("knee", "end", "lower", "x", "y").velocity(2.0))
        .sensor(cut_force_sensor("cut", "top").resolved_in("world"))
        .sensor(motion_sensor("hook_seen", "hook"))
        .build()
        .unwrap()
}

#[test]
fn the_joint_that_carries_everything_transmits_the_change_of_momentum() {
    for reversed in [false, true] {
        let mut run = start(&hanging(reversed), 1e-11);
        let hook = run.vector("hook_seen.r");
        let about_hook = |run: &mut Run| {
            let (p, l) = momentum(run);
            (p, l - hook.cross(&p))
        };
        let (p0, l0) = about_hook(run.to(T - H));
        run.to(T);
        let (force, torque) = (run.vector("cut.f"), run.vector("cut.t"));
        let weight = |name: &str, m: f64, center: [f64; 3], run: &mut Run| {
            let id = run.simulation.scene().object(name).unwrap();
            let place = run.simulation.object_pose(id).unwrap().transform(&Vec3::from(center));
            let weight = Vec3::new(0.0, -9.81 * m, 0.0);
            (weight, (place - hook).cross(&weight))
        };
        let (f1, t1) = weight("upper", 1.0, [0.3, 0.05, 0.0], &mut run);
        let (f2, t2) = weight("lower", 0.6, [0.0, 0.3, -0.1], &mut run);
        let (p1, l1) = about_hook(run.to(T + H));
        let sign = if reversed { -1.0 } else { 1.0 };
        let expected = ((p1 - p0) / (2.0 * H) - f1 - f2) * sign;
        assert_vector(force, expected.into(), 2e-4, "cut force");
        let expected = ((l1 - l0) / (2.0 * H) - t1 - t2) * sign;
        assert_vector(torque, expected.into(), 2e-4, "cut torque");
    }
}
