//! Nanoseconds per distance query of the main pairs of shapes: `cargo bench -p mbs --bench distance`.
//!
//! Two bodies turn and pass each other slowly, from a gap of a tenth of their size to shallow penetration. *first* is a
//! query without a cache, *next* one that starts from the solution of the position before, as in a simulation. The best
//! of several rounds counts.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::f64::consts::TAU;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use mbs::collision::{ConvexShape, PairCache, distance};
use mbs::math::{Pose, Vec3, rotation_about};
use mbs::solid::{Axis, Shape, TriangleMesh};

/// Positions on the way.
const POSITIONS: usize = 1000;
const ROUNDS: usize = 15;

/// A stone: the hull of points on an ellipsoid of about 1 m.
fn stone(corners: u32) -> Shape {
    let golden = TAU * 0.381_966;
    let vertices: Vec<[f64; 3]> = (0..corners)
        .map(|k| {
            let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(corners);
            let (s, c) = (golden * f64::from(k)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            [0.5 * r * c, 0.4 * r * s, 0.45 * z]
        })
        .collect();
    let triangles = (2..corners).map(|k| [k - 2, k - 1, k]).collect();
    Shape::Mesh { mesh: Arc::new(TriangleMesh::new(vertices, triangles).unwrap()), scale: [1.0; 3] }
}

/// Poses of the second body: it turns about a skew axis and passes the first one along y.
fn approach(reach: f64) -> Vec<Pose> {
    let axis = Vec3::new(0.3, 0.5, 0.8).normalize();
    let at = |k: usize| {
        let s = k as f64 / POSITIONS as f64;
        let gap = 0.1 * (TAU * s).cos() + 0.05;
        Pose {
            rotation: rotation_about(&axis, 0.7 + s),
            translation: Vec3::new(reach + gap, 0.2 * (s - 0.5), 0.1 * (0.5 - s)),
        }
    };
    (0..POSITIONS).map(at).collect()
}

/// Best time of a query \[ns\] along the way.
fn time(a: &ConvexShape, b: &ConvexShape, keep: bool) -> f64 {
    let fixed = Pose { rotation: rotation_about(&Vec3::x(), 0.2), ..Pose::identity() };
    let poses = approach(0.9 * (a.bounding_radius().min(0.6) + b.bounding_radius().min(0.6)));
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (mut cache, mut sum) = (PairCache::default(), 0.0);
        let begin = Instant::now();
        for pose in &poses {
            if !keep {
                cache = PairCache::default();
            }
            sum += distance(a, &fixed, b, black_box(pose), &mut cache).distance;
        }
        black_box(sum);
        best = best.min(begin.elapsed().as_secs_f64() * 1e9 / POSITIONS as f64);
    }
    best
}

fn main() {
    let axis = Axis::Z;
    let ball = ("sphere", Shape::Sphere { diameter: 1.0 });
    let brick = ("box", Shape::Box { lengths: [0.8, 0.6, 0.7] });
    let capsule = ("capsule", Shape::Capsule { axis, diameter: 0.5, length: 0.5 });
    let can = ("cylinder", Shape::Cylinder { axis, diameter: 0.8, length: 0.8, inner_diameter: 0.0 });
    let egg = ("ellipsoid", Shape::Ellipsoid { lengths: [1.0, 0.7, 0.8] });
    let (small, large) = (("mesh of 100 corners", stone(100)), ("mesh of 1000 corners", stone(1000)));
    println!("{:<46}{:>12}{:>12}", "pair", "first ns", "next ns");
    for [a, b] in [
        [&ball, &ball],
        [&ball, &brick],
        [&ball, &capsule],
        [&ball, &can],
        [&ball, &small],
        [&ball, &large],
        [&capsule, &capsule],
        [&brick, &brick],
        [&can, &brick],
        [&can, &can],
        [&egg, &egg],
        [&small, &small],
        [&large, &large],
    ] {
        let [shape_a, shape_b] = [a, b].map(|(_, shape)| ConvexShape::new(shape, 0.0).unwrap());
        let (first, next) = (time(&shape_a, &shape_b, false), time(&shape_a, &shape_b, true));
        println!("{:<46}{first:>12.0}{next:>12.0}", format!("{}, {}", a.0, b.0));
    }
}
