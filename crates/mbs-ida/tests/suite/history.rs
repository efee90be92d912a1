//! A history saved in the middle of a run continues it bit by bit, in the same integrator or another one.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::{Problem, Setup, at, ball, oscillator};
use mbs::simulation::integrator::{self, Integrator, IntegratorError, StepOutcome};
use mbs_ida::{History, Ida};

/// The next steps of a run, as bits, with times, sizes, orders and a point inside each step.
fn steps<const N: usize>(ida: &mut Ida, system: &mut Problem<'_>, count: usize, limit: Option<f64>) -> Vec<u64> {
    let mut bits = Vec::new();
    for _ in 0..count {
        let outcome = ida.step(system, limit.map(|step| ida_time(ida) + step)).unwrap();
        let (end, size) = (ida.internal_time(), ida.last_step());
        let (y, yp) = at::<N>(ida, end - 0.4 * size);
        bits.extend([outcome.time(), end, size, f64::from(ida.last_order())].map(f64::to_bits));
        bits.extend(y.iter().chain(&yp).map(|value| value.to_bits()));
        bits.extend(ida.root_directions().iter().map(|direction| *direction as u64));
    }
    bits
}

fn ida_time(ida: &Ida) -> f64 {
    ida.internal_time()
}

/// A stiff oscillator (Van der Pol, mu = 50) whose Newton matrix is reused for many steps.
fn relaxation<'a>() -> Problem<'a> {
    Problem::new(
        2,
        |_, y, yp, r| {
            r[0] = yp[0] - y[1];
            r[1] = yp[1] - 50.0 * (1.0 - y[0] * y[0]) * y[1] + y[0];
            Ok(())
        },
        |_, c_j, y, _, j| {
            j.copy_from_slice(&[c_j, -1.0, 100.0 * y[0] * y[1] + 1.0, c_j - 50.0 * (1.0 - y[0] * y[0])]);
            Ok(())
        },
    )
    .with_roots(1, |_, y, _, g| {
        g[0] = y[0];
        Ok(())
    })
}

fn started(setup: &Setup) -> Ida {
    let mut ida = Ida::new();
    ida.restart(&setup.start()).unwrap();
    ida
}

fn copied(history: &integrator::History) -> integrator::History {
    // Through another form, as a saved state travels.
    serde_json::from_str(&serde_json::to_string(history).unwrap()).unwrap()
}

#[test]
fn a_run_resumed_at_any_step_takes_the_steps_of_the_run_that_went_on() {
    let setup = Setup::new(&[2.0, 0.0], &[0.0, -2.0], 1e-7).with_roots(1);
    let (mut ida, mut system) = (started(&setup), relaxation());
    for _ in 0..300 {
        let history = copied(&ida.history().unwrap());
        let direct = steps::<2>(&mut ida, &mut system, 25, None);
        ida.resume(&setup.start(), &history, &mut system).unwrap();
        assert_eq!(steps::<2>(&mut ida, &mut system, 25, None), direct, "the same integrator");
        let (mut other, mut same) = (Ida::new(), relaxation());
        other.resume(&setup.start(), &history, &mut same).unwrap();
        assert_eq!(steps::<2>(&mut other, &mut same, 25, None), direct, "another integrator");
        ida.resume(&setup.start(), &history, &mut system).unwrap();
        steps::<2>(&mut ida, &mut system, 3, None);
    }
}

#[test]
fn saving_does_not_disturb_the_run() {
    let setup = Setup::new(&[2.0, 0.0], &[0.0, -2.0], 1e-7).with_roots(1);
    let (mut silent, mut watched) = (started(&setup), started(&setup));
    let (mut one, mut two) = (relaxation(), relaxation());
    for _ in 0..500 {
        watched.history().unwrap();
        assert_eq!(steps::<2>(&mut silent, &mut one, 1, None), steps::<2>(&mut watched, &mut two, 1, None));
    }
    assert_eq!(silent.statistics(), watched.statistics());
    assert_eq!(one.linearizations, two.linearizations);
}

#[test]
fn a_history_before_the_first_step_and_under_limits_continues_too() {
    let setup = Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-6).at(3.0);
    let mut ida = started(&setup);
    let fresh = ida.history().unwrap();
    let direct = steps::<2>(&mut ida, &mut oscillator(), 40, Some(0.01));
    let middle = ida.history().unwrap();
    let rest = steps::<2>(&mut ida, &mut oscillator(), 40, Some(0.003));
    let (mut other, mut system) = (Ida::new(), oscillator());
    other.resume(&setup.start(), &fresh, &mut system).unwrap();
    assert_eq!(steps::<2>(&mut other, &mut system, 40, Some(0.01)), direct);
    other.resume(&setup.start(), &middle, &mut system).unwrap();
    assert_eq!(steps::<2>(&mut other, &mut system, 40, Some(0.003)), rest);
}

#[test]
fn a_history_before_the_first_step_does_not_depend_on_what_was_in_memory() {
    let setup = Setup::new(&[2.0, 0.0], &[0.0, -2.0], 1e-7).with_roots(9);
    let started_after = |rubbish: u8| {
        // Returned memory is what the allocator gives to IDA next.
        drop((0..64).map(|size| vec![rubbish; 24 + size]).collect::<Vec<_>>());
        started(&setup).history().unwrap()
    };
    assert_eq!(started_after(0x11), started_after(0x77));
}

#[test]
fn a_root_found_beyond_the_limit_survives() {
    let setup = Setup::new(&[1.0, 0.0], &[0.0, -9.81], 1e-8).with_roots(1);
    let (mut ida, mut system) = (started(&setup), ball());
    // The fall ends at 0.4515 s; the last step before passes it.
    while ida.step(&mut system, Some(0.4514)).unwrap().time() < 0.4514 {}
    let history = copied(&ida.history().unwrap());
    let mut other = Ida::new();
    other.resume(&setup.start(), &history, &mut ball()).unwrap();
    let roots = [&mut ida, &mut other].map(|ida| {
        loop {
            if let StepOutcome::Root { t } = ida.step(&mut ball(), None).unwrap() {
                break (t.to_bits(), ida.root_directions().to_vec());
            }
        }
    });
    assert_eq!(roots[0], roots[1]);
    assert_eq!(roots[0].1, [-1]);
}

#[test]
fn histories_of_other_problems_are_refused() {
    let mut ida = Ida::new();
    assert!(matches!(ida.history(), Err(IntegratorError::Misuse(_))));
    let setup = Setup::new(&[1.0, 0.0], &[0.0, -9.81], 1e-8).with_roots(1);
    let mut ida = started(&setup);
    ida.step(&mut ball(), None).unwrap();
    let history = ida.history().unwrap();
    let other = Setup::new(&[1.0, 0.0], &[0.0, -1.0], 1e-8);
    let error = Ida::new().resume(&other.start(), &history, &mut oscillator()).unwrap_err();
    assert!(error.to_string().contains("another size"), "{error}");
    let read = History::try_from(&history).unwrap();
    let changed = |text| integrator::History::try_from(&serde_json::from_value::<History>(text).unwrap()).unwrap();
    let mut text = serde_json::to_value(&read).unwrap();
    text["record"]["vectors"].as_array_mut().unwrap().pop();
    let error = ida.resume(&setup.start(), &changed(text), &mut ball()).unwrap_err();
    assert!(error.to_string().contains("another size"), "{error}");
    for (start, end, exponent) in [(0, 3, 1), (2, 1, 1), (0, 1, -1), (0, 1, 2000)] {
        let mut text = serde_json::to_value(&read).unwrap();
        text["relaxation"] = serde_json::json!({ "range": { "start": start, "end": end }, "exponent": exponent });
        let error = ida.resume(&setup.start(), &changed(text), &mut ball()).unwrap_err();
        assert!(error.to_string().contains("another size"), "{start}..{end}, {exponent}: {error}");
    }
    let bytes = &history.0;
    for strange in [&[][..], &bytes[1..], &bytes[..bytes.len() - 1], &[bytes, &[0][..]].concat()] {
        let error = ida.resume(&setup.start(), &integrator::History(strange.to_vec()), &mut ball()).unwrap_err();
        assert!(error.to_string().contains("the saved history cannot be used"), "{error}");
    }
    ida.resume(&setup.start(), &history, &mut ball()).unwrap();
    ida.step(&mut ball(), None).unwrap();
}
