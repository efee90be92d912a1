use super::*;
use crate::solid::{Axis, Shape};

const PAIR: MaterialPair = MaterialPair::new(0.7, 0.5, 0.001);

#[test]
fn stiffness_equals_that_of_hertz_with_the_effective_modulus() {
    let [ball, table] =
        ["BilliardBall", "BilliardTable"].map(|name| MaterialTable::builtin().material(name).unwrap().clone());
    let sphere = |radius| Curvature::Round { radius };
    let law = material(("BilliardBall", sphere(0.03)), ("BilliardTable", Curvature::FLAT), PAIR, paper());
    // 1/E* = sum of (1 - nu^2)/E
    let flexibility = |m: &crate::material::Material| (1.0 - m.poissons_ratio.powi(2)) / m.youngs_modulus;
    let modulus = 1.0 / (flexibility(&ball) + flexibility(&table));
    assert_close(law.freeze(1.0).stiffness, 4.0 / 3.0 * modulus * 0.03f64.sqrt(), 1e-14);
    assert_close(law.c_res(), modulus, 1e-14);
}

#[test]
fn the_reduction_factor_scales_the_stiffness_only() {
    let ball = Curvature::Round { radius: 0.1 };
    let options = ContactOptions { k_red: 1e-4, ..paper() };
    let soft = material(("Steel", ball), ("Steel", Curvature::FLAT), PAIR, options).freeze(2.0);
    let hard = steel_on_steel(PAIR).freeze(2.0);
    assert_close(soft.stiffness, 1e-4 * hard.stiffness, 1e-15);
    assert_eq!(ContactConstants { stiffness: hard.stiffness, ..soft }, hard);
}

#[test]
fn effective_radii_follow_the_table() {
    let (sphere, other) = (|radius| Curvature::Round { radius }, |radius| Curvature::Other { radius });
    for (a, b, expected) in [
        (sphere(0.2), sphere(0.3), 0.12),
        (sphere(0.2), other(0.01), 0.2),
        (other(0.01), sphere(0.2), 0.2),
        (other(0.2), other(0.3), 0.12),
        (other(0.2), Curvature::FLAT, 0.2),
    ] {
        let geometry = PairGeometry::of(a, b);
        assert_close(geometry.mu_geo, expected, 1e-15);
        assert_close(geometry.c_geo, 4.0 / 3.0 * expected.sqrt(), 1e-15);
        assert_eq!(geometry.n_geo, 1.5);
    }
}

#[test]
fn round_shapes_of_one_size_are_spheres_in_every_pair() {
    let axis = Axis::Y;
    let alike = [
        Shape::Sphere { diameter: 0.4 },
        Shape::Ellipsoid { lengths: [0.4; 3] },
        Shape::Capsule { axis, diameter: 0.4, length: 0.0 },
    ];
    let others = [
        Shape::Sphere { diameter: 0.1 },
        Shape::Box { lengths: [0.6, 0.4, 0.5] },
        Shape::Cone { axis, diameter: 0.8, top_diameter: 0.0, length: 3.0 },
        Shape::HalfSpace { axis, size: 1.0 },
    ];
    for other in others.iter().chain(&alike) {
        let with_other = |shape| PairGeometry::of(Curvature::of_shape(shape), Curvature::of_shape(other));
        for shape in &alike {
            assert_eq!(with_other(shape), with_other(&alike[0]), "{} on {}", shape.kind(), other.kind());
        }
    }
}

#[test]
fn equivalent_radii_are_half_the_smallest_extent() {
    let axis = Axis::Y;
    for (shape, expected) in [
        (Shape::Sphere { diameter: 0.4 }, Curvature::Round { radius: 0.2 }),
        (Shape::Box { lengths: [0.6, 0.4, 0.5] }, Curvature::Other { radius: 0.2 }),
        (Shape::Cylinder { axis, diameter: 0.4, length: 0.6, inner_diameter: 0.0 }, Curvature::Other { radius: 0.2 }),
        (Shape::Capsule { axis, diameter: 0.4, length: 0.6 }, Curvature::Round { radius: 0.2 }),
        (Shape::Ellipsoid { lengths: [0.6, 0.4, 0.5] }, Curvature::Round { radius: 0.2 }),
        (Shape::Beam { axis, length: 2.0, width: 0.5, thickness: 0.4 }, Curvature::Other { radius: 0.2 }),
        (Shape::Cone { axis, diameter: 0.8, top_diameter: 0.0, length: 3.0 }, Curvature::Other { radius: 0.2 }),
    ] {
        assert_eq!(Curvature::of_shape(&shape), expected, "{}", shape.kind());
    }
}

#[test]
fn restitution_and_damping_are_regularised_for_slow_contacts() {
    let law = steel_on_steel(PAIR);
    assert_close(law.regularized_cor(0.0), 0.001, 1e-15);
    assert_close(law.regularized_cor(0.01), 0.7 - 0.699 * 0.01, 1e-14);
    assert_close(law.regularized_cor(-0.005), 0.7 - 0.699 * 0.1, 1e-14);
    assert_close(law.regularized_cor(1.0), 0.7, 1e-15);
    // Eq. 10 without any regularisation.
    assert_close(law.damping(2.0), 8.0 * 0.3 / (5.0 * 0.7 * 2.0), 1e-15);
    assert_eq!(law.damping(0.0), 1000.0);
    let (speed, cor) = (regularized_magnitude(0.005, 0.01), 0.7 - 0.699 * 0.1);
    assert_close(law.damping(0.005), 8.0 * (1.0 - cor) / (5.0 * cor * speed), 1e-14);
}

#[test]
fn restitution_stays_between_its_limits_at_any_speed() {
    for cor in [0.0, 0.0005, 0.3, 1.0] {
        let law = steel_on_steel(MaterialPair::new(cor, 0.0, 0.0));
        for speed in [0.0, 1e-9, 1e-3, 0.01, 0.1, 3.0, 1e3, 1e300] {
            let (cor_reg, d) = (law.regularized_cor(speed), law.damping(speed));
            assert!((0.001..=cor.max(0.001)).contains(&cor_reg), "{cor} {speed}: {cor_reg}");
            assert!((0.0..=1000.0).contains(&d), "{cor} {speed}: {d}");
        }
    }
}

#[test]
fn the_regularised_magnitude_is_twice_smooth_and_never_too_small() {
    let (reg, h) = (|v: f64| regularized_magnitude(v, 0.01), 1e-6);
    assert_close(reg(0.0), 0.01 / 3.0, 1e-16);
    let slope = |v: f64| (reg(v + h) - reg(v - h)) / (2.0 * h);
    let curvature = |v: f64| (slope(v + h) - slope(v - h)) / (2.0 * h);
    assert!(slope(0.0).abs() < 1e-9 && (slope(0.01) - 1.0).abs() < 1e-6 && curvature(0.01).abs() < 0.1);
    for k in 0..40 {
        let v = 0.0005 * f64::from(k);
        assert!(reg(v) >= v && reg(-v) == reg(v), "{v}");
    }
}

#[test]
fn unusable_data_is_refused_with_names_and_values() {
    let steel = MaterialTable::builtin().material("Steel").unwrap().clone();
    let new = |a, b, options| ContactMaterial::new((&steel, a), (&steel, b), PAIR, options).unwrap_err().to_string();
    let (sphere, usual) = (Curvature::Round { radius: 0.1 }, paper());
    let error = new(Curvature::Round { radius: 0.0 }, Curvature::FLAT, usual);
    assert!(error.contains("`Steel`") && error.contains("0 m"), "{error}");
    assert!(new(Curvature::FLAT, Curvature::FLAT, usual).contains("infinite"), "two half-spaces");
    let error = new(sphere, sphere, ContactOptions { k_red: -1.0, ..usual });
    assert_eq!(error, "k_red of the contact of `Steel` and `Steel` is -1; it must be positive");
    assert!(new(sphere, sphere, ContactOptions { cor_min: f64::NAN, ..usual }).contains("cor_min"));
}
