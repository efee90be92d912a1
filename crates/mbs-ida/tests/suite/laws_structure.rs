//! What attaching, releasing, deleting and inserting must not change, and what it must.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Random, Run, assert_near, attach, change, id, momentum, release, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, object, prismatic, revolute, spring};
use mbs::math::{Pose, Vec3};
use mbs::scene::ObjectId;
use mbs::simulation::{Placement, StructureChange};
use mbs::spatial::BodyMotion;

const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.003, -0.002, 0.001];

fn motion(run: &mut Run, path: &str) -> BodyMotion {
    let id = id(run, path);
    run.simulation.object_pose(id).unwrap();
    run.simulation.object_motion(id)
}

/// Largest difference of position, orientation, velocity and angular velocity.
fn difference(a: &BodyMotion, b: &BodyMotion) -> f64 {
    let pose = (a.p - b.p).norm().max((a.rotation - b.rotation).norm());
    pose.max((a.v - b.v).norm()).max((a.w - b.w).norm())
}

fn root(name: &str, m: f64, r: [f64; 3], v: [f64; 3], w: [f64; 3]) -> ObjectBuilder {
    object(name).r(r).cardan([0.3, -0.2 * m, 0.5]).mass(m, [0.1, -0.05, 0.02], INERTIA).free_with(v, w).assembly_root()
}

/// Two tumbling bodies with a lockable frame each, and a third one without contact.
fn tumblers() -> ModelBuilder {
    ModelBuilder::new("Tumblers")
        .object(root("left", 1.0, [-0.4, 0.1, 0.0], [0.5, 0.0, 0.3], [1.0, 2.0, -1.0]))
        .object(object("left_lock").on("left").r([0.2, 0.1, 0.0]).cardan([0.4, 0.0, 0.1]).lockable())
        .object(root("right", 2.0, [0.4, 0.0, 0.2], [-0.4, 0.1, 0.0], [0.0, -3.0, 0.5]))
        .object(object("right_lock").on("right").r([-0.2, 0.0, 0.1]).lockable())
        .object(root("other", 1.5, [0.0, 3.0, 0.0], [0.1, 0.2, 0.3], [4.0, -1.0, 2.0]))
}

#[test]
fn attaching_moving_bodies_keeps_momentum_and_reports_the_energy_it_takes() {
    let mut run = start(&tumblers().build().unwrap(), 1e-9);
    run.to(0.3);
    let (p, l) = momentum(&mut run);
    let energy = run.value("energy.kinetic");
    let other = motion(&mut run, "other");
    let attach = attach(&run, "left_lock", "right_lock");
    let lost = change(&mut run, &[attach]);
    let (p_now, l_now) = momentum(&mut run);
    assert_near((p_now - p).norm(), 0.0, 1e-13, "change of momentum");
    assert_near((l_now - l).norm(), 0.0, 1e-13, "change of angular momentum");
    assert!(lost > 0.1, "the impact took {lost} J only");
    assert_near(run.value("energy.kinetic"), energy - lost, 1e-12, "energy");
    assert_eq!(difference(&motion(&mut run, "other"), &other), 0.0, "a body that was not touched moved");
    let (a, b) = (motion(&mut run, "left_lock"), motion(&mut run, "right_lock"));
    assert_near((a.w - b.w).norm(), 0.0, 1e-13, "difference of angular velocities");
    assert_near((a.v - b.v - b.w.cross(&(a.p - b.p))).norm(), 0.0, 1e-13, "velocity of one in the other");
    assert_eq!(run.simulation.topology().num_v, 12);
    run.to(1.0);
    let (p_now, l_now) = momentum(&mut run);
    assert_near((p_now - p).norm() + (l_now - l).norm(), 0.0, 1e-6, "change of momenta after 0.7 s");
}

/// What each attachment adds to the error of the last one must not grow.
#[test]
fn a_train_of_sixty_bodies_attached_one_by_one_keeps_its_momentum() {
    let count = 60;
    let body = |k: usize| {
        let (x, sine) = (k as f64, (k as f64).sin());
        root(&format!("body{k}"), 1.0, [0.5 * x, 0.0, 0.0], [0.0, sine, (0.7 * x).cos()], [0.3, 0.1 * sine, 0.2])
            .lockable()
    };
    let model = (0..count).fold(ModelBuilder::new("Train"), |model, k| model.object(body(k))).build().unwrap();
    let mut run = start(&model, 1e-8);
    for k in 1..count {
        run.to(0.01 * k as f64);
        let (p, l) = momentum(&mut run);
        let attach = attach(&run, &format!("body{}", k - 1), &format!("body{k}"));
        change(&mut run, &[attach]);
        let (p_now, l_now) = momentum(&mut run);
        assert_near((p_now - p).norm(), 0.0, 1e-11 * p.norm(), "change of momentum");
        assert_near((l_now - l).norm(), 0.0, 1e-11 * l.norm(), "change of angular momentum");
    }
    assert_eq!(run.simulation.topology().num_v, 6);
}

#[test]
fn a_released_body_keeps_its_pose_velocity_and_angular_velocity() {
    let mut run = start(&tumblers().build().unwrap(), 1e-9);
    let together = attach(&run, "left_lock", "right_lock");
    change(&mut run, &[together]);
    run.to(0.7);
    let names = ["left", "right", "left_lock", "right_lock", "other"];
    let before = names.map(|name| motion(&mut run, name));
    let energy = run.value("energy.kinetic");
    let apart = release(&run, "right_lock");
    assert_eq!(change(&mut run, &[apart]), 0.0);
    for (name, before) in names.iter().zip(&before) {
        assert!(difference(&motion(&mut run, name), before) < 1e-14, "{name} jumped");
    }
    assert_near(run.value("energy.kinetic"), energy, 1e-13, "energy");
    assert_eq!(run.simulation.topology().num_v, 18);
}

/// A model of parts that are attached and released in random order agrees with one that is built fresh for every
/// segment.
#[test]
fn random_changes_agree_with_a_model_built_fresh_for_every_segment() {
    for seed in 1..=12 {
        let mut random = Random::new(seed);
        let names = ["a", "b", "c", "d"];
        let model = parts(&names, &[1, 2, 3, 0].map(|k| names[k]));
        let mut run = start(&model, 1e-8);
        for step in 1..=8 {
            let changes = random_changes(&run, &names, &mut random);
            let (p, l) = momentum(&mut run);
            let energy = run.value("energy.kinetic");
            let lost = run.simulation.change_structure(&changes).map(|report| report.dissipated);
            let Ok(lost) = lost else { continue };
            let context = format!("seed {seed}, step {step}");
            let (p_now, l_now) = momentum(&mut run);
            assert_near((p_now - p).norm() + (l_now - l).norm(), 0.0, 1e-12, &format!("{context}: change of momenta"));
            assert_near(run.value("energy.kinetic"), energy - lost, 1e-12, &format!("{context}: energy"));
            let t = 0.05 * f64::from(step);
            let rest = t - run.simulation.time();
            let expected = fresh(&mut run, &names, rest);
            run.to(t);
            for (name, expected) in names.iter().zip(expected) {
                let found = motion(&mut run, name);
                assert!(difference(&found, &expected) < 2e-6, "{context}: {name} {found:?} instead of {expected:?}");
            }
        }
    }
}

/// Free bodies, declared in a given order, each with two lockable frames.
fn parts(names: &[&str], order: &[&str]) -> Declaration {
    let mut model = ModelBuilder::new("Parts");
    for name in order {
        let k = names.iter().position(|known| known == name).unwrap() as f64;
        model = model
            .object(root(name, 1.0 + 0.3 * k, [k, 0.2 * k * k, 0.1], [0.2 * k, -0.1, 0.3], [1.0 - k, 0.5 * k, 0.7]))
            .object(object(format!("{name}1")).on(*name).r([0.3, 0.0, 0.1]).lockable())
            .object(object(format!("{name}2")).on(*name).r([-0.2, 0.1, 0.0]).cardan([0.1, 0.2, 0.3]).lockable());
    }
    model.build().unwrap()
}

fn random_changes(run: &Run, names: &[&str], random: &mut Random) -> Vec<StructureChange> {
    let mut frame = || format!("{}{}", names[random.below(names.len())], 1 + random.below(2));
    let (first, second) = (frame(), frame());
    let third = frame();
    match random.below(3) {
        0 => vec![release(run, &first)],
        1 => vec![attach(run, &first, &second)],
        _ => vec![release(run, &first), attach(run, &second, &third)],
    }
}

/// The same bodies in a new model, rigidly connected ones as one body, after a time: poses and velocities of the
/// bodies.
fn fresh(run: &mut Run, names: &[&str], duration: f64) -> Vec<BodyMotion> {
    let mut heads: Vec<(&str, usize)> = Vec::new();
    let mut model = ModelBuilder::new("Fresh");
    for name in names {
        let own = id(run, name);
        let node = run.simulation.topology().placements[own.index()].node;
        let body = motion(run, name);
        let (parent, x) = match heads.iter().find(|(_, of)| *of == node) {
            Some((head, _)) => {
                let head_motion = motion(run, head);
                (*head, pose(&head_motion).inverse() * pose(&body))
            }
            None => ("world", pose(&body)),
        };
        let mut object = object(*name).on(parent).r(<[f64; 3]>::from(x.translation)).quaternion(quaternion(&x));
        if parent == "world" {
            heads.push((name, node));
            object = object.free_with(<[f64; 3]>::from(body.v), <[f64; 3]>::from(body.w));
        }
        let mass = run.simulation.scene().objects[own].mass;
        model = model.object(object.mass(mass.mass, [0.1, -0.05, 0.02], INERTIA));
    }
    let mut built = start(&model.build().unwrap(), 1e-8);
    built.to(duration);
    names.iter().map(|name| motion(&mut built, name)).collect()
}

fn pose(motion: &BodyMotion) -> Pose {
    Pose { rotation: motion.rotation, translation: motion.p }
}

fn quaternion(x: &Pose) -> [f64; 4] {
    mbs::math::Quaternion::from_matrix(&x.rotation).to_array()
}

/// A robot of two links on a rail that grips a part from a plate, and a part that is deleted and inserted.
fn robot() -> ModelBuilder {
    ModelBuilder::new("Robot")
        .gravity([0.0, 0.0, -9.81])
        .object(object("cart").mass(2.0, [0.0; 3], INERTIA))
        .joint(prismatic("rail", "world", "cart", "x").velocity(0.4))
        .object(object("arm").mass(1.0, [0.2, 0.0, 0.0], INERTIA))
        .joint(revolute("shoulder", "cart", "arm", "y").position(0.3).velocity(-1.0).spring(5.0, 0.0))
        .object(object("hand").on("arm").r([0.4, 0.0, 0.0]).lockable())
        .object(object("plate").fixed().r([0.5, 0.0, 0.0]).lockable())
        .object(root("part", 0.5, [0.45, 0.0, 0.1], [0.0; 3], [0.0; 3]))
        .object(object("grip").on("part").r([0.0, 0.0, 0.05]).lockable())
        .object(object("foot").on("part").r([0.0, 0.0, -0.05]).lockable())
        .force(spring("line", "world", "part", 10.0))
}

/// The velocities after an impact in a mechanism fulfil the momentum balance of each degree of freedom left: compared
/// with the minimum of the energy of the difference, found by trying.
#[test]
fn gripping_a_part_with_a_moving_robot_is_the_nearest_motion_that_the_grip_allows() {
    let mut run = start(&robot().build().unwrap(), 1e-9);
    run.to(0.1);
    let names = ["cart", "arm", "part"];
    let before = names.map(|name| motion(&mut run, name));
    let grip = attach(&run, "grip", "hand");
    let lost = change(&mut run, &[grip]);
    assert_eq!(run.simulation.topology().num_v, 2);
    let after = names.map(|name| motion(&mut run, name));
    let distance = |trial: &[BodyMotion]| {
        let energy = |(k, trial): (usize, &BodyMotion)| {
            let mass = run.simulation.scene().objects[id(&run, names[k])].mass;
            let (dv, dw) = (trial.v - before[k].v, trial.w - before[k].w);
            let c = trial.rotation * mass.center_of_mass;
            let at_center = dv + dw.cross(&c);
            let dw_b = trial.rotation.tr_mul(&dw);
            0.5 * mass.mass * at_center.norm_squared() + 0.5 * dw_b.dot(&(mass.inertia * dw_b))
        };
        trial.iter().enumerate().map(energy).sum::<f64>()
    };
    let best = distance(&after);
    assert_near(best, lost, 1e-10, "energy of the difference (Carnot)");
    for (dx, dphi) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3), (1e-3, -1e-3)] {
        let (axis, hinge) = (Vec3::y(), after[1].p);
        let trial: Vec<BodyMotion> = after
            .iter()
            .enumerate()
            .map(|(k, body)| {
                let turn = if k == 0 { 0.0 } else { dphi };
                let w = axis * turn;
                BodyMotion { v: body.v + Vec3::x() * dx + w.cross(&(body.p - hinge)), w: body.w + w, ..*body }
            })
            .collect();
        assert!(distance(&trial) > best, "another motion is nearer");
    }
}

#[test]
fn coordinates_of_unchanged_joints_stay_bit_by_bit() {
    let mut run = start(&robot().build().unwrap(), 1e-8);
    run.to(0.2);
    let names = ["rail.s", "rail.v", "shoulder.phi", "shoulder.w"];
    let before = names.map(|name| run.value(name));
    let hold = attach(&run, "foot", "plate");
    change(&mut run, &[hold]);
    assert_eq!(names.map(|name| run.value(name)), before);
    assert_near(motion(&mut run, "part").v.norm(), 0.0, 1e-15, "velocity of a part on a plate at rest");
    let delete = StructureChange::Delete { root: id(&run, "part") };
    change(&mut run, &[delete]);
    assert_eq!(names.map(|name| run.value(name)), before);
}

#[test]
fn a_deleted_object_rests_where_it_was_and_starts_anew_when_inserted() {
    let mut run = start(&robot().build().unwrap(), 1e-8);
    run.to(0.2);
    let position = run.vector("part.r_abs");
    let root = id(&run, "part");
    change(&mut run, &[StructureChange::Delete { root }]);
    run.to(0.4);
    assert_eq!((run.vector("part.r_abs"), run.vector("part.v_abs")), (position, Vec3::zeros()));
    assert_eq!(run.simulation.topology().num_v, 2);
    change(&mut run, &[StructureChange::Insert { root, placement: None }]);
    assert_eq!(run.vector("part.r_abs"), Vec3::new(0.45, 0.0, 0.1));
    assert_eq!(run.simulation.topology().num_v, 8);
    change(&mut run, &[StructureChange::Delete { root }]);
    let at = id(&run, "hand");
    let x = Pose::from_translation(Vec3::new(0.1, 0.0, 0.0));
    let placement = Placement { at, pose: x, v: Vec3::new(0.0, 0.0, 1.0), w: Vec3::zeros() };
    let hand = motion(&mut run, "hand");
    change(&mut run, &[StructureChange::Insert { root, placement: Some(placement) }]);
    let part = motion(&mut run, "part");
    assert_near((part.p - hand.at(&x).p).norm(), 0.0, 1e-15, "place of the inserted part");
    let expected = hand.at(&x).v + hand.rotation * Vec3::z();
    assert_near((part.v - expected).norm(), 0.0, 1e-15, "velocity of the inserted part");
    run.to(0.5);
}

#[test]
fn changes_that_do_not_fit_are_refused_with_a_reason_and_change_nothing() {
    let mut run = start(&robot().build().unwrap(), 1e-8);
    let part = id(&run, "part");
    let mut complain = |change: StructureChange| run.simulation.change_structure(&[change]).unwrap_err().to_string();
    let find = |name: &str| laws_id(&robot().build().unwrap(), name);
    let both = |a: &str, b: &str| StructureChange::Attach { a: find(a), b: find(b), snap: false };
    assert!(complain(StructureChange::Release { frame: find("grip") }).contains("not attached to anything"));
    assert!(complain(both("part", "hand")).contains("not a lockable frame"));
    assert!(complain(StructureChange::Delete { root: find("hand") }).contains("not the root of an assembly"));
    assert!(complain(StructureChange::Insert { root: part, placement: None }).contains("exists already"));
    let hold = both("grip", "hand");
    run.simulation.change_structure(std::slice::from_ref(&hold)).unwrap();
    let again = run.simulation.change_structure(&[hold]).unwrap_err().to_string();
    assert!(again.contains("they are attached to each other already"), "{again}");
    assert_eq!(run.simulation.topology().num_v, 2);
}

fn laws_id(model: &Declaration, path: &str) -> ObjectId {
    mbs::elaboration::elaborate(model, &[]).unwrap().object(path).unwrap()
}

/// The order in which parts are declared decides which of them carries the free motion, not what happens.
#[test]
fn the_order_of_declaration_does_not_change_the_motion() {
    let names = ["a", "b", "c", "d"];
    let outcomes = [["a", "b", "c", "d"], ["d", "b", "a", "c"]].map(|order| {
        let mut run = start(&parts(&names, &order), 1e-9);
        run.to(0.1);
        for (a, b) in [("a1", "b1"), ("c1", "d1"), ("b2", "c2")] {
            let attach = attach(&run, a, b);
            change(&mut run, &[attach]);
        }
        assert_eq!(run.simulation.topology().num_v, 6);
        run.to(0.3);
        let apart = release(&run, "b2");
        change(&mut run, &[apart]);
        run.to(0.5);
        names.map(|name| motion(&mut run, name))
    });
    for k in 0..names.len() {
        assert!(difference(&outcomes[0][k], &outcomes[1][k]) < 1e-6, "{}", names[k]);
    }
}

/// A walker whose free end becomes its base again and again: coordinates go on, the forest turns round.
#[test]
fn a_chain_whose_ends_take_turns_as_base_keeps_its_coordinates() {
    let model = ModelBuilder::new("Walker")
        .object(root("first", 0.3, [0.0; 3], [0.0; 3], [0.0; 3]))
        .object(object("sole1").on("first").r([-0.1, 0.0, 0.0]).lockable())
        .object(object("second").mass(0.4, [0.2, 0.0, 0.0], INERTIA))
        .joint(revolute("knee", "first", "second", "z").position(0.4).velocity(0.8))
        .object(object("sole2").on("second").r([0.3, 0.0, 0.0]).lockable())
        .object(object("ground").fixed().r([0.0, -1.0, 0.0]).lockable())
        .build()
        .unwrap();
    let mut run = start(&model, 1e-8);
    let step = attach(&run, "sole1", "ground");
    change(&mut run, &[step]);
    for (k, (free, held)) in [("sole1", "sole2"), ("sole2", "sole1")].repeat(3).into_iter().enumerate() {
        run.to(0.1 * (k + 1) as f64);
        let before = [run.value("knee.phi"), motion(&mut run, held).p.x, motion(&mut run, free).p.y];
        let changes = [release(&run, free), attach(&run, held, "ground")];
        change(&mut run, &changes);
        let after = [run.value("knee.phi"), motion(&mut run, held).p.x, motion(&mut run, free).p.y];
        assert_eq!(run.simulation.topology().num_v, 1);
        assert_eq!(before[0], after[0]);
        assert!((0..3).all(|i| (before[i] - after[i]).abs() < 1e-14), "{before:?} {after:?}");
    }
}

/// Angular momentum of a body about the axis of a joint at its origin, along its z axis.
fn spin_about_own_axis(run: &mut Run, path: &str) -> f64 {
    let body = motion(run, path);
    let mass = run.simulation.scene().objects[id(run, path)].mass;
    let arm = body.rotation * mass.center_of_mass;
    let own = body.rotation * (mass.inertia * body.rotation.tr_mul(&body.w));
    (own + mass.mass * arm.cross(&(body.v + body.w.cross(&arm)))).dot(&(body.rotation * Vec3::z()))
}

/// The base of a chain changes from one end to the other: the part that swings from now on keeps its angular momentum
/// about the remaining joint, and the energy falls by what is reported.
#[test]
fn a_flipped_chain_keeps_the_angular_momentum_about_its_joint_and_the_energy_that_is_left() {
    let model = ModelBuilder::new("Flip")
        .object(root("first", 0.6, [0.0; 3], [0.0; 3], [0.0; 3]))
        .object(object("sole1").on("first").r([-0.1, 0.0, 0.0]).lockable())
        .object(object("middle").mass(0.5, [0.1, 0.02, 0.0], INERTIA))
        .joint(revolute("knee", "first", "middle", "z").position(0.4).velocity(0.8))
        .object(object("end").on("middle").r([0.3, 0.0, 0.0]))
        .object(object("second").mass(0.4, [0.2, 0.0, 0.0], INERTIA))
        .joint(revolute("hip", "end", "second", "z").position(-0.7).velocity(1.1))
        .object(object("sole2").on("second").r([0.3, 0.0, 0.0]).lockable())
        .object(object("ground").fixed().r([0.0, -1.0, 0.0]).lockable())
        .build()
        .unwrap();
    let mut run = start(&model, 1e-9);
    let step = attach(&run, "sole1", "ground");
    change(&mut run, &[step]);
    for (k, (free, held, swings)) in
        [("sole1", "sole2", "first"), ("sole2", "sole1", "second")].repeat(2).into_iter().enumerate()
    {
        run.to(0.1 * (k + 1) as f64);
        let (spin, energy) = (spin_about_own_axis(&mut run, swings), run.value("energy.kinetic"));
        let changes = [release(&run, free), attach(&run, held, "ground")];
        let lost = change(&mut run, &changes);
        assert!(lost > 1e-6 && lost < energy, "the flip takes {lost} J of {energy} J");
        assert_near(spin_about_own_axis(&mut run, swings), spin, 1e-13, "angular momentum about its joint");
        assert_near(run.value("energy.kinetic"), energy - lost, 1e-13, "energy");
    }
}

/// A foot in the world and one moving joint between it and the tip that is gripped: releasing and gripping at once is
/// the same as releasing first.
#[test]
fn letting_go_of_one_end_and_gripping_the_other_at_once_is_an_impact_of_the_whole_chain() {
    let model = |speed: f64| {
        ModelBuilder::new("Flip")
            .object(root("foot", 0.6, [0.0; 3], [0.0; 3], [0.0; 3]))
            .object(object("sole").on("foot").r([-0.1, 0.02, 0.0]).lockable())
            .object(object("rod").mass(0.5, [0.1, 0.02, 0.0], INERTIA))
            .joint(revolute("knee", "foot", "rod", "z").position(0.4).velocity(speed))
            .object(object("tip").on("rod").r([0.3, 0.0, 0.0]).lockable())
            .object(object("ground").fixed().r([0.0, -1.0, 0.0]).lockable())
            .build()
            .unwrap()
    };
    let both = [true, false].map(|at_once| {
        let mut run = start(&model(0.8), 1e-9);
        let held = attach(&run, "sole", "ground");
        change(&mut run, &[held]);
        run.to(0.1);
        let energy = run.value("energy.kinetic");
        let (loose, held) = (release(&run, "sole"), attach(&run, "tip", "ground"));
        let lost = if at_once {
            change(&mut run, &[loose, held])
        } else {
            change(&mut run, &[loose]) + change(&mut run, &[held])
        };
        assert!(lost > 1e-3, "the impact takes {lost} J of {energy} J");
        assert_near(run.value("energy.kinetic"), energy - lost, 1e-13, "energy");
        run.value("knee.w")
    });
    assert_near(both[0], both[1], 1e-13, "velocity of the knee");
    assert!((both[0] - 0.8).abs() > 0.1);
}
