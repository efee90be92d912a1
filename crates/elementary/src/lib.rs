//! Elementary functions with the same bits on every platform.
//!
//! C libraries round sine or power differently in the last bit, and a break of billiards makes millimetres of that
//! within seconds. So whatever decides a result calls these functions, not those of the standard library, which are the
//! C library's; `clippy.toml` keeps it that way. Sums, products, quotients, square roots and rounding to integers are
//! exact everywhere and need nothing of this kind.

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),+) = $implementation:ident;)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            #[inline]
            pub fn $name($($argument: f64),+) -> f64 {
                libm::$implementation($($argument),+)
            }
        )*
    };
}

functions! {
    /// Sine of an angle \[rad\].
    sin(x) = sin;
    /// Cosine of an angle \[rad\].
    cos(x) = cos;
    /// Tangent of an angle \[rad\].
    tan(x) = tan;
    /// Angle \[rad\] of a sine, -pi/2 to pi/2.
    asin(x) = asin;
    /// Angle \[rad\] of a cosine, 0 to pi.
    acos(x) = acos;
    /// Angle \[rad\] of a tangent, -pi/2 to pi/2.
    atan(x) = atan;
    /// Angle \[rad\] of the point (x, y), -pi to pi.
    atan2(y, x) = atan2;
    /// Hyperbolic sine.
    sinh(x) = sinh;
    /// Hyperbolic cosine.
    cosh(x) = cosh;
    /// Hyperbolic tangent.
    tanh(x) = tanh;
    /// `e^x`.
    exp(x) = exp;
    /// Natural logarithm.
    ln(x) = log;
    /// Natural logarithm of `1 + x`.
    ln_1p(x) = log1p;
    /// Logarithm to base 10.
    log10(x) = log10;
    /// `base^exponent`.
    pow(base, exponent) = pow;
    /// Length of the vector (x, y), also where squares overflow.
    hypot(x, y) = hypot;
}

/// Sine and cosine of an angle \[rad\].
#[must_use]
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits found on 64-bit Linux; a platform or a release of the algorithms with others gives other results of models.
    #[test]
    fn bits_are_those_of_every_other_platform() {
        let all = [
            sin(22.3),
            cos(22.3),
            tan(22.3),
            asin(0.3),
            acos(0.3),
            atan(2.3),
            atan2(-0.3, -2.0),
            sinh(2.3),
            cosh(2.3),
            tanh(0.7),
            exp(2.3),
            ln(2.3),
            ln_1p(1e-3),
            log10(2.3),
            pow(2.3, -0.2),
            hypot(0.3, 2.3),
            sin_cos(1e5).0,
        ];
        let mut digest = 0_u64;
        for value in all {
            digest = digest.rotate_left(7) ^ value.to_bits();
        }
        assert_eq!(digest, 0x99a5_eb23_5caf_1331, "{digest:016x}");
    }
}
