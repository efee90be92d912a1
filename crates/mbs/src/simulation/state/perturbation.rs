//! Perturbs a run about its present point, for derivatives of its variables.

use crate::force::Inputs;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::start::tolerance::{UNLIMITED, absolute_tolerances};
use crate::topology::Coordinate;

/// A direction in which a run may be perturbed. Relations, contacts and everything else discrete stay.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// Change of time \[s\]; inputs with derivatives follow.
    pub t: f64,
    /// Change of the state variables `y = [q, v]`.
    pub y: Vec<f64>,
    /// Change of the inputs.
    pub inputs: Vec<f64>,
    /// Change of the first derivatives of the inputs.
    pub input_rates: Vec<f64>,
    /// Change of the states of filtered inputs: value and two derivatives.
    pub filters: Vec<[f64; 3]>,
}

/// The present point of a run, kept while it is perturbed.
#[derive(Debug, Clone)]
pub struct UnperturbedPoint {
    t: f64,
    y: Vec<f64>,
    yp: Vec<f64>,
    inputs: Inputs,
}

impl Simulation {
    /// The direction that changes nothing.
    #[must_use]
    pub fn no_direction(&self) -> Perturbation {
        let filters = self.segment.signals.inputs().filtered_inputs().map(|_| [0.0; 3]).collect();
        let inputs = vec![0.0; self.model.scene.inputs.len()];
        Perturbation { t: 0.0, y: vec![0.0; self.point.y.len()], input_rates: inputs.clone(), inputs, filters }
    }

    /// Largest change of a state variable, of an input or of time in a direction, relative to its size: 1 for angles,
    /// times and states of components, the typical length for translations, value or nominal value of an input.
    #[must_use]
    pub fn size_of(&self, direction: &Perturbation) -> f64 {
        self.size_with(direction, std::iter::repeat(1.0))
    }

    /// As [`Simulation::size_of`], but states of components have the size of their value or nominal value.
    #[must_use]
    pub fn size_by_values(&self, direction: &Perturbation) -> f64 {
        let own = self.segment.topology.num_variables();
        let sizes = self.segment.evaluator.components.sizes(&self.point.y[own..]);
        self.size_with(direction, sizes.into_iter())
    }

    fn size_with(&self, direction: &Perturbation, of_components: impl Iterator<Item = f64>) -> f64 {
        let mut nominal = Vec::new();
        absolute_tolerances(&self.segment.topology, 1.0, &mut nominal);
        let nominal = nominal.into_iter().map(|x| if x < UNLIMITED { x } else { 1.0 }).chain(of_components);
        let of_states = direction.y.iter().zip(nominal).map(|(change, nominal)| change.abs() / nominal);
        let of_filters = direction.filters.iter().flatten().map(|change| change.abs());
        let of_inputs = self.model.scene.inputs.iter().enumerate().map(|(input, variable)| {
            let size = self
                .segment
                .signals
                .inputs()
                .value(input, self.point.t)
                .abs()
                .max(variable.nominal.unwrap_or(1.0).abs());
            direction.inputs[input].abs().max(direction.input_rates[input].abs()) / size
        });
        of_states.chain(of_filters).chain(of_inputs).fold(direction.t.abs(), f64::max)
    }

    /// The direction of the run's present motion, per second.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn direction_of_motion(&mut self) -> Result<Perturbation, SimulationError> {
        self.reach(Stage::Acceleration)?;
        let mut y = self.point.yp.clone();
        let of_components = &mut y[self.segment.topology.num_variables()..];
        // Algebraic unknowns follow from the rest: their derivatives are those of the integrator's polynomial only.
        for (rate, differential) in of_components.iter_mut().zip(self.segment.evaluator.components.differential()) {
            *rate = if differential { *rate } else { 0.0 };
        }
        Ok(Perturbation { t: 1.0, y, ..self.no_direction() })
    }

    /// The state variable behind a coordinate of order 0 or 1 of a joint, if it is one.
    #[must_use]
    pub fn state_variable(&self, joint: crate::scene::JointId, dof: usize, order: u8) -> Option<usize> {
        match self.segment.topology.joints[joint.index()].coordinates.get(dof)? {
            Coordinate::State { q, v } => match order {
                0 => *q,
                1 => Some(self.segment.topology.num_q + v),
                _ => None,
            },
            Coordinate::Driven { .. } => None,
        }
    }

    /// Whether an input moves joints of a mechanism with closed loops, whose other joints must follow it.
    #[must_use]
    pub fn moves_a_loop(&self, input: usize) -> bool {
        self.segment.signals.prescribes_motion(input) && !self.segment.topology.closures.is_empty()
    }

    /// Perturbs the run by `scale` times a direction, until [`Simulation::restore_point`]. In between, variables may be
    /// read; stepping and saving are meaningless. Algebraic unknowns of components (outputs in algebraic loops, holding
    /// efforts) are solved for at the perturbed point.
    ///
    /// # Errors
    /// When the present point or the perturbed one cannot be evaluated; the run is then where it was.
    pub fn perturb(&mut self, direction: &Perturbation, scale: f64) -> Result<UnperturbedPoint, SimulationError> {
        self.interpolate_to_now()?;
        let unperturbed = UnperturbedPoint {
            t: self.point.t,
            y: self.point.y.clone(),
            yp: self.point.yp.clone(),
            inputs: self.segment.signals.inputs().clone(),
        };
        self.point.t += scale * direction.t;
        for (y, dy) in self.point.y.iter_mut().zip(&direction.y) {
            *y += scale * dy;
        }
        self.segment.signals.change_inputs(|inputs| {
            for (input, change) in direction.inputs.iter().enumerate() {
                inputs.shift(input, scale * change, unperturbed.t);
            }
            for (input, change) in direction.input_rates.iter().enumerate().filter(|(_, change)| **change != 0.0) {
                inputs.shift_rate(input, scale * change, unperturbed.t);
            }
            let filters: Vec<_> = direction.filters.iter().map(|state| state.map(|change| scale * change)).collect();
            inputs.shift_filters(&filters, unperturbed.t);
        });
        self.point.stage = Stage::Nothing;
        match self.follow_perturbation() {
            Ok(()) => Ok(unperturbed),
            Err(error) => {
                self.restore_point(unperturbed);
                Err(error)
            }
        }
    }

    /// Time before the present point over which the integrator's dense output is valid with the present contacts and
    /// relations \[s\].
    #[must_use]
    pub fn smooth_past(&self) -> f64 {
        if !self.solver.is_running {
            return 0.0;
        }
        let began = self.solver.integrator.internal_time() - self.solver.integrator.last_step();
        (self.point.t - began.max(self.events.last)).max(0.0)
    }

    /// Moves the run to a time `back` \[s\] ago, at most [`Simulation::smooth_past`], until
    /// [`Simulation::restore_point`].
    ///
    /// # Errors
    /// As [`Simulation::perturb`].
    pub fn rewind(&mut self, back: f64) -> Result<UnperturbedPoint, SimulationError> {
        self.interpolate_to_now()?;
        let unperturbed = UnperturbedPoint {
            t: self.point.t,
            y: self.point.y.clone(),
            yp: self.point.yp.clone(),
            inputs: self.segment.signals.inputs().clone(),
        };
        let interpolated =
            self.solver.integrator.interpolate(self.point.t - back, &mut self.point.y, &mut self.point.yp);
        self.point.t -= back;
        self.point.stage = Stage::Nothing;
        match interpolated {
            Ok(()) => Ok(unperturbed),
            Err(error) => {
                self.restore_point(unperturbed);
                Err(error.into())
            }
        }
    }

    /// Solves for the algebraic unknowns of components, which have no derivative, at the perturbed point.
    fn follow_perturbation(&mut self) -> Result<(), SimulationError> {
        let is_explicit = self.segment.evaluator.components.differential().iter().all(|differential| *differential);
        if is_explicit { Ok(()) } else { self.reach(Stage::Acceleration) }
    }

    /// Restores the unperturbed point.
    pub fn restore_point(&mut self, unperturbed: UnperturbedPoint) {
        self.point.t = unperturbed.t;
        self.point.y = unperturbed.y;
        self.point.yp = unperturbed.yp;
        self.segment.signals.set_inputs(&unperturbed.inputs);
        self.segment.signals.set_time(self.point.t);
        self.point.stage = Stage::Nothing;
    }
}
