//! Round numbers on an axis and how to write them.

/// Tick values of one axis with the text of each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    /// Ascending values, all within the axis range.
    pub(super) values: Vec<f64>,
    /// One text per value.
    pub(super) labels: Vec<String>,
}

/// A step of 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy)]
struct Step {
    mantissa: f64,
    exponent: i32,
}

impl Step {
    /// The smallest round step that needs at most `max_count` intervals for `span`.
    fn covering(span: f64, max_count: usize) -> Self {
        let raw = (span / max_count.max(1) as f64).max(f64::MIN_POSITIVE);
        let exponent = elementary::log10(raw).floor() as i32;
        let scaled = raw / 10f64.powi(exponent);
        match [1.0, 2.0, 5.0].into_iter().find(|m| *m >= scaled * (1.0 - 1e-9)) {
            Some(mantissa) => Self { mantissa, exponent },
            None => Self { mantissa: 1.0, exponent: exponent + 1 },
        }
    }

    /// `n` steps from zero; a division where it is exact, so that 3 steps of 0.1 print as 0.3.
    fn times(self, n: f64) -> f64 {
        if self.exponent < 0 {
            n * self.mantissa / 10f64.powi(-self.exponent)
        } else {
            n * self.mantissa * 10f64.powi(self.exponent)
        }
    }
}

/// Ticks for the range `lo..=hi` (`lo < hi`, both finite) with at most about `max_count` of them.
pub(super) fn ticks(lo: f64, hi: f64, max_count: usize) -> Ticks {
    let step = Step::covering(hi - lo, max_count);
    let size = step.times(1.0);
    let (first, last) = ((lo / size - 1e-6).ceil(), (hi / size + 1e-6).floor());
    let num = (last - first).clamp(0.0, 1000.0) as usize;
    let values: Vec<f64> = (0..=num).map(|i| step.times(first + i as f64)).collect();
    let labels = labels(&values, step.exponent);
    Ticks { values, labels }
}

/// Ticks for a logarithmic axis (`0 < lo < hi`): powers of ten, or 1, 2 and 5 times them where there are few.
pub(super) fn decades(lo: f64, hi: f64, max_count: usize) -> Ticks {
    let (first, last) = (elementary::log10(lo).floor() as i32, elementary::log10(hi).ceil() as i32);
    let within = |value: &f64| (lo * (1.0 - 1e-9)..=hi * (1.0 + 1e-9)).contains(value);
    let every = ((last - first) as usize / max_count.max(1) + 1) as i32;
    let powers = |exponent: i32| (first..=last).step_by(exponent as usize);
    let mut values: Vec<f64> = powers(every).map(|exponent| 10f64.powi(exponent)).filter(within).collect();
    if values.len() < 3 {
        let finer = powers(1).flat_map(|exponent| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(exponent)));
        values = finer.filter(within).collect();
    }
    if values.len() < 2 {
        return ticks(lo, hi, max_count);
    }
    let label = |value: &f64| {
        let exponent = (elementary::log10(*value) + 1e-9).floor() as i32;
        let plain = (-3..5).contains(&exponent);
        if plain { fixed(*value, -exponent) } else { scientific(*value, exponent, exponent) }
    };
    let labels = values.iter().map(label).collect();
    Ticks { values, labels }
}

/// Writes all values with the same number of decimals, in scientific notation when they are far from one.
fn labels(values: &[f64], step_exponent: i32) -> Vec<String> {
    let largest = values.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    let magnitude = if largest > 0.0 { elementary::log10(largest).floor() as i32 } else { 0 };
    let plain = magnitude < 5 && step_exponent >= -4;
    values
        .iter()
        .map(|v| if plain { fixed(*v, -step_exponent) } else { scientific(*v, magnitude, step_exponent) })
        .collect()
}

/// Decimal notation with a true minus sign.
fn fixed(value: f64, decimals: i32) -> String {
    let text = format!("{:.*}", decimals.max(0) as usize, value.abs());
    if value < 0.0 { format!("\u{2212}{text}") } else { text }
}

/// Mantissa and power of ten, all ticks of an axis with the same power.
fn scientific(value: f64, magnitude: i32, step_exponent: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let mantissa = value / 10f64.powi(magnitude);
    format!("{}\u{b7}10{}", fixed(mantissa, magnitude - step_exponent), superscript(magnitude))
}

/// An integer in superscript characters.
fn superscript(n: i32) -> String {
    n.to_string().chars().map(raised).collect()
}

fn raised(c: char) -> char {
    match c {
        '-' => '\u{207b}',
        '1' => '\u{b9}',
        '2' => '\u{b2}',
        '3' => '\u{b3}',
        _ => char::from_u32(0x2070 + c as u32 - '0' as u32).unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_written_without_rounding_noise() {
        let t = ticks(0.0, 1.0, 10);
        assert_eq!(t.values[3], 0.3);
        assert_eq!(t.labels, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]);
    }

    #[test]
    fn negative_values_have_a_minus_sign_and_whole_steps_no_decimals() {
        assert_eq!(ticks(-20.0, 20.0, 4).labels, ["\u{2212}20", "\u{2212}10", "0", "10", "20"]);
    }

    #[test]
    fn tiny_and_huge_values_share_one_power_of_ten() {
        assert_eq!(ticks(0.0, 2e-6, 4).labels, ["0", "0.5·10⁻⁶", "1.0·10⁻⁶", "1.5·10⁻⁶", "2.0·10⁻⁶"]);
        assert_eq!(ticks(0.0, 3e7, 3).labels, ["0", "1·10⁷", "2·10⁷", "3·10⁷"]);
    }

    #[test]
    fn never_more_intervals_than_asked_for() {
        for span in [0.013, 0.9, 1.7, 2.3, 49.0, 6.1e4] {
            assert!(ticks(0.0, span, 6).values.len() <= 7, "span {span}");
        }
    }
}
