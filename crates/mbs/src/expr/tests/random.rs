//! Random expressions for comparisons of the three evaluators.

/// Small generator of numbers; the seed is printed by the tests that use it.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Text of an expression in `time`, `x` and `y` that is smooth and finite for arguments near 1.
    pub fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(5) {
                0 => "time".into(),
                1 => "x".into(),
                2 => "y".into(),
                3 => "length".into(),
                _ => format!("{:.2}", self.between(0.2, 3.0)),
            };
        }
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        match self.below(18) {
            0 => format!("({a}) + ({b})"),
            1 => format!("({a}) - ({b})"),
            2 => format!("({a})*({b})"),
            3 => format!("({a})/(2 + sin({b}))"),
            4 => format!("sin({a})^3"),
            5 => format!("cos({a})*exp(-abs({b}))"),
            6 => format!("sqrt(1 + ({a})^2)"),
            7 => format!("(1.5 + sin({a}))^(cos({b}))"),
            8 => format!("atan2({a}, 1 + ({b})^2)"),
            9 => format!("hypot({a}, 1 + abs({b}))"),
            10 => format!("log(2 + tanh({a}))"),
            11 => format!("if ({a}) < ({b}) then {b} else sin({a})"),
            12 => format!("min({a}, {b}, 1.5)"),
            13 => format!("max({a}, {b})"),
            14 => format!("clamp({a}, -1, 2 + sin({b}))"),
            15 => format!("smoothstep({a}, -2, 3 + sin({b}))"),
            16 => format!("atan({a}) - deg({b}) + asin(0.4*sin({a})) + acos(0.3*cos({b}))"),
            _ => format!("cam(2 + 1.5*sin({a})) + log10(3 + cos({b}))*cosh(tanh({a})) + sinh(sin({b}))"),
        }
    }
}
