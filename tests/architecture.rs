//! The architecture document speaks of things that exist.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

#[test]
fn paths_named_in_the_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("readable");
    let roots = ["crates/", "src/", "fmus", "modelDescription", "tests", "examples", "build.rs", "src"];
    let named: Vec<&str> =
        text.split('`').skip(1).step_by(2).filter(|word| roots.iter().any(|r| word.starts_with(r))).collect();
    assert!(named.len() > 20, "only {} paths found", named.len());
    for path in named {
        assert!(root.join(path.trim_end_matches('/')).exists(), "{path} does not exist");
    }
}
