use super::random::Random;
use super::*;

const SLOTS: [f64; 5] = [0.5, 1.5, -2.0, 1.0, 3.0];

fn run_value(run: &Run, text: &str) -> f64 {
    run.program(text).value(&SLOTS, &run.tables, Relations::Live)
}

#[test]
fn constants_fold_to_one_instruction() {
    let run = Run::new();
    for (text, expected) in [
        ("2*length + sin(0)", 4.0),
        ("if length > 1 then 5 else 1/0", 5.0),
        ("max(1, length, 3)", 3.0),
        ("cam(length)", 2.0),
        ("steps(2.5)", 2.0),
        ("not true or length == 2", 1.0),
        ("false and x > 0", 0.0),
        ("flag and false", 0.0),
        ("floor(length/3)", 0.0),
    ] {
        assert_eq!(run.program(text).as_constant().map(|value| value + 0.0), Some(expected), "{text}");
    }
    assert_eq!(run.program("x > 0 and true").relations().len(), 1);
    let error = run.compile("x + 1/(length - 2)").unwrap_err();
    assert_eq!(error.message, "division by zero in `1/(length - 2)`: `(length - 2)` is 0");
}

#[test]
fn compiled_values_equal_the_written_mathematics() {
    let run = Run::new();
    for (text, expected) in [
        ("x + y*time", 0.5),
        ("ball[length].x", -2.0),
        ("if flag then x else y", 1.5),
        ("if count == 3 and not (x < 1) then 7 else 8", 7.0),
        ("floor(count/2) + mod(count, 2)", 2.0),
        ("sign(y) + sign(x)*10", 9.0),
        ("min(x, 2, y, time)", -2.0),
        ("if x > 1 then (if y > 0 then 1 else 2) else 3", 2.0),
        ("(if x < 1 then 1 else 2)*(if y < 1 then 10 else 20) + (if flag then 100 else 200)", 120.0),
        ("steps(time) + steps(x)*10", 31.0),
        ("steps(-1) + steps(9)", 3.5),
    ] {
        assert_eq!(run_value(&run, text), expected, "{text}");
    }
}

#[test]
fn comparisons_become_relations_that_can_be_frozen() {
    let run = Run::new();
    let program = run.program("if x < 2*y then x else -x");
    assert_eq!(program.relations().len(), 1);
    let relation = &program.relations()[0];
    assert_eq!((relation.text(), relation.slots()), ("x < 2*y", &[1, 2][..]));
    assert_eq!(program.root(0, &SLOTS, &[], Relations::Live), 1.5 + 4.0);
    assert_eq!(program.value(&SLOTS, &[], Relations::Live), -1.5);
    assert_eq!(program.value(&SLOTS, &[], Relations::Frozen(&[true])), 1.5);
    let mut truth = [true];
    program.evaluate_relations(&SLOTS, &[], &mut truth);
    assert_eq!(truth, [false]);
}

#[test]
fn relations_inside_relations_come_first() {
    let run = Run::new();
    let program = run.program("if (if x > 1 then x else 0) > time then 1 else 0");
    let texts: Vec<&str> = program.relations().iter().map(Relation::text).collect();
    assert_eq!(texts, ["x > 1", "(if x > 1 then x else 0) > time"]);
    assert_eq!(program.root(1, &SLOTS, &[], Relations::Frozen(&[false])), -0.5);
    assert_eq!(program.root(1, &SLOTS, &[], Relations::Live), 1.0);
    let mut truth = [false; 2];
    program.evaluate_relations(&SLOTS, &[], &mut truth);
    assert_eq!(truth, [true, true]);
    assert_eq!(program.relations()[1].slots(), [0, 1]);
}

#[test]
fn a_comparison_with_the_time_tells_when_it_switches() {
    let run = Run::new();
    let threshold = |text: &str| run.program(text).relations()[0].threshold();
    let wanted = |value, holds_above| Some(Threshold { slot: 0, value, holds_above });
    assert_eq!(threshold("time > 3"), wanted(3.0, true));
    assert_eq!(threshold("3 > time"), wanted(3.0, false));
    assert_eq!(threshold("2*(time - 1)/4 <= length"), wanted(5.0, false));
    assert_eq!(threshold("-time + 1 < 0"), wanted(1.0, true));
    assert_eq!(threshold("time^2 > 3"), None);
    assert_eq!(threshold("time > x"), None);
}

#[test]
fn steps_of_a_table_are_located_and_smooth_between() {
    let run = Run::new();
    for text in ["steps(time)", "line'(time)", "cam''(time)"] {
        let program = run.program(text);
        assert_eq!(program.relations().len(), 4, "{text}");
        let mut truth = [false; 4];
        program.evaluate_relations(&[0.5], &run.tables, &mut truth);
        let frozen = |time: f64| program.value(&[time], &run.tables, Relations::Frozen(&truth));
        assert!((frozen(1.0) - frozen(1.0 - 1e-9)).abs() < 1e-6, "{text} is not smooth up to the event");
        assert!(
            (frozen(1.0) - program.value(&[1.0], &run.tables, Relations::Live)).abs() > 0.1,
            "{text} does not step"
        );
        let thresholds: Vec<f64> =
            program.relations().iter().map(|relation| relation.threshold().unwrap().value).collect();
        let mut sorted = thresholds.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted, [0.0, 1.0, 2.0, 4.0]);
    }
    assert!(run.program("line(x)").relations().is_empty());
    assert_eq!(run.program("line(2*time - 1)").breakpoints(0, &run.tables), [0.5, 1.0, 1.5, 2.5]);
}

#[test]
fn step_table_by_relations_equals_the_table_everywhere() {
    let run = Run::new();
    for text in ["steps(x)", "line'(x)", "cam''(x)"] {
        let program = run.program(text);
        for k in -10..50 {
            let x = 0.1 * f64::from(k);
            let table = &run.tables[match text {
                "steps(x)" => 1,
                "line'(x)" => 2,
                _ => 0,
            }];
            let expected = match text {
                "steps(x)" => table.value(x),
                "line'(x)" => table.derivative(x),
                _ => table.second_derivative(x),
            };
            assert_eq!(program.value(&[0.0, x], &run.tables, Relations::Live), expected, "{text} at {x}");
        }
    }
}

#[test]
fn discontinuous_functions_of_continuous_quantities_are_refused() {
    let run = Run::new();
    for (text, part) in [
        ("floor(x)", "`floor(x)` jumps"),
        ("1 + mod(time, 2)", "`mod(time, 2)` jumps"),
        ("round(2*y)", "jumps"),
        ("if x == 1 then 1 else 0", "exact equality"),
        ("if x then 1 else 0", "no condition"),
        ("lenght*x", "unknown name"),
        ("ball[x].x", "an index must be fixed"),
        ("ramp(x)", "unknown function"),
        ("time(2 + x)", "is a variable"),
    ] {
        let error = run.compile(text).unwrap_err();
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn a_value_that_is_not_finite_is_explained() {
    let run = Run::new();
    let explain = |text: &str| {
        let program = run.program(text);
        program.diagnose(&SLOTS, &run.tables, Relations::Live).map(|error| error.message)
    };
    assert_eq!(explain("1 + sqrt(y)").as_deref(), Some("square root of a negative number (-2) in `sqrt(y)`"));
    assert_eq!(explain("x/(y + 2) - 1").as_deref(), Some("division by zero (0) in `x/(y + 2)`"));
    assert_eq!(explain("exp(1e3*x)").as_deref(), Some("`exp(1e3*x)` is inf"));
    assert_eq!(explain("x"), None);
    assert_eq!(explain("min(x, inf)"), None);
}

#[test]
fn missing_slots_and_tables_give_nan_and_no_panic() {
    let run = Run::new();
    assert!(run.program("x + y").value(&[], &[], Relations::Live).is_nan());
    assert!(run.program("cam(x)").value(&SLOTS, &[], Relations::Live).is_nan());
    assert!(run.program("x").root(3, &SLOTS, &[], Relations::Live).is_nan());
}

#[test]
fn a_constant_that_is_not_a_number_is_refused() {
    assert!(Program::compile(&Expr::number(f64::NAN), &Run::new()).is_err());
    assert!(Expr::number(f64::NAN).evaluate(&()).is_err());
}

#[test]
fn operands_beyond_the_stack_are_refused_at_compilation() {
    let run = Run::new();
    let nested = |n: usize| (0..n).fold("x".to_string(), |inner, _| format!("y + ({inner})"));
    assert_eq!(run_value(&run, &nested(31)), 1.5 - 62.0);
    assert!(run.compile(&nested(32)).unwrap_err().message.contains("operands wait"));
}

#[test]
fn infinite_partial_derivatives_do_not_spoil_other_directions() {
    let run = Run::new();
    let mut gradient = [0.0; 2];
    run.program("sqrt(x) + 3*y").gradient(&[0.0, 0.0, 1.0], &[2, 1], &[], Relations::Live, &mut gradient);
    assert_eq!(gradient, [3.0, f64::INFINITY]);
    run.program("hypot(x, y)").gradient(&[0.0, 0.0, 0.0], &[2, 1], &[], Relations::Live, &mut gradient);
    assert_eq!(gradient, [0.0, 0.0]);
}

#[test]
fn gradient_covers_more_slots_than_one_pass() {
    let run = Run::new();
    let by = [4, 3, 2, 1, 0, 9];
    let mut gradient = [7.0; 6];
    let value = run.program("time + 2*x + 3*y + 5*count").gradient(&SLOTS, &by, &[], Relations::Live, &mut gradient);
    assert_eq!(value, 0.5 + 3.0 - 6.0 + 15.0);
    assert_eq!(gradient, [5.0, 0.0, 3.0, 2.0, 1.0, 0.0]);
}

#[test]
fn rendered_expressions_mean_the_same() {
    let run = Run::new();
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let text = random.expression(3);
        let expr = Expr::parse(&text).unwrap();
        let again = expr.substitute(&|_| None).unwrap();
        let value = |expr: &Expr| Program::compile(expr, &run).unwrap().value(&SLOTS, &run.tables, Relations::Live);
        let (a, b) = (value(&expr), value(&again));
        assert!(a == b || a.is_nan() && b.is_nan(), "seed {seed}: {text} -> {again}");
    }
}
