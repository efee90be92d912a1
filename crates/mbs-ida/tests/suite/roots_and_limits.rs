//! Where steps end: roots, limits, and what happens when they are mixed.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::{Setup, at, ball, decay, oscillator, run_to};
use mbs::simulation::integrator::{Integrator, IntegratorError, StepOutcome};
use mbs_ida::Ida;

/// Steps until a root; returns its time.
fn next_root(ida: &mut Ida, system: &mut crate::common::Problem<'_>, limit: Option<f64>) -> f64 {
    loop {
        match ida.step(system, limit).unwrap() {
            StepOutcome::Root { t } => return t,
            StepOutcome::Stepped { .. } => {}
            StepOutcome::Limit { t } => panic!("no root before {t}"),
        }
    }
}

#[test]
fn a_bouncing_ball_hits_the_floor_when_the_textbook_says() {
    let (mut ida, mut system) = (Ida::new(), ball());
    let mut setup = Setup::new(&[1.0, 0.0], &[0.0, -9.81], 1e-9).with_roots(1);
    let mut expected = (2.0 / 9.81_f64).sqrt();
    let mut speed = 9.81 * expected;
    for bounce in 0..6 {
        ida.restart(&setup.start()).unwrap();
        let t = next_root(&mut ida, &mut system, None);
        assert!((t - expected).abs() < 1e-7, "bounce {bounce}: {t} instead of {expected}");
        assert_eq!(ida.root_directions(), [-1]);
        let ([height, velocity], _) = at(&mut ida, t);
        assert!(height.abs() < 1e-9 && (velocity + speed).abs() < 1e-6, "{height} {velocity}");
        speed *= 0.8;
        expected += 2.0 * speed / 9.81;
        // The smallest positive height keeps the root function away from zero.
        setup = Setup::new(&[1e-12, -0.8 * velocity], &[-0.8 * velocity, -9.81], 1e-9).with_roots(1).at(t);
    }
}

#[test]
fn all_roots_inside_one_step_are_reported_in_order_and_then_its_end() {
    let mut system = decay(0.0).with_roots(3, |t, _, _, g| {
        (g[0], g[1], g[2]) = (t - 0.5, 0.3 - t, t - 5.0);
        Ok(())
    });
    let mut setup = Setup::new(&[1.0], &[0.0], 1e-6).with_roots(3);
    setup.initial_step = Some(1.0);
    let mut ida = Ida::new();
    ida.restart(&setup.start()).unwrap();
    let StepOutcome::Root { t } = ida.step(&mut system, None).unwrap() else { panic!("no root") };
    assert!((t - 0.3).abs() < 1e-12, "{t}");
    assert_eq!(ida.root_directions(), [0, -1, 0]);
    assert_eq!(ida.internal_time(), 1.0);
    assert_eq!(ida.last_step(), 1.0);
    let StepOutcome::Root { t } = ida.step(&mut system, None).unwrap() else { panic!("no second root") };
    assert!((t - 0.5).abs() < 1e-12, "{t}");
    assert_eq!(ida.root_directions(), [1, 0, 0]);
    assert_eq!(ida.step(&mut system, None), Ok(StepOutcome::Stepped { t: 1.0 }));
    assert_eq!(ida.root_directions(), [0, 0, 0]);
    assert_eq!(ida.statistics().steps, 1);
    ida.step(&mut system, None).unwrap();
    assert_eq!(ida.statistics().steps, 2);
}

#[test]
fn roots_hidden_by_an_earlier_limit_are_reported_when_the_limit_moves_on() {
    let mut system = decay(0.0).with_roots(2, |t, _, _, g| {
        (g[0], g[1]) = (t - 0.2, t - 0.6);
        Ok(())
    });
    let mut setup = Setup::new(&[1.0], &[0.0], 1e-6).with_roots(2);
    setup.initial_step = Some(1.0);
    let mut ida = Ida::new();
    ida.restart(&setup.start()).unwrap();
    assert!(matches!(ida.step(&mut system, None).unwrap(), StepOutcome::Root { .. }));
    // The whole step up to 1 s is taken; limits inside it stop before the root at 0.6 s.
    for limit in [0.4, 0.5, 0.5, 0.45] {
        assert_eq!(ida.step(&mut system, Some(limit)), Ok(StepOutcome::Limit { t: limit }));
        assert_eq!(ida.root_directions(), [0, 0]);
    }
    let StepOutcome::Root { t } = ida.step(&mut system, Some(0.7)).unwrap() else { panic!("the root is lost") };
    assert!((t - 0.6).abs() < 1e-12, "{t}");
    assert_eq!(ida.root_directions(), [0, 1]);
    assert_eq!(ida.step(&mut system, Some(0.7)), Ok(StepOutcome::Limit { t: 0.7 }));
    assert_eq!(ida.step(&mut system, Some(1.0)), Ok(StepOutcome::Limit { t: 1.0 }));
    assert_eq!(ida.statistics().steps, 1);
}

#[test]
fn an_integration_that_ignores_its_roots_gives_the_solution_without_roots() {
    let solve = |num_roots| {
        let mut system = oscillator();
        if num_roots > 0 {
            system = system.with_roots(1, |_, y, _, g| {
                g[0] = y[0];
                Ok(())
            });
        }
        let mut ida = Ida::new();
        ida.restart(&Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-8).with_roots(num_roots).start()).unwrap();
        let mut roots = Vec::new();
        loop {
            match ida.step(&mut system, Some(20.0)).unwrap() {
                StepOutcome::Root { t } => roots.push(t),
                StepOutcome::Stepped { .. } => {}
                StepOutcome::Limit { .. } => return (roots, at::<2>(&mut ida, 20.0), ida.statistics().steps),
            }
        }
    };
    let (roots, solution, steps) = solve(1);
    assert_eq!((solution, steps), {
        let (_, solution, steps) = solve(0);
        (solution, steps)
    });
    assert_eq!(roots.len(), 6);
    for (k, root) in (0..).zip(&roots) {
        let exact = (f64::from(k) + 0.5) * std::f64::consts::PI;
        assert!((root - exact).abs() < 1e-5, "{root} instead of {exact}");
    }
}

#[test]
fn a_root_at_the_start_is_ignored_until_the_function_has_left_zero() {
    let mut system = decay(0.0).with_roots(1, |t, _, _, g| {
        g[0] = t * (t - 0.4);
        Ok(())
    });
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[1.0], &[0.0], 1e-6).with_roots(1).start()).unwrap();
    assert!((next_root(&mut ida, &mut system, Some(2.0)) - 0.4).abs() < 1e-9);
}

#[test]
fn a_root_function_that_was_zero_at_one_start_works_at_the_next() {
    // Zero for good at first, so that IDA switches it off; later a single short step contains its crossing.
    let run = |ida: &mut Ida, zero_first: bool| {
        let mut setup = Setup::new(&[1.0], &[0.0], 1e-6).with_roots(1);
        if zero_first {
            let mut dead = decay(0.0).with_roots(1, |_, _, _, g| {
                g[0] = 0.0;
                Ok(())
            });
            ida.restart(&setup.start()).unwrap();
            run_to(ida, &mut dead, 1.0);
        }
        setup.initial_step = Some(1.0);
        let mut live = decay(0.0).with_roots(1, |t, _, _, g| {
            g[0] = t - 0.5;
            Ok(())
        });
        ida.restart(&setup.start()).unwrap();
        ida.step(&mut live, None).unwrap()
    };
    assert!(matches!(run(&mut Ida::new(), true), StepOutcome::Root { .. }));
    assert_eq!(run(&mut Ida::new(), true), run(&mut Ida::new(), false));
}

#[test]
fn infinite_root_functions_are_finite_enough() {
    let mut system = decay(0.0).with_roots(2, |t, _, _, g| {
        g[0] = f64::INFINITY;
        g[1] = if t < 0.5 { f64::NEG_INFINITY } else { 1.0 };
        Ok(())
    });
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[1.0], &[0.0], 1e-6).with_roots(2).start()).unwrap();
    let t = next_root(&mut ida, &mut system, Some(2.0));
    assert!((t - 0.5).abs() < 1e-9, "{t}");
    assert_eq!(ida.root_directions(), [0, 1]);
}

#[test]
fn limits_are_hit_exactly_and_leave_no_trace() {
    let (mut ida, mut system) = (Ida::new(), decay(1.0));
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).start()).unwrap();
    for limit in [0.1, 0.1 + 0.2, 1.0 / 3.0, 0.7] {
        run_to(&mut ida, &mut system, limit);
        assert_eq!(ida.internal_time(), limit);
        let ([y], _) = at(&mut ida, limit);
        assert!((y - (-limit).exp()).abs() < 1e-5);
    }
    // A limit given once does not hold for the next step.
    ida.step(&mut system, Some(1.0)).unwrap();
    while ida.internal_time() < 1.5 {
        assert!(matches!(ida.step(&mut system, None).unwrap(), StepOutcome::Stepped { .. }));
    }
    // Nor does one given before a restart.
    ida.step(&mut system, Some(1e3)).unwrap();
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).at(2e3).start()).unwrap();
    assert!(matches!(ida.step(&mut system, None).unwrap(), StepOutcome::Stepped { .. }));
}

#[test]
fn a_limit_already_reached_is_answered_without_work() {
    let (mut ida, mut system) = (Ida::new(), decay(1.0));
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).at(3.0).start()).unwrap();
    for limit in [3.0, 3.0 + 4e-16, 3.0 - 4e-16] {
        assert_eq!(ida.step(&mut system, Some(limit)), Ok(StepOutcome::Limit { t: limit }));
    }
    assert_eq!(ida.statistics().steps, 0);
    while ida.internal_time() < 3.5 {
        ida.step(&mut system, None).unwrap();
    }
    let (end, size, before) = (ida.internal_time(), ida.last_step(), ida.statistics());
    for limit in [end, end - 0.5 * size, end - size] {
        assert_eq!(ida.step(&mut system, Some(limit)), Ok(StepOutcome::Limit { t: limit }));
    }
    assert_eq!(ida.statistics(), before);
    assert!(ida.step(&mut system, Some(end + 1e-6)).unwrap().time() > end);
}

#[test]
fn limits_before_the_last_step_and_meaningless_ones_are_refused() {
    let (mut ida, mut system) = (Ida::new(), decay(1.0));
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).at(3.0).start()).unwrap();
    for limit in [2.0, f64::NAN, f64::NEG_INFINITY] {
        let error = ida.step(&mut system, Some(limit)).unwrap_err();
        assert!(matches!(error, IntegratorError::Misuse(_)) && error.to_string().contains("3 s"), "{error}");
    }
    assert!(ida.step(&mut system, Some(f64::INFINITY)).is_ok());
}

#[test]
fn the_step_size_obeys_the_start() {
    let (mut ida, mut system) = (Ida::new(), decay(0.0));
    let mut setup = Setup::new(&[1.0], &[0.0], 1e-6);
    (setup.initial_step, setup.max_step) = (Some(1e-4), Some(0.125));
    ida.restart(&setup.start()).unwrap();
    ida.step(&mut system, None).unwrap();
    assert_eq!(ida.last_step(), 1e-4);
    for _ in 0..50 {
        ida.step(&mut system, None).unwrap();
        assert!(ida.last_step() <= 0.125 * (1.0 + 1e-12));
    }
    assert!(ida.last_step() > 0.06);
    // The bound ends with its segment.
    setup.max_step = None;
    ida.restart(&setup.start()).unwrap();
    (0..50).for_each(|_| assert!(ida.step(&mut system, None).is_ok()));
    assert!(ida.last_step() > 1.0);
}
