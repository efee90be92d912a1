//! `<joint>` and `<freejoint>`.

use mbs::declaration::Location;
use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::Context;
use crate::inertia::Mass;
use crate::math::{self, Pose};
use crate::xml::{Element, Report};

/// Default time constant and damping ratio of limits.
const SOLREF: [f64; 2] = [0.02, 1.0];

/// Types of joints that are not free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Hinge,
    Slide,
    Ball,
}

/// A joint in its body.
#[derive(Debug, Clone)]
pub(super) struct Joint<'a> {
    pub element: Element<'a>,
    pub location: Location,
    pub kind: Kind,
    /// Place and direction in the body.
    pub position: Vector3<f64>,
    pub axis: Unit<Vector3<f64>>,
    /// Coordinate in the configuration that the file describes.
    pub reference: f64,
    pub stiffness: f64,
    pub rest: f64,
    pub damping: f64,
    pub armature: f64,
    pub friction: f64,
    pub range: Option<(f64, f64)>,
    /// Limits of what all actuators together exert.
    pub actuator_range: Option<(f64, f64)>,
    pub solref: [f64; 2],
    /// Time constant and damping ratio that decide about spring and damper.
    pub spring_damper: Option<[f64; 2]>,
}

impl<'a> Joint<'a> {
    pub fn read(
        element: Element<'a>,
        around: Option<&'a str>,
        context: &Context<'a>,
        report: &mut Report,
    ) -> Option<Self> {
        let attributes = context.defaults.of(element, around, report);
        let kind = match attributes.text("type").unwrap_or("hinge") {
            "hinge" => Kind::Hinge,
            "slide" => Kind::Slide,
            "ball" => Kind::Ball,
            other => {
                let hint = "known are free, ball, slide and hinge; free ones stand alone in a body of the world";
                report.error(element, format!("{} cannot be of type `{other}` here", element.described()), Some(hint));
                return None;
            }
        };
        let turns = kind != Kind::Slide;
        let angle = |value: f64| if turns { context.compiler.radians(value) } else { value };
        let axis = attributes.exactly::<3>("axis", report).unwrap_or([0.0, 0.0, 1.0]);
        let axis = match math::direction(axis.into()) {
            Some(axis) => axis,
            None if kind == Kind::Ball => Vector3::z_axis(),
            None => {
                report.error(element, format!("the axis of {} must not be zero", element.described()), None);
                return None;
            }
        };
        for name in ["stiffness", "damping"] {
            if attributes.numbers(name, report).unwrap_or_default().iter().skip(1).any(|value| *value != 0.0) {
                let message = format!("only the first number of `{name}` counts: it is linear here");
                report.note(element, message);
            }
        }
        let mut number = |name: &str| attributes.number(name, report);
        let (stiffness, damping) = (number("stiffness").unwrap_or(0.0), number("damping").unwrap_or(0.0));
        let (armature, friction) = (number("armature").unwrap_or(0.0), number("frictionloss").unwrap_or(0.0));
        let reference = number("ref").map_or(0.0, angle);
        let rest = number("springref").map_or(0.0, angle);
        let range = attributes.exactly::<2>("range", report).map(|[low, high]| (angle(low), angle(high)));
        let is_limited = attributes.flag("limited", context.compiler.auto_limits && range.is_some());
        if kind != Kind::Ball {
            attributes.has_range("limited", "range", report);
        } else if is_limited && range.is_none() {
            report.note(element, "limits of ball joints are left out");
        }
        if !context.compiler.auto_limits && range.is_some() && attributes.text("limited").is_none() {
            let message = "`range` is no limit: `autolimits` is off, and `limited` does not say";
            report.note(element, message);
        }
        if let Some((low, high)) = range.filter(|(low, high)| kind != Kind::Ball && low >= high) {
            attributes.reversed("limited", "range", (low, high) == (0.0, 0.0), report);
        }
        let actuator_range = attributes.limits("actuatorfrc", context.compiler.auto_limits, report);
        if actuator_range.is_some() && attributes.flag("actuatorgravcomp", false) {
            let message = "`actuatorgravcomp` is left out: `actuatorfrcrange` does not limit the compensated weight";
            report.note(element, message);
        }
        if attributes.number("margin", report).is_some_and(|margin| margin != 0.0) {
            report.note(element, "`margin` is left out: stops act from the limit on");
        }
        let solref = attributes.up_to("solreflimit", SOLREF, report);
        let spring_damper = attributes.exactly::<2>("springdamper", report).filter(|[t, z]| *t > 0.0 && *z > 0.0);
        Some(Self {
            element,
            location: element.location(report),
            kind,
            position: attributes.exactly::<3>("pos", report).unwrap_or_default().into(),
            axis,
            reference: if kind == Kind::Ball { 0.0 } else { reference },
            stiffness,
            rest,
            damping,
            armature,
            friction: if context.compiler.friction { friction } else { 0.0 },
            range: range.filter(|_| is_limited && context.compiler.limits),
            actuator_range,
            solref,
            spring_damper,
        })
    }

    /// Motion from coordinate zero to a coordinate.
    pub fn displacement(&self, at: f64) -> Pose {
        match self.kind {
            Kind::Hinge => math::pose(Vector3::zeros(), UnitQuaternion::from_axis_angle(&self.axis, at)),
            Kind::Slide => math::at(self.axis.into_inner() * at),
            Kind::Ball => Pose::identity(),
        }
    }

    /// Inertia that it feels from what it carries, in the configuration of the file.
    pub fn inertia(&self, carried: &Mass) -> f64 {
        self.armature
            + match self.kind {
                Kind::Slide => carried.m,
                _ => carried.about(self.position, *self.axis),
            }
    }
}
