use super::*;
use nalgebra::{Isometry3, Matrix6, Translation3, UnitQuaternion};

fn pose(x: f64, y: f64, z: f64, rotation: Vector3<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::new(x, y, z), UnitQuaternion::from_scaled_axis(rotation))
}

fn brick(lengths: [f64; 3]) -> MassProperties {
    MassProperties::from_density(&Shape::Box { lengths }, 1000.0).unwrap()
}

fn assert_equal(a: &MassProperties, b: &MassProperties) {
    assert_near(a.mass, b.mass, 1e-12 * a.mass, "mass");
    assert!((a.center_of_mass - b.center_of_mass).norm() < 1e-13, "{} {}", a.center_of_mass, b.center_of_mass);
    assert!((a.inertia - b.inertia).amax() < 1e-12 * a.inertia.amax(), "{} {}", a.inertia, b.inertia);
}

#[test]
fn two_halves_make_the_whole_also_when_they_are_rotated() {
    let left = brick([0.2, 0.6, 0.8]).transformed(&pose(-0.1, 0.0, 0.0, Vector3::zeros()));
    let right = brick([0.6, 0.2, 0.8]).transformed(&pose(0.1, 0.0, 0.0, Vector3::z() * std::f64::consts::FRAC_PI_2));
    assert_equal(&MassProperties::merge([left, right]), &brick([0.4, 0.6, 0.8]));
}

#[test]
fn merging_and_moving_can_be_exchanged() {
    let x_ab = pose(0.3, -0.2, 0.9, Vector3::new(0.4, -1.1, 0.7));
    let parts = [
        brick([0.1, 0.2, 0.3]),
        brick([0.3, 0.1, 0.1]).transformed(&pose(0.5, 0.1, -0.3, Vector3::new(1.0, 0.2, -0.5))),
    ];
    let merged_first = MassProperties::merge(parts).transformed(&x_ab);
    let moved_first = MassProperties::merge(parts.map(|part| part.transformed(&x_ab)));
    assert_equal(&merged_first, &moved_first);
    assert_equal(&merged_first.transformed(&x_ab.inverse()), &MassProperties::merge(parts));
}

#[test]
fn rotation_keeps_the_principal_moments_and_the_kinetic_energy() {
    let body = brick([0.1, 0.2, 0.3]).transformed(&pose(0.5, 0.1, -0.3, Vector3::zeros()));
    let x_ab = pose(0.0, 0.0, 0.0, Vector3::new(0.4, -1.1, 0.7));
    let rotated = body.transformed(&x_ab);
    for (a, b) in body.principal_moments().iter().zip(rotated.principal_moments()) {
        assert_near(*a, b, 1e-13, "principal moment");
    }
    let w_b = Vector3::new(1.0, -2.0, 0.5);
    let w_a = x_ab.rotation * w_b;
    assert_near(w_b.dot(&(body.inertia * w_b)), w_a.dot(&(rotated.inertia * w_a)), 1e-13, "energy");
}

/// M_BBo: spatial inertia about Bo, expressed in B, in the order [rotational; translational]:
/// `[[I_BBo, m p×], [-m p×, m 1]]` with p = p_BoBcm.
fn spatial_inertia(body: &MassProperties) -> Matrix6<f64> {
    let coupling = body.center_of_mass.cross_matrix() * body.mass;
    let mut spatial = Matrix6::zeros();
    spatial.fixed_view_mut::<3, 3>(0, 0).copy_from(&body.inertia_about(Vector3::zeros()));
    spatial.fixed_view_mut::<3, 3>(0, 3).copy_from(&coupling);
    spatial.fixed_view_mut::<3, 3>(3, 0).copy_from(&-coupling);
    spatial.fixed_view_mut::<3, 3>(3, 3).copy_from(&Matrix3::from_diagonal_element(body.mass));
    spatial
}

#[test]
fn spatial_inertia_gives_the_kinetic_energy_of_the_centre_of_mass() {
    let body = brick([0.1, 0.2, 0.3]).transformed(&pose(0.5, 0.1, -0.3, Vector3::new(0.4, -1.1, 0.7)));
    let spatial = spatial_inertia(&body);
    assert!((spatial - spatial.transpose()).amax() < 1e-12);
    let (w, v) = (Vector3::new(1.0, -2.0, 0.5), Vector3::new(-0.3, 0.8, 2.0));
    let twist = nalgebra::Vector6::from_iterator(w.iter().chain(v.iter()).copied());
    let v_cm = v + w.cross(&body.center_of_mass);
    let expected = body.mass * v_cm.norm_squared() + w.dot(&(body.inertia * w));
    assert_near(twist.dot(&(spatial * twist)), expected, 1e-12 * expected, "twice the energy");
    assert_eq!(spatial_inertia(&MassProperties::massless()), Matrix6::zeros());
}

#[test]
fn massless_parts_add_nothing() {
    let body = brick([0.1, 0.2, 0.3]);
    assert_eq!(MassProperties::merge([MassProperties::massless(), body, MassProperties::massless()]), body);
    assert_eq!(MassProperties::merge([MassProperties::massless(); 2]), MassProperties::massless());
    assert_eq!(MassProperties::merge([]), MassProperties::massless());
    assert_eq!(MassProperties::from_mass(&Shape::Sphere { diameter: 1.0 }, 0.0), Ok(MassProperties::massless()));
}

#[test]
fn points_and_thin_rods_are_bodies() {
    let given =
        |inertia: [f64; 3]| MassProperties::new(1.0, Vector3::zeros(), Matrix3::from_diagonal(&Vector3::from(inertia)));
    assert!(given([0.0; 3]).is_ok());
    assert!(given([0.0, 1.0, 1.0]).is_ok());
    assert!(given([0.5, 0.5, 1.00001]).is_ok());
}

#[test]
fn impossible_values_are_refused_with_units() {
    let given = |mass: f64, inertia: Matrix3<f64>| {
        MassProperties::new(mass, Vector3::zeros(), inertia).unwrap_err().to_string()
    };
    let diagonal = |a: f64, b: f64, c: f64| Matrix3::from_diagonal(&Vector3::new(a, b, c));
    assert_eq!(given(-2.0, Matrix3::zeros()), "the mass is -2 kg; it must be positive, or 0 for a massless body");
    assert!(given(1.0, diagonal(3.0, 1.0, 1.0)).contains("1, 1, 3 kg m² belong to no body"));
    assert!(given(1.0, diagonal(-1.0, 1.0, 1.0)).contains("must not be negative"));
    assert!(given(0.0, diagonal(1.0, 1.0, 1.0)).contains("no mass but an inertia of 1 kg m²"));
    assert!(given(f64::NAN, Matrix3::zeros()).contains("NaN kg"));
    let skew = Matrix3::new(2.0, 0.5, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 2.0);
    assert_eq!(given(1.0, skew), "the inertia is not symmetric: I12 = 0.5 kg m² but I21 = 0.1 kg m²");
    let error = MassProperties::from_density(&Shape::Sphere { diameter: 1.0 }, 0.0).unwrap_err();
    assert_eq!(error.to_string(), "the density is 0 kg/m³; it must be positive and finite");
}

#[test]
fn rotated_off_diagonal_inertia_is_checked_by_its_principal_moments() {
    let rotation = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, -0.2)).to_rotation_matrix();
    let inertia =
        rotation.matrix() * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 2.5)) * rotation.matrix().transpose();
    assert!(matches!(MassProperties::new(1.0, Vector3::zeros(), inertia), Err(SolidError::ImpossibleInertia(_))));
}
