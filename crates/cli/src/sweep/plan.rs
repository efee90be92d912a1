//! Which points a sweep visits.

use std::fmt;

use crate::args::Sampling;
use crate::error::{Error, Result};
use crate::variable::{Kind, Variable};

/// Most points of a plan.
const MOST: usize = 10_000_000;
/// Most ranges that are sampled by a Sobol sequence: dimensions of the sequence.
const SOBOL_DIMENSIONS: usize = sobol_burley::NUM_DIMENSIONS as usize;

/// What a parameter is set to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A truth or a name.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A parameter and the values it takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// One after the other.
    List(String, Vec<Value>),
    /// From the first to the second number; a grid takes both ends.
    Range(String, f64, f64),
    /// All whole numbers from the first to the second one; a grid takes both ends.
    Whole(String, f64, f64),
}

/// Points of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Names of the parameters.
    pub names: Vec<String>,
    /// Their values, point by point.
    pub points: Vec<Vec<Value>>,
}

impl Plan {
    /// Chooses points; `n` is the number of values of every range of a grid, else that of the points.
    ///
    /// # Errors
    /// Empty or repeated axes, a number of points that is missing or beyond reason.
    pub fn new(axes: &[Axis], sampling: Sampling, n: Option<usize>, seed: u32) -> Result<Self> {
        let names: Vec<String> = axes.iter().map(|axis| axis.name().to_owned()).collect();
        if let Some(twice) = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
            return Err(Error::Usage(format!("`{}` is there twice", twice.1)));
        }
        axes.iter().try_for_each(Axis::check)?;
        let points = match sampling {
            Sampling::Grid => grid(axes, n)?,
            _ => sampled(axes, sampling, n, seed)?,
        };
        Ok(Self { names, points })
    }

    /// The points as settings, `name=value`.
    pub fn settings(&self) -> Vec<Vec<String>> {
        let settings = |point: &Vec<Value>| -> Vec<String> {
            self.names.iter().zip(point).map(|(name, value)| format!("{name}={value}")).collect()
        };
        self.points.iter().map(settings).collect()
    }
}

impl Axis {
    /// Reads `L=0.5:2:0.1` (start, end and step), `L=0.5,1,2` (values) or `L=0.5..2` (a range to sample).
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || {
            let forms = "L=0.5:2:0.1 (from, to, step), L=0.5,1,2 (values) or L=0.5..2 (a range)";
            Error::Usage(format!("`{text}` is no parameter with values; write {forms}"))
        };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let (name, values) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim().to_owned();
        if let Some((low, high)) = values.split_once("..") {
            return number(low).zip(number(high)).map(|(low, high)| Self::Range(name, low, high)).ok_or_else(wrong);
        }
        let steps: Vec<&str> = values.split(':').collect();
        if let [from, to, step] = steps[..] {
            let (Some(from), Some(to), Some(step)) = (number(from), number(to), number(step)) else {
                return Err(wrong());
            };
            let count = number_of_steps(&name, from, to, step)?;
            let at = |k: usize| Value::Number(if k == 0 { from } else { from + k as f64 * step });
            return Ok(Self::List(name, (0..=count).map(at).collect()));
        }
        let value = |text: &str| number(text).map_or_else(|| Value::Text(text.trim().to_owned()), Value::Number);
        if values.trim().is_empty() || steps.len() > 1 {
            return Err(wrong());
        }
        Ok(Self::List(name, values.split(',').map(value).collect()))
    }

    /// The axis for a model: ranges of Integer parameters have whole numbers only.
    ///
    /// # Errors
    /// Ends of such a range that are not whole.
    pub fn of(self, variables: &[Variable]) -> Result<Self> {
        let Self::Range(name, low, high) = self else { return Ok(self) };
        if !variables.iter().any(|variable| variable.name == name && variable.kind == Kind::Integer) {
            return Ok(Self::Range(name, low, high));
        }
        if low.fract() != 0.0 || high.fract() != 0.0 {
            let message = format!("`{name}` is an Integer and goes from {low} to {high}; both ends must be whole");
            return Err(Error::Usage(message));
        }
        Ok(Self::Whole(name, low, high))
    }

    /// Name of the parameter.
    pub fn name(&self) -> &str {
        let (Self::List(name, _) | Self::Range(name, ..) | Self::Whole(name, ..)) = self;
        name
    }

    fn check(&self) -> Result {
        match self {
            Self::List(name, values) if values.is_empty() => Err(Error::Usage(format!("`{name}` has no values"))),
            Self::Range(name, low, high) | Self::Whole(name, low, high)
                if !(low.is_finite() && high.is_finite() && low <= high) =>
            {
                Err(Error::Usage(format!("`{name}` goes from {low} to {high}, which is not upwards and finite")))
            }
            _ => Ok(()),
        }
    }

    /// All values of a grid.
    fn values(&self, n: Option<usize>) -> Result<Vec<Value>> {
        match (self, n) {
            (Self::List(_, values), _) => Ok(values.clone()),
            (Self::Range(_, low, _) | Self::Whole(_, low, _), Some(1)) => Ok(vec![Value::Number(*low)]),
            (Self::Whole(name, low, high), Some(n)) if n > 1 => {
                let step = (high - low) / (n - 1) as f64;
                if step.fract() != 0.0 {
                    let message = format!("{n} values of the Integer `{name}` from {low} to {high} would not be whole");
                    let most = high - low + 1.0;
                    let hint = format!("give a number of values that fits, {most} for all of them, or list the values");
                    return Err(Error::Usage(format!("{message}; {hint}")));
                }
                Ok((0..n).map(|k| Value::Number(low + step * k as f64)).collect())
            }
            (Self::Range(_, low, high), Some(n)) if n > 1 => {
                let at = |k: usize| if k + 1 == n { *high } else { low + (high - low) * (k as f64 / (n - 1) as f64) };
                Ok((0..n).map(|k| Value::Number(at(k))).collect())
            }
            (Self::Range(name, ..) | Self::Whole(name, ..), _) => {
                let given = if n.is_some() { ", of which there must be at least one" } else { "" };
                Err(Error::Usage(format!("`{name}` is a range; a grid needs n, the number of its values{given}")))
            }
        }
    }

    /// The value at a share `u` of 0 to 1 of the axis.
    fn at(&self, u: f64) -> Value {
        match self {
            Self::List(_, values) => values[((u * values.len() as f64) as usize).min(values.len() - 1)].clone(),
            Self::Range(_, low, high) => Value::Number(low + u * (high - low)),
            // Each of them is as likely.
            Self::Whole(_, low, high) => Value::Number((low + (u * (high - low + 1.0)).floor()).min(*high)),
        }
    }
}

/// Number of steps from one number to another.
fn number_of_steps(name: &str, from: f64, to: f64, step: f64) -> Result<usize> {
    let wrong = |why: String| Err(Error::Usage(format!("`{name}` goes from {from} to {to} in steps of {step}, {why}")));
    let count = (to - from) / step + 1e-9;
    match () {
        () if step == 0.0 => wrong("but a step is not zero".to_owned()),
        () if count < 0.0 => wrong(format!("which lead away from {to}; turn the sign of the step")),
        () if count < MOST as f64 => Ok(count as usize),
        () => wrong(format!("which are too many values; at most {MOST} are possible")),
    }
}

fn grid(axes: &[Axis], n: Option<usize>) -> Result<Vec<Vec<Value>>> {
    let mut points = vec![Vec::new()];
    for axis in axes {
        let values = axis.values(n)?;
        limited(points.len().saturating_mul(values.len()))?;
        let longer = |point: &Vec<Value>, value: &Value| point.iter().chain([value]).cloned().collect::<Vec<Value>>();
        points = points.iter().flat_map(|point| values.iter().map(move |value| longer(point, value))).collect();
    }
    Ok(points)
}

fn sampled(axes: &[Axis], sampling: Sampling, n: Option<usize>, seed: u32) -> Result<Vec<Vec<Value>>> {
    let wrong = || Error::Usage("sampling needs n, the number of points, which must be at least one".to_owned());
    let n = n.filter(|n| *n > 0).ok_or_else(wrong)?;
    limited(n)?;
    if sampling == Sampling::Sobol && (axes.len() > SOBOL_DIMENSIONS || n > 1 << 16) {
        let limits = format!("at most {SOBOL_DIMENSIONS} parameters and {} points", 1 << 16);
        return Err(Error::Usage(format!("a Sobol sequence has {limits}; use lhs")));
    }
    let shares: Vec<Vec<f64>> = match sampling {
        Sampling::Sobol => (0..axes.len() as u32)
            .map(|dimension| (0..n as u32).map(|k| f64::from(sobol_burley::sample(k, dimension, seed))).collect())
            .collect(),
        _ => {
            let mut random = Random(u64::from(seed));
            axes.iter().map(|_| random.strata(n)).collect()
        }
    };
    Ok((0..n).map(|k| axes.iter().zip(&shares).map(|(axis, shares)| axis.at(shares[k])).collect()).collect())
}

fn limited(points: usize) -> Result {
    if points > MOST {
        return Err(Error::Usage(format!("{points} runs are too many; at most {MOST} are possible")));
    }
    Ok(())
}

/// The generator splitmix64: the same numbers from the same seed everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in 0 to 1, 1 excluded.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One number in each of `n` equal parts of 0 to 1, in random order.
    fn strata(&mut self, n: usize) -> Vec<f64> {
        let mut order: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            let other = (self.next() % (k as u64 + 1)) as usize;
            order.swap(k, other);
        }
        order.into_iter().map(|stratum| (stratum as f64 + self.share()) / n as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::variable::Role;

    fn numbers(values: &[f64]) -> Vec<Value> {
        values.iter().map(|value| Value::Number(*value)).collect()
    }

    #[test]
    fn values_are_written_as_steps_lists_and_ranges() {
        assert_eq!(Axis::parse("L=0.5:0.8:0.1").unwrap(), Axis::List("L".into(), numbers(&[0.5, 0.6, 0.7, 0.8])));
        assert_eq!(Axis::parse("L=-1:-2:-0.5").unwrap(), Axis::List("L".into(), numbers(&[-1.0, -1.5, -2.0])));
        let mixed = vec![Value::Number(1.0), Value::Text("true".into())];
        assert_eq!(Axis::parse("L = 1, true").unwrap(), Axis::List("L".into(), mixed));
        assert_eq!(Axis::parse("L=-1..2e1").unwrap(), Axis::Range("L".into(), -1.0, 20.0));
        for wrong in ["L", "L=", "L=1:2", "L=1:2:0", "L=2:1:0.1", "L=a..b", "L=1:2:3:4", "L=0:1:1e-12"] {
            assert!(Axis::parse(wrong).is_err(), "{wrong}");
        }
        for (wrong, why) in [
            ("L=4:1:1", "`L` goes from 4 to 1 in steps of 1, which lead away from 1"),
            ("L=1:2:0", "a step is not zero"),
            ("L=1:2:1e-9", "too many values; at most 10000000"),
        ] {
            assert!(Axis::parse(wrong).unwrap_err().to_string().contains(why), "{wrong}");
        }
    }

    #[test]
    fn a_grid_has_all_combinations() {
        let axes = [Axis::parse("a=1,2").unwrap(), Axis::parse("b=0..1").unwrap()];
        let plan = Plan::new(&axes, Sampling::Grid, Some(3), 0).unwrap();
        assert_eq!(plan.points.len(), 6);
        assert_eq!(plan.points[1], numbers(&[1.0, 0.5]));
        assert_eq!(plan.settings()[5], ["a=2.0", "b=1.0"]);
        assert!(Plan::new(&axes, Sampling::Grid, None, 0).is_err());
        assert!(Plan::new(&axes, Sampling::Grid, Some(0), 0).unwrap_err().to_string().contains("at least one"));
        assert!(Plan::new(&[axes[0].clone(), axes[0].clone()], Sampling::Grid, None, 0).is_err());
    }

    #[test]
    fn ranges_of_integers_have_whole_numbers() {
        let variable = |name: &str, kind| Variable {
            name: name.to_owned(),
            kind,
            role: Role::Parameter,
            in_results: false,
            unit: String::new(),
            limits: [None; 2],
            description: String::new(),
        };
        let variables = [variable("n", Kind::Integer), variable("x", Kind::Real)];
        let axis = |text: &str| Axis::parse(text).unwrap().of(&variables);
        assert_eq!(axis("x=1..4").unwrap(), Axis::Range("x".into(), 1.0, 4.0));
        let n = axis("n=1..4").unwrap();
        for sampling in [Sampling::Lhs, Sampling::Sobol] {
            let plan = Plan::new(std::slice::from_ref(&n), sampling, Some(64), 7).unwrap();
            for whole in 1..=4 {
                let wanted = vec![Value::Number(f64::from(whole))];
                assert_eq!(plan.points.iter().filter(|point| **point == wanted).count(), 16, "{sampling:?}");
            }
        }
        let grid = |n: &Axis, count| Plan::new(std::slice::from_ref(n), Sampling::Grid, Some(count), 0);
        assert_eq!(grid(&n, 4).unwrap().settings(), [["n=1.0"], ["n=2.0"], ["n=3.0"], ["n=4.0"]]);
        assert_eq!(grid(&n, 2).unwrap().settings(), [["n=1.0"], ["n=4.0"]]);
        assert!(grid(&n, 3).unwrap_err().to_string().contains("would not be whole"));
        assert!(axis("n=1..3.5").unwrap_err().to_string().contains("both ends must be whole"));
    }

    #[test]
    fn samples_fill_every_part_of_a_range_once() {
        let axes = [Axis::Range("a".into(), 0.0, 64.0), Axis::Range("b".into(), -64.0, 0.0)];
        for sampling in [Sampling::Lhs, Sampling::Sobol] {
            let plan = Plan::new(&axes, sampling, Some(64), 7).unwrap();
            for k in 0..2 {
                let mut parts: Vec<i64> = plan
                    .points
                    .iter()
                    .map(|point| match &point[k] {
                        Value::Number(x) => x.floor() as i64 + 64 * k as i64,
                        Value::Text(_) => -1,
                    })
                    .collect();
                parts.sort_unstable();
                assert_eq!(parts, (0..64).collect::<Vec<i64>>(), "{sampling:?}, axis {k}");
            }
            assert_eq!(plan, Plan::new(&axes, sampling, Some(64), 7).unwrap());
            assert_ne!(plan, Plan::new(&axes, sampling, Some(64), 8).unwrap());
        }
    }
}
