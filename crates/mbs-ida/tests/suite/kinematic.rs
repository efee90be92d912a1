//! Kinematic analysis, and motions that follow inputs.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, error_message, start};
use mbs::declaration::builder::{Members, ModelBuilder, input, object, prismatic, revolute};
use mbs::declaration::{Analysis, Declaration, Experiment, StartKind};

const ROD: [f64; 6] = [0.002, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0];
const KINEMATIC: Experiment = Experiment {
    start: 0.0,
    stop: 1.0,
    step: None,
    tolerance: 1e-6,
    max_step: None,
    max_work: None,
    threads: None,
    analysis: Analysis::Kinematic,
    equilibrium: false,
};

/// A four-bar linkage whose crank follows `motion`.
fn four_bar(motion: &str) -> ModelBuilder {
    crate::support::four_bar(ROD, revolute("hinge", "world", "crank", "z").motion(motion))
}

/// A crank of radius 0.3 and a rod of 0.8 that move a slider; no body has mass.
fn massless_slider_crank(motion: &str) -> Declaration {
    ModelBuilder::new("SliderCrank")
        .experiment(KINEMATIC)
        .object(object("crank"))
        .object(object("pin").on("crank").r([0.3, 0.0, 0.0]))
        .object(object("rod"))
        .object(object("eye").on("rod").r([0.8, 0.0, 0.0]))
        .object(object("slider"))
        .joint(revolute("main", "world", "crank", "z").motion(motion))
        .joint(revolute("big_end", "pin", "rod", "z"))
        .joint(prismatic("guide", "world", "slider", "x").position(1.0).position_kind(StartKind::Guess))
        .joint(revolute("small_end", "eye", "slider", "z"))
        .build()
        .unwrap()
}

#[test]
fn a_kinematic_run_is_the_dynamic_run_of_a_driven_mechanism() {
    let motion = "1 + 3*time + 0.4*sin(5*time)";
    let mut dynamic = start(&four_bar(motion).build().unwrap(), 1e-10);
    let mut kinematic = start(&four_bar(motion).experiment(KINEMATIC).build().unwrap(), 1e-6);
    for k in 0..=20 {
        let t = 0.1 * f64::from(k);
        dynamic.to(t);
        kinematic.to(t);
        for (name, tolerance) in [
            ("hinge.phi", 1e-12),
            ("swing.phi", 1e-8),
            ("swing.w", 1e-7),
            ("der(swing.w)", 1e-5),
            ("pin.phi", 1e-8),
            ("pin.w", 1e-7),
            ("hinge.tau", 1e-4),
        ] {
            assert_near(kinematic.value(name), dynamic.value(name), tolerance, name);
        }
    }
    assert_eq!(kinematic.simulation.statistics().integrator.steps, 0, "nothing is integrated");
}

#[test]
fn a_slider_crank_without_masses_follows_the_formula() {
    let (r, l, w) = (0.3_f64, 0.8_f64, 4.0);
    let mut run = start(&massless_slider_crank("0.5 + 4*time"), 1e-6);
    // Few communication points: the way between them is followed, too.
    for k in 0..=6 {
        let t = 0.9 * f64::from(k);
        run.to(t);
        let (sin, cos) = (0.5 + w * t).sin_cos();
        let root = (l * l - r * r * sin * sin).sqrt();
        let s = r * cos + root;
        let v = -w * r * sin * (1.0 + r * cos / root);
        let square = r * r * ((cos * cos - sin * sin) / root + r * r * sin * sin * cos * cos / root.powi(3));
        let a = -w * w * (r * cos + square);
        assert_near(run.value("guide.s"), s, 1e-12, "position");
        assert_near(run.value("guide.v"), v, 1e-11, "velocity");
        assert_near(run.value("der(guide.v)"), a, 1e-8, "acceleration");
    }
}

#[test]
fn a_fully_driven_tree_needs_no_loops() {
    let model = ModelBuilder::new("Arm")
        .experiment(KINEMATIC)
        .object(object("arm"))
        .object(object("slider"))
        .joint(revolute("hinge", "world", "arm", "z").motion("2*time"))
        .joint(prismatic("guide", "arm", "slider", "x").motion("1 + time^2"))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-6);
    run.to(0.7);
    assert_near(run.value("guide.v"), 1.4, 1e-12, "velocity");
    let r = run.vector("slider.r_abs");
    assert_near(r.x, 1.49 * 1.4_f64.cos(), 1e-12, "x");
    assert_near(r.y, 1.49 * 1.4_f64.sin(), 1e-12, "y");
}

#[test]
fn conditions_in_motions_switch_on_time() {
    let mut run = start(&massless_slider_crank("if time < 0.5 then time else 0.5 + 2*(time - 0.5)"), 1e-6);
    run.to(1.0);
    assert_near(run.value("main.phi"), 1.5, 1e-12, "angle");
    assert_near(run.value("main.w"), 2.0, 1e-12, "angular velocity");
    assert_eq!(run.simulation.statistics().events, 1);
}

#[test]
fn degrees_of_freedom_that_nothing_drives_are_refused_by_name() {
    let free = ModelBuilder::new("Free")
        .experiment(KINEMATIC)
        .object(object("arm").mass(1.0, [0.5, 0.0, 0.0], ROD))
        .joint(revolute("hinge", "world", "arm", "z"));
    let text = error_message(&free.build().unwrap());
    assert!(text.contains("`hinge`") && text.contains("1 is free"), "{text}");
    let mut loops = massless_slider_crank("0");
    loops.content.joints[0].dofs[0].motion = None;
    let text = error_message(&loops);
    assert!(text.contains("1 is free") && text.contains("`main`"), "{text}");
}

#[test]
fn motions_beyond_a_dead_centre_end_the_step_and_name_the_loop() {
    // The rocker is longer than the crank can reach around: the coupler is stretched on the way.
    let mut declaration = four_bar("1.2*time").experiment(KINEMATIC).build().unwrap();
    let foot = declaration.content.objects.iter_mut().find(|object| object.name == "foot").unwrap();
    foot.pose.r[0] = 2.2.into();
    let mut run = start(&declaration, 1e-6);
    let error = (1..=40).find_map(|k| run.simulation.do_step(0.05 * f64::from(k)).err()).unwrap().to_string();
    assert!(error.contains("cannot follow its prescribed motion") && error.contains("closing"), "{error}");
    let reached = run.simulation.time();
    assert!(run.value("swing.phi").is_finite() && reached > 0.1, "reached {reached} s");
}

/// Gives the input `u(t) = 0.3 + t - t^2/4` with its derivatives at the present time.
fn give(run: &mut Run, t: f64) {
    run.simulation.set_input(0, 0.3 + t - 0.25 * t * t).unwrap();
    run.simulation.set_input_derivative(0, 1, 1.0 - 0.5 * t).unwrap();
    run.simulation.set_input_derivative(0, 2, -0.5).unwrap();
}

#[test]
fn a_motion_follows_an_input_and_its_derivatives() {
    for experiment in [Experiment::default(), KINEMATIC] {
        let by_formula = four_bar("1 + 2*(0.3 + time - 0.25*time^2)").experiment(experiment.clone());
        let by_input = four_bar("1 + 2*u").experiment(experiment).input(input("u").start(0.3));
        let mut by_formula = start(&by_formula.build().unwrap(), 1e-9);
        let mut by_input = start(&by_input.build().unwrap(), 1e-9);
        for k in 0..20 {
            let t = 0.1 * f64::from(k);
            give(&mut by_input, t);
            by_input.to(t + 0.1);
            by_formula.to(t + 0.1);
            for name in ["hinge.phi", "hinge.w", "der(hinge.w)", "swing.phi", "swing.w"] {
                assert_near(by_input.value(name), by_formula.value(name), 1e-6, name);
            }
        }
    }
}

#[test]
fn contradicting_start_velocities_are_told_with_their_size() {
    let mut model = four_bar("1 + 3*time").build().unwrap();
    let swing = model.content.joints.iter_mut().find(|joint| joint.name == "swing").unwrap();
    swing.dofs[0].velocity = 40.0.into();
    let text = error_message(&model);
    let size = text.split("would open with ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(size.parse::<f64>().unwrap() > 1.0, "{text}");
}
