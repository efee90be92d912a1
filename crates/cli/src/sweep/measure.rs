//! Numbers that a run leaves: values at its end, extremes and means over time.

use crate::error::{Error, Result};
use crate::run::Columns;
use crate::variable::Variable;

/// What is made of a variable over a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reduction {
    Final,
    Max,
    Min,
    AbsMax,
    /// Mean over time, by trapezoids between communication points.
    Mean,
    /// Root of the mean square over time.
    Rms,
}

const WORDS: [(&str, Reduction); 6] = [
    ("final", Reduction::Final),
    ("max", Reduction::Max),
    ("min", Reduction::Min),
    ("absmax", Reduction::AbsMax),
    ("mean", Reduction::Mean),
    ("rms", Reduction::Rms),
];

#[derive(Debug, Clone)]
struct Measure {
    column: String,
    reduction: Reduction,
    /// Extreme so far, or integral over time.
    state: f64,
    last: f64,
}

/// The results of a run, gathered point by point.
#[derive(Debug, Clone)]
pub struct Measures {
    list: Vec<Measure>,
    variables: Vec<usize>,
    start: Option<f64>,
    time: f64,
}

impl Measures {
    /// Parses the requested results: variables, groups and patterns, alone or in `max(…)` and similar functions; by
    /// default the outputs.
    ///
    /// # Errors
    /// Names of nothing.
    pub fn parse(wanted: &[String], all: &[Variable]) -> Result<Self> {
        let mut measures = Self { list: Vec::new(), variables: Vec::new(), start: None, time: 0.0 };
        if wanted.is_empty() {
            measures.extend(Reduction::Final, "", Columns::Outputs, all)?;
        }
        for text in wanted {
            let text = text.trim();
            let reduced = WORDS.iter().find_map(|(word, reduction)| {
                let inner = text.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')')?;
                Some((*word, *reduction, inner.trim().to_owned()))
            });
            if reduced.is_none() {
                refuse_other_functions(text, all)?;
            }
            let (word, reduction, name) = reduced.unwrap_or(("", Reduction::Final, text.to_owned()));
            measures.extend(reduction, word, Columns::Named(&[name]), all)?;
        }
        Ok(measures)
    }

    fn extend(&mut self, reduction: Reduction, word: &str, columns: Columns<'_>, all: &[Variable]) -> Result {
        for index in columns.choose(all)? {
            let name = &all[index].name;
            let column = if word.is_empty() { name.clone() } else { format!("{word}({name})") };
            // A result that is named twice is one column.
            if self.list.iter().any(|known| known.column == column) {
                continue;
            }
            self.variables.push(index);
            self.list.push(Measure { column, reduction, state: 0.0, last: 0.0 });
        }
        Ok(())
    }

    /// Names of the results.
    pub fn columns(&self) -> Vec<&str> {
        self.list.iter().map(|measure| measure.column.as_str()).collect()
    }

    /// Variables to read at every communication point, one per result.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// Adds the values of the variables at time `t` [s].
    pub fn add(&mut self, t: f64, values: &[f64]) {
        let is_first = self.start.is_none();
        let dt = if is_first { 0.0 } else { t - self.time };
        for (measure, value) in self.list.iter_mut().zip(values) {
            measure.add(*value, dt, is_first);
        }
        self.start.get_or_insert(t);
        self.time = t;
    }

    /// The results so far.
    pub fn results(&self) -> Vec<f64> {
        let duration = self.time - self.start.unwrap_or(self.time);
        self.list.iter().map(|measure| measure.result(duration)).collect()
    }
}

/// Refuses what looks like a function of a variable, but is none of those that there are.
fn refuse_other_functions(text: &str, all: &[Variable]) -> Result {
    let Some((word, rest)) = text.split_once('(') else { return Ok(()) };
    // The derivative `der(hinge.w)` is a variable; contacts and the like have no parentheses.
    if word == "der" || all.iter().any(|variable| variable.name == text) || word.contains(['*', '?', '.']) {
        return Ok(());
    }
    let known: Vec<String> = WORDS.iter().map(|(word, _)| format!("`{word}(…)`")).collect();
    let hint = Some(format!("there are {}", known.join(", ")));
    let is_known = WORDS.iter().any(|(known, _)| *known == word);
    let why = match is_known && !rest.ends_with(')') {
        true => format!("`{text}` lacks a closing parenthesis"),
        false => format!("`{word}` in `{text}` is no function of results"),
    };
    Err(Error::hinted(why, hint))
}

impl Measure {
    fn add(&mut self, value: f64, dt: f64, is_first: bool) {
        let extreme =
            |state: f64, new: f64, choose: fn(f64, f64) -> f64| if is_first { new } else { choose(state, new) };
        self.state = match self.reduction {
            Reduction::Final => value,
            Reduction::Max => extreme(self.state, value, f64::max),
            Reduction::Min => extreme(self.state, value, f64::min),
            Reduction::AbsMax => extreme(self.state, value.abs(), f64::max),
            Reduction::Mean => self.state + 0.5 * dt * (self.last + value),
            Reduction::Rms => self.state + 0.5 * dt * (self.last * self.last + value * value),
        };
        self.last = value;
    }

    fn result(&self, duration: f64) -> f64 {
        match self.reduction {
            Reduction::Mean if duration > 0.0 => self.state / duration,
            Reduction::Rms if duration > 0.0 => (self.state / duration).sqrt(),
            Reduction::Mean => self.last,
            Reduction::Rms => self.last.abs(),
            _ => self.state,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::variable::{Kind, Role};

    fn variables() -> [Variable; 2] {
        let variable = |name: &str| Variable {
            name: name.into(),
            kind: Kind::Real,
            role: Role::Output,
            in_results: true,
            unit: "m".into(),
            limits: [None; 2],
            description: String::new(),
        };
        [variable("x"), variable("der(x)")]
    }

    fn measures(wanted: &[&str]) -> Measures {
        let wanted: Vec<String> = wanted.iter().map(|text| (*text).to_owned()).collect();
        Measures::parse(&wanted, &variables()).unwrap()
    }

    #[test]
    fn values_over_a_run_become_numbers() {
        let mut of_x = measures(&["x", "max(x)", "min(x)", "absmax(x)", "mean(x)", "rms(x)", "final(der(x))"]);
        for (t, x) in [(1.0, -4.0), (2.0, 0.0), (4.0, 2.0)] {
            of_x.add(t, &[x, x, x, x, x, x, 7.0]);
        }
        let rms = ((0.5 * 16.0 + 0.5 * 2.0 * 4.0) / 3.0_f64).sqrt();
        assert_eq!(of_x.results(), [2.0, 2.0, -4.0, 4.0, 0.0, rms, 7.0]);
    }

    #[test]
    fn derivatives_are_variables_and_all_outputs_the_default() {
        assert_eq!(measures(&["der(x)", "max( x )"]).columns(), ["der(x)", "max(x)"]);
        assert_eq!(measures(&[]).columns(), ["x", "der(x)"]);
        let x = variables();
        for (wrong, why) in [("median(x)", "`median` in `median(x)` is no function"), ("max(x", "lacks a closing")] {
            let error = Measures::parse(&[wrong.to_owned()], &x).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("`rms(…)`"), "{error}");
        }
        assert_eq!(measures(&["x", "*", "max(x)"]).columns(), ["x", "der(x)", "max(x)"]);
    }
}
