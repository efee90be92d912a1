//! Joints.

use super::value::{IntoDirection, IntoExpr, IntoVector, Problems};
use crate::declaration::{Dof, Friction, Joint, JointKind, Rotation, Spring, StartKind, Stops};
use crate::expr::Expr;

/// A joint under construction. What acts on a degree of freedom, and its start values, concern the first one unless
/// [`on`](JointBuilder::on) chose another.
#[derive(Debug, Clone)]
pub struct JointBuilder {
    joint: Joint,
    /// Index of the degree of freedom that calls mean.
    current: usize,
    problems: Problems,
}

/// No motion.
#[must_use]
pub fn fixed(name: &str, from: &str, to: &str) -> JointBuilder {
    build(name, from, to, |_| JointKind::Fixed)
}

/// Rotation `phi` about an axis.
#[must_use]
pub fn revolute(name: &str, from: &str, to: &str, axis: impl IntoDirection) -> JointBuilder {
    build(name, from, to, |problems| JointKind::Revolute { axis: problems.direction("axis", axis) })
}

/// Translation `s` along an axis.
#[must_use]
pub fn prismatic(name: &str, from: &str, to: &str, axis: impl IntoDirection) -> JointBuilder {
    build(name, from, to, |problems| JointKind::Prismatic { axis: problems.direction("axis", axis) })
}

/// Rotation `phi` about an axis and translation along it, `pitch` \[m\] per revolution.
#[must_use]
pub fn screw(name: &str, from: &str, to: &str, axis: impl IntoDirection, pitch: impl IntoExpr) -> JointBuilder {
    build(name, from, to, |problems| JointKind::Screw {
        axis: problems.direction("axis", axis),
        pitch: problems.expr("pitch", pitch),
    })
}

/// Rotation `phi[1]` about the first axis, then `phi[2]` about the second.
#[must_use]
pub fn universal(
    name: &str,
    from: &str,
    to: &str,
    first: impl IntoDirection,
    second: impl IntoDirection,
) -> JointBuilder {
    build(name, from, to, |problems| JointKind::Universal {
        axes: [problems.direction("axes", first), problems.direction("axes", second)],
    })
}

/// Translation `s` along and rotation `phi` about an axis.
#[must_use]
pub fn cylindrical(name: &str, from: &str, to: &str, axis: impl IntoDirection) -> JointBuilder {
    build(name, from, to, |problems| JointKind::Cylindrical { axis: problems.direction("axis", axis) })
}

/// Translations `s[1]` along `axis` and `s[2]` along `normal x axis`, rotation `phi` about `normal`.
#[must_use]
pub fn planar(name: &str, from: &str, to: &str, normal: impl IntoDirection, axis: impl IntoDirection) -> JointBuilder {
    build(name, from, to, |problems| JointKind::Planar {
        normal: problems.direction("normal", normal),
        axis: problems.direction("axis", axis),
    })
}

/// All rotations about a point.
#[must_use]
pub fn spherical(name: &str, from: &str, to: &str) -> JointBuilder {
    build(name, from, to, |_| JointKind::Spherical)
}

/// All motions.
#[must_use]
pub fn free(name: &str, from: &str, to: &str) -> JointBuilder {
    build(name, from, to, |_| JointKind::Free)
}

fn build(name: &str, from: &str, to: &str, kind: impl FnOnce(&mut Problems) -> JointKind) -> JointBuilder {
    let mut problems = Problems::default();
    let kind = kind(&mut problems);
    let joint = Joint {
        collision: false,
        name: name.to_owned(),
        description: String::new(),
        location: Default::default(),
        from: from.to_owned(),
        to: to.to_owned(),
        dofs: vec![Dof::default(); kind.dof_names().len()],
        rotation: Rotation::Identity,
        rotation_kind: StartKind::Implied,
        kind,
    };
    JointBuilder { joint, current: 0, problems }
}

/// A zero that was written is as binding as any other value.
fn kind_of(value: &Expr) -> StartKind {
    if value.as_constant() == Some(0.0) { StartKind::Fixed } else { StartKind::Implied }
}

impl JointBuilder {
    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.joint.description = description.into();
        self
    }

    /// Chooses the degree of freedom that the following calls mean, by the name of its position or velocity:
    /// `s`, `phi[2]`, `w[1]`.
    #[must_use]
    pub fn on(mut self, name: &str) -> Self {
        let names = self.joint.kind.dof_names();
        match names.iter().position(|(position, velocity)| *position == name || *velocity == name) {
            Some(index) => self.current = index,
            None => self.problems.add(name, format!("a {} joint has no such coordinate", self.joint.kind.name())),
        }
        self
    }

    /// Start position (rad or m).
    #[must_use]
    pub fn position(self, value: impl IntoExpr) -> Self {
        self.set("position", value, |dof, value| {
            dof.position_kind = kind_of(&value);
            dof.position = value;
        })
    }

    /// Start velocity (rad/s or m/s).
    #[must_use]
    pub fn velocity(self, value: impl IntoExpr) -> Self {
        self.set("velocity", value, |dof, value| {
            dof.velocity_kind = kind_of(&value);
            dof.velocity = value;
        })
    }

    /// Makes the start position binding, a guess, or free, for joints in loops.
    #[must_use]
    pub fn position_kind(self, kind: StartKind) -> Self {
        self.set("position_kind", 0.0, |dof, _| dof.position_kind = kind)
    }

    /// Makes the start velocity binding, a guess, or free, for joints in loops.
    #[must_use]
    pub fn velocity_kind(self, kind: StartKind) -> Self {
        self.set("velocity_kind", 0.0, |dof, _| dof.velocity_kind = kind)
    }

    /// Spring with stiffness (N m/rad or N/m) and position without force (rad or m).
    #[must_use]
    pub fn spring(mut self, stiffness: impl IntoExpr, rest: impl IntoExpr) -> Self {
        let rest = self.problems.expr("spring", rest);
        self.set("spring", stiffness, |dof, stiffness| dof.spring = Some(Spring { stiffness, rest }))
    }

    /// Viscous damping (N m s/rad or N s/m).
    #[must_use]
    pub fn damping(self, damping: impl IntoExpr) -> Self {
        self.set("damping", damping, |dof, damping| dof.damping = Some(damping))
    }

    /// Dry friction: sliding force or torque, and the velocity over which it changes its sign.
    #[must_use]
    pub fn friction(mut self, force: impl IntoExpr, v_reg: impl IntoExpr) -> Self {
        let v_reg = self.problems.expr("friction", v_reg);
        self.set("friction", force, |dof, force| dof.friction = Some(Friction { force, v_reg }))
    }

    /// End stops.
    #[must_use]
    pub fn stops(self, stops: Stops) -> Self {
        self.set("stops", 0.0, |dof, _| dof.stops = Some(stops))
    }

    /// Driving force \[N\] or torque \[N m\].
    #[must_use]
    pub fn force(self, force: impl IntoExpr) -> Self {
        self.set("force", force, |dof, force| dof.force = Some(force))
    }

    /// Prescribed position, an expression in time and parameters.
    #[must_use]
    pub fn motion(self, motion: impl IntoExpr) -> Self {
        self.set("motion", motion, |dof, motion| dof.motion = Some(motion))
    }

    /// Prescribed position, an expression in inputs, time and parameters; every input passes a filter `1 / (1 + T s)^3`
    /// with the time constant T \[s\], so that a body follows without jumps whatever the input does.
    #[must_use]
    pub fn filtered_motion(self, motion: impl IntoExpr, time: impl IntoExpr) -> Self {
        self.motion(motion).set("motion_filter", time, |dof, time| dof.motion_filter = Some(time))
    }

    /// Gives the FMU an input for a force or torque from outside.
    #[must_use]
    pub fn flange(self) -> Self {
        self.set("flange", 0.0, |dof, _| dof.flange = true)
    }

    /// Start orientation of a spherical or free joint: Cardan angles \[rad\], sequence x-y-z about the rotated axes.
    #[must_use]
    pub fn cardan(mut self, angles: impl IntoVector) -> Self {
        self.joint.rotation = Rotation::Cardan(self.problems.vector("rotation", angles));
        self
    }

    /// Start orientation of a spherical or free joint.
    #[must_use]
    pub fn rotation(mut self, rotation: Rotation) -> Self {
        self.joint.rotation = rotation;
        self
    }

    fn set(mut self, what: &str, value: impl IntoExpr, assign: impl FnOnce(&mut Dof, Expr)) -> Self {
        let value = self.problems.expr(what, value);
        match self.joint.dofs.get_mut(self.current) {
            Some(dof) => assign(dof, value),
            None => self.problems.add(what, "the joint has no degree of freedom"),
        }
        self
    }

    pub(super) fn finish(self, problems: &mut Problems) -> Joint {
        problems.append(&format!("joint {}", self.joint.name), self.problems);
        self.joint
    }
}
