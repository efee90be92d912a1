//! Every result is checked against what defines it: no direction separates the bodies farther than the distance, and
//! the witness points lie on the supporting planes of the normal and belong to the bodies.

use super::random::{KINDS, Random};
use super::*;

/// Farthest point of a placed shape, in W.
pub fn support(shape: &ConvexShape, pose: &Pose, n: &Vec3) -> Vec3 {
    pose.transform(&shape.support(&pose.rotation.tr_mul(n)))
}

/// How far the bodies are separated along a unit vector from A to B.
pub fn separation(a: &ConvexShape, x_wa: &Pose, b: &ConvexShape, x_wb: &Pose, n: &Vec3) -> f64 {
    n.dot(&(support(b, x_wb, &-n) - support(a, x_wa, n)))
}

/// Two placed shapes.
pub struct Scene {
    pub a: ConvexShape,
    pub x_wa: Pose,
    pub b: ConvexShape,
    pub x_wb: Pose,
    /// Length to which errors relate \[m\].
    pub size: f64,
}

impl Scene {
    pub fn contact(&self) -> Contact {
        measure(&self.a, &self.x_wa, &self.b, &self.x_wb)
    }

    /// The worst violation of the definition, and how much farther another direction separates.
    pub fn violation(&self, c: &Contact, random: &mut Random) -> (f64, f64) {
        let Scene { a, x_wa, b, x_wb, .. } = self;
        let (a, b) = (a.towards(b), b.towards(a));
        let n = c.normal;
        let mut worst = (n.norm() - 1.0).abs();
        worst = worst.max((c.point_b - c.point_a - n * c.distance).norm());
        worst = worst.max((separation(a, x_wa, b, x_wb, &n) - c.distance).abs());
        let outside =
            |shape: &ConvexShape, pose: &Pose, point: &Vec3, m: &Vec3| m.dot(&(point - support(shape, pose, m)));
        let mut better = f64::NEG_INFINITY;
        for i in 0..200 {
            let wide = if i % 3 == 0 { 1.0 } else { 10_f64.powi(-(i % 8)) };
            let m = (n * (1.0 - wide) + random.direction() * wide).normalize();
            worst = worst.max(outside(a, x_wa, &c.point_a, &m)).max(outside(b, x_wb, &c.point_b, &-m));
            better = better.max(separation(a, x_wa, b, x_wb, &m) - c.distance);
        }
        (worst, better)
    }

    fn check(&self, random: &mut Random, tolerance: f64, place: &str) -> Contact {
        let c = self.contact();
        let (worst, better) = self.violation(&c, random);
        let allowed = tolerance * self.size;
        assert!(worst <= allowed && better <= allowed, "{place}: violation {worst:e}, better by {better:e}\n{c:?}");
        c
    }
}

/// A pair of any kinds with sizes and slimness factors, at a random place.
fn scene(random: &mut Random, kinds: [u64; 2], sizes: [f64; 2], slimness: f64, origin: Vec3) -> Scene {
    let mut make = |kind: u64, size: f64| {
        let slim = 10_f64.powf(random.between(slimness.log10(), 0.0));
        let shape = scaled(&random.shape(kind), size, slim);
        let smoothing = if random.below(2) == 0 { 0.0 } else { 0.3 * ConvexShape::default_smoothing(&shape) };
        ConvexShape::new(&shape, smoothing).unwrap()
    };
    let (a, b) = (make(kinds[0], sizes[0]), make(kinds[1], sizes[1]));
    let reach = (sizes[0] + sizes[1]) / 2.0 * [0.2, 0.8, 1.3, 3.0][random.below(4) as usize];
    let x_wa = Pose::new(random.often_aligned_rotation(), origin + random.direction() * 0.1 * sizes[0]);
    let x_wb = Pose::new(random.often_aligned_rotation(), origin + random.direction() * reach);
    Scene { a, x_wa, b, x_wb, size: sizes[0].max(sizes[1]) + origin.norm() }
}

/// All dimensions times `size`, the first one (for meshes the third axis) also times `slim`.
fn scaled(shape: &Shape, size: f64, slim: f64) -> Shape {
    if let Shape::Mesh { mesh, scale } = shape {
        let scale = [scale[0] * size, scale[1] * size, scale[2] * size * slim];
        return Shape::Mesh { mesh: Arc::clone(mesh), scale };
    }
    let mut factor = size * slim;
    let mut next = |dimension: &f64| {
        let value = dimension * factor;
        factor = size;
        Ok::<f64, ()>(value)
    };
    shape.try_map(&mut next).unwrap()
}

/// Runs a check on random scenes of all pairs of kinds.
fn for_all_pairs(name: &str, seed: u64, mut check: impl FnMut(&mut Random, [u64; 2], &str)) {
    for first in 0..KINDS {
        for second in first..KINDS {
            let own = seed + 100 * first + second;
            let mut random = Random(own);
            for number in 0..25 {
                check(
                    &mut random,
                    [first, second],
                    &format!("{name}, kinds {first} and {second}, seed {own}, scene {number}"),
                );
            }
        }
    }
}

#[test]
fn distances_of_bodies_from_a_millimetre_to_a_hundred_metres_are_exact() {
    for_all_pairs("sizes", 1_000_000, |random, kinds, place| {
        let sizes = [0, 1].map(|_| 10_f64.powf(random.between(-3.0, 2.0)));
        scene(random, kinds, sizes, 1.0, Vec3::zeros()).check(random, 1e-12, place);
    });
}

#[test]
fn slim_bodies_have_exact_distances() {
    for_all_pairs("slim", 2_000_000, |random, kinds, place| {
        // A needle of an ellipsoid bends a thousand million times as much at its tip as along its side.
        scene(random, kinds, [1.0; 2], 1e-5, Vec3::zeros()).check(random, 1e-10, place);
    });
}

#[test]
fn kilometres_from_the_origin_only_the_rounding_of_the_poses_is_lost() {
    for_all_pairs("far", 3_000_000, |random, kinds, place| {
        let origin = random.direction() * 5000.0;
        let far = scene(random, kinds, [1.0; 2], 1.0, origin);
        let c = far.check(random, 1e-12, place);
        let mut near = far;
        near.x_wa.translation -= origin;
        near.x_wb.translation -= origin;
        assert!((near.contact().distance - c.distance).abs() < 4e-12, "{place}");
    });
}

/// Moves B along the normal until the bodies are a given distance apart.
fn set_gap(scene: &mut Scene, gap: f64) {
    let c = scene.contact();
    scene.x_wb.translation -= c.normal * (c.distance - gap);
}

#[test]
fn touching_bodies_have_distance_zero_and_a_normal() {
    for_all_pairs("touching", 4_000_000, |random, kinds, place| {
        let mut touching = scene(random, kinds, [1.0; 2], 1.0, Vec3::zeros());
        set_gap(&mut touching, 0.0);
        let c = touching.check(random, 1e-12, place);
        assert!(c.distance.abs() < 1e-13, "{place}: {c:?}");
    });
}

#[test]
fn bodies_that_nearly_touch_have_the_small_distance_they_were_given() {
    for_all_pairs("nearly", 5_000_000, |random, kinds, place| {
        let mut nearly = scene(random, kinds, [1.0; 2], 1.0, Vec3::zeros());
        let gap = random.between(-1.0, 1.0) * 10_f64.powf(random.between(-16.0, -3.0));
        set_gap(&mut nearly, gap);
        nearly.check(random, 1e-12, place);
    });
}

#[test]
fn concentric_bodies_have_the_right_depth_and_a_finite_normal() {
    for_all_pairs("concentric", 6_000_000, |random, kinds, place| {
        let mut concentric = scene(random, kinds, [1.0; 2], 1.0, Vec3::zeros());
        let Scene { a, x_wa, b, x_wb, .. } = &mut concentric;
        x_wb.translation = x_wa.transform(&a.center()) - x_wb.rotation * b.center();
        let c = concentric.check(random, 1e-12, place);
        assert!(c.distance < 0.0, "{place}: {c:?}");
    });
}

#[test]
fn memory_of_the_last_query_does_not_change_the_result() {
    for_all_pairs("memory", 7_000_000, |random, kinds, place| {
        let Scene { a, x_wa, b, x_wb, .. } = scene(random, kinds, [1.0; 2], 1.0, Vec3::zeros());
        let mut cache = PairCache::default();
        let step = random.direction() * 0.01;
        for i in 0..5 {
            let moved = Pose::new(x_wb.rotation, x_wb.translation + step * f64::from(i));
            let (warm, cold) = (distance(&a, &x_wa, &b, &moved, &mut cache), measure(&a, &x_wa, &b, &moved));
            assert!((warm.distance - cold.distance).abs() < 1e-12, "{place}, step {i}: {warm:?} {cold:?}");
        }
    });
}

/// Two cylinders with nearly parallel axes, one on the other, beside it, or rim at rim, with a given gap.
fn nearly_parallel_cylinders(random: &mut Random, number: usize) -> Scene {
    let smoothing = if number.is_multiple_of(2) { 0.0 } else { 1e-3 };
    let mut cylinder = || {
        let (diameter, length) = (random.between(0.3, 1.0), random.between(0.3, 1.0));
        let shape = Shape::Cylinder { axis: Axis::Z, diameter, length, inner_diameter: 0.0 };
        ConvexShape::new(&shape, smoothing).unwrap()
    };
    let (a, b) = (cylinder(), cylinder());
    let [tilt, off] = [0, 1].map(|_| 10_f64.powf(random.between(-14.0, -1.0)));
    let rotation = rotation_about(&random.direction(), tilt);
    let shift = random.direction() * off;
    let places = [Vec3::new(shift.x, shift.y, 1.2), Vec3::new(1.2, shift.y, shift.z), Vec3::new(0.9, shift.y, 0.9)];
    let mut scene = Scene { a, x_wa: Pose::identity(), b, x_wb: Pose::new(rotation, places[number % 3]), size: 1.0 };
    set_gap(&mut scene, [1e-2, 1e-5, 0.0, -1e-9, -1e-6, -1e-4, -1e-3][random.below(7) as usize]);
    scene
}

#[test]
fn nearly_coaxial_cylinders_have_exact_distances_when_apart_or_shallow() {
    let mut random = Random(31);
    let mut rough = 0;
    for number in 0..6000 {
        let scene = nearly_parallel_cylinders(&mut random, number);
        // Where two rims meet that are parallel but for 1e-9 rad, the search may end before the last digits.
        let c = scene.check(&mut random, 1e-8, &format!("seed 31, scene {number}"));
        let (worst, better) = scene.violation(&c, &mut random);
        rough += usize::from(worst.max(better) > 1e-12);
    }
    assert!(rough <= 12, "{rough} of 6000 distances are not exact");
}
