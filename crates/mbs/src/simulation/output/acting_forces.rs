//! What acts at the present point, for pictures: forces of elements, loads, joints and contacts.

use crate::contact::PairId;
use crate::dynamics::{HingeResult, PairWork, contact_result};
use crate::force::{DofLaw, Element};
use crate::math::{Mat3, Vec3, rotation_about};
use crate::scene::{ForceId, JointId, JointType, ObjectId, Quantity};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::spatial::Frame;

/// Forces and where they act; all vectors are in the world.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActingForces {
    /// Springs, dampers, actuators and bushings that exist.
    pub links: Vec<ActingLink>,
    /// Forces and torques from outside on objects that exist.
    pub loads: Vec<ActingLoad>,
    /// Joints that exist, without fixed and free ones.
    pub joints: Vec<ActingJoint>,
    /// Contacts in which shapes press on each other.
    pub contacts: Vec<ActingPatch>,
}

/// A force element between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActingLink {
    /// Element.
    pub force: ForceId,
    /// Its ends \[m\].
    pub ends: [Vec3; 2],
    /// Force on the second end \[N\].
    pub on_second: Vec3,
}

/// Force and torque from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActingLoad {
    /// Element.
    pub force: ForceId,
    /// Point of action \[m\].
    pub at: Vec3,
    /// Force \[N\].
    pub f: Vec3,
    /// Torque \[N m\].
    pub t: Vec3,
}

/// A joint: its axes and the transmitted wrench.
#[derive(Debug, Clone, PartialEq)]
pub struct ActingJoint {
    /// Joint.
    pub joint: JointId,
    /// Origin of M \[m\].
    pub at: Vec3,
    /// Degrees of freedom one after the other; none for a ball joint.
    pub axes: Vec<JointAxis>,
    /// Force on M \[N\] and torque about its origin \[N m\]; none where the equations of motion cannot be solved.
    pub transmitted: Option<[Vec3; 2]>,
}

/// The axis of one degree of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointAxis {
    /// A point on it \[m\].
    pub at: Vec3,
    /// Unit vector along it.
    pub direction: Vec3,
    /// Whether the bodies turn about it; they slide along it otherwise.
    pub turns: bool,
    /// Whether its motion is given.
    pub is_driven: bool,
    /// Coordinate, and its rate \[m, m/s or rad, rad/s\].
    pub coordinate: [f64; 2],
    /// Effort on M along it of the joint's own spring, damping and drive \[N or N m\].
    pub effort: f64,
}

/// Two shapes that press on each other, elastically or in a contact hinge.
#[derive(Debug, Clone, PartialEq)]
pub struct ActingPatch {
    /// Objects A and B that carry the shapes.
    pub objects: [ObjectId; 2],
    /// Centre of pressure \[m\].
    pub at: Vec3,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Force on B \[N\].
    pub f: Vec3,
    /// Area on which they press on each other \[m²\]; zero in a hinge.
    pub area: f64,
    /// Rim of that area \[m\], seen along the normal; empty for a circle about `at`. Of a hinge, its supports in order
    /// round their hull.
    pub rim: Vec<Vec3>,
}

impl Simulation {
    /// What acts at the present point.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn acting_forces(&mut self) -> Result<ActingForces, SimulationError> {
        let solves = self.reach(Stage::Acceleration).is_ok();
        if !solves {
            self.reach(Stage::Velocity)?;
        }
        let mut all = ActingForces { joints: self.acting_joints(solves), ..ActingForces::default() };
        self.add_elements(&mut all);
        all.contacts = self.acting_patches();
        if solves {
            all.contacts.extend(self.acting_hinges());
        }
        Ok(all)
    }

    fn add_elements(&mut self, all: &mut ActingForces) {
        let bodies = &self.segment.evaluator.workspace.bodies;
        let present = self.model.scene.forces.iter().filter(|(_, force)| self.model.scene.force_exists(force));
        for ((force, _), element) in present.zip(&self.segment.topology.elements) {
            let (a, b) = element.nodes();
            let (_, on_b) = element.wrenches(&bodies[a], &bodies[b], bodies, &mut self.segment.signals);
            let point = |frame: &Frame| bodies[frame.node].at(&frame.x_bc).p;
            let link = |from, to| ActingLink { force, ends: [point(from), point(to)], on_second: on_b.f };
            match element {
                Element::World(load) => {
                    let at = point(&load.at);
                    let t = on_b.n - (at - bodies[b].p).cross(&on_b.f);
                    all.loads.push(ActingLoad { force, at, f: on_b.f, t });
                }
                Element::Line(line) => all.links.push(link(&line.from, &line.to)),
                Element::Bushing(bushing) => all.links.push(link(&bushing.from, &bushing.to)),
                Element::Pull(_) => {}
            }
        }
    }

    fn acting_joints(&mut self, solves: bool) -> Vec<ActingJoint> {
        let mut joints = self.joints_in_place(solves);
        for joint in &mut joints {
            let dofs = &self.model.scene.joints[joint.joint].dofs;
            for (axis, dof) in joint.axes.iter_mut().zip(dofs) {
                // Friction and stops are no elements that are drawn.
                let law = DofLaw { friction: None, stops: None, ..dof.law.clone() };
                let [position, velocity] = axis.coordinate;
                axis.effort = law.evaluate(position, velocity, &mut self.segment.signals).tau;
            }
        }
        joints
    }

    fn joints_in_place(&self, solves: bool) -> Vec<ActingJoint> {
        let present = self.model.scene.joints.iter().filter(|(id, _)| self.model.scene.joint_exists(*id));
        let moving = present.filter(|(_, joint)| !matches!(joint.kind, JointType::Fixed | JointType::Free));
        moving
            .map(|(id, joint)| ActingJoint {
                joint: id,
                at: self.object_motion(joint.to).p,
                axes: self.joint_axes(id),
                transmitted: solves.then(|| [false, true].map(|torque| self.transmitted(id, torque))),
            })
            .collect()
    }

    fn transmitted(&self, joint: JointId, torque: bool) -> Vec3 {
        let resolved_in = self.model.scene.world();
        let part = |component| self.view().value(&Quantity::CutForce { joint, resolved_in, torque, component });
        Vec3::new(part(0), part(1), part(2))
    }

    /// Axes in the present pose, each moved by those before it.
    fn joint_axes(&self, id: JointId) -> Vec<JointAxis> {
        let joint = &self.model.scene.joints[id];
        let JointType::Chain(axes) = &joint.kind else { return Vec::new() };
        let frame = self.object_motion(joint.from);
        let (mut at, mut rotation): (Vec3, Mat3) = (frame.p, frame.rotation);
        let mut found = Vec::with_capacity(axes.len());
        for (dof, axis) in axes.iter().enumerate() {
            let (q, direction) = (self.view().coordinate(id, dof, 0), rotation * axis.axis);
            found.push(JointAxis {
                at,
                direction,
                turns: axis.rotation != 0.0,
                is_driven: joint.dofs.get(dof).is_some_and(|dof| dof.motion.is_some()),
                coordinate: [q, self.view().coordinate(id, dof, 1)],
                effort: 0.0,
            });
            at += axis.translation * q * direction;
            rotation *= rotation_about(&axis.axis, axis.rotation * q);
        }
        found
    }

    fn acting_patches(&self) -> Vec<ActingPatch> {
        let (topology, bodies) = (&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let mut work = PairWork::default();
        let active = self.contacts.set.active();
        let mut patch = |contact| {
            work.forget();
            let result = contact_result(topology, self.point.t, bodies, contact, active, &mut work);
            let normal = result.state.normal;
            (result.state.delta > 0.0).then(|| ActingPatch {
                objects: [contact.pair.a, contact.pair.b].map(|shape| topology.shapes[shape as usize].object),
                at: result.point,
                normal,
                f: result.force.on_b(&normal),
                area: result.area,
                rim: contact.constants.fields.map_or_else(Vec::new, |_| work.patch().rim()),
            })
        };
        active.iter().filter_map(&mut patch).collect()
    }
    /// What contact hinges do that press, at the stage of accelerations.
    fn acting_hinges(&self) -> Vec<ActingPatch> {
        let (topology, bodies) = (&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let acting = |(pair, result): (PairId, HingeResult)| {
            let shapes = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
            let hinge = self.contacts.hinges.iter().find(|hinge| hinge.pair == pair)?;
            let supports = hinge.supports.iter();
            let rim = supports.filter_map(|support| Some(support.at(shapes.map(|shape| &bodies[shape.node]))?.point));
            (result.load > 0.0).then(|| ActingPatch {
                objects: shapes.map(|shape| shape.object),
                at: result.point,
                normal: result.normal,
                f: result.on_b(),
                area: 0.0,
                rim: rim.collect(),
            })
        };
        self.view().hinge_results().filter_map(acting).collect()
    }
}
