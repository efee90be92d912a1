//! The implicit system `0 = f(t, y, y')` of one segment: `y = [q, v, integral of lambda, integral of mu]` of the
//! mechanics, then the variables of components.
//!
//! Slices of velocities and accelerations reach to the end of `y` and `y'`.

use super::branch_coupling::BranchCoupling;
use super::component_newton::{ComponentNewton, own_part};
use super::contacts::Contacts;
use super::exact_point::ExactPoint;
use super::loops::Loops;
use super::quaternion_rate::{normalisation_rate, quaternion_rate};
use super::tree_solver::{Purpose, System, TreeSolver};
use super::{EvaluationError, EvaluationPoint};
use crate::component_system::{ComponentSystem, MechanicalPoint};
use crate::contact::{ActiveContact, ContactConstants, PairId};
use crate::force::Signals;
use crate::math::Vec3;
use crate::newton_euler::{Workspace, quaternion_at};
use crate::spatial::NodeOrdinal;
use crate::topology::{Mobilizer, Topology};
use serde::{Deserialize, Serialize};
use workers::Workers;

/// Rounds of refinement of accelerations: eight digits are lost, every round brings back as many as were left.
const REFINEMENTS: usize = 2;

/// Contacts in the last linearisation, as part of a saved state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LinearizedContacts {
    /// Pairs that took part in the residual, with their constants.
    pub armed: Vec<(PairId, ContactConstants)>,
    /// Pairs of nodes that the structure of the matrix provides for.
    pub links: Vec<[NodeOrdinal; 2]>,
    /// Pairs whose derivatives were those of slipping.
    pub slipping: Vec<PairId>,
}

/// Whether a list has pairs of a model with this many shapes, sorted.
pub(crate) fn are_pairs(armed: &[(PairId, ContactConstants)], shapes: usize) -> bool {
    armed.iter().all(|(pair, _)| pair.a < pair.b && (pair.b as usize) < shapes)
        && armed.windows(2).all(|pairs| pairs[0].0 < pairs[1].0)
}

impl LinearizedContacts {
    /// Whether all numbers are those of a model with this many shapes and nodes.
    pub(crate) fn fits(&self, shapes: usize, nodes: usize) -> bool {
        are_pairs(&self.armed, shapes)
            && self.slipping.windows(2).all(|pairs| pairs[0] < pairs[1])
            && self.links.iter().all(|link| link[0] < link[1] && link[1] < nodes)
            && self.links.windows(2).all(|links| links[0] < links[1])
    }
}

/// Evaluates residuals, linearisations and accelerations for one topology.
#[derive(Debug, Clone)]
pub struct Evaluator {
    /// Numbers of the last evaluation.
    pub workspace: Workspace,
    /// Newton's matrix of the last linearisation, which the integrator may use for many steps.
    pub(super) tree: TreeSolver,
    pub(super) branch_coupling: BranchCoupling,
    /// Collision shapes and active contacts.
    pub contacts: Contacts,
    /// Welds that close kinematic loops.
    pub loops: Loops,
    /// The mass matrix; separate from `tree`, so that accelerations can be computed between two solves.
    pub(super) masses: TreeSolver,
    newton: bool,
    /// Pairs that took part in the last linearisation.
    linearized: Vec<(PairId, ContactConstants)>,
    /// Those of them that stuck to each other, whose stiffness hides from Newton's iteration that they slip.
    sticking: Vec<PairId>,
    /// Those of them that the last evaluation found slipping.
    found_slipping: Vec<PairId>,
    /// Pairs that were linearised as slipping although they may not have reached the bound yet.
    slipping: Vec<PairId>,
    /// Components with their discrete values.
    pub components: ComponentSystem,
    /// Solvers of mechanics and components together, if there are components.
    pub(super) component_newton: Option<Box<ComponentNewton>>,
    pub(super) exact: ExactPoint,
    /// What the equations of motion still lack at accelerations that have been solved for.
    remainder: Vec<f64>,
}

impl Evaluator {
    /// An evaluator for a topology; all memory is allocated here.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let (contacts, loops) = (Contacts::new(topology), Loops::new(topology));
        Self {
            workspace: Workspace::new(topology),
            tree: TreeSolver::new(topology, &loops, Purpose::Newton),
            branch_coupling: BranchCoupling::new(topology, &contacts),
            contacts,
            masses: TreeSolver::new(topology, &loops, Purpose::Accelerations),
            loops,
            newton: false,
            linearized: Vec::new(),
            sticking: Vec::new(),
            found_slipping: Vec::new(),
            slipping: Vec::new(),
            components: ComponentSystem::default(),
            component_newton: None,
            exact: ExactPoint::default(),
            remainder: Vec::new(),
        }
    }

    /// Re-initialises for another topology, reusing allocations, as a new evaluator would be; components are to be set.
    pub(crate) fn fit(&mut self, topology: &Topology) {
        self.workspace.fit(topology);
        self.loops = Loops::new(topology);
        self.tree.fit(topology, &self.loops);
        self.masses.fit(topology, &self.loops);
        self.contacts.fit(topology);
        self.branch_coupling.fit(topology, &self.contacts);
        self.newton = false;
        self.linearized.clear();
        self.sticking.clear();
        self.found_slipping.clear();
        self.slipping.clear();
        self.components = ComponentSystem::default();
        self.component_newton = None;
    }

    /// Number of coefficients a linear solve uses: a measure of work that does not depend on the machine.
    #[must_use]
    pub fn num_nonzeros(&self) -> usize {
        let components = self.component_newton.as_ref().map_or(0, |newton| newton.num_nonzeros());
        self.tree.num_nonzeros() + self.branch_coupling.num_nonzeros() + components
    }

    /// Threads that share out evaluations; results do not depend on their number.
    pub fn share_with(&mut self, workers: &Workers) {
        self.contacts.share_with(workers);
    }

    /// Sets the active contacts.
    pub fn set_contacts(&mut self, topology: &Topology, active: &[ActiveContact]) {
        self.contacts.set_active(topology, active);
    }

    /// What the structure of the Newton matrix in use depends on besides the model.
    #[must_use]
    pub fn linearized_contacts(&self) -> LinearizedContacts {
        LinearizedContacts {
            armed: self.linearized.clone(),
            links: self.branch_coupling.links(),
            slipping: self.slipping.clone(),
        }
    }

    /// Prepares the linearisation of a saved state: with the pairs and the structure of that time.
    pub fn set_linearized_contacts(&mut self, topology: &Topology, saved: &LinearizedContacts) {
        self.contacts.clear();
        self.contacts.arm(topology, saved.armed.iter().map(|(pair, constants)| (*pair, constants)));
        self.found_slipping.clone_from(&saved.slipping);
        self.branch_coupling.set_links(topology, saved.links.clone());
    }

    /// Empties all caches that carry over from one evaluation to the next, so that what follows depends on its
    /// arguments only. Called at the beginning of every step of the integrator, of every linearisation and of
    /// everything evaluated in between: saved states need no caches.
    pub fn forget(&mut self) {
        self.contacts.forget();
    }

    /// Motion and forces of all bodies for given accelerations; the time is that of `signals`. Multipliers of loops
    /// may follow the accelerations; without them they count as zero.
    pub fn evaluate(&mut self, topology: &Topology, q: &[f64], v: &[f64], vdot: &[f64], signals: &mut Signals) {
        let workspace = &mut self.workspace;
        workspace.drive(topology, signals);
        workspace.move_bodies(topology, q, v, vdot);
        self.evaluate_components(topology, q, v, vdot, signals);
        if self.loops.exist() {
            self.loops.update(topology, &self.workspace);
        }
        self.apply(topology, q, v, vdot, signals);
    }

    /// As [`Evaluator::evaluate`] for other accelerations and multipliers at the positions and velocities evaluated
    /// last.
    fn evaluate_again(
        &mut self,
        topology: &Topology,
        EvaluationPoint { q, v }: EvaluationPoint<'_>,
        vdot: &[f64],
        signals: &mut Signals,
    ) {
        self.workspace.move_bodies(topology, q, v, vdot);
        self.evaluate_components(topology, q, v, vdot, signals);
        self.loops.update_accelerations(topology, &self.workspace);
        self.apply(topology, q, v, vdot, signals);
    }

    /// Adds the wrenches of the multipliers behind the accelerations, if there are any.
    pub(super) fn apply_multipliers(&mut self, topology: &Topology, vdot: &[f64]) {
        if let Some(lambda) = multipliers(topology, vdot) {
            self.loops.apply(topology, lambda, &mut self.workspace.applied);
        }
    }

    /// Values of components for given motion; prescribed motions are known.
    pub fn evaluate_components(
        &mut self,
        topology: &Topology,
        q: &[f64],
        v: &[f64],
        vdot: &[f64],
        signals: &mut Signals,
    ) {
        if !self.components.is_empty() {
            let (x, xp) = (&v[own_part(topology)..], &vdot[own_part(topology)..]);
            let workspace = &self.workspace;
            self.components.evaluate(&MechanicalPoint { q, v, vdot, workspace, topology }, x, xp, signals);
        }
    }

    /// Writes the residual of `y' = [q', v', lambda, mu]`: `q' - N(q) (v - G^T mu)`, `M v' - h(q, v, t) - G^T lambda`,
    /// `G v + g_t` and `g`.
    pub fn residual(&mut self, topology: &Topology, y: &[f64], yp: &[f64], signals: &mut Signals, out: &mut [f64]) {
        let (q, v) = y.split_at(topology.num_q);
        let (qdot, vdot) = yp.split_at(topology.num_q);
        self.evaluate(topology, q, v, vdot, signals);
        let (out_q, out_v) = out.split_at_mut(topology.num_q);
        if !self.components.is_empty() {
            let own = own_part(topology);
            self.components.residual(&v[own..], &vdot[own..], signals.time(), &mut out_v[own..]);
        }
        let (out_v, out_loops) = out_v.split_at_mut(topology.num_v);
        if self.loops.exist() {
            let multipliers = &vdot[topology.num_v..];
            self.loops.residual(multipliers, out_loops);
            let v = self.loops.corrected_velocities(v, &multipliers[topology.num_multipliers()..]);
            position_rates(topology, q, v, out_q);
        } else {
            position_rates(topology, q, v, out_q);
        }
        for (rate, qdot) in out_q.iter_mut().zip(qdot) {
            *rate = qdot - *rate;
        }
        self.workspace.joint_balance(topology, out_v);
    }

    /// Whether contacts that stuck to each other at the last linearisation slipped at the last evaluation, by more than
    /// a part of the greatest friction. The stiffness of sticking makes small corrections of large errors, which
    /// Newton's iteration takes for the end; the next linearisation lets these contacts slip.
    pub fn find_slipping(&mut self, tolerance: f64) -> bool {
        if self.sticking.is_empty() {
            return false;
        }
        self.found_slipping.clear();
        self.found_slipping.extend(self.contacts.slipping(&self.sticking, tolerance));
        !self.found_slipping.is_empty()
    }

    /// Prepares [`Evaluator::solve`] for `J = df/dy + c_j df/dy'`.
    ///
    /// # Errors
    /// [`EvaluationError`] naming the joint that has no inertia to act on.
    pub fn linearize(
        &mut self,
        topology: &Topology,
        c_j: f64,
        y: &[f64],
        yp: &[f64],
        signals: &mut Signals,
    ) -> Result<(), EvaluationError> {
        self.linearize_held(topology, c_j, y, yp, signals, &[])
    }

    /// As [`Evaluator::linearize`] for a mechanism whose velocity variables that are `held` stay as they are.
    ///
    /// # Errors
    /// As [`Evaluator::linearize`].
    pub(crate) fn linearize_held(
        &mut self,
        topology: &Topology,
        c_j: f64,
        y: &[f64],
        yp: &[f64],
        signals: &mut Signals,
        held: &[bool],
    ) -> Result<(), EvaluationError> {
        let (q, v) = y.split_at(topology.num_q);
        self.forget();
        self.evaluate(topology, q, v, &yp[topology.num_q..], signals);
        // Joints without laws keep their forces from evaluation to evaluation.
        let loose = if held.is_empty() { Vec::new() } else { self.workspace.joint_forces.clone() };
        for (force, _) in self.workspace.joint_forces.iter_mut().zip(held).filter(|(_, held)| **held) {
            force.per_velocity -= BRAKE;
        }
        let result = self.linearize_evaluated(topology, c_j, y, yp, signals);
        if !held.is_empty() {
            self.workspace.joint_forces.clone_from(&loose);
        }
        result
    }

    /// As [`Evaluator::linearize`], at the point evaluated last.
    fn linearize_evaluated(
        &mut self,
        topology: &Topology,
        c_j: f64,
        y: &[f64],
        yp: &[f64],
        signals: &mut Signals,
    ) -> Result<(), EvaluationError> {
        let (q, v) = y.split_at(topology.num_q);
        self.tree.begin(topology, &self.workspace);
        self.linearized.clear();
        self.linearized.extend(self.contacts.armed().map(|(pair, constants)| (pair, *constants)));
        std::mem::swap(&mut self.slipping, &mut self.found_slipping);
        self.found_slipping.clear();
        self.contacts.let_slip(&self.slipping);
        self.sticking.clear();
        self.sticking.extend(self.contacts.sticking());
        self.branch_coupling.adapt(topology, &self.contacts);
        self.branch_coupling.linearize(topology, &self.workspace.bodies, &self.contacts, signals, &mut self.tree);
        self.newton = true;
        let lambda = multipliers(topology, &yp[topology.num_q..]);
        if let Some(lambda) = lambda {
            self.tree.add_closure_stiffness(topology, &self.loops, lambda);
        }
        eliminate(&mut self.tree, System::Newton { c_j }, topology, &self.workspace, &EvaluationPoint { q, v })?;
        factor_closures(&mut self.tree, topology, &self.loops, Some(lambda.unwrap_or_default()))?;
        self.branch_coupling.factor(topology, &mut self.tree)?;
        self.linearize_components(topology, c_j, y, yp, signals)
    }

    /// Whether all pivots of the mechanics' linearisation are positive.
    pub(crate) fn is_definite(&self, topology: &Topology) -> bool {
        self.tree.is_definite(topology)
    }

    /// Solves `J x = b` in place.
    pub fn solve(&mut self, topology: &Topology, b: &mut [f64]) {
        debug_assert!(self.newton, "solve without linearize");
        match &mut self.component_newton {
            Some(newton) => newton.solve(topology, &mut self.branch_coupling, &mut self.tree, b),
            None => self.branch_coupling.solve(topology, &mut self.tree, b),
        }
    }

    /// Computes the accelerations `v' = M^-1 (h(q, v, t) + G^T lambda)` that keep all loops closed, and leaves the
    /// workspace evaluated with them. With loops, `vdot` has room for the multipliers; they follow the accelerations.
    ///
    /// # Errors
    /// [`EvaluationError::Fatal`] naming the joint that has no inertia to act on.
    pub fn accelerations(
        &mut self,
        topology: &Topology,
        q: &[f64],
        v: &[f64],
        signals: &mut Signals,
        vdot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        vdot.fill(0.0);
        self.loops.write_reference(&mut vdot[topology.num_v..]);
        self.accelerations_near(topology, EvaluationPoint { q, v }, signals, vdot)
    }

    /// As [`Evaluator::accelerations`]; with hinges, the iteration starts from `vdot` \[m/s², rad/s²; N, N m\].
    ///
    /// # Errors
    /// As there.
    pub(super) fn accelerations_near(
        &mut self,
        topology: &Topology,
        EvaluationPoint { q, v }: EvaluationPoint<'_>,
        signals: &mut Signals,
        vdot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let has_hinges = self.loops.have_hinges();
        if has_hinges {
            self.evaluate(topology, q, v, vdot, signals);
            self.eliminate_masses(topology, &EvaluationPoint { q, v })?;
            self.solve_with_hinges(topology, EvaluationPoint { q, v }, signals, vdot)?;
        } else {
            vdot.fill(0.0);
            self.evaluate(topology, q, v, vdot, signals);
            let (forces, gaps) = vdot.split_at_mut(topology.num_v);
            self.workspace.joint_balance(topology, forces);
            forces.iter_mut().for_each(|x| *x = -*x);
            self.eliminate_masses(topology, &EvaluationPoint { q, v })?;
            if self.loops.exist() {
                self.loops.acceleration_residual(&[], gaps);
                factor_closures(&mut self.masses, topology, &self.loops, Some(&[]))?;
            }
            self.masses.solve(topology, vdot, false);
            if topology.has_traces {
                self.refine(topology, q, v, signals, vdot);
            }
        }
        if !vdot.iter().all(|x| x.is_finite()) {
            let expression = self.workspace.without_value(topology, q, v, signals);
            return Err(expression.map_or_else(|| not_finite(topology, vdot), EvaluationError::Fatal));
        }
        if has_hinges {
            self.evaluate_again(topology, EvaluationPoint { q, v }, vdot, signals);
            return Ok(());
        }
        if topology.has_traces {
            self.evaluate(topology, q, v, vdot, signals);
            return Ok(());
        }
        self.workspace.move_bodies(topology, q, v, vdot);
        if let Some(lambda) = multipliers(topology, vdot) {
            self.loops.update(topology, &self.workspace);
            self.loops.apply(topology, lambda, &mut self.workspace.applied);
        }
        self.workspace.balance(topology);
        Ok(())
    }
}

impl Evaluator {
    /// Factorises the mass matrix in the memory in which Newton's matrix is factorised.
    ///
    /// # Errors
    /// [`EvaluationError::Fatal`] naming the joint that has no inertia to act on.
    pub(super) fn eliminate_masses(
        &mut self,
        topology: &Topology,
        point: &EvaluationPoint<'_>,
    ) -> Result<(), EvaluationError> {
        let Self { masses, tree, workspace, .. } = self;
        std::mem::swap(&mut masses.impedances, &mut tree.impedances);
        masses.begin(topology, workspace);
        let result = eliminate(masses, System::Accelerations, topology, workspace, point);
        std::mem::swap(&mut masses.impedances, &mut tree.impedances);
        result
    }

    /// Solves for accelerations where bodies rest or slide on each other. Hinges yield, which makes the forces unique:
    /// those nearest to the forces at which they do not. The second time that counts from the forces of the first, so
    /// that accelerations are free of it; more often it would only add up by what redundant hinges contradict each
    /// other. The masses are eliminated.
    fn solve_with_hinges(
        &mut self,
        topology: &Topology,
        point: EvaluationPoint<'_>,
        signals: &mut Signals,
        vdot: &mut [f64],
    ) -> Result<(), EvaluationError> {
        self.loops.seek_from_reference();
        self.solve_yielding(topology, point, signals, vdot, true)?;
        for _ in 1..SEARCHES {
            self.loops.seek_from(&vdot[topology.num_v..]);
            self.solve_yielding(topology, point, signals, vdot, false)?;
        }
        Ok(())
    }

    /// As [`Evaluator::solve_with_hinges`], with hinges that yield from given forces on, by Newton's method: where
    /// bodies slide and spin, the direction of friction depends on where the normal forces act. The first search
    /// factorises the matrix; later rounds and searches keep it while their steps shrink fast enough. The first search
    /// begins where everything has been evaluated.
    fn solve_yielding(
        &mut self,
        topology: &Topology,
        EvaluationPoint { q, v }: EvaluationPoint<'_>,
        signals: &mut Signals,
        vdot: &mut [f64],
        is_first: bool,
    ) -> Result<(), EvaluationError> {
        let mut step = std::mem::take(&mut self.remainder);
        step.resize(vdot.len(), 0.0);
        let (mut result, spins) = (Ok(()), self.loops.spins());
        let (mut before, mut is_needed) = (f64::INFINITY, is_first);
        for round in 0..if spins { MOST_DIRECTIONS } else { REFINEMENTS } {
            step.fill(0.0);
            if !is_first || round > 0 {
                self.evaluate_again(topology, EvaluationPoint { q, v }, vdot, signals);
            }
            let (forces, gaps) = step.split_at_mut(topology.num_v);
            self.workspace.joint_balance(topology, forces);
            forces.iter_mut().for_each(|x| *x = -*x);
            let lambda = multipliers(topology, vdot).unwrap_or_default();
            self.loops.acceleration_residual(lambda, gaps);
            if is_needed {
                result = factor_closures(&mut self.masses, topology, &self.loops, Some(lambda));
            }
            if result.is_err() {
                break;
            }
            self.masses.solve(topology, &mut step, false);
            vdot.iter_mut().zip(&step).for_each(|(x, dx)| *x += dx);
            let size = |x: &[f64]| x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let (change, size) = (size(&step[topology.num_v..]), size(&vdot[topology.num_v..]));
            // Rounding errors do not fall any more.
            let is_still = round >= REFINEMENTS && change > 0.5 * before && (is_needed || !spins);
            if change <= SAME_DIRECTION * size || is_still || !size.is_finite() {
                break;
            }
            is_needed = spins && change > LEADS_ON * before;
            before = change;
        }
        self.remainder = step;
        result
    }

    /// Solves again for what the equations of motion still lack. The factorisation divides by traces of inertia, which
    /// costs half of the digits; the system itself is regular, so every round gives them back (iterative refinement:
    /// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 12).
    fn refine(&mut self, topology: &Topology, q: &[f64], v: &[f64], signals: &mut Signals, vdot: &mut [f64]) {
        let mut remainder = std::mem::take(&mut self.remainder);
        remainder.resize(vdot.len(), 0.0);
        for _ in 0..REFINEMENTS {
            remainder.fill(0.0);
            self.evaluate(topology, q, v, vdot, signals);
            let (forces, gaps) = remainder.split_at_mut(topology.num_v);
            self.workspace.joint_balance(topology, forces);
            forces.iter_mut().for_each(|x| *x = -*x);
            let lambda = multipliers(topology, vdot);
            self.loops.acceleration_residual(lambda.unwrap_or_default(), gaps);
            self.masses.solve(topology, &mut remainder, false);
            vdot.iter_mut().zip(&remainder).for_each(|(x, dx)| *x += dx);
        }
        self.remainder = remainder;
    }

    /// Changes velocities by the impulses in all loops that stop their gaps from opening: `M dv = G^T p`,
    /// `G (v + dv) + g_t = 0`. No other change costs less energy: there is no friction in it, which would turn errors of
    /// rounding into large velocities where sliding bodies almost jam. `work` has room for velocities and multipliers.
    ///
    /// # Errors
    /// [`EvaluationError`] naming a joint without inertia or a loop in a singular configuration.
    pub(crate) fn project_velocities(
        &mut self,
        topology: &Topology,
        q: &[f64],
        v: &mut [f64],
        work: &mut [f64],
    ) -> Result<(), EvaluationError> {
        work.fill(0.0);
        self.workspace.move_bodies(topology, q, v, work);
        self.workspace.balance(topology);
        self.loops.update(topology, &self.workspace);
        self.eliminate_masses(topology, &EvaluationPoint { q, v })?;
        factor_closures(&mut self.masses, topology, &self.loops, None)?;
        for _ in 0..2 {
            work.fill(0.0);
            self.loops.rate_residual(&mut work[topology.num_v..]);
            self.masses.solve(topology, work, false);
            v.iter_mut().zip(&*work).for_each(|(v, dv)| *v += dv);
            work.fill(0.0);
            self.workspace.move_bodies(topology, q, v, work);
            self.loops.update(topology, &self.workspace);
        }
        Ok(())
    }
}

/// How often accelerations are sought where bodies rest on each other.
const SEARCHES: usize = 2;

/// Rounds in which the direction of friction is found, and the relative change of multipliers that ends them.
const MOST_DIRECTIONS: usize = 50;
const SAME_DIRECTION: f64 = 1e-12;

/// Ratio of successive steps above which the matrix is factorised anew.
const LEADS_ON: f64 = 0.03;

/// Damping that lets nothing move \[N s/m, N m s/rad\].
const BRAKE: f64 = 1e30;

/// States whose squares are still numbers \[SI\].
const LARGEST_STATE: f64 = 1e150;

/// Multipliers of the velocity level behind the accelerations, if there are any.
fn multipliers<'a>(topology: &Topology, vdot: &'a [f64]) -> Option<&'a [f64]> {
    let n = topology.num_multipliers();
    if n == 0 { None } else { vdot.get(topology.num_v..topology.num_v + n) }
}

pub(super) fn factor_closures(
    tree: &mut TreeSolver,
    topology: &Topology,
    loops: &Loops,
    multipliers: Option<&[f64]>,
) -> Result<(), EvaluationError> {
    tree.factor_closures(topology, loops, multipliers).map_err(|k| {
        EvaluationError::Recoverable(format!(
            "the loop that `{}` closes is in a singular configuration: its bodies can move in more ways than elsewhere",
            topology.closures[k].name
        ))
    })
}

pub(super) fn eliminate(
    tree: &mut TreeSolver,
    system: System,
    topology: &Topology,
    workspace: &Workspace,
    point: &EvaluationPoint<'_>,
) -> Result<(), EvaluationError> {
    tree.eliminate(system, topology, workspace, point).map_err(|node| {
        let fits = |x: &f64| x.abs() < LARGEST_STATE;
        if !(point.q.iter().all(fits) && point.v.iter().all(fits)) {
            return EvaluationError::Recoverable(format!(
                "the motion of `{}` leaves the range of numbers: lengths or forces are too large for its masses",
                topology.nodes[node].name
            ));
        }
        if matches!(system, System::Newton { .. }) {
            // Without mass the motion could not have started: the step is too long, e.g. for gyroscopic moments.
            return EvaluationError::Recoverable(format!(
                "the motion of `{}` has no unique solution for a step as long as this one; take a smaller tolerance",
                topology.nodes[node].name
            ));
        }
        let has_mass = topology.nodes[node].inertia.m > 0.0;
        let center = workspace.bodies[node].p + workspace.bodies[node].rotation * topology.nodes[node].inertia.p_bo_bcm;
        if has_mass && !topology.gravity.acceleration(&center).iter().all(|g| g.is_finite()) {
            return EvaluationError::Fatal(format!(
                "gravity on `{}` is not finite: its centre of mass is in the point that attracts it, or too far away",
                topology.nodes[node].name
            ));
        }
        if has_mass && matches!(topology.nodes[node].mobilizer, Mobilizer::Free | Mobilizer::Spherical) {
            return EvaluationError::Fatal(format!(
                "`{}` has nothing to move: it has {} kg but no mass or inertia in the direction of its rotation, so that nothing says how it \
                 turns; give it an `inertia` or a solid, or let joints guide it",
                topology.nodes[node].name, topology.nodes[node].inertia.m
            ));
        }
        EvaluationError::Fatal(format!(
            "`{}` has nothing to move: the bodies it carries have no mass or inertia in the direction of its motion; \
             give them a solid or mass properties",
            topology.nodes[node].name
        ))
    })
}

/// Names what accelerates without bound, and the lightest body of all that move, which is often the one to blame.
pub(super) fn not_finite(topology: &Topology, vdot: &[f64]) -> EvaluationError {
    let moves = vdot.iter().position(|x| !x.is_finite()).map_or("", |v| topology.owner_of(topology.num_q + v));
    let moving = topology.nodes.iter().filter(|node| node.mobilizer.num_v() > 0 && node.inertia.m > 0.0);
    let lightest = moving.min_by(|a, b| a.inertia.m.total_cmp(&b.inertia.m));
    let lightest = lightest.map_or_else(String::new, |node| {
        format!("; the lightest that moves, at `{}`, has {:e} kg", node.name, node.inertia.m)
    });
    EvaluationError::Fatal(format!(
        "the acceleration of `{moves}` is not finite: forces are too large for the masses that they move{lightest}"
    ))
}

/// Writes `q' = N(q) v`.
pub(crate) fn position_rates(topology: &Topology, q: &[f64], v: &[f64], out: &mut [f64]) {
    let k = normalisation_rate(&topology.scales);
    for node in &topology.nodes {
        match node.mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => {}
            Mobilizer::Axis { .. } => out[node.q] = v[node.v],
            Mobilizer::Spherical | Mobilizer::Free => {
                let w = Vec3::new(v[node.v], v[node.v + 1], v[node.v + 2]);
                out[node.q..node.q + 4].copy_from_slice(&quaternion_rate(&quaternion_at(q, node.q), &w, k));
            }
        }
        if node.mobilizer == Mobilizer::Free {
            out[node.q + 4..node.q + 7].copy_from_slice(&v[node.v + 3..node.v + 6]);
        }
    }
}
