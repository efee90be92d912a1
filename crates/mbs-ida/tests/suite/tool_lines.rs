//! Straight lines of a tool: the tool is on the line, in time, and the joints' positions, velocities and accelerations
//! fit.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, actions, object, revolute};
use mbs::declaration::{Declaration, ReferencePath, Step, ToolLine};
use mbs::expr::Expr;
use mbs::math::{Mat3, Vec3, rotation_about, rotation_vector};

const INERTIA: [f64; 6] = [0.02, 0.025, 0.015, 0.001, 0.0, 0.0];

/// Axes of the joints and their places on the link before; so many of them as an arm has joints.
const JOINTS: [(&str, [f64; 3]); 7] = [
    ("z", [0.0, 0.0, 0.1]),
    ("y", [0.0, 0.0, 0.3]),
    ("y", [0.0, 0.0, 0.5]),
    ("x", [0.02, 0.0, 0.1]),
    ("y", [0.0, 0.01, 0.35]),
    ("z", [0.0, 0.0, 0.08]),
    ("y", [0.03, 0.0, 0.07]),
];

/// Where the joints start.
const START: [f64; 7] = [0.3, 0.5, 1.1, 0.2, -0.3, 0.4, 0.3];

fn numbers(x: &[f64]) -> Vec<Expr> {
    x.iter().copied().map(Expr::number).collect()
}

/// An arm whose joints follow the path, with steps.
fn arm(joints: usize, turns_freely: bool, steps: Vec<Step>) -> Declaration {
    let mut model = ModelBuilder::new("Arm").gravity([0.0, 0.0, -9.81]);
    for (k, (axis, r)) in JOINTS.iter().take(joints).enumerate() {
        let (link, mount) = (format!("link{k}"), format!("mount{k}"));
        let on = if k == 0 { "world".to_owned() } else { format!("link{}", k - 1) };
        model = model
            .object(object(mount.clone()).on(on).r(*r))
            .object(object(link.clone()).mass(1.0, [0.01, 0.0, 0.1], INERTIA))
            .joint(
                revolute(&format!("j{k}"), &mount, &link, *axis).motion(format!("way.position[{}]", k + 1).as_str()),
            );
    }
    model = model.object(object("tool").on(format!("link{}", joints - 1)).r([0.05, 0.0, 0.1]));
    let program = steps.into_iter().fold(actions("go"), |program, step| program.step(step));
    model = model.actions(program);
    let mut declaration = model.output("tool").build().unwrap();
    let line = ToolLine {
        tool: "tool".to_owned(),
        joints: (0..joints).map(|k| format!("j{k}")).collect(),
        v_max: Expr::number(0.4),
        a_max: Expr::number(0.8),
        w_max: Some(Expr::number(1.0)),
        dw_max: Some(Expr::number(2.0)),
        turns_freely,
        ..ToolLine::default()
    };
    declaration.content.paths.push(ReferencePath {
        name: "way".to_owned(),
        start: numbers(&START[..joints]),
        v_max: numbers(&vec![3.0; joints]),
        a_max: numbers(&vec![8.0; joints]),
        line: Some(line),
        ..ReferencePath::default()
    });
    declaration
}

fn line(points: &[&[f64]]) -> Step {
    Step::Line { path: "way".to_owned(), to: points.iter().map(|point| numbers(point)).collect() }
}

/// Position and rotation of the tool.
fn tool(run: &mut Run) -> (Vec3, Mat3) {
    let id = run.simulation.scene().object("tool").unwrap();
    let pose = run.simulation.object_pose(id).unwrap();
    (pose.translation, pose.rotation)
}

/// Where the tool of an arm starts.
fn start_of(joints: usize) -> (Vec3, Mat3) {
    tool(&mut start(&arm(joints, false, Vec::new()), 1e-8))
}

/// Arms with six joints, with one more than needed, and with free orientation; with a line each.
fn lines() -> Vec<(Run, Vec3)> {
    let way = Vec3::new(-0.15, 0.2, 0.1);
    let cases = [(6, false), (7, false), (5, true), (4, true)];
    let run = |(joints, free): (usize, bool)| {
        let end = start_of(joints).0 + way;
        (start(&arm(joints, free, vec![line(&[end.as_slice()])]), 1e-8), end)
    };
    cases.into_iter().map(run).collect()
}

#[test]
fn a_tool_moves_straight_with_a_trapezoid_of_speed() {
    for (mut run, end) in lines() {
        let (from, rotation) = tool(&mut run);
        let keeps = run.simulation.scene().joints.len() > 5;
        let (way, mut fastest) = (end - from, 0.0_f64);
        for k in 1..=200 {
            run.to(0.01 * f64::from(k));
            let (p, r) = tool(&mut run);
            let along = (p - from).dot(&way.normalize());
            assert_near((p - from - way.normalize() * along).norm(), 0.0, 1e-9, "distance from the line");
            if keeps {
                assert_near(rotation_vector(&(r * rotation.transpose())).norm(), 0.0, 1e-9, "turn of the tool");
            }
            let id = run.simulation.scene().object("tool").unwrap();
            fastest = fastest.max(run.simulation.object_motion(id).v.norm());
        }
        assert!(fastest <= 0.4 * (1.0 + 1e-9) && fastest > 0.2, "the fastest speed is {fastest}");
        assert_near((tool(&mut run).0 - end).norm(), 0.0, 1e-9, "distance from the end");
    }
}

#[test]
fn positions_velocities_and_accelerations_of_the_axes_fit() {
    for (mut run, _) in lines() {
        let joints = run.simulation.scene().joints.len();
        let parts = ["position", "velocity", "acceleration"];
        let motion = |run: &mut Run, t: f64| -> Vec<[f64; 3]> {
            run.to(t);
            (1..=joints).map(|axis| parts.map(|part| run.value(&format!("way.{part}[{axis}]")))).collect()
        };
        let h = 1e-5;
        for k in 0..40 {
            let t = 0.1137 + 0.02 * f64::from(k);
            let [before, now, after] = [t - h, t, t + h].map(|t| motion(&mut run, t));
            for axis in 0..joints {
                for order in 0..2 {
                    let slope = (after[axis][order] - before[axis][order]) / (2.0 * h);
                    let what = format!("axis {axis} of {joints}: derivative {order} at {t}");
                    assert_near(now[axis][order + 1], slope, 1e-6, &what);
                }
            }
        }
    }
}

#[test]
fn the_power_of_the_drives_is_the_rate_of_the_energy() {
    let (mut run, _) = lines().remove(0);
    for k in 0..20 {
        let t = 0.15 + 0.03 * f64::from(k);
        let energy = |run: &mut Run, t: f64| run.to(t).value("energy.total");
        let h = 1e-4;
        let before = energy(&mut run, t - h);
        let mut power = 0.0;
        run.to(t);
        for joint in 0..6 {
            power += run.value(&format!("j{joint}.tau")) * run.value(&format!("j{joint}.w"));
        }
        let after = energy(&mut run, t + h);
        assert_near((after - before) / (2.0 * h), power, 2e-5 * (1.0 + power.abs()), "power");
    }
}

#[test]
fn a_tool_turns_evenly_to_a_given_orientation() {
    let (p, r) = start_of(6);
    let wanted = rotation_about(&Vec3::new(0.6, -0.64, 0.48), 0.5) * r;
    let [a, b, c] = cardan(&wanted);
    let point = [p.x, p.y - 0.1, p.z, a, b, c];
    let there = [p.x, p.y, p.z];
    let mut run = start(&arm(6, false, vec![line(&[&point, &there])]), 1e-8);
    let whole = rotation_vector(&(wanted * r.transpose()));
    let mut turned = 0.0;
    while turned < 0.999 * whole.norm() {
        run.to(run.simulation.time() + 0.01);
        assert!(run.simulation.time() < 10.0, "the tool has turned by {turned} rad only");
        let (at, now) = tool(&mut run);
        let turn = rotation_vector(&(now * r.transpose()));
        turned = turn.norm();
        let part = (p.y - at.y) / 0.1;
        assert_near((turn - whole * part).norm(), 0.0, 1e-8, "turn with the way");
    }
    run.to(20.0);
    let (at, now) = tool(&mut run);
    assert_near((at - p).norm() + (now - wanted).norm(), 0.0, 1e-8, "back at the start, turned");
}

/// Cardan angles x-y-z of a rotation.
fn cardan(r: &Mat3) -> [f64; 3] {
    [(-r[(1, 2)]).atan2(r[(2, 2)]), r[(0, 2)].asin(), (-r[(0, 1)]).atan2(r[(0, 0)])]
}

/// The message about a line that starts after half a second.
fn refusal(joints: usize, point: &[f64]) -> String {
    let mut run = start(&arm(joints, false, vec![Step::Wait(Expr::number(0.5)), line(&[point])]), 1e-8);
    run.to(0.4);
    run.simulation.do_step(1.0).unwrap_err().to_string()
}

#[test]
fn what_the_joints_cannot_do_is_refused_before_anything_moves_with_the_joint_and_the_place() {
    let (p, _) = start_of(6);
    let far = refusal(6, &[p.x + 3.0, p.y, p.z]);
    assert!(far.contains("actions `go` at t = 0.5 s: `tool` of the path `way` cannot move straight to"), "{far}");
    assert!(far.contains("% of the way, at ["), "{far}");
    assert!((0..6).any(|k| far.contains(&format!("`j{k}`"))), "{far}");
    // Five joints cannot keep an arbitrary orientation.
    let (p, _) = start_of(5);
    let turned = refusal(5, &[p.x - 0.2, p.y + 0.3, p.z]);
    assert!(turned.contains("rad are left that the joints cannot go"), "{turned}");
}

#[test]
fn a_line_through_a_singular_position_names_the_joint_that_would_move_infinitely_fast() {
    let mut bent = START;
    bent[4] = 0.9;
    let to = vec![numbers(&bent[..6])];
    let to_bent = Step::Move { path: "way".to_owned(), to };
    let mut there = start(&arm(6, false, vec![to_bent.clone()]), 1e-8);
    there.to(3.0);
    let end = tool(&mut there).0 + Vec3::new(-0.15, 0.2, 0.1);
    let mut run = start(&arm(6, false, vec![to_bent, line(&[end.as_slice()])]), 1e-8);
    let message = run.simulation.do_step(3.0).unwrap_err().to_string();
    assert!(message.contains("the chain is singular, `j3` would have to move infinitely fast"), "{message}");
    assert!(message.contains("after 51.1 % of the way"), "{message}");
}

#[test]
fn a_run_restored_on_a_line_goes_on_with_the_same_bits() {
    let (mut run, end) = lines().remove(1);
    run.to(0.31);
    let saved = run.simulation.save().unwrap();
    let mut other = start(&arm(7, false, vec![line(&[end.as_slice()])]), 1e-8);
    other.simulation.restore(&saved).unwrap();
    for k in 1..=30 {
        let t = 0.31 + 0.017 * f64::from(k);
        run.to(t);
        other.to(t);
        let [a, b] = [&mut run, &mut other].map(tool);
        assert_eq!((a.0, a.1), (b.0, b.1), "at {t}");
    }
}

#[test]
fn joints_of_a_line_in_another_order_than_the_axes_they_follow_are_refused() {
    let mut model = arm(6, false, Vec::new());
    model.content.paths[0].line.as_mut().unwrap().joints.swap(1, 2);
    let message = &mbs::elaboration::elaborate(&model, &[]).unwrap_err()[0].message;
    let expected = "`j2` is number 2 of the joints, but its motion follows `way.position[3]`";
    assert!(message.contains(expected), "{message}");
}
