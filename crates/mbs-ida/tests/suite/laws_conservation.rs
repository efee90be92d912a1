//! Energy, momentum and power over time.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Random, assert_near, body, distance, free_first, joint, momentum, start};
use mbs::declaration::builder::{
    Members, ModelBuilder, bushing, damper, object, prismatic, revolute, spherical, universal, world_force,
};
use mbs::declaration::{Attachment, Bushing, Content, Declaration, DirectionLaw, FreeStart, Gravity};
use mbs::declaration::{ForceElement, ForceKind, Object, PointToPoint};
use mbs::expr::Expr;

/// Largest deviation of the energy from its start on the way to `stop`.
fn energy_drift(model: &Declaration, tolerance: f64, stop: f64) -> f64 {
    let mut run = start(model, tolerance);
    let at_start = run.value("energy.total");
    let mut largest = 0.0_f64;
    for k in 1..=20 {
        let drift = (run.to(stop * f64::from(k) / 20.0).value("energy.total") - at_start).abs();
        assert!(drift.is_finite(), "{}: the energy is not finite", model.name);
        largest = largest.max(drift);
    }
    largest
}

/// The drift shrinks with the tolerance: at least 4 times for every two decades, 10 000 times for six.
fn assert_energy_is_kept(model: &Declaration, stop: f64, final_drift: f64) {
    let drifts = [1e-5, 1e-7, 1e-9, 1e-11].map(|tolerance| energy_drift(model, tolerance, stop));
    assert!(drifts.windows(2).all(|d| d[1] < d[0] / 4.0), "{}: drifts {drifts:?}", model.name);
    assert!(drifts[3] < final_drift && drifts[3] < drifts[0] / 1e4, "{}: drifts {drifts:?}", model.name);
}

#[test]
fn a_double_pendulum_in_space_keeps_its_energy() {
    let inertia = [0.02, 0.03, 0.04, 0.003, -0.002, 0.001];
    let model = ModelBuilder::new("DoublePendulum")
        .gravity([0.0, 0.0, -9.81])
        .object(object("upper").mass(1.0, [0.3, 0.05, 0.0], inertia))
        .object(object("end").on("upper").r([0.6, 0.0, 0.1]).cardan([0.2, 0.4, -0.3]))
        .object(object("lower").mass(0.6, [0.0, 0.3, -0.1], inertia))
        .joint(universal("top", "world", "upper", "y", "x").velocity(0.5).on("w[2]").velocity(1.0))
        .joint(spherical("knee", "end", "lower").on("w[3]").velocity(2.0))
        .build()
        .unwrap();
    assert_energy_is_kept(&model, 2.0, 1e-7);
}

fn tumbling(center: [f64; 3]) -> Declaration {
    ModelBuilder::new("Tumbling")
        .object(
            object("handle")
                .mass(2.0, center, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
                .free_with([0.1, 0.2, 0.3], [1e-3, 4.0, 1e-3]),
        )
        .build()
        .unwrap()
}

/// Rotation about the middle axis is unstable: the body turns over again and again, its momentum does not.
#[test]
fn a_tumbling_body_turns_over_and_keeps_energy_and_momentum() {
    for center in [[0.0; 3], [0.3, -0.2, 0.5]] {
        let model = tumbling(center);
        let mut run = start(&model, 1e-10);
        let (energy, (p, l)) = (run.value("energy.total"), momentum(&mut run));
        let mut turned = 1.0_f64;
        for k in 1..=60 {
            run.to(0.2 * f64::from(k));
            let id = run.simulation.scene().object("handle").unwrap();
            let pose = run.simulation.object_pose(id).unwrap();
            turned = turned.min(pose.rotation[(1, 1)].min((pose.rotation.tr_mul(&l)).normalize().y));
            let (p_now, l_now) = momentum(&mut run);
            assert_near((p_now - p).norm(), 0.0, 1e-6, "change of momentum");
            assert_near((l_now - l).norm(), 0.0, 1e-6, "change of angular momentum");
            assert_near(run.value("energy.total"), energy, 1e-6, "energy");
        }
        assert!(turned < -0.9, "the body did not turn over: {turned}");
        assert_energy_is_kept(&model, 4.0, 1e-8);
    }
}

/// A free body carrying one joint of every type after the other, with springs on all plain coordinates, elements
/// between distant bodies, and a bushing that goes through large angles.
fn menagerie(gravity: Gravity) -> Declaration {
    let mut random = Random::new(5);
    let mut content = Content::default();
    let mut previous = "world".to_owned();
    for (k, kind) in free_first().iter().enumerate() {
        let (name, frame) = (format!("b{k}"), format!("f{k}"));
        let mut object = body(&name, &mut random);
        if *kind == "free" {
            object.attachment = Attachment::Free(FreeStart { v: random.vector(), w: random.vector() });
        } else {
            let mut joint = joint(&format!("j{k}"), kind, &previous, &name, &mut random, *kind != "spherical");
            for dof in &mut joint.dofs {
                (dof.damping, dof.force) = (None, None);
            }
            content.joints.push(joint);
        }
        content.objects.push(object);
        let pose = random.pose();
        content.objects.push(Object { name: frame.clone(), parent: Some(name), pose, ..Object::default() });
        previous = frame;
    }
    let law = |k: f64| DirectionLaw { stiffness: Some(Expr::number(k)), ..DirectionLaw::default() };
    let elastic = ForceKind::Bushing(Bushing {
        from: "f1".into(),
        to: "f4".into(),
        translation: [law(3.0), law(2.0), law(1.0)],
        rotation: [law(0.5), law(0.6), law(0.7)],
    });
    let line = ForceKind::PointToPoint(PointToPoint {
        from: "f2".into(),
        to: "f7".into(),
        stiffness: Some(Expr::number(4.0)),
        rest_length: Some(Expr::number(0.5)),
        ..PointToPoint::default()
    });
    for (name, kind) in [("elastic", elastic), ("line", line)] {
        let (name, description, location) = (name.into(), String::new(), Default::default());
        content.forces.push(ForceElement { name, description, location, kind });
    }
    Declaration { name: "Menagerie".into(), gravity, content, ..Declaration::default() }
}

#[test]
fn a_chain_of_all_joint_types_with_springs_keeps_its_energy() {
    let uniform = Gravity::Uniform([0.3, -2.0, 0.5].map(Expr::number));
    assert_energy_is_kept(&menagerie(uniform), 1.0, 1e-7);
}

#[test]
fn a_free_chain_of_all_joint_types_keeps_its_momentum() {
    let mut run = start(&menagerie(Gravity::None), 1e-10);
    let (p, l) = momentum(&mut run);
    for k in 1..=10 {
        let (p_now, l_now) = momentum(run.to(0.1 * f64::from(k)));
        assert_near((p_now - p).norm(), 0.0, 1e-6, "change of momentum");
        assert_near((l_now - l).norm(), 0.0, 1e-6, "change of angular momentum");
    }
}

#[test]
fn gravity_changes_the_momentum_by_weight_times_time() {
    let g = [0.3, -2.0, 0.5];
    let mut run = start(&menagerie(Gravity::Uniform(g.map(Expr::number))), 1e-10);
    let mass: f64 = run.simulation.scene().objects.iter().map(|(_, object)| object.mass.mass).sum();
    let (p, _) = momentum(&mut run);
    let (p_now, _) = momentum(run.to(1.0));
    assert!((p_now - p - mass * mbs::math::Vec3::from(g)).norm() < 1e-6);
}

/// Two free bodies joined by an undamped bushing that turns through almost half a revolution and back.
#[test]
fn a_bushing_keeps_energy_and_momentum_at_large_angles() {
    let inertia = [0.3, 0.4, 0.5, 0.05, -0.02, 0.01];
    let model = ModelBuilder::new("Bushing")
        .object(object("a").mass(1.0, [0.1, 0.2, -0.1], inertia).free())
        .object(
            object("b")
                .mass(2.0, [-0.2, 0.1, 0.3], inertia)
                .r([0.3, 0.2, 0.1])
                .free_with([0.5, -0.2, 0.3], [3.0, -0.6, 0.4]),
        )
        .object(object("fa").on("a").r([0.2, 0.1, 0.0]).cardan([0.3, 0.2, 0.1]))
        .object(object("fb").on("b").r([-0.1, 0.1, 0.2]).cardan([-0.4, 0.5, 0.2]))
        .force(
            bushing("elastic", "fa", "fb").translation([5.0, 7.0, 3.0], [0.0; 3]).rotation([0.1, 0.15, 0.12], [0.0; 3]),
        )
        .build()
        .unwrap();
    assert_energy_is_kept(&model, 3.0, 1e-8);
    let mut run = start(&model, 1e-10);
    let (p, l) = momentum(&mut run);
    let mut largest = 0.0_f64;
    for k in 1..=30 {
        run.to(0.1 * f64::from(k));
        let pose = |run: &mut crate::support::Run, name: &str| {
            let id = run.simulation.scene().object(name).unwrap();
            run.simulation.object_pose(id).unwrap()
        };
        let relative = pose(&mut run, "fa").inverse() * pose(&mut run, "fb");
        largest = largest.max(mbs::math::rotation_vector(&relative.rotation).norm());
        let (p_now, l_now) = momentum(&mut run);
        assert_near((p_now - p).norm() + (l_now - l).norm(), 0.0, 1e-7, "change of momentum");
    }
    assert!(largest > 1.5 && largest < 3.1, "largest angle {largest}: the test needs a large one");
}

#[test]
fn an_orbit_keeps_energy_and_angular_momentum() {
    let model = ModelBuilder::new("Orbit")
        .point_gravity(2.0, [0.0; 3])
        .object(
            object("moon")
                .mass(1.5, [0.0; 3], [0.2, 0.3, 0.4, 0.0, 0.0, 0.0])
                .r([1.0, 0.0, 0.0])
                .free_with([0.1, 1.2, 0.5], [0.3, 0.2, 0.1]),
        )
        .build()
        .unwrap();
    assert_energy_is_kept(&model, 8.0, 1e-7);
    let mut run = start(&model, 1e-10);
    let (_, l) = momentum(&mut run);
    let (_, l_now) = momentum(run.to(8.0));
    assert_near((l_now - l).norm(), 0.0, 1e-6, "change of angular momentum");
}

/// A machine with a drive, a prescribed motion, damping in joints and elements, and a force from outside.
fn machine() -> Declaration {
    let inertia = [0.3, 0.4, 0.5, 0.05, -0.02, 0.01];
    ModelBuilder::new("Machine")
        .gravity([0.0, 0.0, -9.81])
        .object(object("turret").mass(3.0, [0.0, 0.1, 0.2], inertia))
        .object(object("arm").mass(1.0, [0.4, 0.0, 0.0], inertia))
        .object(object("slider").mass(0.5, [0.0, 0.1, 0.0], inertia))
        .object(object("tip").on("slider").r([0.2, 0.3, 0.1]).expose(true))
        .joint(revolute("base", "world", "turret", "z").motion("0.8*sin(2*time)"))
        .joint(revolute("lift", "turret", "arm", "y").position(-0.3).damping(0.7).force("6*cos(3*time) - 2*w"))
        .joint(prismatic("reach", "arm", "slider", "x").position(0.5).spring(40.0, 0.6).friction(0.8, 0.05))
        .force(damper("shock", "world", "tip", 1.1).rest_length(1.0))
        .force(world_force("push", "tip", ("3*sin(time)", 1.0, 0.0), ("0.2", "0.1*time", 0.0)))
        .build()
        .unwrap()
}

/// Power of everything that is not stored as kinetic or potential energy \[W\].
fn power(run: &mut crate::support::Run) -> f64 {
    let t = run.simulation.time();
    let (base_w, lift_w, reach_v) = (run.value("base.w"), run.value("lift.w"), run.value("reach.v"));
    let (r, v, w) = (run.vector("tip.r_abs"), run.vector("tip.v_abs"), run.vector("tip.w_abs"));
    let rate = r.normalize().dot(&v);
    run.value("base.tau") * base_w + (6.0 * (3.0 * t).cos() - 2.0 * lift_w) * lift_w
        - 0.7 * lift_w * lift_w
        - 0.8 * (reach_v / 0.05).tanh() * reach_v
        - 1.1 * rate * rate
        + (3.0 * t.sin() * v.x + v.y)
        + (0.2 * w.x + 0.1 * t * w.y)
}

#[test]
fn the_energy_changes_by_the_power_of_drives_dampers_and_forces() {
    let mut run = start(&machine(), 1e-11);
    let h = 1e-3;
    for t in [0.2, 0.5, 0.9, 1.4] {
        let before = run.to(t - h).value("energy.total");
        run.to(t);
        let power = power(&mut run);
        let after = run.to(t + h).value("energy.total");
        let rate = (after - before) / (2.0 * h);
        assert_near(rate, power, 2e-4 * (1.0 + power.abs()), "rate of energy");
    }
}

#[test]
fn reading_variables_between_steps_does_not_change_the_motion() {
    let (mut silent, mut watched) = (start(&machine(), 1e-7), start(&machine(), 1e-7));
    let names: Vec<String> = watched.names().iter().map(|&name| name.to_owned()).collect();
    for k in 1..=40 {
        let t = 0.025 * f64::from(k);
        silent.to(t);
        watched.to(t);
        for name in &names {
            watched.value(name);
        }
    }
    assert_eq!(distance(silent.simulation.state(), watched.simulation.state()), 0.0);
    assert_eq!(silent.simulation.statistics(), watched.simulation.statistics());
}
