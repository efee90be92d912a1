//! Convex hulls of clouds of points of every kind: closed surfaces that contain all points and have no other corners.

use super::hull::Hull;
use super::random::Random;
use super::vertex_list::VertexList;
use super::*;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::{PI, TAU};

/// How far a point may be outside of a face, relative to the size: ten times the largest tolerance, or half a step of
/// the lattice along each axis, which is twice as much at most.
const BOUND: f64 = 2.6e-8;

fn size(points: &[Vec3]) -> f64 {
    let from = points[0];
    points.iter().map(|point| (point - from).norm()).fold(0.0, f64::max)
}

fn largest(points: &[Vec3], n: &Vec3) -> f64 {
    points.iter().map(|point| n.dot(point)).fold(f64::NEG_INFINITY, f64::max)
}

fn volume(hull: &Hull) -> f64 {
    let from = hull.vertices().next().unwrap();
    hull.triangles().map(|corners| corners.map(|x| x - from)).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
}

/// Every edge has one face on each side, the faces around every corner follow each other in one circle, and the surface
/// hangs together.
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let edges = || triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let once: BTreeSet<[u32; 2]> = edges().collect();
    if once.len() != 3 * triangles.len() || edges().any(|[a, b]| !once.contains(&[b, a])) {
        return false;
    }
    // From one edge that leaves a corner to the next, across the face between them.
    let after: BTreeMap<[u32; 2], u32> =
        triangles.iter().flat_map(|&[a, b, c]| [([a, b], c), ([b, c], a), ([c, a], b)]).collect();
    let mut degrees = BTreeMap::<u32, usize>::new();
    edges().for_each(|[a, _]| *degrees.entry(a).or_default() += 1);
    let circle = |corner: u32, first: u32| {
        let mut end = after[&[corner, first]];
        let mut length = 1;
        while end != first {
            end = after[&[corner, end]];
            length += 1;
        }
        length
    };
    let firsts: BTreeMap<u32, u32> = edges().map(|[a, b]| (a, b)).collect();
    firsts.iter().all(|(&corner, &first)| circle(corner, first) == degrees[&corner])
        && degrees.len() + triangles.len() == 2 + edges().count() / 2
}

/// A hull must have all points inside, corners that are points, and so the same extent in every direction.
fn check_given(name: &str, points: &[Vec3], hull: &Hull, bound: f64) {
    let size = size(points);
    let (vertices, triangles) = hull.surface();
    assert!(is_closed(&triangles), "{name}: {} faces are not closed", triangles.len());
    for triangle in &triangles {
        let [a, b, c] = triangle.map(|corner| Vec3::from(vertices[corner as usize]));
        let normal = (b - a).cross(&(c - a));
        assert!(normal.norm() > 0.0, "{name}: a face without area");
        let above = largest(points, &normal.normalize()) - normal.normalize().dot(&a);
        assert!(above <= bound * size, "{name}: a point {:e} of the size outside", above / size);
    }
    let corners: Vec<Vec3> = hull.vertices().collect();
    let mut random = Random(1);
    for _ in 0..100 {
        let n = random.direction();
        let (found, expected) = (largest(&corners, &n), largest(points, &n));
        assert!((found - expected).abs() <= bound * size, "{name}: reaches {found} instead of {expected}");
    }
    let nearest = |corner: &Vec3| points.iter().map(|point| (point - corner).norm()).fold(f64::INFINITY, f64::min);
    for corner in corners.iter().step_by(1 + corners.len() / 100) {
        assert!(nearest(corner) <= bound * size, "{name}: a corner is {:e} from every point", nearest(corner));
    }
    assert!(volume(hull) > 0.0, "{name}");
}

/// The hull as it is made, and that on the lattice alone.
fn check(name: &str, points: &[Vec3]) -> Hull {
    let hull = Hull::around(points).unwrap_or_else(|error| panic!("{name}: {error}"));
    check_given(name, points, &hull, BOUND);
    let on_lattice = Hull::on_lattice(points).unwrap_or_else(|| panic!("{name}: flat on the lattice"));
    check_given(&format!("{name}, on the lattice"), points, &on_lattice, BOUND);
    // The hulls differ by less than the bound all over their surfaces.
    let area = hull.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum::<f64>();
    let difference = (volume(&hull) - volume(&on_lattice)).abs();
    assert!(difference <= 2.0 * BOUND * size(points) * area, "{name}: volumes differ by {difference:e} m³");
    check_shrunk(name, &hull);
    check_shrunk(&format!("{name}, on the lattice"), &on_lattice);
    hull
}

/// No vertex of a shrunk hull is above a face moved inwards; points where rays from the middle meet these faces are not
/// outside of the hull of the vertices; the farthest vertex is found along edges.
fn check_shrunk(name: &str, hull: &Hull) {
    let depth = 0.3 * hull.inner_radius();
    let shrunk = hull.shrunk(depth).unwrap_or_else(|error| panic!("{name}: {error}"));
    let corners: Vec<Vec3> = hull.vertices().collect();
    // Faces near and far make the dual polyhedron slim, so that the vertices of slimmer bodies are less exact.
    if hull.inner_radius() < 1e-3 * size(&corners) {
        return;
    }
    let bound = 2e-7 * size(&corners);
    let plane = |[a, b, c]: [Vec3; 3]| {
        let normal = (b - a).cross(&(c - a)).normalize();
        (normal, normal.dot(&a) - depth)
    };
    let planes: Vec<(Vec3, f64)> = hull.triangles().map(plane).collect();
    for vertex in shrunk.iter().step_by(1 + shrunk.len() / 100) {
        let heights = planes.iter().map(|(normal, offset)| normal.dot(vertex) - offset);
        let most = heights.fold(f64::NEG_INFINITY, f64::max);
        assert!(most < bound, "{name}: a vertex {most:e} m outside of the shrunk hull");
    }
    let mut random = Random(2);
    let center = hull.center();
    let met = |along: Vec3| {
        let reach = |(normal, offset): &(Vec3, f64)| (offset - normal.dot(&center)) / normal.dot(&along);
        center + along * planes.iter().map(reach).filter(|reach| *reach > 0.0).fold(f64::INFINITY, f64::min)
    };
    let surface: Vec<Vec3> = (0..30).map(|_| met(random.direction())).collect();
    let around = Hull::around(&shrunk).unwrap();
    let (vertices, edges) = (around.vertices().collect::<Vec<_>>(), around.edges());
    let list = VertexList::with_edges(&vertices, &edges, around.defect());
    for _ in 0..100 {
        let n = random.direction();
        let expected = largest(&shrunk, &n);
        let found = n.dot(&list.vertex(list.farthest(&n)));
        assert!((found - expected).abs() <= BOUND * size(&corners), "{name}: {found} instead of {expected}");
        let missing = largest(&surface, &n) - expected;
        assert!(missing < bound, "{name}: {missing:e} m are missing of the shrunk hull");
    }
}

fn cloud(count: usize, mut point: impl FnMut() -> [f64; 3]) -> Vec<Vec3> {
    (0..count).map(|_| point().into()).collect()
}

fn box_of_points([nx, ny, nz]: [usize; 3], lengths: [f64; 3]) -> Vec<Vec3> {
    let along = |k: usize, n: usize, length: f64| length * (k as f64 / (n - 1) as f64 - 0.5);
    let all = (0..nx * ny * nz).map(|k| (k % nx, k / nx % ny, k / nx / ny));
    all.map(|(i, j, k)| Vec3::new(along(i, nx, lengths[0]), along(j, ny, lengths[1]), along(k, nz, lengths[2])))
        .collect()
}

/// Rings of points around the z axis.
fn rings(sides: usize, rings: &[[f64; 2]]) -> Vec<Vec3> {
    let turn = |k: usize| TAU * k as f64 / sides as f64;
    let ring = |&[radius, height]: &[f64; 2]| {
        (0..sides).map(move |k| Vec3::new(radius * turn(k).cos(), radius * turn(k).sin(), height))
    };
    rings.iter().flat_map(ring).collect()
}

fn torus(around: usize, along: usize, large: f64, small: f64) -> Vec<Vec3> {
    let circle = (0..along).map(|k| TAU * k as f64 / along as f64);
    rings(around, &circle.map(|turn| [large + small * turn.cos(), small * turn.sin()]).collect::<Vec<_>>())
}

fn sphere(count: usize) -> Vec<Vec3> {
    let spiral = |k: usize| {
        let height = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (around, turn) = ((1.0 - height * height).sqrt(), PI * (3.0 - 5.0_f64.sqrt()) * k as f64);
        Vec3::new(around * turn.cos(), around * turn.sin(), height)
    };
    (0..count).map(spiral).collect()
}

/// Clouds with coplanar, collinear and repeated points, about 1 m large.
fn clouds() -> Vec<(&'static str, Vec<Vec3>)> {
    let mut random = Random(20);
    let mut twice = rings(20, &[[0.5, -0.5], [0.5, 0.5]]);
    twice.extend(twice.clone());
    let mut on_edges = Vec::new();
    for k in 0..100 {
        let t = k as f64 / 99.0;
        on_edges.extend([[t, 0.0, 0.0], [0.0, t, 0.0], [0.0, 0.0, t], [t, 1.0 - t, 0.0], [0.0, t, 1.0 - t]]);
    }
    vec![
        ("random", cloud(500, || [0; 3].map(|_| random.unit()))),
        ("coarse grid", cloud(400, || [0; 3].map(|_| random.below(7) as f64 / 7.0))),
        ("fine grid", cloud(400, || [0; 3].map(|_| random.below(1000) as f64 / 1000.0))),
        ("full grid", box_of_points([7, 8, 9], [1.0, 0.7, 0.3])),
        ("points on edges", on_edges.into_iter().map(Vec3::from).collect()),
        ("plate", box_of_points([20, 20, 2], [1.0, 1.0, 1e-5])),
        ("bar", box_of_points([30, 3, 3], [1.0, 1e-4, 1e-4])),
        ("tube", rings(48, &[[0.5, -0.4], [0.5, 0.4], [0.4, -0.4], [0.4, 0.4]])),
        ("long tube", rings(90, &[[0.01, -0.5], [0.01, 0.0], [0.01, 0.5], [0.009, 0.5]])),
        ("cone", rings(60, &[[0.5, 0.0], [0.25, 0.5], [0.0, 1.0]])),
        ("torus", torus(40, 24, 0.4, 0.1)),
        ("sphere", sphere(600)),
        ("lens", rings(40, &[[0.5, 0.0], [0.25, 0.001], [0.25, -0.001], [0.0, 0.0012], [0.0, -0.0012]])),
        ("every point twice", twice),
    ]
}

fn single(point: &Vec3) -> Vec3 {
    point.map(|x| f64::from(x as f32))
}

#[test]
fn hulls_are_closed_and_contain_all_points() {
    for (name, points) in clouds() {
        check(name, &points);
    }
}

#[test]
fn hulls_of_noisy_points_are_closed_and_contain_all_points() {
    for (name, points) in clouds() {
        let mut random = Random(7);
        for round in 0..3 {
            let (turn, shift) = (random.rotation(), random.direction() * if round == 2 { 30.0 } else { 0.3 });
            let rotated: Vec<Vec3> = points.iter().map(|point| turn * point + shift).collect();
            check(&format!("{name}, rotated {round}"), &rotated);
            let rounded: Vec<Vec3> = rotated.iter().map(single).collect();
            check(&format!("{name}, rotated {round}, in single precision"), &rounded);
            let turned_back: Vec<Vec3> = rounded.iter().map(|point| turn.transpose() * (point - shift)).collect();
            check(&format!("{name}, there and back {round}"), &turned_back);
            for noise in [1e-14, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7] {
                let mut noisy = |point: &Vec3| point + random.direction() * noise;
                check(&format!("{name}, noise {noise:e}, {round}"), &points.iter().map(&mut noisy).collect::<Vec<_>>());
                let noisy: Vec<Vec3> = rotated.iter().map(noisy).collect();
                check(&format!("{name}, rotated {round}, noise {noise:e}"), &noisy);
            }
        }
    }
}

/// Six times the volume of the hull of points with small integer coordinates, by trying the planes through all triples
/// of points.
fn six_volumes(points: &[[i64; 3]]) -> i64 {
    let less = |a: [i64; 3], b: [i64; 3]| [0, 1, 2].map(|k| a[k] - b[k]);
    let cross = |u: [i64; 3], v: [i64; 3]| [1, 2, 0].map(|k| u[k] * v[(k + 1) % 3] - u[(k + 1) % 3] * v[k]);
    let cross = |u, v| {
        let [x, y, z] = cross(u, v);
        [x, y, z]
    };
    let dot = |u: [i64; 3], v: [i64; 3]| (0..3).map(|k| u[k] * v[k]).sum::<i64>();
    let mut facets = BTreeMap::<([i64; 3], i64), BTreeSet<[i64; 3]>>::new();
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    for &a in points {
        for &b in points {
            for &c in points {
                let normal = cross(less(b, a), less(c, a));
                let divisor = normal.into_iter().fold(0, gcd);
                if divisor > 0 && points.iter().all(|&p| dot(normal, less(p, a)) <= 0) {
                    let normal = normal.map(|x| x / divisor);
                    facets.entry((normal, dot(normal, a))).or_default().extend([a, b, c]);
                }
            }
        }
    }
    let from = points[0];
    let facet = |(&(normal, _), corners): (&([i64; 3], i64), &BTreeSet<[i64; 3]>)| {
        // Around the facet: from each corner to the next with all others on the left.
        let is_edge = |&(a, b): &(&[i64; 3], &[i64; 3])| {
            let side = |c: &[i64; 3]| dot(normal, cross(less(*b, *a), less(*c, *a)));
            let between = |c: &[i64; 3]| dot(less(*c, *a), less(*b, *a)) <= dot(less(*b, *a), less(*b, *a));
            a != b
                && corners
                    .iter()
                    .all(|c| side(c) > 0 || (side(c) == 0 && between(c) && dot(less(*c, *a), less(*b, *a)) >= 0))
        };
        let pairs = corners.iter().flat_map(|a| corners.iter().map(move |b| (a, b)));
        pairs
            .filter(is_edge)
            .map(|(a, b)| dot(less(*corners.first().unwrap(), from), cross(less(*a, from), less(*b, from))))
            .sum::<i64>()
    };
    facets.iter().map(facet).sum()
}

#[test]
fn volumes_are_those_of_all_planes_that_have_all_points_on_one_side() {
    assert_eq!(six_volumes(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 1);
    let cube =
        [[0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 2, 0], [0, 0, 2], [2, 0, 2], [0, 2, 2], [2, 2, 2], [1, 1, 2], [1, 0, 0]];
    assert_eq!(six_volumes(&cube), 48);
    let mut random = Random(3);
    for round in 0..200 {
        let (count, cells) = (5 + round % 12, [2, 3, 4, 10, 1000][round % 5]);
        let points: Vec<[i64; 3]> = (0..count).map(|_| [0; 3].map(|_| random.below(cells) as i64)).collect();
        let metres: Vec<Vec3> = points.iter().map(|point| point.map(|x| x as f64).into()).collect();
        let expected = six_volumes(&points) as f64 / 6.0;
        match Hull::around(&metres) {
            Ok(hull) => {
                check(&format!("round {round} of seed 3"), &metres);
                assert!((volume(&hull) - expected).abs() <= 1e-12 * expected, "round {round} of seed 3: {expected}");
            }
            Err(error) => assert_eq!(expected, 0.0, "round {round} of seed 3: {error}"),
        }
    }
}

#[test]
fn a_hull_on_the_lattice_has_exact_planes() {
    // Corners of a box that is turned, with the noise of single precision: slivers everywhere, whose planes must still
    // have all corners below.
    let turn = Random(5).rotation();
    let points: Vec<Vec3> = box_of_points([12, 12, 12], [1.0; 3]).iter().map(|point| single(&(turn * point))).collect();
    let hull = Hull::on_lattice(&points).unwrap();
    let corners: Vec<Vec3> = hull.vertices().collect();
    check_given("box", &corners, &hull, 1e-15);
    assert!(hull.triangles().count() > 100);
}

#[test]
fn flat_clouds_are_refused_with_their_thickness() {
    let turn = Random(11).rotation();
    for thickness in [0.0, 1e-10, 4e-9] {
        let points: Vec<Vec3> =
            box_of_points([9, 9, 2], [1.0, 1.0, thickness]).iter().map(|point| turn * point).collect();
        match Hull::around(&points) {
            Err(CollisionError::FlatHull { thickness: found, .. }) => {
                assert!((found - thickness).abs() < 1e-12, "{found}")
            }
            Err(error) => panic!("{error}"),
            Ok(hull) => check_given("thin plate", &points, &hull, BOUND),
        }
    }
    for points in [vec![], vec![Vec3::x(); 5], (0..9).map(|k| Vec3::x() * f64::from(k)).collect()] {
        assert!(matches!(Hull::around(&points), Err(CollisionError::FlatHull { .. })));
    }
}

#[test]
fn hulls_of_many_points_take_little_time() {
    let begin = std::time::Instant::now();
    let round = sphere(50_000);
    let hull = Hull::around(&round).unwrap();
    assert_eq!(hull.triangles().count(), 2 * round.len() - 4);
    assert!((volume(&hull) - 4.0 / 3.0 * PI).abs() < 1e-3);
    let on_lattice = Hull::on_lattice(&round).unwrap();
    assert!((volume(&hull) - volume(&on_lattice)).abs() < 1e-6);
    for points in [box_of_points([200, 200, 2], [1.0, 1.0, 0.01]), rings(2_000, &[[1.0, -0.1], [1.0, 0.1]])] {
        Hull::around(&points).unwrap();
        let turn = Random(2).rotation();
        Hull::around(&points.iter().map(|point| single(&(turn * point))).collect::<Vec<_>>()).unwrap();
    }
    // Seconds, where growth that looked at all faces would take many minutes.
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
}
