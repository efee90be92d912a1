//! One-dimensional mechanics: inertia, gear, spring, damper, sources of effort and of speed.

use std::sync::Arc;

use super::loss_gear::LossGear;
use crate::component::{Arguments, Component, DEFAULT_MOTION, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] = &[
    ("inertia", inertia),
    ("mass", mass),
    ("gear", Gear::make),
    ("spring", SpringDamper::make_spring),
    ("damper", SpringDamper::make_damper),
    ("spring-damper", SpringDamper::make_both),
    ("torque", torque),
    ("force", force),
    ("speed", speed),
];

/// An inertia (or mass) that moves with its flange.
#[derive(Debug)]
struct Inertia {
    inertia: f64,
    start: [Option<f64>; 2],
    translates: bool,
}

fn inertia(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let start = [arguments.maybe("phi")?, arguments.maybe("w")?];
    Ok(Arc::new(Inertia { inertia: arguments.positive("J")?, start, translates: false }))
}

fn mass(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let start = [arguments.maybe("s")?, arguments.maybe("v")?];
    Ok(Arc::new(Inertia { inertia: arguments.positive("m")?, start, translates: true }))
}

pub(super) fn with_motion_kind(layout: Layout, translates: bool) -> Layout {
    if translates { layout.translating() } else { layout }
}

/// Reads `motion`: rotation or translation.
pub(super) fn translates(arguments: &mut Arguments<'_>) -> Result<bool, String> {
    match arguments.text_or("motion", DEFAULT_MOTION)?.as_str() {
        "rotation" => Ok(false),
        "translation" => Ok(true),
        other => Err(format!("`motion` is `{other}`, but must be `rotation` or `translation`")),
    }
}

impl Component for Inertia {
    fn layout(&self) -> Layout {
        with_motion_kind(Layout::default().inertia_starting("flange", self.inertia, self.start), self.translates)
    }
}

/// Rigid gear: `phi_a = ratio phi_b`.
#[derive(Debug)]
struct Gear {
    ratio: f64,
}

impl Gear {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let ratio = arguments.number("ratio")?;
        if ratio == 0.0 {
            return Err("`ratio` is 0, but must not be zero".to_owned());
        }
        let efficiency = arguments.optional_positive("efficiency")?;
        let w_reg = arguments.optional_positive("w_reg")?;
        match efficiency {
            1.0 => Ok(Arc::new(Self { ratio })),
            efficiency if efficiency < 1.0 => Ok(Arc::new(LossGear { ratio, efficiency, w_reg })),
            efficiency => Err(format!("`efficiency` is {efficiency}, but must not be above 1")),
        }
    }
}

impl Component for Gear {
    fn layout(&self) -> Layout {
        let mut layout = Layout::default().flange("a").flange("b").neutral();
        layout.gears.push((0, 1, self.ratio));
        layout
    }
}

/// Spring and damper in parallel between two flanges, or a flange and the ground.
#[derive(Debug)]
struct SpringDamper {
    stiffness: f64,
    damping: f64,
    rest: f64,
    translates: bool,
}

impl SpringDamper {
    fn make_spring(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let (stiffness, rest) = (arguments.positive("stiffness")?, arguments.optional("rest")?);
        Ok(Arc::new(Self { stiffness, damping: 0.0, rest, translates: translates(arguments)? }))
    }

    fn make_damper(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let damping = arguments.positive("damping")?;
        Ok(Arc::new(Self { stiffness: 0.0, damping, rest: 0.0, translates: translates(arguments)? }))
    }

    fn make_both(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let (stiffness, damping) = (arguments.positive("stiffness")?, arguments.positive("damping")?);
        Ok(Arc::new(Self { stiffness, damping, rest: arguments.optional("rest")?, translates: translates(arguments)? }))
    }

    fn effort(&self, at: &Point<'_>) -> f64 {
        let [a, b] = [&at.flanges[0], &at.flanges[1]];
        self.stiffness * (a.position - b.position - self.rest) + self.damping * (a.velocity - b.velocity)
    }
}

impl Component for SpringDamper {
    fn layout(&self) -> Layout {
        let layout = Layout::default().flange("a").flange_or_ground("b");
        let unit = if self.translates { "N" } else { "N.m" };
        with_motion_kind(layout.output("effort", unit, "effort that pulls the flanges together"), self.translates)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = self.effort(at);
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        let effort = self.effort(at);
        out.copy_from_slice(&[-effort, effort]);
    }

    fn stored_energy(&self, at: &Point<'_>) -> f64 {
        let stretch = at.flanges[0].position - at.flanges[1].position - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }
}

/// Effort between a flange and the ground, given by a signal.
#[derive(Debug)]
struct Effort {
    name: &'static str,
    translates: bool,
}

fn torque(_: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    Ok(Arc::new(Effort { name: "tau", translates: false }))
}

fn force(_: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    Ok(Arc::new(Effort { name: "f", translates: true }))
}

impl Component for Effort {
    fn layout(&self) -> Layout {
        with_motion_kind(Layout::default().input(self.name).flange("flange"), self.translates)
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.inputs[0];
    }
}

/// A flange that moves with a given velocity.
#[derive(Debug)]
struct Speed {
    start: Option<f64>,
    translates: bool,
}

fn speed(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    Ok(Arc::new(Speed { start: arguments.maybe("position")?, translates: translates(arguments)? }))
}

impl Component for Speed {
    fn layout(&self) -> Layout {
        let mut layout = Layout::default().input("velocity").inertia_starting("flange", 0.0, [self.start, None]);
        layout.driven = Some((0, 0));
        with_motion_kind(layout, self.translates)
    }
}
