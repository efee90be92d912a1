//! Failures, their messages, and the state after them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{Problem, Setup, at, decay, oscillator, run_to};
use mbs::dynamics::EvaluationError;
use mbs::simulation::integrator::{DaeSystem, Integrator, IntegratorError};
use mbs_ida::Ida;

fn recoverable(message: &str) -> EvaluationError {
    EvaluationError::Recoverable(message.to_owned())
}

/// Restarts at y = 1, y' = -1 and steps to 1 s.
fn first_error(system: &mut dyn DaeSystem) -> (Ida, IntegratorError) {
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).with_roots(system.num_roots()).start()).unwrap();
    for _ in 0..1000 {
        if let Err(error) = ida.step(system, Some(1.0)) {
            return (ida, error);
        }
    }
    panic!("no error");
}

/// `y' = -y` with a residual that may refuse.
fn guarded<'a>(mut refuse: impl FnMut(f64, &mut [f64]) -> crate::common::Outcome + 'a) -> Problem<'a> {
    let mut problem = decay(1.0);
    problem.residual = Box::new(move |t, y, yp, r| {
        r[0] = yp[0] + y[0];
        refuse(t, r)
    });
    problem
}

#[test]
fn a_residual_that_recovers_costs_step_size_only() {
    let refusals = Cell::new(0);
    let mut system = guarded(|_, _| {
        refusals.set(refusals.get() + 1);
        if (20..25).contains(&refusals.get()) { Err(recoverable("not now")) } else { Ok(()) }
    });
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-8).start()).unwrap();
    run_to(&mut ida, &mut system, 1.0);
    let ([y], _) = at(&mut ida, 1.0);
    assert!((y - (-1f64).exp()).abs() < 1e-6);
    assert!(ida.statistics().convergence_failures >= 5);
}

#[test]
fn a_residual_that_always_refuses_ends_with_the_words_of_model_and_integrator() {
    let (ida, error) = first_error(&mut guarded(|_, _| Err(recoverable("the wheel has left the rail"))));
    assert!(
        matches!(&error, IntegratorError::Evaluation { t: 0.0, error: EvaluationError::Recoverable(_) }),
        "{error:?}"
    );
    for part in
        ["the wheel has left the rail", "however small the step", "IDA_REP_RES_ERR", "repeated recoverable residual"]
    {
        assert!(error.to_string().contains(part), "{part:?} is missing in {error}");
    }
    assert!(ida.statistics().residual_evaluations < 50);
}

#[test]
fn a_model_that_ends_half_way_is_followed_to_its_end() {
    let mut system = guarded(|t, _| if t > 0.5 { Err(recoverable("the wheel has left the rail")) } else { Ok(()) });
    let (mut ida, error) = first_error(&mut system);
    assert!(
        matches!(&error, IntegratorError::Evaluation { t, error: EvaluationError::Recoverable(_) } if (0.49..=0.5).contains(t))
    );
    for part in ["the wheel has left the rail", "step"] {
        assert!(error.to_string().contains(part), "{part:?} is missing in {error}");
    }
    // The solution up to there stays available, stepping does not, restarting does.
    let end = ida.internal_time();
    let ([y], _) = at(&mut ida, end);
    assert!((y - (-end).exp()).abs() < 1e-5);
    assert!(ida.step(&mut system, Some(1.0)).unwrap_err().to_string().contains("restarted after a failed step"));
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).start()).unwrap();
    run_to(&mut ida, &mut decay(1.0), 1.0);
}

#[test]
fn fatal_complaints_end_at_once_wherever_they_come_from() {
    let fatal = || Err(EvaluationError::Fatal("out of unobtainium".to_owned()));
    let mut residual = guarded(|t, _| if t > 0.1 { fatal() } else { Ok(()) });
    let mut matrix = decay(1.0);
    matrix.jacobian = Box::new(move |_, _, _, _, _| fatal());
    let mut root = decay(1.0).with_roots(1, move |t, _, _, g| {
        g[0] = 1.0;
        if t > 0.1 { fatal() } else { Ok(()) }
    });
    for system in [&mut residual, &mut matrix, &mut root] {
        let (_, error) = first_error(system);
        assert!(matches!(&error, IntegratorError::Evaluation { error: EvaluationError::Fatal(_), .. }), "{error:?}");
        assert!(error.to_string().contains("out of unobtainium"), "{error}");
    }
    struct NoSolve;
    impl DaeSystem for NoSolve {
        fn num_variables(&self) -> usize {
            1
        }
        fn num_roots(&self) -> usize {
            0
        }
        fn residual(&mut self, _: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> crate::common::Outcome {
            r[0] = y[0] + yp[0];
            Ok(())
        }
        fn linearize(&mut self, _: f64, _: f64, _: &[f64], _: &[f64]) -> crate::common::Outcome {
            Ok(())
        }
        fn solve(&mut self, _: &mut [f64]) -> crate::common::Outcome {
            Err(EvaluationError::Fatal("pivot lost".to_owned()))
        }
        fn roots(&mut self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) -> crate::common::Outcome {
            Ok(())
        }
    }
    let (ida, error) = first_error(&mut NoSolve);
    assert!(error.to_string().contains("pivot lost") && error.to_string().contains("IDA_LSOLVE_FAIL"), "{error}");
    assert_eq!(ida.statistics().linear_solves, 1);
}

#[test]
fn a_singular_matrix_is_reported_with_the_words_of_the_model() {
    let mut system = decay(1.0);
    system.jacobian = Box::new(|_, _, _, _, _| Err(recoverable("joint elbow is at a singular position")));
    let (_, error) = first_error(&mut system);
    assert!(matches!(&error, IntegratorError::StepFailed { .. }), "{error:?}");
    assert!(error.to_string().contains("joint elbow is at a singular position"), "{error}");
}

#[test]
fn a_residual_that_is_not_a_number_is_named() {
    for value in [f64::NAN, f64::INFINITY] {
        let mut system = guarded(move |t, r| {
            if t > 0.5 {
                r[0] = value;
            }
            Ok(())
        });
        let (_, error) = first_error(&mut system);
        assert!(error.to_string().contains(&format!("residual of equation 0 (counted from 0) is {value}")), "{error}");
    }
}

#[test]
fn a_root_function_that_is_not_a_number_is_named() {
    let mut system = decay(1.0).with_roots(2, |t, _, _, g| {
        (g[0], g[1]) = (1.0, if t > 0.5 { f64::NAN } else { 1.0 });
        Ok(())
    });
    let (_, error) = first_error(&mut system);
    assert!(error.to_string().contains("root function 1 (counted from 0) is NaN"), "{error}");
}

#[test]
fn a_singular_solution_ends_with_an_error_and_does_not_hang() {
    // y' = y^2 reaches infinity at 1 s.
    let mut system = Problem::new(
        1,
        |_, y, yp, r| {
            r[0] = yp[0] - y[0] * y[0];
            Ok(())
        },
        |_, c_j, y, _, j| {
            j[0] = c_j - 2.0 * y[0];
            Ok(())
        },
    );
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[1.0], &[1.0], 1e-6).start()).unwrap();
    let error = (0..100_000).find_map(|_| ida.step(&mut system, Some(2.0)).err()).unwrap();
    assert!(matches!(error, IntegratorError::StepFailed { t, h, .. } if (t - 1.0).abs() < 1e-3 && h < 1e-6), "{error}");
}

#[test]
fn a_panic_in_the_model_reaches_the_caller_and_a_restart_heals() {
    let panics_in: [fn() -> Problem<'static>; 3] = [
        || guarded(|t, _| if t > 0.5 { panic!("boom") } else { Ok(()) }),
        || {
            let mut system = decay(1.0);
            system.jacobian = Box::new(|_, _, _, _, _| panic!("boom"));
            system
        },
        || {
            decay(1.0).with_roots(1, |t, _, _, g| {
                g.fill(1.0);
                if t > 0.5 { panic!("boom") } else { Ok(()) }
            })
        },
    ];
    for system in panics_in {
        let mut system = system();
        let setup = Setup::new(&[1.0], &[-1.0], 1e-6);
        let mut ida = Ida::new();
        ida.restart(&Setup { num_roots: system.num_roots, ..Setup::new(&[1.0], &[-1.0], 1e-6) }.start()).unwrap();
        let payload = catch_unwind(AssertUnwindSafe(|| run_to(&mut ida, &mut system, 1.0))).unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"boom"));
        assert!(matches!(ida.step(&mut system, None), Err(IntegratorError::Misuse(_))));
        ida.restart(&setup.start()).unwrap();
        run_to(&mut ida, &mut decay(1.0), 1.0);
        let ([y], _) = at(&mut ida, 1.0);
        assert!((y - (-1f64).exp()).abs() < 1e-5);
    }
}

#[test]
fn calls_in_the_wrong_order_or_of_the_wrong_size_are_refused() {
    let mut ida = Ida::new();
    assert!(ida.step(&mut decay(1.0), None).unwrap_err().to_string().contains("before its first step"));
    assert!(ida.interpolate(0.0, &mut [], &mut []).unwrap_err().to_string().contains("before it can interpolate"));
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).start()).unwrap();
    let error = ida.step(&mut oscillator(), None).unwrap_err().to_string();
    assert!(error.contains("restarted for 1 variables and 0 root functions, but the model has 2 and 0"), "{error}");
    let error = ida.interpolate(0.0, &mut [0.0; 2], &mut [0.0; 1]).unwrap_err().to_string();
    assert!(error.contains("room for 1 values"), "{error}");
}

#[test]
fn a_refused_restart_leaves_the_present_segment_alone() {
    let (mut ida, mut system) = (Ida::new(), decay(1.0));
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).start()).unwrap();
    ida.step(&mut system, None).unwrap();
    assert!(matches!(
        ida.restart(&Setup::new(&[f64::NAN], &[0.0], 1e-6).start()),
        Err(IntegratorError::InvalidStart(_))
    ));
    run_to(&mut ida, &mut system, 1.0);
    assert_eq!(ida.statistics().restarts, 1);
}

#[test]
fn a_free_spin_that_a_very_loose_tolerance_breaks_asks_for_a_smaller_one() {
    use mbs::declaration::builder::{Members, ModelBuilder, capsule, object};
    use mbs::simulation::{Options, Simulation};
    let solid = capsule(mbs::solid::Axis::X, 0.1, 0.1).mass(1.0);
    let spinning = object("a").free_with((0.0, 0.0, 0.0), (10.0, 5.0, 2.0)).solid(solid);
    let declaration = ModelBuilder::new("Spin").gravity([0.0; 3]).object(spinning).build().unwrap();
    let scene = mbs::elaboration::elaborate(&declaration, &[]).unwrap();
    // Where and how it breaks hangs on the last digits.
    let errors = [0.015, 0.02, 0.025, 0.03, 0.04, 0.05].map(|relative_tolerance| {
        let options = Options { relative_tolerance, ..Options::default() };
        let mut simulation = Simulation::new(scene.clone(), Ida::new(), 0.0, options).unwrap();
        simulation.do_step(200.0).map_or_else(|error| error.to_string(), |()| String::new())
    });
    assert!(errors.iter().any(|error| error.contains("take a smaller tolerance")), "{errors:#?}");
    assert!(!errors.iter().any(|error| error.contains("no mass")), "{errors:#?}");
}
