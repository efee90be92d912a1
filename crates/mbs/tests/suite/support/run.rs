//! A simulation whose variables are read by name.

use mbs::declaration::Declaration;
use mbs::elaboration::elaborate;
use mbs::math::Vec3;
use mbs::simulation::integrator::{
    DaeSystem, History, Integrator, IntegratorError, IntegratorStatistics, StartPoint, StepOutcome,
};
use mbs::simulation::{Options, Simulation};
use mbs::variables::{Variable, variables};

/// An integrator for models of which only the start is tested.
#[derive(Debug, Default)]
pub struct Idle;

impl Integrator for Idle {
    fn history(&mut self) -> Result<History, IntegratorError> {
        Ok(History::default())
    }
    fn resume(&mut self, _: &StartPoint<'_>, _: &History, _: &mut dyn DaeSystem) -> Result<(), IntegratorError> {
        Ok(())
    }
    fn restart(&mut self, _: &StartPoint<'_>) -> Result<(), IntegratorError> {
        Ok(())
    }
    fn step(&mut self, _: &mut dyn DaeSystem, _: Option<f64>) -> Result<StepOutcome, IntegratorError> {
        Err(IntegratorError::Misuse("this integrator stands still".to_owned()))
    }
    fn expect_onset(&mut self, _: Option<f64>) {}
    fn expect_ringing(&mut self, _: bool) {}
    fn measure_convergence(&mut self) {}
    fn sharpen_newton(&mut self, _: f64) {}
    fn relax(&mut self, _: std::ops::Range<usize>, _: i32) {}
    fn interpolate(&mut self, _: f64, _: &mut [f64], _: &mut [f64]) -> Result<(), IntegratorError> {
        Ok(())
    }
    fn interpolate_variables(&mut self, _: f64, _: &mut [f64]) -> Result<(), IntegratorError> {
        Ok(())
    }
    fn root_directions(&self) -> &[i32] {
        &[]
    }
    fn internal_time(&self) -> f64 {
        0.0
    }
    fn last_step(&self) -> f64 {
        0.0
    }
    fn next_step(&self) -> f64 {
        0.0
    }
    fn last_order(&self) -> u32 {
        0
    }
    fn statistics(&self) -> IntegratorStatistics {
        IntegratorStatistics::default()
    }
    fn set_statistics(&mut self, _: IntegratorStatistics) {}
}

pub struct Run {
    pub simulation: Simulation,
    pub variables: Vec<Variable>,
}

impl Run {
    /// Starts at t = 0.
    pub fn new(declaration: &Declaration, integrator: impl Integrator + 'static, relative_tolerance: f64) -> Self {
        Self::with(declaration, integrator, Options { relative_tolerance, ..Options::default() })
    }

    pub fn with(declaration: &Declaration, integrator: impl Integrator + 'static, options: Options) -> Self {
        let scene = match elaborate(declaration, &[]) {
            Ok(scene) => scene,
            Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
        };
        let simulation = Simulation::new(scene, integrator, 0.0, options).unwrap_or_else(|error| panic!("{error}"));
        let variables = variables(simulation.scene(), simulation.topology());
        Self { simulation, variables }
    }

    /// Advances to time `t`.
    pub fn to(&mut self, t: f64) -> &mut Self {
        self.simulation.do_step(t).unwrap_or_else(|error| panic!("{error}"));
        self
    }

    pub fn value(&mut self, name: &str) -> f64 {
        let variable = self.variables.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("no variable {name}"));
        let quantity = variable.quantity;
        self.simulation.value(&quantity).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn vector(&mut self, name: &str) -> Vec3 {
        Vec3::from_fn(|k, _| self.value(&format!("{name}[{}]", k + 1)))
    }

    pub fn names(&self) -> Vec<&str> {
        self.variables.iter().map(|v| v.name.as_str()).collect()
    }
}

/// The messages about a model that cannot be simulated, in one text.
pub fn error_message(declaration: &Declaration) -> String {
    error_message_with(declaration, &[])
}

pub fn error_message_with(declaration: &Declaration, overrides: &[(String, f64)]) -> String {
    match elaborate(declaration, overrides) {
        Err(errors) => errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Ok(scene) => match Simulation::new(scene, Idle, 0.0, Options::default()) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{} was accepted", declaration.name),
        },
    }
}
