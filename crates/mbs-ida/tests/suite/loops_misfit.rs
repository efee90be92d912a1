//! Loops whose redundant equations do not agree: hinges of parts that were made or measured with small errors.

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{JointBuilder, Members, ModelBuilder, object, revolute};
use mbs::declaration::{Declaration, StartKind};
use mbs::elaboration::elaborate;
use mbs::simulation::{Simulation, StructureChange};
use mbs_ida::Ida;

const ROUND: [f64; 6] = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];

/// Besides a body that falls, a four-bar linkage of crank 0.6 m, coupler 1.1 m and rocker 0.9 m that swings under
/// gravity, one of whose four hinges is out of its plane by `error` \[m\] and turned by `error` \[rad\].
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

fn angles(run: &mut Run) -> [f64; 3] {
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

/// A door of 0.8 m on two hinges one above the other: no lever arm says how large the loop is, only the distance of the
/// hinges.
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

/// A parallelogram with a third bar between the two that turn, which is longer than they are by `error` \[m\].
fn three_bars(error: f64, angle: f64, speed: f64) -> Declaration {
    let bar = |name: &str, length: f64| {
        let slender = length * length / 12.0;
        object(name).mass(1.0, [length / 2.0, 0.0, 0.0], [1e-4, slender, slender, 0.0, 0.0, 0.0])
    };
    let guess = |joint: JointBuilder| joint.position(angle).position_kind(StartKind::Guess);
    let short = 0.4;
    ModelBuilder::new("ThreeBars")
        .gravity([0.0, -9.81, 0.0])
        .object(object("pivot").on("world").r([1.0, 0.0, 0.0]))
        .object(object("middle").on("world").r([0.5, 0.0, 0.0]))
        .object(bar("crank", short))
        .object(object("crank_end").on("crank").r([short, 0.0, 0.0]))
        .object(bar("rod", 1.0))
        .object(object("rod_middle").on("rod").r([0.5, 0.0, 0.0]))
        .object(object("rod_end").on("rod").r([1.0, 0.0, 0.0]))
        .object(bar("rocker", short))
        .object(object("rocker_end").on("rocker").r([short, 0.0, 0.0]))
        .object(bar("third", short + error))
        .object(object("third_end").on("third").r([short + error, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "crank", "z").position(angle).velocity(speed))
        .joint(revolute("left", "crank_end", "rod", "z"))
        .joint(guess(revolute("swing", "pivot", "rocker", "z")))
        .joint(revolute("right", "rod_end", "rocker_end", "z"))
        .joint(guess(revolute("foot", "middle", "third", "z")))
        .joint(revolute("top", "rod_middle", "third_end", "z"))
        .build()
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The third bar keeps the others parallel in their change points. Numbers with a few digits less than a computer has
/// make it longer or shorter, so that there is strictly no way to move at all.
#[test]
fn a_third_bar_of_almost_the_right_length_lets_a_parallelogram_move() {
    for (k, exponent) in (-14..=-6).flat_map(|exponent| [(0, exponent), (1, exponent), (2, exponent)]) {
        let error = 10.0_f64.powi(exponent) * [1.0, -2.3, 4.7][k];
        let [angle, speed] = [[0.7, 2.0], [0.15, -6.7], [2.9, 11.0]][k];
        for tolerance in [1e-5, 1e-8, 1e-10] {
            let what = format!("error {error:e} at tolerance {tolerance:e}");
            let mut run = start(&three_bars(error, angle, speed), tolerance);
            let energy = run.value("energy.total");
            run.to(4.0);
            let drift = (run.value("energy.total") - energy).abs();
            assert!(drift < 1e3 * tolerance + 1e-5 + 30.0 * error.abs(), "{what}: {drift:e} J");
            let [crank, rocker] = ["hinge.phi", "swing.phi"].map(|name| run.value(name));
            assert_near(rocker, crank, 1e-5 + 30.0 * error.abs(), &what);
        }
    }
}
