//! Values of variables at one point, for outputs and for the conditions of action programs.

use super::Stage;
use super::contact_results::ContactResults;
use crate::contact::hinge::Hinge;
use crate::contact::{ContactSet, PairId};
use crate::dynamics::{Evaluator, HingeResult, Six, closures_of, contact_energy, hinge_result};
use crate::force::Signals;
use crate::math::{Quaternion, Vec3};
use crate::newton_euler::placed_quaternion;
use crate::scene::{
    ContactPart, EnergyKind, JointId, LastMotion, MotionPart, ObjectContactPart, ObjectId, Quantity, Scene,
};
use crate::spatial::{BodyMotion, RelativeMotion};
use crate::topology::{Coordinate, Mobilizer, Topology, WELD};

/// Everything that the value of a variable depends on; the evaluator must have reached the stage of the variable.
#[derive(Clone, Copy)]
pub(in crate::simulation) struct View<'a> {
    pub scene: &'a Scene,
    pub topology: &'a Topology,
    pub evaluator: &'a Evaluator,
    pub signals: &'a Signals,
    pub contact_set: &'a ContactSet,
    /// What holds bodies that rest, slide or roll on each other.
    pub hinges: &'a [Hinge],
    /// Contacts evaluated at this point.
    pub contacts: &'a ContactResults,
    /// Time \[s\].
    pub t: f64,
    pub y: &'a [f64],
    pub yp: &'a [f64],
}

impl View<'_> {
    /// Value of a quantity in SI units; zero for quantities that need the whole run (parameters, counts of events).
    pub fn value(&self, quantity: &Quantity) -> f64 {
        match quantity {
            Quantity::Time => self.t,
            Quantity::Input(input) => self.signals.input(*input),
            Quantity::Coordinate { joint, dof, order } => self.coordinate(*joint, *dof, *order),
            Quantity::DriveForce { joint, dof } => self.drive_force(*joint, *dof),
            Quantity::BodyEffort { object, component } => self.body_effort(*object, *component),
            Quantity::Motion { frame, relative_to, resolved_in, part, component } => {
                self.motion(*frame, *relative_to, *resolved_in, *part, *component)
            }
            Quantity::CutForce { joint, resolved_in, torque, component } => {
                self.cut_force(*joint, *resolved_in, *torque)[*component]
            }
            Quantity::Contact { objects, part, component } => self.contact(*objects, *part, *component),
            Quantity::ObjectContact { object, part, component } => self.object_contact(*object, *part, *component),
            Quantity::Energy(kind) => self.energy(*kind),
            Quantity::Signal(slot) => self.signals.slot(*slot),
            Quantity::Effort { component, flange } => self.evaluator.components.effort(*component, *flange),
            Quantity::NumStates => self.y.len() as f64,
            Quantity::NumContacts => {
                let carrying = self.hinges.iter().filter(|hinge| !hinge.supports.is_empty()).count();
                (self.contact_set.active().len() + carrying) as f64
            }
            Quantity::Path { path, axis, order } => self.signals.path_value(*path, *axis, *order),
            Quantity::Structure(quantity) => self.scene.structure_value(quantity),
            Quantity::Parameter(_)
            | Quantity::EventCount
            | Quantity::LastEventTime
            | Quantity::DissipatedByImpacts
            | Quantity::ImpactCount
            | Quantity::Impacts(_) => 0.0,
        }
    }

    /// What hinges do at the stage of accelerations, by their pairs.
    pub fn hinge_results(&self) -> impl Iterator<Item = (PairId, HingeResult)> + '_ {
        let multipliers = &self.yp[self.topology.num_q + self.topology.num_v..];
        let result = move |(hinge, closure): (&Hinge, Option<usize>)| {
            let k = closure?;
            let six = Six::from_fn(|r, _| multipliers[WELD * k + r]);
            Some((hinge.pair, hinge_result(self.evaluator, hinge, k, &six)?))
        };
        self.hinges.iter().zip(closures_of(self.topology, self.hinges)).filter_map(result)
    }

    /// Elastic energy of all contacts \[J\].
    pub fn energy_of_contacts(&self) -> f64 {
        contact_energy(self.topology, self.t, &self.evaluator.workspace.bodies, self.contact_set.active())
    }

    fn energy(&self, kind: EnergyKind) -> f64 {
        let q = &self.y[..self.topology.num_q];
        let own = self.topology.num_variables();
        let mechanics = self.evaluator.workspace.energy(self.topology, q);
        let components = self.evaluator.components.energy(&self.y[own..], &self.yp[own..], self.t);
        let kinetic = mechanics.kinetic + components.kinetic;
        let contacts = || self.contacts.energy.unwrap_or_else(|| self.energy_of_contacts());
        let potential = || mechanics.potential + components.potential + contacts();
        match kind {
            EnergyKind::Kinetic => kinetic,
            EnergyKind::Potential => potential(),
            EnergyKind::Total => kinetic + potential(),
        }
    }

    pub fn coordinate(&self, joint: JointId, dof: usize, order: u8) -> f64 {
        let layout = &self.topology.joints[joint.index()];
        match layout.coordinates.get(dof) {
            Some(Coordinate::State { q, v }) => match order {
                0 => q.map_or(0.0, |q| self.y[q]),
                1 => self.y[self.topology.num_q + v],
                _ => self.yp[self.topology.num_q + v],
            },
            Some(Coordinate::Driven { motion }) => {
                let x = self.evaluator.workspace.motions[*motion];
                [x.q, x.v, x.a][order as usize]
            }
            None => {
                let last = self.scene.structure.last_coordinates.get(joint.index()).and_then(Option::as_ref);
                last.and_then(|dofs| dofs.get(dof)).map_or(0.0, |last| last[order as usize])
            }
        }
    }

    fn drive_force(&self, joint: JointId, dof: usize) -> f64 {
        let law = self.topology.driven_laws.iter().position(|law| (law.joint, law.dof) == (joint, dof));
        let of_law = law.map_or(0.0, |law| self.evaluator.workspace.driven_efforts[law]);
        self.transmitted_effort(joint, dof) - of_law - self.evaluator.components.net_effort_on(joint, dof)
    }

    /// Effort that a driven joint transmits along a degree of freedom.
    fn transmitted_effort(&self, joint: JointId, dof: usize) -> f64 {
        let layout = &self.topology.joints[joint.index()];
        let Some((first, last)) = layout.nodes else { return 0.0 };
        if let Mobilizer::DrivenBall(_) = self.topology.nodes[last].mobilizer {
            return self.cut_force(joint, self.scene.joints[joint].from, dof < 3)[dof % 3];
        }
        let Some(Coordinate::Driven { motion }) = layout.coordinates.get(dof) else { return 0.0 };
        (first..=last)
            .find(|&n| matches!(self.topology.nodes[n].mobilizer, Mobilizer::Driven { motion: m, .. } if m == *motion))
            .map_or(0.0, |n| self.evaluator.workspace.drive_force(self.topology, n))
    }

    /// Wrench on a driven free object about its origin, in the axes of the world.
    fn body_effort(&self, object: ObjectId, component: usize) -> f64 {
        let Some(node) = self.topology.free_objects[object.index()] else { return 0.0 };
        let wrench = &self.evaluator.workspace.transmitted[node];
        if component < 3 { wrench.n[component] } else { wrench.f[component - 3] }
    }

    /// What an absent object showed last.
    pub fn last_motion(&self, id: ObjectId) -> Option<&LastMotion> {
        let structure = &self.scene.structure;
        if structure.exists(id) { None } else { structure.last_motions[id.index()].as_deref() }
    }

    /// Motion of an object in the world.
    pub fn object_motion(&self, object: ObjectId) -> BodyMotion {
        if let Some(last) = self.last_motion(object) {
            return last.motion;
        }
        let frame = &self.topology.placements[object.index()];
        self.evaluator.workspace.bodies[frame.node].at(&frame.x_bc)
    }

    fn motion(&self, frame: ObjectId, relative_to: ObjectId, resolved_in: ObjectId, part: MotionPart, k: usize) -> f64 {
        if part == MotionPart::Quaternion {
            return self.quaternion(relative_to).conjugate().product(&self.quaternion(frame)).to_array()[k];
        }
        let observer = self.object_motion(relative_to);
        let relative = RelativeMotion::between(&observer, &self.object_motion(frame));
        let vector = match part {
            MotionPart::Position => relative.p,
            MotionPart::Velocity => relative.v,
            MotionPart::AngularVelocity => relative.w,
            MotionPart::Acceleration => relative.a,
            MotionPart::AngularAcceleration | MotionPart::Quaternion => relative.alpha,
        };
        if resolved_in == relative_to {
            return vector[k];
        }
        self.object_motion(resolved_in).rotation.tr_mul(&(observer.rotation * vector))[k]
    }

    /// Quaternion of `R_WC` of an object, continuous in time: the product along its path in the forest.
    pub fn quaternion(&self, object: ObjectId) -> Quaternion {
        if let Some(last) = self.last_motion(object) {
            return last.quaternion;
        }
        let q = placed_quaternion(self.topology, &self.evaluator.workspace.motions, self.y, object);
        if self.scene.structure.turned.get(object.index()) == Some(&true) { q.opposite() } else { q }
    }

    /// Force or torque that a joint transmits from its `from` to its `to` side at the origin of M, in given axes.
    fn cut_force(&self, joint: JointId, resolved_in: ObjectId, torque: bool) -> Vec3 {
        let layout = &self.topology.joints[joint.index()];
        let Some((_, last)) = layout.nodes else { return Vec3::zeros() };
        let joint = &self.scene.joints[joint];
        let wrench = self.evaluator.workspace.transmitted[last];
        let sign = if layout.reversed { -1.0 } else { 1.0 };
        let at_m = self.object_motion(joint.to).p - self.evaluator.workspace.bodies[last].p;
        let vector = if torque { wrench.n - at_m.cross(&wrench.f) } else { wrench.f };
        self.object_motion(resolved_in).rotation.tr_mul(&(vector * sign))
    }

    fn contact(&self, objects: [ObjectId; 2], part: ContactPart, k: usize) -> f64 {
        let Some(pair) = self.contacts.pair(objects) else { return 0.0 };
        match part {
            ContactPart::Active => 1.0,
            ContactPart::NormalForce => pair.f_n,
            ContactPart::FrictionForce => pair.f_t[k],
            ContactPart::Force => pair.f[k],
            ContactPart::Torque => pair.t[k],
            ContactPart::Penetration => pair.delta,
            ContactPart::PenetrationRate => pair.delta_dot,
            ContactPart::Point => pair.r[k],
            ContactPart::Normal => pair.n[k],
            ContactPart::SlidingVelocity => pair.v_t[k],
            ContactPart::SlipSpeed => pair.v_t.norm(),
            ContactPart::Sticking => f64::from(u8::from(pair.sticks)),
            ContactPart::Area => pair.area,
            ContactPart::HighestPressure => pair.p_max,
            ContactPart::Carriers => pair.carriers as f64,
        }
    }

    fn object_contact(&self, object: ObjectId, part: ObjectContactPart, k: usize) -> f64 {
        let result = self.contacts.object(object);
        match part {
            ObjectContactPart::Force => result.f[k],
            ObjectContactPart::Torque => result.t[k],
            ObjectContactPart::Count => result.count as f64,
        }
    }
}

/// How far the workspace must be evaluated for a quantity.
pub(in crate::simulation) fn stage_of(quantity: &Quantity) -> Stage {
    match quantity {
        Quantity::Time
        | Quantity::Input(_)
        | Quantity::Parameter(_)
        | Quantity::EventCount
        | Quantity::LastEventTime
        | Quantity::DissipatedByImpacts
        | Quantity::ImpactCount
        | Quantity::Impacts(_)
        | Quantity::NumStates
        | Quantity::NumContacts
        | Quantity::Path { .. }
        | Quantity::Structure(_) => Stage::Nothing,
        Quantity::Coordinate { order: 2, .. }
        | Quantity::DriveForce { .. }
        | Quantity::BodyEffort { .. }
        | Quantity::CutForce { .. } => Stage::Acceleration,
        Quantity::Motion { part: MotionPart::Acceleration | MotionPart::AngularAcceleration, .. } => {
            Stage::Acceleration
        }
        Quantity::Coordinate { .. }
        | Quantity::Motion { .. }
        | Quantity::Contact { .. }
        | Quantity::ObjectContact { .. }
        | Quantity::Energy(_)
        | Quantity::Signal(_)
        | Quantity::Effort { .. } => Stage::Velocity,
    }
}
