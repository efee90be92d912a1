//! Degenerate models: every one is refused with a sentence that names the culprit, or works.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Idle, Run, error_message, error_message_with};
use mbs::declaration::builder::{
    AssemblyBuilder, InstanceBuilder, Members, ModelBuilder, bushing, cuboid, cut_force_sensor, cylinder, cylindrical,
    fixed, instance, motion_sensor, object, parameter, planar, prismatic, revolute, screw, sphere, spherical, spring,
    universal, world_force,
};
use mbs::declaration::{Declaration, ParameterKind, Stops};
use mbs::expr::Expr;
use mbs::math::Vec3;
use mbs::solid::Axis;

const INERTIA: [f64; 6] = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];

/// A model with two bodies `a` and `b`, `a` on a hinge.
fn two() -> ModelBuilder {
    ModelBuilder::new("Two")
        .gravity([0.0, -9.81, 0.0])
        .object(object("a").mass(1.0, [0.1, 0.0, 0.0], INERTIA))
        .object(object("b").mass(1.0, [0.1, 0.0, 0.0], INERTIA))
        .joint(revolute("ja", "world", "a", "z"))
}

/// The same with `b` on a hinge.
fn both() -> ModelBuilder {
    two().joint(revolute("jb", "a", "b", "z"))
}

fn one() -> ModelBuilder {
    ModelBuilder::new("One").object(object("a").mass(1.0, [0.1, 0.0, 0.0], INERTIA))
}

fn built(model: ModelBuilder) -> Declaration {
    model.build().unwrap()
}

/// Every word must occur in what is said about the model.
fn assert_refused(model: ModelBuilder, words: &[&str]) {
    assert_says(&error_message(&built(model)), words);
}

fn assert_says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn an_object_in_the_air_is_named() {
    assert_refused(two(), &["object `b`", "hangs in the air"]);
}

#[test]
fn a_loop_that_cannot_be_closed_names_its_joints_and_the_gap() {
    let model = both()
        .object(object("far").on("world").r([3.0, 0.0, 0.0]))
        .object(object("end").on("b").r([1.0, 0.0, 0.0]))
        .joint(revolute("jc", "far", "end", "z"));
    assert_refused(model, &["joint `jb` closes", "cannot be closed", "2.000e0 m", "0.000e0 rad", "`ja`", "`jc`"]);
}

#[test]
fn a_joint_between_rigidly_connected_parts_is_refused() {
    let model = both().object(object("tip").on("b")).joint(revolute("inner", "b", "tip", "z"));
    assert_refused(model, &["joint `inner`"]);
}

#[test]
fn a_joint_from_an_object_to_itself_is_refused() {
    assert_refused(both().joint(revolute("self", "a", "a", "z")), &["joint `self`", "connects `a` with itself"]);
}

#[test]
fn a_spring_from_an_object_to_itself_is_refused() {
    assert_refused(both().force(spring("self", "a", "a", 1.0)), &["force `self`", "`a`", "itself"]);
}

#[test]
fn objects_placed_on_each_other_are_named() {
    let model = both().object(object("p").on("q")).object(object("q").on("p"));
    assert_refused(model, &["object `p`", "object `q`", "placed on itself"]);
    assert_refused(both().object(object("p").on("p")), &["object `p`", "placed on itself"]);
}

#[test]
fn a_free_object_on_something_that_hangs_on_it_is_refused() {
    let model = ModelBuilder::new("Circle")
        .object(object("a").mass(1.0, [0.0; 3], INERTIA).on("b").free())
        .object(object("b").on("a"));
    assert_refused(model, &["`a`"]);
}

#[test]
fn a_hinge_with_nothing_behind_it_is_named() {
    let model = both().object(object("leaf")).joint(revolute("idle", "b", "leaf", "z"));
    assert_refused(model, &["`idle`", "no mass or inertia"]);
}

#[test]
fn a_slide_with_nothing_behind_it_is_named() {
    let model = both().object(object("leaf")).joint(prismatic("idle", "b", "leaf", "z"));
    assert_refused(model, &["`idle`", "no mass or inertia"]);
}

#[test]
fn a_point_mass_on_the_axis_of_its_hinge_is_refused_however_the_axis_points() {
    for axis in [[0.0, 0.0, 1.0], [0.3, -0.5, 0.7], [1.0, 1.0, 1.0]] {
        let model = ModelBuilder::new("OnAxis")
            .object(object("bead").point_mass(2.0).r([0.0; 3]))
            .object(object("turner"))
            .object(object("on_axis").on("turner").r(axis.map(|x| 0.4 * x)).point_mass(1.0))
            .joint(prismatic("slide", "world", "bead", "x"))
            .joint(revolute("idle", "world", "turner", axis));
        assert_refused(model, &["`idle`", "no mass or inertia"]);
    }
}

#[test]
fn a_point_mass_on_a_ball_joint_is_refused_because_it_can_spin_freely() {
    for r in [[0.0, -1.0, 0.0], [0.3, -0.5, 0.7]] {
        let model = ModelBuilder::new("Spin")
            .object(object("bob"))
            .object(object("mass").on("bob").r(r).point_mass(1.0))
            .joint(spherical("ball", "world", "bob").cardan([0.2, 0.3, -0.4]));
        assert_refused(model, &["`ball`", "no mass or inertia"]);
    }
}

#[test]
fn rigid_connections_that_contradict_each_other_are_named_with_the_gap() {
    let model = both().object(object("c").on("a").r([0.0, 0.1, 0.0])).joint(fixed("weld", "a", "c"));
    assert_refused(model, &["`c`", "1.000e-1 m"]);
    let model = both().object(object("c").on("a").turned("x", 0.2)).joint(fixed("weld", "a", "c"));
    assert_refused(model, &["`c`", "2.000e-1 rad"]);
}

#[test]
fn rigid_connections_that_agree_are_accepted() {
    let model = both().object(object("c").on("a")).joint(fixed("weld", "a", "c"));
    Run::new(&built(model), Idle, 1e-6);
}

#[test]
fn directions_of_length_zero_are_named() {
    assert_refused(one().joint(revolute("j", "world", "a", [0.0; 3])), &["joint `j`: axis", "length 0"]);
    assert_refused(one().joint(prismatic("j", "world", "a", [0.0; 3])), &["joint `j`: axis", "length 0"]);
    assert_refused(one().joint(cylindrical("j", "world", "a", [0.0; 3])), &["joint `j`: axis", "length 0"]);
    assert_refused(one().joint(screw("j", "world", "a", [0.0; 3], 1.0)), &["joint `j`: axis", "length 0"]);
    assert_refused(one().joint(planar("j", "world", "a", [0.0; 3], "x")), &["joint `j`: normal", "length 0"]);
    let turned = one().object(object("f").on("a").turned([0.0; 3], 1.0)).joint(revolute("j", "world", "a", "z"));
    assert_refused(turned, &["object `f`: rotation axis", "length 0"]);
    let quaternion = one().object(object("f").on("a").quaternion([0.0; 4])).joint(revolute("j", "world", "a", "z"));
    assert_refused(quaternion, &["object `f`", "quaternion"]);
}

#[test]
fn parallel_axes_are_refused() {
    assert_refused(one().joint(universal("j", "world", "a", "x", [-2.0, 0.0, 0.0])), &["joint `j`", "parallel"]);
    assert_refused(one().joint(planar("j", "world", "a", "x", [3.0, 0.0, 0.0])), &["joint `j`", "parallel"]);
}

#[test]
fn impossible_sizes_masses_and_inertias_are_named_with_their_values() {
    let solid = |shape| ModelBuilder::new("Solid").object(object("part").solid(shape).free());
    assert_refused(solid(sphere(-0.1).density(1000.0)), &["object `part`", "-0.1"]);
    assert_refused(solid(sphere(0.0).density(1000.0)), &["object `part`", "diameter"]);
    assert_refused(solid(cuboid([0.1, -0.2, 0.1]).mass(1.0)), &["object `part`", "-0.2"]);
    assert_refused(solid(cylinder(Axis::X, 0.1, 0.2).inner_diameter(0.3).density(1.0)), &["object `part`", "0.3"]);
    assert_refused(solid(sphere(0.1).density(-5.0)), &["object `part`", "-5"]);
    assert_refused(solid(sphere(0.1).mass(-2.0)), &["object `part`", "-2"]);
    assert_refused(solid(sphere(0.1).material("Stel")), &["object `part`", "`Stel`", "`Steel`"]);
    let body = |m: f64, inertia| ModelBuilder::new("Body").object(object("part").mass(m, [0.0; 3], inertia).free());
    assert_refused(body(-1.0, INERTIA), &["object `part`", "-1"]);
    assert_refused(body(1.0, [1.0, 1.0, 3.0, 0.0, 0.0, 0.0]), &["object `part`", "3"]);
    assert_refused(body(0.0, INERTIA), &["object `part`", "mass"]);
}

#[test]
fn a_free_object_without_mass_is_named() {
    assert_refused(ModelBuilder::new("Ghost").object(object("ghost").free()), &["`ghost`", "no mass or inertia"]);
}

#[test]
fn unknown_names_are_met_with_the_nearest_right_one() {
    let base = || one().object(object("forearm").on("a"));
    let hinge = |to: &str| revolute("j", "world", to, "z");
    assert_refused(base().joint(hinge("foreram")), &["no object `foreram`", "did you mean `forearm`?"]);
    let base = || base().joint(hinge("a"));
    assert_refused(base().object(object("c").on("forarm")), &["no object `forarm`", "did you mean `forearm`?"]);
    assert_refused(base().force(spring("s", "world", "forearn", 1.0)), &["did you mean `forearm`?"]);
    assert_refused(base().force(bushing("s", "world", "forearn")), &["did you mean `forearm`?"]);
    assert_refused(base().force(world_force("s", "Forearm2", [0.0; 3], [0.0; 3])), &["did you mean `forearm`?"]);
    assert_refused(base().sensor(motion_sensor("m", "fore_arm")), &["did you mean `forearm`?"]);
    assert_refused(base().sensor(cut_force_sensor("m", "jj")), &["no joint `jj`", "did you mean `j`?"]);
    let part = AssemblyBuilder::new("Wheel").parameter(parameter("radius", 1.0));
    let with_part = || base().assembly(part.clone());
    assert_refused(with_part().instance(instance("w", "Weel")), &["instance `w`", "`Weel`", "did you mean `Wheel`?"]);
    let wrong: InstanceBuilder = instance("w", "Wheel").argument("radus", 2.0);
    assert_refused(with_part().instance(wrong), &["`radus`", "did you mean `radius`?"]);
    let length = base().parameter(parameter("length", 1.0));
    let misspelt = length.clone().object(object("c").on("a").r(("lenght", 0.0, 0.0)));
    assert_refused(misspelt, &["object `c`", "lenght", "did you mean `length`?"]);
    let message = error_message_with(&built(length), &[("lengt".to_owned(), 1.0)]);
    assert_says(&message, &["no parameter `lengt`", "did you mean `length`?"]);
}

#[test]
fn names_in_forces_and_motions_that_nothing_has_are_met_with_the_nearest() {
    let force = one().parameter(parameter("gain", 2.0)).joint(revolute("j", "world", "a", "z").force("gian * phi"));
    assert_refused(force, &["joint `j`", "gian", "did you mean `gain`?"]);
    let motion = one().joint(revolute("j", "world", "a", "z").motion("2*tiem"));
    assert_refused(motion, &["joint `j`", "tiem", "`time`"]);
    let own = one().joint(revolute("j", "world", "a", "z").motion("phi + time"));
    assert_refused(own, &["joint `j`", "motion", "phi"]);
}

#[test]
fn an_assembly_that_contains_itself_is_refused() {
    let snake = AssemblyBuilder::new("Snake").instance(instance("inner", "Snake"));
    let model = one().joint(revolute("j", "world", "a", "z")).assembly(snake).instance(instance("outer", "Snake"));
    assert_refused(model, &["`inner`", "must not contain itself"]);
}

/// Two branches per level would need 2^64 copies before the depth is noticed level by level.
#[test]
fn an_assembly_that_contains_itself_twice_is_refused_at_once() {
    let hydra = AssemblyBuilder::new("Hydra").instance(instance("left", "Hydra")).instance(instance("right", "Hydra"));
    let model = one().joint(revolute("j", "world", "a", "z")).assembly(hydra).instance(instance("outer", "Hydra"));
    let refusal = std::thread::spawn(move || error_message(&built(model)));
    for _ in 0..200 {
        if refusal.is_finished() {
            return assert_says(&refusal.join().unwrap(), &["must not contain itself"]);
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the refusal takes longer than four seconds");
}

#[test]
fn counts_that_are_no_counts_are_named() {
    let part = AssemblyBuilder::new("Part").object(object("frame").on("origin"));
    let array = |count: f64| {
        let base = one().joint(revolute("j", "world", "a", "z")).assembly(part.clone());
        base.instance(instance("p", "Part").count(count))
    };
    assert_refused(array(2.5), &["instance `p`: count", "2.5"]);
    assert_refused(array(-1.0), &["instance `p`: count", "-1"]);
    assert_refused(array(1e9), &["instance `p`: count", "100000"]);
    Run::new(&built(array(0.0)), Idle, 1e-6);
}

#[test]
fn two_things_of_the_same_name_are_refused() {
    assert_refused(both().object(object("a").on("b")), &["two objects called `a`"]);
    assert_refused(both().object(object("world").on("b")), &["two objects called `world`"]);
    assert_refused(both().object(object("c")).joint(revolute("ja", "b", "c", "z")), &["two joints called `ja`"]);
    let forces = both().force(spring("s", "a", "b", 1.0)).force(spring("s", "world", "b", 1.0));
    assert_refused(forces, &["`s`"]);
    let sensors = both().sensor(motion_sensor("m", "a")).sensor(motion_sensor("m", "b"));
    assert_refused(sensors, &["`m`"]);
    assert_refused(both().object(object("ja").on("a")), &["object", "joint", "`ja`", "different names"]);
    let parameters = both().parameter(parameter("p", 1.0)).parameter(parameter("p", 2.0));
    assert_refused(parameters, &["`p`"]);
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    let model = both().parameter(parameter("zero", 0.0)).object(object("c").on("a").r(("1/zero", 0.0, 0.0)));
    assert_refused(model, &["object `c`", "1/zero"]);
    let overridden = built(both().parameter(parameter("length", 1.0).unit("m")));
    let message = error_message_with(&overridden, &[("length".to_owned(), f64::NAN)]);
    assert_says(&message, &["parameter `length`", "NaN m", "finite"]);
    let problem = both().object(object("c").on("a").r([f64::NAN, 0.0, 0.0])).build().unwrap_err().to_string();
    assert_says(&problem, &["c", "NaN"]);
    let mut declaration = built(both());
    declaration.content.objects[0].pose.r[0] = Expr::number(f64::INFINITY);
    assert_says(&error_message(&declaration), &["object `a`", "inf"]);
}

#[test]
fn parameters_out_of_range_or_of_the_wrong_kind_are_named() {
    let model = built(both().parameter(parameter("length", 1.0).unit("m").min(0.1).max(2.0)));
    assert_says(
        &error_message_with(&model, &[("length".to_owned(), 0.0)]),
        &["parameter `length` is 0 m", "at least 0.1 m"],
    );
    assert_says(
        &error_message_with(&model, &[("length".to_owned(), 3.0)]),
        &["parameter `length` is 3 m", "at most 2 m"],
    );
    let model = built(both().parameter(parameter("n", 2).kind(ParameterKind::Integer)));
    assert_says(&error_message_with(&model, &[("n".to_owned(), 2.5)]), &["parameter `n` is 2.5", "whole number"]);
    let model = built(both().parameter(parameter("r", 1.0)).parameter(parameter("d", "2*r")));
    assert_says(&error_message_with(&model, &[("d".to_owned(), 2.5)]), &["parameter `d`", "follows from others"]);
}

#[test]
fn laws_that_make_no_sense_are_named() {
    let friction = one().joint(revolute("j", "world", "a", "z").friction(1.0, 0.0));
    assert_refused(friction, &["joint `j`: phi", "v_reg", "positive"]);
    let stops = |lower: f64, upper: f64, stiffness: f64| {
        let number = |x: f64| Some(Expr::number(x));
        let stops = Stops {
            lower: number(lower),
            upper: number(upper),
            stiffness: Expr::number(stiffness),
            dissipation: Expr::number(0.0),
        };
        one().joint(revolute("j", "world", "a", "z").stops(stops))
    };
    assert_refused(stops(1.0, -1.0, 10.0), &["joint `j`: phi", "lower stop 1", "upper stop -1"]);
    assert_refused(stops(-1.0, 1.0, 0.0), &["joint `j`: phi", "stiffness is 0"]);
}

#[test]
fn wrong_numbers_of_degrees_of_freedom_are_named() {
    let mut declaration = built(both());
    declaration.content.joints[0].dofs.clear();
    assert_says(&error_message(&declaration), &["joint `ja`", "revolute", "1 degrees of freedom, not 0"]);
}

#[test]
fn a_prescribed_motion_of_a_ball_joint_is_refused() {
    let model = one().joint(spherical("j", "world", "a").on("w[1]").motion("time"));
    assert_refused(model, &["joint `j`", "prescribed motion"]);
}

#[test]
fn forces_on_a_prescribed_motion_are_refused_because_they_change_nothing() {
    let driven = || revolute("j", "world", "a", "z").motion("time");
    for joint in [driven().damping(3.0), driven().spring(1.0, 0.0), driven().force("time"), driven().flange()] {
        assert_refused(one().joint(joint), &["joint `j`: phi", "prescribed motion"]);
    }
}

#[test]
fn a_measured_fixed_joint_carries_the_weight_of_what_hangs_on_it() {
    let model = ModelBuilder::new("Weld")
        .gravity([0.0, -10.0, 0.0])
        .object(object("tip").mass(2.0, [1.0, 0.0, 0.0], INERTIA))
        .joint(fixed("weld", "world", "tip"))
        .sensor(cut_force_sensor("cut", "weld"));
    let mut run = Run::new(&built(model), Idle, 1e-6);
    let (f, t) = (run.vector("cut.f"), run.vector("cut.t"));
    assert!((f - Vec3::new(0.0, 20.0, 0.0)).norm() < 1e-12, "{f}");
    assert!((t - Vec3::new(0.0, 0.0, 20.0)).norm() < 1e-12, "{t}");
}

#[test]
fn a_model_without_anything_that_moves_works() {
    let mut run = Run::new(&built(ModelBuilder::new("Empty")), Idle, 1e-6);
    assert_eq!(run.value("number_of_states"), 0.0);
    assert_eq!(run.value("energy.total"), 0.0);
}

#[test]
fn all_errors_of_a_model_are_reported_at_once() {
    let model = both()
        .object(object("c").on("nowhere1"))
        .object(object("d").on("nowhere2"))
        .joint(revolute("x", "a", "nowhere3", [0.0; 3]));
    assert_refused(model, &["nowhere1", "nowhere2", "nowhere3", "joint `x`: axis"]);
}
