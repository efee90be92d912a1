//! Blocks and controllers against their analytic responses, and events at exact times.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{Run, assert_near, start};
use mbs::component::{Component, Event, Layout, Point, Registry};
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component, object, prismatic};
use mbs::elaboration::elaborate_with;
use mbs::simulation::{Options, Simulation};
use mbs_ida::Ida;

fn run(components: impl IntoIterator<Item = ComponentBuilder>, tolerance: f64) -> Run {
    let model = components.into_iter().fold(ModelBuilder::new("Signals"), |model, c| model.component(c));
    start(&model.build().unwrap(), tolerance)
}

fn step(start: f64) -> ComponentBuilder {
    component("u", "step").set("start", start)
}

#[test]
fn a_first_order_lag_answers_a_step_exponentially() {
    let mut run = run([step(0.3), component("lag", "first-order").set("u", "u.y").set("T", 0.5).set("k", 2.0)], 1e-8);
    run.to(0.2);
    assert_eq!((run.value("u.y"), run.value("lag.y")), (0.0, 0.0));
    for t in [0.3, 0.31, 0.8, 2.0_f64] {
        run.to(t);
        assert_near(run.value("lag.y"), 2.0 * (1.0 - (-(t - 0.3) / 0.5).exp()), 1e-7, "lag");
    }
    assert_eq!((run.value("event_count"), run.value("time_of_last_event")), (1.0, 0.3));
}

#[test]
fn an_integrator_of_a_sine_is_a_cosine() {
    let sine = component("u", "sine").set("frequency", "1/(2*pi)");
    let mut run = run([sine, component("i", "integrator").set("u", "u.y").set("k", 3.0).set("y", 0.5)], 1e-9);
    run.to(4.0);
    assert_near(run.value("i.y"), 0.5 + 3.0 * (1.0 - 4.0_f64.cos()), 1e-7, "integral");
}

#[test]
fn a_transfer_function_of_second_order_rings_as_computed() {
    let (w, d) = (3.0_f64, 0.2);
    let filter = component("f", "transfer-function")
        .set("u", "u.y")
        .list("b", &[2.0 * w * w])
        .list("a", &[2.0, 4.0 * d * w, 2.0 * w * w]);
    let mut run = run([step(0.0), filter], 1e-9);
    let wd = w * (1.0 - d * d).sqrt();
    for t in [0.1, 0.7, 2.5_f64] {
        run.to(t);
        let expected = 1.0 - (-d * w * t).exp() * ((wd * t).cos() + d * w / wd * (wd * t).sin());
        assert_near(run.value("f.y"), expected, 1e-7, "output");
    }
}

#[test]
fn a_transfer_function_with_as_many_zeros_as_poles_passes_its_input_on() {
    let filter = component("f", "transfer-function").set("u", "u.y").list("b", &[1.0, 0.0]).list("a", &[1.0, 2.0]);
    let mut run = run([step(0.5), filter], 1e-9);
    run.to(1.5);
    assert_near(run.value("f.y"), (-2.0_f64).exp(), 1e-8, "high pass");
}

#[test]
fn state_space_with_two_inputs_and_outputs_is_two_systems() {
    let system = component("s", "state-space")
        .rows("A", &[&[-1.0, 0.0], &[0.0, -2.0]])
        .rows("B", &[&[1.0, 0.0], &[0.0, 2.0]])
        .rows("C", &[&[1.0, 0.0], &[0.0, 1.0]])
        .rows("D", &[&[0.0, 0.0], &[0.5, 0.0]])
        .set("u1", 1.0)
        .set("u2", 3.0);
    let mut run = run([system], 1e-9);
    run.to(1.2);
    assert_near(run.value("s.y1"), 1.0 - (-1.2_f64).exp(), 1e-8, "first output");
    assert_near(run.value("s.y2"), 0.5 + 3.0 * (1.0 - (-2.4_f64).exp()), 1e-8, "second output");
}

#[test]
fn the_order_of_a_state_space_is_a_number_at_the_start() {
    let system = |order: i32| {
        component("s", "state-space")
            .rows("A", &[&[-1.0, 0.0], &[3.0, -2.0]])
            .rows("B", &[&[1.0], &[2.0]])
            .rows("C", &[&[1.0, 5.0]])
            .set("order", order)
            .set("u", 1.0)
    };
    for (order, expected) in [(0, 0.0), (1, 1.0 - (-1.2_f64).exp())] {
        let mut run = run([system(order)], 1e-9);
        run.to(1.2);
        assert_near(run.value("s.y"), expected, 1e-8, "output");
        assert_eq!(run.value("number_of_states"), f64::from(order));
    }
    let too_many = [system(3)].into_iter().fold(ModelBuilder::new("Signals"), |model, c| model.component(c));
    let message = crate::support::error_message(&too_many.build().unwrap());
    assert!(message.contains("`order` is 3, but the matrices have 2 states"), "{message}");
}

#[test]
fn a_limiter_switches_where_its_input_meets_the_limit() {
    let limiter = component("l", "limiter").set("u", "2*sin(time)").set("max", 1.0).set("min", -1.5);
    let mut run = run([limiter, component("i", "integrator").set("u", "l.y")], 1e-9);
    run.to(0.7);
    assert_near(run.value("time_of_last_event"), std::f64::consts::PI / 6.0, 1e-8, "time of the limit");
    assert_eq!(run.value("l.y"), 1.0);
    run.to(std::f64::consts::PI);
    let a = std::f64::consts::PI / 6.0;
    assert_near(run.value("i.y"), 4.0 * (1.0 - a.cos()) + (std::f64::consts::PI - 2.0 * a), 1e-7, "integral");
    assert_eq!(run.value("event_count"), 2.0);
}

#[test]
fn an_algebraic_loop_is_solved_at_every_instant() {
    let plus = component("a", "sum").set("u1", "sin(time)").set("u2", "b.y");
    let mut run = run([plus, component("b", "gain").set("k", -3.0).set("u", "a.y")], 1e-8);
    for t in [0.0, 0.4, 2.0_f64] {
        run.to(t);
        assert_near(run.value("a.y"), t.sin() / 4.0, 1e-7, "loop");
    }
}

#[test]
fn a_pi_controller_without_limits_is_its_formula() {
    let mut run = run([component("c", "pi").set("u", "1 - time").set("k", 2.0).set("T", 0.5)], 1e-9);
    run.to(0.8);
    assert_near(run.value("c.y"), 2.0 * (0.2 + (0.8 - 0.32) / 0.5), 1e-8, "output");
}

#[test]
fn a_pid_controller_filters_the_derivative() {
    let pid = component("c", "pid").set("u", "time").set("k", 2.0).set("T_i", 0.5).set("T_d", 0.1).set("N", 5.0);
    let mut run = run([pid], 1e-9);
    run.to(0.3);
    let derivative = 0.1 * (1.0 - (-0.3_f64 * 5.0 / 0.1).exp());
    assert_near(run.value("c.y"), 2.0 * (0.3 + 0.045 / 0.5 + derivative), 1e-8, "output");
}

/// 1 kg driven by a PI controller of its position error with strong limits.
fn windup(tracking: f64) -> f64 {
    let controller = component("c", "pid")
        .set("u", "1 - j.s")
        .set("k", 4.0)
        .set("T_i", 1.0)
        .set("T_d", 1.0)
        .set("max", 0.3)
        .set("T_t", tracking);
    let model = ModelBuilder::new("Cart")
        .object(object("cart").point_mass(1.0))
        .joint(prismatic("j", "world", "cart", "x"))
        .component(controller)
        .component(component("f", "force").set("f", "c.y").connect("flange", "j"));
    let mut run = start(&model.build().unwrap(), 1e-7);
    let mut largest = 0.0_f64;
    for k in 0..400 {
        run.to(f64::from(k) * 0.05);
        largest = largest.max(run.value("j.s"));
        assert!(run.value("c.y").abs() <= 0.3 + 1e-6);
    }
    largest
}

#[test]
fn anti_windup_reduces_the_overshoot() {
    let (without, with) = (windup(1e6), windup(0.3));
    assert!(with < 0.6 * (without - 1.0) + 1.0, "overshoot to {with} with and {without} without anti-windup");
}

#[test]
fn sources_have_their_corners_at_exact_times() {
    let components = [
        component("ramp", "ramp").set("height", 2.0).set("start", 0.1).set("duration", 0.2).set("offset", 1.0),
        component("trapezoid", "trapezoid")
            .set("height", 3.0)
            .set("rising", 0.1)
            .set("width", 0.2)
            .set("falling", 0.3)
            .set("period", 1.0),
        component("pulse", "pulse").set("period", 0.4).set("width", 0.25).set("start", 0.2),
    ];
    let mut run = run(components, 1e-6);
    for (t, ramp, trapezoid, pulse) in [
        (0.05, 1.0, 1.5, 0.0),
        (0.2, 2.0, 3.0, 1.0),
        (0.3001, 3.0, 2.999, 0.0),
        (0.45, 3.0, 1.5, 0.0),
        (0.61, 3.0, 0.0, 1.0),
        (1.05, 3.0, 1.5, 1.0),
        (2.35, 3.0, 2.5, 0.0),
    ] {
        run.to(t);
        let found = (run.value("ramp.y"), run.value("trapezoid.y"), run.value("pulse.y"));
        for (found, expected) in [(found.0, ramp), (found.1, trapezoid), (found.2, pulse)] {
            assert_near(found, expected, 1e-12, &format!("signal at {t} s"));
        }
    }
}

#[test]
fn a_sampler_ticks_at_multiples_of_its_period_without_drift() {
    let hold = component("h", "sample-hold").set("u", "time").set("period", 0.1);
    let mut run = run([hold, component("i", "integrator").set("u", "h.y")], 1e-6);
    for (t, expected) in [(0.0, 0.0), (0.05, 0.0), (0.1, 0.1), (0.15, 0.1), (0.3001, 0.30000000000000004), (0.999, 0.9)]
    {
        run.to(t);
        assert_eq!(run.value("h.y"), expected, "at {t} s");
    }
    run.to(1000.05);
    assert_eq!(run.value("h.y"), 10000.0 * 0.1);
    assert_eq!(run.value("event_count"), 10000.0);
}

#[test]
fn samplers_that_tick_together_read_values_from_just_before() {
    let first = component("a", "sample-hold").set("u", "time").set("period", 0.1);
    let second = component("b", "sample-hold").set("u", "a.y").set("period", 0.1);
    for swapped in [false, true] {
        let components = if swapped { [second.clone(), first.clone()] } else { [first.clone(), second.clone()] };
        let mut run = run(components, 1e-6);
        run.to(0.35);
        assert_eq!((run.value("a.y"), run.value("b.y")), (3.0 * 0.1, 0.2));
    }
}

#[test]
fn a_sampler_sees_what_happens_at_its_tick_however_it_is_written() {
    // Three periods of 0.1 s end a rounding error after 0.3 s, six after 0.6 s.
    for k in [0, 2, 3, 5, 6, 7, 10_u32] {
        let t = f64::from(k) / 10.0;
        let sampler = |name: &str, u: &str| component(name, "sample-hold").set("u", u).set("period", 0.1).set("y", 7.0);
        let sources = [
            step(t),
            component("p", "pulse").set("start", t).set("period", 100.0),
            component("h", "hysteresis").set("u", "u.y").set("low", 0.3).set("high", 0.6),
            component("g", "and").set("u1", "u.y").set("u2", "h.y"),
        ];
        let condition = format!("if time >= {t} then 1 else 0");
        let inputs = ["u.y", "p.y", "h.y", "g.y", &condition];
        let samplers = ["a", "b", "c", "d", "e"].into_iter().zip(inputs).map(|(name, u)| sampler(name, u));
        let mut run = run(samplers.chain(sources), 1e-6);
        let samples = |run: &mut Run| ["a.y", "b.y", "c.y", "d.y", "e.y"].map(|name| run.value(name));
        if k > 0 {
            run.to(t - 0.05);
            assert_eq!(samples(&mut run), [0.0; 5], "before {t} s");
        }
        run.to(t + 0.05);
        assert_eq!(samples(&mut run), [1.0; 5], "after {t} s");
    }
}

#[test]
fn a_sampled_pid_that_starts_late_has_no_slope_at_its_first_tick() {
    let pid = component("c", "sampled-pid").set("u", 3.0).set("period", 0.1).set("offset", 0.25).set("k", 2.0);
    let mut run = run([pid.set("T_d", 1.0)], 1e-6);
    run.to(0.3);
    assert_eq!(run.value("c.y"), 6.0);
}

#[test]
fn gates_take_signals_above_one_half_for_true() {
    let gate = |name: &str, kind: &str, u1: &str, u2: &str| component(name, kind).set("u1", u1).set("u2", u2);
    let gates = [
        gate("both", "and", "0.6", "sin(time)"),
        gate("one", "or", "0.4", "sin(time)"),
        component("none", "not").set("u", "sin(time)"),
    ];
    let mut run = run(gates, 1e-9);
    let mut values = |t: f64| {
        run.to(t);
        ["both.y", "one.y", "none.y"].map(|name| run.value(name))
    };
    let (rises, falls) = (std::f64::consts::FRAC_PI_6, 5.0 * std::f64::consts::FRAC_PI_6);
    assert_eq!(values(0.0), [0.0, 0.0, 1.0]);
    assert_eq!(values(rises - 1e-7), [0.0, 0.0, 1.0]);
    assert_eq!(values(rises + 1e-7), [1.0, 1.0, 0.0]);
    assert_eq!(values(falls - 1e-7), [1.0, 1.0, 0.0]);
    assert_eq!(values(falls + 1e-7), [0.0, 0.0, 1.0]);
}

#[test]
fn latches_see_gates_that_have_settled() {
    let not = |name: &str, u: &str| component(name, "not").set("u", u);
    let gate = |name: &str, kind: &str, u1: &str, u2: &str| component(name, kind).set("u1", u1).set("u2", u2);
    let latch = |name: &str, set: &str, reset: &str| component(name, "latch").set("set", set).set("reset", reset);
    let sources = |kind: usize| match kind {
        0 => component("p", "step").set("start", 0.5),
        1 => component("p", "pulse").set("start", 0.5).set("period", 3.0),
        2 => component("p", "hysteresis").set("u", "time").set("low", 0.2).set("high", 0.5),
        _ => component("p", "sample-hold").set("u", "if time >= 0.5 then 1 else 0").set("period", 0.5),
    };
    for (kind, reverse) in (0..4).flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut parts = vec![
            sources(kind),
            not("q", "p.y"),
            latch("follows", "p.y", "q.y"),
            gate("either", "or", "p.y", "q.y"),
            not("never", "either.y"),
            gate("both", "and", "p.y", "q.y"),
            latch("quiet", "never.y", "0"),
            latch("still", "both.y", "0"),
            not("zero", "1"),
            latch("low", "zero.y", "0"),
        ];
        if reverse {
            parts.reverse();
        }
        let mut run = run(parts, 1e-6);
        for (t, follows) in [(0.0, 0.0), (0.45, 0.0), (0.55, 1.0), (1.0, 1.0)] {
            run.to(t);
            let values = ["follows.y", "quiet.y", "still.y", "low.y"].map(|name| run.value(name));
            assert_eq!(values, [follows, 0.0, 0.0, 0.0], "source {kind}, reversed {reverse}, t = {t}");
        }
    }
}

/// Counts how often its input rises above one half.
#[derive(Debug)]
struct Counter;

static RISES: AtomicUsize = AtomicUsize::new(0);

impl Component for Counter {
    fn layout(&self) -> Layout {
        Layout::default().input("u").indicators(1)
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        out[0] = at.inputs[0] - 0.5;
    }

    fn event(&self, event: &mut Event<'_>) {
        RISES.fetch_add(usize::from(event.crossed.first() == Some(&1)), Ordering::Relaxed);
    }
}

/// A gate whose inputs switch at one instant is high for no time at all; only other gates see that.
#[test]
fn components_see_gates_that_have_settled() {
    let gate = |name: &str, u2: &str| component(name, "and").set("u1", "p.y").set("u2", u2);
    let counter = |name: &str, u: &str| component(name, "counter").set("u", u);
    let parts = [counter("first", "both.y"), component("p", "step").set("start", 0.5)];
    let parts = parts.into_iter().chain([component("q", "not").set("u", "p.y"), gate("both", "q.y")]);
    let model = parts.fold(ModelBuilder::new("Counter"), |model, c| model.component(c));
    let registry = Registry::builtin().with("counter", |_| Ok(Arc::new(Counter)));
    let scene = elaborate_with(&model.build().unwrap(), &[], &registry).unwrap();
    let options = Options { relative_tolerance: 1e-6, ..Options::default() };
    let mut simulation = Simulation::new(scene, Ida::new(), 0.0, options).unwrap();
    simulation.do_step(1.0).unwrap();
    assert_eq!(RISES.load(Ordering::Relaxed), 0);
}

#[test]
fn latches_see_what_switches_at_the_start_only_when_all_have_settled() {
    let high = component("high", "hysteresis").set("u", 1.0).set("low", 0.2).set("high", 0.5);
    let low = component("low", "not").set("u", "high.y");
    let latch = component("latch", "latch").set("set", "low.y");
    let run = &mut run([high, low, latch], 1e-6);
    assert_eq!(["high.y", "low.y", "latch.y"].map(|name| run.value(name)), [1.0, 0.0, 0.0]);
}

#[test]
fn a_sampled_pid_follows_its_difference_equation() {
    let pid = component("c", "sampled-pid")
        .set("u", "cos(time)")
        .set("period", 0.1)
        .set("k", 2.0)
        .set("T_i", 0.4)
        .set("T_d", 0.05);
    let mut run = run([pid, component("i", "integrator").set("u", "c.y")], 1e-6);
    run.to(0.75);
    let (mut integral, mut before, mut y, mut area) = (0.0, 1.0, 0.0, 0.0);
    for k in 0..8 {
        let u = (f64::from(k) * 0.1_f64).cos();
        integral += u * 0.1 / 0.4;
        y = 2.0 * (u + integral + 0.05 * (u - before) / 0.1);
        area += y * if k == 7 { 0.05 } else { 0.1 };
        before = u;
    }
    assert_near(run.value("c.y"), y, 1e-12, "output");
    assert_near(run.value("i.y"), area, 1e-6, "area");
}

#[test]
fn components_that_switch_back_and_forth_are_named() {
    let relay = || component("relay", "hysteresis").set("low", 0.0).set("high", 0.0);
    let at_once =
        [relay().set("u", "0.5 - relay.y")].into_iter().fold(ModelBuilder::new("Relay"), |m, c| m.component(c));
    let message = crate::support::error_message(&at_once.build().unwrap());
    assert!(message.contains("component `relay` switched back and forth without end at t = 0 s"), "{message}");
    let inverter = ModelBuilder::new("Inverter").component(component("n", "not").set("u", "n.y"));
    let message = crate::support::error_message(&inverter.build().unwrap());
    assert!(message.contains("component `n` switched back and forth"), "{message}");
    let law = [component("i", "integrator").set("u", "if i.y > 0.5 then -1 else 1")];
    let message = self::run(law, 1e-6).simulation.do_step(1.0).unwrap_err().to_string();
    assert!(message.contains("the condition `i.y > 0.5` switches back and forth"), "{message}");
    let mut run =
        run([relay().set("u", "i.y"), component("i", "integrator").set("u", "1 - 2*relay.y").set("y", -0.5)], 1e-6);
    let message = run.simulation.do_step(1.0).unwrap_err().to_string();
    assert!(message.contains("events follow each other at t = 0.5"), "{message}");
    assert!(message.contains("component `relay` switches back and forth; give it a hysteresis"), "{message}");
}

#[test]
fn inputs_that_are_no_numbers_are_named() {
    let kinds = ["limiter", "hysteresis", "latch", "pi", "speed", "gain", "sample-hold", "sampled-pid"];
    for kind in kinds {
        let input = match kind {
            "latch" => "set",
            "speed" => "velocity",
            _ => "u",
        };
        let part = component("part", kind).set(input, "if time < 0.5 then 0 else 0/(time - time)");
        let part = match kind {
            "limiter" => part.set("max", 1.0),
            "hysteresis" => part.set("low", -1.0).set("high", 1.0),
            "pi" => part.set("k", 1.0).set("T", 1.0).set("max", 1.0),
            "gain" => part.set("k", 1.0),
            "sample-hold" => part.set("period", 0.25),
            "sampled-pid" => part.set("period", 0.25).set("k", 1.0),
            _ => part,
        };
        let message = run([part], 1e-6).simulation.do_step(1.0).unwrap_err().to_string();
        let expected = format!("input `{input}` of component `part` is NaN at t = 0.5 s");
        assert!(message.contains(&expected), "{kind}: {message}");
    }
}

#[test]
fn what_diverges_is_named() {
    let runaway = component("runaway", "integrator").set("u", "1 + runaway.y^2");
    let calm = component("calm", "integrator").set("u", "cos(time)");
    let message = run([calm, runaway], 1e-6).simulation.do_step(3.0).unwrap_err().to_string();
    assert!(message.contains("t = 1.570") && message.contains("`runaway.x[1]` changes fastest"), "{message}");
}
