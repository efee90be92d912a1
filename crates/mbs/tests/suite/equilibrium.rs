//! Equilibria against closed forms.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use crate::support::{Idle, Run};
use mbs::declaration::builder::{
    Members, ModelBuilder, component, cuboid, half_space, input, object, prismatic, revolute, sphere, spring,
};
use mbs::declaration::{Declaration, StartKind};
use mbs::simulation::{CoordinateRole, Equilibrium, EquilibriumRequest, Simulation, SimulationError};
use mbs::solid::Axis;
use mbs::variables::degrees_of_freedom;

const G: f64 = 9.81;

fn run(model: &Declaration) -> Run {
    Run::new(model, Idle, 1e-8)
}

fn rest(run: &mut Run) -> Equilibrium {
    try_rest(run, &EquilibriumRequest::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn try_rest(run: &mut Run, request: &EquilibriumRequest) -> Result<Equilibrium, SimulationError> {
    run.simulation.find_equilibrium(request, &mut |_| Ok(Vec::new()))
}

fn dof(simulation: &Simulation, name: &str) -> usize {
    let all = degrees_of_freedom(simulation.scene(), simulation.topology());
    all.iter().position(|dof| dof.is_called(name)).unwrap_or_else(|| panic!("no coordinate {name}"))
}

fn role(found: &Equilibrium, name: &str) -> CoordinateRole {
    let at = found.coordinates.iter().find(|at| at.name.position == name);
    at.unwrap_or_else(|| panic!("no coordinate {name}")).role
}

fn pendulum(phi: f64) -> ModelBuilder {
    ModelBuilder::new("Pendulum")
        .gravity([0.0, -G, 0.0])
        .object(object("rod").mass(2.0, [0.0, -0.5, 0.0], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "rod", [0.0, 0.0, 1.0]).position(phi))
}

#[test]
fn a_pendulum_hangs_down_from_wherever_it_falls() {
    for phi in [0.3, 1.2, -1.4] {
        let mut run = run(&pendulum(phi).build().unwrap());
        rest(&mut run);
        assert!(run.value("hinge.phi").abs() < 1e-12, "from {phi}: {}", run.value("hinge.phi"));
    }
}

#[test]
fn the_nearest_equilibrium_may_be_unstable() {
    let mut run = run(&pendulum(3.0).build().unwrap());
    rest(&mut run);
    assert!((run.value("hinge.phi") - std::f64::consts::PI).abs() < 1e-12);
}

#[test]
fn a_horizontal_pendulum_falls() {
    // The derivative of its acceleration is zero there, so that Newton's method has no step.
    let mut run = run(&pendulum(std::f64::consts::FRAC_PI_2).build().unwrap());
    let found = rest(&mut run);
    assert!(run.value("hinge.phi").abs() < 1e-12, "{}", run.value("hinge.phi"));
    assert!(found.relaxations > 0);
}

#[test]
fn a_mass_hangs_on_its_spring() {
    let model = ModelBuilder::new("Sag")
        .gravity([0.0, -G, 0.0])
        .object(object("bob").mass(3.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .joint(prismatic("slider", "world", "bob", [0.0, 1.0, 0.0]).position(0.2).velocity(4.0).spring(200.0, 0.0));
    let mut run = run(&model.build().unwrap());
    let found = rest(&mut run);
    assert!((run.value("slider.s") + 3.0 * G / 200.0).abs() < 1e-14);
    assert_eq!(run.value("slider.v"), 0.0);
    assert_eq!(role(&found, "slider.s"), CoordinateRole::Found);
    assert!(found.largest_acceleration() < 1e-12);
}

fn ball(height: f64, slope: f64) -> Run {
    let floor = half_space(Axis::Y).material("Steel").collides();
    let model = ModelBuilder::new("Ball")
        .gravity([0.0, -G, 0.0])
        .object(object("floor").fixed().cardan([slope, 0.0, 0.0]).solid(floor))
        .object(object("ball").free().r([0.3, height, 0.1]).solid(sphere(0.1).material("Steel").collides()));
    run(&model.build().unwrap())
}

#[test]
fn a_ball_rests_on_the_floor_in_hertz_depth_and_everything_else_is_indifferent() {
    for height in [0.05 - 1e-7, 0.0499, 0.06, 0.8] {
        let mut run = ball(height, 0.0);
        let found = rest(&mut run);
        let depth = 0.05 - run.value("ball.r_abs[2]");
        let (e, nu, rho): (f64, f64, f64) = (2e11, 0.3, 7800.0);
        let (c, m) = (e / (1.0 - nu * nu) / 2.0, rho * 4.0 / 3.0 * std::f64::consts::PI * 0.05_f64.powi(3));
        let hertz = (m * G / (c * 4.0 / 3.0 * 0.05_f64.sqrt())).powf(2.0 / 3.0);
        assert!((depth / hertz - 1.0).abs() < 0.2, "from {height}: depth {depth:e}, Hertz {hertz:e}");
        assert!(found.largest_acceleration() < 1e-6, "from {height}: {:e}", found.largest_acceleration());
        let held = found.indifferent();
        assert_eq!(
            held,
            ["ball.rotation[1]", "ball.rotation[2]", "ball.rotation[3]", "ball.r_abs[1]", "ball.r_abs[3]"]
        );
        assert_eq!(run.value("ball.r_abs[1]"), 0.3);
    }
}

#[test]
fn a_ball_without_a_floor_cannot_rest() {
    let model = ModelBuilder::new("Falls")
        .gravity([0.0, -G, 0.0])
        .object(object("part").free().solid(sphere(0.1).material("Steel")));
    let mut run = run(&model.build().unwrap());
    let error = try_rest(&mut run, &EquilibriumRequest::default()).unwrap_err().to_string();
    assert!(error.starts_with("`part.r_abs[2]` cannot rest: 9.810 m/s² remains"), "{error}");
    assert_eq!(run.value("part.r_abs[2]"), 0.0);
}

#[test]
fn a_ball_on_a_slope_cannot_rest() {
    let mut run = ball(0.2, 0.5);
    let error = try_rest(&mut run, &EquilibriumRequest::default()).unwrap_err().to_string();
    assert!(error.contains("cannot rest"), "{error}");
}

#[test]
fn a_box_is_set_down_on_its_face() {
    let table = cuboid([1.0, 0.1, 1.0]).material("DryWood").massless().collides();
    let model = ModelBuilder::new("Box")
        .gravity([0.0, -G, 0.0])
        .object(object("table").fixed().r([0.0, -0.05, 0.0]).solid(table))
        .object(
            object("block")
                .free()
                .r([0.0, 0.12, 0.0])
                .cardan([0.05, 0.0, 0.03])
                .solid(cuboid([0.2, 0.2, 0.2]).material("DryWood").collides()),
        );
    let mut run = run(&model.build().unwrap());
    let found = rest(&mut run);
    assert!((run.value("block.r_abs[2]") - 0.1).abs() < 1e-4, "{}", run.value("block.r_abs[2]"));
    assert!(found.largest_acceleration() < 1e-6);
    assert_eq!(found.indifferent().len(), 3, "{:?}", found.indifferent());
}

/// A four-bar linkage with a spring at its crank, whose weight and spring balance.
fn four_bar() -> ModelBuilder {
    let bar = |name: &str| object(name).mass(1.0, [0.5, 0.0, 0.0], [0.01, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let z = [0.0, 0.0, 1.0];
    ModelBuilder::new("FourBar")
        .gravity([0.0, -G, 0.0])
        .object(object("pivot").on("world").r([1.0, 0.0, 0.0]))
        .object(bar("a"))
        .object(bar("b"))
        .object(bar("c"))
        .object(object("a_end").on("a").r([1.0, 0.0, 0.0]))
        .object(object("b_end").on("b").r([1.0, 0.0, 0.0]))
        .object(object("c_end").on("c").r([1.0, 0.0, 0.0]))
        .joint(revolute("crank", "world", "a", z).position(0.7).spring(40.0, 1.0))
        .joint(revolute("coupler", "a_end", "b", z).position(-0.7).position_kind(StartKind::Guess))
        .joint(revolute("rocker", "pivot", "c", z).position(0.7).position_kind(StartKind::Guess))
        .joint(revolute("last", "b_end", "c_end", z))
}

#[test]
fn a_linkage_rests_where_spring_and_weight_balance() {
    let mut run = run(&four_bar().build().unwrap());
    let found = rest(&mut run);
    // A parallelogram: its weight acts like 2 kg at the end of the crank, m g (1/2 + 1 + 1/2) cos phi.
    let phi = run.value("crank.phi");
    let torque = 40.0 * (1.0 - phi) - 2.0 * G * phi.cos();
    assert!(torque.abs() < 1e-9, "{torque:e} N m at {phi} rad");
    assert!((run.value("rocker.phi") - phi).abs() < 1e-9);
    assert_eq!(role(&found, "crank.phi"), CoordinateRole::Found);
    assert_eq!(role(&found, "rocker.phi"), CoordinateRole::Follows);
}

#[test]
fn a_torque_is_trimmed_for_a_pendulum_that_is_held() {
    let model = ModelBuilder::new("Held")
        .gravity([0.0, -G, 0.0])
        .input(input("tau").unit("N.m"))
        .object(object("rod").mass(2.0, [0.0, -0.5, 0.0], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "rod", [0.0, 0.0, 1.0]).position(0.3).force("tau"));
    let mut run = run(&model.build().unwrap());
    let held = vec![dof(&run.simulation, "hinge.phi")];
    let error = try_rest(&mut run, &EquilibriumRequest { held: held.clone(), ..Default::default() }).unwrap_err();
    assert!(error.to_string().contains("`hinge.phi` cannot rest where it is held"), "{error}");
    let found = try_rest(&mut run, &EquilibriumRequest { held, inputs: vec![0], ..Default::default() }).unwrap();
    assert!((found.inputs[0].1 - 2.0 * G * 0.5 * 0.3_f64.sin()).abs() < 1e-12, "{:?}", found.inputs);
    assert_eq!(run.value("hinge.phi"), 0.3);
    // The same by a prescribed value of a coordinate that is free.
    let request = EquilibriumRequest { inputs: vec![0], ..Default::default() };
    let mut phi = run.variables.iter().find(|v| v.name == "hinge.phi").map(|v| v.quantity).into_iter().cycle();
    let found = run
        .simulation
        .find_equilibrium(&request, &mut |simulation| Ok(vec![simulation.value(&phi.next().unwrap())? - 0.5]));
    assert!((found.unwrap().inputs[0].1 - 2.0 * G * 0.5 * 0.5_f64.sin()).abs() < 1e-9);
}

#[test]
fn a_pendulum_on_a_turning_shaft_stands_off() {
    let w = 6.0;
    let model = ModelBuilder::new("Governor")
        .gravity([0.0, -G, 0.0])
        .object(object("shaft").mass(1.0, [0.0; 3], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .object(object("rod").mass(1.0, [0.0, -0.5, 0.0], [1e-9, 1e-9, 1e-9, 0.0, 0.0, 0.0]))
        .joint(revolute("spin", "world", "shaft", [0.0, 1.0, 0.0]).velocity(w))
        .joint(revolute("hinge", "shaft", "rod", [0.0, 0.0, 1.0]).position(0.6));
    let mut run = run(&model.build().unwrap());
    let steady = vec![dof(&run.simulation, "spin.phi")];
    let found = try_rest(&mut run, &EquilibriumRequest { steady, ..Default::default() }).unwrap();
    let cosine = run.value("hinge.phi").cos();
    assert!((cosine - G / (0.5 * w * w)).abs() < 1e-7, "{cosine}");
    assert_eq!(run.value("spin.w"), w);
    assert_eq!(role(&found, "spin.phi"), CoordinateRole::Steady);
}

#[test]
fn an_integrator_finds_what_holds_the_load() {
    let model = ModelBuilder::new("Servo")
        .gravity([0.0, -G, 0.0])
        .object(object("arm").mass(2.0, [0.5, 0.0, 0.0], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "arm", [0.0, 0.0, 1.0]).position(0.2).force("pi.y"))
        .component(component("pi", "pi").set("u", "0.5 - hinge.phi").set("k", 100.0).set("T", 0.5));
    let mut run = run(&model.build().unwrap());
    let found = rest(&mut run);
    assert!((run.value("hinge.phi") - 0.5).abs() < 1e-12);
    assert!((run.value("pi.y") - 2.0 * G * 0.5 * 0.5_f64.cos()).abs() < 1e-9);
    assert_eq!(found.states.len(), 1);
}

#[test]
fn a_ball_rests_between_springs() {
    let model = ModelBuilder::new("Net")
        .gravity([0.0, -G, 0.0])
        .object(object("left").on("world").r([-1.0, 0.0, 0.0]))
        .object(object("right").on("world").r([1.0, 0.0, 0.0]))
        .object(object("bob").free().r([0.1, -0.2, 0.0]).mass(1.0, [0.0; 3], [0.01, 0.01, 0.01, 0.0, 0.0, 0.0]))
        .force(spring("a", "left", "bob", 100.0).rest_length(0.5))
        .force(spring("b", "right", "bob", 100.0).rest_length(0.5));
    let mut run = run(&model.build().unwrap());
    rest(&mut run);
    let y = -run.value("bob.r_abs[2]");
    let length = (1.0 + y * y).sqrt();
    assert!((2.0 * 100.0 * (length - 0.5) * y / length - G).abs() < 1e-9);
    assert!(run.value("bob.r_abs[1]").abs() < 1e-12);
}

/// A four-bar linkage of uniform rods of 0.4, 1 and 0.8 units of length; the pivots are 1.1 units apart.
fn linkage(phi: f64, length: f64, time: f64) -> Declaration {
    let rod = |name: &str, part: f64| {
        let long = part * length;
        let slender = long * long / 12.0;
        object(name).mass(1.0, [long / 2.0, 0.0, 0.0], [slender / 2.0, slender, slender, 0.0, 0.0, 0.0])
    };
    let z = [0.0, 0.0, 1.0];
    ModelBuilder::new("Linkage")
        .gravity([0.0, -G * length / (time * time), 0.0])
        .object(object("pivot").on("world").r([1.1 * length, 0.0, 0.0]))
        .object(rod("crank", 0.4))
        .object(object("tip").on("crank").r([0.4 * length, 0.0, 0.0]))
        .object(rod("coupler", 1.0))
        .object(object("end").on("coupler").r([length, 0.0, 0.0]))
        .object(rod("rocker", 0.8))
        .object(object("top").on("rocker").r([0.8 * length, 0.0, 0.0]))
        .joint(revolute("a", "world", "crank", z).position(phi))
        .joint(revolute("b", "tip", "coupler", z))
        .joint(revolute("c", "pivot", "rocker", z))
        .joint(revolute("d", "end", "top", z))
        .build()
        .unwrap()
}

/// Potential energy of the linkage with its crank held at an angle, in units of its scale.
fn potential(phi: f64, near: &mut f64) -> f64 {
    // The rocker's angle closes the coupler's length: Newton's method from the one before.
    let tip = [0.4 * phi.cos(), 0.4 * phi.sin()];
    let top = |psi: f64| [1.1 + 0.8 * psi.cos(), 0.8 * psi.sin()];
    for _ in 0..50 {
        let [x, y] = [top(*near)[0] - tip[0], top(*near)[1] - tip[1]];
        let slope = 2.0 * (-x * 0.8 * near.sin() + y * 0.8 * near.cos());
        *near -= (x * x + y * y - 1.0) / slope;
    }
    G * (0.5 * tip[1] + 0.5 * (tip[1] + top(*near)[1]) + 0.5 * top(*near)[1])
}

#[test]
fn linkages_rest_where_their_potential_is_least_nearby() {
    for (length, time) in [(1.0, 1.0), (1e3, 1.0), (1e-3, 1.0), (1.0, 1e3), (1.0, 1e-3)] {
        for start in [0.8, 1.2, 2.0, 2.4] {
            let mut run = run(&linkage(start, length, time));
            rest(&mut run);
            let [phi, psi] = ["a.phi", "c.phi"].map(|name| run.value(name));
            let [here, ahead, behind] = [0.0, 1e-3, -1e-3].map(|by| potential(phi + by, &mut psi.clone()));
            let slope = (ahead - behind) / 2e-3;
            let curvature = (ahead - 2.0 * here + behind) / 1e-6;
            let what = format!("length {length}, time {time}, from {start}: {phi} rad");
            assert!(slope.abs() < 1e-4, "{what}: the potential falls by {slope} J/rad");
            assert!(curvature > 0.1, "{what}: the potential has a curvature of {curvature} J/rad²");
        }
    }
}
