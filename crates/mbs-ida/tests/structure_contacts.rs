//! Contacts while the structure changes around them.
#![allow(clippy::unwrap_used, clippy::panic)]

mod laws_support;

use laws_support::{assert_near, attach, change, release, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, actions, cuboid, object, sphere};

fn ball(name: &str, x: f64, z: f64) -> ObjectBuilder {
    let shape = sphere(0.1).material("DryWood").collides();
    object(name).r([x, 0.0, z]).free().assembly_root().solid(shape)
}

/// Three balls that press into a table a little, two of them side by side into each other; `hook` belongs to the table.
fn table() -> Declaration {
    let top = cuboid([2.0, 1.0, 0.1]).material("DryWood").massless().collides();
    ModelBuilder::new("Table")
        .gravity([0.0, 0.0, -9.81])
        .k_red(1e-3)
        .object(object("table").fixed().r([0.0, 0.0, -0.05]).solid(top))
        .object(object("hook").fixed().r([0.0, 0.0, 0.3]).lockable())
        .object(ball("left", -0.5, 0.0499))
        .object(ball("middle", 0.0, 0.0499))
        .object(object("middle_eye").on("middle").lockable())
        .object(ball("right", 0.0999, 0.0499))
        .object(object("right_eye").on("right").lockable())
        .output("contact")
        .build()
        .unwrap()
}

const LEFT: &str = "contact.table_left.f_n";

#[test]
fn contacts_that_are_not_concerned_stay_as_they_are_bit_by_bit() {
    let mut run = start(&table(), 1e-8);
    run.to(0.003);
    let before = (run.value(LEFT).to_bits(), run.value("contact.table_left.delta").to_bits());
    assert!(run.value(LEFT) > 0.0);
    let grip = attach(&run, "middle_eye", "right_eye");
    change(&mut run, &[grip]);
    assert_eq!((run.value(LEFT).to_bits(), run.value("contact.table_left.delta").to_bits()), before);
    let after = [0.004, 0.02, 0.1].map(|t| run.to(t).value("left.r_abs[3]"));
    let mut plain = start(&table(), 1e-8);
    let expected = [0.004, 0.02, 0.1].map(|t| plain.to(t).value("left.r_abs[3]"));
    for (after, expected) in after.iter().zip(expected) {
        assert_near(*after, expected, 1e-7, "height of a ball that nobody touched");
    }
}

#[test]
fn the_contact_of_attached_parts_is_off_and_back_when_they_are_released() {
    let mut run = start(&table(), 1e-8);
    let pair = "contact.middle_right.active";
    assert_eq!((run.value(pair), run.value("number_of_contacts")), (1.0, 4.0));
    let grip = attach(&run, "middle_eye", "right_eye");
    change(&mut run, &[grip]);
    assert_eq!((run.value(pair), run.value("number_of_contacts")), (0.0, 3.0));
    run.to(0.002);
    let gap = run.value("right.r_abs[1]") - run.value("middle.r_abs[1]");
    assert_near(gap, 0.0999, 1e-12, "distance of attached balls");
    let apart = release(&run, "middle_eye");
    change(&mut run, &[apart]);
    run.to(0.0021);
    assert_eq!(run.value(pair), 1.0, "parts that are released while touching are in contact at once");
    run.to(0.1);
    assert!(run.value("right.r_abs[1]") - run.value("middle.r_abs[1]") > 0.09999);
}

#[test]
fn a_part_released_while_it_touches_is_in_contact_at_once() {
    let mut run = start(&table(), 1e-8);
    let hold = attach(&run, "middle_eye", "hook");
    change(&mut run, &[hold]);
    assert_eq!(run.value("contact.table_middle.active"), 0.0, "the ball belongs to the world, like the table");
    run.to(0.05);
    let height = run.value("middle.r_abs[3]");
    assert_near(height, 0.0499, 1e-15, "height while it is held");
    let drop = release(&run, "hook");
    change(&mut run, &[drop]);
    run.to(0.0501);
    assert_eq!(run.value("contact.table_middle.active"), 1.0);
    assert!(run.value("contact.table_middle.f_n") > 0.0);
    run.to(0.5);
    assert!(run.value("middle.r_abs[3]") > 0.0498, "it has fallen through the table");
}

#[test]
fn a_saved_state_goes_back_before_a_grip_and_takes_the_other_branch() {
    let mut run = start(&table(), 1e-8);
    run.to(0.01);
    let early = run.simulation.save().unwrap();
    let undisturbed = [0.02, 0.05].map(|t| run.to(t).value("right.r_abs[1]").to_bits());
    run.simulation.restore(&early).unwrap();
    let grip = attach(&run, "middle_eye", "right_eye");
    change(&mut run, &[grip]);
    let gripped = [0.02, 0.05].map(|t| run.to(t).value("right.r_abs[1]").to_bits());
    assert_ne!(gripped, undisturbed);
    let late = run.simulation.save().unwrap();
    let onward = run.to(0.06).value("left.r_abs[3]").to_bits();
    run.simulation.restore(&early).unwrap();
    assert_eq!(run.value("segment"), 1.0);
    let again = [0.02, 0.05].map(|t| run.to(t).value("right.r_abs[1]").to_bits());
    assert_eq!(again, undisturbed, "the branch without the grip");
    let mut other = start(&table(), 1e-8);
    other.simulation.restore(&late).unwrap();
    assert_eq!(other.value("segment"), 2.0);
    assert_eq!(other.to(0.06).value("left.r_abs[3]").to_bits(), onward, "the gripped state in another instance");
}

#[test]
fn a_condition_may_name_the_objects_of_a_contact_in_either_order() {
    let met = ["contact.middle_right.f_n > 1", "contact.right_middle.f_n > 1"].map(|condition| {
        let mut model = table();
        let program = actions("count").until(condition).attach("middle_eye", &["hook"]).within(9.0, 9.0, 9.0);
        model.content.actions = ModelBuilder::new("Other").actions(program).build().unwrap().content.actions;
        let mut run = start(&model, 1e-8);
        run.to(0.1);
        assert_eq!(run.value("middle_eye.attached"), 1.0, "{condition}");
        run.value("time_of_last_event")
    });
    assert_eq!(met[0], met[1]);
}
