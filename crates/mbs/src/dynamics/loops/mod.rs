//! Kinematic loops: the equations of the welds that close them, and which of these are independent.
//!
//! Contact hinges close loops, too, with equations that come and go. Friction that slides has a law for its multipliers
//! in their place, and friction that holds an equation for velocities only, as have those that depend on others: there
//! a hinge yields a little ([`Yielding`]), which makes the forces unique.
//!
//! With `y = [q, v, integral of lambda, integral of mu]` the stabilised index-1 form of Gear, Gupta and Leimkuhler is
//! `q' = N (v - G^T mu)`, `M v' = h + G^T lambda`, `0 = G v + g_t`, `0 = g` (*Algorithms for Component-Based 3D
//! Modeling*, eq. 3, 6-11). `G` is evaluated with every residual. Equations that are not used leave their multipliers
//! at zero.

mod assembly;
mod jacobian;
mod point;
mod selection;
mod tangent;
mod tie;
mod weld;

pub(crate) use assembly::{Assembly, displace, displace_node};
pub(super) use jacobian::Row;
pub(super) use point::ClosurePoint;
pub(super) use selection::restricted_inverse;
pub(crate) use tangent::TangentSpace;
pub(crate) use tie::{FIRST_SUPPORT, TiePoint, rows_of};
pub(crate) use weld::Six;

use self::jacobian::{comparable_length, empty_row, fill_row, largest_arm};
pub(crate) use self::selection::ActiveClosureRows;
use self::selection::RowSelector;
use self::tie::softness_of;
pub(super) use self::weld::Block;
use crate::contact::hinge::{Dependence, FRICTION_YIELDS, Friction, FrictionMode, Hinge, Planar, SlidingSlopes};
use crate::newton_euler::Workspace;
use crate::spatial::Wrench;
use crate::topology::{Closure, Selection, Topology, WELD};

/// Largest relative gap of redundant equations, over that at the start: it changes while the mechanism moves.
const PLAY_PER_MISFIT: f64 = 5.0;

/// Redundant equations may contradict the others by this gap \[rad, or relative to the largest lever arm\]:
/// manufactured or measured parts never agree exactly. That is 1e-5 for each direction and angle, and something for
/// their sum.
const LARGEST_MISFIT: f64 = 3e-5;

/// Velocities with which a hinge yields to its forces.
#[derive(Debug, Clone)]
struct Yielding {
    /// Rates of the rows per multiplier.
    softness: Block,
    /// Multipliers at which it does not move.
    reference: Six,
    /// Multipliers at which it does not accelerate, where accelerations are sought.
    sought_from: Six,
}

/// A law for the multiplier of a row that given motions determine: what hinges yield with it and with the rows that it
/// follows from is the same motion.
#[derive(Debug, Clone)]
pub(super) struct Alike {
    pub row: usize,
    /// Closures, their rows and weights.
    terms: Vec<(usize, usize, f64)>,
}

impl Alike {
    /// Closures with multipliers in the law.
    pub fn closures(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().map(|term| term.0)
    }
}

/// Softness of hinges for velocities over that for accelerations, relative to the scale of time: small, so that redundant
/// equations that contradict each other by rounding errors change the forces little.
const GIVING: f64 = 0.02;

/// The closures of one topology at the last evaluation.
#[derive(Debug, Clone)]
pub struct Loops {
    pub(super) points: Vec<ClosurePoint>,
    pub(super) rows: Vec<Row>,
    /// Per closure, whether multipliers of all levels belong to a row: not to those of friction, which has no gap.
    pub(super) has_gap: Vec<Selection>,
    /// Friction that slides, and its direction.
    sliding: Vec<Option<(Friction, Planar)>>,
    pub(super) active_rows: ActiveClosureRows,
    /// What hinges yield; none for welds.
    yielding: Vec<Option<Yielding>>,
    /// Rows that given motions determine, with laws for their multipliers, per closure.
    alike: Vec<Vec<Alike>>,
    /// Another selection, to compare with.
    candidate_rows: ActiveClosureRows,
    selector: RowSelector,
    /// Scale of length of the model \[m\].
    scale: f64,
    /// Acceleration with which hinges yield over the velocity with which they do \[1/s\].
    give: f64,
    /// Velocities corrected by `-G^T mu`.
    corrected: Vec<f64>,
}

impl Loops {
    /// Allocates for a topology; all equations are used until [`Loops::select`].
    pub(super) fn new(topology: &Topology) -> Self {
        let rest = if topology.closures.is_empty() { Workspace::default() } else { Workspace::new(topology) };
        let rows: Vec<Row> = topology.closures.iter().map(|closure| empty_row(topology, closure)).collect();
        let scale = topology.scales.length;
        let hinges = || topology.closures.iter().map(|closure| closure.tie.as_ref().map(|tie| &tie.hinge));
        let [multipliers, held] = [0, 1].map(|k| hinges().map(move |hinge| Some(rows_of(hinge?)[k])).collect());
        let friction = |hinge: &Hinge| match hinge.friction.mode {
            FrictionMode::Slides(direction) => Some((hinge.friction.clone(), direction)),
            FrictionMode::Absent | FrictionMode::Sticks => None,
        };
        Self {
            points: topology.closures.iter().map(|closure| ClosurePoint::new(closure, &rest.bodies, scale)).collect(),
            has_gap: hinges().map(|hinge| hinge.map_or([true; WELD], gaps_of)).collect(),
            sliding: hinges().map(|hinge| hinge.and_then(friction)).collect(),
            yielding: hinges().map(|hinge| hinge.map(|hinge| yielding_of(hinge, scale))).collect(),
            alike: alike(topology),
            give: 1.0 / (GIVING * topology.scales.time),
            active_rows: ActiveClosureRows::all(multipliers),
            candidate_rows: ActiveClosureRows::default(),
            selector: RowSelector::new(&rows, held, scale),
            scale,
            corrected: vec![0.0; if rows.is_empty() { 0 } else { topology.num_v }],
            rows,
        }
    }

    /// Sets the multipliers at which a hinge does not yield.
    pub(crate) fn set_reference(&mut self, k: usize, reference: &Six) {
        if let Some(yielding) = &mut self.yielding[k] {
            yielding.reference = *reference;
        }
    }

    /// Writes the multipliers at which hinges do not yield; those of welds keep their values.
    pub(super) fn write_reference(&self, multipliers: &mut [f64]) {
        for (yielding, out) in self.yielding.iter().zip(multipliers.chunks_exact_mut(WELD)) {
            if let Some(yielding) = yielding {
                out.copy_from_slice(yielding.reference.as_slice());
            }
        }
    }

    /// Seeks accelerations from these multipliers on: those at which hinges do not yield.
    pub(super) fn seek_from(&mut self, multipliers: &[f64]) {
        for (yielding, six) in self.yielding.iter_mut().zip(multipliers.chunks_exact(WELD)) {
            if let Some(yielding) = yielding {
                yielding.sought_from.copy_from_slice(six);
            }
        }
    }

    /// Seeks accelerations from the reference forces of hinges on.
    pub(super) fn seek_from_reference(&mut self) {
        self.yielding.iter_mut().flatten().for_each(|yielding| yielding.sought_from = yielding.reference);
    }

    /// Whether there are hinges.
    pub(super) fn have_hinges(&self) -> bool {
        self.yielding.iter().any(Option::is_some)
    }

    /// Rates of the rows of a hinge per multiplier.
    pub(super) fn softness(&self, k: usize) -> Option<Block> {
        self.yielding[k].as_ref().map(|yielding| yielding.softness)
    }

    /// Accelerations of the rows of a hinge per multiplier, where those are sought.
    pub(super) fn acceleration_softness(&self, k: usize) -> Option<Block> {
        self.softness(k).map(|softness| self.give * softness)
    }

    /// Laws of the multipliers of rows that given motions determine.
    pub(super) fn alike(&self, k: usize) -> &[Alike] {
        &self.alike[k]
    }

    /// Derivatives of such a law by the multipliers of a closure.
    pub(super) fn alike_slopes(&self, law: &Alike) -> impl Iterator<Item = (usize, Six)> {
        law.terms.iter().filter_map(move |&(k, row, part)| {
            let softness = &self.yielding[k].as_ref()?.softness;
            Some((k, Six::from_fn(|c, _| if self.active_rows.used[k][c] { part * softness[(row, c)] } else { 0.0 })))
        })
    }

    /// How far multipliers are from following such a law.
    fn alike_residual(&self, law: &Alike, multipliers: &[f64]) -> f64 {
        self.alike_slopes(law).map(|(k, slopes)| slopes.dot(&self.used(k, multipliers))).sum()
    }

    /// Sets the direction of sliding of a hinge that slides.
    pub(crate) fn set_direction(&mut self, k: usize, direction: Planar) {
        if let Some((_, kept)) = &mut self.sliding[k] {
            *kept = direction;
        }
    }

    /// The direction of sliding of a hinge that slides.
    pub(crate) fn direction(&self, k: usize) -> Option<Planar> {
        self.sliding[k].as_ref().map(|(_, direction)| *direction)
    }

    /// Derivatives of the law of friction of a closure that slides, for multipliers that it is taken at, or none for
    /// sliding without friction.
    pub(super) fn law_slopes(&self, k: usize, multipliers: Option<&[f64]>) -> Option<SlidingSlopes> {
        let ((friction, direction), tie) = (self.sliding[k].as_ref()?, self.points[k].tie()?);
        let slopes = |multipliers| tie.law_slopes(friction, direction, &self.used(k, multipliers));
        Some(multipliers.map_or_else(SlidingSlopes::default, slopes))
    }

    /// Residual of the law of friction of a closure that slides.
    fn law_residual(&self, k: usize, multipliers: &[f64]) -> Option<[f64; 3]> {
        let ((friction, direction), tie) = (self.sliding[k].as_ref()?, self.points[k].tie()?);
        Some(tie.law_residual(friction, direction, &self.used(k, multipliers)))
    }

    /// Whether the direction of some friction depends on where normal forces act: where it slides and spins.
    pub(super) fn spins(&self) -> bool {
        let spins = |(friction, point): (&Option<_>, &ClosurePoint)| {
            friction.is_some() && point.tie().is_some_and(|tie| tie.slip()[2] != 0.0)
        };
        self.sliding.iter().zip(&self.points).any(spins)
            || self.points.iter().filter_map(ClosurePoint::tie).any(TiePoint::resists_rolling)
    }

    /// The hinge of a closure at the last evaluation.
    pub(crate) fn tie(&self, k: usize) -> Option<&TiePoint> {
        self.points[k].tie()
    }

    /// Equations in use.
    pub(crate) fn active_rows(&self) -> &ActiveClosureRows {
        &self.active_rows
    }

    /// Uses given equations, those of a model with as many closures.
    pub(crate) fn set_active_rows(&mut self, active_rows: &ActiveClosureRows) {
        self.active_rows.copy_from(active_rows);
    }

    /// Whether there are any loops.
    #[must_use]
    pub fn exist(&self) -> bool {
        !self.points.is_empty()
    }

    /// Evaluates gaps and the closure Jacobian for the present motion of all bodies.
    pub(crate) fn update(&mut self, topology: &Topology, workspace: &Workspace) {
        for (k, closure) in topology.closures.iter().enumerate() {
            self.points[k] = ClosurePoint::new(closure, &workspace.bodies, self.scale);
            fill_row(topology, workspace, closure, &self.points[k], &mut self.rows[k]);
        }
    }

    /// As [`Loops::update`] for a motion that differs from that of the last update in its accelerations only.
    pub(crate) fn update_accelerations(&mut self, topology: &Topology, workspace: &Workspace) {
        for (point, closure) in self.points.iter_mut().zip(&topology.closures) {
            point.update_acceleration(closure, &workspace.bodies, self.scale);
        }
    }

    /// Adds the wrenches of the multipliers `lambda` (six per closure) to those on the bodies.
    pub(super) fn apply(&self, topology: &Topology, lambda: &[f64], applied: &mut [Wrench]) {
        for (k, closure) in topology.closures.iter().enumerate() {
            let six = self.used(k, lambda);
            applied[closure.leaf].add(&self.points[k].wrench_on_leaf(&six));
            applied[closure.body.node].add(&self.points[k].wrench_on_body(&six));
        }
    }

    /// Multipliers of closure `k`; those of unused equations count as zero, and so do all of an empty list.
    pub(crate) fn used(&self, k: usize, multipliers: &[f64]) -> Six {
        let own = |r: usize| multipliers.get(WELD * k + r).copied().unwrap_or(0.0);
        Six::from_fn(|r, _| if self.active_rows.used[k][r] { own(r) } else { 0.0 })
    }

    /// Velocities that move the positions: `v - G^T mu`.
    pub(super) fn corrected_velocities(&mut self, v: &[f64], mu: &[f64]) -> &[f64] {
        let n = self.corrected.len();
        self.corrected.copy_from_slice(&v[..n]);
        for k in 0..self.rows.len() {
            let six = self.used(k, mu);
            for column in &self.rows[k] {
                self.corrected[column.v] -= column.rate.dot(&six);
            }
        }
        &self.corrected
    }

    /// Gaps of all closures that their equations close.
    fn gaps(&self) -> impl Iterator<Item = Six> {
        self.points.iter().zip(&self.has_gap).map(|(point, has_gap)| part(&point.gap(), has_gap))
    }

    /// Rates of all closures that their equations keep at zero.
    fn rates(&self) -> impl Iterator<Item = Six> {
        self.points.iter().zip(self.selector.equations()).map(|(point, held)| part(&point.rate(), &held))
    }

    /// Writes the closure residuals: velocity level first, then position level; unused rows keep their multipliers at
    /// zero.
    pub(super) fn residual(&self, multipliers: &[f64], out: &mut [f64]) {
        let n = WELD * self.points.len();
        for (k, point) in self.points.iter().enumerate() {
            let (mut rate, gap) = (point.rate(), point.gap());
            if let Some(Yielding { softness, reference, .. }) = &self.yielding[k] {
                rate += softness * (self.used(k, multipliers) - reference);
            }
            for r in 0..WELD {
                let at = WELD * k + r;
                let used = self.active_rows.used[k][r];
                out[at] = if used { rate[r] } else { multipliers[at] };
                out[n + at] = if used && self.has_gap[k][r] { gap[r] } else { multipliers[n + at] };
            }
            if let Some(law) = self.law_residual(k, multipliers) {
                out[WELD * k..WELD * k + 3].copy_from_slice(&law);
            }
            for law in &self.alike[k] {
                out[WELD * k + law.row] = self.alike_residual(law, multipliers);
            }
        }
    }

    /// Writes the negative accelerations of all gaps, with what hinges yield, and what the laws of friction that slides
    /// lack.
    pub(super) fn acceleration_residual(&self, multipliers: &[f64], out: &mut [f64]) {
        self.write_negative(ClosurePoint::acceleration, out);
        for k in 0..self.points.len() {
            if let Some(Yielding { softness, sought_from, .. }) = &self.yielding[k] {
                let given = self.give * softness * (self.used(k, multipliers) - sought_from);
                let rows = (0..WELD).filter(|&r| self.active_rows.used[k][r]);
                rows.for_each(|r| out[WELD * k + r] -= given[r]);
            }
            if let Some(law) = self.law_residual(k, multipliers) {
                out[WELD * k..WELD * k + 3].copy_from_slice(&law.map(|x| -x));
            }
            for law in &self.alike[k] {
                out[WELD * k + law.row] = -self.alike_residual(law, multipliers);
            }
        }
    }

    /// Writes the negative rates of all gaps.
    pub(super) fn rate_residual(&self, out: &mut [f64]) {
        self.write_negative(ClosurePoint::rate, out);
    }

    fn write_negative(&self, of: impl Fn(&ClosurePoint) -> Six, out: &mut [f64]) {
        for (k, point) in self.points.iter().enumerate() {
            let (six, slides) = (of(point), self.sliding[k].is_some());
            for r in 0..WELD {
                let is_equation = self.active_rows.used[k][r] && !(slides && r < FIRST_SUPPORT);
                out[WELD * k + r] = if is_equation { -six[r] } else { 0.0 };
            }
            self.alike[k].iter().for_each(|law| out[WELD * k + law.row] = 0.0);
        }
    }

    /// Relative gap of redundant equations that contradict the others; zero if they agree, or if that is not known yet.
    pub(crate) fn misfit(&self) -> f64 {
        self.active_rows.misfit.unwrap_or(0.0)
    }

    /// Relative gap that unused equations may have because they contradict those in use: redundant ones of parts that
    /// were made or measured with small errors.
    pub(crate) fn play(&self) -> f64 {
        PLAY_PER_MISFIT * self.misfit()
    }

    /// Selects independent equations at the last evaluation; true when the selection differs from the one before.
    pub fn select(&mut self) -> bool {
        let was_faint = self.active_rows.faint;
        self.select_candidates(false);
        if was_faint && self.candidate_rows.len() < self.active_rows.len() {
            self.select_candidates(true);
        }
        std::mem::swap(&mut self.active_rows, &mut self.candidate_rows);
        let has_changed = self.active_rows != self.candidate_rows;
        self.active_rows.rank = self.active_rows.rank.max(self.active_rows.len());
        has_changed
    }

    /// Number of equations that are independent at the last evaluation, however faintly.
    pub(crate) fn num_independent_at_all(&mut self) -> usize {
        self.select_candidates(true);
        self.candidate_rows.len()
    }

    /// Whether as many equations are in use as ever: the others contradict them if they are not satisfied.
    pub(crate) fn have_full_rank(&self) -> bool {
        self.active_rows.len() >= self.active_rows.rank
    }

    /// Whether unused equations may have this relative gap, because they contradict those in use by as little as that.
    /// The accepted misfit grows with the gap, which changes while the mechanism moves. In a singular configuration,
    /// equations that were dropped are closed behind it.
    pub(crate) fn accept_misfit(&mut self, gap: f64) -> bool {
        let is_small = self.active_rows.misfit.is_some() && gap <= LARGEST_MISFIT;
        if is_small && self.have_full_rank() && gap > self.play() {
            self.active_rows.misfit = Some(gap);
        }
        is_small || gap <= self.play()
    }

    /// Adds equations to the selection that may be almost redundant, until they are clearly not; true when there are
    /// some.
    pub(crate) fn select_faint(&mut self) -> bool {
        self.select_candidates(true);
        let are_more = self.candidate_rows.len() > self.active_rows.len();
        if are_more {
            std::mem::swap(&mut self.active_rows, &mut self.candidate_rows);
        }
        are_more
    }

    /// Whether equations in use of this independence count as dependent.
    pub(crate) fn are_dependent(&self, independence: f64) -> bool {
        RowSelector::are_dependent(independence, &self.active_rows, false)
    }

    fn select_candidates(&mut self, faint: bool) {
        self.candidate_rows.copy_from(&self.active_rows);
        self.candidate_rows.faint = faint;
        self.selector.select(&self.rows, &mut self.candidate_rows);
    }

    /// Number of equations that are used, on one level.
    #[must_use]
    pub fn num_used(&self) -> usize {
        self.active_rows.len()
    }

    /// How far the equations in use are from depending on each other at the last evaluation: 1 for orthogonal ones, 0
    /// at a change point; infinite without any.
    pub(crate) fn independence(&mut self) -> f64 {
        self.selector.independence(&self.rows, &self.active_rows)
    }

    /// Whether another choice of equations is needed at the last evaluation, where those in use have the given
    /// independence: they depend on each other, or those that were dropped at a singular configuration, or counted as
    /// almost redundant, are independent again. `keeps_faint`: equations that are almost dependent are known to be none
    /// the less independent.
    pub(crate) fn need_selection(&mut self, independence: f64, keeps_faint: bool) -> bool {
        if RowSelector::are_dependent(independence, &self.active_rows, keeps_faint) {
            return true;
        }
        self.select_candidates(false);
        self.candidate_rows.len() > self.active_rows.len()
            || self.active_rows.faint && self.candidate_rows.len() == self.active_rows.len()
    }

    /// Length that makes rotations and translations comparable \[m\]: the largest lever arm in any loop.
    pub(crate) fn length(&self) -> f64 {
        comparable_length(self.rows.iter().map(largest_arm).fold(0.0, f64::max), self.scale)
    }

    /// The loop that is open widest: its index, the angle \[rad\] and the distance \[m\].
    pub(crate) fn widest_gap(&self) -> Option<(usize, f64, f64)> {
        self.widest(self.gaps())
    }

    /// The loop that opens fastest: its index, the angular velocity \[rad/s\] and the velocity \[m/s\].
    pub(crate) fn widest_rate(&self) -> Option<(usize, f64, f64)> {
        self.widest(self.rates())
    }

    /// Widest gap as an angle \[rad\]; translations relative to the largest lever arm.
    pub(crate) fn widest_relative_gap(&self) -> f64 {
        self.widest_gap().map_or(0.0, |(_, angle, distance)| angle + distance / self.length())
    }

    /// The same of the equations in use alone.
    pub(crate) fn widest_relative_gap_in_use(&self) -> f64 {
        let length = self.length();
        let gap = |(gap, used): (Six, &Selection)| {
            let part = |r: usize| if used[r] { gap[r].abs() } else { 0.0 };
            (0..3).map(part).sum::<f64>() + (3..WELD).map(part).sum::<f64>() / length
        };
        self.gaps().zip(&self.active_rows.used).map(gap).fold(0.0, f64::max)
    }

    fn widest(&self, of_all: impl Iterator<Item = Six>) -> Option<(usize, f64, f64)> {
        let length = self.length();
        let sizes =
            of_all.enumerate().map(|(k, six)| (k, six.fixed_rows::<3>(0).norm(), six.fixed_rows::<3>(3).norm()));
        sizes.max_by(|a, b| (a.1 * length + a.2).total_cmp(&(b.1 * length + b.2)))
    }

    /// The closure of a loop and how many of its equations are redundant.
    pub(crate) fn redundancy<'a>(&'a self, topology: &'a Topology) -> impl Iterator<Item = (&'a Closure, usize)> {
        let count = |used: &[bool; WELD]| used.iter().filter(|used| !**used).count();
        let welds = topology.closures.iter().zip(&self.active_rows.used).filter(|(closure, _)| closure.tie.is_none());
        welds.map(move |(closure, used)| (closure, count(used)))
    }
}

/// Rows of a hinge that have gaps of their own.
fn gaps_of(hinge: &Hinge) -> Selection {
    std::array::from_fn(|r| r >= FIRST_SUPPORT && r < FIRST_SUPPORT + hinge.carriers.len() && hinge.independent[r])
}

/// Laws of the rows of hinges that given motions determine.
fn alike(topology: &Topology) -> Vec<Vec<Alike>> {
    let welds = topology.num_welds();
    let laws = |(k, closure): (usize, &Closure)| {
        let dependences = closure.tie.as_ref().map_or(&[][..], |tie| &tie.hinge.dependences);
        let law = |dependence: &Dependence| {
            let weight = |row: u32| {
                let is_friction = (row as usize) < FIRST_SUPPORT;
                dependence.weight * if is_friction { FRICTION_YIELDS } else { 1.0 }
            };
            let own = (k, dependence.row as usize, weight(dependence.row));
            let others = dependence.parts.iter();
            let others = others.map(|(of, row, part)| (welds + *of as usize, *row as usize, -part * weight(*row)));
            Alike { row: dependence.row as usize, terms: [own].into_iter().chain(others).collect() }
        };
        dependences.iter().map(law).collect()
    };
    topology.closures.iter().enumerate().map(laws).collect()
}

fn yielding_of(hinge: &Hinge, length: f64) -> Yielding {
    let reference = hinge.reference.into();
    Yielding { softness: softness_of(hinge, length), reference, sought_from: reference }
}

/// A vector without the rows that do not count.
fn part(six: &Six, counts: &Selection) -> Six {
    Six::from_fn(|r, _| if counts[r] { six[r] } else { 0.0 })
}
