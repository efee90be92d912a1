//! Gear with losses.

use crate::component::{Component, Layout, Point};

/// Rate at which a violation of the ratio is removed, per scale of time.
const RATIO_REMOVAL_RATE: f64 = 50.0;

/// Torque that counts as unlimited, relative to its scale.
const UNLIMITED_TORQUE: f64 = 1e9;

/// Gear `phi_a = ratio phi_b` that loses a part of the power it transmits: whichever side drives, the other receives
/// `efficiency` times its power. Around standstill the loss fades out within the velocity `w_reg` of `a`.
///
/// The torque that `a` transmits is an algebraic unknown, its equation the ratio of the accelerations.
#[derive(Debug)]
pub(super) struct LossGear {
    pub ratio: f64,
    pub efficiency: f64,
    pub w_reg: f64,
}

impl LossGear {
    /// Torque on `b` per torque from `a`.
    fn torque_ratio(&self, torque: f64, w: f64) -> f64 {
        let direction = elementary::tanh(w / self.w_reg);
        let loss = if torque * direction >= 0.0 { 1.0 - self.efficiency } else { 1.0 - 1.0 / self.efficiency };
        self.ratio * (1.0 - loss * direction.abs())
    }
}

impl Component for LossGear {
    fn layout(&self) -> Layout {
        let mut layout = Layout::default()
            .output("loss", "W", "power lost")
            .flange("a")
            .flange("b")
            .neutral()
            .unknown("torque", 0.0, 1.0)
            .in_scale("N.m")
            .holding();
        layout.constraints.push((0, 1, self.ratio));
        layout
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let w = at.flanges[0].velocity;
        out[0] = at.x[0] * (w - self.torque_ratio(at.x[0], w) * at.flanges[1].velocity);
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        let torque = at.x[0];
        out.copy_from_slice(&[-torque, torque * self.torque_ratio(torque, at.flanges[0].velocity)]);
    }

    fn holding(&self, at: &Point<'_>) -> Option<f64> {
        Some(UNLIMITED_TORQUE * at.scales.energy())
    }

    fn residuals(&self, at: &Point<'_>, out: &mut [f64]) {
        let [a, b] = [&at.flanges[0], &at.flanges[1]];
        let position = a.position - self.ratio * b.position;
        let velocity = a.velocity - self.ratio * b.velocity;
        let acceleration = a.acceleration - self.ratio * b.acceleration;
        let rate = RATIO_REMOVAL_RATE / at.scales.time;
        out[0] = acceleration + 2.0 * rate * velocity + rate * rate * position;
    }
}
