//! Damping that gives a coefficient of restitution.

/// Newton steps; each at least halves the bracket.
const ITERATIONS: usize = 60;

/// From this coefficient on the series is taken.
const NEARLY_ELASTIC: f64 = 0.99;

/// Terms of the series: `x` is below 0.016.
const TERMS: i32 = 11;

/// Approach velocity times damping coefficient, `x = v d`, for which `f = c delta^n (1 + d delta_dot)` gives the
/// coefficient of restitution `e`, for any exponent `n`: the root of
///
/// ```text
/// ln(1 + x) - ln(1 - e x) = (1 + e) x,    0 < x < 1/e
/// ```
///
/// From `m delta'' = -f`: `u du/(1 + d u) = -(c/m) delta^n d delta`, integrated from touching at `u = v` to parting at
/// `u = -e v`, where `delta = 0` both times (K. H. Hunt, F. R. E. Crossley, *Coefficient of Restitution Interpreted as
/// Damping in Vibroimpact*, 1975, give the law; eq. 6 of the paper approximates this root).
///
/// Zero for `e >= 1`, infinite for `e <= 0`.
#[must_use]
pub fn restitution_damping(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    if e <= 0.0 {
        return f64::INFINITY;
    }
    if e > NEARLY_ELASTIC {
        return nearly_elastic(e);
    }
    // Negative below the root.
    let excess = |x: f64| elementary::ln_1p(x) - elementary::ln_1p(-e * x) - (1.0 + e) * x;
    let slope = |x: f64| 1.0 / (1.0 + x) + e / (1.0 - e * x) - (1.0 + e);
    let (mut low, mut high) = (0.0, 1.0 / e);
    // The root of the series' first two terms is below the true one's double, and above zero.
    let mut x = (1.5 * (1.0 - e * e) / (1.0 + e.powi(3))).min(0.5 * high);
    for _ in 0..ITERATIONS {
        let value = excess(x);
        if value < 0.0 {
            low = x
        } else {
            high = x
        }
        let newton = x - value / slope(x);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= 1e-15 * next {
            return next;
        }
        x = next;
    }
    x
}

/// The root for a coefficient near one, where the logarithms cancel: that of their series, divided by `x^2`.
fn nearly_elastic(e: f64) -> f64 {
    let term = |k: i32| (e.powi(k) - (-1.0f64).powi(k)) / f64::from(k);
    let mut x: f64 = 0.0;
    for _ in 0..ITERATIONS {
        let rest: f64 = (4..TERMS).map(|k| term(k) * x.powi(k - 2)).sum();
        let next = -(term(2) + rest) / term(3);
        if (next - x).abs() <= 1e-16 * next {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::restitution_damping;

    /// Restitution of one impact with speed 1 by the fourth-order Runge-Kutta method, for
    /// `delta'' = -delta^n (1 + x delta')`.
    fn restitution(x: f64, n: f64) -> f64 {
        let f = |delta: f64, u: f64| -delta.max(0.0).powf(n) * (1.0 + x * u).max(0.0);
        let (mut delta, mut u, h) = (0.0, 1.0, 1e-4);
        loop {
            let (d1, u1) = (u, f(delta, u));
            let (d2, u2) = (u + 0.5 * h * u1, f(delta + 0.5 * h * d1, u + 0.5 * h * u1));
            let (d3, u3) = (u + 0.5 * h * u2, f(delta + 0.5 * h * d2, u + 0.5 * h * u2));
            let (d4, u4) = (u + h * u3, f(delta + h * d3, u + h * u3));
            delta += h / 6.0 * (d1 + 2.0 * d2 + 2.0 * d3 + d4);
            u += h / 6.0 * (u1 + 2.0 * u2 + 2.0 * u3 + u4);
            if delta < 0.0 {
                return -u;
            }
        }
    }

    #[test]
    fn an_impact_has_the_restitution_that_was_asked_for() {
        for n in [1.0, 1.5, 2.0] {
            for e in [0.95, 0.7, 0.5, 0.2, 0.05] {
                let found = restitution(restitution_damping(e), n);
                assert!((found - e).abs() < 1e-5, "{found} instead of {e} for n = {n}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_are_those_of_the_law() {
        assert_eq!(restitution_damping(1.0), 0.0);
        assert_eq!(restitution_damping(0.0), f64::INFINITY);
        assert!((restitution_damping(1.0 - 1e-9) / 1.5e-9 - 1.0).abs() < 1e-7);
        assert!((restitution_damping(1e-3) / 1e3 - 1.0).abs() < 1e-9);
        let [below, above] = [0.99, 0.99 + 1e-12].map(restitution_damping);
        assert!((above / below - 1.0).abs() < 1e-9, "{below} {above}");
    }
}
