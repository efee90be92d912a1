//! Seams between the pieces of a surface: together they carry a ball as the surface would.

use super::random::Random;
use super::*;
use crate::collision::at_seams;
use crate::solid::HeightGrid;
use std::f64::consts::PI;

const RADIUS: f64 = 0.1;

/// A height field with nodes 0.5 m apart.
fn field(height: impl Fn(f64, f64) -> f64) -> Vec<ConvexShape> {
    let nodes = 9;
    let at = |k: usize| 0.5 * k as f64 - 2.0;
    let heights = (0..nodes * nodes).map(|k| height(at(k % nodes), at(k / nodes))).collect();
    let grid = Arc::new(HeightGrid::new(nodes, heights).unwrap());
    pieces(&Shape::HeightField { grid, lengths: [4.0, 4.0], scale: 1.0, thickness: 1.0 })
}

fn pieces(shape: &Shape) -> Vec<ConvexShape> {
    ConvexShape::pieces(shape, 0.0).unwrap()
}

/// Contacts with a body, and the shares that the pieces carry.
fn contacts(pieces: &[ConvexShape], body: &ConvexShape, center: Vec3) -> Vec<(crate::collision::Contact, f64)> {
    let (x_a, x_b) = (Pose::identity(), Pose::from_translation(center));
    let contact = |piece: &ConvexShape| {
        let found = measure(piece, &x_a, body, &x_b);
        if found.distance >= 0.0 {
            return None;
        }
        let swapped = at_seams((body, &x_b), (piece, &x_a), found.mirrored());
        let (found, share) = at_seams((piece, &x_a), (body, &x_b), found);
        assert_eq!((swapped.0.mirrored(), swapped.1), (found, share), "the order of the shapes matters");
        Some((found, share)).filter(|(_, share)| *share > 0.0)
    };
    pieces.iter().filter_map(contact).collect()
}

/// Force of a law `delta^1.5` on a ball, and the sum of all shares.
fn force(pieces: &[ConvexShape], center: Vec3) -> (Vec3, f64) {
    let ball = sharp(&Shape::Sphere { diameter: 2.0 * RADIUS });
    let all = contacts(pieces, &ball, center);
    let force = all.iter().map(|(contact, share)| contact.normal * (share * (-contact.distance).powf(1.5))).sum();
    (force, all.iter().map(|(_, share)| share).sum())
}

#[test]
fn a_ball_on_a_plane_of_many_triangles_feels_the_plane() {
    let mut random = Random(31);
    for slope in [[0.0, 0.0], [0.3, -0.2]] {
        let ground = field(|x, y| slope[0] * x + slope[1] * y);
        let normal = Vec3::new(-slope[0], -slope[1], 1.0).normalize();
        for round in 0..600 {
            let depth = random.between(1e-6, 0.01);
            let mut near = || random.between(-0.06, 0.06) + 0.5 * f64::from(round % 3) - 0.5;
            // Next to a node, next to an edge along x, along y or the diagonal, anywhere.
            let (x, y) = match round % 5 {
                0 => (near(), near()),
                1 => (near(), 0.2),
                2 => (-0.3, near()),
                3 => (0.2 + near(), 0.2 + near()),
                _ => (3.0 * near(), 2.0 * near()),
            };
            let center = Vec3::new(x, y, slope[0] * x + slope[1] * y) + normal * (RADIUS - depth);
            let (found, share) = force(&ground, center);
            assert!((found / depth.powf(1.5) - normal).norm() < 1e-9, "{center:?}, {depth}: {found:?}");
            assert!((share - 1.0).abs() < 1e-9, "{center:?}: {share}");
        }
    }
}

#[test]
fn a_ridge_carries_a_ball_once_and_turns_its_force_with_the_ball() {
    for steep in [0.01, 0.2, 1.5] {
        let ground = field(|x, _| -steep * x.abs());
        let angle = f64::atan(steep);
        let depth = 1e-3;
        for k in -50..=50 {
            // The ball rolls over the ridge along x, at the same depth all the time.
            let turn = 1.2 * angle * f64::from(k) / 50.0;
            let direction = Vec3::new(turn.clamp(-angle, angle).sin(), 0.0, turn.clamp(-angle, angle).cos());
            let beyond = (turn.abs() - angle).max(0.0) * turn.signum();
            let along = Vec3::new(angle.cos(), 0.0, -angle.sin() * turn.signum()) * beyond;
            let center = Vec3::new(0.0, 0.13, 0.0) + direction * (RADIUS - depth) + along;
            let (found, share) = force(&ground, center);
            assert!((found / depth.powf(1.5) - direction).norm() < 1e-9, "{steep}, {turn}: {found:?}");
            assert!((share - 1.0).abs() < 1e-9, "{steep}, {turn}: {share}");
        }
    }
}

#[test]
fn a_ball_in_a_groove_rests_on_both_of_its_sides() {
    let ground = field(|x, _| x.abs());
    let depth = 1e-3;
    let center = Vec3::new(0.0, 0.13, (RADIUS - depth) * 2.0_f64.sqrt());
    let (found, share) = force(&ground, center);
    assert!((share - 2.0).abs() < 1e-12, "{share}");
    assert!((found / depth.powf(1.5) - Vec3::z() * 2.0_f64.sqrt()).norm() < 1e-9, "{found:?}");
}

/// The force changes by no more than the depth does in steps so small.
#[test]
fn the_force_on_a_ball_that_is_moved_over_hills_is_continuous() {
    let mut random = Random(37);
    let ball = sharp(&Shape::Sphere { diameter: 2.0 * RADIUS });
    let depth = 2e-3;
    for round in 0..30 {
        let steep = [0.02, 0.3, 1.0][round % 3];
        let heights: Vec<f64> = (0..81).map(|_| random.between(-steep, steep) * 0.5).collect();
        let hills = field(|x, y| heights[((y + 2.0) * 2.0) as usize * 9 + ((x + 2.0) * 2.0) as usize]);
        // Past a node, in any direction.
        let middle = Vec3::new(random.between(-0.03, 0.03), random.between(-0.03, 0.03), 0.0);
        let along = Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0).normalize();
        let to = |piece: &ConvexShape, center: Vec3| {
            measure(piece, &Pose::identity(), &ball, &Pose::from_translation(center)).distance
        };
        let is_near =
            |piece: &ConvexShape| (0..12).any(|k| to(piece, middle + Vec3::z() * (0.1 * f64::from(k) - 0.6)) < 0.15);
        let ground: Vec<ConvexShape> = hills.into_iter().filter(is_near).collect();
        let mut before: Option<Vec3> = None;
        let mut center = middle - along * 0.06 + Vec3::z() * 2.0;
        for k in 0..1200 {
            // As deep everywhere.
            for _ in 0..if k == 0 { 200 } else { 6 } {
                let nearest = ground.iter().map(|piece| to(piece, center)).fold(f64::INFINITY, f64::min);
                center.z -= 0.8 * (nearest + depth);
            }
            let found = force(&ground, center).0 / depth.powf(1.5);
            let change = before.map_or(0.0, |before| (found - before).norm());
            assert!(change < 0.2, "{round}, {center:?}: {before:?} -> {found:?}");
            before = Some(found);
            center += along * 1e-4;
        }
    }
}

#[test]
fn a_tube_carries_a_ball_once_outside_and_on_its_ends() {
    let tube = Shape::Cylinder { axis: Axis::X, diameter: 2.0, length: 1.0, inner_diameter: 1.2 };
    let (ring, mut random, depth) = (pieces(&tube), Random(41), 2e-3);
    for _ in 0..400 {
        let angle = random.between(0.0, 2.0 * PI);
        let outward = Vec3::new(0.0, angle.cos(), angle.sin());
        let outside = Vec3::new(random.between(-0.4, 0.4), 0.0, 0.0) + outward * (1.0 + RADIUS - depth);
        let (_, share) = force(&ring, outside);
        assert!((share - 1.0).abs() < 1e-9, "outside at {angle}: {share}");
        let end = Vec3::new(0.5 + RADIUS - depth, 0.0, 0.0) + outward * random.between(0.7, 0.9);
        let (found, share) = force(&ring, end);
        assert!((share - 1.0).abs() < 1e-9, "end at {angle}: {share}");
        assert!((found / depth.powf(1.5) - Vec3::x()).norm() < 1e-9, "end at {angle}: {found:?}");
    }
}

#[test]
fn an_ellipsoid_is_carried_once_as_well() {
    let (ground, mut random) = (field(|_, _| 0.0), Random(43));
    let body = sharp(&Shape::Ellipsoid { lengths: [0.4, 0.3, 0.2] });
    for _ in 0..300 {
        let depth = random.between(1e-6, 0.005);
        let center = Vec3::new(random.between(-0.6, 0.6), random.between(-0.6, 0.6), 0.1 - depth);
        let all = contacts(&ground, &body, center);
        let share: f64 = all.iter().map(|(_, share)| share).sum();
        assert!((share - 1.0).abs() < 1e-9, "{center:?}: {share}");
        assert!(all.iter().all(|(contact, _)| (contact.normal - Vec3::z()).norm() < 1e-9));
    }
}
