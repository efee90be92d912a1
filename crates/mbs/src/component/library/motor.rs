//! Electric drives.

use std::sync::Arc;

use crate::component::{Arguments, Component, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] = &[("dc-motor", DcMotor::make)];

/// Permanent-magnet DC motor: `v = R i + L i' + k w`, torque `k i` on the rotor.
#[derive(Debug)]
struct DcMotor {
    resistance: f64,
    inductance: f64,
    constant: f64,
    inertia: f64,
    start: [Option<f64>; 2],
}

impl DcMotor {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        Ok(Arc::new(Self {
            resistance: arguments.positive("R")?,
            inductance: arguments.optional_not_negative("L")?,
            constant: arguments.positive("k")?,
            inertia: arguments.optional_not_negative("J")?,
            start: [arguments.maybe("phi")?, arguments.maybe("w")?],
        }))
    }

    fn current(&self, at: &Point<'_>) -> f64 {
        match at.x.first() {
            Some(current) => *current,
            None => (at.inputs[0] - self.constant * at.flanges[0].velocity) / self.resistance,
        }
    }
}

impl Component for DcMotor {
    fn layout(&self) -> Layout {
        let layout = Layout::default().input("v").inertia_starting("flange", self.inertia, self.start);
        if self.inductance > 0.0 {
            layout.output("i", "A", "current").state("i", 0.0, 1.0).in_unit("A")
        } else {
            layout.direct_output("i", "A", "current")
        }
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = self.current(at);
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = self.constant * self.current(at);
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        if let Some(out) = out.first_mut() {
            let voltage = at.inputs[0] - self.resistance * at.x[0] - self.constant * at.flanges[0].velocity;
            *out = voltage / self.inductance;
        }
    }
}
