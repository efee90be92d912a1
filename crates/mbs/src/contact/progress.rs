//! Smooth transitions from one value to another.

/// Fraction of a transition that is done at a time \[s\], for its start and duration \[s\]; its slope is continuous.
pub(super) fn progress([start, duration]: [f64; 2], t: f64) -> f64 {
    let x = ((t - start) / duration).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
