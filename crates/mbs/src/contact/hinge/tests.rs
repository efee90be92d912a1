#![allow(clippy::unwrap_used)]
use super::*;
use crate::math::{Vec3, rotation_about};
use crate::spatial::BodyMotion;

/// A body that moves with given derivatives about a pose, and where it is at time t.
fn moved(start: &BodyMotion, t: f64) -> BodyMotion {
    let turn = start.w * t + 0.5 * t * t * start.alpha;
    let rotation = match turn.try_normalize(0.0) {
        Some(axis) => rotation_about(&axis, turn.norm()) * start.rotation,
        None => start.rotation,
    };
    BodyMotion {
        p: start.p + start.v * t + 0.5 * t * t * start.a,
        rotation,
        v: start.v + start.a * t,
        w: start.w + start.alpha * t,
        ..*start
    }
}

fn bodies() -> [BodyMotion; 2] {
    let body = |k: f64| BodyMotion {
        rotation: rotation_about(&Vec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin()).normalize(), k),
        p: Vec3::new(0.3 * k, -0.2, 0.1 + k),
        v: Vec3::new(0.4, -0.3 * k, 0.7),
        w: Vec3::new(1.1 * k, 0.6, -0.8),
        a: Vec3::new(-0.5, 0.2 * k, 0.9),
        alpha: Vec3::new(0.4, -1.2 * k, 0.3),
    };
    [body(0.8), body(1.7)]
}

fn rim_on_plane() -> [Support; 2] {
    let rim = Feature::Rim { center: Vec3::new(0.1, 0.2, -0.3), axis: Vec3::new(2.0, -1.0, 2.0) / 3.0, radius: 0.7 };
    let plane = Feature::Plane { through: Vec3::new(-0.4, 0.1, 0.2), normal: Vec3::new(0.6, 0.0, 0.8) };
    [[rim, plane], [plane, rim]].map(|features| Support { features, sense: 1.0, offset: 0.0 })
}

#[test]
fn a_rim_is_as_far_from_a_plane_as_its_nearest_point() {
    let [a, b] = bodies();
    for support in rim_on_plane() {
        let at = support.at([&a, &b]).unwrap();
        let side = usize::from(matches!(support.features[1], Feature::Rim { .. }));
        let Feature::Rim { center, axis, radius } = support.features[side] else { unreachable!() };
        let Feature::Plane { through, normal } = support.features[1 - side] else { unreachable!() };
        let (own, other) = if side == 0 { (&a, &b) } else { (&b, &a) };
        let least = (0..100_000).map(|k| {
            let [x, y] = crate::math::tangents(&axis);
            let (sin, cos) = (f64::from(k) * 2e-5 * std::f64::consts::PI).sin_cos();
            let on_rim = own.p + own.rotation * (center + radius * (cos * x + sin * y));
            (other.rotation * normal).dot(&(on_rim - other.p - other.rotation * through))
        });
        let least = least.fold(f64::INFINITY, f64::min);
        assert!((at.gap - least).abs() < 1e-9, "{} {least}", at.gap);
    }
}

#[test]
fn rates_of_a_rim_are_derivatives() {
    let (h, start) = (1e-4, bodies());
    let gap = |support: &Support, t: f64| {
        let [a, b] = [0, 1].map(|k| moved(&start[k], t));
        support.at([&a, &b]).unwrap().gap
    };
    for support in rim_on_plane() {
        let at = support.at([&start[0], &start[1]]).unwrap();
        let velocities = at.velocities([&start[0], &start[1]]);
        let rate = (gap(&support, h) - gap(&support, -h)) / (2.0 * h);
        assert!((at.rate(&velocities) - rate).abs() < 1e-6 * rate.abs(), "{} {rate}", at.rate(&velocities));
        let acceleration = (gap(&support, h) - 2.0 * gap(&support, 0.0) + gap(&support, -h)) / (h * h);
        let exact = at.acceleration([&start[0], &start[1]]);
        assert!((exact - acceleration).abs() < 1e-5 * acceleration.abs(), "{exact} {acceleration}");
        // The point of contact moves with the rim and along it.
        let point = |t: f64| {
            let [a, b] = [0, 1].map(|k| moved(&start[k], t));
            support.at([&a, &b]).unwrap().point
        };
        let moved = (point(h) - point(-h)) / (2.0 * h);
        assert!((at.point_change(&velocities) - moved).norm() < 1e-6 * moved.norm());
    }
}

#[test]
fn a_rim_that_almost_lies_keeps_its_digits() {
    let rim = Feature::Rim { center: Vec3::zeros(), axis: -Vec3::z(), radius: 0.5 };
    let plane = Feature::Plane { through: Vec3::zeros(), normal: Vec3::z() };
    let support = Support { features: [plane, rim], sense: 1.0, offset: 0.0 };
    let still = |rotation, p| BodyMotion { rotation, p, ..bodies()[0] };
    let ground = still(rotation_about(&Vec3::x(), 0.0), Vec3::zeros());
    for tilt in [1e-3, 1e-6, 1.25e-7, 1e-9] {
        let disc = still(rotation_about(&Vec3::new(0.6, 0.8, 0.0), tilt), Vec3::new(0.0, 0.0, 0.01));
        let gap = support.at([&ground, &disc]).unwrap().gap;
        let exact = 0.01 - 0.5 * tilt.sin();
        assert!((gap - exact).abs() < 1e-16, "{tilt}: {gap} {exact}");
    }
}

#[test]
fn a_rim_that_lies_flat_has_no_lowest_point() {
    let [a, _] = bodies();
    let axis = Vec3::new(0.0, 0.6, 0.8);
    let rim = Feature::Rim { center: Vec3::zeros(), axis, radius: 0.5 };
    let plane = Feature::Plane { through: Vec3::zeros(), normal: axis };
    assert!(Support { features: [rim, plane], sense: 1.0, offset: 0.0 }.at([&a, &a]).is_none());
}
