//! Accelerations of flanges whose velocity is a signal: the derivative of the signal with respect to time.
//!
//! Expressions are differentiated by the chain rule, outputs of components that drive a flange by differences along the
//! motion, with all discrete values frozen. So a component that holds on to such a flange, e.g. friction on a belt that
//! gathers speed, moves with it exactly.

use super::network::Root;
use super::rate_plan::{Moved, Rates};
use super::system::{ComponentSystem, point};
use crate::component::{Component, Motion, Point};
use crate::force::{Signal, Signals};

/// Distance in time of the values that are differenced, relative to the scale of time; the error is of fourth order.
const STEP: f64 = 1e-5;

/// Weights of the values at -2, -1, 1 and 2 steps in twelve times the derivative.
const STENCIL: [(f64, f64); 4] = [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)];

impl ComponentSystem {
    /// Finds what the accelerations of driven flanges depend on.
    pub(super) fn plan_rates(&mut self, signals: &Signals) {
        let driver = |root: &Root| match *root {
            Root::Driven(_, block, input) => self.blocks[block].signals.get(input),
            _ => None,
        };
        let changes = |root: &Root| matches!(driver(root), Some(Signal::Program(_)));
        let groups = &self.network.groups;
        let driven: Vec<usize> = (0..groups.len()).filter(|&k| changes(&groups[k].root)).collect();
        let mut slots: Vec<usize> = driven
            .iter()
            .filter_map(|&k| driver(&groups[k].root))
            .flat_map(|signal| read_by(signal, signals).iter().copied())
            .collect();
        let mut is_source = vec![false; self.blocks.len()];
        let mut at = 0;
        while at < slots.len() {
            if let Some(k) = self.source_of(slots[at]).filter(|&k| !is_source[k]) {
                is_source[k] = true;
                slots.extend(self.blocks[k].signals.iter().flat_map(|signal| read_by(signal, signals)));
            }
            at += 1;
        }
        let early = self.early.iter().filter(|k| !self.schedule.late.contains(k));
        let sources = early.chain(&self.schedule.late).copied().filter(|&k| is_source[k]);
        let sources: Vec<usize> = sources.collect();
        let is_driven = |flange: usize| driven.contains(&self.network.members[flange].group);
        let is_chained = sources.iter().any(|&k| self.blocks[k].flanges.clone().any(is_driven))
            || slots.iter().any(|&slot| self.flange_of(slot).is_some_and(is_driven));
        let passes = if is_chained { driven.len() + 1 } else { driven.len().min(1) };
        let observed = (0..self.observed.len()).filter(|&k| slots.contains(&self.observed[k].slot)).collect();
        self.rates = Rates { driven, sources, observed, passes, ..Rates::default() };
    }

    /// The component that fills a slot with an output.
    fn source_of(&self, slot: usize) -> Option<usize> {
        self.blocks
            .iter()
            .position(|block| (block.first_output..block.first_output + block.direct.len()).contains(&slot))
    }

    /// The flange whose position or velocity a slot holds.
    fn flange_of(&self, slot: usize) -> Option<usize> {
        let of = |block: &super::system::Block| {
            let k = slot.checked_sub(block.first_flange)? / 2;
            (k < block.flanges.len()).then(|| block.flanges.start + k)
        };
        self.blocks.iter().find_map(of)
    }

    /// Sets the rates of motions of bodies that drive flanges.
    pub(super) fn observe_rates(&mut self, at: &super::MechanicalPoint<'_>) {
        for &k in &self.rates.observed {
            let rate = self.observed[k].rate(at.topology, at.workspace, at.q);
            self.observed[k].rate = rate;
        }
    }

    /// Gives driven groups the values and derivatives of the signals that are their velocities; outputs and inputs are
    /// known.
    pub(super) fn drive_groups(&mut self, x: &[f64], xp: &[f64], signals: &Signals) {
        let mut rates = std::mem::take(&mut self.rates);
        rates.inputs.resize(self.inputs.len(), 0.0);
        self.known_rates(signals, &mut rates.slots);
        for k in 0..rates.sources.len() {
            self.source_rates(rates.sources[k], x, xp, signals, &mut rates);
        }
        for &group in &rates.driven {
            let Root::Driven(_, block, input) = self.network.groups[group].root else { continue };
            let block = &self.blocks[block];
            let motion = &mut self.group_motions[group];
            motion.velocity = self.inputs[block.inputs.start + input];
            motion.acceleration = signals.rate(&block.signals[input], &rates.slots);
        }
        self.rates = rates;
    }

    /// Rates of slots that are not outputs of components.
    fn known_rates(&self, signals: &Signals, out: &mut Vec<f64>) {
        signals.write_rates(out);
        for &(slot, at, order) in &self.externals {
            let motion = &self.joints[at];
            out[slot] = if order == 0 { motion.velocity } else { motion.acceleration };
        }
        for observed in &self.observed {
            out[observed.slot] = observed.rate;
        }
        for block in &self.blocks {
            for (k, motion) in self.flanges[block.flanges.clone()].iter().enumerate() {
                out[block.first_flange + 2 * k] = motion.velocity;
                out[block.first_flange + 2 * k + 1] = motion.acceleration;
            }
        }
    }

    /// Rates of the outputs of a component.
    fn source_rates(&self, block: usize, x: &[f64], xp: &[f64], signals: &Signals, rates: &mut Rates) {
        let block = &self.blocks[block];
        let Rates { slots, inputs: input_rates, moved, .. } = rates;
        for (rate, signal) in input_rates[block.inputs.clone()].iter_mut().zip(&block.signals) {
            *rate = signals.rate(signal, slots);
        }
        let at = point(block, &self.inputs, &self.flanges, &self.z, x, xp, signals.time());
        let apart = STEP * at.scales.time;
        moved.sums.clear();
        moved.sums.resize(block.direct.len(), 0.0);
        for (steps, weight) in STENCIL {
            moved.evaluate(block.component.as_ref(), &at, &input_rates[block.inputs.clone()], steps * apart);
            moved.sums.iter_mut().zip(&moved.outputs).for_each(|(sum, value)| *sum += weight * value);
        }
        for (k, sum) in moved.sums.iter().enumerate() {
            slots[block.first_output + k] = sum / (12.0 * apart);
        }
        if let Some(first) = block.tear {
            let direct = (0..block.direct.len()).filter(|&k| block.direct[k]);
            direct.enumerate().for_each(|(k, output)| slots[block.first_output + output] = xp[first + k]);
        }
    }
}

impl Moved {
    /// Outputs of a component when everything continues for a time as it does at a point.
    fn evaluate(&mut self, component: &dyn Component, at: &Point<'_>, input_rates: &[f64], by: f64) {
        let shift = |to: &mut Vec<f64>, values: &[f64], rates: &[f64]| {
            to.clear();
            to.extend(values.iter().zip(rates).map(|(value, rate)| value + by * rate));
        };
        shift(&mut self.x, at.x, at.xp);
        shift(&mut self.inputs, at.inputs, input_rates);
        self.flanges.clear();
        self.flanges.extend(at.flanges.iter().map(|motion| Motion {
            position: motion.position + by * motion.velocity,
            velocity: motion.velocity + by * motion.acceleration,
            acceleration: motion.acceleration,
        }));
        self.outputs.resize(self.sums.len(), 0.0);
        let Self { x, inputs, flanges, outputs, .. } = self;
        component.outputs(&Point { time: at.time + by, x, inputs, flanges, ..*at }, outputs);
    }
}

fn read_by<'a>(signal: &Signal, signals: &'a Signals) -> &'a [usize] {
    match signal {
        Signal::Constant(_) => &[],
        Signal::Program(program) => signals.slots_of(*program),
    }
}
