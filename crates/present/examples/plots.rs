//! Writes sample plots into the folder given as first argument, to be looked at.

#![allow(clippy::disallowed_methods, reason = "what it shows need not have the same bits everywhere")]

use mbs_present::plot::{Chart, Format, Panel, Series, render};
use std::error::Error;
use std::path::Path;

fn series(name: &str, f: impl Fn(f64) -> f64) -> Series {
    let points = (0..=1000).map(|i| f64::from(i) * 0.01).map(|t| [t, f(t)]).collect();
    Series { name: name.to_owned(), points }
}

fn one_panel() -> Chart {
    let series = vec![
        series("pendulum.rev1.phi", |t| 1.2 * (3.1 * t).cos() * (-0.1 * t).exp()),
        series("pendulum.rev2.phi", |t| 0.7 * (5.3 * t).sin()),
    ];
    Chart {
        title: "Double pendulum".into(),
        x_label: "time [s]".into(),
        panels: vec![Panel { y_label: "angle [rad]".into(), series }],
        events: vec![],
        ..Chart::default()
    }
}

fn stacked() -> Chart {
    let gap = |t: f64| {
        if (4.0..5.5).contains(&t) { f64::NAN } else { 3e5 * (2.0 * t).sin().abs() }
    };
    let bounce = |t: f64| ((t % 1.5) - 0.75).powi(2) * 2e-6;
    Chart {
        title: "Bouncing ball with a gap, a constant and tiny values".into(),
        x_label: "time [s]".into(),
        panels: vec![
            Panel { y_label: "force [N]".into(), series: vec![series("contact.ball_table.f_n", gap)] },
            Panel { y_label: "length [m]".into(), series: vec![series("ball.delta", bounce)] },
            Panel { y_label: "acceleration [m/s²]".into(), series: vec![series("gravity", |_| -9.81)] },
        ],
        events: vec![1.5, 3.0, 4.5, 6.0, 7.5, 9.0],
        ..Chart::default()
    }
}

fn many() -> Chart {
    let series = (0..24)
        .map(|i| {
            series(&format!("ball{i}.r_abs[{}]", i % 3 + 1), move |t| f64::from(i) + (t + f64::from(i) * 0.3).sin())
        })
        .collect();
    Chart {
        title: "Many series".into(),
        x_label: "time [s]".into(),
        panels: vec![Panel { y_label: "position [m]".into(), series }],
        events: vec![],
        ..Chart::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: plots FOLDER")?;
    for (name, chart) in [("one", one_panel()), ("stacked", stacked()), ("many", many())] {
        std::fs::write(Path::new(&folder).join(format!("{name}.svg")), render(&chart, Format::Svg)?)?;
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), render(&chart, Format::Png)?)?;
    }
    Ok(())
}
