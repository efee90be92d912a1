//! Loops that stand on one another: ladders and scissor lifts.
#![allow(clippy::unwrap_used)]

use crate::support::{assert_near, start};
use mbs::declaration::StartKind;
use mbs::declaration::builder::{JointBuilder, Members, ModelBuilder, ObjectBuilder, object, prismatic, revolute};

/// A slender bar along x, with a frame at each end.
fn bar(model: ModelBuilder, name: &str, half: f64) -> ModelBuilder {
    let inertia = half * half / 3.0;
    let end = |suffix: &str, x: f64| -> ObjectBuilder { object(format!("{name}{suffix}")).on(name).r([x, 0.0, 0.0]) };
    model
        .object(object(name).mass(1.0, [0.0; 3], [0.001, inertia, inertia, 0.0, 0.0, 0.0]))
        .object(end("-", -half))
        .object(end("+", half))
}

/// A start position that closes loops nearby.
trait Guessed {
    fn guess(self, value: f64) -> Self;
}

impl Guessed for JointBuilder {
    fn guess(self, value: f64) -> Self {
        self.position(value).position_kind(StartKind::Guess)
    }
}

fn hinge(name: String, from: &str, to: &str) -> JointBuilder {
    revolute(&name, from, to, "y")
}

/// A scissor lift: pairs of bars of 1 m that cross at their middles, the first pair on the ground and on a slide.
fn scissor_lift(cells: usize, angle: f64) -> ModelBuilder {
    let mut model = ModelBuilder::new("ScissorLift")
        .gravity([0.0, 0.0, -9.81])
        .object(object("slide").mass(0.5, [0.0; 3], [0.0; 6]))
        .joint(prismatic("slides", "world", "slide", "x").guess(angle.cos()));
    for k in 0..cells {
        let [a, b] = ["a", "b"].map(|side| format!("{side}{k}"));
        model = bar(bar(model, &a, 0.5), &b, 0.5).joint(hinge(format!("middle{k}"), &a, &b).guess(2.0 * angle));
        let (left, right) = match k.checked_sub(1) {
            None => (
                hinge("foot".to_owned(), "world", "a0-").position(-angle),
                hinge("heel".to_owned(), "slide", "b0+").guess(angle),
            ),
            Some(below) => (
                hinge(format!("left{k}"), &format!("b{below}-"), &format!("a{k}-")).guess(-2.0 * angle),
                hinge(format!("right{k}"), &format!("a{below}+"), &format!("b{k}+")).guess(2.0 * angle),
            ),
        };
        model = model.joint(left).joint(right);
    }
    model
}

/// All pairs of bars open alike, so that the energy gives the motion of the one degree of freedom: with the angle `q`
/// of the bars, the height of their middles is `(k + 1/2) sin q`.
#[test]
fn a_scissor_lift_of_forty_cells_keeps_its_one_degree_of_freedom() {
    let (cells, angle) = (40, 0.5_f64);
    let mut run = start(&scissor_lift(cells, angle).build().unwrap(), 1e-8);
    let energy = run.value("energy.total");
    run.to(0.8);
    let angles: Vec<f64> = (0..cells).map(|k| run.value(&format!("middle{k}.phi"))).collect();
    let spread = angles.iter().fold(0.0_f64, |most, phi| most.max((phi - angles[0]).abs()));
    assert!(spread < 1e-7, "the angles of the cells differ by {spread} rad");
    assert!((angles[0] - 2.0 * angle).abs() > 0.1, "it has hardly moved: {} rad", angles[0] - 2.0 * angle);
    let (q, rate) = (0.5 * angles[0], 0.5 * run.value("middle0.w"));
    let (mut kinetic, mut potential) = (0.25 * (q.sin() * rate).powi(2), 0.0);
    for k in 0..cells {
        let (height, climb) = ((k as f64 + 0.5) * q.sin(), (k as f64 + 0.5) * q.cos() * rate);
        let middle = 0.5 * q.sin() * rate;
        kinetic += climb * climb + middle * middle + rate * rate / 12.0;
        potential += 2.0 * 9.81 * height;
    }
    assert_near(run.value("energy.kinetic"), kinetic, 1e-6 * kinetic, "kinetic energy");
    let at_start: f64 = (0..cells).map(|k| 2.0 * 9.81 * (k as f64 + 0.5) * angle.sin()).sum();
    assert_near(kinetic + potential, at_start, 1e-6 * at_start, "energy by hand");
    assert_near(run.value("energy.total"), energy, 1e-6 * at_start, "energy");
    assert_eq!(run.simulation.statistics().integrator.restarts, 1);
}

/// A ladder that hangs from the ceiling: two chains of hinged rails with a rung between every pair of rails. Every rung
/// may swing, which is one degree of freedom each.
#[test]
fn a_hanging_ladder_of_seventy_rungs_keeps_its_energy() {
    let rungs = 70;
    let mut model = ModelBuilder::new("Ladder")
        .gravity([0.0, 0.0, -9.81])
        .object(object("right-1+").on("world").r([0.1, 0.0, 0.0]));
    let down = [0.0, std::f64::consts::FRAC_PI_2, 0.0];
    for k in 0..rungs {
        let above =
            |side: &str| if k == 0 && side == "left" { "world".to_owned() } else { format!("{side}{}+", k - 1) };
        for side in ["left", "right"] {
            let name = format!("{side}{k}");
            let hinge = hinge(format!("{name}_hinge"), &above(side), &format!("{name}-"));
            model = bar(model, &name, 0.05);
            let hung = if k == 0 { down[1] } else { 0.0 };
            let pushed = if k == 3 { 0.02 } else { 0.0 };
            model =
                model.joint(if side == "left" { hinge.position(hung + pushed) } else { hinge.guess(hung + pushed) });
        }
        let rung = format!("rung{k}");
        model = bar(model, &rung, 0.05)
            .joint(hinge(format!("{rung}_left"), &format!("left{k}+"), &format!("{rung}-")).guess(-down[1]))
            .joint(hinge(format!("{rung}_right"), &format!("{rung}+"), &format!("right{k}+")).guess(down[1]));
    }
    let mut run = start(&model.build().unwrap(), 1e-7);
    let energy = run.value("energy.total");
    let mut most = 0.0_f64;
    for k in 1..=10 {
        run.to(0.02 * f64::from(k));
        most = most.max(run.value("energy.kinetic"));
        assert_near(run.value("energy.total"), energy, 1e-4 * most.max(1e-3), "energy");
    }
    assert!(most > 1e-3, "it has hardly moved: {most} J");
    assert_eq!(run.simulation.statistics().integrator.restarts, 1);
}
