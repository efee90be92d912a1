//! What rigid gears transmit.
//!
//! A rigid gear is eliminated, so that nothing computes its torque. It follows from what stands on one side: the
//! inertias there are accelerated by everything that acts there and by the gear. That side must not hold what gives the
//! group its motion, a joint for instance, whose torque is not known here.

use super::network::{Builder, Member, Network, Point, RigidGear, Root};
use super::system::ComponentSystem;

impl Builder<'_> {
    /// Rigid gears whose torques are determined: not those in circles, over which a load may be distributed
    /// arbitrarily.
    pub(super) fn rigid_gears(&self, network: &Network) -> Vec<RigidGear> {
        let mut all = Vec::new();
        for (k, instance) in self.scene.components.iter().enumerate() {
            for &(a, b, _) in &instance.layout.gears {
                let [a, b] = [a, b].map(|flange| self.first[k] + flange);
                let sides = [[a, b], [b, a]].into_iter();
                let known = sides.filter_map(|flanges| Some((flanges, self.side(flanges, network)?))).next();
                all.extend(known.map(|(flanges, side)| {
                    let inertia = side.iter().map(|&flange| self.inertia_of(flange, network)).sum();
                    RigidGear { flanges, side, inertia }
                }));
            }
        }
        all
    }

    fn inertia_of(&self, flange: usize, network: &Network) -> f64 {
        let (instance, k) = self.name_of(flange);
        let ratio = network.members[flange].ratio;
        ratio * ratio * instance.layout.flanges[k].inertia
    }

    /// All flanges that are connected with the first one without passing the gear to the other; none where they hold
    /// what gives the group its motion, or lead round to the other side.
    fn side(&self, [from, other]: [usize; 2], network: &Network) -> Option<Vec<usize>> {
        let mut side = vec![from];
        let mut next = 0;
        while let Some(&flange) = side.get(next) {
            next += 1;
            let (instance, k) = self.name_of(flange);
            if instance.layout.driven.is_some_and(|(driven, _)| driven == k) {
                return None;
            }
            for (neighbour, _) in self.edges.get(&Point::Flange(flange)).into_iter().flatten() {
                match *neighbour {
                    Point::Flange(to) if flange == from && to == other => {}
                    Point::Flange(to) if to == other => return None,
                    Point::Flange(to) if side.contains(&to) => {}
                    Point::Flange(to) => side.push(to),
                    Point::Joint(_) | Point::Ground => return None,
                }
            }
        }
        debug_assert!(side.iter().all(|&k| network.members[k].group == network.members[from].group));
        Some(side)
    }
}

impl ComponentSystem {
    /// Effort of a rigid gear on one of its flanges at the last evaluation; zero for all other flanges.
    pub(super) fn gear_effort(&self, flange: usize) -> f64 {
        let Some(gear) = self.network.gears.iter().find(|gear| gear.flanges.contains(&flange)) else { return 0.0 };
        let [on, other] = gear.flanges.map(|flange| self.network.members[flange]);
        let acceleration = match self.network.groups[on.group].root {
            Root::Ground => 0.0,
            _ => self.group_motions[on.group].acceleration,
        };
        let acting = gear.side.iter().map(|&k| {
            let Member { ratio, .. } = self.network.members[k];
            self.efforts[k] * ratio
        });
        // As the root feels it.
        let effort = gear.inertia * acceleration - acting.sum::<f64>();
        if flange == gear.flanges[0] { effort / on.ratio } else { -effort / other.ratio }
    }
}
