//! From the points of a series to paths: gaps, thinning, text of the path.

use super::axis::Axis;
use std::fmt::Write as _;

/// Width of the columns within which points are thinned, in SVG units.
const COLUMN: f64 = 0.5;

/// A point in SVG coordinates.
type Point = [f64; 2];

/// The connected pieces of a series in SVG coordinates, thinned to the resolution.
pub(super) fn pieces(points: &[[f64; 2]], x: &Axis, y: &Axis) -> Vec<Vec<Point>> {
    points
        .split(|p| !x.shows(p[0]) || !y.shows(p[1]))
        .filter(|piece| !piece.is_empty())
        .map(|piece| thinned(piece.iter().map(|p| [x.map(p[0]), y.map(p[1])])))
        .collect()
}

/// Replaces consecutive points in the same narrow column by first, lowest, highest and last, in order.
fn thinned(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut kept = Vec::new();
    let mut column: Vec<Point> = Vec::new();
    for point in points {
        if column.first().is_some_and(|first| column_of(first) != column_of(&point)) {
            keep_outline(&column, &mut kept);
            column.clear();
        }
        column.push(point);
    }
    keep_outline(&column, &mut kept);
    kept
}

fn column_of(point: &Point) -> i64 {
    (point[0] / COLUMN).floor() as i64
}

fn keep_outline(column: &[Point], kept: &mut Vec<Point>) {
    let by_height = |a: &usize, b: &usize| column[*a][1].total_cmp(&column[*b][1]);
    let Some(last) = column.len().checked_sub(1) else {
        return;
    };
    let low = (0..=last).min_by(by_height).unwrap_or(0);
    let high = (0..=last).max_by(by_height).unwrap_or(last);
    let mut indices = [0, low.min(high), low.max(high), last].to_vec();
    indices.dedup();
    kept.extend(indices.into_iter().map(|i| column[i]));
}

/// Path data that connects `points` with straight lines.
pub(super) fn path_data(points: &[Point]) -> String {
    let mut data = String::with_capacity(points.len() * 14);
    for (i, [x, y]) in points.iter().enumerate() {
        // Writing into a string cannot fail.
        let _ = write!(data, "{}{x:.2},{y:.2}", if i == 0 { 'M' } else { 'L' });
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Scale;

    fn axes() -> (Axis, Axis) {
        let axis = |range, pixels| Axis::new(range, pixels, 5, Scale::Linear);
        (axis((0.0, 1.0), (0.0, 100.0)), axis((-1.0, 1.0), (50.0, 0.0)))
    }

    #[test]
    fn a_point_that_is_not_a_number_splits_the_curve() {
        let (x, y) = axes();
        let found = pieces(&[[0.0, 0.0], [0.2, f64::NAN], [0.4, 0.0], [0.6, 1.0]], &x, &y);
        assert_eq!(found, [vec![[0.0, 25.0]], vec![[40.0, 25.0], [60.0, 0.0]]]);
    }

    #[test]
    fn thinning_keeps_the_peaks_of_a_dense_signal() {
        let (x, y) = axes();
        let dense: Vec<[f64; 2]> =
            (0..100_000).map(|i| [f64::from(i) * 1e-5, if i == 31_415 { 1.0 } else { 0.0 }]).collect();
        let found = pieces(&dense, &x, &y);
        assert!(found[0].len() < 1000, "{} points left", found[0].len());
        assert!(found[0].iter().any(|p| p[1] == 0.0), "the peak is lost");
    }

    #[test]
    fn a_closed_orbit_keeps_its_direction() {
        let (x, y) = axes();
        let found = pieces(&[[0.1, 0.0], [0.9, 0.5], [0.1, 1.0], [0.1, 0.0]], &x, &y);
        assert_eq!(path_data(&found[0]), "M10.00,25.00L90.00,12.50L10.00,0.00L10.00,25.00");
    }
}
