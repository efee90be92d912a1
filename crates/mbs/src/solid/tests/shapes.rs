use super::tessellation::{arc, limit, plate, revolved};
use super::*;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

fn solid(shape: &Shape) -> VolumeProperties {
    shape.volume_properties().unwrap()
}

#[test]
fn closed_forms_equal_the_limit_of_fine_tessellation() {
    for axis in AXES {
        let capsule = Shape::Capsule { axis, diameter: 0.6, length: 1.1 };
        let mesh =
            |n| revolved(axis, &[arc(-0.55, 0.3, -FRAC_PI_2, 0.0, n), arc(0.55, 0.3, 0.0, FRAC_PI_2, n)].concat(), n);
        assert_same(&solid(&capsule), &limit(mesh), 1e-6, "capsule");

        let tube = Shape::Cylinder { axis, diameter: 1.0, length: 0.7, inner_diameter: 0.6 };
        let profile = [[0.3, -0.35], [0.5, -0.35], [0.5, 0.35], [0.3, 0.35], [0.3, -0.35]];
        assert_same(&solid(&tube), &limit(|n| revolved(axis, &profile, n)), 1e-6, "hollow cylinder");

        let frustum = Shape::Cone { axis, diameter: 1.0, top_diameter: 0.4, length: 0.9 };
        let profile = [[0.0, 0.0], [0.5, 0.0], [0.2, 0.9], [0.0, 0.9]];
        assert_same(&solid(&frustum), &limit(|n| revolved(axis, &profile, n)), 1e-6, "frustum");

        let beam = Shape::Beam { axis, length: 0.8, width: 0.3, thickness: 0.1 };
        assert_same(&solid(&beam), &limit(|n| plate(axis, 0.8, 0.3, 0.1, n)), 1e-6, "beam");
    }
    let ball = |n| revolved(Axis::Z, &arc(0.0, 0.5, -FRAC_PI_2, FRAC_PI_2, n), n);
    assert_same(&solid(&Shape::Sphere { diameter: 1.0 }), &limit(ball), 1e-6, "sphere");
    let lengths = [0.5, 1.0, 2.0];
    let stretched = |n: usize| {
        let mesh = ball(n);
        let vertices = mesh.vertices().iter().map(|v| std::array::from_fn(|i| v[i] * lengths[i])).collect();
        TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
    };
    assert_same(&solid(&Shape::Ellipsoid { lengths }), &limit(stretched), 1e-6, "ellipsoid");
}

#[test]
fn a_hollow_cylinder_is_the_outer_one_minus_the_inner_one() {
    let cylinder =
        |diameter, inner_diameter| solid(&Shape::Cylinder { axis: Axis::Y, diameter, length: 0.3, inner_diameter });
    let (tube, outer, inner) = (cylinder(0.5, 0.4), cylinder(0.5, 0.0), cylinder(0.4, 0.0));
    assert_near(tube.volume, outer.volume - inner.volume, 1e-15, "volume");
    assert!((tube.inertia() - (outer.inertia() - inner.inertia())).amax() < 1e-16);
}

#[test]
fn a_frustum_is_a_cone_without_its_tip() {
    let cone = |diameter, length| {
        MassProperties::from_density(&Shape::Cone { axis: Axis::X, diameter, top_diameter: 0.0, length }, 1.0).unwrap()
    };
    let frustum = MassProperties::from_density(
        &Shape::Cone { axis: Axis::X, diameter: 0.6, top_diameter: 0.2, length: 0.8 },
        1.0,
    )
    .unwrap();
    let tip = cone(0.2, 0.4).transformed(&nalgebra::Isometry3::translation(0.8, 0.0, 0.0));
    let merged = MassProperties::merge([frustum, tip]);
    let whole = cone(0.6, 1.2);
    assert_near(merged.mass, whole.mass, 1e-15, "mass");
    assert!((merged.center_of_mass - whole.center_of_mass).norm() < 1e-15);
    assert!((merged.inertia - whole.inertia).amax() < 1e-15);
}

#[test]
fn limits_of_shapes_are_simpler_shapes() {
    let sphere = solid(&Shape::Sphere { diameter: 0.4 });
    assert_same(&solid(&Shape::Capsule { axis: Axis::X, diameter: 0.4, length: 0.0 }), &sphere, 1e-15, "capsule");
    assert_same(&solid(&Shape::Ellipsoid { lengths: [0.4; 3] }), &sphere, 1e-15, "ellipsoid");
    let disc = solid(&Shape::Cylinder { axis: Axis::Z, diameter: 0.4, length: 0.1, inner_diameter: 0.0 });
    assert_same(&solid(&Shape::Beam { axis: Axis::X, length: 0.0, width: 0.4, thickness: 0.1 }), &disc, 1e-15, "beam");
    let frustum = solid(&Shape::Cone { axis: Axis::Z, diameter: 0.4, top_diameter: 0.4, length: 0.1 });
    assert_near(frustum.center.z, 0.05, 1e-16, "centre");
    assert!((frustum.second_moments - disc.second_moments).amax() < 1e-18);
}

#[test]
fn textbook_inertias_are_reproduced() {
    let inertia = |shape: &Shape| MassProperties::from_mass(shape, 2.0).unwrap().inertia;
    let sphere = inertia(&Shape::Sphere { diameter: 0.6 });
    assert!((sphere - Matrix3::from_diagonal_element(0.4 * 2.0 * 0.09)).amax() < 1e-16);
    let cuboid = inertia(&Shape::Box { lengths: [1.0, 2.0, 3.0] });
    assert!((cuboid - Matrix3::from_diagonal(&Vector3::new(13.0, 10.0, 5.0)) * (2.0 / 12.0)).amax() < 1e-15);
    let cone = inertia(&Shape::Cone { axis: Axis::Z, diameter: 2.0, top_diameter: 0.0, length: 3.0 });
    assert_near(cone[(2, 2)], 0.3 * 2.0, 1e-15, "cone about its axis");
    assert_near(cone[(0, 0)], 2.0 * (3.0 / 20.0 + 3.0 / 80.0 * 9.0), 1e-15, "cone across");
}

#[test]
fn billiard_ball_has_the_known_mass_and_inertia() {
    let ball = MassProperties::from_density(&Shape::Sphere { diameter: 0.06 }, 1768.0).unwrap();
    assert_near(ball.mass, 0.19995609, 1e-8, "mass");
    assert_near(ball.inertia[(0, 0)], 7.19842e-5, 1e-10, "inertia");
}

#[test]
fn bounding_boxes_touch_the_tessellated_shapes() {
    for axis in AXES {
        let tight = |shape: Shape, mesh: TriangleMesh| {
            let (shape, mesh) = (shape.bounding_box(), mesh.bounding_box([1.0; 3]));
            assert!((shape.min - mesh.min).norm() + (shape.max - mesh.max).norm() < 1e-12, "{shape:?} {mesh:?}");
        };
        let capsule = [arc(-0.55, 0.3, -FRAC_PI_2, 0.0, 8), arc(0.55, 0.3, 0.0, FRAC_PI_2, 8)].concat();
        tight(Shape::Capsule { axis, diameter: 0.6, length: 1.1 }, revolved(axis, &capsule, 8));
        tight(Shape::Beam { axis, length: 0.8, width: 0.3, thickness: 0.1 }, plate(axis, 0.8, 0.3, 0.1, 8));
        let cone = [[0.0, 0.0], [0.2, 0.0], [0.5, 0.9], [0.0, 0.9]];
        tight(Shape::Cone { axis, diameter: 0.4, top_diameter: 1.0, length: 0.9 }, revolved(axis, &cone, 8));
        let cylinder = [[0.0, -0.2], [0.3, -0.2], [0.3, 0.2], [0.0, 0.2]];
        tight(Shape::Cylinder { axis, diameter: 0.6, length: 0.4, inner_diameter: 0.0 }, revolved(axis, &cylinder, 8));
    }
    let scaled = Shape::Mesh { mesh: Arc::new(box_mesh([1.0, 2.0, 3.0])), scale: [2.0, 1.0, 1.0] };
    assert_eq!(scaled.bounding_box(), Shape::Box { lengths: [2.0, 2.0, 3.0] }.bounding_box());
}

#[test]
fn wrong_dimensions_are_named_with_value_and_unit() {
    let message = |shape: Shape| shape.volume().unwrap_err().to_string();
    assert_eq!(
        message(Shape::Sphere { diameter: -0.1 }),
        "diameter of the sphere is -0.1 m; it must be positive and finite"
    );
    assert_eq!(
        message(Shape::Box { lengths: [1.0, f64::NAN, 1.0] }),
        "lengths[2] of the box is NaN m; it must be positive and finite"
    );
    assert_eq!(
        message(Shape::Cylinder { axis: Axis::X, diameter: 0.1, length: 1.0, inner_diameter: 0.1 }),
        "inner_diameter of the cylinder is 0.1 m; it must be smaller than the diameter (0.1 m)"
    );
    assert_eq!(
        message(Shape::Capsule { axis: Axis::X, diameter: 0.1, length: -1.0 }),
        "length of the capsule is -1 m; it must be zero or positive, and finite"
    );
    let mesh = Shape::Mesh { mesh: Arc::new(box_mesh([1.0; 3])), scale: [1.0, 0.0, 1.0] };
    assert_eq!(message(mesh), "scale[2] of the mesh is 0; it must be positive and finite");
}

#[test]
fn dimensions_are_converted_in_place() {
    let declared: Shape<String> =
        Shape::Cone { axis: Axis::Y, diameter: "2".into(), top_diameter: "1".into(), length: "x".into() };
    let mut seen = Vec::new();
    let error = declared.try_map_named(|name, text| {
        seen.push(name);
        text.parse::<f64>()
    });
    assert!(error.is_err());
    assert_eq!(seen, ["diameter", "top_diameter", "length"]);
    let numbers = declared.try_map(|text| text.parse::<f64>().or(Ok::<f64, ()>(3.0)));
    assert_eq!(numbers, Ok(Shape::Cone { axis: Axis::Y, diameter: 2.0, top_diameter: 1.0, length: 3.0 }));
}
