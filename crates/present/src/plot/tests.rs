#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

fn series(name: &str, f: impl Fn(f64) -> f64) -> Series {
    let points = (0..=200).map(|i| f64::from(i) * 0.05).map(|t| [t, f(t)]).collect();
    Series { name: name.to_owned(), points }
}

fn chart(panels: Vec<Panel>) -> Chart {
    Chart { title: "Pendulum".into(), x_label: "time [s]".into(), panels, events: vec![2.5], ..Chart::default() }
}

fn panel(series: Vec<Series>) -> Panel {
    Panel { y_label: "angle [rad]".into(), series }
}

fn svg(chart: &Chart) -> String {
    String::from_utf8(render(chart, Format::Svg).unwrap()).unwrap()
}

#[test]
fn svg_names_title_axes_and_series() {
    let text = svg(&chart(vec![panel(vec![series("arm.rev1.phi", f64::sin), series("a<b & c", f64::cos)])]));
    for expected in ["Pendulum", "time [s]", "angle [rad]", "arm.rev1.phi", "a&lt;b &amp; c"] {
        assert!(text.contains(expected), "{expected} is missing");
    }
}

#[test]
fn every_panel_is_drawn_with_its_own_curves() {
    let text = svg(&chart(vec![
        panel(vec![series("a", f64::sin)]),
        panel(vec![series("b", f64::cos), series("c", f64::tan)]),
    ]));
    assert_eq!(text.matches("<clipPath").count(), 2);
    assert_eq!(text.matches("<path").count(), 3);
}

#[test]
fn png_has_two_pixels_per_unit_and_shows_the_curve_in_its_colour() {
    let bytes = render(&chart(vec![panel(vec![series("a", f64::sin)])]), Format::Png).unwrap();
    let picture = tiny_skia::Pixmap::decode_png(&bytes).unwrap();
    assert_eq!(picture.width(), 1920);
    let blue = picture.pixels().iter().filter(|p| (p.red(), p.green(), p.blue()) == (0x00, 0x72, 0xb2)).count();
    assert!(blue > 1000, "only {blue} pixels of the first colour");
}

#[test]
fn png_shows_text_without_fonts_of_the_machine() {
    let mut with = chart(vec![panel(vec![series("a", f64::sin)])]);
    let dark = |c: &Chart| {
        let picture = tiny_skia::Pixmap::decode_png(&render(c, Format::Png).unwrap()).unwrap();
        picture.pixels().iter().filter(|p| p.red() < 0x40 && p.green() < 0x40 && p.blue() < 0x40).count()
    };
    let titled = dark(&with);
    with.title = " ".into();
    assert!(titled > dark(&with) + 200);
}

#[test]
fn png_text_begins_where_the_svg_says() {
    let chart = chart(vec![panel(vec![series("a", f64::sin)])]);
    let text = svg(&chart);
    let title = text.split_once("font-weight=\"bold\"").unwrap().1;
    let x: f64 = title.split_once(" x=\"").unwrap().1.split('"').next().unwrap().parse().unwrap();
    let picture = tiny_skia::Pixmap::decode_png(&render(&chart, Format::Png).unwrap()).unwrap();
    let width = picture.width() as usize;
    let dark = |k: &usize| picture.pixels()[*k].red() < 0x40;
    let first = (0..width * 80).filter(dark).map(|k| k % width).min().unwrap() as f64;
    assert!((0.0..8.0).contains(&(first - 2.0 * x)), "the title begins at {first} pixels, not at {}", 2.0 * x);
}

#[test]
fn constant_series_and_single_points_are_drawn() {
    let single = Series { name: "p".into(), points: vec![[1.0, 0.0]] };
    let text = svg(&chart(vec![panel(vec![series("c", |_| 9.81)]), panel(vec![single])]));
    assert!(text.contains("9.8") && text.contains("<circle"));
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn gaps_leave_no_trace_in_the_file() {
    let text = svg(&chart(vec![panel(vec![series("g", |t| if (3.0..4.0).contains(&t) { f64::NAN } else { t })])]));
    assert_eq!(text.matches("<path").count(), 2);
    assert!(!text.contains("NaN"));
}

#[test]
fn same_chart_gives_same_bytes() {
    let c = chart(vec![panel(vec![series("a", f64::sin), series("b", f64::cos)])]);
    assert_eq!(svg(&c), svg(&c));
}

#[test]
fn empty_things_are_refused_by_name() {
    let no_points = Series { name: "arm.w".into(), points: vec![] };
    let error = render(&chart(vec![panel(vec![no_points])]), Format::Svg).unwrap_err();
    assert!(error.to_string().contains("\"arm.w\" has no points"), "{error}");
    let all_nan = render(&chart(vec![panel(vec![series("n", |_| f64::NAN)])]), Format::Svg).unwrap_err();
    assert!(all_nan.to_string().contains("none of the 201 points"), "{all_nan}");
    assert_eq!(render(&chart(vec![]), Format::Svg), Err(PlotError::NoPanels));
    let empty = render(&chart(vec![panel(vec![])]), Format::Svg).unwrap_err();
    assert!(empty.to_string().contains("angle [rad]"), "{empty}");
}

#[test]
fn an_event_at_no_time_is_refused() {
    let mut c = chart(vec![panel(vec![series("a", f64::sin)])]);
    c.events = vec![1.0, f64::INFINITY];
    assert!(matches!(render(&c, Format::Svg), Err(PlotError::EventNotFinite { index: 1, .. })));
}

/// Coordinates of the points of the only path.
fn path(text: &str) -> Vec<[f64; 2]> {
    let data = text.split_once("<path d=\"M").unwrap().1.split_once('"').unwrap().0;
    let point = |pair: &str| pair.split_once(',').map(|(x, y)| [x, y].map(|n| n.parse().unwrap())).unwrap();
    data.split('L').map(point).collect()
}

#[test]
fn a_power_law_is_a_straight_line_on_logarithmic_axes() {
    let points = (0..5).map(|k| [10f64.powi(k), 3.0 * 10f64.powi(-2 * k)]).collect();
    let chart = Chart {
        x_scale: Scale::Logarithmic,
        y_scale: Scale::Logarithmic,
        events: Vec::new(),
        ..chart(vec![panel(vec![Series { name: "a".into(), points }])])
    };
    let text = svg(&chart);
    let points = path(&text);
    for pair in points.windows(3) {
        for k in [0, 1] {
            assert!((pair[2][k] - 2.0 * pair[1][k] + pair[0][k]).abs() < 0.03, "{points:?}");
        }
    }
    for tick in ["\n1\n", "\n10\n", "\n100\n", "10⁻⁶"] {
        assert!(text.contains(tick), "{tick}");
    }
}

#[test]
fn what_is_not_positive_is_left_out_of_logarithmic_axes() {
    let wave = |scale| Chart { y_scale: scale, ..chart(vec![panel(vec![series("a", f64::sin)])]) };
    assert_eq!(svg(&wave(Scale::Linear)).matches("<path").count(), 1);
    assert_eq!(svg(&wave(Scale::Logarithmic)).matches("<path").count(), 2, "two half waves in ten seconds");
    let below = Chart { y_scale: Scale::Logarithmic, ..chart(vec![panel(vec![series("a", |t| -1.0 - t)])]) };
    assert!(matches!(render(&below, Format::Svg), Err(PlotError::EmptySeries { .. })));
}

#[test]
fn limits_that_are_given_are_the_ends_of_the_axes() {
    let limited =
        |x_limits, y_limits| svg(&Chart { x_limits, y_limits, ..chart(vec![panel(vec![series("a", |t| t)])]) });
    let text = limited([Some(2.0), Some(4.0)], [Some(-8.0), None]);
    assert!(text.contains("\n2.0\n") && text.contains("\n4.0\n") && !text.contains("\n4.2\n"), "{text}");
    assert!(text.contains("\n\u{2212}8\n"), "{text}");
    // Beyond all values.
    assert!(limited([Some(20.0), None], [None; 2]).contains("\n20.0\n"));
}
