//! Positions, velocities and accelerations of every joint on a moving parent agree with each other and with the
//! meaning of the joint's coordinates.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Bench, Idle, MOVING_JOINTS, Point, Random, Run, body, joint};
use mbs::declaration::{
    Attachment, Declaration, FreeStart, Joint, JointKind, Object, Rotation, Sensor, SensorKind, Vector,
};
use mbs::expr::Expr;
use mbs::math::{Mat3, Quaternion, Vec3};
use mbs::spatial::{BodyMotion, RelativeMotion};
use mbs::topology::Coordinate;
use nalgebra::{Rotation3, Unit};

/// Which degrees of freedom are prescribed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Drive {
    None,
    First,
    All,
}

/// A scene and the joint under test.
struct Case {
    declaration: Declaration,
    name: String,
    reversed: bool,
}

/// base (free) - revolute - carrier - joint under test - tip - revolute - end, every joint on frames of its own.
fn case(kind: &str, reversed: bool, drive: Drive, seed: u64) -> Case {
    let mut random = Random::new(seed);
    let mut declaration = Declaration { name: "Moving".into(), ..Declaration::default() };
    let content = &mut declaration.content;
    for name in ["base", "carrier", "tip", "end"] {
        let mut object = body(name, &mut random);
        if name == "base" {
            object.attachment = Attachment::Free(FreeStart { v: random.vector(), w: random.vector() });
            object.pose = random.pose();
        }
        content.objects.push(object);
        for suffix in ["in", "out"] {
            let (name, parent) = (format!("{name}_{suffix}"), Some(name.to_owned()));
            content.objects.push(Object { name, parent, pose: random.pose(), ..Object::default() });
        }
    }
    content.joints.push(joint("before", "revolute", "base_out", "carrier_in", &mut random, false));
    let (from, to) = if reversed { ("tip_in", "carrier_out") } else { ("carrier_out", "tip_in") };
    let mut tested = joint("j", kind, from, to, &mut random, false);
    let count = match drive {
        Drive::None => 0,
        Drive::First => 1,
        Drive::All => tested.dofs.len(),
    };
    for (k, dof) in tested.dofs.iter_mut().take(count).enumerate() {
        let motion = format!("0.2 + {}*time + 0.7*sin({}*time)", 0.1 * k as f64 - 0.3, 2.0 + k as f64);
        dof.motion = Some(Expr::parse(&motion).unwrap());
    }
    content.joints.push(tested);
    content.joints.push(joint("after", "revolute", "tip_out", "end_in", &mut random, false));
    let name = format!("{kind}, reversed {reversed}, drive {drive:?}, seed {seed}");
    Case { declaration, name, reversed }
}

fn all_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, kind) in MOVING_JOINTS.iter().enumerate() {
        for reversed in [false, true] {
            for drive in [Drive::None, Drive::First, Drive::All] {
                if drive == Drive::None || i < 6 {
                    cases.extend((0..3).map(|seed| case(kind, reversed, drive, 100 * i as u64 + seed)));
                }
            }
        }
    }
    cases
}

const FRAMES: [&str; 6] = ["base", "carrier_out", "tip", "tip_in", "end", "end_out"];

/// Angular velocity of a rotation matrix that depends on time, from its values `h` before and after.
fn spin(before: &Mat3, at: &Mat3, after: &Mat3, h: f64) -> Vec3 {
    let rate = (after - before) * at.transpose() / (2.0 * h);
    Vec3::new(rate[(2, 1)] - rate[(1, 2)], rate[(0, 2)] - rate[(2, 0)], rate[(1, 0)] - rate[(0, 1)]) / 2.0
}

/// Checks a motion against the poses and velocities a little before and after it.
fn assert_consistent(before: &BodyMotion, at: &BodyMotion, after: &BodyMotion, h: f64, what: &str) {
    let slope = |a: &Vec3, b: &Vec3| (b - a) / (2.0 * h);
    for (name, difference, value) in [
        ("v", slope(&before.p, &after.p), at.v),
        ("w", spin(&before.rotation, &at.rotation, &after.rotation, h), at.w),
        ("a", slope(&before.v, &after.v), at.a),
        ("alpha", slope(&before.w, &after.w), at.alpha),
    ] {
        let error = (difference - value).norm();
        assert!(error < 2e-8 * (1.0 + value.norm()), "{what}: {name} is {value:?}, differences give {difference:?}");
    }
}

const H: f64 = 1e-5;

#[test]
fn velocities_and_accelerations_of_all_joints_are_the_differences_of_poses_and_velocities() {
    for case in all_cases() {
        let mut bench = Bench::new(&case.declaration);
        let point = bench.random_point(&mut Random::new(7));
        let mut motions = |s: f64| {
            let moved = bench.carried(&point, s);
            bench.evaluate(&moved);
            FRAMES.map(|frame| bench.object(frame))
        };
        let (before, at, after) = (motions(-H), motions(0.0), motions(H));
        for (k, frame) in FRAMES.iter().enumerate() {
            assert_consistent(&before[k], &at[k], &after[k], H, &format!("{}: {frame}", case.name));
        }
    }
}

#[test]
fn position_rates_are_the_differences_of_positions() {
    for case in all_cases() {
        let mut bench = Bench::new(&case.declaration);
        let point = bench.random_point(&mut Random::new(8));
        let (before, after) = (bench.carried(&point, -H).q, bench.carried(&point, H).q);
        for (k, rate) in bench.position_rates(&point).iter().enumerate() {
            let difference = (after[k] - before[k]) / (2.0 * H);
            assert!((rate - difference).abs() < 1e-8, "{}: q[{k}] {rate} {difference}", case.name);
        }
    }
}

/// Motion of `b` as the observer `a` sees it, as if `a` were the world; the relative pose only.
fn seen_from(a: &BodyMotion, b: &BodyMotion) -> (Mat3, Vec3) {
    (a.rotation.transpose() * b.rotation, a.rotation.transpose() * (b.p - a.p))
}

#[test]
fn relative_motion_is_the_difference_of_relative_poses_for_a_rotating_observer() {
    for case in all_cases() {
        let mut bench = Bench::new(&case.declaration);
        let point = bench.random_point(&mut Random::new(9));
        for (observer, frame) in
            [("carrier_out", "tip_in"), ("base", "end_out"), ("end", "carrier_in"), ("tip", "world")]
        {
            let mut at = |s: f64| {
                let moved = bench.carried(&point, s);
                bench.evaluate(&moved);
                let (a, b) = (bench.object(observer), bench.object(frame));
                (seen_from(&a, &b), RelativeMotion::between(&a, &b))
            };
            let as_body = |((rotation, p), m): ((Mat3, Vec3), RelativeMotion)| {
                assert!((m.p - p).norm() < 1e-13);
                BodyMotion { rotation, p, w: m.w, v: m.v, alpha: m.alpha, a: m.a }
            };
            let (before, now, after) = (as_body(at(-H)), as_body(at(0.0)), as_body(at(H)));
            assert_consistent(&before, &now, &after, H, &format!("{}: {frame} seen from {observer}", case.name));
        }
    }
}

fn unit(axis: &Vector) -> Vec3 {
    Vec3::from_fn(|k, _| axis[k].as_constant().unwrap()).normalize()
}

fn turn(axis: &Vec3, angle: f64) -> Mat3 {
    *Rotation3::from_axis_angle(&Unit::new_normalize(*axis), angle).matrix()
}

/// Pose of M in F by the definition of the joint.
fn defined_pose(kind: &JointKind, x: &[f64]) -> (Mat3, Vec3) {
    match kind {
        JointKind::Revolute { axis } => (turn(&unit(axis), x[0]), Vec3::zeros()),
        JointKind::Prismatic { axis } => (Mat3::identity(), unit(axis) * x[0]),
        JointKind::Screw { axis, pitch } => {
            let advance = pitch.as_constant().unwrap() * x[0] / std::f64::consts::TAU;
            (turn(&unit(axis), x[0]), unit(axis) * advance)
        }
        JointKind::Universal { axes } => (turn(&unit(&axes[0]), x[0]) * turn(&unit(&axes[1]), x[1]), Vec3::zeros()),
        JointKind::Cylindrical { axis } => (turn(&unit(axis), x[1]), unit(axis) * x[0]),
        JointKind::Planar { normal, axis } => {
            let (n, a) = (unit(normal), unit(axis));
            let first = (a - n * n.dot(&a)).normalize();
            (turn(&n, x[2]), first * x[0] + n.cross(&first) * x[1])
        }
        JointKind::Fixed | JointKind::Spherical | JointKind::Free => unreachable!("no coordinates"),
    }
}

fn tested(case: &Case) -> &Joint {
    &case.declaration.content.joints[1]
}

/// Coordinates of the tested joint at a point that was evaluated.
fn coordinates(bench: &Bench, point: &Point) -> Vec<f64> {
    let id = bench.scene.joint("j").unwrap();
    let value = |c: &Coordinate| match c {
        Coordinate::State { q, .. } => q.map_or(f64::NAN, |q| point.q[q]),
        Coordinate::Driven { motion } => bench.evaluator.workspace.motions[*motion].q,
    };
    bench.topology.joints[id.index()].coordinates.iter().map(value).collect()
}

#[test]
fn coordinates_mean_the_pose_of_to_in_from_whichever_way_the_tree_crosses_the_joint() {
    for case in all_cases() {
        if matches!(tested(&case).kind, JointKind::Spherical | JointKind::Free) {
            continue;
        }
        let mut bench = Bench::new(&case.declaration);
        let point = bench.random_point(&mut Random::new(10));
        bench.evaluate(&point);
        let id = bench.scene.joint("j").unwrap();
        assert_eq!(bench.topology.joints[id.index()].reversed, case.reversed, "{}", case.name);
        let expected = defined_pose(&tested(&case).kind, &coordinates(&bench, &point));
        let found = seen_from(&bench.object(&tested(&case).from), &bench.object(&tested(&case).to));
        let error = (expected.0 - found.0).norm() + (expected.1 - found.1).norm();
        assert!(error < 1e-12, "{}: {expected:?} {found:?}", case.name);
    }
}

#[test]
fn start_values_of_all_joints_are_those_declared_whichever_way_the_tree_crosses_them() {
    for mut case in all_cases() {
        let joint = tested(&case).clone();
        let kind = SensorKind::Motion {
            frame: joint.to.clone(),
            relative_to: Some(joint.from.clone()),
            resolved_in: None,
            pose: true,
            velocity: true,
            acceleration: true,
        };
        let sensor = Sensor { name: "seen".into(), description: String::new(), location: Default::default(), kind };
        case.declaration.content.sensors.push(sensor);
        let mut run = Run::new(&case.declaration, Idle, 1e-6);
        for (dof, (position, velocity)) in joint.dofs.iter().zip(joint.kind.dof_names()) {
            if dof.motion.is_none() {
                if !position.is_empty() {
                    let error = run.value(&format!("j.{position}")) - dof.position.as_constant().unwrap();
                    assert!(error.abs() < 1e-14, "{}: {position}", case.name);
                }
                let error = run.value(&format!("j.{velocity}")) - dof.velocity.as_constant().unwrap();
                assert!(error.abs() < 1e-13, "{}: {velocity} is off by {error:e}", case.name);
            }
        }
        let Rotation::Cardan(angles) = &joint.rotation else { unreachable!() };
        if matches!(joint.kind, JointKind::Spherical | JointKind::Free) {
            let [a, b, c] = [0, 1, 2].map(|k| angles[k].as_constant().unwrap());
            let expected = turn(&Vec3::x(), a) * turn(&Vec3::y(), b) * turn(&Vec3::z(), c);
            let q = [1, 2, 3, 4].map(|k| run.value(&format!("seen.quaternion[{k}]")));
            assert!((Quaternion::from_array(q).to_matrix() - expected).norm() < 1e-13, "{}", case.name);
        }
        if joint.kind == JointKind::Free {
            let expected = Vec3::from_fn(|k, _| joint.dofs[3 + k].position.as_constant().unwrap());
            assert!((run.vector("seen.r") - expected).norm() < 1e-13, "{}", case.name);
        }
    }
}

/// The motion of a free object on a moving parent is given relative to the parent, in the parent's axes.
#[test]
fn free_objects_start_relative_to_their_moving_parent() {
    let mut random = Random::new(11);
    let mut case = case("revolute", false, Drive::All, 11);
    let mut object = body("loose", &mut random);
    object.parent = Some("tip_out".into());
    object.pose = random.pose();
    let (v, w) = (random.vector(), random.vector());
    object.attachment = Attachment::Free(FreeStart { v: v.clone(), w: w.clone() });
    let start = object.pose.r.clone();
    case.declaration.content.objects.push(object);
    let kind = SensorKind::Motion {
        frame: "loose".into(),
        relative_to: Some("tip_out".into()),
        resolved_in: None,
        pose: true,
        velocity: true,
        acceleration: false,
    };
    case.declaration.content.sensors.push(Sensor {
        name: "seen".into(),
        description: String::new(),
        location: Default::default(),
        kind,
    });
    let mut run = Run::new(&case.declaration, Idle, 1e-6);
    for (name, expected) in [("r", start), ("v", v), ("w", w)] {
        let expected = Vec3::from_fn(|k, _| expected[k].as_constant().unwrap());
        let found = run.vector(&format!("seen.{name}"));
        assert!((found - expected).norm() < 1e-13, "{name}: {found:?} {expected:?}");
    }
}
