//! Components whose number of states changes: heat in a rod against the Fourier series, a rocket against its closed
//! form.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component, object, prismatic};
use mbs_ida::Ida;
use std::f64::consts::PI;

fn run(components: impl IntoIterator<Item = ComponentBuilder>, tolerance: f64) -> Run {
    let model = components.into_iter().fold(ModelBuilder::new("Variable"), |model, c| model.component(c));
    start(&model.build().unwrap(), tolerance)
}

fn rod() -> ComponentBuilder {
    rod_with_places(&[0.02, 0.05])
}

/// Diffusivity 1e-4 m²/s.
fn rod_with_places(places: &[f64]) -> ComponentBuilder {
    component("rod", "heat-rod")
        .set("length", 0.1)
        .set("area", 1e-3)
        .set("conductivity", 200.0)
        .set("density", 2000.0)
        .set("specific_heat", 1000.0)
        .set("T", 400.0)
        .list("places", places)
}

/// Temperature of a rod of 400 K whose ends are held at 300 K from t = 0 on.
fn series(place: f64, t: f64) -> f64 {
    let term = |k: i32| {
        let n = f64::from(2 * k + 1) * PI / 0.1;
        4.0 / (PI * f64::from(2 * k + 1)) * (n * place).sin() * (-1e-4 * n * n * t).exp()
    };
    300.0 + 100.0 * (0..200).map(term).sum::<f64>()
}

#[test]
fn heat_flows_out_of_a_rod_as_the_fourier_series_says() {
    let mut run = run([rod().set("T_a", 300.0).set("T_b", 300.0).set("volumes", 400)], 1e-7);
    for t in [1.0, 5.0, 12.0] {
        run.to(t);
        assert_near(run.value("rod.T[1]"), series(0.02, t), 2e-3, "temperature");
        assert_near(run.value("rod.T[2]"), series(0.05, t), 2e-3, "temperature");
    }
}

#[test]
fn the_error_of_the_rod_falls_with_the_square_of_the_number_of_volumes() {
    let error = |volumes: i32| {
        let mut run = run([rod().set("T_a", 300.0).set("T_b", 300.0).set("volumes", volumes)], 1e-9);
        run.to(5.0);
        (run.value("rod.T[2]") - series(0.05, 5.0)).abs()
    };
    let (coarse, fine) = (error(11), error(33));
    assert!(coarse / fine > 7.0 && coarse / fine < 11.0, "errors {coarse:e} and {fine:e}");
}

#[test]
fn a_rod_that_changes_from_10_to_1000_volumes_keeps_its_energy_and_follows_the_series() {
    let changing = rod().set("Q_a", 20.0).set("volumes", "if time < 2 then 10 else if time < 4 then 1000 else 25");
    let mut run = run([changing], 1e-7);
    let energy = run.value("rod.energy");
    for (t, volumes) in [(1.0, 10.0), (3.0, 1000.0), (5.0, 25.0)] {
        run.to(t);
        assert_eq!((run.value("rod.num_volumes"), run.value("number_of_states")), (volumes, volumes));
        assert_near(run.value("rod.energy"), energy + 20.0 * t, 1e-3, "energy");
    }
    assert_eq!(run.simulation.statistics().segments, 3);
    let cooled = rod().set("T_a", 300.0).set("T_b", 300.0).set("volumes", "if time < 2 then 10 else 1000");
    let mut run = self::run([cooled], 1e-7);
    run.to(12.0);
    assert_near(run.value("rod.T[2]"), series(0.05, 12.0), 0.3, "temperature");
}

#[test]
fn a_rod_and_the_mechanics_change_their_states_together() {
    let model = ModelBuilder::new("Both")
        .object(object("cart").point_mass(1.0))
        .joint(prismatic("j", "world", "cart", "x").velocity(1.0))
        .component(rod().set("Q_a", "10*brake.loss").set("volumes", "if j.s < 0.2 then 5 else 50"))
        .component(
            component("brake", "friction").set("sliding", 1.0).connect("a", "j").connect("motion", "translation"),
        )
        .component(component("after", "integrator").set("u", "rod.T[2]"));
    let mut run = start(&model.build().unwrap(), 1e-8);
    let energy = run.value("rod.energy");
    run.to(2.0);
    assert_near(run.value("j.s"), 0.5, 1e-7, "way");
    assert_near(run.value("rod.energy") - energy, 5.0, 1e-4, "heat");
    assert_eq!(run.value("rod.num_volumes"), 50.0);
}

fn rocket() -> ComponentBuilder {
    component("rocket", "point-mass-rocket")
        .set("m1", 100.0)
        .set("m2", 100.0)
        .set("thrust1", 1e4)
        .set("thrust2", 2e3)
        .set("burn1", 5.0)
        .set("burn2", 10.0)
        .set("h1", 1.0)
        .set("h2", 2.5)
}

#[test]
fn states_of_a_rocket_appear_at_separation_and_vanish_later() {
    let mut run = run([rocket()], 1e-10);
    for (t, states) in [(4.0, 2.0), (7.0, 4.0), (15.0, 2.0)] {
        run.to(t);
        assert_eq!(run.value("number_of_states"), states, "at {t} s");
        if t == 7.0 {
            assert_near(run.value("rocket.v1"), 75.95 - 2.0 * 9.81, 1e-7, "velocity of the lower stage");
        }
    }
    assert_near(run.value("rocket.h2"), 1_232.208_333_333_333_3, 1e-6, "height");
    assert_near(run.value("rocket.v2"), 77.85, 1e-8, "velocity");
    assert_near(run.value("rocket.v1"), 75.95 - 5.0 * 9.81, 1e-7, "last velocity of the lower stage");
}

#[test]
fn a_step_that_fails_after_a_change_returns_to_the_old_number_of_states() {
    let stuck = component("bad", "integrator").set("u", "sqrt(6.5 - time)");
    let mut run = run([rocket(), stuck], 1e-6);
    run.to(4.0);
    let before = run.value("rocket.h2");
    assert!(run.simulation.do_step(8.0).is_err());
    assert_eq!((run.value("number_of_states"), run.value("rocket.h2")), (3.0, before));
    run.to(6.0);
    assert_eq!(run.value("number_of_states"), 5.0);
}

#[test]
fn a_saved_state_restores_the_number_of_states() {
    let mut run = run([rocket()], 1e-8);
    run.to(4.0);
    let early = run.simulation.save().unwrap();
    run.to(7.0);
    let late = run.simulation.save().unwrap();
    run.to(12.0);
    let end = run.value("rocket.h2");
    run.simulation.restore(&late).unwrap();
    assert_eq!(run.value("number_of_states"), 4.0);
    run.to(12.0);
    assert_eq!(run.value("rocket.h2").to_bits(), end.to_bits());
    run.simulation.restore(&early).unwrap();
    assert_eq!(run.value("number_of_states"), 2.0);
    run.to(7.0).to(12.0);
    assert_eq!(run.value("rocket.h2").to_bits(), end.to_bits());
}

#[test]
fn a_warm_body_cools_exponentially() {
    let body = component("body", "heat-capacity").set("C", 50.0).set("G", 20.0).set("T", 400.0).set("T_ambient", 300.0);
    let mut run = run([body.set("Q", 200.0)], 1e-9);
    run.to(4.0);
    assert_near(run.value("body.T"), 310.0 + 90.0 * (-1.6_f64).exp(), 1e-6, "temperature");
}

#[test]
fn a_number_of_volumes_that_is_no_number_ends_the_run_with_an_error() {
    let model = ModelBuilder::new("Variable").component(rod().set("volumes", "0/time")).build().unwrap();
    let scene = mbs::elaboration::elaborate(&model, &[]).unwrap();
    let options = mbs::simulation::Options::default();
    let run = mbs::simulation::Simulation::new(scene, Ida::new(), 0.0, options);
    let message = run.and_then(|mut simulation| simulation.do_step(1.0)).unwrap_err().to_string();
    assert!(message.contains("input `volumes` of component `rod` is NaN at t = 0 s"), "{message}");
}

#[test]
fn numbers_of_volumes_are_whole_and_within_their_range() {
    for wrong in [0.0, -3.0, 3.7, 1e12] {
        let model = ModelBuilder::new("Variable").component(rod().set("volumes", wrong)).build().unwrap();
        let message = crate::support::error_message(&model);
        assert!(message.contains("must be a whole number from 1 to 1000000"), "{wrong}: {message}");
    }
    let mut run = run([rod().set("T_a", 300.0).set("volumes", "3 - 5*time")], 1e-6);
    run.to(1.0);
    assert_eq!(run.value("rod.num_volumes"), 1.0);
    let mut run = self::run([rod().set("T_a", 300.0).set("volumes", 300_000)], 1e-6);
    run.to(1e-3);
    assert_near(
        run.value("rod.flow_a"),
        -200.0 * 1e-3 * 100.0 / (PI * 1e-4 * 1e-3_f64).sqrt(),
        1.0,
        "flow into a thick rod",
    );
}

#[test]
fn temperatures_at_the_ends_of_a_rod_are_exact_in_equilibrium() {
    let places = [0.0, 0.003, 0.0125, 0.03, 0.05, 0.0999, 0.1];
    for volumes in [1, 4, 7] {
        let rod = rod_with_places(&places).set("volumes", volumes);
        let mut held = run([rod.clone().set("T_a", 400.0).set("T_b", 320.0)], 1e-9);
        held.to(2000.0);
        let mut heated = run([rod.set("Q_a", 160.0).set("T_b", 320.0)], 1e-9);
        heated.to(2000.0);
        for (k, place) in places.iter().enumerate() {
            let name = format!("rod.T[{}]", k + 1);
            assert_near(held.value(&name), 400.0 - 800.0 * place, 1e-5, "temperature between two ends");
            assert_near(heated.value(&name), 400.0 - 800.0 * place, 1e-5, "temperature behind a heat flow");
        }
    }
}

#[test]
fn the_temperature_of_an_end_may_control_the_heat_that_flows_into_it() {
    let rod = rod_with_places(&[0.0]).set("Q_a", "4*(450 - rod.T[1])").set("T_b", 320.0).set("volumes", 50);
    let mut run = run([rod], 1e-9);
    run.to(1000.0);
    // 4 W/K of the controller in series with 2 W/K of the rod.
    assert_near(run.value("rod.T[1]"), 320.0 + 130.0 * 4.0 / 6.0, 1e-5, "temperature of the end");
}
