//! Bodies without mass in loops: the loop says how they move, and what the others transmit to them adds up to nothing.

use crate::support::{Run, assert_near, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    Members, ModelBuilder, ObjectBuilder, cut_force_sensor, object, prismatic, revolute, spherical, world_force,
};

const NO_TORQUE: [f64; 3] = [0.0; 3];

/// A bar of 1 kg along x, whose centre of mass is in its middle.
fn bar(name: &str, length: f64) -> ObjectBuilder {
    let slender = length * length / 12.0;
    object(name).mass(1.0, [length / 2.0, 0.0, 0.0], [1e-3, slender, slender, 0.0, 0.0, 0.0])
}

/// A crank of 0.6 m swings under gravity; coupler and rocker, 1.1 m and 0.9 m, follow it and have the given mass, as
/// points in their middles.
fn four_bar(mass: f64) -> Declaration {
    let rod = |name: &str, length: f64| match mass {
        0.0 => object(name),
        mass => object(name).mass(mass, [length / 2.0, 0.0, 0.0], [0.0; 6]),
    };
    ModelBuilder::new("FourBar")
        .gravity([0.0, -9.81, 0.0])
        .object(bar("crank", 0.6))
        .object(object("pin").on("crank").r([0.6, 0.0, 0.0]))
        .object(rod("coupler", 1.1))
        .object(object("eye").on("coupler").r([1.1, 0.0, 0.0]))
        .object(object("foot").on("world").r([1.0, 0.0, 0.0]))
        .object(rod("rocker", 0.9))
        .object(object("tip").on("rocker").r([0.9, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "crank", "z").position(0.3).velocity(0.5))
        .joint(revolute("left", "pin", "coupler", "z"))
        .joint(revolute("swing", "foot", "rocker", "z"))
        .joint(revolute("right", "eye", "tip", "z"))
        .build()
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn pendulum() -> Declaration {
    ModelBuilder::new("Pendulum")
        .gravity([0.0, -9.81, 0.0])
        .object(bar("crank", 0.6))
        .joint(revolute("hinge", "world", "crank", "z").position(0.3).velocity(0.5))
        .build()
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// An arm that falls pushes a slider of 3 kg by a rod between two balls; `more` adds to it.
fn slider(more: impl FnOnce(ModelBuilder) -> ModelBuilder) -> Declaration {
    let model = ModelBuilder::new("Slider")
        .gravity([0.0, 0.0, -9.81])
        .object(bar("arm", 1.0))
        .object(object("end").on("arm").r([1.0, 0.0, 0.0]))
        .object(object("rail").on("world").r([0.2, 0.1, 1.0]))
        .object(object("slider").mass(3.0, [0.0; 3], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))
        .object(object("rod"))
        .object(object("eye").on("rod").r([1.3, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "arm", "y").position(0.1))
        .joint(prismatic("guide", "rail", "slider", "x"))
        .joint(spherical("ball1", "end", "rod"))
        .joint(spherical("ball2", "slider", "eye"))
        .sensor(cut_force_sensor("push", "ball1").resolved_in("rod"));
    more(model).build().unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn vector(run: &mut Run, name: &str) -> [f64; 3] {
    [1, 2, 3].map(|k| run.value(&format!("{name}[{k}]")))
}

#[test]
fn a_linkage_without_mass_leaves_its_crank_a_pendulum() {
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let (mut linkage, mut alone) = (start(&four_bar(0.0), tolerance), start(&pendulum(), 1e-12));
        for step in 0..=40 {
            let t = 0.1 * f64::from(step);
            let (found, expected) = (linkage.to(t).value("hinge.phi"), alone.to(t).value("hinge.phi"));
            assert_near(
                found,
                expected,
                300.0 * tolerance + 5e-6,
                &format!("angle at {t} s and tolerance {tolerance:e}"),
            );
        }
    }
}

#[test]
fn a_small_mass_tends_to_none() {
    let angle = |mass: f64| start(&four_bar(mass), 1e-11).to(1.5).value("hinge.phi");
    let without = angle(0.0);
    let differences = [1e-2, 1e-3, 1e-4, 1e-5].map(|mass| (angle(mass) - without).abs());
    for pair in differences.windows(2) {
        assert!((8.0..12.0).contains(&(pair[0] / pair[1])), "{differences:?}");
    }
}

#[test]
fn a_rod_without_mass_between_two_balls_pushes_along_itself() {
    let mut run = start(&slider(|model| model), 1e-9);
    let energy = run.value("energy.total");
    for step in 1..=20 {
        run.to(0.1 * f64::from(step));
        let [along, y, z] = vector(&mut run, "push.f");
        assert!(along.abs() > 0.1, "{along} N along the rod");
        assert!(y.abs().max(z.abs()) < 1e-5 * along.abs(), "{along}, {y}, {z} N");
        assert_near(run.value("energy.total"), energy, 1e-5, "energy");
        let spin = run.value("ball1.w[1]");
        assert!(spin.is_finite(), "spin {spin} rad/s");
    }
}

#[test]
fn a_rod_without_mass_carries_what_pulls_at_it() {
    // The pull acts on the end of the arm, where the rod hangs; its part that is borne by the rail is borne by the rod.
    let pulled = |at: &str| slider(|model| model.force(world_force("pull", at, [0.0, 2.0, 3.0], NO_TORQUE)));
    let angle = |at: &str| start(&pulled(at), 1e-9).to(2.0).value("hinge.phi");
    assert_near(angle("rod"), angle("end"), 1e-6, "angle");
}

#[test]
fn a_rod_without_mass_does_not_begin_to_spin() {
    let mut run = start(&slider(|model| model), 1e-6);
    for step in 1..=60 {
        let spin = run.to(f64::from(step)).value("ball1.w[1]");
        assert!(spin.abs() < 30.0, "spin {spin} rad/s after {step} s");
    }
}

#[test]
fn a_saved_state_of_a_linkage_without_mass_goes_on_with_the_same_bits() {
    let model = four_bar(0.0);
    let mut run = start(&model, 1e-8);
    let saved = run.to(0.7).simulation.save().unwrap_or_else(|error| panic!("{error}"));
    let expected = run.to(2.0).value("hinge.phi");
    let mut other = start(&model, 1e-8);
    other.simulation.restore(&saved).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(other.to(2.0).value("hinge.phi").to_bits(), expected.to_bits());
}
