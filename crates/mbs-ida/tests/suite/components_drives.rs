//! Drives and one-dimensional mechanics: analytic motions, energy balances, reflected inertia.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component, object, prismatic, revolute};

fn run(model: ModelBuilder, tolerance: f64) -> Run {
    start(&model.build().unwrap(), tolerance)
}

fn with(model: ModelBuilder, components: impl IntoIterator<Item = ComponentBuilder>) -> ModelBuilder {
    components.into_iter().fold(model, |model, c| model.component(c))
}

#[test]
fn two_inertias_on_a_spring_swing_about_their_centre() {
    let components = [
        component("a", "inertia").set("J", 1.0).set("phi", 0.5),
        component("b", "inertia").set("J", 3.0),
        component("s", "spring").set("stiffness", 12.0).connect("a", "a").connect("b", "b"),
    ];
    let mut run = run(with(ModelBuilder::new("Two"), components), 1e-9);
    run.to(2.0);
    let w = (12.0_f64 * (1.0 + 1.0 / 3.0)).sqrt();
    assert_near(run.value("a.phi"), 0.125 + 0.375 * (w * 2.0).cos(), 1e-6, "first angle");
    assert_near(run.value("b.phi"), 0.125 - 0.125 * (w * 2.0).cos(), 1e-6, "second angle");
}

#[test]
fn a_damper_stops_a_mass_exponentially() {
    let components = [
        component("m", "mass").set("m", 2.0).set("v", 3.0),
        component("d", "damper").set("damping", 1.0).connect("a", "m").connect("motion", "translation"),
    ];
    let mut run = run(with(ModelBuilder::new("Stop"), components), 1e-9);
    run.to(1.5);
    assert_near(run.value("m.v"), 3.0 * (-0.75_f64).exp(), 1e-7, "velocity");
    assert_near(run.value("m.s"), 6.0 * (1.0 - (-0.75_f64).exp()), 1e-7, "position");
    assert_near(run.value("d.a.f"), -run.value("m.v"), 1e-12, "force of the damper");
}

#[test]
fn gears_in_series_multiply_and_reverse() {
    let components = [
        component("a", "inertia").set("J", 0.5),
        component("g1", "gear").set("ratio", 4.0).connect("a", "a").connect("b", "g2.a"),
        component("g2", "gear").set("ratio", -3.0).connect("b", "b"),
        component("b", "inertia").set("J", 7.0),
        component("t", "torque").set("tau", 2.0).connect("flange", "a"),
    ];
    let mut run = run(with(ModelBuilder::new("Gears"), components), 1e-9);
    run.to(2.0);
    let acceleration = 2.0 / (0.5 + 7.0 / 144.0);
    assert_near(run.value("a.w"), 2.0 * acceleration, 1e-6, "fast side");
    assert_near(run.value("b.w"), -2.0 * acceleration / 12.0, 1e-7, "slow side");
    assert_near(run.value("b.phi"), -run.value("a.phi") / 12.0, 1e-12, "angle");
    assert_eq!(run.value("number_of_states"), 2.0);
    // What the gears transmit: nothing is lost on the way.
    assert_near(run.value("g1.a.tau"), 0.5 * acceleration - 2.0, 1e-9, "torque on the fast side");
    assert_near(run.value("g2.b.tau"), -7.0 * acceleration / 12.0, 1e-9, "torque on the slow side");
    for gear in ["g1", "g2"] {
        let power = |run: &mut Run, side: &str| {
            run.value(&format!("{gear}.{side}.tau")) * run.value(&format!("{gear}.{side}.w"))
        };
        assert!(power(&mut run, "a") < -1.0);
        assert_near(power(&mut run, "a") + power(&mut run, "b"), 0.0, 1e-9, gear);
    }
}

/// A rigid gear transmits what one with next to no losses does, wherever joints, brakes, springs and driven flanges
/// are.
#[test]
fn torques_of_rigid_gears_are_those_of_gears_that_lose_next_to_nothing() {
    let build = |efficiency: f64| {
        let gear = |name: &str, ratio: f64| component(name, "gear").set("ratio", ratio).set("efficiency", efficiency);
        let components = [
            component("rotor", "dc-motor").set("v", "10*sin(3*time)").set("R", 1.0).set("k", 0.2).set("J", 0.002),
            gear("g", 12.0).connect("a", "rotor").connect("b", "j"),
            gear("h", 0.5).connect("a", "wheel").connect("b", "j"),
            component("wheel", "inertia").set("J", 0.1),
            component("spring", "spring").set("stiffness", 3.0).connect("a", "wheel"),
            gear("k", -2.0).connect("a", "far").connect("b", "wheel"),
            component("far", "inertia").set("J", 0.05),
            component("belt", "speed").set("velocity", "2*sin(time)"),
            gear("m", 3.0).connect("a", "drum").connect("b", "belt"),
            component("drum", "inertia").set("J", 0.03),
        ];
        let model = ModelBuilder::new("Arm")
            .gravity([0.0, -9.81, 0.0])
            .object(object("arm"))
            .object(object("tip").on("arm").r((0.5, 0.0, 0.0)).point_mass(2.0))
            .joint(revolute("j", "world", "arm", "z"));
        run(with(model, components), 1e-9)
    };
    let (mut rigid, mut lossy) = (build(1.0), build(1.0 - 1e-12));
    for t in [0.0, 0.3, 1.0, 2.5] {
        rigid.to(t);
        lossy.to(t);
        for (gear, side) in ["g", "h", "k", "m"].iter().flat_map(|gear| [(gear, "a"), (gear, "b")]) {
            let name = format!("{gear}.{side}.tau");
            assert_near(rigid.value(&name), lossy.value(&name), 1e-5, &format!("{name} at {t} s"));
        }
    }
    assert!(rigid.value("g.b.tau").abs() > 0.1 && rigid.value("m.b.tau").abs() > 0.1);
}

/// Closed loop of a current-fed coil: `R i + L i' + k w = v`, `(J + m r²) w' = k i`.
#[test]
fn a_dc_motor_reaches_its_no_load_speed_as_computed() {
    let components =
        [component("m", "dc-motor").set("v", 12.0).set("R", 2.0).set("L", 0.4).set("k", 0.5).set("J", 0.05)];
    let mut run = run(with(ModelBuilder::new("Motor"), components), 1e-9);
    run.to(0.7);
    // L J w'' + R J w' + k² w = k v
    let (a, b, c) = (0.4 * 0.05, 2.0 * 0.05, 0.25_f64);
    let (decay, wd) = (b / (2.0 * a), (c / a - (b / (2.0 * a)).powi(2)).sqrt());
    let expected = 24.0 * (1.0 - (-decay * 0.7_f64).exp() * ((wd * 0.7).cos() + decay / wd * (wd * 0.7).sin()));
    assert_near(run.value("m.w"), expected, 1e-6, "speed");
    run.to(30.0);
    assert_near(run.value("m.w"), 24.0, 1e-6, "no-load speed");
    assert_near(run.value("m.i"), 0.0, 1e-6, "no-load current");
}

/// A motor lifts a mass over a gear: what the source supplies is lost in the resistance, stored in the coil, or kinetic
/// and potential energy.
#[test]
fn energy_flows_through_motor_and_gear_without_loss() {
    let (r, l, j) = (1.5, 0.02, 1e-3);
    let model = ModelBuilder::new("Hoist")
        .gravity([0.0, -9.81, 0.0])
        .object(object("load").point_mass(4.0))
        .joint(prismatic("j", "world", "load", "y"));
    let components = [
        component("m", "dc-motor").set("v", "24*sin(3*time)").set("R", r).set("L", l).set("k", 0.1).set("J", j),
        component("g", "gear").set("ratio", 200.0).connect("a", "m").connect("b", "j"),
        component("supplied", "integrator").set("u", "24*sin(3*time)*m.i"),
        component("lost", "integrator").set("u", format!("{r}*m.i^2")),
    ];
    let mut run = run(with(model, components), 1e-9);
    let potential = run.value("energy.potential");
    for t in [0.2, 0.7, 1.3] {
        run.to(t);
        let stored = 0.5 * l * run.value("m.i").powi(2) + run.value("energy.kinetic") + run.value("energy.potential")
            - potential;
        assert_near(run.value("supplied.y"), stored + run.value("lost.y"), 1e-6, "energy");
        assert_near(run.value("m.w"), 200.0 * run.value("j.v"), 1e-9, "speed of the rotor");
    }
}

#[test]
fn a_rotor_geared_to_a_joint_moves_like_one_on_a_very_stiff_shaft() {
    let arm = || {
        ModelBuilder::new("Arm")
            .gravity([0.0, -9.81, 0.0])
            .object(object("arm"))
            .object(object("tip").on("arm").r((0.5, 0.0, 0.0)).point_mass(2.0))
            .joint(revolute("j", "world", "arm", "z"))
            .component(component("g", "gear").set("ratio", 50.0).connect("a", "rotor"))
    };
    let rigid = with(
        ModelBuilder::new("Arm")
            .gravity([0.0, -9.81, 0.0])
            .object(object("arm"))
            .object(object("tip").on("arm").r((0.5, 0.0, 0.0)).point_mass(2.0))
            .joint(revolute("j", "world", "arm", "z")),
        [
            component("rotor", "inertia").set("J", 1e-3),
            component("g", "gear").set("ratio", 50.0).connect("a", "rotor").connect("b", "j"),
        ],
    );
    let stiff = arm().component(component("rotor", "inertia").set("J", 1e-3)).component(
        component("shaft", "spring-damper")
            .set("stiffness", 1e7)
            .set("damping", 1e4)
            .connect("a", "g.b")
            .connect("b", "j"),
    );
    let (mut rigid, mut stiff) = (run(rigid, 1e-9), run(stiff, 1e-9));
    rigid.to(0.6);
    stiff.to(0.6);
    assert_near(rigid.value("j.phi"), stiff.value("j.phi"), 1e-5, "angle");
    assert_eq!((rigid.value("number_of_states"), stiff.value("number_of_states")), (2.0, 4.0));
}

#[test]
fn a_force_law_may_read_a_component() {
    let model = ModelBuilder::new("Rocket")
        .object(object("body").point_mass(2.0))
        .joint(prismatic("j", "world", "body", "x").force("4*thrust.y"))
        .component(component("thrust", "first-order").set("u", 1.0).set("T", 0.5));
    let mut run = run(model, 1e-9);
    run.to(1.0);
    let expected = 2.0 * (1.0 - 0.5 * (1.0 - (-2.0_f64).exp()));
    assert_near(run.value("j.v"), expected, 1e-7, "velocity");
}

#[test]
fn a_driven_flange_moves_with_its_signal() {
    let components = [
        component("belt", "speed").set("velocity", "2*cos(time)").set("position", 0.3),
        component("wheel", "inertia").set("J", 0.01),
        component("c", "spring-damper")
            .set("stiffness", 1e4)
            .set("damping", 20.0)
            .set("rest", -0.3)
            .connect("a", "wheel")
            .connect("b", "belt"),
    ];
    let mut run = run(with(ModelBuilder::new("Belt"), components), 1e-8);
    run.to(1.0);
    assert_near(run.value("belt.phi"), 0.3 + 2.0 * 1.0_f64.sin(), 1e-7, "belt");
    assert_near(run.value("wheel.phi"), 2.0 * 1.0_f64.sin(), 1e-4, "wheel");
}

/// A PD controller of a pendulum inside the model, and in a host that sets the torque at every communication point.
#[test]
fn a_controller_in_the_host_converges_to_the_one_inside() {
    let arm = || {
        ModelBuilder::new("Arm")
            .gravity([0.0, -9.81, 0.0])
            .object(object("arm"))
            .object(object("tip").on("arm").r((0.0, -0.5, 0.0)).point_mass(1.0))
            .joint(revolute("j", "world", "arm", "z"))
    };
    let inside = arm()
        .component(component("c", "sum").list("k", &[20.0, -3.0]).set("u1", "1 - j.phi").set("u2", "j.w"))
        .component(component("t", "torque").set("tau", "c.y").connect("flange", "j"));
    let mut inside = run(inside, 1e-9);
    inside.to(0.5);
    let expected = inside.value("j.phi");
    let in_host = |steps: i32| {
        let outside = arm()
            .input(mbs::declaration::builder::input("u"))
            .component(component("t", "torque").set("tau", "u").connect("flange", "j"));
        let mut run = run(outside, 1e-9);
        for k in 1..=steps {
            let torque = 20.0 * (1.0 - run.value("j.phi")) - 3.0 * run.value("j.w");
            run.simulation.set_input(0, torque).unwrap();
            run.to(0.5 * f64::from(k) / f64::from(steps));
        }
        (run.value("j.phi") - expected).abs()
    };
    let (coarse, fine) = (in_host(50), in_host(400));
    assert!(fine < coarse / 6.0 && fine < 1e-3, "errors {coarse:e} and {fine:e}");
}

/// A servo whose velocity loop is 10^4 times faster than the path it follows.
#[test]
fn a_stiff_servo_does_not_hold_the_integrator_at_order_one() {
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
        let components = [
            component("arm", "inertia").set("J", 0.3),
            component("rotor", "inertia").set("J", 1e-5),
            component("gear", "gear").set("ratio", 100.0).connect("a", "rotor").connect("b", "arm"),
            component("servo", "p-pi")
                .set("reference", "100*(time - sin(time))")
                .set("w_reference", "100*(1 - cos(time))")
                .set("phi", "rotor.phi")
                .set("w", "rotor.w")
                .set("k1", 50.0)
                .set("k2", 0.1)
                .set("T2", 1.0),
            component("t", "torque").set("tau", "servo.y + if time < 0.2 then 0.05 else 0").connect("flange", "rotor"),
        ];
        let mut run = run(with(ModelBuilder::new("Servo"), components), tolerance);
        run.to(6.0);
        assert_near(run.value("arm.phi"), 6.0 - 6.0_f64.sin(), 1e-3 + 10.0 * tolerance, "angle");
        let statistics = run.simulation.statistics().integrator;
        assert!(statistics.steps < 400, "{} steps at {tolerance:e}", statistics.steps);
    }
}

#[test]
fn energy_counts_rotors_behind_gears_and_springs_between_flanges() {
    let model = ModelBuilder::new("Drive")
        .object(object("load").point_mass(4.0))
        .joint(prismatic("j", "world", "load", "x").velocity(0.5));
    let components = [
        component("rotor", "inertia").set("J", 1e-3),
        component("g", "gear").set("ratio", 20.0).connect("a", "rotor").connect("b", "j"),
        component("spring", "spring").set("stiffness", 300.0).connect("a", "j").connect("motion", "translation"),
        component("tail", "mass").set("m", 0.7).set("v", -1.0),
        component("stop", "end-stop")
            .set("upper", 0.0)
            .set("lower", -0.1)
            .set("stiffness", 2e3)
            .connect("a", "tail")
            .connect("motion", "translation"),
    ];
    let mut run = run(with(model, components), 1e-9);
    let kinetic = 0.5 * (4.0 + 400.0 * 1e-3) * 0.25 + 0.5 * 0.7;
    assert_near(run.value("energy.kinetic"), kinetic, 1e-12, "kinetic energy");
    let mut stored = 0.0_f64;
    for k in 1..60 {
        run.to(0.02 * f64::from(k));
        assert_near(run.value("energy.total"), kinetic, 1e-6, "energy");
        stored = stored.max(run.value("energy.potential"));
    }
    assert!(stored > 0.5 * kinetic, "{stored}");
}
