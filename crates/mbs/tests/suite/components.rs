//! Newton's matrix of mechanics and components together against dense differences of the residual, and consistent
//! starts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::{Idle, Random, Run, error_message};
use mbs::component_system::ComponentSystem;
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    Members, ModelBuilder, component, input, motion_sensor, object, prismatic, revolute, spring, world_force,
};
use mbs::dynamics::Evaluator;
use mbs::elaboration::elaborate;
use mbs::force::Signals;
use mbs::topology::{Topology, compile};
use nalgebra::{DMatrix, DVector};

struct Case {
    topology: Topology,
    evaluator: Evaluator,
    signals: Signals,
    y: Vec<f64>,
    yp: Vec<f64>,
}

fn case(declaration: &Declaration) -> Case {
    let scene = elaborate(declaration, &[]).unwrap_or_else(|errors| panic!("{errors:?}"));
    let topology = compile(&scene).expect("compiles");
    let mut evaluator = Evaluator::new(&topology);
    let mut signals = scene.signals.clone();
    let (system, x) = ComponentSystem::new(&scene, &topology).expect("connects");
    evaluator.set_components(&topology, system, &signals);
    let mut random = Random::new(5);
    let n = topology.num_variables() + x.len();
    let y = (0..n).map(|_| random.number()).collect();
    let yp = (0..n).map(|_| random.number()).collect();
    signals.set_time(0.7);
    Case { topology, evaluator, signals, y, yp }
}

impl Case {
    fn residual(&mut self, y: &[f64], yp: &[f64]) -> DVector<f64> {
        let mut r = DVector::zeros(y.len());
        self.evaluator.residual(&self.topology, y, yp, &mut self.signals, r.as_mut_slice());
        r
    }

    fn dense_jacobian(&mut self, c_j: f64) -> DMatrix<f64> {
        let n = self.y.len();
        let mut jacobian = DMatrix::zeros(n, n);
        for k in 0..n {
            let h = 1e-6;
            let mut at = |s: f64| {
                let (mut y, mut yp) = (self.y.clone(), self.yp.clone());
                y[k] += s;
                yp[k] += c_j * s;
                self.residual(&y, &yp)
            };
            jacobian.set_column(k, &((at(h) - at(-h)) / (2.0 * h)));
        }
        jacobian
    }

    fn check_newton(&mut self) {
        for c_j in [1.0, 37.0, 1e4] {
            let jacobian = self.dense_jacobian(c_j);
            let mut random = Random::new(3);
            let b = DVector::from_fn(self.y.len(), |_, _| random.number());
            let mut x = b.clone();
            let (y, yp) = (self.y.clone(), self.yp.clone());
            self.evaluator.linearize(&self.topology, c_j, &y, &yp, &mut self.signals).expect("regular");
            self.evaluator.solve(&self.topology, x.as_mut_slice());
            let error = (&jacobian * &x - &b).amax() / (1.0 + jacobian.amax() * x.amax());
            assert!(error < 2e-6, "c_j {c_j}: error {error:e}\n{jacobian}");
        }
    }

    fn check_start(&mut self) {
        let (mut y, mut yp) = (self.y.clone(), self.yp.clone());
        self.evaluator.consistent(&self.topology, &mut y, &mut yp, &mut self.signals).expect("consistent");
        let differential = self.evaluator.components.differential();
        for (k, (new, old)) in y.iter().zip(&self.y).enumerate() {
            let own = k.checked_sub(self.topology.num_variables());
            assert!(own.is_some_and(|own| !differential[own]) || new == old, "variable {k} has changed");
        }
        let residual = self.residual(&y, &yp).rows(self.topology.num_q, y.len() - self.topology.num_q).amax();
        assert!(residual < 1e-8 * (1.0 + yp.iter().fold(0.0, |m: f64, x| m.max(x.abs()))), "{residual:e}");
    }
}

/// Two links with drives, a third body on its own, and signals across.
fn robot() -> ModelBuilder {
    let link = |name: &str| object(name).point_mass(1.3);
    ModelBuilder::new("Robot")
        .gravity([0.0, -9.81, 0.0])
        .input(input("u"))
        .object(link("a"))
        .object(object("a_end").on("a").r((0.4, 0.0, 0.1)))
        .object(object("a_mass").on("a").r((0.3, 0.2, 0.1)).point_mass(0.7))
        .object(link("b"))
        .object(object("b_mass").on("b").r((0.2, 0.3, 0.0)).point_mass(0.4))
        .object(link("c"))
        .joint(revolute("j1", "world", "a", "z"))
        .joint(revolute("j2", "a_end", "b", (0.3, 1.0, 0.2)))
        .joint(prismatic("j3", "world", "c", "x"))
}

fn driven_robot() -> ModelBuilder {
    robot()
        .component(component("reference", "sine").set("frequency", 0.3))
        .component(component("filter", "first-order").set("u", "reference.y + 0.1*j3.s").set("T", 0.4))
        .component(
            component("servo", "p-pi")
                .set("reference", "filter.y")
                .set("phi", "motor.phi/20")
                .set("w", "j1.w")
                .set("k1", 3.0)
                .set("k2", 2.0)
                .set("T2", 0.5),
        )
        .component(
            component("motor", "dc-motor")
                .set("v", "servo.y + 0.2*j2.w")
                .set("R", 0.4)
                .set("L", 0.1)
                .set("k", 0.7)
                .set("J", 0.02),
        )
        .component(component("gear", "gear").set("ratio", 20.0).connect("a", "motor").connect("b", "j1"))
        .component(component("wheel", "inertia").set("J", 0.3).connect("flange", "soft.b"))
        .component(component("soft", "spring-damper").set("stiffness", 5.0).set("damping", 0.2).connect("a", "j2"))
        .component(component("link", "spring-damper").set("stiffness", 4.0).set("damping", 0.3).connect("a", "j1"))
        .component(component("rack", "gear").set("ratio", 1.0).connect("a", "link.b").connect("b", "j3"))
        .component(component("push", "force").set("f", "2*filter.y - 0.3*j1.phi*j2.w").connect("flange", "j3"))
}

#[test]
fn newton_matrix_of_drives_and_signals_is_that_of_the_residual() {
    let mut case = case(&driven_robot().build().unwrap());
    case.check_newton();
    case.check_start();
}

#[test]
fn newton_matrix_with_a_force_law_that_reads_components_and_other_joints_is_that_of_the_residual() {
    let model = driven_robot()
        .object(object("anchor").fixed().r((1.0, 1.0, 1.0)))
        .force(spring("pull", "anchor", "b", 3.0).rest_length(0.5))
        .force(world_force("thrust", "b", ("filter.y^2", "j3.s", "sin(j1.phi)*motor.i"), [0.0; 3]));
    let mut case = case(&model.build().unwrap());
    case.check_newton();
    case.check_start();
}

#[test]
fn newton_matrix_with_motions_of_bodies_that_components_and_forces_read_is_that_of_the_residual() {
    let model = driven_robot()
        .object(object("ball").mass(0.8, [0.1, 0.0, 0.2], [0.3, 0.4, 0.5, 0.0, 0.1, 0.0]).r((0.2, 0.1, 0.5)).free())
        .sensor(motion_sensor("gauge", "b_mass").relative_to("ball").resolved_in("a_end"))
        .force(world_force("pull", "ball", ("gauge.r[1]", "2*b_mass.v_abs[2]", "follow.y"), [0.0; 3]))
        .component(component("follow", "first-order").set("u", "gauge.v[3] + ball.w_abs[2]").set("T", 0.3))
        .component(component("turn", "torque").set("tau", "ball.quaternion[3]*gauge.w[2]").connect("flange", "j2"));
    let mut case = case(&model.build().unwrap());
    case.check_newton();
    case.check_start();
}

#[test]
fn newton_matrix_of_an_algebraic_loop_is_that_of_the_residual() {
    let model = driven_robot()
        .component(component("plus", "sum").set("u1", "j1.phi + u").set("u2", "minus.y"))
        .component(component("minus", "gain").set("k", -0.6).set("u", "plus.y + 0.2*motor.i"))
        .component(component("turn", "torque").set("tau", "plus.y").connect("flange", "j2"));
    let mut case = case(&model.build().unwrap());
    case.check_newton();
    case.check_start();
}

#[test]
fn separate_mechanisms_share_the_solves_of_their_responses() {
    let mut model = ModelBuilder::new("Many");
    for k in 0..20 {
        let (body, joint) = (format!("b{k}"), format!("j{k}"));
        model = model
            .object(object(&body).point_mass(1.0))
            .object(object(format!("m{k}")).on(&body).r((0.3, 0.0, 0.0)).point_mass(1.0))
            .joint(revolute(&joint, "world", &body, "z"))
            .component(component(&format!("d{k}"), "damper").set("damping", 0.1).connect("a", &joint));
    }
    let mut case = case(&model.build().unwrap());
    case.check_newton();
    case.check_start();
}

#[test]
fn a_motor_geared_to_a_joint_adds_its_inertia_by_the_square_of_the_ratio() {
    let model = robot()
        .component(component("rotor", "inertia").set("J", 0.01))
        .component(component("gear", "gear").set("ratio", 30.0).connect("a", "rotor").connect("b", "j3"))
        .component(component("drive", "torque").set("tau", 2.0).connect("flange", "rotor"));
    let mut run = Run::new(&model.build().unwrap(), Idle, 1e-6);
    let acceleration = run.value("der(j3.v)");
    assert!((acceleration - 60.0 / (1.3 + 9.0)).abs() < 1e-12, "{acceleration}");
    assert_eq!(run.value("number_of_states"), 6.0, "the rotor has no states of its own");
}

#[test]
fn wrong_connections_are_refused_with_the_component_and_a_hint() {
    let refuse = |model: ModelBuilder| error_message(&model.build().unwrap());
    let motor = |flange: &str| component("m", "torque").set("tau", 1.0).connect("flange", flange);
    let message = refuse(robot().component(motor("j4")));
    assert!(
        message.contains("component `m`") && message.contains("`j4`") && message.contains("did you mean"),
        "{message}"
    );
    let message = refuse(robot().component(motor("j1").set("speed", 2.0)));
    assert!(message.contains("type `torque` has no `speed`"), "{message}");
    let message = refuse(robot().component(component("g", "gian").set("u", 1.0)));
    assert!(message.contains("did you mean `gain`?"), "{message}");
    let message = refuse(robot().component(component("g", "gain").set("k", 1.0).set("u", "a_end.v_abs[4]")));
    assert!(message.contains("`a_end.v_abs[4]`") && message.contains("did you mean `a_end.v_abs["), "{message}");
    let message = refuse(robot().component(component("g", "gain").set("k", 1.0)));
    assert!(message.contains("component `g`: u must be connected"), "{message}");
    let message =
        refuse(robot().component(component("g", "gear").set("ratio", 2.0).connect("a", "j1").connect("b", "j2")));
    assert!(message.contains("rigidly couples `j1` with `j2`"), "{message}");
    let message = refuse(robot().component(component("s", "spring").set("stiffness", 2.0).connect("b", "j2")));
    assert!(message.contains("`s.a` moves without inertia"), "{message}");
    let message = refuse(robot().component(component("t", "first-order").set("u", 1.0).set("T", -1.0)));
    assert!(message.contains("`T` is -1 s, but must be above zero"), "{message}");
}

#[test]
fn a_singular_algebraic_loop_is_named() {
    let model = robot()
        .component(component("one", "gain").set("k", 1.0).set("u", "two.y + 1"))
        .component(component("two", "gain").set("k", 1.0).set("u", "one.y"));
    let message = error_message(&model.build().unwrap());
    assert!(message.contains("`one.y`") && message.contains("algebraic loop"), "{message}");
}
