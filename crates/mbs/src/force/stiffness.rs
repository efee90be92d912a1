//! Linearisation of a force element: change of both wrenches for a change of both motions.
//!
//! Every element is differenced for itself, all other bodies standing still, so that the number of evaluations is
//! 24 per element whatever the size of the model.

use super::{Element, Signals};
use crate::math::{Mat3, Scales, Vec3, rotation_about};
use crate::spatial::{BodyMotion, Wrench};

/// Change of a wrench for a change of (rotation, position, angular velocity, velocity): 3 x 3 blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stiffness {
    pub n: [Mat3; 4],
    pub f: [Mat3; 4],
}

impl Stiffness {
    pub const ZERO: Self = Self {
        n: [Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0); 4],
        f: [Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0); 4],
    };

    pub fn add(&mut self, other: &Self) {
        for block in 0..4 {
            self.n[block] += other.n[block];
            self.f[block] += other.f[block];
        }
    }

    fn set_column(&mut self, block: usize, k: usize, slope: &Wrench) {
        self.n[block].set_column(k, &slope.n);
        self.f[block].set_column(k, &slope.f);
    }
}

/// Step of the differences, relative to 1 rad, the scale of length and the size of the velocities.
const STEP: f64 = 1e-7;

/// Derivatives of the wrenches on (a, b) with respect to the motions of (a, b): `[[aa, ab], [ba, bb]]`.
pub(crate) fn stiffness(
    element: &Element,
    bodies: &[BodyMotion],
    signals: &mut Signals,
    scales: &Scales,
) -> [[Stiffness; 2]; 2] {
    let (node_a, node_b) = element.nodes();
    let origin = bodies[node_b].p;
    let near = |motion: &BodyMotion| BodyMotion { p: motion.p - origin, ..*motion };
    let base = [near(&bodies[node_a]), near(&bodies[node_b])];
    let at = element.wrenches(&base[0], &base[1], bodies, signals);
    let mut result = [[Stiffness::ZERO; 2]; 2];
    for side in 0..2 {
        if [node_a, node_b][side] == crate::spatial::WORLD {
            continue;
        }
        for block in 0..4 {
            for k in 0..3 {
                let mut moved = base;
                let step = perturb(&mut moved[side], block, k, scales);
                let (on_a, on_b) = element.wrenches(&moved[0], &moved[1], bodies, signals);
                result[0][side].set_column(block, k, &slope(&on_a, &at.0, step));
                result[1][side].set_column(block, k, &slope(&on_b, &at.1, step));
            }
        }
    }
    result
}

fn slope(moved: &Wrench, at: &Wrench, step: f64) -> Wrench {
    Wrench { n: (moved.n - at.n) / step, f: (moved.f - at.f) / step }
}

fn perturb(motion: &mut BodyMotion, block: usize, k: usize, scales: &Scales) -> f64 {
    let mut unit = Vec3::zeros();
    unit[k] = 1.0;
    let scale = match block {
        1 => scales.length,
        2 => scales.angular_velocity() + motion.w.norm(),
        3 => scales.velocity() + motion.v.norm(),
        _ => 1.0,
    };
    let step = STEP * scale;
    match block {
        0 => motion.rotation = rotation_about(&unit, step) * motion.rotation,
        1 => motion.p += unit * step,
        2 => motion.w += unit * step,
        _ => motion.v += unit * step,
    }
    step
}
