//! Convex polygons in a plane.

use crate::math::Vec3;

/// A plane with coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaneFrame {
    origin: Vec3,
    u: Vec3,
    v: Vec3,
}

/// A function `c + g . x` of the coordinates of a plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear {
    pub c: f64,
    pub g: [f64; 2],
}

/// A convex polygon, counter-clockwise, with work arrays.
#[derive(Debug, Clone, Default)]
pub(super) struct Polygon {
    corners: Vec<[f64; 2]>,
    clipped: Vec<[f64; 2]>,
    values: Vec<f64>,
}

/// Integrals of a linear function over a polygon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Integral {
    /// Of 1.
    pub area: f64,
    /// Of the function.
    pub sum: f64,
    /// Of the function times the place, over `sum`.
    pub center: [f64; 2],
    /// The greatest value of the function.
    pub highest: f64,
}

impl PlaneFrame {
    /// The plane `n . x = height` with a unit normal, about the foot of the origin (T. Duff and others, "Building an
    /// Orthonormal Basis, Revisited", J. Computer Graphics Techniques 6 (2017)).
    #[inline]
    pub fn new(n: &Vec3, height: f64) -> Self {
        let sign = 1.0_f64.copysign(n.z);
        let a = -1.0 / (sign + n.z);
        let b = n.x * n.y * a;
        let u = Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
        let v = Vec3::new(b, sign + n.y * n.y * a, -n.y);
        Self { origin: height * n, u, v }
    }

    /// The function `c + g . x` on the plane.
    #[inline]
    pub fn on(&self, c: f64, g: &Vec3) -> Linear {
        Linear { c: c + g.dot(&self.origin), g: [g.dot(&self.u), g.dot(&self.v)] }
    }

    /// The point with the given coordinates.
    #[inline]
    pub fn point(&self, [x, y]: [f64; 2]) -> Vec3 {
        self.origin + x * self.u + y * self.v
    }
}

impl Linear {
    #[inline]
    pub fn at(&self, [x, y]: [f64; 2]) -> f64 {
        self.c + (self.g[0] * x + self.g[1] * y)
    }

    /// Square of its slope.
    #[inline]
    pub fn slope_squared(&self) -> f64 {
        self.g[0] * self.g[0] + self.g[1] * self.g[1]
    }
}

impl Polygon {
    /// Becomes a square about the origin with half of its side given.
    pub fn reset(&mut self, half: f64) {
        self.corners.clear();
        self.corners.extend([[-half, -half], [half, -half], [half, half], [-half, half]]);
    }

    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    /// Keeps the part in which a function is not negative (Sutherland and Hodgman). Returns whether there is one.
    pub fn keep(&mut self, function: &Linear) -> bool {
        let Self { corners, clipped, values } = self;
        values.clear();
        values.extend(corners.iter().map(|corner| function.at(*corner)));
        if values.iter().all(|value| *value >= 0.0) {
            return true;
        }
        let (Some(&last), Some(&f_last)) = (corners.last(), values.last()) else { return false };
        clipped.clear();
        let (mut before, mut f_before) = (last, f_last);
        for (&at, &f_at) in corners.iter().zip(&*values) {
            if (f_before >= 0.0) != (f_at >= 0.0) {
                let part = f_before / (f_before - f_at);
                clipped.push([before[0] + (at[0] - before[0]) * part, before[1] + (at[1] - before[1]) * part]);
            }
            if f_at >= 0.0 {
                clipped.push(at);
            }
            (before, f_before) = (at, f_at);
        }
        std::mem::swap(corners, clipped);
        corners.len() > 2
    }

    /// Integrals of a function over the polygon, triangle by triangle from the first corner; none where the area or the
    /// integral is not positive.
    pub fn integrate(&mut self, function: &Linear) -> Option<Integral> {
        let Self { corners, values, .. } = self;
        let &first = corners.first()?;
        values.clear();
        values.extend(corners.iter().map(|corner| function.at(*corner)));
        let (mut area, mut sum, mut moment) = (0.0, 0.0, [0.0; 2]);
        let sides = corners.windows(2).zip(values.windows(2)).skip(1);
        for (side, pressures) in sides {
            let [q, r] = [side[0], side[1]].map(|at| [at[0] - first[0], at[1] - first[1]]);
            let part = 0.5 * (q[0] * r[1] - q[1] * r[0]);
            let total = values[0] + pressures[0] + pressures[1];
            area += part;
            sum += part * total / 3.0;
            // The integral of a product of two linear functions over a triangle.
            let weights = [part / 12.0 * (total + pressures[0]), part / 12.0 * (total + pressures[1])];
            for k in 0..2 {
                moment[k] += weights[0] * q[k] + weights[1] * r[k];
            }
        }
        let highest = values.iter().copied().fold(0.0, f64::max);
        let center = [first[0] + moment[0] / sum, first[1] + moment[1] / sum];
        (area > 0.0 && sum > 0.0).then_some(Integral { area, sum, center, highest })
    }
}
