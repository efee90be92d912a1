//! All components of a run: their variables, values and equations.

use std::ops::Range;
use std::sync::Arc;

use super::holder::{Holder, LoadRule};
use super::network::{Geared, GroupMotion, LossyTie, Member, Network, Root, Touched};
use super::observed::Observed;
use super::rate_plan::Rates;
use super::schedule::Schedule;
use crate::component::{Component, EvaluationClass, Motion, Point, Sparsity};
use crate::force::{JointForce, Signal, Signals};
use crate::math::Scales;
use crate::newton_euler::Workspace;
use crate::scene::JointId;
use crate::spatial::AxisCoordinates;
use crate::topology::{Coordinate, Topology};

/// Indicators nearer to zero than this keep their side.
pub(super) const BAND: f64 = 1e-9;

/// The mechanics at the point of evaluation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MechanicalPoint<'a> {
    /// Position variables.
    pub q: &'a [f64],
    /// Velocity variables.
    pub v: &'a [f64],
    /// Accelerations.
    pub vdot: &'a [f64],
    /// Motion of all bodies, prescribed ones included.
    pub workspace: &'a Workspace,
    /// Structure of the segment.
    pub topology: &'a Topology,
}

/// A component with its ranges in the arrays of the system.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub path: String,
    pub component: Arc<dyn Component>,
    pub x: Range<usize>,
    pub z: Range<usize>,
    pub inputs: Range<usize>,
    pub signals: Vec<Signal>,
    pub flanges: Range<usize>,
    pub indicators: Range<usize>,
    /// Slot of the first output, and whether outputs are direct.
    pub first_output: usize,
    pub direct: Vec<bool>,
    /// Flange whose velocity is an input.
    pub driven: Option<usize>,
    /// First of the unknowns that stand for direct outputs in an algebraic loop.
    pub tear: Option<usize>,
    pub sparsity: Sparsity,
    pub first_flange: usize,
    pub input_names: Vec<String>,
    pub output_names: Vec<String>,
    pub state_names: Vec<String>,
    pub state_units: Vec<String>,
    pub nominal: Vec<f64>,
    pub algebraic: Vec<bool>,
    /// Whether its first flange moves along an axis.
    pub translates: bool,
    pub scales: Scales,
}

impl Block {
    /// Number of direct outputs.
    pub fn num_direct(&self) -> usize {
        self.direct.iter().filter(|direct| **direct).count()
    }
}

/// Components of a run with their discrete state and the numbers of the last evaluation.
#[derive(Debug, Clone, Default)]
pub struct ComponentSystem {
    pub(super) blocks: Vec<Block>,
    /// Units of the model.
    pub(super) scales: Scales,
    pub(super) network: Network,
    pub(super) schedule: Schedule,
    pub(super) externals: Vec<(usize, usize, u8)>,
    /// Motion of bodies that expressions read.
    pub(super) observed: Vec<Observed>,
    pub(super) num_x: usize,
    /// Discrete values of all components.
    pub(super) z: Vec<f64>,
    /// Sides on which indicators stand.
    pub(super) sides: Vec<bool>,
    /// What keeps indicators on their sides in the root functions.
    pub(super) margins: Vec<f64>,
    pub(super) inputs: Vec<f64>,
    pub(super) joints: Vec<Motion>,
    pub(super) group_motions: Vec<Motion>,
    pub(super) flanges: Vec<Motion>,
    pub(super) efforts: Vec<f64>,
    pub(super) group_efforts: Vec<f64>,
    pub(super) tear_residuals: Vec<f64>,
    pub(super) scratch: Vec<f64>,
    /// Groups that move with joints through gears with losses.
    pub(super) geared: Vec<Geared>,
    /// Gears with losses as ties between groups, in both directions.
    pub(super) lossy_ties: Vec<LossyTie>,
    /// Components with outputs that are not direct.
    pub(super) early: Vec<usize>,
    /// Components that may hold, and the equations of their efforts.
    pub(super) holders: Vec<Holder>,
    pub(crate) rules: Vec<LoadRule>,
    /// All components with an effort that may hold.
    pub(super) may_hold: Vec<Holder>,
    /// Those of them that hold mechanisms with loops.
    pub(super) in_loops: Vec<Holder>,
    /// Components that changed in the last round of events.
    pub(super) changed: Vec<usize>,
    /// Holders that began to hold in the last round of events, before the equations of efforts were chosen.
    pub(super) fresh: Vec<usize>,
    /// Holders that released their flanges at the present instant.
    pub(super) released: Vec<usize>,
    /// Accelerations of flanges whose velocity is a signal.
    pub(super) rates: Rates,
}

impl ComponentSystem {
    /// Whether there are no components and no values that expressions read from the mechanics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.externals.is_empty() && self.observed.is_empty()
    }

    /// Number of variables of the integrator that belong to components.
    #[must_use]
    pub fn num_variables(&self) -> usize {
        self.num_x
    }

    /// Number of root functions.
    #[must_use]
    pub fn num_roots(&self) -> usize {
        self.sides.len()
    }

    /// Whether each variable is differential.
    pub fn differential(&self) -> Vec<bool> {
        let mut all = vec![true; self.num_x];
        for block in &self.blocks {
            for (k, algebraic) in block.x.clone().zip(&block.algebraic) {
                all[k] = !algebraic;
            }
            if let Some(first) = block.tear {
                all[first..first + block.num_direct()].fill(false);
            }
        }
        all
    }

    /// Size of every variable: the scale of its unit for motions of flanges, value or nominal value of states of
    /// components.
    #[must_use]
    pub fn sizes(&self, x: &[f64]) -> Vec<f64> {
        let mut all = self.scales_of_motions();
        for block in &self.blocks {
            for (k, nominal) in block.x.clone().zip(&block.nominal) {
                all[k] = x[k].abs().max(nominal.abs());
            }
        }
        all
    }

    /// Typical magnitude of every variable.
    pub fn nominal(&self) -> Vec<f64> {
        let mut all = self.scales_of_motions();
        for block in &self.blocks {
            for (k, nominal) in block.x.clone().zip(&block.nominal) {
                all[k] = *nominal;
            }
        }
        all
    }

    /// Scales of the motions of flanges among all variables; 1 for the other variables.
    fn scales_of_motions(&self) -> Vec<f64> {
        let mut all = vec![1.0; self.num_x];
        for group in &self.network.groups {
            let translates = group.motion.as_ref().is_some_and(|motion| motion.translates);
            match group.root {
                Root::Own(at) => {
                    all[at] = self.scales.position_of(translates);
                    all[at + 1] = self.scales.velocity_of(translates);
                }
                Root::Driven(at, ..) => all[at] = self.scales.position_of(translates),
                Root::Ground | Root::Joint(_) => {}
            }
        }
        all
    }

    /// Paths of components that work at discrete times.
    #[must_use]
    pub fn sampled(&self) -> Vec<String> {
        let sampled = self.blocks.iter().filter(|block| block.component.evaluation_class() == EvaluationClass::Sampled);
        sampled.map(|block| block.path.clone()).collect()
    }

    /// Name and unit of a state.
    #[must_use]
    pub fn state_of(&self, variable: usize) -> (String, String) {
        let unit = self
            .blocks
            .iter()
            .find(|block| block.x.contains(&variable))
            .map_or("1", |block| block.state_units.get(variable - block.x.start).map_or("1", String::as_str));
        self.own_motion(variable).unwrap_or_else(|| (self.name_of(variable), unit.to_owned()))
    }

    /// Positions that are variables of their own, each with the velocity behind it: those of drive lines.
    #[must_use]
    pub fn own_motions(&self) -> Vec<[usize; 2]> {
        let own =
            self.network.groups.iter().filter(|group| group.motion.is_some()).filter_map(|group| match group.root {
                Root::Own(at) => Some([at, at + 1]),
                _ => None,
            });
        own.collect()
    }

    /// Name and unit of a position or a velocity that is a variable of its own, as expressions read it.
    fn own_motion(&self, variable: usize) -> Option<(String, String)> {
        self.network.groups.iter().find_map(|group| {
            let (Root::Own(at), Some(GroupMotion { variable_prefix, translates })) = (group.root, &group.motion) else {
                return None;
            };
            let order = variable.checked_sub(at).filter(|order| *order < 2)?;
            let [names, units] =
                if *translates { [["s", "v"], ["m", "m/s"]] } else { [["phi", "w"], ["rad", "rad/s"]] };
            Some((format!("{variable_prefix}.{}", names[order]), units[order].to_owned()))
        })
    }

    /// Name of a variable, for messages.
    #[must_use]
    pub fn name_of(&self, variable: usize) -> String {
        if let Some((name, _)) = self.own_motion(variable) {
            return name;
        }
        for block in &self.blocks {
            if block.x.contains(&variable) {
                let name = block.state_names.get(variable - block.x.start).map_or("x", String::as_str);
                return format!("{}.{name}", block.path);
            }
            if let Some(k) = block.tear.and_then(|first| variable.checked_sub(first)) {
                let mut direct = block.output_names.iter().zip(&block.direct).filter(|(_, direct)| **direct);
                if let Some((name, _)) = direct.nth(k) {
                    return format!("{}.{name}", block.path);
                }
            }
        }
        let moves = |root: &Root| matches!(*root, Root::Driven(at, ..) if at == variable);
        self.network.groups.iter().find(|group| moves(&group.root)).map_or_else(String::new, |group| group.name.clone())
    }

    /// Variables that have a start value of their own, with its name.
    pub(crate) fn start_value_names(&self) -> Vec<(usize, String)> {
        let mut names = Vec::new();
        for block in &self.blocks {
            let states = block.x.clone().zip(&block.state_names);
            names.extend(states.map(|(k, name)| (k, format!("{}.{name}", block.path))));
        }
        for group in &self.network.groups {
            match group.root {
                Root::Own(at) => {
                    names.push((at, format!("{}.phi", group.name)));
                    names.push((at + 1, format!("{}.w", group.name)));
                }
                Root::Driven(at, ..) => names.push((at, format!("{}.phi", group.name))),
                Root::Ground | Root::Joint(_) => {}
            }
        }
        names
    }

    /// Coordinates of joints that components read or act on.
    pub(super) fn touched(&self) -> &[Touched] {
        &self.network.touched
    }

    /// Slots filled from the mechanics: slot, touched joint coordinate, order of the derivative.
    pub(super) fn externals(&self) -> &[(usize, usize, u8)] {
        &self.externals
    }

    /// Takes the motion of touched joints from the mechanics.
    pub(super) fn load_joints(&mut self, at: &MechanicalPoint<'_>) {
        for (motion, touched) in self.joints.iter_mut().zip(&self.network.touched) {
            *motion = match touched.coordinate {
                None => touched.last,
                Some(Coordinate::State { q, v }) => {
                    Motion { position: q.map_or(0.0, |q| at.q[q]), velocity: at.v[v], acceleration: at.vdot[v] }
                }
                Some(Coordinate::Driven { motion }) => {
                    let AxisCoordinates { q, v, a } = at.workspace.motions[motion];
                    Motion { position: q, velocity: v, acceleration: a }
                }
            };
        }
    }

    /// Evaluates everything at a point; slots of expressions hold all values afterwards.
    pub(crate) fn evaluate(&mut self, at: &MechanicalPoint<'_>, x: &[f64], xp: &[f64], signals: &mut Signals) {
        self.load_joints(at);
        for observed in &mut self.observed {
            observed.value = observed.evaluate(at.topology, at.workspace, at.q);
        }
        self.observe_rates(at);
        self.evaluate_loaded(x, xp, signals);
    }

    /// As [`ComponentSystem::evaluate`], with the motion of joints as it was set before.
    pub(super) fn evaluate_loaded(&mut self, x: &[f64], xp: &[f64], signals: &mut Signals) {
        for &(slot, at, order) in &self.externals {
            let motion = &self.joints[at];
            signals.set_slot(slot, if order == 0 { motion.position } else { motion.velocity });
        }
        for observed in &self.observed {
            signals.set_slot(observed.slot, observed.value);
        }
        self.move_groups(x, xp);
        self.move_flanges(signals);
        self.evaluate_outputs(x, xp, signals);
        for _ in 0..self.rates.passes() {
            self.drive_groups(x, xp, signals);
            self.move_flanges(signals);
            self.evaluate_outputs(x, xp, signals);
        }
        self.evaluate_efforts(x, xp, signals.time());
    }

    fn move_groups(&mut self, x: &[f64], xp: &[f64]) {
        for (motion, group) in self.group_motions.iter_mut().zip(&self.network.groups) {
            *motion = match group.root {
                Root::Ground => Motion::default(),
                Root::Joint(at) => self.joints[at],
                Root::Own(at) => Motion { position: x[at], velocity: x[at + 1], acceleration: xp[at + 1] },
                Root::Driven(at, ..) => Motion { position: x[at], velocity: xp[at], acceleration: 0.0 },
            };
        }
    }

    fn move_flanges(&mut self, signals: &mut Signals) {
        for (motion, Member { group, ratio }) in self.flanges.iter_mut().zip(&self.network.members) {
            let of = &self.group_motions[*group];
            motion.position = of.position * ratio;
            motion.velocity = of.velocity * ratio;
            motion.acceleration = of.acceleration * ratio;
        }
        for block in &self.blocks {
            for (k, motion) in self.flanges[block.flanges.clone()].iter().enumerate() {
                signals.set_slot(block.first_flange + 2 * k, motion.position);
                signals.set_slot(block.first_flange + 2 * k + 1, motion.velocity);
            }
        }
    }

    fn evaluate_outputs(&mut self, x: &[f64], xp: &[f64], signals: &mut Signals) {
        for block in &self.blocks {
            let Some(first) = block.tear else { continue };
            let direct = (0..block.direct.len()).filter(|&k| block.direct[k]);
            for (k, output) in direct.enumerate() {
                signals.set_slot(block.first_output + output, x[first + k]);
            }
        }
        for k in 0..self.early.len() {
            self.evaluate_block_outputs(self.early[k], false, x, xp, signals);
        }
        for k in 0..self.schedule.late.len() {
            let block = self.schedule.late[k];
            self.read_inputs(block, signals);
            self.evaluate_block_outputs(block, true, x, xp, signals);
        }
        for block in 0..self.blocks.len() {
            if self.blocks[block].num_direct() == 0 || self.blocks[block].tear.is_some() {
                self.read_inputs(block, signals);
            }
        }
        self.balance_tears(x, xp, signals);
    }

    fn read_inputs(&mut self, block: usize, signals: &mut Signals) {
        let block = &self.blocks[block];
        for (value, signal) in self.inputs[block.inputs.clone()].iter_mut().zip(&block.signals) {
            *value = signals.value(signal);
        }
    }

    fn evaluate_block_outputs(&mut self, block: usize, direct: bool, x: &[f64], xp: &[f64], signals: &mut Signals) {
        let Self { blocks, inputs, flanges, z, scratch, .. } = self;
        let block = &blocks[block];
        if direct && block.tear.is_some() {
            return;
        }
        let out = &mut scratch[..block.direct.len()];
        block.component.outputs(&point(block, inputs, flanges, z, x, xp, signals.time()), out);
        for (k, value) in out.iter().enumerate() {
            if block.direct[k] == direct {
                signals.set_slot(block.first_output + k, *value);
            }
        }
    }

    /// Difference between unknowns that stand for outputs and the outputs.
    fn balance_tears(&mut self, x: &[f64], xp: &[f64], signals: &mut Signals) {
        let Self { blocks, inputs, flanges, z, scratch, tear_residuals, schedule, .. } = self;
        let mut at = 0;
        for &k in &schedule.torn {
            let block = &blocks[k];
            let Some(first) = block.tear else { continue };
            let out = &mut scratch[..block.direct.len()];
            block.component.outputs(&point(block, inputs, flanges, z, x, xp, signals.time()), out);
            let direct = out.iter().zip(&block.direct).filter(|(_, direct)| **direct);
            for (k, (value, _)) in direct.enumerate() {
                tear_residuals[at] = x[first + k] - value;
                at += 1;
            }
        }
    }

    fn evaluate_efforts(&mut self, x: &[f64], xp: &[f64], time: f64) {
        let Self { blocks, inputs, flanges, z, efforts, group_efforts, network, .. } = self;
        for block in blocks.iter().filter(|block| !block.flanges.is_empty()) {
            let at = point(block, inputs, flanges, z, x, xp, time);
            block.component.efforts(&at, &mut efforts[block.flanges.clone()]);
        }
        group_efforts.fill(0.0);
        for (effort, Member { group, ratio }) in efforts.iter().zip(&network.members) {
            group_efforts[*group] += effort * ratio;
        }
        self.react();
    }

    /// A component that prescribes the motion of a flange carries all other loads there, and the inertia.
    fn react(&mut self) {
        for (k, group) in self.network.groups.iter().enumerate() {
            let Root::Driven(_, block, _) = group.root else { continue };
            let Some(driven) = self.blocks[block].driven else { continue };
            let reaction = group.inertia * self.group_motions[k].acceleration - self.group_efforts[k];
            self.efforts[self.blocks[block].flanges.start + driven] += reaction;
        }
    }

    /// Adds the efforts of components to the forces of joints, after those of the joints' own laws.
    pub(crate) fn add_efforts(&self, vdot: &[f64], forces: &mut [JointForce]) {
        for touched in self.network.touched.iter().filter(|touched| touched.is_bare) {
            if let Some(Coordinate::State { v, .. }) = touched.coordinate {
                forces[v] = JointForce::default();
            }
        }
        for (group, effort) in self.network.groups.iter().zip(&self.group_efforts) {
            let Root::Joint(at) = group.root else { continue };
            if let Some(Coordinate::State { v, .. }) = self.network.touched[at].coordinate {
                forces[v].tau += effort - group.inertia * vdot[v];
                forces[v].per_acceleration -= group.inertia;
            }
        }
    }

    /// Effort of components on the touched joint coordinates.
    pub(super) fn effort_on_joint(&self, touched: usize) -> f64 {
        let on = |root: &Root| *root == Root::Joint(touched);
        let position = self.network.groups.iter().position(|group| on(&group.root));
        position.map_or(0.0, |group| self.group_efforts[group])
    }

    /// What components do to a joint's degree of freedom beyond moving their own inertia with it, at the last
    /// evaluation.
    pub(crate) fn net_effort_on(&self, joint: JointId, dof: usize) -> f64 {
        let is_it = |touched: &Touched| (touched.joint, touched.dof) == (joint, dof);
        let Some(at) = self.network.touched.iter().position(is_it) else { return 0.0 };
        let Some(group) = self.network.groups.iter().position(|group| group.root == Root::Joint(at)) else {
            return 0.0;
        };
        self.group_efforts[group] - self.network.groups[group].inertia * self.joints[at].acceleration
    }

    /// Writes the residuals of all variables of components for the last evaluation.
    pub(crate) fn residual(&self, x: &[f64], xp: &[f64], time: f64, out: &mut [f64]) {
        for block in self.blocks.iter().filter(|block| !block.x.is_empty()) {
            let at = point(block, &self.inputs, &self.flanges, &self.z, x, xp, time);
            block.component.residuals(&at, &mut out[block.x.clone()]);
        }
        self.apply_rules(x, xp, time, out);
        let mut tear = self.tear_residuals.iter();
        for &k in &self.schedule.torn {
            let block = &self.blocks[k];
            let rows = block.tear.map_or(0..0, |first| first..first + block.num_direct());
            for (out, residual) in out[rows].iter_mut().zip(&mut tear) {
                *out = *residual;
            }
        }
        for (group, effort) in self.network.groups.iter().zip(&self.group_efforts) {
            match group.root {
                Root::Own(at) => {
                    out[at] = xp[at] - x[at + 1];
                    out[at + 1] = group.inertia * xp[at + 1] - effort;
                }
                Root::Driven(at, block, input) => {
                    out[at] = xp[at] - self.inputs[self.blocks[block].inputs.start + input];
                }
                Root::Ground | Root::Joint(_) => {}
            }
        }
    }

    /// Effort on a flange at the last evaluation, including inertial efforts of rigid gears and of motions that follow
    /// signals.
    #[must_use]
    pub fn effort(&self, component: usize, flange: usize) -> f64 {
        let Some(block) = self.blocks.get(component) else { return 0.0 };
        let flange = block.flanges.start + flange;
        self.efforts[flange] + self.gear_effort(flange)
    }
}

/// Inputs of a component.
pub(super) fn point<'a>(
    block: &Block,
    inputs: &'a [f64],
    flanges: &'a [Motion],
    z: &'a [f64],
    x: &'a [f64],
    xp: &'a [f64],
    time: f64,
) -> Point<'a> {
    Point {
        time,
        x: &x[block.x.clone()],
        xp: &xp[block.x.clone()],
        inputs: &inputs[block.inputs.clone()],
        flanges: &flanges[block.flanges.clone()],
        discrete: &z[block.z.clone()],
        scales: block.scales,
    }
}
