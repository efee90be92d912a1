//! Prescribed motions and forces whose expressions have no finite value.

use super::Workspace;
use crate::force::{DofLaw, Element, Local, Signal, Signals};
use crate::math::Seconds;
use crate::topology::Topology;

impl Workspace {
    /// The first prescribed motion, force element or force in a joint that has no finite value at the last evaluation
    /// because its expression has none, and why.
    pub(crate) fn without_value(
        &self,
        topology: &Topology,
        q: &[f64],
        v: &[f64],
        signals: &mut Signals,
    ) -> Option<String> {
        self.motion_without_value(topology, signals)
            .or_else(|| topology.elements.iter().find_map(|element| self.element_without_value(element, signals)))
            .or_else(|| law_without_value(topology, q, v, signals))
            .or_else(|| self.driven_law_without_value(topology, signals))
    }

    /// The first prescribed motion without a finite position, velocity or acceleration, and why.
    pub(crate) fn motion_without_value(&self, topology: &Topology, signals: &Signals) -> Option<String> {
        let is_finite = |k: &usize| (self.motions[*k].q + self.motions[*k].v + self.motions[*k].a).is_finite();
        let at = (0..self.motions.len()).find(|k| !is_finite(k))?;
        let node = topology.nodes.iter().find(|node| node.mobilizer.motions().contains(&at))?;
        let motion = &topology.motions[at];
        let why = [&motion.position, &motion.velocity, &motion.acceleration].into_iter().find_map(|x| why(x, signals));
        Some(message(&format!("the motion of `{}`", node.name), why.as_deref(), signals))
    }

    /// Why a force element has no finite value, if an expression of its own is to blame.
    pub(crate) fn element_without_value(&self, element: &Element, signals: &mut Signals) -> Option<String> {
        let (a, b) = element.nodes();
        let (_, on_b) = element.wrenches(&self.bodies[a], &self.bodies[b], &self.bodies, signals);
        if (on_b.f.sum() + on_b.n.sum()).is_finite() {
            return None;
        }
        let why = element.signals().find_map(|signal| why(signal, signals))?;
        Some(message(&format!("the force `{}`", element.name()), Some(&why), signals))
    }

    /// Why a force in a joint that is driven has no finite value.
    pub(crate) fn driven_law_without_value(&self, topology: &Topology, signals: &mut Signals) -> Option<String> {
        topology.driven_laws.iter().find_map(|law| {
            let [position, velocity] = self.driven_coordinate(law);
            let error_message = |why: &str, signals: &Signals| {
                let node = &topology.nodes[law.node];
                message(&format!("the force or torque in `{}`", node.name), Some(why), signals)
            };
            drive_without_value(&law.law, Local { position, velocity }, signals).map(|why| error_message(&why, signals))
        })
    }
}

/// Why a force in a joint has no finite value.
fn law_without_value(topology: &Topology, q: &[f64], v: &[f64], signals: &mut Signals) -> Option<String> {
    for node in &topology.nodes {
        let Some(first) = node.laws else { continue };
        for k in 0..node.mobilizer.num_v() {
            let position = Topology::position_of(node, k).map_or(0.0, |at| q[at]);
            let local = Local { position, velocity: v[node.v + k] };
            if let Some(why) = drive_without_value(&topology.laws[first + k], local, signals) {
                return Some(message(&format!("the force or torque in `{}`", node.name), Some(&why), signals));
            }
        }
    }
    None
}

fn drive_without_value(law: &DofLaw, local: Local, signals: &mut Signals) -> Option<String> {
    let drive = law.drive.as_ref()?;
    let value = signals.gradient(drive, local)[0];
    if value.is_finite() { None } else { why(drive, signals) }
}

/// Why a signal has no finite value although all that it reads has one.
fn why(signal: &Signal, signals: &Signals) -> Option<String> {
    if signals.reads_finite_values(signal) { signals.why_not_finite(signal) } else { None }
}

fn message(what: &str, why: Option<&str>, signals: &Signals) -> String {
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    format!("{what} has no finite value at t = {} s{why}", Seconds(signals.time()))
}
