//! Operators and built-in functions: name, number of arguments, value, partial derivatives, domain.

use std::f64::consts::PI;

/// Operator or built-in function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Sqrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Round,
    Degrees,
    Atan2,
    Hypot,
    Modulo,
    Min,
    Max,
    Clamp,
    Smoothstep,
}

use Function as F;

/// Called by name: name, function, smallest and largest number of arguments.
const NAMED: [(&str, Function, usize, usize); 27] = [
    ("sin", F::Sin, 1, 1),
    ("cos", F::Cos, 1, 1),
    ("tan", F::Tan, 1, 1),
    ("asin", F::Asin, 1, 1),
    ("acos", F::Acos, 1, 1),
    ("atan", F::Atan, 1, 1),
    ("atan2", F::Atan2, 2, 2),
    ("sinh", F::Sinh, 1, 1),
    ("cosh", F::Cosh, 1, 1),
    ("tanh", F::Tanh, 1, 1),
    ("exp", F::Exp, 1, 1),
    ("log", F::Log, 1, 1),
    ("log10", F::Log10, 1, 1),
    ("sqrt", F::Sqrt, 1, 1),
    ("abs", F::Abs, 1, 1),
    ("sign", F::Sign, 1, 1),
    ("floor", F::Floor, 1, 1),
    ("ceil", F::Ceil, 1, 1),
    ("round", F::Round, 1, 1),
    ("deg", F::Degrees, 1, 1),
    ("hypot", F::Hypot, 2, 2),
    ("mod", F::Modulo, 2, 2),
    ("pow", F::Power, 2, 2),
    ("min", F::Min, 1, usize::MAX),
    ("max", F::Max, 1, usize::MAX),
    ("clamp", F::Clamp, 3, 3),
    ("smoothstep", F::Smoothstep, 3, 3),
];

/// Names of the built-in functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|entry| entry.0)
}

/// A built-in function found by name.
pub(super) struct Named {
    pub function: Function,
    pub fewest: usize,
    pub most: usize,
}

pub(super) fn named(name: &str) -> Option<Named> {
    let &(_, function, fewest, most) = NAMED.iter().find(|entry| entry.0 == name)?;
    Some(Named { function, fewest, most })
}

impl Function {
    /// Name for a call; operators give their symbol.
    pub fn name(self) -> &'static str {
        match self {
            F::Negate | F::Subtract => "-",
            F::Add => "+",
            F::Multiply => "*",
            F::Divide => "/",
            F::Power => "^",
            _ => NAMED.iter().find(|entry| entry.1 == self).map_or("", |entry| entry.0),
        }
    }

    /// Number of operands of the compiled form (`min` and `max` are chained pairwise).
    pub fn operands(self) -> usize {
        match self {
            F::Add | F::Subtract | F::Multiply | F::Divide | F::Power => 2,
            F::Atan2 | F::Hypot | F::Modulo | F::Min | F::Max => 2,
            F::Clamp | F::Smoothstep => 3,
            _ => 1,
        }
    }

    /// Whether the value jumps somewhere; such functions of continuous quantities need events.
    pub fn is_discontinuous(self) -> bool {
        matches!(self, F::Sign | F::Floor | F::Ceil | F::Round | F::Modulo)
    }

    /// Value for the operands; unused ones are ignored. Outside the domain the result is NaN or infinite.
    pub fn value(self, [a, b, c]: [f64; 3]) -> f64 {
        match self {
            F::Negate => -a,
            F::Add => a + b,
            F::Subtract => a - b,
            F::Multiply => a * b,
            F::Divide => a / b,
            F::Power => power(a, b),
            F::Sin => elementary::sin(a),
            F::Cos => elementary::cos(a),
            F::Tan => elementary::tan(a),
            F::Asin => elementary::asin(a),
            F::Acos => elementary::acos(a),
            F::Atan => elementary::atan(a),
            F::Sinh => elementary::sinh(a),
            F::Cosh => elementary::cosh(a),
            F::Tanh => elementary::tanh(a),
            F::Exp => elementary::exp(a),
            F::Log => elementary::ln(a),
            F::Log10 => elementary::log10(a),
            F::Sqrt => a.sqrt(),
            F::Abs => a.abs(),
            F::Sign => sign(a),
            F::Floor => a.floor(),
            F::Ceil => a.ceil(),
            F::Round => a.round(),
            F::Degrees => a * (PI / 180.0),
            F::Atan2 => elementary::atan2(a, b),
            F::Hypot => elementary::hypot(a, b),
            F::Modulo => a - b * (a / b).floor(),
            F::Min => smaller(a, b),
            F::Max => larger(a, b),
            F::Clamp => smaller(larger(a, b), c),
            F::Smoothstep => smoothstep_phase(a, b, c).map_or_else(|end| end, |t| t * t * (3.0 - 2.0 * t)),
        }
    }

    /// Partial derivatives with respect to the operands. At a kink (`abs`, `min`, `max`, `clamp`, `hypot` at the
    /// origin) one of the one-sided values or their mean is taken; jumps do not contribute.
    pub fn partials(self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        match self {
            F::Negate => [-1.0, 0.0, 0.0],
            F::Add => [1.0, 1.0, 0.0],
            F::Subtract => [1.0, -1.0, 0.0],
            F::Multiply => [b, a, 0.0],
            F::Divide => [1.0 / b, -a / (b * b), 0.0],
            F::Power => power_partials(a, b),
            F::Atan2 => [b / (a * a + b * b), -a / (a * a + b * b), 0.0],
            F::Hypot => hypot_partials(a, b),
            F::Modulo => [1.0, -(a / b).floor(), 0.0],
            F::Min => {
                if b < a {
                    [0.0, 1.0, 0.0]
                } else {
                    [1.0, 0.0, 0.0]
                }
            }
            F::Max => {
                if b > a {
                    [0.0, 1.0, 0.0]
                } else {
                    [1.0, 0.0, 0.0]
                }
            }
            F::Clamp => clamp_partials(a, b, c),
            F::Smoothstep => smoothstep_partials(a, b, c),
            _ => [self.derivative(a), 0.0, 0.0],
        }
    }

    /// Derivative of a function of one argument.
    fn derivative(self, a: f64) -> f64 {
        match self {
            F::Sin => elementary::cos(a),
            F::Cos => -elementary::sin(a),
            F::Tan => 1.0 + elementary::tan(a) * elementary::tan(a),
            F::Asin => 1.0 / (1.0 - a * a).sqrt(),
            F::Acos => -1.0 / (1.0 - a * a).sqrt(),
            F::Atan => 1.0 / (1.0 + a * a),
            F::Sinh => elementary::cosh(a),
            F::Cosh => elementary::sinh(a),
            F::Tanh => 1.0 - elementary::tanh(a) * elementary::tanh(a),
            F::Exp => elementary::exp(a),
            F::Log => 1.0 / a,
            F::Log10 => 1.0 / (a * std::f64::consts::LN_10),
            F::Sqrt => 0.5 / a.sqrt(),
            F::Abs => sign(a),
            F::Degrees => PI / 180.0,
            _ => 0.0,
        }
    }

    /// Why the function has no value for these finite operands, and which operand is to blame; `None` inside the
    /// domain.
    pub fn domain_error(self, [a, b, c]: [f64; 3]) -> Option<(usize, &'static str)> {
        match self {
            F::Divide if b == 0.0 => Some((1, "division by zero")),
            F::Modulo if b == 0.0 => Some((1, "remainder of a division by zero")),
            F::Sqrt if a < 0.0 => Some((0, "square root of a negative number")),
            F::Log | F::Log10 if a <= 0.0 => Some((0, "logarithm of a number that is not positive")),
            F::Asin | F::Acos if a.abs() > 1.0 => Some((0, "inverse sine or cosine outside -1 ... 1")),
            F::Power if a == 0.0 && b < 0.0 => Some((0, "negative power of zero")),
            F::Power if a < 0.0 && b != b.floor() => Some((0, "fractional power of a negative number")),
            F::Clamp if b > c => Some((1, "lower limit above the upper limit")),
            F::Smoothstep if b == c => Some((1, "smoothstep between equal positions")),
            _ => None,
        }
    }
}

/// Squares and cubes are products: exact where the product is, and fast.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 2.0 {
        base * base
    } else if exponent == 3.0 {
        base * base * base
    } else {
        elementary::pow(base, exponent)
    }
}

fn power_partials(base: f64, exponent: f64) -> [f64; 3] {
    let by_base = if exponent == 0.0 { 0.0 } else { exponent * power(base, exponent - 1.0) };
    let by_exponent = if base == 0.0 { 0.0 } else { power(base, exponent) * elementary::ln(base) };
    [by_base, by_exponent, 0.0]
}

fn hypot_partials(a: f64, b: f64) -> [f64; 3] {
    let length = elementary::hypot(a, b);
    if length == 0.0 { [0.0; 3] } else { [a / length, b / length, 0.0] }
}

fn clamp_partials(x: f64, low: f64, high: f64) -> [f64; 3] {
    if larger(x, low) > high {
        [0.0, 0.0, 1.0]
    } else if x < low {
        [0.0, 1.0, 0.0]
    } else {
        [1.0, 0.0, 0.0]
    }
}

/// Position between the ends, or the value outside. A zero distance gives NaN.
fn smoothstep_phase(x: f64, from: f64, to: f64) -> Result<f64, f64> {
    let t = (x - from) / (to - from);
    if from == to {
        Err(f64::NAN)
    } else if t <= 0.0 {
        Err(0.0)
    } else if t >= 1.0 {
        Err(1.0)
    } else {
        Ok(t)
    }
}

fn smoothstep_partials(x: f64, from: f64, to: f64) -> [f64; 3] {
    let Ok(t) = smoothstep_phase(x, from, to) else { return [0.0; 3] };
    let slope = 6.0 * t * (1.0 - t) / (to - from);
    [slope, -slope * (1.0 - t), -slope * t]
}

fn sign(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() { x } else { 1.0_f64.copysign(x) }
}

/// Unlike `f64::min` this keeps NaN, so that a wrong value is noticed.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
