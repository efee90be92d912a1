//! Joints: what connects two objects and which motions it leaves free.

use serde::{Deserialize, Serialize};

use super::{Location, Rotation, Vector};
use crate::expr::Expr;

/// A joint between two objects. Coordinates describe the motion of `to` relative to `from`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Name within its model or assembly.
    pub name: String,
    /// One-line description.
    #[serde(default)]
    pub description: String,
    /// Where it was declared.
    #[serde(default)]
    pub location: Location,
    /// Type and geometry.
    pub kind: JointKind,
    /// Object that carries frame F.
    pub from: String,
    /// Object that carries frame M.
    pub to: String,
    /// One entry per degree of freedom, in the order of [`JointKind::dof_names`].
    pub dofs: Vec<Dof>,
    /// Start rotation `R_FM` of spherical and free joints.
    #[serde(default)]
    pub rotation: Rotation,
    /// How binding the start rotation is in a loop.
    #[serde(default, skip_serializing_if = "StartKind::is_implied")]
    pub rotation_kind: StartKind,
    /// Whether the bodies it connects may collide with each other.
    #[serde(default)]
    pub collision: bool,
}

/// Type of a joint. Axes are given in F and coincide with those of M at zero coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum JointKind {
    /// No motion.
    Fixed,
    /// Rotation about an axis: `phi`.
    Revolute {
        /// Axis direction.
        axis: Vector,
    },
    /// Translation along an axis: `s`.
    Prismatic {
        /// Axis direction.
        axis: Vector,
    },
    /// Rotation `phi` about an axis and translation `pitch * phi / (2 pi)` along it.
    Screw {
        /// Axis direction.
        axis: Vector,
        /// Translation per revolution \[m\].
        pitch: Expr,
    },
    /// Rotation `phi[1]` about the first axis (fixed in F), then `phi[2]` about the second (fixed in M).
    Universal {
        /// Both axes; they must not be parallel.
        axes: [Vector; 2],
    },
    /// Translation `s` along and rotation `phi` about one axis.
    Cylindrical {
        /// Axis direction.
        axis: Vector,
    },
    /// Translations `s[1]`, `s[2]` in a plane and rotation `phi` about its normal.
    Planar {
        /// Normal of the plane.
        normal: Vector,
        /// Direction of `s[1]`; `s[2]` follows along `normal x axis`.
        axis: Vector,
    },
    /// All rotations about a point: quaternion, `w[1..3]` = `w_FM` in F.
    Spherical,
    /// All motions: `r[1..3]` = `p_FM`, quaternion, `v[1..3]` and `w[1..3]` in F.
    Free,
}

impl JointKind {
    /// Names of position and velocity of every degree of freedom; spherical and free ones list their velocities,
    /// and an empty position name where a quaternion takes its place.
    #[must_use]
    pub fn dof_names(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Fixed => &[],
            Self::Revolute { .. } | Self::Screw { .. } => &[("phi", "w")],
            Self::Prismatic { .. } => &[("s", "v")],
            Self::Universal { .. } => &[("phi[1]", "w[1]"), ("phi[2]", "w[2]")],
            Self::Cylindrical { .. } => &[("s", "v"), ("phi", "w")],
            Self::Planar { .. } => &[("s[1]", "v[1]"), ("s[2]", "v[2]"), ("phi", "w")],
            Self::Spherical => &[("", "w[1]"), ("", "w[2]"), ("", "w[3]")],
            Self::Free => {
                &[("", "w[1]"), ("", "w[2]"), ("", "w[3]"), ("r[1]", "v[1]"), ("r[2]", "v[2]"), ("r[3]", "v[3]")]
            }
        }
    }

    /// Name used in messages and model files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute { .. } => "revolute",
            Self::Prismatic { .. } => "prismatic",
            Self::Screw { .. } => "screw",
            Self::Universal { .. } => "universal",
            Self::Cylindrical { .. } => "cylindrical",
            Self::Planar { .. } => "planar",
            Self::Spherical => "spherical",
            Self::Free => "free",
        }
    }
}

/// How binding a start value is when loops are assembled; in trees every start value counts as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StartKind {
    /// Free when the value is a plain zero, else fixed.
    #[default]
    Implied,
    /// The value stays.
    Fixed,
    /// The value is where the search begins.
    Guess,
    /// The loops decide.
    Free,
}

impl StartKind {
    /// Whether everything is left to defaults.
    #[must_use]
    pub fn is_implied(&self) -> bool {
        *self == Self::Implied
    }
}

/// One degree of freedom: start values and the one-dimensional elements that act on it.
///
/// Units follow the motion: rad, rad/s, N m for rotations and m, m/s, N for translations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dof {
    /// Start position.
    pub position: Expr,
    /// Start velocity.
    pub velocity: Expr,
    /// How binding the start position is in a loop.
    #[serde(skip_serializing_if = "StartKind::is_implied")]
    pub position_kind: StartKind,
    /// How binding the start velocity is in a loop.
    #[serde(skip_serializing_if = "StartKind::is_implied")]
    pub velocity_kind: StartKind,
    /// Linear spring.
    pub spring: Option<Spring>,
    /// Viscous damping: force per velocity.
    pub damping: Option<Expr>,
    /// Dry friction.
    pub friction: Option<Friction>,
    /// End stops.
    pub stops: Option<Stops>,
    /// Driving force or torque: an expression in time, inputs, parameters and the joint's own coordinates.
    pub force: Option<Expr>,
    /// Prescribed position: an expression in time and parameters, twice differentiable. Takes the freedom away.
    pub motion: Option<Expr>,
    /// Time constant \[s\] of the filter of the inputs that `motion` names: `1 / (1 + T s)^3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion_filter: Option<Expr>,
    /// Whether the FMU gets an input (`<joint>.tau` or `<joint>.f`) whose value acts on this degree of freedom.
    pub flange: bool,
}

/// Linear spring on one degree of freedom: `-stiffness (q - rest)`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Stiffness (N m/rad or N/m).
    pub stiffness: Expr,
    /// Position without force.
    pub rest: Expr,
}

/// Dry friction on one degree of freedom, regularised: `-force * tanh(v / v_reg)`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Friction {
    /// Sliding force or torque.
    pub force: Expr,
    /// Velocity scale of the regularisation.
    pub v_reg: Expr,
}

impl Friction {
    /// Default regularisation velocity \[m/s\] or \[rad/s\].
    pub const V_REG: f64 = 0.01;
}

/// Compliant end stops: beyond the limits the force `stiffness * delta * (1 + dissipation * delta_dot)` pushes back
/// and never pulls (Hunt & Crossley 1975, with a linear spring).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stops {
    /// Lower limit, if any.
    pub lower: Option<Expr>,
    /// Upper limit, if any.
    pub upper: Option<Expr>,
    /// Stiffness of the stop.
    pub stiffness: Expr,
    /// Dissipation \[s/m or s/rad\].
    pub dissipation: Expr,
}
