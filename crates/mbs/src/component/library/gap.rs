//! Elastic contact with play: elastic gear with backlash, end stop.

use std::sync::Arc;

use super::mechanical::{translates, with_motion_kind};
use crate::component::{Arguments, Component, Event, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] = &[("elastic-gear", elastic_gear), ("end-stop", end_stop)];

/// A spring and damper that act while `x = position of a / ratio - position of b` is outside the play.
///
/// With the deformation `delta` beyond the play, the effort is `stiffness delta + damping delta'`, where the damping
/// part never exceeds the elastic one, so that it is continuous and never pulls. The discrete value is the side in
/// contact (-1, 0, 1). Without play the connection is linear.
#[derive(Debug)]
struct Gap {
    ratio: f64,
    lower: f64,
    upper: f64,
    stiffness: f64,
    damping: f64,
    translates: bool,
    needs_two: bool,
}

fn elastic_gear(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let half = 0.5 * arguments.optional_not_negative("backlash")?;
    let ratio = arguments.optional("ratio")?;
    if ratio == 0.0 {
        return Err("`ratio` is 0, but must not be zero".to_owned());
    }
    Ok(Arc::new(Gap {
        ratio,
        lower: -half,
        upper: half,
        stiffness: arguments.positive("stiffness")?,
        damping: arguments.optional_not_negative("damping")?,
        translates: translates(arguments)?,
        needs_two: true,
    }))
}

fn end_stop(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let lower = arguments.maybe("lower")?.unwrap_or(f64::NEG_INFINITY);
    let upper = arguments.maybe("upper")?.unwrap_or(f64::INFINITY);
    if lower >= upper {
        let [lower, upper] = [("lower", lower), ("upper", upper)].map(|(name, value)| arguments.shown(name, value));
        return Err(format!("`lower` is {lower}, but must be below `upper` = {upper}"));
    }
    Ok(Arc::new(Gap {
        ratio: 1.0,
        lower,
        upper,
        stiffness: arguments.positive("stiffness")?,
        damping: arguments.optional_not_negative("damping")?,
        translates: translates(arguments)?,
        needs_two: false,
    }))
}

impl Gap {
    fn is_linear(&self) -> bool {
        self.lower == self.upper
    }

    /// Relative position and velocity on the side of `b`.
    fn relative(&self, flanges: &[crate::component::Motion]) -> (f64, f64) {
        let [a, b] = [&flanges[0], &flanges[1]];
        (a.position / self.ratio - b.position, a.velocity / self.ratio - b.velocity)
    }

    /// Effort that turns `b` forward.
    fn effort(&self, at: &Point<'_>) -> f64 {
        let (x, v) = self.relative(at.flanges);
        let push = |delta: f64, rate: f64| {
            let elastic = self.stiffness * delta;
            let most = elastic.abs();
            elastic + (self.damping * rate).clamp(-most, most)
        };
        match at.discrete.first() {
            None => self.stiffness * (x - self.lower) + self.damping * v,
            Some(side) if *side > 0.5 => push(x - self.upper, v),
            Some(side) if *side < -0.5 => push(x - self.lower, v),
            Some(_) => 0.0,
        }
    }
}

impl Component for Gap {
    fn layout(&self) -> Layout {
        let unit = if self.translates { "N" } else { "N.m" };
        let layout = Layout::default().output("effort", unit, "effort on `b`").flange("a");
        let layout = if self.needs_two { layout.flange("b").neutral() } else { layout.flange_or_ground("b") };
        let layout = if self.is_linear() { layout } else { layout.discrete(&[0.0]).indicators(2) };
        with_motion_kind(layout, self.translates)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = self.effort(at);
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        let effort = self.effort(at);
        out.copy_from_slice(&[-effort / self.ratio, effort]);
    }

    fn stored_energy(&self, at: &Point<'_>) -> f64 {
        let (x, _) = self.relative(at.flanges);
        let deformation = match at.discrete.first() {
            None => x - self.lower,
            Some(side) if *side > 0.5 => x - self.upper,
            Some(side) if *side < -0.5 => x - self.lower,
            Some(_) => 0.0,
        };
        0.5 * self.stiffness * deformation * deformation
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        if let [above, below] = out {
            let (x, _) = self.relative(at.flanges);
            *above = if self.upper.is_finite() { x - self.upper } else { -1.0 };
            *below = if self.lower.is_finite() { self.lower - x } else { -1.0 };
        }
    }

    fn event(&self, event: &mut Event<'_>) {
        let (x, _) = self.relative(event.flanges);
        let crossed = |k: usize| event.crossed.get(k).copied().unwrap_or(0);
        let beyond = |k: usize, by: f64| if crossed(k) == 0 { by > 0.0 } else { crossed(k) > 0 };
        if let Some(side) = event.discrete.first_mut() {
            *side = f64::from(i8::from(beyond(0, x - self.upper)) - i8::from(beyond(1, self.lower - x)));
        }
    }
}
