//! States saved while bodies touch: at every step one is restored in another instance, which shows and does the same.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{Interface, SavedSession, Session};

use crate::support;

fn interface(text: &str) -> Arc<Interface> {
    let text = format!(
        "name = \"Touching\"\n\
         gravity = [0, 0, -9.81]\n\
         contact = {{ law = \"rigid\", resting = \"hinges\" }}\n\
         materials = {{ M = {{ density = 1000, youngs_modulus = 1e7, poissons_ratio = 0.3 }} }}\n\
         material_pairs = [{{ materials = [\"M\", \"M\"], cor = 0.3, mu_k = 0.3 }}]\n\
         [objects.floor]\n\
         fixed = true\n\
         r = [0, 0, -0.05]\n\
         solid = {{ shape = \"box\", lengths = [2, 2, 0.1], material = \"M\", collides = true }}\n\
         {text}"
    );
    let model = mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}")))
}

fn model(name: &str) -> Arc<Interface> {
    support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(name))
}

fn bits(session: &mut Session) -> Vec<u64> {
    (0..session.interface().variables.len()).map(|k| session.get(k).unwrap().to_bits()).collect()
}

/// Names and values of what differs between two instances.
fn differences(a: &mut Session, b: &mut Session) -> Vec<(String, f64, f64)> {
    let interface = a.interface().clone();
    let all = interface.variables.iter().enumerate();
    let mut found: Vec<_> = all.map(|(k, own)| (own.name.clone(), a.get(k).unwrap(), b.get(k).unwrap())).collect();
    found.retain(|(_, a, b)| a.to_bits() != b.to_bits());
    found.truncate(4);
    found
}

/// From `first` on, `steps` steps of `step` \[s\]: a state saved before each of them is restored in another instance,
/// which shows the same values and takes the same step.
#[track_caller]
fn every_state_continues(interface: &Arc<Interface>, tolerance: f64, first: f64, step: f64, steps: usize) {
    let name = &interface.declaration.name;
    let started = |interface: &Arc<Interface>| {
        let mut session = Session::new(interface.clone());
        session.initialize(0.0, Some(tolerance)).unwrap();
        session.finish_initialization().unwrap();
        session
    };
    let (mut run, mut t) = (started(interface), first);
    if first > 0.0 {
        run.do_step(first).unwrap();
    }
    for _ in 0..steps {
        let saved: SavedSession = {
            let bytes = postcard::to_allocvec(&run.save().unwrap()).unwrap();
            postcard::from_bytes(&bytes).unwrap()
        };
        let mut other = Session::new(interface.clone());
        other.restore(&saved).unwrap_or_else(|e| panic!("{name} at {t} s: {e}"));
        let unlike = differences(&mut run, &mut other);
        assert!(unlike.is_empty(), "{name} at {t} s, as restored: {unlike:?}");
        t += step;
        run.do_step(t).unwrap();
        other.do_step(t).unwrap();
        let unlike = differences(&mut run, &mut other);
        assert!(unlike.is_empty(), "{name} at {t} s, a step after: {unlike:?}");
    }
    assert!(bits(&mut run) != bits(&mut started(interface)), "{name} does nothing");
}

/// A box side by side with another one, without a load between them.
#[test]
fn hinges_that_carry_nothing() {
    let text = "[objects.a]\n\
                free = { w = [0, 0, 0] }\n\
                r = [0, 0, 0.03]\n\
                solid = { shape = \"box\", lengths = [0.1, 0.08, 0.06], material = \"M\", collides = true }\n\
                [objects.b]\n\
                free = true\n\
                r = [0.1, 0, 0.03]\n\
                solid = { shape = \"box\", lengths = [0.1, 0.08, 0.06], material = \"M\", collides = true }\n\
                [forces.push]\n\
                type = \"world\"\n\
                at = \"b\"\n\
                force = [\"30*time\", 0, 0]\n";
    every_state_continues(&interface(text), 1e-6, 0.0, 0.005, 60);
}

/// A ball that a force lifts from the ground.
#[test]
fn a_load_that_vanishes() {
    let text = "[objects.a]\n\
                free = true\n\
                r = [0, 0, 0.03]\n\
                solid = { shape = \"sphere\", diameter = 0.06, material = \"M\", collides = true }\n\
                [forces.lift]\n\
                type = \"world\"\n\
                at = \"a\"\n\
                force = [0, 0, \"4*time\"]\n";
    every_state_continues(&interface(text), 1e-6, 0.26, 1e-4, 300);
}

/// What rests beside a controller, whose equations are solved together with those of the hinge.
#[test]
fn hinges_beside_a_controller() {
    let text = "[objects.a]\n\
                free = true\n\
                r = [0, 0, 0.03]\n\
                solid = { shape = \"box\", lengths = [0.06, 0.06, 0.06], material = \"M\", collides = true }\n\
                [forces.push]\n\
                type = \"world\"\n\
                at = \"a\"\n\
                force = [\"0.3+0.2*sin(20*time)\", 0, 0]\n\
                [objects.slide]\n\
                solid = { shape = \"box\", lengths = [0.01, 0.02, 0.02], material = \"M\" }\n\
                [joints.j]\n\
                type = \"prismatic\"\n\
                from = \"world\"\n\
                to = \"slide\"\n\
                axis = \"x\"\n\
                force = \"c.y\"\n\
                [components.c]\n\
                type = \"p-pi\"\n\
                reference = \"0.01*time\"\n\
                phi = \"j.s\"\n\
                w = \"j.v\"\n\
                k1 = 50\n\
                k2 = 10\n\
                T2 = 1\n";
    every_state_continues(&interface(text), 1e-6, 0.0, 0.004, 100);
}

/// A ball with an eccentric load that spins and slides: the direction of friction turns without an event.
#[test]
fn a_direction_of_sliding_that_turns() {
    let text = "[objects.a]\n\
                r = [0, 0, 0.02]\n\
                rotation = [0.1, 0, 0]\n\
                free = { w = [0, 0, 150] }\n\
                solid = { shape = \"sphere\", diameter = 0.04, material = \"M\", massless = true, collides = true }\n\
                [objects.load]\n\
                parent = \"a\"\n\
                r = [0, 0, -0.006]\n\
                mass = { m = 0.02, inertia = [2.994e-6, 2.994e-6, 3.2e-6] }\n";
    every_state_continues(&interface(text), 1e-6, 0.0, 0.002, 400);
}

#[test]
fn a_block_that_falls_over_an_edge() {
    every_state_continues(&model("BlockOverEdgeRigid"), 1e-6, 0.3, 1e-3, 100);
}

#[test]
fn a_ladder_that_loses_the_wall() {
    every_state_continues(&model("SlidingLadder"), 1e-6, 0.5, 2e-3, 100);
}

#[test]
fn wheels_on_a_height_field() {
    every_state_continues(&model("CarOnTerrain"), 1e-4, 0.4, 5e-3, 60);
}

/// Two cylinders on one chassis, which turn and keep their distance.
#[test]
fn wheels_that_turn_alike() {
    let wheel = |name: &str| {
        format!(
            "[objects.{name}]\n\
             solid = {{ shape = \"cylinder\", axis = \"y\", diameter = 0.2, length = 0.4, material = \"M\", collides = true, \
             ignores = [\"chassis\"] }}\n\
             [joints.j_{name}]\n\
             type = \"revolute\"\n\
             from = \"at_{name}\"\n\
             to = \"{name}\"\n\
             axis = \"y\"\n"
        )
    };
    let text = format!(
        "[objects.chassis]\n\
         free = true\n\
         r = [0, 0, 0.15]\n\
         solid = {{ shape = \"box\", lengths = [0.6, 0.3, 0.05], material = \"M\", collides = true }}\n\
         [objects.at_front]\n\
         parent = \"chassis\"\n\
         r = [0.2, 0, -0.05]\n\
         [objects.at_rear]\n\
         parent = \"chassis\"\n\
         r = [-0.2, 0, -0.05]\n\
         [forces.push]\n\
         type = \"world\"\n\
         at = \"chassis\"\n\
         force = [-130, 0, 0]\n\
         {}{}",
        wheel("front"),
        wheel("rear")
    );
    for k in 1..=10 {
        every_state_continues(&interface(&text), 1e-7, 0.02 * f64::from(k), 0.2, 2);
    }
}

/// The state at the start, to which a run returns whose first step had derivatives of an input that is filtered.
#[test]
fn a_start_before_inputs_with_derivatives() {
    let text = "[inputs]\n\
                x = { unit = \"m\", start = 0 }\n\
                [objects.table]\n\
                solid = { shape = \"box\", lengths = [1, 1, 0.1], r = [0, 0, 0.05], material = \"M\", collides = true, \
                ignores = [\"floor\"] }\n\
                [joints.rail]\n\
                type = \"prismatic\"\n\
                from = \"world\"\n\
                to = \"table\"\n\
                axis = \"x\"\n\
                motion = { input = \"x\", filter = 0.02 }\n\
                [objects.box]\n\
                free = true\n\
                r = [0, 0, 0.15]\n\
                solid = { shape = \"box\", lengths = [0.2, 0.2, 0.1], material = \"M\", collides = true }\n";
    let mut session = Session::new(interface(text));
    session.initialize(0.0, Some(1e-7)).unwrap();
    session.finish_initialization().unwrap();
    let x = session.interface().find("x").unwrap();
    let start = session.save().unwrap();
    let run = |session: &mut Session| -> Vec<Vec<u64>> {
        session.set(x, 0.0).unwrap();
        session.set_input_derivative(x, 1, 0.3).unwrap();
        let step = |k: u32| {
            session.do_step(0.02 * f64::from(k)).unwrap();
            bits(session)
        };
        (1..=3).map(step).collect()
    };
    let first = run(&mut session);
    session.restore(&start).unwrap();
    assert_eq!(run(&mut session), first);
    let mut other = Session::new(session.interface().clone());
    other.restore(&start).unwrap();
    assert_eq!(run(&mut other), first);
}
