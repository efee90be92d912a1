//! Numbers in messages.

/// Shortest decimal text that reads back as the same number, with an exponent where there would be many zeros.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e15).contains(&size) || !value.is_finite() {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn long_rows_of_zeros_become_exponents() {
        for (value, text) in [(0.0, "0"), (1e-300, "1e-300"), (-1e300, "-1e300"), (0.001, "0.001"), (12.5, "12.5")] {
            assert_eq!(number(value), text);
        }
    }
}
