//! SUNDIALS prints nothing, whatever fails and whatever the environment asks for.
//!
//! The program starts itself as a child that lets integrations fail, and checks the child's two streams.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::process::Command;

use common::{Problem, Setup, decay};
use mbs::dynamics::EvaluationError;
use mbs::simulation::integrator::{Integrator, StepOutcome};
use mbs_ida::Ida;

const CHILD: &str = "--fail-in-silence";

fn main() {
    if std::env::args().any(|argument| argument == CHILD) {
        return fail_in_many_ways();
    }
    let folder = std::env::temp_dir().join(format!("mbs-ida-silence-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    expect_silence("stderr", false);
    expect_silence(folder.join("log").to_str().unwrap(), false);
    expect_silence("/nonexistent/folder/log", true);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "a log file was written");
    std::fs::remove_dir(&folder).unwrap();
}

/// Runs the child with all loggers directed to `target`.
fn expect_silence(target: &str, profiler: bool) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    for level in ["ERROR", "WARNING", "INFO", "DEBUG"] {
        child.env(format!("SUNLOGGER_{level}_FILENAME"), target);
    }
    if profiler {
        child.env("SUNPROFILER_PRINT", "1");
    }
    let output = child.arg(CHILD).output().unwrap();
    assert!(output.status.success(), "the child failed: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "standard error, loggers to {target}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "standard output, loggers to {target}");
}

/// Every failure must happen, with a message.
fn fail_in_many_ways() {
    let mut blows_up = Problem::new(
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
    expect_failure(&mut blows_up, 0);
    expect_failure(&mut Problem::new(1, |_, _, _, _| refuse(), |_, _, _, _, _| refuse()), 0);
    expect_failure(
        &mut Problem::new(
            1,
            |_, _, _, r| {
                r.fill(1.0);
                Ok(())
            },
            |_, _, _, _, _| refuse(),
        ),
        0,
    );
    expect_failure(&mut decay(1.0).with_roots(1, |_, _, _, _| refuse()), 1);
    zero_root_function();
    let mut ida = Ida::new();
    let mut setup = Setup::new(&[1.0], &[0.0], 1e-6);
    setup.relative_tolerance = 1e-30;
    setup.absolute_tolerance = vec![1e-30];
    ida.restart(&setup.start()).unwrap();
    assert!(ida.step(&mut decay(0.0), None).unwrap_err().to_string().contains("tolerances"));
}

fn refuse() -> Result<(), EvaluationError> {
    Err(EvaluationError::Fatal("no".to_owned()))
}

fn expect_failure(system: &mut Problem<'_>, num_roots: usize) {
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[1.0], &[1.0], 1e-6).with_roots(num_roots).start()).unwrap();
    let error = loop {
        if let Err(error) = ida.step(system, Some(10.0)) {
            break error;
        }
    };
    assert!(error.to_string().contains("IDA_") || error.to_string().contains("resolution"), "{error}");
}

/// IDA would warn about a root function that is zero from the start, and fail when one stays zero after its root.
fn zero_root_function() {
    let mut system = decay(1.0).with_roots(2, |t, _, _, g| {
        (g[0], g[1]) = (0.0, (0.5 - t).max(0.0));
        Ok(())
    });
    let mut ida = Ida::new();
    ida.restart(&Setup::new(&[1.0], &[-1.0], 1e-6).with_roots(2).start()).unwrap();
    let error = loop {
        match ida.step(&mut system, Some(2.0)) {
            Err(error) => break error,
            Ok(outcome) => assert!(!matches!(outcome, StepOutcome::Limit { .. }), "the second root was not found"),
        }
    };
    assert!(error.to_string().contains("ear t ="), "{error}");
}
