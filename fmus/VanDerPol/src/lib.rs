//! A component of one's own: the oscillator `x'' = mu (1 - x²) x' - x + u` of B. van der Pol (1926).

use std::sync::Arc;

use mbs::component::{Component, Layout, Point, Registry};

#[derive(Debug)]
struct VanDerPol {
    mu: f64,
}

impl Component for VanDerPol {
    fn layout(&self) -> Layout {
        Layout::default().input_or("u", 0.0).output("y", "1", "output").state("x", 2.0, 1.0).state("v", 0.0, 1.0)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.x[0];
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        let [x, v] = [at.x[0], at.x[1]];
        out.copy_from_slice(&[v, self.mu * (1.0 - x * x) * v - x + at.inputs[0]]);
    }
}

/// The built-in components and this one.
pub struct Library;

impl multibody_fmu::Library for Library {
    fn components() -> Registry {
        Registry::builtin().with("van-der-pol", |values| Ok(Arc::new(VanDerPol { mu: values.number("mu")? })))
    }
}

fmi2::export_fmu!(multibody_fmu::MultibodyFmu<Library>);
