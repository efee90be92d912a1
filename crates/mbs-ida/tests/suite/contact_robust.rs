//! Contacts at any tolerance, from any start, at rest.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, assert_vector, error_message, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, cuboid, object, prismatic, revolute, sphere};
use mbs::material::{ConstantsRule, Material, MaterialPair};

/// A steel ball of 1 g falls 1 m onto a steel plate.
fn bouncing() -> Declaration {
    let plate = cuboid([4.0, 0.1, 0.7]).material("Steel").massless().collides();
    let mut model = ModelBuilder::new("Bouncing")
        .contact_constants(ConstantsRule::Paper)
        .gravity([0.0, -9.81, 0.0])
        .object(object("plate").fixed().r([0.0, -0.15, 0.0]).solid(plate))
        .object(object("ball").solid(sphere(0.2).material("Steel").mass(0.001).collides()))
        .joint(prismatic("guide", "world", "ball", "y").position(1.0))
        .build()
        .unwrap();
    model.content.joints[0].collision = true;
    model
}

#[test]
fn bounces_converge_with_the_tolerance() {
    for (tolerance, accuracy) in [
        (1e-3, 3e-2),
        (1e-4, 1e-2),
        (1e-5, 1e-3),
        (1e-6, 3e-4),
        (1e-7, 1e-4),
        (1e-8, 2e-5),
        (1e-9, 3e-6),
        (1e-11, 1e-6),
    ] {
        let mut run = start(&bouncing(), tolerance);
        run.to(2.0);
        // Between the fifth and the sixth bounce, by a Runge-Kutta method of order 4.
        assert_near(run.value("guide.s"), 0.013_553_658, accuracy, &format!("height at tolerance {tolerance:e}"));
    }
}

/// Balls of diameter 60 mm and a table at z = 0 that takes the impacts up.
fn table() -> ModelBuilder {
    let wood = |name: &str| Material { name: name.to_owned(), ..material() };
    ModelBuilder::new("Table")
        .gravity([0.0, 0.0, -9.81])
        .material(wood("Ball"))
        .material(wood("Cloth"))
        .material_pair("Ball", "Ball", MaterialPair::new(0.6, 0.3, 0.01))
        .material_pair("Ball", "Cloth", MaterialPair::new(0.5, 0.4, 0.01))
        .object(
            object("table")
                .fixed()
                .r([0.0, 0.0, -0.5])
                .solid(cuboid([4.0, 4.0, 1.0]).material("Cloth").massless().collides()),
        )
}

fn material() -> Material {
    Material {
        name: String::new(),
        density: 1000.0,
        youngs_modulus: 5e9,
        poissons_ratio: 0.3,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    }
}

fn ball(name: &str, r: [f64; 3]) -> ObjectBuilder {
    object(name).free().r(r).solid(sphere(0.06).material("Ball").collides())
}

#[test]
fn a_deep_start_is_refused_with_both_names_the_depth_and_a_remedy() {
    let model = table().object(ball("sunk", [0.0, 0.0, 0.025])).build().unwrap();
    let message = error_message(&model);
    for part in ["`table`", "`sunk`", "5.000e-3 m", "3.000e-3 m", "2.000e-3 m", "apart"] {
        assert!(message.contains(part), "{part} is missing in: {message}");
    }
}

#[test]
fn of_several_deep_starts_the_deepest_is_named() {
    let model = table().object(ball("a", [0.0, 0.0, 0.026])).object(ball("b", [1.0, 0.0, 0.02]));
    let message = error_message(&model.object(ball("c", [2.0, 0.0, 0.024])).build().unwrap());
    assert!(message.contains("`b`") && message.contains("1.000e-2 m"), "{message}");
}

/// Their 50 million pairs would take gigabytes and minutes, were they listed.
#[test]
fn ten_thousand_balls_in_one_place_are_refused_at_once() {
    let place = |k: u32| [1e-6 * f64::from(k), 0.0, 1.0];
    let model = (0..10_000).fold(table(), |model, k| model.object(ball(&format!("ball{k}"), place(k))));
    let model = model.build().unwrap();
    let since = std::time::Instant::now();
    let message = error_message(&model);
    assert!(message.contains("penetrate each other by"), "{message}");
    let elapsed = since.elapsed();
    assert!(elapsed.as_secs() < 60, "{elapsed:?}");
}

#[test]
fn a_small_start_penetration_is_resolved() {
    let mut run = start(&table().object(ball("ball", [0.0, 0.0, 0.0299])).build().unwrap(), 1e-6);
    let mut highest = 0.0_f64;
    for k in 1..=200 {
        run.to(0.01 * f64::from(k));
        highest = highest.max(run.value("ball.r_abs[3]"));
    }
    assert!(highest < 0.03 + 1e-3, "thrown to {highest} m");
    let depth = 0.03 - run.value("ball.r_abs[3]");
    assert!((0.0..1e-5).contains(&depth), "rests {depth:e} m deep");
    assert_vector(run.vector("ball.v_abs"), [0.0; 3], 1e-5, "velocity");
}

/// Steel on steel: 5 mm in diameter sink in by 8 nm, less than what counts as a contact while they bounce.
#[test]
fn small_balls_at_rest_are_in_contact_and_their_weight_is_the_force() {
    for diameter in [5e-4, 1e-3, 5e-3, 2e-2] {
        let plate = cuboid([1.0, 1.0, 0.1]).material("Steel").massless().collides();
        let model = ModelBuilder::new("Small")
            .gravity([0.0, 0.0, -9.81])
            .object(object("plate").fixed().r([0.0, 0.0, -0.05]).solid(plate))
            .object(
                object("ball")
                    .free()
                    .r([0.0, 0.0, 2.0 * diameter])
                    .solid(sphere(diameter).material("Steel").collides()),
            )
            .build()
            .unwrap();
        let mut run = start(&model, 1e-6);
        run.to(2.0);
        let weight = 8000.0 * std::f64::consts::PI / 6.0 * diameter.powi(3) * 9.81;
        assert_near(run.value("number_of_contacts"), 1.0, 0.1, "contacts");
        assert_near(run.value("contact.plate_ball.f_n") / weight, 1.0, 1e-3, "force per weight");
        let events = run.simulation.statistics().events;
        assert!(events < 200, "{events} events of a ball of {diameter} m");
    }
}

/// Five steel balls on rods, the first one pulled aside, with gaps of the given size.
fn cradle(gap: f64) -> Run {
    let mut model = ModelBuilder::new("Cradle")
        .gravity([0.0, 0.0, -9.81])
        .material(Material { name: "Ball".to_owned(), density: 8000.0, youngs_modulus: 2e11, ..material() })
        .material_pair("Ball", "Ball", MaterialPair::new(1.0, 0.0, 0.0));
    for k in 0..5 {
        let (x, rod) = (f64::from(k) * (0.04 + gap), format!("rod{k}"));
        let solid = sphere(0.04).material("Ball").collides();
        let phi = if k == 0 { 0.5 } else { 0.0 };
        model = model
            .object(object(format!("hook{k}")).fixed().r([x, 0.0, 0.0]))
            .object(object(&rod))
            .object(object(format!("ball{k}")).on(&rod).r([0.0, 0.0, -0.3]).solid(solid))
            .joint(revolute(&format!("hinge{k}"), &format!("hook{k}"), &rod, "y").position(phi));
    }
    start(&model.build().unwrap(), 1e-7)
}

#[test]
fn balls_that_touch_before_they_are_struck_pass_the_energy_on() {
    for gap in [0.0, 1e-6, 1e-4] {
        let mut run = cradle(gap);
        let before = run.value("energy.total");
        // Between the first impact and the way back of the last ball.
        run.to(0.5);
        let lost = (before - run.value("energy.total")) / (before - rest_energy());
        assert!((-1e-5..3e-3).contains(&lost), "gap {gap} m: {lost} of the energy is lost");
        assert!(run.value("hinge4.phi") < -0.4, "gap {gap} m: the last ball is at {} rad", run.value("hinge4.phi"));
    }
}

/// Potential energy of the five balls when they hang down \[J\].
fn rest_energy() -> f64 {
    -5.0 * 8000.0 * std::f64::consts::PI / 6.0 * 0.04_f64.powi(3) * 9.81 * 0.3
}

#[test]
fn an_arm_that_turns_many_times_in_one_step_still_hits_what_is_in_its_way() {
    for angle in [0.3_f64, 1.7, 2.9, 4.4] {
        let tip = sphere(0.06).material("Steel").collides();
        let target = sphere(0.04).material("Steel").collides();
        let model = ModelBuilder::new("Arm")
            .object(object("arm"))
            .object(object("tip").on("arm").r([1.0, 0.0, 0.0]).solid(tip))
            .object(object("target").free().r([angle.cos(), angle.sin(), 0.01]).solid(target))
            .joint(revolute("hinge", "world", "arm", "z").velocity(5.0))
            .build()
            .unwrap();
        let mut run = start(&model, 1e-2);
        run.to(20.0);
        assert!(run.value("event_count") >= 2.0, "angle {angle}: nothing was hit");
        let moved = run.vector("target.v_abs").norm();
        assert!(moved > 1.0, "angle {angle}: the target moves with {moved} m/s");
    }
}

#[test]
fn a_hammer_with_a_prescribed_motion_hits_while_nothing_else_moves() {
    let model = ModelBuilder::new("Hammer")
        .object(object("hammer").solid(sphere(0.1).material("Steel").collides()))
        .object(object("target").free().r([0.25, 0.0, 0.0]).solid(sphere(0.1).material("Steel").collides()))
        .joint(
            prismatic("drive", "world", "hammer", "x")
                .motion("0.2*smoothstep(time, 3, 3.1) - 0.2*smoothstep(time, 3.2, 3.3)"),
        )
        .build()
        .unwrap();
    let mut run = start(&model, 1e-4);
    run.to(10.0);
    assert!(run.value("target.v_abs[1]") > 1.0, "the target moves with {} m/s", run.value("target.v_abs[1]"));
}

/// Steps, events and restarts between two times.
fn work(run: &mut Run, from: f64, to: f64) -> (u64, u64) {
    run.to(from);
    let before = run.simulation.statistics();
    run.to(to);
    let after = run.simulation.statistics();
    (after.integrator.steps - before.integrator.steps, after.events - before.events)
}

#[test]
fn an_hour_at_rest_costs_nothing() {
    let walls = |model: ModelBuilder| {
        let wall = || cuboid([1.0, 1.0, 1.0]).material("Cloth").massless().collides();
        model
            .object(object("left").fixed().r([-0.53, 0.0, 0.5]).solid(wall()))
            .object(object("back").fixed().r([0.0, -0.53, 0.5]).solid(wall()))
    };
    let corner = walls(table()).object(
        object("ball")
            .free_with([-0.5, -0.4, 0.0], [0.0; 3])
            .r([0.1, 0.1, 0.05])
            .solid(sphere(0.06).material("Ball").collides()),
    );
    // Four balls, one of them on the others, which the walls and friction hold.
    let heap = [[-0.0, -0.0], [0.0605, 0.0], [0.0, 0.0605], [0.0605, 0.0605]].into_iter().enumerate();
    let heap = heap.fold(walls(table()), |model, (k, [x, y])| model.object(ball(&format!("ball{k}"), [x, y, 0.032])));
    let heap = heap.object(ball("top", [0.03, 0.031, 0.1]));
    let at_rest = || table().object(ball("ball", [0.1, 0.2, 0.05]));
    let models = [("ground", at_rest()), ("corner", corner), ("heap", heap), ("moved", beside_motions(at_rest()))];
    for (name, model) in models {
        let mut run = start(&model.build().unwrap(), 1e-5);
        let (steps, events) = work(&mut run, 100.0, 3700.0);
        assert!(steps < 500 && events < 10, "{name}: {steps} steps and {events} events in an hour at rest");
    }
}

/// A swinging arm with a hand that turns on it, and a slide: shapes whose prescribed motions never lead to the ball.
fn beside_motions(model: ModelBuilder) -> ModelBuilder {
    let bar = || cuboid([0.3, 0.05, 0.05]).material("Ball").collides();
    model
        .object(object("post").fixed().r([1.0, 0.0, 0.7]))
        .object(object("arm").solid(bar()))
        .object(object("wrist").on("arm").r([0.4, 0.0, 0.0]))
        .object(object("hand").solid(bar()))
        .object(object("slide").solid(bar()))
        .joint(revolute("shoulder", "post", "arm", "y").motion("0.3*sin(2*time)"))
        .joint(revolute("turn", "wrist", "hand", "x").motion("50*time"))
        .joint(
            prismatic("guide", "post", "slide", "x")
                .motion("2 + 0.5*exp(-((time - 1000.3)/0.01)^2) + 0.01*sin(300*time)"),
        )
}
