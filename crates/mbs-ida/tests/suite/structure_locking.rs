//! Parts of one mechanism that are attached to each other: joints rest while they are, and go on afterwards.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, attach, change, id, momentum, release, start};
use mbs::declaration::Policy;
use mbs::declaration::builder::{
    JointBuilder, Members, ModelBuilder, actions, component, cut_force_sensor, object, planar, prismatic, revolute,
    spherical,
};
use mbs::scene::Structure;
use mbs::simulation::StructureChange;

const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.003, -0.002, 0.001];

fn snap(run: &Run, a: &str, b: &str) -> StructureChange {
    StructureChange::Attach { a: id(run, a), b: id(run, b), snap: true }
}

/// A trolley of 2 kg on a rail, 0.2 m before a post, with a spring.
fn trolley() -> ModelBuilder {
    ModelBuilder::new("Trolley")
        .object(object("post").fixed().lockable())
        .object(object("trolley").mass(2.0, [0.0; 3], INERTIA).lockable())
        .joint(prismatic("rail", "world", "trolley", "x").position(-0.2).velocity(1.0).spring(30.0, 0.0))
}

#[test]
fn a_trolley_docks_at_its_own_rail_and_leaves_again() {
    let mut run = start(&trolley().build().unwrap(), 1e-9);
    run.to(0.1);
    let (s, v, energy) = (run.value("rail.s"), run.value("rail.v"), run.value("energy.total"));
    let dock = attach(&run, "trolley", "post");
    let lost = change(&mut run, &[dock]);
    assert_near(lost, 0.5 * 2.0 * v * v, 1e-14, "energy that docking takes");
    assert_near(run.value("energy.total"), energy - lost, 1e-13, "energy with what the spring holds");
    assert_eq!((run.value("number_of_states"), run.value("rail.s"), run.value("rail.v")), (0.0, s, 0.0));
    run.to(0.3);
    assert_eq!((run.value("rail.s"), run.value("der(rail.v)")), (s, 0.0));
    let leave = release(&run, "post");
    assert_eq!(change(&mut run, &[leave]), 0.0);
    assert_eq!((run.value("number_of_states"), run.value("rail.s"), run.value("rail.v")), (2.0, s, 0.0));
    run.to(0.5);
    let expected = s * (15.0_f64.sqrt() * 0.2).cos();
    assert_near(run.value("rail.s"), expected, 1e-8, "position on the spring after 0.2 s from rest");
}

#[test]
fn snapping_moves_a_joint_to_where_the_frames_coincide_or_is_refused() {
    let mut run = start(&trolley().build().unwrap(), 1e-9);
    let dock = snap(&run, "trolley", "post");
    change(&mut run, &[dock]);
    assert_near(run.value("rail.s"), 0.0, 1e-14, "position at the post");
    let leave = release(&run, "post");
    change(&mut run, &[leave]);
    assert_near(run.value("rail.s"), 0.0, 1e-14, "position after leaving");
    let beside = trolley().object(object("beside").fixed().r([0.0, 0.1, 0.0]).lockable());
    let mut run = start(&beside.build().unwrap(), 1e-9);
    let dock = snap(&run, "trolley", "beside");
    let error = run.simulation.change_structure(&[dock]).unwrap_err().to_string();
    assert!(error.contains("joint `rail` does not move that way"), "{error}");
    assert_eq!((run.value("segment"), run.value("rail.s")), (1.0, -0.2));
}

/// A free base with an arm on a joint, tumbling.
fn arm(joint: JointBuilder) -> ModelBuilder {
    ModelBuilder::new("Arm")
        .object(
            object("base")
                .mass(2.0, [0.1, -0.05, 0.02], INERTIA)
                .free_with([0.5, 0.0, 0.3], [1.0, 2.0, -1.0])
                .assembly_root()
                .lockable(),
        )
        .object(object("shoulder").on("base").r([0.2, 0.1, 0.0]))
        .object(object("arm").mass(1.0, [0.3, 0.0, 0.1], INERTIA).lockable())
        .joint(joint)
}

fn joints() -> [(&'static str, JointBuilder, f64); 4] {
    [
        ("revolute", revolute("j", "shoulder", "arm", "z").position(7.5).velocity(3.0), 15.0),
        ("reversed", revolute("j", "arm", "shoulder", "z").position(7.5).velocity(3.0), 15.0),
        (
            "spherical",
            spherical("j", "shoulder", "arm")
                .on("w[1]")
                .velocity(3.0)
                .on("w[2]")
                .velocity(-1.0)
                .on("w[3]")
                .velocity(2.0),
            20.0,
        ),
        ("planar", planar("j", "shoulder", "arm", "z", "x").on("v[1]").velocity(0.3).on("w").velocity(2.0), 19.0),
    ]
}

#[test]
fn an_arm_that_locks_to_its_own_base_keeps_all_momenta_and_moves_freely_again() {
    for (name, joint, states) in joints() {
        let mut run = start(&arm(joint).build().unwrap(), 1e-9);
        run.to(0.2);
        let (p, l) = momentum(&mut run);
        let energy = run.value("energy.kinetic");
        let pose = run.simulation.object_pose(id(&run, "arm")).unwrap();
        assert_eq!(run.value("number_of_states"), states, "{name}");
        let lock = attach(&run, "arm", "base");
        let lost = change(&mut run, &[lock]);
        assert!(lost > 0.01, "{name}: locking took {lost} J only");
        assert_eq!(run.value("number_of_states"), 13.0, "{name}");
        let same = |run: &mut Run, what: &str| {
            let (p_now, l_now) = momentum(run);
            assert_near((p_now - p).norm() + (l_now - l).norm(), 0.0, 1e-7, &format!("{name}: momenta {what}"));
            assert_near(run.value("energy.kinetic"), energy - lost, 1e-7, &format!("{name}: energy {what}"));
        };
        same(&mut run, "after locking");
        let now = run.simulation.object_pose(id(&run, "arm")).unwrap();
        assert!(now.distance(&pose).0 < 1e-14 && now.distance(&pose).1 < 1e-7, "{name}: the arm jumped");
        run.to(0.5);
        same(&mut run, "while locked");
        let pose = run.simulation.object_pose(id(&run, "arm")).unwrap();
        let apart = release(&run, "arm");
        assert_eq!(change(&mut run, &[apart]), 0.0, "{name}");
        assert_eq!(run.value("number_of_states"), states, "{name}");
        let now = run.simulation.object_pose(id(&run, "arm")).unwrap();
        assert!(now.distance(&pose).0 < 1e-14 && now.distance(&pose).1 < 1e-7, "{name}: the arm jumped at release");
        same(&mut run, "after release");
        run.to(0.8);
        same(&mut run, "after moving again");
    }
}

#[test]
fn a_joint_counts_its_revolutions_across_a_lock() {
    let (_, joint, _) = joints().into_iter().next().unwrap();
    let mut run = start(&arm(joint).build().unwrap(), 1e-9);
    let phi = run.value("j.phi");
    for what in [attach(&run, "arm", "base"), release(&run, "arm")] {
        change(&mut run, &[what]);
        assert_eq!(run.value("j.phi"), phi);
    }
}

#[test]
fn a_locked_joint_stays_locked_until_the_last_connection_is_released() {
    let (_, joint, _) = joints().into_iter().next().unwrap();
    let model = arm(joint).object(object("strut").mass(0.5, [0.0; 3], INERTIA).free().assembly_root().lockable());
    let model = model.object(object("end").on("strut").r([0.1, 0.0, 0.0]).lockable());
    let mut run = start(&model.build().unwrap(), 1e-9);
    let both = [attach(&run, "strut", "base"), attach(&run, "end", "arm")];
    change(&mut run, &both);
    assert_eq!(run.value("number_of_states"), 13.0, "a strut between arm and base locks the joint");
    let direct = attach(&run, "arm", "base");
    change(&mut run, &[direct]);
    let apart = release(&run, "end");
    let error = run.simulation.change_structure(&[apart]);
    assert!(error.is_ok(), "{error:?}");
    assert_eq!(run.value("number_of_states"), 13.0);
    let apart = release(&run, "arm");
    change(&mut run, &[apart]);
    assert_eq!(run.value("number_of_states"), 15.0, "base with strut, and the arm");
}

#[test]
fn a_locked_joint_is_the_same_after_saving_and_restoring_and_when_compiled_anew() {
    let mut run = start(&trolley().build().unwrap(), 1e-9);
    run.to(0.1);
    let dock = attach(&run, "trolley", "post");
    change(&mut run, &[dock]);
    let s = run.value("rail.s");
    let saved = run.simulation.save().unwrap();
    let anew = mbs::topology::compile(run.simulation.scene()).unwrap();
    assert_eq!(anew.motions, run.simulation.topology().motions);
    assert_eq!(anew.nodes, run.simulation.topology().nodes);
    let mut other = start(&trolley().build().unwrap(), 1e-9);
    other.simulation.restore(&saved).unwrap();
    assert_eq!((other.value("rail.s"), other.value("number_of_states")), (s, 0.0));
    for run in [&mut run, &mut other] {
        let leave = release(run, "post");
        change(run, &[leave]);
        run.to(0.4);
    }
    assert_eq!(run.value("rail.s"), other.value("rail.s"));
    assert!(run.simulation.scene().structure.as_ref() != &Structure::default());
}

#[test]
fn a_driven_joint_cannot_be_locked() {
    let model = ModelBuilder::new("Driven")
        .object(object("post").fixed().lockable())
        .object(object("hand").mass(2.0, [0.0; 3], INERTIA).lockable())
        .joint(prismatic("rail", "world", "hand", "x").motion("0.5*time"));
    let mut run = start(&model.build().unwrap(), 1e-9);
    let dock = attach(&run, "hand", "post");
    let error = run.simulation.change_structure(&[dock]).unwrap_err().to_string();
    assert!(error.contains("joint `rail` moves as prescribed"), "{error}");
    run.to(0.2);
    assert_near(run.value("rail.s"), 0.1, 1e-14, "way of the hand");
}

/// A hand on two rails that is attached to a post; the first rail moves as prescribed.
fn driven_hand(motion: &str) -> ModelBuilder {
    ModelBuilder::new("Driven")
        .object(object("post").fixed().lockable())
        .object(object("carriage").mass(1.0, [0.0; 3], INERTIA))
        .object(object("hand").mass(2.0, [0.0; 3], INERTIA).lockable())
        .joint(prismatic("rail", "world", "carriage", "x").motion(motion))
        .joint(prismatic("slide", "carriage", "hand", "y").velocity(0.1))
}

#[test]
fn frames_that_a_prescribed_motion_moves_across_another_joint_are_not_attached() {
    for (motion, is_possible) in [("0.5*time", false), ("0.3 + 0*time", true)] {
        let mut run = start(&driven_hand(motion).build().unwrap(), 1e-9);
        run.to(0.1);
        let dock = attach(&run, "hand", "post");
        match run.simulation.change_structure(&[dock]) {
            Ok(report) => {
                assert!(is_possible, "{motion}");
                assert_near(report.dissipated, 0.01, 1e-12, "energy of the hand");
            }
            Err(error) => {
                let error = error.to_string();
                let told = ["`hand` and `post`", "`rail`", "5.000e-1 m/s"].iter().all(|part| error.contains(part));
                assert!(!is_possible && told, "{error}");
                run.to(0.2);
                assert_near(run.value("slide.s"), 0.02, 1e-9, "way of the hand, which goes on");
            }
        }
    }
}

#[test]
fn an_attachment_that_a_prescribed_motion_forbids_follows_its_policy() {
    let until_it_rests = "if time < 0.2 then 0.5*time else 0.1";
    let program = |policy| actions("dock").wait(0.1).attach("hand", &["post"]).within(1.0, 1.0, 1.0).otherwise(policy);
    let mut run = start(&driven_hand(until_it_rests).actions(program(Policy::Retry)).build().unwrap(), 1e-9);
    run.to(0.15);
    let messages = run.simulation.take_messages();
    assert!(messages[0].contains("prescribed motions (`rail`)") && messages[0].contains("tried again"), "{messages:?}");
    assert_eq!(run.value("hand.attached"), 0.0);
    run.to(0.5);
    assert_eq!(run.value("hand.attached"), 1.0, "it is attached when the motion has come to rest");
    assert_near(run.value("slide.s"), 0.02, 1e-9, "way of the hand until then");
    let mut run = start(&driven_hand(until_it_rests).actions(program(Policy::Error)).build().unwrap(), 1e-9);
    let error = run.simulation.do_step(0.5).unwrap_err().to_string();
    assert!(error.contains("actions `dock` at t = 0.1 s") && error.contains("`rail`"), "{error}");
}

#[test]
fn a_prescribed_motion_that_begins_after_an_attachment_that_forbids_it_is_named_with_the_frames() {
    let dock = actions("dock").attach("hand", &["post"]).within(1.0, 1.0, 1.0);
    let model = driven_hand("if time < 0.2 then 0 else (time - 0.2)^2").actions(dock).build().unwrap();
    let mut run = start(&model, 1e-9);
    run.to(0.1);
    let error = run.simulation.do_step(0.5).unwrap_err().to_string();
    for part in ["`hand` to `post`", "motion of `rail`", "release"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert_eq!((run.simulation.time(), run.value("hand.attached")), (0.1, 1.0), "nothing has changed");
}

/// Two rods whose tip is attached to the world: three hinges of which two turn, then nothing can move any more.
#[test]
fn the_tip_of_an_arm_docks_at_its_base_and_leaves_again() {
    let rod = [0.002, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0];
    let model = ModelBuilder::new("Tip")
        .gravity([0.0, -9.81, 0.0])
        .object(object("dock").fixed().r([1.0, -0.5, 0.0]).lockable())
        .object(object("upper").mass(1.0, [0.5, 0.0, 0.0], rod))
        .object(object("elbow").on("upper").r([1.0, 0.0, 0.0]))
        .object(object("lower").mass(1.0, [0.5, 0.0, 0.0], rod))
        .object(object("tip").on("lower").r([0.7, 0.0, 0.0]).lockable())
        .joint(revolute("shoulder", "world", "upper", "z").position(0.3).velocity(1.0))
        .joint(revolute("bend", "elbow", "lower", "z").position(-1.2).velocity(-2.0));
    let mut run = start(&model.build().unwrap(), 1e-9);
    run.to(0.1);
    let energy = run.value("energy.total");
    let dock = attach(&run, "tip", "dock");
    let lost = change(&mut run, &[dock]);
    let angles = [run.value("shoulder.phi"), run.value("bend.phi")];
    assert_near(run.value("energy.total"), energy - lost, 1e-10, "energy");
    run.to(0.5);
    assert_near(run.value("shoulder.phi"), angles[0], 1e-9, "shoulder while docked");
    assert_near(run.value("bend.phi"), angles[1], 1e-9, "elbow while docked");
    assert_near(run.value("energy.kinetic"), 0.0, 1e-12, "kinetic energy while docked");
    let leave = release(&run, "tip");
    assert_eq!(change(&mut run, &[leave]), 0.0);
    let energy = run.value("energy.total");
    run.to(1.0);
    assert!((run.value("bend.phi") - angles[1]).abs() > 0.1, "the arm does not move again");
    assert_near(run.value("energy.total"), energy, 1e-6, "energy of the free arm");
}

/// A motor's rotor turns with the arm, and takes part in the impact.
#[test]
fn inertia_of_a_motor_takes_part_in_the_impact() {
    let (rotor, arm, m, r, w) = (0.5, 0.2, 2.0, 0.7, 3.0);
    let model = ModelBuilder::new("Motor")
        .object(object("arm").mass(1.0, [0.0; 3], [1.0, 1.0, arm, 0.0, 0.0, 0.0]))
        .object(object("tip").on("arm").r([r, 0.0, 0.0]).lockable())
        .object(object("post").fixed().r([r, 0.0, 0.0]).lockable())
        .object(
            object("part").r([r, 0.0, 0.0]).mass(m, [0.0; 3], [1e-9, 1e-9, 1e-9, 0.0, 0.0, 0.0]).free().assembly_root(),
        )
        .object(object("grip").on("part").lockable())
        .joint(revolute("j", "world", "arm", "z").velocity(w))
        .component(component("rotor", "inertia").set("J", rotor).connect("flange", "j"));
    let mut run = start(&model.build().unwrap(), 1e-9);
    let take = attach(&run, "tip", "grip");
    let lost = change(&mut run, &[take]);
    let expected = (rotor + arm) * w / (rotor + arm + m * r * r);
    assert_near(run.value("j.w"), expected, 1e-9, "velocity after the impact");
    let energy = 0.5 * (rotor + arm) * w * w - 0.5 * (rotor + arm + m * r * r) * expected * expected;
    assert_near(lost, energy, 1e-8, "energy that the impact takes");
    let dock = attach(&run, "grip", "post");
    let lost = change(&mut run, &[dock]);
    assert_near(lost, 0.5 * (rotor + arm + m * r * r) * expected * expected, 1e-8, "energy that docking takes");
    run.to(0.2);
    assert_eq!(run.value("j.w"), 0.0);
    let leave = release(&run, "post");
    change(&mut run, &[leave]);
    run.to(0.3);
    assert_near(run.value("j.w"), 0.0, 1e-12, "velocity after leaving");
}

/// A hand that moves as prescribed takes a part along: its drive works against the impulse.
#[test]
fn the_drive_of_a_hand_works_in_the_impulse_of_what_it_takes() {
    for (m, v_hand, v_part) in [(2.0, 0.5, 0.0), (2.0, 0.5, 0.8), (3.0, 0.5, -0.4), (3.0, 0.0, 0.4)] {
        let model = ModelBuilder::new("Hand")
            .object(object("hand").mass(5.0, [0.0; 3], INERTIA).lockable())
            .object(
                object("part")
                    .mass(m, [0.0; 3], INERTIA)
                    .free_with([v_part, 0.0, 0.0], [0.0; 3])
                    .assembly_root()
                    .lockable(),
            )
            .joint(prismatic("rail", "world", "hand", "x").motion(format!("{v_hand}*time").as_str()));
        let mut run = start(&model.build().unwrap(), 1e-9);
        let kinetic = run.value("energy.kinetic");
        let take = attach(&run, "hand", "part");
        let lost = change(&mut run, &[take]);
        let impulse = m * (v_hand - v_part);
        let gained = run.value("energy.kinetic") - kinetic;
        assert_near(gained, impulse * v_hand - lost, 1e-14, "kinetic energy gained");
        assert_near(lost, 0.5 * m * (v_hand - v_part) * (v_hand - v_part), 1e-14, "energy that attaching takes");
        assert_near(run.value("energy.dissipated_by_attaching"), lost, 1e-300, "the variable");
    }
}

/// A trolley that friction or a brake holds docks: nothing is left to hold, until it leaves; then it is held again.
#[test]
fn what_a_brake_or_friction_holds_can_be_locked_and_is_held_again_afterwards() {
    let holders = [
        component("h", "friction").connect("motion", "translation").set("sliding", 20.0),
        component("h", "brake").connect("motion", "translation").set("sliding", 20.0).set("u", 1.0),
    ];
    for holder in holders {
        let model = ModelBuilder::new("Held")
            .object(object("post").fixed().lockable())
            .object(object("trolley").mass(2.0, [0.0; 3], INERTIA).lockable())
            .joint(prismatic("rail", "world", "trolley", "x").position(-0.2).spring(30.0, 0.0))
            .component(holder.connect("a", "rail"));
        let mut run = start(&model.build().unwrap(), 1e-9);
        run.to(0.1);
        assert_near(run.value("h.effort").abs(), 6.0, 1e-8, "what is held against the spring");
        let dock = attach(&run, "trolley", "post");
        change(&mut run, &[dock]);
        run.to(0.2);
        assert_eq!((run.value("h.effort"), run.value("rail.s")), (0.0, -0.2));
        let leave = release(&run, "post");
        change(&mut run, &[leave]);
        run.to(0.3);
        assert_near(run.value("h.effort").abs(), 6.0, 1e-8, "what is held afterwards");
        assert_near(run.value("rail.s"), -0.2, 1e-12, "position of what is held");
    }
}

#[test]
fn a_sensor_of_a_joint_that_an_attachment_locks_tells_that_it_knows_nothing() {
    let model = trolley().sensor(cut_force_sensor("load", "rail")).gravity([0.0, 0.0, -9.81]);
    let mut run = start(&model.build().unwrap(), 1e-9);
    assert_near(run.value("load.f[3]"), 2.0 * 9.81, 1e-12, "the rail carries the trolley");
    let dock = attach(&run, "trolley", "post");
    change(&mut run, &[dock]);
    let messages = run.simulation.take_messages();
    let told = "the sensor `load` shows zero until they are released";
    assert!(messages.len() == 1 && messages[0].contains("`rail`") && messages[0].contains(told), "{messages:?}");
    assert_eq!(run.value("load.f[3]"), 0.0);
    let leave = release(&run, "post");
    change(&mut run, &[leave]);
    assert_eq!(run.simulation.take_messages(), [] as [&str; 0]);
    assert_near(run.value("load.f[3]"), 2.0 * 9.81, 1e-12, "the rail carries the trolley again");
}

/// A ball joint lets a frame on one side turn into one on the other side, if both are as far from the centre.
#[test]
fn snapping_across_a_ball_joint_turns_and_never_moves_its_centre() {
    for (arm, fits) in [(0.3, true), (0.2, false)] {
        let model = ModelBuilder::new("Ball")
            .object(object("base").mass(1.0, [0.0; 3], INERTIA).free_with([0.1, 0.2, 0.0], [0.0; 3]))
            .object(object("hook").on("base").r([0.0, 0.3, 0.0]).lockable())
            .object(object("arm").mass(2.0, [0.1, 0.0, 0.0], INERTIA))
            .object(
                object("eye").on("arm").r([arm, 0.0, 0.0]).cardan([0.0, 0.0, -std::f64::consts::FRAC_PI_2]).lockable(),
            )
            .joint(spherical("ball", "base", "arm"))
            .build()
            .unwrap();
        let mut run = start(&model, 1e-9);
        run.to(0.1);
        let dock = snap(&run, "eye", "hook");
        let snapped = run.simulation.change_structure(&[dock]);
        assert_eq!(snapped.is_ok(), fits, "{arm} m: {snapped:?}");
        if let Err(error) = snapped {
            assert!(error.to_string().contains("joint `ball` does not move that way"), "{error}");
            continue;
        }
        run.to(0.2);
        let centre = |run: &mut Run| [1, 2, 3].map(|k| run.value(&format!("arm.r_abs[{k}]")));
        let before = centre(&mut run);
        let open = release(&run, "eye");
        change(&mut run, &[open]);
        for (k, (now, before)) in centre(&mut run).iter().zip(before).enumerate() {
            assert_near(*now, before, 1e-12, "place of the arm after the release");
            assert_near(run.value(&format!("base.r_abs[{}]", k + 1)), before, 1e-9, "centre of the ball on both sides");
        }
    }
}
