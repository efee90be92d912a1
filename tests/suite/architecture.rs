//! The architecture document speaks of things that exist.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

#[test]
fn paths_named_in_the_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("readable");
    let roots = ["crates/", "src/", "fmus", "modelDescription", "tests", "examples", "src"];
    let named: Vec<&str> =
        text.split('`').skip(1).step_by(2).filter(|word| roots.iter().any(|r| word.starts_with(r))).collect();
    assert!(named.len() > 20, "only {} paths found", named.len());
    for path in named {
        assert!(root.join(path.trim_end_matches('/')).exists(), "{path} does not exist");
    }
}

/// Sources below a folder, by their paths with slashes.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for path in std::fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path()) {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
}

/// Files named without their whole path, such as `patch/slopes.rs`.
#[test]
fn files_named_in_the_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    ["crates", "src", "tests"].into_iter().for_each(|folder| sources(&root.join(folder), &mut all));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("readable");
    let named = text.split('`').skip(1).step_by(2).filter(|word| word.ends_with(".rs") && !word.contains('*'));
    for name in named {
        let end = format!("/{name}");
        assert!(all.iter().any(|path| path.ends_with(&end)), "there is no file {name}");
    }
}

/// Test binaries beside the suite of their crate: they count allocations, measure memory, or need streams of their own.
const OWN_PROCESS: [&str; 4] = [
    "tests/allocations.rs",
    "crates/mbs-ida/tests/growth.rs",
    "crates/mbs-ida/tests/reuse.rs",
    "crates/mbs-ida/tests/silence.rs",
];

/// Names of the Rust files in a folder.
fn rust_files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

/// Every binary links engine and solver, which takes longer than compiling most tests; and a file that no binary
/// includes would never run.
#[test]
fn the_tests_of_a_crate_are_modules_of_one_binary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = std::fs::read_dir(root.join("crates")).expect("readable").map(|entry| entry.expect("readable").path());
    let suites = crates.chain([root.to_path_buf()]).map(|folder| folder.join("tests"));
    let suites: Vec<_> = suites.filter(|folder| folder.join("suite/main.rs").is_file()).collect();
    assert!(suites.len() >= 6, "only {} suites found", suites.len());
    for folder in suites {
        for name in rust_files(&folder) {
            let path = folder.join(format!("{name}.rs"));
            let path = path.strip_prefix(root).unwrap().to_str().unwrap();
            assert!(OWN_PROCESS.contains(&path), "{path} belongs into the suite beside it");
        }
        let main = std::fs::read_to_string(folder.join("suite/main.rs")).expect("readable");
        for name in rust_files(&folder.join("suite")).iter().filter(|name| *name != "main") {
            let declaration = format!("mod {name};");
            assert!(main.lines().any(|line| line == declaration), "{}/suite/{name}.rs never runs", folder.display());
        }
    }
}
