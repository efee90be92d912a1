//! What acts at the present point, as pictures show it.
#![allow(clippy::unwrap_used)]

use crate::support::{assert_near, assert_vector, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, cuboid, object, sphere};
use mbs::material::{ContactLaw, ImpactOrder, Material, MaterialPair, MaterialTable, Resting};
use mbs::math::Vec3;
use mbs::simulation::ActingPatch;

const G: f64 = 9.81;
const RHO: f64 = 1000.0;

/// A block at rest on a table, where friction holds it against gravity that leans by an angle \[rad\], and a ball above.
fn lying(law: ContactLaw, lean: f64) -> Declaration {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let table = cuboid([2.0, 1.0, 0.2]).material("Hard").massless().collides();
    let block = cuboid([0.3, 0.2, 0.1]).material("Hard").collides();
    let ball = sphere(0.1).material("Hard").collides();
    ModelBuilder::new("Lying")
        .contact_law(law, ImpactOrder::Simultaneous)
        .resting(Resting::Hinges)
        .gravity([G * lean.sin(), 0.0, -G * lean.cos()])
        .material(Material { name: "Hard".to_owned(), density: RHO, youngs_modulus: 1e9, ..steel })
        .material_pair("Hard", "Hard", MaterialPair { stiction: true, ..MaterialPair::new(0.3, 0.6, 0.0) })
        .object(object("table").fixed().r([0.0, 0.0, -0.1]).solid(table))
        .object(object("block").free().r([0.2, 0.1, 0.05]).solid(block))
        .object(object("ball").free().r([-0.4, 0.0, 1.0]).solid(ball))
        .build()
        .unwrap()
}

/// Area of a plane polygon \[m²\].
fn area(rim: &[Vec3]) -> f64 {
    let doubled: Vec3 = (1..rim.len() - 1).map(|k| (rim[k] - rim[0]).cross(&(rim[k + 1] - rim[0]))).sum();
    0.5 * doubled.norm()
}

#[test]
fn hinges_press_with_the_forces_and_on_the_areas_of_elastic_contacts() {
    let lean = 0.3_f64;
    let weight = RHO * 0.3 * 0.2 * 0.1 * G;
    for law in [ContactLaw::Elastic, ContactLaw::Rigid] {
        let mut run = start(&lying(law, lean), 1e-8);
        run.to(0.2);
        let acting = run.simulation.acting_forces().unwrap();
        let [ActingPatch { objects, at, normal, f, rim, .. }] = &acting.contacts[..] else {
            panic!("{law:?}: {} contacts", acting.contacts.len())
        };
        let names = objects.map(|object| run.simulation.scene().objects[object].path.clone());
        assert_eq!(names, ["table", "block"], "{law:?}");
        let expected = [-weight * lean.sin(), 0.0, weight * lean.cos()];
        assert_vector(*f, expected, 1e-3 * weight, &format!("force, {law:?}"));
        assert_vector(*normal, [0.0, 0.0, 1.0], 1e-6, &format!("normal, {law:?}"));
        // On the line of gravity through the middle: no torque is left.
        let middle = run.vector("block.r_abs");
        let below = [middle.x + 0.05 * lean.tan(), middle.y, 0.0];
        assert_vector(*at, below, 1e-4, &format!("centre of pressure, {law:?}"));
        assert_near(area(rim) / (0.3 * 0.2), 1.0, 1e-3, &format!("relative area, {law:?}"));
    }
}
