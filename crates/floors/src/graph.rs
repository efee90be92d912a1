//! Imports between the submodules of one module: floors and circles.

use std::collections::{BTreeMap, BTreeSet};

use crate::module::Modules;

/// Which submodules of a module import which others, each with one place where it does.
#[derive(Debug, Clone, Default)]
pub struct Graph(pub BTreeMap<String, BTreeMap<String, Place>>);

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// File and line.
    pub at: String,
    /// The path that is named there.
    pub path: String,
}

impl Graph {
    /// Imports between the submodules of `parent`, those of their own submodules included.
    #[must_use]
    pub fn of(modules: &Modules, parent: &[String], with_tests: bool) -> Self {
        let mut graph = Self::default();
        let depth = parent.len();
        for (name, module) in modules.0.iter().filter(|(name, _)| name.len() > depth && name.starts_with(parent)) {
            let from = &name[depth];
            let edges = graph.0.entry(from.clone()).or_default();
            let tests = module.tests.iter().filter(|_| with_tests);
            for path in module.code.iter().chain(tests) {
                let targets = modules.find(module, path).into_iter().flatten();
                for target in targets.filter(|target| target.len() > depth && target.starts_with(parent)) {
                    if target[depth] != *from {
                        edges.entry(target[depth].clone()).or_insert_with(|| Place {
                            at: format!("{}:{}", module.file.display(), path.line),
                            path: path.segments.join("::"),
                        });
                    }
                }
            }
        }
        graph
    }

    /// The submodules from the ground up; a module stands above everything that it imports. Modules in a circle and
    /// what stands on them are left over.
    #[must_use]
    pub fn floors(&self) -> (Vec<Vec<&str>>, Vec<&str>) {
        let mut rest: BTreeSet<&str> = self.0.keys().map(String::as_str).collect();
        let mut floors = Vec::new();
        loop {
            let stands = |name: &&str| !self.0[*name].keys().any(|target| rest.contains(target.as_str()));
            let floor: Vec<&str> = rest.iter().copied().filter(stands).collect();
            if floor.is_empty() {
                return (floors, rest.into_iter().collect());
            }
            rest.retain(|name| !floor.contains(name));
            floors.push(floor);
        }
    }

    /// Groups of submodules that import each other in a circle.
    #[must_use]
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.0.keys().map(|name| (name.as_str(), self.reached_from(name))).collect();
        let mut circles: Vec<Vec<&str>> = Vec::new();
        for (name, own) in &reached {
            let circle: Vec<&str> = own.iter().copied().filter(|other| reached[other].contains(name)).collect();
            if circle.len() > 1 && circle.first() == Some(name) {
                circles.push(circle);
            }
        }
        circles
    }

    fn reached_from<'a>(&'a self, name: &'a str) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut next = vec![name];
        while let Some(at) = next.pop() {
            next.extend(self.0[at].keys().map(String::as_str).filter(|target| reached.insert(*target)));
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &[&str])]) -> Graph {
        let place = || Place { at: String::new(), path: String::new() };
        let targets = |list: &[&str]| list.iter().map(|name| ((*name).to_owned(), place())).collect();
        Graph(edges.iter().map(|(name, list)| ((*name).to_owned(), targets(list))).collect())
    }

    #[test]
    fn a_module_stands_on_what_it_imports() {
        let graph = graph(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"]), ("d", &["a"])]);
        assert_eq!(graph.floors(), (vec![vec!["a"], vec!["b", "d"], vec!["c"]], vec![]));
        assert!(graph.circles().is_empty());
    }

    #[test]
    fn modules_that_import_each_other_form_a_circle() {
        let graph = graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("d", &["a"]), ("e", &[])]);
        assert_eq!(graph.circles(), [["a", "b", "c"]]);
        assert_eq!(graph.floors(), (vec![vec!["e"]], vec!["a", "b", "c", "d"]));
    }
}
