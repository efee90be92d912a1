//! Equilibrium: positions, states of components and inputs for which all accelerations and rates vanish.
//!
//! The unknowns are changes of independent coordinates along the tangent space of all loops, velocities that are to be
//! found, differential states of components and inputs that are trimmed. The equations are `v'(q, v, x, u) = 0` for
//! independent velocities, `x' = 0`, and values that variables shall have. Algebraic unknowns and multipliers are
//! solved for in every evaluation. Newton's method with a natural monotonicity test (Deuflhard, *Newton Methods for
//! Nonlinear Problems*, 3.3) finds the nearest equilibrium, stable or not; where it fails, pseudo-transient
//! continuation (Kelley and Keyes, SIAM J. Numer. Anal. 35, 1998) follows the motion with all inertia and infinite
//! damping until Newton's method takes over. Among bodies in contact, quasi-static motion with friction comes first
//! (`settling`). Where that fails, the loads of friction may be found together with inputs (`friction_loads`), and
//! inputs without effect at their start value may begin at other ones (`other_inputs`).

mod balance;
mod exhausted;
mod friction_loads;
mod geared;
mod held;
mod limits;
mod linearized;
mod newton;
mod other_inputs;
mod relaxation;
mod report;
mod rolling;
mod settling;
mod slip;
mod slipped_off;
mod steadiness;
mod sticking;
mod supports;

pub use report::{CoordinateAtRest, CoordinateRole, Equilibrium, StateAtRest};
pub use steadiness::Unsteady;

use self::balance::Unknowns;
use self::newton::Iterate;
use super::error::SimulationError;
use super::run::Simulation;
use super::run_data::Stage;
use crate::component_system::{GearedFollower, RoundCause};
use crate::contact::{ActiveContact, ContactHistory, PairDistance, PairId};
use crate::dynamics::thickness;
use crate::scene::InputVariable;
use crate::variables::degrees_of_freedom;

/// Which quantities are unknown. Motions are velocity variables, or, counted on behind them, those of drive lines in
/// the order of [`Simulation::drive_motions`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EquilibriumRequest {
    /// Motions whose coordinates stay where they are.
    pub held: Vec<usize>,
    /// Motions whose velocities keep their value; their coordinates stay.
    pub steady: Vec<usize>,
    /// Motions whose velocities are found; their coordinates stay.
    pub speeds: Vec<usize>,
    /// Inputs that are found.
    pub inputs: Vec<usize>,
    /// Degrees of freedom that are moved to a position \[rad, m\] before the search, and stay there.
    pub placed: Vec<(usize, f64)>,
    /// Whether what is placed need not balance: something that is not part of the search carries it.
    pub carries_placed: bool,
    /// How the search proceeds.
    pub search: EquilibriumSearch,
    /// Whether inputs may leave their ranges, as on the way to another equilibrium.
    pub ignores_ranges: bool,
}

/// How an equilibrium is searched for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EquilibriumSearch {
    /// From the start values.
    #[default]
    Direct,
    /// With the loads that friction takes among the unknowns: for inputs and for coordinates that are held where friction
    /// takes a part of the load.
    WithFriction,
    /// From other values of the inputs that have no effect at their start values.
    FromOtherInputs,
}

/// Deviations from prescribed values that shall vanish, relative to their sizes.
pub type Targets<'a> = dyn FnMut(&mut Simulation) -> Result<Vec<f64>, SimulationError> + 'a;

/// Times that components may change their discrete state at an equilibrium.
const MOST_ROUNDS: usize = 20;

/// Greatest distance, over the depth to which a body is pressed into something, by which it lifts on its other side: a
/// load at 0.47 of the length of the face from its middle.
const LIFTED: f64 = 10.0;

/// Most that counts, relative to the half thickness of the thinner shape: what is softer does not lie flat.
const MOST_LIFTED: f64 = 0.02;

impl Simulation {
    /// Moves the run to an equilibrium near the present point. The run must not have been stepped.
    ///
    /// # Errors
    /// The coordinate that cannot rest and its acceleration; the run is then where it was.
    pub fn find_equilibrium(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
    ) -> Result<Equilibrium, SimulationError> {
        self.interpolate_to_now()?;
        if !self.model.scene.has_hinges() {
            return self.find_equilibrium_without_hinges(request, targets);
        }
        let found = self.leave_hinges().and_then(|()| self.find_equilibrium_without_hinges(request, targets));
        let returned = self.return_to_hinges();
        let mut found = found?;
        returned?;
        if self.contacts.set.active().is_empty() {
            // Hinges do not creep.
            found.creeping.clear();
        }
        Ok(found)
    }

    /// As [`Simulation::find_equilibrium`], where no hinge holds bodies that touch: all of them rest on the elastic law.
    fn find_equilibrium_without_hinges(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
    ) -> Result<Equilibrium, SimulationError> {
        let before = self.save_iterate();
        let components = self.segment.evaluator.components.save();
        let places = self.places_of_shapes();
        let mut found = match request.search {
            EquilibriumSearch::FromOtherInputs => self.seek_from_other_inputs(request, targets),
            _ => self.seek_within_range(request, targets),
        };
        if let Ok(found) = &mut found {
            found.far = self.moved_from(&places, 1.0);
            found.change_of_speeds = self.change_of_speeds(request, &before);
            // Where the motion cannot be followed, nothing is said of it.
            found.unsteady = self.find_unsteady(request).ok().flatten();
        }
        if found.is_err() {
            if self.point.y.len() == before.y.len() {
                self.segment.evaluator.components.restore(&components);
            }
            self.restore_iterate(&before);
            self.update_discrete_state()?;
        }
        found
    }

    /// As [`Simulation::seek`], of inputs within their ranges and of contacts that are not too deep.
    pub(super) fn seek_within_range(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
    ) -> Result<Equilibrium, SimulationError> {
        let found = self.seek(request, targets)?;
        if !request.ignores_ranges {
            self.refuse_beyond_range(&found)?;
        }
        self.check_penetration()?;
        Ok(found)
    }

    /// Names of position and velocity of every motion that is a state of components: that of a drive line.
    pub fn drive_motions(&self) -> Vec<[String; 2]> {
        let components = &self.segment.evaluator.components;
        components.own_motions().into_iter().map(|motion| motion.map(|k| components.state_of(k).0)).collect()
    }

    /// As [`Simulation::find_equilibrium`] at the start of a run, with everything at rest and free to move.
    pub(super) fn start_at_equilibrium(&mut self) -> Result<(), SimulationError> {
        let found = self.find_equilibrium(&EquilibriumRequest::default(), &mut |_| Ok(Vec::new()))?;
        found.remarks().into_iter().for_each(|remark| self.model.scene.remarks.push(remark));
        Ok(())
    }

    /// Refuses trimmed inputs outside `min` and `max`.
    fn refuse_beyond_range(&self, found: &Equilibrium) -> Result<(), SimulationError> {
        for &(input, value) in &found.inputs {
            let InputVariable { name, unit, min, max, .. } = &self.model.scene.inputs[input];
            let unit = if matches!(unit.as_str(), "" | "1") { String::new() } else { format!(" {unit}") };
            let limit = match (min, max) {
                (Some(min), _) if value < *min => ("below its minimum", *min),
                (_, Some(max)) if value > *max => ("above its maximum", *max),
                _ => continue,
            };
            return Err(SimulationError::BeyondRange(format!(
                "the equilibrium needs `{name}` = {value:.6}{unit}, {} of {}{unit}: free more coordinates, trim other inputs, or give \
                 `{name}` a larger range",
                limit.0, limit.1
            )));
        }
        Ok(())
    }

    fn seek(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
    ) -> Result<Equilibrium, SimulationError> {
        let names = degrees_of_freedom(&self.model.scene, &self.segment.topology);
        self.solver.is_running = false;
        let followers = self.geared_followers();
        let spread = self.begin(request, &followers)?;
        for _ in 0..MOST_ROUNDS {
            let mut unknowns = Unknowns::new(self, &spread, &followers);
            let (start, sliding) = (self.save_iterate(), self.sliding());
            let balanced = match request.search {
                EquilibriumSearch::WithFriction => self.balance_with_friction(&mut unknowns, targets),
                EquilibriumSearch::FromOtherInputs => self.iterate_to_rest(&mut unknowns, targets),
                EquilibriumSearch::Direct => self.balance_out(&mut unknowns, targets),
            };
            let balanced = balanced.map_err(|failure| {
                let failure = match request.search {
                    EquilibriumSearch::Direct => self.blame_held(failure, &unknowns, &start),
                    // The message of the first search counts.
                    EquilibriumSearch::WithFriction | EquilibriumSearch::FromOtherInputs => failure,
                };
                failure.into_error(self, &names, &unknowns)
            })?;
            if self.stick_on_the_way(&start, &sliding)? {
                continue;
            }
            self.enter_contacts()?;
            self.update_discrete_state()?;
            let segments = self.model.scene.structure.changes;
            let changed = self.component_events(RoundCause::Aftermath)?;
            debug_assert_eq!(segments, self.model.scene.structure.changes);
            if !changed {
                return Ok(self.report(request, &names, &unknowns, balanced));
            }
        }
        let busy = self.segment.evaluator.components.names_of_changed().join("`, `");
        let switches = if busy.is_empty() { "a component switches".to_owned() } else { format!("`{busy}` switches") };
        Err(SimulationError::Start(format!(
            "{switches} at every equilibrium that is found, so that there is none; start nearer to it, or hold what it moves"
        )))
    }

    /// Goes to where a search begins: nothing moves but what shall, and what is placed stands there. Returns the request
    /// in which everything that gears tie together has the same role.
    pub(super) fn begin(
        &mut self,
        request: &EquilibriumRequest,
        followers: &[GearedFollower],
    ) -> Result<EquilibriumRequest, SimulationError> {
        let spread = self.spread_over_gears(request, followers);
        let has_moved = self.stop(&spread);
        self.place(&spread);
        if has_moved {
            let unknowns = Unknowns::new(self, &spread, followers);
            self.stick_where_stopped(&unknowns)?;
        }
        Ok(spread)
    }

    /// Sets all velocities to zero but those that are kept or found, drive lines included. Returns whether anything has
    /// moved.
    fn stop(&mut self, request: &EquilibriumRequest) -> bool {
        let mut has_moved = false;
        for (motion, place) in self.places_of_velocities().into_iter().enumerate() {
            if !request.steady.contains(&motion) && !request.speeds.contains(&motion) {
                has_moved |= self.point.y[place] != 0.0;
                self.point.y[place] = 0.0;
            }
        }
        self.point.stage = Stage::Nothing;
        has_moved
    }

    /// Euclidean norm of the changes of speeds that were found since an earlier point.
    fn change_of_speeds(&self, request: &EquilibriumRequest, before: &Iterate) -> f64 {
        let places = self.places_of_velocities();
        let change = |motion: &usize| {
            let place = *places.get(*motion)?;
            Some(self.point.y.get(place)? - before.y.get(place)?)
        };
        request.speeds.iter().filter_map(change).map(|change| change * change).sum::<f64>().sqrt()
    }

    /// Places of the velocities of all motions among the variables of the run.
    fn places_of_velocities(&self) -> Vec<usize> {
        let (first, num_v) = (self.segment.topology.num_q, self.segment.topology.num_v);
        let own = self.segment.topology.num_variables();
        let drives = self.segment.evaluator.components.own_motions();
        (first..first + num_v).chain(drives.iter().map(|[_, velocity]| own + velocity)).collect()
    }

    /// Moves degrees of freedom to the positions that they shall have.
    fn place(&mut self, request: &EquilibriumRequest) {
        for &(v, position) in &request.placed {
            if let Some(q) = self.place_of(v) {
                self.point.y[q] = position;
            }
        }
    }

    /// Lets what hinges hold rest on the elastic law: hinges press or let go, which no equation of an equilibrium says.
    fn leave_hinges(&mut self) -> Result<(), SimulationError> {
        self.release_hinges()?;
        self.segment.topology.let_all_rest_elastically(true);
        self.update_contacts()?;
        self.consistent_derivatives()
    }

    /// Lets hinges hold again what they can.
    fn return_to_hinges(&mut self) -> Result<(), SimulationError> {
        self.segment.topology.let_all_rest_elastically(false);
        let topology = &self.segment.topology;
        let held = |pair: &PairId| topology.contact_law(*pair).is_ok_and(|law| law.is_hinged());
        let held: Vec<PairId> = self.contacts.set.active().iter().map(|at| at.pair).filter(held).collect();
        // Rigid bodies lie flat on what they press into askew.
        let pressed = self.near_pairs().into_iter().filter(|at| at.dist < 0.0 && held.contains(&at.pair));
        let topology = &self.segment.topology;
        let gap = |at: &PairDistance| (-LIFTED * at.dist).min(MOST_LIFTED * thickness(topology, at.pair));
        self.contacts.yielded = pressed.map(|at| (at.pair, gap(&at))).collect();
        held.into_iter().for_each(|pair| {
            self.contacts.set.remove(pair);
        });
        self.segment.evaluator.set_contacts(&self.segment.topology, self.contacts.set.active());
        let renewed = self.renew_hinges();
        self.contacts.yielded.clear();
        renewed
    }

    /// Makes contacts of all pairs that press on each other, however lightly.
    fn enter_contacts(&mut self) -> Result<(), SimulationError> {
        let near = self.near_pairs();
        let loaded: Vec<_> = near.into_iter().filter(|at| at.dist < 0.0).collect();
        for at in &loaded {
            let contact = ActiveContact {
                pair: at.pair,
                constants: self.resting_law(at.pair)?,
                t_start: self.point.t,
                delta_dot_minus: 0.0,
                history: ContactHistory::default(),
            };
            self.contacts.set.insert(contact);
        }
        let gone: Vec<_> = self.contacts.set.active().iter().map(|contact| contact.pair).collect();
        for pair in gone.into_iter().filter(|pair| loaded.iter().all(|at| at.pair != *pair)) {
            self.contacts.set.remove(pair);
        }
        self.segment.evaluator.set_contacts(&self.segment.topology, self.contacts.set.active());
        Ok(())
    }
}
