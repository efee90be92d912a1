//! Against solutions known in closed form or from the literature.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::{Problem, Setup, at, decay, oscillator, run_to};
use mbs::simulation::integrator::{Integrator, StepOutcome};
use mbs_ida::Ida;

#[test]
fn decay_follows_the_exponential_function() {
    let (mut ida, mut system) = (Ida::new(), decay(2.0));
    ida.restart(&Setup::new(&[3.0], &[-6.0], 1e-8).start()).unwrap();
    run_to(&mut ida, &mut system, 1.5);
    let ([y], [yp]) = at(&mut ida, 1.5);
    let exact = 3.0 * (-3.0_f64).exp();
    assert!((y - exact).abs() < 2e-7, "error {:e}", y - exact);
    assert!((yp + 2.0 * exact).abs() < 1e-5, "error {:e}", yp + 2.0 * exact);
}

fn oscillator_error(tolerance: f64) -> f64 {
    let (mut ida, mut system) = (Ida::new(), oscillator());
    ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], tolerance).start()).unwrap();
    run_to(&mut ida, &mut system, 10.0);
    let ([x, v], _) = at(&mut ida, 10.0);
    (x - 10f64.cos()).hypot(v + 10f64.sin())
}

#[test]
fn the_error_of_the_oscillator_follows_the_tolerance_over_eight_decades() {
    let tolerances = [1e-4, 1e-8, 1e-12];
    let errors = tolerances.map(oscillator_error);
    for (error, tolerance) in errors.iter().zip(tolerances) {
        assert!(*error < 500.0 * tolerance, "errors {errors:?}");
    }
    assert!(errors[1] < errors[0] / 1e2 && errors[2] < errors[1] / 1e2, "errors {errors:?}");
}

#[test]
fn the_oscillator_keeps_its_energy_over_a_hundred_periods() {
    let (mut ida, mut system) = (Ida::new(), oscillator());
    ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-10).start()).unwrap();
    run_to(&mut ida, &mut system, 200.0 * std::f64::consts::PI);
    let ([x, v], _) = at(&mut ida, 200.0 * std::f64::consts::PI);
    assert!((x * x + v * v - 1.0).abs() < 1e-5, "energy is off by {:e}", x * x + v * v - 1.0);
}

#[test]
fn the_order_rises_to_five_on_a_smooth_solution() {
    let (mut ida, mut system) = (Ida::new(), oscillator());
    ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-10).start()).unwrap();
    assert_eq!((ida.last_order(), ida.last_step()), (0, 0.0));
    let orders: Vec<u32> = (0..200)
        .map(|_| {
            ida.step(&mut system, None).unwrap();
            ida.last_order()
        })
        .collect();
    assert_eq!(orders[0], 1);
    assert_eq!(orders.iter().max(), Some(&5));
}

/// Robertson's kinetics with the conservation of mass as algebraic equation.
fn robertson<'a>() -> Problem<'a> {
    Problem::new(
        3,
        |_, y, yp, r| {
            let rate = -0.04 * y[0] + 1e4 * y[1] * y[2];
            r[0] = rate - yp[0];
            r[1] = -rate - 3e7 * y[1] * y[1] - yp[1];
            r[2] = y[0] + y[1] + y[2] - 1.0;
            Ok(())
        },
        |_, c_j, y, _, j| {
            j[..3].copy_from_slice(&[-0.04 - c_j, 1e4 * y[2], 1e4 * y[1]]);
            j[3..6].copy_from_slice(&[0.04, -1e4 * y[2] - 6e7 * y[1] - c_j, -1e4 * y[1]]);
            j[6..].copy_from_slice(&[1.0, 1.0, 1.0]);
            Ok(())
        },
    )
    .with_roots(2, |_, y, _, g| {
        g[0] = y[0] - 1e-4;
        g[1] = y[2] - 0.01;
        Ok(())
    })
}

#[test]
fn robertson_kinetics_agree_with_the_published_solution() {
    let mut setup = Setup::new(&[1.0, 0.0, 0.0], &[-0.04, 0.04, 0.0], 1e-9).with_roots(2);
    setup.absolute_tolerance = vec![1e-15, 1e-20, 1e-12];
    let (mut ida, mut system) = (Ida::new(), robertson());
    ida.restart(&setup.start()).unwrap();
    let published = [
        (0.4, [9.851721139e-1, 3.386395379e-5, 1.479402222e-2]),
        (40.0, [7.158270688e-1, 9.185534765e-6, 2.841637457e-1]),
        (4e10, [5.2083474251e-8, 2.0833390773e-13, 9.9999994791632e-1]),
    ];
    let mut roots = Vec::new();
    for (stop, expected) in published {
        loop {
            match ida.step(&mut system, Some(stop)).unwrap() {
                StepOutcome::Root { t } => roots.push((t, ida.root_directions().to_vec())),
                StepOutcome::Stepped { .. } => {}
                StepOutcome::Limit { .. } => break,
            }
        }
        let (y, _) = at::<3>(&mut ida, stop);
        for (value, expected) in y.iter().zip(expected) {
            assert!((value / expected - 1.0).abs() < 1e-6, "at {stop}: {y:?}");
        }
    }
    assert_eq!(roots.len(), 2);
    assert!((roots[0].0 - 0.26402).abs() < 1e-5 && roots[0].1 == [0, 1], "{roots:?}");
    assert!((roots[1].0 / 2.0795e7 - 1.0).abs() < 1e-3 && roots[1].1 == [-1, 0], "{roots:?}");
}

#[test]
fn the_linearisation_is_reused_over_several_steps_and_solves() {
    let (mut ida, mut system) = (Ida::new(), oscillator());
    ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-8).start()).unwrap();
    run_to(&mut ida, &mut system, 20.0);
    let work = ida.statistics();
    assert_eq!(work.jacobian_evaluations, system.linearizations as u64);
    assert!(5 * work.jacobian_evaluations < work.steps, "{work:?}");
    assert!(work.linear_solves >= work.steps, "{work:?}");
}

#[test]
fn dense_output_is_as_accurate_as_the_steps() {
    let (mut ida, mut system) = (Ida::new(), oscillator());
    ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-8).start()).unwrap();
    let (mut worst, mut worst_rate) = (0.0_f64, 0.0_f64);
    while ida.internal_time() < 5.0 {
        ida.step(&mut system, None).unwrap();
        let (end, size) = (ida.internal_time(), ida.last_step());
        for k in 0..=10 {
            let t = end - size * f64::from(k) / 10.0;
            let ([x, v], [xp, vp]) = at(&mut ida, t);
            worst = worst.max((x - t.cos()).abs()).max((v + t.sin()).abs());
            worst_rate = worst_rate.max((xp + t.sin()).abs()).max((vp + t.cos()).abs());
        }
    }
    assert!(worst < 1e-6, "{worst:e}");
    assert!(worst_rate < 1e-4, "{worst_rate:e}");
}

#[test]
fn interpolation_before_the_first_step_gives_the_start_values() {
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[3.0], &[-6.0], 1e-8).at(7.0).start()).unwrap();
    assert_eq!(at(&mut ida, 7.0), ([3.0], [-6.0]));
    let (mut y, mut yp) = ([0.0], [0.0]);
    assert!(ida.interpolate(7.1, &mut y, &mut yp).unwrap_err().to_string().contains("outside the last step"));
}

#[test]
fn an_algebraic_variable_is_left_out_of_the_error_test() {
    // z follows a fast oscillation that carries no state.
    let steps = |differential: bool| {
        let mut system = Problem::new(
            2,
            |t: f64, y, yp, r| {
                r[0] = yp[0] + y[0];
                r[1] = y[1] - (50.0 * t).cos();
                Ok(())
            },
            |_, c_j, _, _, j| {
                j.copy_from_slice(&[c_j + 1.0, 0.0, 0.0, 1.0]);
                Ok(())
            },
        );
        let mut setup = Setup::new(&[1.0, 1.0], &[-1.0, 0.0], 1e-6);
        setup.differential[1] = differential;
        let mut ida = Ida::new();
        ida.restart(&setup.start()).unwrap();
        run_to(&mut ida, &mut system, 2.0);
        let ([y, z], _) = at(&mut ida, 2.0);
        assert!((y - (-2f64).exp()).abs() < 1e-4 && (z - 100f64.cos()).abs() < 1e-6, "{y} {z}");
        ida.statistics().steps
    };
    assert!(5 * steps(false) < steps(true));
}

#[test]
fn time_runs_and_its_roots_work_without_variables() {
    let mut system = Problem::new(0, |_, _, _, _| Ok(()), |_, _, _, _, _| Ok(())).with_roots(1, |t, _, _, g| {
        g[0] = t - 0.75;
        Ok(())
    });
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[], &[], 1e-6).with_roots(1).start()).unwrap();
    let mut root = None;
    while let outcome = ida.step(&mut system, Some(2.0)).unwrap()
        && outcome.time() < 2.0
    {
        if let StepOutcome::Root { t } = outcome {
            root = Some(t);
        }
    }
    assert!((root.unwrap() - 0.75).abs() < 1e-12, "{root:?}");
    assert_eq!(at(&mut ida, 2.0), ([], []));
}

/// Frequencies \[rad/s\] of what a plate does on its bed: heave, and rock about both axes.
const FREQUENCIES: [f64; 3] = [1.0, 1.7, 1.75];

/// Three vibrations `x'' + 2 D w x' + w^2 x = 0` that are hardly damped, D = 5e-4.
fn ringing<'a>() -> Problem<'a> {
    Problem::new(
        6,
        |_, y, yp, r| {
            for (k, w) in FREQUENCIES.into_iter().enumerate() {
                r[2 * k] = yp[2 * k] - y[2 * k + 1];
                r[2 * k + 1] = yp[2 * k + 1] + w * w * y[2 * k] + 1e-3 * w * y[2 * k + 1];
            }
            Ok(())
        },
        |_, c_j, _, _, j| {
            for (k, w) in FREQUENCIES.into_iter().enumerate() {
                let at = 14 * k;
                (j[at], j[at + 1], j[at + 6], j[at + 7]) = (c_j, -1.0, w * w, c_j + 1e-3 * w);
            }
            Ok(())
        },
    )
}

/// Steps until the vibration has rung off, and the order of the last one.
fn steps_until_quiet(expected: bool) -> (u64, u32) {
    let (mut ida, mut system) = (Ida::new(), ringing());
    let (x, v) = ([3e-4, 0.0, 2e-4, 0.0, 1e-4, 0.0], [0.0, -3e-4, 0.0, -5.78e-4, 0.0, -3.0625e-4]);
    ida.restart(&Setup::new(&x, &v, 1e-6).start()).unwrap();
    let stop = 2e4;
    loop {
        ida.expect_ringing(expected);
        if let StepOutcome::Limit { .. } = ida.step(&mut system, Some(stop)).unwrap() {
            break;
        }
        assert!(!expected || ida.last_order() <= 2, "order {}", ida.last_order());
        assert!(ida.statistics().steps < 1_000_000, "the vibration is kept alive");
    }
    (ida.statistics().steps, ida.last_order())
}

#[test]
fn a_vibration_that_rings_is_damped_by_formulas_of_low_order() {
    let ((with, order), (without, _)) = (steps_until_quiet(true), steps_until_quiet(false));
    assert!(order <= 2 && with < 10_000, "{with} steps, order {order}");
    assert!(without > 4 * with, "{with} steps with low orders, {without} with all");
}

#[test]
fn the_order_rises_again_where_nothing_rings_any_more() {
    let (mut ida, mut system) = (Ida::new(), oscillator());
    ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-8).start()).unwrap();
    let mut orders = Vec::new();
    for step in 0..600 {
        ida.expect_ringing((200..400).contains(&step));
        ida.step(&mut system, None).unwrap();
        orders.push(ida.last_order());
    }
    assert!(orders[..200].iter().max().unwrap() > &3 && orders[400..].iter().max().unwrap() > &3, "{orders:?}");
    assert!(orders[200..400].iter().max().unwrap() <= &2, "{orders:?}");
    let t = ida.internal_time();
    let ([x, v], _) = at(&mut ida, t);
    let error = (x - t.cos()).hypot(v + t.sin());
    assert!(error < 1e-4, "{error:e} at {t}");
}
