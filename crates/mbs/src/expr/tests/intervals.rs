use super::random::Random;
use super::*;

/// Interval of a program while the first three slots grow by `width`, and its largest distance from values in between.
fn range_and_excess(run: &Run, text: &str, low: [f64; 3], width: f64) -> Option<(Interval, f64)> {
    let program = run.program(text);
    let slots = |part: f64| [low[0] + part * width, low[1] + part * width, low[2] + part * width, 1.0, 2.0];
    let mut truth = vec![false; program.relations().len()];
    program.evaluate_relations(&slots(0.5), &run.tables, &mut truth);
    let relations = Relations::Frozen(&truth);
    let load = |slot: usize| Interval { low: slots(0.0)[slot], high: slots(1.0)[slot] };
    let range = program.range(load, &run.tables, relations)?;
    let excess = (0..=100).map(|k| {
        let value = program.value(&slots(f64::from(k) / 100.0), &run.tables, relations);
        (value - range.high).max(range.low - value) / (1.0 + value.abs())
    });
    Some((range, excess.fold(f64::NEG_INFINITY, f64::max)))
}

#[test]
fn ranges_contain_all_values_of_random_expressions_and_shrink_to_them() {
    let run = Run::new();
    let mut bounded = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let text = random.expression(1 + (seed % 3) as u32);
        let low = [0; 3].map(|_| random.between(0.3, 1.5));
        for width in [2.0, 0.3, 1e-6] {
            let Some((range, excess)) = range_and_excess(&run, &text, low, width) else { continue };
            bounded += 1;
            assert!(excess < 1e-12, "seed {seed}, width {width}: {text} leaves {range:?} by {excess}");
            let is_narrow = range.high - range.low < 0.1 * (1.0 + range.low.abs());
            assert!(width > 1e-3 || is_narrow, "seed {seed}: {text} has the range {range:?}");
        }
    }
    assert!(bounded > 800, "{bounded}");
}

#[test]
fn ranges_of_functions_are_exact() {
    let run = Run::new();
    let low = [-1.0; 3];
    for (text, width, expected) in [
        ("time^2", 3.0, [0.0, 4.0]),
        ("time^3", 3.0, [-1.0, 8.0]),
        ("abs(time)", 3.0, [0.0, 2.0]),
        ("sin(time)", 3.0, [(-1.0_f64).sin(), 1.0]),
        ("cos(4*time)", 3.0, [-1.0, 1.0]),
        ("cosh(time)", 1.5, [1.0, 1.0_f64.cosh()]),
        ("exp(-(time/0.5)^2)", 3.0, [(-16.0_f64).exp(), 1.0]),
        ("clamp(time, -0.5, 1)", 3.0, [-0.5, 1.0]),
        ("smoothstep(time, 1, 0)", 3.0, [0.0, 1.0]),
        ("hypot(time, 3)", 5.0, [3.0, 5.0]),
        ("min(time, 0.5)", 3.0, [-1.0, 0.5]),
        ("if flag == 1 then time else 7", 3.0, [-1.0, 2.0]),
        ("2/(time + 3)", 3.0, [0.4, 1.0]),
        ("cam(time)", 2.5, [1.0, 3.0]),
        ("line(time)", 2.5, [1.0, 3.0]),
    ] {
        let (range, _) = range_and_excess(&run, text, low, width).unwrap();
        assert!(
            (range.low - expected[0]).abs() < 1e-14 && (range.high - expected[1]).abs() < 1e-14,
            "{text}: {range:?}"
        );
    }
    for text in ["1/time", "tan(time)", "cam'(time)", "time^-2"] {
        assert!(range_and_excess(&run, text, low, 3.0).is_none(), "{text}");
    }
}

#[test]
fn ranges_of_tables_contain_all_values() {
    let run = Run::new();
    for text in ["cam(time)", "cam''(time)", "line(time)", "line'(time)", "cam(line(time))"] {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let (from, width) = (random.between(-1.0, 4.0), random.between(0.0, 3.0));
            // Where relations stand for the region that one is in, both ends lie in one region.
            let knots = [0.0, 1.0, 2.0, 4.0];
            let ends_apart = knots.iter().any(|knot| from < *knot && *knot < from + width);
            if ends_apart && !run.program(text).relations().is_empty() {
                continue;
            }
            let (range, excess) = range_and_excess(&run, text, [from; 3], width).unwrap();
            assert!(excess < 1e-12, "{text} from {from} for {width} leaves {range:?} by {excess}");
        }
    }
}
