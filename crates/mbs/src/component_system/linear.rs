//! The linear system of components and mechanics together.
//!
//! With the mechanics' matrix `A`, the residuals `r` of components and the actions `w` of components on the mechanics
//! (efforts on joints, values that force laws read), Newton's system is
//!
//! ```text
//! A dy + F dw = b        dr/dx dx + dr/du du = b_c        dw = dw/dx dx + dw/du du        du = R dy
//! ```
//!
//! where `u` are the joint coordinates that components touch. `G = -R A^-1 F` needs one solve of the mechanics' own
//! structured solver per action of one block (mechanisms that do not influence each other share a solve). What remains
//! is a small sparse system for `dx` and `du`, factorised with pivoting. Derivatives come from differences, columns
//! that share no equation together.

use super::dependency::trace;
use super::pattern::{Action, Probe, actions_of, blocks_of, color, influences, pattern, probes_of, rows_by_column};
use super::system::ComponentSystem;
use crate::component::Motion;
use crate::force::Signals;
use crate::linalg::SparseLu;
use crate::newton_euler::Workspace;
use crate::topology::Topology;

/// Variables of components and their derivatives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComponentPoint<'a> {
    /// Variables.
    pub x: &'a [f64],
    /// Their derivatives.
    pub xp: &'a [f64],
}

/// Which linear system is solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unknowns {
    /// Newton's matrix `df/dy + c_j df/dy'`.
    Newton {
        /// `c_j`.
        c_j: f64,
    },
    /// Derivatives of differential variables and values of algebraic ones.
    Start,
}

/// Solver of the combined system; sized for one topology and one set of components.
#[derive(Debug, Clone)]
pub(crate) struct CoupledSolver {
    num_x: usize,
    probes: Vec<Probe>,
    actions: Vec<Action>,
    /// Rows (residuals, then actions) that depend on each column (variables, then probes).
    rows_of: Vec<Vec<usize>>,
    slopes: Vec<Vec<f64>>,
    /// Columns that are differenced together.
    colors: Vec<Vec<usize>>,
    steps: Vec<f64>,
    nominal: Vec<f64>,
    algebraic: Vec<bool>,
    /// Response of every probe to every action.
    gain: Vec<f64>,
    lu: SparseLu,
    base: Vec<f64>,
    moved: Vec<f64>,
    x: Vec<f64>,
    xp: Vec<f64>,
    joints: Vec<Motion>,
    observed: Vec<f64>,
    right: Vec<f64>,
    response: Vec<f64>,
    /// Change of the actions in the last solution.
    change: Vec<f64>,
    num_blocks: usize,
    /// Action that excites each block in one solve, and actions done.
    of_block: Vec<usize>,
    done: Vec<bool>,
}

impl CoupledSolver {
    /// Analyses the structure; `newton` selects Newton's system instead of that of consistent derivatives.
    pub fn new(topology: &Topology, system: &ComponentSystem, signals: &Signals, newton: bool) -> Self {
        let slots = signals.mechanical_slots();
        let merged = !slots.is_empty() || !system.observed.is_empty();
        let (blocks, num_blocks) = blocks_of(topology, system, merged);
        let (probes, columns) = probes_of(topology, system, &blocks, newton);
        let dependencies = trace(system, signals, &columns, slots);
        reserve::check();
        let actions = actions_of(topology, system, &dependencies, slots, &columns.blocks, newton);
        let num_x = system.num_variables();
        let columns = num_x + probes.len();
        let rows_of = rows_by_column(&dependencies, &actions, columns);
        reserve::check();
        let num_rows = num_x + actions.len();
        let mechanical = topology.num_variables() - if newton { 0 } else { topology.num_q };
        let lu = SparseLu::new(columns, &pattern(&rows_of, num_x, &probes, &actions));
        Self {
            num_x,
            slopes: rows_of.iter().map(|rows| vec![0.0; rows.len()]).collect(),
            colors: color(&rows_of, num_rows),
            rows_of,
            steps: vec![0.0; columns],
            nominal: system.nominal(),
            algebraic: system.differential().iter().map(|differential| !differential).collect(),
            gain: vec![0.0; probes.len() * actions.len()],
            lu,
            base: vec![0.0; num_rows],
            moved: vec![0.0; num_rows],
            x: vec![0.0; num_x],
            xp: vec![0.0; num_x],
            joints: system.joints.clone(),
            observed: vec![0.0; system.observed.len()],
            right: vec![0.0; columns],
            response: vec![0.0; mechanical],
            change: vec![0.0; actions.len()],
            num_blocks,
            of_block: vec![0; num_blocks],
            done: vec![false; actions.len()],
            probes,
            actions,
        }
    }

    /// Coefficients of the factors.
    pub fn num_nonzeros(&self) -> usize {
        self.lu.num_nonzeros()
    }

    /// Whether the equation of a variable of components does not contain its derivative.
    pub fn is_algebraic(&self, variable: usize) -> bool {
        self.algebraic[variable]
    }

    /// Whether components act on the mechanics.
    pub fn acts(&self) -> bool {
        !self.actions.is_empty()
    }

    /// From now on everything that components touch counts as connected, e.g. by contacts.
    pub fn merge_blocks(&mut self) {
        if self.num_blocks <= 1 {
            return;
        }
        self.num_blocks = 1;
        self.of_block.truncate(1);
        for probe in &mut self.probes {
            if let Probe::Joint { block, .. } = probe {
                *block = 0;
            }
        }
        for action in &mut self.actions {
            if let Action::Effort { block, .. } = action {
                *block = 0;
            }
        }
        self.lu = SparseLu::new(self.rows_of.len(), &pattern(&self.rows_of, self.num_x, &self.probes, &self.actions));
    }

    /// The slot of an action whose influence on the mechanics must be set by [`CoupledSolver::set_column`] before a
    /// linearisation; none for efforts.
    pub fn slot_of(&self, action: usize) -> Option<usize> {
        match &self.actions[action] {
            Action::Slot { slot, .. } => Some(*slot),
            Action::Effort { .. } => None,
        }
    }

    /// Number of actions of components on the mechanics.
    pub fn num_actions(&self) -> usize {
        self.actions.len()
    }

    /// Sets the derivative of the mechanics' residual with respect to the slot of an action.
    pub fn set_column(&mut self, action: usize, derivative: impl Iterator<Item = f64>) {
        if let Action::Slot { column, .. } = &mut self.actions[action] {
            column.iter_mut().zip(derivative).for_each(|(to, from)| *to = from);
        }
    }

    /// Sets the derivatives of motions of bodies with respect to positions and velocities; `y` is changed and put back.
    pub fn observe(&mut self, topology: &Topology, workspace: &Workspace, system: &ComponentSystem, y: &mut [f64]) {
        for probe in &mut self.probes {
            if let Probe::Motion { observed, row } = probe {
                system.observed[*observed].differentiate(topology, workspace, y, row);
            }
        }
    }

    /// Whether [`CoupledSolver::observe`] has anything to do.
    pub fn observes(&self) -> bool {
        !self.observed.is_empty()
    }

    /// Forms and factorises the matrix; `solve` is that of the mechanics' matrix.
    ///
    /// # Errors
    /// The variable whose equation is singular.
    pub fn linearize(
        &mut self,
        unknowns: Unknowns,
        system: &mut ComponentSystem,
        ComponentPoint { x, xp }: ComponentPoint<'_>,
        signals: &mut Signals,
        solve: &mut dyn FnMut(&mut [f64]),
    ) -> Result<(), usize> {
        self.difference(unknowns, system, x, xp, signals);
        self.respond(solve);
        self.assemble();
        self.lu.factor()
    }

    fn difference(
        &mut self,
        unknowns: Unknowns,
        system: &mut ComponentSystem,
        x: &[f64],
        xp: &[f64],
        signals: &mut Signals,
    ) {
        self.x.copy_from_slice(x);
        self.xp.copy_from_slice(xp);
        self.joints.copy_from_slice(&system.joints);
        self.observed.iter_mut().zip(&system.observed).for_each(|(value, observed)| *value = observed.value);
        let mut base = std::mem::take(&mut self.base);
        let mut moved = std::mem::take(&mut self.moved);
        self.functions(system, signals, &mut base);
        self.base = base;
        for k in 0..self.colors.len() {
            // At the end of a table that has no values behind it only the way back has any.
            for by in [1.0, -1.0] {
                for c in 0..self.colors[k].len() {
                    self.shift(self.colors[k][c], by, unknowns, system, x, xp);
                }
                self.functions(system, signals, &mut moved);
                let mut is_finite = true;
                for c in 0..self.colors[k].len() {
                    let column = self.colors[k][c];
                    for (slope, &row) in self.slopes[column].iter_mut().zip(&self.rows_of[column]) {
                        *slope = (moved[row] - self.base[row]) / (by * self.steps[column]);
                        is_finite &= slope.is_finite();
                    }
                    self.shift(column, 0.0, unknowns, system, x, xp);
                }
                if is_finite {
                    break;
                }
            }
        }
        self.functions(system, signals, &mut moved);
        self.moved = moved;
    }

    /// Residuals of components, then actions.
    fn functions(&mut self, system: &mut ComponentSystem, signals: &mut Signals, out: &mut [f64]) {
        system.evaluate_loaded(&self.x, &self.xp, signals);
        let (residuals, actions) = out.split_at_mut(self.num_x);
        system.residual(&self.x, &self.xp, signals.time(), residuals);
        for (out, action) in actions.iter_mut().zip(&self.actions) {
            *out = match action {
                Action::Effort { touched, .. } => system.effort_on_joint(*touched),
                Action::Slot { slot, .. } => signals.slot(*slot),
            };
        }
    }

    /// Moves one unknown by its step forward (`by` = 1) or backward (-1), or back to where it was (0).
    fn shift(
        &mut self,
        column: usize,
        by: f64,
        unknowns: Unknowns,
        system: &mut ComponentSystem,
        x: &[f64],
        xp: &[f64],
    ) {
        let step = |value: f64, nominal: f64| {
            let h = STEP * value.abs().max(nominal);
            (value + h) - value
        };
        let Some(k) = column.checked_sub(self.num_x) else {
            let (dx, dxp) = match unknowns {
                Unknowns::Newton { c_j } => {
                    let h = step(x[column], self.nominal[column]);
                    (h, c_j * h)
                }
                Unknowns::Start if self.algebraic[column] => (step(x[column], self.nominal[column]), 0.0),
                // The residual at the start is about the derivative that is sought: a smaller step would be lost in it.
                Unknowns::Start => (0.0, step(xp[column], self.nominal[column].max(self.base[column].abs()))),
            };
            self.steps[column] = if dx == 0.0 { dxp } else { dx };
            self.x[column] = x[column] + by * dx;
            self.xp[column] = xp[column] + by * dxp;
            return;
        };
        let (touched, order) = match &self.probes[k] {
            Probe::Joint { touched, order, .. } => (*touched, *order),
            Probe::Motion { observed, .. } => {
                let value = self.observed[*observed];
                let h = step(value, 1.0);
                self.steps[column] = h;
                system.observed[*observed].value = value + by * h;
                return;
            }
        };
        let motion = &mut system.joints[touched];
        if by == 0.0 {
            *motion = self.joints[touched];
            return;
        }
        let value = [motion.position, motion.velocity, motion.acceleration][usize::from(order)];
        let h = step(value, 1.0);
        self.steps[column] = h;
        match (order, unknowns) {
            (0, _) => motion.position += by * h,
            (1, Unknowns::Newton { c_j }) => {
                motion.velocity += by * h;
                motion.acceleration += by * c_j * h;
            }
            _ => motion.acceleration += by * h,
        }
    }

    fn respond(&mut self, solve: &mut dyn FnMut(&mut [f64])) {
        let num_actions = self.actions.len();
        self.gain.fill(0.0);
        let mut first = 0;
        self.done.fill(false);
        while first < num_actions {
            self.response.fill(0.0);
            self.of_block.fill(usize::MAX);
            let (of_block, done) = (&mut self.of_block, &mut self.done);
            for k in first..num_actions {
                match &self.actions[k] {
                    Action::Effort { row, block, .. } if !done[k] && of_block[*block] == usize::MAX => {
                        of_block[*block] = k;
                        self.response[*row] = 1.0;
                        done[k] = true;
                    }
                    Action::Slot { column, .. } if !done[k] && of_block.iter().all(|&other| other == usize::MAX) => {
                        self.response.iter_mut().zip(column).for_each(|(to, from)| *to = -from);
                        of_block.fill(k);
                        done[k] = true;
                    }
                    _ => {}
                }
            }
            solve(&mut self.response);
            for (i, probe) in self.probes.iter().enumerate() {
                let action = self.of_block[probe.block()];
                if action != usize::MAX {
                    self.gain[i * num_actions + action] = probe.change(&self.response);
                }
            }
            while first < num_actions && self.done[first] {
                first += 1;
            }
        }
    }

    fn assemble(&mut self) {
        self.lu.clear();
        for i in 0..self.probes.len() {
            self.lu.add(self.num_x + i, self.num_x + i, 1.0);
        }
        for (column, rows) in self.rows_of.iter().enumerate() {
            for (&row, &slope) in rows.iter().zip(&self.slopes[column]) {
                let Some(action) = row.checked_sub(self.num_x) else {
                    self.lu.add(row, column, slope);
                    continue;
                };
                for (i, probe) in self.probes.iter().enumerate() {
                    if influences(&self.actions[action], probe) {
                        let gain = self.gain[i * self.actions.len() + action];
                        self.lu.add(self.num_x + i, column, -gain * slope);
                    }
                }
            }
        }
    }

    /// Solves for the change of the components' variables: `b` holds their right-hand side and becomes the solution;
    /// `free` is the mechanics' solution without a change of actions.
    pub fn solve(&mut self, free: &[f64], b: &mut [f64]) {
        let (of_x, of_probes) = self.right.split_at_mut(self.num_x);
        of_x.copy_from_slice(b);
        for (value, probe) in of_probes.iter_mut().zip(&self.probes) {
            *value = probe.change(free);
        }
        self.lu.solve(&mut self.right);
        self.change.fill(0.0);
        for (column, rows) in self.rows_of.iter().enumerate() {
            for (&row, &slope) in rows.iter().zip(&self.slopes[column]) {
                if let Some(action) = row.checked_sub(self.num_x) {
                    self.change[action] += slope * self.right[column];
                }
            }
        }
        b.copy_from_slice(&self.right[..self.num_x]);
    }

    /// Adds the change of actions of the last solution to the right-hand side of the mechanics.
    pub fn act(&self, b: &mut [f64]) {
        for (action, change) in self.actions.iter().zip(&self.change) {
            match action {
                Action::Effort { row, .. } => b[*row] += change,
                Action::Slot { column, .. } => b.iter_mut().zip(column).for_each(|(b, column)| *b -= column * change),
            }
        }
    }
}

/// Relative step of differences.
const STEP: f64 = 1e-7;
