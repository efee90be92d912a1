//! What the documentation shows is right: models run, commands are commands, links lead somewhere.
//!
//! A block of TOML is a model by itself, or a comment before it says what it belongs to: `<!-- in: joint -->` completes
//! it by `docs/contexts/joint.toml`, which comes after the keys before the first table of the block, `<!-- of:
//! robot.toml -->` says that the file beside the page has these lines, `<!-- not run -->` that it is none. The files of
//! `docs/contexts/files` lie beside every model. Commands in a block after `<!-- run -->` are run, others are parsed.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Desk;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Files with an extension below a folder, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The pages of the documentation, and what else users read.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages = files(&root.join("docs"), "md");
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "NOTATION.md"].map(|name| root.join(name)));
    for folder in ["fmus", "examples"] {
        pages.extend(files(&root.join(folder), "md"));
    }
    pages
}

/// A block of code.
struct Block {
    /// Where it stands, for messages.
    place: String,
    /// Page it stands on.
    page: PathBuf,
    text: String,
    /// The comment before it.
    directive: Option<String>,
}

/// All blocks in a language on the pages of the documentation.
fn blocks(language: &str) -> Vec<Block> {
    let mut found = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let fence = format!("```{language}");
        for (number, _) in lines.iter().enumerate().filter(|(_, line)| **line == fence) {
            let before = number.checked_sub(1).map_or("", |above| lines[above]);
            let directive = before.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
            let body = lines[number + 1..].iter().take_while(|line| !line.starts_with("```"));
            found.push(Block {
                place: format!("{}:{}", page.strip_prefix(root()).unwrap().display(), number + 1),
                page: page.clone(),
                text: body.map(|line| format!("{line}\n")).collect(),
                directive: directive.map(str::to_owned),
            });
        }
    }
    found
}

/// The text with the files that its lines `{{#include FILE}}` name.
fn included(block: &Block) -> String {
    let line = |line: &str| match line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}")) {
        Some(file) => fs::read_to_string(block.page.with_file_name(file))
            .unwrap_or_else(|error| panic!("{}: {file}: {error}", block.place)),
        None => format!("{line}\n"),
    };
    block.text.lines().map(line).collect()
}

/// Where the first table of a TOML text begins.
fn first_table(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            return at;
        }
        at += line.len();
    }
    at
}

/// A model that a block stands for; none if its text is part of a file that is one.
fn model_of(block: &Block) -> Option<String> {
    let text = included(block);
    match block.directive.as_deref() {
        None | Some("complete") => Some(text),
        Some("not run") => None,
        Some(directive) => {
            let directive = directive.split(" with: ").next().unwrap();
            if let Some(context) = directive.strip_prefix("in: ") {
                let path = root().join(format!("docs/contexts/{context}.toml"));
                let context = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}: no {path:?}", block.place));
                let (top, tables) = text.split_at(first_table(&text));
                return Some(format!("{top}\n{context}\n{tables}"));
            }
            let name = directive.strip_prefix("of: ").unwrap_or_else(|| panic!("{}: {directive}?", block.place));
            let path = block.page.with_file_name(name);
            let whole = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}: no {path:?}", block.place));
            for piece in text.split("\n\n").map(str::trim).filter(|piece| !piece.is_empty()) {
                assert!(whole.contains(piece), "{}: {name} does not have\n{piece}", block.place);
            }
            None
        }
    }
}

#[test]
fn every_model_in_the_documentation_runs() {
    let desk = Desk::new();
    let contexts = root().join("docs/contexts/files");
    let (mut count, mut failed) = (0, Vec::new());
    for block in blocks("toml") {
        let Some(model) = model_of(&block) else { continue };
        let folder = format!("m{count}");
        count += 1;
        desk.write(&format!("{folder}/model.toml"), &model);
        for extension in ["obj", "csv", "toml"] {
            for path in files(&contexts, extension) {
                let name = path.strip_prefix(&contexts).unwrap().display();
                desk.write(&format!("{folder}/{name}"), &fs::read_to_string(&path).unwrap());
            }
        }
        let ran = desk.run(&format!("simulate {folder} --stop 0.2 --step 0.05 -o {folder}.csv"));
        if ran.code != 0 {
            failed.push(format!("{}\n{}", block.place, ran.err));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(count > 100, "only {count} models");
}

#[test]
fn the_example_of_a_structure_that_changes_carries_a_part_and_breaks_it() {
    let is_it = |block: &Block| block.text.contains("[actions.fetch]") && block.text.contains("[actions.broken]");
    let block = blocks("toml").into_iter().find(is_it).unwrap();
    let desk = Desk::new();
    let outputs = "grip.attached,part[1].body.r_abs[3],part[1].exists";
    desk.write("m.toml", &format!("gravity = [0, 0, -9.81]\n{}", block.text));
    desk.works(&format!("simulate m.toml --stop 5 --step 0.5 --set fetch=true --outputs {outputs} -o m.csv"));
    let text = desk.text("m.csv");
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let [start, top, end] = [&rows[0], &rows[5], &rows[10]];
    assert!(start[1] == 0.0 && top[1] == 1.0 && end[1] == 0.0, "{text}");
    assert!(start[2] < 0.11 && top[2] > 0.39 && start[3] == 1.0 && end[3] == 0.0, "{text}");
}

#[test]
fn every_model_file_of_the_documentation_runs() {
    let desk = Desk::new();
    let docs = root().join("docs");
    let mut count = 0;
    for path in files(&docs, "toml") {
        let name = path.strip_prefix(&docs).unwrap();
        if name.starts_with("contexts") || name == Path::new("book.toml") {
            continue;
        }
        count += 1;
        let ran = desk.run(&format!("simulate {} --stop 0.1 --step 0.05 -o out.csv", path.display()));
        assert!(ran.code == 0, "{}\n{}", name.display(), ran.err);
    }
    assert!(count > 10, "only {count} files");
}

/// The words of a line of the shell, up to a pipe, a redirection or a comment; commands joined by `&&` apart.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut words = line.trim().chars().peekable();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut is_over = false;
    while let Some(c) = words.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, '|' | '>') => is_over = true,
            (None, '&') if words.peek() == Some(&'&') => {
                words.next();
                is_over = false;
                commands.last_mut().unwrap().extend(word.take());
                commands.push(Vec::new());
            }
            (None, c) if c.is_whitespace() => {
                if let Some(word) = word.take().filter(|_| !is_over) {
                    commands.last_mut().unwrap().push(word);
                }
            }
            (None, _) if is_over => {}
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    commands.last_mut().unwrap().extend(word.filter(|_| !is_over));
    commands
}

/// Commands `mbfmu` of a block, without the name of the program.
fn calls(block: &Block) -> Vec<Vec<String>> {
    let lines = block.text.replace("\\\n", " ");
    let all = lines.lines().flat_map(commands).filter(|words| !words.is_empty());
    let is_ours = |words: &Vec<String>| matches!(words[0].as_str(), "mbfmu" | "./mbfmu");
    all.filter(is_ours).map(|words| words[1..].to_vec()).collect()
}

#[test]
fn every_command_in_the_documentation_is_one() {
    let mut count = 0;
    for block in blocks("sh") {
        for words in calls(&block) {
            count += 1;
            let parsed = mbfmu::check_arguments(&words);
            assert!(parsed.is_ok(), "{}: mbfmu {}\n{}", block.place, words.join(" "), parsed.unwrap_err());
        }
    }
    // READMEs of models show commands in indented blocks.
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for line in text.lines().filter_map(|line| line.strip_prefix("    mbfmu ")) {
            count += 1;
            for words in commands(line) {
                let parsed = mbfmu::check_arguments(&words);
                assert!(parsed.is_ok(), "{}: mbfmu {line}\n{}", page.display(), parsed.unwrap_err());
            }
        }
    }
    assert!(count > 100, "only {count} commands");
}

/// Commands that simulate; tests let them do so for a moment.
const RUNS: [&str; 4] = ["simulate", "plot", "view", "sweep"];

#[test]
fn commands_that_a_page_lets_the_reader_type_work_in_their_order() {
    let mut desks: BTreeMap<PathBuf, Desk> = BTreeMap::new();
    let mut count = 0;
    for block in blocks("sh").into_iter().filter(|block| block.directive.as_deref() == Some("run")) {
        let desk = desks.entry(block.page.clone()).or_insert_with(|| {
            let desk = Desk::new();
            for path in files(block.page.parent().unwrap(), "toml") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                desk.write(&name, &fs::read_to_string(&path).unwrap());
            }
            desk
        });
        for mut words in calls(&block) {
            count += 1;
            if RUNS.contains(&words[0].as_str()) && !words.iter().any(|word| word == "--stop") {
                words.extend(["--stop", "0.1"].map(str::to_owned));
            }
            let ran = desk.command("").args(&words).output().unwrap();
            let message = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(ran.status.success(), "{}: mbfmu {}\n{message}", block.place, words.join(" "));
        }
    }
    assert!(count > 10, "only {count} commands");
}

/// Code without comments and without what a formatter may change.
fn bare(code: &str) -> String {
    let lines = code.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines.flat_map(str::chars).filter(|c| !c.is_whitespace() && *c != ',').collect()
}

#[test]
fn rust_in_the_documentation_is_code_that_is_compiled_and_run() {
    let sources = ["fmus/VanDerPol/src/lib.rs", "fmus/VanDerPol/src/main.rs", COMPONENTS_TEST];
    let sources = sources.map(|path| bare(&fs::read_to_string(root().join(path)).unwrap()));
    let blocks = blocks("rust");
    assert!(blocks.len() >= 3, "only {} blocks", blocks.len());
    for block in blocks {
        let is_compiled = sources.iter().any(|source| source.contains(&bare(&block.text)));
        assert!(is_compiled, "{}: no source has this code", block.place);
    }
}

/// The second component of the page on custom ones.
const COMPONENTS_TEST: &str = "crates/mbs-ida/tests/suite/components_custom.rs";

/// Targets of the links of a Markdown text, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.starts_with("    ") {
            continue;
        }
        // Every second piece between backticks is code.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        found.extend(targets.map(str::to_owned));
    }
    found
}

/// Anchors that viewers give the headings of a page.
fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        let Some(title) = line.strip_prefix('#').filter(|_| !is_code) else { continue };
        let title = title.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        let anchor: String = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let same = found.iter().filter(|known| **known == anchor).count();
        found.push(if same == 0 { anchor } else { format!("{anchor}-{same}") });
    }
    found
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_in_it() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            if !anchor.is_empty() && target.extension().is_some_and(|extension| extension == "md") {
                let known = anchors(&fs::read_to_string(&target).unwrap());
                assert!(known.iter().any(|known| known == anchor), "{}: {link}; {known:?}", page.display());
            }
        }
    }
    assert!(count > 300, "only {count} links");
}

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed = links(&summary);
    for page in files(&docs, "md").into_iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let name = page.strip_prefix(&docs).unwrap().to_string_lossy().into_owned();
        assert_eq!(listed.iter().filter(|link| **link == name).count(), 1, "{name} in docs/SUMMARY.md");
    }
}
