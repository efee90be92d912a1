//! `docs/model-format.md` agrees with the program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use mbs_model::{json_schema, page_keys, reference};

const BEGIN: &str = "<!-- reference: generated, rewrite with UPDATE=1 cargo test -p mbs-model -->\n";

fn path() -> PathBuf {
    docs("model-format.md")
}

fn docs(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

#[test]
fn the_schema_file_is_that_of_the_format() {
    let path = docs("model.schema.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, json_schema()).unwrap();
    }
    let given = fs::read_to_string(&path).unwrap();
    assert!(given == json_schema(), "docs/model.schema.json is stale; UPDATE=1 rewrites it");
}

#[test]
fn the_reference_is_that_of_the_format() {
    let text = fs::read_to_string(path()).unwrap();
    let (prose, given) = text.split_once(BEGIN).expect("the mark of the reference");
    let expected = reference();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path(), format!("{prose}{BEGIN}\n{expected}")).unwrap();
    } else {
        assert!(given.trim() == expected.trim(), "docs/model-format.md is stale; UPDATE=1 rewrites it");
    }
}

/// Begins the part of a page that lists keys, up to its end.
const KEYS: &str = "<!-- keys: generated, rewrite with UPDATE=1 cargo test -p mbs-model -->\n";

/// Markdown files below a folder, by their paths there without extension.
fn pages(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for family in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        for path in fs::read_dir(&family).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(folder).unwrap().with_extension("");
            found.push(name.to_string_lossy().into_owned());
        }
    }
    found
}

#[test]
fn everything_with_a_type_has_a_page_with_its_keys_and_a_picture() {
    let folder = docs("reference");
    let (expected, mut stale) = (page_keys(), Vec::new());
    let known: Vec<&str> = expected.iter().map(|page| page.path.as_str()).collect();
    for page in &expected {
        let path = folder.join(format!("{}.md", page.path));
        let text = fs::read_to_string(&path).unwrap_or_else(|_| {
            panic!("write docs/reference/{}.md, with this line before its keys:\n{KEYS}", page.path)
        });
        let (prose, given) = text.split_once(KEYS).unwrap_or_else(|| panic!("{} has no line {KEYS}", path.display()));
        assert!(prose.starts_with(&format!("# `{}`", page.path.split_once('/').unwrap().1)), "title of {}", page.path);
        assert!(prose.contains(".svg)"), "{} has no picture", page.path);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path, format!("{prose}{KEYS}\n{}", page.text)).unwrap();
        } else if given.trim() != page.text.trim() {
            stale.push(page.path.as_str());
        }
    }
    assert!(stale.is_empty(), "the keys of {stale:?} are stale in docs/reference; UPDATE=1 rewrites them");
    let orphans: Vec<String> = pages(&folder).into_iter().filter(|page| !known.contains(&page.as_str())).collect();
    assert!(orphans.is_empty(), "{orphans:?} are pages of nothing in the format");
}

/// Advice on flanges of the wrong kind refers to these types.
#[test]
fn types_with_the_key_motion_are_those_of_the_library() {
    let pages = page_keys();
    let with_motion = pages.iter().filter(|page| page.text.contains("\n| `motion` |"));
    let mut found: Vec<&str> = with_motion.filter_map(|page| page.path.strip_prefix("components/")).collect();
    let mut listed = mbs::component::TYPES_WITH_MOTION.to_vec();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

/// Lists that are written by hand.
#[test]
fn every_type_is_listed() {
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let laws = read(&docs("../crates/mbs/tests/suite/support/mod.rs"));
    let laws = laws.split("pub const JOINTS").nth(1).unwrap().split(';').nth(1).unwrap();
    let format = read(&path());
    for page in page_keys() {
        let (folder, name) = page.path.split_once('/').unwrap();
        let overview = read(&docs(&format!("reference/{folder}.md")));
        assert!(overview.contains(&format!("({folder}/{name}.md)")), "docs/reference/{folder}.md does not list {name}");
        if folder == "joints" {
            assert!(
                format.contains(&format!("\n| `{name}` |")),
                "the table of docs/model-format.md does not list {name}"
            );
            assert!(laws.contains(&format!("\"{name}\"")), "`JOINTS` of crates/mbs/tests does not list {name}");
        }
    }
}

#[test]
fn every_key_of_a_step_is_on_a_page() {
    let pages: String =
        page_keys().into_iter().filter(|page| page.path.starts_with("actions/")).map(|p| p.text).collect();
    let text = fs::read_to_string(path()).unwrap();
    let steps = text.split("### `steps`\n").nth(1).unwrap().split("\n### ").next().unwrap();
    let rows: Vec<&str> = steps.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 20, "only {} keys of steps", rows.len());
    for row in rows {
        let name = row.split(" |").next().unwrap();
        assert!(pages.contains(name), "{name} is on no page of actions");
    }
}

#[test]
fn messages_of_components_use_the_units_of_their_pages() {
    let mut units = 0;
    for page in page_keys() {
        let Some(kind) = page.path.strip_prefix("components/") else { continue };
        for row in page.text.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = row.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
            let (key, unit) = (cells[0].trim_matches('`'), cells[2]);
            let expected = (!unit.is_empty()).then_some(unit);
            assert_eq!(mbs::component::unit_of(kind, key), expected, "{kind}: {key}");
            units += usize::from(expected.is_some());
        }
    }
    assert!(units > 60, "{units}");
}
