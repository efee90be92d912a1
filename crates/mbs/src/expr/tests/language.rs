use super::*;
use std::f64::consts::PI;

#[test]
fn operators_bind_as_in_mathematics() {
    for (text, expected) in [
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("2^-1*4", 2.0),
        ("2*-3", -6.0),
        ("-a*b", -6.0),
        ("1 - 2 - 3", -4.0),
        ("8/4/2", 1.0),
        ("1 + 2*3^2", 19.0),
        ("(1 + 2)*3", 9.0),
        ("+a", 2.0),
        ("--a", 2.0),
        ("if a < b then 1 else 2 + 10", 1.0),
        ("(if a > b then 1 else 2) + 10", 12.0),
        ("1 + if true then 2 else 3", 3.0),
        ("if not a < b or true and false then 1 else 0", 0.0),
        ("if false and false or true then 1 else 0", 1.0),
        ("if a == 2 and b != 4 then 1 else 0", 1.0),
        (".5 + 1.", 1.5),
        ("2.5e-3*1E3", 2.5),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn functions_have_their_textbook_values() {
    for (text, expected) in [
        ("sin(pi/6)", 0.5),
        ("deg(30)", PI / 6.0),
        ("atan2(1, -1)", 0.75 * PI),
        ("log(exp(2))", 2.0),
        ("log10(1000)", 3.0),
        ("hypot(3, 4)", 5.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 2)", 3.0),
        ("max(7)", 7.0),
        ("mod(-1, 3)", 2.0),
        ("mod(5.5, -2)", -0.5),
        ("round(2.5)", 3.0),
        ("floor(-0.5) + ceil(-0.5)", -1.0),
        ("sign(-3) + sign(0)", -1.0),
        ("clamp(5, 0, 2)", 2.0),
        ("clamp(-5, 0, 2)", 0.0),
        ("smoothstep(0.5, 0, 1)", 0.5),
        ("smoothstep(0.25, 0, 1)", 0.15625),
        ("smoothstep(3, 0, 1) + smoothstep(-3, 0, 1)", 1.0),
        ("pow(2, 10)", 1024.0),
        ("1/inf", 0.0),
        ("asin(1) + acos(1) + atan(0) + sinh(0) + tanh(0) + cosh(0) + tan(0)", PI / 2.0 + 1.0),
        ("sqrt(2)^2 - abs(-2)", 0.0),
    ] {
        assert!((value(text) - expected).abs() < 1e-14, "{text} gives {}", value(text));
    }
}

#[test]
fn parse_errors_point_at_the_wrong_piece() {
    for (text, offset, length, part) in [
        ("", 0, 0, "empty"),
        ("1 +", 3, 0, "too early"),
        ("1 + * 2", 4, 1, "`*`"),
        ("(1 + 2", 6, 0, "`)`"),
        ("2 mm", 2, 2, "units"),
        ("a = b", 2, 1, "`==`"),
        ("a < b < c", 6, 1, "chained"),
        ("sin(1, 2)", 0, 9, "takes 1"),
        ("hypo(1, 2)", 0, 4, "`hypot`"),
        ("a && b", 2, 2, "`and`"),
        ("2 + (a < b)", 4, 7, "condition"),
        ("if 3*a then 1 else 2", 3, 3, "condition is needed"),
        ("if a then 1", 11, 0, "`else`"),
        ("a.b[1.5].c", 4, 3, "integer"),
        ("a.", 2, 0, "name after `.`"),
        ("1e999", 0, 5, "too large"),
        ("x # y", 2, 1, "`#`"),
        ("sin'(x)", 0, 3, "built in"),
        ("cam'''(x)", 5, 1, "second derivative"),
        ("a b", 2, 1, "operator"),
    ] {
        let error = Expr::parse(text).unwrap_err();
        assert_eq!((error.offset, error.length), (offset, length), "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
    }
}

#[test]
fn an_error_is_shown_below_its_line() {
    let error = Expr::parse("1 + é * * 2").unwrap_err();
    assert!(
        error.annotated("1 + é * * 2").ends_with("\n  1 + é * * 2\n          ^"),
        "{}",
        error.annotated("1 + é * * 2")
    );
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let parens = "(".repeat(100_000);
    assert!(Expr::parse(&parens).unwrap_err().message.contains("nested"));
    let sum = vec!["a"; 100_000].join(" + ");
    assert!(Expr::parse(&sum).unwrap_err().message.contains("operations in a row"));
    assert!(Expr::parse(&vec!["a"; 300].join(" + ")).is_ok());
    assert!(Expr::parse(&"-".repeat(100_000)).is_err());
}

#[test]
fn a_sub_expression_without_a_value_is_named() {
    for (text, message) in [
        ("1/(b - 3)", "division by zero in `1/(b - 3)`: `(b - 3)` is 0"),
        ("sqrt(a - b)", "square root of a negative number in `sqrt(a - b)`: `a - b` is -1"),
        ("asin(a)", "inverse sine or cosine outside -1 ... 1 in `asin(a)`: `a` is 2"),
        ("log(0)", "logarithm of a number that is not positive in `log(0)`"),
        ("exp(1000)", "`exp(1000)` is too large for 1000"),
        ("inf - inf", "`inf - inf` has no value for inf, inf"),
        ("(-a)^x", "fractional power of a negative number in `(-a)^x`: `(-a)` is -2"),
        ("clamp(a, 2, 1)", "lower limit above the upper limit in `clamp(a, 2, 1)`"),
    ] {
        let error = Expr::parse(text).unwrap().evaluate(&scope(&[("a", 2.0), ("b", 3.0), ("x", 0.5)])).unwrap_err();
        assert_eq!(error.message, message);
    }
}

#[test]
fn unknown_names_come_with_the_nearest_known_one() {
    let scope = scope(&[("radius", 1.0), ("mass", 2.0)]);
    let error = Expr::parse("2*raduis").unwrap().evaluate(&scope).unwrap_err();
    assert_eq!(error.to_string(), "unknown name `raduis`; did you mean `radius`?");
    assert_eq!(error.span, Span { start: 2, end: 8 });
    let error = Expr::parse("sine(mass)").unwrap().evaluate(&scope).unwrap_err();
    assert_eq!(error.to_string(), "unknown function `sine`; did you mean `sin`?");
}

#[test]
fn branches_not_taken_are_not_evaluated() {
    assert_eq!(value("if a > 0 then 1/a else 1/0"), 0.5);
    assert_eq!(value("if a == 0 or 1/a < 1 then 1 else 0"), 1.0);
}

#[test]
fn names_are_hierarchical_and_indices_are_evaluated() {
    let scope = scope(&[("robot[3].rev.phi", 7.0), ("i", 2.0), ("m[2,3]", 5.0), ("der(robot[3].w)", 9.0), ("x", 0.5)]);
    let value = |text: &str| Expr::parse(text).unwrap().evaluate(&scope);
    assert_eq!(value("robot[i + 1].rev.phi"), Ok(7.0));
    assert_eq!(value("robot[ 3 ].rev.phi"), Ok(7.0));
    assert_eq!(value("m[i, 3]"), Ok(5.0));
    assert_eq!(value("der(robot[i + 1].w)"), Ok(9.0));
    assert_eq!(value("robot[x].rev.phi").unwrap_err().message, "the index `x` must be an integer, it is 0.5");
}

#[test]
fn free_names_are_listed_once_in_order_of_use() {
    let expr = Expr::parse("b*sin(a) + b + robot[i].x + cam(time) + pi").unwrap();
    let names: Vec<String> = expr.variables().into_iter().map(|variable| variable.name).collect();
    assert_eq!(names, ["b", "a", "robot[i].x", "i", "time"]);
    assert_eq!(expr.variables()[1].span, Span { start: 6, end: 7 });
    assert_eq!(expr.tables(), ["cam"]);
}

#[test]
fn constants_are_recognised_and_need_no_parsing() {
    assert_eq!(Expr::parse(" -2.5e-3 ").unwrap(), Expr::number(-0.0025));
    assert_eq!(Expr::parse("2*pi").unwrap().as_constant(), Some(2.0 * PI));
    assert_eq!(Expr::parse("2*x").unwrap().as_constant(), None);
    assert_eq!(Expr::parse("1/0").unwrap().as_constant(), None);
    assert_eq!(size_of::<Expr>(), 16);
}

#[test]
fn substitution_renames_binds_and_fixes_indices() {
    let expr = Expr::parse("robot[i].x^2 - i*(a + b)").unwrap();
    let bound = expr.substitute(&|name| (name == "i").then(|| Expr::number(3.0))).unwrap();
    assert_eq!(bound.text(), "robot[3].x^2 - 3 * (a + b)");
    let moved = bound.substitute(&|name| Expr::parse(&format!("cell.{name}")).ok()).unwrap();
    assert_eq!(moved.text(), "cell.robot[3].x^2 - 3 * (cell.a + cell.b)");
    let negative = Expr::parse("x^2").unwrap().substitute(&|_| Some(Expr::number(-3.0))).unwrap();
    assert_eq!(negative.evaluate(&()), Ok(9.0));
    let choice = Expr::parse("if flag and not other then flag + 2 else 7").unwrap();
    let on = choice.substitute(&|name| Some(Expr::number(f64::from(u8::from(name == "flag"))))).unwrap();
    assert_eq!(on.text(), "if true and not false then 1 + 2 else 7");
    assert_eq!(Expr::parse(&on.text()).unwrap().evaluate(&()), Ok(3.0));
}

#[test]
fn integers_and_conditions_are_checked() {
    let scope = scope(&[("n", 3.0)]);
    let parse = |text| Expr::parse(text).unwrap();
    assert_eq!(parse("2*n").evaluate_integer(&scope), Ok(6));
    assert_eq!(parse("n/2").evaluate_integer(&scope).unwrap_err().message, "`n/2` must be an integer, it is 1.5");
    assert_eq!(parse("not (n > 2)").evaluate(&scope), Ok(0.0));
    assert_eq!(parse("not n").evaluate(&scope).unwrap_err().message, "`n` must be a condition (0 or 1), it is 3");
}

#[test]
fn numbers_and_texts_survive_serialisation() {
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, F64Deserializer, StrDeserializer};
    let number: F64Deserializer<Error> = 0.1.into_deserializer();
    assert_eq!(Expr::deserialize(number), Ok(Expr::number(0.1)));
    let text: StrDeserializer<'_, Error> = "2*a".into_deserializer();
    assert_eq!(Expr::deserialize(text), Ok(Expr::parse("2*a").unwrap()));
    let wrong: StrDeserializer<'_, Error> = "2*".into_deserializer();
    assert!(Expr::deserialize(wrong).unwrap_err().to_string().contains("(at character 3)"));
}
