//! Life-cycle states, and which function may be called in which (FMI 2.0.4, section 4.2.4).

/// Life-cycle state of a co-simulation instance.
///
/// The standard's states StepInProgress and StepCanceled cannot occur: steps are synchronous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Between instantiation (or reset) and initialization mode.
    Instantiated,
    /// Between entering and leaving initialization mode.
    InitializationMode,
    /// Ready for the next step.
    StepComplete,
    /// The last step was discarded.
    StepFailed,
    /// After `fmi2Terminate`.
    Terminated,
    /// The model failed; reset, restore or free.
    Error,
    /// The model broke; free.
    Fatal,
}

impl Phase {
    /// All states.
    pub const ALL: [Phase; 7] = [
        Phase::Instantiated,
        Phase::InitializationMode,
        Phase::StepComplete,
        Phase::StepFailed,
        Phase::Terminated,
        Phase::Error,
        Phase::Fatal,
    ];

    /// In words, to follow "in".
    pub fn words(self) -> &'static str {
        match self {
            Phase::Instantiated => "state \"instantiated\" (before fmi2EnterInitializationMode)",
            Phase::InitializationMode => "initialization mode",
            Phase::StepComplete => "state \"step complete\" (after initialization)",
            Phase::StepFailed => "state \"step failed\" (the last fmi2DoStep was discarded)",
            Phase::Terminated => "state \"terminated\" (after fmi2Terminate)",
            Phase::Error => "state \"error\" (an earlier call failed)",
            Phase::Fatal => "state \"fatal\" (an earlier call broke the instance)",
        }
    }
}

/// A set of life-cycle states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phases(u8);

impl Phases {
    /// No state.
    pub const NONE: Phases = Phases(0);

    const fn of(phases: &[Phase]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < phases.len() {
            bits |= 1 << phases[at] as u8;
            at += 1;
        }
        Phases(bits)
    }

    /// The set, with `phase` added under a condition.
    #[must_use]
    pub const fn and_if(self, condition: bool, phase: Phase) -> Self {
        Phases(self.0 | (condition as u8) << phase as u8)
    }

    /// Whether `phase` is in the set.
    pub const fn contains(self, phase: Phase) -> bool {
        self.0 & (1 << phase as u8) != 0
    }
}

/// A function of the C interface that acts on an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // The names are those of the standard.
pub enum Function {
    SetDebugLogging,
    SetupExperiment,
    EnterInitializationMode,
    ExitInitializationMode,
    Terminate,
    Reset,
    GetReal,
    GetInteger,
    GetBoolean,
    GetString,
    SetReal,
    SetInteger,
    SetBoolean,
    SetString,
    GetFMUstate,
    SetFMUstate,
    FreeFMUstate,
    SerializedFMUstateSize,
    SerializeFMUstate,
    DeSerializeFMUstate,
    GetDirectionalDerivative,
    SetRealInputDerivatives,
    GetRealOutputDerivatives,
    DoStep,
    CancelStep,
    GetStatus,
    GetRealStatus,
    GetIntegerStatus,
    GetBooleanStatus,
    GetStringStatus,
}

const ALIVE: Phases = Phases::of(&[
    Phase::Instantiated,
    Phase::InitializationMode,
    Phase::StepComplete,
    Phase::StepFailed,
    Phase::Terminated,
    Phase::Error,
]);
const READABLE: Phases =
    Phases::of(&[Phase::InitializationMode, Phase::StepComplete, Phase::StepFailed, Phase::Terminated, Phase::Error]);
const SETTABLE: Phases = Phases::of(&[Phase::Instantiated, Phase::InitializationMode, Phase::StepComplete]);
const STEPPED: Phases = Phases::of(&[Phase::StepComplete, Phase::StepFailed, Phase::Terminated]);
const DIFFERENTIABLE: Phases = Phases::of(&[Phase::StepComplete, Phase::StepFailed, Phase::Terminated, Phase::Error]);

impl Function {
    /// Name in the C interface.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// States in which the call is legal.
    pub const fn allowed(self) -> Phases {
        self.row().1
    }

    /// Whether the call stores or frees states for the host.
    pub(crate) const fn is_about_states(self) -> bool {
        matches!(
            self,
            Function::GetFMUstate
                | Function::FreeFMUstate
                | Function::SerializedFMUstateSize
                | Function::SerializeFMUstate
                | Function::DeSerializeFMUstate
        )
    }

    /// The table.
    const fn row(self) -> (&'static str, Phases) {
        match self {
            Function::SetDebugLogging => ("fmi2SetDebugLogging", ALIVE),
            Function::SetupExperiment => ("fmi2SetupExperiment", Phases::of(&[Phase::Instantiated])),
            Function::EnterInitializationMode => ("fmi2EnterInitializationMode", Phases::of(&[Phase::Instantiated])),
            Function::ExitInitializationMode => {
                ("fmi2ExitInitializationMode", Phases::of(&[Phase::InitializationMode]))
            }
            Function::Terminate => ("fmi2Terminate", Phases::of(&[Phase::StepComplete, Phase::StepFailed])),
            Function::Reset => ("fmi2Reset", ALIVE),
            Function::GetReal => ("fmi2GetReal", READABLE),
            Function::GetInteger => ("fmi2GetInteger", READABLE),
            Function::GetBoolean => ("fmi2GetBoolean", READABLE),
            Function::GetString => ("fmi2GetString", READABLE),
            Function::SetReal => ("fmi2SetReal", SETTABLE),
            Function::SetInteger => ("fmi2SetInteger", SETTABLE),
            Function::SetBoolean => ("fmi2SetBoolean", SETTABLE),
            Function::SetString => ("fmi2SetString", SETTABLE),
            Function::GetFMUstate => ("fmi2GetFMUstate", ALIVE),
            Function::SetFMUstate => ("fmi2SetFMUstate", ALIVE),
            Function::FreeFMUstate => ("fmi2FreeFMUstate", ALIVE),
            Function::SerializedFMUstateSize => ("fmi2SerializedFMUstateSize", ALIVE),
            Function::SerializeFMUstate => ("fmi2SerializeFMUstate", ALIVE),
            Function::DeSerializeFMUstate => ("fmi2DeSerializeFMUstate", ALIVE),
            Function::GetDirectionalDerivative => ("fmi2GetDirectionalDerivative", READABLE),
            Function::SetRealInputDerivatives => ("fmi2SetRealInputDerivatives", SETTABLE),
            Function::GetRealOutputDerivatives => ("fmi2GetRealOutputDerivatives", DIFFERENTIABLE),
            Function::DoStep => ("fmi2DoStep", Phases::of(&[Phase::StepComplete])),
            Function::CancelStep => ("fmi2CancelStep", Phases::NONE),
            Function::GetStatus => ("fmi2GetStatus", STEPPED),
            Function::GetRealStatus => ("fmi2GetRealStatus", STEPPED),
            Function::GetIntegerStatus => ("fmi2GetIntegerStatus", STEPPED),
            Function::GetBooleanStatus => ("fmi2GetBooleanStatus", STEPPED),
            Function::GetStringStatus => ("fmi2GetStringStatus", STEPPED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_allowed_after_a_fatal_error() {
        for function in [Function::Reset, Function::GetReal, Function::GetFMUstate, Function::SetDebugLogging] {
            assert!(!function.allowed().contains(Phase::Fatal), "{}", function.name());
        }
    }

    #[test]
    fn a_step_follows_a_complete_step_only() {
        let legal: Vec<Phase> =
            Phase::ALL.into_iter().filter(|phase| Function::DoStep.allowed().contains(*phase)).collect();
        assert_eq!(legal, [Phase::StepComplete]);
    }
}
