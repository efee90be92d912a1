//! Triangle meshes: vertices, triangles, welding.

use super::bounding_box::BoundingBox;
use super::error::SolidError;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A surface of triangles with shared vertices. Seen from outside, the vertices of a triangle run counter-clockwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct TriangleMesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Convex parts that stand for the solid in contacts; none when its convex hull does.
    convex_parts: Vec<ConvexPart>,
    /// Whether the hull is meant to stand for a mesh that is not convex.
    hull_is_meant: bool,
}

/// A convex part of a solid, in the coordinates of its mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvexPart {
    /// Corners \[m\].
    pub corners: Vec<[f64; 3]>,
    /// Planes of the surface; without any, all sides of the hull of the corners are surface.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faces: Vec<PartPlane>,
    /// Planes at which other parts begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<PartPlane>,
}

/// A plane that bounds a convex part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 5]", into = "[f64; 5]")]
pub struct PartPlane {
    /// Outward unit normal.
    pub normal: [f64; 3],
    /// Distance from the origin along the normal \[m\].
    pub offset: f64,
    /// Half of the thickness of the solid behind it \[m\]; without meaning for walls.
    pub height: f64,
}

impl From<[f64; 5]> for PartPlane {
    fn from([x, y, z, offset, height]: [f64; 5]) -> Self {
        Self { normal: [x, y, z], offset, height }
    }
}

impl From<PartPlane> for [f64; 5] {
    fn from(plane: PartPlane) -> Self {
        let [x, y, z] = plane.normal;
        [x, y, z, plane.offset, plane.height]
    }
}

impl ConvexPart {
    /// A part whose hull is surface on all sides.
    #[must_use]
    pub fn hull(corners: Vec<[f64; 3]>) -> Self {
        Self { corners, faces: Vec::new(), walls: Vec::new() }
    }

    fn is_finite(&self) -> bool {
        let planes = self.faces.iter().chain(&self.walls);
        let corners = self.corners.iter().flatten().copied();
        corners.chain(planes.flat_map(|&plane| <[f64; 5]>::from(plane))).all(f64::is_finite)
            && self.faces.iter().all(|face| face.height > 0.0)
    }
}

/// What is stored of a mesh.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    convex_parts: Vec<ConvexPart>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hull_is_meant: bool,
}

impl TryFrom<Raw> for TriangleMesh {
    type Error = SolidError;

    fn try_from(raw: Raw) -> Result<TriangleMesh, SolidError> {
        let mesh = TriangleMesh::new(raw.vertices, raw.triangles)?.with_convex_parts(raw.convex_parts)?;
        Ok(TriangleMesh { hull_is_meant: raw.hull_is_meant, ..mesh })
    }
}

impl From<TriangleMesh> for Raw {
    fn from(mesh: TriangleMesh) -> Raw {
        let TriangleMesh { vertices, triangles, convex_parts, hull_is_meant } = mesh;
        Raw { vertices, triangles, convex_parts, hull_is_meant }
    }
}

impl TriangleMesh {
    /// A mesh from vertices [m] and vertex numbers counted from 0. Triangles that use a vertex twice are left out. The
    /// surface need not be closed.
    ///
    /// # Errors
    /// No triangles, coordinates that are not finite, vertex numbers out of range.
    pub fn new(vertices: Vec<[f64; 3]>, mut triangles: Vec<[u32; 3]>) -> Result<TriangleMesh, SolidError> {
        if let Some(vertex) = vertices.iter().position(|vertex| !vertex.iter().all(|x| x.is_finite())) {
            return Err(SolidError::VertexNotFinite { vertex });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices.len()) {
                return Err(SolidError::VertexIndex { triangle, index, vertices: vertices.len() });
            }
        }
        triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        if triangles.is_empty() {
            return Err(SolidError::EmptyMesh);
        }
        Ok(TriangleMesh { vertices, triangles, convex_parts: Vec::new(), hull_is_meant: false })
    }

    /// The mesh with convex parts that stand for it in contacts. Without parts its convex hull does.
    ///
    /// # Errors
    /// Coordinates that are not finite; faces without a thickness.
    pub fn with_convex_parts(self, convex_parts: Vec<ConvexPart>) -> Result<TriangleMesh, SolidError> {
        match convex_parts.iter().position(|part| !part.is_finite()) {
            Some(part) => Err(SolidError::PartNotFinite { part }),
            None => Ok(TriangleMesh { convex_parts, ..self }),
        }
    }

    /// The mesh, for which its convex hull stands in contacts though it may not be convex.
    #[must_use]
    pub fn with_hull(self) -> TriangleMesh {
        TriangleMesh { convex_parts: Vec::new(), hull_is_meant: true, ..self }
    }

    /// Whether the convex hull is meant to stand for the mesh.
    #[must_use]
    pub fn hull_is_meant(&self) -> bool {
        self.hull_is_meant
    }

    /// Convex parts that stand for the mesh in contacts; empty when its convex hull does.
    pub fn convex_parts(&self) -> &[ConvexPart] {
        &self.convex_parts
    }

    /// A mesh from separate triangles (corners in metres), as in STL files: vertices nearer than `relative_tolerance`
    /// times the diagonal of the bounding box become one, and triangles that collapse are left out.
    ///
    /// # Errors
    /// As [`TriangleMesh::new`].
    pub fn from_soup(soup: &[[[f64; 3]; 3]], relative_tolerance: f64) -> Result<TriangleMesh, SolidError> {
        let corners = || soup.iter().flatten();
        if let Some(vertex) = corners().position(|corner| !corner.iter().all(|x| x.is_finite())) {
            return Err(SolidError::VertexNotFinite { vertex });
        }
        let diagonal = BoundingBox::around(corners().map(|&corner| corner.into())).lengths().norm();
        let mut welder = Welder::new(diagonal * relative_tolerance.max(1e-15));
        let triangles = soup.iter().map(|triangle| triangle.map(|corner| welder.vertex(corner))).collect();
        TriangleMesh::new(welder.vertices, triangles)
    }

    /// Vertices [m].
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// Vertex numbers of each triangle, counted from 0.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Corners of a triangle, relative to nothing but the mesh origin [m].
    pub fn corners(&self, triangle: [u32; 3]) -> [Vector3<f64>; 3] {
        triangle.map(|index| Vector3::from(self.vertices[index as usize]))
    }

    /// Bounding box of the vertices that are used, with scaled coordinates.
    pub fn bounding_box(&self, scale: [f64; 3]) -> BoundingBox {
        let scale = Vector3::from(scale);
        let used = self.triangles.iter().flat_map(|&triangle| self.corners(triangle));
        BoundingBox::around(used.map(|vertex| vertex.component_mul(&scale)))
    }

    pub(super) fn with_triangles(&self, triangles: Vec<[u32; 3]>) -> TriangleMesh {
        TriangleMesh { triangles, ..self.clone() }
    }
}

/// Finds vertices that lie together by means of a grid whose cells are as large as the tolerance.
struct Welder {
    tolerance: f64,
    vertices: Vec<[f64; 3]>,
    cells: BTreeMap<[i64; 3], Vec<u32>>,
}

impl Welder {
    fn new(tolerance: f64) -> Welder {
        Welder { tolerance, vertices: Vec::new(), cells: BTreeMap::new() }
    }

    /// Number of the first known vertex within the tolerance, or of a new one.
    fn vertex(&mut self, point: [f64; 3]) -> u32 {
        let cell = point.map(|x| if self.tolerance > 0.0 { (x / self.tolerance).floor() as i64 } else { 0 });
        if let Some(known) = self.known(cell, point) {
            return known;
        }
        let index = self.vertices.len() as u32;
        self.vertices.push(point);
        self.cells.entry(cell).or_default().push(index);
        index
    }

    fn known(&self, cell: [i64; 3], point: [f64; 3]) -> Option<u32> {
        let point = Vector3::from(point);
        let near = |index: u32| (Vector3::from(self.vertices[index as usize]) - point).norm() <= self.tolerance;
        let neighbours = (0..27).map(|k| [k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1]);
        let neighbours = neighbours.map(|step: [i64; 3]| std::array::from_fn(|i| cell[i].saturating_add(step[i])));
        let candidates = neighbours.filter_map(|cell| self.cells.get(&cell)).flatten().copied();
        candidates.filter(|&index| near(index)).min()
    }
}
