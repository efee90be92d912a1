//! The tree of modules of a crate.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::path::{NamedPath, paths};
use crate::token::{Token, tokens};

/// A module in a file of its own. Modules within a file belong to it; test modules are kept apart.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Names from the crate downwards; empty for the crate itself.
    pub name: Vec<String>,
    /// Its file.
    pub file: PathBuf,
    /// Lines of the file, those of tests included.
    pub lines: usize,
    /// Paths named in its code.
    pub code: Vec<NamedPath>,
    /// Paths named in its tests.
    pub tests: Vec<NamedPath>,
    /// Names of its submodules, without those for tests.
    pub children: Vec<String>,
}

/// All modules of a crate by name.
#[derive(Debug, Clone, Default)]
pub struct Modules(pub BTreeMap<Vec<String>, Module>);

impl Modules {
    /// Reads the crate whose sources lie in the folder `src` of the workspace.
    ///
    /// # Errors
    /// When a folder or file cannot be read.
    pub fn read(root: &Path, src: &Path) -> io::Result<Self> {
        let mut modules = Self::default();
        modules.read_folder(&root.join(src), &[])?;
        for module in modules.0.values_mut() {
            module.file = module.file.strip_prefix(root).map(Path::to_path_buf).unwrap_or_default();
        }
        Ok(modules)
    }

    /// Lines of a submodule with everything below it.
    #[must_use]
    pub fn lines_below(&self, parent: &[String], child: &str) -> usize {
        let is_below = |name: &[String]| name.starts_with(parent) && name.get(parent.len()).is_some_and(|n| n == child);
        self.0.iter().filter(|(name, _)| is_below(name)).map(|(_, module)| module.lines).sum()
    }

    fn read_folder(&mut self, folder: &Path, name: &[String]) -> io::Result<()> {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
        entries.sort();
        for path in entries {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            let mut own = name.to_vec();
            if path.is_dir() {
                own.push(stem);
                self.read_folder(&path, &own)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let is_root = matches!(stem.as_str(), "mod" | "lib") || (stem == "main" && name.is_empty());
                if !is_root {
                    own.push(stem);
                }
                self.add(own, path)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, name: Vec<String>, file: PathBuf) -> io::Result<()> {
        let source = std::fs::read_to_string(&file)?;
        let (code, tests) = split_tests(tokens(&source));
        let (code, tests) = (paths(&code), paths(&tests));
        // Folders of tests belong to the tests of the module above them.
        if let Some(at) = name.iter().position(|part| part == "tests") {
            let depth = name.len() - at;
            let module = self.0.entry(name[..at].to_vec()).or_default();
            module.name = name[..at].to_vec();
            module.tests.extend(code.into_iter().chain(tests).map(|path| raised(path, depth)));
            return Ok(());
        }
        if let Some((own, above)) = name.split_last() {
            let above = self.0.entry(above.to_vec()).or_default();
            above.name = name[..name.len() - 1].to_vec();
            above.children.push(own.clone());
        }
        let module = self.0.entry(name.clone()).or_default();
        (module.name, module.file, module.lines) = (name, file, source.lines().count());
        // `main.rs` beside `lib.rs` is read as well.
        module.code.extend(code);
        module.tests.extend(tests.into_iter().map(|path| raised(path, 1)));
        Ok(())
    }

    /// The module in which a path that `module` names is defined, re-exports followed, and the one that the path itself
    /// points to. None for paths out of the crate.
    #[must_use]
    pub fn find(&self, module: &Module, path: &NamedPath) -> Option<[Vec<String>; 2]> {
        let absolute = self.absolute(module, &path.segments)?;
        let pointed = self.longest_module(&absolute);
        Some([pointed, self.definition(absolute, 0)])
    }

    /// A path from the crate downwards.
    fn absolute(&self, module: &Module, segments: &[String]) -> Option<Vec<String>> {
        let (first, rest) = segments.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.name.clone(),
            "super" => module.name.split_last()?.1.to_vec(),
            child if module.children.iter().any(|name| name == child) => {
                return Some(module.name.iter().chain(segments).cloned().collect());
            }
            _ => return None,
        };
        for segment in rest {
            if segment == "super" {
                base.pop()?;
            } else if segment != "self" {
                base.push(segment.clone());
            }
        }
        Some(base)
    }

    fn longest_module(&self, path: &[String]) -> Vec<String> {
        let lengths = (0..=path.len()).rev();
        lengths.map(|len| path[..len].to_vec()).find(|name| self.0.contains_key(name)).unwrap_or_default()
    }

    fn definition(&self, path: Vec<String>, depth: usize) -> Vec<String> {
        let found = self.longest_module(&path);
        let Some(item) = path.get(found.len()).filter(|_| depth < DEEPEST) else { return found };
        let module = &self.0[&found];
        let imports = module.code.iter().filter(|named| named.import.as_deref() == Some(item));
        let mut targets = imports.filter_map(|named| self.absolute(module, &named.segments));
        match targets.next() {
            Some(target) if target != path => self.definition(target, depth + 1),
            _ => found,
        }
    }
}

/// Longest chain of re-exports that is followed.
const DEEPEST: usize = 20;

/// A path as seen from a module that stands `by` levels higher: its leading `super` lead there.
fn raised(mut path: NamedPath, by: usize) -> NamedPath {
    let ups = path.segments.iter().take_while(|segment| *segment == "super").count();
    if ups > 0 {
        path.segments.splice(..ups.min(by), ["self".to_owned()]);
    }
    path
}

/// Separates `#[cfg(test)] mod name { … }` from the rest.
fn split_tests(tokens: Vec<Token>) -> (Vec<Token>, Vec<Token>) {
    let (mut code, mut tests) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let starts = |words: &[&str]| words.iter().zip(&tokens[at..]).all(|(word, token)| *word == token.text);
        if starts(&["#", "[", "cfg", "(", "test", ")", "]", "mod"]) && tokens.get(at + 9).is_some_and(|t| t.text == "{")
        {
            let end = closing(&tokens, at + 9);
            tests.extend_from_slice(&tokens[at + 10..end]);
            at = end;
        } else {
            code.push(tokens[at].clone());
        }
        at += 1;
    }
    (code, tests)
}

/// Index of the brace that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}
