//! Triangles of collision shapes, for pictures.

use super::convex_shape::ConvexShape;
use super::core::Core;
use super::hull::Hull;
use crate::math::Vec3;
use crate::solid::Surface;
use std::f64::consts::PI;

/// Directions around the axis, and from pole to pole, in which a smooth shape is sampled; multiples of 4.
const AROUND: usize = 48;
const ALONG: usize = 24;

impl ConvexShape {
    /// A closed surface in the shape frame S: the faces of a sharp polyhedron, else support points in many directions.
    /// A half-space has none.
    #[must_use]
    pub fn surface(&self) -> Surface {
        match &self.core {
            Core::HalfSpace { .. } => (Vec::new(), Vec::new()),
            Core::Hull { vertices } if self.radius == 0.0 => {
                let corners: Vec<Vec3> = vertices.all().map(|vertex| self.center + vertex).collect();
                Hull::around(&corners).map_or_else(|_| self.sampled(), |hull| hull.surface())
            }
            _ => self.sampled(),
        }
    }

    /// Support points of a grid of directions. Corners and edges of the shape take many of them: triangles without area
    /// are left out.
    fn sampled(&self) -> Surface {
        let mut vertices: Vec<[f64; 3]> = Vec::new();
        for k in 0..=ALONG {
            for i in 0..AROUND {
                let (polar, turn) = (PI * k as f64 / ALONG as f64, 2.0 * PI * (i as f64 + 0.5) / AROUND as f64);
                // Exactly zero at both poles, so that all directions there are one.
                let across = if k % ALONG == 0 { 0.0 } else { elementary::sin(polar) };
                let direction =
                    Vec3::new(across * elementary::cos(turn), across * elementary::sin(turn), elementary::cos(polar));
                vertices.push(self.support(&direction).into());
            }
        }
        let at = |k: usize, i: usize| (k * AROUND + i % AROUND) as u32;
        let quads = (0..ALONG).flat_map(|k| (0..AROUND).map(move |i| (k, i)));
        let triangles = quads
            .flat_map(|(k, i)| {
                let [a, b, c, d] = [at(k, i), at(k, i + 1), at(k + 1, i), at(k + 1, i + 1)];
                [[a, c, d], [a, d, b]]
            })
            .filter(|triangle| has_area(triangle.map(|corner| Vec3::from(vertices[corner as usize]))))
            .collect();
        (vertices, triangles)
    }
}

fn has_area([a, b, c]: [Vec3; 3]) -> bool {
    let size = (b - a).norm_squared().max((c - a).norm_squared());
    (b - a).cross(&(c - a)).norm() > 1e-9 * size && size > 0.0
}
