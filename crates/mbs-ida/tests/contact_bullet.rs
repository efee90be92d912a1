//! No contact is missed, however fast the bodies and however long the steps.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use mbs::declaration::builder::{Members, ModelBuilder, cuboid, object, sphere};
use mbs::scene::elaborate;
use mbs::simulation::{Options, Simulation};
use mbs_ida::Ida;

/// A steel bullet of 5 mm flies with 1000 m/s at a steel wall of 1 mm, one metre away.
fn bullet(tolerance: f64, start: f64) -> Simulation<Ida> {
    let wall = cuboid((0.001, 1.0, 1.0)).material("Steel").massless().smoothing(1e-4);
    let ball = sphere(0.005).material("Steel").collides();
    let declaration = ModelBuilder::new("Bullet")
        .object(object("wall").solid(wall).on("world"))
        .object(object("bullet").solid(ball).r((start, 0.1, 0.2)).free_with((1000.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
        .build()
        .unwrap();
    let scene = elaborate(&declaration, &[]).unwrap();
    Simulation::new(scene, Ida::new(), 0.0, Options { relative_tolerance: tolerance, ..Options::default() }).unwrap()
}

#[test]
fn a_bullet_does_not_pass_a_thin_wall_at_any_tolerance_and_step() {
    for tolerance in [1e-2, 1e-4, 1e-6, 1e-9] {
        for steps in [1, 3, 100] {
            for start in [-1.0, -0.0731, -3.917] {
                let mut simulation = bullet(tolerance, start);
                for k in 1..=steps {
                    simulation.do_step(0.01 * f64::from(k) / f64::from(steps)).unwrap();
                }
                let x = simulation.state()[4];
                assert!(x < -0.0025, "tolerance {tolerance}, {steps} steps, from {start} m: the bullet is at {x} m");
                assert!(simulation.statistics().events >= 2, "an impact begins and ends");
            }
        }
    }
}

#[test]
fn two_balls_that_cross_without_touching_do_not_collide() {
    let ball = || sphere(0.01).material("Steel").collides();
    let declaration = ModelBuilder::new("Near")
        .object(object("a").solid(ball()).r((-1.0, 0.0102, 0.0)).free_with((300.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
        .object(object("b").solid(ball()).r((1.0, 0.0, 0.0)).free_with((-300.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
        .build()
        .unwrap();
    let scene = elaborate(&declaration, &[]).unwrap();
    let mut simulation = Simulation::new(scene, Ida::new(), 0.0, Options::default()).unwrap();
    simulation.do_step(0.02).unwrap();
    assert_eq!(simulation.statistics().events, 0);
    assert!((simulation.state()[4] - 5.0).abs() < 1e-9);
}
