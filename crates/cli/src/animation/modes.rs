//! Mode shapes of a linear model as an animation: one period after the other.

use std::f64::consts::TAU;

use mbs::simulation::{LinearState, LinearStateKind, Perturbation, Simulation, SimulationError, typical_length};
use mbs_present::view::{Animation, Chapter};
use multibody_fmu::{LinearModel, Mode};

use super::Recording;
use crate::error::{Error, Result};
use crate::native::Native;

/// Frames of a period.
const NUM_FRAMES: usize = 48;
/// Playing time of a period \[s\].
const PERIOD: f64 = 1.6;
/// Modes that are shown, slow ones first.
const MOST: usize = 100;
/// Largest displacement of a body, in sizes of the model, and largest angle \[rad\].
const MAX_DISPLACEMENT: f64 = 0.08;
const MAX_ANGLE: f64 = 0.3;
/// Displacement by which sizes are measured.
const SMALL: f64 = 1e-4;

/// Adds `scale` times the positions of a mode at a phase to nothing.
fn displacement(mode: &Mode, states: &[LinearState], phase: f64, nothing: &Perturbation) -> Perturbation {
    let (cos, sin) = (elementary::cos(phase), elementary::sin(phase));
    let mut direction = nothing.clone();
    let positions = mode.shape.iter().zip(states).filter(|(_, s)| matches!(s.kind, LinearStateKind::Position(_)));
    for ([re, im], state) in positions {
        let amplitude = re * cos - im * sin;
        direction.y.iter_mut().zip(&state.direction.y).for_each(|(y, dy)| *y += amplitude * dy);
    }
    direction
}

/// Frames of all modes in which bodies move, each a chapter of its own.
///
/// # Errors
/// Models with nothing to show, or without such a mode.
pub fn mode_shapes(native: &mut Native, model: &LinearModel) -> Result<Animation> {
    let failed = |error: SimulationError| Error::failed(error.to_string());
    let Some(simulation) = native.session.simulation() else {
        return Err(Error::failed("the model was not initialised"));
    };
    let states = simulation.linear_states().map_err(failed)?.states;
    let nothing = simulation.no_direction();
    let size = size(simulation)?;
    let mut recording = Recording::default();
    let mut chapters = Vec::new();
    for mode in model.modes.iter().filter(|mode| mode.im >= 0.0) {
        let Some(simulation) = native.session.simulation() else { break };
        let scale = scale(simulation, mode, &states, &nothing, size)?;
        let Some(scale) = scale.filter(|_| chapters.len() < MOST) else { continue };
        let begin = chapters.len() as f64 * 2.0 * PERIOD;
        for frame in 0..=NUM_FRAMES {
            let fraction = frame as f64 / NUM_FRAMES as f64;
            let direction = displacement(mode, &states, TAU * fraction, &nothing);
            let Some(simulation) = native.session.simulation() else { break };
            let unperturbed = simulation.perturb(&direction, scale).map_err(failed)?;
            let recorded = recording.record(&mut native.session, begin + PERIOD * fraction);
            if let Some(simulation) = native.session.simulation() {
                simulation.restore_point(unperturbed);
            }
            recorded?;
        }
        chapters.push(Chapter { name: title(mode), start: begin, end: begin + PERIOD });
    }
    if chapters.is_empty() {
        return Err(Error::failed("no mode moves a body, so that there are no mode shapes to show"));
    }
    let title = format!("{}: mode shapes", native.model().name());
    Ok(Animation { chapters, ..recording.animation(&title) })
}

/// Frequency and damping of a mode.
fn title(mode: &Mode) -> String {
    match (mode.magnitude() < 1e-5, mode.im > 0.0) {
        (true, _) => "0 Hz".to_owned(),
        (_, true) => {
            // Without the sign of what rounds to zero.
            let damping = (1e4 * mode.damping_ratio()).round() / 1e4 + 0.0;
            format!("{:.4} Hz, damping ratio {damping:.4}", mode.frequency())
        }
        _ if mode.re < 0.0 => format!("decays in {:.3e} s", -1.0 / mode.re),
        _ => format!("grows in {:.3e} s", 1.0 / mode.re),
    }
}

/// Size of the model \[m\]: the largest distance of two objects, or its typical length.
fn size(simulation: &mut Simulation) -> Result<f64> {
    let ids: Vec<_> = simulation.scene().objects.iter().map(|(id, _)| id).collect();
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for id in ids {
        let pose = simulation.object_pose(id).map_err(|error| Error::failed(error.to_string()))?;
        for k in 0..3 {
            low[k] = low[k].min(pose.translation[k]);
            high[k] = high[k].max(pose.translation[k]);
        }
    }
    let diagonal = (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt();
    Ok(diagonal.max(typical_length(simulation.topology())))
}

/// The factor that makes a mode clearly visible; none if nothing moves.
fn scale(
    simulation: &mut Simulation,
    mode: &Mode,
    states: &[LinearState],
    nothing: &Perturbation,
    size: f64,
) -> Result<Option<f64>> {
    let failed = |error: SimulationError| Error::failed(error.to_string());
    let ids: Vec<_> = simulation.scene().objects.iter().map(|(id, _)| id).collect();
    let (mut distance, mut angle) = (0.0_f64, 0.0_f64);
    for phase in [0.0, TAU / 4.0] {
        let direction = displacement(mode, states, phase, nothing);
        let largest = simulation.size_of(&direction);
        if largest == 0.0 {
            continue;
        }
        let step = SMALL / largest;
        let poses = |simulation: &mut Simulation| ids.iter().map(|id| simulation.object_pose(*id)).collect();
        let before: std::result::Result<Vec<_>, _> = poses(simulation);
        let unperturbed = simulation.perturb(&direction, step).map_err(failed)?;
        let after: std::result::Result<Vec<_>, _> = poses(simulation);
        simulation.restore_point(unperturbed);
        for (a, b) in before.map_err(failed)?.iter().zip(&after.map_err(failed)?) {
            distance = distance.max((a.translation - b.translation).norm() / step);
            // Of a small rotation, the difference of the matrices has sqrt(2) times the angle.
            angle = angle.max((a.rotation - b.rotation).norm() / std::f64::consts::SQRT_2 / step);
        }
    }
    let limits = [(MAX_DISPLACEMENT * size, distance), (MAX_ANGLE, angle)];
    let scales = limits.into_iter().filter(|(_, rate)| *rate > 0.0).map(|(limit, rate)| limit / rate);
    Ok(scales.reduce(f64::min).filter(|scale| scale.is_finite()))
}
