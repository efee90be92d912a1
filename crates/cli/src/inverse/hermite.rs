//! Polynomials through values and slopes at given points.

/// Divided differences of the polynomial through `(x, values)`, where every point has its value and perhaps its slope;
/// then its value and two derivatives at zero.
///
/// Newton's form with repeated points: J. Stoer, R. Bulirsch, *Introduction to Numerical Analysis*, 2002, section
/// 2.1.5.
pub(super) fn derivatives_at_zero(points: &[(f64, f64, Option<f64>)]) -> [f64; 3] {
    let mut x = Vec::new();
    let mut column = Vec::new();
    let mut slopes = Vec::new();
    for &(at, value, slope) in points {
        for _ in 0..=usize::from(slope.is_some()) {
            x.push(at);
            column.push(value);
            slopes.push(slope.unwrap_or(0.0));
        }
    }
    let mut newton = Vec::new();
    for order in 1..=x.len() {
        newton.push(column[0]);
        for k in 0..x.len() - order {
            let width = x[k + order] - x[k];
            column[k] = if width == 0.0 { slopes[k] } else { (column[k + 1] - column[k]) / width };
        }
        column.truncate(x.len() - order);
    }
    let mut p = [0.0; 3];
    for (c, at) in newton.iter().zip(&x).rev() {
        p = [c - at * p[0], p[0] - at * p[1], 2.0 * p[1] - at * p[2]];
    }
    p
}

/// Derivatives of orders 3 to 5 at the beginning of a polynomial of fifth degree over a time `h` \[s\], with position,
/// velocity and acceleration at both ends.
pub(super) fn quintic(h: f64, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
    // What the end differs from a motion with constant acceleration, in lengths of the coordinate.
    let p = to[0] - from[0] - h * (from[1] + 0.5 * h * from[2]);
    let v = h * (to[1] - from[1] - h * from[2]);
    let a = h * h * (to[2] - from[2]);
    let h3 = h * h * h;
    [
        (60.0 * p - 24.0 * v + 3.0 * a) / h3,
        (-360.0 * p + 168.0 * v - 24.0 * a) / (h3 * h),
        (720.0 * p - 360.0 * v + 60.0 * a) / (h3 * h * h),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(t: f64) -> [f64; 3] {
        [
            1.0 + t * (2.0 + t * (-3.0 + t * (0.5 + t * (0.25 - 0.125 * t)))),
            2.0 + t * (-6.0 + t * (1.5 + t * (1.0 - 0.625 * t))),
            -6.0 + t * (3.0 + t * (3.0 - 2.5 * t)),
        ]
    }

    #[test]
    fn a_polynomial_of_fifth_degree_is_found_from_six_values_or_from_three_with_slopes() {
        let values: Vec<_> = [-1.3, -0.4, 0.0, 0.3, 1.1, 1.9].map(|t| (t, polynomial(t)[0], None)).to_vec();
        let slopes: Vec<_> = [-0.7, 0.0, 1.2].map(|t| (t, polynomial(t)[0], Some(polynomial(t)[1]))).to_vec();
        for points in [values, slopes] {
            let found = derivatives_at_zero(&points);
            for (found, right) in found.iter().zip(polynomial(0.0)) {
                assert!((found - right).abs() < 1e-12, "{found} {right}");
            }
        }
    }

    #[test]
    fn a_polynomial_of_fifth_degree_is_found_from_both_ends() {
        let h = 1.7;
        let [jerk, snap, crackle] = quintic(h, polynomial(0.0), polynomial(h));
        assert!((jerk - 3.0).abs() < 1e-12 && (snap - 6.0).abs() < 1e-11 && (crackle + 15.0).abs() < 1e-11);
    }
}
