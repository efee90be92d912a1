//! Expressions of a model: parameters, positions, prescribed motions, conditions.
//!
//! The same text serves three purposes:
//! - [`Expr::evaluate`] computes a *parameter expression* once, with every domain violation reported by the
//!   sub-expression that caused it;
//! - [`Program`] is the compiled form for the run: flat code over numbered slots, no allocation, exact gradients,
//!   comparisons listed as [`Relation`]s so that the engine can locate their switching;
//! - [`Expr::derivative`] differentiates symbolically, so that a prescribed position gives velocity and acceleration.
//!
//! # Language
//! Values are real numbers in SI units and radians; a condition is 1 (true) or 0 (false).
//!
//! | level | operators | |
//! |---|---|---|
//! | 1 (weakest) | `if c then a else b` | |
//! | 2 | `or` | |
//! | 3 | `and` | |
//! | 4 | `not` | |
//! | 5 | `<  <=  >  >=  ==  !=` | not chained |
//! | 6 | `+  -` | left associative |
//! | 7 | `*  /` | left associative |
//! | 8 | unary `-  +` | |
//! | 9 | `^` | right associative: `-2^2` is -4, `2^-1` is 0.5 |
//!
//! Constants: `pi`, `inf`, `true`, `false`. Names are dotted and may be indexed: `robot[2].rev1.phi`, `tip.r_abs[1]`,
//! `robot[i].x`, and `der(robot[2].rev1.w)` is the name of a derivative. A table `cam` is called as `cam(x)`; its
//! derivatives are `cam'(x)` and `cam''(x)`.
//!
//! Functions: `sin cos tan asin acos atan sinh cosh tanh exp log` (natural) `log10 sqrt abs sign floor ceil round`,
//! `deg(x)` (x degrees in radians), `atan2(y, x)`, `hypot(a, b)`, `pow(a, b)`, `mod(a, b)` (sign of b),
//! `min(a, b, ...)`, `max(a, b, ...)`, `clamp(x, lo, hi)`, `smoothstep(x, a, b)` (0 at a, 1 at b, flat at both ends).
//!
//! `distance(a, b)` and `planar_rotation_angle(a, b)` are names, too: of a measure between two frames, which parameters
//! of a model may use.

mod affine;
mod ast;
mod code;
mod compile;
mod derivative;
mod dual;
mod emitter;
mod error;
mod eval;
mod expression;
mod function;
mod interval;
mod lexer;
mod machine;
mod name;
mod number;
mod parse;
mod pattern;
mod program;
mod relation;
mod render;
mod substitute;
mod suggest;
mod table;

pub use ast::{Comparison, Span};
pub use compile::{Binder, Binding};
pub use error::{EvalError, ParseError, annotate};
pub use eval::{ScalarFunction, Scope};
pub use expression::{Expr, Variable};
pub use interval::Interval;
pub use name::MEASURES;
pub use number::number as number_text;
pub use pattern::{groups_of, is_pattern, selects};
pub use program::Program;
pub use relation::{Relation, Relations, Threshold};
pub use suggest::nearest;
pub(crate) use table::monotone_slope;
pub use table::{Breakpoint, Extrapolation, Interpolation, Table, TableError};

#[cfg(test)]
mod tests;
