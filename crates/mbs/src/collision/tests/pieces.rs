//! Shapes that collide as several convex pieces.

use super::random::Random;
use super::*;
use crate::solid::{ConvexPart, HeightGrid};
use std::f64::consts::PI;

fn pieces(shape: &Shape) -> Vec<ConvexShape> {
    ConvexShape::pieces(shape, 0.0).unwrap()
}

/// Distance of a ball of radius 0.1 m around a point to the nearest piece.
fn to_ball(pieces: &[ConvexShape], center: Vec3) -> f64 {
    let ball = sharp(&Shape::Sphere { diameter: 0.2 });
    let x_wb = Pose { rotation: Mat3::identity(), translation: center };
    pieces.iter().map(|piece| measure(piece, &Pose::identity(), &ball, &x_wb).distance).fold(f64::INFINITY, f64::min)
}

fn tube(inner_diameter: f64) -> Shape {
    Shape::Cylinder { axis: Axis::X, diameter: 2.0, length: 1.0, inner_diameter }
}

#[test]
fn a_hollow_cylinder_is_hollow_and_round_within_its_stated_error() {
    let (ring, mut random) = (pieces(&tube(1.2)), Random(5));
    for _ in 0..2000 {
        let angle = random.between(0.0, 2.0 * PI);
        let at = |radius: f64| Vec3::new(random_height(angle), radius * angle.cos(), radius * angle.sin());
        let outside = to_ball(&ring, at(1.3)) - 0.2;
        let inside = to_ball(&ring, at(0.3)) - 0.2;
        assert!(outside.abs() < 1.6e-4, "outside {outside:e}");
        assert!(inside.abs() < 2.5e-3 * 0.6, "bore {inside:e}");
    }
    assert!((to_ball(&ring, Vec3::zeros()) - 0.5).abs() < 2e-3, "a ball in the middle touches nothing");
}

/// Some height within the tube that changes with the angle.
fn random_height(angle: f64) -> f64 {
    0.3 * (7.0 * angle).sin()
}

#[test]
fn thin_tubes_get_more_sectors_and_too_thin_ones_are_refused() {
    assert_eq!(pieces(&tube(1.2)).len(), 32);
    assert!(pieces(&tube(1.98)).len() > 32);
    let error = ConvexShape::pieces(&tube(1.9999), 0.0).unwrap_err().to_string();
    assert!(error.contains("wall of the hollow cylinder is"), "{error}");
    let error = ConvexShape::pieces(&tube(1.2), 0.01).unwrap_err().to_string();
    assert!(error.contains("grooves"), "{error}");
}

fn waves(nodes: usize) -> HeightGrid {
    let height = |k: usize| ((k / nodes) as f64 * 0.7).sin() * ((k % nodes) as f64 * 0.5).cos();
    HeightGrid::new(nodes, (0..nodes * nodes).map(height).collect()).unwrap()
}

#[test]
fn a_ball_above_a_height_field_has_the_distance_of_the_nearest_triangle() {
    let grid = waves(12);
    let (lengths, scale) = ([3.0, 2.0], 0.2);
    let field = Shape::HeightField { grid: Arc::new(grid.clone()), lengths, scale, thickness: 0.5 };
    let (prisms, mut random) = (pieces(&field), Random(9));
    assert_eq!(prisms.len(), 2 * 11 * 11);
    for _ in 0..200 {
        let center = Vec3::new(random.between(-1.2, 1.2), random.between(-0.8, 0.8), random.between(0.35, 1.0));
        let triangles = grid.triangles().map(|t| t.map(|(i, j)| Vec3::from(grid.node(i, j, lengths, scale))));
        let nearest = triangles.map(|t| to_triangle(&t, &center)).fold(f64::INFINITY, f64::min);
        let found = to_ball(&prisms, center) + 0.1;
        assert!((found - nearest).abs() < 1e-12, "{found} {nearest}");
    }
}

/// Distance of a point to a triangle by projection, edge by edge: independent of the narrow phase.
fn to_triangle(t: &[Vec3; 3], p: &Vec3) -> f64 {
    let n = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
    let inside = (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(p - t[k])).dot(&n) >= 0.0);
    if inside {
        return (p - t[0]).dot(&n).abs();
    }
    let to_edge = |k: usize| {
        let (a, b) = (t[k], t[(k + 1) % 3]);
        let s = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
        (p - a - (b - a) * s).norm()
    };
    (0..3).map(to_edge).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_surface_of_a_height_field_is_closed_and_has_the_volume_of_its_prisms() {
    let (vertices, triangles) = waves(7).surface([3.0, 2.0], 0.2, 0.5);
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    mesh.check_closed().unwrap();
    let grid = waves(7);
    let base = grid.base(0.2, 0.5);
    let area = 3.0 * 2.0 / 72.0;
    let prism = |t: [(usize, usize); 3]| t.map(|(i, j)| grid.node(i, j, [3.0, 2.0], 0.2)[2] - base).iter().sum::<f64>();
    let expected: f64 = grid.triangles().map(|t| prism(t) / 3.0 * area).sum();
    let found = Shape::Mesh { mesh: Arc::new(mesh), scale: [1.0; 3] }.volume().unwrap();
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn convex_parts_of_a_mesh_leave_its_hollows_free() {
    let block = |x: f64| -> Vec<[f64; 3]> {
        (0..8).map(|k| [x + f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)]).collect()
    };
    let vertices: Vec<[f64; 3]> = block(0.0).into_iter().chain(block(3.0)).collect();
    let triangles = (2..16).map(|k| [0, k - 1, k]).collect();
    let whole = TriangleMesh::new(vertices, triangles).unwrap();
    let parted = whole.clone().with_convex_parts([0.0, 3.0].map(block).map(ConvexPart::hull).into()).unwrap();
    let between = Vec3::new(2.0, 0.5, 0.5);
    let shape = |mesh: TriangleMesh| Shape::Mesh { mesh: Arc::new(mesh), scale: [1.0; 3] };
    assert!(to_ball(&pieces(&shape(whole)), between) < 0.0, "the hull fills the gap");
    assert!((to_ball(&pieces(&shape(parted)), between) - 0.9).abs() < 1e-12);
}

#[test]
fn a_half_space_is_ground_below_its_plane() {
    let ground = pieces(&Shape::HalfSpace { axis: Axis::Y, size: 1.0 });
    for x in [0.0, 1e6] {
        assert_eq!(to_ball(&ground, Vec3::new(x, 3.0, -x)), 2.9);
    }
}

#[test]
fn the_surface_for_pictures_has_the_volume_of_the_shape() {
    let shapes = [
        (Shape::Box { lengths: [0.4, 0.6, 1.0] }, 0.0),
        (Shape::Box { lengths: [0.4, 0.6, 1.0] }, 0.01),
        (Shape::Cylinder { axis: Axis::X, diameter: 0.4, length: 1.0, inner_diameter: 0.0 }, 0.005),
        (Shape::Cone { axis: Axis::Z, diameter: 0.4, top_diameter: 0.2, length: 1.0 }, 0.0),
        (Shape::Beam { axis: Axis::Y, length: 0.5, width: 0.3, thickness: 0.2 }, 0.0),
    ];
    for (shape, smoothing) in shapes {
        let (vertices, triangles) = ConvexShape::new(&shape, smoothing).unwrap().surface();
        let mesh = Shape::Mesh { mesh: Arc::new(TriangleMesh::new(vertices, triangles).unwrap()), scale: [1.0; 3] };
        let Shape::Mesh { mesh, .. } = &mesh else { continue };
        let signed: f64 =
            mesh.triangles().iter().map(|&t| mesh.corners(t)).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
        let expected = shape.volume().unwrap();
        assert!((signed / expected - 1.0).abs() < 0.03, "{} {smoothing}: {signed} {expected}", shape.kind());
    }
    let ring = pieces(&tube(1.2));
    let volume = |piece: &ConvexShape| {
        let (vertices, triangles) = piece.surface();
        Shape::Mesh { mesh: Arc::new(TriangleMesh::new(vertices, triangles).unwrap()), scale: [1.0; 3] }
            .volume()
            .unwrap()
    };
    let found: f64 = ring.iter().map(volume).sum();
    assert!((found / tube(1.2).volume().unwrap() - 1.0).abs() < 5e-3, "{found}");
}

/// Pieces of capsules and beams fill the shape and stay within it.
#[test]
fn capsules_and_beams_are_the_union_of_their_pieces() {
    let shapes = [
        Shape::Capsule { axis: Axis::Y, diameter: 0.2, length: 0.5 },
        Shape::Beam { axis: Axis::X, length: 0.5, width: 0.3, thickness: 0.2 },
    ];
    let mut random = Random(17);
    for shape in shapes {
        let (whole, parts) = (ConvexShape::new(&shape, 0.0).unwrap(), pieces(&shape));
        assert_eq!(parts.len(), 3);
        for _ in 0..500 {
            let mut at = || random.between(-0.6, 0.6);
            let center = Vec3::new(at(), at(), at());
            let [whole, parts] = [to_ball(std::slice::from_ref(&whole), center), to_ball(&parts, center)];
            // Inside, the nearest way out of a piece may lead into another one.
            let differs = if whole > -0.1 { (whole - parts).abs() > 1e-12 } else { parts > 0.0 || parts < whole };
            assert!(!differs, "{}: {center:?}: {whole} {parts}", shape.kind());
        }
    }
}

/// Points of the surface of a tube along x with radii 0.6 m and 1 m and a length of 1 m, in the half-plane of an angle.
fn section(angle: f64) -> impl Iterator<Item = Vec3> {
    let at = move |x: f64, radius: f64| Vec3::new(x, radius * angle.cos(), radius * angle.sin());
    (0..=1000).map(|k| f64::from(k) / 1000.0).flat_map(move |k| {
        let (x, radius) = (k - 0.5, 0.6 + 0.4 * k);
        [at(x, 0.6), at(x, 1.0), at(-0.5, radius), at(0.5, radius)]
    })
}

#[test]
fn a_sphere_is_as_far_from_the_whole_of_a_tube_as_from_its_nearest_point() {
    let whole = ConvexShape::whole(&tube(1.2), 0.0).unwrap().unwrap();
    let mut random = Random(21);
    let mut sides = [0, 0];
    for _ in 0..300 {
        let (x, radius, angle) = (random.between(-0.9, 0.9), random.between(0.01, 1.4), random.between(0.0, 2.0 * PI));
        let center = Vec3::new(x, radius * angle.cos(), radius * angle.sin());
        let nearest = section(angle).map(|point| (point - center).norm()).fold(f64::INFINITY, f64::min);
        let is_inside = x.abs() < 0.5 && (0.6..1.0).contains(&radius);
        let found = to_ball(std::slice::from_ref(&whole), center) + 0.1;
        let expected = if is_inside { -nearest } else { nearest };
        assert!((found - expected).abs() < 2e-3, "at {center:?}: {found} instead of {expected}");
        assert!(found.abs() <= nearest + 1e-12, "at {center:?}: a point of the surface is nearer");
        sides[usize::from(is_inside)] += 1;
    }
    assert!(sides[0] > 200 && sides[1] > 30, "{sides:?}");
}

/// The slope of the signed distance is the normal, outside, in the bore and inside the wall.
#[test]
fn the_normal_of_a_sphere_and_a_tube_is_the_slope_of_their_distance() {
    let whole = ConvexShape::whole(&tube(1.2), 0.0).unwrap().unwrap();
    let ball = sharp(&Shape::Sphere { diameter: 0.2 });
    let at = |p: Vec3| measure(&whole, &Pose::identity(), &ball, &Pose { rotation: Mat3::identity(), translation: p });
    let h = 1e-6;
    for (center, normal) in [
        (Vec3::new(0.1, 0.3, 0.4), Vec3::new(0.0, -0.6, -0.8)),
        (Vec3::new(0.1, 0.9, 1.2), Vec3::new(0.0, 0.6, 0.8)),
        (Vec3::new(0.1, 0.96, 0.0), Vec3::y()),
        (Vec3::new(-0.48, 0.0, 0.8), -Vec3::x()),
        (Vec3::new(0.8, 0.0, 1.4), Vec3::new(0.6, 0.0, 0.8)),
        (Vec3::new(0.7, 0.0, 0.7), Vec3::x()),
    ] {
        let found = at(center);
        assert!(found.regular && (found.normal - normal).norm() < 1e-12, "at {center:?}: {:?}", found.normal);
        let slope = Vec3::from_fn(|k, _| {
            let step = Vec3::from_fn(|i, _| if i == k { h } else { 0.0 });
            (at(center + step).distance - at(center - step).distance) / (2.0 * h)
        });
        assert!((slope - normal).norm() < 1e-8, "at {center:?}: {slope:?}");
        assert!((found.point_b - found.point_a - found.normal * found.distance).norm() < 1e-12);
    }
    assert!(!at(Vec3::zeros()).regular, "on the axis every direction is as good");
}
