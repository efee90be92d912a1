//! Bodies that are too soft for their load: a run ends where one has sunk into another past its middle.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, ShapeBuilder};
use mbs::declaration::builder::{
    beam, capsule, cone, cuboid, cylinder, ellipsoid, half_space, object, prismatic, sphere,
};
use mbs::material::{Material, MaterialPair, MaterialTable};
use mbs::solid::Axis;

fn shapes() -> Vec<(&'static str, ShapeBuilder)> {
    vec![
        ("box", cuboid([0.1, 0.1, 0.1])),
        ("sphere", sphere(0.1)),
        ("ellipsoid", ellipsoid([0.1, 0.12, 0.1])),
        ("capsule", capsule(Axis::X, 0.1, 0.2)),
        ("cylinder", cylinder(Axis::Z, 0.1, 0.1)),
        ("roller", cylinder(Axis::X, 0.1, 0.1)),
        ("cone", cone(Axis::Z, 0.1, 0.05, 0.1).r([0.0, 0.0, -0.05])),
        ("beam", beam(Axis::X, 0.2, 0.1, 0.1)),
    ]
}

/// Something of 30 kg falls 1 cm onto ground whose top is at height 0.
fn dropped(ground: ShapeBuilder, thing: ShapeBuilder, moduli: [f64; 2]) -> ModelBuilder {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let stuff = |name: &str, youngs_modulus| Material { name: name.to_owned(), youngs_modulus, ..steel.clone() };
    ModelBuilder::new("Sinking")
        .gravity([0.0, 0.0, -9.81])
        .material(stuff("Ground", moduli[0]))
        .material(stuff("Thing", moduli[1]))
        .material_pair("Ground", "Thing", MaterialPair::new(0.3, 0.4, 0.0))
        .object(object("ground").fixed().solid(ground.material("Ground").massless().collides()))
        .object(object("thing").free().r([0.0, 0.0, 0.06]).solid(thing.material("Thing").mass(30.0).collides()))
}

fn grounds() -> Vec<(&'static str, ShapeBuilder)> {
    vec![("slab", cuboid([1.0, 1.0, 0.2]).r([0.0, 0.0, -0.1])), ("half-space", half_space(Axis::Z))]
}

#[test]
fn a_run_ends_where_the_middle_of_a_body_sinks_into_another_one() {
    for (ground_name, ground) in grounds() {
        for (name, shape) in shapes() {
            for moduli in [[1e3, 1e3], [2e11, 1e3], [1e3, 2e11]] {
                let place = format!("{name} on {ground_name}, {moduli:?} Pa");
                let mut run = start(&dropped(ground.clone(), shape.clone(), moduli).build().unwrap(), 1e-5);
                let error = run.simulation.do_step(2.0).unwrap_err().to_string();
                assert!(error.contains("`thing` has sunk into `ground` by"), "{place}: {error}");
                let t: f64 = error.split("t = ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
                assert!((0.04..0.3).contains(&t), "{place}: {error}");
            }
        }
    }
}

#[test]
fn what_its_load_presses_in_less_than_to_the_middle_rests() {
    for (ground_name, ground) in grounds() {
        for (name, shape) in shapes() {
            let place = format!("{name} on {ground_name}");
            let mut run = start(&dropped(ground.clone(), shape, [1e6, 1e6]).build().unwrap(), 1e-5);
            run.to(2.0);
            assert!((0.01..0.05).contains(&run.value("thing.r_abs[3]")), "{place}: {}", run.value("thing.r_abs[3]"));
            assert_near(run.value("thing.contact.f[3]") / (30.0 * 9.81), 1.0, 0.05, &place);
        }
    }
}

/// A thin disc may stand in soft ground deeper than it is thick.
#[test]
fn a_coin_stands_on_its_rim_in_soft_ground() {
    for (name, ground) in grounds() {
        let coin = cylinder(Axis::X, 0.1, 0.004);
        let model = dropped(ground, coin, [1e6, 2e11]).gravity([0.0, 0.0, -0.981]);
        let mut run: Run = start(&model.build().unwrap(), 1e-5);
        run.to(0.3);
        assert!(run.value("thing.r_abs[3]") < 0.046, "{name}: {}", run.value("thing.r_abs[3]"));
    }
}

/// Nothing stops what prescribed motions drive: a larger modulus would not help.
#[test]
fn bodies_with_prescribed_motions_are_told_apart_from_soft_ones() {
    let cube = || cuboid([0.1, 0.1, 0.1]).material("Steel").collides();
    let drive = |name: &str, sign: f64| {
        let motion = format!("{sign} * (0.2 * time - 0.3)");
        prismatic(&format!("drive_{name}"), "world", name, "x").motion(motion.as_str())
    };
    let model = ModelBuilder::new("Driven")
        .material_pair("Steel", "Steel", MaterialPair::new(0.3, 0.4, 0.0))
        .object(object("left").solid(cube()))
        .object(object("right").solid(cube()))
        .joint(drive("left", 1.0))
        .joint(drive("right", -1.0));
    let mut run: Run = start(&model.build().unwrap(), 1e-5);
    let error = run.simulation.do_step(2.0).unwrap_err().to_string();
    for part in ["`left`", "`right`", "past its middle", "prescribed motions", "`ignores`"] {
        assert!(error.contains(part), "{error}");
    }
    let t: f64 = error.split("t = ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((1.375..1.4).contains(&t), "{error}");
}
