//! Which shapes the joints between them keep apart whatever the coordinates are.

use super::{Mobilizer, Topology};
use crate::math::Vec3;
use crate::spatial::NodeOrdinal;

/// Part of a distance that rounding errors may take.
const ROUNDING: f64 = 1e-9;

/// A sphere that a shape does not leave, seen from a body.
#[derive(Debug, Clone, Copy)]
struct Region {
    node: NodeOrdinal,
    /// Centre in the body's frame \[m\].
    center: Vec3,
    /// Radius \[m\].
    radius: f64,
}

impl Topology {
    /// Whether two shapes could meet for some coordinates of the joints between them. False is certain, true is not:
    /// joints that only turn keep a shape within a sphere about their axis, seen from the body on their other side.
    pub(super) fn may_reach(&self, i: u32, j: u32) -> bool {
        self.are_apart(i, j) != Some(true)
    }

    /// Whether the spheres about two shapes are apart in the frame of a body that carries both; none where a joint
    /// between them translates, and for shapes without end.
    fn are_apart(&self, i: u32, j: u32) -> Option<bool> {
        let [mut a, mut b] = [self.region(i)?, self.region(j)?];
        // Parents have smaller ordinals.
        while a.node != b.node {
            if a.node > b.node {
                a = self.seen_from_parent(&a)?;
            } else {
                b = self.seen_from_parent(&b)?;
            }
        }
        let distance = (a.center - b.center).norm();
        Some(distance * (1.0 - ROUNDING) > a.radius + b.radius)
    }

    fn region(&self, shape: u32) -> Option<Region> {
        let shape = &self.shapes[shape as usize];
        let radius = shape.shape.bounding_radius();
        let center = shape.x_bs.transform(&shape.shape.center());
        radius.is_finite().then_some(Region { node: shape.node, center, radius })
    }

    fn seen_from_parent(&self, region: &Region) -> Option<Region> {
        let node = &self.nodes[region.node];
        let center = match &node.mobilizer {
            Mobilizer::Axis { axis, translation, .. } | Mobilizer::Driven { axis, translation, .. }
                if *translation == 0.0 =>
            {
                axis * axis.dot(&region.center)
            }
            Mobilizer::Spherical => Vec3::zeros(),
            Mobilizer::DrivenBall(ball) if !ball.translates => Vec3::zeros(),
            _ => return None,
        };
        let radius = region.radius + (region.center - center).norm();
        Some(Region { node: node.parent, center: node.x_pf.transform(&center), radius })
    }
}
