//! Bisection of an interval at one end of which something holds and at the other end of which it does not.

/// The two ends around the first place found at which something holds, which does not hold at `before` and holds at
/// `after`: a part of 2^-`halvings` of the interval, or two neighbouring numbers.
///
/// # Errors
/// Those of `holds`.
pub fn bisect<E>(
    [mut before, mut after]: [f64; 2],
    halvings: usize,
    mut holds: impl FnMut(f64) -> Result<bool, E>,
) -> Result<[f64; 2], E> {
    for _ in 0..halvings {
        let middle = 0.5 * (before + after);
        if middle <= before || middle >= after {
            break;
        }
        *if holds(middle)? { &mut after } else { &mut before } = middle;
    }
    Ok([before, after])
}

#[cfg(test)]
mod tests {
    use super::bisect;
    use std::convert::Infallible;

    #[test]
    fn the_ends_are_neighbours_after_enough_halvings() {
        let Ok([before, after]) = bisect::<Infallible>([1.0, 2.0], 100, |x| Ok(x * x >= 2.0));
        assert!(before * before < 2.0 && after * after >= 2.0 && after - before == f64::EPSILON);
    }

    #[test]
    fn an_error_ends_the_search() {
        assert_eq!(bisect([0.0, 1.0], 5, |_| Err("no value")), Err("no value"));
    }
}
