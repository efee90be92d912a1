//! The second example of `docs/custom-component.md`: a component of one's own with a flange, an event, and states that
//! come and go.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use crate::support::assert_near;
use mbs::component::{Component, Event, Layout, Point, Registry};
use mbs::declaration::builder::{Members, ModelBuilder, component};
use mbs::elaboration::elaborate_with;
use mbs::scene::Quantity;
use mbs::simulation::{Options, Simulation};
use mbs::topology::compile;
use mbs::variables::variables;
use mbs_ida::Ida;

#[derive(Debug)]
struct Pad {
    stiffness: f64,
    time: f64,
    layer: f64,
}

impl Component for Pad {
    fn layout(&self) -> Layout {
        Layout::default()
            .held_output("layers", "1", "layers that carry")
            .flange("flange")
            .translating()
            .state("z", 0.0, 0.01)
            .indicators(1)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.x.len() as f64;
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.x.iter().map(|z| self.stiffness * (z - at.flanges[0].position)).sum();
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        for (rate, z) in out.iter_mut().zip(at.x) {
            *rate = (at.flanges[0].position - z) / self.time;
        }
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.flanges[0].position - self.layer;
    }

    fn is_resizable(&self) -> bool {
        true
    }

    fn event(&self, event: &mut Event<'_>) {
        let position = event.flanges[0].position;
        let reaches = if event.crossed[0] == 0 { position > self.layer } else { event.crossed[0] > 0 };
        match (reaches, event.x.len()) {
            (true, 1) => event.x.push(position),
            (false, 2) => event.x.truncate(1),
            _ => return,
        }
        *event.remark = Some(format!("{} layers carry at t = {} s", event.x.len(), event.time));
    }
}

/// End of what the documentation shows.
const MASS: f64 = 2.0;
const WEIGHT: f64 = 20.0;
const PAD: Pad = Pad { stiffness: 500.0, time: 0.2, layer: 0.05 };

fn library() -> Registry {
    Registry::builtin().with("pad", |values| {
        Ok(Arc::new(Pad {
            stiffness: values.positive("stiffness")?,
            time: values.positive("time")?,
            layer: values.number("layer")?,
        }))
    })
}

/// Position and velocity of the mass and the ways of the dashpots at a time, by steps of fourth order; the second layer
/// is there beyond `PAD.layer`.
fn by_hand(until: f64) -> (Vec<f64>, usize) {
    let rates = |y: &[f64]| {
        let force: f64 = y[2..].iter().map(|z| PAD.stiffness * (z - y[0])).sum();
        let mut rates = vec![y[1], (WEIGHT + force) / MASS];
        rates.extend(y[2..].iter().map(|z| (y[0] - z) / PAD.time));
        rates
    };
    let moved =
        |y: &[f64], rates: &[f64], h: f64| y.iter().zip(rates).map(|(y, rate)| y + h * rate).collect::<Vec<_>>();
    let (steps, mut changes) = (200_000, 0);
    let h = until / f64::from(steps);
    let mut y = vec![0.0, 0.0, 0.0];
    for _ in 0..steps {
        let a = rates(&y);
        let b = rates(&moved(&y, &a, 0.5 * h));
        let c = rates(&moved(&y, &b, 0.5 * h));
        let d = rates(&moved(&y, &c, h));
        let mean: Vec<f64> = (0..y.len()).map(|k| (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]) / 6.0).collect();
        y = moved(&y, &mean, h);
        match (y[0] > PAD.layer, y.len()) {
            (true, 3) => y.push(PAD.layer),
            (false, 4) => y.truncate(3),
            _ => continue,
        }
        changes += 1;
    }
    (y, changes)
}

#[test]
fn a_component_with_a_flange_an_event_and_a_variable_number_of_states_moves_as_computed_by_hand() {
    let model = ModelBuilder::new("Pad")
        .component(component("drop", "mass").set("m", MASS))
        .component(component("weight", "force").set("f", WEIGHT).connect("flange", "drop"))
        .component(
            component("pad", "pad")
                .set("stiffness", PAD.stiffness)
                .set("time", PAD.time)
                .set("layer", PAD.layer)
                .connect("flange", "drop"),
        );
    let scene = elaborate_with(&model.build().unwrap(), &[], &library()).unwrap();
    let known = variables(&scene, &compile(&scene).unwrap());
    let of = |name: &str| known.iter().find(|variable| variable.name == name).unwrap().quantity;
    let options = Options { relative_tolerance: 1e-9, ..Options::default() };
    let mut run = Simulation::new(scene, Ida::new(), 0.0, options).unwrap();
    for t in [0.05, 0.15, 0.4, 1.0] {
        run.do_step(t).unwrap();
        let (y, changes) = by_hand(t);
        assert_near(run.value(&of("drop.s")).unwrap(), y[0], 1e-6, "position");
        assert_near(run.value(&of("drop.v")).unwrap(), y[1], 1e-4, "velocity");
        assert_eq!(run.value(&of("pad.layers")).unwrap(), (y.len() - 2) as f64, "layers at {t} s");
        assert_eq!(run.value(&Quantity::NumStates).unwrap(), y.len() as f64, "states at {t} s");
        assert_eq!(run.statistics().segments as usize, 1 + changes, "segments at {t} s");
    }
    assert!(run.statistics().segments > 1, "the second layer is reached");
}

#[test]
fn the_documentation_shows_this_component() {
    let code = include_str!("components_custom.rs");
    let (start, end) = ("#[derive(Debug)]\nstruct Pad", "/// End of what");
    let shown = code.split_once(start).unwrap().1.split_once(end).unwrap().0.trim_end();
    let text = include_str!("../../../../docs/custom-component.md");
    assert!(text.contains(&format!("{start}{shown}")), "docs/custom-component.md shows another component");
}
