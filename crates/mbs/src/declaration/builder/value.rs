//! Numbers, vectors and directions as a model in Rust writes them.

use crate::declaration::Vector;
use crate::expr::Expr;

/// What is wrong so far.
#[derive(Debug, Clone, Default)]
pub struct Problems(Vec<String>);

impl Problems {
    /// Adds a problem of something.
    pub(super) fn add(&mut self, what: &str, problem: impl std::fmt::Display) {
        self.0.push(format!("{what}: {problem}"));
    }

    /// Adds the problems of a part.
    pub(super) fn append(&mut self, part: &str, other: Problems) {
        self.0.extend(other.0.into_iter().map(|problem| format!("{part}: {problem}")));
    }

    pub(super) fn into_sentences(self) -> Vec<String> {
        self.0
    }

    /// An expression of something; 0 when it cannot be read.
    pub(super) fn expr(&mut self, what: &str, value: impl IntoExpr) -> Expr {
        value.into_expr().unwrap_or_else(|problem| {
            self.add(what, problem);
            Expr::default()
        })
    }

    /// A vector of something; zeros when it cannot be read.
    pub(super) fn vector(&mut self, what: &str, value: impl IntoVector) -> Vector {
        value.into_vector().unwrap_or_else(|problem| {
            self.add(what, problem);
            Vector::default()
        })
    }

    /// A direction of something; zeros when it cannot be read.
    pub(super) fn direction(&mut self, what: &str, value: impl IntoDirection) -> Vector {
        value.into_direction().unwrap_or_else(|problem| {
            self.add(what, problem);
            Vector::default()
        })
    }
}

/// A number or an expression.
pub trait IntoExpr {
    /// As an expression.
    ///
    /// # Errors
    /// Why the text is not one.
    fn into_expr(self) -> Result<Expr, String>;
}

impl IntoExpr for Expr {
    fn into_expr(self) -> Result<Expr, String> {
        Ok(self)
    }
}

impl IntoExpr for f64 {
    fn into_expr(self) -> Result<Expr, String> {
        if self.is_finite() { Ok(Expr::number(self)) } else { Err(format!("{self} is not a finite number")) }
    }
}

impl IntoExpr for i32 {
    fn into_expr(self) -> Result<Expr, String> {
        Ok(Expr::number(f64::from(self)))
    }
}

impl IntoExpr for bool {
    fn into_expr(self) -> Result<Expr, String> {
        Ok(Expr::number(f64::from(u8::from(self))))
    }
}

impl IntoExpr for &str {
    fn into_expr(self) -> Result<Expr, String> {
        Expr::parse(self).map_err(|error| format!("the expression \"{self}\": {error}"))
    }
}

impl IntoExpr for String {
    fn into_expr(self) -> Result<Expr, String> {
        self.as_str().into_expr()
    }
}

/// Three numbers or expressions: an array, or a tuple that may mix numbers and text.
pub trait IntoVector {
    /// As three expressions.
    ///
    /// # Errors
    /// Why a text is not an expression.
    fn into_vector(self) -> Result<Vector, String>;
}

impl<T: IntoExpr> IntoVector for [T; 3] {
    fn into_vector(self) -> Result<Vector, String> {
        let [x, y, z] = self;
        (x, y, z).into_vector()
    }
}

impl<X: IntoExpr, Y: IntoExpr, Z: IntoExpr> IntoVector for (X, Y, Z) {
    fn into_vector(self) -> Result<Vector, String> {
        Ok([self.0.into_expr()?, self.1.into_expr()?, self.2.into_expr()?])
    }
}

/// A direction: `"x"`, `"-z"`, ... or a vector, which need not have unit length.
pub trait IntoDirection {
    /// As a vector.
    ///
    /// # Errors
    /// Why the text is not a direction.
    fn into_direction(self) -> Result<Vector, String>;
}

impl IntoDirection for &str {
    fn into_direction(self) -> Result<Vector, String> {
        let (sign, letter) = self.strip_prefix('-').map_or((1.0, self), |letter| (-1.0, letter));
        if !["x", "y", "z"].contains(&letter) {
            return Err(format!("\"{self}\" is not a direction; write x, y, z, -x, -y, -z, or a vector"));
        }
        Ok(["x", "y", "z"].map(|axis| Expr::number(if axis == letter { sign } else { 0.0 })))
    }
}

impl<T: IntoExpr> IntoDirection for [T; 3] {
    fn into_direction(self) -> Result<Vector, String> {
        self.into_vector()
    }
}

impl<X: IntoExpr, Y: IntoExpr, Z: IntoExpr> IntoDirection for (X, Y, Z) {
    fn into_direction(self) -> Result<Vector, String> {
        self.into_vector()
    }
}

/// Methods that place something: position and rotation in `self.pose()`, problems in `self.problems`.
macro_rules! placement {
    () => {
        /// Position of the origin in the parent \[m\].
        #[must_use]
        pub fn r(mut self, r: impl IntoVector) -> Self {
            self.pose_mut().r = self.problems.vector("r", r);
            self
        }

        /// Cardan angles \[rad\], sequence x-y-z about the rotated axes.
        #[must_use]
        pub fn cardan(mut self, angles: impl IntoVector) -> Self {
            self.pose_mut().rotation = Rotation::Cardan(self.problems.vector("rotation", angles));
            self
        }

        /// Rotation by an angle \[rad\] about an axis of the parent.
        #[must_use]
        pub fn turned(mut self, axis: impl IntoDirection, angle: impl IntoExpr) -> Self {
            let axis = self.problems.direction("rotation", axis);
            self.pose_mut().rotation = Rotation::AxisAngle { axis, angle: self.problems.expr("rotation", angle) };
            self
        }

        /// Rotation by a quaternion (w, x, y, z).
        #[must_use]
        pub fn quaternion(mut self, quaternion: [f64; 4]) -> Self {
            self.pose_mut().rotation = Rotation::Quaternion(quaternion.map(Expr::number));
            self
        }
    };
}

pub(super) use placement;
