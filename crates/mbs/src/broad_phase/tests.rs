#![allow(clippy::unwrap_used)]

use super::*;
use crate::math::Vec3;

/// Numbers in [0, 1) that are the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * size
    }
}

fn free(n: usize) -> PairFilter {
    PairFilter::new((0..n as u32).map(ShapeFilter::moving).collect(), &[], &[])
}

fn brute_force(boxes: &[Aabb], filter: &PairFilter, margin: f64) -> Vec<(u32, u32)> {
    let n = boxes.len() as u32;
    let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    all.filter(|&(i, j)| filter.allows(i, j) && boxes[i as usize].is_near(&boxes[j as usize], margin)).collect()
}

/// Spheres of radius 0.5 at rest on each other: a cubic lattice, slightly disordered, as broad as it is high.
fn pile(n: usize, random: &mut Random) -> Vec<Aabb> {
    let side = (n as f64).cbrt().ceil() as usize;
    let place = |k: usize| Vec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
    (0..n).map(|k| Aabb::around(place(k) + random.vector(0.02), Vec3::repeat(0.5))).collect()
}

#[test]
fn pairs_equal_brute_force_for_random_moving_boxes() {
    let mut random = Random(7);
    for (n, size) in [(0, 1.0), (1, 1.0), (2, 1.0), (5, 2.0), (300, 6.0), (300, 0.01), (40, 0.0)] {
        let mut boxes: Vec<Aabb> = (0..n).map(|_| Aabb::around(random.vector(size), random.vector(0.6))).collect();
        let mut broad = BroadPhase::new(n, free(n)).with_margin(0.05);
        for step in 0..8 {
            broad.update(&boxes);
            assert_eq!(broad.pairs(), brute_force(&boxes, &free(n), 0.05), "{n} boxes, step {step}");
            for b in &mut boxes {
                let shift = random.vector(1.0) - Vec3::repeat(0.5);
                *b = Aabb::new(b.min + shift, b.max + shift);
            }
        }
    }
}

#[test]
fn the_result_does_not_depend_on_what_was_before() {
    let mut random = Random(11);
    let n = 500;
    let mut old = BroadPhase::new(n, free(n));
    for _ in 0..5 {
        let boxes: Vec<Aabb> = (0..n).map(|_| Aabb::around(random.vector(8.0), random.vector(0.5))).collect();
        old.update(&boxes);
        let mut new = BroadPhase::new(n, free(n));
        new.update(&boxes);
        assert_eq!(old.pairs(), new.pairs());
        assert!(old.pairs().is_sorted() && !old.pairs().is_empty());
    }
}

/// A pile of n spheres on a ground that is larger than the pile, and the broad phase for it.
fn pile_on_ground(n: usize, random: &mut Random) -> (Vec<Aabb>, BroadPhase) {
    let mut boxes = pile(n, random);
    boxes.push(Aabb::new(Vec3::new(-1e3, -1e3, -1.0), Vec3::new(1e3, 1e3, -0.45)));
    let mut shapes: Vec<ShapeFilter> = (1..=n as u32).map(ShapeFilter::moving).collect();
    shapes.push(ShapeFilter::fixed(0));
    (boxes, BroadPhase::new(n + 1, PairFilter::new(shapes, &[], &[])))
}

#[test]
fn tests_of_a_pile_of_ten_thousand_spheres_grow_almost_linearly() {
    let tests_per_sphere = |n: usize| {
        let (boxes, mut broad) = pile_on_ground(n, &mut Random(3));
        broad.update(&boxes);
        assert!(broad.pairs().len() > n, "spheres touch");
        broad.num_overlap_tests() as f64 / n as f64
    };
    let (small, large) = (tests_per_sphere(1000), tests_per_sphere(10_000));
    assert!(large < 60.0, "{large} tests per sphere");
    assert!(large < 1.4 * small, "{small} -> {large} tests per sphere");
}

#[test]
fn small_motions_keep_the_tree_efficient() {
    let mut random = Random(3);
    let (mut boxes, mut broad) = pile_on_ground(1000, &mut random);
    broad.update(&boxes);
    let first = broad.num_overlap_tests();
    for _ in 0..20 {
        for b in &mut boxes[..1000] {
            let shift = random.vector(0.05) - Vec3::repeat(0.025);
            *b = Aabb::new(b.min + shift, b.max + shift);
        }
        broad.update(&boxes);
        assert!(broad.num_overlap_tests() < 2 * first, "{first} -> {} tests", broad.num_overlap_tests());
    }
}

#[test]
fn a_tree_that_has_decayed_is_built_anew() {
    let mut random = Random(3);
    let (mut boxes, mut broad) = pile_on_ground(1000, &mut random);
    broad.update(&boxes);
    let first = broad.num_overlap_tests();
    for i in (1..1000).rev() {
        boxes.swap(i, (random.next() * i as f64) as usize);
    }
    broad.update(&boxes);
    let decayed = broad.num_overlap_tests();
    assert_eq!(broad.pairs(), brute_force(&boxes, broad.filter(), 0.0));
    broad.update(&boxes);
    let again = broad.num_overlap_tests();
    assert!(decayed > 4 * first && again < 2 * first, "{first}, {decayed}, {again} tests");
}

#[test]
fn static_shapes_cost_nothing_among_themselves() {
    let n = 2000;
    let boxes = vec![Aabb::around(Vec3::zeros(), Vec3::repeat(1.0)); n];
    let shapes = (0..n as u32).map(|i| if i == 17 { ShapeFilter::moving(1) } else { ShapeFilter::fixed(0) });
    let mut broad = BroadPhase::new(n, PairFilter::new(shapes.collect(), &[], &[]));
    broad.update(&boxes);
    assert_eq!(broad.pairs().len(), n - 1);
    assert!(broad.num_overlap_tests() < 4 * n, "{} tests", broad.num_overlap_tests());
}

#[test]
fn half_spaces_and_absent_shapes_are_no_exception() {
    let half_space = Aabb::new(Vec3::repeat(f64::NEG_INFINITY), Vec3::new(f64::INFINITY, f64::INFINITY, 0.0));
    let sphere = |z: f64| Aabb::around(Vec3::new(0.0, 0.0, z), Vec3::repeat(0.5));
    let boxes = [half_space, sphere(0.4), Aabb::EMPTY, sphere(0.7), sphere(9.0), half_space];
    let mut broad = BroadPhase::new(6, free(6));
    broad.update(&boxes);
    assert_eq!(broad.pairs(), [(0, 1), (0, 5), (1, 3), (1, 5)]);
}

#[test]
fn unlisted_pairs_are_farther_apart_than_the_margin() {
    let mut random = Random(5);
    let boxes: Vec<Aabb> = (0..200).map(|_| Aabb::around(random.vector(5.0), random.vector(0.3))).collect();
    let mut broad = BroadPhase::new(200, free(200)).with_margin(0.25);
    broad.update(&boxes);
    for (i, a) in boxes.iter().enumerate() {
        for (j, b) in boxes.iter().enumerate().skip(i + 1) {
            let is_listed = broad.pairs().contains(&(i as u32, j as u32));
            assert!(is_listed || a.distance(b) > broad.margin(), "{i} {j}");
            assert!(!is_listed || a.distance(b) <= broad.margin() * 3f64.sqrt(), "{i} {j}");
        }
    }
}

#[test]
fn each_rule_of_the_filter_excludes_pairs_in_both_orders() {
    let mut shapes: Vec<ShapeFilter> = [0, 0, 1, 1, 2, 3, 4].map(ShapeFilter::moving).to_vec();
    (shapes[0], shapes[1]) = (ShapeFilter::fixed(0), ShapeFilter::fixed(5));
    (shapes[5].category, shapes[5].mask) = (0b01, 0b10);
    (shapes[6].category, shapes[6].mask) = (0b10, 0b10);
    let filter = PairFilter::new(shapes, &[(4, 2), (2, 4)], &[(3, 1)]);
    let excluded = [(0, 1), (2, 3), (2, 4), (2, 5), (3, 5), (5, 6)];
    for i in 0..7 {
        for j in 0..7 {
            let is_excluded = i == j || excluded.contains(&(i, j)) || excluded.contains(&(j, i));
            assert_eq!(filter.allows(i, j), !is_excluded, "{i} {j}");
        }
    }
}

#[test]
fn a_visit_shows_the_pairs_of_an_update_and_ends_when_told() {
    let mut random = Random(23);
    let n = 300;
    let boxes: Vec<Aabb> = (0..n).map(|_| Aabb::around(random.vector(3.0), random.vector(0.6))).collect();
    let mut broad = BroadPhase::new(n, free(n));
    let mut seen = Vec::new();
    broad.visit(&boxes, |i, j| {
        seen.push((i, j));
        ControlFlow::Continue(())
    });
    seen.sort_unstable();
    broad.update(&boxes);
    assert!(seen.len() > 1000, "{} pairs", seen.len());
    assert_eq!(seen, broad.pairs());
    let mut count = 0;
    broad.visit(&boxes, |_, _| {
        count += 1;
        if count < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(count, 7);
}
