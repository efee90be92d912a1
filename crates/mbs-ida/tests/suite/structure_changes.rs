//! Changes of structure in a rotated scene, many in one step, and what they do to momentum and energy.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, attach, change, id, momentum, release, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, actions, object, revolute, spring};
use mbs::math::{Mat3, Vec3};
use mbs::simulation::StructureChange;

const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.003, -0.002, 0.001];

/// The whole scene with its axes exchanged in a circle, a rotation by 120 degrees that is exact in floating-point
/// numbers.
fn turned(x: [f64; 3], turn: bool) -> [f64; 3] {
    if turn { [x[1], x[2], x[0]] } else { x }
}

/// The matrix of [`turned`].
fn matrix() -> Mat3 {
    Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
}

/// A body whose mass is described in its own frame; the frame is turned with the scene.
fn body(name: &str, m: f64, [r, v]: [[f64; 3]; 2], w: [f64; 3], turn: bool) -> ObjectBuilder {
    let frame = object(name).r(turned(r, turn)).free_with(turned(v, turn), turned(w, turn)).assembly_root();
    let frame = if turn { frame.quaternion([0.5, -0.5, -0.5, -0.5]) } else { frame };
    frame.mass(m, [0.1, -0.05, 0.02], INERTIA)
}

/// Two bodies with locks and a spring to the world, and a hook in the world.
fn scene(turn: bool) -> Declaration {
    model(turn).build().unwrap()
}

fn model(turn: bool) -> ModelBuilder {
    ModelBuilder::new("Turned")
        .gravity(turned([0.3, -1.0, 0.2], turn))
        .object(object("hook").fixed().r(turned([0.5, 0.2, 0.0], turn)).lockable())
        .object(body("a", 1.0, [[-0.3, 0.1, 0.0], [0.5, 0.0, 0.3]], [1.0, 2.0, -1.0], turn))
        .object(object("a1").on("a").r([0.2, 0.1, 0.0]).lockable())
        .object(body("b", 2.0, [[0.3, 0.0, 0.2], [-0.4, 0.1, 0.0]], [0.0, -3.0, 0.5], turn))
        .object(object("b1").on("b").r([-0.2, 0.0, 0.1]).lockable())
        .object(object("b2").on("b").r([0.2, 0.0, 0.1]).lockable())
        .force(spring("rope", "world", "b1", 20.0))
}

#[test]
fn the_scene_rotated_gives_rotated_results_through_all_changes() {
    let histories = [false, true].map(|turn| {
        let mut run = start(&scene(turn), 1e-9);
        let mut history = Vec::new();
        for (k, what) in ["attach", "hook", "release", "drop"].into_iter().enumerate() {
            run.to(0.1 * (k + 1) as f64);
            let changes = match what {
                "attach" => vec![attach(&run, "a1", "b1")],
                "hook" => vec![attach(&run, "b2", "hook")],
                "release" => vec![release(&run, "hook")],
                _ => vec![release(&run, "a1")],
            };
            let lost = change(&mut run, &changes);
            history.push((run.vector("a.r_abs"), run.vector("b.v_abs"), run.vector("b.w_abs"), lost));
        }
        run.to(0.6);
        history.push((run.vector("a.r_abs"), run.vector("b.v_abs"), run.vector("b.w_abs"), 0.0));
        history
    });
    let [plain, rotated] = histories;
    for (k, (plain, rotated)) in plain.iter().zip(&rotated).enumerate() {
        assert!((matrix() * plain.0 - rotated.0).norm() < 1e-7, "position after change {k}");
        assert!((matrix() * plain.1 - rotated.1).norm() < 1e-6, "velocity after change {k}");
        assert_near(rotated.3, plain.3, 1e-6, &format!("energy that change {k} takes"));
    }
    assert!(plain[0].3 > 1e-3 && plain[1].3 > 1e-3, "attaching moving bodies takes energy");
}

/// What vanishes takes its own momentum and energy along, what appears brings its own; nothing else changes.
#[test]
fn deleting_and_inserting_change_momentum_and_energy_by_those_of_the_part() {
    let mut run = start(&scene(false), 1e-9);
    run.to(0.2);
    let (p, _) = momentum(&mut run);
    let energy = run.value("energy.kinetic");
    let [own, own_energy] = {
        let object = id(&run, "a");
        let mass = run.simulation.scene().objects[object].mass;
        let body = run.simulation.object_motion(object);
        let v = body.v + body.w.cross(&(body.rotation * mass.center_of_mass));
        let w = body.rotation.tr_mul(&body.w);
        let energy = 0.5 * mass.mass * v.norm_squared() + 0.5 * w.dot(&(mass.inertia * w));
        [v * mass.mass, Vec3::new(energy, 0.0, 0.0)]
    };
    let root = id(&run, "a");
    let other = (run.vector("b.r_abs"), run.vector("b.v_abs"));
    assert_eq!(change(&mut run, &[StructureChange::Delete { root }]), 0.0);
    assert_near(run.value("energy.kinetic"), energy - own_energy.x, 1e-12, "energy of what remains");
    assert_eq!((run.vector("b.r_abs"), run.vector("b.v_abs")), other);
    let rest = run.simulation.object_motion(id(&run, "b"));
    let mass = run.simulation.scene().objects[id(&run, "b")].mass;
    let remaining = mass.mass * (rest.v + rest.w.cross(&(rest.rotation * mass.center_of_mass)));
    assert_near((p - own - remaining).norm(), 0.0, 1e-12, "momentum of what remains");
    let before = run.value("energy.kinetic");
    change(&mut run, &[StructureChange::Insert { root, placement: None }]);
    assert!(run.value("energy.kinetic") > before + 0.1, "the inserted body brings its energy");
    assert_eq!((run.vector("b.r_abs"), run.vector("b.v_abs")), other);
}

/// A foot that moves is attached to the ground: the leg on it goes on with the angular momentum about the ankle that it
/// had.
#[test]
fn a_moving_chain_attached_to_the_world_keeps_its_angular_momentum_about_the_remaining_joint() {
    let rod = [0.01, 0.05, 0.05, 0.0, 0.0, 0.0];
    let model = ModelBuilder::new("Step")
        .object(object("ground").fixed().lockable())
        .object(
            object("foot").free_with([0.4, 0.3, 0.0], [0.0; 3]).assembly_root().mass(0.5, [0.0; 3], INERTIA).lockable(),
        )
        .object(object("leg").mass(2.0, [0.3, 0.0, 0.0], rod))
        .joint(revolute("ankle", "foot", "leg", "z").position(0.7).velocity(1.5))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-9);
    let spin = |run: &mut Run| {
        let leg = run.simulation.object_motion(id(run, "leg"));
        let arm = leg.rotation * Vec3::new(0.3, 0.0, 0.0);
        0.05 * leg.w.z + 2.0 * arm.cross(&(leg.v + leg.w.cross(&arm))).z
    };
    let (energy, spin_before) = (run.value("energy.kinetic"), spin(&mut run));
    let step = attach(&run, "foot", "ground");
    let lost = change(&mut run, &[step]);
    assert_near(run.value("energy.kinetic"), energy - lost, 1e-12, "energy");
    assert!(lost > 0.05, "the impact takes {lost} J only");
    assert_near(spin(&mut run), spin_before, 1e-12, "angular momentum about the ankle");
    assert_near(run.value("ankle.w"), spin_before / (0.05 + 2.0 * 0.09), 1e-12, "angular velocity of the leg");
}

/// Releasing and attaching elsewhere at one instant, at t = 0 and exactly at communication points.
#[test]
fn one_step_over_ten_actions_ends_where_many_steps_end() {
    let mut program = actions("juggle");
    for k in 0..5 {
        program = program.attach("a1", &["b1"]).within(9.0, 99.0, 99.0);
        program = program.wait(0.05 + 0.01 * f64::from(k)).release("a1").wait(0.05);
    }
    let with_program = model(false).actions(program).build().unwrap();
    let mut ends = Vec::new();
    for steps in [1_u32, 12, 120] {
        let mut run = start(&with_program, 1e-9);
        assert_eq!(run.value("segment"), 2.0, "an action at t = 0 has happened there");
        for k in 1..=steps {
            run.to(0.6 * f64::from(k) / f64::from(steps));
        }
        assert_eq!(run.value("segment"), 11.0);
        ends.push([run.vector("a.r_abs"), run.vector("b.v_abs")]);
    }
    for end in &ends {
        assert!((end[0] - ends[0][0]).norm() + (end[1] - ends[0][1]).norm() < 1e-7, "{ends:?}");
    }
}
