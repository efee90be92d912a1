//! Force elements between two bodies or between a body and the world.

use super::bushing::BushingElement;
use super::pull::PullElement;
use super::signals::{Local, Signal, Signals};
use crate::math::{Mat3, Vec3};
use crate::spatial::{BodyMotion, Frame, NodeOrdinal, Wrench};

/// A force element, ready to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    /// Force and torque from outside.
    World(WorldElement),
    /// Force along the line between two points.
    Line(LineElement),
    /// Elastic connection of two frames.
    Bushing(BushingElement),
    /// Spring towards a point of the world.
    Pull(PullElement),
}

/// Force and torque from outside at a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldElement {
    /// Name, for messages.
    pub name: String,
    /// Point of action.
    pub at: Frame,
    /// Force and torque components.
    pub force: [Signal; 3],
    /// Torque components.
    pub torque: [Signal; 3],
    /// Frame in whose axes they are given.
    pub resolved_in: Resolution,
}

/// Axes in which a world force is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// The world's axes.
    World,
    /// Axes of a frame on the body acted on: rotation `R_BD`.
    Body(Mat3),
    /// Axes of a frame on another body.
    Other(NodeOrdinal, Mat3),
}

/// Spring, damper and actuator along the line between two points.
#[derive(Debug, Clone, PartialEq)]
pub struct LineElement {
    /// Name, for messages.
    pub name: String,
    /// First point.
    pub from: Frame,
    /// Second point.
    pub to: Frame,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Length without force \[m\].
    pub rest_length: f64,
    /// Damping \[N s/m\].
    pub damping: f64,
    /// Additional pulling force.
    pub force: Option<Signal>,
    /// Distance \[m\] below which it has no direction and exerts no force.
    pub shortest: f64,
}

impl Element {
    /// Nodes of both sides; the world for the outside.
    #[must_use]
    pub fn nodes(&self) -> (NodeOrdinal, NodeOrdinal) {
        match self {
            Self::World(e) => (crate::spatial::WORLD, e.at.node),
            Self::Line(e) => (e.from.node, e.to.node),
            Self::Bushing(e) => (e.from.node, e.to.node),
            Self::Pull(e) => (crate::spatial::WORLD, e.at.node),
        }
    }

    /// Name, for messages; none for a pull by hand.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::World(e) => &e.name,
            Self::Line(e) => &e.name,
            Self::Bushing(e) => &e.name,
            Self::Pull(_) => "",
        }
    }

    /// Expressions of its forces and torques.
    pub fn signals(&self) -> impl Iterator<Item = &Signal> {
        let (world, line, bushing) = match self {
            Self::World(e) => (Some(e.force.iter().chain(&e.torque)), None, None),
            Self::Line(e) => (None, e.force.as_ref(), None),
            Self::Bushing(e) => (None, None, Some(e.translation.iter().chain(&e.rotation))),
            Self::Pull(_) => (None, None, None),
        };
        let laws = bushing.into_iter().flatten().filter_map(|direction| direction.law.as_ref());
        world.into_iter().flatten().chain(line).chain(laws)
    }

    /// Wrenches on both sides, each about the body's own Bo, in the world.
    ///
    /// `a` and `b` are the motions of the nodes of [`Element::nodes`]; `other` gives that of any further node.
    pub fn wrenches(
        &self,
        a: &BodyMotion,
        b: &BodyMotion,
        bodies: &[BodyMotion],
        signals: &mut Signals,
    ) -> (Wrench, Wrench) {
        match self {
            Self::World(e) => (Wrench::ZERO, e.wrench(b, bodies, signals)),
            Self::Line(e) => e.wrenches(a, b, signals),
            Self::Bushing(e) => e.wrenches(a, b, signals),
            Self::Pull(e) => (Wrench::ZERO, e.wrench(b)),
        }
    }

    /// Energy stored in linear springs \[J\].
    #[must_use]
    pub fn potential_energy(&self, bodies: &[BodyMotion]) -> f64 {
        match self {
            Self::World(_) => 0.0,
            Self::Line(e) => {
                let length = (bodies[e.to.node].at(&e.to.x_bc).p - bodies[e.from.node].at(&e.from.x_bc).p).norm();
                0.5 * e.stiffness * (length - e.rest_length).powi(2)
            }
            Self::Bushing(e) => e.potential_energy(&bodies[e.from.node], &bodies[e.to.node]),
            Self::Pull(e) => e.potential_energy(&bodies[e.at.node]),
        }
    }
}

impl WorldElement {
    fn wrench(&self, body: &BodyMotion, bodies: &[BodyMotion], signals: &mut Signals) -> Wrench {
        let axes = match &self.resolved_in {
            Resolution::World => Mat3::identity(),
            Resolution::Body(r_bd) => body.rotation * r_bd,
            Resolution::Other(node, r_bd) => bodies[*node].rotation * r_bd,
        };
        let mut vector =
            |s: &[Signal; 3]| axes * Vec3::new(signals.value(&s[0]), signals.value(&s[1]), signals.value(&s[2]));
        let (f, n) = (vector(&self.force), vector(&self.torque));
        let r = body.rotation * self.at.x_bc.translation;
        Wrench { n: n + r.cross(&f), f }
    }
}

impl LineElement {
    /// Distance below which a line element has no direction, relative to the scale of length.
    pub const SHORTEST: f64 = 1e-10;

    fn wrenches(&self, a: &BodyMotion, b: &BodyMotion, signals: &mut Signals) -> (Wrench, Wrench) {
        let r_a = a.rotation * self.from.x_bc.translation;
        let r_b = b.rotation * self.to.x_bc.translation;
        let d = (b.p - a.p) + (r_b - r_a);
        let length = d.norm();
        if length < self.shortest {
            return (Wrench::ZERO, Wrench::ZERO);
        }
        let direction = d / length;
        let rate = direction.dot(&((b.v - a.v) + b.w.cross(&r_b) - a.w.cross(&r_a)));
        let mut pull = self.stiffness * (length - self.rest_length) + self.damping * rate;
        if let Some(force) = &self.force {
            pull += signals.gradient(force, Local { position: length, velocity: rate })[0];
        }
        let on_a = direction * pull;
        (Wrench { n: r_a.cross(&on_a), f: on_a }, Wrench { n: -r_b.cross(&on_a), f: -on_a })
    }
}
