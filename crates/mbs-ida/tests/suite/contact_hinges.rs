//! Contact hinges: statics, sliding, sticking, rolling and tipping of rigid bodies against closed forms and laws.
#![allow(clippy::unwrap_used)]

use crate::support::{Run, assert_near, change, hard, id, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, cuboid, object, prismatic, sphere, world_force};
use mbs::material::{ContactLaw, ImpactOrder, Material, MaterialPair, Resting, Stribeck};
use mbs::math::Vec3;
use mbs::scene::Pull;
use mbs::simulation::StructureChange;

/// Density \[kg/m³\] of everything.
const RHO: f64 = 1000.0;
const G: f64 = 10.0;

fn hinged(cor: f64, mu: f64) -> ModelBuilder {
    ModelBuilder::new("Hinges")
        .contact_law(ContactLaw::Rigid, ImpactOrder::Simultaneous)
        .resting(Resting::Hinges)
        .gravity([0.0, 0.0, -G])
        .material(hard())
        .material_pair("Hard", "Hard", MaterialPair::new(cor, mu, 0.0))
}

fn floor(size: [f64; 3]) -> ObjectBuilder {
    let slab = cuboid(size).material("Hard").massless().collides();
    object("floor").fixed().r([0.0, 0.0, -0.5 * size[2]]).solid(slab)
}

fn block(name: &str, size: [f64; 3], r: [f64; 3]) -> ObjectBuilder {
    object(name).r(r).free().solid(cuboid(size).material("Hard").collides())
}

fn energy(run: &mut Run) -> f64 {
    run.value("energy.total")
}

#[test]
fn a_block_at_rest_weighs_what_it_weighs() {
    let model =
        hinged(0.3, 0.5).object(floor([4.0, 4.0, 0.2])).object(block("block", [0.3, 0.2, 0.1], [0.1, 0.2, 0.05]));
    let mut run = start(&model.build().unwrap(), 1e-6);
    let weight = RHO * 0.3 * 0.2 * 0.1 * G;
    for t in [0.0, 1.0, 100.0] {
        run.to(t);
        assert_near(run.value("contact.floor_block.f_n") / weight, 1.0, 1e-10, "relative normal force");
        assert_near(run.value("contact.floor_block.r[1]"), 0.1, 1e-10, "centre of the pressure");
        assert_near(run.value("contact.floor_block.r[2]"), 0.2, 1e-10, "centre of the pressure");
        assert_near(run.value("block.r_abs[3]"), 0.05, 1e-12, "height");
    }
    assert!(run.simulation.statistics().integrator.steps < 40);
}

#[test]
fn a_block_slides_as_far_as_coulomb_lets_it() {
    let (mu, v) = (0.3, 2.0);
    let model = hinged(0.0, mu).object(floor([8.0, 4.0, 0.2])).object(
        object("block")
            .r([-2.0, 0.0, 0.05])
            .free_with([v, 0.0, 0.0], [0.0; 3])
            .solid(cuboid([0.3, 0.2, 0.1]).material("Hard").collides()),
    );
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(0.3);
    assert_near(run.value("block.v_abs[1]"), v - mu * G * 0.3, 1e-7, "velocity");
    run.to(2.0);
    assert_near(run.value("block.r_abs[1]"), -2.0 + v * v / (2.0 * mu * G), 1e-6, "distance");
    assert_near(run.value("block.v_abs[1]"), 0.0, 1e-12, "velocity at rest");
    let there = run.value("block.r_abs[1]");
    run.to(100.0);
    assert_near(run.value("block.r_abs[1]"), there, 1e-12, "it stays");
}

/// A block that slides level onto the next table touches it at its full speed along it, and with none towards it.
#[test]
fn a_block_slides_level_from_table_to_table() {
    let (mu, v) = (0.1, 1.5);
    let table = |k: usize, gap: f64| {
        let slab = cuboid([0.3, 0.4, 0.1]).material("Hard").massless().collides();
        object(format!("table{k}")).fixed().r([(0.3 + gap) * k as f64, 0.0, -0.05]).solid(slab)
    };
    for gap in [0.0, 1e-3, 1e-2] {
        let mut model = hinged(0.0, mu).object(
            object("block")
                .r([0.0, 0.0, 0.05])
                .free_with([v, 0.0, 0.0], [0.0; 3])
                .solid(cuboid([0.2, 0.2, 0.1]).material("Hard").collides()),
        );
        for k in 0..5 {
            model = model.object(table(k, gap));
        }
        let mut run = start(&model.build().unwrap(), 1e-6);
        run.to(2.0);
        assert_near(run.value("block.r_abs[1]"), v * v / (2.0 * mu * G), 1e-5, "way");
        assert_near(run.value("block.r_abs[3]"), 0.05, 1e-7, "height");
        let steps = run.simulation.statistics().integrator.steps;
        assert!(steps < 1000, "{steps} steps with gaps of {gap} m");
    }
}

/// A block of width w and height h that stands on its edge, leaning by an angle \[rad\]; the run, w and h \[m\].
fn rocking(angle: f64, tolerance: f64) -> (Run, f64, f64) {
    let (w, h) = (0.1, 0.3);
    let (s, c) = angle.sin_cos();
    let model = hinged(0.0, 1.0).object(floor([4.0, 4.0, 0.2])).object(
        object("block")
            .r([0.5 * (h * s - w * (1.0 - c)), 0.0, 0.5 * (h * c + w * s)])
            .quaternion([(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0])
            .free()
            .solid(cuboid([w, 0.2, h]).material("Hard").collides()),
    );
    (start(&model.build().unwrap(), tolerance), w, h)
}

#[test]
fn a_tilted_block_rocks_to_rest_without_gain_of_energy() {
    let (mut run, _, h) = rocking(0.15, 1e-8);
    let e = energy(&mut run);
    let mut last = e;
    for k in 1..=40 {
        run.to(0.1 * f64::from(k));
        let now = energy(&mut run);
        assert!(now <= last + 1e-6 * e.abs(), "energy {last} -> {now} at {}", 0.1 * f64::from(k));
        last = now;
    }
    assert_near(run.value("block.r_abs[3]"), 0.5 * h, 1e-7, "height");
    assert_near(run.value("energy.kinetic"), 0.0, 1e-20, "kinetic energy");
}

#[test]
fn a_ball_set_down_spinning_rolls_as_it_should() {
    let (mu, v, r) = (0.2, 2.0, 0.1);
    let model = hinged(0.0, mu).object(floor([8.0, 4.0, 0.2])).object(
        object("ball")
            .r([-2.0, 0.0, r])
            .free_with([v, 0.0, 0.0], [0.0; 3])
            .solid(sphere(2.0 * r).material("Hard").collides()),
    );
    let mut run = start(&model.build().unwrap(), 1e-8);
    let stop = 2.0 / 7.0 * v / (mu * G);
    run.to(0.9 * stop);
    assert_near(run.value("ball.v_abs[1]"), v - mu * G * 0.9 * stop, 1e-7, "velocity while it slides");
    run.to(1.5);
    assert_near(run.value("ball.v_abs[1]"), 5.0 / 7.0 * v, 1e-7, "velocity while it rolls");
    assert_near(run.value("ball.w_abs[2]"), 5.0 / 7.0 * v / r, 1e-6, "spin while it rolls");
}

#[test]
fn a_tower_of_eight_stands() {
    let mut model = hinged(0.0, 0.5).object(floor([4.0, 4.0, 0.2])).output("contact.floor_b0.f_n");
    for k in 0..8 {
        model = model.object(block(
            &format!("b{k}"),
            [0.2, 0.2, 0.1],
            [0.01 * f64::from(k % 3), 0.0, 0.05 + 0.1 * f64::from(k)],
        ));
    }
    let mut run = start(&model.build().unwrap(), 1e-6);
    run.to(100.0);
    let weight = RHO * 0.2 * 0.2 * 0.1 * G;
    assert_near(run.value("contact.floor_b0.f_n") / weight, 8.0, 1e-9, "weights on the floor");
    assert_near(run.value("b7.r_abs[3]"), 0.75, 1e-10, "height of the topmost");
    assert!(run.simulation.statistics().integrator.steps < 60);
}

/// One of many heaps of boxes and balls that fall on each other and on a floor, by a number.
fn heap(seed: u64) -> (Declaration, usize) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(12345);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let n = 1 + (seed % setting("HEAP_BODIES", 5)) as usize;
    let mut model = hinged(0.3 * next(), setting("HEAP_MU", 0.6) * next()).object(floor([80.0, 80.0, 0.2]));
    for k in 0..n {
        let r = [0.2 * (next() - 0.5), 0.2 * (next() - 0.5), 0.2 + 0.25 * k as f64];
        let v = [next() - 0.5, next() - 0.5, -next()];
        let w = [4.0 * (next() - 0.5), 4.0 * (next() - 0.5), 4.0 * (next() - 0.5)];
        let shape = match (next() * 4.0) as usize {
            0 => sphere(0.1 + 0.1 * next()),
            1 => cuboid([0.1 + 0.1 * next(), 0.1 + 0.1 * next(), 0.05 + 0.1 * next()]),
            _ => cuboid([0.2, 0.15, 0.1]),
        };
        let upright = next() < 0.4;
        let q = if upright { [1.0, 0.0, 0.0, 0.0] } else { [0; 4].map(|_| next() - 0.5) };
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let body = object(format!("b{k}")).r(r).quaternion(q.map(|x| x / length)).free_with(v, w);
        model = model.object(body.solid(shape.material("Hard").collides()));
    }
    (model.build().unwrap(), n)
}

/// A number that the environment may give.
fn setting<T: std::str::FromStr<Err: std::fmt::Debug>>(name: &str, default: T) -> T {
    std::env::var(name).map_or(default, |number| number.parse().unwrap())
}

/// What is wrong with a heap that has fallen for 2 s: a stop, bodies that sink, or a gain of energy.
fn trouble(seed: u64) -> Option<String> {
    let (model, n) = heap(seed);
    let mut run = start(&model, 1e-6);
    let mut last = energy(&mut run);
    let least = 0.024;
    for k in 1..=100 {
        let t = 0.02 * f64::from(k);
        if let Err(error) = run.simulation.do_step(t) {
            return Some(format!("heap {seed} stops at {t} s: {error}"));
        }
        let (now, kinetic) = (energy(&mut run), run.value("energy.kinetic"));
        if now > last + 1e-5 * (now.abs() + kinetic) {
            return Some(format!("heap {seed} gains energy at {t} s: {last} J, then {now} J"));
        }
        last = now;
        let sunk = (0..n).find(|k| run.value(&format!("b{k}.r_abs[3]")) < least);
        if let Some(k) = sunk {
            return Some(format!("heap {seed}: body {k} of {n} has sunk at {t} s"));
        }
    }
    None
}

/// As many heaps as `HEAPS` says, from `FIRST_HEAP` on, of up to `HEAP_BODIES` bodies with friction up to `HEAP_MU`.
#[test]
fn heaps_come_to_rest_without_gain_of_energy() {
    let (number, first) = (setting("HEAPS", 16), setting("FIRST_HEAP", 1));
    let all: Vec<String> = (first..first + number).filter_map(trouble).collect();
    assert!(all.is_empty(), "{} of {number}:\n{}", all.len(), all.join("\n"));
}

/// A face resists spinning as a uniform pressure does: the mean distance of the points of a square with side a from its
/// centre is `a (sqrt 2 + asinh 1) / 6`.
#[test]
fn a_spinning_block_is_braked_as_by_a_uniform_pressure() {
    let (mu, a, h, w) = (0.3, 0.2, 0.1, 20.0);
    let model = hinged(0.0, mu).object(floor([4.0, 4.0, 0.2])).object(
        object("block")
            .r([0.0, 0.0, 0.5 * h])
            .free_with([0.0; 3], [0.0, 0.0, w])
            .solid(cuboid([a, a, h]).material("Hard").collides()),
    );
    let mut run = start(&model.build().unwrap(), 1e-8);
    let mean = a * (2.0_f64.sqrt() + 1.0_f64.asinh()) / 6.0;
    let rate = mu * G * mean / (a * a / 6.0);
    run.to(0.5 * w / rate);
    assert_near(run.value("block.w_abs[3]"), 0.5 * w, 1e-6 * w, "angular velocity on the way");
    run.to(1.1 * w / rate);
    assert_near(run.value("block.w_abs[3]"), 0.0, 1e-12, "angular velocity at rest");
}

/// It slides and spins, and friction stops both at the same time.
#[test]
fn a_block_that_slides_and_spins_comes_to_rest() {
    let model = hinged(0.0, 0.3).object(floor([8.0, 4.0, 0.2])).object(
        object("block")
            .r([-2.0, 0.0, 0.05])
            .free_with([1.0, 0.2, 0.0], [0.0, 0.0, 5.0])
            .solid(cuboid([0.3, 0.2, 0.1]).material("Hard").collides()),
    );
    let mut run = start(&model.build().unwrap(), 1e-6);
    let mut last = energy(&mut run);
    for k in 1..=60 {
        run.to(0.05 * f64::from(k));
        let now = energy(&mut run);
        assert!(now <= last + 1e-9, "energy {last} -> {now}");
        last = now;
    }
    assert_near(run.value("energy.kinetic"), 0.0, 1e-20, "kinetic energy");
}

/// On a slope, a block stays below the angle of friction, for an hour without a step aside, and slides above it.
#[test]
fn a_block_on_a_slope_stays_or_slides() {
    let mu = 0.5;
    let on = |tangent: f64| {
        let (s, c) = (tangent / tangent.hypot(1.0), 1.0 / tangent.hypot(1.0));
        let model = hinged(0.0, mu).gravity([G * s, 0.0, -G * c]).object(floor([20.0, 4.0, 0.2])).object(block(
            "block",
            [0.3, 0.2, 0.1],
            [-5.0, 0.0, 0.05],
        ));
        (start(&model.build().unwrap(), 1e-7), s, c)
    };
    let (mut run, s, c) = on(0.49);
    run.to(3600.0);
    assert_near(run.value("block.r_abs[1]"), -5.0, 1e-12, "it stays");
    let weight = RHO * 0.3 * 0.2 * 0.1 * G;
    assert_near(run.value("contact.floor_block.f_t[1]"), -weight * s, 1e-9 * weight, "friction that holds");
    assert_near(run.value("contact.floor_block.f_n"), weight * c, 1e-9 * weight, "normal force");
    assert_near(run.value("contact.floor_block.sticking"), 1.0, 0.1, "whether it sticks");
    let (mut run, s, c) = on(0.52);
    run.to(2.0);
    assert_near(run.value("block.v_abs[1]"), 2.0 * G * (s - mu * c), 1e-6, "velocity");
}

/// Without friction a ball slides off a fixed one where `cos = 2/3`, if it starts from rest at the top.
#[test]
fn a_ball_leaves_a_ball_where_its_weight_no_longer_holds_it() {
    let (big, small, push) = (0.5, 0.1, 0.01);
    let model = hinged(0.0, 0.0)
        .object(object("hill").fixed().solid(sphere(2.0 * big).material("Hard").massless().collides()))
        .object(
            object("ball")
                .r([0.0, 0.0, big + small])
                .free_with([push, 0.0, 0.0], [0.0; 3])
                .solid(sphere(2.0 * small).material("Hard").collides()),
        );
    let mut run = start(&model.build().unwrap(), 1e-9);
    let radius = big + small;
    let mut t = 0.0;
    while run.value("contact.hill_ball.active") > 0.0 {
        t += 1e-3;
        run.to(t);
        assert!(t < 5.0, "it never leaves");
    }
    // From there on it flies: back to where the speed was that of the circle.
    let (x, z) = (run.value("ball.r_abs[1]"), run.value("ball.r_abs[3]"));
    let (vx, vz) = (run.value("ball.v_abs[1]"), run.value("ball.v_abs[3]"));
    let cosine = (2.0 + push * push / (G * radius)) / 3.0;
    let speed = (G * radius * cosine).sqrt();
    assert_near(vx, speed * cosine, 1e-6, "horizontal velocity where it leaves");
    let flown = (-vz - speed * (1.0 - cosine * cosine).sqrt()) / G;
    assert!((0.0..1e-3).contains(&flown), "it has flown for {flown} s");
    assert_near(z + (-vz) * flown - 0.5 * G * flown * flown, radius * cosine, 1e-6, "height where it leaves");
    assert_near(x - vx * flown, radius * (1.0 - cosine * cosine).sqrt(), 1e-6, "where it leaves");
}

/// On a block that leans by 0.2 rad, a ball that stands on the upper edge, nearly upright, rolls over it and down the
/// face beside it: without sinking into it, and with the energy that it has.
#[test]
fn a_ball_rolls_over_an_edge_onto_the_face_beside() {
    let (lean, begin, radius, half) = (0.2_f64, 0.05_f64, 0.03, [0.2, 0.1]);
    let normal = [lean.sin(), 0.0, lean.cos()];
    let edge = [-half[0] * lean.cos() + half[1] * lean.sin(), 0.0, half[0] * lean.sin() + half[1] * lean.cos()];
    let above = [edge[0] + radius * begin.sin(), 0.0, edge[2] + radius * begin.cos()];
    let slab = cuboid([2.0 * half[0], 0.4, 2.0 * half[1]]).material("Hard").massless().collides();
    let model = hinged(0.0, 0.5)
        .object(object("slab").fixed().turned([0.0, 1.0, 0.0], lean).solid(slab))
        .object(object("ball").free().r(above).solid(sphere(2.0 * radius).material("Hard").collides()));
    let mut run = start(&model.build().unwrap(), 1e-8);
    // Towards balls an edge is a little rounded.
    run.to(0.01);
    let before = energy(&mut run);
    let mut rolled = 0.0;
    for k in 3..=100 {
        run.to(5e-3 * f64::from(k));
        let from_edge = [1, 2, 3].map(|axis| run.value(&format!("ball.r_abs[{axis}]")) - edge[axis - 1]);
        let height: f64 = normal.iter().zip(from_edge).map(|(n, x)| n * x).sum();
        rolled = normal[2] * from_edge[0] - normal[0] * from_edge[2];
        if rolled > 1e-3 {
            assert_near(height / radius, 1.0, 1e-6, "height over the face");
        }
        assert_near(energy(&mut run) / before, 1.0, 1e-6, "energy");
    }
    assert!(rolled > 0.05, "it has rolled by {rolled} m");
}

/// Five dominoes fall on each other: which of them friction holds while they lean is not always decided by the forces
/// of rigid bodies. Their pairs then rest on the elastic law until they part, and the run goes on.
#[test]
fn what_rigid_bodies_leave_open_rests_elastically() {
    let size = [0.008, 0.03, 0.06];
    let tilt = 0.206_715_417_643_981_77_f64;
    let places = [
        ([0.0, 0.0, 0.03 * tilt.cos() + 0.004 * tilt.sin()], [0.0, 1.0, 0.0], tilt),
        ([0.021_449_603_067_837, 0.000_778_388_732_386, 0.03], [0.0, 0.0, 1.0], 0.0),
        ([0.041_019_151_458_115, -0.000_221_991_445_889, 0.03], [0.0, 0.0, 1.0], 0.064_300_414_001_249),
        ([0.062_235_078_694_108, 0.001_837_776_156_494, 0.03], [0.0, 0.0, 1.0], 0.044_929_894_659_746),
        ([0.083_304_916_823_794, -0.002_801_271_677_920, 0.03], [0.0, 0.0, 1.0], 0.0),
    ];
    let mut model = hinged(0.3, 0.2).gravity([0.0, 0.0, -9.81]).object(floor([4.0, 4.0, 0.2]));
    for (k, (r, axis, angle)) in places.into_iter().enumerate() {
        model = model.object(block(&format!("s{k}"), size, r).turned(axis, angle));
    }
    let declaration = model.build().unwrap();
    let mut run = start(&declaration, 1e-6);
    let (mut last, mut most, mut other) = (energy(&mut run), 0, None::<Run>);
    for k in 1..=100 {
        run.to(0.01 * f64::from(k));
        if let Some(mut other) = other.take() {
            other.to(0.01 * f64::from(k));
            assert_eq!(other.simulation.state(), run.simulation.state(), "from a state saved a while earlier");
        }
        let now = energy(&mut run);
        assert!(now < last + 1e-6, "energy rises from {last} J to {now} J at {} s", 0.01 * f64::from(k));
        last = now;
        let elastic = run.simulation.topology().resting_elastically().len();
        most = most.max(elastic);
        // Pairs become elastic within the time that both run side by side.
        if k % 2 == 0 && k < 90 {
            let saved = run.simulation.save().unwrap();
            other.insert(start(&declaration, 1e-6)).simulation.restore(&saved).unwrap();
        }
    }
    assert!(most > 0, "hinges have held all pairs");
}

/// What a hand pulls over the floor neither parts from it nor sinks, while it slides as Coulomb lets it.
#[test]
fn a_block_at_rest_can_be_pulled() {
    let declaration =
        hinged(0.0, 0.3).object(floor([8.0, 4.0, 0.2])).object(block("a", [0.2, 0.2, 0.1], [0.0, 0.0, 0.05]));
    let declaration = declaration.build().unwrap();
    let mut run = start(&declaration, 1e-8);
    run.to(0.1);
    // An even force of 20 N: the spring is long.
    let (stiffness, far) = (20e-6, 1e6);
    let pull = Pull {
        object: id(&run, "a"),
        point: Vec3::zeros(),
        target: Vec3::new(far, 0.0, 0.05),
        stiffness,
        damping: 0.0,
    };
    run.simulation.pull(Some(pull)).unwrap();
    run.to(0.6);
    let (mass, force) = (4.0, stiffness * far);
    let distance = 0.5 * (force / mass - 0.3 * G) * 0.25;
    assert_near(run.value("a.r_abs[1]"), distance, 1e-5, "distance");
    assert_near(run.value("a.r_abs[3]"), 0.05, 1e-9, "height");
    assert_near(run.value("contact.floor_a.f_n"), mass * G, 1e-3, "normal force");
}

/// A platform that shakes throws a block up where its own acceleration passes that of gravity.
#[test]
fn a_shaken_block_leaves_the_platform_at_the_right_time() {
    let (amplitude, omega) = (0.02, 30.0);
    let model = hinged(0.0, 0.5)
        .object(object("platform").solid(cuboid([1.0, 1.0, 0.1]).material("Hard").collides()))
        .joint(prismatic("lift", "world", "platform", "z").motion(format!("{amplitude}*sin({omega}*time)").as_str()))
        .object(block("block", [0.2, 0.2, 0.1], [0.0, 0.0, 0.1]));
    let mut run = start(&model.build().unwrap(), 1e-9);
    let t = (G / (amplitude * omega * omega)).asin() / omega;
    run.to(t + 0.01);
    let (v, z) = (amplitude * omega * (omega * t).cos(), 0.1 + amplitude * (omega * t).sin());
    assert_near(run.value("block.v_abs[3]"), v - G * 0.01, 1e-6, "velocity in flight");
    assert_near(run.value("block.r_abs[3]"), z + v * 0.01 - 0.5 * G * 1e-4, 1e-7, "height in flight");
}

/// Housner's block: with the angle a of its diagonal, every impact leaves `(1 - 3/2 sin² a)²` of the energy of rocking
/// (G. W. Housner, *Bull. Seism. Soc. Am.* 53, 1963, 403-417).
#[test]
fn a_rocking_block_loses_what_housner_says() {
    let (mut run, w, h) = rocking(0.15, 1e-9);
    let m = RHO * w * 0.2 * h;
    let base = m * G * 0.5 * h;
    let sine: f64 = w / w.hypot(h);
    let ratio = (1.0 - 1.5 * sine * sine).powi(2);
    let before = energy(&mut run) - base;
    run.to(0.3);
    let after = energy(&mut run) - base;
    assert_near(after / before, ratio, 1e-6, "part of the energy that is left");
}

/// Three supports under a plate carry what statics gives each: an exact balance of forces and moments.
#[test]
fn three_feet_carry_what_statics_says() {
    let foot = |name: &str, x: f64, y: f64| {
        object(name).fixed().r([x, y, 0.1]).solid(sphere(0.2).material("Hard").massless().collides())
    };
    let model = hinged(0.0, 0.4)
        .object(foot("a", -0.4, -0.3))
        .object(foot("b", 0.4, -0.3))
        .object(foot("c", 0.1, 0.35))
        .object(block("plate", [1.0, 1.0, 0.1], [0.0, 0.0, 0.25]));
    let mut run = start(&model.build().unwrap(), 1e-7);
    run.to(10.0);
    let weight = RHO * 0.1 * G;
    let c = 0.3 / 0.65;
    let b = 0.5 * (1.0 - c) - 0.1 * c / 0.8;
    for (name, part) in [("a", 1.0 - b - c), ("b", b), ("c", c)] {
        let force = run.value(&format!("contact.{name}_plate.f_n"));
        assert_near(force / weight, part, 1e-10, &format!("part of the weight on {name}"));
    }
}

/// Where more supports carry than statics needs, equal ones carry equal parts.
#[test]
fn supports_to_spare_share_the_load() {
    let foot = |name: &str, x: f64| {
        object(name).fixed().r([x, 0.0, 0.1]).solid(cuboid([0.1, 0.2, 0.2]).material("Hard").massless().collides())
    };
    let model = hinged(0.0, 0.4)
        .object(foot("left", -0.4))
        .object(foot("middle", 0.0))
        .object(foot("right", 0.4))
        .object(block("beam", [1.0, 0.2, 0.1], [0.0, 0.0, 0.25]));
    let mut run = start(&model.build().unwrap(), 1e-7);
    run.to(10.0);
    let weight = RHO * 0.02 * G;
    for (name, x) in [("left", -0.4), ("middle", 0.0), ("right", 0.4)] {
        let part = run.value(&format!("contact.{name}_beam.f_n")) / weight;
        assert_near(part, 1.0 / 3.0, 1e-6, &format!("part of the weight on {name}"));
        // Springs at all corners: the outer ones press on their inner and outer corners alike.
        assert_near(run.value(&format!("contact.{name}_beam.r[1]")), x, 1e-6, "centre of the pressure");
        assert_near(run.value(&format!("contact.{name}_beam.r[2]")), 0.0, 1e-6, "centre of the pressure");
    }
    assert!(run.simulation.statistics().integrator.steps < 40);
}

/// A wall of bricks side by side, which statics leaves open in many ways: it stands as if there were nothing between
/// the bricks of a course, and it is symmetric.
#[test]
fn a_wall_of_bricks_stands() {
    let (l, h) = (0.2, 0.08);
    let mut model = hinged(0.0, 0.5).object(floor([6.0, 4.0, 0.2]));
    for (course, count) in [4, 3, 4].into_iter().enumerate() {
        for k in 0..count {
            let x = l * (f64::from(k) - 0.5 * f64::from(count - 1));
            let name = format!("b{course}{k}");
            model = if course == 0 { model.output(format!("contact.floor_{name}.f_n")) } else { model };
            model = model.object(block(&name, [l, 0.1, h], [x, 0.0, h * (0.5 + course as f64)]));
        }
    }
    let mut run = start(&model.build().unwrap(), 1e-6);
    run.to(10.0);
    let weight = RHO * l * 0.1 * h * G;
    let on_floor = [0, 1, 2, 3].map(|k| run.value(&format!("contact.floor_b0{k}.f_n")) / weight);
    assert_near(on_floor.iter().sum(), 11.0, 1e-8, "weights on the floor");
    assert_near(on_floor[0], on_floor[3], 1e-4, "both ends carry the same");
    assert_near(on_floor[1], on_floor[2], 1e-4, "both in the middle carry the same");
    for (name, x) in [("b20", -1.5 * l), ("b23", 1.5 * l)] {
        assert_near(run.value(&format!("{name}.r_abs[1]")), x, 1e-9, "place");
        assert_near(run.value(&format!("{name}.r_abs[3]")), 2.5 * h, 1e-9, "height");
    }
    assert!(run.simulation.statistics().integrator.steps < 60);
}

/// A block that two jaws squeeze is held until friction gives way on both sides; then it slips without turning.
#[test]
fn a_block_slips_through_jaws_without_turning() {
    let mu = 0.3;
    let squeeze = "max(10, 40 - 300*time)";
    let jaw =
        |name: &str, x: f64| object(name).r([x, 0.0, 0.0]).solid(cuboid([0.05, 0.1, 0.3]).material("Hard").collides());
    let model = hinged(0.0, mu)
        .object(jaw("left", -0.075))
        .object(jaw("right", 0.075))
        .joint(prismatic("close_left", "world", "left", "x").position(-0.075).force(squeeze))
        .joint(prismatic("close_right", "world", "right", "x").position(0.075).force(format!("-{squeeze}").as_str()))
        .object(block("block", [0.1, 0.1, 0.1], [0.0, 0.0, 0.0]));
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(0.07);
    assert_near(run.value("block.r_abs[3]"), 0.0, 1e-9, "it is held");
    run.to(0.2);
    // m z'' = 2 mu F - m g with m = 1 kg, from F = 10 N / (2 mu) on.
    let (begins, falls) = ((40.0 - G / (2.0 * mu)) / 300.0, 0.1);
    let v = -mu * 300.0 * f64::powi(falls - begins, 2) - (G - 2.0 * mu * 10.0) * 0.1;
    assert_near(run.value("block.v_abs[3]"), v, 1e-5, "velocity");
    for component in 1..=3 {
        assert_near(run.value(&format!("block.w_abs[{component}]")), 0.0, 1e-5, "it does not turn");
    }
}

/// A block on a floor is pressed to a wall less and less, and pushed along it: floor and wall share that, as far as the
/// friction of each goes, until the floor has all of it.
#[test]
fn a_block_at_a_wall_stays_while_its_load_falls() {
    let (mu, along) = (0.25, 0.3);
    let wall = cuboid([0.1, 4.0, 1.0]).material("Hard").massless().collides();
    let model = hinged(0.1, mu)
        .object(floor([4.0, 4.0, 0.1]))
        .object(object("wall").fixed().r([0.05, 0.0, 0.5]).solid(wall.ignores("floor")))
        .object(block("block", [0.1, 0.08, 0.06], [-0.05, 0.0, 0.03]))
        .object(object("handle").on("block").r([-0.05, 0.0, 0.0]))
        .force(world_force("push", "handle", ("max(0, 1 - time)", along, 0.0), [0.0; 3]));
    let mut run = start(&model.build().unwrap(), 1e-7);
    let weight = RHO * 0.1 * 0.08 * 0.06 * G;
    for step in 0..=12 {
        let t = 0.1 * f64::from(step);
        run.to(t);
        for (component, r) in [-0.05, 0.0, 0.03].into_iter().enumerate() {
            let name = format!("block.r_abs[{}]", component + 1);
            assert_near(run.value(&name), r, 1e-9, &format!("{name} at t = {t} s"));
        }
        let load = run.value("contact.floor_block.f_n");
        let friction = [1, 2, 3].map(|k| run.value(&format!("contact.floor_block.f_t[{k}]")));
        let size = friction.iter().map(|f| f * f).sum::<f64>().sqrt();
        assert!(size <= mu * load * (1.0 + 1e-4), "Coulomb's bound at t = {t} s: {size} of {} N", mu * load);
        // What the floor does not hold along the push, the wall carries, and what the floor pushes itself.
        let (pushed, carried) = ((1.0 - t).max(0.0), run.value("contact.wall_block.f_n"));
        assert_near(carried - friction[0], pushed, 1e-6, &format!("forces across the wall at t = {t} s"));
        let held = load + run.value("contact.wall_block.f_t[3]");
        assert_near(held / weight, 1.0, 1e-6, &format!("vertical forces at t = {t} s"));
    }
    assert!(run.value("event_count") < 100.0, "{} events", run.value("event_count"));
}

/// Two blocks side by side slide and turn: the friction of their sides stays within its bound, whichever pair gives
/// way.
#[test]
fn blocks_side_by_side_slide_within_the_bound_of_friction() {
    let mu = 0.3;
    let sliding = |name: &str, x: f64| {
        let (v, w) = (0.115, -0.117);
        block(name, [0.1; 3], [x, 0.0, 0.05]).free_with([v, w * x, 0.0], [0.0, 0.0, w])
    };
    let model =
        hinged(0.0, mu).object(floor([4.0, 4.0, 0.2])).object(sliding("left", -0.1)).object(sliding("right", 0.0));
    let mut run = start(&model.build().unwrap(), 1e-6);
    let mut before = run.value("energy.total");
    for step in 0..=50 {
        run.to(0.002 * f64::from(step));
        for pair in ["floor_left", "floor_right", "left_right"] {
            let load = run.value(&format!("contact.{pair}.f_n"));
            let along = [1, 2, 3].map(|k| run.value(&format!("contact.{pair}.f_t[{k}]")).powi(2));
            let size = along.iter().sum::<f64>().sqrt();
            assert!(size <= mu * load * (1.0 + 1e-4) + 1e-9, "{pair}: {size} of {} N in step {step}", mu * load);
        }
        let now = run.value("energy.total");
        assert!(now <= before + 1e-9, "energy grows from {before} to {now} J");
        before = now;
    }
}

/// A load that grows slowly and stays moves a block that friction holds by less than a micrometre in an hour.
#[test]
fn nothing_creeps_under_a_load_that_stays() {
    let model = hinged(0.0, 0.5)
        .object(floor([4.0, 4.0, 0.2]))
        .object(block("block", [0.1, 0.1, 0.2], [0.0, 0.0, 0.1]))
        .force(world_force("push", "block", ("8*smoothstep(time, 0, 10)", 0.0, 0.0), [0.0; 3]));
    let mut run = start(&model.build().unwrap(), 1e-6);
    run.to(3600.0);
    assert_near(run.value("block.r_abs[1]"), 0.0, 1e-6, "place after an hour");
    assert_near(run.value("block.v_abs[1]"), 0.0, 1e-12, "velocity");
    assert_near(run.value("contact.floor_block.f_t[1]"), -8.0, 1e-6, "friction");
}

/// What is declared for hinges and has no effect is said.
#[test]
fn what_hinges_leave_out_is_noted() {
    let scene = |model: ModelBuilder| {
        let run = start(&model.object(floor([1.0, 1.0, 0.2])).build().unwrap(), 1e-6);
        run.simulation.scene().remarks.clone()
    };
    assert_eq!(scene(hinged(0.0, 0.3)), [""; 0]);
    let elastic = scene(hinged(0.0, 0.3).contact_law(ContactLaw::Elastic, ImpactOrder::Simultaneous));
    assert!(elastic[0].contains("no contact is rigid"), "{elastic:?}");
    let pair = MaterialPair { stribeck: Some(Stribeck { mu_s: 0.5, v_s: 0.01 }), ..MaterialPair::new(0.0, 0.3, 0.0) };
    let mut model = hinged(0.0, 0.3);
    model = model.material(Material { name: "Other".into(), ..hard() }).material_pair("Hard", "Other", pair);
    let noted = scene(model);
    assert!(noted[0].contains("`mu_s` of `Hard` and `Other` has no effect"), "{noted:?}");
}

/// A turned scene gives turned results.
#[test]
fn a_turned_scene_gives_turned_results() {
    let turn = |x: [f64; 3]| [0.6 * x[0] - 0.8 * x[2], x[1], 0.8 * x[0] + 0.6 * x[2]];
    let angle = 0.8_f64.atan2(0.6);
    let q = [(0.5 * angle).cos(), 0.0, -(0.5 * angle).sin(), 0.0];
    let at = |turned: bool| {
        let place = |x: [f64; 3]| if turned { turn(x) } else { x };
        let q = if turned { q } else { [1.0, 0.0, 0.0, 0.0] };
        let slab = cuboid([4.0, 4.0, 0.2]).material("Hard").massless().collides();
        let solid = cuboid([0.3, 0.2, 0.1]).material("Hard").collides();
        let model = hinged(0.2, 0.4)
            .gravity(place([0.0, 0.0, -G]))
            .object(object("floor").fixed().r(place([0.0, 0.0, -0.1])).quaternion(q).solid(slab))
            .object(
                object("block")
                    .r(place([0.1, 0.0, 0.3]))
                    .quaternion(q)
                    .free_with(place([1.0, 0.3, 0.0]), place([2.0, 1.0, 3.0]))
                    .solid(solid),
            );
        let mut run = start(&model.build().unwrap(), 1e-9);
        run.to(0.5);
        [1, 2, 3].map(|k| run.value(&format!("block.r_abs[{k}]")))
    };
    let (expected, found) = (turn(at(false)), at(true));
    for k in 0..3 {
        assert_near(found[k], expected[k], 1e-6, "position");
    }
}

/// What is carried falls when its support is taken away, and goes on from there.
#[test]
fn what_a_deleted_table_carried_falls() {
    let top = cuboid([1.0, 1.0, 0.1]).material("Hard").collides();
    let model = hinged(0.0, 0.5)
        .object(floor([4.0, 4.0, 0.2]))
        .object(object("table").r([0.0, 0.0, 0.5]).free().assembly_root().solid(top))
        .object(
            object("stand")
                .fixed()
                .r([0.0, 0.0, 0.225])
                .solid(cuboid([0.2, 0.2, 0.45]).material("Hard").massless().collides()),
        )
        .object(block("block", [0.2, 0.2, 0.1], [0.0, 0.0, 0.6]).assembly_root());
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(1.0);
    assert_near(run.value("block.r_abs[3]"), 0.6, 1e-12, "it rests on the table");
    let root = id(&run, "table");
    change(&mut run, &[StructureChange::Delete { root }]);
    run.to(1.1);
    assert_near(run.value("block.r_abs[3]"), 0.6 - 0.5 * G * 0.01, 1e-9, "it falls");
    run.to(3.0);
    assert_near(run.value("block.r_abs[3]"), 0.5, 1e-8, "it rests on the stand");
}

/// Saved while a block rocks and another one slides.
#[test]
fn a_saved_state_continues_with_the_same_bits() {
    let model = hinged(0.1, 0.4)
        .object(floor([8.0, 4.0, 0.2]))
        .object(
            object("a")
                .r([-2.0, 0.0, 0.05])
                .free_with([1.0, 0.1, 0.0], [0.0, 0.0, 3.0])
                .solid(cuboid([0.3, 0.2, 0.1]).material("Hard").collides()),
        )
        .object(
            object("b")
                .r([0.0, 0.0, 0.16])
                .quaternion([0.06_f64.cos(), 0.0, 0.06_f64.sin(), 0.0])
                .free()
                .solid(cuboid([0.1, 0.2, 0.3]).material("Hard").collides()),
        );
    let declaration = model.build().unwrap();
    for t in [0.1, 0.25, 0.4] {
        let mut run = start(&declaration, 1e-7);
        run.to(t);
        let saved = run.simulation.save().unwrap();
        let show = |run: &mut Run| {
            ["a.r_abs[1]", "a.w_abs[3]", "b.r_abs[1]", "b.w_abs[2]", "energy.dissipated_by_impacts", "energy.total"]
                .map(|name| run.value(name).to_bits())
        };
        run.to(1.0);
        let expected = show(&mut run);
        let mut other = start(&declaration, 1e-7);
        other.simulation.restore(&saved).unwrap();
        other.to(1.0);
        assert_eq!(show(&mut other), expected, "saved at {t}");
    }
}
