//! Force laws of actuators. Every type of actuator is a way to write a general one, in default classes as well: there
//! `<position kp="7"/>` is what a `<general>` starts from.

use super::defaults::ACTUATORS;
use crate::document::decimal;
use crate::xml::{Element, Report};

/// Gain, bias and dynamics of an actuator: its force is `gain u + bias`, each with terms in length and velocity.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Law<'a> {
    /// Type of the actuator that wrote it last.
    written_by: Option<&'a str>,
    pub gain_type: &'a str,
    pub gain: [f64; 3],
    pub bias_type: &'a str,
    pub bias: [f64; 3],
    pub dynamics: &'a str,
    /// Time constant of the dynamics.
    pub time: f64,
}

impl Default for Law<'_> {
    fn default() -> Self {
        Self {
            written_by: None,
            gain_type: "fixed",
            gain: [1.0, 0.0, 0.0],
            bias_type: "none",
            bias: [0.0; 3],
            dynamics: "none",
            time: 1.0,
        }
    }
}

impl<'a> Law<'a> {
    /// The law of an actuator; `classes` are the defaults that hold for it, class by class, the nearest one first.
    pub fn read(element: Element<'a>, classes: &[Vec<Element<'a>>], report: &mut Report) -> Self {
        // Laws of the classes, the outermost one first; every class starts from the one around it.
        let mut laws: Vec<Self> = Vec::new();
        for class in classes.iter().rev() {
            laws.push(laws.last().cloned().unwrap_or_default());
            for default in class {
                let law = Self::inherited(default.tag(), &laws).written(*default, report);
                if let Some(last) = laws.last_mut() {
                    *last = law;
                }
            }
        }
        Self::inherited(element.tag(), &laws).written(element, report)
    }

    /// What an actuator of a type starts from: a law that is written in the same way or as a general one, or none.
    fn inherited(tag: &str, laws: &[Self]) -> Self {
        let gain = if tag == "damper" { "affine" } else { "fixed" };
        let fits = |law: &&Self| match law.written_by {
            _ if tag == "general" => true,
            Some("general") | None => law.gain_type == gain,
            Some(other) => other == tag,
        };
        laws.iter().rev().find(fits).cloned().unwrap_or_default()
    }

    /// With the attributes of an element.
    fn written(mut self, element: Element<'a>, report: &mut Report) -> Self {
        let mut number = |name: &str| report.numbers(element, name)?.first().copied();
        match element.tag() {
            "general" => {
                self.gain_type = element.text("gaintype").unwrap_or(self.gain_type);
                self.bias_type = element.text("biastype").unwrap_or(self.bias_type);
                self.dynamics = element.text("dyntype").unwrap_or(self.dynamics);
                self.time = number("dynprm").unwrap_or(self.time);
                replace(&mut self.gain, element, "gainprm", report);
                replace(&mut self.bias, element, "biasprm", report);
            }
            "position" | "intvelocity" => {
                let kp = number("kp").unwrap_or(self.gain[0]);
                // A positive entry is a damping ratio.
                let kv = number("kv").map(|kv| -kv).or_else(|| number("dampratio")).unwrap_or(self.bias[2]);
                let exact = self.dynamics == "filterexact";
                (self.dynamics, self.time) = match number("timeconst") {
                    _ if element.tag() == "intvelocity" => ("integrator", 1.0),
                    Some(time) => (if time == 0.0 { "none" } else { "filterexact" }, time),
                    None if exact => ("filterexact", self.time),
                    None => ("none", 1.0),
                };
                (self.gain_type, self.gain) = ("fixed", [kp, 0.0, 0.0]);
                (self.bias_type, self.bias) = ("affine", [0.0, -kp, kv]);
            }
            "velocity" => {
                let kv = number("kv").unwrap_or(self.gain[0]);
                self = Self { gain: [kv, 0.0, 0.0], bias_type: "affine", bias: [0.0, 0.0, -kv], ..Self::default() };
            }
            "damper" => {
                let kv = number("kv").unwrap_or(-self.gain[2]);
                self = Self { gain_type: "affine", gain: [0.0, 0.0, -kv], ..Self::default() };
            }
            "cylinder" => {
                let area = number("area").unwrap_or(self.gain[0]);
                let round = |diameter: f64| std::f64::consts::PI * diameter * diameter / 4.0;
                self.gain = [number("diameter").map_or(area, round), 0.0, 0.0];
                (self.gain_type, self.bias_type, self.dynamics) = ("fixed", "affine", "filter");
                self.time = number("timeconst").unwrap_or(self.time);
                replace(&mut self.bias, element, "bias", report);
            }
            "motor" => self = Self::default(),
            // One that has no counterpart.
            other => {
                let other = ACTUATORS.into_iter().find(|known| *known == other).unwrap_or("plugin");
                self = Self { gain_type: other, ..Self::default() };
            }
        }
        self.written_by = Some(element.tag());
        self
    }

    /// Removes a damping ratio: there is no counterpart. Returns whether there was one.
    pub fn without_ratio(&mut self) -> bool {
        let is_servo = self.gain_type == "fixed" && self.bias_type == "affine" && self.gain[0] == -self.bias[1];
        let has_ratio = is_servo && self.gain[0] != 0.0 && self.bias[2] > 0.0;
        if has_ratio {
            self.bias[2] = 0.0;
        }
        has_ratio
    }

    /// The gain, without the parameters that its type ignores.
    fn effective_gain(&self) -> [f64; 3] {
        if self.gain_type == "affine" { self.gain } else { [self.gain[0], 0.0, 0.0] }
    }

    /// The bias, without the parameters that its type ignores.
    fn effective_bias(&self) -> [f64; 3] {
        if self.bias_type == "affine" { self.bias } else { [0.0; 3] }
    }

    /// Whether the force depends on length or velocity.
    pub fn is_servo(&self) -> bool {
        self.effective_gain()[1..] != [0.0; 2] || self.effective_bias()[1..] != [0.0; 2]
    }

    /// The force as an expression of control, length and velocity.
    pub fn expression(&self, control: &str, length: &str, velocity: &str) -> String {
        let affine = |[constant, by_length, by_velocity]: [f64; 3]| {
            let mut terms = Vec::new();
            if constant != 0.0 {
                terms.push(decimal(constant));
            }
            for (factor, variable) in [(by_length, length), (by_velocity, velocity)] {
                match factor {
                    0.0 => {}
                    factor => terms.push(format!("{}*{variable}", decimal(factor))),
                }
            }
            terms.join(" + ").replace("+ -", "- ")
        };
        let gain = self.effective_gain();
        let driven = match affine(gain).as_str() {
            "" => String::new(),
            "1" => control.to_owned(),
            text if gain[1..] == [0.0; 2] => format!("{text}*{control}"),
            text => format!("({text})*{control}"),
        };
        let bias = affine(self.effective_bias());
        match (driven.as_str(), bias.as_str()) {
            ("", "") => "0".to_owned(),
            ("", bias) => bias.to_owned(),
            (driven, "") => driven.to_owned(),
            (driven, bias) => format!("{driven} + {bias}").replace("+ -", "- "),
        }
    }
}

/// Replaces the first entries by those of an attribute.
fn replace(entries: &mut [f64; 3], element: Element, name: &str, report: &mut Report) {
    let numbers = report.numbers(element, name).unwrap_or_default();
    entries.iter_mut().zip(numbers).for_each(|(entry, number)| *entry = number);
}
