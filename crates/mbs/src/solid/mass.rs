//! [`MassProperties`]: mass, centre of mass and inertia of a rigid body.

use super::error::SolidError;
use super::shape::Shape;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Tolerance of the physical checks of an inertia relative to its largest principal moment: data from drawings are
/// often rounded to four digits.
const INERTIA_TOLERANCE: f64 = 1e-4;
/// Relative difference between I_ij and I_ji that counts as rounding.
const SYMMETRY_TOLERANCE: f64 = 1e-9;

/// Mass, centre of mass and inertia of a rigid body B, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// m: mass [kg].
    pub mass: f64,
    /// p_BoBcm: centre of mass from Bo, expressed in B [m].
    pub center_of_mass: Vector3<f64>,
    /// I_BBcm: rotational inertia about the centre of mass, expressed in B [kg m²].
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    /// A body without mass.
    pub fn massless() -> MassProperties {
        MassProperties { mass: 0.0, center_of_mass: Vector3::zeros(), inertia: Matrix3::zeros() }
    }

    /// Given values: mass [kg], centre of mass from Bo [m], inertia about the centre of mass [kg m²], expressed in B.
    ///
    /// # Errors
    /// As [`MassProperties::validate`].
    pub fn new(mass: f64, center_of_mass: Vector3<f64>, inertia: Matrix3<f64>) -> Result<MassProperties, SolidError> {
        let properties = MassProperties { mass, center_of_mass, inertia };
        properties.validate()?;
        Ok(MassProperties { inertia: (inertia + inertia.transpose()) / 2.0, ..properties })
    }

    /// A homogeneous solid of the given density [kg/m³]; B is the shape frame.
    ///
    /// # Errors
    /// A wrong density, wrong dimensions, or a mesh that is not the surface of a solid.
    pub fn from_density(shape: &Shape, density: f64) -> Result<MassProperties, SolidError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(SolidError::Density(density));
        }
        let solid = shape.volume_properties()?;
        MassProperties::new(solid.volume * density, solid.center, solid.inertia() * density)
    }

    /// A homogeneous solid of the given mass [kg], 0 for none; B is the shape frame.
    ///
    /// # Errors
    /// A wrong mass, wrong dimensions, or a mesh that is not the surface of a solid.
    pub fn from_mass(shape: &Shape, mass: f64) -> Result<MassProperties, SolidError> {
        if mass == 0.0 {
            return Ok(MassProperties::massless());
        }
        let solid = shape.volume_properties()?;
        MassProperties::new(mass, solid.center, solid.inertia() * (mass / solid.volume))
    }

    /// Whether a rigid body can have these values: finite, mass positive (or everything zero), inertia symmetric, no
    /// principal moment negative, and none larger than the sum of the others. Point masses and thin rods are allowed.
    ///
    /// # Errors
    /// The first violation, with its values.
    pub fn validate(&self) -> Result<(), SolidError> {
        if !(self.mass >= 0.0 && self.mass.is_finite()) {
            return Err(SolidError::Mass(self.mass));
        }
        if !self.center_of_mass.iter().all(|x| x.is_finite()) {
            return Err(SolidError::CenterOfMass(self.center_of_mass.into()));
        }
        if !self.inertia.iter().all(|x| x.is_finite()) {
            return Err(SolidError::InertiaNotFinite);
        }
        let largest = self.inertia.amax();
        if self.mass == 0.0 && largest > 0.0 {
            return Err(SolidError::MasslessInertia(largest));
        }
        self.check_symmetry(largest)?;
        self.check_principal_moments()
    }

    fn check_symmetry(&self, largest: f64) -> Result<(), SolidError> {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let values = (self.inertia[(i, j)], self.inertia[(j, i)]);
            if (values.0 - values.1).abs() > SYMMETRY_TOLERANCE * largest {
                return Err(SolidError::InertiaNotSymmetric { entry: (i + 1, j + 1), values });
            }
        }
        Ok(())
    }

    fn check_principal_moments(&self) -> Result<(), SolidError> {
        let moments = self.principal_moments();
        let tolerance = INERTIA_TOLERANCE * moments[2].abs();
        if moments[0] < -tolerance || moments[2] < 0.0 {
            return Err(SolidError::NegativeInertia(moments));
        }
        if moments[0] + moments[1] < moments[2] - tolerance {
            return Err(SolidError::ImpossibleInertia(moments));
        }
        Ok(())
    }

    /// Principal moments of inertia about the centre of mass, ascending [kg m²].
    pub fn principal_moments(&self) -> [f64; 3] {
        let mut moments: [f64; 3] = ((self.inertia + self.inertia.transpose()) / 2.0).symmetric_eigenvalues().into();
        moments.sort_by(f64::total_cmp);
        moments
    }

    /// The same body in terms of frame A, with the pose X_AB of B in A: inertia and centre of mass are rotated, the
    /// centre of mass is moved.
    pub fn transformed(&self, x_ab: &Isometry3<f64>) -> MassProperties {
        let r_ab = x_ab.rotation.to_rotation_matrix();
        let inertia = r_ab.matrix() * self.inertia * r_ab.matrix().transpose();
        MassProperties {
            mass: self.mass,
            center_of_mass: x_ab * nalgebra::Point3::from(self.center_of_mass) - nalgebra::Point3::origin(),
            inertia: (inertia + inertia.transpose()) / 2.0,
        }
    }

    /// One rigid body of several, all in the same frame, by the parallel axis theorem. Massless parts add nothing.
    pub fn merge(parts: impl IntoIterator<Item = MassProperties>) -> MassProperties {
        let parts: Vec<MassProperties> = parts.into_iter().filter(|part| part.mass > 0.0).collect();
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        if let [only] = parts.as_slice() {
            return *only;
        }
        if mass == 0.0 {
            return MassProperties::massless();
        }
        let weighted: Vector3<f64> = parts.iter().map(|part| part.center_of_mass * part.mass).sum();
        let center_of_mass = weighted / mass;
        let inertia = parts.iter().map(|part| part.inertia_about(center_of_mass)).sum();
        MassProperties { mass, center_of_mass, inertia }
    }

    /// Rotational inertia about the point at `p_BoQ`, expressed in B [kg m²].
    pub fn inertia_about(&self, point: Vector3<f64>) -> Matrix3<f64> {
        let arm = self.center_of_mass - point;
        let spread = Matrix3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose();
        self.inertia + spread * self.mass
    }
}
