//! Friction, brakes and clutches in the joints of closed loops.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, attach, change, four_bar, release, start};
use mbs::declaration::StartKind;
use mbs::declaration::builder::{
    ComponentBuilder, JointBuilder, Members, ModelBuilder, component, object, prismatic, revolute,
};

const CRANK: f64 = 0.3;
const INERTIA: f64 = 2.0;

fn with(model: ModelBuilder, components: impl IntoIterator<Item = ComponentBuilder>, tolerance: f64) -> Run {
    let model = components.into_iter().fold(model, |model, c| model.component(c));
    start(&model.build().unwrap(), tolerance)
}

/// Crank with a flywheel, rod and slider on a horizontal line.
fn slider_crank(speed: f64) -> ModelBuilder {
    let rod = [0.0, 0.02, 0.02, 0.0, 0.0, 0.0];
    ModelBuilder::new("SliderCrank")
        .object(object("crank").mass(1.0, [0.0, 0.0, 0.0], [1.0, 1.0, INERTIA, 0.0, 0.0, 0.0]))
        .object(object("pin").on("crank").r([CRANK, 0.0, 0.0]))
        .object(object("rod").mass(0.5, [0.5, 0.0, 0.0], rod))
        .object(object("end").on("rod").r([1.0, 0.0, 0.0]))
        .object(object("slider").mass(1.0, [0.0, 0.0, 0.0], [0.01, 0.01, 0.01, 0.0, 0.0, 0.0]))
        .joint(revolute("main", "world", "crank", "z").position(0.5).velocity(speed))
        .joint(revolute("big_end", "pin", "rod", "z").position(-0.6).position_kind(StartKind::Guess))
        .joint(prismatic("guide", "world", "slider", "x").position(1.2).position_kind(StartKind::Guess))
        .joint(revolute("small_end", "end", "slider", "z"))
}

fn friction(name: &str, joint: &str, limit: f64) -> ComponentBuilder {
    component(name, "friction").set("sliding", limit).connect("a", joint)
}

fn in_guide(limit: f64) -> ComponentBuilder {
    friction("f", "guide", limit).connect("motion", "translation")
}

fn heat() -> ComponentBuilder {
    component("heat", "integrator").set("u", "f.loss")
}

/// The slider has no lever at its dead centres: friction there changes its sign while the crank goes on.
#[test]
fn friction_on_a_slider_takes_its_way_times_its_force_from_the_crank() {
    let mut run = with(slider_crank(6.0), [in_guide(3.0), heat()], 1e-8);
    let energy = run.value("energy.total");
    let start = run.value("guide.s");
    let angle = run.value("main.phi");
    run.to(3.0);
    let turns = ((run.value("main.phi") - angle) / std::f64::consts::TAU).floor();
    assert!(turns >= 2.0, "{turns} turns");
    assert_near(run.value("heat.y"), energy - run.value("energy.total"), 1e-5, "heat");
    // Ways of the slider: four radii per turn, and what it has gone since the last one.
    let ways = |s: f64| (s - start).abs();
    let rest = run.value("heat.y") / 3.0 - 4.0 * CRANK * turns;
    let s = run.value("guide.s");
    let (inner, outer) = (1.0 - CRANK, 1.0 + CRANK);
    let phase = (run.value("main.phi") - angle) % std::f64::consts::TAU + angle;
    let way = if phase < std::f64::consts::PI {
        ways(s)
    } else if phase < std::f64::consts::TAU {
        start - inner + s - inner
    } else {
        start - inner + outer - inner + outer - s
    };
    assert_near(rest, way, 1e-5, "way since the last whole turn");
    let halves = [std::f64::consts::PI, std::f64::consts::TAU].iter().filter(|half| phase > **half).count();
    assert_eq!(run.value("event_count"), 2.0 * turns + halves as f64);
}

#[test]
fn a_slider_crank_with_friction_comes_to_rest_and_stays_there() {
    let mut run = with(slider_crank(3.0), [in_guide(4.0), heat()], 1e-8);
    let energy = run.value("energy.total");
    run.to(20.0);
    assert_eq!(run.value("f.mode"), 0.0);
    assert_near(run.value("energy.total"), 0.0, 1e-12, "energy at rest");
    assert_near(run.value("heat.y"), energy, 1e-5, "heat");
    let rest = run.value("main.phi");
    run.to(100.0);
    assert_near(run.value("main.phi"), rest, 1e-9, "angle at rest");
}

/// Virtual work: a torque on the crank moves a slider that friction holds when `tau d_phi = f d_s`.
#[test]
fn a_torque_on_the_crank_frees_the_slider_by_the_lever_of_the_mechanism() {
    let drive = component("drive", "torque").set("tau", "0.5*time").connect("flange", "main");
    let mut run = with(slider_crank(0.0), [in_guide(4.0), drive], 1e-8);
    run.to(1.0);
    assert_eq!(run.value("f.mode"), 0.0);
    assert!(run.value("main.w").abs() < 1e-12, "{:e}", run.value("main.w"));
    let (sin, cos) = 0.5_f64.sin_cos();
    let lever = CRANK * sin + CRANK * CRANK * sin * cos / (1.0 - (CRANK * sin).powi(2)).sqrt();
    assert_near(run.value("f.effort"), -0.5 / lever, 1e-7, "friction while it holds");
    run.to(4.0 * lever / 0.5 - 1e-3);
    assert_eq!(run.value("f.mode"), 0.0);
    run.to(4.0 * lever / 0.5 + 1e-3);
    assert_near(run.value("time_of_last_event"), 4.0 * lever / 0.5, 1e-6, "time of release");
    assert_eq!(run.value("f.mode"), -1.0);
}

#[test]
fn frictions_in_several_joints_of_a_loop_reverse_with_them_and_the_energy_is_balanced() {
    let joints = ["crank_hinge", "pin", "swing", "closing"];
    let crank = [0.002, 0.5, 0.5, 0.0, 0.0, 0.0];
    let model = || four_bar(crank, revolute("crank_hinge", "world", "crank", "z").position(1.2).velocity(7.0));
    for used in [&joints[2..3], &joints[3..4], &joints[1..3], &joints[..]] {
        let names: Vec<String> = used.iter().map(|joint| format!("in_{joint}")).collect();
        let losses: Vec<String> = names.iter().map(|name| format!("{name}.loss")).collect();
        let frictions = used.iter().zip(&names).map(|(joint, name)| friction(name, joint, 0.4));
        let heat = component("heat", "integrator").set("u", losses.join(" + ").as_str());
        let mut run = with(model(), frictions.chain([heat]), 3e-9);
        let energy = run.value("energy.total");
        for k in 1..=40 {
            run.to(0.2 * f64::from(k));
            let lost = energy - run.value("energy.total");
            assert_near(run.value("heat.y"), lost, 2e-5, &format!("heat of {used:?} at step {k}"));
        }
        assert!(run.value("event_count") > 3.0, "{used:?}: {} events", run.value("event_count"));
    }
}

#[test]
fn a_brake_locks_a_loop_wholly_and_lets_it_go_on() {
    let brake = |limit: f64| {
        component("f", "brake")
            .set("u", "if time < 0.5 or time > 2 then 0 else 1")
            .set("sliding", limit)
            .connect("a", "guide")
            .connect("motion", "translation")
    };
    let drive = component("drive", "torque").set("tau", "2").connect("flange", "main");
    let work = component("work", "integrator").set("u", "2*main.w - f.loss");
    let mut run = with(slider_crank(3.0), [brake(300.0), drive, work], 1e-8);
    let energy = run.value("energy.total");
    run.to(1.5);
    let held = run.value("main.phi");
    assert_eq!(run.value("f.mode"), 0.0);
    assert!(run.value("main.w").abs() < 1e-9, "{:e}", run.value("main.w"));
    run.to(1.999);
    assert_near(run.value("main.phi"), held, 1e-8, "angle while it is locked");
    run.to(6.0);
    assert!(run.value("main.phi") > held + 3.0);
    assert_near(run.value("energy.total") - energy, run.value("work.y"), 1e-5, "work");
}

/// Four bars in a vertical plane; the joints are declared in this order or in the opposite one.
fn bars(crank: JointBuilder, is_reversed: bool) -> ModelBuilder {
    let bar = |name: &str, length: f64, mass: f64| {
        let slender = mass * length * length / 12.0;
        object(name).mass(mass, [length / 2.0, 0.0, 0.0], [1e-4, slender, slender, 0.0, 0.0, 0.0])
    };
    let end = |name: &str, of: &str, length: f64| object(name).on(of).r([length, 0.0, 0.0]);
    let mut joints = vec![
        crank,
        revolute("pin", "crank_end", "coupler", "z"),
        revolute("swing", "foot", "rocker", "z").position("deg(70)").position_kind(StartKind::Guess),
        revolute("closing", "coupler_end", "rocker_end", "z"),
    ];
    if is_reversed {
        joints.reverse();
    }
    let model = ModelBuilder::new("Bars")
        .gravity([0.0, -9.81, 0.0])
        .object(bar("crank", 0.4, 0.5))
        .object(end("crank_end", "crank", 0.4))
        .object(bar("coupler", 1.1, 1.0))
        .object(end("coupler_end", "coupler", 1.1))
        .object(object("foot").on("world").r([1.0, 0.0, 0.0]))
        .object(bar("rocker", 0.8, 1.0))
        .object(end("rocker_end", "rocker", 0.8));
    joints.into_iter().fold(model, ModelBuilder::joint)
}

/// The effort of a clutch that holds follows from accelerations that the loop allows, not from differences of
/// velocities.
#[test]
fn a_clutch_that_holds_drives_a_loop_as_a_motion_does_at_any_tolerance_and_in_any_order() {
    let hinge = || revolute("hinge", "world", "crank", "z").position("deg(70)");
    let drives = [component("drive", "speed").set("velocity", "4 + 2*sin(3*time)"), {
        component("drive", "inertia").set("J", 1e7).set("w", 4.0)
    }];
    let motions = ["deg(70) + 4*time + 2/3*(1 - cos(3*time))", "deg(70) + 4*time"];
    for (drive, motion) in drives.iter().zip(motions) {
        let mut reference =
            start(&bars(revolute("hinge", "world", "crank", "z").motion(motion), false).build().unwrap(), 1e-9);
        let expected: Vec<[f64; 3]> = (1..=20)
            .map(|k| {
                reference.to(0.1 * f64::from(k));
                ["swing.phi", "swing.w", "hinge.tau"].map(|name| reference.value(name))
            })
            .collect();
        for (is_reversed, tolerance) in
            [(false, 1e-4), (false, 1e-6), (false, 1e-8), (true, 1e-4), (true, 1e-6), (true, 1e-8)]
        {
            let clutch = component("clutch", "clutch").set("u", 1.0).set("sliding", 100.0);
            let clutch = clutch.connect("a", "drive.flange").connect("b", "hinge");
            let mut run = with(bars(hinge().velocity(4.0), is_reversed), [drive.clone(), clutch], tolerance);
            let what = format!("{motion}, reversed: {is_reversed}, tolerance {tolerance}");
            for (k, [phi, w, tau]) in expected.iter().enumerate() {
                run.to(0.1 * (k + 1) as f64);
                assert_eq!(run.value("clutch.mode"), 0.0, "{what}");
                assert_near(run.value("swing.phi"), *phi, 30.0 * tolerance, &format!("angle, {what}"));
                assert_near(run.value("swing.w"), *w, 100.0 * tolerance, &format!("velocity, {what}"));
                assert_near(run.value("clutch.effort"), *tau, 500.0 * tolerance, &format!("torque, {what}"));
            }
        }
    }
}

#[test]
fn a_clutch_that_catches_a_loop_holds_on_to_a_free_inertia_and_keeps_the_energy() {
    for (is_reversed, tolerance) in [(false, 1e-5), (false, 1e-8), (true, 1e-6), (true, 1e-8)] {
        let drive = component("drive", "inertia").set("J", 0.5).set("w", 12.0);
        let clutch = component("clutch", "clutch").set("u", 1.0).set("sliding", 40.0);
        let clutch = clutch.connect("a", "drive.flange").connect("b", "hinge");
        let heat = component("heat", "integrator").set("u", "clutch.loss");
        let hinge = revolute("hinge", "world", "crank", "z").position("deg(70)").velocity(0.0);
        let mut run = with(bars(hinge, is_reversed), [drive, clutch, heat], tolerance);
        let energy = |run: &mut Run| run.value("energy.total") + run.value("heat.y");
        let start = energy(&mut run);
        run.to(3.0);
        let what = format!("reversed: {is_reversed}, tolerance {tolerance}");
        assert_eq!(run.value("clutch.mode"), 0.0, "{what}");
        assert!(run.value("hinge.phi") > 10.0, "{what}");
        assert_near(energy(&mut run), start, 3e3 * tolerance, &format!("energy, {what}"));
        assert_eq!(run.value("event_count"), 1.0, "{what}");
    }
}

/// Frictions of a mechanism come to rest with it, whichever the integrator finds first, and are released together.
#[test]
fn frictions_that_come_to_rest_with_a_loop_share_its_load_and_let_go_at_the_sum_of_their_limits() {
    for (is_reversed, tolerance) in [(false, 1e-5), (false, 1e-6), (true, 1e-6), (false, 1e-8), (true, 1e-8)] {
        let hinge = revolute("hinge", "world", "crank", "z").position("deg(70)").velocity(2.0);
        let frictions = [("f1", "hinge"), ("f3", "swing")];
        let parts = frictions.map(|(name, joint)| friction(name, joint, 0.4).set("static", 0.6));
        let drive = component("drive", "torque").set("tau", "-0.5*max(0, time - 1)").connect("flange", "hinge");
        let mut run = with(bars(hinge, is_reversed), parts.into_iter().chain([drive]), tolerance);
        let what = format!("reversed: {is_reversed}, tolerance {tolerance}");
        let effort = |run: &mut Run, time: f64| {
            run.to(time);
            for (name, _) in frictions {
                assert_eq!(run.value(&format!("{name}.mode")), 0.0, "{name} at {time} s, {what}");
            }
            assert_near(run.value("f3.effort"), run.value("f1.effort"), 1e-9, &what);
            run.value("f1.effort")
        };
        let (early, late) = (effort(&mut run, 1.2), effort(&mut run, 1.3));
        let expected = 1.3 + 0.1 * (-0.6 - late) / (late - early);
        run.to(expected + 0.02);
        assert_near(run.value("time_of_last_event"), expected, tolerance.sqrt(), &what);
        assert_eq!(run.value("f1.mode"), -1.0, "{what}");
    }
}

/// A rotor that drives the crank over a gear with losses is a mechanism with one degree of freedom: the loss is a part
/// of the power that passes the teeth, whichever side drives, and what is supplied goes into energy and loss.
#[test]
fn a_gear_with_losses_drives_a_loop_and_is_driven_by_it_with_its_energy_balanced() {
    for (is_reversed, tolerance, efficiency) in
        [(false, 1e-5, 0.8), (false, 1e-7, 0.8), (true, 1e-6, 0.5), (false, 1e-8, 0.999_999), (true, 1e-8, 0.3)]
    {
        let what = format!("reversed: {is_reversed}, tolerance {tolerance}, efficiency {efficiency}");
        let hinge = revolute("hinge", "world", "crank", "z").position("deg(70)").velocity(0.0);
        let motor = component("motor", "dc-motor").set("v", "24*sin(time)").set("R", 0.5).set("L", 0.0);
        let motor = motor.set("k", 0.3).set("J", 0.001);
        let gear = component("gear", "gear").set("ratio", 5.0).set("efficiency", efficiency);
        let gear = gear.connect("a", "motor.flange").connect("b", "hinge");
        let net = component("net", "integrator").set("u", "24*sin(time)*motor.i - 0.5*motor.i^2 - gear.loss");
        let lost = component("lost", "integrator").set("u", "gear.loss");
        let mut run = with(bars(hinge, is_reversed), [motor, gear, net, lost], tolerance);
        let start = run.value("energy.total");
        let mut directions = [false; 2];
        for k in 1..=100 {
            run.to(0.05 * f64::from(k));
            let gain = run.value("energy.total") - start;
            assert_near(gain, run.value("net.y"), 1e4 * tolerance, &format!("energy at step {k}, {what}"));
            assert_near(run.value("motor.phi"), 5.0 * run.value("hinge.phi"), 1e3 * tolerance, &what);
            // What the rotor passes on, and what arrives at the crank.
            let loss = run.value("gear.loss");
            assert!(loss >= -1e-3 * tolerance, "loss {loss}, {what}");
            let power = 0.3 * run.value("motor.i") * run.value("motor.w");
            directions[usize::from(power > 0.0)] |= loss > 0.0;
        }
        assert!(directions == [true, true], "{what}");
        assert!(run.value("lost.y") > 0.0, "{what}");
    }
}

/// The coupler of a parallelogram does not turn: crank, coupler and rocker move like one pendulum.
fn parallelogram() -> ModelBuilder {
    let bar = |name: &str| object(name).mass(1.0, [0.25, 0.0, 0.0], [1e-4, 1.0 / 48.0, 1.0 / 48.0, 0.0, 0.0, 0.0]);
    let end = |name: &str, of: &str, length: f64| object(name).on(of).r([length, 0.0, 0.0]);
    let guess = |joint: JointBuilder, angle: &str| joint.position(angle).position_kind(StartKind::Guess);
    ModelBuilder::new("Parallelogram")
        .gravity([0.0, -9.81, 0.0])
        .object(bar("crank"))
        .object(end("crank_end", "crank", 0.5))
        .object(object("coupler").mass(2.0, [0.4, 0.0, 0.0], [1e-4, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .object(end("coupler_end", "coupler", 1.0))
        .object(object("foot").on("world").r([1.0, 0.0, 0.0]))
        .object(bar("rocker"))
        .object(end("rocker_end", "rocker", 0.5))
        .joint(revolute("hinge", "world", "crank", "z").position("deg(-80)"))
        .joint(guess(revolute("pin", "crank_end", "coupler", "z"), "deg(80)"))
        .joint(guess(revolute("swing", "foot", "rocker", "z"), "deg(-80)"))
        .joint(revolute("closing", "coupler_end", "rocker_end", "z"))
}

fn pendulum() -> ModelBuilder {
    let inertia = 2.0 / 12.0 + 2.0 * 0.25 - 4.0 * 0.375 * 0.375;
    ModelBuilder::new("Pendulum")
        .gravity([0.0, -9.81, 0.0])
        .object(object("crank").mass(4.0, [0.375, 0.0, 0.0], [1e-4, inertia, inertia, 0.0, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "crank", "z").position("deg(-80)"))
}

#[test]
fn a_gear_with_losses_drives_a_parallelogram_as_it_drives_a_pendulum() {
    let parts = |gears: usize| {
        let rotor = component("rotor", "inertia").set("J", 0.01);
        let drive = component("drive", "torque").set("tau", "0.9*sin(4*time)").connect("flange", "rotor.flange");
        let lost = component("lost", "integrator").set("u", "gear1.loss").set("k", gears as f64);
        let gear = |k: usize| {
            let gear = component(&format!("gear{k}"), "gear").set("ratio", 8.0).set("efficiency", 0.6);
            gear.connect("a", "rotor.flange").connect("b", if k == 1 { "hinge" } else { "swing" })
        };
        (1..=gears).map(gear).chain([rotor, drive, lost]).collect::<Vec<_>>()
    };
    for (gears, tolerance) in [(1, 1e-5), (1, 1e-7), (1, 1e-9), (2, 1e-6), (2, 1e-8)] {
        let mut single = with(pendulum(), parts(1), 1e-10);
        let mut double = with(parallelogram(), parts(gears), tolerance);
        for k in 1..=40 {
            single.to(0.1 * f64::from(k));
            double.to(0.1 * f64::from(k));
            for name in ["hinge.phi", "hinge.w", "lost.y"] {
                let what = format!("{name} at step {k}, {gears} gears, tolerance {tolerance}");
                assert_near(double.value(name), single.value(name), 1e3 * tolerance, &what);
            }
        }
        assert!(single.value("lost.y") > 1.0);
    }
}

/// Three bars that are hinged to each other are rigid: nothing is left for friction to hold.
#[test]
fn friction_in_a_joint_that_its_loop_blocks_bears_nothing() {
    let bar = |name: &str| object(name).mass(1.0, [0.5, 0.0, 0.0], [1e-3, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let model = || {
        ModelBuilder::new("Triangle")
            .gravity([0.0, -9.81, 0.0])
            .object(object("foot").on("world").r([1.0, 0.0, 0.0]))
            .object(bar("left"))
            .object(object("left_end").on("left").r([1.0, 0.0, 0.0]))
            .object(bar("right"))
            .object(object("right_end").on("right").r([1.0, 0.0, 0.0]))
            .joint(revolute("a", "world", "left", "z").position("deg(60)"))
            .joint(revolute("b", "foot", "right", "z").position("deg(120)"))
            .joint(revolute("c", "left_end", "right_end", "z").position("deg(60)"))
    };
    for joints in [&["a"][..], &["c"], &["a", "b"], &["a", "b", "c"]] {
        let frictions = joints.iter().map(|joint| friction(&format!("in_{joint}"), joint, 2.0));
        let drive = component("drive", "torque").set("tau", "10*time").connect("flange", "a");
        let mut run = with(model(), frictions.chain([drive]), 1e-6);
        let start = run.value("a.phi");
        for t in [0.0, 0.5, 10.0] {
            run.to(t);
            for joint in joints {
                let values = ["mode", "effort"].map(|output| run.value(&format!("in_{joint}.{output}")));
                assert_eq!(values, [0.0; 2], "{joint} of {joints:?} at {t} s");
            }
            assert_near(run.value("a.phi"), start, 1e-9, "angle");
        }
    }
}

/// A load that comes and goes while a mechanism rests is seen, however long it has rested.
#[test]
fn a_short_load_on_a_mechanism_that_friction_holds_frees_it() {
    for length in [0.01, 0.1, 1.0] {
        let load = format!("if time > 50 and time < 60 then 3*sin((time - 50)/{length})^2 else 0");
        let drive = component("drive", "torque").set("tau", load.as_str()).connect("flange", "main");
        let released = component("released", "brake").set("u", 0.0).set("sliding", 5.0).connect("a", "main");
        let mut run = with(slider_crank(0.0), [in_guide(4.0), released, drive], 1e-6);
        run.to(49.0);
        assert_eq!((run.value("f.mode"), run.value("event_count")), (0.0, 0.0));
        run.to(50.0 + 0.4 * std::f64::consts::PI * length);
        assert_eq!(run.value("f.mode"), -1.0, "load of {length} s");
    }
}

#[test]
fn a_run_restored_while_friction_holds_a_loop_goes_on_with_the_same_bits() {
    let drive = component("drive", "torque").set("tau", "1.2*time*sin(3*time)").connect("flange", "main");
    let mut run = with(slider_crank(0.0), [in_guide(4.0), drive], 1e-6);
    for t in [0.1, 0.3, 0.7, 1.1] {
        let saved = run.to(t).simulation.save().unwrap();
        let values =
            |run: &mut Run| ["main.phi", "f.effort", "time_of_last_event"].map(|name| run.value(name).to_bits());
        let at = t + 1.3;
        let first = values(run.to(at));
        run.simulation.restore(&saved).unwrap();
        assert_eq!(values(run.to(at)), first, "from {t} s");
        run.simulation.restore(&saved).unwrap();
    }
}

/// Nothing but the effort of the friction changes while the mechanism rests: steps follow it.
#[test]
fn a_load_that_swings_up_on_a_mechanism_at_rest_frees_it_the_first_time_it_can() {
    let (sin, cos) = 0.5_f64.sin_cos();
    let lever = CRANK * sin + CRANK * CRANK * sin * cos / (1.0 - (CRANK * sin).powi(2)).sqrt();
    for (frequency, tolerance) in [(5.0, 1e-4), (5.0, 1e-8), (0.7, 1e-6), (60.0, 1e-6)] {
        let excess = |t: f64| 0.02 * t * (frequency * t).sin().abs() - 4.0 * lever;
        let step = 0.01 / frequency;
        let mut before = (0..).map(|k| f64::from(k) * step).find(|t| excess(t + step) > 0.0).unwrap();
        let mut after = before + step;
        while after - before > 1e-12 {
            let middle = 0.5 * (before + after);
            *if excess(middle) > 0.0 { &mut after } else { &mut before } = middle;
        }
        let load = format!("0.02*time*sin({frequency}*time)");
        let drive = component("drive", "torque").set("tau", load.as_str()).connect("flange", "main");
        let mut run = with(slider_crank(0.0), [in_guide(4.0), drive], tolerance);
        run.to(before - 1e-5);
        assert_eq!((run.value("f.mode"), run.value("event_count")), (0.0, 0.0), "{frequency} rad/s, {tolerance}");
        run.to(after + 1e-5);
        assert_near(run.value("time_of_last_event"), after, 1e-6, "time of release");
        assert!(run.value("f.mode") != 0.0);
    }
}

/// Two gears from one rotor to two trees repeat each other as soon as these are one parallelogram.
#[test]
fn gears_with_losses_side_by_side_go_on_when_an_attachment_closes_a_loop_between_them() {
    let bar = |name: &str| object(name).mass(1.0, [0.25, 0.0, 0.0], [1e-4, 1.0 / 48.0, 1.0 / 48.0, 0.0, 0.0, 0.0]);
    let end = |name: &str, of: &str, length: f64| object(name).on(of).r([length, 0.0, 0.0]);
    let model = ModelBuilder::new("Docking")
        .gravity([0.0, -9.81, 0.0])
        .object(bar("crank"))
        .object(end("crank_end", "crank", 0.5))
        .object(object("coupler").mass(1.0, [0.5, 0.0, 0.0], [1e-4, 0.1, 0.1, 0.0, 0.0, 0.0]).assembly_root())
        .object(end("coupler_end", "coupler", 1.0).lockable())
        .object(object("foot").on("world").r([1.0, 0.0, 0.0]))
        .object(bar("rocker"))
        .object(end("rocker_end", "rocker", 0.5))
        .object(object("dock").mass(0.1, [0.0; 3], [1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0]).assembly_root().lockable())
        .joint(revolute("hinge", "world", "crank", "z").position("deg(-60)"))
        .joint(revolute("pin", "crank_end", "coupler", "z").position("deg(60)"))
        .joint(revolute("swing", "foot", "rocker", "z").position("deg(-60)"))
        .joint(revolute("closing", "rocker_end", "dock", "z").position("deg(60)"));
    let gear = |name: &str, joint: &str| {
        let gear = component(name, "gear").set("ratio", 8.0).set("efficiency", 0.7);
        gear.connect("a", "rotor.flange").connect("b", joint)
    };
    let rotor = component("rotor", "inertia").set("J", 0.01);
    let drive = component("drive", "torque").set("tau", "0.5*sin(4*time)").connect("flange", "rotor.flange");
    let net = component("net", "integrator").set("u", "0.5*sin(4*time)*rotor.w - g.loss - h.loss");
    let mut run = with(model, [rotor, drive, gear("g", "hinge"), gear("h", "swing"), net], 1e-7);
    let dock = attach(&run, "coupler_end", "dock");
    change(&mut run, &[dock]);
    let start = run.value("energy.total");
    for k in 1..=20 {
        run.to(0.1 * f64::from(k));
        assert_near(run.value("swing.phi"), run.value("hinge.phi"), 1e-6, "angle of the rocker");
        assert_near(run.value("rotor.phi"), 8.0 * run.value("hinge.phi"), 1e-4, "angle of the rotor");
        assert_near(run.value("energy.total") - start, run.value("net.y"), 1e-4, &format!("energy at step {k}"));
    }
    let leave = release(&run, "dock");
    change(&mut run, &[leave]);
    run.to(3.0);
    assert_near(run.value("swing.phi"), run.value("hinge.phi"), 1e-4, "angle of the rocker");
}
