//! Results against independent computations: formulas against the general algorithm, boxes against the separating axis
//! theorem and against all pairs of features, spheres against the equation of the ellipsoid.

use super::closed_form::solve;
use super::core::Core;
use super::difference::Difference;
use super::distance::general;
use super::random::Random;
use super::solution::Solution;
use super::*;

/// What the general algorithm makes of a pair that has a formula.
fn without_formula(a: &Core, b: &Core, rotation: Mat3, offset: Vec3) -> Solution {
    let scale = a.bounding_radius() + b.bounding_radius() + offset.norm();
    let difference = Difference { a, b, rotation, inverse: rotation.transpose(), offset, scale };
    general(&difference, &PairCache::default())
}

#[test]
fn formulas_and_the_general_algorithm_agree() {
    for (first, second) in [(0, 0), (0, 6), (6, 6), (0, 2), (0, 3), (0, 4), (0, 5), (0, 7)] {
        let seed = 20_000 + 100 * first + second;
        let mut random = Random(seed);
        for number in 0..400 {
            let (a, b) = (random.convex(first), random.convex(second));
            let (rotation, offset) = (random.often_aligned_rotation(), random.direction() * random.between(0.01, 1.5));
            let formula = solve(&a.core, &b.core, &rotation, &offset).unwrap();
            let general = without_formula(&a.core, &b.core, rotation, offset);
            let place = format!("kinds {first} and {second}, seed {seed}, pair {number}: {formula:?} {general:?}");
            assert!((formula.distance - general.distance).abs() < 1e-13, "{place}");
            let unique = formula.distance > 1e-6 && (0, 0) != (first, second);
            assert!(!unique || (formula.normal - general.normal).norm() < 1e-8, "{place}");
        }
    }
}

/// Distance of a point from an ellipsoid by bisection of the secular equation (D. Eberly, Distance from a point to an
/// ellipse, an ellipsoid, or a hyperellipsoid, 2013); negative inside.
fn ellipsoid_distance(semi: &Vec3, point: &Vec3) -> f64 {
    let y = point.abs();
    let squares = semi.component_mul(semi);
    let level = |t: f64| (0..3).map(|i| (semi[i] * y[i] / (t + squares[i])).powi(2)).sum::<f64>() - 1.0;
    let smallest = squares.min();
    let (mut low, mut high) = (-smallest + 1e-12 * smallest, semi.max() * y.norm() + smallest);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if level(middle) > 0.0 { low = middle } else { high = middle }
    }
    let nearest = Vec3::from_fn(|i, _| squares[i] * y[i] / (low + squares[i]));
    let inside = y.component_div(semi).norm() < 1.0;
    (y - nearest).norm() * if inside { -1.0 } else { 1.0 }
}

#[test]
fn spheres_have_the_distance_of_their_centre_from_an_ellipsoid() {
    let mut random = Random(21);
    for number in 0..500 {
        let lengths = [random.length(), random.length(), random.length()];
        let ellipsoid = sharp(&Shape::Ellipsoid { lengths });
        let sphere = sharp(&Shape::Sphere { diameter: 0.2 });
        let point = random.direction() * random.between(0.02, 2.0);
        let expected = ellipsoid_distance(&(Vec3::from(lengths) / 2.0), &point) - 0.1;
        let c = measure(&ellipsoid, &Pose::identity(), &sphere, &Pose::from_translation(point));
        assert!((c.distance - expected).abs() < 1e-12, "seed 21, scene {number}: {} instead of {expected}", c.distance);
    }
}

/// Corners of a placed box.
fn corners(lengths: &[f64; 3], pose: &Pose) -> Vec<Vec3> {
    let side = |bit: usize, i: usize| if i >> bit & 1 == 0 { lengths[bit] / 2.0 } else { -lengths[bit] / 2.0 };
    (0..8).map(|i| pose.transform(&Vec3::new(side(0, i), side(1, i), side(2, i)))).collect()
}

/// Depth by the separating axis theorem: the smallest overlap over face normals and products of edges.
fn separating_axes(a: &[Vec3], x_wa: &Pose, b: &[Vec3], x_wb: &Pose) -> f64 {
    let columns = |pose: &Pose| -> Vec<Vec3> { pose.rotation.column_iter().map(|column| column.into()).collect() };
    let (ea, eb) = (columns(x_wa), columns(x_wb));
    let mut axes = [ea.clone(), eb.clone()].concat();
    axes.extend(ea.iter().flat_map(|p| eb.iter().filter_map(|q| p.cross(q).try_normalize(1e-9))));
    let highest = |points: &[Vec3], n: &Vec3| points.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
    let gap = |n: Vec3| -highest(b, &-n) - highest(a, &n);
    axes.into_iter().flat_map(|n| [gap(n), gap(-n)]).fold(f64::NEG_INFINITY, f64::max)
}

/// Nearest features: every corner against the other box, every edge against every edge.
fn nearest_features(a: &[Vec3], x_wa: &Pose, b: &[Vec3], x_wb: &Pose, half: [&Vec3; 2]) -> f64 {
    let to_box = |point: &Vec3, pose: &Pose, half: &Vec3| {
        let p = pose.inverse().transform(point);
        (p - p.zip_map(half, |x, h| x.clamp(-h, h))).norm()
    };
    let corners = a.iter().map(|p| to_box(p, x_wb, half[1])).chain(b.iter().map(|p| to_box(p, x_wa, half[0])));
    let edges = |points: &[Vec3]| -> Vec<(Vec3, Vec3)> {
        (0..8)
            .flat_map(|i| (0..3).map(move |bit| (i, i | 1 << bit)))
            .filter(|(i, j)| i != j)
            .map(|(i, j)| (points[i], points[j]))
            .collect()
    };
    let mut best = corners.fold(f64::INFINITY, f64::min);
    for (p, q) in edges(a) {
        for (r, s) in edges(b) {
            best = best.min(edge_distance(p, q, r, s));
        }
    }
    best
}

/// Distance of two edges where their lines are nearest inside both, else infinite (corners cover the rest).
fn edge_distance(p: Vec3, q: Vec3, r: Vec3, s: Vec3) -> f64 {
    let (u, v, w) = (q - p, s - r, p - r);
    let (a, b, c, d, e) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let determinant = a * c - b * b;
    let (x, y) = ((b * e - c * d) / determinant, (a * e - b * d) / determinant);
    let is_inside = (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
    if is_inside { (w + u * x - v * y).norm() } else { f64::INFINITY }
}

#[test]
fn boxes_agree_with_separating_axes_and_with_all_pairs_of_features() {
    let mut random = Random(22);
    let mut apart = 0;
    for number in 0..600 {
        let sizes = [0, 1].map(|_| [random.length(), random.length(), random.length()]);
        let poses = [0.1, 1.0].map(|reach| Pose::new(random.often_aligned_rotation(), random.direction() * reach));
        let points = [corners(&sizes[0], &poses[0]), corners(&sizes[1], &poses[1])];
        let mut expected = separating_axes(&points[0], &poses[0], &points[1], &poses[1]);
        if expected > 0.0 {
            apart += 1;
            let halves = sizes.map(|lengths| Vec3::from(lengths) / 2.0);
            expected = nearest_features(&points[0], &poses[0], &points[1], &poses[1], [&halves[0], &halves[1]]);
        }
        let [a, b] = sizes.map(|lengths| sharp(&Shape::Box { lengths }));
        let c = measure(&a, &poses[0], &b, &poses[1]);
        assert!((c.distance - expected).abs() < 1e-13, "seed 22, scene {number}: {} instead of {expected}", c.distance);
    }
    assert!((100..500).contains(&apart), "both cases must occur, {apart} of 600 are apart");
}

#[test]
fn half_spaces_agree_with_the_lowest_point() {
    let mut random = Random(23);
    for number in 0..300 {
        let body = random.convex(number % 9);
        let axis = random.axis();
        let ground = Pose::new(random.rotation(), random.direction());
        let pose = Pose::new(random.rotation(), random.direction());
        let up: Vec3 = ground.rotation * axis.unit();
        let half_space = ConvexShape::half_space(axis);
        let lowest = super::certificate::support(body.towards(&half_space), &pose, &-up);
        let c = measure(&body, &pose, &half_space, &ground);
        assert!((c.distance - up.dot(&(lowest - ground.translation))).abs() < 1e-14, "seed 23, scene {number}");
        assert!(
            (c.normal + up).norm() < 1e-15 && (c.point_a - lowest).norm() < 1e-14,
            "seed 23, scene {number}: {c:?}"
        );
    }
}
