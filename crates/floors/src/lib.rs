//! The floors of the workspace.
//!
//! The modules of `crates/mbs/src` stand on the floors that the code map of `ARCHITECTURE.md` gives them, and import
//! only from lower ones, their tests included. Everywhere else the submodules of a module import each other without a
//! circle. A module and its own submodules count as one: what they take from each other does not count.
#![forbid(unsafe_code)]

pub mod graph;
pub mod module;
pub mod path;
pub mod token;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use graph::Graph;
use module::Modules;

/// The crate whose modules have floors.
pub const ENGINE: &str = "crates/mbs/src";

/// The floors of the engine's modules, from the code map: rows that begin with a number and name folders of the engine.
///
/// # Errors
/// When the document cannot be read.
pub fn declared_floors(root: &Path) -> io::Result<BTreeMap<String, u32>> {
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md"))?;
    let mut floors = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, floor, paths, ..] = cells[..] else { continue };
        let Ok(floor) = floor.parse() else { continue };
        let named = paths.split('`').filter_map(|word| word.strip_prefix(ENGINE)?.strip_prefix('/'));
        floors.extend(named.map(|module| (module.to_owned(), floor)));
    }
    Ok(floors)
}

/// Folders with the sources of all crates, below the root of the workspace, in order.
///
/// # Errors
/// When a folder cannot be read.
pub fn sources(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![PathBuf::from("src")];
    for folder in ["crates", "fmus"] {
        for entry in std::fs::read_dir(root.join(folder))? {
            found.push(PathBuf::from(folder).join(entry?.file_name()).join("src"));
        }
    }
    found.retain(|src| root.join(src).is_dir());
    found.sort();
    Ok(found)
}

/// Everything that breaks the rules, one sentence each.
///
/// # Errors
/// When a source cannot be read.
pub fn violations(root: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for src in sources(root)? {
        let modules = Modules::read(root, &src)?;
        if src == Path::new(ENGINE) {
            found.extend(upward_imports(&Graph::of(&modules, &[], true), &declared_floors(root)?));
        }
        found.extend(circles(&modules, &src));
    }
    Ok(found)
}

/// Imports of the engine's modules that do not lead to a lower floor, and modules without a floor.
#[must_use]
pub fn upward_imports(graph: &Graph, floors: &BTreeMap<String, u32>) -> Vec<String> {
    let missing = |module: &String| format!("the code map gives `{module}` of {ENGINE} no floor");
    let gone = |module: &String| format!("the code map gives `{module}` a floor, but {ENGINE} has no such module");
    let mut found: Vec<String> = graph.0.keys().filter(|module| !floors.contains_key(*module)).map(missing).collect();
    found.extend(floors.keys().filter(|module| !graph.0.contains_key(*module)).map(gone));
    for (from, targets) in &graph.0 {
        for (to, place) in targets {
            if let (Some(own), Some(other)) = (floors.get(from), floors.get(to))
                && other >= own
            {
                found.push(format!(
                    "{} names {}: `{from}` on floor {own} imports `{to}` on floor {other}",
                    place.at, place.path
                ));
            }
        }
    }
    found
}

/// Circles of the submodules of every module, with the imports that close them.
fn circles(modules: &Modules, src: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for parent in modules.0.values().filter(|module| !module.children.is_empty()) {
        let graph = Graph::of(modules, &parent.name, false);
        let circles = graph.circles();
        let folder = parent.name.iter().fold(src.to_path_buf(), |path, name| path.join(name));
        for circle in circles {
            let ties = circle.iter().flat_map(|from| {
                let within = graph.0[*from].iter().filter(|(to, _)| circle.contains(&to.as_str()));
                within.map(move |(to, place)| format!("\n    {from} -> {to}: {} in {}", place.path, place.at))
            });
            let ties: String = ties.collect();
            found.push(format!("{}: {} import each other in a circle{ties}", folder.display(), circle.join(", ")));
        }
    }
    found
}

/// The floors of every crate from the top down, and of the submodules in `folder` if one is given.
///
/// # Errors
/// When a source cannot be read.
pub fn report(root: &Path, folder: Option<&Path>) -> io::Result<String> {
    let mut text = String::new();
    for src in sources(root)? {
        if folder.is_some_and(|folder| !folder.starts_with(&src)) {
            continue;
        }
        let modules = Modules::read(root, &src)?;
        let below = folder.and_then(|folder| folder.strip_prefix(&src).ok()).unwrap_or(Path::new(""));
        let parent: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let graph = Graph::of(&modules, &parent, false);
        if graph.0.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{}", src.join(below).display());
        let (floors, circling) = graph.floors();
        if !circling.is_empty() {
            let _ = writeln!(text, "   ?  {}", circling.join(", "));
        }
        for (number, floor) in floors.iter().enumerate().rev() {
            for name in floor {
                let lines = modules.lines_below(&parent, name);
                let targets: Vec<&str> = graph.0[*name].keys().map(String::as_str).collect();
                let _ = writeln!(text, "{:4}  {name} ({lines}) {}", number + 1, targets.join(" "));
            }
        }
    }
    Ok(text)
}
