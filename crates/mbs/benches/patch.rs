//! Microseconds per evaluation of contacts of faces, edges and corners: `cargo bench -p mbs --bench patch`.
//!
//! *find* cuts the polygons of equal pressure, *force* integrates pressure, damping and friction over them, *slopes*
//! their derivatives. A step takes about two of the first two for each of the third. The best of several rounds counts.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::f64::consts::FRAC_PI_2;
use std::hint::black_box;
use std::time::Instant;

use mbs::collision::{ConvexShape, PairCache};
use mbs::contact::patch::{Directions, Patch, PatchMotion, PatchScratch, Twist, central_pressures, patch_bodies};
use mbs::contact::{ContactMaterial, ContactOptions, Curvature};
use mbs::material::{MaterialPair, MaterialTable};
use mbs::math::{Mat3, Pose, Vec3, rotation_about};
use mbs::solid::{Axis, Shape};

const ROUNDS: usize = 15;
const EVALUATIONS: usize = 1000;

/// Best time of an evaluation \[µs\].
fn time(mut evaluate: impl FnMut() -> f64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut sum = 0.0;
        let begin = Instant::now();
        for _ in 0..EVALUATIONS {
            sum += evaluate();
        }
        black_box(sum);
        best = best.min(begin.elapsed().as_secs_f64() * 1e6 / EVALUATIONS as f64);
    }
    best
}

fn cuboid(lengths: [f64; 3]) -> ConvexShape {
    ConvexShape::new(&Shape::Box { lengths }, 0.0).unwrap()
}

fn main() {
    let table = MaterialTable::builtin();
    let wood = table.material("DryWood").unwrap();
    let own = Curvature::Other { radius: 0.05 };
    let pair = MaterialPair::new(0.5, 0.4, 0.0);
    let law = ContactMaterial::new((wood, own), (wood, own), pair, ContactOptions::default()).unwrap().freeze(0.1);
    let twist = Twist { v: Vec3::new(0.02, 0.01, -0.001), w: Vec3::new(0.1, 0.05, 0.2) };
    let motion = PatchMotion { material: twist, surface: twist };

    let table_top = cuboid([1.0, 1.0, 0.1]);
    let brick = cuboid([0.2, 0.1, 0.06]);
    let cylinder =
        ConvexShape::new(&Shape::Cylinder { axis: Axis::Z, diameter: 0.1, length: 0.2, inner_diameter: 0.0 }, 0.0)
            .unwrap();
    let on_top =
        |height: f64, rotation: Mat3| Pose { rotation, translation: Vec3::new(0.1, 0.05, 0.05 + height - 1e-5) };
    let turn = |axis: [f64; 3], angle: f64| rotation_about(&Vec3::from(axis).normalize(), angle);
    let edge = turn([0.0, 1.0, 0.0], 0.4);
    let corner = turn([1.0, 0.3, 0.2], 0.7) * edge;
    let lowest = |rotation: Mat3| {
        let corner = |k: usize| Vec3::new([-0.1, 0.1][k & 1], [-0.05, 0.05][k >> 1 & 1], [-0.03, 0.03][k >> 2]);
        -(0..8).map(|k| (rotation * corner(k)).z).fold(f64::INFINITY, f64::min)
    };
    let aside = |x: f64, angle: f64| Pose {
        rotation: turn([0.0, 0.0, 1.0], angle),
        translation: Vec3::new(x, 0.0, 0.06 - 1e-5),
    };
    let cases: [(&str, &ConvexShape, &ConvexShape, Pose); 9] = [
        ("face on a table", &table_top, &brick, on_top(0.03, Mat3::identity())),
        ("face on a table, turned", &table_top, &brick, on_top(0.03, turn([0.0, 0.0, 1.0], 0.3))),
        ("brick on a brick, aligned", &brick, &brick, aside(0.0, 0.0)),
        ("brick on a brick, half", &brick, &brick, aside(0.1, 0.0)),
        ("brick on a brick, turned", &brick, &brick, aside(0.1, 0.02)),
        ("edge on a table", &table_top, &brick, on_top(lowest(edge), edge)),
        ("corner on a table", &table_top, &brick, on_top(lowest(corner), corner)),
        ("cylinder stands", &table_top, &cylinder, on_top(0.1, Mat3::identity())),
        ("cylinder lies", &table_top, &cylinder, on_top(0.05, turn([1.0, 0.0, 0.0], FRAC_PI_2))),
    ];
    println!("{:<28} {:>7} {:>7} {:>7} {:>7}  [µs]", "", "find", "force", "slopes", "all");
    for (name, a, b, pose) in cases {
        let modulus = wood.youngs_modulus / (1.0 - wood.poissons_ratio * wood.poissons_ratio);
        let fields = central_pressures([(a, modulus), (b, modulus)]);
        let mut cache = PairCache::default();
        let [a, b] =
            patch_bodies([(a, Pose::identity()), (b, pose)], fields, &mut cache, &mut Directions::default()).unwrap();
        let (mut patch, mut scratch) = (Patch::default(), PatchScratch::default());
        let find = time(|| {
            patch.intersect(black_box(&a), black_box(&b), &mut scratch);
            patch.area()
        });
        let force = time(|| patch.response(&law, black_box(&motion)).f.x);
        let slopes = time(|| patch.slopes(&law, black_box(&motion)).by_pose[0].f[0][(0, 0)]);
        println!("{name:<28} {find:>7.2} {force:>7.2} {slopes:>7.2} {:>7.2}", find + force + slopes);
    }
}
