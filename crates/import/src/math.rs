//! Poses and rotations of descriptions.

use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};

/// A pose.
pub(crate) type Pose = Isometry3<f64>;

/// Smaller entries of unit vectors are rounding.
const ROUNDING: f64 = 1e-15;

/// A pose from position and rotation.
pub(crate) fn pose(position: Vector3<f64>, rotation: UnitQuaternion<f64>) -> Pose {
    Isometry3::from_parts(Translation3::from(position), rotation)
}

/// A pose of the engine.
pub(crate) fn of_engine(pose: &mbs::math::Pose) -> Pose {
    let rotation = Rotation3::from_matrix_unchecked(pose.rotation);
    self::pose(pose.translation, UnitQuaternion::from_rotation_matrix(&rotation))
}

/// A pose without rotation.
pub(crate) fn at(position: Vector3<f64>) -> Pose {
    pose(position, UnitQuaternion::identity())
}

/// Roll, pitch and yaw of URDF about the fixed axes x, y and z.
pub(crate) fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(roll, pitch, yaw)
}

/// Rotation from z to a direction by the shortest way; about x where the direction is -z.
pub(crate) fn from_z_to(direction: Vector3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::rotation_between(&Vector3::z(), &direction)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI))
}

/// A rotation from the images of the axes.
pub(crate) fn from_axes(x: Vector3<f64>, y: Vector3<f64>, z: Vector3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, z])))
}

/// Direction of unit length, without entries that are rounding.
pub(crate) fn direction(vector: Vector3<f64>) -> Option<Unit<Vector3<f64>>> {
    let unit = Unit::try_new(vector, f64::MIN_POSITIVE)?;
    let cleaned = unit.map(|entry| if entry.abs() < ROUNDING { 0.0 } else { entry });
    Unit::try_new(cleaned, 0.5)
}

/// Whether nothing is moved.
pub(crate) fn is_identity(pose: &Pose) -> bool {
    pose.translation.vector == Vector3::zeros() && is_unrotated(&pose.rotation)
}

/// Whether nothing is turned.
pub(crate) fn is_unrotated(rotation: &UnitQuaternion<f64>) -> bool {
    rotation.imag().amax() <= 1e-16
}

/// Inertia `I` in a rotated frame: `R I Rᵀ`.
pub(crate) fn rotated(inertia: &Matrix3<f64>, rotation: &UnitQuaternion<f64>) -> Matrix3<f64> {
    if is_unrotated(rotation) {
        return *inertia;
    }
    let r = rotation.to_rotation_matrix();
    let turned = r.matrix() * inertia * r.matrix().transpose();
    (turned + turned.transpose()) / 2.0
}
