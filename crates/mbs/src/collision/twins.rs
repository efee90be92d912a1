//! Points that are so close to each other that they are one.

use crate::math::Vec3;

/// The points without those that are close to an earlier one of the result.
pub(super) fn distinct(points: &[Vec3], distance: f64) -> Vec<Vec3> {
    let earlier = earlier_twins(points, distance);
    points.iter().zip(earlier).filter_map(|(point, twin)| twin.is_none().then_some(*point)).collect()
}

/// For each point the first one that is close to it and has itself no earlier twin, if there is one.
///
/// Points are divided where there is a gap along an axis, along the axes in turn, until what is left has none along
/// any; in practice that is a handful of points in one place.
fn earlier_twins(points: &[Vec3], distance: f64) -> Vec<Option<usize>> {
    let mut twins = vec![None; points.len()];
    // Groups with the axis along which gaps are searched next, and the number of axes without a gap since the last one.
    let mut groups = vec![((0..points.len()).collect::<Vec<usize>>(), 0, 0)];
    while let Some((mut group, axis, whole)) = groups.pop() {
        if group.len() < 2 {
            continue;
        }
        if whole == 3 {
            group.sort_unstable();
            find_twins(points, &group, distance, &mut twins);
            continue;
        }
        group.sort_by(|&i, &j| points[i][axis].total_cmp(&points[j][axis]));
        let is_together = |&i: &usize, &j: &usize| points[j][axis] - points[i][axis] <= distance;
        let is_whole = group.is_sorted_by(is_together);
        let (next, whole) = ((axis + 1) % 3, if is_whole { whole + 1 } else { 0 });
        groups.extend(group.chunk_by(is_together).map(|part| (part.to_vec(), next, whole)));
    }
    twins
}

/// Compares each point of a group, in order, with those before it that have no twin.
fn find_twins(points: &[Vec3], group: &[usize], distance: f64, twins: &mut [Option<usize>]) {
    let mut single = Vec::new();
    for &point in group {
        let is_near = |&other: &usize| (points[point] - points[other]).norm() <= distance;
        twins[point] = single.iter().copied().find(is_near);
        if twins[point].is_none() {
            single.push(point);
        }
    }
}
