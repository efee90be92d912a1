//! Force elements and sensors.

use super::value::{IntoExpr, IntoVector, Problems};
use crate::declaration::{
    Bushing, DirectionLaw, ForceElement, ForceKind, PointToPoint, Sensor, SensorKind, Vector, WorldForce,
};
use crate::expr::Expr;

/// A force element under construction.
#[derive(Debug, Clone)]
pub struct ForceBuilder {
    element: ForceElement,
    problems: Problems,
}

/// Force \[N\] and torque \[N m\] from outside at the origin of an object.
#[must_use]
pub fn world_force(name: &str, at: &str, force: impl IntoVector, torque: impl IntoVector) -> ForceBuilder {
    build(name, |problems| {
        let force = problems.vector("force", force);
        let torque = problems.vector("torque", torque);
        ForceKind::World(WorldForce { at: at.to_owned(), force, torque, resolved_in: None })
    })
}

/// Spring between the origins of two objects, stiffness in N/m.
#[must_use]
pub fn spring(name: &str, from: &str, to: &str, stiffness: impl IntoExpr) -> ForceBuilder {
    point_to_point(name, from, to, |problems, element| element.stiffness = Some(problems.expr("stiffness", stiffness)))
}

/// Damper between the origins of two objects, damping in N s/m.
#[must_use]
pub fn damper(name: &str, from: &str, to: &str, damping: impl IntoExpr) -> ForceBuilder {
    point_to_point(name, from, to, |problems, element| element.damping = Some(problems.expr("damping", damping)))
}

/// Pulling force \[N\] between the origins of two objects: an expression that may use the distance `s` and its rate
/// `v`.
#[must_use]
pub fn actuator(name: &str, from: &str, to: &str, force: impl IntoExpr) -> ForceBuilder {
    point_to_point(name, from, to, |problems, element| element.force = Some(problems.expr("force", force)))
}

/// Elastic connection of two frames in six directions.
#[must_use]
pub fn bushing(name: &str, from: &str, to: &str) -> ForceBuilder {
    build(name, |_| ForceKind::Bushing(Bushing { from: from.to_owned(), to: to.to_owned(), ..Bushing::default() }))
}

fn point_to_point(
    name: &str,
    from: &str,
    to: &str,
    set: impl FnOnce(&mut Problems, &mut PointToPoint),
) -> ForceBuilder {
    build(name, |problems| {
        let mut element = PointToPoint { from: from.to_owned(), to: to.to_owned(), ..PointToPoint::default() };
        set(problems, &mut element);
        ForceKind::PointToPoint(element)
    })
}

fn build(name: &str, kind: impl FnOnce(&mut Problems) -> ForceKind) -> ForceBuilder {
    let mut problems = Problems::default();
    let kind = kind(&mut problems);
    let (name, description, location) = (name.to_owned(), String::new(), Default::default());
    ForceBuilder { element: ForceElement { name, description, location, kind }, problems }
}

impl ForceBuilder {
    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.element.description = description.into();
        self
    }

    /// Object in whose axes the force from outside is given.
    #[must_use]
    pub fn resolved_in(mut self, object: impl Into<String>) -> Self {
        match &mut self.element.kind {
            ForceKind::World(force) => force.resolved_in = Some(object.into()),
            _ => self.problems.add("resolved_in", "only forces from outside have it"),
        }
        self
    }

    /// Stiffness along the line \[N/m\].
    #[must_use]
    pub fn stiffness(self, stiffness: impl IntoExpr) -> Self {
        self.along_line("stiffness", stiffness, |element, value| element.stiffness = Some(value))
    }

    /// Length without force \[m\].
    #[must_use]
    pub fn rest_length(self, length: impl IntoExpr) -> Self {
        self.along_line("rest_length", length, |element, value| element.rest_length = Some(value))
    }

    /// Damping along the line \[N s/m\].
    #[must_use]
    pub fn damping(self, damping: impl IntoExpr) -> Self {
        self.along_line("damping", damping, |element, value| element.damping = Some(value))
    }

    /// Stiffness \[N/m\] and damping \[N s/m\] of the translations of a bushing.
    #[must_use]
    pub fn translation(mut self, stiffness: impl IntoVector, damping: impl IntoVector) -> Self {
        let laws = self.laws(stiffness, damping);
        self.bushing("translation", |bushing| bushing.translation = laws)
    }

    /// Stiffness \[N m/rad\] and damping \[N m s/rad\] of the rotations of a bushing.
    #[must_use]
    pub fn rotation(mut self, stiffness: impl IntoVector, damping: impl IntoVector) -> Self {
        let laws = self.laws(stiffness, damping);
        self.bushing("rotation", |bushing| bushing.rotation = laws)
    }

    /// Nonlinear part of direction 0, 1 or 2 of a bushing's translations \[N\]: an expression in `s` and `v`.
    #[must_use]
    pub fn translation_law(mut self, direction: usize, law: impl IntoExpr) -> Self {
        let law = self.direction_law(direction, law);
        self.bushing("law", |bushing| set_law(&mut bushing.translation, direction, law))
    }

    /// Nonlinear part of direction 0, 1 or 2 of a bushing's rotations \[N m\]: an expression in `s` and `v`.
    #[must_use]
    pub fn rotation_law(mut self, direction: usize, law: impl IntoExpr) -> Self {
        let law = self.direction_law(direction, law);
        self.bushing("law", |bushing| set_law(&mut bushing.rotation, direction, law))
    }

    fn direction_law(&mut self, direction: usize, law: impl IntoExpr) -> Option<Expr> {
        if direction > 2 {
            self.problems.add("law", format!("there is no direction {direction}; they are 0, 1 and 2"));
        }
        Some(self.problems.expr("law", law))
    }

    fn laws(&mut self, stiffness: impl IntoVector, damping: impl IntoVector) -> [DirectionLaw; 3] {
        let stiffness: Vector = self.problems.vector("stiffness", stiffness);
        let damping = self.problems.vector("damping", damping);
        let mut pairs = stiffness.into_iter().zip(damping);
        std::array::from_fn(|_| {
            let (stiffness, damping) = pairs.next().unwrap_or_default();
            DirectionLaw { stiffness: Some(stiffness), damping: Some(damping), law: None }
        })
    }

    fn bushing(mut self, what: &str, set: impl FnOnce(&mut Bushing)) -> Self {
        match &mut self.element.kind {
            ForceKind::Bushing(bushing) => set(bushing),
            _ => self.problems.add(what, "only a bushing has it"),
        }
        self
    }

    fn along_line(mut self, what: &str, value: impl IntoExpr, set: impl FnOnce(&mut PointToPoint, Expr)) -> Self {
        let value = self.problems.expr(what, value);
        match &mut self.element.kind {
            ForceKind::PointToPoint(element) => set(element, value),
            _ => self.problems.add(what, "only springs, dampers and actuators have it as one number"),
        }
        self
    }

    pub(super) fn finish(self, problems: &mut Problems) -> ForceElement {
        problems.append(&format!("force {}", self.element.name), self.problems);
        self.element
    }
}

fn set_law(laws: &mut [DirectionLaw; 3], direction: usize, law: Option<Expr>) {
    if let Some(direction) = laws.get_mut(direction) {
        direction.law = law;
    }
}

/// A sensor under construction.
#[derive(Debug, Clone)]
pub struct SensorBuilder {
    sensor: Sensor,
}

/// Motion of an object relative to the world; everything is measured.
#[must_use]
pub fn motion_sensor(name: &str, frame: &str) -> SensorBuilder {
    sensor(
        name,
        SensorKind::Motion {
            frame: frame.to_owned(),
            relative_to: None,
            resolved_in: None,
            pose: true,
            velocity: true,
            acceleration: true,
        },
    )
}

/// Force and torque that a joint transmits.
#[must_use]
pub fn cut_force_sensor(name: &str, joint: &str) -> SensorBuilder {
    sensor(name, SensorKind::CutForce { joint: joint.to_owned(), resolved_in: None })
}

fn sensor(name: &str, kind: SensorKind) -> SensorBuilder {
    SensorBuilder {
        sensor: Sensor { name: name.to_owned(), description: String::new(), location: Default::default(), kind },
    }
}

impl SensorBuilder {
    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.sensor.description = description.into();
        self
    }

    /// Observer of a motion; without meaning for forces.
    #[must_use]
    pub fn relative_to(mut self, object: impl Into<String>) -> Self {
        if let SensorKind::Motion { relative_to, .. } = &mut self.sensor.kind {
            *relative_to = Some(object.into());
        }
        self
    }

    /// Object in whose axes vectors are given.
    #[must_use]
    pub fn resolved_in(mut self, object: impl Into<String>) -> Self {
        let (SensorKind::Motion { resolved_in, .. } | SensorKind::CutForce { resolved_in, .. }) = &mut self.sensor.kind;
        *resolved_in = Some(object.into());
        self
    }

    /// What is measured of a motion; without meaning for forces.
    #[must_use]
    pub fn measure(mut self, with_pose: bool, with_velocity: bool, with_acceleration: bool) -> Self {
        if let SensorKind::Motion { pose, velocity, acceleration, .. } = &mut self.sensor.kind {
            (*pose, *velocity, *acceleration) = (with_pose, with_velocity, with_acceleration);
        }
        self
    }

    pub(super) fn finish(self) -> Sensor {
        self.sensor
    }
}
