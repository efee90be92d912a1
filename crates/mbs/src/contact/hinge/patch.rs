//! The points at which two bodies touch as one patch: which of them have equations, and how soft it is.
//!
//! Gaps of a plane, a line or a point of contact follow from those of its carriers, up to three of its points. Every
//! point has the same small softness, so that forces have one answer where bodies are held in more ways than needed:
//! that of bodies on springs as stiff as one likes, or the one with the least sum of squares.

use serde::{Deserialize, Serialize};

use super::MOST_SUPPORTS;

/// Distance from a line, relative to its length, below which a point lies on it.
const IN_LINE: f64 = 1e-6;

/// Points that carry, and what they make of the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Carriers {
    places: [u32; MOST_SUPPORTS],
    count: usize,
    /// Parts of the carriers' gaps in the gap of the middle of all points.
    pub middle: [f64; MOST_SUPPORTS],
}

/// Velocities of a hinge per effort: a little, so that forces are unique.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Softness {
    /// Of the carriers' gaps per normal force on them \[m/(N s)\].
    pub normal: [[f64; MOST_SUPPORTS]; MOST_SUPPORTS],
    /// Of friction that sticks, at the middle \[m/(N s)\].
    pub sliding: f64,
    /// The same of spinning \[rad/(N m s)\].
    pub spin: f64,
}

impl Carriers {
    /// The widest points among some of those whose places in the plane of contact are given \[m\]: one, two of a line,
    /// or three.
    #[must_use]
    pub fn among(places: &[[f64; 2]], some: &[usize]) -> Self {
        let mut chosen: Vec<usize> = Vec::new();
        let farthest = |from: &dyn Fn(&[f64; 2]) -> f64, least: f64| {
            let far = some.iter().map(|&k| (from(&places[k]), k)).filter(|(d, _)| *d > least);
            far.fold(
                None,
                |best: Option<(f64, usize)>, own| if best.is_some_and(|b| b.0 >= own.0) { best } else { Some(own) },
            )
        };
        let all: Vec<usize> = (0..places.len()).collect();
        let middle = mean(places, &all);
        chosen.extend(farthest(&|x| distance(x, &middle), -1.0).map(|(_, k)| k));
        if let Some(&a) = chosen.first()
            && let Some((length, b)) = farthest(&|x| distance(x, &places[a]), 0.0)
        {
            chosen.push(b);
            let along = [0, 1].map(|k| (places[b][k] - places[a][k]) / length);
            let aside = |x: &[f64; 2]| (along[0] * (x[1] - places[a][1]) - along[1] * (x[0] - places[a][0])).abs();
            chosen.extend(farthest(&aside, IN_LINE * length).map(|(_, k)| k));
        }
        chosen.sort_unstable();
        let mut carriers = Self { places: [0; MOST_SUPPORTS], count: chosen.len(), middle: [0.0; MOST_SUPPORTS] };
        carriers.places.iter_mut().zip(&chosen).for_each(|(place, &k)| *place = k as u32);
        carriers.middle = carriers.parts(places, &middle);
        carriers
    }

    /// None.
    #[must_use]
    pub fn none() -> Self {
        Self { places: [0; MOST_SUPPORTS], count: 0, middle: [0.0; MOST_SUPPORTS] }
    }

    /// Their ordinals among the points.
    pub fn ordinals(&self) -> impl Iterator<Item = usize> + use<> {
        let (places, count) = (self.places, self.count);
        (0..count).map(move |k| places[k] as usize)
    }

    /// How many there are: three hold a plane, two a line.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether they are among so many points.
    #[must_use]
    pub fn fit(&self, points: usize) -> bool {
        self.count <= MOST_SUPPORTS
            && self.ordinals().all(|k| k < points)
            && self.middle.iter().all(|part| part.is_finite())
    }

    /// Parts of the carriers' gaps in the gap at another place of the same plane or line; they have the sum 1.
    #[must_use]
    pub fn parts(&self, places: &[[f64; 2]], at: &[f64; 2]) -> [f64; MOST_SUPPORTS] {
        let own: Vec<[f64; 2]> = self.ordinals().map(|k| places[k]).collect();
        match own[..] {
            [_] => [1.0, 0.0, 0.0],
            [a, b] => {
                let (e, x) = (apart(&a, &b), apart(&a, at));
                let part = (e[0] * x[0] + e[1] * x[1]) / (e[0] * e[0] + e[1] * e[1]);
                [1.0 - part, part, 0.0]
            }
            [a, b, c] => {
                let (e, f, x) = (apart(&a, &b), apart(&a, &c), apart(&a, at));
                let area = cross(&e, &f);
                let (of_b, of_c) = (cross(&x, &f) / area, cross(&e, &x) / area);
                [1.0 - of_b - of_c, of_b, of_c]
            }
            _ => [0.0; MOST_SUPPORTS],
        }
    }
}

impl Softness {
    /// That of a patch of which some points press, with a `unit` \[m/(N s)\] for each point; without points, none.
    #[must_use]
    pub fn new(unit: f64, carriers: &Carriers, places: &[[f64; 2]], pressing: &[usize]) -> Self {
        if places.is_empty() {
            return Self::default();
        }
        let mut stiffness = nalgebra::Matrix3::identity();
        let n = carriers.len();
        stiffness.view_mut((0, 0), (n, n)).fill(0.0);
        for &k in pressing {
            let parts = nalgebra::Vector3::from(carriers.parts(places, &places[k]));
            stiffness += parts * parts.transpose();
        }
        let soft = stiffness.try_inverse().unwrap_or_else(nalgebra::Matrix3::identity);
        let entry = |r: usize, c: usize| if r < n && c < n { unit * soft[(r, c)] } else { 0.0 };
        Self {
            normal: std::array::from_fn(|r| std::array::from_fn(|c| entry(r, c))),
            sliding: unit / places.len() as f64,
            spin: unit / square_distances(places),
        }
    }

    /// Whether all numbers are what they may be.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let all = self.normal.iter().flatten().chain([&self.sliding, &self.spin]);
        all.clone().all(|x| x.is_finite()) && self.sliding >= 0.0 && self.spin >= 0.0
    }
}

/// Sum of the squares of the distances of places from their middle \[m²\]; 1 for a single one.
#[must_use]
pub fn square_distances(places: &[[f64; 2]]) -> f64 {
    let all: Vec<usize> = (0..places.len()).collect();
    let middle = mean(places, &all);
    let sum: f64 = places.iter().map(|place| distance(place, &middle).powi(2)).sum();
    if sum > 0.0 { sum } else { 1.0 }
}

/// How far the centre of a force lies inside the hull of points, in order round it, relative to their mean distance from
/// their middle, and at most 1; 1 for one point. `points` are of a line if `in_line`.
#[must_use]
pub fn inside(points: impl Iterator<Item = [f64; 2]> + Clone, in_line: bool, center: &[f64; 2]) -> f64 {
    let (mut count, mut sum) = (0.0, [0.0; 2]);
    points.clone().for_each(|x| {
        count += 1.0;
        sum = [sum[0] + x[0], sum[1] + x[1]];
    });
    let middle = sum.map(|x| x / count);
    let size = points.clone().map(|x| distance(&x, &middle)).sum::<f64>() / count;
    if size == 0.0 {
        return 1.0;
    }
    let mut least = size;
    if in_line {
        let Some(end) = points.clone().max_by(|a, b| distance(a, &middle).total_cmp(&distance(b, &middle))) else {
            return 1.0;
        };
        let length = distance(&end, &middle);
        let along = apart(&middle, &end).map(|x| x / length);
        let place = |x: &[f64; 2]| along[0] * (x[0] - middle[0]) + along[1] * (x[1] - middle[1]);
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        points.for_each(|x| {
            first = first.min(place(&x));
            last = last.max(place(&x));
        });
        least = least.min(place(center) - first).min(last - place(center));
    } else {
        let ends = points.clone().skip(1).chain(points.clone().take(1));
        for (a, b) in points.zip(ends) {
            let (e, length) = (apart(&a, &b), distance(&a, &b));
            if length > 0.0 {
                least = least.min(cross(&e, &apart(&a, center)) / length);
            }
        }
    }
    least / size
}

fn mean(places: &[[f64; 2]], some: &[usize]) -> [f64; 2] {
    let sum = some.iter().fold([0.0; 2], |sum, &k| [sum[0] + places[k][0], sum[1] + places[k][1]]);
    sum.map(|x| x / some.len().max(1) as f64)
}

fn apart(a: &[f64; 2], b: &[f64; 2]) -> [f64; 2] {
    [b[0] - a[0], b[1] - a[1]]
}

fn cross(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let [x, y] = apart(a, b);
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    #[test]
    fn four_points_give_way_alike() {
        let carriers = Carriers::among(&SQUARE, &[0, 1, 2, 3]);
        assert_eq!(carriers.len(), 3);
        let softness = Softness::new(1.0, &carriers, &SQUARE, &[0, 1, 2, 3]);
        // One force in the middle, on the carriers, sinks all points by a quarter of what one point would alone.
        let loads = carriers.middle;
        let sinks: [f64; 3] = softness.normal.map(|row| row.iter().zip(&loads).map(|(soft, load)| soft * load).sum());
        for place in &SQUARE {
            let parts = carriers.parts(&SQUARE, place);
            let sink: f64 = parts.iter().zip(&sinks).map(|(part, sink)| part * sink).sum();
            assert!((sink - 0.25).abs() < 1e-15, "{sink}");
        }
        assert!((softness.sliding - 0.25).abs() < 1e-15 && (softness.spin - 0.125).abs() < 1e-15);
    }

    #[test]
    fn points_in_line_hold_a_line() {
        let places = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]];
        let carriers = Carriers::among(&places, &[0, 1, 2]);
        assert_eq!(carriers.ordinals().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(carriers.middle, [0.5, 0.5, 0.0]);
        assert_eq!(Carriers::among(&places, &[1]).ordinals().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_center_is_inside_or_not() {
        let square = SQUARE.iter().copied();
        assert!(inside(square.clone(), false, &[1.0, 1.0]) > 0.7);
        assert!(inside(square.clone(), false, &[1.0, 0.0]).abs() < 1e-15);
        assert!(inside(square.clone(), false, &[3.0, 1.0]) < 0.0);
        assert!(inside(square.clone().take(2), true, &[2.5, 0.0]) < 0.0);
        assert!(inside(square.clone().take(2), true, &[1.5, 0.0]) > 0.0);
        assert!(inside(square.take(1), true, &[5.0, 5.0]) == 1.0);
    }
}
