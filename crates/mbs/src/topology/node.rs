//! Nodes of the spanning forest: one mobilizer with the body outboard of it.

use crate::math::{Pose, Vec3};
use crate::spatial::{NodeOrdinal, WORLD};

/// The computed motion between the inboard frame F and the outboard frame M = B of a node.
///
/// A user's joint becomes one mobilizer or a short chain of them.
#[derive(Debug, Clone, PartialEq)]
pub enum Mobilizer {
    /// The world itself: no motion.
    World,
    /// One degree of freedom: rotation by `rotation * q` about and translation by `translation * q` along a unit axis
    /// in F (revolute: 1, 0; prismatic: 0, 1; screw: 1, pitch per radian).
    Axis {
        /// Unit axis in F.
        axis: Vec3,
        /// Angle per coordinate (0 or 1).
        rotation: f64,
        /// Displacement per coordinate.
        translation: f64,
    },
    /// Like [`Mobilizer::Axis`], but the coordinate is a given function of time.
    Driven {
        /// Unit axis in F.
        axis: Vec3,
        /// Angle per coordinate (0 or 1).
        rotation: f64,
        /// Displacement per coordinate.
        translation: f64,
        /// Index of the motion.
        motion: usize,
    },
    /// Like [`Mobilizer::Spherical`] or [`Mobilizer::Free`], but the motion is a given function of time.
    DrivenBall(DrivenBall),
    /// Rotation: q = quaternion of `R_FM`, v = `w_FM` in F.
    Spherical,
    /// Rotation and translation: q = quaternion of `R_FM`, `p_FM`; v = `w_FM`, `v_FM` in F.
    Free,
}

/// A ball or a free body whose motion is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrivenBall {
    /// Index of the first motion: four of the quaternion, then three of the position if it translates.
    pub motion: usize,
    /// Whether it translates as well.
    pub translates: bool,
    /// Whether the motion is that of F in M.
    pub reversed: bool,
}

impl DrivenBall {
    /// Indices of the motions.
    #[must_use]
    pub fn motions(&self) -> std::ops::Range<usize> {
        self.motion..self.motion + if self.translates { 7 } else { 4 }
    }
}

impl Mobilizer {
    /// Whether the motion is a given function of time.
    #[must_use]
    pub fn is_driven(&self) -> bool {
        matches!(self, Self::Driven { .. } | Self::DrivenBall(_))
    }

    /// Indices of the given motions.
    #[must_use]
    pub fn motions(&self) -> std::ops::Range<usize> {
        match self {
            Self::Driven { motion, .. } => *motion..motion + 1,
            Self::DrivenBall(ball) => ball.motions(),
            _ => 0..0,
        }
    }

    /// Number of position variables.
    #[must_use]
    pub fn num_q(&self) -> usize {
        match self {
            Self::World | Self::Driven { .. } | Self::DrivenBall(_) => 0,
            Self::Axis { .. } => 1,
            Self::Spherical => 4,
            Self::Free => 7,
        }
    }

    /// Number of velocity variables.
    #[must_use]
    pub fn num_v(&self) -> usize {
        match self {
            Self::World | Self::Driven { .. } | Self::DrivenBall(_) => 0,
            Self::Axis { .. } => 1,
            Self::Spherical => 3,
            Self::Free => 6,
        }
    }

    /// Whether position variable `k` of the mobilizer is a length.
    #[must_use]
    pub fn position_translates(&self, k: usize) -> bool {
        match self {
            Self::Axis { rotation, .. } => *rotation == 0.0,
            Self::Free => k >= 4,
            _ => false,
        }
    }

    /// Whether velocity variable `k` of the mobilizer is that of a translation.
    #[must_use]
    pub fn velocity_translates(&self, k: usize) -> bool {
        match self {
            Self::Axis { rotation, .. } => *rotation == 0.0,
            Self::Free => k >= 3,
            _ => false,
        }
    }
}

/// Mass, centre of mass and inertia of a super-object in its body frame B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyInertia {
    /// Mass \[kg\].
    pub m: f64,
    /// Centre of mass `p_BoBcm` in B \[m\].
    pub p_bo_bcm: Vec3,
    /// Rotational inertia about Bo in B \[kg m²\].
    pub i_bbo: crate::math::Mat3,
}

impl BodyInertia {
    /// No mass.
    pub const MASSLESS: Self = Self {
        m: 0.0,
        p_bo_bcm: Vec3::new(0.0, 0.0, 0.0),
        i_bbo: crate::math::Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// A share of this inertia, as of a part of the body that moves like the whole.
    #[must_use]
    pub fn scaled(&self, share: f64) -> Self {
        Self { m: share * self.m, p_bo_bcm: self.p_bo_bcm, i_bbo: share * self.i_bbo }
    }

    /// Whether nothing here has inertia.
    #[must_use]
    pub fn is_massless(&self) -> bool {
        self.m == 0.0 && self.i_bbo == crate::math::Mat3::zeros()
    }
}

/// One node of the spanning forest.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Path of the joint or free object it belongs to, for messages.
    pub name: String,
    /// Inboard node; smaller than the node's own ordinal.
    pub parent: NodeOrdinal,
    /// Pose `X_PF` of the inboard joint frame in the parent's body frame.
    pub x_pf: Pose,
    /// Motion from F to B.
    pub mobilizer: Mobilizer,
    /// Index among the nodes with the same kind of mobilizer.
    pub kind_ordinal: usize,
    /// First position variable.
    pub q: usize,
    /// First velocity variable (counted from the first velocity).
    pub v: usize,
    /// First entry in the topology's degree-of-freedom laws, if any act here (one per velocity).
    pub laws: Option<usize>,
    /// Inertia of the super-object.
    pub inertia: BodyInertia,
    /// Whether another node hangs on this one.
    pub has_children: bool,
}

impl Node {
    /// Its velocity variables.
    #[inline]
    #[must_use]
    pub fn velocities(&self) -> std::ops::Range<usize> {
        self.v..self.v + self.mobilizer.num_v()
    }

    /// The world's node.
    pub(super) const WORLD: Self = Self {
        name: String::new(),
        parent: WORLD,
        x_pf: Pose::IDENTITY,
        mobilizer: Mobilizer::World,
        kind_ordinal: 0,
        q: 0,
        v: 0,
        laws: None,
        inertia: BodyInertia::MASSLESS,
        has_children: false,
    };
}
