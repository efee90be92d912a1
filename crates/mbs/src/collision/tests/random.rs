//! Seeded random numbers, poses and shapes.

use super::*;

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, 2014).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn below(&mut self, count: u64) -> u64 {
        self.bits() % count
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if v.norm() > 0.01 && v.norm() <= 1.0 {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> Mat3 {
        loop {
            let q = [0; 4].map(|_| self.between(-1.0, 1.0));
            let square: f64 = q.iter().map(|x| x * x).sum();
            if square > 0.01 && square <= 1.0 {
                return Quaternion::from_array(q).normalized().to_matrix();
            }
        }
    }

    /// A quarter turn, or any rotation.
    pub fn often_aligned_rotation(&mut self) -> Mat3 {
        let quarter = std::f64::consts::FRAC_PI_2;
        match self.below(4) {
            0 => Mat3::identity(),
            1 => crate::math::rotation_about(&Vec3::x(), quarter * self.below(4) as f64),
            2 => crate::math::rotation_about(&Vec3::z(), self.between(0.0, 6.0)),
            _ => self.rotation(),
        }
    }

    pub fn axis(&mut self) -> Axis {
        [Axis::X, Axis::Y, Axis::Z][self.below(3) as usize]
    }

    pub fn length(&mut self) -> f64 {
        self.between(0.2, 1.5)
    }

    /// A shape of a kind from 0 to 8, of about 1 m.
    pub fn shape(&mut self, kind: u64) -> Shape {
        let axis = self.axis();
        match kind {
            0 => Shape::Sphere { diameter: self.length() },
            1 => Shape::Ellipsoid { lengths: [self.length(), self.length(), self.length()] },
            2 => Shape::Box { lengths: [self.length(), self.length(), self.length()] },
            3 => Shape::Cylinder { axis, diameter: self.length(), length: self.length(), inner_diameter: 0.0 },
            4 => Shape::Cone { axis, diameter: self.length(), top_diameter: 0.0, length: self.length() },
            5 => Shape::Cone { axis, diameter: self.length(), top_diameter: self.length(), length: self.length() },
            6 => Shape::Capsule { axis, diameter: self.length(), length: self.length() },
            7 => Shape::Beam { axis, length: self.length(), width: self.length(), thickness: self.length() },
            _ => self.mesh(),
        }
    }

    /// The hull of random points, as a closed fan of triangles over them (only the vertices matter).
    pub fn mesh(&mut self) -> Shape {
        let count = 8 + self.below(20) as u32;
        let vertices = (0..count).map(|_| (self.direction() * self.between(0.3, 0.8)).into()).collect();
        let triangles = (2..count).map(|i| [0, i - 1, i]).collect();
        let mesh = Arc::new(TriangleMesh::new(vertices, triangles).unwrap());
        Shape::Mesh { mesh, scale: [1.0, self.between(0.5, 1.5), 1.0] }
    }

    /// A compiled shape; half of them smoothed.
    pub fn convex(&mut self, kind: u64) -> ConvexShape {
        let shape = self.shape(kind);
        let smoothing = if self.below(2) == 0 { 0.0 } else { 0.02 };
        ConvexShape::new(&shape, smoothing).unwrap()
    }
}

pub const KINDS: u64 = 9;
