//! What must hold for any pair: symmetry, invariance, continuity.

use super::random::{KINDS, Random};
use super::*;

fn for_pairs(seed: u64, count: usize, mut check: impl FnMut(&mut Random, &ConvexShape, &ConvexShape, &str)) {
    for first in 0..KINDS {
        for second in first..KINDS {
            let own = seed + 100 * first + second;
            let mut random = Random(own);
            for number in 0..count {
                let (a, b) = (random.convex(first), random.convex(second));
                check(&mut random, &a, &b, &format!("kinds {first} and {second}, seed {own}, scene {number}"));
            }
        }
    }
}

#[test]
fn exchanging_a_and_b_mirrors_the_contact_bit_for_bit() {
    for_pairs(10_000_000, 10, |random, a, b, place| {
        let x_wa = Pose::new(random.often_aligned_rotation(), random.direction() * 0.5);
        let x_wb = Pose::new(random.often_aligned_rotation(), random.direction() * 0.5);
        let (forth, back) = (measure(a, &x_wa, b, &x_wb), measure(b, &x_wb, a, &x_wa));
        assert_eq!(forth, back.mirrored(), "{place}");
    });
}

#[test]
fn moving_both_bodies_together_moves_the_contact_with_them() {
    for_pairs(11_000_000, 8, |random, a, b, place| {
        let x_wa = Pose::new(random.rotation(), random.direction() * 0.4);
        let x_wb = Pose::new(random.rotation(), random.direction() * 0.8);
        let motion = Pose::new(random.rotation(), random.direction() * 3.0);
        let (here, there) = (measure(a, &x_wa, b, &x_wb), measure(a, &(motion * x_wa), b, &(motion * x_wb)));
        assert!((here.distance - there.distance).abs() < 1e-13, "{place}: {here:?} {there:?}");
        let points = (motion.transform(&here.point_a) - there.point_a).norm();
        let is_unique = here.regular && (here.normal - motion.rotation.tr_mul(&there.normal)).norm() < 1e-6;
        assert!(!is_unique || points < 1e-6, "{place}: {here:?} {there:?}");
    });
}

/// The distance changes by no more than a body moves, from well apart to deeply inside.
#[test]
fn distance_is_continuous_along_a_path_through_contact() {
    for_pairs(12_000_000, 3, |random, a, b, place| {
        let (direction, rotation) = (random.direction(), random.often_aligned_rotation());
        let mut cache = PairCache::default();
        let step = 0.01;
        let mut last: Option<f64> = None;
        for i in 0..200 {
            let x_wb = Pose::new(rotation, direction * (2.0 - step * f64::from(i)));
            let c = distance(a, &Pose::identity(), b, &x_wb, &mut cache);
            let change = last.map_or(0.0, |last| (c.distance - last).abs());
            assert!(change <= step * (1.0 + 1e-9) + 2e-7, "{place}, step {i}: jump of {change} m");
            last = Some(c.distance);
        }
        assert!(last.is_some_and(|depth| depth < 0.0), "{place}");
    });
}

/// The rate of the distance is the normal speed: a check of normal and smoothness together.
#[test]
fn the_normal_is_the_gradient_of_the_distance() {
    for_pairs(13_000_000, 8, |random, a, b, place| {
        let x_wb = Pose::new(random.rotation(), random.direction() * random.between(0.3, 1.5));
        let direction = random.direction();
        let at = |h: f64| {
            let moved = Pose::new(x_wb.rotation, x_wb.translation + direction * h);
            measure(a, &Pose::identity(), b, &moved)
        };
        let h = 1e-6;
        let (before, here, after) = (at(-h), at(0.0), at(h));
        let same = (before.normal - after.normal).norm() < 1e-3;
        let rate = (after.distance - before.distance) / (2.0 * h);
        // Where the deepest direction changes over, the distance has a kink.
        assert!(!same || (rate - here.normal.dot(&direction)).abs() < 1e-4, "{place}: {rate} {here:?}");
    });
}

#[test]
fn bounding_boxes_and_spheres_contain_the_support_points_and_touch_them() {
    let mut random = Random(14);
    for number in 0..200 {
        let shape = random.convex(number % KINDS);
        let pose = Pose::new(random.rotation(), random.direction());
        let bounds = shape.bounding_box(&pose);
        let center = pose.transform(&shape.center());
        // Polyhedra and cylinders have sharp edges towards each other.
        let round = || shape.frustum().map_or(&shape, |own| own.sharp());
        let outer = shape.polyhedron().map_or_else(round, |own| own.sharp());
        for _ in 0..50 {
            let p = super::certificate::support(outer, &pose, &random.direction());
            let inside = (0..3).all(|i| bounds.min[i] - 1e-15 <= p[i] && p[i] <= bounds.max[i] + 1e-15);
            assert!(inside && (p - center).norm() <= shape.bounding_radius() + 1e-15, "scene {number}");
        }
        for axis in 0..3 {
            let n = Vec3::ith(axis, 1.0);
            let reach = super::certificate::support(outer, &pose, &n)[axis];
            assert!((reach - bounds.max[axis]).abs() < 1e-14, "scene {number}");
        }
    }
}

#[test]
fn two_half_spaces_have_no_contact() {
    let ground = ConvexShape::half_space(Axis::Y);
    let c = measure(&ground, &Pose::identity(), &ground, &at(0.0, 1.0, 0.0));
    assert!(c.distance == f64::INFINITY && !c.regular);
}
