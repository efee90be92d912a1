//! Linear models of closed loops that an input moves.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{EquilibriumConditions, Interface, LinearModel, Session};

const OUTPUTS: [&str; 3] = ["crank.phi", "rocker.phi", "left.f"];

/// A four-bar linkage whose left pivot sits on a sledge that the input `ref` moves; gravity and a damper.
fn model(motion: &str) -> String {
    format!(
        r#"
        name = "Pushed"
        gravity = [0, -9.81, 0]
        experiment = {{ tolerance = 1e-11 }}
        inputs = {{ ref = {{ unit = "m", start = 0.1 }} }}
        [objects]
        sledge = {{ mass = 1 }}
        crank_bar = {{ mass = {{ m = 2, center = [0.1, -0.3, 0], inertia = [0.1, 0.1, 0.1] }} }}
        coupler_bar = {{ mass = {{ m = 1, center = [0.4, 0, 0], inertia = [0.05, 0.05, 0.05] }} }}
        rocker_bar = {{ mass = {{ m = 1.5, center = [0, -0.2, 0], inertia = [0.08, 0.08, 0.08] }} }}
        a = {{ parent = "crank_bar", r = [0, -0.6, 0] }}
        b = {{ parent = "coupler_bar", r = [0.8, 0, 0] }}
        c = {{ parent = "rocker_bar", r = [0, -0.7, 0] }}
        ground = {{ fixed = true, r = [0.9, 0.1, 0] }}
        [joints]
        left = {{ type = "prismatic", from = "world", to = "sledge", axis = "x", motion = {motion} }}
        crank = {{ type = "revolute", from = "sledge", to = "crank_bar", axis = "z", phi = 0, damping = 0.4 }}
        elbow = {{ type = "revolute", from = "a", to = "coupler_bar", axis = "z" }}
        rocker = {{ type = "revolute", from = "ground", to = "rocker_bar", axis = "z" }}
        last = {{ type = "revolute", from = "b", to = "c", axis = "z" }}
        "#
    )
}

fn session(motion: &str, at: f64) -> Session {
    session_at(motion, at, "phi = 0")
}

fn session_at(motion: &str, at: f64, crank: &str) -> Session {
    let text = model(motion).replace("start = 0.1", &format!("start = {at}")).replace("phi = 0", crank);
    let model = mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
    session.initialize(0.0, None).and_then(|()| session.finish_initialization()).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn rest(session: &mut Session) {
    session.equilibrium(&EquilibriumConditions::default()).unwrap_or_else(|e| panic!("{e}"));
}

fn linear(session: &mut Session) -> LinearModel {
    let outputs = OUTPUTS.map(|name| session.interface().find(name).unwrap());
    let inputs = [session.interface().find("ref").unwrap()];
    session.linearize(&inputs, &outputs).unwrap_or_else(|e| panic!("{e}"))
}

fn get(session: &mut Session, name: &str) -> f64 {
    let k = session.interface().find(name).unwrap_or_else(|| panic!("{name}"));
    session.get(k).unwrap_or_else(|e| panic!("{e}"))
}

fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} instead of {b}");
}

/// `A x = -B` and `C x + D`: where the outputs go when the input changes for good.
fn static_gains(model: &LinearModel) -> Vec<f64> {
    let n = model.a.len();
    let a = nalgebra::DMatrix::from_fn(n, n, |i, j| model.a[i][j]);
    let b = nalgebra::DVector::from_fn(n, |i, _| -model.b[i][0]);
    let x = a.lu().solve(&b).unwrap_or_else(|| panic!("the system matrix is singular"));
    let outputs = model.c.iter().zip(&model.d);
    outputs.map(|(c, d)| d[0] + c.iter().zip(&x).map(|(c, x)| c * x).sum::<f64>()).collect()
}

/// Equilibria at inputs beside each other, and the gain of the linear model.
#[test]
fn an_input_shifts_the_equilibrium_as_the_linear_model_says() {
    for motion in ["\"ref\"", "{ input = \"2*ref - 0.1\", filter = 0.05 }"] {
        let mut here = session(motion, 0.1);
        rest(&mut here);
        let gains = static_gains(&linear(&mut here));
        let h = 1e-4;
        let [ahead, behind] = [h, -h].map(|h| {
            let mut session = session(motion, 0.1 + h);
            rest(&mut session);
            OUTPUTS.map(|name| get(&mut session, name))
        });
        for (k, name) in OUTPUTS.into_iter().enumerate() {
            let slope = (ahead[k] - behind[k]) / (2.0 * h);
            near(gains[k], slope, 1e-5 * slope.abs().max(1.0), &format!("{name} with the motion {motion}"));
        }
        assert!(gains[0].abs() > 0.1, "the linkage follows: {gains:?}");
    }
}

/// The answer to a small jump of a filtered input, by the linear model and by the linkage itself.
#[test]
fn a_linkage_answers_a_filtered_jump_as_the_linear_model_says() {
    let (jump, end, steps) = (1e-4, 0.4, 4000);
    let answer = |jump: f64| {
        let mut session = session("{ input = \"ref\", filter = 0.05 }", 0.1);
        rest(&mut session);
        let model = linear(&mut session);
        let reference = session.interface().find("ref").unwrap();
        session.set(reference, 0.1 + jump).unwrap();
        session.do_step(end).unwrap();
        (model, OUTPUTS.map(|name| get(&mut session, name)))
    };
    let ((model, ahead), (_, behind)) = (answer(jump), answer(-jump));
    let by_linkage: Vec<f64> = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * jump)).collect();
    let n = model.a.len();
    assert_eq!(n, 5, "angle, its rate and the filter: {:?}", model.states);
    let rate = |x: &[f64]| -> Vec<f64> {
        (0..n).map(|i| model.b[i][0] + (0..n).map(|j| model.a[i][j] * x[j]).sum::<f64>()).collect()
    };
    let ahead_by = |x: &[f64], k: &[f64], h: f64| -> Vec<f64> { x.iter().zip(k).map(|(x, k)| x + h * k).collect() };
    let (mut x, h) = (vec![0.0; n], end / f64::from(steps));
    for _ in 0..steps {
        let k1 = rate(&x);
        let k2 = rate(&ahead_by(&x, &k1, h / 2.0));
        let k3 = rate(&ahead_by(&x, &k2, h / 2.0));
        let k4 = rate(&ahead_by(&x, &k3, h));
        for (i, x) in x.iter_mut().enumerate() {
            *x += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    for (k, by_linkage) in by_linkage.iter().enumerate() {
        let by_model = model.d[k][0] + (0..n).map(|j| model.c[k][j] * x[j]).sum::<f64>();
        near(by_model, *by_linkage, 2e-5 * by_linkage.abs().max(1.0), &model.outputs[k].name);
    }
}

/// A linkage in motion: rates at starts beside the present one, with all prescribed motions and velocities.
#[test]
fn a_moving_linkage_departs_as_the_linear_model_says() {
    let rates = |reference: f64, model: bool| {
        let text = "\"ref + 0.2*time\"";
        let mut session = session_at(text, reference, "phi = 0.2, w = 1.5");
        let found = linear(&mut session);
        assert!(!model || found.b[1][0].abs() > 0.1, "{:?}", found.b);
        (found.rates, found.b[1][0])
    };
    let h = 1e-4;
    let (_, slope) = rates(0.1, true);
    let (ahead, behind) = (rates(0.1 + h, false).0, rates(0.1 - h, false).0);
    near(slope, (ahead[1] - behind[1]) / (2.0 * h), 1e-6 * slope.abs().max(1.0), "acceleration by the input");
}
