//! Events of components: the components concerned, their changes, and whether another iteration is needed.

use super::holder::LoadRule;
use super::system::{BAND, Block, ComponentSystem, point};
use crate::component::{EvaluationClass, Event};
use crate::force::Signals;
use crate::math::is_reached;
use serde::{Deserialize, Serialize};

/// Why components are evaluated at an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RoundCause<'a> {
    /// The run starts.
    Start,
    /// A time event is due, or root functions changed their sign (+1, -1; may be empty).
    Happened(&'a [i32]),
    /// Something else changed at this instant: indicators may be on the wrong side now.
    Aftermath,
}

/// Evaluation classes of components that are still to be evaluated at an instant, and why.
#[derive(Debug)]
pub(crate) struct PendingComponents<'a> {
    /// By evaluation class; none where there are no such components.
    waiting: [Option<Option<RoundCause<'a>>>; EvaluationClass::ALL.len()],
}

impl<'a> PendingComponents<'a> {
    /// Without clocks, which tick when everything else is done.
    pub fn without_clocks(self) -> Self {
        self.keeping(|class| class != EvaluationClass::Sampled)
    }

    /// Sampled components only; others react to their changes.
    pub fn of_clocks(self) -> Self {
        self.keeping(|class| class == EvaluationClass::Sampled)
    }

    /// Classes that are evaluated first; the others are evaluated after a change only.
    fn keeping(mut self, is_selected: impl Fn(EvaluationClass) -> bool) -> Self {
        for (cause, class) in
            self.waiting.iter_mut().zip(EvaluationClass::ALL).filter(|(_, class)| !is_selected(*class))
        {
            match (cause, class) {
                (cause, EvaluationClass::Sampled) => *cause = None,
                (cause, _) => *cause = cause.map(|_| None),
            }
        }
        self
    }

    /// The next class, and why it is evaluated.
    pub fn next(&mut self) -> Option<(RoundCause<'a>, EvaluationClass)> {
        let mut waiting = self.waiting.iter_mut().zip(EvaluationClass::ALL);
        waiting.find_map(|(cause, class)| Some((cause.as_mut()?.take()?, class)))
    }

    /// After a change all classes are evaluated again, but sampled components only once.
    pub fn repeat(&mut self) {
        for (cause, _) in
            self.waiting.iter_mut().zip(EvaluationClass::ALL).filter(|(_, class)| *class != EvaluationClass::Sampled)
        {
            if let Some(cause) = cause {
                cause.get_or_insert(RoundCause::Aftermath);
            }
        }
    }
}

/// Remarks and warnings of components at an event.
#[derive(Debug, Default)]
pub(crate) struct EventOutput {
    /// For the log.
    pub remarks: Vec<String>,
    /// For the user.
    pub warnings: Vec<String>,
}

/// Distance that root functions keep from zero on the side where they stand.
const HYSTERESIS: f64 = 1e-11;

impl ComponentSystem {
    /// The next time event of a component \[s\].
    #[must_use]
    pub fn next_time(&self) -> Option<f64> {
        let times = self.blocks.iter().map(|block| block.component.next_time(&self.z[block.z.clone()]));
        times.reduce(f64::min).filter(|t| t.is_finite())
    }

    /// All evaluation classes that components have, for one cause.
    pub(crate) fn pending_components<'a>(&self, cause: RoundCause<'a>) -> PendingComponents<'a> {
        let has = |class| self.blocks.iter().any(|block| block.component.evaluation_class() == class);
        PendingComponents { waiting: EvaluationClass::ALL.map(|class| has(class).then_some(Some(cause))) }
    }

    /// What must survive a restore, besides the variables.
    #[must_use]
    pub fn save(&self) -> ComponentState {
        let mut state = ComponentState::default();
        self.save_into(&mut state);
        state
    }

    /// As [`ComponentSystem::save`], in the memory of an earlier state.
    pub(crate) fn save_into(&self, state: &mut ComponentState) {
        let ComponentState { z, sides, margins, sizes, others, rules } = state;
        z.clone_from(&self.z);
        sides.clone_from(&self.sides);
        margins.clone_from(&self.margins);
        rules.clone_from(&self.rules);
        sizes.clear();
        sizes.extend(self.blocks.iter().map(|block| block.x.len()));
        *others = self.num_variables() - sizes.iter().sum::<usize>();
    }

    /// Whether a saved state is one of these components.
    #[must_use]
    pub fn fits(&self, state: &ComponentState) -> bool {
        let own = self.save();
        let resizable = |(k, size): (usize, &usize)| *size == own.sizes[k] || self.blocks[k].component.is_resizable();
        (own.z.len(), own.sides.len(), own.sizes.len(), own.others)
            == (state.z.len(), state.sides.len(), state.sizes.len(), state.others)
            && state.sizes.iter().enumerate().all(resizable)
            && state.margins.len() == own.margins.len()
            && state.rules.len() == own.rules.len()
            && state.rules.iter().all(|rule| rule.fits(own.rules.len()))
    }

    /// Returns to a saved state; numbers of variables may change.
    pub fn restore(&mut self, state: &ComponentState) {
        self.z.clone_from(&state.z);
        self.sides.clone_from(&state.sides);
        self.margins.clone_from(&state.margins);
        self.rules.clone_from(&state.rules);
        for (k, size) in state.sizes.iter().enumerate() {
            if *size != self.blocks[k].x.len() {
                self.resize_part(k, *size);
            }
        }
    }

    /// Names of the components whose root functions have crossed zero.
    pub(crate) fn names_of(&self, directions: &[i32]) -> Vec<&str> {
        let has_crossed = |block: &&Block| {
            let indicators = block.indicators.clone();
            directions.get(indicators).is_some_and(|directions| directions.iter().any(|d| *d != 0))
        };
        self.blocks.iter().filter(has_crossed).map(|block| block.path.as_str()).collect()
    }

    /// Names of the components that changed in the last round.
    pub(crate) fn names_of_changed(&self) -> Vec<&str> {
        self.changed.iter().map(|&block| self.blocks[block].path.as_str()).collect()
    }

    /// The component whose root function is not a number at the last evaluation, with the input that causes it.
    pub(crate) fn owner_of_root(&self, root: usize, signals: &Signals) -> String {
        let Some(block) = self.blocks.iter().find(|block| block.indicators.contains(&root)) else {
            return String::new();
        };
        let unknown = || format!("a condition of component `{}` has no value at t = {} s", block.path, signals.time());
        self.not_finite(signals).unwrap_or_else(unknown)
    }

    /// Writes the root functions at the last evaluation.
    pub(crate) fn roots(&mut self, x: &[f64], xp: &[f64], time: f64, out: &mut [f64]) {
        self.write_indicators(x, xp, time, out);
        let least = HYSTERESIS * (1.0 + time.abs() / self.scales.time);
        for ((value, side), margin) in out.iter_mut().zip(&self.sides).zip(&self.margins) {
            *value += if *side { margin.max(least) } else { -margin.max(least) };
        }
    }

    /// Keeps root functions away from zero on the side where they stand, also those that rounding errors have brought
    /// to the other one. For the point of the last evaluation, at which the integrator starts.
    pub(crate) fn set_margins(&mut self, x: &[f64], xp: &[f64], time: f64) {
        let mut margins = std::mem::take(&mut self.margins);
        margins.resize(self.sides.len(), 0.0);
        self.write_indicators(x, xp, time, &mut margins);
        for (margin, side) in margins.iter_mut().zip(&self.sides) {
            *margin = (2.0 * if *side { -*margin } else { *margin }).clamp(0.0, 2.0 * BAND);
        }
        self.margins = margins;
    }

    fn write_indicators(&self, x: &[f64], xp: &[f64], time: f64, out: &mut [f64]) {
        for block in self.blocks.iter().filter(|block| !block.indicators.is_empty()) {
            let at = point(block, &self.inputs, &self.flanges, &self.z, x, xp, time);
            block.component.indicators(&at, &mut out[block.indicators.clone()]);
        }
    }

    /// Calls all components of an evaluation class that are concerned, with the values of the last evaluation. Returns
    /// whether any changed; the variables of components may then have another number.
    pub(crate) fn round(
        &mut self,
        cause: RoundCause<'_>,
        class: EvaluationClass,
        time: f64,
        xp: &[f64],
        x: &mut Vec<f64>,
        output: &mut EventOutput,
    ) -> bool {
        let mut indicators = vec![0.0; self.sides.len()];
        self.write_indicators(x, xp, time, &mut indicators);
        let mut pending = Vec::new();
        for (k, block) in self.blocks.iter().enumerate() {
            if block.component.evaluation_class() != class {
                continue;
            }
            if let Some(change) = self.call(block, cause, time, x, xp, &indicators) {
                pending.push((k, change));
            }
        }
        let held = if cause == RoundCause::Start { Vec::new() } else { self.holding(x, xp, time) };
        self.changed.clear();
        let mut replacements = Vec::new();
        for (k, change) in pending {
            let named = |text| format!("component `{}`: {text}", self.blocks[k].path);
            output.remarks.extend(change.remark.map(named));
            output.warnings.extend(change.warning.map(named));
            self.sides[self.blocks[k].indicators.clone()].copy_from_slice(&change.sides);
            let z = &mut self.z[self.blocks[k].z.clone()];
            if change.is_first || z != change.z || x[self.blocks[k].x.clone()] != change.x {
                self.changed.push(k);
            }
            z.copy_from_slice(&change.z);
            replacements.push((k, change.x));
        }
        let holding = self.holding(x, xp, time);
        if cause != RoundCause::Aftermath {
            self.released.clear();
        }
        self.released.extend(held.iter().filter(|holder| !holding.contains(holder)));
        let is_settling = cause == RoundCause::Aftermath && !holding.is_empty();
        if is_settling || cause != RoundCause::Start && holding != held {
            self.join_holding(x, xp, time);
        }
        self.fresh = self.holding(x, xp, time);
        self.fresh.retain(|holder| !held.contains(holder));
        self.replace(x, replacements);
        !self.changed.is_empty()
    }

    fn call(
        &self,
        block: &Block,
        cause: RoundCause<'_>,
        time: f64,
        x: &[f64],
        xp: &[f64],
        indicators: &[f64],
    ) -> Option<PartChange> {
        let z = &self.z[block.z.clone()];
        let mut sides = self.sides[block.indicators.clone()].to_vec();
        let is_due = is_reached(block.component.next_time(z), time);
        let values = &indicators[block.indicators.clone()];
        let (mut crossed, mut has_jumped) = (vec![0; sides.len()], false);
        for (k, side) in sides.iter_mut().enumerate() {
            let root = match cause {
                RoundCause::Happened(directions) => directions.get(block.indicators.start + k).copied().unwrap_or(0),
                RoundCause::Start | RoundCause::Aftermath => 0,
            };
            let is_above = match root {
                0 if values[k].abs() > BAND || cause == RoundCause::Start => values[k] > 0.0,
                0 => *side,
                root => root > 0,
            };
            if root != 0 || (cause != RoundCause::Start && is_above != *side) {
                has_jumped |= matches!(cause, RoundCause::Happened(_));
                crossed[k] = if is_above { 1 } else { -1 };
            }
            *side = is_above;
        }
        if cause != RoundCause::Start && !is_due && crossed.iter().all(|c| *c == 0) {
            return None;
        }
        let mut change = PartChange {
            z: z.to_vec(),
            x: x[block.x.clone()].to_vec(),
            remark: None,
            warning: None,
            is_first: cause != RoundCause::Aftermath,
            sides,
        };
        block.component.event(&mut Event {
            time,
            initial: cause == RoundCause::Start,
            is_due,
            crossed: &crossed,
            has_jumped,
            inputs: &self.inputs[block.inputs.clone()],
            flanges: &self.flanges[block.flanges.clone()],
            xp: &xp[block.x.clone()],
            x: &mut change.x,
            discrete: &mut change.z,
            scales: block.scales,
            remark: &mut change.remark,
            warning: &mut change.warning,
        });
        Some(change)
    }

    /// Writes new states; where their number differs, everything behind moves.
    fn replace(&mut self, x: &mut Vec<f64>, replacements: Vec<(usize, Vec<f64>)>) {
        for (k, values) in replacements {
            let range = self.blocks[k].x.clone();
            if values.len() == range.len() {
                x[range].copy_from_slice(&values);
            } else {
                self.resize_part(k, values.len());
                x.splice(range, values);
            }
        }
    }
}

/// The discrete part of the state of all components.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ComponentState {
    z: Vec<f64>,
    sides: Vec<bool>,
    margins: Vec<f64>,
    /// Number of states of every component.
    sizes: Vec<usize>,
    /// Number of variables that belong to no component.
    others: usize,
    /// Equations of components that hold.
    rules: Vec<LoadRule>,
}

impl ComponentState {
    /// Number of variables of components.
    #[must_use]
    pub fn num_variables(&self) -> usize {
        self.sizes.iter().sum::<usize>() + self.others
    }
}

/// What one component changes.
struct PartChange {
    z: Vec<f64>,
    x: Vec<f64>,
    sides: Vec<bool>,
    remark: Option<String>,
    warning: Option<String>,
    is_first: bool,
}
