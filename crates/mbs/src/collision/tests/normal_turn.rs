//! How the direction from one shape to another turns, against differences.

use super::random::Random;
use super::*;

/// A segment, and others, most of them at random, some of them along its edges.
fn scene(seed: u64) -> ([ConvexShape; 2], Pose) {
    let mut random = Random(seed);
    let mut number = |low: f64, high: f64| random.between(low, high);
    let (diameter, length) = if seed.is_multiple_of(2) { (0.04, 0.1) } else { (0.1, 0.01) };
    let own = sharp(&Shape::Cone { axis: Axis::Z, diameter, top_diameter: diameter, length });
    let own = own.frustum().unwrap().spine().clone();
    let other = match seed % 3 {
        0 => Shape::Box { lengths: [number(0.02, 0.1), number(0.02, 0.1), number(0.02, 0.1)] },
        1 => Shape::Cone { axis: Axis::Y, diameter: 0.05, top_diameter: number(0.0, 0.05), length: 0.08 },
        _ => Shape::Beam { axis: Axis::X, length: 0.06, width: 0.04, thickness: 0.02 },
    };
    let axis = Vec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0)).normalize();
    // Some are nearly parallel.
    let angle = if seed.is_multiple_of(5) { 1e-5 } else { number(-3.0, 3.0) };
    let away = Vec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0)).normalize();
    let pose = Pose { rotation: rotation_about(&axis, angle), translation: 0.2 * away };
    ([own, sharp(&other).sharp().clone()], pose)
}

#[test]
fn a_normal_turns_as_differences_say() {
    let mut steady = 0;
    for seed in 0..400 {
        let ([a, b], x_b) = scene(seed);
        let origin = Vec3::new(0.01, -0.02, 0.015);
        let normal = |x_a: &Pose, x_b: &Pose| distance(&a, x_a, &b, x_b, &mut PairCache::default()).normal;
        let at = distance(&a, &Pose::IDENTITY, &b, &x_b, &mut PairCache::default());
        let side = at.normal.cross(&Vec3::new(0.3, 0.8, -0.5)).normalize();
        let rates = turn_of_normal([(&a, &Pose::IDENTITY), (&b, &x_b)], &at, &side, &origin);
        for k in 0..12 {
            let mut unit = Vec3::zeros();
            unit[k % 3] = 1.0;
            let (body, is_turn) = (k / 6, k / 3 % 2 == 0);
            let moved = |h: f64| {
                let place = |at: Pose| match is_turn {
                    true => {
                        let turn = rotation_about(&unit, h);
                        Pose { rotation: turn * at.rotation, translation: origin + turn * (at.translation - origin) }
                    }
                    false => Pose { translation: at.translation + h * unit, ..at },
                };
                let poses = [Pose::IDENTITY, x_b];
                let [x_a, x_b] = [0, 1].map(|i| if i == body { place(poses[i]) } else { poses[i] });
                normal(&x_a, &x_b).dot(&side)
            };
            let difference = |h: f64| (moved(h) - moved(-h)) / (2.0 * h);
            // Another corner may be the nearest one in between.
            let (fine, coarse) = (difference(1e-8), difference(4e-8));
            if (fine - coarse).abs() > 1e-5 {
                continue;
            }
            steady += 1;
            let rate = rates[body][usize::from(!is_turn)].dot(&unit);
            assert!((rate - fine).abs() < 3e-6 * (1.0 + rate.abs()), "{seed} {k}: {rate} {fine}");
        }
    }
    assert!(steady > 4500, "{steady}");
}
