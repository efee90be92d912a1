//! Loops whose redundant equations do not agree: hinges of parts that were made or measured with small errors.

use crate::support::{Run, assert_near, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, object, revolute};
use mbs::elaboration::elaborate;
use mbs::simulation::{Simulation, StructureChange};
use mbs_ida::Ida;

const ROUND: [f64; 6] = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];

/// Besides a body that falls, a four-bar linkage of crank 0.6 m, coupler 1.1 m and rocker 0.9 m that swings under gravity, one of whose four hinges is out of
/// its plane by `error` \[m\] and turned by `error` \[rad\].
fn four_bar(error: f64) -> Declaration {
    let bar = |name: &str, length: f64| {
        let slender = length * length * length / 12.0;
        object(name).mass(length, [length / 2.0, 0.0, 0.0], [1e-4, slender, slender, 0.0, 0.0, 0.0])
    };
    ModelBuilder::new("Misfit")
        .gravity([0.0, -9.81, 0.0])
        .object(bar("crank", 0.6))
        .object(object("pin").on("crank").r([0.6, 0.0, 0.0]))
        .object(bar("coupler", 1.1))
        .object(object("eye").on("coupler").r([1.1, 0.0, 0.0]))
        .object(object("foot").on("world").r([1.0, 0.0, error]).turned([1.0, -0.6, 0.0], error))
        .object(bar("rocker", 0.9))
        .object(object("tip").on("rocker").r([0.9, 0.0, 0.0]))
        .object(object("loose").r([5.0, 0.0, 0.0]).mass(1.0, [0.0; 3], ROUND).lockable().free().assembly_root())
        .object(object("spot").r([5.0, 0.0, 0.0]).lockable().fixed())
        .joint(revolute("hinge", "world", "crank", "z").position(0.3).velocity(2.0))
        .joint(revolute("left", "pin", "coupler", "z"))
        .joint(revolute("swing", "foot", "rocker", "z"))
        .joint(revolute("right", "eye", "tip", "z"))
        .build()
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn angles(run: &mut Run<Ida>) -> [f64; 3] {
    ["hinge.phi", "swing.phi", "left.phi"].map(|name| run.value(name))
}

#[test]
fn hinges_that_disagree_by_a_millionth_move_like_exact_ones() {
    let exact = angles(start(&four_bar(0.0), 1e-11).to(2.0));
    for error in [1e-9, 1e-8, 1e-7, 1e-6] {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            let mut run = start(&four_bar(error), tolerance);
            let energy = run.value("energy.total");
            let found = angles(run.to(2.0));
            for (found, exact) in found.into_iter().zip(exact) {
                let allowed = 30.0 * error + 1e3 * tolerance;
                assert_near(found, exact, allowed, &format!("angle with error {error:e} at tolerance {tolerance:e}"));
            }
            let drift = (run.value("energy.total") - energy).abs();
            assert!(drift < 1e3 * tolerance + 100.0 * error * error, "{error:e}, {tolerance:e}: {drift:e} J");
            assert_eq!(run.value("event_count"), 0.0, "{error:e}, {tolerance:e}");
        }
    }
}

#[test]
fn hinges_that_disagree_by_more_are_refused_with_the_gap() {
    for error in [3e-5, 1e-3] {
        let scene = elaborate(&four_bar(error), &[]).unwrap_or_else(|problems| panic!("{problems:?}"));
        let refusal = Simulation::new(scene, Ida::new(), 0.0, Default::default()).err().map(|error| error.to_string());
        let refusal = refusal.unwrap_or_else(|| panic!("{error:e} is taken"));
        assert!(refusal.contains("the loop that joint `right` closes cannot be closed"), "{refusal}");
    }
}

#[test]
fn a_saved_state_of_hinges_that_disagree_goes_on_with_the_same_bits() {
    let model = four_bar(1e-6);
    let mut run = start(&model, 1e-8);
    let saved = run.to(0.7).simulation.save().unwrap_or_else(|error| panic!("{error}"));
    let expected = angles(run.to(2.0));
    let mut other = start(&model, 1e-8);
    other.simulation.restore(&saved).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(angles(other.to(2.0)).map(f64::to_bits), expected.map(f64::to_bits));
}

#[test]
fn hinges_that_disagree_go_on_after_a_change_of_structure() {
    let model = four_bar(1e-6);
    let whole = angles(start(&model, 1e-9).to(2.0));
    let mut run = start(&model, 1e-9);
    run.to(0.7);
    let [a, b] =
        ["loose", "spot"].map(|path| run.simulation.scene().object(path).unwrap_or_else(|| panic!("no {path}")));
    let attach = StructureChange::Attach { a, b, snap: false };
    run.simulation.change_structure(&[attach]).unwrap_or_else(|error| panic!("{error}"));
    for (found, expected) in angles(run.to(2.0)).into_iter().zip(whole) {
        assert_near(found, expected, 3e-5, "angle");
    }
}

/// A door of 0.8 m on two hinges one above the other: no lever arm says how large the loop is, only the distance of the hinges.
fn door(offset: f64, tilt: f64, size: f64) -> Declaration {
    let inertia = [2.0, 0.6, 2.0].map(|i| i * size.powi(2));
    ModelBuilder::new("Door")
        .gravity([0.0, -9.81 * size, 0.0])
        .object(object("leaf").mass(10.0, [0.4 * size, 0.0, 0.0], [inertia[0], inertia[1], inertia[2], 0.0, 0.0, 0.0]))
        .object(object("upper").on("leaf").r([0.0, 0.0, size]))
        .object(object("frame").on("world").r([offset * size, 0.0, size]).turned([1.0, 0.0, 0.0], tilt))
        .joint(revolute("lower_hinge", "world", "leaf", "z").position(0.5))
        .joint(revolute("upper_hinge", "frame", "upper", "z"))
        .build()
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn a_door_turns_on_two_hinges_that_are_not_quite_in_line() {
    let exact = start(&door(0.0, 0.0, 1.0), 1e-10).to(2.0).value("lower_hinge.phi");
    for size in [1e-3, 1.0, 1e3] {
        for misfit in [1e-10, 1e-9, 1e-8, 1e-6, 9e-6] {
            for (offset, tilt) in [(misfit, 0.0), (0.0, misfit)] {
                for tolerance in [1e-4, 1e-6, 1e-9] {
                    let mut run = start(&door(offset, tilt, size), tolerance);
                    let found = run.to(2.0).value("lower_hinge.phi");
                    let what = format!("{size} m, {offset:e} m, {tilt:e} rad, tolerance {tolerance:e}");
                    assert_near(found, exact, 1e3 * tolerance + 10.0 * misfit, &what);
                }
            }
        }
    }
}

#[test]
fn a_door_on_hinges_that_do_not_fit_is_refused() {
    let scene = elaborate(&door(1e-3, 0.0, 1.0), &[]).unwrap_or_else(|problems| panic!("{problems:?}"));
    let refusal = Simulation::new(scene, Ida::new(), 0.0, Default::default()).err().map(|error| error.to_string());
    assert!(refusal.as_ref().is_some_and(|refusal| refusal.contains("upper_hinge")), "{refusal:?}");
}
