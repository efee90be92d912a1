//! Eigenvalues of a linear model in the complex plane while a parameter changes.

use mbs_present::plot::{Chart, Panel, Series};
use multibody_fmu::LinearModel;

/// Values that a range is divided into.
pub const VALUES: usize = 100;

/// Room left and right of the eigenvalues, as a fraction of their width.
const MARGIN: f64 = 0.04;

/// The plot of all eigenvalues, with those of the first and the last value of the parameter in other colours.
pub fn root_locus(title: &str, parameter: &str, found: &[(String, LinearModel)]) -> Chart {
    let last = found.len() - 1;
    let mut series = vec![dots(format!("{parameter} = {}", short(&found[0].0)), &found[..1])];
    if last > 1 {
        series.insert(0, dots("between".to_owned(), &found[1..last]));
    }
    if last > 0 {
        series.push(dots(format!("{parameter} = {}", short(&found[last].0)), &found[last..]));
    }
    Chart {
        title: title.to_owned(),
        x_label: "real part [1/s]".to_owned(),
        panels: vec![Panel { y_label: "imaginary part [rad/s]".to_owned(), series }],
        x_margin: MARGIN,
        ..Chart::default()
    }
}

/// A value with six significant digits, of numbers.
fn short(value: &str) -> String {
    let number = value.parse::<f64>().ok().and_then(|number| format!("{number:.5e}").parse::<f64>().ok());
    number.map_or_else(|| value.to_owned(), |number| format!("{number}"))
}

/// Eigenvalues as points that are not connected.
fn dots(name: String, found: &[(String, LinearModel)]) -> Series {
    let modes = found.iter().flat_map(|(_, model)| &model.modes);
    Series { name, points: modes.flat_map(|mode| [[mode.re, mode.im], [f64::NAN; 2]]).collect() }
}
