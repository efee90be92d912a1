//! The probe model: an integrator x' = gain * u that misbehaves on request.

use std::sync::Arc;

use fmi2::description::{
    AnnotationElement, DefaultExperiment, EnumerationItem, LogCategory, ModelDescription, ScalarVariable, SimpleType,
    SimpleTypeKind, ToolAnnotation, Unknown,
};
use fmi2::{CoSimulation, Experiment, Failure, Instantiation, Interface, Log, Outcome, Step, StepOutcome};

/// GUID of the probe.
pub const GUID: &str = "{probe-1}";

/// Slots of some Reals.
mod real {
    pub const U: u32 = 3;
    pub const X: u32 = 4;
    pub const DER_X: u32 = 5;
}

/// What the probe can be told to do wrong, as values of `mischief`.
pub mod mischief {
    pub(super) const NONE: i32 = 0;
    /// The step ends half-way.
    pub const STOP_HALF_WAY: i32 = 1;
    /// The step ends half-way and the simulation should end.
    pub const TERMINATE: i32 = 2;
    /// The step is discarded as a whole.
    pub const DISCARD: i32 = 3;
    /// The step fails.
    pub const ERROR: i32 = 4;
    /// The step panics.
    pub const PANIC: i32 = 5;
    /// The output is not a number.
    pub const NAN: i32 = 6;
    /// Dropping the instance panics.
    pub const PANIC_IN_DROP: i32 = 7;
    /// The step logs and warns.
    pub const TALK: i32 = 8;
    /// The step is fatal.
    pub const FATAL: i32 = 9;
}

/// Everything a state holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    reals: [f64; 6],
    slope_of_u: f64,
    mischief: i32,
    steps: i32,
    hold: bool,
    label: String,
}

/// The model.
#[derive(Debug)]
pub struct Probe {
    numbers: Numbers,
    interface: Arc<Interface>,
    resources: String,
}

/// The description of the probe.
pub fn description() -> ModelDescription {
    let mut model = ModelDescription::new("Probe <of> \"fmi2\"", "probe", GUID);
    model.description = Some("Integrator that misbehaves on request".to_owned());
    model.generation_tool = Some("fmi2 tests".to_owned());
    let flags = &mut model.co_simulation;
    flags.can_interpolate_inputs = true;
    flags.max_output_derivative_order = 1;
    flags.can_get_and_set_fmu_state = true;
    flags.can_serialize_fmu_state = true;
    flags.provides_directional_derivative = true;
    model.log_categories.push(LogCategory::new("logEvents", "Events"));
    let times =
        DefaultExperiment { start_time: Some(0.0), stop_time: Some(1.0), tolerance: Some(1e-6), step_size: Some(0.1) };
    model.default_experiment = times;
    model.types.push(mode_type());
    model.vendor_annotations.push(annotation());
    add_variables(&mut model);
    model
}

fn mode_type() -> SimpleType {
    let item = |name: &str, value| EnumerationItem { name: name.to_owned(), value, description: None };
    let kind = SimpleTypeKind::Enumeration(vec![item("slow", 1), item("fast", 2)]);
    SimpleType { name: "Mode".to_owned(), description: None, kind }
}

fn annotation() -> ToolAnnotation {
    let attributes = vec![("colour".to_owned(), "#fff & more".to_owned())];
    let content = AnnotationElement { name: "look".to_owned(), attributes, ..AnnotationElement::default() };
    ToolAnnotation { tool: "viewer".to_owned(), content: Some(content) }
}

#[allow(clippy::expect_used)] // The units are constants; a test reads this description.
fn add_variables(model: &mut ModelDescription) {
    model.add(ScalarVariable::time());
    model.add(ScalarVariable::real("gain").tunable_parameter().unit("1/s").real_range(0.0, 10.0).start_real(1.0));
    let length = ScalarVariable::real("arm.length").fixed_parameter().unit("m").display_unit("mm");
    model.add(length.real_range(0.1, f64::INFINITY).start_real(0.5));
    let u = model.add(ScalarVariable::real("u").input().unit("m").start_real(1.0).nominal(0.1));
    let x = model.add(ScalarVariable::real("x").output().unit("m"));
    let der_x = model.add(ScalarVariable::real("der(x)").unit("m/s").derivative_of(x));
    model.add(ScalarVariable::integer("mischief").tunable_parameter().integer_range(0, 9).start_integer(0));
    let steps = model.add(ScalarVariable::integer("steps").output().describe("Number of steps\nso far"));
    model.add(ScalarVariable::boolean("hold").input().start_boolean(false));
    model.add(ScalarVariable::string("label").tunable_parameter().start_string("probe"));
    let resources = model.add(ScalarVariable::string("resources").output());
    model.structure.outputs = vec![Unknown::depends_on(x, [u]), Unknown::depends_on(steps, [])];
    model.structure.derivatives = vec![Unknown::depends_on(der_x, [u])];
    model.structure.outputs.push(Unknown::depends_on_everything(resources));
    model.define_units().expect("known units");
    model.complete_structure();
}

impl Numbers {
    fn start() -> Self {
        Self {
            reals: [0.0, 1.0, 0.5, 1.0, 0.0, 1.0],
            slope_of_u: 0.0,
            mischief: mischief::NONE,
            steps: 0,
            hold: false,
            label: "probe".to_owned(),
        }
    }

    fn update(&mut self) {
        self.reals[5] = if self.hold { 0.0 } else { self.reals[1] * self.reals[3] };
    }

    fn advance(&mut self, start: f64, end: f64) {
        let h = end - start;
        self.update();
        let gain = if self.hold { 0.0 } else { self.reals[1] };
        self.reals[4] += self.reals[5] * h + 0.5 * gain * self.slope_of_u * h * h;
        self.reals[0] = end;
        self.steps += 1;
        self.slope_of_u = 0.0;
    }

    fn to_bytes(&self, bytes: &mut Vec<u8>) {
        for number in self.reals.iter().chain([&self.slope_of_u]) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.mischief.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        bytes.push(u8::from(self.hold));
        bytes.extend(self.label.as_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let real = |at: usize| Some(f64::from_le_bytes(bytes.get(8 * at..8 * at + 8)?.try_into().ok()?));
        let whole = |at: usize| Some(i32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let label = std::str::from_utf8(bytes.get(65..)?).ok()?.to_owned();
        let reals = [real(0)?, real(1)?, real(2)?, real(3)?, real(4)?, real(5)?];
        let hold = *bytes.get(64)? != 0;
        Some(Self { reals, slope_of_u: real(6)?, mischief: whole(56)?, steps: whole(60)?, hold, label })
    }
}

impl Probe {
    /// Panics when the label says that this method of [`CoSimulation`] should.
    fn may_panic(&self, method: &str) {
        if self.numbers.label.strip_prefix("panic in ") == Some(method) {
            panic_now();
        }
    }
}

impl CoSimulation for Probe {
    type State = Numbers;

    fn instantiate(setup: &Instantiation, log: &mut Log) -> Outcome<Self> {
        if setup.instance_name == "refuse me" {
            return Err(Failure::error("the probe does not like its name"));
        }
        if setup.instance_name == "panic" {
            panic_now();
        }
        log.info("logEvents", "instantiated");
        let found = setup.find_resource("probe.txt").map(|path| path.display().to_string());
        Ok(Self {
            numbers: Numbers::start(),
            interface: Arc::new(Interface::new(&description())),
            resources: found.unwrap_or_else(|| format!("{:?}", setup.resources)),
        })
    }

    fn interface(&self) -> Arc<Interface> {
        Arc::clone(&self.interface)
    }

    fn enter_initialization(&mut self, experiment: &Experiment, _log: &mut Log) -> Outcome {
        self.may_panic("enter_initialization");
        self.numbers.reals[0] = experiment.start;
        Ok(())
    }

    fn exit_initialization(&mut self, _log: &mut Log) -> Outcome {
        self.may_panic("exit_initialization");
        self.numbers.update();
        Ok(())
    }

    fn do_step(&mut self, step: &Step, log: &mut Log) -> Outcome<StepOutcome> {
        self.may_panic("do_step");
        let half = 0.5 * (step.start + step.end);
        let stopped = |terminate| StepOutcome::Stopped { time: half, terminate, reason: "asked to stop".to_owned() };
        match self.numbers.mischief {
            mischief::STOP_HALF_WAY | mischief::TERMINATE => {
                self.numbers.advance(step.start, half);
                return Ok(stopped(self.numbers.mischief == mischief::TERMINATE));
            }
            mischief::DISCARD => return Err(Failure::discard("no convergence")),
            mischief::ERROR => return Err(Failure::error("the arm is broken")),
            mischief::FATAL => return Err(Failure::fatal("the arm is gone")),
            mischief::PANIC => panic_now(),
            mischief::TALK => {
                log.info("logEvents", "100 %s %n done");
                log.warning("careful");
            }
            _ => {}
        }
        self.numbers.advance(step.start, step.end);
        Ok(StepOutcome::Complete)
    }

    fn terminate(&mut self, _log: &mut Log) -> Outcome {
        self.may_panic("terminate");
        Ok(())
    }

    fn reset(&mut self, _log: &mut Log) -> Outcome {
        self.may_panic("reset");
        self.numbers = Numbers::start();
        Ok(())
    }

    fn get_real(&mut self, slots: &[u32], values: &mut [f64], _log: &mut Log) -> Outcome {
        self.may_panic("get_real");
        self.numbers.update();
        for (slot, value) in slots.iter().zip(values) {
            *value = self.numbers.reals[*slot as usize];
            if self.numbers.mischief == mischief::NAN && *slot == real::X {
                *value = f64::NAN;
            }
        }
        Ok(())
    }

    fn set_real(&mut self, slots: &[u32], values: &[f64], _log: &mut Log) -> Outcome {
        self.may_panic("set_real");
        for (slot, value) in slots.iter().zip(values) {
            self.numbers.reals[*slot as usize] = *value;
        }
        Ok(())
    }

    fn get_integer(&mut self, slots: &[u32], values: &mut [i32], _log: &mut Log) -> Outcome {
        self.may_panic("get_integer");
        for (slot, value) in slots.iter().zip(values) {
            *value = if *slot == 0 { self.numbers.mischief } else { self.numbers.steps };
        }
        Ok(())
    }

    fn set_integer(&mut self, _slots: &[u32], values: &[i32], _log: &mut Log) -> Outcome {
        self.may_panic("set_integer");
        self.numbers.mischief = values.last().copied().unwrap_or_default();
        Ok(())
    }

    fn get_boolean(&mut self, _slots: &[u32], values: &mut [bool], _log: &mut Log) -> Outcome {
        self.may_panic("get_boolean");
        values.fill(self.numbers.hold);
        Ok(())
    }

    fn set_boolean(&mut self, _slots: &[u32], values: &[bool], _log: &mut Log) -> Outcome {
        self.may_panic("set_boolean");
        self.numbers.hold = values.last().copied().unwrap_or_default();
        Ok(())
    }

    fn get_string(&mut self, slot: u32, _log: &mut Log) -> Outcome<&str> {
        self.may_panic("get_string");
        Ok(if slot == 0 { &self.numbers.label } else { &self.resources })
    }

    fn set_string(&mut self, _slot: u32, value: &str, _log: &mut Log) -> Outcome {
        self.may_panic("set_string");
        self.numbers.label = value.to_owned();
        Ok(())
    }

    fn set_real_input_derivatives(
        &mut self,
        _slots: &[u32],
        orders: &[u32],
        values: &[f64],
        _log: &mut Log,
    ) -> Outcome {
        self.may_panic("set_real_input_derivatives");
        if orders.iter().any(|order| *order > 1) {
            return Err(Failure::refused("the probe extrapolates inputs linearly; the order must be 1"));
        }
        self.numbers.slope_of_u = values.last().copied().unwrap_or_default();
        Ok(())
    }

    fn get_real_output_derivatives(&mut self, _: &[u32], _: &[u32], values: &mut [f64], _log: &mut Log) -> Outcome {
        self.may_panic("get_real_output_derivatives");
        self.numbers.update();
        values.fill(self.numbers.reals[5]);
        Ok(())
    }

    fn get_directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        result: &mut [f64],
        _log: &mut Log,
    ) -> Outcome {
        self.may_panic("get_directional_derivative");
        let along_u: f64 = knowns.iter().zip(seed).filter(|(slot, _)| **slot == real::U).map(|(_, seed)| seed).sum();
        for (slot, result) in unknowns.iter().zip(result) {
            *result = if *slot == real::DER_X { self.numbers.reals[1] * along_u } else { 0.0 };
        }
        Ok(())
    }

    fn save(&mut self, _log: &mut Log) -> Outcome<Numbers> {
        self.may_panic("save");
        Ok(self.numbers.clone())
    }

    fn restore(&mut self, state: &Numbers, _log: &mut Log) -> Outcome {
        self.may_panic("restore");
        self.numbers = state.clone();
        Ok(())
    }

    fn serialize(&self, state: &Numbers, bytes: &mut Vec<u8>) -> Outcome {
        self.may_panic("serialize");
        state.to_bytes(bytes);
        Ok(())
    }

    fn deserialize(&self, bytes: &[u8]) -> Outcome<Numbers> {
        self.may_panic("deserialize");
        Numbers::from_bytes(bytes).ok_or_else(|| Failure::refused("the state of the probe has another layout"))
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        if self.numbers.mischief == mischief::PANIC_IN_DROP {
            panic_now();
        }
    }
}

#[allow(clippy::panic)] // The point of it.
fn panic_now() -> ! {
    panic!("the probe panics")
}
