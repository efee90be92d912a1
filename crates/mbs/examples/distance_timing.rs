//! Prints the time of one distance query for typical pairs: cold, warm (the same pair a little further on its path),
//! and with intersecting cores.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::disallowed_methods)]

use mbs::collision::{ConvexShape, PairCache, distance};
use mbs::math::{Pose, Vec3, rotation_about};
use mbs::solid::{Axis, Shape, TriangleMesh};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const QUERIES: usize = 5000;
const ROUNDS: usize = 7;

fn main() {
    let shapes = shapes();
    println!("{:<24} {:>9} {:>9} {:>9}   ns per query", "pair", "cold", "warm", "deep");
    for (i, (name_a, a)) in shapes.iter().enumerate() {
        for (name_b, b) in &shapes[i..] {
            let pair = format!("{name_a}/{name_b}");
            let reach = a.bounding_radius() + b.bounding_radius();
            let times = [(0.9 * reach, false), (0.9 * reach, true), (0.15 * reach, false)];
            let [cold, warm, deep] = times.map(|(offset, keep)| time(a, b, offset, keep));
            println!("{pair:<24} {cold:>9.0} {warm:>9.0} {deep:>9.0}");
        }
    }
}

fn shapes() -> Vec<(&'static str, ConvexShape)> {
    let axis = Axis::Z;
    let kinds = [
        ("sphere", Shape::Sphere { diameter: 0.8 }),
        ("capsule", Shape::Capsule { axis, diameter: 0.4, length: 0.8 }),
        ("box", Shape::Box { lengths: [0.6, 0.8, 1.0] }),
        ("cylinder", Shape::Cylinder { axis, diameter: 0.7, length: 0.9, inner_diameter: 0.0 }),
        ("cone", Shape::Cone { axis, diameter: 0.8, top_diameter: 0.0, length: 0.9 }),
        ("beam", Shape::Beam { axis, length: 0.6, width: 0.4, thickness: 0.3 }),
        ("ellipsoid", Shape::Ellipsoid { lengths: [0.6, 0.8, 1.0] }),
        ("mesh of 200", mesh(200)),
    ];
    let compile = |shape: &Shape| ConvexShape::new(shape, ConvexShape::default_smoothing(shape)).expect("valid shape");
    let mut shapes: Vec<_> = kinds.iter().map(|(name, shape)| (*name, compile(shape))).collect();
    shapes.push(("half-space", ConvexShape::half_space(Axis::Z)));
    shapes
}

/// Points on a sphere in a golden spiral.
fn mesh(count: u32) -> Shape {
    let point = |i: u32| {
        let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(count);
        let (sine, cosine) = (2.399_963_229_728_653 * f64::from(i)).sin_cos();
        let r = (1.0 - z * z).sqrt();
        [0.4 * r * cosine, 0.4 * r * sine, 0.4 * z]
    };
    let triangles = (2..count).map(|i| [0, i - 1, i]).collect();
    let mesh = TriangleMesh::new((0..count).map(point).collect(), triangles).expect("valid mesh");
    Shape::Mesh { mesh: Arc::new(mesh), scale: [1.0; 3] }
}

/// Mean time of a query along a path with slow rotation, centres `offset` apart \[ns\]. Of several rounds the fastest
/// counts, as other programs only ever add to it; the time for the poses alone is taken off.
fn time(a: &ConvexShape, b: &ConvexShape, offset: f64, keep_cache: bool) -> f64 {
    let mut cache = PairCache::default();
    let with_queries = fastest(|i| {
        let (x_wa, x_wb) = place(i, offset);
        if !keep_cache {
            cache.clear();
        }
        black_box(distance(a, &x_wa, b, &x_wb, &mut cache));
    });
    let poses_only = fastest(|i| {
        black_box(place(i, offset));
    });
    (with_queries - poses_only) * 1e9 / QUERIES as f64
}

/// Poses at a place of the path.
fn place(i: usize, offset: f64) -> (Pose, Pose) {
    let s = i as f64 * 1e-3;
    let x_wa = Pose::new(rotation_about(&Vec3::new(0.48, 0.6, 0.64), s), Vec3::zeros());
    let direction = Vec3::new(s.cos(), 0.6 * s.sin(), 0.8 * s.sin());
    (x_wa, Pose::new(rotation_about(&Vec3::y(), 1.7 * s), direction * offset))
}

/// Shortest time of a round of calls \[s\].
fn fastest(mut call: impl FnMut(usize)) -> f64 {
    let round = |_| {
        let start = Instant::now();
        (0..QUERIES).for_each(&mut call);
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}
