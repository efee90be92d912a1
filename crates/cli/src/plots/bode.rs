//! Bode plots of linear models.

use mbs_present::plot::{Chart, Panel, Scale, Series};
use multibody_fmu::{LinearModel, Response};

use crate::error::{Error, Result};
use crate::files::output;

/// Points of a curve.
const POINTS: usize = 600;

/// Gain and phase of all outputs by all inputs over the frequency.
///
/// # Errors
/// Models without inputs or outputs.
pub fn bode(name: &str, model: &LinearModel) -> Result<Chart> {
    if model.inputs.is_empty() || model.outputs.is_empty() {
        return Err(Error::hinted(
            format!(
                "a Bode plot needs inputs and outputs, but `{name}` has {} and {}",
                model.inputs.len(),
                model.outputs.len()
            ),
            Some("declare `inputs` and `outputs` in the model file".to_owned()),
        ));
    }
    let mut gains = panel("gain [dB]", model);
    let mut phases = panel("phase [deg]", model);
    for frequency in model.frequencies(POINTS) {
        let Some(responses) = model.frequency_response(frequency) else { continue };
        for (curve, response) in responses.iter().flatten().enumerate() {
            add(&mut gains.series[curve].points, frequency, response.decibels);
            add_phase(&mut phases.series[curve].points, frequency, response);
        }
    }
    for panel in [&mut gains, &mut phases] {
        let is_gain = panel.y_label.starts_with("gain");
        panel.series.retain(|series| {
            // The gain of an output that an input does not move has no logarithm.
            let shows = !series.points.is_empty();
            if !shows && is_gain {
                output::note(&format!("note: `{}` is left out, as its gain is zero", series.name));
            }
            shows
        });
    }
    if gains.series.is_empty() {
        let hint = Some("choose others with --outputs and --inputs".to_owned());
        return Err(Error::hinted("no output depends on an input here: all gains are zero", hint));
    }
    Ok(Chart {
        title: format!("{name}: frequency response"),
        x_label: "frequency [Hz]".to_owned(),
        x_scale: Scale::Logarithmic,
        panels: vec![gains, phases],
        ..Chart::default()
    })
}

/// A panel with an empty curve for every output by every input.
fn panel(label: &str, model: &LinearModel) -> Panel {
    let pairs = model.outputs.iter().flat_map(|output| model.inputs.iter().map(move |input| (output, input)));
    let series =
        pairs.map(|(output, input)| Series { name: format!("{} by {}", output.name, input.name), points: Vec::new() });
    Panel { y_label: label.to_owned(), series: series.collect() }
}

fn add(points: &mut Vec<[f64; 2]>, x: f64, y: f64) {
    if y.is_finite() {
        points.push([x, y]);
    }
}

/// Unwraps the phases.
fn add_phase(points: &mut Vec<[f64; 2]>, x: f64, response: &Response) {
    if response.decibels.is_finite() {
        let before = points.last().map_or(response.degrees, |point| point[1]);
        let turns = ((before - response.degrees) / 360.0).round();
        points.push([x, response.degrees + 360.0 * turns]);
    }
}
