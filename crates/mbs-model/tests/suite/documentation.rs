//! `docs/model-format.md` says what the program does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::PathBuf;

use mbs_model::{MemoryFiles, json_schema, parse, reference};

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

#[test]
fn every_example_is_a_model() {
    let text = fs::read_to_string(path()).unwrap();
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
    let mut files = MemoryFiles::new().with("meshes/part.obj", square).with("thrust.csv", "0,1\n1,2\n");
    files = files.with("library/robot.toml", "");
    let blocks: Vec<&str> = text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() > 10, "only {} examples", blocks.len());
    for block in blocks {
        parse(block, "model.toml", &mut files).unwrap_or_else(|errors| panic!("{errors}\nin\n{block}"));
    }
}
