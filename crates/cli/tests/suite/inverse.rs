//! Inverse dynamics: the efforts that motions need are those that have made them.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::support::Desk;

/// Columns of a result by name.
type Columns = BTreeMap<String, Vec<f64>>;

fn columns(text: &str) -> Columns {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    names.iter().enumerate().map(|(k, name)| ((*name).to_owned(), rows.iter().map(|row| row[k]).collect())).collect()
}

/// Largest distance of two columns.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A table with columns that are functions of time.
fn table(names: &str, times: impl Iterator<Item = f64>, row: impl Fn(f64) -> Vec<f64>) -> String {
    let mut text = format!("time,{names}\n");
    for t in times {
        let values: Vec<String> = row(t).iter().map(|x| format!("{x:?}")).collect();
        writeln!(text, "{t:?},{}", values.join(",")).unwrap();
    }
    text
}

/// An arm with a slide at its end; both have a spring and a damper, and drives that inputs give.
const ARM: &str = r#"
name = "Arm"
gravity = [0, -9.81, 0]
experiment = { stop = 2, step = 0.01, tolerance = 1e-11 }
[objects.link]
solid = { shape = "box", lengths = [0.5, 0.06, 0.05], r = [0.25, 0, 0], material = "Aluminium" }
[objects.elbow]
parent = "link"
r = [0.5, 0, 0]
[objects.hand]
solid = { shape = "box", lengths = [0.2, 0.05, 0.1], r = [0.02, 0.03, 0], material = "Aluminium" }
[objects.post]
parent = "world"
r = [0.5, 0.6, 0.1]
[joints.shoulder]
type = "universal"
from = "world"
to = "link"
axes = ["z", "y"]
phi = [0.3, 0.1]
dof.phi1 = { spring = { stiffness = 8, rest = 0.2 }, flange = true }
dof.phi2 = { damping = 0.3, flange = true }
[joints.slide]
type = "prismatic"
from = "elbow"
to = "hand"
axis = [1, 1, 0]
spring = { stiffness = 200 }
damping = 2
friction = { force = 0.3, v_reg = 0.1 }
flange = true
[forces.spring]
type = "spring"
from = "post"
to = "hand"
stiffness = 40
rest_length = 0.5
"#;

#[test]
fn the_efforts_of_a_run_come_back_and_make_the_same_motion_again() {
    let desk = Desk::new();
    desk.write("Arm.toml", ARM);
    let times = || (0..=200).map(|k| f64::from(k) * 0.01);
    let drives = |t: f64| vec![3.0 + 2.0 * (3.0 * t).sin(), (5.0 * t).cos(), 4.0 * (4.0 * t).sin()];
    desk.write("drives.csv", &table("shoulder.tau[1],shoulder.tau[2],slide.f", times(), drives));
    desk.works("simulate Arm.toml --inputs drives.csv --all -o run.csv");
    let told = desk.works("inverse Arm.toml run.csv");
    assert_eq!(told, "wrote Arm_efforts.csv (201 rows, 4 columns)\n");
    let (given, found) = (columns(&desk.text("drives.csv")), columns(&desk.text("Arm_efforts.csv")));
    for (name, effort) in &given {
        assert!(distance(effort, &found[name]) < 1e-9, "{name}: {:e}", distance(effort, &found[name]));
    }
    desk.works("simulate Arm.toml --inputs Arm_efforts.csv --all -o again.csv");
    let (run, again) = (columns(&desk.text("run.csv")), columns(&desk.text("again.csv")));
    for name in ["shoulder.phi[1]", "shoulder.phi[2]", "slide.s", "slide.v"] {
        assert!(distance(&run[name], &again[name]) < 1e-7, "{name}: {:e}", distance(&run[name], &again[name]));
    }
}

/// Two point masses on rods without mass, with springs and dampers in the hinges.
const TWO_POINTS: &str = r#"
name = "TwoPoints"
gravity = [0, -9.81, 0]
[objects.upper]
[objects.a]
parent = "upper"
r = [0, -0.7, 0]
mass = 1.3
[objects.lower]
[objects.b]
parent = "lower"
r = [0, -0.4, 0]
mass = 0.8
[joints.first]
type = "revolute"
from = "world"
to = "upper"
axis = "z"
[joints.second]
type = "revolute"
from = "a"
to = "lower"
axis = "z"
"#;

#[test]
fn a_double_pendulum_needs_the_torques_of_its_closed_form() {
    let desk = Desk::new();
    desk.write("TwoPoints.toml", TWO_POINTS);
    let [q1, q2] = [
        |t: f64| [(2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin()],
        |t: f64| [(3.0 * t).cos(), -3.0 * (3.0 * t).sin(), -9.0 * (3.0 * t).cos()],
    ];
    let times = || (0..=40).map(|k| f64::from(k) * 0.05);
    let names = "first.phi,first.w,der(first.w),second.phi,second.w,der(second.w)";
    desk.write("motion.csv", &table(names, times(), |t| [q1(t), q2(t)].concat()));
    desk.works("inverse TwoPoints.toml motion.csv -o efforts.csv");
    let found = columns(&desk.text("efforts.csv"));
    let (m1, m2, l1, l2, g) = (1.3, 0.8, 0.7, 0.4, 9.81);
    for (row, t) in times().enumerate() {
        // Lagrange's equations in relative angles.
        let ([x1, v1, a1], [x2, v2, a2]) = (q1(t), q2(t));
        let (c, s, both) = (x2.cos(), x2.sin(), x1 + x2);
        let (own, cross) = (m2 * l2 * l2, m2 * l1 * l2);
        let lower = own * (a1 + a2) + cross * c * a1 + cross * s * v1 * v1 + m2 * g * l2 * both.sin();
        let upper = (m1 + m2) * l1 * l1 * a1 + cross * c * (a1 + a2) - cross * s * (v1 + v2).powi(2)
            + (m1 + m2) * g * l1 * x1.sin()
            + lower;
        let [first, second] = ["first.tau", "second.tau"].map(|name| found[name][row]);
        assert!((first - upper).abs() < 1e-9 && (second - lower).abs() < 1e-9, "{t}: {first} {upper} {second} {lower}");
    }
}

#[test]
fn a_tumbling_body_needs_the_wrench_of_newton_and_euler() {
    let desk = Desk::new();
    desk.write(
        "Body.toml",
        "name = \"Body\"\ngravity = [0, 0, -9.81]\n[objects.stone]\nfree = true\nmass = { m = 2, center = [0, 0, 0], inertia = [0.3, 0.5, 0.7] }\n",
    );
    // It turns at 2 rad/s about a fixed axis n and flies along a sine.
    let n = [0.36, 0.48, 0.8];
    let times = || (0..=50).map(|k| f64::from(k) * 0.02);
    let names = "stone.r_abs[1],stone.r_abs[2],stone.r_abs[3],stone.v_abs[1],stone.v_abs[2],stone.v_abs[3],stone.quaternion[1],\
                 stone.quaternion[2],stone.quaternion[3],stone.quaternion[4],stone.w_abs[1],stone.w_abs[2],stone.w_abs[3]";
    let row = |t: f64| {
        let (s, c) = t.sin_cos();
        // The quaternion of the angle 2 t; its sign is turned on the way.
        let sign = if t > 0.5 { -1.0 } else { 1.0 };
        let q = [c, n[0] * s, n[1] * s, n[2] * s].map(|x| sign * x);
        let flight = [0.0, 0.3 * (3.0 * t).sin(), 1.0, 0.0, 0.9 * (3.0 * t).cos(), 0.0];
        [&flight[..], &q[..], &n.map(|x| 2.0 * x)[..]].concat()
    };
    desk.write("motion.csv", &table(names, times(), row));
    desk.works("inverse Body.toml motion.csv -o efforts.csv");
    let found = columns(&desk.text("efforts.csv"));
    for (row, t) in times().enumerate() {
        // In the axes of the body w stays 2 n, and t = w x I w; turned about n into the world.
        let w = n.map(|x| 2.0 * x);
        let iw = [0.3 * w[0], 0.5 * w[1], 0.7 * w[2]];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let torque = cross(w, iw);
        let (s, c) = (2.0 * t).sin_cos();
        let across = cross(n, torque);
        let right: [f64; 3] = std::array::from_fn(|k| c * torque[k] + s * across[k]);
        let force = [0.0, -2.0 * 2.7 * (3.0 * t).sin(), 2.0 * 9.81];
        for k in 0..3 {
            let [t_k, f_k] = ["t", "f"].map(|name| found[&format!("stone.{name}[{}]", k + 1)][row]);
            assert!((t_k - right[k]).abs() < 1e-6, "{t}: torque {k}: {t_k} {}", right[k]);
            assert!((f_k - force[k]).abs() < 1e-4, "{t}: force {k}: {f_k} {}", force[k]);
        }
    }
}

/// A floating body with an arm on a ball joint that is declared from the arm to the body.
const FLOATING: &str = r#"
name = "Floating"
gravity = [0, -9.81, 0]
experiment = { stop = 1, step = 0.01, tolerance = 1e-11 }
[objects.base]
free = { v = [0.1, 2, 0], w = [0.3, 0.2, 1.0] }
solid = { shape = "box", lengths = [0.4, 0.3, 0.2], material = "Aluminium" }
[objects.arm]
solid = { shape = "box", lengths = [0.3, 0.05, 0.05], r = [0.15, 0, 0], material = "Aluminium" }
[objects.neck]
parent = "base"
r = [0.2, 0.1, 0]
[joints.ball]
type = "spherical"
from = "arm"
to = "neck"
w = [0.5, -0.4, 0.2]
"#;

#[test]
fn what_floats_freely_needs_nothing() {
    let desk = Desk::new();
    desk.write("Floating.toml", FLOATING);
    desk.works("simulate Floating.toml --all -o run.csv");
    desk.works("inverse Floating.toml run.csv -o efforts.csv");
    let found = columns(&desk.text("efforts.csv"));
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "ball.tau[1]",
            "ball.tau[2]",
            "ball.tau[3]",
            "base.f[1]",
            "base.f[2]",
            "base.f[3]",
            "base.t[1]",
            "base.t[2]",
            "base.t[3]",
            "time"
        ]
    );
    // The weight is some 700 N; accelerations are estimated.
    for name in names.into_iter().filter(|name| *name != "time") {
        let zero = vec![0.0; found[name].len()];
        assert!(distance(&found[name], &zero) < 1e-4, "{name}: {:e}", distance(&found[name], &zero));
    }
}

/// A crank, a rod and a slider that close a loop.
const SLIDER: &str = r#"
name = "Slider"
gravity = [0, -9.81, 0]
experiment = { stop = 1, step = 0.005, tolerance = 1e-11 }
[objects.crank]
solid = { shape = "box", lengths = [0.2, 0.03, 0.02], r = [0.1, 0, 0], material = "Steel" }
[objects.pin]
parent = "crank"
r = [0.2, 0, 0]
[objects.rod]
solid = { shape = "box", lengths = [0.5, 0.03, 0.02], r = [0.25, 0, 0], material = "Steel" }
[objects.eye]
parent = "rod"
r = [0.5, 0, 0]
[objects.piston]
solid = { shape = "box", lengths = [0.1, 0.1, 0.1], material = "Aluminium" }
[joints]
main = { type = "revolute", from = "world", to = "crank", axis = "z", phi = 0.4, w = 6, flange = true }
big_end = { type = "revolute", from = "pin", to = "rod", axis = "z", phi = { guess = -0.6 } }
small_end = { type = "revolute", from = "eye", to = "piston", axis = "z", phi = { guess = 0.2 } }
guide = { type = "prismatic", from = "world", to = "piston", axis = "x", s = { guess = 0.6 }, spring = 100, damping = 5 }
"#;

#[test]
fn a_loop_gives_its_torque_back_whichever_joint_drives() {
    let desk = Desk::new();
    desk.write("Slider.toml", SLIDER);
    let times = || (0..=200).map(|k| f64::from(k) * 0.005);
    desk.write("drive.csv", &table("main.tau", times(), |t| vec![5.0 + 3.0 * (7.0 * t).sin()]));
    desk.works("simulate Slider.toml --inputs drive.csv --all -o run.csv");
    let refused = desk.run("inverse Slider.toml run.csv");
    assert_eq!(refused.code, 1);
    assert!(
        refused.err.contains("4 coordinates have motions") && refused.err.contains("1 degree of freedom"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("--drive among `main.phi`"), "{}", refused.err);
    desk.works("inverse Slider.toml run.csv --drive main -o main.csv");
    let found = columns(&desk.text("main.csv"));
    let given = columns(&desk.text("drive.csv"));
    let error = distance(&found["main.tau"], &given["main.tau"]);
    assert!(error < 8e-6, "{error:e}");
    // The other end, before its dead point: the power is that of the missing torque.
    desk.works("inverse Slider.toml run.csv --drive guide --stop 0.1 -o guide.csv");
    let (run, guide) = (columns(&desk.text("run.csv")), columns(&desk.text("guide.csv")));
    for (row, f) in guide["guide.f"].iter().enumerate() {
        let (needed, done) = (f * run["guide.v"][row], given["main.tau"][row] * run["main.w"][row]);
        assert!((needed - done).abs() < 1e-6 * 60.0, "{row}: {needed} {done}");
    }
}

#[test]
fn what_has_no_motion_is_an_error_or_moves_freely() {
    let desk = Desk::new();
    desk.write("TwoPoints.toml", TWO_POINTS);
    let swings = TWO_POINTS.replace("axis = \"z\"\n", "axis = \"z\"\nphi = 0.7\nw = 1\n");
    desk.write("Swings.toml", &swings);
    desk.works("simulate Swings.toml --stop 1 --step 0.002 --tolerance 1e-11 --all -o run.csv");
    let refused = desk.run("inverse TwoPoints.toml run.csv --drive first -o efforts.csv");
    assert!(
        refused.code == 1 && refused.err.contains("1 degree of freedom has no motion: those of `second`"),
        "{}",
        refused.err
    );
    // The start of what is free comes from the table.
    let arguments = "run.csv --drive first --free --tolerance 1e-10 --outputs first.tau,second.phi -o efforts.csv";
    desk.works(&format!("inverse TwoPoints.toml {arguments}"));
    let (run, found) = (columns(&desk.text("run.csv")), columns(&desk.text("efforts.csv")));
    assert!(distance(&run["second.phi"], &found["second.phi"]) < 1e-6);
    assert!(found["first.tau"].iter().all(|tau| tau.abs() < 1e-5), "{:?}", found["first.tau"]);
}

#[test]
fn wrong_tables_are_told_with_their_place() {
    let desk = Desk::new();
    desk.write("TwoPoints.toml", TWO_POINTS);
    let cases = [
        ("time,first.phi\n0,0\n1,1\n", "", "1 degree of freedom has no motion"),
        ("time,a,b\n0,0,0\n1,1,1\n", "", "no coordinate of the model has all of its columns; there are `a`, `b`"),
        ("time,first.phi,second.phi\n0,0,0\n", "", "motion.csv"),
        ("time,first.phi,second.phi\n0,0,0\n1,0,0\n0.5,0,0\n", "", "motion.csv:4"),
        (
            "time,first.phi,second.phi\n0,0,0\n1,0,0\n1,0.1,0\n2,0,0\n",
            "",
            "`first.phi` jumps from 0 to 0.1 rad at t = 1 s",
        ),
        ("time,first.phi,second.phi\n0,0,0\n1,NaN,0\n", "", "`first.phi` is NaN at t = 1 s"),
        (
            "time,first.phi,second.phi\n0,0,0\n1,0,0\n",
            "--drive third",
            "`third` is no joint, coordinate or free object",
        ),
        ("time,first.phi,second.phi\n0,0,0\n1,0,0\n", "--column first.q=second.phi", "`first.q` is no coordinate"),
        ("time,first.phi,second.phi\n0,0,0\n1,0,0\n", "--column first.w=qd", "there is no column `qd` for `first.w`"),
        ("time,first.phi,second.phi\n0,0,0\n1,0,0\n", "--stop 3", "the stop time 3 s is not within the rows, 0 to 1 s"),
    ];
    for (table, arguments, message) in cases {
        desk.write("motion.csv", table);
        let ran = desk.run(&format!("inverse TwoPoints.toml motion.csv {arguments} -o out.csv"));
        assert!(ran.code != 0 && ran.err.contains(message), "{table} {arguments}: {}", ran.err);
    }
}

#[test]
fn coarse_rows_are_warned_of_with_a_figure() {
    let desk = Desk::new();
    desk.write("TwoPoints.toml", TWO_POINTS);
    let times = || (0..=10).map(|k| f64::from(k) * 0.2);
    desk.write("motion.csv", &table("q1,q2", times(), |t| vec![(5.0 * t).sin(), 0.0]));
    let ran = desk.run("inverse TwoPoints.toml motion.csv --column first.phi=q1 --column second.phi=q2 -o out.csv");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("the acceleration of `first.phi`, estimated from positions, is uncertain by up to"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("second.phi`, estimated"), "{}", ran.err);
}

#[test]
fn an_fmu_takes_motions_and_gives_efforts() {
    let desk = Desk::new();
    desk.write("TwoPoints.toml", TWO_POINTS);
    desk.works("pack TwoPoints.toml --inverse --filter 0.01 -o inverse.fmu");
    desk.works("simulate inverse.fmu --set first.phi_ref=0.5 --set second.phi_ref=-0.2 --stop 0.5 -o held.csv");
    let held = columns(&desk.text("held.csv"));
    let lower = 0.8 * 9.81 * 0.4 * 0.3_f64.sin();
    let upper = lower + 2.1 * 9.81 * 0.7 * 0.5_f64.sin();
    for (name, right) in [("first.tau", upper), ("second.tau", lower)] {
        assert!(held[name].iter().all(|x| (x - right).abs() < 1e-9), "{name}: {:?} {right}", held[name].last());
    }
    let refused = desk.run("pack TwoPoints.toml --inverse --drive first -o x.fmu");
    assert!(refused.code != 0 && refused.err.contains("those of `second`"), "{}", refused.err);
    let refused = desk.run("pack TwoPoints.toml --drive first -o x.fmu");
    assert!(refused.code == 2 && refused.err.contains("--drive is for --inverse"), "{}", refused.err);
}

/// What stands on contact hinges: materials and a table.
const ON_HINGES: &str = r#"
gravity = [0, 0, -9.81]
contact = { law = "rigid", resting = "hinges" }
[materials]
Wood = { density = 600, youngs_modulus = 1e10, poissons_ratio = 0.3 }
Ice = { density = 900, youngs_modulus = 1e10, poissons_ratio = 0.3 }
[[material_pairs]]
materials = ["Wood", "Wood"]
cor = 0
mu_k = 0.4
v_min = 0.001
[[material_pairs]]
materials = ["Ice", "Wood"]
cor = 0
mu_k = 0
v_min = 0.001
[objects.table]
parent = "world"
solid = { shape = "box", lengths = [4, 4, 0.1], r = [0, 0, -0.05], material = "Wood", collides = true }
"#;

/// A box on a table, and a ball on a slide that pushes it.
const PUSHER: &str = r#"
name = "Pusher"
experiment = { stop = 1.2, step = 0.01, tolerance = 1e-9 }
[objects.box]
free = true
r = [0.1, 0, 0.1]
solid = { shape = "box", lengths = [0.2, 0.2, 0.2], material = "Wood", collides = true }
[objects.pusher]
solid = { shape = "sphere", diameter = 0.08, r = [-0.04, 0, 0.08], material = "Ice", collides = true }
[joints.slide]
type = "prismatic"
from = "world"
to = "pusher"
axis = "x"
flange = true
"#;

/// Keys at the top of a model before its tables.
fn on_hinges(model: &str) -> String {
    let (top, tables) = model.split_at(model.find("[objects").unwrap());
    format!("{top}{ON_HINGES}{tables}")
}

#[test]
fn a_box_that_is_pushed_gives_the_force_back_from_where_it_slides() {
    let desk = Desk::new();
    desk.write("Pusher.toml", &on_hinges(PUSHER));
    let times = || (0..=120).map(|k| f64::from(k) * 0.01);
    desk.write("push.csv", &table("slide.f", times(), |t| vec![30.0 * (2.0 * t).sin().powi(2)]));
    desk.works("simulate Pusher.toml --inputs push.csv --all -o run.csv");
    desk.works("inverse Pusher.toml run.csv --drive slide --free --all -o all.csv --closed table_box");
    let (given, run, found) =
        (columns(&desk.text("push.csv")), columns(&desk.text("run.csv")), columns(&desk.text("all.csv")));
    // Friction holds up to 18.8 N; then the box follows the ball.
    assert!(run["box.v_abs[1]"][40] < 1e-6 && run["box.v_abs[1]"][120] > 0.5);
    let error = distance(&given["slide.f"][50..], &found["slide.f"][50..]);
    assert!(error < 1e-7, "{error:e}");
    let [ran, moved] = [&run, &found].map(|all| &all["box.r_abs[1]"][50..]);
    assert!(distance(ran, moved) < 1e-9, "{:e}", distance(ran, moved));
    assert!(found["contact.box_pusher.f_n"][60] > 20.0, "{:?}", found["contact.box_pusher.f_n"]);
}

/// A box that a slide accelerates from rest begins to slide at once, whatever the acceleration.
#[test]
fn friction_brakes_a_box_that_is_accelerated_from_rest() {
    for acceleration in [0.5, 5.0, 12.0] {
        let desk = Desk::new();
        let slippery = PUSHER.replace("r = [-0.04, 0, 0.08]", "r = [-0.04, 0, 0.1]");
        desk.write("Pusher.toml", &on_hinges(&slippery));
        let times = || (0..=100).map(|k| f64::from(k) * 0.005);
        let motion = |t: f64| vec![0.5 * acceleration * t * t, acceleration * t, acceleration];
        desk.write("push.csv", &table("slide.s,slide.v,der(slide.v)", times(), motion));
        desk.works("inverse Pusher.toml push.csv --drive slide --free --all -o all.csv --closed table_box,box_pusher");
        let found = columns(&desk.text("all.csv"));
        let [box_mass, ball_mass] = [600.0 * 0.008, 900.0 * std::f64::consts::PI / 6.0 * 0.08_f64.powi(3)];
        let expected = (box_mass + ball_mass) * acceleration + 0.4 * box_mass * 9.81;
        for force in &found["slide.f"] {
            assert!((force - expected).abs() < 1e-6, "{acceleration} m/s²: {force} N instead of {expected} N");
        }
    }
}

/// A rough pusher could carry a part of the weight; it does not, as the table carries it without friction.
#[test]
fn a_rough_pusher_does_not_lift_what_it_pushes() {
    let desk = Desk::new();
    let flat = r#"solid = { shape = "box", lengths = [0.05, 0.1, 0.1], r = [-0.025, 0, 0.1], material = "Wood", collides = true }"#;
    let ball = PUSHER.lines().find(|line| line.contains("sphere")).unwrap();
    desk.write("Pusher.toml", &on_hinges(&PUSHER.replace(ball, flat)));
    let acceleration = 0.6;
    let motion = |t: f64| vec![0.5 * acceleration * t * t, acceleration * t, acceleration];
    desk.write("push.csv", &table("slide.s,slide.v,der(slide.v)", (0..=100).map(|k| f64::from(k) * 0.005), motion));
    desk.works("inverse Pusher.toml push.csv --drive slide --free --all -o all.csv");
    let found = columns(&desk.text("all.csv"));
    let [box_mass, pusher_mass] = [600.0 * 0.008, 600.0 * 0.0005];
    let weight = box_mass * 9.81;
    let expected = (box_mass + pusher_mass) * acceleration + 0.4 * weight;
    for (force, load) in found["slide.f"].iter().zip(&found["contact.table_box.f_n"]) {
        assert!((force / expected - 1.0).abs() < 5e-3, "{force} N instead of {expected} N");
        assert!((load / weight - 1.0).abs() < 5e-3, "{load} N on the table instead of {weight} N");
    }
}

/// A slide presses a box that may move along a table only: nothing determines with which force.
#[test]
fn a_force_that_no_motion_determines_is_refused() {
    let desk = Desk::new();
    let press = r#"
name = "Press"
experiment = { stop = 1, step = 0.01, tolerance = 1e-9 }
[objects.carriage]
mass = { m = 1 }
[objects.tool]
solid = { shape = "sphere", diameter = 0.08, r = [0, 0, 0.04], material = "Ice", collides = true }
[joints.along]
type = "prismatic"
from = "world"
to = "carriage"
axis = "x"
[joints.down]
type = "prismatic"
from = "carriage"
to = "tool"
axis = "z"
flange = true
"#;
    desk.write("Press.toml", &on_hinges(press));
    desk.write("rest.csv", &table("down.s", [0.0, 0.5, 1.0].into_iter(), |_| vec![0.0]));
    let says = ["`table`", "`tool`", "nothing determines the force between them", "--free"];
    desk.fails("inverse Press.toml rest.csv --drive down --free -o all.csv", 1, &says);
}

/// Two boxes on a table, pushed apart by a slide that bears no weight: the heavy one stays where it is.
const CRAWLER: &str = r#"
name = "Crawler"
experiment = { stop = 1, step = 0.01, tolerance = 1e-9 }
[objects.trunk]
free = true
r = [0, 0, 0.1]
solid = { shape = "box", lengths = [0.4, 0.3, 0.2], material = "Wood", collides = true }
[objects.carriage]
solid = { shape = "box", lengths = [0.05, 0.05, 0.05], material = "Wood" }
[objects.foot]
solid = { shape = "box", lengths = [0.1, 0.1, 0.2], material = "Wood", collides = true }
[joints.slide]
type = "prismatic"
from = "trunk"
to = "carriage"
axis = "x"
s = 0.5
v = 0.4
flange = true
[joints.drop]
type = "prismatic"
from = "carriage"
to = "foot"
axis = "z"
"#;

#[test]
fn a_crawler_gives_the_force_back_that_slides_its_foot() {
    let desk = Desk::new();
    desk.write("Crawler.toml", &on_hinges(CRAWLER));
    let times = || (0..=100).map(|k| f64::from(k) * 0.01);
    desk.write("drive.csv", &table("slide.f", times(), |t| vec![4.8 + (6.0 * t).sin()]));
    desk.works("simulate Crawler.toml --inputs drive.csv --all -o run.csv");
    desk.works("inverse Crawler.toml run.csv --drive slide --free --all -o all.csv --closed table_trunk,table_foot");
    let (given, run, found) =
        (columns(&desk.text("drive.csv")), columns(&desk.text("run.csv")), columns(&desk.text("all.csv")));
    assert!(run["slide.v"].iter().all(|v| *v > 0.1), "{:?}", run["slide.v"]);
    let error = distance(&given["slide.f"], &found["slide.f"]);
    assert!(error < 1e-6, "{error:e}");
    let sticks = |name: &str| found[&format!("contact.table_{name}.sticking")].iter().all(|sticks| *sticks == 1.0);
    assert!(sticks("trunk") && !sticks("foot"));
}

/// A leg with a hip, a knee, an ankle and a flat foot.
const LEG: &str = r#"
[objects.SIDE]
parent = "trunk"
r = [AHEAD, 0, -0.05]
[objects.SIDE_thigh]
solid = { shape = "box", lengths = [0.04, 0.04, 0.3], r = [0, 0, -0.15], material = "Wood" }
[objects.SIDE_knee_place]
parent = "SIDE_thigh"
r = [0, 0, -0.3]
[objects.SIDE_shank]
solid = { shape = "box", lengths = [0.04, 0.04, 0.3], r = [0, 0, -0.15], material = "Wood" }
[objects.SIDE_ankle_place]
parent = "SIDE_shank"
r = [0, 0, -0.3]
[objects.SIDE_foot]
solid = { shape = "box", lengths = [0.12, 0.3, 0.05], r = [0, 0, -0.025], material = "Wood", collides = true }
[joints]
SIDE_hip = { type = "revolute", from = "SIDE", to = "SIDE_thigh", axis = "y", phi = 0.3, spring = { stiffness = 400, rest = 0.3 }, damping = 40, flange = true }
SIDE_knee = { type = "revolute", from = "SIDE_knee_place", to = "SIDE_shank", axis = "y", phi = -0.6, spring = { stiffness = 400, rest = -0.6 }, damping = 40, flange = true }
SIDE_ankle = { type = "revolute", from = "SIDE_ankle_place", to = "SIDE_foot", axis = "y", phi = 0.3, spring = { stiffness = 400, rest = 0.3 }, damping = 40, flange = true }
"#;

/// A trunk on legs that are declared at these places ahead of its middle.
fn walker(legs: &[(&str, &str)]) -> String {
    let trunk = r#"
name = "Stander"
experiment = { stop = 0.5, step = 0.002, tolerance = 1e-9 }
[objects.trunk]
free = true
r = [0, 0, "0.1 + 0.6*cos(0.3)"]
solid = { shape = "box", lengths = [0.5, 0.3, 0.1], material = "Wood" }
"#;
    let mut all = on_hinges(trunk);
    let mut joints = String::from("[joints]\n");
    for (side, ahead) in legs {
        let leg = LEG.replace("SIDE", side).replace("AHEAD", ahead);
        let (objects, own) = leg.split_once("[joints]\n").unwrap();
        all += objects;
        joints += own;
    }
    all + &joints
}

#[test]
fn a_leg_that_carries_a_trunk_gives_its_torques_back() {
    let desk = Desk::new();
    desk.write("Stander.toml", &walker(&[("leg", "0")]));
    let times = || (0..=250).map(|k| f64::from(k) * 0.002);
    let names = "leg_hip.tau,leg_knee.tau,leg_ankle.tau";
    let torques = |t: f64| {
        let s = (6.0 * t).sin().powi(3);
        vec![3.0 * s, -2.0 * s, 1.0 * s]
    };
    desk.write("drive.csv", &table(names, times(), torques));
    desk.works("simulate Stander.toml --inputs drive.csv --all -o run.csv");
    let driven = "--drive leg_hip,leg_knee,leg_ankle --free --closed table_leg_foot";
    let ran = desk.run(&format!("inverse Stander.toml run.csv {driven} -o efforts.csv"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (given, found) = (columns(&desk.text("drive.csv")), columns(&desk.text("efforts.csv")));
    for name in names.split(',') {
        let error = distance(&given[name], &found[name]);
        assert!(error < 1e-5, "{name}: {error:e}");
    }
}

/// Two feet that hold share forces between them in many ways; each of them makes the motion.
#[test]
fn torques_of_two_legs_make_the_same_motion_again() {
    let desk = Desk::new();
    desk.write("Stander.toml", &walker(&[("front", "0.2"), ("rear", "-0.2")]));
    let times = || (0..=250).map(|k| f64::from(k) * 0.002);
    let torque = |t: f64| 10.0 * (6.0 * t).sin().powi(3);
    desk.write("drive.csv", &table("front_hip.tau,rear_hip.tau", times(), |t| vec![torque(t), torque(t)]));
    desk.works("simulate Stander.toml --inputs drive.csv --all -o run.csv");
    let joints = "front_hip,front_knee,front_ankle,rear_hip,rear_knee,rear_ankle";
    let closed = "--closed table_front_foot,table_rear_foot";
    let ran = desk.run(&format!("inverse Stander.toml run.csv --drive {joints} --free {closed} -o efforts.csv"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    desk.works("simulate Stander.toml --inputs efforts.csv --all -o again.csv");
    let (run, again) = (columns(&desk.text("run.csv")), columns(&desk.text("again.csv")));
    let (efforts, height) = (columns(&desk.text("efforts.csv")), &run["trunk.r_abs[3]"]);
    assert!(distance(height, &vec![height[0]; height.len()]) > 1e-4, "it hardly moves");
    for name in ["trunk.r_abs[1]", "trunk.r_abs[3]", "front_hip.phi", "rear_knee.phi"] {
        assert!(distance(&run[name], &again[name]) < 1e-7, "{name}: {:e}", distance(&run[name], &again[name]));
    }
    // Legs do not work against each other, however inexactly the table gives their angles.
    assert!(efforts["front_hip.tau"].iter().all(|tau| tau.abs() < 15.0), "{:?}", efforts["front_hip.tau"]);
}

/// A box on a lift.
const LIFT: &str = r#"
name = "Lift"
experiment = { stop = 1, step = 0.01, tolerance = 1e-9 }
[objects.plate]
solid = { shape = "box", lengths = [0.6, 0.6, 0.1], r = [0, 0, 0.05], material = "Ice", collides = true }
[objects.load]
free = true
r = [0, 0, 0.2]
solid = { shape = "box", lengths = [0.2, 0.2, 0.2], material = "Wood", collides = true }
[joints.lift]
type = "prismatic"
from = "world"
to = "plate"
axis = "z"
flange = true
"#;

/// A table with a motion that accelerates with `a (1 - cos(w t))`.
fn lift_table(a: f64) -> String {
    let w = 6.0;
    let row = |t: f64| {
        let (s, c) = (w * t).sin_cos();
        vec![a * (0.5 * t * t + (c - 1.0) / (w * w)), a * (t - s / w), a * (1.0 - c)]
    };
    table("lift.s,lift.v,der(lift.v)", (0..=100).map(|k| f64::from(k) * 0.01), row)
}

#[test]
fn a_lift_bears_the_weight_and_the_inertia_of_what_stands_on_it() {
    let desk = Desk::new();
    let plate = 0.6 * 0.6 * 0.1 * 900.0;
    let both = plate + 0.2 * 0.2 * 0.2 * 600.0;
    let model = on_hinges(LIFT)
        .replace("[objects.table]", "[objects.unused]")
        .replace("lengths = [4, 4, 0.1], r = [0, 0, -0.05]", "lengths = [4, 4, 0.1], r = [0, 0, -50]");
    desk.write("Lift.toml", &model);
    desk.write("up.csv", &lift_table(2.0));
    desk.works("inverse Lift.toml up.csv --free --closed plate_load -o efforts.csv");
    let (motion, found) = (columns(&desk.text("up.csv")), columns(&desk.text("efforts.csv")));
    for (a, f) in motion["der(lift.v)"].iter().zip(&found["lift.f"]) {
        assert!((f - both * (9.81 + a)).abs() < 1e-7, "{f} {a}");
    }
    // Without the demand, what is left behind falls.
    desk.write("down.csv", &lift_table(-9.0));
    desk.works("inverse Lift.toml down.csv --free -o efforts.csv --stop 0.3");
    let (motion, found) = (columns(&desk.text("down.csv")), columns(&desk.text("efforts.csv")));
    let (a, f) = (motion["der(lift.v)"][30], found["lift.f"][30]);
    assert!(a < -9.81 && (f - plate * (9.81 + a)).abs() < 1e-6, "{f} {a}");
    desk.fails(
        "inverse Lift.toml down.csv --free --closed load_plate -o efforts.csv",
        1,
        &[
            "t = 0.28",
            "the contact of `plate` and `load` must stay closed (`--closed`), but they are",
            "m apart",
            "--stop",
        ],
    );
    desk.works("pack Lift.toml --inverse --drive lift --free --closed plate_load --filter 0.01 -o Lift.fmu");
    desk.works("simulate Lift.fmu --set lift.s_ref=0.0 --stop 0.5 -o held.csv");
    let held = columns(&desk.text("held.csv"));
    assert!(held["lift.f"].iter().all(|f| (f - both * 9.81).abs() < 1e-7), "{:?}", held["lift.f"]);
    let refused = desk.run("pack Lift.toml --closed plate_load -o x.fmu");
    assert!(refused.code == 2 && refused.err.contains("--closed is for --inverse"), "{}", refused.err);
}

/// Two jaws on slides, and a box between them.
const JAWS: &str = r#"
name = "Jaws"
experiment = { stop = 1, step = 0.01, tolerance = 1e-8 }
[objects.left]
solid = { shape = "box", lengths = [0.1, 0.1, 0.1], r = [-0.05, 0, 0.1], material = "Wood", collides = true }
[objects.right]
solid = { shape = "box", lengths = [0.1, 0.1, 0.1], r = [0.05, 0, 0.1], material = "Wood", collides = true }
[objects.box]
free = true
r = [0, 0, 0.1]
solid = { shape = "box", lengths = [0.2, 0.2, 0.2], material = "Wood", collides = true }
[joints]
a = { type = "prismatic", from = "world", to = "left", axis = "x", s = -0.2, flange = true }
b = { type = "prismatic", from = "world", to = "right", axis = "x", s = 0.2, flange = true }
"#;

#[test]
fn motions_that_leave_no_forces_are_refused_with_names_and_time() {
    let desk = Desk::new();
    let jaws = on_hinges(JAWS);
    desk.write("Jaws.toml", &jaws);
    let without_box = jaws.find("[objects.box]").unwrap()..jaws.find("[joints]").unwrap();
    let mut empty = jaws.clone();
    empty.replace_range(without_box, "");
    desk.write("Empty.toml", &empty);
    let times = || (0..=100).map(|k| f64::from(k) * 0.01);
    let close = |t: f64| vec![0.3 * t * t - 0.2, 0.2 - 0.3 * t * t];
    desk.write("close.csv", &table("a.s,b.s", times(), close));
    desk.fails(
        "inverse Empty.toml close.csv -o x.csv",
        1,
        &["t = 0.8164965", "`left` and `right` touch, and both follow given motions", "--free"],
    );
    desk.works("inverse Empty.toml close.csv --drive a --free -o x.csv");
    desk.fails(
        "inverse Jaws.toml close.csv --free -o x.csv",
        1,
        &["given motions drive", "`left` with `box`, `right` with `box`", "t = 0.577350", "--free"],
    );
    desk.works("inverse Jaws.toml close.csv --drive a --free -o x.csv");
    desk.fails(
        "inverse Jaws.toml close.csv --free --closed table_bx -o x.csv",
        1,
        &["the contact `table_bx` that must stay closed is none", "did you mean `table_box`?"],
    );
    desk.fails(
        "inverse Jaws.toml close.csv --free --closed left_box -o x.csv",
        1,
        &["the contact of `left` and `box` must stay closed (`--closed`), but they are"],
    );
}
