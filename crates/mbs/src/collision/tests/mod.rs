#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)]
//! Independent checks of the narrow phase. All random tests are seeded with fixed numbers that their messages name.

use super::*;
use crate::math::{Mat3, Pose, Quaternion, Vec3, rotation_about};
use crate::solid::{Axis, Shape, TriangleMesh};
use std::sync::Arc;

mod certificate;
mod hulls;
mod impact;
mod laws;
mod normal_turn;
mod oracles;
mod pieces;
mod random;
mod seams;
mod shapes;
mod support;

/// The distance without memory.
fn measure(a: &ConvexShape, x_wa: &Pose, b: &ConvexShape, x_wb: &Pose) -> Contact {
    distance(a, x_wa, b, x_wb, &mut PairCache::default())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn sharp(shape: &Shape) -> ConvexShape {
    ConvexShape::new(shape, 0.0).unwrap()
}
