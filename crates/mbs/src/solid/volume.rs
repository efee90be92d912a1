//! Volume, centre and second moments of shapes in closed form.
//!
//! Everything follows from the second moments of volume S_ij = ∫ r_i r_j dV: the inertia of unit density is
//! tr(S) 1 - S. All shapes here but the mesh have their principal axes along the frame, so S is diagonal.

use super::axis::Axis;
use super::error::SolidError;
use super::shape::Shape;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// Integrals over the volume of a shape, in the shape frame S.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeProperties {
    /// Volume [m³].
    pub volume: f64,
    /// Position of the centre of volume from So, expressed in S [m].
    pub center: Vector3<f64>,
    /// ∫ r rᵀ dV about the centre, expressed in S [m⁵].
    pub second_moments: Matrix3<f64>,
}

impl VolumeProperties {
    /// Inertia of unit density about the centre, expressed in S [m⁵]: tr(S) 1 - S.
    pub fn inertia(&self) -> Matrix3<f64> {
        Matrix3::from_diagonal_element(self.second_moments.trace()) - self.second_moments
    }

    /// For a shape that is symmetric about its axes: second moments along `axis`, the next one, and the one after.
    fn symmetric(volume: f64, axis: Axis, along: f64, next: f64, after: f64) -> VolumeProperties {
        let second_moments = Matrix3::from_diagonal(&axis.vector(along, next, after));
        VolumeProperties { volume, center: Vector3::zeros(), second_moments }
    }
}

impl Shape<f64> {
    /// Volume [m³].
    ///
    /// # Errors
    /// As [`Shape::volume_properties`].
    pub fn volume(&self) -> Result<f64, SolidError> {
        Ok(self.volume_properties()?.volume)
    }

    /// Volume, centre and second moments, exact.
    ///
    /// # Errors
    /// Wrong dimensions, or a mesh that is not the surface of a solid.
    pub fn volume_properties(&self) -> Result<VolumeProperties, SolidError> {
        self.validate()?;
        Ok(match *self {
            Shape::Sphere { diameter } => ellipsoid([diameter; 3]),
            Shape::Ellipsoid { lengths } => ellipsoid(lengths),
            Shape::Box { lengths } => cuboid(lengths),
            Shape::Cylinder { axis, diameter, length, inner_diameter } => {
                cylinder(axis, diameter / 2.0, inner_diameter / 2.0, length)
            }
            Shape::Cone { axis, diameter, top_diameter, length } => {
                frustum(axis, diameter / 2.0, top_diameter / 2.0, length)
            }
            Shape::Capsule { axis, diameter, length } => capsule(axis, diameter / 2.0, length),
            Shape::Beam { axis, length, width, thickness } => beam(axis, length, width, thickness),
            Shape::Mesh { ref mesh, scale } => mesh.volume_properties(scale)?,
            Shape::HalfSpace { .. } | Shape::HeightField { .. } => {
                return Err(SolidError::NoVolume { shape: self.kind() });
            }
        })
    }
}

/// With half axes a, b, c: V = 4/3 π a b c. Stretching the unit ball, where ∫ x² dV = 4/15 π, gives ∫ x² dV = V a²/5.
fn ellipsoid(lengths: [f64; 3]) -> VolumeProperties {
    let [a, b, c] = lengths.map(|length| length / 2.0);
    let volume = 4.0 / 3.0 * PI * a * b * c;
    VolumeProperties::symmetric(volume, Axis::X, volume * a * a / 5.0, volume * b * b / 5.0, volume * c * c / 5.0)
}

/// ∫ x² dV = V a²/12 for an edge of length a.
fn cuboid([a, b, c]: [f64; 3]) -> VolumeProperties {
    let volume = a * b * c;
    VolumeProperties::symmetric(volume, Axis::X, volume * a * a / 12.0, volume * b * b / 12.0, volume * c * c / 12.0)
}

/// A disc of radius R has ∫ x² dA = π R⁴/4; a ring the difference, π (R⁴ - r⁴)/4 = A (R² + r²)/4.
fn cylinder(axis: Axis, outer: f64, inner: f64, length: f64) -> VolumeProperties {
    let volume = PI * (outer - inner) * (outer + inner) * length;
    let across = volume * (outer * outer + inner * inner) / 4.0;
    VolumeProperties::symmetric(volume, axis, volume * length * length / 12.0, across, across)
}

/// Stack of discs with radius ρ(s) = R + (r - R) s at z = h s, s from 0 to 1:
/// - V = π h ∫ ρ² ds = π h (R² + R r + r²)/3,
/// - ∫ z dV = π h² ∫ ρ² s ds = π h² (R² + 2 R r + 3 r²)/12,
/// - ∫ z² dV = π h³ ∫ ρ² s² ds = π h³ (R² + 3 R r + 6 r²)/30, shifted to the centre by the parallel axis theorem,
/// - ∫ x² dV = π h/4 ∫ ρ⁴ ds = π h (R⁴ + R³ r + R² r² + R r³ + r⁴)/20.
fn frustum(axis: Axis, base: f64, top: f64, height: f64) -> VolumeProperties {
    let (b2, bt, t2) = (base * base, base * top, top * top);
    let volume = PI * height * (b2 + bt + t2) / 3.0;
    let center = height * (b2 + 2.0 * bt + 3.0 * t2) / (4.0 * (b2 + bt + t2));
    let along = PI * height.powi(3) * (b2 + 3.0 * bt + 6.0 * t2) / 30.0 - volume * center * center;
    let across = PI * height * (b2 * b2 + b2 * bt + b2 * t2 + bt * t2 + t2 * t2) / 20.0;
    VolumeProperties {
        center: axis.vector(center, 0.0, 0.0),
        ..VolumeProperties::symmetric(volume, axis, along, across, across)
    }
}

/// Cylinder plus a ball of volume V_b cut in two halves. The centre of a half ball is 3/8 R from its flat face, so at
/// the distance L/2 the halves have together ∫ z² dV = V_b (R²/5 + L²/4 + 2 (L/2)(3/8 R)).
fn capsule(axis: Axis, radius: f64, length: f64) -> VolumeProperties {
    let r2 = radius * radius;
    let tube = PI * r2 * length;
    let ball = 4.0 / 3.0 * PI * r2 * radius;
    let along = tube * length * length / 12.0 + ball * (r2 / 5.0 + length * length / 4.0 + 3.0 / 8.0 * length * radius);
    let across = tube * r2 / 4.0 + ball * r2 / 5.0;
    VolumeProperties::symmetric(tube + ball, axis, along, across, across)
}

/// Box plus a disc-like cylinder of volume V_c cut in two halves. The centre of a half disc is 4 R/(3 π) from its
/// straight side, so at the distance L/2 the halves have together ∫ x² dV = V_c (R²/4 + L²/4 + 2 (L/2)(4 R/(3 π))).
fn beam(axis: Axis, length: f64, width: f64, thickness: f64) -> VolumeProperties {
    let radius = width / 2.0;
    let bar = length * width * thickness;
    let disc = PI * radius * radius * thickness;
    let (l2, r2) = (length * length, radius * radius);
    let along = bar * l2 / 12.0 + disc * (r2 / 4.0 + l2 / 4.0 + 4.0 / (3.0 * PI) * radius * length);
    let across = bar * width * width / 12.0 + disc * r2 / 4.0;
    let through = (bar + disc) * thickness * thickness / 12.0;
    VolumeProperties::symmetric(bar + disc, axis, along, across, through)
}
