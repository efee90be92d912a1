use super::random::Random;
use super::*;

/// Scope in which the table exists.
struct WithTable<'a>(&'a Run, BTreeMap<String, f64>);

impl Scope for WithTable<'_> {
    fn variable(&self, name: &str) -> Option<f64> {
        self.1.get(name).copied()
    }

    fn function(&self, name: &str) -> Option<&dyn ScalarFunction> {
        self.0.table(name).map(|(_, table)| table as &dyn ScalarFunction)
    }
}

fn at(run: &Run, slots: [f64; 3]) -> WithTable<'_> {
    WithTable(run, scope(&[("time", slots[0]), ("x", slots[1]), ("y", slots[2]), ("length", 2.0)]))
}

/// Five-point central difference.
fn difference(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(at + h) - f(at - h)) - (f(at + 2.0 * h) - f(at - 2.0 * h))) / (12.0 * h)
}

#[test]
fn gradient_symbolic_derivative_and_differences_agree_on_random_expressions() {
    let run = Run::new();
    let mut compared = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let text = random.expression(1 + (seed % 3) as u32);
        let expr = Expr::parse(&text).unwrap();
        let program = run.program(&text);
        let slots = [random.between(0.5, 1.5), random.between(0.5, 1.5), random.between(0.5, 1.5)];
        let value = program.value(&slots, &run.tables, Relations::Live);
        let expected = expr.evaluate(&at(&run, slots)).unwrap();
        assert!((value - expected).abs() <= 1e-14 * (1.0 + value.abs()), "seed {seed}: {text}");
        let mut gradient = [0.0; 3];
        program.gradient(&slots, &[0, 1, 2], &run.tables, Relations::Live, &mut gradient);
        for (slot, name) in ["time", "x", "y"].iter().enumerate() {
            let symbolic = expr.derivative(name).unwrap().evaluate(&at(&run, slots)).unwrap();
            let scale = 1.0 + gradient[slot].abs();
            assert!(
                (symbolic - gradient[slot]).abs() < 1e-11 * scale,
                "seed {seed}: d/d{name} of {text}: {symbolic} {}",
                gradient[slot]
            );
            let moved = |value: f64| {
                let mut slots = slots;
                slots[slot] = value;
                program.value(&slots, &run.tables, Relations::Live)
            };
            let numeric = difference(moved, slots[slot]);
            compared += usize::from((numeric - symbolic).abs() < 1e-6 * scale);
        }
    }
    assert!(
        compared > 1150,
        "only {compared} of 1200 derivatives agree with differences; kinks cannot explain so many"
    );
}

#[test]
fn every_function_has_the_derivative_that_differences_show() {
    let run = Run::new();
    for text in [
        "-x",
        "x + y",
        "x - y",
        "x*y",
        "x/y",
        "x^y",
        "x^3",
        "x^-1.5",
        "sin(x)",
        "cos(x)",
        "tan(x)",
        "asin(x/2)",
        "acos(x/2)",
        "atan(x)",
        "atan2(x, y)",
        "sinh(x)",
        "cosh(x)",
        "tanh(x)",
        "exp(x)",
        "log(x)",
        "log10(x)",
        "sqrt(x)",
        "abs(x)",
        "abs(-x)",
        "deg(x)",
        "hypot(x, y)",
        "min(x, y)",
        "max(x, y, 5*x)",
        "clamp(x, 0, 2)",
        "clamp(5, 0, x)",
        "clamp(-5, y, 2)",
        "smoothstep(x, 0, 2)",
        "smoothstep(1, x/4, 2*y)",
        "smoothstep(x, 3, 0)",
        "cam(x)",
        "cam'(x)",
        "cam''(x)*x",
        "line(x)",
        "if x < 3 then x*y else y",
    ] {
        let expr = Expr::parse(text).unwrap();
        let program = run.program(text);
        let slots = [0.0, 0.7, 0.9];
        let mut gradient = [0.0; 2];
        program.gradient(&slots, &[1, 2], &run.tables, Relations::Live, &mut gradient);
        for (k, name) in [(0, "x"), (1, "y")] {
            let moved = |value: f64| {
                let mut slots = slots;
                slots[k + 1] = value;
                program.value(&slots, &run.tables, Relations::Live)
            };
            let numeric = difference(moved, slots[k + 1]);
            assert!(
                (numeric - gradient[k]).abs() < 1e-7 * (1.0 + numeric.abs()),
                "{text} by {name}: {} {numeric}",
                gradient[k]
            );
            if !text.contains("''") {
                let symbolic = expr.derivative(name).unwrap().evaluate(&at(&run, slots)).unwrap();
                assert!(
                    (numeric - symbolic).abs() < 1e-7 * (1.0 + numeric.abs()),
                    "{text} by {name}: {symbolic} {numeric}"
                );
            }
        }
        let tangents = [0.0, 2.0, -1.0];
        let (_, rate) = program.directional(&slots, &tangents, &run.tables, Relations::Live);
        assert!((rate - (2.0 * gradient[0] - gradient[1])).abs() < 1e-12 * (1.0 + rate.abs()), "{text}");
    }
}

#[test]
fn a_prescribed_position_gives_velocity_and_acceleration() {
    let position = Expr::parse("0.5 + A*sin(2*pi*f*time)").unwrap();
    let velocity = position.derivative("time").unwrap();
    let acceleration = velocity.derivative("time").unwrap();
    let scope = scope(&[("A", 0.2), ("f", 3.0), ("time", 0.1)]);
    let omega = 2.0 * std::f64::consts::PI * 3.0;
    assert!((velocity.evaluate(&scope).unwrap() - 0.2 * omega * (omega * 0.1).cos()).abs() < 1e-12);
    assert!((acceleration.evaluate(&scope).unwrap() + 0.2 * omega * omega * (omega * 0.1).sin()).abs() < 1e-11);
}

#[test]
fn derivatives_are_simplified() {
    for (text, expected) in [
        ("3", "0"),
        ("a*time", "a"),
        ("a + b", "0"),
        ("time^2", "2 * time"),
        ("5 - time", "-1"),
        ("if a > 1 then a else b", "0"),
        ("cam(2*time)", "cam'(2 * time) * 2"),
        ("cam'(time)", "cam''(time)"),
        ("sin(time)", "cos(time)"),
    ] {
        assert_eq!(Expr::parse(text).unwrap().derivative("time").unwrap().text(), expected);
    }
}

#[test]
fn what_cannot_be_differentiated_is_named() {
    let error = Expr::parse("cam''(time)").unwrap().derivative("time").unwrap_err();
    assert!(error.message.contains("`cam`"), "{error}");
    let error = Expr::parse("time > 1").unwrap().derivative("time").unwrap_err();
    assert_eq!(error.message, "the condition `time > 1` has no derivative");
    let error = Expr::parse("x + y")
        .unwrap()
        .derivative_by(&|name| (name == "x").then(|| Expr::parse("v").unwrap()))
        .unwrap_err();
    assert_eq!(error.message, "the derivative of `y` is not known here");
}

#[test]
fn a_total_derivative_uses_the_given_rates() {
    let rates = |name: &str| Expr::parse(&format!("der({name})")).ok();
    let rate = Expr::parse("x*y").unwrap().derivative_by(&rates).unwrap();
    assert_eq!(rate.text(), "der(x) * y + x * der(y)");
}
