//! Numbers that carry derivatives: forward-mode differentiation.

/// What a [`Program`](super::Program) computes with.
pub(super) trait Scalar: Copy {
    /// A number whose derivatives are zero.
    fn constant(value: f64) -> Self;
    /// The number without its derivatives.
    fn value(self) -> f64;
    /// Result of a function with the given value and partial derivatives with respect to the operands.
    fn chain(value: f64, operands: [Self; 3], partials: impl FnOnce() -> [f64; 3]) -> Self;
}

impl Scalar for f64 {
    fn constant(value: f64) -> f64 {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn chain(value: f64, _operands: [f64; 3], _partials: impl FnOnce() -> [f64; 3]) -> f64 {
        value
    }
}

/// A number with N directional derivatives.
#[derive(Clone, Copy)]
pub(super) struct Dual<const N: usize> {
    pub value: f64,
    pub tangent: [f64; N],
}

impl<const N: usize> Scalar for Dual<N> {
    fn constant(value: f64) -> Dual<N> {
        Dual { value, tangent: [0.0; N] }
    }

    fn value(self) -> f64 {
        self.value
    }

    /// A zero tangent contributes nothing even where the partial derivative is infinite or undefined.
    fn chain(value: f64, operands: [Dual<N>; 3], partials: impl FnOnce() -> [f64; 3]) -> Dual<N> {
        let mut tangent = [0.0; N];
        for (operand, partial) in operands.iter().zip(partials()) {
            for (sum, rate) in tangent.iter_mut().zip(operand.tangent) {
                if rate != 0.0 {
                    *sum += partial * rate;
                }
            }
        }
        Dual { value, tangent }
    }
}
