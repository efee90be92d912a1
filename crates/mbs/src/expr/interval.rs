//! Bounds of an expression over intervals of its slots: interval arithmetic.
//!
//! Bounds hold for all values between the ends (Moore, Kearfott, Cloud: Introduction to Interval Analysis, 2009, ch. 5)
//! but for rounding errors. They are wider than need be where a slot occurs several times, and tend to the value as
//! intervals shrink.

use super::code::{MAX_STACK, Op};
use super::function::Function;
use super::program::Program;
use super::relation::Relations;
use super::table::Table;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::{Add, Mul};

/// Largest whole exponent for which powers of intervals are bounded.
const LARGEST_EXPONENT: f64 = 64.0;

/// All numbers from one to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Smallest number.
    pub low: f64,
    /// Largest number.
    pub high: f64,
}

impl Interval {
    /// One number.
    #[must_use]
    pub fn point(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// The numbers between those given; none when one of them is no number.
    fn hull(values: &[f64]) -> Option<Self> {
        if values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        Some(Self { low, high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max) })
    }

    fn is_point(&self) -> bool {
        self.low == self.high
    }

    fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Bounds of the sine of angles \[rad\].
    #[must_use]
    pub fn sin(self) -> Self {
        sine(self.low, self.high)
    }

    /// Bounds of the cosine of angles \[rad\].
    #[must_use]
    pub fn cos(self) -> Self {
        sine(self.low + FRAC_PI_2, self.high + FRAC_PI_2)
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        // Zero times infinity is zero: ends that are infinite stand for all numbers beyond.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)]
            .map(|(a, b)| product(a, b));
        Self {
            low: ends.iter().copied().fold(f64::INFINITY, f64::min),
            high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

impl Program {
    /// Bounds of the value while slots lie in the ranges that `load` gives; none where an operation has no bounds
    /// (slopes of cubic tables, live relations, `tan` and the like of quantities that change).
    pub fn range(
        &self,
        load: impl Fn(usize) -> Interval,
        tables: &[Table],
        relations: Relations<'_>,
    ) -> Option<Interval> {
        let mut stack = [Interval::point(0.0); MAX_STACK];
        let (mut len, mut at) = (0, 0);
        while let Some(&op) = self.code.ops.get(at) {
            at += 1;
            let operands = operands_of(op);
            len -= operands;
            let result = match (op, &stack[len..len + operands]) {
                (Op::Constant(value), _) => Interval::point(value),
                (Op::Slot(slot), _) => load(slot as usize),
                (Op::Apply(function), operands) => function.range(operands)?,
                (Op::Table { table, order }, [x]) => {
                    let [low, high] = tables.get(table as usize)?.bounds(order, [x.low, x.high])?;
                    Interval { low, high }
                }
                (Op::TableInRegion { table, order }, [x, region]) if region.is_point() => {
                    let table = tables.get(table as usize)?;
                    let [low, high] = table.bounds_in_region(region.low as usize, order, [x.low, x.high])?;
                    Interval { low, high }
                }
                (Op::Relation(index), _) => truth(frozen(relations, index)?),
                (Op::Compare(comparison), [a, b]) if a.is_point() && b.is_point() => {
                    truth(comparison.compare(a.low, b.low))
                }
                (Op::And, [a, b]) => truth(a.low != 0.0 && b.low != 0.0),
                (Op::Or, [a, b]) => truth(a.low != 0.0 || b.low != 0.0),
                (Op::Not, [a]) => truth(a.low == 0.0),
                (Op::JumpIfFalse(distance), [condition]) => {
                    at += if condition.low != 0.0 { 0 } else { distance as usize };
                    continue;
                }
                (Op::Jump(distance), _) => {
                    at += distance as usize;
                    continue;
                }
                _ => return None,
            };
            stack[len] = result;
            len += 1;
        }
        Some(stack[len.checked_sub(1)?])
    }
}

fn operands_of(op: Op) -> usize {
    match op {
        Op::Constant(_) | Op::Slot(_) | Op::Relation(_) | Op::Jump(_) => 0,
        Op::Apply(function) => function.operands(),
        Op::Table { .. } | Op::Not | Op::JumpIfFalse(_) => 1,
        Op::TableInRegion { .. } | Op::Compare(_) | Op::And | Op::Or => 2,
    }
}

fn truth(holds: bool) -> Interval {
    Interval::point(if holds { 1.0 } else { 0.0 })
}

fn frozen(relations: Relations<'_>, index: u32) -> Option<bool> {
    match relations {
        Relations::Frozen(truth) => truth.get(index as usize).copied(),
        Relations::Live => None,
    }
}

impl Function {
    fn range(self, operands: &[Interval]) -> Option<Interval> {
        use Function as F;
        let value = |numbers: [f64; 3]| self.value(numbers);
        let ends = |k: usize| operands.get(k).map_or([0.0; 2], |range| [range.low, range.high]);
        let ([a, a1], [b, b1], [c, c1]) = (ends(0), ends(1), ends(2));
        if operands.iter().all(Interval::is_point) {
            return Interval::hull(&[value([a, b, c])]);
        }
        let corners = || Interval::hull(&[value([a, b, c]), value([a1, b, c]), value([a, b1, c]), value([a1, b1, c])]);
        match self {
            F::Add | F::Subtract | F::Multiply | F::Min | F::Max => corners(),
            F::Divide if !operands[1].contains(0.0) => corners(),
            F::Power if a > 0.0 => corners(),
            F::Power if operands[1].is_point() => whole_power(operands[0], b),
            F::Sin => Some(operands[0].sin()),
            F::Cos => Some(operands[0].cos()),
            F::Cosh | F::Abs if operands[0].contains(0.0) => {
                Interval::hull(&[value([0.0; 3]), value([a, b, c]), value([a1, b, c])])
            }
            F::Hypot => absolute(operands[0])
                .zip(absolute(operands[1]))
                .and_then(|(x, y)| Interval::hull(&[value([x.low, y.low, 0.0]), value([x.high, y.high, 0.0])])),
            F::Clamp => Interval::hull(&[value([a, b, c]), value([a1, b1, c1])]),
            F::Smoothstep if operands[1].is_point() && operands[2].is_point() => corners(),
            F::Divide | F::Power | F::Tan | F::Modulo | F::Atan2 | F::Smoothstep => None,
            // Monotone, all of one operand.
            _ => corners(),
        }
    }
}

fn absolute(x: Interval) -> Option<Interval> {
    Function::Abs.range(&[x])
}

/// A power with a whole exponent, of a base that may be negative or zero.
fn whole_power(base: Interval, exponent: f64) -> Option<Interval> {
    if exponent.fract() != 0.0 || exponent.abs() > LARGEST_EXPONENT || (exponent < 0.0 && base.contains(0.0)) {
        return None;
    }
    let at = |x: f64| Function::Power.value([x, exponent, 0.0]);
    let lowest = if exponent % 2.0 == 0.0 && base.contains(0.0) { at(0.0) } else { at(base.low) };
    Interval::hull(&[at(base.low), lowest, at(base.high)])
}

/// The sine between two angles.
fn sine(low: f64, high: f64) -> Interval {
    let passes = |peak: f64| ((low - peak) / TAU).ceil() * TAU + peak <= high;
    let (a, b) = (elementary::sin(low), elementary::sin(high));
    let is_wild = high - low >= TAU || !(high - low).is_finite();
    Interval {
        low: if is_wild || passes(-FRAC_PI_2) { -1.0 } else { a.min(b) },
        high: if is_wild || passes(FRAC_PI_2) { 1.0 } else { a.max(b) },
    }
}
