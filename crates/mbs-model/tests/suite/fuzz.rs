//! Whatever a file contains, reading it ends with a model or with errors whose places exist.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mbs_model::{MemoryFiles, parse};
use proptest::prelude::*;

const COMPLETE: &str = include_str!("../data/complete.toml");

fn files(part: &[u8]) -> MemoryFiles {
    MemoryFiles::new().with("part.obj", part).with("part.stl", part).with("cam.csv", part).with("library.toml", part)
}

/// Reads a text; errors must render and stand inside it.
fn read(text: &str, part: &[u8]) {
    let Err(errors) = parse(text, "model.toml", &mut files(part)) else { return };
    assert!(!errors.errors.is_empty());
    assert!(errors.render().starts_with("error: "));
    let lines = text.split('\n').count() as u32;
    for error in errors.errors.iter().filter(|error| error.file == "model.toml") {
        assert!((1..=lines).contains(&error.line), "{error}");
    }
}

/// A change of a text at some place.
#[derive(Debug, Clone)]
enum Mutation {
    Remove(usize, usize),
    Insert(usize, String),
    Swap(usize, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let pieces = prop_oneof![
        "[\\PC\\n]{0,6}",
        Just("\"".to_owned()),
        Just("'''".to_owned()),
        Just("[[".to_owned()),
        Just("{".to_owned()),
        Just("= [".to_owned()),
        Just("\\u00e".to_owned()),
        Just("\r\n".to_owned()),
        Just("1e999".to_owned()),
        Just("\u{feff}".to_owned()),
    ];
    prop_oneof![
        (any::<usize>(), 0..40_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        (any::<usize>(), pieces).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Mutation::Swap(a, b)),
    ]
}

fn mutated(text: &str, mutations: &[Mutation]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for mutation in mutations {
        let length = characters.len().max(1);
        match mutation {
            Mutation::Remove(at, count) => {
                let at = at % length;
                let end = (at + count).min(characters.len());
                characters.drain(at.min(end)..end);
            }
            Mutation::Insert(at, piece) => {
                let at = (at % length).min(characters.len());
                characters.splice(at..at, piece.chars());
            }
            Mutation::Swap(a, b) if !characters.is_empty() => characters.swap(a % length, b % length),
            Mutation::Swap(..) => {}
        }
    }
    characters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutations_of_a_model_never_panic(mutations in prop::collection::vec(mutation(), 1..6)) {
        read(&mutated(COMPLETE, &mutations), b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }

    #[test]
    fn mutated_expressions_never_panic(text in "[-+*/^()\\[\\].,'a-z0-9\\\\\"\u{e9} ]{0,30}") {
        read(&format!("[parameters]\na = \"{text}\"\nb = '{text}'\n"), b"");
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,200}") {
        read(&text, b"");
    }

    #[test]
    fn random_files_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read(COMPLETE, &bytes);
        let mut stl = bytes.clone();
        stl.resize(84 + 50 * 2, 7);
        stl[80..84].copy_from_slice(&2_u32.to_le_bytes());
        read(&COMPLETE.replace("part.obj", "part.stl"), &stl);
        let _ = parse(&String::from_utf8_lossy(&bytes), "model.toml", &mut files(&bytes));
    }
}

#[test]
fn deep_nesting_is_an_error() {
    read(&format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)), b"");
    read(&format!("[parameters]\na = \"{}1{}\"\n", "(".repeat(100_000), ")".repeat(100_000)), b"");
    read(&format!("{}a = 1\n", "a.".repeat(1_000_000)), b"");
}
