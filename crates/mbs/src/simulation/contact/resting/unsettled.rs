//! Hinges that change again and again, or that no forces or steps are found for: their pairs rest on the elastic law
//! instead, until they part.
//!
//! Forces of rigid bodies with friction need not exist, nor need there be only one answer, and a small motion may
//! decide between several (P. Painlevé's paradox; D. E. Stewart, *SIAM Rev.* 42, 2000, 3-39). Elastic bodies always
//! have one.

use crate::contact::PairId;
use crate::dynamics::{ROOTS_PER_HINGE, thickness};
use crate::math::Seconds;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::dense_search::COARSE;
use crate::simulation::run_data::journal::Topic;
use crate::simulation::run_data::pending_event::PendingEvent;
use crate::simulation::run_data::root_layout::Directions;

/// Changes of a contact within [`WINDOW`] after which its pair rests on the elastic law.
const PATIENCE: u32 = 40;

/// Time in which changes of a contact are counted, relative to the scale of time.
const WINDOW: f64 = 1e-2;

/// Distance at which a pair has parted, relative to the half thickness of the thinner shape.
const PARTED: f64 = 1e-3;

impl Simulation {
    /// Counts the changes of hinges, and of contacts that hinges may hold, by an event; whether pairs rest on the
    /// elastic law from now on because theirs have changed too often. Friction at joints that holds and slides by turns
    /// counts as changes of all hinges: both may hold the same bodies, and who carries the load is not decided.
    pub(in crate::simulation) fn count_changes_of_hinges(
        &mut self,
        event: &PendingEvent,
        directions: &Directions<'_>,
    ) -> bool {
        if !self.may_have_hinges() {
            return false;
        }
        let (window, mut unsettled) = (WINDOW * self.segment.topology.scales.time, Vec::new());
        let holders = self.segment.evaluator.components.have_holders_crossed(directions.components);
        let crossed = self.contacts.hinges.iter().zip(directions.hinges.chunks(ROOTS_PER_HINGE));
        let crossed = crossed.filter(|(_, roots)| holders || roots.iter().any(|direction| *direction != 0));
        let met =
            event.cause.pair().filter(|pair| self.segment.topology.contact_law(*pair).is_ok_and(|law| law.is_hinged()));
        for pair in crossed.map(|(hinge, _)| hinge.pair).chain(met) {
            if self.contacts.hinge_changes.note(pair, event.t, window).count >= PATIENCE {
                unsettled.push(pair);
            }
        }
        let yielding: Vec<PairId> = unsettled.into_iter().flat_map(|pair| self.pairs_beside(pair)).collect();
        self.rest_elastically(&yielding, event.t, "their contact changes again and again")
    }

    /// Counts that a pair has held more than its friction for some time: the second time soon after, it rests on the
    /// elastic law.
    pub(super) fn count_strain(&mut self, pair: PairId, t: f64) {
        let window = WINDOW * self.segment.topology.scales.time;
        for _ in 1..PATIENCE / 2 {
            self.contacts.hinge_changes.note(pair, t, window);
        }
    }

    /// Lets what touches the bodies of the integrator's least accurate variable rest on the elastic law, or else all
    /// that hinges hold, after the integrator has failed at time `t` \[s\]; whether anything does that did not before.
    pub(in crate::simulation) fn give_way(&mut self, t: f64) -> bool {
        let topology = &self.segment.topology;
        let node = self.solver.integrator.least_accurate().and_then(|variable| topology.node_of(variable));
        let nodes = |pair: &PairId| [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].node);
        let all: Vec<PairId> = self.contacts.hinges.iter().map(|hinge| hinge.pair).collect();
        let near: Vec<PairId> =
            all.iter().copied().filter(|pair| node.is_some_and(|node| nodes(pair).contains(&node))).collect();
        let why = "no step is found with their hinges";
        self.rest_elastically(&near, t, why) || self.rest_elastically(&all, t, why)
    }

    /// A pair, and others that hinges hold and that share a body with it which can move.
    fn pairs_beside(&self, pair: PairId) -> Vec<PairId> {
        let topology = &self.segment.topology;
        let nodes = |pair: PairId| [pair.a, pair.b].map(|shape| topology.shapes[shape as usize].node);
        let own = nodes(pair).map(|node| Some(node).filter(|node| !topology.is_prescribed(*node)));
        let others = self.contacts.hinges.iter().map(|hinge| hinge.pair);
        let beside =
            others.filter(|other| *other != pair && nodes(*other).iter().any(|node| own.contains(&Some(*node))));
        std::iter::once(pair).chain(beside).collect()
    }

    /// Lets pairs rest on the elastic law from time `t` \[s\] on until they part; whether there is one that did not
    /// before.
    pub(in crate::simulation::contact) fn rest_elastically(&mut self, pairs: &[PairId], t: f64, why: &str) -> bool {
        let mut all = self.segment.topology.resting_elastically().to_vec();
        let known = all.len();
        for pair in pairs {
            if let Err(at) = all.binary_search(pair) {
                all.insert(at, *pair);
                let names = self.names_of(*pair);
                let text = || format!("{names} rest on the elastic law until they part: {why}");
                if !std::mem::replace(&mut self.contacts.has_reported_elastic_rest, true) {
                    self.structure.programs.log_once(format!(
                        "at t = {} s {}; there may be others later",
                        Seconds(t),
                        text()
                    ));
                }
                self.records.journal.note(t, Topic::Contact, text);
            }
        }
        self.segment.topology.let_rest_elastically(&all);
        all.len() > known
    }

    /// Derivatives that satisfy the equations of motion at the present point; where hinges and components contradict
    /// each other, those without hinges: what hinges hold rests on the elastic law until it parts.
    ///
    /// # Errors
    /// Joints without inertia, or algebraic loops without solution, also without hinges.
    pub(in crate::simulation) fn consistent_or_elastic(&mut self) -> Result<(), SimulationError> {
        let efforts = self.point.y[self.segment.topology.num_variables()..].to_vec();
        let Err(error) = self.consistent_derivatives() else { return Ok(()) };
        let pairs: Vec<PairId> = self.contacts.hinges.iter().map(|hinge| hinge.pair).collect();
        if !self.rest_elastically(
            &pairs,
            self.point.t,
            "contact forces and efforts of components contradict each other",
        ) {
            return Err(error);
        }
        self.point.y.truncate(self.segment.topology.num_variables());
        self.point.y.extend(efforts);
        self.release_hinges()?;
        self.update_contacts()?;
        self.consistent_derivatives()
    }

    /// A pair that has rested on the elastic law and has parted, where the bodies of the search are: at a restart,
    /// hinges may hold it again.
    pub(in crate::simulation::contact) fn parted_pair(&mut self) -> Option<PairId> {
        for k in 0..self.segment.topology.resting_elastically().len() {
            let pair = self.segment.topology.resting_elastically()[k];
            if self.contacts.set.find(pair).is_some() {
                continue;
            }
            self.solver.search.pairs[COARSE].forget();
            if self.searched_pair(pair, COARSE).dist > PARTED * thickness(&self.segment.topology, pair) {
                return Some(pair);
            }
        }
        None
    }

    /// Lets hinges hold pairs again that have rested on the elastic law and have parted.
    pub(super) fn let_parted_pairs_go(&mut self) {
        if self.segment.topology.resting_elastically().is_empty() {
            return;
        }
        self.place_bodies();
        let (topology, bodies) = (&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let near = self.segment.evaluator.contacts.measure(topology, bodies);
        let touches = |pair: &PairId| {
            let parted = PARTED * thickness(topology, *pair);
            near.iter().any(|at| at.pair == *pair && at.dist <= parted)
        };
        let kept: Vec<PairId> = topology.resting_elastically().iter().copied().filter(touches).collect();
        self.segment.topology.let_rest_elastically(&kept);
    }
}
