//! The solid that is divided.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use mbs::math::Vec3;
use mbs::solid::TriangleMesh;
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape::{TriMesh, TriMeshBuilderError};

/// Distance from the surface at which rays begin, relative to the size.
const BEHIND: f64 = 1e-6;
/// Sine of the angle from which on an edge is concave.
const CONCAVE: f64 = 1e-6;
/// Least half thickness behind a triangle, as a fraction of the volume over the surface.
const LEAST_THICKNESS: f64 = 0.5;

/// A closed surface of triangles.
pub(super) struct Solid {
    pub triangles: Vec<[Vec3; 3]>,
    /// Unit normals, outwards.
    pub normals: Vec<Vec3>,
    /// Half of the thickness behind every triangle \[m\].
    pub half_thickness: Vec<f64>,
    /// Diagonal of the bounding box \[m\].
    pub size: f64,
}

/// An edge at which the surface is concave.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConcaveEdge {
    pub ends: [Vec3; 2],
    /// Normals of the triangles on both sides.
    pub normals: [Vec3; 2],
}

impl Solid {
    /// The solid and its concave edges.
    ///
    /// # Errors
    /// No triangle with an area.
    pub fn new(mesh: &TriangleMesh) -> Result<(Self, Vec<ConcaveEdge>), String> {
        let size = mesh.bounding_box([1.0; 3]).lengths().norm();
        let mut used = Vec::new();
        let (mut triangles, mut normals) = (Vec::new(), Vec::new());
        for &numbers in mesh.triangles() {
            let corners = mesh.corners(numbers);
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            if let Some(normal) = normal.try_normalize(f64::EPSILON * size * size) {
                used.push(numbers);
                triangles.push(corners);
                normals.push(normal);
            }
        }
        let concave = concave_edges(mesh, &used, &normals);
        let mut solid = Self { triangles, normals, half_thickness: Vec::new(), size };
        solid.half_thickness = solid.thicknesses(mesh, &used).map_err(|error| error.to_string())?;
        Ok((solid, concave))
    }

    /// Half of the distance from every triangle's middle to the surface on the other side.
    fn thicknesses(&self, mesh: &TriangleMesh, used: &[[u32; 3]]) -> Result<Vec<f64>, TriMeshBuilderError> {
        let vertices = mesh.vertices().iter().map(|&vertex| vertex.into()).collect();
        let surface = TriMesh::new(vertices, used.to_vec())?;
        let volume: f64 = self.triangles.iter().map(|[a, b, c]| a.dot(&b.cross(c)) / 6.0).sum();
        let area: f64 = self.triangles.iter().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum();
        let least = LEAST_THICKNESS * volume.abs() / area;
        let behind = BEHIND * self.size;
        let half = |(corners, normal): (&[Vec3; 3], &Vec3)| {
            let from = corners.iter().sum::<Vec3>() / 3.0 - normal * behind;
            let ray = Ray::new(<[f64; 3]>::from(from).into(), <[f64; 3]>::from(-normal).into());
            let distance = surface.cast_local_ray(&ray, self.size, false).unwrap_or(self.size);
            (0.5 * (distance + behind)).max(least)
        };
        Ok(self.triangles.iter().zip(&self.normals).map(half).collect())
    }

    /// Whether a point is inside: by the solid angle of the surface around it.
    pub fn contains(&self, point: &Vec3) -> bool {
        let angle = |corners: &[Vec3; 3]| {
            // A. van Oosterom, J. Strackee, The solid angle of a plane triangle, IEEE Trans. Biomed. Eng. 30, 1983.
            let [a, b, c] = corners.map(|corner| corner - point);
            let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * elementary::atan2(a.dot(&b.cross(&c)), below)
        };
        self.triangles.iter().map(angle).sum::<f64>() > 2.0 * PI
    }
}

/// Edges between two triangles at which the surface is concave.
fn concave_edges(mesh: &TriangleMesh, triangles: &[[u32; 3]], normals: &[Vec3]) -> Vec<ConcaveEdge> {
    let mut known: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    let mut found = Vec::new();
    let vertex = |number: u32| Vec3::from(mesh.vertices()[number as usize]);
    for (index, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            known.insert([from, to], index);
            let Some(other) = known.get(&[to, from]) else { continue };
            let along = (vertex(to) - vertex(from)).normalize();
            // Seen along the edge, the other triangle is on the right.
            if normals[index].cross(&normals[*other]).dot(&along) < -CONCAVE {
                let ends = [from, to].map(vertex);
                found.push(ConcaveEdge { ends, normals: [normals[index], normals[*other]] });
            }
        }
    }
    found
}
