//! Dry friction that sticks: friction, brake, clutch.

use std::sync::Arc;

use super::mechanical::{translates, with_motion_kind};
use crate::component::{Arguments, Component, Event, Factory, Layout, Motion, Point};

pub(super) const FACTORIES: &[(&str, Factory)] =
    &[("friction", DryFriction::make), ("brake", DryFriction::make_brake), ("clutch", DryFriction::make_clutch)];

/// Rate at which a velocity left over from the instant of sticking is removed, per scale of time.
const SLIP_REMOVAL_RATE: f64 = 10.0;

/// Velocity, relative to its scale, below which a run starts stuck.
const STICKING_AT_START: f64 = 1e-9;

/// Velocity, relative to its scale, at which something that is moved from outside, such as a joint with a prescribed
/// motion, does not stick; more by this fraction of the velocities of both flanges, whose errors grow with them.
const MIN_DRIVEN_SLIP: f64 = 1e-5;

/// Time to rest, relative to its scale, within which frictions of one mechanism come to rest at the same instant, up to
/// the velocity `MAX_RESIDUAL_SLIP`: the integrator's errors let one of them be found first.
const SIMULTANEOUS_STOP_WINDOW: f64 = 1e-5;

/// Largest velocity, relative to its scale, that may remain when several come to rest together.
const MAX_RESIDUAL_SLIP: f64 = 0.1 * MIN_DRIVEN_SLIP;

/// Velocity, relative to its scale, that need not be noticed when something begins to slide.
const IGNORED_SLIP: f64 = 5e-10;

/// Multiple of the velocity that does not count above which an impulse must have caused it.
const NOT_COUNTED: f64 = 1.5;

/// Fraction of the static effort by which it is clearly exceeded, without an indicator. A released friction holds less,
/// so that its indicator detects a load that others leave to it.
const BREAKAWAY_MARGIN: f64 = 1e-9;

/// Friction between two flanges, or a flange and the ground, with three modes: stuck (0), sliding forward (1) and
/// backward (-1). The second discrete value is a velocity that does not count: backward, or of what is stuck; see
/// [`slide`].
///
/// While stuck the relative acceleration is zero and the effort is an algebraic unknown; it breaks loose where the
/// effort exceeds the static one. While sliding the effort is
/// `u ((sliding + (static - sliding) exp(-(w / w_stribeck)²)) sign(w) + viscous w)`. The input `u` of a brake or
/// clutch, 0 where it is negative, scales all its efforts; that of friction is 1.
#[derive(Debug)]
struct DryFriction {
    sliding: f64,
    breakaway: f64,
    stribeck: f64,
    viscous: f64,
    has_command: bool,
    needs_two: bool,
    translates: bool,
}

impl DryFriction {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Self::read(arguments, false, false)
    }

    fn make_brake(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Self::read(arguments, true, false)
    }

    fn make_clutch(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Self::read(arguments, true, true)
    }

    fn read(arguments: &mut Arguments<'_>, has_command: bool, needs_two: bool) -> Result<Arc<dyn Component>, String> {
        let sliding = arguments.positive("sliding")?;
        let breakaway = arguments.number_or("static", sliding)?;
        if breakaway < sliding {
            return Err(format!("`static` is {breakaway}, but must not be below `sliding` = {sliding}"));
        }
        Ok(Arc::new(Self {
            sliding,
            breakaway,
            stribeck: arguments.optional_not_negative("stribeck")?,
            viscous: arguments.optional_not_negative("viscous")?,
            has_command,
            needs_two,
            translates: translates(arguments)?,
        }))
    }

    fn scale(&self, inputs: &[f64]) -> f64 {
        if self.has_command { inputs[0].max(0.0) } else { 1.0 }
    }

    /// Whether nothing presses the surfaces together: they do not stick then, and rounding may move them.
    fn is_open(&self, inputs: &[f64]) -> bool {
        self.scale(inputs) == 0.0
    }

    /// Relative velocity and acceleration.
    fn slip(&self, at: &Point<'_>) -> (f64, f64) {
        let [a, b] = [&at.flanges[0], &at.flanges[1]];
        (a.velocity - b.velocity, a.acceleration - b.acceleration)
    }

    fn sliding_effort(&self, mode: f64, w: f64, scale: f64) -> f64 {
        let drop = if self.stribeck > 0.0 { elementary::exp(-(w / self.stribeck).powi(2)) } else { 0.0 };
        scale * (mode * (self.sliding + (self.breakaway - self.sliding) * drop) + self.viscous * w)
    }
}

impl Component for DryFriction {
    fn layout(&self) -> Layout {
        let unit = if self.translates { "N" } else { "N.m" };
        let layout = Layout::default()
            .output("effort", unit, "friction that resists the motion of `a` relative to `b`")
            .held_output("mode", "1", "1 sliding forward, 0 stuck, -1 sliding backward")
            .output("loss", "W", "power that becomes heat")
            .flange("a")
            .unknown("effort", 0.0, self.breakaway)
            .holding()
            .discrete(&[0.0, 0.0])
            .indicators(3);
        let layout = if self.needs_two { layout.flange("b") } else { layout.flange_or_ground("b") };
        with_motion_kind(if self.has_command { layout.input("u") } else { layout }, self.translates)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[at.x[0], at.discrete[0], at.x[0] * self.slip(at).0]);
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[-at.x[0], at.x[0]]);
    }

    fn residuals(&self, at: &Point<'_>, out: &mut [f64]) {
        let (w, acceleration) = self.slip(at);
        out[0] = match at.discrete[0] {
            0.0 => acceleration + SLIP_REMOVAL_RATE / at.scales.time * w,
            mode => at.x[0] - self.sliding_effort(mode, w, self.scale(at.inputs)),
        };
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        let [effort, velocity] = [at.scales.effort_of(self.translates), at.scales.velocity_of(self.translates)];
        let limit = self.breakaway * self.scale(at.inputs).max(BREAKAWAY_MARGIN);
        let slip = self.slip(at).0 / velocity;
        out.copy_from_slice(&match at.discrete[0] {
            0.0 => {
                let least = least_driven_slip(at.flanges, velocity).max(at.discrete[1]) / velocity;
                [(at.x[0] - limit) / effort, (-at.x[0] - limit) / effort, least - slip.abs()]
            }
            mode => {
                let backward =
                    if self.is_open(at.inputs) { least_driven_slip(at.flanges, velocity) } else { at.discrete[1] };
                [-1.0, -1.0, mode * slip + backward / velocity]
            }
        });
    }

    fn holding(&self, at: &Point<'_>) -> Option<f64> {
        (at.discrete[0] == 0.0).then(|| self.breakaway * self.scale(at.inputs))
    }

    fn join_holding(&self, at: &Point<'_>, discrete: &mut [f64]) -> bool {
        let (w, acceleration) = self.slip(at);
        let unit = at.scales.velocity_of(self.translates);
        let soon = (SIMULTANEOUS_STOP_WINDOW * at.scales.time * acceleration.abs()).min(MAX_RESIDUAL_SLIP * unit);
        let is_left = STICKING_AT_START * unit * (1.0 + at.time / at.scales.time) + soon;
        let is_slowing =
            at.discrete[0] * acceleration <= STICKING_AT_START * at.scales.acceleration_of(self.translates);
        let rests = w.abs() <= is_left && is_slowing;
        if rests {
            slide(0.0, w, unit, discrete);
        }
        rests
    }

    fn release(&self, direction: f64, at: &Point<'_>, discrete: &mut [f64]) {
        slide(direction, self.slip(at).0, at.scales.velocity_of(self.translates), discrete);
    }

    fn event(&self, event: &mut Event<'_>) {
        let w = event.flanges[0].velocity - event.flanges[1].velocity;
        let unit = event.scales.velocity_of(self.translates);
        let crossed = |k: usize| event.crossed.get(k).copied().unwrap_or(0);
        let mode = event.discrete[0];
        let limit = self.breakaway * self.scale(event.inputs) + BREAKAWAY_MARGIN * self.breakaway;
        let least = least_driven_slip(event.flanges, unit).max(NOT_COUNTED * event.discrete[1]);
        let next = if event.initial && w.abs() > STICKING_AT_START * unit {
            w.signum()
        } else if mode == 0.0 && crossed(2) < 0 {
            // Something moves it, whatever it would take to stop that.
            w.signum()
        } else if mode == 0.0 && (crossed(0) > 0 || event.x[0] > limit) {
            1.0
        } else if mode == 0.0 && (crossed(1) > 0 || event.x[0] < -limit) {
            -1.0
        } else if mode != 0.0 && crossed(2) < 0 && self.is_open(event.inputs) {
            -mode
        } else if mode != 0.0 && crossed(2) < 0 && event.has_jumped && w.abs() > least {
            // An impact, or the jump of a prescribed velocity, has reversed it, or driven it on as it came to rest.
            w.signum()
        } else if mode != 0.0 && crossed(2) < 0 {
            0.0
        } else {
            mode
        };
        if next != mode {
            slide(next, w, unit, event.discrete);
        }
    }
}

/// Slip above which friction that holds is driven, for the scale `unit` of velocity.
fn least_driven_slip(flanges: &[Motion], unit: f64) -> f64 {
    MIN_DRIVEN_SLIP * (unit + flanges[0].velocity.abs() + flanges[1].velocity.abs())
}

/// Sets the mode, at a relative velocity `w` whose scale is `unit`. When something begins to slide while errors of the
/// integration still move it a little backward, that much backward motion is not taken for a reversal; what is left of
/// the velocity where something sticks is not taken for a drive.
fn slide(mode: f64, w: f64, unit: f64, discrete: &mut [f64]) {
    let backward = if mode == 0.0 { w.abs() } else { -mode * w };
    discrete.copy_from_slice(&[mode, if backward > IGNORED_SLIP * unit { 2.0 * backward } else { 0.0 }]);
}
