//! Contacts while the structure changes around them.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, attach, change, id, momentum, release, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, actions, cuboid, object, sphere};
use mbs::material::{ConstantsRule, Material, MaterialPair};
use mbs::simulation::StructureChange;

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
        .contact_constants(ConstantsRule::Paper)
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

/// Total energy and what attaching has taken.
fn balance(run: &mut Run) -> [f64; 2] {
    ["energy.total", "energy.dissipated_by_attaching"].map(|name| run.value(name))
}

#[test]
fn attaching_takes_the_elastic_energy_of_the_contact_and_releasing_gives_it_back() {
    let mut run = start(&table(), 1e-8);
    let stored = balance(&mut run)[0];
    let grip = attach(&run, "middle_eye", "right_eye");
    change(&mut run, &[grip]);
    let [held, taken] = balance(&mut run);
    assert!(taken > 1e-6 * stored.abs(), "the contact stored energy, but {taken} J are taken");
    assert_near(held + taken, stored, 1e-12 * stored.abs(), "balance of attaching");
    let apart = release(&run, "middle_eye");
    change(&mut run, &[apart]);
    assert_near(balance(&mut run)[1], 0.0, 1e-12 * taken, "what is taken when the contact presses as before");
    run.to(1e-9);
    assert_near(run.value("energy.total"), stored, 1e-9 * taken + 1e-12 * stored.abs(), "energy after the release");
}

#[test]
fn an_elastic_contact_that_is_held_keeps_the_sum_of_energies() {
    let shape = || sphere(0.1).material("Elastic").collides();
    let ball = |name: &str, x: f64, v: f64| {
        object(name).r([x, 0.0, 0.0]).free_with([v, 0.0, 0.0], [0.0; 3]).assembly_root().solid(shape())
    };
    let grip = actions("grip").until("contact.a_b.f_n > 100").attach("ea", &["eb"]).within(1.0, 9.0, 9.0);
    let elastic = Material {
        name: "Elastic".to_owned(),
        density: 1e3,
        youngs_modulus: 1e7,
        poissons_ratio: 0.3,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    };
    let model = ModelBuilder::new("Held")
        .material(elastic)
        .material_pair("Elastic", "Elastic", MaterialPair::new(1.0, 0.0, 0.0))
        .object(ball("a", 0.0, 1.0))
        .object(object("ea").on("a").lockable())
        .object(ball("b", 0.2, -1.0))
        .object(object("eb").on("b").lockable())
        .actions(grip.wait(0.1).release("ea"))
        .output("contact")
        .build()
        .unwrap();
    let mut run = start(&model, 1e-10);
    let [initial, _] = balance(&mut run);
    run.to(0.1);
    let [held, taken] = balance(&mut run);
    assert_eq!(run.value("segment"), 2.0);
    assert_near(held + taken, initial, 1e-6 * initial, "sum of energies");
    run.to(0.3);
    let [total, stopped] = balance(&mut run);
    assert!(stopped < taken, "{stopped} J stopped the balls, the rest of {taken} J was stored in the contact");
    let damped = initial - total - stopped;
    assert!(damped > 0.0 && damped < taken - stopped, "a contact that begins at rest takes {damped} J");
}

#[test]
fn snapping_accounts_for_the_energy_of_parts_that_it_moves() {
    let mass = |m: f64, c: [f64; 3]| (m, c, [0.03, 0.04, 0.05, 0.0, 0.0, 0.0]);
    let part = |name: &str, r: [f64; 3], w: [f64; 3], (m, c, i): (f64, [f64; 3], [f64; 6])| {
        object(name).r(r).free_with([0.3, -0.2, 0.1], w).assembly_root().mass(m, c, i)
    };
    let model = ModelBuilder::new("Snapping")
        .gravity([0.0, 0.0, -9.81])
        .object(part("a", [0.0; 3], [0.5, 1.0, -2.0], mass(2.0, [0.1, 0.0, 0.0])))
        .object(object("ea").on("a").r([0.15, 0.0, 0.0]).lockable())
        .object(part("b", [0.5, 0.3, 0.4], [-1.0, 0.2, 0.7], mass(3.0, [0.0, 0.2, 0.0])))
        .object(object("eb").on("b").r([-0.15, 0.02, 0.0]).cardan([0.4, -0.3, 0.9]).lockable())
        .object(object("wall").fixed().r([0.0, 0.0, 2.0]).cardan([0.5, 0.0, 0.0]).lockable())
        .build()
        .unwrap();
    let mut run = start(&model, 1e-10);
    let [initial, _] = balance(&mut run);
    let (p, _) = momentum(&mut run);
    for (a, b) in [("ea", "eb"), ("eb", "wall")] {
        let snap = StructureChange::Attach { a: id(&run, a), b: id(&run, b), snap: true };
        change(&mut run, &[snap]);
        let [total, taken] = balance(&mut run);
        assert_near(total + taken, initial, 1e-12 * initial.abs(), "sum of energies");
        if b == "eb" {
            let (p_now, _) = momentum(&mut run);
            assert_near((p_now - p).norm(), 0.0, 1e-12, "change of the linear momentum");
        }
    }
    assert_eq!(run.value("energy.kinetic"), 0.0);
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
