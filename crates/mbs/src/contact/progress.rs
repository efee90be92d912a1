//! Smooth ways from one value to another.

/// Part of a way that is done at a time \[s\], 0 to 1, for its start and duration \[s\]; its slope is continuous.
pub(super) fn progress([start, duration]: [f64; 2], t: f64) -> f64 {
    let x = ((t - start) / duration).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
