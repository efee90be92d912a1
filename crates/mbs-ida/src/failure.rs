//! From IDA's flags to errors in words.

use std::ffi::c_int;

use mbs::dynamics::EvaluationError;
use mbs::simulation::integrator::IntegratorError;
use sundials_sys as ida;

use crate::sundials::{Progress, Refusal};

/// Name and meaning of a failure flag of IDA.
fn meaning(flag: c_int) -> (&'static str, &'static str) {
    match flag {
        ida::IDA_TOO_MUCH_ACC => {
            ("IDA_TOO_MUCH_ACC", "the tolerances ask for more than the floating point numbers can give; enlarge them")
        }
        ida::IDA_ERR_FAIL => (
            "IDA_ERR_FAIL",
            "the error test failed repeatedly; the solution jumps here or the start values are inconsistent",
        ),
        ida::IDA_CONV_FAIL => ("IDA_CONV_FAIL", "the Newton iteration did not converge, however small the step"),
        ida::IDA_LSETUP_FAIL => ("IDA_LSETUP_FAIL", "the Newton matrix could not be formed"),
        ida::IDA_LSOLVE_FAIL => ("IDA_LSOLVE_FAIL", "the Newton system could not be solved"),
        ida::IDA_RES_FAIL => ("IDA_RES_FAIL", "the residual could not be evaluated"),
        ida::IDA_REP_RES_ERR => ("IDA_REP_RES_ERR", "the residual could not be evaluated, however small the step"),
        ida::IDA_RTFUNC_FAIL => ("IDA_RTFUNC_FAIL", "a root function could not be evaluated"),
        ida::IDA_MEM_FAIL => ("IDA_MEM_FAIL", "memory ran out"),
        ida::IDA_ILL_INPUT => ("IDA_ILL_INPUT", "IDA refused its input"),
        _ => ("an unusual flag", "IDA failed"),
    }
}

/// Whether the flag reports a failure of the model.
fn is_model_failure(flag: c_int) -> bool {
    let flags =
        [ida::IDA_RES_FAIL, ida::IDA_REP_RES_ERR, ida::IDA_RTFUNC_FAIL, ida::IDA_LSETUP_FAIL, ida::IDA_LSOLVE_FAIL];
    flags.contains(&flag)
}

/// Describes the flag, with IDA's name and message.
fn describe(flag: c_int, message: &str) -> String {
    let (name, words) = meaning(flag);
    let separator = if message.is_empty() { "" } else { ": " };
    format!("{words} ({name} = {flag}{separator}{message})")
}

/// The error of a failed step: IDA's flag and message, and the model's last complaint during that step.
pub(crate) fn of_step(
    flag: c_int,
    message: &str,
    problem: Option<EvaluationError>,
    progress: &Progress,
) -> IntegratorError {
    let cause = describe(flag, message);
    let (t, h) = (progress.t, progress.next_step);
    match problem {
        Some(EvaluationError::Fatal(own)) if is_model_failure(flag) => {
            IntegratorError::Evaluation { t, error: EvaluationError::Fatal(format!("{own}; {cause}")) }
        }
        Some(EvaluationError::Recoverable(own)) if is_model_failure(flag) => {
            IntegratorError::Evaluation { t, error: EvaluationError::Recoverable(format!("{own}; {cause}")) }
        }
        Some(own) => IntegratorError::StepFailed { t, h, message: format!("{cause}; the model reported: {own}") },
        None => IntegratorError::StepFailed { t, h, message: cause },
    }
}

/// The error of a step so small that time stands still, mostly because the model refused every larger one.
pub(crate) fn of_standstill(problem: Option<EvaluationError>, progress: &Progress) -> IntegratorError {
    let cause = "the step size has fallen below the resolution of time";
    match problem {
        Some(own) => {
            let error = EvaluationError::Recoverable(format!("{own}; {cause}"));
            IntegratorError::Evaluation { t: progress.t, error }
        }
        None => {
            let message = format!("{cause}; the solution is singular here");
            IntegratorError::StepFailed { t: progress.t, h: progress.last_step, message }
        }
    }
}

/// The error of a refused start.
pub(crate) fn of_start(refusal: &Refusal) -> IntegratorError {
    IntegratorError::InvalidStart(format!("{} in {}", describe(refusal.flag, &refusal.message), refusal.function))
}

/// The error of a refused interpolation.
pub(crate) fn of_interpolation(refusal: &Refusal) -> IntegratorError {
    IntegratorError::Misuse(format!("{} in {}", describe(refusal.flag, &refusal.message), refusal.function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_names_the_flag_in_words_and_keeps_both_messages() {
        let progress = Progress { t: 2.5, next_step: 1e-7, ..Progress::default() };
        let problem = Some(EvaluationError::Recoverable("tyre off the road".to_owned()));
        let text =
            of_step(ida::IDA_REP_RES_ERR, "repeated recoverable residual errors", problem, &progress).to_string();
        for part in
            ["t = 2.5 s", "tyre off the road", "however small the step", "IDA_REP_RES_ERR", "repeated recoverable"]
        {
            assert!(text.contains(part), "{part:?} is missing in {text:?}");
        }
    }

    #[test]
    fn a_standstill_names_the_complaint_of_the_model_if_there_was_one() {
        let own = Some(EvaluationError::Recoverable("tyre off the road".to_owned()));
        assert!(of_standstill(own, &Progress::default()).to_string().contains("tyre off the road"));
        assert!(of_standstill(None, &Progress::default()).to_string().contains("singular"));
    }

    #[test]
    fn a_failed_error_test_does_not_blame_the_model() {
        let error = of_step(ida::IDA_ERR_FAIL, "", None, &Progress::default());
        assert!(matches!(error, IntegratorError::StepFailed { .. }), "{error}");
        assert!(error.to_string().ends_with("(IDA_ERR_FAIL = -3)"), "{error}");
    }
}
