//! Mass of meshes as MuJoCo counts it, which is not the mass of the solid inside where a surface is concave or open.

use nalgebra::{Matrix3, Vector3};

use crate::inertia::Mass;

/// How the volume inside a surface is counted: attribute `inertia` of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counting {
    /// Tetrahedra from a point in the middle to the triangles, all of them positive.
    Legacy,
    /// The same, negative for a triangle with reversed orientation.
    Exact,
}

/// What is inside a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Volume {
    /// \[m³\].
    pub volume: f64,
    /// \[m\].
    pub center: Vector3<f64>,
    /// Inertia about the centre for a density of one \[m⁵\].
    pub inertia: Matrix3<f64>,
}

impl Volume {
    /// Counts the volume inside triangles, with their corners in single precision and then scaled. Tetrahedra start in
    /// the mean of the surface for the centre, in that centre for volume and inertia: the same where the surface is
    /// closed.
    ///
    /// # Errors
    /// Nothing is inside.
    pub fn inside(triangles: &[[[f64; 3]; 3]], scale: [f64; 3], counting: Counting) -> Result<Self, String> {
        let corner = |corner: &[f64; 3]| Vector3::from_fn(|axis, _| f64::from(corner[axis] as f32) * scale[axis]);
        let triangles: Vec<[Vector3<f64>; 3]> =
            triangles.iter().map(|triangle| [0, 1, 2].map(|i| corner(&triangle[i]))).collect();
        let (mut area, mut first_moment) = (0.0, Vector3::zeros());
        for [a, b, c] in &triangles {
            let part = (b - a).cross(&(c - a)).norm() / 2.0;
            area += part;
            first_moment += part * (a + b + c) / 3.0;
        }
        // Scales that mirror turn all triangles over.
        let handedness = scale.iter().product::<f64>().signum();
        let sum = |from: Vector3<f64>| {
            let (mut volume, mut moment, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
            for triangle in &triangles {
                let [a, b, c] = triangle.map(|corner| corner - from);
                let part = handedness * a.dot(&b.cross(&c)) / 6.0;
                let part = if counting == Counting::Legacy { part.abs() } else { part };
                let sum = a + b + c;
                volume += part;
                moment += part * sum / 4.0;
                let squares = [a, b, c, sum].iter().map(|x| x * x.transpose()).sum::<Matrix3<f64>>();
                second += squares * (part / 20.0);
            }
            (volume, moment, second)
        };
        let middle = first_moment / area;
        let (volume, moment, _) = sum(middle);
        let center = middle + moment / volume;
        let (volume, _, second) = sum(center);
        let inertia = Matrix3::identity() * second.trace() - second;
        let is_finite = center.iter().chain(&inertia).all(|value| value.is_finite());
        if !(volume > 0.0 && volume.is_finite() && is_finite) {
            return Err("its mesh has no volume".to_owned());
        }
        Ok(Self { volume, center, inertia })
    }

    /// A body of a density \[kg/m³\].
    pub fn with_density(&self, density: f64) -> Mass {
        Mass { m: density * self.volume, center: self.center, inertia: self.inertia * density }
    }

    /// A body of a mass \[kg\].
    pub fn with_mass(&self, mass: f64) -> Mass {
        self.with_density(mass / self.volume)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// An L of unit height: legs of length 4 and width 0.25.
    fn angle() -> Vec<[[f64; 3]; 3]> {
        let outline = [[0.0, 0.0], [4.0, 0.0], [4.0, 0.25], [0.25, 0.25], [0.25, 4.0], [0.0, 4.0]];
        let at = |corner: usize, z: f64| [outline[corner % 6][0], outline[corner % 6][1], z];
        let mut triangles = Vec::new();
        for corner in 1..5 {
            triangles.push([at(0, 1.0), at(corner, 1.0), at(corner + 1, 1.0)]);
            triangles.push([at(0, 0.0), at(corner + 1, 0.0), at(corner, 0.0)]);
        }
        for corner in 0..6 {
            triangles.push([at(corner, 0.0), at(corner + 1, 0.0), at(corner + 1, 1.0)]);
            triangles.push([at(corner, 0.0), at(corner + 1, 1.0), at(corner, 1.0)]);
        }
        triangles
    }

    #[test]
    fn an_exact_volume_is_that_of_the_solid_also_when_mirrored() {
        let solid = 4.0 * 0.25 + 3.75 * 0.25;
        for (scale, factor) in [([1.0; 3], 1.0), ([-1.0, 2.0, 3.0], 6.0)] {
            let found = Volume::inside(&angle(), scale, Counting::Exact).unwrap();
            assert!((found.volume - factor * solid).abs() < 1e-12, "{}", found.volume);
            let center = (4.0 * 0.25 * 2.0 + 3.75 * 0.25 * 0.125) / solid * scale[0];
            assert!((found.center.x - center).abs() < 1e-12, "{}", found.center);
        }
        let cube = Volume::inside(&angle(), [1.0; 3], Counting::Exact).unwrap().with_mass(3.0);
        assert!((cube.m - 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_lies_behind_counts_twice_by_default() {
        let exact = Volume::inside(&angle(), [1.0; 3], Counting::Exact).unwrap();
        let legacy = Volume::inside(&angle(), [1.0; 3], Counting::Legacy).unwrap();
        assert!(legacy.volume > 2.0 * exact.volume, "{} and {}", legacy.volume, exact.volume);
        let reversed: Vec<_> = angle().into_iter().map(|[a, b, c]| [a, c, b]).collect();
        assert_eq!(Volume::inside(&reversed, [1.0; 3], Counting::Exact), Err("its mesh has no volume".to_owned()));
        assert_eq!(Volume::inside(&reversed, [1.0; 3], Counting::Legacy).unwrap().volume, legacy.volume);
    }
}
