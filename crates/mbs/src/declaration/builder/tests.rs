#![allow(clippy::unwrap_used)]

use super::*;
use crate::declaration::{Attachment, JointKind, MassDeclaration};

#[test]
fn all_problems_are_reported_with_the_names_of_their_owners() {
    let arm = AssemblyBuilder::new("Arm").object(object("link").solid(sphere(0.1)));
    let error = ModelBuilder::new("M")
        .parameter(parameter("a", "1 + * 2"))
        .assembly(arm)
        .object(object("box").r((0, "(", 0)))
        .joint(revolute("hinge", "world", "box", "w").on("s"))
        .joint(fixed("weld", "world", "box").damping(1))
        .force(world_force("push", "box", [f64::NAN; 3], [0.0; 3]).stiffness(1))
        .build()
        .unwrap_err();
    let owners = [
        "parameter a: value",
        "assembly Arm: object link: solid: mass",
        "object box: r",
        "joint hinge: axis",
        "joint hinge: s",
        "joint weld: damping",
        "force push: force",
        "force push: stiffness",
    ];
    assert_eq!(error.problems.len(), owners.len(), "{error}");
    for (problem, owner) in error.problems.iter().zip(owners) {
        assert!(problem.starts_with(owner), "{problem} is not of {owner}");
    }
}

#[test]
fn objects_are_moved_by_joints_unless_they_are_placed() {
    let attachment = |object: ObjectBuilder| {
        ModelBuilder::new("M").object(object).build().unwrap().content.objects[0].attachment.clone()
    };
    assert_eq!(attachment(object("a")), Attachment::ByJoint);
    assert_eq!(attachment(object("a").on("b")), Attachment::Fixed);
    assert_eq!(attachment(object("a").fixed()), Attachment::Fixed);
    assert!(matches!(attachment(object("a").free().on("b")), Attachment::Free(_)));
    assert!(matches!(attachment(object("a").on("b").free()), Attachment::Free(_)));
}

#[test]
fn the_mass_of_an_object_replaces_that_of_its_solid() {
    let built =
        ModelBuilder::new("M").object(object("a").point_mass(2).solid(sphere(1).material("Steel"))).build().unwrap();
    let object = &built.content.objects[0];
    assert_eq!(object.solid.as_ref().unwrap().mass, MassDeclaration::Massless);
    let twice = ModelBuilder::new("M").object(object_with_two_masses()).build().unwrap_err();
    assert!(twice.problems[0].contains("contradicts"), "{twice}");
}

fn object_with_two_masses() -> ObjectBuilder {
    object("a").point_mass(2).solid(sphere(1).mass(1))
}

#[test]
fn directions_are_letters_or_vectors() {
    let axis = |joint: JointBuilder| match ModelBuilder::new("M")
        .joint(joint)
        .build()
        .unwrap()
        .content
        .joints
        .remove(0)
        .kind
    {
        JointKind::Revolute { axis } => axis.map(|component| component.as_constant().unwrap()),
        other => unreachable!("{other:?}"),
    };
    assert_eq!(axis(revolute("j", "a", "b", "-y")), [0.0, -1.0, 0.0]);
    assert_eq!(axis(revolute("j", "a", "b", [1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
    assert_eq!(axis(revolute("j", "a", "b", (1, "1+1", 3.0))), [1.0, 2.0, 3.0]);
}
