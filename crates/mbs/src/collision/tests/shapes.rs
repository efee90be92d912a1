//! Compiled shapes: outer dimensions, errors, hulls, bodies at rest on faces.

use super::random::Random;
use super::*;

const LENGTHS: [f64; 3] = [0.4, 0.6, 1.0];

fn height_above_ground(shape: &Shape, smoothing: f64) -> f64 {
    let body = ConvexShape::new(shape, smoothing).unwrap();
    -measure(&body, &Pose::identity(), &ConvexShape::half_space(Axis::Z), &Pose::identity()).distance
}

#[test]
fn smoothing_keeps_the_outer_dimensions() {
    let axis = Axis::Z;
    let shapes = [
        Shape::Box { lengths: LENGTHS },
        Shape::Cylinder { axis, diameter: 0.4, length: 1.0, inner_diameter: 0.0 },
        Shape::Beam { axis: Axis::X, length: 0.5, width: 0.3, thickness: 1.0 },
        Shape::Sphere { diameter: 1.0 },
        Shape::Ellipsoid { lengths: LENGTHS },
    ];
    for shape in &shapes {
        for smoothing in [0.0, 0.001, 0.1] {
            let height = height_above_ground(shape, smoothing);
            assert!((height - 0.5).abs() < 1e-15, "{} with {smoothing}: {height}", shape.kind());
        }
    }
}

#[test]
fn a_smoothed_corner_is_rounded_inside_the_sharp_one() {
    let (sharp, round) =
        (sharp(&Shape::Box { lengths: [1.0; 3] }), ConvexShape::new(&Shape::Box { lengths: [1.0; 3] }, 0.1).unwrap());
    let n = Vec3::repeat(1.0).normalize();
    let lost = n.dot(&(sharp.support(&n) - round.support(&n)));
    assert!((lost - 0.1 * (3.0_f64.sqrt() - 1.0)).abs() < 1e-15, "{lost}");
}

#[test]
fn a_smoothed_cone_touches_its_base_and_lateral_surface() {
    let shape = Shape::Cone { axis: Axis::Z, diameter: 1.0, top_diameter: 0.0, length: 1.0 };
    let (cone, round) = (sharp(&shape), ConvexShape::new(&shape, 0.05).unwrap());
    let lateral = Vec3::new(1.0, 0.0, 0.5).normalize();
    for n in [-Vec3::z(), lateral] {
        let (outer, inner) = (n.dot(&cone.support(&n)), n.dot(&round.support(&n)));
        assert!((outer - inner).abs() < 1e-15, "{outer} {inner}");
    }
    let half_angle = 0.5_f64.atan();
    let lost = 1.0 - round.support(&Vec3::z()).z;
    assert!((lost - 0.05 * (1.0 / half_angle.sin() - 1.0)).abs() < 1e-14, "{lost}");
}

#[test]
fn impossible_shapes_are_refused_with_the_reason() {
    let refuse = |shape: Shape, smoothing: f64| ConvexShape::new(&shape, smoothing).unwrap_err().to_string();
    let tube = Shape::Cylinder { axis: Axis::Z, diameter: 1.0, length: 1.0, inner_diameter: 0.5 };
    assert!(refuse(tube, 0.0).contains("hollow cylinder is not convex"));
    let message = refuse(Shape::Box { lengths: LENGTHS }, 0.2);
    assert!(message.contains("box is 0.2 m") && message.contains("smaller than 0.2 m"), "{message}");
    assert!(refuse(Shape::Box { lengths: LENGTHS }, f64::NAN).contains("NaN"));
    assert!(refuse(Shape::Sphere { diameter: -1.0 }, 0.0).contains("diameter"));
    let flat = TriangleMesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap();
    assert!(refuse(Shape::Mesh { mesh: Arc::new(flat), scale: [1.0; 3] }, 0.0).contains("no volume"));
}

/// A cube of edge 1 around the origin with a grid of vertices on all its faces.
fn cube_with_grid(count: u32) -> Shape {
    let mut vertices = Vec::new();
    let coordinate = |i: u32| f64::from(i) / f64::from(count) - 0.5;
    for (i, j, k) in (0..=count).flat_map(|i| (0..=count).flat_map(move |j| (0..=count).map(move |k| (i, j, k)))) {
        if [i, j, k].iter().any(|&x| x == 0 || x == count) {
            vertices.push([coordinate(i), coordinate(j), coordinate(k)]);
        }
    }
    let triangles = (2..vertices.len() as u32).map(|i| [0, i - 1, i]).collect();
    Shape::Mesh { mesh: Arc::new(TriangleMesh::new(vertices, triangles).unwrap()), scale: [0.4, 0.6, 1.0] }
}

#[test]
fn a_mesh_of_a_box_collides_like_the_box_also_with_smoothing() {
    let mut random = Random(31);
    for (grid, smoothing) in [(1, 0.0), (1, 0.05), (7, 0.0), (7, 0.05)] {
        let mesh = ConvexShape::new(&cube_with_grid(grid), smoothing).unwrap();
        let body = ConvexShape::new(&Shape::Box { lengths: LENGTHS }, smoothing).unwrap();
        assert!((mesh.bounding_radius() - body.bounding_radius()).abs() < 1e-12, "grid {grid}, smoothing {smoothing}");
        for number in 0..40 {
            let other = random.convex(number % 9);
            let pose = Pose::new(random.rotation(), random.direction());
            let of = |shape: &ConvexShape| measure(shape, &Pose::identity(), &other, &pose).distance;
            assert!(
                (of(&mesh) - of(&body)).abs() < 1e-12,
                "seed 31, grid {grid}, smoothing {smoothing}, scene {number}"
            );
        }
    }
}

#[test]
fn fine_meshes_compile_with_smoothing() {
    for count in [20, 200, 1000] {
        let point = |i: u32| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let (sine, cosine) = (2.399_963 * f64::from(i)).sin_cos();
            [0.5 * (1.0 - z * z).sqrt() * cosine, 0.5 * (1.0 - z * z).sqrt() * sine, 0.5 * z]
        };
        let triangles = (2..count).map(|i| [0, i - 1, i]).collect();
        let mesh = TriangleMesh::new((0..count).map(point).collect(), triangles).unwrap();
        let shape = Shape::Mesh { mesh: Arc::new(mesh), scale: [1.0; 3] };
        let (hull, round) = (sharp(&shape), ConvexShape::new(&shape, 0.01).unwrap());
        let mut random = Random(32);
        for _ in 0..100 {
            let n = random.direction();
            let lost = n.dot(&(hull.support(&n) - round.support(&n)));
            assert!((-1e-12..0.01).contains(&lost), "{count} vertices: {lost}");
        }
    }
}

#[test]
fn bodies_at_rest_on_a_face_are_carried_in_the_middle() {
    let table = sharp(&Shape::Box { lengths: [4.0, 4.0, 0.2] });
    let can = sharp(&Shape::Cylinder { axis: Axis::Z, diameter: 0.4, length: 1.0, inner_diameter: 0.0 });
    for gap in [1e-3, 0.0, -1e-6] {
        let c = measure(&table, &at(0.0, 0.0, -0.1), &can, &at(0.3, 0.2, 0.5 + gap));
        assert!((c.distance - gap).abs() < 1e-15 && (c.normal - Vec3::z()).norm() < 1e-15, "{c:?}");
        let on_ground = measure(&ConvexShape::half_space(Axis::Z), &Pose::identity(), &can, &at(0.3, 0.2, 0.5 + gap));
        assert!((on_ground.point_a.xy() - Vec3::new(0.3, 0.2, 0.0).xy()).norm() < 1e-15, "{on_ground:?}");
    }
    let block = sharp(&Shape::Box { lengths: LENGTHS });
    let c = measure(&ConvexShape::half_space(Axis::Z), &Pose::identity(), &block, &at(0.3, 0.2, 0.5));
    assert!((c.point_a - Vec3::new(0.3, 0.2, 0.0)).norm() < 1e-15, "{c:?}");
}

#[test]
fn a_can_tilted_by_rounding_only_keeps_the_normal_of_the_table() {
    let table = sharp(&Shape::Box { lengths: [4.0, 4.0, 0.2] });
    let can = sharp(&Shape::Cylinder { axis: Axis::Z, diameter: 0.4, length: 1.0, inner_diameter: 0.0 });
    for tilt in [1e-15, 1e-12, 1e-9, 1e-6, 1e-3] {
        for gap in [0.1, 1e-6, -1e-6] {
            let x_wb = Pose::new(rotation_about(&Vec3::x(), tilt), Vec3::new(0.3, 0.2, 0.5 + gap));
            let c = measure(&table, &at(0.0, 0.0, -0.1), &can, &x_wb);
            let expected = gap + 0.5 - (0.5 * tilt.cos() + 0.2 * tilt.sin());
            assert!((c.distance - expected).abs() < 1e-14, "tilt {tilt}: {c:?} {expected}");
            assert!((c.normal - Vec3::z()).norm() < 1e-12, "tilt {tilt}: {c:?}");
        }
    }
}

#[test]
fn a_sphere_knows_its_radius_and_others_do_not() {
    assert_eq!(sharp(&Shape::Sphere { diameter: 0.5 }).sphere_radius(), Some(0.25));
    assert_eq!(sharp(&Shape::Box { lengths: LENGTHS }).sphere_radius(), None);
    assert!(ConvexShape::half_space(Axis::X).is_half_space());
}
