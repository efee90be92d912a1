//! Derivatives of variables: with respect to time, and in directions of inputs, states and parameters.
//!
//! What has its derivative among the engine's own quantities is answered by that, expressions by the chain rule, the
//! rest by differences of fourth order between points beside the present one. Relations, contacts and everything else
//! discrete stay as they are, so that the function differenced is smooth. Parameters, inputs that move a joint of a
//! closed loop, and inputs that decide about an equilibrium at the start change more than the point: for them the model
//! settles again at every point beside.

use mbs::expr::Relations;
use mbs::scene::{MotionPart, Quantity};
use mbs::simulation::Perturbation;

use crate::session::{Session, SessionError};
use crate::slopes::Function;
use crate::variable::{InterfaceVariable, Role, Source, VariableKind};

/// Largest relative displacement of a variable on the way to a derivative.
pub(crate) const DISPLACEMENT: f64 = 1e-4;

/// The same while shapes touch: penetrations are small.
const DISPLACEMENT_IN_CONTACT: f64 = 1e-8;

/// Distances between points in the last internal step at which values are sampled.
const LOOKS_BACK: f64 = 4.0;

/// Difference of two slopes of a value that agree, relative to its change over the last internal step.
const AGREEMENT: f64 = 0.1;

/// Points of a difference formula and their weights.
type Stencil = &'static [(f64, f64)];

/// The central formula of fourth order.
const STENCIL: Stencil = &[(-2.0, 1.0 / 12.0), (-1.0, -8.0 / 12.0), (1.0, 8.0 / 12.0), (2.0, -1.0 / 12.0)];

/// The formulas of fourth order with points on one side only.
const FORWARD: Stencil = &[(0.0, -25.0 / 12.0), (1.0, 4.0), (2.0, -3.0), (3.0, 4.0 / 3.0), (4.0, -0.25)];
const BACKWARD: Stencil = &[(0.0, 25.0 / 12.0), (-1.0, -4.0), (-2.0, 3.0), (-3.0, -4.0 / 3.0), (-4.0, 0.25)];

/// The central formula, or the one that stays within the range of a variable.
fn stencil_within(variable: &InterfaceVariable, value: f64, step: f64) -> Stencil {
    let inside = |points: f64| {
        let at = value + points * step;
        variable.min.is_none_or(|min| at >= min) && variable.max.is_none_or(|max| at <= max)
    };
    match (inside(-2.0), inside(2.0)) {
        (false, _) if inside(4.0) => FORWARD,
        (_, false) if inside(-4.0) => BACKWARD,
        _ => STENCIL,
    }
}

impl Session {
    /// Time derivative of a variable at the present point, in its unit / s.
    ///
    /// # Errors
    /// Before initialization, and when the model cannot be evaluated.
    pub fn time_derivative(&mut self, variable: usize) -> Result<f64, SessionError> {
        self.require_run("the derivative of a variable")?;
        let interface = self.interface().clone();
        let Some(target) = interface.variables.get(variable) else {
            return Err(SessionError::Refused(format!("there is no variable number {variable}")));
        };
        match &target.source {
            Source::Expression(index) => {
                let program = &interface.expressions[*index].program;
                let mut tangents = vec![0.0; interface.variables.len()];
                let mut values = tangents.clone();
                for &slot in program.slots() {
                    values[slot] = self.value(slot)?;
                    tangents[slot] = self.time_derivative(slot)?;
                }
                Ok(program.directional(&values, &tangents, self.tables(), Relations::Live).1)
            }
            Source::Quantity(_) => self.quantity_derivative(variable),
            Source::Setting(_) => Ok(0.0),
        }
    }

    fn quantity_derivative(&mut self, variable: usize) -> Result<f64, SessionError> {
        let Some(quantity) = self.quantity(variable) else { return Ok(0.0) };
        let constant = matches!(
            quantity,
            Quantity::Parameter(_)
                | Quantity::EventCount
                | Quantity::LastEventTime
                | Quantity::DissipatedByImpacts
                | Quantity::ImpactCount
                | Quantity::Impacts(_)
                | Quantity::NumStates
                | Quantity::NumContacts
        );
        if constant || self.interface().variables[variable].kind != VariableKind::Real {
            return Ok(0.0);
        }
        let simulation = self.running()?;
        if let Quantity::Input(input) = quantity {
            return Ok(simulation.input_derivative(input, 1));
        }
        if let Some(rate) = rate_of(&quantity) {
            return Ok(simulation.value(&rate)?);
        }
        let direction = simulation.direction_of_motion()?;
        let slope = self.slope_of_motion(variable, &direction)?;
        if self.running()?.value(&Quantity::NumContacts)? == 0.0 {
            Ok(slope)
        } else {
            self.reject_integrator_noise(variable, slope)
        }
    }

    /// Contacts are stiff: near rest, velocities that are nothing but the integrator's error make forces change fast by
    /// their law. If the slope by the law disagrees with the slope at the end of the last internal step, the latter is
    /// returned.
    fn reject_integrator_noise(&mut self, variable: usize, slope: f64) -> Result<f64, SessionError> {
        let past = self.running()?.smooth_past();
        if past <= 0.0 {
            return Ok(slope);
        }
        let apart = past / LOOKS_BACK;
        let now = self.value(variable)?;
        let mut range = [now; 2];
        let mut end_slope = 0.0;
        for (at, weight) in &BACKWARD[1..] {
            let value = self.value_before(variable, -at * apart)?;
            range = [range[0].min(value), range[1].max(value)];
            end_slope += weight * (value - now) / apart;
        }
        let most = AGREEMENT * (range[1] - range[0]) / past;
        Ok(if (slope - end_slope).abs() <= most { slope } else { end_slope })
    }

    /// The value that a variable had `back` \[s\] ago within the last internal step.
    fn value_before(&mut self, variable: usize, back: f64) -> Result<f64, SessionError> {
        let unperturbed = self.running()?.rewind(back)?;
        let value = self.value(variable);
        self.running()?.restore_point(unperturbed);
        value
    }

    /// Change of the `unknowns` per change of the `knowns` in the direction `seed` (as long as `knowns`). Knowns are
    /// inputs, and positions and velocities of joints that are state variables; during initialization also parameters.
    ///
    /// # Errors
    /// Before initialization, for knowns of another kind, and when the model cannot be evaluated.
    pub fn directional_derivative(
        &mut self,
        unknowns: &[usize],
        knowns: &[usize],
        seed: &[f64],
    ) -> Result<Vec<f64>, SessionError> {
        self.require_run("a directional derivative")?;
        let mut direction = self.running()?.no_direction();
        let mut result = vec![0.0; unknowns.len()];
        for (&known, &change) in knowns.iter().zip(seed) {
            match self.quantity(known) {
                Some(Quantity::Parameter(_)) if self.is_initializing() && change != 0.0 => {
                    if self.interface().variables[known].role != Role::Parameter {
                        let name = &self.interface().variables[known].name;
                        return Err(SessionError::Refused(format!("variable `{name}` follows from other parameters")));
                    }
                    let step = DISPLACEMENT * nonzero(self.value(known)?.abs());
                    let slopes = self.settled_derivative(unknowns, known, step)?;
                    result.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += change * slope);
                }
                Some(Quantity::Input(input)) if change != 0.0 && self.settles_with(input)? => {
                    let nominal = self.running()?.scene().inputs[input].nominal.unwrap_or(1.0).abs();
                    let step = DISPLACEMENT * self.value(known)?.abs().max(nominal);
                    let slopes = self.settled_derivative(unknowns, known, step)?;
                    result.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += change * slope);
                }
                Some(quantity) => self.add_known(known, &quantity, change, &mut direction)?,
                None => {}
            }
        }
        let slopes = self.slopes_of(unknowns, &direction)?;
        result.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        Ok(result)
    }

    /// Whether an input changes more than the present point: it moves a closed loop, or the equilibrium that is the
    /// start.
    fn settles_with(&mut self, input: usize) -> Result<bool, SessionError> {
        let moves_the_start = self.is_initializing() && self.interface().scene().starts_at_equilibrium;
        Ok(moves_the_start || self.running()?.moves_a_loop(input))
    }

    /// Adds the change of one known to a direction.
    fn add_known(
        &mut self,
        known: usize,
        quantity: &Quantity,
        change: f64,
        direction: &mut Perturbation,
    ) -> Result<(), SessionError> {
        let simulation = self.running()?;
        let state = match *quantity {
            Quantity::Input(input) => {
                direction.inputs[input] += change;
                return Ok(());
            }
            Quantity::Time => {
                direction.t += change;
                return Ok(());
            }
            Quantity::Coordinate { joint, dof, order } => simulation.state_variable(joint, dof, order),
            _ => None,
        };
        match state {
            Some(state) => direction.y[state] += change,
            None => {
                let name = &self.interface().variables[known].name;
                return Err(SessionError::Refused(format!(
                    "variable `{name}` is neither an input nor a state, so nothing can be differentiated with respect to it now"
                )));
            }
        }
        Ok(())
    }

    /// Derivatives with respect to a parameter during initialization, or to an input that moves loops or the start: the
    /// model settles at values beside the present one, `step` from each other.
    fn settled_derivative(&mut self, unknowns: &[usize], known: usize, step: f64) -> Result<Vec<f64>, SessionError> {
        let before = self.save()?;
        let value = self.value(known)?;
        let stencil = stencil_within(&self.interface().variables[known], value, step);
        let mut result = vec![0.0; unknowns.len()];
        let outcome = stencil.iter().try_for_each(|(at, weight)| {
            self.restore(&before)?;
            self.solve_with_known(known, value + at * step)?;
            for (sum, &unknown) in result.iter_mut().zip(unknowns) {
                *sum += weight * self.get(unknown)? / step;
            }
            Ok(())
        });
        self.restore(&before)?;
        // Discards the log entries of the perturbed evaluations.
        self.take_messages();
        self.running()?.journal().take();
        outcome.map(|()| result)
    }

    /// Gives a variable another value and makes the whole model follow, without advancing time.
    fn solve_with_known(&mut self, known: usize, value: f64) -> Result<(), SessionError> {
        let moving = match self.quantity(known) {
            Some(Quantity::Input(input)) => {
                let simulation = self.running()?;
                let order = simulation.input_order(input);
                (1..=order).map(|order| (order, simulation.input_derivative(input, order))).collect()
            }
            _ => Vec::new(),
        };
        self.set(known, value)?;
        for (order, derivative) in moving {
            self.set_input_derivative(known, order, derivative)?;
        }
        if self.is_initializing() {
            return Ok(());
        }
        let now = self.running()?.time();
        self.do_step(now)
    }

    /// Derivatives of variables in a direction, as in linearised models.
    fn slopes_of(&mut self, variables: &[usize], direction: &Perturbation) -> Result<Vec<f64>, SessionError> {
        let size = self.running()?.size_by_values(direction);
        if size == 0.0 {
            return Ok(vec![0.0; variables.len()]);
        }
        let function = |&variable: &usize| Ok(Function { now: self.value(variable)?, size: 1.0, is_sized: false });
        let functions = variables.iter().map(function).collect::<Result<Vec<_>, SessionError>>()?;
        let slopes = self.slopes_along(direction, size, &functions, &mut |session| {
            variables.iter().map(|&variable| session.value(variable)).collect()
        })?;
        Ok(slopes.into_iter().map(|slope| slope.value).collect())
    }

    /// Derivative of a variable in the direction of motion, by differences of points at fixed distances.
    fn slope_of_motion(&mut self, variable: usize, direction: &Perturbation) -> Result<f64, SessionError> {
        let size = self.running()?.size_of(direction);
        if size == 0.0 {
            return Ok(0.0);
        }
        let touching = self.running()?.value(&Quantity::NumContacts)? > 0.0;
        let step = if touching { DISPLACEMENT_IN_CONTACT } else { DISPLACEMENT } / size;
        // Differences to the present value: what does not change has no derivative at all, not even one of rounding
        // errors.
        let now = self.value(variable)?;
        let mut slope = 0.0;
        for (at, weight) in STENCIL {
            let unperturbed = self.running()?.perturb(direction, at * step)?;
            let value = self.value(variable);
            self.running()?.restore_point(unperturbed);
            slope += weight * (value? - now) / step;
        }
        Ok(slope)
    }
}

fn nonzero(size: f64) -> f64 {
    if size == 0.0 { 1.0 } else { size }
}

/// The quantity that is the time derivative of another one.
fn rate_of(quantity: &Quantity) -> Option<Quantity> {
    match *quantity {
        Quantity::Coordinate { joint, dof, order } if order < 2 => {
            Some(Quantity::Coordinate { joint, dof, order: order + 1 })
        }
        Quantity::Motion { frame, relative_to, resolved_in, part, component } if relative_to == resolved_in => {
            let part = match part {
                MotionPart::Position => MotionPart::Velocity,
                MotionPart::Velocity => MotionPart::Acceleration,
                MotionPart::AngularVelocity => MotionPart::AngularAcceleration,
                _ => return None,
            };
            Some(Quantity::Motion { frame, relative_to, resolved_in, part, component })
        }
        _ => None,
    }
}
