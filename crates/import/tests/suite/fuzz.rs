//! Whatever a description contains, reading it ends with a model or with errors whose places exist.

use std::path::Path;

use mbs_import::{Options, read_collada, read_text};
use mbs_model::MemoryFiles;
use proptest::prelude::*;

const ARM: &str = include_str!("../data/arm.urdf");
const WALKER: &str = include_str!("../data/walker.xml");

/// Reads a text; what is wrong with it stands inside it, and what it becomes can be read.
fn read(text: &str, name: &str) {
    let mut files =
        MemoryFiles::new().with("part.stl", text).with("meshes/missing.stl", "solid \n").with("a.xml", text);
    match read_text(text, Path::new(name), &Options::default(), &mut files) {
        Ok(import) => {
            if let Err(errors) = import.model() {
                panic!("{errors}\n{}\nfrom\n{text}", import.text);
            }
        }
        Err(errors) => {
            assert!(!errors.errors.is_empty() && errors.render().starts_with("error: "));
            let lines = text.split('\n').count() as u32;
            for error in errors.errors.iter().filter(|error| error.file == name) {
                assert!((1..=lines).contains(&error.line), "{error}");
            }
        }
    }
}

#[derive(Debug, Clone)]
enum Mutation {
    Remove(usize, usize),
    Insert(usize, String),
    /// Puts another value into an attribute.
    Value(usize, String),
    /// Repeats a line elsewhere.
    Line(usize, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let pieces = prop_oneof![
        "[\\PC\\n]{0,6}",
        Just("<".to_owned()),
        Just("/>".to_owned()),
        Just("<include file=\"a.xml\"/>".to_owned()),
        Just("&amp;".to_owned()),
        Just("<!-- -->".to_owned()),
        Just("<inertial/>".to_owned()),
        Just("<frame pos=\"1 2 3\" euler=\"1 2 3\"/>".to_owned()),
    ];
    let values = prop_oneof![
        "[\\PC]{0,6}",
        Just(String::new()),
        Just("0".to_owned()),
        Just("-1".to_owned()),
        Just("1e308 1e308 1e308".to_owned()),
        Just("0 0 0".to_owned()),
        Just("0 0 0 0".to_owned()),
        Just("nan inf".to_owned()),
        Just("1 2 3 4 5 6".to_owned()),
        Just("slide".to_owned()),
        Just("world".to_owned()),
        Just("true".to_owned()),
        Just("planar".to_owned()),
        Just("ball".to_owned()),
        Just("if".to_owned()),
        Just("\t1 0 0".to_owned()),
    ];
    prop_oneof![
        (any::<usize>(), 0..40_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        (any::<usize>(), pieces).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (any::<usize>(), values).prop_map(|(at, value)| Mutation::Value(at, value)),
        (any::<usize>(), any::<usize>()).prop_map(|(from, to)| Mutation::Line(from, to)),
    ]
}

fn mutated(text: &str, mutations: &[Mutation]) -> String {
    let mut text = text.to_owned();
    for mutation in mutations {
        let characters: Vec<char> = text.chars().collect();
        let length = characters.len().max(1);
        match mutation {
            Mutation::Remove(at, count) => {
                let kept =
                    characters.iter().enumerate().filter(|(i, _)| !(at % length..at % length + count).contains(i));
                text = kept.map(|(_, c)| c).collect();
            }
            Mutation::Insert(at, piece) => {
                let (before, behind) = characters.split_at((at % length).min(characters.len()));
                text = before.iter().chain(&piece.chars().collect::<Vec<_>>()).chain(behind).collect();
            }
            Mutation::Value(at, value) => {
                let parts: Vec<&str> = text.split('"').collect();
                let quoted = parts.len() / 2;
                if quoted > 0 {
                    let chosen = 2 * (at % quoted) + 1;
                    let mut parts: Vec<&str> = parts;
                    let value = value.replace(['"', '<', '&'], "");
                    parts[chosen] = &value;
                    text = parts.join("\"");
                }
            }
            Mutation::Line(from, to) => {
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    let (from, to) = (from % lines.len(), to % lines.len());
                    lines.insert(to, lines[from]);
                    text = lines.join("\n");
                }
            }
        }
    }
    text
}

/// 400, or as many as `PROPTEST_CASES` says: for a long search.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn changed_urdf_files_are_read_or_refused(mutations in prop::collection::vec(mutation(), 1..6)) {
        read(&mutated(ARM, &mutations), "arm.urdf");
    }

    #[test]
    fn changed_mjcf_files_are_read_or_refused(mutations in prop::collection::vec(mutation(), 1..6)) {
        read(&mutated(WALKER, &mutations), "walker.xml");
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        read(&text, "arm.urdf");
        let _ = read_collada(text.as_bytes());
    }

    #[test]
    fn any_bytes_are_no_collada(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read_collada(&bytes).is_err());
    }
}
