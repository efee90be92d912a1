//! Nanoseconds that components cost in an evaluation of the residual: `cargo bench --workspace --bench components`.
//!
//! Every model holds the same component many times, without mechanics. *one*, *ten* and *hundred* are the time of a
//! whole evaluation divided by the number of components: the same numbers mean linear growth. *matrix* is the time of a
//! Newton matrix for a hundred, per component. The best of several rounds counts.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use mbs::component::{Component, Layout, Point, Registry};
use mbs::component_system::ComponentSystem;
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component};
use mbs::dynamics::Evaluator;
use mbs::elaboration::elaborate_with;
use mbs::force::Signals;
use mbs::topology::{Topology, compile};

const ROUNDS: usize = 15;

/// The oscillator of the documentation's example.
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

struct Case {
    topology: Topology,
    evaluator: Evaluator,
    signals: Signals,
    y: Vec<f64>,
    yp: Vec<f64>,
}

impl Case {
    fn new(components: impl Iterator<Item = ComponentBuilder>) -> Self {
        let model = components.fold(ModelBuilder::new("Components"), |model, c| model.component(c));
        let user: mbs::component::Factory = |values| Ok(Arc::new(VanDerPol { mu: values.number("mu")? }));
        let registry = Registry::builtin().with("van-der-pol", user);
        let scene = elaborate_with(&model.build().unwrap(), &[], &registry).unwrap();
        let topology = compile(&scene).unwrap();
        let (mut evaluator, mut signals) = (Evaluator::new(&topology), scene.signals.clone());
        let (system, y) = ComponentSystem::new(&scene, &topology).unwrap();
        evaluator.set_components(&topology, system, &signals);
        signals.set_time(0.7);
        let yp = vec![0.1; y.len()];
        Self { topology, evaluator, signals, y, yp }
    }

    fn residual(&mut self, out: &mut [f64]) {
        self.evaluator.residual(&self.topology, black_box(&self.y), &self.yp, &mut self.signals, out);
        black_box(out);
    }

    fn matrix(&mut self) {
        self.evaluator.linearize(&self.topology, 1e3, black_box(&self.y), &self.yp, &mut self.signals).unwrap();
    }
}

/// Best time of a call \[ns\].
fn time(calls: u32, mut call: impl FnMut()) -> f64 {
    let round = |_| {
        let begin = Instant::now();
        (0..calls).for_each(|_| call());
        begin.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

/// Prints the times of `parts` components per instance, `make` makes those of an instance.
fn measure(name: &str, make: &dyn Fn(usize) -> Vec<ComponentBuilder>) {
    print!("{name:<34}");
    for count in [1, 10, 100] {
        let mut case = Case::new((0..count).flat_map(make));
        let mut out = vec![0.0; case.y.len()];
        let calls = 20_000 / (count * (1 + case.y.len() / 50)) as u32 + 10;
        print!("{:>10.0}", time(calls, || case.residual(&mut out)) / count as f64);
        if count == 100 {
            println!("{:>12.0}", time(calls / 10 + 2, || case.matrix()) / count as f64);
        }
    }
}

/// One component with an input that is a function of time.
fn driven(kind: &str, k: usize) -> ComponentBuilder {
    component(&format!("c{k}"), kind).set("u", "sin(time)")
}

/// A stable state space with one input and output; every state acts on its neighbours.
fn state_space(order: usize, k: usize) -> ComponentBuilder {
    let row = |i: usize| (0..order).map(|j| if i == j { -2.0 } else { 1.0 / (1 + i.abs_diff(j)) as f64 }).collect();
    let a: Vec<Vec<f64>> = (0..order).map(row).collect();
    let rows = |matrix: &[Vec<f64>]| matrix.to_vec();
    let b = vec![vec![1.0]; order];
    let c = vec![vec![1.0; order]];
    let with = |builder: ComponentBuilder, key: &str, matrix: Vec<Vec<f64>>| {
        let rows: Vec<&[f64]> = matrix.iter().map(Vec::as_slice).collect();
        builder.rows(key, &rows)
    };
    let builder = component(&format!("c{k}"), "state-space").set("u", "sin(time)");
    with(with(with(builder, "A", rows(&a)), "B", rows(&b)), "C", rows(&c))
}

fn heat_rod(volumes: i32, k: usize) -> ComponentBuilder {
    [("length", 0.1), ("area", 1e-3), ("conductivity", 200.0), ("density", 2000.0), ("specific_heat", 1000.0)]
        .into_iter()
        .fold(component(&format!("c{k}"), "heat-rod"), |builder, (key, value)| builder.set(key, value))
        .set("T", 400.0)
        .set("T_a", 300.0)
        .set("volumes", volumes)
}

fn shaft(k: usize) -> ComponentBuilder {
    component(&format!("j{k}"), "inertia").set("J", 0.5).set("w", 1.0)
}

fn main() {
    let on_shaft = |kind: &str, k: usize| component(&format!("c{k}"), kind).connect("a", &format!("j{k}"));
    println!("{:<34}{:>10}{:>10}{:>10}{:>12}", "component", "one ns", "ten ns", "hundred ns", "matrix ns");
    measure("gain", &|k| vec![driven("gain", k).set("k", 2.0)]);
    measure("pi", &|k| vec![driven("pi", k).set("k", 2.0).set("T", 0.5)]);
    measure("pid with limits", &|k| {
        vec![driven("pid", k).set("k", 2.0).set("T_i", 0.5).set("T_d", 0.1).set("max", 9.0)]
    });
    measure("first-order", &|k| vec![driven("first-order", k).set("T", 0.5)]);
    measure("table-2d of 3 by 4 points", &|k| {
        let table = component(&format!("c{k}"), "table-2d").set("u1", "sin(time)").set("u2", 0.3);
        let z: [&[f64]; 3] = [&[0.0, 1.0, 2.0, 1.0], &[1.0, 2.0, 2.0, 0.0], &[0.0, 3.0, 1.0, 2.0]];
        vec![table.list("x", &[-1.0, 0.0, 1.0]).list("y", &[0.0, 0.2, 0.7, 1.0]).rows("z", &z)]
    });
    measure("state-space of order 4", &|k| vec![state_space(4, k)]);
    measure("state-space of order 40", &|k| vec![state_space(40, k)]);
    measure("inertia", &|k| vec![shaft(k)]);
    measure("inertia, dc-motor, gear", &|k| {
        let motor = component(&format!("m{k}"), "dc-motor").set("v", "sin(time)");
        let motor = motor.set("R", 0.4).set("L", 0.1).set("k", 0.7).set("J", 0.02);
        let gear = component(&format!("g{k}"), "gear").set("ratio", 20.0);
        vec![shaft(k), motor, gear.connect("a", &format!("m{k}")).connect("b", &format!("j{k}"))]
    });
    measure("inertia, spring-damper", &|k| {
        vec![shaft(k), on_shaft("spring-damper", k).set("stiffness", 50.0).set("damping", 2.0)]
    });
    measure("inertia, friction", &|k| vec![shaft(k), on_shaft("friction", k).set("sliding", 2.0)]);
    for volumes in [10, 100, 1000] {
        measure(&format!("heat-rod of {volumes} volumes"), &|k| vec![heat_rod(volumes, k)]);
    }
    measure("van-der-pol, a user's own", &|k| vec![component(&format!("c{k}"), "van-der-pol").set("mu", 1.5)]);
}
