//! Work grows in proportion to the size of a model.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::start;
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    AssemblyBuilder, Members, ModelBuilder, bushing, instance, object, parameter, revolute,
};
use mbs::simulation::Statistics;

const INERTIA: [f64; 6] = [0.01, 0.02, 0.02, 0.0, 0.0, 0.0];

fn statistics(model: &Declaration, stop: f64) -> Statistics {
    start(model, 1e-6).to(stop).simulation.statistics()
}

/// `n` links hinged one after the other.
fn chain(n: i32) -> Declaration {
    let link = AssemblyBuilder::new("Link")
        .object(object("body").mass(0.2, [0.05, 0.0, 0.0], INERTIA))
        .object(object("end").on("body").r([0.1, 0.0, 0.0]))
        .joint(revolute("hinge", "origin", "body", (0.0, 0.1, 1.0)).damping(0.05));
    ModelBuilder::new("Chain")
        .gravity([0.0, -9.81, 0.0])
        .assembly(link)
        .instance(instance("link", "Link").count(n).chain("end"))
        .build()
        .unwrap()
}

/// `n` separate pendulums, all alike.
fn pendulums(n: i32) -> Declaration {
    let pendulum = AssemblyBuilder::new("Pendulum")
        .parameter(parameter("start", 1.0))
        .object(object("body").mass(0.2, [0.5, 0.0, 0.0], INERTIA))
        .joint(revolute("hinge", "origin", "body", "z").position("start"));
    ModelBuilder::new("Pendulums")
        .gravity([0.0, -9.81, 0.0])
        .assembly(pendulum)
        .instance(instance("p", "Pendulum").count(n).r((0.0, 0.0, "i")))
        .build()
        .unwrap()
}

/// A hub that carries `n` arms.
fn star(n: i32) -> Declaration {
    let arm = AssemblyBuilder::new("Arm")
        .object(object("body").mass(0.2, [0.1, 0.0, 0.0], INERTIA))
        .joint(revolute("hinge", "origin", "body", "z").velocity(1.0));
    ModelBuilder::new("Star")
        .object(object("hub").mass(5.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]).free())
        .assembly(arm)
        .instance(instance("arm", "Arm").count(n).on("hub").r(("0.01*i", 0.0, 0.0)))
        .build()
        .unwrap()
}

/// Free bodies in a row, each tied to the one before by a bushing.
fn rope(n: i32) -> Declaration {
    let bead = AssemblyBuilder::new("Bead")
        .object(object("body").mass(0.1, [0.0; 3], INERTIA).free())
        .object(object("end").on("body").r([0.1, 0.0, 0.0]));
    let mut model = ModelBuilder::new("Rope")
        .gravity([0.0, -9.81, 0.0])
        .assembly(bead)
        .instance(instance("bead", "Bead").count(n).r(("0.1*i", 0.0, 0.0)));
    for i in 1..n {
        let (from, to) = (format!("bead[{i}].end"), format!("bead[{}].body", i + 1));
        let tie = bushing(&format!("tie{i}"), &from, &to);
        model = model.force(tie.translation([500.0; 3], [1.0; 3]).rotation([5.0; 3], [0.02; 3]));
    }
    model.build().unwrap()
}

#[test]
fn coefficients_of_the_linear_solver_grow_with_the_size_of_the_model_and_no_faster() {
    for (name, model) in
        [("chain", chain as fn(i32) -> Declaration), ("pendulums", pendulums), ("star", star), ("rope", rope)]
    {
        let [ten, hundred, thousand] = [10, 100, 1000].map(|n| start(&model(n), 1e-6).simulation.statistics());
        let per_variable = |small: mbs::simulation::Statistics, large: mbs::simulation::Statistics| {
            (large.jacobian_nonzeros - small.jacobian_nonzeros) as f64 / (large.variables - small.variables) as f64
        };
        let (first, second) = (per_variable(ten, hundred), per_variable(hundred, thousand));
        assert!(second < 1.05 * first, "{name}: {first}, then {second} more coefficients for one more variable");
    }
}

#[test]
fn copies_of_a_model_take_as_many_steps_as_one() {
    let [one, many] = [1, 200].map(|n| statistics(&pendulums(n), 1.0).integrator);
    let counters = |s: mbs::simulation::integrator::IntegratorStatistics| {
        [s.steps, s.residual_evaluations, s.jacobian_evaluations, s.nonlinear_iterations].map(|count| count as f64)
    };
    for (a, b) in counters(one).iter().zip(counters(many)) {
        assert!((b - a).abs() <= 0.1 * a + 3.0, "one: {one:?}, many: {many:?}");
    }
}

#[test]
fn evaluations_do_not_grow_with_the_number_of_bodies_on_a_rope() {
    let [short, long] = [10, 60].map(|n| statistics(&rope(n), 0.05).integrator);
    assert!(long.residual_evaluations < 2 * short.residual_evaluations, "{short:?} {long:?}");
}

#[test]
fn a_long_chain_moves() {
    let mut run = start(&chain(300), 1e-4);
    run.to(0.05);
    assert!(run.value("link[300].body.r_abs[2]") < -1e-3);
    assert!(run.simulation.statistics().integrator.residual_evaluations < 500);
}
