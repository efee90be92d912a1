//! Assemblies, arrays and chains: what their members are called, where they stand and which parameters they see.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Idle, Run};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    AssemblyBuilder, Members, ModelBuilder, instance, motion_sensor, object, parameter, prismatic, revolute, spring,
};
use mbs::math::Vec3;

const INERTIA: [f64; 6] = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];

fn position(run: &mut Run, path: &str) -> Vec3 {
    let id = run.simulation.scene().object(path).unwrap_or_else(|| panic!("no object {path}"));
    run.simulation.object_pose(id).unwrap().translation
}

fn assert_at(run: &mut Run, path: &str, expected: [f64; 3]) {
    let found = position(run, path);
    assert!((found - Vec3::from(expected)).norm() < 1e-12, "{path} is at {found:?}, not {expected:?}");
}

/// Link: a hinged body with a tip. Arm: a chain of links with a sensor on the last. Two robots on a rail each.
fn robots() -> Declaration {
    let link = AssemblyBuilder::new("Link")
        .parameter(parameter("L", 0.5).unit("m"))
        .parameter(parameter("angle", 0.0))
        .object(object("body").mass("L", ("L/2", 0.0, 0.0), INERTIA))
        .object(object("tip").on("body").r(("L", 0.0, 0.0)).expose(true))
        .joint(revolute("rev", "origin", "body", "z").position("angle").flange());
    let arm = AssemblyBuilder::new("Arm")
        .parameter(parameter("n", 3))
        .instance(instance("link", "Link").count("n").chain("tip").argument("L", "1/i").argument("angle", "0"))
        .object(object("tool").on("link[n].tip").r([0.0, 0.0, 0.1]))
        .sensor(motion_sensor("eye", "tool").relative_to("origin").measure(true, false, false));
    let robot = AssemblyBuilder::new("Robot")
        .object(object("cart").mass(2.0, [0.0; 3], INERTIA))
        .joint(prismatic("rail", "world", "cart", "x").position("start"))
        .parameter(parameter("start", 0.0))
        .instance(instance("arm", "Arm").on("cart").r([0.0, 1.0, 0.0]))
        .force(spring("tie", "cart", "arm.link[1].tip", 10.0));
    ModelBuilder::new("Robots")
        .assembly(link)
        .assembly(arm)
        .assembly(robot)
        .instance(instance("robot", "Robot").count(2).index("k").argument("start", "10*k"))
        .object(object("between").on("robot[2].arm.link[1].tip"))
        .build()
        .unwrap()
}

#[test]
fn members_of_nested_arrays_are_called_by_their_whole_path() {
    let run = Run::new(&robots(), Idle, 1e-6);
    let names = run.names();
    for name in [
        "robot[2].arm.link[3].rev.phi",
        "robot[2].arm.link[3].rev.w",
        "der(robot[2].arm.link[3].rev.w)",
        "robot[1].rail.s",
        "robot[1].rail.v",
        "der(robot[1].rail.v)",
        "robot[1].cart.r_abs[1]",
        "robot[2].arm.link[1].tip.quaternion[4]",
        "robot[2].arm.link[1].tip.v_abs[3]",
        "robot[2].arm.link[1].tip.w_abs[2]",
        "robot[1].arm.eye.r[3]",
        "robot[1].arm.eye.quaternion[1]",
    ] {
        assert!(names.contains(&name), "no variable {name}");
    }
    let inputs: Vec<&str> = run.simulation.scene().inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs.len(), 6);
    assert!(inputs.contains(&"robot[2].arm.link[3].rev.tau"), "{inputs:?}");
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len(), "names are not unique");
}

#[test]
fn links_of_a_chain_stand_on_the_end_of_the_one_before() {
    let mut run = Run::new(&robots(), Idle, 1e-6);
    assert_at(&mut run, "robot[1].cart", [10.0, 0.0, 0.0]);
    assert_at(&mut run, "robot[2].arm", [20.0, 1.0, 0.0]);
    assert_at(&mut run, "robot[2].arm.link[1]", [20.0, 1.0, 0.0]);
    assert_at(&mut run, "robot[2].arm.link[2]", [21.0, 1.0, 0.0]);
    assert_at(&mut run, "robot[2].arm.link[3]", [21.5, 1.0, 0.0]);
    assert_at(&mut run, "robot[2].arm.link[3].tip", [21.5 + 1.0 / 3.0, 1.0, 0.0]);
    assert_at(&mut run, "robot[2].arm.tool", [21.5 + 1.0 / 3.0, 1.0, 0.1]);
    assert_at(&mut run, "between", [21.0, 1.0, 0.0]);
    assert!((run.vector("robot[2].arm.eye.r") - Vec3::new(11.0 / 6.0, 0.0, 0.1)).norm() < 1e-12);
}

#[test]
fn variables_name_what_they_are_derivatives_of() {
    let run = Run::new(&robots(), Idle, 1e-6);
    let derivative_of = |name: &str| {
        let variable = run.variables.iter().find(|v| v.name == name).unwrap();
        (variable.derivative_of.clone().unwrap_or_default(), variable.unit.clone())
    };
    let rev = "robot[1].arm.link[2].rev";
    assert_eq!(derivative_of(&format!("{rev}.w")), (format!("{rev}.phi"), "rad/s".to_owned()));
    assert_eq!(derivative_of(&format!("der({rev}.w)")), (format!("{rev}.w"), "rad/s2".to_owned()));
    assert_eq!(derivative_of("robot[1].rail.v"), ("robot[1].rail.s".to_owned(), "m/s".to_owned()));
}

/// Inner names hide outer ones; `origin` is the instance's own frame, `world` always the inertial one.
#[test]
fn references_are_resolved_from_the_inside_outwards() {
    let part = AssemblyBuilder::new("Part")
        .object(object("frame").on("origin").r([0.0, 1.0, 0.0]))
        .object(object("on_own_frame").on("frame").r([0.0, 0.0, 1.0]))
        .object(object("on_outer_frame").on("marker"))
        .object(object("on_world").on("world"))
        .object(object("by_default"));
    let part = part.joint(prismatic("slide", "origin", "by_default", "x").position(0.25));
    let model = ModelBuilder::new("Scopes")
        .object(object("frame").r([5.0, 0.0, 0.0]).fixed())
        .object(object("marker").r([7.0, 0.0, 0.0]).fixed())
        .object(object("mass").on("part.by_default").point_mass(1.0))
        .assembly(part)
        .instance(instance("part", "Part").r([0.0, 0.0, 3.0]))
        .build()
        .unwrap();
    let mut run = Run::new(&model, Idle, 1e-6);
    assert_at(&mut run, "part.frame", [0.0, 1.0, 3.0]);
    assert_at(&mut run, "part.on_own_frame", [0.0, 1.0, 4.0]);
    assert_at(&mut run, "part.on_outer_frame", [7.0, 0.0, 0.0]);
    assert_at(&mut run, "part.on_world", [0.0; 3]);
    assert_at(&mut run, "part.by_default", [0.25, 0.0, 3.0]);
    assert_at(&mut run, "mass", [0.25, 0.0, 3.0]);
}

#[test]
fn assemblies_nest_sixty_deep() {
    let mut model = ModelBuilder::new("Deep");
    for depth in 1..60 {
        let inner = format!("Level{}", depth + 1);
        let frame = object("frame").on("origin").r([1.0, 0.0, 0.0]);
        let level = AssemblyBuilder::new(format!("Level{depth}")).object(frame);
        model = model.assembly(level.instance(instance("in", &inner).on("frame")));
    }
    let last = AssemblyBuilder::new("Level60").object(object("end").on("origin"));
    let model = model.assembly(last).instance(instance("in", "Level1")).build().unwrap();
    let path = vec!["in"; 60].join(".");
    let mut run = Run::new(&model, Idle, 1e-6);
    assert_at(&mut run, &format!("{path}.end"), [59.0, 0.0, 0.0]);
}

#[test]
fn parameters_of_an_assembly_depend_on_its_arguments_and_on_the_model() {
    let part = AssemblyBuilder::new("Part")
        .parameter(parameter("d", 0.1))
        .parameter(parameter("twice", "2*d"))
        .object(object("frame").on("origin").r(("twice", "scale", "d")));
    let model = ModelBuilder::new("Arguments")
        .parameter(parameter("scale", 3.0))
        .assembly(part)
        .instance(instance("plain", "Part"))
        .instance(instance("array", "Part").count(3).argument("d", "scale*i"))
        .build()
        .unwrap();
    let mut run = Run::new(&model, Idle, 1e-6);
    assert_at(&mut run, "plain.frame", [0.2, 3.0, 0.1]);
    assert_at(&mut run, "array[3].frame", [18.0, 3.0, 9.0]);
}
