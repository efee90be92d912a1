//! Impacts of round rigid bodies act where these touch: against closed forms, for both orders of declaration.
#![allow(clippy::unwrap_used)]

use std::f64::consts::PI;

use crate::support::{Run, assert_vector, hard, start};
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, cuboid, cylinder, object};
use mbs::material::{ContactLaw, ImpactOrder, MaterialPair};
use mbs::math::{Quaternion, Vec3};
use mbs::solid::Axis;

const DENSITY: f64 = 1000.0;
const COR: f64 = 0.5;
/// Approach velocity \[m/s\] and gap at the start \[m\].
const V: f64 = 2.0;
const GAP: f64 = 0.02;
/// Round bodies count as touching where the polygons around them overlap, a thousandth of their radius early.
const EARLY: f64 = 5e-3;

/// Two bodies without friction, in both orders.
fn scenes(a: &ObjectBuilder, b: &ObjectBuilder) -> [ModelBuilder; 2] {
    [[a, b], [b, a]].map(|[first, second]| {
        ModelBuilder::new("Round")
            .contact_law(ContactLaw::Rigid, ImpactOrder::Simultaneous)
            .material(hard())
            .material_pair("Hard", "Hard", MaterialPair::new(COR, 0.0, 0.0))
            .object(first.clone())
            .object(second.clone())
    })
}

/// Mass \[kg\] and moment of inertia about a transverse axis \[kg m²\] of a cylinder.
fn inertia_of_cylinder(diameter: f64, length: f64) -> [f64; 2] {
    let m = DENSITY * PI * diameter * diameter / 4.0 * length;
    [m, m * (0.75 * diameter * diameter + length * length) / 12.0]
}

fn vector(run: &mut Run, name: &str) -> Vec3 {
    Vec3::from([1, 2, 3].map(|k| run.value(&format!("{name}[{k}]"))))
}

#[test]
fn sides_that_cross_collide_at_one_point() {
    let ([d_a, l_a], [d_b, l_b], at_a, at_b) = ([0.4, 1.0], [0.3, 0.8], 0.2, 0.15);
    let ([m_a, i_a], [m_b, i_b]) = (inertia_of_cylinder(d_a, l_a), inertia_of_cylinder(d_b, l_b));
    let p = (1.0 + COR) * V / (1.0 / m_a + 1.0 / m_b + at_a * at_a / i_a + at_b * at_b / i_b);
    for angle in [0.3_f64, 0.7, 1.2, 1.5] {
        let along = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let center = Vec3::new(at_a, 0.0, 0.5 * (d_a + d_b) + GAP) - at_b * along;
        let a = object("a").free().solid(cylinder(Axis::X, d_a, l_a).material("Hard").collides());
        let b = object("b").r(center.data.0[0]).turned("z", angle).free_with([0.0, 0.0, -V], [0.0; 3]);
        let b = b.solid(cylinder(Axis::X, d_b, l_b).material("Hard").collides());
        for scene in scenes(&a, &b) {
            let mut run = start(&scene.build().unwrap(), 1e-8);
            run.to(1.05 * GAP / V);
            assert_eq!(run.value("impact_count"), 1.0, "impacts");
            assert_vector(vector(&mut run, "a.v_abs"), [0.0, 0.0, -p / m_a], EARLY * V, "a.v_abs");
            assert_vector(vector(&mut run, "a.w_abs"), [0.0, at_a * p / i_a, 0.0], EARLY * at_a * p / i_a, "a.w_abs");
            let w_b = at_b * p / i_b * Vec3::new(along.y, -along.x, 0.0);
            assert_vector(vector(&mut run, "b.w_abs"), w_b.data.0[0], EARLY * w_b.norm(), "b.w_abs");
        }
    }
}

#[test]
fn a_corner_strikes_a_side_where_it_touches() {
    let ([d, l], side) = ([0.4, 1.0], 0.2_f64);
    let [m_a, i_a] = inertia_of_cylinder(d, l);
    let (m_b, i_b) = (DENSITY * side.powi(3), DENSITY * side.powi(5) / 6.0);
    for (tilt, turn, at) in
        [(0.3_f64, 0.9_f64, 0.2), (-0.5, 0.6, 0.2), (0.8, 1.3, 0.2), (0.8, 1.3, 0.45), (0.3, 0.9, -0.48)]
    {
        let n = Vec3::new(0.0, tilt.sin(), tilt.cos());
        let rotation =
            Quaternion::from_array([turn.cos(), 0.7 * turn.sin(), 0.6 * turn.sin(), 0.4 * turn.sin()]).normalized();
        let signs = [-0.5 * side, 0.5 * side];
        let corners = signs.iter().flat_map(|x| signs.iter().map(move |y| (*x, *y)));
        let corners = corners.flat_map(|(x, y)| signs.map(|z| rotation.to_matrix() * Vec3::new(x, y, z)));
        let corner = corners.min_by(|p, q| p.dot(&n).total_cmp(&q.dot(&n))).unwrap();
        let touching = Vec3::new(at, 0.0, 0.0) + 0.5 * d * n;
        let a = object("a").free().solid(cylinder(Axis::X, d, l).material("Hard").collides());
        let b = object("b").r((touching - corner + GAP * n).data.0[0]).quaternion(rotation.to_array());
        let b = b.free_with((-V * n).data.0[0], [0.0; 3]).solid(cuboid([side; 3]).material("Hard").collides());
        let arm = corner.cross(&n);
        let p = (1.0 + COR) * V / (1.0 / m_a + 1.0 / m_b + at * at / i_a + arm.norm_squared() / i_b);
        for scene in scenes(&a, &b) {
            let mut run = start(&scene.build().unwrap(), 1e-8);
            run.to(1.05 * GAP / V);
            assert_eq!(run.value("impact_count"), 1.0, "impacts");
            assert_vector(vector(&mut run, "b.v_abs"), ((p / m_b - V) * n).data.0[0], EARLY * V, "b.v_abs");
            let [w_a, w_b] = [Vec3::new(at, 0.0, 0.0).cross(&(-p / i_a * n)), (p / i_b) * arm];
            assert_vector(vector(&mut run, "a.w_abs"), w_a.data.0[0], EARLY * w_a.norm(), "a.w_abs");
            assert_vector(vector(&mut run, "b.w_abs"), w_b.data.0[0], EARLY * w_b.norm(), "b.w_abs");
        }
    }
}
