//! Contacts through the whole engine: what the law of impact, friction and rolling must do to bodies that move freely.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, assert_vector, distance, error_message, momentum, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, cuboid, object, prismatic, sphere};
use mbs::material::{ConstantsRule, Material, MaterialPair};
use mbs::math::Vec3;
use std::f64::consts::PI;

/// Gravity \[m/s²\].
const G: f64 = 9.81;
/// Radius of the balls of most models \[m\].
const R: f64 = 0.03;

fn material(name: &str, density: f64, youngs_modulus: f64) -> Material {
    Material {
        name: name.to_owned(),
        density,
        youngs_modulus,
        poissons_ratio: 0.34,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    }
}

/// A model whose balls and table are of materials with the given properties among each other.
fn world(balls: MaterialPair, table: MaterialPair) -> ModelBuilder {
    ModelBuilder::new("World")
        .contact_constants(ConstantsRule::Paper)
        .material(material("Ball", 1768.0, 5.4e9))
        .material(material("Cloth", 700.0, 1.1e10))
        .material_pair("Ball", "Ball", balls)
        .material_pair("Ball", "Cloth", table)
}

/// A table whose surface is at z = 0, under gravity along -z.
fn on_table(model: ModelBuilder) -> ModelBuilder {
    let slab = cuboid([20.0, 20.0, 0.05]).material("Cloth").massless().smoothing(0.001);
    model.gravity([0.0, 0.0, -G]).object(object("table").fixed().r([0.0, 0.0, -0.025]).solid(slab))
}

fn ball(name: &str, r: [f64; 3], v: [f64; 3], w: [f64; 3]) -> ObjectBuilder {
    object(name).free_with(v, w).r(r).solid(sphere(2.0 * R).material("Ball").collides())
}

fn run(model: ModelBuilder, tolerance: f64) -> Run {
    start(&model.build().unwrap(), tolerance)
}

const NOTHING: MaterialPair = MaterialPair::new(1.0, 0.0, 0.0);
const DEAD: MaterialPair = MaterialPair::new(0.0, 0.6, 0.0);

/// Ball of 1 g on a steel plate; the ball's centre is at height s above the touching position.
fn bouncing(tolerance: f64) -> Declaration {
    let plate = cuboid([4.0, 0.1, 0.7]).material("Steel").massless().collides();
    let mut model = ModelBuilder::new("Bouncing")
        .contact_constants(ConstantsRule::Paper)
        .gravity([0.0, -G, 0.0])
        .object(object("plate").fixed().r([0.0, -0.15, 0.0]).solid(plate))
        .object(object("ball").solid(sphere(0.2).material("Steel").mass(0.001).collides()))
        .joint(prismatic("guide", "world", "ball", "y").position(1.0))
        .build()
        .unwrap();
    model.experiment.tolerance = tolerance;
    model.content.joints[0].collision = true;
    model
}

/// Times at which the number of events grows from even to odd: contacts begin.
fn contact_starts(run: &mut Run, stop: f64) -> Vec<f64> {
    let (mut starts, mut t) = (Vec::new(), 0.0);
    let step = 2e-6;
    while t < stop {
        // Far from the plate one long step, close to it fine ones.
        let (s, v) = (run.value("guide.s"), run.value("guide.v"));
        let arrival = (v + (v * v + 2.0 * G * s.max(0.0)).sqrt()) / G;
        t += if s > 1e-4 && arrival > 1e-4 { arrival - 5e-5 } else { step };
        t = t.min(stop);
        let before = run.value("event_count");
        run.to(t);
        if before % 2.0 == 0.0 && run.value("event_count") > before {
            starts.push(run.value("time_of_last_event"));
        }
    }
    starts
}

#[test]
fn a_steel_ball_bounces_at_the_known_times() {
    let mut run = start(&bouncing(1e-9), 1e-9);
    let known = [0.45152, 1.06848, 1.48997, 1.77792, 1.97465, 2.10905];
    let found = contact_starts(&mut run, 2.2);
    assert_eq!(found.len(), known.len(), "{found:?}");
    for (found, known) in found.iter().zip(known) {
        assert_near(*found, known, 1e-5, "time of a bounce");
    }
    // By a Runge-Kutta method of order 4 with 20000 steps per contact.
    assert_near(run.value("guide.v"), -0.441_811_9, 1e-5, "velocity at the end");
    assert_near(run.value("guide.s"), 3.862_7e-4, 1e-6, "height at the end");
}

#[test]
fn effective_restitution_falls_with_the_nominal_one_as_integrated_by_hand() {
    for (nominal, effective) in [(0.98, 0.979), (0.9, 0.894), (0.8, 0.789), (0.7, 0.683), (0.5, 0.470), (0.3, 0.256)] {
        let pair = MaterialPair::new(nominal, 0.0, 0.0);
        let model = world(pair, DEAD).object(ball("a", [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3])).object(ball(
            "b",
            [0.1, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0; 3],
        ));
        let mut run = run(model, 1e-9);
        run.to(0.1);
        let restitution = (run.vector("b.v_abs") - run.vector("a.v_abs")).x / 2.0;
        assert_near(restitution, effective, 1.5e-3, "restitution");
    }
}

fn sliding(mu_r: f64) -> ModelBuilder {
    let table = MaterialPair::new(0.0, 0.6, mu_r);
    on_table(world(NOTHING, table)).object(ball("ball", [0.0, 0.0, R], [3.0, 0.0, 0.0], [0.0; 3]))
}

#[test]
fn a_sliding_ball_starts_to_roll_when_friction_has_had_its_time() {
    let mut run = run(sliding(0.0), 1e-8);
    let transition = 2.0 * 3.0 / (7.0 * 0.6 * G);
    let slip = |run: &mut Run, t: f64| {
        run.to(t);
        run.value("ball.v_abs[1]") - R * run.value("ball.w_abs[2]")
    };
    for part in [0.25, 0.5, 0.75, 0.95] {
        let t = part * transition;
        assert_near(slip(&mut run, t), 3.0 - 3.5 * 0.6 * G * t, 2e-3, "slip");
    }
    assert!(slip(&mut run, 1.02 * transition) < 0.01);
    assert!(slip(&mut run, 1.1 * transition).abs() < 1e-4);
    run.to(0.6);
    assert_near(run.value("ball.v_abs[1]"), 3.0 * 5.0 / 7.0, 2e-3, "speed of rolling");
    assert_near(run.value("ball.r_abs[2]"), 0.0, 1e-9, "drift across");
}

#[test]
fn rolling_resistance_slows_a_rolling_ball_evenly() {
    let mut run = run(sliding(0.02), 1e-8);
    run.to(0.3);
    let (t0, v0) = (run.simulation.time(), run.value("ball.v_abs[1]"));
    run.to(1.3);
    let deceleration = (v0 - run.value("ball.v_abs[1]")) / (run.simulation.time() - t0);
    // The torque mu_r r f_n turns the ball against its inertia about the touching point.
    assert_near(deceleration, 0.02 * G * 5.0 / 7.0, 2e-4, "deceleration");
}

/// Three balls that hit each other off their centres, with spin and friction, in empty space.
fn crowd(pair: MaterialPair) -> ModelBuilder {
    world(pair, DEAD)
        .object(ball("a", [0.0, 0.0, 0.0], [2.0, 0.1, 0.0], [0.0, 0.0, 30.0]))
        .object(ball("b", [0.2, 0.03, 0.01], [-1.0, 0.0, 0.2], [10.0, 0.0, 0.0]))
        .object(ball("c", [0.28, 0.01, 0.0], [-3.0, 0.1, 0.0], [0.0, -20.0, 5.0]))
}

#[test]
fn impacts_with_friction_keep_linear_and_angular_momentum() {
    let mut run = run(crowd(MaterialPair::new(0.7, 0.4, 0.01)), 1e-9);
    let before = momentum(&mut run);
    run.to(0.3);
    assert!(run.value("event_count") >= 4.0, "nothing collided");
    let after = momentum(&mut run);
    assert_vector(after.0, before.0.into(), 1e-8, "linear momentum");
    assert_vector(after.1, before.1.into(), 1e-8, "angular momentum");
}

#[test]
fn elastic_impacts_without_friction_keep_the_energy() {
    let mut run = run(crowd(NOTHING), 1e-9);
    let before = run.value("energy.total");
    run.to(0.3);
    assert!(run.value("event_count") >= 4.0, "nothing collided");
    assert_near(run.value("energy.total") / before, 1.0, 1e-6, "relative energy");
    assert_vector(run.vector("a.w_abs"), [0.0, 0.0, 30.0], 1e-6, "spin");
}

#[test]
fn energy_never_grows_over_a_contact_with_losses() {
    for (cor, mu_k) in [(1.0, 0.4), (0.7, 0.0), (0.7, 0.4), (0.0, 0.4)] {
        let mut run = run(crowd(MaterialPair::new(cor, mu_k, 0.01)), 1e-8);
        let (mut energy, mut touching) = (run.value("energy.total"), false);
        let first = energy;
        for k in 1..=300 {
            run.to(1e-3 * f64::from(k));
            // While balls touch, a part of the energy is in the contact.
            let now = run.value("number_of_contacts") > 0.0;
            if !now {
                let next = run.value("energy.total");
                assert!(next <= energy * (1.0 + 1e-7), "grew from {energy} J to {next} J");
                energy = next;
            }
            touching |= now;
        }
        assert!(touching || run.value("event_count") >= 4.0);
        assert!(energy < 0.999 * first, "nothing was lost");
    }
}

#[test]
fn an_impact_passes_on_translation_but_not_spin() {
    let model = on_table(world(NOTHING, DEAD))
        .object(ball("a", [0.0, 0.0, R], [3.0, 0.0, 0.0], [0.0; 3]))
        .object(ball("b", [1.2, 0.0, R], [0.0; 3], [0.0; 3]));
    let mut run = run(model, 1e-8);
    let rolling = 3.0 * 5.0 / 7.0;
    while run.value("b.v_abs[1]") < 0.1 {
        let t = run.simulation.time() + 1e-3;
        run.to(t);
    }
    let t = run.simulation.time();
    run.to(t + 1e-3);
    assert!(run.value("a.v_abs[1]") < 0.03 && run.value("b.v_abs[1]") > 0.97 * rolling);
    assert_near(run.value("a.w_abs[2]"), rolling / R, 1.0, "spin of the first ball");
    run.to(t + 0.5);
    assert_near(run.value("a.v_abs[1]"), rolling * 2.0 / 7.0, 5e-3, "first ball rolls again");
    assert_near(run.value("b.v_abs[1]"), rolling * 5.0 / 7.0, 5e-3, "second ball rolls");
}

#[test]
fn a_ball_at_rest_stays_where_it_is_for_few_steps() {
    let model = on_table(world(NOTHING, DEAD)).object(ball("ball", [0.1, 0.2, R], [0.0; 3], [0.0; 3]));
    let mut run = run(model, 1e-6);
    run.to(1.0);
    let settled = run.vector("ball.r_abs");
    let steps = run.simulation.statistics().integrator.steps;
    run.to(100.0);
    assert_vector(run.vector("ball.r_abs"), settled.into(), 1e-8, "position");
    assert_vector(run.vector("ball.v_abs"), [0.0; 3], 1e-7, "velocity");
    assert_vector(run.vector("ball.w_abs"), [0.0; 3], 1e-6, "angular velocity");
    assert!((-1e-5..0.0).contains(&(settled.z - R)), "penetration {:e}", R - settled.z);
    let more = run.simulation.statistics().integrator.steps - steps;
    assert!(more < 200, "{more} steps at rest, {steps} before");
    // Johnson, Contact Mechanics, eqs. 4.22 and 4.24: radius of the circle and greatest pressure for a load P.
    let load = 1768.0 * 4.0 / 3.0 * PI * R.powi(3) * G;
    let modulus = 1.0 / ((1.0 - 0.34 * 0.34) * (1.0 / 5.4e9 + 1.0 / 1.1e10));
    let radius = (3.0 * load * R / (4.0 * modulus)).cbrt();
    let pressure = (6.0 * load * modulus * modulus / (PI.powi(3) * R * R)).cbrt();
    assert_near(run.value("contact.table_ball.area") / (PI * radius * radius), 1.0, 1e-5, "area");
    assert_near(run.value("contact.table_ball.p_max") / pressure, 1.0, 1e-5, "greatest pressure");
}

/// The rack of the game with a cue ball, and how many rows.
fn rack(rows: usize, cue: ObjectBuilder, backwards: bool) -> ModelBuilder {
    let (d, e) = (2.0 * R, 1e-4);
    let mut balls = vec![cue];
    for k in 0..rows {
        for j in 0..=k {
            let x = 0.373 + k as f64 * (0.75_f64.sqrt() * d + e);
            let y = (d + e) * (k as f64 / 2.0 - j as f64);
            balls.push(ball(&format!("b{k}{j}"), [x, y, R], [0.0; 3], [0.0; 3]));
        }
    }
    if backwards {
        balls.reverse();
    }
    let table = MaterialPair::new(0.0, 0.8, 0.01);
    balls.into_iter().fold(on_table(world(NOTHING, table)), ModelBuilder::object)
}

fn straight() -> ObjectBuilder {
    ball("cue", [-0.2, 0.0, R], [3.0, 0.0, 0.0], [0.0; 3])
}

#[test]
fn a_centred_break_is_mirror_symmetric() {
    let mut run = run(rack(5, straight(), false), 1e-8);
    run.to(0.5);
    let moved = run.vector("b40.r_abs")
        - Vec3::new(0.373 + 4.0 * (0.75_f64.sqrt() * 2.0 * R + 1e-4), 2.0 * (2.0 * R + 1e-4), R);
    assert!(moved.norm() > 0.1, "the corner ball has not moved: {moved:?}");
    assert_near(run.value("cue.r_abs[2]"), 0.0, 1e-6, "cue ball");
    for k in 0..5 {
        for j in 0..=k {
            let (left, right) = (run.vector(&format!("b{k}{j}.r_abs")), run.vector(&format!("b{k}{}.r_abs", k - j)));
            assert_vector(left, [right.x, -right.y, right.z], 1e-5, "ball and mirrored ball");
        }
    }
}

#[test]
fn the_order_of_declaration_does_not_matter() {
    let cue = || ball("cue", [-0.2, -0.01, R], [3.0, 0.1, 0.0], [0.0; 3]);
    let (mut one, mut other) = (run(rack(2, cue(), false), 1e-9), run(rack(2, cue(), true), 1e-9));
    one.to(0.5);
    other.to(0.5);
    for name in ["cue", "b00", "b10", "b11"] {
        let path = format!("{name}.r_abs");
        assert_vector(one.vector(&path), other.vector(&path).into(), 1e-5, name);
    }
}

#[test]
fn a_second_run_gives_the_same_bits() {
    let model = rack(3, straight(), false).build().unwrap();
    let (mut one, mut other) = (start(&model, 1e-6), start(&model, 1e-6));
    one.to(0.4);
    other.to(0.4);
    assert_eq!(one.simulation.state(), other.simulation.state());
    assert_eq!(one.simulation.statistics(), other.simulation.statistics());
}

#[test]
fn communication_steps_do_not_change_the_result() {
    let model = rack(2, straight(), false).build().unwrap();
    let (mut large, mut small) = (start(&model, 1e-6), start(&model, 1e-6));
    large.to(0.4);
    (1..=200).for_each(|k| {
        small.to(0.4 * f64::from(k) / 200.0);
    });
    assert_near(distance(large.simulation.state(), small.simulation.state()), 0.0, 1e-12, "difference");
}

/// Two overlapping balls, connected by a joint.
fn joined(collides: bool) -> Run {
    let mut model = world(NOTHING, DEAD)
        .object(ball("a", [0.0, 0.0, 0.0], [0.0; 3], [0.0; 3]))
        .object(object("b").solid(sphere(2.0 * R).material("Ball").collides()))
        .joint(prismatic("slide", "a", "b", "x").position(2.0 * R - 1e-5))
        .build()
        .unwrap();
    model.content.joints[0].collision = collides;
    start(&model, 1e-8)
}

#[test]
fn bodies_joined_by_a_joint_collide_only_if_it_says_so() {
    let (mut quiet, mut loud) = (joined(false), joined(true));
    quiet.to(0.1);
    loud.to(0.1);
    assert_near(quiet.value("slide.s"), 2.0 * R - 1e-5, 1e-12, "distance without contact");
    // A contact without approach is dead: it ends slowly, with the speed at which damping and stiffness are in balance.
    assert!(loud.value("slide.v") > 1e-4, "{}", loud.value("slide.v"));
}

#[test]
fn materials_without_a_pair_are_named_together() {
    let model = ModelBuilder::new("Unknown")
        .material(material("Ball", 1768.0, 5.4e9))
        .material(material("Jelly", 1000.0, 1e5))
        .object(ball("a", [0.0; 3], [0.0; 3], [0.0; 3]))
        .object(object("b").free().r([0.05, 0.0, 0.0]).solid(sphere(0.06).material("Jelly").collides()));
    let message = error_message(&model.build().unwrap());
    assert!(message.contains("Ball") && message.contains("Jelly"), "{message}");
}
