//! Newton's method for equilibria.

use super::Targets;
use super::balance::Unknowns;
use super::linearized::{Linearized, has_many};
use crate::force::Inputs;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::start::tolerance::{distance, largest_length};
use crate::variables::DegreeOfFreedom;

/// Iterations of one attempt.
const MOST_ITERATIONS: usize = 80;
/// Largest rotation of one step \[rad\].
pub(super) const LARGEST_STEP: f64 = 0.3;
/// Steps are halved at most as often as this.
const MOST_HALVINGS: u32 = 14;
/// Relative steps below this are rounding errors.
const NO_STEP: f64 = 1e-15;
/// Relative steps that no longer become smaller below this have converged.
const SMALL_STEP: f64 = 1e-7;
/// Accelerations and rates below this fraction of what is typical count as none.
const AT_REST: f64 = 1e-8;
/// Accelerations and rates below this fraction of what is typical need no further step.
const EXACTLY_AT_REST: f64 = 1e-13;
/// Fraction of the largest unrest that counts as its cause where something is held.
const DISTURBS: f64 = 0.1;
/// Ways, in sizes of an unknown, by which it is moved to see whether anything determines it.
const PROBES: [f64; 2] = [0.1, -0.037];

/// What was found.
#[derive(Debug, Clone)]
pub(super) struct Balanced {
    /// Unknowns that nothing determines: they stay.
    pub undetermined: Vec<usize>,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Steps of the pseudo-transient continuation.
    pub relaxations: usize,
    /// Objects that friction holds, and how fast they creep \[m/s\].
    pub creeping: Vec<(String, f64)>,
    /// Whether it is unstable, and not near the start: the motion has led to no stable one.
    pub unstable: bool,
}

/// Why nothing was found.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// Something does not rest.
    Remains(Vec<f64>),
    /// The model cannot be evaluated.
    Error(SimulationError),
}

impl From<SimulationError> for Failure {
    fn from(error: SimulationError) -> Self {
        Self::Error(error)
    }
}

/// A point on the way to an equilibrium.
pub(super) struct Iterate {
    pub y: Vec<f64>,
    pub yp: Vec<f64>,
    inputs: Inputs,
}

impl Simulation {
    pub(super) fn save_iterate(&self) -> Iterate {
        Iterate { y: self.point.y.clone(), yp: self.point.yp.clone(), inputs: self.segment.signals.inputs().clone() }
    }

    pub(super) fn restore_iterate(&mut self, iterate: &Iterate) {
        self.point.y.clone_from(&iterate.y);
        self.point.yp.clone_from(&iterate.yp);
        self.segment.signals.set_inputs(&iterate.inputs);
        self.point.stage = Stage::Nothing;
    }

    /// Largest change of a position since then.
    pub(super) fn distance_from(&self, iterate: &Iterate) -> f64 {
        let num_q = self.segment.topology.num_q;
        distance(
            &self.segment.topology,
            largest_length(&self.segment.topology),
            &self.point.y[..num_q],
            &iterate.y[..num_q],
        )
    }

    /// Newton's method from the present point; returns what nothing determines as well.
    pub(super) fn iterate_to_rest(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Balanced, Failure> {
        let before = self.near_rest_by_matrix(unknowns, targets)?;
        let (mut found, linearized) = self.newtons_method(unknowns, targets)?;
        found.iterations += before.unwrap_or(0);
        let balanced = self.with_freely_movable(found, unknowns, targets, &linearized)?;
        if before.is_some() || matches!(linearized, Linearized::Structured) {
            self.return_indifferent(unknowns, targets, &balanced.undetermined)?;
        }
        Ok(balanced)
    }

    /// Goes as near to an equilibrium among contacts as the structured matrix leads; returns the number of iterations.
    fn near_rest_by_matrix(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Option<usize>, SimulationError> {
        self.arrange(unknowns)?;
        if !self.is_nearly_structured(unknowns) || !has_many(unknowns) {
            return Ok(None);
        }
        let start = self.save_iterate();
        unknowns.is_approximate = true;
        let found = self.newtons_method(unknowns, targets);
        unknowns.is_approximate = false;
        let Ok((found, _)) = found else {
            self.restore_iterate(&start);
            return Ok(None);
        };
        Ok(Some(found.iterations))
    }

    pub(super) fn newtons_method(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<(Balanced, Linearized), Failure> {
        let mut before = f64::INFINITY;
        for iteration in 0..MOST_ITERATIONS {
            self.arrange(unknowns)?;
            let remains = self.imbalance(unknowns, targets);
            let Some(linearized) = self.linearize_balance(unknowns, targets, &remains) else {
                return Err(Failure::Remains(remains));
            };
            let step = self.newton_step(unknowns, &linearized, &remains);
            let size = norm(&step);
            let found = Balanced {
                undetermined: linearized.undetermined(),
                iterations: iteration,
                relaxations: 0,
                creeping: Vec::new(),
                unstable: false,
            };
            let stagnates = size <= NO_STEP || (size <= SMALL_STEP && size >= 0.5 * before);
            if is_below(EXACTLY_AT_REST, unknowns, &remains, &[]) {
                return Ok((found, linearized));
            }
            before = size;
            if stagnates || !self.take_step(unknowns, targets, &linearized, &step)? {
                let is_at_rest = is_below(AT_REST, unknowns, &remains, linearized.allowed());
                return match is_at_rest {
                    true => Ok((found, linearized)),
                    false => Err(Failure::Remains(remains)),
                };
            }
        }
        Err(Failure::Remains(self.imbalance(unknowns, targets)))
    }

    /// Adds the coordinates that nothing determines although their columns are not zero: next to stiff contacts,
    /// rounding errors look like slopes. What can be moved far by itself, while everything stays at rest, is one of
    /// them.
    fn with_freely_movable(
        &mut self,
        mut balanced: Balanced,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
        linearized: &Linearized,
    ) -> Result<Balanced, SimulationError> {
        let possibly_undetermined = self.possibly_undetermined(unknowns, linearized);
        for &k in &possibly_undetermined {
            if !balanced.undetermined.contains(&k) && self.is_freely_movable(unknowns, targets, k) {
                balanced.undetermined.push(k);
            }
        }
        self.add_joint_motions(unknowns, linearized, &possibly_undetermined, &mut balanced.undetermined);
        balanced.undetermined.sort_unstable();
        self.arrange(unknowns)?;
        self.imbalance(unknowns, targets);
        Ok(balanced)
    }

    /// Whether everything stays at rest while one unknown alone is moved far; the point stays.
    fn is_freely_movable(&mut self, unknowns: &mut Unknowns, targets: &mut Targets<'_>, k: usize) -> bool {
        let here = self.save_iterate();
        let mut change = vec![0.0; unknowns.sizes.len()];
        PROBES.iter().all(|way| {
            change[k] = *way;
            self.shift(unknowns, &change);
            let is_free = self.close_at_rest(unknowns).is_ok()
                && self.arm_near(unknowns).is_ok()
                && is_below(AT_REST, unknowns, &self.imbalance(unknowns, targets), &[]);
            self.restore_iterate(&here);
            is_free
        })
    }

    /// Goes along a step as far as the next one becomes smaller; false where it does not.
    fn take_step(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
        linearized: &Linearized,
        step: &[f64],
    ) -> Result<bool, SimulationError> {
        let iterate = self.save_iterate();
        let size = norm(step);
        let mut part = self.trusted_part(unknowns, step);
        for _ in 0..MOST_HALVINGS {
            let change: Vec<f64> = step.iter().map(|x| part * x).collect();
            self.shift(unknowns, &change);
            let is_closed = self.close_at_rest(unknowns).is_ok();
            self.arm_near(unknowns)?;
            let remains = self.imbalance(unknowns, targets);
            if is_closed && remains.iter().all(|x| x.is_finite()) {
                let next = norm(&self.newton_step(unknowns, linearized, &remains));
                if next <= (1.0 - 0.25 * part) * size || next <= SMALL_STEP * SMALL_STEP {
                    return Ok(true);
                }
                if size <= SMALL_STEP && next <= 2.0 * size {
                    // Rounding errors decide.
                    return Ok(true);
                }
            }
            self.restore_iterate(&iterate);
            part *= 0.5;
        }
        Ok(false)
    }

    /// Fraction of a step that the linearisation can be trusted with.
    pub(super) fn trusted_part(&self, unknowns: &Unknowns, step: &[f64]) -> f64 {
        (1.0 / self.fraction_of_trust(unknowns, step)).min(1.0)
    }

    /// Length of a step over that with which the linearisation can be trusted.
    pub(super) fn fraction_of_trust(&self, unknowns: &Unknowns, step: &[f64]) -> f64 {
        let of = |(k, &v): (usize, &usize)| {
            let limit = if unknowns.is_translation[v] { unknowns.reach } else { unknowns.turn.min(LARGEST_STEP) };
            step[k].abs() * unknowns.sizes[k] / limit
        };
        unknowns.positions.independent.iter().enumerate().map(of).fold(0.0, f64::max)
    }
}

/// Whether what remains is below a part of what is typical, and what is allowed besides.
pub(super) fn is_below(part: f64, unknowns: &Unknowns, remains: &[f64], allowed: &[f64]) -> bool {
    let sizes = equation_sizes(unknowns, remains.len());
    let allowed = allowed.iter().copied().chain(std::iter::repeat(0.0));
    remains.iter().zip(allowed).zip(sizes).all(|((x, allowed), size)| x.abs() <= part * size + allowed)
}

/// Typical sizes of equations: accelerations, rates of states, targets.
pub(super) fn equation_sizes(unknowns: &Unknowns, count: usize) -> impl Iterator<Item = f64> {
    let accelerations = unknowns.accelerations.iter().copied();
    let states = unknowns.rates.iter().map(|&k| unknowns.nominal[k]);
    accelerations.chain(states).chain(std::iter::repeat(1.0)).take(count)
}

/// Euclidean norm of relative changes.
fn norm(step: &[f64]) -> f64 {
    step.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Failure {
    /// The message: what cannot rest, and what to do.
    pub fn into_error(
        self,
        simulation: &Simulation,
        names: &[DegreeOfFreedom],
        unknowns: &Unknowns,
    ) -> SimulationError {
        let remains = match self {
            Self::Error(error) => return error,
            Self::Remains(remains) => remains,
        };
        let sizes = equation_sizes(unknowns, remains.len());
        let relative = remains.iter().zip(sizes).map(|(x, size)| if x.is_finite() { x.abs() / size } else { f64::MAX });
        let relative: Vec<(usize, f64)> = relative.enumerate().collect();
        let worst_of = |counts: &dyn Fn(usize) -> bool| {
            let counted = relative.iter().filter(|(row, _)| counts(*row));
            counted.copied().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        };
        let Some((worst, size)) = worst_of(&|_| true) else {
            return SimulationError::Start("the equilibrium cannot be computed".to_owned());
        };
        // What is held and not balanced disturbs what is free.
        let held = worst_of(&|row| unknowns.rows.get(row).is_some_and(|&v| unknowns.is_held[v]));
        let worst = held.filter(|(_, of_held)| *of_held > DISTURBS * size).map_or(worst, |(row, _)| row);
        // What friction does not hold any more disturbs what moves with it.
        let slides =
            worst_of(&|row| unknowns.rows.get(row).is_some_and(|&v| simulation.moves_sliding(&unknowns.sliding, v)));
        let worst = slides.filter(|(_, of_sliding)| *of_sliding > DISTURBS * size).map_or(worst, |(row, _)| row);
        let motion = unknowns.rows.get(worst).and_then(|&v| names.get(v).map(|name| (v, name)));
        let state = worst.checked_sub(unknowns.rows.len()).and_then(|k| unknowns.rates.get(k));
        match (motion, state) {
            (Some((v, name)), _) => {
                let slipped = simulation.describe_slip(names, unknowns, v).filter(|_| remains[worst].is_finite());
                let words = slipped.unwrap_or_else(|| simulation.describe_unrest(name, remains[worst], unknowns, v));
                SimulationError::Start(words + &simulation.describe_sampled() + &simulation.describe_moving())
            }
            (None, Some(&k)) => SimulationError::Start(simulation.describe_rate(k, remains[worst])),
            (None, None) => SimulationError::TargetMissed {
                target: worst - unknowns.rows.len() - unknowns.rates.len(),
                relative_error: remains[worst],
            },
        }
    }
}

impl Simulation {
    /// That sampled components do not find their load.
    fn describe_sampled(&self) -> String {
        match self.segment.evaluator.components.sampled().join("`, `") {
            names if names.is_empty() => String::new(),
            names => format!(
                "; the outputs of sampled components (`{names}`) are held in this search: they find no load, so start where they have found \
                 it, or take continuous ones"
            ),
        }
    }

    /// That prescribed motions move what should rest.
    fn describe_moving(&self) -> String {
        match self.moving_drives().join("`, `") {
            names if names.is_empty() => String::new(),
            names => format!("; prescribed motions move at the start (`{names}`): what they drive does not rest"),
        }
    }

    /// That a state of a component does not rest: that of a drive line, or another one.
    fn describe_rate(&self, k: usize, rate: f64) -> String {
        let components = &self.segment.evaluator.components;
        let left = significant(rate.abs());
        let motions = components.own_motions();
        let [name, unit] = [components.name_of(k), components.state_of(k).1];
        let turns = motions.iter().find(|motion| motion[0] == k).map(|motion| components.name_of(motion[1]));
        let words = match (turns, motions.iter().any(|motion| motion[1] == k)) {
            (Some(velocity), _) => format!(
                "`{name}` cannot rest: it moves on with {left} {unit}/s; hold it by what it drives, or let `{velocity}` be steady"
            ),
            (None, true) => format!(
                "`{name}` cannot stay: {left} {unit}² remains; balance the torques on it, or trim an input that acts on it"
            ),
            (None, false) => format!(
                "`{name}` cannot rest: its rate is {rate:.6e} per second; an integrator needs an input that can become zero: \
                 free the coordinate that it acts on, or trim an input"
            ),
        };
        words + &self.describe_sampled()
    }

    /// That bodies slid on each other until they parted, if a velocity variable moves one of them.
    fn describe_slip(&self, names: &[DegreeOfFreedom], unknowns: &Unknowns, v: usize) -> Option<String> {
        if !unknowns.sliding.is_empty() || unknowns.is_held[v] {
            return None;
        }
        let (slid, acceleration, between) = self.slipped_off(unknowns, v)?;
        let name = names.get(slid)?;
        let (left, unit) = (significant(acceleration.abs()), name.unit());
        Some(format!(
            "`{}` cannot rest: friction {between} is exhausted, and {left} {unit}/s² remains until they part; support it, reduce \
             what pushes it, or press the contacts harder",
            name.position
        ))
    }

    fn describe_unrest(&self, name: &DegreeOfFreedom, acceleration: f64, unknowns: &Unknowns, v: usize) -> String {
        let (is_held, moves) = (unknowns.is_held[v], unknowns.moves(v));
        let unit = name.unit();
        if !acceleration.is_finite() {
            return format!(
                "`{}` has no acceleration: nothing with inertia moves with it here; give what it carries an inertia, or hold it",
                name.position
            );
        }
        let left = format!("{} {unit}/s² remains", significant(acceleration.abs()));
        if let Some(exhausted) = self.describe_sliding(&unknowns.sliding, v).filter(|_| !moves) {
            return format!(
                "`{}` cannot rest: {exhausted}, and {left}; support it, reduce what pushes it, or press the contacts harder",
                name.position
            );
        }
        let is_free = self.contacts.set.active().is_empty() && self.segment.evaluator.contacts.armed().next().is_none();
        if let Some(exhausted) = self.describe_all_sliding(&unknowns.sliding, v).filter(|_| moves) {
            return format!(
                "`{}` cannot move steadily: {exhausted}, and {left}; reduce what it has to carry, or press the contacts harder",
                name.velocity
            );
        }
        if moves {
            let friction = if is_free { "" } else { "contacts may need more friction than they have, or " };
            return format!(
                "`{}` cannot move steadily: {left}; {friction}trim an input that acts on it",
                name.velocity
            );
        }
        if is_held {
            return format!(
                "`{}` cannot rest where it is held: {left}; free it, or trim an input that acts on it",
                name.position
            );
        }
        let hint = if is_free {
            "support it, or hold it and trim an input that carries it"
        } else {
            "support it, start it nearer to where it rests, or let it move steadily: friction does not hold it"
        };
        format!("`{}` cannot rest: {left}; {hint}", name.position)
    }
}

/// Four significant digits.
pub(super) fn significant(x: f64) -> String {
    let digits = if x > 0.0 { (3.0 - elementary::log10(x).floor()).clamp(0.0, 12.0) as usize } else { 0 };
    if (1e-6..1e6).contains(&x) { format!("{x:.digits$}") } else { format!("{x:.3e}") }
}
