use super::random::Random;
use super::*;

const POINTS: [[f64; 2]; 5] = [[0.0, 0.0], [1.0, 2.0], [1.5, 2.0], [3.0, 5.0], [4.0, 1.0]];

fn table(interpolation: Interpolation, extrapolation: Extrapolation) -> Table {
    Table::new(&POINTS, interpolation, extrapolation).unwrap()
}

#[test]
fn tables_pass_through_their_points() {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic, Interpolation::Previous] {
        for extrapolation in [Extrapolation::Hold, Extrapolation::Linear, Extrapolation::Error] {
            let table = table(interpolation, extrapolation);
            for [x, y] in POINTS {
                assert!((table.value(x) - y).abs() < 1e-14, "{interpolation:?} {extrapolation:?} at {x}");
            }
        }
    }
}

#[test]
fn each_interpolation_runs_as_described() {
    let hold = Extrapolation::Hold;
    assert_eq!(table(Interpolation::Linear, hold).value(0.5), 1.0);
    assert_eq!(table(Interpolation::Previous, hold).value(0.999), 0.0);
    assert_eq!(table(Interpolation::Previous, hold).value(1.0), 2.0);
    assert_eq!(table(Interpolation::Linear, Extrapolation::Linear).value(5.0), -3.0);
    assert_eq!(table(Interpolation::Linear, hold).value(-5.0), 0.0);
    assert_eq!(table(Interpolation::Cubic, hold).value(50.0), 1.0);
    assert!(table(Interpolation::Cubic, Extrapolation::Error).value(4.0001).is_nan());
}

#[test]
fn the_cubic_never_overshoots_its_points() {
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let mut x = 0.0;
        let points: Vec<[f64; 2]> = (0..8)
            .map(|_| {
                x += random.between(0.01, 2.0);
                [x, random.between(-1.0, 1.0)]
            })
            .collect();
        let table = Table::new(&points, Interpolation::Cubic, Extrapolation::Hold).unwrap();
        for pair in points.windows(2) {
            let (low, high) = (pair[0][1].min(pair[1][1]), pair[0][1].max(pair[1][1]));
            for k in 0..=40 {
                let value = table.value(pair[0][0] + (pair[1][0] - pair[0][0]) * f64::from(k) / 40.0);
                assert!(low - 1e-12 <= value && value <= high + 1e-12, "seed {seed}: {value} outside {low} ... {high}");
            }
        }
    }
}

#[test]
fn the_cubic_reproduces_straight_lines_and_has_a_continuous_slope() {
    let line = Table::new(&[[0.0, 1.0], [1.0, 3.0], [4.0, 9.0]], Interpolation::Cubic, Extrapolation::Linear).unwrap();
    assert!((line.value(2.7) - 6.4).abs() < 1e-14);
    assert!((line.value(10.0) - 21.0).abs() < 1e-13);
    assert!(line.breakpoints().is_empty(), "{:?}", line.breakpoints());
    let cubic = table(Interpolation::Cubic, Extrapolation::Linear);
    for [x, _] in POINTS {
        assert!((cubic.derivative(x - 1e-9) - cubic.derivative(x + 1e-9)).abs() < 1e-6);
    }
    assert!(cubic.breakpoints().iter().all(|breakpoint| breakpoint.order == 2));
}

#[test]
fn breakpoints_are_where_something_jumps() {
    let orders = |table: Table| table.breakpoints().iter().map(|b| (b.x, b.order)).collect::<Vec<_>>();
    let linear = table(Interpolation::Linear, Extrapolation::Hold);
    assert_eq!(orders(linear), [(0.0, 1), (1.0, 1), (1.5, 1), (3.0, 1), (4.0, 1)]);
    let steps = table(Interpolation::Previous, Extrapolation::Hold);
    assert_eq!(orders(steps), [(1.0, 0), (3.0, 0), (4.0, 0)]);
    let straight =
        Table::new(&[[0.0, 0.0], [0.1, 0.3], [0.2, 0.6]], Interpolation::Linear, Extrapolation::Linear).unwrap();
    assert_eq!(orders(straight), []);
}

#[test]
fn wrong_rows_are_named() {
    let new =
        |points: &[[f64; 2]]| Table::new(points, Interpolation::Linear, Extrapolation::Hold).unwrap_err().to_string();
    assert_eq!(
        new(&[[0.0, 1.0], [2.0, 1.0], [1.5, 3.0]]),
        "row 3 of the table has x = 1.5 after 2; the x values must strictly increase"
    );
    assert_eq!(
        new(&[[0.0, 1.0], [0.0, 1.0]]),
        "row 2 of the table has x = 0 after 0; the x values must strictly increase"
    );
    assert_eq!(new(&[[0.0, f64::NAN], [0.0, 1.0]]), "row 1 of the table has a value that is not a finite number");
    assert_eq!(new(&[[0.0, 1.0]]), "the table has 1 points, it needs at least 2");
}

#[test]
fn an_argument_outside_the_range_is_an_error() {
    struct Tables(Table);
    impl Scope for Tables {
        fn variable(&self, _name: &str) -> Option<f64> {
            None
        }
        fn function(&self, name: &str) -> Option<&dyn ScalarFunction> {
            (name == "force").then_some(&self.0 as &dyn ScalarFunction)
        }
    }
    let scope = Tables(table(Interpolation::Linear, Extrapolation::Error));
    assert_eq!(Expr::parse("force(0.5)").unwrap().evaluate(&scope), Ok(1.0));
    let error = Expr::parse("2*force(2 + 3)").unwrap().evaluate(&scope).unwrap_err();
    assert_eq!(error.message, "`force` is defined from 0 to 4, its argument is 5");
    assert_eq!(error.span, Span { start: 2, end: 14 });
}
