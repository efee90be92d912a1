//! Rigid bodies that rest, slide or roll on each other: hinges that come, change and go.
//!
//! Hinges are found anew at every event: what touches is looked at, impulses stop what approaches, and the balance of
//! forces decides which supports carry and where friction holds ([`balance`]). Between events they are equations of the
//! segment, and their root functions tell when they change.

mod balance;
mod friction_state;
mod problem;
mod rows;
mod straighten;
mod sweeps;
mod unsettled;

use crate::contact::hinge::{FrictionMode, Hinge, keep_flat};
use crate::dynamics::{
    ActiveClosureRows, ROOTS_PER_HINGE, Six, closures_of, direction_of_sliding, pair_rooms, pressing, thickness,
};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::linearized_with::FollowedHinge;
use crate::simulation::run_data::pending_event::{EventCause, PendingEvent};
use crate::topology::WELD;

/// Depth of a corner behind the plane of contact at which it has left it, relative to the half thickness.
const LEFT: f64 = 1e-5;

/// Part of the friction at hand by which what sticks may exceed it, and the time since the last event, relative to the
/// scale of time, from which on it may not: at an event, the balance of forces may find no other state for a moment.
const OVERSTRAINED: f64 = 0.5;
const MOMENT: f64 = 1e-3;

/// Time in which what hinges yield to comes to rest, relative to the scale of time: forces that stay do not let
/// anything creep for long.
const SETTLING: f64 = 0.1;

impl Simulation {
    fn may_have_hinges(&self) -> bool {
        self.model.scene.has_hinges() && self.segment.topology.shapes.len() > 1
    }

    /// Finds the hinges of the present point.
    ///
    /// # Errors
    /// Forces between bodies that rest on each other have no answer.
    pub(in crate::simulation) fn renew_hinges(&mut self) -> Result<(), SimulationError> {
        if !self.may_have_hinges() {
            self.let_parted_pairs_go();
            return Ok(());
        }
        self.release_hinges()?;
        self.refuse_given_contacts()?;
        self.let_parted_pairs_go();
        self.balance_forces()
    }

    /// Leaves no hinge; gaps and velocities are what they hold.
    pub(in crate::simulation) fn release_hinges(&mut self) -> Result<(), SimulationError> {
        if self.contacts.hinges.is_empty() {
            return Ok(());
        }
        self.close_loops_exactly()?;
        self.hold(Vec::new());
        Ok(())
    }

    /// Holds bodies by these hinges and no others. Derivatives are to be made consistent.
    pub(in crate::simulation) fn hold(&mut self, hinges: Vec<Hinge>) {
        if self.contacts.hinges == hinges {
            return;
        }
        let topology = &mut self.segment.topology;
        let own = topology.num_q + topology.num_v;
        let old = own..topology.num_variables();
        let welds = topology.num_welds();
        let rows = self.segment.evaluator.loops.active_rows().clone();
        topology.set_hinges(&hinges);
        self.contacts.hinges = hinges;
        self.solver.linearized.hinges.clear();
        let num = topology.num_variables() - own;
        for variables in [&mut self.point.y, &mut self.point.yp] {
            variables.splice(old.clone(), std::iter::repeat_n(0.0, num));
        }
        let (yp, jumps) = (self.point.yp.clone(), self.contacts.monitor.jumps().clone());
        self.renew_workspaces();
        self.point.yp = yp;
        self.contacts.monitor.set_jumps(&jumps);
        let mut active = self.segment.evaluator.loops.active_rows().clone();
        active.used[..welds].copy_from_slice(&rows.used[..welds]);
        let kept = ActiveClosureRows { used: active.used, ..rows };
        self.segment.evaluator.loops.set_active_rows(&kept);
    }

    /// Lets hinges yield from the forces of the present point on.
    pub(in crate::simulation) fn refer_to_forces(&mut self) {
        let topology = &self.segment.topology;
        let multipliers = &self.point.yp[topology.num_q + topology.num_v..];
        let closures: Vec<Option<usize>> = closures_of(topology, &self.contacts.hinges).collect();
        for (hinge, k) in self.contacts.hinges.iter_mut().zip(closures) {
            if let Some(k) = k {
                let six = self.segment.evaluator.loops.used(k, multipliers);
                hinge.reference = six.into();
                self.segment.evaluator.loops.set_reference(k, &six);
            }
        }
    }

    /// Lets the equations of motion have hinges as they were, or are, at some time in the segment; those themselves
    /// stay.
    pub(in crate::simulation) fn follow_as(&mut self, hinges: &[FollowedHinge]) {
        let closures = closures_of(&self.segment.topology, &self.contacts.hinges);
        let loops = &mut self.segment.evaluator.loops;
        for (hinge, k) in hinges.iter().zip(closures) {
            let Some(k) = k else { continue };
            loops.set_reference(k, &hinge.reference.into());
            if let Some(direction) = hinge.direction {
                loops.set_direction(k, direction);
            }
        }
    }

    /// Refuses hinges of another model in a saved state.
    pub(in crate::simulation) fn check_hinges(&self, hinges: &[Hinge]) -> Result<(), SimulationError> {
        let shapes = self.segment.topology.shapes.len() as u32;
        let fits = |hinge: &Hinge| hinge.pair.a < hinge.pair.b && hinge.pair.b < shapes && hinge.is_sound();
        let sorted = hinges.windows(2).all(|pair| pair[0].pair < pair[1].pair);
        let moves = |hinge: &Hinge| {
            let nodes = [hinge.pair.a, hinge.pair.b].map(|shape| self.segment.topology.shapes[shape as usize].node);
            nodes[0] != nodes[1]
        };
        let pressing = hinges.iter().filter(|hinge| !hinge.supports.is_empty()).count() as u32;
        let mut parts = hinges.iter().flat_map(|hinge| &hinge.dependences).flat_map(|dependence| &dependence.parts);
        let known = parts.all(|(of, ..)| *of < pressing);
        if hinges.iter().all(|hinge| fits(hinge) && moves(hinge)) && sorted && known {
            return Ok(());
        }
        let why = "it belongs to a model of another structure";
        Err(SimulationError::Value(format!("the saved state cannot be used: {why}")))
    }

    /// Lets hinges follow the motion at the end of the integrator's last step: in which direction they slide, from
    /// which forces they yield, and which corners have left the plane of contact. The event of those that pull, or
    /// stick with more friction than there is, without having crossed zero, as from the start of the segment on:
    /// friction would drive what slides there, and hold what it cannot hold.
    pub(in crate::simulation) fn follow_hinges(&mut self) -> Result<Option<PendingEvent>, SimulationError> {
        if self.contacts.hinges.is_empty() || !self.solver.is_running {
            return Ok(None);
        }
        let (now, roots) = (self.solver.integrator.internal_time(), self.root_layout().total());
        let first_root = roots - ROOTS_PER_HINGE * self.contacts.hinges.len();
        let (mut crossed, mut strained) = (Vec::new(), Vec::new());
        self.move_search_to(now)?;
        let (topology, step) = (&self.segment.topology, self.solver.integrator.last_step());
        let settled = step / (step + SETTLING * topology.scales.time);
        let search = &self.solver.search;
        self.segment.evaluator.loops.update(topology, &search.workspace);
        let multipliers = &search.point.yp[topology.num_q + topology.num_v..];
        let mut next = topology.num_welds();
        for (p, hinge) in self.contacts.hinges.iter_mut().enumerate() {
            if !hinge.supports.is_empty() {
                let k = next;
                next += 1;
                let six = Six::from_fn(|r, _| multipliers[WELD * k + r]);
                let bodies = pair_rooms(topology, &search.workspace.bodies, hinge.pair).map(|room| room.body);
                if let Some(tie) = self.segment.evaluator.loops.tie(k).filter(|_| !self.model.scene.follows_references)
                {
                    let pressure = tie.pressure(&six);
                    if pressing(hinge, tie, &pressure, bodies) < -hinge.slack {
                        crossed.push(first_root + ROOTS_PER_HINGE * p);
                    }
                    let sticks = hinge.friction.mode == FrictionMode::Sticks;
                    let has_held = now - self.events.last > MOMENT * topology.scales.time;
                    if sticks && has_held && hinge.friction.need(&pressure, &tie.efforts(&six)).0 > 1.0 + OVERSTRAINED {
                        strained.push(first_root + ROOTS_PER_HINGE * p + 1);
                    }
                }
                for (reference, six) in hinge.reference.iter_mut().zip(six.iter()) {
                    *reference += settled * (six - *reference);
                }
                self.segment.evaluator.loops.set_reference(k, &hinge.reference.into());
                if let Some(direction) = direction_of_sliding(&self.segment.evaluator, hinge, k, &six) {
                    hinge.friction.mode = FrictionMode::Slides(direction);
                    self.segment.evaluator.loops.set_direction(k, direction);
                }
            }
            if hinge.flat.iter().all(Vec::is_empty) {
                continue;
            }
            let bodies = &search.workspace.bodies;
            let rooms = pair_rooms(topology, bodies, hinge.pair);
            let support = hinge.supports.iter().chain(&hinge.idle).next();
            let Some(at) = support.and_then(|support| support.at([rooms[0].body, rooms[1].body])) else { continue };
            let left = LEFT * thickness(topology, hinge.pair);
            for (side, outward) in [at.normal, -at.normal].into_iter().enumerate() {
                keep_flat(&rooms[side], &outward, &mut hinge.flat[side], left);
            }
        }
        if !strained.is_empty() {
            // The integrator's forces are those of its polynomial, which differ from those of the motion after a
            // restart.
            let exact = self.roots_inside(now)?;
            strained.retain(|&root| exact[root] < -OVERSTRAINED);
            for root in &strained {
                let pair = self.contacts.hinges[(root - first_root) / ROOTS_PER_HINGE].pair;
                self.count_strain(pair, now);
            }
            crossed.extend(strained);
        }
        let directions = || (0..roots).map(|root| -i32::from(crossed.contains(&root))).collect();
        Ok((!crossed.is_empty()).then(|| PendingEvent::new(now, EventCause::Roots(directions()))))
    }
}
