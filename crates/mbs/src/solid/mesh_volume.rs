//! Volume integrals of closed meshes.
//!
//! By the divergence theorem a polyhedron is the sum of signed tetrahedra from any common point to its triangles
//! (B. Mirtich, Fast and accurate computation of polyhedral mass properties, Journal of Graphics Tools 1(2), 1996;
//! D. Eberly, Polyhedral mass properties (revisited), 2002). For a tetrahedron with one corner at the origin and
//! the others a, b, c, with d = a · (b × c): V = d/6, ∫ r dV = d/24 (a + b + c), and
//! ∫ r rᵀ dV = d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ) with s = a + b + c. Triangles without area contribute nothing.

use super::error::SolidError;
use super::mesh::TriangleMesh;
use super::volume::VolumeProperties;
use nalgebra::{Matrix3, Vector3};

/// Smallest volume of a solid relative to the cube of its bounding box diagonal.
const FLAT: f64 = 1e-14;

#[derive(Default)]
struct Integrals {
    volume: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

impl TriangleMesh {
    /// Volume with the sign of the orientation: negative if the normals point inwards. Means nothing for open meshes.
    pub fn signed_volume(&self) -> f64 {
        self.integrals(self.bounding_box([1.0; 3]).center()).volume
    }

    /// Volume, centre and second moments of the enclosed solid with scaled coordinates. If all normals point inwards
    /// they are taken as pointing outwards.
    ///
    /// # Errors
    /// The surface is open or not consistently oriented, or encloses no volume.
    pub fn volume_properties(&self, scale: [f64; 3]) -> Result<VolumeProperties, SolidError> {
        self.check_closed()?;
        let bounds = self.bounding_box([1.0; 3]);
        // Relative to a point nearby: far from the origin the differences of large numbers would lose all digits.
        let integrals = self.integrals(bounds.center());
        let volume = integrals.volume.abs();
        if volume <= FLAT * bounds.lengths().norm().powi(3) {
            return Err(SolidError::FlatMesh { volume });
        }
        let offset = integrals.first / integrals.volume;
        let second = integrals.second * integrals.volume.signum() - offset * offset.transpose() * volume;
        Ok(scaled(volume, bounds.center() + offset, second, scale.into()))
    }

    fn integrals(&self, origin: Vector3<f64>) -> Integrals {
        let mut sum = Integrals::default();
        for &triangle in self.triangles() {
            let [a, b, c] = self.corners(triangle).map(|corner| corner - origin);
            let d = a.dot(&b.cross(&c));
            let s = a + b + c;
            let squares = s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose();
            sum.volume += d / 6.0;
            sum.first += s * (d / 24.0);
            sum.second += squares * (d / 120.0);
        }
        sum
    }
}

fn scaled(volume: f64, center: Vector3<f64>, second: Matrix3<f64>, scale: Vector3<f64>) -> VolumeProperties {
    let factor = scale.x * scale.y * scale.z;
    let stretch = Matrix3::from_diagonal(&scale);
    VolumeProperties {
        volume: volume * factor,
        center: center.component_mul(&scale),
        second_moments: stretch * second * stretch * factor,
    }
}
