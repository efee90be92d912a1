//! Start values and connections of one-dimensional mechanics that contradict each other.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component, object, prismatic, revolute};
use mbs::elaboration::elaborate;
use mbs::simulation::{Options, Simulation};
use mbs_ida::Ida;

fn model() -> ModelBuilder {
    ModelBuilder::new("Starts")
        .object(object("arm").mass(2.0, [0.0; 3], [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]))
        .object(object("cart").point_mass(2.0))
        .joint(revolute("hinge", "world", "arm", "z").velocity(0.5))
        .joint(prismatic("slide", "world", "cart", "x"))
}

fn with(components: impl IntoIterator<Item = ComponentBuilder>) -> ModelBuilder {
    components.into_iter().fold(model(), |model, c| model.component(c))
}

fn refused(components: impl IntoIterator<Item = ComponentBuilder>) -> String {
    let declaration = with(components).build().unwrap();
    let scene = match elaborate(&declaration, &[]) {
        Ok(scene) => scene,
        Err(errors) => return errors.into_iter().map(|error| error.to_string()).collect::<Vec<_>>().join("\n"),
    };
    match Simulation::new(scene, Ida::new(), 0.0, Options::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it starts"),
    }
}

fn run(components: impl IntoIterator<Item = ComponentBuilder>) -> Run {
    start(&with(components).build().unwrap(), 1e-8)
}

fn inertia(name: &str) -> ComponentBuilder {
    component(name, "inertia").set("J", 1.0)
}

fn gear(ratio: f64) -> ComponentBuilder {
    component("g", "gear").set("ratio", ratio).connect("a", "m").connect("b", "n")
}

fn assert_words(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
}

#[test]
fn start_velocities_of_what_moves_together_must_agree() {
    let shaft = refused([inertia("m").set("w", 1.0), inertia("n").set("w", 5.0).connect("flange", "m")]);
    assert_words(&shaft, &["`n`", "w = 5 rad/s", "`m.flange`", "w = 1 rad/s"]);
    let geared = refused([inertia("m").set("w", 1.0), inertia("n").set("w", 5.0), gear(2.0)]);
    assert_words(&geared, &["`n`", "w = 5 rad/s", "w = 0.5 rad/s"]);
    let on_joint = refused([inertia("m").set("w", 5.0).connect("flange", "hinge")]);
    assert_words(&on_joint, &["`m`", "w = 5 rad/s", "`hinge`", "w = 0.5 rad/s"]);
    let driven = refused([
        inertia("m").set("w", 5.0).connect("flange", "drive"),
        component("drive", "speed").set("velocity", "2 + time"),
    ]);
    assert_words(&driven, &["`m`", "w = 5 rad/s", "`drive`", "w = 2 rad/s"]);
    let lossy = refused([
        inertia("m").connect("flange", "hinge"),
        inertia("n").set("w", 4.0),
        gear(2.0).set("efficiency", 0.9),
        component("s", "speed").set("velocity", 1.0).connect("flange", "n"),
    ]);
    assert_words(&lossy, &["`n`", "w = 4 rad/s", "w = 1 rad/s"]);
}

#[test]
fn sides_of_a_gear_with_losses_must_start_in_its_ratio() {
    let gear =
        component("g", "gear").set("ratio", 2.0).set("efficiency", 0.9).connect("a", "hinge").connect("b", "slide");
    assert_words(&refused([gear]), &["`g`", "velocity of `a` is 0.5", "`b` is 0", "2 times"]);
}

#[test]
fn a_start_value_counts_whichever_flange_of_a_group_has_it() {
    let mut run = run([inertia("m"), inertia("n").set("w", 3.0).set("phi", 0.2), gear(-2.0)]);
    assert_near(run.value("m.w"), -6.0, 1e-15, "velocity");
    assert_near(run.value("m.phi"), -0.4, 1e-15, "angle");
}

#[test]
fn what_turns_is_not_connected_with_what_translates() {
    let spring = refused([component("s", "spring").set("stiffness", 3.0).connect("a", "slide")]);
    assert_words(&spring, &["`s`", "`a` turns", "joint `slide.s`", "moves along an axis", "motion = \"translation\""]);
    let inertia_on_slide = refused([inertia("m").connect("flange", "slide")]);
    assert_words(&inertia_on_slide, &["`m`", "joint `slide.s`", "`mass`"]);
    let force = refused([component("f", "force").set("f", 1.0).connect("flange", "hinge")]);
    assert_words(&force, &["`f`", "moves along an axis", "joint `hinge.phi`", "turns", "`torque`"]);
    let motor = component("m", "dc-motor").set("v", 1.0).set("R", 1.0).set("k", 0.1).connect("flange", "slide");
    assert_words(&refused([motor]), &["`m`", "`gear`", "rad/m"]);
    let masses = refused([component("m", "mass").set("m", 1.0), inertia("n").connect("flange", "m")]);
    assert_words(&masses, &["`n`", "`flange` of component `m`", "`mass`"]);
}

#[test]
fn a_rack_and_pinion_connects_both() {
    let gear = component("g", "gear").set("ratio", 4.0).connect("a", "rotor").connect("b", "slide");
    let rotor = inertia("rotor");
    let pull = component("f", "force").set("f", 9.0).connect("flange", "slide");
    let mut run = run([gear, rotor, pull]);
    run.to(1.0);
    assert_near(run.value("slide.v"), 9.0 / (2.0 + 16.0), 1e-8, "velocity");
    assert_near(run.value("rotor.w"), 2.0, 1e-7, "angular velocity");
}

/// Two gears side by side share the torque and lose what one of them would.
#[test]
fn gears_with_losses_side_by_side_move_like_one() {
    let shafts = |gears: usize| {
        let gears = (0..gears).map(|k| {
            component(&format!("g{k}"), "gear")
                .set("ratio", 3.0)
                .set("efficiency", 0.8)
                .set("w_reg", 0.01)
                .connect("a", "m")
                .connect("b", "n")
        });
        let gears: Vec<ComponentBuilder> = gears.collect();
        let drive = component("drive", "torque").set("tau", "2 + sin(3*time)").connect("flange", "m");
        let load = component("load", "torque").set("tau", "-4").connect("flange", "n");
        let mut run = run([inertia("m"), inertia("n"), drive, load].into_iter().chain(gears));
        run.to(2.0);
        (run.value("n.w"), run.value("n.phi"))
    };
    let (one, two) = (shafts(1), shafts(2));
    assert!(one.0 > 0.1, "{}", one.0);
    assert_near(two.0, one.0, 1e-6, "velocity");
    assert_near(two.1, one.1, 1e-6, "angle");
}

#[test]
fn names_that_expressions_cannot_read_get_a_hint() {
    let reads = |signal: &str| {
        let mass = component("m", "mass").set("m", 1.0).connect("flange", "slide");
        refused([mass, component("g", "gain").set("k", 1.0).set("u", signal)])
    };
    assert_words(&reads("slide.phi2"), &["`slide` has `slide.s`, `slide.v`"]);
    assert_words(&reads("m.phi"), &["`m` has `m.s`, `m.v`"]);
    assert_words(&reads("2*cart.a_abs[1]"), &["accelerations are no signals", "`cart.v_abs`"]);
    assert_words(&reads("der(hinge.w)"), &["accelerations are no signals", "`hinge.w`"]);
}

#[test]
fn what_components_are_connected_with_cannot_be_deleted_and_goes_on() {
    let part = [
        object("body").free().assembly_root().mass(2.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]),
        object("sub").mass(1.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]),
    ];
    let model = part.into_iter().fold(ModelBuilder::new("Delete"), |model, object| model.object(object));
    let model = model
        .joint(prismatic("j", "body", "sub", "x"))
        .component(component("f", "force").set("f", 1.0).connect("flange", "j"));
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(1.0);
    let root = crate::support::id(&run, "body");
    let refusal = run.simulation.change_structure(&[mbs::simulation::StructureChange::Delete { root }]).unwrap_err();
    assert_words(&refusal.to_string(), &["joint `j`", "components are connected with it"]);
    run.to(2.0);
    assert_near(run.value("j.v"), 2.0 * (1.0 + 0.5), 1e-7, "velocity");
}

#[test]
fn starts_pass_through_gears_with_losses_however_long_the_way() {
    let lossy = |name: &str, a: &str, b: &str| {
        component(name, "gear").set("ratio", 2.0).set("efficiency", 0.9).connect("a", a).connect("b", b)
    };
    for given in ["m", "n", "o"] {
        for reverse in [false, true] {
            let with_start = |name: &str, w: f64| if name == given { inertia(name).set("w", w) } else { inertia(name) };
            let mut parts = vec![with_start("m", 8.0), with_start("n", 4.0), with_start("o", 2.0)];
            parts.extend([lossy("g1", "m", "n"), lossy("g2", "n", "o")]);
            if reverse {
                parts.reverse();
            }
            let mut run = run(parts);
            let found = ["m.w", "n.w", "o.w"].map(|name| run.value(name));
            assert_eq!(found, [8.0, 4.0, 2.0], "given {given}, reversed {reverse}");
        }
    }
    let contradicting = refused([inertia("m").set("w", 3.0), lossy("g", "m", "ground")]);
    assert_words(&contradicting, &["`g`", "velocity of `a` is 3", "that of `b` is 0", "2 times"]);
}

#[test]
fn friction_needs_two_sides() {
    let between = |a: &str, b: &str| component("f", "friction").set("sliding", 1.0).connect("a", a).connect("b", b);
    assert_words(&refused([inertia("m"), between("m", "m")]), &["`f`", "`m.flange`", "nothing can slip"]);
    let geared = refused([inertia("m"), inertia("n").connect("flange", "m"), between("m", "n")]);
    assert_words(&geared, &["`f`", "nothing can slip"]);
    let mut through_gear = run([inertia("m").set("w", 4.0), inertia("n"), gear(2.0), between("m", "n")]);
    through_gear.to(1.0);
    // The slip is half the speed of m, the inertia at m 1 + 1/4, the torque there 1 - 1/2.
    assert_near(through_gear.value("m.w"), 4.0 - 0.5 / 1.25, 1e-7, "speed");
}
