//! The date of a packed FMU: that of its sources, if `SOURCE_DATE_EPOCH` gives it. The same sources give the same
//! bytes, so no clock is read.

use crate::error::{Error, Result};

const SECONDS_PER_DAY: u64 = 86_400;

/// Last second of the year 9999.
const LAST: u64 = 253_402_300_799;

/// The date of `SOURCE_DATE_EPOCH` as `YYYY-MM-DDThh:mm:ssZ`, if it is set.
///
/// # Errors
/// Something else than a number of seconds.
pub fn generation_date() -> Result<Option<String>> {
    let Ok(text) = std::env::var("SOURCE_DATE_EPOCH") else { return Ok(None) };
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse().ok().filter(|seconds| *seconds <= LAST) {
        Some(seconds) => Ok(Some(utc(seconds))),
        None => Err(Error::failed(format!(
            "SOURCE_DATE_EPOCH is `{text}`, but must be a number of seconds since 1970-01-01, up to {LAST}"
        ))),
    }
}

/// A time in UTC from the seconds since 1970-01-01.
fn utc(seconds: u64) -> String {
    let (day, rest) = (seconds / SECONDS_PER_DAY, seconds % SECONDS_PER_DAY);
    // Days since 0000-03-01, in eras of 400 years; years begin in March, so that leap days come last.
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (400 * era + year + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::{LAST, utc};

    #[test]
    fn seconds_become_dates() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_700_000_000, "2023-11-14T22:13:20Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
