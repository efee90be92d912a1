//! Loops that come and go while a model runs, and components inside loops.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, actions, component, object, revolute};
use mbs::math::Vec3;
use mbs::simulation::StructureChange;

const ROD: [f64; 6] = [0.002, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0];

/// Two arms of two rods each, 2 m apart, whose tips meet at the start.
fn arms() -> Declaration {
    let mut model = ModelBuilder::new("Arms").gravity([0.0, -9.81, 0.0]);
    for (side, x, sign) in [("left", 0.0, 1.0), ("right", 2.0, -1.0)] {
        let (upper, lower) = (format!("{side}_upper"), format!("{side}_lower"));
        let (angle, bend): (f64, f64) = (std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2);
        let from_x = |angle: f64| if sign > 0.0 { angle } else { std::f64::consts::PI - angle };
        model = model
            .object(object(format!("{side}_base")).on("world").r([x, 0.0, 0.0]))
            .object(object(&upper).mass(1.0, [0.5, 0.0, 0.0], ROD))
            .object(object(format!("{side}_elbow")).on(&upper).r([1.0, 0.0, 0.0]))
            .object(object(&lower).mass(1.0, [0.5, 0.0, 0.0], ROD))
            .object(object(format!("{side}_tip")).on(&lower).r([1.0, 0.0, 0.0]).lockable())
            .joint(
                revolute(&format!("{side}_shoulder"), &format!("{side}_base"), &upper, "z")
                    .position(from_x(angle))
                    .velocity(0.5),
            )
            .joint(
                revolute(&format!("{side}_bend"), &format!("{side}_elbow"), &lower, "z")
                    .position(sign * bend)
                    .velocity(0.0),
            );
    }
    model.build().unwrap()
}

fn change(run: &mut Run, changes: &[StructureChange]) -> f64 {
    run.simulation.change_structure(changes).unwrap_or_else(|error| panic!("{error}")).dissipated
}

fn tips(run: &Run) -> StructureChange {
    let [a, b] = ["left_tip", "right_tip"].map(|path| run.simulation.scene().object(path).unwrap());
    StructureChange::Attach { a, b, snap: false }
}

fn tip_distance(run: &mut Run) -> Vec3 {
    let [a, b] = ["left_tip", "right_tip"].map(|path| run.simulation.scene().object(path).unwrap());
    run.simulation.object_pose(b).unwrap().translation - run.simulation.object_pose(a).unwrap().translation
}

#[test]
fn attaching_two_arms_closes_a_loop_that_stays_closed_and_keeps_the_remaining_energy() {
    let mut run = start(&arms(), 1e-10);
    let energy = run.value("energy.total");
    let attach = tips(&run);
    let lost = change(&mut run, &[attach]);
    assert!(lost > 0.0, "the impact took {lost} J");
    assert_eq!(run.simulation.topology().closures.len(), 1);
    let apart = tip_distance(&mut run);
    for k in 1..=10 {
        run.to(0.1 * f64::from(k));
        assert_near(run.value("energy.total"), energy - lost, 1e-6, "energy");
        assert_near(tip_distance(&mut run).norm(), apart.norm(), 1e-7, "distance of the tips");
    }
}

#[test]
fn releasing_a_part_of_a_loop_keeps_all_coordinates_and_the_energy() {
    let mut run = start(&arms(), 1e-9);
    let attach = tips(&run);
    change(&mut run, &[attach]);
    run.to(0.3);
    let names = ["left_shoulder.phi", "right_shoulder.phi", "left_bend.phi", "right_bend.phi", "energy.total"];
    let before = names.map(|name| run.value(name));
    let frame = run.simulation.scene().object("left_tip").unwrap();
    assert_eq!(change(&mut run, &[StructureChange::Release { frame }]), 0.0);
    assert_eq!(run.simulation.topology().closures.len(), 0);
    for (name, before) in names.iter().zip(before) {
        assert_near(run.value(name), before, 1e-12, name);
    }
    run.to(0.5);
    assert!(tip_distance(&mut run).norm() > 1e-2, "the arms still move together");
}

#[test]
fn a_change_that_tears_a_loop_open_is_refused_and_leaves_the_run_as_it_was() {
    let mut run = start(&arms(), 1e-9);
    run.to(0.2);
    let before = run.value("left_shoulder.phi");
    let [a, b] = ["left_tip", "right_tip"].map(|path| run.simulation.scene().object(path).unwrap());
    let error = run.simulation.change_structure(&[StructureChange::Attach { a, b, snap: true }]).unwrap_err();
    assert!(error.to_string().contains("_"), "{error}");
    assert_eq!(run.value("left_shoulder.phi"), before);
    run.to(0.4);
}

/// A crank, a coupler and a rocker; the crank has the given inertia about its axis besides that of its rod.
fn four_bar(inertia: f64) -> ModelBuilder {
    let mut crank = ROD;
    crank[1] += inertia;
    crank[2] += inertia;
    crate::support::four_bar(crank, revolute("hinge", "world", "crank", "z").position(1.0).velocity(2.0))
}

#[test]
fn a_geared_rotor_in_a_loop_acts_like_its_reflected_inertia() {
    let rotor = four_bar(0.0)
        .component(component("rotor", "inertia").set("J", 0.01))
        .component(component("gear", "gear").set("ratio", 10.0).connect("a", "rotor").connect("b", "hinge"));
    let mut geared = start(&rotor.build().unwrap(), 1e-9);
    let mut heavy = start(&four_bar(1.0).build().unwrap(), 1e-9);
    for k in 1..=10 {
        let t = 0.1 * f64::from(k);
        geared.to(t);
        heavy.to(t);
        for name in ["hinge.phi", "hinge.w", "swing.phi", "swing.w"] {
            assert_near(geared.value(name), heavy.value(name), 2e-6, name);
        }
    }
}

#[test]
fn a_controller_in_a_loop_supplies_the_energy_that_the_loop_gains() {
    let model = four_bar(0.0)
        .component(component("filter", "first-order").set("u", "swing.w").set("T", 0.2))
        .component(component("servo", "torque").set("tau", "3*filter.y + 1").connect("flange", "hinge"))
        .component(component("supplied", "integrator").set("u", "(3*filter.y + 1)*hinge.w"));
    let mut run = start(&model.build().unwrap(), 3e-10);
    let energy = run.value("energy.total");
    run.to(1.0);
    let supplied = run.value("supplied.y");
    assert!(supplied.abs() > 0.01, "only {supplied} J");
    assert_near(run.value("energy.total"), energy + supplied, 1e-6, "energy");
}

#[test]
fn redundant_equations_of_a_loop_that_an_attachment_closes_are_told_in_the_log() {
    let rod = || [0.01, 0.01, 0.01, 0.0, 0.0, 0.0];
    let model = ModelBuilder::new("Docking")
        .object(object("dock").fixed().r([1.0, 0.0, 0.0]).lockable())
        .object(object("upper").mass(1.0, [0.25, 0.0, 0.0], rod()).assembly_root())
        .object(object("elbow").on("upper").r([0.5, 0.0, 0.0]))
        .object(object("lower").mass(2.0, [0.25, 0.0, 0.0], rod()))
        .object(object("hand").on("lower").r([0.5, 0.0, 0.0]).lockable())
        .joint(revolute("shoulder", "world", "upper", "z"))
        .joint(revolute("bend", "elbow", "lower", "z"))
        .actions(actions("grasp").wait(0.1).attach("dock", &["hand"]))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-8);
    run.simulation.journal().set_enabled(true);
    run.to(0.05);
    assert!(run.simulation.journal().take().iter().all(|entry| !entry.text.contains("redundant")));
    run.to(0.2);
    let entries = run.simulation.journal().take();
    assert!(entries.iter().any(|entry| entry.text.contains("4 of 5 equations are redundant")), "{entries:?}");
}
