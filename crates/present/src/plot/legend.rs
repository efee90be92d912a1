//! The legend above a panel: swatch and name per series, wrapped into rows.

use super::font::text_width;

/// Font size of legend entries in SVG units.
pub(super) const SIZE: f64 = 12.0;
/// Distance of two rows.
pub(super) const ROW: f64 = 18.0;
/// Length of a swatch.
pub(super) const SWATCH: f64 = 24.0;
/// Distance of swatch and name.
pub(super) const GAP: f64 = 6.0;

const SPACING: f64 = 18.0;
const MAX_ROWS: usize = 6;

/// One line of the legend.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// Series it stands for; `None` for the remark about series that found no place.
    pub(super) series: Option<usize>,
    /// Text beside the swatch.
    pub(super) text: String,
    /// Left end, relative to the legend.
    pub(super) x: f64,
    /// Row from the top, from zero.
    pub(super) row: usize,
}

/// Places entries for `names` into rows of `width`; what does not fit into six rows is counted in a last entry.
pub(super) fn arrange(names: &[&str], width: f64) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut x, mut row) = (0.0, 0);
    for (index, name) in names.iter().enumerate() {
        let text = shortened(name, width - SWATCH - GAP);
        let wide = SWATCH + GAP + text_width(&text, SIZE);
        if x > 0.0 && x + wide > width {
            (x, row) = (0.0, row + 1);
        }
        if row == MAX_ROWS {
            entries.push(remark(names.len() - index, row));
            break;
        }
        entries.push(Entry { series: Some(index), text, x, row });
        x += wide + SPACING;
    }
    entries
}

/// Number of rows that `entries` take.
pub(super) fn num_rows(entries: &[Entry]) -> usize {
    entries.last().map_or(0, |entry| entry.row + 1)
}

fn remark(num_left: usize, row: usize) -> Entry {
    Entry { series: None, text: format!("\u{2026} and {num_left} more"), x: 0.0, row }
}

/// Cuts a name that is wider than the whole legend, in the middle, where paths of names differ least.
fn shortened(name: &str, width: f64) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut half = chars.len() / 2;
    let mut text = name.to_owned();
    while text_width(&text, SIZE) > width && half > 2 {
        half -= 1;
        let (head, tail) = (&chars[..half], &chars[chars.len() - half..]);
        text = head.iter().chain(&['\u{2026}']).chain(tail).collect();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_wrap_within_the_width_and_the_rest_is_counted() {
        let names: Vec<String> = (0..200).map(|i| format!("ball{i}.r_abs[1]")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let entries = arrange(&names, 600.0);
        let shown = entries.iter().filter(|e| e.series.is_some()).count();
        assert_eq!(num_rows(&entries), MAX_ROWS + 1);
        assert_eq!(entries.last().map(|e| e.text.clone()), Some(format!("… and {} more", 200 - shown)));
        assert!(entries.iter().all(|e| e.x + SWATCH + GAP + text_width(&e.text, SIZE) <= 600.0));
    }

    #[test]
    fn a_name_wider_than_the_legend_keeps_head_and_tail() {
        let long = format!("head.{}.tail", "x".repeat(300));
        let entries = arrange(&[&long], 300.0);
        assert!(entries[0].text.starts_with("head.") && entries[0].text.ends_with(".tail"));
    }
}
