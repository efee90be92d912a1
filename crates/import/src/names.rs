//! Names of the description become names of the model file: identifiers, one meaning each.

use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Words with a meaning of their own in model files, and names of functions.
const RESERVED: [&str; 40] = [
    "world", "origin", "time", "pi", "inf", "der", "if", "then", "else", "and", "or", "not", "true", "false", "sin",
    "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt", "abs",
    "sign", "floor", "ceil", "round", "deg", "hypot", "pow", "mod", "min", "max", "clamp",
];

/// Names that are taken.
#[derive(Debug, Default)]
pub(crate) struct Names {
    used: HashSet<String>,
    /// What has been called otherwise than in the description.
    pub renamed: Vec<(String, String)>,
    /// The next number to try after a name.
    next: HashMap<String, u32>,
}

impl Names {
    /// A free name as similar as possible to the requested one; `suffix` distinguishes it from a taken one.
    pub fn claim(&mut self, wanted: &str, suffix: &str) -> String {
        let name = self.free(wanted, suffix);
        if name != wanted {
            self.renamed.push((wanted.to_owned(), name.clone()));
        }
        name
    }

    /// As [`Names::claim`], for things that have no name in the description.
    pub fn invent(&mut self, wanted: &str) -> String {
        self.free(wanted, "")
    }

    fn free(&mut self, wanted: &str, suffix: &str) -> String {
        let plain = identifier(wanted);
        if self.take(&plain) {
            return plain;
        }
        let suffixed = format!("{plain}{suffix}");
        if !suffix.is_empty() && self.take(&suffixed) {
            return suffixed;
        }
        loop {
            let number = self.next.entry(suffixed.clone()).or_insert(1);
            *number += 1;
            let numbered = format!("{suffixed}_{number}");
            if self.take(&numbered) {
                return numbered;
            }
        }
    }

    fn take(&mut self, name: &str) -> bool {
        !RESERVED.contains(&name) && self.used.insert(name.to_owned())
    }
}

/// Name of a robot: its own, else that of its file.
pub(crate) fn of_robot(own: Option<&str>, file: &Path) -> String {
    match own.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => file.file_stem().map_or_else(|| "robot".to_owned(), |stem| stem.to_string_lossy().into_owned()),
    }
}

/// The nearest identifier.
pub(crate) fn identifier(name: &str) -> String {
    let replaced: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match replaced.chars().next() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{replaced}"),
        Some(_) => replaced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_different_identifiers() {
        let mut names = Names::default();
        assert_eq!(names.claim("arm", "_joint"), "arm");
        assert_eq!(names.claim("arm", "_joint"), "arm_joint");
        assert_eq!(names.claim("arm", "_joint"), "arm_joint_2");
        assert_eq!(names.claim("link_3.0", ""), "link_3_0");
        assert_eq!(names.claim("world", "_link"), "world_link");
        assert_eq!(names.claim("", ""), "unnamed");
        assert_eq!(names.claim("2nd", ""), "_2nd");
        assert_eq!(names.renamed.len(), 6);
    }
}
