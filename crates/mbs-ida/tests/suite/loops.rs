//! Closed kinematic loops: energy, published reference points, no drift, redundancy.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::{assert_near, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{Members, ModelBuilder, object, prismatic, revolute, spherical, universal};

/// The N-four-bar of the IFToMM benchmark library (A02): uniform rods of 1 kg and 1 m, the first top starts with 1 m/s.
fn n_four_bar(n: usize) -> Declaration {
    let rod = [0.0, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0];
    let upright = [1.0 / 12.0, 0.0, 1.0 / 12.0, 0.0, 0.0, 0.0];
    let mut model = ModelBuilder::new("NFourBar").gravity([0.0, -9.81, 0.0]);
    for i in 0..=n {
        model = model
            .object(object(format!("foot{i}")).on("world").r([i as f64, 0.0, 0.0]))
            .object(object(format!("rod{i}")).mass(1.0, [0.0, 0.5, 0.0], upright))
            .object(object(format!("top{i}")).on(format!("rod{i}")).r([0.0, 1.0, 0.0]));
        let mut hinge = revolute(&format!("hinge{i}"), &format!("foot{i}"), &format!("rod{i}"), "z").position(0.0);
        if i == 0 {
            hinge = hinge.velocity(-1.0);
        }
        model = model.joint(hinge);
    }
    for i in 1..=n {
        model = model
            .object(object(format!("bar{i}")).mass(1.0, [0.5, 0.0, 0.0], rod))
            .object(object(format!("end{i}")).on(format!("bar{i}")).r([1.0, 0.0, 0.0]))
            .joint(revolute(&format!("left{i}"), &format!("top{}", i - 1), &format!("bar{i}"), "z"))
            .joint(revolute(&format!("right{i}"), &format!("end{i}"), &format!("top{i}"), "z"));
    }
    model.build().unwrap()
}

/// Largest deviation of the energy from its start on the way to `stop`.
fn energy_drift(model: &Declaration, tolerance: f64, stop: f64) -> f64 {
    let mut run = start(model, tolerance);
    let at_start = run.value("energy.total");
    let mut largest = 0.0_f64;
    for k in 1..=40 {
        let drift = (run.to(stop * f64::from(k) / 40.0).value("energy.total") - at_start).abs();
        assert!(drift.is_finite(), "{}: the energy is not finite", model.name);
        largest = largest.max(drift);
    }
    largest
}

/// The drift shrinks with the tolerance.
fn assert_energy_is_kept(model: &Declaration, stop: f64, final_drift: f64) {
    let drifts = [1e-5, 1e-7, 1e-9, 1e-11].map(|tolerance| energy_drift(model, tolerance, stop));
    assert!(drifts[3] < final_drift && drifts[3] < drifts[0] / 1e3, "{}: drifts {drifts:?}", model.name);
}

#[test]
fn the_four_bar_passes_its_change_points_and_meets_the_published_reference() {
    let model = n_four_bar(1);
    let mut run = start(&model, 1e-9);
    let energy = run.value("energy.total");
    for (t, x, y) in [(5.0, -0.944_908_19, -0.327_335_49), (10.0, 0.478_385_06, 0.878_150_18)] {
        run.to(t);
        let phi = run.value("hinge0.phi");
        assert_near(-phi.sin(), x, 5e-5, "x of the first top");
        assert_near(phi.cos(), y, 5e-5, "y of the first top");
    }
    assert_near(run.value("energy.total"), energy, 5e-5, "energy");
}

/// A published system lost a four-bar at the points where all rods are in line.
#[test]
fn change_points_are_passed_at_any_tolerance() {
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-11] {
        let mut run = start(&n_four_bar(1), tolerance);
        assert!(run.to(4.0).value("hinge0.phi") < -10.0, "tolerance {tolerance}");
    }
}

/// Distance of the objects that a joint without translations holds together.
fn gap(run: &mut crate::support::Run, a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(|name| run.simulation.scene().object(name).unwrap());
    let [a, b] = [a, b].map(|id| run.simulation.object_pose(id).unwrap().translation);
    (a - b).norm()
}

#[test]
fn gaps_do_not_grow_with_time() {
    let mut run = start(&slider_crank(), 1e-6);
    for k in 1..=100 {
        run.to(f64::from(k));
        for (a, b) in [("pin", "rod"), ("eye", "slider")] {
            let gap = gap(&mut run, a, b);
            assert!(gap < 1e-6, "{a} and {b} are {gap:e} m apart after {k} s");
        }
    }
}

fn rod(length: f64, m: f64) -> [f64; 6] {
    let i = m * length * length / 12.0;
    [1e-3, i, i, 0.0, 0.0, 0.0]
}

/// A crank that drives a slider; the rod between them starts at an unknown angle.
fn slider_crank() -> Declaration {
    ModelBuilder::new("SliderCrank")
        .gravity([0.0, -9.81, 0.0])
        .object(object("crank").mass(1.0, [0.15, 0.0, 0.0], rod(0.3, 1.0)))
        .object(object("pin").on("crank").r([0.3, 0.0, 0.0]))
        .object(object("rod").mass(1.5, [0.4, 0.0, 0.0], rod(0.8, 1.5)))
        .object(object("eye").on("rod").r([0.8, 0.0, 0.0]))
        .object(object("slider").mass(0.5, [0.0, 0.0, 0.0], [1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0]))
        .joint(revolute("main", "world", "crank", "z").position(0.9).velocity(4.0))
        .joint(revolute("big_end", "pin", "rod", "z"))
        .joint(revolute("small_end", "eye", "slider", "z"))
        .joint(prismatic("guide", "world", "slider", "x"))
        .build()
        .unwrap()
}

#[test]
fn a_slider_crank_closes_from_its_crank_angle_alone_and_keeps_its_energy() {
    let model = slider_crank();
    let mut run = start(&model, 1e-9);
    let expected = 0.3 * 0.9_f64.cos() + (0.64 - (0.3 * 0.9_f64.sin()).powi(2)).sqrt();
    assert_near(run.value("guide.s").abs(), expected, 1e-9, "position of the slider");
    assert!(run.value("main.phi") == 0.9 && run.value("main.w") == 4.0, "the given values have changed");
    assert_energy_is_kept(&model, 3.0, 1e-7);
}

/// Six hinges along edges of a cube, movable only because of their special directions (Bricard 1927).
fn bricard() -> Declaration {
    let edges = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let axes = ["y", "z", "x", "y", "z", "x"];
    let mut model = ModelBuilder::new("Bricard").gravity([0.0, 0.0, -9.81]);
    let mut at = "world".to_owned();
    for (k, edge) in edges.iter().enumerate() {
        let inertia = edge.map(|e: f64| if e == 0.0 { 1.0 / 12.0 } else { 1e-3 });
        let body = format!("rod{}", k + 1);
        model = model
            .object(object(&body).mass(1.0, edge.map(|e| 0.5 * e), [inertia[0], inertia[1], inertia[2], 0.0, 0.0, 0.0]))
            .object(object(format!("end{}", k + 1)).on(&body).r(*edge))
            .joint(revolute(&format!("rev{}", k + 1), &at, &body, axes[k]));
        at = format!("end{}", k + 1);
    }
    model
        .object(object("top").on("world").r([0.0, 0.0, 1.0]))
        .joint(revolute("rev6", &at, "top", axes[5]))
        .build()
        .unwrap()
}

#[test]
fn bricards_linkage_moves_although_its_equations_are_redundant_everywhere() {
    let model = bricard();
    let mut run = start(&model, 1e-8);
    run.simulation.journal().set_enabled(true);
    run.simulation.note_redundancy();
    let entries = run.simulation.journal().take();
    assert!(entries.iter().any(|entry| entry.text.contains("1 of 5 equations are redundant")), "{entries:?}");
    let mut moved = 0.0_f64;
    for k in 1..=20 {
        moved = moved.max(run.to(0.25 * f64::from(k)).value("rev1.phi").abs());
    }
    assert!(moved > 0.3, "it hardly moved: {moved} rad");
    assert_energy_is_kept(&model, 2.0, 1e-6);
}

/// A crank turns a rocker in another plane through a rod with ball joints.
fn spatial_four_bar() -> Declaration {
    ModelBuilder::new("SpatialFourBar")
        .gravity([0.0, -9.81, 0.0])
        .object(object("crank").mass(1.0, [0.1, 0.0, 0.0], rod(0.2, 1.0)))
        .object(object("pin").on("crank").r([0.2, 0.0, 0.0]))
        .object(object("rod").mass(1.0, [0.5, 0.0, 0.0], rod(1.0, 1.0)))
        .object(object("eye").on("rod").r([1.0, 0.0, 0.0]))
        .object(object("pivot").on("world").r([0.9, 0.0, -0.3]))
        .object(object("rocker").mass(2.0, [0.0, 0.3, 0.0], [0.06, 1e-3, 0.06, 0.0, 0.0, 0.0]))
        .object(object("top").on("rocker").r([0.0, 0.6, 0.0]))
        .joint(revolute("main", "world", "crank", "z").velocity(5.0).position(0.3))
        .joint(universal("cross", "pin", "rod", "z", "y"))
        .joint(revolute("bearing", "pivot", "rocker", [0.6, 0.0, 0.8]))
        .joint(spherical("ball", "eye", "top"))
        .build()
        .unwrap()
}

#[test]
fn a_spatial_four_bar_keeps_its_energy() {
    assert_energy_is_kept(&spatial_four_bar(), 2.0, 1e-6);
}

#[test]
fn chains_of_four_bars_keep_their_energy() {
    for n in [2, 5] {
        let drift = energy_drift(&n_four_bar(n), 1e-8, 1.2);
        assert!(drift < 1e-3, "{n}: {drift:e}");
    }
}

#[test]
fn work_grows_linearly_with_the_number_of_loops() {
    let coefficients = |n: usize| start(&n_four_bar(n), 1e-6).simulation.statistics().jacobian_nonzeros;
    let [a, b, c] = [10, 20, 40].map(coefficients);
    assert!(c - b <= 2 * (b - a) + (b - a) / 10, "{a}, {b}, {c} coefficients for 10, 20, 40 loops");
}

#[test]
fn prescribed_motions_that_a_loop_cannot_follow_are_refused() {
    let mut model = slider_crank();
    model.content.joints[0].dofs[0] =
        mbs::declaration::Dof { motion: Some(mbs::expr::Expr::parse("0.9 + time").unwrap()), ..Default::default() };
    start(&model, 1e-6).to(1.0);
    model.content.joints[3].dofs[0] =
        mbs::declaration::Dof { motion: Some(mbs::expr::Expr::parse("0.9 + 0.1*time").unwrap()), ..Default::default() };
    let message = crate::support::error_message(&model);
    assert!(message.contains("joint `small_end`") && message.contains("cannot be closed"), "{message}");
}

/// Two drives that agree about the position at the start, but not about the velocity.
#[test]
fn drives_that_pull_a_loop_apart_are_refused() {
    let mut model = slider_crank();
    let position = 0.3 * 0.9_f64.cos() + (0.64 - (0.3 * 0.9_f64.sin()).powi(2)).sqrt();
    for (joint, motion) in [(0, "0.9 + time".to_owned()), (3, format!("{position:?} + 0.5*time"))] {
        let motion = Some(mbs::expr::Expr::parse(&motion).unwrap());
        model.content.joints[joint].dofs[0] = mbs::declaration::Dof { motion, ..Default::default() };
    }
    let message = crate::support::error_message(&model);
    assert!(message.contains("joint `small_end`") && message.contains("drive fewer"), "{message}");
}

#[test]
fn a_saved_state_in_the_middle_of_a_loops_motion_goes_on_with_the_same_bits() {
    let model = n_four_bar(2);
    let mut run = start(&model, 1e-6);
    run.to(0.5);
    let saved = run.simulation.save().unwrap();
    let expected = run.to(2.5).value("hinge0.phi");
    let mut other = start(&model, 1e-6);
    other.simulation.restore(&saved).unwrap();
    assert!(other.to(2.5).value("hinge0.phi").to_bits() == expected.to_bits());
}

#[test]
fn states_saved_around_a_change_point_go_on_with_the_same_bits() {
    // The bars are in line near 0.714 s, where steps are planned and tolerances relaxed.
    let model = n_four_bar(2);
    let mut run = start(&model, 1e-10);
    let saved: Vec<_> = (0..16).map(|k| run.to(0.68 + 0.004 * f64::from(k)).simulation.save().unwrap()).collect();
    let expected = run.to(0.9).value("hinge0.phi");
    for (k, saved) in saved.iter().enumerate() {
        let mut other = start(&model, 1e-10);
        other.simulation.restore(saved).unwrap();
        assert!(other.to(0.9).value("hinge0.phi").to_bits() == expected.to_bits(), "saved state {k}");
    }
}

/// Two bars of 0.5 m between pivots 1 m apart, one longer by `excess` \[m\].
fn truss(excess: f64) -> Declaration {
    ModelBuilder::new("Truss")
        .gravity([0.0, -9.81, 0.0])
        .object(object("left").mass(1.0, [0.25, 0.0, 0.0], rod(0.5, 1.0)))
        .object(object("middle").on("left").r([0.5, 0.0, 0.0]))
        .object(object("right").mass(1.0, [0.25, 0.0, 0.0], rod(0.5, 1.0)))
        .object(object("end").on("right").r([0.5 + excess, 0.0, 0.0]))
        .object(object("pivot").on("world").r([1.0, 0.0, 0.0]))
        .joint(revolute("first", "world", "left", "z"))
        .joint(revolute("second", "middle", "right", "z"))
        .joint(revolute("third", "end", "pivot", "z"))
        .build()
        .unwrap()
}

/// A flat truss cannot move, but its linearised equations can.
#[test]
fn a_flat_truss_that_is_rigid_at_its_dead_centre_ends_the_run_instead_of_gaining_energy() {
    let mut run = start(&truss(0.0), 1e-6);
    let energy = run.value("energy.kinetic");
    let error = (1..=300).find_map(|k| run.simulation.do_step(0.01 * f64::from(k)).err());
    let gained = run.value("energy.kinetic") - energy;
    assert!(gained < 1.0, "the truss has gained {gained} J");
    let error = error.expect("the truss counts as movable").to_string();
    assert!(error.contains("locked in a singular configuration") && error.contains("`first`"), "{error}");
}

/// Its bars stand at an angle of 1.4 mrad, or 0.14 mrad, where no equation is redundant though one almost is.
#[test]
fn a_truss_that_is_almost_flat_carries_its_weight() {
    for excess in [1e-6, 1e-8] {
        let mut run = start(&truss(excess), 1e-6);
        let start = run.value("first.phi");
        run.to(3.0);
        let turned = run.value("first.phi") - start;
        assert!(turned.abs() < 2e-4, "excess {excess}: the truss has turned by {turned} rad");
        assert!(run.value("energy.kinetic") < 1e-9, "excess {excess}");
    }
}

/// A parallelogram of bars of 1 m and 2 m whose crank starts with 9 rad/s at an angle to its change point.
fn parallelogram(angle: f64) -> ModelBuilder {
    ModelBuilder::new("Parallelogram")
        .object(object("crank").mass(1.0, [0.5, 0.0, 0.0], rod(1.0, 1.0)))
        .object(object("pin").on("crank").r([1.0, 0.0, 0.0]))
        .object(object("coupler").mass(2.0, [1.0, 0.0, 0.0], rod(2.0, 2.0)))
        .object(object("eye").on("coupler").r([2.0, 0.0, 0.0]))
        .object(object("foot").on("world").r([2.0, 0.0, 0.0]))
        .object(object("rocker").mass(1.0, [0.5, 0.0, 0.0], rod(1.0, 1.0)))
        .object(object("tip").on("rocker").r([1.0, 0.0, 0.0]))
        .joint(revolute("hinge", "world", "crank", "z").position(angle).velocity(9.0))
        .joint(revolute("left", "pin", "coupler", "z"))
        .joint(revolute("swing", "foot", "rocker", "z"))
        .joint(revolute("right", "eye", "tip", "z"))
}

#[test]
fn a_start_at_a_change_point_is_right_or_refused() {
    for angle in [0.0, 1e-8, 1e-6, 1e-5, 1e-4, 1e-2] {
        let model = parallelogram(angle).build().unwrap();
        let scene = mbs::elaboration::elaborate(&model, &[]).unwrap();
        match mbs::simulation::Simulation::new(scene, mbs_ida::Ida::new(), 0.0, Default::default()) {
            Err(error) => {
                let text = error.to_string();
                assert!(angle < 1e-3, "angle {angle}: {text}");
                assert!(text.contains("change point") || text.contains("contradict"), "angle {angle}: {text}");
            }
            Ok(_) => {
                let mut run = start(&model, 1e-8);
                let (w, energy) = (run.value("swing.w"), run.value("energy.total"));
                assert_near(w.abs(), 9.0, 0.1, &format!("angular velocity of the rocker at {angle}"));
                assert_near(run.to(0.5).value("energy.total"), energy, 1e-3 * energy, "energy");
            }
        }
    }
}
