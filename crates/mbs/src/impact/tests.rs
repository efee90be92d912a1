#![allow(clippy::unwrap_used, clippy::panic)]
use super::cone::{Effort, impulses};
use super::interior::inner_impulses;
use super::pivoting::least_impulses;
use super::point::PointConstraint;
use super::{Group, GroupError, PointLaw};
use crate::linalg::{Dense, dot};
use crate::material::{ImpactOrder, Restitution};
use crate::math::Vec3;

/// Approach velocity that is none \[m/s\].
const STOPPED: f64 = 1e-9;

fn law(pair: usize, cor: f64, mu: f64) -> PointLaw {
    PointLaw { pair, cor, mu, restitution: Restitution::Newton, rest_speed: 1e-9, supports: false }
}

/// Numbers between -1 and 1 that follow from a seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Points of a mechanism with so many velocities and random directions: redundant where there are more points.
fn random_group(seed: u64, points: usize, velocities: usize, friction: f64) -> Group {
    let mut numbers = Numbers(seed);
    let jacobian: Vec<Vec<f64>> = (0..3 * points).map(|_| (0..velocities).map(|_| numbers.next()).collect()).collect();
    let masses: Vec<f64> = (0..velocities).map(|_| 1.5 + numbers.next()).collect();
    let v: Vec<f64> = (0..velocities).map(|_| numbers.next()).collect();
    let mut mobility = Dense::zeros(3 * points);
    for (i, a) in jacobian.iter().enumerate() {
        for (j, b) in jacobian.iter().enumerate() {
            mobility.set(i, j, a.iter().zip(b).zip(&masses).map(|((a, b), m)| a * b / m).sum());
        }
    }
    let laws = (0..points).map(|i| law(i, 0.5 + 0.5 * numbers.next(), friction * (1.0 + numbers.next()))).collect();
    Group { mobility, velocities: jacobian.iter().map(|row| dot(row, &v)).collect(), laws, stopped: STOPPED }
}

fn after(group: &Group, p: &[f64]) -> Vec<f64> {
    group.mobility.times(p).iter().zip(&group.velocities).map(|(dv, v)| v + dv).collect()
}

/// Equal balls in a row that touch each other; their velocities before.
fn row(v: &[f64], cor: f64) -> Group {
    let points = v.len() - 1;
    let mut mobility = Dense::zeros(3 * points);
    let mut velocities = vec![0.0; 3 * points];
    for i in 0..points {
        for k in 0..3 {
            mobility.set(3 * i + k, 3 * i + k, 2.0);
            if i + 1 < points {
                mobility.set(3 * i + k, 3 * i + 3 + k, -1.0);
                mobility.set(3 * i + 3 + k, 3 * i + k, -1.0);
            }
        }
        velocities[3 * i] = v[i + 1] - v[i];
    }
    Group { mobility, velocities, laws: (0..points).map(|i| law(i, cor, 0.0)).collect(), stopped: STOPPED }
}

/// Velocities of the balls of a row after impulses.
fn row_after(v: &[f64], p: &[f64]) -> Vec<f64> {
    let impulse = |i: usize| p.get(3 * i).copied().unwrap_or(0.0);
    (0..v.len()).map(|i| v[i] - impulse(i) + if i > 0 { impulse(i - 1) } else { 0.0 }).collect()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst <= tolerance && found.len() == expected.len(), "{found:?} instead of {expected:?}: {worst:e}");
}

#[test]
fn a_cradle_passes_the_velocity_on_when_impulses_follow_each_other() {
    let v = [1.0, 0.0, 0.0, 0.0, 0.0];
    let p = row(&v, 1.0).impulses(ImpactOrder::Sequential).unwrap();
    assert_near(&row_after(&v, &p), &[0.0, 0.0, 0.0, 0.0, 1.0], 1e-14);
}

#[test]
fn two_balls_that_strike_a_cradle_drive_two_off() {
    let v = [1.0, 1.0, 0.0, 0.0, 0.0];
    let p = row(&v, 1.0).impulses(ImpactOrder::Sequential).unwrap();
    assert_near(&row_after(&v, &p), &[0.0, 0.0, 0.0, 1.0, 1.0], 1e-14);
}

/// All impulses at once and Newton's hypothesis: only the first gap closed, so that only it opens, with the velocity of
/// the impact; the others stay closed: `v_1 = (1 - (n-1) )/n`, all others `2/n`.
#[test]
fn an_impact_on_a_row_at_once_moves_all_others_together() {
    for n in 2..7_usize {
        let mut v = vec![0.0; n];
        v[0] = 1.0;
        let p = row(&v, 1.0).impulses(ImpactOrder::Simultaneous).unwrap();
        let size = n as f64;
        let mut expected = vec![2.0 / size; n];
        expected[0] = 2.0 / size - 1.0;
        assert_near(&row_after(&v, &p), &expected, 1e-13);
    }
}

#[test]
fn what_comes_back_from_one_impact_is_the_coefficient_of_restitution() {
    for cor in [0.0, 0.3, 1.0] {
        for restitution in [Restitution::Newton, Restitution::Poisson] {
            let mut group = row(&[3.0, -1.0], cor);
            group.laws[0].restitution = restitution;
            let p = group.impulses(ImpactOrder::Simultaneous).unwrap();
            assert_near(&after(&group, &p), &[cor * 4.0, 0.0, 0.0], 1e-14);
        }
    }
}

/// A sphere of mass 1 that strikes a plane obliquely while it spins: with `k = 2/5` it slides on while friction is less
/// than `2/7 v_t / (1 + e) v_n`, and rolls after that.
#[test]
fn an_oblique_sphere_slides_or_rolls_as_the_closed_form_says() {
    for (mu, cor) in [(0.05, 0.5), (0.1, 1.0), (0.6, 0.2), (0.9, 0.8)] {
        let mut mobility = Dense::zeros(3);
        [1.0, 3.5, 3.5].iter().enumerate().for_each(|(k, w)| mobility.set(k, k, *w));
        let (v_n, slip) = (2.0, [3.0, -4.0]);
        let group =
            Group { mobility, velocities: vec![-v_n, slip[0], slip[1]], laws: vec![law(0, cor, mu)], stopped: STOPPED };
        let p = group.impulses(ImpactOrder::Simultaneous).unwrap();
        let normal = (1.0 + cor) * v_n;
        let friction = (mu * normal).min(5.0 / 3.5);
        assert_near(&p, &[normal, -friction * 0.6, friction * 0.8], 1e-12);
    }
}

/// A box that falls flat on its four corners: the least impulses are equal, and nothing turns.
#[test]
fn four_corners_of_a_flat_box_share_its_impulse() {
    let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]];
    let mut mobility = Dense::zeros(12);
    for (i, a) in corners.iter().enumerate() {
        for (j, b) in corners.iter().enumerate() {
            // A mass of 2, inertias of 0.7 and 0.9.
            mobility.set(3 * i, 3 * j, 0.5 + a[0] * b[0] / 0.7 + a[1] * b[1] / 0.9);
            mobility.set(3 * i + 1, 3 * j + 1, 0.5);
            mobility.set(3 * i + 2, 3 * j + 2, 0.5);
        }
    }
    let velocities = [-1.0, 0.2, 0.0].repeat(4);
    let group = Group { mobility, velocities, laws: (0..4).map(|_| law(0, 0.5, 0.03)).collect(), stopped: STOPPED };
    let p = group.impulses(ImpactOrder::Simultaneous).unwrap();
    let each = 2.0 * 1.5 / 4.0;
    assert_near(&p, &[each, -0.03 * each, 0.0].repeat(4), 1e-7);
    assert_near(&after(&group, &p), &[0.5, 0.2 - 0.03 * 1.5, 0.0].repeat(4), 1e-12);
}

#[test]
fn pivoting_agrees_with_projected_iterations() {
    for seed in 0..200 {
        let points = 1 + (seed as usize % 9);
        let group = random_group(seed, points, 4 + seed as usize % 5, 0.0);
        let normals: Vec<usize> = (0..points).map(|i| 3 * i).collect();
        let w = group.mobility.part(&normals);
        let q: Vec<f64> = normals.iter().map(|&n| group.velocities[n]).collect();
        let x = least_impulses(&w, &q, 1.0).unwrap();
        let mut y = vec![0.0_f64; points];
        for _ in 0..200_000 {
            for i in 0..points {
                y[i] = (y[i] - (dot(w.row(i), &y) + q[i]) / w.at(i, i)).max(0.0);
            }
        }
        let [v, u] = [&x, &y].map(|p| w.times(p).iter().zip(&q).map(|(v, q)| v + q).collect::<Vec<_>>());
        let worst = v.iter().zip(&u).map(|(v, u)| (v - u).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "seed {seed}: {worst:e}");
        assert!(dot(&x, &x).sqrt() <= dot(&y, &y).sqrt() * (1.0 + 1e-6) + 1e-9, "seed {seed}: not the least impulse");
    }
}

/// Signorini's conditions, Coulomb's cone and the direction of sliding, and the balance of energy.
#[test]
fn random_groups_obey_all_laws_and_gain_no_energy() {
    for seed in 0..240 {
        let points = 1 + (seed as usize % 8);
        // With friction there are as many velocities as points; without it, redundant points as well.
        let (velocities, mu) = if seed % 3 == 0 { (3 + seed as usize % 12, 0.0) } else { (points + 4, 0.4) };
        let group = random_group(seed + 1000, points, velocities, mu);
        for restitution in [Restitution::Newton, Restitution::Poisson] {
            let mut group = group.clone();
            group.laws.iter_mut().for_each(|law| law.restitution = restitution);
            let p = group.impulses(ImpactOrder::Simultaneous);
            let p = p.unwrap_or_else(|error| panic!("seed {seed}, {restitution:?}: {error:?}"));
            let v = after(&group, &p);
            for (i, law) in group.laws.iter().enumerate() {
                let (p, v) = (&p[3 * i..], &v[3 * i..]);
                let tangential = dot(&p[1..3], &p[1..3]).sqrt();
                assert!(p[0] >= -1e-12 && v[0] >= -1e-9, "seed {seed}: impulse {} and velocity {}", p[0], v[0]);
                assert!(tangential <= law.mu * p[0] + 1e-8, "seed {seed}: friction {tangential} outside its cone");
                if restitution == Restitution::Newton {
                    let power = dot(&p[1..3], &v[1..3]) + tangential * dot(&v[1..3], &v[1..3]).sqrt();
                    assert!(power.abs() < 1e-7, "seed {seed}: friction does not oppose sliding: {power:e}");
                }
            }
            let size: f64 = p.iter().zip(&group.velocities).map(|(p, v)| (p * v).abs()).sum();
            assert!(group.gained(&p) <= 1e-10 * size, "seed {seed}, {restitution:?}: gains {}", group.gained(&p));
        }
    }
}

#[test]
fn the_order_of_the_points_does_not_matter() {
    for seed in 0..40 {
        let points = 2 + (seed as usize % 6);
        let group = random_group(seed + 5000, points, 8, 0.3);
        let order: Vec<usize> = (0..points).rev().collect();
        let rows: Vec<usize> = order.iter().flat_map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let turned = Group {
            mobility: group.mobility.part(&rows),
            velocities: rows.iter().map(|&row| group.velocities[row]).collect(),
            laws: order.iter().map(|&i| group.laws[i]).collect(),
            stopped: STOPPED,
        };
        let v = after(&group, &group.impulses(ImpactOrder::Simultaneous).unwrap());
        let u = after(&turned, &turned.impulses(ImpactOrder::Simultaneous).unwrap());
        let expected: Vec<f64> = rows.iter().map(|&row| v[row]).collect();
        let worst = u.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "seed {seed}: {worst:e}");
    }
}

#[test]
fn scaled_masses_and_velocities_scale_the_impulses() {
    let group = random_group(77, 5, 9, 0.3);
    let mut scaled = group.clone();
    for i in 0..15 {
        (0..15).for_each(|j| scaled.mobility.set(i, j, group.mobility.at(i, j) * 1e6));
        scaled.velocities[i] *= 1e-3;
    }
    scaled.laws.iter_mut().for_each(|law| law.rest_speed *= 1e-3);
    let [p, s] = [&group, &scaled].map(|group| group.impulses(ImpactOrder::Simultaneous).unwrap());
    assert_near(&s.iter().map(|p| p * 1e9).collect::<Vec<_>>(), &p, 1e-9);
}

/// A sphere of mass 1 that lies on ground and rolls against an edge at 7/5 of its radius, which pushes it down as well:
/// the ground answers at once, and the sphere rolls back. One after the other, it would be pushed into the ground, which
/// takes the energy of that.
#[test]
fn ground_answers_at_once_to_what_strikes_a_ball_on_it() {
    let (speed, cor) = (1.5, 0.9);
    let (sine, cosine) = (0.4, 0.84_f64.sqrt());
    // Normal and tangents at the edge and on the ground, as factors of the sphere's velocity (x, z) and of its angular
    // velocity times its radius. Normals point to the sphere.
    let edge = [[-cosine, -sine, 0.0], [-sine, cosine, 1.0], [0.0; 3]];
    let ground = [[0.0, 1.0, 0.0], [1.0, 0.0, -1.0], [0.0; 3]];
    let rows: Vec<[f64; 3]> = edge.into_iter().chain(ground).collect();
    let before = [speed, 0.0, speed];
    let mut mobility = Dense::zeros(6);
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows.iter().enumerate() {
            mobility.set(i, j, a[0] * b[0] + a[1] * b[1] + 2.5 * a[2] * b[2]);
        }
    }
    [2, 5].into_iter().for_each(|i| mobility.set(i, i, 1.0));
    let laws = vec![law(0, cor, 0.0), PointLaw { supports: true, ..law(1, 0.0, 0.8) }];
    let group =
        Group { mobility, velocities: rows.iter().map(|row| dot(row, &before)).collect(), laws, stopped: STOPPED };
    for order in [ImpactOrder::Simultaneous, ImpactOrder::Sequential] {
        let p = group.impulses(order).unwrap();
        let dv = |k: usize| rows.iter().zip(&p).map(|(row, p)| row[k] * p).sum::<f64>();
        let v = [before[0] + dv(0), before[1] + dv(1), before[2] + 2.5 * dv(2)];
        assert_near(&v, &[-cor * speed, 0.0, -cor * speed], 1e-9);
    }
}

/// Where no exact impulses are found, others still press, slide within Coulomb's bound, take energy and stop all points.
#[test]
fn impulses_that_need_not_be_exact_obey_the_laws_but_for_restitution() {
    for seed in 0..60 {
        let (points, velocities) = (2 + seed as usize % 7, 3 + seed as usize % 5);
        let mut group = random_group(seed, points, velocities, 0.8);
        let speed = group.velocities.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        group.laws.iter_mut().for_each(|law| law.rest_speed = 1e-6 * speed);
        let p = group.inelastic().unwrap_or_else(|| panic!("group {seed} does not stop"));
        assert!(group.gained(&p) <= 0.0, "{seed}");
        let v = after(&group, &p);
        for (i, law) in group.laws.iter().enumerate() {
            let [n, t, u] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
            assert!(n >= 0.0 && t.hypot(u) <= law.mu * n * (1.0 + 1e-12), "{seed}: {n} {t} {u}");
            assert!(v[3 * i] >= -law.rest_speed, "{seed}: {v:?}");
        }
    }
}

/// A pyramid of boxes of 0.2 x 0.1 x 0.1 m, each on two of the row below with four points per pair: three times as many
/// conditions as velocities, which are at random.
fn pyramid(seed: u64, rows: usize) -> Group {
    let mut numbers = Numbers(seed);
    let boxes: Vec<(usize, usize)> = (0..rows).flat_map(|r| (0..rows - r).map(move |k| (r, k))).collect();
    let middle = |(r, k): (usize, usize)| Vec3::new(0.21 * (k as f64 + 0.5 * r as f64), 0.0, 0.05 + 0.1 * r as f64);
    let number = |of: (usize, usize)| boxes.iter().position(|own| *own == of);
    // Points of contact: the body below, if it is none of the ground, the one above, and the place.
    let mut points: Vec<(Option<usize>, usize, Vec3)> = Vec::new();
    for (above, &(r, k)) in boxes.iter().enumerate() {
        let at = middle((r, k));
        let mut touch = |below: Option<usize>, ends: [f64; 2]| {
            for (x, y) in ends.into_iter().flat_map(|x| [(x, -0.05), (x, 0.05)]) {
                points.push((below, above, Vec3::new(x, y, at.z - 0.05)));
            }
        };
        if r == 0 {
            touch(None, [at.x - 0.1, at.x + 0.1]);
        } else {
            touch(number((r - 1, k)), [at.x - 0.1, at.x - 0.005]);
            touch(number((r - 1, k + 1)), [at.x + 0.005, at.x + 0.1]);
        }
    }
    let mass = 2.0;
    let inertia = [[0.1, 0.1], [0.2, 0.1], [0.2, 0.1]].map(|[a, b]| mass / 12.0 * (a * a + b * b));
    let row = |(below, above, place): &(Option<usize>, usize, Vec3), axis: Vec3| {
        let mut row = vec![0.0; 6 * boxes.len()];
        for (body, sign) in [(Some(*above), 1.0), (*below, -1.0)] {
            let Some(body) = body else { continue };
            let arm = (place - middle(boxes[body])).cross(&axis);
            (0..3).for_each(|k| (row[6 * body + k], row[6 * body + 3 + k]) = (sign * axis[k], sign * arm[k]));
        }
        row
    };
    let axes = [Vec3::z(), Vec3::x(), Vec3::y()];
    let jacobian: Vec<Vec<f64>> = points.iter().flat_map(|point| axes.map(|axis| row(point, axis))).collect();
    let inverse = |k: usize| if k % 6 < 3 { 1.0 / mass } else { 1.0 / inertia[k % 6 - 3] };
    let mut mobility = Dense::zeros(jacobian.len());
    for (i, a) in jacobian.iter().enumerate() {
        for (j, b) in jacobian.iter().enumerate() {
            mobility.set(i, j, a.iter().zip(b).enumerate().map(|(k, (a, b))| a * b * inverse(k)).sum());
        }
    }
    let v: Vec<f64> = (0..6 * boxes.len()).map(|_| numbers.next()).collect();
    let laws = (0..points.len()).map(|i| law(i / 4, 0.0, 0.5)).collect();
    Group { mobility, velocities: jacobian.iter().map(|row| dot(row, &v)).collect(), laws, stopped: STOPPED }
}

/// Far more points than hold the bodies: exact impulses are found nevertheless.
#[test]
fn impacts_of_pyramids_obey_all_laws() {
    for (rows, seed) in (2..8).flat_map(|rows| (0..6).map(move |seed| (rows, seed))) {
        let group = pyramid(seed, rows);
        let demands = vec![PointConstraint { least: 0.0, target: 0.0, mu: 0.5 }; group.laws.len()];
        let p = impulses(&group.mobility, &group.velocities, &demands, [1.0, STOPPED], Effort::Full);
        let p = p.unwrap_or_else(|_| panic!("{rows} rows, {seed}: no impulses"));
        let v = after(&group, &p);
        for (p, v) in p.chunks_exact(3).zip(v.chunks_exact(3)) {
            let (sliding, friction) = (v[1].hypot(v[2]), p[1].hypot(p[2]));
            assert!(p[0] >= -1e-9 && v[0] >= -1e-9 && p[0] * v[0] < 1e-8, "{rows} rows, {seed}: {p:?} {v:?}");
            assert!(friction <= 0.5 * p[0] + 1e-8, "{rows} rows, {seed}: {p:?}");
            let power = p[1] * v[1] + p[2] * v[2] + 0.5 * p[0] * sliding;
            assert!(power.abs() < 1e-8, "{rows} rows, {seed}: friction does not oppose sliding, {power:e}");
        }
        assert!(group.gained(&p) < 0.0);
    }
}

/// Interior points alone come near the solution, however many points hold the bodies.
#[test]
fn interior_points_come_near_the_impulses_of_pyramids() {
    for (rows, seed) in (2..6).flat_map(|rows| (0..4).map(move |seed| (rows, seed))) {
        let group = pyramid(seed, rows);
        let demands = vec![PointConstraint { least: 0.0, target: 0.0, mu: 0.5 }; group.laws.len()];
        let p = inner_impulses(&group.mobility, &group.velocities, &demands, 1.0).unwrap();
        let v = after(&group, &p);
        for (p, v) in p.chunks_exact(3).zip(v.chunks_exact(3)) {
            let (sliding, friction) = (v[1].hypot(v[2]), p[1].hypot(p[2]));
            assert!(p[0] >= 0.0 && v[0] >= -1e-4 && p[0] * v[0] < 1e-4, "{rows} rows, {seed}: {p:?} {v:?}");
            assert!(friction <= 0.5 * p[0], "{rows} rows, {seed}: {p:?}");
            let power = p[1] * v[1] + p[2] * v[2] + 0.5 * p[0] * sliding;
            assert!(power.abs() < 1e-4, "{rows} rows, {seed}: friction does not oppose sliding, {power:e}");
        }
    }
}

/// A group that moves slower than its restitution counts.
fn slow(group: Group, speed: f64) -> Group {
    let most = group.velocities.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let velocities = group.velocities.iter().map(|v| speed * v / most).collect();
    let laws = group.laws.iter().map(|own| PointLaw { rest_speed: 2.0 * speed, ..*own }).collect();
    Group { velocities, laws, ..group }
}

/// Redundant points, too.
#[test]
fn what_rattles_is_stopped() {
    for seed in 0..200 {
        let group = slow(random_group(seed, 2 + (seed % 5) as usize, 6, 0.5), 0.01);
        let p = group.stopping_impulses().unwrap();
        let v = after(&group, &p);
        assert!(v.iter().all(|v| v.abs() < 1e-11), "{seed}: {v:?}");
        let before: f64 = group.gained(&p);
        assert!(before < 0.0, "{seed}: {before:e}");
    }
}

/// A body with two velocities that slides fast between two faces at a small angle could only be stopped by an impulse
/// that is as large as the angle is small.
#[test]
fn what_almost_jams_is_not_stopped() {
    let wedge = |angle: f64| {
        let [normals, tangents] = [[(0.0, 1.0), (angle.sin(), -angle.cos())], [(1.0, 0.0), (angle.cos(), angle.sin())]];
        let rows = [normals[0], tangents[0], (0.0, 0.0), normals[1], tangents[1], (0.0, 0.0)];
        let mut mobility = Dense::zeros(rows.len());
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate() {
                mobility.set(i, j, a.0 * b.0 + a.1 * b.1);
            }
        }
        let v = (1.0, 0.0);
        let mut velocities: Vec<f64> = rows.iter().map(|row| row.0 * v.0 + row.1 * v.1).collect();
        velocities[3] = -1e-3;
        let laws = (0..2).map(|pair| PointLaw { rest_speed: 0.01, ..law(pair, 0.0, 0.3) }).collect();
        Group { mobility, velocities, laws, stopped: STOPPED }
    };
    assert!(wedge(1.0).stopping_impulses().is_some());
    assert_eq!(wedge(1e-3).stopping_impulses(), None);
}

#[test]
fn what_is_driven_together_is_told_with_its_points() {
    // A body between two walls, one of which moves, and another body beside it that falls on a floor.
    let mut mobility = Dense::zeros(9);
    for k in 0..3 {
        for (i, j, w) in [(0, 0, 1.0), (1, 1, 1.0), (0, 1, -1.0), (1, 0, -1.0), (2, 2, 0.5)] {
            mobility.set(3 * i + k, 3 * j + k, w);
        }
    }
    let group = |left: f64, right: f64| Group {
        mobility: mobility.clone(),
        velocities: vec![left, 0.1, 0.0, right, 0.0, 0.2, -1.0, 0.3, 0.0],
        laws: vec![law(0, 0.3, 0.5), law(1, 0.3, 0.5), law(2, 0.3, 0.5)],
        stopped: STOPPED,
    };
    for order in [ImpactOrder::Simultaneous, ImpactOrder::Sequential] {
        for [left, right] in [[-1e-3, 0.0], [0.0, -1.0], [-1.0, -1e-6], [-2.0, 1.0]] {
            let found = group(left, right).impulses(order);
            assert_eq!(found, Err(GroupError::Squeezed(vec![0, 1])), "{left} {right}");
        }
        // The walls move in the same direction.
        for [left, right] in [[-1.0, 1.0], [-1.0, 2.0], [0.0, 0.0]] {
            assert!(group(left, right).impulses(order).is_ok(), "{left} {right}");
        }
    }
}
