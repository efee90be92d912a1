//! No contact is missed, however fast the bodies and however long the steps.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, capsule, cuboid, object, prismatic, revolute, sphere};
use mbs::elaboration::elaborate;
use mbs::material::{ConstantsRule, Material, MaterialPair};
use mbs::simulation::{Options, Simulation};
use mbs::solid::Axis;
use mbs_ida::Ida;

/// A steel bullet of 5 mm flies with 1000 m/s at a steel wall of 1 mm, one metre away.
fn bullet(tolerance: f64, start: f64) -> Simulation {
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

/// A ball of 5 mm at rest, 90 mm before a paddle of 1 mm that jumps forward by 100 mm and back in a bell of the given
/// width \[s\].
fn paddle(width: f64, tolerance: f64) -> Simulation {
    let ball = sphere(0.005).material("Hard").collides();
    let motion = format!("0.1*exp(-((time - 0.4371)/{width})^2)");
    let declaration = ModelBuilder::new("Paddle")
        .material(hard())
        .material_pair("Hard", "Hard", MaterialPair::new(1.0, 0.0, 0.0))
        .gravity([0.0; 3])
        .object(object("paddle").solid(cuboid((0.001, 0.2, 0.2)).material("Hard").collides()))
        .joint(prismatic("drive", "world", "paddle", "x").motion(motion.as_str()))
        .object(object("ball").free().r((0.09, 0.0, 0.0)).solid(ball))
        .build()
        .unwrap();
    start(&declaration, tolerance)
}

fn hard() -> Material {
    Material {
        name: "Hard".to_owned(),
        density: 1000.0,
        youngs_modulus: 1e10,
        poissons_ratio: 0.3,
        melting_temperature: None,
        specific_heat: None,
        conductivity: None,
        expansion: None,
    }
}

fn start(declaration: &Declaration, tolerance: f64) -> Simulation {
    let scene = elaborate(declaration, &[]).unwrap();
    Simulation::new(scene, Ida::new(), 0.0, Options { relative_tolerance: tolerance, ..Options::default() }).unwrap()
}

#[test]
fn a_paddle_that_starts_out_of_the_blue_strikes_a_ball_at_rest_at_any_tolerance() {
    for width in [0.1, 0.03, 0.005] {
        // The ball leaves with twice the velocity that the paddle has where they touch.
        let phase = (0.1_f64 / 0.087).ln().sqrt();
        let expected = 2.0 * 0.087 * 2.0 * phase / width;
        for tolerance in [1e-3, 1e-4, 1e-6] {
            for steps in [1, 77] {
                let mut simulation = paddle(width, tolerance);
                (1..=steps).for_each(|k| simulation.do_step(f64::from(k) / f64::from(steps)).unwrap());
                let v = simulation.state()[simulation.topology().num_q + 3];
                let case = format!("width {width} s, tolerance {tolerance}, {steps} steps");
                assert!(
                    (v / expected - 1.0).abs() < 0.005 + 15.0 * tolerance,
                    "{case}: {v} m/s instead of {expected} m/s"
                );
                assert_eq!(simulation.statistics().events, 2, "{case}");
            }
        }
    }
}

const BLADE_SMOOTHING: f64 = 1e-4;

/// A blade 1 m long turns with `w` \[rad/s\], a ball of 5 mm comes down on it at 1 m/s.
fn blade(w: f64, driven: bool, [x, y]: [f64; 2], tolerance: f64) -> Simulation {
    let plate = cuboid((1.0, 0.01, 0.001)).material("Hard").smoothing(BLADE_SMOOTHING).mass(1000.0).collides();
    let ball = sphere(0.005).material("Hard").collides();
    let joint = revolute("shaft", "world", "blade", "z");
    let joint = if driven { joint.motion(format!("{w}*time").as_str()) } else { joint.velocity(w) };
    let declaration = ModelBuilder::new("Blade")
        .material(hard())
        .material_pair("Hard", "Hard", MaterialPair::new(0.5, 0.0, 0.0))
        .gravity([0.0; 3])
        .object(object("blade").solid(plate))
        .joint(joint)
        .object(object("ball").free_with((0.0, 0.0, -1.0), (0.0, 0.0, 0.0)).r((x, y, 0.05)).solid(ball))
        .build()
        .unwrap();
    start(&declaration, tolerance)
}

/// When the ball is the given depth \[m\] inside the blade for the first time, if nothing happens to it before.
fn strike(w: f64, [x, y]: [f64; 2], depth: f64) -> f64 {
    let half = [0.5, 0.005, 0.0005].map(|half| half - BLADE_SMOOTHING);
    let distance = |t: f64| {
        let (s, c) = (w * t).sin_cos();
        let at = [c * x + s * y, c * y - s * x, 0.05 - t];
        let beyond = [0, 1, 2].map(|k| (f64::abs(at[k]) - half[k]).max(0.0));
        beyond.iter().map(|d| d * d).sum::<f64>().sqrt() - BLADE_SMOOTHING - 0.0025
    };
    let dt = 2e-4 / w;
    (0..).map(|k| 0.046 + dt * f64::from(k)).find(|t| distance(*t) < -depth).unwrap()
}

#[test]
fn a_ball_does_not_pass_a_blade_however_fast_it_turns() {
    for (w, count) in [(1e3, 200), (1e4, 200)] {
        for k in 0..count {
            let angle = 2.399_963 * f64::from(k);
            let radius = 0.1 + 0.35 * (0.5 + f64::from(k)) / f64::from(count);
            let place = [radius * angle.cos(), radius * angle.sin()];
            let (touched, struck) = (strike(w, place, 0.0), strike(w, place, 1e-6));
            let tolerance = if k % 2 == 0 { 1e-4 } else { 1e-6 };
            let driven = k % 4 < 2;
            let mut simulation = blade(w, driven, place, tolerance);
            let case = format!("{w} rad/s, place {place:?}, tolerance {tolerance}, driven: {driven}");
            simulation.do_step(touched - 1e-3 / w).unwrap();
            assert_eq!(simulation.statistics().events, 0, "{case}");
            simulation.do_step(struck + 1e-3 / w).unwrap();
            assert!(simulation.statistics().events > 0, "{case}: not struck at {struck} s");
        }
    }
}

/// A ball of 10 mm that passes another one at rest, of 1 kg, with `v` \[m/s\], so that they overlap by `depth` \[m\];
/// it is driven or flies.
fn grazing(v: f64, depth: f64, driven: bool, tolerance: f64) -> Simulation {
    let ball = |mass: f64| sphere(0.01).material("Hard").mass(mass).collides();
    let model = ModelBuilder::new("Grazing")
        .material(hard())
        .material_pair("Hard", "Hard", MaterialPair::new(1.0, 0.0, 0.0))
        .gravity([0.0; 3])
        .object(object("target").free().r((0.3, 0.01 - depth, 0.0)).solid(ball(1.0)));
    let model = if driven {
        let drive = prismatic("drive", "world", "mover", "x").motion(format!("{v}*time").as_str());
        model.object(object("mover").solid(ball(1.0))).joint(drive)
    } else {
        model.object(object("mover").free_with([v, 0.0, 0.0], [0.0; 3]).solid(ball(1e9)))
    };
    start(&model.build().unwrap(), tolerance)
}

/// Momentum that the passing ball gives away sideways \[N s\], when nothing yields: the integral of Hertz' force along
/// its way.
fn grazing_momentum(v: f64, depth: f64) -> f64 {
    let (gap, half) = (0.01 - depth, (0.01_f64.powi(2) - (0.01 - depth).powi(2)).sqrt());
    let stiffness = 4.0 / 3.0 * 0.0025_f64.sqrt() * 1e10 / (1.0 - 0.09) / 2.0;
    let force = |x: f64| {
        let distance = x.hypot(gap);
        stiffness * (0.01 - distance).max(0.0).powf(1.5) * gap / distance
    };
    let steps = 2000;
    (0..steps).map(|k| force(half * (2.0 * (f64::from(k) + 0.5) / f64::from(steps) - 1.0))).sum::<f64>() * 2.0 * half
        / f64::from(steps)
        / v
}

#[test]
fn balls_that_graze_push_each_other_aside_at_any_tolerance() {
    for (v, depth) in [(100.0, 2e-4), (1000.0, 2e-4), (1000.0, 5e-5), (20.0, 1e-5)] {
        let expected = grazing_momentum(v, depth);
        for (driven, tolerance) in [(true, 1e-2), (true, 1e-4), (true, 1e-7), (false, 1e-2), (false, 1e-6)] {
            let mut simulation = grazing(v, depth, driven, tolerance);
            simulation.do_step(1.0 / v).unwrap();
            let at = simulation.scene().objects.iter().find(|(_, object)| object.path == "target").unwrap().0;
            simulation.object_pose(at).unwrap();
            let aside = simulation.object_motion(at).v.y;
            let case = format!("{v} m/s, {depth} m deep, driven {driven}, tolerance {tolerance}");
            // The tolerance is also one of small velocities.
            let error = (aside - expected).abs();
            assert!(
                error < (0.05 + 5.0 * tolerance) * expected + 0.01 * tolerance,
                "{case}: {aside} m/s instead of {expected} m/s"
            );
        }
    }
}

/// A rod of 200 mm comes down on a plate with one end first, which stays on the plate or near it while the rod turns
/// about it until the other end strikes: the distance of the two shapes then is that of other parts than a moment
/// before.
#[test]
fn the_second_end_of_a_rod_does_not_pass_a_plate_that_the_first_has_struck() {
    let strikes = [
        // Diameter, thickness of the plate, angle, speed, restitution.
        (5e-3, 2e-3, 0.15, 1.0, 0.0),
        (5e-3, 2e-3, 0.05, 1.0, 0.0),
        (5e-3, 2e-3, 0.31, 1.0, 0.1),
        (5e-3, 2e-3, -0.2, 1.0, 0.3),
        (2.15e-3, 1.16e-3, 0.0384, 7.4, 0.0),
    ];
    for (diameter, thickness, angle, speed, cor) in strikes {
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
            let rod = capsule(Axis::X, diameter, 0.2).material("Hard").collides();
            let plate = cuboid((1.0, 1.0, thickness)).material("Hard").massless().collides();
            let rod = object("rod").cardan((0.0, angle, 0.0)).r((0.0, 0.0, 0.045)).solid(rod);
            let declaration = ModelBuilder::new("Rod")
                .contact_constants(ConstantsRule::Paper)
                .material(hard())
                .material_pair("Hard", "Hard", MaterialPair::new(cor, 0.2, 0.0))
                .gravity([0.0; 3])
                .object(rod.free_with((0.0, 0.0, -speed), (0.0, 0.0, 0.0)))
                .object(object("plate").solid(plate).on("world"))
                .build()
                .unwrap();
            let mut simulation = start(&declaration, tolerance);
            for k in 1..=200 {
                simulation.do_step(0.002 / speed * f64::from(k)).unwrap();
                let z = simulation.state()[6];
                assert!(
                    z > 0.5 * (thickness + diameter) - 0.1 * diameter,
                    "angle {angle}, cor {cor}, tolerance {tolerance}: the rod is at {z} m after {k} steps"
                );
            }
        }
    }
}

/// A blade turns away from a ball at rest beside it; half a turn later its other end strikes the ball.
#[test]
fn a_blade_that_turns_away_from_a_ball_strikes_it_with_its_other_end() {
    let [x, y, reach] = [0.4, -0.02, 0.0025 + 0.005_f64];
    let before_half_a_turn = f64::atan(-y / x) + f64::asin(reach / f64::hypot(x, y));
    for w in [5.0, 100.0, 2000.0] {
        let plate = cuboid((1.0, 0.01, 0.1)).material("Hard").smoothing(BLADE_SMOOTHING).mass(1000.0).collides();
        let declaration = ModelBuilder::new("Blade")
            .material(hard())
            .material_pair("Hard", "Hard", MaterialPair::new(0.5, 0.0, 0.0))
            .gravity([0.0; 3])
            .object(object("blade").solid(plate))
            .joint(revolute("shaft", "world", "blade", "z").velocity(w))
            .object(object("ball").free().r((x, y, 0.0)).solid(sphere(0.005).material("Hard").collides()))
            .build()
            .unwrap();
        let met = (std::f64::consts::PI - before_half_a_turn) / w;
        for tolerance in [1e-3, 1e-6, 1e-9] {
            let mut simulation = start(&declaration, tolerance);
            simulation.do_step(0.999 * met).unwrap();
            assert_eq!(simulation.statistics().events, 0, "{w} rad/s, {tolerance}");
            let mut simulation = start(&declaration, tolerance);
            simulation.do_step(1.01 * met).unwrap();
            assert!(simulation.statistics().events > 0, "{w} rad/s, {tolerance}");
        }
    }
}
