//! Triangle meshes in the form of graphics formats.

/// An indexed triangle mesh with normals; counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct TriangleMesh {
    /// Corner positions, in units of the form's scale.
    pub(super) positions: Vec<[f32; 3]>,
    /// Unit outward normals, one per corner.
    pub(super) normals: Vec<[f32; 3]>,
    /// Linear RGB per corner; empty when the mesh has the colour of its shape.
    pub(super) colors: Vec<[f32; 3]>,
    /// Three corner indices per triangle.
    pub(super) indices: Vec<u32>,
}

impl TriangleMesh {
    /// Appends a corner and returns its index.
    pub(super) fn corner(&mut self, position: [f64; 3], normal: [f64; 3]) -> u32 {
        self.positions.push(position.map(|v| v as f32));
        self.normals.push(normal.map(|v| v as f32));
        (self.positions.len() - 1) as u32
    }

    /// Appends a triangle.
    pub(super) fn triangle(&mut self, a: u32, b: u32, c: u32) {
        self.indices.extend([a, b, c]);
    }

    /// Appends `other` in one colour, its axes exchanged so that z becomes the axis `shift` places after z.
    pub(super) fn append_colored(&mut self, other: &Self, shift: usize, color: [f32; 3]) {
        let start = self.positions.len() as u32;
        let turned = |v: &[f32; 3]| [0, 1, 2].map(|i| v[(i + 3 - shift) % 3]);
        self.positions.extend(other.positions.iter().map(turned));
        self.normals.extend(other.normals.iter().map(turned));
        self.colors.extend(other.positions.iter().map(|_| color));
        self.indices.extend(other.indices.iter().map(|i| i + start));
    }
}

/// How finely curved surfaces are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Detail {
    /// Divisions of a full circle.
    pub(super) around: usize,
}

impl Detail {
    /// Fine for a few shapes, coarser for many, so that large scenes stay fluent.
    pub(super) fn for_shapes(num_shapes: usize) -> Self {
        let around = match num_shapes {
            0..=150 => 48,
            151..=600 => 32,
            _ => 24,
        };
        Self { around }
    }
}

/// Vector helpers on plain arrays.
pub(super) mod vector {
    /// `a - b`
    pub(in super::super) fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }

    /// `a + b`
    pub(in super::super) fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
    }

    /// `a x b`
    pub(in super::super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    /// `a . b`
    pub(in super::super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// `a` in unit length; the z direction for the zero vector.
    pub(in super::super) fn unit(a: [f64; 3]) -> [f64; 3] {
        let length = dot(a, a).sqrt();
        if length > 0.0 { a.map(|v| v / length) } else { [0.0, 0.0, 1.0] }
    }
}
