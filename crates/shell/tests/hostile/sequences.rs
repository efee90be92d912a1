//! Random sequences of calls with random values. Nothing may panic (`fmi2Fatal`), crash or hang; a step that succeeds
//! arrives; and whatever was done, a reset makes the instance as good as new, bit by bit.

use std::ffi::c_char;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use fmi2::Status;
use fmi2::c_api::FMUstate;
use mbfmu_shell::fmi2_functions as api;
use proptest::prelude::*;

use crate::host::{Fmu, model, short_run};

/// One call.
#[derive(Debug, Clone)]
enum Call {
    Setup(Option<f64>, f64, Option<f64>),
    Enter,
    Exit,
    SetReal(Vec<(u32, f64)>),
    GetReal(Vec<u32>),
    SetInteger(u32, i32),
    GetInteger(u32),
    SetBoolean(u32, i32),
    GetBoolean(u32),
    SetString(u32),
    InputDerivative(u32, i32, f64),
    OutputDerivative(u32, i32),
    Directional(Vec<u32>, Vec<(u32, f64)>),
    Step(f64, f64),
    Save(usize),
    Restore(usize),
    FreeState(usize),
    Serialize(usize, i64),
    Deserialize(usize, Option<(usize, u8)>, usize),
    Reset,
    Terminate,
    Cancel,
    Status(u32),
    Logging(i32, usize),
    NullArrays,
}

fn nasty() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -2.0..2.0_f64,
        2 => -200.0..200.0_f64,
        1 => prop::sample::select(vec![
            0.0, -0.0, 1.0, 1e-15, 5e-324, 1e-300, 1e300, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.05,
        ]),
    ]
}

/// Value references, mostly of variables that exist.
fn variable() -> impl Strategy<Value = u32> {
    let all = model().interface.variables.len() as u32;
    prop_oneof![20 => 0..all, 1 => all..all + 3, 1 => Just(u32::MAX)]
}

fn sizes() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => 1e-4..0.05_f64,
        1 => prop::sample::select(vec![0.0, -0.01, 1e-15, 1e-300, 1e-9, 0.2, f64::NAN, f64::INFINITY]),
    ]
}

fn values() -> impl Strategy<Value = Call> {
    prop_oneof![
        prop::collection::vec((variable(), nasty()), 0..3).prop_map(Call::SetReal),
        prop::collection::vec(variable(), 0..4).prop_map(Call::GetReal),
        (variable(), -2..6_i32).prop_map(|(k, value)| Call::SetInteger(k, value)),
        variable().prop_map(Call::GetInteger),
        (variable(), -1..3_i32).prop_map(|(k, value)| Call::SetBoolean(k, value)),
        variable().prop_map(Call::GetBoolean),
        variable().prop_map(Call::SetString),
        (variable(), prop_oneof![8 => 0..4_i32, 1 => Just(i32::MAX), 1 => Just(-1)], nasty())
            .prop_map(|(k, order, value)| Call::InputDerivative(k, order, value)),
        (variable(), 0..3_i32).prop_map(|(k, order)| Call::OutputDerivative(k, order)),
        (prop::collection::vec(variable(), 0..3), prop::collection::vec((variable(), nasty()), 0..3))
            .prop_map(|(unknowns, knowns)| Call::Directional(unknowns, knowns)),
    ]
}

fn states() -> impl Strategy<Value = Call> {
    prop_oneof![
        (0..3_usize).prop_map(Call::Save),
        (0..3_usize).prop_map(Call::Restore),
        (0..3_usize).prop_map(Call::FreeState),
        (0..3_usize, -2..3_i64).prop_map(|(slot, extra)| Call::Serialize(slot, extra)),
        (0..3_usize, prop::option::weighted(0.5, (any::<usize>(), 0..8_u8)), 0..4_usize)
            .prop_map(|(slot, flip, cut)| Call::Deserialize(slot, flip, cut)),
    ]
}

fn life() -> impl Strategy<Value = Call> {
    let tolerance = prop::option::of(prop_oneof![4 => 1e-8..1e-2_f64, 1 => nasty()]);
    prop_oneof![
        1 => (tolerance, nasty(), prop::option::of(nasty())).prop_map(|(r, t0, t1)| Call::Setup(r, t0, t1)),
        4 => Just(Call::Enter),
        4 => Just(Call::Exit),
        1 => Just(Call::Reset),
        1 => Just(Call::Terminate),
        1 => Just(Call::Cancel),
        1 => (0..6_u32).prop_map(Call::Status),
        1 => (0..2_i32, 0..12_usize).prop_map(|(on, category)| Call::Logging(on, category)),
        1 => Just(Call::NullArrays),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let step = (prop_oneof![12 => Just(0.0), 1 => nasty()], sizes()).prop_map(|(off, size)| Call::Step(off, size));
    prop_oneof![5 => values(), 4 => states(), 3 => life(), 6 => step]
}

/// What the host keeps between calls.
#[derive(Default)]
struct Kept {
    states: [usize; 3],
    bytes: Vec<u8>,
}

fn pointer(handle: usize) -> FMUstate {
    std::ptr::without_provenance_mut(handle)
}

/// Makes one call; the answers are judged.
fn perform(fmu: &Fmu, kept: &mut Kept, call: &Call) -> Status {
    let c = fmu.0;
    // SAFETY: all arrays have the lengths given and live during the calls.
    unsafe {
        match call {
            Call::Setup(tolerance, start, stop) => {
                let (defined, stop_defined) = (i32::from(tolerance.is_some()), i32::from(stop.is_some()));
                let (tolerance, stop) = (tolerance.unwrap_or(0.0), stop.unwrap_or(0.0));
                api::fmi2SetupExperiment(c, defined, tolerance, *start, stop_defined, stop)
            }
            Call::Enter => api::fmi2EnterInitializationMode(c),
            Call::Exit => api::fmi2ExitInitializationMode(c),
            Call::SetReal(pairs) => {
                let (references, values): (Vec<u32>, Vec<f64>) = pairs.iter().copied().unzip();
                api::fmi2SetReal(c, references.as_ptr(), references.len(), values.as_ptr())
            }
            Call::GetReal(references) => {
                let mut values = vec![f64::NAN; references.len()];
                let status = api::fmi2GetReal(c, references.as_ptr(), references.len(), values.as_mut_ptr());
                assert!(status != Status::Ok || values.iter().all(|value| value.is_finite()));
                status
            }
            Call::SetInteger(k, value) => api::fmi2SetInteger(c, k, 1, value),
            Call::GetInteger(k) => api::fmi2GetInteger(c, k, 1, &raw mut *Box::new(0)),
            Call::SetBoolean(k, value) => api::fmi2SetBoolean(c, k, 1, value),
            Call::GetBoolean(k) => {
                let mut value = 7;
                let status = api::fmi2GetBoolean(c, k, 1, &raw mut value);
                assert!(status != Status::Ok || value == 0 || value == 1);
                status
            }
            Call::SetString(k) => api::fmi2SetString(c, k, 1, &c"text".as_ptr()),
            Call::InputDerivative(k, order, value) => api::fmi2SetRealInputDerivatives(c, k, 1, order, value),
            Call::OutputDerivative(k, order) => {
                let mut value = f64::NAN;
                let status = api::fmi2GetRealOutputDerivatives(c, k, 1, order, &raw mut value);
                assert!(status != Status::Ok || value.is_finite());
                status
            }
            Call::Directional(unknowns, knowns) => {
                let (knowns, seed): (Vec<u32>, Vec<f64>) = knowns.iter().copied().unzip();
                let mut result = vec![f64::NAN; unknowns.len()];
                let (n, m) = (unknowns.len(), knowns.len());
                let (seed, out) = (seed.as_ptr(), result.as_mut_ptr());
                let status = api::fmi2GetDirectionalDerivative(c, unknowns.as_ptr(), n, knowns.as_ptr(), m, seed, out);
                assert!(status != Status::Ok || result.iter().all(|value| value.is_finite()));
                status
            }
            Call::Step(offset, size) => step(fmu, *offset, *size),
            Call::Save(slot) => {
                let mut state = pointer(kept.states[*slot]);
                let status = api::fmi2GetFMUstate(c, &raw mut state);
                kept.states[*slot] = state as usize;
                status
            }
            Call::Restore(slot) => api::fmi2SetFMUstate(c, pointer(kept.states[*slot])),
            Call::FreeState(slot) => {
                let mut state = pointer(kept.states[*slot]);
                let status = api::fmi2FreeFMUstate(c, &raw mut state);
                kept.states[*slot] = state as usize;
                status
            }
            Call::Serialize(slot, extra) => {
                let mut size = 0;
                let status = api::fmi2SerializedFMUstateSize(c, pointer(kept.states[*slot]), &raw mut size);
                if status != Status::Ok {
                    return status;
                }
                let given = size.saturating_add_signed(*extra as isize);
                kept.bytes = vec![0xAA; given];
                let target = kept.bytes.as_mut_ptr().cast::<c_char>();
                let status = api::fmi2SerializeFMUstate(c, pointer(kept.states[*slot]), target, given);
                assert_eq!(status == Status::Ok, given >= size);
                status
            }
            Call::Deserialize(slot, flip, cut) => {
                let mut bytes = kept.bytes.clone();
                if let (Some((at, bit)), false) = (flip, bytes.is_empty()) {
                    let at = at % bytes.len();
                    bytes[at] ^= 1 << bit;
                }
                bytes.truncate(bytes.len().saturating_sub(*cut));
                let mut state = pointer(kept.states[*slot]);
                let status = api::fmi2DeSerializeFMUstate(c, bytes.as_ptr().cast(), bytes.len(), &raw mut state);
                kept.states[*slot] = state as usize;
                status
            }
            Call::Reset => api::fmi2Reset(c),
            Call::Terminate => api::fmi2Terminate(c),
            Call::Cancel => api::fmi2CancelStep(c),
            Call::Status(kind) => {
                let (mut status, mut real, mut integer, mut text) = (Status::Ok, 0.0, 0, null());
                api::fmi2GetStatus(c, *kind, &raw mut status);
                api::fmi2GetRealStatus(c, *kind, &raw mut real);
                api::fmi2GetIntegerStatus(c, *kind, &raw mut integer);
                api::fmi2GetBooleanStatus(c, *kind, &raw mut integer);
                api::fmi2GetStringStatus(c, *kind, &raw mut text)
            }
            Call::Logging(on, category) => {
                let names = &model().interface.description.log_categories;
                let name = names.get(*category).map_or("logNothing", |category| &category.name);
                let name = std::ffi::CString::new(name).unwrap();
                api::fmi2SetDebugLogging(c, *on, 1, &name.as_ptr())
            }
            Call::NullArrays => {
                api::fmi2GetReal(c, null(), 3, null_mut());
                api::fmi2SetReal(c, null(), usize::MAX, null());
                api::fmi2SetRealInputDerivatives(c, null(), 1, null(), null());
                api::fmi2GetFMUstate(c, null_mut());
                api::fmi2GetReal(c, null(), 0, null_mut())
            }
        }
    }
}

/// Steps from where the instance stands, or beside it.
fn step(fmu: &Fmu, offset: f64, size: f64) -> Status {
    let mut now = 0.0;
    let known = unsafe { api::fmi2GetRealStatus(fmu.0, 2, &raw mut now) } == Status::Ok;
    let status = fmu.step(now + offset, size);
    if status == Status::Ok {
        let reached = fmu.last_successful_time();
        assert!(known && (reached - now - size).abs() <= 1e-8 * (1.0 + now.abs()), "{now} + {size} = {reached}");
        assert_eq!(fmu.get("time"), reached);
    }
    status
}

fn as_new() -> &'static Vec<u64> {
    static BITS: OnceLock<Vec<u64>> = OnceLock::new();
    BITS.get_or_init(|| short_run(&Fmu::new()))
}

fn settings() -> ProptestConfig {
    let cases = std::env::var("FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 2000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn no_sequence_of_calls_breaks_an_instance(
        initialized in prop::bool::weighted(0.8),
        calls in prop::collection::vec(call(), 1..60),
    ) {
        let fmu = if initialized { Fmu::initialized() } else { Fmu::new() };
        let mut kept = Kept::default();
        for call in &calls {
            let status = perform(&fmu, &mut kept, call);
            prop_assert!(status <= Status::Error, "{call:?} answers {status:?}");
        }
        prop_assert_eq!(unsafe { api::fmi2Reset(fmu.0) }, Status::Ok);
        prop_assert_eq!(&short_run(&fmu), as_new());
    }
}
