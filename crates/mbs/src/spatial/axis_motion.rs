//! Motion along, about, or along and about one axis.

use super::{BodyMotion, LinkMotion};
use crate::math::{Mat3, Pose, Vec3, rotation_about};

/// Motion of one degree of freedom: rotation by `rotation * q` about and translation by `translation * q` along `axis`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisMotion {
    /// Unit axis.
    pub axis: Vec3,
    /// 1 for rotations, else 0.
    pub rotation: f64,
    /// 1 for translations, pitch per radian for screws, else 0.
    pub translation: f64,
}

/// Coordinate of one degree of freedom and its derivatives.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AxisCoordinates {
    /// Position.
    pub q: f64,
    /// Velocity.
    pub v: f64,
    /// Acceleration.
    pub a: f64,
}

impl AxisMotion {
    /// Motion of the body beyond the axis; `x_pf` is the pose of frame F on the body `parent` before it.
    #[must_use]
    pub fn across(&self, parent: &BodyMotion, x_pf: &Pose, at: AxisCoordinates) -> BodyMotion {
        let (link, rotation) = self.cross(parent.rotation * x_pf.rotation, parent.rotation * x_pf.translation, at);
        link.outboard(parent, rotation)
    }

    /// Motion across the axis, and `R_WM`; `r_wf` is the rotation of frame F in the world, `r_pf` its position from Po.
    #[inline]
    pub(crate) fn cross(&self, r_wf: Mat3, r_pf: Vec3, x: AxisCoordinates) -> (LinkMotion, Mat3) {
        let Self { axis, rotation, translation } = self;
        let e = r_wf * axis;
        let link = LinkMotion {
            r: r_pf + e * (translation * x.q),
            r_wf,
            w_rel: e * (rotation * x.v),
            v_rel: e * (translation * x.v),
            alpha_rel: e * (rotation * x.a),
            a_rel: e * (translation * x.a),
        };
        let turned = if *rotation == 0.0 { r_wf } else { r_wf * rotation_about(axis, rotation * x.q) };
        (link, turned)
    }
}
