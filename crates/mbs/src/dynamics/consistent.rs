//! Mechanics and components together: their linearisation and consistent derivatives.

use super::EvaluationPoint;
use super::component_newton::{ComponentNewton, own_part, start_units};
use super::error::EvaluationError;
use super::evaluator::{Evaluator, factor_closures, not_finite, position_rates};
use crate::component_system::{ComponentPoint, ComponentSystem, CoupledSolver, Unknowns};
use crate::force::Signals;
use crate::newton_euler::MotionPoint;
use crate::topology::Topology;

/// Variables of consistent derivatives. Positions and velocities are given; accelerations, and the algebraic variables
/// of components behind the velocities, are sought.
struct StartUnknowns<'a> {
    q: &'a [f64],
    v: &'a mut [f64],
    vdot: &'a mut [f64],
}

/// Iterations that consistent derivatives may take.
const MOST_ITERATIONS: usize = 50;

/// Change, relative to the unit and the size of a derivative, below which derivatives are consistent.
const CONSISTENT: f64 = 1e-10;

/// The same where it does not fall any more, and the iterations after which that counts: where components and hinges
/// hold the same motion, as brakes and friction under wheels do, rounding errors of their efforts are larger.
const ROUNDED: f64 = 1e-6;
const FIRST_ITERATIONS: usize = 8;

/// Ratio of a step to the one before above which steps overshoot and are shortened, and below which they grow again:
/// where bodies slide and spin, the direction of friction follows from the forces.
const OVERSHOOTS: f64 = 0.7;
const SHRINKS: f64 = 0.3;

/// Change at which the last iteration is accepted: error control judges the step that follows.
const LEFT_OVER: f64 = 1e-5;

impl Evaluator {
    /// Sets the components of a segment; the structure of the combined systems follows.
    pub fn set_components(&mut self, topology: &Topology, mut components: ComponentSystem, signals: &Signals) {
        components.find_loop_holders(topology);
        self.component_newton = (!components.is_empty()).then(|| {
            Box::new(ComponentNewton {
                newton: CoupledSolver::new(topology, &components, signals, true),
                start: CoupledSolver::new(topology, &components, signals, false),
                free: vec![0.0; topology.num_variables()],
                rows: vec![0.0; own_part(topology) + components.num_variables()],
                base: vec![0.0; own_part(topology) + components.num_variables()],
                step: vec![0.0; own_part(topology) + components.num_variables()],
                units: start_units(topology, components.num_variables()),
                moved: Vec::new(),
            })
        });
        self.components = components;
        self.restore_blocks();
    }

    /// Contacts may connect what components touch.
    pub(crate) fn restore_blocks(&mut self) {
        if let (Some(component_newton), true) = (&mut self.component_newton, self.contacts.has_pairs()) {
            component_newton.merge_blocks();
        }
    }

    /// Adds components to the linearisation of the mechanics at the point evaluated last.
    pub(super) fn linearize_components(
        &mut self,
        topology: &Topology,
        c_j: f64,
        y: &[f64],
        yp: &[f64],
        signals: &mut Signals,
    ) -> Result<(), EvaluationError> {
        let Some(mut component_newton) = self.component_newton.take() else { return Ok(()) };
        let (q, v) = y.split_at(topology.num_q);
        let vdot = &yp[topology.num_q..];
        self.difference_slots(topology, MotionPoint { q, v, vdot }, signals, &mut component_newton, true);
        if component_newton.newton.observes() {
            component_newton.moved.clear();
            component_newton.moved.extend_from_slice(y);
            component_newton.newton.observe(topology, &self.workspace, &self.components, &mut component_newton.moved);
        }
        let Self { tree, branch_coupling, components, .. } = self;
        let own = own_part(topology);
        let result = component_newton.newton.linearize(
            Unknowns::Newton { c_j },
            components,
            ComponentPoint { x: &v[own..], xp: &vdot[own..] },
            signals,
            &mut |b| branch_coupling.solve(topology, tree, b),
        );
        self.component_newton = Some(component_newton);
        result.map_err(|variable| singular(&self.components, variable, signals))
    }

    /// Derivatives of the mechanics' residual with respect to values that force laws read from components and joints.
    fn difference_slots(
        &mut self,
        topology: &Topology,
        MotionPoint { q, v, vdot }: MotionPoint<'_>,
        signals: &mut Signals,
        component_newton: &mut ComponentNewton,
        newton: bool,
    ) {
        let ComponentNewton { newton: of_newton, start, rows, base, .. } = component_newton;
        let solver = if newton { of_newton } else { start };
        if (0..solver.num_actions()).all(|action| solver.slot_of(action).is_none()) {
            return;
        }
        self.workspace.joint_balance(topology, base);
        for action in 0..solver.num_actions() {
            let Some(slot) = solver.slot_of(action) else { continue };
            let value = signals.slot(slot);
            let h = SLOT_STEP * (1.0 + value.abs());
            signals.set_slot(slot, value + h);
            self.apply(topology, q, v, vdot, signals);
            self.workspace.joint_balance(topology, rows);
            signals.set_slot(slot, value);
            let zeros = if newton { topology.num_q } else { 0 };
            let slopes = rows.iter().zip(&*base).take(topology.num_v).map(|(row, base)| (row - base) / h);
            solver.set_column(action, std::iter::repeat_n(0.0, zeros).chain(slopes));
        }
        self.apply(topology, q, v, vdot, signals);
    }

    /// Forces and their balance with the values of components as they stand in the slots.
    pub(super) fn apply(&mut self, topology: &Topology, q: &[f64], v: &[f64], vdot: &[f64], signals: &mut Signals) {
        let workspace = &mut self.workspace;
        workspace.apply_forces(topology, q, v, signals);
        self.components.add_efforts(vdot, &mut workspace.joint_forces);
        self.contacts.apply(topology, signals.time(), &workspace.bodies, &mut workspace.applied);
        self.apply_multipliers(topology, vdot);
        self.workspace.balance(topology);
    }

    /// Computes all derivatives, and the algebraic variables of components, for given positions, velocities and states.
    ///
    /// Newton's method on the whole system; models without components need no iteration.
    ///
    /// # Errors
    /// Joints without inertia, algebraic loops without solution.
    pub fn consistent(
        &mut self,
        topology: &Topology,
        y: &mut [f64],
        yp: &mut [f64],
        signals: &mut Signals,
    ) -> Result<(), EvaluationError> {
        let (q, v) = y.split_at_mut(topology.num_q);
        let (qdot, vdot) = yp.split_at_mut(topology.num_q);
        position_rates(topology, q, v, qdot);
        let Some(mut component_newton) = self.component_newton.take() else {
            return self.accelerations(topology, q, v, signals, vdot);
        };
        vdot.fill(0.0);
        let result = self.iterate(topology, StartUnknowns { q, v, vdot }, signals, &mut component_newton);
        self.component_newton = Some(component_newton);
        result
    }

    fn iterate(
        &mut self,
        topology: &Topology,
        sought: StartUnknowns<'_>,
        signals: &mut Signals,
        component_newton: &mut ComponentNewton,
    ) -> Result<(), EvaluationError> {
        let mut step = std::mem::take(&mut component_newton.step);
        let result = self.iterate_with(topology, sought, signals, component_newton, &mut step);
        component_newton.step = step;
        result
    }

    fn iterate_with(
        &mut self,
        topology: &Topology,
        StartUnknowns { q, v, vdot }: StartUnknowns<'_>,
        signals: &mut Signals,
        component_newton: &mut ComponentNewton,
        step: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let own = own_part(topology);
        self.loops.seek_from_reference();
        self.loops.write_reference(&mut vdot[topology.num_v..own]);
        let (mut worst, mut before, mut part) = (0, f64::INFINITY, 1.0_f64);
        for iteration in 0..MOST_ITERATIONS {
            step.fill(0.0);
            self.evaluate(topology, q, v, vdot, signals);
            self.workspace.joint_balance(topology, step);
            let lambda = &vdot[topology.num_v..own];
            self.loops.acceleration_residual(lambda, &mut step[topology.num_v..own]);
            step[topology.num_v..own].iter_mut().for_each(|x| *x = -*x);
            self.components.residual(&v[own..], &vdot[own..], signals.time(), &mut step[own..]);
            if iteration == 0 {
                self.eliminate_masses(topology, &EvaluationPoint { q, v })?;
            }
            if iteration == 0 || self.loops.spins() {
                factor_closures(&mut self.masses, topology, &self.loops, Some(&vdot[topology.num_v..own]))?;
            }
            self.difference_slots(topology, MotionPoint { q, v, vdot }, signals, component_newton, false);
            let Self { masses, components, .. } = self;
            let solve = &mut |b: &mut [f64]| masses.solve(topology, b, false);
            let point = ComponentPoint { x: &v[own..], xp: &vdot[own..] };
            let result = component_newton.start.linearize(Unknowns::Start, components, point, signals, solve);
            result.map_err(|variable| singular(&self.components, variable, signals))?;
            component_newton.solve_start(topology, &mut self.masses, step);
            let mut largest = 0.0_f64;
            for (k, step) in step.iter().enumerate() {
                let is_value = k >= own && component_newton.start.is_algebraic(k - own);
                let unknown = if is_value { v[k] } else { vdot[k] };
                let change = step.abs() / (component_newton.units[k] + (unknown - step).abs());
                if change > largest || change.is_nan() {
                    (largest, worst) = (change, k);
                }
            }
            match largest / before {
                _ if iteration < FIRST_ITERATIONS => {}
                ratio if ratio > OVERSHOOTS => part *= 0.5,
                ratio if ratio < SHRINKS => part = (2.0 * part).min(1.0),
                _ => {}
            }
            for (k, step) in step.iter().enumerate() {
                let is_value = k >= own && component_newton.start.is_algebraic(k - own);
                let unknown = if is_value { &mut v[k] } else { &mut vdot[k] };
                *unknown -= part * step;
            }
            if !vdot.iter().chain(v.iter()).all(|x| x.is_finite()) {
                let error_message = self
                    .components
                    .not_finite(signals)
                    .or_else(|| self.workspace.without_value(topology, q, v, signals));
                return Err(error_message.map_or_else(|| not_finite(topology, vdot), EvaluationError::Fatal));
            }
            let is_rounded = iteration >= FIRST_ITERATIONS && largest < ROUNDED && largest > SHRINKS * before
                || iteration + 1 == MOST_ITERATIONS && largest < LEFT_OVER;
            if largest < CONSISTENT || is_rounded {
                self.evaluate(topology, q, v, vdot, signals);
                return Ok(());
            }
            before = largest;
        }
        if let Some(error_message) = self.components.not_finite(signals) {
            return Err(EvaluationError::Fatal(error_message));
        }
        let name = worst
            .checked_sub(own)
            .map_or_else(|| topology.owner_of(topology.num_q + worst).to_owned(), |k| self.components.name_of(k));
        Err(EvaluationError::Fatal(format!(
            "the equations of `{name}` have no solution near its start values; check the algebraic loop it belongs to"
        )))
    }
}

/// Relative step of differences with respect to slots.
const SLOT_STEP: f64 = 1e-7;

fn singular(components: &ComponentSystem, variable: usize, signals: &Signals) -> EvaluationError {
    if let Some(error_message) = components.not_finite(signals) {
        return EvaluationError::Recoverable(error_message);
    }
    let name = if variable < components.num_variables() {
        components.name_of(variable)
    } else {
        "the joints that components act on".to_owned()
    };
    EvaluationError::Recoverable(format!(
        "the equations of components are singular at `{name}`: an algebraic loop through it does not determine its value, or its \
         parameters are too large or too small for double precision"
    ))
}
