//! Default classes: default attributes of the elements of a kind.

use std::collections::HashMap;

use super::compiler::ORIENTATIONS;
use super::include::Tree;
use crate::xml::{Element, Report, number};

/// Name of the class of everything that names none.
const MAIN: &str = "main";
/// Kinds of actuators: one set of defaults stands for all.
pub(super) const ACTUATORS: [&str; 12] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
];

/// All classes.
#[derive(Debug, Default)]
pub(super) struct Defaults<'a> {
    classes: HashMap<&'a str, Class<'a>>,
}

#[derive(Debug, Default)]
struct Class<'a> {
    parent: Option<&'a str>,
    /// Elements by kind, in the order of the file.
    elements: Vec<Element<'a>>,
}

/// An element with the defaults that hold for it.
#[derive(Debug, Clone)]
pub(super) struct Attributes<'a> {
    pub element: Element<'a>,
    /// The element itself, then its defaults, nearest first.
    chain: Vec<Element<'a>>,
}

impl<'a> Defaults<'a> {
    pub fn read(root: Element<'a>, tree: &Tree<'a>, report: &mut Report) -> Self {
        let mut defaults = Self::default();
        for section in tree.children(root).filter(|section| section.tag() == "default") {
            defaults.class(section, None, tree, report, 0);
        }
        defaults.classes.entry(MAIN).or_default();
        defaults
    }

    fn class(
        &mut self,
        element: Element<'a>,
        parent: Option<&'a str>,
        tree: &Tree<'a>,
        report: &mut Report,
        depth: usize,
    ) {
        let name = match (element.text("class"), parent) {
            (Some(name), _) => name,
            (None, None) => MAIN,
            (None, Some(_)) => return report.error(element, "a default inside another one needs a `class`", None),
        };
        if depth > 100 {
            return report.error(element, "defaults are nested too deeply", None);
        }
        // The outermost class is the one of everything, whatever it is called.
        if parent.is_none() && name != MAIN {
            self.classes.entry(MAIN).or_default().parent = Some(name);
        }
        let class = self.classes.entry(name).or_default();
        if class.parent.is_none() {
            class.parent = parent.filter(|parent| *parent != name);
        }
        for child in tree.children(element) {
            if child.tag() == "default" {
                self.class(child, Some(name), tree, report, depth + 1);
            } else if let Some(class) = self.classes.get_mut(name) {
                class.elements.push(child);
            }
        }
    }

    /// An element with its defaults; `around` is the class of the bodies around it.
    pub fn of(&self, element: Element<'a>, around: Option<&'a str>, report: &mut Report) -> Attributes<'a> {
        self.of_kind(element, element.tag(), around, report)
    }

    /// As [`Defaults::of`] for an element that takes the defaults of another kind.
    pub fn of_kind(
        &self,
        element: Element<'a>,
        kind: &str,
        around: Option<&'a str>,
        report: &mut Report,
    ) -> Attributes<'a> {
        let mut chain = vec![element];
        let mut name = Some(element.text("class").or(around).unwrap_or(MAIN));
        if let Some(unknown) = name.filter(|name| !self.classes.contains_key(name)) {
            let attribute = if element.text("class").is_some() { "class" } else { "childclass" };
            report.attribute_error(element, attribute, format!("there is no default class `{unknown}`"), None);
        }
        let mut steps = 0;
        while let Some(class) = name.and_then(|name| self.classes.get(name)) {
            let fits = |tag: &str| tag == kind || (ACTUATORS.contains(&kind) && ACTUATORS.contains(&tag));
            // What stands later in a class counts.
            chain.extend(class.elements.iter().rev().filter(|default| fits(default.tag())));
            name = class.parent;
            steps += 1;
            if steps > self.classes.len() {
                break;
            }
        }
        Attributes { element, chain }
    }

    /// Defaults of actuators that hold for one, class by class, the nearest one first; within a class as they stand.
    pub fn actuators(&self, element: Element<'a>) -> Vec<Vec<Element<'a>>> {
        let mut classes = Vec::new();
        let mut name = Some(element.text("class").unwrap_or(MAIN));
        while let Some(class) = name.and_then(|name| self.classes.get(name)) {
            let own = class.elements.iter().filter(|default| ACTUATORS.contains(&default.tag()));
            classes.push(own.copied().collect());
            name = class.parent.filter(|_| classes.len() <= self.classes.len());
        }
        classes
    }
}

impl<'a> Attributes<'a> {
    /// The element that has an attribute, with its value.
    fn element_with(&self, name: &str) -> Option<Element<'a>> {
        self.chain.iter().copied().find(|element| element.text(name).is_some())
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.element_with(name)?.text(name)
    }

    /// The numbers of an attribute; where there are fewer than in a default, the others are those of the default.
    pub fn numbers(&self, name: &str, report: &mut Report) -> Option<Vec<f64>> {
        let mut found: Option<Vec<f64>> = None;
        for element in self.chain.iter().filter(|element| element.text(name).is_some()) {
            let numbers = report.numbers(*element, name)?;
            match &mut found {
                Some(found) => found.extend(numbers.iter().skip(found.len())),
                None => found = Some(numbers),
            }
        }
        found
    }

    pub fn exactly<const N: usize>(&self, name: &str, report: &mut Report) -> Option<[f64; N]> {
        let numbers = self.numbers(name, report)?;
        // With its error where there are too few or too many.
        if numbers.len() == N { numbers.try_into().ok() } else { report.exactly::<N>(self.element_with(name)?, name) }
    }

    /// As many numbers as there are, before those that are implied.
    pub fn up_to<const N: usize>(&self, name: &str, implied: [f64; N], report: &mut Report) -> [f64; N] {
        let numbers = self.numbers(name, report).unwrap_or_default();
        std::array::from_fn(|index| numbers.get(index).copied().unwrap_or(implied[index]))
    }

    /// The first of some numbers.
    pub fn number(&self, name: &str, report: &mut Report) -> Option<f64> {
        self.numbers(name, report)?.first().copied()
    }

    /// The element whose orientation holds.
    pub fn oriented(&self) -> Element<'a> {
        let is_oriented = |element: &&Element<'a>| ORIENTATIONS.iter().any(|name| element.text(name).is_some());
        self.chain.iter().find(is_oriented).copied().unwrap_or(self.element)
    }

    /// `true`, `false` or, without either, what is implied.
    pub fn flag(&self, name: &str, implied: bool) -> bool {
        match self.text(name) {
            Some("true") => true,
            Some("false") => false,
            _ => implied,
        }
    }

    /// Two limits in order, where there are some and they count: `WHATrange` and `WHATlimited`.
    pub fn limits(&self, what: &str, automatic: bool, report: &mut Report) -> Option<(f64, f64)> {
        let (name, flag) = (format!("{what}range"), format!("{what}limited"));
        self.has_range(&flag, &name, report);
        let [low, high] = self.exactly::<2>(&name, report)?;
        if low >= high {
            self.reversed(&flag, &name, (low, high) == (0.0, 0.0), report);
        }
        (low < high && self.flag(&flag, automatic)).then_some((low, high))
    }

    /// Reports limits that are enabled but not given, which would be from 0 to 0.
    pub fn has_range(&self, flag: &str, name: &str, report: &mut Report) {
        // Servos may have the range of what they move.
        let is_given = self.text(name).is_some() || (name == "ctrlrange" && self.text("inheritrange").is_some());
        if let Some(at) = self.element_with(flag).filter(|at| at.text(flag) == Some("true") && !is_given) {
            let message = format!("{} is limited and has no `{name}`", self.element.described());
            report.attribute_error(at, flag, message, Some(&format!("give `{name}`, or leave `{flag}` out")));
        }
    }

    /// Reports limits in the wrong order: an error if they are enabled, else a note, unless they are the empty default.
    pub fn reversed(&self, flag: &str, name: &str, is_nothing: bool, report: &mut Report) {
        let at = self.element_with(name).unwrap_or(self.element);
        let called = self.element.described();
        if self.text(flag) == Some("true") {
            let message = format!("the first number of `{name}` of {called} must be less than the second one");
            report.attribute_error(at, name, message, None);
        } else if !is_nothing && self.text(flag) != Some("false") {
            report.note(self.element, format!("`{name}` is taken for no limit: its numbers are not in order"));
        }
    }

    /// A whole number, as bits.
    pub fn bits(&self, name: &str, implied: u32) -> u32 {
        let value = self.text(name).and_then(|text| number(text.trim()));
        value.map_or(implied, |value| value as i64 as u32)
    }
}
