//! Strings: parameters and inputs whose value is the name of a lockable frame or of the root of an assembly.
//!
//! In a scene the value of a String is the number of what it names, from 1 in the order of declaration, and 0 when it
//! is empty.

use std::fmt::Arguments;

use super::Elaboration;
use crate::declaration::{Declaration, Location, ParameterKind};
use crate::expr::nearest;
use crate::scene::SceneError;

impl Elaboration<'_> {
    /// Gives all Strings their values; the objects of the scene must be complete.
    pub(super) fn resolve_strings(&mut self, declaration: &Declaration) {
        for (k, parameter) in declaration.parameters.iter().enumerate() {
            if parameter.kind == ParameterKind::String {
                let what = format_args!("parameter `{}`", parameter.name);
                self.scene.parameters[k].value = self.number_of(&parameter.text, what, parameter.location);
            }
        }
        for (k, input) in declaration.inputs.iter().enumerate() {
            if input.kind == ParameterKind::String {
                let what = format_args!("the start value of input `{}`", input.name);
                let number = self.number_of(&input.text, what, input.location);
                self.scene.inputs[k].start = number;
                self.scene.signals.change_inputs(|inputs| inputs.set(k, number, declaration.experiment.start));
            }
        }
    }

    fn number_of(&mut self, name: &str, what: Arguments<'_>, location: Location) -> f64 {
        if let Some(number) = self.scene.number_of_name(name) {
            return number as f64;
        }
        let message = format!("{what} is `{name}`, which is neither a lockable frame nor the root of an assembly");
        let hint = self.scene.hint_for_name(name);
        self.errors.push(SceneError::new(location, message).with_hint(hint));
        0.0
    }
}

impl super::Scene {
    /// What a String that names nothing may have meant.
    #[must_use]
    pub fn hint_for_name(&self, name: &str) -> Option<String> {
        let names: Vec<&str> = self.nameable().map(|id| self.objects[id].path.as_str()).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if names.is_empty() => {
                Some("the model has neither lockable frames nor assemblies that may change".to_owned())
            }
            None => Some(format!("possible are `{}`, or nothing", names.join("`, `"))),
        }
    }
}
