//! The same system described in another way moves in the same way.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Random, assert_near, distance, random_tree, start};
use mbs::declaration::builder::{Members, ModelBuilder, cuboid, fixed, object, revolute, spherical};
use mbs::declaration::{
    Attachment, Declaration, Dof, ForceKind, Gravity, Joint, JointKind, MassDeclaration, Object, Pose, Rotation, Vector,
};
use mbs::expr::Expr;
use mbs::math::{Mat3, Pose as X, Quaternion, Vec3, rotation_about};

const TOLERANCE: f64 = 1e-9;
const STOP: f64 = 0.5;

/// Positions of all bodies and frames at the end, in the order of their names, seen from an object.
fn final_positions(model: &Declaration, seen_from: &str) -> Vec<(String, Vec3)> {
    let mut run = start(model, TOLERANCE);
    run.to(STOP);
    let ids: Vec<_> = run.simulation.scene().objects.iter().map(|(id, object)| (object.path.clone(), id)).collect();
    let observer = run.simulation.scene().object(seen_from).unwrap();
    let observer = run.simulation.object_pose(observer).unwrap().inverse();
    let mut positions: Vec<_> = ids
        .into_iter()
        .map(|(path, id)| (path, (observer * run.simulation.object_pose(id).unwrap()).translation))
        .filter(|(path, _)| path.starts_with(['b', 'f']))
        .collect();
    positions.sort_by(|a, b| a.0.cmp(&b.0));
    positions
}

fn assert_same_motion(a: &[(String, Vec3)], b: &[(String, Vec3)], what: &str) {
    assert_eq!(a.len(), b.len());
    assert!(!a.is_empty());
    for ((name, a), (other, b)) in a.iter().zip(b) {
        assert_eq!(name, other);
        let error = (a - b).norm() / (1.0 + a.norm());
        assert!(error < 3e-6, "{what}: {name} is at {a:?} and {b:?}, {error:e} apart");
    }
}

fn numbers(v: &Vector) -> Vec3 {
    Vec3::from_fn(|k, _| v[k].as_constant().unwrap())
}

fn vector(v: Vec3) -> Vector {
    [v.x, v.y, v.z].map(Expr::number)
}

fn cardan(v: &Vector) -> Mat3 {
    let a = numbers(v);
    rotation_about(&Vec3::x(), a.x) * rotation_about(&Vec3::y(), a.y) * rotation_about(&Vec3::z(), a.z)
}

/// Everything that hung on the world hangs on `scene`, a frame at a pose of its own; gravity turns with it.
fn moved(model: &Declaration, pose: &Pose) -> Declaration {
    let mut model = model.clone();
    let rename = |name: &mut String| {
        if name == "world" {
            *name = "scene".to_owned();
        }
    };
    for object in &mut model.content.objects {
        object.parent.iter_mut().for_each(rename);
    }
    for joint in &mut model.content.joints {
        rename(&mut joint.from);
        rename(&mut joint.to);
    }
    for force in &mut model.content.forces {
        match &mut force.kind {
            ForceKind::World(force) => drop(force.resolved_in.get_or_insert("scene".to_owned())),
            ForceKind::PointToPoint(line) => rename(&mut line.to),
            ForceKind::Bushing(bushing) => rename(&mut bushing.to),
        }
    }
    let Rotation::Cardan(angles) = &pose.rotation else { panic!("Cardan angles") };
    if let Gravity::Uniform(g) = &mut model.gravity {
        *g = vector(cardan(angles) * numbers(g));
    }
    model.content.objects.push(Object { name: "scene".into(), pose: pose.clone(), ..Object::default() });
    model
}

#[test]
fn a_scene_turned_and_shifted_as_a_whole_moves_the_same_way() {
    for seed in 0..12 {
        let model = random_tree(seed, 5, true);
        let pose = Random::new(seed + 40).pose();
        let (plain, turned) = (final_positions(&model, "world"), final_positions(&moved(&model, &pose), "scene"));
        assert_same_motion(&plain, &turned, &format!("seed {seed}"));
    }
}

#[test]
fn the_order_of_declarations_does_not_matter() {
    for seed in 20..32 {
        let model = random_tree(seed, 5, true);
        let mut shuffled = model.clone();
        let mut random = Random::new(seed);
        let content = &mut shuffled.content;
        for k in (1..content.objects.len()).rev() {
            content.objects.swap(k, random.below(k + 1));
        }
        for k in (1..content.joints.len()).rev() {
            content.joints.swap(k, random.below(k + 1));
        }
        content.forces.reverse();
        let (plain, other) = (final_positions(&model, "world"), final_positions(&shuffled, "world"));
        assert_same_motion(&plain, &other, &format!("seed {seed}"));
    }
}

/// The joint from `to` to `from` whose start and laws describe the same motion.
fn swapped(joint: &Joint) -> Joint {
    let mut other = joint.clone();
    std::mem::swap(&mut other.from, &mut other.to);
    let negated = |v: &Vector| vector(-numbers(v));
    let start =
        |k: usize| (joint.dofs[k].position.as_constant().unwrap(), joint.dofs[k].velocity.as_constant().unwrap());
    match &mut other.kind {
        JointKind::Fixed => {}
        JointKind::Revolute { axis }
        | JointKind::Prismatic { axis }
        | JointKind::Screw { axis, .. }
        | JointKind::Cylindrical { axis } => *axis = negated(axis),
        JointKind::Universal { axes } => {
            *axes = [negated(&axes[1]), negated(&axes[0])];
            other.dofs.reverse();
        }
        JointKind::Planar { .. } => {
            let ((x, vx), (y, vy), (phi, w)) = (start(0), start(1), start(2));
            let (s, c) = phi.sin_cos();
            let place = (-(c * x + s * y), -(c * y - s * x));
            let rate = (-(c * vx + s * vy) + w * place.1, -(c * vy - s * vx) - w * place.0);
            let dof = |x: f64, v: f64| Dof { position: Expr::number(x), velocity: Expr::number(v), ..Dof::default() };
            other.dofs = vec![dof(place.0, rate.0), dof(place.1, rate.1), dof(-phi, -w)];
        }
        JointKind::Spherical | JointKind::Free => swap_ball(joint, &mut other),
    }
    other
}

fn swap_ball(joint: &Joint, other: &mut Joint) {
    let Rotation::Cardan(angles) = &joint.rotation else { panic!("Cardan angles") };
    let r = cardan(angles);
    let back = Quaternion::from_matrix(&r.transpose()).to_array();
    other.rotation = Rotation::Quaternion(back.map(Expr::number));
    let velocity = |first: usize| Vec3::from_fn(|k, _| joint.dofs[first + k].velocity.as_constant().unwrap());
    let mut set = |first: usize, position: Vec3, velocity: Vec3| {
        for k in 0..3 {
            other.dofs[first + k].position = Expr::number(position[k]);
            other.dofs[first + k].velocity = Expr::number(velocity[k]);
        }
    };
    let w = velocity(0);
    set(0, Vec3::zeros(), -(r.transpose() * w));
    if joint.kind == JointKind::Free {
        let p = Vec3::from_fn(|k, _| joint.dofs[3 + k].position.as_constant().unwrap());
        set(3, -(r.transpose() * p), -(r.transpose() * (velocity(3) - w.cross(&p))));
    }
}

#[test]
fn every_joint_declared_the_other_way_round_gives_the_same_motion() {
    for seed in 40..64 {
        let model = random_tree(seed, 5, false);
        let mut other = model.clone();
        for joint in &mut other.content.joints {
            *joint = swapped(joint);
        }
        let (plain, swapped) = (final_positions(&model, "world"), final_positions(&other, "world"));
        assert_same_motion(&plain, &swapped, &format!("seed {seed}"));
    }
}

/// Springs, dampers, drives and motions keep their meaning when a joint with one axis is declared from the other side.
#[test]
fn laws_and_motions_on_joints_do_not_depend_on_the_side_from_which_they_are_declared() {
    for seed in 70..82 {
        let mut model = random_tree(seed, 5, true);
        model.content.forces.clear();
        for (k, joint) in model.content.joints.iter_mut().enumerate() {
            if matches!(joint.kind, JointKind::Planar { .. } | JointKind::Spherical | JointKind::Free) {
                joint.kind = JointKind::Revolute { axis: vector(Vec3::new(0.3, 0.4, -0.8)) };
                joint.dofs.truncate(1);
                joint.dofs[0] = Dof { damping: Some(Expr::number(0.2)), ..Dof::default() };
            } else if k % 3 == 0 {
                joint.dofs.iter_mut().take(1).for_each(|dof| {
                    *dof = Dof { motion: Some(Expr::parse("0.2 - time + time^3").unwrap()), ..Dof::default() };
                });
            }
        }
        // The coordinates of a universal joint carry names with indices, which the laws use: none here.
        model.content.joints.iter_mut().flat_map(|joint| &mut joint.dofs).for_each(|dof| {
            dof.force = dof.force.take().filter(|force| force.variables().iter().all(|v| v.name == "time"));
        });
        let mut other = model.clone();
        for joint in &mut other.content.joints {
            *joint = swapped(joint);
        }
        let (plain, swapped) = (final_positions(&model, "world"), final_positions(&other, "world"));
        assert_same_motion(&plain, &swapped, &format!("seed {seed}"));
    }
}

/// Damping that is the same about all axes does not care which body hangs on which.
#[test]
fn an_evenly_damped_ball_joint_may_point_either_way() {
    let end = |from: &str, to: &str, sign: f64| {
        let mut ball = spherical("ball", from, to);
        for (axis, speed) in [("w[1]", 1.0), ("w[2]", -2.0), ("w[3]", 0.5)] {
            ball = ball.on(axis).velocity(sign * speed).damping(3.0);
        }
        let rod = cuboid([0.1, 0.2, 0.8]).r([0.0, 0.3, -0.4]).density(1000.0);
        let model = ModelBuilder::new("Ball").gravity([0.0, 0.0, -9.81]).object(object("rod").solid(rod)).joint(ball);
        let mut run = start(&model.build().unwrap(), TOLERANCE);
        let energy = run.value("energy.total");
        run.to(2.0);
        assert!(run.value("energy.total") < energy - 1.0, "damping takes energy");
        run.vector("rod.w_abs")
    };
    assert_near((end("world", "rod", 1.0) - end("rod", "world", -1.0)).norm(), 0.0, 1e-6, "angular velocity");
}

/// One body in one piece, and the same body as a tree of rigid parts held in the middle of it.
#[test]
fn a_body_split_into_rigid_parts_moves_like_the_whole() {
    let base = || ModelBuilder::new("Parts").gravity([0.4, -9.81, 1.0]);
    let hinge = |from: &str, to: &str| spherical("hinge", from, to).on("w[1]").velocity(1.0).on("w[2]").velocity(-2.0);
    let half = || cuboid([0.4, 0.1, 0.2]).density(1000.0);
    let whole = base()
        .object(object("body").solid(cuboid([0.8, 0.1, 0.2]).r([0.4, 0.0, 0.0]).density(1000.0)))
        .object(object("far_end").on("body").r([0.8, 0.0, 0.0]))
        .joint(hinge("world", "body"))
        .build()
        .unwrap();
    let by_placement = base()
        .object(object("near").solid(half().r([0.2, 0.0, 0.0])))
        .object(object("elbow").on("near").r([0.4, 0.0, 0.0]).cardan([0.5, -0.7, 1.1]))
        .object(object("turned_back").on("elbow").quaternion(inverse_quaternion([0.5, -0.7, 1.1])))
        .object(object("far").on("turned_back").turned("x", std::f64::consts::PI).solid(half().r([0.2, 0.0, 0.0])))
        .object(object("far_end").on("turned_back").r([0.4, 0.0, 0.0]))
        .joint(hinge("world", "near"))
        .build()
        .unwrap();
    let by_fixed_joints = base()
        .object(object("far").solid(half().r([0.2, 0.0, 0.0])))
        .object(object("near").solid(half().r([0.2, 0.0, 0.0])))
        .object(object("near_end").on("near").r([0.4, 0.0, 0.0]))
        .object(object("far_end").on("far").r([0.4, 0.0, 0.0]))
        .joint(fixed("weld", "far", "near_end"))
        .joint(hinge("world", "near"))
        .build()
        .unwrap();
    let end = |model: &Declaration| {
        let mut run = start(model, 1e-10);
        run.to(1.0);
        let id = run.simulation.scene().object("far_end").unwrap();
        (run.simulation.object_pose(id).unwrap().translation, run.value("energy.kinetic"))
    };
    let (expected, kinetic) = end(&whole);
    for (name, model) in [("placement", by_placement), ("fixed joints", by_fixed_joints)] {
        let (found, energy) = end(&model);
        assert_near((found - expected).norm(), 0.0, 1e-8, name);
        assert_near(energy, kinetic, 1e-6, name);
    }
}

fn inverse_quaternion(angles: [f64; 3]) -> [f64; 4] {
    Quaternion::from_matrix(&cardan(&angles.map(Expr::number)).transpose()).to_array()
}

/// A carrier that stands still may be a body of its own, a frame of the world, or anything between.
#[test]
fn a_free_body_moves_the_same_way_whatever_resting_parent_it_is_declared_on() {
    let mut random = Random::new(3);
    let pose = random.pose();
    let Rotation::Cardan(angles) = &pose.rotation else { panic!("Cardan angles") };
    let x = X { rotation: cardan(angles), translation: numbers(&pose.r) };
    let (v, w) = (Vec3::new(0.3, -0.2, 0.5), Vec3::new(1.0, 2.0, -0.5));
    let inertia = [0.9, 1.1, 1.3, 0.05, -0.1, 0.08].map(Expr::number);
    let mass = MassDeclaration::Given { m: Expr::number(1.2), center: vector(Vec3::new(0.1, 0.2, 0.3)), inertia };
    let body = |parent: Option<&str>, v: Vec3, w: Vec3, pose: Pose| Object {
        name: "body".into(),
        parent: parent.map(str::to_owned),
        attachment: Attachment::Free(mbs::declaration::FreeStart { v: vector(v), w: vector(w) }),
        mass: Some(mass.clone()),
        pose,
        ..Object::default()
    };
    let gravity = Gravity::Uniform(vector(Vec3::new(0.0, -9.81, 0.0)));
    let model = |objects: Vec<Object>| Declaration {
        name: "Rest".into(),
        gravity: gravity.clone(),
        content: mbs::declaration::Content { objects, ..Default::default() },
        ..Declaration::default()
    };
    let plain = model(vec![body(None, x.rotation * v, x.rotation * w, pose.clone())]);
    let shelf = Object { name: "shelf".into(), pose, ..Object::default() };
    let on_shelf = model(vec![shelf, body(Some("shelf"), v, w, Pose::default())]);
    assert_same_motion(&final_positions(&plain, "world"), &final_positions(&on_shelf, "world"), "shelf");
}

/// Two hinges about one axis in a row turn by the sum: the same as one.
#[test]
fn a_motion_given_in_two_parts_is_their_sum() {
    let arm = || object("body").mass(1.0, [0.5, 0.0, 0.0], [0.1, 0.2, 0.3, 0.0, 0.0, 0.0]);
    let swing = || revolute("swing", "body", "bob", "x").velocity(1.0);
    let bob = || object("bob").mass(0.4, [0.0, 0.3, 0.2], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let once = ModelBuilder::new("Once")
        .object(arm())
        .object(bob())
        .joint(revolute("a", "world", "body", "z").motion("sin(time) + time^2"))
        .joint(swing())
        .build()
        .unwrap();
    let twice = ModelBuilder::new("Twice")
        .object(object("between"))
        .object(arm())
        .object(bob())
        .joint(revolute("a", "world", "between", "z").motion("sin(time)"))
        .joint(revolute("b", "between", "body", "z").motion("time^2"))
        .joint(swing())
        .build()
        .unwrap();
    let state = |model: &Declaration| start(model, TOLERANCE).to(STOP).simulation.state().to_vec();
    assert_near(distance(&state(&once), &state(&twice)), 0.0, 1e-8, "difference");
}
