//! Models that start at an equilibrium: what the start depends on, its derivatives, and what is said about it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fmi2::{Instance, Instantiation, Log, LogFilter};
use multibody_fmu::{DECLARATION_FILE, Interface, MultibodyFmu, Role, Session};

use crate::support::started;

/// A slider that an input pulls against a spring which becomes stiffer.
const MODEL: &str = r#"
    name = "Pulled"
    outputs = ["rail.s", "rail.v"]
    experiment = { start = "equilibrium" }
    parameters = { k = 100, hardening = 1000 }
    inputs = { F = { start = 5, unit = "N" } }
    objects.slider.solid = { shape = "box", lengths = [0.1, 0.1, 0.1], mass = 1 }
    [joints.rail]
    type = "prismatic"
    from = "world"
    to = "slider"
    axis = "x"
    force = "F - k*s - hardening*s^3 - v"
"#;

fn interface(text: &str) -> Interface {
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new());
    Interface::new(model.unwrap_or_else(|errors| panic!("{errors}")).declaration).unwrap()
}

/// Names of what an output depends on at the start; all that is given from outside where the description says nothing.
fn initial_knowns(interface: &Interface, output: &str) -> Vec<String> {
    let k = interface.find(output).unwrap();
    let unknown = interface.description.structure.initial_unknowns.iter().find(|unknown| unknown.variable.0 == k);
    let name = |k: usize| interface.variables[k].name.clone();
    match &unknown.unwrap().dependencies {
        Some(listed) => listed.iter().map(|dependency| name(dependency.variable.0)).collect(),
        None => {
            let is_given = |k: &usize| matches!(interface.variables[*k].role, Role::Input | Role::Parameter);
            (0..interface.variables.len()).filter(is_given).map(name).collect()
        }
    }
}

#[test]
fn positions_depend_on_the_inputs_that_the_equilibrium_depends_on() {
    let known = |text: &str| initial_knowns(&interface(text), "rail.s");
    for name in ["F", "k", "hardening"] {
        assert!(known(MODEL).contains(&name.to_owned()), "{name}");
    }
    let elsewhere = MODEL.replace(r#"experiment = { start = "equilibrium" }"#, "");
    assert!(!known(&elsewhere).contains(&"F".to_owned()), "the input does not move the declared start");
}

#[test]
fn derivatives_during_initialization_lead_through_the_equilibrium() {
    let (interface, mut session) = started(MODEL, None);
    let find = |name: &str| interface.find(name).unwrap();
    let (s, v) = (find("rail.s"), find("rail.v"));
    let at = session.get(s).unwrap();
    let stiffness = 100.0 + 3000.0 * at * at;
    let mut slope = |known: &str| session.directional_derivative(&[s, v], &[find(known)], &[2.0]).unwrap();
    for (known, expected) in [("F", 1.0 / stiffness), ("k", -at / stiffness), ("hardening", -at.powi(3) / stiffness)] {
        let [of_position, of_velocity] = slope(known)[..] else { panic!("two slopes") };
        assert!((of_position / (2.0 * expected) - 1.0).abs() < 1e-6, "{known}: {of_position} {expected}");
        assert!(of_velocity.abs() < 1e-9, "{known}: {of_velocity}");
    }
    assert_eq!(session.get(s).unwrap().to_bits(), at.to_bits(), "the session stays where it is");
    // From then on the input acts on what moves.
    session.finish_initialization().unwrap();
    assert_eq!(session.directional_derivative(&[s], &[find("F")], &[1.0]).unwrap(), [0.0]);
}

#[test]
fn a_raised_flag_ends_the_search() {
    let mut session = Session::new(Arc::new(interface(MODEL)));
    session.stop_when(Arc::new(AtomicBool::new(true)));
    let error = session.initialize(0.0, None).unwrap_err().to_string();
    assert!(error.contains("the work was cancelled"), "{error}");
}

#[test]
fn what_is_said_about_the_start_is_said_again_when_it_changes() {
    let resources = Path::new(env!("CARGO_TARGET_TMPDIR")).join("equilibrium_starts");
    std::fs::create_dir_all(&resources).unwrap();
    let interface = interface(&MODEL.replace("inputs = { F = { start = 5", "inputs = { F = { start = 0"));
    std::fs::write(resources.join(DECLARATION_FILE), interface.declaration_json()).unwrap();
    let setup = Instantiation {
        instance_name: "pulled".to_owned(),
        guid: interface.guid().to_owned(),
        resources: vec![resources],
        ..Instantiation::default()
    };
    let references = interface.description.value_references();
    let reference = |name: &str| references[interface.find(name).unwrap()];
    // Without springs the slider rests anywhere.
    for (stiffness, remarks) in [(50.0, 0), (0.0, 1)] {
        let log = Log::new(LogFilter::default());
        let mut instance = Instance::<MultibodyFmu>::new(&setup, log).unwrap_or_else(|_| panic!("refused"));
        instance.setup_experiment(None, 0.0, None).unwrap();
        instance.enter_initialization().unwrap();
        assert_eq!(instance.take_log(), []);
        instance.set_real(&[reference("k"), reference("hardening")], &[stiffness, stiffness]).unwrap();
        instance.get_real(&[reference("rail.s")], &mut [0.0]).unwrap();
        instance.exit_initialization().unwrap();
        let said = instance.take_log();
        assert_eq!(said.len(), remarks, "{said:?}");
        assert!(said.iter().all(|record| record.text.contains("equilibrium for any value of `rail.s`")), "{said:?}");
    }
}

/// A body with an eccentric load sinks askew into elastic ground; rigid ones lie flat where that is found for them.
#[test]
fn what_is_loaded_at_one_side_lies_flat_on_contact_hinges() {
    for modulus in ["1e9", "1e7"] {
        let text = format!(
            "name = \"Loaded\"\ngravity = [0, 0, -9.81]\noutputs = [\"contact.floor_a.f_n\", \"contact.floor_a.carriers\", \"a.r_abs[3]\"]\n\
             contact = {{ law = \"rigid\", resting = \"hinges\" }}\nexperiment = {{ start = \"equilibrium\" }}\n\
             materials = {{ M = {{ density = 1000, youngs_modulus = {modulus}, poissons_ratio = 0.3 }} }}\n\
             material_pairs = [{{ materials = [\"M\", \"M\"], cor = 0.3, mu_k = 0.5 }}]\n\
             [objects.floor]\nfixed = true\nr = [0, 0, -0.05]\n\
             solid = {{ shape = \"box\", lengths = [2, 2, 0.1], material = \"M\", collides = true }}\n\
             [objects.a]\nfree = true\nr = [0, 0, 0.03]\n\
             solid = {{ shape = \"box\", lengths = [0.1, 0.06, 0.06], mass = 0.36, material = \"M\", collides = true }}\n\
             [objects.load]\nparent = \"a\"\nr = [0.02, 0.005, 0.04]\n\
             solid = {{ shape = \"box\", lengths = [0.02, 0.02, 0.02], mass = 0.3 }}\n"
        );
        let interface = interface(&text);
        let mut session = Session::new(Arc::new(interface));
        session.initialize(0.0, Some(1e-7)).and_then(|()| session.finish_initialization()).unwrap();
        for t in [0.0, 1e-3, 0.1] {
            if t > 0.0 {
                session.do_step(t).unwrap();
            }
            let mut get = |name: &str| session.get(session.interface().find(name).unwrap()).unwrap();
            let [force, carriers, height] =
                ["contact.floor_a.f_n", "contact.floor_a.carriers", "a.r_abs[3]"].map(&mut get);
            assert!((force - 0.66 * 9.81).abs() < 1e-9, "{modulus} Pa, {t} s: {force} N");
            assert!(carriers == 3.0 && (height - 0.03).abs() < 1e-12, "{modulus} Pa, {t} s: {carriers} at {height} m");
        }
    }
}
