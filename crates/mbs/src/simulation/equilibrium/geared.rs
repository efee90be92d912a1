//! Motions that gears with losses tie to others: they follow at every point of the search.
//!
//! In a run, the torque of such a gear and a small correction keep both sides together. In a search for an equilibrium
//! that would leave their velocities free: what is accelerated alike need not move alike.

use super::EquilibriumRequest;
use crate::component_system::{GearedFollower, GearedMotion};
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;

impl Simulation {
    /// Motions that follow others through gears with losses. Closed loops move their joints by themselves: gears between
    /// two joints of such models keep their own equations.
    pub(super) fn geared_followers(&self) -> Vec<GearedFollower> {
        let mut followers = self.segment.evaluator.components.geared_followers();
        if !self.segment.topology.closures.is_empty() {
            followers.retain(|follower| !matches!(follower.motion, GearedMotion::Joint { .. }));
        }
        followers
    }

    /// A request in which everything that gears with losses tie together has the same role: steady if one is, else with
    /// a speed to be found if one is, else held if one is.
    pub(super) fn spread_over_gears(
        &self,
        request: &EquilibriumRequest,
        followers: &[GearedFollower],
    ) -> EquilibriumRequest {
        let mut spread = request.clone();
        spread.held.extend(request.placed.iter().map(|(motion, _)| *motion));
        let mut leaders: Vec<GearedMotion> = Vec::new();
        for follower in followers {
            if leaders.contains(&follower.leader) {
                continue;
            }
            leaders.push(follower.leader);
            let led = followers.iter().filter(|other| other.leader == follower.leader);
            let led: Vec<usize> = led.filter_map(|other| self.ordinal_of(other.motion)).collect();
            let leader = self.ordinal_of(follower.leader);
            let is_any_in = |list: &[usize]| leader.iter().chain(&led).any(|motion| list.contains(motion));
            let role = [&request.steady, &request.speeds, &spread.held].map(|list| is_any_in(list));
            for list in [&mut spread.steady, &mut spread.speeds, &mut spread.held] {
                list.retain(|motion| Some(*motion) != leader && !led.contains(motion));
            }
            let Some(leader) = leader else { continue };
            match role {
                [true, ..] => spread.steady.extend(std::iter::once(leader).chain(led)),
                [_, true, _] => {
                    spread.speeds.push(leader);
                    spread.held.extend(led);
                }
                [_, _, true] => spread.held.extend(std::iter::once(leader).chain(led)),
                _ => {}
            }
        }
        for list in [&mut spread.steady, &mut spread.speeds, &mut spread.held] {
            list.sort_unstable();
        }
        spread
    }

    /// Ordinal of a motion in requests; none for those that are prescribed.
    pub(super) fn ordinal_of(&self, motion: GearedMotion) -> Option<usize> {
        match motion {
            GearedMotion::Ground | GearedMotion::Prescribed(_) => None,
            GearedMotion::Joint { v, .. } => Some(v),
            GearedMotion::Own(at) => {
                let drives = self.segment.evaluator.components.own_motions();
                let place = drives.iter().position(|[position, _]| *position == at)?;
                Some(self.segment.topology.num_v + place)
            }
        }
    }

    /// Gives what follows through gears with losses the position and the velocity that the gears ask for. Prescribed
    /// motions must have been evaluated.
    pub(super) fn follow_gears(&mut self, followers: &[GearedFollower]) {
        let (num_q, own) = (self.segment.topology.num_q, self.segment.topology.num_variables());
        for follower in followers {
            let motion = match follower.leader {
                GearedMotion::Ground => [0.0; 2],
                GearedMotion::Prescribed(motion) => {
                    let at = &self.segment.evaluator.workspace.motions[motion];
                    [at.q, at.v]
                }
                GearedMotion::Joint { q, v } => [self.point.y[q], self.point.y[num_q + v]],
                GearedMotion::Own(at) => [self.point.y[own + at], self.point.y[own + at + 1]],
            };
            let [position, velocity] = motion.map(|x| follower.ratio * x);
            let places = match follower.motion {
                GearedMotion::Joint { q, v } => [q, num_q + v],
                GearedMotion::Own(at) => [own + at, own + at + 1],
                GearedMotion::Ground | GearedMotion::Prescribed(_) => continue,
            };
            [self.point.y[places[0]], self.point.y[places[1]]] = [position, velocity];
            self.point.stage = Stage::Nothing;
        }
    }
}
