//! Colours and dash patterns of curves.

/// Colours that stay apart under the common colour vision deficiencies (after Okabe and Ito, 2008),
/// without their yellow, which is too faint on white.
const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#404040"];

/// Dash patterns in SVG units; each is used for one round through the colours.
const DASHES: [&str; 4] = ["none", "7 3", "2 2.5", "8 3 2 3"];

/// How a curve is stroked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stroke {
    /// CSS colour.
    pub(super) color: &'static str,
    /// Value of `stroke-dasharray`.
    pub(super) dash: &'static str,
}

/// The stroke of the `index`-th series of a panel; 28 of them differ.
pub(super) fn stroke(index: usize) -> Stroke {
    Stroke { color: COLORS[index % COLORS.len()], dash: DASHES[(index / COLORS.len()) % DASHES.len()] }
}
